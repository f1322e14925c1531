"""Where compiled kernels are kept: a folder for each version of them, whose files are checked before numba reads them.

espalier/kernels-0218b16a947280d9/used          touched whenever a program begins to use the folder
                                 /lock          held by the one program that writes here
                                 /manifest      SHA-256 and name of each file, written by that program
                                 /kernels_1f2e/cuts.best_cut-7.nbi   numba's index of a kernel's signatures
                                              /cuts.best_cut-7.1.nbc a compiled kernel

Numba unpickles whatever lies in its folder, which may run anything, and a file that a power cut left empty ends every
call of that kernel. So a folder into which somebody else could put a file is not used, and a file that is not as the
manifest says is removed before numba looks, and compiled again. Two programs that write numba's index at the same time
may mix up two signatures. So one program owns the folder; another that starts meanwhile works on a copy, and what it
compiles goes with it.
"""

import atexit
import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

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


class Files:
    """The compiled kernels of one folder.

    Attributes:
        store: where they are kept from start to start.
        folder: where numba reads and writes: the store itself, or a folder for this process if another program owns it.
    """

    def __init__(self, store: Path, spare: Callable[[], Path | None]) -> None:
        """Removes, or does not copy, what is not as it was written.

        Args:
            spare: makes an empty folder for this process; None when there is nowhere to write.
        """
        self.store, self._known = store, read_manifest(store)
        self._seen: dict[str, tuple[int, int]] = {}
        self._lock = lock(store / LOCK)
        self.folder: Path | None = store
        if self._lock is None or not self._remove_others():
            self.folder = spare()
            if self.folder is not None:
                self._copy(self.folder)

    def _remove_others(self) -> bool:
        """Removes what is not in the manifest or differs from it; False if something of that kind has to stay."""
        try:
            for path in _below(self.store):
                name = path.relative_to(self.store).as_posix()
                if path.is_symlink() or (name.endswith(ENDINGS) and _digest(path) != self._known.get(name, "")):
                    path.unlink()
        except OSError:
            return False
        return True

    def _copy(self, folder: Path) -> None:
        with contextlib.suppress(OSError):
            for name, digest in self._known.items():
                content = _content(self.store / name)
                if content is not None and hashlib.sha256(content).hexdigest() == digest:
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_bytes(content)

    def seal(self) -> None:
        """Writes the manifest anew if this process has compiled since. A full disk is no matter."""
        if self.folder != self.store:
            return
        with contextlib.suppress(OSError):
            found = {}
            for path in _below(self.store):
                name, status = path.relative_to(self.store).as_posix(), path.stat()
                if name.endswith(ENDINGS):
                    stamp = status.st_mtime_ns, status.st_size
                    digest = self._known.get(name) if self._seen.get(name) == stamp else _digest(path)
                    found[name], self._seen[name] = digest or "", stamp
            if found != self._known:
                _write_manifest(self.store, found)
                self._known = found

    def close(self) -> None:
        """Leaves the folder to other programs, as the end of the process does."""
        if self._lock is not None:
            self._lock.close()


def _below(folder: Path) -> list[Path]:
    """All files in a folder and below it, and all links."""
    return [path for path in sorted(folder.rglob("*")) if path.is_symlink() or not path.is_dir()]


def read_manifest(folder: Path) -> dict[str, str]:
    """SHA-256 by name of file; empty if there is none that can be read."""
    content = _content(folder / MANIFEST) or b""
    lines = [line.split("  ", 1) for line in content.decode(errors="replace").splitlines()]
    return {line[1]: line[0] for line in lines if len(line) == 2 and _is_inside(line[1])}


def _is_inside(name: str) -> bool:
    return name.endswith(ENDINGS) and not os.path.isabs(name) and ".." not in Path(name).parts


def _write_manifest(folder: Path, digests: dict[str, str]) -> None:
    draft = folder / f"{MANIFEST}{WRITING}{secrets.token_hex(8)}"
    try:
        draft.write_text("".join(f"{digest}  {name}\n" for name, digest in digests.items()))
        os.replace(draft, folder / MANIFEST)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _content(path: Path) -> bytes | None:
    """What stands in a file; None for what is no file, or cannot be read."""
    with contextlib.suppress(OSError):
        if path.is_file() and not path.is_symlink():
            return path.read_bytes()
    return None


def _digest(path: Path) -> str | None:
    content = _content(path)
    return None if content is None else hashlib.sha256(content).hexdigest()


def lock(path: Path) -> IO[bytes] | None:
    """The file, locked as long as it is open; None if another program has locked it or it cannot be written."""
    try:
        file = path.open("ab")
    except OSError:
        return None
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
