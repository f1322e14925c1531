"""Scoring the rows of a file by the tree on the screen: which file, where to write them, and what was found in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui.dialogs import score_findings
from gui.model.document import Document
from gui.widgets import verbatim
from gui.widgets.building import fill, form, named, refuse, split
from gui.widgets.labels import Notice, answers, on_screen, quiet, say, section, stack, title
from gui.widgets.tables import TableModel, TableView, stretch
from gui.wording import phrases, words

WRITTEN = {".csv": marked("CSV"), ".xlsx": marked("Excel workbook"), ".parquet": marked("Parquet")}
CLASSES = marked(
    "Every row of the file gets the leaf that it reaches, the rule of that leaf, the prediction and the probability of "
    "each class. The file needs no column “{target}”."
)
NUMBER = marked(
    "Every row of the file gets the leaf that it reaches, the rule of that leaf and the prediction. The file needs no "
    "column “{target}”."
)
MOST_SELECTED = 500  # leaves on the canvas at once
NOTES_SHOWN = 3


class ScoreDialog(QDialog):
    """Asks for the `source` and the `target`, which is None where only the report is wanted. `choose`, `place`: file
    dialogs; each gets what is proposed, and answers a path or None."""

    def __init__(self, tree: engine.Tree, choose: Callable[[], Path | None], place: Callable[[Path], Path | None],
                 parent: QWidget | None = None) -> None:  # fmt: skip
        super().__init__(parent)
        self._choose, self._place, self._agreed = choose, place, Path()
        named(self, "score_dialog").setWindowTitle(tr("Score"))
        about = CLASSES if tree.task == "classes" else NUMBER
        self._source = named(QLineEdit(), "score_source", tr("File with the rows to score"))
        asks = tr("only the report")
        self._target = named(QLineEdit(placeholderText=asks), "score_target", tr("File to write the scored rows to"))
        fields = QWidget()
        rows = form(fields)
        asked = (
            (tr("&Rows in"), self._source, "score_choose_source", self._on_choose),
            (tr("&Write to"), self._target, "score_choose_target", self._on_place),
        )
        for label, field, name, do in asked:
            button = named(QPushButton(tr("Choose…"), autoDefault=False), name, field.accessibleName(), clicked=do)
            row = QWidget()
            row.setFocusProxy(field)  # for the letter of the label
            fill(QHBoxLayout(row), (field, 1), button, spacing=8)
            rows.addRow(label, row)
            field.textChanged.connect(self._refresh)
        self._notice = Notice("score_notice")
        buttons, self._go_on = answers(self, tr("&Score"), "score_accept")
        stack(self, quiet(tr(about, target=tree.target)), 8, fields, self._notice, 0, buttons)
        self.resize(on_screen(self, 620, 230))
        self._refresh()

    @property
    def source(self) -> Path:
        return Path(self._source.text().strip()).expanduser()

    @property
    def target(self) -> Path | None:
        text = self._target.text().strip()
        return Path(text).expanduser() if text else None

    def _on_choose(self) -> None:
        if (path := self._choose()) is not None:
            self._source.setText(str(path))
            self._target.setText(str(_free(path)))

    def _on_place(self) -> None:
        if (path := self._place(self.target or _free(self.source))) is not None:
            self._agreed = path  # the dialog has asked whether it may be replaced
            self._target.setText(str(path))

    def _refresh(self) -> None:
        source, target = self.source, self.target
        suffix = target.suffix.lower() if target is not None else ""
        said, level = "", "error"
        if not self._source.text().strip():
            said, level = tr("Choose the file with the rows."), "info"
        elif not source.is_file():
            said = tr("There is no file “{path}”.", path=source)
        elif target is not None and suffix not in WRITTEN:
            said = tr("Scored rows are written as {kinds}: choose a name that ends so.", kinds=", ".join(WRITTEN))
        elif target is not None and target.absolute() == source.absolute():
            said = tr("This file holds the rows that are to be scored: choose another name.")
        self._go_on.setEnabled(not said)
        if not said and target is not None:
            replaced = target != self._agreed and target.exists()
            said = tr("“{name}” exists and will be replaced.", name=target.name) if replaced else ""
            level = "warning" if replaced else "info"
            if suffix == ".xlsx":
                from engine.formats.rows import MOST_ROWS  # here, as it brings the readers' library along

                most = words.count(MOST_ROWS - 1)
                limit = tr("A workbook holds {n} rows: for more choose CSV or Parquet.", n=most)
                said = f"{said} {limit}".strip()
        self._notice.say(said, level)


def _free(source: Path) -> Path:
    """A name for the scored rows of a file that no file has yet."""
    suffix, number = source.suffix.lower() if source.suffix.lower() in WRITTEN else ".csv", 1
    scored = tr("scored")
    while True:
        tail = scored if number == 1 else f"{scored} {number}"
        path = source.with_name(f"{source.stem} {tail}{suffix}")
        if not path.exists():
            return path
        number += 1


class ScoreReport(QDialog):
    """What was found in the rows of a file that a tree of the document scored: by column, and by leaf. Leaves that are
    selected in its list are selected on the canvas."""

    def __init__(
        self, found: engine.Scored, rules: list[str], tree: engine.Tree, source: Path, target: Path | None,
        document: Document, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._document, self._beginning, self._found, self._target = document, document.beginning, found, target
        named(self, "score_report").setWindowTitle(verbatim.window_title(tr("Scored: {name}", name=source.name)))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        heading = title(tr("{rows} of “{name}”", rows=phrases.counted_rows(found.n_rows), name=source.name), 1.3)
        heading.setWordWrap(True)
        added = ", ".join(tr("“{text}”", text=name) for name in found.added)
        where = tr("The rows are in “{path}”, with the columns {names}.", path=target, names=added)
        self._where = quiet(where if target is not None else tr("Only this report was made: no rows were written."),
                            "score_where")  # fmt: skip
        self._verdict = Notice("score_verdict")
        graver = found.drift is not None and found.drift.size in ("moderate", "large")
        self._verdict.say(score_findings.verdict(found, tree), "warning" if graver else "info")
        notes = quiet("", "score_notes")
        say(notes, "\n".join(found.notes[:NOTES_SHOWN]))
        self._columns = TableModel[engine.ColumnFindings](self, score_findings.column_columns(found))
        self._columns.fill(sorted(found.columns, key=score_findings.gravity))
        self._columns.bold = lambda one: score_findings.gravity(one)[0] == 0
        columns = TableView("score_columns", tr("What was found in each column"), self._columns)
        stretch(columns.horizontalHeader(), len(self._columns.columns) - 1)
        self._leaves = TableModel[int](self, score_findings.leaf_columns(found, rules))
        order = np.argsort(-np.abs(found.counts / found.n_rows - found.shares), kind="stable")
        self._leaves.fill(order.tolist())
        moved = found.moved
        self._leaves.bold = lambda place: bool(moved[place])
        several = TableView.SelectionMode.ExtendedSelection
        self._list = TableView("score_leaves", tr("The leaves, those whose share changed most first"), self._leaves,
                               selectionMode=several)  # fmt: skip
        stretch(self._list.horizontalHeader(), 1)
        self._list.selectionModel().selectionChanged.connect(self._on_selected)
        tables = split(Qt.Orientation.Vertical, section(tr("Columns"), columns), section(tr("Leaves"), self._list))
        self._select = named(QPushButton(tr("Select leaves that &moved")), "score_select", clicked=self._on_select)
        why = "" if moved.any() else tr("No leaf has another share by more than chance and by a quarter or more.")
        usual = tr("Selects the leaves on the canvas whose share changed by more than chance and by a quarter or more")
        refuse(self._select, why, usual)
        copy = named(QPushButton(tr("&Copy the report")), "score_copy", clicked=self._on_copy)
        folder = named(QPushButton(tr("Open the &folder")), "score_folder", clicked=self._on_folder)
        folder.setVisible(target is not None)
        close = named(QPushButton(tr("Close"), default=True), "score_close", clicked=self.reject)
        buttons = fill(QHBoxLayout(), self._select, 0, copy, folder, close, spacing=8)
        stack(self, heading, self._where, self._verdict, notes, (tables, 1), buttons)
        self.resize(on_screen(self, 820, 640))
        close.setFocus()

    def _on_select(self) -> None:
        moved, last, chosen = self._found.moved, self._leaves.columnCount() - 1, QItemSelection()
        rows = [row for row in range(self._leaves.rowCount()) if moved[self._leaves.record(row)]]
        for row in rows:
            chosen.select(self._leaves.index(row, 0), self._leaves.index(row, last))
        self._list.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._list.scrollTo(self._leaves.index(rows[0], 0))

    def _on_selected(self) -> None:
        """The nodes on the canvas, as far as this is still the document, and they are there."""
        document, rows = self._document, self._list.selectionModel().selectedRows()[:MOST_SELECTED]
        if document.beginning is self._beginning and document.tree is not None:
            ids = [int(self._found.leaves[self._leaves.record(index.row())]) for index in rows]
            document.several.choose([node for node in ids if node in document.tree])

    def _on_copy(self) -> None:
        said = [self.windowTitle(), self._where.text(), self._verdict.text, *self._found.notes]
        tables = [model.text(range(model.rowCount())) for model in (self._columns, self._leaves)]
        QGuiApplication.clipboard().setText("\n".join(filter(None, said)) + "\n\n" + "\n".join(tables))

    def _on_folder(self) -> None:
        if self._target is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._target.absolute().parent)))
