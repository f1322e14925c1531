"""The impurity figure: a node and its branches on the curve of a criterion, and the chord whose depth is the drop.
Below it stands the sentence about the training error, or the sweep of the threshold, which draws the gains."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

import engine
from engine.criteria import DEFAULT, curve_scale
from engine.criteria.criterion import SUMS
from engine.runtime.sentences import tr
from gui import theme
from gui.canvas import motion
from gui.panels.this_node.why import words as why_words
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction, fill
from gui.widgets.scales import DateAxis
from gui.wording import words

MEANS = DEFAULT["number"]  # the criterion whose curve is over means instead of shares
MOST_NAME = 20  # letters of a class beside the drop
SPREAD = 1.5  # how far the parabola is drawn: standard deviations of the node
BEYOND = 1.2  # times the farthest branch, at least
LOWEST, ASIDE, DOT = 90, 7, 4  # pixels: the height; from a point to its name; half of a point
NAMED_AXES = 130  # pixels of height, from which on the axes say what they show
NAMED_BRANCHES = 6  # more points carry no names
NEAR = 5e-4  # shares that are said by the same three digits
TOP = 0.63  # of the vertical axis of impurities; their curves end at ½
BELOW = (0.5, 1.5, 2.5)  # how far below its segment the drop is named where it is crowded, in heights of the text
AWAY = (40, 70, 100)  # pixels from its segment to the drop where there is no room beside it or below
ABOVE = (-1.5, -2.0, -2.5)  # the same of a branch, whose name goes up
FIGURE_DUE = 124  # pixels of height: the sentence takes none of them
SECONDS, FRAME = 6.0, 25  # of a sweep; milliseconds from one picture to the next
SWEEP = 84  # pixels


@dataclass(frozen=True)
class Point:
    """A node on the curve: where (a share or a mean), how high, its share of the rows, and its name."""

    x: float
    y: float
    share: float
    name: str


@dataclass(frozen=True)
class Geometry:
    """What the figure shows."""

    chosen: str  # the criterion whose curve is strong
    curves: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]  # by name, (x, y)
    node: Point
    branches: tuple[Point, ...]
    mean: float  # the height of the chord at the node
    drop: float  # of the arithmetic, in the criterion's own unit, unless the figure asks another question
    axis: str  # what runs along the horizontal axis
    height: str  # and along the other one
    remark: str  # what has to be said so that nobody reads too much into it
    question: str = ""  # "“Gentoo” alone"; empty where the figure is of the whole split
    scale: float = 1.0  # the heights are those of the criterion times this, so that all curves meet at ½

    @property
    def over_means(self) -> bool:
        """Whether it is that of a numeric target, over means instead of shares."""
        return self.chosen == MEANS

    @property
    def mirrored(self) -> bool:
        """Whether the names of the curves stand at the right, because the points stand at the left."""
        return not self.over_means and self.node.x < 0.5


@cache
def _curves() -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    found = engine.curves_over_q()
    return {name: (found["q"], found[name]) for name in found if name != "q"}


def geometry(found: engine.Candidate, criterion: str, tree: engine.Tree, focus: int) -> Geometry | str:
    """The figure of a candidate, or why there is none."""
    stats = np.stack(found.train)
    if tree.task == "number":
        if engine.CRITERIA[criterion].statistic != SUMS:
            label, usual = (tr(engine.CRITERIA[name].label) for name in (criterion, DEFAULT[tree.task]))
            return tr(
                "{criterion} is no function of a node's mean, so there is no curve to draw; choose {usual} for one.",
                criterion=label, usual=usual,
            )  # fmt: skip
        drawn = _parabola(stats, tree)
    else:
        drawn = _of_classes(stats, criterion, tree, focus)
    if isinstance(drawn, str) or drawn.question:
        return drawn
    return replace(drawn, drop=max(engine.arithmetic(found, criterion).drop, 0.0))


def _of_classes(stats: NDArray[np.float64], criterion: str, tree: engine.Tree, focus: int) -> Geometry:
    """The focus class against the rest; where it has no row in the node, the class that has most."""
    here = stats.sum(axis=0)
    focus = focus if here[focus] > 0 or len(tree.classes) == 2 else int(here.argmax())
    chosen = engine.CRITERIA[criterion].measures or criterion
    one, scale = engine.CRITERIA[chosen], curve_scale(chosen)
    two = np.column_stack([stats[:, focus], stats.sum(axis=1) - stats[:, focus]])
    points = [_point(chosen, row, two.sum(), f"{b + 1}") for b, row in enumerate(two) if row.sum() > 0]
    if len(points) == 2:
        points = [Point(one.x, one.y, one.share, name) for one, name in zip(points, "pr", strict=True)]
    node = _point(chosen, two.sum(axis=0), two.sum(), "q")
    mean = math.fsum(one.share * one.y for one in points)
    drop = (node.y - mean) * (1.0 / scale)
    remarks, question, name = [], "", tree.classes[focus]
    if len(tree.classes) > 2:
        brief = name if len(name) <= MOST_NAME else name[: MOST_NAME - 1] + "…"
        question, asked = tr("“{class_name}” alone", class_name=brief), {"class_name": name, "n": len(tree.classes)}
        text = tr(
            "The figure asks only for “{class_name}” against the rest: no single q tells a node of {n} classes. "
            "Its drop is that of this question, the sum has all classes.", **asked,
        )  # fmt: skip
        remarks.append(text)
    said = {"criterion": tr(one.label), "unit": one.unit or tr("value"), "factor": f"{scale:.3g}"}
    if scale == 0.5:
        remarks.append(tr("{criterion} is drawn at half its {unit}, so that all curves meet at ½.", **said))
    elif scale != 1.0:
        remarks.append(tr("{criterion} is drawn at {factor} times its {unit}, so that all curves meet at ½.", **said))
    axis, said_all = tr("share of “{class_name}”", class_name=name), " ".join(remarks)
    height = _height(chosen)
    return Geometry(
        chosen, _curves(), node, tuple(points), mean, max(drop, 0.0), axis, height, said_all, question, scale
    )


def _height(criterion: str) -> str:
    """What the vertical axis shows, with its unit."""
    unit = engine.CRITERIA[criterion].unit
    return tr("impurity in {unit}", unit=unit) if unit else tr("impurity")


def share_of_first(p: float, q: float, r: float) -> float:
    """The share of a node's rows that go into the branch p, where q, between p and r, is the share of a class in the
    node; of equal branches any share will do: ½."""
    return (r - q) / (r - p) if p != r else 0.5


def of_shares(criterion: str, p: float, q: float, r: float) -> Geometry:
    """The figure of any node of two classes: q of its rows are of one of them, p and r of those of its branches."""
    scale, share = curve_scale(criterion), share_of_first(p, q, r)
    first, node, second = (
        Point(x, engine.scaled_impurity(criterion, [x, 1.0 - x]), part, name)
        for x, part, name in ((p, share, "p"), (q, 1.0, "q"), (r, 1.0 - share, "r"))
    )
    mean = share * first.y + (1.0 - share) * second.y
    drop = max(node.y - mean, 0.0) / scale
    axis, height = tr("share of one class"), _height(criterion)
    return Geometry(criterion, _curves(), node, (first, second), mean, drop, axis, height, "", scale=scale)


def _point(criterion: str, counts: NDArray[np.float64], total: float, name: str) -> Point:
    weight = float(counts.sum())
    x = float(counts[0]) / weight
    return Point(x, engine.scaled_impurity(criterion, counts), weight / float(total), name)


def _parabola(stats: NDArray[np.float64], tree: engine.Tree) -> Geometry | str:
    """The variance of a numeric target: V − (m − mean)², on which the branches stand by their means. The chord at the
    node's mean is V − Σ share · (mᵦ − mean)², exactly the mean variance of the branches."""
    stats = stats[stats[:, 0] > 0]
    shares = stats[:, 0] / stats[:, 0].sum()
    means = stats[:, 1] / stats[:, 0]
    mean = float(shares @ means)
    drop = float(shares @ (means - mean) ** 2)
    variance = float(stats[:, 2].sum() / stats[:, 0].sum()) + drop
    farthest = float(np.abs(means - mean).max())
    reach = max(SPREAD * math.sqrt(variance), BEYOND * farthest)  # the axes stand still while most cuts are dragged
    if not farthest > 0:
        return tr("All branches have the mean of the node: the chord is a point, and the drop is 0.")
    x = np.linspace(mean - reach, mean + reach, 121)
    y = variance - (x - mean) ** 2
    names = "pr" if len(means) == 2 else [str(b + 1) for b in range(len(means))]
    points = tuple(
        Point(float(m) + tree.origin, variance - float(m - mean) ** 2, float(share), name)
        for m, share, name in zip(means, shares, names, strict=True)
    )
    return Geometry(
        MEANS, {MEANS: (x + tree.origin, y)}, Point(mean + tree.origin, variance, 1.0, "q"), points,
        variance - drop, drop, tr("mean of {target}", target=tree.target), tr("variance"), "",
    )  # fmt: skip


class Figure(plotting.UnhurriedPlot):
    """Draws a `Geometry`; showing another one moves what is there, at the speed of a hand."""

    def __init__(self) -> None:
        super().__init__(axisItems={side: plotting.NumberAxis(side) for side in ("left", "bottom")})
        spoken = tr("Impurity over the share of a class: node, branches, and the chord between")
        plotting.set_up(self, "why_figure", spoken)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setMinimumSize(160, LOWEST)
        self.shown: Geometry | None = None
        self._curves: dict[str, pg.PlotCurveItem] = {}
        self._names: dict[str, tuple[pg.TextItem, tuple[float, float]]] = {}  # of the curves, and their anchors
        self._key: tuple[object, ...] = ()
        self.chord = pg.PlotCurveItem(connect="pairs", antialias=True)
        self.segment = pg.PlotCurveItem(antialias=True)
        self.points = pg.ScatterPlotItem(useCache=False)  # files have circles, not their pictures
        self.guides = pg.PlotCurveItem(connect="pairs")  # from the node and its chord to the axis
        self.bracket = pg.PlotCurveItem(antialias=True)  # the drop on the axis
        self.labels: list[pg.TextItem] = []
        self.drop = pg.TextItem()
        self.getViewBox().sigResized.connect(self._on_room_changed)
        Reaction(self, self._on_font_changed, QEvent.Type.FontChange)

    def forget(self) -> None:
        self.shown, self._key = None, ()
        self.clear()

    def show_geometry(self, shown: Geometry) -> None:
        key: tuple[object, ...] = (shown.chosen, shown.axis, id(theme.current()), shown.mirrored)
        if shown.over_means:
            key += (float(shown.curves[MEANS][0][0]), shown.node.y)
        if key != self._key:
            self._begin(shown)
            self._key = key
        self.shown = shown
        colours = theme.current()
        pairs = [(end.x, end.y) for point in shown.branches for end in (point, Point(shown.node.x, shown.mean, 1, ""))]
        self.chord.setData([x for x, _ in pairs], [y for _, y in pairs])
        self.segment.setData([shown.node.x] * 2, [shown.node.y, shown.mean])
        looks = [(plotting.brush(colours.accent), plotting.pen(colours.card, 1))] * len(shown.branches)
        looks.append((plotting.brush(colours.card), plotting.pen(colours.text, 2)))
        spots = zip((*shown.branches, shown.node), looks, strict=True)
        made = [{"pos": (at.x, at.y), "size": 9, "brush": brush, "pen": pen} for at, (brush, pen) in spots]
        self.points.setData(made)
        self._name_points(shown)
        self._mark_axis(shown)

    def _begin(self, shown: Geometry) -> None:
        colours = theme.current()
        self.paint_later()
        self.clear()
        plotting.restyle(self)
        self._curves, self._names, self.labels = {}, {}, []
        for name, (x, y) in shown.curves.items():
            strong = name == shown.chosen
            ink = colours.text if strong else theme.mix(colours.secondary, colours.card, 0.45)
            curve = pg.PlotCurveItem(x, y, pen=plotting.pen(ink, 2.5 if strong else 1), antialias=True)
            curve.setZValue(2 if strong else 1)
            self.addItem(curve)
            self._curves[name] = curve
            if name != MEANS:
                self._name_curve(name, shown, strong)
        self.chord.setPen(plotting.pen(colours.accent, 1.5))
        self.segment.setPen(plotting.pen(colours.accent, 4))
        self.guides.setPen(plotting.pen(colours.secondary, 1, Qt.PenStyle.DotLine))
        self.bracket.setPen(plotting.pen(colours.accent, 4))
        items = (0, self.guides), (0.5, self.bracket), (3, self.chord), (4, self.segment), (8, self.points)
        for z, item in items:
            item.setZValue(z)
            self.addItem(item)
        self.drop = pg.TextItem(color=QColor(colours.accent), fill=plotting.brush(colours.card, 0.9))
        self.drop.setZValue(7)
        self.addItem(self.drop, ignoreBounds=True)
        plotting.name_axis(self.getAxis("bottom"), shown.axis)
        plotting.name_axis(self.getAxis("left"), shown.height)
        for side in ("bottom", "left"):
            self.getAxis(side).showLabel(self.height() >= NAMED_AXES)
        if shown.over_means:
            x, y = shown.curves[MEANS]
            depth = shown.node.y - float(y.min())
            self.setXRange(float(x[0]), float(x[-1]), padding=0.02)
            self.setYRange(shown.node.y - depth, shown.node.y + 0.18 * depth, padding=0)
        else:
            self.setXRange(0.0, 1.0, padding=0.03)
            self.setYRange(-0.02, TOP, padding=0)

    def _mark_axis(self, shown: Geometry) -> None:
        """Says on the vertical axis how high the node and the chord below it are; between them lies the drop."""
        box, line = self.getViewBox(), self.fontMetrics().height()
        left, (low, high) = box.viewRange()[0][0], box.viewRange()[1]
        each = box.height() / max(high - low, 1e-300)
        wanted = [shown.node.y, shown.mean, *(() if shown.over_means else (0.0,))]  # a variance has no 0 in sight
        marks: list[tuple[float, str]] = []
        for y in wanted:  # as far as they have room
            if all(abs(y - other) * each >= line for other, _ in marks):
                own = y / shown.scale
                marks.append((y, words.value(own) if shown.over_means else f"{own:.3f}"))
        self.getAxis("left").setTicks([marks, []])
        across = [left, shown.node.x, left, shown.node.x, shown.node.x, shown.node.x]
        self.guides.setData(across, [shown.node.y, shown.node.y, shown.mean, shown.mean, shown.mean, low])
        self.bracket.setData([left, left], [shown.node.y, shown.mean])

    def _name_curve(self, name: str, shown: Geometry, strong: bool) -> None:
        """On the side where no points stand; where the criterion says so at a distance, with a line to its curve."""
        colours, one = theme.current(), engine.CRITERIA[name]
        at, anchor, lifted = one.curve_name
        x, away = at, -0.08 if lifted else 0.0
        if shown.mirrored:
            x, away, anchor = 1.0 - at, -away, (1.0 - anchor[0], anchor[1])
        y, ink = engine.scaled_impurity(name, [x, 1.0 - x]), colours.text if strong else colours.secondary
        label = pg.TextItem(tr(one.short), color=QColor(ink), anchor=anchor)
        if strong:
            font = label.textItem.font()
            font.setBold(True)
            label.setFont(font)
        label.setPos(x + away, y + (0.02 if lifted else 0.0))
        if lifted:
            self.addItem(pg.PlotCurveItem([x, x + away], [y, y + 0.012], pen=plotting.pen(ink, 1), antialias=True))
        self.addItem(label, ignoreBounds=True)
        self._names[name] = label, anchor

    def _name_points(self, shown: Geometry) -> None:
        ink, ground = QColor(theme.current().text), plotting.brush(theme.current().card, 0.75)
        for label, anchor in self._names.values():
            label.setAnchor(anchor)
            self._keep_inside(label)
        while len(self.labels) < 1 + len(shown.branches):
            self.labels.append(pg.TextItem(color=ink, fill=ground))
            self.labels[-1].setZValue(2.5)  # over the quiet curves, below what moves
            self.addItem(self.labels[-1], ignoreBounds=True)
        few = shown.branches if len(shown.branches) <= NAMED_BRANCHES else ()
        # where all points are one, names beside each other would hide each other
        together = not shown.over_means and all(abs(one.x - shown.node.x) < NEAR for one in shown.branches)
        highest = shown.node.x if shown.over_means else 0.5
        named = [shown.node, *(() if together else few)]
        for i, (label, point) in enumerate(zip(self.labels, named, strict=False)):
            label.setVisible(True)
            name = " = ".join(one.name for one in (point, *few)) if together else point.name
            label.setText(f"{name} {words.value(point.x) if shown.over_means else f'{point.x:.3g}'}")
            label.setPos(point.x, point.y)
            if point is shown.node:
                self._put(label, 1 if point.x > highest else -1, up=True)
                self._keep_inside(label)
            else:  # below its curve, but never below the axis
                low = point.y < 0.16 and not shown.over_means
                side = -1 if point.x < shown.node.x else 1
                places = [{"side": s, "up": up} for up in ((True,) if low else (False, True)) for s in (side, -side)]
                level = [{"side": s, "level": True} for s in (side, -side)]
                self._place(label, (*places, *level, *ABOVE), self.labels[:i])
        for label in self.labels[len(named) :]:
            label.setVisible(False)
        said = {"drop": words.gain(shown.drop), "question": shown.question}
        self.drop.setText(tr("drop {drop} for {question}", **said) if shown.question else tr("drop {drop}", **said))
        self.drop.setPos(shown.node.x, (shown.node.y + shown.mean) / 2)
        side = 1 if shown.node.x <= highest else -1  # beside the segment or below it
        beside = ({"side": side, "level": True}, {"side": -side, "level": True}, {"side": side}, {"side": -side})
        away = [{"side": side, "level": True, "away": pixels} for pixels in AWAY]
        self._place(self.drop, (*beside, *BELOW, *away), self.labels)

    def _place(self, label: pg.TextItem, places: Iterable[Any], others: list[pg.TextItem]) -> None:
        """Puts a text in the first of some places, as `_put` knows them or so many heights below, where it covers least
        of others and of their points, and leaves the axes least."""
        frame = self.getViewBox().sceneBoundingRect()
        shown = [other for other in others if other.isVisible()]
        spots = [QRectF(at.x() - DOT, at.y() - DOT, 2 * DOT, 2 * DOT) for at in map(self._at, {label, *shown})]
        taken = [*map(self._room, shown), *spots]
        covered: dict[int, Any] = {}
        for place in places:
            if isinstance(place, dict):
                self._put(label, **place)
            else:
                label.setAnchor((0.5, -place))
            self._keep_inside(label)
            own = self._room(label)
            over = sum(_area(own.intersected(other)) for other in taken) + _area(own) - _area(own.intersected(frame))
            covered.setdefault(round(over), label.anchor)
            if over < 1:
                break
        label.setAnchor(covered[min(covered)])

    def _at(self, label: pg.TextItem) -> QPointF:
        return self.getViewBox().mapViewToScene(label.pos())

    def _room(self, label: pg.TextItem) -> QRectF:
        at, size, anchor = self._at(label), label.boundingRect().size(), label.anchor
        return QRectF(at - QPointF(anchor.x() * size.width(), anchor.y() * size.height()), size)

    @staticmethod
    def _put(label: pg.TextItem, side: int, *, up: bool = False, level: bool = False, away: float = ASIDE) -> None:
        """Puts a text right (1) or left (−1) of its point, pixels `away`, above or below it, or on its level."""
        aside = away / max(label.boundingRect().width(), 1.0)
        label.setAnchor((-aside if side > 0 else 1.0 + aside, 0.5 if level else 1.0 if up else 0.0))

    def _keep_inside(self, label: pg.TextItem) -> None:
        frame, room = self.getViewBox().sceneBoundingRect(), self._room(label)
        out = max(frame.left() - room.left(), 0.0) or min(frame.right() - room.right(), 0.0)
        if label.isVisible() and frame.width() > 0 and out:
            label.setAnchor((label.anchor.x() - out / room.width(), label.anchor.y()))

    def _on_font_changed(self) -> None:
        """The names are written anew: they keep the letters that they began with."""
        if self.shown is not None:
            self._key = ()
            self.show_geometry(self.shown)

    def _on_room_changed(self) -> None:
        """The axes take another room: their words are longer or shorter."""
        if self.shown is not None:
            self._name_points(self.shown)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)
        shown: Geometry | None = getattr(self, "shown", None)  # the base class resizes before there is anything,
        if shown is not None and self.plotItem is not None:  # and while it is closed, when there is nothing any more
            for side in ("bottom", "left"):
                self.getAxis(side).showLabel(self.height() >= NAMED_AXES)
            self._name_points(shown)
            self._mark_axis(shown)


def _area(room: QRectF) -> float:
    return room.width() * room.height()


class Sweep(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """A low plot that appears with the sweep."""

    moved = Signal(object)  # the threshold is another: the split there, weighed; None when the sweep is over
    ended = Signal()  # it came to the end, or was stopped

    def __init__(self) -> None:
        self._plain, self._dates = plotting.NumberAxis("bottom"), DateAxis("bottom")
        super().__init__(axisItems={"left": plotting.NumberAxis("left"), "bottom": self._plain}, enableMenu=False)
        plotting.set_up(self, "why_sweep", tr("Gain of every threshold, drawn from left to right"))
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setFixedHeight(SWEEP)
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
        """Begins at the left; where the system asks for no motion the whole curve stands there at once. `criterion`: in
        words, by which the curve was made."""
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
        self.setXRange(float(cuts[0]), float(cuts[-1]) if cuts[-1] > cuts[0] else float(cuts[0]) + 1.0, padding=0.02)
        self.setYRange(0.0, 1.2 * (float(gains.max()) or 1.0), padding=0)
        plotting.name_axis(self.getAxis("left"), tr("gain"))
        self.show()
        if motion.reduced():
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
        self.stop()
        self.hide()

    def _on_tick(self) -> None:
        part, last = self._clock.elapsed() / (1000 * SECONDS), len(self._places) - 1
        self._show(min(round(part * last), last))
        if part >= 1:
            self.stop()

    def _show(self, n: int) -> None:
        curve = self._curve
        if curve is None:
            return
        self.drawn.setData(*plotting.decimate(self._cuts[: n + 1], self._gains[: n + 1]))
        at = int(self._places[n])
        cut, gain = float(curve.cuts[at]), float(curve.gains[at])
        self.spot.setData([cut], [gain])
        left = n > len(self._places) / 2
        split = cut_of(curve, at)
        said = f"{engine.splits.branch_words(split, 0, curve.kind_in_words)}: {self._criterion} {words.gain(gain)}"
        self.readout.setText(tr("{gain} · the best", gain=said) if at == self._best else said)
        self.readout.setAnchor((1.05 if left else -0.05, 0.0))
        low, high = self.getViewBox().viewRange()[1]
        self.readout.setPos(cut, high - 0.02 * (high - low))
        found = curve.weigh(split)
        if found is not None:
            self.moved.emit(found)


def why_still(found: engine.Candidate | None, curve: engine.Curve | None) -> str:
    """Why there is no threshold to move; empty where there is one."""
    if found is None or curve is None or found.split is None:
        return tr("There is no candidate whose threshold could be moved")
    if not len(curve.cuts):
        return tr("The levels have no order: there is no threshold to move")
    return "" if (np.isfinite(curve.gains) & np.isfinite(curve.cuts)).any() else tr("No threshold is allowed here")


def cut_of(curve: engine.Curve, at: int) -> engine.Split:
    cut = float(curve.cuts[at])
    if not curve.levels:
        return engine.Split(curve.column, "threshold", (cut,), missing=curve.missing)
    n = math.floor(cut) + 1
    return engine.Split(curve.column, "groups", groups=(curve.levels[:n], curve.levels[n:]), missing=curve.missing)


class Drawing(QWidget):
    """Draws a candidate, or says why there is no figure."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("why_drawing")
        self.figure, self.sweep = Figure(), Sweep()
        self.no_figure = verbatim.label(objectName="why_no_figure", wordWrap=True)
        self.no_figure.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = verbatim.label(objectName="why_sentence", wordWrap=True)
        parts = (self.figure, 1), (self.no_figure, 1), self.sweep, self.sentence
        fill(QVBoxLayout(self), *parts, spacing=2)
        self.no_figure.hide()
        Reaction(self, self.place_sentence, QEvent.Type.Resize)

    def show_split(
        self, found: engine.Candidate, criterion: str, tree: engine.Tree, focus: int, is_sampled: bool
    ) -> None:  # fmt: skip
        shown = geometry(found, criterion, tree, focus)
        self.figure.setHidden(isinstance(shown, str))
        self.no_figure.setVisible(isinstance(shown, str))
        if isinstance(shown, str):
            self.no_figure.setText(shown)
            self.sentence.setText("")
        else:
            self.figure.show_geometry(shown)
            said = why_words.sentence(found, criterion, tree, focus, is_sampled)
            self.sentence.setText(f"{said} {shown.remark}".strip())
        self.place_sentence()

    def place_sentence(self) -> None:
        """Below the figure, unless a sweep needs the room; in little height it is the figure's tooltip."""
        text = self.sentence.text()
        needed = self.sentence.heightForWidth(max(self.width(), 100))
        room = self.height() - needed >= FIGURE_DUE
        self.sentence.setVisible(bool(text) and room and self.sweep.isHidden())
        self.figure.setToolTip(verbatim.tip("" if self.sentence.isVisibleTo(self) else text))
