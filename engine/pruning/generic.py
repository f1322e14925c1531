"""The generic pruning procedure of the notes (Shalev-Shwartz and Ben-David 2014, 18.2), for any splits and classes."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from engine.pruning.kernels import BOUND, HAND, KEPT, PESSIMISTIC, VALIDATION, Method, State
from engine.pruning.metrics import mean_words
from engine.pruning.options import Options
from engine.pruning.raising import COUNTED, LEFT_ALONE, begin, left_nodes, left_of, pruned
from engine.pruning.result import Pruning, Verdicts, replaced
from engine.pruning.sequence import locked, validation_weight
from engine.runtime.progress import Progress
from engine.table.table import Table
from engine.theory.bounds import count_tests
from engine.tree.arrays import Mark
from engine.tree.marks import left_alone
from engine.tree.tree import Tree

QUANTITIES = {
    "validation": "{} of the whole tree on the validation rows",
    "mdl_bound": "bound of the whole tree's error",
    "pessimistic": "error to be expected of the whole tree",
}
ESTIMATES = {"validation": VALIDATION, "mdl_bound": BOUND, "pessimistic": PESSIMISTIC}


def generic(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
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
    leaf, keep_labels = tree.n_branches == 0, options.leaf_labels == "estimate"
    method = _method(table, tree, options)
    by_hand, free = _said_by_hand(tree), np.zeros(tree.n_nodes, dtype=bool)
    state, ways = begin(table, tree, options.assignment, validation=method.estimate == VALIDATION, raising=True)
    if keep_labels:
        free = leaf & ~left_alone(tree) & ~by_hand
        state.nodes[~by_hand, HAND] = -1
        state.nodes[leaf, HAND] = tree.labels[leaf]
    fate = np.where(locked(tree, options.keep_by_hand), KEPT, 0)
    found = pruned(state, ways, method, tree, fate, free, progress)
    if progress.stopped:
        return replaced("generic", tree, tree, LEFT_ALONE)
    quantity = QUANTITIES[options.estimate].format(mean_words(tree))
    verdicts = Verdicts(quantity, found[0], found[1], raised=found[2])
    remark = COUNTED if tree.leaf_rule.costs and method.estimate != VALIDATION else ""
    left = left_of(table, tree, state)
    if keep_labels:
        left = _saying(left, state)
        remark = remark or _others(sum(mark.label_by_pruning for mark in left.marks.values()))
    return replaced("generic", tree, left, remark, verdicts)


def _method(table: Table, tree: Tree, options: Options) -> Method:
    estimate, keep_labels = ESTIMATES[options.estimate], options.leaf_labels == "estimate"
    by_validation = estimate == VALIDATION
    weight = validation_weight(tree) if by_validation else float(tree.loss_weight("train")[0])
    n_tests = count_tests(table, tree.options.get("nominal") == "multiway") if estimate == BOUND else 0
    n_classes = len(tree.classes)
    return Method(
        c45=False, raising=True, estimate=estimate, weight=weight if weight > 0 else 1.0,
        rows=float(max(tree.rows_train[0], 1)), block=math.log2(n_tests + n_classes + 1),
        rest=math.log(2 / options.delta), confidence=options.confidence,
        deviate=NormalDist().inv_cdf(1.0 - options.confidence), keep_labels=keep_labels,
        handed_down=by_validation and not keep_labels and not bool((tree.loss_weight("train")[tree.leaves] > 0).all()),
        first_cell=n_classes if by_validation and keep_labels else 0, n_classes=n_classes,
        dearest=tree.leaf_rule.dearest(tree.classes),
    )  # fmt: skip


def _said_by_hand(tree: Tree) -> NDArray[np.bool_]:
    """bool[n_nodes]: whose label a person wrote."""
    found = np.zeros(tree.n_nodes, dtype=bool)
    for node, mark in tree.marks.items():
        found[tree.position(node)] = mark.label is not None and not mark.label_by_pruning
    return found


def _saying(left: Tree, state: State) -> Tree:
    """What is left, its leaves saying what pruning found for them."""
    said = state.nodes[left_nodes(state), HAND]
    found = [node for node, mark in left.marks.items() if mark.label_by_pruning]
    usual = {node: replace(left.marks[node], label=None, label_by_pruning=False) for node in found}
    bare = replace(left, marks={**left.marks, **usual}) if found else left
    marks = dict(bare.marks)
    of_class = [Mark(label=name, label_by_pruning=True) for name in left.classes]
    for i in np.flatnonzero((bare.n_branches == 0) & (bare.labels != said)).tolist():
        node, mark = int(bare.ids[i]), of_class[said[i]]
        marks[node] = replace(marks[node], label=mark.label, label_by_pruning=True) if node in marks else mark
    return left if marks == dict(left.marks) else replace(left, marks=marks)


def _others(n_leaves: int) -> str:
    """How many leaves do not say what was counted, in a sentence; empty for none."""
    if not n_leaves:
        return ""
    leaves = "1 leaf predicts the class" if n_leaves == 1 else f"{n_leaves:,} leaves predict the classes"
    return f"{leaves} with the lowest validation error, not the majority of the training rows."
