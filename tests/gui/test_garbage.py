"""Cyclic garbage with Qt objects in it dies in the GUI thread, whoever allocates."""

import gc
import platform
import subprocess
import sys
import threading

from PySide6.QtCore import QObject

from gui.garbage import GarbageCollector
from tests.conftest import ROOT

PAGES = """
import resource, numpy as np
from gui.garbage import keep_memory
keep_memory()
for turn in range(20):
    if turn == 2:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    kept = [np.full(200_000, 1.0) for _ in range(8)]
    del kept
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


class Cycle(QObject):
    """Holds itself, and notes the thread in which it goes."""

    def __init__(self, died):
        super().__init__()
        self.me, self.died = self, died

    def __del__(self):
        self.died.append(threading.current_thread())


def allocate():
    """More than enough for Python to collect by itself, if it were allowed to."""
    kept = [[i] for i in range(20_000)]
    assert kept


def test_a_worker_that_allocates_frees_no_qt_object(qtbot):
    died = []
    collector = GarbageCollector()
    try:
        Cycle(died)
        worker = threading.Thread(target=allocate)
        worker.start()
        worker.join()
        assert died == []
        allocate()  # what is left over is due
        collector.look()
        gc.collect()
        assert died == [threading.main_thread()]
    finally:
        collector.end()
    assert gc.isenabled()


def test_what_the_libraries_made_is_left_out_of_every_collection():
    collector = GarbageCollector()
    try:
        frozen = gc.get_freeze_count()
        assert frozen > 10_000
        sys.modules["espalier_loaded_later"] = sys
        kept = [[i] for i in range(1000)]
        collector.look()
        assert gc.get_freeze_count() >= frozen + len(kept)
    finally:
        del sys.modules["espalier_loaded_later"]
        collector.end()
    assert gc.get_freeze_count() == 0


def test_nothing_is_collected_before_it_is_due():
    gc.collect()
    collector = GarbageCollector()
    try:
        before = gc.get_stats()[0]["collections"]
        collector.look()
        assert gc.get_stats()[0]["collections"] == before
    finally:
        collector.end()


def test_the_memory_of_arrays_is_used_again():
    """On Linux, whose C library gives it back otherwise: 400 pages for each of 144 arrays."""
    if platform.libc_ver()[0] == "glibc":
        done = subprocess.run([sys.executable, "-c", PAGES], cwd=ROOT, capture_output=True, text=True, check=True)
        assert int(done.stdout) < 4_000
