"""What a start costs: compiling all kernels, loading them, and the window beside a bare one with the same imports.

Every figure is of a fresh process, from its beginning to its end.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from tests.conftest import ROOT

WARM_UP = """
import json, time
begin = time.perf_counter()
import engine
engine.warm_up()
print(json.dumps([time.perf_counter() - begin, time.process_time()]))
"""

# The program until its window is painted; it then leaves, and says what it had imported before the first event (what
# comes later is imported beside the window, and a bare one does without).
WINDOW = """
import json, os, sys
from PySide6.QtWidgets import QApplication
import gui.application as application
def leave(*_):
    modules = [name for name in sys.modules if name.partition(".")[0] not in ("gui", "engine", "__main__")]
    QApplication.processEvents()
    print(json.dumps(modules))
    sys.stdout.flush()
    os._exit(0)
application._work = leave
application.run()
"""

BARE = """
import contextlib, importlib, os, sys
for name in sys.argv[1:]:
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(1200, 800)
window.show()
QApplication.processEvents()
os._exit(0)
"""
STARTS = 5


def run(code: str, *arguments: str, **environment: str) -> tuple[str, float]:
    """(the last line that a fresh Python prints, its seconds)."""
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, env={**os.environ, **environment}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return (done.stdout.splitlines() or [""])[-1], time.perf_counter() - begin


def compiling() -> dict[str, Any]:
    """Seconds of all kernels: compiled into an empty folder, and loaded from it."""
    seconds: dict[str, list[float]] = {}
    cpu: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        for step in ("compile", "load", "load", "load"):
            wall, own = json.loads(run(WARM_UP, NUMBA_CACHE_DIR=folder)[0])
            seconds.setdefault(step, []).append(wall)
            cpu.setdefault(step, []).append(own)
    return {"seconds": seconds, "cpu": cpu}


def window() -> dict[str, Any]:
    """Seconds from the start of the process until the window is painted, and of a bare one with the same imports."""
    seconds: dict[str, list[float]] = {"window": [], "bare": []}
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        for _ in range(STARTS):
            modules, taken = run(WINDOW, ESPALIER_HOME=folder, QT_QPA_PLATFORM="offscreen")
            seconds["window"].append(taken)
            seconds["bare"].append(run(BARE, *json.loads(modules), QT_QPA_PLATFORM="offscreen")[1])
    return {"seconds": seconds}
