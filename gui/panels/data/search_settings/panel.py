"""The search settings: every option of the search in a sentence; what is changed here holds at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.runtime.errors import InputError
from gui.model.document import Document
from gui.panels.data.search_settings.form import SearchForm
from gui.panels.data.search_settings.words import Setting
from gui.widgets import pages
from gui.widgets.find_field import FindField
from gui.wording import phrases


class SearchSettings(QWidget):
    """Shows the document's search options and changes them."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search_settings")
        self._document = document
        self._missed = False  # whether something changed while nobody could see it
        self._build()
        document.tableChanged.connect(self._on_changed)
        document.searchChanged.connect(self._on_changed)
        self._refresh()

    def _build(self) -> None:
        self.find = FindField("search_settings_find", "Find an option…", "Find a search option")
        self.defaults = QPushButton("All defaults", objectName="search_settings_defaults")
        self.defaults.setToolTip("Brings the defaults of all options back")
        self.defaults.clicked.connect(self._on_defaults)
        self.setFocusProxy(self.find)
        self.form = SearchForm()
        self.form.chosen.connect(self._on_chosen)
        self.find.textChanged.connect(self.form.filter)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.find, 1)
        top.addWidget(self.defaults)
        self.filled = QWidget()
        layout = QVBoxLayout(self.filled)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.form, 1)
        self.empty = pages.empty("Open a table: how its splits are searched will be set here.")
        self.empty.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.pages = pages.put(self, self.filled, self.empty, (8, 8, 4, 8))

    def _on_changed(self) -> None:
        self._missed = self.visibleRegion().isEmpty()  # behind another panel Qt calls it visible all the same
        if not self._missed:
            self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """It comes into sight."""
        if self._missed:
            QTimer.singleShot(0, self, self._refresh)
        super().paintEvent(event)

    def _refresh(self) -> None:
        self._missed = False
        table = self._document.table
        self.pages.setCurrentWidget(self.empty if table is None else self.filled)
        if table is not None:
            self.form.show_setting(Setting.of(table, self._document.search))
            self.defaults.setEnabled(bool(self._document.search))

    def _on_defaults(self) -> None:
        self.find.setFocus()  # before the button greys, and the keyboard goes on to something else
        self._document.reset_search()

    def settle(self) -> None:
        """Takes what is typed and not entered yet."""
        self.form.settle()

    def _on_chosen(self, name: str, value: Any) -> None:
        table = self._document.table
        if table is None:
            return
        try:
            Setting.of(table, self._document.search).with_(**{name: value})
        except InputError as error:
            if self.form.refuse(name, value, phrases.plain(str(error))):
                return
        self._document.set_search(**{name: value})
        self._refresh()  # what was refused goes back to what holds

    def sizeHint(self) -> QSize:
        return QSize(368, 480)
