"""A split bound to a table: a lookup from code to branch, and the branch of every row."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.splits.split import Literal, Split
from engine.table.column import Column
from engine.table.table import Table
from engine.table.words import kind_word

MOST_BINDINGS = 10_000  # kept by one table
NO_CODE = 2**32  # of a level that the table does not know
IN_ALL = 2**16 - 1  # the branch of a row that all branches share: `DIVIDED` as uint16, and no number of a branch
WIDEST_KEPT = 4096  # codes in a lookup; longer ones are made again: thousands of them would fill the memory


class BoundLiteral(NamedTuple):
    """A literal in the codes of a table: it holds for the present codes inside low..high, or those `outside` of it."""

    column: int
    low: int
    high: int
    outside: bool

    def holds(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        """bool[n]: whether it holds for each code."""
        inside = (codes >= self.low) & (codes <= self.high)
        return (codes > 0) & ~inside if self.outside else inside


@dataclass(frozen=True)
class Binding:
    """A split bound to a table: which branch each code takes.

    Attributes:
        column: the column's place in the table; of m-of-n that of the first literal.
        cuts: int64[n_thresholds]: branch b takes the codes above cuts[b - 1] up to cuts[b].
        lookup: uint16[n_values + 1] for groups: the branch of every code; None for others.
        missing: the branch of code 0; IN_ALL where all share it.
        m, literals: of m-of-n.
        surrogates: for rows of code 0, each with whether it is flipped.
    """

    column: int
    cuts: NDArray[np.int64]
    lookup: NDArray[np.uint16] | None
    missing: int
    m: int = 0
    literals: tuple[BoundLiteral, ...] = ()
    surrogates: tuple[tuple["Binding", bool], ...] = ()

    def branches(self, codes: NDArray[Any]) -> NDArray[np.uint16]:
        """uint16[n]: the branch of each code of the one column, surrogates left out; see `branch_of_rows`."""
        assert not self.literals, "an m-of-n split looks at several columns"
        if self.lookup is not None:
            return self.lookup[codes]
        found = np.searchsorted(self.cuts, codes, side="left")
        return np.where(codes == 0, self.missing, found).astype(np.uint16)


def bind(split: Split, table: Table) -> Binding:
    """The split as a lookup from this table's codes to branches; cached on the table when it is small.

    Raises:
        InputError: a column is gone or has a kind that this split cannot cut.
    """
    found: Binding | None = table.bindings.get(split)
    if found is not None:
        return found
    if split.kind == "m_of_n":
        literals = tuple(_bound(literal, table) for literal in split.literals)
        found = Binding(literals[0].column, np.zeros(0, dtype=np.int64), None, 0, split.m, literals)
    else:
        found = _bind_column(split, table)
    if all(one.lookup is None or one.lookup.size <= WIDEST_KEPT for one in (found, *(s for s, _ in found.surrogates))):
        if len(table.bindings) >= MOST_BINDINGS:
            table.bindings.clear()
        table.bindings[split] = found
    return found


def _bind_column(split: Split, table: Table) -> Binding:
    place = place_for(split.column, split.kind == "threshold", table)
    column = table.columns[place]
    others = tuple((_bind_column(surrogate.split, table), surrogate.flipped) for surrogate in split.surrogates)
    cuts, lookup = np.zeros(0, dtype=np.int64), None
    if split.kind == "threshold":
        cuts = np.searchsorted(column.values, np.array(split.thresholds), side="right").astype(np.int64)
    else:
        lookup = branch_of_codes(split, column)
    missing = IN_ALL if split.divides else split.missing
    return Binding(place, cuts, lookup, missing, surrogates=others)


def _bound(literal: Literal, table: Table) -> BoundLiteral:
    place = place_for(literal.column, literal.by_order, table)
    column = table.columns[place]
    if literal.by_order:
        cut = int(np.searchsorted(column.values, literal.value, side="right"))
        low, high = (1, cut) if literal.test == "<=" else (cut + 1, column.n_values)
        return BoundLiteral(place, low, high, False)
    code = column.code_of.get(str(literal.value), NO_CODE)
    return BoundLiteral(place, code, code, literal.test == "!=")


def place_for(name: str, by_threshold: bool, table: Table) -> int:
    """Where the table has the column of a split; InputError when it is gone or of a kind that cannot be cut so."""
    place = table.index(name)
    column = table.columns[place]
    if column.is_numeric != by_threshold:
        said = {"name": name, "kind": kind_word(column.kind)}
        fault = tr("The kind of column “{name}” is {kind} now, so a split by levels no longer fits it.", **said)
        if by_threshold:
            fault = tr("The kind of column “{name}” is {kind} now, so a split by thresholds no longer fits it.", **said)
        raise InputError(fault)
    return place


def branch_of_codes(split: Split, column: Column) -> NDArray[np.uint16]:
    """uint16[n_values + 1]: the branch of each code by a split into groups. Only levels that are named cost time."""
    lookup = np.full(column.n_values + 1, split.unseen, dtype=np.uint16)
    lookup[0] = IN_ALL if split.divides else split.missing
    for branch, group in enumerate(split.groups):
        codes = [column.code_of[level] for level in group if level in column.code_of]
        lookup[codes] = branch
    return lookup


def branch_of_rows(split: Split, table: Table, rows: NDArray[Any]) -> NDArray[np.uint16]:
    """uint16[n]: the branch that each row of a table takes, for every kind of split; rows that all branches share take
    the one that most of the other rows take.

    Args:
        rows: row numbers, in any order.

    Raises:
        InputError: as `bind`.
    """
    branch = branch_or_all(split, table, rows)
    if split.divides:
        shared = branch == IN_ALL
        branch[shared] = np.bincount(branch[~shared], minlength=1).argmax()
    return branch


def branch_shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[B]: which part of a divided row each branch gets, by what the rows with a value weigh there; the same for
    all where none has."""
    total = float(weights.sum())
    return weights / total if total > 0 else np.full(weights.size, 1.0 / weights.size)


def branch_or_all(split: Split, table: Table, rows: NDArray[Any]) -> NDArray[np.uint16]:
    """The same with IN_ALL for rows that all branches share."""
    binding = bind(split, table)
    if rows.size:
        table.need_rows()
    if not binding.literals:
        codes = table.columns[binding.column].codes[rows]
        branch = binding.branches(codes)
        if binding.surrogates:
            waiting = np.flatnonzero(codes == 0)
        for surrogate, flipped in binding.surrogates:  # a row goes by the first whose column it has
            codes = table.columns[surrogate.column].codes[rows[waiting]]
            branch[waiting[codes > 0]] = surrogate.branches(codes[codes > 0]) ^ flipped
            waiting = waiting[codes == 0]
        return branch
    hits = np.zeros(len(rows), dtype=np.uint16)
    for literal in binding.literals:
        hits += literal.holds(table.columns[literal.column].codes[rows])
    return (hits < binding.m).astype(np.uint16)


def agreement(table: Table, rows: NDArray[np.integer], split: Split, other: Split) -> float:
    """The share of rows, 0 to 1, that two splits send the same way, under the best matching of their branches.

    Each branch of one is matched with at most one of the other, so that as many rows as possible agree; missing values
    go where each split sends them. 1 for a column that mimics another; of two unrelated halves about ½.

    Args:
        rows: row numbers, in any order.

    Returns:
        NaN without rows.

    Raises:
        InputError: a split does not fit the table.
    """
    from scipy.optimize import linear_sum_assignment  # a large library that nothing else here needs

    first, second = branch_of_rows(split, table, rows), branch_of_rows(other, table, rows)
    if not len(rows):
        return float("nan")
    shape = (split.n_branches, other.n_branches)
    together = np.bincount(first.astype(np.int64) * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)
    matched = linear_sum_assignment(together, maximize=True)
    return float(together[matched].sum()) / len(rows)
