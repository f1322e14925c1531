"""The list of keys, and what this program is."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui import crash, icons
from gui.dialogs.labels import quiet, title
from gui.widgets import verbatim

CANVAS_KEYS = (
    ("On the canvas: parent, child, sibling", "Arrow keys"),
    ("On the canvas: the root", "Home"),
    ("On the canvas: zoom", "Ctrl+wheel, pinch; + and −"),
    ("On the canvas: zoom into a box", "Shift and drag"),
    ("On the canvas: come closer, see all again", "Double click beside the tree"),
    ("On the canvas: move the view", "Wheel; drag the empty canvas, or anything with Space or the middle button"),
    (
        "On the canvas: move the view by a step, by a page",
        "Ctrl+arrow keys; Page Up and Page Down, with Shift sideways",
    ),
    (
        "On the canvas: nodes further apart or nearer",
        "Ctrl+Shift+arrow keys; Ctrl+Shift+wheel across, Ctrl+Alt+wheel down",
    ),
    ("On the canvas: the menu of the selected node", "Menu key, Shift+F10"),
    ("On the canvas: split by a column", "Drag it from the columns panel onto a node"),
    ("In the find bar: the next one, the one before", "Enter; Shift+Enter"),
    ("In the note of a node: write it, withdraw", "Ctrl+Enter, Esc"),
    ("Among the candidates: accept", "Enter, or a double click"),
    ("Among the candidates: withdraw the preview", "Esc"),
    ("In the split editor: move the cut", "Drag it, or Left and Right; further with Shift"),
    ("In the split editor: add cut, remove cut", "Double click; right click or Del"),
    ("In the split editor: which cut the keys move", "Up and Down"),
    ("In the split editor: zoom, see all", "Wheel; double click on an axis"),
    ("In the split editor: make the split, withdraw it", "Enter; Esc"),
)


class ShortcutsDialog(QDialog):
    """Every verb that has a key; `shortcuts`: its words and its keys."""

    def __init__(self, shortcuts: list[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcuts_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Shortcuts — Espalier")
        rows = [*shortcuts, *CANVAS_KEYS]
        table = QTableWidget(len(rows), 2, objectName="shortcuts_table")
        table.setAccessibleName("Shortcuts")
        table.setHorizontalHeaderLabels(["What it does", "Keys"])
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                table.setItem(row, column, QTableWidgetItem(text))
        layout = QVBoxLayout(self)
        layout.addWidget(table)
        layout.addWidget(_close(self))
        self.resize(560, 640)


class AboutDialog(QDialog):
    """Name, version, licence, and what a report needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Espalier")
        mark = verbatim.label()
        mark.setPixmap(icons.app_icon().pixmap(64, 64))
        versions = quiet(crash.about())
        versions.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(12)
        for widget in (
            mark,
            title("Espalier", 1.6),
            verbatim.label("Decision trees, grown by hand and cut back without regret.", wordWrap=True),
            quiet("Free software under the BSD 3-clause licence."),
            versions,
            _close(self),
        ):
            layout.addWidget(widget)
        self.setMinimumWidth(420)


def _close(dialog: QDialog) -> QDialogButtonBox:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    return buttons
