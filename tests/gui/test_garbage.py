"""Cyclic garbage with Qt objects in it dies in the GUI thread, whoever allocates."""

import gc
import threading

from PySide6.QtCore import QObject

from gui.garbage import GarbageCollector


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


def test_nothing_is_collected_before_it_is_due():
    gc.collect()
    collector = GarbageCollector()
    try:
        before = gc.get_stats()[0]["collections"]
        collector.look()
        assert gc.get_stats()[0]["collections"] == before
    finally:
        collector.end()
