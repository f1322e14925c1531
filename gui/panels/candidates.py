"""The candidates panel: the best split of every column at the selected leaf, ranked; one of them is accepted."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

import engine
from gui import guessing, icons, theme
from gui.document import Document
from gui.panels import candidate_model as model
from gui.panels.candidate_view import CandidateView, ColumnNames, GainBars

SCROLLED = 40  # pixels beside the list: margins and the scroll bar
NAME_PADDING = 14  # beside a column's name
ROOMY = 392  # from this width of the list on, numbers stand at their ease


class CandidatesPanel(QWidget):
    """Ranks the candidates of the document's selected node; chooses, previews and accepts one."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("candidates_panel")
        self._document = document
        self._shown: list[engine.Candidate] | None = None
        self._filling = False
        self._model = model.CandidateModel(self)
        self._order = model.CandidateOrder(self)
        self._order.setSourceModel(self._model)
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        self.headline = QLabel(wordWrap=True, objectName="candidates_headline")
        self.headline.setTextFormat(Qt.TextFormat.PlainText)
        self.search = QLineEdit(objectName="candidates_search", clearButtonEnabled=True)
        self.search.setPlaceholderText("Find a column…")
        self.search.setAccessibleName("Find a column among the candidates")
        lens = QAction(self)
        icons.put(lens, "search")
        self.search.addAction(lens, QLineEdit.ActionPosition.LeadingPosition)
        self.view = CandidateView()
        self.view.setObjectName("candidates_table")
        self.view.setAccessibleName("Candidate splits, best first")
        self.view.setModel(self._order)
        self.split_here = QAction("Split here", self.view, objectName="candidates_split_here")
        icons.put(self.split_here, "split")
        self.view.addAction(self.split_here)
        for section in (model.GAIN, model.AHEAD):
            self.view.setItemDelegateForColumn(section, GainBars(self.view))
        self.names = ColumnNames(self.view)
        self.view.setItemDelegateForColumn(model.COLUMN, self.names)
        self.view.setColumnHidden(model.AHEAD, True)
        self._lay_out_header(self.view.horizontalHeader())
        self.empty = QLabel(wordWrap=True, objectName="candidates_empty")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.view)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 0)
        layout.setSpacing(8)
        layout.addWidget(self.headline)
        layout.addWidget(self.search)
        layout.addWidget(self.pages, 1)

    def _lay_out_header(self, header: QHeaderView) -> None:
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(40)
        header.resizeSection(model.BRANCHES, 64)
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Column, split and gains are always in view, LogWorth where significance is asked for; the names get what
        they need, if there is."""
        room = self.width() - SCROLLED
        bar, validation = (124, 76) if room >= ROOMY else (104, 68)
        two, tested = self._model.ranking == model.AHEAD, self._model.bound is not None
        gain, ahead = (validation - 4, bar) if two else (bar, 0)
        logworth = 64 if tested else 0
        words = min(max(room - gain - ahead - validation - logworth, 100 if two and tested else 136), 280)
        header = self.view.horizontalHeader()
        metrics = QFontMetrics(self.view.font())
        longest = max((metrics.horizontalAdvance(name) for name in self.names.names), default=0) + NAME_PADDING
        column = min(max(longest, round(0.35 * words)), round(0.62 * words))
        for section, width in (
            (model.COLUMN, column),
            (model.SPLIT, words - column),
            (model.GAIN, gain),
            (model.AHEAD, max(ahead, validation)),
            (model.VALIDATION, validation),
            (model.LOGWORTH, logworth or 72),
        ):
            header.resizeSection(section, width)

    def _connect(self) -> None:
        document = self._document
        document.candidatesChanged.connect(self._refresh)
        document.candidateChanged.connect(self._on_candidate_changed)
        document.selectionChanged.connect(self._refresh)
        document.treeChanged.connect(self._refresh)
        document.tableChanged.connect(self._refresh)
        document.searchChanged.connect(self._refresh)
        document.guessingChanged.connect(self._refresh)
        theme.watcher().changed.connect(self._on_theme_changed)
        self.search.textChanged.connect(self._on_search_changed)
        self.search.returnPressed.connect(self.view.setFocus)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._on_sort_changed)
        self.view.entered.connect(self._on_entered)
        self.view.left.connect(self._withdraw)
        self.view.withdrawn.connect(self._withdraw)
        self.view.accepted.connect(self._on_accepted)
        self.view.clicked.connect(self._on_clicked)
        self.split_here.triggered.connect(lambda: self._on_accepted(self.view.currentIndex()))

    def _refresh(self) -> None:
        """Shows what the document knows: candidates, that they are searched for, or why there are none."""
        document = self._document
        self.headline.setText(headline(document))
        reason = why_empty(document)
        found = document.candidates
        if reason:
            self._fill([])
            self.empty.setText(reason)
        elif found is None:
            self._withdraw()
            self._model.set_stale(True)
            self.empty.setText("Searching for the best split of every column…")
        elif found is not self._shown or self._model.stale or self._model.bound != bound(document):
            self._fill(found)
        self.search.setVisible(not reason)
        self.pages.setCurrentWidget(self.view if self._model.candidates and not reason else self.empty)

    def _fill(self, found: list[engine.Candidate]) -> None:
        """Replaces the rows and selects the best one, quietly: a preview is for a person's hand."""
        kinds = {column.name: column.kind for column in self._document.table.columns} if found else {}
        self._withdraw()
        self._shown, self._filling = found, True
        self.names.names = tuple(candidate.column for candidate in found)
        self._model.show(found, kinds, bound(self._document))
        self.view.setColumnHidden(model.AHEAD, self._model.ranking != model.AHEAD)
        self._share_width()
        self._span_reasons()
        if found and found[0].split is not None and self._document.split_here is None:
            self.view.setCurrentIndex(self._order.mapFromSource(self._model.index(0, 0)))
        self._filling = False

    def _candidate(self, index: QModelIndex) -> engine.Candidate | None:
        """The candidate that may be acted on at `index`: none while others are searched for."""
        candidate = index.data(model.CANDIDATE) if index.isValid() and not self._model.stale else None
        return candidate if candidate is not None and candidate.split is not None else None

    def _on_candidate_changed(self, candidate: engine.Candidate | None) -> None:
        """Follows the document when something else chose the candidate."""
        places = [row for row, shown in enumerate(self._model.candidates) if shown is candidate]
        if places and self.view.currentIndex().data(model.CANDIDATE) is not candidate:
            self._filling = True
            self.view.setCurrentIndex(self._order.mapFromSource(self._model.index(places[0], 0)))
            self._filling = False

    def _on_clicked(self, index: QModelIndex) -> None:
        """Previews the row once more that was current already, for instance after Esc."""
        if self._candidate(index) is not None:
            self._on_current_changed(index)

    def _on_current_changed(self, current: QModelIndex) -> None:
        candidate = self._candidate(current)
        self.split_here.setEnabled(candidate is not None)
        if candidate is not None and not self._filling:  # what is looked at first, the document knows
            self._document.select_candidate(candidate)
        if not self._filling:
            self._document.set_preview(candidate)

    def _span_reasons(self) -> None:
        """Gives the reason why a column cannot be used the room of the figures that it does not have."""
        self.view.clearSpans()
        for row in range(self._order.rowCount()):
            if self._order.index(row, 0).data(model.CANDIDATE).split is None:
                self.view.setSpan(row, model.SPLIT, 1, len(model.HEADERS) - model.SPLIT)

    def _on_search_changed(self, text: str) -> None:
        self._order.setFilterFixedString(text)
        self._span_reasons()

    def _on_sort_changed(self, section: int, order: Qt.SortOrder) -> None:
        # Without a column the proxy goes back to the model's order, and a descending one would reverse it.
        self._order.sort(section, order if section >= 0 else Qt.SortOrder.AscendingOrder)
        self._span_reasons()

    def _on_entered(self, index: QModelIndex) -> None:
        self._document.set_preview(self._candidate(index))

    def _withdraw(self) -> None:
        """Takes the preview off the canvas: it would stand over the tree for nothing."""
        self._document.set_preview(None)

    def _on_accepted(self, index: QModelIndex) -> None:
        candidate = self._candidate(index)
        if candidate is not None:
            self._withdraw()
            self._document.accept(candidate)

    def _on_theme_changed(self) -> None:
        self.view.viewport().update()


def headline(document: Document) -> str:
    """What the panel ranks, in one sentence: "Best split of every column at the root · Gini"."""
    if document.table is None or document.tree is None:
        return "Candidates"
    position = document.tree.position(document.selected)
    where = "at the root" if position == 0 else f"where {document.tree.sentence(position)}"
    split = document.tree.split_at(position)
    if split is not None:
        return f"Split {where} by {document.tree.title(position)}; another candidate replaces it"
    # The ratio ranks, but the bars and figures beside it are information gains: say so.
    note = " (bars: information gain)" if document.criterion == "gain_ratio" else ""
    said = f"Best split of every column {where} · {engine.CRITERIA[document.criterion].label}{note}"
    return said + significant(document)


def bound(document: Document) -> float | None:
    """The LogWorth that growing asks of the candidates that are shown; None where it asks for none."""
    significance = document.search.get("significance")
    if significance is None or not document.candidates:
        return None
    n = sum(candidate.split is not None for candidate in document.candidates)
    return max(0.0, math.log10(n / significance)) if n and significance > 0 else math.inf


def significant(document: Document) -> str:
    """The bound in words: " · significant: LogWorth of at least 2.38 (0.05 over 12 columns)"."""
    least = bound(document)
    if least is None:
        return ""
    if least == math.inf:
        return " · no split is significant at 0"
    n = sum(candidate.split is not None for candidate in document.candidates or ())
    columns = "1 column" if n == 1 else f"{n} columns"
    level = document.search["significance"]
    return f" · significant: LogWorth of at least {least:.2f} ({level:g} over {columns})"


def why_empty(document: Document) -> str:
    """Why there can be no candidates at the selected node, and what to do; empty when there can."""
    tree = document.tree
    if document.table is None or tree is None:
        return "Open a table: the best split of every column will stand here."
    position = tree.position(document.selected)
    if tree.rows_train[position] == 0:
        return "No training row reaches this node: there is nothing to split by. Select another one."
    if document.guessing:
        return guessing.FIRST
    if document.candidates_error:
        return document.candidates_error
    stats = tree.train[position]
    if tree.task == "classes" and (stats > 0).sum() == 1:
        label = tree.classes[int(stats.argmax())]
        return f"This leaf is pure: nothing to gain. All of its training rows are “{label}”."
    if tree.task == "number" and stats[2] <= 1e-30 * stats[1] ** 2 / stats[0]:
        return "This leaf is pure: nothing to gain. All of its training rows have the same target value."
    if document.candidates is not None and not document.candidates:
        return "No column can be used here: give a column the role “feature” in the columns panel."
    return ""
