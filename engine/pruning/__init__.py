"""Cutting back: every method makes a sequence of ever smaller prunings and recommends one of them.

A new method is one file with one function and one line in `METHODS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import InputError
from engine.progress import Progress
from engine.pruning.cost_complexity import cost_complexity
from engine.pruning.growth import growth
from engine.pruning.reduced_error import reduced_error
from engine.pruning.sequence import Pruning, Step

if TYPE_CHECKING:
    from engine.assignment import Assignment
    from engine.table import Table
    from engine.tree import Tree

__all__ = ["METHODS", "Method", "Options", "Pruning", "Step", "prune"]


@dataclass(frozen=True)
class Options:
    """What a method may be told.

    Attributes:
        keep_by_hand: splits that a person made, and those above them, stay.
        folds: parts for cross-validation.
        seed: for dealing the rows out to the folds.
    """

    keep_by_hand: bool = False
    folds: int = 10
    seed: int = 0


@dataclass(frozen=True)
class Method:
    """A way to prune, as menus and the command line show it.

    Attributes:
        label: the words shown to people.
        function: (table, tree, options, progress) -> Pruning.
        needs_validation: whether it cannot work without validation rows.
        explanation: one sentence for people.
    """

    label: str
    function: Callable[["Table", "Tree", Options, Progress], Pruning]
    needs_validation: bool
    explanation: str


METHODS: dict[str, Method] = {
    "cost_complexity": Method(
        "Cost complexity",
        cost_complexity,
        False,
        "Cuts the split that pays least per leaf on the training rows, again and again; validation rows, or "
        "cross-validation without them, choose where to stop.",
    ),
    "reduced_error": Method(
        "Reduced error",
        reduced_error,
        True,
        "Cuts every branch that does not lower the error on the validation rows: the smallest of the most "
        "accurate prunings.",
    ),
    "growth": Method(
        "Growth in steps",
        growth,
        False,
        "Takes the splits back in the order in which best-first growth makes them, one at a time: the tree of every "
        "size along the way. Validation rows choose where to stop.",
    ),
}


def prune(
    table: "Table",
    tree: "Tree",
    method: str = "cost_complexity",
    *,
    keep_by_hand: bool = False,
    folds: int = 10,
    seed: int = 0,
    assignment: "Assignment | None" = None,
    progress: Progress | None = None,
) -> Pruning:
    """Cuts a tree back step by step.

    Splits that pins and locks keep stay in every step, see `engine.marks.splits_kept`.

    Args:
        table: the rows to judge by; a tree that was counted on other ones is counted again.
        tree: the tree to prune; it stays as it is.
        method: a name of `METHODS`.
        keep_by_hand: leave the splits alone that a person made (and so those above them).
        folds: number of folds where cross-validation has to choose; at least 2.
        seed: deals the rows out to the folds.
        assignment: which rows stand in which node, if at hand; the present methods need the counts only.
        progress: told of the folds; a stop leaves the sequence, chosen by the folds that were finished.

    Raises:
        InputError: no such method, folds below 2, or the method needs validation rows and there are none.
    """
    from engine.tree import counted

    if method not in METHODS:
        raise InputError(f"There is no pruning method “{method}”; choose one of {', '.join(METHODS)}.")
    if folds < 2:
        raise InputError(f"{folds} folds are too few; cross-validation needs at least 2.")
    return METHODS[method].function(
        table, counted(tree, table), Options(keep_by_hand, folds, seed), progress or Progress()
    )
