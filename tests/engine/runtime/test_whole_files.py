"""Files are written whole or not at all, only where files can stand, and nothing is left behind by who is killed."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from engine.runtime.errors import InputError
from engine.runtime.files import DRAFT, checked_target, read_json, remove_drafts, to_json, write_whole
from tests.conftest import ROOT

WRITE_FOR_EVER = """
import sys, time
from engine.runtime.files import write_whole
def pieces():
    yield "half"
    print("begun", flush=True)
    time.sleep(600)
write_whole(sys.argv[1], pieces())
"""


@pytest.fixture
def writing(tmp_path):
    """A process that has written half of a file."""
    command = [sys.executable, "-c", WRITE_FOR_EVER, tmp_path / "slow"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"begun\n"
    yield process
    process.kill()
    process.communicate()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_a_killed_save_leaves_goes_with_the_next_one(tmp_path, writing):
    (draft,) = names(tmp_path)
    assert DRAFT.fullmatch(draft)
    write_whole(tmp_path / "other", ["while it is written"])
    assert names(tmp_path) == [draft, "other"]  # somebody still writes it
    writing.send_signal(signal.SIGKILL)
    writing.wait()
    write_whole(tmp_path / "other", ["again"])
    assert names(tmp_path) == ["other"]


def test_only_drafts_go(tmp_path):
    kept = [".tmp", ".espalier-0123456789abcdef.tmp2", "espalier-0123456789abcdef.tmp", ".0123456789abcdef.tmp"]
    for name in kept:
        (tmp_path / name).touch()
    (tmp_path / ".espalier-0123456789abcdef.tmp").mkdir()
    (tmp_path / ".espalier-1123456789abcdef.tmp").symlink_to(tmp_path / ".tmp")
    (tmp_path / ".espalier-2123456789abcdef.tmp").touch()
    remove_drafts(tmp_path)
    assert len(names(tmp_path)) == len(kept) + 2
    remove_drafts(tmp_path / "gone")


def test_without_locks_age_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[write_whole.__module__], "fcntl", None)  # as on Windows
    old, young = (tmp_path / f".espalier-{k}123456789abcdef.tmp" for k in "01")
    for draft in (old, young):
        draft.touch()
    os.utime(old, (0, time.time() - 4000))
    write_whole(tmp_path / "file", ["text"])
    assert names(tmp_path) == [young.name, "file"]


@pytest.fixture(params=["pipe", "socket", "device", "folder", "link to a pipe"])
def no_file(request, tmp_path):
    path = tmp_path / "x.json"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    elif request.param == "device":
        path = "/dev/null"
    elif request.param == "folder":
        path.mkdir()
    else:
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    return path


def test_what_is_no_file_is_not_replaced_by_one(no_file):
    before = os.stat(no_file).st_mode
    with pytest.raises(InputError, match=r"is a (folder|pipe, a socket or a device).*: give the name of a file\."):
        write_whole(no_file, ["text"])
    assert os.stat(no_file).st_mode == before


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="a system without such names")
def test_the_file_that_a_system_name_leads_to_is_not_replaced(tmp_path):
    with (tmp_path / "log").open("wb") as log, pytest.raises(InputError, match="is a pipe, a socket or a device"):
        write_whole(f"/dev/fd/{log.fileno()}", ["text"])


def test_what_is_no_file_is_not_read(no_file):
    with pytest.raises(InputError, match=r"is a (folder|pipe, a socket or a device).*: choose a tree file\."):
        read_json(no_file, "tree")


@pytest.mark.parametrize("path", ["a\0b", "/\ud800", "n" * 300, "/" + "n/" * 3000 + "x"])
def test_what_no_file_can_be_called_is_refused(path):
    with pytest.raises(InputError):
        write_whole(path, ["text"])
    with pytest.raises(InputError):
        read_json(path, "tree")


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"cannot be written .no such file or directory.: choose another place"):
        write_whole(tmp_path / "gone" / "x", ["text"])
    assert checked_target(tmp_path / "x") == tmp_path / "x"


def test_names_that_are_no_text_are_written_and_read(tmp_path):
    odd = os.fsdecode(b"K\xf6ln")
    path = tmp_path / f"{odd}.json"
    write_whole(path, [to_json({odd: ["Köln", odd]})])
    assert read_json(path, "tree") == {odd: ["Köln", odd]}
    assert "Köln" in path.read_text(encoding="utf-8")
    write_whole(path, [f"town is {odd}"])
    assert path.read_text(encoding="utf-8") == "town is K\\udcf6ln"
