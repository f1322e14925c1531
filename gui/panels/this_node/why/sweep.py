"""The sweep: the threshold goes from left to right, and the curve of the gain is drawn behind it."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtWidgets import QStyle, QWidget

import engine
from gui import theme
from gui.widgets import plotting
from gui.widgets.scales import DateAxis
from gui.wording import words

SECONDS, FRAME = 6.0, 25  # of a sweep; milliseconds from one picture to the next
HEIGHT = 84  # pixels


class Sweep(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """A low plot that appears with the sweep.

    Signals:
        moved: The threshold is another. arg: the split there, weighed; None when the sweep is over
        ended: It came to the end, or was stopped.
    """

    moved = Signal(object)
    ended = Signal()

    def __init__(self) -> None:
        self._plain = plotting.NumberAxis("bottom")
        self._dates = DateAxis("bottom")
        super().__init__(axisItems={"left": plotting.NumberAxis("left"), "bottom": self._plain})
        plotting.set_up(self, "why_sweep", "Gain of every threshold, drawn from left to right")
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setFixedHeight(HEIGHT)
        self._timer = QTimer(self, interval=FRAME)
        self._timer.timeout.connect(self._on_tick)
        self._clock = QElapsedTimer()
        self._curve: engine.Curve | None = None
        self._criterion, self._best = "", -1
        self._places: NDArray[np.intp] = np.empty(0, dtype=np.intp)  # of the cuts that are allowed
        self._cuts = self._gains = np.empty(0)  # there
        self.drawn = pg.PlotCurveItem(antialias=True)
        self.spot = pg.ScatterPlotItem(size=9)
        self.readout = pg.TextItem()
        self.hide()

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def start(self, curve: engine.Curve, criterion: str) -> None:
        """Begins at the left; where the system asks for no motion the whole curve stands there at once.

        Args:
            criterion: in words, by which the curve was made.
        """
        colours = theme.current()
        self._curve, self._criterion = curve, criterion
        self._places = np.flatnonzero(np.isfinite(curve.gains) & np.isfinite(curve.cuts))
        self.clear()
        axis = self._dates if curve.kind == "date" else self._plain
        if self.getAxis("bottom") is not axis:
            self.getPlotItem().setAxisItems({"bottom": axis})
        plotting.restyle(self)
        self.drawn = pg.PlotCurveItem(pen=plotting.pen(colours.text, 2), antialias=True)
        self.spot = pg.ScatterPlotItem(size=9, brush=plotting.brush(colours.accent), pen=plotting.pen(colours.card, 1))
        self.readout = pg.TextItem(color=colours.text, fill=plotting.brush(colours.card, 0.85))
        for item in (self.drawn, self.spot):
            self.addItem(item)
        self.addItem(self.readout, ignoreBounds=True)
        cuts, gains = self._cuts, self._gains = curve.cuts[self._places], curve.gains[self._places]
        self._best = int(self._places[int(np.argmax(gains))])
        top = float(gains.max()) or 1.0
        self.setXRange(float(cuts[0]), float(cuts[-1]) if cuts[-1] > cuts[0] else float(cuts[0]) + 1.0, padding=0.02)
        self.setYRange(0.0, 1.2 * top, padding=0)
        plotting.name_axis(self.getAxis("left"), "gain")
        self.show()
        if still(self):
            self._show(len(self._places) - 1)
            self.stop()
            return
        self._clock.start()
        self._timer.start()
        self._show(0)

    def stop(self) -> None:
        """Ends the sweep; the curve stays as far as it was drawn."""
        if self._curve is not None:
            self._timer.stop()
            self._curve = None
            self.moved.emit(None)
            self.ended.emit()

    def dismiss(self) -> None:
        """Hides the plot, and ends what runs."""
        self.stop()
        self.hide()

    def _on_tick(self) -> None:
        part = self._clock.elapsed() / (1000 * SECONDS)
        last = len(self._places) - 1
        self._show(min(round(part * last), last))
        if part >= 1:
            self.stop()

    def _show(self, n: int) -> None:
        """The curve up to a threshold, and what is gained there."""
        curve = self._curve
        if curve is None:
            return
        self.drawn.setData(*plotting.decimate(self._cuts[: n + 1], self._gains[: n + 1]))
        at = int(self._places[n])
        cut, gain = float(curve.cuts[at]), float(curve.gains[at])
        self.spot.setData([cut], [gain])
        left = n > len(self._places) / 2
        said = " · the best" if at == self._best else ""
        split = cut_of(curve, at)
        where = engine.splits.branch_words(split, 0, curve.kind_in_words)
        self.readout.setText(f"{where}: {self._criterion} {words.gain(gain)}{said}")
        self.readout.setAnchor((1.05 if left else -0.05, 0.0))
        low, high = self.getViewBox().viewRange()[1]
        self.readout.setPos(cut, high - 0.02 * (high - low))
        found = curve.weigh(split)
        if found is not None:
            self.moved.emit(found)


def why_still(found: engine.Candidate | None, curve: engine.Curve | None) -> str:
    """Why there is no threshold to move; empty where there is one."""
    if found is None or curve is None or found.split is None:
        return "There is no candidate whose threshold could be moved"
    if not len(curve.cuts):
        return "The levels have no order: there is no threshold to move"
    if not (np.isfinite(curve.gains) & np.isfinite(curve.cuts)).any():
        return "No threshold is allowed here"
    return ""


def cut_of(curve: engine.Curve, at: int) -> engine.Split:
    """The split at a place of the curve."""
    cut = float(curve.cuts[at])
    if not curve.levels:
        return engine.Split(curve.column, "threshold", (cut,), missing=curve.missing)
    n = math.floor(cut) + 1
    return engine.Split(curve.column, "groups", groups=(curve.levels[:n], curve.levels[n:]), missing=curve.missing)


def still(widget: QWidget) -> bool:
    """Whether the system asks for no motion."""
    return widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget) == 0
