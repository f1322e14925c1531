"""Laws of where everything of a tree stands: cards and their edges, bars and streams, the cells of the icicle.

Those of the tidy drawing itself, which all but the icicle rest on, are in `test_layout`.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tree.nodes import Nodes, TreeColumn, unfilled
from engine.tree.tree import Tree
from gui import theme
from gui.canvas.overlays.overview import Icicle
from gui.picture.camera import Camera
from gui.picture.cards.frame import Frame
from gui.picture.cards.scene import GAP, WIDEST_EDGE, Places, Scene, ribbons_of
from gui.picture.levels import levels_of
from gui.picture.nodes.cards import MANY, Sizes, evened
from gui.picture.nodes.letters import Letters
from gui.picture.streams.scene import GAP as SLOT_GAP
from gui.picture.streams.scene import INNER, LEAF, ROOT_LEAST, ROOT_SHARE, StreamPlaces
from tests.gui.canvas.shapes import SHAPES, WIDTHS, arrays, children_of, mirrored, tidy

NEAR = {"abs": 1e-6}


def tree_of(shape):
    """A tree of this shape; a leaf has as many rows as the shape says it is wide."""
    parent, end, branches, widths, _ = arrays(shape)
    n = len(parent)
    leaf_rows = np.where(branches > 0, 0, widths).astype(np.int64)
    rows = np.array([leaf_rows[i : end[i]].sum() for i in range(n)])
    size = np.maximum(branches - 2, 0).astype(np.int64)  # the thresholds beyond the first
    zero, far, inner = np.zeros(n, np.int32), np.zeros(n, np.int64), branches > 0
    first = np.where(inner, np.where(branches == 1, np.inf, 0.0), np.nan)
    counts = np.column_stack((rows // 3, rows - rows // 3)).astype(float)
    nodes = Nodes(
        np.arange(n), branches.astype(np.int32), inner.astype(np.int8), np.where(inner, 0, -1).astype(np.int32), first,
        zero, zero, np.cumsum(size) - size, size, np.zeros(n, bool), counts, np.zeros_like(counts), rows, far,
        *unfilled(n),
    )  # fmt: skip
    payload = np.concatenate([np.arange(1.0, k + 1) for k in size] or [np.zeros(0)])
    return Tree("classes", "y", ("no", "yes"), (TreeColumn("x", "number", (), False),), nodes, payload, next_id=n)


def by_level(tree, mirror):
    """Pairs of positions (in a tree, in its mirror) of the same node: a level reads backwards there."""
    pairs = []
    for level in range(tree.depth + 1):
        here, there = np.flatnonzero(tree.level == level), np.flatnonzero(mirror.level == level)
        pairs += list(zip(here.tolist(), there[::-1].tolist(), strict=True))
    return np.array(sorted(pairs)).T


def twins(shape, other, width):
    """A tree that has the same branch twice, and the positions of both."""
    tree = tree_of((width, [shape, other, shape]))
    first, _, last = children_of(tree.parent, 0)
    return tree, slice(first, tree.end[first]), slice(last, tree.end[last])


# -- cards


def places_of(shape):
    tree = tree_of(shape)
    return tree, Places(tree, Sizes(arrays(shape)[3], 90.0, 50.0))


@given(SHAPES)
def test_cards_stand_on_levels_and_inside_of_the_drawing(shape):
    tree, places = places_of(shape)
    room = places.sizes.room
    assert places.x == pytest.approx(tidy(shape, GAP), **NEAR)
    assert (places.x - room / 2).min() == pytest.approx(0, **NEAR)
    assert places.width == pytest.approx((places.x + room / 2).max())
    for i in range(tree.n_nodes):
        assert places.top[i] == 160.0 * tree.level[i]
        assert places.heights[i] == (90.0 if tree.n_branches[i] else 50.0)
    assert places.bottom == (places.top + places.heights).max()


@given(SHAPES)
def test_how_much_room_a_card_has_is_that_to_its_neighbours_and_to_the_border(shape):
    tree, places = places_of(shape)
    x, half = places.x, places.sizes.room / 2
    for i in range(tree.n_nodes):
        row = [int(k) for k in np.flatnonzero(tree.level == tree.level[i])]
        found = [x[i] / half[i], (places.width - x[i]) / half[i]]
        for k in row:
            if k != i and abs(row.index(k) - row.index(i)) == 1:
                found.append(abs(x[k] - x[i]) / (half[i] + half[k] + GAP))
        assert places.node_room[i] == pytest.approx(min(found))
    for level in range(tree.depth + 1):
        assert places.level_room[level] == pytest.approx(places.node_room[tree.level <= level].min())
    assert places.level_room.min() >= 1 - 1e-9


@given(SHAPES)
def test_a_branch_lies_inside_of_its_box_and_so_does_the_way_to_it(shape):
    tree, places = places_of(shape)
    for i in range(tree.n_nodes):
        inside, above = slice(i, tree.end[i]), places.x[max(int(tree.parent[i]), 0)]
        low = (places.x - places.sizes.room / 2)[inside].min()
        high = (places.x + places.sizes.room / 2)[inside].max()
        assert (places.inner_left[i], places.inner_right[i]) == pytest.approx((low, high))
        assert (places.left[i], places.right[i]) == pytest.approx((min(low, above), max(high, above)))


@given(SHAPES)
def test_edges_leave_a_card_side_by_side_in_the_order_of_the_branches(shape):
    tree, _ = places_of(shape)
    ribbons, begin = ribbons_of(tree, "train")
    assert ribbons == pytest.approx(np.maximum(1.5, WIDEST_EDGE * tree.rows_train / tree.rows_train[0]))
    for i in np.flatnonzero(tree.n_branches):
        at = -sum(ribbons[k] for k in children_of(tree.parent, i)) / 2  # around the middle of the card
        for k in children_of(tree.parent, i):
            assert begin[k] - ribbons[k] / 2 == pytest.approx(at, **NEAR)
            at += ribbons[k]


@given(SHAPES)
def test_cards_of_a_mirrored_tree_stand_mirrored(shape):
    (tree, places), (mirror, flipped) = places_of(shape), places_of(mirrored(shape))
    here, there = by_level(tree, mirror)
    assert flipped.width == pytest.approx(places.width)
    assert flipped.x[there] == pytest.approx(places.width - places.x[here], **NEAR)
    assert flipped.node_room[there] == pytest.approx(places.node_room[here])
    assert flipped.level_room == pytest.approx(places.level_room)
    assert flipped.inner_left[there] == pytest.approx(places.width - places.inner_right[here], **NEAR)
    begins = [ribbons_of(one, "train")[1] for one in (tree, mirror)]
    assert begins[1][there] == pytest.approx(-begins[0][here], **NEAR)


@given(SHAPES, SHAPES, WIDTHS, st.floats(1.0, 3.0))
def test_the_same_branch_twice_is_the_same_picture_twice(qapp, shape, other, width, zoom):
    """Cards as they stand on the screen, at natural size and nearer; farther away they grow into free room."""
    tree, first, last = twins(shape, other, width)
    scene = Scene(tree, 1, theme.LIGHT, Letters())
    boxes = Frame(scene, Camera().zoomed(zoom, 0, 0)).boxes(np.arange(tree.n_nodes))
    moved = boxes[last] - boxes[last][:1] * (1, 0, 0, 0)
    assert moved == pytest.approx(boxes[first] - boxes[first][:1] * (1, 0, 0, 0), **NEAR)
    ribbons, begin = ribbons_of(tree, "train")
    assert ribbons[first] == pytest.approx(ribbons[last])
    assert begin[first][1:] == pytest.approx(begin[last][1:], **NEAR)


@given(st.lists(st.tuples(WIDTHS, st.lists(SHAPES, max_size=4)), min_size=1, max_size=3 * MANY), WIDTHS)
def test_many_siblings_have_equal_room(children, width):
    shape = (width, children)
    tree, room = tree_of(shape), arrays(shape)[3]
    found = evened(tree, room)
    for i in range(tree.n_nodes):
        siblings = children_of(tree.parent, tree.parent[i]) if i else [0]
        assert found[i] == (room[siblings].max() if len(siblings) > MANY else room[i])


@given(SHAPES, st.floats(0.02, 3.0))
def test_one_card_is_as_wide_as_among_all(qapp, shape, zoom):
    scene = Scene(tree_of(shape), 1, theme.LIGHT, Letters())
    frame = Frame(scene, scene.fitted(900, 600).zoomed(zoom, 0, 0))
    nodes = np.arange(scene.tree.n_nodes)
    assert [frame.box(i).width() for i in nodes] == pytest.approx(np.maximum(frame.boxes(nodes)[:, 2], 0))


# -- streams


def streams_of(shape):
    tree = tree_of(shape)
    return tree, StreamPlaces(levels_of(tree), tree.rows_train, tree.n_branches > 0)


def slow_streams(shape, tree):
    """(middles of the bars, their heights, where streams begin), from the definition, one node after the other."""
    n_leaves = sum(1 for k in tree.n_branches if k == 0)
    root = max(ROOT_LEAST, ROOT_SHARE * (LEAF + SLOT_GAP) * n_leaves)
    heights = [root * rows / tree.rows_train[0] for rows in tree.rows_train]
    slots = iter([max(h, INNER if k else LEAF) for h, k in zip(heights, tree.n_branches, strict=True)])

    def slotted(part):
        own = next(slots)
        return own, [slotted(child) for child in part[1]]

    y = tidy(slotted(shape), SLOT_GAP)
    begins = [y[0]] * tree.n_nodes
    for i in np.flatnonzero(tree.n_branches):
        at = y[i] - heights[i] / 2
        for k in children_of(tree.parent, i):
            begins[k] = at + heights[k] / 2
            at += heights[k]
    return y, heights, begins


@given(SHAPES)
def test_streams_are_those_of_the_definition(shape):
    tree, places = streams_of(shape)
    y, heights, begins = slow_streams(shape, tree)
    assert places.y == pytest.approx(y, **NEAR)
    assert places.heights == pytest.approx(heights)
    assert places.begins == pytest.approx(begins, **NEAR)
    for i in range(tree.n_nodes):
        low, high = places.inner_low[i], places.inner_high[i]
        stream = begins[i] - heights[i] / 2, begins[i] + heights[i] / 2
        assert (places.low[i], places.high[i]) == pytest.approx((min(low, stream[0]), max(high, stream[1])), **NEAR)


@given(SHAPES)
def test_streams_side_by_side_never_cross(shape):
    """In the order in which they leave the bars of a column they arrive in the next one."""
    tree, places = streams_of(shape)
    for level in range(1, tree.depth + 1):
        row = np.flatnonzero(tree.level == level)
        half = places.heights[row] / 2
        for middles in (places.begins[row], places.y[row]):
            assert np.all((middles - half)[1:] >= (middles + half)[:-1] - 1e-6)


@given(SHAPES)
def test_streams_of_a_mirrored_tree_are_mirrored(shape):
    (tree, places), (mirror, flipped) = streams_of(shape), streams_of(mirrored(shape))
    here, there = by_level(tree, mirror)
    assert flipped.bottom == pytest.approx(places.bottom)
    assert flipped.heights[there] == pytest.approx(places.heights[here])
    assert flipped.y[there] == pytest.approx(places.bottom - places.y[here], **NEAR)
    assert flipped.begins[there] == pytest.approx(places.bottom - places.begins[here], **NEAR)
    assert flipped.low[there] == pytest.approx(places.bottom - places.high[here], **NEAR)
    assert flipped.before[there] == pytest.approx(places.after[here], **NEAR)


@given(SHAPES, SHAPES, WIDTHS)
def test_the_same_branch_twice_is_the_same_streams_twice(shape, other, width):
    tree, first, last = twins(shape, other, width)
    places = StreamPlaces(levels_of(tree), tree.rows_train, tree.n_branches > 0)
    move = places.y[last.start] - places.y[first.start]
    assert places.heights[first] == pytest.approx(places.heights[last])
    assert places.y[first] + move == pytest.approx(places.y[last], **NEAR)
    assert places.begins[first][1:] + move == pytest.approx(places.begins[last][1:], **NEAR)
    assert places.inner_low[first] + move == pytest.approx(places.inner_low[last], **NEAR)


# -- the icicle


@given(SHAPES)
def test_cells_are_those_of_the_definition_and_mirrored_where_the_tree_is(shape):
    tree, mirror = tree_of(shape), tree_of(mirrored(shape))
    icicle, flipped = Icicle(tree, "train"), Icicle(mirror, "train")
    starts = [0.0] * tree.n_nodes
    for i in np.flatnonzero(tree.n_branches):
        at = starts[i]
        for k in children_of(tree.parent, i):
            starts[k], at = at, at + tree.rows_train[k] / tree.rows_train[0]
    assert icicle.starts == pytest.approx(starts)
    assert icicle.stops == pytest.approx(starts + tree.rows_train / tree.rows_train[0])
    here, there = by_level(tree, mirror)
    assert flipped.starts[there] == pytest.approx(1 - icicle.stops[here])


@given(SHAPES, SHAPES, WIDTHS)
def test_the_same_branch_twice_is_the_same_cells_twice(shape, other, width):
    tree, first, last = twins(shape, other, width)
    icicle = Icicle(tree, "train")
    move = icicle.starts[last.start] - icicle.starts[first.start]
    assert icicle.starts[first] + move == pytest.approx(icicle.starts[last])
    assert icicle.stops[first] + move == pytest.approx(icicle.stops[last])
