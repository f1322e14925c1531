"""Cards filled into pixels show what Qt's shapes show, at every scale, in every colour, and on screens alone."""

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter, QPicture

from gui import theme
from gui.picture import pixels as drawing
from gui.picture.cards import painter as painting
from gui.picture.cards.ground import CardPixels
from gui.picture.cards.painter import Marks, paint
from gui.picture.cards.scene import Scene
from gui.picture.highlighting.emphasis import Emphasis
from gui.picture.nodes.letters import Letters
from tests.gui.canvas.scenes import KINDS
from tests.gui.canvas.trees import five_nodes, people, random_tree

SIZE = (800, 560)
QTS_OWN = 40  # of 255: Qt covers pixels with thin strokes and steep sides roughly (see `test_plates`)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    drawing.make_ready()


def both(monkeypatch, scene, camera=None, ratio=1.0, larger=1.0):
    """uint8[2, high, wide, 3]: a picture by Qt's shapes, and one in pixels."""
    camera, found = camera or scene.fitted(*SIZE), []
    for kernels in ([], list(drawing._kernels)):
        with monkeypatch.context() as patch:
            patch.setattr(drawing, "_kernels", kernels)
            image = QImage(*(round(side * ratio * larger) for side in SIZE), QImage.Format.Format_RGB32)
            image.setDevicePixelRatio(ratio)
            image.fill(scene.theme.canvas)
            painter = QPainter(image)
            painter.scale(larger, larger)
            paint(painter, scene, camera, *SIZE, Marks(hovered=scene.tree.n_nodes // 2))
            painter.end()
        found.append(np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., :3].astype(int))
    return found


def scene_of(tree, look=theme.LIGHT):
    return Scene(tree, 1 if len(tree.classes) == 2 else 0, look, Letters())


def differing(shapes, pixels):
    """The share of pixels that are not the same but for what is Qt's own."""
    return (np.abs(shapes - pixels).max(axis=2) > QTS_OWN).mean()


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ratio", "larger"), [(1.0, 1.0), (2.0, 1.0), (1.0, 1.5), (2.0, 1.5), (1.25, 1.0)])
def test_both_ways_show_the_same(qapp, monkeypatch, look, ratio, larger):
    shapes, pixels = both(monkeypatch, scene_of(five_nodes(people()), look), ratio=ratio, larger=larger)
    assert differing(shapes, pixels) < 0.001
    assert (pixels != pixels[0, 0]).any(axis=2).mean() > 0.05, "there is something to see"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("zoom", [0.0, 0.4, 1.0, 2.5])
def test_trees_of_all_kinds_are_the_same_from_near_and_far(qapp, monkeypatch, kind, zoom):
    scene = scene_of(random_tree(**KINDS[kind]))
    camera = scene.fitted(*SIZE)
    if zoom:
        camera = camera.zoomed(zoom / camera.zoom, SIZE[0] / 2, SIZE[1] / 3)
    shapes, pixels = both(monkeypatch, scene, camera)
    assert differing(shapes, pixels) < 0.003


def test_what_stands_out_and_what_is_faded_do_so_in_both(qapp, monkeypatch):
    tree = five_nodes(people())
    scene = scene_of(tree)
    plain = both(monkeypatch, scene)[1]
    shares = np.full(tree.n_nodes, 0.4)
    scene.emphasis = Emphasis(lit=np.arange(tree.n_nodes) < 3, shares=shares, way=shares / 4)
    shapes, pixels = both(monkeypatch, scene)
    assert differing(shapes, pixels) < 0.003
    assert differing(plain, pixels) > 0.02
    for ink in (theme.LIGHT.accent, theme.LIGHT.flow_beside):
        assert (pixels[..., ::-1] == ink.getRgb()[:3]).all(axis=2).sum() > 100


def test_boxes_and_blocks_fill_the_same_pixels(qapp, monkeypatch):
    monkeypatch.setattr(painting, "paint_lines", lambda *others: None)
    scene = scene_of(random_tree(9_999))
    camera = scene.fitted(*SIZE).zoomed(0.5, SIZE[0] / 2, 0.0)
    shapes, pixels = both(monkeypatch, scene, camera)
    assert (shapes == pixels).all(axis=2).mean() > 0.998  # where narrow blocks meet, another one is on top
    assert (pixels != pixels[0, 0]).any(axis=2).sum() > 1_000


def test_pixels_are_filled_on_screens_alone(qapp, monkeypatch):
    scene, shown = scene_of(five_nodes(people())), []
    monkeypatch.setattr(CardPixels, "show", lambda self, painter: shown.append(self.pixels.scale))
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
    assert scale(image, lambda painter: painter.rotate(10.0)) is None
    assert scale(QPicture()) is None
    scene.paper = True
    assert scale(image) is None
