"""One painter for the screen and for paper: cards, tiles, ribbons and the words on them.

Everything is computed in the pixels of the device and drawn without a transform, with opaque colours: both
are quicker, and Qt's SVG and PDF writers get the rest wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from gui import theme
from gui.canvas.boxes import RINGED, paint_boxes, paint_dots, paint_lines, paint_rings
from gui.canvas.camera import Camera
from gui.canvas.cards.frame import FULL, Frame
from gui.canvas.cards.scene import Scene
from gui.canvas.cards.seen import seen
from gui.canvas.colours.fading import faded_theme, ink_on
from gui.canvas.nodes import badges
from gui.canvas.nodes.bars import class_bar, mean_bar, tick, trough
from gui.canvas.nodes.card_rows import fitting
from gui.canvas.nodes.letters import NAME, PIXELS, PLAIN, fonts, stepped, told
from gui.canvas.standouts.emphasis import NOTHING, Emphasis

LEAST_PIXELS = 9.0  # letters never get smaller than that: they are left out instead
REACH = 3_000.0  # edges end so far outside of the view: Qt's raster engine knows no larger coordinates
STRIPE = 5.0  # how much of a card's upper edge has its colour, at scale 1
WITH_BAR = 21.0  # pixels; a lower card shows its name on its colour
STEEP, FLAT = 5.0, 0.4  # edges so many times wider than high are strokes of that share of their width


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
        self.named: list[int] = []
        self._scales: dict[int, float] = {}
        self._boxes: dict[int, QRectF] = {}
        self._edges: dict[int, tuple[float, ...]] = {}
        self.zoom = 0.0
        self.path: frozenset[int] = frozenset()
        self.emphasis = frame.scene.emphasis or NOTHING
        self._fonts: dict[float, dict[str, QFont]] = {}
        self._drawn: dict[float, dict[str, float]] = {}
        self._tones = {
            False: (self.scene.theme, self.scene.colours, self.scene.colours.class_colours()),
            True: (faded_theme(self.scene.theme), self.scene.faded_colours, self.scene.faded_colours.class_colours()),
        }
        self.theme, self.colours, self.class_colours = self._tones[False]

    def use(self, i: int) -> None:
        """Takes the size of node i's level, and its colours, for what is drawn next."""
        self.faded = self.emphasis.faded(i)
        self.theme, self.colours, self.class_colours = self._tones[self.faded]
        self.silent = self.faded and self._scales[i] * self.cards.card_height < WITH_BAR
        if self._scales[i] == self.zoom:
            return
        self.zoom = self._scales[i]
        self.full = self.zoom >= FULL
        # Names stay readable between "whole card" and "box": their letters stop shrinking.
        self.letter_zoom = max(stepped(self.zoom), LEAST_PIXELS / PIXELS[NAME])
        if self.letter_zoom not in self._fonts:
            made = self._fonts[self.letter_zoom] = fonts(self.letter_zoom, self.dpi)
            self._drawn[self.letter_zoom] = self.letters.drawn(made, self.letter_zoom, self.painter.device())
        self.fonts, self.drawn = self._fonts[self.letter_zoom], self._drawn[self.letter_zoom]

    def place(self, nodes: NDArray[np.intp]) -> None:
        """Finds out where the cards of nodes stand, and the edges into them."""
        self.named = nodes.tolist()
        self._scales = dict(zip(self.named, self.frame.scales[self.scene.levels.level[nodes]].tolist(), strict=True))
        boxes = (QRectF(*box) for box in self.frame.cards(nodes).tolist())
        self._boxes = dict(zip(self.named, boxes, strict=True))
        edges = self.frame.edges(nodes)
        edges[:, ::2] = edges[:, ::2].clip(-REACH, self.size[0] + REACH)
        edges[:, 1] = np.maximum(edges[:, 1], -REACH)
        edges[:, 3] = np.minimum(edges[:, 3], self.size[1] + REACH)
        self._edges = dict(zip(self.named, map(tuple, edges.tolist()), strict=True))

    # -- the parts, back to front

    def draw(self, shown: NDArray[np.intp]) -> None:
        """Ribbons below, the words on them above, cards on top."""
        self.path = frozenset(shown[self.scene.on_path(shown, self.marks.hovered)].tolist())
        self.place(shown)
        nodes = self.named
        children = [i for i in nodes if i != self.top]
        for i in children:
            self.use(i)
            self.ribbon(i)
        for i in children:
            if i in self.path:
                self.use(i)
                self.thread(i)
        plates = self.told_edges(children)
        for i in children:
            if i not in self.emphasis.words:
                self.use(i)
                self.edge_words(i, plates)
        for i in nodes:
            self.use(i)
            if self.cards.is_inner(i):
                self.card(i)
            else:
                self.tile(i)
            names = self.scene.badges(i)
            if names and not self.silent:
                badges.paint(self.painter, self.theme, self._boxes[i], names, self.zoom, self.full)

    def ribbon(self, i: int) -> None:
        """The edge into a node, as wide as its rows; it narrows where the cards below are smaller."""
        rows = float(self.scene.ribbons[i])
        self.band(i, rows, self.colours.ribbon(i))
        for shares, ink in self.emphasis.strands(self.theme):
            if (share := float(shares[i])) > 0:
                self.band(i, rows * min(share, 1.0), ink)

    def wide(self, i: int) -> float:
        """The pixels that the edge into a node is wide below."""
        return float(self.scene.ribbons[i]) * self.frame.scale(i)

    def band(self, i: int, rows: float, colour: QColor) -> None:
        """The edge into a node in one colour, so wide."""
        x0, y0, x1, y1 = self._edges[i]
        above = max(1.5, rows * self.frame.scale(int(self.scene.tree.parent[i]))) / 2
        below = max(1.5, rows * self.frame.scale(i)) / 2
        middle = (y0 + y1) / 2
        if above <= 1.0 or abs(x1 - x0) > STEEP * abs(y1 - y0):
            # Thin ones, and nearly level ones: the sides of a filled shape would run together there.
            path = QPainterPath(QPointF(x0, y0))
            path.cubicTo(x0, middle, x1, middle, x1, y1)
            share = 1.0 if above <= 1.0 else FLAT
            self.painter.strokePath(path, QPen(colour, max(1.5, (above + below) * share)))
            return
        path = QPainterPath(QPointF(x0 - above, y0))
        path.cubicTo(x0 - above, middle, x1 - below, middle, x1 - below, y1)
        path.lineTo(x1 + below, y1)
        path.cubicTo(x1 + below, middle, x0 + above, middle, x0 + above, y0)
        self.painter.fillPath(path, colour)

    def thread(self, i: int) -> None:
        """The line that marks an edge of the hovered path."""
        x0, y0, x1, y1 = self._edges[i]
        path = QPainterPath(QPointF(x0, y0))
        path.cubicTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1)
        self.painter.strokePath(path, QPen(self.theme.text, 1.5))

    def edge_words(self, i: int, others: list[QRectF]) -> None:
        """The branch's words, above the child: names shortened to the room, numbers left out where they do not fit, or
        where other words stand."""
        if self.silent:
            return
        text = self.cards.label_within(i, (self.frame.slot(i) + 8) / self.letter_zoom - 10)
        plate = self.edge_plate(i, text)
        if plate is not None and not any(plate.intersects(other) for other in others):
            self.edge_text(text, plate, self.wide(i))

    def told_edges(self, nodes: list[int]) -> list[QRectF]:
        """The words that stand out on edges, whatever their room; where they stand."""
        plates: list[QRectF] = []
        for i in nodes:
            if i in self.emphasis.words:
                self.use(i)
                text = told(self.letters, self.emphasis.words[i])
                plate = self.edge_plate(i, text)
                if plate is not None and not any(plate.intersects(other) for other in plates):
                    self.edge_text(text, plate, self.wide(i))
                    plates.append(plate)
        return plates

    def edge_plate(self, i: int, text: str) -> QRectF | None:
        """Where the words on the edge into a node stand; None where they have no room."""
        scale = self.letter_zoom
        _, y0, x, y = self._edges[i]
        high = 16 * scale
        if not text or y - y0 < high:
            return None
        width = (self.letters.width(text) + 10) * scale
        return QRectF(x - width / 2, y - min(22 * scale, (y - y0 + high) / 2), width, high)

    def edge_text(self, text: str, plate: QRectF, wide: float) -> None:
        """Words on an edge so wide, on a plate in the colour of the canvas."""
        scale, x = self.letter_zoom, plate.center().x()
        if wide < plate.width() - plate.height():  # its corners are beside the ribbon
            self.painter.fillRect(plate.toRect(), self.theme.canvas)
        else:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(self.theme.canvas)
            self.painter.drawRoundedRect(plate, 8 * scale, 8 * scale)
        self.words(text, PLAIN, x, plate.center().y(), self.theme.text)

    def words(self, text: str, kind: str, x: float, y: float, colour: QColor) -> None:
        """Text centred on a point; nothing for an empty one."""
        if not text:
            return
        scale = self.letter_zoom
        self.painter.setFont(self.fonts[kind])
        self.painter.setPen(colour)
        # Capitals and digits are 0.72 of the size high: half of that below the middle is their base line.
        at = QPointF(x - self.letters.width(text, kind) * scale * self.drawn[kind] / 2, y + 0.36 * PIXELS[kind] * scale)
        self.painter.drawText(at, text)

    def plate(self, box: QRectF, fill: QColor, i: int) -> None:
        """The rounded rectangle behind a card or a tile."""
        hovered = i in self.path
        self.painter.setPen(QPen(self.theme.text if hovered else self.theme.border, 1.5 if hovered else 1.0))
        self.painter.setBrush(fill)
        self.painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6 * self.zoom, 6 * self.zoom)

    def card(self, i: int) -> None:
        """An inner node: its column, rows and rate, the validation figure, the bar; or as much as has room."""
        box, zoom, cards = self._boxes[i], self.zoom, self.cards
        if box.height() < WITH_BAR:
            fill = self.colours.ribbon(i)  # as boxes are
            self.plate(box, fill, i)
            if not self.silent:
                self.line(cards.title(i), NAME, box, box.center().y(), ink_on(fill, faded=self.faded))
        else:
            self.plate(box, self.theme.card, i)
            self.stripe(box, i)
            bar = QRectF(box.x() + 10 * zoom, box.bottom() - 14 * zoom, box.width() - 20 * zoom, 6 * zoom)
            room = (bar.y() - 3 * zoom if cards.barred else box.bottom()) - box.y()  # the tick stands out of the bar
            self.rows(i, box, room, self.theme.text, self.theme.secondary)
            if cards.barred:
                self.bar(bar, i)

    def stripe(self, box: QRectF, i: int) -> None:
        """The node's colour along the upper edge, where neither bar nor fill shows it."""
        if not self.scene.colours.striped:
            return
        clip = QPainterPath()
        clip.addRect(QRectF(box.x(), box.y(), box.width(), STRIPE * self.zoom))
        whole = QPainterPath()
        whole.addRoundedRect(box.adjusted(1, 1, -1, -1), 6 * self.zoom, 6 * self.zoom)
        self.painter.fillPath(whole.intersected(clip), self.colours.ribbon(i))

    def rows(self, i: int, box: QRectF, room: float, first: QColor, other: QColor) -> None:
        """The lines of a card, on a smaller one as many as fit: names are shortened, figures never.

        Args:
            room: pixels from the upper side of the card.
        """
        rows, named = self.cards.rows(i), not self.cards.says_figure(i)
        shown = [(row, row.middle * self.zoom) for row in rows]
        if not self.full:
            shown = fitting(rows, room, self.letter_zoom)
        for (row, middle), forms in zip(shown, self.cards.texts(i), strict=False):
            y, ink = box.y() + middle, first if row.titles else other
            if row.titles and named:
                self.line(forms[0], row.kind, box, y, ink)
            else:
                self.figures(forms, row.kind, box, y, ink)

    def line(self, text: str, kind: str, box: QRectF, y: float, colour: QColor) -> None:
        """A line in the middle of a card, shortened to it."""
        text = self.letters.elided(text, (box.width() - 6) / self.letter_zoom, kind)
        self.words(text, kind, box.center().x(), y, colour)

    def figures(self, forms: tuple[str, ...], kind: str, box: QRectF, y: float, colour: QColor) -> None:
        """A line with figures in the middle of a card: the first form that fits, never cut."""
        text = self.letters.whole(forms, (box.width() - 4) / self.letter_zoom, kind)
        self.words(text, kind, box.center().x(), y, colour)

    def tile(self, i: int) -> None:
        """A leaf: what it says, its rows, the validation figure; of two classes a rate and the one it says."""
        box, zoom, cards = self._boxes[i], self.zoom, self.cards
        fill = self.colours.tile(i) if self.full else self.colours.ribbon(i)
        self.plate(box, fill, i)
        if self.silent:
            return
        ink = ink_on(fill, faded=self.faded)
        if self.full:
            self.rows(i, box, box.height(), ink, ink)
            if cards.stacked and cards.barred:
                height = 5 * zoom
                strip = QRectF(box.x() + 6 * zoom, box.bottom() - 10 * zoom, box.width() - 12 * zoom, height)
                trough(self.painter, strip, self.theme)
                self.class_bar(strip, i)
        elif len(fitting(cards.rows(i), box.height() - 2, self.letter_zoom)) > 1 and self.begins(i, box):
            self.rows(i, box, box.height(), ink, ink)
        elif box.height() >= 10 and cards.says_figure(i):
            self.figures((cards.brief(i), cards.says(i)[-1]), NAME, box, box.center().y(), ink)
        elif box.height() >= 10:
            self.line(cards.brief(i), NAME, box, box.center().y(), ink)

    def begins(self, i: int, box: QRectF) -> bool:
        """Whether the first line has room: without it the others would say nothing."""
        row, forms = self.cards.rows(i)[0], self.cards.texts(i)[0]
        room = (box.width() - 4) / self.letter_zoom
        return not self.cards.says_figure(i) or bool(self.letters.whole(forms, room, row.kind))

    def bar(self, box: QRectF, i: int) -> None:
        """The bar at the foot of a card: the classes, with a tick at the root's rate, or a box plot."""
        scene, painter = self.scene, self.painter
        if scene.tree.task == "number":
            mean_bar(painter, box, scene, i, self.colours.ribbon(i), self.theme)
            tick(painter, box, box.center().x(), self.zoom, self.theme)
            return
        self.class_bar(box, i)
        if not self.cards.stacked:
            tick(painter, box, box.x() + box.width() * float(scene.bar_ends[0, 0]), self.zoom, self.theme)

    def class_bar(self, box: QRectF, i: int) -> None:
        """The shares of the classes, side by side."""
        colours = [self.class_colours[k] for k in self.scene.bar_order]
        class_bar(self.painter, box, self.scene.bar_ends[i].tolist(), colours, self.theme)

    # -- marks

    def draw_marks(self) -> None:
        """The rings around the selected node and, where boxes are too small for borders, the hovered one."""
        hovered, selected = self.marks.hovered, self.marks.selected
        self.theme = self.scene.theme
        for i, ringed in zip(self.named, self.emphasis.are_ringed(np.array(self.named, np.intp)), strict=True):
            if ringed and i != selected:
                self.ring(i, QPen(self.theme.accent, RINGED), 3)
        if hovered >= 0 and not self.frame.are_named(np.array([hovered]))[0]:
            self.ring(hovered, QPen(self.theme.text, 1.5), 2)
        for ring in self.marks.rings(self.theme, self.emphasis):
            self.ring(*ring)

    def ring(self, i: int, pen: QPen, distance: float) -> None:
        box = self.frame.box(i)
        grow_x, grow_y = (max(distance, distance + (6 - side) / 2) for side in (box.width(), box.height()))
        box.adjust(-grow_x, -grow_y, grow_x, grow_y)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = 6 * self.frame.scale(i) + distance
        self.painter.drawRoundedRect(box, radius, radius)
