"""Cuts as a person writes them: "5, 10, 20", or "2013-07-01; 2014". No Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from engine.runtime.errors import InputError
from engine.table.words import exact_date, exact_words, value_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_YEAR, _MONTH = re.compile(r"\d{4}"), re.compile(r"(\d{4})-(\d{1,2})")
_NONE = "Write one cut or several, such as {}."


def cuts_text(cuts: Iterable[float], kind: str) -> str:
    """Cuts in a form that `read_cuts` reads back, every digit of them; of kind "day" the days, which divide alike."""
    if kind == "day":
        return ", ".join(value_words(cut, kind) for cut in cuts)
    return ", ".join(exact_date(cut) if kind == "date" else exact_words(cut) for cut in cuts)


def without_noise(cut: float, values: NDArray[np.float64]) -> float:
    """A cut of twelve digits, 4.985 for 4.984999999999999, where it divides the values (ascending) alike."""
    plain = float(f"{cut:.12g}")
    below, same = np.searchsorted(values, (cut, plain), side="right")
    return plain if below == same else cut


def read_cuts(text: str, kind: str) -> tuple[float, ...]:
    """The cuts of a text, ascending, each once; parted by commas, semicolons, or (numbers) blanks.

    Raises:
        InputError: a part that is no number, or no date; or there is none.
    """
    dates = kind == "date"
    if not dates:
        _refuse_grouped(text)
    parts = [part.strip() for part in re.split(r"[;,]" if dates else r"[;,\s]+", text) if part.strip()]
    if not parts:
        raise InputError(_NONE.format("2013-07-01, 2014-01-01" if dates else "5, 10, 20"))
    return tuple(sorted({_date(part) if dates else _number(part) for part in parts}))


def _refuse_grouped(text: str) -> None:
    """“10,000” is ten thousand to one person and two cuts to another."""
    for part in re.split(r"[;\s]+", text):
        if _GROUPED.fullmatch(part.rstrip(",").replace("−", "-")):
            plain = part.rstrip(",").replace(",", "")
            raise InputError(
                f"“{part.rstrip(',')}” can be one number or several: write {plain}, or a blank after each comma."
            )


def _number(part: str) -> float:
    try:
        number = float(part.replace("−", "-").replace("_", "x"))
    except ValueError:
        raise InputError(f"“{part}” is not a number: write cuts such as 5, 10, 20 or 0.5.") from None
    if not math.isfinite(number):
        raise InputError(f"“{part}” is no place on the axis: write numbers such as 5, 10, 20.")
    return number + 0.0  # −0 is 0


def _date(part: str) -> float:
    """Seconds since 1970, UTC; a year or a month stands for its first day."""
    import pyarrow as pa

    from engine.readers.notations import parse_dates

    if _YEAR.fullmatch(part):
        part = f"{part}-01-01"
    elif month := _MONTH.fullmatch(part):
        part = f"{month[1]}-{int(month[2]):02}-01"
    read, is_ambiguous = parse_dates(pa.array([part], pa.large_string()))
    if is_ambiguous:
        raise InputError(f"“{part}” could be day/month or month/day: write it as 2013-07-01.")
    moment: datetime | None = read[0].as_py()
    if moment is None:
        raise InputError(f"“{part}” is not a date: write it as 2013-07-01 or 2013-07-01 14:30.")
    return moment.replace(tzinfo=UTC).timestamp()
