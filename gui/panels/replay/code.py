"""Pseudo-code with one line lit."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import theme
from gui.widgets.building import named

INDENT = 4  # blanks of a level in the text
STEP, AROUND = 1.6, 0.4  # a level on the screen, and the room beside a line, in letters m
HIGH = 1.35  # a line, in heights of a letter


class PseudoCode(QWidget):
    """Shows lines, the lit one on a ground in the accent colour; a line that has no room is cut off at its end."""

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__()
        named(self, name, spoken)
        self.lines: list[str] = []
        self.lit = -1  # the line that is lit; −1 for none
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme.watcher().changed.connect(self.update)

    def show_lines(self, lines: list[str], lit: int) -> None:
        self.lines, self.lit = lines, lit
        self.setAccessibleDescription(lines[lit].strip() if 0 <= lit < len(lines) else "")
        self.updateGeometry()
        self.update()

    def room(self, font: QFont) -> tuple[float, float]:
        """The pixels, across and down, that all lines take in a font."""
        metrics, widest = QFontMetricsF(font), 0.0
        for line in self.lines:
            text = line.lstrip()
            left = (len(line) - len(text)) / INDENT * STEP + 2 * AROUND
            widest = max(widest, left * metrics.horizontalAdvance("m") + metrics.horizontalAdvance(text))
        return widest + 1, len(self.lines) * HIGH * metrics.height()

    def middle(self) -> float:
        """The pixels from above to the middle of the lit line."""
        return (self.lit + 0.5) * HIGH * QFontMetricsF(self.font()).height()

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(self.room(self.font())[1]))

    sizeHint = minimumSizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, metrics = QPainter(self), theme.current(), QFontMetricsF(self.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        m, high = metrics.horizontalAdvance("m"), HIGH * metrics.height()
        for k, line in enumerate(self.lines):
            text = line.lstrip()
            left = ((len(line) - len(text)) / INDENT * STEP + AROUND) * m
            box = QRectF(0, k * high, self.width(), high)
            if k == self.lit:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.accent)
                painter.drawRoundedRect(box.adjusted(0, 0.5, 0, -0.5), 4, 4)
            painter.setPen(look.accent_text if k == self.lit else look.text)
            room = self.width() - left - AROUND * m
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(box.adjusted(left, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), shown)
