"""Pruning by rules that a person sets: rows in a leaf, gain on validation rows, evidence, leaves that say the same."""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import BINNED
from engine.pruning.metrics import loss_words
from engine.pruning.options import Options
from engine.pruning.result import Pruning, Told, Verdicts, single
from engine.pruning.sequence import TIE, Flags, Floats, bottom_up, locked, under, validation_weight
from engine.ranking.candidates import weigh
from engine.ranking.weighing import comparison, values_of
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.significance.batch import judge, log_p_single, rows_tested
from engine.significance.kernels import NO, YES
from engine.significance.permutation import Target
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.assignment import Assignment, assign
from engine.tree.marks import excluded_at
from engine.tree.tree import Tree

NO_RULE = marked("No rule was given, so nothing was cut.")
STOPPED = marked("The tests were stopped: splits that were not tested yet stay.")


@dataclass(frozen=True)
class Rule:
    """One rule of those that were asked for.

    Attributes:
        cut: bool[n_nodes], of the splits that stand → those that the rule makes leaves.
        words: what was compared at a position, as it was when the rule was asked last; empty where nothing was.
    """

    cut: Callable[[Flags], Flags]
    words: Callable[[int], str]


def by_rule(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """Cuts what the rules forbid that were asked for, until none of them cuts any more.

    min_leaf: a split goes that leaves a branch with fewer training rows; the numbers are of the depths 1, 2, 3 …
    min_validation_gain: a split goes unless the splits from it down, cut back to the best of them, lower the error on
        the validation rows by more than this for each of them.
    significance: with significance_of "tree" a split goes whose p-value times the number of columns is above this, with
        all splits below it. The p-value is that of `engine.candidates`, adjusted for the search of its column. A tree
        of pure noise is cut to its root with a probability of at least 1 − significance. As in ctree (Hothorn, Hornik
        and Zeileis 2006) the level holds at each node whose splits above are real, not for all such nodes together;
        so it does below splits that a person keeps, which are not tested.
        With "split" the p-value alone counts, and a split above one that is kept stays, too.
    same_answer: a split goes whose leaves all say the same as it says.

    The more stands, the less does any rule cut; so what is left at the end is the largest pruning that obeys all rules,
    whatever their order. A stop while splits are tested keeps those that are not tested yet.

    Raises:
        InputError: a gain on validation rows is asked for, and there are none.
    """
    kept = locked(tree, options.keep_by_hand)
    evidence = None
    rules = []
    if options.min_leaf:
        rules.append(_min_leaf(tree, options.min_leaf))
    if options.min_validation_gain is not None:
        rules.append(_validation_gain(table, tree, kept, options.min_validation_gain))
    if options.significance is not None:
        evidence = SplitEvidence(table, tree, options.significance, options.assignment, progress)
        of_tree = options.significance_of == "tree"
        rules.append((_significant_from_root if of_tree else _significant)(evidence, kept, options.significance))
    if options.same_answer:
        rules.append(_same_answer(tree))
    stands, before = tree.n_branches > 0, -1
    while int(stands.sum()) != before:
        before = int(stands.sum())
        for rule in rules:
            cut = rule.cut(stands) & ~kept
            stands = stands & ~cut & ~under(tree, cut)
    unfinished = evidence is not None and evidence.unfinished
    remark = tr(NO_RULE) if not rules else tr(STOPPED) if unfinished else ""
    tops = (tree.n_branches > 0) & ~stands
    tops[1:] &= stands[tree.parent[1:]]
    compared = Told(lambda i: " ".join(filter(None, (rule.words(i) for rule in rules))))
    return single("by_rule", tree, np.flatnonzero(tops), remark, compared)


def _min_leaf(tree: Tree, least: tuple[int, ...]) -> Rule:
    smallest = np.full(tree.n_nodes, np.iinfo(np.int64).max)
    np.minimum.at(smallest, tree.parent[1:], tree.rows_train[1:])
    asked = np.array(least)[np.minimum(tree.level, len(least) - 1)]
    short = smallest < asked

    def words(i: int) -> str:
        if tree.n_branches[i] == 0:
            return ""
        return tr(
            "The smallest branch has {rows} training rows; at least {least} are asked for.",
            rows=number_words(float(smallest[i])), least=number_words(float(asked[i])),
        )  # fmt: skip

    return Rule(lambda stands: stands & short, words)


def _validation_gain(table: Table, tree: Tree, kept: Flags, least: float) -> Rule:
    cost, price = tree.costs("validation"), least * validation_weight(tree)
    quantity = tr("{loss} among the validation rows", loss=loss_words(table, tree))
    if price:
        more = f"{'+' if price > 0 else '−'} {number_words(abs(price))}"
        quantity = tr("{quantity} {price} for each split", quantity=quantity, price=more)
    leaf, branch = np.full((2, tree.n_nodes), np.nan)

    def cut(stands: Flags) -> Flags:
        found, better = bottom_up(quantity, tree, cost, kept, price, stands)
        compared = ~np.isnan(found.leaf)
        leaf[compared], branch[compared] = found.leaf[compared], found.branch[compared]
        return better

    return Rule(cut, lambda i: Verdicts(quantity, leaf, branch).words(i))


def _significant_from_root(evidence: "SplitEvidence", kept: Flags, level: float) -> Rule:
    def words(i: int) -> str:
        if evidence.beneath[i]:
            return tr("Not tested: a split above it is not significant.")
        if not evidence.tested[i]:
            return ""
        p, n = math.exp(evidence.log_p(i)), evidence.n_columns(i)
        return tr(
            "The p-value adjusted for the search of its column, {p}, times the number of columns, {n}, is {product}; "
            "at most {most} is asked for.",
            p=number_words(p), n=n, product=number_words(min(p * n, 1.0)), most=number_words(level),
        )  # fmt: skip

    return Rule(lambda stands: stands & ~evidence.keeps_from_root(stands, kept), words)


def _significant(evidence: "SplitEvidence", kept: Flags, level: float) -> Rule:
    def words(i: int) -> str:
        if not evidence.tested[i]:
            return ""
        p = number_words(math.exp(evidence.log_p(i)))
        return tr(
            "The p-value adjusted for the search of its column is {p}; at most {most} is asked for.",
            p=p, most=number_words(level),
        )  # fmt: skip

    return Rule(lambda stands: stands & ~evidence.keeps(stands), words)


def _same_answer(tree: Tree) -> Rule:
    answers: NDArray[Any] = tree.labels if tree.task == "classes" else tree.predictions
    slack = 0.0 if tree.task == "classes" else TIE * float(np.abs(answers).max())
    same = np.zeros(tree.n_nodes, dtype=bool)

    def cut(stands: Flags) -> Flags:
        shown = ~stands
        shown[1:] &= stands[tree.parent[1:]]
        leaves = np.flatnonzero(shown)
        turns = np.concatenate(([0], np.cumsum(np.abs(np.diff(answers[leaves])) > slack)))
        first = np.searchsorted(leaves, np.arange(tree.n_nodes))
        last = np.searchsorted(leaves, tree.end) - 1
        splits = np.flatnonzero(stands)
        alike = turns[first[splits]] == turns[last[splits]]
        alike &= np.abs(answers[leaves[first[splits]]] - answers[splits]) <= slack
        same[splits] = alike
        return stands & same

    def words(i: int) -> str:
        if not same[i]:
            return ""
        said = tree.classes[answers[i]] if tree.task == "classes" else number_words(float(answers[i]))
        return tr("All its leaves predict {label}, as it does itself.", label=said)

    return Rule(cut, words)


# -- which splits are significant: only those are tested whose test decides


ROUNDING = 1e-6  # of logarithms: what is as near to the level is tested
TOLD = 64  # tests between two words on the progress


class SplitEvidence:
    """Which splits of a tree are significant, found when it is asked for and kept.

    A split's adjusted p-value is what `engine.weigh` tells by the options that the tree was grown with.

    Attributes:
        tested: bool[n_nodes], the splits that had to be tested.
        beneath: bool[n_nodes], those below one that is not significant, where that decides.
        unfinished: whether a stop left some out.
    """

    def __init__(
        self, table: Table, tree: Tree, level: float, assignment: Assignment | None, progress: Progress
    ) -> None:
        self._table, self._tree, self._progress = table, tree, progress
        self._level = math.log(level) if level > 0 else -math.inf
        self._at = assignment or assign(table, tree)
        self._single = np.full(tree.n_nodes, -math.inf)  # at most the adjusted one, but for rows with sampling weights
        self._by_weight = table.weights is not None and not table.weights_are_counts
        criteria = {tree.options.get("criterion"), *(mark.criterion for mark in tree.marks.values())}
        # whether a split is tested on the counts of its branches: not on bins, nor on the rows with a value alone
        self._by_counts = not criteria & set(BINNED) and tree.options.get("missing") not in ("surrogate", "fractional")
        if self._by_counts:
            single = log_p_single(tree, rows_tested(table, tree, self._at))
            self._single = np.where(tree.n_branches > 2, -math.inf, single)
        self._promising = self._single <= self._level + ROUNDING
        self._search = Search.make(table.task, **tree.options)
        self._exact, self._verdict = np.full(tree.n_nodes, np.nan), np.full(tree.n_nodes, np.nan)
        self._small: NDArray[np.uint8] | None = None  # what `judge` found
        self._passes: dict[int, bool] = {}
        self.tested, self.beneath = np.zeros((2, tree.n_nodes), dtype=bool)
        self.unfinished = False

    def keeps_from_root(self, stands: Flags, kept: Flags) -> Flags:
        """bool[n_nodes]: of the splits that stand those that are significant among all columns of their node, and below
        none that is not; those that are `kept` are not tested. A stop keeps all that are left.
        """
        tree, found = self._tree, np.zeros(self._tree.n_nodes, dtype=bool)
        i = 0
        while i < tree.n_nodes:
            if stands[i] and not kept[i] and not self._passes_from_root(i):
                self.beneath[i + 1 : tree.end[i]] = tree.n_branches[i + 1 : tree.end[i]] > 0
                i = int(tree.end[i])
                continue
            found[i] = stands[i]
            i += 1
        return found

    def _passes_from_root(self, i: int) -> bool:
        """Whether the p-value of the split at position i times the number of columns, or 1, is at most the level."""
        if i not in self._passes:
            if self._progress.stopped:
                self.unfinished = True
                return True
            self._progress.report(i / self._tree.n_nodes, tr("Testing splits"))
            needed = self._level - math.log(self.n_columns(i))
            hopeless = self._single[i] > needed + ROUNDING and not self._by_weight
            self._passes[i] = self._level >= 0.0 or (not hopeless and self._log_p(i, needed) <= needed)
            self.tested[i] = True
        return self._passes[i]

    def n_columns(self, i: int) -> int:
        """The columns that a search of the node at position i compares: those that are not the same in all training
        rows, and m of n where it is searched; the split's own is one of them."""
        table, tree, split = self._table, self._tree, self._tree.split_at(i)
        assert split is not None
        left_out = {*self._search.locked, *excluded_at(tree, int(tree.ids[i]))} - {split.column}
        rows = self._at.rows_of(i)
        rows, n = rows[table.part[rows] == TRAIN], int(self._search.m_of_n)
        for column in (table.columns[place] for place in table.features):
            if column.name not in left_out:
                codes = column.codes[rows]
                n += bool((codes != codes[:1]).any())
        return max(n, 1)

    def keeps(self, stands: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[n_nodes]: of the splits that stand those that are significant, or above one that is.

        The lowest are tested first; what stands above a significant one is not tested. A stop keeps all that are left.
        """
        end, asked = self._tree.end, stands & self._promising
        if self._small is None and self._by_counts and self._level > -math.inf and not self._progress.stopped:
            self._small = judge(
                self._table, self._tree, self._search, math.exp(self._level), self._at, asked,
                self._progress,
            )  # fmt: skip
            self._verdict[self._small == YES], self._verdict[self._small == NO] = -math.inf, 0.0
        significant = asked & (self._verdict <= self._level)
        known = [*np.flatnonzero(significant).tolist(), self._tree.n_nodes]
        unknown = np.flatnonzero(asked & np.isnan(self._verdict))[::-1]
        lowest = self._tree.n_nodes  # the significant split that was found last
        for done, i in enumerate(unknown.tolist()):
            if min(lowest, known[bisect_right(known, i)]) < end[i]:
                continue
            if self._progress.stopped:
                self.unfinished = significant[i] = True
                lowest = i
                continue
            if done % TOLD == 0:
                self._progress.report(done / unknown.size, tr("Testing splits"))
            self._verdict[i] = self._log_p(i, self._level)
            significant[i] = self._verdict[i] <= self._level
            lowest = i if significant[i] else lowest
        counted = np.concatenate(([0], np.cumsum(significant)))
        below = counted[end] > counted[1:]
        self.tested |= asked & ~below & ~np.isnan(self._verdict)
        return np.asarray(stands & (below | significant))

    def log_p(self, i: int) -> float:
        """ln of the adjusted p-value of the split at position i."""
        if np.isnan(self._exact[i]):
            self._exact[i] = self._log_p(i, 0.0)
        return float(self._exact[i])

    def _log_p(self, i: int, needed: float) -> float:
        """The same, or, where a level is needed, on which side of it that lies."""
        split, tree, at = self._tree.split_at(i), self._tree, self._at
        assert split is not None
        if split.kind == "m_of_n" or not self._by_counts:
            proof = weigh(self._table, tree, int(tree.ids[i]), split, at, **tree.options).evidence
            return 0.0 if proof is None else proof.log_adjusted
        inside = NodeRows.of(self._table, np.sort(at.rows_of(i)))
        target, place = Target.of(inside), self._table.index(split.column)
        values = values_of(inside, target, inside.count(place))
        compared = comparison(self._table.columns[place], self._search, target, split, values)
        return compared.evidence(self._branches(i), needed).log_adjusted

    def _branches(self, i: int) -> Floats:
        """float64[B, S]: the training statistic of each branch; of numbers sums measured from the node's mean."""
        children = np.ascontiguousarray(self._tree.train[self._tree.children(i)])
        if self._tree.task == "classes":
            return children
        weight, total, squares = children.T
        d = total - weight * (self._tree.train[i, 1] / self._tree.train[i, 0])
        return np.stack((weight, d, squares + np.divide(d * d, weight, out=np.zeros(d.size), where=weight > 0)), axis=1)
