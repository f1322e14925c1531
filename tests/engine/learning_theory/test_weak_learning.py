"""Weak learning: the drops hold for every split and are attained where they are said to be; where the notes err."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.learning_theory.weak_learning import (
    COSTS,
    advantages,
    cost,
    least_drop,
    least_error,
    lemma_leaf,
    log_steps,
    next_cost,
    notes_drop,
    notes_next_cost,
    steps_by_recurrence,
)

shares = st.floats(0.001, 0.999)


def notes_cost(criterion, q):
    """The three G of the notes, as they stand there."""
    if criterion == "gini":
        return 2 * q * (1 - q)
    if criterion == "sqrt":
        return math.sqrt(q * (1 - q))
    return 0.5 * sum(p * math.log2(1 / p) for p in (q, 1 - q) if p > 0)


def drop_of(criterion, q, a, b):
    """G(q) − Σ τ G(branch) of a split that a of the positive and b of the negative rows take left."""
    found = notes_cost(criterion, q)
    for of_yes, of_no in ((a, b), (1 - a, 1 - b)):
        weight = q * of_yes + (1 - q) * of_no
        if weight > 0:
            found -= weight * notes_cost(criterion, min(q * of_yes / weight, 1.0))
    return found


@pytest.mark.parametrize("criterion", COSTS)
def test_the_costs_are_those_of_the_notes(criterion):
    q = np.linspace(0, 1, 21)
    assert np.allclose(cost(criterion, q), [notes_cost(criterion, one) for one in q])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5))
def test_the_advantage_is_that_over_a_coin_where_classes_are_balanced(branches):
    yes, no = np.array(branches, float).T
    parent = np.array([-1, *[0] * len(branches)])
    found = advantages(parent, np.append(yes.sum(), yes), np.append(no.sum(), no))
    assert np.isnan(found[1:]).all()
    if not yes.sum() or not no.sum():
        assert np.isnan(found[0])
        return
    balanced = np.stack([yes / yes.sum(), no / no.sum()]) / 2  # half of the weight is positive
    assert found[0] == pytest.approx(0.5 - balanced.min(axis=0).sum())


@given(st.sampled_from(COSTS), shares, st.floats(0, 1), st.floats(0, 1))
def test_every_split_drops_by_what_its_advantage_asks_for(criterion, q, a, b):
    gamma, drop = abs(a - b) / 2, drop_of(criterion, q, a, b)
    assert drop >= least_drop(criterion, q, gamma) - 1e-9
    assert least_drop(criterion, q, gamma) >= notes_drop(q, gamma) - 1e-12  # so that of the notes holds for all three


@given(shares, st.floats(0.001, 1))
def test_gini_attains_it_where_the_branches_are_equal(q, part):
    gamma = part / (4 * max(q, 1 - q))  # or no such split leaves half of the rows on each side
    a, b = 0.5 + 2 * gamma * (1 - q), 0.5 - 2 * gamma * q
    assert drop_of("gini", q, a, b) == pytest.approx(float(least_drop("gini", q, gamma)), abs=1e-12)
    assert least_drop("gini", q, gamma) == pytest.approx(2 * notes_drop(q, gamma))  # 32, not 16


@given(shares, st.floats(0, 0.5))
def test_the_root_attains_it_where_both_classes_are_told_equally_well(q, gamma):
    exact = float(least_drop("sqrt", q, gamma))
    assert drop_of("sqrt", q, 0.5 + gamma, 0.5 - gamma) == pytest.approx(exact, abs=1e-12)
    assert exact >= 2 * gamma**2 * math.sqrt(q * (1 - q)) - 1e-12


@given(shares)
def test_entropy_comes_near_for_small_advantages(q):
    gamma = 1e-3
    drop = drop_of("entropy", q, 0.5 + gamma, 0.5 - gamma)
    assert drop == pytest.approx(float(least_drop("entropy", q, gamma)), rel=1e-4)


def test_the_constant_of_the_notes_is_attained_by_the_root():
    assert least_drop("sqrt", 0.5, 1e-3) == pytest.approx(float(notes_drop(0.5, 1e-3)), rel=1e-5)


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 0.5)), min_size=2, max_size=9))
def test_there_is_a_leaf_as_the_lemma_says(leaves):
    share, error = np.array(leaves).T
    share, t = share / share.sum(), len(leaves) - 1
    whole = float(share @ error)
    found = lemma_leaf(share, error, t)
    if whole == 0:
        assert found == -1
        return
    assert share[found] >= whole / (3 * t) - 1e-9
    assert error[found] >= whole / 3 - 1e-9
    assert np.any((share >= whole / (2 * t) - 1e-9) & (error >= whole / 2 - 1e-9))  # as the notes go on


def test_a_root_is_its_own_leaf_of_the_lemma():
    assert lemma_leaf(np.ones(1), np.array([0.3]), 0) == 0


def test_the_equality_of_the_notes_between_error_and_gini_is_none():
    share, q = np.array([0.5, 0.5]), np.array([0.0, 0.4])
    error, g = float(share @ np.minimum(q, 1 - q)), float(share @ cost("gini", q))
    assert error >= g / 2
    assert abs(g / 2 - error * (1 - error)) > 0.03  # they say ε ≥ G/2 = ε(1 − ε)


@given(st.lists(st.tuples(st.floats(0.01, 1), shares), min_size=1, max_size=9), st.floats(0.01, 0.5))
def test_the_best_leaf_drops_by_what_the_recurrence_says(leaves, gamma):
    weight, q = np.array(leaves).T
    weight, n = weight / weight.sum(), len(leaves)
    for criterion in COSTS:
        g = float(weight @ cost(criterion, q))
        best = float((weight * least_drop(criterion, q, gamma)).max())
        assert g - best <= next_cost(criterion, g, n, gamma) + 1e-12
    if n > 1:
        g = float(weight @ cost("gini", q))
        assert g - float((weight * least_drop("gini", q, gamma)).max()) <= notes_next_cost(g, n - 1, gamma) + 1e-12


@given(st.floats(1e-9, 0.5))
def test_the_least_error_of_an_entropy(g):
    e = least_error(g)
    assert 0 < e <= 0.5
    assert notes_cost("entropy", e) == pytest.approx(g, rel=1e-6)
    assert notes_cost("entropy", e) <= g * (1 + 1e-9)


@given(st.sampled_from((*COSTS, "notes")), st.floats(0.05, 0.49), st.floats(0.05, 0.5), st.floats(0.01, 0.5))
def test_the_formulas_solve_the_recurrences(criterion, epsilon, gamma, first):
    steps, enough = steps_by_recurrence(criterion, epsilon, gamma, first), log_steps(criterion, epsilon, gamma)
    if steps is not None:
        assert math.log(max(steps, 1)) <= enough + 1e-9
    else:
        assert enough > math.log(20_000)


@pytest.mark.parametrize("criterion", [*COSTS, "notes"])
def test_steps_that_nothing_is_known_of(criterion):
    assert log_steps(criterion, 0.1, 0.0) == math.inf
    assert log_steps(criterion, 0.1, math.nan) == math.inf
    assert log_steps(criterion, 0.5, 0.1) == 0.0
    assert steps_by_recurrence(criterion, 0.1, 0.0, 0.5) is None


def test_the_order_of_the_criteria_is_that_of_the_paper():
    """Kearns and Mansour 1996: (1/ε)^O(1/γ²ε²), (1/ε)^O(log(1/ε)/γ²), (1/ε)^O(1/γ²)."""
    gini, entropy, root, notes = (log_steps(one, 0.001, 0.1) for one in ("gini", "entropy", "sqrt", "notes"))
    assert root < entropy < gini < notes
    powers = {name: log_steps(name, 1e-9, 0.1) / log_steps(name, 1e-3, 0.1) for name in ("sqrt", "entropy")}
    assert powers["sqrt"] == pytest.approx(3, rel=0.1)  # as ln(1/ε)
    assert powers["entropy"] == pytest.approx(9, rel=0.5)  # as its square
