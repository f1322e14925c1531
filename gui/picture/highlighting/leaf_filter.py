"""Leaves by how many rows they hold and how sure they are: which pass a filter, and the ways to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.picture.highlighting.emphasis import Emphasis
from gui.picture.nodes.figures import part_spreads, shares, stats_of
from gui.picture.tree_cache import latest
from gui.wording import words
from gui.wording.phrases import leaves

if TYPE_CHECKING:
    from engine.tree.tree import Tree


@dataclass(frozen=True)
class LeafFilter:
    """What a leaf needs to pass; None asks nothing.

    Attributes:
        rows: rows at least.
        share: of all rows at least, 0 to 1.
        confidence: the share of the class that the leaf says, at least; 0 to 1. Asked of classes only.
        spread: how far the values lie from what the leaf says, at most: the standard deviation (of a tree that says
            medians, among training rows the mean absolute error). Asked of numbers only.
    """

    rows: int | None = None
    share: float | None = None
    confidence: float | None = None
    spread: float | None = None

    def asks(self, task: str) -> bool:
        """Whether it asks anything of a tree for classes or for a number."""
        sure = self.confidence if task == "classes" else self.spread
        return any(limit is not None for limit in (self.rows, self.share, sure))


@latest
def passing(tree: Tree, wanted: LeafFilter, part: str = "train") -> NDArray[np.bool_]:
    """bool[n_nodes]: the leaves that pass by the rows of a part, "train" or "validation". Without rows nothing is
    sure: such a leaf passes where nothing is asked of it."""
    found = tree.n_branches == 0
    rows = tree.rows_validation if part == "validation" else tree.rows_train
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


def said_shares(tree: Tree, part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the share of the class that each node says among the rows of a part; NaN without rows."""
    return shares(stats_of(tree, part))[np.arange(tree.n_nodes), tree.labels]


def with_ways(tree: Tree, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[n_nodes]: the nodes of a mask and all above them."""
    before = np.concatenate(([0], np.cumsum(found)))
    return np.asarray(before[tree.end] > before[:-1])


def asked_words(wanted: LeafFilter, task: str, part: str = "train") -> str:
    """What is asked: "≥ 50 rows, ≥ 80 % sure"; of validation rows that is said."""
    asked, of = [], "validation " if part == "validation" else ""
    if wanted.rows is not None:
        asked.append(f"≥ {words.count(wanted.rows)} {of}{'row' if wanted.rows == 1 else 'rows'}")
    if wanted.share is not None:
        asked.append(f"≥ {_percent(wanted.share)} of the {of}rows")
    if task == "classes" and wanted.confidence is not None:
        asked.append(f"≥ {_percent(wanted.confidence)} sure")
    if task == "number" and wanted.spread is not None:
        asked.append(f"spread ≤ {words.value(wanted.spread)}")
    if of and not any(of in text for text in asked):
        asked[-1] += " on validation rows"
    return ", ".join(asked)


def passed_words(n_passing: int, n_leaves: int) -> str:
    """How many pass: "12 of 140 leaves"."""
    return f"{words.count(n_passing)} of {leaves(n_leaves)}"


def _percent(share: float) -> str:
    return words.percent(share, 0 if round(100 * share, 9) % 1 == 0 else 1)


@latest
def lit(tree: Tree, wanted: LeafFilter, part: str) -> Emphasis:
    """The leaves that pass and the ways to them are lit, the rest is faded."""
    return Emphasis(lit=with_ways(tree, passing(tree, wanted, part)))
