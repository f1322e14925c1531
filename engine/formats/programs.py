"""Programs that run what was exported."""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

LONGEST = 600  # seconds


def found_program(*names: str) -> str:
    """Where the first of these programs is that is installed.

    Raises:
        InputError: none is.
    """
    for name in names:
        if path := shutil.which(name):
            return path
    raise InputError(tr("Running this needs the program {name}, which is not installed.", name=names[0]))


def output_of(files: Mapping[str, str | bytes], *commands: list[str], made: str = "") -> bytes:
    """What the last of some commands prints; all run in a folder of their own that holds these files. `made`: the name
    of a file that they make there, whose content is answered instead.

    Raises:
        InputError: one takes longer than `LONGEST`.
        RuntimeError: one fails: what was exported is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content if isinstance(content, bytes) else content.encode())
        printed = b""
        for command in commands:
            try:
                done = subprocess.run(command, cwd=folder, capture_output=True, timeout=LONGEST)
            except subprocess.TimeoutExpired as error:
                raise InputError(tr(
                    "{program} needs more than {minutes:,.0f} minutes for this tree, so it was not checked.",
                    program=Path(command[0]).name, minutes=LONGEST / 60)) from error  # fmt: skip
            if done.returncode:
                raise RuntimeError(f"{command[0]}: {done.stderr.decode(errors='replace')[-2000:]}")
            printed = done.stdout
        return Path(folder, made).read_bytes() if made else printed
