"""The panels of the window: which there are, where they stand at first, and how large."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QTabWidget, QWidget

from gui.panels.candidates import CandidatesPanel
from gui.panels.columns import ColumnsPanel
from gui.panels.history import HistoryPanel
from gui.panels.node import NodePanel
from gui.panels.outline import OutlinePanel
from gui.panels.pruning import PruningPanel
from gui.panels.split_editor import SplitEditor

if TYPE_CHECKING:
    from gui.window import Window

Area = Qt.DockWidgetArea
LEFT, RIGHT, BELOW = Area.LeftDockWidgetArea, Area.RightDockWidgetArea, Area.BottomDockWidgetArea

# A new panel is one line here: its name, its title, its class, and its side of the canvas.
PANELS = {
    "columns": ("Columns", ColumnsPanel, LEFT),
    "candidates": ("Candidates", CandidatesPanel, RIGHT),
    "split_editor": ("Split", SplitEditor, RIGHT),
    "pruning": ("Pruning", PruningPanel, BELOW),
    "outline": ("Outline", OutlinePanel, BELOW),
    "node": ("Node", NodePanel, BELOW),
    "history": ("History", HistoryPanel, BELOW),
}


def add_docks(window: Window) -> dict[str, QDockWidget]:
    """Makes every panel, each in a dock."""
    docks = {}
    for name, (title, make, area) in PANELS.items():
        dock = QDockWidget(title, window, objectName=f"dock_{name}")
        dock.setWidget(make(window.document))
        if area == BELOW:  # their tabs name them already; a second title would only take height from the canvas
            dock.setTitleBarWidget(QWidget(dock))
        dock.toggleViewAction().setStatusTip(f"Shows or hides the panel “{title}”")
        docks[name] = dock
    # The side panels reach from top to bottom: ranking and columns need height, the canvas's foot does not.
    window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
    window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
    window.setTabPosition(Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    return docks


def arrange(window: Window) -> None:
    """Puts every panel to its first place, in proportion to the window."""
    docks = window.docks
    for name, (_, _, area) in PANELS.items():
        docks[name].setFloating(False)
        window.addDockWidget(area, docks[name])
        docks[name].show()
    window.splitDockWidget(docks["candidates"], docks["split_editor"], Qt.Orientation.Vertical)
    below = [docks[name] for name, (_, _, area) in PANELS.items() if area == BELOW]
    for first, second in pairwise(below):
        window.tabifyDockWidget(first, second)
    below[0].raise_()
    width, height = window.width(), window.height()
    across = [docks["columns"], docks["candidates"]]
    window.resizeDocks(across, [round(width * 0.23), round(width * 0.28)], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["pruning"]], [round(height * 0.31)], Qt.Orientation.Vertical)
    down = [docks["candidates"], docks["split_editor"]]
    window.resizeDocks(down, [round(height * 0.5), round(height * 0.4)], Qt.Orientation.Vertical)


def first_size(window: Window) -> None:
    """Most of the screen, but not all of a large one."""
    room = QGuiApplication.primaryScreen().availableGeometry()
    size = QSize(min(1600, round(room.width() * 0.96)), min(1000, round(room.height() * 0.92)))
    window.resize(size)
    window.move(room.center() - window.rect().center() - QPoint(0, 16))  # the frame adds a title
