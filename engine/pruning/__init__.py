"""Cutting back: every method makes a sequence of ever smaller prunings and recommends one of them.

A new method is one file with one function and one line in `METHODS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.pruning.by_rule import by_rule
from engine.pruning.cost_complexity import cost_complexity
from engine.pruning.early_stopping import grow_while_improving
from engine.pruning.generic import NO_SHARES, generic
from engine.pruning.greedy_validation import greedy_validation
from engine.pruning.growth import growth
from engine.pruning.kearns_mansour import NO_PENALTY, kearns_mansour
from engine.pruning.mdl import NO_SYMBOLS, mdl
from engine.pruning.options import OPTIONS, Options
from engine.pruning.pessimistic import NO_LIMITS, pessimistic
from engine.pruning.reduced_error import reduced_error
from engine.pruning.result import Pruning, Step
from engine.pruning.srm import NO_RISK, srm
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.text import one_line

if TYPE_CHECKING:
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.assignment import Assignment

__all__ = [
    "METHODS",
    "OPTIONS",
    "Method",
    "Options",
    "Pruning",
    "Step",
    "chosen_by_validation",
    "grow_while_improving",
    "prune",
    "why_not",
]


@dataclass(frozen=True)
class Method:
    """A way to prune, as menus and the command line show it.

    Attributes:
        label: the words shown to people.
        function: (table, tree, options, progress) -> Pruning.
        explanation: one sentence for people.
        needs_validation: whether it cannot work without validation rows.
        by_validation: whether validation rows, where there are any, take part in what it recommends with some options.
        options: the entries of `OPTIONS` that it listens to.
        classes_only: why it cannot work for a numeric target; empty where it can.
    """

    label: str
    function: Callable[["Table", "Tree", Options, Progress], Pruning]
    explanation: str
    needs_validation: bool = False
    options: tuple[str, ...] = ()
    classes_only: str = ""
    by_validation: Callable[[Options], bool] = lambda told: False


METHODS: dict[str, Method] = {
    "cost_complexity": Method(
        "Cost complexity",
        cost_complexity,
        "Cuts the split that pays least per leaf on the training rows, again and again; validation rows, or "
        "cross-validation without them, choose where to stop.",
        options=("measure", "judge", "standard_errors"),
        by_validation=lambda told: told.judge != "folds",
    ),
    "reduced_error": Method(
        "Reduced error",
        reduced_error,
        "Cuts every branch that does not lower the error on the validation rows: the smallest of the most "
        "accurate prunings.",
        needs_validation=True,
    ),
    "pessimistic": Method(
        "Pessimistic",
        pessimistic,
        "Cuts what is not expected to err less, judged by the training rows alone, as C4.5 does: errors that were seen "
        "are raised to the limit that they might stand for. Branches may take the place of the split above them.",
        options=("rule", "confidence", "raising"),
        classes_only=NO_LIMITS,
    ),
    "generic": Method(
        "Generic",
        generic,
        "At every node, bottom up, the best by a chosen estimate: a leaf of any class, one of the branches in its "
        "place with all rows, or the tree as it is.",
        options=("estimate", "leaf_labels", "delta", "confidence"),
        classes_only=NO_SHARES,
        by_validation=lambda told: told.estimate == "validation",
    ),
    "mdl": Method(
        "Description length",
        mdl,
        "The tree that is shortest to describe together with the classes of the rows that it leaves to be told; or the "
        "one with the least bound on its error by its length. No rows are set aside for it.",
        options=("code", "delta"),
        classes_only=NO_SYMBOLS,
    ),
    "srm": Method(
        "Structural risk",
        srm,
        "The tree with the fewest errors for every number of leaves; the error and √(size ÷ m), or rows that took no "
        "part in growing, choose among them.",
        options=("judge", "max_errors", "most_leaves"),
        classes_only=NO_RISK,
        by_validation=lambda told: told.judge == "validation" and told.max_errors is None,
    ),
    "kearns_mansour": Method(
        "Kearns and Mansour",
        kearns_mansour,
        "One pass from the leaves up: a split goes unless it saves more errors than a class of trees so rich would by "
        "chance. No rows are set aside for it.",
        options=("capacity", "factor", "delta"),
        classes_only=NO_PENALTY,
    ),
    "greedy_validation": Method(
        "Greedy cuts",
        greedy_validation,
        "Cuts the node whose cut helps the validation rows most, again and again, until any cut would do harm; a cut "
        "high up may forestall two better ones below it.",
        needs_validation=True,
    ),
    "growth": Method(
        "Growth in steps",
        growth,
        "Takes the splits back in the order in which best-first growth makes them, one at a time: the tree of every "
        "size along the way. Validation rows choose where to stop.",
        by_validation=lambda told: True,
    ),
    "by_rule": Method(
        "By rule",
        by_rule,
        "Cuts what the chosen rules forbid: small leaves, splits that do not help the validation rows or that chance "
        "explains, leaves that say the same.",
        options=("min_leaf", "min_validation_gain", "same_answer", "significance"),
        by_validation=lambda told: told.min_validation_gain is not None,
    ),
}


NO_VALIDATION = "It needs validation rows: set some aside with Data ▸ Partition… or --validation 0.3."


def why_not(method: str, table: "Table") -> str:
    """Why a method of `METHODS` cannot cut back trees of this table; empty when it can."""
    entry = METHODS[method]
    if entry.classes_only and table.task != "classes":
        return entry.classes_only
    return NO_VALIDATION if entry.needs_validation and table.n_validation == 0 else ""


def chosen_by_validation(method: str, options: dict[str, Any]) -> bool:
    """Whether validation rows, where there are any, take part in what a method recommends with these options."""
    entry = METHODS[method]
    return entry.needs_validation or entry.by_validation(Options().told(options, entry.options, entry.label))


def prune(
    table: "Table",
    tree: "Tree",
    method: str = "cost_complexity",
    *,
    keep_by_hand: bool = False,
    folds: "int | NDArray[np.integer[Any]]" = 10,
    seed: int = 0,
    assignment: "Assignment | None" = None,
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
    from engine.tree import counted

    if method not in METHODS:
        raise InputError(f"There is no pruning method “{method}”; choose one of {', '.join(METHODS)}.")
    entry = METHODS[method]
    _check_folds(table, folds)
    told = Options(keep_by_hand, folds if np.ndim(folds) else int(folds), seed, assignment).told(
        options, entry.options, entry.label
    )
    fault = why_not(method, table)
    if fault:
        raise InputError(f"“{entry.label}” cannot prune here. {fault}")
    return entry.function(table, counted(tree, table), told, progress or Progress())


def _check_folds(table: "Table", folds: "int | NDArray[np.integer[Any]]") -> None:
    given = np.asarray(folds)
    if given.dtype.kind not in "iu":
        raise InputError(f"folds cannot be {one_line(folds)}; give a whole number, or one for each row.")
    if given.ndim == 0 and given < 2:
        raise InputError(f"{folds} folds are too few; cross-validation needs at least 2.")
    if given.ndim and given.shape != (table.n_rows,):
        raise InputError(f"The folds of {given.size} rows were given; the table has {table.n_rows} rows.")
