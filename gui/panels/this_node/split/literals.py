"""Editing an m-of-n split: conditions with boxes to tick, how many have to hold, and the way of the climb."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QSlider, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.jobs import words_for
from gui.panels.this_node.split.controls import PendingEdit
from gui.panels.this_node.split.draft import LiteralsDraft, offers
from gui.panels.this_node.split.kind import SplitKind
from gui.panels.this_node.split.plot import SplitPlot
from gui.panels.this_node.words import capital, why_not_by_hand
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.tables import TickCells
from gui.wording import words

SEARCHING = marked("Climbing …")
NO_WAY = marked("No condition separates the rows under the current search options: there are no steps to show.")
FAILED = marked("The climb failed; the log has the details.")
TOO_MANY = marked("A split has at most 16 conditions.")
LOWEST = 34  # pixels: two lines


class Rows(QListWidget):
    """A list of few lines, shortened in the middle where there is no room."""

    taken = Signal(int)  # a line was clicked, or Space was pressed on it: its place

    def __init__(self) -> None:
        super().__init__()
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(True)
        self.setItemDelegate(TickCells(self))
        self.setMinimumSize(80, LOWEST)
        self.itemClicked.connect(lambda item: self.taken.emit(self.row(item)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentRow() >= 0:
            self.taken.emit(self.currentRow())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # the editor splits
        else:
            super().keyPressEvent(event)


class LiteralsBody(QWidget):
    """Stands in the place of the plot."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_literals_body")
        tip = tr("The conditions; ticked ones count")
        self.literals = named(Rows(), "split_editor_literals", tr("Conditions"), tip)
        tip = tr("A condition to be written: a column, a sign, a value; Enter adds it")
        self.typed = named(PendingEdit(), "split_editor_literal", tr("Add condition"), tip)
        self.typed.setPlaceholderText(tr("Add a condition: {example}", example="age <= 30"))
        tip = tr("How the split was found; click a step to take it")
        self.steps = named(Rows(), "split_editor_steps", tr("Steps of the climb"), tip)
        self.m = named(QSlider(Qt.Orientation.Horizontal), "split_editor_m", tr("How many conditions have to hold"))
        self.m.setPageStep(1)
        self.m.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.m.setTickInterval(1)
        self.words = verbatim.label(objectName="split_editor_m_words")
        self.climb = verbatim.label(tr("How the climb found it"), objectName="split_editor_climb")
        first = fill(QHBoxLayout(), self.words, (self.m, 1), spacing=8)
        fill(QVBoxLayout(self), first, (self.literals, 3), self.typed, self.climb, (self.steps, 2))


class LiteralsKind(SplitKind[LiteralsDraft]):
    """Splits by m of n conditions."""

    best, below_best = marked("Best found"), marked("{share} below the best found")
    body: LiteralsBody

    def __init__(self, plot: SplitPlot, document: Document) -> None:
        super().__init__(plot)
        self._document = document
        self.body = LiteralsBody()
        self.field = self.body.typed
        self._climb: engine.Climb | None = None
        self._instead = tr(SEARCHING)  # of the steps, while there are none
        self._about: object = None  # what the answers belong to
        self.body.literals.taken.connect(self._on_literal)
        self.body.typed.typed.connect(self._on_typed)
        self.body.typed.textEdited.connect(lambda _: self.refused.emit(""))
        self.body.m.valueChanged.connect(lambda m: self._take(lambda draft: draft.set_m(m)))
        self.body.steps.taken.connect(self._on_step)

    def begin(self, found: engine.Candidate, curve: engine.Curve | None, by_class: bool) -> LiteralsDraft | None:
        table, state = self._document.table, self._document.state
        if found.split is None or table is None or state is None:
            return None
        offered = offers(found, self._document.candidates or (), by_class)
        self._let_go()
        self._climb, self._instead, self._about = None, tr(SEARCHING), found
        self._document.jobs.run(
            tr("Climbing to the conditions"), tree_tasks.climb, state, self._document.selected, self._document.search,
            done=lambda climb: self._on_climb(found, climb, tr(NO_WAY)), key="climb", quiet=True,
            failed=lambda error: self._on_climb(found, None, words_for(error) or tr(FAILED)),
        )  # fmt: skip
        self._draft = LiteralsDraft(found, None, found.split, offered, table.kinds)  # type: ignore[arg-type]
        return self._draft

    def _let_go(self) -> None:
        self._about = None
        self.body.typed.clear()
        for key in ("weigh", "climb"):
            self._document.jobs.drop(key)

    def draw(self, draft: LiteralsDraft, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        self._show_steps()
        self.show_draft(draft)

    def show_draft(self, draft: LiteralsDraft) -> None:
        self._draft = draft
        n, m = len(draft.chosen), draft.split.m
        with QSignalBlocker(self.body.m):
            self.body.m.setRange(1, n)
            self.body.m.setValue(m)
        self.body.m.setEnabled(n > 1)
        several = tr("At least {m} of {n} hold", m=m, n=n)
        self.body.words.setText(tr("At least {m} of 1 holds", m=m) if n == 1 else several)
        self._show_literals(draft)
        self._mark_step()

    def waits(self, draft: LiteralsDraft) -> bool:
        return draft.weighed is None

    def title(self, draft: LiteralsDraft) -> str:
        if len(draft.chosen) == 1:
            return engine.splits.literal_words(draft.chosen[0], self._kind_of(draft.chosen[0]))
        return capital(engine.splits.title(draft.split))

    def _show_literals(self, draft: LiteralsDraft) -> None:
        rows, place = self.body.literals, self.body.literals.currentRow()
        if rows.count() != len(draft.offered):
            rows.clear()
            rows.addItems([""] * len(draft.offered))
            rows.setCurrentRow(min(max(place, 0), rows.count() - 1))
        for i, literal in enumerate(draft.offered):
            item = rows.item(i)
            text = engine.splits.literal_words(literal, self._kind_of(literal))
            item.setText(text)
            item.setToolTip(verbatim.tip(text))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Checked if literal in draft.chosen else Qt.CheckState.Unchecked)

    def _show_steps(self) -> None:
        rows = self.body.steps
        rows.clear()
        if self._climb is None:
            rows.addItem(self._instead)
            return
        known: tuple[engine.Literal, ...] = ()
        for m, literals, gain in self._climb.steps:
            new = literals[len(known) :]
            named = ", ".join(engine.splits.literal_words(literal, self._kind_of(literal)) for literal in new)
            step = {"m": m, "n": len(literals), "gain": words.gain(gain), "conditions": named}
            item = QListWidgetItem(tr("{m} of {n}   {gain}   + {conditions}", **step), rows)
            item.setToolTip(verbatim.tip(item.text()))
            known = literals
        self._mark_step()

    def _mark_step(self) -> None:
        draft = self._draft
        if self._climb is None or draft is None:
            return
        steps = [(m, set(literals)) for m, literals, _ in self._climb.steps]
        own = (draft.split.m, set(draft.chosen))
        self.body.steps.setCurrentRow(steps.index(own) if own in steps else -1)

    def _kind_of(self, literal: engine.Literal) -> str:
        return self._draft.kinds.get(literal.column, "number") if self._draft is not None else "number"

    def _on_literal(self, place: int) -> None:
        draft = self._draft
        if draft is None or not 0 <= place < len(draft.offered):
            return
        literal = draft.offered[place]
        counts = literal not in draft.chosen
        refusal = tr(TOO_MANY) if counts else tr("A split needs at least one condition.")
        self._take(lambda draft: draft.choose(literal, counts), refusal)

    def _on_typed(self, text: str) -> None:
        draft, table = self._draft, self._document.table
        if draft is None or table is None:
            return
        try:
            literal = engine.splits.read_literal(text, table)
            if why := why_not_by_hand(self._document, literal.column):
                raise engine.InputError(why)
        except engine.InputError as error:
            self.refused.emit(str(error))
            return
        self.body.typed.clear()
        refusal = tr("This condition is already included.") if literal in draft.chosen else tr(TOO_MANY)
        self._take(lambda draft: draft.add(literal), refusal)
        if self._draft is not None:
            offered = self._draft.offered
            self.body.literals.setCurrentRow(offered.index(literal) if literal in offered else -1)

    def _on_step(self, place: int) -> None:
        if (climb := self._climb) is not None:
            self._take(lambda draft: draft.take(*climb.steps[place][:2]))

    def _on_climb(self, about: object, climb: engine.Climb | None, instead: str) -> None:
        if about is not self._about:
            return
        self._climb, self._instead = climb, instead
        self._show_steps()
        if climb is not None and self._draft is not None:
            self.drafted.emit(replace(self._draft, climbed=(climb.split, climb.gain)))
