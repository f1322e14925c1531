"""Pruning that may raise branches, word for word: whole trees, made one after the other, to be looked at.

The generic procedure of the notes takes at every node, branches first, the tree of the least estimate among the node as
a leaf of any class, each of its branches in its place, and the tree as it is. C4.5 (Quinlan 1993, chapter 4, as J48 has
it) compares a leaf, the branches and the largest branch in their place. `engine.pruning.raising` finds the same trees
without making all the others."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import NamedTuple

from engine.learning_theory.bounds import count_tests, description_bound
from engine.pruning.kernels import SLACK as EXTRA
from engine.pruning.kernels import upper_limit
from engine.pruning.options import Options
from engine.pruning.pessimistic import NO_GAIN
from engine.pruning.sequence import locked
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.arrays import Mark, collapse
from engine.tree.marks import left_alone
from engine.tree.tree import Tree

MOST_SPLITS = 400  # of a tree that is replayed: every one of them makes several trees
TIE = 1e-12
SLACK = EXTRA + 1e-6  # that a leaf may be expected to err more, but for rounding
LEAF, BRANCH, KEEP = "leaf", "branch", "keep"  # what stands where the node stood


class Choice(NamedTuple):
    """One of the trees that are compared at a node.

    Attributes:
        kind: LEAF, BRANCH or KEEP. which: the class of the leaf, the number of the branch, or −1.
        value: what the procedure makes least. tree: it.
    """

    kind: str
    which: int
    value: float
    tree: Tree


class Asked(NamedTuple):
    """A node that was asked: its id, what was compared, which of that was taken, and whether before all others, by the
    training errors as they are."""

    node: int
    choices: list[Choice]
    taken: int
    collapses: bool = False


def check_size(tree: Tree) -> None:
    """Raises InputError for a tree with more than `MOST_SPLITS` splits."""
    splits = tree.n_nodes - tree.n_leaves
    if splits > MOST_SPLITS:
        raise InputError(tr(
            "Pruning that raises branches is shown step by step for at most {most:,} splits; this tree has {n:,}.",
            most=MOST_SPLITS, n=splits))  # fmt: skip


# -- the generic procedure


def generic_nodes(table: Table, tree: Tree, options: Options) -> Iterator[Asked]:
    """The nodes of a tree in the order in which the procedure asks them.

    Leaves are among them where the estimate may choose their class, and something else than now is better.

    Raises:
        InputError: see `check_size`.
    """
    check_size(tree)
    f, free = _estimate(table, tree, options), options.leaf_labels == "estimate"
    any_class = free and options.estimate == "validation"
    kept, alone = locked(tree, options.keep_by_hand), left_alone(tree)
    stays = {int(tree.ids[i]) for i in range(tree.n_nodes) if (kept[i] if tree.n_branches[i] else alone[i])}
    by_hand = {node for node, mark in tree.marks.items() if mark.label is not None and not mark.label_by_pruning}
    order = sorted(range(tree.n_nodes), key=lambda i: (int(tree.end[i]), -i))
    nodes = [int(tree.ids[i]) for i in order]
    current = _saying(tree, _said(tree)) if free else tree
    for node in nodes:
        i = current.position(node)
        is_leaf = not current.n_branches[i]
        if node in stays or (is_leaf and (node in by_hand or not any_class)):
            continue
        choices = list(_choices(table, current, node, f, free, any_class and node not in by_hand))
        taken = _best(choices)
        found = Asked(node, choices, taken)
        if not is_leaf or choices[taken].kind != KEEP:
            yield found
        current = choices[taken].tree


def _choices(
    table: Table, tree: Tree, node: int, f: Callable[[Tree], float], free: bool, any_class: bool
) -> Iterator[Choice]:
    """The trees that are compared, in the order in which equal ones are preferred."""
    i = tree.position(node)
    is_leaf, as_it_is = not tree.n_branches[i], Choice(KEEP, -1, f(tree), tree)
    if is_leaf:
        yield as_it_is
    bare = collapse(_without_label(tree, node), [i])
    usual = int(bare.labels[i])
    classes = [usual, *(k for k in range(len(tree.classes)) if k != usual)] if any_class else [usual]
    for k in classes:
        if is_leaf and k == tree.labels[i]:
            continue
        leaf = _saying(bare, {node: k}) if free else bare
        yield Choice(LEAF, k, f(leaf), leaf)
    children = tree.children(i)
    for branch, child in enumerate(children):
        raised = tree.replace_with_branch(table, node, branch)
        if free:  # leaves keep what they say, whatever rows come along
            said = {leaf: label for leaf, label in _said(tree).items() if leaf in raised}
            if not tree.n_branches[child]:
                said[node] = int(tree.labels[child])
            raised = _saying(raised, said)
        yield Choice(BRANCH, branch, f(raised), raised)
    if not is_leaf:
        yield as_it_is


def _best(choices: list[Choice]) -> int:
    """The choice of the least value; of equal ones that with fewer leaves, then the first."""
    best = 0
    for k, one in enumerate(choices):
        slack = TIE * max(1.0, abs(choices[best].value))
        smaller = one.tree.n_leaves < choices[best].tree.n_leaves
        if one.value < choices[best].value - slack or (one.value <= choices[best].value + slack and smaller):
            best = k
    return best


def _estimate(table: Table, full: Tree, options: Options) -> Callable[[Tree], float]:
    """f, see `engine.pruning.raising.generic`."""
    if options.estimate == "validation":
        return lambda tree: tree.loss("validation")
    deviate = NormalDist().inv_cdf(1.0 - options.confidence)
    tests = count_tests(table, full.options.get("nominal") == "multiway")
    m = max(int(full.rows_train[0]), 1)

    def f(tree: Tree) -> float:
        weight = float(tree.loss_weight("train")[0]) or 1.0
        found = [errors(tree, i) for i in tree.leaves.tolist()]
        if options.estimate == "pessimistic":
            return float(sum(upper_limit(n, e, options.confidence, deviate) for n, e in found)) / weight
        share = sum(e for _, e in found) / weight
        return float(description_bound(share, m, tree.n_nodes, tests, options.delta, len(tree.classes)))

    return f


def _said(tree: Tree) -> dict[int, int]:
    """The classes of the leaves, by their ids."""
    return {int(tree.ids[i]): int(tree.labels[i]) for i in tree.leaves.tolist()}


def _saying(tree: Tree, labels: dict[int, int]) -> Tree:
    """The tree whose leaves say these classes; what a person wrote stays."""
    marks = dict(tree.marks)
    for node, k in labels.items():
        mark = marks.get(node, Mark())
        if mark.label is None or mark.label_by_pruning:
            marks[node] = replace(mark, label=tree.classes[k], label_by_pruning=True)
    return replace(tree, marks=marks)


def _without_label(tree: Tree, node: int) -> Tree:
    mark = tree.marks.get(node)
    if mark is None or not mark.label_by_pruning:
        return tree
    return replace(tree, marks={**tree.marks, node: replace(mark, label=None, label_by_pruning=False)})


# -- C4.5


def errors(tree: Tree, i: int) -> tuple[float, float]:
    """(the training weight of the node at position i, classes reweighed by their priors; that of its errors)."""
    weights = tree.train[i] * tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    return float(weights.sum()), max(float(weights.sum() - weights[tree.labels[i]]), 0.0)


def _wrong(tree: Tree, i: int) -> float:
    return errors(tree, i)[1]


def limit(tree: Tree, i: int, options: Options) -> float:
    """The errors to be expected of the node at position i as a leaf."""
    return float(upper_limit(*errors(tree, i), options.confidence, NormalDist().inv_cdf(1.0 - options.confidence)))


def c45_nodes(table: Table, tree: Tree, options: Options) -> Iterator[Asked]:
    """The nodes in the order in which C4.5 asks them: from the root down which splits leave as many training rows wrong
    as a leaf, then, branches first, what is expected to err; a branch that was raised is asked again.

    Raises:
        InputError: see `check_size`.
    """
    check_size(tree)
    kept = {int(node) for node in tree.ids[locked(tree, options.keep_by_hand)]}
    current, waiting = tree, [int(tree.ids[0])]
    while waiting:
        node = waiting.pop()
        i = current.position(node)
        if not current.n_branches[i]:
            continue
        below = _below(current, i, partial(_wrong, current))
        if node not in kept and below >= errors(current, i)[1] - NO_GAIN:
            cut = collapse(current, [i])
            leaf = Choice(LEAF, int(cut.labels[i]), errors(current, i)[1], cut)
            yield Asked(node, [leaf, Choice(KEEP, -1, below, current)], 0, collapses=True)
            current = cut
        else:
            waiting += [int(current.ids[k]) for k in reversed(current.children(i))]
    waiting = _branches_first(current, 0)[::-1]
    while waiting:
        node = waiting.pop()
        i = current.position(node)
        if not current.n_branches[i] or node in kept:
            continue
        choices = list(_c45_choices(table, current, i, options))
        leaf_value, kept_value, *others = (one.value for one in choices)
        raised = others[0] if others else math.inf
        taken = 0 if leaf_value <= min(kept_value, raised) + SLACK else 2 if raised <= kept_value + SLACK else 1
        yield Asked(node, choices, taken)
        current = choices[taken].tree
        if choices[taken].kind == BRANCH:
            waiting += _branches_first(current, i)[::-1]


def _c45_choices(table: Table, tree: Tree, i: int, options: Options) -> Iterator[Choice]:
    def expected(one: Tree) -> float:
        return _below(one, i, lambda k: limit(one, k, options))

    leaf = collapse(tree, [i])
    yield Choice(LEAF, int(leaf.labels[i]), limit(tree, i, options), leaf)
    yield Choice(KEEP, -1, expected(tree), tree)
    if options.raising:
        weights = tree.loss_weight("train")[tree.children(i)]
        largest = max(range(len(weights)), key=lambda b: (weights[b], b))
        raised = tree.replace_with_branch(table, int(tree.ids[i]), largest)
        yield Choice(BRANCH, largest, expected(raised), raised)


def _below(tree: Tree, i: int, value: Callable[[int], float]) -> float:
    """The sum over the leaves at and below position i."""
    return float(sum(value(k) for k in range(i, int(tree.end[i])) if not tree.n_branches[k]))


def _branches_first(tree: Tree, i: int) -> list[int]:
    """The ids of the nodes at and below position i, each after those below it, branch after branch."""
    order = sorted(range(i, int(tree.end[i])), key=lambda k: (int(tree.end[k]), -k))
    return [int(tree.ids[k]) for k in order]
