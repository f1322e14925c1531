"""Fields that several panels have: a list of choices that shortens what has no room, and a field that finds."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionComboBox, QStylePainter

from gui import icons
from gui.widgets.building import claims, named

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


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


def short_list(name: str, spoken: str, tip: str = "", letters: int = 8) -> ElidedCombo:
    """A list of choices that asks for the room of so many letters only."""
    short = ElidedCombo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    return named(ElidedCombo(sizeAdjustPolicy=short, minimumContentsLength=letters), name, spoken, tip)


def refill(box: QComboBox, choices: Mapping[Any, str], chosen: Any) -> None:
    """Lists other choices, of which one is chosen; nothing is told."""
    with QSignalBlocker(box):
        box.clear()
        for value, text in choices.items():
            box.addItem(text, value)
        box.setCurrentIndex(list(choices).index(chosen) if chosen in choices else -1)


class FindField(QLineEdit):
    """Esc empties it, unless it is another one's (`empties`); empty it leaves Esc to others."""

    empties = True

    def __init__(self, object_name: str, words: str, name: str, *, lens: bool = True) -> None:
        """`words` stand in it while it is empty, `name` is for those who hear it, a `lens` before what is typed."""
        super().__init__(clearButtonEnabled=True, placeholderText=words)
        named(self, object_name, name)
        if lens:
            icons.put(self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition), "search")

    def event(self, event: QEvent) -> bool:
        """While something is typed, Esc is not the window's."""
        escapes = claims(event, Qt.Key.Key_Escape, when=lambda: self.empties and bool(self.text()))
        return escapes or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.empties and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
