"""Medians, absolute deviations and histograms of the nodes: as a slow twin has them, and the same after any edits."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.tree.assignment import assign
from engine.tree.counting import filled, recount
from tests import naive_absolute as naive
from tests.frames import frames, random_split, random_tree, table_of

SEEDS = st.integers(0, 10**6)
MEDIAN = engine.LeafRule("median")
FILLED = ("median", "deviation", "histogram")


def asking(table, tree, edges=()):
    """The tree, saying medians, and with histograms when there are edges."""
    return filled(replace(tree, leaf_rule=MEDIAN, bin_edges=edges), table)


def number_table(frame, seed, share=0.3):
    return table_of(frame).with_partition(validation=share, seed=seed)


def edges_of(table):
    train = np.unique(table.target_column.codes[table.part == engine.TRAIN])
    return table.bin_edges(4) if train.size > 1 else (10.0,)


def assert_as_the_rows_say(table, tree):
    at = assign(table, tree)
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    values = table.target_column.numbers
    for i in range(tree.n_nodes):
        rows = at.rows_of(i)
        train, validation = (rows[table.part[rows] == part] for part in (engine.TRAIN, engine.VALIDATION))
        y, w = [Fraction(v) for v in values[train].tolist()], [Fraction(v) for v in weights[train].tolist()]
        said = naive.median(y, w)
        if said is None:
            said = tree.medians[tree.parent[i]]
        assert tree.medians[i] == pytest.approx(float(said), abs=1e-9)
        assert tree.costs("train")[i] == pytest.approx(float(naive.deviation(y, w)), abs=1e-9)
        apart = weights[validation] @ np.abs(values[validation] - tree.medians[i])
        assert tree.costs("validation")[i] == pytest.approx(apart, abs=1e-9)
        inside = np.zeros(len(tree.bin_edges) + 1)
        for row in train:
            inside[sum(values[row] > edge for edge in tree.bin_edges)] += weights[row]
        np.testing.assert_allclose(tree.nodes.histogram[i], inside, atol=1e-9)
        shares = inside / inside.sum() if train.size else tree.histogram_shares[tree.parent[i]]
        np.testing.assert_allclose(tree.histogram_shares[i], shares, atol=1e-12)


@given(frames(task="number"), SEEDS, st.integers(0, 6))
def test_every_node_has_the_median_and_the_histogram_of_its_rows(frame, seed, n_splits):
    table = number_table(frame, seed)
    assert_as_the_rows_say(table, asking(table, random_tree(table, seed, n_splits), edges_of(table)))


@given(frames(task="number"), SEEDS, st.integers(1, 7), st.booleans())
def test_after_any_edits_the_arrays_are_those_of_a_recount(frame, seed, n_edits, at_hand):
    table = number_table(frame, seed)
    tree = asking(table, engine.Tree.root(table), edges_of(table))
    random = np.random.default_rng(seed)
    for _ in range(n_edits):
        inner = tree.ids[tree.n_branches > 0]
        if inner.size and random.random() < 0.3:
            tree = tree.collapse(int(random.choice(inner)))
            continue
        leaf = int(tree.ids[random.choice(tree.leaves)])
        at = assign(table, tree) if at_hand else None
        tree = tree.split(table, leaf, random_split(table, random), assignment=at)
    again = tree.with_counts(table)
    for name in FILLED:
        assert not np.isnan(getattr(tree.nodes, name)).any()
        np.testing.assert_allclose(getattr(tree.nodes, name), getattr(again.nodes, name), atol=1e-9)
    assert_as_the_rows_say(table, tree)


@given(frames(task="number"), SEEDS, st.integers(0, 6), st.floats(0, 1))
def test_only_what_is_lacking_is_filled_in(frame, seed, n_splits, share):
    table = number_table(frame, seed)
    tree = asking(table, random_tree(table, seed, n_splits), edges_of(table))
    nodes = tree.nodes.take(np.arange(tree.n_nodes))
    gone = np.random.default_rng(seed).random(tree.n_nodes) < share
    nodes.median[gone], nodes.deviation[gone], nodes.histogram[gone] = np.nan, np.nan, np.nan
    again = filled(replace(tree, nodes=nodes), table)
    for name in FILLED:
        np.testing.assert_array_equal(getattr(again.nodes, name), getattr(tree.nodes, name))
    assert filled(again, table) is again


@given(frames(task="number"), SEEDS, st.integers(1, 4), st.integers(1, 4))
def test_a_grafted_part_brings_its_medians(frame, seed, n_splits, n_more):
    table = number_table(frame, seed)
    tree = asking(table, random_tree(table, seed, n_splits), edges_of(table))
    random = np.random.default_rng(seed)
    held = [int(tree.ids[i]) for i in tree.leaves if tree.rows_train[i]]
    leaf = int(random.choice(held))
    whole, nodes = tree, [leaf]
    for _ in range(n_more):
        node = nodes.pop()
        whole = whole.split(table, node, random_split(table, random))
        nodes += [int(whole.ids[i]) for i in whole.children(whole.position(node))]
    i, end = whole.position(leaf), whole.end[whole.position(leaf)]
    part = whole.nodes.take(slice(i, end))
    part = part._replace(ids=np.arange(end - i), payload_start=part.payload_start)
    grafted = tree.graft({leaf: replace(whole, nodes=part)})
    for name in FILLED:
        np.testing.assert_array_equal(getattr(grafted.nodes, name), getattr(whole.nodes, name))
    with pytest.raises(engine.InputError, match="other medians or histograms"):
        tree.graft({leaf: replace(whole, nodes=part, leaf_rule=engine.LeafRule())})


@given(frames(task="number"), SEEDS, st.integers(1, 5))
def test_on_another_partition_all_is_counted_again(frame, seed, n_splits):
    table = number_table(frame, seed)
    tree = asking(table, random_tree(table, seed, n_splits), edges_of(table))
    other = table.with_partition(validation=0.5, seed=seed + 1)
    assert_as_the_rows_say(other, tree.with_counts(other))
    assert_as_the_rows_say(other, tree.with_leaf_rule(other, MEDIAN))


@given(frames(task="number"), SEEDS, st.integers(1, 4))
def test_growing_on_keeps_the_medians_of_what_was_there(frame, seed, n_splits):
    table = number_table(frame, seed)
    tree = asking(table, random_tree(table, seed, n_splits), edges_of(table))
    grown = engine.grow(table, tree=tree, criterion="squared_error", summary="median")
    assert grown.predicts_median
    assert_as_the_rows_say(table, grown)


def prices(n=400, seed=0, weighted=False):
    random = np.random.default_rng(seed)
    size = random.normal(100, 30, n)
    frame = pd.DataFrame({"size": size, "area": random.choice(list("abc"), n)})
    frame["price"] = size * 3 + random.normal(0, 10, n) + random.choice([0, 0, 0, 900], n)
    if weighted:
        frame["w"] = random.random(n)
    return engine.Table.from_frame(frame, "price", weights="w" if weighted else None).with_partition(validation=0.3)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_tree_that_says_medians_predicts_them_and_errs_absolutely(weighted):
    table = prices(weighted=weighted)
    by_mean = engine.grow(table, max_depth=3)
    tree = by_mean.with_leaf_rule(table, MEDIAN)
    np.testing.assert_array_equal(by_mean.predictions, by_mean.means)
    predicted = tree.predict(table.to_frame())
    assert set(predicted) == set(tree.medians[tree.leaves])
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    for part, name in ((engine.TRAIN, "train"), (engine.VALIDATION, "validation")):
        rows = table.rows(part)
        apart = np.abs(table.target_column.numbers[rows] - predicted[rows])
        mean = float(np.average(apart, weights=weights[rows]))
        assert tree.error(name) == pytest.approx(mean, rel=1e-12)
        assert tree.loss(name) == tree.error(name)
        fit = engine.assess(table, tree, name)
        assert fit.error == pytest.approx(mean, rel=1e-12)
        assert fit.error == fit.mae
    assert tree.error("train") < engine.assess(table, by_mean, "train").mae
    back = tree.with_leaf_rule(table, engine.LeafRule("mean"))
    assert back.error("train") == by_mean.error("train")
    assert filled(by_mean, table) is by_mean


def test_pruning_goes_by_the_absolute_error_of_medians():
    table = prices()
    tree = engine.grow(table, max_depth=4, summary="median")
    for method in ("reduced_error", "cost_complexity"):
        cut = engine.prune(table, tree, method)
        assert cut.steps[0].validation_error == pytest.approx(tree.error("validation"))
        for i in (0, cut.chosen, len(cut.steps) - 1):
            assert cut.steps[i].train_error == pytest.approx(cut.tree(i).error("train"))
            assert cut.steps[i].validation_error == pytest.approx(cut.tree(i).error("validation"))
    everything = table.with_partition()
    tree = engine.grow(everything, max_depth=3)
    by_mean = engine.prune(everything, tree, folds=3)
    by_median = engine.prune(everything, tree.with_leaf_rule(everything, MEDIAN), folds=3)
    spread = np.abs(everything.y - np.median(everything.y)).mean()
    assert by_median.steps[-1].cv_error == pytest.approx(spread, rel=0.1)
    assert by_mean.steps[-1].cv_error == pytest.approx(everything.y.var(), rel=0.1)


def test_bins_can_be_changed():
    table = prices()
    tree = engine.grow(table, max_depth=2).with_leaf_rule(table, MEDIAN)
    assert tree.histogram_shares.shape == (tree.n_nodes, 0)
    for bins in (4, 10):
        tree = tree.with_bins(table, bins)
        assert tree.bin_edges == table.bin_edges(bins)
        assert_as_the_rows_say(table, tree)
    other = table.with_partition(validation=0.3, seed=5)
    assert len(other.bin_edges(10)) == len(tree.bin_edges)
    assert other.bin_edges(10) != tree.bin_edges
    assert_as_the_rows_say(other, tree.with_bins(other, 10))
    assert tree.with_bins(table, 10) is tree


def test_leaf_rules_that_do_not_fit_are_refused():
    table = prices()
    tree = engine.grow(table, max_depth=1)
    with pytest.raises(engine.InputError, match="choose one of mean, median"):
        tree.with_leaf_rule(table, engine.LeafRule("mode"))
    classes = engine.Table.from_frame(pd.DataFrame({"a": [1, 2, 3, 4], "y": list("uvuv")}), "y")
    tree = engine.grow(classes)
    with pytest.raises(engine.InputError, match="choose one of mode"):
        tree.with_leaf_rule(classes, MEDIAN)
    with pytest.raises(engine.InputError, match="no class “z”"):
        tree.with_leaf_rule(classes, engine.LeafRule(priors=(("z", 1.0),)))
    assert tree.with_leaf_rule(classes, engine.LeafRule(smoothing="laplace")).probabilities.min() > 0


def test_another_target_forgets_what_was_asked_of_the_first():
    table = prices()
    tree = asking(table, engine.grow(table, max_depth=1, summary="median"), table.bin_edges(3))
    lost, _ = recount(tree, table.with_target("area"), any_target=True)
    assert lost.leaf_rule == engine.LeafRule()
    assert lost.bin_edges == ()
    assert set(lost.predict(table.to_frame())) <= set("abc")


def test_a_large_tree_is_filled_as_its_nodes_one_by_one():
    table = prices(n=3000, weighted=True)
    tree = asking(table, engine.grow(table), table.bin_edges(10))
    assert tree.n_leaves > 500
    at = assign(table, tree)
    for i in range(0, tree.n_nodes, 37):
        rows = at.rows_of(i)
        rows = rows[table.part[rows] == engine.TRAIN]
        y, w = table.y[rows], table.weights[rows]
        nearest = min(w @ np.abs(y - value) for value in y)
        assert tree.costs("train")[i] == pytest.approx(nearest, rel=1e-9, abs=1e-9)
        assert tree.nodes.histogram[i].sum() == pytest.approx(tree.train[i, 0], rel=1e-12)
