"""The cuts of a split as lines on the plot, each with its value and a grip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

import engine
from gui import theme
from gui.panels.this_node.split.scale import Scale
from gui.widgets import plotting

if TYPE_CHECKING:
    from gui.panels.this_node.split.plot import SplitPlot

NAMED_CUTS = 4  # whose values stand below each other; of more those that have room beside each other
MOST_NAMED = 40  # cuts; of more no value would be read
BETWEEN = 6  # pixels, at least, between the values of two cuts
HIGHEST = 0.99  # where a cut's value stands, as a share of the height
GRAB = 6  # pixels beside a line where the mouse has hold of it
GRIP, HELD = 4.0, 6.0  # pixels, the radius of the grip, and of the one that the keys move
ABOVE_AXIS = 10  # pixels from the axis to the middle of a grip


class CutLine(pg.InfiniteLine):
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

    def __init__(self, plot: SplitPlot) -> None:
        self._plot = plot
        self.lines: list[CutLine] = []
        self._named = False

    def clear(self) -> None:
        """Takes the lines away."""
        for line in self.lines:
            self._plot.removeItem(line)
        self.lines = []

    def forget(self) -> None:
        """The plot has taken them away itself."""
        self.lines = []

    def show(
        self,
        cuts: tuple[float, ...],
        kind: str,
        scale: Scale,
        *,
        held: int | None = None,
        focused: bool = False,
        doomed: int | None = None,
    ) -> None:
        """Draws finite cuts.

        Args:
            kind: of the column, for dates.
            held: the one that the keys move; None where they stand still and have no grips.
            focused: whether the keys go to the plot.
            doomed: the one that goes when the mouse lets it go.
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
            style = Qt.PenStyle.DashLine if place == doomed else Qt.PenStyle.SolidLine
            line.setPen(plotting.pen(colours.border if place == doomed else colours.accent, 2, style))
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
