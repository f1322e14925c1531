"""Pessimistic pruning: against what J48 prints, against the definition gone through slowly, and its edges."""

import re
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests import j48, marked, naive_raising
from tests.engine.test_pruning_generic import RULES, SEEDS, same_tree, with_rule
from tests.frames import frames

PRUNED = [(name, options) for name in j48.make.TABLES for options in j48.trees(name) if "-U" not in options]


@pytest.mark.parametrize(("name", "options"), PRUNED)
def test_from_the_unpruned_tree_of_j48_its_pruned_one_is_made(name, options):
    least, confidence = re.fullmatch(r"-M (\d) -C ([\d.]+)(?: -S)?", options).groups()
    table, printed = j48.table(name), j48.trees(name)
    full = j48.replay(name, printed[f"-M {least} -U"])
    assert j48.told(full) == j48.without_labels_of_empty_leaves(printed[f"-M {least} -U"])
    pruning = engine.prune(table, full, "pessimistic", confidence=float(confidence), raising="-S" not in options)
    best = pruning.tree(pruning.chosen)
    assert j48.told(best) == j48.without_labels_of_empty_leaves(printed[options])


@settings(max_examples=300)
@given(
    frames(task="classes", rows=(4, 60)), SEEDS, st.integers(1, 9), RULES, st.booleans(), st.booleans(),
    st.sampled_from([0.01, 0.25, 0.5]),
)  # fmt: skip
def test_it_is_the_procedure_of_j48_for_every_kind_of_split(frame, seed, n_splits, rule, marks, raising, confidence):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = with_rule(tree, table, rule)
    if marks:
        tree = marked.with_random_marks(tree, seed, ("note", "pinned", "label"), share=0.15)
    pruning = engine.prune(table, tree, "pessimistic", raising=raising, confidence=confidence)
    deviate = NormalDist().inv_cdf(1 - confidence)
    same_tree(pruning.tree(pruning.chosen), naive_raising.c45(tree, table, confidence, deviate, raising))
