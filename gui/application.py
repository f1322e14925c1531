"""Starts the window: application, theme, crash net, document, autosave; warms the engine up in the background."""

import contextlib
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from engine.runtime.sentences import marked, tr
from gui import language, messages, settings, theme
from gui.crash import CrashNet
from gui.desktop import APP_ID
from gui.files.autosave import Autosave, Copy, left_behind, lock_of, remove_left
from gui.garbage import GarbageCollector, keep_memory
from gui.model.document import Document
from gui.window.window import Window

log = logging.getLogger("espalier")
FIRST_START = marked(
    "First start: the search is being compiled in the background. "
    "Until then, first answers on large tables take up to a minute."
)
UNFINISHED = marked("The last start did not finish, so the window is where it was at first.")
GIVE_WAY = 0.05  # seconds between looks at whether anything works
WARM_SECONDS = 2.0  # how long the end of the program waits for the compiler


class WarmUp(threading.Thread):
    """Compiles the kernels, or loads them from the cache, in a quiet thread, so that the first split is quick.

    It gives way: while something else works, small tables need no compiler, and two threads of Python only hinder
    each other."""

    def __init__(self, busy: Callable[[], bool] = lambda: False) -> None:
        super().__init__(name="espalier-warm-up", daemon=True)
        self._busy = busy
        self._ended = threading.Event()

    def end(self) -> bool:
        self._ended.set()
        if self.ident is not None:
            self.join(WARM_SECONDS)
        return not self.is_alive()

    def _stopped(self) -> bool:
        """Whether to stop; waits while something else works."""
        while self._busy() and not self._ended.wait(GIVE_WAY):
            pass
        return self._ended.is_set()

    def run(self) -> None:
        try:
            import engine  # these bring the compiler, which would make the start wait
            from engine.runtime.compiler import compiled_before, keep_compiled, remove_old_caches
            from gui.picture import levels

            if not compiled_before():
                messages.info(tr(FIRST_START))
            engine.warm_up(stopped=self._stopped)
            if not self._stopped():
                levels.warm_up()
                keep_compiled()
                remove_old_caches()
        except Exception:  # the same fault will show itself, with its place, when the engine is used
            log.exception("warming up failed")


class StartMark:
    """A lock file that stands while the program starts: one that was left tells of a start that did not finish.

    That may have been a crash of Qt over a layout of the panels."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "starting.lock"
        self._lock = lock_of(self._path)

    def begin(self) -> bool:
        left = remove_left(self._path)
        if not self._path.exists():
            self._lock.tryLock(0)
        return not left

    def end(self) -> None:
        self._lock.unlock()


def run(path: str | None = None, target: str | None = None, smoke: bool = False) -> int:
    """Opens the window and works until it is closed; returns the exit code: 0, or 1 when the smoke test failed. `path`
    is a table, a project or a tree to open, `target` the column to predict: a table is then opened without the dialog.
    `smoke` makes one split in a small table, and ends: a test of the installation."""
    with contextlib.ExitStack() as ends:
        if smoke:  # a test leaves nothing in the person's folders
            os.environ["ESPALIER_HOME"] = ends.enter_context(tempfile.TemporaryDirectory(prefix="espalier-"))
        return _run(path, target, smoke)


def _run(path: str | None, target: str | None, smoke: bool) -> int:
    keep_memory()
    application = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    application.setApplicationName("espalier")
    application.setApplicationDisplayName("Espalier")
    application.setDesktopFileName(APP_ID)
    application.setQuitOnLastWindowClosed(True)
    net = CrashNet(settings.log_path())
    net.activate()
    remembered, mark = settings.Settings(), StartMark(settings.folder("config"))
    kept = remembered.value
    language.use(application, kept("language"))
    begin(mark, remembered)
    theme.set_mode(kept("theme"))
    theme.set_text_size(kept("text_size"))
    theme.apply(application)
    document = Document(undo_limit=kept("undo_limit"))
    folder = settings.folder("data") / "autosave"
    autosave = Autosave(document, folder, kept("autosave_seconds")) if kept("autosave") else None
    window = Window(document, remembered, autosave)
    for sentence in remembered.repaired:
        messages.of_program(sentence)
    window.show()
    garbage = GarbageCollector()
    warm = WarmUp(lambda: document.jobs.busy)
    for later in (mark.end, warm.start):  # after the first picture, which the import of the compiler would delay
        QTimer.singleShot(0, later)
    if smoke:
        code = _smoke(application, window, net)
    else:
        offer_copies(window, left_behind(folder))
        if path is not None:
            QTimer.singleShot(0, lambda: window.opening.open(path, target))
        code = int(application.exec())
    document.shutdown()
    garbage.end()
    net.deactivate()
    if not warm.end():
        _leave_at_once(code)
    return code


def begin(mark: StartMark, remembered: settings.Settings) -> None:
    """Marks the start; after one that did not finish, what Qt is handed to put the window in place is forgotten."""
    if not mark.begin() and not remembered.value("geometry").isEmpty():
        remembered.forget("geometry")
        messages.of_program(tr(UNFINISHED))


def offer_copies(window: Window, copies: list[Copy]) -> None:
    for copy in copies:
        messages.offer(
            tr("Espalier ended unexpectedly: open the autosaved copy of “{name}” from {time}?", name=copy.name,
               time=copy.time_words),
            (tr("Open"), partial(window.opening.copy, copy)),
            (tr("Discard"), copy.remove),
        )  # fmt: skip


def _smoke(application: QApplication, window: Window, net: CrashNet) -> int:
    """Opens an example, splits it once, and closes; 0 when the split arrived, 1 when anything went wrong."""
    document = window.document
    document.treeChanged.connect(lambda _, tree: application.exit(0) if tree and tree.n_leaves > 1 else None)
    document.tableChanged.connect(lambda: QTimer.singleShot(0, document.tree_edits.split_best_anywhere))
    net.caught.connect(lambda report: application.exit(1))
    window.opening.example("cats")
    QTimer.singleShot(120_000, lambda: application.exit(1))
    code = int(application.exec())
    document.history.stack.setClean()
    window.close()
    return code


def _leave_at_once(code: int) -> None:
    """Ends the process while the compiler is still busy: it cannot be interrupted, and nothing is left to write."""
    logging.shutdown()
    if "engine.runtime.kernel_cache" in sys.modules:  # nothing is imported now
        sys.modules["engine.runtime.kernel_cache"].remove_temporary()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
