"""What a split is, in values, and which branch each code takes.

A split stores the column's name and values, never codes: it survives new files, retyped columns and JSON.
`bind` turns it into a lookup from code to branch for one table; a split that no longer fits says why.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InputError
from engine.table import Column, Table
from engine.words import value_words

MOST_LEVELS_SHOWN = 3
MOST_BINDINGS = 10_000  # kept by one table
WIDEST_KEPT = 4096  # codes in a lookup; longer ones are made anew, thousands of them would fill the memory


@dataclass(frozen=True)
class Split:
    """One split of a node.

    Attributes:
        column: the name of the column that is looked at.
        kind: "threshold" or "groups".
        thresholds: ascending; a value goes into the first branch whose threshold it does not exceed, values
            above the last one into the last branch. Dates in seconds since 1970, UTC.
        groups: the level names of each branch.
        missing: the branch of rows in which the column is missing.
        unseen: the branch of levels that no group names.
    """

    column: str
    kind: str
    thresholds: tuple[float, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    missing: int = 0
    unseen: int = 0

    def __post_init__(self) -> None:
        if self.kind == "threshold":
            increasing = all(a < b for a, b in zip(self.thresholds, self.thresholds[1:], strict=False))
            if not self.thresholds or not increasing or any(np.isnan(self.thresholds)):
                raise InputError(f"A split of “{self.column}” needs ascending thresholds, not {self.thresholds}.")
        elif self.kind == "groups":
            named = [level for group in self.groups for level in group]
            if len(self.groups) < 2 or len(named) != len(set(named)):
                raise InputError(f"A split of “{self.column}” needs two or more groups that share no level.")
        else:
            raise InputError(f"“{self.kind}” is no kind of split; it is threshold or groups.")
        if not (0 <= self.missing < self.n_branches and 0 <= self.unseen < self.n_branches):
            raise InputError(f"A split of “{self.column}” sends rows into a branch that it does not have.")

    @property
    def n_branches(self) -> int:
        """How many branches it makes."""
        return len(self.thresholds) + 1 if self.kind == "threshold" else len(self.groups)


@dataclass(frozen=True)
class Binding:
    """A split bound to a table: which branch each code takes.

    Attributes:
        column: the column's place in the table.
        cuts: int64[n_branches - 1] for thresholds: branch b takes the codes above cuts[b - 1] up to cuts[b].
        lookup: uint16[n_values + 1] for groups: the branch of every code; None for thresholds.
        missing: the branch of code 0.
    """

    column: int
    cuts: NDArray[np.int64]
    lookup: NDArray[np.uint16] | None
    missing: int

    def branches(self, codes: NDArray[Any]) -> NDArray[np.uint16]:
        """uint16[n]: the branch of each code."""
        if self.lookup is not None:
            return self.lookup[codes]
        found = np.searchsorted(self.cuts, codes, side="left")
        return np.where(codes == 0, self.missing, found).astype(np.uint16)


def threshold_between(low: float, high: float) -> float:
    """The threshold halfway between two adjacent values; it separates them: low <= threshold < high."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def bind(split: Split, table: Table) -> Binding:
    """The split as a lookup from this table's codes to branches; cached on the table when it is small.

    Raises:
        InputError: the column is gone or has a kind that this split cannot cut.
    """
    found: Binding | None = table.bindings.get(split)
    if found is not None:
        return found
    place = place_for(split.column, split.kind == "threshold", table)
    column = table.columns[place]
    if split.kind == "threshold":
        cuts = np.searchsorted(column.values, np.array(split.thresholds), side="right").astype(np.int64)
        found = Binding(place, cuts, None, split.missing)
    else:
        found = Binding(place, np.zeros(0, dtype=np.int64), _lookup(split, column), split.missing)
    if found.lookup is None or found.lookup.size <= WIDEST_KEPT:
        if len(table.bindings) >= MOST_BINDINGS:
            table.bindings.clear()
        table.bindings[split] = found
    return found


def place_for(name: str, by_threshold: bool, table: Table) -> int:
    """Where the table has the column of a split; InputError when it is gone or of a kind that cannot be cut so."""
    place = table.index(name)
    column = table.columns[place]
    if column.is_numeric != by_threshold:
        cut = "thresholds" if by_threshold else "levels"
        raise InputError(f"Column “{name}” is {column.kind} now, so a split by {cut} no longer fits it.")
    return place


def _lookup(split: Split, column: Column) -> NDArray[np.uint16]:
    """uint16[n_values + 1]: the branch of each code. Only the levels that are named cost time."""
    lookup = np.full(column.n_values + 1, split.unseen, dtype=np.uint16)
    lookup[0] = split.missing
    for branch, group in enumerate(split.groups):
        codes = [column.code_of[level] for level in group if level in column.code_of]
        lookup[codes] = branch
    return lookup


def branch_words(split: Split, branch: int, kind: str) -> str:
    """How a branch reads beside the column's name: "≤ 42.5", "> 42.5", "= Biscoe", "in {Dream, Torgersen}".

    Args:
        kind: the column's kind, for dates and booleans.
    """
    if split.kind == "threshold":
        return _interval(split, branch, kind)
    group = split.groups[branch]
    if not group:
        return "missing" if split.missing == branch else "any other"
    if len(group) == 1:
        return f"= {group[0]}"
    if len(group) <= MOST_LEVELS_SHOWN:
        return f"in {{{', '.join(group)}}}"
    return f"in {len(group)} of {sum(map(len, split.groups))}: {group[0]} …"


def _interval(split: Split, branch: int, kind: str) -> str:
    cuts = [value_words(threshold, kind) for threshold in split.thresholds]
    if split.thresholds == (np.inf,):
        return "present" if branch == 0 else "missing"
    if branch == 0:
        return f"≤ {cuts[0]}"
    if branch == len(cuts):
        return f"> {cuts[-1]}"
    return f"in ({cuts[branch - 1]}, {cuts[branch]}]"


def sentence(split: Split, branch: int, kind: str) -> str:
    """A branch as a condition: "age ≤ 42.5"."""
    return f"{split.column} {branch_words(split, branch, kind)}"


def full_words(split: Split, branch: int, kind: str, lacking: bool = True) -> str:
    """A branch as a condition with all of its levels; for tooltips and rules.

    Args:
        lacking: whether the column is missing in some rows, so that it has to be said where they go.
    """
    if split.kind == "groups" and len(split.groups[branch]) > MOST_LEVELS_SHOWN:
        text = f"{split.column} in {{{', '.join(split.groups[branch])}}}"
    else:
        text = sentence(split, branch, kind)
    stands_for_missing = text.endswith((" missing", " present"))
    said = lacking and split.missing == branch and not stands_for_missing
    return f"{text} or missing" if said else text
