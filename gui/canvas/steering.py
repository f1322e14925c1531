"""The mouse and the keys on the canvas: hovering, pressing, dragging and dropping, walking, and moving the view."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QRubberBand, QWidget

from gui.canvas.canvas import Canvas
from gui.model.document import Document
from gui.picture.levels import Levels
from gui.widgets.building import claims
from gui.widgets.columns import dragged_column
from gui.widgets.fields import ENTER

Key, Modifier, Button, Shape = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton, Qt.CursorShape

PAGE, STEP = 0.85, 0.125  # of the view
STRETCH = 1.2  # one press
NOTCH = 1 / 480  # powers of two for each unit of the wheel: a notch of 120 is a factor of 1.19
CLOSER = 2.5  # a double click
LEAST_BOX = 8.0  # pixels; a smaller box was not meant
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}
PAGES = {Key.Key_PageUp: -1, Key.Key_PageDown: 1}


class PointedCanvas(Canvas):
    """Selects, hovers, drags, asks for menus, and takes columns that are dropped; files are left to the window."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._grip: QPointF | None = None
        self.hovered = -1  # the position of the node under the mouse, −1 for none
        self.space = False  # whether Space is held: then any button drags
        self.drop_target = -1  # the position of the node below the column that is dragged, −1 for none
        self.setMouseTracking(True)
        self.setAcceptDrops(True)

    def hold(self, on: bool) -> None:
        self.space = on
        self._show_cursor()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.space and self.handles.press(event):
            return
        button, point = event.button(), event.position()
        node = self.port.id_of(self.port.node_at(point))
        if button == Button.MiddleButton or self.space or (button == Button.LeftButton and node < 0):
            self._grip = point
            self.setCursor(Shape.ClosedHandCursor)
        elif node >= 0 and self.document.replaying.tree is not None:
            self.document.replaying.go_to_node(node)
        elif node >= 0:
            self.document.several.click(node, event.modifiers(), menu=button == Button.RightButton)
            if button == Button.LeftButton and self.document.click_cut.on:
                self.document.click_cut.click(node)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._grip is not None and not event.buttons():
            self._grip = None  # it was let go elsewhere, as over a dialog that opened meanwhile
            self._show_cursor()
        if self._grip is not None:
            self.pan(point.x() - self._grip.x(), point.y() - self._grip.y())
            self._grip = point
        else:
            self.hover(self.position_at(point))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._grip = None
            self.hover(self.port.node_at(event.position()))
            self._show_cursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self.node_under(event.position())
        if node < 0 or self.handles.press(event) or event.button() != Button.LeftButton:
            return
        if self.document.replaying.tree is not None:
            return  # no act of a person is about the tree of a replay
        self.document.several.click(node, event.modifiers())
        if self.document.click_cut.on:  # the second click of two
            self.document.click_cut.click(node)
        else:
            self.activated.emit(node)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the node under the mouse; by key that of the selected one, which comes into view."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        node = self.node_under(QPointF(event.pos())) if by_mouse else self.document.selected
        if self.scene is not None and node >= 0 and self.document.replaying.tree is None:
            self.document.several.click(node, menu=True)
            if not by_mouse:
                self.reveal(node)
            place = event.globalPos() if by_mouse else self.mapToGlobal(self.node_rect(node).center().toPoint())
            self.contextMenuRequested.emit(node, place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls; with Ctrl zooms, with Ctrl and Shift moves the nodes apart across, with Ctrl and Alt down."""
        keys, delta, at = event.modifiers(), event.angleDelta(), event.position()
        across, down = (bool(keys & key) for key in (Modifier.ShiftModifier, Modifier.AltModifier))
        if keys & Modifier.ControlModifier and across != down:
            factor = 2.0 ** ((delta.y() or delta.x()) * NOTCH)  # with Alt, some systems turn the wheel
            self.port.stretch(factor if across else 1.0, factor if down else 1.0, at)
            self.update()
        elif keys & Modifier.ControlModifier:
            self.zoom_by(2.0 ** (delta.y() * NOTCH), at)
        else:
            delta = delta if event.pixelDelta().isNull() else event.pixelDelta()
            sideways = across and delta.x() == 0
            self.pan(delta.y(), 0) if sideways else self.pan(delta.x(), delta.y())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hover(-1)

    def hover(self, i: int) -> None:
        """The mouse is over the node at a position, and everybody may know."""
        if i != self.hovered:
            self.show_hovered(i)
            self.document.look.set(pointed=self.port.id_of(i))

    def show_hovered(self, i: int) -> None:
        if i != self.hovered:
            self.hovered = i
            self._show_cursor()
            self.update()

    def _show_cursor(self) -> None:
        if self.space:
            self.setCursor(Shape.OpenHandCursor)
        elif self.hovered >= 0:
            self.setCursor(Shape.CrossCursor if self.document.click_cut.on else Shape.PointingHandCursor)
        else:
            self.unsetCursor()

    def dragEnterEvent(self, event: QDropEvent) -> None:
        lent = self.scene is None or self.document.replaying.tree is not None
        event.setAccepted(bool(dragged_column(event.mimeData())) and not lent)

    def dragMoveEvent(self, event: QDropEvent) -> None:
        self.aim(self.port.node_at(event.position()))
        event.setAccepted(self.drop_target >= 0)

    def dragLeaveEvent(self, event: QEvent) -> None:
        self.aim(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        node, column = self.node_under(event.position()), dragged_column(event.mimeData())
        self.aim(-1)
        if node >= 0 and column:
            event.acceptProposedAction()
            self.document.select(node)
            # When the drag is over: a question that opens inside of it would hold the mouse.
            QTimer.singleShot(0, self, lambda: self.columnDropped.emit(node, column))

    def aim(self, i: int) -> None:
        if i != self.drop_target:
            self.drop_target = i
            self.update()


class Steering(QObject):
    """Moves a canvas, and answers its keys.

    Shift and dragging draws a box that fills the view when it is let go; Esc gives it up. A double click on the empty
    canvas comes closer there, or shows the whole tree again. Ctrl and arrows move the view by a step (unless nodes are
    held, among which they walk), Page Up and Page Down by a page, with Shift sideways. Ctrl, Shift and arrows move the
    nodes apart or together."""

    def __init__(self, view: PointedCanvas) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: QMouseEvent | None = None
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view)
        self._band.setObjectName("zoom_box")
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent | QKeyEvent):
            return False
        if self._view.scene is None:
            self._give_up()
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        if claims(event, Key.Key_Escape, when=lambda: self._pressed is not None):  # it is about the box now
            return True
        if event.type() == QEvent.Type.KeyRelease and event.key() == Key.Key_Space and not event.isAutoRepeat():
            self._view.hold(False)
            return True
        return event.type() == QEvent.Type.KeyPress and self._key(event)

    def _mouse(self, event: QMouseEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            shift = event.modifiers() == Modifier.ShiftModifier and event.button() == Button.LeftButton
            self._give_up()
            self._pressed = event.clone() if shift else None
            return shift
        if event.type() == QEvent.Type.MouseButtonDblClick:
            return self._double_click(event)
        if event.type() == QEvent.Type.MouseMove and not event.buttons() & Button.LeftButton:
            self._give_up()  # it was let go elsewhere, as over a dialog that opened meanwhile
        if self._pressed is None:
            return False
        if event.type() == QEvent.Type.MouseMove:
            begin, point = self._pressed.position(), event.position()
            far = (point - begin).manhattanLength() >= QApplication.startDragDistance()
            if far or self._band.isVisible():
                self._band.setGeometry(QRect(begin.toPoint(), point.toPoint()).normalized())
                self._band.show()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._release(self._pressed, event)
        return True

    def _release(self, pressed: QMouseEvent, event: QMouseEvent) -> None:
        drawn, view = self._band.isVisible(), self._view
        box = QRectF(pressed.position(), event.position()).normalized()
        self._give_up()
        if not drawn:  # a click with Shift is a click
            view.mousePressEvent(pressed)
            view.mouseReleaseEvent(event)
        elif min(box.width(), box.height()) >= LEAST_BOX:
            view.go(lambda: view.port.show_box(box))

    def _give_up(self) -> None:
        self._pressed = None
        self._band.hide()

    def _double_click(self, event: QMouseEvent) -> bool:
        view, at = self._view, event.position()
        if event.button() != Button.LeftButton or event.modifiers() or view.position_at(at) >= 0:
            return False
        view.go(lambda: view.port.zoom(CLOSER, at)) if view.port.follows else view.fit()
        return True

    def _key(self, event: QKeyEvent) -> bool:
        view, several, key = self._view, self._view.document.several, event.key()
        modifiers = event.modifiers() & ~Modifier.KeypadModifier
        control, shift = modifiers == Modifier.ControlModifier, modifiers == Modifier.ShiftModifier
        with_control = bool(modifiers & Modifier.ControlModifier)
        if key == Key.Key_Escape and self._pressed is not None:
            self._give_up()
        elif key in ARROWS and control and not several.on:
            x, y = ARROWS[Key(key)]  # unless nodes are held, among which these walk
            self._pan(-x * STEP, -y * STEP, event)
        elif key in PAGES and (shift or not modifiers):
            way = -PAGES[Key(key)] * PAGE
            self._pan(way if shift else 0.0, 0.0 if shift else way, event)
        elif key in ARROWS and modifiers == Modifier.ControlModifier | Modifier.ShiftModifier:
            x, y = ARROWS[Key(key)]
            view.go(lambda: view.port.stretch(STRETCH**x, STRETCH**y, view.anchor()))
        elif key == Key.Key_F10 and shift:
            view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
        elif key == Key.Key_Space and with_control:
            several.hold()
        elif key == Key.Key_Space and view.document.replaying.tree is not None:
            view.document.replaying.walk(key)
        elif key == Key.Key_Space and not event.isAutoRepeat():
            view.hold(True)
        elif key == Key.Key_0 and with_control:
            view.fit()
        elif key == Key.Key_1 and with_control:
            view.actual_size()
        elif key in (Key.Key_Plus, Key.Key_Equal):
            view.zoom_in()
        elif key == Key.Key_Minus:
            view.zoom_out()
        elif modifiers & Modifier.AltModifier:
            return False
        elif view.document.replaying.tree is not None:
            return view.document.replaying.walk(key)
        elif key in ENTER and not with_control:
            view.activated.emit(view.document.selected)
        else:
            return self._walk(key, modifiers) or self._refused(event)
        return True

    def _refused(self, event: QKeyEvent) -> bool:
        """Tells why the verb of a key cannot be used now: its action is greyed, and hears no key."""
        view, pressed = self._view, QKeySequence(event.keyCombination())
        reasons = [one.statusTip() for one in view.actions() if not one.isEnabled() and pressed in one.shortcuts()]
        for reason in reasons:
            view.document.told.emit(reason)
        return bool(reasons)

    def _pan(self, x: float, y: float, event: QKeyEvent) -> None:
        """Moves the drawing by shares of the view; while a key is held down without a way between the steps."""
        act = partial(self._view.pan, x * self._view.width(), y * self._view.height())
        act() if event.isAutoRepeat() else self._view.go(act)

    def _walk(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        view, scene = self._view, self._view.scene
        i = view.port.position_of(view.document.selected)
        target = step(scene.levels, i, view.port.kind.keys.get(key, key)) if scene is not None and i >= 0 else None
        if target is None:
            return False
        node = view.port.id_of(target)
        view.document.several.go(node, modifiers)
        view.reveal(node)
        return True


def step(levels: Levels, i: int, key: int) -> int | None:
    """The position that a key leads to from position i (perhaps i itself); None when the key leads nowhere.

    Up is the parent, Down the first child, Left and Right the neighbours on the same level, Home the root. What is
    folded is walked past."""
    if key == Qt.Key.Key_Home:
        return 0
    if key == Qt.Key.Key_Up:
        return max(int(levels.parent[i]), 0)
    if key == Qt.Key.Key_Down:
        return i + 1 if levels.n_branches[i] else i
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        row = levels.row(int(levels.level[i]))
        place = int(row.searchsorted(i)) + (1 if key == Qt.Key.Key_Right else -1)
        return int(row[min(max(place, 0), len(row) - 1)])
    return None
