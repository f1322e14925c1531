"""The size-versus-error chart: every tree of a pruning as a point that can be hovered, clicked and walked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QResizeEvent

from gui import theme, words
from gui.panels import plotting

if TYPE_CHECKING:
    from engine.pruning import Pruning, Step

BESIDE = 6  # pixels between the chosen tree and its words
LOWEST, NAMED = 96, 150  # pixels; from the second height on, the lower axis has a name
ABOVE = 5  # the chosen tree's words hide what runs behind them: curves, and the line of the tree on the canvas
MOST_DOTS = 200  # with more steps the stairs alone are drawn


class LeavesAxis(pg.AxisItem):
    """Whole numbers of leaves; on a log axis 1, 2, 5, 10, 20, … (the data are log₁₀ then). Words never touch."""

    by_log = False
    _compact = False  # "20k" for 20,000: where two whole numbers have no room

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        each = size / max(high - low, 1e-9)
        choices = list(self._log_choices(low, high) if self.by_log else self._choices(low, high, size))
        for self._compact in (False, True):
            for spacing, marks in choices:
                texts = self.tickStrings(marks, 1.0, spacing)
                if len(marks) > 1 and plotting.apart(self, marks, texts, each):
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

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        return [(max(1.0, spacing), start) for spacing, start in super().tickSpacing(low, high, size)[:1]]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        counts = [round(10**value if self.by_log else value) for value in values]
        return [compact(count) if self._compact else words.count(count) for count in counts]


class ErrorAxis(pg.AxisItem):
    """Errors as percentages, or as plain numbers for a numeric target."""

    by_share = True

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.by_share:
            return [plotting.tick_words(value, spacing) for value in values]
        places = max(0, -math.floor(math.log10(100 * spacing) + 1e-9)) if spacing > 0 else 0
        return [words.percent(value, places) for value in values]


class PruningChart(pg.PlotWidget):
    """Draws a pruning's steps; says which one is hovered and which one is picked.

    Signals:
        hovered: The mouse is nearest to another step, or left (−1). arg: step
        picked: A step was clicked, or walked to by the keys. arg: step
    """

    hovered = Signal(int)
    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__(axisItems={"bottom": LeavesAxis("bottom"), "left": ErrorAxis("left")})
        plotting.set_up(self, "pruning_chart", "Error against number of leaves; arrow keys walk from tree to tree")
        self.setMinimumSize(180, LOWEST)
        self.getViewBox().setMouseEnabled(x=True, y=True)
        self._pruning: Pruning | None = None
        self._by_log = False
        self._order = np.empty(0, dtype=np.int64)  # steps by rising number of leaves
        self._at = np.empty(0)  # their places on the x axis
        self._walked = -1
        self._marked = -1
        self._cursor: pg.InfiniteLine | None = None
        self._halo: pg.ScatterPlotItem | None = None
        self._label: pg.TextItem | None = None
        self.getViewBox().sigTransformChanged.connect(self._place_label)
        self.getViewBox().sigResized.connect(self._place_label)
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)

    def draw(self, pruning: Pruning | None, by_share: bool, by_log: bool) -> None:
        """Shows a pruning; `by_share`: errors are shares of rows; `by_log`: log axis for the leaves."""
        plotting.restyle(self)
        self.clear()
        self._pruning, self._by_log, self._marked = pruning, by_log, -1
        self._cursor = self._halo = self._label = None
        if pruning is None:
            return
        self.getAxis("bottom").by_log, self.getAxis("left").by_share = by_log, by_share
        plotting.name_axis(self.getAxis("bottom"), "leaves")
        plotting.name_axis(
            self.getAxis("left"),
            "error" if by_share else f"mean {'absolute' if pruning.full.says_median else 'squared'} error",
        )
        self._name_lower_axis()
        leaves = np.array([step.leaves for step in pruning.steps], dtype=np.float64)
        self._order = np.argsort(leaves, kind="stable")
        self._at = self._place(leaves[self._order])
        self._walked = pruning.chosen
        colours = theme.current()
        self._draw_band()
        self._draw_stairs("train_error", colours.training, 1.5, Qt.PenStyle.DashLine)
        self._draw_stairs("cv_error", colours.positive, 1.5, Qt.PenStyle.SolidLine)
        self._draw_stairs("validation_error", colours.validation, 2.0, Qt.PenStyle.SolidLine)
        self._draw_chosen()
        self._fit()

    def mark_canvas(self, leaves: int, step: int | None) -> None:
        """Moves the cursor to the size of the tree on the canvas; the keys walk on from `step` if it is known."""
        if self._cursor is not None:
            self.removeItem(self._cursor)
            self._cursor = None
        if self._pruning is None:
            return
        self._walked = self._walked if step is None else step
        accent = QColor(theme.current().accent)
        self._cursor = pg.InfiniteLine(
            self._place(np.array([float(leaves)]))[0], 90, plotting.pen(accent, 1, Qt.PenStyle.DotLine),
            label="on the canvas", labelOpts={"position": 0.99, "color": accent, "anchors": [(0, 0), (1, 0)]},
        )  # fmt: skip
        self.addItem(self._cursor, ignoreBounds=True)

    def highlight(self, step: int) -> None:
        """Rings the points of a step; −1 takes the rings away."""
        self._marked = step
        if self._halo is not None:
            self.removeItem(self._halo)
            self._halo = None
        if step < 0 or self._pruning is None:
            return
        colours, shown = theme.current(), self._pruning.steps[step]
        x = self._place(np.array([float(shown.leaves)]))[0]
        pairs = (
            (shown.train_error, colours.training),
            (shown.cv_error, colours.positive),
            (shown.validation_error, colours.validation),
        )
        spots = [
            {"pos": (x, y), "pen": plotting.pen(colour, 2), "brush": plotting.brush(colours.card)}
            for y, colour in pairs
            if math.isfinite(y)
        ]
        self._halo = pg.ScatterPlotItem(spots=spots, size=11, symbol="o")
        self.addItem(self._halo, ignoreBounds=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right walk to fewer or more leaves, Home and End to the smallest and the full tree."""
        last = len(self._pruning.steps) - 1 if self._pruning is not None else -1
        goal = {
            Qt.Key.Key_Left: min(self._walked + 1, last),
            Qt.Key.Key_Right: max(self._walked - 1, 0),
            Qt.Key.Key_Home: last,
            Qt.Key.Key_End: 0,
        }.get(Qt.Key(event.key()))
        if goal is None or last < 0:
            event.ignore()
        elif goal != self._walked:
            self._pick(goal)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._marked >= 0:
            self.hovered.emit(-1)

    def step_at(self, where: QPointF) -> int:
        """The step nearest to a point of the scene; −1 outside the axes."""
        box = self.getViewBox()
        if self._pruning is None or not box.sceneBoundingRect().contains(where):
            return -1
        x = box.mapSceneToView(where).x()
        right = int(np.clip(np.searchsorted(self._at, x), 1, max(1, len(self._at) - 1)))
        if len(self._at) == 1 or x - self._at[right - 1] <= self._at[right] - x:
            right -= 1
        return int(self._order[right])

    def place_of(self, step: int) -> QPointF:
        """Where a step stands in the scene: on its validation error, or else on its training error."""
        shown = self._pruning.steps[step]
        x = float(self._place(np.array([float(shown.leaves)]))[0])
        return self.getViewBox().mapViewToScene(QPointF(x, _height(shown)))

    def _pick(self, step: int) -> None:
        self._walked = step
        self.hovered.emit(step)
        self.picked.emit(step)

    def _on_moved(self, where: QPointF) -> None:
        step = self.step_at(where)
        if step != self._marked:
            self.hovered.emit(step)

    def _on_clicked(self, event: object) -> None:
        step = self.step_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and step >= 0:
            self._pick(step)

    def _place(self, leaves: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.log10(np.maximum(leaves, 1.0)) if self._by_log else leaves

    def _errors(self, field: str) -> NDArray[np.float64]:
        """One error of every step, by rising number of leaves."""
        return np.array([getattr(step, field) for step in self._pruning.steps], dtype=np.float64)[self._order]

    def _draw_stairs(self, field: str, colour: QColor, width: float, style: Qt.PenStyle) -> None:
        errors = self._errors(field)
        if not np.isfinite(errors).any():
            return
        x, y = stairs(*plotting.decimate(self._at, errors))
        self.addItem(pg.PlotCurveItem(x, y, pen=plotting.pen(colour, width, style), antialias=True, connect="finite"))
        if len(errors) <= MOST_DOTS:
            size = 6 if len(errors) <= 60 else 4
            self.addItem(pg.ScatterPlotItem(self._at, errors, size=size, pen=None, brush=plotting.brush(colour)))

    def _draw_band(self) -> None:
        """The cross-validated error, one standard error up and down."""
        mean, se = self._errors("cv_error"), self._errors("cv_se")
        known = np.isfinite(mean) & np.isfinite(se)
        if known.sum() < 2:
            return
        edges = [stairs(*plotting.decimate(self._at[known], (mean + sign * se)[known])) for sign in (1, -1)]
        curves = [pg.PlotCurveItem(x, y) for x, y in edges]
        band = pg.FillBetweenItem(*curves, brush=plotting.brush(theme.current().positive, 0.15))
        self.addItem(band, ignoreBounds=True)

    def _draw_chosen(self) -> None:
        colours, step = theme.current(), self._pruning.steps[self._pruning.chosen]
        x = float(self._place(np.array([float(step.leaves)]))[0])
        marker = pg.ScatterPlotItem(
            [x], [_height(step)], size=13, symbol="d", brush=plotting.brush(colours.accent),
            pen=plotting.pen(colours.card, 1),
        )  # fmt: skip
        self.addItem(marker, ignoreBounds=True)
        self._label = pg.TextItem(
            f"chosen: {leaves_words(step.leaves)}", color=QColor(colours.text), fill=plotting.brush(colours.card)
        )
        self._label.setZValue(ABOVE)
        self._label.setPos(x, _height(step))
        self.addItem(self._label, ignoreBounds=True)
        self._place_label()

    def _place_label(self) -> None:
        """Keeps the words beside the chosen tree inside of the axes: left of it and below where there is no room."""
        if self._label is None:
            return
        inside = self.getViewBox().sceneBoundingRect()
        at, size = self.getViewBox().mapViewToScene(self._label.pos()), self._label.boundingRect()
        at_left = at.x() + BESIDE + size.width() > inside.right()
        # Where it fits on neither side it is left out: the line above the chart says it, too.
        self._label.setVisible(not at_left or at.x() - BESIDE - size.width() >= inside.left())
        below = at.y() - BESIDE - size.height() < inside.top()
        across = 1 + BESIDE / size.width() if at_left else -BESIDE / size.width()
        down = -BESIDE / size.height() if below else 1 + BESIDE / size.height()
        self._label.setAnchor((across, down))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls it once without one, before there are axes
            self._name_lower_axis()

    def _name_lower_axis(self) -> None:
        """In a low chart the numbers below the axis need the room more than its name."""
        self.getAxis("bottom").showLabel(self.height() >= NAMED)

    def _fit(self) -> None:
        margin = max(0.03 * float(self._at[-1] - self._at[0]), 0.05 if self._by_log else 0.5)
        self.setXRange(float(self._at[0]) - margin, float(self._at[-1]) + margin, padding=0)
        errors = np.concatenate([self._errors(f) for f in ("train_error", "validation_error", "cv_error")])
        self.setYRange(*error_range(errors[np.isfinite(errors)]), padding=0)


def error_range(errors: NDArray[np.float64]) -> tuple[float, float]:
    """The errors to show at first: from 0 to all of them; a closer look where a few small trees dwarf the rest."""
    if not len(errors) or not errors.max() > 0:
        return 0.0, 1.0
    low, usual, high = float(errors.min()), float(np.quantile(errors, 0.85)), float(errors.max())
    if high - low <= 5 * (usual - low) or usual == low:
        return 0.0, 1.12 * high
    return max(0.0, low - (usual - low)), low + 2.5 * (usual - low)


def stairs(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The corners of a stair line that keeps each y until the next x."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def compact(leaves: int) -> str:
    """The number at a tick in the least room: "500", "20k", "1.2M"."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if leaves >= unit and leaves % (unit // 10) == 0:
            return f"{leaves / unit:g}{letter}"
    return words.count(leaves)


def leaves_words(leaves: int) -> str:
    """ "1 leaf", "1,204 leaves"."""
    return "1 leaf" if leaves == 1 else f"{words.count(leaves)} leaves"


def _height(step: Step) -> float:
    """Where a step's marker stands: on the error that it can be chosen by."""
    for error in (step.validation_error, step.cv_error, step.train_error):
        if math.isfinite(error):
            return float(error)
    return 0.0
