"""`python -m tests.benchmarks.responsiveness`: how long the window stands still while a large tree grows.

A real window without a display, a made-up table, and Go: a timer of 2 ms notes how far apart the turns of the event
loop are, until the worker is done and then until the tree is painted. Then Go again, and Stop at several moments: how
long until the worker is done and until the tree is painted, and whether that tree counts right.

With --where, whatever holds the event loop for longer than the limit is written down with the stacks of all threads.
"""

import argparse
import faulthandler
import os
import tempfile
import threading
import time
from bisect import bisect_left, bisect_right
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["ESPALIER_HOME"] = tempfile.mkdtemp(prefix="espalier-benchmark-")

import numpy as np
import pandas as pd
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

import engine
from gui import theme
from gui.garbage import GarbageCollector
from gui.model import tree_tasks
from gui.model.document import Document
from gui.picture import levels
from gui.settings import Settings
from gui.window.window import Window

LIMIT = 0.05  # seconds that the event loop may stand still
TICK = 2  # milliseconds
STOPS = (0.02, 0.1, 0.3, 0.6, 0.9)  # when Stop is pressed, as shares of the time that growing took
PATIENCE = 600.0  # seconds


class Pulse(QObject):
    """The turns of the event loop, and what happens between them.

    Attributes:
        turns: when each turn came, in seconds. worked: the seconds of CPU that this thread had had by then.
        painted: when the canvas was painted last.
        moved: when progress went on, not only told the same again.
    """

    def __init__(self, window: Window, where: Path | None) -> None:
        super().__init__()
        self.turns: list[float] = []
        self.worked: list[float] = []
        self.moved: list[float] = []
        self._fraction = 0.0
        self.painted = 0.0
        self._where = where.open("a") if where else None
        self._timer = QTimer(self, interval=TICK, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_turn)
        window.canvas.installEventFilter(self)
        window.document.jobs.started.connect(self._on_started)
        window.document.jobs.progressed.connect(self._on_progressed)
        self._timer.start()

    def _on_turn(self) -> None:
        self.turns.append(time.monotonic())
        self.worked.append(time.thread_time())
        if self._where is not None:
            faulthandler.dump_traceback_later(LIMIT, file=self._where)

    def _on_started(self, text: str) -> None:
        self._fraction = 0.0

    def _on_progressed(self, fraction: float, text: str) -> None:
        if fraction > self._fraction:
            self._fraction = fraction
            self.moved.append(time.monotonic())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self._on_painted)
        return False

    def _on_painted(self) -> None:
        self.painted = time.monotonic()

    def gaps(self, begin: float, end: float) -> list[float]:
        """The longest gaps that overlap a span of time, in seconds, longest first."""
        turns = [begin, *(turn for turn in self.turns if begin < turn < end), end]
        return sorted((b - a for a, b in pairwise(turns)), reverse=True)

    def own_work(self, begin: float, end: float) -> float:
        """The seconds of CPU that this thread had in the turn that took it most; those at both ends count whole."""
        first, last = bisect_right(self.turns, begin) - 1, bisect_left(self.turns, end) + 1
        return max((b - a for a, b in pairwise(self.worked[max(first, 0) : last])), default=0.0)


class Growing:
    """Go, in the window; when the worker was done, and when the tree was on the screen."""

    def __init__(self, window: Window, pulse: Pulse) -> None:
        self.window, self.pulse = window, pulse
        self.begun = self.stopped = self.computed = self.shown = self.work = 0.0
        self._grown = tree_tasks.grown

    def run(self, stop_after: float | None = None) -> None:
        """Grows until nothing is left, or for some seconds."""

        def grown(*args: Any, **how: Any) -> Any:
            try:
                return self._grown(*args, **how)
            finally:
                self.computed = time.monotonic()
                self.work = time.thread_time() - at_stop

        document, at_stop = self.window.document, 0.0
        tree_tasks.grown = grown
        self.begun, self.computed, self.stopped = time.monotonic(), 0.0, 0.0
        document.tree_edits.grow_all()
        if stop_after is not None:
            wait_for(lambda: time.monotonic() - self.begun >= stop_after or bool(self.computed))
            self.stopped, at_stop = time.monotonic(), worker_time()
            self.window.job_status.stop.click()
        wait_for(lambda: not document.jobs.busy or (not document.edits.running and document.tree.n_leaves > 1))
        changed = time.monotonic()
        wait_for(lambda: self.pulse.painted >= changed or document.tree.n_leaves == 1)
        self.shown = time.monotonic()
        tree_tasks.grown = self._grown

    def back(self) -> None:
        """Takes the tree back."""
        self.window.document.undo()
        wait_for(lambda: not self.window.document.jobs.busy)


def wait_for(condition: Any) -> None:
    """Turns the event loop until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("nothing happened for ten minutes")
        QApplication.processEvents()
        time.sleep(0.0002)


def worker_time() -> float:
    """The seconds of CPU that the window's worker has had."""
    worker = next(thread for thread in threading.enumerate() if thread.name == "espalier-worker")
    assert worker.ident is not None
    return time.clock_gettime(time.pthread_getcpuclockid(worker.ident))


def made_up(rows: int, columns: int) -> pd.DataFrame:
    """Normal columns, and a target of one effect, one interaction and as much noise."""
    random = np.random.default_rng(0)
    x = random.normal(size=(rows, columns))
    y = x[:, 0] + x[:, 1] * x[:, 2] + random.normal(size=rows) > 0
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(columns)])
    return frame.assign(y=pd.Categorical.from_codes(y.astype(np.int8), ["no", "yes"]))


def is_valid(table: engine.Table, tree: engine.Tree) -> bool:
    """Whether the tree's counts are those of the table's rows."""
    again, problems = engine.recount(tree, table)
    return not problems and again.n_leaves == tree.n_leaves and bool(np.array_equal(again.train, tree.train))


def words(seconds: list[float]) -> str:
    """The three longest of some gaps, in milliseconds."""
    return ", ".join(f"{1000 * gap:.0f}" for gap in seconds[:3])


def report(rows: int, columns: int, where: Path | None) -> None:
    """Runs everything and prints one line for each thing measured."""
    application = QApplication.instance() or QApplication(["espalier"])
    theme.apply(application)
    engine.warm_up()
    levels.warm_up()
    document = Document()
    window = Window(document, Settings())
    window.resize(1600, 1000)
    window.show()
    garbage = GarbageCollector()
    table = engine.Table.from_frame(made_up(rows, columns), target="y")
    document.set_table(table)
    wait_for(lambda: not document.jobs.busy)
    pulse = Pulse(window, where)
    growing = Growing(window, pulse)
    growing.run()
    duration = growing.computed - growing.begun
    moved = [t for t in pulse.moved if growing.begun <= t <= growing.computed]
    still = max(b - a for a, b in pairwise([growing.begun, *moved, growing.computed]))
    print(f"{rows:,} rows × {columns}: {document.tree.n_leaves:,} leaves in {duration:.2f} s")
    print(f"  longest gaps while it grows    {words(pulse.gaps(growing.begun, growing.computed))} ms")
    print(f"  longest gaps until it is shown {words(pulse.gaps(growing.computed, growing.shown))} ms", end="")
    print(f", {1000 * (growing.shown - growing.computed):.0f} ms in all")
    print(f"  progress moves {len(moved)} times, {len(moved) / duration:.1f} a second, at most {still:.2f} s apart")
    for share in STOPS:
        growing.back()
        growing.run(stop_after=share * duration)
        valid = "valid" if is_valid(table, document.tree) else "NOT VALID"
        done, shown = (1000 * (t - growing.stopped) for t in (growing.computed, growing.shown))
        during = words(pulse.gaps(growing.begun, growing.computed))
        after = words(pulse.gaps(growing.computed, growing.shown))
        print(f"  Stop after {growing.stopped - growing.begun:.2f} s: {document.tree.n_leaves:,} leaves, {valid}")
        if growing.computed < growing.stopped:
            print("    the tree was ready by then")
        else:
            work = 1000 * growing.work
            print(f"    worker done after {done:.0f} ms, {work:.0f} ms of its CPU; shown after {shown:.0f} ms")
        print(f"    longest gaps {during} ms, then {after} ms", flush=True)
    faulthandler.cancel_dump_traceback_later()
    document.history.stack.setClean()
    window.close()
    document.shutdown()
    garbage.end()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.responsiveness", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--where", type=Path, help="a file for the stacks of what takes too long")
    said = parser.parse_args()
    report(said.rows, said.columns, said.where)
