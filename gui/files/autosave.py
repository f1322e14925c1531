"""Keeps a copy of unsaved work, and finds it again after a crash.

Each running program owns one lock file in the folder and writes its copy beside it. A copy whose lock nobody
holds was left by a program that ended unexpectedly."""

import contextlib
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QObject, QTimer

from engine.formats import PROJECT
from engine.runtime.errors import InputError
from engine.runtime.files import read_json, remove_drafts, to_json, write_whole
from engine.runtime.sentences import marked, tr
from gui import messages
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.jobs import Job, words_for

LAST_MOMENT = 253_402_214_400  # seconds until the end of the year 9999, beyond which no calendar goes
LONGEST_WAIT = 15.0  # seconds; who never rests for long gets a copy this often all the same
UNREADABLE_SECONDS = 60  # a lock that names no program, as a power cut leaves it, is nobody's after this


@dataclass(frozen=True)
class Copy:
    """An autosaved copy."""

    path: Path  # the copy
    name: str  # what the document was called
    original: Path | None  # the file that it was last saved to, or None
    saved: float  # when the copy was written, seconds since 1970

    @property
    def time_words(self) -> str:
        """When it was written: "14:32" today, else with the date."""
        moment = time.localtime(self.saved)
        today = time.strftime("%Y-%m-%d", moment) == time.strftime("%Y-%m-%d")
        return time.strftime("%H:%M" if today else "%Y-%m-%d %H:%M", moment)

    def remove(self) -> None:
        _remove_written(self.path)
        self.path.with_suffix(".lock").unlink(missing_ok=True)


class Autosave(QObject):
    """Writes a copy once some seconds have passed without an edit, or many with edits; removes it once the work is
    saved or given up."""

    def __init__(self, document: Document, folder: Path, seconds: float) -> None:
        super().__init__(document)
        self._document = document
        self._complained = False
        self.copy_path = folder / f"{uuid.uuid4().hex[:12]}{PROJECT}"
        self._lock: QLockFile | None = None
        self.adopted: Copy | None = None  # was left behind; it goes as soon as this program has a copy of its own
        # Each edit starts the first timer anew; the other runs on from the first edit that no copy holds.
        waits = (round(1000 * wait) for wait in (seconds, max(seconds, LONGEST_WAIT)))
        self._timer, self._latest = (QTimer(self, singleShot=True, interval=wait) for wait in waits)
        for timer in (self._timer, self._latest):
            timer.timeout.connect(self.write)
        self._writing: Job | None = None
        self._again = False  # the work changed while a copy was being written
        document.history.stack.indexChanged.connect(self._on_edited)
        document.modifiedChanged.connect(self._on_edited)
        document.searchChanged.connect(lambda: self._on_edited() if document.modified else None)

    def write(self) -> None:
        """Writes the copy now, in the worker; if one is being written, once that is done."""
        document, state = self._document, self._document.state
        self._timer.stop()
        self._latest.stop()
        # Asking anew would drop the copy that is nearly there, and so for ever when writing is slow.
        self._again = self._writing is not None
        if self._again or state is None or not document.modified:
            return
        about = {"name": document.name, "original": str(document.path or ""), "saved": time.time()}
        self._writing = document.jobs.run(
            tr("Keeping a copy"), _write_copy, self.copy_path, state, document.settings(), about,
            done=lambda _: self._on_written(), failed=self._on_written, key="autosave", quiet=True,
        )  # fmt: skip

    def forget(self) -> None:
        """Removes the copy: the work is saved, or was given up."""
        self._timer.stop()
        self._latest.stop()
        self._release()
        self._document.jobs.drop("autosave")
        self._writing, self._again = None, False
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
            Copy(self.copy_path, "", None, 0.0).remove()

    def _on_edited(self) -> None:
        if not self._document.modified:
            return self.forget()
        self._hold_lock()
        self._timer.start()
        if not self._latest.isActive():
            self._latest.start()

    def _hold_lock(self) -> None:
        if self._lock is None:
            try:
                self.copy_path.parent.mkdir(parents=True, exist_ok=True)
                lock = lock_of(self.copy_path.with_suffix(".lock"))
                self._lock = lock if lock.tryLock(0) else None
            except OSError as error:
                self._on_failed(error)

    def _release(self) -> None:
        if self.adopted is not None:
            self.adopted.remove()
            self.adopted = None

    def _on_written(self, error: Exception | None = None) -> None:
        """Writes once more what was edited meanwhile, and what a person stopped together with other work."""
        stopped = error is None and self._writing is not None and self._writing.stopped
        if error is not None:
            self._on_failed(error)
        elif not stopped:
            self._release()
        again, self._writing = self._again or stopped, None
        if again:
            self.write()

    def _on_failed(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            reason = words_for(error) or error
            messages.of_program(tr("No copy of unsaved work can be kept: {reason}", reason=reason))


def _write_copy(path: Path, state: Any, settings: dict[str, Any], about: dict[str, Any], progress: Any) -> None:
    file_tasks.saved(path, state, settings, progress)
    write_whole(path.with_suffix(".json"), [to_json(about)])
    if progress.stopped:  # the work was saved or given up meanwhile; the lock may guard another copy by now
        _remove_written(path)


def _remove_written(path: Path) -> None:
    for suffix in (PROJECT, ".json"):
        path.with_suffix(suffix).unlink(missing_ok=True)


def left_behind(folder: Path) -> list[Copy]:
    """The copies that programs left which ended unexpectedly, the newest first. What else they left is removed."""
    found = []
    remove_drafts(folder)
    for path in folder.glob("*.lock"):
        if not path.with_suffix(PROJECT).exists() and remove_left(path):
            _remove_written(path)
    for path in folder.glob(f"*{PROJECT}"):
        lock = path.with_suffix(".lock")
        if remove_left(lock) or not lock.exists():
            with contextlib.suppress(OSError):  # another start took it away meanwhile
                found.append(_described(path))
    return sorted(found, key=lambda copy: -copy.saved)


def _described(path: Path) -> Copy:
    """The copy with what is written about it, as far as it can be used."""
    modified = path.stat().st_mtime
    try:
        about = read_json(path.with_suffix(".json"), marked("description"))
    except InputError:
        about = {}
    name, original, saved = about.get("name"), about.get("original"), about.get("saved")
    name = name if isinstance(name, str) and name else tr("unsaved work")
    original = Path(original) if isinstance(original, str) and original else None
    when = float(saved) if isinstance(saved, int | float) and 0 <= saved <= LAST_MOMENT else modified
    return Copy(path, name, original, when)


def lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # stale means: its program is gone, not: it is old
    return lock


def remove_left(path: Path) -> bool:
    """Removes the lock file of a program that is gone; whether there was one."""
    if not path.is_file():
        return False
    lock = lock_of(path)
    if lock.tryLock(0):
        lock.unlock()
        return True
    with contextlib.suppress(OSError):
        if not lock.getLockInfo()[0] and path.stat().st_mtime < time.time() - UNREADABLE_SECONDS:
            path.unlink()
            return True
    return False
