"""The panel Figures: confusion matrices, and what the parts of the rows say of the tree, side by side."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QWidget

from engine.runtime.sentences import tr
from gui import theme
from gui.model import judging
from gui.model.assessing import Fits
from gui.model.document import Document
from gui.panels.judge import figure_words
from gui.panels.judge.figure_words import FOLDS, PARTS, Line
from gui.panels.judge.judged import JudgedPanel
from gui.panels.judge.matrix import BY_PREDICTED, BY_TRUE, COUNTS, Matrix
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, fill, named, refuse
from gui.widgets.buttons import Button
from gui.widgets.fields import refill, short_list
from gui.widgets.labels import quiet
from gui.widgets.tables import Column, TableModel, TableView, stretch
from gui.wording.phrases import COUNTED

LOW, NARROW = 15, 30  # lines; in less room the sentence is one line, and the matrix stands above the figures
ROOM, PART = 10, 9  # lines; of the name of a figure, and of one with its interval
_WAYS = QBoxLayout.Direction
SHARE = 0.5  # of the panel's width, at most, for the matrices


class FiguresPanel(JudgedPanel):
    """Shows what `document.assessing` found while it is seen."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "figures")
        self._shown: tuple[list[Line], list[str], bool] = [], [], False
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.selectionChanged, document.testOpened,
                       document.focusChanged, document.assessing.changed, document.assessing.tried,
                       document.judging.changed,
                       theme.watcher().changed):  # fmt: skip
            signal.connect(self._refresh)
        Reaction(self, self._refresh, QEvent.Type.Show, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        self.part = short_list("figures_part", tr("Rows of the matrix"), letters=6, activated=self._refresh)
        self.cells = short_list("figures_cells", tr("What the cells say"), letters=8, activated=self._refresh)
        tip = tr("Precision, recall, F1 and AUC of every class, not only of the one in focus")
        self.every = named(QCheckBox(tr("All classes")), "figures_every", tip=tip, clicked=self._refresh)
        self.copy = named(Button(tr("Copy")), "figures_copy", tip=tr("Copies matrices and figures as text"),
                          clicked=self._on_copy)  # fmt: skip
        self.cross = named(Button(tr("Cross-validate")), "figures_cross", clicked=self._on_cross)
        self.matrices = {part: Matrix(part) for part in PARTS}
        for matrix in self.matrices.values():
            matrix.wanted.connect(self._on_cell)
        self.model = TableModel[Line](self)
        self.table = TableView("figures_table", tr("Figures of the tree"), self.model)
        self.table.setSortingEnabled(False)
        self.said = quiet(name="figures_sentence")
        self.said.setMinimumWidth(1)
        lists = fill(QHBoxLayout(), (self.branch, 2), (self.part, 1), (self.cells, 2), spacing=8)
        does = fill(QHBoxLayout(), 0, self.every, self.cross, self.copy, spacing=8)
        self.controls = fill(QBoxLayout(_WAYS.LeftToRight), (lists, 1), does, spacing=4)
        self.beside = QWidget()
        fill(QHBoxLayout(self.beside), *self.matrices.values(), spacing=12)
        self.both = fill(QBoxLayout(_WAYS.LeftToRight), self.beside, (self.table, 1), spacing=12)
        self._put(below(self.controls, (self.both, 1), self.said, spacing=6))

    def _on_cell(self, part: str, true: str, predicted: str) -> None:
        self._document.following.follow_cell(part, true, predicted, self._assessing.node)

    def _on_cross(self) -> None:
        known = self._document.judging
        known.ask(known.usual, judging.Way(judging.FOLDS, judging.USUAL_NUMBER[judging.FOLDS]))

    def _refresh(self, *_: object) -> None:
        assessing = self._assessing
        self._ask()
        fits = assessing.with_folds(assessing.tried_fits)
        if (tree := self._judged(fits)) is None:
            return
        classes = tree.task == "classes"
        for widget in (self.cells, self.every, self.beside):
            widget.setVisible(classes)
        self.every.setVisible(classes and len(tree.classes) > 1)
        self.cross.setVisible(assessing.folds is None and not assessing.branch)
        table = self._document.table
        is_counted = table is not None and table.counter is not None
        tip = tr("Makes the tree again without each tenth of the training rows, and judges it by that tenth: for "
                 "tables with few validation rows, or none")  # fmt: skip
        refuse(self.cross, tr(COUNTED) if is_counted else "", tip)
        self.cross.setEnabled(not is_counted and not self._document.judging.running)
        self.cross.setText(tr("Folds") if self._narrow else tr("Cross-validate"))
        self.controls.setDirection(_WAYS.TopToBottom if self._narrow else _WAYS.LeftToRight)
        self.part.setVisible(classes)
        if classes:
            self._show_matrices(fits)
        self._show_figures(fits)
        self._share_room(
            figure_words.sentence(fits, tree, assessing.node, assessing.branch, assessing.sure, assessing.folds)
        )

    def _show_matrices(self, fits: Fits) -> None:
        """As many as there is room for: all parts, or the one that is chosen."""
        table, what = self._document.table, self.cells.currentData() or COUNTS
        is_sampled = table is not None and table.is_sampled
        refill(self.cells, {COUNTS: tr("Weight") if is_sampled else tr("Rows"), BY_TRUE: tr("Share of the true class"),
                            BY_PREDICTED: tr("Share of the predicted class")}, what)  # fmt: skip
        for part, fit in fits.items():
            self.matrices[part].show_fit(fit, what, is_sampled, has_rows=table is not None and table.counter is None)
        wide = {part: self.matrices[part].sizeHint().width() for part in fits}
        narrow = self._below
        room = self.width() - 24 if narrow else round(SHARE * self.width())
        fitting = sum(wide.values()) + 12 * len(wide) <= room
        chosen = self.part.currentData()
        chosen = chosen if chosen in fits else ("validation" if "validation" in fits else next(iter(fits)))
        refill(self.part, {part: tr(PARTS[part]) for part in fits}, chosen)
        self.part.setVisible(not fitting and len(fits) > 1)
        shown = [part for part in fits if fitting or part == chosen]
        for part, matrix in self.matrices.items():
            matrix.setVisible(part in shown)
            matrix.setMinimumWidth(min(wide.get(part, 0), room))
        self.beside.setMaximumWidth(16_000 if narrow else sum(wide[part] for part in shown) + 12 * (len(shown) - 1))

    @property
    def _below(self) -> bool:
        """Whether the figures stand below the matrix."""
        return self._narrow and self.height() > self.width()

    @property
    def _narrow(self) -> bool:
        return self.width() < NARROW * self.fontMetrics().height()

    def _show_figures(self, fits: Fits) -> None:
        document, assessing = self._document, self._assessing
        folds = assessing.folds
        tree = document.tree
        assert tree is not None
        found = figure_words.lines(fits, tree, document.focus_class, self.every.isChecked(), folds, assessing.sure)
        shown, titles = [*fits], {part: tr(PARTS[part]) for part in PARTS}
        tips = {FOLDS: figure_words.about_folds(folds) if folds is not None else ""}
        tips["train"] = tr("From the rows that made the tree")

        def column(part: str) -> Column[Line]:
            return Column(titles[part], lambda line: line.text(part, whole), tip=tips.get(part, ""),
                          explained=lambda line: f"{line.name}: {line.text(part)}")  # fmt: skip

        def explained(line: Line) -> str:
            return "\n".join(filter(None, (line.name, line.tip)))

        room = self.width() - (self.beside.maximumWidth() if self.beside.isVisibleTo(self) and not self._below else 0)
        whole = room > (ROOM + PART * len(shown)) * self.fontMetrics().height()
        first = Column[Line](tr("Measure"), lambda line: line.name, True, explained=explained)
        if (found, shown, whole) != self._shown:
            self._shown = found, shown, whole
            at = self.table.verticalScrollBar().value()
            self.model.fill(found, [first, *map(column, shown)])
            stretch(self.table.horizontalHeader(), 0)
            self.table.verticalScrollBar().setValue(at)

    def _share_room(self, said: str) -> None:
        """In little room the sentence is one line, and the matrix stands above the figures."""
        self.both.setDirection(_WAYS.TopToBottom if self._below else _WAYS.LeftToRight)
        low = self.height() < LOW * self.fontMetrics().height()
        self.said.setWordWrap(not low)
        room = max(self.width() - 16, 1)
        self.said.setText(self.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room) if low else said)
        self.said.setToolTip(verbatim.tip(said) if low else "")

    def _on_copy(self) -> None:
        parts = [self.model.text(range(self.model.rowCount()))]
        for part in self._assessing.with_folds(self._assessing.tried_fits):
            if (matrix := self.matrices[part]).fit is not None and self.beside.isVisible():
                lines = matrix.model.text(range(matrix.model.rowCount())).splitlines()
                names = [tr(PARTS[part]), *matrix.classes]
                parts.append("\n".join(f"{name}\t{line}" for name, line in zip(names, lines, strict=True)) + "\n")
        QGuiApplication.clipboard().setText("\n".join(parts))
