"""Time, memory, how quiet the machine was, and what a tree does to the rows it was grown on."""

import ctypes
import gc
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.data import Data

MOST_RUNS = 5
ENOUGH_SECONDS = 10.0  # no further run begins after this long


class Stopwatch:
    """Wall and processor seconds of named steps; a step timed several times has several entries."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}

    def time(self, step: str, function: Callable[[], Any]) -> Any:
        """The function's result."""
        gc.collect()
        cpu, wall = time.process_time(), time.perf_counter()
        result = function()
        self.seconds.setdefault(step, []).append(time.perf_counter() - wall)
        self.cpu.setdefault(step, []).append(time.process_time() - cpu)
        return result


def repeat(once: Callable[[], Any]) -> Any:
    """Runs `once` up to `MOST_RUNS` times while less than `ENOUGH_SECONDS` have gone by; the last result."""
    begin = time.perf_counter()
    for _ in range(MOST_RUNS):
        result = once()
        if time.perf_counter() - begin > ENOUGH_SECONDS:
            break
    return result


class Memory:
    """The most memory that a process held beyond what it held before, in bytes.

    Linux keeps the peak of the resident set and lets a process set it back; free memory is given back to the system
    first, so that the peak cannot hide in it. Other systems: None.
    """

    def __init__(self) -> None:
        gc.collect()
        self._before = 0
        try:
            ctypes.CDLL(None).malloc_trim(0)
            Path("/proc/self/clear_refs").write_text("5")
            self._before = _status("VmRSS")
        except (OSError, AttributeError, TypeError):
            self._before = 0

    def peak(self) -> int | None:
        """Bytes since this was made."""
        return _status("VmHWM") - self._before if self._before else None


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


class Others:
    """How many processors other processes kept busy meanwhile; None where the system does not tell."""

    def __init__(self) -> None:
        self._wall, self._own, self._all = time.perf_counter(), _own_cpu(), _busy_seconds()

    def busy(self) -> float | None:
        """Processors, on average, since this was made."""
        if self._all is None:
            return None
        others = (_busy_seconds() or 0.0) - self._all - (_own_cpu() - self._own)
        return max(0.0, others / max(time.perf_counter() - self._wall, 1e-3))


def _own_cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _busy_seconds() -> float | None:
    """Seconds that the processors which this process may use have worked since the system started."""
    busy = 0
    try:
        mine = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        for line in Path("/proc/stat").read_text().splitlines():
            name, *times = line.split(None, 8)[:8]
            if name in mine:
                user, nice, system, _idle, _wait, irq, soft = map(int, times)
                busy += user + nice + system + irq + soft
    except (AttributeError, OSError, ValueError):
        return None
    return busy / os.sysconf("SC_CLK_TCK")


def judged(leaf_of: NDArray, data: Data) -> dict[str, Any]:
    """What a tree does to its training rows, told from the leaf of every row alone, for all learners alike.

    Returns:
        leaves; error: share of the rows that are not of their leaf's most frequent class, or mean squared error around
        the leaf's mean; partition: a digest of which rows stand together, equal only for trees that divide the rows
        alike, whatever they call their leaves.
    """
    _, first, leaf = np.unique(np.asarray(leaf_of), return_index=True, return_inverse=True)
    leaves = first.size
    by_first_row = np.empty(leaves, np.int64)
    by_first_row[np.argsort(first)] = np.arange(leaves)
    partition = hashlib.sha256(by_first_row[leaf].astype(np.int32).tobytes()).hexdigest()[:16]
    sizes = np.bincount(leaf, minlength=leaves)
    if data.classes:
        best = np.zeros(leaves, np.int64)
        for k in range(len(data.classes)):  # one class at a time: leaves × classes would not fit for large trees
            np.maximum(best, np.bincount(leaf[data.y == k], minlength=leaves), out=best)
        error = 1.0 - float(best.sum()) / len(data.y)
    else:
        mean = np.bincount(leaf, data.y, leaves) / sizes
        error = float(np.mean((data.y - mean[leaf]) ** 2))
    return {"leaves": int(leaves), "error": error, "partition": partition}
