"""The tidy drawing: laws that hold for every tree."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

import gui.picture.levels
from gui.picture import kernels
from gui.picture.levels import Levels, layout
from tests.gui.canvas.shapes import GAP, SHAPES, WIDTHS, arrays, children_of, mirrored, tidy


def drawn(shape):
    parent, end, branches, widths, level = arrays(shape)
    return parent, end, branches, widths, level, layout(Levels(parent, end, branches, level), widths, GAP).centres


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
    parent, end, branches, widths, level, x = drawn(shape)
    _, left, right, height = layout(Levels(parent, end, branches, level), widths, GAP)
    for i in range(len(parent)):
        inside = slice(i, end[i])
        assert left[i] == (x[inside] - widths[inside] / 2).min()
        assert right[i] == (x[inside] + widths[inside] / 2).max()
        assert level[i] + height[i] == level[inside].max()


def test_a_single_node_stands_at_half_its_width():
    one = Levels(np.array([-1]), np.array([1]), np.array([0]), np.array([0]))
    assert layout(one, np.array([88.0])).centres.tolist() == [44.0]


def test_a_staircase_deeper_than_pythons_stack():
    """Every right child splits again: 10,000 levels."""
    n = 20_001
    depth = np.repeat(np.arange(1, n // 2 + 1), 2)
    level = np.concatenate([[0], depth])
    index = np.arange(n)
    parent = np.concatenate([[-1], np.where(index[1:] % 2 == 1, index[1:] - 1, index[1:] - 2)])
    branches = np.where((index % 2 == 0) & (index < n - 1), 2, 0)
    end = np.where(branches > 0, n, index + 1)
    x = layout(Levels(parent, end, branches, level), np.full(n, 48.0), GAP).centres
    assert np.all(x[1::2] < x[2::2])
    assert len(np.unique(level)) == n // 2 + 1


@given(SHAPES)
def test_compiled_and_as_it_stands_the_drawing_is_that_of_its_definition(shape):
    parent, end, branches, widths, level = arrays(shape)
    levels = Levels(parent, end, branches, level)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gui.picture.levels, "FEW", 0)
        compiled = layout(levels, widths, GAP)
        patch.setattr(gui.picture.levels, "FEW", len(end))
        patch.setattr(gui.picture.levels, "kernels", lambda: NotCompiled)
        plain = layout(levels, widths, GAP)
    assert compiled.centres == pytest.approx(tidy(shape), abs=1e-9)
    for one, other in zip(compiled, plain, strict=True):
        assert one.tolist() == other.tolist()


class NotCompiled:
    """The kernels before anybody called them."""

    find_slots, push_apart, place = (
        SimpleNamespace(py_func=kernel.py_func, signatures=[])
        for kernel in (kernels.find_slots, kernels.push_apart, kernels.place)
    )


@given(SHAPES)
def test_levels_list_rows_and_children_in_order(shape):
    parent, end, branches, _, level = arrays(shape)
    levels = Levels(parent, end, branches, level)
    for depth in range(levels.depth + 1):
        assert levels.row(depth).tolist() == np.flatnonzero(level == depth).tolist()
        row = levels.row(depth)[::2]
        assert levels.children_of(row).tolist() == [k for i in row for k in children_of(parent, i)]


def test_two_staircases_side_by_side():
    """Their neighbours meet at the root alone, on every level."""
    stairs = (8.0, [])
    for _ in range(300):
        stairs = (8.0, [(8.0, []), stairs])
    bush = (8.0, [(8.0, [])] * 1500)
    parent, end, branches, _, level, x = drawn((8.0, [stairs, stairs, bush]))
    levels = Levels(parent, end, branches, level)
    assert np.all(np.diff(x[levels.row(300)]) >= 8.0 + GAP - 1e-9)
