"""The kernels of growing, each against a few lines of plain Python."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels import cells, growth, harvest, lists, shortlist, subtrees
from engine.kernels.descend import Routes, branch_of_cuts, child_table, descend
from engine.kernels.gain import larger_side
from engine.kernels.search import best_cut
from engine.kernels.structure import merge_upwards, structure
from engine.kernels.ways import CUT, GROUPS, MULTIWAY

NOTHING = np.zeros(0)


def class_target(labels, weights=NOTHING):
    return lists.Target(np.asarray(labels, np.uint16), NOTHING, np.asarray(weights, float))


def number_target(numbers, weights=NOTHING):
    return lists.Target(np.zeros(0, np.uint16), np.asarray(numbers, float), np.asarray(weights, float))


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


def test_fill_list_deals_rows_out_by_segment_and_code():
    codes = np.array([3, 1, 0, 1, 2, 3], np.uint8)
    order = np.argsort(codes, kind="stable").astype(np.uint32)
    order.flags.writeable = False  # as a column's order is
    place = np.array([0, 3, 1, -1, 2, 4], np.int32)  # rows 0 2 4 | 1 5; row 3 is not wanted
    rows, found = np.empty(5, np.uint32), np.empty(5, np.uint32)
    lists.fill_list(order, codes, place, np.array([0, 0, 0, 1, 1], np.int32), np.array([0, 3]), rows, found)
    assert (rows.tolist(), found.tolist()) == ([1, 2, 0, 3, 4], [0, 2, 3, 1, 3])


def test_runs_count_the_target_by_value_and_missing_rows_apart():
    rows, codes = presorted([2, 0, 1, 2, 0])
    target = class_target([0, 1, 1, 1, 0], [1, 2, 3, 4, 5])
    miss, stat, count = np.ones((1, 2)), np.empty((5, 2)), np.empty(5, np.int64)
    assert lists.count_missing(rows, codes, 0, 0, 5, target, miss) == 2
    assert miss.tolist() == [[5, 2]]
    assert lists.make_runs(rows, codes, 0, 2, 5, target, stat, count) == 2
    assert (stat[:2].tolist(), count[:2].tolist()) == ([[0, 3], [1, 4]], [1, 2])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(2, 4))
def test_partition_keeps_the_order_in_every_branch(branches, n_branches):
    side = np.minimum(np.array(branches, np.uint16), n_branches - 1)
    n = side.size
    codes = np.random.default_rng(n).integers(0, 5, (3, n))
    rows, sorted_codes = presorted(codes)
    before = rows.copy()
    starts = np.append(0, np.cumsum(np.bincount(side, minlength=n_branches)))
    spare = np.empty(n, np.uint32), np.empty(n, np.uint32)
    lists.partition_lists((rows, sorted_codes), 1, 3, 0, n, side, starts, *spare)
    assert rows[0].tolist() == before[0].tolist()
    for j in (1, 2):
        expected = np.concatenate([before[j][side[before[j]] == b] for b in range(n_branches)])
        assert rows[j].tolist() == expected.tolist()
        assert sorted_codes[j].tolist() == codes[j][rows[j]].tolist()


def test_pack_lists_renumber_rows_and_codes():
    rows = np.array([[7, 5, 4, 6], [4, 7, 6, 5]], np.uint32)
    codes = np.array([[0, 900, 900, 40], [8, 8, 9, 0]], np.uint32)  # two segments of two rows
    packed, original = np.empty((2, 4), np.uint32), np.empty((2, 5), np.uint32)
    cells.pack_lists(rows, codes, 0, 4, np.empty(8, np.uint16), packed, original)
    assert (packed & 0xFFFF).tolist() == [[0, 1, 2, 3], [2, 0, 3, 1]]
    assert (packed >> 16).tolist() == [[0, 1, 1, 2], [1, 1, 2, 0]]
    assert [original[0, c] for c in packed[0] >> 16] == codes[0].tolist()
    assert [original[1, c] for c in packed[1] >> 16] == codes[1].tolist()


@st.composite
def nodes(draw):
    n = draw(st.one_of(st.integers(1, 40), st.integers(1000, 2500)))  # within one block of the filter, and beyond
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = random.integers(draw(st.integers(0, 1)), draw(st.sampled_from([2, 4, 50, 5000])), n)
    weights = random.integers(1, 4, n) if draw(st.booleans()) else NOTHING
    if draw(st.booleans()):
        return codes, class_target(random.integers(0, 2, n), weights), 0
    return codes, number_target(random.integers(-3, 4, n), weights), 5


@given(node=nodes(), least=st.integers(1, 5))
def test_the_filter_keeps_the_best_cut(node, least):
    """The search after the filter answers what it answers on all runs, bit by bit."""
    codes, target, code = node
    n = codes.size
    pair = presorted(codes)
    rules = growth.Rules(code, 2, least, 0.0)
    stats = statistic(target, np.arange(n))[None].astype(float)
    room = growth.make_room(n, n, stats.shape[1], 1)
    growth.search_column(pair, 0, 0, n, CUT, target, stats, 0, rules, room)
    answer = room.columns[:, 0].copy()

    miss, stat, count = np.empty((1, stats.shape[1])), np.empty((n, stats.shape[1])), np.empty(n, np.int64)
    n_missing = lists.count_missing(*pair, 0, 0, n, target, miss)
    runs = lists.make_runs(*pair, 0, n_missing, n, target, stat, count)
    gain, _, cut, missing = best_cut(stat[:runs], count[:runs], miss[0], n_missing, code, least)
    if cut < 0:
        assert np.isnan(answer[growth.GAIN])
    else:
        assert answer[growth.AT] == n_missing + count[: cut + 1].sum()
        assert (answer[growth.GAIN], answer[growth.WAY]) == (gain, missing)

    growth.bound_columns(pair, 0, 1, 0, n, np.array([CUT]), target, stats, 0, rules, room)
    np.testing.assert_allclose(room.columns[growth.GAIN, 0], answer[growth.GAIN], rtol=1e-10, atol=1e-13)


def test_columns_far_from_the_best_are_not_searched_exactly():
    columns = np.array([[0.2, 0.3, np.nan, 0.3 - 1e-14], [0.0] * 4, [0.0] * 4, [0.0] * 4, [0.0] * 4])
    rules, stats = growth.Rules(0, 2, 1, 0.0), np.array([[5.0, 5.0]])
    ways = np.full(4, CUT)
    assert growth.close_columns(columns, ways, rules, stats, 0).tolist() == [1, 3]


def test_a_column_that_is_only_bounded_is_never_chosen():
    columns = np.array([[1.0, 2.0, np.nan], [0.0] * 3, [0.0] * 3, [-777.0] * 3, [-777.0] * 3])
    rules, stats = growth.Rules(5, 2, 1, 0.0), np.array([[10.0, 0.0, 1e14]])  # an impurity far above both gains
    close = growth.close_columns(columns, np.full(3, CUT), rules, stats, 0)
    searched = {int(j) for j in close}
    assert all(np.isnan(columns[growth.GAIN, j]) for j in {0, 1, 2} - searched)
    columns[growth.GAIN, 1] = np.nan  # the exact search found that the bound was rounding
    assert growth.choose(columns, rules, stats, 0) in searched - {1} | {-1}


@pytest.mark.parametrize("step", [1e4, 1e7, 1e9, 1e12])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_the_chosen_column_was_searched(step, offset):
    """Where the node lies far from the origin of its target: the place of the cut is always that of this search."""
    random = np.random.default_rng(0)
    n = 300
    x = random.normal(size=(4, n))
    y = offset + (x[0] > 0) * step + random.normal(size=n)
    codes = 1 + np.argsort(np.argsort(x, axis=1), axis=1)
    low = codes[0] <= (x[0] <= 0).sum()
    for inside in (np.full(n, True), low, ~low):
        target, pair = number_target(y[inside]), presorted(codes[:, inside])
        m = int(inside.sum())
        stats, about, room = np.zeros((1, 3)), np.zeros((1, 3)), growth.make_room(m, m, 3, 4)
        around = growth.sum_node(pair[0], 0, m, target, stats, 0, about)
        room.columns[:] = -777.0
        ways, rules = np.full(4, CUT), growth.Rules(5, 2, 1, 0.0)
        j = growth.search_columns(pair, 0, m, ways, around, about, 0, rules, room)
        at = room.columns[growth.AT, j]
        assert 0 < at < m
        values = [Fraction(v) for v in target.numbers.tolist()]
        gains = {(k, cut): exact_contrast(values, pair[0][k, :cut]) for k in range(4) for cut in range(1, m)}
        assert float(gains[j, int(at)] / max(gains.values())) > 1 - 1e-9
        bound = growth.make_room(m, m, 3, 4)
        growth.bound_columns(pair, 0, 4, 0, m, ways, around, about, 0, rules, bound)
        for k in range(4):
            best = float(max(gain for (column, _), gain in gains.items() if column == k))
            assert bound.columns[growth.GAIN, k] == pytest.approx(best, rel=shortlist.SLACK / 2)


def exact_contrast(values, left):
    """The gain of a cut as a fraction, rows counting once: d² / (n_L · n_R)."""
    n, part = len(values), len(left)
    d = sum(values[row] for row in left.tolist()) - sum(values) * part / n
    return d * d / (part * (n - part))


@pytest.mark.parametrize("values", [[5.0], [0.1] * 7, [1e12, 1e12 + 1, 1e12 + 2], [-3.0, 1e300, 2.0], [1e-310, 0.0]])
def test_a_node_is_counted_around_its_own_mean(values):
    rows, _ = presorted([list(range(1, len(values) + 1))])
    stats, about = np.zeros((1, 3)), np.zeros((1, 3))
    around = growth.sum_node(rows, 0, len(values), number_target(values), stats, 0, about)
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    squares = sum((value - mean) ** 2 for value in exact)
    expected = float(squares) if squares < Fraction(10) ** 300 else np.inf
    assert stats[0, :2] == pytest.approx([len(values), float(sum(exact))], rel=1e-15)
    assert stats[0, 2] == pytest.approx(expected, rel=1e-12)
    assert min(values) <= around.centre <= max(values)


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
    grown = subtrees.grow_subtrees(
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
    records = np.zeros((3, growth.N_FIELDS), np.int64)
    pairs = np.array([[2, 0], [4, 1]], np.uint32)  # levels 1 and 3 of five have rows
    parent, end, branch = shape([2, 0, 0])
    ways = np.array([MULTIWAY, 0, 0])
    places = harvest.places_among_all(records, parent, branch, end, np.array([5, 0, 0]), ways, pairs)
    assert places.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("weights", [(1.0, 2.0), (2.0, 1.0), (0.3, 0.1 + 0.2)])
def test_the_larger_branch_is_that_of_the_search(weights):
    parent, _, branch = shape([2, 0, 0])
    stats = np.array([[sum(weights), 0.0], [weights[0], 0.0], [weights[1], 0.0]])
    larger = harvest.larger_branches(parent, branch, np.array([2, 0, 0]), stats, 0)
    assert larger[0] == larger_side(*weights)


def test_rows_descend_by_code_level_and_missing_branch():
    n_branches = np.array([2, 0, 2, 0, 0], np.int32)
    parent, _, branch = shape(n_branches)
    routes = Routes(
        n_branches, np.array([1, 0, 2, 0, 0], np.int8), np.array([0, -1, 1, -1, -1]), np.array([3, 0, 0, 0, 0]),
        np.array([1, 0, 0, 0, 0], np.int32), np.array([0, 0, 1, 0, 0], np.int32), np.zeros(5, np.int64),
        np.array([0, 0, 4, 0, 0]), *child_table(parent, branch, n_branches), np.array([0.0, 0.0, 2.0, 1.0]),
    )  # fmt: skip
    codes = np.array([[3, 9], [4, 1], [4, 3], [0, 2], [5, 0]], np.uint32)
    reached = np.empty(5, np.int64)
    descend(codes, np.zeros(5, np.int64), routes, reached)
    assert reached.tolist() == [1, 3, 4, 4, 3]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12, unique=True).map(sorted), st.integers(1, 70))
def test_a_code_goes_below_the_first_cut_that_it_does_not_exceed(cuts, code):
    payload = np.array([0.0, *cuts[1:], 99.0])  # what stands around belongs to other nodes
    branch = branch_of_cuts(code, cuts[0], payload, 1, len(cuts) - 1)
    assert branch == sum(code > cut for cut in cuts)


@pytest.mark.parametrize("kernel", [subtrees.grow_subtrees, growth.search_column, lists.fill_list, shortlist.shortlist])
def test_kernels_are_compiled_for_one_type_of_list(kernel):
    kinds = {str(signature[0]) for signature in kernel.signatures}
    assert len(kinds) <= 1
