"""The splits of a tree as `tree.kernels.row_by_row.Ways`: every kind of split as plain ones that are asked in turn.

A literal of an m-of-n split is a split of its own into the rows for which it holds and the others, and so is a
surrogate. Numeric columns are asked for codes and columns with levels for places of levels, as in `tree.descent`.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.tree.nodes import GROUPS, M_OF_N, THRESHOLD, WITH_SURROGATES

if TYPE_CHECKING:
    from engine.table.column import Column
    from engine.table.table import Table
    from engine.tree import Tree
    from engine.tree.kernels.row_by_row import Ways

ROWS_AT_ONCE = 2**13
UNKNOWN = 2.0**32 - 1  # a level that the tree does not know


class Parts(NamedTuple):
    """One entry for each part, by node; the fields are named as in `engine.tree.nodes.Nodes`."""

    node: NDArray[np.int64]
    kind: NDArray[np.int64]
    column: NDArray[np.int64]
    threshold: NDArray[np.float64]
    unseen: NDArray[np.int64]
    payload_start: NDArray[np.int64]
    payload_size: NDArray[np.int64]
    flipped: NDArray[np.bool_]


def make_ways(table: "Table", tree: "Tree") -> tuple["Ways", dict[int, "Column"]]:
    """(which branch a row takes at each node; the columns that are asked, by their places in `tree.columns`).

    Raises:
        InputError: a split of the tree does not fit this table.
    """
    from engine.splits import place_for
    from engine.tree.descent import ascending, in_codes
    from engine.tree.kernels.descend import Routes
    from engine.tree.kernels.row_by_row import Ways

    nodes = tree.nodes
    parts, payload = _parts(tree)
    asked = dict(zip(parts.column.tolist(), (parts.kind == THRESHOLD).tolist(), strict=True))
    columns = {
        place: table.columns[place_for(tree.columns[place].name, by_order, table)]
        for place, by_order in sorted(asked.items())
    }
    row_of = np.zeros(len(tree.columns), np.int64)
    row_of[list(columns)] = np.arange(len(columns))
    column, none = row_of[parts.column], np.zeros(parts.node.size, np.int64)
    routes = Routes(
        none, parts.kind, column, parts.threshold, none, parts.unseen, parts.payload_start, parts.payload_size, none,
        payload,
    )  # fmt: skip
    m = np.where(nodes.kind == M_OF_N, nodes.threshold, 0.0).astype(np.int64)
    first = np.searchsorted(parts.node, np.arange(tree.n_nodes + 1))
    return Ways(
        m, first, column, parts.flipped, nodes.missing.astype(np.int64), in_codes(ascending(routes), columns)
    ), columns


def _parts(tree: "Tree") -> tuple[Parts, NDArray[np.float64]]:
    """(the parts of all nodes; the payload with what literals need appended)."""
    nodes = tree.nodes
    plain = np.flatnonzero((nodes.kind == THRESHOLD) | (nodes.kind == GROUPS))
    fields: tuple[NDArray[Any], ...] = (
        nodes.kind, nodes.column, nodes.threshold, nodes.unseen, nodes.payload_start, nodes.payload_size,
    )  # fmt: skip
    literals, payload = _of_literals(tree)
    of_plain: list[NDArray[Any]] = [plain, *(field[plain] for field in fields), np.zeros(plain.size)]
    found = [np.concatenate(each) for each in zip(of_plain, literals, _of_surrogates(tree), strict=True)]
    order = np.argsort(found[0], kind="stable")
    kinds = (np.int64, np.int64, np.int64, np.float64, np.int64, np.int64, np.int64, np.bool_)
    return Parts(*(field[order].astype(kind) for field, kind in zip(found, kinds, strict=True))), payload


def _of_literals(tree: "Tree") -> tuple[Parts, NDArray[np.float64]]:
    """Each literal as a split whose branch 0, or 1 where it is flipped, takes the rows for which it holds."""
    from engine.tree.packing import entries

    node, at = entries(tree.nodes, np.flatnonzero(tree.nodes.kind == M_OF_N), 3)
    column, test, value = (tree.payload[at + k] for k in range(3))
    by_order, outside = test < 2, (test == 1) | (test == 3)  # "<=", ">", "==", "!="
    level = np.flatnonzero(~by_order)
    start = np.zeros(node.size, np.int64)
    start[level] = tree.payload.size + 2 * np.arange(level.size)
    pairs = np.column_stack((value[level], np.zeros(level.size))).reshape(-1)
    parts = Parts(
        node, np.where(by_order, THRESHOLD, GROUPS), column.astype(np.int64), np.where(by_order, value, np.nan),
        np.ones(node.size, np.int64), start, np.where(by_order, 0, 2), outside,
    )  # fmt: skip
    return parts, np.concatenate((tree.payload, pairs))


def _of_surrogates(tree: "Tree") -> Parts:
    """Splits with surrogates, each followed by these."""
    from engine.tree.packing import all_parts

    nodes, payload = tree.nodes, tree.payload
    entries: list[tuple[float, ...]] = []
    for part in all_parts(nodes, payload):
        i = part.node
        if part.head < 0:
            values = (nodes.kind[i] - WITH_SURROGATES, nodes.column[i], nodes.threshold[i], nodes.unseen[i], 0)
        else:
            column, kind, threshold, _, unseen, flipped, _ = payload[part.head : part.start]
            values = (kind, column, threshold, unseen, flipped)
        entries.append((i, *values[:4], part.start, part.stop - part.start, values[4]))
    return Parts(*np.array(entries, np.float64).reshape(-1, len(Parts._fields)).T)


def numbers_of_rows(tree: "Tree", columns: dict[int, "Column"], rows: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """uint32[n, C]: what the splits ask of some rows, plus 1; 0 is missing."""
    from engine.runtime.threads import Workers
    from engine.tree.descent import places_of
    from engine.tree.kernels.row_by_row import write_numbers

    x = np.empty((rows.size, len(columns)), np.uint32)
    places = [
        np.zeros(0, np.uint32) if column.is_numeric
        else np.minimum(places_of(column, tree.columns[place].levels) + 1.0, UNKNOWN).astype(np.uint32)
        for place, column in columns.items()
    ]  # fmt: skip

    def fill(begin: int) -> None:
        some = slice(begin, begin + ROWS_AT_ONCE)
        for j, column in enumerate(columns.values()):
            write_numbers(column.codes, rows[some], places[j], x[some], j)

    with Workers() as workers:
        workers.each(fill, range(0, rows.size, ROWS_AT_ONCE))
    return x
