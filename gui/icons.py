"""Line icons from `resources/icons`, tinted with the text colour of the theme.

Each drawing uses one stroke colour, `currentColor`, which is replaced before it is painted. `espalier.svg` is
the mark of the program and keeps its own colours."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gui import theme

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icons"
MARK = "espalier"

# Pixels, not points: Qt takes the next larger one and scales it down, so these serve 16-32 px at 100-300 %.
SIZES = (16, 20, 24, 32, 40, 48, 64, 96)
MARK_SIZES = (16, 24, 32, 48, 64, 128, 256)


def icon(name: str, colour: str | QColor | None = None) -> QIcon:
    """The icon in the theme's text colour, or in `colour`; its disabled form is the same, faded."""
    return _icon(name, _ink(colour))


def pixmap(name: str, size: int, ratio: float = 1.0, colour: str | QColor | None = None) -> QPixmap:
    """The icon as a picture of `size` logical pixels for a screen with `ratio` pixels to each of them."""
    picture = _painted(name, round(size * ratio), _ink(colour))
    picture.setDevicePixelRatio(ratio)
    return picture


def _ink(colour: str | QColor | None) -> str:
    return QColor(colour if colour is not None else theme.current().text).name(QColor.NameFormat.HexArgb)


def app_icon() -> QIcon:
    mark = QIcon()
    for size in MARK_SIZES:
        mark.addPixmap(_painted(MARK, size, "#ff000000"))
    return mark


def put(target: QObject, name: str) -> None:
    """Gives an action or a button its icon, and gives it anew whenever the theme changes."""
    known = next((child for child in target.children() if isinstance(child, _Tint)), None)
    (known or _Tint(target)).show(name)


class _Tint(QObject):
    """Lives and dies with what has the icon."""

    def __init__(self, target: QObject) -> None:
        super().__init__(target)
        self._name = ""
        theme.watcher().changed.connect(self._show)

    def show(self, name: str) -> None:
        self._name = name
        self._show()

    @Slot()
    def _show(self) -> None:
        self.parent().setIcon(icon(self._name))  # type: ignore[union-attr]


@lru_cache(maxsize=512)
def _icon(name: str, colour: str) -> QIcon:
    made = QIcon()
    for size in SIZES:
        picture = _painted(name, size, colour)
        made.addPixmap(picture, QIcon.Mode.Normal)
        made.addPixmap(_faded(picture, 0.35), QIcon.Mode.Disabled)
    return made


def _painted(name: str, size: int, colour: str) -> QPixmap:
    drawing = _renderer(name, QColor(colour).name())
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    drawing.render(painter, QRectF(0, 0, size, size))
    painter.end()
    opacity = QColor(colour).alphaF()
    # Faded afterwards, as a whole: strokes that cross would show where they do.
    return picture if opacity == 1.0 else _faded(picture, opacity)


def _faded(picture: QPixmap, opacity: float) -> QPixmap:
    faded = QPixmap(picture)
    painter = QPainter(faded)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.fillRect(faded.rect(), QColor(0, 0, 0, round(255 * opacity)))
    painter.end()
    return faded


@lru_cache(maxsize=512)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    """The drawing with its ink filled in; KeyError for an unknown name (a slip of ours, not of a person)."""
    path = FOLDER / f"{name}.svg"
    if not path.is_file():
        raise KeyError(f"there is no icon “{name}” in {FOLDER}")
    drawing = path.read_text(encoding="utf-8").replace("currentColor", colour)
    return QSvgRenderer(QByteArray(drawing.encode()))
