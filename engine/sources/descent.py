"""The way of rows down the paths that a source is asked for, a batch of them at a time."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.sources.kernels import step_down
from engine.sources.parts import PART
from engine.sources.source import Path, Weighing, steps_of
from engine.splits import Split, bind
from engine.table.table import Table

WIDE = 1 << 16  # values from which on a column is not looked up by code

Step = tuple[Split, NDArray[np.int64]]  # the split of a node, and the numbers of its children by branch


class Batch:
    """Rows that arrived, whose codes are found as they are asked for: of a column by its place, uint8 of PART.

    Attributes:
        n: how many rows. known: codes of all of them, by place.
        at: uint32[n], where they stand, if that is kept from scan to scan; see `Descent`.
    """

    def __init__(
        self, n: int, known: dict[int, NDArray[Any]], find: Callable[[int, Any], NDArray[Any]],
        at: NDArray[np.uint32] | None = None,
    ) -> None:  # fmt: skip
        """`find`: from a place and the numbers of rows, or None for all."""
        self.n, self.known, self._find, self.at = n, known, find, at

    def __getitem__(self, place: int) -> NDArray[Any]:
        """Of all rows."""
        if place not in self.known:
            self.known[place] = self._find(place, None)
        return self.known[place]

    def of(self, place: int, rows: NDArray[np.uint32]) -> NDArray[Any]:
        """Of these rows."""
        if rows.size == self.n:
            return self[place]
        return self.known[place][rows] if place in self.known else self._find(place, rows)

    def among(self, place: int, rows: NDArray[np.uint32]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        """(codes; uint32[rows]: where among them those of these rows are)."""
        return self.of(place, rows), np.arange(rows.size, dtype=np.uint32)


class Steps(NamedTuple):
    """Steps that rows take at once, see `engine.sources.kernels.step_down`.

    Attributes:
        places: of the columns that are asked.
        limits: uint32[·] of columns of very many numbers, by place: 0 and the codes behind which some node cuts. What
            lies between two of them is looked up in the place of a code.
    """

    places: list[int]
    column: NDArray[np.int64]
    begin: NDArray[np.int64]
    lookup: NDArray[np.uint32]
    limits: dict[int, NDArray[np.uint32]]

    @classmethod
    def of(cls, head: Table, steps: dict[int, Step], n_numbers: int) -> "Steps":
        """Of the step at each node."""
        column, begin, lookups, end = np.full(n_numbers, -1), np.zeros(n_numbers, np.int64), [], 0
        bound = {node: bind(split, head) for node, (split, _) in steps.items()}
        cuts: dict[int, list[NDArray[np.int64]]] = {}
        for one in bound.values():
            if one.lookup is None and head.columns[one.column].n_values >= WIDE:
                cuts.setdefault(one.column, [np.zeros(1, np.int64)]).append(one.cuts)
        limits = {place: np.unique(np.concatenate(some)) for place, some in cuts.items()}
        for node, one in bound.items():
            column[node], begin[node], n_values = one.column, end, head.columns[one.column].n_values
            codes = np.append(limits[one.column], n_values) if one.column in limits else np.arange(n_values + 1)
            lookups.append(steps[node][1][one.branches(codes)].astype(np.uint32))
            end += codes.size
        narrow = {place: some.astype(np.uint32) for place, some in limits.items()}
        return cls(sorted({one.column for one in bound.values()}), column, begin, np.concatenate(lookups), narrow)

    def take(self, at: NDArray[np.uint32], codes: NDArray[Any], place: int) -> None:
        """Sends rows on, in place, by their codes in the column at this place."""
        if place in self.limits:
            codes = np.searchsorted(self.limits[place], codes).astype(np.uint32)
        step_down(at, frozen(codes), self.column, place, self.begin, self.lookup)


class Descent:
    """The way of rows to the nodes at the ends of paths. Nodes have two numbers, an even one for training rows and the
    next one for validation rows.

    Attributes:
        places: of the columns that are asked for on it, of the target, of the weights and of the parts.
        slot: int64[numbers], the place of the path that ends at a node; if rows validate, these are counted on for
            them; of all others `elsewhere`, the next one.
        weighs: whether rows have weights.
    """

    def __init__(
        self, head: Table, rounds: Sequence[dict[int, Step]], ends: Sequence[int], n_numbers: int, nowhere: int = 0
    ) -> None:
        """From steps that are taken one after the other, and from where each path ends.

        Args:
            rounds: by number. ends: the number of each path, of training rows. n_numbers: how many there are.
            nowhere: of rows that neither train nor validate. Others start at 0 and 1, unless they stand already.
        """
        self.head, self.n_paths, self.target = head, len(ends), head.index(str(head.target))
        self._rounds = [Steps.of(head, own, n_numbers) for own in rounds]
        self._first = np.array([0, 1, nowhere, nowhere], np.uint32)  # by part
        self._weighing = Weighing.of(head)
        self.weighs, self.elsewhere = self._weighing is not None, parts_of(head) * self.n_paths
        weighing = {self._weighing.place} if self._weighing is not None else set()
        self.places = sorted({PART, self.target, *weighing}.union(*(steps.places for steps in self._rounds)))
        self.slot = np.full(n_numbers, self.elsewhere)
        for part in range(parts_of(head)):
            self.slot[np.add(ends, part, dtype=np.int64)] = np.arange(self.n_paths) + part * self.n_paths

    @classmethod
    def from_root(cls, head: Table, paths: Sequence[Path]) -> "Descent":
        """Of rows of which nothing is known but their part."""
        steps, ends = steps_of(head, paths)
        nowhere, depth, rounds = ends.size - 1, {0: 0}, list[dict[int, Step]]()
        for step in steps:
            children = 2 * np.where(step.child < 0, nowhere, step.child)
            if depth[step.node] == len(rounds):
                rounds.append({})
            rounds[depth[step.node]] |= {2 * step.node + part: (step.split, children + part) for part in (0, 1)}
            depth.update((int(child), depth[step.node] + 1) for child in step.child)
        numbers = np.empty(len(paths), np.int64)
        numbers[ends[ends >= 0]] = 2 * np.flatnonzero(ends >= 0)
        return cls(head, rounds, numbers.tolist(), 2 * ends.size, 2 * nowhere)

    def end(self, batch: Batch) -> NDArray[np.uint32]:
        """uint32[n]: the number at which each row ends; rows that neither train nor validate end at none of them."""
        at = self._first[batch[PART]] if batch.at is None else batch.at
        for steps in self._rounds:
            for place in steps.places:
                steps.take(at, batch[place], place)
        return at

    def target_of(self, batch: Batch) -> NDArray[np.uint32]:
        """uint32[n]: the code of the target of each row."""
        return batch[self.target].astype(np.uint32, copy=False)

    def weights(self, batch: Batch) -> NDArray[np.float64]:
        """float64[n]: what each row weighs; empty where every row counts once."""
        return np.empty(0) if self._weighing is None else self._weighing.of_code[batch[self._weighing.place]]

    def arrives(self, batch: Batch) -> NDArray[np.bool_]:
        """bool[n]: whether each row ends at one of the paths."""
        return np.asarray(self.slot[self.end(batch)] < self.elsewhere)


def frozen(codes: NDArray[Any]) -> NDArray[Any]:
    """The same codes, not to be written: kernels are compiled for these, as codes of a file are."""
    codes = codes.view()
    codes.flags.writeable = False
    return codes


def parts_of(head: Table) -> int:
    """How many parts are counted: 2 if rows validate."""
    return 2 if head.n_validation else 1
