"""Absolute error against exact fractions, against all divisions tried one by one, and against scikit-learn."""

import time
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import engine
from engine.search.absolute import EXACT_LEVELS, branches_gain, impurity
from engine.search.column_search import best_split
from engine.search.tally import NodeRows
from engine.splits import bind
from tests import naive_absolute as naive

SEEDS = st.integers(0, 2**32 - 1)


def table_from(seed, n, *, weighted, missing, levels=4, digits=6, humps=False):
    """A table of whole numbers: x (integers), o (ordered), c (levels), the target y, perhaps the weights w."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": random.integers(0, digits, n).astype(float),
            "o": pd.Categorical.from_codes(random.integers(0, 5, n), list("abcdef"), ordered=True),
            "c": random.choice(list("pqrstuvwxyz")[:levels], n),
            "y": random.integers(0, 30, n) + random.choice([0, 0, 0, 500], n) + 0.5,
        }
    )
    if humps:
        frame["y"] = random.integers(0, 2, n) * 20 + random.integers(0, 6, n) + 0.5
    frame.loc[0, "y"] = 700.5
    lost = random.random(n) < missing
    frame.loc[lost, ["x", "c"]] = np.nan
    frame.loc[lost & (random.random(n) < 0.7), "o"] = np.nan
    if weighted:
        frame["w"] = random.integers(0, 4, n)
        frame.loc[:1, "w"] = 1
    return engine.Table.from_frame(frame, "y", weights="w" if weighted else None)


def facts(table, name):
    """(x, y, w) of the training rows as the slow twin wants them: None for missing, fractions."""
    rows = table.rows(engine.TRAIN)
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    column = table.column(name)
    values = [None if code == 0 else int(code) for code in column.codes[rows].tolist()]
    y = [Fraction(value) for value in table.target_column.numbers[rows].tolist()]
    return values, y, [Fraction(weight) for weight in weights[rows].tolist()]


def found(table, name, **options):
    search = engine.Search.make("number", criterion="absolute_error", **options)
    inside = NodeRows.of(table, np.arange(table.n_rows)).centred()
    return best_split(inside, table.index(name), search)


def check(table, name, answer, best, min_leaf=1):
    """The gain is the best one, it is that of the split as the rows take it, and no branch is too small."""
    _, y, w = facts(table, name)
    if best is None:
        assert answer.split is None
        assert answer.reason
        return
    assert answer.gain == pytest.approx(float(best), abs=1e-9)
    rows = table.rows(engine.TRAIN)
    branch = bind(answer.split, table).branches(table.column(name).codes[rows]).tolist()
    assert float(naive.gain(y, w, branch)) == pytest.approx(answer.gain, abs=1e-9)
    assert naive.large_enough(branch, min_leaf)
    present = np.unique(table.column(name).codes[rows])
    taken = bind(answer.split, table).branches(present[present > 0]).tolist()
    assert len(set(zip(answer.branch.tolist(), taken, strict=True))) == len(set(taken))  # the same branches by value


@given(SEEDS, st.integers(3, 25), st.booleans(), st.sampled_from([0.0, 0.3]), st.integers(1, 4), st.sampled_from("xo"))
def test_the_best_cut_is_the_best_of_all_cuts(seed, n, weighted, missing, min_leaf, name):
    table = table_from(seed, n, weighted=weighted, missing=missing)
    x, y, w = facts(table, name)
    answer = found(table, name, min_leaf=min_leaf)
    check(table, name, answer, naive.cuts(x, y, w, min_leaf), min_leaf)


@given(SEEDS, st.integers(3, 15), st.booleans(), st.sampled_from([0.0, 0.4]))
def test_of_equal_cuts_the_lowest_wins_and_missing_rows_go_with_the_heavier_side(seed, n, weighted, missing):
    table = table_from(seed, n, weighted=weighted, missing=missing, digits=4)
    x, y, w = facts(table, "x")
    best = None
    for value in sorted({value for value in x if value is not None}):
        left, right = (
            sum(weight for v, weight in zip(x, w, strict=True) if v is not None and (v > value) == side)
            for side in (False, True)
        )
        for side in (0, 1) if left >= right else (1, 0):
            branch = [side if v is None else int(v > value) for v in x]
            if len(set(branch)) == 2 and (best is None or naive.gain(y, w, branch) > best[0]):
                best = naive.gain(y, w, branch), value, side
    answer = found(table, "x")
    if best is None:
        assert answer.split is None
        return
    values = table.column("x").values
    above = [v for v in x if v is not None and v > best[1]]
    threshold = (values[best[1] - 1] + values[min(above) - 1]) / 2 if above else np.inf
    assert answer.split.thresholds == (threshold,)
    assert answer.split.missing == best[2]
    present = sorted({value for value in x if value is not None})
    assert present[answer.cut] == best[1]


@given(SEEDS, st.integers(4, 60), st.sampled_from([0.0, 1e9]), st.sampled_from([1.0, 1e12]))
def test_odd_weights_and_wild_values_keep_their_digits(seed, n, far, wild):
    random = np.random.default_rng(seed)
    y = random.normal(size=n).round(3) + far
    y[0] += wild
    frame = pd.DataFrame({"x": random.normal(size=n).round(1), "y": y, "w": random.random(n) + 0.01})
    table = engine.Table.from_frame(frame, "y", weights="w", kinds={"y": "number"})
    answer = found(table, "x")
    w = frame["w"].to_numpy()
    cuts = np.unique(frame["x"])[:-1]
    if not cuts.size:
        return
    gains = [branches_gain(table.y, w, frame["x"] > cut, 2) for cut in cuts]
    assert answer.gain == pytest.approx(max(gains), abs=1e-9 * impurity(table.y, w))
    ours = branches_gain(table.y, w, frame["x"] > answer.split.thresholds[0], 2)
    assert answer.gain == pytest.approx(ours, abs=1e-9 * impurity(table.y, w))


@given(SEEDS, st.integers(3, 25), st.booleans(), st.sampled_from([0.0, 0.3]), st.integers(2, 5))
def test_bucket_cuts_fall_at_the_limits_of_the_buckets(seed, n, weighted, missing, buckets):
    table = table_from(seed, n, weighted=weighted, missing=missing)
    x, y, w = facts(table, "x")
    answer = found(table, "x", numeric="bucket_cuts", buckets=buckets)
    check(table, "x", answer, naive.cuts(x, y, w, limits=naive.limits(x, w, buckets)))


@given(SEEDS, st.integers(3, 25), st.booleans(), st.sampled_from([0.0, 0.3]), st.integers(2, 5))
def test_every_bucket_gets_a_branch(seed, n, weighted, missing, buckets):
    table = table_from(seed, n, weighted=weighted, missing=missing)
    x, y, w = facts(table, "x")
    limits = naive.limits(x, w, buckets)
    answer = found(table, "x", numeric="bucket_branches", buckets=buckets)
    if not limits:
        assert answer.split is None
        return
    best = max(
        naive.gain(y, w, [k if v is None else sum(v > limit for limit in limits) for v in x])
        for k in range(len(limits) + 1)
    )
    check(table, "x", answer, best)
    assert answer.split.n_branches == len(limits) + 1


@given(SEEDS, st.integers(3, 20), st.booleans(), st.sampled_from([0.0, 0.3]), st.integers(1, 5), st.integers(1, 3))
def test_two_groups_of_few_levels_are_the_best_of_all(seed, n, weighted, missing, levels, min_leaf):
    table = table_from(seed, n, weighted=weighted, missing=missing, levels=levels)
    c, y, w = facts(table, "c")
    check(table, "c", found(table, "c", min_leaf=min_leaf), naive.groups(c, y, w, min_leaf), min_leaf)


@given(SEEDS, st.integers(15, 40), st.booleans(), st.sampled_from([0.0, 0.3]))
@example(881, 30, True, 0.0)  # here the order of the means is the better one
def test_two_groups_of_many_levels_are_the_best_cut_along_two_orders(seed, n, weighted, missing):
    table = table_from(seed, n, weighted=weighted, missing=missing, levels=8, humps=True)
    c, y, w = facts(table, "c")
    levels = sorted({level for level in c if level is not None})
    if len(levels) + (None in c) <= EXACT_LEVELS:
        return
    keys = []
    for k in levels:
        own = [(a, b) for a, b, level in zip(y, w, c, strict=True) if level == k]
        keys.append((naive.median(*zip(*own, strict=True)), sum(a * b for a, b in own) / sum(b for _, b in own)))
    gains = []
    for turn in (0, 1):
        ordered = sorted((key[turn], key[1], k) for key, k in zip(keys, levels, strict=True))
        rank = {k: i for i, (_, _, k) in enumerate(ordered)}
        gains.append(naive.cuts([None if level is None else rank[level] for level in c], y, w))
    check(table, "c", found(table, "c"), max(gains))


@given(SEEDS, st.integers(3, 25), st.booleans(), st.sampled_from([0.0, 0.3]), st.sampled_from(["one", "each"]))
def test_one_against_the_rest_and_one_branch_for_each(seed, n, weighted, missing, way):
    table = table_from(seed, n, weighted=weighted, missing=missing)
    c, y, w = facts(table, "c")
    levels = sorted({level for level in c if level is not None})
    if way == "one":
        gains = [naive.gain(y, w, [side if v is None else int(v == k) for v in c]) for k in levels for side in (0, 1)]
        gains.append(naive.gain(y, w, [int(v is None) for v in c]))
        best = max(gains) if len(set(c)) > 1 else None
        check(table, "c", found(table, "c", nominal="one_vs_rest"), best)
    else:
        best = max((naive.gain(y, w, [k if v is None else v for v in c]) for k in levels), default=None)
        check(table, "c", found(table, "c", nominal="multiway"), best if len(levels) > 1 else None)


@given(SEEDS, st.integers(10, 40), st.sampled_from(["groups", "one_vs_rest", "multiway"]))
def test_pooled_levels_go_the_same_way(seed, n, nominal):
    table = table_from(seed, n, weighted=False, missing=0.0, levels=8)
    c, _, _ = facts(table, "c")
    rare = {level for level in c if c.count(level) < 4}
    answer = found(table, "c", nominal=nominal, pool=4)
    if len(rare) > 1 and answer.split is not None:
        assert np.unique(bind(answer.split, table).branches(np.array(sorted(rare)))).size == 1


@given(SEEDS, st.integers(1, 30), st.booleans())
def test_impurity_and_the_gain_of_branches_are_exact(seed, n, weighted):
    random = np.random.default_rng(seed)
    y, branch = random.integers(0, 12, n), random.integers(0, 4, n)
    w = random.integers(1, 5, n) if weighted else np.ones(n, dtype=int)
    exact = [Fraction(int(value)) for value in y], [Fraction(int(value)) for value in w]
    assert impurity(y, w) == pytest.approx(float(naive.deviation(*exact) / sum(exact[1])), abs=1e-12)
    given_weights = w if weighted else ()
    assert branches_gain(y, given_weights, branch, 4) == pytest.approx(
        float(naive.gain(*exact, branch.tolist())), abs=1e-12
    )
    assert branches_gain(y, np.zeros(n), branch, 4) == 0.0


@given(SEEDS, st.integers(4, 60), st.booleans())
def test_a_stump_of_scikit_learn_is_met(seed, n, weighted):
    from sklearn.tree import DecisionTreeRegressor

    random = np.random.default_rng(seed)
    x = random.integers(0, 15, (n, 3))
    y = random.integers(0, 40, n)
    y[0] += 50
    w = random.integers(1, 5, n) if weighted else np.ones(n, dtype=int)
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(y=y + 0.0, w=w)
    table = engine.Table.from_frame(frame, "y", weights="w" if weighted else None, kinds={"y": "number"})
    stump = DecisionTreeRegressor(criterion="absolute_error", max_depth=1, random_state=0)
    stump.fit(x, y, sample_weight=w if weighted else None)
    if stump.tree_.node_count == 1:
        return
    answers = [found(table, name) for name in "abc"]
    best = max((answer for answer in answers if answer.split is not None), key=lambda answer: answer.gain)
    theirs = (x[:, stump.tree_.feature[0]] > stump.tree_.threshold[0]).astype(int).tolist()
    exact = [Fraction(int(value)) for value in y], [Fraction(int(value)) for value in w]
    of_theirs = float(naive.gain(*exact, theirs))
    assert best.gain == pytest.approx(of_theirs, abs=1e-9)
    same = [answer.gain for answer in answers if answer.split is not None and answer.gain > best.gain - 1e-9]
    if len(same) == 1 and best.split.thresholds != (stump.tree_.threshold[0],):
        ours = (frame[best.split.column] > best.split.thresholds[0]).astype(int).tolist()
        assert naive.gain(*exact, ours) == naive.gain(*exact, theirs), "no exact tie"


@given(SEEDS, st.integers(4, 25))
def test_weights_are_rows_repeated_and_rows_of_no_weight_are_not_there(seed, n):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.integers(0, 8, n) + 0.0, "y": random.integers(0, 30, n) + 0.5})
    frame["w"] = random.integers(0, 4, n)
    frame.loc[:1, ["y", "w"]] = [[50.5, 1], [60.5, 2]]
    repeated = frame.loc[frame.index.repeat(frame["w"])].drop(columns="w")
    weighted = found(engine.Table.from_frame(frame, "y", weights="w"), "x")
    by_rows = found(engine.Table.from_frame(repeated, "y"), "x")
    assert weighted.split == by_rows.split
    assert weighted.reason == by_rows.reason
    if weighted.split is not None:
        assert weighted.gain == pytest.approx(by_rows.gain, abs=1e-9)


def test_levels_that_no_row_has_belong_to_no_side():
    levels = pd.Categorical(list("aabdde"), categories=list("abcdef"), ordered=True)
    table = engine.Table.from_frame(pd.DataFrame({"o": levels, "y": [1.5, 1.5, 1.5, 9.5, 9.0, 9.5]}), "y")
    answer = found(table, "o")
    assert answer.split.groups == (("a", "b"), ("d", "e", "f"))
    assert answer.split.unseen == 0  # both sides weigh the same
    assert bind(answer.split, table).branches(np.arange(7)).tolist() == [0, 0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("numeric", ["bucket_cuts", "bucket_branches"])
def test_ordered_levels_are_no_numbers_and_fall_into_no_buckets(numeric):
    """As with every other criterion."""
    table = table_from(7, 60, weighted=False, missing=0.0)
    expected, answer = found(table, "o"), found(table, "o", numeric=numeric, buckets=2)
    assert (answer.split, answer.gain) == (expected.split, expected.gain)
    squared = engine.candidates(table, engine.Tree.root(table), numeric=numeric, buckets=2)
    assert next(c for c in squared if c.column == "o").split.n_branches == answer.split.n_branches == 2


def test_any_number_of_buckets_is_no_matter_of_memory():
    table = table_from(3, 40, weighted=True, missing=0.3)
    all_of_them = found(table, "x", numeric="bucket_branches", buckets=2**31)
    assert all_of_them.split.n_branches == len({v for v in facts(table, "x")[0] if v is not None})
    assert found(table, "x", numeric="bucket_cuts", buckets=2**31).split == found(table, "x").split


@pytest.mark.parametrize("nominal", ["multiway", "one_vs_rest"])
def test_many_levels_cost_no_more_than_their_rows(nominal):
    """It took a pass over all rows for each level: minutes, in which no stop was heard."""
    random, n = np.random.default_rng(0), 60_000
    shops = pd.Series(random.integers(0, 30_000, n).astype(str)).where(random.random(n) > 0.1)
    table = engine.Table.from_frame(pd.DataFrame({"c": shops, "y": random.normal(size=n)}), "y")
    found(table.take(np.arange(50)), "c", nominal=nominal)  # compiled
    started = time.perf_counter()
    assert found(table, "c", nominal=nominal).gain > 0
    assert time.perf_counter() - started < 15  # 0.5 s; before, 60 s and more


def test_what_cannot_be_split_says_why():
    frame = pd.DataFrame({"x": [1.0, 1.0, 1.0], "n": [np.nan] * 3, "z": [1.0, 2.0, 3.0], "y": [1.5, 2.5, 9.5]})
    table = engine.Table.from_frame(frame, "y")
    assert found(table, "x").reason == "only one value here"
    assert found(table, "n").reason == "all values are missing here"
    assert found(table, "z", min_leaf=2).reason == "every cut leaves fewer than 2 rows on one side"
    assert found(table, "z").split.thresholds == (2.5,)
    with pytest.raises(engine.InputError, match="values themselves"):
        engine.impurity("absolute_error", [1.0, 2.0])
    assert engine.impurity("binned_gini", [2, 2]) == 0.5


@pytest.mark.parametrize("pool", [1, 2, 4, 100])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_pooled_branches_are_those_of_every_other_criterion(pool, missing):
    """A branch for each level of enough rows and one for the rest; levels that the node lacks get none."""
    table = table_from(5, 60, weighted=False, missing=missing, levels=9)
    tree = engine.grow(table, max_depth=1)
    for node in tree.ids.tolist():
        by = {
            name: next(c for c in engine.candidates(
                table, tree, node, criterion=name, nominal="multiway", pool=pool) if c.column == "c")
            for name in ("absolute_error", "squared_error")
        }  # fmt: skip
        absolute, squared = by["absolute_error"].split, by["squared_error"].split
        assert (absolute is None) == (squared is None)
        if absolute is not None:
            assert absolute.groups == squared.groups
            assert missing or absolute == squared


def test_pooling_makes_few_branches_of_more_levels_than_branches():
    n = 70_000
    frame = pd.DataFrame({"c": np.arange(n).astype(str), "y": np.arange(n) % 100 + 0.5})
    frame.loc[: n // 50, "c"] = "large"
    frame.loc[: n // 50, "y"] = 900.5
    table = engine.Table.from_frame(frame, "y")
    split = found(table, "c", nominal="multiway", pool=10).split
    assert [len(group) > 1 for group in split.groups] == [False, True]


def test_of_two_levels_each_is_the_rest_of_the_other():
    table = table_from(1, 30, weighted=False, missing=0.0, levels=2)
    assert found(table, "c", nominal="one_vs_rest").log_tries == found(table, "c").log_tries == 0.0
