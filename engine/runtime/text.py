"""Texts from files and people, made fit to be shown: on one line, without letters that cannot be written."""

import re

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
