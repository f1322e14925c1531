"""Stability against counting by hand."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine import stability
from engine.resampling.samples import draw_sample
from engine.resampling.stability import best_splits, wins
from engine.table.partition import further_seed
from tests.engine.resampling.making import noisy_frame, table_of


def paths(tree):
    """The splits of a tree as (columns and branches on the way, column)."""
    found = {}
    for i in np.flatnonzero(tree.n_branches):
        way, at = [], int(i)
        while at:
            above = int(tree.parent[at])
            way.append((tree.split_at(above).column, int(tree.branch[at])))
            at = above
        found[tuple(way[::-1]), tree.split_at(int(i)).column] = int(i)
    return found


@pytest.mark.parametrize("task", ["classes", "number"])
def test_what_returns_on_samples(task):
    frame = noisy_frame(task=task)
    table = table_of(frame)
    tree = engine.grow(table, max_depth=3, min_leaf=5)
    found = stability(table, tree, samples=20, seed=6)
    returned, wins, changed, cuts = np.zeros(tree.n_nodes), dict.fromkeys(found.columns, 0.0), [], []
    for i in range(20):
        sample = draw_sample(table, np.arange(len(frame)), "bootstrap", further_seed(6, i))
        other = engine.grow(table_of(frame.iloc[sample.source]), max_depth=3, min_leaf=5)
        for key, at in paths(tree).items():
            returned[at] += key in paths(other)
        wins[other.split_at(0).column] += 1
        cuts += other.split_at(0).thresholds if other.split_at(0).column == "a" else ()
        one, two = tree.predict(frame), other.predict(frame)
        changed.append(np.mean(one != two) if task == "classes" else np.mean(np.abs(one - two)))
    inner = tree.n_branches > 0
    np.testing.assert_allclose(found.returned[inner], returned[inner] / 20)
    assert np.isnan(found.returned[~inner]).all()
    np.testing.assert_allclose(found.wins, np.array(list(wins.values())) / 20)
    np.testing.assert_allclose(found.changed, changed)
    np.testing.assert_allclose(found.cuts("a"), np.sort(cuts))
    assert found.columns == ("a", "b", "c", "d")


def test_trees_are_those_of_bootstrap_and_cut_back_as_it_cuts_them():
    table = table_of(noisy_frame(200))
    recipe = engine.Recipe(search={}, prune="reduced_error", validation=0.3)
    found = stability(table, engine.grow(table), samples=8, prune="reduced_error", validation=0.3)
    other = engine.bootstrap(table, recipe, samples=8)
    np.testing.assert_array_equal(found.errors, other.errors)
    np.testing.assert_array_equal(found.leaves, other.leaves)


def test_below_a_node_only_its_rows_are_drawn():
    frame = noisy_frame(200)
    table = table_of(frame)
    tree = engine.grow(table, max_depth=3)
    at = int(tree.end[1])  # the second branch of the root
    found = stability(table, tree, int(tree.ids[at]), samples=10)
    leaf = tree.apply(table)
    inside = (leaf >= at) & (leaf < tree.end[at])
    alone = table_of(frame[inside])
    assert (found.leaves <= 4).all()  # two levels are left of three
    assert np.array_equal(~np.isnan(found.returned), (tree.n_branches > 0) & (np.arange(tree.n_nodes) >= at))
    np.testing.assert_allclose(found.wins, stability(alone, engine.grow(alone, max_depth=2), samples=10).wins)


def test_a_strong_column_wins_and_noise_does_not_return():
    random = np.random.default_rng(0)
    frame = noisy_frame(300)
    frame["y"] = np.where(frame.a > 0.3, "yes", "no")
    wins = stability(table_of(frame), engine.grow(table_of(frame)), samples=20)
    assert wins.wins[0] == 1.0
    assert np.ptp(wins.cuts("a")) < 0.2
    assert (wins.changed < 0.05).all()
    frame["y"] = random.permutation(frame["y"])
    noise = stability(table_of(frame), engine.grow(table_of(frame), max_depth=2), samples=20)
    assert noise.wins.max() < 1.0
    assert (noise.changed > 0.05).all()


def test_options_default_to_those_of_the_tree_and_its_marks():
    table = table_of(noisy_frame())
    tree = engine.grow(table, max_depth=2)
    most = stability(table, tree, samples=5).columns
    marked = tree.with_mark(0, excluded=("a",))
    assert stability(table, marked, samples=5).columns == tuple(name for name in most if name != "a")
    assert (stability(table, tree, samples=5, max_depth=1).leaves == 2).all()
    pruned = stability(table, engine.grow(table), samples=5, prune="cost_complexity")
    assert pruned.leaves.mean() < stability(table, engine.grow(table), samples=5).leaves.mean()


def test_slices_of_samples_add_up_to_one_call():
    table = table_of(noisy_frame())
    tree = engine.grow(table, max_depth=2)
    whole = stability(table, tree, samples=30, seed=4, max_depth=1)
    slices = [stability(table, tree, samples=10, first=first, seed=4, max_depth=1) for first in (0, 10, 20)]
    assert [split for part in slices for split in part.splits] == list(whole.splits)


def test_wins_at_a_node_heed_no_limit_but_the_least_leaf():
    table = table_of(noisy_frame())
    tree = engine.grow(table, max_depth=2).with_mark(0, excluded=("d",))
    below = int(tree.ids[1])
    rows = int(tree.rows_train[1])
    limits = {"min_rows": 2 * rows, "min_gain": 9.0, "max_leaves": 1, "max_depth": 0, "cp": 0.9, "significance": 1e-9}
    splits = best_splits(table, tree, below, samples=40, **limits)
    assert splits == best_splits(table, tree, below, samples=40)
    found, usual = wins(splits, ("a", "b", "c")), stability(table, tree, below, samples=40, max_depth=2, min_leaf=1)
    assert usual.columns == ("a", "b", "c") == tuple(found)
    assert [one.share for one in found.values()] == usual.wins.tolist()
    np.testing.assert_array_equal(found["a"].cuts, usual.cuts("a"))
    assert set(best_splits(table, tree, below, samples=3, min_leaf=rows)) == {None}
    assert np.isnan(wins((), ("a",))["a"].share)


def test_splits_with_m_of_n_win_under_their_own_name():
    table = table_of(noisy_frame())
    tree = engine.Tree.root(table)
    names = [one.column for one in engine.candidates(table, tree, 0, m_of_n=True)]
    splits = best_splits(table, tree, samples=5, m_of_n=True)
    assert any(split.kind == "m_of_n" for split in splits)
    assert set(wins(splits, names)) == set(names)


def test_with_two_levels_samples_rank_by_two_levels():
    """XOR among noise: one level sees nothing of it."""
    random = np.random.default_rng(2)
    frame = pd.DataFrame({name: random.integers(0, 2, 300).astype(float) for name in "ab"})
    frame["c"] = random.normal(size=300)
    frame["y"] = np.where(frame.a != frame.b, "odd", "even")
    table = engine.Table.from_frame(frame, target="y")
    root = engine.Tree.root(table)
    found = best_splits(table, root, samples=10, lookahead=2)
    assert engine.candidates(table, root, lookahead=2)[0].column in "ab"
    assert all(split is not None and split.column in "ab" for split in found)
