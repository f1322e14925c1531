"""Training against validation, node by node: as slow twins and textbook tests have it."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.assessment.disagreement import LEVEL, adjust_by_holm, compare_parts, mid_p
from engine.assessment.effective_rows import count_effective_rows
from tests.effort import examples


def grown(seed: int, task: str, weights: dict[str, str] | None = None) -> tuple[engine.Table, engine.Tree]:
    rng = np.random.default_rng(seed)
    n = 160
    x = rng.normal(size=n)
    signal = x + rng.normal(0, 1.5, n)
    y = signal if task == "number" else np.array(list("pqr"))[np.digitize(signal, [-0.5, 0.8])]
    y = np.where(signal > 0, "yes", "no") if task == "two" else y
    frame = pd.DataFrame({"x": x, "z": rng.normal(size=n), "w": rng.integers(1, 4, n), "y": y})
    table = engine.Table.from_frame(frame, target="y", **(weights or {}))
    table = table.with_partition(validation=0.4, seed=seed)
    return table, engine.grow(table, max_leaves=8)


def naive_mid_p(hits: tuple[int, int], rows: tuple[int, int]) -> float:
    """From every fourfold table with these margins (Lancaster 1961)."""
    n, m, drawn = sum(rows), sum(hits), rows[1]
    chances = {
        x: Fraction(math.comb(m, x) * math.comb(n - m, drawn - x), math.comb(n, drawn))
        for x in range(max(0, drawn + m - n), min(drawn, m) + 1)
    }
    own = chances[hits[1]] / 2
    tails = (sum((p for x, p in chances.items() if sign * x > sign * hits[1]), own) for sign in (1, -1))
    return float(min(1, 2 * min(tails)))


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_mid_p_is_that_of_all_fourfold_tables(a, b, data):
    hits = data.draw(st.integers(0, a)), data.draw(st.integers(0, b))
    found = mid_p(np.array([hits], float), np.array([[a, b]], float))[0]
    assert found == pytest.approx(naive_mid_p(hits, (a, b)), rel=1e-9)


def test_far_tails_and_many_rows_are_exact():
    hits, rows = np.array([[520_000.0, 205_000.0], [900.0, 10.0]]), np.array([[1e6, 4e5], [1000.0, 1000.0]])
    found = mid_p(hits, rows)
    law = stats.hypergeom(rows.sum(axis=1), hits.sum(axis=1), rows[:, 1])
    wanted = 2 * (law.cdf(hits[:, 1]) - law.pmf(hits[:, 1]) / 2)
    assert found[0] == pytest.approx(min(wanted[0], 2 - wanted[0]), rel=1e-6)
    assert 0 <= found[1] < 1e-250


def naive(tree: engine.Tree, i: int) -> float:
    """The p-value at one node."""
    a, b = int(tree.rows_train[i]), int(tree.rows_validation[i])
    if a == 0 or b == 0:
        return math.nan
    if tree.task == "classes":
        present = [k for k in range(len(tree.classes)) if tree.train[i, k] + tree.validation[i, k] > 0]
        found = [naive_mid_p((int(tree.train[i, k]), int(tree.validation[i, k])), (a, b)) for k in present]
        return 1.0 if len(present) < 2 else min(1.0, min(found) * (1 if len(present) == 2 else len(present)))
    means, spreads = [], []
    for (weight, first, squares), rows in ((tree.train[i], a), (tree.validation[i], b)):
        means.append(first / weight)
        spreads.append(math.sqrt(squares / weight * rows / (rows - 1)) if rows > 1 else 0.0)
    if a + b <= 2:
        return 1.0
    return float(stats.ttest_ind_from_stats(means[0], spreads[0], a, means[1], spreads[1], b)[1])


@pytest.mark.parametrize("task", ["two", "three", "number"])
@given(seed=st.integers(0, 10_000))
@examples(15)
def test_it_is_the_textbook_test_at_every_node(task: str, seed: int) -> None:
    table, tree = grown(seed, task)
    found = compare_parts(tree, count_effective_rows(table, tree)).p
    for i in range(tree.n_nodes):
        wanted = naive(tree, i)
        if task == "number" and math.isnan(wanted):  # scipy has no answer where nothing varies
            continue
        assert found[i] == pytest.approx(wanted, rel=1e-6, abs=1e-12, nan_ok=True)


@given(st.lists(st.one_of(st.just(math.nan), st.floats(0, 1)), min_size=1, max_size=12))
def test_holm_is_the_step_down_procedure(p):
    """At any level it rejects what Holm (1979) rejects, the least p-value first, while p ≤ level ÷ those left."""
    found = adjust_by_holm(np.array(p))
    some = sorted(value for value in p if not math.isnan(value))
    assert [math.isnan(one) for one in p] == np.isnan(found).tolist()
    for level in (0.003, 0.01, 0.05, 0.3):
        rejected = 0
        while rejected < len(some) and some[rejected] * (len(some) - rejected) <= level:
            rejected += 1
        assert int((found <= level).sum()) == rejected


@pytest.mark.parametrize("role", ["none", "weights", "frequencies"])
def test_effective_rows_are_kishs_of_every_node(role):
    table, tree = grown(3, "two", None if role == "none" else {role: "w"})
    at, found = engine.assign(table, tree), count_effective_rows(table, tree)
    assert np.allclose(count_effective_rows(table, tree, at), found)
    for i in range(tree.n_nodes):
        for k, part in enumerate((engine.TRAIN, engine.VALIDATION)):
            rows = at.rows[at.start[i] : at.stop[i]]
            rows = rows[table.part[rows] == part]
            w = np.ones(rows.size) if role == "none" else table.weights[rows]
            wanted = w.sum() if role != "weights" else w.sum() ** 2 / max((w * w).sum(), 1e-300)
            assert found[i, k] == pytest.approx(wanted)


def test_without_validation_rows_nothing_is_tested() -> None:
    table, _ = grown(1, "two")
    table = table.with_partition(validation=0)
    tree = engine.Tree.root(table)
    found = compare_parts(tree, count_effective_rows(table, tree))
    assert np.isnan(found.p).all() and np.isnan(found.adjusted).all()


def test_rows_that_agree_and_rows_that_do_not() -> None:
    """Of three classes, the one that is as frequent in both parts is not the one that is named."""
    frame = pd.DataFrame({"y": ["a", "b", "c"] * 100 + ["a"] * 100 + ["b"] * 140 + ["c"] * 60})
    part = ["train"] * 300 + ["validation"] * 300
    table = engine.Table.from_frame(frame.assign(part=part, x=range(600)), target="y").with_partition(column="part")
    tree = engine.Tree.root(table)
    found = compare_parts(tree, count_effective_rows(table, tree))
    assert found.p[0] < LEVEL and found.adjusted[0] == found.p[0] and found.label[0] in (1, 2)
