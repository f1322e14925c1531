"""Surrogates: splits of other columns that stand in where the value of a split's own column is missing.

CART (Breiman, Friedman, Olshen and Stone 1984, section 5.3), after rpart (Therneau and Atkinson 1997). Of every other
feature the cut, or the division of its levels, that sends most of the node's training rows the same way as the split,
counted by weight among those that have both values; either of its sides may be the first branch. It is kept when it
does better than sending all of these rows the way that more of them go, and at least two of them take each side:

    adjusted agreement = (agreement − majority) ÷ (1 − majority)

At most five are kept, the largest adjusted agreement first; of equal ones the lower column, and its lower cut. Where
the other columns have all their values that is what rpart finds. Where they lack some, `surrogates_by` "all" counts
the rows that have the value of the split's column only as disagreeing, as rpart's surrogatestyle = 0 does: agreement
and majority are shares of all rows that have that value, and a single row is enough for a group of levels. A level
that no row of the node has takes the larger branch of the surrogate, where rpart asks the next one.

With missing "surrogate" a split is chosen by what it gains among the training rows that have the value, times their
share of the node; `min_leaf` holds for these rows. Surrogates stand only in splits of columns that some training row of
the table lacks: where none does, kernels may grow the tree. Rows without any of the values take `Split.missing`,
the branch of more weight.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import larger_side
from engine.search.column_search import Found, leaves_missing
from engine.search.options import Search
from engine.search.tally import NodeRows, numbered
from engine.splits import Split, Surrogate, branch_of_rows, threshold_between
from engine.table.column import Column
from engine.table.partition import TRAIN

MOST = 5  # surrogates of one split; rpart's maxsurrogate
LEAST = 2  # rows on each side
LACKING = 2  # beside branches 0 and 1: rows without the value of the split's own column
NOTHING = 1e-10  # what is rounding: an adjusted agreement, a share of the weight, or a difference of two, up to this


def with_surrogates(inside: NodeRows, found: Found, search: Search) -> Found:
    """The same with surrogates, where `missing="surrogate"` gives its split any."""
    split, table = found.split, inside.table
    if split is None or split.divides or split.n_branches != 2 or split.thresholds == (np.inf,):
        return found
    if found.place not in table.lacking or not leaves_missing(table.columns[found.place], search):
        return found
    everyone = search.surrogates_by == "all"
    surrogates = find_surrogates(  # rows agree, whatever they weigh
        inside.as_counted, split, search.features_of(table), everyone
    )
    return replace(found, split=replace(split, surrogates=surrogates))


def find_surrogates(
    inside: NodeRows, split: Split, features: tuple[int, ...] | None = None, everyone: bool = False
) -> tuple[Surrogate, ...]:
    """The surrogates of a split into two branches at a node, the best first.

    Args:
        features: the places of the columns to choose from; all features by default.
        everyone: whether rows that lack the value of the other column alone disagree; else they do not count.
    """
    table = inside.table
    own = table.index(split.column)
    rows = inside.rows[table.part[inside.rows] == TRAIN]
    side = branch_of_rows(replace(split, surrogates=()), table, rows).astype(np.int64)
    side[table.columns[own].codes[rows] == 0] = LACKING
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    places = [place for place in (table.features if features is None else features) if place != own]
    of_all = np.bincount(side, weights, 3)[:LACKING].astype(np.float64) if everyone else None
    asked = (_best(table.columns[place], rows, side, weights, of_all) for place in places)
    found = [one for one in asked if one is not None]
    best: list[tuple[float, Surrogate]] = []
    while found and len(best) < MOST:
        top = max(adjusted for adjusted, _ in found)
        best.append(next(one for one in found if one[0] >= top - NOTHING))
        found.remove(best[-1])
    return tuple(surrogate for _, surrogate in best)


def _best(
    column: Column, rows: NDArray[np.int64], side: NDArray[np.int64], weights: NDArray[np.float64],
    of_all: NDArray[np.float64] | None,
) -> tuple[float, Surrogate] | None:  # fmt: skip
    """(adjusted agreement, surrogate) of one column; None where nothing does better than the majority.

    of_all: float64[2], the weight by branch of which the agreement is a share; None: of rows that have both values.
    """
    has = column.codes[rows] > 0
    present, at = numbered(column.codes[rows][has], column.n_values + 1)  # place 0 is of missing values
    values, cell, n = present[1:].astype(np.int64), 3 * at.astype(np.int64) + side[has], 3 * present.size
    if values.size < 2:
        return None
    # rows and weight that have the value of the split's own column, too; a value may have none of them
    n_rows = np.bincount(cell, minlength=n).reshape(-1, 3)[1:, :LACKING].sum(axis=1)
    counts = np.bincount(cell, weights[has], n).astype(np.float64).reshape(-1, 3)[1:, :LACKING]
    by_side = counts.sum(axis=0) if of_all is None else of_all
    cut = column.is_numeric or column.kind == "ordered"
    if cut:
        agreed, made = _best_cut(column, values, counts, n_rows)
    else:
        agreed, made = _two_groups(column, values, counts, n_rows, LEAST if of_all is None else 1)
    total, majority = float(by_side.sum()), float(by_side.max())
    if made is None or not majority < total:
        return None
    adjusted = (agreed - majority) / (total - majority)
    return (adjusted, made) if adjusted > NOTHING else None


def _best_cut(
    column: Column, values: NDArray[np.int64], counts: NDArray[np.float64], n_rows: NDArray[np.int64]
) -> tuple[float, Surrogate | None]:
    """(agreeing weight, surrogate) of the best cut between two of the values present at the node.

    Args:
        values: the codes present, int64[m] ascending. counts: float64[m, 2], weight by branch; n_rows: int64[m].
    """
    low, all_rows = np.cumsum(counts, axis=0)[:-1], np.cumsum(n_rows)
    high = counts.sum(axis=0) - low
    allowed = (all_rows[:-1] >= LEAST) & (all_rows[-1] - all_rows[:-1] >= LEAST)
    if not allowed.any():
        return 0.0, None
    straight, crossed = low[:, 0] + high[:, 1], low[:, 1] + high[:, 0]
    agreed, equal = np.where(allowed, np.maximum(straight, crossed), -1.0), NOTHING * counts.sum()
    best = int(np.flatnonzero(agreed >= agreed.max() - equal)[0])
    flipped = bool(crossed[best] > straight[best] + equal)
    larger = int(larger_side(*(float(part[best].sum()) for part in (low, high))))
    below, above = int(values[best]), int(values[best + 1])
    if column.is_numeric:
        cut = threshold_between(float(column.values[below - 1]), float(column.values[above - 1]))
        return float(agreed[best]), Surrogate(Split(column.name, "threshold", (cut,), missing=larger), flipped)
    groups = (tuple(column.values[:below]), tuple(column.values[above - 1 :]))
    split = Split(column.name, "groups", groups=groups, missing=larger, unseen=larger)
    return float(agreed[best]), Surrogate(split, flipped)


def _two_groups(
    column: Column, values: NDArray[np.int64], counts: NDArray[np.float64], n_rows: NDArray[np.int64], least: int
) -> tuple[float, Surrogate | None]:
    """The same of the two groups that send every level the way of more of its weight, or as most rows go."""
    asked = n_rows > 0
    values, counts, n_rows = values[asked], counts[asked], n_rows[asked]
    usual = int(larger_side(*map(float, counts.sum(axis=0))))
    equal = np.abs(counts[:, 0] - counts[:, 1]) <= NOTHING * counts.sum()
    way = np.where(equal, usual, counts[:, 0] < counts[:, 1])
    if min(int(n_rows[way == branch].sum()) for branch in (0, 1)) < least:
        return 0.0, None
    groups = tuple(tuple(column.values[values[way == branch] - 1]) for branch in (0, 1))
    weights = [float(counts[way == branch].sum()) for branch in (0, 1)]
    larger = int(larger_side(*weights))
    split = Split(column.name, "groups", groups=groups, missing=larger, unseen=larger)
    return float(counts[np.arange(values.size), way].sum()), Surrogate(split)
