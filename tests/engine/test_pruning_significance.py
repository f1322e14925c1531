"""Many tests of significance at once decide as the p-values of the candidates do, one after the other."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaincc

from engine.growing import grow
from engine.pruning.significance import SplitEvidence
from engine.runtime.compiler import jit
from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.search.permutation_null import Deal
from engine.significance import groupings
from engine.significance.adjusted import _many
from engine.significance.batch.branch_tests import WayTests
from engine.significance.batch.cut_tests import CutTests
from engine.significance.batch.level_tests import LevelTests
from engine.significance.kernels.beta import beyond_beta
from engine.significance.kernels.cut_tests import NO, OPEN, YES
from engine.significance.kernels.many_cuts import MOST_ENDS, ends_of_many
from engine.splits import Split
from engine.table.table import Table
from engine.tree import Tree
from engine.tree.assignment import _node_by_node, assign
from engine.tree.descent import reached_leaves
from tests.effort import examples

SEEDS, LEVELS = st.integers(0, 10**6), st.sampled_from([1e-4, 1e-3, 0.05, 0.3, 0.9, 1.0])


def target(rng, shape, signal):
    """Numbers of many shapes: normal, long tails, few values, two values."""
    y = rng.normal(size=signal.size) + signal
    if shape == "long tails":
        return np.exp(2 * rng.normal(size=signal.size)) + signal
    if shape == "whole numbers":
        return np.round(y)
    return (y > np.quantile(y, 0.7)).astype(float) if shape == "two values" else y


SHAPES = st.sampled_from(["normal", "long tails", "whole numbers", "two values"])

WAYS = st.fixed_dictionaries(
    {
        "nominal": st.sampled_from(["groups", "one_vs_rest"]), "pool": st.sampled_from([0, 3]),
        "missing": st.sampled_from(["direction", "branch"]),
    }
)  # fmt: skip


def made(rng, frame, y, task, weighted):
    """A table with weights and validation rows; classes are made of numbers."""
    frame["w"] = rng.integers(1, 3, len(frame))
    frame["t"] = np.where(y > np.quantile(y, 0.6), "u", "v") if task == "classes" else y
    frame.loc[:1, "t"] = ["u", "v"] if task == "classes" else [0.0, 1.0]
    roles = {"w": "weight" if weighted else "ignore"}
    kinds = {"t": "nominal" if task == "classes" else "number"}
    return Table.from_frame(frame, target="t", kinds=kinds, roles=roles).with_partition(validation=0.2)


def compare(kind, table, tree, level, most=40):
    """Compares the verdicts with the p-values of up to `most` splits; (how many verdicts there are, how many were
    asked for)."""
    evidence = SplitEvidence(table, tree, level, None, Progress())
    tests = kind(table, tree, Search.make(tree.task, **tree.options), math.log(level))
    found = np.zeros(tree.n_nodes, np.uint8)
    asked = np.flatnonzero(tests.possible & evidence._promising)
    tests.judge(asked, assign(table, tree), found, Progress())
    for v in asked[:most]:
        if found[v] != OPEN:
            assert (found[v] == YES) == (evidence.log_p(int(v)) <= math.log(level)), v
    for v in asked[:3]:
        compare_beside(kind, table, tree, int(v), evidence.log_p(int(v)))
    return int(np.count_nonzero(found[asked])), asked.size


def compare_beside(kind, table, tree, v, log_p):
    """Compares the verdicts on one split where they are hardest, at levels just beside its p-value."""
    for log_level, verdict in ((log_p + 0.001, YES), (log_p - 0.001, NO)):
        if log_level < 0.0:
            tests = kind(table, tree, Search.make(tree.task, **tree.options), log_level)
            found = np.zeros(tree.n_nodes, np.uint8)
            if tests.possible[v]:
                tests.judge(np.array([v]), assign(table, tree), found, Progress())
                assert found[v] in (OPEN, verdict), (v, log_p)


@examples(60)
@given(SEEDS, SHAPES, st.sampled_from([30, 150, 900]), st.sampled_from([3, 40, 2000]), st.booleans(), LEVELS)
def test_cuts_for_numbers_are_decided_as_their_p_values(seed, shape, n, n_values, weighted, level):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.integers(0, n_values, n).astype(float), "b": rng.normal(size=n)})
    frame.loc[rng.random(n) < 0.2, "b"] = np.nan
    table = made(rng, frame, target(rng, shape, (frame.a > n_values / 2) * rng.choice([0.0, 1.0])), "number", weighted)
    compare(CutTests, table, grow(table, min_leaf=int(rng.choice([1, 3]))), level)


@examples(20)
@given(SEEDS, st.sampled_from(["classes", "number"]), st.sampled_from([500, 10**6]), LEVELS)
def test_cuts_of_large_nodes_are_decided_as_their_p_values(seed, task, n_values, level):
    rng = np.random.default_rng(seed)
    n = 5000
    frame = pd.DataFrame({"a": rng.integers(0, n_values, n).astype(float), "b": rng.normal(size=n)})
    frame.loc[rng.random(n) < 0.1, "a"] = np.nan
    y = rng.normal(size=n) + rng.choice([0.0, 0.1, 2.0]) * (frame.a > n_values / 2)
    table = made(rng, frame, y, task, weighted=False)
    compare(CutTests, table, grow(table, max_depth=3), level)


@examples(20)
@given(SEEDS, st.sampled_from([0.3, 0.56, 0.9]))
def test_targets_close_together_and_far_from_zero_are_decided_as_their_p_values(seed, level):
    """A single row that goes farthest goes exactly as far as its cut explains; rounding must not hide that."""
    rng = np.random.default_rng(seed)
    n = 40
    frame = pd.DataFrame({"a": rng.normal(size=n), "c": rng.choice(list("uvwxyz"), n), "b": rng.random(n) < 0.5})
    table = made(rng, frame, rng.normal(size=n) + 1e9 * frame.b, "number", weighted=False)
    tree = grow(table)
    for kind in (CutTests, LevelTests):
        compare(kind, table, tree, level)


@examples(60)
@given(
    SEEDS, st.sampled_from(["classes", "number"]), SHAPES, st.sampled_from([30, 150, 900]),
    st.sampled_from([3, 8, 30]), st.booleans(), WAYS, LEVELS,
)  # fmt: skip
def test_groups_of_levels_are_decided_as_their_p_values(seed, task, shape, n, n_levels, weighted, way, level):
    rng = np.random.default_rng(seed)
    codes = rng.choice(n_levels, (2, n), p=rng.dirichlet(np.full(n_levels, 2.0)))
    frame = pd.DataFrame({"a": [f"a{c:02}" for c in codes[0]], "b": [f"b{c:02}" for c in codes[1]]})
    frame.loc[rng.random(n) < 0.2, "b"] = np.nan
    y = target(rng, shape, rng.normal(size=n_levels)[codes[0]] * rng.choice([0.0, 1.0]))
    table = made(rng, frame, y, task, weighted)
    compare(LevelTests, table, grow(table, min_leaf=int(rng.choice([1, 3])), **way), level)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_plain_splits_are_all_decided_at_once(task):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=600), "b": rng.choice(list("uvwxyz"), 600)})
    table = made(rng, frame, rng.normal(size=600) + frame.a.to_numpy(), task, weighted=False)
    tree = grow(table, min_leaf=2)
    for kind in (CutTests, LevelTests):
        decided, asked = compare(kind, table, tree, 0.05)
        assert decided == asked > 5


@pytest.mark.parametrize("level", [0.2, 0.3, 0.36, 0.4, 0.5])
def test_what_is_the_same_in_every_deal_hangs_on_no_rounding(level):
    """Of six rows one is dealt to the rare class, whose weight says more: all levels always explain as much."""
    frame = pd.DataFrame({"a": list("uuvvww"), "w": [1, 2, 2, 2, 1, 1], "t": list("vwvvvv")})
    table = Table.from_frame(frame, target="t", roles={"w": "weight"})
    assert compare(LevelTests, table, grow(table, max_depth=1), level) == (1, 1)


@given(st.floats(0.01, 300.0), st.floats(0.01, 300.0), st.floats(0.0, 1.0))
def test_the_incomplete_beta_function(a, b, x):
    assert outside(a, b, x) == pytest.approx(betaincc(a, b, x), rel=1e-9, abs=1e-13)


@jit
def outside(a, b, x):
    return beyond_beta(a, b, x)


@jit
def blocks_of_cuts(present, ends, some):
    return ends_of_many(present, ends, some)


@given(st.integers(1, 10**6))
def test_cuts_of_many_values_are_taken_together_as_in_the_chance_of_one(present):
    ends, some = np.empty(MOST_ENDS), np.empty(MOST_ENDS)
    m = blocks_of_cuts(present, ends, some)
    cuts = _many(present, 0, 1)
    assert np.array_equal(np.minimum(ends[: m - 1], present - ends[: m - 1]), cuts.side)
    assert np.array_equal(some[: m - 1], cuts.count)


def _one_by_one(batches):
    """[draws, n] of deals that lie side by side."""
    return batches.transpose(0, 2, 1).reshape(batches.shape[0] * batches.shape[2], batches.shape[1])


@pytest.mark.parametrize("sizes", [(3, 4, 2), (20, 5, 11, 9), (400, 300, 350)])
def test_the_deals_are_those_of_one_test(sizes):
    sizes = np.array(sizes)
    n, k = int(sizes.sum()), sizes.size
    rng = np.random.default_rng(1)
    deal = Deal.of_numbers(rng.normal(size=n))
    deals, ends = groupings.dealt(n, k), np.cumsum(sizes)[:-1]
    places, normal = (_one_by_one(line)[: deals.blocks[-1]] for line in deals[:2])
    if normal.size:
        sums = normal * np.sqrt(sizes)
    else:
        sums = np.array([[part.sum() for part in np.split(line, ends)] for line in deal.distances[places]])
    sums -= sizes / n * sums.sum(axis=1, keepdims=True)
    whole, _ = groupings._draw(deal, sizes)
    assert (sums**2 / sizes).sum(axis=1) / n == pytest.approx(whole)


@examples(30)
@given(SEEDS, st.sampled_from([5, 90]), st.booleans())
def test_rows_go_down_splits_by_levels_as_node_by_node(seed, n_levels, lacking):
    rng = np.random.default_rng(seed)
    names = [f"level {c:02}" for c in range(n_levels)]
    n = 500
    columns = {name: pd.Categorical(rng.choice(names, n), names) for name in "ab"}
    frame = pd.DataFrame({**columns, "t": rng.normal(size=n)})
    if lacking:
        frame.loc[::7, "a"] = np.nan
    table = Table.from_frame(frame, target="t", kinds={"t": "number"})
    tree = Tree.root(table)
    for node, column in ((0, "a"), (1, "b"), (2, "b")):
        some = rng.permutation(names)[: n_levels - 1]
        groups = tuple(map(tuple, np.split(some, [1 + int(rng.integers(n_levels - 2))])))
        missing, unseen = rng.integers(0, 2, 2).tolist()
        tree = tree.split(table, node, Split(column, "groups", groups=groups, missing=missing, unseen=unseen))
    at, reached = _node_by_node(table, tree), reached_leaves(table, tree)
    for leaf in tree.leaves:
        assert np.array_equal(np.flatnonzero(reached == leaf), at.rows_of(int(leaf)))


@pytest.mark.parametrize("factor", [1.0, 3 / 7, 1 / 3, 0.1])
def test_weights_in_other_units_have_the_same_p_value(factor):
    """Half of the deals put the single row of its class into a level of its own, which explains all but for rounding:
    what is found equals what is dealt."""
    frame = pd.DataFrame({"a": list("uvwu"), "w": np.array([0.1, 2.0, 1 / 3, 0.1]) * factor, "t": list("yyny")})
    table = Table.from_frame(frame, target="t", roles={"w": "weight"})
    tree = Tree.root(table).split(table, 0, Split("a", "groups", groups=(("u", "v"), ("w",))))
    evidence = SplitEvidence(table, tree, 0.6, None, Progress())
    assert math.exp(evidence.log_p(0)) == 0.521  # of 1000 deals
    assert compare(LevelTests, table, tree, 0.6) == (1, 1)


@pytest.mark.parametrize("away", [0.0, -0.001, 0.001])
@pytest.mark.parametrize(
    ("levels", "classes", "counted"), [("uvvwwwxx", "yyynnnnn", 0.065), ("uuuvwwwxxx", "yyyynnnccc", 0.058)]
)
def test_a_chance_that_was_counted_may_lie_on_the_level(levels, classes, counted, away):
    """Of 1000 deals 65, or 58."""
    table = Table.from_frame(pd.DataFrame({"a": list(levels), "t": list(classes)}), target="t")
    tree = grow(table, max_depth=1)
    p = math.exp(SplitEvidence(table, tree, 0.5, None, Progress()).log_p(0))
    assert p == pytest.approx(counted, rel=1e-12)
    assert compare(LevelTests, table, tree, round(counted + away, 3)) == (1, 1)


@examples(40)
@given(
    SEEDS, st.sampled_from([30, 150, 900, 5000]), st.sampled_from([3, 40, 10**6]), st.sampled_from([2, 3, 6]),
    st.booleans(), LEVELS,
)  # fmt: skip
def test_cuts_beside_missing_rows_are_decided_as_their_p_values(seed, n, n_values, n_classes, weighted, level):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name: rng.integers(0, n_values, n).astype(float) for name in "ab"})
    y = rng.normal(size=n) + rng.choice([0.0, 1.0]) * (frame.a > n_values / 2)
    for name, share in (("a", 0.2), ("b", rng.choice([0.02, 0.9]))):
        frame.loc[rng.random(n) < share, name] = np.nan
    frame["w"] = rng.integers(1, 3, n)
    y[:2] = -9.0, 9.0  # two classes at least
    frame["t"] = [f"class {code}" for code in np.searchsorted(np.linspace(-1, 1, n_classes - 1), y)]
    table = Table.from_frame(frame, target="t", roles={"w": "weight" if weighted else "ignore"})
    table = table.with_partition(validation=0.2)
    tree = grow(table, min_leaf=int(rng.choice([1, 3])), max_leaves=100, missing="branch")
    compare(CutTests, table, tree, level, most=20)


def of_levels(seed, n, n_levels, n_classes, weighted):
    """A table of two columns of levels, with missing values and validation rows; 0 classes are a numeric target."""
    rng = np.random.default_rng(seed)
    codes = rng.choice(n_levels, (2, n), p=rng.dirichlet(np.full(n_levels, 2.0)))
    frame = pd.DataFrame({"a": [f"a{c:02}" for c in codes[0]], "b": [f"b{c:02}" for c in codes[1]]})
    frame.loc[rng.random(n) < 0.2, "b"] = np.nan
    frame["w"] = rng.integers(1, 3, n)
    y = rng.normal(size=n) + rng.normal(size=n_levels)[codes[0]] * rng.choice([0.0, 1.0])
    y[:2] = -9.0, 9.0  # two classes at least
    frame["t"] = y if not n_classes else [f"class {c}" for c in np.searchsorted(np.linspace(-1, 1, n_classes - 1), y)]
    kinds = {"t": "nominal" if n_classes else "number"}
    table = Table.from_frame(frame, target="t", kinds=kinds, roles={"w": "weight" if weighted else "ignore"})
    return table.with_partition(validation=0.2), int(rng.choice([1, 3]))


SIZES, MANY_LEVELS = st.sampled_from([30, 150, 900]), st.sampled_from([3, 8, 30])


@examples(50)
@given(SEEDS, SIZES, MANY_LEVELS, st.sampled_from([3, 6]), st.booleans(), WAYS, LEVELS)
def test_groups_for_many_classes_are_decided_as_their_p_values(seed, n, n_levels, n_classes, weighted, way, level):
    table, min_leaf = of_levels(seed, n, n_levels, n_classes, weighted)
    compare(LevelTests, table, grow(table, min_leaf=min_leaf, **way), level, most=20)


@examples(50)
@given(
    SEEDS, SIZES, MANY_LEVELS, st.sampled_from([0, 2, 4]), st.booleans(), st.sampled_from([0, 4]),
    st.sampled_from(["direction", "branch"]), LEVELS,
)  # fmt: skip
def test_a_branch_for_each_level_is_decided_as_its_p_value(
    seed, n, n_levels, n_classes, weighted, pool, missing, level
):
    table, min_leaf = of_levels(seed, n, n_levels, n_classes, weighted)
    tree = grow(table, min_leaf=min_leaf, nominal="multiway", pool=pool, missing=missing)
    for kind in (WayTests, LevelTests):
        decided, asked = compare(kind, table, tree, level)
        assert decided == asked or level == 1.0 or kind is LevelTests


@examples(30)
@given(SEEDS, st.sampled_from([0, 3]), st.integers(2, 4), st.booleans(), LEVELS)
def test_groups_of_levels_in_several_branches_are_decided_as_their_p_value(seed, n_classes, branches, own, level):
    """As people make them: some levels in each branch, missing rows in one of these or apart."""
    table, _ = of_levels(seed, 150, 9, n_classes, weighted=False)
    rng = np.random.default_rng(seed)
    column = table.column("b")
    groups = tuple(tuple(column.levels[b::branches]) for b in range(branches))
    missing = branches if own else int(rng.integers(branches))
    split = Split("b", "groups", groups=groups + ((),) * own, missing=missing, unseen=0)
    tree = Tree.root(table).split(table, 0, split)
    for kind in (WayTests, LevelTests):
        compare(kind, table, tree, level)


def test_groups_for_three_classes_are_all_decided_at_once():
    table, _ = of_levels(0, 900, 8, 3, weighted=False)
    decided, asked = compare(LevelTests, table, grow(table, min_leaf=2), 0.05)
    assert decided == asked > 5


@pytest.mark.parametrize(
    "rows", [{"u no": 2, "u yes": 4, "v no": 1, " no": 8}, {"u yes": 3, "v no": 7, " no": 5, " yes": 4}]
)
@pytest.mark.parametrize("nominal", ["one_vs_rest", "groups"])
def test_what_no_deal_explains_beside_missing_rows_has_no_chance(rows, nominal):
    """Two levels: what a branch for missing rows leaves to explain may be more than either of them can."""
    made = [text.split(" ") for text, n in rows.items() for _ in range(n)]
    frame = pd.DataFrame(made, columns=["a", "t"]).replace({"a": {"": None}})
    table = Table.from_frame(frame, target="t")
    tree = grow(table, max_depth=1, missing="branch", nominal=nominal)
    log_p = SplitEvidence(table, tree, 0.5, None, Progress()).log_p(0)
    for further in (0.0001, 0.02, 0.05, 0.1):
        assert compare(LevelTests, table, tree, math.exp(log_p + further)) == (1, 1)
