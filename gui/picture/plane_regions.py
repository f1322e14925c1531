"""Where the leaves of a tree lie in the plane of two numeric columns. No Qt. Other splits are passed as `WAYS` say."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import engine

# At splits of other columns: the branch with most training rows is followed (of equal ones the first); or the node is
# one rectangle; or all branches are followed, and lie one over the other.
LARGER, STOP, ALL = WAYS = ("larger", "stop", "all")
X, Y, NEITHER = 0, 1, -1
THRESHOLD, WITH_SURROGATES = 1, 4  # kinds of splits by thresholds, as in `engine.tree.nodes`


@dataclass(frozen=True, eq=False)
class Cuts:
    """Straight lines through the plane, one for each threshold, in the order in which the splits were made."""

    node: NDArray[np.int64]  # int64[m], the positions of the splits
    axis: NDArray[np.int64]  # int64[m], X for a cut of the horizontal axis (a vertical line), else Y
    at: NDArray[np.float64]  # float64[m], the threshold
    low: NDArray[np.float64]  # low, high: float64[m], where the line begins and ends on the other axis
    high: NDArray[np.float64]
    letters: tuple[str, ...]  # what each is called; cuts of one split have one letter


@dataclass(frozen=True, eq=False)
class Regions:
    """The plane as a tree divides it."""

    tiles: NDArray[np.int64]  # int64[n], the positions of the nodes whose rectangles are shown: no one is above another
    # float64[n_nodes, 4] of every node: its rectangle (left, bottom, right, top), which holds the points with
    # left < x ≤ right and bottom < y ≤ top. Sides may be infinite; nothing lies inside when left ≥ right.
    boxes: NDArray[np.float64]
    cuts: Cuts  # the lines between the rectangles that are shown
    followed: int = 0  # how many splits of other columns only one branch is shown of
    on_path: int = 0  # how many of these stand above the selected node


def regions(tree: engine.Tree, across: str, up: str, node: int = 0, way: str = LARGER) -> Regions:
    """The rectangles of a tree in the plane of two columns, by name, that it need not ask, in O(nodes · log nodes).
    Above the selected node, at the position `node`, every split of another column goes its way; `WAYS` else."""
    axis, path = asked_axis(tree, across, up), (np.arange(tree.n_nodes) <= node) & (node < tree.end)
    boxes, shown = _descend(tree, axis, _entered(tree, axis, path, way))
    inner = np.zeros(tree.n_nodes, dtype=bool)
    inner[tree.parent[np.flatnonzero(shown)[1:]]] = True
    tiles = np.flatnonzero(shown & ~inner)
    followed = inner & (axis == NEITHER) if way != ALL else np.zeros_like(inner)
    on_path = followed & path
    on_path[node] = False
    cuts = _cuts(tree, axis, boxes, np.flatnonzero(inner & (axis >= 0)))
    return Regions(tiles, boxes, cuts, int(followed.sum()), int(on_path.sum()))


def _by_threshold(tree: engine.Tree) -> NDArray[np.bool_]:
    return np.isin(tree.nodes.kind, (THRESHOLD, WITH_SURROGATES)) & (tree.n_branches > 0)


def asked_axis(tree: engine.Tree, across: str, up: str) -> NDArray[np.int64]:
    """int64[n_nodes]: which axis the split of each node cuts by thresholds: `X`, `Y` or `NEITHER`."""
    names, by_threshold = [column.name for column in tree.columns], _by_threshold(tree)
    found = np.full(tree.n_nodes, NEITHER, dtype=np.int64)
    for axis, name in ((Y, up), (X, across)):
        if name in names:
            found[by_threshold & (tree.nodes.column == names.index(name))] = axis
    return found


def most_asked(tree: engine.Tree) -> list[str]:
    """The columns that the tree splits by thresholds, those with the most splits first, of equal ones the first."""
    counts = np.bincount(tree.nodes.column[_by_threshold(tree)], minlength=len(tree.columns))
    order = np.argsort(-counts, kind="stable")
    return [tree.columns[i].name for i in order.tolist() if counts[i]]


def letter(rank: int) -> str:
    """a, b, … z, aa, ab, … for 0, 1, …"""
    name, rank = "", rank + 1
    while rank:
        rank, digit = divmod(rank - 1, 26)
        name = chr(ord("a") + digit) + name
    return name


def tile_at(boxes: NDArray[np.float64], x: float, y: float) -> int:
    """Which of some boxes float64[n, 4] holds a point; of several the smallest one, −1 if there is none."""
    left, bottom, right, top = boxes.T
    inside = np.flatnonzero((left < x) & (x <= right) & (bottom < y) & (y <= top))
    if inside.size <= 1:
        return int(inside[0]) if inside.size else -1
    areas = (right - left)[inside] * (top - bottom)[inside]
    return int(inside[np.argmin(areas)])


def _entered(tree: engine.Tree, axis: NDArray[np.int64], path: NDArray[np.bool_], way: str) -> NDArray[np.bool_]:
    """bool[n_nodes]: whether the picture goes from the parent into each node."""
    parent = tree.parent
    if way == ALL:
        return np.ones(tree.n_nodes, dtype=bool)
    entered = (axis[parent] >= 0) | path  # the root is on it
    if way == LARGER:
        below = np.zeros(tree.n_nodes, dtype=bool)  # nodes one of whose children lies on the path
        below[parent[np.flatnonzero(path)[1:]]] = True
        children = np.flatnonzero((axis[parent] == NEITHER) & ~below[parent])
        children = children[children > 0]
        order = children[np.lexsort((children, -tree.rows_train[children], parent[children]))]
        first = np.ones(order.size, dtype=bool)
        first[1:] = parent[order[1:]] != parent[order[:-1]]
        entered[order[first]] = True
    return entered


def _descend(tree: engine.Tree, axis: NDArray, entered: NDArray) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(the box of every node, whether the picture goes there), level by level."""
    (low, high), boxes, shown = _limits(tree), np.empty((tree.n_nodes, 4)), entered.copy()
    boxes[0] = (-np.inf, -np.inf, np.inf, np.inf)
    order = np.argsort(tree.level, kind="stable")
    begins = np.searchsorted(tree.level[order], np.arange(1, tree.depth + 2))
    for start, stop in itertools.pairwise(begins):
        here = order[start:stop]
        above = tree.parent[here]
        box = boxes[above]
        for side in (X, Y):
            cut = axis[above] == side
            box[cut, side] = np.maximum(box[cut, side], low[here[cut]])
            box[cut, side + 2] = np.minimum(box[cut, side + 2], high[here[cut]])
        boxes[here] = box
        shown[here] &= shown[above]
    return boxes, shown


def _limits(tree: engine.Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """float64[n_nodes] each: node i takes values above low[i] and up to high[i]; of missing ones low[i] is ∞."""
    parent, branch = tree.parent, tree.branch
    n_cuts, before, at = _n_cuts(tree)[parent], _thresholds(tree, parent, branch - 1), _thresholds(tree, parent, branch)
    low = np.where(branch == 0, -np.inf, np.where(branch <= n_cuts, before, np.inf))
    return low, np.where(branch < n_cuts, at, np.inf)


def _thresholds(tree: engine.Tree, nodes: NDArray, k: NDArray) -> NDArray[np.float64]:
    """float64[n]: the k-th threshold of each of some nodes, int[n], where it has one."""
    further = np.append(tree.payload, np.nan)
    at = np.clip(tree.nodes.payload_start[nodes] + k - 1, 0, further.size - 1)
    return np.where(k == 0, tree.nodes.threshold[nodes], further[at])


def _n_cuts(tree: engine.Tree) -> NDArray[np.int64]:
    """int64[n_nodes]: how many thresholds each split has, if it splits by thresholds."""
    return 1 + np.where(tree.nodes.kind == THRESHOLD, tree.nodes.payload_size, 0)  # with surrogates there is one


def _cuts(tree: engine.Tree, axis: NDArray[np.int64], boxes: NDArray[np.float64], which: NDArray[np.int64]) -> Cuts:
    """The lines of some splits inside their boxes; letters follow the age of all splits, whatever is selected."""
    all_cuts = np.flatnonzero(axis >= 0)
    rank = np.zeros(tree.n_nodes, dtype=np.int64)
    rank[all_cuts[np.argsort(tree.ids[all_cuts + 1], kind="stable")]] = np.arange(all_cuts.size)
    which = which[np.argsort(rank[which])]
    n_cuts = _n_cuts(tree)[which]
    node = np.repeat(which, n_cuts)
    k = np.arange(node.size) - np.repeat(np.cumsum(n_cuts) - n_cuts, n_cuts)
    value = _thresholds(tree, node, k)
    own, other, places, box = axis[node], 1 - axis[node], np.arange(node.size), boxes[node]
    inside = (box[places, own] < value) & (value < box[places, own + 2])
    inside &= box[places, other] < box[places, other + 2]
    low, high = box[places, other][inside], box[places, other + 2][inside]
    node = node[inside]
    return Cuts(node, own[inside], value[inside], low, high, tuple(letter(int(i)) for i in rank[node]))
