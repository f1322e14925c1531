"""Pessimistic pruning: against what J48 prints, against the definition gone through slowly, and its edges."""

import re
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.pruning import raising as around
from engine.pruning.kernels import upper_limit
from tests import j48, marked, naive_raising
from tests.effort import examples, some
from tests.engine.pruning.leaf_rules import RULES, SEEDS, same_tree, with_rule
from tests.frames import frames

PRUNED = [(name, options) for name in j48.make.MANY for options in j48.trees(name) if "-U" not in options]


@pytest.mark.parametrize(("name", "options"), some(PRUNED, 20))
def test_from_the_unpruned_tree_of_j48_its_pruned_one_is_made(name, options):
    least, confidence = re.fullmatch(r"-M (\d) -C ([\d.]+)(?: -S)?", options).groups()
    table, printed = j48.table(name), j48.trees(name)
    full = j48.replay(name, printed[f"-M {least} -U"])
    assert j48.told(full) == j48.without_labels_of_empty_leaves(printed[f"-M {least} -U"])
    pruning = engine.prune(table, full, "pessimistic", confidence=float(confidence), raising="-S" not in options)
    best = pruning.tree(pruning.chosen)
    assert j48.told(best) == j48.without_labels_of_empty_leaves(printed[options])


@examples(300)
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


@examples(300)
@given(frames(task="classes", rows=(4, 60)), SEEDS, st.integers(1, 9), RULES, st.booleans())
def test_quinlans_rule_of_1987_from_the_top(frame, seed, n_splits, rule, marks):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = with_rule(tree, table, rule)
    if marks:
        tree = marked.with_random_marks(tree, seed, ("note", "pinned", "label"), share=0.15)
    pruning = engine.prune(table, tree, "pessimistic", rule="quinlan1987")
    same_tree(pruning.tree(pruning.chosen), naive_raising.quinlan(tree))


def test_the_numbers_that_weka_gives():
    """`Stats.addErrs(N, e, 0.25)`: how many errors more are to be expected."""
    deviate = NormalDist().inv_cdf(0.75)
    known = {(6.0, 0.0): 1.237797, (9.0, 0.0): 1.284804, (1.0, 0.0): 0.75, (16.0, 1.0): 1.475715}
    for (n, e), more in known.items():
        assert upper_limit(n, e, 0.25, deviate) - e == pytest.approx(more, abs=1e-6)
    assert upper_limit(0.0, 0.0, 0.25, deviate) == 0.0
    assert upper_limit(5.0, 5.0, 0.25, deviate) == 5.0
    assert upper_limit(5.0, 4.75, 0.25, deviate) == 5.0


@given(st.floats(0.1, 1e6), st.floats(0, 1), st.sampled_from([0.001, 0.25, 0.5]))
def test_the_limit_lies_between_what_was_seen_and_all(n, share, confidence):
    deviate = NormalDist().inv_cdf(1 - confidence)
    assert share * n * (1 - 1e-12) <= upper_limit(n, share * n, confidence, deviate) <= max(n, 1.0) * (1 + 1e-12)


def test_raising_is_more_than_cutting():
    """Some of the printed trees would be others without it; so the comparison above says something."""
    raised = [
        (name, options)
        for name, options in PRUNED
        if "-S" not in options and j48.trees(name)[options] != j48.trees(name)[f"{options} -S"]
    ]
    assert len(raised) >= 10 and {name for name, _ in raised} >= {"nominal", "numeric", "flags"}


def xor_like():
    """A table whose tree asks `first` in vain above the same questions."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({name: random.integers(0, 2, 400) for name in ("first", "x", "z")})
    frame["y"] = np.where(frame["x"] != frame["z"], "yes", "no")
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)


def questioned(table):
    """first, and below either answer x and z."""
    tree = engine.Tree.root(table).split(table, 0, engine.Split("first", "threshold", (0.5,)), by_hand=False)
    for column in ("x", "z"):
        for leaf in tree.ids[tree.leaves].tolist():
            tree = tree.split(table, leaf, engine.Split(column, "threshold", (0.5,)), by_hand=False)
    return tree


@pytest.mark.parametrize(
    ("method", "told"), [("pessimistic", {}), ("generic", {}), ("generic", {"estimate": "mdl_bound"})]
)
def test_a_question_in_vain_gives_way_to_what_it_stands_above(method, told):
    table = xor_like()
    tree = questioned(table)
    pruning = engine.prune(table, tree, method, **told)
    best = pruning.tree(pruning.chosen)
    assert [best.title(i) for i in range(best.n_nodes) if best.n_branches[i]] == ["x", "z", "z"]
    assert best.ids[0] == 0 and best.error("train") == 0
    assert [step.leaves for step in pruning.steps] == [8, 4]
    words = pruning.verdicts.words(0)
    assert "with a branch in its place" in words and "as a leaf" in words
    verdicts = pruning.verdicts
    assert verdicts.raised[0] < verdicts.branch[0] + 0.1 < verdicts.leaf[0]
    by_hand = tree.split(table, int(tree.ids[tree.leaves[0]]), engine.Split("z", "threshold", (0.2,)))
    kept = engine.prune(table, by_hand, method, keep_by_hand=True, **told)
    assert kept.tree(kept.chosen).title(0) == "first"


def test_without_raising_it_stays_where_it_is():
    table = xor_like()
    tree = questioned(table)
    pruning = engine.prune(table, tree, "pessimistic", raising=False)
    assert len(pruning.steps) == 1 and pruning.tree(0) is tree
    assert not pruning.verdicts.raised.size


@pytest.mark.parametrize("method", ["pessimistic", "generic"])
def test_it_needs_classes(method):
    frame = pd.DataFrame({"x": np.arange(40) % 7, "y": np.arange(40) / 3})
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    with pytest.raises(engine.InputError, match="needs a target of classes"):
        engine.prune(table, engine.grow(table, max_depth=2), method)


def test_costs_decide_what_leaves_say_and_are_not_counted():
    table = xor_like()
    tree = with_rule(questioned(table), table, "costs")
    assert "not what they cost" in engine.prune(table, tree, "pessimistic").remark
    assert "not what they cost" in engine.prune(table, tree, "generic", estimate="pessimistic").remark
    assert engine.prune(table, tree, "generic").remark == ""


@pytest.mark.parametrize("method", ["pessimistic", "generic"])
def test_a_stop_leaves_the_tree_as_it_was(method):
    table = xor_like().with_partition(validation=0.3, seed=1)
    tree = engine.grow(table)
    told = []
    progress = engine.Progress(lambda share, text: (told.append(text), progress.stop()))
    stopped = engine.prune(table, tree, method, progress=progress)
    assert stopped.tree(-1) is tree
    assert stopped.remark == "The pruning was stopped: this is the tree as it was."
    assert told[0] == "Pruning"


@examples(30)
@given(
    SEEDS, st.booleans(), st.sampled_from(["counted", "priors"]),
    st.sampled_from([("pessimistic", {}), ("generic", {}), ("generic", {"estimate": "pessimistic"})]),
)  # fmt: skip
def test_rows_at_hand_and_a_few_splits_at_once_change_nothing(seed, weights, rule, how):
    """Of trees with hundreds of leaves; what was counted along is what counting anew gives."""
    rng, n = np.random.default_rng(seed), 640
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "w": rng.choice([0.5, 1.0, 3.0], n)})
    frame["t"] = np.where((frame.a > 0) == (rng.random(n) < 0.8), "yes", "no")
    table = engine.Table.from_frame(frame, target="t", roles={"w": "weight" if weights else "ignore"})
    table = table.with_partition(validation=0.2, seed=1)
    tree, (method, asked) = with_rule(engine.grow(table), table, rule), how
    one = engine.prune(table, tree, method, **asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(around, "SPLITS_AT_ONCE", 7)
        other = engine.prune(table, tree, method, assignment=engine.assign(table, tree), **asked)
    same_tree(one.tree(-1), other.tree(-1))
    for numbers in ("leaf", "branch", "raised"):
        np.testing.assert_allclose(getattr(one.verdicts, numbers), getattr(other.verdicts, numbers), rtol=1e-12)
    best, again = one.tree(-1), one.tree(-1).with_counts(table)
    np.testing.assert_array_equal(best.train, again.train)
    np.testing.assert_array_equal(best.validation, again.validation)
    assert best.rows_train.tolist() == again.rows_train.tolist()
    assert best.rows_validation.tolist() == again.rows_validation.tolist()


def test_quinlans_rule_replaces_a_subtree_whose_errors_are_exactly_one_standard_error_more():
    """Four pure leaves of weights 1.5, 1, 1 and 0.5: 2.5 + ½ errors as a leaf, 4 · ½ + √(2 · (1 − 2/4)) below it."""
    classes = np.repeat(["a", "b", "c", "d"], [3, 2, 2, 1])
    frame = pd.DataFrame({"x": classes, "w": 0.5, "y": classes})
    table = engine.Table.from_frame(frame, target="y", weights="w")
    tree = engine.grow(table, nominal="multiway")
    assert tree.n_leaves == 4
    pruning = engine.prune(table, tree, "pessimistic", rule="quinlan1987")
    assert pruning.tree(pruning.chosen).n_leaves == 1
