"""A split, in values: what one column or several are asked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from engine.runtime.errors import InputError, repeated
from engine.runtime.sentences import tr
from engine.table.words import levels_words, value_words

TESTS = {"<=": "≤", ">": ">", "==": "=", "!=": "≠"}  # of literals, and how they read
TEST_NAMES = tuple(TESTS)  # a tree numbers them so
BY_ORDER = ("<=", ">")  # the tests that need numbers; the others need levels
DIVIDED = -1  # in the place of the branch of missing values: all branches share them
MOST_LEVELS_SHOWN = 3
MOST_SHORT, SHORT = 6, 16  # levels, and letters of them all: "A, B, C, D" is no longer than "4 of 5: A …"
MOST_LITERALS_SHOWN = 3
MOST_SURROGATES_SHOWN = 2
Kinds = str | Mapping[str, str]  # the kind of the split's column, or the kinds of columns by name


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
            raise InputError(
                tr("A surrogate by “{column}” needs one threshold or two groups of levels.", column=self.split.column)
            )
        if self.split.surrogates:
            raise InputError(tr("A surrogate by “{name}” cannot have surrogates of its own.", name=self.split.column))
        if not isinstance(self.flipped, bool):
            raise InputError(tr("A surrogate by “{name}” is flipped or not, True or False.", name=self.split.column))


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
            DIVIDED: such a row goes into every branch, with the share of the weight that the rows with a value have
            there (C4.5, Quinlan 1993, chapter 3).
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
            raise InputError(tr(
                "A split of “{column}” by {kind} has no literals: leave m and literals out.", column=self.column,
                kind=self.kind))  # fmt: skip
        if self.kind == "threshold":
            increasing = all(a < b for a, b in zip(self.thresholds, self.thresholds[1:], strict=False))
            if not self.thresholds or not increasing or any(np.isnan(self.thresholds)):
                raise InputError(tr(
                    "A split of “{column}” needs ascending thresholds, not {thresholds}.", column=self.column,
                    thresholds=self.thresholds))  # fmt: skip
        elif self.kind == "groups":
            named = [level for group in self.groups for level in group]
            if len(self.groups) < 2 or len(named) != len(set(named)):
                raise InputError(
                    tr("A split of “{column}” needs two or more groups that share no level.", column=self.column)
                )
        elif self.kind == "m_of_n":
            self._check_literals()
        else:
            raise InputError(tr("“{kind}” is no kind of split; it is threshold, groups or m_of_n.", kind=self.kind))
        if not (DIVIDED <= self.missing < self.n_branches and 0 <= self.unseen < self.n_branches):
            raise InputError(
                tr("A split of “{column}” sends rows into a branch that it does not have.", column=self.column)
            )
        if self.surrogates:
            self._check_surrogates()

    def _check_surrogates(self) -> None:
        if self.kind == "m_of_n" or self.n_branches != 2 or self.thresholds == (np.inf,) or self.divides:
            raise InputError(tr(
                "Only a split by one threshold or two groups has surrogates, not this of “{column}”.",
                column=self.column))  # fmt: skip
        names = [self.column, *(surrogate.split.column for surrogate in self.surrogates)]
        twice = repeated(names)
        if twice is not None:
            raise InputError(
                tr("A split and its surrogates look at different columns, not at “{twice}” twice.", twice=twice)
            )

    def _check_literals(self) -> None:
        n = len(self.literals)
        if not n:
            raise InputError(tr("An m-of-n split needs at least one literal."))
        for literal in self.literals:
            if literal.test not in TESTS:
                raise InputError(tr(
                    "“{test}” is no test of a literal; it is one of {tests}.", test=literal.test,
                    tests=", ".join(TESTS)))  # fmt: skip
            if not (_is_number(literal.value) if literal.by_order else isinstance(literal.value, str)):
                said = {"test": literal.test, "column": literal.column, "value": literal.value}
                fault = tr("The test {test} of “{column}” needs the name of a level, not “{value}”.", **said)
                if literal.by_order:
                    fault = tr("The test {test} of “{column}” needs a number, not “{value}”.", **said)
                raise InputError(fault)
        twice = repeated(self.literals)
        if twice is not None:
            raise InputError(tr("An m-of-n split cannot ask “{literal}” twice.", literal=literal_words(twice)))
        if not isinstance(self.m, Integral) or isinstance(self.m, bool) or not 1 <= self.m <= n:
            raise InputError(
                tr("At least {m} of {n} literals cannot hold; m is a whole number from 1 to {n}.", m=self.m, n=n)
            )
        if self.column != self.literals[0].column:
            first = self.literals[0].column
            raise InputError(tr("The column of an m-of-n split is that of its first literal, “{first}”.", first=first))
        if self.thresholds or self.groups or self.missing or self.unseen:
            raise InputError(tr("An m-of-n split has literals only: leave thresholds, groups, missing and unseen out."))

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
    def divides(self) -> bool:
        """Whether rows without a value stand in several branches."""
        return self.missing == DIVIDED

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns that it looks at, those of its surrogates last, each once."""
        own = tuple(dict.fromkeys(literal.column for literal in self.literals)) or (self.column,)
        return (*own, *(surrogate.split.column for surrogate in self.surrogates))


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


# -- in words


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
    if len(group) <= MOST_LEVELS_SHOWN or (len(group) <= MOST_SHORT and len(levels_words(group)) <= SHORT):
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
    return split.column if len(split.literals) < 2 else _of_conditions(split, 0)


def _of_conditions(split: Split, branch: int) -> str:
    said = {"m": split.m, "n": len(split.literals)}
    if split.m == 1:
        return tr("none of {n} conditions", **said) if branch else tr("any of {n} conditions", **said)
    if split.m == len(split.literals):
        return tr("not all of {n} conditions", **said) if branch else tr("all of {n} conditions", **said)
    return tr("fewer than {m} of {n} conditions", **said) if branch else tr("at least {m} of {n} conditions", **said)


def sentence(split: Split, branch: int, kinds: Kinds) -> str:
    """A branch as a condition: "age ≤ 42.5", "at least 5 of 16 conditions"."""
    if len(split.literals) > MOST_LITERALS_SHOWN:
        return _of_conditions(split, branch)
    words = branch_words(split, branch, kinds)
    return words if split.kind == "m_of_n" else f"{split.column} {words}"


def full_words(split: Split, branch: int, kinds: Kinds, lacking: bool = True) -> str:
    """A branch as a condition with all of its levels or literals; for tooltips and rules.

    Args:
        kinds: as for `branch_words`.
        lacking: whether the column is missing in some rows, so that the words include where they go. Of many
            surrogates the first are named.
    """
    if split.kind == "m_of_n":
        return _literals(split, branch, kinds, np.inf)
    if split.kind == "groups" and len(split.groups[branch]) > MOST_LEVELS_SHOWN:
        text = f"{split.column} in {{{levels_words(split.groups[branch])}}}"
    else:
        text = sentence(split, branch, kinds)
    if split.surrogates:
        others = _surrogate_words(split, branch, kinds)
        return tr("{condition} (where missing: {others})", condition=text, others=others) if lacking else text
    if split.divides:
        return tr("{condition} (where missing: in part)", condition=text) if lacking else text
    stands_for_missing = text.endswith((" missing", " present"))
    names_missing = lacking and split.missing == branch and not stands_for_missing
    return f"{text} or missing" if names_missing else text


def _surrogate_words(split: Split, branch: int, kinds: Kinds) -> str:
    """What decides where the column is missing: "income ≤ 20, else town = Ulm, else never"."""
    shown = split.surrogates[:MOST_SURROGATES_SHOWN]
    words = [sentence(surrogate.split, branch ^ surrogate.flipped, kinds) for surrogate in shown]
    text = tr("always") if split.missing == branch else tr("never")
    text = "…" if len(shown) < len(split.surrogates) else text
    for condition in reversed(words):
        text = tr("{condition}, else {other}", condition=condition, other=text)
    return text
