"""The split editor: one plot with the rows of the node, the gain of every cut, and the split that is being made."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QHBoxLayout,
    QScrollArea,
    QStyle,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.runtime.sentences import tr
from engine.table.words import kind_word
from gui import theme
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.jobs import words_for
from gui.model.search import guessing
from gui.model.search.further import WINS
from gui.model.search.ranking import FAULT, has_curve
from gui.panels.this_node.split.cuts import CutsKind
from gui.panels.this_node.split.draft import Draft, LiteralsDraft, start
from gui.panels.this_node.split.kind import SplitKind
from gui.panels.this_node.split.levels import LevelsKind
from gui.panels.this_node.split.literals import LiteralsKind
from gui.panels.this_node.split.plot import SplitPlot
from gui.panels.this_node.split.readings import SplitBranches, SplitFigures, SplitLegend, SplitTitle
from gui.panels.this_node.words import capital, cuts_of, why_not_by_hand
from gui.widgets import building, verbatim
from gui.widgets.building import Reaction, claims, fill, flat_button, later, named, tool_button
from gui.widgets.buttons import Button
from gui.widgets.fields import ENTER
from gui.widgets.labels import grown, say
from gui.wording import words

GAP = 8  # pixels around all of it
LOWEST = 160  # pixels; where there is less room for all of it, it scrolls, and nothing is squeezed
WAIT = 40  # milliseconds from one picture of the branches on the canvas to the next
BESIDE_BRANCHES = 225  # pixels that the plot and all else want before more than two branches are listed
ONE_LINE = 26  # pixels of the controls below the branches that are reckoned with there


class SplitEditor(QWidget):
    """Shows the split that the selected node has, or the candidate that the document looks at for a leaf, and lets a
    person make another one of it: histogram or levels, gain curve, cuts, figures, branches."""

    whyAsked = Signal()  # the arithmetic of the split is wanted

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("split_editor")
        self._document = document
        self._drawn: tuple[object, ...] = ()  # all that the picture was made from
        self.draft: Draft | None = None  # the split as it stands
        self._other: tree_tasks.ReadAs | None = None  # the column read as another kind, and what it is read for
        self._other_of: engine.Candidate | None = None
        self._started: engine.Candidate | None = None  # a split to begin with, where the search has none
        self._started_of: tuple[engine.Curve, engine.Candidate] | None = None
        self._samples: tuple[np.ndarray[Any, Any], str] = (np.empty(0), "")  # their cuts, and what is said of them
        self._build()
        self._ghosts: engine.Candidate | None = None  # what this editor has put onto the canvas last
        self._ghosts_soon = later(self, self._show_ghosts, WAIT)
        document.destroyed.connect(self._ghosts_soon.stop)  # it may go first
        for changed in (
            document.tableChanged, document.treeChanged, document.selectionChanged, document.focusChanged,
            document.ranking.candidateChanged, document.ranking.curveChanged, document.guess.changed,
            theme.watcher().changed,
        ):  # fmt: skip
            changed.connect(self._refresh)
        document.sweptChanged.connect(self._on_swept)
        document.ranking.further.changed.connect(self._on_more_known)
        Reaction(self, self._share_room, QEvent.Type.Resize)
        self._refresh()

    def _build(self) -> None:
        self.title = SplitTitle()
        tip = tr("Why this split? Its arithmetic, with its own counts (W)")
        self.why = tool_button("split_editor_why", "?", tr("Why this split?"), tip, clicked=self.whyAsked)
        tip = tr("Restores the best split of this column")
        self.best = flat_button("split_editor_best", tip=tip, clicked=self._on_best)
        self.split = named(Button(tr("Split")), "split_editor_split", clicked=self._make)
        self._verbs = fill(QHBoxLayout(), 0, self.why, self.best, self.split)
        self._heading = fill(QHBoxLayout(), (self.title, 1), self._verbs)
        self.figures, self.legend = SplitFigures(), SplitLegend()
        self.plot, self.branches = SplitPlot(), SplitBranches()
        self.readout = verbatim.label(objectName="split_editor_readout", wordWrap=True)
        self.plot.hovered.connect(self._on_hovered)
        self.cuts_kind, self.levels_kind = CutsKind(self.plot), LevelsKind(self.plot, self._document)
        self.literals_kind = LiteralsKind(self.plot, self._document)
        self.kinds: tuple[SplitKind[Any], ...] = (self.cuts_kind, self.levels_kind, self.literals_kind)
        self.kind: SplitKind[Any] = self.cuts_kind  # who edits this kind of split
        self.empty = building.empty_page(name="split_editor_empty")
        page = Sheet()
        inner = fill(QVBoxLayout(page), self._heading, self.figures, self.legend, self.readout, (self.plot, 1))
        inner.setContentsMargins(0, 0, GAP, 0)  # to the scroll bar, or to the edge of the panel
        inner.addWidget(self.literals_kind.body, 1)
        self.literals_kind.body.hide()
        inner.addWidget(self.branches)
        for kind in self.kinds:
            kind.drafted.connect(self._on_drafted)
            kind.refused.connect(self._on_refused)
            kind.said.connect(self._say)
            kind.read_as.connect(self._on_read_as)
            if kind.controls is not None:
                inner.addWidget(kind.controls)
                kind.controls.hide()
        self.pages = building.put_pages(self, Page(page), self.empty, margins=(GAP, GAP, 0, GAP))

    def _refresh(self) -> None:
        """Begins with what the document looks at, or says in words why there is nothing to draw."""
        document, tree = self._document, self._document.tree
        curve, found = self._looked_at()
        reason, refusal = why_empty(document), document.why_no_split()
        before = self._drawn
        about = (tree.task, tree.target, tree.classes, tree.origin) if tree is not None else ()  # edits keep these
        self._drawn = (reason, curve, found, refusal, document.focus_class, theme.current(), document.guessing, *about)
        if len(before) == len(self._drawn) and all(map(_same, before, self._drawn)):
            return  # several signals tell of the same edit, and drawing takes some milliseconds
        self.empty.setText(reason)
        self.pages.setCurrentIndex(1 if reason else 0)
        alone = found is not None and has_curve(found.split)
        if reason or (curve is None and alone) or found is None or tree is None:
            self.kind.leave()
            self._begin(None)
            self.plot.wipe()
            return
        if self.draft is None or self.draft.curve is not curve or self.draft.found is not found:
            kind: SplitKind[Any] = self.literals_kind
            if curve is not None:
                kind = self.levels_kind if curve.levels else self.cuts_kind
            if kind is not self.kind:
                self.kind.leave()
                self.kind = kind
            self._begin(self.kind.begin(found, curve, tree.task == "classes"))
            self._tell_draft()
        self._draw()

    def _looked_at(self) -> tuple[engine.Curve | None, engine.Candidate | None]:
        """What the document looks at, or the same column read as another kind; where the search has no split of it, one
        that a person may make."""
        document = self._document
        if self._other is not None and document.candidate is self._other_of and document.curve is not None:
            return self._other.curve, self._other.found
        self._other = None
        curve, found = document.curve, document.candidate
        if curve is None or found is None or found.split is not None or why_not_by_hand(document, found.column):
            return curve, found
        if self._started_of is None or self._started_of[0] is not curve or self._started_of[1] is not found:
            self._started, self._started_of = start(curve), (curve, found)
        return curve, self._started or found

    @property
    def _only_by_hand(self) -> bool:
        return self.draft is not None and self.draft.found is self._started

    def _begin(self, draft: Draft | None) -> None:
        self._withdraw_ghosts()
        self.draft, self._refusal = draft, ""
        self._document.set_draft(None)

    def _draw(self) -> None:
        document, tree = self._document, self._document.tree
        curve, found = self._looked_at()
        assert tree is not None and found is not None
        refusal, made, inner = document.why_no_split(), self.draft is not None, document.split_here is not None
        self.plot.wipe()
        self._show_samples()
        self.plot.paint_later()
        self.plot.input, self.plot.hides_gains = None, document.guessing
        self.plot.is_sampled = document.table is not None and document.table.is_sampled
        for kind in self.kinds:
            if kind.controls is not None:
                kind.controls.setVisible(kind is self.kind and made and not refusal)
            if kind.body is not None:
                kind.body.setVisible(kind is self.kind and made)
        self.plot.setVisible(not made or self.kind.body is None)
        self._share_height()
        self.branches.setVisible(made)
        self.split.setVisible(made)
        for widget in (self.figures, self.best, self.why):
            widget.setVisible(made and not document.guessing)
        self.split.setText(tr("Replace") if inner else verbatim.without_mark(tr("&Split")))
        usual = tr("Splits the selected leaf exactly so (Enter)")
        if inner:
            usual = tr("Puts this split in the place of the selected node’s (Enter)")
        building.refuse(self.split, refusal or (tr(guessing.HIDDEN) if document.guessing else ""), usual)
        self.best.setText(tr(self.kind.best))
        if self.draft is None:
            assert curve is not None
            self.title.show_parts(found.column, "")
            draw = self.plot.draw_levels if curve.levels else self.plot.draw_values
            draw(curve, None, tree, document.focus_class)
            self.legend.show_keys(tree, document.focus_class, self.plot.is_sampled)
            self._say("")
            return
        self.kind.draw(self.draft, tree, document.focus_class, editable=not refusal)
        self._show_words()

    def _show_words(self) -> None:
        draft, document = self.draft, self._document
        assert draft is not None and document.tree is not None
        self.title.show_parts("" if draft.split.literals else draft.split.column, self.kind.title(draft))
        self._share_width()
        if not self.kind.waits(draft):  # until then what was known last stays
            self.figures.show_draft(draft, self.kind.below_best)
            kinds = draft.kinds if isinstance(draft, LiteralsDraft) else draft.curve.kind_in_words
            self.branches.show_candidate(draft.weighed, kinds, document.tree, document.focus_class)
        self._show_keys()
        self.best.setEnabled(bool(not document.why_no_split() and draft.split != draft.best[0]))
        self._say("")
        if draft.weighed is None and self._other is None:
            self._ask(draft)

    def _show_keys(self) -> None:
        draft, tree = self.draft, self._document.tree
        assert draft is not None and tree is not None
        several = draft.split.kind == "threshold" and len(draft.split.thresholds) > 1
        how = {"note": self.kind.note(), "samples": self._samples[1]}
        self.legend.show_keys(tree, self._document.focus_class, self.plot.is_sampled, several=several, **how)

    def _say(self, hovered: str) -> None:
        """What takes the place of the legend: what the mouse is over, or what has to be said."""
        document, draft = self._document, self.draft
        lasting = self._refusal or document.why_no_split()
        if not lasting:
            lasting = self.kind.remark(draft) if draft is not None else why_no_cut(document, self._looked_at()[1])  # type: ignore[arg-type]
            if self._only_by_hand:
                lasting = only_by_hand(lasting, document.candidate)  # type: ignore[arg-type]
        if not lasting and self._other is not None:
            lasting = read_as_words(self._other)
        text = self._refusal or hovered or lasting
        colours = theme.current()
        style = f"color: {(colours.error if self._refusal else colours.text).name()}"
        if style != self.readout.styleSheet():
            self.readout.setStyleSheet(style)
        say(self.readout, text)
        self.legend.setVisible(not text)

    def _on_hovered(self, x: float) -> None:
        if self.plot.bars is not None and self.draft is not None and not self._document.guessing:
            self._say("" if math.isnan(x) else self.kind.at(x))

    def _share_room(self) -> None:
        self._share_width()
        self._share_height()

    def _share_width(self) -> None:
        """A name without room beside the buttons stands above them. The condition, which changes while a cut is
        dragged, has no say in that."""
        room = self.width() - 2 * GAP - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        above = self.title.name_width() > room - self._verbs.sizeHint().width()
        self._heading.setDirection(QBoxLayout.Direction.TopToBottom if above else QBoxLayout.Direction.LeftToRight)

    def _share_height(self) -> None:
        """In little height the plot comes before the branches."""
        controls = self.kind.controls
        more = controls.sizeHint().height() - ONE_LINE if controls is not None and controls.isVisibleTo(self) else 0
        beside = grown(BESIDE_BRANCHES, self.fontMetrics()) + max(more, 0)
        self.branches.set_room((self.height() - beside) // self.branches.line)

    def _show_samples(self) -> None:
        """Where bootstrap samples cut a column of numbers, while somebody looks at which columns win in them."""
        draft, one = self.draft, None
        if draft is not None and self.kind is self.cuts_kind and self._other is None and not self._document.guessing:
            one = self._document.ranking.further.of(WINS).get(draft.split.column)
        told = cuts_of(one, draft.curve.kind_in_words) if one is not None and draft is not None else ""
        self._samples = (one.cuts if one is not None else np.empty(0), told)
        self.plot.show_samples(*self._samples)

    def _on_more_known(self, what: str) -> None:
        if what == WINS and self.draft is not None:
            self._show_samples()
            self._show_keys()

    def _on_swept(self, found: engine.Candidate | None) -> None:
        if self.draft is not None and (found is None or found.column == self.draft.split.column):
            self.kind.show_swept(found)

    def _on_drafted(self, draft: Draft) -> None:
        self.draft, self._refusal = draft, ""
        self.kind.show_draft(draft)
        self._show_words()
        self._tell_draft()
        if not self._ghosts_soon.isActive():
            self._ghosts_soon.start()

    def _tell_draft(self) -> None:
        """Tells the document what a person makes, or reads as another kind; what was found it knows."""
        own, draft = self._only_by_hand or self._other is not None, self.draft
        self._document.set_draft(draft.weighed if draft is not None and (draft.edited or own) else None)

    def _ask(self, draft: Draft) -> None:
        """Asks the worker what only the rows can tell; what was asked before is not wanted any more."""
        document = self._document

        def done(weighed: engine.Candidate) -> None:
            if self.draft is not None and self.draft.curve is draft.curve and self.draft.split == weighed.split:
                self._on_drafted(replace(self.draft, told=weighed))

        document.jobs.run(
            tr("Weighing the split"), tree_tasks.weighed, document.state, document.selected, draft.split,
            document.search, done=done, failed=lambda error: self._on_refused(words_for(error) or tr(FAULT)),
            key="weigh", quiet=True,
        )  # fmt: skip

    def _on_refused(self, why: str) -> None:
        self._refusal = why
        if self.draft is not None:
            self._say("")

    def _on_best(self) -> None:
        if self.draft is not None:
            self._on_drafted(self.draft.with_split(self.draft.best[0]))

    def _on_read_as(self, kind: str) -> None:
        """Reads the column as another kind for this split; the table stays as it is until the split is made."""
        document, base = self._document, self._document.candidate
        if self._other is not None:
            self._other = None  # back to what it is
            self._refresh()
        elif document.split_here is not None:
            refusal = tr("Only a leaf can read a column as another kind: delete what is below this node (Del) first.")
            self._on_refused(refusal)
        elif document.state is not None and base is not None and not document.why_no_split():

            def done(other: tree_tasks.ReadAs) -> None:
                if document.candidate is base:
                    self._other, self._other_of = other, base
                    self._refresh()

            def failed(error: Exception) -> None:
                if document.candidate is base:
                    self._on_refused(words_for(error) or tr(FAULT))

            document.jobs.run(
                tr("Reading “{column}” as {kind}", column=base.column, kind=kind_word(kind)), tree_tasks.read_as,
                document.state, document.selected, base.column, kind, document.search, done=done, failed=failed,
                key="read_as", quiet=True,
            )  # fmt: skip

    def settle(self) -> bool:
        """Takes what is still being typed; whether that could be read."""
        return self.draft is None or self.kind.settle()

    def _make(self) -> None:
        document = self._document
        if document.guessing:
            self._on_refused(tr(guessing.HIDDEN))
        elif self.settle() and self.draft is not None and not document.why_no_split():
            self._withdraw_ghosts()
            if self._other is not None:
                document.hand.split_by(document.selected, self.draft.split, read_as=self._other.kind)
            else:
                document.make_split(self.draft.split)

    def _withdraw(self) -> bool:
        if self.kind.withdraw():
            return True
        if self.draft is not None and self.draft.edited:
            self._on_drafted(self.draft.with_split(self.draft.found.split))
            self._withdraw_ghosts()
        elif self.draft is not None and self._other is not None:
            self._other = None
            self._refresh()
        else:
            return False
        return True

    def _show_ghosts(self) -> None:
        """The branches of the edited split on the canvas; while it is weighed, or may not be made, the former stay."""
        if self.draft is None or not self.draft.edited:
            self._withdraw_ghosts()
        elif not self._document.why_no_split() and not self.kind.waits(self.draft):
            found = self.draft.weighed
            if found is not None and found is not self._ghosts:
                self._ghosts = found
                self._document.set_preview(found)

    def _withdraw_ghosts(self) -> None:
        self._ghosts_soon.stop()
        if self._ghosts is not None and self._document.preview is self._ghosts:
            self._document.set_preview(None)
        self._ghosts = None

    def event(self, event: QEvent) -> bool:
        return claims(event, Qt.Key.Key_Escape, when=self._can_withdraw) or bool(super().event(event))

    def _can_withdraw(self) -> bool:
        return self.draft is not None and (self.draft.edited or self._other is not None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = self.focusWidget()
        if event.key() in ENTER and isinstance(focused, QAbstractButton):
            focused.click()
        elif event.key() in ENTER:
            self._make()
        elif event.key() != Qt.Key.Key_Escape or not self._withdraw():
            super().keyPressEvent(event)


class Page(QScrollArea):
    """What is in the editor; in very little height it scrolls rather than make the window larger."""

    def __init__(self, inner: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self._inner = inner
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        return self._inner.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self._inner.minimumSizeHint()
        return QSize(least.width(), min(least.height(), LOWEST))


class Sheet(QWidget):
    """All of the editor, one below the other. Its height is the least that it can do with: as the scroll area asks a
    layout with wrapping words for the height that it would like, the plot would grow while something is said."""

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return layout.minimumHeightForWidth(width) if layout is not None else 0


def why_no_cut(document: Document, found: engine.Candidate) -> str:
    """Why there is no draft of a column: "Only one value here: nothing separates the rows."."""
    if by_hand := why_not_by_hand(document, found.column):
        return by_hand
    return tr("{reason}: nothing separates the rows.", reason=capital(found.reason)) if found.reason else ""


def only_by_hand(remark: str, found: engine.Candidate) -> str:
    """What is said of a split that the search does not have: why, and that a person may make it."""
    if remark:
        return tr("{remark}: the search may not make it, you may.", remark=remark.rstrip("."))
    return tr("The search has no split here: {reason}: the search may not make it, you may.", reason=found.reason)


def why_empty(document: Document) -> str:
    found, present = document.candidate, document.split_here
    if document.table is None or document.tree is None:
        return tr("Open a table: the chosen split will be drawn here.")
    if document.ranking.curve_error:
        return document.ranking.curve_error
    if present is not None and (found is None or document.ranking.split != present):
        return tr("Drawing “{column}”…", column=present.column)
    if found is None and document.guessing:
        return tr(guessing.FIRST)
    if found is None:
        return tr("Choose a candidate above: its rows and its gains will be drawn here.")
    if not has_curve(found.split):
        return conditions(found, document.table) if document.why_no_split() else ""
    return tr("Drawing “{column}”…", column=found.column) if document.curve is None else ""


def conditions(candidate: engine.Candidate, table: engine.Table) -> str:
    """A split by several columns, which no one axis can show, in words."""
    gains = [tr("gain {gain}", gain=words.gain(candidate.gain))]
    if math.isfinite(candidate.ahead):
        gains.append(tr("two levels {gain}", gain=words.gain(candidate.ahead)))
    if math.isfinite(candidate.validation_gain):
        gains.append(tr("validation {gain}", gain=words.gain(candidate.validation_gain)))
    lines = [capital(engine.splits.full_words(candidate.split, 0, table.kinds)), "", " · ".join(gains)]  # type: ignore[arg-type]  # of several columns
    rows = " | ".join(map(words.count, candidate.rows))
    lines += [tr("Training rows per branch: {rows}", rows=rows), ""]
    return "\n".join([*lines, tr("This split was found by climbing; it cannot be changed here.")])


def read_as_words(other: tree_tasks.ReadAs) -> str:
    said = {"new": kind_word(other.kind), "column": other.found.column, "old": kind_word(other.was)}
    text = tr("Read as {new} for this split: making it sets the type of “{column}”, now {old}.", **said)
    n = len(other.lost)
    lost = tr("{n} splits elsewhere will be taken back.", n=n) if n > 1 else tr("1 split elsewhere will be taken back.")
    return f"{text} {lost}" if n else text


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str | int | float | tuple) and one == other)
