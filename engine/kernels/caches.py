"""The folders that compiled kernels are kept in, one for each version of them: those of old versions go some day.

espalier/kernels-0218b16a947280d9/used    touched whenever a program begins to use the folder
                                 /…/*.nbi, *.nbc    numba's files
"""

import contextlib
import re
import shutil
import time
from pathlib import Path

NAME = re.compile(r"kernels-[0-9a-f]{16}")
STAMP = "used"
KEPT_DAYS = 30  # a person may well go back to the version before


def mark_used(folder: Path) -> None:
    """Remembers that the folder is in use now."""
    with contextlib.suppress(OSError):
        (folder / STAMP).touch()


def remove_unused(current: Path, now: float | None = None) -> None:
    """Removes the folders beside the `current` one that nobody has used for a month. What fails is left as it is.

    Args:
        now: seconds since 1970, by default what the clock says.
    """
    oldest = (time.time() if now is None else now) - KEPT_DAYS * 86_400
    with contextlib.suppress(OSError):
        for folder in sorted(current.parent.iterdir()):
            with contextlib.suppress(OSError):
                if folder.name != current.name and _is_cache(folder) and _last_used(folder) < oldest:
                    shutil.rmtree(folder, ignore_errors=True)


def _is_cache(folder: Path) -> bool:
    """Whether it is such a folder, in place, and holds nothing but numba's files."""
    if not NAME.fullmatch(folder.name) or folder.is_symlink() or not folder.is_dir():
        return False
    return all(_is_numbas(path) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def _is_numbas(path: Path) -> bool:
    """Whether numba wrote a file; one that it is writing has the name of the later one with an end of its own."""
    if path.is_symlink() or not path.is_file():
        return False
    return path.name == STAMP or path.name.split(".tmp.")[0].endswith((".nbi", ".nbc"))


def _last_used(folder: Path) -> float:
    """When the folder was last used, or was made if no stamp tells."""
    stamp = folder / STAMP
    return (stamp if stamp.exists() else folder).stat().st_mtime
