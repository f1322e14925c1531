"""Spark grows the trees of memory."""

import os
import shutil
import sys

import numpy as np
import pandas as pd
import pytest

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from tests.engine.sources.test_growing import OPTIONS, assert_grows, frames, in_memory
from tests.engine.sources.test_parts import assert_divided
from tests.same_trees import assert_same

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
]


@pytest.fixture(scope="module")
def spark():
    """A session of Spark on this machine."""
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2]")
    session = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


@pytest.mark.parametrize("task", ["classes", "number"])
def test_spark_grows_the_tree_of_memory(spark, task, tmp_path):
    frame = frames(4, 300, True, task)
    frame["day"] = frame["day"].astype("datetime64[us]")
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=40)
    table, kinds = in_memory(pd.read_parquet(tmp_path / "rows.parquet"))
    source = engine.open_source(f"spark:{tmp_path / 'rows.parquet'}", target="y", kinds=kinds)
    for options in OPTIONS:
        assert_grows(source, table, {**options, "max_depth": 3})
    rows = spark.read.parquet(str(tmp_path / "rows.parquet")).repartition(5)
    tree = engine.grow_source(engine.open_source(rows, target="y", kinds=kinds), max_depth=3)
    assert_same(tree, engine.grow(table, max_depth=3))
    divided = engine.Table.from_frame(pd.read_parquet(tmp_path / "rows.parquet"), target="y", kinds=kinds,
                                      roles={"whole": "group"}).with_partition(0.3, 0.2)  # fmt: skip
    by_key = engine.open_source(rows, target="y", kinds=kinds, validation=0.3, test=0.2, key="whole")
    assert_divided(by_key, divided, {})
    with pytest.raises(InputError, match="no order by which they could be divided: name a key"):
        engine.open_source(rows, target="y", kinds=kinds, validation=0.3)
    path = ((tree.split_at(0), 0),)
    n = source.tally([path], [0], np.zeros(1), Progress())[0][0].n_train
    shown = source.rows(path, 10**6, 1)
    assert (shown.n_rows, shown.names) == (n, source.head.names)
    assert set(tree.apply(shown).tolist()) <= set(tree.ids[1 : tree.end[1]].tolist())


def test_what_goes_wrong_in_spark_is_a_sentence(spark, tmp_path):
    path, frame = tmp_path / "rows.parquet", frames(4, 300, False, "classes").drop(columns="day")
    frame.to_parquet(path)
    source = engine.open_source(f"spark:{path}", target="y")
    progress = Progress()
    progress.stop()
    with pytest.raises(engine.Stopped):
        source.tally([()], [0], np.zeros(1), progress)
    frame.assign(whole=77).to_parquet(path)
    with pytest.raises(InputError, match=r"Column “whole” has values|no longer be read"):
        engine.grow_source(source, max_depth=1)
    with pytest.raises(InputError, match="no column “z”"):
        engine.open_source(f"spark:{path}", target="z")
    with pytest.raises(InputError, match="no longer be read"):
        engine.open_source(f"spark:{tmp_path / 'none.parquet'}", target="y")


def test_first_rows_are_there_before_all_are_counted(spark, tmp_path):
    frame = frames(4, 300, False, "classes")
    frame["day"] = frame["day"].astype("datetime64[us]")
    frame.to_parquet(tmp_path / "rows.parquet")
    table = engine.read_some(f"spark:{tmp_path / 'rows.parquet'}", target="y", n=100)
    assert (table.name, table.n_rows, table.source["places"]) == ("rows", 100, 1)
    assert engine.read_some(spark.read.parquet(str(tmp_path / "rows.parquet")), target="y").source["places"] == 0
