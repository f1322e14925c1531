"""Files whose reader believes what they say are read in a process of their own, where a crash does no harm.

The process has bounded memory and time (`engine.readers.child.bound`), and is ended when the person stops or leaves.
"""

import subprocess
import sys
import time
from pathlib import Path

from engine.readers import child
from engine.readers.files import free_bytes
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr

MOST_MEMORY = 2**33  # of the child, and no more than half of what is free: its answer needs room, too
LEAST_MEMORY = 2**30
LOOKING, READING = 60, 600  # seconds for a preview, for the whole
PATIENCE = 0.1  # seconds between looks at whether to stop
NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # of a console, which Windows would open
NO_MEMORY = (b"MemoryError", b"memory allocation of", b"bad_alloc")  # of Python, of Rust, of C++


class Crashed(Exception):
    """The child ended without an answer."""


def read_apart(how: str, path: Path, *args: str, preview: bool, progress: Progress | None = None) -> bytes:
    """What the child answers that reads `path`; `how` and `args` are its own.

    Raises:
        InputError: it took too much time, or a stop was asked for.
        MemoryError: it asked for more memory than `most_memory`.
        Crashed: it ended in any other way.
    """
    seconds = LOOKING if preview else READING
    words = [sys.executable, "-P", child.__file__, how, str(path), str(most_memory()), str(seconds), *args]
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, creationflags=NO_WINDOW
    ) as process:
        try:
            answer, errors = _talk(process, path, seconds, progress)
        finally:
            process.kill()  # whatever ends this; does nothing to one that has ended
    if process.returncode == 0:
        return answer
    if any(words in errors for words in NO_MEMORY):
        raise MemoryError
    raise Crashed(f"reading ended with {process.returncode}")


def _talk(process: subprocess.Popen[bytes], path: Path, seconds: int, progress: Progress | None) -> tuple[bytes, bytes]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            return process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            if progress is not None and progress.stopped:
                raise InputError(tr("Reading {file} was stopped.", file=path.name)) from None
    raise InputError(tr(
        "{file} takes more than {seconds} seconds to read: save only the table as .csv.", file=path.name,
        seconds=seconds))  # fmt: skip


def most_memory() -> int:
    """Bytes that the child may have."""
    free = free_bytes()
    return MOST_MEMORY if free is None else min(MOST_MEMORY, max(LEAST_MEMORY, free // 2))
