"""Pruning: every method makes a sequence of ever smaller trees and recommends one of them.

A new method is one file with one function and one entry of `METHODS`, which is all that the command line, the window
and warming up know of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.pruning.options import NEEDS_ROWS, NO_VALIDATION, OPTIONS, Options
from engine.runtime.sentences import marked, spoken, tr

if TYPE_CHECKING:  # it brings pandas along, and a window that lists the methods does not wait for that
    from engine.table.table import Table

__all__ = ["METHODS", "OPTIONS", "Method", "Options", "chosen_by_validation", "why_not"]


@spoken("label", "explanation", "classes_only")
@dataclass(frozen=True)
class Method:
    """A way to prune, as menus and the command line show it.

    Attributes:
        label: the words shown to people.
        function: (Table, Tree, Options, Progress) -> `engine.pruning.result.Pruning`.
        explanation: one sentence for people.
        needs_validation: whether it cannot work without validation rows.
        by_validation: whether validation rows, where there are any, take part in what it recommends with some options.
        options: the entries of `OPTIONS` that it listens to.
        classes_only: why it cannot work for a numeric target; empty where it can.
        needs_rows: whether it cannot work where rows are only counted.
    """

    label: str
    function: Callable[..., Any]
    explanation: str
    needs_validation: bool = False
    options: tuple[str, ...] = ()
    classes_only: str = ""
    by_validation: Callable[[Options], bool] = lambda told: False
    needs_rows: bool = False


def _in_file(file: str, name: str = "") -> Callable[..., Any]:
    """The function of a file, by the file's name if it says no other; the file is loaded when the method is first used:
    it brings the compiler along, and menus need the words alone."""
    return lambda *given: getattr(import_module(f"{__name__}.{file}"), name or file)(*given)


METHODS: dict[str, Method] = {
    "cost_complexity": Method(
        marked("Cost complexity"), _in_file("cost_complexity"),
        marked("Cuts the split that pays least per leaf on the training rows, again and again; validation rows, or "
            "cross-validation without them, choose where to stop."),
        options=("measure", "judge", "standard_errors", "repeats"), by_validation=lambda told: told.judge != "folds",
    ),
    "reduced_error": Method(
        marked("Reduced error"), _in_file("by_validation", "reduced_error"),
        marked("Cuts every branch that does not lower the error on the validation rows: the smallest of the most "
            "accurate prunings."),
        needs_validation=True,
    ),
    "pessimistic": Method(
        marked("Pessimistic"), _in_file("pessimistic"),
        marked("Cuts what is not expected to err less, judged by the training rows alone, as C4.5 does: errors that "
            "were seen are raised to the limit that they might stand for. Branches may take the place of the split "
            "above them."),
        options=("rule", "confidence", "raising"),
        classes_only=marked("It expects errors of a leaf from those among its training rows, so it needs a target "
            "of classes."),
    ),
    "generic": Method(
        marked("Generic"), _in_file("raising", "generic"),
        marked("At every node, bottom up, the best by a chosen estimate: a leaf of any class, one of the branches "
            "in its place with all rows, or the tree as it is."),
        options=("estimate", "leaf_labels", "delta", "confidence"),
        by_validation=lambda told: told.estimate == "validation",
        classes_only=marked("Its estimates are of errors, shares of the rows, so it needs a target of classes."),
        needs_rows=True,
    ),
    "mdl": Method(
        marked("Description length"), _in_file("mdl"),
        marked("The tree that is shortest to describe together with the classes of the rows that it leaves to be "
            "told; or the one with the least bound on its error by its length. No rows are set aside for it."),
        options=("code", "delta"),
        classes_only=marked("Classes are described in whole symbols, numbers in as many digits as one likes; for a "
            "numeric target prune by cost complexity or by validation rows."),
    ),
    "srm": Method(
        marked("Structural risk"), _in_file("srm"),
        marked("The tree with the fewest errors for every number of leaves; the error and √(size ÷ m), or rows that "
            "took no part in growing, choose among them."),
        options=("judge", "max_errors", "most_leaves", "repeats"),
        by_validation=lambda told: told.judge == "validation" and told.max_errors is None,
        classes_only=marked("Its penalty √(size ÷ m) is for errors, shares between 0 and 1, which a numeric target "
            "has not; prune by cost complexity, which looks at the same trees."),
    ),
    "kearns_mansour": Method(
        marked("Kearns and Mansour"), _in_file("pessimistic", "kearns_mansour"),
        marked("One pass from the leaves up: a split goes unless it saves more errors than a class of trees so rich "
            "would by chance. No rows are set aside for it."),
        options=("capacity", "factor", "delta"),
        classes_only=marked("Its penalty is measured against errors, shares between 0 and 1, which a numeric target "
            "has not; prune by cost complexity or by validation rows."),
    ),
    "greedy_validation": Method(
        marked("Greedy cuts"), _in_file("by_validation", "greedy_validation"),
        marked("Cuts the node whose cut helps the validation rows most, again and again, until any cut would do "
            "harm; a cut high up may forestall two better ones below it."),
        needs_validation=True,
    ),
    "growth": Method(
        marked("Growth in steps"), _in_file("growth"),
        marked("Takes the splits back in the order in which best-first growth makes them, one at a time: the tree "
            "of every size along the way. Validation rows choose where to stop."),
        by_validation=lambda told: True,
    ),
    "by_rule": Method(
        marked("By rule"), _in_file("by_rule"),
        marked("Cuts what the chosen rules forbid: small leaves, splits that do not help the validation rows or "
            "that chance explains, leaves that predict the same."),
        options=("min_leaf", "min_validation_gain", "same_answer", "significance", "significance_of"),
        by_validation=lambda told: told.min_validation_gain is not None,
    ),
}  # fmt: skip


def why_not(method: str, table: "Table") -> str:
    """Why a method of `METHODS` cannot cut back trees of this table; empty when it can."""
    entry = METHODS[method]
    if entry.classes_only and table.task != "classes":
        return entry.classes_only
    if entry.needs_rows and table.counter is not None:
        return tr(NEEDS_ROWS)
    return tr(NO_VALIDATION) if entry.needs_validation and table.n_validation == 0 else ""


def chosen_by_validation(method: str, options: dict[str, Any]) -> bool:
    """Whether validation rows, where there are any, take part in what a method recommends with these options."""
    entry = METHODS[method]
    return entry.needs_validation or entry.by_validation(Options().told(options, entry.options, entry.label))
