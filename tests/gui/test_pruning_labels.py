"""Words beside points: never on each other, never on a point, never outside."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from gui.panels.pruning_labels import Box, place

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


def test_without_room_there_are_no_words():
    assert place([(100.0, 100.0)], [(500.0, 14.0)], AREA, RADIUS) == [None]
