"""Words beside points: never on each other, never on a point, never outside."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gui.panels.prune.markers import GAP, Box, _places, place

AREA = Box(0.0, 0.0, 400.0, 200.0)
RADIUS = 6.0
POINTS = st.tuples(st.floats(0, 400), st.floats(0, 200))
SIZES = st.tuples(st.floats(10, 180), st.floats(10, 20))


@given(st.lists(st.tuples(POINTS, SIZES), max_size=14))
def test_words_hide_neither_each_other_nor_a_point(drawn):
    points, sizes = [point for point, _ in drawn], [size for _, size in drawn]
    found = place(points, sizes, AREA, RADIUS)
    boxes = [box for box in found if box is not None]
    assert len(found) == len(points)
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    for box in boxes:
        assert AREA.holds(box)
        for x, y in points:
            assert not box.meets(Box(x - RADIUS + 0.01, y - RADIUS + 0.01, x + RADIUS - 0.01, y + RADIUS - 0.01))
    for box, (width, height) in zip(found, sizes, strict=True):
        assert box is None or (abs(box.right - box.left - width) < 1e-6 and abs(box.bottom - box.top - height) < 1e-6)


def test_a_lonely_point_has_its_words_at_its_right():
    [box] = place([(100.0, 100.0)], [(50.0, 14.0)], AREA, RADIUS)
    assert box.left > 106 and box.top < 100 < box.bottom


def test_nothing_stands_where_something_else_does():
    taken = Box(80.0, 0.0, 400.0, 200.0)
    [box] = place([(60.0, 100.0)], [(50.0, 14.0)], AREA, RADIUS, [taken])
    assert not box.meets(taken)


@given(st.lists(st.tuples(POINTS, SIZES), max_size=6), st.lists(POINTS, max_size=60))
def test_words_hide_as_little_of_the_curves_as_their_places_allow(drawn, dots):
    """The twin weighs every place that was free when the words were placed."""
    points, sizes = [point for point, _ in drawn], [size for _, size in drawn]
    curves = np.array(dots, np.float64).reshape(-1, 2)
    found = place(points, sizes, AREA, RADIUS, (), curves)
    spots = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in points]
    for i, ((x, y), (width, height)) in enumerate(zip(points, sizes, strict=True)):
        before = [box for box in found[:i] if box is not None]
        free = [
            box
            for box in _places(x, y, width, height, RADIUS)
            if AREA.holds(box)
            and not any(box.meets(spot) for spot in spots)
            and not any(box.meets(other, GAP) for other in before)
        ]
        hidden = [sum(b.left <= u <= b.right and b.top <= v <= b.bottom for u, v in dots) for b in free]
        assert found[i] == (free[hidden.index(min(hidden))] if free else None)


def test_without_room_there_are_no_words():
    assert place([(100.0, 100.0)], [(500.0, 14.0)], AREA, RADIUS) == [None]
