"""Rows of a source train, validate and are kept for the test as those of a table in memory."""

import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.sources import coded, databases, parts
from engine.sources.counted import CountedTable
from tests.effort import examples
from tests.engine.sources.test_databases import in_sqlite, plain
from tests.engine.sources.test_growing import OPTIONS, assert_grows, frames, has_several

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it

FACTS = ("n_train", "n_validation", "n_test", "classes", "sealed_classes", "partition", "roles")

WAYS = (
    {"validation": 0.3}, {"validation": 0.25, "test": 0.2, "seed": 3}, {"test": 0.4},
    {"validation": 0.3, "test": 0.2, "key": "whole"}, {"validation": 0.3, "key": "id", "seed": 5},
    {"validation": 0.2, "test": 0.2, "key": "id"}, {"roles": {"part": "partition"}},
)  # fmt: skip
CASES = given(
    st.integers(0, 10**6), st.sampled_from([60, 300]), st.booleans(), st.sampled_from(["classes", "number"]),
    st.sampled_from(OPTIONS[:5]), st.sampled_from(WAYS),
)  # fmt: skip


def divided_frames(seed, n, lacking, task):
    """Those of `frames` with a key, which lacks values where others do, and with a column that names parts."""
    frame, random = frames(seed, n, lacking, task), np.random.default_rng(seed)
    frame["id"] = random.integers(0, max(n // 3, 2), n) + 0.5
    if lacking:
        frame["id"] = frame["id"].where(random.random(n) > 0.1)
    frame["part"] = random.choice(["train", "Valid", "2", None], n, p=(0.6, 0.2, 0.1, 0.1))
    return frame


def in_memory(frame, way):
    """The frame as a table divided in one of the ways, and its kinds; None where no row would train."""
    kinds = {"y": "number"} if frame["y"].dtype.kind == "f" else {}
    roles = {way["key"]: "group"} if "key" in way else {}
    table = engine.Table.from_frame(frame, target="y", kinds=kinds, roles=roles)
    shares = {name: share for name, share in way.items() if name in ("validation", "test", "seed")}
    try:
        return table.with_partition(**shares) if "roles" not in way else table.with_partition(column="part"), kinds
    except InputError as error:
        assert "No row is left" in str(error)
        return None, kinds


def assert_divided(source, table, options):
    """The source knows of its rows what the table does, and grows its tree."""
    for fact in FACTS:
        assert getattr(source.head, fact) == getattr(table, fact), fact
    assert source.head.origin == pytest.approx(table.origin, rel=1e-12, abs=1e-12)
    if table.task == "classes":
        assert source.head.class_weights.tolist() == table.class_weights.tolist()
    assert_grows(source, table, {**options, "max_depth": 3})


@examples(40)
@CASES
def test_memory_as_a_source_has_its_parts(seed, n, lacking, task, options, way):
    frame = divided_frames(seed, n, lacking, task)
    table, _ = in_memory(frame, way)
    if table is None or not has_several(table):
        return
    assert_divided(engine.open_source(table, target="y"), table, options)
    undivided = engine.Table.from_frame(frame, target="y", kinds={"y": "number"} if task == "number" else {})
    assert_divided(engine.open_source(undivided, target="y", **way), table, options)


@examples(25, 4)
@CASES
def test_codes_and_duckdb_have_the_parts_of_memory(seed, n, lacking, task, options, way):
    pytest.importorskip("duckdb")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded, "CHUNK", 50)
        patch.setattr(parts, "BITS", 3)
        patch.setattr("engine.sources.duck.ROWS", 64)
        path = Path(folder) / "rows.parquet"
        divided_frames(seed, n, lacking, task).to_parquet(path, row_group_size=40)
        table, kinds = in_memory(pd.read_parquet(path), way)
        if table is None or not has_several(table):
            return
        for where in ({"memory": 0}, {"memory": 10**6}):
            assert_divided(engine.open_source(path, target="y", kinds=kinds, **where, **way), table, options)
        kept = engine.open_source(path, target="y", kinds=kinds, store=Path(folder) / "codes", **way)
        assert kept.part.tolist() == table.part.tolist()


@examples(15, 5)
@CASES
def test_databases_have_the_parts_of_memory_by_key(seed, n, lacking, task, options, way):
    pytest.importorskip("ibis")
    frame = plain(divided_frames(seed, n, lacking, task))
    if way.get("key") == "id":
        frame["id"] = frame["id"].fillna(-1.0)
    table, kinds = in_memory(frame, way)
    if table is None or not has_several(table):
        return
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(databases, "MOST_CONSTANTS", 3)
        address = in_sqlite(frame, folder)
        if "key" not in way and "roles" not in way:
            with pytest.raises(InputError, match="no order by which they could be divided: name a key"):
                engine.open_source(address, target="y", kinds=kinds, **way)
            return
        assert_divided(engine.open_source(address, target="y", kinds=kinds, **way), table, options)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_a_tree_of_a_source_is_pruned_and_assessed_by_its_counts(task):
    table, _ = in_memory(divided_frames(5, 600, True, task), {"validation": 0.3, "test": 0.2})
    source = engine.open_source(table, target="y")
    head = CountedTable.of(source)
    tree = engine.grow(head, max_depth=5)
    expected = engine.grow(table, max_depth=5)
    for method in ("cost_complexity", "reduced_error", "greedy_validation"):
        ours, theirs = engine.prune(head, tree, method=method), engine.prune(table, expected, method=method)
        assert ours.chosen == theirs.chosen
        np.testing.assert_allclose(*([figures(step) for step in made.steps] for made in (ours, theirs)), rtol=1e-12)
    for part in ("train", "validation"):
        ours, theirs = engine.assess(head, tree, part=part), engine.assess(table, expected, part=part)
        assert ours.error == pytest.approx(theirs.error, rel=1e-12)
    pd.testing.assert_frame_equal(engine.leaf_report(head, tree), engine.leaf_report(table, expected))


def figures(step):
    return step.leaves, step.train_error, step.validation_error, step.alpha


def test_new_rows_move_no_others():
    frame = divided_frames(1, 300, False, "classes")
    part = {}
    for some in (frame[:100], frame[::-1], frame[frame["id"] > 20]):
        table = engine.Table.from_frame(some.reset_index(drop=True), target="y")
        source = engine.open_source(table, target="y", test=0.3, key="id")
        for value, own in zip(some["id"], source.table.part.tolist(), strict=True):
            assert part.setdefault(value, own) == own
    assert set(part.values()) == {0, 2}


def test_what_cannot_divide_is_said(tmp_path):
    pytest.importorskip("ibis")
    frame = plain(divided_frames(2, 80, True, "classes"))
    address = in_sqlite(frame, tmp_path)
    for way, words in (
        ({"validation": 0.5, "test": 0.5}, "their sum must be below 1"),
        ({"validation": 0.5, "key": "nothing"}, "no column “nothing”"),
        ({"validation": 0.5, "key": "y"}, "target"),
        ({"validation": 0.5, "key": "id"}, "Some rows have no value in “id”"),
        ({"validation": 0.5, "roles": {"part": "partition"}}, "names the part of every row"),
        ({"roles": {"whole": "partition"}}, "names no part"),
    ):
        with pytest.raises(InputError, match=words):
            engine.open_source(address, target="y", **way)
    with sqlite3.connect(tmp_path / "rows.db") as connection:
        connection.execute("update t set part = '2'")
    with pytest.raises(InputError, match="No row is left for training"):
        engine.open_source(address, target="y", roles={"part": "partition"})


def test_rows_kept_for_the_test_are_not_shown(tmp_path):
    frame = divided_frames(4, 200, False, "classes")
    frame["whole"] = np.arange(200)
    table, _ = in_memory(frame, {"validation": 0.3, "test": 0.3})
    frame.to_parquet(tmp_path / "rows.parquet")
    used = set(np.flatnonzero(table.part < 2).tolist())
    for source in (
        engine.open_source(table, target="y"),
        engine.open_source(tmp_path / "rows.parquet", target="y", validation=0.3, test=0.3, memory=0),
    ):
        assert set(source.rows((), 10**6, 0).column("whole").numbers.tolist()) == used
        counted = source.tally([()], [source.head.index("flag")], np.zeros(1), Progress())[0][0]
        assert (counted.n_train, counted.n_validation) == (table.n_train, table.n_validation)
