"""Texts whose letters are in place already look like those that are set anew, and are as wide as Qt says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from gui import theme
from gui.picture.cards.painter import paint
from gui.picture.nodes.letters import MOST_SET, MOST_SIZES, NAME, PIXELS, PLAIN, SMALL, Letters, Typeset
from tests.effort import examples
from tests.gui.canvas.scenes import scene_of
from tests.gui.canvas.trees import random_tree

SIZE = 900, 600


def picture(scene, camera, ratio):
    image = QImage(SIZE[0] * ratio, SIZE[1] * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint(painter, scene, camera, *SIZE)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).copy()


def test_painting_again_changes_nothing(qapp):
    for ratio in (1, 2):
        scene = scene_of(random_tree(), Letters())
        fitted = scene.fitted(*SIZE)
        for zoom in (1.0, 0.7 / fitted.zoom, 1.3 / fitted.zoom):
            camera = fitted.zoomed(zoom, 450.0, 40.0)
            first = picture(scene, camera, ratio)
            for _ in range(2):
                np.testing.assert_array_equal(picture(scene, camera, ratio), first)


@given(st.text(st.characters(max_codepoint=0x2265, exclude_categories=("C",)) | st.sampled_from("AVTofi· %≤−")))
@examples(300)
def test_a_text_is_as_wide_as_qt_says(qapp, text):
    letters = Letters()
    for kind in (NAME, PLAIN, SMALL):
        metrics = QFontMetricsF(theme.font(20 * PIXELS[kind], bold=kind == NAME))
        assert letters.width(text, kind) == pytest.approx(metrics.horizontalAdvance(text) / 20, abs=1e-9)


def test_a_text_is_set_the_second_time(qapp):
    texts = Typeset()
    assert texts.again("18 %") is None
    ready = texts.again("18 %")
    assert ready.text() == "18 %"
    assert texts.again("18 %") is ready


def test_few_texts_and_sizes_are_kept(qapp):
    letters, device = Letters(), QImage(1, 1, QImage.Format.Format_RGB32)
    first = letters.sized(1.0, 96.0, device)[PLAIN].typeset
    assert letters.sized(1.0, 96.0, device)[PLAIN].typeset is first
    for k in range(MOST_SIZES):
        letters.sized(2.0 + k, 96.0, device)
    assert letters.sized(1.0, 96.0, device)[PLAIN].typeset is not first
    for k in range(MOST_SET):
        first.again(str(k))
    assert first.again("one more") is None
    assert first.again("0") is None
