"""How a split with surrogates lies in the payload of a tree.

First the number of its own numbers, then these, then for each surrogate in turn `HEAD` numbers and its own numbers:

    column, kind, threshold (NaN for groups), missing, unseen, flipped (0 or 1), how many numbers follow

Own numbers are those of a split without surrogates: none for one threshold, pairs (level index, branch) for groups.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from engine.tree import Nodes

HEAD = 7
GROUPS, PLAIN = 2, 3  # the kind of groups, and the highest one without surrogates, as in `engine.tree`


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


def packed(own: Sequence[float], others: Sequence[tuple[dict[str, Any], Sequence[float], bool]]) -> list[float]:
    """The payload of a split from its own numbers and its surrogates: (values for `Nodes`, own numbers, flipped)."""
    numbers: list[float] = [len(own), *own]
    for values, further, flipped in others:
        head = (values["column"], values["kind"], values.get("threshold", np.nan), values["missing"], values["unseen"])
        numbers += [*head, flipped, len(further), *further]
    return numbers


def parts_of(nodes: "Nodes", payload: NDArray[np.float64], i: int) -> list[Part]:
    """The split of the node at position i, and its surrogates in their order."""
    at, end = int(nodes.payload_start[i]), int(nodes.payload_start[i] + nodes.payload_size[i])
    stop = at + 1 + int(payload[at])
    parts = [Part(i, -1, at + 1, stop)]
    while stop < end:
        head, start = stop, stop + HEAD
        stop = start + int(payload[start - 1])
        parts.append(Part(i, head, start, stop))
    return parts


def all_parts(nodes: "Nodes", payload: NDArray[np.float64]) -> Iterator[Part]:
    """Those of all nodes whose split has surrogates."""
    for i in np.flatnonzero(nodes.kind > PLAIN).tolist():
        yield from parts_of(nodes, payload, i)


def surrogates(nodes: "Nodes", payload: NDArray[np.float64]) -> NDArray[np.int64]:
    """int64[n, 3]: (node, place of the column, kind) of every surrogate, by ascending node."""
    found = [
        (part.node, int(payload[part.head]), int(payload[part.head + 1]))
        for part in all_parts(nodes, payload)
        if part.head >= 0
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def renumber_columns(nodes: "Nodes", payload: NDArray[np.float64], new_place: NDArray[np.int32]) -> None:
    """Writes new places of the columns into the heads of all surrogates."""
    heads = [part.head for part in all_parts(nodes, payload) if part.head >= 0]
    payload[heads] = new_place[payload[heads].astype(np.int64)]


def level_entries(nodes: "Nodes", payload: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(place of the column, place in the payload) of every level that splits with surrogates name, theirs included."""
    columns, places = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for part in all_parts(nodes, payload):
        own = part.head < 0
        kind = nodes.kind[part.node] - PLAIN if own else payload[part.head + 1]
        if kind == GROUPS:
            at = np.arange(part.start, part.stop, 2)
            places.append(at)
            columns.append(np.full(at.size, nodes.column[part.node] if own else payload[part.head], dtype=np.int64))
    return np.concatenate(columns), np.concatenate(places)
