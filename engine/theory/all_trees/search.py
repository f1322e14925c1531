"""The search: the last two levels are counted by kernels, those above are tried test by test."""

import time
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.theory.all_trees.counting import way_of
from engine.theory.kernels.all_trees import (
    BRANCHES,
    Pair,
    Rows,
    Rules,
    best_of_one,
    best_of_two,
    count_rows,
    flip_at,
    n_flips,
    rerank,
)

TICK = 0.1  # seconds between two reports
QUESTIONS_AT_ONCE = 2e7  # divided by what one costs: a tenth of a second
EQUAL = 1e-12  # errors that differ by less than this share of the root's weight (or squares) count as equal

Counted = tuple[NDArray[np.float64], NDArray[np.float64]]  # a tally and its total


class Plan(NamedTuple):
    """A tree in the making.

    Attributes:
        error, leaves: of the whole tree.
        column, flip: its first question; -1 for a leaf.
        levels: how many levels of questions there may be below it, where the plans `below` are not kept.
        below: the plan of each branch that has rows.
    """

    error: float
    leaves: float
    column: int = -1
    flip: int = -1
    levels: int = 0
    below: "tuple[Plan, ...]" = ()


class Hunt:
    """One search: the training rows, and what is known of parts of them."""

    def __init__(self, table: Table, search: Search, progress: Progress) -> None:
        self.table, self.progress = table, progress
        self.train = table.rows(TRAIN)
        self.columns = [table.columns[i] for i in table.features]
        codes = np.empty((self.train.size, len(self.columns)), np.uint32)
        for c, column in enumerate(self.columns):
            codes[:, c] = np.unique(np.append(0, column.codes[self.train]), return_inverse=True)[1][1:]
        ways = [way_of(column, int(codes[:, c].max()), search) for c, column in enumerate(self.columns)]
        declared = [column.n_values for column in self.columns]
        stats = _statistics(table, self.train)
        empty = np.zeros(len(ways), np.int64)
        whole = Rows(codes, stats, np.array(ways), empty, empty, np.array(declared), np.zeros(0, np.int64))
        self.root = self.part(whole, np.arange(self.train.size))
        scale = stats[:, 2].sum() if table.task == "number" else stats[:, :-1].sum()
        self.rules = Rules(table.task == "number", search.min_leaf, EQUAL * float(scale))
        self._known: dict[bytes, Plan] = {}
        self._next_report = 0.0

    def part(self, rows: Rows, chosen: NDArray[Any]) -> Rows:
        """Some of the rows, their codes dense."""
        codes = rows.codes[chosen]
        sizes, missing = np.empty(rows.ways.size, np.int64), np.empty(rows.ways.size, np.int64)
        rerank(codes, int(rows.codes.max(initial=0)), sizes, missing)
        first = np.concatenate(([0], np.cumsum(sizes + 1)))
        return rows._replace(codes=codes, stats=rows.stats[chosen], sizes=sizes, missing=missing, first=first)

    def best(self, rows: Rows, depth: int, start: float, share: float) -> Plan:
        """The best plan of at most this depth; the work is the `share` of the whole from `start` on."""
        tally, total = np.zeros((int(rows.first[-1]), rows.stats.shape[1])), np.zeros(rows.stats.shape[1])
        count_rows(rows, tally, total)
        answer = np.empty(4)
        best_of_one(rows, self.rules, tally, total, np.empty((2, total.size)), answer)
        plan = _plan(answer)
        if depth == 1 or plan.error <= self.rules.eps:
            return plan
        key = blake2b(rows.stats.tobytes() + rows.codes.tobytes() + bytes([depth]), digest_size=16).digest()
        found = self._known.get(key)
        if found is None:
            found = self._deeper(rows, depth, (tally, total), plan, start, share)
            if not self.progress.stopped:
                self._known[key] = found
        return found

    def _deeper(self, rows: Rows, depth: int, counted: Counted, best: Plan, start: float, share: float) -> Plan:
        """The best plan of a depth of 2 or more; `best` is that of depth 1, which it has to beat."""
        flips = [int(n_flips(*about)) for about in zip(rows.ways, rows.sizes, rows.missing, strict=True)]
        each = share / max(sum(flips), 1)
        for c, n in enumerate(flips):
            if depth == 2 and rows.ways[c] != BRANCHES:
                best = self.count_pairs(rows, c, counted, best, start, each)
            else:
                best = self.try_all(rows, c, depth, best, start, each)
            start += n * each
            if self.progress.stopped:
                break
        return best

    def count_pairs(self, rows: Rows, c: int, counted: Counted, best: Plan, start: float, each: float) -> Plan:
        """Improves a plan of two levels by the questions of column c; a stop is heard at every question."""
        width, size = rows.stats.shape[1], int(rows.sizes[c])
        order = np.argsort(rows.codes[:, c], kind="stable")
        starts = np.searchsorted(rows.codes[order, c], np.arange(size + 2))
        pair = Pair(
            np.stack([np.zeros_like(counted[0]), counted[0]]), np.stack([np.zeros(width), counted[1]]),
            np.zeros(size + 1, np.uint8), np.array([-np.inf]), np.empty((2, 4)), np.empty((2, width)),
        )  # fmt: skip
        answer = np.array([best.error, best.leaves, -1.0, -1.0])
        n = int(n_flips(rows.ways[c], size, rows.missing[c]))
        at_once = max(1, int(QUESTIONS_AT_ONCE / (int(rows.first[-1]) * width)))
        for i in range(0, n, at_once):
            until = min(i + at_once, n)
            best_of_two(rows, self.rules, c, (i, until), order, starts, pair, answer, self.progress.flag)
            self._report(start + until * each)
        return best if answer[2] < 0 else _plan(answer)._replace(levels=1)

    def try_all(self, rows: Rows, c: int, depth: int, best: Plan, start: float, each: float) -> Plan:
        """Improves a plan by the tests of column c, whose branches are searched one by one."""
        eps, bound = self.rules.eps, -np.inf
        bounded = self.rules.min_leaf <= 1 and not self.rules.number and rows.ways[c] != BRANCHES
        weights = np.bincount(rows.codes[:, c], rows.stats[:, :-1].sum(axis=1), int(rows.sizes[c]) + 1)
        for flip, moved, branches in tests_of(rows, c):
            bound -= float(weights[moved].sum())  # a row that moves takes at most its weight off the error
            if bounded and bound > best.error + eps:
                continue
            found = self._try(rows, branches[rows.codes[:, c]], depth, best.error + eps, start + flip * each, each)
            if found is None:
                continue
            bound = max(bound, found.error)
            if found.error < best.error - eps or (found.error <= best.error + eps and found.leaves < best.leaves):
                empty = int(rows.declared[c]) - len(found.below) if rows.ways[c] == BRANCHES else 0
                best = found._replace(column=c, flip=flip, leaves=found.leaves + empty)
            if self.progress.stopped:
                break
        return best

    def _try(self, rows: Rows, branch: NDArray[Any], depth: int, most: float, start: float, each: float) -> Plan | None:
        """The best plans of the branches together; None if a branch is too small. It ends early, with its error so
        far, where that is more than `most`."""
        parts = [np.flatnonzero(branch == b) for b in range(int(branch.max()) + 1)]
        parts = [part for part in parts if part.size]
        if len(parts) < 2 or min(part.size for part in parts) < self.rules.min_leaf:
            return None
        error = 0.0
        plans: list[Plan] = []
        for part in parts:
            share = each / len(parts)
            plans.append(self.best(self.part(rows, part), depth - 1, start + len(plans) * share, share))
            error += plans[-1].error
            if error > most:
                break
        return Plan(error, sum(plan.leaves for plan in plans), below=tuple(plans))

    def _report(self, done: float) -> None:
        if time.monotonic() >= self._next_report:
            self._next_report = time.monotonic() + TICK
            self.progress.report(done, "trying all trees")


def _plan(answer: NDArray[np.float64]) -> Plan:
    return Plan(float(answer[0]), float(answer[1]), int(answer[2]), int(answer[3]))


def _statistics(table: Table, rows: NDArray[Any]) -> NDArray[np.float64]:
    """float64[n, S]: the statistics of single rows, as the kernels want them."""
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    y = table.y[rows]
    if table.task == "number":
        y = y - np.average(y, weights=weights)
        return np.column_stack([weights, weights * y, weights * y * y, np.ones(rows.size)])
    stats = np.zeros((rows.size, len(table.classes) + 1))
    stats[np.arange(rows.size), y] = weights
    stats[:, -1] = 1.0
    return stats


def tests_of(rows: Rows, c: int) -> Iterator[tuple[int, list[int], NDArray[np.int64]]]:
    """The tests of a column, in order: (flip, codes that moved since the one before, branch of each code)."""
    way, size, missing = int(rows.ways[c]), int(rows.sizes[c]), int(rows.missing[c])
    if way == BRANCHES:
        for flip in range((size + (size < rows.declared[c])) if missing else 1):
            yield flip, [], np.append(flip, np.arange(size))
        return
    branches, moved = np.ones(size + 1, np.int64), []
    for flip in range(n_flips(way, size, missing)):
        code, asked = flip_at(way, size, missing, flip)
        branches[code] = 1 - branches[code]
        moved.append(code)
        if asked:
            yield flip, moved, branches
            moved = []
