"""The tree as a word in bits: every block with what it says, and any word read back into a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.model.jobs import words_for
from gui.widgets import verbatim
from gui.widgets.labels import Notice, quiet, title
from gui.wording import words

if TYPE_CHECKING:
    from engine.runtime.progress import Progress
    from engine.theory.tree_code import Block, TreeCode
    from engine.tree.tree import Tree
    from gui.model.document import Document
    from gui.model.history import State

ABOUT = (
    "Every node is a block of bits: the number of a column to split by, or of a class to say, and then what tells the "
    "split from others of its column. One block more says that the tree ends, so no tree’s word begins another one’s."
)
FAULT = "The code went wrong; the log has the details."
MOST_BLOCKS = 2_000  # rows of the list
MOST_BITS = 50_000  # of a word that can be seen and changed; a longer one can be copied and read again
ENCODE, DECODE = "tree-code", "tree-of-code"  # keys of jobs


class CodeDialog(QDialog):
    """The blocks of the tree on the screen; its word can be changed and read again."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._state = document.state
        self._code: TreeCode | None = None
        self._read: Tree | None = None
        self.setObjectName("code_dialog")
        self.setWindowTitle("Prefix code")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._blocks = _block_list()
        self._length = verbatim.label("Writing the code…", objectName="code_length", wordWrap=True)
        self._word = QPlainTextEdit(objectName="code_word")
        self._word.setAccessibleName("The bits of the tree, to be changed and read again")
        self._word.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._word.setTabChangesFocus(True)
        self._word.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self._word.setMaximumHeight(6 * self.fontMetrics().height())
        self._verdict = Notice()
        self._verdict.setObjectName("code_verdict")
        self._copy = QPushButton("C&opy the bits", objectName="code_copy")
        self._decode = QPushButton("&Read again", objectName="code_read")
        self._take = QPushButton("&Take this tree", objectName="code_take")
        self._close = QPushButton("&Close", objectName="code_close")
        self._decode.setDefault(True)
        self._lay_out()
        self._blocks.itemSelectionChanged.connect(self._on_block)
        self._word.textChanged.connect(self._on_edited)
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._bits()))
        self._decode.clicked.connect(self._on_decode)
        self._take.clicked.connect(self._on_take)
        self._close.clicked.connect(self.reject)
        self._refresh()
        if self._state is not None:
            document.jobs.run(
                "Writing the tree in bits", encoded, self._state,
                done=self._on_encoded, failed=self._on_failed, key=ENCODE, quiet=True,
            )  # fmt: skip

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._copy, self._decode):
            buttons.addWidget(button)
        buttons.addStretch(1)
        for button in (self._take, self._close):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(quiet(ABOUT))
        layout.addWidget(self._blocks, 1)
        layout.addWidget(self._length)
        layout.addSpacing(8)
        layout.addWidget(title("The word"))
        layout.addWidget(self._word)
        layout.addWidget(self._verdict)
        layout.addLayout(buttons)
        self.resize(640, 640)

    def _on_encoded(self, code: TreeCode) -> None:
        self._code = code
        shown = code.blocks if len(code.blocks) <= MOST_BLOCKS else code.blocks[:MOST_BLOCKS]
        self._blocks.setRowCount(len(shown))
        for row, block in enumerate(shown):
            self._fill(row, block)
        self._length.setText(length_words(code, len(shown)))
        if self._is_long():
            self._word.setPlaceholderText(f"{words.count(len(code.bits))} bits are too many to show them here.")
            self._word.setReadOnly(True)
        else:
            self._word.setPlainText(code.bits)
        self._refresh()

    def _fill(self, row: int, block: Block) -> None:
        texts = (words.count(row + 1), block.bits, block.words)
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(verbatim.tip(text))
            if column == 1:
                item.setFont(self._word.font())
            self._blocks.setItem(row, column, item)

    def _on_block(self) -> None:
        """The chosen block's node on the canvas, and its digits in the word as long as that is the tree's."""
        row = self._blocks.currentRow()
        if self._code is None or row < 0:
            return
        block = self._code.blocks[row]
        tree = self._document.tree
        if block.node is not None and tree is not None and block.node in tree:
            self._document.select(block.node)
        if not self._is_long() and self._bits() == self._code.bits:
            start = sum(len(one.bits) for one in self._code.blocks[:row])
            cursor = self._word.textCursor()
            cursor.setPosition(start)
            cursor.setPosition(start + len(block.bits), QTextCursor.MoveMode.KeepAnchor)
            self._word.setTextCursor(cursor)

    def _is_long(self) -> bool:
        return self._code is not None and len(self._code.bits) > MOST_BITS

    def _bits(self) -> str:
        if self._code is not None and self._is_long():
            return self._code.bits
        return "".join(self._word.toPlainText().split())

    def _on_edited(self) -> None:
        self._document.jobs.drop(DECODE)
        self._read = None
        self._verdict.say("")
        self._refresh()

    def _on_decode(self) -> None:
        if self._state is None or self._code is None:
            return
        self._document.jobs.run(
            "Reading the bits", decoded, self._state, self._bits(), self._code.wide,
            done=self._on_decoded, failed=self._on_failed, key=DECODE, quiet=True,
        )  # fmt: skip

    def _on_decoded(self, tree: Tree) -> None:
        same = self._code is not None and self._bits() == self._code.bits
        self._read = None if same else tree
        self._verdict.say(read_words(tree, same), "info")
        self._refresh()

    def _on_failed(self, error: Exception) -> None:
        self._read = None
        if self._code is None:
            self._length.clear()
        self._verdict.say(words_for(error) or FAULT, "error")
        self._refresh()

    def _on_take(self) -> None:
        if self._read is not None:
            self._document.tree_edits.take_tree(self._read, "Read from bits")
            self.accept()

    def _refresh(self) -> None:
        known = self._code is not None
        self._word.setEnabled(known)
        self._copy.setEnabled(known)
        self._decode.setEnabled(known and bool(self._bits()))
        self._take.setEnabled(self._read is not None)

    def done(self, result: int) -> None:
        for key in (ENCODE, DECODE):
            self._document.jobs.drop(key)
        super().done(result)


def _block_list() -> QTableWidget:
    """A table of blocks, empty so far."""
    table = QTableWidget(0, 3, objectName="code_blocks")
    table.setAccessibleName("Blocks of the code")
    table.setHorizontalHeaderLabels(["Block", "Bits", "Says"])
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(24)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    header.setMaximumSectionSize(280)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return table


def length_words(code: TreeCode, shown: int) -> str:
    """How long a code is, beside what theory counts."""
    hidden = len(code.blocks) - shown
    more = f" {words.count(hidden)} further blocks are not listed." if hidden else ""
    return (
        f"{words.count(len(code.bits))} bits in {words.count(len(code.blocks))} blocks, each begun by one of "
        f"{words.count(code.symbols)} symbols; {words.value(code.ideal)} bits if a choice among n could take log₂ n of "
        f"them.{more}"
    )


def read_words(tree: Tree, same: bool) -> str:
    """What came of reading a word."""
    if same:
        return "Read again, the bits are the same tree: every split and every label."
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{words.count(tree.n_leaves)} leaves"
    return f"These bits are another tree, of {leaves} and depth {words.count(tree.depth)}."


def encoded(state: State, progress: Progress) -> TreeCode:
    """The code of the tree on the screen."""
    from engine.theory.tree_code import encode

    return encode(state.table, state.tree)


def decoded(state: State, bits: str, wide: bool, progress: Progress) -> Tree:
    """The tree that a code describes.

    Raises:
        InputError: the bits are no code of a tree, and of one only.
    """
    from engine.theory.tree_code import decode

    return decode(state.table, bits, wide)
