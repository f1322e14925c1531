"""Where cuts of one column may stand at one node: between its values, at round numbers, at quantiles. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

import engine
from gui.widgets import grids
from gui.widgets.grids import Grid, Places, Spans, Steps

MIDPOINT, ROUND, QUANTILE, FREE = SNAPS = ("midpoint", "round", "quantile", "free")
QUANTILES = 20  # the node's rows are cut at every twentieth of them
ROUND_PIXELS = 7  # round numbers are at least so far apart on the screen
FREE_PIXELS = 0.5  # and free ones as far, so that what is written is what is cut at
FINEST = 1e-12  # of the range: below it numbers have no more digits
FINER = 30  # times a grid is made finer where it has no place


def training_weights(curve: engine.Curve, by_class: bool) -> NDArray[np.float64]:
    """float64[m]: the weight of the training rows at each of a curve's values or levels."""
    train = np.asarray(curve.train)
    return train.sum(axis=1) if by_class else train[:, 0]


def has_missing(curve: engine.Curve, by_class: bool) -> bool:
    """Whether training rows of the node lack the value."""
    missing = np.asarray(curve.missing_train)
    return bool(missing.size and missing[: None if by_class else 1].sum() > 0)


@dataclass(frozen=True, eq=False)
class Ruler:
    """The grids of one column."""

    curve: engine.Curve  # of a number, an integer or a date
    by_class: bool  # it counts classes; otherwise (Σw, Σwy, Σw(y - mean)²) of a numeric target

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """float64[m]: the training rows at each of the curve's values, by weight."""
        return training_weights(self.curve, self.by_class)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The finite training values from the first of which on, and below the last, a cut separates rows."""
        values = np.asarray(self.curve.values)[self.weights > 0]
        values = values[np.isfinite(values)]
        return (float(values[0]), float(values[-1])) if values.size else (math.nan, math.nan)

    @cached_property
    def _midpoints(self) -> Places:
        cuts = np.asarray(self.curve.cuts)
        return Places(cuts[np.isfinite(cuts)])

    @cached_property
    def _quantiles(self) -> Places:
        """Of all cuts those that come nearest to a twentieth, two twentieths … of the rows that have the value."""
        cuts = self._midpoints.at
        if not cuts.size:
            return self._midpoints
        below = np.concatenate([[0.0], np.cumsum(self.weights)])
        share = below[np.searchsorted(np.asarray(self.curve.values), cuts, side="right")] / below[-1]
        wanted = np.arange(1, QUANTILES) / QUANTILES
        right = np.clip(np.searchsorted(share, wanted), 0, cuts.size - 1)
        left = np.maximum(right - 1, 0)
        nearer = np.where(wanted - share[left] <= share[right] - wanted, left, right)
        return Places(cuts[np.unique(nearer)])

    def grid(self, snap: str, grain: float) -> Grid:
        """The grid of one of `SNAPS`; `grain`: the width of a pixel on the axis."""
        if snap == MIDPOINT:
            return self._midpoints
        if snap == QUANTILE:
            return self._quantiles
        low, high = self.ends
        wide = high - low if high > low else abs(low) or 1.0
        grain = max(grain, FINEST * max(wide, abs(low), abs(high)))
        apart = grain * (ROUND_PIXELS if snap == ROUND else FREE_PIXELS)
        if self.curve.kind == "date":
            return grids.dates_at_least(max(apart, 1.0))
        if self.curve.kind == "integer":
            apart = max(apart, 1.0)
        return Steps.at_least(apart, (1, 2, 5) if snap == ROUND else (1,))

    def nearest(self, x: float, snap: str, grain: float, low: float, high: float) -> float | None:
        """The place nearest to `x` between two others that separates rows, on a finer grid where this has none in the
        gap; None if there is no room."""
        low, high = self._inside(low, high)
        for _ in range(FINER):
            grid = self.grid(snap, grain)
            found = grids.nearest(grid, x, low, high)
            if found is not None or isinstance(grid, Places) or grid == Spans(1.0):
                return found
            grain /= 2
        return None

    def step(self, x: float, steps: int, snap: str, grain: float, low: float, high: float) -> float | None:
        """The place some steps from `x`, or as far as there is room; None where there is no other."""
        return grids.stepped(self.grid(snap, grain), x, steps, *self._inside(low, high))

    def _inside(self, low: float, high: float) -> tuple[float, float]:
        first, last = self.ends
        return max(low, math.nextafter(first, -math.inf)), min(high, last)
