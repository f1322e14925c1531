"""Two trees on the same rows: against counts made row by row, and statsmodels' kind of McNemar by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.assessment.auc_difference import auc_difference
from engine.runtime.errors import InputError
from tests import naive_assessment


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


@pytest.mark.parametrize("label", ["x", "y", "z"])
def test_areas_are_compared_pair_by_pair(label):
    table, frame, small, large = planted()
    rows = table.rows(1)
    scores = [tree.predict_proba(frame.iloc[rows])[:, "xyz".index(label)] for tree in (small, large)]
    is_class = frame.t.to_numpy()[rows] == label
    found = engine.compare(table, small, large, label=label).auc
    difference, se, n = naive_assessment.delong_difference(*(one.round(12) for one in scores), is_class)
    assert (found.label, found.difference) == (label, pytest.approx(difference))
    assert found.interval[1] - found.difference == pytest.approx(stats.t.ppf(0.975, n) * se)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(difference) / se, n))
    for area, fit in zip((found.first, found.second), engine.compare(table, small, large).fits, strict=True):
        assert area == pytest.approx(fit.ranking(label).auc)


def test_areas_of_frequencies_are_those_of_equal_rows():
    """Each row as often as its frequency says; of sampling weights fewer rows are counted than there are."""
    random = np.random.default_rng(2)
    scores, is_class = random.integers(0, 5, (2, 80)) / 5.0, random.random(80) < 0.4
    often = random.integers(1, 4, 80)
    rows = np.repeat(np.arange(80), often)
    repeated = auc_difference("x", tuple(scores[:, rows]), is_class[rows], np.ones(rows.size), False)
    counted = auc_difference("x", tuple(scores), is_class, often.astype(float), True)
    assert counted[1:4] == pytest.approx(repeated[1:4]) and counted.p_value == pytest.approx(repeated.p_value)
    sampled = auc_difference("x", tuple(scores), is_class, often.astype(float), False)
    assert sampled.difference == pytest.approx(counted.difference) and sampled.p_value > counted.p_value
    twice = auc_difference("x", tuple(scores), is_class, np.full(80, 2.0), False)  # the scale says nothing
    assert twice == auc_difference("x", tuple(scores), is_class, np.ones(80), False)


def test_areas_that_cannot_be_compared_say_so():
    table, _, small, _ = planted()
    same = engine.compare(table, small, small).auc
    assert (same.label, same.difference, same.p_value) == ("z", 0.0, 1.0)
    nothing = auc_difference("x", (np.ones(3), np.ones(3)), np.zeros(3, bool), np.ones(3), False)
    assert np.isnan([nothing.first, nothing.difference, nothing.p_value, *nothing.interval]).all()
    single = auc_difference("x", (np.arange(3.0), np.ones(3)), np.array([True, False, False]), np.ones(3), False)
    assert single.first == 0 and np.isnan(single.p_value)
    numbers, _, tree, _ = planted("number")
    assert engine.compare(numbers, tree, tree).auc is None
    honest = small.with_leaf_rule(table, engine.LeafRule(smoothing="honest"))
    assert engine.compare(table, honest, small).auc is None
    with pytest.raises(InputError, match="no class"):
        engine.compare(table, small, small, label="w")


@pytest.mark.parametrize("task", ["classes", "number"])
def test_who_moves_where(task):
    table, frame, small, large = planted(task)
    rows = table.rows(1)
    leaves = [tree.ids[tree.apply(table)[rows]] for tree in (small, large)]
    say = (lambda tree: tree.predict_proba(frame)) if task == "classes" else lambda tree: tree.predict(frame)[:, None]
    said = [say(tree)[rows] for tree in (small, large)]
    apart = np.abs(said[0] - said[1]).sum(axis=1) / (2 if task == "classes" else 1)
    expected: dict[tuple[int, int], list[float]] = {}
    for one, other, far in zip(*leaves, apart, strict=True):
        if far > 0:
            expected.setdefault((int(one), int(other)), []).append(far)
    found = engine.compare(table, small, large).moves
    pairs = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert len(pairs) == len(set(pairs)) and set(pairs) == expected.keys()
    for pair, n, size in zip(pairs, found.rows, found.size, strict=True):
        assert n == len(expected[pair]) and size == pytest.approx(expected[pair][0])
    total = found.rows * found.size
    assert (np.diff(total) <= 1e-9).all()
    assert engine.compare(table, small, small).moves.rows.size == 0
