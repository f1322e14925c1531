"""One painter for the screen and for paper: streams, bars, and the words beside them. As `gui.canvas.painter`, it
computes everything in the pixels of the device and draws with opaque colours and without a transform."""

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui import theme
from gui.canvas import badges
from gui.canvas.boxes import REACH, runs
from gui.canvas.camera import Camera
from gui.canvas.letters import PIXELS, PLAIN, fonts
from gui.canvas.painter import Marks
from gui.canvas.ribbons import paint_ribbons, thread
from gui.canvas.streams_frame import StreamFrame
from gui.canvas.streams_scene import Streams
from gui.canvas.streams_seen import first_column, last_column, seen
from gui.canvas.streams_words import EdgeRooms, Words, edge_plate, words_of

DARKER = 0.45  # of the text's colour in bars that have no classes to show
DOT = 4.0
DIVIDED = 4.0  # pixels; lower bars are not divided by class


def paint(
    painter: QPainter,
    scene: Streams,
    camera: Camera,
    width: float,
    height: float,
    marks: Marks | None = None,
    dpi: float = 96.0,
    top: int = 0,
) -> None:
    """Paints the part of a tree that a device of this size shows; of a branch alone where `top` is its node's position.
    The background is the caller's."""
    frame = StreamFrame(scene, camera, QSizeF(width, height), top)
    shown = seen(frame)
    picture = _Picture(painter, frame, marks or Marks(), dpi)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    below = np.concatenate((shown.blocks, shown.nodes))
    paint_ribbons(painter, frame, below[below != top])
    picture.blocks(shown.blocks)
    picture.bars(shown.nodes)
    picture.path_threads()
    picture.words()
    if scene.warned is not None:
        picture.dots(shown.nodes[scene.warned[shown.nodes]])
    picture.draw_marks()


class _Picture:
    """One paint of one tree."""

    def __init__(self, painter: QPainter, frame: StreamFrame, marks: Marks, dpi: float) -> None:
        self.painter = painter
        self.frame = frame
        self.scene = frame.scene
        self.theme = frame.scene.theme
        self.marks = marks
        self.fonts = fonts(frame.words, dpi)
        self.darker = DARKER if frame.scene.tree.task == "number" else 0.0
        self.path = frozenset(self.scene.path(marks.hovered)) if marks.hovered >= 0 else frozenset()

    # -- bars and blocks: one call of the painter for each colour

    def blocks(self, nodes: NDArray) -> None:
        """Whole subtrees as rectangles from the bar of their root to their deepest column."""
        frame, places = self.frame, self.frame.places
        x = frame.left(self.scene.levels.level[nodes])
        right = frame.left(places.deepest[nodes]) + frame.bar
        low, high = (frame.camera.y + side[nodes] * frame.sy for side in (places.inner_low, places.inner_high))
        self._rectangles(nodes, self.scene.colours.shade[nodes], x, right, low, np.maximum(high, low + 1.0), 0.0)

    def bars(self, nodes: NDArray) -> None:
        """The bar of every node, divided by class where there are classes."""
        frame, scene = self.frame, self.scene
        x = frame.left(scene.levels.level[nodes])
        low, high = frame.spans(nodes)
        split = (high - low >= DIVIDED) if scene.tree.task == "classes" else np.zeros(len(nodes), bool)
        one = ~split
        self._rectangles(
            nodes[one], scene.colours.shade[nodes[one]], x[one], x[one] + frame.bar, low[one], high[one], self.darker
        )
        if not split.any():
            return
        nodes, x, low, high = nodes[split], x[split], low[split], high[split]
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.painter.setPen(Qt.PenStyle.NoPen)
        begin = np.zeros(len(nodes))
        colours = scene.colours.class_colours()
        for place, k in enumerate(scene.bar_order):
            end = scene.bar_ends[nodes, place]
            there = np.flatnonzero(end - begin > 1e-12)
            top, bottom = low + begin * (high - low), low + end * (high - low)
            self.painter.setBrush(colours[k])
            self._draw(_corners(x[there], x[there] + frame.bar, top[there], bottom[there]), 0, there.size)
            begin = end
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def dots(self, nodes: NDArray) -> None:
        """A dot at each bar that stands without words, in the colour of warnings, as the badge beside the others."""
        x, (low, high) = self.frame.left(self.scene.levels.level[nodes]), self.frame.spans(nodes)
        silent = self.frame.tiers(nodes) == 0
        middle = (low[silent] + high[silent] - DOT) / 2
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.theme.warning)
        self._draw(_corners(x[silent] - DOT, x[silent], middle, middle + DOT), 0, middle.size)

    def _rectangles(
        self, nodes: NDArray, shades: NDArray, x: NDArray, right: NDArray, low: NDArray, high: NDArray, darker: float
    ) -> None:
        """Rectangles in the colours of streams, nearer to that of text by a share."""
        order = np.argsort(shades, kind="stable")
        boxes = _corners(x[order], right[order], low[order], high[order])
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.painter.setPen(Qt.PenStyle.NoPen)
        for start, stop in runs(shades[order]):
            colour = self.scene.colours.ribbon(int(nodes[order[start]]))
            self.painter.setBrush(theme.mix(colour, self.theme.text, darker))
            self._draw(boxes, start, stop)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _draw(self, boxes: NDArray, start: int, stop: int) -> None:
        if stop > start:
            self.painter.drawRects(shiboken6.wrapInstance(boxes.ctypes.data + 32 * start, QRectF), stop - start)

    # -- words

    def path_threads(self) -> None:
        """The line through the streams from the root to the hovered node."""
        for i in self.path:
            if i > self.frame.top:
                self.painter.strokePath(thread(self.frame, i), QPen(self.theme.text, 1.5))

    def words(self) -> None:
        """What is written on streams, and above it what is written beside bars."""
        frame, before = self.frame, EdgeRooms(self.frame, [])
        found: list[tuple[int, Words]] = []
        first = first_column(frame)
        for level in range(max(first - 1, 0), last_column(frame) + 1):
            here, column = frame.written(level), []
            every = (here.nodes, here.tiers, here.middles, frame.rooms(level))
            for i, lines, middle, room in zip(*(values.tolist() for values in every), strict=True):
                edge = edge_plate(frame, i, middle, before.room(i, middle)) if i != frame.top else None
                if edge is not None:
                    self.edge(*edge)
                words = words_of(frame, i, lines, middle, room)
                column += [(i, words)] if words is not None else []
            before = EdgeRooms(frame, [words for _, words in column])
            found += column
        for i, words in found:
            self.plate(i, words)
            names = self.scene.badges(i)
            if names:
                full = len(words.lines) > 1
                badges.paint(self.painter, self.theme, words.plate, names, frame.words, full)

    def edge(self, text: str, plate: QRectF) -> None:
        """The words of a branch, on the stream into it."""
        radius = plate.height() / 2
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.theme.canvas)
        self.painter.drawRoundedRect(plate, radius, radius)
        x = plate.center().x() - self.scene.cards.letters.width(text) * self.frame.words / 2
        self.text(text, PLAIN, QPointF(x, plate.center().y()), self.theme.text)

    def plate(self, i: int, words: Words) -> None:
        """A card or a tile with its lines; what stands beside a tile has the canvas's colour around it."""
        inner = self.scene.cards.is_inner(i)
        fill = self.theme.card if inner else self.scene.colours.tile(i)
        if words.box.right() > words.plate.right():
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(self.theme.canvas)
            self.painter.drawRoundedRect(words.box.adjusted(0, 0, 3, 0), 5, 5)
        hovered = i in self.path
        self.painter.setPen(QPen(self.theme.text if hovered else self.theme.border, 1.5 if hovered else 1.0))
        self.painter.setBrush(fill)
        radius = 5 * self.frame.words
        self.painter.drawRoundedRect(words.plate.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        strong = self.theme.text if inner else theme.ink(fill)
        for line in words.lines:
            self.text(line.text, line.kind, line.at, strong if line.strong else self.theme.secondary)

    def text(self, text: str, kind: str, at: QPointF, colour: QColor) -> None:
        """Text from a point at its left end, at half of its height."""
        self.painter.setFont(self.fonts[kind])
        self.painter.setPen(colour)
        # Capitals and digits are 0.72 of the size high: half of that below the middle is their base line.
        self.painter.drawText(QPointF(at.x(), at.y() + 0.36 * PIXELS[kind] * self.frame.words), text)

    # -- marks

    def draw_marks(self) -> None:
        """Rings around the selected node, the one that something would be dropped onto, and a hovered bar."""
        hovered, selected = self.marks.hovered, self.marks.selected
        if hovered >= 0 and self.frame.words_box(hovered).isEmpty():
            self.ring(hovered, QPen(self.theme.text, 1.5), 2)
        if self.marks.target >= 0:
            self.ring(self.marks.target, QPen(self.theme.accent, 3.0, Qt.PenStyle.DashLine), 4)
        if selected >= 0:
            faded = theme.mix(self.theme.accent, self.theme.canvas, 0.35)
            self.ring(selected, QPen(self.theme.accent, 2.5) if self.marks.focused else QPen(faded, 2.0), 3)

    def ring(self, i: int, pen: QPen, distance: float) -> None:
        """A ring around a node's words and the bar beside them, and a line along the whole bar."""
        box, bar = self.frame.box(i), self.frame.bar_box(i)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        if bar.height() > box.height():
            x = bar.left() - distance
            top, bottom = (max(-REACH, min(y, 2 * REACH)) for y in (bar.top(), bar.bottom()))
            self.painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        grow_x, grow_y = (max(distance, distance + (6 - side) / 2) for side in (box.width(), box.height()))
        self.painter.drawRoundedRect(box.adjusted(-grow_x, -grow_y, grow_x, grow_y), 5 + distance, 5 + distance)


def _corners(x: NDArray, right: NDArray, low: NDArray, high: NDArray) -> NDArray[np.float64]:
    """float64[n, 4]: rectangles as Qt keeps them, cut off far outside of the view."""
    x, right, low, high = (side.clip(-REACH, 2 * REACH) for side in (x, right, low, high))
    return np.ascontiguousarray(np.column_stack((x, low, right - x, high - low)))
