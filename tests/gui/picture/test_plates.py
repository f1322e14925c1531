"""Rounded rectangles, upright edges and lines in pixels: as much of every pixel as many small points in it say."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gui.picture import pixels as drawing
from tests.effort import examples

POINTS = 24  # each way in a pixel
WHITE, FILL, INK = 0xFFFFFFFF, 0xFFFF00, 0xFF00FF  # its parts tell what is inside and what is border
SHAPE = 40, 60  # of pictures
PLACES = st.tuples(st.floats(-20, 50), st.floats(-20, 30), st.floats(0.2, 50), st.floats(0.2, 40))
FAR = st.floats(-1e9, 1e9)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    drawing.make_ready()


def plated(plates, fills, inks, shape=SHAPE):
    pixels = np.full(shape, WHITE, np.uint32)
    drawing.plates(pixels, np.array(plates, float).reshape(-1, 6), *(np.array(c, np.uint32) for c in (fills, inks)))
    return pixels


def edged(lines, widths, colours, fill=None, shape=SHAPE):
    pixels = np.full(shape, WHITE, np.uint32)
    fill = fill or drawing.edges
    fill(pixels, np.array(lines, float), np.array(widths, float), np.array(colours, np.uint32))
    return pixels


def points():
    """float64[wide · POINTS], float64[high · POINTS, 1]: the small points across and down."""
    across, down = ((np.arange(n * POINTS) + 0.5) / POINTS for n in SHAPE[::-1])
    return across, down[:, None]


def shares(inside):
    """float64[high, wide]: how many of the points in each pixel are inside."""
    return inside.reshape(SHAPE[0], POINTS, SHAPE[1], POINTS).mean(axis=(1, 3))


def naive_plate(left, upper, right, lower, radius):
    """bool of all points: which are in a rounded rectangle."""
    x, y = points()
    inside = (x >= left) & (x < right) & (y >= upper) & (y < lower)
    beside = np.maximum(np.maximum(left + radius - x, x - right + radius), 0)
    below = np.maximum(np.maximum(upper + radius - y, y - lower + radius), 0)
    return inside & (np.hypot(beside, below) <= radius)


@given(PLACES, st.floats(0, 12), st.sampled_from((0.0, 0.75, 1.0, 2.0)))
@examples(60)
def test_a_pixel_has_as_much_of_a_plate_as_lies_in_it(place, radius, border):
    left, upper, wide, high = place
    box = left, upper, left + wide, upper + high
    pixels = plated([(*box, radius, border)], [FILL], [INK])
    whole = shares(naive_plate(*box, min(radius, wide / 2, high / 2)))
    inner = left + border, upper + border, left + wide - border, upper + high - border
    inside = shares(naive_plate(*inner, max(min(radius, wide / 2, high / 2) - border, 0.0)))
    # Green is taken away by the border alone, blue by what is inside alone.
    found = [1 - ((pixels >> shift) & 0xFF) / 255 for shift in (8, 0)]
    for share, wanted in zip(found, (whole - inside, inside), strict=True):
        away = np.abs(share - wanted)
        assert away.max() <= 0.17
        assert away.mean() <= 0.004


def test_plates_without_corners_are_exact():
    share = 1 - (plated([(10.25, 5.5, 30.75, 20.25, 0, 0)], [0], [0]) & 0xFF) / 255
    assert np.abs(share - shares(naive_plate(10.25, 5.5, 30.75, 20.25, 0))).max() <= 0.005
    assert (plated([(10, 5, 30, 20, 0, 0)], [0x123456], [0])[5:20, 10:30] == 0xFF123456).all()


def test_later_plates_lie_over_earlier_ones():
    pixels = plated([(10, 5, 30, 20, 6, 1), (15, 8, 40, 30, 6, 1)], [0x0000FF, 0x00FF00], [0xFF0000, 0xFF0000])
    assert [hex(value) for value in pixels[16, [12, 15, 20]]] == ["0xff0000ff", "0xffff0000", "0xff00ff00"]


@given(st.lists(st.tuples(*[FAR] * 4, st.floats(0, 1e9), st.floats(0, 1e9)), max_size=4), st.integers(1, 5))
def test_plates_far_outside_harm_nothing(many, wide):
    pixels = plated(many, [FILL] * len(many), [INK] * len(many), (3, wide))
    assert pixels.shape == (3, wide) and (pixels >> 24 == 0xFF).all()


def naive_edge(line, widths):
    """bool of all points: which are in an edge, whose sides are cubics like its middle."""
    (x0, y0, x1, y1), (above, below, least) = line, widths
    x, y = points()
    low, high = np.zeros(y.shape), np.ones(y.shape)
    for _ in range(40):  # a cubic tells x and y by how far along it is
        t = (low + high) / 2
        short = y0 + (y1 - y0) * (1.5 * t * (1 - t) + t**3) < y
        low, high = np.where(short, t, low), np.where(short, high, t)
    gone = low * low * (3 - 2 * low)
    slope = 6 * low * (1 - low) / (1.5 - 3 * low + 3 * low * low) * (x1 - x0) / (y1 - y0)
    half = np.maximum(above + (below - above) * gone, least * np.hypot(1.0, slope)) / 2
    middle, farthest = x0 + (x1 - x0) * gone, max(widths) / 2
    inside = (x >= middle - half) & (x < middle + half) & (y >= y0) & (y < y1)
    return inside & (x >= min(x0, x1) - farthest) & (x < max(x0, x1) + farthest)


@given(
    st.tuples(st.floats(-20, 70), st.floats(-20, 30), st.floats(-60, 60), st.floats(12, 60)),
    st.tuples(st.floats(1, 20), st.floats(1, 20), st.sampled_from((0.0, 1.5))),
)
@examples(60)
def test_a_pixel_has_as_much_of_an_edge_as_lies_in_it(place, widths):
    x0, y0, aside, down = place
    line = x0, y0, x0 + aside, y0 + down
    away = np.abs(1 - (edged([line], [widths], [0]) & 0xFF) / 255 - shares(naive_edge(line, widths)))
    slant = abs(aside) / down  # there a row is too high for a straight piece of a side
    assert away.max() <= 0.1 + 0.1 * slant
    assert away.mean() <= 0.004 * (1 + slant)


def naive_line(line, width):
    """bool of all points: which are in a line."""
    x0, y0, x1, y1 = line
    x, y = points()
    tipped = abs(x1 - x0) > abs(y1 - y0)
    along, low, high = (x, min(x0, x1), max(x0, x1)) if tipped else (y, min(y0, y1), max(y0, y1))
    away = np.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / np.hypot(x1 - x0, y1 - y0)
    return (away <= width / 2) & (along >= low) & (along < high)


@given(*[st.floats(-30, 70)] * 4, st.floats(0.5, 16))
@example(0.0, 0.0, 2.0, 2.0, 0.75)
@examples(60)
def test_a_pixel_has_as_much_of_a_line_as_lies_in_it(x0, y0, x1, y1, width):
    assume(max(abs(x1 - x0), abs(y1 - y0)) > 1)
    line = x0, y0, x1, y1
    away = np.abs(1 - (edged([line], [width], [0], drawing.lines) & 0xFF) / 255 - shares(naive_line(line, width)))
    slope = min(abs(x1 - x0), abs(y1 - y0)) / max(abs(x1 - x0), abs(y1 - y0))
    assert away.max() <= slope / 4 + 0.05  # of two sides in one pixel, and of the points
    assert away.mean() <= 0.01


def test_lines_of_no_length_are_none():
    assert (edged([(5, 5, 5, 5)], [3], [0], drawing.lines) == WHITE).all()


def test_an_edge_has_the_colour_itself_and_ends_where_it_ends():
    pixels = edged([(30, 5, 30, 25)], [(10, 10, 0)], [0x123456])
    assert (pixels[5:25, 25:35] == 0xFF123456).all()
    pixels[5:25, 25:35] = WHITE
    assert (pixels == WHITE).all()


def test_an_edge_nearly_level_is_as_wide_as_asked_for_and_stays_between_its_ends():
    share = 1 - (edged([(5, 10, 55, 20)], [(1.0, 1.0, 2.0)], [0]) & 0xFF) / 255
    assert 1.9 < share[:, 30].sum() / np.hypot(1, 0.1) < 2.2
    assert (share[:, :4] == 0).all() and (share[:, 56:] == 0).all()


@given(st.lists(st.tuples(*[FAR] * 4, *[st.floats(0, 1e9)] * 3), min_size=1, max_size=4), st.integers(1, 5))
def test_edges_and_lines_far_outside_harm_nothing(many, wide):
    ends, colours = [edge[:4] for edge in many], [FILL] * len(many)
    curved = edged(ends, [edge[4:] for edge in many], colours, shape=(3, wide))
    straight = edged(ends, [edge[4] for edge in many], colours, drawing.lines, (3, wide))
    for pixels in (curved, straight):
        assert pixels.shape == (3, wide) and (pixels >> 24 == 0xFF).all()
