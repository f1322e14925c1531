"""The best cut of a column and one branch for each of its levels, against all that might be."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.criteria.kernels import contrast, entropy_ceiling, gini_gain
from engine.search.kernels.branches import best_cut, cut_gains, multiway, open_branches, sides_of_missing
from engine.search.kernels.level_groups import best_groups
from engine.search.kernels.rules import _first_of_best
from tests import naive
from tests.effort import examples
from tests.node_problems import ALL, arrays, is_same, problems


@pytest.mark.parametrize("name", ALL)
@examples(200)
@given(data=st.data(), min_leaf=st.integers(1, 4))
def test_best_cut_is_the_best_of_all_cuts_and_directions(name, data, min_leaf):
    problem = data.draw(problems(name))
    gain, tie, cut, missing = best_cut(*arrays(problem), naive.CODES[name], min_leaf)
    expected = naive.best_cut(name, *problem, min_leaf)
    if expected is None:
        assert cut == -1
    else:
        assert is_same((gain, tie), expected[0])
        assert (cut, missing) == expected[1:]


@pytest.mark.parametrize("name", ALL)
@examples(60)
@given(data=st.data(), scale=st.sampled_from([1e-3, 0.1, 3.7, 1e6]))
def test_scaling_all_weights_changes_nothing(name, data, scale):
    problem = data.draw(problems(name))
    plain, scaled = arrays(problem), arrays(problem, scale)
    code = naive.CODES[name]
    assert best_cut(*scaled, code, 1) == pytest.approx(best_cut(*plain, code, 1), abs=1e-12)
    sides = np.zeros(len(plain[1]), np.uint8), np.zeros(len(plain[1]), np.uint8)
    a, b = best_groups(*plain, code, 1, sides[0]), best_groups(*scaled, code, 1, sides[1])
    assert b[:2] == pytest.approx(a[:2], abs=1e-12)
    assert multiway(*scaled, code, 1) == pytest.approx(multiway(*plain, code, 1), abs=1e-12)


@pytest.mark.parametrize("name", ALL)
@examples(60)
@given(data=st.data(), min_leaf=st.integers(1, 4))
def test_the_curve_has_the_very_number_that_the_search_found(name, data, min_leaf):
    problem = data.draw(problems(name))
    code = naive.CODES[name]
    gain, _, cut, missing = best_cut(*arrays(problem), code, min_leaf)
    m = len(problem[0])
    out = np.empty(max(m - 1, 0))
    cut_gains(*arrays(problem), code, min_leaf, missing, out)
    if 0 <= cut < m - 1:
        assert out[cut] == gain
        assert not np.any(out > gain + 1e-11)
    for i, value in enumerate(out):
        sides = [0] * (i + 1) + [1] * (m - i - 1)
        branches, counts = naive.two_branches([*problem[0], problem[2]], [*problem[1], problem[3]], [*sides, missing])
        if naive.allowed(counts, min_leaf):
            assert value == pytest.approx(float(naive.gain(name, branches)), abs=1e-12)
        else:
            assert math.isnan(value)


@pytest.mark.parametrize("name", naive.CLASS_CRITERIA)
def test_an_empty_class_divides_by_nothing_without_the_compiler(name):
    """Warnings are errors here, and plain Python warns where compiled code does not."""
    stats, rows, none = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]]), np.array([1, 2, 1]), np.zeros(2)
    plain, code = getattr(best_cut, "py_func", best_cut), naive.CODES[name]
    assert plain(stats, rows, none, 0, code, 1) == best_cut(stats, rows, none, 0, code, 1) == (0.0, 0.0, 0, 1)


def test_no_weight_gains_nothing_without_the_compiler():
    zero, none = np.float64(0.0), np.zeros(3)
    assert getattr(contrast, "py_func", contrast)(zero, zero, zero, zero) == 0.0
    assert getattr(gini_gain, "py_func", gini_gain)(none, none) == 0.0
    assert getattr(entropy_ceiling, "py_func", entropy_ceiling)(none, np.ones(3)) == np.inf


@pytest.mark.parametrize("name", ALL)
@examples(100)
@given(data=st.data(), min_leaf=st.integers(1, 4))
def test_multiway_sends_missing_where_it_gains_most(name, data, min_leaf):
    problem = data.draw(problems(name))
    gain, tie, run, information = multiway(*arrays(problem), naive.CODES[name], min_leaf)
    expected = naive.multiway(name, *problem, min_leaf)
    if expected is None:
        assert run == -1
        return
    assert is_same((gain, tie), expected[0])
    assert run == expected[1]
    sizes = [naive.weight(name, stat) for stat in [*problem[0], problem[2]]]
    assert information == pytest.approx(naive.split_information(sizes), abs=1e-12)


def test_present_against_missing_is_a_split():
    stats, rows = np.array([[3.0, 0.0], [2.0, 0.0]]), np.array([3, 2])
    gain, tie, cut, missing = best_cut(stats, rows, np.array([0.0, 5.0]), 5, 0, 1)
    assert (gain, tie, cut, missing) == (0.5, 0.0, 1, 1)
    side = np.zeros(2, np.uint8)
    assert best_groups(stats, rows, np.array([0.0, 5.0]), 5, 0, 1, side) == (0.5, 0.0, 1)
    assert side.tolist() == [0, 0]


def test_one_run_alone_separates_nothing():
    stats, rows, none = np.array([[3.0, 2.0]]), np.array([5]), np.zeros(2)
    assert best_cut(stats, rows, none, 0, naive.CODES["gini"], 1)[2] == -1
    assert best_groups(stats, rows, none, 0, naive.CODES["gini"], 1, np.zeros(1, np.uint8))[2] == -1
    assert multiway(stats, rows, none, 0, naive.CODES["gini"], 1)[2] == -1


def test_equal_gains_take_the_lowest_cut_even_when_rounding_differs():
    """Mirror images about the middle: cut 0 and cut 2 gain the same, as sums of thirds they round differently."""
    stats = np.array([[0.1, 0.3], [0.2, 0.2], [0.2, 0.2], [0.3, 0.1]])
    for code in map(naive.CODES.__getitem__, naive.CLASS_CRITERIA):
        out = np.empty(3)
        cut_gains(stats, np.ones(4, np.int64), np.zeros(2), 0, code, 1, 0, out)
        assert out[0] == pytest.approx(out[2], abs=1e-15)
        forbidden = best_cut(stats[[0, 1, 3]], np.ones(3, np.int64), np.zeros(2), 0, code, 1)
        assert forbidden[2] == 0


def test_error_breaks_its_ties_by_gini():
    """Both cuts leave the majority as it is; the second one separates more."""
    stats = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 4.0]])
    gain, tie, cut, _ = best_cut(stats, np.array([3, 3, 4]), np.zeros(2), 0, naive.CODES["error"], 1)
    assert (gain, cut) == (0.0, 1)
    assert tie == pytest.approx(float(naive.gain("gini", [[2, 4], [0, 4]])))


def test_sqrt_is_not_fooled_by_what_cancellation_leaves_over():
    """The last run holds all of class 1; its weight of class 0 is 0, though the float sums leave 10⁻¹⁷."""
    stats = np.array([[0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.0, 1.0]])
    gain, _, cut, _ = best_cut(stats, np.ones(4, np.int64), np.zeros(2), 0, naive.CODES["sqrt"], 1)
    assert cut == 2
    assert gain == pytest.approx(float(naive.impurity("sqrt", [6, 10])), abs=1e-12)


@pytest.mark.parametrize("name", ["entropy", "sqrt", "gini", "error"])
def test_two_classes_and_the_general_path_agree(name):
    """A third class without rows sends the same problem through the general search."""
    rng = np.random.default_rng(3)
    stats = rng.integers(0, 4, (200, 2)).astype(np.float64)
    rows = np.maximum(stats.sum(axis=1).astype(np.int64), 1)
    padded = np.hstack((stats, np.zeros((200, 1))))
    code = naive.CODES[name]
    two = best_cut(stats, rows, np.array([3.0, 8.0]), 11, code, 5)
    three = best_cut(padded, rows, np.array([3.0, 8.0, 0.0]), 11, code, 5)
    assert three == pytest.approx(two, abs=1e-13)


FEW = st.integers(0, 6)


@given(st.integers(0, 1), FEW, FEW, FEW, st.integers(1, 4))
def test_missing_rows_go_where_both_branches_keep_enough_rows(toward, left, right, missing, min_leaf):
    sides = (toward, 1 - toward) if missing else (toward,)
    wanted = [s for s in sides if min(left + missing * (s == 0), right + missing * (s == 1)) >= min_leaf]
    assert [s for s in sides_of_missing(toward, left, right, missing, min_leaf) if s >= 0] == wanted


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), FEW, st.integers(1, 4))
def test_missing_rows_join_any_branch_or_fill_up_the_only_short_one(rows, missing, min_leaf):
    wanted = [b for b in range(len(rows)) if min(n + missing * (b == i) for i, n in enumerate(rows)) >= min_leaf]
    assert list(range(*open_branches(np.array(rows), missing, min_leaf))) == (wanted if len(rows) > 1 else [])


def test_of_equal_gains_the_larger_tie_breaker_wins_by_however_little():
    gains, ties = np.full(4, 0.5), np.array([0.3, 0.301 * (1 - 1e-14), 0.301, 0.2])
    choose = getattr(_first_of_best, "py_func", _first_of_best)
    assert choose(gains, ties, np.ones(4, dtype=bool), 1e-12) == 1
    assert choose(gains, ties, np.array([True, False, False, True]), 1e-12) == 0
    assert choose(gains, ties, np.zeros(4, dtype=bool), 1e-12) == -1
