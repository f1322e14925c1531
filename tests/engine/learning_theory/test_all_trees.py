"""All trees: against plain recursion over every tree, against growing, and what the best of them is good for."""

import threading
import time
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.learning_theory.all_trees import Hunt
from engine.learning_theory.extent import extent
from engine.runtime.errors import InputError
from engine.search.options import Search
from tests import naive_all_trees as naive
from tests.effort import examples
from tests.frames import frames, table_of

NOMINAL = ("groups", "multiway", "one_vs_rest")


def described(table, nominal):
    """(rows, columns, lacking) of the training rows, as the twin has them."""
    at = table.rows(engine.TRAIN)
    codes = [[None if code == 0 else int(code) for code in table.columns[i].codes[at]] for i in table.features]
    weights = np.ones(at.size) if table.weights is None else table.weights[at]
    y = [Fraction(float(value)) for value in table.y[at]]
    rows = list(zip(zip(*codes, strict=True), y, map(Fraction, weights.tolist()), strict=True))
    columns = []
    for i, of_column in zip(table.features, codes, strict=True):
        column, found = table.columns[i], sorted({code for code in of_column if code is not None})
        if column.is_numeric or column.kind == "ordered":
            columns.append(("cut", found))
        elif nominal == "multiway":
            columns.append(("branches", found, range(1, column.n_values + 1)))
        else:
            columns.append(("one" if nominal == "one_vs_rest" else "groups", found))
    return rows, columns, [None in of_column for of_column in codes]


def all_tests(columns, lacking):
    return [
        (c, test)
        for c, (column, lacks) in enumerate(zip(columns, lacking, strict=True))
        for test in naive.tests_of(column, lacks)
    ]


def compare(found, rows, error, leaves):
    assert found.error == pytest.approx(float(error / sum(weight for _, _, weight in rows)), rel=1e-9, abs=1e-9)
    assert found.tree.n_leaves == leaves


@examples(60)
@given(frames(rows=(4, 8)), st.integers(1, 2), st.sampled_from(NOMINAL), st.integers(1, 3))
def test_no_tree_errs_less_and_none_so_little_with_fewer_leaves(frame, depth, nominal, min_leaf):
    table = table_of(frame)
    rows, columns, lacking = described(table, nominal)
    tests = all_tests(columns, lacking)
    error, leaves = naive.least(rows, tests, depth, min_leaf, table.task == "number")
    found = engine.all_trees(table, depth, min_leaf=min_leaf, nominal=nominal)
    assert found.tree.depth <= depth
    if found.error < found.greedy.error() or nominal != "one_vs_rest":
        compare(found, rows, error, leaves)
    assert found.n_tests == len(tests)
    assert found.complete
    assert (found.tree.rows_train[found.tree.leaves] >= min_leaf)[found.tree.rows_train[found.tree.leaves] > 0].all()


@examples(30)
@given(frames(rows=(4, 7)), st.sampled_from(NOMINAL))
def test_three_levels_too(frame, nominal):
    table = table_of(frame[[name for name in frame if name not in ("b", "d")]])
    rows, columns, lacking = described(table, nominal)
    error, leaves = naive.least(rows, all_tests(columns, lacking), 3, 1, table.task == "number")
    found = engine.all_trees(table, 3, nominal=nominal)
    compare(found, rows, error, leaves)


@given(frames(rows=(4, 5), task="classes"), st.sampled_from(NOMINAL), st.integers(1, 2))
def test_every_tree_is_counted(frame, nominal, depth):
    table = table_of(frame[["c", "d", "y"]])
    _, columns, lacking = described(table, nominal)
    tests = all_tests(columns, lacking)
    counted = extent(table, depth, nominal=nominal)
    assert counted.n_tests == len(tests)
    if counted.n_trees < 20_000:
        assert counted.n_trees == len(naive.trees(tests, table.classes, depth))


@given(frames(), st.integers(1, 3), st.sampled_from(("groups", "multiway")), st.integers(1, 3))
def test_it_is_never_worse_than_growing(frame, depth, nominal, min_leaf):
    table = table_of(frame)
    found = engine.all_trees(table, depth, min_leaf=min_leaf, nominal=nominal)
    assert (
        found.greedy.ids.tolist()
        == engine.grow(table, max_depth=depth, min_leaf=min_leaf, nominal=nominal).ids.tolist()
    )
    assert found.error <= found.greedy.error() + 1e-9
    assert found.error == found.tree.error()


@examples(30)
@given(frames(rows=(20, 120)), st.sampled_from(("groups", "one_vs_rest")), st.integers(0, 2**32 - 1))
def test_counting_two_levels_is_trying_them(frame, nominal, seed):
    """The tallies that follow the first question, and what they leave out, against counting each branch anew."""
    frame["w"] = np.random.default_rng(seed).random(len(frame)) ** 3  # no whole numbers: sums are rounded
    table = table_of(frame)
    hunt = Hunt(table, Search.make(table.task, nominal=nominal), engine.Progress())
    counted = hunt.best(hunt.root, 2, 0.0, 1.0)
    tried = hunt.best(hunt.root, 1, 0.0, 1.0)
    for c in range(len(hunt.columns)):
        tried = hunt.try_all(hunt.root, c, 2, tried, 0.0, 0.0)
    assert counted[1:4] == tried[1:4]
    assert counted.error == pytest.approx(tried.error, abs=1e-9)


def test_columns_that_separate_nothing_leave_a_leaf():
    frame = pd.DataFrame({"same": [1] * 6, "lost": [np.nan] * 6, "level": ["p"] * 6, "y": ["u", "v"] * 3})
    table = engine.Table.from_frame(frame, target="y", kinds={"lost": "nominal"})
    for nominal in NOMINAL:
        found = engine.all_trees(table, 3, nominal=nominal)
        assert (found.n_tests, found.n_trees, found.tree.n_leaves) == (0, 2, 1)


def test_levels_of_other_rows_than_the_training_rows():
    frame = pd.DataFrame({"c": list("aabbccdd"), "part": ["train"] * 6 + ["validation"] * 2, "y": list("uuvvuuuu")})
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    found = engine.all_trees(table, 1)
    assert (found.n_tests, found.error) == (3, 0.0)
    assert found.tree.split_at(0).unseen == found.tree.branch[1 + int(np.argmax(found.tree.rows_train[1:]))]
    wide = engine.all_trees(table, 1, nominal="multiway")
    assert (wide.n_tests, wide.n_trees, wide.tree.n_leaves) == (1, 2 + 2**4, 4)


def test_exclusive_or_has_a_tree_of_two_levels_that_growing_with_a_least_gain_never_sees():
    table = engine.read_example("xor")
    assert engine.grow(table, max_depth=2, min_gain=1e-9).error() == 0.5
    found = engine.all_trees(table, 2)
    assert (found.error, found.tree.n_leaves) == (0.0, 4)


def decoy():
    """y is “a and b differ”, which neither tells alone; c agrees with y in most rows."""
    rows = [(a, b, int(a != b)) for a in (0, 1) for b in (0, 1) for _ in range(10)]
    return engine.Table.from_frame(
        pd.DataFrame(
            {
                "a": [a for a, _, _ in rows],
                "b": [b for _, b, _ in rows],
                "c": [y if i % 10 < 7 else 1 - y for i, (_, _, y) in enumerate(rows)],
                "y": ["yes" if y else "no" for _, _, y in rows],
            }
        ),
        target="y",
    )


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "error", "sqrt"])
def test_growing_by_any_criterion_walks_into_the_decoy(criterion):
    table = decoy()
    found = engine.all_trees(table, 2)
    assert found.error == 0.0
    assert [found.tree.split_at(i).column for i in np.flatnonzero(found.tree.n_branches)] == ["a", "b", "b"]
    assert engine.grow(table, max_depth=2, criterion=criterion).error() >= 0.3 - 1e-12


def noisy():
    """The label is “x > 0.5” but for a quarter of the rows; eight more columns are noise. Half of the rows validate."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame(random.random((120, 9)).round(2), columns=["x", *(f"noise {i}" for i in range(8))])
    wrong = random.random(120) < 0.25
    frame["y"] = np.where((frame["x"] > 0.5) ^ wrong, "yes", "no")
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.5)


def test_the_best_of_all_trees_overfits():
    table = noisy()
    stump, found = engine.grow(table, max_depth=1), engine.all_trees(table, 3)
    for other in (stump, found.greedy):
        assert found.error < other.error()
        assert found.tree.error("validation") > other.error("validation")


def test_more_levels_than_are_divided_never_make_it_worse_than_growing():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"c": random.choice(list("abcdefghijkl"), 80), "y": random.choice(["u", "v"], 80)})
    table = engine.Table.from_frame(frame, target="y")
    found = engine.all_trees(table, 1)
    assert found.n_tests == 12  # each level against the rest
    assert found.error == found.greedy.error()
    assert engine.all_trees(table, 1, nominal="one_vs_rest").n_tests == 12


def test_thresholds_lie_halfway_between_the_values_at_the_node():
    frame = pd.DataFrame({"x": [0, 1, 10, 11, 20, 21], "y": ["u", "u", "v", "v", "u", "u"]})
    tree = engine.all_trees(engine.Table.from_frame(frame, target="y"), 2).tree
    assert [tree.split_at(int(i)).thresholds for i in np.flatnonzero(tree.n_branches)] == [(5.5,), (15.5,)]


def wide():
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.random((4000, 12)), columns=[f"x{i}" for i in range(12)])
    frame["y"] = random.choice(["u", "v"], 4000)
    return engine.Table.from_frame(frame, target="y")


def test_a_stop_leaves_a_valid_tree_at_once():
    table = wide()
    for depth, part in ((2, 4000), (3, 350)):
        some = table.take(np.arange(part))
        engine.all_trees(some.take(np.arange(20)), depth)  # compiled
        progress = engine.Progress()
        stopped = []
        timer = threading.Timer(
            0.3, lambda progress=progress, stopped=stopped: (stopped.append(time.monotonic()), progress.stop())
        )
        timer.start()
        found = engine.all_trees(some, depth, progress=progress)
        assert time.monotonic() - stopped[0] < 0.5  # 0.2 s where nothing else runs
        timer.join()
        assert not found.complete
        assert found.error <= found.greedy.error()
        assert found.tree.with_counts(some).error() == found.error


def test_progress_rises_to_the_end():
    told = []
    engine.all_trees(noisy(), 3, progress=engine.Progress(lambda share, text: told.append(share)))
    assert told == sorted(told)
    assert told


def test_what_would_take_too_long_is_refused_with_a_way_out():
    with pytest.raises(
        InputError, match=r"47,988 different tests make about 10\^\d+ trees of depth 3.*smaller depth, or leave"
    ):
        engine.all_trees(wide(), 3)
    for depth in (0, 5, 1.5, True):
        with pytest.raises(InputError, match="depth cannot be"):
            engine.all_trees(decoy(), depth)
    with pytest.raises(InputError, match="min_leaf"):
        engine.all_trees(decoy(), min_leaf=0)


def test_more_trees_than_can_be_counted_are_refused():
    frame = pd.DataFrame({"c": [f"level {i % 500}" for i in range(1000)], "y": ["u", "v", "v", "u"] * 250})
    table = engine.Table.from_frame(frame, target="y")
    assert extent(table, 2, nominal="multiway").n_trees == 2 + (2 + 2**500) ** 500
    with pytest.raises(InputError, match="more trees than can be counted"):
        extent(table, 4, nominal="multiway")


def test_the_formula_by_hand():
    assert extent(engine.read_example("xor"), 2) == extent(engine.read_example("xor"), 2)
    assert extent(engine.read_example("xor"), 2).n_trees == 2 + 2 * (2 + 2 * 2**2) ** 2
    assert extent(decoy(), 4).n_tests == 3


def test_a_depth_is_a_whole_number():
    with pytest.raises(InputError, match=r"depth cannot be 2\.0"):
        engine.all_trees(engine.read_example("cats"), 2.0)
