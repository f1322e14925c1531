"""A kernel called by its address answers as it does by name."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import types

from engine.runtime.by_address import Addressed
from engine.runtime.compiler import jit
from engine.search.kernels.split_kinds import CUT, GROUPS, MULTIWAY, ONE_VS_REST, SEARCH, search_runs, search_runs_at


@jit
def _weighted(values, share, out):
    total = 0.0
    for i in range(values.size):
        total += values[i] * share
        out[i] = i
    return total, values.size


WEIGHTED = Addressed(
    _weighted, types.Tuple((types.float64, types.int64))(types.float64[::1], types.float64, types.int64[::1])
)
_call_weighted = WEIGHTED.call


@jit
def _calls(address, values, share, out):
    return _call_weighted(address, (values, share, out))


def test_numbers_and_arrays_arrive_and_numbers_come_back():
    out = np.zeros(3, np.int64)
    assert _calls(WEIGHTED.address(), np.array([1.0, 2.0, 4.0]), 0.5, out) == (3.5, 3)
    assert out.tolist() == [0, 1, 2]


def test_it_has_one_address_whoever_asks_first():
    once = Addressed(_weighted, WEIGHTED.signature)
    with ThreadPoolExecutor(4) as pool:
        addresses = list(pool.map(lambda _: once.address(), range(16)))
    assert len(set(addresses)) == 1
    assert addresses[0] > 0


@pytest.mark.parametrize("way", [CUT, GROUPS, MULTIWAY, ONE_VS_REST])
def test_the_search_of_a_column_is_the_same_by_name_and_by_address(way):
    random = np.random.default_rng(way)
    stat = random.integers(1, 20, (7, 3)).astype(float)
    given = (way, 0, stat, stat.sum(axis=1).astype(np.int64), np.array([2.0, 0.0, 1.0]), 3, 0, 2)
    by_name, by_address = (np.zeros(7, np.int64), np.zeros(7, np.uint8)), (np.zeros(7, np.int64), np.zeros(7, np.uint8))
    assert search_runs(*given, *by_name) == search_runs_at(SEARCH.address(), *given, *by_address)
    assert all(np.array_equal(one, other) for one, other in zip(by_name, by_address, strict=True))
