"""The size-versus-error chart: every tree of the prunings as a point that can be hovered, clicked and walked to; what
methods choose is named above the plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QKeyEvent, QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from engine.runtime.sentences import tr
from gui import theme
from gui.model.editing.pruning_choices import FRONT, SEQUENCE, Point
from gui.panels.prune.drawing import CHOICE, CHOSEN, Drawing, Marker
from gui.widgets import plotting
from gui.widgets.building import Reaction
from gui.widgets.labels import scaled
from gui.wording import words

MOST_DOTS = 200  # with more steps the lines alone are drawn
PIECES = 8  # of a straight line between two trees, where a log axis bends it

Numbers = NDArray[np.float64]
LOWEST, NAMED = 96, 150  # pixels; from the second height on, the lower axis has a name
NEAR = 7.0  # pixels: how near the mouse has to come to a dot of the front
STRIP = 0.32  # of the chart's height at most for the names above the plot
RADIUS, CHOSEN_RADIUS = 5.0, 7.0  # pixels of a marker
REACH = 9.0  # pixels: how near the mouse has to come to a marker
ROOM = 4.0  # pixels beside a name
SMALLER = 0.92  # of the size of other words of the window
FEW, FAR = 0.15, 3.0  # of the trees, and times as far from the others as those from each other: shown outside


class LeavesAxis(pg.AxisItem):  # type: ignore[misc]
    """Whole numbers of leaves; on a log axis 1, 2, 5, 10, 20, … (the data are log₁₀ then). Words never touch."""

    by_log = False
    _compact = False  # "20k" for 20,000: where two whole numbers have no room

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        each = size / max(high - low, 1e-9)
        choices = list(self._log_choices(low, high) if self.by_log else self._choices(low, high, size))
        for self._compact in (False, True):
            for spacing, marks in choices:
                if len(marks) > 1 and plotting.apart(self, marks, self.tickStrings(marks, 1.0, spacing), each):
                    return [(spacing, marks)]
        return next(([(spacing, marks[:1])] for spacing, marks in choices if marks), [])

    def _choices(self, low: float, high: float, size: float) -> Iterator[tuple[float, list[float]]]:
        """Distances between ticks with their places: pyqtgraph's own, then twice that, and so on."""
        spacing = max([1.0, *(spacing for spacing, _ in self.tickSpacing(low, high, size)[:1])])
        while spacing <= max(high, 1.0):
            begin, end = math.ceil(max(low, 1.0) / spacing), math.floor(high / spacing)
            yield spacing, [spacing * k for k in range(begin, end + 1)]
            spacing *= 2

    def _log_choices(self, low: float, high: float) -> Iterator[tuple[float, list[float]]]:
        """1, 2, 5, 10, 20, … where they have room; else the powers of ten, or every n-th of them."""
        powers = range(max(0, math.floor(low)), min(12, math.ceil(high)) + 1)
        for digits, every in (((1, 2, 5), 1), *(((1,), every) for every in range(1, len(powers)))):
            marks = [math.log10(digit * 10**power) for power in powers if power % every == 0 for digit in digits]
            yield 1.0, [mark for mark in marks if low <= mark <= high]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        counts = [round(10**value if self.by_log else value) for value in values]
        return [compact(count) if self._compact else words.count(count) for count in counts]


def compact(leaves: int) -> str:
    """The number at a tick in the least room: "500", "20k", "1.2M"."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if leaves >= unit and leaves % (unit // 10) == 0:
            return f"{leaves / unit:g}{letter}"
    return words.count(leaves)


def draw(plot: pg.PlotWidget, drawn: Drawing, place: Callable[[Numbers], Numbers]) -> None:
    """Adds the curves to a plot, back to front; `place`: numbers of leaves → places on its x axis."""
    colours, x = theme.current(), place(drawn.leaves)

    def dots(at: Numbers, errors: Numbers, size: float, brush: QColor, rim: QColor | None = None) -> None:
        pen = plotting.pen(rim, 1) if rim is not None else None
        plot.addItem(pg.ScatterPlotItem(at, errors, size=size, pen=pen, brush=plotting.brush(brush)))

    def line(at: Numbers, errors: Numbers, colour: QColor, width: float, style: Qt.PenStyle) -> None:
        pen = plotting.pen(colour, width, style)
        plot.addItem(pg.PlotCurveItem(at, errors, pen=pen, antialias=True, connect="finite"))

    for errors, se, colour in (
        (drawn.validation, drawn.validation_se, colours.validation), (drawn.cv, drawn.se, colours.positive),
    ):  # fmt: skip
        known = np.isfinite(errors) & np.isfinite(se)
        if known.sum() > 1:  # one standard error up and down
            edges = [stairs(*plotting.decimate(x[known], (errors + sign * se)[known])) for sign in (1, -1)]
            band = pg.FillBetweenItem(*(pg.PlotCurveItem(*edge) for edge in edges), brush=plotting.brush(colour, 0.15))
            plot.addItem(band, ignoreBounds=True)
    n = drawn.front[0].size
    if n:
        size = 7 if n <= 60 else 5 if n <= MOST_DOTS else 3
        dots(place(drawn.front[0]), drawn.front[1], size, colours.card, colours.training)
    leaves, errors = plotting.decimate(*drawn.hull)
    if 0 < len(leaves) <= MOST_DOTS:  # straight between its trees, as the hull of the front is, on a log axis too
        numbers = np.arange(len(leaves))
        between = np.linspace(0, len(leaves) - 1, PIECES * (len(leaves) - 1) + 1)
        leaves, errors = np.interp(between, numbers, leaves), np.interp(between, numbers, errors)
    if len(leaves):
        line(place(leaves), errors, colours.training, 1.5, Qt.PenStyle.DashLine)
    by_hull = drawn.method == SEQUENCE and bool(len(leaves))
    size = 6 if len(x) <= 60 else 4
    for errors, colour, width, style in (
        (drawn.train, colours.training, 1.5, Qt.PenStyle.DashLine),
        (drawn.cv, colours.positive, 1.5, Qt.PenStyle.SolidLine),
        (drawn.validation, colours.validation, 2.0, Qt.PenStyle.SolidLine),
    ):
        if np.isfinite(errors).any():
            if not by_hull or errors is not drawn.train:
                line(*stairs(*plotting.decimate(x, errors)), colour, width, style)
            if len(x) <= MOST_DOTS:
                dots(x, errors, size, colour)
    if drawn.forest is not None:
        pen = plotting.pen(colours.text, 1, Qt.PenStyle.DashDotLine)
        plot.addItem(pg.InfiniteLine(drawn.forest[1], 0, pen), ignoreBounds=True)
    if drawn.n_failed:  # splits that were tried in vain are grey
        grey, tried = theme.mix(colours.secondary, colours.card, 0.5), slice(-drawn.n_failed, None)
        for errors in (drawn.train, drawn.validation):
            dots(x[tried], errors[tried], 7, grey, colours.card)


def error_range(judged: Numbers, others: Numbers | None = None, marked: Numbers | None = None) -> tuple[float, float]:
    """The errors to show at first: at least half of the height is for `judged`, by which trees are chosen; a few of
    them far from all others, as that of the root, do not flatten the rest: their line leaves the chart. `others` are
    shown as far as they leave that room (training errors of large trees are far below), `marked` in any case."""
    others, marked = (np.zeros(0) if given is None else given for given in (others, marked))
    judged = np.sort(judged if judged.size else others)
    if not judged.any():
        return 0.0, 1.0
    low, high = float(judged[0]), float(judged[-1])
    far = max(1, round(FEW * judged.size))
    if judged.size > far + 1:
        below, above = float(judged[-1 - far]), float(judged[far])  # without the highest ones, without the lowest ones
        if high - low > FAR * (below - low) > 0:
            high = low + 1.5 * (below - low)
        elif high - low > FAR * (high - above) > 0:
            low = high - 1.5 * (high - above)
    height = max(high - low, 0.1 * abs(high), 1e-9)
    if others.size:
        low = max(min(low, float(others.min())), low - height / 2)
        high = min(max(high, float(others.max())), high + height / 2)
    low, high = min([low, *marked.tolist()]), max([high, *marked.tolist()])
    margin = 0.08 * max(high - low, height)
    return 0.0 if 0.0 <= low < 0.25 * (high - low) else low - margin, high + margin


def stairs(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """The corners of a stair line that keeps each y until the next x."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def flags(
    places: Sequence[float], widths: Sequence[float], left: float, right: float, most: int
) -> list[tuple[int, float] | None]:
    """Where names stand in `most` rows from `left` to `right` above a plot, each beside the pole on its place, the most
    important one first: none covers another one or a pole. All are in pixels. For each name its row, counted upwards
    from the plot, and where it begins; None where there is no room."""
    shown = [k for k, width in enumerate(widths) if width <= right - left]
    while True:
        at, long = [places[k] for k in shown], [widths[k] for k in shown]
        ways = [_rows(at, long, left, right, n, end) for n in range(len(shown) + 1) for end in (False, True)]
        low = [way for way in ways if way is not None and all(row < most for row, _ in way)]
        if low:
            best = dict(zip(shown, min(low, key=lambda way: max([row for row, _ in way], default=0)), strict=True))
            return [best.get(k) for k in range(len(places))]
        shown.pop()


def _rows(
    places: Sequence[float], widths: Sequence[float], left: float, right: float, n_left: int, end: bool
) -> list[tuple[int, float]] | None:
    """The same for any number of rows, the names of the first `n_left` places left of their poles, with `end` those
    without room at their right, too; None where names would cover the poles of each other."""
    start = [min(place, right - width) for place, width in zip(places, widths, strict=True)]
    order = sorted(range(len(places)), key=places.__getitem__)
    for k in (*order[:n_left], *(k for k in order if end and start[k] < places[k])):
        start[k] = max(left, places[k] - widths[k])
    every = range(len(places))
    above = {k: {j for j in every if start[k] < places[j] < start[k] + widths[k] and j != k} for k in every}
    row: dict[int, int] = {}
    while len(row) < len(places):  # a name stands above those whose poles it covers
        free = [k for k in every if k not in row and above[k] <= row.keys()]
        if not free:
            return None
        for k in free:
            beside = {row[j] for j in row if start[k] < start[j] + widths[j] and start[j] < start[k] + widths[k]}
            row[k] = max([row[j] + 1 for j in above[k]], default=0)
            while row[k] in beside:
                row[k] += 1
    return [(row[k], start[k]) for k in every]


class Name(NamedTuple):
    """What stands above the plot: words on a pole, of a marker or else of the tree on the canvas."""

    text: str
    pole: QPointF
    marker: Marker | None

    def font(self) -> QFont:
        chosen = self.marker is not None and self.marker.kind == CHOSEN
        return scaled(QGuiApplication.font(), SMALLER, QFont.Weight.Bold if chosen else QFont.Weight.Normal)


class Markers(QGraphicsItem):
    """The trees that methods recommend, each with its name on a pole above the plot; and the tree on the canvas."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(50)  # above all that the plot draws
        self._area = QRectF()
        self._spots: list[tuple[Marker, QPointF]] = []
        self.placed: list[tuple[Name, QRectF]] = []  # the names that have room, and where they stand in the scene

    def arrange(self, spots: list[tuple[Marker, QPointF]], cursor: float | None, area: QRectF, most: int) -> int:
        """Shows the markers at points of the scene as far as they are inside of an area, the canvas at `cursor`, and
        the names in at most so many rows above the area; says how many there are."""
        self.prepareGeometryChange()
        self._area, self._spots = area, [each for each in spots if area.contains(each[1])]
        names = [Name(marker.label, spot, marker) for marker, spot in self._spots]
        if cursor is not None and area.left() <= cursor <= area.right():
            names.insert(1, Name(tr("on the canvas"), QPointF(cursor, area.top()), None))
        widths = [QFontMetricsF(name.font()).horizontalAdvance(name.text) + 2 * ROOM for name in names]
        found = flags([name.pole.x() for name in names], widths, 0.0, area.right(), most)
        self.placed = [
            (name, QRectF(place[1], area.top() - (place[0] + 1) * row_height(), width, row_height()))
            for name, width, place in zip(names, widths, found, strict=True) if place is not None
        ]  # fmt: skip
        self.update()
        return max([place[0] + 1 for place in found if place is not None], default=0)

    def at(self, where: QPointF) -> Marker | None:
        near = (marker for marker, spot in self._spots if (where - spot).manhattanLength() <= REACH)
        return next(near, None) or next((name.marker for name, box in self.placed if box.contains(where)), None)

    def boundingRect(self) -> QRectF:
        return self._area.adjusted(-self._area.left(), -self._area.top(), 0, 0)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.current()
        painter.setPen(plotting.pen(colours.border, 1))
        for name, box in self.placed:
            beside = not box.left() + 1 < name.pole.x() < box.right() - 1
            painter.drawLine(QPointF(name.pole.x(), box.top() + 2 if beside else box.bottom()), name.pole)
        for marker, spot in reversed(self._spots):  # the chosen one, which is the first, on top
            chosen, size = marker.kind == CHOSEN, CHOSEN_RADIUS if marker.kind == CHOSEN else RADIUS
            ink, corners = colours.card if chosen else colours.text, [(0, -size), (size, 0), (0, size), (-size, 0)]
            if marker.kind not in (CHOSEN, CHOICE):  # a triangle for what cross-validation finds
                ink, corners = colours.positive, [(-size, -4), (size, -4), (0, 5)]
            painter.setPen(plotting.pen(ink, 1.5))
            painter.setBrush(plotting.brush(colours.accent if chosen else colours.card))
            painter.drawPolygon(QPolygonF([spot + QPointF(x, y) for x, y in corners]))
        for name, box in self.placed:
            painter.setFont(name.font())
            painter.setPen(colours.text if name.marker is not None else colours.accent)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name.text)


def row_height() -> float:
    """Pixels of a row of names."""
    return QFontMetricsF(scaled(QGuiApplication.font(), SMALLER)).height() + 1


class PruningChart(pg.PlotWidget):  # type: ignore[misc]
    """Draws prunings; says which tree is hovered and which one is picked."""

    hovered = Signal(object)  # the mouse is nearest to another tree, or left: a `Point`, or None
    picked = Signal(object)  # a tree was clicked, or walked to by the keys: a `Point`

    def __init__(self) -> None:
        axes = {"bottom": LeavesAxis("bottom"), "left": plotting.ErrorAxis("left")}
        super().__init__(axisItems=axes, enableMenu=False)
        plotting.set_up(self, "pruning_chart", tr(
            "Error against number of leaves; left and right walk from tree to tree, up and down from choice to choice"
        ))  # fmt: skip
        top = self.getAxis("top")  # keeps the room of the names
        top.setTicks([])
        top.setStyle(showValues=False, tickLength=0)
        top.setPen(plotting.pen("#00000000"))
        self.showAxis("top")
        self.setMinimumSize(180, LOWEST)
        self.getViewBox().setMouseEnabled(x=True, y=True)
        self._drawn: Drawing | None = None
        self._by_log = False
        self._at = np.empty(0)  # places of the trees of the curves on the x axis
        self._walked: Point | None = None
        self._marked: Point | None = None
        self._cursor, self._halo = pg.InfiniteLine(angle=90), pg.ScatterPlotItem(size=11, symbol="o")
        self._shown: tuple[object, ...] = ()  # what the view was fitted to
        self.markers = Markers()
        self.scene().addItem(self.markers)
        self.getViewBox().sigTransformChanged.connect(self._arrange)
        self.getViewBox().sigResized.connect(self._arrange)
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        Reaction(self, lambda: self.hovered.emit(None), QEvent.Type.Leave)
        Reaction(self, self._share_height, QEvent.Type.Resize)

    def draw(self, drawn: Drawing | None, by_log: bool) -> None:
        """Shows a drawing; `by_log`: log axis for the leaves. A view that was zoomed stays while the trees do."""
        plotting.restyle(self)
        self.clear()
        self._drawn, self._by_log, self._marked = drawn, by_log, None
        self._cursor.hide()
        if drawn is None:
            self._shown = ()
            self._arrange()
            return
        self.getAxis("bottom").by_log, self.getAxis("left").by_share = by_log, drawn.by_share
        plotting.name_axis(self.getAxis("bottom"), tr("leaves"))
        plotting.name_axis(self.getAxis("left"), drawn.axis)
        self._share_height()
        self._at = self._place(drawn.leaves)
        draw(self, drawn, self._place)
        self.addItem(self._cursor, ignoreBounds=True)
        self.addItem(self._halo, ignoreBounds=True)
        self.highlight(None)
        self._fit(drawn)
        self._arrange()

    def mark_canvas(self, leaves: int, point: Point | None) -> None:
        """Moves the cursor to the size of the tree on the canvas; the keys walk on from `point` if it is known."""
        if self._drawn is None:
            return
        self._walked = self._walked if point is None else point
        self._cursor.setPen(plotting.pen(theme.current().accent, 1, Qt.PenStyle.DotLine))
        self._cursor.setValue(float(self._place(np.float64(leaves))))
        self._cursor.show()
        self._arrange()

    def highlight(self, point: Point | None) -> None:
        """Rings a tree; None takes the rings away."""
        self._marked, card = point, plotting.brush(theme.current().card)
        rings = [{"pos": at, "pen": plotting.pen(ink, 2), "brush": card} for at, ink in self._spots(point)]
        self._halo.setData(spots=rings)

    def _spots(self, point: Point | None) -> list[tuple[tuple[float, float], QColor]]:
        drawn, colours = self._drawn, theme.current()
        if drawn is None or point is None:
            return []
        if (marker := self._marker_of(point)) is not None:
            return [((float(self._place(np.float64(marker.leaves))), marker.height), colours.accent)]
        if (i := self._index(point)) is not None:
            inks = (drawn.train, colours.training), (drawn.cv, colours.positive), (drawn.validation, colours.validation)
            return [((float(self._at[i]), float(y[i])), ink) for y, ink in inks if np.isfinite(y[i])]
        if point.method != FRONT:
            return []
        places, across = np.flatnonzero(drawn.front_steps == point.step), self._place(drawn.front[0])
        return [((float(across[k]), float(drawn.front[1][k])), colours.training) for k in places]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right walk to fewer or more leaves, Home and End to the smallest and the full tree; up and down from
        one method's choice to the next."""
        drawn, keys, goal = self._drawn, Qt.Key, None
        if drawn is not None and event.key() in (keys.Key_Up, keys.Key_Down):
            goal = self._next_choice(drawn, more=event.key() == keys.Key_Up)
        elif drawn is not None and drawn.steps.size:
            last, here = len(drawn.steps) - 1, self._walked_index(drawn)
            before, after = math.ceil(here) - 1, math.floor(here) + 1
            places = {keys.Key_Left: before, keys.Key_Right: after, keys.Key_Home: 0, keys.Key_End: last}
            i = places.get(keys(event.key()))
            goal = Point(drawn.method, int(drawn.steps[min(max(i, 0), last)])) if i is not None else None
        if goal is None:
            event.ignore()
        elif goal != self._walked:
            self._pick(goal)

    def point_at(self, where: QPointF) -> Point | None:
        """The tree that is meant by a point of the scene: a marker, a dot of the front, else the nearest size."""
        box, drawn = self.getViewBox(), self._drawn
        if (marker := self.markers.at(where)) is not None:
            return marker.points[0]
        if drawn is None or not box.sceneBoundingRect().contains(where):
            return None
        if drawn.front[0].size:
            dots = self._in_scene(self._place(drawn.front[0]), drawn.front[1])
            far = np.hypot(dots[:, 0] - where.x(), dots[:, 1] - where.y())
            k = int(np.argmin(far))
            if far[k] <= NEAR:
                return Point(FRONT, int(drawn.front_steps[k]))
        if not drawn.steps.size:
            return None
        return Point(drawn.method, int(drawn.steps[np.argmin(np.abs(self._at - box.mapSceneToView(where).x()))]))

    def place_of(self, point: Point) -> QPointF:
        """Where a tree stands in the scene: its marker, else its validation error, or else its training error."""
        i = self._index(point)
        at = self._spots(point)[0][0] if i is None or self._drawn is None else (self._at[i], self._drawn.height(i))
        return self.getViewBox().mapViewToScene(QPointF(*map(float, at)))

    def _index(self, point: Point | None) -> int | None:
        drawn = self._drawn
        if drawn is None or point is None or (point.method != drawn.method and point.step != 0):
            return None
        found = np.flatnonzero(drawn.steps == point.step)
        return int(found[0]) if found.size else None

    def _marker_of(self, point: Point | None) -> Marker | None:
        markers = self._drawn.markers if self._drawn is not None else ()
        return next((marker for marker in markers if point in marker.points), None)

    def _walked_index(self, drawn: Drawing) -> float:
        """Where the keys are among the trees of the curves; x.5 between two of them."""
        point, i, marker = self._walked, self._index(self._walked), self._marker_of(self._walked)
        if i is not None:
            return i
        leaves = marker.leaves if marker is not None else None
        if leaves is None and point is not None and point.method == FRONT:
            leaves = next((drawn.front[0][k] for k in np.flatnonzero(drawn.front_steps == point.step)), None)
        if leaves is None:
            return len(drawn.steps) - 1
        near = int(np.searchsorted(drawn.leaves, leaves))
        return near if near < len(drawn.leaves) and drawn.leaves[near] == leaves else near - 0.5

    def _next_choice(self, drawn: Drawing, more: bool) -> Point | None:
        choices = (marker for marker in drawn.markers if marker.kind in (CHOSEN, CHOICE))
        ordered = sorted(choices, key=lambda marker: (marker.leaves, marker.height))
        here = self._marker_of(self._walked)
        if here in ordered:
            k = ordered.index(here) + (1 if more else -1)
        else:
            i = self._walked_index(drawn)
            leaves = float(np.interp(i, np.arange(len(drawn.leaves)), drawn.leaves)) if drawn.steps.size else 0.0
            fewer = sum(marker.leaves < leaves for marker in ordered)
            k = fewer if more else fewer - 1
        return ordered[k].points[0] if 0 <= k < len(ordered) else None

    def _pick(self, point: Point) -> None:
        self._walked = point
        self.hovered.emit(point)
        self.picked.emit(point)

    def _on_moved(self, where: QPointF) -> None:
        if (point := self.point_at(where)) != self._marked:
            self.hovered.emit(point)

    def _on_clicked(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (point := self.point_at(event.scenePos())) is not None:
            self._pick(point)

    def _place(self, leaves: Any) -> Any:
        return np.log10(np.maximum(leaves, 1.0)) if self._by_log else leaves

    def _in_scene(self, x: Numbers, y: Numbers) -> Numbers:
        """float64[n, 2]: points of the plot in pixels of the scene."""
        box = self.getViewBox()
        zero, one = box.mapViewToScene(QPointF(0, 0)), box.mapViewToScene(QPointF(1, 1))
        return np.column_stack((zero.x() + x * (one.x() - zero.x()), zero.y() + y * (one.y() - zero.y())))

    def _arrange(self) -> None:
        """Markers and names follow the axes; the names have as many rows above the plot as they need."""
        area = self.getViewBox().sceneBoundingRect()
        markers = self._drawn.markers if self._drawn is not None else ()
        x = self._place(np.array([float(marker.leaves) for marker in markers]))
        spots = self._in_scene(x, np.array([marker.height for marker in markers]))
        canvas = float(self._in_scene(np.array([self._cursor.value()]), np.zeros(1))[0, 0])
        cursor = canvas if self._cursor.isVisible() else None
        most = max(1, int(STRIP * self.height() / row_height()))
        placed = [(marker, QPointF(*spot)) for marker, spot in zip(markers, spots.tolist(), strict=True)]
        rows = self.markers.arrange(placed, cursor, area, most)
        height = math.ceil(rows * row_height()) + 2
        if self.getAxis("top").height() != height:
            self.getAxis("top").setHeight(height)  # which arranges them once more

    def _share_height(self) -> None:
        self.getAxis("bottom").showLabel(self.height() >= NAMED)  # in little room the numbers need it more

    def _fit(self, drawn: Drawing) -> None:
        """Shows everything; what comes later is shown without taking a zoom back, as long as it is inside."""
        low, high = self._place(drawn.sizes()).tolist()
        margin = max(0.03 * (high - low), 0.05 if self._by_log else 0.5)
        judged = np.array([drawn.height(i) for i in range(len(drawn.steps))])
        marked = np.array(
            [marker.height for marker in drawn.markers] + [error for _, error in filter(None, [drawn.forest])]
        )
        known = np.concatenate((drawn.train, drawn.validation, drawn.cv, drawn.front[1], drawn.hull[1], marked))
        across, up = (low - margin, high + margin), error_range(judged, known[np.isfinite(known)], marked)
        if self._shown != (across, up):
            self._shown = across, up
            self.setXRange(*across, padding=0)
            self.setYRange(*up, padding=0)
