"""Where everything stands in the dialog between a file and a table, and how large it is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs.goal_form import GoalForm
from gui.dialogs.labels import Notice, answers, quiet, section, title
from gui.dialogs.preview_model import PreviewModel
from gui.dialogs.preview_table import PreviewTable
from gui.dialogs.reading_form import ReadingForm
from gui.dialogs.shares_form import SharesForm

LEFT_WIDTH = 296
USUAL_SIZE = QSize(1120, 720)
LEAST_SIZE = QSize(640, 400)
SCREEN_MARGIN = QSize(32, 56)  # for the frame of the window, and to show that it is not the whole screen
OPEN = "&Open table"


class ImportLayout(QDialog):
    """A heading above; the forms at the left, the preview at the right with what is wrong above it; buttons below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("import_dialog")
        self.setWindowTitle("Open table")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._lay_out()
        QApplication.instance().focusChanged.connect(self._on_focus_changed)

    def _lay_out(self) -> None:
        self._title = title("", 1.4)
        self._subtitle = quiet(wrap=False)
        for line in (self._title, self._subtitle):  # a long name must not make the window wide
            line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._model = PreviewModel(self)
        self._table = PreviewTable(self._model)
        self._error = Notice()
        self._error.setObjectName("import_error")
        self._notes = Notice()
        self._notes.setObjectName("import_notes")
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._error)
        right.addWidget(self._table, 1)
        right.addWidget(self._notes)
        middle = QHBoxLayout()
        middle.setSpacing(24)
        self._corrigible = self._left()
        middle.addWidget(self._corrigible)
        middle.addLayout(right, 1)
        heading = QVBoxLayout()
        heading.setSpacing(2)
        heading.addWidget(self._title)
        heading.addWidget(self._subtitle)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(heading)
        layout.addLayout(middle, 1)
        layout.addLayout(self._bottom())

    def _left(self) -> QScrollArea:
        self._form = ReadingForm()
        self._goal = GoalForm()
        self._shares = SharesForm()
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(24)
        column.addWidget(section("What to predict", self._goal))
        column.addWidget(section("Parts of the rows", self._shares))
        self._reading_box = section("How it is read", self._form)
        column.addWidget(self._reading_box)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedWidth(LEFT_WIDTH)
        area.setWidget(page)
        return area

    def _bottom(self) -> QHBoxLayout:
        self._reason = quiet(wrap=True)
        self._reason.setObjectName("import_reason")
        buttons, self._open = answers(self, OPEN, "open_table_button")
        self._open.setMinimumWidth(self._open.sizeHint().width())  # the same while it says that it works
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self._reason, 1)
        row.addWidget(buttons)
        return row

    def sizeHint(self) -> QSize:
        return USUAL_SIZE

    def fit_screen(self) -> None:
        """Never larger than the screen; the form on the left and the table scroll when there is little room."""
        room = self.screen().availableGeometry().size() - SCREEN_MARGIN
        self.setMinimumSize(LEAST_SIZE.boundedTo(room))
        self.resize((self.size() if self.testAttribute(Qt.WidgetAttribute.WA_Resized) else USUAL_SIZE).boundedTo(room))

    def showEvent(self, event: QShowEvent) -> None:
        if not event.spontaneous():
            self.fit_screen()
        super().showEvent(event)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """A field that is reached by its key comes into view."""
        if now is not None and self._corrigible.isAncestorOf(now):
            self._corrigible.ensureWidgetVisible(now, 0, 8)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._table.viewport().update()
