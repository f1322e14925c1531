"""Every way to split a column, with every way that missing rows can go: the best of all of them, by brute force."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.criteria import criteria_for
from tests import naive_splits, naive_tree
from tests.effort import examples

TASKS = {"classes": [one.name for one in criteria_for("classes")], "number": ["squared_error", "absolute_error"]}
ISSUE = pd.DataFrame({"c": [*"aaabbbccc", None, None, None], "y": list("111000000111")})


@st.composite
def frames(draw, task):
    """x numbers, c levels, both with missing values; y; whole weights, so that the twin is exact."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(4, 16))
    frame = pd.DataFrame({"x": random.integers(0, 5, n).astype(float), "c": random.choice(list("abcde"), n)})
    for column in ("x", "c"):
        frame.loc[random.random(n) < draw(st.sampled_from([0.0, 0.3])), column] = None
    y = random.integers(0, draw(st.integers(2, 3)), n)
    y[:2] = 0, 1
    frame["y"] = y.astype(float) if task == "number" else [f"k{k}" for k in y]
    frame["w"] = random.integers(1, 4, n) if draw(st.booleans()) else 1
    return frame


def table_of(frame, task):
    kinds = {"x": "number", "c": "nominal", "y": "number" if task == "number" else "nominal"}
    return engine.Table.from_frame(frame, target="y", weights="w", kinds=kinds)


def best_by_brute_force(table, name, kind, criterion, missing, min_leaf):
    """The largest gain of all splits of a column; None if there is none."""
    codes, rows = table.column(name).codes.tolist(), list(range(table.n_rows))
    values = [code or None for code in codes]
    n_classes = len(table.classes) or None
    target = list(zip(table.y.tolist(), table.weights.tolist(), strict=True))
    whole, gains = sum(Fraction(w) for _, w in target), []
    for branches, silent in naive_splits.every_split(kind, values, rows, missing, min_leaf):
        said = branches[:-1] if silent else branches
        heard = sum(Fraction(target[r][1]) for branch in said for r in branch)
        gain = naive_tree.merit(criterion, [[target[r] for r in branch] for branch in said], n_classes)[0]
        gains.append(float(gain * heard / whole))
    return max(gains, default=None)


@examples(150)
@pytest.mark.parametrize("task", list(TASKS))
@given(data=st.data(), min_leaf=st.integers(1, 3))
def test_no_split_of_its_kind_is_better(task, data, min_leaf):
    table, criterion = table_of(data.draw(frames(task)), task), data.draw(st.sampled_from(TASKS[task]))
    nominal = data.draw(st.sampled_from(["groups", "one_vs_rest", "multiway"]))
    missing = data.draw(st.sampled_from(["direction", "branch", "surrogate"]))
    options = {"criterion": criterion, "nominal": nominal, "missing": missing, "min_leaf": min_leaf}
    root = engine.Tree.root(table)
    for found in engine.candidates(table, root, **options):
        kind = "cuts" if found.column == "x" else nominal
        best = best_by_brute_force(table, found.column, kind, criterion, missing, min_leaf)
        assert (found.split is None) == (best is None)
        if best is not None:
            assert found.gain == pytest.approx(best, abs=1e-9)
            assert engine.weigh(table, root, 0, found.split, **options).gain == pytest.approx(best, abs=1e-9)


@examples(80)
@pytest.mark.parametrize("task", list(TASKS))
@given(data=st.data(), min_leaf=st.integers(1, 3), missing=st.sampled_from(["direction", "branch"]))
def test_growing_takes_what_is_found(task, data, min_leaf, missing):
    """By the kernels that grow subtrees, and node by node."""
    table, criterion = table_of(data.draw(frames(task)), task), data.draw(st.sampled_from(TASKS[task]))
    options = {"criterion": criterion, "nominal": "one_vs_rest", "missing": missing, "min_leaf": min_leaf}
    found = engine.candidates(table, engine.Tree.root(table), **options, alternatives=2)[0]
    grown = (
        engine.grow(table, **options, max_depth=1),
        engine.grow(table, **options, order="best_first", max_depth=1, max_leaves=9),
    )
    for tree in grown:
        assert tree.split_at(0) == (found.split if table.n_rows >= 2 * min_leaf else None)


def test_a_level_and_the_missing_rows_together():
    table = engine.Table.from_frame(ISSUE, target="y", kinds={"y": "nominal"})
    root = engine.Tree.root(table)
    (found,) = engine.candidates(table, root, nominal="one_vs_rest")
    assert found.gain == 0.5
    assert found.split == engine.Split("c", "groups", groups=(("a",), ("b", "c")), missing=0, unseen=1)
    assert found.evidence.log_tries == pytest.approx(np.log(7))  # three levels, twice, and the missing rows
    assert engine.grow(table, nominal="one_vs_rest").split_at(0) == found.split
    (ahead,) = engine.candidates(table, root, nominal="one_vs_rest", lookahead=2)
    assert (ahead.gain, ahead.split) == (0.5, found.split)
