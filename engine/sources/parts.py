"""Which rows of a source train, which validate, which are kept for the test: those of a table in memory.

The rules are those of `engine.table.partition`. A row's part is looked up by the code of one column, a key or one that
names the parts; where no key decides, by the hash of the row's number in the order of the data.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.readers.options import ReadOptions
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.sources.source import with_counts
from engine.table import partition
from engine.table.column import Column
from engine.table.partition import TEST, TRAIN, UNUSED, VALIDATION, further_seed, key_hash, limit_of, row_hash
from engine.table.table import Table

N_PARTS = 4  # TRAIN, VALIDATION, TEST, UNUSED
PART = -1  # stands among the places of columns for the parts of the rows
BITS = 12  # of a hash, by which rows are counted first: a class of 10⁸ rows has 24,000 with the same ones


class Numbers(NamedTuple):
    """How the numbers of rows decide: by two hashes, each with a seed, and the limits below which they lie.

    Attributes:
        held: uint64[values + 1], the limit of validation rows, by the code of the target.
    """

    test_seed: int
    test: np.uint64
    seed: int
    held: NDArray[np.uint64]

    def of(self, first: int, target: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """uint8[n]: the parts of rows from the first one on, by the codes of their target."""
        part = np.full(target.size, TRAIN, np.uint8)
        part[row_hash(target.size, self.seed, first) < self.held[target]] = VALIDATION
        part[row_hash(target.size, self.test_seed, first) < self.test] = TEST
        return part


@dataclass(frozen=True, eq=False)
class Parts:
    """Which part every row has.

    Attributes:
        place: of the column that decides; None where there is none.
        of_code: uint8[values + 1], the part by its codes.
        numbers: how numbers decide: of the rows whose code is 0, or of all where no column does; None where those have
            the part of code 0.
    """

    place: int | None = None
    of_code: NDArray[np.uint8] = field(default_factory=lambda: np.full(1, TRAIN, np.uint8))
    numbers: Numbers | None = None

    def of(self, target: NDArray[np.uint32], codes: NDArray[np.uint32] | None, first: int) -> NDArray[np.uint8]:
        """uint8[n]: the parts of rows from the first one on; of rows without a target UNUSED.

        Args:
            target: the codes of the target. codes: of the column that decides, if one does.
        """
        if codes is None:
            part = np.full(target.size, self.of_code[0]) if self.numbers is None else self.numbers.of(first, target)
        else:
            part = self.of_code[codes]
            if self.numbers is not None and not codes.all():
                part = np.where(codes > 0, part, self.numbers.of(first, target))
        part[target == 0] = UNUSED
        return part


def leave_out(part: NDArray[np.uint8], target: NDArray[np.uint32], idle: NDArray[np.bool_]) -> None:
    """Makes idle rows, which weigh nothing, rows of no part, in place. Those that would be kept for the test are as
    without a target: where it is measured from, no test row tells."""
    target[idle & (part == TEST)] = 0
    part[idle] = UNUSED


Count = Callable[[Parts], NDArray[np.int64]]  # int64[N_PARTS, values + 1]: the rows of each part by the target's code
Scan = Callable[
    [Parts], Iterator[tuple[int, NDArray[np.uint32], NDArray[np.uint8]]]
]  # (first row, target, part) of all


def counted_by(scan: Scan, n_values: int) -> Count:
    """Counts the rows of a scan."""

    def count(parts: Parts) -> NDArray[np.int64]:
        counts = np.zeros(N_PARTS * (n_values + 1), np.int64)
        for _, target, part in scan(parts):
            counts += np.bincount(part * np.int64(n_values + 1) + target, minlength=counts.size)
        return counts.reshape(N_PARTS, -1)

    return count


@dataclass(frozen=True)
class Division:
    """How the rows of a source are to be divided, as `Table.with_partition` takes it.

    Attributes:
        validation, test: shares of the rows. seed: of the hashes.
        key: the column whose values decide, as the role "group" does in memory; None for the numbers of rows.
        column: the one that names the parts; None for shares.
    """

    validation: float = 0.0
    test: float = 0.0
    seed: int = 0
    key: str | None = None
    column: str | None = None

    def __post_init__(self) -> None:
        """Raises InputError where shares are none, or beside a column that names the parts."""
        partition.check_shares(self.validation, self.test)
        if self.column is not None and self.by_shares:
            raise InputError(tr(
                "Column “{name}” names the part of every row, so no shares can be set aside: give it another role, or "
                "leave out validation and test.", name=self.column))  # fmt: skip

    @property
    def by_shares(self) -> bool:
        """Whether shares of the rows are set aside."""
        return self.validation > 0 or self.test > 0

    @property
    def recorded(self) -> dict[str, Any]:
        """As `Table.partition` has it."""
        if self.column is not None:
            return {"column": self.column}
        said: dict[str, Any] = {"validation": self.validation, "seed": self.seed} if self.validation else {}
        said |= {"test": self.test, "test_seed": self.seed} if self.test else {}
        return said | ({"test_key": self.key} if self.test and self.key is not None else {})

    def of_table(self, table: Table) -> Table:
        """The table divided so; as it is where nothing is said."""
        if self.column is not None:
            return table.with_partition(column=self.column)
        table = table if self.key is None else table.with_roles({self.key: "group"})
        return table.with_partition(self.validation, self.test, self.seed) if self.by_shares else table

    def of_source(self, head: Table, lacks: Callable[[str], bool], count: Count, scan: Scan | None = None) -> "Divided":
        """The parts of the rows of a source, the same as those of a table.

        Args:
            head: with columns, roles and target. lacks: whether some row has no value in a column.
            count: counts the rows of each part.
            scan: all rows in their order; None where they have none, and so no numbers.

        Raises:
            InputError: a column does not name parts, or rows without numbers have no key.
        """
        head = replace(head, partition=self.recorded)
        if self.column is not None:
            parts = Parts(head.index(self.column), partition.parts_of_values(head.column(self.column)))
            return Divided(head, parts, count(parts))
        if not self.by_shares:
            return Divided(head, Parts(), count(Parts()))
        if scan is None and self.key is None:
            raise InputError(tr(
                "Rows of {table} have no order by which they could be divided: name a key, a column whose values "
                "decide.", table=head.name))  # fmt: skip
        if scan is None and lacks(str(self.key)):
            raise InputError(tr(
                "Some rows have no value in “{key}”, and rows of {table} have no order by which they could be divided: "
                "choose a key without missing values.", key=str(self.key), table=head.name))  # fmt: skip
        sealed = self._sealed(head)
        counted = count(sealed)
        if not self.validation:
            return Divided(head, sealed, counted)
        share = partition.share_of_others(self.validation, int(counted[TEST].sum()), int(counted[TRAIN].sum()))
        if self.key is None:
            assert scan is not None
            parts = self._strata_held(sealed, counted[TRAIN], share, head.task == "classes", scan)
        else:
            parts = self._values_held(sealed, head.column(self.key), share)
        return Divided(head, parts, count(parts))

    def _sealed(self, head: Table) -> Parts:
        """Only test rows set aside."""
        limit, none = limit_of(self.test), np.zeros(head.target_column.n_values + 1, np.uint64)
        numbers = Numbers(self.seed, limit, self.seed, none)
        if self.key is None:
            return Parts(numbers=numbers)
        chosen = np.append(False, key_hash(head.column(self.key), self.seed) < limit)
        return Parts(head.index(self.key), np.where(chosen, TEST, TRAIN).astype(np.uint8), numbers)

    def _values_held(self, sealed: Parts, key: Column, share: float) -> Parts:
        """Validation rows set aside, too, by the values of a key; `engine.table.partition.by_share` with a group."""
        seed, limit = further_seed(self.seed, 1), limit_of(share)
        chosen = np.append(False, key_hash(key, seed) < limit) & (sealed.of_code == TRAIN)
        assert sealed.numbers is not None
        numbers = sealed.numbers._replace(seed=seed, held=np.full_like(sealed.numbers.held, limit))
        return Parts(sealed.place, np.where(chosen, np.uint8(VALIDATION), sealed.of_code), numbers)

    def _strata_held(
        self, sealed: Parts, of_target: NDArray[np.int64], share: float, by_class: bool, scan: Scan
    ) -> Parts:
        """Validation rows set aside, too, as many of each class to a whole row; `engine.table.partition.by_share`.

        Args:
            of_target: int64[values + 1], the other rows by the code of the target.
        """
        stratum = np.arange(of_target.size) if by_class else np.zeros(of_target.size, np.int64)
        sizes = np.bincount(stratum, of_target).astype(np.int64)
        wanted = np.array([partition.n_held(size, share) for size in sizes.tolist()])
        counts = np.zeros((sizes.size, 1 << BITS), np.int64)

        def hashes() -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]]]:
            for first, target, part in scan(sealed):
                rows = np.flatnonzero(part == TRAIN)
                hashed = row_hash(target.size, self.seed, first)[rows]
                yield stratum[target[rows]], hashed, (hashed >> np.uint64(64 - BITS)).astype(np.int64)

        for of_row, _, start in hashes():
            counts += np.bincount((of_row << BITS) | start, minlength=counts.size).reshape(counts.shape)
        passed = np.cumsum(counts, axis=1)
        last = np.argmax(passed >= wanted[:, None], axis=1)  # the start of the hash of the last row wanted
        found = [(of_row[start == last[of_row]], hashed[start == last[of_row]]) for of_row, hashed, start in hashes()]
        limits = np.zeros(sizes.size, np.uint64)
        for k in np.flatnonzero(wanted).tolist():
            own = np.concatenate([hashed[of_row == k] for of_row, hashed in found])
            rest = int(wanted[k] - passed[k, last[k]] + counts[k, last[k]])
            limits[k] = np.partition(own, rest - 1)[rest - 1] + np.uint64(1)
        assert sealed.numbers is not None
        return replace(sealed, numbers=sealed.numbers._replace(held=limits[stratum]))


class Wanted(NamedTuple):
    """What is wanted of an address, see `engine.open_source`: the same words there."""

    target: str
    options: ReadOptions
    kinds: dict[str, Any]
    roles: dict[str, str]
    division: Division
    store: str | FilePath | None
    sample: int | None
    threads: int | None
    memory: int


class Divided(NamedTuple):
    """The rows of a source in their parts.

    Attributes:
        head: with how they were divided. parts: of every row.
        counts: int64[N_PARTS, values + 1], the rows of each part by the code of the target.
    """

    head: Table
    parts: Parts
    counts: NDArray[np.int64]

    @property
    def told(self) -> Table:
        """The head with what is known of its rows."""
        return with_counts(self.head, self.counts)
