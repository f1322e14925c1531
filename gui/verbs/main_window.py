"""What verbs and their menus ask of the window; `gui.window.window.Window` has it all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QMainWindow, QStackedWidget, QToolBar

from gui.canvas.view import TreeView
from gui.files.opening import Opening
from gui.files.saving import Files
from gui.model.document import Document
from gui.settings import Settings


class MainWindow(QMainWindow):
    """The window as those below it know it: its parts, and what is done with several of them."""

    document: Document
    settings: Settings
    opening: Opening
    files: Files
    canvas: TreeView
    pages: QStackedWidget
    toolbar: QToolBar
    asks: Any  # these five stand above this file
    actions_made: Any
    presentation: Any
    places: Any
    bar: Any
    panels: dict[str, Any]

    show_panel: Callable[[str], None]
    prune: Callable[..., None]
    when_safe: Callable[[Callable[[], object]], None]
    settle: Callable[[], None]
    close_document: Callable[[], None]
    reset_layout: Callable[[], None]
    choose_columns: Callable[[], None]
    choose_growth: Callable[[], None]
    choose_partition: Callable[[], None]
    choose_search: Callable[[], None]
    search_all_trees: Callable[[], None]
    show_code: Callable[[], None]
    show_shortcuts: Callable[[], None]
    show_about: Callable[[], None]
    open_log: Callable[[], None]
