"""How many tests and trees there are, and how long a search of all of them takes."""

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.learning_theory.kernels import BRANCHES, CUT, GROUPS, ONE
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.options import Search
from engine.table.column import Column
from engine.table.partition import TRAIN
from engine.table.table import Table

MOST_DEPTH = 4
MOST_SECONDS = 600.0  # of a search
MOST_LEVELS = 8  # of a column whose levels are divided in all ways; with more, each stands against the rest
MOST_DIGITS = 1_000_000  # binary ones of a number of trees
STEP_COST = {"classes": 1.25e-9, "number": 7.5e-9}  # seconds for a test and an entry of a statistic, measured
QUESTION_COST, NODE_COST, CELL_COST = 1e-7, 1e-4, 4e-9  # for a pair of branches: counted; sorted apart, and each value


@dataclass(frozen=True)
class Extent:
    """How much a search of all trees has to do.

    Attributes:
        depth: of the trees.
        n_tests: different tests at the root.
        n_trees: the number of trees of at most this depth that can be written down, see `extent`.
        seconds: about how long the search takes; rather less, for much of it can be left out.
    """

    depth: int
    n_tests: int
    n_trees: int
    seconds: float


def extent(table: Table, depth: int, *, nominal: str = "groups") -> Extent:
    """How many tests and trees there are, and about how long a search of them takes.

    With T(d) the number of trees of depth at most d, K labels (1 for a numeric target, whose leaves say the mean), and
    b branches of a test:

        T(0) = K,   T(d) = K + Σ over the tests T(d − 1)ᵇ

    so K + tests · T(d − 1)² for yes-or-no tests. They are counted as they are written down: trees that say the same
    count apart, and so do those with branches that no row reaches.
    """
    search = Search.make(table.task, nominal=nominal)
    if not isinstance(depth, Integral) or isinstance(depth, bool) or not 1 <= depth <= MOST_DEPTH:
        raise InputError(tr(
            "depth cannot be {depth}; all trees can be searched for a depth of 1 to {most}.", depth=depth,
            most=MOST_DEPTH))  # fmt: skip
    rows = table.rows(TRAIN)
    counted = [_tests(table.columns[i], table.columns[i].codes[rows], search) for i in table.features]
    labels = len(table.classes) if table.task == "classes" else 1
    n_trees = labels
    for _ in range(depth):
        if max(branches for _, branches in counted) * n_trees.bit_length() > MOST_DIGITS:
            raise InputError(
                tr("A branch for each level makes more trees than can be counted: divide the levels into groups.")
            )
        n_trees = labels + sum(number * n_trees**branches for number, branches in counted)
    n_tests = sum(number for number, _ in counted)
    each_test = STEP_COST[table.task] * (table.n_stats + 1)
    each_node = NODE_COST + CELL_COST * rows.size * len(counted)
    return Extent(depth, n_tests, n_trees, _seconds(counted, depth, each_test, each_node))


def _tests(column: Column, codes: NDArray[Any], search: Search) -> tuple[int, int]:
    """(tests of a column on its training codes, branches of each)."""
    found = np.unique(codes)
    lacking = int(found.size > 0 and found[0] == 0)
    size = found.size - lacking
    way = way_of(column, size, search)
    if way == BRANCHES:
        apart = size > 1 or (size == 1 and lacking and column.n_values > 1)
        return (column.n_values if lacking else 1) * apart, column.n_values
    if way == CUT:
        return (2 * size - 1 if size else 0) if lacking else size - 1, 2
    if way == GROUPS:
        return 2 ** (size + lacking - 1) - 1, 2
    levels = size if size > 2 else 1 if size == 2 else 0
    return (2 * levels + (size > 0)) if lacking else levels, 2


def way_of(column: Column, size: int, search: Search) -> int:
    if column.is_numeric or column.kind == "ordered":
        return int(CUT)
    if search.nominal == "multiway":
        return int(BRANCHES)
    way = {"groups": GROUPS, "one_vs_rest": ONE}[search.nominal]
    return int(ONE if size > MOST_LEVELS else way)


def _seconds(counted: list[tuple[int, int]], depth: int, each_test: float, each_node: float) -> float:
    """What counting and trying takes: a pair of tests costs a few nanoseconds for each class."""
    n_tests = sum(number for number, _ in counted)
    seconds = n_tests * each_test
    for level in range(2, depth + 1):
        each = seconds + (QUESTION_COST if level == 2 else each_node)
        seconds = sum(number * (each if branches == 2 else branches * (seconds + each_node))
                      for number, branches in counted)  # fmt: skip
    return seconds


def too_many(size: Extent) -> str:
    hours = size.seconds / 3600
    long = tr("{n:,.0f} minutes", n=size.seconds / 60) if hours < 2 else tr("{n:,.0f} hours", n=hours)
    said: dict[str, object] = {
        "tests": size.n_tests,
        "power": math.floor(math.log10(size.n_trees)),
        "depth": size.depth,
    }
    said["time"] = long if hours <= 24 * 365 else tr("more than a year")
    if size.depth == 1:
        return tr(
            "{tests:,} different tests make about 10^{power} trees of depth {depth}; to search them would take {time}. "
            "Leave out columns, above all those of many different values.", **said,
        )  # fmt: skip
    return tr(
        "{tests:,} different tests make about 10^{power} trees of depth {depth}; to search them would take {time}. "
        "Choose a smaller depth, or leave out columns, above all those of many different values.", **said,
    )  # fmt: skip
