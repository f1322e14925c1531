import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.criteria import CRITERIA, FORMULAS, is_concave
from engine.criteria.kernels import branches_gain, impurity, pair_gain, tolerance, weight
from tests import naive

COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=5)


def array(*values):
    return np.array(values, dtype=np.float64)


def number(values):
    """The statistic of plain numbers of weight 1."""
    return array(len(values), sum(values), sum(v * v for v in values))


@pytest.mark.parametrize("criterion", [one for one in FORMULAS if one.task == "classes"], ids=lambda one: one.name)
def test_no_split_has_a_negative_gain(criterion):
    assert is_concave(criterion)


def test_what_is_not_concave_is_found():
    assert not is_concave(replace(CRITERIA["gini"], impurity=lambda stat, total: ((stat / total) ** 3).sum(axis=0)))


@pytest.mark.parametrize("name", naive.CLASS_CRITERIA)
@given(counts=COUNTS)
def test_class_impurity_is_its_formula(name, counts):
    assert impurity(naive.CODES[name], array(*counts)) == pytest.approx(float(naive.impurity(name, counts)), abs=1e-14)


@given(st.lists(st.integers(-20, 20), max_size=8))
def test_squared_error_is_the_variance(values):
    expected = np.var(values) if values else 0.0
    assert impurity(naive.CODES["squared_error"], number(values)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "half", "pure"), [("gini", 0.5, 0), ("entropy", 1, 0), ("error", 0.5, 0), ("sqrt", 0.5, 0)]
)
def test_two_classes_at_one_half_and_pure(name, half, pure):
    code = naive.CODES[name]
    assert impurity(code, array(3, 3)) == pytest.approx(half)
    assert impurity(code, array(7, 0)) == pure
    assert impurity(code, array(0, 0)) == 0


def test_weight_is_the_sum_for_classes_and_the_first_entry_for_numbers():
    assert weight(naive.CODES["gini"], array(1, 2, 3.5)) == 6.5
    assert weight(naive.CODES["squared_error"], array(4, -3, 9)) == 4


@pytest.mark.parametrize(("name", "drop"), [("error", 0.0), ("gini", 0.08), ("sqrt", 0.155051), ("entropy", 0.236452)])
def test_four_fifths_into_three_fifths_and_pure(name, drop):
    """Ten rows with a share of 0.8 go into 0.6 and 1.0: the drop of each criterion, from the lecture notes."""
    gain, _ = branches_gain(naive.CODES[name], np.array([[2.0, 3.0], [0.0, 5.0]]))
    assert gain == pytest.approx(drop, abs=1e-6)


@pytest.mark.parametrize("name", naive.CLASS_CRITERIA)
@given(data=st.data())
def test_gain_of_any_partition_is_its_formula_and_never_negative(name, data):
    width = data.draw(st.integers(2, 5))
    branches = data.draw(
        st.lists(st.lists(st.integers(0, 9), min_size=width, max_size=width), min_size=1, max_size=5).filter(
            lambda b: sum(map(sum, b)) > 0
        )
    )
    gain, tie = branches_gain(naive.CODES[name], np.array(branches, dtype=np.float64))
    assert gain >= 0
    assert gain == pytest.approx(float(naive.gain(name, branches)), abs=1e-13)
    assert tie == pytest.approx(float(naive.gain("gini", branches)) if name == "error" else 0.0, abs=1e-13)


@pytest.mark.parametrize("name", naive.CLASS_CRITERIA)
@given(left=COUNTS.filter(any), data=st.data())
def test_gain_of_two_branches_agrees_with_gain_of_a_partition(name, left, data):
    right = data.draw(st.lists(st.integers(0, 50), min_size=len(left), max_size=len(left)).filter(any))
    a, b, code = array(*left), array(*right), naive.CODES[name]
    gain, tie = pair_gain(code, a, b, a + b, impurity(code, a + b))
    assert (gain, tie) == pytest.approx(branches_gain(code, np.stack((a, b))), abs=1e-13)


def test_squared_error_gain_survives_a_large_mean():
    """Values near 10⁹ that differ by 1: the difference of variances would have no correct digit."""
    low, high = [1e9] * 50, [1e9 + 1] * 50
    gain, _ = branches_gain(naive.CODES["squared_error"], np.stack((number(low), number(high))))
    assert gain == pytest.approx(0.25, rel=1e-6)


def test_zero_gain_is_exactly_zero():
    assert branches_gain(naive.CODES["gini"], np.array([[1.0, 2.0], [10.0, 20.0]])) == (0.0, 0.0)


def test_tolerance_has_a_floor_for_classes_only():
    classes, number = naive.CODES["gini"], naive.CODES["squared_error"]
    assert tolerance(classes, 0.5) == 0.5e-12
    assert tolerance(classes, 0.0) == 1e-15
    assert tolerance(number, 1e-8) == pytest.approx(1e-20)
    assert math.isclose(tolerance(number, 100.0), 1e-10)
