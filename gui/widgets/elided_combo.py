"""A list of choices that shortens what has no room, and that the mouse wheel leaves alone."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ElidedCombo(QComboBox):
    """As every combo box, but a choice that has no room is shortened, not cut off."""

    MARGIN = 4  # pixels of the text's room that stay free
    WIDEST = 240  # pixels that it asks for at least, however long its choices are

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(self.WIDEST, self.maximumHeight()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        kind, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        painter.drawComplexControl(kind, option)
        room = self.style().subControlRect(kind, option, part, self).width() - self.MARGIN
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # it scrolls what is around: nothing must change in passing
