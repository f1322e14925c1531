"""The one error that is written for a person, and texts of files and people made fit to be shown in it."""

import re
from collections.abc import Hashable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing", bound=Hashable)


class InputError(ValueError):
    """Something that a person gave cannot be used.

    The text is one sentence that names the value and the remedy; the window and the command line show it
    as it is. Every other exception that leaves the engine is a fault of the program.
    """

    def __init__(self, text: str) -> None:
        super().__init__(readable(text))


class PasswordRefused(InputError):
    """A database has refused a password, or wants one."""


LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # in a name of a file that is not UTF-8; no UTF-8 can hold it
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")


def readable(text: str) -> str:
    """The text with the usual sign in the place of each letter that cannot be shown."""
    return LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(value: object, most: int = 60) -> str:
    """Whatever somebody gave, as a part of a sentence: one line, not too long of one."""
    text = printable(" ".join(str(value).split()))
    return text if len(text) <= most else text[: most - 1] + "…"


def printable(text: str) -> str:
    """A text without what ends a line, steers a terminal, or cannot be written as UTF-8: “�” stands for each of these
    characters."""
    return _STEERING.sub("\ufffd", text)


def repeated(things: Iterable[Thing]) -> Thing | None:
    """The first of them that was there before; None when all differ."""
    seen = set[Thing]()
    for thing in things:
        if thing in seen:
            return thing
        seen.add(thing)
    return None
