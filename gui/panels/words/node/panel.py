"""The node panel: the selected node in words and figures, training and validation side by side."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui import theme
from gui.model.document import Document
from gui.model.view_state.several import together_words
from gui.panels.words.node.bins import Bars
from gui.panels.words.node.model import HEADERS, NodeModel
from gui.panels.words.node.note import NoteField
from gui.panels.words.node.words import drawn_words, outcome_words, rows_words, title
from gui.widgets import pages, verbatim
from gui.widgets.tables import calm
from gui.wording import mark_words

DRAWN = (
    "How often a label would be wrong that is drawn with the class shares of the training rows here, Gini’s stochastic "
    "rule; on the training rows that is the Gini impurity."
)


class NodePanel(QWidget):
    """Tells what the document's selected node is: its rule, its rows, its target, its label and its errors."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("node_panel")
        self._document = document
        self._beginning = document.beginning
        self._build()
        for changed in (document.selectionChanged, document.treeChanged, document.tableChanged, document.focusChanged):
            changed.connect(self._refresh)
        document.pruningChanged.connect(self._show_verdict)
        document.look.changed.connect(self._on_look_changed)
        theme.watcher().changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.title = _text("node_title", bold=True)
        self.together = _text("node_together", bold=True)
        self.rule = _text("node_rule")
        self.rule.setAccessibleName("Rule of the node")
        self.rows = _text("node_rows")
        self.outcome = _text("node_outcome")
        self.drawn = _text("node_drawn")
        self.drawn.setToolTip(DRAWN)
        self.verdict = _text("node_verdict")
        self.marks = _text("node_marks")
        self.note = NoteField()
        self.note.written.connect(lambda node, text: self._document.hand.mark(node, note=text))
        self.copy = QPushButton("Copy rule", objectName="node_copy")
        self.copy.setToolTip("Copies the conditions that lead to this node")
        self.copy.clicked.connect(self._on_copy)
        self.model = NodeModel(self)
        self.view = QTableView(objectName="node_table")
        self.view.setAccessibleName("The target in this node")
        self.view.setModel(self.model)
        self.view.setItemDelegateForColumn(1, Bars(self.view))
        calm(self.view)
        self.view.setIconSize(QSize(10, 10))
        self.view.horizontalHeader().setMinimumSectionSize(56)
        self.empty = pages.empty("Open a table: the selected node will be described here.")
        page = QWidget()
        self._halves = QHBoxLayout(page)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(16)
        self._halves.addWidget(self._sentences(), 1)
        self._halves.addWidget(self.view, 1)
        self.pages = pages.put(self, page, self.empty)

    def _sentences(self) -> QScrollArea:
        """All that is said in words; a deep node has a long rule: it scrolls instead of making the panel as tall."""
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        column.addLayout(head)
        said = (self.together, self.rows, self.outcome, self.verdict, self.drawn, self.marks, self.note, self.rule)
        for widget in said:
            column.addWidget(widget)
        column.addStretch(1)
        scroll = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        scroll.setWidget(page)
        scroll.setMinimumHeight(64)
        return scroll

    def _refresh(self) -> None:
        tree = self._document.tree
        self.pages.setCurrentIndex(0 if tree is not None else 1)
        if self._document.beginning is not self._beginning:  # what is typed belongs to another tree
            self._beginning = self._document.beginning
            self.note.forget()
        if tree is None:
            return
        position = int(tree.position(self._document.selected))
        self.title.setText(title(tree, position))
        conditions = tree.rule(self._document.selected)
        self.rule.setText("\n".join(conditions) or "All rows: no condition leads to the root.")
        self.copy.setEnabled(bool(conditions))
        self._show_together()
        self.rows.setText(rows_words(tree, position))
        self.outcome.setText(outcome_words(tree, position))
        self.drawn.setText(drawn_words(tree, position))
        self.drawn.setVisible(bool(self.drawn.text()))
        self.marks.setText("\n".join(mark_words.sentences(tree, position, note=False)))
        self.marks.setVisible(bool(self.marks.text()))
        self._show_verdict()
        self.note.show_note(self._document.selected, tree.mark(self._document.selected).note)
        self.model.show(tree, position, self._document.focus_class)
        self._halves.setStretch(1, 2 if self.model.columnCount() > len(HEADERS) + 1 else 1)
        header = self.view.horizontalHeader()
        for section in range(self.model.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if section == 0 else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(section, mode)

    @Slot(object)
    def _on_look_changed(self, names: frozenset[str]) -> None:
        if "also" in names:
            self._show_together()

    def _show_together(self) -> None:
        """What the selected nodes are together, where there are several."""
        tree, several = self._document.tree, self._document.several
        said = ""
        if tree is not None and several.on:
            said = together_words(tree, several.nodes, self._document.focus_class)
        self.together.setText(said[:1].upper() + said[1:])
        self.together.setVisible(bool(said))

    def _show_verdict(self) -> None:
        """Why pruning made a leaf of the node, or kept its split: the numbers that were compared."""
        tree, node = self._document.tree, self._document.selected
        said = self._document.cutback.why_cut(node) if tree is not None and node in tree else ""
        if said:
            kept = tree.n_branches[tree.position(node)] > 0
            said = f"{'Kept' if kept else 'Cut'} by pruning. {said}"
        self.verdict.setText(said)
        self.verdict.setVisible(bool(said))

    def settle(self) -> None:
        """Writes the note that is typed and not written yet."""
        self.note.settle()

    def _on_copy(self) -> None:
        conditions = self._document.tree.rule(self._document.selected)
        QGuiApplication.clipboard().setText(" and ".join(conditions))


def _text(name: str, bold: bool = False) -> QLabel:
    """A paragraph that can be selected and copied."""
    label = verbatim.label(objectName=name, wordWrap=True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    if bold:
        font = label.font()
        font.setBold(True)
        label.setFont(font)
    return label
