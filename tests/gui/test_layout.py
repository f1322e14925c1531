"""The tidy drawing: laws that hold for every tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.canvas.layout import extents, layout

GAP = 12.0


def arrays(shape):
    """Preorder arrays of a tree given as (width, [children])."""
    parent, end, branches, widths, level = [], [], [], [], []
    stack = [(shape, -1, 0)]
    while stack:
        item, up, depth = stack.pop()
        if item is None:
            end[up] = len(parent)
            continue
        here = len(parent)
        width, children = item
        parent.append(up)
        end.append(0)
        branches.append(len(children))
        widths.append(width)
        level.append(depth)
        stack.append((None, here, 0))
        stack.extend((child, here, depth + 1) for child in reversed(children))
    made = [np.array(v) for v in (parent, end, branches, widths, level)]
    made[3] = made[3].astype(float)
    return made


def mirrored(shape):
    return (shape[0], [mirrored(child) for child in reversed(shape[1])])


WIDTHS = st.integers(1, 40).map(lambda w: 8.0 * w)
SHAPES = st.recursive(
    st.tuples(WIDTHS, st.just([])),
    lambda inner: st.tuples(WIDTHS, st.lists(inner, min_size=1, max_size=5)),
    max_leaves=40,
)


def drawn(shape):
    parent, end, branches, widths, level = arrays(shape)
    return parent, end, branches, widths, level, layout(parent, end, branches, widths, GAP)


def children_of(parent, i):
    return np.flatnonzero(parent == i)


@given(SHAPES)
def test_nothing_overlaps_and_the_order_is_kept(shape):
    _, _, _, widths, level, x = drawn(shape)
    for depth in range(level.max() + 1):
        row = np.flatnonzero(level == depth)  # preorder is left to right within a level
        space = np.diff(x[row]) - (widths[row][1:] + widths[row][:-1]) / 2
        assert np.all(space >= GAP - 1e-9)


@given(SHAPES)
def test_parents_stand_over_the_middle_of_their_outer_children(shape):
    parent, _, branches, _, _, x = drawn(shape)
    for i in np.flatnonzero(branches):
        children = children_of(parent, i)
        assert x[i] == pytest.approx((x[children[0]] + x[children[-1]]) / 2, abs=1e-9)


@given(SHAPES, SHAPES, WIDTHS)
def test_identical_subtrees_are_drawn_identically(shape, other, width):
    parent, end, _, _, _, x = drawn((width, [shape, other, shape]))
    first, _, last = children_of(parent, 0)
    assert x[first : end[first]] - x[first] == pytest.approx(x[last : end[last]] - x[last], abs=1e-9)


@given(SHAPES)
def test_a_mirrored_tree_is_drawn_mirrored(shape):
    *_, widths, level, x = drawn(shape)
    *_, mirror_widths, mirror_level, mirror_x = drawn(mirrored(shape))
    whole = (x + widths / 2).max()
    for depth in range(level.max() + 1):
        assert x[level == depth] == pytest.approx(whole - mirror_x[mirror_level == depth][::-1], abs=1e-9)
    assert (mirror_x + mirror_widths / 2).max() == pytest.approx(whole)


@given(SHAPES)
def test_siblings_without_children_touch_up_to_the_gap(shape):
    """Two leaves side by side stand no further apart than they must."""
    parent, _, branches, widths, _, x = drawn(shape)
    for i in np.flatnonzero(branches == 2):
        a, b = children_of(parent, i)
        if branches[a] == branches[b] == 0:
            assert x[b] - x[a] == pytest.approx((widths[a] + widths[b]) / 2 + GAP)


@given(SHAPES)
def test_extents_enclose_exactly_the_subtree(shape):
    parent, end, _, widths, level, x = drawn(shape)
    left, right, deepest = extents(parent, level, x, widths)
    for i in range(len(parent)):
        inside = slice(i, end[i])
        assert left[i] == (x[inside] - widths[inside] / 2).min()
        assert right[i] == (x[inside] + widths[inside] / 2).max()
        assert deepest[i] == level[inside].max()


def test_a_single_node_stands_at_half_its_width():
    assert layout(np.array([-1]), np.array([1]), np.array([0]), np.array([88.0])).tolist() == [44.0]


def test_no_node_at_all():
    empty = np.zeros(0, int)
    assert layout(empty, empty, empty, np.zeros(0)).tolist() == []


def test_a_staircase_deeper_than_pythons_stack():
    """Every right child splits again: 10,000 levels."""
    n = 20_001
    depth = np.repeat(np.arange(1, n // 2 + 1), 2)
    level = np.concatenate([[0], depth])
    index = np.arange(n)
    parent = np.concatenate([[-1], np.where(index[1:] % 2 == 1, index[1:] - 1, index[1:] - 2)])
    branches = np.where((index % 2 == 0) & (index < n - 1), 2, 0)
    end = np.where(branches > 0, n, index + 1)
    x = layout(parent, end, branches, np.full(n, 48.0), GAP)
    assert np.all(x[1::2] < x[2::2])
    assert len(np.unique(level)) == n // 2 + 1
