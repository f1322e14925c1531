"""What the worker does for the panel What if: what can be set in a row, and what the tree makes of it. No Qt here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.progress import Progress
from gui.model.history import State

BARS = 24  # of the picture of a column
MOST_LEVELS = 500  # that are offered, the most frequent ones
MOST_CURVES = 200  # that are drawn
MOST_OTHERS = 4  # predictions to which a way is looked for
Value = float | str | None
Values = Mapping[str, Value]


@dataclass(frozen=True, eq=False)
class Field:
    """A column whose value can be set, as the training rows have it."""

    name: str
    kind: str
    typical: Value  # the lower median, or the most frequent level; None where all are missing
    ends: tuple[float, float]  # the least and the largest finite number; of levels nothing is meant
    bars: NDArray[np.float64]  # float64[BARS], how many rows have about each number between the ends
    levels: tuple[str, ...]  # in their order
    has_missing: bool

    @property
    def is_numeric(self) -> bool:
        return self.kind in ("number", "integer", "date")


@dataclass(frozen=True, eq=False)
class Offer:
    """What can be set."""

    table: engine.Table
    tree: engine.Tree
    fields: dict[str, Field]  # every column of the tree
    asked: tuple[str, ...]  # those that the tree asks, by splits from the root on


@dataclass(frozen=True, eq=False)
class Answer:
    """What the tree says of a row of values."""

    state: State
    values: dict[str, Value]
    leaf: int  # the position of the leaf that it reaches
    changes: tuple[engine.Change, ...]  # the nearest to other predictions, the nearest first
    said: engine.Said  # what is predicted
    n_leaves: int = 1  # in which parts of it stand


def offered(state: State, known: Offer | None, progress: Progress) -> Offer:
    """What can be set in a row; `known` saves looking at the same table again."""
    from engine.tree.nodes import columns_asked, surrogates_of  # late: it brings the compiler

    table, tree = state.table, state.tree
    if known is not None and known.table is table and {*known.fields} == {one.name for one in tree.columns}:
        fields = known.fields
    else:
        rows = table.rows(engine.TRAIN)
        fields = {one.name: _field(table.column(one.name), rows) for one in tree.columns}
    every = [*columns_asked(tree.nodes, tree.payload), *surrogates_of(tree.nodes, tree.payload)]
    asked = dict.fromkeys(tree.columns[place].name for _, (place, _) in every)
    return Offer(table, tree, fields, tuple(asked))


def _field(column: engine.Column, rows: NDArray[np.uint32]) -> Field:
    counts = np.bincount(column.codes[rows], minlength=column.n_values + 1)
    missing, counts = bool(counts[0]), counts[1:]
    there = np.flatnonzero(counts)
    if not column.is_numeric:
        order = there[np.argsort(-counts[there], kind="stable")]
        levels = tuple(str(column.values[k]) for k in sorted(order[:MOST_LEVELS]))
        typical = str(column.values[order[0]]) if order.size else None
        return Field(column.name, column.kind, typical, (0.0, 1.0), np.zeros(0), levels, missing)
    values, counts = column.values[there].astype(np.float64), counts[there]
    middle = float(values[np.searchsorted(np.cumsum(counts), counts.sum() / 2)]) if values.size else None
    finite = np.isfinite(values)
    ends = (float(values[finite][0]), float(values[finite][-1])) if finite.any() else (0.0, 1.0)
    bars, _ = np.histogram(values[finite], BARS, ends if ends[0] < ends[1] else None, weights=counts[finite])
    return Field(column.name, column.kind, middle, ends, bars.astype(np.float64), (), missing)


def answered(state: State, values: Values, locked: Collection[str], progress: Progress) -> Answer:
    """What the tree predicts of a row, and what would have to change for another prediction."""
    tree = state.tree
    one = engine.table_of_values(tree, values)
    leaf, parts = tree.position(engine.way_down(one, tree)[-1]), engine.row_parts(one, tree)
    said, n_leaves = engine.said_of(tree, parts), sum(not tree.n_branches[tree.position(node)] for node in parts)
    wanted = ["higher", "lower"]
    if tree.task == "classes":
        others = [k for k in np.argsort(-said.probabilities, kind="stable") if k != said.label]
        wanted = [tree.classes[k] for k in others[:MOST_OTHERS]] if len(others) <= MOST_OTHERS else [""]
    every = (
        engine.nearest_change(state.table, tree, values, wanted=one, locked=locked, progress=progress) for one in wanted
    )
    found = sorted(filter(None, every), key=lambda change: (len(change.values), change.distance))
    return Answer(state, dict(values), leaf, tuple(found), said, n_leaves)


def depending(state: State, columns: tuple[str, ...], progress: Progress) -> engine.Dependence:
    """How the predictions depend on one column, with curves of single rows, or on two."""
    curves = MOST_CURVES if len(columns) == 1 else 0
    return engine.partial_dependence(state.table, state.tree, *columns, curves=curves, progress=progress)
