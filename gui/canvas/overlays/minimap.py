"""The minimap: the whole tree in a corner of the canvas while only a part is in view; a frame is around that part.

The picture of the tree is painted once for a tree and its colours, larger than it is shown, so that it looks like the
tree from far away. Only the frame follows the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from gui import theme
from gui.canvas.overlays.overlay import Overlay
from gui.picture.camera import Camera, Spacing
from gui.picture.legend import HEIGHT
from gui.picture.picture_model import PictureModel

if TYPE_CHECKING:
    from gui.canvas.view import TreeView
    from gui.model.document import Document

SIZE = QSize(216, 136)
INSET = 10
LEAST_VIEW = QSize(420, 330)  # in a smaller canvas it would be in the way
OVERSIZE = 3.0  # the tree is painted so many times larger than it is shown
LEAST_FRAME = 8.0  # pixels; a smaller frame could not be seen
BEHIND = 110  # of 255: how much of what is out of view is covered
DOT = 3.5


class Minimap(QWidget):
    """A click shows the place there, dragging moves along.

    It gives way to the selected card, and to what lies on the canvas: where it would cover them, it stands on the left.
    """

    def __init__(self, document: Document, canvas: TreeView) -> None:
        super().__init__(canvas)
        self._document, self._canvas = document, canvas
        self._picture: QPixmap | None = None
        self._drawn: tuple[PictureModel | None, object] = (None, None)
        self._camera = Camera()
        self._grip: QPointF | None = None  # from the middle of the frame to the mouse that holds it
        self._aside = False
        self.setObjectName("minimap")
        self.setAccessibleName("Minimap of the tree")
        self.setToolTip("The whole tree; the frame is what is in view. Drag it, or click where you want to look. "
                        "With keys: Ctrl and arrows, Page Up and Page Down (hide it: O)")  # fmt: skip
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay those of the tree
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFixedSize(SIZE)
        self.hide()
        self._timer = QTimer(self, interval=0, singleShot=True)  # not while the canvas is being painted
        self._timer.timeout.connect(self._follow)
        canvas.looked.connect(self._timer.start)
        document.look.changed.connect(self._follow)

    @Slot()
    def _follow(self) -> None:
        """Stands where it is not in the way, or not at all."""
        canvas = self._canvas
        port, room = canvas.port, canvas.size()
        large = room.width() >= LEAST_VIEW.width() and room.height() >= LEAST_VIEW.height()
        there = self._document.look.minimap and large and port.scene is not None and not port.all_in_view()
        if there and self._grip is None:
            self._place()
        self.setVisible(there)
        self.update()

    def _place(self) -> None:
        canvas = self._canvas
        others = [each.geometry() for each in canvas.findChildren(Overlay) if each.isVisible()]
        taken = [canvas.node_rect(self._document.selected).toAlignedRect(), *others]
        usual, aside = (any(self._corner(left).intersects(each) for each in taken) for left in (False, True))
        self._aside = usual and not aside
        self.setGeometry(self._corner(self._aside))

    def _corner(self, left: bool) -> QRect:
        canvas = self._canvas
        foot = round(HEIGHT * canvas.port.magnified)
        x = INSET if left else canvas.width() - SIZE.width() - INSET
        return QRect(QPoint(x, canvas.height() - foot - SIZE.height() - INSET), SIZE)

    # -- geometry

    def place(self, x: float, y: float) -> QPointF:
        """Where a place of the drawing is in the map."""
        return QPointF(self._camera.x + x * self._camera.sx, self._camera.y + y * self._camera.sy)

    def frame(self) -> QRectF:
        """What is in view, in the map."""
        port = self._canvas.port
        corners = (port.camera.seen(0.0, 0.0), port.camera.seen(port.size.width(), port.size.height() - HEIGHT))
        box = QRectF(*(self.place(*corner) for corner in corners))
        grow = (max(LEAST_FRAME - side, 0.0) / 2 for side in (box.width(), box.height()))
        dx, dy = grow
        return box.adjusted(-dx, -dy, dx, dy)

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        scene, painter, current = self._canvas.port.scene, QPainter(self), theme.current()
        painter.fillRect(self.rect(), current.canvas)
        if scene is None:
            return
        drawn = (scene, scene.emphasis)
        if self._picture is None or any(old is not new for old, new in zip(self._drawn, drawn, strict=True)):
            self._picture, self._drawn = self._paint_tree(scene), drawn
        painter.drawPixmap(0, 0, self._picture)
        frame, whole = self.frame(), QRectF(self.rect())
        shade = QColor(current.canvas)
        shade.setAlpha(BEHIND)
        seen = frame.intersected(whole)
        for part in (
            QRectF(0, 0, whole.width(), seen.top()),
            QRectF(0, seen.bottom(), whole.width(), whole.height() - seen.bottom()),
            QRectF(0, seen.top(), seen.left(), seen.height()),
            QRectF(seen.right(), seen.top(), whole.width() - seen.right(), seen.height()),
        ):
            painter.fillRect(part, shade)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_selected(painter, scene, current)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current.text, 1.5))
        painter.drawRoundedRect(seen.intersected(whole.adjusted(1.5, 1.5, -1.5, -1.5)), 2, 2)
        painter.setPen(QPen(current.secondary, 1.0))
        painter.drawRect(whole.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_selected(self, painter: QPainter, scene: PictureModel, current: theme.Theme) -> None:
        """A dot where the selected node is."""
        if self._document.selected not in scene.tree:
            return
        kind, i = self._canvas.port.kind, scene.tree.position(self._document.selected)
        at = kind.frame(scene, self._camera, QSizeF(self.size())).anchor(i)
        painter.setPen(QPen(current.canvas, 1.5))
        painter.setBrush(current.accent)
        painter.drawEllipse(at, DOT, DOT)

    def _paint_tree(self, scene: PictureModel) -> QPixmap:
        """The whole tree, larger than the map, and scaled down to it."""
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
        picture = picture.scaled(
            self.size() * ratio, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        picture.setDevicePixelRatio(ratio)
        return picture

    # -- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        frame, point = self.frame(), event.position()
        if frame.contains(point):
            self._grip = point - frame.center()
        else:
            self._grip = QPointF()
            self._canvas.go(lambda: self._look_at(point))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._look_at(event.position() - self._grip)
            self._canvas.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None
        self._follow()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self, objectName="minimap_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("&Hide the minimap", lambda: self._document.look.set(minimap=False))
        menu.addAction("&Fit the tree", self._canvas.fit)
        menu.popup(event.globalPos())

    def _look_at(self, point: QPointF) -> None:
        """Shows what stands at a point of the map in the middle of the view."""
        self._canvas.port.centre(*self._camera.seen(point.x(), point.y()))
