"""What a tree is made of: nodes as arrays in preorder, what it remembers of the columns, what people wrote on nodes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.table import Table

THRESHOLD, GROUPS, M_OF_N = 1, 2, 3  # a leaf has kind 0
WITH_SURROGATES = 3  # more than this kind without them: a threshold with surrogates is 4, groups are 5


class TreeColumn(NamedTuple):
    """What a tree remembers of a feature: its name, kind, levels (none for a numeric one), whether rows lack it, and
    whether all of its dates are whole days."""

    name: str
    kind: str
    levels: tuple[str, ...]
    missing: bool
    days: bool = False

    @property
    def kind_in_words(self) -> str:
        """The kind as `engine.table.words.value_words` takes it."""
        return "day" if self.days else self.kind


def columns_of(table: Table) -> tuple[TreeColumn, ...]:
    """What a tree remembers of a table's features."""
    features = (table.columns[i] for i in table.features)
    return tuple(
        TreeColumn(column.name, column.kind, column.levels, column.n_missing > 0, column.kind_in_words == "day")
        for column in features
    )


class Nodes(NamedTuple):
    """One entry for each node, in preorder.

    A split's first threshold stands in `threshold`; what does not fit there stands in the tree's payload: further
    thresholds, or for groups pairs (level index, branch). Of an m-of-n split `threshold` is m, `column` that of the
    first literal, and the payload holds triples (column, test, threshold or level index), tests numbered as in
    `engine.splits.TESTS`. A split with surrogates is of a kind of its own; its payload is that of
    `engine.tree.packing`.

    Of a numeric target, filled in by `tree.distribution` where the tree needs it, else NaN: `median`, that of the
    training rows minus the tree's origin (without any: the parent's); `deviation` float64[n, 2], Σ w|y − median| of
    the training and of the validation rows around it, or around the number that a person wrote instead; `histogram`
    float64[n, B], the training weight by bin.
    """

    ids: NDArray[np.int64]
    n_branches: NDArray[np.int32]
    kind: NDArray[np.int8]
    column: NDArray[np.int32]
    threshold: NDArray[np.float64]
    missing: NDArray[np.int32]
    unseen: NDArray[np.int32]
    payload_start: NDArray[np.int64]
    payload_size: NDArray[np.int64]
    by_hand: NDArray[np.bool_]
    train: NDArray[np.float64]
    validation: NDArray[np.float64]
    rows_train: NDArray[np.int64]
    rows_validation: NDArray[np.int64]
    median: NDArray[np.float64]
    deviation: NDArray[np.float64]
    histogram: NDArray[np.float64]

    def take(self, places: Any) -> "Nodes":
        """Some of the nodes."""
        return Nodes(*(array[places] for array in self))

    @classmethod
    def join(cls, pieces: "list[Nodes]") -> "Nodes":
        """Several runs of nodes, one after the other."""
        n_bins = max(piece.histogram.shape[1] for piece in pieces)
        pieces = [piece._with_bins(n_bins) for piece in pieces]
        return cls(*(np.concatenate(arrays) for arrays in zip(*pieces, strict=True)))

    def _with_bins(self, n_bins: int) -> "Nodes":
        """The nodes with histograms of so many bins, yet to be filled where they had others."""
        same = self.histogram.shape[1] == n_bins
        return self if same else self._replace(histogram=unfilled(self.ids.size, n_bins)[2])

    @classmethod
    def leaves(cls, ids: Any, counted: tuple[NDArray[Any], ...]) -> "Nodes":
        """Leaves with these ids and counts (train, validation, rows_train, rows_validation)."""
        ids = np.asarray(ids, dtype=np.int64)
        n = ids.size
        zero32, zero64 = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int64)
        return cls(
            ids, zero32, np.zeros(n, dtype=np.int8), zero32 - 1, np.full(n, np.nan), zero32, zero32,
            zero64, zero64, np.zeros(n, dtype=bool), *(*counted, *unfilled(n)),
        )  # fmt: skip


def unfilled(n: int, n_bins: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The fields (median, deviation, histogram) of n nodes that are yet to be filled: one NaN each, seen n times. They
    take no memory, and are to be replaced, not written into."""
    nothing = np.array(np.nan)
    return np.broadcast_to(nothing, n), np.broadcast_to(nothing, (n, 2)), np.broadcast_to(nothing, (n, n_bins))


@dataclass(frozen=True)
class Mark:
    """What a person wrote on one node.

    Attributes:
        note: any text.
        pinned: growing and pruning leave the node alone: an inner node keeps its split, a leaf stays a leaf, and so all
            splits above it stay. A person may still change it.
        locked: nothing at or below the node changes, by hand or by itself, until it is unlocked; notes may.
        label: what the node predicts as a leaf instead of what was counted: the name of a class, or a number. None:
            what was counted. Probabilities stay what was counted.
        label_by_pruning: the label is the best one by what pruning compared trees by; no person wrote it, and pruning
            may change it.
        excluded: the columns that the search leaves out at and below the node.
        criterion: by what splits are searched at and below the node, instead of the search's criterion; empty: by that.
    """

    note: str = ""
    pinned: bool = False
    locked: bool = False
    label: str | float | None = None
    label_by_pruning: bool = False
    excluded: tuple[str, ...] = ()
    criterion: str = ""

    def to_dict(self) -> dict[str, Any]:
        """What is written, as plain values; nothing of an empty mark."""
        usual = Mark()
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in found.items() if value != getattr(usual, name)}


NAMES = tuple(field.name for field in fields(Mark))


def living(marks: Mapping[int, Mark], ids: NDArray[np.int64]) -> Mapping[int, Mark]:
    """The marks that are not empty, of nodes that live."""
    places = np.array(list(marks), dtype=np.int64)
    there = np.isin(places, ids).tolist()
    return {node: mark for (node, mark), lives in zip(marks.items(), there, strict=True) if lives and mark != Mark()}
