"""One painter for the screen and for paper: cards, tiles, ribbons and the words on them.

Everything is computed in the pixels of the device and drawn without a transform, with opaque colours: both
are quicker, and Qt's SVG and PDF writers get the rest wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from gui import theme
from gui.picture.camera import Camera
from gui.picture.cards.boxes import paint_boxes, paint_dots, paint_lines, paint_rings, seen
from gui.picture.cards.frame import Frame
from gui.picture.cards.plates import paint_band, paint_edge_plate, paint_plate, paint_ribbon
from gui.picture.cards.scene import Scene
from gui.picture.cards.visible_cards import Size, placed, size_of
from gui.picture.cards.words import EDGE_BESIDE, EDGE_TIGHT, Said, Written, said_on_edges
from gui.picture.emphasis import NOTHING, Emphasis, beside_nodes
from gui.picture.nodes import badges
from gui.picture.nodes.letters import PLAIN, told
from gui.picture.shapes import RINGED


@dataclass(frozen=True)
class Marks:
    """What is marked on the tree: positions, −1 for none."""

    selected: int = -1
    hovered: int = -1
    focused: bool = False  # whether the keyboard acts on the canvas
    target: int = -1  # the node that a dragged column would be dropped onto

    def rings(self, look: theme.Theme, emphasis: Emphasis) -> list[tuple[int, QPen, float]]:
        """The rings in any kind of picture: around which node, with which pen, how many pixels away from it."""
        found = []
        if self.target >= 0:
            found.append((self.target, QPen(look.accent, 3.0, Qt.PenStyle.DashLine), 4.0))
        if self.selected >= 0:
            faded = theme.mix(look.accent, look.canvas, 0.35)
            pen = QPen(look.accent, 2.5) if self.focused else QPen(faded, 2.0)
            found.append((self.selected, pen, 3.0))
            if emphasis.is_ringed(self.selected):  # one of several with rings: it has two
                found.append((self.selected, pen, 8.0))
        return found


def paint(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    width: float,
    height: float,
    marks: Marks | None = None,
    dpi: float = 96.0,
    top: int = 0,
) -> None:
    """Paints the part of a tree that a device of this size shows, on the caller's background; of a branch alone where
    `top` is its node's position."""
    frame = Frame(scene, camera)
    shown, size = seen(frame, width, height, top), (width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_lines(painter, frame, shown, size, top)
    paint_boxes(painter, frame, shown, size)
    if scene.warned is not None:
        paint_dots(painter, frame, shown.boxed[scene.warned[shown.boxed]])
    picture = _Picture(painter, frame, marks or Marks(), dpi)
    picture.draw(shown.named, size, top)
    paint_rings(painter, frame, shown)
    picture.draw_marks()


class _Picture:
    """One paint of one tree."""

    def __init__(self, painter: QPainter, frame: Frame, marks: Marks, dpi: float) -> None:
        self.painter = painter
        self.frame = frame
        self.scene = frame.scene
        self.marks = marks
        self.dpi = dpi
        self.named: list[int] = []
        self.emphasis = frame.scene.emphasis or NOTHING

    def sized(self, zoom: float) -> Size:
        """What cards at a scale have in common."""
        return size_of(self.scene, zoom, self.dpi, self.painter.device())

    def draw(self, shown: NDArray[np.intp], size: tuple[float, float], top: int) -> None:
        """Ribbons below, above them the plates of words on them, cards on top; then all words."""
        self.named, scene, painter = shown.tolist(), self.scene, self.painter
        found = placed(self.frame, shown, self.sized, size, top, self.marks.hovered)
        cards, children = [card for card in found if card.in_view], [card for card in found if card.reached]
        for card in children:
            paint_ribbon(painter, card)
        for card in children:
            if card.on_path:
                paint_band(painter, card.edge, 0.0, 0.0, card.tone.theme.text)
        edges = said_on_edges(scene, children, self.emphasis)
        for card, _, plate in edges:
            paint_edge_plate(painter, card, plate)
        for card in cards:
            paint_plate(painter, scene, card)
        written = Written(self.painter, scene)
        for card, text, plate in edges:
            written.words(text, card.size, PLAIN, plate.center().x(), plate.center().y(), card.tone.theme.text)
        for card in cards:
            written.card(card)
        for card in cards:
            names = scene.badges(card.i)
            if names and not card.silent:
                badges.paint(self.painter, card.tone.theme, card.box, names, card.size.zoom, card.size.full)
        self.values(edges, size)

    def values(self, edges: list[Said], size: tuple[float, float]) -> None:
        """What a row that is followed has, beside the nodes whose edges have no room for it."""
        said, words = {card.i for card, _, _ in edges}, self.emphasis.words
        if self.emphasis.way is None or said.issuperset(words):
            return
        here = [i for i in sorted(words) if i not in said and self.scene.standing(i) == i]
        lit = [self.frame.box(i) for i in (0, *words) if self.scene.standing(i) == i]
        letters, look = self.scene.cards.letters, self.scene.theme
        sizes = {i: self.sized(self.frame.scale(i)) for i in here}

        def plate_of(i: int) -> tuple[str, float, float]:
            text, scale = told(letters, words[i]), sizes[i].letter_zoom
            return text, (letters.width(text) + 2 * EDGE_BESIDE) * scale, EDGE_TIGHT * scale

        taken = [*lit, *(plate for _, _, plate in edges)]
        found = beside_nodes(here, self.frame.box, plate_of, taken, size)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(look.canvas)
        for _, _, plate in found:
            self.painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        written = Written(self.painter, self.scene)  # one that knows nothing of the pen before
        for i, text, plate in found:
            written.words(text, sizes[i], PLAIN, plate.center().x(), plate.center().y(), look.text)

    # -- marks

    def draw_marks(self) -> None:
        """The rings around the selected node and, where boxes are too small for borders, the hovered one."""
        hovered, selected = self.marks.hovered, self.marks.selected
        look = self.scene.theme
        for i, ringed in zip(self.named, self.emphasis.are_ringed(np.array(self.named, np.intp)), strict=True):
            if ringed and i != selected:
                self.ring(i, QPen(look.accent, RINGED), 3)
        if hovered >= 0 and not self.frame.are_named(np.array([hovered]))[0]:
            self.ring(hovered, QPen(look.text, 1.5), 2)
        for ring in self.marks.rings(look, self.emphasis):
            self.ring(*ring)

    def ring(self, i: int, pen: QPen, distance: float) -> None:
        box = self.frame.box(i)
        grow_x, grow_y = (max(distance, distance + (6 - side) / 2) for side in (box.width(), box.height()))
        box.adjust(-grow_x, -grow_y, grow_x, grow_y)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = 6 * self.frame.scale(i) + distance
        self.painter.drawRoundedRect(box, radius, radius)
