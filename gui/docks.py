"""The panels of the window: which there are, where they stand at first, and how large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QDataStream, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QTabWidget, QWidget

from gui.panels.candidates.panel import CandidatesPanel
from gui.panels.columns.panel import ColumnsPanel
from gui.panels.comparison.panel import ComparisonPanel
from gui.panels.history.panel import HistoryPanel
from gui.panels.node.panel import NodePanel
from gui.panels.outline.panel import OutlinePanel
from gui.panels.plane.panel import PlanePanel
from gui.panels.pruning.panel import PruningPanel
from gui.panels.rows.panel import RowsPanel
from gui.panels.rules.panel import RulesPanel
from gui.panels.search_settings.panel import SearchSettings
from gui.panels.split.editor import SplitEditor
from gui.panels.why.panel import WhyPanel

if TYPE_CHECKING:
    from gui.window import Window

Area = Qt.DockWidgetArea
LEFT, RIGHT, BELOW = Area.LeftDockWidgetArea, Area.RightDockWidgetArea, Area.BottomDockWidgetArea

BELOW_SHARES = ((900, 0.36), (700, 0.31), (0, 0.25))  # from which height on, and how much of it
LOW = 700  # pixels: a lower window is a low one
MUCH = 0.9
CANVAS_DUE = 0.42  # of the window's width and height
GEOMETRY_MAGIC = 0x1D9D0CB  # with which Qt begins a saved geometry

# A new panel is one line here: its name, its title, its class, and its side of the canvas.
PANELS = {
    "columns": ("Columns", ColumnsPanel, LEFT),
    "search": ("Search", SearchSettings, LEFT),
    "candidates": ("Candidates", CandidatesPanel, RIGHT),
    "split_editor": ("Split", SplitEditor, RIGHT),
    "pruning": ("Pruning", PruningPanel, BELOW),
    "outline": ("Outline", OutlinePanel, BELOW),
    "node": ("Node", NodePanel, BELOW),
    "why": ("Why", WhyPanel, BELOW),
    "plane": ("Plane", PlanePanel, BELOW),
    "rules": ("Rules", RulesPanel, BELOW),
    "rows": ("Rows", RowsPanel, BELOW),
    "history": ("History", HistoryPanel, BELOW),
    "comparison": ("Compare", ComparisonPanel, BELOW),
}


def add_docks(window: Window) -> dict[str, QDockWidget]:
    """Makes every panel, each in a dock."""
    docks = {}
    for name, (title, make, area) in PANELS.items():
        dock = QDockWidget(title, window, objectName=f"dock_{name}")
        panel = make(window.document)
        dock.setWidget(panel)
        take_keys(panel, dock)
        dock.setFocusProxy(panel)
        if isinstance(panel, CandidatesPanel):
            panel.remember(window.settings)
        if isinstance(panel, CandidatesPanel | SplitEditor):
            panel.whyAsked.connect(lambda: window.show_panel("why"))
        if isinstance(panel, RulesPanel):
            dock.visibilityChanged.connect(lambda shown, panel=panel: panel.set_behind(not shown))
        if area != RIGHT:  # their tabs name them already; a second title would only take height
            dock.setTitleBarWidget(QWidget(dock))
        dock.toggleViewAction().setStatusTip(f"Shows or hides the panel “{title}”")
        docks[name] = dock
    # The side panels reach from top to bottom: ranking and columns need height, the canvas's foot does not.
    window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
    window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
    window.setTabPosition(Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    return docks


def take_keys(*beside: QWidget) -> None:
    """A click on these takes the keys off the canvas, or letters meant for something else would edit the tree."""
    for widget in beside:
        widget.setFocusPolicy(Qt.FocusPolicy.ClickFocus)


def arrange(window: Window) -> None:
    """Puts every panel to its first place, in proportion to the window."""
    docks = window.docks
    first: dict[Qt.DockWidgetArea, QDockWidget] = {}
    for name, (_, _, area) in PANELS.items():
        dock = docks[name]
        if dock.isFloating():  # asking in vain would make the layout anew
            dock.setFloating(False)
        window.addDockWidget(area, dock)
        if area in first and area != RIGHT:  # at once: side by side they would widen the window
            window.tabifyDockWidget(first[area], dock)
        first.setdefault(area, dock)
        dock.show()
    window.splitDockWidget(docks["candidates"], docks["split_editor"], Qt.Orientation.Vertical)
    for area in (LEFT, BELOW):
        first[area].raise_()
    share(window)


def share(window: Window) -> None:
    """Gives every panel its part of the window, wherever it stands; the lower it is, the more is left to the canvas."""
    width, height = window.width(), window.height()
    below = next(part for least, part in BELOW_SHARES if height >= least)
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    _resize(window, {"columns": width * 0.23, "candidates": width * 0.28}, across)
    _resize(window, dict.fromkeys((name for name in PANELS if PANELS[name][2] == BELOW), height * below), down)
    # A list can be scrolled, a plot cannot: in a low window it comes first.
    ranking, plot = (0.5, 0.4) if height >= LOW else (0.4, 0.5)
    _resize(window, {"candidates": height * ranking, "split_editor": height * plot}, down)


def _resize(window: Window, sizes: dict[str, float], way: Qt.Orientation) -> None:
    """Resizes those of some panels that stand where they stood at first."""
    there = {
        window.docks[name]: round(size)
        for name, size in sizes.items()
        if window.dockWidgetArea(window.docks[name]) == PANELS[name][2] and not window.docks[name].isFloating()
    }
    window.resizeDocks(list(there), list(there.values()), way)


def much_smaller(now: QSize, then: QSize) -> bool:
    """Whether a layout that was made in a window of one size would crowd the canvas in another one."""
    return now.width() < MUCH * then.width() or now.height() < MUCH * then.height()


def crowded(canvas: QSize, window: QSize) -> bool:
    """Whether the canvas has less than its due."""
    return canvas.width() < CANVAS_DUE * window.width() or canvas.height() < CANVAS_DUE * window.height()


def saved_size(geometry: QByteArray) -> QSize:
    """The size of the window whose `saveGeometry` this is; invalid when it cannot be read."""
    stream = QDataStream(geometry)
    if stream.readUInt32() != GEOMETRY_MAGIC:
        return QSize()
    stream.readUInt16(), stream.readUInt16()
    left, top, right, bottom = (stream.readInt32() for _ in range(4))  # the frame; the size without it comes next
    left, top, right, bottom = (stream.readInt32() for _ in range(4))
    return QSize(right - left + 1, bottom - top + 1) if stream.status() == QDataStream.Status.Ok else QSize()


def first_size(window: Window) -> None:
    """Most of the screen, but not all of a large one."""
    room = QGuiApplication.primaryScreen().availableGeometry()
    size = QSize(min(1600, round(room.width() * 0.96)), min(1000, round(room.height() * 0.92)))
    window.resize(size)
    window.move(room.center() - window.rect().center() - QPoint(0, 16))  # the frame adds a title
