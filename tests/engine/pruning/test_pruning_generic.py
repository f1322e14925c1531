"""The generic procedure of the notes, against the same gone through with whole trees."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import engine
from engine.tree.arrays import Mark
from tests import marked, naive_raising
from tests.effort import examples
from tests.engine.pruning.leaf_rules import RULES, SEEDS, same_splits, same_tree, with_rule
from tests.frames import frames

CASES = given(
    frames(task="classes"), SEEDS, st.integers(1, 7), st.sampled_from(["validation", "mdl_bound", "pessimistic"]),
    RULES, st.booleans(), st.sampled_from([1e-6, 0.05, 1.0]),
)  # fmt: skip


def case(frame, seed, n_splits, name, rule, marks, delta):
    """A table, a tree, its estimate f."""
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = with_rule(tree, table, rule)
    if marks:
        tree = marked.with_random_marks(tree, seed, ("note", "pinned", "label"), share=0.15)
    if name == "validation" and not tree.loss_weight("validation")[0] > 0:
        with pytest.raises(engine.InputError, match=r"(?i)needs validation rows"):
            engine.prune(table, tree, "generic", estimate=name)
        reject()
    return table, tree, naive_raising.estimate(name, table, delta, 0.25, NormalDist().inv_cdf(0.75))


@examples(300)
@CASES
def test_it_is_the_procedure_of_the_notes(frame, seed, n_splits, name, rule, marks, delta):
    table, tree, f = case(frame, seed, n_splits, name, rule, marks, delta)
    fixed = {node for node, mark in tree.marks.items() if mark.label is not None}
    alone = {int(tree.ids[i]) for i in range(tree.n_nodes) if marked.left_alone(tree, i)}
    expected = naive_raising.notes(tree, table, f, fixed, alone, name == "validation" or rule != "costs")
    pruning = engine.prune(table, tree, "generic", estimate=name, delta=delta)
    best = pruning.tree(pruning.chosen)
    same_splits(best, expected)
    assert best.labels[best.leaves].tolist() == expected.labels[expected.leaves].tolist()
    assert f(best) == pytest.approx(f(expected), abs=1e-9)
    assert f(best) <= f(tree) + 1e-9
    bare = replace(best, marks={node: without_found_label(mark) for node, mark in best.marks.items()})
    for node, mark in best.marks.items():
        i = best.position(node)
        assert not mark.label_by_pruning or (best.n_branches[i] == 0 and best.labels[i] != bare.labels[i])
    for node in best.ids.tolist():
        assert replace(bare.mark(node), label=None) == replace(expected.mark(node), label=None)
        assert bare.mark(node).label is None or node not in fixed or bare.mark(node).label == tree.mark(node).label


def without_found_label(mark):
    return replace(mark, label=None, label_by_pruning=False) if mark.label_by_pruning else mark


@examples(300)
@CASES
def test_counted_labels_are_those_of_the_training_rows(frame, seed, n_splits, name, rule, marks, delta):
    table, tree, f = case(frame, seed, n_splits, name, rule, marks, delta)
    pruning = engine.prune(table, tree, "generic", estimate=name, delta=delta, leaf_labels="counted")
    best = pruning.tree(pruning.chosen)
    same_tree(best, naive_raising.generic(tree, table, f))
    assert f(best) <= f(tree) + 1e-9 or naive_raising.kept_ids(tree)


def with_validation(train, validation):
    """A table of two parts, one after the other: the values of x, and of y."""
    frame = pd.DataFrame({"x": train[0] + validation[0], "y": list(train[1] + validation[1])})
    part = np.repeat(np.array([0, 1], np.uint8), [len(train[1]), len(validation[1])])
    return frame, engine.Table.from_frame(frame, target="y").divided(part)


def test_a_leaf_may_say_what_no_training_row_there_is():
    frame, table = with_validation(([0, 0, 1], "aab"), ([0, 0, 1], "bbb"))
    tree = engine.grow(table)
    pruning = engine.prune(table, tree, "generic")
    best = pruning.tree(pruning.chosen)
    assert (best.n_leaves, best.error("validation")) == (1, 0.0)
    assert best.mark(0) == Mark(label="b", label_by_pruning=True)
    assert best.predict(frame).tolist() == ["b"] * 6
    assert pruning.remark == "1 leaf predicts the class with the lowest validation error, not the majority of the " + (
        "training rows."
    )
    counted = engine.prune(table, tree, "generic", leaf_labels="counted")
    assert counted.steps[counted.chosen].validation_error == pytest.approx(2 / 3)


def test_the_label_that_pruning_found_is_saved_and_is_no_label_by_hand(tmp_path):
    _, table = with_validation(([0, 0, 1, 1, 2], "aabba"), ([0, 0, 1, 2], "bbab"))
    best = engine.prune(table, engine.grow(table), "generic").tree(-1)
    assert best.error("validation") == 0.0
    engine.write_tree(best, tmp_path / "tree.json")
    read = engine.read_tree(tmp_path / "tree.json")
    assert dict(read.marks) == dict(best.marks)
    assert any(mark.label_by_pruning for mark in read.marks.values())
    node = next(iter(best.marks))
    assert not best.with_mark(node, label="a").mark(node).label_by_pruning
    assert best.with_mark(node, label=None).mark(node) == Mark()
    again = engine.prune(table, best, "generic")
    assert again.tree(again.chosen) is best
    flipped = table.divided(np.array([0] * 5 + [3] * 4, np.uint8))
    assert engine.prune(flipped, best.with_counts(flipped), "generic", estimate="mdl_bound").tree(-1).marks == {}
