"""The confusion matrix of one part of the rows: a line for each true class, a column for each prediction."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.panels.judge.figure_words import FOLDS, PARTS
from gui.widgets import plotting
from gui.widgets.building import Reaction, fill
from gui.widgets.labels import quiet
from gui.widgets.tables import Column, TableModel, TableView
from gui.wording import words

COUNTS, BY_TRUE, BY_PREDICTED = "counts", "true", "predicted"
SHADE = 0.75  # of the colour of a cell that holds all rows of its line
LETTERS = 18  # of a class's name
IN_TWO = 0.62  # of the width of a title in one line: it may stand in two


class Matrix(QWidget):
    """Its cells are shaded by their share of the line; a click, or Enter, on one tells which it was."""

    wanted = Signal(str, str, str)  # args: the part, the true and the predicted class

    def __init__(self, part: str) -> None:
        super().__init__()
        self.part, self.classes = part, tuple[str, ...]()
        self.fit: engine.Fit | None = None
        self.head = quiet()
        self.model = TableModel[int](self)
        spoken = tr("Confusion matrix: {part}", part=tr(PARTS[part]))
        self.table = TableView(f"confusion_{part}", spoken, self.model)
        self.table.setSortingEnabled(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().show()
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setSectionsClickable(False)
            header.setHighlightSections(True)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        fill(QVBoxLayout(self), self.head, (self.table, 1), spacing=2)
        Reaction(self.table, self.updateGeometry, QEvent.Type.FontChange)

    def show_fit(self, fit: engine.Fit, what: str, is_sampled: bool, has_rows: bool) -> None:
        """Shows counts, or shares of the true or of the predicted class.

        Args:
            is_sampled: whether rows have sampling weights, so that counts are weights.
            has_rows: whether those of a cell can be followed through the tree; those of folds stand in others.
        """
        self.fit, self.classes, self._is_sampled = fit, fit.classes, is_sampled
        self._has_rows = has_rows and self.part != FOLDS
        self._shares = {
            side: np.divide(fit.confusion, total, out=np.full(fit.confusion.shape, np.nan), where=total > 0)
            for side, total in ((BY_TRUE, fit.confusion.sum(axis=1, keepdims=True)),
                                (BY_PREDICTED, fit.confusion.sum(axis=0, keepdims=True)))
        }  # fmt: skip
        self._what = what
        columns = [
            Column[int](plotting.short(name, LETTERS), partial(self._text, k=k), tip=tr("Predicted {name}", name=name),
                        explained=partial(self._tip, k=k), ink=partial(self._ink, k=k),
                        more={Qt.ItemDataRole.BackgroundRole: partial(self._fill, k=k)})
            for k, name in enumerate(self.classes)
        ]  # fmt: skip
        self.model.number = lambda i: plotting.short(self.classes[i], LETTERS)
        self.model.fill(range(len(self.classes)), columns)
        self.head.setText(tr("{part}: true class, predicted class →", part=tr(PARTS[self.part])))
        self.updateGeometry()

    def _text(self, i: int, k: int) -> str:
        if self._what == COUNTS or self.fit is None:
            return words.count(float(self.fit.confusion[i, k])) if self.fit is not None else ""
        return words.rate(float(self._shares[self._what][i, k]))

    def _tip(self, i: int, k: int) -> str:
        if self.fit is None:
            return ""
        n, true, predicted = words.count(float(self.fit.confusion[i, k])), self.classes[i], self.classes[k]
        of_true, of_predicted = (words.percent(float(self._shares[side][i, k])) for side in (BY_TRUE, BY_PREDICTED))
        said = {"n": n, "true": true, "predicted": predicted, "of_true": of_true, "of_predicted": of_predicted}
        text = (
            tr("Weight {n} of {true} is predicted {predicted}:\n{of_true} of the weight of {true}, {of_predicted} of "
               "that predicted {predicted}.", **said) if self._is_sampled else
            tr("{n} rows of {true} are predicted {predicted}:\n{of_true} of the rows of {true}, {of_predicted} of "
               "those predicted {predicted}.", **said)
        )  # fmt: skip
        return "\n".join((text, tr("A click follows them through the tree."))) if self._has_rows else text

    def _fill(self, i: int, k: int) -> QColor:
        share, colours = float(self._shares[BY_TRUE][i, k]), theme.current()
        pole = colours.validation if i == k else colours.warning
        return theme.mix(colours.card, pole, SHADE * share if share > 0 else 0.0)

    def _ink(self, i: int, k: int) -> QColor:
        return theme.ink(self._fill(i, k)) if self._shares[BY_TRUE][i, k] > 0 else theme.current().secondary

    def _on_chosen(self, index: QModelIndex) -> None:
        if self.fit is not None and self._has_rows and self.fit.confusion[index.row(), index.column()] > 0:
            self.wanted.emit(self.part, self.classes[index.row()], self.classes[index.column()])

    def sizeHint(self) -> QSize:
        """The room in which nothing has to scroll."""
        across, down = self.table.horizontalHeader(), self.table.verticalHeader()
        said = round(IN_TWO * self.head.fontMetrics().horizontalAdvance(self.head.text()))
        width = max(across.length() + down.sizeHint().width(), said) + 4
        height = down.length() + across.sizeHint().height() + self.head.heightForWidth(width) + 8
        return QSize(width, height)
