"""The places of the window: the data, the tree, this node, and below them what is opened when it is wanted.

    ┌ Data ─┬──── the tree ─────┬ This node ┐
    │       ├── what is open ───┤           │
    ├ Prune · Judge · Plane · Words · … ────┤

Any place takes the whole middle and comes back. A person's sizes are kept in pixels: a smaller window gives the places
less, a larger one gives it back."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from engine.runtime.sentences import marked, tr
from gui import icons
from gui.model.document import Document
from gui.panels.data.columns import ColumnsPanel
from gui.panels.data.search_settings import SearchSettings
from gui.panels.history.comparison import ComparisonPanel
from gui.panels.history.steps import HistoryPanel
from gui.panels.judge.curves import CurvesPanel
from gui.panels.judge.figures import FiguresPanel
from gui.panels.judge.importance import ImportancePanel
from gui.panels.judge.leaves import LeavesPanel
from gui.panels.judge.profile import ProfilePanel
from gui.panels.judge.resampling import ResamplingPanel
from gui.panels.judge.what_if import WhatIfPanel
from gui.panels.plane.panel import PlanePanel
from gui.panels.prune.panel import PruningPanel
from gui.panels.replay.panel import ReplayPanel
from gui.panels.this_node.candidates.panel import CandidatesPanel
from gui.panels.this_node.split.editor import SplitEditor
from gui.panels.this_node.why.panel import WhyPanel
from gui.panels.words.node import NodePanel
from gui.panels.words.outline import OutlinePanel
from gui.panels.words.printout import PrintoutPanel
from gui.panels.words.rows import RowsPanel
from gui.panels.words.rules import RulesPanel
from gui.panels.words.theory import TheoryPanel
from gui.settings import Settings
from gui.widgets import verbatim
from gui.widgets.building import Reaction, empty_page, fill, named, split, stacked, tool_button, yielding
from gui.widgets.fields import short_list
from gui.window.bars import NodeHead
from gui.wording import phrases

# The places by name: the title, and the panels that stand there, each with its word among several and its class. A new
# place below the tree is one line here, a new panel a part of one.
PLACES: dict[str, tuple[str, dict[str, tuple[str, Callable[[Document], QWidget]]]]] = {
    "data": (marked("Data"), {"columns": (marked("Data"), ColumnsPanel),
                              "search": (marked("Search options"), SearchSettings)}),
    "node": (marked("This node"), {"candidates": ("", CandidatesPanel)}),
    "split": (marked("Split and why"), {"split_editor": (marked("Split"), SplitEditor),
                                        "why": (marked("Why"), WhyPanel)}),
    "prune": (marked("Prune"), {"pruning": ("", PruningPanel)}),
    "judge": (marked("Judge"), {"figures": (marked("Figures"), FiguresPanel),
                                "curves": (marked("Curves"), CurvesPanel),
                                "leaves": (marked("Leaves"), LeavesPanel),
                                "importance": (marked("Importance"), ImportancePanel),
                                "profile": (marked("Profile"), ProfilePanel),
                                "judge": (marked("Resampling"), ResamplingPanel),
                                "what_if": (marked("What if"), WhatIfPanel)}),
    "plane": (marked("Plane"), {"plane": ("", PlanePanel)}),
    "words": (marked("Words"), {"rules": (marked("Rules"), RulesPanel), "outline": (marked("Outline"), OutlinePanel),
                                "node": (marked("Node"), NodePanel), "rows": (marked("Rows"), RowsPanel),
                                "theory": (marked("Theory"), TheoryPanel),
                                "printout": (marked("Printout"), PrintoutPanel)}),
    "replay": (marked("Replay"), {"replay": ("", ReplayPanel)}),
    "history": (marked("History"), {"history": (marked("Steps"), HistoryPanel),
                                    "comparison": (marked("Compare"), ComparisonPanel)}),
}  # fmt: skip
OF_ROWS = ("profile", "judge", "what_if", "plane")  # the panels that look at single rows
SIDES = ("data", "node")
LEAST_TREE = 0.40  # of the window's width and height
SHARES = {"data": (0.19, 200, 300), "node": (0.30, 330, 460), "drawer": (0.40, 200, 420), "split": (0.54, 200, 560)}
LEAST = 120  # pixels of a place
ALONG, ALONG_SHARE = "replay", 0.46  # the drawer that stays below a tree that is presented, and its part of the height


def drawers() -> list[str]:
    return [name for name in PLACES if name not in (*SIDES, "split")]


@dataclass
class Arranged:
    """How a person has arranged the places; the settings keep it as JSON."""

    sizes: dict[str, int]  # pixels that a person gave to a place; those of the others follow from the window
    hidden: list[str]  # of the sides
    open: str = ""  # the drawer that is open

    @classmethod
    def read(cls, text: str) -> Self:
        """What `write` gave; what cannot be used is left out."""
        try:
            plain = json.loads(text)
            sizes = {name: max(int(plain["sizes"][name]), LEAST) for name in SHARES if name in plain["sizes"]}
            hidden = [name for name in SIDES if name in plain["hidden"]]
            return cls(sizes, hidden, plain["open"] if plain["open"] in drawers() else "")
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
    """Panels that stand in one place, one of them in sight, below their words: tabs, or a list where there is no room;
    `title` stands in the stead of the words of a place that has one panel."""

    enlarging = Signal()  # the button that gives the place the whole middle, or takes it back, was pressed

    def __init__(self, name: str, words: list[str], title: QWidget | None = None) -> None:
        super().__init__()
        self.setObjectName(f"place_{name}")
        self.stack = QStackedWidget()
        self.tabs = named(QTabBar(documentMode=True, drawBase=False, expanding=False), f"tabs_{name}")
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for word in words:
            self.tabs.addTab(word)
        self.list = short_list(f"list_{name}", tr("What is shown here"), activated=self.tabs.setCurrentIndex)
        self.list.addItems(words)
        self.list.setMinimumWidth(1)  # or a place could not become as narrow as with tabs
        for show in (self.stack.setCurrentIndex, self.list.setCurrentIndex):
            self.tabs.currentChanged.connect(show)
        self.enlarge = tool_button(f"enlarge_{name}", clicked=self.enlarging)
        head = fill(QHBoxLayout(), (title or self.tabs, 1), (self.list, 1), self.enlarge, margins=(4, 2, 4, 0))
        head.setAlignment(self.enlarge, Qt.AlignmentFlag.AlignTop)
        self.enlarge.setVisible(name not in drawers())  # theirs stands in the strip
        fill(QVBoxLayout(self), head, (self.stack, 1), spacing=0)
        self.show_large(False)
        Reaction(self, self._fit, QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.Show)
        self._fit()

    @property
    def words(self) -> QWidget:
        """What shows the words of its panels: the tabs, or the list."""
        return self.list if self.list.isVisible() else self.tabs

    def _fit(self) -> None:
        several, beside = self.tabs.count() > 1, 0 if self.enlarge.isHidden() else self.enlarge.sizeHint().width() + 4
        fits = self.tabs.sizeHint().width() <= self.width() - beside - 8
        self.tabs.setVisible(several and fits)
        self.list.setVisible(several and not fits)

    def show_large(self, large: bool) -> None:
        icons.put(self.enlarge, "shrink" if large else "enlarge")
        said = tr("Back to its place (Esc)") if large else tr("Give it the whole middle")
        self.enlarge.setToolTip(verbatim.tip(said))
        self.enlarge.setAccessibleName(said)


def covered(panel: QWidget, document: Document) -> QWidget:
    """The panel, or why it has nothing to show where rows are only counted."""
    pages = stacked(panel, empty_page(tr(phrases.COUNTED), f"{panel.objectName()}_counted"))
    document.tableChanged.connect(
        lambda: pages.setCurrentIndex(int(document.table is not None and document.table.counter is not None))
    )
    return pages


class Places(QWidget):
    """The middle of the window: the tree, and the places around it."""

    def __init__(self, document: Document, settings: Settings, pages: QStackedWidget, below: QWidget) -> None:
        super().__init__()
        self.setObjectName("places")
        self._document, self._settings, self._pages = document, settings, pages
        self.arranged = Arranged.read(settings.value("places"))
        self.large = ""  # the place that has the whole middle
        self._on = self._presented = False
        self.panels: dict[str, Any] = {}  # by name, each of its own class
        self.places = {name: self._place(name, document) for name in PLACES}
        self.homes = {name: QWidget() for name in self.places}  # where each stands unless it has the whole middle
        homes = self.homes.items()
        self._columns = {name: fill(QVBoxLayout(home), self.places[name], spacing=0) for name, home in homes}
        centre = QWidget()
        fill(QVBoxLayout(centre), (self._pages, 1), below, spacing=0)
        self.drawer = named(stacked(*(self.homes[name] for name in drawers())), "drawer")
        for middle in (self.drawer, pages):  # never widens the window, nor takes room from the names of columns
            middle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.middle = split(Qt.Orientation.Vertical, centre, self.drawer)
        self.right = split(Qt.Orientation.Vertical, self.homes["node"], self.homes["split"])
        self.sides = split(Qt.Orientation.Horizontal, self.homes["data"], self.middle, self.right)
        self.strip = yielding(named(QWidget(), "strip"))
        self.buttons = {name: tool_button(f"open_{name}", tr(PLACES[name][0]), checkable=True) for name in drawers()}
        for name, button in self.buttons.items():
            button.clicked.connect(lambda on, name=name: self.open(name if on else ""))
        self.enlarge_open = tool_button("enlarge_open")
        self.enlarge_open.clicked.connect(lambda: self.enlarge("" if self.large in drawers() else self.arranged.open))
        for button in (*self.buttons.values(), self.enlarge_open):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        fill(QHBoxLayout(self.strip), *self.buttons.values(), 0, self.enlarge_open, margins=(8, 0, 8, 0))
        fill(QVBoxLayout(self), (self.sides, 1), self.strip, spacing=0)
        self.sides.splitterMoved.connect(self._on_sides_moved)
        self.middle.splitterMoved.connect(lambda: self.arranged.sizes.update(drawer=self.drawer.height()))
        self.right.splitterMoved.connect(lambda: self.arranged.sizes.update(split=self.homes["split"].height()))
        # By name an action for each place that shows or hides it.
        self.toggles = {name: self._toggle(name) for name in (*SIDES, *drawers())}
        self.show_places(False)
        Reaction(self, self.share, QEvent.Type.Resize)

    def _place(self, name: str, document: Document) -> Place:
        panels = PLACES[name][1]
        words = [tr(word) for word, _ in panels.values() if word]
        place = Place(name, words, NodeHead(document) if name == "node" else None)
        for panel, (_, make) in panels.items():
            self.panels[panel] = made = make(document)
            place.stack.addWidget(covered(made, document) if panel in OF_ROWS else made)
        for widget in (place, *(self.panels[panel] for panel in panels)):
            widget.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # or letters typed beside a field would edit the tree
        place.enlarging.connect(lambda: self.enlarge("" if self.large == name else name))
        return place

    def _toggle(self, name: str) -> QAction:
        title = tr(PLACES[name][0])
        action = QAction(title, self, checkable=True)
        action.setObjectName(f"show_{name}")
        action.setStatusTip(tr("Shows or hides “{place}”", place=title))
        show = self.show_side if name in SIDES else lambda name, on: self.open(name if on else "")
        action.triggered.connect(lambda on: show(name, on))
        return action

    def show_places(self, on: bool) -> None:
        """With a table all places are there; without one the start page stands alone."""
        self._on = on
        if not on:
            self.enlarge("")
        self._apply()

    def show_panel(self, name: str) -> None:
        at = next(at for at, (_, panels) in PLACES.items() if name in panels)
        place = self.places[at]
        place.tabs.setCurrentIndex(list(PLACES[at][1]).index(name))
        if self.large and self.large != at:
            self.enlarge("")
        if at in self.buttons:
            self.open(at)
        else:
            self.show_side("node" if at == "split" else at)

    def open(self, drawer: str) -> None:
        if self.large and self.large != drawer:
            self.enlarge("")
        self.arranged.open = drawer
        self._apply()

    def show_side(self, name: str, on: bool = True) -> None:
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
            place = self.places[before]
            self._pages.removeWidget(place)
            self._columns[before].addWidget(place)
            place.show()
            place.show_large(False)
        if name:
            self._pages.addWidget(self.places[name])
            self.places[name].show_large(True)
        self._pages.setCurrentIndex(self._pages.indexOf(self.places[name]) if name else 1)
        self._apply()

    def present(self, on: bool) -> None:
        self._presented = on
        self._apply()

    def arrange(self) -> None:
        self.enlarge("")
        self.arranged = Arranged({}, [])
        for place in self.places.values():
            place.tabs.setCurrentIndex(0)
        self._apply()

    def _apply(self) -> None:
        on, large, opened = self._on and not self._presented, self.large, self.arranged.open
        self.strip.setVisible(on)
        hidden = self.arranged.hidden
        self.homes["data"].setVisible(on and "data" not in hidden and large != "data")
        self.right.setVisible(on and "node" not in hidden)
        for name in ("node", "split"):
            self.homes[name].setVisible(large != name)
        if opened:
            self.drawer.setCurrentWidget(self.homes[opened])
        self.drawer.setVisible((on or self._runs_along) and bool(opened) and large not in self.buttons)
        for name, button in self.buttons.items():
            button.setChecked(name == opened)
            button.setArrowType(Qt.ArrowType.DownArrow if name == opened else Qt.ArrowType.UpArrow)
        for name, action in self.toggles.items():
            action.setEnabled(self._on)
            action.setChecked(name == opened if name in self.buttons else name not in hidden)
        self.enlarge_open.setVisible(bool(opened))
        icons.put(self.enlarge_open, "shrink" if large in self.buttons else "enlarge")
        self.enlarge_open.setText(tr("Back to the tree") if large in self.buttons else tr("Whole middle"))
        self.share()

    @property
    def _runs_along(self) -> bool:
        """Whether a presentation of the tree shows what a replay compares, too."""
        return self._on and self._presented and self.arranged.open == ALONG and bool(self._document.replaying.what)

    def _size(self, name: str, room: int) -> int:
        """The pixels of a place; those that nobody has sized grow with the words."""
        return self.arranged.size(name, room, self._settings.value("text_size") / 100)

    def share(self) -> None:
        """Gives every place its part of the window; what is left is the tree's."""
        wide, high = self.width(), self.height() - self.strip.height()
        shown = {name: self._size(name, wide) for name in SIDES}
        over = sum(shown.values()) - (1 - LEAST_TREE) * wide
        if over > 0:  # both give room, each in proportion
            shown = {name: round(size * (1 - over / sum(shown.values()))) for name, size in shown.items()}
        left = shown["data"] if self.homes["data"].isVisibleTo(self) else 0
        right = shown["node"] if self.right.isVisibleTo(self) else 0
        lines = self.sides.handleWidth() * (bool(left) + bool(right))  # Qt shares out what stands between them, too
        self.sides.setSizes([left, max(wide - left - right - lines, 1), right])
        for splitter, name in ((self.middle, "drawer"), (self.right, "split")):
            below = round(ALONG_SHARE * high) if self._runs_along else self._size(name, high)
            splitter.setSizes([max(high - below - splitter.handleWidth(), 1), below])

    def _on_sides_moved(self) -> None:
        for name, index in (("data", 0), ("node", 2)):
            size = self.sides.sizes()[index]
            if size and size != self._size(name, self.width()):
                self.arranged.sizes[name] = size

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc that nobody else needs brings the tree back; a presentation needs it first."""
        if event.key() == Qt.Key.Key_Escape and self.large and not self._presented:
            self.enlarge("")
        else:
            super().keyPressEvent(event)
