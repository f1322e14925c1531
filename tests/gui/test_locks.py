"""Lock files tell whether their program is gone, and whether the last start finished."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QByteArray

from gui import application
from gui.application import StartMark
from gui.files.autosave import lock_of, remove_left
from gui.settings import Settings
from tests.conftest import ROOT

DIES = """
import os, sys
from pathlib import Path
from gui.application import StartMark
mark = StartMark(Path(sys.argv[1]))
assert mark.begin()
os._exit(1)
"""


def die_starting(folder):
    """A start that does not finish."""
    subprocess.run([sys.executable, "-c", DIES, str(folder)], cwd=ROOT, check=False)
    assert (folder / "starting.lock").exists()


def test_a_start_that_did_not_finish_is_told_once(tmp_path):
    die_starting(tmp_path)
    for finished in (False, True):
        mark = StartMark(tmp_path)
        assert mark.begin() is finished
        mark.end()
        assert not list(tmp_path.iterdir())


def test_another_program_that_is_starting_is_no_unfinished_start(tmp_path):
    first, second = StartMark(tmp_path), StartMark(tmp_path)
    assert first.begin() and second.begin()
    second.end()
    assert (tmp_path / "starting.lock").exists()  # it is the first one's
    first.end()


@pytest.mark.parametrize("content", [b"", b"\xff\x00garbage"])
def test_a_lock_that_names_no_program_is_left_after_a_minute(tmp_path, content):
    path = tmp_path / "x.lock"
    path.write_bytes(content)  # as a power cut leaves it
    assert not remove_left(path)
    os.utime(path, (0, 0))
    assert remove_left(path) and not path.exists()


def test_a_lock_that_is_held_stays(tmp_path):
    lock = lock_of(tmp_path / "x.lock")
    assert lock.tryLock(0)
    os.utime(tmp_path / "x.lock", (0, 0))
    assert not remove_left(tmp_path / "x.lock") and (tmp_path / "x.lock").exists()
    lock.unlock()


def test_after_an_unfinished_start_the_window_is_where_it_was_at_first(home, posted):
    remembered = Settings()
    for finished in (True, False):
        remembered.set("geometry", QByteArray(b"what Qt made"))
        application.begin(mark := StartMark(home), remembered)
        mark.end()
        assert Settings().value("geometry").isEmpty() != finished
        assert posted() == ([] if finished else [f"warning: {application.UNFINISHED}"])
        die_starting(home)
