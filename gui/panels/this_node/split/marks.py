"""What is drawn over the bars of the split editor: the cuts, the branches of levels, and which levels are chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

import engine
from gui import theme
from gui.panels.this_node.split.bars import Bars, branch_tone
from gui.widgets import plotting
from gui.widgets.scales import Scale

NAMED_CUTS = 4  # whose values stand below each other; of more those that have room beside each other
MOST_NAMED = 40  # cuts; of more no value would be read
BETWEEN = 6  # pixels, at least, between the values of two cuts
HIGHEST = 0.99  # where a cut's value stands, as a share of the height
GRAB = 6  # pixels beside a line where the mouse has hold of it
GRIP, HELD = 4.0, 6.0  # pixels, the radius of the grip, and of the one that the keys move
ABOVE_AXIS = 10  # pixels from the axis to the middle of a grip
NUMBERED = 14  # pixels that a cell of the strip needs for its number
ABOVE_BARS = 1.12  # of the highest bar: up to where the axis goes
STRIP_GAP, STRIP = 2, 15  # pixels between the axis and the strip, and its height


class CutLine(pg.InfiniteLine):  # type: ignore[misc]  # pyqtgraph has no types
    """One cut; a grip near the axis shows that it can be dragged."""

    grip = 0.0  # its radius in pixels; 0: it stands still

    def __init__(self, value: float) -> None:
        super().__init__(value, 90, plotting.pen(theme.current().accent, 2), movable=False)
        self._maxMarkerSize = HELD + 2  # so far beside the line it is painted

    def paint(self, painter: QPainter, *_: object) -> None:
        box = self.boundingRect()
        painter.setPen(self.pen)
        painter.drawLine(QPointF(box.left(), 0.0), QPointF(box.right(), 0.0))
        if not self.grip:
            return
        ends = [painter.transform().map(QPointF(x, 0.0)) for x in (box.left(), box.right())]
        foot = max(ends, key=QPointF.y)
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current().card, 1.5))
        painter.setBrush(self.pen.color())
        painter.drawEllipse(QPointF(foot.x(), foot.y() - ABOVE_AXIS), self.grip, self.grip)
        painter.restore()


class CutLines:
    """All cuts of one split.

    Attributes:
        lines: one for each, ascending.
    """

    def __init__(self, plot: pg.PlotWidget) -> None:
        self._plot = plot
        self.lines: list[CutLine] = []
        self._named = False

    def clear(self) -> None:
        for line in self.lines:
            self._plot.removeItem(line)
        self.lines = []

    def forget(self) -> None:
        """The plot was cleared."""
        self.lines = []

    def show(
        self,
        cuts: tuple[float, ...],
        kind: str,
        scale: Scale,
        *,
        held: int | None = None,
        focused: bool = False,
        leaving: int | None = None,
    ) -> None:
        """Draws finite cuts.

        Args:
            kind: of the column, for dates.
            held: the one that the keys move; None where they stand still and have no grips.
            focused: whether the keys go to the plot.
            leaving: the one that goes when the mouse lets it go.
        """
        named = len(cuts) <= MOST_NAMED
        if len(cuts) != len(self.lines) or named != self._named:
            self.clear()
            self._named = named
            for _ in cuts:
                self._add()
        colours = theme.current()
        for place, (line, cut) in enumerate(zip(self.lines, cuts, strict=True)):
            line.grip = 0.0 if held is None else HELD if held == place and focused else GRIP
            style = Qt.PenStyle.DashLine if place == leaving else Qt.PenStyle.SolidLine
            line.setPen(plotting.pen(colours.border if place == leaving else colours.accent, 2, style))
            line.setZValue(20 + (place == held))
            if named:
                split = engine.Split("", "threshold", (cut,))
                line.label.setFormat(engine.splits.branch_words(split, 0, kind).removeprefix("≤ "))
            line.setValue(scale.place(cut))
        self.name()

    def _add(self) -> None:
        line = CutLine(0.0)
        if self._named:
            colours = theme.current()
            line.label = pg.InfLineLabel(
                line, "", position=HIGHEST, color=QColor(colours.text),
                fill=plotting.brush(colours.card, 0.85), anchors=[(-0.05, 0.0), (1.05, 0.0)],
            )  # fmt: skip
        self._plot.addItem(line, ignoreBounds=True)
        self.lines.append(line)

    def at(self, where: QPointF) -> int | None:
        """The cut at a place of the scene; of two the nearer one."""
        box = self._plot.getViewBox()
        away = [abs(box.mapViewToScene(QPointF(line.value(), 0.0)).x() - where.x()) for line in self.lines]
        nearest = min(range(len(away)), key=away.__getitem__, default=None)
        return nearest if nearest is not None and away[nearest] <= GRAB else None

    def name(self) -> None:
        """Puts the values of few cuts below each other; of many, leaves those out that would stand on another."""
        if not self._named:
            return
        box = self._plot.getViewBox()
        frame, taken = box.sceneBoundingRect(), list[QRectF]()
        few = len(self.lines) <= NAMED_CUTS
        for place, line in enumerate(self.lines):
            if few and frame.height() > 0:
                below = place * (line.label.boundingRect().height() + 1) / frame.height()
                line.label.setPosition(HIGHEST - below)
            x, size = box.mapViewToScene(QPointF(line.value(), 0.0)).x(), line.label.boundingRect().size()
            if not math.isfinite(x):
                continue
            left = x if x < frame.center().x() else x - size.width()  # as the label turns
            room = QRectF(QPointF(left, (HIGHEST - line.label.orthoPos) * frame.height()), size)
            inside = frame.left() - 1 <= x <= frame.right() + 1
            free = inside and not any(room.adjusted(-BETWEEN, 0, BETWEEN, 0).intersects(other) for other in taken)
            line.label.setVisible(free)
            if free:
                taken.append(room)


class LevelMarks:
    """The strip and the choice; all heights follow the highest bar that is seen.

    Attributes:
        bars: those of the plot.
    """

    def __init__(self, plot: pg.PlotWidget) -> None:
        self._plot = plot
        self.bars: Bars | None = None
        self._branches: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._n = 0
        self._chosen: tuple[int, ...] = ()
        self._current: int | None = None
        self._items: list[pg.GraphicsObject] = []

    def forget(self) -> None:
        """The plot was cleared."""
        self._items, self.bars = [], None
        self._branches, self._chosen, self._current = np.empty(0, dtype=np.int64), (), None

    def show(self, branches: NDArray[np.int64], n: int) -> None:
        """The branch of each bar, from 0 to n − 1; −1 for none."""
        self._branches, self._n = branches, n
        self.draw()

    def choose(self, chosen: Iterable[int], current: int | None) -> None:
        """Which bars are chosen, and on which one the keys stand."""
        now = (tuple(sorted(chosen)), current)
        if now != (self._chosen, self._current):
            self._chosen, self._current = now
            self.draw()

    def draw(self) -> None:
        """Redraws everything, for the visible part of the axis."""
        for item in self._items:
            self._plot.removeItem(item)
        self._items = []
        bars = self.bars
        if bars is None or len(self._branches) != len(bars.left):
            return
        low, high = self._plot.getViewBox().viewRange()[0]
        seen = (bars.right > low) & (bars.left < high)
        top = float(bars.totals[seen].max(initial=0.0)) or 1.0
        pixel = ABOVE_BARS * top / max(self._plot.getViewBox().height() - STRIP_GAP - STRIP - 1, 1.0)
        deep, upper, lower = ((STRIP_GAP + STRIP + 1) * pixel, STRIP_GAP * pixel, (STRIP_GAP + STRIP) * pixel)
        self._plot.setYRange(-deep, ABOVE_BARS * top, padding=0)
        self._draw_choice(-deep, ABOVE_BARS * top - pixel)
        known = np.flatnonzero(self._branches >= 0)
        if not len(known):
            return
        tones = [branch_tone(b, self._n) for b in range(self._n)]
        fills = [plotting.brush(tone) for tone in tones]
        self._add(
            pg.BarGraphItem(
                x0=bars.left[known] - 0.06, x1=bars.right[known] + 0.06, y0=-lower, y1=-upper, pen=None,
                brushes=[fills[self._branches[i]] for i in known],
            )
        )  # fmt: skip
        if self._plot.getViewBox().width() < NUMBERED * (high - low):
            return
        for i in known[seen[known]]:
            tone = tones[self._branches[i]]
            number = pg.TextItem(str(self._branches[i] + 1), color=theme.ink(tone), anchor=(0.5, 0.5))
            number.setPos(float(bars.centres[i]), -(upper + lower) / 2)
            self._add(number)

    def _draw_choice(self, foot: float, top: float) -> None:
        colours = theme.current()
        if self._chosen:
            at = np.array(self._chosen, dtype=np.float64)
            shade = pg.BarGraphItem(
                x0=at - 0.5, x1=at + 0.5, y0=foot, y1=top, pen=None,
                brush=plotting.brush(colours.accent, 0.22),
            )  # fmt: skip
            shade.setZValue(-5)
            self._add(shade)
        if self._current is not None:
            x = float(self._current)
            frame = pg.BarGraphItem(
                x0=[x - 0.5], x1=[x + 0.5], y0=foot, y1=top,
                pen=plotting.pen(colours.accent, 1.5), brush=None,
            )  # fmt: skip
            frame.setZValue(5)
            self._add(frame)

    def _add(self, item: pg.GraphicsObject) -> None:
        self._plot.addItem(item, ignoreBounds=True)
        self._items.append(item)
