"""Parts of JSON documents of other programs, checked when they are taken out."""

from typing import Any

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

Plain = dict[str, Any]


def part(document: Plain, key: str) -> Plain:
    """An object inside the document."""
    found = document.get(key)
    if not isinstance(found, dict):
        raise InputError(tr("it has no object “{key}”", key=key))
    return found


def listed(document: Plain, key: str) -> list[Any]:
    """A list inside the document; empty where there is none."""
    found = document.get(key, [])
    if not isinstance(found, list):
        raise InputError(tr("“{key}” is no list", key=key))
    return found


def objects(document: Plain, key: str) -> list[Plain]:
    """A list of objects inside the document; empty where there is none."""
    found = listed(document, key)
    if not all(isinstance(one, dict) for one in found):
        raise InputError(tr("“{key}” holds what is no object", key=key))
    return found


def numbers(document: Plain, key: str) -> list[float]:
    """A list of numbers as floats."""
    return [number(value, key) for value in listed(document, key)]


def number(value: object, key: str) -> float:
    """A number as a float."""
    if type(value) not in (int, float) or not abs(value) < 2**1024:  # type: ignore[arg-type, operator]
        raise InputError(tr("“{key}” holds what is no number", key=key))
    return float(value)  # type: ignore[arg-type]


def whole(document: Plain, key: str) -> list[int]:
    """A list of whole numbers, or of truth values as 0 and 1."""
    found = listed(document, key)
    if not all(type(value) in (int, bool) for value in found):
        raise InputError(tr("“{key}” holds what is no whole number", key=key))
    return [int(value) for value in found]
