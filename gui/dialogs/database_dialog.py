"""Opening a table of a database: where it is, what to predict and which rows are kept. The rows stay where they are."""

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from engine.runtime.sentences import marked, tr
from gui.dialogs.first_answers import Answering
from gui.dialogs.partition_dialog import SharesForm
from gui.dialogs.table_preview import sentence
from gui.model import file_tasks
from gui.model.jobs import Jobs
from gui.widgets.building import fill, form, named, scrolling
from gui.widgets.fields import ENTER, refill, short_list
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack

USUAL_SHARE = 0.2  # of validation rows, and of test rows
KEY = "database"  # of its jobs
EXAMPLE = marked("postgres://user:password@host/name or sqlite:///folder/file.db")
BY_KEY = marked("Rows with the same key are in the same part. The key must have a value in every row.")
NO_KEY = marked("The rows of a database have no order. Without a key they cannot be divided, so all of them train.")
COST = marked("Nothing is copied: each look counts all rows in the database. What needs single rows is not offered.")


class DatabaseDialog(QDialog):
    """The address that is typed here is given to the worker only, and is kept without its password."""

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._work = jobs, ""  # the work that is going on, in words
        self._opening = False
        self.opened: file_tasks.Opened | None = None  # what was read, once the dialog is accepted
        named(self, "database_dialog").setWindowTitle(tr("Open database"))
        tip = tr("The address of a database, or the path of a file of DuckDB or SQLite. Passwords are not saved.")
        self._address = named(QLineEdit(placeholderText=tr(EXAMPLE)), "database_address", tr("Address of the database"),
                              tip, textEdited=self._on_edited, returnPressed=self._list_tables)  # fmt: skip
        self._list = named(QPushButton(tr("&List tables"), autoDefault=False), "list_tables_button",
                           clicked=self._list_tables)  # fmt: skip
        choose = tr("Choose…")
        self._table = short_list("database_table", tr("Table"), placeholderText=choose, activated=self._list_columns)
        self._target = short_list("database_target", tr("Column to predict"), placeholderText=choose,
                                  activated=self._on_target)  # fmt: skip
        self._key = short_list("database_key", tr("Column whose values decide the part of a row"),
                               activated=self._on_key)  # fmt: skip
        self._weights = short_list("database_weights", tr("Column of sampling weights"))
        self._shares, self._error = SharesForm(), Notice("database_error")
        self._reason = quiet("", "database_reason")
        place, self._fields, page = QWidget(), QWidget(), QWidget()
        place.setFocusProxy(self._address)
        fill(QHBoxLayout(place), (self._address, 1), self._list, spacing=8)
        rows = form(self._fields)
        for text, field in ((tr("&Address"), place), (tr("&Table"), self._table), (tr("Tar&get"), self._target),
                            (tr("&Weights"), self._weights), (tr("&Key"), self._key), ("", self._shares)):  # fmt: skip
            rows.addRow(text, field)
        stack(page, self._fields, self._error, quiet(tr(COST)), 0, spacing=12, margins=(0, 0, 8, 0))
        buttons, self._open = answers(self, tr("&Open table"), "open_database_button")
        self.answering = Answering(scrolling(page))
        stack(self, (self.answering, 1), fill(QHBoxLayout(), (self._reason, 1), buttons, spacing=16), spacing=16)
        jobs.progressed.connect(self._on_progress)
        self._show_tables(())
        self._address.setFocus()  # else the page that scrolls has the keys
        self.resize(on_screen(self, 680, 500))

    @property
    def hindrance(self) -> str:
        """Why the table cannot be opened yet, in words; empty when it can."""
        if self._work:
            return f"{self._work}…"
        if not self._table.count():
            return tr("Type the address of the database and list its tables.")
        if self._table.currentIndex() < 0:
            return tr("Choose a table.")
        return tr("Choose the column to predict.") if self._target.currentIndex() < 0 else ""

    def _on_edited(self) -> None:
        """Another address has other tables."""
        self._jobs.drop(KEY)
        self._work = ""
        self._error.say("")
        self._show_tables(())

    def _list_tables(self) -> None:
        if place := self._address.text().strip():
            self._show_tables(())
            self._run(tr("Listing the tables"), file_tasks.tables_of, place, done=self._on_tables)

    def _on_tables(self, tables: tuple[str, ...]) -> None:
        self._work = ""
        self._show_tables(tables)
        self._table.setFocus()
        if not tables:
            self._error.say(tr("The database has no tables that can be read."), "warning")
        if len(tables) == 1:
            self._list_columns()

    def _list_columns(self) -> None:
        self._show_columns(())
        place, table = self._address.text().strip(), self._table.currentData()
        self._run(tr("Listing the columns"), file_tasks.columns_of, place, table, done=self._on_columns)

    def _on_columns(self, columns: tuple[str, ...]) -> None:
        self._work = ""
        self._show_columns(columns)

    def _show_tables(self, tables: tuple[str, ...]) -> None:
        refill(self._table, {name: name for name in tables}, tables[0] if len(tables) == 1 else None)
        self._show_columns(())

    def _show_columns(self, columns: tuple[str, ...]) -> None:
        refill(self._target, {name: name for name in columns}, None)
        self._on_target()

    def _on_target(self) -> None:
        """The target decides no part and weighs nothing."""
        names = [self._target.itemText(i) for i in range(self._target.count()) if i != self._target.currentIndex()]
        for box, none in ((self._key, tr("none: all rows train")), (self._weights, tr("none: every row counts once"))):
            before = box.currentData()
            choices: dict[str | None, str] = {None: none, **{name: name for name in names}}
            refill(box, choices, before if before in choices else None)
        self._on_key()

    def _on_key(self) -> None:
        before, has_key = self._shares.isEnabled(), self._key.currentData() is not None
        if has_key != before or not has_key:
            share = USUAL_SHARE if has_key else 0.0
            self._shares.set_shares(share, share)
        self._shares.setEnabled(has_key)
        self._shares.explain(tr(BY_KEY) if has_key else tr(NO_KEY))
        self._refresh()

    def _refresh(self) -> None:
        self._reason.setText(self.hindrance)
        self._open.setEnabled(not self.hindrance)
        self._fields.setEnabled(not self._opening)
        for box in (self._table, self._target, self._key, self._weights):
            box.setEnabled(box.count() > (box in (self._key, self._weights)))

    def _run(
        self, work: str, function: Callable[..., Any], *args: Any, done: Callable[[Any], None],
        part: Callable[[list[Any]], None] | None = None,
    ) -> None:  # fmt: skip
        self._work = work
        self._error.say("")
        self._refresh()
        how: dict[str, Any] = {"done": done, "failed": self._on_failed, "part": part, "key": KEY}
        self._jobs.run(work, function, *args, quiet=not self._opening, **how)

    def _on_failed(self, error: Exception) -> None:
        back = self._open if self._opening else self._address
        self._work, self._opening = "", False
        self.answering.ask()
        self._error.say(sentence(error), "error")
        self._refresh()
        back.setFocus()

    def _on_progress(self, fraction: float, _words: str) -> None:
        if self._opening:
            self._reason.setText(f"{self.hindrance} {fraction:.0%}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in the address lists the tables, and does no more."""
        if event.key() not in ENTER or not self._address.hasFocus():
            super().keyPressEvent(event)

    def accept(self) -> None:
        if self.hindrance:
            return
        key, how = self._key.currentData(), {"target": self._target.currentData()}
        how |= {} if key is None else {"key": key, **self._shares.shares}
        weights = self._weights.currentData()
        how |= {} if weights is None else {"roles": {weights: "weight"}}
        self._opening = True
        place, table = self._address.text().strip(), self._table.currentData()
        part = self.answering.take
        self._run(tr("Opening the table"), file_tasks.from_database, place, table, how, done=self._on_opened, part=part)

    def _on_opened(self, opened: file_tasks.Opened) -> None:
        self.opened = opened
        super().accept()

    def done(self, result: int) -> None:
        self._opening = False
        self._jobs.drop(KEY)
        super().done(result)
