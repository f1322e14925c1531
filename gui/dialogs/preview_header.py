"""The header of the preview: name, kind and role of each column, the last two to be pressed."""

from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from gui import icons, theme
from gui.dialogs.labels import scaled
from gui.dialogs.preview_model import PreviewModel
from gui.widgets.columns import KINDS, Word, role_word

NARROWEST_COLUMN = 104


class PreviewHeader(QHeaderView):
    """Three lines for each column: its name, its kind, its role. The last two open a menu.

    Signals:
        kindPressed, rolePressed: args: column, where the menu belongs on the screen
    """

    kindPressed = Signal(int, QPoint)
    rolePressed = Signal(int, QPoint)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setMouseTracking(True)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(NARROWEST_COLUMN)
        self._under = (-1, -1)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 3 * self._line() + 16)

    def sectionSizeFromContents(self, section: int) -> QSize:
        name = self.fontMetrics().horizontalAdvance(str(self.model().headerData(section, Qt.Orientation.Horizontal)))
        return QSize(max(NARROWEST_COLUMN, round(name * 1.1) + 24), 3 * self._line() + 16)

    def _line(self) -> int:
        return self.fontMetrics().height() + 6

    def line_at(self, point: QPoint) -> int:
        """Which line is at a point of the header: 0 the name, 1 the kind, 2 the role."""
        return max(0, min(2, (point.y() - 6) // self._line()))

    def line_rect(self, section: int, line: int) -> QRect:
        """Where a line of a section stands in the header."""
        left = self.sectionViewportPosition(section)
        return QRect(left + 4, 6 + line * self._line(), self.sectionSize(section) - 9, self._line())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        self._set_under((self.logicalIndexAt(point), self.line_at(point)))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: Any) -> None:
        self._set_under((-1, -1))
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        resizing = self.viewport().cursor().shape() == Qt.CursorShape.SplitHCursor
        point = event.position().toPoint()
        section, line = self.logicalIndexAt(point), self.line_at(point)
        if event.button() != Qt.MouseButton.LeftButton or section < 0 or line == 0 or resizing:
            return
        below = self.viewport().mapToGlobal(self.line_rect(section, line).bottomLeft())
        (self.kindPressed if line == 1 else self.rolePressed).emit(section, below)

    def _set_under(self, under: tuple[int, int]) -> None:
        if under != self._under:
            self._under = under
            self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, PreviewModel) or not 0 <= section < len(model.names):
            return
        current = theme.current()
        name = model.names[section]
        role = model.role_of(name)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, current.card)
        painter.setPen(current.border)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if role == "target":
            painter.fillRect(QRect(rect.left() + 4, rect.top(), rect.width() - 9, 3), current.accent)
        ink = current.secondary if role == "ignore" else current.text
        painter.setPen(ink)
        painter.setFont(scaled(self.font(), 1.0, QFont.Weight.DemiBold))
        line = self.line_rect(section, 0).adjusted(4, 0, -4, 0)
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
        self._paint_choice(painter, section, 1, KINDS[model.kinds[name]], current.secondary)
        self._paint_choice(
            painter, section, 2, role_word(role), current.accent if role == "target" else current.secondary
        )
        painter.restore()

    def _paint_choice(self, painter: QPainter, section: int, line: int, word: Word, ink: QColor) -> None:
        rect = self.line_rect(section, line)
        if self._under == (section, line):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.mix(theme.current().card, theme.current().accent, 0.12))
            painter.drawRoundedRect(QRectF(rect), 4, 4)
        size = 16
        middle = rect.center().y() + 1
        picture = icons.pixmap(word.icon, size, self.devicePixelRatioF(), ink)
        painter.drawPixmap(QPointF(rect.left() + 4, middle - size / 2), picture)
        painter.setPen(ink)
        painter.setFont(self.font())
        text = rect.adjusted(26, 0, -16, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, word.word)
        paint_arrow(painter, QPointF(rect.right() - 9, middle), ink)


def paint_arrow(painter: QPainter, middle: QPointF, ink: QColor) -> None:
    """A small chevron that promises a menu."""
    painter.setPen(ink)
    painter.drawPolyline([middle + QPointF(-3, -1.5), middle + QPointF(0, 1.5), middle + QPointF(3, -1.5)])
