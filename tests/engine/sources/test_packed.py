"""Columns that are packed as bytes have the codes of their values."""

import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from engine.readers.values import Values
from engine.runtime.errors import InputError
from engine.sources import packed as chapter
from engine.sources.packed import Distinct, codes_of, packed, portions, unpacked, values_of

RANDOM = np.random.default_rng(1)
DAY = datetime.datetime(2024, 1, 1)
COLUMNS = {
    "numbers": pa.array([0.5, None, float("nan"), -0.0, 0.0, float("inf"), 0.5] * 9),
    "whole": pa.array([*range(5), None] * 7, pa.int64()),
    "texts": pa.array(["", "ä", None, "it's"] * 5),
    "truths": pa.array([True, False, None] * 5),
    "days": pa.array([DAY, None, DAY + datetime.timedelta(3)] * 5, pa.timestamp("us", "UTC")),
    "decimals": pa.array([Decimal("1.50"), Decimal("-2.25")] * 5),
    "many": pa.array(np.repeat(RANDOM.normal(size=700), 2)),
    "each its own": pa.array(RANDOM.normal(size=70_000)),
    "nothing": pa.nulls(6, pa.float64()),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_packed_columns_have_the_codes_of_their_values(name):
    column = COLUMNS[name]
    values, found = Values.of(name, column.unique()), unpacked(packed(column))
    expected, rows = values.codes(column), np.arange(0, len(column), 2, dtype=np.uint32)
    np.testing.assert_array_equal(codes_of(found, values), expected)
    np.testing.assert_array_equal(codes_of(found, values, rows), expected[rows])
    assert set(map(str, values_of(found).to_pylist())) == set(map(str, column.to_pylist()))


@pytest.mark.parametrize(("n", "most"), [(200, 1), (300, 2), (10**5, 4)])
def test_places_take_as_few_bytes_as_they_can(n, most):
    rows = pa.array(np.tile(np.arange(n) * 1.0, 4))
    assert 4 * n * most + 8 * n <= len(packed(rows)) < 4 * n * most + 8 * n + 1000


def test_values_that_most_rows_have_alone_have_no_places():
    rows = pa.array(RANDOM.normal(size=10_000))
    assert 80_000 <= len(packed(rows)) < 81_000


def test_a_value_that_was_not_described_is_said():
    values = Values.of("number", pa.array([1.0, 2.0]))
    for column in (pa.array([1.0, 3.0]), pa.array([1.0, 3.0] * 9)):
        with pytest.raises(InputError, match="Column “number” has values"):
            codes_of(unpacked(packed(column)), values)


def test_distinct_values_are_merged_and_sent_some_at_a_time(monkeypatch):
    monkeypatch.setattr(chapter, "VALUES", 10)
    distinct, merged, values = Distinct(), [], Distinct.values.fget
    monkeypatch.setattr(Distinct, "values", property(lambda own: merged.append(1) or values(own)))
    for start in range(40):
        distinct.add(pa.array([start % 23, None, start % 7], pa.int64()))
    parts = [unpacked(part) for part in distinct.packed()]
    assert [len(part) for part in parts] == [10, 10, 4]
    found = pa.concat_arrays(parts).to_pylist()
    assert len(found) == 24 and set(found) == {None, *range(23)}
    assert 3 < len(merged) < 20  # not at every part
    assert Distinct().values.to_pylist() == []


def test_rows_are_packed_as_they_came(monkeypatch):
    batches = pa.table({"a": range(100)}).to_batches(max_chunksize=10)
    assert [rows.num_rows for rows in portions(batches)] == [100]
    monkeypatch.setattr(chapter, "BYTES", 200)
    found = list(portions(batches))
    assert [rows.num_rows for rows in found] == [30, 30, 30, 10]
    assert pa.concat_tables(found).column(0).to_pylist() == list(range(100))
    assert list(portions([])) == []
