"""The axes of the size-versus-error chart."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pyqtgraph as pg

from gui.widgets import plotting
from gui.wording import words


class LeavesAxis(pg.AxisItem):
    """Whole numbers of leaves; on a log axis 1, 2, 5, 10, 20, … (the data are log₁₀ then). Words never touch."""

    by_log = False
    _compact = False  # "20k" for 20,000: where two whole numbers have no room

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        each = size / max(high - low, 1e-9)
        choices = list(self._log_choices(low, high) if self.by_log else self._choices(low, high, size))
        for self._compact in (False, True):
            for spacing, marks in choices:
                texts = self.tickStrings(marks, 1.0, spacing)
                if len(marks) > 1 and plotting.apart(self, marks, texts, each):
                    return [(spacing, marks)]
        return next(([(spacing, marks[:1])] for spacing, marks in choices if marks), [])

    def _choices(self, low: float, high: float, size: float) -> Iterator[tuple[float, list[float]]]:
        """Distances between ticks with their places: pyqtgraph's own, then twice that, and so on."""
        spacing = max([1.0, *(spacing for spacing, _ in self.tickSpacing(low, high, size)[:1])])
        while spacing <= max(high, 1.0):
            begin, end = math.ceil(max(low, 1.0) / spacing), math.floor(high / spacing)
            yield spacing, [spacing * k for k in range(begin, end + 1)]
            spacing *= 2

    def _log_choices(self, low: float, high: float) -> Iterator[tuple[float, list[float]]]:
        """1, 2, 5, 10, 20, … where they have room; else the powers of ten, or every n-th of them."""
        powers = range(max(0, math.floor(low)), min(12, math.ceil(high)) + 1)
        for digits, every in (((1, 2, 5), 1), *(((1,), every) for every in range(1, len(powers)))):
            marks = [math.log10(digit * 10**power) for power in powers if power % every == 0 for digit in digits]
            yield 1.0, [mark for mark in marks if low <= mark <= high]

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        return [(max(1.0, spacing), start) for spacing, start in super().tickSpacing(low, high, size)[:1]]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        counts = [round(10**value if self.by_log else value) for value in values]
        return [compact(count) if self._compact else words.count(count) for count in counts]


class ErrorAxis(pg.AxisItem):
    """Errors as percentages, or as plain numbers for a numeric target."""

    by_share = True

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.by_share:
            return [plotting.tick_words(value, spacing) for value in values]
        places = max(0, -math.floor(math.log10(100 * spacing) + 1e-9)) if spacing > 0 else 0
        return [words.percent(value, places) for value in values]


def compact(leaves: int) -> str:
    """The number at a tick in the least room: "500", "20k", "1.2M"."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if leaves >= unit and leaves % (unit // 10) == 0:
            return f"{leaves / unit:g}{letter}"
    return words.count(leaves)
