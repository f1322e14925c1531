"""Buttons whose words are shortened where they have no room, and then stand in the tooltip: none are cut off."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QToolTip,
)

from gui.widgets import verbatim


class Button(QPushButton):
    """As every button."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        option.text = fitting(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)

    def event(self, event: QEvent) -> bool:
        return _told(self, event) or bool(super().event(event))


class ToolButton(QToolButton):
    """As every tool button."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = fitting(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)

    def event(self, event: QEvent) -> bool:
        return _told(self, event) or bool(super().event(event))


def fitting(button: QAbstractButton) -> str:
    """What of its words a button has room for."""
    text, missing = button.text(), button.sizeHint().width() - button.width()
    if missing <= 0:
        return text
    metrics, flag = button.fontMetrics(), Qt.TextFlag.TextShowMnemonic
    room = max(metrics.size(flag, text).width() - missing, 0)
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room, flag)


def _told(button: QAbstractButton, event: QEvent) -> bool:
    """Shows the whole words above the tooltip of a button that has shortened them."""
    if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip or fitting(button) == button.text():
        return False
    whole, tip = verbatim.without_mark(button.text()), button.toolTip()
    said = verbatim.markup(whole) + tip if tip.startswith("<p>") else "\n".join(filter(None, (whole, tip)))
    QToolTip.showText(event.globalPos(), said, button)
    return True
