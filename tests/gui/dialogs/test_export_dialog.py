"""The tree as code in a dialog: what is shown is what was checked, copied and saved."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

import engine
from engine.formats import pmml
from engine.formats.files import content_of
from engine.runtime.errors import InputError
from gui.dialogs.export_dialog import HOLDS, OFFERED, ExportDialog
from gui.model import file_tasks
from gui.model.document import Document
from gui.settings import Settings
from gui.widgets.labels import Notice

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def saved() -> list[tuple[str, str | bytes]]:
    return []


@pytest.fixture
def dialog(qtbot: QtBot, document: Document, flowers: engine.Table, saved) -> ExportDialog:
    document.set_table(flowers)
    document.tree_edits.grow_all()
    qtbot.waitUntil(lambda: document.tree.n_leaves > 1)
    made = ExportDialog(document, Settings(), lambda *written: saved.append(written))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    return made


def choose(qtbot: QtBot, dialog: ExportDialog, box: str, words: str) -> None:
    """Types the first letters of a choice, as a person does who has the keys on the list."""
    combo = dialog.findChild(QComboBox, f"export_{box}")
    combo.setFocus()
    place = combo.findText(words)
    assert place >= 0 and combo.isVisible()
    step = Qt.Key.Key_Down if place > combo.currentIndex() else Qt.Key.Key_Up
    for _ in range(abs(place - combo.currentIndex())):
        qtbot.keyClick(combo, step)
    qtbot.waitUntil(lambda: not dialog._document.jobs.busy, timeout=60_000)  # other programs run the code


def code(dialog: ExportDialog) -> str:
    return dialog.findChild(QPlainTextEdit, "export_code").toPlainText()


def verdict(dialog: ExportDialog) -> str:
    return dialog.findChild(Notice, "export_verdict").text


def test_sql_is_shown_and_checked(dialog, document):
    assert code(dialog) == content_of(document.tree, "sql")
    assert "Checked: " in verdict(dialog) and " rows agree, run by DuckDB " in verdict(dialog)
    n_rows = document.table.n_rows + file_tasks.HARD_ROWS
    assert f"Checked: {n_rows:,} of {n_rows:,} rows agree" in verdict(dialog)
    assert f"{code(dialog).count(chr(10)):,} lines." == dialog.findChild(QLabel, "export_length").text()


def test_another_dialect_and_format(qtbot, dialog, document, saved):
    choose(qtbot, dialog, "dialect", "SQLite")
    assert code(dialog) == content_of(document.tree, "sql", dialect="sqlite")
    assert "run by SQLite " in verdict(dialog)
    choose(qtbot, dialog, "dialect", "SQL Server")
    assert code(dialog) == content_of(document.tree, "sql", dialect="tsql")
    assert "Only whole queries for DuckDB and SQLite can be run here" in verdict(dialog)
    choose(qtbot, dialog, "format", "Python module")
    assert not dialog.findChild(QComboBox, "export_dialect").isVisible()
    assert code(dialog) == content_of(document.tree, "python") and "run by Python" in verdict(dialog)
    qtbot.mouseClick(dialog.findChild(QPushButton, "export_copy"), LEFT)
    assert QGuiApplication.clipboard().text() == code(dialog)
    qtbot.mouseClick(dialog.findChild(QPushButton, "export_save"), LEFT)
    assert saved == [("python", code(dialog))]


@pytest.mark.parametrize(("source", "chosen", "asked", "verdict_is"), [
    ({"address": "sqlite:////tmp/bank.db::loans"}, "SQLite", '"loans"', "run by SQLite "),
    ({"address": "postgres://anna@host/bank::own.loans"}, "PostgreSQL", '"own"."loans"', "Only whole queries"),
    ({"path": "/tmp/bank.duckdb", "options": {"sheet": '"a.b"'}}, "DuckDB", '"a.b"', "run by DuckDB "),
])  # fmt: skip
def test_sql_asks_the_table_that_was_opened_in_the_words_of_its_database(
    qtbot, document, flowers, source, chosen, asked, verdict_is
):
    table = replace(flowers, source=source)
    document.set_table(table, engine.grow(table, max_depth=2))
    dialog = ExportDialog(document, Settings(), lambda *written: None)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not document.jobs.busy, timeout=60_000)
    assert dialog.findChild(QComboBox, "export_dialect").currentText() == chosen
    assert f"\nFROM {asked} AS t\n" in code(dialog)
    assert verdict_is in verdict(dialog)
    choose(qtbot, dialog, "dialect", "SQL Server")
    assert "\nFROM [" in code(dialog), "the table stays, in other quotes"


@pytest.mark.parametrize(("words", "checked"), [("Rules as Markdown", False), ("SAS data step", True)])
def test_what_is_only_read_is_not_said_to_lack_a_check(qtbot, dialog, words, checked):
    """What nothing here runs is."""
    choose(qtbot, dialog, "format", words)
    said = f"{words} cannot be run here" if checked else "This is text to read and not code to run, so there is nothing"
    assert verdict(dialog).startswith(said) and code(dialog)


def test_of_a_workbook_its_sheets_are_told(qtbot, dialog, saved):
    choose(qtbot, dialog, "format", "Excel workbook with formulas")
    assert all(f"“{sheet}”" in code(dialog) for sheet in ("rows", "leaves", "about"))
    assert dialog.findChild(QLabel, "export_length").text().endswith(" bytes.")
    assert not dialog.findChild(QPushButton, "export_copy").isEnabled()
    qtbot.mouseClick(dialog.findChild(QPushButton, "export_save"), LEFT)
    assert saved[0][0] == "excel" and saved[0][1][:2] == b"PK"


def test_every_format_that_is_no_text_is_told(document, flowers):
    tree = engine.grow(flowers, max_depth=1)
    assert {name for name in OFFERED if isinstance(content_of(tree, name), bytes)} == set(HOLDS)


def test_code_that_answers_otherwise_is_not_to_be_used(qtbot, dialog, monkeypatch):
    rows = engine.hard_rows(dialog._state.tree, most=40)
    wrong = engine.Check("python", "Python 3", rows, np.arange(3))
    monkeypatch.setattr(file_tasks, "code_checked", lambda *asked, progress: wrong)
    choose(qtbot, dialog, "format", "Python module")
    assert verdict(dialog) == "Do not use this code: only 37 of 40 rows agree, run by Python 3."


def test_what_cannot_be_written_says_why_and_is_not_saved(qtbot, dialog, monkeypatch):
    def refuse(*asked, progress):
        raise InputError("The tree is too deep.")

    monkeypatch.setattr(file_tasks, "code_of", refuse)
    choose(qtbot, dialog, "format", "Python module")
    assert verdict(dialog) == "The tree is too deep." and not code(dialog)
    assert not dialog.findChild(QPushButton, "export_save").isEnabled()
    assert not dialog.findChild(QPushButton, "export_copy").isEnabled()


def test_a_program_that_is_absent_is_named(qtbot, dialog, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    choose(qtbot, dialog, "format", "JavaScript")
    assert "needs the program node, which is not installed" in verdict(dialog) and "function predict(row)" in code(
        dialog
    )
    assert dialog.findChild(QPushButton, "export_save").isEnabled()


def test_cutting_back_is_offered_where_the_format_needs_it(qtbot, dialog, monkeypatch):
    box, deepest = dialog.findChild(QCheckBox, "export_approximate"), dialog._state.tree.depth - 1
    monkeypatch.setattr(pmml, "deepest", lambda: deepest)
    assert not box.isVisible()
    choose(qtbot, dialog, "format", "PMML document")
    assert box.isVisible() and box.text() == f"&Approximate: the tree is cut back to {deepest} levels"
    choose(qtbot, dialog, "format", "Python module")
    assert not box.isVisible()


def test_divided_rows_are_approximated_on_request(qtbot, document, flowers):
    document.set_table(flowers)
    column = next(flowers.columns[i].name for i in flowers.features if flowers.columns[i].is_numeric)
    cut = float(np.median(flowers.column(column).values))
    tree = document.tree.split(flowers, 0, engine.Split(column, "threshold", (cut,), missing=-1))
    document.tree_edits.take_tree(tree, "Split")
    qtbot.waitUntil(lambda: document.tree.n_leaves == 2 and not document.jobs.busy)
    dialog = ExportDialog(document, Settings(), lambda *written: None)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert "Node 0 divides rows without a value" in verdict(dialog) and not code(dialog)
    box = dialog.findChild(QCheckBox, "export_approximate")
    qtbot.keyClick(box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not document.jobs.busy)
    assert "CASE" in code(dialog) and "rows agree with the approximated tree" in verdict(dialog)
    assert "The tree itself answers " in verdict(dialog)
