"""Only what is in view is placed, and all of that."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from gui.picture.cards import visible_cards as placing
from gui.picture.cards.boxes import seen
from gui.picture.cards.frame import Frame
from gui.picture.cards.painter import Marks, paint
from gui.picture.cards.visible_cards import placed, size_of
from gui.picture.emphasis import Emphasis
from gui.picture.nodes.letters import Letters
from tests.gui.canvas.scenes import KINDS, scene_of
from tests.gui.canvas.trees import random_tree

SIZE = 420, 300


def picture(scene, camera):
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint(painter, scene, camera, *SIZE, Marks(selected=2, hovered=4))
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).copy()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_out_would_not_be_seen(qapp, monkeypatch, kind):
    scene = scene_of(random_tree(**KINDS[kind]), Letters())
    n, rng = scene.tree.n_nodes, np.random.default_rng(3)
    scene.emphasis = Emphasis(lit=rng.random(n) < 0.7, words={n // 2: "a rather long name of a column = 42"})
    for zoom in (0.5, 1.0, 2.5):
        for i in rng.integers(0, n, 6).tolist():
            camera = scene.fitted(*SIZE)
            camera = camera.zoomed(zoom / camera.zoom, 0.0, 0.0)
            place = Frame(scene, camera).box(i).topLeft()
            camera = camera.moved(SIZE[0] * rng.random() - place.x(), SIZE[1] * rng.random() - place.y())
            found = picture(scene, camera)
            with monkeypatch.context() as everything:
                everything.setattr(placing, "_in_view", lambda one, *others: np.ones(len(one), bool))
                np.testing.assert_array_equal(found, picture(scene, camera))


def test_what_is_placed_is_in_view(qapp):
    scene = scene_of(random_tree(n=199), Letters())
    camera = scene.fitted(*SIZE)
    camera = camera.zoomed(1.0 / camera.zoom, 200.0, 0.0).moved(0.0, -400.0)
    frame, image = Frame(scene, camera), QImage(*SIZE, QImage.Format.Format_RGB32)
    named = seen(frame, *SIZE).named
    found = placed(frame, named, lambda scale: size_of(scene, scale, 96.0, image), SIZE, 0, -1)
    assert 0 < len(found) < named.size
    for card in found:
        assert card.box == frame.box(card.i)
        reach = card.box.adjusted(-14.0, -14.0, 14.0, 14.0)
        assert card.in_view == (reach.left() < 420 and reach.right() > 0 and reach.top() < 300 and reach.bottom() > 0)
        assert card.in_view or card.reached
