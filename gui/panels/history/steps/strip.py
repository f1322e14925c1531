"""The history strip: the errors after every step, as two lines over the undo list; a click goes back to a step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QToolTip

from gui import theme
from gui.panels.prune.chart import ErrorAxis
from gui.widgets import plotting, verbatim
from gui.wording import words

if TYPE_CHECKING:
    from gui.model.history import HistoryStep

LOWEST = 80  # pixels
DOTS = 80  # steps up to which each of them is a dot
FADED = 0.35  # how much of the ink is left for steps that were taken back


class StepAxis(plotting.NumberAxis):
    """Numbers of steps, 0 for the beginning."""

    whole = True


class HistoryStrip(pg.PlotWidget):
    """Draws the errors after every step, those that were taken back paler.

    Steps whose errors are about something else than those of the present one, another target say, leave a gap.

    Signals:
        picked: A step was clicked, or walked to by the keys. arg: its number, 0 for the beginning
    """

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__(axisItems={"bottom": StepAxis("bottom"), "left": ErrorAxis("left")})
        plotting.set_up(self, "history_strip", "Errors after every step; arrow keys go to the step before or after")
        self.setMinimumSize(140, LOWEST)
        self.getViewBox().setMouseEnabled(x=False, y=False)
        self._steps: list[HistoryStep] = []
        self._current = 0
        self._errors = np.empty((2, 0))  # training and validation error after every step
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)

    def draw(self, steps: list[HistoryStep], current: int) -> None:
        """Shows the steps, the beginning first."""
        self._steps, self._current = list(steps), current
        self.clear()
        plotting.restyle(self)
        if not steps:
            self._errors = np.empty((2, 0))
            return
        now = steps[current]
        self.getAxis("left").by_share = now.task == "classes"
        pairs = [(s.train_error, s.validation_error) if s.comparable(now) else (math.nan, math.nan) for s in steps]
        self._errors = np.array(pairs).T
        colours = theme.current()
        dashed, solid = Qt.PenStyle.DashLine, Qt.PenStyle.SolidLine
        for errors, ink, style in zip(
            self._errors, (colours.training, colours.validation), (dashed, solid), strict=True
        ):  # fmt: skip
            self._draw_line(errors, QColor(ink), style)
        line = pg.InfiniteLine(current, 90, plotting.pen(colours.accent, 1, Qt.PenStyle.DotLine))
        self.addItem(line, ignoreBounds=True)
        self._fit()

    def _draw_line(self, errors: NDArray[np.float64], ink: QColor, style: Qt.PenStyle) -> None:
        """The steps that stand, then, paler, those that were taken back."""
        at, pale = np.arange(len(errors)), QColor(ink)
        pale.setAlphaF(FADED)
        for part, colour in ((slice(self._current, None), pale), (slice(0, self._current + 1), ink)):
            x, y = at[part], errors[part]
            if np.isfinite(y).any():
                pen = plotting.pen(colour, 1.5, style)
                self.addItem(pg.PlotCurveItem(x, y, pen=pen, antialias=True, connect="finite"))
        if len(errors) <= DOTS:
            known = np.isfinite(errors)
            brushes = [plotting.brush(ink, 1.0 if i <= self._current else FADED) for i in at[known]]
            self.addItem(pg.ScatterPlotItem(at[known], errors[known], size=6, pen=None, brush=brushes))

    def _fit(self) -> None:
        last = len(self._steps) - 1
        self.setXRange(-0.3, max(last, 1) + 0.3, padding=0)
        known = self._errors[np.isfinite(self._errors)]
        high = float(known.max()) if known.size else 1.0
        self.setYRange(0.0, 1.1 * high if high > 0 else 1.0, padding=0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go to the step before and after, Home and End to the first and the last one."""
        last = len(self._steps) - 1
        goal = {
            Qt.Key.Key_Left: max(self._current - 1, 0),
            Qt.Key.Key_Right: min(self._current + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if goal is None or last < 0:
            event.ignore()
        elif goal != self._current:
            self.picked.emit(goal)

    def step_at(self, where: QPointF) -> int:
        """The step nearest to a point of the scene; −1 outside the axes."""
        box = self.getViewBox()
        if not self._steps or not box.sceneBoundingRect().contains(where):
            return -1
        return min(max(round(box.mapSceneToView(where).x()), 0), len(self._steps) - 1)

    def place_of(self, step: int) -> QPointF:
        """Where a step's training error stands in the scene."""
        error = float(self._errors[0, step])
        return self.getViewBox().mapViewToScene(QPointF(step, error if math.isfinite(error) else 0.0))

    def _on_moved(self, where: QPointF) -> None:
        step = self.step_at(where)
        self.setToolTip(verbatim.tip(self.words_of(step) if step >= 0 else ""))
        if step >= 0:
            QToolTip.showText(self.mapToGlobal(self.mapFromScene(where)), self.toolTip(), self)

    def words_of(self, step: int) -> str:
        """What a step did and what its errors are, in a line each."""
        shown = self._steps[step]
        errors = [
            f"{name} {words.percent(error) if shown.task == 'classes' else words.value(error)}"
            for name, error in (("train", shown.train_error), ("valid", shown.validation_error))
            if math.isfinite(error)
        ]
        return f"{step}: {shown.text}\n{', '.join([words.count(shown.leaves) + ' leaves', *errors])}"

    def _on_clicked(self, event: object) -> None:
        step = self.step_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and step >= 0 and step != self._current:
            self.picked.emit(step)
