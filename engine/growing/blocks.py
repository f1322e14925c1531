"""Beds: neighbouring small nodes whose presorted lists fit the cache together, so that one kernel grows all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.growing.frontier import Knot
from engine.growing.kernels.blocks import fill_cells, order_codes
from engine.growing.training_set import Ground
from engine.search.kernels.target import Target

KEY_BITS = 32  # of node and code in an item, see `engine.table.kernels.radix`


class Soil(NamedTuple):
    """Room for one bed of up to `most` rows: cells uint32[C · most], original uint32[C · (most + 1)], two of items
    uint64[most]. One for each thread, used again and again: fresh memory would cost more than sorting."""

    cells: NDArray[np.uint32]
    original: NDArray[np.uint32]
    items: NDArray[np.uint64]
    spare: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Bed:
    """Neighbouring nodes and their lists.

    Attributes:
        cells: uint32[C, n], see `engine.growing.kernels.cells`.
        original: uint32[C, n + 1], the table's code behind each rank.
        target: by the row numbers of the cells.
        bounds: int64[m + 1], the slices of the nodes.
    """

    cells: NDArray[np.uint32]
    original: NDArray[np.uint32]
    target: Target
    bounds: NDArray[np.int64]


def make_soil(ground: Ground, most: int) -> Soil:
    """Room for beds of up to `most` rows."""
    n_columns = len(ground.columns)
    return Soil(
        np.empty(n_columns * most, np.uint32), np.empty(n_columns * (most + 1), np.uint32),
        np.empty(most, np.uint64), np.empty(most, np.uint64),
    )  # fmt: skip


def make_bed(ground: Ground, knots: Sequence[Knot], soil: Soil) -> Bed:
    """The lists of nodes, in the order of their rows; they are gone when the soil is used again."""
    sizes = [knot.n_rows for knot in knots]
    rows = np.concatenate([ground.rows[knot.start : knot.stop] for knot in knots])
    node = np.repeat(np.arange(len(knots)), sizes)
    n_columns, n = len(ground.columns), rows.size
    cells = soil.cells[: n_columns * n].reshape(n_columns, n)
    original = soil.original[: n_columns * (n + 1)].reshape(n_columns, n + 1)
    node_bits = (len(knots) - 1).bit_length()
    for j, column in enumerate(ground.columns):
        shift = column.n_values.bit_length()
        order_codes(column.codes, rows, node, shift, soil.items)
        fill_cells(soil.items, soil.spare, n, shift + node_bits, shift, j, cells, original)
    return Bed(cells, original, ground.gathered(rows), np.append(0, np.cumsum(sizes)))


def grouped(ground: Ground, knots: Sequence[Knot], most: int) -> list[list[Knot]]:
    """Nodes one after the other, together up to `most` rows, the largest first: thousands become a few calls."""
    widest = max((column.n_values.bit_length() for column in ground.columns), default=0)
    most_knots = 1 << (KEY_BITS - widest)
    groups: list[list[Knot]] = []
    size = 0
    for knot in knots:
        if not groups or size + knot.n_rows > most or len(groups[-1]) == most_knots:
            groups.append([])
            size = 0
        groups[-1].append(knot)
        size += knot.n_rows
    return sorted(groups, key=lambda group: -sum(knot.n_rows for knot in group))
