"""What the comparison of two trees says, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gui.wording import words

if TYPE_CHECKING:
    from engine.assessment import Fit
    from engine.assessment.comparison import Comparison
    from engine.tree.tree import Tree

PARTS = {"train": "training", "validation": "validation"}
LIKELY = 0.05  # p-values below this are called unlikely


def rows(results: dict[str, Comparison], tree: Tree, other: Tree) -> list[tuple[str, str, str]]:
    """The figures of both trees: (what, of the tree on the canvas, of the other)."""
    found = [
        ("Leaves", words.count(tree.n_leaves), words.count(other.n_leaves)),
        ("Depth", words.count(tree.depth), words.count(other.depth)),
    ]
    for part, one in results.items():
        measure = "error" if tree.task == "classes" else "absolute error" if tree.predicts_median else "squared error"
        found.append((f"{PARTS[part].capitalize()} {measure}", *(_error(fit, part) for fit in one.fits)))
        if tree.leaf_rule.costs or tree.leaf_rule.priors:
            found.append((f"{PARTS[part].capitalize()} cost", *(words.value(fit.loss) for fit in one.fits)))
        if tree.task == "number":
            found.append((f"{PARTS[part].capitalize()} R²", *(words.value(fit.r2) for fit in one.fits)))
    return found


def _error(fit: Fit, part: str) -> str:
    if not math.isnan(fit.accuracy):
        low, high = 1 - fit.interval[1], 1 - fit.interval[0]
        around = f" ({words.percent(low).removesuffix(' %')} to {words.percent(high)})" if part != "train" else ""
        return words.percent(fit.error) + around
    return words.value(fit.error)


def sentences(found: Comparison, uses: int = 0) -> list[str]:
    """Where the trees differ, and whether chance explains it; one for each thought.

    Args:
        uses: how often the validation rows were used to choose.
    """
    part = PARTS[found.part]
    if not found.n:
        return [f"There are no {part} rows to compare the trees by."]
    of = f"Of {words.count(found.n)} {part} rows"
    if not found.differ:
        return [f"{of} the trees answer none differently."]
    said = [f"{of} the trees answer {words.count(found.differ)} ({words.percent(found.differ / found.n)}) differently."]
    if found.fits[0].confusion.size:
        said.append(
            f"Only the tree on the canvas is right on {words.count(found.only_first)} of them, only the other on "
            f"{words.count(found.only_second)}; McNemar's test: {_chance(found.p_value)}."
        )
    else:
        said.append(f"Paired test of the errors: {_chance(found.p_value)}.")
    said.append(_difference(found))
    if found.part == "train":
        said.append("Training rows made the trees, so that the larger one looks better on them than it is.")
    elif uses:
        often = "once" if uses == 1 else f"{words.count(uses)} times"
        said.append(
            f"The validation rows were used {often} to choose: a tree that was chosen by them looks better on them "
            "than it is, and the test and the interval do not know that."
        )
    return said


def _chance(p: float) -> str:
    if math.isnan(p):
        return "too few rows to tell"
    often = "chance alone seldom makes as much" if p < LIKELY else "chance alone often makes as much"
    return f"p = {words.gain(p)}, {often}"


def _difference(found: Comparison) -> str:
    """The difference of the errors with its interval."""
    points = bool(found.fits[0].confusion.size)
    around = f"(95 %: {_interval(*found.interval, points)})"
    if found.difference == 0:
        return f"Their errors are the same {around}."
    return f"The tree on the canvas errs {_size(found.difference, points)} {_side(found.difference)} {around}."


def _interval(low: float, high: float, points: bool) -> str:
    """ "0.7 to 6.3 pp less", "1.2 pp less to 3.0 pp more": in the words of the difference, the smaller one first."""
    if low < 0 < high:
        return f"{_size(low, points)} less to {_size(high, points)} more"
    near, far = sorted((low, high), key=abs)
    return f"{_size(near, points).removesuffix(' pp')} to {_size(far, points)} {_side(far)}"


def _side(difference: float) -> str:
    return "less" if difference < 0 else "more"


def _size(difference: float, points: bool) -> str:
    """How large it is, in percentage points where it is one of shares."""
    size = abs(difference)
    return words.percent(size).removesuffix(" %") + " pp" if points else words.value(size)
