"""The program: from its start to its end."""

import os
import subprocess
import sys
from pathlib import Path

from gui import application

ROOT = Path(__file__).resolve().parents[2]


PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui import application

def act():
    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "window")
    if window.document.table is None or window.document.jobs.busy:
        QTimer.singleShot(20, act)
    else:
        texts = [text for text in window.bar.texts if text != application.FIRST_START]
        print(window.document.name, window.start_page.isVisible(), texts)
        window.close()

QTimer.singleShot(0, act)
print(application.run(sys.argv[1], "kind"))
"""


def test_the_program_opens_its_argument_and_ends_with_its_window(home, file):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, file], cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == ["flowers False []", "0"], done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in home.iterdir()) == ["espalier.log", "fatal.log", "settings.json"]


def test_the_program_warms_up_and_ends(qtbot):
    warm = application.WarmUp()
    warm.start()
    qtbot.waitUntil(warm.end, timeout=120_000)


def test_a_program_that_ends_before_it_began_to_warm_up():
    assert application.WarmUp().end()


def test_warming_up_waits_while_something_works(qtbot, monkeypatch):
    jobs, asked, passed = ["reading"], [], []

    def busy():
        asked.append(len(jobs))
        return bool(jobs)

    monkeypatch.setattr("engine.warm_up", lambda stopped: passed.append((stopped(), len(jobs))))
    monkeypatch.setattr("gui.picture.levels.warm_up", lambda: None)
    monkeypatch.setattr("engine.runtime.compiler.remove_old_caches", lambda: None)
    warm = application.WarmUp(busy)
    warm.start()
    qtbot.waitUntil(lambda: len(asked) > 1)
    assert passed == []
    jobs.clear()
    qtbot.waitUntil(lambda: passed == [(False, 0)])
    qtbot.waitUntil(warm.end)


def test_a_program_that_ends_does_not_wait_for_what_works(qtbot, monkeypatch):
    monkeypatch.setattr("engine.warm_up", lambda stopped: stopped())
    warm = application.WarmUp(lambda: True)
    warm.start()
    qtbot.waitUntil(warm.end)


def test_what_old_versions_compiled_goes_when_it_is_warm(qtbot, monkeypatch):
    done = []
    monkeypatch.setattr("engine.warm_up", lambda stopped: done.append("warm"))
    monkeypatch.setattr("gui.picture.levels.warm_up", lambda: done.append("drawing"))
    monkeypatch.setattr("engine.runtime.compiler.remove_old_caches", lambda: done.append("old ones removed"))
    warm = application.WarmUp()
    warm.start()
    qtbot.waitUntil(lambda: done == ["warm", "drawing", "old ones removed"])
    assert warm.end()
