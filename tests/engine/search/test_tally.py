import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import tally as count
from engine.runtime.progress import Progress
from engine.search.tally import NodeRows
from engine.table.table import Table
from tests import naive
from tests.effort import examples

PARTS = {0: "train", 1: "validation"}


@st.composite
def tables(draw, numeric=None):
    """A table with one feature, weights, missing values and a partition, each of them sometimes."""
    n = draw(st.integers(4, 30))
    numeric = draw(st.booleans()) if numeric is None else numeric
    values = draw(st.lists(st.sampled_from([0.5, 1.5, 2.5, 7.0, np.nan]), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)) if numeric else ["abc"[i % 3] for i in range(n)]
    frame = pd.DataFrame({"x": values, "y": np.array(y, dtype=np.float64) if numeric else y})
    frame.loc[[0, 1], "y"] = [0.0, 1.0] if numeric else ["a", "b"]
    if draw(st.booleans()):
        frame["w"] = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n, max_size=n))
    share = draw(st.sampled_from([0.0, 0.3]))
    kinds = {"x": "number", "y": "number" if numeric else "nominal"}
    table = Table.from_frame(frame, "y", weights="w" if "w" in frame else None, kinds=kinds)
    return table.with_partition(validation=share, test=share / 3) if share else table


def assert_counts(found, table, rows):
    column, classes = table.columns[0], table.task == "classes"
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    expected = naive.tally(
        column.codes[rows].tolist(),
        table.y[rows].tolist(),
        table.part[rows].tolist(),
        weights[rows].tolist(),
        table.n_stats if classes else None,
    )
    seen = sorted({code for (part, code) in expected if part in PARTS and code > 0})
    assert found.codes.tolist() == seen
    for part, name in PARTS.items():
        stats, n_rows = getattr(found, name), getattr(found, f"rows_{name}")
        nothing = [0.0] * table.n_stats, 0
        for i, code in enumerate(seen):
            stat, n = expected.get((part, code), nothing)
            assert stats[i] == pytest.approx(stat, abs=1e-12)
            assert n_rows[i] == n
        stat, n = expected.get((part, 0), nothing)
        assert getattr(found, f"missing_{name}") == pytest.approx(stat, abs=1e-12)
        assert getattr(found, f"missing_rows_{name}") == n


@examples(200)
@given(tables(), st.data())
def test_a_tally_is_a_count_row_by_row(table, data):
    chosen = data.draw(st.sets(st.integers(0, table.n_rows - 1)))
    rows = np.array(sorted(chosen), dtype=np.uint32)
    assert_counts(count(table, rows, 0), table, rows)


@examples(100)
@given(tables())
def test_tallies_of_two_nodes_add_and_one_leaves_the_other(table):
    rows = np.arange(table.n_rows, dtype=np.uint32)
    both = count(table, rows[::2], 0) + count(table, rows[1::2], 0)
    assert_counts(both, table, rows)
    whole = count(table, rows, 0)
    assert (both.n_train, both.n_validation) == (whole.n_train, whole.n_validation)
    assert_counts(whole - count(table, rows[::2], 0), table, rows[1::2])


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.4])
@pytest.mark.parametrize("size", [1.0, 0.3])
def test_table_and_both_sorted_ways_agree_bit_by_bit(monkeypatch, numeric, share, size):
    """The same node counted by a table over codes, along the column's order, and after sorting its own rows."""
    rng = np.random.default_rng(0)
    n = 3000
    x = rng.integers(0, 200, n).astype(float)
    x[rng.random(n) < 0.05] = np.nan
    y = rng.normal(size=n) if numeric else rng.choice(["a", "b", "c"], n)
    table = Table.from_frame(pd.DataFrame({"x": x, "y": y, "w": rng.random(n) + 0.1}), "y", weights="w")
    table = table.with_partition(validation=share) if share else table
    inside = NodeRows.of(table, np.flatnonzero(rng.random(n) < size).astype(np.uint32))
    room = sys.modules["engine.search.tally"]
    ways = []
    for in_cache, worth_scanning in ((1 << 16, 16), (0, 10**9), (0, 0)):
        monkeypatch.setattr(room, "IN_CACHE", in_cache)
        monkeypatch.setattr(room, "WORTH_CLEARING", worth_scanning)
        ways.append(inside.count(0))
    for other in ways[1:]:
        for name in vars(ways[0]):
            np.testing.assert_array_equal(getattr(other, name), getattr(ways[0], name))
    assert ways[0].codes.size > 190


def test_unweighted_classes_are_counted_in_whole_numbers():
    frame = pd.DataFrame({"x": [1.0, 1.0, np.nan, 2.0], "y": list("abab"), "w": [1.0, 2.0, 1.0, 0.0]})
    rows = np.arange(4, dtype=np.uint32)
    plain = count(Table.from_frame(frame, "y"), rows, 0)
    assert plain.train.dtype == plain.missing_train.dtype == np.int64
    assert plain.train.tolist() == [[1, 1], [0, 1]]
    weighted = count(Table.from_frame(frame, "y", weights="w"), rows, 0)
    assert weighted.train.tolist() == [[1.0, 2.0]]
    assert weighted.rows_train.tolist() == [2]


def test_an_empty_node_has_no_values():
    table = Table.from_frame(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "y")
    empty = count(table, np.empty(0, dtype=np.uint32), 0)
    assert empty.codes.size == empty.n_train == empty.n_validation == 0


def test_progress_hears_of_the_end():
    heard = []
    table = Table.from_frame(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "y")
    count(table, np.arange(2, dtype=np.uint32), 0, Progress(lambda fraction, text: heard.append(fraction)))
    assert heard == [1.0]
