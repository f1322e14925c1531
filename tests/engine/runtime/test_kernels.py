"""The kernels as a whole: loaded and not compiled at every start but the first, once for each type, without surprises.

The types are those that numba infers when it begins with what `engine.warm_up` calls, see `tests.kernel_types`.
"""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import TypingError, njit
from numba.core import types

import engine
from engine.runtime.compiler import bare, jit, jit_apart, keep_compiled
from engine.search.kernels.split_kinds import CUT, GROUPS, MULTIWAY, ONE_VS_REST, SEARCH, search_runs
from gui.picture import levels
from tests.conftest import ROOT
from tests.kernel_types import kernels, look_inside, reachable, types_alone

CODE_WIDTHS = 3  # uint8, uint16, uint32
HARMLESS = ("add", "mul", "and_", "and", "or_", "or", "xor", "rshift", "lshift")  # unsigned: wider, never negative
LESS_TAKEN_AWAY = {  # where what is taken off is part of what it is taken off from
    "kernels.place_of": "the smallest size, or the size of a negative value from the largest",
    "kernels.value_at": "1 from a place that is not 0, and as `place_of`",
    "kernels.rank_groups": "a power of two less one",
    "cells.part_in_two": "places inside a node",
}

START = """
import pickle, sys, engine
from engine.runtime import compiler
from engine.table import encode
from gui.picture import levels
encode.FEW, compiler.PATIENCE = 0, 0.0  # as in `tests.conftest`
engine.warm_up()
levels.warm_up()
from engine.search.kernels.split_kinds import SEARCH
from tests.kernel_types import compiled
from tests.everything import ask_for_everything, tables
count = lambda name: sum(sum(getattr(kernel.stats, name).values()) for kernel in compiled().values())
signatures = lambda: {name: list(kernel.overloads) for name, kernel in compiled().items() if kernel.overloads}
found = {"loaded": count("cache_hits"), "compiled": count("cache_misses"), "warm": signatures()}
found["apart"] = SEARCH().cache_hits
for table in tables():
    ask_for_everything(table)
sys.stdout.buffer.write(pickle.dumps({**found, "later": signatures()}))
"""


def start():
    """What a start of the program loads and compiles, and the signatures of the kernels then and later on."""
    done = subprocess.run([sys.executable, "-c", START], cwd=ROOT, capture_output=True, check=True)
    return pickle.loads(done.stdout)


@pytest.fixture(scope="module")
def second_start():
    found = start()
    if not found["compiled"]:
        return found
    engine.warm_up()  # that was the first one: no test came before
    levels.warm_up()
    keep_compiled()
    return start()


@pytest.fixture(scope="module")
def everything(second_start):
    """(kernel, signature, what stands in it) of all that warming up calls, directly or not."""
    with types_alone():
        return list(reachable(second_start["warm"]))


def test_the_second_start_compiles_nothing(second_start):
    assert second_start["compiled"] == 0
    assert second_start["apart"] == 1
    assert second_start["loaded"] >= len(second_start["warm"]) > 40


def test_no_kernel_has_more_signatures_than_code_widths(everything):
    signatures = {}
    for name, signature, _ in everything:
        signatures.setdefault(name, []).append(signature)
    assert {name: found for name, found in signatures.items() if len(found) > CODE_WIDTHS} == {}


def test_warming_up_reaches_every_kernel(everything):
    assert set(kernels()) - {name for name, _, _ in everything} == set()


def test_what_a_person_may_ask_for_is_compiled_by_then(second_start):
    """Warm kernels take on no further types, whatever is searched."""
    warm, later = second_start["warm"], second_start["later"]
    new = {name: set(signatures) - set(warm.get(name, ())) for name, signatures in later.items()}
    assert {name: added for name, added in new.items() if added} == {}


def test_no_kernel_computes_with_two_unsigned_numbers(everything):
    """uint32 − uint32 is uint64 to numba, so 3 − 5 is 18446744073709551614; and uint64 with int64 is a float.

    One of both sides has to be made np.int64 first.
    """
    found = [
        f"{name}, line {line}: {' '.join(map(str, sides))} {operator} → {result}"
        for name, _, inside in everything
        for line, operator, sides, result in inside.sums
        if name not in LESS_TAKEN_AWAY and surprising(operator, sides, result)
    ]
    assert found == []


def surprising(operator, sides, result):
    """Whether what two integers make is no signed integer, though it could be negative or is no whole number."""
    if isinstance(result, types.Boolean) or operator.removeprefix("i") == "truediv":
        return False
    if isinstance(result, types.Integer) and operator.removeprefix("i") in HARMLESS:
        return False
    return not isinstance(result, types.Integer) or not (result.signed or any(side.signed for side in sides))


def test_the_search_for_unsigned_sums_finds_them():
    @jit
    def distance(codes, wide, k):
        here = codes[0] - codes[1]
        there = np.int64(codes[0]) - codes[1]
        return here + there, wide[0] + k, codes[0] > codes[1]

    inside = look_inside(distance, (types.uint32[::1], types.uint64[::1], types.int64))
    odd = sorted(str(result) for _, operator, sides, result in inside.sums if surprising(operator, sides, result))
    assert "uint64" in odd  # of two codes; what mixes with it is a float64 or wraps, by numba's version


def test_a_constant_is_no_type_of_its_own(everything):
    """A kernel that another one calls with a variable and with a constant is compiled once."""

    @jit
    def twice(x):
        return 2 * x

    @jit
    def calls(x):
        return twice(x) + twice(5) + twice(-1)

    assert calls(3) == 14
    assert [*twice.signatures] == [(types.int64,)]
    literal = {name for name, passed, _ in everything if any(isinstance(one, types.Literal) for one in passed)}
    assert literal == set()


# -- arrays without references


@jit
def add_one(values, at):
    if at < 0:
        return 0.0
    values[at] += 1.0
    return values[at]


@jit
def add_bare(values, times):
    total, same = 0.0, bare(values)
    for at in range(times):
        total += add_one(same, at)
    return total


def test_a_bare_array_is_the_same_memory_and_is_not_counted():
    values = np.zeros(3)
    assert add_bare(values, 2) == 2.0
    assert values.tolist() == [1.0, 1.0, 0.0]
    fresh = njit(add_bare.py_func)  # of code from the cache there is nothing to see
    fresh(values, 0)
    assert "call void @NRT_incref" not in fresh.inspect_llvm(fresh.signatures[0])
    with pytest.raises(TypingError, match="bare"):
        add_bare(np.zeros(6)[::2], 2)


# -- a function as a value


@jit_apart(types.Tuple((types.float64, types.int64))(types.float64[::1], types.float64, types.int64[::1]))
def WEIGHTED(values, share, out):
    total = 0.0
    for i in range(values.size):
        total += values[i] * share
        out[i] = i
    return total, values.size


@jit
def call_weighted(weighted, values, share, out):
    return weighted(values, share, out)


@jit
def call_search(search, way, amount, stat, rows, miss_stat, miss_rows, code, min_leaf, segment, side):
    return search(way, amount, stat, rows, miss_stat, miss_rows, code, min_leaf, segment, side)


def test_numbers_and_arrays_arrive_and_numbers_come_back():
    out = np.zeros(3, np.int64)
    assert call_weighted(WEIGHTED(), np.array([1.0, 2.0, 4.0]), 0.5, out) == (3.5, 3)
    assert out.tolist() == [0, 1, 2]


def test_it_is_compiled_once_whoever_asks_first():
    once = jit_apart(types.int64(types.int64))(lambda number: number + 1)
    with ThreadPoolExecutor(4) as pool:
        values = set(pool.map(lambda _: once(), range(16)))
    assert len(values) == 1


@pytest.mark.parametrize("way", [CUT, GROUPS, MULTIWAY, ONE_VS_REST])
def test_the_search_of_a_column_is_the_same_for_python_and_for_kernels(way):
    random = np.random.default_rng(way)
    stat = random.integers(1, 20, (7, 3)).astype(float)
    given = (way, 0, stat, stat.sum(axis=1).astype(np.int64), np.array([2.0, 0.0, 1.0]), 3, 0, 2)
    plain, apart = (np.zeros(7, np.int64), np.zeros(7, np.uint8)), (np.zeros(7, np.int64), np.zeros(7, np.uint8))
    assert search_runs(*given, *plain) == call_search(SEARCH(), *given, *apart)
    assert all(np.array_equal(one, other) for one, other in zip(plain, apart, strict=True))
