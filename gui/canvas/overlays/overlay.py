"""A small card that lies on the canvas: what is found, filtered or ranked is told there."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui import theme
from gui.canvas.canvas import Canvas
from gui.widgets.building import claims, named, picture_button
from gui.widgets.fields import ENTER

RADIUS = 8.0


class Overlay(QWidget):
    """A card in the corner of the canvas. Esc closes it, from anywhere in it."""

    grown = Signal()  # it needs another size
    opening = Signal(str)  # it leads to another card. arg: that one's name

    def __init__(self, canvas: Canvas, name: str, spoken: str, option: str, closing: str) -> None:
        """`option`: what of the look opens it, and is taken back where one leaves it; its cross does `closing`."""
        super().__init__(canvas)
        self.document, self.canvas, self.option = canvas.document, canvas, option
        self.cross = picture_button(f"{name}_close", closing, "close", clicked=self.leave)
        named(self, name, spoken)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else a click in here would give the keys to the canvas
        self.hide()
        theme.watcher().changed.connect(self.update)

    @property
    def is_wanted(self) -> bool:
        """Whether it is to be seen where its option is chosen."""
        return True

    def refresh(self) -> None:
        """Shows what holds now; called whenever look, tree or selection is another, where it is wanted for a tree."""
        raise NotImplementedError

    def take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave(self) -> None:
        """Closes it, and gives the keys back to the tree."""
        look = self.document.look
        look.set(**{self.option: False if getattr(look, self.option) is True else None})
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def size_in(self, room: int) -> QSize:
        wide = max(min(self.sizeHint().width(), room), self.minimumSizeHint().width())
        return QSize(wide, self.heightForWidth(wide) if self.hasHeightForWidth() else self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Esc is its own, not that of the verb that stops the work."""
        if claims(event, Qt.Key.Key_Escape):
            return True
        if event.type() == QEvent.Type.LayoutRequest:
            self.grown.emit()
        elif event.type() == QEvent.Type.Enter:
            self.document.look.set(pointed=-1)  # what lies below it is not meant
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in ENTER:
            event.accept()  # the tree has a use for it, which is not meant here
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_card(QPainter(self), self.rect(), RADIUS)


def paint_card(painter: QPainter, box: QRect, radius: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.current().border, 1.0))
    painter.setBrush(theme.current().card)
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
