"""An exception that nobody expected: logged, shown, copyable; the program goes on."""

import faulthandler
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QPushButton

from gui.crash import SHOWN_AT_MOST, CrashNet

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def net(home, capfd):
    made = CrashNet(home / "espalier.log")
    made.activate()
    yield made
    made.deactivate()


def fail(words="a wrong turn"):
    raise RuntimeError(words)


def caught(call=fail):
    """The three things that a hook gets."""
    try:
        call()
    except Exception:
        return sys.exc_info()


def test_a_report_is_shown_and_logged(qtbot, net):
    net.report(*caught())
    qtbot.waitUntil(lambda: net.dialog is not None and net.dialog.isVisible())
    text = net.dialog.text.toPlainText()
    assert "RuntimeError: a wrong turn" in text and "Python 3" in text and "Qt 6" in text
    log = net.path.read_text(encoding="utf-8")
    assert "a wrong turn" in log and "in fail" in log


def test_the_report_can_be_copied_and_the_dialog_closed(qtbot, net):
    net.report(*caught())
    qtbot.waitUntil(lambda: net.dialog is not None)
    qtbot.mouseClick(net.dialog.findChild(QPushButton, "crash_copy"), Qt.MouseButton.LeftButton)
    assert "a wrong turn" in QGuiApplication.clipboard().text()
    close = net.dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close)
    qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert net.dialog is None


def test_many_reports_share_one_dialog(qtbot, net):
    for i in range(SHOWN_AT_MOST + 10):
        net.report(*caught(lambda i=i: fail(f"number {i}.")))
    qtbot.waitUntil(lambda: net.dialog is not None and "number 5." in net.dialog.text.toPlainText())
    qtbot.waitUntil(lambda: f"number {SHOWN_AT_MOST - 1}." in net.dialog.text.toPlainText())
    assert f"number {SHOWN_AT_MOST + 1}." not in net.dialog.text.toPlainText()
    assert f"number {SHOWN_AT_MOST + 9}." in net.path.read_text(encoding="utf-8")


def test_other_threads_are_caught_too(qtbot, net):
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: net.dialog is not None)
    assert "a wrong turn" in net.dialog.text.toPlainText()


def test_a_log_that_cannot_be_written_does_no_harm(qtbot, tmp_path, capfd):
    (tmp_path / "file").write_text("")
    net = CrashNet(tmp_path / "file" / "espalier.log")
    net.activate()
    net.report(*caught())
    qtbot.waitUntil(lambda: net.dialog is not None)
    net.deactivate()
    assert "a wrong turn" in capfd.readouterr().err


def test_the_hooks_are_given_back(home):
    before = sys.excepthook, threading.excepthook, faulthandler.is_enabled()
    net = CrashNet(home / "espalier.log")
    net.activate()
    assert sys.excepthook != before[0]
    net.deactivate()
    assert (sys.excepthook, threading.excepthook, faulthandler.is_enabled()) == before


PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui.crash import CrashNet
application = QApplication([])
net = CrashNet(Path(sys.argv[1]))
net.activate()
QTimer.singleShot(0, lambda: 1 / 0)
QTimer.singleShot(200, lambda: (print("still here", net.dialog.isVisible()), application.quit()))
application.exec()
net.deactivate()
"""


def test_an_exception_in_a_slot_of_a_real_program(tmp_path):
    log = tmp_path / "espalier.log"
    done = subprocess.run([sys.executable, "-c", PROGRAM, log], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout.strip() == "still here True"
    assert "ZeroDivisionError" in log.read_text(encoding="utf-8")


def test_what_is_no_text_is_logged_all_the_same(qtbot, net, capfd, monkeypatch):
    monkeypatch.setattr(logging.getLogger("espalier"), "propagate", False)  # pytest's report of it would be no text
    net.report(*caught(lambda: fail("K\udcf6ln")))
    qtbot.waitUntil(lambda: net.dialog is not None)
    assert "K\\udcf6ln" in net.path.read_text(encoding="utf-8")
    assert "Logging error" not in capfd.readouterr().err


@pytest.mark.parametrize("name", ["espalier.log", "fatal.log"])
def test_a_pipe_in_the_place_of_the_log_is_left_alone(home, name):
    os.mkfifo(home / name)  # to open it would wait for a reader
    net = CrashNet(home / "espalier.log")
    net.activate()
    net.deactivate()
    assert (home / name).is_fifo()
