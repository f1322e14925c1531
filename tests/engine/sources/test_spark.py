"""Spark grows the trees of memory."""

import os
import shutil
import sys
from time import monotonic, sleep

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
    with pytest.raises(InputError, match="no column “z”"):
        engine.open_source(f"spark:{path}", target="z")
    with pytest.raises(InputError, match="no longer be read"):
        engine.open_source(f"spark:{tmp_path / 'none.parquet'}", target="y")


def test_rows_stay_in_the_cluster_as_they_were_described(spark, tmp_path):
    path, frame = tmp_path / "rows.parquet", frames(5, 300, False, "classes").drop(columns="day")
    frame["number"] = np.random.default_rng(1).permutation(300) / 8  # each row its own
    frame.to_parquet(path)
    spark.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", "1000000")
    spark.catalog.clearCache()  # what other tests left
    source, other = (engine.open_source(f"spark:{path}", target="y") for _ in range(2))
    assert kept(spark) == 2
    assert spark.conf.get("spark.sql.execution.arrow.maxBytesPerBatch") == "1000000"
    del other
    wait_until(lambda: kept(spark) == 1)
    frame.assign(whole=77).to_parquet(path)
    table = engine.Table.from_frame(frame, target="y")
    assert_same(engine.grow_source(source, max_depth=3), engine.grow(table, max_depth=3))
    rows = [[column.codes.tolist() for column in shown.columns] for shown in (table, source.rows((), 10**6, 1))]
    assert sorted(zip(*rows[0], strict=True)) == sorted(zip(*rows[1], strict=True))
    few = [source.rows((), 20, seed) for seed in (1, 1, 2)]
    shown = [sorted(zip(*(column.codes.tolist() for column in one.columns), strict=True)) for one in few]
    assert len(shown[0]) == 20 and shown[0] == shown[1] != shown[2]
    spark.catalog.clearCache()  # as if executors were lost: the rows are read again
    with pytest.raises(InputError, match=r"Column “whole” has values|no longer be read"):
        engine.grow_source(source, max_depth=1)


def test_without_rows_there_is_nothing_to_train(spark):
    rows = spark.createDataFrame([], "x double, y string")
    with pytest.raises(InputError, match="No row is left for training"):
        engine.open_source(rows, target="y")


def kept(spark):
    """How many data frames executors keep."""
    return spark.sparkContext._jsc.getPersistentRDDs().size()


def wait_until(done):
    """Fails after ten seconds."""
    end = monotonic() + 10
    while not done():
        assert monotonic() < end
        sleep(0.05)


def test_first_rows_are_there_before_all_are_counted(spark, tmp_path):
    frame = frames(4, 300, False, "classes")
    frame["day"] = frame["day"].astype("datetime64[us]")
    frame.to_parquet(tmp_path / "rows.parquet")
    table = engine.read_some(f"spark:{tmp_path / 'rows.parquet'}", target="y", n=100)
    assert (table.name, table.n_rows, table.source["places"]) == ("rows", 100, 1)
    assert engine.read_some(spark.read.parquet(str(tmp_path / "rows.parquet")), target="y").source["places"] == 0
