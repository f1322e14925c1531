"""A tree as a picture: PNG, SVG or PDF, the whole of it, a branch or what a screen shows, and without any window. A PDF
is one page as large as the tree, one page of paper or a slide, or as many pages as it takes: at one size throughout,
with strips that neighbours share, small lines that show where to cut and where to paste, and names: A1 is followed by
A2 on its right and by B1 below."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen

import engine
from engine.runtime.errors import InputError
from engine.runtime.files import write_whole
from engine.runtime.sentences import tr
from gui.picture.cards.scene import Scene
from gui.picture.emphasis import noted
from gui.picture.nodes.letters import NAME, PLAIN, Letters, fonts
from gui.picture.paper.sheet import PAPERS, Sheet, View, Wish, natural, scaled_to, sheet_of
from gui.picture.paper.web_page import web_page
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import usual_focus
from gui.picture.plane_regions import letter
from gui.theme import LIGHT
from gui.wording import words

DPI = 96
MOST_PDF = 400_000.0  # pixels of one page as large as the tree
POINTS = 14_400.0  # no page may be longer
SLIDE = "slide"  # 16:9, which nobody prints and pastes
# points: width and height, the longer side first
PAGES = {"A4": (841.89, 595.28), "A3": (1190.55, 841.89), "Letter": (792.0, 612.0), SLIDE: (960.0, 540.0)}
ALLOWED = 0.6, 1.5  # how much smaller and larger than natural what is fitted to a page may be drawn
MOST_PAGES = 200
EDGE = 10 / 25.4 * DPI  # the margin of a split page: what printers leave white
STRIP = 8 / 25.4 * DPI  # what neighbours share
MARK = 0.5 * EDGE  # the length of the lines that say where to cut and to paste


@dataclass(frozen=True)
class Tiling:
    """A sheet cut into pages."""

    sheet: Sheet
    page: QSizeF  # the size of each page in pixels of the sheet
    rows: int  # rows, columns: how many there are
    columns: int

    @property
    def inside(self) -> QSizeF:
        """The room between a page's margins."""
        return QSizeF(self.page.width() - 2 * EDGE, self.page.height() - 2 * EDGE)

    def part(self, row: int, column: int) -> QRectF:
        """What of the sheet a page shows."""
        across, down = self.inside.width(), self.inside.height()
        return QRectF(column * (across - STRIP), row * (down - STRIP), across, down)


def page_name(row: int, column: int) -> str:
    """A1, A2 … from left to right, B1 below A1; after Z comes AA."""
    return f"{letter(row).upper()}{column + 1}"


def tiling(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> Tiling:
    """Cuts a tree into pages, upright or on their sides, whichever are fewer; an InputError if these are too many."""
    sheet = sheet_of(scene, wish, top, view)
    long, short = (points * DPI / 72 / wish.cards for points in PAGES[wish.page])
    ways = [_cut(sheet, QSizeF(*size)) for size in ((long, short), (short, long))]
    found = min(ways, key=lambda tiles: tiles.rows * tiles.columns)
    if found.rows * found.columns > MOST_PAGES:
        said = tr(
            "The picture would take {n} pages of {paper}: choose smaller cards, larger paper, a branch, or one page; "
            "up to {most} are written.", n=words.count(found.rows * found.columns), paper=wish.page, most=MOST_PAGES,
        )  # fmt: skip
        raise InputError(said)
    return found


def _cut(sheet: Sheet, page: QSizeF) -> Tiling:
    def needed(length: float, side: float) -> int:
        inside = side - 2 * EDGE
        return max(1, int(-(-(length - STRIP - 0.5) // (inside - STRIP))))

    return Tiling(sheet, page, needed(sheet.height, page.height()), needed(sheet.width, page.width()))


@dataclass(frozen=True)
class Page:
    """A sheet on one page: how many of its pixels make an inch, and how large the page is, in points."""

    sheet: Sheet
    dpi: int
    points: tuple[float, float]


def planned_page(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> Page:
    if not wish.page:
        sheet = sheet_of(scene, wish, top, view, MOST_PDF)
        # A finer resolution makes a smaller page of the same drawing: nothing is left out, it can be zoomed into.
        dpi = max(DPI, int(max(sheet.width, sheet.height) * 72 / POINTS + 1))
        return Page(sheet, dpi, (sheet.width * 72 / dpi, sheet.height * 72 / dpi))
    long, short = PAGES[wish.page]
    ways = [(long, short)] if wish.page == SLIDE else [(long, short), (short, long)]
    fitted = [scaled_to(scene, wish, (w * DPI / 72, h * DPI / 72), ALLOWED, top, view) for w, h in ways]
    best = max(range(len(ways)), key=lambda k: fitted[k][0])
    dpi = round(DPI / fitted[best][0])  # a printer's dots are whole
    return Page(fitted[best][1](DPI / dpi), dpi, ways[best])


def write_pages(scene: PictureModel, wish: Wish, buffer: QBuffer, top: int = 0, view: View | None = None) -> bool:
    if wish.page and wish.split and wish.page != SLIDE:
        return _write_split(tiling(scene, wish, top, view), buffer)
    page = planned_page(scene, wish, top, view)
    writer = _writer(buffer, scene, page.dpi, QSizeF(*page.points))
    painter = QPainter(writer)
    page.sheet.draw(painter, float(writer.resolution()))
    return painter.end()


def _write_split(tiles: Tiling, buffer: QBuffer) -> bool:
    cards = tiles.sheet.wish.cards
    writer = _writer(buffer, tiles.sheet.scene, round(DPI / cards), tiles.page * (72 * cards / DPI))
    exact, painter = float(writer.resolution()), QPainter(writer)
    for row in range(tiles.rows):
        for column in range(tiles.columns):
            if row or column:
                writer.newPage()
            painter.save()
            painter.translate(EDGE, EDGE)
            painter.setClipRect(QRectF(QPointF(0, 0), tiles.inside))
            tiles.sheet.draw(painter, exact, tiles.part(row, column))
            painter.restore()
            _mark(painter, tiles, row, column, exact)
    return painter.end()


def _mark(painter: QPainter, tiles: Tiling, row: int, column: int, dpi: float) -> None:
    """Where to cut, where to paste, and what page this is, all of it in the margins."""
    width, height = tiles.page.width(), tiles.page.height()
    left, upper, right, lower = EDGE, EDGE, width - EDGE, height - EDGE

    def upright(x: float) -> list[QLineF]:
        return [QLineF(x, upper - MARK, x, upper), QLineF(x, lower, x, lower + MARK)]

    def level(y: float) -> list[QLineF]:
        return [QLineF(left - MARK, y, left, y), QLineF(right, y, right + MARK, y)]

    painter.setPen(QPen(LIGHT.text, 0.8))  # pasted onto the page on its left, this one is cut along its left side
    painter.drawLines(upright(left) * (column > 0) + level(upper) * (row > 0))
    painter.setPen(QPen(LIGHT.secondary, 0.8, Qt.PenStyle.DashLine))
    beside, below = column + 1 < tiles.columns, row + 1 < tiles.rows
    painter.drawLines(upright(right - STRIP) * beside + level(lower - STRIP) * below)
    letters, base, name = tiles.sheet.scene.cards.letters, height - 0.25 * EDGE, page_name(row, column)
    wide = letters.width(name, NAME)
    said = letters.whole(_words(tiles, row, column), right - left - 24 - wide)
    for kind, ink, x, text in ((NAME, LIGHT.text, 6, name), (PLAIN, LIGHT.secondary, 14 + wide, said)):
        painter.setPen(ink)
        painter.setFont(fonts(1.0, dpi)[kind])
        painter.drawText(QPointF(left + x, base), text)


def _words(tiles: Tiling, row: int, column: int) -> tuple[str, ...]:
    place = tr("of {rows} × {columns} pages", rows=tiles.rows, columns=tiles.columns)
    right, below = page_name(row, column + 1), page_name(row + 1, column)
    if column + 1 < tiles.columns and row + 1 < tiles.rows:
        beside = tr("{right} is pasted on from the dashed line on the right, {below} from the one below",
                    right=right, below=below)  # fmt: skip
    elif column + 1 < tiles.columns:
        beside = tr("{page} is pasted on from the dashed line on the right", page=right)
    elif row + 1 < tiles.rows:
        beside = tr("{page} is pasted on from the dashed line below", page=below)
    else:
        return place, place
    return f"{place} · {beside}", place


def _writer(buffer: QBuffer, scene: PictureModel, dpi: int, points: QSizeF) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    writer.setResolution(dpi)
    writer.setTitle(tr("Decision tree: {target}", target=scene.tree.target))
    size = QPageSize(points, QPageSize.Unit.Point, "tree", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    return writer


MOST_PIXELS = 16_384  # a side of a PNG
MOST_AREA = 60e6  # pixels of a PNG: more than 256 MB are refused by many programs, Qt's own among them
MOST_COPIED = 3_840.0 * 2_160.0  # pixels of what is put on the clipboard by its key, as long as its letters stay whole
BEYOND_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_SVG = 100_000.0  # Qt writes six digits: beyond, places are rounded
BOXED = 1.0, 4.0  # how much larger than natural cards are drawn in a picture of a given size


def write_picture(
    tree: "engine.Tree", path: str | Path, wish: Wish | None = None, *, focus_class: int | None = None,
    notes: Mapping[int, str] | None = None,
) -> None:  # fmt: skip
    """Writes the whole tree as a picture or as a page for browsers; the suffix says which kind, `focus_class` whose
    rate gives the colours, by default the window's, `notes` what stands beside the branches into nodes, by their ids.
    InputError: the suffix or the theme is unknown, or the place cannot be written to."""
    check(path)
    wish = wish if wish is not None else Wish()
    if wish.theme not in PAPERS:
        themes = ", ".join(PAPERS)
        raise InputError(tr("There is no theme “{theme}”: choose {themes}.", theme=wish.theme, themes=themes))
    _need_application()
    focus = usual_focus(tree) if focus_class is None else focus_class
    scene = Scene(tree, focus, PAPERS[wish.theme], Letters())
    scene.emphasis = noted(tree, notes) if notes else None
    write_scene(scene, path, wish)


def write_for_report(tree: "engine.Tree", path: str | Path, focus: str) -> None:
    """Writes the whole tree on white, its colours by the rate of the class that a report is about."""
    write_picture(tree, path, Wish(theme="white"), focus_class=tree.classes.index(focus) if focus else None)


def write_scene(scene: PictureModel, path: str | Path, wish: Wish, top: int = 0, view: View | None = None) -> None:
    """Writes the branch below the node at position `top`, or what a screen shows; with fewer words if it is too large
    for its format. The file appears complete or not at all; InputError: the suffix is unknown, there would be too many
    pages, or the place cannot be written to."""
    write_whole(path, [bytes(check(path)(scene, wish, top, view).data())])


Encoder = Callable[[PictureModel, Wish, int, "View | None"], QByteArray]


def check(path: str | Path) -> Encoder:
    """What writes a path's format; an InputError says which there are."""
    path = Path(path)
    encode = _ENCODERS.get(path.suffix.lower())
    if encode is None:
        said = tr("“{name}” is no picture that can be written: end it with .png, .svg, .pdf or .html.", name=path.name)
        raise InputError(said)
    return encode


@cache
def _need_application() -> QGuiApplication | None:
    """Fonts need an application object; without any, one that asks for no display, which the cache keeps alive."""
    if QGuiApplication.instance() is not None:
        return None
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication([])


@dataclass(frozen=True)
class Planned:
    """A sheet, how many pixels there are for each of its own, and the size of the picture."""

    sheet: Sheet
    scale: float
    width: int
    height: int
    squeezed: bool = False  # whether the tree is drawn smaller than it is, because the format holds no larger one


def planned(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> Planned:
    if wish.box is not None:
        scale, make = scaled_to(scene, wish, wish.box, BOXED, top, view)
        return Planned(make(scale), scale, *wish.box)
    page = sheet_of(scene, wish, top, view)
    largest = min(MOST_PIXELS / max(page.width, page.height), (MOST_AREA / (page.width * page.height)) ** 0.5)
    scale = max(min(wish.scale, largest), min(wish.scale, 1.0))  # less sharp, as long as it stays the same picture
    squeezed = scale > largest and view is None
    if squeezed:
        shorter = min(page.width, page.height) * scale
        longest = min(MOST_PIXELS, max(MOST_AREA**0.5, MOST_AREA / shorter))
        page = natural(scene, wish, top, int(longest / scale))
    return Planned(page, scale, int(page.width * scale), int(page.height * scale), squeezed)


def handy(scene: PictureModel, wish: Wish) -> Wish:
    """The wish for the whole tree as a picture that other programs take easily: less sharp where it would be large."""
    page = natural(scene, wish)
    largest = (MOST_COPIED / (page.width * page.height)) ** 0.5
    return replace(wish, scale=min(wish.scale, max(largest, 1.0)))


def planned_drawing(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> Planned:
    if wish.box is not None:
        return planned(scene, wish, top, view)
    page = sheet_of(scene, wish, top, view, MOST_SVG)
    return Planned(page, 1.0, round(page.width), round(page.height))


def image_of(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> QImage:
    """The picture in pixels; an InputError where there is no memory for it."""
    plan = planned(scene, wish, top, view)
    sheet, scale = plan.sheet, plan.scale
    image = QImage(plan.width, plan.height, QImage.Format.Format_RGB32)
    if image.isNull():
        raise InputError(tr("The picture needs more memory than there is: choose a smaller scale, or SVG or PDF."))
    image.setDevicePixelRatio(scale)
    image.setDotsPerMeterX(round(DPI / 0.0254))
    image.setDotsPerMeterY(round(DPI / 0.0254))
    image.fill(scene.theme.canvas)
    painter = QPainter(image)
    sheet.draw(painter, float(image.logicalDpiY()))
    painter.end()
    return image


def _svg(scene: PictureModel, wish: Wish, top: int, view: View | None) -> QByteArray:
    from PySide6.QtSvg import QSvgGenerator  # late: a library that nothing else needs

    plan = planned_drawing(scene, wish, top, view)

    def draw(buffer: QBuffer) -> bool:
        # The older version keeps clips; 96 dots per inch make a pixel of the picture a pixel of the viewer.
        generator, page = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11), plan.sheet
        generator.setOutputDevice(buffer)
        generator.setResolution(DPI)
        generator.setSize(QSize(int(page.width), int(page.height)))
        generator.setViewBox(QRectF(0, 0, page.width, page.height))
        generator.setTitle(tr("Decision tree: {target}", target=scene.tree.target))
        painter = QPainter(generator)
        page.draw(painter, DPI)
        return painter.end()

    # Qt writes millimetres, which some viewers scale and others refuse.
    size = f'width="{plan.width}px" height="{plan.height}px"'.encode()
    text = BEYOND_XML.sub("\ufffd", bytes(_collected(draw).data()).decode("utf-8", "replace"))
    head, tag, rest = text.encode().partition(b"<svg")
    return QByteArray(head + tag + re.sub(rb'width="[^"]*mm" height="[^"]*mm"', size, rest, count=1))


def _collected(draw: Callable[[QBuffer], bool]) -> QByteArray:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not draw(buffer):
        raise InputError(tr("The picture could not be encoded: choose another format or a smaller scale."))
    buffer.close()
    return data


_ENCODERS: dict[str, Encoder] = {
    ".png": lambda scene, wish, *part: _collected(
        lambda buffer: image_of(scene, wish, *part).save(buffer, "PNG")  # type: ignore[call-overload]  # refuses bytes
    ),
    ".svg": _svg,
    ".pdf": lambda scene, wish, *part: _collected(lambda buffer: write_pages(scene, wish, buffer, *part)),
    # a lone surrogate is a question mark
    ".html": lambda scene, wish, top, view: QByteArray(web_page(scene, wish, top).encode("utf-8", "replace")),
}
