"""Partial dependence and the curves of single rows, by putting values into rows, and beside scikit-learn."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence as brute_force
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from tests import naive_what_if

WAYS = {
    "cuts": {}, "surrogates": {"missing": "surrogate"}, "branch": {"missing": "branch"}, "literals": {"m_of_n": True},
    "multiway": {"nominal": "multiway", "numeric": "bucket_branches", "buckets": 4},
}  # fmt: skip


def frame_of(task: str, n: int = 120, lacking: float = 0.15, seed: int = 3) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n).round(1), "b": random.integers(0, 6, n).astype(float)})
    frame["c"] = pd.Categorical.from_codes(random.integers(0, 4, n), list("pqrs"))
    frame["d"] = pd.Categorical.from_codes(random.integers(0, 2, n), ["no", "yes"])
    signal = frame.a + (frame.b > 2) * (frame.c == "q") + (frame.d == "yes") + random.normal(0, 0.6, n)
    for name in "abcd":
        frame.loc[random.random(n) < lacking, name] = None
    frame["t"] = signal if task == "number" else pd.cut(signal, [-9, 0.2, 1.2, 9], labels=["low", "mid", "high"])
    frame["w"] = random.integers(1, 5, n)
    return frame


def table_of(frame: pd.DataFrame, weighted: bool = False) -> engine.Table:
    roles = {} if weighted else {"w": "ignore"}
    table = engine.Table.from_frame(frame, "t", weights="w" if weighted else None, roles=roles)
    return table.with_partition(validation=0.25)


def values_of(axis: engine.Pieces) -> list[object]:
    """Of each piece values inside it: next to its ends."""
    if axis.levels:
        return [[level] for level in axis.levels] + [[None]]
    ends = [-np.inf, *axis.cuts, np.inf]
    return [[np.nextafter(low, 9e9), high] for low, high in pairwise(ends)] + [[None]]


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("way", WAYS)
def test_every_piece_is_the_mean_of_rows_that_have_its_values(task, way):
    weighted = way in ("cuts", "literals") or task == "number"
    frame = frame_of(task)
    table = table_of(frame, weighted and way != "literals")
    tree = engine.grow(table, max_depth=4, **WAYS[way])
    rows = table.rows(engine.TRAIN)
    train, weights = frame.iloc[rows], np.ones(rows.size) if table.weights is None else table.weights[rows]
    for name in "abcd":
        found = engine.partial_dependence(table, tree, name, curves=7)
        (axis,), chosen = found.axes, np.searchsorted(rows, found.rows)
        assert (found.n, found.rows.size) == (rows.size, 7)
        for piece, values in enumerate(values_of(axis)):
            for value in values:
                assert axis.find(value) == piece
                mean, each = naive_what_if.dependence(tree, train, weights, {name: value})
                assert found.mean[piece] == pytest.approx(mean)
                assert found.curves[:, piece] == pytest.approx(each[chosen])


@pytest.mark.parametrize("way", WAYS)
def test_two_columns(way):
    frame = frame_of("classes")
    table = table_of(frame)
    tree = engine.grow(table, max_depth=4, **WAYS[way])
    train = frame.iloc[table.rows(engine.TRAIN)]
    for one, other in (("a", "c"), ("b", "a"), ("d", "c")):
        found = engine.partial_dependence(table, tree, one, other, curves=1)
        for i, first in enumerate(values_of(found.axes[0])):
            for j, second in enumerate(values_of(found.axes[1])):
                given = {one: first[-1], other: second[-1]}
                mean, _ = naive_what_if.dependence(tree, train, np.ones(len(train)), given)
                assert found.mean[i, j] == pytest.approx(mean)
        assert found.curves.shape == (1, *found.mean.shape)


def same_tree(table: engine.Table, theirs) -> engine.Tree:
    """Their tree, split by split."""
    tree, waiting = engine.Tree.root(table), [(0, 0)]
    while waiting:
        node, k = waiting.pop()
        if theirs.children_left[k] >= 0:
            cut = engine.Split("abc"[theirs.feature[k]], "threshold", (float(theirs.threshold[k]),))
            tree = tree.split(table, node, cut)
            children = [int(tree.ids[i]) for i in tree.children(tree.position(node))]
            waiting += zip(children, (theirs.children_left[k], theirs.children_right[k]), strict=True)
    return tree


@pytest.mark.parametrize("task", ["classes", "number"])
def test_beside_scikit_learn(task):
    random = np.random.default_rng(5)
    x = random.normal(size=(300, 3)).astype(np.float32).astype(float)  # which is what they look at
    signal = x[:, 0] + np.sign(x[:, 1]) + random.normal(0, 0.5, 300)
    y = signal if task == "number" else np.where(signal > 0, "yes", "no")
    learner = (DecisionTreeRegressor if task == "number" else DecisionTreeClassifier)(max_depth=5, random_state=0)
    table = engine.Table.from_frame(pd.DataFrame(x, columns=list("abc")).assign(t=y), "t")
    tree = same_tree(table, learner.fit(x, y).tree_)
    theirs = brute_force(learner, x, [0], method="brute", kind="both", grid_resolution=50)
    found = engine.partial_dependence(table, tree, "a", curves=300)
    piece = [found.axes[0].find(float(value)) for value in theirs["grid_values"][0]]
    assert found.mean[piece, -1] == pytest.approx(theirs["average"][0])
    assert found.curves[:, piece, -1] == pytest.approx(theirs["individual"][0])


def test_a_column_that_is_not_asked_has_one_piece_and_one_without_rows_no_mean():
    table = table_of(frame_of("classes"))
    tree = engine.Tree.root(table)
    found = engine.partial_dependence(table, tree, "a")
    assert len(found.axes[0]) == 2 and found.mean[0] == pytest.approx(tree.probabilities[0])
    empty = table.divided(np.full(table.n_rows, engine.VALIDATION, np.uint8))
    assert np.isnan(engine.partial_dependence(empty, tree, "a").mean).all()


def test_a_stop_leaves_no_average():
    table = table_of(frame_of("classes"))
    progress = engine.Progress()
    progress.stop()
    assert np.isnan(engine.partial_dependence(table, engine.grow(table), "a", progress=progress).mean).all()


def test_what_cannot_be_asked_is_refused():
    table = table_of(frame_of("classes"))
    tree = engine.grow(table, max_depth=2)
    with pytest.raises(engine.InputError, match="two different columns"):
        engine.partial_dependence(table, tree, "a", "a")
    with pytest.raises(engine.InputError, match="no column"):
        engine.partial_dependence(table, tree, "z")
    cuts = tuple(float(k) for k in range(600))
    many = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", cuts))
    many = many.split(table, int(many.ids[-1]), engine.Split("b", "threshold", cuts))
    with pytest.raises(engine.InputError, match="into 362,404 pieces"):
        engine.partial_dependence(table, many, "a", "b")


def test_a_level_that_only_test_rows_have_is_not_told():
    frame = pd.DataFrame({"c": list("abab" * 50), "x": np.arange(200.0)})
    frame["y"] = np.where(frame.c == "a", "no", "yes")
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.2, test=0.2)
    frame.loc[table.rows(engine.TEST), "c"] = "secret"
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.2, test=0.2)
    assert "secret" in table.column("c").levels
    found = engine.partial_dependence(table, engine.grow(table), "c")
    assert found.axes[0].levels == ("a", "b") and found.mean.shape == (3, 2)
