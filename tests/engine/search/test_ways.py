"""Every way to split one column: buckets, label boundaries, one level against the rest, pooled levels."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

import engine
from engine.growing import large_nodes as ground
from engine.search.kernels import branches as search
from engine.search.kernels import level_groups, split_kinds
from engine.search.kernels import split_kinds as ways
from engine.search.options import CHOICES
from engine.splits import Split
from engine.tree import assignment
from engine.tree.assignment import _by_leaf, _node_by_node, reached_leaves
from tests import naive, naive_splits
from tests.effort import examples

ALL = [*naive.CLASS_CRITERIA, "squared_error"]


@st.composite
def problems(draw, name, most_runs=8):
    """(stats, rows, miss_stat, miss_rows): small numbers, many of them equal; runs of one class and of several."""
    m, missing = draw(st.integers(1, most_runs)), draw(st.booleans())
    if name == "squared_error":
        cells = [draw(st.lists(st.integers(-3, 3), min_size=1, max_size=3)) for _ in range(m + missing)]
        stats = [[len(c), sum(c), sum(v * v for v in c)] for c in cells]
        rows = [len(c) for c in cells]
    else:
        width = draw(st.integers(2, 4))
        pure = st.tuples(st.integers(0, width - 1), st.integers(1, 4)).map(
            lambda drawn: [drawn[1] * (c == drawn[0]) for c in range(width)]
        )
        one = pure | st.lists(st.integers(0, 3), min_size=width, max_size=width).filter(any)
        stats = [draw(one) for _ in range(m + missing)]
        rows = [sum(s) for s in stats]
    scale = draw(st.sampled_from([1, 1, 0.5, 3]))  # weights; by class they may differ, too
    stats = [[value * scale for value in stat] for stat in stats]
    if missing:
        return stats[:m], rows[:m], stats[m], rows[m]
    return stats, rows, [0] * len(stats[0]), 0


def searched(way, problem, name, min_leaf=1, amount=0):
    """What `search_runs` answers, by name, with the branch of each run."""
    stats, rows, miss_stat, miss_rows = problem
    m = len(stats)
    segment, side, branch = np.arange(m), np.zeros(m, np.uint8), np.zeros(m, np.uint16)
    gain, tie, missing, information, cut, n, alone = ways.search_runs(
        way, amount, np.array(stats, float), np.array(rows), np.array(miss_stat, float), miss_rows,
        naive.CODES[name], min_leaf, segment, side,
    )  # fmt: skip
    ways.write_branches(way, segment, side, cut, m, branch)
    answer = {"merit": (gain, tie), "missing": missing, "information": information, "cut": cut}
    return None if missing < 0 else answer | {"segments": n, "alone": alone, "branch": branch.tolist()}


def assert_same_merit(found, expected):
    assert found == pytest.approx(tuple(map(float, expected)), abs=1e-12)


# -- buckets


def test_buckets_by_hand():
    ten = [[1, 0]] * 10
    assert naive_splits.bucket_limits("gini", ten, 4) == [1, 4, 6]  # 2.5 and 7.5 are as near to 2 as to 3: lower
    ties = [[6, 0], [1, 0], [1, 0], [2, 0]]
    assert naive_splits.bucket_limits("gini", ties, 4) == [0, 1]  # 2.5 is nearer to 0, no limit, than to 6


@examples(200)
@pytest.mark.parametrize("name", ["gini", "squared_error"])
@given(data=st.data(), buckets=st.sampled_from([2, 3, 4, 5, 7, 10, 40]))
def test_buckets_are_limited_as_defined(name, data, buckets):
    stats, *_ = data.draw(problems(name, 12))
    segment = np.empty(len(stats), np.int64)
    n = split_kinds.divide_into_buckets(np.array(stats, float), naive.CODES[name], buckets, segment)
    limits = naive_splits.bucket_limits(name, stats, buckets)
    assert segment.tolist() == naive_splits.segments(limits, len(stats))
    assert n == len(limits) + 1


def test_the_end_of_all_rows_is_no_limit_even_within_rounding():
    stats, segment = [[0.5, 0], [0.5, 0], [1.5e-12, 0]], np.empty(3, np.int64)
    assert naive_splits.bucket_limits("gini", stats, 2) == [0]
    assert split_kinds.divide_into_buckets(np.array(stats), 0, 2, segment) == 2


@pytest.mark.parametrize("buckets", [2, 4, 1000, 2**31 - 1])
def test_buckets_of_uneven_weights_and_of_any_number(buckets):
    random = np.random.default_rng(0)
    weights = random.random(500) + 1e-3
    stat, segment = np.stack([weights, np.zeros(500)], axis=1), np.empty(500, np.int64)
    n = split_kinds.divide_into_buckets(stat, 0, buckets, segment)
    if buckets <= 1000:
        limits = naive_splits.bucket_limits("gini", stat.tolist(), buckets)
        assert segment.tolist() == naive_splits.segments(limits, 500)
    else:
        assert n == 500


@examples(60)
@pytest.mark.parametrize("name", ALL)
@given(data=st.data(), min_leaf=st.integers(1, 4), buckets=st.integers(2, 6))
def test_cuts_between_buckets_and_a_branch_for_each(name, data, min_leaf, buckets):
    problem = data.draw(problems(name))
    stats, rows, *missing = problem
    segment = naive_splits.segments(naive_splits.bucket_limits(name, stats, buckets), len(stats))
    fewer = (*naive_splits.merged(segment, stats, rows), *missing)

    expected, found = (
        naive.best_cut(name, *fewer, min_leaf),
        searched(ways.BUCKET_CUT, problem, name, min_leaf, buckets),
    )
    assert (found is None) == (expected is None)
    if expected:
        assert_same_merit(found["merit"], expected[0])
        assert (found["cut"], found["missing"]) == expected[1:]
        assert found["branch"] == [int(s > expected[1]) for s in segment]

    expected, found = naive.multiway(name, *fewer, min_leaf), searched(ways.BUCKETS, problem, name, min_leaf, buckets)
    assert (found is None) == (expected is None)
    if expected:
        assert_same_merit(found["merit"], expected[0])
        assert (found["missing"], found["branch"]) == (expected[1], segment)


# -- label boundaries


@examples(200)
@pytest.mark.parametrize("name", naive.CLASS_CRITERIA)
@given(data=st.data(), min_leaf=st.integers(1, 9))
def test_label_boundaries_hold_the_best_of_all_cuts(name, data, min_leaf):
    """Min_leaf, weights and missing rows in both directions included."""
    problem = data.draw(problems(name, 10))
    expected, found = naive.best_cut(name, *problem, min_leaf), searched(ways.BOUNDARY, problem, name, min_leaf)
    assert (found is None) == (expected is None)
    if expected:
        assert_same_merit(found["merit"], expected[0])


@examples(60)
@pytest.mark.parametrize("name", naive.CLASS_CRITERIA)
@given(seed=st.integers(0, 2**32 - 1), min_leaf=st.sampled_from([1, 2, 5, 20, 60]))
def test_label_boundaries_hold_the_best_cut_of_many_weighted_rows(name, seed, min_leaf):
    """Rows of any weight: what `min_leaf` allows counts rows, the gain weights."""
    random = np.random.default_rng(seed)
    m, width = int(random.integers(2, 80)), int(random.integers(2, 5))
    counts = random.integers(0, 4, (m + 1, width)) * (random.random((m + 1, width)) < random.choice([0.3, 0.8]))
    counts[np.arange(m + 1), np.sort(random.integers(0, width, m + 1))] += 1
    stat, miss_rows = counts * (random.random(counts.shape) + 0.1), int(random.choice([0, counts[m].sum()]))
    problem = stat[:m], counts[:m].sum(axis=1), stat[m] * (miss_rows > 0), miss_rows
    gain, tie, cut, _ = search.best_cut(*problem, naive.CODES[name], min_leaf)
    found = searched(ways.BOUNDARY, problem, name, min_leaf)
    assert (found is None) == (cut < 0)
    if found:
        assert found["merit"] == pytest.approx((gain, tie), rel=1e-9, abs=1e-12)


@examples(200)
@given(data=st.data())
def test_only_boundaries_and_the_two_ends_are_tried(data):
    stats, rows, _, miss_rows = data.draw(problems("gini"))
    segment = np.empty(len(stats), np.int64)
    split_kinds.divide_at_boundaries(np.array(stats, float), np.array(rows), miss_rows, 1, segment)
    tried = set(np.flatnonzero(np.diff(segment)).tolist())
    assert tried == {*naive_splits.boundaries(stats), 0, len(stats) - 2} & set(range(len(stats) - 1))


def test_without_the_ends_that_min_leaf_allows_the_best_cut_would_be_missed():
    """a a a b b b b b b with min_leaf 4: the boundary after 3 is forbidden, the cut after 4 is the best."""
    problem = [[1, 0]] * 3 + [[0, 1]] * 6, [1] * 9, [0, 0], 0
    found = searched(ways.BOUNDARY, problem, "gini", min_leaf=4)
    assert naive_splits.boundaries(problem[0]) == [2]
    assert found["branch"] == [0] * 4 + [1] * 5


# -- levels


@examples(100)
@pytest.mark.parametrize("name", ALL)
@given(data=st.data(), min_leaf=st.integers(1, 4), pool=st.integers(0, 6))
def test_one_level_against_the_rest(name, data, min_leaf, pool):
    problem = data.draw(problems(name))
    stats, rows, *missing = problem
    segment = naive_splits.pooled(rows, pool)
    fewer = naive_splits.merged(segment, stats, rows)
    expected = naive_splits.one_vs_rest(name, *fewer, *missing, min_leaf)
    found = searched(ways.ONE_VS_REST, problem, name, min_leaf, pool)
    assert (found is None) == (expected is None)
    if expected:
        assert_same_merit(found["merit"], expected[0])
        assert found["branch"] == [int(s != expected[1]) for s in segment]
        assert found["missing"] == expected[2]


@examples(60)
@pytest.mark.parametrize("name", ALL)
@given(data=st.data(), min_leaf=st.integers(1, 4), pool=st.integers(1, 6))
def test_rare_levels_are_searched_as_one(name, data, min_leaf, pool):
    problem = data.draw(problems(name, 6))
    stats, rows, *missing = problem
    segment = naive_splits.pooled(rows, pool)
    fewer = (*naive_splits.merged(segment, stats, rows), *missing)

    expected, found = naive.best_groups(name, *fewer, min_leaf), searched(ways.GROUPS, problem, name, min_leaf, pool)
    assert (found is None) == (expected is None)
    if expected:
        sides = {(s, branch) for s, branch in zip(segment, found["branch"], strict=True)}
        assert len(sides) == max(segment) + 1  # a pooled level goes the way of the others
        assert_same_merit(found["merit"], expected)

    expected, found = naive.multiway(name, *fewer, min_leaf), searched(ways.POOLED, problem, name, min_leaf, pool)
    assert (found is None) == (expected is None)
    if expected:
        assert_same_merit(found["merit"], expected[0])
        assert (found["missing"], found["branch"]) == (expected[1], segment)
        assert found["alone"] == sum(n >= pool for n in rows)


def root_split(frame, target="y", **options):
    table = engine.Table.from_frame(frame, target=target, kinds=options.pop("kinds", None))
    (candidate,) = engine.candidates(table, engine.Tree.root(table), **options)
    return candidate


LEVELS = pd.DataFrame(
    {"x": pd.Categorical(list("aaaabbbbcd"), categories=list("fedcba")), "y": list("uuuuvvvvuu")}
)  # c and d have one row each, e and f none


def test_a_branch_for_each_level_of_enough_rows_and_one_for_all_others():
    split = root_split(LEVELS, nominal="multiway", pool=2).split
    assert split.groups == (("b",), ("a",), ("f", "e", "d", "c"))
    assert split.unseen == 2
    everyone = root_split(LEVELS, nominal="multiway").split
    assert everyone.groups == tuple((level,) for level in "fedcba")


def test_other_levels_that_no_row_has_are_a_leaf_that_says_what_the_parent_says():
    frame = LEVELS[:8]
    split = root_split(frame, nominal="multiway", pool=2).split
    assert split.groups == (("b",), ("a",), ("f", "e", "d", "c"))
    table = engine.Table.from_frame(pd.concat([frame, frame[:1]]), target="y")  # u is the majority
    tree = engine.grow(table, nominal="multiway", pool=2)
    others = tree.children(0)[2]
    assert (tree.rows_train[others], tree.n_branches[others]) == (0, 0)
    assert tree.labels[others] == tree.labels[0] == table.classes.index("u")
    assert tree.split_at(0) == engine.candidates(table, engine.Tree.root(table), nominal="multiway", pool=2)[0].split


def test_one_level_and_the_others_with_missing_as_one_of_them():
    split = root_split(LEVELS, nominal="one_vs_rest").split
    assert split.groups == (("b",), ("d", "c", "a"))
    assert split.unseen == 1
    frame = LEVELS.assign(y=list("uuuuuuuuuv"))
    frame.loc[9, "x"] = None
    split = root_split(frame, nominal="one_vs_rest").split  # missing is the one
    assert split == Split("x", "groups", groups=((), ("c", "b", "a")), missing=0, unseen=1)


def test_an_ordered_column_is_cut_whatever_the_categories_do():
    sizes = pd.Categorical(list("SMMLLL"), ["S", "M", "L"], ordered=True)
    frame = pd.DataFrame({"size": sizes, "y": list("abbaaa")})
    for nominal in CHOICES["nominal"]:
        assert root_split(frame, nominal=nominal, pool=5).split.groups == (("S", "M"), ("L",))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"nominal": "multiway", "pool": 7}, "all levels have fewer than 7 rows here"),
        ({"nominal": "groups", "pool": 7}, "all levels have fewer than 7 rows here"),
        ({"nominal": "one_vs_rest", "pool": 7}, "all levels have fewer than 7 rows here"),
        (
            {"nominal": "one_vs_rest", "min_leaf": 6},
            "every level against the rest leaves fewer than 6 rows on one side",
        ),
    ],
)
def test_why_levels_cannot_be_split(options, reason):
    assert root_split(LEVELS, **options).reason == reason


def test_why_numbers_cannot_be_split():
    frame = pd.DataFrame({"x": [1.0, 1, 1, 1, 2, None], "y": list("abaaba")})
    branches = {"numeric": "bucket_branches"}
    assert root_split(frame, **branches, min_leaf=3).reason == "a branch would have fewer than 3 rows"
    assert root_split(frame.assign(x=[1.0] * 5 + [None]), **branches).reason == "only one value here"
    many = pd.DataFrame({"x": np.arange(66_000.0), "y": ["a", "b"] * 33_000})
    reason = "66,000 branches are too many: at most 65,535 can be made"
    assert root_split(many, **branches, buckets=70_000).reason == reason
    found = root_split(frame, numeric="bucket_cuts", min_leaf=4)
    assert found.reason == "every cut leaves fewer than 4 rows on one side"


def test_every_branch_of_buckets_is_shown_with_its_rows():
    frame = pd.DataFrame({"x": np.arange(40.0), "y": ["a"] * 10 + ["b"] * 10 + ["a"] * 20})
    found = root_split(frame, numeric="bucket_branches", buckets=4)
    assert found.split == Split("x", "threshold", (9.5, 19.5, 29.5), missing=0)
    assert (found.rows, found.gain) == ((10, 10, 10, 10), pytest.approx(0.375))
    assert root_split(frame, numeric="bucket_cuts", buckets=4).split.thresholds == (19.5,)


def test_the_tries_of_a_search_count_against_it():
    """LogWorth: of four buckets three cuts were compared, of label boundaries all cuts."""
    frame = pd.DataFrame({"x": np.arange(400.0), "y": (["a"] * 3 + ["b"] * 2) * 40 + (["a"] * 2 + ["b"] * 3) * 40})
    by_cuts, by_boundary, by_buckets = (
        root_split(frame, numeric=numeric).logworth for numeric in ("cuts", "boundary_cuts", "bucket_cuts")
    )
    assert by_cuts == by_boundary
    lone = root_split(frame.assign(x=np.arange(400) > 199)).logworth  # the same split, and no other was possible
    assert by_cuts < by_buckets < lone


# -- hundreds of levels, attributes used up


@pytest.mark.parametrize("nominal", CHOICES["nominal"])
@pytest.mark.parametrize("pool", [0, 10])
def test_hundreds_of_levels_are_no_trouble(nominal, pool):
    random = np.random.default_rng(0)
    shop = np.minimum(random.zipf(1.3, 20_000), 500)
    frame = pd.DataFrame({"shop": [f"s{i}" for i in shop], "x": random.normal(size=20_000)})
    frame["y"] = np.where(random.random(20_000) < 0.2 + 0.6 * (shop % 2), "a", "b")
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    engine.grow(table, nominal=nominal, pool=pool, max_depth=1)  # compiled
    begin = time.perf_counter()
    tree = engine.grow(table, nominal=nominal, pool=pool, max_depth=4)
    assert time.perf_counter() - begin < 3
    assert tree.n_leaves > 4
    rows = np.bincount(tree.apply(table)[table.rows(engine.VALIDATION)], minlength=tree.next_id)
    assert tree.rows_validation[tree.leaves].tolist() == rows[tree.ids[tree.leaves]].tolist()


@pytest.mark.parametrize("nominal", CHOICES["nominal"])
def test_when_the_attributes_are_used_up_the_rest_are_leaves(nominal):
    frame = pd.DataFrame({"a": list("uuvvuuvv"), "b": list("stststst"), "y": list("pqpqqppq")})
    tree = engine.grow(engine.Table.from_frame(frame, target="y"), nominal=nominal)
    assert (tree.n_leaves, tree.depth) == (4, 2)
    assert tree.error() == pytest.approx(0.25)


# -- the guard of the gain ratio


def test_growing_and_candidates_leave_the_same_columns_out():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({f"id{k}": [f"{k}.{i}" for i in random.permutation(40)] for k in range(3)})
    frame["x"] = random.choice(["s", "t"], 40)
    frame["y"] = np.where(random.random(40) < 0.85, frame["x"] == "s", frame["x"] == "t")
    table = engine.Table.from_frame(frame, target="y")
    options = {"criterion": "gain_ratio", "nominal": "multiway"}
    found = engine.candidates(table, engine.Tree.root(table), **options)
    assert found[0].column == "x"
    assert found[0].gain < np.mean([candidate.gain for candidate in found]) - 1e-3  # the bar with the names
    assert engine.grow(table, **options).split_at(0) == found[0].split


@pytest.mark.parametrize(("n_levels", "out"), [(11, False), (12, True)])
def test_a_column_is_crowded_from_three_tenths_of_the_training_rows_on(n_levels, out):
    domain = [f"{i:02}" for i in range(n_levels)]
    frame = pd.DataFrame({"c": pd.Categorical(np.resize(domain, 80), categories=domain), "y": list("ab") * 40})
    frame["fold"] = ["train"] * 40 + ["valid"] * 40
    table = engine.Table.from_frame(frame, target="y").with_partition(column="fold")
    make = engine.Search.make
    places = [table.index("c")]
    by_ratio = make("classes", criterion="gain_ratio", nominal="multiway")
    assert ground.crowded(table, places, by_ratio).tolist() == [out]
    assert ground.crowded(table, places, make("classes", criterion="gain_ratio")).size == 0


# -- large trees with several thresholds


@pytest.fixture(scope="module")
def many_cuts():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(60_000, 3)), columns=list("abc"))
    frame.loc[random.random(60_000) < 0.1, "a"] = np.nan
    frame["y"] = random.integers(0, 2, 60_000)
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "nominal"}).with_partition(validation=0.2)
    return table, engine.grow(table, numeric="bucket_branches", buckets=5)


def test_rows_find_their_leaves_in_a_large_tree_of_buckets(many_cuts):
    table, tree = many_cuts
    assert tree.n_nodes > 30_000
    one_by_one, at_once = _node_by_node(table, tree), _by_leaf(reached_leaves(table, tree), tree.end)
    for name in ("rows", "start", "stop"):
        assert np.array_equal(getattr(one_by_one, name), getattr(at_once, name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "_node_by_node", None)  # too slow for so many nodes
        assert np.array_equal(engine.assign(table, tree).rows, at_once.rows)
    again = tree.with_counts(table)
    for name in ("rows_train", "rows_validation", "train", "validation"):
        assert np.array_equal(getattr(tree, name), getattr(again, name))


def test_another_table_has_other_codes_for_the_same_thresholds(many_cuts):
    tree = many_cuts[1]
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(500, 3)), columns=list("abc")).assign(y=[0, 1] * 250)
    other = engine.Table.from_frame(frame, target="y", kinds={"y": "nominal"})
    one_by_one, at_once = _node_by_node(other, tree), _by_leaf(reached_leaves(other, tree), tree.end)
    assert np.array_equal(one_by_one.rows, at_once.rows)


@pytest.mark.parametrize("order", ["depth_first", "level", "best_first"])
@pytest.mark.parametrize(
    "options",
    [{"numeric": "bucket_branches", "buckets": 4}, {"nominal": "multiway", "pool": 3}, {"nominal": "multiway"}],
)
def test_a_limit_of_leaves_counts_every_branch(order, options):
    random = np.random.default_rng(1)
    domain = list("abcdefg")
    frame = pd.DataFrame({"x": random.normal(size=300), "c": pd.Categorical(random.choice(domain[:5], 300), domain)})
    frame["y"] = random.random(300) < 0.3 + 0.1 * frame["c"].cat.codes
    table = engine.Table.from_frame(frame, target="y")
    whole = engine.grow(table, **options)
    sizes = []
    for most in range(2, 40):
        tree = engine.grow(table, order=order, max_leaves=most, **options)
        assert tree.n_leaves <= most
        sizes.append(tree.n_leaves)
        splits = {whole.split_at(i) for i in range(whole.n_nodes)}
        assert {tree.split_at(i) for i in range(tree.n_nodes)} <= splits
    assert max(sizes) >= 36


# -- the curve


def test_the_curve_shows_which_cuts_are_label_boundaries():
    frame = pd.DataFrame({"x": [1, 2, 3, 3, 4, 5], "y": list("aaabbb"), "z": [0.5, 0.5, 1, 2, 3, 4]})
    table = engine.Table.from_frame(frame, target="y", kinds={"x": "number"}, roles={"z": "ignore"})
    root = engine.Tree.root(table)
    assert engine.gain_curve(table, root, 0, "x").boundary.tolist() == [False, True, True, False]
    numeric = engine.Table.from_frame(frame.drop(columns="y"), target="z", kinds={"x": "number", "z": "number"})
    assert engine.gain_curve(numeric, engine.Tree.root(numeric), 0, "x").boundary.tolist() == [True] * 4
    none = engine.Table.from_frame(frame.assign(x=list("pqrrst")), target="y")
    assert engine.gain_curve(none, engine.Tree.root(none), 0, "x").boundary.size == 0


@pytest.mark.parametrize("numeric", CHOICES["numeric"])
def test_the_curve_marks_the_cut_that_the_search_takes(numeric):
    random = np.random.default_rng(5)
    x, y = random.integers(0, 50, 200), random.integers(0, 2, 200)
    frame = pd.DataFrame({"x": np.where(random.random(200) < 0.1, np.nan, x), "y": y})
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "nominal"})
    root = engine.Tree.root(table)
    curve = engine.gain_curve(table, root, 0, "x", numeric=numeric)
    (found,) = engine.candidates(table, root, numeric=numeric)
    assert curve.missing in (0, 1)
    if numeric == "bucket_branches":
        assert curve.best == -1
    else:
        assert (curve.cuts[curve.best],) == found.split.thresholds
        assert (curve.gains[curve.best], curve.missing) == (pytest.approx(found.gain), found.split.missing)


@pytest.mark.parametrize("kernel", [ways.write_branches, level_groups.one_vs_rest, split_kinds.merge_runs])
def test_kernels_are_compiled_once(kernel):
    assert len(kernel.signatures) <= 1


def test_pooled_levels_are_one_value_to_the_test():
    """300 levels of one or two rows say nothing by themselves; pooled they are one level beside two large ones."""
    random = np.random.default_rng(0)
    rare, large = [f"r{i}" for i in random.integers(0, 300, 500)], ["a"] * 250 + ["b"] * 250
    frame = pd.DataFrame({"x": rare + large, "y": ["u", "v"] * 250 + ["u"] * 250 + ["v"] * 250})
    alone, pooled = (root_split(frame, nominal="multiway", pool=pool).logworth for pool in (0, 50))
    assert pooled == pytest.approx(-chi2.logsf(500, 2) / np.log(10), rel=1e-6)  # X² of 500 rows that are pure
    assert alone < pooled
