"""Growing: the same tree as choosing the first candidate by hand, in every order, on any number of threads."""

import itertools
import threading
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.growing import by_kernels, large_nodes
from engine.search.options import CHOICES
from engine.splits import Split
from tests.effort import crossed, examples
from tests.naive_growing import assert_same, grow_by_candidates

CLASS_CRITERIA = ["gini", "entropy", "gain_ratio", "error", "sqrt"]


# -- the naive twin: the first candidate at every leaf


# -- random tables


@st.composite
def tables(draw, task="classes"):
    n = draw(st.integers(5, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    missing = draw(st.sampled_from([0.0, 0.3]))

    def with_gaps(values):
        return np.where(random.random(n) < missing, None, values)

    levels = list("abcdef")[: draw(st.integers(2, 6))]
    frame = pd.DataFrame(
        {
            "few": pd.to_numeric(pd.Series(with_gaps(random.integers(0, 4, n)))),
            "many": pd.to_numeric(pd.Series(with_gaps(random.permutation(n) * 0.25 - 3))),
            "level": pd.Categorical(with_gaps(random.choice(levels, n)), categories=list("fedcba")),
            "size": pd.Categorical(with_gaps(random.choice(["S", "L"], n)), categories=["S", "M", "L"], ordered=True),
            "flag": random.random(n) < 0.5,
            "w": random.choice([0.0, 0.5, 1.0, 3.0], n) if draw(st.booleans()) else 1.0,
        }
    )
    frame.loc[:1, "w"] = 1.0
    if task == "classes":
        frame["y"] = random.choice(list("PQRS")[: draw(st.integers(2, 4))], n)
        frame.loc[:1, "y"] = ["P", "Q"]
    else:
        frame["y"] = random.integers(0, 5, n) * 0.5
        frame.loc[:1, "y"] = [0.0, 0.5]
    kinds = {"y": "nominal" if task == "classes" else "number", "few": "number", "many": "number", "w": "number"}
    table = engine.Table.from_frame(frame, target="y", kinds=kinds, weights="w" if draw(st.booleans()) else None)
    return table.with_partition(validation=0.25) if n >= 12 and draw(st.booleans()) else table


def searches(task="classes"):
    """Options of a search: every kind of split, and limits."""
    numeric = [name for name in CHOICES["numeric"] if task == "classes" or name != "boundary_cuts"]
    return st.fixed_dictionaries(
        {"nominal": st.sampled_from(CHOICES["nominal"]), "numeric": st.sampled_from(numeric)}, optional=LIMITS
    )


LIMITS = {
    "buckets": st.integers(2, 7),
    "pool": st.integers(0, 5),
    "min_rows": st.integers(2, 8),
    "min_leaf": st.integers(1, 4),
    "min_gain": st.sampled_from([0.0, 0.01, 0.1]),
    "max_depth": st.integers(0, 4),
}


@examples(60)
@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
@given(table=tables(), limits=searches())
def test_grows_what_the_first_candidates_give(criterion, table, limits):
    tree = engine.grow(table, criterion=criterion, **limits)
    assert_same(tree, grow_by_candidates(table, engine.Tree.root(table), criterion=criterion, **limits))
    assert not tree.by_hand.any()


@examples(60)
@given(table=tables("number"), limits=searches("number"))
def test_grows_what_the_first_candidates_give_for_a_numeric_target(table, limits):
    tree = engine.grow(table, **limits)
    assert_same(tree, grow_by_candidates(table, engine.Tree.root(table), **limits))


@examples(60)
@given(table=tables(), limits=searches(), order=st.sampled_from(["depth_first", "level", "best_first"]))
def test_python_and_the_kernel_grow_the_same(table, limits, order):
    in_kernel = engine.grow(table, **limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_kernels, "ROWS_PER_LEAF", 0)
        one_by_one = engine.grow(table, order=order, max_leaves=10**6, **limits)
        assert_same(in_kernel, one_by_one)
        patch.setattr(by_kernels, "SMALL", 6)  # as if the table were large
        patch.setattr(by_kernels, "VERY_SMALL", 6)
        patch.setattr(large_nodes, "SHARED", 10)
        for parts in (16, 3):
            patch.setattr(by_kernels, "LARGE_PARTS", parts)  # of the rows: those of a node that is grown on lists
            assert_same(in_kernel, engine.grow(table, threads=2, **limits))


# -- numeric targets of which a node shows only a small part of the range


def far_apart(kind, n=240):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(n, 4)), columns=list("abcd"))
    noise, up = random.normal(size=n), (frame["a"] > 0).astype(float)
    if kind == "lognormal":
        frame["y"] = np.round(np.exp(6 * noise), 2)
    elif kind == "seconds":
        frame["y"] = 1.7e9 + 3e7 * up + 1e-6 * random.integers(0, 10**6, n)
    elif kind == "clusters":
        frame["y"] = 1e8 * up + 1e-3 * noise
    else:
        frame["y"] = kind * up + noise
    frame.loc[random.random(n) < 0.1, "b"] = np.nan
    frame["level"] = random.choice(list("pqrs"), n)
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.25)


FAR_APART = [1e4, 1e7, 1e9, 1e12, "lognormal", "seconds", "clusters"]


def exact_gain(table, split, rows):
    """The gain times the weight of a split of the training rows among some, as a fraction; None without a split."""
    rows = rows[table.part[rows] == engine.TRAIN]
    branch = np.zeros(table.n_rows, int)
    reached = engine.Tree.root(table).split(table, 0, split).apply(table)
    branch[rows] = reached[rows]
    sums = [[Fraction(v) for v in table.y[rows[branch[rows] == b]].tolist()] for b in np.unique(branch[rows])]
    whole = sum(map(sum, sums))
    return sum(sum(part) ** 2 / len(part) for part in sums) - whole**2 / sum(map(len, sums))


@pytest.mark.parametrize(("kind", "options"), crossed(FAR_APART, [{}, {"order": "best_first", "max_leaves": 40}]))
def test_far_apart_targets_are_split_as_the_candidates_say(kind, options):
    table = far_apart(kind)
    tree = engine.grow(table, **options)
    at = engine.assign(table, tree)
    for i in np.flatnonzero(tree.n_branches):
        best = engine.candidates(table, tree, int(tree.ids[i]), assignment=at)[0].split
        if best != tree.split_at(i):  # equal gains but for rounding, or the gain is nothing beside the data's digits
            rows = np.sort(at.rows_of(i))
            made, found = (exact_gain(table, split, rows) for split in (tree.split_at(i), best))
            assert abs(made - found) <= 4e-12 * tree.train[i, 2]


@pytest.mark.parametrize("kind", FAR_APART)
def test_far_apart_targets_have_the_error_of_their_rows(kind):
    table = far_apart(kind)
    digit = 4 * float(np.spacing(np.abs(table.y).max()))  # of a mean, whatever the spread around it
    rounding = digit**2
    before = np.inf
    for depth in range(9):
        tree = engine.grow(table, max_depth=depth)
        for other in (tree, tree.with_counts(table)):
            seen, unseen = (engine.assess(table, tree, part).error for part in ("train", "validation"))
            assert other.error() == pytest.approx(seen, rel=1e-9, abs=rounding)
            assert np.sqrt(other.error("validation")) == pytest.approx(np.sqrt(unseen), rel=1e-9, abs=digit)
        spreads = [np.sqrt(one.train[:, 2] / one.train[:, 0]) for one in (tree, tree.with_counts(table))]
        np.testing.assert_allclose(*spreads, rtol=1e-9, atol=digit)  # recounting merges the means of the leaves
        assert tree.error() <= before * (1 + 1e-12)
        before = tree.error()
    steps = engine.prune(table, engine.grow(table)).steps
    assert all(a.train_error <= b.train_error * (1 + 1e-12) + rounding for a, b in itertools.pairwise(steps))


# -- limits, orders, what is there already


def well_gapped(n, d, seed):
    """Two classes, which the first two of d columns tell apart up to noise; no column holds a value twice."""
    random = np.random.default_rng(seed)
    x = np.stack([random.permutation(n) for _ in range(d)], axis=1) / 1024 - n / 2048
    score = x[:, 0] + 2 * np.abs(x[:, 1]) + 0.5 * n / 1024 * random.normal(size=n)
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(d)])
    return frame.assign(y=np.where(score > np.median(score), "up", "down"))


@pytest.mark.parametrize("leaves", [2, 7, 20])
def test_best_first_grows_one_leaf_after_the_other(leaves):
    table = engine.Table.from_frame(well_gapped(2000, 4, seed=leaves), target="y")
    tree = engine.grow(table, order="best_first", max_leaves=leaves)
    assert tree.n_leaves == leaves
    smaller = engine.grow(table, order="best_first", max_leaves=leaves - 1)
    assert paths(smaller) < paths(tree)


def paths(tree):
    """Every node as the conditions that lead to it."""
    return {tuple(tree.rule(int(node))) for node in tree.ids}


def noisy(n=400, seed=0, **columns):
    return engine.Table.from_frame(well_gapped(n, 3, seed).assign(**columns), target="y")


def test_xor_is_solved_although_the_first_split_gains_nothing():
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["no", "yes", "yes", "no"]})
    table = engine.Table.from_frame(frame, target="y", kinds={"a": "number", "b": "number"})
    for criterion in CLASS_CRITERIA:
        tree = engine.grow(table, criterion=criterion)
        assert (tree.depth, tree.n_leaves, tree.error()) == (2, 4, 0)
        assert engine.grow(table, criterion=criterion, min_gain=1e-6).n_leaves == 1


def test_one_more_level_below_each_leaf():
    table = noisy()
    tree = engine.grow(table, max_depth=1)
    assert_same(engine.grow(table, tree=tree, levels=1), engine.grow(table, max_depth=2))
    assert_same(engine.grow(table, tree=tree, levels=0), tree)


def test_max_depth_counts_from_the_root_of_the_tree():
    table = noisy()
    tree = engine.grow(table, max_depth=2)
    assert engine.grow(table, tree=tree, max_depth=2).n_nodes == tree.n_nodes
    assert engine.grow(table, tree=tree, max_depth=3).depth == 3


def test_a_branch_grows_alone_and_hand_made_splits_stay():
    table = noisy().with_partition(validation=0.3)
    tree = engine.Tree.root(table).split(table, 0, Split("x1", "threshold", (0.05,)))
    left, right = (int(tree.ids[i]) for i in tree.children(0))
    grown = engine.grow(table, tree=tree, node=right)
    assert grown.split_at(0) == tree.split_at(0)
    assert grown.by_hand.tolist() == [True] + [False] * (grown.n_nodes - 1)
    assert grown.n_branches[grown.position(left)] == 0 < grown.n_branches[grown.position(right)]
    assert len(set(grown.ids.tolist())) == grown.n_nodes
    assert grown.next_id > grown.ids.max()
    both = engine.grow(table, tree=grown, node=left)
    assert_same(both, engine.grow(table, tree=tree))
    assert_same(both, both.with_counts(table))


def test_an_assignment_at_hand_gives_the_same():
    table = noisy()
    tree = engine.grow(table, max_depth=2)
    assert_same(engine.grow(table, tree=tree, assignment=engine.assign(table, tree)), engine.grow(table))


@pytest.mark.parametrize("order", ["depth_first", "level", "best_first"])
def test_max_leaves_counts_the_whole_tree(order):
    table = noisy()
    tree = engine.grow(table, max_depth=2)
    assert engine.grow(table, tree=tree, order=order, max_leaves=9).n_leaves == 9
    assert engine.grow(table, tree=tree, order=order, max_leaves=2).n_nodes == tree.n_nodes


def test_orders_differ_only_in_which_leaves_they_reach():
    table = noisy()
    by_level = engine.grow(table, order="level", max_leaves=8)
    assert by_level.depth == 3
    depth_first = engine.grow(table, order="depth_first", max_leaves=8)
    assert depth_first.level.tolist()[:4] == [0, 1, 2, 3]
    best_first = engine.grow(table, order="best_first", max_leaves=8)
    whole = paths(engine.grow(table))
    assert len({frozenset(paths(tree)) for tree in (by_level, depth_first, best_first)}) == 3
    assert all(paths(tree) < whole for tree in (by_level, depth_first, best_first))


def test_a_split_into_all_levels_counts_all_its_leaves():
    frame = well_gapped(300, 2, 3)
    frame["level"] = pd.Categorical(np.where(frame["y"] == "up", "a", "b"), categories=list("abcde"))
    table = engine.Table.from_frame(frame, target="y")
    assert engine.grow(table, nominal="multiway", order="best_first", max_leaves=5).n_leaves == 5
    limited = engine.grow(table, nominal="multiway", order="best_first", max_leaves=4)
    assert limited.n_nodes == 1  # the best split does not fit, and there is no other leaf


def test_any_number_of_threads_grows_the_same_tree():
    table = noisy(40_000).with_partition(validation=0.2)
    trees = [engine.grow(table, threads=threads, max_depth=8) for threads in (1, 2, 3)]
    assert trees[0].n_leaves > 100
    for tree in trees[1:]:
        assert_same(tree, trees[0])


def test_many_leaves_at_once():
    table = noisy(20_000)
    by_level = engine.Tree.root(table)
    while True:
        grown = engine.grow(table, tree=by_level, levels=1)
        if grown.n_nodes == by_level.n_nodes:
            break
        by_level = grown
    assert_same(by_level, engine.grow(table))


def test_thresholds_are_those_of_the_candidates_bit_by_bit():
    values = [-np.inf, 0.1, np.nextafter(0.1, 1), 0.7, 1e308, 1.7e308, np.inf]
    for low, high in itertools.pairwise(values):
        frame = pd.DataFrame({"x": [low, high], "y": ["a", "b"]})
        table = engine.Table.from_frame(frame, target="y")
        split = engine.grow(table).split_at(0)
        assert split == engine.candidates(table, engine.Tree.root(table))[0].split


# -- odd tables


@pytest.mark.parametrize(
    ("columns", "leaves"),
    [
        ({"x": [1.0, 1.0, 1.0, 1.0]}, 1),
        ({"x": [np.nan] * 4}, 1),
        ({"x": [np.nan, np.nan, 1.0, 1.0]}, 2),
        ({"x": ["same"] * 4}, 1),
        ({"x": [1.0, 2.0, 3.0, 4.0]}, 2),
    ],
)
def test_columns_with_little_to_tell(columns, leaves):
    frame = pd.DataFrame({**columns, "y": ["a", "a", "b", "b"]})
    table = engine.Table.from_frame(frame, target="y", kinds={"x": "number"} if frame["x"].dtype == float else None)
    tree = engine.grow(table)
    assert tree.n_leaves == leaves
    assert_same(tree, grow_by_candidates(table, engine.Tree.root(table)))


def test_present_or_missing():
    frame = pd.DataFrame({"x": [np.nan, np.nan, 1.0, 2.0], "y": ["a", "a", "b", "b"]})
    split = engine.grow(engine.Table.from_frame(frame, target="y")).split_at(0)
    assert split == Split("x", "threshold", (np.inf,), missing=1)


@pytest.mark.parametrize("y", [[1.5, 1.5, 1.5, 0.5], [0.1, 0.1, 0.1, 0.3]])
def test_a_numeric_target_is_pure_where_all_values_are_equal(y):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": y})
    tree = engine.grow(engine.Table.from_frame(frame, target="y", kinds={"y": "number"}))
    assert tree.n_leaves == 2
    assert sorted(tree.means[tree.leaves]) == pytest.approx(sorted({*y}))


def test_one_training_row():
    table = noisy(20, part=["train"] + ["valid"] * 19).with_roles({"part": "partition"})
    tree = engine.grow(table)
    assert (tree.n_nodes, int(tree.rows_train[0]), int(tree.rows_validation[0])) == (1, 1, 19)


def test_many_classes_and_many_levels():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=900), "c": random.choice([f"c{i}" for i in range(40)], 900)})
    frame["y"] = [f"k{i % 300}" for i in range(900)]
    table = engine.Table.from_frame(frame, target="y")
    assert engine.grow(table, max_depth=3).depth == 3


def test_the_options_are_remembered():
    tree = engine.grow(noisy(), criterion="entropy", max_depth=2)
    assert (tree.options["criterion"], tree.options["max_depth"]) == ("entropy", 2)


def test_unknown_options_and_nodes_are_named():
    with pytest.raises(engine.InputError, match="depth"):
        engine.grow(noisy(), depth=2)
    with pytest.raises(engine.InputError, match="no node 7"):
        engine.grow(noisy(), tree=engine.Tree.root(noisy()), node=7)


# -- stopping and telling


def test_a_stop_before_the_start_changes_nothing():
    progress = engine.Progress()
    progress.stop()
    assert engine.grow(noisy(), progress=progress).n_nodes == 1


@pytest.mark.parametrize("options", [{}, {"order": "best_first", "max_leaves": 10**6}])
def test_a_stop_leaves_a_valid_tree(options):
    table = noisy(40_000).with_partition(validation=0.2)
    started = []

    def report(fraction, text):
        started.append(fraction)
        if len(started) == 2:
            progress.stop()

    progress = engine.Progress(report)
    tree = engine.grow(table, progress=progress, **options)
    whole = engine.grow(table)
    assert 1 <= tree.n_leaves < whole.n_leaves
    assert_same(tree, tree.with_counts(table))
    assert {tree.split_at(i) for i in range(tree.n_nodes)} <= {whole.split_at(i) for i in range(whole.n_nodes)}


def test_progress_rises_and_no_thread_is_left():
    before = threading.active_count()
    told = []
    engine.grow(noisy(40_000), progress=engine.Progress(lambda fraction, text: told.append(fraction)), threads=2)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1
    assert threading.active_count() == before


@pytest.mark.parametrize("how", [{}, {"max_leaves": 2}, {"missing": "branch"}])
def test_a_split_that_gains_exactly_the_least_gain_is_made(how):
    """By the kernels, by turns, and node by node; the gains are fractions, and rounded to either side."""
    random = np.random.default_rng(0)
    for _ in range(60):
        n = int(random.integers(4, 60))
        x, y = (np.arange(n) >= random.integers(1, n)).astype(int), random.integers(0, 3, n)
        y[:2] = 0, 1
        sides = [
            [Fraction(count) for count in np.bincount(part, minlength=3).tolist()] for part in (y[x == 0], y[x == 1])
        ]
        mixed = [
            1 - sum((count / sum(s)) ** 2 for count in s)
            for s in (*sides, [a + b for a, b in zip(*sides, strict=True)])
        ]
        gain = mixed[2] - sum(sum(side) / n * g for side, g in zip(sides, mixed, strict=False))
        if gain == 0:
            continue
        table = engine.Table.from_frame(pd.DataFrame({"x": x, "y": [f"c{k}" for k in y]}), target="y")
        assert engine.grow(table, min_gain=float(gain), max_depth=1, **how).n_leaves == 2
        assert engine.grow(table, min_gain=float(gain) + 1e-9, max_depth=1, **how).n_leaves == 1
