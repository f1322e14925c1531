"""Bands and boxes in pixels: as much of every pixel as many small points in it say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.picture import pixels as drawing
from tests.effort import examples

POINTS = 24  # each way in a pixel
WHITE, BLACK = 0xFFFFFFFF, 0xFF000000
SHAPE = 40, 60  # of pictures
ENDS = st.tuples(st.floats(-30, 50), st.floats(-30, 70), st.floats(5, 60), st.floats(-60, 60))


@pytest.fixture(scope="module", autouse=True)
def compiled():
    drawing.make_ready()


def filled(lines, heights, colours, least=0.0, shape=SHAPE, ground=WHITE):
    pixels = np.full(shape, ground, np.uint32)
    drawing.bands(pixels, np.array(lines, float), np.array(heights, float), np.array(colours, np.uint32), least)
    return pixels


def middle(x, line):
    """How far down the middle of a band is, found by halving: its cubic tells x and y by how far along it is."""
    x0, y0, x1, y1 = line
    low, high = np.zeros(x.size), np.ones(x.size)
    for _ in range(40):
        t = (low + high) / 2
        short = x0 + (x1 - x0) * (1.5 * t * (1 - t) + t**3) < x
        low, high = np.where(short, t, low), np.where(short, high, t)
    return y0 + (y1 - y0) * low * low * (3 - 2 * low)


def naive_shares(line, height, least=0.0):
    """float64[high, wide]: how many of the points in each pixel are covered."""
    high, wide = SHAPE
    x, y = ((np.arange(n * POINTS) + 0.5) / POINTS for n in (wide, high))
    at = middle(x, line)
    slope = (middle(x + 0.01, line) - middle(x - 0.01, line)) / 0.02
    half = np.maximum(height, least * np.hypot(1.0, slope)) / 2
    inside = (np.abs(y[:, None] - at) <= half) & (x >= line[0]) & (x < line[2])
    return inside.reshape(high, POINTS, wide, POINTS).mean(axis=(1, 3))


@given(ENDS, st.floats(0.1, 30.0), st.sampled_from((0.0, 1.0)))
@examples(60)
def test_a_pixel_has_as_much_of_a_band_as_lies_in_it(ends, height, least):
    x0, y0, long, down = ends
    line = x0, y0, x0 + long, y0 + down
    shares = 1 - (filled([line], [height], [BLACK], least) & 0xFF) / 255
    away = np.abs(shares - naive_shares(line, height, least))
    steep = 3 * abs(down) / long  # there a column is too wide for a straight piece of a curve
    assert away.max() <= 0.1 + 0.04 * steep
    assert away.mean() <= 0.004 * (1 + steep)


def test_whole_pixels_have_the_colour_itself():
    pixels = filled([(0, 20, 60, 20)], [10], [0x123456])
    assert (pixels[15:25] == 0xFF123456).all() and (pixels[:15] == WHITE).all() and (pixels[25:] == WHITE).all()


@pytest.mark.parametrize("colour", [0xFF0000, 0x00FF00, 0x0000FF, 0x804020])
def test_a_part_of_a_pixel_is_mixed_colour_by_colour(colour):
    pixels = filled([(0, 20.25, 60, 20.25)], [1.0], [colour], ground=0xFF102030)
    for row, share in ((19, 0.25), (20, 0.75)):
        for shift in (0, 8, 16):
            over, under = ((value >> shift) & 0xFF for value in (colour, 0x102030))
            assert abs(((int(pixels[row, 30]) >> shift) & 0xFF) - (under + share * (over - under))) <= 1


def test_later_bands_lie_over_earlier_ones():
    lines = [(0, 20, 60, 20), (0, 22, 60, 22)]
    pixels = filled(lines, [10, 10], [0x0000FF, 0x00FF00])
    assert (pixels[15:17] == 0xFF0000FF).all() and (pixels[17:27] == 0xFF00FF00).all()


def test_a_steep_band_is_never_thinner_than_asked_for():
    line = (20.0, -200.0, 40.0, 240.0)
    thin, thick = (1 - (filled([line], [0.5], [BLACK], least) & 0xFF) / 255 for least in (0.0, 1.0))
    assert thin[20].sum() < 0.1 and 0.95 < thick[20].sum() < 1.1


@given(
    st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 4, st.floats(0, 1e9)), min_size=1, max_size=4),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_bands_far_outside_harm_nothing(many, high, wide):
    lines = [(min(x0, x1), y0, max(x0, x1), y1) for x0, y0, x1, y1, _ in many]
    pixels = filled(lines, [height for *_, height in many], [BLACK] * len(many), 1.0, (high, wide))
    assert pixels.shape == (high, wide) and (pixels >> 24 == 0xFF).all()


def test_no_band_leaves_the_canvas_as_it_is():
    assert (filled(np.zeros((0, 4)), [], []) == WHITE).all()
    assert (filled([(5, 3, 5, 9)], [4], [BLACK]) == WHITE).all()


@given(st.lists(st.tuples(*[st.integers(-144, 304)] * 4, st.integers(0, 0xFFFFFF)), max_size=5))
def test_boxes_fill_the_pixels_whose_middles_lie_in_them(many):
    sides, colours = np.array([box[:4] for box in many]).reshape(-1, 4) / 16, [box[4] for box in many]
    pixels, wanted = np.full((9, 12), WHITE, np.uint32), np.full((9, 12), WHITE, np.uint32)
    drawing.boxes(pixels, sides, np.array(colours, np.uint32))
    for (left, upper, right, lower), colour in zip(sides.tolist(), colours, strict=True):
        for row, column in np.ndindex(wanted.shape):
            if left < column + 0.5 <= right and upper < row + 0.5 <= lower:
                wanted[row, column] = 0xFF000000 | colour
    assert (pixels == wanted).all()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e19])
@pytest.mark.parametrize("k", range(4))
def test_a_band_that_stands_nowhere_is_left_out(wrong, k):
    line = [0.0, 20.0, 60.0, 20.0]
    line[k] = wrong
    assert (filled([line], [5.0], [BLACK]) == WHITE).all()
    assert (filled([line, [0.0, 20.0, 60.0, 20.0]], [5.0, 5.0], [BLACK, BLACK]) == BLACK).any()
