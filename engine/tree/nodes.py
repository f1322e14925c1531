"""What a tree is made of: nodes as arrays in preorder, and what it remembers of the columns.

Of a split, what does not fit into `Nodes` stands in the payload: further thresholds, pairs (level index, branch) of
groups, and triples (column, test, threshold or level index) of an m-of-n split, whose tests are numbered as in
`engine.splits.TEST_NAMES`, stand there as they are. A split with surrogates has first the number of its own numbers,
then these, then for each surrogate in turn `HEAD` numbers and its own numbers:

    column, kind, threshold (NaN for groups), missing, unseen, flipped (0 or 1), how many numbers follow

Own numbers are those of a split without surrogates: none for one threshold, pairs (level index, branch) for groups.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.splits import TEST_NAMES, Literal, Split, Surrogate
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


def joined_levels(columns: Sequence[TreeColumn], others: Sequence[TreeColumn]) -> tuple[TreeColumn, ...]:
    """The columns with the levels, too, that only the others of the same name know; these stand last."""
    more = {column.name: column.levels for column in others}
    return tuple(
        column._replace(levels=tuple(dict.fromkeys((*column.levels, *more.get(column.name, ()))))) for column in columns
    )


class Nodes(NamedTuple):
    """One entry for each node, in preorder.

    A split's first threshold stands in `threshold`, what does not fit there in the tree's payload, see above. Of an
    m-of-n split `threshold` is m and `column` that of the first literal.

    Of a numeric target, filled in by `tree.counting` where the tree needs it, else NaN: `median`, that of the
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
        pieces = [
            piece if piece.histogram.shape[1] == n_bins  # else they are yet to be filled
            else piece._replace(histogram=unfilled(piece.ids.size, n_bins)[2])
            for piece in pieces
        ]  # fmt: skip
        return cls(*(np.concatenate(arrays) for arrays in zip(*pieces, strict=True)))

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


def same_counts(ours: Nodes, theirs: Nodes) -> bool:
    """Whether as many nodes hold the same rows, but for rounding."""
    pairs = ((ours.train, theirs.train), (ours.validation, theirs.validation))
    return (
        np.array_equal(ours.rows_train, theirs.rows_train)
        and np.array_equal(ours.rows_validation, theirs.rows_validation)
        and all(np.allclose(a, b, rtol=1e-9, atol=1e-9 * np.abs(a).max()) for a, b in pairs)
    )


def unfilled(n: int, n_bins: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The fields (median, deviation, histogram) of n nodes that are yet to be filled: one NaN each, seen n times. They
    take no memory, and are to be replaced, not written into."""
    nothing = np.array(np.nan)
    return np.broadcast_to(nothing, n), np.broadcast_to(nothing, (n, 2)), np.broadcast_to(nothing, (n, n_bins))


HEAD = 7
Columns = tuple[TreeColumn, ...]
Asked = list[tuple[int, tuple[int, bool]]]  # node, (place of the column, whether it is asked for numbers)


# -- one split


def unpack_split(columns: Columns, nodes: Nodes, payload: NDArray[np.float64], i: int) -> Split:
    """The split of the inner node at position i."""
    kind, start, size = int(nodes.kind[i]), int(nodes.payload_start[i]), int(nodes.payload_size[i])
    place, threshold = int(nodes.column[i]), float(nodes.threshold[i])
    if kind == M_OF_N:
        triples = payload[start : start + size].reshape(-1, 3).tolist()
        literals = tuple(_unpack_literal(columns[int(place)], test, value) for place, test, value in triples)
        return Split(columns[place].name, "m_of_n", m=int(threshold), literals=literals)
    values = columns[place], threshold, int(nodes.missing[i]), int(nodes.unseen[i])
    if kind < M_OF_N:
        return _unpack_one(kind, *values, int(nodes.n_branches[i]), payload[start : start + size])
    own, *others = parts_of(nodes, payload, i)
    split = _unpack_one(kind - WITH_SURROGATES, *values, 2, payload[own.start : own.stop])
    surrogates = []
    for part in others:
        place, kind, threshold, missing, unseen, flipped, _ = payload[part.head : part.start].tolist()
        further = payload[part.start : part.stop]
        other = _unpack_one(int(kind), columns[int(place)], threshold, int(missing), int(unseen), 2, further)
        surrogates.append(Surrogate(other, bool(flipped)))
    return replace(split, surrogates=tuple(surrogates))


def _unpack_one(
    kind: int, column: TreeColumn, threshold: float, missing: int, unseen: int, n_branches: int,
    further: NDArray[np.float64],
) -> Split:  # fmt: skip
    """A split by thresholds or groups from its values, without surrogates."""
    if kind == THRESHOLD:
        cuts = (threshold, *map(float, further))
        return Split(column.name, "threshold", thresholds=cuts, missing=missing, unseen=unseen)
    groups: list[list[str]] = [[] for _ in range(n_branches)]
    for level, branch in further.reshape(-1, 2).astype(np.int64):
        groups[branch].append(column.levels[level])
    return Split(column.name, "groups", groups=tuple(map(tuple, groups)), missing=missing, unseen=unseen)


def _unpack_literal(column: TreeColumn, test: float, value: float) -> Literal:
    literal = Literal(column.name, TEST_NAMES[int(test)], value)
    return literal if literal.by_order else literal._replace(value=column.levels[int(value)])


class SplitWriter:
    """Writes splits into nodes of a tree with these columns, and what does not fit there behind a payload.

    The numbers of columns and levels are looked up once.
    """

    def __init__(self, columns: Columns, payload: NDArray[np.float64] | None = None) -> None:
        """`payload`: what the tree has already; it stays as it is."""
        self._columns = columns
        self._payloads = [np.zeros(0) if payload is None else payload]
        self._size = self._payloads[0].size
        self._places = {column.name: i for i, column in enumerate(columns)}
        self._levels: dict[int, dict[str, int]] = {}

    @property
    def payload(self) -> NDArray[np.float64]:
        """That of the tree and of all splits that were written."""
        return np.concatenate(self._payloads)

    def write(self, nodes: Nodes, i: int, split: Split, by_hand: bool) -> None:
        """Writes a split into the arrays of some nodes, at place i.

        Raises:
            InputError: it names a column or a level that the tree does not know.
        """
        values, own = self._packed(split)
        values |= {"by_hand": by_hand, "payload_start": self._size, "payload_size": own.size}
        for name, value in values.items():
            getattr(nodes, name)[i] = value
        self._payloads.append(own)
        self._size += own.size

    def _packed(self, split: Split) -> tuple[dict[str, Any], NDArray[np.float64]]:
        """A split as values for `Nodes`, and its payload."""
        place = self._place(split.column)
        values: dict[str, Any] = {
            "n_branches": split.n_branches, "column": place, "missing": split.missing, "unseen": split.unseen,
        }  # fmt: skip
        if split.kind == "m_of_n":
            numbers = [number for literal in split.literals for number in self._literal(literal)]
            return values | {"kind": M_OF_N, "threshold": split.m}, np.array(numbers, dtype=np.float64)
        if split.kind == "threshold":
            values |= {"kind": THRESHOLD, "threshold": split.thresholds[0]}
            numbers = list(split.thresholds[1:])
        else:
            values |= {"kind": GROUPS}
            pairs = [(self._level(place, name), branch) for branch, group in enumerate(split.groups) for name in group]
            numbers = [number for pair in pairs for number in pair]
        if split.surrogates:
            values["kind"] += WITH_SURROGATES
            numbers = [len(numbers), *numbers]
        for surrogate in split.surrogates:
            head, own = self._packed(surrogate.split)
            numbers += [head["column"], head["kind"], head.get("threshold", np.nan), head["missing"], head["unseen"]]
            numbers += [surrogate.flipped, own.size, *own.tolist()]
        return values, np.array(numbers, dtype=np.float64)

    def _literal(self, literal: Literal) -> tuple[float, float, float]:
        place = self._place(literal.column)
        value = float(literal.value) if literal.by_order else self._level(place, str(literal.value), asked=True)
        return place, TEST_NAMES.index(literal.test), value

    def _place(self, name: str) -> int:
        if name not in self._places:
            raise InputError(tr("“{name}” is no feature of this tree, so it cannot be split on.", name=name))
        return self._places[name]

    def _level(self, place: int, name: str, asked: bool = False) -> int:
        column = self._columns[place]
        if place not in self._levels:
            self._levels[place] = {level: i for i, level in enumerate(column.levels)}
        if name not in self._levels[place]:
            said = {"column": column.name, "level": name}
            fault = tr("“{column}” has no level “{level}”, so it cannot be split by it.", **said)
            if asked:
                fault = tr("“{column}” has no level “{level}”, so it cannot be asked for it.", **said)
            raise InputError(fault)
        return self._levels[place][name]


# -- all splits


class Part(NamedTuple):
    """A split in the payload: that of the node at position `node` itself, or one of its surrogates.

    Attributes:
        head: the place of the first number of a surrogate; -1 for the node's own split.
        start, stop: the places of its own numbers.
    """

    node: int
    head: int
    start: int
    stop: int


def parts_of(nodes: Nodes, payload: NDArray[np.float64], i: int) -> list[Part]:
    """The split with surrogates of the node at position i, and these in their order."""
    at, end = int(nodes.payload_start[i]), int(nodes.payload_start[i] + nodes.payload_size[i])
    stop = at + 1 + int(payload[at])
    parts = [Part(i, -1, at + 1, stop)]
    while stop < end:
        head, start = stop, stop + HEAD
        stop = start + int(payload[start - 1])
        parts.append(Part(i, head, start, stop))
    return parts


def all_parts(nodes: Nodes, payload: NDArray[np.float64]) -> Iterator[Part]:
    """Those of all nodes whose split has surrogates, by ascending node."""
    for i in np.flatnonzero(nodes.kind > WITH_SURROGATES).tolist():
        yield from parts_of(nodes, payload, i)


def columns_asked(nodes: Nodes, payload: NDArray[np.float64]) -> Asked:
    """Each column that a split looks at, once for each literal of an m-of-n split, by ascending node; those of
    surrogates are `surrogates_of`."""
    one = np.flatnonzero((nodes.n_branches > 0) & (nodes.kind != M_OF_N))
    of_literal, at = entries(nodes, np.flatnonzero(nodes.kind == M_OF_N), 3)
    node = np.concatenate((one, of_literal))
    place = np.concatenate((nodes.column[one], payload[at])).astype(np.int64)
    by_threshold = np.isin(nodes.kind[one], (THRESHOLD, THRESHOLD + WITH_SURROGATES))
    by_order = np.concatenate((by_threshold, payload[at + 1] < 2))  # "<=" and ">" are tests 0 and 1
    order = np.argsort(node, kind="stable")
    pairs = zip(place[order].tolist(), by_order[order].tolist(), strict=True)
    return list(zip(node[order].tolist(), pairs, strict=True))


def surrogates_of(nodes: Nodes, payload: NDArray[np.float64]) -> Asked:
    """The column of every surrogate, by ascending node."""
    heads = [(part.node, part.head) for part in all_parts(nodes, payload) if part.head >= 0]
    return [(node, (int(payload[head]), bool(payload[head + 1] == THRESHOLD))) for node, head in heads]


def entries(nodes: Nodes, which: NDArray[np.int64], width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(node, place in the payload) of every entry of this many numbers of some nodes, int64[n_entries] each."""
    n_entries = nodes.payload_size[which] // width
    return np.repeat(which, n_entries), span(nodes.payload_start[which], n_entries, width)


def span(first: NDArray[np.int64], n: NDArray[np.int64], step: int = 1) -> NDArray[np.int64]:
    """first[0], first[0] + step, … n[0] of them, then those of first[1], and so on."""
    before = np.cumsum(n) - n
    return np.repeat(first - step * before, n) + step * np.arange(int(n.sum()))


def packed_nodes(nodes: Nodes, payload: NDArray[np.float64]) -> tuple[Nodes, NDArray[np.float64]]:
    """The nodes with a payload that holds theirs only, in their order: nothing is left of the splits that are gone."""
    sizes = nodes.payload_size
    starts = np.cumsum(sizes) - sizes
    if sizes.sum() == payload.size and np.array_equal(starts[sizes > 0], nodes.payload_start[sizes > 0]):
        return nodes, payload
    places = span(nodes.payload_start, sizes)
    return nodes._replace(payload_start=np.where(nodes.n_branches > 0, starts, 0)), payload[places]
