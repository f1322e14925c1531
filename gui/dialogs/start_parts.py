"""The pieces of the start page: the place to drop a file on, example cards, rows of recent files."""

import os
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QEnterEvent,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from engine.runtime.errors import readable
from gui import icons, theme
from gui.dialogs.labels import quiet, scaled, title
from gui.widgets import verbatim

RADIUS = 8.0
KNOWN = "CSV, TSV, Excel, OpenDocument, Parquet or Feather, or press to choose one"
PROJECT = ".espalier"


class Tile(QAbstractButton):
    """A rounded surface that is one big button; the mouse and the focus show on its edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @property
    def lit(self) -> bool:
        """Whether it should look as if it would answer now."""
        return self.isEnabled() and (self.underMouse() or self.hasFocus())

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current.accent if self.lit else current.border), 1.0))
        painter.setBrush(QColor(current.card))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.update()


class DropArea(Tile):
    """The place to drop a data file on; a click opens the file dialog instead.

    Signals:
        dropped: a local file was dropped. arg: its path
    """

    dropped = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setAccessibleName("Drop a data file here, or press to choose one")
        self.setAccessibleDescription(KNOWN)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._over = False

    def sizeHint(self) -> QSize:
        return QSize(400, 208)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 176)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if file_in(event):
            self._over = True
            event.acceptProposedAction()
            self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._over = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        self._over = False
        self.update()
        if path := file_in(event):
            event.acceptProposedAction()
            self.dropped.emit(path)

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        lit = self._over or self.lit
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = QColor(current.accent)
        fill.setAlphaF(0.10 if self._over else 0.04 if lit else 0.0)
        pen = QPen(QColor(current.accent if lit else current.border), 1.5)
        pen.setDashPattern([4.0, 4.0])
        painter.setPen(pen)
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS + 4, RADIUS + 4)
        self._paint_words(painter, QColor(current.accent if lit else current.secondary))
        painter.end()

    def _paint_words(self, painter: QPainter, ink: QColor) -> None:
        current = theme.current()
        middle = QRectF(self.rect()).center()
        picture = icons.pixmap("drop", 40, self.devicePixelRatioF(), ink)
        painter.drawPixmap(QPointF(middle.x() - 20, middle.y() - 60), picture)
        painter.setPen(QColor(current.text))
        painter.setFont(scaled(self.font(), 1.25, QFont.Weight.DemiBold))
        line = QRectF(8, middle.y() - 4, self.width() - 16, 28)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, "Release to open" if self._over else "Drop a file here")
        painter.setPen(QColor(current.secondary))
        painter.setFont(self.font())
        wrap = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.words_rect(), wrap, KNOWN)

    def words_rect(self) -> QRectF:
        """Where it says what can be dropped."""
        return QRectF(16, QRectF(self.rect()).center().y() + 28, self.width() - 32, 56)


class ExampleCard(Tile):
    """One shipped table: its title, its size, and what it shows."""

    def __init__(self, heading: str, size: str, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"Example {heading}, {size}")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setAccessibleDescription(sentence)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 16)
        layout.setSpacing(4)
        for label in (title(heading), quiet(size, scale=0.9), verbatim.label(sentence)):
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(label)
        layout.addStretch(1)


class RecentRow(Tile):
    """One recent file: its name, and its folder in quiet ink; greyed when it is gone."""

    def __init__(self, path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._picture = "leaf" if Path(path).suffix.lower() == PROJECT else "table"
        found, name, path = os.path.exists(path), readable(Path(path).name), readable(path)
        self.setEnabled(found)
        self.setText(verbatim.verb(name))
        self.setToolTip(verbatim.tip(path if found else f"{path} is no longer there."))
        self.setAccessibleName(f"Open {name} again" if found else f"{name}, no longer there")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, 2 * self.fontMetrics().height() + 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.lit:
            fill = QColor(current.accent)
            fill.setAlphaF(0.10)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        height = self.fontMetrics().height()
        top = (self.height() - 2 * height) // 2
        picture = icons.pixmap(self._picture, 20, self.devicePixelRatioF(), current.secondary)
        painter.drawPixmap(QPointF(8, (self.height() - 20) / 2), picture)
        width = self.width() - 48
        elide, align = Qt.TextElideMode.ElideMiddle, Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(current.text))
        name = self.fontMetrics().elidedText(Path(self.path).name, elide, width)
        painter.drawText(QRectF(40, top, width, height), align, name)
        small = scaled(self.font(), 0.9)
        painter.setFont(small)
        painter.setPen(QColor(current.secondary))
        folder = painter.fontMetrics().elidedText(readable(home_shortened(Path(self.path).parent)), elide, width)
        painter.drawText(QRectF(40, top + height, width, height), align, folder)
        painter.end()


def home_shortened(folder: Path) -> str:
    """The folder as people write it: “~” for the home folder."""
    home = Path.home()
    return str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)


def file_in(event: QDropEvent) -> str:
    """The first local file that is being dragged, or nothing."""
    return next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), "")
