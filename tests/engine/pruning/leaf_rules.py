"""Leaf rules to prune with, and whether two prunings left the same."""

import numpy as np
from hypothesis import strategies as st

from engine.tree.leaves import LeafRule

SEEDS = st.integers(0, 10**6)


RULES = st.sampled_from(["counted", "priors", "costs", "threshold"])


def with_rule(tree, table, rule):
    """The tree with another leaf rule."""
    first, second = tree.classes[:2]
    if rule == "priors":
        return tree.with_leaf_rule(table, LeafRule(priors=((first, 0.7), (second, 0.3))))
    if rule == "costs":
        return tree.with_leaf_rule(table, LeafRule(costs=((first, second, 3.0), (second, first, 0.5))))
    if rule == "threshold" and len(tree.classes) == 2:
        return tree.with_leaf_rule(table, LeafRule(smoothing="laplace", threshold=(second, 0.3)))
    return tree


def same_tree(ours, theirs):
    same_splits(ours, theirs)
    assert dict(ours.marks) == dict(theirs.marks)


def same_splits(ours, theirs):
    assert ours.ids.tolist() == theirs.ids.tolist()
    assert [ours.split_at(i) for i in range(ours.n_nodes)] == [theirs.split_at(i) for i in range(theirs.n_nodes)]
    assert ours.by_hand.tolist() == theirs.by_hand.tolist()
    np.testing.assert_allclose(ours.train, theirs.train, atol=1e-9)
    np.testing.assert_allclose(ours.validation, theirs.validation, atol=1e-9)
