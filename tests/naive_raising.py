"""The slow twins of pruning that raises branches: whole trees, made by the edits that a person makes and counted anew.

Every candidate is a tree of its own; what it is worth is read from the counts of its leaves.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import engine
from engine.learning_theory.bounds import count_tests, description_bound
from engine.pruning.kernels import upper_limit
from tests import marked

Estimate = Callable[[engine.Tree], float]


def bottom_up(tree: engine.Tree, i: int = 0) -> list[int]:
    """The ids of the splits, each after those below it, branch after branch."""
    below = [node for child in tree.children(i) for node in bottom_up(tree, child)]
    return [*below, int(tree.ids[i])] if tree.n_branches[i] else below


def kept_ids(tree: engine.Tree) -> set[int]:
    """The splits that pruning may not take back."""
    return {int(tree.ids[i]) for i in marked.kept_splits(tree)}


def limit(tree: engine.Tree, confidence: float, deviate: float, i: int) -> float:
    """The errors to be expected of the node at position i as a leaf."""
    factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    weights = tree.train[i] * factors
    wrong = max(float(weights.sum() - weights[tree.labels[i]]), 0.0)
    return upper_limit(float(weights.sum()), wrong, confidence, deviate)


def expected(tree: engine.Tree, confidence: float, deviate: float, i: int) -> float:
    """The errors to be expected below position i."""
    found = [limit(tree, confidence, deviate, k) for k in range(i, int(tree.end[i])) if not tree.n_branches[k]]
    return float(sum(found))


def estimate(name: str, table: engine.Table, delta: float, confidence: float, deviate: float) -> Estimate:
    """The f of the generic procedure."""

    def f(tree: engine.Tree) -> float:
        if name == "validation":
            return tree.loss("validation")
        weight = float(tree.loss_weight()[0])
        if name == "pessimistic":
            return expected(tree, confidence, deviate, 0) / weight
        factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
        right = sum(float((tree.train[i] * factors)[tree.labels[i]]) for i in tree.leaves)
        m, n_tests = float(tree.rows_train[0]), count_tests(table, tree.options.get("nominal") == "multiway")
        return float(description_bound(1 - right / weight, m, tree.n_nodes, n_tests, delta, len(tree.classes)))

    return f


def _with_labels(tree: engine.Tree, labels: dict[int, str]) -> engine.Tree:
    """The tree whose leaves say these classes, by their ids."""
    marks = dict(tree.marks)
    for node, label in labels.items():
        marks[node] = replace(tree.mark(node), label=label)
    return replace(tree, marks=marks)


def _labels(tree: engine.Tree) -> dict[int, str]:
    """What the leaves say, by their ids."""
    return {int(tree.ids[i]): tree.classes[tree.labels[i]] for i in tree.leaves}


def _as_leaf(tree: engine.Tree, node: int, said: str | None) -> engine.Tree:
    """The tree with a node as a leaf, without the label that it had as one; None: it says what was counted."""
    tree = tree.collapse(node)
    return _with_labels(tree, {node: said})


def notes(
    tree: engine.Tree, table: engine.Table, f: Estimate, fixed: set[int], alone: set[int], any_class: bool
) -> engine.Tree:
    """Algorithm 2 of the notes, word for word: at every node j the T′ of the least f among the tree with j as a leaf of
    every class, with j replaced by each of its subtrees, and as it is. Every leaf has its label written on it.

    Args:
        fixed: nodes whose label as a leaf a person wrote. alone: nodes that stay as they are.
        any_class: whether f judges labels; else a new leaf says what was counted.
    """
    kept = kept_ids(tree)
    by_hand = {node: str(tree.mark(node).label) for node in fixed}
    tree = _with_labels(tree, _labels(tree))
    every = [int(tree.ids[i]) for i in range(tree.n_nodes)]
    for node in sorted(every, key=lambda node: (int(tree.end[tree.position(node)]), -tree.position(node))):
        if node not in tree:
            raise AssertionError("a node that is gone stood below one that was asked before it")
        i, slack = tree.position(node), 1e-12 * max(1.0, abs(f(tree)))
        is_leaf = not tree.n_branches[i]
        if node in kept or (is_leaf and (node in fixed or node in alone or not any_class)):
            continue
        counted = _as_leaf(tree, node, by_hand.get(node))
        tried = [counted]
        if node not in fixed and any_class:
            tried += [_as_leaf(tree, node, name) for name in tree.classes]
        best = tree if is_leaf else counted
        for other in tried:
            if f(other) < f(best) - slack:
                best = other
        for branch in range(int(tree.n_branches[i])):
            other = tree.replace_with_branch(table, node, branch)
            labels = {leaf: said for leaf, said in _labels(tree).items() if leaf in other}
            kid = int(tree.ids[tree.children(i)[branch]])
            if kid in _labels(tree):
                labels[node] = by_hand.get(node, _labels(tree)[kid])
            other = _with_labels(other, labels)
            if f(other) < f(best) - slack or (f(other) <= f(best) + slack and other.n_leaves < best.n_leaves):
                best = other
        if f(tree) < f(best) - slack or (f(tree) <= f(best) + slack and tree.n_leaves < best.n_leaves):
            best = tree
        if not best.n_branches[best.position(node)]:
            best = _with_labels(best, _labels(best))
        tree = best
    return tree


def generic(tree: engine.Tree, table: engine.Table, f: Estimate) -> engine.Tree:
    """The same, but every leaf says what its training rows say, those that came along too."""
    kept = kept_ids(tree)
    for node in bottom_up(tree):
        if node in kept:
            continue
        best = tree.collapse(node)
        branches = range(int(tree.n_branches[tree.position(node)]))
        for other in (*(tree.replace_with_branch(table, node, b) for b in branches), tree):
            slack = 1e-12 * max(1.0, abs(f(best)))
            if f(other) < f(best) - slack or (f(other) <= f(best) + slack and other.n_leaves < best.n_leaves):
                best = other
        tree = best
    return tree


def c45(tree: engine.Tree, table: engine.Table, confidence: float, deviate: float, raising: bool) -> engine.Tree:
    """J48's `collapse` and `prune`, as they are written, node after node."""
    return _pruned(_collapsed(tree, 0, kept_ids(tree)), table, 0, confidence, deviate, raising, kept_ids(tree))


def _errors(tree: engine.Tree, i: int) -> float:
    factors = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
    weights = tree.train[i] * factors
    return float(weights.sum() - weights[tree.labels[i]])


def _collapsed(tree: engine.Tree, node: int, kept: set[int]) -> engine.Tree:
    i = tree.position(node)
    if not tree.n_branches[i]:
        return tree
    below = sum(_errors(tree, k) for k in range(i, int(tree.end[i])) if not tree.n_branches[k])
    if node not in kept and below >= _errors(tree, i) - 1e-3:
        return tree.collapse(node)
    for child in [int(tree.ids[k]) for k in tree.children(i)]:
        tree = _collapsed(tree, child, kept)
    return tree


def _pruned(
    tree: engine.Tree, table: engine.Table, node: int, confidence: float, deviate: float, raising: bool, kept: set[int]
) -> engine.Tree:
    for child in [int(tree.ids[k]) for k in tree.children(tree.position(node))]:
        tree = _pruned(tree, table, child, confidence, deviate, raising, kept)
    i = tree.position(node)
    if not tree.n_branches[i] or node in kept:
        return tree
    weights = tree.loss_weight()[tree.children(i)]
    largest = max(range(len(weights)), key=lambda b: (weights[b], b))
    raised = tree.replace_with_branch(table, node, largest)
    leaf, below = limit(tree, confidence, deviate, i), expected(tree, confidence, deviate, i)
    above = expected(raised, confidence, deviate, i) if raising else float("inf")
    if leaf <= below + 0.1 + 1e-6 and leaf <= above + 0.1 + 1e-6:
        return tree.collapse(node)
    if above <= below + 0.1 + 1e-6:
        return _pruned(raised, table, node, confidence, deviate, raising, kept)
    return tree


def quinlan(tree: engine.Tree) -> engine.Tree:
    """Quinlan's rule of 1987, from the root down: what is a leaf by it is left alone."""
    kept, waiting = kept_ids(tree), [0]
    while waiting:
        node = waiting.pop()
        i = tree.position(node)
        if not tree.n_branches[i]:
            continue
        below = sum(_errors(tree, k) + 0.5 for k in range(i, int(tree.end[i])) if not tree.n_branches[k])
        n = float(tree.loss_weight()[i])
        spread = math.sqrt(below * max(n - below, 0.0) / n) if n > 0 else 0.0
        if node not in kept and _errors(tree, i) + 0.5 <= below + spread:
            tree = tree.collapse(node)
        else:
            waiting += [int(tree.ids[k]) for k in tree.children(i)]
    return tree
