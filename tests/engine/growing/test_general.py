"""The general path and the kernels grow the same trees; options that only the general path knows grow by it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.growing import kernel_can
from engine.growing.general import grow_general
from engine.search.options import Search
from tests import effort, naive
from tests.effort import examples
from tests.frames import frames, table_of
from tests.same_trees import assert_same

NO_LIMIT = 2**31


def general(table, progress=None, **options):
    """A tree grown from the root by the general path, whatever the options."""
    tree, search = engine.Tree.root(table), Search.make(table.task, **options)
    levels = np.array([NO_LIMIT if search.max_depth is None else search.max_depth])
    at = engine.Assignment.root(table)
    return grow_general(table, tree, np.array([0]), levels, search, at, progress or engine.Progress())


LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "nominal": st.sampled_from(["multiway", "one_vs_rest"]),
        "numeric": st.sampled_from(["bucket_cuts", "bucket_branches"]),
        "pool": st.integers(2, 5),
        "order": st.sampled_from(["best_first", "level", "depth_first"]),
        "max_leaves": st.integers(1, 9),
        "max_depth": st.integers(1, 4),
        "min_leaf": st.integers(1, 4),
        "min_rows": st.integers(2, 8),
        "min_gain": st.sampled_from([0.001, 0.05]),
    },
)


@examples(120)
@given(frames(rows=(4, 60)), st.sampled_from(naive.CLASS_CRITERIA), LIMITS, st.booleans())
def test_the_general_path_and_the_kernels_grow_the_same_tree(frame, criterion, limits, divided):
    table = table_of(frame)
    if divided:
        table = table.with_partition(validation=0.3, seed=1)
    options = {"criterion": criterion if table.task == "classes" else "squared_error", **limits}
    if not (options.get("max_depth") or not divided or table.n_train >= 2):
        return
    by_kernels = engine.grow(table, **options)
    assert kernel_can(Search.make(table.task, **options))
    if table.n_train < max(options.get("min_rows", 2), 2 * options.get("min_leaf", 1)) or limits.get("max_leaves") == 1:
        return
    assert_same(general(table, **options), by_kernels)


@pytest.mark.parametrize("options", [{}, {"order": "best_first", "max_leaves": 25}, {"nominal": "multiway"}])
def test_they_agree_on_a_real_table(options):
    table = engine.read_example("penguins").with_partition(validation=0.3)
    assert_same(general(table, **options), engine.grow(table, **options))


STEPS = 10_000 if effort.full else 3_000  # Python's own limit is 1,000


@pytest.fixture(scope="module")
def staircase():
    """Of alternating labels the cut that gains most takes a single row off the low end, again and again."""
    n = STEPS + 1
    return engine.Table.from_frame(pd.DataFrame({"x": np.arange(n), "y": np.where(np.arange(n) % 2, "a", "b")}), "y")


def test_a_staircase_of_thousands_of_steps_is_no_matter_of_recursion(staircase):
    by_kernels = engine.grow(staircase)
    assert (by_kernels.depth, by_kernels.n_leaves, by_kernels.error()) == (STEPS, STEPS + 1, 0)
    one_by_one = general(staircase)
    np.testing.assert_array_equal(one_by_one.nodes.threshold, by_kernels.nodes.threshold)
    np.testing.assert_array_equal(one_by_one.train, by_kernels.train)


def test_a_stop_leaves_a_valid_tree(staircase):
    progress = engine.Progress(lambda fraction, _: progress.stop() if fraction > 100 / STEPS else None)
    tree = general(staircase, progress)
    assert 50 < tree.n_leaves < 300
    assert tree.rows_train[tree.leaves].sum() == STEPS + 1
    counted = tree.with_counts(staircase)
    np.testing.assert_array_equal(tree.train, counted.train)


def test_progress_goes_up_to_the_whole():
    table, said = engine.read_example("penguins"), []
    tree = general(table, engine.Progress(lambda fraction, text: said.append((fraction, text))))
    fractions = [fraction for fraction, _ in said]
    assert fractions == sorted(fractions)
    assert len(fractions) == tree.n_leaves
    assert said[-1] == (1.0, "Growing")


def test_the_search_of_a_large_node_is_heard_of():
    """With two levels the first node of a large table takes a minute, and nothing is settled before its end."""
    table, said = engine.read_example("penguins"), []
    tree = general(table, engine.Progress(lambda *words: said.append(words)), lookahead=2)
    before = {text for fraction, text in said if fraction == 0}
    assert {f"Growing: {table.columns[place].name}" for place in table.features} & before
    fractions = [fraction for fraction, _ in said]
    assert fractions == sorted(fractions)
    assert said[-1] == (1.0, "Growing")
    assert tree.n_leaves > 3


@pytest.mark.parametrize("power", [-60, 20, 40, 60])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_best_first_knows_no_unit_of_the_target(criterion, power):
    """Drops of distances were told apart by a variance: large targets made all of them equal."""
    random, n = np.random.default_rng(0), 200
    frame = pd.DataFrame(random.normal(size=(n, 4)), columns=list("abcd"))
    frame["y"] = np.round(3 * frame.a + 5 * frame.b.abs() * (frame.a > 0) + random.normal(size=n), 3)
    trees = [
        engine.grow(engine.Table.from_frame(frame.assign(y=frame.y * scale), "y"), criterion=criterion, **limits)
        for limits in ({"order": "best_first", "max_leaves": 6},) for scale in (1.0, 2.0**power)
    ]  # fmt: skip
    first, second = ([tree.split_at(i) for i in range(tree.n_nodes)] for tree in trees)
    assert first == second


OTHERS = [
    {"missing": "branch"}, {"significance": 0.05}, {"lookahead": 2}, {"m_of_n": True},
    {"missing": "branch", "significance": 0.2, "lookahead": 2}, {"missing": "branch", "m_of_n": True},
]  # fmt: skip
FOR_NUMBERS = [{"criterion": "absolute_error"}, {"criterion": "binned_gini", "bins": 3}, {"criterion": "binned_error"}]


@examples(50)
@given(frames(rows=(6, 40)), st.sampled_from(OTHERS), LIMITS, st.sampled_from(FOR_NUMBERS), st.booleans())
def test_whatever_grows_obeys_its_limits_and_counts_right(frame, options, limits, of_number, by_number):
    table = table_of(frame).with_partition(validation=0.3, seed=1)
    options = {**options, **limits}
    if table.task == "number" and by_number:
        options |= of_number
        if options.get("lookahead") or options.get("m_of_n"):
            options["criterion"] = "binned_gini"
    tree = engine.grow(table, **options)
    assert tree.n_leaves <= options.get("max_leaves", np.inf)
    assert tree.depth <= options.get("max_depth", np.inf)
    assert tree.rows_train[tree.parent[1:]].min(initial=100) >= options.get("min_rows", 2)
    if options.get("nominal") != "multiway":  # whose empty branches may be declared
        assert tree.rows_train[1:].min(initial=100) >= options.get("min_leaf", 1)
    counted = tree.with_counts(table)
    np.testing.assert_array_equal(tree.rows_train, counted.rows_train)
    np.testing.assert_array_equal(tree.rows_validation, counted.rows_validation)
    np.testing.assert_allclose(tree.train, counted.train, atol=1e-9)
    np.testing.assert_allclose(tree.validation, counted.validation, atol=1e-9)
    assert tree.leaf_rule == Search.make(table.task, **options).leaf_rule
    first = engine.candidates(table, engine.Tree.root(table), **options)[0]
    deep = options.get("max_depth") != 1 or "lookahead" not in options
    if tree.n_nodes > 1 and "significance" not in options and deep:  # of each split the candidates tell beforehand
        assert tree.split_at(0) == first.split
        np.testing.assert_allclose(tree.train[tree.children(0)], first.train, atol=1e-9)


@pytest.mark.parametrize("criterion", ["binned_gini", "binned_error"])
def test_bins_grow_by_both_paths_alike(criterion):
    table = engine.read_example("penguins").with_target("body_mass_g").with_partition(validation=0.3)
    options = {"criterion": criterion, "bins": 5, "max_leaves": 12, "order": "best_first"}
    tree = engine.grow(table, **options)
    assert_same(general(table, **options), tree)
    assert tree.task == "number"
    assert tree.n_leaves == 12
    deeper = engine.grow(table, tree=tree, **{**options, "max_leaves": 14})
    assert deeper.n_leaves == 14
    assert set(tree.ids) < set(deeper.ids)
    candidate = engine.candidates(table, engine.Tree.root(table), **options)[0]
    assert candidate.split == tree.split_at(0)
    assert set(candidate.scores) == {"squared_error", "binned_gini", "binned_error"}
    np.testing.assert_allclose(candidate.train, tree.train[tree.children(0)])


def test_the_absolute_error_is_grown_node_by_node():
    frame = pd.DataFrame({"x": range(8), "y": [1.0, 2.0, 1.0, 2.0, 50.0, 51.0, 900.0, 52.0]})
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "number"})
    assert not kernel_can(Search.make("number", criterion="absolute_error"))
    assert engine.grow(table, criterion="absolute_error", max_depth=1).split_at(0).thresholds == (3.5,)
    assert engine.grow(table, max_depth=1).split_at(0).thresholds == (5.5,)


def test_m_of_n_stands_among_the_candidates_and_is_grown():
    random = np.random.default_rng(3)
    frame = pd.DataFrame(random.random((400, 5)) < 0.5, columns=list("abcde"))
    frame["y"] = np.where(frame[["a", "b", "c"]].sum(axis=1) >= 2, "sick", "well")
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    found = engine.candidates(table, engine.Tree.root(table), m_of_n=True)
    assert (found[0].column, found[0].split.kind, found[0].split.m) == ("m of n", "m_of_n", 2)
    assert found[0].validation_gain > found[1].validation_gain
    assert found[0].logworth > 3
    assert [candidate.column for candidate in found].count("m of n") == 1
    tree = engine.grow(table, m_of_n=True)
    assert (tree.n_leaves, tree.error("validation")) == (2, 0)
    np.testing.assert_array_equal(tree.train[1:], found[0].train)
    assert engine.grow(table).n_leaves > 4


@pytest.mark.parametrize("criterion", ["absolute_error", "binned_gini", "binned_error"])
def test_the_curve_of_each_criterion_peaks_at_its_candidate(criterion):
    """And every point of it is what that cut gains, on training and on validation rows."""
    table = engine.read_example("penguins").with_target("body_mass_g").with_partition(validation=0.3)
    root, options = engine.Tree.root(table), {"criterion": criterion, "bins": 4, "min_leaf": 20}
    for candidate in engine.candidates(table, root, **options):
        if not table.column(candidate.column).is_numeric:
            continue
        curve = engine.gain_curve(table, root, 0, candidate.column, **options)
        assert candidate.gain == pytest.approx(np.nanmax(curve.gains))
        assert curve.cuts[curve.best] == candidate.split.thresholds[0]
        assert curve.gains[curve.best] == pytest.approx(candidate.gain)
        assert curve.validation_gains[curve.best] == pytest.approx(candidate.validation_gain)
        assert curve.train.sum(axis=0)[0] == pytest.approx(table.n_train - candidate.missing)
        if candidate.column != "year":  # which has three values of many rows
            assert np.isnan(curve.gains[0])
