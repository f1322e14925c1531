"""The desktop entry starts the program from any folder."""

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.runtime.errors import InputError
from gui import desktop

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="desktop entries are a Linux matter")


def entry_of(path: Path) -> dict[str, str]:
    parser = configparser.RawConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    return dict(parser["Desktop Entry"])


def unescaped(value: str) -> str:
    """The general escape rule for strings: a doubled backslash is one, and ends of lines have letters."""
    return re.sub(r"\\([\\nrt])", lambda found: {"\\": "\\", "n": "\n", "r": "\r", "t": "\t"}[found[1]], value)


@pytest.fixture
def installed(tmp_path) -> Path:
    return desktop.install_desktop(tmp_path / "share")


def test_the_entry(installed, tmp_path):
    entry = entry_of(installed)
    assert installed == tmp_path / "share" / "applications" / f"{desktop.APP_ID}.desktop"
    assert entry["Type"] == "Application" and entry["Name"] == "Espalier"
    assert Path(entry["Icon"]).is_absolute() and Path(entry["Icon"]).is_file()
    assert "application/x-espalier" in entry["MimeType"]
    assert "@" not in installed.read_text(encoding="utf-8")
    assert os.access(installed, os.X_OK)


def test_the_program_calls_itself_by_the_same_name(installed):
    assert installed.stem == desktop.APP_ID == desktop.TEMPLATE.stem == desktop.MIME.stem


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
def test_the_entry_is_valid(installed):
    done = subprocess.run(["desktop-file-validate", installed], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize(
    "path", ["/a b/c", '/quote"d', "/dollar$HOME", "/back\\slash", "/`tick`", "/100%", "/two\nlines\t\r"]
)
def test_quoting(path):
    assert desktop.quoted(path).isprintable()
    quoted = unescaped(desktop.quoted(path))
    assert quoted[0] == quoted[-1] == '"'
    assert not re.search(r'(?<!\\)(\\\\)*["`$]', quoted[1:-1])  # none of them stands without a backslash
    assert re.sub(r'\\(["`$\\])', r"\1", quoted[1:-1]).replace("%%", "%") == path


def test_the_exec_line_runs_from_another_folder(installed, tmp_path):
    command = shlex.split(unescaped(entry_of(installed)["Exec"]).replace("%f", "").replace("%%", "%"))
    assert Path(command[0]).is_absolute() and Path(command[1]).is_absolute()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [*command, "--self-test"], cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert list(elsewhere.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "share").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        desktop.install_desktop(tmp_path / "share")
