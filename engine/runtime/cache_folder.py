"""The folders that compiled kernels are kept in, one for each version of them: which one is used, and which ones go.

espalier/kernels-0218b16a947280d9/used           touched whenever a program begins to use the folder
                                 /lock, manifest  see `engine.runtime.cache_files`
                                 /kernels_1f2e    compiled kernels: numba's .nbi and .nbc

Reading a compiled kernel may run anything, so a folder into which somebody else could put one is not used.
"""

import atexit
import contextlib
import os
import re
import shutil
import stat
import tempfile
import time
from pathlib import Path

import platformdirs

NAME = re.compile(r"kernels-[0-9a-f]{16}")
STAMP, LOCK, MANIFEST = "used", "lock", "manifest"
ENDINGS = (".nbi", ".nbc")
WRITING = ".tmp."  # stands in the name of a file that is being written, behind the name that it will have
KEPT_DAYS = 30  # a person may well go back to the version before
DRAFT_SECONDS = 3600  # writing one takes less than a second

also: list[str] = []  # what compiled kernels depend on beside their files, see `depends_on`
_temporary: list[Path] = []  # folders that go when this process ends


def depends_on(text: str) -> None:
    """Keeps the kernels of this process apart from those that were compiled without what this text describes."""
    also.append(text)


def choose(name: str) -> Path | None:
    """The folder for compiled kernels: in the one that a person chose, or the person's own; else one for this process.

    Args:
        name: the folder's name. The one that was chosen may hold what other programs compiled.

    Returns:
        A folder that nobody else can write to; None when there is nowhere to write.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen or platformdirs.user_cache_dir("espalier", appauthor=False)) / name
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # no folder can have that name, or links in a circle
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = folder.resolve(strict=True)
        if is_private(folder) and (os.access(folder, os.W_OK) or (folder / MANIFEST).is_file()):
            mark_used(folder)
            return folder
    return temporary(name)


def temporary(name: str) -> Path | None:
    """A folder of that name for this process alone; None when there is nowhere to write."""
    with contextlib.suppress(OSError):
        folder = Path(tempfile.mkdtemp(prefix="espalier-kernels-")) / name
        folder.mkdir()
        if not _temporary:
            atexit.register(remove_temporary)
        _temporary.append(folder.parent)
        return folder
    return None


def is_private(folder: Path) -> bool:
    """Whether only this person and the administrator can put files into a folder, or another folder in its place."""
    if not hasattr(os, "getuid"):
        return True  # Windows keeps a person's folders from others by other means
    for place in (folder, *folder.parents):
        status = place.stat()
        writable = bool(status.st_mode & stat.S_IWOTH)
        writable |= bool(status.st_mode & stat.S_IWGRP) and not _is_own_group(status.st_gid)
        if place != folder:
            writable &= not status.st_mode & stat.S_ISVTX  # as in /tmp: all may add there, nobody may replace
        if writable or status.st_uid not in (0, os.getuid()):
            return False
    return True


def _is_own_group(group: int) -> bool:
    """Whether it is the group that many systems make for each person: of the person's name, with no other member."""
    import grp
    import pwd

    try:
        person, found = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return found.gr_name == person and set(found.gr_mem) <= {person}


def remove_temporary() -> None:
    """Removes what was for this process alone."""
    while _temporary:
        shutil.rmtree(_temporary.pop(), ignore_errors=True)


def mark_used(folder: Path) -> None:
    """Remembers that the folder is in use now."""
    with contextlib.suppress(OSError):
        (folder / STAMP).touch()


def remove_unused(current: Path, now: float | None = None) -> None:
    """Removes the folders beside the `current` one that nobody has used for a month. What fails is left as it is.

    What a process that was killed had begun to write into the current one goes as well.

    Args:
        now: seconds since 1970, by default what the clock says.
    """
    now = time.time() if now is None else now
    with contextlib.suppress(OSError):
        for folder in sorted(current.parent.iterdir()):
            with contextlib.suppress(OSError):
                if folder.name != current.name and _is_cache(folder) and _last_used(folder) < now - KEPT_DAYS * 86_400:
                    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        for draft in current.rglob(f"*{WRITING}*"):
            with contextlib.suppress(OSError):
                if draft.stat().st_mtime < now - DRAFT_SECONDS:
                    draft.unlink()


def _is_cache(folder: Path) -> bool:
    """Whether it is such a folder, in place, and holds nothing but compiled kernels."""
    if not NAME.fullmatch(folder.name) or folder.is_symlink() or not folder.is_dir():
        return False
    return all(_is_compiled(path) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def _is_compiled(path: Path) -> bool:
    """Whether it is a compiled kernel, or numba's index of them, or being written, or belongs to them."""
    if path.is_symlink() or not path.is_file():
        return False
    name = path.name.split(WRITING)[0]
    return name in (STAMP, LOCK, MANIFEST) or name.endswith(ENDINGS)


def _last_used(folder: Path) -> float:
    """When the folder was last used, or was made if no stamp tells."""
    stamp = folder / STAMP
    return (stamp if stamp.exists() else folder).stat().st_mtime
