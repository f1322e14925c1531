"""The kernels of growing, each against a few lines of plain Python."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.criteria.kernels import larger_side
from engine.growing import by_kernels
from engine.growing.to_nodes import larger_branches, places_among_all
from engine.search.kernels import count as sums
from engine.search.kernels import rules as growth
from engine.search.kernels.count import Target
from engine.search.kernels.split_kinds import GROUPS, MULTIWAY
from engine.tree import nodes
from engine.tree.kernels.descend import Routes, branch_at, descend
from engine.tree.kernels.structure import merge_upwards, structure

NOTHING = np.zeros(0)


def class_target(labels, weights=NOTHING):
    return Target(np.asarray(labels, np.uint16), NOTHING, np.asarray(weights, float))


def number_target(numbers, weights=NOTHING):
    return Target(np.zeros(0, np.uint16), np.asarray(numbers, float), np.asarray(weights, float))


def presorted(codes):
    """The lists of one node that holds all rows; codes [C, n]."""
    codes = np.atleast_2d(np.asarray(codes, np.uint32))
    order = np.argsort(codes, axis=1, kind="stable")
    return order.astype(np.uint32), np.take_along_axis(codes, order, axis=1)


def statistic(target, rows):
    weights = target.weights[rows] if target.weights.size else np.ones(len(rows))
    if target.labels.size:
        return np.bincount(target.labels[rows], weights, minlength=2)
    y = target.numbers[rows]
    return np.array([weights.sum(), weights @ y, weights @ y**2])


@pytest.mark.parametrize("values", [[5.0], [0.1] * 7, [1e12, 1e12 + 1, 1e12 + 2], [-3.0, 1e300, 2.0], [1e-310, 0.0]])
def test_a_node_is_counted_around_its_own_mean(values):
    stats, about, numbers = np.zeros((1, 3)), np.zeros((1, 3)), np.array(values)
    same = sums.sum_numbers(numbers, NOTHING, stats, about)
    centre = values[0] - numbers[0]
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    squares = sum((value - mean) ** 2 for value in exact)
    expected = float(squares) if squares < Fraction(10) ** 300 else np.inf
    assert stats[0, :2] == pytest.approx([len(values), float(sum(exact))], rel=1e-15)
    assert stats[0, 2] == pytest.approx(expected, rel=1e-12)
    assert same == (len(set(values)) == 1)
    assert min(values) - 1e-9 * abs(min(values)) <= centre <= max(values) + 1e-9 * abs(max(values))


def test_groups_are_merged_as_if_counted_together():
    random = np.random.default_rng(0)
    y, weights = 1e3 + random.normal(size=60), random.random(60)
    group = np.minimum(random.integers(0, 4, 60), 2)  # of five nodes 2, 3 and 4 have rows; 1 has none
    values = np.zeros((5, 3))
    for i, g in ((2, 0), (3, 1), (4, 2)):
        w, some = weights[group == g], y[group == g]
        values[i] = w.sum(), w @ some, w @ (some - np.average(some, weights=w)) ** 2
    merge_upwards(np.array([-1, 0, 0, 0, 0], np.int32), values)
    mean = np.average(y, weights=weights)
    np.testing.assert_allclose(values[0], [weights.sum(), weights @ y, weights @ (y - mean) ** 2], rtol=1e-11)


def grow(codes, target, *, levels=99, flag=0, ways=None, min_leaf=1):
    rows, sorted_codes = presorted(codes)
    n = rows.shape[1]
    original = np.tile(np.arange(codes.max() + 1, dtype=np.uint32), (len(rows), 1))
    ways = np.zeros(len(rows), np.int64) if ways is None else np.array(ways)
    settled = np.zeros(1, np.int64)
    grown = by_kernels.grow_on_lists(
        sorted_codes << 16 | rows, original, ways, target, growth.Rules(0, 2, min_leaf, 0.0), np.array([0, n]),
        np.array([levels]), 2, np.full(1, flag, np.uint8), settled,
    )  # fmt: skip
    assert settled[0] == n
    return grown


def test_a_subtree_in_one_call():
    codes = np.array([[1, 1, 2, 2], [1, 2, 1, 2]])
    records, stats, pairs, firsts = grow(codes, class_target([0, 1, 1, 0]))
    assert records[:, growth.COLUMN].tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert records[0, [growth.LOW, growth.HIGH]].tolist() == [1, 2]
    assert stats.tolist() == [[2, 2], [1, 1], [1, 0], [0, 1], [1, 1], [0, 1], [1, 0]]
    assert (len(pairs), firsts.tolist()) == (0, [0, 7])


@pytest.mark.parametrize("limit", [{"levels": 0}, {"flag": 1}, {"min_leaf": 3}])
def test_limits_and_the_flag_leave_a_leaf(limit):
    records, stats, _, _ = grow(np.array([[1, 1, 2, 2]]), class_target([0, 0, 1, 1]), **limit)
    assert records[:, growth.N_BRANCHES].tolist() == [0]
    assert stats.tolist() == [[2, 2]]


@pytest.mark.parametrize(("way", "branches"), [(GROUPS, [0, 1, 0]), (MULTIWAY, [0, 1, 2])])
def test_levels_are_told_with_their_branch(way, branches):
    codes = np.array([[2, 5, 7, 7, 5, 2]])
    records, _, pairs, _ = grow(codes, class_target([0, 1, 0, 0, 1, 0]), ways=[way])
    assert records[0, growth.N_BRANCHES] == len(set(branches))
    assert pairs.tolist() == [[code, branch] for code, branch in zip([2, 5, 7], branches, strict=True)]


def shape(n_branches):
    n_branches = np.array(n_branches, np.int32)
    parent, end, level, branch = (np.empty(n_branches.size, np.int32) for _ in range(4))
    assert structure(n_branches, parent, end, level, branch)
    return parent, end, branch


def test_branches_without_rows_get_their_places():
    records = np.zeros((3, growth.N_FIELDS), np.int32)
    pairs = np.array([[2, 0], [4, 1]], np.uint32)  # levels 1 and 3 of five have rows
    parent, end, branch = shape([2, 0, 0])
    ways = np.array([MULTIWAY, 0, 0])
    places = places_among_all(records, parent, branch, end, np.array([5, 0, 0]), ways == MULTIWAY, pairs)
    assert places.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("weights", [(1.0, 2.0), (2.0, 1.0), (0.3, 0.1 + 0.2)])
def test_the_larger_branch_is_that_of_the_search(weights):
    parent, _, branch = shape([2, 0, 0])
    stats = np.array([[sum(weights), 0.0], [weights[0], 0.0], [weights[1], 0.0]])
    larger = larger_branches(parent, branch, stats, 0)
    assert larger[0] == larger_side(*weights)


def test_rows_descend_by_number_level_and_missing_branch():
    n_branches = np.array([2, 0, 2, 0, 0], np.int32)
    _, end, _ = shape(n_branches)
    routes = Routes(
        n_branches, np.array([1, 0, 2, 0, 0], np.int8), np.array([0, -1, 1, -1, -1]), np.array([3.0, 0, 0, 0, 0]),
        np.array([1, 0, 0, 0, 0], np.int32), np.array([0, 0, 1, 0, 0], np.int32), np.zeros(5, np.int64),
        np.array([0, 0, 4, 0, 0]), end, np.array([0.0, 0.0, 2.0, 1.0]),
    )  # fmt: skip
    x = np.array([[3, 4, 4, np.nan, 5], [8, 0, 2, 1, np.nan]])
    reached = np.empty(5, np.int64)
    descend(x, np.array([0]), np.array([0, 5]), routes, reached)
    assert reached.tolist() == [1, 3, 4, 4, 3]
    descend(x, np.array([1, 2]), np.array([0, 2, 5]), routes, reached)
    assert reached.tolist() == [1, 1, 4, 4, 3]


numbers = st.one_of(st.sampled_from([np.nan, np.inf, -np.inf]), st.integers(0, 4).map(float))


@given(st.data())
def test_rows_descend_as_one_after_the_other(data):
    """Any tree of thresholds, several of them at a node too, against the walk of each row."""
    n_branches = [0]
    for _ in range(data.draw(st.integers(0, 6))):  # a leaf is split, again and again
        i = data.draw(st.sampled_from([i for i, n in enumerate(n_branches) if n == 0]))
        n_branches[i : i + 1] = [n := data.draw(st.integers(2, 4)), *[0] * n]
    n_branches = np.array(n_branches, np.int32)
    n, (_, end, _) = n_branches.size, shape(n_branches)
    inner = n_branches > 0
    cuts = [
        sorted(data.draw(st.sets(st.integers(0, 4), min_size=b - 1, max_size=b - 1)))
        for b in n_branches.clip(1).tolist()
    ]
    size = np.array([max(len(some) - 1, 0) for some in cuts])
    column = np.where(inner, data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), -1)
    missing = np.array([data.draw(st.integers(0, max(b - 1, 0))) for b in n_branches.tolist()], np.int32)
    routes = Routes(
        n_branches, inner.astype(np.int8), column, np.array([some[0] if some else np.nan for some in cuts]), missing,
        missing, np.cumsum(size) - size, size, end, np.array([cut for some in cuts for cut in some[1:]], float),
    )  # fmt: skip
    x = np.array(data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12)), float).T.copy()
    reached, expected = np.empty(x.shape[1], np.int64), []
    for of_row in x.T:
        i = 0
        while n_branches[i]:
            value = of_row[column[i]]
            branch = missing[i] if np.isnan(value) else sum(value > cut for cut in cuts[i])
            i += 1
            for _ in range(branch):
                i = end[i]
        expected.append(i)
    descend(x, np.array([0]), np.array([0, x.shape[1]]), routes, reached)
    assert reached.tolist() == expected


def one_node(kind, threshold, payload, unseen=0):
    """The routes of one node whose own numbers stand between those of others, in the payload."""
    one = np.ones(1, np.int64)
    return Routes(
        2 * one, kind * one, 0 * one, threshold * np.ones(1), 5 * one, unseen * one, one, len(payload) * one, 3 * one,
        np.array([0.0, *payload, 99.0]),
    )  # fmt: skip


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12, unique=True).map(sorted), st.integers(1, 70))
def test_a_code_goes_below_the_first_cut_that_it_does_not_exceed(cuts, code):
    routes = one_node(nodes.THRESHOLD, cuts[0], cuts[1:])
    assert branch_at(float(code), 0, routes) == sum(code > cut for cut in cuts)
    assert branch_at(np.nan, 0, routes) == 5


@given(st.dictionaries(st.integers(0, 20), st.integers(0, 3), max_size=12), st.integers(0, 22))
def test_a_level_goes_where_its_node_sends_it_and_others_where_unseen_ones_go(branches, level):
    pairs = [number for pair in sorted(branches.items()) for number in pair]
    routes = one_node(nodes.GROUPS, np.nan, pairs, unseen=4)
    assert branch_at(float(level), 0, routes) == branches.get(level, 4)
    assert branch_at(np.nan, 0, routes) == 5
