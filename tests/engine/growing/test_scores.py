"""The scores in front of the exact search, and what growing makes of them, against fractions and the plain search."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.criteria.kernels import impurity
from engine.growing import by_kernels
from engine.growing.kernels import scan, scores, tiny
from engine.search.kernels import rules as growth
from engine.search.kernels.branches import best_cut
from engine.search.kernels.count import Target
from engine.search.kernels.rules import choose_column
from tests import naive

NOTHING = np.zeros(0)
STAY = np.zeros(1, np.uint8)  # a flag that is never raised


@st.composite
def problems(draw, n_columns):
    """(codes [C, n], target, S, criterion, min_leaf) with missing rows, ties, weights and few or many values."""
    criterion = draw(st.sampled_from(list(naive.CODES)))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.one_of(st.integers(2, 8), st.integers(9, 14), st.integers(30, 60)))
    codes = random.integers(draw(st.integers(0, 1)), draw(st.sampled_from([2, 3, 8, 90])), (n_columns, n))
    weights = random.integers(1, 4, n).astype(float) if draw(st.booleans()) else NOTHING
    min_leaf = draw(st.integers(1, 4))
    if criterion == "squared_error":
        target = Target(np.zeros(0, np.uint16), random.integers(-3, 4, n).astype(float), weights)
        return codes, target, 3, criterion, min_leaf
    n_classes = draw(st.sampled_from([2, 2, 3, 5]))
    target = Target(random.integers(0, n_classes, n).astype(np.uint16), NOTHING, weights)
    return codes, target, n_classes, criterion, min_leaf


def pack(codes):
    """Cells of one node that holds all rows; codes [C, n] are small enough to be ranks."""
    order = np.argsort(codes, axis=1, kind="stable")
    return np.take_along_axis(codes, order, axis=1).astype(np.uint32) << 16 | order.astype(np.uint32)


def statistic(target, rows, width):
    weights = target.weights[rows] if target.weights.size else np.ones(len(rows))
    if target.labels.size:
        return np.bincount(target.labels[rows], weights, minlength=width)
    y = target.numbers[rows]
    return np.array([weights.sum(), weights @ y, weights @ y**2])


def exact_score(criterion, target, width, left, right):
    """The gain of two sides from fractions; errors with their Gini gain behind the point."""
    sides = [[Fraction(float(v)) for v in statistic(target, rows, width)] for rows in (left, right)]
    gain, tie = naive.merit(criterion, sides)
    return float(gain) + (float(tie) / (len(left) + len(right)) if criterion == "error" else 0.0)


@given(problem=problems(1))
def test_a_score_is_the_gain_of_its_cut(problem):
    codes, target, width, criterion, least = problem
    n, cells, code = codes.shape[1], pack(codes), naive.CODES[criterion]
    tables = by_kernels.make_tables(code, n, width, 1, target)
    if tables.kind == scores.NO_SCORE or least > n:
        return
    about = statistic(target, np.arange(n), width).astype(float)
    node = scores.prepare(code, about, n, 0.0, least, tables)
    n_lists = scan.list_columns(cells, np.zeros(1, np.int64), 0, 1, 0, n, tables.lists)
    order, sorted_codes = (cells[0] & 0xFFFF).astype(int), cells[0] >> 16
    for m in range(n_lists):
        tables.lists[0] = tables.lists[m]
        scores.score_lists(cells, 1, n, target, code, about, node, tables, STAY)
        first, line = int(tables.lists[0, 1]), int(tables.lists[0, 2])
        best = -1.0
        for k in range(first, n - 1):
            score = tables.floats[scores.SCORES + line, k - first]
            left = order[first : k + 1]
            right = np.setdiff1d(order, left)
            if sorted_codes[k] == sorted_codes[k + 1]:
                assert score == -1.0
            elif min(len(left), len(right)) < least:
                assert not score >= -0.5
            else:
                expected = exact_score(criterion, target, width, left, right)
                assert score == pytest.approx(expected, rel=1e-10, abs=1e-12)
                best = max(best, score)
        assert tables.tops[0] == best


@given(st.lists(st.sampled_from([0, 1, 2, 3, 300, 65_535]), min_size=2, max_size=8))
def test_the_rows_of_a_tiny_node_are_put_in_order(ranks):
    n = len(ranks)
    by_row, places = np.array(ranks, np.uint16)[:, None], np.zeros((5, tiny.MOST), np.int64)
    cells = np.arange(n, dtype=np.uint32)[None]
    nothing = np.zeros((4, n + 1)), places, np.zeros(tiny.MOST)
    tiny.take_rows(cells, 0, n, n, np.zeros(n, np.uint16), np.zeros(0), scores.GINI_MANY, 0.0, *nothing)
    tiny.sort_keys(by_row, places, 0)
    assert places[tiny.KEYS, :n].tolist() == sorted(rank << tiny.RANK | place for place, rank in enumerate(ranks))


@given(st.integers(0, 255))
def test_bits_are_counted(mask):
    assert tiny.count_bits(mask) == mask.bit_count()


def plain_answer(codes, target, width, code, least):
    """(column, rows up to the cut, missing) by `best_cut` on all runs and `choose_column`; None for no split."""
    n = codes.shape[1]
    found = []
    for column in codes:
        values = np.unique(column[column > 0])
        runs = [np.flatnonzero(column == v) for v in values]
        lacking = np.flatnonzero(column == 0)
        gain, tie, cut, missing = np.nan, 0.0, -1, 0
        if runs:
            stat = np.array([statistic(target, rows, width) for rows in runs]).astype(float)
            sizes = np.array([rows.size for rows in runs])
            lost = statistic(target, lacking, width).astype(float)
            gain, tie, cut, missing = best_cut(stat, sizes, lost, lacking.size, code, least)
        parts = [0.0, 0.0, 1.0]
        if cut >= 0:
            weight = [float(naive_weight(target, rows)) for rows in runs]
            parts = [sum(weight[: cut + 1]), sum(weight[cut + 1 :]), float(naive_weight(target, lacking))]
        information = impurity(engine.CRITERIA["entropy"].code, np.array(parts))
        ratio = gain / information if information > 0 else 0.0
        found.append((gain if cut >= 0 else np.nan, tie, ratio, lacking.size, runs, cut, missing))
    gains, ties, ratios = (np.array([entry[i] for entry in found], float) for i in range(3))
    value = impurity(code, statistic(target, np.arange(n), width).astype(float))
    j = int(choose_column(gains, ties, ratios, np.zeros(0, np.bool_), code, value))
    if j < 0:
        return None
    _, _, _, n_missing, runs, cut, missing = found[j]
    return j, n_missing + sum(rows.size for rows in runs[: cut + 1]), int(missing)


def naive_weight(target, rows):
    return target.weights[rows].sum() if target.weights.size else len(rows)


@given(problem=problems(4))
def test_a_node_is_split_as_by_the_plain_search(problem):
    """Column, cut and side of the missing rows: ties too."""
    codes, target, width, criterion, least = problem
    n, code = codes.shape[1], naive.CODES[criterion]
    ranks = np.array([np.searchsorted(np.unique(np.append(0, c)), c) for c in codes])
    original = np.tile(np.arange(n + 1, dtype=np.uint32), (len(codes), 1))
    records, stats, _, _ = by_kernels.grow_on_lists(
        pack(ranks), original, np.zeros(len(codes), np.int64), target, growth.Rules(code, 2, least, 0.0),
        np.array([0, n]), np.array([1]), width, STAY, np.zeros(1, np.int64),
    )  # fmt: skip
    values = target.labels if target.labels.size else target.numbers
    expected = plain_answer(ranks, target, width, code, least)
    if expected is None or n < 2 * least or (values == values[0]).all():
        assert records[0, growth.COLUMN] == -1
        return
    j, at, missing = expected
    inside = np.sort(ranks[j])
    high = inside[at] if at < n else 0
    record = records[0, [growth.COLUMN, growth.LOW, growth.HIGH, growth.MISSING]]
    assert record.tolist() == [j, inside[at - 1], high, missing]
    np.testing.assert_allclose(stats[1] + stats[2], stats[0], atol=99 if criterion == "squared_error" else 1e-9)


@given(st.data(), st.integers(1, 24), st.integers(1, 3), st.integers(2, 4), st.integers(1, 3), st.integers(2, 9))
def test_cells_of_several_rows_grow_as_if_each_row_had_its_own(data, n, n_columns, width, least, least_to_split):
    codes = np.array(data.draw(st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n_columns,
                                        max_size=n_columns)))  # fmt: skip
    labels = np.array(data.draw(st.lists(st.integers(0, width - 1), min_size=n, max_size=n)), np.uint16)
    copies = np.array(data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n)))
    drawn = data.draw(st.integers(0, n_columns - 1))
    original = np.tile(np.arange(10, dtype=np.uint32), (n_columns, 1))

    def grow(rows, weights, copied):
        settled = np.zeros(1, np.int64)
        records, stats, _, _ = by_kernels.grow_on_lists(
            pack(codes[:, rows]), original, np.zeros(n_columns, np.int64),
            Target(labels[rows], np.zeros(0), weights), growth.Rules(naive.CODES["gini"], least_to_split, least, 0.0),
            np.array([0, rows.size]), np.array([99]), width, STAY, settled, np.array([7]), drawn, copied,
        )  # fmt: skip
        assert settled[0] == copies.sum()
        return records.tolist(), stats.tolist()

    alone = grow(np.repeat(np.arange(n), copies), np.zeros(0), False)
    assert grow(np.arange(n), copies.astype(float), True) == alone


@given(problem=problems(3), parts=st.integers(2, 4))
def test_nodes_grow_the_same_together_and_alone(problem, parts):
    """However nodes are shared out to calls: the subtree of a node does not depend on its neighbours."""
    codes, target, width, criterion, least = problem
    n, code = codes.shape[1], naive.CODES[criterion]
    bounds = np.unique(np.linspace(0, n, parts + 1).astype(int))
    slices = list(pairwise(bounds.tolist()))
    order = np.array([np.concatenate([a + np.argsort(c[a:b], kind="stable") for a, b in slices]) for c in codes])
    rows, sorted_codes = order.astype(np.uint32), np.take_along_axis(codes, order, axis=1).astype(np.uint32)
    ways, rules = np.zeros(len(codes), np.int64), growth.Rules(code, 2, least, 0.0)

    def grow(starts):
        a, b = starts[0], starts[-1]
        cells = sorted_codes[:, a:b] << 16 | (rows[:, a:b] - np.uint32(a))
        original = np.tile(np.arange(codes.max() + 1, dtype=np.uint32), (len(codes), 1))
        mine = Target(*(array[a:b] if array.size else array for array in target[:3]))
        deep = np.full(len(starts) - 1, 99)
        return by_kernels.grow_on_lists(
            cells, original, ways, mine, rules, np.array(starts) - a, deep, width, STAY, np.zeros(1, np.int64)
        )

    together = grow(bounds.tolist())
    alone = [grow([a, b]) for a, b in slices]
    assert np.concatenate([nodes for nodes, _, _, _ in alone]).tolist() == together[0].tolist()
    np.testing.assert_allclose(np.concatenate([stats for _, stats, _, _ in alone]), together[1], rtol=1e-9, atol=1e-9)
