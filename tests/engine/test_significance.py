import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.search.permutation_null import Deal
from engine.significance import single as significance
from engine.significance.adjusted import Chance, Single, chance_of_cuts, chance_of_tries, evidence
from engine.significance.groupings import chance_of_groups, chance_of_one
from engine.significance.single import log_p_chi_square, log_p_explained
from tests.effort import examples


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


def deal_of(branches, n):
    """The target of a node with these branches: classes by their counts, or normal numbers."""
    if branches.shape[1] == 2:
        return Deal.of_classes(branches.sum(axis=0), n)
    return Deal.of_numbers(np.random.default_rng(0).normal(size=n))


def alone(branches, n):
    """The test of the only partition that there is."""
    return evidence(branches, n, Chance(deal_of(branches, n), 0.0, len(branches)))


def test_p_values_below_every_float_stay_finite():
    assert log_p_chi_square(2e6, 1) == pytest.approx(-1e6, rel=1e-4)
    assert -math.inf < log_p_explained(1.0, 1, 10**6) < -1e6
    branches = np.array([[50_000.0, 0.0], [0.0, 50_000.0]])
    deal = deal_of(branches, 100_000)
    for chance in (
        chance_of_cuts(deal, np.full(1000, 100), 0),
        chance_of_groups(deal, np.full(100, 1000), 0),
        chance_of_groups(deal, np.full(4, 25_000), 0),
    ):
        assert 1e4 < evidence(branches, 100_000, chance).logworth < 1e6


def test_worked_value_of_two_classes():
    """Pearson's X² of (30, 10) against (15, 25), by scipy."""
    branches = np.array([[30.0, 10.0], [15.0, 25.0]])
    expected = stats.chi2_contingency(branches, correction=False)
    found = alone(branches, 80)
    assert (found.test, found.freedom, found.rows) == ("X²", (1,), 80)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.logworth == pytest.approx(-math.log10(expected.pvalue), rel=1e-10)
    of_three = evidence(np.array([[30.0, 10], [15, 25], [5, 9]]), 94, Chance(deal_of(branches, 94), math.log(10), 40))
    expected = stats.chi2_contingency([[30, 10], [15, 25], [5, 9]], correction=False).pvalue
    assert of_three.freedom == (2,)
    assert of_three.logworth == pytest.approx(-math.log10(10 * expected), rel=1e-10)


def test_worked_value_of_a_numeric_target():
    """Two branches: the F test of one way analysis of variance."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 20), rng.normal(0.7, 1, 25)
    branches = np.array([[len(v), v.sum(), (v * v).sum()] for v in (a, b)])
    expected, found = stats.f_oneway(a, b), alone(branches, 45)
    assert (found.test, found.freedom) == ("F", (1, 43))
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.logworth == pytest.approx(-math.log10(expected.pvalue), rel=1e-8)


def test_weights_do_not_pretend_to_be_rows():
    branches = np.array([[30.0, 10.0], [15.0, 25.0]])
    chance = chance_of_cuts(deal_of(branches, 80), np.full(5, 16), 0)
    other = chance_of_cuts(deal_of(1000 * branches, 80), np.full(5, 16), 0)
    assert evidence(1000 * branches, 80, other).logworth == pytest.approx(evidence(branches, 80, chance).logworth)


def test_many_branches_cost_no_more_than_one_branch_for_each_value():
    """Three groups of forty levels of 50 rows: 3⁴⁰ ÷ 6 partitions, but forty rows of a table have 39 degrees."""
    branches = np.array([[420.0, 280.0], [300.0, 300.0], [280.0, 420.0]])
    deal = deal_of(branches, 2000)
    found = evidence(branches, 2000, chance_of_tries(deal, np.full(40, 50), 0, 40 * math.log(3)))
    assert found.log_adjusted == pytest.approx(log_p_chi_square(found.statistic, 39))
    few = evidence(branches, 2000, chance_of_tries(deal, np.full(40, 50), 0, 1.0))
    assert few.log_adjusted == pytest.approx(few.log_p + 1.0)


def test_a_name_for_every_row_proves_nothing():
    """Perfect branches out of 1,000 values for 1,000 rows, by two groups and by one branch for each row."""
    two = np.array([[500.0, 0.0], [0.0, 500.0]])
    each = np.repeat(np.eye(2), 500, axis=0)
    names = np.ones(1000, dtype=np.int64)
    assert evidence(two, 1000, chance_of_groups(deal_of(two, 1000), names, 0)).logworth < 0.5
    assert evidence(each, 1000, chance_of_tries(deal_of(each, 1000), names, 0, 0.0)).logworth < 0.5
    numbers = np.array([[500.0, -400.0, 500.0], [500.0, 400.0, 500.0]])
    assert evidence(numbers, 1000, chance_of_groups(deal_of(numbers, 1000), names, 0)).logworth < 0.5


@pytest.mark.parametrize(
    ("n", "branches"),
    [
        (10, [[5.0, 0.0], [5.0, 0.0]]),
        (10, [[5.0, 5.0], [0.0, 0.0]]),
        (2, [[2.0, 4.0, 8.0], [2.0, 4.0, 8.0]]),
        (2, [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]),
    ],
)
@pytest.mark.parametrize("make", [chance_of_cuts, chance_of_groups])
def test_where_nothing_can_be_tested_logworth_is_zero(n, branches, make):
    branches = np.array(branches)
    assert evidence(branches, n, make(deal_of(branches, n), np.array([1] * n), 0)).logworth == 0.0


@examples(40)
@given(st.integers(3, 12), st.integers(5, 60), st.integers(0, 20), st.integers(0, 10**6), st.booleans())
def test_the_adjusted_p_is_never_below_that_of_the_partition(m, n, lacking, seed, number):
    """And a larger statistic is never less surprising."""
    random = np.random.default_rng(seed)
    rows = np.bincount(random.integers(0, m, n), minlength=m)
    rows, total = rows[rows > 0], n + lacking
    deal = Deal.of_numbers(random.normal(size=total)) if number else Deal.of_classes(np.array([0.6, 0.4]), total)
    for chance in (chance_of_cuts(deal, rows, lacking), chance_of_groups(deal, rows, lacking)):
        before = 0.0
        for gap in (0.02, 0.1, 0.2, 0.3):
            half = total / 2
            if number:
                branches = np.array([[half, -gap * half, half], [half, gap * half, half]])
            else:
                share = 0.6 + np.array([-gap, gap])
                branches = half * np.column_stack((share, 1 - share))
            found = evidence(branches, total, chance)
            assert found.log_p <= found.log_adjusted <= 0.0
            assert found.log_adjusted <= before + 1e-9
            before = found.log_adjusted


@pytest.mark.parametrize("sizes", [[20] * 3, [5, 8, 30, 2], [10, 1, 12, 1, 20, 3], [6] * 8])
@pytest.mark.parametrize("kind", ["cuts", "groups"])
def test_the_p_value_of_the_best_is_that_of_all_deals(sizes, kind):
    """Two classes dealt out 4,000 times, the best partition found by trying all of them."""
    random, sizes = np.random.default_rng(3), np.array(sizes)
    n = int(sizes.sum())
    hits = n // 3
    y = np.zeros(n)
    y[:hits] = 1
    k = sizes.size
    if kind == "cuts":
        sides = np.array([[i <= cut for i in range(k)] for cut in range(k - 1)])
    else:
        sides = np.array([[(mask >> i) & 1 for i in range(k)] for mask in range(1, 1 << (k - 1))])
    dealt = random.permuted(np.broadcast_to(y, (4000, n)), axis=1)
    sums = np.add.reduceat(dealt, np.append(0, np.cumsum(sizes)[:-1]), axis=1)
    rows = sides @ sizes
    q = hits / n
    best = ((sums @ sides.T - rows * q) ** 2 * n / (rows * (n - rows) * q * (1 - q))).max(axis=1)
    deal = Deal.of_classes(np.array([hits, n - hits], dtype=float), n)
    chance = (chance_of_cuts if kind == "cuts" else chance_of_groups)(deal, sizes, 0)
    for share in (0.5, 0.1, 0.02):
        x = float(np.quantile(best, 1 - share))
        seen = float(np.mean(best >= x * (1 - 1e-9)))
        p = math.exp(chance.maximum(Single(n, x, x / n, (1,), log_p_chi_square(x, 1))))
        assert p / 2 - 0.01 <= seen <= 1.35 * p + 0.02  # of some rows in a level, ties of the statistic are large


def test_the_same_rows_give_the_same_p_value():
    deal = Deal.of_numbers(np.random.default_rng(0).exponential(size=200))
    branches = np.array([[100.0, -20.0, 90.0], [100.0, 20.0, 110.0]])
    for make in (chance_of_cuts, chance_of_groups):
        once, again = (evidence(branches, 200, make(deal, np.full(20, 10), 0)).log_adjusted for _ in range(2))
        assert once == again


def test_levels_against_missing_rows_are_one_division_of_many():
    """Of 12 rows the one without a level is the outlier: one deal in 12 has that, and 15 divisions were compared."""
    frame = pd.DataFrame({"town": [None, *"abcd", *"abcabca"], "y": [1000.0, *np.linspace(0, 1, 11)]})
    table = engine.Table.from_frame(frame, "y")
    (found,) = engine.candidates(table, engine.Tree.root(table))
    assert found.rows == (11, 1) and found.split.groups[1] == ()
    assert found.evidence.log_tries == pytest.approx(math.log(15))
    assert 10.0**-found.logworth >= 1 / 12
    weighed = engine.weigh(table, engine.Tree.root(table), 0, found.split)
    assert weighed.logworth == pytest.approx(found.logworth)


@pytest.mark.parametrize("kind", ["number", "level"])
def test_a_small_branch_is_judged_by_deals_where_it_is_the_only_partition_too(kind):
    """The one row of its kind is the outlier, or the only hit: that happens once in 12 deals, whatever F or X² says."""
    one = np.arange(12) == 0
    column = one.astype(float) if kind == "number" else np.where(one, "b", "a")
    for y in (np.where(one, 1000.0, np.linspace(0, 1, 12)), np.where(one, "yes", "no")):
        table = engine.Table.from_frame(pd.DataFrame({"x": column, "y": y}), "y", roles={"x": "feature"})
        (found,) = engine.candidates(table, engine.Tree.root(table))
        assert found.rows in ((1, 11), (11, 1))
        assert found.evidence.log_tries == 0.0
        assert 10.0**-found.logworth == pytest.approx(1 / 12, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 12, 24])
def test_of_few_rows_perfect_groups_are_no_surprise(n):
    """Two classes, eight levels: all can be told apart in one deal of some dozens."""
    random, p = np.random.default_rng(1), []
    for _ in range(1500):
        frame = pd.DataFrame({"town": random.choice(list("abcdefgh"), n)})
        frame["y"] = random.permutation(["u", "v"] * (n // 2))
        table = engine.Table.from_frame(frame, "y", roles={"town": "feature"})
        (found,) = engine.candidates(table, engine.Tree.root(table), threads=1)
        p.append(10.0**-found.logworth)
    for alpha in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3):
        assert np.mean(np.array(p) <= alpha) <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / len(p)), alpha


@examples(50)
@given(st.integers(3, 40), st.floats(0.3, 12.0), st.integers(0, 10**6))
def test_pairs_of_rows_are_counted(n, x, seed):
    """How often two of n rows with a skewed target explain as much: all pairs tried."""
    y = np.exp(1.5 * np.random.default_rng(seed).normal(size=n))
    d = (y - y.mean()) / y.std()
    sums = np.abs(d[:, None] + d[None, :])[np.triu_indices(n, 1)]
    expected = float(np.mean(sums**2 * (n - 1) / (2 * (n - 2)) >= x * (1 - 1e-9)))
    found = Deal.of_numbers(y).tails(np.array([2.0]), x, log_p_chi_square(x, 1))
    assert found[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_one_level_against_the_rest_is_as_surprising_as_in_all_deals(kind):
    """Some levels have one row: where that is the outlier, it is no wonder."""
    random, sizes = np.random.default_rng(2), np.array([30, 20, 6, 1, 1, 1, 1])
    n = int(sizes.sum())
    y = random.normal(size=n) if kind == "normal" else np.exp(1.5 * random.normal(size=n))
    d = (y - y.mean()) / y.std()
    dealt = random.permuted(np.broadcast_to(d, (20_000, n)), axis=1)
    sums = np.add.reduceat(dealt, np.append(0, np.cumsum(sizes)[:-1]), axis=1)
    best = (sums**2 / (sizes * (n - sizes))).max(axis=1)
    chance = chance_of_one(Deal.of_numbers(y), sizes, 0)
    assert chance.log_tries == pytest.approx(math.log(7))
    for share in (0.3, 0.1, 0.02):
        explained = float(np.quantile(best, 1 - share))
        seen = float(np.mean(best >= explained * (1 - 1e-9)))
        p = math.exp(chance.maximum(Single(n, 0.0, explained, (1, n - 2), log_p_explained(explained, 1, n - 2))))
        assert p / 2 - 0.005 <= seen <= 1.3 * p + 0.005


@pytest.mark.slow
@pytest.mark.parametrize("column", ["number", "level"])
def test_with_a_branch_for_missing_rows_noise_is_no_more_surprising(column):
    random, p, n = np.random.default_rng(1), [], 60
    for _ in range(1500):
        values = random.normal(size=n) if column == "number" else random.choice(list("abcd"), n)
        values = pd.Series(values).mask(random.random(n) < 0.2)
        frame = pd.DataFrame({"x": values, "y": random.permutation(["u", "v"] * (n // 2))})
        table = engine.Table.from_frame(frame, "y", roles={"x": "feature"})
        (found,) = engine.candidates(table, engine.Tree.root(table), threads=1, missing="branch")
        p.append(10.0**-found.logworth)
    for alpha in (0.003, 0.01, 0.03, 0.05, 0.1, 0.3, 0.6):
        share = np.mean(np.array(p) <= alpha)
        assert share <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / len(p)), alpha
        assert alpha < 0.03 or share >= alpha / 4, alpha


@pytest.mark.parametrize("skewed", [False, True])
def test_what_explains_nearly_all_of_many_rows_is_no_chance(skewed):
    """However far single rows lie out, no few of them go as far as a cut that half of the rows bear out."""
    random = np.random.default_rng(2)
    x = random.normal(size=20_000)
    y = x + 0.3 * random.normal(size=20_000)
    frame = pd.DataFrame({"x": x, "t": np.exp(y) if skewed else y})
    table = engine.Table.from_frame(frame, target="t")
    found = engine.candidates(table, engine.Tree.root(table))[0]
    share = found.gain * 20_000 / (20_000 * float(np.var(frame.t)))
    single = -log_p_explained(share, 1, 19_998) / math.log(10)
    assert single > 1000
    assert (100 if skewed else single - math.log10(20_000) - 1) <= found.logworth <= single  # far rows may do much


@pytest.mark.parametrize(("levels", "lacking", "ways"), [(4, 0, 4), (2, 0, 1), (4, 9, 9), (2, 9, 3), (1, 9, 1)])
def test_one_level_is_compared_alone_and_together_with_the_missing_rows(levels, lacking, ways):
    """Of two levels each is the other's rest, and {level and missing} is that of the other."""
    rows = np.arange(10, 10 + levels)
    chance = chance_of_one(
        Deal.of_numbers(np.random.default_rng(0).normal(size=int(rows.sum()) + lacking)), rows, lacking
    )
    assert chance.log_tries == pytest.approx(math.log(ways))
