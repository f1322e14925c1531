"""The generic procedure of the notes, against the same gone through with whole trees."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.leaves import LeafRule
from tests import marked, naive_raising
from tests.frames import frames

SEEDS = st.integers(0, 10**6)
RULES = st.sampled_from(["counted", "priors", "costs"])


def with_rule(tree, table, rule):
    """The tree with another leaf rule."""
    first, second = tree.classes[:2]
    if rule == "priors":
        return tree.with_leaf_rule(table, LeafRule(priors=((first, 0.7), (second, 0.3))))
    if rule == "costs":
        return tree.with_leaf_rule(table, LeafRule(costs=((first, second, 3.0), (second, first, 0.5))))
    return tree


def same_tree(ours, theirs):
    assert ours.ids.tolist() == theirs.ids.tolist()
    assert [ours.split_at(i) for i in range(ours.n_nodes)] == [theirs.split_at(i) for i in range(theirs.n_nodes)]
    assert ours.by_hand.tolist() == theirs.by_hand.tolist()
    assert dict(ours.marks) == dict(theirs.marks)
    np.testing.assert_allclose(ours.train, theirs.train, atol=1e-9)
    np.testing.assert_allclose(ours.validation, theirs.validation, atol=1e-9)


@settings(max_examples=300)
@given(
    frames(task="classes"), SEEDS, st.integers(1, 7), st.sampled_from(["validation", "mdl_bound", "pessimistic"]),
    RULES, st.booleans(), st.sampled_from([1e-6, 0.05, 1.0]),
)  # fmt: skip
def test_it_is_the_procedure_of_the_notes(frame, seed, n_splits, name, rule, marks, delta):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = with_rule(tree, table, rule)
    if marks:
        tree = marked.with_random_marks(tree, seed, ("note", "pinned", "label"), share=0.15)
    if name == "validation" and not tree.loss_weight("validation")[0] > 0:
        with pytest.raises(engine.InputError, match="needs validation rows"):
            engine.prune(table, tree, "generic", estimate=name)
        return
    f = naive_raising.estimate(name, table, delta, 0.25, NormalDist().inv_cdf(0.75))
    pruning = engine.prune(table, tree, "generic", estimate=name, delta=delta)
    best = pruning.tree(pruning.chosen)
    same_tree(best, naive_raising.generic(tree, table, f))
    assert f(best) <= f(tree) + 1e-9 or naive_raising.kept_ids(tree)
