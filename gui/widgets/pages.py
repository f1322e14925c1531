"""A panel shows one of two pages: what it is there for, or a sentence that says how to make that appear."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from gui.widgets import verbatim
from gui.widgets.building import Margins, fill, stacked


def empty(text: str = "", name: str = "") -> QLabel:
    """The page of a panel that has nothing to show; `name` is that of the object."""
    label = verbatim.label(text, wordWrap=True, objectName=name)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


def put(panel: QWidget, filled: QWidget, empty: QWidget, margins: Margins = (8, 8, 8, 0)) -> QStackedWidget:
    """Fills the panel with both pages, of which the first one is shown; `margins` are pixels as Qt orders them."""
    pages = stacked(filled, empty)
    fill(QVBoxLayout(panel), pages, margins=margins)
    return pages
