"""The tree as code: in which format, what it looks like, and whether it answers as the tree does when it is run."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

import engine
from engine.formats import FORMATS, SAY_ALL
from engine.runtime.sentences import marked, tr
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.jobs import words_for
from gui.settings import Settings
from gui.widgets.building import fill, form, named
from gui.widgets.fields import ElidedCombo, short_list
from gui.widgets.labels import Notice, on_screen, quiet, stack
from gui.wording import words

WRITE, CHECK = "export-code", "check-code"  # keys of jobs
OFFERED = tuple(name for name in FORMATS if name != "json")  # JSON has a verb of its own
MOST_SHOWN = 200_000  # letters
OPTIONS = {"dialect": marked("&Dialect"), "what": marked("&Content")}
CHOICES = {
    "query": marked("whole query"), "prediction": marked("expression of the prediction"),
    "leaf": marked("expression of the leaf"), "duckdb": "DuckDB", "postgres": "PostgreSQL", "sqlite": "SQLite",
    "snowflake": "Snowflake", "bigquery": "BigQuery", "tsql": marked("SQL Server"), "mysql": "MySQL",
    "oracle": "Oracle", "spark": "Spark", "databricks": "Databricks", "redshift": "Redshift",
    "clickhouse": "ClickHouse", "trino": "Trino",
}  # fmt: skip
HOLDS = {  # of what is no text
    "excel": marked("A workbook of three sheets.\n\n“rows”: the columns that the tree asks for are pasted at the left; "
                    "formulas in the first 1,000 rows give the leaf, the prediction and, of classes, the probabilities."
                    "\n\n“leaves”: each leaf with what it predicts, its rows and its rule.\n\n“about”: how to use it."),
    "onnx": marked("A model for onnxruntime and others. Each column that the tree asks for is an input; the leaf, the "
                   "prediction and, of classes, the probabilities are its outputs."),
    "sklearn": marked("A fitted pipeline of scikit-learn, saved by skops. It takes a data frame with the columns that "
                      "the tree asks for."),
}  # fmt: skip


class ExportDialog(QDialog):
    """Shows the tree of the document in a format. `save`: asks for a name and writes; gets the format and its
    content. SQL asks the table of the database that was opened, in its dialect unless another one is chosen."""

    def __init__(self, document: Document, settings: Settings, save: Callable[[str, str | bytes], None],
                 parent: QWidget | None = None) -> None:  # fmt: skip
        from engine.formats.sql import home_of  # late: it brings the compiler

        super().__init__(parent)
        self._document, self._state, self._settings, self._save = document, document.state, settings, save
        self._home = {} if self._state is None else home_of(self._state.table)
        self._content: str | bytes = ""
        named(self, "export_dialog").setWindowTitle(tr("Export code"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._format = short_list("export_format", tr("Format"), letters=24, activated=self._write)
        for name in OFFERED:
            self._format.addItem(tr(FORMATS[name].words), name)
        self._format.setCurrentIndex(max(self._format.findData(settings.value("export_format")), 0))
        self._fields, self._boxes = QWidget(), dict[str, ElidedCombo]()
        self._rows = form(self._fields)
        self._rows.addRow(tr("&Format"), self._format)
        for name, label in OPTIONS.items():
            self._boxes[name] = short_list(f"export_{name}", tr(label).replace("&", ""), activated=self._write)
            self._rows.addRow(tr(label), self._boxes[name])
        self._approximate = named(QCheckBox(), "export_approximate", toggled=self._write)
        self._rows.addRow(self._approximate)
        letters = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        letters.setPointSizeF(self.font().pointSizeF())
        self._code = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), "export_code", tr("The tree as code"),
                           font=letters, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)  # fmt: skip
        self._length, self._verdict = quiet("", "export_length"), Notice("export_verdict")
        self._copy = named(QPushButton(tr("&Copy"), autoDefault=False), "export_copy", clicked=self._on_copy)
        self._go_on = named(QPushButton(tr("&Save…"), default=True), "export_save", clicked=self._on_save)
        close = named(QPushButton(tr("C&lose"), autoDefault=False), "export_close", clicked=self.reject)
        buttons = fill(QHBoxLayout(), self._copy, (QWidget(), 1), self._go_on, close, spacing=8)
        stack(self, self._fields, (self._code, 1), self._length, self._verdict, buttons)
        self.resize(on_screen(self, 720, 620))
        for key in (WRITE, CHECK):
            self.finished.connect(lambda _, key=key: document.jobs.drop(key))
        self._write()

    @property
    def format(self) -> str:
        return str(self._format.currentData())

    @property
    def options(self) -> dict[str, str]:
        chosen = {name: str(self._boxes[name].currentData()) for name in FORMATS[self.format].options}
        return chosen | ({"source": self._home["source"]} if self.format == "sql" and self._home else {})

    def _write(self) -> None:
        """Writes the tree in what is chosen, and then checks that."""
        offered = FORMATS[self.format].options
        for name, box in self._boxes.items():
            choices = offered.get(name, ())
            if [box.itemData(k) for k in range(box.count())] != list(choices):
                box.clear()
                for choice in choices:
                    box.addItem(tr(CHOICES[choice]), choice)
                box.setCurrentIndex(max(box.findData(self._home.get(name)), 0))
            self._rows.setRowVisible(box, bool(choices))
        self._document.jobs.drop(CHECK)
        self._show("")
        self._verdict.say(tr("Writing the tree…"))
        if self._state is not None:
            self._offer_to_approximate(self._state.tree)
            asked = self._state, self.format, self._approximate.isChecked(), self.options
            self._document.jobs.run(tr("Writing the tree"), file_tasks.code_of, *asked, done=self._on_written,
                                    failed=self._on_failed, key=WRITE, quiet=True)  # fmt: skip

    def _offer_to_approximate(self, tree: engine.Tree) -> None:
        """Shows how this format can only say this tree, where it cannot say all of it."""
        from engine.formats.files import approximations  # late: it brings the compiler

        whole_rows, levels = approximations(tree, self.format, **self.options)
        said = tr("&Approximate: rows without a value go into the largest branch")
        if levels is not None:
            said = tr("&Approximate: the tree is cut back to {levels} levels", levels=words.count(levels))
            if whole_rows:
                said = tr("&Approximate: rows without a value go into the largest branch, and the tree is cut back to "
                          "{levels} levels", levels=words.count(levels))  # fmt: skip
        self._approximate.setText(said)
        self._rows.setRowVisible(self._approximate, whole_rows or levels is not None)

    def _on_written(self, content: str | bytes) -> None:
        self._show(content)
        if self.format in SAY_ALL:
            return self._verdict.say(tr("This is text to read and not code to run, so there is nothing to check."))
        self._verdict.say(tr("Checking: the code runs on the rows of the table and on rows that are made to find "
                             "mistakes…"))  # fmt: skip
        asked = self._state, content, self.format, self._approximate.isChecked(), self.options
        self._document.jobs.run(tr("Checking the code"), file_tasks.code_checked, *asked, done=self._on_checked,
                                failed=self._on_unchecked, key=CHECK, quiet=True)  # fmt: skip

    def _show(self, content: str | bytes) -> None:
        self._content = content
        text = content if isinstance(content, str) else ""
        holds = tr(HOLDS[self.format]) if isinstance(content, bytes) and self.format in HOLDS else ""
        self._code.setPlainText(holds or text[:MOST_SHOWN])
        wrap = QPlainTextEdit.LineWrapMode
        self._code.setLineWrapMode(wrap.WidgetWidth if holds else wrap.NoWrap)
        n_lines, shown = (words.count(part.count("\n")) for part in (text, text[:MOST_SHOWN]))
        said = tr("{lines} lines.", lines=n_lines) if text else ""
        if len(text) > MOST_SHOWN:
            said = tr("{lines} lines, of which the first {shown} are shown.", lines=n_lines, shown=shown)
        if isinstance(content, bytes):
            said = tr("{n} bytes.", n=words.count(len(content)))
        self._length.setText(said)
        self._copy.setEnabled(bool(text))
        self._go_on.setEnabled(bool(content))

    def _on_checked(self, check: engine.Check) -> None:
        said = {"n": words.count(check.n_agreeing), "rows": words.count(check.n_rows), "program": check.ran_by}
        if check.differing.size:
            wrong = tr("Do not use this code: only {n} of {rows} rows agree, run by {program}.", **said)
            return self._verdict.say(wrong, "error")
        if check.changed:
            changed = words.count(check.changed)
            near = tr("Checked: {n} of {rows} rows agree with the approximated tree, run by {program}. The tree itself "
                      "answers {changed} of them otherwise.", changed=changed, **said)  # fmt: skip
            return self._verdict.say(near, "warning")
        self._verdict.say(tr("Checked: {n} of {rows} rows agree, run by {program}.", **said))

    def _on_unchecked(self, error: Exception) -> None:
        self._verdict.say(words_for(error) or tr("The check went wrong; the log has the details."), "warning")

    def _on_failed(self, error: Exception) -> None:
        self._verdict.say(words_for(error) or tr("The export went wrong; the log has the details."), "error")

    def _on_copy(self) -> None:
        assert isinstance(self._content, str)
        QGuiApplication.clipboard().setText(self._content)

    def _on_save(self) -> None:
        self._settings.set("export_format", self.format)
        self._save(self.format, self._content)
