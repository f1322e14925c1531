"""The horizontal scale of a plot: plain, logarithmic for positive columns, or of dates; and its ticks."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gui.widgets import grids, plotting
from gui.wording import words

DIGITS = (tuple(range(1, 10)), (1, 2, 5), (1, 3), (1,))  # of the ticks in each decade, the most first
MOST_DECADES = 700  # of all numbers
FLOAT_DECADES = -307.0, 308.0  # powers of ten that a float holds in full
MOST_DATES = 12  # ticks on an axis
FARTHEST = 1e300  # places beyond it stand there: the difference of two places is a number
NARROWEST = 1e-200  # between the ends of an axis; a column whose values lie closer together is drawn as a constant one
DATE_FORMS = ("%Y", "%Y-%m", "%Y-%m-%d", "%H:%M", "%H:%M:%S")  # each tells one more part of a date than the one before


@dataclass(frozen=True)
class Scale:
    """Where values stand on the axis, and which value stands at a place."""

    log: bool = False

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.log10(values) if self.log else np.clip(values, -FARTHEST, FARTHEST)

    def place(self, value: float) -> float:
        """The place of one value; −∞ for what a logarithm does not have."""
        if self.log:
            return math.log10(value) if value > 0 else -math.inf
        return min(max(value, -FARTHEST), FARTHEST)

    def value(self, place: float) -> float:
        return 10.0 ** min(max(place, FLOAT_DECADES[0]), FLOAT_DECADES[1]) if self.log else place


def around(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis that has room for one value, or for several that lie too close together to be told apart."""
    half = max(abs(low) * 0.05, 0.5)
    return low - half, high + half


def can_be_log(values: NDArray[np.float64]) -> bool:
    finite = values[plotting.inside(values)]
    return bool(finite.size > 1 and finite[0] > 0 and values[0] > 0)


class LogAxis(plotting.NumberAxis):
    """An axis whose places are powers of ten: its words are the numbers themselves."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if not (high > low and math.isfinite(low) and math.isfinite(high)) or high - low > MOST_DECADES:
            return []
        each = size / (high - low)
        low, high = max(low, FLOAT_DECADES[0]), min(high, FLOAT_DECADES[1])  # the margin may reach beyond all numbers
        for spacing, marks in self._offered(low, high):
            if plotting.apart(self, marks, self.tickStrings(marks, 1.0, 0.0), each):
                return [(spacing, marks)]
        return []

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [words.value(10.0**place) for place in values]

    @staticmethod
    def _offered(low: float, high: float) -> Iterator[tuple[float, list[float]]]:
        """Distances and places of ticks, the closest first: some in every so many decades, or within a part of one."""
        if high - low > 1:
            for digits, step in [*((each, 1) for each in DIGITS), *(((1,), n) for n in range(2, MOST_DECADES))]:
                powers = range(math.floor(low), math.ceil(high) + 1)
                marks = [power + math.log10(digit) for power in powers if power % step == 0 for digit in digits]
                yield float(step), [mark for mark in marks if low <= mark <= high]
        first, last = 10.0**low, 10.0**high
        unit = 10.0 ** math.floor(math.log10((last - first) / 3))
        for multiple in (1, 2, 5, 10, 20):
            whole = range(math.ceil(first / (multiple * unit)), math.floor(last / (multiple * unit)) + 1)
            yield 1.0, [math.log10(k * multiple * unit) for k in whole if k > 0]


class DateAxis(plotting.NumberAxis):
    """Dates in seconds since 1970, UTC, in the words of the window: full years, months, days, hours, minutes."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if not (high > low and math.isfinite(low) and math.isfinite(high)):
            return []
        each = size / (high - low)
        grain = (high - low) / MOST_DATES
        while grain < high - low:
            marks = self._between(grids.dates_at_least(grain), low, high)
            if plotting.apart(self, marks, self.tickStrings(marks, 1.0, grain), each):
                return [(grain, marks)]
            grain *= 1.5
        return []

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        moments = [grids.moment_of(value) for value in values]
        known = [moment for moment in moments if moment is not None]
        parts = [(at.month - 1, at.day - 1, at.hour or at.minute, at.second) for at in known]
        form = DATE_FORMS[max((k for each in parts for k, part in enumerate(each, 1) if part), default=0)]
        texts = [moment.strftime(form) if moment is not None else "" for moment in moments]
        if "H" in form:  # an hour alone would not tell its day
            several = len({moment.date() for moment in known}) > 1
            for i, moment in enumerate(moments):
                if moment is not None and (several or i == 0):
                    texts[i] = f"{moment:%m-%d} {texts[i]}"
        return texts

    @staticmethod
    def _between(grid: grids.Grid, low: float, high: float) -> list[float]:
        marks: list[float] = []
        place = low if grid.has(low) else grid.above(low)
        while place <= high and len(marks) <= 4 * MOST_DATES:
            marks.append(place)
            place = grid.above(place)
        return marks
