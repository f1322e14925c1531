"""The outline of the tree that the mouse points at in the chart: at once from arrays, or from the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QWidget

from gui.model.document import Document
from gui.model.editing.pruning_choices import SEQUENCE, Outline, Point, is_quick, outline
from gui.panels.prune.chart import PruningChart
from gui.panels.prune.thumbnail import Thumbnail

if TYPE_CHECKING:
    from engine.pruning.result import Pruning

KEPT = 40  # outlines of the trees that were pointed at last


class Hover:
    """Shows and hides the thumbnail of one chart, above the panel that the chart is in."""

    def __init__(self, document: Document, chart: PruningChart, panel: QWidget) -> None:
        self._document, self._chart, self._panel = document, chart, panel
        self.thumbnail = Thumbnail(chart)
        self._point: Point | None = None
        self._picked: Point | None = None  # its tree is on the canvas now; the outline would lie on that
        self._lines: list[str] = []
        self._kept: dict[Point, tuple[object, Outline]] = {}

    def enter(self, point: Point | None, lines: list[str]) -> None:
        """Another tree is pointed at, or none."""
        self._point, self._lines = point, lines
        self._picked = self._picked if point == self._picked else None
        if point is None or point == self._picked or not lines or not self._chart.underMouse():
            self.leave()
            return
        self._show(self._outline(point))

    def pick(self, point: Point) -> None:
        """A tree was clicked: its outline goes, until another one was pointed at."""
        self._picked = point
        self.leave()

    def leave(self) -> None:
        """Nothing is pointed at."""
        self._point = None
        self.thumbnail.hide()

    def forget(self) -> None:
        """The trees are gone."""
        self._kept.clear()
        self.leave()

    def _show(self, found: Outline | None) -> None:
        assert self._point is not None
        inside = self._chart.getViewBox().sceneBoundingRect()
        across = self._chart.place_of(self._point).x()
        across = min(max(across, inside.left()), inside.right())  # a tree may stand outside of what is zoomed to
        at = self._chart.mapToGlobal(self._chart.mapFromScene(QPointF(across, 0.0)))
        at.setY(self._panel.mapToGlobal(QPoint(0, 0)).y())
        self.thumbnail.show_tree(found, self._document.focus_class, self._lines, at)

    def _outline(self, point: Point) -> Outline | None:
        """The outline if it is at hand or quickly made; the worker makes the others."""
        pruning = self._pruning(point)
        if pruning is None or not 0 <= point.step < len(pruning.steps):
            return None
        made = self._kept.get(point)
        if made is not None and made[0] is pruning.trees:
            return made[1]
        if is_quick(pruning):
            return self._keep(point, pruning.trees, outline(pruning, point.step))

        def done(shape: Outline) -> None:
            self._keep(point, pruning.trees, shape)
            if point == self._point:
                self._show(self._outline(point))  # the trees may be others by now

        self._document.jobs.run(
            "Drawing an outline", outline, pruning, point.step, done=done, failed=lambda error: None,
            key="pruning outline", quiet=True,
        )  # fmt: skip
        return None

    def _pruning(self, point: Point) -> Pruning | None:
        choices = self._document.cutback.choices
        found = choices.found.get(point.method) if choices is not None else None
        return choices.line() if choices is not None and found is None and point.method == SEQUENCE else found

    def _keep(self, point: Point, trees: object, made: Outline) -> Outline:
        self._kept[point] = trees, made
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return made
