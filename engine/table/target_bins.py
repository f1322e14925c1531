"""The bins of a numeric target, and the table that has them as classes."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.runtime.errors import InputError
from engine.table.binning import MOST_BINS, equal_count_edges, range_names
from engine.table.column import Column
from engine.table.encode import code_type
from engine.table.partition import TRAIN

if TYPE_CHECKING:
    from engine.table.table import Table


def bin_edges(table: "Table", bins: int) -> tuple[float, ...]:
    """See `Table.bin_edges`."""
    target = table.target_column
    if table.task != "number":
        raise InputError(f"The target “{target.name}” is no number, so it cannot be binned: use its classes.")
    if not 2 <= bins <= MOST_BINS:
        raise InputError(f"bins cannot be {bins}; it is a whole number from 2 to {MOST_BINS:,}.")
    rows = table.rows(TRAIN)
    weights = None if table.weights is None else table.weights[rows]
    held = np.bincount(target.codes[rows], weights, minlength=target.n_values + 1)[1:]
    present = np.flatnonzero(held)
    edges = equal_count_edges(target.values[present].astype(np.float64), held[present].astype(np.float64), bins)
    if not edges:
        raise InputError(
            f"The target “{target.name}” has the same value in all training rows, so there are no two bins of it: "
            "change the partition or choose another target."
        )
    return edges


def with_bins(table: "Table", edges: tuple[float, ...]) -> "Table":
    """The same rows and parts with the bins between these edges as ordered classes of the target."""
    place, target = table.index(str(table.target)), table.target_column
    names = range_names(edges)
    values = np.empty(len(names), dtype=object)
    values[:] = names
    code = np.append(0, np.searchsorted(np.array(edges), target.values.astype(np.float64)) + 1)
    column = Column(target.name, "ordered", values, code.astype(code_type(len(names)))[target.codes], True)
    binned = replace(table, columns=(*table.columns[:place], column, *table.columns[place + 1 :]))
    # classes would be divided into parts anew, by strata; and what is known of the other columns holds for them
    binned.__dict__.update(part=table.part, weights=table.weights, bindings=table.bindings)
    return binned
