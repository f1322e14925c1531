"""`python -m tests.benchmarks.workbench`: how long the split workbench keeps a person waiting.

A real window without a display, with candidates, split editor and Why in sight. Ratios of one run:

* a search of the root: when the first row of the list is painted, and the last, beside the search itself;
* the longest gaps of the event loop while that search runs, while every candidate is looked at (its curve, its further
  optima), while a second level is looked for below each, and while m of n conditions are climbed to; beside them what
  the window's thread worked in its longest turn, as the rest of a gap it waited for a processor or for Python's lock,
  and the longest gap at that time of a process that does nothing: what other programs do to any loop;
* one step of a dragged cut, mouse to painted pixels and figures, beside the same with few rows and beside one pass over
  the rows of the node.

With --where, whatever holds the event loop for longer than the limit is written down with the stacks of all threads.
"""

import argparse
import faulthandler
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from tests.benchmarks.responsiveness import Pulse, made_up, wait_for, words  # isort: skip; it chooses the platform

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

import engine
from gui import theme
from gui.garbage import GarbageCollector
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.search import further, searching
from gui.picture import levels
from gui.settings import Settings
from gui.window.window import Window

FEW = 10_000  # rows that a dragged cut is compared with
STEPS = 60  # of a drag
IDLE = """
import time
before = time.monotonic()
while True:
    time.sleep(0.002)
    now = time.monotonic()
    if now - before > 0.005:
        print(before, now, flush=True)
    before = now
"""
PASSES = 15


class Rows(QObject):
    """When the list of candidates was painted with rows of the search that is watched: the first time, and whole."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self._document = window.document
        self._panel = window.panels["candidates"]
        self._port = self._panel.view.viewport()
        self._port.installEventFilter(self)
        self.begin()

    def begin(self) -> None:
        """From now on."""
        self.first = self.last = 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and (self._document.ranking.found_so_far or self._document.candidates):
            QTimer.singleShot(0, self._on_painted)
        return False

    def _on_painted(self) -> None:
        now, document = time.monotonic(), self._document
        if not self.first and (document.ranking.found_so_far or document.candidates):
            self.first = now
        if not self.last and document.candidates:
            self.last = now


class Watched:
    """A function of the worker that notes when it began and ended."""

    def __init__(self, module: Any, name: str) -> None:
        self._module, self._name, self._function = module, name, getattr(module, name)
        self.spans: list[tuple[float, float]] = []

    def __call__(self, *args: Any, **how: Any) -> Any:
        begun = time.monotonic()
        try:
            return self._function(*args, **how)
        finally:
            self.spans.append((begun, time.monotonic()))

    def __enter__(self) -> "Watched":
        setattr(self._module, self._name, self)
        return self

    def __exit__(self, *_: object) -> None:
        setattr(self._module, self._name, self._function)


class IdleLoop:
    """A process that does nothing but turn its loop, as often as ours."""

    def __init__(self) -> None:
        self._told = tempfile.TemporaryFile("w+")  # noqa: SIM115  (open as long as the process lives)
        self._process = subprocess.Popen([sys.executable, "-c", IDLE], stdout=self._told)

    def longest(self, begin: float, end: float) -> float:
        """Its longest gap in a span of time, in seconds."""
        self._told.seek(0)
        gaps = [tuple(map(float, line.split())) for line in self._told.read().splitlines() if line.count(" ") == 1]
        return max((b - a for a, b in gaps if b > begin and a < end), default=0.0)

    def end(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()
        self._told.close()


class Workbench:
    """The window, and what is measured in it."""

    def __init__(self, where: Path | None) -> None:
        application = QApplication.instance() or QApplication(["espalier"])
        theme.apply(application)
        engine.warm_up()
        levels.warm_up()
        self.document = Document()
        self.window = Window(self.document, Settings())
        self.window.resize(1600, 1000)
        self.window.show()
        self._garbage, self._idle = GarbageCollector(), IdleLoop()
        self.rows, self.pulse = Rows(self.window), Pulse(self.window, where)
        self.editor = self.window.panels["split_editor"]

    def open(self, rows: int, columns: int) -> None:
        """A made-up table; returns when nothing is to be done any more."""
        table = engine.Table.from_frame(made_up(rows, columns), target="y").with_partition(validation=0.2)
        self.document.set_table(table)
        self.settle()
        self.window.show_panel("why")
        self.settle()

    def settle(self) -> None:
        """Until the worker has nothing to do and everything is painted."""
        wait_for(lambda: not self.document.jobs.busy and self.document.candidate is not None)
        rest = time.monotonic() + 0.3
        wait_for(lambda: time.monotonic() > rest)

    def search(self, title: str, **options: Any) -> None:
        """The candidates of the root by other options."""
        with Watched(tree_tasks, "candidates") as searching:
            self.rows.begin()
            begun = time.monotonic()
            self.document.set_search(**options)
            wait_for(lambda: self.rows.last > 0)
        (start, end), shown = searching.spans[0], self.rows.last
        first, last, search = (1000 * t for t in (self.rows.first - begun, shown - begun, end - start))
        print(f"  {title}: {search:.0f} ms in the worker; the first row is painted after {first:.0f} ms, all after "
              f"{last:.0f} ms: {first / search:.2f} and {last / search:.2f} × the search")  # fmt: skip
        self._tell_gaps(begun, shown)
        self.settle()
        print("    and until everything around it is drawn:")
        self._tell_gaps(shown, time.monotonic())

    def unfold(self) -> None:
        """Every candidate is looked at in turn: its curve, its picture, its further optima, and Why."""
        document = self.document
        begun = time.monotonic()
        for candidate in document.candidates:
            document.ranking.choose(candidate)
            wait_for(
                lambda one=candidate: (
                    document.curve is not None and one.column in document.ranking.further.of(further.OPTIMA)
                )
            )
        end = time.monotonic()
        print(f"  every candidate looked at, with further optima: {end - begun:.2f} s")
        self._tell_gaps(begun, end)

    def find_further(self, title: str, what: str, name: str) -> None:
        """What is found out about all candidates of the root when somebody wants to see it."""
        document = self.document
        text, function = further._FUNCTIONS[what]
        with Watched(further, name) as finding:
            further._FUNCTIONS[what] = (text, finding)
            begun = time.monotonic()
            document.ranking.further.want(what)
            wait_for(lambda: finding.spans and not document.jobs.busy)
        further._FUNCTIONS[what] = (text, function)
        print(f"  {title}: {sum(b - a for a, b in finding.spans):.2f} s in the worker")
        self._tell_gaps(begun, time.monotonic())

    def _tell_gaps(self, begun: float, end: float) -> None:
        gaps, own = self.pulse.gaps(begun, end), 1000 * self.pulse.own_work(begun, end)
        idle = 1000 * self._idle.longest(begun, end)
        print(f"    longest gaps {words(gaps)} ms; the most that this thread works in one turn {own:.0f} ms; "
              f"a process that does nothing {idle:.0f} ms", flush=True)  # fmt: skip

    def drag(self) -> tuple[float, float, float]:
        """CPU seconds: (of a step of a dragged cut, of its part that weighs the split, of one pass over the rows)."""
        document = self.document
        numeric = next(one for one in document.candidates if one.split is not None and one.split.kind == "threshold")
        document.ranking.choose(numeric)
        self.settle()
        draft = self.editor.draft
        values = np.asarray(draft.curve.values)
        low, high = np.quantile(values, (0.2, 0.8))
        self._mouse(QEvent.Type.MouseButtonPress, draft.cuts[0], Qt.MouseButton.LeftButton)
        steps, weighing = [], []
        for value in np.linspace(low, high, STEPS):
            begun = time.thread_time()
            self._mouse(QEvent.Type.MouseMove, float(value), Qt.MouseButton.NoButton)
            QApplication.processEvents()
            steps.append(time.thread_time() - begun)
            begun = time.thread_time()
            draft.curve.weigh(self.editor.draft.split)
            weighing.append(time.thread_time() - begun)
        self._mouse(QEvent.Type.MouseButtonRelease, float(high), Qt.MouseButton.LeftButton)
        return median(steps), median(weighing), self._one_pass(numeric.column)

    def _one_pass(self, column: str) -> float:
        """Seconds of the least that a pass over the rows can be: counting two classes on both sides of a cut."""
        table = self.document.table
        codes, target = table.column(column).codes, table.column(table.target).codes
        cut, seconds = int(codes.max()) // 2, []
        for _ in range(PASSES):
            begun = time.thread_time()
            np.bincount(2 * (codes > cut) + (target > 1), minlength=4)
            seconds.append(time.thread_time() - begun)
        return median(seconds)

    def _mouse(self, kind: QEvent.Type, value: float, button: Qt.MouseButton) -> None:
        plot = self.editor.plot
        box, port = plot.getViewBox(), plot.viewport()
        x = box.mapViewToScene(QPointF(plot.scale.place(value), 0.0)).x()
        at: QPoint = plot.mapFromScene(QPointF(x, box.sceneBoundingRect().center().y()))
        held = Qt.MouseButton.LeftButton if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
        where = QPointF(port.mapToGlobal(at))
        QApplication.sendEvent(
            port, QMouseEvent(kind, QPointF(at), where, button, held, Qt.KeyboardModifier.NoModifier)
        )

    def close(self) -> None:
        """Puts the window away."""
        faulthandler.cancel_dump_traceback_later()
        self.document.history.stack.setClean()
        self.window.close()
        self.document.shutdown()
        self._garbage.end()
        self._idle.end()


def report(rows: int, columns: int, where: Path | None) -> None:
    """Runs everything and prints a line or two for each thing measured."""
    bench = Workbench(where)
    bench.open(FEW, columns)
    few, weigh_few, _ = bench.drag()
    bench.open(rows, columns)
    many, weigh_many, one_pass = bench.drag()
    print(f"{rows:,} rows × {columns}, candidates, split editor and Why in sight")
    bench.search("all candidates of the root", criterion="entropy")
    bench.unfold()
    bench.find_further("a second level below every candidate", further.AHEAD, "second_levels")
    bench.search("all candidates and m of n", m_of_n=True)
    bench.document.take_search(searching.chosen_columns(bench.document.search))
    print(f"one step of a dragged cut, drawn: {1000 * many:.1f} ms; at {FEW:,} rows {1000 * few:.1f} ms: "
          f"{many / few:.2f} ×")  # fmt: skip
    print(f"  its split weighed: {1e6 * weigh_many:.0f} µs; at {FEW:,} rows {1e6 * weigh_few:.0f} µs: "
          f"{weigh_many / weigh_few:.2f} ×; one pass over the rows {1000 * one_pass:.1f} ms: "
          f"{one_pass / weigh_many:.0f} times that")  # fmt: skip
    bench.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.workbench", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--where", type=Path, help="a file for the stacks of what takes too long")
    said = parser.parse_args()
    report(said.rows, said.columns, said.where)
