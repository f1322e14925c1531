"""Text as panels and dialogs show it: headings, explanations and notices in the colours of the theme; in little room
names of which no two read the same, and lines of whole parts. And the measures of dialogs."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from PySide6 import QtWidgets
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui import icons, theme
from gui.widgets import verbatim
from gui.widgets.building import Item, Margins, below, fill, tool_button

WAYS = (Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideLeft)
CUT, MORE = "…", " …"  # in a name, and behind the parts of a line
MOST_SHORTENED = 4_096  # names that are kept
LINE = 17  # pixels of a line of the usual letters
LETTERS = 14  # and at least so many, where a text size of 100 % is small
AROUND = QSize(32, 56)  # pixels of the screen for the frame of a dialog, and to show that it is not the whole screen


def title(text: str, scale: float = 1.0) -> QLabel:
    """A heading, `scale` times as large as the program's font."""
    label = verbatim.label(text)
    label.setFont(scaled(label.font(), scale, QFont.Weight.DemiBold))
    return label


def folding_heading(name: str, text: str = "") -> QtWidgets.QToolButton:
    """A button in the letters of a heading, whose arrow tells whether what is below it is unfolded."""
    button = tool_button(name, text)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFont(scaled(button.font(), 1.0, QFont.Weight.DemiBold))
    return button


def quiet(text: str = "", name: str = "", *, wrap: bool = True, scale: float = 1.0) -> QLabel:
    """Text of the second rank: explanations, paths, counts; `name` is that of the object."""
    label = verbatim.label(text, objectName=name, wordWrap=wrap)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    if scale != 1.0:
        label.setFont(scaled(label.font(), scale))
    return label


def scaled(font: QFont, scale: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The same font, larger or smaller, in points so that every screen density shows it alike."""
    other = QFont(font)
    other.setPointSizeF(max(font.pointSizeF(), 1.0) * scale)
    other.setWeight(weight)
    return other


def stack(owner: QWidget, *parts: Item, spacing: int = 8, margins: Margins = (24, 20, 24, 16)) -> QVBoxLayout:
    """Parts below each other, as `fill` takes them, in the measures of a dialog."""
    return fill(QVBoxLayout(owner), *parts, spacing=spacing, margins=margins)


def on_screen(dialog: QDialog, width: int, height: int) -> QSize:
    """A size in pixels as larger letters ask for it, but never larger than the screen."""
    room = dialog.screen().availableGeometry().size() - AROUND
    return (QSize(width, height) * enlarged(dialog)).boundedTo(room)


def enlarged(widget: QWidget) -> float:
    """How many times as large as usual letters are, 1 at least."""
    return max(widget.fontMetrics().height() / LINE, 1.0)


def grown(pixels: float, metrics: QFontMetrics) -> int:
    """Pixels that go with the letters of a panel: as many more as these are larger than at a text size of 100 %."""
    return round(pixels * max(metrics.height() / LETTERS, 1.0))


def section(heading: str, content: QWidget) -> QWidget:
    return below(title(heading), content, spacing=8)


def answers(dialog: QDialog, accept: str, name: str) -> tuple[QDialogButtonBox, QPushButton]:
    """Cancel and the button that goes on, which is the default one; both without pictures."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    cancel = buttons.button(QDialogButtonBox.StandardButton.Cancel)
    cancel.setIcon(QIcon())
    cancel.setAutoDefault(False)
    go_on = buttons.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    go_on.setObjectName(name)
    go_on.setDefault(True)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons, go_on


def closing(dialog: QDialog) -> QDialogButtonBox:
    """The button that closes a dialog which has nothing to be answered, without a picture."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
    buttons.rejected.connect(dialog.reject)
    return buttons


def say(label: QLabel, text: str) -> None:
    """Shows a sentence; an empty one takes no room."""
    label.setText(text)
    label.setVisible(bool(text))


class Notice(QWidget):
    """One sentence with an icon: a note, a warning or an error, in its place. Hidden while it is empty."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self._level = "info"
        self._picture = verbatim.label()
        self._picture.setFixedSize(20, 20)
        self._text = verbatim.label(wordWrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = fill(QHBoxLayout(self), self._picture, (self._text, 1), spacing=8)
        row.setAlignment(self._picture, Qt.AlignmentFlag.AlignTop)
        theme.watcher().changed.connect(self._on_theme_changed)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def say(self, text: str, level: str = "info") -> None:
        """Shows a sentence; `level` is "info", "warning" or "error". An empty one hides it."""
        self._level = level
        self._text.setText(text)
        self.setAccessibleName(text)
        self._on_theme_changed()
        self.setVisible(bool(text))

    def _on_theme_changed(self) -> None:
        current = theme.current()
        ink = {"info": current.secondary, "warning": current.warning, "error": current.error}[self._level]
        self._picture.setPixmap(icons.pixmap(self._level, 18, self.devicePixelRatioF(), ink))
        colours = self._text.palette()
        colours.setColor(QPalette.ColorRole.WindowText, ink)
        self._text.setPalette(colours)


def telling(name: str, names: tuple[str, ...], room: int, metrics: QFontMetrics) -> str:
    """The name, or what of it fits into `room` pixels: in the way that the fewest of all `names` would read too."""
    if metrics.horizontalAdvance(name) <= room:
        return name
    return _chosen(name, names, tuple(metrics.elidedText(name, way, room) for way in WAYS))


@lru_cache(MOST_SHORTENED)
def _chosen(name: str, names: tuple[str, ...], ways: tuple[str, ...]) -> str:
    return min(ways, key=lambda short: readings(short, names, name))


def readings(short: str, names: Iterable[str], name: str = "") -> int:
    """How many names other than `name` a shortened one could stand for."""
    head, cut, tail = short.partition(CUT)
    if not cut:
        return sum(other == short != name for other in names)
    least = len(head) + len(tail)
    others = [other for other in names if other != name and len(other) > least]
    return sum(other.startswith(head) and other.endswith(tail) for other in others)


def whole_parts(parts: Sequence[str], joint: str, room: int, metrics: QFontMetrics, least: int = 1) -> str:
    """As many parts of a line as fit, but at least so many, each whole: half a number would be another one."""
    text, n = joint.join(parts), len(parts)
    while n > least and metrics.horizontalAdvance(text) > room:
        n -= 1
        text = joint.join(parts[:n]) + MORE if n else ""
    return text


class PartsLabel(QLabel):
    """Shows as many parts of its text as fit; `text()` stays the whole one."""

    def __init__(self, joint: str, *, cuts: bool = False, **more: Any) -> None:
        """`cuts`: where not even one part fits, as much of it as does, which must not be read as something else."""
        super().__init__(**more)
        self.joint, self._cuts = joint, cuts
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def shown(self) -> str:
        parts, room = self.text().split(self.joint), self.contentsRect().width()
        text = whole_parts(parts, self.joint, room, self.fontMetrics(), least=0)
        cut = self.fontMetrics().elidedText(parts[0], Qt.TextElideMode.ElideRight, room) if self._cuts else ""
        return text or cut

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        where = int(self.alignment() | Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), where, self.shown())
