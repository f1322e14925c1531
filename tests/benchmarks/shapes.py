"""Trees of any size and of two shapes with made-up counts, made in a moment: to be drawn, not to be believed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.tree.nodes import Nodes, TreeColumn, unfilled
from engine.tree.tree import Tree

BALANCED, CHAIN = "balanced", "chain"
SHAPES = (BALANCED, CHAIN)
ROWS = 700_000
COLUMNS = (
    "late_payments",
    "a rather long name of a column that nobody wanted to abbreviate",
    "opened",
    "age",
    "income",
)


def tree_of(n_nodes: int, shape: str, seed: int = 0) -> Tree:
    """A tree of two classes and binary splits of about so many nodes, every third of them by hand.

    Args:
        shape: BALANCED: every split leaves between 35 % and 65 % of the leaves to a side; CHAIN: one leaf to a side.
    """
    rng = np.random.default_rng(seed)
    leaves = _preorder((n_nodes + 1) // 2, shape, rng)
    inner = leaves > 1
    own = np.where(inner[:, None], 0, rng.gamma(0.6, 1.0, (leaves.size, 2)))
    before = np.vstack((np.zeros((1, 2)), np.cumsum(own, axis=0)))
    end = np.arange(leaves.size) + 2 * leaves - 1
    counts = np.rint((before[end] - before[:-1]) * (ROWS / own.sum()))
    return _bundle(inner, counts, rng)


def _preorder(n_leaves: int, shape: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """int64[n]: how many leaves are below each node, in preorder."""
    leaves = np.empty(2 * n_leaves - 1, np.int64)
    row, sizes = np.zeros(1, np.int64), np.array([n_leaves])
    while row.size:
        leaves[row] = sizes
        inner = sizes > 1
        row, sizes = row[inner], sizes[inner]
        first = np.ones_like(sizes) if shape == CHAIN else np.rint(sizes * rng.uniform(0.35, 0.65, sizes.size))
        first = first.clip(1, sizes - 1).astype(np.int64)
        row = np.column_stack((row + 1, row + 2 * first)).ravel()
        sizes = np.column_stack((first, sizes - first)).ravel()
    return leaves


def _bundle(inner: NDArray[np.bool_], counts: NDArray[np.float64], rng: np.random.Generator) -> Tree:
    n = inner.size
    rows = counts.sum(axis=1).astype(np.int64)
    zero, far = np.zeros(n, np.int32), np.zeros(n, np.int64)
    column = np.where(inner, rng.integers(0, len(COLUMNS), n), -1).astype(np.int32)
    cut = np.where(column == 2, 86_400.0 * rng.integers(10_000, 20_000, n), rng.normal(0, 1_000, n).round(3))
    held_out = np.rint(counts * 0.25)
    nodes: tuple[Any, ...] = (
        *(far + np.arange(n), 2 * inner.astype(np.int32), inner.astype(np.int8), column, np.where(inner, cut, np.nan)),
        *(zero, zero, far, far, inner & (rng.random(n) < 1 / 3), counts, held_out, rows),
        *(held_out.sum(axis=1).astype(np.int64), *unfilled(n)),
    )
    kinds = ("integer", "number", "date", "integer", "number")
    columns = tuple(TreeColumn(name, kind, (), False) for name, kind in zip(COLUMNS, kinds, strict=True))
    return Tree("classes", "outcome", ("no", "yes"), columns, Nodes(*nodes), np.zeros(0), origin=0.0, next_id=n)
