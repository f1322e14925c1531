"""One painter for the screen and for paper: cards, tiles, ribbons and the words on them.

Everything is computed in the pixels of the device and drawn without a transform, with opaque colours: both
are quicker, and Qt's SVG and PDF writers get the rest wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPainterPath, QPen

from gui import theme
from gui.canvas.boxes import RINGED, paint_boxes, paint_dots, paint_lines, paint_rings
from gui.canvas.camera import Camera
from gui.canvas.cards.edges import curve, paint_band
from gui.canvas.cards.frame import Frame
from gui.canvas.cards.placed import Card, placed
from gui.canvas.cards.scene import Scene
from gui.canvas.cards.seen import seen
from gui.canvas.cards.size import BAR, BAR_BESIDE, BAR_HIGH, LEAST_NAMED, Size, size_of
from gui.canvas.colours.fading import ink_on
from gui.canvas.nodes import badges
from gui.canvas.nodes.bars import class_bar, mean_bar, tick, trough
from gui.canvas.nodes.letters import NAME, PLAIN, told
from gui.canvas.standouts.emphasis import NOTHING, Emphasis

STRIPE = 5.0  # how much of a card's upper edge has its colour, at scale 1


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
    """Paints the part of a tree that a device of this size shows; of a branch alone where `top` is its node's position.
    The background is the caller's."""
    frame = Frame(scene, camera)
    shown = seen(frame, width, height, top)
    picture = _Picture(painter, frame, marks or Marks(), (width, height), dpi, top)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_lines(painter, frame, shown, (width, height), top)
    paint_boxes(painter, frame, shown, (width, height))
    if scene.warned is not None:
        paint_dots(painter, frame, shown.boxed[scene.warned[shown.boxed]])
    paint_rings(painter, frame, shown)
    picture.draw(shown.named)
    picture.draw_marks()


class _Picture:
    """One paint of one tree."""

    def __init__(
        self, painter: QPainter, frame: Frame, marks: Marks, size: tuple[float, float], dpi: float, top: int
    ) -> None:
        self.painter = painter
        self.frame = frame
        self.scene = frame.scene
        self.cards = frame.scene.cards
        self.letters = frame.scene.cards.letters
        self.marks = marks
        self.size = size
        self.dpi = dpi
        self.top = top
        # Where pixels are smaller, texts that are set stand a fraction of one away from those that are not.
        self.sets = painter.paintEngine().type() == QPaintEngine.Type.Raster and painter.deviceTransform().m11() == 1.0
        self.named: list[int] = []
        self.emphasis = frame.scene.emphasis or NOTHING
        self._sizes: dict[float, Size] = {}

    def sized(self, zoom: float) -> Size:
        """What cards at a scale have in common."""
        found = self._sizes.get(zoom)
        if found is None:
            found = self._sizes[zoom] = size_of(self.cards, zoom, self.dpi, self.painter.device())
        return found

    # -- the parts, back to front

    def draw(self, shown: NDArray[np.intp]) -> None:
        """Ribbons below, the words on them above, cards on top."""
        self.named = shown.tolist()
        found = placed(self.frame, shown, self.sized, self.size, self.top, self.marks.hovered)
        cards, children = [card for card in found if card.in_view], [card for card in found if card.reached]
        for card in children:
            self.ribbon(card)
        for card in children:
            if card.on_path:
                self.thread(card)
        plates = self.told_edges(children)
        for card in children:
            if not card.silent and card.i not in self.emphasis.words:
                self.edge_words(card, plates)
        for card in cards:
            if card.inner:
                self.card(card)
            else:
                self.tile(card)
            names = self.scene.badges(card.i)
            if names and not card.silent:
                badges.paint(self.painter, card.tone.theme, card.box, names, card.size.zoom, card.size.full)

    def ribbon(self, card: Card) -> None:
        """The edge into a node, as wide as its rows; it narrows where the cards below are smaller."""
        self.band(card, card.rows, card.tone.colours.ribbon(card.i))
        for shares, ink in card.tone.strands:
            if (share := float(shares[card.i])) > 0:
                self.band(card, card.rows * min(share, 1.0), ink)

    def band(self, card: Card, rows: float, colour: QColor) -> None:
        """The edge into a node in one colour, so wide."""
        paint_band(self.painter, card.edge, rows * card.above, rows * card.size.zoom, colour)

    def thread(self, card: Card) -> None:
        """The line that marks an edge of the hovered path."""
        self.painter.strokePath(curve(card.edge), QPen(card.tone.theme.text, 1.5))

    def edge_words(self, card: Card, others: list[QRectF]) -> None:
        """The branch's words, above the child: names shortened to the room, numbers left out where they do not fit, or
        where other words stand."""
        text = self.cards.label_within(card.i, (card.slot + 8) / card.size.letter_zoom - 10)
        plate = self.edge_plate(card, text)
        if plate is not None and not any(plate.intersects(other) for other in others):
            self.edge_text(card, text, plate)

    def told_edges(self, cards: list[Card]) -> list[QRectF]:
        """The words that stand out on edges, whatever their room; where they stand."""
        plates: list[QRectF] = []
        for card in cards if self.emphasis.words else ():
            if card.i in self.emphasis.words:
                text = told(self.letters, self.emphasis.words[card.i])
                plate = self.edge_plate(card, text)
                if plate is not None and not any(plate.intersects(other) for other in plates):
                    self.edge_text(card, text, plate)
                    plates.append(plate)
        return plates

    def edge_plate(self, card: Card, text: str) -> QRectF | None:
        """Where the words on the edge into a node stand; None where they have no room."""
        scale = card.size.letter_zoom
        _, y0, x, y = card.edge
        high = 16 * scale
        if not text or y - y0 < high:
            return None
        width = (self.letters.width(text) + 10) * scale
        return QRectF(x - width / 2, y - min(22 * scale, (y - y0 + high) / 2), width, high)

    def edge_text(self, card: Card, text: str, plate: QRectF) -> None:
        """Words on an edge, on a plate in the colour of the canvas."""
        look, middle = card.tone.theme, plate.center()
        if card.rows * card.size.zoom < plate.width() - plate.height():  # its corners are beside the ribbon
            self.painter.fillRect(plate.toRect(), look.canvas)
        else:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(look.canvas)
            rounding = 8 * card.size.letter_zoom
            self.painter.drawRoundedRect(plate, rounding, rounding)
        self.words(text, card.size, PLAIN, middle.x(), middle.y(), look.text)

    def words(self, text: str, size: Size, kind: str, x: float, y: float, colour: QColor) -> None:
        """Text centred on a point; nothing for an empty one."""
        if text:
            letter = size.letters[kind]
            self.painter.setFont(letter.font)
            self.painter.setPen(colour)
            x, y = x - self.letters.width(text, kind) * letter.half, y + letter.drop
            ready = letter.typeset.again(text) if self.sets else None
            if ready is None:
                self.painter.drawText(QPointF(x, y), text)
            else:
                self.painter.drawStaticText(QPointF(x, y - letter.ascent), ready)

    def plate(self, card: Card, fill: QColor) -> None:
        """The rounded rectangle behind a card or a tile."""
        self.painter.setPen(QPen(card.tone.theme.text, 1.5) if card.on_path else card.tone.border)
        self.painter.setBrush(fill)
        rounding = 6 * card.size.zoom
        self.painter.drawRoundedRect(card.box.adjusted(0.5, 0.5, -0.5, -0.5), rounding, rounding)

    def card(self, card: Card) -> None:
        """An inner node: its column, rows and rate, the validation figure, the bar; or as much as has room."""
        box, zoom, look = card.box, card.size.zoom, card.tone.theme
        if card.size.low:
            fill = card.tone.colours.ribbon(card.i)  # as boxes are
            self.plate(card, fill)
            if not card.silent:
                self.line(self.cards.title(card.i), card, NAME, box.center().y(), ink_on(fill, faded=card.tone.faded))
            return
        self.plate(card, look.card)
        if self.scene.colours.striped:
            self.stripe(card)
        self.rows(card, look.text, look.secondary)
        if self.cards.barred:
            beside = BAR_BESIDE * zoom
            top, width = box.bottom() - BAR * zoom, box.width() - 2 * beside
            self.bar(card, QRectF(box.x() + beside, top, width, BAR_HIGH * zoom))

    def stripe(self, card: Card) -> None:
        """The node's colour along the upper edge, where neither bar nor fill shows it."""
        box, zoom = card.box, card.size.zoom
        clip = QPainterPath()
        clip.addRect(QRectF(box.x(), box.y(), box.width(), STRIPE * zoom))
        whole = QPainterPath()
        whole.addRoundedRect(box.adjusted(1, 1, -1, -1), 6 * zoom, 6 * zoom)
        self.painter.fillPath(whole.intersected(clip), card.tone.colours.ribbon(card.i))

    def rows(self, card: Card, first: QColor, other: QColor) -> None:
        """The lines of a card, on a smaller one as many as fit: names are shortened, figures never."""
        lines = card.size.lines if card.inner else card.size.tile_lines
        y, named = card.box.y(), card.inner or self.cards.stacked
        for (kind, middle, titles), forms in zip(lines, self.cards.texts(card.i), strict=False):
            if titles and named:
                self.line(forms[0], card, kind, y + middle, first)
            else:
                self.figures(forms, card, kind, y + middle, first if titles else other)

    def line(self, text: str, card: Card, kind: str, y: float, colour: QColor) -> None:
        """A line in the middle of a card, shortened to it."""
        text = self.letters.elided(text, (card.box.width() - 6) / card.size.letter_zoom, kind)
        self.words(text, card.size, kind, card.box.center().x(), y, colour)

    def figures(self, forms: tuple[str, ...], card: Card, kind: str, y: float, colour: QColor) -> None:
        """A line with figures in the middle of a card: the first form that fits, never cut."""
        text = self.letters.whole(forms, (card.box.width() - 4) / card.size.letter_zoom, kind)
        self.words(text, card.size, kind, card.box.center().x(), y, colour)

    def tile(self, card: Card) -> None:
        """A leaf: what it says, its rows, the validation figure; of two classes a rate and the one it says."""
        i, box, zoom, cards = card.i, card.box, card.size.zoom, self.cards
        fill = card.tone.colours.tile(i) if card.size.full else card.tone.colours.ribbon(i)
        self.plate(card, fill)
        if card.silent:
            return
        ink = ink_on(fill, faded=card.tone.faded)
        if card.size.full:
            self.rows(card, ink, ink)
            if cards.stacked and cards.barred:
                strip = QRectF(box.x() + 6 * zoom, box.bottom() - 10 * zoom, box.width() - 12 * zoom, 5 * zoom)
                trough(self.painter, strip, card.tone.theme)
                self.class_bar(card, strip)
        elif card.size.tile_lines and self.begins(card):
            self.rows(card, ink, ink)
        elif card.size.tile_high >= LEAST_NAMED and cards.says_figure(i):
            self.figures((*cards.briefs(i), cards.says(i)[-1]), card, NAME, box.center().y(), ink)
        elif card.size.tile_high >= LEAST_NAMED:
            self.line(cards.title(i), card, NAME, box.center().y(), ink)

    def begins(self, card: Card) -> bool:
        """Whether the first line has room: without it the others would say nothing."""
        room = (card.box.width() - 4) / card.size.letter_zoom
        forms, kind = self.cards.texts(card.i)[0], card.size.tile_lines[0].kind
        return not self.cards.says_figure(card.i) or bool(self.letters.whole(forms, room, kind))

    def bar(self, card: Card, box: QRectF) -> None:
        """The bar at the foot of a card: the classes, with a tick at the root's rate, or a box plot."""
        scene, painter, look = self.scene, self.painter, card.tone.theme
        if scene.tree.task == "number":
            mean_bar(painter, box, scene, card.i, card.tone.colours.ribbon(card.i), look)
            tick(painter, box, box.center().x(), card.size.zoom, look)
            return
        self.class_bar(card, box)
        if not self.cards.stacked:
            tick(painter, box, box.x() + box.width() * float(scene.bar_ends[0, 0]), card.size.zoom, look)

    def class_bar(self, card: Card, box: QRectF) -> None:
        """The shares of the classes, side by side."""
        class_bar(self.painter, box, self.scene.bar_ends[card.i].tolist(), card.tone.bars, card.tone.theme)

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
