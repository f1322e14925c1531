"""A split made by hand: engine.weigh and curve.weigh say what the rows say; alternatives are local optima."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import engine
from engine.ranking.curve import local_optima
from engine.ranking.weighing import sums_before
from engine.search.absolute import branches_gain as gain_by_rows
from tests import naive_losses, naive_weighing
from tests.effort import examples
from tests.frames import frames, random_m_of_n, random_one, random_split, random_tree, table_of

CRITERIA = {
    "classes": ["gini", "entropy", "gain_ratio", "error", "sqrt"],
    "number": ["squared_error", "absolute_error", "binned_gini", "binned_error"],
}


def with_parts(frame, random):
    table = table_of(frame)
    part = np.where(random.random(table.n_rows) < 0.3, "validation", "train")
    part[:3] = "train"
    frame = frame.assign(part=part)
    table = engine.Table.from_frame(frame, target="y", weights="w" if "w" in frame else None, roles={"part": "ignore"})
    return table.with_partition(column="part")


def equal(one, other):
    """Two candidates of the same split say the same, up to rounding."""
    assert (one.column, one.split, one.rows, one.missing, one.reason) == (
        other.column, other.split, other.rows, other.missing, other.reason,
    )  # fmt: skip
    assert one.scores.keys() == other.scores.keys()
    pairs = [(one.gain, other.gain), (one.validation_gain, other.validation_gain)]
    pairs += [(one.scores[name], other.scores[name]) for name in one.scores]
    for a, b in pairs:
        assert a == pytest.approx(b, abs=1e-9, nan_ok=True)
    assert one.logworth == pytest.approx(other.logworth, rel=1e-6, abs=1e-9)
    for a, b in zip((*one.train, *one.validation), (*other.train, *other.validation), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-7)


@examples(150)
@given(frame=frames(), seed=st.integers(0, 10**6), choice=st.integers(0, 4), min_leaf=st.integers(1, 3))
def test_curve_and_engine_weigh_what_the_rows_say(frame, seed, choice, min_leaf):
    """Several cuts, groups, missing branches, weights, every criterion, validation rows, the root and a node below."""
    random = np.random.default_rng(seed)
    table = with_parts(frame, random)
    if np.unique(table.y[table.part == engine.TRAIN]).size < 2:
        return
    criterion = CRITERIA[table.task][choice % len(CRITERIA[table.task])]
    options = {"criterion": criterion, "min_leaf": min_leaf} | ({"bins": 3} if table.task == "number" else {})
    tree = random_tree(table, seed, int(random.integers(0, 3)))
    assignment = engine.assign(table, tree)
    node = int(tree.ids[random.integers(tree.n_nodes)])
    rows = np.sort(assignment.rows_of(tree.position(node)))
    train, unseen = (rows[table.part[rows] == part] for part in (engine.TRAIN, engine.VALIDATION))
    if not train.size:
        return
    split = random_one(table, random, table.columns[random.choice(table.features)])
    made = engine.weigh(table, tree, node, split, assignment, **options)
    curve = engine.gain_curve(table, tree, node, split.column, **options)
    by_curve = curve.weigh(split)
    one_cut = len(split.thresholds) == 1 and not split.has_missing_branch
    assert (by_curve is None) == (criterion == "absolute_error" and not one_cut)
    if by_curve is not None:
        equal(by_curve, made)
    stats, counts = naive_weighing.branches(table, split, train)
    assert made.rows == tuple(counts)
    assert made.gain == pytest.approx(naive_weighing.gain(table, split, train, criterion, 3), abs=1e-9)
    weight = 0.0 if not unseen.size else 1.0 if table.weights is None else table.weights[unseen].sum()
    if unseen.size and weight > 0:
        expected = naive_losses.of_table(table, split, train, unseen, criterion)
        assert made.validation_gain == pytest.approx(expected, abs=1e-9)
    if not unseen.size:
        assert math.isnan(made.validation_gain)
    if table.task == "classes":
        np.testing.assert_allclose(made.train, stats, atol=1e-9)
    else:
        np.testing.assert_allclose([s[:2] for s in made.train], [s[:2] for s in stats], atol=1e-6)
    assert made.missing == sum(int(table.column(split.column).codes[row]) == 0 for row in train)
    assert (made.reason != "") == (min(counts) < min_leaf or sum(n > 0 for n in counts) < 2)


@examples(60)
@given(frame=frames(), seed=st.integers(0, 10**6))
def test_m_of_n_and_surrogates_are_weighed_by_their_rows(frame, seed):
    random = np.random.default_rng(seed)
    table = with_parts(frame, random)
    split = random_m_of_n(table, random) if random.random() < 0.5 else random_split(table, random)
    made = engine.weigh(table, engine.Tree.root(table), 0, split)
    rows = table.rows(engine.TRAIN)
    branch = engine.branch_of_rows(split, table, rows)
    assert made.rows == tuple(np.bincount(branch, minlength=split.n_branches))
    tree = engine.Tree.root(table).split(table, 0, split)
    np.testing.assert_allclose(made.train, tree.train[tree.children(0)], atol=1e-7)
    assert made.column == ("m of n" if split.kind == "m_of_n" else split.column)


@pytest.mark.parametrize("target", ["y", "score"])
@pytest.mark.parametrize(
    "options",
    [
        {}, {"min_leaf": 9}, {"missing": "branch"}, {"missing": "surrogate"}, {"nominal": "one_vs_rest"},
        {"nominal": "multiway"}, {"nominal": "groups", "pool": 20}, {"numeric": "bucket_branches", "buckets": 3},
        {"numeric": "bucket_cuts"}, {"nominal": "multiway", "pool": 40},
    ],
)  # fmt: skip
def test_a_candidate_is_weighed_as_it_was_found(target, options):
    """The best split of every column again, from the curve and by hand: the same gain, counts and p-value."""
    table = mixed_table(target)
    root = engine.Tree.root(table)
    for found in engine.candidates(table, root, **options):
        split = found.split
        made = engine.weigh(table, root, 0, split, **options)
        assert made.gain == pytest.approx(found.gain, abs=1e-12)
        assert made.validation_gain == pytest.approx(found.validation_gain, abs=1e-12)
        assert made.rows == found.rows
        assert made.logworth == pytest.approx(found.logworth, rel=1e-9)
        assert made.scores == pytest.approx(found.scores)
        by_curve = engine.gain_curve(table, root, 0, found.column, **options).weigh(split)
        assert (by_curve is None) == bool(split.surrogates)
        if by_curve is not None:
            equal(by_curve, made)


def mixed_table(target="y"):
    random = np.random.default_rng(7)
    n = 300
    frame = pd.DataFrame({"x": random.normal(size=n), "ties": random.integers(0, 9, n)})
    frame.loc[random.random(n) < 0.2, "x"] = np.nan
    frame["level"] = random.choice(list("pqrstu"), n, p=[0.4, 0.3, 0.2, 0.05, 0.03, 0.02]).astype(object)
    frame.loc[random.random(n) < 0.1, "level"] = None
    frame["size"] = pd.Categorical(random.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True)
    frame["y"] = np.where(frame.ties + random.normal(size=n) > 4, "no", "yes")
    frame["score"] = frame.ties + random.normal(size=n)
    other = "score" if target == "y" else "y"
    return engine.Table.from_frame(frame, target, roles={other: "ignore"}).with_partition(validation=0.3)


def test_what_the_counts_by_value_do_not_tell():
    table = mixed_table()
    curve = engine.gain_curve(table, engine.Tree.root(table), 0, "ties")
    split = engine.Split("ties", "threshold", (3.5,))
    beside = engine.Surrogate(engine.Split("x", "threshold", (0.0,)))
    assert curve.weigh(replace(split, surrogates=(beside,))) is None
    assert curve.weigh(engine.Split("x", "threshold", (0.0,))) is None
    assert curve.weigh(engine.Split("ties", "m_of_n", m=1, literals=(engine.Literal("ties", "<=", 3.0),))) is None
    assert replace(curve, by_value=None).weigh(split) is None and replace(curve, by_value=None).alternatives(3) == ()
    assert curve.weigh(split).gain > 0


def test_a_split_that_does_not_fit_is_refused():
    table = mixed_table()
    root = engine.Tree.root(table)
    with pytest.raises(engine.InputError, match="“nix”"):
        engine.weigh(table, root, 0, engine.Split("nix", "threshold", (1.0,)))
    with pytest.raises(engine.InputError, match="no longer fits"):
        engine.weigh(table, root, 0, engine.Split("level", "threshold", (1.0,)))
    with pytest.raises(engine.InputError):
        engine.weigh(table, root, 99, engine.Split("ties", "threshold", (1.0,)))


def test_what_forbids_a_split_is_said():
    table = mixed_table()
    root = engine.Tree.root(table)

    def reason(threshold, **options):
        return engine.weigh(table, root, 0, engine.Split("ties", "threshold", (threshold,)), **options).reason

    assert reason(99.0) == "all rows take one branch"
    assert reason(3.5) == ""
    least = min(engine.weigh(table, root, 0, engine.Split("ties", "threshold", (0.5,))).rows)
    assert reason(0.5, min_leaf=200) == f"a branch has {least} rows, fewer than 200"


def test_a_free_cut_parts_validation_rows_by_itself():
    """Between two training values stand validation rows: where exactly the cut falls matters to them."""
    frame = pd.DataFrame(
        {"x": [1.0, 2, 3, 4], "y": list("aabb"), "part": ["train", "validation", "validation", "train"]}
    )
    table = engine.Table.from_frame(frame, "y", roles={"part": "ignore"}).with_partition(column="part")
    curve = engine.gain_curve(table, engine.Tree.root(table), 0, "x")
    seen = [curve.weigh(engine.Split("x", "threshold", (cut,))).validation_gain for cut in (1.5, 2.5, 3.5)]
    assert seen == pytest.approx([-0.5, 0.5, -0.5]), "what the pure branches predict is wrong for one row of two"


# -- alternatives


@examples(200)
@given(
    gains=st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, math.nan]), max_size=30),
    steps=st.lists(st.integers(1, 6), min_size=30, max_size=30),
    near=st.integers(0, 12) | st.floats(0.0, 12.0, allow_subnormal=False),
)  # fmt: skip
@example(gains=[0.3, 0.1, 0.2], steps=[1] * 30, near=1.65)  # a twentieth of 33 rows
def test_local_optima_are_those_of_the_twin(gains, steps, near):
    before = np.cumsum(steps)[: len(gains)]
    found = local_optima(np.array(gains), before, near)
    assert found.tolist() == naive_weighing.local_optima(gains, before, near)


@pytest.mark.parametrize("target", ["y", "score"])
def test_alternatives_are_local_optima_of_the_curve(target):
    random = np.random.default_rng(3)
    n = 600
    frame = pd.DataFrame({"x": random.random(n)})
    wave = np.sin(frame.x * 12) + random.normal(size=n) * 0.5
    frame["y"] = wave if target == "score" else np.where(wave > 0, "yes", "no")
    table = engine.Table.from_frame(frame, "y")
    root = engine.Tree.root(table)
    curve = engine.gain_curve(table, root, 0, "x")
    twin = naive_weighing.local_optima(curve.gains, np.arange(1, n), 0.05 * n)
    expected = sorted((i for i in twin if i != curve.best), key=lambda i: -curve.gains[i])
    (found,) = engine.candidates(table, root, alternatives=3)
    assert [a.split.thresholds[0] for a in found.alternatives] == [curve.cuts[i] for i in expected[:3]]
    assert [a.gain for a in found.alternatives] == pytest.approx([curve.gains[i] for i in expected[:3]])
    assert 2 <= len(found.alternatives) <= 3
    assert engine.candidates(table, root)[0].alternatives == ()
    assert len(curve.alternatives(99)) == len(expected) < 20


def test_alternatives_of_levels_are_cuts_along_their_order():
    """Six levels whose rates fall into three bunches: the second best division parts the other bunch off."""
    rates = {"a": 0.1, "b": 0.12, "c": 0.5, "d": 0.52, "e": 0.9, "f": 0.92}
    rows = [(level, i < 100 * rate) for level, rate in rates.items() for i in range(100)]
    frame = pd.DataFrame(rows, columns=["level", "hit"]).assign(y=lambda f: np.where(f.hit, "yes", "no"))
    table = engine.Table.from_frame(frame[["level", "y"]], "y")
    root = engine.Tree.root(table)
    (found,) = engine.candidates(table, root, alternatives=5)
    assert found.split.groups in ((("a", "b"), ("c", "d", "e", "f")), (("a", "b", "c", "d"), ("e", "f")))
    groups = {frozenset(map(frozenset, a.split.groups)) for a in found.alternatives}
    two = {frozenset(map(frozenset, g)) for g in ((("a", "b"), tuple("cdef")), (tuple("abcd"), ("e", "f")))}
    assert groups and groups <= two | groups and frozenset(map(frozenset, found.split.groups)) not in groups
    for alternative in found.alternatives:
        assert alternative.gain <= found.gain
        assert alternative.gain == pytest.approx(engine.weigh(table, root, 0, alternative.split).gain)


@examples(60)
@given(frame=frames(rows=(10, 60)), seed=st.integers(0, 10**6))
def test_alternatives_are_splits_that_can_be_made(frame, seed):
    table = with_parts(frame, np.random.default_rng(seed))
    root = engine.Tree.root(table)
    for found in engine.candidates(table, root, alternatives=3):
        for other in found.alternatives:
            assert other.split != found.split and other.reason == ""
            tree = root.split(table, 0, other.split)
            assert tuple(tree.rows_train[tree.children(0)]) == other.rows
            assert other.gain <= found.gain + 1e-12


def ordered_table(lacking=0.2):
    """A numeric target that rises with the size of a shirt, which some rows lack."""
    random = np.random.default_rng(5)
    size = random.integers(0, 5, 200)
    levels = ["xs", "s", "m", "l", "xl"]
    frame = pd.DataFrame({"size": pd.Categorical.from_codes(size, levels, ordered=True)})
    frame["score"] = np.array([0.0, 0, 3, 4, 9])[size] + random.normal(size=200)
    frame["x"] = frame["score"] + random.normal(size=200)
    gone = random.random(200) < lacking
    frame.loc[gone, ["size", "x"]] = None, math.nan
    return engine.Table.from_frame(frame, "score").with_partition(validation=0.3)


@pytest.mark.parametrize("missing", ["direction", "branch", "surrogate"])
@pytest.mark.parametrize("lacking", [0.0, 0.2])
def test_cuts_by_the_absolute_error_are_weighed_without_the_rows(missing, lacking):
    """Of numbers and of ordered levels, either side first; their local optima are found, too."""
    table = ordered_table(lacking)
    root, options = engine.Tree.root(table), {"criterion": "absolute_error", "missing": missing}
    for found in engine.candidates(table, root, alternatives=3, **options):
        assert found.split is not None and (found.alternatives or lacking)
        assert all(other.gain <= found.gain + 1e-12 and not other.reason for other in found.alternatives)
    levels = table.column("size").levels
    splits = [engine.Split("x", "threshold", (cut,), missing=side) for cut in (-9.0, 2.0, math.inf) for side in (0, 1)]
    for cut in range(6):
        for groups in ((levels[:cut], levels[cut:]), (levels[cut:], levels[:cut])):
            splits += [engine.Split("size", "groups", groups=groups, missing=side) for side in (0, 1)]
    for split in splits:
        by_curve = engine.gain_curve(table, root, 0, split.column, **options).weigh(split)
        rows = table.rows(engine.TRAIN)
        branch = engine.branch_of_rows(split, table, rows)
        waits = missing == "surrogate" and split.thresholds != (math.inf,)
        has = table.column(split.column).codes[rows] > 0 if waits else np.ones(rows.size, dtype=bool)
        share = has.mean()
        assert by_curve.gain == pytest.approx(
            share * gain_by_rows(table.y[rows[has]], np.empty(0), branch[has], 2), abs=1e-9
        )
        unseen = table.rows(engine.VALIDATION)
        expected = naive_losses.of_table(table, split, rows, unseen, "absolute_error")
        assert by_curve.validation_gain == pytest.approx(expected, abs=1e-9)
    between = engine.Split("size", "groups", groups=(("s", "l"), ("xs", "m", "xl")))
    assert engine.gain_curve(table, root, 0, "size", **options).weigh(between) is None


def test_alternatives_of_cuts_into_buckets_are_such_cuts():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"x": random.random(400)})
    frame["y"] = np.where(np.sin(frame.x * 12) + random.normal(size=400) * 0.5 > 0, "yes", "no")
    table = engine.Table.from_frame(frame, "y")
    (found,) = engine.candidates(table, engine.Tree.root(table), alternatives=9, numeric="bucket_cuts", buckets=10)
    assert found.alternatives
    for other in (found, *found.alternatives):
        assert other.rows[0] % 40 == 0
        assert other.gain <= found.gain
    inner = {other.rows[0] for other in (found, *found.alternatives)}
    gains = {
        k * 40: engine.weigh(table, engine.Tree.root(table), 0, engine.Split("x", "threshold", (cut,))).gain
        for k, cut in ((k, float(np.sort(frame.x)[k * 40 - 1])) for k in range(1, 10))
    }
    tops = {k for k in gains if gains[k] > max(gains.get(k - 40, -1), gains.get(k + 40, -1))}
    assert inner == tops


def test_alternatives_leave_rows_that_wait_for_surrogates_out():
    """No alternative parts the levels as the best split does, with the missing rows on the other side."""
    random = np.random.default_rng(0)
    for _ in range(20):
        town = random.choice([*"abcdef", None], 60)
        frame = pd.DataFrame({"town": town, "x": random.random(60), "y": random.choice(["no", "yes"], 60)})
        table = engine.Table.from_frame(frame, "y")
        has = table.column("town").codes > 0
        found = engine.candidates(table, engine.Tree.root(table), missing="surrogate", alternatives=5)
        best = next(one for one in found if one.column == "town")
        branch = engine.branch_of_rows(best.split, table, np.flatnonzero(has))
        for other in best.alternatives:
            assert (engine.branch_of_rows(other.split, table, np.flatnonzero(has)) != branch).any()
            assert other.gain <= best.gain + 1e-12


def test_a_branch_for_a_level_that_no_row_has_is_no_objection():
    frame = pd.DataFrame({"town": pd.Categorical(list("aabbbb"), list("abc")), "y": list("uuvvvu")})
    table = engine.Table.from_frame(frame, "y")
    root = engine.Tree.root(table)
    (found,) = engine.candidates(table, root, nominal="multiway")
    assert found.rows == (2, 4, 0)
    for options, reason in (({"nominal": "multiway"}, ""), ({}, "a branch has 0 rows, fewer than 1")):
        assert engine.weigh(table, root, 0, found.split, **options).reason == reason
    assert engine.weigh(table, root, 0, found.split, nominal="multiway", min_leaf=3).reason != ""


def test_conditions_at_a_node_without_rows_are_no_evidence():
    table = engine.Table.from_frame(pd.DataFrame({"a": [1, 2, 3, 4], "y": list("uvuv")}), target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (9.0,)))
    conditions = engine.Split("a", "m_of_n", m=1, literals=(engine.Literal("a", "<=", 2.0),))
    evidence = engine.weigh(table, tree, 2, conditions).evidence
    assert (evidence.rows, evidence.log_adjusted) == (0, 0.0)


# -- agreement


@examples(80)
@given(frame=frames(), seed=st.integers(0, 10**6))
def test_agreement_is_the_best_matching(frame, seed):
    random = np.random.default_rng(seed)
    table = table_of(frame)
    one, other = random_split(table, random), random_split(table, random)
    rows = random.permutation(table.n_rows)[: max(table.n_rows // 2, 1)]
    found = engine.agreement(table, rows, one, other)
    assert found == pytest.approx(naive_weighing.agreement(table, rows, one, other))
    assert engine.agreement(table, rows, other, one) == pytest.approx(found)
    assert engine.agreement(table, rows, one, one) == 1.0
    assert math.isnan(engine.agreement(table, rows[:0], one, other))


@pytest.mark.parametrize("nominal", ["groups", "one_vs_rest", "multiway"])
@pytest.mark.parametrize("task", ["classes", "number"])
@examples(25)
@given(seed=st.integers(0, 10**6), asked=st.sampled_from(["groups", "one_vs_rest", "multiway"]))
def test_the_best_groups_of_a_curve_are_those_of_a_search(nominal, task, seed, asked):
    """Whatever way of splitting levels the curve was made with, it finds what a search by another way finds."""
    random = np.random.default_rng(seed)
    town = random.choice([*"abcdef"[: random.integers(2, 7)], None], 60)
    target = random.random(60) if task == "number" else random.choice(["no", "yes", "perhaps"], 60)
    table = engine.Table.from_frame(pd.DataFrame({"town": town, "y": target}), target="y")
    tree = engine.Tree.root(table)
    found = engine.gain_curve(table, tree, 0, "town", nominal=asked).best_groups(nominal)
    assert found == engine.candidates(table, tree, 0, nominal=nominal)[0].split


@given(st.integers(0, 30), st.sampled_from([(), (1,), (3,)]), st.sampled_from(["int64", "float64"]), st.integers(0, 99))
def test_the_sums_before_each_place_are_those_of_a_loop(n, width, kind, seed):
    array = np.random.default_rng(seed).integers(-5, 9, (n, *width)).astype(kind)
    sums = sums_before(array)
    assert sums.dtype == array.dtype
    assert sums.shape == (n + 1, *width)
    for place in range(n + 1):
        assert np.array_equal(sums[place], sum((array[i] for i in range(place)), np.zeros(width)))
