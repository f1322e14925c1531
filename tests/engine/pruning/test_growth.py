"""Growth, taken back split by split: every size is the tree that growing to that size makes."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.criteria.kernels import impurity
from engine.table.words import number_words
from engine.tree.arrays import weighted_drops
from engine.tree.counting import recount
from tests import naive
from tests.effort import examples
from tests.frames import frames, random_tree, table_of

CLASSES = naive.CLASS_CRITERIA


def shape(tree):
    nodes = tree.nodes
    splits = [tree.split_at(i) for i in range(tree.n_nodes)]
    return splits, nodes.rows_train.tolist(), nodes.rows_validation.tolist()


@examples(40)
@given(frames(rows=(4, 60)), st.data())
def test_every_size_is_what_growing_to_that_size_makes(frame, data):
    table = table_of(frame).with_partition(validation=data.draw(st.sampled_from([0.0, 0.3])))
    criterion = data.draw(st.sampled_from(CLASSES)) if table.task == "classes" else "squared_error"
    full = engine.grow(table, criterion=criterion)
    cut = engine.prune(table, full, method="growth")
    assert [step.leaves for step in cut.steps] == list(range(full.n_leaves, 0, -1))
    for i, step in enumerate(cut.steps):
        grown = engine.grow(table, criterion=criterion, order="best_first", max_leaves=step.leaves)
        assert shape(cut.tree(i)) == shape(grown)
        assert step.train_error == pytest.approx(grown.error("train"), abs=1e-12)
        assert step.validation_error == pytest.approx(grown.error("validation"), abs=1e-12, nan_ok=True)


@examples(30)
@given(frames(rows=(4, 30)))
def test_level_by_level_where_the_tree_was_grown_so(frame):
    table = table_of(frame)
    full = engine.grow(table, order="level")
    cut = engine.prune(table, full, method="growth")
    for i in range(len(cut.steps)):
        grown = engine.grow(table, order="level", max_leaves=cut.steps[i].leaves)
        assert shape(cut.tree(i)) == shape(grown)


@given(frames(rows=(4, 30)), st.sampled_from(CLASSES))
def test_alpha_is_the_drop_that_is_taken_back(frame, criterion):
    table = table_of(frame)
    options = {"criterion": criterion} if table.task == "classes" else {}
    tree = engine.grow(table, **options)
    cut = engine.prune(table, tree, method="growth")

    def mixed(i):
        code = engine.CRITERIA[tree.options["criterion"]].code
        stat = tree.train[i].copy()
        if table.task == "number":
            return stat[2]
        return impurity(code, stat) * stat.sum()

    total = tree.weight()[0]
    whole = mixed(0) - sum(mixed(i) for i in tree.leaves)
    assert sum(step.alpha for step in cut.steps) == pytest.approx(whole / total, rel=1e-9, abs=1e-9)
    drops = weighted_drops(tree, tree.options["criterion"])
    for i in np.flatnonzero(tree.n_branches):
        expected = (mixed(i) - sum(mixed(child) for child in tree.children(i))) / total
        assert drops[i] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(frames(rows=(6, 30)), st.integers(0, 1000), st.integers(0, 8))
def test_hand_made_splits_stay_and_every_step_is_a_tree(frame, seed, n_splits):
    table = table_of(frame)
    tree = random_tree(table, seed, n_splits)
    kept = engine.prune(table, tree, method="growth", keep_by_hand=True)
    by_hand = set(tree.ids[tree.by_hand & (tree.n_branches > 0)].tolist())
    for i, step in enumerate(kept.steps):
        shown = kept.tree(i)
        assert by_hand <= set(shown.ids[shown.n_branches > 0].tolist())
        assert shown.n_leaves == step.leaves
        assert step.train_error == pytest.approx(shown.error("train"), abs=1e-9)
    assert engine.prune(table, tree, method="growth").steps[-1].leaves == 1


def test_validation_rows_choose_the_size_and_without_them_it_says_so():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.random((300, 4)).round(2), columns=list("abcd"))
    frame["y"] = np.where((frame["a"] > 0.5) ^ (random.random(300) < 0.15), "yes", "no")
    table = engine.Table.from_frame(frame, target="y")
    cut = engine.prune(table, engine.grow(table), method="growth")
    assert cut.chosen == 0
    assert cut.remark.startswith("Without validation rows")
    divided = table.with_partition(validation=0.4)
    cut = engine.prune(divided, engine.grow(divided), method="growth")
    errors = [step.validation_error for step in cut.steps]
    assert 1 < cut.steps[cut.chosen].leaves < 8
    assert errors[cut.chosen] == min(errors) < errors[0]
    assert cut.remark == ""
    best = len(errors) - 1 - cut.chosen
    for made in range(1, len(errors)):
        without, tree = cut.tree(len(errors) - made), cut.tree(len(errors) - 1 - made)
        split = cut.full.position(int(np.setdiff1d(without.ids[without.leaves], tree.ids[tree.leaves])[0]))
        then, least = number_words(tree.error("validation")), number_words(min(errors))
        assert cut.verdicts.words(split) == (
            f"Split {made} of {len(errors) - 1} in the order of growth. Validation error: {then} after it, {least} "
            f"after {best}, where it is least."
        )
    assert cut.verdicts.words(int(cut.full.leaves[0])) == ""


def test_validation_rows_that_count_for_nothing_choose_nothing():
    frame = pd.DataFrame({"a": range(8), "y": list("uvuvuuuu"), "part": ["train"] * 4 + ["validation"] * 4})
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    cut = engine.prune(table, engine.grow(table, priors={"u": 0, "v": 1}), method="growth")
    assert (cut.chosen, cut.least, cut.verdicts) == (0, None, None)
    assert cut.remark.startswith("Without validation rows")


@examples(40)
@given(frames(rows=(4, 50)), st.data())
def test_what_the_leaves_say_does_not_change_the_order(frame, data):
    table = table_of(frame)
    if table.task == "classes":
        options = {"criterion": data.draw(st.sampled_from(CLASSES)), "costs": {("u", "v"): 7.0}, "priors": {"u": 0.1}}
    else:
        criteria = ["squared_error", "absolute_error", "binned_gini", "binned_error"]
        summary = data.draw(st.sampled_from(["mean", "median"]))
        options = {"criterion": data.draw(st.sampled_from(criteria)), "summary": summary, "bins": 4}
    full = engine.grow(table, **options)
    cut = engine.prune(table, full, method="growth")
    for i, step in enumerate(cut.steps):
        grown = engine.grow(table, order="best_first", max_leaves=step.leaves, **options)
        assert shape(cut.tree(i)) == shape(grown)


def test_a_criterion_of_the_other_task_stands_back_for_the_usual_one():
    table = engine.read_example("penguins").with_roles({"species": "feature", "island": "ignore"})
    heavy = table.with_target("body_mass_g").with_roles({"species": "ignore"})
    other = recount(engine.grow(heavy, max_depth=3, criterion="absolute_error"), table, any_target=True)[0]
    assert other.n_leaves > 2
    usual = dataclasses.replace(other, options={})
    assert engine.prune(table, other, method="growth").steps == engine.prune(table, usual, method="growth").steps
