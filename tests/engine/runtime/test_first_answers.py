"""What a small table takes while its kernels are not compiled: the same answers, by plain Python."""

import os
import subprocess
import sys

import numpy as np
import pytest

import engine
from engine.runtime import compiler
from engine.runtime.progress import compiling, is_compiling, on_compiling
from engine.runtime.threads import Workers
from engine.table import encode
from tests import effort
from tests.conftest import ROOT
from tests.everything import tables
from tests.same_trees import assert_same

OPTIONS = [
    {}, {"order": "best_first", "max_leaves": 6}, {"nominal": "multiway"}, {"numeric": "bucket_branches", "buckets": 3},
    {"nominal": "one_vs_rest", "missing": "branch"}, {"min_leaf": 7, "max_depth": 4},
]  # fmt: skip


@pytest.fixture
def first_start(monkeypatch):
    """As it is before any kernel was compiled, for as long as it takes."""
    monkeypatch.setattr(encode, "FEW", 5_000)
    monkeypatch.setattr(compiler, "PATIENCE", 1e9)
    monkeypatch.setattr(compiler, "is_ready", lambda _: False)
    heard = []
    on_compiling.append(lambda: heard.append(1))
    yield heard
    on_compiling.pop()


def everything(options):
    """Trees and candidates for classes, weighted classes and numbers."""
    rows = np.arange(0, 400, 5 if effort.full else 9)  # plain Python takes its time for each
    classes, number = (table.take(rows) for table in tables())
    found = []
    for table in (classes, classes.with_roles({"k": "weight"}), number):
        criteria = [criterion.name for criterion in engine.criteria_for(table.task)]
        for criterion in criteria:
            how = {**options, "criterion": criterion}
            if not engine.refusal(table.task, {}, **how):
                tree = engine.grow(table, **how)
                found.append((tree, engine.candidates(table, tree, node=int(tree.ids[-1]), **how)))
    return found


@pytest.mark.parametrize("options", OPTIONS)
def test_plain_python_answers_what_compiled_kernels_do(first_start, request, options):
    """The last digits of logarithms and powers differ: Python, numpy and the compiler each have their own."""
    first = everything(options)
    request.getfixturevalue("monkeypatch").undo()
    for (tree, candidates), (later, expected) in zip(first, everything(options), strict=True):
        assert_same(tree, later)
        assert [(one.column, one.split) for one in candidates] == [(one.column, one.split) for one in expected]
        for name in ("gain", "logworth", "validation_gain"):
            found, wanted = ([float(getattr(one, name)) for one in all_] for all_ in (candidates, expected))
            assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12, nan_ok=True)


def test_nothing_is_compiled_for_a_small_table(first_start):
    table = next(tables())
    tree = engine.grow(table)
    engine.candidates(table, tree)
    assert tree.n_leaves > 10
    assert first_start == []


def test_a_kernel_is_compiled_when_plain_python_has_taken_long_or_much_is_asked_for(monkeypatch):
    @compiler.jit
    def count(numbers):
        total = 0
        for number in numbers:
            total += number > 0
        return total

    heard = []
    monkeypatch.setattr(compiler, "PATIENCE", 1.0)
    on_compiling.append(lambda: heard.append(is_compiling()))
    try:
        assert count(np.arange(100)) == 99
        assert heard == []
        assert 0.0 < count.spent < 1.0
        count.spent = 2.0
        assert count(np.arange(100)) == 99
        assert heard == [True]
        assert not is_compiling()
        assert count(np.arange(10)) == 9
        assert heard == [True]
    finally:
        on_compiling.pop()


def test_what_warms_up_compiles_in_every_thread(monkeypatch):
    @compiler.jit
    def double(numbers):
        return 2 * numbers[0]

    monkeypatch.setattr(compiler, "PATIENCE", 1.0)
    with compiler.compile_at_once(), Workers(2) as workers:
        assert workers.map(lambda k: double(np.full(3, k)), [1, 2, 3, 4]) == [2, 4, 6, 8]
    assert double.signatures
    assert double.spent == 0.0


def test_nobody_waits_for_the_kernel_of_another_thread(monkeypatch):
    @compiler.jit
    def double(numbers):
        return 2 * numbers[0]

    monkeypatch.setattr(compiler, "PATIENCE", 1.0)
    double.spent = 2.0
    with compiling("another"):
        assert double(np.arange(3, 5)) == 6
    assert not double.signatures
    assert double(np.arange(3, 5)) == 6
    assert double.signatures


def test_what_warms_up_lets_others_go_first():
    @compiler.jit
    def double(numbers):
        return 2 * numbers[0]

    waited = []
    with compiler.compile_at_once(lambda: waited.append(len(double.signatures))):
        assert double(np.arange(3, 5)) == 6
        assert double(np.arange(4, 5)) == 8
    assert waited == [0]


@pytest.mark.parametrize("method", ["pessimistic", "generic"])
def test_a_tree_that_asks_no_column_is_pruned_to_itself(method):
    """Compiled, an index beyond its array is read without a word."""
    script = (
        "import pandas as pd, engine; "
        "frame = pd.DataFrame({'i': range(20), 'y': list('uv' * 10)}); "
        "table = engine.Table.from_frame(frame, target='y').with_partition(validation=0.3); "
        f"assert len(engine.prune(table, engine.Tree.root(table), {method!r}).steps) == 1"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_a_large_table_waits_for_the_compiler(first_start, monkeypatch):
    monkeypatch.setattr(compiler, "SMALL", 50)
    assert engine.grow(next(tables())).n_leaves > 1
    assert first_start


def test_a_few_rows_are_in_order(first_start):
    codes = np.array([2, 0, 1, 2, 0], np.uint8)
    assert encode.order_of(codes, 3).tolist() == [1, 4, 2, 0, 3]
    assert encode.order_of(codes, 3).dtype == np.uint32
