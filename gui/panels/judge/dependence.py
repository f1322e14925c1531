"""The chart of the panel What if: what the tree predicts on average where one column, or two, had other values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

import engine
from engine.runtime.sentences import tr
from engine.table.words import value_words
from gui import theme
from gui.model.what_if_tasks import Field, Values
from gui.widgets import plotting, scales, verbatim
from gui.widgets.scales import around
from gui.wording import words

AIR = 0.03  # of an axis, beyond the ends of the training rows
LOWEST = 90  # pixels
NAMED = 14  # lines; from this height on the lower axis has a name
PIXELS = 240  # of a map, along each axis
SHADES = 64  # of its colours
DEVIATIONS = 1.5  # a value so many deviations of the root away is drawn in full colour, as on the canvas
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shown:
    """What the chart draws: of one class, or of the number, and where the row of the form stands."""

    found: engine.Dependence
    fields: tuple[Field, ...]  # of the columns
    tree: engine.Tree
    focus: int
    values: Values  # of the row
    said: float  # what the tree predicts of it

    @property
    def k(self) -> int:
        return self.focus if self.tree.task == "classes" else 0

    @property
    def mean(self) -> Floats:
        """float64[pieces] or float64[pieces, pieces]."""
        return self.found.mean[..., self.k]

    def words(self, value: float) -> str:
        return words.rate(value) if self.tree.task == "classes" else words.value(value)


def sentences(shown: Shown) -> list[str]:
    """What the chart shows, on which rows, and what the missing value does."""
    found, tree = shown.found, shown.tree
    rows = words.count(found.n)
    what = tree.classes[shown.focus] if tree.task == "classes" else tree.target
    said = {"what": what, "n": rows}
    by_class = tree.task == "classes"
    if found.rows.size:
        every = tr("Bold: the prediction of {what}, on average over the {n} training rows.", **said)
        bold = (
            tr("Bold: the probability of {what}, on average over the {n} training rows.", **said) if by_class else every
        )
        some = tr("Thin: {n} of these rows, drawn at random.", n=words.count(found.rows.size))
        parts = [bold, tr("Thin: each of these rows.") if found.rows.size == found.n else some]
    else:
        every = tr("The prediction of {what}, on average over the {n} training rows.", **said)
        parts = [tr("The probability of {what}, on average over the {n} training rows.", **said) if by_class else every]
        low, high = (shown.words(float(end)) for end in (shown.mean.min(), shown.mean.max()))
        said = {"low": low, "high": high}
        parts.append(tr("From {low} to {high}; blue is below the average of all rows, orange above it.", **said))
    if len(found.axes) == 1 and shown.fields[0].is_numeric and shown.fields[0].has_missing:
        parts.append(tr("Where it is missing: {value}.", value=shown.words(float(shown.mean[-1]))))
    if all(len(axis) == 2 and not axis.levels for axis in found.axes):
        parts.append(tr("The tree does not ask it."))
    return parts


class _Axis:
    """An axis of a column: numbers as they are, levels on 0, 1, 2, …, the missing value as the last of these."""

    def __init__(self, field: Field, pieces: engine.Pieces) -> None:
        self.field, self.pieces = field, pieces
        self.labels = () if field.is_numeric else (*pieces.levels, *([tr("missing")] if field.has_missing else []))
        low, high = field.ends if field.is_numeric else (-0.5, len(self.labels) - 0.5)
        room = AIR * (high - low) if field.is_numeric else 0.0
        self.low, self.high = (low - room, high + room) if high > low else around(low, high)

    @property
    def kind(self) -> str:
        return "levels" if not self.field.is_numeric else "date" if self.field.kind == "date" else "number"

    @property
    def edges(self) -> Floats:
        """float64[m + 1]: where the pieces that are drawn begin and end."""
        if self.labels:
            return np.arange(len(self.labels) + 1, dtype=np.float64) - 0.5
        cuts = self.pieces.cuts
        return np.concatenate(([self.low], cuts[(cuts > self.low) & (cuts < self.high)], [self.high]))

    def piece_at(self, place: Floats) -> NDArray[np.int64]:
        """int64[n]: which pieces stand at some places."""
        if not self.labels:
            return np.searchsorted(self.pieces.cuts, place).astype(np.int64)
        at = np.rint(place).astype(np.int64)
        return np.where(at < len(self.pieces.levels), at, len(self.pieces) - 1)

    def place(self, value: float | str | None) -> float:
        """Where a value stands; NaN where it is not drawn."""
        if not self.labels:
            return min(max(float(value), self.low), self.high) if isinstance(value, float | int) else math.nan
        piece = self.pieces.find(value)
        known = 0 <= piece < len(self.pieces.levels) or (piece >= 0 and self.field.has_missing)
        return float(min(piece, len(self.labels) - 1)) if known else math.nan

    def text(self, place: float) -> str:
        if self.labels:
            return self.labels[min(max(round(place), 0), len(self.labels) - 1)]
        if self.kind == "date":
            return value_words(place, "day")
        return plotting.tick_words(place, (self.high - self.low) / PIXELS)


class DependenceChart(plotting.UnhurriedPlot):
    """Draws what depends on one column as steps, on two as a coloured map; the mouse tells the value at its place."""

    def __init__(self) -> None:
        super().__init__()
        plotting.set_up(self, "what_if_chart", tr("Prediction by the values of a column"))
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setMinimumSize(120, LOWEST)
        self._made: dict[str, dict[str, Any]] = {
            side: {
                "number": plotting.NumberAxis(side), "date": scales.DateAxis(side), "said": plotting.ErrorAxis(side),
                "levels": levels(side),
            }
            for side, levels in (("bottom", plotting.LevelAxis), ("left", plotting.UprightLevels))
        }  # fmt: skip
        self.shown: Shown | None = None
        self._drawn: tuple[object, ...] = ()  # what is drawn below the point of the row
        self._point = pg.ScatterPlotItem()
        self._axes: list[_Axis] = []
        self.scene().sigMouseMoved.connect(self._on_moved)

    def show_dependence(self, shown: Shown | None) -> None:
        self.shown = shown
        drawn = (shown.found, shown.k, theme.current().name, self.size(), self.fontMetrics().height()) if shown else ()
        if drawn and drawn == self._drawn and shown is not None:
            self._put_row(shown)  # while a value is pulled all else stays
            return
        self._drawn = drawn
        self.clear()
        plotting.restyle(self)
        if shown is None:
            self._axes = []
            return
        self._axes = [_Axis(*one) for one in zip(shown.fields, shown.found.axes, strict=True)]
        across = self._axes[0]
        self._use("bottom", across.kind, across.field.name, across.labels)
        if len(self._axes) == 1:
            self._draw_steps(shown, across)
        else:
            up = self._axes[1]
            self._use("left", up.kind, up.field.name, up.labels)
            self._draw_map(shown, across, up)
        self.addItem(self._point)
        self._put_row(shown)
        self.getAxis("bottom").showLabel(self.height() >= NAMED * self.fontMetrics().height())
        self.setXRange(across.low, across.high, padding=0)
        self.paint_later()

    def _use(self, side: str, kind: str, name: str, labels: tuple[str, ...] = ()) -> Any:
        axis = self._made[side][kind]
        if self.getAxis(side) is not axis:
            self.getPlotItem().setAxisItems({side: axis})
        axis.enableAutoSIPrefix(False)
        plotting.style_axis(axis)
        if isinstance(axis, plotting.LevelAxis):
            axis.labels = labels
        plotting.name_axis(axis, plotting.short(name, 24))
        return axis

    def _draw_steps(self, shown: Shown, across: _Axis) -> None:
        by_class = shown.tree.task == "classes"
        what = shown.tree.classes[shown.focus] if by_class else shown.tree.target
        self._use("left", "said", what).by_share = by_class
        edges, colours = across.edges, theme.current()
        pieces = across.piece_at((edges[:-1] + edges[1:]) / 2)
        x = np.repeat(edges, 2)[1:-1]
        curves = shown.found.curves[..., shown.k][:, pieces]
        if curves.size:
            each = np.column_stack((np.repeat(curves, 2, axis=1), np.full(len(curves), np.nan))).ravel()
            pen = plotting.pen(plotting.brush(colours.secondary, 0.2).color(), 1)
            self.addItem(pg.PlotCurveItem(np.tile(np.append(x, np.nan), len(curves)), each, pen=pen, connect="finite"))
        bold = plotting.pen(colours.text, 3)
        self.addItem(pg.PlotCurveItem(x, np.repeat(shown.mean[pieces], 2), pen=bold, connect="finite"))
        leaves = shown.tree.predictions[shown.tree.leaves] if not by_class else np.array([0.0, 1.0])
        low, high = float(leaves.min()), float(leaves.max())
        low, high = (low, high) if high > low else around(low, high)
        self.setYRange(low, high, padding=0.04)

    def _draw_map(self, shown: Shown, across: _Axis, up: _Axis) -> None:
        ends = [(axis.low, axis.high) for axis in (across, up)]
        steps = (np.arange(PIXELS) + 0.5) / PIXELS
        at = [axis.piece_at(low + (high - low) * steps) for axis, (low, high) in zip((across, up), ends, strict=True)]
        values, inks = shown.mean[np.ix_(*at)], _inks(shown)
        low, high = float(shown.mean.min()), float(shown.mean.max())
        shade = np.rint((values - low) / ((high - low) or 1.0) * (SHADES - 1)).astype(np.int64)
        image = pg.ImageItem(inks[shade], axisOrder="col-major")
        image.setRect(QRectF(ends[0][0], ends[1][0], ends[0][1] - ends[0][0], ends[1][1] - ends[1][0]))
        self.addItem(image)
        self.setYRange(*ends[1], padding=0)

    def _put_row(self, shown: Shown) -> None:
        """Puts the point of the row to its place; none where a value of it is not drawn."""
        at = [axis.place(shown.values.get(axis.field.name)) for axis in self._axes]
        y = at[1] if len(at) > 1 else shown.said
        known = math.isfinite(at[0]) and math.isfinite(y)
        pen, ink = plotting.pen(theme.current().card, 1.5), plotting.brush(theme.current().accent)
        self._point.setData([at[0]] if known else [], [y] if known else [], size=11, pen=pen, brush=ink)

    def text_at(self, where: QPointF) -> str:
        """What stands at a point of the scene, in words; empty outside the axes."""
        box, shown = self.getViewBox(), self.shown
        if shown is None or not self._axes or not box.sceneBoundingRect().contains(where):
            return ""
        place = box.mapSceneToView(where)
        at = list(zip(self._axes, (place.x(), place.y()), strict=False))
        pieces = tuple(int(axis.piece_at(np.array([value]))[0]) for axis, value in at)
        given = ", ".join(f"{axis.field.name} = {axis.text(value)}" for axis, value in at)
        return tr("{values}: {prediction} on average", values=given, prediction=shown.words(float(shown.mean[pieces])))

    def _on_moved(self, where: QPointF) -> None:
        self.setToolTip(verbatim.tip(self.text_at(where)))


def _inks(shown: Shown) -> NDArray[np.uint8]:
    """uint8[SHADES, 4]: the colours from the least mean to the largest; white is the average of all training rows."""
    tree, colours = shown.tree, theme.current()
    values = np.linspace(float(shown.mean.min()), float(shown.mean.max()), SHADES)
    if tree.task == "classes":
        root = float(tree.probabilities[0, shown.focus])
        inks = [colours.diverging(float(value), root) for value in values]
    else:
        weight, _, squares = tree.train[0]
        reach = DEVIATIONS * math.sqrt(float(squares / weight)) if weight > 0 and squares > 0 else math.inf
        inks = [colours.scale((float(value) - float(tree.predictions[0])) / reach) for value in values]
    return np.array([QColor(ink).getRgb() for ink in inks], np.uint8)
