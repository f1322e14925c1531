"""What a source is, and the way of rows down the paths that it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.tally import Tally
from engine.sources.grid import NO_GRIDS, Grids
from engine.splits import Split
from engine.table.checks import WEIGHING, check_numbers, check_roles, check_weights
from engine.table.column import Column
from engine.table.encode import code_type
from engine.table.partition import TEST, TRAIN, UNUSED, VALIDATION
from engine.table.table import Table

Path = tuple[tuple[Split, int], ...]  # the splits from the root to a node, each with the branch that leads there


class Source(Protocol):
    """Rows that are counted where they are, those that train and those that validate; the others are left out.

    Attributes:
        head: the table without its rows: columns with their values, roles and target, and what is known of the rows,
            see `with_counts`.
        lacking: the names of the columns that some row lacks.
    """

    @property
    def head(self) -> Table: ...
    @property
    def lacking(self) -> frozenset[str]: ...

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
        grids: Grids = NO_GRIDS,
    ) -> list[list[Tally]]:  # fmt: skip
        """By column and path, the target over the values of the column, of both parts; each path is a leaf of one tree.

        Args:
            columns: places in the head.
            centres: float64[paths], what is taken off a numeric target beside the origin.
            grids: on which columns are counted: the codes of their tallies are cells of these.

        Raises:
            Stopped: the progress was stopped. InputError: the data cannot be read, or are no longer those described.
        """

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """float64[paths, 4]: (Σwy, Σw, least y, largest y) of a numeric target, of training rows, from the origin."""

    def moments(
        self, paths: Sequence[Path], around: NDArray[np.float64], power: int, progress: Progress
    ) -> NDArray[np.float64]:
        """float64[power + 1, paths]: Σ w (y − around)^k of a numeric target, of validation rows, from the origin.

        Args:
            around: float64[paths].
        """

    def squares(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """float64[2, paths, K], of a numeric target K = 1: Σw² of the rows of each class, of training and of validation
        rows."""

    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """At most n rows of a node, of both parts, drawn at random by the seed: a table in memory.

        Raises:
            Stopped, InputError: as for `tally`.
        """


def head_of(columns: Sequence[Column], target: str, name: str, roles: dict[str, str]) -> Table:
    """The table without rows; InputError when it has no such target, a role is none or not for this column, or the
    values of one do not weigh rows."""
    empty = tuple(replace(column, codes=column.codes[:0]) for column in columns)
    head = Table(empty, 0, name, {}, target, {**{column.name: "feature" for column in columns}, **roles})
    for column in (target, *roles):
        head.index(column)
    check_roles(head.roles, target)
    check_weights([column for column in empty if head.roles[column.name] in WEIGHING], head.roles)
    if head.task == "number" and head.target_column.n_values:
        check_numbers(head.target_column, None if head.weighing is None else np.append(0.0, head.weighing.values))
    return head


def table_of_rows(head: Table, codes: Sequence[NDArray[Any]]) -> Table:
    """A table in memory, of rows whose codes in every column of the head are known."""
    columns = [
        replace(column, codes=own.astype(code_type(column.n_values)))
        for column, own in zip(head.columns, codes, strict=True)
    ]
    return Table(tuple(columns), columns[0].codes.size, head.name, {"kind": "drawn"}, head.target, head.roles)


def with_counts(head: Table, counts: NDArray[np.int64], origin: float | None = None) -> Table:
    """The head with what a table tells of its rows: how many train, validate and are kept for the test (`n_train`, …),
    `origin`, `sealed_classes`, and where every row counts once `class_weights`.

    Args:
        counts: int64[4, values + 1], the rows of each part (`engine.table.partition`) by the code of the target; of
            part UNUSED those without a target, which are left out, and those of no part or of no weight.
        origin: of a numeric target, if it is known.

    Raises:
        InputError: no row trains.
    """
    told, of_class, by_class = replace(head), counts[:, 1:], head.task == "classes"
    known: dict[str, Any] = {"n_train": of_class[TRAIN], "n_validation": of_class[VALIDATION], "n_test": of_class[TEST]}
    known = {name: int(rows.sum()) for name, rows in known.items()}
    if not known["n_train"]:
        raise InputError(
            tr("No row is left for training in {table}: change the partition or the weights.", table=head.name)
        )
    if by_class:
        if head.weighing is None:
            known["class_weights"] = of_class[TRAIN].astype(np.float64)
        only = (of_class[TEST] > 0) & (of_class[[TRAIN, VALIDATION]].sum(axis=0) == 0)
        known["sealed_classes"] = frozenset(head.classes[k] for k in np.flatnonzero(only).tolist())
    elif origin is None:
        seen = of_class[[TRAIN, VALIDATION, UNUSED]].sum(axis=0)
        origin = float(seen @ head.target_column.values.astype(np.float64)) / max(int(seen.sum()), 1)
    known["origin"] = 0.0 if by_class else origin
    told.__dict__.update(known)
    return told


def numbers_of(head: Table) -> NDArray[np.float64]:
    """A numeric target by code, measured from the origin; of rows without one 0, which nobody asks for."""
    if head.task == "classes":
        return np.empty(0)
    return np.append(0.0, head.target_column.values.astype(np.float64) - head.origin)


class Weighing(NamedTuple):
    """How the rows of a source weigh.

    Attributes:
        place: of the column that tells it. of_code: float64[values + 1], by its codes; 0 where it is missing.
    """

    place: int
    of_code: NDArray[np.float64]

    @classmethod
    def of(cls, head: Table) -> "Weighing | None":
        """None where every row counts once."""
        if head.weighing is None:
            return None
        return cls(head.index(head.weighing.name), np.append(0.0, head.weighing.values.astype(np.float64)))


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
    """A tally from the codes present, ascending, 0 (missing) being one.

    Args:
        stats: float64[parts, m, S] of training rows and, if there are two parts, of validation rows. rows: [parts, m].
    """
    lacks = int(codes.size > 0 and codes[0] == 0)
    if stats.shape[0] == 1:
        stats, rows = np.concatenate((stats, np.zeros_like(stats))), np.concatenate((rows, np.zeros_like(rows)))
    missing, n_missing = (stats[:, 0], rows[:, 0].tolist()) if lacks else (np.zeros((2, stats.shape[2])), (0, 0))
    rows = rows[:, lacks:].astype(np.int64)
    return Tally(
        codes[lacks:].astype(np.uint32), stats[0, lacks:], stats[1, lacks:], rows[0], rows[1], missing[0], missing[1],
        *n_missing,
    )  # fmt: skip
