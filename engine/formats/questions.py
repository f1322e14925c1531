"""What a tree asks of a row, for every format that says it as code: conditions that are true or false, and the order in
which they come.

A test of a missing value is false, but for the one that asks whether it is missing; nothing is negated. So a language
whose comparisons with a missing value are false (C, JavaScript, numpy) and one where they are unknown, which counts as
false (SQL), find the same branch.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

import numpy as np

from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.splits import Literal, Split
from engine.splits.split import DIVIDED
from engine.tree.arrays import collapse
from engine.tree.assignment import places_asked
from engine.tree.tree import Tree

FIRST_SECOND, LAST_SECOND = -62_135_596_800.0, 253_402_300_799.999999  # of the calendar: the years 1 to 9999
LEVELS = 12  # of a tree that stand in one piece of code: compilers and eyes know limits
LITERAL_TESTS = {"==": "in", "!=": "not in", "<=": "<=", ">": ">"}


@dataclass(frozen=True)
class Compare:
    """One comparison of one column.

    Attributes:
        place: of the column in the tree.
        test: "missing" or "present"; "<=" or ">" of a number, dates in seconds since 1970, UTC; "in" or "not in" of
            levels. The last four are false where the value is missing.
        value: the threshold, which may be −∞ but not +∞; or the names of the levels, at least one.
    """

    place: int
    test: str
    value: float | tuple[str, ...] = ()


@dataclass(frozen=True)
class AtLeast:
    """That so many of some conditions hold: 1 is any, and all of them is all. Of no conditions 1 is never."""

    least: int
    parts: "tuple[Condition, ...]"


Condition = Compare | AtLeast


class Question(NamedTuple):
    """The question of one inner node.

    Attributes:
        order: the branches, in the order in which they are asked for; each once.
        conditions: of each but the last, which takes the rows that meet none. A row goes by the first that it meets.
    """

    order: tuple[int, ...]
    conditions: tuple[Condition, ...]


class Step(NamedTuple):
    """One step of the walk through a piece of code.

    Attributes:
        does: "if", "elif" and "else" open a branch, "end" closes a question; "leaf" and "part" are where a row goes.
        level: how deep it stands in its piece.
        at: the leaf's number from left to right; the number of the other piece; else the position of the node.
        condition: of "if" and "elif".
    """

    does: str
    level: int
    at: int
    condition: Condition | None = None


def any_of(*parts: Condition) -> Condition:
    """That one of them holds."""
    return parts[0] if len(parts) == 1 else AtLeast(1, parts)


def all_of(*parts: Condition) -> Condition:
    """That all of them hold."""
    return parts[0] if len(parts) == 1 else AtLeast(len(parts), parts)


NEVER = AtLeast(1, ())


class Asker:
    """Makes the questions of one tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._places: Mapping[str, int] = {column.name: place for place, column in enumerate(tree.columns)}

    def question(self, i: int) -> Question:
        """What the inner node at position i asks.

        Raises:
            InputError: it divides rows without a value among its branches.
        """
        split = self._tree.split_at(i)
        assert split is not None
        if split.divides:
            raise InputError(tr(
                "Node {node} divides rows without a value of “{column}” among all of its branches, which code cannot "
                "say: approximate it, or grow the tree with another way for missing values.",
                node=int(self._tree.ids[i]), column=one_line(split.column)))  # fmt: skip
        if split.kind == "m_of_n":
            literals = tuple(self._literal(literal) for literal in split.literals)
            return Question((0, 1), (literals[0] if len(literals) == 1 else AtLeast(split.m, literals),))
        if split.surrogates:
            return Question((0, 1), (self._with_surrogates(split),))
        if split.kind == "threshold":
            return self._by_thresholds(split)
        order = [b for b in range(split.n_branches) if b != split.unseen]
        return Question((*order, split.unseen), tuple(self._own(split, b, True) for b in order))

    def _by_thresholds(self, split: Split) -> Question:
        order = tuple(range(split.n_branches))
        return Question(order, tuple(self._own(split, b, True) for b in order[:-1]))

    def _own(self, split: Split, branch: int, with_missing: bool) -> Condition:
        """That a row takes a branch and none before it, by the split's own column."""
        place, parts = self._places[split.column], list[Condition]()
        if split.kind == "groups":
            group = split.groups[branch]
            parts += [Compare(place, "in", group)] if group else []
        elif branch < len(split.thresholds):
            parts += self._compared(place, "<=", split.thresholds[branch])
        else:
            parts.append(Compare(place, "present"))
        if with_missing and split.missing == branch:
            parts.append(Compare(place, "missing"))
        return any_of(*parts)

    def _compared(self, place: int, test: str, value: float) -> list[Condition]:
        """A comparison that can be said in finite numbers; nothing where no value meets it."""
        is_date = self._tree.columns[place].kind == "date"
        beyond = LAST_SECOND if is_date else inf
        if value >= beyond:
            return [Compare(place, "present")] if test == "<=" else []
        if is_date and value < FIRST_SECOND:
            return [] if test == "<=" else [Compare(place, "present")]
        return [Compare(place, test, value)]

    def _with_surrogates(self, split: Split) -> Condition:
        """Branch 0: by its own column, else by the first surrogate that has its own, else by where missing ones go."""
        ways, absent = [self._side(split, 0)], [Compare(self._places[split.column], "missing")]
        for surrogate in split.surrogates:
            ways.append(all_of(*absent, self._side(surrogate.split, int(surrogate.flipped))))
            absent.append(Compare(self._places[surrogate.split.column], "missing"))
        return any_of(*ways, *([all_of(*absent)] if split.missing == 0 else []))

    def _side(self, split: Split, branch: int) -> Condition:
        """That a row with a value goes into one of two branches; also where that is the branch of the others."""
        place = self._places[split.column]
        if split.kind == "threshold":
            return any_of(*self._compared(place, "<=" if branch == 0 else ">", split.thresholds[0]))
        if branch != split.unseen:
            return self._own(split, branch, False)
        others = split.groups[1 - branch]
        return Compare(place, "not in", others) if others else Compare(place, "present")

    def _literal(self, literal: Literal) -> Condition:
        place, test = self._places[literal.column], LITERAL_TESTS[literal.test]
        if literal.by_order:
            return any_of(*self._compared(place, test, float(literal.value)))
        return Compare(place, test, (str(literal.value),))


def cut_back(tree: Tree, levels: float) -> Tree:
    """The tree without what stands deeper than so many levels: the nodes there are leaves."""
    if tree.depth <= levels:
        return tree
    return collapse(tree, np.flatnonzero((tree.level == levels) & (tree.n_branches > 0)))


def with_whole_rows(tree: Tree) -> Tree:
    """The tree that sends a row whose value is missing into the branch of most training weight, where this one divides
    it among all."""
    missing, weight = tree.nodes.missing.copy(), tree.weight()
    for i in ((tree.n_branches > 0) & (missing == DIVIDED)).nonzero()[0].tolist():
        missing[i] = weight[tree.children(i)].argmax()
    return replace(tree, nodes=tree.nodes._replace(missing=missing))


def parts(tree: Tree, levels: int = LEVELS) -> list[int]:
    """The positions of the nodes at which a piece of code begins: the root, and the inner nodes so many levels below
    such a one."""
    starts = (tree.n_branches > 0) & (tree.level % levels == 0)
    starts[0] = True
    return [int(i) for i in starts.nonzero()[0]]


def steps(tree: Tree, tops: Mapping[int, int], leaf_of: Mapping[int, int], top: int) -> Iterator[Step]:
    """The walk through the piece of code that begins at position `top`, in the order in which it is written.

    Args:
        tops: the number of each piece by the position at which it begins. leaf_of: the number of each leaf by its.
    """
    asker = Asker(tree)
    if top in leaf_of:
        yield Step("leaf", 0, leaf_of[top])
        return
    waiting: list[Step | int] = [top]
    while waiting:
        step = waiting.pop()
        if isinstance(step, Step):
            yield step
            continue
        question, children = asker.question(step), tree.children(step)
        level = int(tree.level[step] - tree.level[top])
        written: list[Step | int] = []
        for k, branch in enumerate(question.order):
            condition = question.conditions[k] if k < len(question.conditions) else None
            does = "else" if condition is None else "elif" if k else "if"
            child = children[branch]
            written.append(Step(does, level, step, condition))
            if child in leaf_of:
                written.append(Step("leaf", level + 1, leaf_of[child]))
            else:
                written.append(Step("part", level + 1, tops[child]) if child in tops else child)
        written.append(Step("end", level, step))
        waiting.extend(reversed(written))


def pieces_of_code(tree: Tree, levels: int = LEVELS) -> Iterator[tuple[int, Iterator[Step]]]:
    """Each piece of code, the root's first: its number, and the walk through it."""
    tops = {top: k for k, top in enumerate(parts(tree, levels))}
    leaf_of = {leaf: k for k, leaf in enumerate(tree.leaves.tolist())}
    for top, k in tops.items():
        yield k, steps(tree, tops, leaf_of, top)


def columns_used(tree: Tree) -> list[int]:
    """The places of the columns that it asks, ascending."""
    needed, helpful = places_asked(tree)
    return sorted(needed | helpful)


def variables(tree: Tree) -> dict[int, str]:
    """A name for each column that it asks, by place, which every language takes: x_age. Two never get the same."""
    names: dict[int, str] = {}
    for place in columns_used(tree):
        plain = re.sub(r"[^a-z0-9]+", "_", tree.columns[place].name.lower()).strip("_")[:40]
        name = f"x_{plain}" if plain else f"x_{place}"
        names[place] = name if name not in names.values() else f"{name}__{place}"
    return names
