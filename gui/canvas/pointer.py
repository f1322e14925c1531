"""The mouse on the canvas: what it is over, presses, and drags: the empty canvas, or a column onto a node."""

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent

from gui.canvas.canvas import Canvas
from gui.widgets.columns import dragged_column

Button, Shape = Qt.MouseButton, Qt.CursorShape


class Pointer:
    """Selects, hovers, drags, and asks for menus.

    Attributes:
        hovered: the position of the node under the mouse, −1 for none.
        space: whether Space is held: then any button drags.
    """

    def __init__(self, view: Canvas) -> None:
        self._view, self._document = view, view.document
        self._grip: QPointF | None = None
        self.hovered = -1
        self.space = False

    def hold(self, on: bool) -> None:
        self.space = on
        self._show_cursor()

    def press(self, event: QMouseEvent) -> None:
        view, button, point = self._view, event.button(), event.position()
        scene, i = view.scene, view.port.node_at(point)
        if button == Button.MiddleButton or self.space or (button == Button.LeftButton and i < 0):
            self._grip = point
            view.setCursor(Shape.ClosedHandCursor)
        elif scene is not None and i >= 0:
            node = int(scene.tree.ids[i])
            self._document.several.click(node, event.modifiers(), menu=button == Button.RightButton)
            if button == Button.LeftButton and self._document.click_cut.on:
                self._document.click_cut.click(node)

    def move(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._grip is not None and not event.buttons():
            self._grip = None  # it was let go elsewhere, as over a dialog that opened meanwhile
            self._show_cursor()
        if self._grip is not None:
            self._view.pan(point.x() - self._grip.x(), point.y() - self._grip.y())
            self._grip = point
        else:
            self.hover(self._view.position_at(point))

    def release(self, point: QPointF) -> None:
        if self._grip is not None:
            self._grip = None
            self.hover(self._view.port.node_at(point))
            self._show_cursor()

    def double_click(self, event: QMouseEvent) -> None:
        if event.button() != Button.LeftButton:
            return
        node = self._view.node_under(event.position())
        self._document.several.click(node, event.modifiers())
        if self._document.click_cut.on:  # the second click of two
            self._document.click_cut.click(node)
        else:
            self._view.activated.emit(node)

    def ask_for_menu(self, event: QContextMenuEvent) -> None:
        """The menu of the node under the mouse; by key that of the selected one, which comes into view."""
        view, by_mouse = self._view, event.reason() == QContextMenuEvent.Reason.Mouse
        node = view.node_under(QPointF(event.pos())) if by_mouse else self._document.selected
        if node >= 0:
            self._document.several.click(node, menu=True)
            place = event.globalPos()
            if not by_mouse:
                view.reveal(node)
                place = view.mapToGlobal(view.node_rect(node).center().toPoint())
            view.contextMenuRequested.emit(node, place)

    def hover(self, i: int) -> None:
        """The mouse is over the node at a position, and everybody may know."""
        if i != self.hovered:
            self.show(i)
            scene = self._view.scene
            self._document.look.set(pointed=int(scene.tree.ids[i]) if scene is not None and i >= 0 else -1)

    def show(self, i: int) -> None:
        """Marks the node at a position as the one that is pointed at, here or elsewhere."""
        if i != self.hovered:
            self.hovered = i
            self._show_cursor()
            self._view.update()

    def _show_cursor(self) -> None:
        if self.space:
            self._view.setCursor(Shape.OpenHandCursor)
        elif self.hovered >= 0:
            cuts = self._document.click_cut.on
            self._view.setCursor(Shape.CrossCursor if cuts else Shape.PointingHandCursor)
        else:
            self._view.unsetCursor()


class ColumnDrops(QObject):
    """Takes the drag and drop of columns for a canvas; files are left to the window.

    Attributes:
        target: the position of the node below the column that is dragged, −1 for none.
    """

    def __init__(self, view: Canvas) -> None:
        super().__init__(view)
        self._view = view
        self.target = -1
        view.setAcceptDrops(True)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        view = self._view
        if isinstance(event, QDragEnterEvent):  # before those that it derives from
            event.setAccepted(bool(dragged_column(event.mimeData())) and view.scene is not None)
        elif isinstance(event, QDragMoveEvent):
            self.aim(view.port.node_at(event.position()))
            event.setAccepted(self.target >= 0)
        elif isinstance(event, QDropEvent):
            node, column = view.node_under(event.position()), dragged_column(event.mimeData())
            self.aim(-1)
            if node >= 0 and column:
                event.acceptProposedAction()
                view.document.select(node)
                # When the drag is over: a question that opens inside of it would hold the mouse.
                QTimer.singleShot(0, self, lambda: view.columnDropped.emit(node, column))
        elif event.type() == QEvent.Type.DragLeave:
            self.aim(-1)
        else:
            return False
        return True

    def aim(self, i: int) -> None:
        """Marks the node at a position as the one that the column would be dropped onto."""
        if i != self.target:
            self.target = i
            self._view.update()
