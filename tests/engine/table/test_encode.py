"""From values to codes, distinct values and the order: the fast way against numpy's plain one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engine.table.column import Column, column_from_series, numeric_column, with_kind
from engine.table.encode import COUNTED_BITS, GROUP_BITS, GROUPS, all_whole, encoded, few, order_of
from engine.table.kernels import FEW, WIDEST, radix_sort
from tests.effort import crossed

SINGLE = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 2.0**-149, -(2.0**-149), 2.0**127]
ODD = [*SINGLE, 5e-324, -5e-324, 2.2e-308, 1.7e308, -1.7e308, 0.1, 0.3]
EXTREME = [0, 1, -1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]


def plainly(values):
    """(distinct, codes, order) by numpy."""
    with np.errstate(invalid="ignore"):  # said of NaN that are to signal something
        values = values.astype(np.float64)
    missing = np.isnan(values)
    distinct, inverse = np.unique(values[~missing], return_inverse=True)
    codes = np.zeros(values.size, dtype=np.int64)
    codes[~missing] = inverse + 1
    return distinct, codes, np.argsort(codes, kind="stable")


def assert_encoded(values):
    assert_as_plainly(encoded(values), values)
    assert_as_plainly(few(values), values)


def assert_as_plainly(found, values):
    distinct, codes, order = plainly(values)
    assert found.distinct.dtype == np.float64
    np.testing.assert_array_equal(found.distinct, distinct)
    assert not np.signbit(found.distinct[found.distinct == 0]).any()
    np.testing.assert_array_equal(found.codes, codes)
    assert found.codes.dtype == (np.uint8 if distinct.size < 256 else np.uint16 if distinct.size < 65536 else np.uint32)
    assert found.order.dtype == np.uint32
    np.testing.assert_array_equal(found.order, order)
    np.testing.assert_array_equal(order_of(found.codes, distinct.size + 1), order)


def floats(width):
    odd = st.sampled_from(ODD if width == 64 else SINGLE)
    return st.one_of(st.floats(width=width), odd, st.integers(-9, 9).map(float))


@given(arrays.arrays(np.float64, st.integers(0, 60), elements=floats(64)))
@example(np.array([np.nan, np.nan]))
@example(np.array([-0.0, 0.0, np.nan, -0.0]))
def test_doubles(values):
    assert_encoded(values)


@given(arrays.arrays(np.float32, st.integers(0, 60), elements=floats(32)))
@example(np.array([np.finfo(np.float32).max, -np.inf, np.finfo(np.float32).smallest_subnormal], dtype=np.float32))
def test_singles(values):
    assert_encoded(values)


@given(arrays.arrays(np.float32, st.integers(0, 60), elements=floats(32)))
def test_singles_in_doubles(values):
    assert_encoded(values.astype(np.float64))


@given(
    st.sampled_from([np.int64, np.uint64, np.int8, np.uint16]).flatmap(
        lambda dtype: arrays.arrays(
            dtype,
            st.integers(0, 60),
            elements=st.one_of(
                st.sampled_from([value for value in EXTREME if np.iinfo(dtype).min <= value <= np.iinfo(dtype).max]),
                arrays.from_dtype(np.dtype(dtype)),
            ),
        )
    )
)
def test_integers(values):
    assert_encoded(values)


@given(
    n=st.integers(FEW - 2, 400),
    spread=st.sampled_from([1, 3, 2**20, 2**31]),
    outliers=st.lists(st.sampled_from(ODD), max_size=4),
    seed=st.integers(0, 9),
)
def test_values_that_share_their_high_bits(n, spread, outliers, seed):
    """Next to far outliers, so that a run of one key holds many values: neighbouring doubles, in any order."""
    random = np.random.default_rng(seed)
    near = (np.float64(-1.5).view(np.int64) + random.integers(0, spread, n)).view(np.float64)
    assert_encoded(random.permutation(np.concatenate([near, -near, [-1e300, 1e300, 5e-324, -5e-324], outliers])))


@given(
    steps=st.lists(
        st.one_of(st.integers(-99, 99), st.integers(-(2**33), 2**33), st.sampled_from([None, 2**53, -(2**53)])),
        max_size=40,
    ),
    scale=st.sampled_from([*(10.0**places for places in range(8)), 3.0]),
    odd=st.lists(st.sampled_from(ODD), max_size=2),
)
@example([None] * 3, 1.0, [])
@example([2**53, 2**53 + 2, None], 1.0, [])
@example([0, 2**32 - 3], 1.0, [])
@example([0, 2**32 - 2], 1.0, [])
@example([12345, 0, 1], 100.0, [-0.0])
@example([0, 99999], 100.0, [np.inf])
def test_decimal_numbers(steps, scale, odd):
    assert_encoded(np.array([np.nan if some is None else some / scale for some in steps] + odd))


def test_whole_numbers():
    assert all_whole(np.array([1.0, -3.0, np.nan, np.inf, 2.0**60]))
    assert not all_whole(np.array([np.nan, np.inf]))
    assert not all_whole(np.append(np.arange(5000.0), 0.5))
    assert not all_whole(np.append(0.5, np.arange(5000.0)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [255, 256, 65_535, 65_536, 100_000])
def test_many_values(n, dtype):
    random = np.random.default_rng(n)
    values = np.concatenate([random.permutation(n) - n // 3, random.normal(size=9)]).astype(dtype)
    values[random.integers(0, n, 5)] = np.nan
    assert_encoded(values)
    assert_encoded(np.sort(values)[::-1])
    assert_encoded(random.normal(size=n).astype(dtype))
    words = {np.float32: np.int32, np.float64: np.int64}[dtype]
    limits = np.iinfo(words)
    assert_encoded(random.integers(limits.min, limits.max, n, dtype=words).view(dtype))  # any bits, NaN of all sorts


def test_strided_swapped_and_lent_values():
    block = np.random.default_rng(1).normal(size=(500, 3)).astype(np.float32)
    assert_encoded(block[:, 1])
    assert_encoded(block[::-2, 2])
    assert_encoded(block[:, 0].astype(">f8"))
    lent = block[:, 0].copy()
    lent.flags.writeable = False
    assert_encoded(lent)


@given(
    keys=arrays.arrays(np.uint64, st.integers(0, 300), elements=st.integers(0, 2**32 - 1)),
    n_bits=st.sampled_from([1, 4, 5, WIDEST, WIDEST + 1, 2 * WIDEST + 1, 32]),
)
def test_radix_sort_is_a_stable_sort_by_key(keys, n_bits):
    keys = keys & np.uint64(2**n_bits - 1)
    items = (keys << np.uint64(32)) | np.arange(keys.size, dtype=np.uint64)
    found = radix_sort(items.copy(), np.empty_like(items), items.size, n_bits)
    np.testing.assert_array_equal(found, np.sort(items))


@pytest.mark.parametrize(("n_bits", "spread"), crossed([GROUPS - 1, GROUPS, 2 * WIDEST + 1, 32], [0, 5, 20]))
def test_many_rows_are_sorted_in_groups(n_bits, spread):
    """Groups of all sizes, and with a spread of 20 one that holds most rows."""
    random = np.random.default_rng(n_bits + spread)
    n = 2 ** (GROUPS + GROUP_BITS) + 100
    keys = random.integers(0, 2**n_bits, n) >> random.integers(0, spread + 1, n)
    gaps = np.where(random.random(n) < 0.01, np.nan, keys)
    near = np.float32(1.0).view(np.int32) + (keys >> 9).astype(np.int32)
    bits = np.float64(-1.0).view(np.int64) + (keys << 20) + random.integers(0, 3, n)
    for values in (gaps, near, bits.view(np.float64)):
        assert_as_plainly(encoded(values), values)


@pytest.mark.parametrize("n_places", [2**COUNTED_BITS - 1, 2**COUNTED_BITS, 2**COUNTED_BITS + 1])
def test_places_of_a_small_range_are_groups_of_their_own(n_places):
    random = np.random.default_rng(n_places)
    steps = random.integers(0, n_places - 1, 2**COUNTED_BITS + 100)  # and one place for the missing ones
    values = (np.float64(1.0).view(np.int64) + steps).view(np.float64)
    values[:3] = 1.0, (np.float64(1.0).view(np.int64) + n_places - 2).view(np.float64), np.nan
    assert_encoded(values)
    assert_encoded(values[:300])
    values = (steps // (n_places // 100)).astype(np.float64)
    values[:2] = np.nan, -0.0
    assert_encoded(values)
    assert_encoded(values.astype(np.float32) / 8)


def test_codes_take_no_more_room_than_they_need():
    """Whichever way they were found, no longer array is kept alive by them."""
    random = np.random.default_rng(0)
    for values in (
        random.normal(size=100_000),
        random.normal(size=300)[random.integers(0, 300, 100_000)],
        np.ones(300),
    ):
        found = encoded(values)
        assert found.order.dtype == np.uint32
        for kept in found:
            owner = kept if kept.base is None else kept.base
            assert owner.nbytes <= 2 * kept.nbytes
        for kept in (found.codes, found.order):
            assert kept.base is None or kept.base.nbytes == kept.nbytes


@given(
    n_codes=st.sampled_from([1, 2, 255, 300, 32_768, 70_000]),
    n=st.integers(0, 200),
    seed=st.integers(0, 9),
)
def test_the_order_of_codes_is_stable(n_codes, n, seed):
    width = np.uint8 if n_codes < 256 else np.uint16 if n_codes < 65536 else np.uint32
    codes = np.random.default_rng(seed).integers(0, n_codes, n).astype(width)
    np.testing.assert_array_equal(order_of(codes, n_codes), np.argsort(codes, kind="stable"))


def test_a_numeric_column_keeps_the_order_of_its_sort(monkeypatch):
    def never(*_):
        pytest.fail("sorted again")

    monkeypatch.setattr("engine.table.column.order_of", never)
    values = np.array([2.0, np.nan, 1.0, 2.0])
    kept = encoded(values).order
    column = numeric_column("x", None, values)
    assert column.kind == "integer"
    np.testing.assert_array_equal(column.order, kept)
    assert column.order is column.order
    assert not column.order.flags.writeable
    as_number = with_kind(column, "number")
    assert as_number.order is column.order
    assert as_number.kind == "number"


def test_other_columns_make_their_order_when_it_is_asked_for():
    column = column_from_series("x", pd.Series(["b", None, "a", "b"], dtype=object))
    assert "order" not in column.__dict__
    assert column.order.tolist() == [1, 2, 0, 3]
    some = numeric_column("x", None, np.arange(5.0)).take(np.array([3, 0, 3]))
    assert "order" not in some.__dict__
    assert some.order.tolist() == [1, 0, 2]
    assert not some.order.flags.writeable


def test_a_kind_that_leaves_values_out_codes_anew():
    column = numeric_column("x", None, np.arange(5.0)).take(np.array([3, 0, 3]))
    again = with_kind(column, "number")
    assert again.values.tolist() == [0.0, 3.0]
    assert again.codes.tolist() == [2, 1, 2]
    assert isinstance(again, Column)
