"""Databases that Ibis knows grow the trees of memory; what goes wrong is a sentence, and nobody reads a password."""

import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

import engine
from tests.engine.sources.test_growing import CASES, assert_grows, frames, has_several, in_memory

ibis = pytest.importorskip("ibis")

pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),  # Ibis asks pandas for it
    pytest.mark.filterwarnings("ignore:unclosed database"),  # a source keeps its connection as long as it is there
]


def in_sqlite(frame, folder):
    """The address of the rows in a new file of SQLite."""
    path = Path(folder) / "rows.db"
    with sqlite3.connect(path) as connection:
        frame.to_sql("t", connection, index=False)
    connection.close()
    return f"sqlite:///{path}::t"


def plain(frame):
    """Columns that every database has types for."""
    return frame.assign(flag=frame["flag"].map({True: 1.0, False: 0.0}), day=frame["day"].astype(str))


@settings(max_examples=10, deadline=None)
@CASES
def test_sqlite_grows_the_tree_of_memory(seed, n, lacking, task, options):
    frame = plain(frames(seed, n, lacking, task))
    table, kinds = in_memory(frame)
    if has_several(table):
        with tempfile.TemporaryDirectory() as folder:
            source = engine.open_source(in_sqlite(frame, folder), target="y", kinds=kinds)
            assert_grows(source, table, {**options, "max_depth": 3})


@settings(max_examples=10, deadline=None)
@CASES
def test_polars_grows_the_tree_of_memory(seed, n, lacking, task, options):
    polars = pytest.importorskip("polars")
    frame = frames(seed, n, lacking, task)
    table, kinds = in_memory(frame)
    if has_several(table):
        source = engine.open_source(polars.from_pandas(frame, nan_to_null=False), target="y", kinds=kinds)
        assert_grows(source, table, {**options, "max_depth": 3})
