"""What a source is, and the way of rows down the paths that it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.search.tally import Tally
from engine.splits import Split, bind
from engine.table.column import Column
from engine.table.table import Table

Path = tuple[tuple[Split, int], ...]  # the splits from the root to a node, each with the branch that leads there


class Source(Protocol):
    """Rows that are counted where they are; all of them train, those without a target are left out.

    Attributes:
        head: the table without its rows: columns with their values, roles and target.
        n_rows: how many rows have a target.
        origin: from which a numeric target is measured, 0 for classes.
        lacking: the names of the features that some row lacks.
    """

    @property
    def head(self) -> Table: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def origin(self) -> float: ...
    @property
    def lacking(self) -> frozenset[str]: ...

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress
    ) -> list[list[Tally]]:
        """By column and path, the target over the values of the column; each path is a leaf of one tree.

        Args:
            columns: places in the head.
            centres: float64[paths], what is taken off a numeric target beside the origin.

        Raises:
            Stopped: the progress was stopped. InputError: the data cannot be read, or are no longer those described.
        """

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """float64[paths, 4]: (Σy, rows, least y, largest y) of a numeric target, measured from the origin."""

    def rows(self, path: Path, n: int, seed: int) -> dict[str, NDArray[Any]]:
        """By column, at most n rows of a node, drawn at random by the seed."""


def head_of(columns: Sequence[Column], target: str, name: str, roles: dict[str, str]) -> Table:
    """The table without rows; InputError when it has no such target."""
    empty = tuple(replace(column, codes=column.codes[:0]) for column in columns)
    head = Table(empty, 0, name, {}, target, {**{column.name: "feature" for column in columns}, **roles})
    head.index(target)
    return head


def numbers_of(head: Table, origin: float) -> NDArray[np.float64]:
    """A numeric target by code, measured from the origin; of rows without one 0, which nobody asks for."""
    if head.task == "classes":
        return np.empty(0)
    return np.append(0.0, head.target_column.values.astype(np.float64) - origin)


@dataclass(frozen=True, eq=False)
class Step:
    """The split of one node of a tree that paths run through.

    Attributes:
        node: its number. column: the place that it looks at. split: the split itself.
        child: int64[branches], the number of each child, -1 where no path leads.
    """

    node: int
    column: int
    split: Split
    child: NDArray[np.int64]

    def lookup(self, head: Table) -> NDArray[np.int64]:
        """int64[values + 1]: the child of each code of the column."""
        codes = np.arange(head.columns[self.column].n_values + 1)
        return self.child[bind(self.split, head).branches(codes)]


def steps_of(head: Table, paths: Sequence[Path]) -> tuple[list[Step], NDArray[np.int64]]:
    """(the splits on all paths, parents first, the root being number 0; int64[numbers + 1]: which path ends at each
    number, -1 for none, as for the last, which stands for rows that no path takes)."""
    numbers: dict[Path, int] = {(): 0}
    for path in paths:
        for k in range(1, len(path) + 1):
            numbers.setdefault(path[:k], len(numbers))
    children: dict[Path, Step] = {}
    for path in sorted(numbers, key=len):
        if path:
            above, (split, branch) = path[:-1], path[-1]
            child = np.full(split.n_branches, -1)
            step = Step(numbers[above], head.index(split.column), split, child)
            children.setdefault(above, step).child[branch] = numbers[path]
    ends = np.full(len(numbers) + 1, -1)
    ends[[numbers[path] for path in paths]] = np.arange(len(paths))
    return list(children.values()), ends


def tally_of(codes: NDArray[Any], stats: NDArray[np.float64], rows: NDArray[np.int64]) -> Tally:
    """A tally of training rows from the codes present, ascending, 0 (missing) being one; stats float64[m, S]."""
    lacks = int(codes.size > 0 and codes[0] == 0)
    none = np.zeros(stats.shape[1])
    missing, n_missing = (stats[0], int(rows[0])) if lacks else (none, 0)
    codes, stats, rows = codes[lacks:].astype(np.uint32), stats[lacks:], rows[lacks:].astype(np.int64)
    return Tally(codes, stats, np.zeros_like(stats), rows, np.zeros_like(rows), missing, none, n_missing, 0)
