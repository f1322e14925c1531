"""Folds: dealt out by class, by group, in time, one for each row."""

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit

from engine.runtime.errors import InputError
from engine.table.folds import by_class, by_group, each_row, folds_by_group, folds_in_time
from tests.engine.resampling.making import noisy_frame, table_of


def test_folds_by_class_hold_every_class_evenly():
    table = table_of(noisy_frame(203)).with_partition(test=0.2)
    fold = by_class(table, 5, 3)
    train = table.rows(0)
    assert np.array_equal(np.flatnonzero(fold >= 0), train)
    for k in range(len(table.classes)):
        assert np.ptp(np.bincount(fold[train][table.y[train] == k], minlength=5)) <= 1


def test_groups_stay_together_in_folds_of_about_one_size():
    groups = np.random.default_rng(1).integers(0, 40, 500)
    fold = by_group(groups, 4, 7)
    assert all(np.unique(fold[groups == group]).size == 1 for group in range(40))
    assert np.ptp(np.bincount(fold, minlength=4)) <= np.bincount(groups).max()
    assert np.array_equal(fold, by_group(groups, 4, 7))
    assert not np.array_equal(fold, by_group(groups, 4, 8))


def test_a_row_without_a_group_is_one_of_its_own():
    frame = noisy_frame(60)
    frame["g"] = frame["g"].astype(float).where(frame["g"] > 4)
    table = table_of(frame)
    folds = folds_by_group(table, table.column("g"), 5, 0)
    lacking = frame["g"].isna().to_numpy()
    assert lacking.sum() > 5
    assert np.unique(folds.fold[lacking]).size == 5
    with pytest.raises(InputError, match="too few for 100 folds"):
        folds_by_group(table, table.column("g"), 100, 0)


@pytest.mark.parametrize("n", [50, 53])
def test_folds_in_time_are_those_of_scikit_learn(n):
    frame = noisy_frame(n)
    table = table_of(frame)
    folds = folds_in_time(table, table.column("t"), 4)
    order = np.argsort(frame["t"].to_numpy())
    for k, (past, next_ones) in enumerate(TimeSeriesSplit(4).split(order)):
        assert np.array_equal(np.flatnonzero(folds.training(k)), np.sort(order[past]))
        assert np.array_equal(np.flatnonzero(folds.held(k)), np.sort(order[next_ones]))


def test_rows_of_one_time_are_never_parted():
    frame = noisy_frame(80)
    frame["t"] //= 5
    table = table_of(frame)
    folds = folds_in_time(table, table.column("t"), 4)
    times = frame["t"].to_numpy()
    for k in range(4):
        assert folds.held(k).any()
        assert times[folds.training(k)].max() < times[folds.held(k)].min()


def test_what_has_no_order_in_time_says_so():
    frame = noisy_frame(40)
    table = table_of(frame.assign(t=frame["t"].astype(float).where(frame["t"] > 2)))
    with pytest.raises(InputError, match="no value in 3 training rows"):
        folds_in_time(table, table.column("t"), 4)
    with pytest.raises(InputError, match="without an order"):
        folds_in_time(table, table.column("c"), 4)
    few = table_of(frame.assign(t=frame["t"] % 3))
    with pytest.raises(InputError, match="too few different times"):
        folds_in_time(few, few.column("t"), 4)


def test_each_row_is_a_fold():
    table = table_of(noisy_frame(30)).with_partition(validation=0.5)
    folds = each_row(table)
    assert folds.n == table.n_train
    assert np.array_equal(np.sort(folds.fold[table.rows(0)]), np.arange(folds.n))
    assert (folds.fold[table.rows(1)] == -1).all()
