"""A split, in values: what one column or several are asked."""

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import NamedTuple, TypeVar

import numpy as np

from engine.runtime.errors import InputError
from engine.table.words import value_words

Thing = TypeVar("Thing", bound=Hashable)
TESTS = {"<=": "≤", ">": ">", "==": "=", "!=": "≠"}  # of literals, and how they read
TEST_NAMES = tuple(TESTS)  # a tree numbers them so
BY_ORDER = ("<=", ">")  # the tests that need numbers; the others need levels


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
        twice = repeated(names)
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
        twice = repeated(self.literals)
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


def repeated(things: Iterable[Thing]) -> Thing | None:
    """The first of them that was there before; None when all differ."""
    seen = set[Thing]()
    for thing in things:
        if thing in seen:
            return thing
        seen.add(thing)
    return None


def _is_number(value: object) -> bool:
    """Whether it can be a threshold; those of numpy can."""
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


def literal_words(literal: Literal, kind: str = "number") -> str:
    """A literal as a condition: "age > 60", "town ≠ Ulm"."""
    value = literal.value if isinstance(literal.value, str) else value_words(literal.value, kind)
    return f"{literal.column} {TESTS[literal.test]} {value}"


def threshold_between(low: float, high: float) -> float:
    """The threshold halfway between two adjacent values; it separates them: low <= threshold < high."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low
