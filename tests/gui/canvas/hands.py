"""What a hand does on the canvas: mouse, wheel, and where to point."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.canvas.view import TreeView

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
CONTROL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


def shown(qtbot, document, size=(900, 700)):
    view = TreeView(document)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    qtbot.waitExposed(view)
    return view


def middle(view, node):
    return view.node_rect(node).center().toPoint()


def empty_place(view):
    """A point without any card."""
    for x in range(5, view.width(), 10):
        if view.node_under(QPointF(x, view.height() / 2)) < 0:
            return QPoint(x, view.height() // 2)
    raise AssertionError("cards everywhere")


def wheel(view, point, dx=0, dy=0, modifiers=NONE):
    event = QWheelEvent(
        QPointF(point),
        QPointF(view.mapToGlobal(point)),
        QPoint(),
        QPoint(dx, dy),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def move(view, point, buttons=Qt.MouseButton.NoButton):
    place = QPointF(view.mapToGlobal(point))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(point), place, Qt.MouseButton.NoButton, buttons, NONE)
    QApplication.sendEvent(view, event)


def drag(view, button, start, stop):
    QTest.mousePress(view, button, NONE, start)
    move(view, start + (stop - start) / 2, button)
    move(view, stop, button)
    QTest.mouseRelease(view, button, NONE, stop)
