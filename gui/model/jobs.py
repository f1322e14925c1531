"""Runs one plain function at a time in a thread, shows its progress, stops it, drops what came too late.

Only first answers (`gui.model.first_answers`) have a thread of their own beside it.
"""

import contextlib
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui import messages

PROGRESS_PAUSE = 0.05  # seconds between two progress signals: 20 per second look smooth and cost nothing
PART_PAUSE = 0.05  # seconds between two deliveries of parts
FIRST_PART = 0.015  # seconds until the first one: a quick answer comes whole
LOCK_SECONDS = 0.0001  # how long one thread may keep Python's lock from the others: by default a turn of the event loop
# waits 5 ms for it, at every cell that it paints while the worker runs Python between two kernels
JOIN_SECONDS = 10.0  # how long shutdown waits for a function that polls its stop flag too rarely


@dataclass(eq=False)
class Job:
    """One call in the worker."""

    text: str
    call: Callable[..., Any]
    _report: Callable[..., None]
    done: Callable[[Any], None] | None = None
    failed: Callable[[Exception], None] | None = None
    part: Callable[[list[Any]], None] | None = None
    key: str | None = None
    quiet: bool = False  # a query in the background, not announced as work that a person asked for
    idle: bool = False  # it waits until nothing else does, and gives way to whatever comes
    stopped: bool = False  # whether a person stopped it; a stopped function still returns what is valid so far
    dropped: bool = False  # whether its result is not wanted any more and must never arrive

    def __post_init__(self) -> None:
        self._parts_lock = threading.Lock()
        self.renew()

    def renew(self) -> None:
        """Makes it ready to begin, or to begin again."""
        self.progress = Progress(lambda fraction, words: self._report(self, fraction, words))
        self.gave_way = False  # whether an idle one was stopped for another, and begins again

    def begin(self) -> None:
        """The clock of its parts starts."""
        self._parts, self._delivered = list[Any](), time.monotonic() + FIRST_PART - PART_PAUSE

    def collect(self, *items: Any) -> list[Any]:
        """Takes parts in, from any thread; the parts that are to be delivered now, if it is time."""
        now = time.monotonic()
        with self._parts_lock:
            self._parts += items
            if now - self._delivered < PART_PAUSE:
                return []
            due, self._parts, self._delivered = self._parts, [], now
            return due


class Jobs(QObject):
    """Runs one function at a time in a worker thread; everything it tells arrives in the thread that made it."""

    started = Signal(str)  # a function starts. arg: its text
    progressed = Signal(float, str)  # args: fraction of the work from 0 to 1, and what is going on in words
    finished = Signal()  # the function ended, was stopped, or failed
    idle = Signal()  # nothing runs and nothing waits
    _arrived = Signal(str, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(LOCK_SECONDS)
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._open: list[Job] = []  # all that has not finished, in the eyes of the GUI thread
        self._closed = False
        self._wake = threading.Condition()
        self._last_report = 0.0
        self._thread: threading.Thread | None = None
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        # What a worker tells in one go is dealt with in several turns of the event loop, or else they add up.
        self._told: deque[tuple[str, Job, Any]] = deque()
        self._telling = QTimer(self, interval=0)
        self._telling.timeout.connect(self._tell_next)

    @property
    def busy(self) -> bool:
        """Whether anything runs, waits, or has not arrived yet."""
        return bool(self._open)

    @property
    def working(self) -> bool:
        """Whether something that a person asked for (not a quiet query) runs or waits."""
        return any(not job.quiet for job in self._open)

    def run(
        self, text: str, function: Callable[..., Any], *args: Any,
        done: Callable[[Any], None] | None = None, failed: Callable[[Exception], None] | None = None,
        part: Callable[[list[Any]], None] | None = None, key: str | None = None,
        quiet: bool = False, idle: bool = False, **kwargs: Any,
    ) -> Job:  # fmt: skip
        """Queues `function(*args, progress=…, **kwargs)`.

        `done(result)` or `failed(exception)` is called later in the GUI thread. A job with the same `key` that is older
        is dropped: it never starts, or is stopped and its result never arrives. Without `failed`, the sentence of an
        error meant for a person goes to the messages; any other exception is reported as a crash. With `part` the
        function gets `found=…`, which it calls with whatever it has found, from any thread; `part(items)` is called in
        the GUI thread with what came since, now and then. An `idle` job begins when nothing else waits. It is stopped
        when something does, and begins again, so that it keeps nobody waiting."""
        if part is not None:
            kwargs["found"] = lambda item: self._deliver(job, job.collect(item))
        call = partial(function, *args, **kwargs)
        job: Job = Job(text, call, self._report, done, failed, part, key, quiet or idle, idle)
        if self._closed:
            job.dropped = True
            return job
        if key is not None:
            self.drop(key)
        self._open.append(job)
        with self._wake:
            self._queue(job)
            if self._running is not None and self._running.idle and not idle:
                self._running.gave_way = True
                self._running.progress.stop()
            self._wake.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="espalier-worker", daemon=True)
            self._thread.start()
        return job

    def drop(self, key: str) -> None:
        """Forgets every job with this key, whether it waits or runs: its result will not arrive."""
        with self._wake:
            self._unqueue([job for job in self._waiting if job.key == key])
            for job in self._open:  # it runs, or it has run and its result is on the way
                if job.key == key:
                    job.dropped = True
                    job.progress.stop()

    def stop(self) -> None:
        """Stops what runs, and what a person asked for and still waits; each answers what is valid so far."""
        with self._wake:
            for job in filter(None, [self._running, *(job for job in self._waiting if not job.quiet)]):
                job.stopped = True
                job.progress.stop()

    def shutdown(self) -> None:
        """Stops everything and waits for the thread; afterwards nothing arrives. Hide the window first."""
        with self._wake:
            self._closed = True
            self._unqueue(list(self._waiting))
            if self._running is not None:
                self._running.dropped = True
                self._running.progress.stop()
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(JOIN_SECONDS)
        self._open.clear()
        self._told.clear()
        self._telling.stop()

    def _queue(self, job: Job) -> None:
        """Puts a job behind those that wait, but before the idle ones; the caller holds the lock."""
        ahead = len(self._waiting) if job.idle else sum(not other.idle for other in self._waiting)
        self._waiting.insert(ahead, job)

    def _unqueue(self, jobs: list[Job]) -> None:
        """Takes jobs out that have not started; the caller holds the lock."""
        for job in jobs:
            job.dropped = True
            self._waiting.remove(job)
            self._open.remove(job)

    def _report(self, job: Job, fraction: float, words: str) -> None:
        now = time.monotonic()
        if now - self._last_report >= PROGRESS_PAUSE and not job.dropped:
            self._last_report = now
            self._post("progress", job, (fraction, words))
        self._deliver(job, job.collect())

    def _deliver(self, job: Job, parts: list[Any]) -> None:
        if parts and not job.dropped:
            self._post("part", job, parts)

    def _post(self, what: str, job: Job, value: object) -> None:
        if not self._closed:
            # The object may be gone when a thread outlives the join of `shutdown`: then nobody listens.
            with contextlib.suppress(RuntimeError):
                self._arrived.emit(what, job, value)

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                job = self._running = self._waiting.popleft()
                self._last_report = 0.0
                job.begin()
            self._post("started", job, None)
            try:
                result = job.call(progress=job.progress)
            except Exception as error:
                self._post("failed", job, error)
            else:
                with self._wake:  # did it give way to another? then it waits once more
                    if job.gave_way and not (job.dropped or job.stopped or self._closed):
                        job.renew()
                        self._running = None
                        self._queue(job)
                        continue
                self._post("done", job, result)
                del result
            with self._wake:
                self._running = None
            self._post("finished", job, None)
            del job

    def _on_arrived(self, what: str, job: Job, value: Any) -> None:
        self._told.append((what, job, value))
        if not self._telling.isActive():
            self._telling.start()

    def _tell_next(self) -> None:
        what, job, value = self._told.popleft()
        # Begun anew: what is told may open a dialog, in whose event loop a timer that is still at work rests.
        self._telling.stop()
        if self._told:
            self._telling.start()
        if self._closed:
            return
        if what == "finished":
            self._open.remove(job)
            self.finished.emit()
            if not self._open:
                self.idle.emit()
        elif job.dropped:
            return
        elif what == "started":
            self.started.emit(job.text)
        elif what == "progress":
            self.progressed.emit(*value)
        elif what in ("part", "done"):
            if (call := getattr(job, what)) is not None:
                call(value)
        else:
            (job.failed or tell)(value)
            if job.failed is not None and not words_for(value):
                tell(value)


def tell(error: Exception) -> None:
    """Passes a failure on: its sentence to the person or, as a fault of ours, to the crash report."""
    if sentence := words_for(error):
        messages.error(sentence)
    else:
        sys.excepthook(type(error), error, error.__traceback__)


def words_for(error: BaseException) -> str:
    """The sentence a person reads for `error`; empty when the error is a fault of the program."""
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, MemoryError):
        return tr("There is not enough memory for this: close other programs, or open fewer rows or columns.")
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: “{error.filename}”." if error.filename else f"{error.strerror}."
    return ""
