"""The icicle below the canvas: the whole tree in a strip, whatever the canvas shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QBrush,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui import theme
from gui.picture.camera import Camera
from gui.picture.emphasis import NOTHING, Emphasis
from gui.picture.levels import levels_of
from gui.picture.nodes import tips
from gui.picture.picture_model import PictureModel
from gui.picture.shapes import runs
from gui.picture.tree_cache import kept

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.canvas.view import TreeView
    from gui.model.document import Document


@kept
def icicle_of(tree: Tree, part: str) -> Icicle:
    """The cells for the rows of a part, "train" or "validation"."""
    return Icicle(tree, tree.rows_validation if part == "validation" else tree.rows_train)


class Icicle:
    """The cells of a tree; the root's reaches from 0 to 1.

    Attributes:
        levels: the tree by level.
        starts, stops: float64[n], the sides of each cell, in preorder.
    """

    def __init__(self, tree: Tree, rows: NDArray) -> None:
        self.levels = levels_of(tree)
        # In preorder, the leaves before a node are those to its left, and those before its end are its own besides.
        leaf_rows = np.where(tree.n_branches > 0, 0, rows)
        before = np.concatenate(([0], np.cumsum(leaf_rows))) / max(int(leaf_rows.sum()), 1)
        self.starts, self.stops = before[:-1], before[tree.end]

    def cells(self, least: float, every: int = 1) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The nodes whose cells are at least so wide, and the uppermost ones of those that are not, on every so many
        levels."""
        wide, narrow = [], []
        for level in range(0, self.levels.depth + 1, every):
            row = self.levels.row(level)
            enough = self._are_wide(row, least)
            wide.append(row[enough])
            row, above = row[~enough], self.levels.parent[row[~enough]]
            narrow.append(row[(above < 0) | self._are_wide(above, least)])
            if not enough.any():
                break
        return np.concatenate(wide), np.concatenate(narrow)

    def _are_wide(self, nodes: NDArray, least: float) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.stops[nodes] - self.starts[nodes] >= least
        return found

    def node_at(self, place: float, level: int) -> int:
        """The position of the node whose cell holds a place from 0 to 1 on a level, −1 where there is none."""
        if not 0 <= level <= self.levels.depth:
            return -1
        row = self.levels.row(level)
        k = int(np.searchsorted(self.starts[row], place, side="right")) - 1
        return int(row[k]) if k >= 0 and place <= self.stops[row[k]] else -1

    def covered(
        self, nodes: NDArray, every: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """The levels of some nodes in ascending order, of every so many levels the first one, and from where to where
        the cells on these levels reach."""
        at = self.levels.level[nodes] // every
        left, right = (np.full(self.levels.depth // every + 1, edge) for edge in (np.inf, -np.inf))
        np.minimum.at(left, at, self.starts[nodes])
        np.maximum.at(right, at, self.stops[nodes])
        found = np.flatnonzero(left < np.inf)
        return found * every, left[found], right[found]


HEIGHT = 76
MARGIN = 6.0
LEAST_CELL = 1.0  # pixels; what is narrower stands as one cell for all below it
PARTED = 4.0  # wider cells are parted by a line
PALER = 0.6  # how much of the canvas is in the colour of a folded cell


class IcicleStrip(QWidget):
    """Every node as a cell as wide as its rows, in the canvas's colours; a frame says what is in view."""

    def __init__(self, document: Document, canvas: TreeView) -> None:
        super().__init__()
        self._document, self._canvas = document, canvas
        self._picture: QPixmap | None = None
        self._drawn: tuple[PictureModel | None, Emphasis | None] = None, None  # what the picture shows
        self._seen: tuple[PictureModel | None, Camera, QSize] | None = None
        self._frame = QPainterPath()
        self.setObjectName("icicle")
        self.setAccessibleName("The whole tree as an icicle")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        canvas.looked.connect(self._on_looked)
        document.selectionChanged.connect(self._on_selection_changed)
        document.look.changed.connect(self._show)
        document.treeChanged.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        look = self._document.look
        self.setVisible(look.icicle and not look.presenting and self._document.tree is not None)

    @Slot()
    def _on_looked(self) -> None:
        """The canvas is painted anew: perhaps another part of it is in view."""
        port = self._canvas.port
        drawn = (port.scene, port.scene.emphasis if port.scene is not None else None)
        if self.isVisible() and (self._drawn != drawn or self._seen != (port.scene, port.camera, port.size.toSize())):
            self.update()

    @Slot(int)
    def _on_selection_changed(self, node: int) -> None:
        self.update()

    # -- geometry

    @property
    def _icicle(self) -> Icicle | None:
        scene = self._canvas.port.scene
        return icicle_of(scene.tree, scene.cards.part) if scene is not None else None

    def _row_height(self, icicle: Icicle) -> float:
        return (self.height() - 2 * MARGIN) / (icicle.levels.depth + 1)

    def _every(self, icicle: Icicle) -> int:
        """Of so many levels one is drawn, as lines of the screen are not lower than a pixel."""
        return max(int(np.ceil(LEAST_CELL / max(self._row_height(icicle), 1e-9))), 1)

    def _x(self, places: NDArray | float) -> NDArray[np.float64]:
        return np.asarray(MARGIN + places * (self.width() - 2 * MARGIN))

    def cell(self, node: int) -> QRectF:
        """Where the cell of a node stands; empty when the tree has no such node."""
        icicle, scene = self._icicle, self._canvas.port.scene
        if icicle is None or scene is None or node not in scene.tree:
            return QRectF()
        i, high = scene.tree.position(node), self._row_height(icicle)
        left, right = float(self._x(icicle.starts[i])), float(self._x(icicle.stops[i]))
        return QRectF(left, MARGIN + int(scene.tree.level[i]) * high, max(right - left, LEAST_CELL), high)

    def node_under(self, point: QPointF) -> int:
        """The position of the node whose cell is at a point, −1 where there is none."""
        icicle = self._icicle
        if icicle is None:
            return -1
        place = (point.x() - MARGIN) / max(self.width() - 2 * MARGIN, 1.0)
        return icicle.node_at(place, int(np.floor((point.y() - MARGIN) / self._row_height(icicle))))

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        port, painter = self._canvas.port, QPainter(self)
        icicle, scene = self._icicle, port.scene
        painter.fillRect(self.rect(), theme.current().canvas)
        if icicle is None or scene is None:
            return
        if self._drawn != (scene, scene.emphasis) or self._picture is None:
            self._picture, self._drawn = self._paint_cells(icicle, scene), (scene, scene.emphasis)
        painter.drawPixmap(0, 0, self._picture)
        seen = (scene, port.camera, port.size.toSize())
        if self._seen != seen:
            self._seen, self._frame = seen, self._outline(icicle, port.in_view())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.strokePath(self._frame, QPen(scene.theme.text, 1.5))
        box = self.cell(self._document.selected)
        if not box.isEmpty():
            painter.setPen(QPen(scene.theme.accent, 2.5))
            painter.drawRect(box.adjusted(-1, -1, 1, 1))

    def _paint_cells(self, icicle: Icicle, scene: PictureModel) -> QPixmap:
        """All cells: once for a tree, its colours, what stands out of it, and a width of the window."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(scene.theme.canvas)
        every, high = self._every(icicle), self._row_height(icicle)
        wide, narrow = icicle.cells(LEAST_CELL / max(self.width() - 2 * MARGIN, 1.0), every)
        nodes = np.concatenate((narrow, wide))
        left, right = self._x(icicle.starts[nodes]), self._x(icicle.stops[nodes])
        across = np.maximum(right - left, LEAST_CELL)
        across -= np.where(across >= PARTED, 1.0, 0.0)
        down = np.full(nodes.size, max(every * high - (high >= PARTED), LEAST_CELL))
        boxes = np.column_stack((left, MARGIN + scene.tree.level[nodes] * high, across, down))
        hidden = scene.folded.are_hidden(nodes) if scene.folded is not None else np.zeros(nodes.size, bool)
        emphasis = scene.emphasis or NOTHING
        faded = np.concatenate((emphasis.are_faded_below(narrow, scene.tree.end), emphasis.are_faded(wide)))
        keys = 4 * scene.colours.shade[nodes] + 2 * faded + hidden
        order = np.argsort(keys, kind="stable")
        self._fill(picture, scene, np.ascontiguousarray(boxes[order]), nodes[order], keys[order])
        return picture

    def _fill(self, picture: QPixmap, scene: PictureModel, boxes: NDArray, nodes: NDArray, keys: NDArray) -> None:
        """Cells in their colours; what is faded on the canvas is, too, and what is folded is paler and hatched."""
        painter, hatch = QPainter(picture), QBrush(scene.theme.secondary, Qt.BrushStyle.BDiagPattern)
        painter.setPen(Qt.PenStyle.NoPen)
        for start, stop in runs(keys):
            colours, hidden = scene.faded_colours if keys[start] & 2 else scene.colours, bool(keys[start] & 1)
            colour = colours.ribbon(int(nodes[start]))
            for brush in (theme.mix(colour, scene.theme.canvas, PALER), hatch) if hidden else (colour,):
                painter.setBrush(brush)
                painter.drawRects(shiboken6.wrapInstance(boxes.ctypes.data + 32 * start, QRectF), stop - start)
        painter.end()

    def _outline(self, icicle: Icicle, nodes: NDArray) -> QPainterPath:
        """The frame around the cells of the nodes in view, stepped from level to level."""
        every, path = self._every(icicle), QPainterPath()
        levels, lefts, rights = icicle.covered(nodes, every)
        if not levels.size:
            return path
        corners = []
        tops = MARGIN + levels * self._row_height(icicle)
        lows = tops + every * self._row_height(icicle)
        for top, low, x in zip(tops.tolist(), lows.tolist(), self._x(lefts).tolist(), strict=True):
            corners += [(x, top), (x, low)]
        for top, low, x in reversed(list(zip(tops.tolist(), lows.tolist(), self._x(rights).tolist(), strict=True))):
            corners += [(x, low), (x, top)]
        path.moveTo(*corners[0])
        for corner in corners[1:]:
            path.lineTo(*corner)
        path.closeSubpath()
        return path

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = self._seen = None

    # -- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        i, scene = self.node_under(event.position()), self._canvas.port.scene
        if event.button() == Qt.MouseButton.LeftButton and i >= 0 and scene is not None:
            self._document.select(int(scene.tree.ids[i]))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            i, scene = self.node_under(QPointF(event.pos())), self._canvas.port.scene
            if i >= 0 and scene is not None:
                QToolTip.showText(event.globalPos(), tips.tip(scene.tree, i), self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        return super().event(event)
