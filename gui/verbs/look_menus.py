"""The menus of how the tree is shown: the kind of picture, what its colours say, which lines its cards have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from gui import icons
from gui.picture.colours import DIFFERENCE, MODES, mode_for
from gui.picture.nodes.cards import LINES
from gui.settings import SETTINGS
from gui.widgets import verbatim

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.document import Document
    from gui.model.view_state.view_options import Look


NO_OTHER = "Choose another tree in the panel Comparison first."
NO_TABLE = "Open a table first."


def why_not(document: Document, name: str) -> str:
    """Why the canvas cannot be coloured so, in a sentence; empty where it can."""
    tree = document.tree
    if tree is None:
        return NO_TABLE
    if name == DIFFERENCE.name:
        return "" if document.comparing.results else NO_OTHER
    return MODES[name].refusal(tree)


def colour_in_use(document: Document, tree: Tree) -> str:
    """What the colours say now."""
    if document.comparing.shares is not None:
        return DIFFERENCE.name
    return mode_for(tree, document.look.colour_by).name


def colour_by(document: Document, name: str) -> None:
    """Colours the canvas so."""
    document.comparing.colour(name == DIFFERENCE.name)
    if name != DIFFERENCE.name:
        document.look.set(colour_by=name)


def next_colours(document: Document) -> None:
    """Goes on to the next way of colouring that this tree can have, and says which it is."""
    tree = document.tree
    if tree is None:
        return
    every = {**MODES, DIFFERENCE.name: DIFFERENCE}
    usable = [name for name in every if not why_not(document, name)]
    now = colour_in_use(document, tree)
    chosen = usable[(usable.index(now) + 1) % len(usable)] if now in usable else usable[0]
    colour_by(document, chosen)
    document.told.emit(f"Coloured by: {every[chosen].text.replace('&', '')}")


def toggle_line(document: Document, name: str) -> None:
    """Shows or hides a line of the cards; the lines keep their order."""
    lines = set(document.look.lines) ^ {name}
    document.look.set(lines=tuple(line for line in LINES if line in lines))


def toggle_part(document: Document) -> None:
    """Lets the validation rows flow through the tree, or the training rows again."""
    flows = document.look.part == "validation"
    document.look.set(part="train" if flows else "validation")
    document.told.emit(f"{'Training' if flows else 'Validation'} rows flow through the tree: ribbons, bars and figures")


class LookMenus(QObject):
    """Fills the two menus whenever they open."""

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document

    def add_colours(self, menu: QMenu) -> None:
        """View ▸ Colour by."""
        self.colours = menu.addMenu("&Colour by")
        self.colours.setObjectName("colours_menu")
        self.colours.setToolTipsVisible(True)
        group = QActionGroup(self)
        for mode in (*MODES.values(), DIFFERENCE):
            action = self.colours.addAction(mode.text, lambda name=mode.name: colour_by(self._document, name))
            action.setCheckable(True)
            action.setData(mode)
            group.addAction(action)
        self.colours.aboutToShow.connect(lambda: self._tick_colours(group))

    def _tick_colours(self, group: QActionGroup) -> None:
        tree = self._document.tree
        for action in group.actions():
            mode = action.data()
            refusal = why_not(self._document, mode.name)
            action.setEnabled(not refusal)
            action.setToolTip(verbatim.tip(refusal or mode.tip))
            action.setStatusTip(refusal or mode.tip)
            action.setChecked(tree is not None and mode.name == colour_in_use(self._document, tree))

    def add_lines(self, menu: QMenu) -> None:
        """View ▸ Cards show."""
        self.lines = menu.addMenu("Cards &show")
        self.lines.setObjectName("lines_menu")
        self.lines.setToolTipsVisible(True)
        actions = []
        for line in LINES.values():
            action = self.lines.addAction(line.text, lambda name=line.name: toggle_line(self._document, name))
            action.setCheckable(True)
            action.setData(line.name)
            action.setToolTip(verbatim.tip(line.tip))
            action.setStatusTip(line.tip)
            actions.append(action)
        self.lines.addSeparator()
        usual = tuple(SETTINGS["canvas_lines"].default)
        self.lines.addAction("As at &first", lambda: self._document.look.set(lines=usual))
        self.lines.aboutToShow.connect(lambda: self._tick_lines(actions))

    def _tick_lines(self, actions: list[QAction]) -> None:
        for action in actions:
            action.setChecked(action.data() in self._document.look.lines)


@dataclass(frozen=True)
class KindWords:
    """A kind of picture in words; `text` is that of the menu, with "&" before its letter."""

    text: str
    tip: str
    icon: str


# The names are those of `gui.picture.kinds.KINDS`.
KIND_WORDS = {
    "cards": KindWords("Car&ds, from top to bottom", "Shows the tree from top to bottom, in cards", "cards"),
    "streams": KindWords("Streams, from left to ri&ght", "Shows the tree from left to right, in streams as wide as "
                         "their rows", "streams"),
}  # fmt: skip


def other_kind(look: Look) -> str:
    """The kind that is not shown."""
    return "streams" if look.kind == "cards" else "cards"


def turn(look: Look) -> None:
    """Shows the other kind."""
    look.set(kind=other_kind(look))


def toggle(look: Look, name: str) -> None:
    """Switches one of its attributes on or off, as "icicle"."""
    look.set(**{name: not getattr(look, name)})


def add_kinds(menu: QMenu, look: Look) -> None:
    """Adds an entry for each kind, of which one is chosen."""
    group = QActionGroup(menu)
    for name, words in KIND_WORDS.items():
        action = menu.addAction(words.text, lambda name=name: look.set(kind=name))
        action.setObjectName(f"action_as_{name}")
        action.setCheckable(True)
        action.setData(name)
        action.setToolTip(verbatim.tip(words.tip))
        action.setStatusTip(words.tip)
        icons.put(action, words.icon)
        group.addAction(action)

    def tick() -> None:
        for action in group.actions():
            action.setChecked(action.data() == look.kind)

    menu.aboutToShow.connect(tick)
