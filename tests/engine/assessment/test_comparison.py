"""Two trees on the same rows: against counts made row by row, and statsmodels' kind of McNemar by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.runtime.errors import InputError


def planted(task="classes", n=600, weights=None):
    random = np.random.default_rng(8)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "w": random.integers(1, 3, n)})
    signal = frame.a + frame.b + random.normal(size=n)
    frame["t"] = signal if task == "number" else np.array(list("xyz"))[np.digitize(signal, [-0.5, 0.5])]
    table = engine.Table.from_frame(frame, target="t", weights=weights).with_partition(validation=0.4)
    return table, frame, engine.grow(table, max_depth=2), engine.grow(table, max_depth=5, criterion=None)


@pytest.mark.parametrize("weights", [None, "w"])
@pytest.mark.parametrize("part", ["train", "validation"])
def test_classes_row_by_row(part, weights):
    table, frame, small, large = planted(weights=weights)
    rows = table.rows(0 if part == "train" else 1)
    truth = frame.t.to_numpy()[rows]
    said = [np.asarray(tree.predict(frame.iloc[rows])) for tree in (small, large)]
    right = [one == truth for one in said]
    found = engine.compare(table, small, large, part)
    assert found.n == rows.size
    assert found.differ == (said[0] != said[1]).sum() > 0
    assert found.only_first == (right[0] & ~right[1]).sum()
    assert found.only_second == (right[1] & ~right[0]).sum()
    b, c = found.only_first, found.only_second
    assert found.p_value == pytest.approx(min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, 0.5)))
    assert found.difference == pytest.approx((~right[0]).mean() - (~right[1]).mean())
    each = (~right[0]).astype(float) - (~right[1])
    assert found.interval[1] - found.difference == pytest.approx(1.959963984540054 * each.std() / np.sqrt(rows.size))
    assert found.fits[0].error == pytest.approx(small.error(part))


@pytest.mark.parametrize("part", ["train", "validation"])
def test_where_they_differ(part):
    table, frame, small, large = planted()
    rows = table.rows(0 if part == "train" else 1)
    unlike = np.asarray(small.predict(frame)) != np.asarray(large.predict(frame))
    found = engine.compare(table, small, large, part)
    for tree, shares in ((small, found.share_first), (large, found.share_second)):
        at = engine.assign(table, tree)
        for i in range(tree.n_nodes):
            inside = np.intersect1d(at.rows_of(i), rows)
            expected = unlike[inside].mean() if inside.size else np.nan
            assert shares[i] == pytest.approx(expected, nan_ok=True)


def test_numbers_row_by_row():
    table, frame, small, large = planted("number")
    rows = table.rows(1)
    truth = frame.t.to_numpy()[rows]
    errors = [(np.asarray(tree.predict(frame.iloc[rows])) - truth) ** 2 for tree in (small, large)]
    found = engine.compare(table, small, large)
    assert found.difference == pytest.approx((errors[0] - errors[1]).mean())
    z = found.difference / stats.sem(errors[0] - errors[1])
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_a_tree_does_not_differ_from_itself():
    table, _, small, _ = planted()
    found = engine.compare(table, small, small)
    assert (found.differ, found.p_value, found.difference) == (0, 1.0, 0.0)
    numbers, _, tree, _ = planted("number")
    assert engine.compare(numbers, tree, tree).p_value == 1.0


def test_a_class_that_the_table_has_not_is_one_class_for_both_trees():
    def tree_of(classes):
        frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "t": list(classes)})
        return engine.grow(engine.Table.from_frame(frame, target="t"))

    table = engine.Table.from_frame(pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "t": list("yyzz")}), target="t")
    first, second = tree_of("qyzz"), tree_of("qozz")  # "q" is the first class of the one, the second of the other
    found = engine.compare(table, first, second, "train")
    assert found.differ == 1
    assert found.share_first[0] == found.share_second[0] == 1 / 4


def test_without_rows_nothing_is_said():
    table, _, small, large = planted()
    found = engine.compare(table.with_partition(), small, large)
    assert found.n == 0
    assert np.isnan(found.p_value)
    assert np.isnan(found.share_first).all()


def test_trees_of_other_targets_are_refused():
    table, _, small, _ = planted()
    other = engine.grow(table.with_target("a"), max_depth=1)
    with pytest.raises(InputError, match="“t” and “a”"):
        engine.compare(table, small, other)
