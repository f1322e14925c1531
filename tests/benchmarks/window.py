"""`python -m tests.benchmarks.window`: how long until the window is on the screen, beside a bare one of Qt.

Each start is a process of its own, timed from before the process begins until the event loop has painted the window
for the first time. The bare window imports what ours has imported by then from other packages, and shows nothing.
On an X server: `QT_QPA_PLATFORM=xcb xvfb-run python -m tests.benchmarks.window`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
RUNS = 5
HEAVY = ("numba", "pandas", "pyarrow", "scipy")  # for the worker, after the window is there

TELL = """
import json, os, sys, time
def tell():
    packages = sys.stdlib_module_names | {"main", "engine", "gui", "__main__"}
    others = [m for m in sys.modules if m.split(".")[0] not in packages and not m.startswith("_")]
    wanted = sorted(m for m in others if "." not in m or (m.startswith("PySide6.") and m.count(".") == 1))
    print(json.dumps({"at": time.monotonic(), "cpu": time.process_time(), "imports": wanted}), flush=True)
    os._exit(0)
"""
BARE = """
import importlib
for name in {imports}:
    importlib.import_module(name)
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Bare(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, tell)
application = QApplication([])
window = Bare()
window.resize(1600, 1000)
window.show()
application.exec()
"""
OURS = """
import main
def listen():  # in the place of the last step before the window is imported
    from PySide6.QtCore import QTimer
    from gui.window.window import Window
    Window.paintEvent = lambda self, event: QTimer.singleShot(0, tell)
main.check_display = listen
main.main([])
"""


def start(code: str) -> tuple[float, float, list[str]]:
    """(seconds until the window was painted, seconds of CPU, what was imported from other packages)."""
    with tempfile.TemporaryDirectory(prefix="espalier-benchmark-") as home:
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "ESPALIER_HOME": home}
        begin = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", TELL + code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
    told = json.loads(done.stdout)
    return told["at"] - begin, told["cpu"], told["imports"]


def report() -> None:
    """Prints the medians, and how many times as long as the bare window ours takes."""
    _, _, imports = start(OURS)
    cases = {"bare window": BARE.format(imports=[]), "with our imports": BARE.format(imports=imports), "ours": OURS}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(RUNS):  # in turn, so that whatever else the machine does meets all of them
        for name, code in cases.items():
            times[name].append(start(code)[:2])
    wall = {name: median(at for at, _ in found) for name, found in times.items()}
    for name, found in times.items():
        cpu = median(seconds for _, seconds in found)
        print(f"{name:<17} {1000 * wall[name]:5.0f} ms until it is painted, {1000 * cpu:5.0f} ms of CPU")
    ratio = wall["ours"] / wall["with our imports"]
    work = median(seconds for _, seconds in times["ours"]) / median(seconds for _, seconds in times["with our imports"])
    print(f"ours takes {ratio:.2f} times as long as the bare one with our imports, {work:.2f} times its CPU")
    print(f"imported by then: {', '.join(imports)}")
    early = [name for name in HEAVY if name in imports]
    print(f"too early: {', '.join(early)}" if early else f"left to the worker: {', '.join(HEAVY)}")


if __name__ == "__main__":
    report()
