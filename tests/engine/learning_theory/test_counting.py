"""What is counted, one by one."""

import math
from itertools import product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.learning_theory.counting import count_cells, count_kinds, log_binary_trees
from engine.table.table import Table
from tests.frames import frames, table_of


def trees_with(splits, tests, labels):
    """All binary trees with so many splits, by their root and its two branches."""
    if not splits:
        return labels
    return tests * sum(
        trees_with(left, tests, labels) * trees_with(splits - 1 - left, tests, labels) for left in range(splits)
    )


@given(st.integers(0, 7), st.integers(1, 9), st.integers(1, 4))
def test_trees_of_a_size_are_counted(splits, tests, labels):
    assert log_binary_trees(splits, tests, labels) == pytest.approx(math.log(trees_with(splits, tests, labels)))


def test_there_may_be_more_tests_than_a_float_holds():
    assert log_binary_trees(1, 2**5000, 2) == pytest.approx(5000 * math.log(2) + 2 * math.log(2))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_binary_features_have_two_to_the_d_cells(d):
    rows = pd.DataFrame(product("ab", repeat=d), columns=[f"x{i}" for i in range(d)])
    table = Table.from_frame(rows.assign(y=["n", "y"] * 2 ** (d - 1)), target="y")
    assert count_cells(table) == count_kinds(table) == 2**d


@given(frames(task="classes"))
def test_kinds_of_rows_are_those_that_differ(frame):
    table = table_of(frame)
    features = [table.columns[i].name for i in table.features]
    rows = frame if "w" not in frame else frame[frame.w > 0]
    assert count_kinds(table) == len(rows[features].drop_duplicates())
    assert count_kinds(table) <= count_cells(table)
