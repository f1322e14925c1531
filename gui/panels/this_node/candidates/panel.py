"""The candidates panel: the best split of every column at the selected node, ranked; one of them is accepted."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import tr
from gui import icons, theme
from gui.model.document import Document
from gui.model.search import further, guessing
from gui.panels.this_node import words as say
from gui.panels.this_node.candidates import figures, model
from gui.panels.this_node.candidates.figures import SECTIONS, FigureMenu
from gui.panels.this_node.candidates.view import CandidateView, RankPlot
from gui.settings import Settings
from gui.widgets import verbatim
from gui.widgets.building import Reaction, empty_page, fill, flat_button, named, stacked
from gui.widgets.fields import FindField
from gui.widgets.labels import grown
from gui.wording import hand_phrases, phrases

SCROLLED = 32  # pixels beside the list: margins and the scroll bar
LOOKED_AT = 60  # rows that are asked whether their gain survives, to mark them in the plot and to keep room for words
REMARK_LINES, SPACING = 2, 6  # and pixels from one part to the next
IN_SIGHT = 12  # columns that nobody has to search for
LOW = 7  # lines of height below which the headline is one of them
PLOTTED_FROM = 300  # pixels of height below which the list needs the room of the plot


class CandidatesPanel(QWidget):
    """Ranks the candidates of the document's selected node; chooses, previews and accepts one."""

    whyAsked = Signal()  # the arithmetic of the split that is looked at is wanted

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("candidates_panel")
        self._document = document
        self._settings: Settings | None = None
        self._shown: list[engine.Candidate] | None = None
        self._filling = self._remarks = False
        self._model, self._order = model.CandidateModel(self), model.CandidateOrder(self)
        self._order.setSourceModel(self._model)
        self.figures = FigureMenu(self)
        self._build()
        self._connect()
        Reaction(self, self._share_room, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def remember(self, settings: Settings) -> None:
        """Takes which figures are shown from the settings, and keeps it there from now on."""
        self._settings = settings
        self.figures.choose(settings.value("candidate_figures"), settings.value("candidate_beside"))
        self._on_figures_changed()

    def _build(self) -> None:
        self.headline = verbatim.label(wordWrap=True, objectName="candidates_headline")
        self.search = FindField("candidates_search", tr("Find a column…"), tr("Find a column among the candidates"))
        tip = tr("Which figures are shown, and what stands beside the criterion")
        self.show_figures = flat_button("candidates_figures", tr("Figures"), tip=tip)
        self.show_figures.setMenu(self.figures.menu)
        self.compared = verbatim.label(wordWrap=True, objectName="candidates_compared")
        self.plot = RankPlot()
        self.view = CandidateView(self._model, self._order)
        named(self.view, "candidates_table", tr("Candidate splits, best first"))
        self.verbs = CandidateVerbs(self._document, self.view)
        self.remark = verbatim.label(wordWrap=True, objectName="candidates_remark")
        self.remark.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty = empty_page(name="candidates_empty")
        self.pages = stacked(self.view, self.empty)
        top = fill(QHBoxLayout(), (self.headline, 1))
        top.addWidget(self.show_figures, 0, Qt.AlignmentFlag.AlignTop)
        parts = top, self.search, self.compared, self.plot, (self.pages, 1), self.remark
        fill(QVBoxLayout(self), *parts, spacing=SPACING, margins=(8, 4, 8, 4))
        self._share_width()

    def _share_room(self) -> None:
        self._share_width()
        self._tell_headline()
        self._share_height()
        self._tell_compared()

    def _sections(self) -> list[int]:
        names = set(self.figures.shown) | ({self.figures.beside} if self.figures.beside else set())
        sections = {section for name, section in SECTIONS.items() if name in names}
        if self._model.ranking == figures.AHEAD:
            sections |= {figures.GAIN, figures.AHEAD}
        if self._model.bound is not None:
            sections.add(figures.LOGWORTH)
        return sorted(sections)

    def _share_width(self) -> None:
        kept = (self._model.ranking, self._model.beside)
        shown = [section for section in self._sections() if section in kept or self._model.holds(section)]
        self.view.share_width(shown, self.width() - SCROLLED)

    def _on_figures_changed(self) -> None:
        if self._settings is not None:
            self._settings.set("candidate_figures", list(self.figures.chosen))
            self._settings.set("candidate_beside", self.figures.beside_chosen)
        self._model.compare(SECTIONS[self.figures.beside] if self.figures.beside else None)
        self._tell_compared()
        self._share_width()
        shown = self._sections()
        wanted = {further.AGREEMENT: figures.AGREEMENT, further.AHEAD: figures.AHEAD, further.WINS: figures.WINS}
        self._document.ranking.further.want(*(name for name, section in wanted.items() if section in shown))

    def _tell_compared(self) -> None:
        told, metrics = say.wins(self._model.wins), self.compared.fontMetrics()
        if self.height() < grown(PLOTTED_FROM, metrics) and metrics.horizontalAdvance(told) > self.width() - SCROLLED:
            told = ""  # a second line would take a row of the list
        text = " ".join(filter(None, (self._model.compared(), told)))
        self.compared.setText(text)
        self.compared.setVisible(bool(text) and self.pages.currentWidget() is self.view)

    def _connect(self) -> None:
        document = self._document
        document.ranking.changed.connect(self._refresh)
        for changed in (document.treeChanged, document.tableChanged, document.searchChanged, document.guess.changed):
            changed.connect(self._refresh)
        document.ranking.someFound.connect(self._on_some_found)
        document.ranking.candidateChanged.connect(self._on_candidate_changed)
        document.selectionChanged.connect(self._on_selected)
        document.ranking.further.changed.connect(self._on_more_known)
        theme.watcher().changed.connect(self.view.viewport().update)
        theme.watcher().changed.connect(self.plot.update)
        self.search.textChanged.connect(self._order.setFilterFixedString)
        self.search.returnPressed.connect(self.view.setFocus)
        self.figures.changed.connect(self._on_figures_changed)
        self.plot.pointed.connect(self._on_pointed)
        self.plot.chosen.connect(self._on_plot_chosen)
        header = self.view.header()
        header.customContextMenuRequested.connect(lambda at: self.figures.menu.popup(header.mapToGlobal(at)))
        header.sortIndicatorChanged.connect(self._sort_as_shown)
        self.view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.view.entered.connect(lambda index: document.set_preview(self._candidate(index)))
        self.view.withdrawn.connect(lambda: document.set_preview(None))
        self.view.accepted.connect(self._on_accepted)
        self.view.clicked.connect(self._on_current_changed)  # previewed once more, for instance after Esc
        self.verbs.why.triggered.connect(self.whyAsked)
        self.verbs.split_here.triggered.connect(lambda: self._on_accepted(self.view.currentIndex()))

    def _refresh(self) -> None:
        document = self._document
        self._tell_headline()
        tree, criterion = document.tree, document.criterion_here
        if tree is not None and document.table is not None and criterion:
            table = document.table
            self.figures.offer(tree.task, criterion, table.n_validation > 0, table.counter is None)
        reason, found = why_empty(document), document.candidates
        if reason:
            self._fill([])
            self.empty.setText(reason)
        elif found is None:
            self._wait()
        elif found is not self._shown or self._model.stale or self._model.bound != bound(document):
            self._fill(found)
        self.search.setVisible(not reason and (found is None or len(found) > IN_SIGHT or bool(self.search.text())))
        self.show_figures.setVisible(not reason)
        self._show_page(reason)
        self.verbs.show_for(self._looked_at(self.view.currentIndex()))

    def _on_selected(self) -> None:
        """What was looked for at another node would hide the list of this one."""
        self.search.clear()
        self._refresh()

    def _show_page(self, reason: str = "") -> None:
        self.pages.setCurrentWidget(self.view if self._model.candidates and not reason else self.empty)
        listed = self.pages.currentWidget() is self.view
        remarks = listed and self._model.complete and any(map(self._model.remark, self._model.usable[:LOOKED_AT]))
        self._remarks = remarks or bool(listed and self._document.why_no_split())
        self._share_height()
        self._tell_compared()

    def _tell_headline(self) -> None:
        """In very little height it is one line, so that none is cut off: its tooltip has the words."""
        said, metrics = headline(self._document), self.headline.fontMetrics()
        low = self.height() < LOW * metrics.lineSpacing()
        self.headline.setWordWrap(not low)
        room = max(self.headline.width(), 1)
        self.headline.setText(metrics.elidedText(said, Qt.TextElideMode.ElideRight, room) if low else said)
        self.headline.setToolTip(verbatim.tip(said) if low else "")

    def _share_height(self) -> None:
        """The plot and the words below the list stand there where the list keeps its rows: a tooltip has the words."""
        listed, metrics = self.pages.currentWidget() is self.view, self.fontMetrics()
        self.plot.setVisible(listed and len(self.plot.gains) > 1 and self.height() >= grown(PLOTTED_FROM, metrics))
        lines = REMARK_LINES * self.remark.fontMetrics().lineSpacing()
        self.remark.setMaximumHeight(lines)
        beside = self.headline.height() + self.search.height() * self.search.isVisibleTo(self) + 3 * SPACING
        room = self.height() - beside - self.view.minimumSizeHint().height()
        self.remark.setVisible(self._remarks and room >= lines)

    def _wait(self) -> None:
        self.empty.setText(tr("Searching for the best split of every column…"))
        if self._document.ranking.found_so_far:
            self._on_some_found()
        else:
            self._document.set_preview(None)
            self._model.set_stale(True)

    def _on_some_found(self) -> None:
        """Puts the candidates that were found behind those that are there: no row moves before all are known."""
        found = self._document.ranking.found_so_far
        if why_empty(self._document):
            return
        if self._model.complete:
            self._filling = True
            self._order.sort(-1)
            self._take(found, complete=False)
            self.plot.show_gains([], [], [], [])
            self._filling = False
        else:
            self._model.append(found[len(self._model.candidates) :])
            self.view.names.names = tuple(candidate.column for candidate in found)
        self._show_page()

    def _take(self, found: list[engine.Candidate], complete: bool) -> None:
        table = self._document.table
        kinds, classes = (table.kinds, table.classes) if table is not None else ({}, ())
        self.view.names.names = tuple(candidate.column for candidate in found)
        is_sampled, by = table is not None and table.is_sampled, self._document.criterion_here
        self._model.show(found, kinds, bound(self._document), by, complete, classes, is_sampled)
        self._share_width()

    def _fill(self, found: list[engine.Candidate]) -> None:
        """Replaces the rows and selects the best one, quietly: a preview is for a person's hand."""
        if not any(self._document.preview is candidate for candidate in found):
            self._document.set_preview(None)
        self._shown, self._filling = found, True
        self._take(found, complete=True)
        for what in (further.OPTIMA, further.AGREEMENT, further.AHEAD, further.WINS):
            self._model.learn(what, self._document.ranking.further.of(what) if found else {})
        self._sort_as_shown()
        usable = self._model.usable
        lost = [i < LOOKED_AT and say.is_lost(one, self._model.criterion) for i, one in enumerate(usable)]
        repeated = [say.repeats(candidate, usable) for candidate in usable]
        self.plot.show_gains([candidate.column for candidate in usable], self._model.merits, lost, repeated)
        present = self._document.split_here
        first = (c for c in usable if c is self._document.candidate or (present is not None and c.split == present))
        current = next(first, usable[0] if usable and present is None else None)
        if current is not None:
            self.view.setCurrentIndex(self._index_of(current))
        self._filling = False
        self._tell_remark()

    def _on_more_known(self, what: str, answers: dict[str, Any]) -> None:
        if self._shown is self._document.candidates and self._model.candidates and not self._model.stale:
            self._model.learn(what, answers)
            self._share_width()
            self._show_page(why_empty(self._document))
            self._tell_remark()

    def _index_of(self, candidate: engine.Candidate | None) -> QModelIndex:
        """Where a candidate, or one of the same split, stands in the view; an invalid index where none does."""
        split = candidate.split if candidate is not None else None
        for row in range(self._model.rowCount()):
            above = self._model.index(row, 0)
            for index in (above, *(self._model.index(k, 0, above) for k in range(self._model.rowCount(above)))):
                listed = self._model.candidate(index)
                if listed is candidate or (split is not None and listed.split == split):
                    return self._order.mapFromSource(index)
        return QModelIndex()

    def _on_candidate_changed(self, candidate: engine.Candidate | None) -> None:
        if candidate is not None and self.view.currentIndex().data(model.CANDIDATE) is not candidate:
            self._filling = True
            self.view.setCurrentIndex(self._index_of(candidate))
            self._filling = False

    def _looked_at(self, index: QModelIndex) -> engine.Candidate | None:
        """Perhaps one that may not be used; none while others are searched for."""
        return index.data(model.CANDIDATE) if index.isValid() and not self._model.stale else None

    def _candidate(self, index: QModelIndex) -> engine.Candidate | None:
        candidate = self._looked_at(index)
        return candidate if candidate is not None and candidate.split is not None else None

    def _on_current_changed(self, current: QModelIndex) -> None:
        looked_at = self._looked_at(current)
        self.verbs.show_for(looked_at)
        if looked_at is not None and not self._filling:  # what is looked at first, the document knows
            self._document.ranking.choose(looked_at)  # one that cannot be used, too: the editor shows why
        if not self._filling:
            self._document.set_preview(self._candidate(current))
        above = current.parent() if current.parent().isValid() else current  # whose optimum it is
        candidate = self._candidate(above)
        self.plot.set_current(next((rank for rank, one in enumerate(self._model.usable) if one is candidate), -1))
        self._tell_remark()

    def _tell_remark(self) -> None:
        candidate, text = self._candidate(self.view.currentIndex()), ""
        if self._model.candidates:
            text = self._document.why_no_split() or (self._model.remark(candidate) if candidate is not None else "")
        self.remark.setText(text)
        self.remark.setToolTip(verbatim.tip(text))

    def _sort_as_shown(self) -> None:
        """As the header says; where it says nothing, in the order of the model."""
        header = self.view.header()
        section = header.sortIndicatorSection()
        if self._model.complete and 0 <= section < len(figures.HEADERS):
            self._order.sort(section, header.sortIndicatorOrder())
        elif self._model.complete:  # no indicator
            self._order.sort(-1)

    def _on_pointed(self, rank: int) -> None:
        usable = self._model.usable
        self._document.set_preview(usable[rank] if 0 <= rank < len(usable) and not self._model.stale else None)

    def _on_plot_chosen(self, rank: int) -> None:
        usable = self._model.usable
        if not self._model.stale and rank < len(usable):
            self.search.clear()
            self.view.setCurrentIndex(self._index_of(usable[rank]))

    def _on_accepted(self, index: QModelIndex) -> None:
        if (candidate := self._candidate(index)) is not None and not self._document.why_no_split():
            self._document.set_preview(None)
            self._document.accept(candidate)


def headline(document: Document) -> str:
    """What the panel ranks: "Best splits · Gini"; at an inner node also what another one would replace."""
    if document.table is None or document.tree is None:
        return tr("Candidates")
    position, one = document.tree.position(document.selected), engine.CRITERIA[document.criterion_here]
    said = [tr("Best splits · {criterion}", criterion=tr(one.label))]
    if one.by_ratio:  # the ratio ranks, but the bars and figures beside it are information gains: say so
        said = [tr("Best splits · {criterion} (bars: information gain)", criterion=tr(one.label))]
    if one.by_evidence:
        of = tr(engine.CRITERIA[one.measures].label)
        said = [tr("Best splits · {criterion} (bars: gain by {of})", criterion=tr(one.label), of=of)]
    if document.tree.n_branches[position]:
        said.append(tr("choosing one replaces {split}", split=document.tree.title(position)))
    return " · ".join([*said, *significant(document)])


def bound(document: Document) -> float | None:
    """The LogWorth that growing asks of the candidates that are shown; None where it asks for none."""
    significance = document.search.get("significance")
    if significance is None or not document.candidates:
        return None
    n = sum(candidate.split is not None for candidate in document.candidates)
    return max(0.0, math.log10(n / significance)) if n and significance > 0 else math.inf


def significant(document: Document) -> list[str]:
    """The bound in words: "significant: LogWorth of at least 2.38 (0.05 over 12 columns)"; nothing without one."""
    least = bound(document)
    if least is None:
        return []
    if least == math.inf:
        return [tr("no split is significant at 0")]
    columns = phrases.counted_columns(sum(candidate.split is not None for candidate in document.candidates or ()))
    said = {"least": f"{least:.2f}", "level": f"{document.search['significance']:g}", "columns": columns}
    return [tr("significant: LogWorth of at least {least} ({level} over {columns})", **said)]


def why_empty(document: Document) -> str:
    """Why there can be no candidates at the selected node, and what to do; empty when there can."""
    tree = document.tree
    if document.table is None or tree is None:
        return tr("Open a table: the best split of every column will be shown here.")
    position = tree.position(document.selected)
    if tree.rows_train[position] == 0:
        return tr("No training row reaches this node: there is nothing to split by. Select another one.")
    if document.guessing:
        return tr(guessing.FIRST)
    if document.candidates_error:
        return document.candidates_error
    stats = tree.train[position]
    if tree.task == "classes" and (stats > 0).sum() == 1:
        label = tree.classes[int(stats.argmax())]
        return tr("This leaf is pure: nothing to gain. All of its training rows are “{label}”.", label=label)
    if tree.task == "number" and stats[2] <= 1e-30 * stats[1] ** 2 / stats[0]:
        return tr("This leaf is pure: nothing to gain. All of its training rows have the same target value.")
    if document.candidates is not None and not document.candidates:
        return tr("No column can be used here: give a column the role “feature” in Data.")
    return ""


class CandidateVerbs(QObject):
    """The actions for one candidate; they apply to the one that `show_for` was last called with."""

    def __init__(self, document: Document, view: QWidget) -> None:
        super().__init__(view)
        self._document, self._column = document, ""
        self.split_here, self.why, self.exclude, self.lock = (QAction(self) for _ in range(4))
        for name, picture in (("split_here", "split"), ("why", ""), ("exclude", "ignore"), ("lock", "lock")):
            action: QAction = getattr(self, name)
            action.setObjectName(f"candidates_{name}")
            if picture:
                icons.put(action, picture)
        self.why.setToolTip(verbatim.tip(tr("Shows the arithmetic of this split, with its own counts")))
        self.exclude.setToolTip(verbatim.tip(tr("No search uses the column at and below this node")))
        self.lock.setToolTip(verbatim.tip(tr("No search uses a locked column, at any node")))
        line = QAction(self)
        line.setSeparator(True)
        view.addActions([self.split_here, self.why, line, self.exclude, self.lock])
        self.why.setText(tr("Why this split?"))
        self.exclude.triggered.connect(self._on_exclude)
        self.lock.triggered.connect(self._on_lock)
        self.show_for(None)

    def show_for(self, found: engine.Candidate | None) -> None:
        """Says what can be done with a candidate, which perhaps may not be used; None while there is none."""
        document, tree = self._document, self._document.tree
        usable = found is not None and found.split is not None
        refusal = document.why_no_split()
        self.split_here.setText(tr("Split here") if document.split_here is None else tr("Replace the split"))
        self.split_here.setEnabled(usable and not refusal)
        self.why.setEnabled(usable)
        names = document.table.names if document.table is not None else ()
        self._column = found.column if found is not None and found.column in names else ""
        above = self._left_out_by()
        self.exclude.setText(tr("Exclude column below"))
        if tree is not None and above is not None:
            self.exclude.setText(tr("Include column again below {node}", node=hand_phrases.place(tree, above)))
        self.lock.setText(tr("Unlock column") if self._column in document.hand.locked_columns else tr("Lock column"))
        for action in (self.exclude, self.lock):
            action.setEnabled(bool(self._column))

    def _left_out_by(self) -> int | None:
        tree, node = self._document.tree, self._document.selected
        return tree.excluded_at(node).get(self._column) if tree is not None and node in tree else None

    def _on_exclude(self) -> None:
        tree, above = self._document.tree, self._left_out_by()
        if tree is None:
            return
        node = self._document.selected if above is None else above
        others = tuple(name for name in tree.mark(node).excluded if name != self._column)
        self._document.hand.mark(node, excluded=(*others, self._column) if above is None else others)

    def _on_lock(self) -> None:
        locked = self._document.hand.locked_columns
        others = tuple(name for name in locked if name != self._column)
        self._document.hand.lock_columns(others if self._column in locked else (*locked, self._column))
