"""Collecting cyclic garbage in the GUI thread only.

Python collects in whichever thread happens to allocate. Cycles that hold Qt objects (a plot's lines and their signal
handlers are some) would then be freed in a worker thread, and Qt objects must die in the thread that they live in.

A collection of everything walks through a quarter of a million objects of the libraries, which never die: 90 ms in
which the window stands still. So those that are there once everything is loaded are left out from then on."""

import gc
import sys

import numpy as np
from PySide6.QtCore import QObject, QTimer

PAUSE = 1000  # ms between two looks
LARGEST = 31 << 20  # bytes of an array whose memory is used again: the most that the C library adapts to


def keep_memory() -> None:
    """Lets the memory of arrays be used again when they are gone, up to some 60 MB.

    The C library of Linux gives that of large ones back at once and asks for it again, page by page, which takes longer
    than filling them: half of the time that laying out a large tree took. It learns from the largest array that it has
    seen go; this one is never written to, so it costs nothing. Elsewhere nothing happens."""
    np.empty(LARGEST, np.uint8)


def collect_due() -> None:
    """Collects the oldest generation that is due, by Python's own thresholds, in this thread."""
    due = [generation for generation in range(3) if gc.get_count()[generation] > gc.get_threshold()[generation] > 0]
    if due:
        gc.collect(due[-1])


class GarbageCollector(QObject):
    """Takes collecting over from Python while it lives; `end` gives it back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=PAUSE)
        self._timer.timeout.connect(self.look)
        self._modules = len(sys.modules)
        gc.freeze()
        gc.disable()
        self._timer.start()

    def look(self) -> None:
        """Collects what is due."""
        if len(sys.modules) != self._modules:  # something was loaded, and lives as long as the program
            self._modules = len(sys.modules)
            gc.freeze()
            return
        collect_due()

    def end(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
