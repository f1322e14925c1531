"""Texts as numbers: which are, with decimal points or commas, grouped thousands and per cent signs."""

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

LEADING_ZERO = r"^[+-]?0[0-9]"  # "00123": a code, not a number
TOO_LONG = r"^[+-]?[0-9]{19,}$"  # more digits than an integer holds: an identifier
WORDS = r"(?i:inf|infinity)"
FIRST = 1000  # texts or numbers that tell most columns apart
NO_NUMBER = r"[^-0-9+−.,'’ \x{a0}\x{202f}\x{2009}%eE∞infityINFITY]|[0-9]-"  # a letter, a colon, a slash, a date
EXPONENT = r"(?:[eE][+-]?[0-9]+)?"


def any_no_number(texts: Any) -> bool:
    """Whether a text is surely no number, however it may be written: the quick look at the first ones."""
    return bool(pc.any(pc.match_substring_regex(texts, NO_NUMBER)).as_py())


def is_code(texts: Any) -> bool:
    """Whether digits stand in a text that is no quantity: leading zeros, or very many of them."""
    zeros = texts.filter(pc.fill_null(pc.match_substring_regex(texts, "^[+-]?0"), False))
    if pc.any(pc.match_substring_regex(zeros, LEADING_ZERO)).as_py():
        return True
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    return longest > 18 and bool(pc.any(pc.match_substring_regex(texts, TOO_LONG)).as_py())


def plain_numbers(texts: Any, decimal: str) -> Any | None:
    """float64 of texts (null for null) that are all written plainly; None when one is not. The fast way."""
    if len(texts) > FIRST and plain_numbers(texts[:FIRST], decimal) is None:
        return None  # Arrow makes a sentence for every text that is none, which takes longer than reading it
    if decimal == ",":
        if pc.any(pc.match_substring(texts, ".")).as_py():
            return None
        texts = pc.replace_substring(texts, ",", ".")
    try:
        numbers = pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:
        return None
    return None if is_code(texts) else numbers


def parse_numbers(texts: Any, decimal: str) -> tuple[Any, str]:
    """float64 of distinct texts, null where a text is no number, and a remark on the notation.

    Signs may be typographic ("−5"). Per cent signs and grouped thousands are understood only where every text is
    written so or plainly, and the grouping cannot be taken for a decimal mark.
    """
    remark = ""
    texts = pc.replace_substring(pc.replace_substring(texts, "−", "-"), "∞", "inf")
    if pc.all(pc.ends_with(texts, "%")).as_py() and texts.null_count < len(texts):
        texts = pc.utf8_trim_whitespace(pc.replace_substring(texts, "%", "", max_replacements=1))
        remark = "was read without its % signs"
    mark = re.escape(decimal)
    plain = rf"^[+-]?(?:[0-9]+{mark}?[0-9]*|{mark}[0-9]+){EXPONENT}$|^[+-]?{WORDS}$"
    group = _group_mark(texts, plain, decimal)
    if group:
        texts = pc.replace_substring_regex(texts, group, "")
        remark = remark or "was read without the marks between thousands"
    ok = pc.match_substring_regex(texts, plain)
    texts = (
        pc.replace_substring(pc.if_else(ok, texts, None), ",", ".") if decimal == "," else pc.if_else(ok, texts, None)
    )
    return _cast(texts), remark


def _group_mark(texts: Any, plain: str, decimal: str) -> str:
    """The mark between thousands that all texts agree on, as a pattern; empty when there is none."""
    mark = re.escape(decimal)
    for group in ("[ \u00a0\u202f\u2009]", "['’]", r"\." if decimal == "," else ","):
        grouped = rf"^[+-]?[0-9]{{1,3}}(?:{group}[0-9]{{3}})+(?:{mark}[0-9]*)?$"
        if not pc.any(pc.match_substring_regex(texts, grouped)).as_py():
            continue
        if not pc.all(pc.match_substring_regex(texts, f"{plain}|{grouped}")).as_py():
            continue
        clear = rf"(?:{group}[0-9]{{3}}){{2,}}|{group}[0-9]{{3}}{mark}" if group in (",", r"\.") else group
        if pc.any(pc.match_substring_regex(texts, clear)).as_py():
            return group
    return ""


def _cast(texts: Any) -> Any:
    try:
        return pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:  # a notation that Arrow does not know
        return pa.array([None if text is None else float(text) for text in texts.to_pylist()], pa.float64())


def whole(numbers: Any) -> bool:
    """Whether there are finite numbers in an Arrow array and all of them are whole."""
    return all_whole(pc.cast(numbers, pa.float64(), safe=False).to_numpy(zero_copy_only=False))


def all_whole(values: NDArray[Any]) -> bool:
    """Whether there are finite numbers among float64[n] and all of them are whole."""
    for part in (values[:FIRST], values):  # measurements are told by the first few
        finite = part[np.isfinite(part)]
        if not np.array_equal(finite, np.floor(finite)):
            return False
    return finite.size > 0
