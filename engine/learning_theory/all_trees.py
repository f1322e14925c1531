"""The best of all trees: an exhaustive search for the least training error at a given depth.

Growing is greedy: it takes the best question now and never comes back. For a small table the best tree of a depth can
be found by trying all of them, so that it can be seen what the greedy one misses, and how the best one overfits.

The last two levels are counted by kernels, those above are tried test by test.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import larger_side
from engine.growing import grow
from engine.learning_theory.extent import MOST_SECONDS, extent, too_many, way_of
from engine.learning_theory.kernels import BRANCHES, CUT, GROUPS, Pair, Rows, Rules, best_of_one, best_of_two
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.kernels.branches import is_enough
from engine.search.options import Search
from engine.search.tally import heaviest
from engine.splits import Split, threshold_between
from engine.table.column import Column
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class AllTrees:
    """What a search of all trees found.

    Attributes:
        tree: the tree of least training error, of those with fewest leaves, of those the one whose tests come first
            (lower column, lower cut; at the root first, then branch by branch).
        error: its training error: the share of weight in error, or the mean squared error.
        greedy: the tree that `engine.grow` finds at this depth.
        n_tests, n_trees: see `Extent`.
        complete: False when the search was stopped; `tree` is then the best so far.
    """

    tree: Tree
    error: float
    greedy: Tree
    n_tests: int
    n_trees: int
    complete: bool


def all_trees(
    table: Table, depth: int = 2, *, min_leaf: int = 1, nominal: str = "groups", progress: Progress | None = None
) -> AllTrees:
    """Searches all trees of at most this depth for the one of least training error.

    The tests are: every cut between adjacent training values of a numeric or ordered column; of a nominal one by
    `nominal` all divisions of its levels into two groups (of more than 8 levels: each level against the rest), each
    level against the rest, or a branch for each declared level. Rows that lack the value go into either branch, both
    are tried, and it is asked whether the value is there at all.

    The search is exact. The last two levels are counted (`theory.kernels`), those above are tried one by
    one, leaving out what cannot be better than what is known, because a row that changes sides changes the least
    error by no more than its weight. The tree is never worse than the greedy one, which stands in where that groups
    more levels than are tried here.

    Args:
        depth: 1 to 4.
        min_leaf: every branch that a split makes keeps at least this many training rows.
        nominal: "groups", "multiway" or "one_vs_rest".
        progress: told how far it is; after a stop the best tree so far is returned, within a fifth of a second.

    Raises:
        InputError: an option cannot be used, or the search would take more than about ten minutes.
    """
    search = Search.make(table.task, min_leaf=min_leaf, nominal=nominal)
    progress = progress or Progress()
    size = extent(table, depth, nominal=nominal)
    if size.seconds > MOST_SECONDS:
        raise InputError(too_many(size))
    silent = Progress()
    silent.flag = progress.flag  # it stops when the other one does, and tells nothing
    greedy = grow(table, max_depth=depth, min_leaf=search.min_leaf, nominal=nominal, progress=silent)
    hunt = Hunt(table, search, progress)
    plan = hunt.best(hunt.root, depth, 0.0, 1.0)
    tree = planted(table, hunt, plan)
    scale = max(float(greedy.costs("train")[0]), 1e-300) / max(float(greedy.weight("train")[0]), 1e-300)
    if greedy.error("train") < tree.error("train") - 1e-9 * scale:
        tree = greedy
    tree = replace(tree, options=greedy.options, leaf_rule=greedy.leaf_rule)
    return AllTrees(tree, tree.error("train"), greedy, size.n_tests, size.n_trees, not progress.stopped)


# -- the search

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
        codes = np.column_stack([column.codes[self.train] for column in self.columns]).astype(np.uint32)
        sizes = [int(np.count_nonzero(np.unique(of_column))) for of_column in codes.T]
        ways = np.array([way_of(column, size, search) for column, size in zip(self.columns, sizes, strict=True)])
        declared = np.array([column.n_values for column in self.columns])
        stats, empty = _statistics(table, self.train), np.zeros(0, np.int64)
        whole = Rows(codes, stats, ways, empty, empty, declared, empty, empty, empty, empty > 0)
        self.root = self.part(whole, np.arange(self.train.size))
        scale = stats[:, 2].sum() if table.task == "number" else stats[:, :-1].sum()
        self.rules = Rules(table.task == "number", search.min_leaf, EQUAL * float(scale))
        self._known: dict[bytes, Plan] = {}
        self._next_report = 0.0

    def part(self, rows: Rows, chosen: NDArray[Any]) -> Rows:
        """Some of the rows, their codes dense."""
        codes, columns = rows.codes[chosen], np.arange(rows.ways.size)
        there = np.zeros((int(codes.max(initial=0)) + 1, columns.size), bool)
        there[codes, columns] = True
        missing, there[0] = there[0].astype(np.int64), False
        dense = np.cumsum(there, axis=0, dtype=np.uint32)
        sizes = dense[-1].astype(np.int64)
        about = (of_columns.tolist() for of_columns in (rows.ways, sizes, missing, rows.declared))
        moves, asked = zip(*map(flips_of, *about), strict=True)
        first, begin = (np.append(0, np.cumsum(n)) for n in (sizes + 1, [len(one) for one in moves]))
        return Rows(
            dense[codes, columns], rows.stats[chosen], rows.ways, sizes, missing, rows.declared, first, begin,
            np.concatenate(moves), np.concatenate(asked),
        )  # fmt: skip

    def best(self, rows: Rows, depth: int, start: float, share: float) -> Plan:
        """The best plan of at most this depth; the work is the `share` of the whole from `start` on."""
        place, n_columns = (rows.first[:-1] + rows.codes).ravel(), rows.ways.size
        tally, total, answer = np.empty((int(rows.first[-1]), rows.stats.shape[1])), rows.stats.sum(axis=0), np.empty(4)
        for k, stat in enumerate(rows.stats.T):
            tally[:, k] = np.bincount(place, np.repeat(stat, n_columns), len(tally))
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
        each = share / max(rows.moves.size, 1)
        for c, n in enumerate(np.diff(rows.begin).tolist()):
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
        n = int(rows.begin[c + 1] - rows.begin[c])
        at_once = max(1, int(QUESTIONS_AT_ONCE / (int(rows.first[-1]) * width)))
        for i in range(0, n, at_once):
            until = min(i + at_once, n)
            best_of_two(rows, self.rules, c, (i, until), order, starts, pair, answer, self.progress.flag)
            self._report(start + until * each)
        return best if answer[2] < 0 else _plan(answer)._replace(levels=1)

    def try_all(self, rows: Rows, c: int, depth: int, best: Plan, start: float, each: float) -> Plan:
        """Improves a plan by the tests of column c, whose branches are searched one by one."""
        eps, bound = self.rules.eps, -np.inf
        bounded = is_enough(1, self.rules.min_leaf) and not self.rules.number and rows.ways[c] != BRANCHES
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
        if len(parts) < 2 or not is_enough(min(part.size for part in parts), self.rules.min_leaf):
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
            self.progress.report(done, tr("Trying all trees"))


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
    size, here = int(rows.sizes[c]), slice(rows.begin[c], rows.begin[c + 1])
    if rows.ways[c] == BRANCHES:
        for flip in range(here.stop - here.start):
            yield flip, [], np.append(flip, np.arange(size))
        return
    branches, moved = np.ones(size + 1, np.int64), []
    for flip, (code, asked) in enumerate(zip(rows.moves[here].tolist(), rows.asked[here].tolist(), strict=True)):
        branches[code] = 1 - branches[code]
        moved.append(code)
        if asked:
            yield flip, moved, branches
            moved = []


@lru_cache(maxsize=2**10)
def flips_of(way: int, size: int, missing: int, declared: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(the code that each flip of a column moves, whether a question is asked then), see `theory.kernels`."""
    if way == BRANCHES:
        n = size + (size < declared) if missing else 1
        return np.zeros(n, np.int64), np.ones(n, bool)
    if way == CUT:
        values = np.arange(1, size + missing)
        moves = np.column_stack((values, np.zeros_like(values))).ravel() if missing else values
        return moves, np.ones(moves.size, bool)
    if way == GROUPS:
        number = np.arange(1, 2 ** max(size + missing - 1, 0))
        return np.log2(number & -number).astype(np.int64) + 1 - missing, np.ones(number.size, bool)
    flip = np.arange((4 if missing else 2) * (1 if size == 2 else size))
    if missing:
        return np.where(flip % 2 == 0, flip // 4 + 1, 0), (flip % 4 < 2) | (flip == 2)
    return flip // 2 + 1, flip % 2 == 0


# -- from the plan of a tree to the tree

LEAF = Plan(0.0, 1.0)


def planted(table: Table, hunt: Hunt, plan: Plan) -> Tree:
    """The tree of a plan, its thresholds halfway between the values present at each node."""
    tree, waiting = Tree.root(table), [(0, plan, hunt.root, hunt.train)]
    while waiting:
        node, plan, rows, ids = waiting.pop()
        if plan.column < 0:
            continue
        column, codes = hunt.columns[plan.column], rows.codes[:, plan.column]
        test = next(branches for flip, _, branches in tests_of(rows, plan.column) if flip == plan.flip)
        weights = rows.stats[:, 0] if table.task == "number" else rows.stats[:, :-1].sum(axis=1)
        split, branch_of = _split(column, int(rows.ways[plan.column]), column.codes[ids], weights, test)
        tree = tree.split(table, node, split, by_hand=False)
        children, plans = tree.children(tree.position(node)), iter(plan.below)
        for branch in np.unique(test[codes]).tolist():
            part = np.flatnonzero(test[codes] == branch)
            inside = hunt.part(rows, part)
            below = next(plans) if plan.below else hunt.best(inside, 1, 1.0, 0.0) if plan.levels else LEAF
            waiting.append((int(tree.ids[children[branch_of[branch]]]), below, inside, ids[part]))
    return tree


def _split(
    column: Column, way: int, values: NDArray[Any], weights: NDArray[np.float64], test: NDArray[np.int64]
) -> tuple[Split, list[int]]:
    """A test of the rows of a node in values, and which branch of it each branch of the test is.

    Args:
        values: the table's codes of the node's rows in that column; weights: of these rows.
        test: the branch of each dense code: 0 is missing, then the values present.
    """
    lacking = bool((values == 0).any())
    present = np.unique(values[values > 0]).astype(np.int64) - 1  # places of the values
    if way == BRANCHES:
        places = [*present.tolist(), *np.setdiff1d(np.arange(column.n_values), present).tolist()]
        sizes = np.bincount(values[values > 0] - 1, weights[values > 0], column.n_values).astype(np.float64)
        groups = tuple((str(level),) for level in column.values)
        sizes[places[test[0]]] += weights[values == 0].sum()
        largest = heaviest(sizes)
        missing = places[test[0]] if lacking else largest
        return Split(column.name, "groups", groups=groups, missing=missing, unseen=largest), places
    of_row = test[np.searchsorted(present, values.astype(np.int64) - 1) + 1]
    of_row[values == 0] = test[0]
    larger = int(larger_side(weights[of_row == 0].sum(), weights[of_row == 1].sum()))
    missing = int(test[0]) if lacking else larger
    side = test[1:]
    last = int(np.count_nonzero(side == 0)) - 1  # of a cut: the last value on the left
    if column.is_numeric:
        beyond = last + 1 == present.size
        cut = np.inf if beyond else threshold_between(*map(float, column.values[present[last : last + 2]]))
        return Split(column.name, "threshold", (cut,), missing=missing), [0, 1]
    if way == CUT:
        first = int(present[last + 1]) if last + 1 < present.size else column.n_values
        groups = (tuple(column.values[: present[last] + 1]), tuple(column.values[first:]))
    else:
        groups = (tuple(column.values[present[side == 0]]), tuple(column.values[present[side == 1]]))
    return Split(column.name, "groups", groups=groups, missing=missing, unseen=larger), [0, 1]
