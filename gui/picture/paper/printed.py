"""A page of HTML as a PDF on A4, and a drawing as a picture of pixels. Nothing is fetched for it: pictures are held by
their own addresses."""

import base64
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QEventLoop, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextTable,
)
from PySide6.QtSvg import QSvgRenderer

from engine.reporting import html
from engine.reporting.description import Report
from engine.runtime.files import write_whole

MARGINS = QMarginsF(14, 16, 14, 16)  # mm
DPI = 96  # of the document, whose lengths are pixels of a screen
FINER = 4  # of the pixels of a picture: a printer shows more than a screen
STYLE = """
h1 { font-size: 18pt; margin-bottom: 2px; } h2 { font-size: 13pt; margin-top: 20px; margin-bottom: 5px; }
p { margin-top: 0px; margin-bottom: 6px; } .quiet, .caption { color: #5b616e; } .warn { color: #8a5200; }
h3 { font-size: 10pt; margin-top: 12px; margin-bottom: 3px; } table { margin-top: 4px; margin-bottom: 10px; }
th, td { text-align: left; padding-top: 3px; padding-bottom: 3px; padding-right: 8px; font-size: 8pt; }
td { border-bottom: 1px solid #d5d8de; } th { border-bottom: 1px solid #8a909c; vertical-align: bottom; }
.above { border-bottom: 0px; padding-bottom: 0px; }
.n { text-align: right; padding-right: 0px; padding-left: 8px; } .caption, .below { font-size: 8pt; }
.below { color: #5b616e; } pre { margin: 0px; white-space: pre-wrap; font-family: "DejaVu Sans"; font-size: 8pt; }
"""  # what Qt knows of the style of a page
PICTURE = "\ufffc"  # what stands for one in a text
PADDING = 3  # pixels above the letters of a row, as there
SCREEN = "body { color: #1d2026; background-color: #ffffff; }"
SVG = "data:image/svg+xml;base64,"
TALLEST, TALLEST_OF_REPORT = 0.34, 0.82  # of a page, for a picture: a hand-out is to have one page
FOOT, ROOM_OF_NUMBER = 26, 80  # pixels for the line at the foot of a page, and of it for the page's number
FEW_LINES, SHORT_TABLE = 4, 14  # of a paragraph that no page parts; rows of such a table
LEAST_PICTURE = 0.55  # of its size, where it is drawn smaller to stand on the page that has begun
LATE = 0.75  # of a page: a section that begins below and does not end there begins the next page
LARGEST = 1500  # pixels of a screen: the sides of a picture of pixels alone


class Paper(QTextDocument):
    """A page of HTML; its pictures are as wide as the page, and as tall as this share of it, at most."""

    tallest = TALLEST
    room: QSizeF | None = None  # where pages have no size of their own
    finer: float = FINER

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        address = name.toString() if isinstance(name, QUrl) else name
        if kind != QTextDocument.ResourceType.ImageResource.value or not address.startswith(SVG):
            return QByteArray()
        drawing = QSvgRenderer(QByteArray(base64.b64decode(address.removeprefix(SVG))))
        room = self.room or self.pageSize()
        size = QSizeF(drawing.defaultSize())
        within = size.scaled(QSizeF(room.width(), self.tallest * room.height()), Qt.AspectRatioMode.KeepAspectRatio)
        return _painted(drawing, within if within.width() < size.width() else size, self.finer)


def _painted(drawing: QSvgRenderer, size: QSizeF, finer: float) -> QImage:
    image = QImage((size * finer).toSize(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    image.setDevicePixelRatio(finer)
    return image


def write_printed(text: str, path: str) -> None:
    """Writes a page of HTML to a path that ends in .pdf, or a drawing in SVG to one that ends in .png. InputError: the
    place cannot be written to."""
    if not path.endswith(".png"):
        return write_pdf(text, Path(path), TALLEST_OF_REPORT)
    drawing, buffer = QSvgRenderer(QByteArray(text.encode())), QBuffer()
    size = QSizeF(drawing.defaultSize())
    within = size.scaled(LARGEST, LARGEST, Qt.AspectRatioMode.KeepAspectRatio)
    image = _painted(drawing, within if within.width() < size.width() else size, FINER)
    image.setDotsPerMeterX(round(FINER * DPI / 0.0254))
    image.setDotsPerMeterY(round(FINER * DPI / 0.0254))
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # it takes a text alone
    write_whole(path, [bytes(buffer.data().data())])


def preview(report: Report, width: int, margin: int, ratio: float, scale: float) -> QTextDocument:
    """A report as it will be printed, for a screen, in pixels. `width`: of its pictures at most; `ratio`: how many
    pixels of the screen are one; `scale`: of its letters."""
    document = Paper()
    document.tallest, document.room, document.finer = TALLEST_OF_REPORT, QSizeF(width, 1.5 * width), ratio
    document.setDocumentMargin(margin)
    document.setDefaultFont(QFont("DejaVu Sans", round(9 * scale)))
    style = re.sub(r"(\d+)pt", lambda size: f"{round(int(size[1]) * scale)}pt", STYLE)
    document.setHtml("".join(html.report(report)).replace(html.STYLE, style + SCREEN))
    return document


def write_pdf(page: str, path: Path, tallest: float = TALLEST) -> None:
    """Writes a page of HTML, with its title and numbers at the foot where it takes several; InputError: the place
    cannot be written to."""
    loop, buffer = QEventLoop(), QBuffer()  # long texts are laid out with a timer, which a worker has by its loop
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, MARGINS,
                                     QPageLayout.Unit.Millimeter))  # fmt: skip
    document, whole = Paper(), QSizeF(writer.pageLayout().paintRectPixels(DPI).size())
    document.tallest, document.room = tallest, QSizeF(whole.width(), whole.height() - FOOT)
    document.setDocumentMargin(0)
    document.setDefaultFont(QFont("DejaVu Sans", 9))
    document.documentLayout().setPaintDevice(writer)
    document.setHtml(page.replace(html.STYLE, STYLE))
    document.setTextWidth(whole.width())
    title = document.metaInformation(QTextDocument.MetaInformation.DocumentTitle)
    writer.setTitle(title)
    writer.setCreator("Espalier")
    cuts = _fitted(document, document.room.height())
    painter, foot = QPainter(writer), QRectF(0, document.room.height(), whole.width(), FOOT)
    small = QFont("DejaVu Sans", 7)
    for k, cut in enumerate(cuts):
        if k:
            writer.newPage()
        if len(cuts) > 1:
            number, across = f"{k + 1} / {len(cuts)}", whole.width() - ROOM_OF_NUMBER
            painter.setFont(small)
            painter.setPen(Qt.GlobalColor.darkGray)
            said = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, round(across))
            painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, said)
            painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, number)
        down = 0.0
        for top, bottom in (cut.head, (cut.top, cut.bottom)):
            if top == bottom:
                continue  # an empty part would be all of it
            painter.save()
            painter.translate(0, down - top)
            document.drawContents(painter, QRectF(0, top, whole.width(), bottom - top))
            painter.restore()
            down += bottom - top
    painter.end()
    del writer, document, loop  # the first ends the file; the last one goes after what has timers
    write_whole(path, [bytes(buffer.data().data())])


class Strip(NamedTuple):
    """What no page parts: a line, a short paragraph, a row. Lengths from the top of the document, in its pixels.

    Attributes:
        holds: it stays on the page of the next one.
        head: of the table that it continues, which a page begins with; empty elsewhere.
        section: it begins one. picture: the place of one in the text, -1 for none.
    """

    top: float
    bottom: float
    holds: bool = False
    head: tuple[float, float] = (0.0, 0.0)
    section: bool = False
    picture: int = -1


def _fitted(document: QTextDocument, height: float) -> list[Strip]:
    """What stands on each page. A picture that would begin a page is drawn smaller where the page before has room for
    most of it."""
    strips = list(_strips(document))
    for k in range(len(strips)):
        if strips[k].picture < 0:
            continue
        cuts, first, last = list(paged(strips, height)), k, k
        while first and strips[first - 1].holds:
            first -= 1
        while strips[last].holds and last + 1 < len(strips):
            last += 1
        page = next((page for page, cut in enumerate(cuts) if page and cut.top == strips[first].top), 0)
        before, high = cuts[page - 1], strips[k].bottom - strips[k].top
        less = strips[last].bottom - before.top + before.head[1] - before.head[0] - height
        if page and high - less >= LEAST_PICTURE * high:
            _scale(document, strips[k].picture, (high - less - 1) / high)
            strips = list(_strips(document))
    return list(paged(strips, height))


def _scale(document: QTextDocument, place: int, scale: float) -> None:
    cursor = QTextCursor(document)
    cursor.setPosition(place)
    cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
    format = cursor.charFormat().toImageFormat()
    image = document.resource(QTextDocument.ResourceType.ImageResource, QUrl(format.name()))
    format.setWidth(scale * image.deviceIndependentSize().width())
    format.setHeight(scale * image.deviceIndependentSize().height())
    cursor.setCharFormat(format)


def paged(strips: Sequence[Strip], height: float) -> Iterator[Strip]:
    """What stands on each page, from top to bottom: as much as goes onto it. What is higher than a page is cut."""
    first = 0
    while first < len(strips):
        top, head = strips[first].top, strips[first].head
        room = height - (head[1] - head[0])
        after = first
        while after < len(strips) and strips[after].bottom <= top + room:
            after += 1
        if after == first:
            while strips[first].bottom - top > room:
                yield Strip(top, top + room, head=head)
                top += room
            yield Strip(top, strips[first].bottom, head=head)
            first += 1
            continue
        end = after
        while after < len(strips) and end > first and strips[end - 1].holds:
            end -= 1
        end = end if end > first else after  # all of them hold together, and no page has room for them
        begun = next((k for k in range(end - 1, first, -1) if strips[k].section), 0)
        if begun and end < len(strips) and not strips[end].section and strips[begun].top - top > LATE * room:
            end = begun
        yield Strip(top, strips[end - 1].bottom, head=head)
        first = end


def _strips(document: QTextDocument) -> Iterator[Strip]:
    """The paragraphs of a document by their lines, and its tables by their rows."""
    layout, place = document.documentLayout(), document.rootFrame().begin()
    found: list[tuple[QTextBlock | None, QTextTable | None]] = []
    while not place.atEnd():
        frame = place.currentFrame()
        found.append((None, frame) if isinstance(frame, QTextTable) else (place.currentBlock(), None))
        place += 1
    holding, after = list[bool](), False  # what explains a table, however many paragraphs, stays on its page
    for block, table in reversed(found):
        heading = block is not None and block.blockFormat().headingLevel() > 0
        holding.append(heading or (after and block is not None))
        after = table is not None or (holding[-1] and not heading and block is not None and block.textList() is None)
    for (block, table), holds in zip(found, reversed(holding), strict=True):
        if table is not None:
            yield from _rows(layout, table)
        elif block is not None and block.length() > 1:
            box, text, picture = layout.blockBoundingRect(block), block.layout(), block.text().find(PICTURE)
            if text.lineCount() <= FEW_LINES:
                section, at = block.blockFormat().headingLevel() == 2, block.position() + picture
                yield Strip(box.top(), box.bottom(), holds or picture >= 0,  # its caption follows
                            section=section, picture=at if picture >= 0 else -1)  # fmt: skip
                continue
            lines = [text.lineAt(k).rect().translated(box.topLeft()) for k in range(text.lineCount())]
            for k, line in enumerate(lines):  # no line stands alone on its page
                yield Strip(line.top(), line.bottom(), k in (0, len(lines) - 2) or (holds and k == len(lines) - 1))


def _rows(layout: QAbstractTextDocumentLayout, table: QTextTable) -> Iterator[Strip]:
    """The rows of a table: its first two stay with its head, its last two together, one that stands below another with
    that, and all of a short table."""
    n, format = table.rows(), table.format()
    cells = (
        [table.cellAt(k, column).firstCursorPosition().block() for column in range(table.columns())] for k in range(n)
    )
    tops = [min(layout.blockBoundingRect(block).top() for block in row) - PADDING for row in cells]
    box = layout.frameBoundingRect(table)
    ends = [*tops[1:], box.bottom() - format.bottomMargin()]
    head, pairs = (tops[0], ends[0]), n > 2 and table.cellAt(2, 0).columnSpan() > 1
    short, group = n <= SHORT_TABLE, 2 if pairs else 1
    for k in range(n):
        below = pairs and k % 2 == 1
        ends_soon = k in range(n - 2 * group, n - 1) or k <= group
        yield Strip(tops[k], ends[k], k + 1 < n and (below or ends_soon or short), head if k > 1 else (0.0, 0.0))
