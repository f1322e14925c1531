"""The tree on the screen: a widget that looks, points and walks. It changes nothing but the selection.

Wheel scrolls, Ctrl and wheel zooms at the pointer; dragging the empty canvas, the middle button, or Space
and any button pans; more of that in `gui.canvas.steering`. Arrows walk to parent, children and siblings, Home to the
root, Enter acts. A column that is dragged here aims at a node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui import theme
from gui.canvas.cards.ghosts import Ghosts
from gui.canvas.cards.painter import Marks
from gui.canvas.drawn import Drawn
from gui.canvas.dropping import ColumnDrops
from gui.canvas.folds.folded import Folds
from gui.canvas.folds.handles import FoldHandles
from gui.canvas.kinds import KINDS
from gui.canvas.motion import Motion
from gui.canvas.nodes import tips
from gui.canvas.nodes.letters import PLAIN, Letters, fonts
from gui.canvas.overlays import legend
from gui.canvas.overlays.corner import Corner
from gui.canvas.overlays.fold_bar import FoldBar
from gui.canvas.overlays.follow_chips import FollowChips
from gui.canvas.overlays.kind_button import KindButton
from gui.canvas.overlays.minimap import Minimap
from gui.canvas.paper.sheet import View
from gui.canvas.pointer import Pointer
from gui.canvas.shown import SHOWN_BY, Shown
from gui.canvas.standouts import emphasis
from gui.canvas.steering import NOTCH, Steering
from gui.canvas.viewport import Viewport
from gui.canvas.walking import step
from gui.looking import folding
from gui.search.further import AHEAD

if TYPE_CHECKING:
    from engine.tree import Tree
    from gui.document import Document

STEP = 1.25  # one press of + or −
LARGER = 1.5  # a presentation is read from further away
EMPTY = "Open a table, and its tree will stand here: every row in one root, ready to be split."


class TreeView(QWidget):
    """The canvas.

    Signals:
        contextMenuRequested: args: the node under the pointer, the place on the screen
        activated: Double click or Enter. arg: the node
        looked: The picture is another, or another part of it is in view.
        columnDropped: A column was dragged onto a node. args: the node, the column's name
    """

    contextMenuRequested = Signal(int, QPoint)
    activated = Signal(int)
    looked = Signal()
    columnDropped = Signal(int, str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._letters = Letters()
        self._port = Viewport()
        self._ghosts: Ghosts | None = None
        self._subject: object = None
        self._handles = FoldHandles(document, self._port)
        self.pointer = Pointer(self, document)
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
        document.previewChanged.connect(self._on_preview_changed)
        document.further.changed.connect(self._on_more_known)
        document.focusChanged.connect(self._on_looks_changed)
        document.comparing.changed.connect(self._on_compared)
        document.look.changed.connect(self._on_look_changed)
        document.box_plots.changed.connect(self.update)
        theme.watcher().changed.connect(self._on_looks_changed)
        self._kind_button = KindButton(document.look, self)
        self._fold_bar = FoldBar(document, self)
        self._motion = Motion(document.look, self)
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
        i = self._position(self._document.selected)
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
        i = self._position(node)
        if i >= 0:
            self.go(lambda: self._port.reveal(i))

    def scene_in(self, look: theme.Theme, folded: bool = True) -> Drawn | None:
        """The tree as it is shown, with what stands out, in the colours of a theme, or with all that is folded; None
        before there is one."""
        if self._scene is None:
            return None
        shown, focus = Shown.of(self._document), self._document.focus_class
        shown = shown if folded else replace(shown, folds=Folds())
        found = self._port.kind.scene(self._scene.tree, focus, look, Letters(), shown)
        found.emphasis = folding.standing(emphasis.emphasis_of(self._document, found.tree), found)
        return found

    def shown(self) -> View:
        """Which part of the tree is in view."""
        return View(self._port.camera, self._port.size.width(), self._port.size.height() - legend.HEIGHT)

    def node_rect(self, node: int) -> QRectF:
        """Where a node's card stands in this widget; empty when the tree has no such node."""
        i = self._position(node)
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
    def _scene(self) -> Drawn | None:
        return self._port.scene

    @Slot(object, object)
    def _on_tree_changed(self, before: Tree | None, after: Tree | None) -> None:
        folding.follow(self._document, before, after)
        subject = self._subject_of(after)
        scene = self._scene if subject == self._subject else None
        self._subject = subject
        self.pointer.hovered = -1
        self._drops.aim(-1)
        QToolTip.hideText()
        self._kind_button.setVisible(after is not None and not self._document.look.presenting)
        if after is None:
            self._port.scene = self._ghosts = None
        elif scene is None:
            self._rebuild(after)
            self._port.fit()
        else:
            self._rebuild_in_place(after)
        self._describe()
        self.update()

    def _subject_of(self, tree: Tree | None) -> object:
        """What the tree is about: another one is shown from the beginning."""
        table = self._document.table
        if tree is None:
            return None
        return (tree.target, tree.task, getattr(table, "name", ""), getattr(table, "n_rows", 0))

    def _rebuild(self, tree: Tree) -> None:
        shown = Shown.of(self._document)
        kind = KINDS[self._document.look.kind]
        if kind is not self._port.kind:  # another picture is shown from the beginning
            self._port.kind, self._port.fitted = kind, True
        self._port.scene = kind.scene(tree, self._document.focus_class, theme.current(), self._letters, shown)
        self._handles.marks = []
        self._fold_bar.fit(legend.width(self._port.scene) + 16)
        self._port.scene.emphasis = folding.standing(emphasis.emphasis_of(self._document, tree), self._port.scene)
        self._on_preview_changed(self._document.preview)

    def _rebuild_in_place(self, tree: Tree) -> None:
        """Lays the tree out anew: a fitted one is fitted again, else the selected node stays where it was, or the one
        that was just folded."""
        self._motion.end()
        kind, start = self._port.kind, self._port.camera
        held = self._handles.held if self._handles.held >= 0 else self._port.steady(self._document.selected, tree)
        before = self._port.anchor(self._position(held))
        self._rebuild(tree)
        i = self._position(held)
        self._port.hold(i, before)
        if kind is self._port.kind:
            self._motion.go(self._port.held(start, i, before), self._port.camera)
        self.update()

    @Slot(int)
    def _on_selection_changed(self, node: int) -> None:
        folding.show_way(self._document, node)
        self.reveal(node)
        self._emphasise(frozenset({"selected"}))
        self._describe()
        self.update()

    @Slot(object)
    def _on_preview_changed(self, candidate: object) -> None:
        shown = self._scene is not None and candidate is not None and candidate.split is not None
        ahead = self._document.further.second_level_of(candidate) if shown else 0.0
        self._ghosts = Ghosts(self._scene, candidate, ahead) if shown else None
        self.update()

    @Slot(str, dict)
    def _on_more_known(self, what: str, answers: dict[str, object]) -> None:
        """A second level fills in while its first one is looked at."""
        preview = self._document.preview
        if what == AHEAD and preview is not None and preview.column in answers:
            self._on_preview_changed(preview)

    @Slot()
    def _on_looks_changed(self) -> None:
        if self._scene is not None:
            self._rebuild_in_place(self._scene.tree)

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if self._scene is None or self._scene.tree is not self._document.tree:
            return  # another tree is on its way
        if names & SHOWN_BY:
            self._on_looks_changed()
        self._emphasise(names)
        if "presenting" in names:
            self._kind_button.setVisible(self._scene is not None and not self._document.look.presenting)
            self._port.magnify(LARGER if self._document.look.presenting else 1.0)
            self.update()
        if "pointed" in names:
            self.pointer.show(self._position(self._document.look.pointed))

    def _emphasise(self, names: frozenset[str]) -> None:
        """Finds out anew what stands out where that depends on what changed."""
        if self._scene is not None and names & emphasis.changed_by():
            found = emphasis.emphasis_of(self._document, self._scene.tree)
            self._scene.emphasis = folding.standing(found, self._scene)
            self.update()

    @Slot()
    def _on_compared(self) -> None:
        if self._scene is not None and (self._scene.differs or self._document.comparing.shares is not None):
            self._rebuild_in_place(self._scene.tree)

    def _describe(self) -> None:
        i = self._position(self._document.selected)
        spoken = tips.spoken(self._scene.tree, i) if self._scene is not None and i >= 0 else EMPTY
        self.setAccessibleDescription(spoken)

    # -- geometry

    def _position(self, node: int) -> int:
        """The position of a node, of a hidden one that of the folded node above it; −1 when the tree has none."""
        if self._scene is None or node not in self._scene.tree:
            return -1
        return self._scene.standing(self._scene.tree.position(node))

    def anchor(self) -> QPointF:
        """The selected node where it is in view, else the middle."""
        i, room = self._position(self._document.selected), QRectF(self.rect())
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
        selected = self._position(self._document.selected)
        marks = Marks(selected, self.pointer.hovered, self.hasFocus() or self.corner.has_keys, self._drops.target)
        port, camera, began = self._port, self._motion.shown(self._port.camera), perf_counter()
        width, height = port.size.width(), port.size.height()
        painter.scale(port.magnified, port.magnified)
        port.kind.paint(painter, self._scene, camera, width, height, marks, dpi)
        self._handles.paint(painter, camera, (self.pointer.hovered, selected), dpi)
        room = width - 20 - (self._fold_bar.width() + 10) / port.magnified * self._fold_bar.isVisible()
        legend.paint(painter, self._scene, 10, height - legend.HEIGHT, room, dpi)
        if self._ghosts is not None and selected >= 0:
            box = port.kind.frame(self._scene, camera, port.size).box(selected)
            self._ghosts.paint(painter, box, QRectF(0, 0, width, height), dpi)
        self._motion.painted(perf_counter() - began)

    def _paint_empty(self, painter: QPainter, current: theme.Theme, dpi: float) -> None:
        painter.setFont(fonts(1.2, dpi)[PLAIN])
        painter.setPen(current.secondary)
        room = self.rect().adjusted(32, 32, -32, -32)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, EMPTY)

    def resizeEvent(self, event: object) -> None:
        self._port.resize(QSizeF(self.size()))
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
            i, said = self._port.node_at(QPointF(event.pos())), self._handles.tip(QPointF(event.pos()))
            if said:
                QToolTip.showText(event.globalPos(), said, self)
            elif i >= 0 and self._scene is not None:
                QToolTip.showText(event.globalPos(), tips.tip(self._scene.tree, i, self._scene.colours.says(i)), self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        if event.type() == QEvent.Type.NativeGesture:
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self._zoom_by(1.0 + event.value(), event.position())
            return True
        return super().event(event)

    # -- the keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_Space and modifiers & Qt.KeyboardModifier.ControlModifier:
            self._document.several.hold()
        elif key == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.pointer.hold(True)
        elif self._scene is None or not self._key(key, modifiers):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.pointer.hold(False)
        else:
            super().keyReleaseEvent(event)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.pointer.hold(False)
        self.update()

    def _key(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Acts on a key; whether it was one of ours."""
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        looks = {
            (Qt.Key.Key_0, True): self.fit,
            (Qt.Key.Key_1, True): self.actual_size,
            **dict.fromkeys(((Qt.Key.Key_Plus, c) for c in (True, False)), self.zoom_in),
            **dict.fromkeys(((Qt.Key.Key_Equal, c) for c in (True, False)), self.zoom_in),
            **dict.fromkeys(((Qt.Key.Key_Minus, c) for c in (True, False)), self.zoom_out),
        }
        act = looks.get((Qt.Key(key), control))
        if act is not None:
            act()
            return True
        if modifiers & Qt.KeyboardModifier.AltModifier:
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not control:
            self.activated.emit(self._document.selected)
            return True
        return self._walk(key, modifiers)

    def _walk(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        scene, i = self._scene, self._position(self._document.selected)
        if scene is None or i < 0:
            return False
        target = step(scene.levels, i, self._port.kind.keys.get(key, key))
        if target is None:
            return False
        self._document.several.go(int(scene.tree.ids[target]), modifiers)
        self.reveal(int(scene.tree.ids[target]))
        return True
