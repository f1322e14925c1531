"""A second level below a split, beside the slow twin: the split is made, and its branches are searched."""

import math

import numpy as np
import pandas as pd
import pytest

import engine


def table(task, weights=False):
    random = np.random.default_rng(5)
    n = 240
    frame = pd.DataFrame(
        {
            "a": random.integers(0, 12, n).astype(float),
            "b": random.random(n).round(2),
            "c": random.choice(["u", "v", "w", None], n),
            "w": random.integers(1, 4, n),
        }
    )
    score = frame["a"] * (frame["b"] - 0.5) + random.normal(0, 1, n)
    frame["y"] = score if task == "number" else np.where(score > 0, "yes", np.where(score > -2, "no", "never"))
    frame.loc[::9, "a"] = np.nan
    made = engine.Table.from_frame(
        frame, target="y", weights="w" if weights else None, roles=None if weights else {"w": "ignore"}
    )
    return made.with_partition(validation=0.25)


def twin(rows, tree, candidate, **options):
    after = tree.split(rows, 0, candidate.split)
    weights = np.array([after.weight("train")[k] for k in after.children(0)])
    total = candidate.gain
    for k, weight in zip(after.children(0), weights, strict=True):
        found = engine.candidates(rows, after, int(after.ids[k]), **options)
        best = found[0].gain if found and found[0].split is not None else 0.0
        total += weight / weights.sum() * best
    return total


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("classes", {}),
        ("classes", {"criterion": "entropy", "min_leaf": 5}),
        ("classes", {"criterion": "gain_ratio", "nominal": "multiway"}),
        ("number", {}),
        ("number", {"criterion": "absolute_error"}),
        ("number", {"criterion": "binned_gini", "missing": "branch"}),
    ],
)
def test_the_second_level_is_what_the_branches_gain(task, options, weights):
    rows = table(task, weights)
    tree = engine.Tree.root(rows)
    for candidate in engine.candidates(rows, tree, **options):
        if candidate.split is not None:
            found = engine.second_level(rows, tree, 0, candidate, **options)
            assert found == pytest.approx(twin(rows, tree, candidate, **options), rel=1e-9)


def test_exclusive_or_needs_the_second_level(xor_table):
    tree = engine.Tree.root(xor_table)
    best = engine.candidates(xor_table, tree)[0]
    assert best.gain == 0
    assert engine.second_level(xor_table, tree, 0, best) == pytest.approx(0.5)


@pytest.fixture
def xor_table():
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "z": [0, 1, 0, 1], "y": ["no", "yes", "yes", "no"]})
    return engine.Table.from_frame(frame, target="y")


def test_stopped_it_says_nothing(xor_table):
    tree, progress = engine.Tree.root(xor_table), engine.Progress()
    best = engine.candidates(xor_table, tree)[0]
    progress.stop()
    assert math.isnan(engine.second_level(xor_table, tree, 0, best, progress=progress))


@pytest.mark.parametrize("options", [{}, {"criterion": "entropy"}, {"m_of_n": True}, {"lookahead": 2}])
def test_candidates_are_told_as_they_are_found(options):
    rows = table("classes")
    tree, told = engine.Tree.root(rows), []
    shown = engine.candidates(rows, tree, found=told.append, **options)
    assert all(any(one is other for other in shown) for one in told)
    assert [one.column for one in shown] == [one.column for one in engine.candidates(rows, tree, **options)]
    expected = 0 if "lookahead" in options else len(rows.features)
    assert len(told) == expected
