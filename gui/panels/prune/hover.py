"""The outline of the tree that the mouse points at in the chart: at once from arrays, or from the worker."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from engine.runtime.sentences import tr
from gui import theme
from gui.model.document import Document
from gui.model.editing.pruning_choices import Outline, Point, is_quick, outline
from gui.panels.prune.chart import PruningChart
from gui.picture.colours import Colouring
from gui.widgets import plotting

WIDTH, HEIGHT = 220, 120  # pixels of the outline
MARGIN = 8
LEAF = 4  # pixels, the side of a leaf's square where there is room for it
BESIDE = 36  # pixels between it and the panel: the tabs stay in sight
KEPT = 40  # outlines of the last trees that a worker drew


class Thumbnail(QWidget):
    """Shows an outline and some words below it; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("pruning_thumbnail")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.picture = QPixmap()
        self.lines: list[str] = []

    def show_tree(self, outline: Outline | None, focus: int, lines: list[str], at: QPoint) -> None:
        """Shows a tree above a point of the screen; without an outline the words stand alone until it is there."""
        self.lines = lines
        self.picture = picture(outline, focus, self.devicePixelRatioF()) if outline is not None else QPixmap()
        widest = max(self.fontMetrics().horizontalAdvance(line) for line in lines)
        below = len(lines) * self.fontMetrics().height() + MARGIN
        self.resize(QSize(max(WIDTH, widest) + 2 * MARGIN, HEIGHT + 2 * MARGIN + below))
        room = self.screen().availableGeometry()
        left = min(max(at.x() - self.width() // 2, room.left()), room.right() - self.width())
        top = at.y() - self.height() - BESIDE
        self.move(left, top if top >= room.top() else at.y() + BESIDE)
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        painter.fillRect(self.rect(), colours.card)
        painter.setPen(plotting.pen(colours.border, 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if not self.picture.isNull():
            painter.drawPixmap((self.width() - WIDTH) // 2, MARGIN, self.picture)
        top = HEIGHT + 2 * MARGIN
        for number, line in enumerate(self.lines):
            painter.setPen(colours.text if number == 0 else colours.secondary)
            box = QRectF(MARGIN, top, self.width() - 2 * MARGIN, self.fontMetrics().height())
            painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter), line)
            top += self.fontMetrics().height()


def picture(outline: Outline, focus: int, ratio: float = 1.0) -> QPixmap:
    """The outline as an image of WIDTH × HEIGHT: grey branches, leaves in the colours of the canvas. What falls onto
    the same pixels is drawn once, so that ten thousand leaves take no longer than a few hundred."""
    made = QPixmap(round(WIDTH * ratio), round(HEIGHT * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(theme.current().card)
    x = LEAF + np.rint(outline.x * (WIDTH - 2 * LEAF) * 2) / 2
    y = LEAF + np.rint(outline.y * (HEIGHT - 2 * LEAF) * 2) / 2
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(plotting.pen(theme.mix(theme.current().secondary, theme.current().card, 0.45), 1))
    below, above = np.flatnonzero(outline.parent >= 0), outline.parent[outline.parent >= 0]
    edges = np.unique(np.column_stack((x[above], y[above], x[below], y[below])), axis=0)
    painter.drawLines([QLineF(*edge) for edge in edges.tolist()])
    colouring, leaves = Colouring(outline.tree, focus, theme.current()), np.flatnonzero(outline.leaf)
    half = min(LEAF, max(1.0, WIDTH / max(1, leaves.size))) / 2
    spots = np.unique(np.column_stack((colouring.shade[outline.nodes[leaves]], x[leaves], y[leaves])), axis=0)
    painter.setPen(Qt.PenStyle.NoPen)
    for shade in np.unique(spots[:, 0]).astype(int).tolist():
        painter.setBrush(colouring.tile_of(shade))
        here = spots[spots[:, 0] == shade, 1:].tolist()
        painter.drawRects([QRectF(at - half, down - half, 2 * half, 2 * half) for at, down in here])
    painter.end()
    return made


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
        self._point, self._lines = point, lines
        self._picked = self._picked if point == self._picked else None
        if point is None or point == self._picked or not lines or not self._chart.underMouse():
            self.leave()
        else:
            self._show(self._outline(point))

    def pick(self, point: Point) -> None:
        self._picked = point
        self.leave()

    def leave(self) -> None:
        self._point = None
        self.thumbnail.hide()

    def forget(self) -> None:
        self._kept.clear()
        self.leave()

    def _show(self, found: Outline | None) -> None:
        assert self._point is not None
        inside = self._chart.getViewBox().sceneBoundingRect()
        across = min(max(self._chart.place_of(self._point).x(), inside.left()), inside.right())  # even out of sight
        at = self._chart.mapToGlobal(self._chart.mapFromScene(QPointF(across, 0.0)))
        at.setY(self._panel.mapToGlobal(QPoint(0, 0)).y())
        self.thumbnail.show_tree(found, self._document.focus_class, self._lines, at)

    def _outline(self, point: Point) -> Outline | None:
        pruning = self._document.cutback.trees_of(point.method)
        if pruning is None or not 0 <= point.step < len(pruning.steps):
            return None
        made = self._kept.get(point)
        if made is not None and made[0] is pruning.trees:
            return made[1]
        if is_quick(pruning):
            return outline(pruning, point.step)

        def done(shape: Outline) -> None:
            self._kept[point] = pruning.trees, shape
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            if point == self._point:
                self._show(self._outline(point))  # the trees may be others by now

        self._document.jobs.run(
            tr("Drawing an outline"), outline, pruning, point.step, done=done, failed=lambda error: None,
            key="pruning outline", quiet=True,
        )  # fmt: skip
        return None
