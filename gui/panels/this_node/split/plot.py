"""The plot of the split editor: bars of rows, the gain of every cut on its own scale, and the cuts that are chosen."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.panels.this_node.split import bars as drawn
from gui.panels.this_node.split.bars import ABOVE_BARS, Bars, CutLines, LevelMarks
from gui.widgets import plotting
from gui.widgets.building import Reaction, claims, later
from gui.widgets.labels import grown
from gui.widgets.scales import DateAxis, LogAxis, Scale

LOWEST = 120  # pixels; where there is less room the editor scrolls
ABOVE_AXIS = 8  # pixels, for the upper half of a figure at the top of an axis
MOST_SPOTS = 60  # fewer cuts than these are marked one by one
NARROWEST = 1e-9  # of the whole axis, the part that can still be looked at
DEEPEST = 0.6  # of the largest gain: losses on validation rows that are deeper leave the plot at the bottom
SAMPLES_STRIP = 0.14  # of the height above it
SAME = 1e-6  # of the whole axis: a part that is so little narrower shows all
ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class PlotInput(Protocol):
    """What mouse and keys do on the plot; each method answers whether the event is dealt with."""

    KEYS: tuple[Qt.Key, ...]  # those that do something, whatever the window's shortcuts are

    def press(self, event: QMouseEvent) -> bool: ...
    def move(self, event: QMouseEvent) -> bool: ...
    def release(self, event: QMouseEvent) -> bool: ...
    def double(self, event: QMouseEvent) -> bool: ...
    def key(self, event: QKeyEvent) -> bool: ...


class SplitPlot(plotting.UnhurriedPlot):
    """Draws one split over its curve."""

    hovered = Signal(float)  # the mouse moved: the value on the horizontal axis, NaN outside the axes
    zoomed = Signal()  # the part of the axis that is seen is another one, or all of it
    focused = Signal()  # the plot has the focus, or no longer
    input: PlotInput | None = None  # gets mouse and keys first; None while nothing can be changed

    def __init__(self) -> None:
        rows = plotting.NumberAxis("left")
        rows.whole = True
        super().__init__(axisItems={"left": rows, "right": plotting.NumberAxis("right")})
        plotting.set_up(self, "split_editor_plot", tr("Rows and gain by value of the column"))
        self.getPlotItem().setContentsMargins(0, ABOVE_AXIS, 0, 0)
        self.hides_gains = False  # the rows are drawn without what a cut gains
        self.is_sampled = False  # whether rows have sampling weights, so that bars are no numbers of rows
        self.cuts, self.levels = CutLines(self), LevelMarks(self)
        self.scale = Scale()  # of the horizontal axis
        self._curve: engine.Curve | None = None  # of values, whose bars follow the zoom
        self._tree: engine.Tree | None = None
        self._focus = 0
        self.whole = self._drawn_for = (0.0, 1.0)
        self._samples, self._told = np.empty(0), ""
        self._gain_ends = (0.0, 1.0)
        self._missing: pg.TextItem | None = None
        self._drawn: list[pg.GraphicsObject] = []  # the bars and what belongs to them
        self._lines: list[tuple[pg.PlotDataItem, NDArray[np.float64], NDArray[np.float64]]] = []  # of gains, with all
        self.bars: Bars | None = None
        self.gains = pg.ViewBox(enableMenu=False)  # the second vertical scale
        self.gains.setMouseEnabled(x=True, y=False)
        self.scene().addItem(self.gains)
        self.getAxis("right").linkToView(self.gains)
        self.gains.setXLink(self.getViewBox())
        self._plain_axis, self._level_axis = plotting.NumberAxis("bottom"), plotting.LevelAxis("bottom")
        self._log_axis, self._date_axis = LogAxis("bottom"), DateAxis("bottom")
        self._follow = later(self, self._on_seen_changed)
        self.getViewBox().geometryChanged.connect(self._on_resized)  # also where it only moves, as axes grow and shrink
        self.getViewBox().sigXRangeChanged.connect(lambda *_: self._follow.start())
        self.scene().sigMouseMoved.connect(self._on_moved)
        Reaction(self, self.focused.emit, QEvent.Type.FocusIn, QEvent.Type.FocusOut)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, grown(LOWEST, self.fontMetrics()))

    def wipe(self) -> None:
        self._follow.stop()
        self.clear()
        self.cuts.lines = []
        self.levels.forget()
        for item in list(self.gains.addedItems):
            self.gains.removeItem(item)
        self.bars = self._missing = self._curve = self._tree = None
        self._drawn, self._lines = [], []
        plotting.restyle(self)

    def draw_values(
        self, curve: engine.Curve, split: engine.Split | None, tree: engine.Tree, focus: int,
        scale: Scale | None = None, seen: tuple[float, float] | None = None,
    ) -> None:  # fmt: skip
        """A numeric column: a histogram, the gain of every cut, and the cuts of the split. `scale` is that of the
        horizontal axis, plain without one; `seen` the part of it that is looked at, all of it without one."""
        self.scale = scale or Scale()
        plain = self._log_axis if self.scale.log else self._plain_axis
        self._use_axis(self._date_axis if curve.kind == "date" else plain)
        self._curve, self._tree, self._focus = curve, tree, focus
        whole = drawn.value_bars(curve, tree.task == "classes", tree.origin, scale=self.scale)
        self._draw_bars(whole, tree, focus)
        if whole.has_missing:
            self._name_missing(whole)
        self.draw_gains(curve)
        cuts = tuple(cut for cut in (split.thresholds if split else ()) if math.isfinite(cut))
        ends = [self.scale.place(cut) for cut in cuts]
        self._limit(min([float(whole.left[0]), *ends]), max([float(whole.right[-1]), *ends]))
        self._drawn_for = self.whole
        if seen is not None:
            self.setXRange(*seen, padding=0)
            self._on_seen_changed()
        self.cuts.show(cuts, curve.kind_in_words, self.scale)

    def draw_levels(
        self, curve: engine.Curve, split: engine.Split | None, tree: engine.Tree, focus: int, by: str = "",
        seen: tuple[float, float] | None = None,
    ) -> None:  # fmt: skip
        """A column with levels: a bar for each, and its branch. `by`: see `level_bars`; `seen`: as above."""
        self._use_axis(self._level_axis)
        self.scale, self._tree, self._focus = Scale(), tree, focus
        bars = drawn.level_bars(curve, tree.task == "classes", focus, split, tree.origin, by)
        self._draw_bars(bars, tree, focus)
        levels = bars.labels[: len(bars.labels) - bars.has_missing]
        self._level_axis.labels = (*plotting.telling(levels), *bars.labels[len(levels) :])
        self.hideAxis("right")
        if len(curve.cuts) and bars.declared:
            self.draw_gains(curve)
        self._limit(-0.6, len(bars.labels) - 0.4)
        if seen is not None:
            self.setXRange(*seen, padding=0)
        self.levels.show(bars.branches, split.n_branches if split is not None else 1)
        self._on_seen_changed()

    def draw_gains(self, curve: engine.Curve) -> None:
        """The gain of every cut over the same axis, on the scale at the right; the validation gain thinner, with a line
        at 0 where it falls below."""
        if self.hides_gains:
            self.hideAxis("right")
            return
        colours, inside = theme.current(), plotting.inside(curve.cuts)
        places = self.scale.places(np.asarray(curve.cuts[inside]))
        seen = [0.0]
        thin, thick = (curve.validation_gains, colours.validation, 1.0), (curve.gains, colours.text, 2.0)
        for gains, colour, width in (thin, thick):
            x, y = plotting.decimate(places, gains[inside])
            known = y[np.isfinite(y)]
            if not len(known):
                continue
            seen += [float(known.min()), float(known.max())]
            spots = {"symbol": "o", "symbolSize": 4, "symbolPen": None, "symbolBrush": plotting.brush(colour)}
            look = spots if len(x) <= MOST_SPOTS else {}
            line = pg.PlotDataItem(x, y, pen=plotting.pen(colour, width), antialias=True, **look)
            self.gains.addItem(line)
            if len(x) < len(places):
                self._lines.append((line, places, gains[inside]))
        if len(seen) == 1:  # there is no cut
            self.hideAxis("right")
            return
        high = max(seen)
        low = max(min(seen), -DEEPEST * high) if high > 0 else min(seen)  # the gains above 0 are what is compared
        if low < 0:
            self.gains.addItem(pg.InfiniteLine(0.0, 0, plotting.pen(colours.border, 1)), ignoreBounds=True)
            low -= 0.03 * (high - low)  # room below the lowest point
        self._gain_ends = low, high + 0.12 * (high - low) if high > low else low + 1.0
        self._see_gains()
        plotting.name_axis(self.getAxis("right"), tr("gain"))
        self.showAxis("right")

    def show_samples(self, cuts: NDArray[np.float64], told: str) -> None:
        """Where bootstrap samples cut the column, in a strip below the bars; its tooltip is what is `told`."""
        self._samples, self._told = cuts, told
        if self._curve is not None and self._tree is not None:
            self._draw_part(self._curve, self._tree, self.seen or self.whole)
            self._see_gains()

    def _see_gains(self) -> None:
        low, high = self._gain_ends
        self.gains.setYRange(low - self._strip * (high - low), high, padding=0)

    @property
    def _strip(self) -> float:
        """The strip of the samples, as a share of the height above it."""
        return SAMPLES_STRIP if self._samples.size else 0.0

    def _draw_bars(
        self, bars: Bars, tree: engine.Tree, focus: int, seen: tuple[float, float] = (-math.inf, math.inf)
    ) -> None:
        """Stacked by class, or plain with the means on their own scale; as high as those that are seen."""
        self.bars = self.levels.bars = bars
        for item in self._drawn:
            self.removeItem(item)
        self._drawn = []
        below = np.zeros(len(bars.left))
        n, gap = bars.heights.shape[1], 0.06 * (bars.right - bars.left)
        for k in range(n):
            above = below + bars.heights[:, k]
            fill = plotting.brush(drawn.bar_colour(tree, k, focus), 0.6)
            left, right = bars.left + gap, bars.right - gap
            self._add(pg.BarGraphItem(x0=left, x1=right, y0=below, y1=above, pen=None, brush=fill))
            below = above
        top = float(below[(bars.right > seen[0]) & (bars.left < seen[1])].max(initial=0.0)) or 1.0
        deep = self._strip * ABOVE_BARS * top
        if deep:
            ends = max(seen[0], float(bars.left[0])), min(seen[1], float(bars.right[-1]))
            for item in drawn.sample_items(self._samples, self.scale, ends, deep, self._told):
                self._add(item)
        self.setYRange(-deep, ABOVE_BARS * top, padding=0)
        plotting.name_axis(self.getAxis("left"), tr("training weight") if self.is_sampled else tr("training rows"))
        if len(bars.means):
            for item in drawn.mean_items(bars, top):
                self._add(item)

    def _name_missing(self, bars: Bars) -> None:
        colours = theme.current()
        between = float(bars.right[-2] + bars.left[-1]) / 2
        self.addItem(pg.InfiniteLine(between, 90, plotting.pen(colours.border, 1)), ignoreBounds=True)
        fill, ink = plotting.brush(colours.card, 0.85), QColor(colours.secondary)
        self._missing = pg.TextItem(tr("missing"), color=ink, angle=90, anchor=(0.0, 0.5), fill=fill)
        self._missing.setPos(float(bars.centres[-1]), float(bars.totals[-1]))
        self._missing.setZValue(10)  # the bars are redrawn at every zoom
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

    def _use_axis(self, axis: pg.AxisItem) -> None:
        if self.getAxis("bottom") is not axis:
            self.getPlotItem().setAxisItems({"bottom": axis})
        plotting.style_axis(axis)

    def _add(self, item: pg.GraphicsObject) -> None:
        self.addItem(item)
        self._drawn.append(item)

    def _limit(self, left: float, right: float) -> None:
        margin = 0.02 * (right - left)
        self.whole = (left - margin, right + margin)
        box = self.getViewBox()
        box.setLimits(xMin=left - margin, xMax=right + margin, minXRange=NARROWEST * (right - left))
        self.see_all()
        self._follow.stop()
        self._on_resized()

    def inside(self, where: QPointF) -> bool:
        return bool(self.getViewBox().sceneBoundingRect().contains(where))

    def read(self, where: QPointF) -> tuple[float, float]:
        """(the value at a place of the scene, by how much it grows from one pixel to the next)."""
        box, step = self.getViewBox(), QPointF(1.0, 0.0)
        here, beyond = (self.scale.value(box.mapSceneToView(at).x()) for at in (where, where + step))
        return here, abs(beyond - here)

    def covers(self, value: float) -> bool:
        return self.whole[0] <= self.scale.place(value) <= self.whole[1]

    def grain(self, value: float) -> float:
        """By how much values grow from one pixel to the next, near a value."""
        return self.read(self.getViewBox().mapViewToScene(QPointF(self.scale.place(value), 0.0)))[1]

    @property
    def seen(self) -> tuple[float, float] | None:
        """The part of the axis that is looked at; None for all of it."""
        low, high = self.getViewBox().viewRange()[0]
        return (low, high) if high - low < (self.whole[1] - self.whole[0]) * (1 - SAME) else None

    def see_all(self) -> None:
        self.setXRange(*self.whole, padding=0)

    def _on_seen_changed(self) -> None:
        """Narrower bars and more points of the curve where a smaller part is looked at."""
        if self._curve is not None and self._tree is not None:
            if self._drawn_for != (self.seen or self.whole):  # a resized axis shows the same part
                self._draw_part(self._curve, self._tree, self.seen or self.whole)
            self._place_missing()
        elif self.bars is not None and self._tree is not None:
            self._draw_bars(self.bars, self._tree, self._focus, self.seen or self.whole)
            self.levels.draw()
        self.cuts.name()
        self.zoomed.emit()

    def _draw_part(self, curve: engine.Curve, tree: engine.Tree, seen: tuple[float, float]) -> None:
        self._drawn_for = seen
        bars = drawn.value_bars(curve, tree.task == "classes", tree.origin, scale=self.scale, seen=seen)
        self._draw_bars(bars, tree, self._focus, seen)
        for line, places, gains in self._lines:
            first, last = np.searchsorted(places, seen)
            part = slice(max(first - 1, 0), last + 1)
            line.setData(*plotting.decimate(places[part], gains[part]))

    def _on_resized(self) -> None:
        box = self.getViewBox()
        self.gains.setGeometry(box.mapRectToScene(box.rect()))
        self.gains.setXRange(*box.viewRange()[0], padding=0)
        self._place_missing()
        self.cuts.name()
        self.levels.draw()

    def _on_moved(self, where: QPointF) -> None:
        self.hovered.emit(self.read(where)[0] if self.inside(where) else math.nan)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.input is None or not self.input.press(event):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.input is None or not self.input.move(event):
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.input is None or not self.input.release(event):
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Between the axes it adds a cut, on an axis it shows all."""
        if self.input is not None and self.input.double(event):
            return
        where = self.mapToScene(event.position().toPoint())
        if any(self.getAxis(side).sceneBoundingRect().contains(where) for side in ("bottom", "left", "right")):
            self.see_all()
        else:
            super().mouseDoubleClickEvent(event)

    def event(self, event: QEvent) -> bool:
        keys = self.input.KEYS if self.input is not None else ()
        return claims(event, *keys, but=CONTROL) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.input is None or not self.input.key(event):
            event.ignore()  # the editor knows more keys
