"""From a file to a table: choose, look, decide in the dialog, read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

import engine
from engine.formats import PROJECT
from engine.formats.sniffing import SNIFFED, TEXTS, program_of
from engine.runtime.addresses import URL, place_and_table, with_password, without_password
from engine.runtime.errors import InputError, PasswordRefused, one_line, readable
from engine.runtime.sentences import tr
from gui import messages
from gui.dialogs.database_dialog import DatabaseDialog
from gui.dialogs.import_dialog import ImportDialog
from gui.dialogs.password_dialog import PasswordDialog
from gui.dialogs.paste_dialog import PasteDialog
from gui.files.autosave import Autosave, Copy
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.jobs import Job, words_for
from gui.settings import Settings
from gui.widgets import verbatim

EXAMPLE = "example:"  # what stands before the name of an example on the command line
TREES = (".json", ".onnx", ".pmml", ".j48", ".rpart", ".model", ".lgb", ".ubj")


def filters(*, tables_only: bool = False) -> str:
    from engine.readers import SUFFIXES  # here, as it brings the readers' library along

    tables = " ".join(f"*{suffix}" for suffix in SUFFIXES)
    named = tr("Tables ({suffixes})", suffixes=tables)
    if tables_only:
        return named
    foreign = " ".join(f"*{suffix}" for suffix in TREES)
    every = tr("All that Espalier opens ({suffixes})", suffixes=f"{tables} *{PROJECT} {foreign}")
    projects = tr("Projects ({suffixes})", suffixes=f"*{PROJECT}")
    return ";;".join(
        (every, named, projects, tr("Trees ({suffixes})", suffixes=f"{foreign} *.txt"), tr("All files (*)"))
    )


def is_tree(path: Path) -> bool:
    """Whether a file holds a tree, by its suffix; of one that is called as tables are its content says so."""
    if path.suffix.lower() != ".txt":
        return path.suffix.lower() in TREES
    try:
        with path.open("rb") as file:
            return program_of(file.read(SNIFFED)) in TEXTS
    except (OSError, InputError):  # said when it is opened
        return False


class Opening:
    """Opens tables, projects, trees and examples in a window. `when_safe`: calls what it gets once no unsaved change
    can be lost by it. `autosave`: takes over a copy that is opened; None where no copies are kept."""

    def __init__(self, window: QWidget, document: Document, settings: Settings,
                 when_safe: Callable[[Callable[[], object]], None], autosave: Autosave | None) -> None:  # fmt: skip
        self._window, self._document, self._settings = window, document, settings
        self._when_safe, self._autosave = when_safe, autosave

    def choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Open"), self._settings.value("last_folder"), filters())
        if path:
            self.open(path)

    def choose_folder(self) -> None:
        before = self._settings.value("last_folder")
        if path := QFileDialog.getExistingDirectory(self._window, tr("Open folder of Parquet files"), before):
            self.open(path)

    def choose_database(self, address: str = "") -> None:
        """`address`: of a table that was opened before; its password is asked for again."""

        def ask() -> None:
            folder = self._settings.value("last_folder")
            dialog = DatabaseDialog(self._document.jobs, self._window, address, folder)
            opened = dialog.opened if _accepted(dialog) else None
            if opened is not None:
                first = dialog.answering.first
                self._document.storage.read(tr("Opening the table"), lambda progress: opened, first=first)
                self._settings.add_recent(opened[0].table.source["address"])

        self._when_safe(ask)

    def open(self, path: str | Path, target: str | None = None) -> None:
        """Opens a file: a project and a tree at once; a table after a look, or at once when its target is named. Opens
        the dialog of databases for an address."""
        if str(path).startswith(EXAMPLE):
            self.example(str(path).removeprefix(EXAMPLE))
        elif URL.match(str(path)):
            self.choose_database(str(path))
        elif is_tree(Path(path)) and not Path(path).is_dir():
            self._document.table_edits.open_tree(path)
        else:
            self._when_safe(lambda: self._open(Path(path), target))

    def _open(self, path: Path, target: str | None) -> None:
        self._settings.set("last_folder", str(path.absolute().parent))
        if path.suffix.lower() == PROJECT:
            self._load(path)
        elif target is not None:
            text = tr("Opening {name}", name=path.name)
            job = self._document.storage.read(text, file_tasks.opened, path, {"target": target})
            _afterwards(job, lambda: self._settings.add_recent(path))
        else:
            self._document.jobs.run(
                tr("Looking at {name}", name=path.name), file_tasks.look, path, key="open",
                done=lambda found: self._decide(found[0], found[1], path),
                failed=lambda error: self._on_failed(error, path),
            )  # fmt: skip

    def _load(self, path: Path, copy: Copy | None = None, data: Path | str | None = None) -> None:
        """Opens a project, or a copy: until that has succeeded it stays where it is, to be offered anew."""

        def failed(error: Exception) -> None:
            def again(data: Path | str) -> None:
                self._load(path, copy, data)

            if isinstance(error, PasswordRefused) and isinstance(data, str):
                self._ask_password(error, path, data, again)
            else:
                self._on_project_failed(error, path, again)

        autosave, original = self._autosave, (copy.original, copy.name) if copy is not None else None
        job = self._document.storage.load(path, data=data, copy_of=original, failed=failed)
        if copy is None:
            _afterwards(job, lambda: self._settings.add_recent(path))
        elif autosave is not None:
            _afterwards(job, lambda: setattr(autosave, "adopted", copy))

    def paste(self) -> None:
        def ask() -> None:
            dialog = PasteDialog(self._document.jobs, self._window)
            if _accepted(dialog) and dialog.preview is not None:
                self._decide(dialog.preview, None, None, dialog.text)

        self._when_safe(ask)

    def example(self, name: str) -> None:
        read = self._document.storage.read
        self._when_safe(lambda: read(tr("Opening the example"), file_tasks.example, name))

    def copy(self, copy: Copy) -> None:
        """Opens an autosaved copy; it stays until the work is saved or a new copy is written."""
        self._when_safe(lambda: self._load(copy.path, copy))

    def _on_failed(self, error: Exception, path: Path) -> None:
        if sentence := words_for(error):
            messages.error(sentence)
        if not path.exists():
            self._settings.remove_recent(path)

    def _on_project_failed(self, error: Exception, path: Path, again: Callable[[Path | str], None]) -> None:
        """A project whose table has moved can be told where it is now; `again` then opens it with that table."""
        from engine.project import MissingData, OnServer  # here, as it brings the compiler along

        if isinstance(error, OnServer):
            address = error.address
            messages.offer(str(error), (tr("Connect"), lambda: self._when_safe(lambda: again(address))))
        elif isinstance(error, MissingData):
            moved = error.path
            messages.offer(str(error), (tr("Choose the file…"), lambda: self._find_data(path, moved, again)))
        else:
            self._on_failed(error, path)

    def _ask_password(self, error: Exception, project: Path, address: str, again: Callable[[str], None]) -> None:
        """Opens a project again, by an address with the password that is typed."""
        told = without_password(address)
        dialog = PasswordDialog(one_line(place_and_table(told)[0]), str(error) if address != told else "", self._window)
        if _accepted(dialog):
            again(with_password(told, dialog.password))
        else:
            self._on_failed(error, project)

    def _find_data(self, project: Path, before: Path, again: Callable[[Path | str], None]) -> None:
        title, folder = readable(tr("Where is “{name}” now?", name=before.name)), str(project.parent)
        kinds = filters(tables_only=True)
        if before.suffix:
            data, _ = QFileDialog.getOpenFileName(self._window, verbatim.window_title(title), folder, kinds)
        else:
            data = QFileDialog.getExistingDirectory(self._window, verbatim.window_title(title), folder)
        if data:
            self._when_safe(lambda: again(Path(data)))

    def _decide(
        self, preview: "engine.Preview", room: "engine.Room | None", path: Path | None, text: str | None = None
    ) -> None:
        dialog = ImportDialog(preview, self._document.jobs, self._window, text=text, room=room)
        opened = dialog.opened if _accepted(dialog) else None  # the dialog has read it, to show a refusal itself
        if opened is not None:
            words = tr("Opening {name}", name=path.name) if path is not None else tr("Opening the pasted table")
            self._document.storage.read(words, lambda progress: opened, first=dialog.answering.first)
            if path is not None:
                self._settings.add_recent(path)


def _accepted(dialog: QDialog) -> bool:
    """Shows a dialog, which goes once its answer was looked at."""
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return accepted


def _afterwards(job: Job, call: Callable[[], None]) -> None:
    """Calls it once a file was opened: what cannot be opened is not to be offered again."""
    open_it = job.done

    def done(found: Any) -> None:
        if open_it is not None:
            open_it(found)
        call()

    job.done = done
