"""The mean ± standard deviation of a numeric target over the bars of the split editor, on a scale of its own."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from gui import theme
from gui.panels.this_node.split.picture import Bars
from gui.widgets import plotting

MANY = 60  # dots: more are smaller
LOW, ROOM = 0.05, 0.9  # of the height of the plot: where the scale begins, and how much of it there is
FAINT = 0.45  # of a colour: what is around a mean


def places(bars: Bars, top: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the mean of each bar stands, float64[b], and the ends of its spread, float64[b, 2], between 0 and `top`.

    All spreads have room: the scale goes from the least to the largest of their ends. NaN for bars without rows.
    """
    ends = bars.means[:, None] + bars.spreads[:, None] * np.array([-1.0, 1.0])
    known = ends[np.isfinite(ends)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    step = top * ROOM / (high - low if high > low else 1.0)
    return top * LOW + step * (bars.means - low), top * LOW + step * (ends - low)


def items(bars: Bars, top: float) -> list[pg.GraphicsObject]:
    """What is drawn: a faint line as long as the spread, the line that joins the means of values, and their dots."""
    heights, ends = places(bars, top)
    known, colour = np.isfinite(heights), theme.current().positive
    thin = plotting.pen(colour, 1)
    spreads = pg.PlotCurveItem(np.repeat(bars.centres[known], 2), ends[known].ravel(), pen=thin, connect="pairs")
    spreads.setOpacity(FAINT)
    joined = 0 if bars.labels else len(heights) - bars.has_missing
    means = pg.PlotCurveItem(bars.centres[:joined], heights[:joined], pen=thin, connect="finite")
    look = {"size": 6 if known.sum() <= MANY else 3, "pen": None, "brush": plotting.brush(colour)}
    return [spreads, means, pg.ScatterPlotItem(bars.centres[known], heights[known], **look)]
