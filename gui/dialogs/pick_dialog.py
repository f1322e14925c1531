"""One of a list, or several of it, found by typing: a column, a sibling, a class, a criterion."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from gui.dialogs.labels import answers, quiet
from gui.widgets import verbatim
from gui.widgets.tables import TickCells

SEARCHED = 7  # choices from which there is a search box
ROW_HEIGHT, MOST_SHOWN = 26, 14
BESIDE = 40  # a text: its check box and margins
KEY = Qt.ItemDataRole.UserRole
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True)
class Choice:
    """One line of the list.

    Attributes:
        key: what is answered.
        text, note: on the left and on the right.
        reason: why it cannot be chosen; it is greyed then, and the reason stands on the right.
    """

    key: Hashable
    text: str
    note: str = ""
    reason: str = ""


class PickDialog(QDialog):
    """Asks for one of some choices, or for any number of them.

    Attributes:
        picked: the key that was chosen, None for none; of several a tuple, in the order of the list.
    """

    def __init__(
        self,
        parent: QWidget | None,
        title: str,
        explanation: str,
        choices: Sequence[Choice],
        *,
        accept: str,
        chosen: Any = None,
        several: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pick_dialog")
        self.setWindowTitle(verbatim.window_title(title))
        self._several = several
        said = quiet(explanation)
        said.setVisible(bool(explanation))
        self.search = QLineEdit(objectName="pick_search", clearButtonEnabled=True)
        self.search.setPlaceholderText("Find… Enter ticks what is found" if several else "Find…")
        self.search.setAccessibleName("Find in the list")
        self.search.setVisible(len(choices) >= SEARCHED)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.list = QTreeWidget(objectName="pick_list", rootIsDecorated=False, uniformRowHeights=True)
        self.list.setAccessibleName(title)
        self.list.setHeaderHidden(True)
        self.list.setItemDelegate(TickCells(self.list))
        self.list.setColumnCount(2)
        for choice in choices:
            self._add(choice, chosen)
        self.list.currentItemChanged.connect(self._refresh)
        self.list.itemActivated.connect(self._on_activated)
        buttons, self.go_on = answers(self, accept, "pick_accept")
        layout = QVBoxLayout(self)
        for widget in (said, self.search, self.list, buttons):
            layout.addWidget(widget)
        first = self._choosable()
        marked = next((item for item in first if item.data(0, KEY) == chosen), None) if not several else None
        if first:
            self.list.setCurrentItem(marked or first[0])
        (self.search if len(choices) >= SEARCHED else self.list).setFocus()
        self._refresh()

    def sizeHint(self) -> QSize:
        rows = min(self.list.topLevelItemCount(), MOST_SHOWN)
        return QSize(420, 120 + rows * ROW_HEIGHT + (40 if not self.search.isHidden() else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts have the room that they need, but leave some to long reasons."""
        super().resizeEvent(event)
        wanted = self.list.fontMetrics().horizontalAdvance
        longest = max((wanted(item.text(0)) for item in self._items()), default=0) + BESIDE
        self.list.setColumnWidth(0, min(longest, round(0.6 * self.list.viewport().width())))

    @property
    def picked(self) -> Any:
        if self._several:
            return tuple(item.data(0, KEY) for item in self._items() if self._is_checked(item))
        item = self.list.currentItem()
        return item.data(0, KEY) if item is not None and not item.isHidden() and not item.isDisabled() else None

    def _add(self, choice: Choice, chosen: Any) -> None:
        item = QTreeWidgetItem([choice.text, choice.reason or choice.note])
        item.setData(0, KEY, choice.key)
        item.setSizeHint(0, QSize(0, ROW_HEIGHT))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(0, verbatim.tip(choice.text))
        item.setToolTip(1, verbatim.tip(choice.reason))
        if self._several:
            there = choice.key in (chosen or ())
            item.setCheckState(0, Qt.CheckState.Checked if there else Qt.CheckState.Unchecked)
        item.setDisabled(bool(choice.reason))
        self.list.addTopLevelItem(item)

    def _items(self) -> list[QTreeWidgetItem]:
        return [self.list.topLevelItem(i) for i in range(self.list.topLevelItemCount())]

    def _choosable(self) -> list[QTreeWidgetItem]:
        return [item for item in self._items() if not item.isHidden() and not item.isDisabled()]

    def _is_checked(self, item: QTreeWidgetItem) -> bool:
        return item.checkState(0) == Qt.CheckState.Checked and not item.isDisabled()

    def _filter(self, text: str) -> None:
        """Shows what contains the text; what begins with it becomes current."""
        wanted = text.casefold()
        for item in self._items():
            item.setHidden(wanted not in item.text(0).casefold())
        shown = self._choosable()
        begins = [item for item in shown if item.text(0).casefold().startswith(wanted)]
        self.list.setCurrentItem((begins or shown or [None])[0])
        self._refresh()

    def _refresh(self) -> None:
        self.go_on.setEnabled(self._several or self.picked is not None)

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        if self._several:
            self._flip(item)
        elif not item.isDisabled():
            self.accept()

    def _flip(self, item: QTreeWidgetItem) -> None:
        if not item.isDisabled():
            on = self._is_checked(item)
            item.setCheckState(0, Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)

    def _ticks(self, key: int) -> bool:
        """Whether a key in the search field ticks the current line: Enter after something was typed, which is then
        done with; the space bar before."""
        typed, item = bool(self.search.text()), self.list.currentItem()
        if key not in ENTER if typed else key != Qt.Key.Key_Space:
            return False
        if item is not None and not item.isHidden():
            self._flip(item)
            self.search.clear()
            self.list.setCurrentItem(item)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys walk through the list while one types."""
        walking = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in walking:
            self.list.event(event)
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._several:
            return self._ticks(event.key())
        return bool(super().eventFilter(watched, event))
