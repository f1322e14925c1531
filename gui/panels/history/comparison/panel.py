"""The comparison panel: the tree on the canvas beside another one, on the same rows, and whether chance explains it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.model.document import Document
from gui.model.editing.pruning_choices import Point
from gui.panels.history.comparison import words as comparison_words
from gui.widgets import pages, verbatim
from gui.widgets.elided_combo import ElidedCombo

if TYPE_CHECKING:
    from gui.model.history import State

EMPTY = "Choose a tree above: it stands beside the one on the canvas then, judged by the same rows."
ROW_HEIGHT = 24
FILE = "A tree from a file…"
NOTHING = "Nothing"


class ComparisonPanel(QWidget):
    """Chooses the other tree; shows sizes and errors of both, the test of their difference, and where it lies."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparison_panel")
        self._document = document
        self._choices: list[State | Point | None] = []
        self._build()
        self._lay_out()
        document.treeChanged.connect(self._refresh)
        document.tableChanged.connect(self._refresh)
        document.undo_stack.indexChanged.connect(self._refresh)
        document.pruningChanged.connect(self._refresh)
        document.comparing.changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.other = ElidedCombo(objectName="comparison_other")
        self.other.setAccessibleName("Compare with")
        self.other.setMinimumContentsLength(24)
        self.other.activated.connect(self._on_chosen)
        self.colour = QCheckBox("Colour the canvas where they differ", objectName="comparison_colour")
        self.colour.toggled.connect(self._document.comparing.colour)
        self.copy = QPushButton("Copy", objectName="comparison_copy")
        self.copy.setToolTip("Copies the table and the sentences as text")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text()))
        self.table = QTableWidget(0, 3, objectName="comparison_table")
        self.table.setAccessibleName("Figures of both trees")
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setFrameShape(QTableWidget.Shape.NoFrame)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setHighlightSections(False)
        self.sentences = verbatim.label(objectName="comparison_sentences", wordWrap=True)
        self.sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentences.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.empty = pages.empty(EMPTY, "comparison_empty")

    def _lay_out(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(8)
        controls.addWidget(verbatim.label("Compare with"))
        controls.addWidget(self.other, 1)
        controls.addWidget(self.colour)
        controls.addStretch(1)
        controls.addWidget(self.copy)
        found = QHBoxLayout()
        found.setSpacing(16)
        found.addWidget(self.table, 3)
        found.addWidget(self.sentences, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addLayout(controls)
        layout.addLayout(found, 1)
        layout.addWidget(self.empty, 1)

    def _refresh(self) -> None:
        """Fills the list of trees, and shows what is known of the chosen one."""
        comparing, tree = self._document.comparing, self._document.tree
        self._fill_choices()
        self.other.setEnabled(tree is not None)
        known = bool(comparing.results) and comparing.other is not None and tree is not None
        for widget in (self.table, self.sentences, self.copy, self.colour):
            widget.setVisible(known)
        self.empty.setVisible(not known)
        waiting = "Comparing…" if comparing.other is not None else EMPTY
        self.empty.setText(comparing.error or (waiting if tree is not None else "Open a table and grow a tree first."))
        self.colour.setChecked(comparing.coloured)
        if known:
            self._show_figures()

    def _fill_choices(self) -> None:
        """The trees of the history, the latest first, then those of the pruning chart; not the one on the canvas."""
        comparing, cutback = self._document.comparing, self._document.cutback
        charted = [(name, cutback.known(point) or point) for name, point in cutback.offered if point != cutback.point]
        choices: list[tuple[str, State | Point | None]] = [(NOTHING, None), *self._document.trees_behind]
        choices += [each for each in charted if each[1] is not self._document.state]
        if comparing.other is not None and all(state is not comparing.other for _, state in choices):
            choices.append((comparing.name, comparing.other))
        texts = [text for text, _ in choices] + [FILE]
        if texts != [self.other.itemText(i) for i in range(self.other.count())]:
            self.other.clear()
            self.other.addItems(texts)
        self._choices = [state for _, state in choices]
        self.other.setCurrentIndex(
            next((i for i, state in enumerate(self._choices) if state is comparing.other), 0)
        )  # fmt: skip

    def _on_chosen(self, row: int) -> None:
        if row == len(self._choices):
            self._on_file()
        else:
            chosen, name = self._choices[row], self.other.itemText(row)
            if chosen is None:
                self._document.comparing.clear()
            elif isinstance(chosen, Point):
                self._document.comparing.with_point(chosen, name)
            else:
                self._document.comparing.with_state(chosen, name)
        self._refresh()

    def _on_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Compare with a tree", "", "Trees (*.json)")
        if path:
            self._document.comparing.with_file(Path(path))

    def _show_figures(self) -> None:
        comparing, document = self._document.comparing, self._document
        rows = comparison_words.rows(comparing.results, document.tree, comparing.other.tree)
        self.table.setRowCount(len(rows))
        self.table.setToolTip(verbatim.tip(f"The other tree: {comparing.name}"))
        self.table.setHorizontalHeaderLabels(["", "On the canvas", "The other tree"])
        for i, row in enumerate(rows):
            for k, text in enumerate(row):
                item = QTableWidgetItem(text)
                side = Qt.AlignmentFlag.AlignRight if k else Qt.AlignmentFlag.AlignLeft
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(i, k, item)
        found = comparison_words.sentences(comparing.results[comparing.part], document.validation_uses)
        self.sentences.setText("\n\n".join(found))

    def _text(self) -> str:
        """The table with tabs between its cells, then the sentences."""
        cells = [
            "\t".join(self.table.item(i, k).text() for k in range(self.table.columnCount()))
            for i in range(self.table.rowCount())
        ]
        header = "\t".join(self.table.horizontalHeaderItem(k).text() for k in range(self.table.columnCount()))
        return "\n".join([header, *cells, "", self.sentences.text()])
