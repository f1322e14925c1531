"""Draws the plane: rectangles, points, cuts with their letters, what is pointed at and what is selected. One Qt object
for all of it, which is painted in pixels of the widget, with one call of the painter for each colour."""

import itertools
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen

from gui import theme
from gui.picture.colours import Colouring
from gui.picture.plane_regions import X
from gui.picture.shapes import draw_lines, draw_rectangles, runs
from gui.widgets.labels import grown

MOST_TILES = 20_000  # rectangles, the largest ones
MOST_LETTERS = 150  # cuts that are looked at for a place for their letter
OVERLAPPING = 0.16  # opacity of rectangles that lie one over the other
FAINT = 0.75  # how much of the card's colour points have that step back
PALE = 0.5  # how much of the card's colour rectangles have: points must stand out
DOT, LEAST_DOT, HALO = 6.0, 3.0, 1.6  # pixels: a point, one of very many, what parts it from the ground
COVERED = 0.3  # of the room at most that points together may cover, until they are as small as can be
CROSS, STROKE = 0.43, 0.27  # half of the cross of a row that validates, and how thick its strokes are, in points
SHADES = 24  # of values between the mean and the far ends

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shapes:
    """What is drawn, in places on the axes (logarithms where an axis is logarithmic)."""

    tiles: NDArray[np.int64]  # [n], the positions of the nodes
    boxes: Numbers  # [n, 4], left, bottom, right, top, maybe infinite
    stopped: NDArray[np.bool_]  # [n], whether a rectangle is divided further by other columns
    overlap: bool  # whether rectangles may lie one over the other
    selected: Numbers  # [4], the box of the selected node
    cut_nodes: NDArray[np.int64]  # [m], the positions of the splits whose cuts these are
    cut_axis: NDArray[np.int64]  # [m]
    cut_at: Numbers  # [m], as the next two
    cut_low: Numbers
    cut_high: Numbers
    letters: tuple[str, ...]  # m names
    captions: tuple[str, ...]  # the same with the impurity of what the cut divides
    lines: Numbers  # [k, 3], left, right, height
    points: Numbers  # [p, 2]
    point_shade: NDArray[np.int64]  # [p], of which of the `inks` each is
    held_out: NDArray[np.bool_]  # [p]
    inks: tuple[QColor, ...]  # the colours of points
    faint: NDArray[np.bool_]  # [p], which of them step back
    colouring: Colouring  # of the tiles


def _along(values: Numbers, ends: tuple[float, float], start: float, length: float) -> Numbers:
    with np.errstate(invalid="ignore"):
        return start + np.clip((values - ends[0]) / (ends[1] - ends[0]), -1, 2) * length


@dataclass(frozen=True)
class Frame:
    """The part of the axes that is in view, and where it stands in the widget."""

    room: QRectF
    x: tuple[float, float]
    y: tuple[float, float]

    def across(self, x: Numbers) -> Numbers:
        """float64[n]: pixels from the left; beyond the frame never further than its width."""
        return _along(x, self.x, self.room.left(), self.room.width())

    def down(self, y: Numbers) -> Numbers:
        """float64[n]: pixels from the top; beyond the frame never further than its height."""
        return _along(y, self.y, self.room.bottom(), -self.room.height())

    def cut_lines(self, shapes: Shapes) -> Numbers:
        """float64[m, 4]: the two ends of each cut, in pixels."""
        upright, at, ends = shapes.cut_axis == X, shapes.cut_at, (shapes.cut_low, shapes.cut_high)
        (low_x, high_x), (low_y, high_y) = ([np.where(side, at, end) for end in ends] for side in (upright, ~upright))
        return np.column_stack((self.across(low_x), self.down(low_y), self.across(high_x), self.down(high_y)))

    def rectangles(self, boxes: Numbers) -> Numbers:
        """float64[n, 4]: left, top, width, height in pixels."""
        left, right = self.across(boxes[:, 0]), self.across(boxes[:, 2])
        top, bottom = self.down(boxes[:, 3]), self.down(boxes[:, 1])
        return np.column_stack((left, top, right - left, bottom - top))


class Drawing(pg.GraphicsObject):  # type: ignore[misc]
    """The contents of the plot between its axes."""

    def __init__(self, rows_alone: bool) -> None:
        """`rows_alone`: without what the tree makes of the plane."""
        super().__init__()
        self._rows_alone = rows_alone
        self.shapes: Shapes | None = None  # what is drawn
        self.new: QPointF | None = None  # where on the axes a new point stands; None for none
        self.said = ""  # what is predicted of it
        self.pointed = self.pointed_cut = -1  # which of its tiles is pointed at, and which cut; −1 for none
        self.placed: list[tuple[QRectF, int]] = []  # where each cut's letter stands in the scene, once painted

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect()) if self.getViewBox() is not None else QRectF()

    def viewTransformChanged(self) -> None:
        super().viewTransformChanged()
        self.prepareGeometryChange()
        self.update()

    def frame(self) -> Frame:
        box = self.getViewBox()
        x, y = box.viewRange()
        return Frame(box.sceneBoundingRect(), tuple(x), tuple(y))

    def paint(self, painter: QPainter, *_: object) -> None:
        back, can = self.sceneTransform().inverted()
        if not can or self.shapes is None:
            return
        painter.save()
        painter.setTransform(back, True)  # from now on in pixels of the scene
        frame = self.frame()
        painter.setClipRect(frame.room)
        if self._rows_alone:
            _paint_points(painter, frame, self.shapes)
        else:
            _paint_tiles(painter, frame, self.shapes)
            self._paint_cuts(painter, frame, self.shapes)
            _paint_points(painter, frame, self.shapes)
            _paint_lines(painter, frame, self.shapes.lines)
            self._paint_outlines(painter, frame, self.shapes)
            self._paint_letters(painter, frame, self.shapes)
        self._paint_new(painter, frame)
        painter.restore()

    def _paint_new(self, painter: QPainter, frame: Frame) -> None:
        """The new point as a ring, and what is predicted of it beside that."""
        if self.new is None:
            return
        colours, metrics, room = theme.current(), QFontMetrics(painter.font()), frame.room
        x, y = float(frame.across(np.array(self.new.x()))), float(frame.down(np.array(self.new.y())))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setBrush(colours.card)
        dot = grown(DOT, metrics)
        for ink, thick in ((colours.card, dot), (colours.accent, dot / 2)):
            painter.setPen(QPen(ink, thick))
            painter.drawEllipse(QPointF(x, y), dot, dot)
        if not self.said:
            return
        chip = QRectF(0, 0, metrics.horizontalAdvance(self.said) + 12, metrics.height() + 4)
        away = 2.0 * dot
        chip.moveCenter(QPointF(x, y))
        if x + away + chip.width() < room.right():
            chip.moveLeft(x + away)
        elif x - away - chip.width() > room.left():
            chip.moveRight(x - away)
        else:
            chip.moveTop(y + away if y + away + chip.height() < room.bottom() else y - away - chip.height())
        chip.moveLeft(max(min(chip.left(), room.right() - chip.width() - 1), room.left() + 1))
        chip.moveTop(max(min(chip.top(), room.bottom() - chip.height() - 1), room.top() + 1))
        painter.setPen(QPen(colours.accent, 1))
        painter.setBrush(colours.accent)
        painter.drawRoundedRect(chip, 4, 4)
        painter.setPen(colours.accent_text)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, self.said)

    def _paint_cuts(self, painter: QPainter, frame: Frame, shapes: Shapes) -> None:
        ends = frame.cut_lines(shapes)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.current().text, 1))
        draw_lines(painter, ends)
        if 0 <= self.pointed_cut < len(ends):
            painter.setPen(QPen(theme.current().accent, 3))
            for line, name in zip(ends.tolist(), shapes.letters, strict=True):
                if name == shapes.letters[self.pointed_cut]:
                    painter.drawLine(QLineF(*line))

    def _paint_outlines(self, painter: QPainter, frame: Frame, shapes: Shapes) -> None:
        colours, inside = theme.current(), frame.room.adjusted(1, 1, -1, -1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        shown = [(shapes.selected[None], QPen(colours.accent, 3))]
        if 0 <= self.pointed < len(shapes.boxes):
            shown.append((shapes.boxes[self.pointed][None], QPen(colours.text, 2, Qt.PenStyle.DotLine)))
        for box, pen in shown:
            rectangle = QRectF(*frame.rectangles(box)[0].tolist()).intersected(inside)
            if rectangle.isValid():
                painter.setPen(pen)
                painter.drawRect(rectangle)

    def _paint_letters(self, painter: QPainter, frame: Frame, shapes: Shapes) -> None:
        """Each letter on its cut, the oldest first, with its impurity where that has room; a letter that covers another
        is left out."""
        self.placed = []
        colours, metrics = theme.current(), QFontMetrics(painter.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for i, ends in enumerate(frame.cut_lines(shapes).tolist()):
            for text in (shapes.captions[i], shapes.letters[i]):
                chip = self._room_for(frame.room, ends, (metrics.horizontalAdvance(text) + 8, metrics.height()))
                if chip is not None:
                    break
            else:
                continue
            self.placed.append((chip, i))
            strong = i == self.pointed_cut
            painter.setPen(QPen(colours.accent if strong else colours.border, 1))
            painter.setBrush(colours.accent if strong else colours.card)
            painter.drawRoundedRect(chip, 4, 4)
            painter.setPen(colours.accent_text if strong else colours.text)
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
            if len(self.placed) >= MOST_LETTERS:
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


def _paint_tiles(painter: QPainter, frame: Frame, shapes: Shapes) -> None:
    """Rectangles, a run of one shade at a time; those that are divided further are hatched."""
    rectangles, card = frame.rectangles(shapes.boxes), theme.current().card
    shown = np.flatnonzero((rectangles[:, 2] > 0) & (rectangles[:, 3] > 0))
    if shown.size > MOST_TILES or shapes.overlap:
        areas = rectangles[shown, 2] * rectangles[shown, 3]
        shown = shown[np.argsort(-areas, kind="stable")[:MOST_TILES]]
    shades = shapes.colouring.shade[shapes.tiles[shown]]
    if not shapes.overlap:
        order = np.argsort(shades, kind="stable")
        shown, shades = shown[order], shades[order]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(theme.current().secondary, 1) if shapes.overlap else QPen(Qt.PenStyle.NoPen))
    for start, stop in runs(shades):
        ink = QColor(shapes.colouring.tile_of(int(shades[start])))
        if shapes.overlap:
            ink.setAlphaF(OVERLAPPING)
        painter.setBrush(ink if shapes.overlap else theme.mix(ink, card, PALE))
        draw_rectangles(painter, rectangles[shown[start:stop]])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.current().border, Qt.BrushStyle.BDiagPattern))
    draw_rectangles(painter, rectangles[shown[shapes.stopped[shown]]])


def _paint_points(painter: QPainter, frame: Frame, shapes: Shapes) -> None:
    """Discs train, crosses validate; each colour in one call, all on a halo in the colour of the card."""
    x, y = frame.across(shapes.points[:, 0]), frame.down(shapes.points[:, 1])
    seen = (x > frame.room.left() - DOT) & (x < frame.room.right() + DOT)
    seen &= (y > frame.room.top() - DOT) & (y < frame.room.bottom() + DOT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    card, discs = theme.current().card, ~shapes.held_out
    area = frame.room.width() * frame.room.height()
    most = grown(DOT, QFontMetrics(painter.font()))  # in a lecture hall all is larger
    size = float(np.clip(np.sqrt(COVERED * area / max(int(seen.sum()), 1)), LEAST_DOT, most))
    for faint, (part, mark) in itertools.product((True, False), ((discs, _dots), (~discs, _crosses))):
        order = np.flatnonzero(seen & part & (shapes.faint == faint))
        order = order[np.argsort(shapes.point_shade[order], kind="stable")]
        places, shades = np.column_stack((x, y))[order], shapes.point_shade[order]
        mark(painter, places, card, size, HALO)
        for start, stop in runs(shades):
            ink = shapes.inks[int(shades[start])]
            mark(painter, places[start:stop], theme.mix(ink, card, FAINT) if faint else ink, size)


def _paint_lines(painter: QPainter, frame: Frame, lines: Numbers) -> None:
    left, right, height = lines[np.isfinite(lines[:, 2])].T
    level = frame.down(height)
    ends = np.column_stack((frame.across(left), level, frame.across(right), level))
    for colour, width in ((theme.current().card, 4), (theme.current().text, 2)):
        painter.setPen(QPen(colour, width, c=Qt.PenCapStyle.FlatCap))
        draw_lines(painter, ends)


def _dots(painter: QPainter, places: Numbers, colour: QColor, size: float, halo: float = 0.0) -> None:
    """Round points of one colour, float64[n, 2], and around each so much more."""
    painter.setPen(QPen(colour, size + halo, c=Qt.PenCapStyle.RoundCap))
    if len(places):  # read by Qt out of the array itself, as those of `gui.picture.shapes`
        places = np.ascontiguousarray(places)
        painter.drawPoints(shiboken6.wrapInstance(places.ctypes.data, QPointF), len(places))  # type: ignore[call-overload]


def _crosses(painter: QPainter, places: Numbers, colour: QColor, size: float, halo: float = 0.0) -> None:
    """Crosses of one colour at float64[n, 2], and around their strokes so much more."""
    strokes = CROSS * size * np.array([[-1, -1, 1, 1], [-1, 1, 1, -1]])
    painter.setPen(QPen(colour, STROKE * size + halo))
    draw_lines(painter, (np.tile(places, 2)[:, None] + strokes).reshape(-1, 4))
