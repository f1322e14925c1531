"""Files that are either written whole or not at all, and the reading of JSON with errors in words."""

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.runtime.errors import LONE_SURROGATE, InputError
from engine.runtime.sentences import tr

try:
    import fcntl
except ModuleNotFoundError:  # Windows, where a file that is open cannot be removed
    fcntl = None  # type: ignore[assignment]

DRAFT = re.compile(r"\.espalier-[0-9a-f]{16}\.tmp")  # short: a file's own name may be as long as can be
DRAFT_SECONDS = 3600  # where nothing tells whether a draft is being written, one that is as old as this is not


def write_whole(path: str | Path, pieces: Iterable[str | bytes]) -> None:
    """Writes text as UTF-8, or bytes, beside the file and puts it in the file's place when it is complete.

    Drafts that killed programs left in the folder are removed.

    Raises:
        InputError: it cannot be written there; what stood there before is untouched, nothing new is left.
    """
    target = checked_target(path)
    draft = None
    try:
        remove_drafts(target.parent)
        descriptor, draft = _new_draft(target.parent)
        with open(descriptor, "wb") as file:
            file.writelines(
                piece if isinstance(piece, bytes) else piece.encode("utf-8", "backslashreplace") for piece in pieces
            )
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, draft)
            if fcntl is not None:  # the draft is locked, and so nobody's to remove, as long as it is open
                os.replace(draft, target)
        if fcntl is None:
            os.replace(draft, target)
    except OSError as error:
        raise InputError(
            tr("“{path}” cannot be written ({reason}): choose another place.", path=path, reason=_reason(error))
        ) from error
    finally:
        if draft is not None:
            with contextlib.suppress(OSError):  # in the file's place, or in a folder that cannot be changed any more
                draft.unlink()


def checked_target(path: str | Path) -> Path:
    """Where the path leads; InputError unless a file can stand there."""
    if not os.fspath(path):
        raise InputError(tr("The file has no name: give one."))
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:
        raise InputError(tr("“{path}” cannot be the name of a file: choose another one.", path=path)) from error
    if os.path.isdir(target):
        raise InputError(tr("“{path}” is a folder: give the name of a file.", path=path))
    of_the_system = os.path.islink(path) and os.path.abspath(path).startswith(("/dev/", "/proc/"))  # /dev/stdout
    if of_the_system or (os.path.exists(target) and not os.path.isfile(target)):
        raise InputError(
            tr("“{path}” is a pipe, a socket or a device, and no file: give the name of a file.", path=path)
        )
    return target


def _new_draft(folder: Path) -> tuple[int, Path]:
    """A new file in the folder, open and locked for as long as it is open."""
    while True:
        draft = folder / f".espalier-{secrets.token_hex(8)}.tmp"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        if fcntl is None:
            return descriptor, draft
        with contextlib.suppress(OSError):  # not every file system knows locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if draft.exists():  # nobody took it for a draft that was left behind before it was locked
            return descriptor, draft
        os.close(descriptor)


def remove_drafts(folder: Path) -> None:
    """Removes the drafts in a folder that nobody writes any more; never raises."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if DRAFT.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_draft(Path(entry.path))


def _remove_draft(draft: Path) -> None:
    """Removes a draft unless it is being written; OSError when that cannot be found out."""
    if fcntl is None:
        if draft.stat().st_mtime < time.time() - DRAFT_SECONDS:
            draft.unlink()
        return
    descriptor = os.open(draft, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink()
    finally:
        os.close(descriptor)


def to_json(value: Any, **how: Any) -> str:
    """JSON in which other programs can read every letter; half a surrogate pair, which no UTF-8 holds, is escaped.

    Raises:
        ValueError: a number is not finite.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **how)
    return LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def read_json(path: str | Path, what: str) -> dict[str, Any]:
    """The JSON object in a file.

    Args:
        path: the file.
        what: what the file should be, for the errors: "tree" or "project".

    Raises:
        InputError: no file, a folder, not readable, cut off, not JSON, or JSON that is no object.
    """
    return parse_json(decoded(read_bytes(path, what), path, what), path, what)


def read_bytes(path: str | Path, what: str) -> bytes:
    """All that stands in a file; `what` and errors as for `read_json`."""
    if not os.fspath(path):
        raise InputError(tr("No file is named: choose a {what} file.", what=tr(what)))
    if os.path.isdir(path):
        raise InputError(tr("“{path}” is a folder: choose a {what} file.", path=path, what=tr(what)))
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(
            tr("“{path}” is a pipe, a socket or a device, and no file: choose a {what} file.", path=path, what=tr(what))
        )
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(tr("There is no file “{path}”.", path=path)) from error
    except OSError as error:
        raise InputError(tr("“{path}” cannot be read ({reason}).", path=path, reason=_reason(error))) from error
    except ValueError as error:
        raise InputError(
            tr("“{path}” cannot be the name of a file: choose a {what} file.", path=path, what=tr(what))
        ) from error


def decoded(data: bytes, path: str | Path, what: str) -> str:
    """The text that the bytes of a file are; InputError where they are none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            tr("“{path}” is no {what} file: it holds no text in UTF-8.", path=path, what=tr(what))
        ) from error


def parse_json(text: str, name: str | Path, what: str) -> dict[str, Any]:
    """The JSON object in a text, which errors call by this name; raises as `read_json` for the text."""
    try:
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InputError(_not_json(str(name), what, text, error)) from error
    if not isinstance(document, dict):
        raise InputError(tr("“{name}” is JSON, but no Espalier {what}.", name=name, what=tr(what)))
    return document


def check_header(document: dict[str, Any], path: str | Path, what: str, version: int) -> None:
    """Raises InputError unless the document says that it is an Espalier `what` that this version reads."""
    found = document.get("version")
    if document.get("format") != f"espalier-{what}" or isinstance(found, bool) or not isinstance(found, int):
        raise InputError(tr("“{path}” is JSON, but no Espalier {what}.", path=path, what=tr(what)))
    if found > version:
        raise InputError(tr(
            "“{path}” was written by a newer Espalier (version {found}); this one reads version {version}: update "
            "the program.", path=path, found=found, version=version))  # fmt: skip
    if found < 1:
        raise InputError(tr(
            "“{path}” names version {found} of the {what} format, which never was.", path=path, found=found,
            what=tr(what)))  # fmt: skip


def _not_json(path: str, what: str, text: str, error: Exception) -> str:
    if not text.strip():
        return tr("“{path}” is empty.", path=path)
    at_end = isinstance(error, json.JSONDecodeError) and error.pos >= len(text.rstrip())
    if text.lstrip().startswith("{") and (at_end or not text.rstrip().endswith("}")):
        return tr(
            "“{path}” is cut off: its end is missing, so use another copy of the {what}.", path=path, what=tr(what)
        )
    return tr("“{path}” is no {what} file: it is not JSON.", path=path, what=tr(what))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
