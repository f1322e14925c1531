"""The tree in bits: its blocks, the way back, what is no code, and taking another tree."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

import engine
from engine.learning_theory.tree_code import encode
from gui.dialogs import code_dialog
from gui.dialogs.code_dialog import CodeDialog
from gui.model.document import Document
from gui.widgets.labels import Notice

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(qtbot: QtBot, document: Document, flowers: engine.Table) -> CodeDialog:
    document.set_table(flowers)
    document.tree_edits.grow_all()
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    return opened(qtbot, document)


def opened(qtbot: QtBot, document: Document) -> CodeDialog:
    made = CodeDialog(document)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    return made


def press(qtbot: QtBot, dialog: CodeDialog, name: str) -> None:
    qtbot.mouseClick(dialog.findChild(QPushButton, f"code_{name}"), LEFT)
    qtbot.waitUntil(lambda: not dialog._document.jobs.busy)


def word(dialog: CodeDialog) -> QPlainTextEdit:
    return dialog.findChild(QPlainTextEdit, "code_word")


def verdict(dialog: CodeDialog) -> str:
    return dialog.findChild(Notice, "code_verdict").text


def listed(dialog: CodeDialog) -> list[list[str]]:
    model = dialog.findChild(QTableView, "code_blocks").model()
    return [[model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())]


def test_every_block_with_its_bits_and_what_it_says(dialog, document):
    code = encode(document.table, document.tree)
    assert [row[1:] for row in listed(dialog)] == [[block.bits, block.words] for block in code.blocks]
    assert listed(dialog)[-1][2] == "end"
    assert word(dialog).toPlainText() == code.bits
    assert f"{len(code.bits):,} bits in {len(code.blocks)} blocks" in dialog.findChild(QLabel, "code_length").text()


def test_the_word_is_read_again(qtbot, dialog, document):
    press(qtbot, dialog, "read")
    assert "same tree" in verdict(dialog)
    assert not dialog.findChild(QPushButton, "code_take").isEnabled()
    press(qtbot, dialog, "copy")
    assert QGuiApplication.clipboard().text() == encode(document.table, document.tree).bits


def test_a_block_shows_its_node_and_its_digits(qtbot, dialog, document):
    table = dialog.findChild(QTableView, "code_blocks")
    blocks = encode(document.table, document.tree).blocks
    place = table.visualRect(table.model().index(1, 1)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    assert document.selected == blocks[1].node
    assert word(dialog).textCursor().selectedText() == blocks[1].bits


def test_a_shorter_word_is_another_tree_that_can_be_taken(qtbot, dialog, document):
    before = document.tree
    single = encode(document.table, engine.Tree.root(document.table)).bits
    word(dialog).selectAll()
    qtbot.keyClicks(word(dialog), single)
    press(qtbot, dialog, "read")
    assert "another tree, of 1 leaf" in verdict(dialog)
    press(qtbot, dialog, "take")
    qtbot.waitUntil(lambda: document.tree is not before and document.tree.n_leaves == 1)
    document.history.stack.undo()
    qtbot.waitUntil(lambda: document.tree.n_leaves == before.n_leaves)


def test_what_is_no_code_is_said_in_words(qtbot, dialog):
    word(dialog).setFocus()
    qtbot.keyClick(word(dialog), Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(word(dialog), "0")
    assert verdict(dialog) == ""
    press(qtbot, dialog, "read")
    assert "1 bit follows" in verdict(dialog)
    word(dialog).selectAll()
    qtbot.keyClicks(word(dialog), "0120")
    press(qtbot, dialog, "read")
    assert "not of “2”" in verdict(dialog)


def test_a_long_word_is_not_shown_but_copied_and_read(qtbot, dialog, document, monkeypatch):
    monkeypatch.setattr(code_dialog, "MOST_BITS", 3)
    monkeypatch.setattr(code_dialog, "MOST_BLOCKS", 2)
    other = opened(qtbot, document)
    assert word(other).toPlainText() == "" and "too many" in word(other).placeholderText()
    assert len(listed(other)) == 2 and "not listed" in other.findChild(QLabel, "code_length").text()
    press(qtbot, other, "copy")
    assert QGuiApplication.clipboard().text() == encode(document.table, document.tree).bits
    press(qtbot, other, "read")
    assert "same tree" in verdict(other)
