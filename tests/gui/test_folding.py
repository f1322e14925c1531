"""Folded branches: which nodes are shown, where they stand, and what a person does to fold and unfold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui import theme
from gui.canvas.folding import Folds, folded_of, leaves_below, leaves_shown
from gui.canvas.letters import Letters
from gui.canvas.levels import levels_of
from gui.canvas.scene import Scene
from gui.canvas.shown import Shown as Choice
from gui.canvas.streams_scene import Streams
from tests.gui.canvas_trees import random_tree

KINDS = pytest.mark.parametrize("kind", [Scene, Streams])
BY_NODE = {
    Scene: ("x", "top", "heights", "node_room", "inner_left", "inner_right", "deepest", "left", "right"),
    Streams: ("y", "heights", "begins", "before", "after", "inner_low", "inner_high", "deepest", "low", "high"),
}

TREES = st.builds(
    random_tree,
    n=st.integers(1, 90),
    seed=st.integers(0, 9),
    branches=st.integers(2, 5),
    lean=st.sampled_from((0.1, 0.5, 1)),
)
IDS = st.frozensets(st.integers(0, 95), max_size=12)
FOLDS = st.builds(Folds, st.integers(0, 6), st.sampled_from((0, 3, 300, 10_000)), IDS, IDS)


def scene(kind, tree, folds=None, focus=1):
    return kind(tree, focus, theme.LIGHT, Letters(), Choice(folds=folds or Folds()))


# -- which nodes are shown


def shown_naively(tree, folds):
    """(positions shown, positions folded and shown), node by node from the root."""
    shown, tops, stack = [], [], [0]
    while stack:
        i = stack.pop()
        shown.append(i)
        node = int(tree.ids[i])
        by_level = bool(folds.depth) and tree.level[i] >= folds.depth
        ruled = by_level or tree.rows_train[i] < folds.least_rows
        closed = tree.n_branches[i] > 0 and (node in folds.folded or (ruled and node not in folds.unfolded))
        if closed:
            tops.append(i)
        else:
            stack += tree.children(i)
    return sorted(shown), sorted(tops)


@given(TREES, FOLDS)
@settings(max_examples=150)
def test_shown_are_the_nodes_that_no_folded_one_stands_above(tree, folds):
    shown, tops = shown_naively(tree, folds)
    found = folded_of(tree, folds)
    if found is None:
        assert not tops
        return
    assert found.shown.tolist() == shown
    assert found.tops.tolist() == tops
    for i in range(tree.n_nodes):
        above = i
        while above not in shown:
            above = int(tree.parent[above])
        assert found.standing(i) == above
        assert found.is_hidden(i) == (above != i)
        assert found.is_top(i) == (i in tops)
    hidden = sum(leaves_below(tree, i) for i in tops)
    assert leaves_shown(tree, found) == tree.n_leaves - hidden


@given(TREES, FOLDS)
@settings(max_examples=100)
def test_levels_are_those_of_the_tree_with_leaves_where_it_is_folded(tree, folds):
    found = folded_of(tree, folds)
    if found is None:
        return
    cut = tree.collapse(*tree.ids[found.tops].tolist())
    assert cut.ids.tolist() == tree.ids[found.shown].tolist()
    ours, theirs = found.levels, levels_of(cut)
    for name in ("parent", "end", "n_branches", "level", "order", "place", "start", "above", "child", "branches"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name


def test_opening_and_shutting_come_back_to_the_same_picture():
    tree = random_tree(n=61, lean=0.3)
    ruled = Folds(depth=2)
    top = int(tree.ids[folded_of(tree, ruled).tops[0]])
    opened = ruled.opened(tree, top)
    assert opened.unfolded == {top}
    assert opened.shut(tree, top) == ruled
    one = Folds().shut(tree, top)
    assert one == Folds(folded=frozenset({top}))
    assert one.opened(tree, top) == Folds()


# -- where they stand


@KINDS
@given(TREES, FOLDS)
@settings(max_examples=40)
def test_what_is_shown_stands_apart_and_what_is_hidden_stands_with_its_branch(kind, tree, folds):
    found = folded_of(tree, folds)
    if found is None:
        return
    drawn = scene(kind, tree, folds)
    places = drawn if kind is Scene else drawn.places
    for name in BY_NODE[kind]:
        values = getattr(places, name)
        assert values.shape == (tree.n_nodes,)
        for i in range(tree.n_nodes):
            assert values[i] == values[found.standing(i)]
    sizes = drawn.cards.room / 2 if kind is Scene else np.maximum(drawn.places.heights, 22.0) / 2
    centres = drawn.x if kind is Scene else drawn.places.y
    for level in range(drawn.levels.depth + 1):
        row = drawn.levels.row(level)
        assert set(row.tolist()) == {i for i in found.shown.tolist() if tree.level[i] == level}
        assert (np.diff(centres[row]) >= (sizes[row][1:] + sizes[row][:-1]) - 1e-6).all()


@KINDS
def test_the_whole_tree_is_laid_out_once_whatever_is_folded_meanwhile(kind):
    tree = random_tree(n=61)
    before = scene(kind, tree)
    scene(kind, tree, Folds(depth=2))
    after = scene(kind, tree)
    ours = (lambda drawn: drawn.x) if kind is Scene else (lambda drawn: drawn.places)
    assert ours(before) is ours(after)


@KINDS
def test_figures_and_colours_are_those_of_the_whole_tree(kind):
    tree = random_tree(n=61)
    whole, part = scene(kind, tree), scene(kind, tree, Folds(depth=2))
    assert part.tree is tree
    assert part.colours.shade is whole.colours.shade
    assert part.bar_ends is whole.bar_ends
    top = int(part.folded.tops[0])
    assert part.cards.is_inner(top)
    assert part.cards.texts(top) == whole.cards.texts(top)


@KINDS
def test_a_large_tree_is_folded_as_the_same_nodes_alone(kind):
    tree = random_tree(n=20_001, lean=0.02)
    drawn = scene(kind, tree, Folds(depth=6))
    assert drawn.levels.depth == 6
    assert drawn.levels.n == int((tree.level <= 6).sum())
    assert drawn.width < scene(kind, tree).width or kind is Streams
