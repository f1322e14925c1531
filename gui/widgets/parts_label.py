"""A line of several parts that leaves whole parts out where there is no room: half of a figure would be another."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

MORE = " …"


class PartsLabel(QLabel):
    """Shows as many parts of its text as fit; `text()` stays the whole one."""

    def __init__(self, joint: str, **more: Any) -> None:
        super().__init__(**more)
        self.joint = joint
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def shown(self) -> str:
        """What fits into the present width."""
        room, text = self.contentsRect().width(), self.text()
        parts = text.split(self.joint)
        while parts and self.fontMetrics().horizontalAdvance(text) > room:
            parts.pop()
            text = self.joint.join(parts) + MORE if parts else ""
        return text

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        where = int(self.alignment() | Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), where, self.shown())
