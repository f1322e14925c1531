import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels.gain import branches_gain, contrast, entropy_ceiling, gini_gain
from engine.kernels.level_groups import CLASS_ORDERS, best_groups
from engine.kernels.ordering import first_component, frequent_classes
from engine.kernels.ranking import choose_column, rank_columns
from engine.kernels.search import _best_cut_pair, best_cut, cut_gains, multiway
from tests import naive

NO_CROWD = np.zeros(0, dtype=bool)
ALL = [*naive.CLASS_CRITERIA, "squared_error"]


@st.composite
def problems(draw, name, most_runs=6):
    """(stats, rows, miss_stat, miss_rows): whole numbers, with many ties; sometimes with missing rows."""
    m = draw(st.integers(1, most_runs))
    missing = draw(st.booleans())
    if name == "squared_error":
        cells = [draw(st.lists(st.integers(-3, 3), min_size=1, max_size=3)) for _ in range(m + missing)]
        stats = [[len(c), sum(c), sum(v * v for v in c)] for c in cells]
        rows = [len(c) for c in cells]
    else:
        width = draw(st.integers(2, 5))
        one = st.lists(st.integers(0, 3), min_size=width, max_size=width).filter(any)
        stats = [draw(one) for _ in range(m + missing)]
        rows = [sum(s) for s in stats]
    if missing:
        return stats[:m], rows[:m], stats[m], rows[m]
    return stats, rows, [0] * len(stats[0]), 0


def arrays(problem, scale=1.0):
    stats, rows, miss_stat, miss_rows = problem
    return (
        np.array(stats, dtype=np.float64) * scale,
        np.array(rows, dtype=np.int64),
        np.array(miss_stat, dtype=np.float64) * scale,
        miss_rows,
    )


def is_same(found, expected):
    return found == pytest.approx((float(expected[0]), float(expected[1])), abs=1e-12)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=200)
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
@settings(max_examples=60)
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
@settings(max_examples=60)
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


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=150)
@given(data=st.data(), min_leaf=st.integers(1, 4))
def test_best_groups_is_the_best_of_all_partitions(name, data, min_leaf):
    problem = data.draw(problems(name, most_runs=5))
    side = np.full(len(problem[0]), 7, np.uint8)
    gain, tie, missing = best_groups(*arrays(problem), naive.CODES[name], min_leaf, side)
    expected = naive.best_groups(name, *problem, min_leaf)
    if expected is None:
        assert missing == -1
        return
    assert is_same((gain, tie), expected)
    assert side[0] == 0
    branches, counts = naive.two_branches([*problem[0], problem[2]], [*problem[1], problem[3]], [*side, missing])
    assert naive.allowed(counts, min_leaf)
    assert gain == pytest.approx(float(naive.gain(name, branches)), abs=1e-12)


@pytest.mark.parametrize("name", ["gini", "squared_error"])
@settings(max_examples=40)
@given(data=st.data())
def test_groups_of_many_levels_are_exact_for_two_classes_and_numbers(name, data):
    """Nine levels: too many to be lucky, few enough to try all partitions."""
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    if name == "gini":
        stats = rng.integers(0, 9, (9, 2)) + 1
        rows = stats.sum(axis=1)
    else:
        y = rng.integers(-9, 9, (9, 4))
        stats = np.stack((np.full(9, 4), y.sum(axis=1), (y * y).sum(axis=1)), axis=1)
        rows = np.full(9, 4)
    problem = (stats.tolist(), rows.tolist(), [0] * stats.shape[1], 0)
    gain, _, _ = best_groups(*arrays(problem), naive.CODES[name], 1, np.zeros(9, np.uint8))
    assert gain == pytest.approx(float(naive.best_groups(name, *problem, 1)[0]), rel=1e-12)


def test_beyond_twelve_levels_three_classes_that_two_groups_explain_are_found():
    """Thirty levels, classes a and b against c: no single class orders them, the first component does."""
    rng = np.random.default_rng(5)
    stats = np.zeros((30, 3))
    stats[:15, :2] = rng.multinomial(40, [0.5, 0.5], 15)
    stats[15:, 2] = 40
    shuffled = rng.permutation(30)
    side = np.zeros(30, np.uint8)
    gain, _, _ = best_groups(stats[shuffled], np.full(30, 40), np.zeros(3), 0, 0, 1, side)
    assert len(set(side[shuffled < 15])) == len(set(side[shuffled >= 15])) == 1
    assert gain == pytest.approx(branches_gain(0, np.stack((stats[:15].sum(axis=0), stats[15:].sum(axis=0))))[0])


def test_beyond_twelve_levels_the_orderings_come_close_to_exhaustive_search():
    """Fourteen random levels of four classes, all 8,191 partitions tried: at least 97 % of the best gain."""
    rng = np.random.default_rng(11)
    for _ in range(5):
        stats = rng.multinomial(60, rng.dirichlet(np.ones(4)), 14).astype(np.float64)
        masks = (np.arange(1, 2**13)[:, None] >> np.arange(13)) & 1
        right = masks @ stats[1:]
        left = stats.sum(axis=0) - right
        best = max(branches_gain(0, np.stack(pair))[0] for pair in zip(left, right, strict=True))
        gain, _, _ = best_groups(stats, np.full(14, 60), np.zeros(4), 0, 0, 1, np.zeros(14, np.uint8))
        assert 0.97 * best <= gain <= best * (1 + 1e-12)


def test_the_most_frequent_classes_are_found_in_their_order():
    assert frequent_classes(np.array([5.0, 1.0, 7.0, 5.0, 9.0]), 3).tolist() == [0, 2, 4]
    assert frequent_classes(np.array([2.0, 1.0]), 3).tolist() == [0, 1]


def test_of_many_classes_only_the_frequent_ones_order_the_levels():
    """Forty classes. A rare one, in half of the levels only, would order them best by the entropy; it is not tried."""
    rng, rows, code, none = np.random.default_rng(1), np.full(16, 9), naive.CODES["entropy"], np.zeros(40)
    stats = rng.gamma(10.0, size=(16, 40))
    stats[:8, 0] = 0.0
    stats *= np.where(np.arange(40) < 8, 1.0, 3.0) / stats.sum(axis=0)
    component = np.empty(16)
    first_component(stats, component)
    gains = []
    for key in (*(stats / stats.sum(axis=1, keepdims=True)).T, component):
        order = np.argsort(key, kind="stable")
        gains.append(best_cut(stats[order], rows, none, 0, code, 1)[0])
    gain, _, _ = best_groups(stats, rows, none, 0, code, 1, np.zeros(16, np.uint8))
    assert len(gains[8:-1]) == CLASS_ORDERS
    assert gain == pytest.approx(max(gains[8:]), rel=1e-9)
    assert gains[0] > gain * 1.01


@pytest.mark.parametrize("code", range(5))
def test_an_empty_class_divides_by_nothing_without_the_compiler(code):
    """Warnings are errors here, and plain Python warns where compiled code does not."""
    stats, rows, none = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]]), np.array([1, 2, 1]), np.zeros(2)
    plain = getattr(_best_cut_pair, "py_func", _best_cut_pair)
    assert plain(stats, rows, none, 0, code, 1) == best_cut(stats, rows, none, 0, code, 1) == (0.0, 0.0, 0, 1)


def test_no_weight_gains_nothing_without_the_compiler():
    zero, none = np.float64(0.0), np.zeros(3)
    assert getattr(contrast, "py_func", contrast)(zero, zero, zero, zero) == 0.0
    assert getattr(gini_gain, "py_func", gini_gain)(none, none) == 0.0
    assert getattr(entropy_ceiling, "py_func", entropy_ceiling)(none, np.ones(3)) == np.inf


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=100)
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
    assert best_cut(stats, rows, none, 0, 0, 1)[2] == -1
    assert best_groups(stats, rows, none, 0, 0, 1, np.zeros(1, np.uint8))[2] == -1
    assert multiway(stats, rows, none, 0, 0, 1)[2] == -1


def test_equal_gains_take_the_lowest_cut_even_when_rounding_differs():
    """Mirror images about the middle: cut 0 and cut 2 gain the same, as sums of thirds they round differently."""
    stats = np.array([[0.1, 0.3], [0.2, 0.2], [0.2, 0.2], [0.3, 0.1]])
    for code in range(5):
        out = np.empty(3)
        cut_gains(stats, np.ones(4, np.int64), np.zeros(2), 0, code, 1, 0, out)
        assert out[0] == pytest.approx(out[2], abs=1e-15)
        forbidden = best_cut(stats[[0, 1, 3]], np.ones(3, np.int64), np.zeros(2), 0, code, 1)
        assert forbidden[2] == 0


def test_error_breaks_its_ties_by_gini():
    """Both cuts leave the majority as it is; the second one separates more."""
    stats = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 4.0]])
    gain, tie, cut, _ = best_cut(stats, np.array([3, 3, 4]), np.zeros(2), 0, 3, 1)
    assert (gain, cut) == (0.0, 1)
    assert tie == pytest.approx(float(naive.gain("gini", [[2, 4], [0, 4]])))


def test_sqrt_is_not_fooled_by_what_cancellation_leaves_over():
    """The last run holds all of class 1; its weight of class 0 is 0, though the float sums leave 10⁻¹⁷."""
    stats = np.array([[0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.0, 1.0]])
    gain, _, cut, _ = best_cut(stats, np.ones(4, np.int64), np.zeros(2), 0, 4, 1)
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


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.1, 0.1 + 1e-15, 0.3, math.nan]), st.sampled_from([0.0, 0.2])), min_size=1
    ),
)
def test_the_chosen_column_is_the_first_within_tolerance_of_the_best(columns):
    gains, ties = np.array([c[0] for c in columns]), np.array([c[1] for c in columns])
    chosen = choose_column(gains, ties, np.zeros(len(columns)), NO_CROWD, 0, 0.5)
    usable = [i for i in range(len(columns)) if not math.isnan(gains[i])]
    near = [i for i in usable if gains[i] >= max(gains[usable]) - 1e-12]
    near = [i for i in near if ties[i] == max(ties[near])]
    assert chosen == (near[0] if near else -1)
    order = rank_columns(gains, ties, np.zeros(len(columns)), NO_CROWD, 0, 0.5, len(columns))
    assert sorted(order) == usable
    assert not usable or order[0] == chosen


def test_gain_ratio_ranks_by_ratio_among_columns_of_average_gain():
    """Column 0 has the largest ratio but a gain below average: it may not win."""
    gains, ratios = np.array([0.02, 0.30, 0.28, np.nan]), np.array([0.9, 0.3, 0.5, 9.0])
    zeros = np.zeros(4)
    assert rank_columns(gains, zeros, ratios, NO_CROWD, 2, 0.9, 4).tolist() == [2, 1, 0]
    assert choose_column(gains, zeros, ratios, NO_CROWD, 2, 0.9) == 2
    assert choose_column(gains, zeros, ratios, NO_CROWD, 1, 0.9) == 1


def test_gain_ratio_with_no_gain_anywhere_takes_the_first_column():
    assert choose_column(np.zeros(3), np.zeros(3), np.zeros(3), NO_CROWD, 2, 0.5) == 0
