"""A page of HTML as a PDF on A4, and a drawing as a picture of pixels. Nothing is fetched for it: pictures are held by
their own addresses."""

import base64
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument
from PySide6.QtSvg import QSvgRenderer

from engine.reporting import html
from engine.reporting.description import Report
from engine.runtime.files import write_whole

MARGINS = QMarginsF(14, 16, 14, 16)  # mm
DPI = 96  # of the document, whose lengths are pixels of a screen
FINER = 4  # of the pixels of a picture: a printer shows more than a screen
STYLE = """
h1 { font-size: 17pt; margin-bottom: 2px; } h2 { font-size: 12pt; margin-top: 16px; margin-bottom: 4px; }
p { margin-top: 0px; margin-bottom: 6px; } .quiet { color: #5b616e; } .warn { color: #8a5200; }
h3 { font-size: 10pt; margin-top: 10px; margin-bottom: 2px; }
th, td { text-align: left; padding-top: 2px; padding-bottom: 2px; padding-right: 14px; font-size: 8pt; }
.n { text-align: right; } pre { margin: 0px; white-space: pre-wrap; font-family: "DejaVu Sans"; font-size: 8pt; }
"""  # what Qt knows of the style of a page
SCREEN = "body { color: #1d2026; background-color: #ffffff; }"
SVG = "data:image/svg+xml;base64,"
TALLEST, TALLEST_OF_REPORT = 0.34, 0.62  # of a page, for a picture: a hand-out is to have one page
FOOT = 22  # pixels for the number of the page
LARGEST = 1500  # pixels of a screen: the sides of a picture of pixels alone


class Paper(QTextDocument):
    """A page of HTML; its pictures are as wide as the page, and as tall as this share of it, at most."""

    tallest = TALLEST
    room: QSizeF | None = None  # where pages have no size of their own

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        address = name.toString() if isinstance(name, QUrl) else name
        if kind != QTextDocument.ResourceType.ImageResource.value or not address.startswith(SVG):
            return QByteArray()
        drawing = QSvgRenderer(QByteArray(base64.b64decode(address.removeprefix(SVG))))
        room = self.room or self.pageSize()
        size = QSizeF(drawing.defaultSize())
        within = size.scaled(QSizeF(room.width(), self.tallest * room.height()), Qt.AspectRatioMode.KeepAspectRatio)
        return _painted(drawing, within if within.width() < size.width() else size)


def _painted(drawing: QSvgRenderer, size: QSizeF) -> QImage:
    image = QImage((size * FINER).toSize(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    image.setDevicePixelRatio(FINER)
    return image


def write_printed(text: str, path: str) -> None:
    """Writes a page of HTML to a path that ends in .pdf, or a drawing in SVG to one that ends in .png. InputError: the
    place cannot be written to."""
    if not path.endswith(".png"):
        return write_pdf(text, Path(path), TALLEST_OF_REPORT)
    drawing, buffer = QSvgRenderer(QByteArray(text.encode())), QBuffer()
    size = QSizeF(drawing.defaultSize())
    within = size.scaled(LARGEST, LARGEST, Qt.AspectRatioMode.KeepAspectRatio)
    image = _painted(drawing, within if within.width() < size.width() else size)
    image.setDotsPerMeterX(round(FINER * DPI / 0.0254))
    image.setDotsPerMeterY(round(FINER * DPI / 0.0254))
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # it takes a text alone
    write_whole(path, [bytes(buffer.data().data())])


def preview(report: Report, room: QSizeF) -> QTextDocument:
    """A report as it will be printed, for a screen; `room`: the largest width of its pictures, and the height of which
    they take a share."""
    document = Paper()
    document.tallest, document.room = TALLEST_OF_REPORT, room
    document.setDefaultFont(QFont("DejaVu Sans", 9))
    document.setHtml("".join(html.report(report)).replace(html.STYLE, STYLE + SCREEN))
    return document


def write_pdf(page: str, path: Path, tallest: float = TALLEST) -> None:
    """Writes a page of HTML, with numbers where it takes several; InputError: the place cannot be written to."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, MARGINS,
                                     QPageLayout.Unit.Millimeter))  # fmt: skip
    document, room = Paper(), QSizeF(writer.pageLayout().paintRectPixels(DPI).size())
    room.setHeight(room.height() - FOOT)
    document.tallest = tallest
    document.setDocumentMargin(0)
    document.setDefaultFont(QFont("DejaVu Sans", 9))
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(room)
    document.setHtml(page.replace(html.STYLE, STYLE))
    painter, pages = QPainter(writer), document.pageCount()
    painter.setFont(QFont("DejaVu Sans", 8))
    for k in range(pages):
        if k:
            writer.newPage()
        if pages > 1:
            foot = QRectF(0, room.height(), room.width(), FOOT)
            painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, f"{k + 1} / {pages}")
        painter.translate(0, -k * room.height())
        document.drawContents(painter, QRectF(0, k * room.height(), room.width(), room.height()))
        painter.translate(0, k * room.height())
    painter.end()
    del writer  # which ends the file
    write_whole(path, [bytes(buffer.data().data())])
