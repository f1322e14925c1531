"""What is drawn around the bars of levels: the strip of their branches, and which levels are chosen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from gui import theme
from gui.panels.this_node.split.tones import branch_tone
from gui.widgets import plotting

if TYPE_CHECKING:
    from gui.panels.this_node.split.plot import SplitPlot

NUMBERED = 14  # pixels that a cell of the strip needs for its number
HIGH = 1.12  # of the highest bar: up to where the axis goes
GAP, STRIP = 2, 15  # pixels between the axis and the strip, and its height


class LevelMarks:
    """The strip and the choice; all heights follow the highest bar that is seen."""

    def __init__(self, plot: SplitPlot) -> None:
        self._plot = plot
        self._branches: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._n = 0
        self._chosen: tuple[int, ...] = ()
        self._current: int | None = None
        self._items: list[pg.GraphicsObject] = []

    def forget(self) -> None:
        """The plot was wiped."""
        self._items = []
        self._branches, self._chosen, self._current = np.empty(0, dtype=np.int64), (), None

    def show(self, branches: NDArray[np.int64], n: int) -> None:
        """The branch of each bar, of so many; −1 for none."""
        self._branches, self._n = branches, n
        self.draw()

    def choose(self, chosen: Iterable[int], current: int | None) -> None:
        """Which bars are chosen, and on which one the keys stand."""
        now = (tuple(sorted(chosen)), current)
        if now != (self._chosen, self._current):
            self._chosen, self._current = now
            self.draw()

    def draw(self) -> None:
        """Everything anew, for the part of the axis that is seen."""
        for item in self._items:
            self._plot.removeItem(item)
        self._items = []
        bars = self._plot.bars
        if bars is None or len(self._branches) != len(bars.left):
            return
        low, high = self._plot.getViewBox().viewRange()[0]
        seen = (bars.right > low) & (bars.left < high)
        top = float(bars.totals[seen].max(initial=0.0)) or 1.0
        pixel = HIGH * top / max(self._plot.getViewBox().height() - GAP - STRIP - 1, 1.0)
        deep, upper, lower = ((GAP + STRIP + 1) * pixel, GAP * pixel, (GAP + STRIP) * pixel)
        self._plot.setYRange(-deep, HIGH * top, padding=0)
        self._draw_choice(-deep, HIGH * top - pixel)
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
