"""The last net: an exception that nobody expected is logged and shown, and the document stays as it was."""

import contextlib
import faulthandler
import logging
import logging.handlers
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit

from engine.runtime.sentences import tr
from gui.dialogs.help_dialogs import about
from gui.widgets import verbatim
from gui.widgets.building import named
from gui.widgets.labels import closing, stack

log = logging.getLogger("espalier")
LOG_BYTES = 1 << 20
SHOWN_AT_MOST = 20  # reports in one dialog; a fault in a paint event would else fill the memory


class CrashNet(QObject):
    """Catches unexpected exceptions of all threads, from `activate` to `deactivate`."""

    caught = Signal(str)  # the report in words

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.dialog: CrashDialog | None = None
        self._ends = contextlib.ExitStack()  # what is open while it is active
        self.caught.connect(self._on_caught, Qt.ConnectionType.QueuedConnection)

    def activate(self) -> None:
        """Opens the log and takes the hooks. Without a log that can be written, errors go to stderr only."""
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self.report
        threading.excepthook = lambda args: self.report(args.exc_type, args.exc_value, args.exc_traceback)
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fatal = self.path.with_name("fatal.log")
            if any(path.exists() and not path.is_file() for path in (self.path, fatal)):
                return  # opening a pipe waits for its reader
            handler = logging.handlers.RotatingFileHandler(
                self.path, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8", errors="backslashreplace"
            )
            self._ends.callback(handler.close)
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
            log.addHandler(handler)
            self._ends.callback(log.removeHandler, handler)
            log.setLevel(logging.INFO)
            if not faulthandler.is_enabled():
                faulthandler.enable(self._ends.enter_context(fatal.open("a", encoding="utf-8")))
                self._ends.callback(faulthandler.disable)

    def deactivate(self) -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
        self._ends.close()
        if self.dialog is not None:
            self.dialog.close()

    def report(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        """Logs an exception and shows it; a keyboard interrupt ends the program. Any thread may call it."""
        if issubclass(kind, KeyboardInterrupt):
            return QGuiApplication.quit()
        text = "".join(traceback.format_exception(kind, error, trace))
        log.error("unexpected exception\n%s", text)
        print(text, file=sys.stderr, end="")
        self.caught.emit(text)

    def _on_caught(self, text: str) -> None:
        if self.dialog is None:
            self.dialog = CrashDialog(QApplication.activeWindow(), self.path)
            self.dialog.finished.connect(self.dialog.deleteLater)
            self.dialog.finished.connect(lambda: setattr(self, "dialog", None))
            self.dialog.open()
        self.dialog.add(text)


class CrashDialog(QDialog):
    """Says that something went wrong and gives the report to copy."""

    def __init__(self, parent: Any, path: Path) -> None:
        super().__init__(parent)
        self.setObjectName("crash_dialog")
        self.setWindowTitle(tr("Something went wrong — Espalier"))
        self._reports = 0
        words = verbatim.label(
            tr(
                "Something went wrong, and Espalier stopped what it was doing. Your table and your tree are as they "
                "were before; you can go on. The report below is also in the log, {path}.", path=path,
            ),
            wordWrap=True,
        )  # fmt: skip
        self.text = named(QPlainTextEdit(readOnly=True), "crash_text", tr("Error report"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setPlainText(about())
        buttons = closing(self)
        self.copy = buttons.addButton(tr("Copy report"), buttons.ButtonRole.ActionRole)
        self.copy.setObjectName("crash_copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        stack(self, words, (self.text, 1), buttons, margins=(12, 12, 12, 12))
        self.resize(760, 440)

    def add(self, report: str) -> None:
        """Adds a report; after many of them the rest is in the log only."""
        self._reports += 1
        if self._reports <= SHOWN_AT_MOST:
            self.text.appendPlainText(f"\n{report.rstrip()}")
