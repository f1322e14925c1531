"""Leaves: which pass a filter by their rows and how sure they are, and the best ones, where a class is most frequent or
a number highest or lowest. Two rows that happen to be of one class have the rate 100 % and say little, and of many
leaves some look good by chance. So the best leaves are ranked by what they have at least, by bounds that hold for all
leaves of the tree at once, see `engine.assessment.leaf_bounds`; leaves whose mean has no bound come after all others.
Validation rows judge where there are any. Only leaves better than all rows together are listed, and while a filter is
on, only those that pass it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.sentences import tr
from gui.picture.emphasis import Emphasis
from gui.picture.nodes.figures import PARTS, effective_rows, part_spreads, rates, rows_of, shares, stats_of
from gui.picture.tree_cache import latest
from gui.wording import words
from gui.wording.phrases import leaves

MOST = 5
ROUNDING = 1e-12  # by which equal rates may differ
HIGHEST, LOWEST = "highest", "lowest"


@dataclass(frozen=True)
class LeafFilter:
    """What a leaf needs to pass; None asks nothing."""

    rows: int | None = None  # rows at least
    share: float | None = None  # of all rows at least, 0 to 1
    confidence: float | None = None  # of classes: the share of the one that the leaf says, at least; 0 to 1
    spread: float | None = None  # of numbers: how far values lie from what it says, at most; see `part_spreads`

    def asks(self, task: str) -> bool:
        """Whether it asks anything of a tree for classes or for a number."""
        sure = self.confidence if task == "classes" else self.spread
        return any(limit is not None for limit in (self.rows, self.share, sure))


@latest
def passing(tree: engine.Tree, wanted: LeafFilter, part: str = "train") -> NDArray[np.bool_]:
    """bool[n_nodes]: the leaves that pass by the rows of a part; without rows where nothing is asked of it."""
    found, rows = tree.n_branches == 0, rows_of(tree, part)
    if wanted.rows is not None:
        found &= rows >= wanted.rows
    if wanted.share is not None:
        found &= rows >= wanted.share * max(int(rows[0]), 1)
    with np.errstate(invalid="ignore"):
        if tree.task == "classes" and wanted.confidence is not None:
            # What reads 80 % passes 80 %: rounding errors of weighted counts aside.
            found &= said_shares(tree, part) >= wanted.confidence - 1e-12
        if tree.task == "number" and wanted.spread is not None:
            found &= part_spreads(tree, part) <= wanted.spread
    return found


def said_shares(tree: engine.Tree, part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the share of the class that each node says among the rows of a part; NaN without rows."""
    return shares(stats_of(tree, part))[np.arange(tree.n_nodes), tree.labels]


def with_ways(tree: engine.Tree, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[n_nodes]: the nodes of a mask and all above them."""
    before = np.concatenate(([0], np.cumsum(found)))
    return np.asarray(before[tree.end] > before[:-1])


def asked_words(wanted: LeafFilter, task: str, part: str = "train") -> str:
    """What is asked: "≥ 50 rows, ≥ 80 % sure"; of validation rows that is said."""
    asked, validation = [], part == "validation"
    if wanted.rows == 1:
        asked.append(tr("≥ 1 validation row") if validation else tr("≥ 1 row"))
    elif wanted.rows is not None:
        n = words.count(wanted.rows)
        asked.append(tr("≥ {n} validation rows", n=n) if validation else tr("≥ {n} rows", n=n))
    if wanted.share is not None:
        share = _percent(wanted.share)
        of_validation = tr("≥ {share} of the validation rows", share=share)
        asked.append(of_validation if validation else tr("≥ {share} of the rows", share=share))
    told = not validation or bool(asked)
    if task == "classes" and wanted.confidence is not None:
        sure = _percent(wanted.confidence)
        asked.append(tr("≥ {share} sure", share=sure) if told else tr("≥ {share} sure on validation rows", share=sure))
    if task == "number" and wanted.spread is not None:
        far = words.value(wanted.spread)
        held_out = tr("spread ≤ {value} on validation rows", value=far)
        asked.append(tr("spread ≤ {value}", value=far) if told else held_out)
    return ", ".join(asked)


def passed_words(n_passing: int, n_leaves: int) -> str:
    """How many pass: "12 of 140 leaves"."""
    return tr("{n} of {leaves}", n=words.count(n_passing), leaves=leaves(n_leaves))


def _percent(share: float) -> str:
    return words.percent(share, 0 if round(100 * share, 9) % 1 == 0 else 1)


@latest
def lit(tree: engine.Tree, wanted: LeafFilter, part: str) -> Emphasis:
    """The leaves that pass and the ways to them are lit, the rest is faded."""
    return Emphasis(lit=with_ways(tree, passing(tree, wanted, part)))


class BestLeaf(NamedTuple):
    """A leaf in the list of the best."""

    position: int  # of the leaf in the tree
    rows: int  # rows, validation_rows: unweighted
    rate: float  # rate, validation_rate: the share of the class, or the mean; NaN without rows
    validation_rows: int
    validation_rate: float
    bound: float  # by which it is ranked; NaN for a mean of too few rows, which comes last


def judging_part(tree: engine.Tree) -> str:
    """The rows by which leaves are ranked: validation rows where there are any, as the training rows chose the tree."""
    return "validation" if tree.rows_validation[0] > 0 else "train"


@latest
def best_leaves(
    tree: engine.Tree, wanted: int | str, among: LeafFilter | None = None, part: str = "train", most: int = MOST
) -> list[BestLeaf]:
    """The best leaves, the best first, of those that pass a filter by the rows of a part: `wanted` is the index of a
    class, or HIGHEST or LOWEST for numbers. They are ranked by the rows of `judging_part`; leaves without any of these
    are left out, and those that are no better than all of these rows together."""
    from engine.assessment.leaf_bounds import bound_means, bound_rates  # here, so that an empty window needs no engine

    at, k, judges = tree.leaves, wanted if isinstance(wanted, int) else 0, judging_part(tree)
    train, validation = (rates(tree, k, stats[at]) for stats in (tree.train, tree.validation))
    judged, rows = (validation, tree.rows_validation) if judges == "validation" else (train, tree.rows_train)
    sign, effective = -1.0 if wanted == LOWEST else 1.0, effective_rows(tree)[:, PARTS.index(judges)]
    if tree.task == "classes":
        bound = bound_rates(tree, k, judges, effective)
    else:
        bound = sign * bound_means(tree, wanted == LOWEST, judges, effective)
    average = float(rates(tree, k, tree.stats(judges)[:1])[0])
    with np.errstate(invalid="ignore"):
        usable = sign * (judged - average) > ROUNDING * abs(average)
    if among is not None:
        usable &= passing(tree, among, part)[at]
    places = np.flatnonzero(usable)
    # Of equal ones, and of those without a bound, the larger leaf is better, then by the mean, then further left.
    ranked = places[np.lexsort((places, -sign * judged[places], -rows[at][places], -bound[places]))][:most]
    return [
        BestLeaf(int(at[p]), int(tree.rows_train[at[p]]), float(train[p]), int(tree.rows_validation[at[p]]),
                 float(validation[p]), float(sign * bound[p]))
        for p in ranked
    ]  # fmt: skip


def wanted_of(tree: engine.Tree, best: str, focus: int) -> int | str:
    """What `best_leaves` is asked for a choice that may be of another tree: then the class in focus, or the highest."""
    if tree.task == "number":
        return best if best in (HIGHEST, LOWEST) else HIGHEST
    return tree.classes.index(best) if best in tree.classes else min(focus, len(tree.classes) - 1)
