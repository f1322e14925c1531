"""The start: from any folder, into any terminal, and what it says where Qt cannot start."""

import os
import shlex
import subprocess
import sys

import pytest

from tests.conftest import ROOT


def test_it_starts_from_any_folder(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "main.py", "example:cats", "--no-window"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "grown " in done.stdout


def test_missing_system_libraries_are_named_with_their_remedy():
    code = (
        "import builtins, sys\n"
        "real = builtins.__import__\n"
        "def fail(name, *args, **kwargs):\n"
        "    if name.startswith('PySide6.Qt'):\n"
        "        raise ImportError('libEGL.so.1: cannot open shared object file: No such file or directory')\n"
        "    return real(name, *args, **kwargs)\n"
        "builtins.__import__ = fail\n"
        "import main\n"
        "main.main([])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "libEGL.so.1" in done.stderr
    assert "apt-get install" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_without_our_letters_and_a_reader_that_goes_away_meet_no_traceback():
    command = [sys.executable, str(ROOT / "main.py"), "example:cats", "--no-window"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "grown   4 leaves ? depth 2" in done.stdout
    done = subprocess.run(f"{shlex.join(command)} | head -c 0", shell=True, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only there Qt aborts without a display")
def test_without_a_display_or_its_libraries_the_program_says_so():
    environment = {k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, str(ROOT / "main.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "There is no display for the window" in done.stderr
    assert "--no-window" in done.stderr
    code = (
        "import ctypes\n"
        "def fail(name):\n"
        "    raise OSError('libxcb-cursor.so.0: cannot open shared object file')\n"
        "ctypes.CDLL = fail\n"
        "import main\n"
        "main.check_display()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**environment, "DISPLAY": ":99"}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "libxcb-cursor.so.0" in done.stderr
    assert "apt-get install" in done.stderr
    assert "Traceback" not in done.stderr
