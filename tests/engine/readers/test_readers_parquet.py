"""Parquet and Feather: what their writer declared is kept."""

import datetime
import decimal
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from engine.readers import ReadOptions, inspect, read_table
from engine.runtime.errors import InputError
from tests.read_frames import read_frame

SUFFIXES = ["parquet", "pq", "feather"]


def write(table, path):
    table = table if isinstance(table, pa.Table) else pa.Table.from_pandas(table)
    if path.suffix == ".feather":
        pa.feather.write_feather(table, path)
    else:
        pa.parquet.write_table(table, path)
    return path


def refusal(call, *args, **kwargs) -> str:
    with pytest.raises(InputError) as caught:
        call(*args, **kwargs)
    assert str(caught.value).endswith(".")
    return str(caught.value)


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "n": [1.5, np.nan, 2.5],
            "i": [1, 2, 3],
            "b": [True, False, True],
            "bm": pd.array([True, None, False], dtype="boolean"),
            "t": ["007", "NA", None],
            "c": pd.Categorical(["lo", "hi", "lo"], categories=["lo", "mid", "hi"]),
            "o": pd.Categorical(["lo", None, "hi"], categories=["lo", "mid", "hi"], ordered=True),
            "d": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
            "z": pd.to_datetime(["2020-01-01T12:00+02:00"] * 3, utc=True),
        }
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_declared_types_are_kept(tmp_path, frame, suffix):
    path = write(frame, tmp_path / f"t.{suffix}")
    kinds = dict(
        n="number", i="integer", b="boolean", bm="boolean", t="nominal", c="nominal", o="ordered", d="date", z="date"
    )
    preview = inspect(path)
    assert preview.format == "parquet" and preview.kinds == kinds and preview.n_rows == 3
    read, found, notes = read_frame(path)
    assert found == kinds and notes == ()
    assert read["t"].tolist()[:2] == ["007", "NA"] and pd.isna(read["t"][2])
    assert list(read["c"].cat.categories) == ["lo", "mid", "hi"] and not read["c"].cat.ordered
    assert read["o"].cat.ordered and read["o"].isna().tolist() == [False, True, False]
    assert read["z"][0] == pd.Timestamp("2020-01-01 10:00")
    table = read_table(path, target="b")
    assert {column.name: column.kind for column in table.columns} == kinds
    assert table.column("c").levels == ("lo", "mid", "hi") and table.column("c").declared


def test_rarer_types_become_what_they_mean(tmp_path):
    table = pa.table(
        {
            "decimal": pa.array([decimal.Decimal("1.25"), None], pa.decimal128(5, 2)),
            "small": pa.array([1, None], pa.uint8()),
            "half": pa.array([1.5, 2.5], pa.float32()),
            "day": pa.array([datetime.date(2020, 1, 1), None]),
            "time": pa.array([datetime.time(12, 30), None]),
            "span": pa.array([datetime.timedelta(seconds=90), None], pa.duration("ns")),
            "null": pa.nulls(2),
            "levels": pa.DictionaryArray.from_arrays([0, 1], pa.array([10, 20])),
            "double": pa.DictionaryArray.from_arrays([0, 1], pa.array(["a", "a"])),
            "list": [[1], [2]],
            "bytes": [b"a", b"b"],
        }
    )
    read, kinds, notes = read_frame(write(table, tmp_path / "t.feather"))
    assert read["decimal"].tolist()[0] == 1.25 and kinds["small"] == "integer" and kinds["half"] == "number"
    assert kinds["day"] == "date" and read["time"][0].startswith("12:30") and read["span"][0] == 90
    assert read["null"].isna().all() and list(read["levels"]) == ["10", "20"] and list(read["double"]) == ["a", "a"]
    assert "list" not in read and "bytes" not in read
    assert [note for note in notes if "“list”" in note] and [note for note in notes if "“bytes”" in note]


def test_several_dictionaries_are_one(tmp_path):
    chunks = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "b"]).dictionary_encode()]
    path = write(pa.table({"c": pa.chunked_array(chunks), "i": [1, 2, 3, 4]}), tmp_path / "t.feather")
    assert list(read_frame(path)[0]["c"]) == ["a", "b", "c", "b"]


def test_kinds_and_names_can_be_corrected(tmp_path, frame):
    path = write(frame[["n", "i", "t", "c", "d"]], tmp_path / "t.parquet")
    kinds = {"i": "nominal", "t": "number", "c": "ordered", "d": "nominal", "p": "number"}
    read, found, notes = read_frame(path, ReadOptions(names=("p", "i", "t", "c", "d"), kinds=kinds))
    assert found == kinds
    assert list(read["i"]) == ["1", "2", "3"] and read["t"][0] == 7 and read["c"].cat.ordered
    assert list(read["c"].cat.categories) == ["lo", "mid", "hi"]
    assert any("“NA”" in note for note in notes)
    assert "5 columns" in refusal(inspect, path, ReadOptions(names=("p",)))


def test_an_index_that_pandas_stored_only_numbers_the_rows(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "y": ["p", "q"]}, index=["r1", "r2"])
    preview = inspect(write(frame, tmp_path / "t.parquet"))
    assert preview.roles == {"row names": "ignore"} and preview.target == "y"


def test_only_the_beginning_of_a_large_file_is_looked_at(tmp_path):
    path = write(pd.DataFrame({"a": np.arange(20_000), "b": np.arange(20_000) / 3}), tmp_path / "t.parquet")
    preview = inspect(path)
    assert preview.n_rows == 20_000 and len(preview.head) == 100
    assert len(read_frame(path)[0]) == 20_000


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_broken_and_empty_files_are_refused(tmp_path, frame, suffix):
    whole = write(frame[["n", "i", "t"]], tmp_path / f"t.{suffix}").read_bytes()
    path = tmp_path / f"b.{suffix}"
    for data in (b"", b"PAR1", b"a,b\n1,2\n", whole[: len(whole) // 2], whole[:-3], b"PAR1" + bytes(100) + b"PAR1"):
        path.write_bytes(data)
        for call in (inspect, read_frame):
            assert f"b.{suffix}" in refusal(call, path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_tables_without_rows_or_with_one_column(tmp_path, suffix):
    nothing = write(pd.DataFrame({"a": [1.5], "b": ["x"]}).iloc[:0], tmp_path / f"n.{suffix}")
    assert inspect(nothing).names == ("a", "b") and inspect(nothing).head == ()
    assert "no rows" in refusal(read_table, nothing)
    single = write(pa.table({"a": [1, 2]}), tmp_path / f"s.{suffix}")
    assert "one column" in refusal(read_table, single)
    assert "no column" in refusal(inspect, write(pa.table({"a": [[1], [2]]}), tmp_path / f"l.{suffix}"))


def test_a_preview_of_feather_reads_only_the_first_rows(tmp_path, monkeypatch):
    table = pa.table({"a": np.arange(9000.0), "t": pa.array(["x", "y", None] * 3000).dictionary_encode()})
    path = tmp_path / "t.feather"
    pa.feather.write_feather(table, path, chunksize=1000)
    whole = pa.feather.read_table
    monkeypatch.setattr(pa.feather, "read_table", None)
    preview = inspect(path)
    assert preview.n_rows == 9000 and preview.kinds == {"a": "integer", "t": "nominal"} and len(preview.head) == 100
    monkeypatch.setattr(pa.feather, "read_table", whole)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the first version is going, its files are not
        pa.feather.write_feather(table, path, version=1)
        assert inspect(path).n_rows == 9000 and inspect(path).head[1] == preview.head[1]


def test_a_preview_of_long_texts_shows_fewer_rows(tmp_path):
    levels = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), pa.array(["x" * 2**20]))
    path = tmp_path / "t.parquet"
    pa.parquet.write_table(pa.table({"a": levels, "y": range(300)}), path, store_schema=False)
    preview = inspect(path)
    assert preview.n_rows == 300 and 10 < len(preview.head) < 100 and preview.kinds == {"a": "nominal", "y": "integer"}
    column = read_table(path, target="y").column("a")
    assert column.levels == ("x" * 2**20,)


def test_texts_are_held_once_and_have_the_levels_of_their_rows(tmp_path):
    texts = ["b", None, "a", "10", "b", ""] * 5
    table = pa.table({"t": pa.array(texts), "large": pa.array(texts, pa.large_string()), "y": range(30)})
    path = tmp_path / "t.parquet"
    pa.parquet.write_table(table, path, row_group_size=4)
    read, kinds, _ = read_frame(path)
    for name in ("t", "large"):
        assert read[name].fillna("gone").tolist() == ["gone" if text is None else text for text in texts]
        assert kinds[name] == "nominal"
        assert read_table(path, target="y").column(name).levels == ("", "10", "a", "b")
    numbers, _, _ = read_frame(path, ReadOptions(kinds={"t": "number"}))
    assert numbers["t"].dropna().tolist() == [10] * 5


def test_whole_numbers_with_gaps_are_shown_without_a_decimal_point(tmp_path):
    pd.DataFrame({"age": [86.0, None, 3.0], "rate": [1.0, 0.5, 2.0]}).to_parquet(tmp_path / "rows.parquet")
    found = inspect(tmp_path / "rows.parquet")
    assert found.kinds == {"age": "integer", "rate": "number"}
    assert found.head == (("86", "1.0"), ("", "0.5"), ("3", "2.0"))
