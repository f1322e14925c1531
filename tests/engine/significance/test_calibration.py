"""LogWorth is calibrated: with a target that knows nothing of the columns the best split of a column is as surprising
as it says, for every kind of column, target and weight. What is measured, and the table of it: `tests.calibration`.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from engine.significance.kernels import BY_ROWS, CUTS, EACH, GROUPS, ONE_VS_REST
from engine.significance.permutation import Permutations, Target
from tests.calibration import ALPHAS, TARGETS, WEIGHTS, p_values

CI = {  # (rows, tables in a usual run and with --full, kinds of target, a part of the names of the columns, weights)
    "few rows": (30, 60, 250, ("halves", "3 classes", "claims"), "", "none"),
    "skewed": (200, 50, 120, ("t2", "claims"), "levels", "none"),
    "cuts": (200, 70, 200, ("halves", "3 classes", "normal", "claims"), "plain integers", "none"),
    "weights": (200, 50, 120, ("halves", "lognormal"), "plain 5 levels", "weight"),
}
RARELY = 1e-5  # how often one of the many shares may be out of bounds by chance


def too_often(p, alpha):
    return int(np.count_nonzero(p <= alpha * (1 + 1e-9))) > binom.isf(RARELY, p.size, alpha)


@pytest.mark.parametrize("case", CI)
def test_noise_is_no_more_surprising_than_chance_makes_it(case, full):
    n, usual, tables, kinds, only, weighted = CI[case]
    for cell, p in p_values(n, tables if full else usual, 7, kinds, weighted, only).items():
        for alpha in (0.3, *ALPHAS):
            assert not too_often(p, alpha), (cell, alpha, np.mean(p <= alpha))


@pytest.mark.slow
@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("n", [30, 200, 2000])
@pytest.mark.parametrize("kind", TARGETS)
def test_every_kind_is_calibrated(n, kind, weighted, full):
    """Never above α, and, where there are so many different p-values that rows can be told apart, never below α / 4."""
    for (_, column), p in p_values(n, 2000 if full else 60, 3, (kind,), weighted).items():
        for alpha in ALPHAS:
            assert not too_often(p, alpha), (column, alpha, np.mean(p <= alpha))
            few = binom.ppf(RARELY, p.size, alpha / 4)
            coarse = np.unique(p).size < 20 or n == 30  # the next test asks what so few rows can show
            assert coarse or np.count_nonzero(p <= alpha) >= few, (column, alpha, np.mean(p <= alpha))


@pytest.mark.parametrize("form", [CUTS, GROUPS, ONE_VS_REST, EACH])
@pytest.mark.parametrize("kind", ["rare", "halves", "ten", "normal"])
def test_of_few_rows_it_reaches_what_permutations_reach(form, kind):
    """30 rows: the p-value of the k-th best of many deals is k ÷ deals, for every k."""
    random = np.random.default_rng(0)
    counts = {"rare": [1, 29], "halves": [15, 15], "ten": [3] * 10, "normal": []}[kind]
    target = Target.of_rows(np.array(counts, dtype=float), random.normal(size=30 * (not counts)))
    sizes = np.array([4, 3, 3, 5, 2, 6, 7, 0])
    dealt, told = (Permutations(replace(target, seed=seed), form, sizes) for seed in (1, 2))
    assert dealt._how == BY_ROWS
    dealt.log_p(1.1)  # no deal explains as much: all of them are made
    for alpha in (0.5, 0.05, 0.01):
        share = float(np.quantile(dealt._shares, 1 - alpha))
        reached = float(np.mean(dealt._shares >= share * (1 - 1e-9)))
        assert np.exp(told.log_p(share)[0]) == pytest.approx(reached, rel=1.5)


@pytest.mark.parametrize("kind", ["rare class", "claims"])
def test_weighted_rows_of_a_rare_class_are_not_judged_too_timidly(kind):
    """Two levels are one partition: its permutation test stands, not the textbook's, whose p is far too large here."""
    for p in p_values(200, 300, 11, (kind,), "weight", "plain 2 levels").values():
        for alpha in (0.3, 0.1):
            assert binom.ppf(RARELY, p.size, alpha) <= np.count_nonzero(p <= alpha) <= binom.isf(RARELY, p.size, alpha)
