"""Edits that move branches, against a slow twin that sends each row down one by one."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import engine
from engine.growing import replace_and_grow
from engine.splits import branch_of_rows
from engine.tree.edits import merged_split
from engine.tree.leaves import LeafRule
from tests import marked
from tests.frames import frames, random_split, random_tree
from tests.naive_tree import naive_branch
from tests.same_trees import check_counts

SEEDS = st.integers(0, 10**6)


class Twin(NamedTuple):
    """A node with its rows: node is its id in the tree that it comes from."""

    node: int
    split: engine.Split | None
    rows: list[int]
    children: tuple = ()

    def preorder(self):
        yield self
        for child in self.children:
            yield from child.preorder()


def settled(tree, frame, table, i, rows):
    """The subtree at position i with these rows in it: what `replace_split` calls "keep"."""
    split, node = tree.split_at(i), int(tree.ids[i])

    def train(some):
        return any(table.part[row] == engine.TRAIN for row in some)

    if split is None or not train(rows):
        return Twin(node, None, rows)
    branches = [[row for row in rows if naive_branch(split, frame, row) == b] for b in range(split.n_branches)]
    filled = [b for b, some in enumerate(branches) if train(some)]
    if len(filled) == 1:
        return settled(tree, frame, table, tree.children(i)[filled[0]], rows)
    below = (settled(tree, frame, table, child, some) for child, some in zip(tree.children(i), branches, strict=True))
    return Twin(node, split, rows, tuple(below))


def rows_of(table, tree, i):
    return sorted(engine.assign(table, tree).rows_of(i).tolist())


def check_twin(table, tree, i, twin, ids=True):
    """The subtree at position i is the twin."""
    nodes = list(twin.preorder())
    assert tree.end[i] - i == len(nodes)
    at = engine.assign(table, tree)
    for k, one in enumerate(nodes, start=i):
        assert tree.split_at(k) == one.split
        assert sorted(at.rows_of(k).tolist()) == one.rows
        assert tree.ids[k] == one.node or not ids


@given(frames(), SEEDS, st.integers(1, 6), st.sampled_from(["mean", "median", "bins"]))
def test_keeping_what_is_below_is_sending_every_row_down_anew(frame, seed, n_splits, more):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    if tree.task == "number" and more != "mean":
        tree = tree.with_leaf_rule(table, LeafRule("median")) if more == "median" else tree.with_bins(table, 3)
    random = np.random.default_rng(seed)
    inner = int(random.choice(np.flatnonzero(tree.n_branches)))
    node, split = int(tree.ids[inner]), random_split(table, random)
    given_at = engine.assign(table, tree) if seed % 2 else None
    after = tree.replace_split(table, node, split, "keep", assignment=given_at)
    i = after.position(node)
    assert after.split_at(i) == split
    assert after.by_hand[i]
    branches = [[r for r in rows_of(table, tree, inner) if naive_branch(split, frame, r) == b] for b in range(20)]
    old = tree.children(inner)
    for b, child in enumerate(after.children(i)):
        if b < len(old):
            check_twin(table, after, child, settled(tree, frame, table, old[b], branches[b]))
        else:
            assert after.n_branches[child] == 0 and after.ids[child] >= tree.next_id
    check_counts(table, after)
    elsewhere = [k for k in range(tree.n_nodes) if not inner <= k < tree.end[inner]]
    for k in elsewhere:
        assert after.split_at(after.position(int(tree.ids[k]))) == tree.split_at(k)
    assert len(set(after.ids.tolist())) == after.n_nodes


@given(frames(), SEEDS, st.integers(1, 5))
def test_dropping_is_collapsing_and_splitting(frame, seed, n_splits):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    random = np.random.default_rng(seed)
    node = int(tree.ids[random.choice(np.flatnonzero(tree.n_branches))])
    split = random_split(table, random)
    expected = tree.collapse(node).split(table, node, split)
    for at in (None, engine.assign(table, tree)):
        after = tree.replace_split(table, node, split, assignment=at)
        for ours, theirs in zip(after.nodes, expected.nodes, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        grown = replace_and_grow(table, tree, node, split, assignment=at, max_depth=5, min_leaf=2)
        again = engine.grow(table, tree=expected, node=node, max_depth=5, min_leaf=2)
        for ours, theirs in zip(grown.nodes, again.nodes, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def dividing_tree(table, seed, n_splits):
    """A tree of random splits, each of which divides its training rows."""
    random = np.random.default_rng(seed)
    tree = engine.Tree.root(table)
    for _ in range(n_splits):
        i = int(random.choice(tree.leaves))
        larger = tree.split(table, int(tree.ids[i]), random_split(table, random), by_hand=bool(random.integers(2)))
        if np.count_nonzero(larger.rows_train[larger.children(i)]) > 1:
            tree = larger
    return tree


@given(frames(), SEEDS, st.integers(0, 8))
def test_a_subtree_pasted_onto_its_own_place_gives_the_same_tree(frame, seed, n_splits):
    table, _ = marked.table_and_tree(frame, seed, 0)
    tree = marked.with_random_marks(dividing_tree(table, seed, n_splits), seed, ("note", "pinned", "label"))
    node = int(np.random.default_rng(seed).choice(tree.ids))
    part = tree.subtree(node)
    assert part.ids[0] == 0 and part.n_nodes == tree.end[tree.position(node)] - tree.position(node)
    if seed % 3 == 0:  # as from another document
        part = engine.tree_from_text(engine.tree_to_text(part))
    again = tree.collapse(node).paste(table, node, part)
    assert [again.split_at(i) for i in range(again.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]
    by_place = [tree.mark(int(k)) for k in tree.ids]
    assert [again.mark(int(k)) for k in again.ids] == by_place
    np.testing.assert_array_equal(again.by_hand, tree.by_hand)
    for name in ("train", "validation", "rows_train", "rows_validation"):
        np.testing.assert_allclose(getattr(again, name), getattr(tree, name), atol=1e-9)
    check_counts(table, again)
    new = again.ids[again.ids >= tree.next_id]
    assert new.size == part.n_nodes - 1


@given(frames(), SEEDS, st.integers(1, 5), st.integers(1, 5))
def test_pasting_sends_the_rows_of_the_leaf_down_the_copy(frame, seed, n_splits, n_others):
    table, tree = marked.table_and_tree(frame, seed, n_splits)
    source = random_tree(table, seed + 1, n_others)
    random = np.random.default_rng(seed)
    leaf = int(random.choice(tree.leaves))
    node = int(tree.ids[leaf])
    after = tree.paste(table, node, source, assignment=engine.assign(table, tree))
    check_twin(
        table, after, after.position(node), settled(source, frame, table, 0, rows_of(table, tree, leaf)), ids=False
    )
    check_counts(table, after)
    assert set(tree.ids.tolist()) <= set(after.ids.tolist())


def splits_of_several(table, random):
    while True:
        split = random_split(table, random)
        if split.n_branches > 2:
            return split


@given(frames(), SEEDS, st.booleans())
def test_merging_two_leaves_is_counting_them_as_one(frame, seed, before):
    table, tree = marked.table_and_tree(frame, seed, 2)
    random = np.random.default_rng(seed)
    split = splits_of_several(table, random)
    leaf = int(tree.ids[random.choice(tree.leaves)])
    tree = tree.split(table, leaf, split)
    parent = tree.position(leaf)
    one, two = (int(k) for k in random.choice(split.n_branches, 2, replace=False))
    ids = [int(tree.ids[child]) for child in tree.children(parent)]
    if before:  # another branch is split, too
        others = [b for b in range(split.n_branches) if b not in (one, two)]
        tree = tree.split(table, ids[int(random.choice(others))], random_split(table, random))
    try:
        merged = merged_split(split, one, two, tree.kinds)
    except engine.InputError as error:
        assert "merge neighbours" in str(error)
        with pytest.raises(engine.InputError, match="merge neighbours"):
            tree.merge(table, ids[one], ids[two])
        assert split.kind == "threshold" and abs(one - two) > 1
        return
    assert merged.n_branches == split.n_branches - 1
    old, new = (branch_of_rows(s, table, np.arange(table.n_rows)) for s in (split, merged))
    joined = np.where(old == max(one, two), min(one, two), old)
    assert np.array_equal(new, joined - (joined > max(one, two)))
    tree = tree.with_mark(ids[one], note="stays").with_mark(ids[two], note="goes")
    after = tree.merge(table, ids[one], ids[two], assignment=engine.assign(table, tree) if before else None)
    i = after.position(ids[one])
    assert after.split_at(after.position(leaf)) == merged
    assert after.mark(ids[one]).note == "stays" and ids[two] not in after
    rows = sorted(rows_of(table, tree, tree.position(ids[one])) + rows_of(table, tree, tree.position(ids[two])))
    assert rows_of(table, after, i) == rows
    check_counts(table, after)
    expected = [b for k, b in enumerate(ids) if k != max(one, two)]
    expected[min(one, two)] = ids[one]
    assert [int(after.ids[child]) for child in after.children(after.position(leaf))] == expected


@given(frames(), SEEDS)
def test_merging_the_only_two_branches_makes_a_leaf(frame, seed):
    table, tree = marked.table_and_tree(frame, seed, 3)
    split = random_split(table, np.random.default_rng(seed))
    assume(split.n_branches == 2)
    leaf = int(tree.ids[tree.leaves[0]])
    larger = tree.split(table, leaf, split)
    one, two = (int(larger.ids[k]) for k in larger.children(larger.position(leaf)))
    assert larger.merge(table, two, one).ids.tolist() == tree.ids.tolist()


def test_missing_values_and_cuts_merge_as_people_mean_it():
    cuts = engine.Split("x", "threshold", (1.0, 2.0), missing=3)  # four branches, the last of missing values
    assert merged_split(cuts, 0, 1, {}) == engine.Split("x", "threshold", (2.0,), missing=2)
    assert merged_split(cuts, 3, 0, {}) == engine.Split("x", "threshold", (1.0, 2.0), missing=0)
    one = engine.Split("x", "threshold", (1.0,), missing=2)
    assert merged_split(one, 1, 0, {}) == engine.Split("x", "threshold", (np.inf,), missing=1)  # present or missing
    with pytest.raises(engine.InputError) as raised:
        merged_split(cuts, 0, 2, {"x": "number"})
    assert str(raised.value) == (
        "“x ≤ 1” and “x > 2” cannot be merged, for “x in (1, 2]” stands between them: merge neighbours."
    )
    groups = engine.Split("c", "groups", groups=(("p",), ("q",), ("r",)), missing=2, unseen=1)
    assert merged_split(groups, 0, 2, {}) == engine.Split("c", "groups", groups=(("p", "r"), ("q",)), unseen=1)


@given(frames(), SEEDS, st.integers(0, 8), st.data())
def test_the_weakest_split_gains_least_of_those_above_leaves_only(frame, seed, n_splits, data):
    _, tree = marked.table_and_tree(frame, seed, n_splits)
    tree = marked.with_random_marks(tree, seed, ("pinned", "locked"), 0.2)
    names = ["squared_error"] if tree.task == "number" else ["gini", "entropy", "error", "sqrt", "gain_ratio"]
    criterion = data.draw(st.sampled_from(names))
    kept = marked.kept_splits(tree)
    last = [i for i in np.flatnonzero(tree.n_branches).tolist() if not tree.n_branches[tree.children(i)].any()]
    weight = tree.weight()

    def mixed(i):
        if not weight[i] > 0:
            return 0.0
        stat = tree.train[i] if tree.task == "classes" else [weight[i], 0.0, tree.train[i, 2]]
        return weight[i] * engine.impurity(criterion, stat)

    drops = {i: mixed(i) - sum(mixed(k) for k in tree.children(i)) for i in last if i not in kept}
    node = tree.weakest(criterion)
    assert (node is None) == (not drops)
    if node is not None:
        assert drops[tree.position(node)] == pytest.approx(min(drops.values()), abs=1e-9)


def test_what_cannot_be_moved_says_why():
    frame = pd.DataFrame({"age": [1, 2, 3, 4], "town": list("abab"), "y": list("uvuv")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("age", "threshold", (2.5,)))
    cut = engine.Split("age", "threshold", (3.5,))
    other = engine.Table.from_frame(frame.rename(columns={"town": "city"}), target="y")
    foreign = engine.Tree.root(other).split(other, 0, engine.Split("city", "groups", groups=(("a",), ("b",))))
    by_level = engine.Tree.root(table).split(table, 0, engine.Split("town", "groups", groups=(("a",), ("b",))))
    numbers = engine.Table.from_frame(pd.DataFrame({"x": np.arange(9), "y": np.arange(9) + 0.5}), target="y")
    for edit, sentence in (
        (lambda: tree.replace_split(table, 1, cut), "Node 1 is a leaf, so there is no split to replace"),
        (lambda: tree.replace_split(table, 0, cut, "burn"), "below cannot be “burn”; choose one of drop, keep"),
        (lambda: tree.replace_split(table, 0, engine.Split("size", "threshold", (1.0,))), "no column “size”"),
        (lambda: tree.merge(table, 0, 1), "Nodes 0 and 1 are no two branches of one split"),
        (lambda: tree.merge(table, 1, 1), "Nodes 1 and 1 are no two branches of one split"),
        (lambda: tree.split(table, 1, cut).merge(table, 2, 1), "Node 1 is split, and only leaves can be merged"),
        (lambda: tree.paste(table, 0, tree), "Node 0 is split already"),
        (lambda: tree.paste(table, 1, foreign), "no column “city”"),
        (lambda: tree.paste(table.with_kind("town", "nominal").with_roles({"town": "ignore"}), 1, by_level),
         "Column “town” is no feature of table."),
        (lambda: engine.Tree.root(numbers).weakest("absolute_error"), "The tree holds no medians"),
        (lambda: engine.Tree.root(numbers).weakest("binned_gini"), "The tree holds no histograms"),
        (lambda: tree.weakest("ginny"), "no criterion “ginny”"),
    ):  # fmt: skip
        with pytest.raises(engine.InputError, match=sentence):
            edit()


def test_levels_that_only_the_copy_knows_are_kept():
    here = engine.Table.from_frame(pd.DataFrame({"c": list("pqpq"), "y": list("uvuv")}), target="y")
    there = engine.Table.from_frame(pd.DataFrame({"c": list("pqrs"), "y": list("xyxy")}), target="y")
    split = engine.Split("c", "groups", groups=(("p", "r"), ("q", "s")))
    copied = engine.Tree.root(there).split(there, 0, split).with_mark(1, label="x", note="from there")
    after = engine.Tree.root(here).paste(here, 0, copied)
    assert after.split_at(0) == split
    assert after.columns[0].levels == ("p", "q", "r", "s")
    assert after.predict(pd.DataFrame({"c": ["r", "s"]})).tolist() == ["u", "v"]
    assert dict(after.marks) == {1: engine.Mark(note="from there")}  # there is no class x here
    assert engine.grow(here, tree=after).n_leaves == 2
