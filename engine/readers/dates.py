"""Texts as dates: ISO, and the usual ways of writing a day, where all texts agree on one."""

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

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


@dataclass(frozen=True, eq=False)
class Dates:
    """What texts mean as dates.

    Attributes:
        values: timestamp[us] array, null where a text is no date in this notation.
        ambiguous: day and month could be the other way round, which would give other dates.
    """

    values: Any
    ambiguous: bool = False


def parse_dates(texts: Any) -> Dates:
    """Distinct texts (large_string, nulls allowed) in the notation that fits most of them."""
    best = Dates(pa.nulls(len(texts), pa.timestamp("us")))
    most = 0
    for pattern, formats in _notations(texts):
        fitting = pc.if_else(pc.match_substring_regex(texts, pattern), texts, None)
        readings = [_read(fitting, form) for form in formats]
        counts = [len(reading) - reading.null_count for reading in readings]
        if max(counts) > most:
            most = max(counts)
            chosen = counts.index(most)
            others = [r for i, r in enumerate(readings) if i != chosen and counts[i] == most]
            best = Dates(readings[chosen], any(not other.equals(readings[chosen]) for other in others))
    named = _named(texts)
    return Dates(named) if len(named) - named.null_count > most else best


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
