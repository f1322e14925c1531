"""The tree on the screen: a widget that looks, points and walks. It changes nothing but the selection.

Wheel scrolls, Ctrl and wheel zooms at the pointer; dragging the empty canvas, the middle button, or Space
and any button pans; more of that in `gui.canvas.keys`. Arrows walk to parent, children and siblings, Home to the
root, Enter acts. A column that is dragged here aims at a node.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui import theme
from gui.canvas.dropping import ColumnDrops
from gui.canvas.fold_handles import FoldHandles
from gui.canvas.keys import NOTCH, Keys, Steering
from gui.canvas.motion import Motion
from gui.canvas.overlays.corner import Corner
from gui.canvas.overlays.fold_bar import FoldBar
from gui.canvas.overlays.follow_chips import FollowChips
from gui.canvas.overlays.kind_button import KindButton
from gui.canvas.overlays.minimap import Minimap
from gui.canvas.pointer import Pointer
from gui.canvas.scene_controller import Stage
from gui.canvas.viewport import Viewport
from gui.model.view_state import folding
from gui.picture import legend
from gui.picture.cards.painter import Marks
from gui.picture.nodes import tips
from gui.picture.nodes.letters import PLAIN, fonts
from gui.picture.paper.sheet import View
from gui.picture.picture_model import PictureModel

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.document import Document
    from gui.picture.camera import Camera

STEP = 1.25  # one press of + or −
BACK_ROW = 2.4, 1.5  # of a presentation: its smallest letters, of 10 pixels, have 24 on 1,080; and at least so much
COMES_BACK = 1_000  # milliseconds within which a window system has given the window its size back
EMPTY = "Open a table, and its tree will stand here: every row in one root, ready to be split."
FIRST_STEP = "Choose a split at the right, or press Go."
NO_STEP = "No column separates these rows: there is nothing to split."


class TreeView(QWidget):
    """The canvas.

    Attributes:
        legend_height: the pixels at the lower edge that the legend takes, as it was painted last.

    Signals:
        contextMenuRequested: args: the node under the pointer, the place on the screen
        activated: Double click or Enter. arg: the node
        looked: The picture is another, or another part of it is in view.
        columnDropped: A column was dragged onto a node. args: the node, the column's name
        legendChanged: The legend became higher or lower.
    """

    contextMenuRequested = Signal(int, QPoint)
    activated = Signal(int)
    looked = Signal()
    columnDropped = Signal(int, str)
    legendChanged = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._port = Viewport()
        self.legend_height = 0
        self._text_size = 100
        self._before_presenting: tuple[QSize, Tree, Camera, bool] | None = None  # what was seen then
        self._handles = FoldHandles(document, self._port)
        self.pointer = Pointer(self, document)
        self._keys = Keys(self, document)
        self._drops = ColumnDrops(self)
        self._drops.dropped.connect(self.columnDropped)
        self.setObjectName("treeCanvas")
        self.setAccessibleName("Decision tree")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 160)
        document.treeChanged.connect(self._on_tree_changed)
        document.selectionChanged.connect(self._on_selection_changed)
        document.look.changed.connect(self._on_look_changed)
        document.box_plots.changed.connect(self.update)
        document.candidatesChanged.connect(self.update)  # a single leaf says whether it can be split
        document.click_cut.changed.connect(self._on_cutting_changed)
        self._kind_button = KindButton(document.look, self)
        self._fold_bar = FoldBar(document, self)
        self._motion = Motion(document.look, self)
        self.stage = Stage(document, self._port, self._handles, self._motion, self)
        self.stage.changed.connect(self.update)
        self.stage.rebuilt.connect(self._on_rebuilt)
        self._steering = Steering(self)
        self.minimap = Minimap(document, self)
        self._chips = FollowChips(document, self)
        self._on_tree_changed(None, document.tree)
        self.corner = Corner(document, self)

    def sizeHint(self) -> QSize:
        return QSize(900, 640)

    # -- what the rest of the window may ask for

    @property
    def zoom(self) -> float:
        """The size of the cards; 1 is natural."""
        return self._port.camera.zoom

    def select(self, node: int) -> None:
        """Makes a node the selected one."""
        self._document.select(node)

    @property
    def selected(self) -> int:
        """The id of the selected node."""
        return self._document.selected

    @property
    def holding(self) -> bool:
        """Whether nodes are held beside the selected one."""
        return self._document.several.on

    def go(self, act: Callable[[], object]) -> None:
        """Does what moves the view, and shows the way there."""
        start = self._motion.shown(self._port.camera)
        act()
        self._motion.go(start, self._port.camera)
        self.update()

    def fit(self) -> None:
        """Shows the whole tree."""
        self.go(self._port.fit)

    def show_branch(self) -> None:
        """Shows the selected node with all below it as large as fits."""
        i = self.position_of(self._document.selected)
        if i >= 0:
            self.go(lambda: self._port.show_branch(i))

    def actual_size(self) -> None:
        """Shows cards at their natural size, around the selected node."""
        self.go(lambda: self._port.zoom(1.0 / self.zoom, self.anchor()))
        self.reveal(self._document.selected)

    def zoom_in(self) -> None:
        """A step closer."""
        self.go(lambda: self._port.zoom(STEP, self.anchor()))

    def zoom_out(self) -> None:
        """A step back."""
        self.go(lambda: self._port.zoom(1 / STEP, self.anchor()))

    def reveal(self, node: int) -> None:
        """Pans no further than needed to bring a node into view."""
        i = self.position_of(node)
        if i >= 0:
            self.go(lambda: self._port.reveal(i))

    def scene_in(self, look: theme.Theme, folded: bool = True) -> PictureModel | None:
        """The tree as it is shown, with what stands out, in the colours of a theme, or with all that is folded; None
        before there is one."""
        return self.stage.scene_in(look, folded)

    def shown(self) -> View:
        """Which part of the tree is in view."""
        return View(self._port.camera, self._port.size.width(), self._port.size.height() - legend.HEIGHT)

    def node_rect(self, node: int) -> QRectF:
        """Where a node's card stands in this widget; empty when the tree has no such node."""
        i = self.position_of(node)
        return self._port.box(i) if i >= 0 else QRectF()

    @property
    def port(self) -> Viewport:
        """What of the tree is in view."""
        return self._port

    def node_under(self, point: QPointF) -> int:
        """The id of the node at a point of this widget, −1 where there is none."""
        i = self.position_at(point)
        return int(self._scene.tree.ids[i]) if self._scene is not None and i >= 0 else -1

    def position_at(self, point: QPointF) -> int:
        """The position of the node that is drawn at a point, its handle included; −1 where there is none."""
        handle = self._handles.at(point)
        return handle if handle >= 0 else self._port.node_at(point)

    def toggle_fold(self, node: int) -> None:
        """Folds the branch below a node, or opens it."""
        self._handles.toggle(node)

    # -- the document

    @property
    def _scene(self) -> PictureModel | None:
        return self._port.scene

    @Slot(object, object)
    def _on_tree_changed(self, before: Tree | None, after: Tree | None) -> None:
        self.pointer.hovered = -1
        self._drops.aim(-1)
        QToolTip.hideText()
        self.stage.change(before, after)
        self._show_kind_button()
        self._describe()

    @Slot()
    def _on_rebuilt(self) -> None:
        self._fold_bar.fit(legend.least_width(self._port.scene) + 16)

    @Slot(int)
    def _on_selection_changed(self, node: int) -> None:
        folding.show_way(self._document, node)
        self.reveal(node)
        self.stage.emphasise(frozenset({"selected"}))
        self._describe()
        self.update()

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if self._scene is None or self._scene.tree is not self._document.tree:
            return  # another tree is on its way
        self.stage.look_changed(names)
        if "presenting" in names:
            self._show_kind_button()
            self._present(self._document.look.presenting)
        if "pointed" in names:
            self.pointer.show(self.position_of(self._document.look.pointed))

    @Slot()
    def _on_cutting_changed(self) -> None:
        """What stood still under the mouse while it cut is fitted again."""
        if self._port.still and self._port.fitted:
            self.fit()

    def _present(self, on: bool) -> None:
        """All is larger while it is presented; the view comes back with the size that the canvas had before."""
        port = self._port
        if on and port.scene is not None:
            self._before_presenting = self.size(), port.scene.tree, port.camera, port.fitted
        self._magnify()
        if not on:
            self._restore_view()
            QTimer.singleShot(COMES_BACK, self, self._forget_view)
        self.update()

    def set_text_size(self, percent: int) -> None:
        """Draws all of the picture larger or smaller, words and cards."""
        self._text_size = percent
        self._magnify()
        self.update()

    def _magnify(self) -> None:
        times = self._text_size / 100
        if self._document.look.presenting:
            times = max(times, BACK_ROW[0] * self.screen().size().height() / 1080, BACK_ROW[1])
        self._port.magnify(times)

    def _restore_view(self) -> None:
        """Shows what was seen before the presentation, once the canvas has its size again."""
        if self._before_presenting is None or self._document.look.presenting:
            return
        size, tree, camera, fitted = self._before_presenting
        if self.size() == size and self._port.scene is not None and self._port.scene.tree is tree:
            self._port.camera, self._port.fitted = camera, fitted
            self._before_presenting = None

    @Slot()
    def _forget_view(self) -> None:
        if not self._document.look.presenting:
            self._before_presenting = None

    def _show_kind_button(self) -> None:
        self._kind_button.setVisible(self._document.tree is not None and not self._document.look.presenting)

    def _describe(self) -> None:
        i = self.position_of(self._document.selected)
        spoken = tips.spoken(self._scene.tree, i) if self._scene is not None and i >= 0 else EMPTY
        self.setAccessibleDescription(spoken)

    # -- geometry

    def position_of(self, node: int) -> int:
        """The position of a node, of a hidden one that of the folded node above it; −1 when the tree has none."""
        return self._port.position_of(node)

    def anchor(self) -> QPointF:
        """The selected node where it is in view, else the middle."""
        i, room = self.position_of(self._document.selected), QRectF(self.rect())
        place = self._port.anchor(i) * self._port.magnified if i >= 0 else QPointF(-1.0, -1.0)
        return place if room.contains(place) else room.center()

    def _zoom_by(self, factor: float, at: QPointF) -> None:
        self._port.zoom(factor, at)
        self.update()

    def pan(self, dx: float, dy: float) -> None:
        """Moves what is seen by so many pixels."""
        self._port.pan(dx, dy)
        self.update()

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self.looked.emit()
        painter = QPainter(self)
        current = theme.current()
        painter.fillRect(self.rect(), current.canvas)
        dpi = float(self.logicalDpiY())
        if self._scene is None:
            self._paint_empty(painter, current, dpi)
            return
        selected = self.position_of(self._document.selected)
        marks = Marks(selected, self.pointer.hovered, self.hasFocus() or self.corner.has_keys, self._drops.target)
        port, camera, began = self._port, self._motion.shown(self._port.camera), perf_counter()
        width, height = port.size.width(), port.size.height()
        painter.scale(port.magnified, port.magnified)
        port.kind.paint(painter, self._scene, camera, width, height, marks, dpi)
        self._handles.paint(painter, camera, (self.pointer.hovered, selected), dpi)
        room = width - 20 - (self._fold_bar.width() + 10) / port.magnified * self._fold_bar.isVisible()
        legend.paint(painter, self._scene, 10, height - legend.HEIGHT, room, dpi, edged=True)
        if self.stage.ghosts is not None and selected >= 0:
            box = port.kind.frame(self._scene, camera, port.size).box(selected)
            self.stage.ghosts.paint(painter, box, QRectF(0, 0, width, height), dpi)
        elif self._scene.tree.n_nodes == 1 and self._document.candidates is not None:
            self._paint_first_step(painter, port.kind.frame(self._scene, camera, port.size).box(0), current, dpi)
        self._motion.painted(perf_counter() - began)
        lines = len(self._scene.legend[1])
        height = round((legend.HEIGHT + legend.LINE * (lines - 1)) * port.magnified) if lines else 0
        if height != self.legend_height:
            self.legend_height = height
            QTimer.singleShot(0, self, self.legendChanged.emit)

    def _paint_empty(self, painter: QPainter, current: theme.Theme, dpi: float) -> None:
        painter.setFont(fonts(1.2, dpi)[PLAIN])
        painter.setPen(current.secondary)
        room = self.rect().adjusted(32, 32, -32, -32)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, EMPTY)

    def _paint_first_step(self, painter: QPainter, box: QRectF, current: theme.Theme, dpi: float) -> None:
        """A tree that is a single leaf says below it what to do next."""
        possible = any(not found.reason for found in self._document.candidates or ())
        painter.setFont(fonts(1.1, dpi)[PLAIN])
        painter.setPen(current.secondary)
        width = min(360.0, self._port.size.width() - 16)
        left = min(max(box.center().x() - width / 2, 8.0), self._port.size.width() - width - 8)
        room = QRectF(left, box.bottom() + 16, width, 60)
        align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(room, align, FIRST_STEP if possible else NO_STEP)

    def resizeEvent(self, event: object) -> None:
        """The selected node stays where it is, if that is still in view; or else what stands in the middle."""
        port, tree, node = self._port, self._document.tree, self._document.selected
        i = tree.position(node) if tree is not None and node in tree and port.scene is not None else -1
        i = i if i >= 0 and port.scene.tree is tree and not port.follows else -1
        before = port.anchor(i) if i >= 0 else QPointF(-1.0, -1.0)
        port.resize(QSizeF(self.size()))
        if i >= 0 and QRectF(self.rect()).contains(before):
            port.camera = port.held(port.camera, i, before)
        self._restore_view()
        self._fold_bar.fit()
        self.update()

    # -- the mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_by(2.0 ** (event.angleDelta().y() * NOTCH), event.position())
        else:
            delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
            sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and delta.x() == 0
            self.pan(delta.y(), 0) if sideways else self.pan(delta.x(), delta.y())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.pointer.space or not self._handles.press(event):
            self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.node_under(event.position()) >= 0 and not self._handles.press(event):
            self.pointer.double_click(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._scene is not None:
            self.pointer.ask_for_menu(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer.hover(-1)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self._tell(event)
            return True
        if event.type() == QEvent.Type.NativeGesture:
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self._zoom_by(1.0 + event.value(), event.position())
            return True
        return super().event(event)

    def _tell(self, event: QHelpEvent) -> None:
        """Says what the mouse rests on."""
        point = QPointF(event.pos())
        i, said = self._port.node_at(point), self._handles.tip(point)
        if not said and i >= 0 and self._scene is not None:
            said = tips.tip(self._scene.tree, i, self._scene.colours.says(i), self._document.look.way)
        if said:
            QToolTip.showText(event.globalPos(), said, self)
        else:
            QToolTip.hideText()
            event.ignore()

    # -- the keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._keys.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self._keys.release(event):
            super().keyReleaseEvent(event)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.pointer.hold(False)
        self.update()
