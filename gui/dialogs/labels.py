"""Headings, explanations, notices and forms as the dialogs and the start page use them; colours follow the theme."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QIcon, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui import icons, theme
from gui.widgets import verbatim


def title(text: str, scale: float = 1.0) -> QLabel:
    """A heading, `scale` times as large as the program's font."""
    label = verbatim.label(text)
    label.setFont(scaled(label.font(), scale, QFont.Weight.DemiBold))
    return label


def quiet(text: str = "", *, wrap: bool = True, scale: float = 1.0) -> QLabel:
    """Text of the second rank: explanations, paths, counts."""
    label = verbatim.label(text)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    label.setFont(scaled(label.font(), scale))
    label.setWordWrap(wrap)
    return label


def scaled(font: QFont, scale: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The same font, larger or smaller, in points so that every screen density shows it alike."""
    other = QFont(font)
    other.setPointSizeF(max(font.pointSizeF(), 1.0) * scale)
    other.setWeight(weight)
    return other


def form(owner: QWidget) -> QFormLayout:
    """A form layout on the grid of the program: labels on the left, fields as wide as there is room."""
    layout = QFormLayout(owner)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(12)
    layout.setVerticalSpacing(8)
    layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    layout.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    return layout


def section(heading: str, content: QWidget) -> QWidget:
    """A heading above its content, without a box."""
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    layout.addWidget(title(heading))
    layout.addWidget(content)
    return box


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


class Notice(QWidget):
    """One sentence with an icon: a note, a warning or an error, in its place. Hidden while it is empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._level = "info"
        self._picture = verbatim.label()
        self._picture.setFixedSize(20, 20)
        self._text = verbatim.label()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        theme.watcher().changed.connect(self._on_theme_changed)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence that is shown."""
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
