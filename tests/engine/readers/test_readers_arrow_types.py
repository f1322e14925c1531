"""Every type of Arrow that a file may hold: it is read for what it means, or left out with a note."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from engine.readers import files, inspect, read_table
from engine.runtime.errors import InputError
from tests.read_frames import read_frame

UNITS = ("s", "ms", "us", "ns")
NESTED = {
    "list": pa.array([[1], None, [2]]),
    "large list": pa.array([[1], None, [2]], pa.large_list(pa.int8())),
    "fixed list": pa.array([[1], None, [2]], pa.list_(pa.int8(), 1)),
    "struct": pa.array([{"a": 1}, None, {"a": 2}]),
    "map": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int8())),
    "union": pa.UnionArray.from_sparse(pa.array([0, 0, 0], pa.int8()), [pa.array([1, 2, 3])]),
    "binary": pa.array([b"a", None, b"b"]),
    "large binary": pa.array([b"a", None, b"b"], pa.large_binary()),
    "binary view": pa.array([b"a", None, b"b"], pa.binary_view()),
    "fixed binary": pa.array([b"a", None, b"b"], pa.binary(1)),
    "uuid": pa.array([b"a" * 16, None, b"b" * 16], pa.uuid()),
    "interval": pa.array([(1, 2, 3), None, (4, 5, 6)], pa.month_day_nano_interval()),
    "levels of lists": pa.DictionaryArray.from_arrays([0, None, 1], pa.array([[1], [2]])),
    "levels of bytes": pa.DictionaryArray.from_arrays([0, None, 1], pa.array([b"a", b"b"])),
}


def read(columns, tmp_path, suffix="feather", rows_shown=None):
    """The frame, the kinds and the notes of columns beside one of numbers; the preview shows the same kinds."""
    path = tmp_path / f"t.{suffix}"
    n = len(next(iter(columns.values())))
    table = pa.table({**columns, "n": range(n)})
    if suffix == "feather":
        pa.feather.write_feather(table, path, compression="uncompressed")
    else:
        pa.parquet.write_table(table, path)
    frame, kinds, notes = read_frame(path)
    preview = inspect(path)
    assert preview.kinds == kinds and len(preview.head) == (rows_shown or n)
    assert read_table(path).n_rows == n
    return frame, kinds, notes


@pytest.mark.parametrize("unit", UNITS)
def test_durations_are_seconds(tmp_path, unit):
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    ticks = pa.array([90 * per_second, None, 1, 2**63 - 1], pa.int64())
    frame, kinds, notes = read({"span": ticks.view(pa.duration(unit))}, tmp_path)
    assert kinds["span"] == ("integer" if unit == "s" else "number") and notes == ()
    expected = [90.0, np.nan, 1 / per_second, float(2**63 - 1) / per_second]
    np.testing.assert_array_equal(frame["span"].to_numpy(), expected)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("zone", [None, "UTC", "Mars/Phobos"])
def test_moments_beyond_the_calendar_are_missing_and_told(tmp_path, unit, zone):
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    ticks = pa.array([86_400 * per_second, None, 2**62, -(2**62)], pa.int64())
    frame, kinds, notes = read({"when": ticks.view(pa.timestamp(unit, zone))}, tmp_path)
    assert kinds["when"] == "date" and frame["when"][0] == pd.Timestamp("1970-01-02")
    if unit == "ns":  # 2⁶² ns are in the year 2116
        assert frame["when"].isna().tolist() == [False, True, False, False] and notes == ()
    else:
        assert frame["when"].isna().tolist() == [False, True, True, True]
        assert notes == ("“when” holds 2 dates outside of the years 1 to 9999, which count as missing.",)


def test_the_calendar_ends_with_its_last_day(tmp_path):
    last = (datetime.date(9999, 12, 31) - datetime.date(1970, 1, 1)).days
    first = (datetime.date(1, 1, 1) - datetime.date(1970, 1, 1)).days
    days = pa.array([first, first - 1, last, last + 1, 2**31 - 1], pa.int32()).view(pa.date32())
    milliseconds = pa.array([day * 86_400_000 + 5 for day in (first, first - 1, last, last + 1, 0)], pa.int64())
    frame, kinds, _ = read({"day": days, "milli": milliseconds.view(pa.date64())}, tmp_path)
    assert kinds["day"] == kinds["milli"] == "date"
    assert frame["day"].isna().tolist() == [False, True, False, True, True]
    assert frame["milli"].isna().tolist() == [False, True, False, True, False]
    assert frame["day"][2] == datetime.datetime(9999, 12, 31)
    table = read_table(tmp_path / "t.feather")
    assert table.column("day").text(1) == "9999-12-31"
    assert table.to_frame()["day"].isna().sum() == 3


def test_numbers_of_every_width(tmp_path):
    frame, kinds, _ = read(
        {
            "half": pa.array([np.float16(1.5), None], pa.float16()),
            "huge": pa.array([2**64 - 1, None], pa.uint64()),
            **{
                f"d{kind.bit_width}": pa.array([decimal.Decimal("1.25"), None], kind)
                for kind in (pa.decimal32(5, 2), pa.decimal64(5, 2), pa.decimal128(5, 2), pa.decimal256(60, 2))
            },
        },
        tmp_path,
    )
    assert frame["half"][0] == 1.5 and frame["huge"][0] == 2.0**64 and kinds["huge"] == "integer"
    assert all(frame[f"d{width}"][0] == 1.25 for width in (32, 64, 128, 256))
    assert frame.isna().sum().sum() == 6


def test_texts_and_levels_of_every_type(tmp_path):
    codes = pa.array([0, None, 1, 2], pa.int8())
    days = pa.array([0, 1, 2**31 - 1], pa.int32()).view(pa.date32())
    frame, kinds, _ = read(
        {
            "large": pa.array(["a", None, "b", "a"], pa.large_string()),
            "view": pa.array(["a", None, "b", "a"], pa.string_view()),
            "runs": pa.RunEndEncodedArray.from_arrays([1, 2, 3, 4], pa.array(["a", None, "b", "a"])),
            "json": pa.array(["a", None, "b", "a"], pa.json_()),
            "no name": pa.DictionaryArray.from_arrays(codes, pa.array(["a", "b", None])),
            "views": pa.DictionaryArray.from_arrays(codes, pa.array(["a", "b", "c"], pa.string_view())),
            "days": pa.DictionaryArray.from_arrays(codes, days),
            "time": pa.array([0, None, 1, 86_399_999_999_999], pa.int64()).view(pa.time64("ns")),
            "null": pa.nulls(4),
        },
        tmp_path,
    )
    texts = frame.astype(object).where(frame.notna(), None)
    for name in ("large", "view", "runs", "json"):
        assert list(texts[name]) == ["a", None, "b", "a"] and kinds[name] == "nominal"
    assert list(texts["no name"]) == ["a", None, "b", None] and "None" not in frame["no name"].unique()
    assert list(texts["views"]) == ["a", None, "b", "c"]
    assert list(texts["days"]) == ["1970-01-01", None, "1970-01-02", None]
    assert list(texts["time"]) == ["00:00:00.000000000", None, "00:00:00.000000001", "23:59:59.999999999"]
    assert list(texts["null"]) == [None] * 4


def test_the_preview_takes_the_first_of_many_runs(tmp_path):
    runs = pa.RunEndEncodedArray.from_arrays([2, 5998, 6000], pa.array(["a", "b", "c"]))
    frame, _, _ = read({"runs": runs}, tmp_path, rows_shown=100)
    assert frame["runs"].value_counts().to_dict() == {"a": 2, "b": 5996, "c": 2}


def test_small_truths_stay_numbers(tmp_path):
    frame, kinds, _ = read({"truth": pa.array([1, None, 0], pa.bool8())}, tmp_path)
    assert kinds["truth"] == "integer" and frame["truth"][0] == 1


@pytest.mark.parametrize("name", NESTED)
def test_what_makes_no_split_is_left_out(tmp_path, name):
    frame, _, notes = read({name: NESTED[name], "kept": [1.5, 2.5, 3.5]}, tmp_path)
    assert list(frame) == ["kept", "n"]
    assert notes == (f"“{name}” holds nested or binary values and was left out.",)


@pytest.mark.parametrize("suffix", ["feather", "parquet"])
def test_more_rows_than_memory_are_refused(tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(files, "free_bytes", lambda: 10_000)
    with pytest.raises(InputError, match=r"1,000 rows of 2 columns.*close other programs"):
        read({"a": np.arange(1000)}, tmp_path, suffix)


def test_no_memory_is_not_called_damage(tmp_path, monkeypatch):
    def no_memory(*_):
        raise pa.ArrowMemoryError("malloc of size 1 failed")

    monkeypatch.setattr("engine.readers.parquet.plain_column", no_memory)
    with pytest.raises(InputError, match=r"not enough memory to read t\.feather: close other programs"):
        read({"a": [1, 2]}, tmp_path)
