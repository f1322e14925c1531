"""The impurity figure: a node and its branches on the curve of a criterion, and the chord whose depth is the drop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

import engine
from gui import theme
from gui.panels.this_node.why.geometry import MEANS, Geometry, Point
from gui.widgets import plotting
from gui.wording import words

LOWEST, ASIDE, DOT = 90, 7, 4  # pixels: the height; from a point to its name; half of a point
NAMED_AXES = 130  # pixels of height, from which on the axes say what they show
NAMED_BRANCHES = 6  # more points carry no names
NEAR = 5e-4  # shares that are said by the same three digits
TOP = 0.63  # of the vertical axis of impurities; their curves end at ½
BELOW = (0.5, 1.5, 2.5)  # how far below its segment the drop is named where it is crowded, in heights of the text
AWAY = (40, 70, 100)  # pixels from its segment to the drop where there is no room beside it or below
ABOVE = (-1.5, -2.0, -2.5)  # the same of a branch, whose name goes up


class Figure(plotting.UnhurriedPlot):
    """Draws a `Geometry`; showing another one moves what is there, at the speed of a hand."""

    def __init__(self) -> None:
        axes = {"left": plotting.NumberAxis("left"), "bottom": plotting.NumberAxis("bottom")}
        super().__init__(axisItems=axes)
        plotting.set_up(self, "why_figure", "Impurity over the share of a class: node, branches, and the chord between")
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self.setMinimumSize(160, LOWEST)
        self.shown: Geometry | None = None
        self._curves: dict[str, pg.PlotCurveItem] = {}
        self._names: dict[str, pg.TextItem] = {}
        self._key: tuple[object, ...] = ()
        self.chord = pg.PlotCurveItem(connect="pairs", antialias=True)
        self.segment = pg.PlotCurveItem(antialias=True)
        self.points = pg.ScatterPlotItem()
        self.labels: list[pg.TextItem] = []
        self.drop = pg.TextItem()

    def forget(self) -> None:
        """Nothing is shown; the next figure is drawn from the ground, in the colours of the theme."""
        self.shown, self._key = None, ()
        self.clear()

    def show_geometry(self, shown: Geometry) -> None:
        """Draws a figure, anew only where curves or axes are others."""
        key = (shown.chosen, shown.axis, id(theme.current()), self._mirrored(shown))
        if shown.chosen == MEANS:
            key = (*key, float(shown.curves[MEANS][0][0]), shown.node.y)
        if key != self._key:
            self._begin(shown)
            self._key = key
        self.shown = shown
        colours = theme.current()
        pairs = [(end.x, end.y) for point in shown.branches for end in (point, Point(shown.node.x, shown.mean, 1, ""))]
        self.chord.setData([x for x, _ in pairs], [y for _, y in pairs])
        self.segment.setData([shown.node.x] * 2, [shown.node.y, shown.mean])
        spots = [
            {
                "pos": (one.x, one.y),
                "size": 9,
                "brush": plotting.brush(colours.accent),
                "pen": plotting.pen(colours.card, 1),
            }
            for one in shown.branches
        ]
        outline = plotting.pen(colours.text, 2)
        spots.append(
            {"pos": (shown.node.x, shown.node.y), "size": 9, "brush": plotting.brush(colours.card), "pen": outline}
        )
        self.points.setData(spots)
        self._name_points(shown)

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
        for z, item in ((3, self.chord), (4, self.segment), (8, self.points)):
            item.setZValue(z)
            self.addItem(item)
        self.drop = pg.TextItem(color=QColor(colours.accent), fill=plotting.brush(colours.card, 0.9))
        for _ in range(1 + len(shown.branches)):
            self._add_label()
        self.drop.setZValue(7)
        self.addItem(self.drop, ignoreBounds=True)
        plotting.name_axis(self.getAxis("bottom"), shown.axis)
        plotting.name_axis(self.getAxis("left"), shown.height)
        for side in ("bottom", "left"):
            self.getAxis(side).showLabel(self.height() >= NAMED_AXES)
        self.getAxis("left").setStyle(showValues=shown.chosen != MEANS)  # away from the mean they mean nothing
        if shown.chosen == MEANS:
            x, y = shown.curves[MEANS]
            depth = shown.node.y - float(y.min())
            self.setXRange(float(x[0]), float(x[-1]), padding=0.02)
            self.setYRange(shown.node.y - depth, shown.node.y + 0.18 * depth, padding=0)
        else:
            self.setXRange(0.0, 1.0, padding=0.03)
            self.setYRange(-0.02, TOP, padding=0)

    def _add_label(self) -> None:
        label = pg.TextItem(color=QColor(theme.current().text), fill=plotting.brush(theme.current().card, 0.75))
        label.setZValue(2.5)  # over the quiet curves, below what moves
        self.addItem(label, ignoreBounds=True)
        self.labels.append(label)

    def _name_curve(self, name: str, shown: Geometry, strong: bool) -> None:
        """On the side where no points stand; where the criterion says so at a distance, with a line to its curve."""
        colours, one = theme.current(), engine.CRITERIA[name]
        at, anchor, lifted = one.curve_name
        mirrored = self._mirrored(shown)
        x = 1.0 - at if mirrored else at
        y = engine.scaled_impurity(name, [x, 1.0 - x])
        ink = colours.text if strong else colours.secondary
        label = pg.TextItem(one.short, color=QColor(ink), anchor=(1.0 - anchor[0], anchor[1]) if mirrored else anchor)
        if strong:
            font = label.textItem.font()
            font.setBold(True)
            label.setFont(font)
        away = -0.08 if lifted else 0.0
        label.setPos(x - away if mirrored else x + away, y + (0.02 if lifted else 0.0))
        if away:
            ends = [x, x - away if mirrored else x + away]
            self.addItem(pg.PlotCurveItem(ends, [y, y + 0.012], pen=plotting.pen(ink, 1), antialias=True))
        self.addItem(label, ignoreBounds=True)
        self._names[name] = label

    @staticmethod
    def _mirrored(shown: Geometry) -> bool:
        """Whether the names of the curves stand at the right, because the points stand at the left."""
        return shown.chosen != MEANS and shown.node.x < 0.5

    def _name_points(self, shown: Geometry) -> None:
        while len(self.labels) < 1 + len(shown.branches):
            self._add_label()
        few = shown.branches if len(shown.branches) <= NAMED_BRANCHES else ()
        together = self._together(shown)
        named = [shown.node, *(() if together else few)]
        middle = shown.node.x
        for i, (label, point) in enumerate(zip(self.labels, named, strict=False)):
            label.setVisible(True)
            name = " = ".join(one.name for one in (point, *few)) if together else point.name
            label.setText(f"{name} {self._said(shown, point.x)}")
            label.setPos(point.x, point.y)
            if point is shown.node:
                self._put(label, 1 if point.x > self._middle(shown) else -1, up=True)
                self._keep_inside([label])
            else:  # below its curve, but never below the axis
                low = point.y < 0.16 and shown.chosen != MEANS
                side = -1 if point.x < middle else 1
                places = [{"side": s, "up": up} for up in ((True,) if low else (False, True)) for s in (side, -side)]
                beside = [{"side": s, "level": True} for s in (side, -side)]
                self._place(label, (*places, *beside, *ABOVE), self.labels[:i])
        for label in self.labels[len(named) :]:
            label.setVisible(False)
        self.drop.setText(f"drop {words.gain(shown.drop)}{f' for {shown.question}' if shown.question else ''}")
        self.drop.setPos(shown.node.x, (shown.node.y + shown.mean) / 2)
        side = 1 if shown.node.x <= self._middle(shown) else -1  # beside the segment or below it
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
        covered = {}
        for place in places:
            if isinstance(place, dict):
                self._put(label, **place)
            else:
                label.setAnchor((0.5, -place))
            self._keep_inside([label])
            own = self._room(label)
            over = sum(_area(own.intersected(other)) for other in taken) + _area(own) - _area(own.intersected(frame))
            covered.setdefault(round(over), label.anchor)
            if over < 1:
                break
        label.setAnchor(covered[min(covered)])

    def _at(self, label: pg.TextItem) -> QPointF:
        """The point in the scene that a text names."""
        return self.getViewBox().mapViewToScene(label.pos())

    def _room(self, label: pg.TextItem) -> QRectF:
        """Where a text stands in the scene."""
        at, size, anchor = self._at(label), label.boundingRect().size(), label.anchor
        return QRectF(
            at.x() - anchor.x() * size.width(), at.y() - anchor.y() * size.height(), size.width(), size.height()
        )

    @staticmethod
    def _together(shown: Geometry) -> bool:
        """Whether all points are one: names beside each other would hide each other."""
        return shown.chosen != MEANS and all(abs(one.x - shown.node.x) < NEAR for one in shown.branches)

    @staticmethod
    def _middle(shown: Geometry) -> float:
        """Where the curve is highest."""
        return shown.node.x if shown.chosen == MEANS else 0.5

    @staticmethod
    def _put(label: pg.TextItem, side: int, *, up: bool = False, level: bool = False, away: float = ASIDE) -> None:
        """Puts a text right (1) or left (−1) of its point, pixels `away`, above or below it, or on its level."""
        size = label.boundingRect()
        aside = away / max(size.width(), 1.0)
        label.setAnchor((-aside if side > 0 else 1.0 + aside, 0.5 if level else 1.0 if up else 0.0))

    @staticmethod
    def _said(shown: Geometry, x: float) -> str:
        return words.value(x) if shown.chosen == MEANS else f"{x:.3g}"

    def _keep_inside(self, labels: list[pg.TextItem]) -> None:
        """No name leaves the axes: it turns to the other side of its point."""
        frame = self.getViewBox().sceneBoundingRect()
        for label in labels:
            room = self._room(label)
            out = max(frame.left() - room.left(), 0.0) or min(frame.right() - room.right(), 0.0)
            if label.isVisible() and frame.width() > 0 and out:
                label.setAnchor((label.anchor.x() - out / room.width(), label.anchor.y()))

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)
        if getattr(self, "shown", None) is not None:  # the base class resizes before there is anything
            for side in ("bottom", "left"):
                self.getAxis(side).showLabel(self.height() >= NAMED_AXES)
            self._name_points(self.shown)


def _area(room: QRectF) -> float:
    return room.width() * room.height()
