"""One chart of the panel Curves: all parts of the rows in it, the training rows thin and grey."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent

from engine.runtime.sentences import tr
from gui import theme
from gui.model.assessing import Fits
from gui.panels.judge.charts import CHARTS, MOST_LEAVES, Chart, Curve, amount, best_words, figure
from gui.panels.judge.figure_words import FOLDS, PARTS
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction
from gui.widgets.scales import around
from gui.wording import words

SAME = 1e-12  # probabilities that differ by less are equal
NEAR = 24.0  # pixels from a point within which the mouse means it
NAMED = 12  # lines; from this height on the lower axis has a name
LOWEST = 80  # pixels
AIR = 0.03  # of the axes around what is drawn
LINES = {
    "train": ("─", 1.2),
    "folds": ("┄", 2.0),
    "validation": ("━", 2.5),
    "test": ("╍", 2.5),
}  # by part: how its line looks, in pixels


def colour(part: str) -> QColor:
    now = theme.current()
    return {"train": now.training, "folds": now.secondary, "validation": now.validation, "test": now.text}[part]


class CurveChart(plotting.UnhurriedPlot):
    """Draws one chart of fits; the mouse tells the point that it is near to. Of two classes a line stands at the
    threshold, which the mouse drags and the arrow keys move from leaf to leaf."""

    moved = Signal(float)  # the threshold is being moved. arg: where it is
    let_go = Signal()  # it stays there

    def __init__(self, name: str) -> None:
        self._axes = {side: plotting.ErrorAxis(side) for side in ("left", "bottom")}
        super().__init__(axisItems=self._axes)
        plotting.set_up(self, name, tr("Chart of the tree's figures"))
        for axis in self._axes.values():
            axis.setStyle(hideOverlappingLabels=False)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setMinimumSize(120, LOWEST)
        self.curves: dict[str, Curve] = {}
        self.chart: Chart | None = None
        self.label = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.marker: pg.InfiniteLine | None = None
        self._threshold: float | None = None
        Reaction(self, self._fit_axis, QEvent.Type.Resize, QEvent.Type.FontChange)
        self.scene().sigMouseMoved.connect(self._on_moved)

    def show_fits(self, fits: Fits, kind: str, label: str, threshold: float | None) -> None:
        """Draws a kind of chart; `label` is the class against the rest. `threshold`: None where there is none."""
        self.chart = chart = CHARTS[kind]
        self.curves, self.label = {part: chart.curve(fit, label) for part, fit in fits.items()}, label
        self.clear()
        plotting.restyle(self)
        for (side, text), shares in zip((("bottom", chart.across), ("left", chart.up)), chart.shares, strict=True):
            self._axes[side].by_share = shares
            unit = next((c.unit for c in self.curves.values() if c.unit), "") if side == "left" else ""
            plotting.name_axis(self._axes[side], f"{tr(text)} ({unit})" if unit else tr(text))
        self._frame()
        self._draw_base(fits)
        for part, curve in self.curves.items():
            (self._draw_dots if curve.nodes.size else self._draw_line)(part, curve)
        self._draw_marker()
        self.show_threshold(threshold)
        self._fit_axis()
        self.paint_later()

    def _draw_marker(self) -> None:
        ink = theme.current().accent
        self.marker = pg.InfiniteLine(
            angle=90, movable=True, pen=plotting.pen(ink, 1.5, Qt.PenStyle.DashLine), hoverPen=plotting.pen(ink, 3)
        )
        self.marker.sigDragged.connect(lambda line: self.moved.emit(self.threshold_at(float(line.value()))))
        self.marker.sigPositionChangeFinished.connect(self._on_let_go)
        self.marker.hide()
        self.addItem(self.marker, ignoreBounds=True)

    def _on_let_go(self) -> None:
        self.let_go.emit()
        self.show_threshold(self._threshold)  # from where the mouse was to the leaf that it means

    @property
    def _main(self) -> Curve | None:
        """The curve of the rows that say most."""
        own = [curve for part, curve in self.curves.items() if part != FOLDS]
        return own[-1] if own and self.chart and self.chart.of == "classes" else None

    def show_threshold(self, threshold: float | None) -> None:
        """Moves the line to where a threshold stands; None takes it away."""
        self._threshold, curve, marker = threshold, self._main, self.marker
        if marker is None:
            return
        there = threshold is not None and curve is not None and bool(curve.threshold.size or curve.nodes.size)
        marker.setVisible(there)
        if threshold is None or curve is None or not there or marker.moving:
            return
        place = max(int(np.count_nonzero(curve.threshold >= threshold - SAME)) - 1, 0)
        marker.setValue(threshold if self._by_probability else float(curve.along[place]))

    def threshold_at(self, x: float) -> float:
        """Which threshold is meant at a place of the axis: the probability of the leaf that is nearest."""
        curve = self._main
        if curve is None or self._by_probability:
            return min(max(x, 0.0), 1.0)
        return min(1.0, float(curve.threshold[np.argmin(np.abs(curve.along - x))]))

    @property
    def _by_probability(self) -> bool:
        """Whether the lower axis shows probabilities."""
        curve = self._main
        return curve is not None and bool(curve.nodes.size or (curve.along.size and curve.along[0] > curve.along[-1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left calls fewer rows the class on the curves, right more; along the axis of probabilities, as it says."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        curve = self._main
        if step is None or curve is None or self._threshold is None:
            super().keyPressEvent(event)
            return
        steps = np.unique(np.clip(curve.threshold if curve.threshold.size else curve.x, 0.0, 1.0))
        up = step if self._by_probability else -step
        further = steps[steps > self._threshold + SAME] if up > 0 else steps[steps < self._threshold - SAME][::-1]
        if further.size:
            self.moved.emit(float(further[0]))

    def _fit_axis(self) -> None:
        """The outermost figures of the axes are whole; there is a name below where there is room."""
        metrics = self.fontMetrics()
        self.getPlotItem().setContentsMargins(0, metrics.height() / 2, metrics.horizontalAdvance("100 %") / 2, 0)
        self._axes["bottom"].showLabel(self.height() >= NAMED * self.fontMetrics().height())

    def _frame(self) -> None:
        """The axes reach over all that is drawn; shares from 0 to 1."""
        chart = self.chart
        assert chart is not None
        drawn = [(c.x, np.concatenate((c.y, *(s.ravel() for s in c.spans)))) for c in self.curves.values()]
        for k, shares in enumerate(chart.shares):
            values = np.concatenate([each[k] for each in drawn] or [np.zeros(0)])
            values = values[np.isfinite(values)]
            low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
            low, high = (0.0, 1.0) if shares else (min(low, 0.0), high) if chart.of == "classes" else (low, high)
            low, high = (low, high) if high > low else around(low, high)
            (self.setXRange, self.setYRange)[k](low, high, padding=AIR)

    def _draw_base(self, fits: Fits) -> None:
        """What a tree that knows nothing would draw, by the rows that say most."""
        if not fits or self.chart is None:
            return
        low, high = self.chart.base([*fits.values()][-1], self.label)
        (left, right), _ = self.getViewBox().viewRange()
        ends = (0.0, 1.0) if self.chart.shares[0] else (low, high) if low < high else (left, right)
        pen = plotting.pen(theme.current().border, 1.5, Qt.PenStyle.DashLine)
        self.addItem(pg.PlotCurveItem(np.array(ends), np.array((low, high)), pen=pen))

    def _draw_line(self, part: str, curve: Curve) -> None:
        style = {"test": Qt.PenStyle.DashLine, "folds": Qt.PenStyle.DotLine}.get(part, Qt.PenStyle.SolidLine)
        pen = plotting.pen(colour(part), LINES[part][1], style)
        x, y = (np.repeat(curve.x, 2)[1:-1], np.repeat(curve.y, 2)) if curve.steps else (curve.x, curve.y)
        self.addItem(pg.PlotCurveItem(*plotting.decimate(x, y), pen=pen))
        if curve.best >= 0:
            at, brush = curve.best, plotting.brush(colour(part))
            self.addItem(pg.ScatterPlotItem(curve.x[at + 1 : at + 2], curve.y[at : at + 1], size=9, brush=brush))

    def _draw_dots(self, part: str, curve: Curve) -> None:
        ink, strong = colour(part), part != "train"
        for k, span in enumerate(curve.spans):
            if strong or k:  # of training rows the wide ones would cover the others
                x, y = np.repeat(curve.x, 2), span.ravel()
                pen = plotting.pen(plotting.brush(ink, 0.45 + 0.3 * k).color(), 1 + 2 * k)
                self.addItem(pg.PlotCurveItem(x, y, pen=pen, connect="pairs"))
        size, brush = (7, plotting.brush(ink)) if strong else (4, plotting.brush(ink, 0.7))
        pen = plotting.pen(theme.current().card, 1)
        self.addItem(pg.ScatterPlotItem(curve.x, curve.y, size=size, pen=pen, brush=brush))

    def nearest(self, where: QPointF, parts: tuple[str, ...] = ()) -> tuple[str, int] | None:
        """The part and the place of the point that a point of the scene is nearest to; None far from all."""
        box, best = self.getViewBox(), (NEAR, "", -1)
        width, height = box.viewPixelSize()
        at = box.mapSceneToView(where)
        for part, curve in self.curves.items():
            if curve.y.size and (not parts or part in parts):
                x = (curve.x[:-1] + curve.x[1:]) / 2 if curve.steps else curve.x
                apart = np.hypot((x - at.x()) / width, (curve.y - at.y()) / height)
                place = int(np.argmin(apart))
                best = min(best, (float(apart[place]), part, place))
        return (best[1], best[2]) if best[1] else None

    def text_at(self, where: QPointF) -> str:
        """What stands at a point of the scene, in words; empty far from everything."""
        found = self.nearest(where) if self.chart is not None else None
        if found is None or self.chart is None:
            return ""
        part, place = found
        curve = self.curves[part]
        texts = [words.percent if shares else lambda y: amount(y, curve) for shares in self.chart.shares]
        x = curve.x[place + 1] if curve.steps else curve.x[place]
        said = [
            f"{tr(self.chart.across)}: {texts[0](float(x))}",
            f"{tr(self.chart.up)}: {texts[1](float(curve.y[place]))}",
        ]
        if curve.nodes.size:
            said.insert(0, tr("leaf #{node}", node=int(curve.nodes[place])))
        elif not curve.steps and np.isfinite(curve.threshold[place]):
            said.append(
                tr("{name} from {share} on", name=self.label, share=words.percent(float(curve.threshold[place])))
            )
        return "\n".join([tr(PARTS[part]), *said])

    def _on_moved(self, where: QPointF) -> None:
        self.setToolTip(verbatim.tip(self.text_at(where)))


def keys(fits: Fits, label: str, sure: tuple[str, ...]) -> str:
    """What the lines are, as rich text, with one figure each; `sure`: see `Assessing.sure`."""
    said = (
        plotting.key(
            colour(part).name(), f"{tr(PARTS[part])} {figure(fit, label, part in sure)}", LINES[part][0], whole=True
        )
        for part, fit in fits.items()
    )
    return " &nbsp; ".join(said)


def sentence(kind: str, label: str, curves: dict[str, Curve]) -> str:
    """What a chart shows, and of how many leaves."""
    said = tr(CHARTS[kind].sentence, name=label) + "."
    said = " ".join(filter(None, (said, *map(best_words, curves.values()))))
    most = max((curve.n_leaves for curve in curves.values()), default=0)
    if most > MOST_LEAVES:
        said += " " + tr(
            "The {some} largest of {n} leaves are drawn.", some=words.count(MOST_LEAVES), n=words.count(most)
        )
    return said
