"""Many tests of significance at once decide as the p-values of the candidates do, one after the other."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.growing import grow
from engine.pruning.by_rule import SplitEvidence
from engine.ranking.candidates import weigh
from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.significance.batch import forms, gains, judge
from engine.significance.kernels import FEW_ROWS, LEFT_OUT, YES
from engine.splits import Split
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.assignment import _node_by_node, assign, reached_leaves
from engine.tree.tree import Tree
from tests.effort import examples

SEEDS, LEVELS = st.integers(0, 10**6), st.sampled_from([1e-3, 0.05, 0.3, 0.9])
WAYS = st.sampled_from(
    [{}, {"nominal": "multiway"}, {"nominal": "one_vs_rest"}, {"missing": "branch"}, {"pool": 3}, {"min_leaf": 3}]
)


def made(seed, n, task, weighted):
    """A table of numbers and levels, some missing, with validation rows."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.integers(0, 8, n).astype(float), "b": rng.normal(size=n) + 1e3})
    frame["g"], frame["h"] = rng.choice(list("uvwxyz"), n), rng.choice(list("pq"), n)
    frame.loc[rng.random(n) < 0.1, "b"] = np.nan
    frame.loc[rng.random(n) < 0.1, "g"] = None
    y = rng.normal(size=n) + (frame.a > 4) * rng.choice([0.0, 1.0])
    y[:3] = -9.0, 0.5, 9.0
    cuts = {"two": [0.3], "three": [0.0, 1.0]}.get(task)
    frame["t"] = np.exp(y) if cuts is None else [f"c{k}" for k in np.digitize(y, cuts)]
    frame["w"] = rng.integers(1, 3, n)
    roles = {"w": weighted}
    return Table.from_frame(frame, target="t", roles=roles).with_partition(validation=0.2)


def column_lacks(table, tree, at, v):
    """Whether some training row of a split lacks its value, or has a branch for that, or there are but two values."""
    rows = at.rows_of(v)
    codes = table.column(tree.columns[tree.nodes.column[v]].name).codes[rows[table.part[rows] == TRAIN]]
    return tree.n_branches[v] > 2 or not codes.all() or np.unique(codes).size < 3


@examples(60)
@given(
    SEEDS, st.sampled_from([30, 150, 600]), st.sampled_from(["two", "three", "number"]),
    st.sampled_from(["ignore", "weight"]), WAYS, LEVELS,
)  # fmt: skip
def test_small_nodes_are_decided_as_their_p_values(seed, n, task, weighted, way, level):
    table = made(seed, n, task, weighted)
    tree = grow(table, **way)
    evidence, at = SplitEvidence(table, tree, level, None, Progress()), assign(table, tree)
    search = Search.make(tree.task, **tree.options)
    asked = evidence._promising & (tree.n_branches > 0)
    found = judge(table, tree, search, level, at, asked, Progress())
    judged = asked & (forms(table, tree, search) >= 0)
    lacks = [column_lacks(table, tree, at, v) for v in range(tree.n_nodes)]
    judged &= (tree.rows_train <= FEW_ROWS) | (weighted == "weight") | ~np.array(lacks)
    for v in range(tree.n_nodes):
        below = found[v + 1 : tree.end[v]] == YES
        assert (found[v] == LEFT_OUT) == (below.any() or not judged[v])
    for v in np.flatnonzero(found)[:40]:
        assert (found[v] == YES) == (evidence.log_p(int(v)) <= math.log(level)), v


@examples(20)
@given(SEEDS, st.sampled_from([30, 300]), st.sampled_from(["two", "three", "number"]), WAYS)
def test_p_values_are_those_of_the_candidates(seed, n, task, way):
    table = made(seed, n, task, "ignore")
    tree = grow(table, max_depth=4, **way)
    evidence, gained = SplitEvidence(table, tree, 0.05, None, Progress()), gains(tree)
    for v in np.flatnonzero(tree.n_branches)[:8]:
        found = weigh(table, tree, int(tree.ids[v]), tree.split_at(int(v)), **tree.options)
        assert evidence.log_p(int(v)) == pytest.approx(found.evidence.log_adjusted, rel=1e-9)
        if task != "number":
            assert gained[v] == pytest.approx(found.scores["gini"])


@pytest.mark.parametrize("factor", [3 / 7, 1 / 3, 0.1])
def test_weights_in_other_units_have_the_same_p_value(factor):
    for task in ("two", "three", "number"):
        table = made(1, 200, task, "weight")
        frame = table.to_frame()
        scaled = Table.from_frame(frame.assign(w=frame.w * factor), "t", weights="w")
        table = Table.from_frame(frame, "t", weights="w")
        tree = grow(table, max_depth=3)
        other = grow(scaled, max_depth=3)
        for v in np.flatnonzero(tree.n_branches):
            p = [SplitEvidence(*both, 0.6, None, Progress()).log_p(int(v)) for both in ((table, tree), (scaled, other))]
            assert p[0] == pytest.approx(p[1])


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
