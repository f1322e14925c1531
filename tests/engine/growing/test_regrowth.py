"""What growing again shares with what was there before: no column is coded or sorted a second time."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
import engine.growing
from engine.growing.to_nodes import rows_of_part, threshold_of
from engine.pruning.result import prune
from engine.splits import threshold_between
from engine.table.partition import TEST, TRAIN, VALIDATION
from engine.tree.assignment import Assignment


def made_up(n=400, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.normal(size=(n, 3)), columns=list("abc"))
    frame["level"] = random.choice(list("pqr"), n)
    frame["w"] = random.integers(1, 4, n)
    frame["price"] = frame.a * 3 + random.normal(size=n)
    frame["y"] = np.where(frame.a + random.normal(size=n) > 0, "yes", "no")
    return engine.Table.from_frame(frame, target="y")


@pytest.fixture
def grown_on(monkeypatch):
    """The tables on which trees are grown from now on."""
    tables, grow = [], engine.grow
    monkeypatch.setattr(
        "engine.pruning.cost_complexity.grow", lambda table, **how: (tables.append(table), grow(table, **how))[1]
    )
    return tables


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table,
        lambda table: table.with_partition(validation=0.3, test=0.1),
        lambda table: table.with_roles({"w": "weight"}),
        lambda table: table.with_roles({"b": "ignore"}),
        lambda table: table.with_target("price"),
    ],
)
def test_growing_again_shares_codes_and_orders(change):
    table = made_up()
    engine.grow(table)
    codes, orders = [column.codes for column in table.columns], [column.order for column in table.columns]
    changed = change(table)
    engine.grow(changed, min_leaf=5)
    for column, of_codes, of_order in zip(changed.columns, codes, orders, strict=True):
        assert column.codes is of_codes
        assert column.order is of_order


@pytest.mark.parametrize("target", ["y", "price"])
def test_folds_share_all_but_the_parts(grown_on, target):
    table = made_up().with_target(target).with_roles({"w": "weight"})
    tree = engine.grow(table, min_leaf=20)
    prune(table, tree, folds=4)
    assert len(grown_on) == 4
    for fold in grown_on:
        assert all(its is mine for mine, its in zip(table.columns, fold.columns, strict=True))
        assert fold.y is table.y
        assert fold.weights is table.weights
        assert fold.n_train + fold.n_validation == table.n_train
    assert len({fold.counts_key for fold in (table, *grown_on)}) == 5
    np.testing.assert_array_equal(sum((fold.part == VALIDATION).astype(int) for fold in grown_on), 1)


def test_bins_of_the_target_share_the_other_columns():
    table = made_up().with_target("price")
    binned = table.binned(4)
    assert all(a is b for a, b in zip(table.columns, binned.columns, strict=True) if a.name != "price")


def test_parts_that_are_given_are_another_table_to_a_tree():
    table = made_up()
    tree = engine.grow(table)
    part = np.where(np.arange(table.n_rows) % 3 == 0, VALIDATION, TRAIN).astype(np.uint8)
    divided = table.divided(part)
    assert (divided.n_validation, divided.classes) == (134, table.classes)
    assert tree.counted_on != divided.counts_key != table.divided(part).counts_key
    counted = tree.with_counts(divided)
    assert (counted.rows_train[0], counted.rows_validation[0]) == (266, 134)


def test_rows_of_a_part_stand_node_by_node():
    table = made_up(90).with_partition(validation=0.4)
    random = np.random.default_rng(1)
    at = Assignment(random.permutation(90).astype(np.uint32), np.array([0, 0, 50]), np.array([90, 50, 90]))
    for part in (TRAIN, VALIDATION, TEST):
        rows, bounds = rows_of_part(table, at, np.array([2, 1]), part)
        slices = [[row for row in at.rows_of(i).tolist() if table.part[row] == part] for i in (2, 1)]
        assert rows.tolist() == slices[0] + slices[1]
        assert bounds.tolist() == [0, len(slices[0]), len(rows)]


@pytest.mark.parametrize("weights", [None, "z"])
@pytest.mark.parametrize("target", ["y", "z"])
def test_validation_rows_are_counted_where_they_arrive(target, weights):
    frame = pd.DataFrame(np.random.default_rng(4).random((400, 3)), columns=list("axz"))
    frame["y"] = np.where(frame["a"] > frame["x"], "u", "v")
    if weights == target:
        weights, frame["w"] = "w", frame["z"] + 1
    table = engine.Table.from_frame(frame, target=target, weights=weights).with_partition(validation=0.4)
    tree = engine.grow(table, min_leaf=4)
    again = tree.with_counts(table)
    assert tree.n_leaves > 5
    assert tree.rows_validation.tolist() == again.rows_validation.tolist()
    np.testing.assert_allclose(tree.validation, again.validation, rtol=1e-12, atol=1e-12)


values = st.lists(st.floats(allow_nan=False), min_size=2, max_size=6, unique=True).map(sorted)


@given(values, st.data())
def test_thresholds_of_grown_nodes_are_those_of_candidates(values, data):
    low = data.draw(st.integers(1, len(values) - 1))
    high = data.draw(st.sampled_from([0, *range(low + 1, len(values) + 1)]))
    expected = threshold_between(values[low - 1], values[high - 1]) if high else np.inf
    assert threshold_of(np.array(values), np.array([low]), np.array([high])).tolist() == [expected]
