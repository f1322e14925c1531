"""The whole tree, small, while the canvas shows a part of it: the minimap in a corner of the canvas, which looks like
the tree from far away, and the icicle below the canvas. In both a frame is around what is in view."""

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.canvas.canvas import Canvas
from gui.picture.camera import Camera, Spacing
from gui.picture.emphasis import NOTHING, Emphasis
from gui.picture.legend import HEIGHT
from gui.picture.levels import levels_of
from gui.picture.nodes import tips
from gui.picture.nodes.figures import rows_of
from gui.picture.picture_model import PictureModel
from gui.picture.shapes import draw_rectangles, runs
from gui.picture.tree_cache import kept
from gui.widgets.building import later, named, open_menu

SIZE = QSize(216, 136)
INSET = 10
LEAST_VIEW = QSize(420, 330)  # in a smaller canvas it would be in the way
OVERSIZE = 3.0  # the tree is painted so many times larger than it is shown
LEAST_FRAME = 8.0  # pixels; a smaller frame could not be seen
BEHIND = 110  # of 255: how much of what is out of view is covered
DOT = 3.5

STRIP, MARGIN = 76, 6.0  # pixels: how high the icicle is, and what is left free around its cells
LEAST_CELL = 1.0  # pixels; what is narrower stands as one cell for all below it
PARTED = 4.0  # wider cells are parted by a line
PALER = 0.6  # how much of the canvas is in the colour of a folded cell


class Minimap(QWidget):
    """A click shows the place there, dragging moves along. The picture of the tree is painted once for a tree and its
    colours, larger than it is shown; only the frame follows the view.

    It stands in the corner where it covers the fewest nodes, and neither the selected one nor what lies on the canvas;
    as long as it covers none it stays where it is."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._document, self._canvas = canvas.document, canvas
        self._picture: QPixmap | None = None
        self._drawn: tuple[PictureModel | None, object] = (None, None)
        self._camera = Camera()
        self._grip: QPointF | None = None  # from the middle of the frame to the mouse that holds it
        self._corner = 0
        self._placed: tuple[object, ...] = ()  # what the choice of the corner depends on
        named(self, "minimap", tr("Minimap of the tree"), tr(
            "The whole tree; the frame is what is in view. Drag it, or click where you want to look. "
            "With keys: Ctrl and arrows, Page Up and Page Down (hide it: O)"))  # fmt: skip
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay those of the tree
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFixedSize(SIZE)
        self.hide()
        self._timer = later(self, self._follow)  # not while the canvas is being painted
        canvas.looked.connect(self._timer.start)
        self._document.look.changed.connect(self._follow)

    def _follow(self) -> None:
        large = LEAST_VIEW.boundedTo(self._canvas.size()) == LEAST_VIEW
        there = self._document.look.minimap and large and not self._canvas.port.all_in_view()
        if there and self._grip is None:
            self._place()
        self.setVisible(there)
        self.update()

    def _place(self) -> None:
        canvas, port = self._canvas, self._canvas.port
        lying = canvas.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        others = [each.geometry() for each in lying if each.isVisible() and each is not self]
        known = (port.scene, port.camera, canvas.size(), canvas.legend_height, canvas.selected, others)
        if known == self._placed:
            return  # a picture is painted for every node that the mouse is over
        self._placed = known
        left, right = INSET, canvas.width() - SIZE.width() - INSET
        foot = max(canvas.legend_height, round(HEIGHT * port.magnified))
        low = canvas.height() - foot - SIZE.height() - INSET
        corners = [QRect(QPoint(x, y), SIZE) for y in (low, INSET) for x in (right, left)]
        taken = [canvas.node_rect(canvas.selected).toAlignedRect(), *others]
        covered = [(any(each.intersects(box) for box in taken), port.n_below(QRectF(each))) for each in corners]
        if covered[self._corner] != (False, 0):
            self._corner = covered.index(min(covered))
        self.setGeometry(corners[self._corner])

    def place(self, x: float, y: float) -> QPointF:
        return QPointF(self._camera.x + x * self._camera.sx, self._camera.y + y * self._camera.sy)

    def frame(self) -> QRectF:
        port = self._canvas.port
        corners = (port.camera.seen(0.0, 0.0), port.camera.seen(port.size.width(), port.size.height() - HEIGHT))
        box = QRectF(*(self.place(*corner) for corner in corners))
        dx, dy = (max(LEAST_FRAME - side, 0.0) / 2 for side in (box.width(), box.height()))
        return box.adjusted(-dx, -dy, dx, dy)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        scene, painter, current = self._canvas.port.scene, QPainter(self), theme.current()
        painter.fillRect(self.rect(), current.canvas)
        if scene is None:
            return
        if self._picture is None or self._drawn[0] is not scene or self._drawn[1] is not scene.emphasis:
            self._picture, self._drawn = self._paint_tree(scene), (scene, scene.emphasis)
        painter.drawPixmap(0, 0, self._picture)
        whole, shade, out_of_view = QRectF(self.rect()), QColor(current.canvas), QPainterPath()
        shade.setAlpha(BEHIND)
        seen = self.frame().intersected(whole)
        out_of_view.addRect(whole)
        out_of_view.addRect(seen)  # and what is in two of them is not filled
        painter.fillPath(out_of_view, shade)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._canvas.selected in scene.tree:
            frame = self._canvas.port.kind.frame(scene, self._camera, QSizeF(self.size()))
            painter.setPen(QPen(current.canvas, 1.5))
            painter.setBrush(current.accent)
            painter.drawEllipse(frame.anchor(scene.tree.position(self._canvas.selected)), DOT, DOT)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current.text, 1.5))
        painter.drawRoundedRect(seen.intersected(whole.adjusted(1.5, 1.5, -1.5, -1.5)), 2, 2)
        painter.setPen(QPen(current.secondary, 1.0))
        painter.drawRect(whole.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_tree(self, scene: PictureModel) -> QPixmap:
        width, height = self.width() * OVERSIZE, self.height() * OVERSIZE
        camera = scene.fitted(width, height)
        picture = QPixmap(round(width), round(height))
        picture.fill(scene.theme.canvas)
        painter = QPainter(picture)
        self._canvas.port.kind.paint(painter, scene, camera, width, height)
        painter.end()
        small = Spacing(full_x=camera.sx / OVERSIZE, full_y=camera.sy / OVERSIZE, tight_x=0.0, tight_y=0.0)
        self._camera = Camera(camera.x / OVERSIZE, camera.y / OVERSIZE, 1.0, small)
        ratio = self.devicePixelRatioF()
        smooth = Qt.TransformationMode.SmoothTransformation
        picture = picture.scaled(self.size() * ratio, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
        picture.setDevicePixelRatio(ratio)
        return picture

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        frame, point = self.frame(), event.position()
        self._grip = point - frame.center() if frame.contains(point) else QPointF()
        if not frame.contains(point):
            self._canvas.go(lambda: self._look_at(point))

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._grip is not None:
            self._look_at(event.position() - self._grip)
            self._canvas.update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._grip = None
        self._follow()

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        menu = named(QMenu(self), "minimap_menu")
        menu.addAction(tr("&Hide the minimap"), lambda: self._document.look.set(minimap=False))
        menu.addAction(tr("&Fit the tree"), self._canvas.fit)
        open_menu(menu, event.globalPos())

    def _look_at(self, point: QPointF) -> None:
        self._canvas.port.centre(*self._camera.seen(point.x(), point.y()))


class Icicle:
    """The cells of a tree; the root's reaches from 0 to 1."""

    def __init__(self, tree: "engine.Tree", part: str) -> None:
        rows = rows_of(tree, part)
        self.levels = levels_of(tree)
        # In preorder, the leaves before a node are those to its left, and those before its end are its own besides.
        leaf_rows = np.where(tree.n_branches > 0, 0, rows)
        before = np.concatenate(([0], np.cumsum(leaf_rows))) / max(int(leaf_rows.sum()), 1)
        self.starts = before[:-1]  # float64[n], in preorder the left sides of the cells, as `stops` the right ones
        self.stops = before[tree.end]

    def cells(self, least: float, every: int = 1) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The nodes whose cells are at least so wide, and the uppermost of the others, on every so many levels."""
        wide, narrow, widths = [], [], self.stops - self.starts
        for level in range(0, self.levels.depth + 1, every):
            row = self.levels.row(level)
            enough = widths[row] >= least
            wide.append(row[enough])
            row, above = row[~enough], self.levels.parent[row[~enough]]
            narrow.append(row[(above < 0) | (widths[above] >= least)])
            if not enough.any():
                break
        return np.concatenate(wide), np.concatenate(narrow)

    def node_at(self, place: float, level: int) -> int:
        """The position of the node whose cell holds a place from 0 to 1 on a level, −1 where there is none."""
        if not 0 <= level <= self.levels.depth:
            return -1
        row = self.levels.row(level)
        k = int(np.searchsorted(self.starts[row], place, side="right")) - 1
        return int(row[k]) if k >= 0 and place <= self.stops[row[k]] else -1

    def covered(self, nodes: NDArray, every: int = 1) -> tuple[NDArray, NDArray, NDArray]:
        """Of every so many levels the first one where some nodes stand; from where to where their cells there reach."""
        at = self.levels.level[nodes] // every
        left, right = (np.full(self.levels.depth // every + 1, edge) for edge in (np.inf, -np.inf))
        np.minimum.at(left, at, self.starts[nodes])
        np.maximum.at(right, at, self.stops[nodes])
        found = np.flatnonzero(left < np.inf)
        return found * every, left[found], right[found]


@kept
def icicle_of(tree: "engine.Tree", part: str) -> Icicle:
    return Icicle(tree, part)


class IcicleStrip(QWidget):
    """Every node as a cell as wide as its rows, in the canvas's colours; a frame says what is in view."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        document = canvas.document
        self._document, self._canvas = document, canvas
        self._picture: QPixmap | None = None
        self._drawn: tuple[PictureModel | None, Emphasis | None] = None, None  # what the picture shows
        self._seen: tuple[PictureModel | None, Camera, QSize] | None = None
        self._frame = QPainterPath()
        named(self, "icicle", tr("The whole tree as an icicle"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(STRIP)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        canvas.looked.connect(self._on_looked)
        document.selectionChanged.connect(self.update)
        document.look.changed.connect(self._show)
        document.treeChanged.connect(self._show)
        self._show()

    def _show(self) -> None:
        look = self._document.look
        self.setVisible(look.icicle and not look.presenting and self._document.tree is not None)

    def _on_looked(self) -> None:
        port = self._canvas.port
        drawn = (port.scene, getattr(port.scene, "emphasis", None))
        if self.isVisible() and (self._drawn != drawn or self._seen != (port.scene, port.camera, port.size.toSize())):
            self.update()

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

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
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
        box = self.cell(self._canvas.selected)
        if not box.isEmpty():
            painter.setPen(QPen(scene.theme.accent, 2.5))
            painter.drawRect(box.adjusted(-1, -1, 1, 1))

    def _paint_cells(self, icicle: Icicle, scene: PictureModel) -> QPixmap:
        """All cells: once for a tree, its colours, what stands out of it, and a width of the window. What is faded on
        the canvas is, too; what is folded is paler and hatched."""
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
        boxes, nodes, keys = np.ascontiguousarray(boxes[order]), nodes[order], keys[order]
        painter, hatch = QPainter(picture), QBrush(scene.theme.secondary, Qt.BrushStyle.BDiagPattern)
        painter.setPen(Qt.PenStyle.NoPen)
        for start, stop in runs(keys):
            colours = scene.faded_colours if keys[start] & 2 else scene.colours
            colour = colours.ribbon(int(nodes[start]))
            for brush in (theme.mix(colour, scene.theme.canvas, PALER), hatch) if keys[start] & 1 else (colour,):
                painter.setBrush(brush)
                draw_rectangles(painter, boxes[start:stop])
        painter.end()
        return picture

    def _outline(self, icicle: Icicle, nodes: NDArray) -> QPainterPath:
        """The frame around the cells of the nodes in view, stepped from level to level."""
        every, path = self._every(icicle), QPainterPath()
        levels, lefts, rights = icicle.covered(nodes, every)
        if levels.size:
            y = MARGIN + np.add.outer(levels, (0, every)).ravel() * self._row_height(icicle)
            x = np.concatenate((self._x(lefts).repeat(2), self._x(rights).repeat(2)[::-1]))
            path.addPolygon(QPolygonF(list(map(QPointF, x.tolist(), [*y.tolist(), *y[::-1].tolist()]))))
            path.closeSubpath()
        return path

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._picture = self._seen = None

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        node = self._canvas.port.id_of(self.node_under(event.position()))
        if event.button() == Qt.MouseButton.LeftButton and node >= 0:
            replaying = self._document.replaying
            replaying.go_to_node(node) if replaying.tree is not None else self._document.select(node)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QtGui.QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            i, port = self.node_under(QPointF(event.pos())), self._canvas.port
            if i >= 0:
                bottom = round(self.cell(port.id_of(i)).bottom())
                below = QPoint(event.pos().x(), min(bottom, self.height()) - 12)
                QToolTip.showText(self.mapToGlobal(below), tips.tip(port.there.tree, i), self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        return super().event(event)
