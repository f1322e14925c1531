"""Training against validation, node by node: as slow twins and textbook tests have it."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.assessment import disagreement
from tests.effort import examples


def grown(seed: int, task: str, weighted: bool = False) -> tuple[engine.Table, engine.Tree]:
    rng = np.random.default_rng(seed)
    n = 160
    x = rng.normal(size=n)
    y = np.where(x + rng.normal(0, 1.5, n) > 0, "yes", "no") if task == "classes" else x + rng.normal(0, 2, n)
    frame = pd.DataFrame({"x": x, "z": rng.normal(size=n), "w": rng.integers(1, 4, n), "y": y})
    table = engine.Table.from_frame(frame, target="y", weights="w" if weighted else None)
    table = table.with_partition(validation=0.4, seed=seed)
    return table, engine.grow(table, max_leaves=8)


def naive(tree: engine.Tree, i: int) -> float:
    """The p-value at one node, by scipy's tests on counts."""
    a, b = float(tree.rows_train[i]), float(tree.rows_validation[i])
    if a == 0 or b == 0:
        return math.nan
    if tree.task == "classes":
        label = int(tree.labels[i])
        table = []
        for counts, rows in ((tree.train[i], a), (tree.validation[i], b)):
            share = counts[label] / counts.sum()
            table.append([rows * share, rows * (1 - share)])
        if min(np.sum(table, axis=0)) <= 0:
            return 1.0
        return float(stats.chi2_contingency(table, correction=True)[1])
    means, spreads = [], []
    for (weight, first, squares), rows in ((tree.train[i], a), (tree.validation[i], b)):
        means.append(first / weight)
        spreads.append(math.sqrt(squares / weight * rows / (rows - 1)) if rows > 1 else 0.0)
    if a + b <= 2:
        return 1.0
    return float(stats.ttest_ind_from_stats(means[0], spreads[0], a, means[1], spreads[1], b)[1])


@pytest.mark.parametrize("task", ["classes", "number"])
@given(seed=st.integers(0, 10_000))
@examples(15)
def test_it_is_the_textbook_test_at_every_node(task: str, seed: int) -> None:
    _, tree = grown(seed, task)
    found = disagreement(tree)
    for i in range(tree.n_nodes):
        wanted = naive(tree, i)
        if task == "number" and math.isnan(wanted):  # scipy has no answer where nothing varies
            continue
        assert found[i] == pytest.approx(wanted, rel=1e-6, abs=1e-12, nan_ok=True)


def test_without_validation_rows_nothing_is_tested() -> None:
    table, _ = grown(1, "classes")
    tree = engine.Tree.root(table.with_partition(validation=0))
    assert np.isnan(disagreement(tree)).all()


def test_rows_that_agree_and_rows_that_do_not() -> None:
    frame = pd.DataFrame({"y": ["a", "b"] * 50 + ["a"] * 100 + ["b"] * 100})
    part = ["train"] * 100 + ["validation"] * 100 + ["train"] * 100
    table = engine.Table.from_frame(frame.assign(part=part, x=range(300)), target="y")
    table = table.with_partition(column="part")
    assert disagreement(engine.Tree.root(table))[0] < 1e-6
