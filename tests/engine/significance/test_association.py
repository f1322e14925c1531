"""The test of independence: R's partykit, the definition with whole matrices, and permutations say the same."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.search.tally import NodeRows
from engine.significance.association import association
from tests import ctree, naive_association
from tests.effort import examples

SAID = json.loads(ctree.FOUND.read_text())


def table_of(frame: pd.DataFrame) -> engine.Table:
    return engine.Table.from_frame(frame, target="y", frequencies="w" if "w" in frame else None)


def of_column(table: engine.Table, name: str):
    return association(NodeRows.root(table).centred(), table.index(name))


@pytest.mark.parametrize("i", range(ctree.TABLES))
def test_partykit_says_the_same_of_every_column_and_splits_the_same_one(i):
    table, said = table_of(ctree.table(i)), SAID[i]
    for name, statistic, p in zip(said["names"], said["statistic"], said["p"], strict=True):
        found = of_column(table, name)
        assert found.statistic == pytest.approx(statistic, rel=1e-6)
        assert math.exp(found.log_p) == pytest.approx(p, rel=1e-5, abs=1e-14)
    tree = engine.grow(table, preset="ctree", max_depth=1)
    split = tree.split_at(0)
    assert (split.column if split is not None else "") == said["column"]


@examples(60)
@given(
    seed=st.integers(0, 10**6), n=st.integers(5, 60), kind=st.sampled_from(["number", "level", "ordered"]),
    classes=st.integers(1, 3), weighted=st.booleans(), lacking=st.sampled_from([0.0, 0.3]),
)  # fmt: skip
def test_it_is_the_quadratic_form_of_the_linear_statistic(seed, n, kind, classes, weighted, lacking):
    """`classes` = 1 makes a numeric target."""
    random = np.random.default_rng(seed)
    x = random.integers(0, 4, n)
    y = random.normal(size=n) if classes == 1 else random.integers(0, classes, n)
    levels = [list("dacb")[k] for k in x]
    made = x + 0.5 if kind == "number" else pd.Categorical(levels, list("abcd"), ordered=kind == "ordered")
    frame = pd.DataFrame({"x": made, "other": random.normal(size=n), "y": y if classes == 1 else [f"c{k}" for k in y]})
    gone = random.random(n) < lacking
    frame.loc[gone, "x"] = np.nan
    w = random.integers(1, 4, n) if weighted else np.ones(n, int)
    frame["w"] = w
    if frame.y.nunique() < 2:
        return
    found = of_column(engine.Table.from_frame(frame, target="y", frequencies="w"), "x")
    here = ~gone
    if here.sum() < 2:
        assert found.log_p == 0.0
        return
    ranks = np.array([list("abcd").index(level) for level in levels])
    g = naive_association.indicators(ranks[here])
    if kind != "level":
        g = (x + 0.5 if kind == "number" else ranks)[here, None].astype(float)
    h = y[here, None].astype(float) if classes == 1 else naive_association.indicators(y[here])
    statistic, freedom = naive_association.quadratic(g, h, w[here].astype(float))
    if freedom:
        assert found.statistic == pytest.approx(statistic, rel=1e-6, abs=1e-9)
        assert found.freedom == (freedom,)
    else:
        assert found.log_p == 0.0


def test_permutations_say_the_same_of_sampling_weights():
    """Weights that say nothing: the test keeps its level, by rows that are worth Kish's number."""
    random, hits = np.random.default_rng(1), 0
    for _ in range(400):
        frame = pd.DataFrame({"x": random.normal(size=60), "y": random.normal(size=60), "v": random.lognormal(size=60)})
        hits += math.exp(of_column(engine.Table.from_frame(frame, target="y", weights="v"), "x").log_p) <= 0.05
    assert 6 <= hits <= 36  # 20 expected; 1 in 1,000 is outside


def test_infinite_numbers_count_by_their_rank():
    frame = pd.DataFrame({"x": [-np.inf, 1.0, 2.0, np.inf] * 10, "y": [0.0, 1.0, 2.0, 3.0] * 10})
    assert of_column(table_of(frame), "x").statistic == pytest.approx(39.0)


@pytest.mark.parametrize("size", [1e-170, 1.0, 1e150])
def test_the_size_of_numbers_does_not_matter(size):
    random = np.random.default_rng(4)
    x, y = random.normal(size=50), random.normal(size=50)
    frame = pd.DataFrame({"x": x * size, "y": (x + y) * min(size, 1e130)})
    usual = of_column(table_of(pd.DataFrame({"x": x, "y": x + y})), "x")
    assert of_column(table_of(frame), "x").statistic == pytest.approx(usual.statistic, rel=1e-9)


@pytest.mark.parametrize("target", ["classes", "number"])
def test_a_split_by_hand_has_the_p_value_of_its_column(target):
    """Another cut of the column has the same one: the test comes before any cut."""
    table = table_of(ctree.table(5 if target == "classes" else 3))
    root, criterion = engine.Tree.root(table), "association" if target == "classes" else "number_association"
    for found in engine.candidates(table, root, criterion=criterion):
        by_hand = engine.weigh(table, root, 0, found.split, criterion=criterion)
        assert by_hand.logworth == found.logworth == of_column(table, found.column).logworth
        if found.split.thresholds:
            other = engine.Split(found.column, "threshold", (found.split.thresholds[0] + 0.3,))
            assert engine.weigh(table, root, 0, other, criterion=criterion).logworth == found.logworth
