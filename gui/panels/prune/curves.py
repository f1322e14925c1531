"""The curves of the size-versus-error chart: errors of the trees by size, the cost-complexity line, the front."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gui import theme
from gui.model.editing.pruning_choices import SEQUENCE
from gui.panels.prune.drawing import Drawing
from gui.widgets import plotting

MOST_DOTS = 200  # with more steps the lines alone are drawn
PIECES = 8  # of a straight line between two trees, where a log axis bends it

Numbers = NDArray[np.float64]


def draw(plot: pg.PlotWidget, drawn: Drawing, place: Callable[[Numbers], Numbers]) -> None:
    """Adds the curves to a plot, back to front; `place`: numbers of leaves → places on its x axis."""
    colours, x = theme.current(), place(drawn.leaves)
    _draw_band(plot, drawn, x)
    _draw_front(plot, drawn, place)
    _draw_hull(plot, drawn, place)
    if drawn.method != SEQUENCE or not drawn.hull[0].size:
        _draw_stairs(plot, x, drawn.train, colours.training, 1.5, Qt.PenStyle.DashLine)
    elif len(x) <= MOST_DOTS:
        plot.addItem(_dots(x, drawn.train, colours.training))
    _draw_stairs(plot, x, drawn.cv, colours.positive, 1.5, Qt.PenStyle.SolidLine)
    _draw_stairs(plot, x, drawn.validation, colours.validation, 2.0, Qt.PenStyle.SolidLine)
    _draw_failed(plot, drawn, x)


def _draw_stairs(
    plot: pg.PlotWidget, x: Numbers, errors: Numbers, colour: QColor, width: float, style: Qt.PenStyle
) -> None:
    if not np.isfinite(errors).any():
        return
    corners = stairs(*plotting.decimate(x, errors))
    plot.addItem(pg.PlotCurveItem(*corners, pen=plotting.pen(colour, width, style), antialias=True, connect="finite"))
    if len(errors) <= MOST_DOTS:
        plot.addItem(_dots(x, errors, colour))


def _draw_failed(plot: pg.PlotWidget, drawn: Drawing, x: Numbers) -> None:
    """Splits that were tried in vain are grey."""
    if drawn.n_failed:
        colours = theme.current()
        grey = plotting.brush(theme.mix(colours.secondary, colours.card, 0.5))
        for errors in (drawn.train, drawn.validation):
            tried = x[-drawn.n_failed :], errors[-drawn.n_failed :]
            plot.addItem(pg.ScatterPlotItem(*tried, size=7, pen=plotting.pen(colours.card, 1), brush=grey))


def _dots(x: Numbers, errors: Numbers, colour: QColor) -> pg.ScatterPlotItem:
    size = 6 if len(errors) <= 60 else 4
    return pg.ScatterPlotItem(x, errors, size=size, pen=None, brush=plotting.brush(colour))


def _draw_band(plot: pg.PlotWidget, drawn: Drawing, x: Numbers) -> None:
    """The cross-validated error, one standard error up and down."""
    known = np.isfinite(drawn.cv) & np.isfinite(drawn.se)
    if known.sum() < 2:
        return
    edges = [stairs(*plotting.decimate(x[known], (drawn.cv + sign * drawn.se)[known])) for sign in (1, -1)]
    curves = [pg.PlotCurveItem(*edge) for edge in edges]
    band = pg.FillBetweenItem(*curves, brush=plotting.brush(theme.current().positive, 0.15))
    plot.addItem(band, ignoreBounds=True)


def _draw_hull(plot: pg.PlotWidget, drawn: Drawing, place: Callable[[Numbers], Numbers]) -> None:
    """The cost-complexity line: straight between its trees, as the convex hull of the front is."""
    leaves, errors = drawn.hull
    if not leaves.size:
        return
    leaves, errors = plotting.decimate(leaves, errors)
    between = np.linspace(0, len(leaves) - 1, PIECES * (len(leaves) - 1) + 1) if len(leaves) <= MOST_DOTS else None
    if between is not None:
        numbers = np.arange(len(leaves))
        leaves, errors = np.interp(between, numbers, leaves), np.interp(between, numbers, errors)
    pen = plotting.pen(theme.current().training, 1.5, Qt.PenStyle.DashLine)
    plot.addItem(pg.PlotCurveItem(place(leaves), errors, pen=pen, antialias=True, connect="finite"))


def _draw_front(plot: pg.PlotWidget, drawn: Drawing, place: Callable[[Numbers], Numbers]) -> None:
    leaves, errors = drawn.front
    if leaves.size:
        pen = plotting.pen(theme.current().training, 1)
        size = 7 if leaves.size <= 60 else 5 if leaves.size <= MOST_DOTS else 3
        brush = plotting.brush(theme.current().card)
        plot.addItem(pg.ScatterPlotItem(place(leaves), errors, size=size, pen=pen, brush=brush))


def error_range(errors: Numbers) -> tuple[float, float]:
    """The errors to show at first: from 0 to all of them; a closer look where a few small trees dwarf the rest, or all
    of them lie closer together than to 0."""
    if not len(errors) or not errors.max() > 0:
        return 0.0, 1.0
    low, usual, high = float(errors.min()), float(np.quantile(errors, 0.85)), float(errors.max())
    if 2 * low > high:
        margin = 0.15 * max(high - low, 0.1 * high)
        return low - margin, high + margin
    if high - low <= 5 * (usual - low) or usual == low:
        return min(0.0, 1.12 * low), 1.12 * high
    return max(0.0, low - (usual - low)), low + 2.5 * (usual - low)


def stairs(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """The corners of a stair line that keeps each y until the next x."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
