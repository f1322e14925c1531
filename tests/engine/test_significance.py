import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engine import significance
from engine.kernels.search import best_cut
from engine.significance import log_p_chi_square, log_p_explained, logworth


@given(st.floats(0.01, 500), st.integers(1, 60))
def test_chi_square_is_the_survival_function(x, freedom):
    assert log_p_chi_square(x, freedom) == pytest.approx(stats.chi2.logsf(x, freedom), abs=1e-9, rel=1e-9)


@given(st.floats(0.001, 0.8), st.integers(1, 10), st.integers(1, 200))
def test_the_explained_share_is_the_f_test(share, between, within):
    f = (share / between) / ((1 - share) / within)
    assert log_p_explained(share, between, within) == pytest.approx(
        stats.f.logsf(f, between, within), abs=1e-8, rel=1e-8
    )


@pytest.mark.parametrize("freedom", [1, 2, 7, 100])
def test_the_asymptotic_chi_square_continues_the_exact_one(monkeypatch, freedom):
    exact = log_p_chi_square(800.0, freedom)
    monkeypatch.setattr(significance, "TINY", 1.0)
    assert log_p_chi_square(800.0, freedom) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(("share", "between", "within"), [(0.5, 1, 900), (0.9, 4, 400), (0.99, 1, 100)])
def test_the_asymptotic_f_test_continues_the_exact_one(monkeypatch, share, between, within):
    exact = log_p_explained(share, between, within)
    monkeypatch.setattr(significance, "TINY", 1.0)
    assert log_p_explained(share, between, within) == pytest.approx(exact, rel=1e-12)


def test_p_values_below_every_float_stay_finite():
    assert log_p_chi_square(2e6, 1) == pytest.approx(-1e6, rel=1e-4)
    assert -math.inf < log_p_explained(1.0, 1, 10**6) < -1e6
    branches = np.array([[50_000.0, 0.0], [0.0, 50_000.0]])
    assert 1e4 < logworth("classes", branches, 100_000, 5.0, 100, False) < 1e6


def test_worked_value_of_two_classes():
    """G² of (30, 10) against (15, 25), one cut tried, by scipy's likelihood-ratio test."""
    branches = np.array([[30.0, 10.0], [15.0, 25.0]])
    expected = stats.chi2_contingency(branches, correction=False, lambda_="log-likelihood").pvalue
    assert logworth("classes", branches, 80, 0.0, 2, False) == pytest.approx(-math.log10(expected), rel=1e-10)
    adjusted = logworth("classes", branches, 80, math.log(10), 40, False)
    assert adjusted == pytest.approx(-math.log10(10 * expected), rel=1e-10)


def test_worked_value_of_a_numeric_target():
    """Two branches: the F test of one way analysis of variance."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 20), rng.normal(0.7, 1, 25)
    branches = np.array([[len(v), v.sum(), (v * v).sum()] for v in (a, b)])
    assert logworth("number", branches, 45, 0.0, 2, False) == pytest.approx(
        -math.log10(stats.f_oneway(a, b).pvalue), rel=1e-8
    )


def test_weights_do_not_pretend_to_be_rows():
    branches = np.array([[30.0, 10.0], [15.0, 25.0]])
    assert logworth("classes", 1000 * branches, 80, 1.0, 5, False) == pytest.approx(
        logworth("classes", branches, 80, 1.0, 5, False)
    )


def test_many_levels_cost_no_more_than_one_branch_for_each():
    """Forty levels of 50 rows: 2³⁹ partitions, but a table of forty rows has only 39 degrees of freedom."""
    branches = np.array([[800.0, 200.0], [200.0, 800.0]])
    by_levels = -log_p_chi_square(2 * 2000 * math.log(2) * 0.278072, 39) / math.log(10)
    assert logworth("classes", branches, 2000, 1e9, 40, True) == pytest.approx(by_levels, rel=1e-4)
    assert logworth("classes", branches, 2000, 1.0, 40, True) > by_levels


def test_a_name_for_every_row_proves_nothing():
    """Perfect branches out of 1,000 values for 1,000 rows, by two groups and by one branch for each row."""
    two = np.array([[500.0, 0.0], [0.0, 500.0]])
    each = np.repeat(np.eye(2), 500, axis=0)
    assert logworth("classes", two, 1000, 999 * math.log(2), 1000, True) < 0.5
    assert logworth("classes", each, 1000, 0.0, 1000, True) < 0.5
    numbers = np.array([[500.0, -400.0, 500.0], [500.0, 400.0, 500.0]])
    assert logworth("number", numbers, 1000, 999 * math.log(2), 1000, True) == 0


@pytest.mark.parametrize(
    ("task", "branches"),
    [
        ("classes", [[5.0, 0.0], [5.0, 0.0]]),
        ("classes", [[5.0, 5.0], [0.0, 0.0]]),
        ("number", [[2.0, 4.0, 8.0], [2.0, 4.0, 8.0]]),
        ("number", [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]),
    ],
)
def test_where_nothing_can_be_tested_logworth_is_zero(task, branches):
    assert logworth(task, np.array(branches), 10 if task == "classes" else 2, 0.0, 2, True) == 0.0


def test_noise_is_rarely_called_significant():
    """200 columns of noise with 60 rows: at most about one in twenty may have p < 0.05 after the adjustment."""
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(200):
        y = rng.integers(0, 2, 60)
        runs = np.eye(2)[y]
        _, _, cut, _ = best_cut(runs, np.ones(60, np.int64), np.zeros(2), 0, 1, 5)
        branches = np.stack((runs[: cut + 1].sum(axis=0), runs[cut + 1 :].sum(axis=0)))
        alarms += logworth("classes", branches, 60, math.log(59), 60, False) > -math.log10(0.05)
    assert alarms <= 10
