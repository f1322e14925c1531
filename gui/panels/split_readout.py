"""The line of words in the split editor: what the mouse is over, or what has to be said of the split."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QLabel


class SplitReadout(QLabel):
    """As high as its words need. Its height does not ask for its width: what scrolls would otherwise take the height
    that the plot wishes for what it needs, and scroll as soon as there are words."""

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_readout", wordWrap=True)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def say(self, text: str, ink: QColor) -> None:
        """Shows words; hides where there are none."""
        style = f"color: {ink.name()}"
        if style != self.styleSheet():
            self.setStyleSheet(style)
        self.setText(text)
        self._fit()
        self.setVisible(bool(text))

    def hasHeightForWidth(self) -> bool:
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = self.heightForWidth(self.width())
        if height > 0 and height != self.minimumHeight():
            self.setFixedHeight(height)
