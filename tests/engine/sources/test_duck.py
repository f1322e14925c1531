"""Rows that are counted as DuckDB reads them: what goes wrong is a sentence, and the source goes on afterwards."""

import datetime
import time
from decimal import Decimal
from threading import Timer

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from tests.engine.sources.test_growing import NAME, frames
from tests.same_trees import assert_same

duckdb = pytest.importorskip("duckdb")
from engine.readers.relations import open_relation  # noqa: E402
from engine.readers.values import FEW, Values  # noqa: E402
from engine.sources import duck  # noqa: E402  # needs DuckDB


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """The path of 20,000 rows, which come in many batches."""
    monkeypatch.setattr(duck, "ROWS", 2048)
    frames(5, 20_000, True, "classes").to_parquet(tmp_path / "rows.parquet", row_group_size=4096)
    return tmp_path / "rows.parquet"


def pushed(rows):
    return engine.open_source(rows, target="y", memory=0)


def expected(rows, depth=2):
    return engine.grow(engine.Table.from_frame(pd.read_parquet(rows), target="y"), max_depth=depth)


def stopping(words, after):
    """A progress that is stopped when it has said these words so many times."""
    heard = []
    progress = Progress(
        lambda _, said: (said == words and heard.append(1)) or (len(heard) == after and progress.stop())
    )
    return progress


def test_a_scan_stops_between_batches_and_the_source_goes_on(rows):
    source = pushed(rows)
    with pytest.raises(engine.Stopped):
        source.tally([()], [0, 1], np.zeros(1), stopping("Counting", 4))
    assert source.rows((), 3, 0).n_rows == 3
    assert_same(engine.grow_source(source, max_depth=2), expected(rows))


@pytest.mark.parametrize("words", ["Describing: number", "Describing: y", "Counting"])
def test_opening_stops(rows, words):
    with pytest.raises(engine.Stopped):
        engine.open_source(rows, target="y", progress=stopping(words, 1))


def test_a_long_query_stops_at_once(rows):
    read, progress = open_relation(rows, engine.ReadOptions()), Progress()
    connection = read.connection
    endless = connection.table_function("range", [10**12]).aggregate("sum(range * range)")
    Timer(0.3, progress.stop).start()
    began = time.monotonic()
    with pytest.raises(engine.Stopped):
        read.asked(endless.fetchall, progress, "Counting")
    assert time.monotonic() - began < 20
    assert connection.table_function("range", [3]).fetchall() == [(0,), (1,), (2,)]


def test_files_that_break_between_two_scans_are_said_and_mended_ones_are_read(rows):
    source, whole = pushed(rows), rows.read_bytes()
    for harm in (whole[:5000] + bytes(len(whole) - 10_000) + whole[-5000:], whole[: len(whole) // 2], b""):
        rows.write_bytes(harm)
        with pytest.raises(InputError, match=r"no longer be read|changed meanwhile|changed while|damaged"):
            engine.grow_source(source, max_depth=2)
    rows.unlink()
    with pytest.raises(InputError, match="no longer be read"):
        engine.grow_source(source)
    rows.write_bytes(whole)
    assert_same(engine.grow_source(source, max_depth=2), expected(rows))


@pytest.mark.parametrize("change", ["fewer", "more", "value", "type", "column", "order"])
def test_a_table_that_changed_is_refused(rows, change):
    source, frame = pushed(rows), pd.read_parquet(rows)
    if change == "fewer":
        frame = frame[:-1]
    elif change == "more":
        frame = pd.concat([frame, frame[:1]])
    elif change == "value":
        frame.loc[15_000, NAME] = "new"
    elif change == "type":
        frame["number"] = "a"
    elif change == "order":  # the same values, in other rows
        frame["whole"] = frame["whole"].to_numpy()[::-1]
    else:
        frame = frame.drop(columns="whole")
    frame.to_parquet(rows)
    with pytest.raises(InputError, match=r"changed meanwhile|changed while|no longer be read"):
        engine.grow_source(source, max_depth=2)


def test_a_column_called_like_a_command_is_a_column(rows, tmp_path):
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute("create table t as select * from read_parquet(?)", [str(rows)])
        connection.execute("CREATE TABLE other AS SELECT * FROM t")
    with pytest.raises(InputError, match=r"t\.duckdb has several tables: name one behind “::”, of other, t\."):
        pushed(tmp_path / "t.duckdb")
    source = pushed(f"{tmp_path / 't.duckdb'}::t")
    assert_same(engine.grow_source(source, max_depth=3), expected(rows, 3))
    place = source.head.index(NAME)
    counted = source.tally([()], [place], np.zeros(1), Progress())[0][0]
    frame = pd.read_parquet(rows).dropna(subset="y")
    assert counted.rows_train.tolist() == frame[NAME].value_counts().sort_index().tolist()


def test_the_codes_of_every_type_are_those_of_its_values():
    day = datetime.date(2024, 2, 29)
    moments = [datetime.datetime(2024, 1, i + 1, 12) for i in range(20)]
    for values in (
        pa.array([0.0, -0.0, float("nan"), None, float("inf"), -1.5]),
        pa.array([1, None, -(2**62), 2**62]),
        pa.array([0.0, -0.0, None, 0.5], pa.float32()),
        pa.array([3, 200, None], pa.uint8()),
        pa.array([-3, None, 7], pa.int16()),
        pa.array([True, False, None]),
        pa.array([day, None, datetime.date(1950, 1, 1)]),
        pa.array([*moments, None]),
        pa.array([Decimal("1.25"), None, Decimal("-2.50")]),
        pa.array(["b", "a", None, "", "it's"]),
        pa.array([f"level {i}" for i in range(FEW + 3)]),
        pa.array(["u", "v", None, "u"]).dictionary_encode(),
        pa.array([], pa.float64()),
    ):
        distinct = values.unique() if not pa.types.is_dictionary(values.type) else values
        found = Values.of("x", distinct)
        twice = pa.concat_arrays([values, values])[1:]
        codes = found.codes(twice)
        column = Values.of("x", values).column
        told = dict(zip(twice.to_pylist(), codes.tolist(), strict=True))
        for value, code in told.items():
            missing = value is None or value != value
            assert (code == 0) == missing, (values.type, value)
        assert found.column.values.tolist() == column.values.tolist()
        ordered = [value for value in told if told[value]]
        if values.type not in (pa.bool_(),) and not pa.types.is_dictionary(values.type):
            assert sorted(ordered) == sorted(ordered, key=told.get), values.type


def test_values_that_were_not_described_are_refused():
    for known, strange in (([1.5, 2.5], [2.5, 3.5]), (["a"], ["b"]), ([1, 2], [0]), ([True], [False]), ([1], ["a"])):
        found = Values.of("x", pa.array(known))
        with pytest.raises(InputError, match="Column “x” has values that it did not have"):
            found.codes(pa.array(strange))
        assert found.codes(pa.array([known[0], None], pa.array(known).type)).astype(bool).tolist() == [True, False]
