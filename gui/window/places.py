"""The places of the window: the data, the tree, this node, and below them what is opened when it is wanted.

    ┌ Data ─┬──── the tree ─────┬ This node ┐
    │       ├── what is open ───┤           │
    ├ Prune · Plane · Words · History ──────┤

Any place takes the whole middle and comes back. A person's sizes are kept in pixels: a smaller window gives the places
less, a larger one gives it back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui import icons
from gui.panels.data.columns import ColumnsPanel
from gui.panels.data.search_settings import SearchSettings
from gui.panels.history.comparison import ComparisonPanel
from gui.panels.history.steps import HistoryPanel
from gui.panels.plane.panel import PlanePanel
from gui.panels.prune.panel import PruningPanel
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.why.panel import WhyPanel
from gui.panels.words.node import NodePanel
from gui.panels.words.outline import OutlinePanel
from gui.panels.words.rows import RowsPanel
from gui.panels.words.rules import RulesPanel
from gui.widgets import verbatim
from gui.window.node_head import NodeHead

if TYPE_CHECKING:
    from gui.model.document import Document
    from gui.settings import Settings

# A new panel is one line here: its name, the place where it stands, its word among several there, and its class.
PANELS: dict[str, tuple[str, str, Callable[[Document], QWidget]]] = {
    "columns": ("data", "Data", ColumnsPanel),
    "search": ("data", "Search options", SearchSettings),
    "candidates": ("node", "", CandidatesPanel),
    "split_editor": ("split", "Split", SplitEditor),
    "why": ("split", "Why", WhyPanel),
    "pruning": ("prune", "Prune", PruningPanel),
    "plane": ("plane", "Plane", PlanePanel),
    "rules": ("words", "Rules", RulesPanel),
    "outline": ("words", "Outline", OutlinePanel),
    "node": ("words", "Node", NodePanel),
    "rows": ("words", "Rows", RowsPanel),
    "history": ("history", "Steps", HistoryPanel),
    "comparison": ("history", "Compare", ComparisonPanel),
}
TITLES = {"data": "Data", "node": "This node", "split": "Split and why", "prune": "Prune", "plane": "Plane",
          "words": "Words", "history": "History"}  # fmt: skip
DRAWERS = ("prune", "plane", "words", "history")  # those below the tree, closed until asked for
LEAST_TREE = 0.40  # of the window's width and height
SHARES = {"data": (0.19, 200, 300), "node": (0.30, 330, 460), "drawer": (0.40, 200, 420), "split": (0.54, 200, 560)}
SIDES = ("data", "node")
LEAST = 120  # pixels of a place


@dataclass
class Arranged:
    """How a person has arranged the places; the settings keep it as JSON.

    Attributes:
        sizes: pixels that a person gave to a place; those of the others follow from the window.
        hidden: the sides that are hidden. open: the drawer that is open, or "".
    """

    sizes: dict[str, int]
    hidden: list[str]
    open: str = ""

    @classmethod
    def read(cls, text: str) -> Arranged:
        """What `write` gave; what cannot be used is left out."""
        try:
            plain = json.loads(text)
            sizes = {name: max(int(plain["sizes"][name]), LEAST) for name in SHARES if name in plain["sizes"]}
            hidden = [name for name in SIDES if name in plain["hidden"]]
            return cls(sizes, hidden, plain["open"] if plain["open"] in DRAWERS else "")
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return cls({}, [])

    def write(self) -> str:
        return json.dumps({"sizes": self.sizes, "hidden": self.hidden, "open": self.open})

    def size(self, name: str, room: int, text: float) -> int:
        """The pixels of a place where there are `room` of them for all, and words are `text` times the usual size."""
        share, least, most = SHARES[name]
        usual = round(text * min(max(round(share * room / text), least), most))
        return min(self.sizes.get(name, usual), round(room * (1 - LEAST_TREE)))


class Place(QWidget):
    """Panels that stand in one place, one of them in sight, below their words.

    Signals:
        enlarging: The button that gives the place the whole middle, or takes it back, was pressed.
    """

    enlarging = Signal()

    def __init__(self, name: str, words: list[str], title: QWidget | None = None) -> None:
        """`title` stands in the stead of the words of a place that has one panel."""
        super().__init__(objectName=f"place_{name}")
        self.name = name
        self.stack = QStackedWidget()
        self.tabs = QTabBar(objectName=f"tabs_{name}", documentMode=True, drawBase=False, expanding=False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for word in words:
            self.tabs.addTab(word)
        self.tabs.currentChanged.connect(self.stack.setCurrentIndex)
        self.enlarge = QToolButton(objectName=f"enlarge_{name}", autoRaise=True)
        self.enlarge.clicked.connect(self.enlarging)
        head = QHBoxLayout()
        head.setContentsMargins(4, 2, 4, 0)
        head.addWidget(title or self.tabs, 1)
        head.addWidget(self.enlarge, 0, Qt.AlignmentFlag.AlignTop)
        self.enlarge.setVisible(name not in DRAWERS)  # theirs stands in the strip
        self.tabs.setVisible(len(words) > 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.stack, 1)
        self.show_large(False)

    def show_large(self, large: bool) -> None:
        """Says on the button what it would do."""
        icons.put(self.enlarge, "shrink" if large else "enlarge")
        said = "Back to its place (Esc)" if large else "Give it the whole middle"
        self.enlarge.setToolTip(verbatim.tip(said))
        self.enlarge.setAccessibleName(said)


class Places(QWidget):
    """The middle of the window: the tree, and the places around it.

    Attributes:
        panels: every panel by name.
        places: every place by name.
        large: the place that has the whole middle, or "".

    Signals:
        changed: Something was opened, closed, hidden, shown or enlarged.
    """

    changed = Signal()

    def __init__(self, document: Document, settings: Settings, pages: QStackedWidget, below: QWidget) -> None:
        super().__init__(objectName="places")
        self._settings, self._pages = settings, pages
        self.arranged = Arranged.read(settings.value("places"))
        self.large = ""
        self._on = self._presented = False
        self.panels = {name: make(document) for name, (_, _, make) in PANELS.items()}
        self._make_places(document)
        self.sides, self.middle, self.right = QSplitter(), QSplitter(), QSplitter()
        for splitter in (self.sides, self.middle, self.right):
            splitter.setChildrenCollapsible(False)
        for splitter in (self.middle, self.right):
            splitter.setOrientation(Qt.Orientation.Vertical)
        self._lay_out(below)
        self.sides.splitterMoved.connect(self._on_sides_moved)
        self.middle.splitterMoved.connect(lambda: self._keep("drawer", self.drawer.height()))
        self.right.splitterMoved.connect(lambda: self._keep("split", self.homes["split"].height()))
        self._toggles = {name: self._toggle(name) for name in (*SIDES, *DRAWERS)}
        settings.changed.connect(self._on_setting_changed)
        self.show_places(False)

    def _make_places(self, document: Document) -> None:
        names = [*TITLES]
        words = {place: [word for at, word, _ in PANELS.values() if at == place] for place in names}
        titles = {"node": NodeHead(document)}
        self.places = {place: Place(place, words[place], titles.get(place)) for place in names}
        for name, (place, _, _) in PANELS.items():
            self.places[place].stack.addWidget(self.panels[name])
            self.panels[name].setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # or its letters would edit the tree
        for place in self.places.values():
            place.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            place.enlarging.connect(lambda name=place.name: self.enlarge("" if self.large == name else name))

    def _lay_out(self, below: QWidget) -> None:
        self.homes = {name: _home(place) for name, place in self.places.items()}
        centre = QWidget()
        column = _column(centre)
        column.addWidget(self._pages, 1)
        column.addWidget(below)
        self.drawer = QStackedWidget(objectName="drawer")
        self.drawer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # never widens the window
        for name in DRAWERS:
            self.drawer.addWidget(self.homes[name])
        self.middle.addWidget(centre)
        self.middle.addWidget(self.drawer)
        self.right.addWidget(self.homes["node"])
        self.right.addWidget(self.homes["split"])
        for each in (self.homes["data"], self.middle, self.right):
            self.sides.addWidget(each)
        self.strip = QWidget(objectName="strip")
        row = QHBoxLayout(self.strip)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        self.buttons = {name: self._strip_button(name) for name in DRAWERS}
        for button in self.buttons.values():
            row.addWidget(button)
        row.addStretch(1)
        self.enlarge_open = QToolButton(objectName="enlarge_open", autoRaise=True)
        self.enlarge_open.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.enlarge_open.clicked.connect(lambda: self.enlarge("" if self.large in DRAWERS else self.arranged.open))
        row.addWidget(self.enlarge_open)
        whole = _column(self)
        whole.addWidget(self.sides, 1)
        whole.addWidget(self.strip)

    def _strip_button(self, name: str) -> QToolButton:
        button = QToolButton(text=TITLES[name], objectName=f"open_{name}", checkable=True, autoRaise=True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(lambda on: self.open(name if on else ""))
        return button

    def _toggle(self, name: str) -> QAction:
        action = QAction(TITLES[name], self, objectName=f"show_{name}", checkable=True)
        action.setStatusTip(f"Shows or hides “{TITLES[name]}”")
        show = self.show_side if name in SIDES else lambda name, on: self.open(name if on else "")
        action.triggered.connect(lambda on: show(name, on))
        return action

    # -- what is in sight

    def show_places(self, on: bool) -> None:
        """With a table all places are there; without one the start page stands alone."""
        self._on = on
        if not on:
            self.enlarge("")
        self._apply()

    def show_panel(self, name: str) -> None:
        """Brings a panel into sight, wherever it stands."""
        at = PANELS[name][0]
        place = self.places[at]
        place.tabs.setCurrentIndex(place.stack.indexOf(self.panels[name]))
        if self.large and self.large != at:
            self.enlarge("")
        if at in DRAWERS:
            self.open(at)
        else:
            self.show_side("node" if at == "split" else at)

    def open(self, drawer: str) -> None:
        """Opens a place below the tree, or closes the one that is open."""
        if self.large and self.large != drawer:
            self.enlarge("")
        self.arranged.open = drawer
        self._apply()

    def show_side(self, name: str, on: bool = True) -> None:
        """Shows or hides a side."""
        self.arranged.hidden = [side for side in SIDES if side != name and side in self.arranged.hidden]
        if not on:
            self.arranged.hidden.append(name)
        self._apply()

    def enlarge(self, name: str) -> None:
        """Gives a place the whole middle, in the tree's stead; "" brings the tree back."""
        if name == self.large:
            return
        before, self.large = self.large, name
        if before:
            self._pages.removeWidget(self.places[before])
            self.homes[before].layout().addWidget(self.places[before])
            self.places[before].show()
            self.places[before].show_large(False)
        if name:
            self._pages.addWidget(self.places[name])
            self._pages.setCurrentWidget(self.places[name])
            self.places[name].show_large(True)
        else:
            self._pages.setCurrentIndex(1)
        self._apply()

    def present(self, on: bool) -> None:
        """Shows nothing but the middle, or everything again."""
        self._presented = on
        self._apply()

    def arrange(self) -> None:
        """Puts everything back to where it was at first."""
        self.enlarge("")
        self.arranged = Arranged({}, [])
        for place in self.places.values():
            place.tabs.setCurrentIndex(0)
        self._apply()

    def toggles(self) -> list[QAction]:
        """An action for each place, which shows or hides it."""
        return [self._toggles[name] for name in (*SIDES, *DRAWERS)]

    def store(self) -> None:
        """Has the settings remember how everything is arranged."""
        self._settings.set("places", self.arranged.write())

    def _apply(self) -> None:
        """Shows what is to be in sight, in its size."""
        on, large, opened = self._on and not self._presented, self.large, self.arranged.open
        self.strip.setVisible(on)
        hidden = self.arranged.hidden
        self.homes["data"].setVisible(on and "data" not in hidden and large != "data")
        self.right.setVisible(on and "node" not in hidden)
        for name in ("node", "split"):
            self.homes[name].setVisible(large != name)
        if opened:
            self.drawer.setCurrentWidget(self.homes[opened])
        self.drawer.setVisible(on and bool(opened) and large not in DRAWERS)
        for name, button in self.buttons.items():
            button.setChecked(name == opened)
            button.setArrowType(Qt.ArrowType.DownArrow if name == opened else Qt.ArrowType.UpArrow)
        for name, action in self._toggles.items():
            action.setEnabled(self._on)
            action.setChecked(name == opened if name in DRAWERS else name not in hidden)
        self.enlarge_open.setVisible(bool(opened))
        icons.put(self.enlarge_open, "shrink" if large in DRAWERS else "enlarge")
        self.enlarge_open.setText("Back to the tree" if large in DRAWERS else "Whole middle")
        self._share()
        self.changed.emit()

    # -- sizes

    @property
    def _text(self) -> float:
        """How large words are: places that nobody has sized grow with them."""
        return float(self._settings.value("text_size")) / 100

    def _on_setting_changed(self, name: str) -> None:
        if name == "text_size":
            self._share()

    def _share(self) -> None:
        """Gives every place its part of the window; what is left is the tree's."""
        wide, high = self.width(), self.height() - self.strip.height()
        shown = {name: self.arranged.size(name, wide, self._text) for name in SIDES}
        over = sum(shown.values()) - (1 - LEAST_TREE) * wide
        if over > 0:  # both give room, each in proportion
            shown = {name: round(size * (1 - over / sum(shown.values()))) for name, size in shown.items()}
        left = shown["data"] if self.homes["data"].isVisibleTo(self) else 0
        right = shown["node"] if self.right.isVisibleTo(self) else 0
        lines = self.sides.handleWidth() * (bool(left) + bool(right))  # Qt shares out what stands between them, too
        self.sides.setSizes([left, max(wide - left - right - lines, 1), right])
        below = self.arranged.size("drawer", high, self._text)
        self.middle.setSizes([max(high - below - self.middle.handleWidth(), 1), below])
        split = self.arranged.size("split", high, self._text)
        self.right.setSizes([max(high - split - self.right.handleWidth(), 1), split])

    def _on_sides_moved(self) -> None:
        for name, index in (("data", 0), ("node", 2)):
            size = self.sides.sizes()[index]
            if size and size != self.arranged.size(name, self.width(), self._text):
                self._keep(name, size)

    def _keep(self, name: str, size: int) -> None:
        self.arranged.sizes[name] = size

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc that nobody else needs brings the tree back; a presentation needs it first."""
        if event.key() == Qt.Key.Key_Escape and self.large and not self._presented:
            self.enlarge("")
        else:
            super().keyPressEvent(event)


def first_size(window: QWidget) -> None:
    """Most of the screen, but not all of a large one."""
    room = QGuiApplication.primaryScreen().availableGeometry()
    size = QSize(min(1600, round(room.width() * 0.96)), min(1000, round(room.height() * 0.92)))
    window.resize(size)
    window.move(room.center() - window.rect().center() - QPoint(0, 16))  # the frame adds a title


def _home(place: Place) -> QWidget:
    """Where a place stands while it has not the whole middle."""
    home = QWidget()
    _column(home).addWidget(place)
    return home


def _column(parent: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout
