"""Quantiles of a numeric target in every node, for box plots: of all nodes together, level by level."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.nodes import span
from engine.tree.tree import Tree

BOX = (0.05, 0.25, 0.5, 0.75, 0.95)  # where the whiskers end, the box, and the median
MOST_WORK = 60_000_000  # rows of all nodes together: a long staircase over many rows would take minutes


def quantiles(
    table: Table, tree: Tree, at: Assignment, part: str = "train", shares: Sequence[float] = BOX,
    progress: Progress | None = None,
) -> NDArray[np.float64]:  # fmt: skip
    """float64[n_nodes, Q] in units of the target: the least value that, with all below it, holds such a share of the
    weight of a part ("train" or "validation") in the node; NaN without rows, all NaN where a tree is so deep that it
    would take minutes. Stopped, it leaves NaN for the levels that it did not reach."""
    found = np.full((tree.n_nodes, len(shares)), np.nan)
    here = table.part[at.rows] == (TRAIN if part == "train" else VALIDATION)
    before = np.concatenate(([0], np.cumsum(here)))
    start, stop = before[at.start], before[at.stop]
    if int((stop - start).sum()) > MOST_WORK:
        return found
    rows = at.rows[here]
    y = table.y[rows]
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    ascending = np.argsort(y, kind="stable")
    by_level = np.argsort(tree.level, kind="stable")
    bounds = np.searchsorted(tree.level[by_level], np.arange(tree.depth + 2))
    for level in range(tree.depth + 1):
        if progress is not None and progress.stopped:
            break
        nodes = by_level[bounds[level] : bounds[level + 1]]
        nodes = nodes[stop[nodes] > start[nodes]]
        if nodes.size:
            found[nodes] = _of_slices(y, weights, ascending, start[nodes], stop[nodes], np.asarray(shares))
    return found + tree.origin


def _of_slices(
    y: NDArray[np.float64], weights: NDArray[np.float64], ascending: NDArray[np.int64], start: NDArray[np.int64],
    stop: NDArray[np.int64], shares: NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    """float64[n, Q] of slices of rows that are not empty; ascending: the places of y in ascending order."""
    sizes = stop - start
    owner = np.full(y.size, -1)
    owner[span(start, sizes)] = np.repeat(np.arange(start.size), sizes)
    order = ascending[owner[ascending] >= 0]
    order = order[np.argsort(owner[order], kind="stable")]  # by slice, ascending values within
    reached, last = np.cumsum(weights[order]), np.cumsum(sizes)
    base = np.concatenate(([0.0], reached[last[:-1] - 1]))
    total = reached[last - 1] - base
    # Sums of weights are rounded: a share that is reached but for that counts as reached.
    found = np.searchsorted(reached, base[:, None] + total[:, None] * (shares - 1e-9))
    return y[order][np.clip(found, (last - sizes)[:, None], (last - 1)[:, None])]
