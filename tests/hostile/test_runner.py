"""The runner of attacks sees each way in which one can end, and goes on."""

import os
import time

import numpy as np
import pytest

from engine.runtime.errors import InputError
from tests.hostile.mutation import mutated, mutated_zip, zipped
from tests.hostile.runner import CRASH, MEMORY, RESULT, SENTENCE, SLOW, TRACEBACK, Case, check, outcomes


def answer() -> int:
    return 42


def refuse() -> None:
    raise InputError("The table is empty: add rows.")


def fail() -> None:
    raise ZeroDivisionError


def reserve() -> None:
    np.empty(2**40)


def fill() -> int:
    return np.ones(2**24).size


def test_each_end_is_told_and_the_next_case_runs():
    cases = [answer, refuse, os.abort, fail, answer, reserve]
    found = outcomes([Case(case) for case in cases], Case(answer), seconds=20)
    assert [kind for _, kind, _ in found] == [RESULT, SENTENCE, CRASH, TRACEBACK, RESULT, MEMORY]
    assert found[0].said == "42" and found[1].said == "The table is empty: add rows."
    assert found[2].said == "SIGABRT" and "ZeroDivisionError" in found[3].said


def test_time_is_bounded():
    started = time.monotonic()
    (found,) = outcomes([Case(time.sleep, (60,))], Case(answer), seconds=0.2)
    assert found.kind == SLOW and time.monotonic() - started < 30


def test_memory_that_is_touched_is_bounded():
    (found,) = outcomes([Case(fill)], Case(answer), memory=2**26)
    assert found.kind == MEMORY and "; 16777216" in found.said


def test_a_failure_names_its_case():
    with pytest.raises(AssertionError, match="1 of 2 cases\n\ntraceback: fail"):
        check([Case(answer), Case(fail)], Case(answer))


def test_damage_is_repeatable_and_does_something():
    data = bytes(range(256)) * 4
    assert [mutated(data, seed) for seed in range(50)] == [mutated(data, seed) for seed in range(50)]
    assert sum(mutated(data, seed) != data for seed in range(50)) > 45
    packed = zipped({"a.xml": b"<a n='12'/>" * 20, "b.xml": b"<b/>" * 20})
    assert len({mutated_zip(packed, seed) for seed in range(50)}) > 40
