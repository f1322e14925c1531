"""Texts as numbers and as dates: which are, in the notation that all texts of a column agree on.

Numbers with decimal points or commas, grouped thousands and per cent signs; dates in ISO form and the usual ways of
writing a day.
"""

import re
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from engine.runtime.sentences import marked
from engine.table.encode import all_whole

LEADING_ZERO = r"^[+-]?0[0-9]"  # "00123": a code, not a number
TOO_LONG = r"^[+-]?[0-9]{19,}$"  # more digits than an integer holds: an identifier
WORDS = r"(?i:inf|infinity)"
FIRST = 1000  # texts or numbers that tell most columns apart
NO_NUMBER = r"[^-0-9+−.,'’ \x{a0}\x{202f}\x{2009}%eE∞infityINFITY]|[0-9]-"  # a letter, a colon, a slash, a date
EXPONENT = r"(?:[eE][+-]?[0-9]+)?"
ISO = r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?$"
# Each notation with the orders that it can mean, the first preferred. Dots put the day first everywhere;
# slashes and dashes do not.
DAYS = (
    (r"\d{4}/\d{1,2}/\d{1,2}", ("%Y/%m/%d",)),
    (r"\d{4}\.\d{1,2}\.\d{1,2}", ("%Y.%m.%d",)),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", ("%d.%m.%Y",)),
    (r"\d{2}\.\d{2}\.\d{2}", ("%d.%m.%y",)),
    (r"\d{1,2}/\d{1,2}/\d{4}", ("%d/%m/%Y", "%m/%d/%Y")),
    (r"\d{1,2}/\d{1,2}/\d{2}", ("%d/%m/%y", "%m/%d/%y")),
    (r"\d{1,2}-\d{1,2}-\d{4}", ("%d-%m-%Y", "%m-%d-%Y")),
)
TIMES = (
    ("", ""),
    (r" \d{1,2}:\d{2}", " %H:%M"),
    (r" \d{1,2}:\d{2}:\d{2}", " %H:%M:%S"),
    (r" \d{1,2}:\d{2} ?(?i:[ap]m)", " %I:%M %p"),
    (r" \d{1,2}:\d{2}:\d{2} ?(?i:[ap]m)", " %I:%M:%S %p"),
)
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MONTH_NUMBER = {name[:n]: i for i, name in enumerate(MONTHS, 1) for n in (3, len(name))} | {"sept": 9}
NAMED = (
    r"^(?P<d>\d{1,2})[ .\-/]+(?P<m>[A-Za-z]{3,9})\.?[ ,\-/]+(?P<y>\d{4})$",
    r"^(?P<m>[A-Za-z]{3,9})\.? (?P<d>\d{1,2}),? (?P<y>\d{4})$",
)


def any_no_number(texts: Any) -> bool:
    """Whether a text is surely no number, however it may be written: the quick look at the first ones."""
    return bool(pc.any(pc.match_substring_regex(texts, NO_NUMBER)).as_py())


def is_code(texts: Any) -> bool:
    """Whether digits stand in a text that is no quantity: leading zeros, or very many of them."""
    zeros = pc.or_(pc.starts_with(texts, "0"), pc.or_(pc.starts_with(texts, "-0"), pc.starts_with(texts, "+0")))
    odd = texts.filter(pc.and_not(zeros, pc.starts_with(texts, "0.")))  # the quick look that most columns end with
    if pc.any(pc.match_substring_regex(odd, LEADING_ZERO)).as_py():
        return True
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    return longest > 18 and bool(pc.any(pc.match_substring_regex(texts, TOO_LONG)).as_py())


def plain_numbers(texts: Any, decimal: str) -> Any | None:
    """float64 of texts (null for null) that are all written plainly; None when one is not. The fast way."""
    if decimal == ",":
        if pc.any(pc.match_substring(texts, ".")).as_py():
            return None
        texts = pc.replace_substring(texts, ",", ".")
    try:
        numbers = pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:
        return None
    return None if is_code(texts) or pc.all(pc.is_nan(numbers)).as_py() else numbers


def parse_numbers(texts: Any, decimal: str) -> tuple[Any, str]:
    """float64 of distinct texts, null where a text is no number, and a remark on the notation.

    Signs may be typographic ("−5"). Per cent signs and grouped thousands are understood only where every text is
    written so or plainly, and the grouping cannot be taken for a decimal mark.
    """
    remark = ""
    texts = pc.replace_substring(pc.replace_substring(texts, "−", "-"), "∞", "inf")
    if pc.all(pc.ends_with(texts, "%")).as_py() and texts.null_count < len(texts):
        texts = pc.utf8_trim_whitespace(pc.replace_substring(texts, "%", "", max_replacements=1))
        remark = marked("“{name}” was read without its % signs.")
    mark = re.escape(decimal)
    plain = rf"^[+-]?(?:[0-9]+{mark}?[0-9]*|{mark}[0-9]+){EXPONENT}$|^[+-]?{WORDS}$"
    group = _group_mark(texts, plain, decimal)
    if group:
        texts = pc.replace_substring_regex(texts, group, "")
        remark = remark or marked("“{name}” was read without the marks between thousands.")
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


# -- dates


def parse_dates(texts: Any) -> tuple[Any, bool]:
    """timestamp[us] of distinct texts (large_string, nulls allowed), null where a text is no date in the notation that
    fits most of them; and whether day and month could be the other way round, which would give other dates."""
    best, most, ambiguous = pa.nulls(len(texts), pa.timestamp("us")), 0, False
    for pattern, formats in _notations(texts):
        fitting = pc.if_else(pc.match_substring_regex(texts, pattern), texts, None)
        readings = [_read(fitting, form) for form in formats]
        counts = [len(reading) - reading.null_count for reading in readings]
        if max(counts) > most:
            most = max(counts)
            best, *others = [reading for reading, count in zip(readings, counts, strict=True) if count == most]
            ambiguous = any(not other.equals(best) for other in others)
    named = _named(texts)
    return (named, False) if len(named) - named.null_count > most else (best, ambiguous)


def are_iso_dates(texts: Any) -> bool:
    """Whether texts (large_string) are all dates in ISO form but for empty ones, and one is."""
    texts = texts.filter(pc.not_equal(texts, ""))
    for some in (texts[:FIRST], texts):  # the first ones tell most columns apart
        if not len(some) or not pc.all(pc.match_substring_regex(some, ISO)).as_py():
            return False
    return _read(texts, "ISO8601").null_count == 0


def _notations(texts: Any) -> list[tuple[str, tuple[str, ...]]]:
    """The notations that any of the first texts is written in."""
    first = [text for text in texts[:200].to_pylist() if text is not None][:50]
    known: list[tuple[str, tuple[str, ...]]] = [(ISO, ("ISO8601",))]
    known += [
        (f"^{day}{time}$", tuple(form + suffix for form in forms)) for day, forms in DAYS for time, suffix in TIMES
    ]
    return [(pattern, forms) for pattern, forms in known if any(re.search(pattern, text) for text in first)]


def _read(texts: Any, form: str) -> Any:
    if form == "ISO8601":
        try:
            return pc.cast(texts, pa.timestamp("us"))
        except pa.ArrowInvalid:
            pass  # time zones, nanoseconds, or a day that there is not: the slow way tells which
    if "%p" in form:  # "3:04pm" and "3:04 PM" are one notation
        texts = pc.replace_substring_regex(pc.utf8_upper(texts), r" ?([AP]M)$", r" \1")
    series = pd.Series(texts.to_pandas(), dtype=object)
    read = pd.to_datetime(series, format=form, errors="coerce", utc=True).dt.tz_localize(None)
    return pa.array(read.astype("datetime64[us]"), from_pandas=True)


def _named(texts: Any) -> Any:
    """Days with the English name of the month; read here, as `%b` depends on the language of the session."""
    best = pa.nulls(len(texts), pa.string())
    for pattern in NAMED:
        if not any(re.search(pattern, text or "") for text in texts[:50].to_pylist()):
            continue
        parts = pc.extract_regex(texts, pattern).to_pylist()
        iso = [part and _iso(part) for part in parts]
        best = pa.array(iso, pa.string()) if len(iso) - iso.count(None) > len(best) - best.null_count else best
    return _read(best, "ISO8601")


def _iso(part: dict[str, str]) -> str | None:
    month = MONTH_NUMBER.get(part["m"].lower())
    return f"{part['y']}-{month:02}-{int(part['d']):02}" if month else None
