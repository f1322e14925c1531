"""m-of-n splits: "at least 2 of {fever, age > 60, cough}", found by climbing (Murphy and Pazzani 1991, ID2-of-3).

The climb starts at the best single literal. Each step adds one literal, to m-of-(n+1) or to (m+1)-of-(n+1), whichever
gains most, and the climb ends where no step really gains. It is greedy: a better split may be out of its reach.

Literals of a numeric column are x ≤ t and x > t at all cuts between its values at the node. Other columns, ordered ones
among them, give = and ≠ for every level at the node; of categories not for those that `pool` pools. A literal of a
missing value does not hold.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import improves, split_information
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.choices import LEVELS
from engine.search.column_search import Found, scales_of
from engine.search.kernels.count import Target
from engine.search.kernels.m_of_n import Literals, add_hits, best_literal
from engine.search.options import Search
from engine.search.tally import NodeRows, Runs, numbered, weights_of
from engine.splits import Literal, Split, branch_of_rows, threshold_between
from engine.table.column import Column

MOST_LITERALS = 16  # of one split


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


def climb(inside: NodeRows, search: Search, progress: Progress | None = None) -> Climb | None:
    """The split to which the climb leads at a node, from its training rows; for a binned criterion those of the bins.

    Returns:
        None when no literal parts the rows, or their weights or targets add up to no number.
    """
    progress, asked = progress or Progress(), []
    features = search.features_of(inside.table)
    if not features:
        return None
    for place in features:
        asked.append(_of_column(inside, place, search))
        progress.report(1.0, tr("m of n conditions"))  # what was found before may be shown meanwhile
    literals = Literals(
        np.stack([one.bucket for one in asked]),
        np.array([one.runs.codes.size + 1 for one in asked]),
        np.cumsum([0, *(one.count for one in asked)]),
        np.array([not one.at.size for one in asked]),
        np.concatenate([one.negated for one in asked]),
        np.concatenate([one.at for one in asked]).astype(np.int64),
        np.cumsum([0, *(one.at.size for one in asked)])[:-1],
    )
    usable = np.ones(literals.first[-1], dtype=np.bool_)
    if not usable.size:
        return None
    code, n_stats = kernel_code(search.criterion), inside.table.n_stats
    _, labels, numbers, weights = inside.training.gathered
    target, hits = Target(labels, numbers, weights), np.zeros(literals.buckets.shape[1], dtype=np.uint8)
    _, eps, tie_eps = scales_of(inside.trained, search)
    m, gain, tie = 0, 0.0, 0.0
    chosen: tuple[Literal, ...] = ()
    steps: list[tuple[int, tuple[Literal, ...], float]] = []
    while len(chosen) < MOST_LITERALS:
        j, raised, new_gain, new_tie = best_literal(
            literals, target, hits, m, len(chosen), usable, code, search.min_leaf, n_stats,
            progress.flag if steps else Progress().flag,
        )  # fmt: skip
        beyond = not math.isfinite(new_gain)  # the sums of the target or of the weights are too large for a number
        if j < 0 or beyond or (steps and not improves(new_gain, new_tie, gain, tie, eps, tie_eps)):
            break
        column = int(np.searchsorted(literals.first, j, side="right")) - 1
        first = int(literals.first[column])
        m, chosen, gain, tie = m + raised, (*chosen, asked[column].literal(j - first)), float(new_gain), float(new_tie)
        steps.append((m, chosen, gain))
        usable[[j, first + ((j - first) ^ 1)]] = False  # it and its negation
        add_hits(literals, column, j, hits)
    if not steps:
        return None
    return Climb(Split(chosen[0].column, "m_of_n", m=m, literals=chosen), gain, tie, tuple(steps))


def search_m_of_n(training: NodeRows, search: Search, progress: Progress) -> Found | None:
    """The split to which the climb leads, as the search of a node finds it; None as there."""
    climbed = climb(training, search, progress)
    if climbed is None:
        return None
    branch = branch_of_rows(climbed.split, training.table, training.rows)
    sizes = weights_of(training.count_branches(branch, 2).train, training.table.task == "classes")
    tries = log_climbs(training, search, len(climbed.steps))
    return Found(climbed.split, climbed.gain, climbed.tie, float(split_information(sizes)), tries)


def log_climbs(training: NodeRows, search: Search, n_steps: int) -> float:
    """Of how many climbs of this length the best could have been taken: each step has two operators."""
    columns = [training.table.columns[place] for place in search.features_of(training.table)]
    n_values = sum(np.count_nonzero(np.bincount(column.codes[training.rows])) for column in columns)  # missing as one
    literals = max(2 * n_values, 1)  # a node may have no rows
    return math.log(literals) + (n_steps - 1) * math.log(2 * literals)


@dataclass(frozen=True, eq=False)
class _Asked:
    """The literals of one column, each beside its negation.

    Attributes:
        runs: the values of the training rows. bucket: uint32[n], that of each of these rows, 0 where it is missing.
        count: how many literals there are.
        negated, at: bool and int64[count], see `Literals`; empty for a column with an order.
    """

    column: Column
    runs: Runs
    bucket: NDArray[np.uint32]
    count: int
    negated: NDArray[np.bool_]
    at: NDArray[np.int64]

    def literal(self, place: int) -> Literal:
        """The one at a place among them."""
        codes, values = self.runs.codes, self.column.values
        if self.column.is_numeric:
            low, high = (float(values[code - 1]) for code in codes[place // 2 : place // 2 + 2])
            return Literal(self.column.name, ("<=", ">")[place % 2], threshold_between(low, high))
        level = str(values[codes[self.at[place] - 1] - 1])
        return Literal(self.column.name, "!=" if self.negated[place] else "==", level)


def _of_column(inside: NodeRows, place: int, search: Search) -> _Asked:
    column = inside.table.columns[place]
    runs = Runs.of(inside.count(place), inside.table.task == "classes")
    bucket = numbered(column.codes[inside.training.rows], column.n_values + 1)[1].astype(np.uint32)
    m = runs.codes.size
    if column.is_numeric:
        return _Asked(column, runs, bucket, 2 * max(m - 1, 0), np.empty(0, np.bool_), np.empty(0, np.int64))
    asked = np.flatnonzero(runs.rows >= (search.pool if column.kind in LEVELS else 0))
    # of two levels the later is asked for first: True rather than False, yes rather than no
    asked = asked[::-1] if m == 2 else asked
    # of two levels each is the negation of the other, unless values are missing
    tests = [False] if asked.size == m == 2 and runs.miss_rows == 0 else [False, True]
    at = np.repeat(asked + 1, len(tests))
    return _Asked(column, runs, bucket, at.size, np.tile(tests, asked.size), at)
