"""The kernels as a whole: loaded and not compiled at every start but the first, once for each type, without surprises.

The types are those that numba infers when it begins with what `engine.warm_up` calls, see `tests.kernel_types`.
"""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from numba.core import types

import engine
from engine.pruning import why_not
from engine.runtime.compiler import jit
from gui.picture import warming
from tests.conftest import ROOT
from tests.kernel_types import CPUDispatcher, kernels, look_inside, reachable, types_alone

CODE_WIDTHS = 3  # uint8, uint16, uint32
HARMLESS = ("add", "and_", "and", "or_", "or", "xor", "rshift", "lshift")  # of unsigned numbers: wider, never negative
LESS_TAKEN_AWAY = {  # where what is taken off is part of what it is taken off from
    "groups.deal_out": "a power of two less one",
    "groups.rank_groups": "1 from a key that is not 0",
    "cells.part_in_two": "places inside a node",
}

START = """
import pickle, sys, engine
from gui.picture import warming
engine.warm_up()
warming.warm_up()
from engine.search.kernels.split_kinds import SEARCH
from tests.kernel_types import kernels
from tests.engine.test_kernels import ask_for_everything, tables
count = lambda name: sum(sum(getattr(kernel.stats, name).values()) for kernel in kernels().values())
signatures = lambda: {name: list(kernel.overloads) for name, kernel in kernels().items() if kernel.overloads}
found = {"loaded": count("cache_hits"), "compiled": count("cache_misses"), "warm": signatures()}
found["addressed"] = SEARCH._compiled.cache_hits
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
    engine.warm_up()  # the first one, if no test came before
    warming.warm_up()
    return start()


@pytest.fixture(scope="module")
def everything(second_start):
    """(kernel, signature, what stands in it) of all that warming up calls, directly or not."""
    with types_alone(kernels().values()):
        return list(reachable(second_start["warm"]))


def test_the_second_start_compiles_nothing(second_start):
    assert second_start["compiled"] == 0
    assert second_start["addressed"] == 1
    assert second_start["loaded"] >= len(second_start["warm"]) > 40


def test_no_kernel_has_more_signatures_than_code_widths(everything):
    signatures = {}
    for name, signature, _ in everything:
        signatures.setdefault(name, []).append(signature)
    assert {name: found for name, found in signatures.items() if len(found) > CODE_WIDTHS} == {}


def test_what_python_and_kernels_call_with_the_same_types_is_compiled_for_both(second_start, everything):
    """Everything else is compiled for each of them apart, see `engine.runtime.compiler.shared`."""
    known = kernels()
    asked = {(name, signature) for name, signatures in second_start["warm"].items() for signature in signatures}
    called = {
        (id(callee), tuple(map(types.unliteral, passed))) for _, _, one in everything for callee, passed in one.callees
    }
    both = {name for name, signature in asked if (id(known[name]), signature) in called}
    parts = {name for name in both if known[name].targetoptions.get("inline") == "always"}
    assert {name for name in both - parts if known[name].inside is not known[name]} == set()


def test_warming_up_reaches_every_kernel(everything):
    assert set(kernels()) - {name for name, _, _ in everything} == set()


def test_what_a_person_may_ask_for_is_compiled_by_then(second_start):
    """Warm kernels take on no further types, whatever is searched."""
    warm, later = second_start["warm"], second_start["later"]
    new = {name: set(signatures) - set(warm.get(name, ())) for name, signatures in later.items()}
    assert {name: added for name, added in new.items() if added} == {}


def tables():
    """One table for each task: numbers with gaps, whole numbers, levels, rows that validate."""
    random = np.random.default_rng(0)
    frame = {"x": random.normal(size=400), "k": random.integers(0, 9, 400), "a": random.choice(list("abcde"), 400)}
    frame["x"][::9] = np.nan
    for y in (random.choice(list("uvw"), 400), random.normal(size=400)):
        yield engine.Table.from_frame(pd.DataFrame({**frame, "y": y}), target="y").with_partition(validation=0.3)


def ask_for_everything(table):
    """Searches, grows and prunes in every way there is."""
    root = engine.Tree.root(table)
    asked = ("numeric", "nominal", "missing", "order")
    ways = [{name: choice.name} for name in asked for choice in engine.OPTIONS[name].choices]
    ways += [{"criterion": criterion.name} for criterion in engine.criteria_for(table.task)]
    ways += [{"lookahead": 2, "nominal": "multiway"}, {"m_of_n": True}, {"pool": 50, "nominal": "multiway"}]
    ways += [{"order": choice.name, "max_leaves": 5} for choice in engine.OPTIONS["order"].choices]
    for how in ways:
        if not engine.refusal(table.task, {}, **how):
            engine.candidates(table, root, **how)
            engine.grow(table, max_depth=2, **how)
    tree = engine.grow(table)
    for method in engine.METHODS:
        if not why_not(method, table):
            pruning = engine.prune(table, tree, method=method)
            pruning.tree(len(pruning.steps) // 2)
    engine.gain_curve(table, root, 0, "x")
    engine.recount(tree, table)
    engine.assess(table, tree, "validation")
    engine.rules(tree)


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

    assert isinstance(distance, CPUDispatcher)
    inside = look_inside(distance, (types.uint32[::1], types.uint64[::1], types.int64))
    odd = sorted(str(result) for _, operator, sides, result in inside.sums if surprising(operator, sides, result))
    assert "uint64" in odd  # of two codes; what mixes with it is a float64 or wraps, by numba's version


def test_a_constant_is_no_type_of_its_own():
    """A kernel that another one calls with a variable and with a constant is compiled once."""

    @jit
    def twice(x):
        return 2 * x

    @jit
    def calls(x):
        return twice(x) + twice(5) + twice(x=-1)

    assert calls(3) == 14
    assert len(twice.inside.signatures) == 1
