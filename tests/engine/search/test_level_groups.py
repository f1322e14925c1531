"""The best two groups of levels, against all partitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.criteria.kernels import branches_gain
from engine.search.kernels.branches import best_cut
from engine.search.kernels.level_groups import CLASS_ORDERS, best_groups, first_component, is_frequent
from tests import naive
from tests.effort import examples
from tests.node_problems import ALL, arrays, is_same, problems


@pytest.mark.parametrize("name", ALL)
@examples(150)
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
@examples(40)
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
    weights, few = np.array([5.0, 1.0, 7.0, 5.0, 9.0]), np.array([2.0, 1.0])
    assert [c for c in range(5) if is_frequent(weights, c, 3)] == [0, 2, 4]
    assert [c for c in range(2) if is_frequent(few, c, 3)] == [0, 1]


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
