"""Pruning by rules that a person sets: rows in a leaf, gain on validation rows, evidence, leaves that say the same."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.pruning.options import Options
from engine.pruning.result import Pruning, Verdicts, loss_words, single
from engine.pruning.sequence import TIE, Flags, bottom_up, locked, under, validation_weight
from engine.pruning.significance import SplitEvidence
from engine.runtime.progress import Progress
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.tree import Tree

NO_RULE = "No rule was given, so nothing was cut."
STOPPED = "The tests were stopped: splits that were not tested yet stay."


@dataclass(frozen=True)
class Rule:
    """One rule of those that were asked for.

    Attributes:
        cut: bool[n_nodes], of the splits that stand → those that the rule makes leaves.
        words: what was compared at a position, as it was when the rule was asked last; empty where nothing was.
    """

    cut: Callable[[Flags], Flags]
    words: Callable[[int], str]


@dataclass(frozen=True)
class RuleVerdicts:
    """What every rule compared at each node."""

    rules: tuple[Rule, ...]

    def words(self, i: int) -> str:
        """The comparisons at position i, a sentence for each rule that made one."""
        return " ".join(filter(None, (rule.words(i) for rule in self.rules)))


def by_rule(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """Cuts what the rules forbid that were asked for, until none of them cuts any more.

    min_leaf: a split goes that leaves a branch with fewer training rows; the numbers are of the depths 1, 2, 3 …
    min_validation_gain: a split goes unless the splits from it down, cut back to the best of them, lower the error on
        the validation rows by more than this for each of them.
    significance: a split goes whose p-value, adjusted for the search of its column, is above this, unless one below it
        is kept. It is that of `engine.candidates`; growing multiplies it by the number of columns as well.
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
        rules.append(_significance(evidence, kept, options.significance))
    if options.same_answer:
        rules.append(_same_answer(tree))
    stands, before = tree.n_branches > 0, -1
    while int(stands.sum()) != before:
        before = int(stands.sum())
        for rule in rules:
            cut = rule.cut(stands) & ~kept
            stands = stands & ~cut & ~under(tree, cut)
    remark = NO_RULE if not rules else STOPPED if evidence is not None and evidence.unfinished else ""
    tops = (tree.n_branches > 0) & ~stands
    tops[1:] &= stands[tree.parent[1:]]
    return single("by_rule", tree, np.flatnonzero(tops), remark, RuleVerdicts(tuple(rules)))


def _min_leaf(tree: Tree, least: tuple[int, ...]) -> Rule:
    smallest = np.full(tree.n_nodes, np.iinfo(np.int64).max)
    np.minimum.at(smallest, tree.parent[1:], tree.rows_train[1:])
    asked = np.array(least)[np.minimum(tree.level, len(least) - 1)]
    short = smallest < asked

    def words(i: int) -> str:
        if tree.n_branches[i] == 0:
            return ""
        rows = number_words(float(smallest[i]))
        return f"The smallest branch has {rows} training rows; at least {number_words(float(asked[i]))} are asked for."

    return Rule(lambda stands: stands & short, words)


def _validation_gain(table: Table, tree: Tree, kept: Flags, least: float) -> Rule:
    cost, price = tree.costs("validation"), least * validation_weight(tree)
    more = f" + {number_words(price)} for each split" if price > 0 else ""
    more = f" − {number_words(-price)} for each split" if price < 0 else more
    quantity = f"{loss_words(table, tree)} among the validation rows{more}"
    nothing = np.full(tree.n_nodes, np.nan)
    leaf, branch = nothing.copy(), nothing.copy()

    def cut(stands: Flags) -> Flags:
        found, better = bottom_up(quantity, tree, cost, kept, price, stands)
        compared = ~np.isnan(found.leaf)
        leaf[compared], branch[compared] = found.leaf[compared], found.branch[compared]
        return better

    return Rule(cut, lambda i: Verdicts(quantity, leaf, branch).words(i))


def _significance(evidence: SplitEvidence, kept: Flags, level: float) -> Rule:
    def words(i: int) -> str:
        if not evidence.tested[i]:
            return ""
        p = number_words(math.exp(evidence.log_p(i)))
        return f"The adjusted p-value is {p}; at most {number_words(level)} is asked for."

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
        return f"All its leaves say {said}, as it does itself."

    return Rule(cut, words)
