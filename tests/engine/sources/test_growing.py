"""Sources grow the trees of memory."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.sources import coded
from engine.sources.coded import Coded
from engine.sources.growing import grow_source
from tests.same_trees import assert_same

NAME = '"; drop table t; --'


def frames(seed, n, lacking, task):
    """A data frame of many kinds of columns, full of ties; and a target that depends on some."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "number": random.normal(size=n).round(2),
        "whole": random.integers(0, 9, n),
        "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 40, n), unit="D"),
        "flag": random.random(n) < 0.4,
        NAME: random.choice(["a", "b", "ä", "it's", ""], n),
        "odd": random.choice([-np.inf, np.inf, -0.0, 0.0, 1e300], n),
    })  # fmt: skip
    signal = frame["number"] + frame["whole"] * (frame[NAME] == "a") + random.normal(size=n)
    if lacking:
        for name in ("number", NAME, "flag"):
            frame[name] = frame[name].astype(object).where(random.random(n) > 0.2, None)
        frame["number"] = frame["number"].astype(float)
    frame["y"] = np.where(signal > 1, "yes", np.where(signal < -1, "no", "so")) if task == "classes" else signal.round(1)
    if lacking:
        frame.loc[random.random(n) < 0.1, "y"] = None if task == "classes" else np.nan
    return frame


OPTIONS = (
    {}, {"max_depth": 4, "criterion": "entropy"}, {"order": "best_first", "max_leaves": 9},
    {"order": "level", "max_leaves": 8, "min_leaf": 3}, {"max_leaves": 7}, {"preset": "c45", "missing": "direction"},
    {"missing": "branch", "min_leaf": 4}, {"nominal": "one_vs_rest", "min_rows": 20}, {"numeric": "bucket_branches"},
    {"nominal": "multiway", "min_gain": 0.01, "cp": 0.01},
)  # fmt: skip


def fitting(table, options):
    """The options, or None where they are not for this target."""
    try:
        engine.Search.make(table.task, **options)
    except InputError:
        return None
    return options


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from([8, 60, 300]), st.booleans(), st.sampled_from(["classes", "number"]),
    st.sampled_from(OPTIONS),
)  # fmt: skip
def test_memory_as_a_source_grows_the_same_tree(seed, n, lacking, task, options):
    table = engine.Table.from_frame(frames(seed, n, lacking, task), target="y", kinds={"y": "number"} if task == "number" else None)
    if len(set(table.y[table.part == 0].tolist())) < 2 or fitting(table, options) is None:
        return
    try:
        expected = engine.grow(table, **options)
        found = grow_source(Coded.of_table(table), **options)
    except InputError as error:
        assert "rows themselves" in str(error)
        return
    assert_same(found, expected)
    assert found.columns == expected.columns
