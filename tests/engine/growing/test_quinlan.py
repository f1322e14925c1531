"""C4.5 and ID3: the trees that Weka's J48 and Id3 printed, a slow twin, and each of their rules as an option."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

import engine
from engine.ranking.arithmetic import arithmetic
from tests import j48, naive_quinlan
from tests.effort import examples, some
from tests.frames import frames, table_of

TABLES = (*j48.make.TABLES, *j48.make.GAPS, *j48.make.SHIPPED)
PRINTED = some([(name, options) for name in TABLES for options in j48.trees(name)], 43)
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(("name", "options"), PRINTED)
def test_the_tree_is_the_one_that_j48_prints(name, options):
    table, printed = j48.table(name), j48.trees(name)[options]
    tree = engine.grow(table, preset="c4.5", min_leaf=int(re.match(r"-M (\d+)", options)[1]))
    if "-U" not in options:
        confidence = float(re.search(r"-C ([\d.]+)", options)[1])
        pruning = engine.prune(table, tree, "pessimistic", confidence=confidence, raising="-S" not in options)
        tree = pruning.tree(pruning.chosen)
    assert j48.same(j48.told(tree), j48.without_labels_of_empty_leaves(printed))


@pytest.mark.parametrize("name", j48.make.BY_LEVELS)
def test_the_tree_is_the_one_that_id3_prints(name):
    """Weka stops where nothing is gained."""
    tree = engine.grow(j48.table(name), preset="id3", min_gain=1e-6)
    assert j48.without_counts(j48.told(tree)) == j48.by_id3(name)


@st.composite
def complete(draw):
    """A frame of numbers with one decimal and of declared levels, none missing."""
    n, random = draw(st.integers(8, 60)), np.random.default_rng(draw(SEEDS))
    frame = pd.DataFrame(random.integers(0, draw(st.integers(3, 40)), (n, 2)) / 10, columns=["a", "b"])
    for name, levels in (("c", draw(st.integers(1, 6))), ("d", draw(st.integers(1, 30)))):
        declared = [f"l{k:02}" for k in range(levels + 1)]
        frame[name] = pd.Categorical.from_codes(random.integers(0, levels, n), declared)
    y = random.integers(0, draw(st.integers(2, 4)), n)
    y = np.where(random.random(n) < 0.6, frame["a"] > frame["a"].median(), y)
    y[:2] = 0, 1
    return frame.assign(y=[f"k{k}" for k in y])


def nested(tree, i=0):
    """A tree as the twin writes it."""
    split, wrong = tree.split_at(i), int(tree.wrong()[i])
    if split is None:
        return naive_quinlan.Node(None, None, (), wrong)
    threshold = split.thresholds[0] if split.kind == "threshold" else None
    return naive_quinlan.Node(split.column, threshold, tuple(nested(tree, k) for k in tree.children(i)), wrong)


@examples(300)
@given(complete(), st.integers(1, 4))
def test_whole_trees_are_those_of_a_slow_twin(frame, least):
    table = engine.Table.from_frame(frame, target="y")
    twin = naive_quinlan.grow(frame, least)
    assert nested(engine.grow(table, preset="c4.5", min_leaf=least, collapse=False)) == twin
    assert nested(engine.grow(table, preset="c4.5", min_leaf=least)) == naive_quinlan.collapsed(twin)


@examples(100)
@given(frames(task="classes", rows=(8, 40)), st.integers(1, 3))
def test_the_first_candidate_is_what_grows_and_weighs_the_same_by_hand(frame, least):
    table = table_of(frame)
    tree = engine.Tree.root(table)
    options = {"preset": "c4.5", "min_leaf": least, "min_gain": 0.0}
    first = engine.candidates(table, tree, node=0, **options)[0]
    grown = engine.grow(table, max_depth=1, **options, collapse=False)
    assert grown.split_at(0) == (first.split if grown.n_nodes > 1 else None)
    if first.split is not None:
        again = engine.weigh(table, tree, 0, first.split, **options)
        assert again.scores["gain_ratio"] == pytest.approx(first.scores["gain_ratio"], abs=1e-12)
        assert again.penalty == pytest.approx(first.penalty) and again.reason == ""


def one_column(n=40, seed=3):
    """Whole numbers and two classes."""
    random = np.random.default_rng(seed)
    x = random.permutation(n).astype(float)
    y = np.where((x > n / 2) ^ (random.random(n) < 0.2), "yes", "no")
    return engine.Table.from_frame(pd.DataFrame({"x": x, "y": y}), target="y")


def test_the_penalty_is_taken_off_before_columns_are_compared_and_why_says_so():
    table = one_column()
    tree = engine.Tree.root(table)
    free = engine.candidates(table, tree, node=0, criterion="gain_ratio")[0]
    pays = engine.candidates(table, tree, node=0, criterion="gain_ratio", cut_penalty=True)[0]
    assert pays.penalty == pytest.approx(np.log2(39) / 40) and pays.gain == free.gain and pays.split == free.split
    share = pays.penalty * free.scores["gain_ratio"] / free.gain
    assert pays.scores["gain_ratio"] == pytest.approx(free.scores["gain_ratio"] - share)
    assert any("less the penalty for its choice" in line for line in arithmetic(pays, "gain_ratio").lines())
    assert not any("penalty" in line for line in arithmetic(pays, "gini").lines())


def test_a_cut_that_gains_no_more_than_its_penalty_is_none():
    frame = pd.DataFrame({"x": np.arange(30.0), "y": list("ab") * 15})
    table = engine.Table.from_frame(frame, target="y")
    one = engine.candidates(table, engine.Tree.root(table), node=0, criterion="entropy", cut_penalty=True)[0]
    assert one.split is None and "no more than the penalty" in one.reason
    assert engine.grow(table, criterion="entropy", cut_penalty=True).n_leaves == 1


def test_gains_that_are_not_in_bits_pay_nothing():
    table = one_column()
    paid, free = (engine.grow(table, criterion="gini", cut_penalty=flag) for flag in (True, False))
    assert [paid.split_at(i) for i in range(paid.n_nodes)] == [free.split_at(i) for i in range(free.n_nodes)]


@pytest.mark.parametrize(("n", "least"), [(40, 2), (200, 10), (900, 25)])
def test_beside_a_cut_stay_a_tenth_of_the_rows_for_each_class(n, least):
    """The first rows differ from all others: the best cut is as near to them as it may."""
    frame = pd.DataFrame({"x": np.arange(float(n)), "y": np.where(np.arange(n) < 1, "one", "other")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, min_cut="tenth", max_depth=1)
    assert tree.rows_train[1:].tolist() == [least, n - least]
    assert engine.grow(table, min_cut="tenth", min_leaf=15, max_depth=1).rows_train[1] == max(least, 15)


def test_the_curve_and_a_cut_by_hand_know_that_minimum_too():
    table = one_column()
    root, options = engine.Tree.root(table), {"min_cut": "tenth", "min_leaf": 1, "thresholds": "observed"}
    curve = engine.gain_curve(table, root, 0, "x", **options)
    assert np.flatnonzero(np.isnan(curve.gains)).tolist() == [0, 38]
    best = engine.candidates(table, root, node=0, **options)[0]
    assert curve.best_split == best.split and best.split.thresholds[0] in range(40)
    early = engine.weigh(table, root, 0, engine.Split("x", "threshold", (0.5,)), **options)
    assert early.reason == "a branch has 1 row, fewer than 2"


def test_two_branches_of_the_least_number_of_rows_are_enough():
    frame = pd.DataFrame({"x": list("aaaaabbbbbbc"), "y": list("ppppnnnnnnnp")})
    table = engine.Table.from_frame(frame, target="y")
    options = {"criterion": "entropy", "nominal": "multiway", "min_leaf": 5}
    root = engine.Tree.root(table)
    assert "a branch would have fewer than 5 rows" in engine.candidates(table, root, node=0, **options)[0].reason
    assert engine.grow(table, min_leaf_in="two", **options).rows_train.tolist() == [12, 5, 6, 1]
    options["min_leaf"] = 6
    none = engine.candidates(table, root, node=0, min_leaf_in="two", **options)[0]
    assert none.reason == "fewer than two branches would have 6 rows"


@examples(60)
@given(frames(rows=(6, 40)))
def test_observed_thresholds_are_values_of_the_table_and_part_its_rows_alike(frame):
    table = table_of(frame)
    tree, other = (engine.grow(table, thresholds=name) for name in ("observed", "midpoint"))
    np.testing.assert_array_equal(tree.rows_train, other.rows_train)
    for i in np.flatnonzero(tree.n_branches):
        split = tree.split_at(int(i))
        if split.kind == "threshold" and np.isfinite(split.thresholds[0]):
            assert (
                split.thresholds[0] in set(frame[split.column].dropna())
                and split.thresholds <= other.split_at(int(i)).thresholds
            )


def test_a_midpoint_is_a_value_that_it_equals_but_for_rounding():
    frame = pd.DataFrame({"x": [6.1, 6.3, 6.2, 6.3], "z": [0, 0, 1, 1], "y": ["a", "b", "c", "c"]})
    assert 6.1 / 2 + 6.3 / 2 < 6.2
    table = engine.Table.from_frame(frame, target="y", kinds={"z": "number"})
    tree = engine.Tree.root(table).split(table, 0, engine.Split("z", "threshold", (0.5,)), by_hand=False)
    assert engine.grow(table, tree=tree, thresholds="observed").split_at(1).thresholds == (6.2,)


@examples(60)
@given(frames(task="classes", rows=(6, 60)))
def test_collapse_leaves_splits_that_lower_the_training_error(frame):
    table = table_of(frame)
    full, tree = engine.grow(table), engine.grow(table, collapse=True)
    assert tree.error("train") == pytest.approx(full.error("train"))
    for i in np.flatnonzero(tree.n_branches):
        cut = tree.collapse(int(tree.ids[i]))
        assert cut.error("train") > tree.error("train")


@pytest.mark.parametrize("rule", [{"cut_penalty": True}, {"min_cut": "tenth"}, {"min_leaf_in": "two"}])
@pytest.mark.parametrize("other", [{"lookahead": 2}, {"columns_per_node": 1}])
def test_what_another_search_would_not_heed_is_refused(rule, other):
    with pytest.raises(engine.InputError, match=f"cannot go with {next(iter(rule))}"):
        engine.grow(one_column(), **rule, **other)


@pytest.mark.parametrize("takes_back", [{"collapse": True}, {"cp": 0.01}])
def test_what_grows_step_by_step_is_not_taken_back(takes_back):
    """Of an exclusive or the first split lowers no error; the second level does."""
    frame = pd.DataFrame({"a": [0, 0, 1, 1] * 9, "b": [0, 1, 0, 1] * 9}).assign(y=list("uvvu") * 9)
    table = engine.Table.from_frame(frame, target="y")
    assert engine.grow(table, **takes_back, max_depth=1).n_leaves == 1
    one = engine.grow(table, **takes_back, levels=1)
    assert one.n_leaves == 2 and engine.grow(table, tree=one, **takes_back).n_leaves == 4
    halves = table.with_partition(validation=0.3)
    assert engine.grow_while_improving(halves, **takes_back).full.n_leaves == 4


def test_the_single_test_is_pearsons_and_passes_over_columns_that_fail():
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"x": random.choice(list("abcd"), 120), "z": random.choice(list("uv"), 120)})
    frame["y"] = np.where((frame["z"] == "u") ^ (random.random(120) < 0.35), "yes", "no")
    table = engine.Table.from_frame(frame, target="y")
    p = {name: chi2_contingency(pd.crosstab(frame[name], frame["y"]), correction=False).pvalue for name in "xz"}
    assert p["z"] < p["x"]
    for least, column in ((p["z"] * 0.99, None), (p["z"] * 1.01, "z")):
        tree = engine.grow(table, preset="id3", significance=least, max_depth=1)
        assert (tree.split_at(0).column if tree.n_nodes > 1 else None) == column
