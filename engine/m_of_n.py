"""m-of-n splits: "at least 2 of {fever, age > 60, cough}", found by climbing (Murphy and Pazzani 1991, ID2-of-3).

The climb starts at the best single literal. Each step adds one literal, to m-of-(n+1) or to (m+1)-of-(n+1), whichever
gains most, and the climb ends where no step really gains. It is greedy: a better split may be out of its reach.

Literals of a numeric column are x ≤ t and x > t at the cuts between its values at the node: all of them up to
`MOST_VALUES` values, else those at as many quantiles, and the column's best cut. Other columns, ordered ones among
them, give = and ≠ for every level at the node, of more than `MOST_LEVELS` for the most frequent; of categories not
for those that `pool` pools. A literal of a missing value does not hold.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.assignment import Assignment, assign
from engine.choices import LEVELS
from engine.column import Column
from engine.column_search import Runs
from engine.criteria import BINNED, CRITERIA
from engine.kernels.impurity import GINI, improves, impurity, tolerance
from engine.kernels.m_of_n import (
    ABOVE,
    DIFFERENT,
    EQUAL,
    UP_TO,
    Literals,
    Target,
    add_hits,
    best_literal,
    count_by_hits,
)
from engine.kernels.search import best_cut
from engine.marks import at_node
from engine.options import Search
from engine.progress import Progress
from engine.splits import TEST_NAMES, Literal, Split, threshold_between
from engine.table import TRAIN, Table
from engine.tally import NodeRows

if TYPE_CHECKING:
    from engine.tree import Tree

MOST_LITERALS = 16  # of one split
MOST_VALUES = 32  # of a numeric column, up to which every cut is a literal
MOST_LEVELS = 64  # of a column, that are asked for


@dataclass(frozen=True)
class Climb:
    """Where a climb ended.

    Attributes:
        split: the m-of-n split; of one literal if no second one gains.
        gain: impurity of the node less the mean impurity of the branches, on training rows; for the gain ratio the
            information gain. tie: the Gini gain for the criterion "error", by which equal gains are told apart.
        steps: (m, literals, gain) from the best single literal on; the last is the split.
    """

    split: Split
    gain: float
    tie: float
    steps: tuple[tuple[int, tuple[Literal, ...], float], ...]


def m_of_n(
    table: Table,
    tree: "Tree",
    node: int = 0,
    *,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Climb | None:
    """The m-of-n split of one node to which the climb leads; marks are honoured as by `engine.candidates`.

    Args:
        node: the id of a leaf or of an inner node.
        assignment: the rows of the tree's nodes, if at hand.
        progress: when it is stopped, the climb ends where it stands; it is told that it goes on, not how far it is.
        options: those of `engine.Search`; the criterion, min_leaf and pool are looked at.

    Returns:
        None when no literal parts the rows, or their weights or targets add up to no number.

    Raises:
        InputError: an option cannot be used, or the tree has no such node.
    """
    search = Search.make(table.task, **{**options, "m_of_n": True})
    table, search = at_node(table, tree, node, search)
    if not table.features:
        return None
    at = assign(table, tree) if assignment is None else assignment
    rows = np.sort(at.rows_of(tree.position(node)))
    searched = table.binned(search.bins) if search.criterion in BINNED else table  # type: ignore[attr-defined]
    return climb(NodeRows.of(searched, rows).centred(), search, progress)


def climb(inside: NodeRows, search: Search, progress: Progress | None = None) -> Climb | None:
    """See `m_of_n`, from the rows of a node; for a binned criterion those of the binned table."""
    progress = progress or Progress()
    asked = []
    for place in search.features_of(inside.table):
        asked.append(_of_column(inside, place, search))
        progress.report(1.0, "m of n conditions")  # what was found before may be shown meanwhile
    names = [literal for one in asked for literal in one.literals]
    if not names:
        return None
    code, n_stats = CRITERIA[search.criterion].code, inside.table.n_stats
    literals, target, opposite = _literals(asked), _target(inside), _opposites(asked)
    hits, usable = np.zeros(literals.buckets.shape[1], dtype=np.uint8), np.ones(len(names), dtype=bool)
    eps, tie_eps = _tolerances(code, target, n_stats)
    m, gain, tie = 0, 0.0, 0.0
    chosen: tuple[Literal, ...] = ()
    steps: list[tuple[int, tuple[Literal, ...], float]] = []
    while len(chosen) < MOST_LITERALS and not (steps and progress.stopped):
        j, raised, new_gain, new_tie = best_literal(
            literals, target, hits, m, len(chosen), usable, code, search.min_leaf, n_stats
        )
        beyond = not math.isfinite(new_gain)  # the sums of the target or of the weights are too large for a number
        if j < 0 or beyond or (steps and not improves(new_gain, new_tie, gain, tie, eps, tie_eps)):
            break
        m, chosen, gain, tie = m + raised, (*chosen, names[j]), float(new_gain), float(new_tie)
        steps.append((m, chosen, gain))
        usable[[j, opposite[j]]] = False
        column = int(np.searchsorted(literals.first, j, side="right")) - 1
        add_hits(literals.buckets[column], literals.test[j], literals.at[j], hits)
    if not steps:
        return None
    return Climb(Split(chosen[0].column, "m_of_n", m=m, literals=chosen), gain, tie, tuple(steps))


@dataclass(frozen=True, eq=False)
class _Asked:
    """The literals of one column: `bucket` uint8[n] of every training row, and for each literal its test and bucket.

    opposite: for each literal the place among these of its negation; its own place if there is none.
    """

    literals: list[Literal]
    bucket: NDArray[np.uint8]
    n_buckets: int
    test: list[int]
    at: list[int]
    opposite: list[int]


def _of_column(inside: NodeRows, place: int, search: Search) -> _Asked:
    table = inside.table
    column = table.columns[place]
    runs = Runs.of(inside.count(place), table.task == "classes")
    codes = column.codes[inside.rows[inside.gathered[0] == TRAIN]]
    if column.is_numeric:
        return _by_order(column, runs, codes, search)
    return _by_level(column, runs, codes, search.pool if column.kind in LEVELS else 0)


def _by_order(column: Column, runs: Runs, codes: NDArray[Any], search: Search) -> _Asked:
    cuts = _cuts(runs, search)
    last = runs.codes[cuts].astype(np.int64)  # the last code up to each cut
    bucket = np.searchsorted(last, codes, side="left").astype(np.uint8) + np.uint8(1)
    bucket[codes == 0] = 0
    literals: list[Literal] = []
    for cut in cuts.tolist():
        low, high = (float(column.values[code - 1]) for code in runs.codes[cut : cut + 2])
        threshold = threshold_between(low, high)
        literals += [Literal(column.name, TEST_NAMES[test], threshold) for test in (UP_TO, ABOVE)]
    n = len(cuts)
    at = np.repeat(np.arange(1, n + 1), 2)
    return _Asked(literals, bucket, n + 2, [UP_TO, ABOVE] * n, at.tolist(), (np.arange(2 * n) ^ 1).tolist())


def _cuts(runs: Runs, search: Search) -> NDArray[np.int64]:
    """The runs after which a literal cuts, ascending."""
    m = runs.codes.size
    if m <= MOST_VALUES:
        return np.arange(max(m - 1, 0))
    before = np.cumsum(runs.rows)
    wanted = before[-1] * np.arange(1, MOST_VALUES + 1) / (MOST_VALUES + 1)
    cuts = np.searchsorted(before, wanted, side="left")
    code = CRITERIA[search.criterion].code
    _, _, best, _ = best_cut(runs.stat, runs.rows, runs.miss_stat, runs.miss_rows, code, search.min_leaf)
    cuts = np.unique(np.append(cuts, best))
    return cuts[(cuts >= 0) & (cuts < m - 1)].astype(np.int64)


def _by_level(column: Column, runs: Runs, codes: NDArray[Any], pool: int) -> _Asked:
    levels = _levels(runs, pool)
    n = levels.size
    of_code = np.full(column.n_values + 1, n + 1, dtype=np.uint8)  # what is not asked for is there all the same
    of_code[0], of_code[levels] = 0, np.arange(1, n + 1)
    # of two levels each is the negation of the other, unless values are missing
    both = n == runs.codes.size == 2 and runs.miss_rows == 0
    tests = [EQUAL] if both else [EQUAL, DIFFERENT]
    # of two levels the later is asked for first: True rather than False, yes rather than no
    asked = np.arange(n, 0, -1) if runs.codes.size == 2 else np.arange(1, n + 1)
    names = [str(column.values[code - 1]) for code in levels[asked - 1]]
    literals = [Literal(column.name, TEST_NAMES[test], name) for name in names for test in tests]
    at = np.repeat(asked, len(tests))
    opposite = np.arange(len(literals)) ^ 1
    return _Asked(literals, of_code[codes], n + 2, tests * n, at.tolist(), opposite.tolist())


def _levels(runs: Runs, pool: int) -> NDArray[np.int64]:
    """The codes of the levels that are asked for, ascending: frequent ones, of at least `pool` rows."""
    by_rows = np.argsort(-runs.rows, kind="stable")[:MOST_LEVELS]
    return np.sort(runs.codes[by_rows[runs.rows[by_rows] >= pool]].astype(np.int64))


def _literals(asked: list[_Asked]) -> Literals:
    first = np.cumsum([0, *(len(one.literals) for one in asked)])
    return Literals(
        np.stack([one.bucket for one in asked]),
        np.array([one.n_buckets for one in asked]),
        first,
        np.array([test for one in asked for test in one.test], dtype=np.int64),
        np.array([at for one in asked for at in one.at], dtype=np.int64),
    )


def _opposites(asked: list[_Asked]) -> NDArray[np.int64]:
    """int64[J]: the negation of each literal."""
    first = np.cumsum([0, *(len(one.literals) for one in asked)])
    return np.array([first[c] + j for c, one in enumerate(asked) for j in one.opposite], dtype=np.int64)


def _target(inside: NodeRows) -> Target:
    part, labels, numbers, weights = inside.gathered
    train = part == TRAIN
    return Target(*(array[train] if array.size else array for array in (labels, numbers, weights)))


def _tolerances(code: int, target: Target, n_stats: int) -> tuple[float, float]:
    """By how much (gain, tie) have to differ, see `engine.kernels.impurity.tolerance`."""
    n = target.labels.size or target.numbers.size
    node = count_by_hits(target, np.zeros(n, dtype=np.uint8), 0, n_stats)[0][0]
    return tolerance(code, impurity(code, node)), tolerance(GINI, impurity(GINI, node))
