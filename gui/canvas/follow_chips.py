"""Small plates in the corner of the canvas: which rows are followed, how many they are, and a button that ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from gui import icons, theme, words
from gui.canvas.kind_button import INSET, SIZE
from gui.several import said_of

if TYPE_CHECKING:
    from gui.document import Document
    from gui.follow_tasks import Flow, Way

LEFT = INSET + SIZE + INSET  # beside the button that turns the tree
LEAST, RADIUS, STRIPE = 160, 6, 5


class FollowChips(QWidget):
    """One for the row that is followed, one for the rows; hidden while there is nothing to say."""

    def __init__(self, document: Document, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._document = document
        self.setObjectName("follow_chips")
        self.row = Chip("follow_row_chip", "Follow this row no longer (Esc)", document.following.end_row, self)
        self.rows = Chip("follow_rows_chip", "Follow these rows no longer (Esc)", document.following.end_rows, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for chip in (self.row, self.rows):
            column.addWidget(chip, 0, Qt.AlignmentFlag.AlignLeft)
        canvas.installEventFilter(self)
        document.look.changed.connect(self._on_look_changed)
        document.focusChanged.connect(self.refresh)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"way", "flow", "part"}:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Says what is followed now."""
        look, tree = self._document.look, self._document.tree
        self.row.say(way_words(look.way) if look.way is not None else "")
        found = look.flow is not None and tree is not None
        self.rows.say(flow_words(look.flow, self._document.focus_class) if found else "")
        self.setVisible(look.way is not None or look.flow is not None)
        self._place()

    def _place(self) -> None:
        room = max(self.parentWidget().width() - LEFT - 2 * INSET, LEAST)
        for chip in (self.row, self.rows):
            chip.fit(room)
        self.layout().activate()
        self.adjustSize()
        self.move(LEFT, INSET)


class Chip(QWidget):
    """One line with a stripe in the colour in which rows are followed, and a button that ends it."""

    def __init__(self, name: str, tip: str, end: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._text = ""
        self.label = QLabel(objectName=f"{name}_text")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.close_button = QToolButton(objectName=f"{name}_end", autoRaise=True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay those of the tree
        self.close_button.setToolTip(tip)
        self.close_button.setAccessibleName(tip)
        icons.put(self.close_button, "close")
        self.close_button.clicked.connect(end)
        line = QHBoxLayout(self)
        line.setContentsMargins(STRIPE + 7, 2, 2, 2)
        line.setSpacing(4)
        line.addWidget(self.label)
        line.addWidget(self.close_button)
        theme.watcher().changed.connect(self.update)

    @property
    def text(self) -> str:
        """What it says, shortened or not."""
        return self._text

    def say(self, text: str) -> None:
        """Shows this; hidden while it is empty."""
        self._text = text
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setVisible(bool(text))

    def fit(self, room: int) -> None:
        """Leaves out of the middle what has no room."""
        room -= STRIPE + 20 + self.close_button.sizeHint().width()
        text = self.label.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, room)
        self.label.setText(text)
        self.label.setFixedWidth(self.label.fontMetrics().horizontalAdvance(text) + 2)
        self.layout().activate()

    def paintEvent(self, event: QPaintEvent) -> None:
        now, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(now.border, 1))
        painter.setBrush(now.card)
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(now.accent)
        painter.drawRoundedRect(box.x() + 4, box.y() + 4, STRIPE - 1, box.height() - 8, 2, 2)


def way_words(way: Way) -> str:
    """Which row is followed, and where it ends."""
    n = len(way.nodes) - 1
    splits = f"{words.count(n)} {'split' if n == 1 else 'splits'}"
    said = f" ({way.target})" if way.target else ""
    return f"Row {words.count(way.row + 1)}{said}: {splits} to its leaf"


def flow_words(flow: Flow, focus: int) -> str:
    """Which rows are followed, how many they are and what they are."""
    n_train, n_validation, rest = flow.n_rows
    n = flow.chosen.rows.size
    share = words.rate(n / flow.n_table) if flow.n_table else words.NOTHING
    parts = [(n_train, "training"), (n_validation, "validation"), (rest, "kept out of the tree")]
    listed = ", ".join(f"{words.count(k)} {name}" for k, name in parts if k)
    said = said_of(flow.tree, flow.train, focus)
    seen = said_of(flow.tree, flow.validation, focus, named=bool(not said))
    figures = f" · {said}" if said else ""
    figures += f" (validation {seen})" if seen else ""
    return f"{flow.chosen.words}: {words.count(n)} rows, {share} of all{f' ({listed})' if n else ''}{figures}"
