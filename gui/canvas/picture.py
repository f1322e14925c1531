"""The whole tree as a picture: PNG, SVG or PDF, whatever the window shows of it, and without any window."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from engine.errors import InputError
from gui import theme as themes
from gui.canvas import legend
from gui.canvas.camera import Camera, Spacing
from gui.canvas.letters import Letters
from gui.canvas.painter import paint
from gui.canvas.scene import Scene
from gui.focus import usual_focus

if TYPE_CHECKING:
    from engine.tree import Tree

MARGIN = 32.0
MOST_PIXELS = 16_384  # a side of a PNG
MOST_AREA = 60e6  # pixels of a PNG: more than 256 MB are refused by many programs, Qt's own among them
MOST_SVG = 100_000.0  # Qt writes six digits: beyond, places are rounded
MOST_PDF = 400_000.0
PDF_POINTS = 14_400.0  # no page may be longer
DPI = 96


@dataclass(frozen=True)
class _Page:
    """A tree ready to be drawn: how large the paper is, in pixels, and where the tree stands on it."""

    scene: Scene
    camera: Camera
    width: float
    height: float

    def draw(self, painter: QPainter, dpi: float) -> None:
        painter.fillRect(QRectF(0, 0, self.width, self.height), self.scene.theme.canvas)
        paint(painter, self.scene, self.camera, self.width, self.height, dpi=dpi)
        at = self.height - legend.HEIGHT - 4
        legend.paint(painter, self.scene, MARGIN - 16, at, self.width - 2 * MARGIN + 32, dpi)
        painter.end()


def write_picture(
    tree: Tree, path: str | Path, *, theme: str = "light", focus_class: int | None = None, scale: float = 2.0
) -> None:
    """Writes the whole tree as a picture; the suffix says which kind.

    A tree that is too large for its format is drawn smaller, with fewer words. The file appears complete or
    not at all.

    Args:
        theme: "light" or "dark".
        focus_class: the class whose rate gives the colours; by default the window's, see `usual_focus`.
        scale: pixels of a PNG for each pixel of the screen.

    Raises:
        InputError: the suffix is unknown, or the place cannot be written to.
    """
    path = Path(path)
    encode = _ENCODERS.get(path.suffix.lower())
    if encode is None:
        raise InputError(f"“{path.name}” is no picture that can be written: end it with .png, .svg or .pdf.")
    if theme not in themes.THEMES:
        raise InputError(f"There is no theme “{theme}”: choose light or dark.")
    _need_application()
    focus = usual_focus(tree) if focus_class is None else focus_class
    _write(path, encode(Scene(tree, focus, themes.THEMES[theme], Letters()), scale))


_application: list[QGuiApplication] = []  # kept alive when it had to be made here


def _need_application() -> None:
    """Fonts need an application object; without any, one that asks for no display."""
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _application.append(QGuiApplication([]))


def _page(scene: Scene, longest: float) -> _Page:
    """The paper for a tree whose longer side may have so many pixels."""
    spacing = Spacing(full_x=1.1 if scene.width < longest / 1.3 else 1.0)
    need = legend.width(scene) + 2 * MARGIN
    width, height = scene.width * spacing.full_x + 2 * MARGIN, scene.bottom + 2 * MARGIN + legend.HEIGHT
    if max(width, height) <= longest:
        paper = max(width, min(need, longest))
        camera = Camera((paper - scene.width * spacing.full_x) / 2, MARGIN, 1.0, spacing)
        return _Page(scene, camera, float(round(paper)), float(round(height)))
    width, height = min(max(width, need), longest), min(height, longest)
    camera = scene.fitted(width, height - legend.HEIGHT, MARGIN)
    return _Page(scene, camera, float(round(width)), float(round(height)))


def _png(scene: Scene, scale: float) -> QByteArray:
    natural = _page(scene, float("inf"))
    sides = natural.width, natural.height
    scale = max(min(scale, _longest(sides, 1.0) / max(sides)), min(scale, 1.0))
    page = _page(scene, int(_longest(sides, scale) / scale))
    image = QImage(int(page.width * scale), int(page.height * scale), QImage.Format.Format_RGB32)
    if image.isNull():
        raise InputError("The picture needs more memory than there is: choose a smaller scale, or SVG or PDF.")
    image.setDevicePixelRatio(scale)
    image.setDotsPerMeterX(round(DPI / 0.0254))
    image.setDotsPerMeterY(round(DPI / 0.0254))
    page.draw(QPainter(image), float(image.logicalDpiY()))
    return _collected(lambda buffer: image.save(buffer, "PNG"))


def _longest(sides: tuple[float, float], scale: float) -> float:
    """How many pixels the longer side of a PNG may have, for paper with these sides."""
    shorter = min(sides) * scale
    return min(MOST_PIXELS, max(MOST_AREA**0.5, MOST_AREA / shorter))


def _svg(scene: Scene, scale: float) -> QByteArray:
    from PySide6.QtSvg import QSvgGenerator

    page = _page(scene, MOST_SVG)

    def draw(buffer: QBuffer) -> bool:
        # The older version keeps clips; 96 dots per inch make a pixel of the picture a pixel of the viewer.
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setOutputDevice(buffer)
        generator.setResolution(DPI)
        generator.setSize(QSize(int(page.width), int(page.height)))
        generator.setViewBox(QRectF(0, 0, page.width, page.height))
        generator.setTitle(f"Decision tree: {scene.tree.target}")
        page.draw(QPainter(generator), DPI)
        return True

    # Qt writes millimetres, which some viewers scale and others refuse.
    size = f'width="{page.width:.0f}px" height="{page.height:.0f}px"'.encode()
    head, tag, rest = _collected(draw).data().partition(b"<svg")
    return QByteArray(head + tag + re.sub(rb'width="[^"]*mm" height="[^"]*mm"', size, rest, count=1))


def _pdf(scene: Scene, scale: float) -> QByteArray:
    page = _page(scene, MOST_PDF)
    # A finer resolution makes a smaller page of the same drawing: nothing is left out, it can be zoomed into.
    dpi = max(float(DPI), max(page.width, page.height) * 72 / PDF_POINTS)

    def draw(buffer: QBuffer) -> bool:
        writer = QPdfWriter(buffer)
        writer.setResolution(round(dpi + 0.5))
        exact = float(writer.resolution())
        points = QSizeF(page.width * 72 / exact, page.height * 72 / exact)
        size = QPageSize(points, QPageSize.Unit.Point, "tree", QPageSize.SizeMatchPolicy.ExactMatch)
        writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
        writer.setTitle(f"Decision tree: {scene.tree.target}")
        page.draw(QPainter(writer), exact)
        return True

    return _collected(draw)


def _collected(draw: Callable[[QBuffer], bool]) -> QByteArray:
    """The bytes that are written into a buffer."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not draw(buffer):
        raise InputError("The picture could not be encoded: choose another format or a smaller scale.")
    buffer.close()
    return data


_ENCODERS: dict[str, Callable[[Scene, float], QByteArray]] = {".png": _png, ".svg": _svg, ".pdf": _pdf}


def _write(path: Path, data: QByteArray) -> None:
    """Puts the bytes in place at once; an older file stays whole until then."""
    draft = None
    try:
        descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data.data())
        os.chmod(draft, 0o666 & ~_mask())
        os.replace(draft, path)
    except OSError as problem:
        if draft is not None and os.path.exists(draft):
            os.unlink(draft)
        reason = problem.strerror or str(problem)
        raise InputError(
            f"“{path}” cannot be written ({reason}): choose a folder that exists and that you may write to."
        ) from None


def _mask() -> int:
    """The permissions that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
