"""What holds the split editor: one thing below the other, which scrolls in very little height."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

LOWEST = 160  # pixels; where there is less room for all of it, it scrolls


class Page(QScrollArea):
    """What is in the editor; in very little height it scrolls rather than make the window larger."""

    def __init__(self, inner: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        return self.widget().sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self.widget().minimumSizeHint()
        return QSize(least.width(), min(least.height(), LOWEST))


class Sheet(QWidget):
    """All of the editor, one below the other. Its height is the least that it can do with: as the scroll area asks a
    layout with wrapping words for the height that it would like, the plot would grow while something is said."""

    def heightForWidth(self, width: int) -> int:
        return self.layout().minimumHeightForWidth(width)
