"""The list of keys, and what this program is."""

import platform
from collections.abc import Sequence
from operator import itemgetter

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHeaderView, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import icons
from gui.widgets import verbatim
from gui.widgets.building import named
from gui.widgets.labels import closing, on_screen, quiet, stack, title
from gui.widgets.tables import Column, TableModel, TableView

CANVAS_KEYS = (
    (marked("On the canvas: parent, child, sibling"), marked("Arrow keys")),
    (marked("On the canvas: the root"), marked("Home")),
    (marked("On the canvas: zoom"), marked("Ctrl+wheel, pinch; + and −")),
    (marked("On the canvas: zoom into a box"), marked("Shift and drag")),
    (marked("On the canvas: come closer, see all again"), marked("Double click beside the tree")),
    (marked("On the canvas: move the view"),
     marked("Wheel; drag the empty canvas, or anything with Space or the middle button")),
    (marked("On the canvas: move the view by a step, by a page"),
     marked("Ctrl+arrow keys; Page Up and Page Down, with Shift sideways")),
    (marked("On the canvas: nodes further apart or nearer"),
     marked("Ctrl+Shift+arrow keys; Ctrl+Shift+wheel across, Ctrl+Alt+wheel down")),
    (marked("On the canvas: the menu of the selected node"), marked("Menu key, Shift+F10")),
    (marked("On the canvas: split by a column"), marked("Drag it from the columns panel onto a node")),
    (marked("In the find bar: the next one, the one before"), marked("Enter; Shift+Enter")),
    (marked("In the note of a node: write it, withdraw"), marked("Ctrl+Enter, Esc")),
    (marked("Among the candidates: accept"), marked("Enter, or a double click")),
    (marked("Among the candidates: withdraw the preview"), marked("Esc")),
    (marked("In the split editor: move the cut"), marked("Drag it, or Left and Right; further with Shift")),
    (marked("In the split editor: add cut, remove cut"), marked("Double click; right click or Del")),
    (marked("In the split editor: which cut the keys move"), marked("Up and Down")),
    (marked("In the split editor: zoom, see all"), marked("Wheel; double click on an axis")),
    (marked("In the split editor: make the split, withdraw it"), marked("Enter; Esc")),
)  # fmt: skip


def about() -> str:
    """Versions of what a report needs, one line."""
    return (
        f"Espalier {engine.__version__} · Python {platform.python_version()} · Qt {qVersion()} · "
        f"{platform.platform()} · {QGuiApplication.platformName()}"
    )


class ShortcutsDialog(QDialog):
    """Every verb that has a key; `verbs`: what each does, and its keys."""

    def __init__(self, verbs: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        named(self, "shortcuts_dialog").setWindowTitle(tr("Shortcuts — Espalier"))
        columns = [
            Column[tuple[str, str]](title, itemgetter(k), words=True, explained=itemgetter(k))
            for k, title in enumerate((tr("What it does"), tr("Keys")))
        ]
        model = TableModel(self, columns)
        model.fill([*verbs, *((tr(does), tr(keys)) for does, keys in CANVAS_KEYS)])
        table = TableView("shortcuts_table", tr("Shortcuts"), model)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.setWordWrap(True)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        stack(self, (table, 1), closing(self), margins=(12, 12, 12, 12))
        self.resize(on_screen(self, 780, 640))


class AboutDialog(QDialog):
    """Name, version, licence, and what a report needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        named(self, "about_dialog").setWindowTitle(tr("About Espalier"))
        mark = verbatim.label()
        mark.setPixmap(icons.app_icon().pixmap(64, 64))
        what = verbatim.label(tr("Decision trees, grown by hand and cut back without regret."), wordWrap=True)
        licence = quiet(tr("Free software under the BSD 3-clause licence."))
        report = quiet(about())
        report.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        parts = (mark, title("Espalier", 1.6), what, licence, report, closing(self))
        stack(self, *parts, spacing=12, margins=(24, 24, 24, 16))
        self.setMinimumWidth(420)
