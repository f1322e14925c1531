"""A node's target as it would be dealt out anew to the rows, and what one branch of few rows would make of it.

Of many rows a branch has the normal law. Of few it has that of the permutation:

    two classes    hypergeometric, by the binomial law that is nearest to it (Wise 1954)
    more           X² of one branch as a gamma variable with its mean and variance
    numbers        the sum of rows drawn one by one, by its saddlepoint (Lugannani and Rice 1980; Daniels 1987), of two
                   rows by counting: long tails of the target make small branches look good far more often than the
                   normal law says
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FEW = 64  # rows of a branch up to which it is small, whatever the target
EXPECTED = 10  # rows of the rarest class up to which it is
SAMPLE = 20_000  # numbers that are looked at
FARTHEST, BETWEEN = 128, 512  # of these, the farthest from the mean one by one, and so many of the others
BRANCHES = np.array([2.0, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64])  # rows of those that sums are drawn for
NOTHING = 1e-290  # what is left of interpolating logarithms where there is no chance at all
TILTS = np.geomspace(0.03, 12.0, 18)


@dataclass(frozen=True, eq=False)
class Deal:
    """The target of a node that is dealt out anew.

    Attributes:
        n: training rows.
        classes: float64[K], rows of each class that is there; empty for a numeric target.
        numbers: float64[at most SAMPLE], the numeric target or some of it; empty for classes.
    """

    n: int
    classes: Floats
    numbers: Floats

    @classmethod
    def of_classes(cls, weights: Floats, n: int) -> "Deal":
        """From the weight of every class; n: rows."""
        present = weights[weights > 0]
        return cls(n, present * (n / max(float(present.sum()), 1e-300)), np.empty(0))

    @classmethod
    def of_numbers(cls, numbers: Floats, n: int | None = None) -> "Deal":
        """From the target of every row, or of some of n rows."""
        return cls(numbers.size if n is None else n, np.empty(0), numbers[:: -(-numbers.size // SAMPLE) or 1])

    @cached_property
    def shares(self) -> Floats:
        """float64[K], of the classes."""
        return self.classes / max(self.n, 1)

    @cached_property
    def distances(self) -> Floats:
        """The numbers, with mean 0 and variance 1."""
        d = self.numbers - self.numbers.mean() if self.numbers.size else self.numbers
        return np.asarray(d / max(math.sqrt(float(np.square(d).sum()) / max(d.size, 1)), 1e-300))

    @cached_property
    def flatness(self) -> float:
        """n Σd⁴ ÷ (Σd²)², d the distance from the mean: of the numbers, or of the indicator of the first class."""
        if self.classes.size:
            spread = max(float(self.shares[0] * (1 - self.shares[0])), 1e-300)
            return (1 - 3 * spread) / spread
        return float(np.mean(self.distances**4)) if self.numbers.size else 1.0

    def is_few(self, rows: Floats) -> NDArray[np.bool_]:
        """Whether branches of so many rows are small."""
        least = float(self.shares.min()) if self.classes.size else 1.0
        few = rows * least <= EXPECTED
        return np.asarray(few if self.classes.size else rows <= FEW)

    def log_tail(self, rows: float, x: float, log_p: float) -> float:
        """ln P(at least what was found) of one branch of so many rows: by the normal law where it is not small."""
        if not self.is_few(np.array([rows]))[0]:
            return log_p
        tail = float(self.tails(np.array([rows]), x, log_p)[0])
        return math.log(tail) if tail > 0.0 else log_p

    def tails(self, rows: Floats, x: float, log_p: float) -> Floats:
        """P(at least what was found) of single branches of so many rows, at most half of them.

        Args:
            x: X², of numbers (n - 1) times the explained share. log_p: its p-value by the normal law.
        """
        if not self.classes.size:
            return self._of_sums(rows, x, log_p)
        if self.classes.size == 2:
            return self._of_hits(rows, x * (self.n - 1) / max(self.n, 1))
        return self._of_classes(rows, x)

    def _of_hits(self, rows: Floats, x: float) -> Floats:
        n, some = self.n, float(np.rint(np.round(np.clip(self.classes[0], 1, self.n - 1), 9)))
        q = some / n
        apart = np.sqrt(x * rows * (n - rows) * q * (1 - q) / (n - 1)) * (1 - 1e-9)

        def at_most(hits: Floats, of: float) -> Floats:
            from scipy.special import betainc

            hits = np.floor(hits)
            p = np.clip((2 * of - hits) / (2 * n - rows + 1), 0.0, 1.0)
            possible = (hits >= 0) & (hits >= rows + of - n)
            hits = np.clip(hits, 0, rows - 1)
            return np.where(possible, betainc(rows - hits, hits + 1, 1 - p), 0.0)

        return at_most(rows * q - apart, some) + at_most(rows * (1 - q) - apart, n - some)

    def _of_classes(self, rows: Floats, x: float) -> Floats:
        from scipy.special import gammaincc

        k, rare = self.shares.size, float((1.0 / self.shares).sum())
        variance = 2 * (k - 1) + np.maximum(rare - k * k - 2 * k + 2, 0.0) / rows
        return np.asarray(gammaincc((k - 1) ** 2 / variance, x * (k - 1) / variance))

    def _of_sums(self, rows: Floats, x: float, log_p: float) -> Floats:
        """The larger the branch, the more its distance is bounded by that of the other."""
        if self.n < 2:
            return np.ones(rows.size)
        single = float(np.mean(np.abs(self.distances) >= math.sqrt(x) * (1 - 1e-9)))
        height = np.sqrt(x + (at_level(log_p) - x) * np.minimum(2 * BRANCHES / self.n, 1.0))
        sums = np.zeros(BRANCHES.size)
        for farthest, at, log_tails in self._saddles:
            ways = zip(height, BRANCHES, log_tails, strict=True)
            sums += [
                math.exp(np.interp(h, math.sqrt(n) * at, line)) if h <= math.sqrt(n) * farthest else 0.0
                for h, n, line in ways
            ]  # no rows go farther than all of them at the farthest number
        sums[0] = self._of_pairs(x)
        between = np.exp(np.interp(np.log(rows), np.log(BRANCHES), np.log(np.maximum(sums, 1e-300))))
        between[between < NOTHING] = 0.0
        return np.asarray(np.minimum(np.where(rows <= 1, single, between), 1.0))

    def _of_pairs(self, x: float) -> float:
        """P(two rows go as far), by counting: a saddlepoint spreads what one far number alone can do."""
        d, weights = self._points
        far = math.sqrt(2 * x * max(self.n - 2, 0) / (self.n - 1)) * (1 - 1e-9)
        before = np.append(0.0, np.cumsum(weights))
        above = before[-1] - before[np.searchsorted(d, far - d, side="left")]
        below = before[np.searchsorted(d, -far - d, side="right")]
        twice = float(weights[2 * np.abs(d) >= far].sum()) / self.distances.size  # a row with itself is no pair
        single = 1 / self.distances.size
        return max(float(weights @ (above + below)) - twice, 0.0) / max(1 - single, single)

    @cached_property
    def _points(self) -> tuple[Floats, Floats]:
        """(numbers, ascending, weights): those far from the mean by themselves, the others in blocks."""
        d = self.distances
        weights = np.ones(d.size)
        if d.size > FARTHEST + BETWEEN:
            far = np.argpartition(-np.abs(d), FARTHEST)
            rest = np.sort(d[far[FARTHEST:]])[:: -(-(d.size - FARTHEST) // BETWEEN)]
            weights = np.concatenate((np.ones(FARTHEST), np.full(rest.size, (d.size - FARTHEST) / rest.size)))
            d = np.concatenate((d[far[:FARTHEST]], rest))
        order = np.argsort(d)
        return d[order], weights[order] / weights.sum()

    @cached_property
    def _saddles(self) -> list[tuple[float, Floats, Floats]]:
        """Of sums to the right and to the left: the farthest number, and what `_saddle` says."""
        d, weights = self._points
        return [(float((sign * d).max()) * (1 + 1e-9), *_saddle(sign * d, weights)) for sign in (1.0, -1.0)]


def _saddle(d: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """(means float64[T + 1] that tilts lead to, ln P(a sum of so many rows goes that far) float64[R, T + 1])."""
    from scipy.special import log_ndtr

    tilted = np.outer(TILTS, d)
    most = tilted.max(axis=1, keepdims=True)
    tilted = np.exp(tilted - most) * weights
    total = tilted.sum(axis=1)
    mean = tilted @ d / total
    spread = np.maximum((tilted * np.square(d - mean[:, None])).sum(axis=1) / total, 1e-12)
    gap = np.maximum(TILTS * mean - np.log(total) - most[:, 0], 1e-12)  # of the logarithm of the mean of exp(tilt · d)
    at = np.maximum.accumulate(np.append(0.0, mean))

    rows = BRANCHES[:, None]
    w, u = np.sqrt(2 * rows * gap), TILTS * np.sqrt(rows * spread)
    p = np.exp(log_ndtr(-w)) + np.exp(-w * w / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / w)
    log_p = np.clip(np.log(np.maximum(p, 1e-300)), log_ndtr(-w) - 1.0, -w * w / 2)
    return at, np.minimum.accumulate(np.pad(log_p, ((0, 0), (1, 0)), constant_values=math.log(0.5)), axis=1)


def at_level(log_p: float, freedom: int = 1) -> float:
    """The x with ln P(χ² ≥ x) = log_p."""
    from scipy.special import chdtri

    if log_p > -600.0:
        return float(chdtri(freedom, math.exp(log_p)))
    x, a = -2.0 * log_p, freedom / 2.0
    for _ in range(20):  # ln p ≈ (a - 1) ln(x/2) - x/2 - ln Γ(a)
        x = 2.0 * ((a - 1.0) * math.log(x / 2.0) - math.lgamma(a) - log_p)
    return x
