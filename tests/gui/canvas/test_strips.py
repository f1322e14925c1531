"""Rectangles put together row by row are those that Qt paints."""

import numpy as np
import pytest
import shiboken6
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.canvas.cards.strips import FEWEST, paint_strips

SIDES = 120, 90
COLOURS = np.array([QColor(name).rgb() for name in ("#0072B2", "#D55E00", "#C3C9D2")], np.uint32)


def painted(rectangles, colours, ratio, scale, strips):
    """The pixels of a picture; None where there are no strips."""
    image = QImage(int(SIDES[0] * ratio), int(SIDES[1] * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.scale(scale, scale)
    painter.setPen(Qt.PenStyle.NoPen)
    done = True
    if strips:
        done = paint_strips(painter, rectangles, colours, SIDES[0] / scale)
    else:
        for k, colour in enumerate(colours.tolist()):
            painter.setBrush(QColor(colour))
            painter.drawRects(shiboken6.wrapInstance(rectangles.ctypes.data + 32 * k, QRectF), 1)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint32).copy() if done else None


@given(
    seed=st.integers(0, 2**32 - 1), n=st.integers(0, 120), ratio=st.sampled_from((1.0, 1.25, 2.0)),
    scale=st.sampled_from((1.0, 1.5)),
)  # fmt: skip
def test_strips_are_the_rectangles_of_qt(qapp, seed, n, ratio, scale):
    rng = np.random.default_rng(seed)
    levels = np.sort(rng.uniform(-20.0, 120.0, 5))
    first = rng.integers(0, 4, n)
    top, bottom = levels[first], levels[rng.integers(first + 1, 5)]
    x, width = rng.uniform(-30.0, 140.0, n), rng.uniform(1.0, 9.0, n)
    rectangles = np.column_stack((x, top, width, np.maximum(bottom - top, 1.0)))
    colours = COLOURS[rng.integers(0, 3, n)]
    found = painted(rectangles, colours, ratio, scale, strips=True)
    if found is None:
        assert n < 12 * FEWEST
        return
    np.testing.assert_array_equal(found, painted(rectangles, colours, ratio, scale, strips=False))


@pytest.mark.parametrize("turned", [lambda painter: painter.rotate(30.0), lambda painter: painter.shear(0.5, 0.0)])
def test_strips_do_not_lie_askew(qapp, turned):
    image = QImage(*SIDES, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    turned(painter)
    assert not paint_strips(painter, np.tile([1.0, 2.0, 3.0, 4.0], (100, 1)), COLOURS[:1].repeat(100), 100.0)
    painter.end()


def test_few_rectangles_of_many_heights_are_left_to_qt(qapp):
    image = QImage(*SIDES, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    tops = np.arange(40.0)
    rectangles = np.column_stack((tops, tops, np.full(40, 1.5), np.full(40, 7.0)))
    assert not paint_strips(painter, rectangles, COLOURS[:1].repeat(40), 100.0)
    assert not paint_strips(painter, rectangles[:0], COLOURS[:0], 100.0)
    painter.end()
