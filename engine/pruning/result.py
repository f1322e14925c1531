"""Pruning by any method, and what it gives: smaller trees, what each costs, which is recommended, what was compared."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.pruning import METHODS, why_not
from engine.pruning.options import Options
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.arrays import collapse
from engine.tree.assignment import Assignment
from engine.tree.counting import counted
from engine.tree.tree import Tree

NAN = float("nan")


class Step(NamedTuple):
    """One pruning.

    Attributes:
        leaves: its number of leaves.
        train_error: share of the training weight in error, or mean squared error; when the tree's leaf rule has
            priors or costs, the mean loss (`Tree.loss`).
        validation_error: the same on validation rows; nan without any.
        alpha: the least price per leaf, in units of the error (or of the impurity, if that is what splits pay in), at
            which it is the cheapest pruning; of the method "growth" the weighted drop of the criterion by the split
            that this step takes back, of "greedy_validation" by how much it lowers the validation error; nan where it
            has none.
        cv_error: the cross-validated error or loss; nan unless it was computed.
        cv_se: its standard error; nan unless it was computed.
        validation_se: the standard error of the validation error; nan unless it was asked for, see
            `engine.pruning.cost_complexity.with_validation_se`.
    """

    leaves: int
    train_error: float
    validation_error: float
    alpha: float = NAN
    cv_error: float = NAN
    cv_se: float = NAN
    validation_se: float = NAN


class Trees(Protocol):
    """How the trees of the steps are made on demand."""

    def tree(self, full: Tree, i: int) -> Tree:
        """The tree of step i, from the one that was pruned."""


@dataclass(frozen=True, eq=False)
class Pruning:
    """Prunings of one tree, most leaves first.

    Attributes:
        method: the name of the method.
        steps: the full tree first; of a sequence the last one is the root alone, or the smallest that was allowed.
        chosen: index of the step that the method recommends.
        full: the tree that was pruned.
        trees: how the trees of the steps are made.
        remark: what a person should know about how the step was chosen, in words; mostly empty.
        verdicts: what was compared at each node of `full` for the recommended tree; None where nothing was.
        least: index of the step of the least error by the rows that choose, from which `chosen` differs where a smaller
            tree within some standard errors is recommended; None where the method looks for no such step.
        optimism: by how much the cross-validated error of `chosen` is expected to be too good because it was chosen by
            it; nan where no folds chose.
        by_validation: whether validation rows took part in what is recommended.
    """

    method: str
    steps: list[Step]
    chosen: int
    full: Tree
    trees: Trees
    remark: str = ""
    verdicts: "Verdicts | Told | None" = None
    least: int | None = None
    optimism: float = NAN
    by_validation: bool = False

    def tree(self, i: int) -> Tree:
        """The tree of step `i` (negative counts from the end). Raises IndexError beyond the steps."""
        return self.trees.tree(self.full, range(len(self.steps))[i])


def prune(
    table: Table,
    tree: Tree,
    method: str = "cost_complexity",
    *,
    keep_by_hand: bool = False,
    folds: int | NDArray[np.integer[Any]] = 10,
    seed: int = 0,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Pruning:
    """Cuts a tree back.

    Splits that pins and locks keep stay in every step, see `engine.tree.marks.splits_kept`.

    Args:
        table: the rows to judge by; a tree that was counted on other ones is counted again.
        tree: the tree to prune; it stays as it is.
        method: a name of `METHODS`.
        keep_by_hand: leave the splits alone that a person made (and so those above them).
        folds: number of folds where cross-validation has to choose, at least 2; or int[n_rows], the fold of each
            row, −1 for rows of none.
        seed: deals the rows out to the folds.
        assignment: which rows stand in which node, if at hand; saves sending the rows down the tree.
        progress: told of the folds; a stop leaves the sequence, chosen by the folds that were finished.
        options: what else the method may be told, see `OPTIONS`.

    Raises:
        InputError: no such method or option, folds below 2, or the method cannot work on this table.
    """
    if method not in METHODS:
        raise InputError(tr(
            "There is no pruning method “{method}”; choose one of {methods}.", method=method,
            methods=", ".join(METHODS)))  # fmt: skip
    entry = METHODS[method]
    given = np.asarray(folds)
    if given.dtype.kind not in "iu":
        raise InputError(
            tr("folds cannot be {folds}; give a whole number, or one for each row.", folds=one_line(folds))
        )
    if given.ndim == 0 and given < 2:
        raise InputError(tr("{folds} folds are too few; cross-validation needs at least 2.", folds=folds))
    if given.ndim and given.shape != (table.n_rows,):
        raise InputError(tr(
            "The folds of {given} rows were given; the table has {rows} rows.", given=given.size, rows=table.n_rows,
        ))  # fmt: skip
    told = Options(keep_by_hand, folds if given.ndim else int(given), seed, assignment).told(
        options, entry.options, entry.label
    )
    fault = why_not(method, table)
    if fault:
        raise InputError(tr("“{label}” cannot prune here. {fault}", label=entry.label, fault=fault))
    made: Pruning = entry.function(table, counted(tree, table, assignment), told, progress or Progress())
    judged = entry.needs_validation or entry.by_validation(told)
    return replace(made, by_validation=judged and table.n_validation > 0)


# -- the trees of the steps


class Nested(NamedTuple):
    """Steps of which each one cuts more of the same tree.

    Attributes:
        gone: int32[n_nodes], the step from which on a node has nothing below it: 0 for leaves, the number of steps for
            splits that stay.
    """

    gone: NDArray[np.int32]

    def tree(self, full: Tree, i: int) -> Tree:
        """See `Trees`."""
        above = np.where(full.parent < 0, np.iinfo(np.int32).max, self.gone[full.parent])
        return with_leaves(full, np.flatnonzero((full.n_branches > 0) & (self.gone <= i) & (above > i)))


class Made(NamedTuple):
    """Trees that were made already."""

    trees: tuple[Tree, ...]

    def tree(self, full: Tree, i: int) -> Tree:
        """See `Trees`."""
        return self.trees[i]


def with_leaves(full: Tree, cut: NDArray[np.int64]) -> Tree:
    """The tree with the splits at these positions as leaves; itself without any."""
    return collapse(full, cut) if cut.size else full


def single(
    method: str, full: Tree, cut: NDArray[np.int64], remark: str = "", verdicts: "Verdicts | Told | None" = None
) -> Pruning:
    """The pruning by a method that makes one tree: the full one, then that with the nodes at these positions as leaves.

    With nothing to cut there is the one step, which is recommended.
    """
    return replaced(method, full, with_leaves(full, cut), remark, verdicts)


def replaced(
    method: str, full: Tree, best: Tree, remark: str = "", verdicts: "Verdicts | Told | None" = None
) -> Pruning:
    """The pruning by a method that makes one tree, which need not be a part of the full one."""
    trees = (full,) if best is full else (full, best)
    steps = [Step(tree.n_leaves, tree.loss("train"), tree.loss("validation")) for tree in trees]
    return Pruning(method, steps, len(steps) - 1, full, Made(trees), remark, verdicts)


# -- what was compared


class Told(NamedTuple):
    """What a method compared that is no leaf against a branch.

    Attributes:
        words: the comparison at position i of the tree that was pruned, in sentences; empty where there was none.
        numbers: by position, the number that the words are about, where there is one.
    """

    words: Callable[[int], str]
    numbers: NDArray[Any] = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a method compared at each node of the tree that it pruned.

    Attributes:
        quantity: what the numbers are, as a sentence begins with it: "Errors among the validation rows".
        leaf: float64[n_nodes], that of the node as a leaf; NaN where nothing was compared.
        branch: float64[n_nodes], that of what was left of the branch below it; with `allowance` the leaf may be worse.
        allowance: float64[n_nodes], by how much the leaf may be worse and the branch still goes; 0 at most nodes.
        raised: float64[n_nodes], that of its largest or best branch in its place; NaN where that was not tried. Empty:
            nowhere.
    """

    quantity: str
    leaf: NDArray[np.float64]
    branch: NDArray[np.float64]
    allowance: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    raised: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def words(self, i: int) -> str:
        """The comparison at position i as a sentence; empty where there was none."""
        if np.isnan(self.leaf[i]) or np.isnan(self.branch[i]):
            return ""
        said = {"quantity": self.quantity, "leaf": number_words(float(self.leaf[i]))}
        said["branch"] = number_words(float(self.branch[i]))
        raised = self.raised.size and not np.isnan(self.raised[i])
        if raised:
            said["raised"] = number_words(float(self.raised[i]))
        if self.allowance.size and self.allowance[i] > 0:
            said["allowed"] = number_words(float(self.allowance[i]))
            if raised:
                return tr("{quantity}: {leaf} as a leaf, {branch} with its branches (a leaf may be {allowed} worse), "
                          "{raised} with a branch in its place.", **said)  # fmt: skip
            return tr(
                "{quantity}: {leaf} as a leaf, {branch} with its branches (a leaf may be {allowed} worse).", **said
            )
        if raised:
            return tr(
                "{quantity}: {leaf} as a leaf, {branch} with its branches, {raised} with a branch in its place.", **said
            )
        return tr("{quantity}: {leaf} as a leaf, {branch} with its branches.", **said)
