"""Node-local lists for many small nodes: what `engine.kernels.subtrees` grows whole subtrees on.

Neighbouring nodes of up to 65,535 rows together make a bed, with row numbers and codes of its own that fit 16 bits.
Each column's order, made once for the table, is dealt out to the nodes; only where they hold few of the table's rows
their codes are put in order instead.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.induction.ground import Ground
from engine.induction.walk import Knot
from engine.kernels.deal import deal_column
from engine.kernels.lists import Target
from engine.progress import Progress
from engine.workers import Workers

WORTH_SCANNING = 16  # with fewer than a sixteenth of the table's rows, sorting them is quicker than passing over all


@dataclass(frozen=True, eq=False)
class Bed:
    """Neighbouring nodes and their presorted lists.

    Attributes:
        knots: the nodes.
        cells: uint32[C, n], see `engine.kernels.packed`.
        original: uint32[C, n + 1], the table's code behind each rank.
        target: by the row numbers of the lists.
        bounds: int64[len(knots) + 1], the slices of the nodes.
    """

    knots: list[Knot]
    cells: NDArray[np.uint32]
    original: NDArray[np.uint32]
    target: Target
    bounds: NDArray[np.int64]


def make_beds(ground: Ground, knots: list[Knot], most: int, workers: Workers, progress: Progress) -> list[Bed]:
    """Beds of up to `most` rows for nodes in the order of their rows, the largest first; unfinished after a stop."""
    groups = _grouped(knots, most)
    lengths = np.array([sum(knot.n_rows for knot in group) for group in groups])
    n_columns, starts = len(ground.columns), np.cumsum(lengths) - lengths
    rows = np.concatenate([ground.rows[knot.start : knot.stop] for knot in knots])
    cells = np.empty(n_columns * rows.size, np.uint32)
    original = np.zeros(n_columns * (rows.size + len(groups)), np.uint32)

    node_rows = np.array([knot.n_rows for knot in knots])
    bed = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    inside = np.cumsum(node_rows) - node_rows - starts[bed]  # where each node begins in its bed
    place = np.repeat(np.arange(len(knots)) << 32, node_rows) | (np.arange(rows.size) - np.repeat(starts, lengths))
    by_order = rows.size * WORTH_SCANNING >= ground.n_table_rows
    if by_order:
        of_table = np.full(ground.n_table_rows, -1, np.int64)
        of_table[rows] = place

    def fill(j: int) -> None:
        if progress.stopped:
            return
        cursor = n_columns * starts[bed] + j * lengths[bed] + inside
        base = n_columns * (starts + np.arange(len(groups)))[bed] + j * (lengths[bed] + 1)
        lists = cursor, inside.copy(), base, cells, original
        column = ground.columns[j]
        if by_order:
            deal_column(column.order, column.codes, of_table, *lists)
        else:
            codes = column.codes[rows]
            order = np.lexsort((codes, place >> 32)).astype(np.uint32)
            order.flags.writeable = False  # like `Column.order`: otherwise the kernel is compiled twice
            deal_column(order, codes, place, *lists)

    workers.each(fill, range(n_columns))
    beds = []
    for i, group in enumerate(groups):
        n, at, ranks_at = int(lengths[i]), n_columns * int(starts[i]), n_columns * int(starts[i] + i)
        bounds = np.append(0, np.cumsum([knot.n_rows for knot in group]))
        target = ground.gathered(rows[starts[i] : starts[i] + n])
        shape = (n_columns, n)
        of_bed = slice(at, at + n_columns * n)
        ranks = original[ranks_at : ranks_at + n_columns * (n + 1)].reshape(n_columns, n + 1)
        beds.append(Bed(group, cells[of_bed].reshape(shape), ranks, target, bounds))
    return sorted(beds, key=lambda bed: -int(bed.bounds[-1]))


def _grouped(knots: list[Knot], most: int) -> list[list[Knot]]:
    """Nodes one after the other, together up to `most` rows; so that thousands of small nodes are a few calls."""
    groups: list[list[Knot]] = []
    size = 0
    for knot in knots:
        if not groups or size + knot.n_rows > most:
            groups.append([])
            size = 0
        groups[-1].append(knot)
        size += knot.n_rows
    return groups
