"""How tables, projects and trees come into the document, and how a project is written. All of it in the worker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtGui import QUndoStack

from gui import messages
from gui.model import file_tasks
from gui.model.editing.edits import Edits
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import Job
from gui.model.view_state.view_options import Look
from gui.wording import hand_phrases

Failed = Callable[[Exception], None]


class Stored(Host, Protocol):
    """What a document is opened and saved by."""

    look: Look

    @property
    def undo_stack(self) -> QUndoStack: ...
    @property
    def path(self) -> Path | None: ...
    @property
    def name(self) -> str: ...
    @property
    def modified(self) -> bool: ...
    @property
    def start(self) -> Callable[..., None]: ...

    def settings(self) -> dict[str, Any]: ...
    def set_path(self, path: Path, settings: dict[str, Any]) -> None: ...


class Storage:
    """The way from files and to files of one document."""

    def __init__(self, document: Stored, edits: Edits) -> None:
        self._document, self._edits = document, edits

    def read(self, text: str, function: Callable[..., file_tasks.Opened], *args: Any) -> Job:
        """Starts anew with what a function of `gui.model.file_tasks` reads."""

        def start(opened: file_tasks.Opened) -> None:
            focus = {} if opened.focus is None else {opened.state.tree.target: opened.focus}
            self._document.start(opened.state, settings={"focus": focus})
            for note in opened.state.table.notes:
                messages.info(note)

        return self._open(text, function, *args, start=start)

    def load(
        self,
        path: Path,
        *,
        data: Path | None = None,
        copy_of: tuple[Path | None, str] | None = None,
        failed: Failed | None = None,
    ) -> Job:
        """Opens a project.

        Args:
            data: where its table is now, if it is not where the project says.
            copy_of: for an autosaved copy its original (path, name): it is shown as that, with something to save.
            failed: gets the error instead of the messages.
        """

        def start(found: tuple[State, dict[str, Any], tuple[str, ...]]) -> None:
            state, settings, problems = found
            original, name = copy_of or (path, path.stem)
            self._document.start(state, name=name, path=original, settings=settings, unsaved=copy_of is not None)
            for problem in problems:
                messages.warning(hand_phrases.in_places(problem, state.tree))

        picture = self._document.look.picture_options()
        return self._open(f"Opening {path.name}", file_tasks.loaded, path, data, picture, start=start, failed=failed)

    def save(self, path: Path | None = None, then: Callable[[], None] | None = None) -> None:
        """Writes the project, to its own file if no other is named, once the edits that are on their way have arrived;
        `then` is called once it is written."""
        to = path if path is not None else self._document.path
        if to is not None and self._document.state is not None:
            self._edits.afterwards(lambda: self._save(to, then))

    def _save(self, path: Path, then: Callable[[], None] | None) -> None:
        document, stack = self._document, self._document.undo_stack
        assert document.state is not None
        state, beginning, settings = document.state, document.beginning, document.settings()

        def done(written: Path) -> None:
            if document.beginning is not beginning:
                return  # the file belongs to what was shown before
            document.set_path(written, settings)
            if document.state is state:
                stack.setClean()
            else:  # edited meanwhile: no state on the stack is the written one for sure
                stack.resetClean()
            if then is not None:
                then()

        document.jobs.run(f"Saving {path.name}", file_tasks.saved, path, state, settings, done=done, key="save")

    def _open(
        self,
        text: str,
        function: Callable[..., Any],
        *args: Any,
        start: Callable[[Any], None],
        failed: Failed | None = None,
    ) -> Job:
        """Runs a reading function; edits that were made meanwhile are not thrown away without a question."""
        before = self._document.state

        def done(found: Any) -> None:
            document = self._document
            if not self._edits.running and (document.state is before or not document.modified):
                start(found)
                return
            messages.offer(
                f"{text} is done, but “{document.name}” was changed in the meantime.",
                ("Discard changes", lambda: start(found)),
                ("Keep changes", lambda: None),
            )

        return self._document.jobs.run(text, function, *args, done=done, failed=failed, key="open")
