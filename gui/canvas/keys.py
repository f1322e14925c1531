"""The keys on the canvas, and moving the view by mouse and keys beyond dragging and the wheel: a box to zoom into,
pages, steps, stretching."""

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QRubberBand

from gui.canvas.canvas import Canvas
from gui.canvas.pointer import Pointer
from gui.picture.levels import Levels

Key, Modifier, Button = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton

PAGE, STEP = 0.85, 0.125  # of the view
STRETCH = 1.2  # one press
NOTCH = 1 / 480  # powers of two for each unit of the wheel: a notch of 120 is a factor of 1.19
CLOSER = 2.5  # a double click
LEAST_BOX = 8.0  # pixels; a smaller box was not meant
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}
PAGES = {Key.Key_PageUp: -1, Key.Key_PageDown: 1}


class Steering(QObject):
    """Moves a canvas.

    Shift and dragging draws a box that fills the view when it is let go; Esc gives it up. A double click on the empty
    canvas comes closer there, or shows the whole tree again. Ctrl and arrows move the view by a step (unless nodes are
    held, among which they walk), Page Up and Page Down by a page, with Shift sideways. Ctrl, Shift and arrows move the
    nodes apart or together; so does the wheel, with Ctrl and Shift across, with Ctrl and Alt down.
    """

    def __init__(self, view: Canvas) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: QMouseEvent | None = None
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view)
        self._band.setObjectName("zoom_box")
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent | QWheelEvent | QKeyEvent):
            return False
        if self._view.scene is None:
            self._give_up()
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        if isinstance(event, QWheelEvent):
            return self._wheel(event)
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and event.key() == Key.Key_Escape and self._pressed is not None:
            event.accept()  # it is about the box now
            return True
        return event.type() == QEvent.Type.KeyPress and self._key(event)

    # -- the mouse

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
        if view.port.follows:
            view.go(lambda: view.port.zoom(CLOSER, at))
        else:
            view.fit()
        return True

    def _wheel(self, event: QWheelEvent) -> bool:
        across, down = (bool(event.modifiers() & key) for key in (Modifier.ShiftModifier, Modifier.AltModifier))
        if not event.modifiers() & Modifier.ControlModifier or across == down:
            return False
        delta = event.angleDelta()  # with Alt, some systems turn the wheel
        factor = 2.0 ** ((delta.y() or delta.x()) * NOTCH)
        self._view.port.stretch(factor if across else 1.0, factor if down else 1.0, event.position())
        self._view.update()
        return True

    # -- the keyboard

    def _key(self, event: QKeyEvent) -> bool:
        view, key = self._view, event.key()
        modifiers = event.modifiers() & ~Modifier.KeypadModifier
        control, shift = modifiers == Modifier.ControlModifier, modifiers == Modifier.ShiftModifier
        if key == Key.Key_Escape and self._pressed is not None:
            self._give_up()
        elif key in ARROWS and control and not view.document.several.on:
            x, y = ARROWS[Key(key)]  # unless nodes are held, among which these walk
            self._pan(-x * STEP, -y * STEP, event)
        elif key in PAGES and (shift or not modifiers):
            way = -PAGES[Key(key)] * PAGE
            self._pan(way if shift else 0.0, 0.0 if shift else way, event)
        elif key in ARROWS and modifiers == Modifier.ControlModifier | Modifier.ShiftModifier:
            x, y = ARROWS[Key(key)]
            view.go(lambda: view.port.stretch(STRETCH**x, STRETCH**y, view.anchor()))
        elif key == Key.Key_F10 and shift:
            place = view.node_rect(view.document.selected).center().toPoint()
            view.contextMenuEvent(
                QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, view.mapToGlobal(place), event.modifiers())
            )
        else:
            return False
        return True

    def _pan(self, x: float, y: float, event: QKeyEvent) -> None:
        """Moves the drawing by shares of the view; while a key is held down without a way between the steps."""
        view = self._view

        def act() -> None:
            view.port.pan(x * view.width(), y * view.height())
            view.update()

        if event.isAutoRepeat():
            act()
        else:
            view.go(act)


class Keys:
    """Answers a canvas's keys. Both methods tell whether the key was one of these."""

    def __init__(self, view: Canvas, pointer: Pointer) -> None:
        self._view, self._document, self._pointer = view, view.document, pointer

    def press(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers() & ~Modifier.KeypadModifier
        control = bool(modifiers & Modifier.ControlModifier)
        if key == Key.Key_Space and control:
            self._document.several.hold()
        elif key == Key.Key_Space and not event.isAutoRepeat():
            self._pointer.hold(True)
        elif self._view.scene is None:
            return False
        elif not self._zoom(key, control):
            if modifiers & Modifier.AltModifier:
                return False
            if key not in (Key.Key_Return, Key.Key_Enter) or control:
                return self._walk(key, modifiers)
            self._view.activated.emit(self._document.selected)
        return True

    def release(self, event: QKeyEvent) -> bool:
        if event.key() != Key.Key_Space or event.isAutoRepeat():
            return False
        self._pointer.hold(False)
        return True

    def _zoom(self, key: int, control: bool) -> bool:
        view = self._view
        match key:
            case Key.Key_0 if control:
                view.fit()
            case Key.Key_1 if control:
                view.actual_size()
            case Key.Key_Plus | Key.Key_Equal:
                view.zoom_in()
            case Key.Key_Minus:
                view.zoom_out()
            case _:
                return False
        return True

    def _walk(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        view, scene = self._view, self._view.scene
        i = view.position_of(self._document.selected)
        if scene is None or i < 0:
            return False
        target = step(scene.levels, i, view.port.kind.keys.get(key, key))
        if target is None:
            return False
        node = int(scene.tree.ids[target])
        self._document.several.go(node, modifiers)
        view.reveal(node)
        return True


def step(levels: Levels, i: int, key: int) -> int | None:
    """The position that a key leads to from position i (perhaps i itself); None when the key leads nowhere.

    Up is the parent, Down the first child, Left and Right the neighbours on the same level, Home the root. What is
    folded is walked past.
    """
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
