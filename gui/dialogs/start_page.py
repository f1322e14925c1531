"""The first screen: open a file, type a table, go back to a recent one, or look at an example."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui import icons
from gui.dialogs.labels import quiet, scaled, title
from gui.dialogs.shipped import Shipped
from gui.dialogs.start_parts import DropArea, ExampleCard, RecentRow
from gui.widgets import verbatim
from gui.wording import words

WIDEST = 960
CARD_WIDTH = 232
MARGIN = 24
GAP = 16
RECENT_SHOWN = 10


class StartPage(QScrollArea):
    """What the window shows while no table is open. It imports neither pandas nor numba.

    Signals:
        openRequested: a file is to be chosen
        pathDropped: a file was dropped. arg: its path
        pasteRequested: a table is to be pasted or typed
        exampleRequested: an example was chosen. arg: its id
        recentRequested: a recent file was chosen. arg: its path
    """

    openRequested = Signal()
    pathDropped = Signal(str)
    pasteRequested = Signal()
    exampleRequested = Signal(str)
    recentRequested = Signal(object)  # Qt would drop what is no UTF-8 in a path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_page")
        self.setAccessibleName("Start page")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._cards: list[ExampleCard] = []
        self._columns = 0
        self._build()
        self.set_recent([])

    def set_recent(self, paths: Iterable[str]) -> None:
        """Lists the recent files, newest first."""
        clear(self._recent)
        rows = [RecentRow(str(path)) for path in paths][:RECENT_SHOWN]
        for i, row in enumerate(rows):
            row.setObjectName(f"recent_{i}")
            row.clicked.connect(lambda _=False, path=row.path: self.recentRequested.emit(path))
            self._recent.addWidget(row)
        if not rows:
            self._recent.addWidget(quiet("Tables and trees that you open will be listed here."))
        self._recent.addStretch(1)

    def set_examples(self, examples: Iterable[Shipped]) -> None:
        """Shows a card for each example."""
        for card in self._cards:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = []
        for example in examples:
            size = f"{words.count(example.rows)} rows × {words.count(example.columns)} columns"
            card = ExampleCard(example.title, size, example.sentence)
            card.setObjectName(f"example_{example.id}")
            card.clicked.connect(lambda _=False, name=example.id: self.exampleRequested.emit(name))
            self._cards.append(card)
        self._example_box.setVisible(bool(self._cards))
        self._columns = 0
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Puts the cards into as many columns as the width allows."""
        width = min(self.viewport().width() - 2 * MARGIN, WIDEST)
        columns = max(1, min(3, (width + GAP) // (CARD_WIDTH + GAP)))
        # A scroll area does not ask its page how high it gets at this width, so the cards say it themselves.
        for card in self._cards:
            card.setMinimumHeight(card.heightForWidth((width + GAP) // columns - GAP))
        if columns == self._columns:
            return
        self._columns = columns
        for column in range(3):
            self._grid.setColumnStretch(column, int(column < columns))
        for i, card in enumerate(self._cards):
            self._grid.addWidget(card, i // columns, i % columns)

    def _build(self) -> None:
        page = QWidget()
        outer = QHBoxLayout(page)
        outer.setContentsMargins(MARGIN, 40, MARGIN, 40)
        body = QWidget()
        body.setMaximumWidth(WIDEST)
        body.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        outer.addStretch(1)
        outer.addWidget(body, 1000)
        outer.addStretch(1)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(32)
        layout.addLayout(self._heading())
        layout.addLayout(self._ways_in(body))
        layout.addWidget(self._examples())
        layout.addStretch(1)
        self.setWidget(page)

    def _heading(self) -> QHBoxLayout:
        mark = verbatim.label()
        mark.setPixmap(icons.app_icon().pixmap(64, 64))
        mark.setAccessibleName("The mark of Espalier")
        name = title("Espalier", 2.4)
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addWidget(name)
        text.addWidget(quiet("Grow a decision tree by hand, and let the data answer at every split.", scale=1.1))
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(mark)
        row.addLayout(text, 1)
        return row

    def _ways_in(self, body: QWidget) -> QHBoxLayout:
        """The drop area with its buttons, and the recent files. The buttons are made first: first to get the focus."""
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        choose = self._button(body, "open_button", "&Open…", "open", self.openRequested)
        paste = self._button(body, "paste_button", "&Paste or type a table…", "paste", self.pasteRequested)
        buttons.addWidget(choose)
        buttons.addWidget(paste)
        buttons.addStretch(1)
        drop = DropArea(body)
        drop.setObjectName("drop_area")
        drop.clicked.connect(lambda: self.openRequested.emit())
        drop.dropped.connect(self.pathDropped)
        left = QVBoxLayout()
        left.setSpacing(16)
        left.addWidget(drop, 1)
        left.addLayout(buttons)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(title("Recent", 1.1))
        right.addLayout(self._recent, 1)
        row = QHBoxLayout()
        row.setSpacing(40)
        row.addLayout(left, 3)
        row.addLayout(right, 2)
        return row

    def _button(self, parent: QWidget, name: str, text: str, picture: str, signal: Any) -> QPushButton:
        button = QPushButton(text, parent)
        button.setObjectName(name)
        button.setFont(scaled(button.font(), 1.0, QFont.Weight.Medium))
        button.setMinimumHeight(32)
        icons.put(button, picture)
        button.clicked.connect(lambda: signal.emit())
        return button

    def _examples(self) -> QWidget:
        self._example_box = QWidget()
        layout = QVBoxLayout(self._example_box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(title("Examples", 1.1))
        self._grid = QGridLayout()
        self._grid.setSpacing(GAP)
        layout.addLayout(self._grid)
        self._example_box.hide()
        return self._example_box


def clear(layout: QVBoxLayout) -> None:
    """Takes everything out of a layout and lets it go."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
