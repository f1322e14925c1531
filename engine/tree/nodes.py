"""The nodes of a tree as arrays in preorder, and what it remembers of the columns."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.tree.distribution import unfilled

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


class Nodes(NamedTuple):
    """One entry for each node, in preorder.

    A split's first threshold stands in `threshold`; what does not fit there stands in the tree's payload: further
    thresholds, or for groups pairs (level index, branch). Of an m-of-n split `threshold` is m, `column` that of the
    first literal, and the payload holds triples (column, test, threshold or level index), tests numbered as in
    `engine.splits.TESTS`. A split with surrogates is of a kind of its own; its payload is that of
    `engine.tree.surrogate_payload`.

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
