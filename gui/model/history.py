"""Undo and redo: states of the document are kept, never inverted. Trees and tables are immutable, so a step keeps two
states and replaces one by the other: nothing in it can fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model import tree_figures
from gui.picture import kinds
from gui.picture.nodes.figures import keep_effective_rows
from gui.picture.picture_options import PictureOptions
from gui.wording import phrases, words

ASSIGNMENTS_KEPT = 8  # states whose row numbers are kept; older ones are computed again when they come back
CHANGES = (  # of the errors on the training and on the validation rows
    (marked("training {measure} stays {now}"), marked("training {measure} {was} → {now}")),
    (marked("validation {measure} stays {now}"), marked("validation {measure} {was} → {now}")),
)
BYTES_KEPT = 1 << 30  # of trees in the steps behind; beyond that the oldest steps cannot be undone any more


@dataclass(frozen=True)
class HistoryStep:
    """What a step did: its text, and the size and the errors of the tree after it (NaN without rows). Errors are shares
    of rows when the task is "classes", else errors of `target` by `measure`: mean squared ones ("MSE"), or mean
    absolute ones ("MAE") of a tree that predicts medians."""

    text: str
    leaves: int
    train_error: float
    validation_error: float
    task: str
    target: str
    measure: str = "MSE"
    # the mean costs on training and on validation rows, where the leaves heed costs or priors; else NaN
    losses: tuple[float, float] = (math.nan, math.nan)
    weighing: tuple[Any, ...] = ()  # the costs and priors that they go by; empty without any
    profits: tuple[str, str] = ("", "")  # in words: what a training and a validation row earns; empty where unknown
    acting: str = ""  # on how many leaves the tree acts, in words; empty without profits

    def comparable(self, other: HistoryStep) -> bool:
        """Whether the errors of both steps are about the same thing."""
        mine, others = ((step.task, step.target, step.measure, step.weighing) for step in (self, other))
        return mine == others


def change_words(before: HistoryStep, after: HistoryStep) -> str:
    """What a step did to errors and profits: "training error 8.8 % → 9.1 %, validation error 12.6 % → 12.4 %"."""
    if not before.comparable(after):
        return ""
    shares = after.task == "classes" and not after.weighing
    measure = tr("cost") if after.weighing else tr("error") if shares else after.measure
    errors = [(step.train_error, step.validation_error) for step in (before, after)]
    old, new = (before.losses, after.losses) if after.weighing else errors
    wording, parts = (words.percent if shares else words.value), []
    for forms, *figures in zip(CHANGES, old, new, strict=True):
        if not any(map(math.isnan, figures)):
            was, now = map(wording, figures)
            parts.append(tr(forms[was != now], measure=measure, was=was, now=now))
    return ", ".join([*_profit_words(before, after), *parts])


def _profit_words(before: HistoryStep, after: HistoryStep) -> list[str]:
    """What a row earns, a validation row where there are any; and on how many leaves the tree acts, where it did on
    others before."""
    if not after.acting:
        return []
    part = int(bool(after.profits[1]))
    was, now = before.profits[part], after.profits[part]
    said = tr("profit per row {was} → {now}", was=was, now=now) if was and was != now else tr("profit per row {now}",
                                                                                              now=now)  # fmt: skip
    return [said] + [after.acting] * (after.acting != before.acting)


@dataclass(eq=False)
class State:
    """A table and a tree over it."""

    table: engine.Table
    tree: engine.Tree
    picture: PictureOptions = field(default_factory=PictureOptions)  # how the canvas shows it and what follows from it
    search: dict[str, Any] | None = None  # the options that belong to it; None when the step did not touch them
    assignment: engine.Assignment | None = None  # which rows stand in which node; None until a worker called `assigned`

    def following(self, tree: engine.Tree) -> State:
        """The state of another tree over the same table, ready for the screen. Where its rows stand is not found out
        yet: at a million rows that takes as long as growing some levels, and who pressed Stop waits for the tree."""
        after = State(self.table, tree, self.picture)
        after.step("")
        return after

    def assigned(self, progress: Progress | None = None) -> engine.Assignment:
        """The assignment, computed now if need be; passes over all rows, so call it in a worker only."""
        if self.assignment is None:
            self.assignment = engine.assign(self.table, self.tree)
        return self.assignment

    def step(self, text: str) -> HistoryStep:
        """How this state reads in the history; a worker asks first, the figures are kept."""
        return replace(self._step, text=text)

    @cached_property
    def _step(self) -> HistoryStep:
        tree, rule = self.tree, self.tree.leaf_rule
        if self.table.weights is not None:
            at = None if self.table.weights_are_counts else self.assigned()
            keep_effective_rows(tree, engine.count_effective_rows(self.table, tree, at))
        tree_figures.prepare(tree)
        kinds.prepare(tree, self.picture)
        train, validation = (tree_figures.error(tree, part) for part in tree_figures.PARTS)
        measure = "MAE" if tree.predicts_median else "MSE"
        step = HistoryStep("", tree.n_leaves, train, validation, tree.task, tree.target, measure)
        if rule.profits:
            earned = (tree_figures.profit(tree, part) for part in tree_figures.PARTS)
            first, second = ("" if math.isnan(each) else phrases.money(each, tree) for each in earned)
            step = replace(step, profits=(first, second), acting=phrases.acting(tree))
        if not rule.weighs_mistakes:
            return step
        losses = tree_figures.loss(tree, "train"), tree_figures.loss(tree, "validation")
        return replace(step, losses=losses, weighing=(rule.costs, rule.priors))


class Script(NamedTuple):
    """What a step did, for a script that makes the tree again: `steps`, on the tree of a state, which is mostly the one
    before; another state, which was on the screen earlier, is named."""

    steps: tuple[engine.ScriptStep, ...] = ()
    of: State | None = None


class Replace(QUndoCommand):
    """Replaces one state by another; the only undo command there is. `merge` is any object: a step that carries the
    same one as the step before it continues that step (clicking along the pruning chart is one step)."""

    def __init__(
        self, show: Callable[[State], None], before: State, after: State, said: HistoryStep, text: str, merge: object,
        script: Script | None,
    ) -> None:  # fmt: skip
        super().__init__(text)
        self.script = script
        self._show, self.before, self.after, self.merge = show, before, after, merge
        self.said_before, self.said_after = said, after.step(text)
        self.forgotten = False

    def redo(self) -> None:
        self._show(self.after)

    def undo(self) -> None:
        if not self.forgotten:
            self._show(self.before)

    def id(self) -> int:
        return -1 if self.merge is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Replace) or other.merge is not self.merge:
            return False
        self.after, self.said_after, self.script = other.after, other.said_after, other.script
        self.setText(other.text())
        self.setObsolete(self.after is self.before)
        return True


def is_bare(tree: engine.Tree) -> bool:
    """Whether it is a single leaf, on which nothing is written."""
    return tree.n_nodes == 1 and not tree.marks


class History:
    """The undo stack, its steps in words, and what it may keep in memory."""

    def __init__(self, show: Callable[[State], None], limit: int, parent: QObject) -> None:
        self.stack = QUndoStack(parent)
        self.stack.setUndoLimit(limit)
        self._show = show
        self._first: HistoryStep | None = None
        self._begins_bare = False  # with a single leaf, on which nothing is written
        self._recent: list[State] = []

    def restart(self, first: State | None, text: str) -> None:
        """Forgets all steps; `text` says how the first state came about."""
        self.stack.clear()
        self.stack.setClean()  # an empty stack that was marked unclean is not made clean by clearing it
        self._recent.clear()
        self._first = first.step(text) if first is not None else None
        self._begins_bare = first is not None and is_bare(first.tree)

    def push(self, before: State, after: State, text: str, merge: object = None, script: Script | None = None) -> None:
        """Makes a step and shows its state. Trees beyond `BYTES_KEPT` go: their steps cannot be undone any more.
        `script`: None where no script can do the same."""
        said = self.steps[self.stack.index()]
        self.stack.push(Replace(self._show, before, after, said, text, merge, script))
        total = 0
        for command in reversed(self.commands):
            tree = command.before.tree  # per node some 60 bytes and two rows of statistics
            total += tree.n_nodes * 60 + tree.train.nbytes + tree.validation.nbytes
            if total > BYTES_KEPT:
                command.forgotten = True
                command.before = command.after

    def touch(self, state: State) -> None:
        """Remembers that `state` is on the screen; those long gone forget where their rows stand."""
        self._recent = [state, *(other for other in self._recent if other is not state)]
        for old in self._recent[ASSIGNMENTS_KEPT:]:
            old.assignment = None
        del self._recent[ASSIGNMENTS_KEPT:]

    @property
    def commands(self) -> list[Replace]:
        """All steps, undone ones included."""
        return [one for one in map(self.stack.command, range(self.stack.count())) if isinstance(one, Replace)]

    @property
    def can_undo(self) -> bool:
        """Whether the step before this one is still kept."""
        return self.stack.canUndo() and not self.commands[self.stack.index() - 1].forgotten

    @property
    def steps(self) -> list[HistoryStep]:
        """The state at the beginning, then one entry for each step."""
        commands = self.commands
        first = commands[0].said_before if commands else self._first
        return [] if first is None else [first, *(command.said_after for command in commands)]

    @property
    def states(self) -> list[State | None]:
        """The state after each of `steps`; None where it is no longer kept."""
        commands = self.commands
        before = (None if command.forgotten else command.before for command in commands)
        return [*before, *(command.after for command in commands[-1:])]

    @property
    def script(self) -> list[engine.ScriptStep] | None:
        """What led from a single leaf to the state on the screen; None where a step is not known."""
        done: tuple[engine.ScriptStep, ...] | None = () if self._begins_bare else None
        less = 0  # the ids of a tree that begins anew go on, those of a script begin at 1
        reached: list[tuple[State, tuple[engine.ScriptStep, ...] | None, int]] = []
        for command in self.commands[: self.stack.index()]:
            reached.append((command.before, done, less))
            if is_bare(command.after.tree):
                done, less = (), command.after.tree.next_id - 1
            elif command.script is None:
                done = None
            else:
                if command.script.of not in (None, command.before):
                    known = ((steps, by) for state, steps, by in reached if state is command.script.of)
                    done, less = next(known, (None, 0))
                steps = command.script.steps
                if steps and steps[0].verb == "read_tree":
                    done, less = steps, 0  # what there was before is gone
                elif done is not None:
                    done = (*done, *(one.renumbered(less) for one in steps))
        return None if done is None else list(done)

    def go_to(self, index: int) -> None:
        """Undoes or redoes until `index` steps stand; steps that are no longer kept stop it."""
        lowest = next((i for i, one in enumerate(self.commands) if not one.forgotten), self.stack.count())
        self.stack.setIndex(max(lowest, min(index, self.stack.count())))
