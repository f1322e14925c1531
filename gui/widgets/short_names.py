"""Text in little room: names shortened so that no two read the same, and lines that leave whole parts out."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

WAYS = (Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft)
CUT = "…"
MOST = 4_096  # shortened names that are kept
MORE = " …"


def telling(name: str, names: tuple[str, ...], room: int, metrics: QFontMetrics) -> str:
    """The name, or what of it fits into `room` pixels: in the way that the fewest of all `names` would read too."""
    if metrics.horizontalAdvance(name) <= room:
        return name
    return _chosen(name, names, tuple(metrics.elidedText(name, way, room) for way in WAYS))


@lru_cache(MOST)
def _chosen(name: str, names: tuple[str, ...], ways: tuple[str, ...]) -> str:
    return min(ways, key=lambda short: readings(short, names, name))


def readings(short: str, names: Iterable[str], name: str = "") -> int:
    """How many names other than `name` a shortened one could stand for."""
    head, cut, tail = short.partition(CUT)
    if not cut:
        return sum(other == short != name for other in names)
    least = len(head) + len(tail)
    others = [other for other in names if other != name and len(other) > least]
    return sum(other.startswith(head) and other.endswith(tail) for other in others)


def whole_parts(parts: Sequence[str], joint: str, room: int, metrics: QFontMetrics, least: int = 1) -> str:
    """As many parts of a line as fit, but at least so many, each whole: half a number would be another one."""
    text, n = joint.join(parts), len(parts)
    while n > least and metrics.horizontalAdvance(text) > room:
        n -= 1
        text = joint.join(parts[:n]) + MORE if n else ""
    return text


class PartsLabel(QLabel):
    """Shows as many parts of its text as fit; `text()` stays the whole one."""

    def __init__(self, joint: str, **more: Any) -> None:
        super().__init__(**more)
        self.joint = joint
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def shown(self) -> str:
        parts, room = self.text().split(self.joint), self.contentsRect().width()
        return whole_parts(parts, self.joint, room, self.fontMetrics(), least=0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        where = int(self.alignment() | Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), where, self.shown())
