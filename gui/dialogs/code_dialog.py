"""The tree as a word in bits: every block with what it says, and any word read back into a tree."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextCursor, QTextOption
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model.document import Document
from gui.model.history import State
from gui.model.jobs import words_for
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.labels import Notice, on_screen, quiet, stack, title
from gui.widgets.tables import Column, TableModel, TableView, stretch
from gui.wording import phrases, words

if TYPE_CHECKING:  # it brings the compiler
    from engine.learning_theory.tree_code import TreeCode

ABOUT = marked(
    "Every node is a block of bits: the number of a column to split by, or of a class to predict, and then what tells "
    "the split from others of its column. One block more says that the tree ends, so no tree’s word begins another "
    "one’s."
)
Row = tuple[int, Any]  # the number of a block, and the block
MOST_BLOCKS = 2_000  # rows of the list
MOST_BITS = 50_000  # of a word that can be seen and changed; a longer one can be copied and read again
ENCODE, DECODE = "tree-code", "tree-of-code"  # keys of jobs


class CodeDialog(QDialog):
    """The blocks of the tree on the screen; its word can be changed and read again."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._state = document, document.state
        self._code: TreeCode | None = None
        self._long = ""  # the word where it is too long to be seen
        self._read: engine.Tree | None = None
        named(self, "code_dialog").setWindowTitle(tr("Prefix code"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        letters = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        letters.setPointSizeF(self.font().pointSizeF())
        fixed = {Qt.ItemDataRole.FontRole: lambda _: letters}
        columns: list[Column[Row]] = [
            Column(tr("Block"), lambda row: words.count(row[0]), words=True),
            Column(tr("Bits"), lambda row: row[1].bits, words=True, explained=lambda row: row[1].bits, more=fixed),
            Column(tr("Says"), lambda row: row[1].words, words=True, explained=lambda row: row[1].words),
        ]
        self._model = TableModel[Row](self, columns)
        self._blocks = TableView("code_blocks", tr("Blocks of the code"), self._model, sortingEnabled=False,
                                 selectionMode=TableView.SelectionMode.SingleSelection)  # fmt: skip
        stretch(self._blocks.horizontalHeader(), 2)
        self._blocks.horizontalHeader().setMaximumSectionSize(280)
        self._length = verbatim.label(tr("Writing the code…"), objectName="code_length", wordWrap=True)
        spoken = tr("The bits of the tree, to be changed and read again")
        self._word = named(QPlainTextEdit(tabChangesFocus=True), "code_word", spoken, font=letters,
                           wordWrapMode=QTextOption.WrapMode.WrapAnywhere)  # fmt: skip
        self._word.setMaximumHeight(6 * self.fontMetrics().height())
        self._verdict = Notice("code_verdict")
        self._copy = named(QPushButton(tr("C&opy the bits")), "code_copy", clicked=self._on_copy)
        self._decode = named(QPushButton(tr("&Read again"), default=True), "code_read", clicked=self._on_decode)
        self._take = named(QPushButton(tr("&Take this tree")), "code_take", clicked=self._on_take)
        close = named(QPushButton(tr("&Close")), "code_close", clicked=self.reject)
        buttons = fill(QHBoxLayout(), self._copy, self._decode, (QWidget(), 1), self._take, close, spacing=8)
        above = quiet(tr(ABOUT)), (self._blocks, 1), self._length, 8, title(tr("The word"))
        stack(self, *above, self._word, self._verdict, buttons)
        self.resize(on_screen(self, 640, 640))
        self._blocks.selectionModel().selectionChanged.connect(self._on_block)
        self._word.textChanged.connect(self._on_edited)
        for key in (ENCODE, DECODE):
            self.finished.connect(lambda _, key=key: document.jobs.drop(key))
        self._refresh()
        if self._state is not None:
            self._run(tr("Writing the tree in bits"), encoded, self._state, done=self._on_encoded, key=ENCODE)

    def _run(self, text: str, task: Callable[..., Any], *asked: Any, done: Callable[[Any], None], key: str) -> None:
        self._document.jobs.run(text, task, *asked, done=done, failed=self._on_failed, key=key, quiet=True)

    def _on_encoded(self, code: "TreeCode") -> None:
        self._code = code
        shown = code.blocks[:MOST_BLOCKS]
        self._model.fill(list(enumerate(shown, start=1)))
        self._length.setText(length_words(code, len(shown)))
        if len(code.bits) > MOST_BITS:
            self._long, bits = code.bits, words.count(len(code.bits))
            self._word.setPlaceholderText(tr("{bits} bits are too many to show them here.", bits=bits))
            self._word.setReadOnly(True)
        else:
            self._word.setPlainText(code.bits)
        self._refresh()

    def _on_block(self) -> None:
        """The chosen block's node on the canvas, and its digits in the word as long as that is the tree's."""
        row, tree = self._blocks.currentIndex().row(), self._document.tree
        if self._code is None or row < 0:
            return
        block = self._code.blocks[row]
        if block.node is not None and tree is not None and block.node in tree:
            self._document.select(block.node)
        if not self._long and self._bits() == self._code.bits:
            start = sum(len(one.bits) for one in self._code.blocks[:row])
            cursor = self._word.textCursor()
            cursor.setPosition(start)
            cursor.setPosition(start + len(block.bits), QTextCursor.MoveMode.KeepAnchor)
            self._word.setTextCursor(cursor)

    def _bits(self) -> str:
        return self._long or "".join(self._word.toPlainText().split())

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._bits())

    def _on_edited(self) -> None:
        self._document.jobs.drop(DECODE)
        self._read = None
        self._verdict.say("")
        self._refresh()

    def _on_decode(self) -> None:
        if self._code is not None:
            asked = self._state, self._bits(), self._code.wide
            self._run(tr("Reading the bits"), decoded, *asked, done=self._on_decoded, key=DECODE)

    def _on_decoded(self, tree: "engine.Tree") -> None:
        self._read = None if self._code is not None and self._bits() == self._code.bits else tree
        leaves, depth = phrases.leaves(tree.n_leaves), words.count(tree.depth)
        another = tr("These bits are another tree, of {leaves} and depth {depth}.", leaves=leaves, depth=depth)
        alike = tr("Read again, the bits are the same tree: every split and every label.")
        self._verdict.say(another if self._read is not None else alike)
        self._refresh()

    def _on_failed(self, error: Exception) -> None:
        self._read = None
        if self._code is None:
            self._length.clear()
        self._verdict.say(words_for(error) or tr("The code went wrong; the log has the details."), "error")
        self._refresh()

    def _on_take(self) -> None:
        if self._read is not None:
            self._document.tree_edits.take_tree(self._read, tr("Read from bits"))
            self.accept()

    def _refresh(self) -> None:
        known = self._code is not None
        self._word.setEnabled(known)
        self._copy.setEnabled(known)
        self._decode.setEnabled(known and bool(self._bits()))
        self._take.setEnabled(self._read is not None)


def length_words(code: "TreeCode", shown: int) -> str:
    bits, blocks, symbols = (words.count(n) for n in (len(code.bits), len(code.blocks), code.symbols))
    said = tr(
        "{bits} bits in {blocks} blocks, each begun by one of {symbols} symbols; {ideal} bits if a choice among n "
        "could take log₂ n of them.", bits=bits, blocks=blocks, symbols=symbols, ideal=words.value(code.ideal),
    )  # fmt: skip
    hidden = len(code.blocks) - shown
    more = tr("{n} further blocks are not listed.", n=words.count(hidden))
    return f"{said} {more}" if hidden else said


def encoded(state: State, progress: Progress) -> "TreeCode":
    from engine.learning_theory.tree_code import encode  # brings the compiler along, which an empty window need not

    return encode(state.table, state.tree)


def decoded(state: State, bits: str, wide: bool, progress: Progress) -> "engine.Tree":
    """The tree that a code describes; InputError where the bits are no code of a tree, and of one only."""
    from engine.learning_theory.tree_code import decode  # brings the compiler along, which an empty window need not

    return decode(state.table, bits, wide)
