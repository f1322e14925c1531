"""The generic pruning procedure of the notes (Shalev-Shwartz and Ben-David 2014, 18.2), for any splits and classes."""

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.pruning.result import Pruning, replaced
from engine.pruning.sequence import bottom_up, locked
from engine.pruning.verdicts import Verdicts, mean_words
from engine.runtime.errors import InputError
from engine.tree.marks import left_alone
from engine.tree.nodes import Mark

if TYPE_CHECKING:
    from engine.pruning.kernels.generic import Judge
    from engine.pruning.options import Options
    from engine.pruning.raised_tree import Stand
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree import Tree

NO_SHARES = "Its estimates are of errors, shares of the rows, so it needs a target of classes."
NO_VALIDATION = (
    "The validation error needs validation rows: set some aside with Data ▸ Partition… or --validation 0.3, or choose "
    "another estimate."
)
Integers = NDArray[np.int64]

QUANTITIES = {
    "validation": "{} of the whole tree on the validation rows",
    "mdl_bound": "bound of the whole tree's error",
    "pessimistic": "error to be expected of the whole tree",
}
COUNTED = "Mistakes were counted, not what they cost."


def generic(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """At every node, bottom up, the whole tree of the least estimate f: with the node as a leaf of any class, with one
    of its branches in its place, the rows of the others sent down that one, or as it is.

    "Bottom up" is branch after branch, each node after those below it; leaves are asked, too, what they say. A branch
    in another place keeps the labels of its leaves. Of equal estimates the one with fewer leaves is kept, then the
    leaf, then the first branch; of equal labels of a leaf what it said before, else what its training rows say. f is
    the error on the validation rows (the mean loss by the leaf rule); the bound of the error by the length of the
    tree's description (`theory.bounds.description_bound`); or the upper limits of all leaves' errors, as in C4.5. The
    last two count mistakes among the training rows, so that the majority is their best label. They know nothing of
    costs: where the leaf rule has some, a new leaf says what these ask for.

    A label that a person wrote stays, and so do those of pinned and locked leaves. Where a leaf of the result does not
    say what was counted, its mark holds the label (`Mark.label_by_pruning`).

    leaf_labels "counted": all leaves say what their training rows say, those of a branch in another place also by the
    rows that come along.

    A stop leaves the tree as it was.

    Raises:
        InputError: the estimate is the validation error, and there are no validation rows.
    """
    from engine.pruning.kernels.generic import BOUND, prune_generically, tell_whole, value_leaves
    from engine.pruning.parallel import LEFT_ALONE, prune_side_by_side
    from engine.pruning.raised_tree import part_of, stand, what_is_left

    judge = _judge(table, tree, options)
    as_it_is = options.leaf_labels == "estimate"
    kept, leaf = locked(tree, options.keep_by_hand), tree.n_branches == 0
    stood = stand(table, tree, options.assignment, leaf, validation=options.estimate == "validation", raising=True)
    now, ways, answers, _ = stood
    judge = judge._replace(as_it_is=as_it_is, full=as_it_is or bool((tree.loss_weight("train")[leaf] > 0).all()))
    free = np.zeros(tree.n_nodes, dtype=bool)
    if as_it_is:
        free = leaf & ~left_alone(tree) & ~_said_by_hand(tree)
        answers.hand[~_said_by_hand(tree)] = -1
        answers.hand[leaf] = tree.labels[leaf]
    order = bottom_up(tree)
    above = np.append(0, tree.labels[tree.parent[1:]]).astype(np.int64)
    verdict = np.full((4, tree.n_nodes), np.nan)
    worth = value_leaves(now, answers, above, free, judge)
    whole = float(worth.value.sum())

    def prune(root: int, splits: Integers) -> None:
        own, said = part_of(now, tree, root), worth._replace(said=worth.said[root : tree.end[root]])
        prune_generically(own, ways, answers, kept, splits, above, judge, whole, said, verdict, progress.flag)

    if judge.estimate == BOUND:  # what is best at a node depends on the number of all nodes
        progress.report(0.0, "Cutting back")
        prune(0, order)
    else:
        prune_side_by_side(tree, order, prune, progress)
        tell_whole(order, whole, judge.weight, verdict)
    if progress.stopped:
        return replaced("generic", tree, tree, LEFT_ALONE)
    verdicts = Verdicts(
        QUANTITIES[options.estimate].format(mean_words(tree)), verdict[0], verdict[1], raised=verdict[2]
    )
    remark = COUNTED if tree.leaf_rule.costs and options.estimate != "validation" else ""
    left = what_is_left(table, tree, stood)
    if as_it_is:
        left = _saying(left, stood)
        remark = remark or _others(sum(mark.label_by_pruning for mark in left.marks.values()))
    return replaced("generic", tree, left, remark, verdicts)


def _others(n_leaves: int) -> str:
    """How many leaves do not say what was counted, in a sentence; empty for none."""
    if not n_leaves:
        return ""
    leaves = "1 leaf predicts the class" if n_leaves == 1 else f"{n_leaves:,} leaves predict the classes"
    return f"{leaves} with the lowest validation error, not the majority of the training rows."


def _said_by_hand(tree: "Tree") -> NDArray[np.bool_]:
    """bool[n_nodes]: whose label a person wrote."""
    found = np.zeros(tree.n_nodes, dtype=bool)
    for node, mark in tree.marks.items():
        found[tree.position(node)] = mark.label is not None and not mark.label_by_pruning
    return found


def _saying(left: "Tree", stood: "Stand") -> "Tree":
    """What is left, its leaves saying what they say as the tree stands."""
    from engine.pruning.kernels.raising import survivors

    order = np.empty(stood.now.n_branches.size, np.int64)
    said = stood.answers.hand[order[: survivors(stood.now, order)]]
    found = [node for node, mark in left.marks.items() if mark.label_by_pruning]
    usual = {node: replace(left.marks[node], label=None, label_by_pruning=False) for node in found}
    bare = replace(left, marks={**left.marks, **usual}) if found else left
    marks = dict(bare.marks)
    alone = [Mark(label=name, label_by_pruning=True) for name in left.classes]
    for i in np.flatnonzero((bare.n_branches == 0) & (bare.labels != said)).tolist():
        node, mark = int(bare.ids[i]), alone[said[i]]
        marks[node] = replace(marks[node], label=mark.label, label_by_pruning=True) if node in marks else mark
    return left if marks == dict(left.marks) else replace(left, marks=marks)


def _judge(table: "Table", tree: "Tree", options: "Options") -> "Judge":
    from engine.pruning.kernels.generic import BOUND, PESSIMISTIC, VALIDATION, Judge
    from engine.theory.bounds import count_tests

    estimate = {"validation": VALIDATION, "mdl_bound": BOUND, "pessimistic": PESSIMISTIC}[options.estimate]
    weight = float(tree.loss_weight("validation" if estimate == VALIDATION else "train")[0])
    if estimate == VALIDATION and not weight > 0:
        raise InputError(NO_VALIDATION)
    n_tests = count_tests(table, tree.options.get("nominal") == "multiway") if estimate == BOUND else 0
    return Judge(
        estimate, weight if weight > 0 else 1.0, float(max(tree.rows_train[0], 1)),
        math.log2(n_tests + len(tree.classes) + 1), math.log(2 / options.delta),
        options.confidence, NormalDist().inv_cdf(1.0 - options.confidence), False, False,
    )  # fmt: skip
