"""Pruning: every method makes a sequence of ever smaller trees and recommends one of them.

A new method is one file with one function and one entry of `METHODS`, which is all that the command line, the window
and warming up know of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.pruning.options import OPTIONS, Options
from engine.pruning.result import NO_VALIDATION, Pruning, Step
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.text import one_line

if TYPE_CHECKING:  # the compiler comes with trees; menus that list the methods need not wait for it
    from engine.table.table import Table
    from engine.tree.assignment import Assignment
    from engine.tree.tree import Tree

__all__ = ["METHODS", "OPTIONS", "Method", "Options", "Pruning", "Step", "chosen_by_validation", "prune", "why_not"]


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


def _in_file(name: str) -> Callable[["Table", "Tree", Options, Progress], Pruning]:
    """The function of this name in the file of this name, which is loaded when the method is first used: it brings the
    compiler along, and menus need the words alone."""

    def method(table: "Table", tree: "Tree", options: Options, progress: Progress) -> Pruning:
        found: Pruning = getattr(import_module(f"{__name__}.{name}"), name)(table, tree, options, progress)
        return found

    return method


METHODS: dict[str, Method] = {
    "cost_complexity": Method(
        "Cost complexity",
        _in_file("cost_complexity"),
        "Cuts the split that pays least per leaf on the training rows, again and again; validation rows, or "
        "cross-validation without them, choose where to stop.",
        options=("measure", "judge", "standard_errors"),
        by_validation=lambda told: told.judge != "folds",
    ),
    "reduced_error": Method(
        "Reduced error",
        _in_file("reduced_error"),
        "Cuts every branch that does not lower the error on the validation rows: the smallest of the most "
        "accurate prunings.",
        needs_validation=True,
    ),
    "pessimistic": Method(
        "Pessimistic",
        _in_file("pessimistic"),
        "Cuts what is not expected to err less, judged by the training rows alone, as C4.5 does: errors that were seen "
        "are raised to the limit that they might stand for. Branches may take the place of the split above them.",
        options=("rule", "confidence", "raising"),
        classes_only="It expects errors of a leaf from those among its training rows, so it needs a target of classes.",
    ),
    "generic": Method(
        "Generic",
        _in_file("generic"),
        "At every node, bottom up, the best by a chosen estimate: a leaf of any class, one of the branches in its "
        "place with all rows, or the tree as it is.",
        options=("estimate", "leaf_labels", "delta", "confidence"),
        classes_only="Its estimates are of errors, shares of the rows, so it needs a target of classes.",
        by_validation=lambda told: told.estimate == "validation",
    ),
    "mdl": Method(
        "Description length",
        _in_file("mdl"),
        "The tree that is shortest to describe together with the classes of the rows that it leaves to be told; or the "
        "one with the least bound on its error by its length. No rows are set aside for it.",
        options=("code", "delta"),
        classes_only="Classes are described in whole symbols, numbers in as many digits as one likes; for a numeric "
        "target prune by cost complexity or by validation rows.",
    ),
    "srm": Method(
        "Structural risk",
        _in_file("srm"),
        "The tree with the fewest errors for every number of leaves; the error and √(size ÷ m), or rows that took no "
        "part in growing, choose among them.",
        options=("judge", "max_errors", "most_leaves"),
        classes_only="Its penalty √(size ÷ m) is for errors, shares between 0 and 1, which a numeric target has not; "
        "prune by cost complexity, which looks at the same trees.",
        by_validation=lambda told: told.judge == "validation" and told.max_errors is None,
    ),
    "kearns_mansour": Method(
        "Kearns and Mansour",
        _in_file("kearns_mansour"),
        "One pass from the leaves up: a split goes unless it saves more errors than a class of trees so rich would by "
        "chance. No rows are set aside for it.",
        options=("capacity", "factor", "delta"),
        classes_only="Its penalty is measured against errors, shares between 0 and 1, which a numeric target has not; "
        "prune by cost complexity or by validation rows.",
    ),
    "greedy_validation": Method(
        "Greedy cuts",
        _in_file("greedy_validation"),
        "Cuts the node whose cut helps the validation rows most, again and again, until any cut would do harm; a cut "
        "high up may forestall two better ones below it.",
        needs_validation=True,
    ),
    "growth": Method(
        "Growth in steps",
        _in_file("growth"),
        "Takes the splits back in the order in which best-first growth makes them, one at a time: the tree of every "
        "size along the way. Validation rows choose where to stop.",
        by_validation=lambda told: True,
    ),
    "by_rule": Method(
        "By rule",
        _in_file("by_rule"),
        "Cuts what the chosen rules forbid: small leaves, splits that do not help the validation rows or that chance "
        "explains, leaves that say the same.",
        options=("min_leaf", "min_validation_gain", "same_answer", "significance"),
        by_validation=lambda told: told.min_validation_gain is not None,
    ),
}


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
    from engine.tree.counting import counted  # brings the compiler along

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
