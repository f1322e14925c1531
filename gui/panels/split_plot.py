"""The plot of the split editor: bars of rows, the gain of every cut on its own scale, and the cut that is chosen."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QColor

import engine
from gui import theme
from gui.panels import plotting
from gui.panels.split_picture import Bars, level_bars, value_bars

LOWEST = 72  # pixels
NUMBERED_LEVELS = 24  # with more levels the strip of branches carries no numbers
NAMED_CUTS = 4  # of more cuts the values would stand in each other's way
HIGHEST, LOWER = 0.99, 0.1  # where a cut's value stands, and how much lower that of the next, as shares of the height
MOST_SPOTS = 60  # fewer cuts than these are marked one by one


class SplitPlot(pg.PlotWidget):
    """Draws one candidate over its curve.

    Attributes:
        bars: what is drawn, or None.

    Signals:
        hovered: The mouse moved. arg: where on the horizontal axis, NaN outside the axes
    """

    hovered = Signal(float)

    def __init__(self) -> None:
        rows = plotting.NumberAxis("left")
        rows.whole = True
        super().__init__(axisItems={"left": rows, "right": plotting.NumberAxis("right")})
        plotting.set_up(self, "split_editor_plot", "Rows and gain by value of the column")
        self.setMinimumSize(200, LOWEST)
        self._missing: pg.TextItem | None = None
        self.bars: Bars | None = None
        self.gains = pg.ViewBox(enableMenu=False)  # the second vertical scale
        self.gains.setMouseEnabled(x=True, y=False)
        self.scene().addItem(self.gains)
        self.getAxis("right").linkToView(self.gains)
        self.gains.setXLink(self.getViewBox())
        self._plain_axis, self._level_axis = plotting.NumberAxis("bottom"), plotting.LevelAxis("bottom")
        self._date_axis = pg.DateAxisItem("bottom", utcOffset=0)
        self.getViewBox().sigResized.connect(self._on_resized)
        self.scene().sigMouseMoved.connect(self._on_moved)

    def wipe(self) -> None:
        """Takes everything away and puts on the colours of the theme."""
        self.clear()
        for item in list(self.gains.addedItems):
            self.gains.removeItem(item)
        self.bars = self._missing = None
        plotting.restyle(self)

    def draw_values(self, curve: engine.Curve, split: engine.Split | None, tree: engine.Tree, focus: int) -> None:
        """A numeric column: a histogram, the gain of every cut, and the cuts of the split."""
        self._use_axis(self._date_axis if curve.kind == "date" else self._plain_axis)
        bars = value_bars(curve, tree.task == "classes", tree.origin)
        self._draw_bars(bars, tree, focus)
        if bars.has_missing:
            self._name_missing(bars)
        self.draw_gains(curve)
        cuts = split.thresholds if split else ()
        for place, threshold in enumerate(cuts):
            self._draw_cut(threshold, curve.kind, named=len(cuts) <= NAMED_CUTS, height=HIGHEST - place * LOWER)
        self._limit(float(bars.left[0]), float(bars.right[-1]))

    def draw_levels(self, curve: engine.Curve, split: engine.Split | None, tree: engine.Tree, focus: int) -> None:
        """A column with levels: a bar for each, and the branch that it takes."""
        self._use_axis(self._level_axis)
        bars = level_bars(curve, tree.task == "classes", focus, split, tree.origin)
        self._draw_bars(bars, tree, focus)
        self._draw_branches(bars)
        self._level_axis.labels = bars.labels
        self.hideAxis("right")
        if len(curve.cuts):
            self.draw_gains(curve)
        self._limit(-0.6, len(bars.labels) - 0.4)

    def draw_gains(self, curve: engine.Curve) -> None:
        """The gain of every cut over the same axis, on the scale at the right; the validation gain thinner."""
        colours = theme.current()
        place = plotting.inside(curve.cuts)
        seen = [0.0]
        for gains, colour, width in (
            (curve.validation_gains, colours.validation, 1.0),
            (curve.gains, colours.text, 2.0),
        ):
            x, y = plotting.decimate(curve.cuts[place], gains[place])
            known = y[np.isfinite(y)]
            if not len(known):
                continue
            seen += [float(known.min()), float(known.max())]
            spots = {"symbol": "o", "symbolSize": 4, "symbolPen": None, "symbolBrush": plotting.brush(colour)}
            look = spots if len(x) <= MOST_SPOTS else {}
            self.gains.addItem(pg.PlotDataItem(x, y, pen=plotting.pen(colour, width), antialias=True, **look))
        low, high = min(seen), max(seen)
        self.gains.setYRange(low, high + 0.12 * (high - low) if high > low else low + 1.0, padding=0)
        plotting.name_axis(self.getAxis("right"), "gain")
        self.showAxis("right")

    def _draw_bars(self, bars: Bars, tree: engine.Tree, focus: int) -> None:
        """Stacked by class, or plain with the mean of each bar as a dot on its own scale."""
        self.bars = bars
        below = np.zeros(len(bars.left))
        n, gap = bars.heights.shape[1], 0.06 * (bars.right - bars.left)
        for k in range(n):
            above = below + bars.heights[:, k]
            fill = plotting.brush(bar_colour(tree, k, focus), 0.6)
            sides = {"x0": bars.left + gap, "x1": bars.right - gap}
            self.addItem(pg.BarGraphItem(**sides, y0=below, y1=above, pen=None, brush=fill))
            below = above
        top = float(below.max(initial=0.0)) or 1.0
        self.setYRange(0.0, 1.12 * top, padding=0)
        plotting.name_axis(self.getAxis("left"), "training rows")
        if len(bars.means):
            low, high = mean_range(bars)
            height = top * (0.05 + 0.9 * (bars.means - low) / (high - low if high > low else 1.0))
            colour = theme.current().positive
            joined = 0 if bars.labels else len(height) - bars.has_missing
            line = plotting.pen(colour, 1)
            self.addItem(pg.PlotCurveItem(bars.centres[:joined], height[:joined], pen=line, connect="finite"))
            dots = np.isfinite(height)
            look = {"size": 6 if dots.sum() <= 60 else 3, "pen": None, "brush": plotting.brush(colour)}
            self.addItem(pg.ScatterPlotItem(bars.centres[dots], height[dots], **look))

    def _draw_cut(self, threshold: float, kind: str, named: bool, height: float) -> None:
        """A chosen cut, perhaps with its value, at a share of the plot's height.

        It stands still for now: `movable` is all that dragging needs here.
        """
        if not math.isfinite(threshold):
            return
        colours = theme.current()
        text = engine.splits.branch_words(engine.Split("", "threshold", (threshold,)), 0, kind)
        line = pg.InfiniteLine(
            threshold, 90, plotting.pen(colours.accent, 2), movable=False,
            label=text.removeprefix("≤ ") if named else None,
            labelOpts={"position": height, "color": QColor(colours.text), "fill": plotting.brush(colours.card, 0.85),
                       "anchors": [(-0.05, 0.0), (1.05, 0.0)]},
        )  # fmt: skip
        self.addItem(line, ignoreBounds=True)

    def _name_missing(self, bars: Bars) -> None:
        """Parts the bar of the missing rows from the values, and names it."""
        colours = theme.current()
        between = float(bars.right[-2] + bars.left[-1]) / 2
        self.addItem(pg.InfiniteLine(between, 90, plotting.pen(colours.border, 1)), ignoreBounds=True)
        fill = plotting.brush(colours.card, 0.85)
        self._missing = pg.TextItem("missing", color=QColor(colours.secondary), angle=90, anchor=(0.0, 0.5), fill=fill)
        self._missing.setPos(float(bars.centres[-1]), float(bars.totals[-1]))
        self.addItem(self._missing, ignoreBounds=True)

    def _place_missing(self) -> None:
        """Keeps the whole word in view: on its bar, or, where the bar is too high, over its upper end."""
        if self._missing is None or self.bars is None:
            return
        box = self.getViewBox()
        x, height = float(self.bars.centres[-1]), float(self.bars.totals[-1])
        length, top = self._missing.boundingRect().width(), box.sceneBoundingRect().top() + 2
        at = box.mapViewToScene(QPointF(x, height))
        lowest = box.mapSceneToView(QPointF(at.x(), max(at.y(), top + length)))
        self._missing.setPos(x, lowest.y())

    def _draw_branches(self, bars: Bars) -> None:
        """A strip below the bars that names the branch of each level, in tones of one colour."""
        known = np.flatnonzero(bars.branches >= 0)
        if not len(known):
            return
        colours, top = theme.current(), float(bars.totals.max(initial=1.0))
        n = int(bars.branches.max()) + 1
        fills = [plotting.brush(theme.mix(colours.accent, colours.card, 0.75 * b / max(1, n - 1))) for b in range(n)]
        strip = pg.BarGraphItem(
            x0=bars.left[known] + 0.048, x1=bars.right[known] - 0.048, y0=-0.09 * top, y1=-0.02 * top, pen=None,
            brushes=[fills[bars.branches[i]] for i in known],
        )  # fmt: skip
        self.addItem(strip)
        for i in known if len(known) <= NUMBERED_LEVELS else ():
            ink = theme.ink(fills[bars.branches[i]].color())
            number = pg.TextItem(str(bars.branches[i] + 1), color=ink, anchor=(0.5, 0.5))
            number.setPos(float(bars.centres[i]), -0.055 * top)
            self.addItem(number, ignoreBounds=True)
        self.setYRange(-0.1 * top, 1.12 * top, padding=0)

    def _use_axis(self, axis: pg.AxisItem) -> None:
        if self.getAxis("bottom") is not axis:
            self.getPlotItem().setAxisItems({"bottom": axis})
        plotting.style_axis(axis)

    def _limit(self, left: float, right: float) -> None:
        """Shows everything, and lets nobody scroll into emptiness."""
        margin = 0.02 * (right - left)
        box = self.getViewBox()
        box.setLimits(xMin=left - margin, xMax=right + margin)
        box.setXRange(left - margin, right + margin, padding=0)
        self._on_resized()

    def _on_resized(self) -> None:
        self.gains.setGeometry(self.getViewBox().sceneBoundingRect())
        self.gains.linkedViewChanged(self.getViewBox(), pg.ViewBox.XAxis)
        self._place_missing()

    def _on_moved(self, where: QPointF) -> None:
        box = self.getViewBox()
        inside = box.sceneBoundingRect().contains(where)
        self.hovered.emit(box.mapSceneToView(where).x() if inside else math.nan)


def bar_colour(tree: engine.Tree, k: int, focus: int) -> QColor:
    """The colour of class `k`, or of the plain bars of a numeric target."""
    colours = theme.current()
    return colours.class_colour(k, len(tree.classes), focus) if tree.classes else colours.ribbon


def mean_range(bars: Bars) -> tuple[float, float]:
    """The least and the largest mean of the bars; (0, 1) without any."""
    known = bars.means[np.isfinite(bars.means)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
