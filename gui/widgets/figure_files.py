"""A plot as a file: as it stands on the screen, in lines and real letters where the format has them."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtWidgets import QGraphicsView

SUFFIXES = (".svg", ".png", ".pdf")
FINER = 3  # pixels of a PNG for each of the screen
DPI = 96


def drawn(plot: QGraphicsView, suffix: str) -> bytes:
    """The file, one of `SUFFIXES`; to be called in the thread of the window."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if suffix == ".pdf":
        _pdf(plot, buffer)
    else:
        _svg(plot, buffer)
    return bytes(content.data()) if suffix != ".png" else _image(content)


def _svg(plot: QGraphicsView, buffer: QBuffer) -> None:
    from PySide6.QtSvg import QSvgGenerator  # late: a library that nothing else needs

    generator, room = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11), plot.viewport().rect()  # this version keeps clips
    generator.setOutputDevice(buffer)
    generator.setResolution(DPI)
    generator.setSize(room.size())
    generator.setViewBox(room)
    _paint(plot, generator)


def _image(svg: QByteArray) -> bytes:
    """The drawing in pixels; painted on them at once, its lines would be a third as thick."""
    from PySide6.QtSvg import QSvgRenderer

    renderer, content = QSvgRenderer(svg), QByteArray()
    image = QImage(renderer.viewBox().size() * FINER, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(content.data())


def _pdf(plot: QGraphicsView, buffer: QBuffer) -> None:
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    points = QSizeF(plot.viewport().size()) * 72 / DPI
    size = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    _paint(plot, writer)


def _paint(plot: QGraphicsView, device: QPaintDevice) -> None:
    room = plot.viewport().rect()
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(room, plot.backgroundBrush())
    plot.render(painter, QRectF(room), room)
    painter.end()
