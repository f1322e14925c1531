"""Numbers of a report in words. What is not known is a dash."""

from typing import Any

from engine.runtime.sentences import tr
from engine.table.words import number_words

NOTHING = "–"
MOST_DIGITS = 4  # of a share, behind the point


def count(number: float | None) -> str:
    """A number of rows, or a weight."""
    if number is None:
        return NOTHING
    return f"{round(number):,}" if abs(number - round(number)) < 1e-9 * max(1.0, abs(number)) else f"{number:,.1f}"


def share(share: float | None) -> str:
    """In percent, with more digits where one would make all or nothing of nearly that."""
    if share is None:
        return NOTHING
    for digits in range(1, MOST_DIGITS + 1):
        said = f"{100 * share:.{digits}f}"
        if float(said) not in (0.0, 100.0):
            return f"{said} %"
    return f"{100 * share:.1f} %"


def yes(said: bool | None) -> str:
    """ "yes" or "no"."""
    return NOTHING if said is None else tr("yes") if said else tr("no")


def number(number: float | None) -> str:
    """With four significant digits."""
    return NOTHING if number is None else number_words(number, 4)


def figure(value: Any, is_share: bool) -> str:
    """A figure, with its interval where it has one."""
    say = share if is_share else number
    if not isinstance(value, list):
        return say(value)
    middle, low, high = value
    if low is None or middle is None:
        return say(middle)
    return f"{say(middle)} ({say(low).removesuffix(' %')}–{say(high)})"


def count_and_share(n: float, of: float) -> str:
    """A number of rows, and their share."""
    return f"{count(n)} · {share(n / of)}"


def first_of(shown: int, total: int) -> str:
    """How many of all are shown."""
    return tr("The first {shown} of {total} are shown.", shown=count(shown), total=count(total))
