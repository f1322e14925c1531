"""What theory promises: closed forms, and classes that are counted one by one."""

import math
from itertools import chain, combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from engine.learning_theory.bounds import (
    CAPACITIES,
    count_tests,
    description_bound,
    deviation,
    excess_rate,
    log_capacities,
    pruning_excess,
    pruning_penalty,
    rows_by_dimension,
    rows_for_deviation,
    rows_without_errors,
    srm_penalty,
    vc_dimension,
)
from engine.runtime.errors import InputError
from engine.table.table import Table


def table_of(columns, n=8):
    return Table.from_frame(pd.DataFrame({**columns, "y": ["a", "b"] * (n // 2)}), target="y")


def test_the_bound_of_the_notes_by_hand():
    # 20 binary columns, 7 nodes: 8 blocks of log2(23) bits
    by_hand = 0.1 + math.sqrt((8 * math.log2(23) + math.log(2 / 0.05)) / (2 * 1000))
    assert math.isclose(float(description_bound(0.1, 1000, 7, 20, 0.05)), by_hand)
    several = description_bound([0.1, 0.2], 1000, [7, 3], 20, 0.05)
    assert math.isclose(several[0], by_hand)
    assert several.shape == (2,)


@given(st.integers(1, 40), st.integers(1, 5), st.integers(2, 6), st.floats(1e-6, 1))
def test_the_bound_holds_by_krafts_inequality(n, d, k, delta):
    # the union bound over all trees needs Σ 2^−bits ≤ 1 and bits · ln 2 in the place of bits
    enough = 0.2 + math.sqrt(((n + 1) * math.log(d + k + 1) + math.log(2 / delta)) / 200)
    assert description_bound(0.2, 100, n, d, delta, k) >= enough - 1e-12


def test_a_bound_with_more_tests_than_a_float_can_hold_is_a_number():
    assert np.isfinite(description_bound(0.1, 100, 3, 2**5000, 0.05))


@pytest.mark.parametrize("delta", [0, -1, 1.5, float("nan")])
def test_a_delta_that_is_no_probability_is_refused(delta):
    with pytest.raises(InputError, match="δ is"):
        description_bound(0.1, 100, 3, 5, delta)


def test_the_penalty_of_a_size_by_hand():
    assert srm_penalty([1, 9, 25], 100).tolist() == [0.1, 0.3, 0.5]


def test_no_rows_promise_nothing():
    with pytest.raises(InputError, match="0 rows"):
        description_bound(0.1, 0, 3, 5, 0.05)
    with pytest.raises(InputError, match="0 rows"):
        srm_penalty(3, 0)


def partitions(kind, values):
    """The two branches that a split of this column might make, as frozensets of frozensets."""
    values = sorted(values)
    if kind == "nominal":
        sides = chain.from_iterable(combinations(values, r) for r in range(1, len(values)))
    else:
        sides = (tuple(values[:i]) for i in range(1, len(values)))
    return {frozenset([frozenset(side), frozenset(values) - frozenset(side)]) for side in sides}


@given(st.lists(st.integers(0, 5), min_size=8, max_size=8), st.lists(st.sampled_from("abcd"), min_size=8, max_size=8))
def test_tests_are_counted(numbers, levels):
    table = table_of({"x": numbers, "c": levels})
    expected = sum(len(partitions(table.columns[i].kind, table.columns[i].values.tolist())) for i in table.features)
    assert count_tests(table) == expected


def test_a_missing_value_may_go_either_way():
    assert count_tests(table_of({"x": [1.0, 2, 3, None, 1, 2, 3, 1]})) == 4


def shattered(table):
    """The most rows that some set of splits by one test cuts in all ways."""
    rows, cuts = range(table.n_rows), set()
    for i in table.features:
        column = table.columns[i]
        values = column.values[column.codes - 1].tolist()
        distinct = sorted(set(values))
        ordered = [set(distinct[:k]) for k in range(len(distinct) + 1)]
        chosen = product([False, True], repeat=len(distinct))
        subsets = [{v for v, there in zip(distinct, one, strict=True) if there} for one in chosen]
        cuts |= {
            frozenset(r for r in rows if values[r] in side)
            for side in (subsets if column.kind == "nominal" else ordered)
        }
    best = 0
    for size in range(1, table.n_rows + 1):
        if any(len({cut & set(some) for cut in cuts}) == 2**size for some in map(frozenset, combinations(rows, size))):
            best = size
    return best


@given(
    st.lists(st.permutations(range(6)), min_size=1, max_size=4),
    st.lists(st.sampled_from("abc"), min_size=6, max_size=6),
)
def test_no_more_rows_are_told_apart_than_the_vc_dimension_says(numbers, levels):
    table = table_of({**{f"x{i}": x for i, x in enumerate(numbers)}, "c": levels}, 6)
    assert shattered(table) <= vc_dimension(table)


def test_trees_are_counted_by_their_symbols():
    table = table_of({"x": range(8), "z": range(8)})
    paths, trees = log_capacities(table, "size", 3, 7)
    assert np.allclose(paths, np.arange(4) * math.log(2 * 14))
    assert np.allclose(trees, np.arange(8) * math.log(14 + 2 + 1))
    paths, trees = log_capacities(table, "notes", 3, 7)
    assert np.allclose(paths, np.arange(4) * math.log(2))
    assert np.allclose(trees, np.arange(8) * math.log(2 + 2 + 1))


def count_trees(most_nodes, tests, labels):
    """All binary trees with at most so many nodes."""
    exactly = {1: labels}
    for n in range(2, most_nodes + 1):
        exactly[n] = tests * sum(exactly[a] * exactly[n - 1 - a] for a in range(1, n - 1))
    return sum(exactly.values())


@given(st.integers(1, 15), st.integers(2, 6))
def test_there_are_no_more_trees_than_that(n, values):
    table = table_of({"x": [i % values for i in range(8)]})
    _, trees = log_capacities(table, "size", 1, n)
    assert math.log(count_trees(n, count_tests(table), 2)) <= trees[n] + 1e-9


@given(st.integers(1, 30), st.integers(1, 5))
def test_trees_tell_no_more_rows_apart_than_their_vc_dimension(splits, columns):
    table = table_of({f"x{i}": range(8) for i in range(columns)})
    v, many = vc_dimension(table), math.log(2 * table.n_train)
    _, trees = log_capacities(table, "vc", 1, 2 * splits + 1)
    d = trees[-1] / many
    ways = splits * math.log(8) + math.log(2) + v * splits * math.log(math.e * (d + 1) / v)
    assert (d + 1) * math.log(2) > ways  # one row more and there are fewer ways than labellings


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_classes_of_deeper_paths_and_larger_trees_are_richer(capacity):
    paths, trees = log_capacities(table_of({"x": range(8), "z": range(8)}), capacity, 4, 9)
    assert np.all(np.diff(trees[[1, 3, 9]]) > 0)
    assert np.all(np.diff(paths) >= 0)


def test_no_other_capacity():
    with pytest.raises(InputError, match="size, vc, notes"):
        log_capacities(table_of({"x": range(8)}), "big", 1, 3)


def off_by(rows, p, least):
    """How likely the share among some rows is off by so much, exactly."""
    k = np.arange(rows + 1)
    return float(binom.pmf(k, rows, p)[np.abs(k / rows - p) >= least - 1e-12].sum())


@given(st.integers(1, 60), st.floats(0, 1), st.floats(0.001, 1), st.integers(1, 50))
def test_shares_are_off_by_no_more_than_the_lemma_says(rows, p, delta, classes):
    assert classes * off_by(rows, p, float(deviation(math.log(classes), rows, delta))) <= delta + 1e-9
    if classes >= 2 * delta:  # λ of the notes, which is larger
        assert classes * off_by(rows, p, math.sqrt((math.log(classes) + math.log(1 / delta)) / rows)) <= delta + 1e-9


def test_the_inequality_that_the_notes_start_from_fails():
    assert off_by(1, 0.5, 0.5) == 1 > math.exp(-(0.5**2))  # (12.5)
    assert off_by(1, 0.5, 0.5) <= 2 * math.exp(-2 * 0.5**2)  # Hoeffding


def test_the_penalty_of_a_branch_by_hand():
    by_hand = 0.5 * math.sqrt((3 + math.log(200 / 0.05)) / 40)
    assert pruning_penalty(3.0, 40, 200, 0.05, 0.5) == pytest.approx(by_hand)


@given(st.integers(1, 30), st.integers(0, 10**6), st.floats(0.001, 1), st.floats(0.1, 20))
def test_the_theorem_covers_what_the_nodes_may_lose(splits, seed, delta, log_tests):
    """A random binary tree, random rows, and any splits that are cut from the leaves up."""
    random = np.random.default_rng(seed)
    parent, level, leaves = [-1], [0], [0]
    for _ in range(splits):
        v = leaves.pop(random.integers(len(leaves)))
        for _ in range(2):
            leaves.append(len(parent))
            parent.append(v)
            level.append(level[v] + 1)
    rows = np.zeros(len(parent))
    rows[leaves] = random.integers(1, 200, len(leaves))
    for v in range(len(parent) - 1, 0, -1):
        rows[parent[v]] += rows[v]
    m, size, lost = rows[0], np.ones(len(parent)), 0.0
    for v in range(len(parent) - 1, -1, -1):
        size[v] += sum(size[child] for child in range(v + 1, len(parent)) if parent[child] == v)
        if v not in leaves and random.random() < 0.5:
            r = (level[v] + size[v]) * log_tests + math.log(m / delta)
            lost += 3 * math.sqrt(r / rows[v]) * 2 * rows[v] / m  # p_v < 2 m_v/m, three summands each
            size[v] = 1
    n, depth = len(parent), max(level)
    rare, common = pruning_excess(n, depth, m, log_tests, delta)
    assert lost <= common + 1e-9
    assert rare == pytest.approx(12 * n * math.log(n / delta) / m)
    if n <= m:
        assert rare + common <= 12 * excess_rate(n, depth, m, log_tests, delta)


def test_a_term_that_the_notes_call_at_most_one_is_more():
    assert float(pruning_penalty(3 * math.log(20), 4, 1000, 0.05)) > 1  # √(r/m_v) of four rows


@given(st.floats(0, 50), st.floats(0.02, 0.9), st.floats(0.001, 1))
def test_so_many_rows_are_enough_and_one_fewer_is_not(log_classes, epsilon, delta):
    m = rows_for_deviation(log_classes, epsilon, delta)
    assert deviation(log_classes, m, delta) <= epsilon + 1e-12
    assert m == 1 or deviation(log_classes, m - 1, delta) > epsilon
    m = rows_without_errors(log_classes, epsilon, delta)
    assert log_classes - epsilon * m <= math.log(delta) + 1e-9  # |H| e^(−εm) ≤ δ, and so |H| (1 − ε)^m
    assert m <= 1 or log_classes - epsilon * (m - 1) > math.log(delta)


def test_rows_by_the_dimension_by_hand():
    assert rows_by_dimension(1, 0.1, 0.05) == math.ceil(8 / 0.1 * math.log2(130))
    assert rows_by_dimension(0, 0.1, 0.05) == math.ceil(4 / 0.1 * math.log2(40))
