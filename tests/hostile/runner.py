"""Runs attacks in a process of their own, with bounded time and memory, and says how each of them ended.

A case is a function that can be pickled, and its arguments. One process runs many cases, those of the next test too if
they need the same preparation; when a case ends it, or it has to be ended, the next case gets a new one.
"""

import multiprocessing
import resource
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from engine.runtime.errors import InputError

RESULT, SENTENCE = "result", "sentence"
CRASH, TRACEBACK, SLOW, MEMORY = "crash", "traceback", "too slow", "too much memory"
PASSING = (RESULT, SENTENCE)

SECONDS = 20.0  # far more than any takes: other programs may be busy, too
BYTES = 2**30  # that a case may add to what the process holds
HEADROOM = 4  # times those bytes may be reserved, of which most are never touched: libraries do so
PREPARING = 300.0  # seconds: the kernels may have to be compiled
SHOWN = 10

_process: dict[tuple["Case", int], "_Child"] = {}  # the one that waits for cases, by its preparation; at most one


class Case(NamedTuple):
    """An attack: a function of a module, and arguments, that can be pickled."""

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()


class Outcome(NamedTuple):
    """How a case ended: one of the kinds above, and what it said."""

    case: Case
    kind: str
    said: str


def check(cases: Iterable[Case], prepare: Case, seconds: float = SECONDS, memory: int = BYTES) -> Counter[str]:
    """Fails when a case ends in anything but a result or a sentence; how many ended in either.

    Args:
        prepare: runs first in each process, without limits, and loads what the cases need.
        seconds: that a case may take.
        memory: bytes that a case may add.
    """
    found = outcomes(cases, prepare, seconds, memory)
    failed = [outcome for outcome in found if outcome.kind not in PASSING]
    lines = [f"{kind}: {case.function.__name__}{case.args!r:.300}\n{said}" for case, kind, said in failed[:SHOWN]]
    assert not failed, "\n\n".join((f"{len(failed)} of {len(found)} cases", *lines))
    return Counter(outcome.kind for outcome in found)


def outcomes(cases: Iterable[Case], prepare: Case, seconds: float = SECONDS, memory: int = BYTES) -> list[Outcome]:
    """How every case ended; the arguments are those of `check`."""
    found = []
    try:
        for case in cases:
            kind, said = _waiting(prepare, memory).run(case, seconds)
            found.append(Outcome(case, kind, said))
            if kind in (CRASH, SLOW, MEMORY):
                _end_process()
    except BaseException:
        _end_process()
        raise
    return found


def _waiting(prepare: Case, memory: int) -> "_Child":
    """The process that ran the cases before, if it was prepared in the same way; else a new one."""
    if (prepare, memory) not in _process:
        _end_process()
        _process[prepare, memory] = _Child(prepare, memory)
    return _process[prepare, memory]


def _end_process() -> None:
    while _process:
        _process.popitem()[1].end()


class _Child:
    """A process that runs cases."""

    def __init__(self, prepare: Case, memory: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, memory), daemon=True)
        self._process.start()
        theirs.close()
        kind, said = self.run(prepare, PREPARING)
        if kind != RESULT:
            self.end()
            raise AssertionError(f"The preparation ended in “{kind}”: {said}")

    def run(self, case: Case, seconds: float) -> tuple[str, str]:
        """How a case ended, and what it said."""
        try:
            self._pipe.send(case)
            if not self._pipe.poll(seconds):
                return SLOW, f"more than {seconds:g} s"
            return self._pipe.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            code = self._process.exitcode or 0
            return CRASH, signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def end(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _work(pipe: Connection, memory: int) -> None:
    """Runs cases until the pipe is closed; the first one without limits."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pipe.send(_outcome(pipe.recv(), None))
    most = _own_bytes("VmSize") + HEADROOM * memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    while True:
        try:
            case = pipe.recv()
        except EOFError:
            return
        pipe.send(_outcome(case, memory))


def _outcome(case: Case, memory: int | None) -> tuple[str, str]:
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here on
    before = _own_bytes("VmRSS")
    try:
        kind, said = RESULT, f"{case.function(*case.args)!r:.200}"
    except InputError as error:
        kind, said = SENTENCE, str(error)
    except MemoryError:
        kind, said = MEMORY, traceback.format_exc()
    except BaseException:  # a panic of a Rust library is no Exception
        kind, said = TRACEBACK, traceback.format_exc()
    added = _own_bytes("VmHWM") - before
    if memory is not None and added > memory and kind in PASSING:
        return MEMORY, f"{added / 2**20:.0f} MiB; {said}"
    return kind, said


def _own_bytes(name: str) -> int:
    """What the system says about the memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(name)
