"""What numba keeps in its cache folder, checked before numba reads it.

    kernels-0218b16a947280d9/lock                               held by the one program that writes here
                            /manifest                           SHA-256 and name of each file, written by that program
                            /kernels_1f2e/cuts.best_cut-7.nbi   numba's index of a kernel's signatures
                                         /cuts.best_cut-7.1.nbc a compiled kernel

Numba unpickles whatever lies in its folder, which may run anything, and a file that a power cut left empty ends every
call of that kernel. So a file that is not as the manifest says is removed before numba looks, and compiled again. Two
programs that write numba's index at the same time may mix up two signatures. So one program owns the folder; another
that starts meanwhile works on a copy, and what it compiles goes with it.
"""

import contextlib
import hashlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import IO

from engine.runtime.cache_folder import ENDINGS, LOCK, MANIFEST, WRITING


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
