"""What is dragged from one part of the window to another: a column, by its name."""

from PySide6.QtCore import QMimeData, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPixmap

from gui import theme

LONGEST, AIR = 220, 6  # pixels of a name at most, and around it
COLUMN = "application/x-espalier-column"


def column_data(name: str) -> QMimeData:
    """What carries a column that is dragged."""
    data = QMimeData()
    data.setData(COLUMN, name.encode(errors="surrogatepass"))  # all of a name that is no UTF-8
    return data


def dragged_column(data: QMimeData | None) -> str:
    """The name of the column that is dragged; empty when it is something else."""
    return bytes(data.data(COLUMN).data()).decode(errors="surrogatepass") if data and data.hasFormat(COLUMN) else ""


def column_picture(name: str, font: QFont, scale: float) -> QPixmap:
    """The name of a column on a small card; `scale`: pixels of the screen for each of Qt's."""
    metrics, colours = QFontMetrics(font), theme.current()
    text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, LONGEST)
    size = QSize(metrics.horizontalAdvance(text) + 2 * AIR, metrics.height() + AIR)
    picture = QPixmap(size * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    painter.setPen(colours.accent)
    painter.setBrush(colours.card)
    card = QRect(0, 0, size.width() - 1, size.height() - 1)
    painter.drawRoundedRect(card, 4, 4)
    painter.setPen(colours.text)
    painter.drawText(card, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return picture
