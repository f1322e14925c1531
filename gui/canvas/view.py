"""The tree on the screen: a widget that looks, points and walks. It changes nothing but the selection.

Wheel scrolls, Ctrl and wheel zooms at the pointer; dragging the empty canvas, the middle button, or Space and any
button pans; more of that in `gui.canvas.steering`. Arrows walk to parent, children and siblings, Home to the root,
Enter acts. A column that is dragged here aims at a node."""

from time import perf_counter

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, QTimer
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.canvas.overlays.corner import Corner
from gui.canvas.overlays.overview import Minimap
from gui.canvas.overlays.picture_controls import FoldBar, FollowChips, KindButton
from gui.canvas.scene_controller import Stage
from gui.canvas.steering import PointedCanvas, Steering
from gui.model.document import Document
from gui.model.view_state import folding
from gui.picture import legend
from gui.picture.camera import Camera
from gui.picture.cards.painter import Marks
from gui.picture.fold_marks import Placed
from gui.picture.nodes import tips
from gui.picture.nodes.letters import PLAIN, fonts
from gui.picture.paper.sheet import View
from gui.picture.picture_model import PictureModel
from gui.picture.streams.frame import StreamFrame
from gui.widgets.building import named
from gui.wording import phrases

BACK_ROW = 24 / 8.25, 1.5  # of a presentation: its smallest letters, of 8.25 pixels, have 24 on 1,080; the least
COMES_BACK = 1_000  # milliseconds within which a window system has given the window its size back
FRAME = 2.0  # pixels of the frame that shows that the keys are the tree's
EMPTY = marked("Open a table, and its tree will stand here: every row in one root, ready to be split.")
FIRST_STEP = marked("Choose a split at the right, or press Go.")


class TreeView(PointedCanvas):
    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._text_size = 100
        self._before_presenting: tuple[QSize, engine.Tree, Camera, bool] | None = None  # what was seen then
        keys = Qt.FocusPolicy.StrongFocus
        named(self, "treeCanvas", tr("Decision tree"), minimumSize=QSize(200, 160), focusPolicy=keys)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        document.treeChanged.connect(self._on_tree_changed)
        document.replaying.changed.connect(self._on_replayed)
        document.selectionChanged.connect(self._on_selection_changed)
        document.look.changed.connect(self._on_look_changed)
        document.box_plots.changed.connect(self.update)
        document.ranking.changed.connect(self.update)  # a single leaf says whether it can be split
        document.click_cut.changed.connect(self._on_cutting_changed)
        self._kind_button = KindButton(document, self)
        self._fold_bar = FoldBar(document, self)
        self.stage = Stage(self)
        self.stage.changed.connect(self.update)
        self.stage.rebuilt.connect(lambda scene: self._fold_bar.fit(legend.least_width(scene) + 16))
        self._steering = Steering(self)
        self.minimap = Minimap(self)
        self._chips = FollowChips(document, self)
        self._on_tree_changed(None, document.tree)
        self.corner = Corner(self)

    def sizeHint(self) -> QSize:
        return QSize(900, 640)

    def shown(self) -> View:
        return View(self.port.camera, self.port.size.width(), self.port.size.height() - legend.HEIGHT)

    @property
    def foot(self) -> int:
        return max(self.legend_height, self.height() - self._fold_bar.y() if self._fold_bar.isVisible() else 0)

    def _on_tree_changed(self, before: "engine.Tree | None", after: "engine.Tree | None") -> None:
        self.hovered = -1
        self.aim(-1)
        QToolTip.hideText()
        self.stage.change(before, after)
        self._describe()

    def _on_replayed(self) -> None:
        """Another tree of the replay, or the document's in its place; the node that the step is about is in view."""
        if self.scene is not None and self.tree is not None:
            if self.scene.tree is not self.tree:
                self.hovered = -1
                self.aim(-1)
                QToolTip.hideText()
            self.stage.lend(self.tree)
            self.reveal(self.selected)
            self._describe()
            self.update()

    def _on_selection_changed(self, node: int) -> None:
        if self.document.replaying.tree is not None:
            return
        folding.show_way(self.document, node)
        self.reveal(node)
        self._describe()
        self.update()

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if self.scene is None or self.scene.tree is not self.tree:
            return  # another tree is on its way
        self.stage.look_changed(names)
        if "presenting" in names:
            self._present(self.document.look.presenting)
        if "pointed" in names:
            self.show_hovered(self.port.position_of(self.document.look.pointed))

    def _on_cutting_changed(self) -> None:
        """What stood still under the mouse while it cut is fitted again."""
        if self.port.still and self.port.fitted:
            self.fit()

    def _describe(self) -> None:
        i = self.port.position_of(self.selected)
        spoken = tips.spoken(self.scene.tree, i) if self.scene is not None and i >= 0 else tr(EMPTY)
        self.setAccessibleDescription(spoken)

    def set_text_size(self, percent: int) -> None:
        self._text_size = percent
        self._magnify()

    def _magnify(self) -> None:
        times = self._text_size / 100
        if self.document.look.presenting:
            times = max(times, BACK_ROW[0] * self.screen().size().height() / 1080, BACK_ROW[1])
        self.port.magnify(times)
        self.update()

    def _present(self, on: bool) -> None:
        """All is larger and fitted while it is presented; the view comes back with the size that the canvas had."""
        port = self.port
        if on and port.scene is not None:
            self._before_presenting = self.size(), port.scene.tree, port.camera, port.fitted
        self._magnify()
        if on:
            port.fit()
        else:
            self._restore_view()
            QTimer.singleShot(COMES_BACK, self, self._forget_view)

    def _restore_view(self) -> None:
        """Shows what was seen before the presentation, once the canvas has its size again."""
        if self._before_presenting is None or self.document.look.presenting:
            return
        size, tree, camera, fitted = self._before_presenting
        if self.size() == size and self.scene is not None and self.scene.tree is tree:
            self.port.camera, self.port.fitted = camera, fitted
            self._before_presenting = None

    def _forget_view(self) -> None:
        if not self.document.look.presenting:
            self._before_presenting = None

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """The selected node stays where it is, if that is still in view; or else what stands in the middle."""
        port = self.port
        stays = port.scene is not None and port.scene.tree is self.tree and not port.follows
        i = port.position_of(self.selected) if stays else -1
        before = port.anchor(i) if i >= 0 else QPointF(-1.0, -1.0)
        port.resize(QSizeF(self.size()))
        if i >= 0 and QRectF(self.rect()).contains(before):
            port.camera = port.held(port.camera, i, before)
        self._restore_view()
        self._fold_bar.fit()
        self._chips.fit()
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        self.looked.emit()
        painter, current, dpi = QPainter(self), theme.current(), float(self.logicalDpiY())
        painter.fillRect(self.rect(), current.canvas)
        if self.scene is None:
            painter.setFont(fonts(1.2, dpi)[PLAIN])
            painter.setPen(current.secondary)
            room = self.rect().adjusted(32, 32, -32, -32)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, tr(EMPTY))
            return
        self._paint_scene(painter, self.scene, dpi)
        if self.hasFocus() and not self.document.look.presenting:  # where nothing else could have the keys
            painter.resetTransform()
            painter.setPen(QPen(current.accent, FRAME))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(FRAME / 2, FRAME / 2, -FRAME / 2, -FRAME / 2))

    def _paint_scene(self, painter: QPainter, scene: PictureModel, dpi: float) -> None:
        selected = self.port.position_of(self.selected)
        has_keys = self.hasFocus() or self.isAncestorOf(QApplication.focusWidget() or self)  # or a card on it has them
        marks = Marks(selected, self.hovered, has_keys, self.drop_target)
        port, camera, began = self.port, self.motion.shown(self.port.camera), perf_counter()
        width, height = port.size.width(), port.size.height()
        painter.scale(port.magnified, port.magnified)
        port.kind.paint(painter, scene, camera, width, height, marks, dpi)
        lent = self.document.replaying.tree is not None  # a replay folds nothing
        self.handles.paint(painter, camera, () if lent else (self.hovered, selected), dpi)
        room = width - 20 - (self._fold_bar.width() + 10) / port.magnified * self._fold_bar.isVisible()
        legend.paint(painter, scene, legend.LEFT, height - legend.HEIGHT, room, dpi, edged=True)
        if self.stage.ghosts is not None and selected >= 0:
            self.stage.ghosts.paint(painter, port.placed(camera).box(selected), QRectF(0, 0, width, height), dpi)
        elif scene.tree.n_nodes == 1 and scene.tree is self.document.tree and self.document.candidates is not None:
            self._paint_first_step(painter, port.placed(camera), dpi)
        self.motion.painted(perf_counter() - began)
        lines = len(scene.legend[1])
        foot = round((legend.HEIGHT + legend.LINE * (lines - 1)) * port.magnified) if lines else 0
        if foot != self.legend_height:
            self.legend_height = foot
            QTimer.singleShot(0, self, self.legendChanged.emit)

    def _paint_first_step(self, painter: QPainter, placed: Placed, dpi: float) -> None:
        """Below the leaf's words, or, where these stand beside a bar, between its right side and the border."""
        box, bar = placed.box(0), placed.bar_box(0).right() if isinstance(placed, StreamFrame) else 0.0
        said = phrases.nothing_to_split(self.document.table, self.document.candidates) or tr(FIRST_STEP)
        painter.setFont(fonts(1.1, dpi)[PLAIN])
        painter.setPen(theme.current().secondary)
        width = min(360.0, self.port.size.width() - bar - 16)
        left = bar + 8 if bar else min(max(box.center().x() - width / 2, 8.0), self.port.size.width() - width - 8)
        align = (Qt.AlignmentFlag.AlignLeft if bar else Qt.AlignmentFlag.AlignHCenter) | Qt.TextFlag.TextWordWrap
        painter.drawText(QRectF(left, box.bottom() + 16, width, 60), align, said)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QtGui.QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._tell(event)
        elif not isinstance(event, QtGui.QNativeGestureEvent):
            return super().event(event)
        elif event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(1.0 + event.value(), event.position())
        return True

    def _tell(self, event: QtGui.QHelpEvent) -> None:
        """Says what the mouse rests on, beside the card that it is about."""
        point, place = QPointF(event.pos()), event.globalPos()
        i, handle, said = self.port.node_at(point), self.handles.at(point), ""
        if handle >= 0:
            said = folding.handle_tip(self.port.there, handle)
        elif i >= 0:
            there, way = self.port.there, self.document.look.way
            said = tips.tip(there.tree, i, there.colours.says(i), way, there.options.returned)
            box = self.port.box(i).toAlignedRect()
            if self.rect().contains(box.topRight()):
                place = self.mapToGlobal(QPoint(box.right() + 4, box.top() - 16))  # Qt shows it 16 pixels lower
        if said:
            QToolTip.showText(place, said, self)
        else:
            QToolTip.hideText()
            event.ignore()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        self.hold(False)
        super().focusOutEvent(event)
