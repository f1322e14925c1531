"""What a split is, in values, and which branch each code takes.

A split stores the column's name and values, never codes: it survives new files, retyped columns and JSON.
`bind` turns it into a lookup from code to branch for one table; a split that no longer fits says why.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import InputError
from engine.table import Column, Table
from engine.words import levels_words, value_words

MOST_LEVELS_SHOWN = 3
MOST_LITERALS_SHOWN = 3
MOST_SURROGATES_SHOWN = 2
TESTS = {"<=": "≤", ">": ">", "==": "=", "!=": "≠"}  # of literals, and how they read
TEST_NAMES = tuple(TESTS)  # a tree numbers them so
BY_ORDER = ("<=", ">")  # the tests that need numbers; the others need levels
MOST_BINDINGS = 10_000  # kept by one table
NO_CODE = 2**32  # of a level that the table does not know
WIDEST_KEPT = 4096  # codes in a lookup; longer ones are made anew, thousands of them would fill the memory


class Literal(NamedTuple):
    """One condition on one column; a missing value never fulfils it.

    Attributes:
        column: the name of the column.
        test: "<=" or ">" of a numeric column, "==" or "!=" of a column with levels (ordered ones, too: a literal
            stores values, and the order of levels belongs to a table).
        value: the threshold, dates in seconds since 1970, UTC; or the name of the level.
    """

    column: str
    test: str
    value: float | str

    @property
    def by_order(self) -> bool:
        """Whether it compares numbers."""
        return self.test in BY_ORDER


@dataclass(frozen=True)
class Surrogate:
    """Another column's split that stands in where the value of a split's own column is missing (Breiman et al. 1984).

    Attributes:
        split: by one threshold or two groups of levels; where its own column is missing the next surrogate is asked.
        flipped: whether its branches stand for the other branches of the split, 0 for 1 and 1 for 0.
    """

    split: "Split"
    flipped: bool = False

    def __post_init__(self) -> None:
        if self.split.kind == "m_of_n" or self.split.n_branches != 2:
            raise InputError(f"A surrogate by “{self.split.column}” needs one threshold or two groups of levels.")
        if self.split.surrogates:
            raise InputError(f"A surrogate by “{self.split.column}” cannot have surrogates of its own.")
        if not isinstance(self.flipped, bool):
            raise InputError(f"A surrogate by “{self.split.column}” is flipped or not, True or False.")


@dataclass(frozen=True)
class Split:
    """One split of a node.

    An m-of-n split (Murphy and Pazzani 1991) asks how many of its literals hold: branch 0 takes the rows in which at
    least m do, branch 1 the others.

    Attributes:
        column: the name of the column that is looked at; of an m-of-n split that of its first literal.
        kind: "threshold", "groups" or "m_of_n".
        thresholds: ascending; a value goes into the first branch whose threshold it does not exceed, values
            above the last one into the last branch. Dates in seconds since 1970, UTC.
        groups: the level names of each branch.
        missing: the branch of rows in which the column is missing. Where that is one more than the thresholds make,
            those rows have a branch of their own. Always 0 for m-of-n, whose literals fail where they are missing.
            With surrogates: of rows in which their columns are missing, too.
        unseen: the branch of levels that no group names; always 0 for m-of-n.
        m, literals: of an m-of-n split.
        surrogates: of a split into two branches; rows in which the column is missing go by the first of them whose
            column they have.
    """

    column: str
    kind: str
    thresholds: tuple[float, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    missing: int = 0
    unseen: int = 0
    m: int = 0
    literals: tuple[Literal, ...] = ()
    surrogates: tuple[Surrogate, ...] = ()

    def __post_init__(self) -> None:
        if self.kind != "m_of_n" and (self.m or self.literals):
            raise InputError(f"A split of “{self.column}” by {self.kind} has no literals: leave m and literals out.")
        if self.kind == "threshold":
            increasing = all(a < b for a, b in zip(self.thresholds, self.thresholds[1:], strict=False))
            if not self.thresholds or not increasing or any(np.isnan(self.thresholds)):
                raise InputError(f"A split of “{self.column}” needs ascending thresholds, not {self.thresholds}.")
        elif self.kind == "groups":
            named = [level for group in self.groups for level in group]
            if len(self.groups) < 2 or len(named) != len(set(named)):
                raise InputError(f"A split of “{self.column}” needs two or more groups that share no level.")
        elif self.kind == "m_of_n":
            self._check_literals()
        else:
            raise InputError(f"“{self.kind}” is no kind of split; it is threshold, groups or m_of_n.")
        if not (0 <= self.missing < self.n_branches and 0 <= self.unseen < self.n_branches):
            raise InputError(f"A split of “{self.column}” sends rows into a branch that it does not have.")
        if self.surrogates:
            self._check_surrogates()

    def _check_surrogates(self) -> None:
        if self.kind == "m_of_n" or self.n_branches != 2 or self.thresholds == (np.inf,):
            raise InputError(
                f"Only a split by one threshold or two groups has surrogates, not this of “{self.column}”."
            )
        names = [self.column, *(surrogate.split.column for surrogate in self.surrogates)]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"A split and its surrogates look at different columns, not at “{twice}” twice.")

    def _check_literals(self) -> None:
        n = len(self.literals)
        if not n:
            raise InputError("An m-of-n split needs at least one literal.")
        for literal in self.literals:
            if literal.test not in TESTS:
                raise InputError(f"“{literal.test}” is no test of a literal; it is one of {', '.join(TESTS)}.")
            if not (_is_number(literal.value) if literal.by_order else isinstance(literal.value, str)):
                wanted = "a number" if literal.by_order else "the name of a level"
                raise InputError(
                    f"The test {literal.test} of “{literal.column}” needs {wanted}, not “{literal.value}”."
                )
        twice = next((literal for literal in self.literals if self.literals.count(literal) > 1), None)
        if twice is not None:
            raise InputError(f"An m-of-n split cannot ask “{literal_words(twice)}” twice.")
        if not isinstance(self.m, Integral) or isinstance(self.m, bool) or not 1 <= self.m <= n:
            raise InputError(f"At least {self.m} of {n} literals cannot hold; m is a whole number from 1 to {n}.")
        if self.column != self.literals[0].column:
            first = self.literals[0].column
            raise InputError(f"The column of an m-of-n split is that of its first literal, “{first}”.")
        if self.thresholds or self.groups or self.missing or self.unseen:
            raise InputError("An m-of-n split has literals only: leave thresholds, groups, missing and unseen out.")

    @property
    def n_branches(self) -> int:
        """How many branches it makes."""
        if self.kind == "m_of_n":
            return 2
        if self.kind == "groups":
            return len(self.groups)
        return len(self.thresholds) + 1 + self.has_missing_branch

    @property
    def has_missing_branch(self) -> bool:
        """Whether thresholds leave the rows without a value to a branch of their own."""
        return self.kind == "threshold" and self.missing == len(self.thresholds) + 1

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns that it looks at, those of its surrogates last, each once."""
        own = tuple(dict.fromkeys(literal.column for literal in self.literals)) or (self.column,)
        return (*own, *(surrogate.split.column for surrogate in self.surrogates))


def _is_number(value: object) -> bool:
    """Whether it can be a threshold; those of numpy can."""
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


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
        missing: the branch of code 0.
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


def threshold_between(low: float, high: float) -> float:
    """The threshold halfway between two adjacent values; it separates them: low <= threshold < high."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def branch_of_rows(split: Split, table: Table, rows: NDArray[Any]) -> NDArray[np.uint16]:
    """uint16[n]: the branch that each row of a table takes, for every kind of split.

    Args:
        rows: row numbers, in any order.

    Raises:
        InputError: as `bind`.
    """
    binding = bind(split, table)
    if not binding.literals:
        codes = table.columns[binding.column].codes[rows]
        branch = binding.branches(codes)
        if binding.surrogates:
            _send_by_surrogates(binding, table, rows, np.flatnonzero(codes == 0), branch)
        return branch
    hits = np.zeros(len(rows), dtype=np.uint16)
    for literal in binding.literals:
        hits += literal.holds(table.columns[literal.column].codes[rows])
    return (hits < binding.m).astype(np.uint16)


def _send_by_surrogates(
    binding: Binding, table: Table, rows: NDArray[Any], waiting: NDArray[np.int64], branch: NDArray[np.uint16]
) -> None:
    """Enters the branch of the rows at the places `waiting`, each by the first surrogate whose column it has."""
    for surrogate, flipped in binding.surrogates:
        if not waiting.size:
            return
        codes = table.columns[surrogate.column].codes[rows[waiting]]
        branch[waiting[codes > 0]] = surrogate.branches(codes[codes > 0]) ^ flipped
        waiting = waiting[codes == 0]


def bind(split: Split, table: Table) -> Binding:
    """The split as a lookup from this table's codes to branches; cached on the table when it is small.

    Raises:
        InputError: a column is gone or has a kind that this split cannot cut.
    """
    found: Binding | None = table.bindings.get(split)
    if found is not None:
        return found
    found = _bind_literals(split, table) if split.kind == "m_of_n" else _bind_column(split, table)
    if all(one.lookup is None or one.lookup.size <= WIDEST_KEPT for one in (found, *(s for s, _ in found.surrogates))):
        if len(table.bindings) >= MOST_BINDINGS:
            table.bindings.clear()
        table.bindings[split] = found
    return found


def _bind_column(split: Split, table: Table) -> Binding:
    place = place_for(split.column, split.kind == "threshold", table)
    column = table.columns[place]
    others = tuple((_bind_column(surrogate.split, table), surrogate.flipped) for surrogate in split.surrogates)
    if split.kind == "threshold":
        cuts = np.searchsorted(column.values, np.array(split.thresholds), side="right").astype(np.int64)
        return Binding(place, cuts, None, split.missing, surrogates=others)
    return Binding(place, np.zeros(0, dtype=np.int64), _lookup(split, column), split.missing, surrogates=others)


def _bind_literals(split: Split, table: Table) -> Binding:
    literals = tuple(_bound(literal, table) for literal in split.literals)
    return Binding(literals[0].column, np.zeros(0, dtype=np.int64), None, 0, split.m, literals)


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


Kinds = str | Mapping[str, str]  # the kind of the split's column, or the kinds of columns by name


def branch_words(split: Split, branch: int, kinds: Kinds) -> str:
    """How a branch reads beside the column's name: "≤ 42.5", "> 42.5", "= Biscoe", "in {Dream, Torgersen}".

    That of an m-of-n split is a whole condition: "at least 2 of {fever = yes, age > 60, cough = yes}"; of more
    literals how many are asked: "at least 5 of 16".

    Args:
        kinds: the column's kind, for dates and booleans; or the kinds of all columns by name.
    """
    if split.kind == "m_of_n":
        return _literals(split, branch, kinds, MOST_LITERALS_SHOWN)
    if split.kind == "threshold":
        return _interval(split, branch, _kind_of(split.column, split, kinds))
    group = split.groups[branch]
    if not group:
        return "missing" if split.missing == branch and not split.surrogates else "any other"
    if len(group) == 1:
        return f"= {group[0]}"
    if len(group) <= MOST_LEVELS_SHOWN:
        return f"in {{{levels_words(group)}}}"
    return f"in {len(group)} of {sum(map(len, split.groups))}: {group[0]} …"


def _kind_of(column: str, split: Split, kinds: Kinds) -> str:
    if isinstance(kinds, str):
        return kinds if column == split.column else "number"
    return kinds.get(column, "number")


def _interval(split: Split, branch: int, kind: str) -> str:
    cuts = [value_words(threshold, kind) for threshold in split.thresholds]
    if split.has_missing_branch and branch == split.missing:
        return "missing"
    if split.thresholds == (np.inf,) and not split.has_missing_branch:
        return "present" if branch == 0 else "missing"
    if branch == 0:
        return f"≤ {cuts[0]}"
    if branch == len(cuts):
        return f"> {cuts[-1]}"
    return f"in ({cuts[branch - 1]}, {cuts[branch]}]"


def literal_words(literal: Literal, kind: str = "number") -> str:
    """A literal as a condition: "age > 60", "town ≠ Ulm"."""
    value = literal.value if isinstance(literal.value, str) else value_words(literal.value, kind)
    return f"{literal.column} {TESTS[literal.test]} {value}"


def _literals(split: Split, branch: int, kinds: Kinds, most: float) -> str:
    """A branch of an m-of-n split; of more than `most` literals their number."""
    n = len(split.literals)
    if n > most:
        return f"{_quantity(split, branch)} {n}"
    words = [literal_words(literal, _kind_of(literal.column, split, kinds)) for literal in split.literals]
    if n == 1:
        return words[0] if branch == 0 else f"not {words[0]}"
    return f"{_quantity(split, branch)} {{{', '.join(words)}}}"


def _quantity(split: Split, branch: int) -> str:
    if split.m == 1:
        return "any of" if branch == 0 else "none of"
    if split.m == len(split.literals):
        return "all of" if branch == 0 else "not all of"
    return f"at least {split.m} of" if branch == 0 else f"fewer than {split.m} of"


def title(split: Split) -> str:
    """What a split asks, in a few words: the column's name; of several literals "at least 2 of 3 conditions"."""
    n = len(split.literals)
    return split.column if n < 2 else f"{_quantity(split, 0)} {n} conditions"


def sentence(split: Split, branch: int, kinds: Kinds) -> str:
    """A branch as a condition: "age ≤ 42.5", "at least 5 of 16 conditions"."""
    words = branch_words(split, branch, kinds)
    if split.kind == "m_of_n":
        return words if len(split.literals) <= MOST_LITERALS_SHOWN else f"{words} conditions"
    return f"{split.column} {words}"


def full_words(split: Split, branch: int, kinds: Kinds, lacking: bool = True) -> str:
    """A branch as a condition with all of its levels or literals; for tooltips and rules.

    Args:
        kinds: as for `branch_words`.
        lacking: whether the column is missing in some rows, so that it has to be said where they go. Of many
            surrogates the first are named.
    """
    if split.kind == "m_of_n":
        return _literals(split, branch, kinds, np.inf)
    if split.kind == "groups" and len(split.groups[branch]) > MOST_LEVELS_SHOWN:
        text = f"{split.column} in {{{levels_words(split.groups[branch])}}}"
    else:
        text = sentence(split, branch, kinds)
    if split.surrogates:
        return f"{text} (where missing: {_surrogate_words(split, branch, kinds)})" if lacking else text
    stands_for_missing = text.endswith((" missing", " present"))
    said = lacking and split.missing == branch and not stands_for_missing
    return f"{text} or missing" if said else text


def _surrogate_words(split: Split, branch: int, kinds: Kinds) -> str:
    """What decides where the column is missing: "income ≤ 20, else town = Ulm, else never"."""
    shown = split.surrogates[:MOST_SURROGATES_SHOWN]
    words = [sentence(surrogate.split, branch ^ surrogate.flipped, kinds) for surrogate in shown]
    last = "…" if len(shown) < len(split.surrogates) else "always" if split.missing == branch else "never"
    return ", else ".join([*words, last])
