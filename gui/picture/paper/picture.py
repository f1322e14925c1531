"""A tree as a picture: PNG, SVG or PDF, the whole of it, a branch or what a screen shows, and without any window."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter

from engine.runtime.errors import InputError
from engine.runtime.files import write_whole
from engine.runtime.sentences import tr
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import Letters
from gui.picture.paper.pages import DPI, write_pages
from gui.picture.paper.sheet import PAPERS, Sheet, View, Wish, as_seen, natural, scaled_to
from gui.picture.paper.web_page import web_page
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import usual_focus

if TYPE_CHECKING:
    from engine.tree.tree import Tree

MOST_PIXELS = 16_384  # a side of a PNG
MOST_AREA = 60e6  # pixels of a PNG: more than 256 MB are refused by many programs, Qt's own among them
MOST_COPIED = 3_840.0 * 2_160.0  # pixels of what is put on the clipboard by its key, as long as its letters stay whole
BEYOND_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_SVG = 100_000.0  # Qt writes six digits: beyond, places are rounded
BOXED = 1.0, 4.0  # how much larger than natural cards are drawn in a picture of a given size


def write_picture(tree: Tree, path: str | Path, wish: Wish | None = None, *, focus_class: int | None = None) -> None:
    """Writes the whole tree as a picture or as a page for browsers; the suffix says which kind.

    Args:
        focus_class: the class whose rate gives the colours; by default the window's, see `usual_focus`.

    Raises:
        InputError: the suffix is unknown, there is no such theme, or the place cannot be written to.
    """
    check(path)
    wish = wish if wish is not None else Wish()
    if wish.theme not in PAPERS:
        themes = ", ".join(PAPERS)
        raise InputError(tr("There is no theme “{theme}”: choose {themes}.", theme=wish.theme, themes=themes))
    _need_application()
    focus = usual_focus(tree) if focus_class is None else focus_class
    write_scene(Scene(tree, focus, PAPERS[wish.theme], Letters()), path, wish)


def write_scene(scene: PictureModel, path: str | Path, wish: Wish, top: int = 0, view: View | None = None) -> None:
    """Writes a scene as a picture. A tree that is too large for its format is drawn smaller, with fewer words. The file
    appears complete or not at all.

    Args:
        top: the position of the node whose branch is written; 0 for the whole tree.
        view: what a screen shows, where that is to be written.

    Raises:
        InputError: the suffix is unknown, there would be too many pages, or the place cannot be written to.
    """
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
    """A sheet, how many pixels there are for each of its own, and the size of the picture.

    Attributes:
        squeezed: whether the tree is drawn smaller than it is, because the format holds no larger one.
    """

    sheet: Sheet
    scale: float
    width: int
    height: int
    squeezed: bool = False


def planned(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> Planned:
    """What a PNG will show."""
    if wish.box is not None:
        scale, make = scaled_to(scene, wish, wish.box, BOXED, top, view)
        return Planned(make(scale), scale, *wish.box)
    page = as_seen(scene, wish, view) if view is not None else natural(scene, wish, top)
    largest = min(MOST_PIXELS / max(page.width, page.height), (MOST_AREA / (page.width * page.height)) ** 0.5)
    scale = max(min(wish.scale, largest), min(wish.scale, 1.0))  # less sharp, as long as it stays the same picture
    squeezed = scale > largest and view is None
    if squeezed:
        page = natural(scene, wish, top, int(_longest((page.width, page.height), scale) / scale))
    return Planned(page, scale, int(page.width * scale), int(page.height * scale), squeezed)


def handy(scene: PictureModel, wish: Wish) -> Wish:
    """The wish for the whole tree as a picture that other programs take easily: less sharp where it would be large."""
    page = natural(scene, wish)
    largest = (MOST_COPIED / (page.width * page.height)) ** 0.5
    return replace(wish, scale=min(wish.scale, max(largest, 1.0)))


def planned_drawing(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> Planned:
    """What an SVG will show."""
    scale = 1.0
    if wish.box is not None:
        scale, make = scaled_to(scene, wish, wish.box, BOXED, top, view)
        page = make(scale)
    else:
        page = as_seen(scene, wish, view) if view is not None else natural(scene, wish, top, MOST_SVG)
    return Planned(page, scale, round(page.width * scale), round(page.height * scale))


def image_of(scene: PictureModel, wish: Wish, top: int = 0, view: View | None = None) -> QImage:
    """The picture in pixels.

    Raises:
        InputError: there is no memory for it.
    """
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


def _png(scene: PictureModel, wish: Wish, top: int, view: View | None) -> QByteArray:
    image = image_of(scene, wish, top, view)
    return _collected(lambda buffer: image.save(buffer, "PNG"))  # type: ignore[call-overload]  # bytes are refused


def _longest(sides: tuple[float, float], scale: float) -> float:
    """How many pixels the longer side of a PNG may have, for paper with these sides."""
    shorter = min(sides) * scale
    return min(MOST_PIXELS, max(MOST_AREA**0.5, MOST_AREA / shorter))


def _svg(scene: PictureModel, wish: Wish, top: int, view: View | None) -> QByteArray:
    from PySide6.QtSvg import QSvgGenerator

    plan = planned_drawing(scene, wish, top, view)
    page = plan.sheet

    def draw(buffer: QBuffer) -> bool:
        # The older version keeps clips; 96 dots per inch make a pixel of the picture a pixel of the viewer.
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setOutputDevice(buffer)
        generator.setResolution(DPI)
        generator.setSize(QSize(int(page.width), int(page.height)))
        generator.setViewBox(QRectF(0, 0, page.width, page.height))
        generator.setTitle(tr("Decision tree: {target}", target=scene.tree.target))
        painter = QPainter(generator)
        page.draw(painter, DPI)
        painter.end()
        return True

    # Qt writes millimetres, which some viewers scale and others refuse.
    size = f'width="{plan.width}px" height="{plan.height}px"'.encode()
    text = BEYOND_XML.sub("\ufffd", bytes(_collected(draw).data()).decode("utf-8", "replace"))
    head, tag, rest = text.encode().partition(b"<svg")
    return QByteArray(head + tag + re.sub(rb'width="[^"]*mm" height="[^"]*mm"', size, rest, count=1))


def _pdf(scene: PictureModel, wish: Wish, top: int, view: View | None) -> QByteArray:
    return _collected(lambda buffer: write_pages(scene, wish, buffer, top, view))


def _html(scene: PictureModel, wish: Wish, top: int, view: View | None) -> QByteArray:
    return QByteArray(web_page(scene, wish, top).encode("utf-8", "replace"))  # a lone surrogate is a question mark


def _collected(draw: Callable[[QBuffer], bool]) -> QByteArray:
    """The bytes that are written into a buffer."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not draw(buffer):
        raise InputError(tr("The picture could not be encoded: choose another format or a smaller scale."))
    buffer.close()
    return data


_ENCODERS: dict[str, Encoder] = {".png": _png, ".svg": _svg, ".pdf": _pdf, ".html": _html}
