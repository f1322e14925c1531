"""A page of HTML as a PDF on A4. Nothing is fetched for it: pictures are held by their own addresses."""

import base64
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSizeF, Qt, QUrl
from PySide6.QtGui import QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument
from PySide6.QtSvg import QSvgRenderer

from engine.reporting import html
from engine.runtime.files import write_whole

MARGINS = QMarginsF(14, 16, 14, 16)  # mm
DPI = 96  # of the document, whose lengths are pixels of a screen
FINER = 4  # of the pixels of a picture: a printer shows more than a screen
STYLE = """
h1 { font-size: 17pt; margin-bottom: 2px; } h2 { font-size: 12pt; margin-top: 16px; margin-bottom: 4px; }
p { margin-top: 0px; margin-bottom: 6px; } .quiet { color: #5b616e; }
th, td { text-align: left; padding-top: 2px; padding-bottom: 2px; padding-right: 14px; font-size: 8pt; }
.n { text-align: right; } pre { margin: 0px; white-space: pre-wrap; font-family: "DejaVu Sans"; font-size: 8pt; }
"""  # what Qt knows of the style of a page
SVG = "data:image/svg+xml;base64,"
TALLEST = 0.34  # of a page, for a picture


class _Document(QTextDocument):
    """Its pictures are as wide as the page, at most."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        address = name.toString() if isinstance(name, QUrl) else name
        if kind != QTextDocument.ResourceType.ImageResource.value or not address.startswith(SVG):
            return QByteArray()
        drawing = QSvgRenderer(QByteArray(base64.b64decode(address.removeprefix(SVG))))
        room = self.pageSize()
        size = QSizeF(drawing.defaultSize())
        within = size.scaled(QSizeF(room.width(), TALLEST * room.height()), Qt.AspectRatioMode.KeepAspectRatio)
        size = within if within.width() < size.width() else size
        image = QImage((size * FINER).toSize(), QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        drawing.render(painter)
        painter.end()
        image.setDevicePixelRatio(FINER)
        return image


def write_pdf(page: str, path: Path) -> None:
    """Writes a page of HTML; InputError: the place cannot be written to."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, MARGINS,
                                     QPageLayout.Unit.Millimeter))  # fmt: skip
    document = _Document()
    document.setDocumentMargin(0)
    document.setDefaultFont(QFont("DejaVu Sans", 9))
    document.setPageSize(QSizeF(writer.pageLayout().paintRectPixels(DPI).size()))
    document.setHtml(page.replace(html.STYLE, STYLE))
    document.print_(writer)
    del writer  # which ends the file
    write_whole(path, [bytes(buffer.data().data())])
