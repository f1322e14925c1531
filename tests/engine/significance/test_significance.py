import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

import engine
from engine.pruning.by_rule import SplitEvidence
from engine.runtime.progress import Progress
from engine.search.column_search import log_tries
from engine.search.kernels import split_kinds
from engine.significance import adjusted as significance
from engine.significance.adjusted import Comparison, Single, log_p_chi_square, log_p_explained, small_tails
from engine.significance.kernels import CUTS, EACH, GROUPS, ONE_VS_REST, tail_of_cuts, tail_of_hits
from engine.significance.permutation import Permutations, Target
from tests import naive_significance as naive
from tests.effort import examples, pairs


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


def target_of(branches, n):
    """The target of a node with these branches: classes by their counts, or normal numbers."""
    if branches.shape[1] == 2:
        return Target.of_rows(branches.sum(axis=0) * (n / branches.sum()), np.empty(0))
    return Target.of_rows(np.empty(0), np.random.default_rng(0).normal(size=n))


def alone(branches, n):
    """The test of the only partition that there is."""
    return Comparison(target_of(branches, n), 0.0).evidence(branches)


def compared(form, target, rows, lacking=0):
    """What a search compares that makes splits of this form."""
    code = {CUTS: split_kinds.CUT, GROUPS: split_kinds.GROUPS, ONE_VS_REST: split_kinds.ONE_VS_REST}[form]
    m = len(rows) + (lacking > 0)
    tries = log_tries(code, len(rows), lacking > 0) if m > 1 else 0.0
    return Comparison(target, tries, form if tries > 0 else EACH, np.asarray(rows, dtype=np.int64), lacking)


def test_p_values_below_every_float_stay_finite():
    assert log_p_chi_square(2e6, 1) == pytest.approx(-1e6, rel=1e-4)
    assert -math.inf < log_p_explained(1.0, 1, 10**6) < -1e6
    branches = np.array([[50_000.0, 0.0], [0.0, 50_000.0]])
    target = target_of(branches, 100_000)
    for one in (
        compared(CUTS, target, np.full(1000, 100)),
        compared(GROUPS, target, np.full(100, 1000)),
        compared(GROUPS, target, np.full(4, 25_000)),
    ):
        assert 1e4 < one.evidence(branches).logworth < 1e6


def test_worked_value_of_two_classes():
    """Pearson's X² of (30, 10) against (15, 25), by scipy."""
    branches = np.array([[30.0, 10.0], [15.0, 25.0]])
    expected = stats.chi2_contingency(branches, correction=False)
    found = alone(branches, 80)
    assert (found.test, found.freedom, found.rows) == ("X²", (1,), 80)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.logworth == pytest.approx(-math.log10(expected.pvalue), rel=1e-10)
    of_three = Comparison(target_of(branches, 94), math.log(10)).evidence(np.array([[30.0, 10], [15, 25], [5, 9]]))
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


def test_a_name_for_every_row_proves_nothing():
    """Perfect branches out of 1,000 values for 1,000 rows, by two groups and by one branch for each row."""
    two = np.array([[500.0, 0.0], [0.0, 500.0]])
    each = np.repeat(np.eye(2), 500, axis=0)
    names, target = np.ones(1000, dtype=np.int64), target_of(two, 1000)
    assert compared(GROUPS, target, names).evidence(two).logworth == 0.0
    assert Comparison(target, 0.0, EACH, names).evidence(each).logworth == 0.0
    y = np.sort(np.random.default_rng(0).normal(size=1000))
    halves = np.array([[500.0, half.sum(), (half**2).sum()] for half in (y[:500], y[500:])])
    assert compared(GROUPS, Target.of_rows(np.empty(0), y), names).evidence(halves).logworth < 0.1


@pytest.mark.parametrize(
    ("n", "branches"),
    [
        (10, [[5.0, 0.0], [5.0, 0.0]]),
        (10, [[5.0, 5.0], [0.0, 0.0]]),
        (2, [[2.0, 4.0, 8.0], [2.0, 4.0, 8.0]]),
        (2, [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]),
    ],
)
@pytest.mark.parametrize("form", [CUTS, GROUPS])
def test_where_nothing_can_be_tested_logworth_is_zero(n, branches, form):
    branches = np.array(branches)
    assert compared(form, target_of(branches, n), np.ones(n)).evidence(branches).logworth == 0.0


def two_branches(total, gap, number):
    """Two branches of equal size: a share of 0.6 or a mean of 0, a little apart."""
    half = total / 2
    if number:
        return np.array([[half, -gap * half, half], [half, gap * half, half]])
    share = 0.6 + np.array([-gap, gap])
    return half * np.column_stack((share, 1 - share))


@examples(40)
@given(st.integers(3, 12), st.integers(5, 60), st.integers(0, 20), st.integers(0, 10**6), st.booleans())
def test_the_adjusted_p_is_never_below_that_of_the_partition(m, n, lacking, seed, number):
    """And a larger statistic is never less surprising."""
    random = np.random.default_rng(seed)
    rows = np.bincount(random.integers(0, m, n), minlength=m)
    rows, total = rows[rows > 0], n + lacking
    target = Target.of_rows(np.rint(np.array([0.6, 0.4]) * total), random.normal(size=total * number))
    for form in (CUTS, GROUPS):
        before, one = 0.0, compared(form, target, rows, lacking)
        for gap in (0.02, 0.1, 0.2, 0.3):
            found = one.evidence(two_branches(total, gap, number))
            assert found.log_p <= found.log_adjusted <= 0.0
            assert found.log_adjusted <= before + 1e-9
            before = found.log_adjusted


SIZES = [[20] * 3, [5, 8, 30, 2], [10, 1, 12, 1, 20, 3], [6] * 8, [60] * 8]


@pytest.mark.parametrize(
    ("sizes", "form", "kind"),
    pairs(SIZES, [CUTS, GROUPS, ONE_VS_REST, EACH], ["two", "three", "numbers", "weights"]),
)
def test_the_p_value_is_that_of_all_permutations(sizes, form, kind):
    """A target dealt out 2,000 times by a slow twin, the best partition found by trying all of them."""
    random, sizes = np.random.default_rng(3), np.array(sizes)
    n = int(sizes.sum())
    labels, numbers, weights = np.arange(n) % 3, np.exp(random.normal(size=n)), np.exp(random.normal(size=n))
    labels = np.minimum(labels, 1) if kind in ("two", "weights") else labels
    if kind == "weights":
        own = weights / weights.mean()
        counts, tested = np.bincount(labels, own), round(weights.sum() ** 2 / (weights**2).sum())
        target = Target(n, tested, counts, np.empty(0), labels, own)
    elif kind == "numbers":
        target, weights = Target.of_rows(np.empty(0), numbers), np.ones(n)
    else:
        target, weights = Target.of_rows(np.bincount(labels).astype(float), np.empty(0)), np.ones(n)
    y = numbers[:, None] if kind == "numbers" else np.eye(labels.max() + 1)[labels]
    best = naive.best_of_permutations(y, weights, sizes, naive.partitions(FORMS[form], sizes.size), 1000, seed=5)
    some = [Permutations(replace(target, seed=seed), form, np.append(sizes, 0)) for seed in range(4)]
    for share in (0.5, 0.1, 0.02):
        explained = float(np.quantile(best, 1 - share))
        seen = float(np.mean(best >= explained * (1 - 1e-9)))
        p = math.exp(np.mean([one.log_p(explained)[0] for one in some]))
        assert p == pytest.approx(seen, rel=1.0 if share > 0.4 else 1.4, abs=0.01)
    assert some[0].log_p(0.0) == (0.0, 10, 10)


FORMS = {CUTS: "cuts", GROUPS: "groups", ONE_VS_REST: "one", EACH: "each"}


def test_the_same_rows_give_the_same_p_value():
    target = Target.of_rows(np.empty(0), np.random.default_rng(0).exponential(size=200))
    branches = np.array([[100.0, -20.0, 90.0], [100.0, 20.0, 110.0]])
    for form in (CUTS, GROUPS):
        once, again = (compared(form, target, np.full(20, 10)).evidence(branches).log_adjusted for _ in range(2))
        assert once == again


@examples(60)
@given(st.integers(1, 30), st.integers(1, 60), st.integers(31, 90), st.floats(0.001, 0.4))
def test_a_small_branch_of_two_classes_is_hypergeometric(drawn, hits, n, share):
    hits = min(hits, n - 1)
    law = stats.hypergeom(n, hits, drawn)
    found = np.arange(drawn + 1)
    gain = 2 * (found - drawn * hits / n) ** 2 / (drawn * (n - drawn))
    expected = float(law.pmf(found)[gain >= share * (1 - 1e-9)].sum())
    assert tail_of_hits(drawn, hits, n, share) == pytest.approx(expected, abs=1e-12)


@examples(60)
@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=5),
    st.integers(1, 6),
    st.integers(1, 3),
    st.floats(1e-6, 0.5) | st.just(0.0),
)
def test_the_best_cut_of_two_classes_has_the_p_value_of_all_permutations(sizes, hits, min_leaf, share):
    n, ends = sum(sizes), np.cumsum(sizes)[:-1]
    hits = min(hits, n // 2)
    fair = ends[(ends >= min_leaf) & (n - ends >= min_leaf)]
    dealt = np.array([[i in places for i in range(n)] for places in combinations(range(n), hits)])
    found = dealt.cumsum(axis=1)[:, fair - 1]
    gain = 2 * (found - fair * hits / n) ** 2 / (fair * (n - fair))
    expected = float((gain >= share * (1 - 1e-9)).any(axis=1).mean())
    assert tail_of_cuts(np.array(sizes), hits, share, min_leaf) == pytest.approx(expected, abs=1e-12)


def test_a_perfect_cut_of_two_classes_is_two_permutations_of_all():
    """Of 400 rows, a value each, a cut parts two halves: far below what deals can show."""
    assert tail_of_cuts(np.ones(400, np.int64), 200, 0.5, 1) == pytest.approx(2 / math.comb(400, 200), rel=1e-12)


@examples(40)
@given(st.integers(10, 60), st.integers(1, 20), st.floats(0.02, 0.6), st.integers(0, 10**6))
def test_no_sum_of_few_rows_goes_far_more_often_than_the_bound_says(n, rows, share, seed):
    rows = min(rows, n // 2)
    random = np.random.default_rng(seed)
    target = Target.of_rows(np.empty(0), np.exp(1.5 * random.normal(size=n)))
    dealt = random.permuted(np.broadcast_to(target.numbers, (4000, n)), axis=1)[:, :rows].sum(axis=1)
    often = float(np.mean(dealt**2 / (rows * (n - rows)) >= share))
    test = Single(n, 0.0, share, (1, n - 2), -1.0, share * (n - 1))
    (bound,) = small_tails(target, np.array([float(rows)]), test)
    assert often <= bound + 4 * math.sqrt(bound / 4000) + 1e-3


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
    names = np.repeat([*"abcde"[:levels], None], [*range(10, 10 + levels), lacking])
    frame = pd.DataFrame({"x": names, "y": np.random.default_rng(0).normal(size=names.size)})
    table = engine.Table.from_frame(frame, "y", roles={"x": "feature"})
    (found,) = engine.candidates(table, engine.Tree.root(table), nominal="one_vs_rest")
    assert found.evidence.log_tries == pytest.approx(math.log(ways))


# -- weights


def as_counts(frame):
    """Equal rows as one that counts them."""
    return frame.groupby(list(frame.columns), dropna=False).size().rename("n").reset_index()


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("options", [{}, {"nominal": "multiway"}, {"missing": "branch"}, {"nominal": "one_vs_rest"}])
def test_counted_rows_have_the_p_values_of_the_rows_that_they_stand_for(task, options):
    random = np.random.default_rng(4)
    for size in (60, 600):
        frame = pd.DataFrame({"x": random.integers(0, 6, size), "g": random.choice(list("abcd"), size)}, dtype=object)
        frame.loc[random.random(size) < 0.1, "g"] = None
        frame["y"] = random.integers(0, 3, size) + (frame.g == "a")
        kinds = {"x": "number", "y": "nominal" if task == "classes" else "number"}
        rows = engine.Table.from_frame(frame, "y", kinds=kinds)
        counted = engine.Table.from_frame(as_counts(frame), "y", kinds=kinds, frequencies="n")
        assert counted.n_rows < rows.n_rows and counted.weights_are_counts
        one, other = (engine.candidates(table, engine.Tree.root(table), **options) for table in (rows, counted))
        for first, second in zip(one, other, strict=True):
            assert (first.column, first.split) == (second.column, second.split)
            assert first.evidence.rows == second.evidence.rows == size
            assert first.evidence.log_p == pytest.approx(second.evidence.log_p, rel=1e-9)
            deals = first.evidence.deals, second.evidence.deals
            assert (deals[0] > 0) == (deals[1] > 0)
            noise = 0.6 if deals[0] else 1e-9  # other permutations
            assert first.logworth == pytest.approx(second.logworth, abs=noise)
        tree = engine.grow(counted, max_depth=3, **options)
        evidence = SplitEvidence(counted, tree, 0.05, None, Progress())
        for v in np.flatnonzero(tree.n_branches):
            found = engine.weigh(counted, tree, int(tree.ids[v]), tree.split_at(int(v)), **tree.options).evidence
            assert evidence.log_p(int(v)) == pytest.approx(found.log_adjusted)


def test_weights_of_a_sample_count_no_more_than_kish_says():
    random = np.random.default_rng(1)
    n = 400
    frame = pd.DataFrame({"x": random.random(n), "w": np.exp(random.normal(size=n)), "y": random.choice(["u", "v"], n)})
    table = engine.Table.from_frame(frame, "y", weights="w")
    (found,) = engine.candidates(table, engine.Tree.root(table))
    assert found.evidence.rows == round(frame.w.sum() ** 2 / (frame.w**2).sum()) < 250
    assert found.evidence.deals > 0
    (scaled,) = engine.candidates(table := engine.Table.from_frame(frame.assign(w=7.3 * frame.w), "y", weights="w"),
                                  engine.Tree.root(table))  # fmt: skip
    assert scaled.logworth == pytest.approx(found.logworth)


def test_a_p_value_says_that_it_is_one_of_permutations_and_no_more_than_a_bound():
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"shop": random.choice([f"s{i}" for i in range(40)], 300)})
    frame["y"] = np.where(frame.shop < "s25", 10.0, 0.0) + random.standard_t(2, 300)
    table = engine.Table.from_frame(frame, "y")
    (found,) = engine.candidates(table, engine.Tree.root(table))
    assert found.evidence.deals > 999 and found.evidence.is_bound
    assert found.evidence.log_adjusted == pytest.approx(-math.log(found.evidence.deals + 1))
    said = "\n".join(engine.arithmetic(found, "squared_error").lines())
    assert "permutation test" in said and "p < " in said


# -- rare levels of large tables


def most_gained(sizes, hits, form):
    """(ln of the exact P(at least as much), the Gini gain of the best partition) of every way to deal hits to levels,
    the largest gain first; `hits` of the rows are of one of two classes."""
    n, share = sum(sizes), hits / sum(sizes)
    dealt = np.array([grid.ravel() for grid in np.meshgrid(*[np.arange(size + 1.0) for size in sizes[:-1]])])
    dealt = np.vstack((dealt, hits - dealt.sum(axis=0)))
    dealt = dealt[:, (dealt[-1] >= 0) & (dealt[-1] <= sizes[-1])]
    log_p = sum(ln_choose(size, found) for size, found in zip(sizes, dealt, strict=True)) - ln_choose(n, hits)
    gain = np.zeros(dealt.shape[1])
    for groups in naive.partitions(FORMS[form], len(sizes)):
        parts = [(dealt[list(group)].sum(axis=0), sum(sizes[cell] for cell in group)) for group in groups]
        gain = np.maximum(gain, sum(2 * (found - rows * share) ** 2 / rows for found, rows in parts) / n)
    order = np.argsort(-gain)
    return np.logaddexp.accumulate(log_p[order]), gain[order]


def ln_choose(n, k):
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)


@pytest.mark.parametrize("form", [GROUPS, ONE_VS_REST, EACH])
@pytest.mark.parametrize(
    ("sizes", "hits"),
    [([900, 600, 6], 753), ([900, 600, 6], 452), ([900, 900, 1], 360), ([90, 80, 60, 3], 116)],
)
def test_a_rare_level_does_not_end_the_p_values_and_none_is_below_the_exact_one(form, sizes, hits):
    n, many = sum(sizes), len(sizes)
    target = Target.of_rows(np.array([hits, n - hits], dtype=float), np.empty(0))
    tries = {GROUPS: 2 ** (many - 1) - 1, ONE_VS_REST: many, EACH: 1}[form]
    one = Comparison(target, math.log(tries), form, np.array(sizes))
    exact, gains = most_gained(sizes, hits, form)
    freedom = many - 1 if form == EACH else 1
    for log_p in (-12, -20, -30, -50, -80):
        gain = gains[np.flatnonzero(exact <= log_p)[-1]]
        known, x = exact[np.flatnonzero(gains >= gain * (1 - 1e-9))[-1]], gain * n**3 / (2 * hits * (n - hits))
        told = one.log_formula(Single(n, x, gain, (freedom,), log_p_chi_square(x, freedom), x))
        assert told is None or known <= told
        assert known > -30 or told < 0.7 * known


@pytest.mark.parametrize("kind", ["2 classes", "3 classes", "number"])
@pytest.mark.parametrize("column", ["few levels", "a level and the rest", "missing rows"])
def test_of_large_tables_some_rows_of_a_rare_level_hide_nothing(kind, column):
    random, n = np.random.default_rng(0), 20_000
    alone = column == "a level and the rest"
    town = np.where(alone | (random.random(n) < 0.5), "a", "b").astype(object)
    town[: 40 if alone else 4] = None if column == "missing rows" else "rare"
    y = 0.6 * (town == "a") + 4.0 * alone * (town == "rare") + random.normal(size=n)
    if kind != "number":
        y = np.array(list("pqr"))[np.digitize(y, [1.5] if kind == "2 classes" else [0.5, 1.5])]
    table = engine.Table.from_frame(pd.DataFrame({"town": town, "y": y}), "y")
    (found,) = engine.candidates(table, engine.Tree.root(table))
    assert found.evidence.deals == 0 and 10 < found.logworth <= -found.evidence.log_p / math.log(10) * (1 + 1e-9)


# -- deals that columns share, cuts of two classes up to where they are dealt


@pytest.mark.parametrize("kind", ["3 classes", "number"])
def test_columns_with_as_many_rows_of_each_value_meet_the_same_deals(kind):
    random, n = np.random.default_rng(3), 400
    frame = pd.DataFrame({f"x{i}": random.normal(size=n) for i in range(6)})
    frame["y"] = random.normal(size=n) if kind == "number" else random.choice(list("abc"), n)
    frame["as x0"] = np.exp(frame.x0)
    table = engine.Table.from_frame(frame, "y", roles={"as x0": "feature"})
    found = engine.candidates(table, engine.Tree.root(table), threads=1)
    told = {one.column: one.logworth for one in found}
    by_gain = sorted(found, key=lambda one: one.gain)
    assert told["x0"] == told["as x0"] and all(one.evidence.deals > 0 for one in found)
    assert [one.logworth for one in by_gain] == sorted(told.values())
    alone = engine.candidates(table.with_roles({f"x{i}": "ignore" for i in range(1, 6)}), engine.Tree.root(table))
    assert {one.logworth for one in alone} == {told["x0"]}
    again = engine.candidates(table, engine.Tree.root(table), threads=2)
    assert [(one.column, one.logworth) for one in again] == [(one.column, one.logworth) for one in found]


@pytest.mark.parametrize("n", [900, 3000, 5000])
def test_a_cut_of_two_classes_has_its_exact_p_value_wherever_deals_would_tell_it(n):
    random = np.random.default_rng(n)
    frame = pd.DataFrame({"x": np.round(random.normal(size=n), 2), "y": random.choice(["u", "v"], n, p=[0.3, 0.7])})
    table = engine.Table.from_frame(frame, "y")
    (found,) = engine.candidates(table, engine.Tree.root(table))
    sizes = frame.groupby("x").size().to_numpy()
    p = tail_of_cuts(sizes, int((frame.y == "u").sum()), found.gain, 1)
    assert found.evidence.deals == 0 and p > 0.005
    assert found.logworth == pytest.approx(-math.log10(p), rel=1e-9)


def test_of_heavy_rows_a_p_value_is_one_of_as_many_rows_as_they_are_worth():
    random, n = np.random.default_rng(1), 6000
    frame = pd.DataFrame({"x": random.normal(size=n), "w": np.exp(1.6 * random.normal(size=n))})
    frame["y"] = np.where(random.random(n) < 0.4, "u", "v")
    table = engine.Table.from_frame(frame, "y", weights="w")
    (found,) = engine.candidates(table, engine.Tree.root(table))
    assert found.evidence.rows < 1000 and found.evidence.deals == 0
    assert found.evidence.log_p < found.evidence.log_adjusted < 0.0
