"""From a file to a table: choose, look, decide in the dialog, read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QFileDialog

from engine.runtime.errors import readable
from gui import messages
from gui.dialogs.import_dialog import ImportDialog
from gui.dialogs.paste_dialog import PasteDialog
from gui.files.autosave import Copy
from gui.files.saving import PROJECT_SUFFIX
from gui.model import file_tasks
from gui.model.jobs import Job, words_for
from gui.widgets import verbatim

if TYPE_CHECKING:
    from engine.readers import Preview
    from gui.window.window import Window

TABLES = "*.csv *.tsv *.tab *.txt *.xlsx *.xlsm *.xls *.ods *.parquet *.pq *.feather *.arrow"
EXAMPLE = "example:"  # what stands before the name of an example on the command line
FILTERS = (
    f"All that Espalier opens ({TABLES} *{PROJECT_SUFFIX} *.json)",
    f"Tables ({TABLES})",
    f"Projects (*{PROJECT_SUFFIX})",
    "Trees (*.json)",
    "All files (*)",
)


class Opening:
    """Opens tables, projects, trees and examples in a window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document
        self._jobs = window.document.jobs

    def choose(self) -> None:
        """Asks for a file and opens it."""
        settings = self._window.settings
        path, _ = QFileDialog.getOpenFileName(self._window, "Open", settings.value("last_folder"), ";;".join(FILTERS))
        if path:
            self.open(path)

    def open(self, path: str | Path, target: str | None = None) -> None:
        """Opens a file: a project and a tree at once; a table after a look, or at once when its target is named."""
        if str(path).startswith(EXAMPLE):
            self.example(str(path).removeprefix(EXAMPLE))
            return
        path = Path(path)
        if path.suffix.lower() == ".json":
            self._document.table_edits.open_tree(path)
            return
        self._window.when_safe(lambda: self._open(path, target))

    def _open(self, path: Path, target: str | None) -> None:
        self._window.settings.set("last_folder", str(path.absolute().parent))
        if path.suffix.lower() == PROJECT_SUFFIX:
            self._open_project(path)
        elif target is not None:
            job = self._document.storage.read(f"Opening {path.name}", file_tasks.opened, path, {"target": target})
            self._remember_when_open(job, path)
        else:
            self._look(path)

    def _open_project(self, path: Path, data: Path | None = None) -> None:
        job = self._document.storage.load(
            path,
            data=data,
            failed=lambda error: self._on_project_failed(error, path, lambda data: self._open_project(path, data)),
        )
        self._remember_when_open(job, path)

    def paste(self) -> None:
        """Asks for a pasted or typed table and opens it."""
        self._window.when_safe(self._paste)

    def _paste(self) -> None:
        dialog = PasteDialog(self._window, self._jobs)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        text, preview = dialog.text, dialog.preview
        dialog.deleteLater()
        if accepted and preview is not None:
            self._decide(preview, None, text)

    def example(self, name: str) -> None:
        """Opens a shipped example."""
        self._window.when_safe(lambda: self._document.storage.read("Opening the example", file_tasks.example, name))

    def copy(self, copy: Copy) -> None:
        """Opens an autosaved copy; it stays until the work is saved or a new copy is written."""
        self._window.when_safe(lambda: self._open_copy(copy))

    def _open_copy(self, copy: Copy, data: Path | None = None) -> None:
        """Opens a copy; until that has succeeded it stays where it is, to be offered at the next start again."""
        job = self._document.storage.load(
            copy.path,
            data=data,
            copy_of=(copy.original, copy.name),
            failed=lambda error: self._on_project_failed(error, copy.path, lambda data: self._open_copy(copy, data)),
        )
        open_it = job.done

        def done(found: Any) -> None:
            if open_it is not None:
                open_it(found)
            if self._window.autosave is not None:
                self._window.autosave.adopt(copy)

        job.done = done

    def _look(self, path: Path) -> None:
        self._jobs.run(
            f"Looking at {path.name}",
            file_tasks.look,
            path,
            done=lambda preview: self._decide(preview, path),
            failed=lambda error: self._on_failed(error, path),
            key="open",
        )

    def _remember_when_open(self, job: Job, path: Path) -> None:
        """Puts a file onto the recent ones once it was read: what cannot be opened is not to be offered again."""
        open_it = job.done

        def done(found: Any) -> None:
            if open_it is not None:
                open_it(found)
            self._window.remember(path)

        job.done = done

    def _on_failed(self, error: Exception, path: Path) -> None:
        sentence = words_for(error)
        if sentence:
            messages.error(sentence)
        if not os.path.exists(path):
            self._window.forget(path)

    def _on_project_failed(self, error: Exception, path: Path, again: Callable[[Path], None]) -> None:
        """A project whose table has moved can be told where it is now; `again` then opens it with that table."""
        from engine.project import MissingData

        if isinstance(error, MissingData):
            messages.offer(str(error), ("Choose the file…", lambda: self._find_data(path, error.path, again)))
        else:
            self._on_failed(error, path)

    def _find_data(self, project: Path, before: Path, again: Callable[[Path], None]) -> None:
        words = readable(f"Where is “{before.name}” now?")
        data, _ = QFileDialog.getOpenFileName(
            self._window, verbatim.window_title(words), str(project.parent), ";;".join(FILTERS[1:2])
        )
        if data:
            self._window.when_safe(lambda: again(Path(data)))

    def _decide(self, preview: Preview, path: Path | None, text: str | None = None) -> None:
        dialog = ImportDialog(preview, self._jobs, self._window, text=text)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        opened = dialog.opened
        dialog.deleteLater()
        if accepted and opened is not None:
            words = f"Opening {path.name}" if path is not None else "Opening the pasted table"
            # The dialog has read it, to show a refusal itself.
            self._document.storage.read(words, lambda progress: opened)
            if path is not None:
                self._window.remember(path)


def dropped_path(data: Any) -> str:
    """The first local file in what is dragged; empty when there is none."""
    return next((url.toLocalFile() for url in data.urls() if url.isLocalFile()), "")
