"""Columns of very many values are counted in bins, then where the best cut may be; the trees are those of memory."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.criteria import CRITERIA
from engine.sources import growing
from engine.sources.coded import Coded
from engine.sources.counted import CountedTable
from engine.sources.grid import NO_GRIDS, Grid
from tests.effort import examples
from tests.engine.sources.test_databases import in_sqlite
from tests.engine.sources.test_growing import fitting
from tests.same_trees import assert_same

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it

BY_CLASS = [name for name, one in CRITERIA.items() if one.task == "classes" and one.is_counted and not one.by_evidence]
OPTIONS = (
    {}, {"min_leaf": 7}, {"missing": "branch"}, {"max_leaves": 6}, {"order": "best_first", "max_leaves": 5},
    {"min_gain": 0.02, "min_leaf": 3}, {"nominal": "multiway"},
    {"preset": "c4.5", "missing": "direction", "thresholds": "midpoint"},
)  # fmt: skip
CASES = given(
    st.integers(0, 10**6), st.sampled_from([30, 200]), st.sampled_from(["two", "three", "number"]), st.booleans(),
    st.sampled_from(OPTIONS), st.data(),
)  # fmt: skip


def rows(seed, n, task, lacking):
    """Columns of nearly as many numbers as rows, of some that lie in lumps, and of few; the target hangs on some."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "noise": random.normal(size=n), "lumps": np.round(random.normal(size=n), 1) + random.integers(0, 2, n) / 50,
        "signal": random.normal(size=n), "same": random.permutation(n) // 2, "few": random.integers(0, 4, n),
        "level": random.choice(list("abc"), n),
    })  # fmt: skip
    told = frame["signal"] + (frame["lumps"] > 0) + random.normal(size=n) * random.choice([0.1, 1.0])
    if lacking:
        frame.loc[random.random(n) < 0.2, "signal"] = np.nan
        frame.loc[random.random(n) < 0.1, "noise"] = np.nan
    if task == "number":
        frame["y"] = told.round(1) + random.choice([0.0, 1e6])
    else:
        frame["y"] = np.array(list("pqr"))[np.digitize(told, [0.5] if task == "two" else [0.0, 1.0])]
    return frame


def tiny(patch, bins, counts):
    """Grids of few bins, and little room for counts, so that every column of more than these many values is zoomed."""
    patch.setattr(growing, "MOST_CODES", bins)
    patch.setattr(growing, "LEAST_BINS", bins)
    patch.setattr(growing, "IN_CACHE", 1)
    patch.setattr(growing, "MOST_COUNTS", counts)
    patch.setattr(growing, "SCANS", 0)


@examples(60)
@CASES
def test_zooming_finds_the_cut_of_memory(seed, n, task, lacking, options, data):
    frame = rows(seed, n, task, lacking)
    kinds = {"y": "number"} if task == "number" else {}
    table = engine.Table.from_frame(frame, target="y", kinds=kinds).with_partition(
        data.draw(st.sampled_from([0.0, 0.4]))
    )
    if task != "number":
        options = {"criterion": data.draw(st.sampled_from(BY_CLASS)), **options}
    if fitting(table, options) is None or len(np.unique(table.y[table.part == 0])) < 2:
        return
    with pytest.MonkeyPatch.context() as patch:
        tiny(patch, data.draw(st.sampled_from([2, 4, 8])), data.draw(st.sampled_from([1, 300])))
        found = engine.grow_source(Coded(table), max_depth=4, **options)
    assert_same(found, engine.grow(table, max_depth=4, **options))


@given(st.integers(1, 60), st.integers(1, 9), st.lists(st.sets(st.integers(1, 9)), min_size=1, max_size=3))
def test_cells_hold_neighbouring_codes(n_values, most, wanted):
    whole = Grid.of_bins(n_values, most)
    codes = np.arange(n_values + 1, dtype=np.uint32)
    bins = whole.cells(np.zeros(codes.size, np.int64), codes)
    assert bins.max() < whole.width <= most + 1 and (np.diff(bins) >= 0).all() and (bins == 0).sum() == 1
    opened = [np.array(sorted(b for b in some if b < whole.width), np.int64) for some in wanted]
    finer = whole.opened(opened, n_values)
    for path, some in enumerate(opened):
        cells, ends = finer.cells(np.full(codes.size, path), codes), finer.ends(path, n_values)
        assert cells.max() < finer.width and set(np.diff(cells)) <= {0, 1}
        assert (cells[1:] == cells[:-1]).tolist() == [
            bool(a and not {a, b} & set(some.tolist()))
            for a, b in zip(bins[:-1].tolist(), bins[1:].tolist(), strict=True)
        ]
        last = np.flatnonzero(np.append(np.diff(cells), 1))
        np.testing.assert_array_equal(ends[cells[last]], last)


@pytest.mark.parametrize("task", ["two", "number"])
def test_every_source_counts_on_grids(task, monkeypatch, tmp_path):
    pytest.importorskip("duckdb")
    frame, kinds = rows(7, 400, task, True), {"y": "number"} if task == "number" else {}
    frame.to_parquet(tmp_path / "rows.parquet")
    table = engine.Table.from_frame(frame, target="y", kinds=kinds, roles={"few": "group"}).with_partition(0.3)
    how = {"target": "y", "kinds": kinds, "validation": 0.3, "key": "few"}
    asked, count = [], growing.ByCounts._count
    monkeypatch.setattr(growing.ByCounts, "_count", lambda *given: asked.append(len(given) > 3) or count(*given))
    tiny(monkeypatch, 8, 500)
    for source in (
        Coded(table), engine.open_source(tmp_path / "rows.parquet", memory=0, **how),
        engine.open_source(in_sqlite(frame, tmp_path), **how),
    ):  # fmt: skip
        assert_same(engine.grow(CountedTable.of(source), max_depth=4), engine.grow(table, max_depth=4))
        assert any(asked)
        asked.clear()


def test_few_values_are_counted_a_second_time(monkeypatch):
    table = engine.Table.from_frame(rows(3, 3000, "two", False)[["signal", "same", "y"]], target="y")
    tiny(monkeypatch, 64, 1)
    widths, count = [], growing.ByCounts._count

    def noting(self, nodes, columns, grids=NO_GRIDS):
        widths.extend(grids[place].width for place in columns)
        return count(self, nodes, columns, grids)

    monkeypatch.setattr(growing.ByCounts, "_count", noting)
    tree = engine.grow_source(Coded(table), max_depth=1)
    assert_same(tree, engine.grow(table, max_depth=1))
    assert len(widths) == 3 and max(widths) < 1000  # two grids, and of one column some bins of 64 codes
