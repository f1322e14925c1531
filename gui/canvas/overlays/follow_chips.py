"""Small plates in the corner of the canvas: which rows are followed, how many they are, and a button that ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui import icons, theme
from gui.canvas.overlays.kind_button import INSET, SIZE
from gui.model.view_state.several import said_of
from gui.widgets import verbatim
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.document import Document
    from gui.model.view_state.follow_tasks import Flow
    from gui.picture.emphasis import Way

LEFT = INSET + SIZE + INSET  # beside the button that turns the tree
ROOT = 60  # pixels left of the middle, where the root of a fitted tree stands
LEAST, RADIUS, STRIPE = 200, 6, 5


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
        if look.way is not None and tree is not None and look.way.nodes[-1] in tree:
            self.row.say(*way_words(look.way, tree))
        else:
            self.row.say("", "")
        if look.flow is not None and tree is not None:
            self.rows.say(*flow_words(look.flow, self._document.focus_class), flow_tip(look.flow))
        else:
            self.rows.say("", "")
        self.rows.stripe = "accent" if look.way is None else "flow_beside"
        self.rows.update()
        self.setVisible(look.way is not None or look.flow is not None)
        self._place()

    def _place(self) -> None:
        """Beside the root of a fitted tree, as far as there is room."""
        width = self.parentWidget().width()
        room = min(width - LEFT - INSET, max(LEAST, width // 2 - ROOT - LEFT))
        for chip in (self.row, self.rows):
            chip.fit(room)
        self.layout().activate()
        self.adjustSize()
        self.move(LEFT, INSET)


class Chip(QWidget):
    """Which rows, how many, a stripe in the colour in which they are followed, and a button that ends it."""

    def __init__(self, name: str, tip: str, end: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._head = self._figures = ""
        self.stripe = "accent"  # the colour of the theme in which they are followed
        self.head, self.figures = (verbatim.label(objectName=f"{name}_{part}") for part in ("head", "figures"))
        bold = self.head.font()
        bold.setBold(True)
        self.head.setFont(bold)
        self.close_button = QToolButton(objectName=f"{name}_end", autoRaise=True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay those of the tree
        self.close_button.setToolTip(verbatim.tip(tip))
        self.close_button.setAccessibleName(tip)
        icons.put(self.close_button, "close")
        self.close_button.clicked.connect(end)
        both = QVBoxLayout()
        both.setSpacing(0)
        both.addWidget(self.head)
        both.addWidget(self.figures)
        line = QHBoxLayout(self)
        line.setContentsMargins(STRIPE + 7, 3, 2, 3)
        line.setSpacing(4)
        line.addLayout(both)
        line.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        theme.watcher().changed.connect(self.update)

    @property
    def text(self) -> str:
        """What it says, before it is shortened."""
        return f"{self._head}: {self._figures}"

    def say(self, head: str, figures: str, tip: str = "") -> None:
        """Shows which rows, and their figures; hidden while there are none."""
        self._head, self._figures = head, figures
        self.setAccessibleName(self.text)
        self.setToolTip(verbatim.tip(tip or self.text))
        self.setVisible(bool(head))

    def fit(self, room: int) -> None:
        """Leaves out what has no room: of the rows the middle, of the figures whole ones."""
        room -= STRIPE + 20 + self.close_button.sizeHint().width()
        width = self.figures.fontMetrics().horizontalAdvance
        figures = next((form for form in forms(self._figures) if width(form) <= room), "")
        head = self.head.fontMetrics().elidedText(self._head, Qt.TextElideMode.ElideMiddle, room)
        for label, shown in ((self.head, head), (self.figures, figures)):
            label.setText(shown)
            label.setFixedWidth(label.fontMetrics().horizontalAdvance(shown) + 2)
        self.layout().activate()

    def paintEvent(self, event: QPaintEvent) -> None:
        now, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(now.border, 1))
        painter.setBrush(now.card)
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(now, self.stripe))
        painter.drawRoundedRect(QRectF(4.5, 4.5, STRIPE - 1, box.height() - 8), 2, 2)


def forms(figures: str) -> list[str]:
    """Figures, and the same with less and less of them: half of a figure would be another figure."""
    return [figures, *(figures.partition(end)[0] for end in (" (", " its ", " · "))]


def way_words(way: Way, tree: Tree) -> tuple[str, str]:
    """Which row is followed and what it is; how far down it goes, and what is said of it there."""
    n, i = len(way.nodes) - 1, tree.position(way.nodes[-1])
    target = f" ({way.target})" if way.target else ""
    said = tree.classes[int(tree.labels[i])] if tree.task == "classes" else words.value(float(tree.predictions[i]))
    after = "no split" if n == 0 else "1 split" if n == 1 else f"{words.count(n)} splits"
    return f"Row {words.count(way.row + 1)}{target}", f"after {after} its leaf says {said}"


def flow_words(flow: Flow, focus: int) -> tuple[str, str]:
    """Which rows are followed; how many they are, and what those are that train and those that validate."""
    n, (n_train, n_validation, _) = flow.chosen.rows.size, flow.n_rows
    if flow.chosen.by_error:
        said, seen = (words.rate(k / all_rows) if all_rows else "" for k, all_rows in _parts(flow))
        train, validation = "the training rows", "those for validation"
    else:
        said = said_of(flow.tree, flow.train, focus)
        seen = said_of(flow.tree, flow.validation, focus, named=not said)
        train, validation = f"{words.count(n_train)} for training", f"{words.count(n_validation)} for validation"
    mixed = flow.chosen.by_error or n_train < n
    figures = f" · {said}{f' of {train}' if mixed else ''}" if said else ""
    figures += (f" ({seen} of {validation})" if said else f" · {seen} of {validation}") if seen else ""
    return flow.chosen.words, f"{words.count(n)} {'row' if n == 1 else 'rows'}{figures}"


def _parts(flow: Flow) -> list[tuple[int, int]]:
    """Of training and of validation rows, how many are followed and how many there are."""
    tree, (n_train, n_validation, _) = flow.tree, flow.n_rows
    return [(n_train, int(tree.rows_train[0])), (n_validation, int(tree.rows_validation[0]))]


def flow_tip(flow: Flow) -> str:
    """The same with the parts that the rows belong to."""
    n = flow.chosen.rows.size
    n_train, n_validation, rest = flow.n_rows
    parts = [(n_train, "training"), (n_validation, "validation"), (rest, "not in the tree")]
    listed = ", ".join(f"{words.count(k)} {name}" for k, name in parts if k)
    share = words.percent(n / flow.n_table)
    return f"{flow.chosen.words}\n{words.count(n)} of {words.count(flow.n_table)} rows, {share}\n{listed}".strip()
