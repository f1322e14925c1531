"""The heading of the split editor: a column and its condition; in little room the name gives way, down to half."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton

from gui.widgets import verbatim


class SplitTitle(QLabel):
    """Bold, one line; the tooltip has all of it when something is left out."""

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_title")
        font = self.font()
        font.setBold(True)
        self.setFont(font)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._name = self._condition = ""

    def show_parts(self, name: str, condition: str) -> None:
        """For instance ("bill length", "≤ 42.3")."""
        self._name, self._condition = name, condition
        self.setText(f"{name} {condition}".strip())

    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(self.font()).height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics = QPainter(self), self.fontMetrics()
        text = self.shortened(metrics, self.width())
        self.setToolTip(verbatim.tip(self.text() if text != self.text() else ""))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self.palette().windowText().color())
        painter.drawText(QRect(0, 0, self.width(), self.height()), left, text)

    def shortened(self, metrics: QFontMetrics, room: int) -> str:
        """What of it fits into so many pixels."""
        if metrics.horizontalAdvance(self.text()) <= room:
            return self.text()
        if not self._name:
            return metrics.elidedText(self._condition, Qt.TextElideMode.ElideMiddle, room)
        beside = metrics.horizontalAdvance(f" {self._condition}")
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, max(room // 2, room - beside))
        return metrics.elidedText(f"{name} {self._condition}", Qt.TextElideMode.ElideRight, room)


class SplitHeading(QHBoxLayout):
    """The title, and the buttons beside it: why, back to the best split, and the one that splits."""

    def __init__(self) -> None:
        super().__init__()
        self.title = SplitTitle()
        self.why = QToolButton(text="?", objectName="split_editor_why", autoRaise=True)
        self.why.setAccessibleName("Why this split?")
        self.why.setToolTip("Why this split? Its arithmetic, with its own counts (W)")
        self.best = QPushButton(objectName="split_editor_best", flat=True)
        self.best.setToolTip("Brings the best split of this column back")
        self.split = QPushButton("Split", objectName="split_editor_split")
        self.setSpacing(4)
        self.addWidget(self.title, 1)
        for button in (self.why, self.best, self.split):
            self.addWidget(button)
