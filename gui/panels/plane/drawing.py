"""Draws the plane: rectangles, points, cuts with their letters, what is pointed at and what is selected.

One Qt object for all of it. It is painted in pixels of the widget, with one call of the painter for each colour.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen

from gui import theme
from gui.picture.colours import Colouring
from gui.picture.plane_regions import X

MOST_TILES = 20_000  # rectangles, the largest ones
MOST_LETTERS = 150  # cuts that are looked at for a place for their letter
OVERLAPPING = 0.16  # opacity of rectangles that lie one over the other
FAINT = 0.75  # how much of the card's colour points have that step back
PALE = 0.5  # how much of the card's colour rectangles have: points must stand out
DOT, LEAST_DOT, HALO = 6.0, 3.0, 1.6  # pixels: a point, one of very many, what parts it from the ground
COVERED = 0.3  # of the room at most that points together may cover, until they are as small as can be
CROSS, STROKE = 0.43, 0.27  # half of the cross of a row that validates, and how thick its strokes are, in points
SHADES = 24  # of values between the mean and the far ends


@dataclass(frozen=True, eq=False)
class Shapes:
    """What is drawn, in places on the axes (logarithms where an axis is logarithmic).

    Attributes:
        tiles: int64[n], the positions of the nodes; boxes: float64[n, 4], left, bottom, right, top, maybe infinite.
        stopped: bool[n], whether a rectangle is divided further by other columns.
        overlap: whether rectangles may lie one over the other.
        selected: float64[4], the box of the selected node.
        cut_axis: int64[m]; cut_at, cut_low, cut_high: float64[m]; letters: m names.
        lines: float64[k, 3], left, right, height.
        points: float64[p, 2]; point_shade: int64[p], of which of the `inks` each is; held_out: bool[p].
        inks: the colours of points. faint: bool[p], which of them step back.
    """

    tiles: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    boxes: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 4)))
    stopped: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    overlap: bool = False
    selected: NDArray[np.float64] = field(default_factory=lambda: np.zeros(4))
    cut_axis: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    cut_at: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    cut_low: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    cut_high: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    letters: tuple[str, ...] = ()
    lines: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    points: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    point_shade: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    held_out: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    inks: tuple[QColor, ...] = ()
    faint: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))


@dataclass(frozen=True)
class Frame:
    """The part of the axes that is in view, and where it stands in the widget."""

    room: QRectF
    x: tuple[float, float]
    y: tuple[float, float]

    def across(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[n]: pixels from the left; beyond the frame never further than its width."""
        left, width = self.room.left(), self.room.width()
        with np.errstate(invalid="ignore"):
            at = left + (x - self.x[0]) / (self.x[1] - self.x[0]) * width
        return np.clip(at, left - width, left + 2 * width)

    def down(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[n]: pixels from the top; beyond the frame never further than its height."""
        bottom, height = self.room.bottom(), self.room.height()
        with np.errstate(invalid="ignore"):
            at = bottom - (y - self.y[0]) / (self.y[1] - self.y[0]) * height
        return np.clip(at, bottom - 2 * height, bottom + height)

    def rectangles(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[n, 4]: left, top, width, height in pixels."""
        left, right = self.across(boxes[:, 0]), self.across(boxes[:, 2])
        top, bottom = self.down(boxes[:, 3]), self.down(boxes[:, 1])
        return np.column_stack((left, top, right - left, bottom - top))


class Drawing(pg.GraphicsObject):  # type: ignore[misc]
    """The contents of the plot between its axes.

    Attributes:
        shapes: what is drawn. colouring: of the tiles.
        pointed: which of the shapes' tiles is pointed at, pointed_cut: which cut; −1 for none.
        placed: where letters stand, as (rectangle in the scene, index of the cut); made at each painting.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shapes = Shapes()
        self.colouring: Colouring | None = None
        self.pointed = self.pointed_cut = -1
        self.placed: list[tuple[QRectF, int]] = []

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect()) if self.getViewBox() is not None else QRectF()

    def viewTransformChanged(self) -> None:
        super().viewTransformChanged()
        self.prepareGeometryChange()
        self.update()

    def frame(self) -> Frame:
        """What is in view."""
        box = self.getViewBox()
        x, y = box.viewRange()
        return Frame(box.sceneBoundingRect(), tuple(x), tuple(y))

    def paint(self, painter: QPainter, *_: object) -> None:
        back, can = self.sceneTransform().inverted()
        if not can or self.colouring is None:
            return
        painter.save()
        painter.setTransform(back, True)  # from now on in pixels of the scene
        frame = self.frame()
        painter.setClipRect(frame.room)
        self._paint_tiles(painter, frame)
        self._paint_cuts(painter, frame)
        self._paint_points(painter, frame)
        self._paint_lines(painter, frame)
        self._paint_outlines(painter, frame)
        self._paint_letters(painter, frame)
        painter.restore()

    # -- rectangles

    def _paint_tiles(self, painter: QPainter, frame: Frame) -> None:
        shapes, colouring = self.shapes, self.colouring
        assert colouring is not None
        rectangles = frame.rectangles(shapes.boxes)
        shown = np.flatnonzero((rectangles[:, 2] > 0) & (rectangles[:, 3] > 0))
        if shown.size > MOST_TILES or shapes.overlap:
            areas = rectangles[shown, 2] * rectangles[shown, 3]
            shown = shown[np.argsort(-areas, kind="stable")[:MOST_TILES]]
        shades = colouring.shade[shapes.tiles[shown]]
        if not shapes.overlap:
            order = np.argsort(shades, kind="stable")
            shown, shades = shown[order], shades[order]
        self._fill(painter, np.ascontiguousarray(rectangles[shown]), shades, shapes.stopped[shown])

    def _fill(
        self, painter: QPainter, rectangles: NDArray[np.float64], shades: NDArray[np.int64], stopped: NDArray[np.bool_]
    ) -> None:
        """Rectangles, a run of one shade at a time; those that are divided further are hatched."""
        assert self.colouring is not None
        card = theme.current().card
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        edge = QPen(theme.current().secondary, 1) if self.shapes.overlap else QPen(Qt.PenStyle.NoPen)
        painter.setPen(edge)
        for start, stop in _runs(shades):
            ink = self.colouring.tile_of(int(shades[start]))
            if self.shapes.overlap:
                ink = QColor(ink)
                ink.setAlphaF(OVERLAPPING)
            else:
                ink = theme.mix(ink, card, PALE)
            painter.setBrush(ink)
            painter.drawRects(*_as_qt(rectangles[start:stop], QRectF))
        hatched = np.ascontiguousarray(rectangles[stopped])
        if len(hatched):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(theme.current().border, Qt.BrushStyle.BDiagPattern))
            painter.drawRects(*_as_qt(hatched, QRectF))

    # -- points

    def _paint_points(self, painter: QPainter, frame: Frame) -> None:
        """Discs train, crosses validate; each colour in one call, all on a halo in the colour of the card."""
        shapes = self.shapes
        x, y = frame.across(shapes.points[:, 0]), frame.down(shapes.points[:, 1])
        seen = (x > frame.room.left() - DOT) & (x < frame.room.right() + DOT)
        seen &= (y > frame.room.top() - DOT) & (y < frame.room.bottom() + DOT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        card, discs = theme.current().card, ~shapes.held_out
        area = frame.room.width() * frame.room.height()
        size = float(np.clip(np.sqrt(COVERED * area / max(int(seen.sum()), 1)), LEAST_DOT, DOT))
        for faint, part in itertools.product((True, False), (discs, ~discs)):
            mark = _dots if part is discs else _crosses
            order = np.flatnonzero(seen & part & (shapes.faint == faint))
            order = order[np.argsort(shapes.point_shade[order], kind="stable")]
            places, shades = np.column_stack((x, y))[order], shapes.point_shade[order]
            mark(painter, places, card, size, HALO)
            for start, stop in _runs(shades):
                ink = shapes.inks[int(shades[start])]
                mark(painter, places[start:stop], theme.mix(ink, card, FAINT) if faint else ink, size)

    # -- cuts, lines, outlines

    def _paint_cuts(self, painter: QPainter, frame: Frame) -> None:
        ends = np.ascontiguousarray(self.cut_lines(frame))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.current().text, 1))
        if len(ends):
            painter.drawLines(*_as_qt(ends, QLineF))
        if 0 <= self.pointed_cut < len(ends):
            painter.setPen(QPen(theme.current().accent, 3))
            letter = self.shapes.letters[self.pointed_cut]
            for i in [i for i, name in enumerate(self.shapes.letters) if name == letter]:
                painter.drawLine(QLineF(*ends[i].tolist()))

    def cut_lines(self, frame: Frame) -> NDArray[np.float64]:
        """float64[m, 4]: the two ends of each cut, in pixels."""
        shapes = self.shapes
        upright = shapes.cut_axis == X
        low_x, high_x = (np.where(upright, shapes.cut_at, end) for end in (shapes.cut_low, shapes.cut_high))
        low_y, high_y = (np.where(upright, end, shapes.cut_at) for end in (shapes.cut_low, shapes.cut_high))
        return np.column_stack((frame.across(low_x), frame.down(low_y), frame.across(high_x), frame.down(high_y)))

    def _paint_lines(self, painter: QPainter, frame: Frame) -> None:
        left, right, height = self.shapes.lines.T
        known = np.isfinite(height)
        level = frame.down(height[known])
        ends = np.column_stack((frame.across(left[known]), level, frame.across(right[known]), level))
        if len(ends):
            ends = np.ascontiguousarray(ends)
            for colour, width in ((theme.current().card, 4), (theme.current().text, 2)):
                pen = QPen(colour, width)
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                painter.setPen(pen)
                painter.drawLines(*_as_qt(ends, QLineF))

    def _paint_outlines(self, painter: QPainter, frame: Frame) -> None:
        colours, inside = theme.current(), frame.room.adjusted(1, 1, -1, -1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        shown = [(self.shapes.selected[None], QPen(colours.accent, 3))]
        if 0 <= self.pointed < len(self.shapes.boxes):
            shown.append((self.shapes.boxes[self.pointed][None], QPen(colours.text, 2, Qt.PenStyle.DotLine)))
        for box, pen in shown:
            rectangle = QRectF(*frame.rectangles(box)[0].tolist()).intersected(inside)
            if rectangle.isValid():
                painter.setPen(pen)
                painter.drawRect(rectangle)

    # -- letters

    def _paint_letters(self, painter: QPainter, frame: Frame) -> None:
        """Each letter on its cut, the oldest first, where it has room; a letter that covers another is left out."""
        self.placed = []
        metrics = QFontMetrics(painter.font())
        colours = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        tried = 0
        for i, (x0, y0, x1, y1) in enumerate(self.cut_lines(frame).tolist()):
            size = (metrics.horizontalAdvance(self.shapes.letters[i]) + 8, metrics.height())
            chip = self._room_for(frame.room, (x0, y0, x1, y1), size)
            if chip is None:
                continue
            self.placed.append((chip, i))
            strong = i == self.pointed_cut
            painter.setPen(QPen(colours.accent if strong else colours.border, 1))
            painter.setBrush(colours.accent if strong else colours.card)
            painter.drawRoundedRect(chip, 4, 4)
            painter.setPen(colours.accent_text if strong else colours.text)
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, self.shapes.letters[i])
            tried += 1
            if tried >= MOST_LETTERS:
                break

    def _room_for(self, room: QRectF, ends: tuple[float, float, float, float], size: tuple[int, int]) -> QRectF | None:
        """A place on a line for a chip of some size that covers no other one; None if there is none in view."""
        x0, y0, x1, y1 = ends
        x0, x1 = max(x0, room.left()), min(x1, room.right())
        y0, y1 = min(y0, room.bottom()), max(y1, room.top())
        if x1 < x0 or y0 < y1 or max(x1 - x0, y0 - y1) < max(size) + 2:
            return None
        for share in (0.5, 0.25, 0.75, 0.1, 0.9):
            chip = QRectF(0, 0, *size)
            chip.moveCenter(QPointF(x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
            chip.moveLeft(min(max(chip.left(), room.left() + 1), room.right() - chip.width() - 1))
            chip.moveTop(min(max(chip.top(), room.top() + 1), room.bottom() - chip.height() - 1))
            if not any(chip.intersects(other) for other, _ in self.placed):
                return chip
        return None


def _dots(painter: QPainter, places: NDArray[np.float64], colour: QColor, size: float, halo: float = 0.0) -> None:
    """Round points of one colour, float64[n, 2], and around each so much more."""
    if len(places):
        places = np.ascontiguousarray(places)
        pen = QPen(colour, size + halo)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints(*_as_qt(places, QPointF))


def _crosses(painter: QPainter, places: NDArray[np.float64], colour: QColor, size: float, halo: float = 0.0) -> None:
    """Crosses of one colour at float64[n, 2], and around their strokes so much more."""
    if len(places):
        ends = CROSS * size * np.array([[-1, -1, 1, 1], [-1, 1, 1, -1]])
        lines = np.ascontiguousarray((np.tile(places, 2)[:, None] + ends).reshape(-1, 4))
        painter.setPen(QPen(colour, STROKE * size + halo))
        painter.drawLines(*_as_qt(lines, QLineF))


def _runs(keys: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Start and stop of each run of equal keys."""
    if not keys.size:
        return []
    bounds = np.concatenate(([0], np.flatnonzero(np.diff(keys)) + 1, [keys.size])).tolist()
    return list(itertools.pairwise(bounds))


def _as_qt(numbers: NDArray[np.float64], kind: type) -> Any:
    """(the first of many rectangles, lines or points, how many) for a call of a painter, out of an array that has to
    live until then."""
    return shiboken6.wrapInstance(numbers.ctypes.data, kind), len(numbers)
