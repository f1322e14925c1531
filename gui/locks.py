"""Lock files: each says that a program which still runs is at something, and tells when that program is gone."""

import contextlib
import time
from pathlib import Path

from PySide6.QtCore import QLockFile

UNREADABLE_SECONDS = 60  # a lock that names no program, as a power cut leaves it, is nobody's after this


def lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # stale means: its program is gone, not: it is old
    return lock


def remove_left(path: Path) -> bool:
    """Removes the lock file of a program that is gone; whether there was one."""
    if not path.is_file():
        return False
    lock = lock_of(path)
    if lock.tryLock(0):
        lock.unlock()
        return True
    with contextlib.suppress(OSError):
        if not lock.getLockInfo()[0] and path.stat().st_mtime < time.time() - UNREADABLE_SECONDS:
            path.unlink()
            return True
    return False


class StartMark:
    """A lock file that stands while the program starts: one that was left tells of a start that did not finish.

    That may have been a crash of Qt over a layout of the panels."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "starting.lock"
        self._lock = lock_of(self._path)

    def begin(self) -> bool:
        left = remove_left(self._path)
        if not self._path.exists():
            self._lock.tryLock(0)
        return not left

    def end(self) -> None:
        self._lock.unlock()
