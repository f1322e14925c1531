"""Streams filled into pixels show what Qt's curves show, at every scale, in every colour, and on screens alone."""

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter, QPicture

from gui import theme
from gui.picture import pixels as drawing
from gui.picture.cards.painter import Marks
from gui.picture.ground.rounded_rectangles import KeptPlates, PaintedPlates
from gui.picture.highlighting.emphasis import Emphasis
from gui.picture.nodes.letters import Letters
from gui.picture.streams.painter import paint
from gui.picture.streams.pixels import Pixels
from gui.picture.streams.scene import Streams
from tests.gui.canvas.trees import five_nodes, people, random_tree

SIZE = (800, 560)
QTS_OWN = 30  # of 255: Qt makes straight pieces of a curve, an eighth of a pixel off (see `tests.engine.test_bands`)

CORNERS = 1e-4  # of all pixels: Qt rounds the corners of plates with a border its own way (`test_plates`)


def without_plates(monkeypatch):
    """Nothing lies over streams and bars but letters."""
    for plates in (KeptPlates, PaintedPlates):
        monkeypatch.setattr(plates, "plate", lambda *args: None)


def both(monkeypatch, scene, camera=None, ratio=1.0, larger=1.0, marks=None):
    """uint8[2, high, wide, 3]: a picture by Qt's curves, and one with streams in pixels."""
    camera, found = camera or scene.fitted(*SIZE), []
    for kernels in ([], list(drawing._kernels)):
        with monkeypatch.context() as patch:
            patch.setattr(drawing, "_kernels", kernels)
            sides = (round(side * ratio * larger) for side in SIZE)
            image = QImage(*sides, QImage.Format.Format_RGB32)
            image.setDevicePixelRatio(ratio)
            image.fill(scene.theme.canvas)
            painter = QPainter(image)
            painter.scale(larger, larger)
            paint(painter, scene, camera, *SIZE, marks)
            painter.end()
        found.append(np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., :3].astype(int))
    return found


def scene_of(tree, look=theme.LIGHT):
    return Streams(tree, 1 if len(tree.classes) == 2 else 0, look, Letters())


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ratio", "larger"), [(1.0, 1.0), (2.0, 1.0), (1.0, 1.5), (2.0, 1.5), (1.25, 1.0)])
def test_both_ways_show_the_same(qapp, monkeypatch, look, ratio, larger):
    curves, pixels = both(monkeypatch, scene_of(five_nodes(people()), look), ratio=ratio, larger=larger)
    assert (np.abs(curves - pixels).max(axis=2) > QTS_OWN).mean() < CORNERS
    without_plates(monkeypatch)
    curves, pixels = both(monkeypatch, scene_of(five_nodes(people()), look), ratio=ratio, larger=larger)
    assert np.abs(curves - pixels).max() <= QTS_OWN
    assert (pixels != pixels[0, 0]).any(axis=2).mean() > 0.2, "there is something to see"


def test_what_stands_out_and_what_is_faded_do_so_in_both(qapp, monkeypatch):
    tree = five_nodes(people())
    scene = scene_of(tree)
    plain = both(monkeypatch, scene)[1]
    shares = np.full(tree.n_nodes, 0.4)
    scene.emphasis = Emphasis(lit=np.arange(tree.n_nodes) < 3, shares=shares, way=shares / 4)
    curves, pixels = both(monkeypatch, scene)
    assert (np.abs(curves - pixels).max(axis=2) > QTS_OWN).mean() < CORNERS
    for ink in (theme.LIGHT.accent, theme.LIGHT.flow_beside):
        assert (pixels[..., ::-1] == ink.getRgb()[:3]).all(axis=2).sum() > 1_000
    assert (np.abs(plain - pixels).max(axis=2) > QTS_OWN).mean() > 0.1


def test_of_many_streams_hardly_a_pixel_differs(qapp, monkeypatch):
    """Thin ones are curves instead of a few straight pieces."""
    curves, pixels = both(monkeypatch, scene_of(random_tree(59)))
    assert (np.abs(curves - pixels).max(axis=2) > 30).mean() < 0.01


def test_far_closer_the_edges_of_streams_are_where_they_were(qapp, monkeypatch):
    scene = scene_of(five_nodes(people()))
    for move in ((0, 0), (-400, 300), (-900, -200)):
        camera = scene.fitted(*SIZE).zoomed(6.0, 300, 280).moved(*move)
        curves, pixels = both(monkeypatch, scene, camera)
        assert (np.abs(curves - pixels).max(axis=2) > QTS_OWN).mean() < 0.002


@pytest.mark.parametrize("hovered", range(1, 5))
def test_the_way_to_a_hovered_node_is_the_same_line_in_both(qapp, monkeypatch, hovered):
    without_plates(monkeypatch)
    scene = scene_of(five_nodes(people()))
    plain, (curves, pixels) = both(monkeypatch, scene)[1], both(monkeypatch, scene, marks=Marks(hovered=hovered))
    line = (np.abs(pixels - plain).max(axis=2) > 120).mean()
    assert line > 0.0005 and (np.abs(curves - pixels).max(axis=2) > 60).mean() < line / 10


def test_pixels_are_filled_on_screens_alone(qapp, monkeypatch):
    drawing.make_ready()
    scene, shown = scene_of(five_nodes(people())), []
    monkeypatch.setattr(Pixels, "show", lambda self, painter: shown.append(self._pixels.scale))
    camera = scene.fitted(*SIZE)

    def scale(device, change=lambda painter: None):
        painter = QPainter(device)
        change(painter)
        paint(painter, scene, camera, *SIZE)
        painter.end()
        return shown.pop() if shown else None

    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    assert scale(image) == 1.0
    assert scale(image, lambda painter: painter.scale(1.5, 1.5)) == 1.5
    assert scale(image, lambda painter: painter.scale(1.5, 1.0)) is None
    assert scale(image, lambda painter: painter.rotate(10.0)) is None
    assert scale(image, lambda painter: painter.translate(10, 0)) is None
    assert scale(QPicture()) is None
    image.setDevicePixelRatio(2.0)
    assert scale(image) == 2.0
    scene.paper = True
    assert scale(image) is None
