"""Priors and costs: a line of text, and a table to fill in by class."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QDoubleValidator, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.search.choices import Option
from gui import theme
from gui.dialogs.labels import answers, quiet
from gui.panels.data.option_words import Setting
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.option_controls import ENTER
from gui.wording import phrases

PRIOR_HELP = (
    "A class left empty weighs as much as its share of the training rows. Where all are filled in, any unit will do: 1 "
    "and 3 mean the same as 0.25 and 0.75."
)
COST_HELP = "Rows are the true classes, columns the predicted ones. A mistake left empty costs 1."
MOST_ROWS = 12  # of the table without scrolling
NARROWEST, WIDEST = 380, 720  # pixels of the table's dialog
ROLL = 20  # pixels for the bar that scrolls its rows


class ClassesBox(QWidget):
    """Numbers by class, as text "fraud=0.01, fine=0.99" or in a table.

    Signals:
        chosen: arg: the text, or None where it is empty
    """

    chosen = Signal(object)

    def __init__(self, option: Option, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._option = option
        self._setting = Setting()
        self._text = self._refused = ""
        self.line = named(Line(), f"search_{option.name}_text")
        self.line.setPlaceholderText(option.none)
        self.line.setAccessibleName(option.label)
        self.line.setToolTip(verbatim.tip(f"{option.sentence}\nFor example: {option.example}"))
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.line.editingFinished.connect(self._commit)
        self.table = named(QToolButton(), f"search_{option.name}_table")
        self.table.setText("…")
        self.table.setToolTip(verbatim.tip(f"{option.label} as a table"))
        self.table.setAccessibleName(f"{option.label} as a table")
        self.table.clicked.connect(self._open)
        self.setFocusProxy(self.line)
        fill(QHBoxLayout(self), (self.line, 1), self.table)

    def show_setting(self, setting: Setting) -> None:
        """Shows what holds."""
        self._setting = setting
        self.refuse("")
        self._text = phrases.class_text(setting.value(self._option.name))
        self.line.setText(self._text)
        self.line.setCursorPosition(0)

    def refuse(self, text: str) -> None:
        """Keeps what was typed and cannot be used, and marks it; an empty text takes the mark away."""
        self._refused = text
        self.line.setPalette(QPalette())
        if text:
            self.line.setText(text)
            palette, now = self.line.palette(), theme.current()
            palette.setColor(QPalette.ColorRole.Base, theme.mix(now.card, now.error, 0.18))
            self.line.setPalette(palette)

    def settle(self) -> None:
        """Takes what is typed; what was refused is refused again."""
        if self._refused or self.line.text().strip() != self._text:
            self.chosen.emit(self.line.text().strip() or None)

    def _commit(self) -> None:
        if self.line.text().strip() != self._refused or not self._refused:
            self.settle()

    def _open(self) -> None:
        dialog = ClassesDialog(self._option, self._setting.classes, self._setting.value(self._option.name), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.chosen.emit(dialog.entries() or None))
        dialog.open()


class Line(QLineEdit):
    """A line in which Enter ends what is typed, not the dialog around it."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in ENTER:
            event.accept()


class ClassesDialog(QDialog):
    """A weight for every class, or a cost for every mistake; what is left empty is as usual."""

    def __init__(
        self, option: Option, classes: tuple[str, ...], entries: tuple[tuple[Any, ...], ...], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"{option.name}_dialog")
        self.setWindowTitle(option.label)
        self._classes = classes
        self._square = option.kind == "costs"
        given = {entry[:-1]: entry[-1] for entry in entries}
        self.grid = self._make_grid(given)
        buttons, _ = answers(self, "&Use them", f"{option.name}_use")
        self._rows = layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(12)
        layout.addWidget(quiet(option.sentence))
        layout.addWidget(self.grid, 1)
        layout.addWidget(quiet(COST_HELP if self._square else PRIOR_HELP))
        layout.addWidget(buttons)
        self.setMinimumWidth(NARROWEST)
        self.resize(min(WIDEST, self._width_of_all()), self.sizeHint().height())

    def _width_of_all(self) -> int:
        """How wide the dialog is with all columns in sight."""
        self.grid.resizeColumnsToContents()
        sides = self._rows.contentsMargins()
        columns = self.grid.verticalHeader().sizeHint().width() + self.grid.horizontalHeader().length()
        return columns + 2 * self.grid.frameWidth() + sides.left() + sides.right() + ROLL

    def _make_grid(self, given: dict[tuple[Any, ...], float]) -> QTableWidget:
        """Rows are the classes; columns the weight, or what a row of that class is said to be."""
        columns = list(self._classes) if self._square else ["Weight"]
        spoken = "Cost by true and predicted class" if self._square else "Weight by class"
        grid = named(QTableWidget(len(self._classes), len(columns)), "classes_grid", spoken)
        grid.setVerticalHeaderLabels(list(self._classes))
        grid.setHorizontalHeaderLabels([f"predicted {name}" for name in columns] if self._square else columns)
        grid.setItemDelegate(Numbers(grid))
        grid.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
        for i, true in enumerate(self._classes):
            for k, said in enumerate(columns):
                key = (true, said) if self._square else (true,)
                item = QTableWidgetItem(f"{given[key]:g}" if key in given else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if self._square and i == k:
                    item.setText("0")
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                grid.setItem(i, k, item)
        header = grid.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(not self._square)
        rows = min(len(self._classes), MOST_ROWS) * grid.verticalHeader().defaultSectionSize()
        grid.setMinimumHeight(rows + header.sizeHint().height() + 4)
        return grid

    def accept(self) -> None:
        self.grid.setCurrentIndex(QModelIndex())  # what is just being typed counts
        super().accept()

    def entries(self) -> tuple[tuple[Any, ...], ...]:
        """What was filled in, as the search takes it."""
        found = []
        for i, true in enumerate(self._classes):
            for k in range(self.grid.columnCount()):
                item = self.grid.item(i, k)
                text = item.text().strip() if item is not None else ""
                if text and not (self._square and i == k):
                    key = (true, self._classes[k]) if self._square else (true,)
                    found.append((*key, float(text)))
        return tuple(found)


class Numbers(QStyledItemDelegate):
    """Lets nothing be typed but numbers of at least 0."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Any) -> QWidget:
        line = QLineEdit(parent)
        check = QDoubleValidator(0.0, 1e12, 9, line)
        check.setNotation(QDoubleValidator.Notation.StandardNotation)
        check.setLocale(check.locale().c())
        line.setValidator(check)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        return line
