"""What is drawn in the plot of the split editor: a node's rows by value or by level, the means over them, the cuts, the
branches of levels, and which levels are chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.panels.this_node.split.ruler import has_missing, training_weights
from gui.widgets import plotting, verbatim
from gui.widgets.labels import grown
from gui.widgets.scales import NARROWEST, Scale, around
from gui.wording import words

BINS = 40
SLIVER = 1e-6  # of a bar
RATE, NAME, ROWS, BRANCH, DECLARED = ORDERS = ("rate", "name", "rows", "branch", "declared")  # of levels
PLAIN = Scale()
PALEST = 0.75  # how much of the background the last branch has
MANY = 60  # dots: more are smaller
LOW, ROOM = 0.05, 0.9  # of the height of the plot: where the scale begins, and how much of it there is
FAINT = 0.45  # of a colour: what is around a mean
NAMED_CUTS = 4  # whose values stand below each other; of more those that have room beside each other
MOST_NAMED = 40  # cuts; of more no value would be read
BETWEEN = 6  # pixels, at least, between the values of two cuts
HIGHEST = 0.99  # where a cut's value stands, as a share of the height
GRAB = 6  # pixels beside a line where the mouse has hold of it
GRIP, HELD = 4.0, 6.0  # pixels, the radius of the grip, and of the one that the keys move
ABOVE_AXIS = 10  # pixels from the axis to the middle of a grip
NUMBERED = 14  # pixels that a cell of the strip needs for its number
ABOVE_BARS = 1.12  # of the highest bar: up to where the axis goes
SAMPLE_BARS, SAMPLE_BAR = 60, 5  # across the plot, at most; and the pixels of one, seen beside the line of a cut
STRIP_GAP, STRIP = 2, 15  # pixels between the axis and the strip, and its height


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars over a numeric axis, or over 0, 1, 2, … for levels; without labels and branches over values."""

    left: NDArray[np.float64]  # [b], where each begins on the axis
    right: NDArray[np.float64]  # [b], and ends
    heights: NDArray[np.float64]  # [b, K], training rows (by weight) per class, stacked; K = 1 for a numeric target
    means: NDArray[np.float64]  # [b], of a numeric target, NaN without rows; empty for classes
    spreads: NDArray[np.float64]  # [b], its standard deviation
    labels: tuple[str, ...]
    branches: NDArray[np.int64]  # [b], which each level takes
    has_missing: bool  # the last bar holds the rows where the column is missing
    omitted: int = 0  # levels without a training row in the node, and so without a bar
    declared: bool = False  # levels stand in the order in which they were declared

    @property
    def totals(self) -> NDArray[np.float64]:  # [b], rows
        return self.heights.sum(axis=1)

    @property
    def centres(self) -> NDArray[np.float64]:  # [b]
        return (self.left + self.right) / 2


def value_bars(
    curve: engine.Curve, by_class: bool, origin: float = 0.0, bins: int = BINS, scale: Scale = PLAIN,
    seen: tuple[float, float] | None = None,
) -> Bars:  # fmt: skip
    """The histogram of a numeric column at one node, in O(bars · log distinct values) once the curve has its sums;
    missing stands apart on the right. The whole range has at most `bins`; of the part of the axis that is `seen` only
    its bars are made, and narrower ones where it is small."""
    values, before = np.asarray(curve.values), curve.train_before
    full = _edges(values, bins, scale, curve.kind == "integer")
    edges = full if seen is None else _finer(full, seen, whole=curve.kind == "integer" and not scale.log)
    bounds = np.searchsorted(values, np.array([scale.value(float(edge)) for edge in edges]), side="left")
    bounds[0] = 0 if edges[0] <= full[0] else bounds[0]
    bounds[-1] = len(values) if edges[-1] >= full[-1] else bounds[-1]
    starts, stops = bounds[:-1], bounds[1:]
    sums = before[stops] - before[starts]
    if not by_class:
        sums[:, 2] = curve.squares_between(starts, stops)
    left, right = edges[:-1], edges[1:]
    missing = has_missing(curve, by_class)
    if missing:
        width, end = full[1] - full[0], full[-1]
        left, right = np.append(left, end + 0.5 * width), np.append(right, end + 1.5 * width)
        sums = np.vstack([sums, curve.missing_train])
    return Bars(left, right, *_heights(sums, by_class, origin), (), np.empty(0, dtype=np.int64), missing)


def level_bars(
    curve: engine.Curve, by_class: bool, focus: int, split: engine.Split | None, origin: float = 0.0, by: str = ""
) -> Bars:
    """One bar per level with rows; missing comes last. `by` is one of `ORDERS`: by rising share of the focus class (or
    mean), by name, the most rows first, by branch and then as the first, or as declared: then all levels of an ordered
    column have a bar, so that cuts stand between them at i + ½. If it is not given, as declared for an ordered column,
    otherwise by rate."""
    by = by or (DECLARED if curve.kind == "ordered" else RATE)
    split = split if split is not None and split.kind == "groups" else None  # literals give a level no branch
    train, weight = np.asarray(curve.train), training_weights(curve, by_class)
    present = np.flatnonzero(weight > 0)
    branch_of = {level: b for b, group in enumerate(split.groups) for level in group} if split else {}
    taken = np.array([branch_of.get(level, split.unseen if split else -1) for level in curve.levels], dtype=np.int64)
    if by == DECLARED:
        present = order = np.arange(len(train)) if curve.kind == "ordered" else present
    else:
        rate = train[present, focus if by_class else 1] / weight[present]
        keys = {RATE: (rate,), ROWS: (rate, -weight[present]), BRANCH: (rate, taken[present])}
        if by == NAME:
            order = np.array(sorted(present.tolist(), key=lambda i: words.natural(curve.levels[i])), dtype=np.int64)
        else:
            order = present[np.lexsort((present, *keys[by]))]
    sums, labels = train[order], [curve.levels[i] for i in order]
    branches, missing = taken[order].tolist(), has_missing(curve, by_class)
    if missing:
        sums, labels = np.vstack([sums, curve.missing_train]), [*labels, tr("missing")]
        branches.append(split.missing if split else -1)
    at = np.arange(len(labels), dtype=np.float64)
    return Bars(
        at - 0.4, at + 0.4, *_heights(sums, by_class, origin), tuple(labels), np.array(branches, dtype=np.int64),
        missing, len(train) - len(present), by == DECLARED,
    )  # fmt: skip


def _edges(values: NDArray[np.float64], bins: int, scale: Scale = PLAIN, whole: bool = False) -> NDArray[np.float64]:
    """Over all finite values: one bar per whole number where there are few, else equal widths, perhaps whole ones."""
    finite = values[plotting.inside(values)]
    if len(finite) == 0:
        return np.array([-0.5, 0.5])
    low, high = scale.place(float(finite[0])), scale.place(float(finite[-1]))
    if not scale.log:
        if len(finite) <= bins and high - low < bins and np.array_equal(finite, np.round(finite)):
            return np.arange(low - 0.5, high + 1.0)
        if whole:
            step = math.ceil((high - low + 1) / bins)
            return low - 0.5 + step * np.arange(math.ceil((high - low + 1) / step) + 1.0)
    return np.linspace(low, high, bins + 1) if high - low > NARROWEST else np.array(around(low, high))


def _finer(edges: NDArray[np.float64], seen: tuple[float, float], whole: bool) -> NDArray[np.float64]:
    """Each bar in a part of the axis is halved (whole numbers are not) as often as the part fits into the whole; the
    same part has the same edges wherever it is scrolled to."""
    low, high = max(seen[0], edges[0]), min(seen[1], edges[-1])
    if not high > low:
        return edges
    width = float(edges[1] - edges[0])
    halved = max(0, math.floor(math.log2(float(edges[-1] - edges[0]) / (high - low))))
    fine = max(1.0, math.ceil(width / 2.0**halved)) if whole else width / 2.0**halved
    if whole and width % fine:  # or else the edges would move with the zoom
        fine = max(step for step in range(1, int(fine) + 1) if width % step == 0)
    first = math.floor((low - edges[0]) / fine)
    last = max(first + 1, math.ceil((high - edges[0]) / fine))
    made = edges[0] + fine * np.arange(first, last + 1.0)
    inside = made < edges[-1] - SLIVER * fine  # rounding makes no bar of its own
    return made if inside.all() else np.append(made[inside], edges[-1])


def _heights(
    sums: NDArray[np.float64], by_class: bool, origin: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(heights[b, K], means[b], spreads[b]) from class counts or statistics as in `Tree.train`, y less `origin`."""
    if by_class:
        return sums, np.empty(0), np.empty(0)
    each = np.full((len(sums), 2), np.nan)
    np.divide(sums[:, 1:], sums[:, :1], out=each, where=sums[:, :1] > 0)
    return sums[:, :1], each[:, 0] + origin, np.sqrt(each[:, 1])


def branch_tone(branch: int, n_branches: int) -> QColor:
    """From the accent for the first branch to a pale one for the last."""
    colours = theme.current()
    return theme.mix(colours.accent, colours.card, PALEST * branch / max(1, n_branches - 1))


def bar_colour(tree: engine.Tree, k: int, focus: int) -> QColor:
    colours = theme.current()
    return colours.class_colour(k, len(tree.classes), focus) if tree.classes else colours.ribbon


def mean_places(bars: Bars, top: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the mean of each bar stands, float64[b], and the ends of its spread, float64[b, 2], between 0 and `top`:
    the scale goes from the least to the largest end. NaN for bars without rows."""
    ends = bars.means[:, None] + bars.spreads[:, None] * np.array([-1.0, 1.0])
    known = ends[np.isfinite(ends)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    step = top * ROOM / (high - low if high > low else 1.0)
    return top * LOW + step * (bars.means - low), top * LOW + step * (ends - low)


def mean_items(bars: Bars, top: float) -> list[pg.GraphicsObject]:
    """Faint lines as long as the spreads, the line that joins the means of values, and their dots."""
    heights, ends = mean_places(bars, top)
    known, colour = np.isfinite(heights), theme.current().positive
    thin = plotting.pen(colour, 1)
    spreads = pg.PlotCurveItem(np.repeat(bars.centres[known], 2), ends[known].ravel(), pen=thin, connect="pairs")
    spreads.setOpacity(FAINT)
    joined = 0 if bars.labels else len(heights) - bars.has_missing
    means = pg.PlotCurveItem(bars.centres[:joined], heights[:joined], pen=thin, connect="finite")
    look = {"size": 6 if known.sum() <= MANY else 3, "pen": None, "brush": plotting.brush(colour)}
    return [spreads, means, pg.ScatterPlotItem(bars.centres[known], heights[known], **look)]


def sample_items(
    cuts: NDArray[np.float64], scale: Scale, seen: tuple[float, float], deep: float, told: str
) -> list[pg.GraphicsObject]:
    """Where bootstrap samples cut a column: thin bars below 0, the highest as `deep` as the strip, and over them what
    shows as a tooltip what is `told`."""
    places = scale.places(cuts)
    places = places[(places >= seen[0]) & (places <= seen[1])]
    if not places.size:
        return []
    near = np.round(places / (seen[1] - seen[0]) * SAMPLE_BARS)
    _, bar, counts = np.unique(near, return_inverse=True, return_counts=True)
    ends = np.stack([np.full(len(counts), -deep), deep * (counts / counts.max() - 1)], axis=1)
    look = plotting.pen(sample_colour(), SAMPLE_BAR)
    look.setCapStyle(Qt.PenCapStyle.FlatCap)
    bars = pg.PlotCurveItem(np.repeat(np.bincount(bar, places) / counts, 2), ends.ravel(), pen=look, connect="pairs")
    strip = pg.BarGraphItem(x0=[seen[0]], x1=[seen[1]], y0=[-deep], y1=[0.0], pen=None, brush=None)
    strip.setToolTip(verbatim.tip(told))
    return [bars, strip]


def sample_colour() -> QColor:
    return theme.mix(theme.current().accent, theme.current().card, FAINT)


class CutLine(pg.InfiniteLine):  # type: ignore[misc]  # pyqtgraph has no types
    """One cut; a grip near the axis shows that it can be dragged."""

    grip = 0.0  # its radius in pixels; 0: it stands still

    def __init__(self, value: float) -> None:
        super().__init__(value, 90, plotting.pen(theme.current().accent, 2), movable=False)
        self._maxMarkerSize = HELD + 2  # so far beside the line it is painted

    def paint(self, painter: QPainter, *_: object) -> None:
        box = self.boundingRect()
        painter.setPen(self.pen)
        painter.drawLine(QPointF(box.left(), 0.0), QPointF(box.right(), 0.0))
        if not self.grip:
            return
        ends = [painter.transform().map(QPointF(x, 0.0)) for x in (box.left(), box.right())]
        foot = max(ends, key=QPointF.y)
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current().card, 1.5))
        painter.setBrush(self.pen.color())
        painter.drawEllipse(QPointF(foot.x(), foot.y() - ABOVE_AXIS), self.grip, self.grip)
        painter.restore()


class CutLines:
    """All cuts of one split."""

    def __init__(self, plot: pg.PlotWidget) -> None:
        self._plot = plot
        self.lines: list[CutLine] = []  # ascending
        self._named = False

    def show(
        self, cuts: tuple[float, ...], kind: str, scale: Scale, *, held: int | None = None, focused: bool = False,
        leaving: int | None = None,
    ) -> None:  # fmt: skip
        """Draws finite cuts. `kind` is the column's; `held`: the one that the keys move, None where all stand still and
        have no grips; `focused`: the keys go to the plot; `leaving`: the one that goes when the mouse lets it go."""
        named, colours = len(cuts) <= MOST_NAMED, theme.current()
        if len(cuts) != len(self.lines) or named != self._named:
            for line in self.lines:
                self._plot.removeItem(line)
            self.lines, self._named = [CutLine(0.0) for _ in cuts], named
            ink, fill = QColor(colours.text), plotting.brush(colours.card, 0.85)
            for line in self.lines:
                if named:
                    sides = [(-0.05, 0.0), (1.05, 0.0)]
                    line.label = pg.InfLineLabel(line, "", position=HIGHEST, color=ink, fill=fill, anchors=sides)
                self._plot.addItem(line, ignoreBounds=True)
        for place, (line, cut) in enumerate(zip(self.lines, cuts, strict=True)):
            line.grip = 0.0 if held is None else HELD if held == place and focused else GRIP
            style = Qt.PenStyle.DashLine if place == leaving else Qt.PenStyle.SolidLine
            line.setPen(plotting.pen(colours.border if place == leaving else colours.accent, 2, style))
            line.setZValue(20 + (place == held))
            if named:
                split = engine.Split("", "threshold", (cut,))
                line.label.setFormat(engine.splits.branch_words(split, 0, kind).removeprefix("≤ "))
            line.setValue(scale.place(cut))
        self.name()

    def at(self, where: QPointF) -> int | None:
        box = self._plot.getViewBox()
        away = [abs(box.mapViewToScene(QPointF(line.value(), 0.0)).x() - where.x()) for line in self.lines]
        nearest = min(range(len(away)), key=away.__getitem__, default=None)
        return nearest if nearest is not None and away[nearest] <= GRAB else None

    def name(self) -> None:
        """Puts the values of few cuts below each other; of many, leaves those out that would stand on another."""
        if not self._named:
            return
        box = self._plot.getViewBox()
        frame, taken = box.sceneBoundingRect(), list[QRectF]()
        few = len(self.lines) <= NAMED_CUTS
        for place, line in enumerate(self.lines):
            if few and frame.height() > 0:
                below = place * (line.label.boundingRect().height() + 1) / frame.height()
                line.label.setPosition(HIGHEST - below)
            x, size = box.mapViewToScene(QPointF(line.value(), 0.0)).x(), line.label.boundingRect().size()
            if not math.isfinite(x):
                continue
            left = x if x < frame.center().x() else x - size.width()  # as the label turns
            room = QRectF(QPointF(left, (HIGHEST - line.label.orthoPos) * frame.height()), size)
            inside = frame.left() - 1 <= x <= frame.right() + 1
            free = inside and not any(room.adjusted(-BETWEEN, 0, BETWEEN, 0).intersects(other) for other in taken)
            line.label.setVisible(free)
            if free:
                taken.append(room)


class LevelMarks:
    """The strip and the choice; all heights follow the highest bar that is seen."""

    def __init__(self, plot: pg.PlotWidget) -> None:
        self._plot, self._n = plot, 0
        self.forget()

    def forget(self) -> None:
        self.bars: Bars | None = None
        self._branches: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._chosen: tuple[int, ...] = ()
        self._current: int | None = None
        self._items: list[pg.GraphicsObject] = []

    def show(self, branches: NDArray[np.int64], n: int) -> None:
        """The branch of each bar, from 0 to n − 1; −1 for none."""
        self._branches, self._n = branches, n
        self.draw()

    def choose(self, chosen: Iterable[int], current: int | None) -> None:
        now = (tuple(sorted(chosen)), current)
        if now != (self._chosen, self._current):
            self._chosen, self._current = now
            self.draw()

    def draw(self) -> None:
        for item in self._items:
            self._plot.removeItem(item)
        self._items, bars = [], self.bars
        if bars is None or len(self._branches) != len(bars.left):
            return
        low, high = self._plot.getViewBox().viewRange()[0]
        seen = (bars.right > low) & (bars.left < high)
        top = float(bars.totals[seen].max(initial=0.0)) or 1.0
        strip, numbered = (grown(pixels, self._plot.fontMetrics()) for pixels in (STRIP, NUMBERED))
        pixel = ABOVE_BARS * top / max(self._plot.getViewBox().height() - STRIP_GAP - strip - 1, 1.0)
        deep, upper, lower = ((STRIP_GAP + strip + 1) * pixel, STRIP_GAP * pixel, (STRIP_GAP + strip) * pixel)
        self._plot.setYRange(-deep, ABOVE_BARS * top, padding=0)
        self._draw_choice(-deep, ABOVE_BARS * top - pixel)
        known = np.flatnonzero(self._branches >= 0)
        if not len(known):
            return
        tones = [branch_tone(b, self._n) for b in range(self._n)]
        fills = list(map(plotting.brush, tones))
        left, right, fill = bars.left[known] - 0.06, bars.right[known] + 0.06, [fills[b] for b in self._branches[known]]
        self._add(pg.BarGraphItem(x0=left, x1=right, y0=-lower, y1=-upper, pen=None, brushes=fill))
        if self._plot.getViewBox().width() < numbered * (high - low):
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
            fill = plotting.brush(colours.accent, 0.22)
            shade = pg.BarGraphItem(x0=at - 0.5, x1=at + 0.5, y0=foot, y1=top, pen=None, brush=fill)
            shade.setZValue(-5)
            self._add(shade)
        if self._current is not None:
            x, line = float(self._current), plotting.pen(colours.accent, 1.5)
            frame = pg.BarGraphItem(x0=[x - 0.5], x1=[x + 0.5], y0=foot, y1=top, pen=line, brush=None)
            frame.setZValue(5)
            self._add(frame)

    def _add(self, item: pg.GraphicsObject) -> None:
        self._plot.addItem(item, ignoreBounds=True)
        self._items.append(item)
