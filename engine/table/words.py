"""Values in words: what a threshold, a level or a date looks like in a rule."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from engine.runtime.sentences import marked, tr

DAY = 86_400.0  # seconds
MOST_BINS = 1000  # of a numeric target: as many as a tree tells classes apart
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WHOLE = 9  # significant digits
_UNGROUPED = 9_999.0  # numbers below have no thousands that are grouped, and no more than four digits before the point
_MOST_DIGITS = 2.0**63  # the largest whole number that is written in full; beyond it is as good as an exponent


KINDS = {
    "nominal": marked("category"), "ordered": marked("ordered"), "boolean": marked("boolean"),
    "number": marked("number"), "integer": marked("integer"), "date": marked("date"),
}  # fmt: skip


def kind_word(kind: str) -> str:
    """What people call a kind of column."""
    word = KINDS.get(kind, kind)
    return tr(word)


def number_words(value: float, digits: int = 6) -> str:
    """A number as people write it: so many significant digits, grouped thousands, a real minus sign.

    Whole numbers and halves below 1e15 are written in full: a half stands between two neighbouring whole numbers, and
    rounded it would be one of them.
    """
    size = abs(value)
    if 1e-4 <= size < _UNGROUPED and digits > 4:  # as below, in a third of the time: rules are full of these
        return f"{value:.{digits}g}".replace("-", "−")
    if math.isnan(value):
        return tr("missing")
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if size != 0 and not 1e-4 <= size < 1e15:
        text = f"{size:.{digits}g}"
    elif size == math.floor(size):
        text = f"{size:,.0f}" if size >= 10_000 else f"{size:.0f}"
    else:
        places = max(int((size * 2).is_integer()), digits - 1 - math.floor(math.log10(size)))
        text = f"{size:,.{places}f}" if size >= 10_000 else f"{size:.{places}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return "−" + text if value < 0 else text


def exact_words(value: float) -> str:
    """A number with every digit that it needs, plain ASCII, so that it can be read back."""
    return f"{value:.0f}" if abs(value) <= _MOST_DIGITS and value == math.floor(value) else repr(float(value))


def date_words(seconds: float) -> str:
    """A date, in seconds since 1970 UTC, in ISO form; the time of day only where there is one, in whole seconds."""
    moment = _moment(seconds)
    return number_words(seconds) if moment is None else _iso(moment, "seconds" if moment.second else "minutes")


def lost_dates(name: str, count: int) -> str:
    """That so many dates of a column are none that Python can show."""
    if count == 1:
        return tr("“{name}” holds 1 date outside of the years 1 to 9999, which counts as missing.", name=name)
    return tr("“{name}” holds {n:,} dates outside of the years 1 to 9999, which count as missing.", name=name, n=count)


def exact_date(seconds: float) -> str:
    """The same to the microsecond, where there are any: two dates never read the same."""
    moment = _moment(seconds)
    if moment is None:
        return exact_words(seconds)
    return _iso(moment, "microseconds") if moment.microsecond else date_words(seconds)


def _moment(seconds: float) -> datetime | None:
    """None beyond the calendar, which knows the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):  # ValueError: not a number
        return None


def _iso(moment: datetime, precision: str) -> str:
    """`isoformat` pads the years before 1000, which strftime leaves to the platform."""
    if moment.hour == moment.minute == moment.second == moment.microsecond == 0:
        return moment.date().isoformat()
    return moment.replace(tzinfo=None).isoformat(" ", precision)


def value_words(value: float, kind: str) -> str:
    """A numeric value of a column of this kind in words: whole as far as nine significant digits can hold it, for a
    rounded threshold may be on the other side of a row; else rounded as by `number_words`.

    Args:
        kind: "day" of dates that are all whole days: a threshold at noon then says the day, for no value lies between.
    """
    if kind == "day":
        return date_words(DAY * math.floor(value / DAY)) if math.isfinite(value) else date_words(value)
    if kind == "date":
        return date_words(value)
    # The middle of two short decimals is a short one, but for a rounding of its last bits.
    return number_words(value, _WHOLE if math.isclose(float(f"{value:.{_WHOLE}g}"), value, rel_tol=1e-14) else 6)


def levels_words(levels: Sequence[str]) -> str:
    """Levels in a row: "Dream, Torgersen"; one with a comma in quotes, so that it does not read as two."""
    return ", ".join(f"“{level}”" if "," in level else level for level in levels)


def quoted_words(names: Sequence[str]) -> str:
    """Names in a sentence: the first eight, and how many there are besides."""
    shown = ", ".join(f"“{name}”" for name in names[:8])
    return shown if len(names) <= 8 else tr("{names} and {n} more", names=shown, n=len(names) - 8)


def range_names(edges: tuple[float, ...]) -> list[str]:
    """What the bins between ascending edges are called: "≤ 12.5", "12.5 – 20", "> 20"; no two alike."""
    texts = [value_words(edge, "number") for edge in edges]
    if len(set(texts)) < len(texts):
        texts = [exact_words(edge) for edge in edges]
    between = [f"{low} – {high}" for low, high in pairwise(texts)]
    return [f"≤ {texts[0]}", *between, f"> {texts[-1]}"]
