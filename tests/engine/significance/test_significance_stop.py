"""significance=α: growing stops where the best split is what chance would give, adjusted for the whole search."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine

TABLES = 100
ALPHA = 0.05


def noise(seed, kind, n=120):
    """Columns that know nothing of the target."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.integers(0, 5, n), "c": random.random(n) < 0.5})
    if kind == "levels":
        frame["shop"] = random.choice([f"shop {i}" for i in range(40)], n)
    if kind == "numbers":
        frame["y"] = random.normal(size=n)
    else:
        frame["y"] = random.choice(["u", "v", "w"] if kind == "classes" else ["u", "v"], n)
    return engine.Table.from_frame(frame, target="y")


@pytest.mark.parametrize("kind", ["classes", "levels", "numbers"])
def test_on_pure_noise_at_least_95_of_100_trees_stay_a_leaf(kind):
    grown = [engine.grow(noise(seed, kind), significance=ALPHA).n_leaves > 1 for seed in range(TABLES)]
    standard_error = math.sqrt(ALPHA * (1 - ALPHA) / TABLES)
    assert np.mean(grown) <= ALPHA + 3 * standard_error
    assert engine.grow(noise(0, kind)).n_leaves > 10  # without the test noise is learned by heart


def test_a_lax_level_lets_noise_through():
    assert sum(engine.grow(noise(seed, "classes"), significance=1.0).n_leaves > 1 for seed in range(20)) > 3


@pytest.mark.parametrize("options", [{}, {"nominal": "multiway"}, {"missing": "branch"}, {"m_of_n": True}])
def test_a_real_effect_is_found_and_nothing_below_it(options):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.random(300), "z": random.random(300), "c": random.choice(list("pqr"), 300)})
    frame["y"] = np.where((frame.x > 0.4) ^ (random.random(300) < 0.1), "yes", "no")
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, significance=0.01, **options)
    assert tree.n_leaves == 2
    assert tree.split_at(0).column == "x"
    hidden = engine.candidates(table, engine.Tree.root(table), significance=1e-9, **options)
    shown = engine.candidates(table, engine.Tree.root(table), **options)
    assert [c.column for c in hidden] == [c.column for c in shown]  # a person sees all of them
    assert all(c.reason == "" for c in hidden)


def test_the_best_split_that_passes_is_taken():
    """A column of many levels gains more by chance than one that tells the truth."""
    random = np.random.default_rng(4)
    n = 200
    frame = pd.DataFrame({"name": random.choice([f"n{i}" for i in range(150)], n), "tells": random.random(n) < 0.5})
    frame["y"] = np.where(frame.tells ^ (random.random(n) < 0.25), "yes", "no")
    table = engine.Table.from_frame(frame, target="y")
    assert engine.grow(table, max_depth=1).split_at(0).column == "name"
    assert engine.grow(table, max_depth=1, significance=ALPHA).split_at(0).column == "tells"


def test_the_p_value_of_one_binary_column_is_that_of_the_textbook():
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"x": random.random(200) < 0.4})
    frame["y"] = np.where(frame.x ^ (random.random(200) < 0.4), "yes", "no")
    table = engine.Table.from_frame(frame, target="y")
    candidate = engine.candidates(table, engine.Tree.root(table))[0]
    p = stats.chi2_contingency(np.array(candidate.train), correction=False).pvalue
    assert candidate.logworth == pytest.approx(-math.log10(p))
    assert engine.grow(table, significance=p * 1.001).n_leaves == 2
    assert engine.grow(table, significance=p * 0.999).n_leaves == 1

    frame["y"] = frame.x * 0.5 + random.normal(size=200)
    table = engine.Table.from_frame(frame, target="y")
    candidate = engine.candidates(table, engine.Tree.root(table))[0]
    p = stats.f_oneway(frame.y[frame.x], frame.y[~frame.x]).pvalue
    assert candidate.logworth == pytest.approx(-math.log10(p))
    assert engine.grow(table, significance=p * 1.001).n_leaves == 2
    assert engine.grow(table, significance=p * 0.999).n_leaves == 1


def test_the_number_of_columns_counts():
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"x": random.random(200) < 0.4})
    frame["y"] = np.where(frame.x ^ (random.random(200) < 0.25), "yes", "no")
    for i in range(9):
        frame[f"z{i}"] = random.random(200) < 0.5
    table = engine.Table.from_frame(frame, target="y")
    best = engine.candidates(table, engine.Tree.root(table))[0]
    assert best.column == "x"
    p = 10.0**-best.logworth
    assert engine.grow(table, significance=10 * p * 1.001, max_depth=1).n_leaves == 2
    assert engine.grow(table, significance=10 * p * 0.999, max_depth=1).n_leaves == 1


def test_no_p_value_is_zero():
    table = engine.read_example("penguins")
    assert engine.grow(table, significance=0.0).n_leaves == 1
