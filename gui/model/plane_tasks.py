"""What the worker does for the plane: which rows are drawn, and where. No Qt in here. Every number is taken from the
row and its hash, so that the same rows are drawn at the same places whatever is selected, on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine
from gui.model import tree_tasks
from gui.model.history import State
from gui.picture.plane_regions import ALL, Cuts, Regions, regions

MOST_NAMED = 500  # cuts whose impurity is told
MOST_DRAWN = 4_000  # points: more hide one another
CHOSEN, ASIDE, UPWARDS = 0x504C41, 0x4E45, 0x3003  # seeds of hashes; that of the parts must be another one
LEAVES = ""  # in the place of the column across: the leaves side by side
AIR = 0.04  # of a leaf's column, left free at either side
BAND = 0.76  # of the room of a class over which its points are spread
Floats = NDArray[np.float64]


class Asked(NamedTuple):
    """What is to be drawn: the columns by name (`LEAVES` across: a strip), the selected node, one of `WAYS`."""

    across: str
    up: str
    node: int
    way: str


@dataclass(frozen=True, eq=False)
class Picture:
    """The plane of a tree. Values are not on a logarithmic axis yet; only rows that train or validate count."""

    table: engine.Table
    tree: engine.Tree
    asked: Asked
    tiles: NDArray[np.int64]  # int64[n], the positions of the nodes that are shown
    boxes: Floats  # float64[n, 4], their rectangles
    selected_box: Floats  # float64[4], that of the selected node
    cuts: Cuts  # the lines between them; none in a strip
    impurity: dict[int, float]  # of the training rows that a cut divides, by the position of its split; of the oldest
    lines: Floats  # float64[m, 3], (left, right, height) of what leaves say
    rows: NDArray[np.uint32]  # uint32[k], the rows that are drawn
    x: Floats  # float64[k], where
    y: Floats
    held_out: NDArray[np.bool_]  # bool[k], whether each validates
    tile_of: NDArray[np.int64]  # int64[k], which of the tiles it stands in
    target: Floats  # float64[k], the class or the value of the target
    n_here: int  # rows that stand in the tiles and have a place
    n_lacking: int  # that stand there without a value for it
    n_elsewhere: int  # that go another way at a split of another column
    followed: int  # this and `on_path`: see `Regions`
    on_path: int
    ends: tuple[float, float, float, float]  # left, right, bottom, top: where the values of the columns end


def drawn(state: State, asked: Asked, progress: engine.Progress, options: dict[str, Any] | None = None) -> Picture:
    """The plane or the strip of a tree, in O(rows + nodes · log nodes); `options`: of the search, whose criterion tells
    the impurities."""
    from engine.table.partition import row_hash  # late: it brings the compiler
    from engine.tree.nodes import span  # late: it brings the compiler

    table, tree = state.table, state.tree
    strip = asked.across == LEAVES
    found = regions(tree, asked.across, "" if strip else asked.up, asked.node, ALL if strip else asked.way)
    boxes = found.boxes.copy() if strip else found.boxes
    if strip:  # on 0 … 1 leaves stand side by side, as wide as their training rows
        at_leaves = np.where(tree.n_branches == 0, tree.rows_train, 0)
        before = np.concatenate(([0.0], np.cumsum(at_leaves) / max(int(at_leaves.sum()), 1)))
        boxes[:, 0], boxes[:, 2] = before[:-1], before[tree.end]
    at = state.assigned()
    start, stop = at.start[found.tiles], at.stop[found.tiles]
    places, tile_of = span(start, stop - start), np.repeat(np.arange(start.size), stop - start)
    rows = at.rows[places]
    share = np.ones(rows.size) if at.share is None else at.share[places]
    used = table.part[rows] <= engine.VALIDATION
    rows, tile_of, share = rows[used], tile_of[used], share[used]
    placed = _has_value(table, asked.up, rows)
    if not strip:
        placed &= _has_value(table, asked.across, rows)
    means = _means(table, asked.up, rows[placed], tile_of[placed], share[placed], found.tiles.size) if strip else None
    if at.share is not None:  # a divided row is drawn once, where its largest part stands
        once = _largest(rows, share)
        rows, tile_of, placed = rows[once], tile_of[once], placed[once]
    n_inside = rows.size
    rows, tile_of = rows[placed], tile_of[placed]
    n_here = rows.size
    kept = lowest(row_hash(table.n_rows, CHOSEN)[rows], MOST_DRAWN)
    rows, tile_of = rows[kept], tile_of[kept]
    tiles = boxes[found.tiles]
    target = table.y[rows].astype(np.float64) + table.origin
    if strip:  # somewhere in the column of each row's leaf
        left, right = tiles[tile_of, 0], tiles[tile_of, 2]
        x = left + (right - left) * (AIR + (1 - 2 * AIR) * _share(rows, table, ASIDE))
    else:
        x = _values(table, asked.across, rows)
    ends = (0.0, 1.0) if strip else _ends(table, asked.across)
    lines = _lines(table, tree, asked, found, tiles, means)
    held_out, counted = table.part[rows] == engine.VALIDATION, table.n_train + table.n_validation
    return Picture(
        table, tree, asked, found.tiles, tiles, boxes[asked.node], found.cuts,
        tree_tasks.impurities(state, list(dict.fromkeys(found.cuts.node.tolist()))[:MOST_NAMED], options or {}),
        lines, rows, x,
        _up(table, tree, asked, rows, found.tiles[tile_of]), held_out, tile_of, target,
        n_here, n_inside - n_here, counted - n_inside, found.followed, found.on_path,
        ends + _ends(table, asked.up, strip),
    )  # fmt: skip


def _largest(rows: NDArray[np.uint32], share: Floats) -> NDArray[np.int64]:
    """int64[m]: for each of the m different rows the place of its largest part, ascending places."""
    order = np.lexsort((-share, rows))
    ordered = rows[order]
    return np.sort(order[np.append(True, ordered[1:] != ordered[:-1])[: rows.size]])


def lowest(hashes: NDArray[np.uint64], most: int) -> NDArray[np.int64]:
    """int64[at most `most`]: where the lowest of some hashes stand, ascending places."""
    if hashes.size <= most:
        return np.arange(hashes.size)
    return np.flatnonzero(hashes <= np.partition(hashes, most - 1)[most - 1])


def numeric_columns(table: engine.Table) -> list[str]:
    """The columns that can be an axis: numbers and dates that neither weigh nor divide the rows, the target last."""
    names = [
        column.name for column in table.columns
        if column.is_numeric and column.name != table.target and column.n_values
        and table.roles.get(column.name) not in ("weight", "frequency", "partition")
    ]  # fmt: skip
    target = table.target
    return [*names, target] if target is not None and table.task == "number" else names


def _by_class(table: engine.Table, name: str) -> bool:
    return name == table.target and table.task == "classes"


def _has_value(table: engine.Table, name: str, rows: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """bool[n]: whether each row has a finite value in a column."""
    return np.ones(rows.size, bool) if _by_class(table, name) else np.isfinite(_values(table, name, rows))


def _values(table: engine.Table, name: str, rows: NDArray[np.uint32]) -> Floats:
    """float64[n]: the values of some rows in a numeric column."""
    column = table.column(name)
    return np.concatenate(([np.nan], column.values.astype(np.float64)))[column.codes[rows]]


def _ends(table: engine.Table, name: str, strip: bool = False) -> tuple[float, float]:
    """From where to where a column's axis goes: its least and largest finite value; (0, 1) without any."""
    if _by_class(table, name):
        return (0.0, 1.0) if strip else (-0.5, len(table.classes) - 0.5)
    values = table.column(name).values
    finite = values[np.isfinite(values.astype(np.float64))]
    return (float(finite[0]), float(finite[-1])) if finite.size else (0.0, 1.0)


def _share(rows: NDArray[np.uint32], table: engine.Table, seed: int) -> Floats:
    """float64[n] in 0 … 1 from the hash of each row."""
    from engine.table.partition import row_hash  # late: it brings the compiler

    return (row_hash(table.n_rows, seed)[rows] >> np.uint64(11)) / 2.0**53


def _up(table: engine.Table, tree: engine.Tree, asked: Asked, rows: NDArray, node: NDArray[np.int64]) -> Floats:
    """float64[n]: the height of each row; of a class target somewhere in the band of its class."""
    if not _by_class(table, asked.up):
        return _values(table, asked.up, rows)
    k, somewhere = table.y[rows].astype(np.int64), _share(rows, table, UPWARDS)
    if asked.across != LEAVES:
        return k + BAND * (somewhere - 0.5)
    before = np.concatenate((np.zeros((tree.n_nodes, 1)), np.cumsum(_shares(tree), axis=1)), axis=1)
    low, high = before[node, k], before[node, k + 1]
    return low + (high - low) * (AIR / 2 + (1 - AIR) * somewhere)


def _shares(tree: engine.Tree) -> Floats:
    """float64[n_nodes, K]: the share of each class among the training rows; 0 without any."""
    total = tree.train.sum(axis=1, keepdims=True)
    return np.divide(tree.train, total, out=np.zeros(tree.train.shape), where=total > 0)


def _means(
    table: engine.Table, name: str, rows: NDArray, tile_of: NDArray[np.int64], share: Floats, n: int
) -> Floats | None:
    """float64[n]: the mean of a column over the training rows of each of n tiles, of divided ones over the parts that
    stand there; NaN without any; None of classes."""
    if _by_class(table, name):
        return None
    train = table.part[rows] == engine.TRAIN
    rows, tile_of = rows[train], tile_of[train]
    weights = share[train] if table.weights is None else share[train] * table.weights[rows]
    total, found = (np.bincount(tile_of, each, n) for each in (weights, weights * _values(table, name, rows)))
    return np.divide(found, total, out=np.full(n, np.nan), where=total > 0)


def _lines(
    table: engine.Table, tree: engine.Tree, asked: Asked, found: Regions, boxes: Floats, means: Floats | None
) -> Floats:
    """float64[m, 3]: what leaves predict, the mean of another column in a leaf, or where the classes of a leaf part."""
    sides = boxes[:, [0, 2]]
    if asked.up == table.target and table.task == "number":
        return np.column_stack((sides, tree.predictions[found.tiles]))
    if means is not None:
        return np.column_stack((sides, means))
    if asked.across != LEAVES:
        return np.empty((0, 3))
    ends = np.cumsum(_shares(tree)[found.tiles], axis=1)[:, :-1]
    return np.column_stack((np.repeat(sides, ends.shape[1], axis=0), ends.ravel()))
