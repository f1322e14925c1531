"""What all plots share: quiet axes in the theme's colours, and never more points than a screen can show."""

import math
from collections.abc import Iterable
from html import escape
from itertools import pairwise, takewhile
from typing import Any

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen

from gui import theme
from gui.widgets.building import Reaction, later, named
from gui.wording import words

MOST_POINTS = 2000
BETWEEN_TICKS = 8  # pixels, at least, between the words of two ticks
Floats = NDArray[np.float64]
NARROWEST_NAME = 40  # pixels into which a level's name may be squeezed before every second one is left out
WIDEST_NAME = 80  # pixels of a name beside which others are left out


class UnhurriedPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that leaves a turn of the event loop between drawing and painting: both together would take too long."""

    def __init__(self, **how: Any) -> None:
        super().__init__(enableMenu=False, **how)
        self._soon = later(self, self.viewport().update, 1)

    def paint_later(self) -> None:
        """What is drawn in this turn is painted in the next one."""
        self._soon.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._soon.isActive():
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(theme.current().card))
        painter.end()


class NumberAxis(pg.AxisItem):  # type: ignore[misc]
    """Ticks in the words of the window, with as many decimals as their distance needs; never “×1000”."""

    whole = False  # ticks stand on whole numbers only, as for counts of rows

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        levels = super().tickSpacing(low, high, size)
        return [(max(1.0, spacing), start) for spacing, start in levels[:1]] if self.whole else levels

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.whole:  # there are no fewer rows than none, even where something is drawn below the axis
            return [words.count(round(value)) if value >= 0 else "" for value in values]
        return [tick_words(value, spacing) for value in values]


class ErrorAxis(pg.AxisItem):  # type: ignore[misc]
    """Errors as percentages, or as plain numbers for a numeric target."""

    by_share = True

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.by_share:
            return [tick_words(value, spacing) for value in values]
        places = max(0, -math.floor(math.log10(100 * spacing) + 1e-9)) if spacing > 0 else 0
        return [words.percent(value, places) for value in values]


class LevelAxis(pg.AxisItem):  # type: ignore[misc]
    """Names below bars that stand on 0, 1, 2, …: shortened to their room, and only every n-th, less shortened, where
    there is none."""

    labels: tuple[str, ...] = ()  # one name per bar
    _room = 0  # pixels for one name

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        widest = max(map(tick_metrics(self).horizontalAdvance, self.labels), default=1)
        each = size / max(high - low, 1e-9)
        step = max(1, math.ceil((min(widest, NARROWEST_NAME) + 8) / max(each, 1e-9)))
        if step > 1:  # names are left out: the others can as well be read
            step = math.ceil((min(widest, WIDEST_NAME) + 8) / max(each, 1e-9))
        self._room = math.ceil(step * each) - 8
        first, last = max(0, math.ceil(low)), min(len(self.labels) - 1, math.floor(high))
        return [(float(step), [float(i) for i in range(first, last + 1) if i % step == 0])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        elide = tick_metrics(self).elidedText
        return [elide(self.labels[round(value)], Qt.TextElideMode.ElideMiddle, self._room) for value in values]


class UprightLevels(LevelAxis):
    """Names of levels beside a vertical axis, one above the other; every n-th where there is no room."""

    _widest = 110  # pixels

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        each = size / max(high - low, 1e-9)
        step = max(1, math.ceil(tick_metrics(self).height() / max(each, 1e-9)))
        self._room = self._widest
        first, last = max(0, math.ceil(low)), min(len(self.labels) - 1, math.floor(high))
        return [(float(step), [float(i) for i in range(first, last + 1) if i % step == 0])]


def tick_metrics(axis: pg.AxisItem) -> QFontMetrics:
    return QFontMetrics(axis.style["tickFont"] or QGuiApplication.font())


def apart(axis: pg.AxisItem, marks: list[float], texts: list[str], each: float) -> bool:
    """Whether no two neighbouring texts below a horizontal axis touch; `each`: pixels per unit of the axis."""
    halves = [tick_metrics(axis).horizontalAdvance(text) / 2 for text in texts]
    pairs = zip(pairwise(marks), pairwise(halves), strict=True)
    return all((right - left) * each >= sum(room) + BETWEEN_TICKS for (left, right), room in pairs)


def short(name: str, most: int = 16) -> str:
    """A name with its middle left out where it is longer than `most` letters."""
    tail = most // 3
    return name if len(name) <= most else f"{name[: most - tail - 1]}…{name[-tail:]}"


def telling(names: tuple[str, ...], least: int = 5) -> tuple[str, ...]:
    """The names without what they begin and end with, all of them, where that is at least so many letters."""
    if len(names) < 2:
        return names
    head = _common(names)
    tail = _common(name[len(head) :][::-1] for name in names)[::-1]
    head = head if len(head) >= least else ""
    tail = tail if len(tail) >= least else ""
    return tuple(name[len(head) : len(name) - len(tail)].strip() or name for name in names)


def _common(names: Iterable[str]) -> str:
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def tick_words(value: float, spacing: float) -> str:
    """A tick's number; `spacing` is the distance to the next one. Thousands are grouped from 10,000 on."""
    if not spacing > 0 or abs(value) >= 1e9 or spacing < 1e-6:
        return words.value(value)
    places = max(0, -math.floor(math.log10(spacing) + 1e-9))
    text = f"{value:,.{places}f}" if abs(value) >= 10_000 else f"{value:.{places}f}"
    return text.replace("-", words.MINUS) if text.strip("-0.") else text.lstrip("-")


def set_up(plot: pg.PlotWidget, name: str, spoken: str) -> None:
    """Makes an empty plot quiet: object name `name`, `spoken` for screen readers, zoom along x."""
    named(plot, name, spoken)
    plot.setFrameShape(pg.PlotWidget.Shape.NoFrame)
    plot.hideButtons()
    plot.getViewBox().setMouseEnabled(x=True, y=False)
    for side in ("left", "bottom", "right"):
        plot.getAxis(side).enableAutoSIPrefix(False)
    Reaction(plot, lambda: _take_letters(plot), QEvent.Type.FontChange)  # as text size and presentation change them
    restyle(plot)


def _take_letters(plot: pg.PlotWidget) -> None:
    """Gives axes and names the letters of the window; names keep those that they began with by themselves."""
    if plot.plotItem is None:  # a plot that was closed still hears of letters
        return
    restyle(plot)
    for item in plot.scene().items():
        if isinstance(item, pg.TextItem):
            letters = QFont(QGuiApplication.font())
            letters.setBold(item.textItem.font().bold())
            item.setFont(letters)


def restyle(plot: pg.PlotWidget) -> None:
    """Gives background and axes the colours of the theme and the letters of the window."""
    colours = theme.current()
    plot.setBackground(QColor(colours.card))
    for side in ("left", "bottom", "right"):
        style_axis(plot.getAxis(side))


def style_axis(axis: pg.AxisItem) -> None:
    colours, letters = theme.current(), QGuiApplication.font()
    line, ink = pen(colours.border, 1), QColor(colours.secondary)
    if axis.pen() == line and axis.textPen().color() == ink and axis.style["tickFont"] == letters:
        return  # each of the following lays the axis out again
    axis.setPen(line)
    axis.setTextPen(ink)
    axis.setStyle(tickLength=4, tickTextOffset=6, tickFont=letters)
    axis.label.setFont(letters)
    if axis.label.isVisible():
        axis.setLabel(axis.labelText, color=ink.name())  # which makes room for it


def name_axis(axis: pg.AxisItem, text: str) -> None:
    size = {"font-size": f"{QGuiApplication.font().pointSizeF():g}pt"}
    axis.setLabel(escape(text), color=QColor(theme.current().secondary).name(), **size)


def pen(colour: str | QColor, width: float = 1.5, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen of `width` pixels at any zoom."""
    made = QPen(QColor(colour), width, style)
    made.setCosmetic(True)
    return made


def brush(colour: str | QColor, alpha: float = 1.0) -> QBrush:
    ink = QColor(colour)
    ink.setAlphaF(ink.alphaF() * alpha)
    return QBrush(ink)


def decimate(x: Floats, y: Floats, most: int = MOST_POINTS) -> tuple[Floats, Floats]:
    """At most `most` points that look the same: the lowest and the highest of each run of neighbours. `x`: float64[n],
    ascending; `y`: float64[n], of which NaN is never chosen while its run holds a number."""
    n = len(x)
    if n <= most:
        return x, y
    length = -(-n // max(1, most // 2 - 1))
    whole = n - n % length
    kept = [_extremes(y[:whole].reshape(-1, length))]
    if whole < n:
        kept.append(whole + _extremes(y[None, whole:]))
    places = np.unique(np.concatenate(kept))
    return x[places], y[places]


def _extremes(runs: Floats) -> NDArray[np.intp]:
    """Where the lowest and the highest number of each row stand, counted through all rows."""
    low, high, rows = runs.argmin(axis=1), runs.argmax(axis=1), np.arange(len(runs))
    with_gaps = np.flatnonzero(np.isnan(runs[rows, low]))  # a NaN is both; only these few are looked at again
    if len(with_gaps):
        part = runs[with_gaps]
        low[with_gaps] = np.where(np.isnan(part), np.inf, part).argmin(axis=1)
        high[with_gaps] = np.where(np.isnan(part), -np.inf, part).argmax(axis=1)
    return np.concatenate([low, high]) + np.tile(rows * runs.shape[1], 2)


def inside(x: Floats) -> slice:
    """Where the finite numbers of an ascending array stand."""
    return slice(int(np.searchsorted(x, -np.inf, side="right")), int(np.searchsorted(x, np.inf, side="left")))


def key(colour: str, text: str, line: str, whole: bool = False) -> str:
    """What a line of a chart is, behind a piece of it if there is one, as rich text; `whole`: no line breaks in it."""
    piece, said = f'<span style="color:{colour}">{line}</span>&nbsp;' if line else "", escape(text)
    return piece + (said.replace(" ", "&nbsp;") if whole else said)
