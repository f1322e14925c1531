"""The numeric target in bins: equal counts, names, and that everything else of the table stays the same."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from tests.frames import frames, table_of


def table_with(values, **columns):
    return engine.Table.from_frame(
        pd.DataFrame({"x": range(len(values)), "y": values, **columns}), "y", kinds={"y": "number"}
    )


def naive_edges(values, weights, bins):
    """Halfway between neighbours, after the value nearest in weight to j/bins; ties to the lower."""
    distinct = sorted(set(values))
    passed = [sum(w for v, w in zip(values, weights, strict=True) if v <= value) for value in distinct]
    last = set()
    for j in range(1, bins):
        apart = [abs(bins * p - j * passed[-1]) for p in passed[:-1]]
        last.add(apart.index(min(apart)))
    return [(distinct[k] + distinct[k + 1]) / 2 for k in sorted(last)]


@given(frames(task="number"), st.integers(2, 7), st.integers(0, 1000))
def test_bins_hold_about_equally_many_training_rows(frame, bins, seed):
    table = table_of(frame).with_partition(validation=0.3, seed=seed)
    train = table.rows(engine.TRAIN)
    values = table.target_column.numbers[train].tolist()
    weights = [1.0] * len(values) if table.weights is None else table.weights[train].tolist()
    if len(set(values)) == 1:
        with pytest.raises(engine.InputError, match="the same value in all training rows"):
            table.bin_edges(bins)
        return
    edges = table.bin_edges(bins)
    assert edges == pytest.approx(naive_edges(values, weights, bins))
    binned = table.binned(bins)
    assert binned.task == "classes"
    assert len(binned.classes) == len(edges) + 1 <= bins
    used = table.part != engine.UNUSED
    expected = [sum(value > edge for edge in edges) for value in table.target_column.numbers[used]]
    assert binned.y[used].tolist() == expected
    np.testing.assert_array_equal(binned.part, table.part)
    for i in table.features:
        assert binned.columns[i] is table.columns[i]
    assert binned.features == table.features
    assert binned.bindings is table.bindings
    assert table.binned(bins) is binned
    assert binned.counts_key != table.counts_key


def test_classes_are_named_by_their_ranges():
    table = table_with([0.0, 10.0, 15.0, 25.0, 30.0, np.nan])
    assert table.bin_edges(3) == (12.5, 20.0)
    table = table_with([10.0, 15.0, 25.0])
    assert table.binned(3).classes == ("≤ 12.5", "12.5 – 20", "> 20")


def test_equal_values_stay_in_one_bin_and_names_stay_apart():
    table = table_with([1.0] * 50 + [2.5, 3.5])
    assert table.bin_edges(10) == (1.75,)
    near = table_with([1.0, 1.0 + 1e-12, 1.0 + 2e-12, 1.0 + 3e-12])
    assert len(set(near.binned(4).classes)) == 4


def test_rows_outside_the_training_range_fall_into_the_end_bins():
    frame = pd.DataFrame(
        {"x": range(6), "y": [5.5, 6.5, 7.5, 8.5, -100.5, 100.5], "part": ["train"] * 4 + ["test"] * 2}
    )
    table = engine.Table.from_frame(frame, "y").with_partition(column="part")
    assert table.bin_edges(4) == (6.0, 7.0, 8.0)
    assert table.binned(4).y.tolist() == [0, 1, 2, 3, 0, 3]


def test_what_cannot_be_binned_says_why():
    table = table_with([1.5, 2.5, 3.5])
    for bins in (1, 1001):
        with pytest.raises(engine.InputError, match=f"bins cannot be {bins}; it is a whole number from 2 to 1,000"):
            table.binned(bins)
    with pytest.raises(engine.InputError, match="is no number"):
        engine.Table.from_frame(pd.DataFrame({"a": [1, 2, 3, 4], "y": list("uvuv")}), "y").binned(3)


def test_the_bins_are_searched_as_classes():
    random = np.random.default_rng(0)
    x = random.normal(size=300)
    y = np.round(np.where(x > 0.3, 50.0, 10.0) + random.random(300))
    frame = pd.DataFrame({"x": x, "z": random.normal(size=300), "y": y})
    binned = engine.Table.from_frame(frame, "y", kinds={"y": "number"}).with_partition(validation=0.3).binned(8)
    tree = engine.grow(binned, max_depth=1)
    assert binned.classes == ("≤ 10.5", "10.5 – 30.5", "30.5 – 50.5", "> 50.5")
    split = tree.split_at(0)
    assert split.column == "x"
    assert split.thresholds[0] == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize("criterion", ["binned_gini", "binned_error"])
def test_where_bins_are_searched_both_criteria_of_bins_are_told(criterion):
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"x": random.random(200), "town": random.choice(list("abcd"), 200)})
    frame["y"] = frame.x + random.normal(size=200) * 0.3
    table = engine.Table.from_frame(frame, "y")
    root, options = engine.Tree.root(table), {"criterion": criterion, "bins": 4}
    for found in engine.candidates(table, root, **options):
        by_both = {
            name: engine.weigh(table, root, 0, found.split, criterion=name, bins=4).gain
            for name in ("squared_error", "binned_gini", "binned_error")
        }
        assert found.scores == pytest.approx(by_both)
        assert engine.weigh(table, root, 0, found.split, **options).scores == pytest.approx(by_both)
        by_curve = engine.gain_curve(table, root, 0, found.column, **options).weigh(found.split)
        assert by_curve.scores == pytest.approx(by_both)
