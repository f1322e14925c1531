"""Files that are either written whole or not at all, and the reading of JSON with errors in words."""

import json
import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.errors import InputError


def write_whole(path: str | Path, pieces: Iterable[str]) -> None:
    """Writes UTF-8 text beside the file and puts it in the file's place when it is complete.

    Raises:
        InputError: it cannot be written there; what stood there before is untouched, nothing new is left.
    """
    target = Path(os.path.realpath(path))
    if os.path.isdir(target):  # unlike Path.is_dir it knows names that are too long
        raise InputError(f"“{path}” is a folder: give the name of a file.")
    draft = target.with_name(f".{secrets.token_hex(8)}.tmp")  # short: the file's own name may be as long as can be
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
    except OSError as error:
        raise InputError(f"“{path}” cannot be written ({_reason(error)}): choose another place.") from error
    finally:
        if target.parent.is_dir():
            _remove(draft)


def read_json(path: str | Path, what: str) -> dict[str, Any]:
    """The JSON object in a file.

    Args:
        path: the file.
        what: what the file should be, for the errors: "tree" or "project".

    Raises:
        InputError: no file, a folder, not readable, cut off, not JSON, or JSON that is no object.
    """
    if Path(path).is_dir():
        raise InputError(f"“{path}” is a folder: choose a {what} file.")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"There is no file “{path}”.") from error
    except OSError as error:
        raise InputError(f"“{path}” cannot be read ({_reason(error)}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"“{path}” is no {what} file: it holds no text in UTF-8.") from error
    return parse_json(text, path, what)


def parse_json(text: str, name: str | Path, what: str) -> dict[str, Any]:
    """The JSON object in a text, which errors call by this name; raises as `read_json` for the text."""
    try:
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InputError(_not_json(str(name), what, text, error)) from error
    if not isinstance(document, dict):
        raise InputError(f"“{name}” is JSON, but no Espalier {what}.")
    return document


def check_header(document: dict[str, Any], path: str | Path, what: str, version: int) -> None:
    """Raises InputError unless the document says that it is an Espalier `what` that this version reads."""
    found = document.get("version")
    if document.get("format") != f"espalier-{what}" or isinstance(found, bool) or not isinstance(found, int):
        raise InputError(f"“{path}” is JSON, but no Espalier {what}.")
    if found > version:
        raise InputError(
            f"“{path}” was written by a newer Espalier (version {found}); this one reads version {version}: "
            "update the program."
        )
    if found < 1:
        raise InputError(f"“{path}” names version {found} of the {what} format, which never was.")


def _not_json(path: str, what: str, text: str, error: Exception) -> str:
    if not text.strip():
        return f"“{path}” is empty."
    at_end = isinstance(error, json.JSONDecodeError) and error.pos >= len(text.rstrip())
    if text.lstrip().startswith("{") and (at_end or not text.rstrip().endswith("}")):
        return f"“{path}” is cut off: its end is missing, so use another copy of the {what}."
    return f"“{path}” is no {what} file: it is not JSON."


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _remove(draft: Path) -> None:
    try:
        draft.unlink(missing_ok=True)
    except OSError:  # the folder can no longer be changed: then nothing could have been written either
        return
