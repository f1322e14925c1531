"""What a small table takes while its kernels are not compiled: the same trees by fewer kernels."""

import numpy as np
import pytest

import engine
from engine import growing
from engine.table import encode
from tests.everything import tables
from tests.same_trees import assert_same


@pytest.fixture
def first_start(monkeypatch):
    """As it is before the kernels that grow subtrees were compiled."""
    monkeypatch.setattr(encode, "FEW", 5_000)
    monkeypatch.setattr(growing, "FEW_CELLS", 50_000)
    monkeypatch.setattr(growing, "is_ready", lambda _: False)
    monkeypatch.delattr(growing, "grow_by_kernels")


@pytest.mark.parametrize("options", [{}, {"order": "best_first", "max_leaves": 6}, {"nominal": "multiway"}])
def test_a_small_table_grows_without_the_kernels_for_subtrees(first_start, request, options):
    first = engine.grow(next(tables()), **options)
    request.getfixturevalue("monkeypatch").undo()
    assert_same(first, engine.grow(next(tables()), **options))


@pytest.mark.parametrize("which", ["large", "number", "weights"])
def test_a_large_table_waits_for_the_kernels_and_so_does_one_whose_sums_are_rounded(monkeypatch, which):
    """The two ways add fractions up in different orders: the last digits would tell a first start from a second."""
    classes, number = tables()
    weighted = classes.with_roles({"x": "ignore", "k": "weight"})
    table = {"large": classes, "number": number, "weights": weighted}[which]
    monkeypatch.setattr(growing, "is_ready", lambda _: False)
    monkeypatch.delattr(growing, "grow_general")
    if which == "large":
        monkeypatch.setattr(growing, "FEW_CELLS", 50)
    assert engine.grow(table).n_leaves > 1


def test_a_few_rows_are_in_order(first_start):
    codes = np.array([2, 0, 1, 2, 0], np.uint8)
    assert encode.order_of(codes, 3).tolist() == [1, 4, 2, 0, 3]
    assert encode.order_of(codes, 3).dtype == np.uint32
