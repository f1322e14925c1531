"""The figures of every step of a sequence: each against scikit-learn's of that step's tree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as oracle

import engine
from engine.pruning.kernels import auc_of_steps
from engine.pruning.metrics import _events, curve, figure
from engine.pruning.options import METRICS, metrics_for
from engine.pruning.result import prune
from engine.runtime.errors import InputError
from tests.effort import examples

PARTS = {"train": 0, "validation": 1}
PROFITS = {"l": 3.0, "m": -4.0, "h": (1.0, 0.5)}


def planted(task, weights, n_classes=3, **options):
    """A table with both parts, its frame, and a tree of a few dozen leaves."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"a": random.normal(size=240), "b": random.normal(size=240), "w": random.integers(1, 4, 240)})
    signal = frame.a + (frame.b > 0) + random.normal(size=240)
    edges = np.quantile(signal, np.arange(1, n_classes) / n_classes)
    frame["t"] = 1e4 + signal if task == "number" else np.array(list("lmh"))[np.digitize(signal, edges)]
    table = engine.Table.from_frame(frame, target="t", weights=weights).with_partition(validation=0.4)
    if task == "classes":
        options = {"profits": {name: PROFITS[name] for name in set(frame.t)}, **options}
    return table, frame, engine.grow(table, min_leaf=3, **options)


def expected(metric, tree, frame, rows, weights):
    """The metric of one tree, by scikit-learn."""
    w = None if weights is None else frame.w.to_numpy()[rows]
    part, truth = frame.iloc[rows], frame.t.to_numpy()[rows]
    said = tree.predict(part)
    if METRICS[metric].task == "number":
        score = {
            "squared_error": oracle.mean_squared_error, "r2": oracle.r2_score,
            "absolute_error": oracle.mean_absolute_error,
        }[metric]  # fmt: skip
        return score(truth, said, sample_weight=w)
    proba = np.asarray(tree.predict_proba(part))
    hot = truth[:, None] == np.array(tree.classes)
    if metric in ("error", "cost"):
        return 1 - oracle.accuracy_score(truth, said, sample_weight=w)
    if metric == "log_loss":
        return -np.average(np.log(np.clip((proba * hot).sum(axis=1), 1e-15, 1)), weights=w)
    if metric == "gini":
        return np.average(((proba - hot) ** 2).sum(axis=1), weights=w)
    if metric == "profit":  # row by row
        both = np.array([np.broadcast_to(PROFITS[name], 2) * (1.0, np.ndim(PROFITS[name])) for name in tree.classes])
        act = proba @ both[:, 0] > proba @ both[:, 1]
        earned = np.where(act, (hot @ both)[:, 0], (hot @ both)[:, 1])
        return np.average(earned, weights=w)
    areas = [oracle.roc_auc_score(hot[:, k], proba[:, k], sample_weight=w) for k in range(len(tree.classes))]
    return np.mean(areas)


@pytest.mark.parametrize("weights", [None, "w"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("metric", METRICS)
def test_every_step_of_a_sequence_has_the_figure_of_its_tree(metric, part, weights):
    table, frame, tree = planted(METRICS[metric].task, weights)
    pruning = prune(table, tree)
    assert len(pruning.steps) > 5
    found = curve(pruning, metric, part, table)
    rows = table.rows(PARTS[part])
    for i in range(0, len(pruning.steps), 3):
        one = pruning.tree(i)
        wanted = expected(metric, one, frame, rows, weights)
        assert found[i] == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert figure(one, metric, part, table) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_what_trees_of_medians_err():
    table, frame, tree = planted("number", None, criterion="absolute_error")
    rows = table.rows(1)
    for metric in metrics_for("number"):
        wanted = expected(metric, tree, frame, rows, None)
        assert figure(tree, metric, "validation", table) == pytest.approx(wanted, rel=1e-9)


def test_the_area_of_two_classes_is_that_of_either():
    table, frame, tree = planted("classes", None, n_classes=2)
    rows = table.rows(1)
    assert figure(tree, "auc", "validation", table) == pytest.approx(expected("auc", tree, frame, rows, None))


@given(st.data())
@examples(300)
def test_areas_follow_leaves_that_come_and_go(data):
    """Against all pairs of rows, counted one by one, of every step."""
    n, n_steps = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 4))
    whole = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    start, length = (np.array(data.draw(whole)) for _ in range(2))
    start = np.minimum(start, n_steps)
    stop = np.minimum(start + length, n_steps)
    stop[0] = n_steps
    rung, inside, outside = (np.array(data.draw(whole)) for _ in range(3))
    found = np.empty(n_steps)
    auc_of_steps(*_events(start, stop, n_steps), rung, inside.astype(float), outside.astype(float), found)
    for step in range(n_steps):
        here = np.flatnonzero((start <= step) & (step < stop))
        pairs = inside[here].sum() * outside[here].sum()
        rightly = sum(
            inside[i] * outside[j] * (1.0 if rung[i] > rung[j] else 0.5 if rung[i] == rung[j] else 0.0)
            for i in here for j in here
        )  # fmt: skip
        assert found[step] == rightly / pairs if pairs else np.isnan(found[step])


def test_a_part_without_rows_has_no_figures():
    table, _, tree = planted("classes", None)
    bare = table.with_partition(validation=0.0)
    pruning = prune(bare, tree, "growth")
    for metric in metrics_for("classes"):
        assert np.isnan(curve(pruning, metric, "validation", bare)).all()


def test_a_class_without_rows_in_the_part_has_no_area():
    frame = pd.DataFrame({"a": np.arange(40.0), "t": ["x", "y"] * 10 + ["x"] * 20, "p": [0] * 20 + [1] * 20})
    frame["p"] = frame.p.map({0: "train", 1: "validation"})
    table = engine.Table.from_frame(frame, target="t").with_partition(column="p")
    assert table.n_validation == 20
    assert np.isnan(figure(engine.grow(table), "auc", "validation", table))


def test_faults_name_the_remedy():
    table, _, tree = planted("classes", None)
    with pytest.raises(InputError, match="choose one of error, cost, profit, log_loss, gini, auc"):
        figure(tree, "r2", "train", table)
