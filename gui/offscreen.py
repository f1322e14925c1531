"""A picture of a tree without a display, as the command line wants it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gui.qt_loading import load_qt

if TYPE_CHECKING:
    from engine.tree.tree import Tree


def draw(tree: Tree, path: str) -> None:
    """Writes the picture; its suffix says which kind."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    load_qt()
    from PySide6.QtWidgets import QApplication

    from gui.picture.paper.picture import write_picture

    application = QApplication.instance() or QApplication(["espalier"])
    assert application is not None
    write_picture(tree, path)
