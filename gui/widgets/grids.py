"""Grids of places on a number or date axis, in steps that people count in. No Qt."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
WEEK, MONDAY = 7 * DAY, 4 * DAY  # 1970 began on a Thursday
MONTH, YEAR = 30.4 * DAY, 365.25 * DAY  # in the mean; the calendar knows the real ones
SPANS = (1.0, 5.0, 15.0, 30.0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY)
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MONTH = 12 * 9999 - 1  # of the calendar, counted from the year 0


class Grid(Protocol):
    """Places in ascending order, as many as there may be: the last one before `x` (−∞ if there is none), the first one
    after it (∞), and whether `x` is one."""

    def below(self, x: float) -> float: ...
    def above(self, x: float) -> float: ...
    def has(self, x: float) -> bool: ...


@dataclass(frozen=True, eq=False)
class Places:
    """Given places, float64[n] ascending."""

    at: NDArray[np.float64]

    def below(self, x: float) -> float:
        i = int(np.searchsorted(self.at, x, side="left"))
        return float(self.at[i - 1]) if i > 0 else -math.inf

    def above(self, x: float) -> float:
        i = int(np.searchsorted(self.at, x, side="right"))
        return float(self.at[i]) if i < self.at.size else math.inf

    def has(self, x: float) -> bool:
        i = int(np.searchsorted(self.at, x))
        return i < self.at.size and bool(self.at[i] == x)


@dataclass(frozen=True)
class Steps:
    """Multiples of `digit` · 10 ** `power`: whole numbers times a step that people count in."""

    digit: int
    power: int

    @classmethod
    def at_least(cls, grain: float, digits: tuple[int, ...] = (1, 2, 5)) -> Self:
        """The least step of these digits that is no finer than `grain`."""
        power = math.floor(math.log10(grain) + 1e-9)
        digit = next((d for d in digits if d * 10.0**power >= grain * (1 - 1e-9)), None)
        return cls(digit, power) if digit is not None else cls(1, power + 1)

    @property
    def step(self) -> float:
        return self._at(1)

    def _at(self, k: int) -> float:
        """The k-th place, the number nearest to the decimal one: 3 · 0.1 is 0.3."""
        whole = k * self.digit
        return float(whole * 10**self.power) if self.power >= 0 else whole / 10**-self.power

    def _index(self, x: float) -> int:
        return round(x / self.step)

    def below(self, x: float) -> float:
        k = self._index(x)
        while self._at(k) >= x:
            k -= 1
        return self._at(k)

    def above(self, x: float) -> float:
        k = self._index(x)
        while self._at(k) <= x:
            k += 1
        return self._at(k)

    def has(self, x: float) -> bool:
        return self._at(self._index(x)) == x


@dataclass(frozen=True)
class Spans:
    """Multiples of some seconds since 1970, UTC, or since another moment: full minutes, hours, days, weeks."""

    seconds: float
    since: float = 0.0

    def below(self, x: float) -> float:
        return (math.ceil((x - self.since) / self.seconds) - 1) * self.seconds + self.since

    def above(self, x: float) -> float:
        return (math.floor((x - self.since) / self.seconds) + 1) * self.seconds + self.since

    def has(self, x: float) -> bool:
        return (x - self.since) % self.seconds == 0


@dataclass(frozen=True)
class Months:
    """The first days of every `n`-th month, counted from January of the year 0; 12 are years."""

    n: int

    def below(self, x: float) -> float:
        k = self._index(x)
        return self._start(k if self._start(k) < x else k - 1)

    def above(self, x: float) -> float:
        return self._start(self._index(x) + 1)

    def has(self, x: float) -> bool:
        return self._start(self._index(x)) == x

    def _index(self, x: float) -> int:
        moment = moment_of(x)
        month = 12 * moment.year + moment.month - 1 if moment is not None else (0 if x < 0 else _LAST_MONTH)
        return month // self.n

    def _start(self, k: int) -> float:
        month = k * self.n
        if not 12 <= month <= _LAST_MONTH:
            return -math.inf if month < 12 else math.inf
        return (datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC) - _EPOCH).total_seconds()


def moment_of(seconds: float) -> datetime | None:
    """A date in seconds since 1970, UTC; None beyond the calendar."""
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):  # ValueError: not a number
        return None


def dates_at_least(grain: float) -> Spans | Months:
    """The finest grid of full seconds, minutes, …, weeks, months, years with `grain` seconds or more between places."""
    for seconds in SPANS:
        if seconds >= grain:
            return Spans(seconds)
    if grain <= WEEK:
        return Spans(WEEK, MONDAY)
    return Months(next((n for n in MONTHS if n * MONTH >= grain), MONTHS[-1]))


def nearest(grid: Grid, x: float, low: float = -math.inf, high: float = math.inf) -> float | None:
    """The place nearest to `x` among those above `low` and below `high`; None if there is none."""
    if low < x < high and grid.has(x):
        return x
    before = grid.below(min(x, high))
    after = grid.above(max(x, low))
    inside = [place for place in (before, after) if low < place < high and math.isfinite(place)]
    return min(inside, key=lambda place: abs(place - x), default=None)


def stepped(grid: Grid, x: float, steps: int, low: float, high: float) -> float | None:
    """The place `steps` further up (down, if negative) from `x` that is above `low` and below `high`, or the last of
    them on the way; None if there is none."""
    found = None
    for _ in range(abs(steps)):
        following = grid.above(x) if steps > 0 else grid.below(x)
        if not (low < following < high and math.isfinite(following)):
            break
        x = found = following
    return found
