"""Opening a table of a database: where it is, what its columns are, what to predict and which rows are kept.

The rows stay where they are.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

import engine
from engine.runtime.addresses import is_file, place_and_table, without_password
from engine.runtime.errors import PasswordRefused
from engine.runtime.sentences import marked, tr
from gui.dialogs.first_answers import Answering
from gui.dialogs.partition_dialog import SharesForm
from gui.dialogs.table_preview import PreviewModel, PreviewTable, cells_of, sentence
from gui.model import file_tasks
from gui.model.jobs import Jobs
from gui.panels.data.order_dialog import OrderDialog
from gui.widgets.building import fill, form, named, scrolling
from gui.widgets.fields import ENTER, refill, short_list
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack

USUAL_SHARE = 0.2  # of validation rows, and of test rows
KEY = "database"  # of its jobs
FILES = "*.db *.duckdb *.ddb *.sqlite *.sqlite3"  # of databases
LEFT_WIDTH = 330  # pixels at the usual size of letters
OFFERED = ("feature", "ignore", "weight", "frequency", "partition")  # roles of a column; the key has a list of its own
EXAMPLE = marked("postgres://user:password@host/name or sqlite:///folder/file.db")
BY_KEY = marked("Rows with the same key are in the same part. The key must have a value in every row.")
NO_KEY = marked("The rows of a database have no order. Without a key they cannot be divided, so all of them train.")
COST = marked("Nothing is copied: each look counts all rows in the database. What needs single rows is not offered.")


class DatabaseDialog(QDialog):
    """The address and the password that are typed here are given to the worker only; the address is kept without one.

    The address above; below it at the left what is chosen, at the right the first rows with the kind and the role of
    each column, which are changed there.

    Args:
        address: of a table that was opened before, without a password; its database is listed at once if it is a file.
        folder: where files are looked for first.
    """

    def __init__(self, jobs: Jobs, parent: QWidget | None = None, address: str = "", folder: str = "") -> None:
        super().__init__(parent)
        self._jobs, self._work = jobs, ""  # the work that is going on, in words
        self._folder = folder
        before, self._before = place_and_table(address)  # the table is chosen again where it is still there
        self._opening = False
        self._kinds: dict[str, Any] = {}  # that were chosen, or levels in their order
        self.opened: file_tasks.Opened | None = None  # what was read, once the dialog is accepted
        named(self, "database_dialog").setWindowTitle(tr("Open database"))
        tip = tr("The address of a database, or the path of a file of DuckDB or SQLite. Passwords are not saved.")
        self._address = named(QLineEdit(before, placeholderText=tr(EXAMPLE)), "database_address",
                              tr("Address of the database"), tip, textEdited=self._on_edited,
                              returnPressed=self._list_tables)  # fmt: skip
        said = tr("The password of the user in the address. It is used to connect now, and is not saved.")
        self._password = named(QLineEdit(echoMode=QLineEdit.EchoMode.Password), "database_password", tr("Password"),
                               said, textEdited=self._on_edited, returnPressed=self._list_tables)  # fmt: skip
        self._browse = named(QPushButton(tr("&Browse…"), autoDefault=False), "browse_button", tip=tr(
            "Chooses the file of a database of DuckDB or SQLite"), clicked=self._on_browse)  # fmt: skip
        self._list = named(QPushButton(tr("&List tables"), autoDefault=False), "list_tables_button",
                           clicked=self._list_tables)  # fmt: skip
        choose = tr("Choose…")
        self._table = short_list("database_table", tr("Table"), placeholderText=choose, activated=self._on_table)
        self._target = short_list("database_target", tr("Column to predict"), placeholderText=choose,
                                  activated=self._on_target)  # fmt: skip
        self._key = short_list("database_key", tr("Column whose values decide the part of a row"),
                               activated=self._on_key)  # fmt: skip
        self._shares, self._error = SharesForm(), Notice("database_error")
        self._notes, self._reason = Notice("database_notes"), quiet("", "database_reason")
        self._model = PreviewModel(self, OFFERED)
        self._rows = PreviewTable(self._model)
        place, self._fields, page, right = QWidget(), QWidget(), QWidget(), QWidget()
        place.setFocusProxy(self._address)
        fill(QHBoxLayout(place), (self._address, 1), self._browse, self._list, spacing=8)
        self._place = QWidget()
        self._where = form(self._place)
        self._where.addRow(tr("&Address"), place)
        self._where.addRow(tr("Pass&word"), self._password)
        rows = form(self._fields)
        for text, field in ((tr("&Table"), self._table), (tr("Tar&get"), self._target), (tr("&Key"), self._key),
                            ("", self._shares)):  # fmt: skip
            rows.addRow(text, field)
        stack(page, self._fields, quiet(tr(COST)), 0, spacing=12, margins=(0, 0, 8, 0))
        stack(right, (self._rows, 1), self._notes, margins=(0, 0, 0, 0))
        left = scrolling(page)
        left.setFixedWidth(on_screen(self, LEFT_WIDTH, 0).width())
        buttons, self._open = answers(self, tr("&Open table"), "open_database_button")
        self.answering = Answering(right)
        middle = fill(QHBoxLayout(), left, (self.answering, 1), spacing=24)
        bottom = fill(QHBoxLayout(), (self._reason, 1), buttons, spacing=16)
        stack(self, self._place, self._error, (middle, 1), bottom, spacing=16)
        self._model.kindChosen.connect(self._on_kind_chosen)
        self._model.rolesChanged.connect(self._on_roles)
        self._shares.changed.connect(lambda: self._error.say(""))  # a correction may have answered it
        jobs.progressed.connect(self._on_progress)
        self._show_tables(())
        (self._password if self._is_server else self._address).setFocus()  # else the page that scrolls has the keys
        self.resize(on_screen(self, 1080, 620))
        if before and not self._is_server:
            self._list_tables()

    @property
    def hindrance(self) -> str:
        """Why the table cannot be opened yet, in words; empty when it can."""
        if self._work:
            return f"{self._work}…"
        if not self._table.count() and self._is_server:
            return tr("Type the password, unless the address has it or none is wanted, and list the tables.")
        if not self._table.count():
            return tr("Type the address of the database and list its tables.")
        if self._table.currentIndex() < 0:
            return tr("Choose a table.")
        return file_tasks.missing_step(self._model.target, self._model.roles, self._model.kinds)

    @property
    def _is_server(self) -> bool:
        """Whether what is typed is the address of a server, which may want a password."""
        address = self._address.text().strip()
        return "://" in address and not is_file(address)

    @property
    def _typed(self) -> file_tasks.Place:
        return file_tasks.Place(self._address.text().strip(), self._password.text() if self._is_server else "")

    def _on_browse(self) -> None:
        kinds = ";;".join((tr("Databases ({suffixes})", suffixes=FILES), tr("All files (*)")))
        path, _ = QFileDialog.getOpenFileName(self, tr("Choose the file of a database"), self._folder, kinds)
        if path:
            self._address.setText(path)
            self._on_edited()
            self._list_tables()

    def _on_edited(self) -> None:
        """Another address or password may have other tables."""
        self._jobs.drop(KEY)
        self._work = ""
        self._error.say("")
        self._show_tables(())

    def _list_tables(self) -> None:
        if self._typed.address:
            self._show_tables(())
            self._run(tr("Listing the tables"), file_tasks.tables_of, self._typed, done=self._on_tables)

    def _on_tables(self, tables: tuple[str, ...]) -> None:
        self._work = ""
        self._show_tables(tables)
        self._table.setFocus()
        if not tables:
            self._error.say(tr("The database has no tables that can be read."), "warning")
        if self._table.currentIndex() >= 0:
            self._look()

    def _on_table(self) -> None:
        """Another table has other columns."""
        self._kinds = {}
        self._show_columns(None)
        self._look()

    def _look(self) -> None:
        """Reads the first rows, by the kinds that are chosen."""
        what = self._typed, self._table.currentData(), dict(self._kinds)
        self._run(tr("Reading the first rows"), file_tasks.look_into, *what, done=self._on_looked)

    def _on_looked(self, preview: "engine.Preview") -> None:
        self._work = ""
        self._show_columns(preview)

    def _show_tables(self, tables: tuple[str, ...]) -> None:
        refill(self._table, {name: name for name in tables}, tables[0] if len(tables) == 1 else self._before)
        self._kinds = {}
        self._show_columns(None)

    def _show_columns(self, preview: "engine.Preview | None") -> None:
        """The columns of a table, in the roles that they have already or that are guessed; None of none."""
        model, names = self._model, () if preview is None else preview.names
        if preview is None:
            model.roles, model.target = {}, None
            model.show((), {}, ())
        else:
            if not model.roles:  # these are the first rows of another table
                model.target = preview.target
            model.roles = {**preview.roles, **model.roles}
            model.show(names, preview.kinds, cells_of(preview))
        self._rows.setVisible(preview is not None)
        self._notes.say("\n".join(preview.notes if preview is not None else ()))
        self._on_roles()

    def _on_roles(self) -> None:
        """Who has a role is shown wherever it can be chosen; the target decides no part."""
        model, key = self._model, self._of_role("group")
        parting = self._of_role("partition")
        self._error.say("")  # a correction may have answered it
        refill(self._target, {name: name for name in model.names}, model.target)
        choices: dict[str | None, str] = {None: tr("none: all rows train")}
        if parting is None:
            choices |= {name: name for name in model.names if name != model.target}
        before, has_key = self._shares.isEnabled(), key is not None and parting is None
        refill(self._key, choices, key if has_key else None)
        if has_key != before or not has_key:
            share = USUAL_SHARE if has_key else 0.0
            self._shares.set_shares(share, share)
        self._shares.setEnabled(has_key)
        by_column = tr("The column “{column}” says which rows train, validate and test.", column=parting or "")
        self._shares.explain(by_column if parting is not None else tr(BY_KEY) if has_key else tr(NO_KEY))
        self._refresh()

    def _on_target(self) -> None:
        self._model.set_target(self._target.currentData())

    def _of_role(self, role: str) -> str | None:
        """The column that has a role, if one does."""
        model = self._model
        return next((name for name in model.names if name != model.target and model.roles[name] == role), None)

    def _on_key(self) -> None:
        """One column at most is the key, by which rows belong together."""
        before, key = self._of_role("group"), self._key.currentData()
        if before is not None and before != key:
            self._model.set_role(before, "feature")
        if key is not None:
            self._model.set_role(key, "group")

    def _on_kind_chosen(self, name: str, kind: str) -> None:
        """Who makes a column ordered is asked for the order at once, of all levels of the table."""
        if kind != "ordered":
            return self._set_kind(name, kind)
        what = self._typed, self._table.currentData(), name
        text = tr("Reading the levels of “{column}”", column=name)
        self._run(text, file_tasks.levels_of, *what, done=self._ask_order)

    def _ask_order(self, levels: "engine.Column") -> None:
        self._work = ""
        self._refresh()
        dialog = OrderDialog(levels, self)
        dialog.accepted.connect(lambda: self._set_kind(levels.name, list(dialog.levels)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _set_kind(self, name: str, kind: str | list[str]) -> None:
        self._kinds[name] = kind
        self._look()

    def _refresh(self) -> None:
        self._reason.setText(self.hindrance)
        self._open.setEnabled(not self.hindrance)
        self._where.setRowVisible(self._password, self._is_server)
        for part in (self._place, self._fields, self._rows):
            part.setEnabled(not self._opening)
        for box in (self._table, self._target, self._key):
            box.setEnabled(box.count() > (box is self._key))

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
        back, said = self._open if self._opening else self._address, sentence(error)
        if isinstance(error, PasswordRefused) and self._is_server:
            back = self._password
            if not self._password.text() and without_password(self._typed.address) == self._typed.address:
                said = tr("The database wants a password: type it below the address.")
        self._work, self._opening = "", False
        self.answering.ask()
        self._error.say(said, "error")
        self._refresh()
        back.setFocus()

    def _on_progress(self, fraction: float, _words: str) -> None:
        if self._opening:
            self._reason.setText(f"{self.hindrance} {fraction:.0%}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in the address or the password lists the tables, and does no more."""
        if event.key() not in ENTER or not (self._address.hasFocus() or self._password.hasFocus()):
            super().keyPressEvent(event)

    def accept(self) -> None:
        if self.hindrance:
            return
        model, key = self._model, self._key.currentData()
        roles = {name: role for name, role in model.roles.items() if role != "feature" and name != model.target}
        dates = {
            name: kind for name, kind in model.kinds.items() if kind == "date"
        }  # as they are shown, whatever comes
        how = {"target": model.target, "options": engine.ReadOptions(kinds={**dates, **self._kinds}), "roles": roles}
        how |= {} if key is None else {"key": key, **self._shares.shares}
        self._opening = True
        asked, part = (self._typed, self._table.currentData(), how), self.answering.take
        self._run(tr("Opening the table"), file_tasks.from_database, *asked, done=self._on_opened, part=part)

    def _on_opened(self, opened: file_tasks.Opened) -> None:
        self.opened = opened
        super().accept()

    def done(self, result: int) -> None:
        self._opening = False
        self._jobs.drop(KEY)
        super().done(result)
