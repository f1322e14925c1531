"""Grids of places on a number or date axis, in steps that people count in. No Qt."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
WEEK, MONDAY = 7 * DAY, 4 * DAY  # 1970 began on a Thursday
MONTH = 30.4 * DAY  # in the mean; the calendar knows the real ones
SPANS = (1.0, 5.0, 15.0, 30.0, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY)
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MONTH = 12 * 9999 - 1  # of the calendar, counted from the year 0


class Grid(Protocol):
    """Places in ascending order, as many as there may be: `place` tells the k-th, −∞ or ∞ where there is none, `index`
    one that is near a number."""

    def index(self, x: float) -> int: ...
    def place(self, k: int) -> float: ...

    def below(self, x: float) -> float:
        """The last place before `x`, −∞ if there is none."""
        k = self.index(x)
        while x <= self.place(k) != -math.inf:
            k -= 1
        return self.place(k)

    def above(self, x: float) -> float:
        """The first place after `x`, ∞ if there is none."""
        k = self.index(x)
        while math.inf != self.place(k) <= x:
            k += 1
        return self.place(k)

    def has(self, x: float) -> bool:
        return math.isfinite(x) and self.place(self.index(x)) == x


@dataclass(frozen=True, eq=False)
class Places(Grid):
    """Given places, float64[n] ascending."""

    at: NDArray[np.float64]

    def index(self, x: float) -> int:
        return int(np.searchsorted(self.at, x))

    def place(self, k: int) -> float:
        return float(self.at[k]) if 0 <= k < self.at.size else math.copysign(math.inf, k)


@dataclass(frozen=True)
class Steps(Grid):
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
        return self.place(1)

    def place(self, k: int) -> float:
        """The number nearest to the decimal one: 3 · 0.1 is 0.3."""
        whole = k * self.digit
        return float(whole * 10**self.power) if self.power >= 0 else whole / 10**-self.power

    def index(self, x: float) -> int:
        return round(x / self.step)


@dataclass(frozen=True)
class Spans(Grid):
    """Multiples of some seconds since 1970, UTC, or since another moment: full minutes, hours, days, weeks."""

    seconds: float
    since: float = 0.0

    def place(self, k: int) -> float:
        return k * self.seconds + self.since

    def index(self, x: float) -> int:
        return math.floor((x - self.since) / self.seconds)


@dataclass(frozen=True)
class Months(Grid):
    """The first days of every `n`-th month, counted from January of the year 0; 12 are years."""

    n: int

    def index(self, x: float) -> int:
        moment = moment_of(x)
        month = 12 * moment.year + moment.month - 1 if moment is not None else (0 if x < 0 else _LAST_MONTH)
        return month // self.n

    def place(self, k: int) -> float:
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
    if grain <= DAY:
        return Spans(next(seconds for seconds in SPANS if seconds >= grain))
    if grain <= WEEK:
        return Spans(WEEK, MONDAY)
    return Months(next((n for n in MONTHS if n * MONTH >= grain), MONTHS[-1]))


def nearest(grid: Grid, x: float, low: float = -math.inf, high: float = math.inf) -> float | None:
    """The place nearest to `x` among those above `low` and below `high`; None if there is none."""
    if low < x < high and grid.has(x):
        return x
    around = grid.below(min(x, high)), grid.above(max(x, low))
    inside = [place for place in around if low < place < high and math.isfinite(place)]
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
