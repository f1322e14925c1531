import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from engine.splits import bind
from tests import naive, naive_losses
from tests.effort import examples

CATS = pd.DataFrame(
    {
        "owner": [True, False, True, False, True, False],
        "kitten": [True, False, True, True, False, True],
        "spayed": [False, True, True, False, True, True],
        "success": [True, True, True, False, False, False],
    }
)
XOR = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["no", "yes", "yes", "no"]})


def found_in(frame, target="y", node=0, kinds=None, weights=None, **options):
    table = engine.Table.from_frame(frame, target=target, kinds=kinds, weights=weights)
    return engine.candidates(table, engine.Tree.root(table), node, **options)


def by_column(found):
    return {candidate.column: candidate for candidate in found}


def mixed_frame(seed, n=300):
    """Every kind of column, with missing values; the target depends on some of them."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "number": np.round(rng.normal(size=n), 1),
            "integer": rng.integers(0, 12, n),
            "date": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 60, n), unit="D"),
            "flag": rng.random(n) < 0.4,
            "level": rng.choice(list("abcdef"), n),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n), ["XS", "S", "M", "L", "XL"], ordered=True),
        }
    )
    score = frame["number"] + (frame["level"] < "c") + frame["size"].cat.codes * 0.5 + rng.normal(size=n) * 0.5
    for name in ("number", "date", "level", "size"):
        frame.loc[rng.random(n) < 0.1, name] = None
    frame["y"] = np.where(score > 1.8, "high", np.where(score > 1, "middle", "low"))
    frame["score"] = score
    return frame


def test_cats_owner_tells_most_and_the_others_nothing():
    found = found_in(CATS, "success", criterion="entropy")
    assert [candidate.column for candidate in found] == ["owner", "kitten", "spayed"]
    assert found[0].gain == pytest.approx(0.081704, abs=5e-7)
    assert [candidate.gain for candidate in found[1:]] == [0, 0]
    assert found[0].split == engine.Split("owner", "groups", groups=(("False",), ("True",)), missing=0, unseen=0)


@pytest.mark.parametrize("criterion", naive.CLASS_CRITERIA)
def test_xor_gains_nothing_and_can_be_split_all_the_same(criterion):
    found = found_in(XOR, criterion=criterion)
    assert [(candidate.gain, candidate.reason) for candidate in found] == [(0, ""), (0, "")]
    table = engine.Table.from_frame(XOR, "y")
    tree = engine.Tree.root(table).split(table, 0, found[0].split)
    second = engine.candidates(table, tree, int(tree.ids[1]), criterion=criterion)
    assert second[0].column == "b"
    assert second[0].gain == pytest.approx(naive.gain(criterion, [[1, 0], [0, 1]]))
    assert second[1].reason == "only one value here"


@pytest.mark.parametrize("target", ["y", "score"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"nominal": "multiway"},
        {"min_leaf": 25},
        {"nominal": "one_vs_rest", "numeric": "bucket_cuts", "min_leaf": 25},
        {"nominal": "groups", "pool": 30},
        {"nominal": "multiway", "pool": 35, "numeric": "bucket_branches", "buckets": 3},
        {"nominal": "multiway", "pool": 1, "numeric": "bucket_branches", "buckets": 50},
    ],
)
def test_a_candidate_says_what_the_split_tree_then_shows(target, options):
    """Branch counts, rows, gain and validation gain, all of them recomputed from the tree after the split."""
    table = engine.Table.from_frame(mixed_frame(1), target, roles={"score" if target == "y" else "y": "ignore"})
    table = table.with_partition(validation=0.3)
    root = engine.Tree.root(table)
    found = engine.candidates(table, root, **options)
    assert sorted(c.column for c in found) == ["date", "flag", "integer", "level", "number", "size"]
    name = "gini" if target == "y" else "squared_error"
    for candidate in found:
        tree = root.split(table, 0, candidate.split)
        children = tree.children(0)
        assert candidate.rows == tuple(tree.rows_train[children])
        np.testing.assert_allclose(candidate.train, tree.train[children], atol=1e-9)
        np.testing.assert_allclose(candidate.validation, tree.validation[children], atol=1e-9)
        assert candidate.gain == pytest.approx(float(naive.gain(name, tree.train[children].tolist())), abs=1e-9)
        parts = table.rows(engine.TRAIN), table.rows(engine.VALIDATION)
        unseen = naive_losses.of_table(table, candidate.split, *parts, name)
        assert candidate.validation_gain == pytest.approx(unseen, abs=1e-9)
        assert candidate.scores[name] == candidate.gain
        assert candidate.logworth >= 0
        assert candidate.missing == np.sum(table.column(candidate.column).codes[table.rows(engine.TRAIN)] == 0)
        if options.get("nominal") != "multiway" or candidate.split.kind == "threshold":
            assert min(candidate.rows) >= options.get("min_leaf", 1)
    gains = [candidate.gain for candidate in found]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", "error", "sqrt"])
def test_scores_hold_every_criterion_of_the_task(criterion):
    frame = mixed_frame(2).drop(columns="score")
    for candidate in found_in(frame, criterion=criterion):
        assert set(candidate.scores) == {*naive.CLASS_CRITERIA, "logworth"}
        branches = [list(stat) for stat in candidate.train]
        for name in ("gini", "entropy", "error", "sqrt"):
            assert candidate.scores[name] == pytest.approx(float(naive.gain(name, branches)), abs=1e-12)
        assert candidate.gain == candidate.scores["entropy" if criterion == "gain_ratio" else criterion]


def test_gain_ratio_divides_by_the_split_information_with_missing_apart():
    frame = pd.DataFrame({"x": [1, 1, 2, 2, 2, None, None], "y": list("aabbbab")})
    (candidate,) = found_in(frame, criterion="gain_ratio")
    assert candidate.split.thresholds == (1.5,)
    assert candidate.scores["gain_ratio"] == pytest.approx(candidate.gain / naive.split_information([2, 3, 2]))


def test_gain_ratio_prefers_few_branches_where_gain_prefers_many():
    """A name for each row gains most; its ratio is poor. The third column brings the average gain down."""
    names = [f"row {i:02}" for i in range(16)]
    frame = pd.DataFrame({"id": names, "x": ["u", "v"] * 8, "y": ["a", "b"] * 8})
    frame.loc[[14, 15], "y"] = "a"
    frame["z"] = ["s", "s", "t", "t"] * 4
    by_gain = found_in(frame, criterion="entropy", nominal="multiway")
    by_ratio = found_in(frame, criterion="gain_ratio", nominal="multiway")
    assert [by_gain[0].column, by_ratio[0].column] == ["id", "x"]


@examples(30)
@given(seed=st.integers(0, 10**6), decimals=st.integers(0, 3))
def test_the_best_candidate_is_the_stump_of_scikit_learn(seed, decimals):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(80, 4)), decimals).astype(np.float32)
    noisy = x[:, 1] + x[:, 2] + rng.normal(size=80)
    frame = pd.DataFrame(x.astype(np.float64), columns=list("pqrs"))
    kinds = dict.fromkeys("pqrs", "number")
    for judge, y in (
        (DecisionTreeClassifier(max_depth=1), np.where(noisy > 0, "a", np.where(noisy > -1, "b", "c"))),
        (DecisionTreeRegressor(max_depth=1), noisy),
    ):
        found = found_in(frame.assign(y=y), kinds=kinds)
        stump = judge.fit(x, y).tree_
        share = stump.weighted_n_node_samples / 80
        expected = stump.impurity[0] - share[1] * stump.impurity[1] - share[2] * stump.impurity[2]
        assert found[0].gain == pytest.approx(expected, rel=1e-9)
        if found[0].gain > found[1].gain * (1 + 1e-9):
            assert found[0].column == "pqrs"[stump.feature[0]]
        if found[0].column == "pqrs"[stump.feature[0]]:
            curve = curve_of(frame.assign(y=y), found[0].column, kinds=kinds)
            tied = curve.cuts[curve.gains >= found[0].gain * (1 - 1e-9)]
            assert np.abs(tied - stump.threshold[0]).min() < 1e-6
            assert found[0].split.thresholds[0] == tied[0]


def curve_of(frame, column, target="y", kinds=None, share=0.0, **options):
    table = engine.Table.from_frame(frame, target=target, kinds=kinds)
    table = table.with_partition(validation=share) if share else table
    return engine.gain_curve(table, engine.Tree.root(table), 0, column, **options)


def test_weights_equal_repeated_rows():
    frame = mixed_frame(3, 120).drop(columns="score")
    times = np.random.default_rng(0).integers(0, 4, len(frame))
    repeated = frame.loc[frame.index.repeat(times)].reset_index(drop=True)
    weighted = found_in(frame.assign(times=times), weights="times")
    for one, other in zip(weighted, found_in(repeated), strict=True):
        assert one.split == other.split
        assert one.gain == pytest.approx(other.gain, rel=1e-12)
        np.testing.assert_allclose(one.train, other.train)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt"])
def test_scaling_all_weights_changes_nothing(criterion):
    frame = mixed_frame(4, 150).drop(columns="score")
    frame["w"] = np.random.default_rng(1).integers(1, 5, len(frame)).astype(float)
    plain = found_in(frame, weights="w", criterion=criterion)
    scaled = found_in(frame.assign(w=frame["w"] * 0.37), weights="w", criterion=criterion)
    for one, other in zip(plain, scaled, strict=True):
        assert (one.split, one.rows) == (other.split, other.rows)
        assert (one.gain, one.logworth) == pytest.approx((other.gain, other.logworth), rel=1e-9)


def test_one_thread_and_many_find_the_same():
    """12,000 rows of six columns are enough to be shared out."""
    frame = mixed_frame(5).drop(columns="score")
    alone = found_in(frame, threads=1)
    many = found_in(pd.concat([frame] * 40, ignore_index=True), threads=3)
    assert [(c.column, c.split) for c in many] == [(c.column, c.split) for c in alone]
    assert [c.gain for c in many] == pytest.approx([c.gain for c in alone], rel=1e-12)


@pytest.mark.parametrize(
    ("values", "threshold"),
    [
        ([1.0, 2.0], 1.5),
        ([1.0, np.nextafter(1.0, 2.0)], 1.0),
        ([-np.inf, 0.0], -np.inf),
        ([0.0, np.inf], 0.0),
        ([-np.inf, np.inf], -np.inf),
        ([-1.7e308, 1.7e308], 0.0),
        ([5e-324, 1e-323], 5e-324),
    ],
)
def test_a_threshold_separates_its_neighbours(values, threshold):
    frame = pd.DataFrame({"x": values * 2, "y": ["a", "b"] * 2})
    (candidate,) = found_in(frame, kinds={"x": "number"})
    assert candidate.split.thresholds == (threshold,)
    assert candidate.rows == (2, 2)
    assert candidate.gain == 0.5


def test_a_threshold_lies_between_values_present_among_training_rows():
    """3 and 5 belong to a row without weight and to a validation row: neither moves the threshold."""
    frame = pd.DataFrame(
        {"x": [1.0, 1, 3, 5, 9, 9], "y": list("aabbbb"), "w": [1.0, 1, 0, 1, 1, 1], "fold": [0, 0, 0, 1, 0, 0]}
    )
    table = engine.Table.from_frame(frame, "y", weights="w", kinds={"x": "number"}).with_partition(column="fold")
    (candidate,) = engine.candidates(table, engine.Tree.root(table))
    assert candidate.split.thresholds == (5.0,)
    assert [stat.tolist() for stat in candidate.validation] == [[0, 1], [0, 0]]


def test_dates_are_cut_in_seconds():
    frame = pd.DataFrame({"day": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-04"]), "y": list("aab")})
    (candidate,) = found_in(frame)
    assert candidate.split.thresholds == (pd.Timestamp("2024-01-03").timestamp(),)


def test_present_against_missing_is_a_threshold_of_infinity():
    frame = pd.DataFrame({"x": [1.0, 1.0, None, None], "y": list("aabb")})
    (candidate,) = found_in(frame)
    assert (candidate.split.thresholds, candidate.split.missing) == ((math.inf,), 1)
    assert (candidate.rows, candidate.missing, candidate.gain) == ((2, 2), 2, 0.5)
    levels = frame.assign(x=["u", "u", None, None])
    (candidate,) = found_in(levels)
    assert candidate.split == engine.Split("x", "groups", groups=(("u",), ()), missing=1, unseen=0)


def test_missing_without_missing_rows_goes_with_the_larger_branch():
    frame = pd.DataFrame({"x": [1, 2, 3, 3, 3], "y": list("aabbb")})
    assert found_in(frame)[0].split.missing == 1
    assert found_in(frame.iloc[:4])[0].split.missing == 0


def test_an_ordered_column_is_cut_in_its_order():
    """M alone would separate the classes, but S < M < L can only be cut; absent levels stay on their side."""
    sizes = pd.Categorical(["S", "M", "M", "L", "L", "L"], ["XS", "S", "M", "L", "XL"], ordered=True)
    (ordered,) = found_in(pd.DataFrame({"size": sizes, "y": list("abbaaa")}))
    assert ordered.split.groups == (("XS", "S", "M"), ("L", "XL"))
    (nominal,) = found_in(pd.DataFrame({"size": sizes.as_unordered(), "y": list("abbaaa")}))
    assert nominal.split.groups == (("S", "L"), ("M",))
    assert nominal.split.unseen == 0


def test_an_ordered_level_between_the_branches_takes_the_larger_one():
    sizes = pd.Categorical(["S", "L", "L"], ["S", "M", "L"], ordered=True)
    (candidate,) = found_in(pd.DataFrame({"size": sizes, "y": list("abb")}))
    assert candidate.split.groups == (("S",), ("L",))
    assert candidate.split.unseen == 1


def test_multiway_makes_a_branch_for_every_declared_level():
    levels = pd.Categorical(["a", "a", "b", None], ["a", "b", "c"])
    frame = pd.DataFrame({"x": levels, "y": ["u", "u", "v", "v"]})
    (candidate,) = found_in(frame, nominal="multiway")
    assert candidate.split.groups == (("a",), ("b",), ("c",))
    assert (candidate.split.missing, candidate.rows, candidate.gain) == (1, (2, 2, 0), 0.5)


def test_where_absent_levels_go_is_what_binding_says():
    table = engine.Table.from_frame(mixed_frame(6).drop(columns="score"), "y").with_partition(validation=0.5)
    for options in ({}, {"nominal": "multiway"}):
        for candidate in engine.candidates(table, engine.Tree.root(table), **options):
            rows = table.rows(engine.VALIDATION)
            branch = bind(candidate.split, table).branches(table.column(candidate.column).codes[rows])
            for b, stat in enumerate(candidate.validation):
                assert stat.sum() == np.count_nonzero(branch == b)


def test_columns_without_a_split_come_last_and_say_why():
    frame = pd.DataFrame(
        {
            "nothing": [np.nan] * 6,
            "same": [4.0] * 6,
            "x": [1, 2, 3, 4, 5, 6],
            "rare": ["u", "v", "v", "v", "v", "v"],
            "note": list("abcdef"),
            "y": list("aaabbb"),
        }
    )
    table = engine.Table.from_frame(frame, "y", roles={"note": "ignore"}, kinds={"nothing": "number"})
    found = engine.candidates(table, engine.Tree.root(table), min_leaf=3)
    assert [(c.column, c.reason) for c in found] == [
        ("x", ""),
        ("nothing", "all values are missing here"),
        ("same", "only one value here"),
        ("rare", "every grouping leaves fewer than 3 rows on one side"),
    ]
    assert all(math.isnan(c.gain) and c.split is None and c.train == () for c in found[1:])
    few = engine.candidates(table, engine.Tree.root(table), min_leaf=4)
    assert by_column(few)["x"].reason == "every cut leaves fewer than 4 rows on one side"
    many = engine.candidates(table, engine.Tree.root(table), min_leaf=4, nominal="multiway")
    assert by_column(many)["rare"].reason == "a branch would have fewer than 4 rows"


def test_an_inner_node_can_be_asked_as_well_as_a_leaf():
    table = engine.Table.from_frame(mixed_frame(7).drop(columns="score"), "y")
    root = engine.Tree.root(table)
    before = engine.candidates(table, root)
    after = engine.candidates(table, root.split(table, 0, before[0].split))
    assert [(c.column, c.split, c.gain) for c in after] == [(c.column, c.split, c.gain) for c in before]


def test_a_stopped_search_returns_what_it_has():
    progress = engine.Progress(lambda fraction, text: fraction >= 0.5 and progress.stop())
    table = engine.Table.from_frame(mixed_frame(8).drop(columns="score"), "y")
    found = engine.candidates(table, engine.Tree.root(table), progress=progress, threads=1)
    assert [c.column for c in found] == sorted(["number", "integer", "date"], key=lambda n: -by_column(found)[n].gain)


def test_unknown_options_and_criteria_of_the_other_task_are_refused():
    with pytest.raises(engine.InputError, match="no option"):
        found_in(XOR, depth=3)
    with pytest.raises(engine.InputError, match="not defined"):
        found_in(XOR, criterion="squared_error")


@pytest.mark.parametrize("column", ["number", "integer", "date", "size"])
@pytest.mark.parametrize("target", ["y", "score"])
def test_the_curve_peaks_at_the_candidate(column, target):
    table = engine.Table.from_frame(mixed_frame(9), target, roles={"score" if target == "y" else "y": "ignore"})
    table = table.with_partition(validation=0.3)
    root = engine.Tree.root(table)
    candidate = by_column(engine.candidates(table, root, min_leaf=10))[column]
    curve = engine.gain_curve(table, root, 0, column, min_leaf=10)
    assert curve.gains[curve.best] == candidate.gain == pytest.approx(np.nanmax(curve.gains), rel=1e-9)
    assert curve.validation_gains[curve.best] == pytest.approx(candidate.validation_gain, abs=1e-12)
    assert curve.missing == candidate.split.missing
    assert np.all(np.diff(curve.cuts) > 0)
    lines = np.vstack((curve.train, curve.missing_train))
    total = lines.sum(axis=0)
    if target == "score":  # the squares of each line stand around its own mean
        lines = lines[lines[:, 0] > 0]
        total[2] += (lines[:, 0] * (lines[:, 1] / lines[:, 0] - total[1] / total[0]) ** 2).sum()
    np.testing.assert_allclose(total, root.train[0], atol=1e-9)
    if column != "size":
        assert curve.cuts[curve.best] == candidate.split.thresholds[0]
        assert len(curve.values) == len(curve.train)
    else:
        assert curve.levels == ("XS", "S", "M", "L", "XL")
        assert curve.train[0].tolist() == [0.0] * table.n_stats


def test_every_point_of_the_curve_is_the_gain_of_that_split():
    frame = mixed_frame(10, 80).drop(columns="score")
    table = engine.Table.from_frame(frame, "y").with_partition(validation=0.4)
    root = engine.Tree.root(table)
    curve = engine.gain_curve(table, root, 0, "number", criterion="entropy", min_leaf=8)
    assert 0 < np.isnan(curve.gains).sum() < curve.gains.size - 5
    for cut, gain, unseen in zip(curve.cuts, curve.gains, curve.validation_gains, strict=True):
        split = engine.Split("number", "threshold", (cut,), missing=curve.missing)
        tree = root.split(table, 0, split)
        children = tree.children(0)
        if min(tree.rows_train[children]) < 8:
            assert np.isnan(gain)
        else:
            assert gain == pytest.approx(float(naive.gain("entropy", tree.train[children].tolist())), abs=1e-12)
        parts = table.rows(engine.TRAIN), table.rows(engine.VALIDATION)
        assert unseen == pytest.approx(naive_losses.of_table(table, split, *parts, "entropy"), abs=1e-12)


def test_the_curve_of_a_nominal_column_is_its_levels():
    curve = curve_of(mixed_frame(11).drop(columns="score"), "level", share=0.3)
    assert curve.levels == tuple("abcdef")
    assert (curve.cuts.size, curve.best, curve.values.size) == (0, -1, 0)
    assert curve.train.shape == curve.validation.shape == (6, 3)


def test_the_curve_without_validation_rows_has_no_validation_gains():
    curve = curve_of(XOR, "a")
    assert np.isnan(curve.validation_gains).all()
    assert (curve.best, curve.cuts.tolist()) == (0, [0.5])
