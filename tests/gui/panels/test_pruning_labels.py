"""Names above a plot: never on each other, never on the pole of another one, never outside."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from gui.panels.prune.chart import flags

NAMES = st.lists(st.tuples(st.floats(0, 400), st.floats(10, 180)), max_size=14)


@given(NAMES, st.integers(1, 8))
def test_names_cover_neither_each_other_nor_a_pole(drawn, most):
    places, widths = [place for place, _ in drawn], [width for _, width in drawn]
    found = flags(places, widths, 0.0, 400.0, most)
    assert len(found) == len(places)
    shown = [(at, width, *where) for at, width, where in zip(places, widths, found, strict=True) if where is not None]
    for at, width, row, start in shown:
        assert 0 <= row < most and start >= 0.0 and start + width <= 400.0 + 1e-9
        assert start - 1e-9 <= at <= start + width + 1e-9, "beside its pole"
    for (_, width, row, start), (at, other, above, begin) in permutations(shown, 2):
        assert row != above or start + width <= begin + 1e-9 or begin + other <= start + 1e-9
        assert row > above or not start + 1e-9 < at < start + width - 1e-9 or row > above, "a pole stands below"


def test_names_that_have_room_share_a_row():
    assert flags([10.0, 200.0], [100.0, 100.0], 0.0, 400.0, 3) == [(0, 10.0), (0, 200.0)]


def test_a_name_goes_above_those_whose_poles_it_would_cover():
    found = flags([10.0, 60.0, 110.0], [100.0] * 3, 0.0, 400.0, 3)
    assert found == [(2, 10.0), (1, 60.0), (0, 110.0)]


def test_names_go_apart_to_both_sides_where_that_takes_fewer_rows():
    assert flags([200.0, 210.0], [100.0, 100.0], 0.0, 400.0, 3) == [(0, 100.0), (0, 210.0)]


def test_at_the_right_end_a_name_stays_inside():
    assert flags([390.0], [100.0], 0.0, 400.0, 3) == [(0, 300.0)]


def test_the_most_important_name_stays():
    assert flags([110.0, 115.0, 120.0], [100.0] * 3, 0.0, 400.0, 1) == [(0, 10.0), (0, 115.0), None]
    assert flags([100.0], [500.0], 0.0, 400.0, 3) == [None]
