"""The paste dialog: text or typed cells become a preview, and a sentence says what is missing."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

import engine
from gui.dialogs.paste_dialog import START_COLUMNS, START_ROWS, PasteDialog, TypingGrid
from gui.model.jobs import Jobs
from gui.widgets.labels import Notice
from tests.gui.dialogs.at_once import AtOnce


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[PasteDialog]:
    QGuiApplication.clipboard().clear()
    dialog = PasteDialog(AtOnce())
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    yield dialog
    dialog.hide()


def go_on(dialog: PasteDialog) -> QPushButton:
    button = dialog.findChild(QPushButton, "go_on_button")
    assert button is not None
    return button


def reason(dialog: PasteDialog) -> str:
    label = dialog.findChild(QLabel, "paste_reason")
    assert label is not None
    return label.text()


def test_pasted_text_is_previewed(dialog: PasteDialog, qtbot: QtBot) -> None:
    qtbot.keyClicks(dialog.editor, "wind;temp;play")
    qtbot.keyClick(dialog.editor, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.editor, "weak;1,5;yes")
    qtbot.waitUntil(lambda: go_on(dialog).isEnabled())
    assert dialog.preview is not None
    assert dialog.preview.names == ("wind", "temp", "play")
    table = dialog.findChild(QTableView, "paste_preview")
    assert table is not None
    assert table.model().index(0, 1).data() == "1,5"
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(go_on(dialog), Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste or type a table"),
        ("alone\n1\n2\n", "One column only"),
        ("a,b\n", "no rows yet"),
    ],
)
def test_what_is_missing_is_said(dialog: PasteDialog, qtbot: QtBot, text: str, said: str) -> None:
    dialog.editor.setPlainText(text)
    qtbot.waitUntil(lambda: said in reason(dialog))
    assert not go_on(dialog).isEnabled()


def test_what_is_no_text_is_refused_in_its_place(dialog: PasteDialog, qtbot: QtBot) -> None:
    dialog.editor.setPlainText("\x01\x02\x03\x04" * 20)
    error = dialog.findChild(Notice, "paste_error")
    assert error is not None
    qtbot.waitUntil(error.isVisible)
    assert "binary data" in error.text
    assert not go_on(dialog).isEnabled()


def test_a_table_is_typed_into_the_grid(dialog: PasteDialog, qtbot: QtBot) -> None:
    dialog.tabs.setCurrentWidget(dialog.grid)
    for column, cells in enumerate((("x", "1", "2"), ("y", "no", "yes"))):
        dialog.grid.setCurrentCell(0, column)
        for cell in cells:
            qtbot.keyClick(dialog.grid, cell[0])
            editor = dialog.grid.viewport().findChild(QLineEdit)
            qtbot.keyClicks(editor, cell[1:])
            qtbot.keyClick(editor, Qt.Key.Key_Return)
            qtbot.waitUntil(lambda: dialog.grid.viewport().findChild(QLineEdit) is None)
    qtbot.keyClick(dialog.grid, Qt.Key.Key_Return)
    assert dialog.isVisible(), "Enter goes down, it does not end the dialog"
    qtbot.waitUntil(lambda: go_on(dialog).isEnabled())
    assert dialog.text == "x\ty\n1\tno\n2\tyes\n"
    assert engine.read_text(dialog.text).n_rows == 2


def test_cells_are_pasted_into_the_grid_with_the_keyboard(dialog: PasteDialog, qtbot: QtBot) -> None:
    dialog.tabs.setCurrentWidget(dialog.grid)
    dialog.grid.setCurrentCell(0, 0)
    QGuiApplication.clipboard().setText("a\tb\n1\t2\n")
    qtbot.keyClick(dialog.grid, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert dialog.text == "a\tb\n1\t2\n"


def test_the_grid_grows_as_it_fills(qtbot: QtBot) -> None:
    grid = TypingGrid()
    qtbot.addWidget(grid)
    grid.setCurrentCell(START_ROWS - 1, START_COLUMNS - 1)
    grid.paste("x\ty\n1\t2\n3\t4")
    assert (grid.rowCount(), grid.columnCount()) == (START_ROWS + 3, START_COLUMNS + 2)
    assert grid.verticalHeaderItem(0).text() == "Names"


def test_deleted_cells_are_gone(qtbot: QtBot) -> None:
    grid = TypingGrid()
    qtbot.addWidget(grid)
    grid.paste("a\tb\n1\t2")
    grid.setCurrentCell(1, 1)
    qtbot.keyClick(grid, Qt.Key.Key_Delete)
    assert grid.text() == "a\tb\n1\t\n"


def test_a_table_in_the_clipboard_is_offered(qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("a\tb\n1\t2\n3\t4\n")
    dialog = PasteDialog(AtOnce())
    qtbot.addWidget(dialog)
    QGuiApplication.clipboard().clear()
    assert dialog.preview is not None
    assert dialog.preview.names == ("a", "b")


def test_a_sentence_in_the_clipboard_is_not(qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("Dear all,\nhow are you?\n")
    dialog = PasteDialog(AtOnce())
    qtbot.addWidget(dialog)
    QGuiApplication.clipboard().clear()
    assert dialog.text == ""


def test_the_text_is_looked_at_in_the_background(qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    dialog = PasteDialog(Jobs())
    qtbot.addWidget(dialog)
    dialog.editor.setPlainText("a,b\n1,2\n")
    assert "Looking" in reason(dialog)
    qtbot.waitUntil(lambda: dialog.preview is not None)
    dialog.reject()
