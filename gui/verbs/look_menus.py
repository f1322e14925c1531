"""The menus of how the tree is shown: the kind of picture, what its colours say, which lines its cards have."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from engine.runtime.sentences import tr
from gui import icons
from gui.canvas.overlays.picture_controls import KIND_WORDS
from gui.model.document import Document
from gui.model.view_state.look import Look
from gui.picture.colours import DIFFERENCE, MODES, mode_for
from gui.picture.nodes.cards import LINES
from gui.settings import SETTINGS
from gui.widgets import verbatim
from gui.widgets.building import entry

if TYPE_CHECKING:
    from engine.tree.tree import Tree

EVERY = {**MODES, DIFFERENCE.name: DIFFERENCE}  # ways of colouring


def why_not(document: Document, name: str) -> str:
    """Why the canvas cannot be coloured so, in a sentence; empty where it can."""
    if document.tree is None:
        return tr("Open a table first.")
    if name == DIFFERENCE.name:
        return "" if document.comparing.results else tr("Choose another tree in the panel Comparison first.")
    return MODES[name].refusal(document.tree)


def colour_in_use(document: Document, tree: Tree) -> str:
    """What the colours say now."""
    differing = document.comparing.shares is not None
    return DIFFERENCE.name if differing else mode_for(tree, document.look.colour_by).name


def colour_by(document: Document, name: str) -> None:
    """Colours the canvas so."""
    document.comparing.colour(name == DIFFERENCE.name)
    if name != DIFFERENCE.name:
        document.look.set(colour_by=name)


def next_colours(document: Document) -> None:
    """Goes on to the next way of colouring that this tree can have, and says which it is."""
    if document.tree is None:
        return
    usable = [name for name in EVERY if not why_not(document, name)]
    now = colour_in_use(document, document.tree)
    chosen = usable[(usable.index(now) + 1) % len(usable)] if now in usable else usable[0]
    colour_by(document, chosen)
    document.told.emit(tr("Coloured by: {what}", what=verbatim.without_mark(EVERY[chosen].text)))


class LookMenus(QObject):
    """Fills two menus, and ticks what holds whenever they open.

    Attributes:
        colours, lines: View ▸ Colour by, and View ▸ Cards show.
    """

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document

    def add_colours(self, menu: QMenu) -> None:
        """View ▸ Colour by."""
        self.colours = menu.addMenu(tr("&Colour by"))
        self.colours.setObjectName("colours_menu")
        self.colours.setToolTipsVisible(True)
        group = QActionGroup(self)
        for mode in EVERY.values():
            action = entry(self.colours, mode.text, partial(colour_by, self._document, mode.name), ticked=False)
            action.setData(mode)
            group.addAction(action)
        self.colours.aboutToShow.connect(lambda: self._tick_colours(group))

    def _tick_colours(self, group: QActionGroup) -> None:
        tree = self._document.tree
        for action in group.actions():
            mode = action.data()
            refusal = why_not(self._document, mode.name)
            action.setEnabled(not refusal)
            verbatim.explain_action(action, refusal or mode.tip)
            action.setChecked(tree is not None and mode.name == colour_in_use(self._document, tree))

    def add_lines(self, menu: QMenu) -> None:
        """View ▸ Cards show."""
        self.lines = menu.addMenu(tr("Cards &show"))
        self.lines.setObjectName("lines_menu")
        self.lines.setToolTipsVisible(True)
        for line in LINES.values():
            action = entry(self.lines, line.text, partial(self._toggle_line, line.name), ticked=False)
            action.setData(line.name)
            verbatim.explain_action(action, line.tip)
        self.lines.addSeparator()
        usual = tuple(SETTINGS["canvas_lines"].default)
        self.lines.addAction(tr("R&eset"), lambda: self._document.look.set(lines=usual))
        self.lines.aboutToShow.connect(self._tick_lines)

    def _toggle_line(self, name: str) -> None:
        """Shows or hides a line of the cards; the lines keep their order."""
        lines = set(self._document.look.lines) ^ {name}
        self._document.look.set(lines=tuple(line for line in LINES if line in lines))

    def _tick_lines(self) -> None:
        for action in self.lines.actions():
            action.setChecked(action.data() in self._document.look.lines)


def add_kinds(menu: QMenu, look: Look) -> None:
    """Adds an entry for each kind, of which one is chosen."""
    group = QActionGroup(menu)
    for name, words in KIND_WORDS.items():
        action = entry(menu, tr(words.text), partial(look.set, kind=name), name=f"action_as_{name}", ticked=False)
        action.setData(name)
        verbatim.explain_action(action, tr(words.tip))
        icons.put(action, words.icon)
        group.addAction(action)

    def tick() -> None:
        for action in group.actions():
            action.setChecked(action.data() == look.kind)

    menu.aboutToShow.connect(tick)
