"""What the best of all partitions that a search compares would make of a target that is dealt out at random.

The p-value of the best cut or grouping is that of a maximum, P(max over partitions X² ≥ x), under permutations of the
target. X² of two branches is n · η², η² the explained share of the variance of the class indicator or of the numbers.

    cuts     Along the column √X² is a standardised Brownian bridge, an Ornstein-Uhlenbeck process in the time
             ½ ln(n_left ÷ n_right) (Miller and Siegmund 1982; Lausen and Schumacher 1992). A step of d between two
             cuts adds b² d ν(b √(2d)) independent cuts' worth of chance at height b = √x, where ν corrects for the
             steps (Siegmund 1985; ν after Siegmund and Yakir 2007): all of one where values are few, little where a
             step moves a row of thousands. Near the ends, where branches are small and the normal law fails, the
             tail of each cut is that of the permutation itself: hypergeometric for two classes, from draws otherwise.
    groups   Of k levels, η² of the best two groups is η² of one branch for each level, times a share that depends on
             the direction only (as for Scott and Knott 1974; Hawkins and Kass 1982). η² of all levels has a known
             mean and variance under permutations (Pitman 1938) and is nearly a beta variable; the share is drawn from
             some thousand permutations, and averaging the beta tail over them is accurate far below 1 ÷ 1000.
    tries    Anything else: the p-value times the number of partitions (Bonferroni), or that of one branch for each
             value with the same explained amount, whichever is smaller; the second bound needs 5 rows for a value in
             the mean (Cochran 1954).

All draws are made with one seed: the same rows give the same p-value.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.significance import (
    Evidence,
    classes_statistic,
    log_p_chi_square,
    log_p_explained,
    numbers_statistic,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EDGE = 64  # rows of a branch up to which the tail of a cut is that of the permutation
EDGE_DRAWS = 1000
CELLS = 32_000  # levels times deals that are drawn: few levels need more deals for the same precision
MOST_DRAWS, LEAST_DRAWS = 4000, 500
MOST_DRAWS_OF_CLASSES = 600  # of more than two, which take longer
SINGLE = 80  # draws that explain most are kept one by one, the others in as many blocks
MOST_DIVISIONS = 1 << 20  # partitions times deals that are compared, with more than two classes
ENOUGH = 20  # draws from which a tail is counted; fewer say something only where they are many times too many
BLOCKS = 400  # of cuts that are taken together in the middle of a long column
EXACT_LEVELS = 12  # as in `engine.kernels.search`
LOWEST = 8.0  # X² below which cuts are as far apart as they are there: the formula is for high levels
ROWS_PER_VALUE = 5
FAR = math.log(1e-6)
SPARSE = 30  # rows per level under which levels of a numeric target are drawn from the rows themselves
MOST_DRAWN = 3000  # rows of a numeric target that are kept for that


@dataclass(frozen=True, eq=False)
class Deal:
    """The target of a node that is dealt out anew.

    Attributes:
        n: training rows.
        classes: float64[K], rows of each class that is there; empty for a numeric target.
        numbers: float64[n], the numeric target; empty for classes.
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
    def of_numbers(cls, numbers: Floats) -> "Deal":
        """From the target of every row."""
        return cls(numbers.size, np.empty(0), numbers)

    @property
    def two(self) -> bool:
        """Whether these are two classes."""
        return self.classes.size == 2

    @cached_property
    def flatness(self) -> float:
        """Σd⁴ ÷ (Σd²)², d the distance from the mean: of the numbers, or of the indicator of a class, in the mean."""
        if self.classes.size:
            q = self.classes / self.n
            spread = q * (1 - q)
            return float(np.mean(spread * (1 - 3 * spread) / np.maximum(spread**2, 1e-300)) / self.n)
        d = self.numbers - self.numbers.mean() if self.n else self.numbers
        squares = d * d
        return float((squares @ squares) / max(float(squares.sum()) ** 2, 1e-300))

    @cached_property
    def edge_tails(self) -> "Callable[[float], Floats]":
        """P(X² ≥ x) of a branch of 1..EDGE rows, float64[EDGE], for any x in units of the variance of a permutation."""
        if self.two:
            return self._hypergeometric_tails()
        drawn = np.sort(self._edge_draws(), axis=0)
        return lambda x: 1.0 - np.array([np.searchsorted(line, x * (1 - 1e-9)) for line in drawn.T]) / len(drawn)

    def _hypergeometric_tails(self) -> "Callable[[float], Floats]":
        from scipy.special import gammaln

        n, some = self.n, float(np.rint(np.clip(self.classes[0], 1, self.n - 1)))
        rows, hits = np.arange(1.0, EDGE + 1)[:, None], np.arange(EDGE + 1.0)[None]
        possible = (hits <= rows) & (hits <= some) & (rows - hits <= n - some) & (rows < n)

        def log_choices(a: Any, b: Any) -> Any:
            return gammaln(a + 1) - gammaln(b + 1) - gammaln(a - b + 1)

        with np.errstate(invalid="ignore", divide="ignore"):
            log_mass = log_choices(some, hits) + log_choices(n - some, rows - hits) - log_choices(float(n), rows)
            mass = np.where(possible, np.exp(np.where(possible, log_mass, 0.0)), 0.0)
            q = some / n
            distance = (hits - rows * q) ** 2 * (n - 1) / (rows * (n - rows) * q * (1 - q))
        distance = np.where(possible, distance, -1.0)
        return lambda x: np.asarray((mass * (distance >= x * (1 - 1e-9))).sum(axis=1))

    def _edge_draws(self) -> Floats:
        """float64[EDGE_DRAWS, EDGE]: X² of the first 1..EDGE rows of a deal, put to one degree of freedom."""
        random, width, n = np.random.default_rng(0), min(EDGE, max(self.n - 1, 1)), self.n
        rows = np.arange(1, width + 1)
        scale = (n - 1) / (rows * (n - rows))
        if self.classes.size:
            shares = self.classes / n
            drawn = random.choice(shares.size, size=(EDGE_DRAWS, width), p=shares / shares.sum())
            squares = np.zeros((EDGE_DRAWS, width))
            for c, share in enumerate(shares):
                squares += (np.cumsum(drawn == c, axis=1) - rows * share) ** 2 / share
            squares = _to_one_degree(squares * scale, shares.size - 1)
        else:
            d = self.numbers - self.numbers.mean()
            sums = np.cumsum(d[random.integers(0, n, (EDGE_DRAWS, width))], axis=1)
            squares = sums * sums * scale / max(float(np.mean(d * d)), 1e-300)
        return np.pad(squares, ((0, 0), (0, EDGE - width)), mode="edge")


def _to_one_degree(squares: Floats, freedom: int) -> Floats:
    """χ² of so many degrees as χ² of one with the same p-value."""
    from scipy.special import chdtrc, chdtri

    return np.asarray(squares if freedom == 1 else chdtri(1, np.maximum(chdtrc(freedom, squares), 1e-300)))


@dataclass(frozen=True, eq=False)
class Chance:
    """What a search of one column compares.

    Attributes:
        deal: the target. log_tries: natural logarithm of the number of partitions.
        n_values: values, missing counted as one, that they are made of.
        maximum: ln P(max X² ≥ x) from (x put to one degree of freedom, ln of its p-value); None for "tries".
        of_share: whether `maximum` wants the explained share instead of x.
    """

    deal: Deal
    log_tries: float
    n_values: int
    maximum: Callable[[float, float], float] | None = None
    of_share: bool = False


def evidence(branches: Floats, n_rows: int, chance: Chance) -> Evidence:
    """The test of the best of many partitions; branches float64[B, S], the training statistic of every branch."""
    freedom: tuple[int, ...]
    if chance.deal.classes.size:
        statistic, between = classes_statistic(branches, n_rows)
        name, freedom, log_p = "X²", (between,), log_p_chi_square(statistic, between)
        share = statistic / max(n_rows * (chance.deal.classes.size - 1), 1)
        spread = _log_p_of_values(chance, statistic, n_rows)
    else:
        share, between, within = numbers_statistic(branches, n_rows)
        left = max(1.0 - share, 1e-300)
        statistic = share / left * within / between if between > 0 and within > 0 else 0.0
        name, freedom, log_p = "F", (between, within), log_p_explained(share, between, within)
        spread = log_p_explained(share, chance.n_values - 1, n_rows - chance.n_values)
    if log_p >= 0.0 or chance.log_tries <= 0.0:
        adjusted = log_p
    elif chance.maximum is not None:
        adjusted = chance.maximum(share if chance.of_share else one_degree(log_p), log_p)
    elif n_rows >= ROWS_PER_VALUE * chance.n_values:
        adjusted = min(log_p + chance.log_tries, spread)
    else:
        adjusted = log_p + chance.log_tries
    return Evidence(name, statistic, freedom, n_rows, log_p, chance.log_tries, min(max(adjusted, log_p), 0.0))


def _log_p_of_values(chance: Chance, statistic: float, n_rows: int) -> float:
    return log_p_chi_square(statistic, (chance.n_values - 1) * (chance.deal.classes.size - 1))


def one_degree(log_p: float) -> float:
    """The x with ln P(χ²₁ ≥ x) = log_p."""
    from scipy.special import chdtri

    if log_p > -600.0:
        return float(chdtri(1, math.exp(log_p)))
    x = -2.0 * log_p
    for _ in range(20):  # ln p ≈ -x/2 - ½ ln(πx/2)
        x = -2.0 * log_p - math.log(math.pi * x / 2.0)
    return x


# -- cuts


def chance_of_cuts(deal: Deal, rows: Integers, lacking: int) -> Chance:
    """Every cut between two of the values, missing rows on either side.

    Args:
        rows: int64[m], training rows of each value in order. lacking: those that lack the value.
    """
    m = rows.size
    tries = 2 * (m - 1) + 1 if lacking else m - 1
    if tries < 2:
        return Chance(deal, 0.0, m + (lacking > 0))
    n = int(rows.sum()) + lacking
    before = np.cumsum(rows)
    parts = []
    for start in (lacking, 0) if lacking else (0,):  # missing rows on the left; on the right, or none
        ends = before[:-1] + start if start else before[: m if lacking else m - 1]
        parts.append(_thinned(ends, start, n))
    side, step, beside, count = (np.concatenate([part[i] for part in parts]) for i in range(4))

    def maximum(x: float, log_p: float) -> float:
        return _log_maximum(deal, side, (step, beside), count, x, log_p)

    return Chance(deal, math.log(tries), m + (lacking > 0), maximum)


def _thinned(ends: Integers, start: int, n: int) -> tuple[Integers, Floats, Floats, Floats]:
    """Of cuts after `ends` rows, the first `start` of them missing: (rows of the smaller branch, step to the cut
    before, step to the same cut with the missing rows on the other side, how many cuts each stands for).

    All cuts near the ends, and blocks of those in the middle, evenly spread over time.
    """
    time = 0.5 * np.log(ends / (n - ends))
    beside = time - 0.5 * np.log((ends - start) / (n - ends + start)) if start else np.full(ends.size, np.inf)
    small = np.minimum(ends, n - ends)
    if ends.size <= 2 * EDGE + BLOCKS:
        return small, np.diff(time, prepend=-np.inf), beside, np.ones(ends.size)
    low, high = np.searchsorted(ends, [EDGE, n - EDGE], side="right")
    marks = np.searchsorted(time, np.linspace(time[low], time[high - 1], BLOCKS))
    kept = np.unique(np.concatenate((np.arange(low), marks, [high - 1], np.arange(high, ends.size))))
    count = np.diff(kept, prepend=-1).astype(np.float64)
    return small[kept], np.diff(time[kept], prepend=-np.inf) / count, beside[kept], count


def _log_maximum(
    deal: Deal, side: Integers, steps: tuple[Floats, Floats], count: Floats, x: float, log_p: float
) -> float:
    """ln P(some cut has X² ≥ x), see the head of this file."""
    level = max(x, LOWEST)
    weight = count * _independent(level, steps[0]) * _independent(level, steps[1])
    edge = side <= EDGE
    p = math.exp(log_p) if log_p > -700.0 else 0.0
    tails = deal.edge_tails(x * (deal.n - 1) / max(deal.n, 1))[side[edge] - 1]
    if not deal.two:
        drawn = tails * EDGE_DRAWS
        tails = np.where((drawn >= ENOUGH) | ((drawn >= 3) & (tails > 3 * p)), tails, p)
    inner = float(weight[~edge].sum())
    if p < 1e-12:
        parts = [log_p + math.log(inner)] if inner > 0 else []
        outer = float(weight[edge] @ tails)
        parts += [math.log(outer)] if outer > 0 else []
        return float(np.logaddexp.reduce(parts)) if parts else log_p
    none = inner * math.log1p(-min(p, 1 - 1e-12)) + float(weight[edge] @ np.log1p(-np.minimum(tails, 1 - 1e-12)))
    return math.log(max(-math.expm1(none), 1e-300))


def _independent(x: float, step: Floats) -> Floats:
    """How many independent cuts a step is worth at the height x = b²; 1 for the first cut, whose step is infinite."""
    from scipy.special import ndtr

    b = math.sqrt(x)
    worth, finite = np.ones(step.size), np.isfinite(step)
    d = np.maximum(step[finite], 1e-300)
    u = np.maximum(b * np.sqrt(2.0 * d), 1e-9)
    density = np.exp(-u * u / 8.0) / math.sqrt(2.0 * math.pi)
    nu = (2.0 / u) * (ndtr(u / 2.0) - 0.5) / (u / 2.0 * ndtr(u / 2.0) + density)
    mills = math.exp(-x / 2.0 - log_p_chi_square(x, 1)) * math.sqrt(2.0 / math.pi) / b
    worth[finite] = np.minimum(x * d * nu * mills, 1.0)
    return worth


# -- groups


def chance_of_groups(deal: Deal, rows: Integers, lacking: int) -> Chance:
    """Every division of the levels into two groups; missing rows are one more level."""
    sizes = np.append(rows, lacking).astype(np.int64) if lacking else rows.astype(np.int64)
    k = sizes.size
    if k < 3:
        return Chance(deal, 0.0, k)
    if k == int(sizes.sum()):  # a name for every row: any deal can be sorted as well
        return Chance(deal, k * math.log(2.0), k, lambda _share, _log_p: 0.0, of_share=True)
    free = k - 1
    tries = math.log(2.0**free - 1.0) if free < 50 else free * math.log(2.0)
    best = _BestGroups(deal, sizes)
    dense = int(sizes.sum()) >= ROWS_PER_VALUE * k

    def maximum(share: float, log_p: float) -> float:
        found = best.log_p(share)
        if found < FAR:  # beyond the draws: one level against the rest alone gives k nearly independent partitions
            found = max(found, log_p + math.log(k))
        return min(found, log_p + tries) if dense else found

    return Chance(deal, tries, k, maximum, of_share=True)


@dataclass(frozen=True, eq=False)
class _BestGroups:
    """The distribution of the explained share of the best two groups of levels of these sizes, int64[k]."""

    deal: Deal
    sizes: Integers

    @cached_property
    def _drawn(self) -> tuple[Floats, Floats, float, float, float]:
        """(factors float64[F], how often each was drawn, power, a, b): the best two groups explain a share as often as
        all levels, a beta variable, explain factor · share ^ power."""
        whole, best = _draw(self.deal, self.sizes)
        whole = np.maximum(whole, 1e-12)
        part = np.clip(best / whole, 1e-6, 1.0)
        a, b = _beta_of(self.deal, self.sizes, whole)
        along, across = np.log(whole), np.log(part)
        spread = float(along.var())
        slope = float(((along - along.mean()) * (across - across.mean())).mean() / spread) if spread > 0 else 0.0
        power = 1.0 / (1.0 + min(max(slope, 0.0), 0.5))
        factors = np.sort((whole ** (1.0 / power - 1.0) / part) ** power)
        blocks = np.unique(
            np.concatenate((np.arange(SINGLE), np.linspace(SINGLE, factors.size, SINGLE)[:-1])).astype(int)
        )
        counts = np.diff(np.append(blocks, factors.size))
        return np.add.reduceat(factors, blocks) / counts, counts / factors.size, power, a, b

    def log_p(self, share: float) -> float:
        """ln P(the best two groups explain at least this share)."""
        from scipy.special import betaincc

        factors, often, power, a, b = self._drawn
        needed = share**power * factors
        p = float(betaincc(a, b, np.minimum(needed, 1.0)) @ often)
        if p > 1e-250:
            return math.log(p)
        least = min(float(needed[0]), 1.0 - 1e-12)
        return log_p_explained(least, max(round(2 * a), 1), max(round(2 * b), 1)) + math.log(float(often[0]))


def _beta_of(deal: Deal, sizes: Integers, drawn: Floats) -> tuple[float, float]:
    """(a, b) of the beta variable with the mean and variance that the share explained by all levels has."""
    n, k = int(sizes.sum()), sizes.size
    mean = (k - 1) / (n - 1)
    if deal.classes.size > 2:
        variance = float(drawn.var())
    else:
        variance = _variance_of_share(sizes.astype(np.float64), n, deal.flatness * deal.n / n)
    ratio = max(mean * (1.0 - mean) / max(variance, 1e-300) - 1.0, 1e-6)
    return mean * ratio, (1.0 - mean) * ratio


def _variance_of_share(w: Floats, n: int, flatness: float) -> float:
    """The variance of η² over all permutations of n values into levels of w rows (Pitman 1938).

    From the moments of sums drawn without replacement; values are measured from their mean, Σd² = 1, Σd⁴ = flatness.
    """
    if n < 4:
        return 1.0 / 12.0
    s4, s22 = flatness, 1.0 - flatness
    s31, s211 = -s4, s4 - s22
    pairs, triples = n * (n - 1.0), n * (n - 1.0) * (n - 2.0)
    e4, e31, e22, e211, e1111 = s4 / n, s31 / pairs, s22 / pairs, s211 / triples, -3.0 * s211 / (triples * (n - 3.0))
    v = w * (w - 1)
    own = w * e4 + 4 * v * e31 + 3 * v * e22 + 6 * v * (w - 2) * e211 + v * (w - 2) * (w - 3) * e1111
    # of two levels i and j the mean of the product of the squared sums, divided by both sizes: linear in w_i and w_j
    u = w - 1
    k, total = w.size, float(u.sum())
    across = k * (k - 1) * e22 + 2.0 * (k - 1) * total * e211 + (total**2 - float(u @ u)) * e1111
    mean = (k - 1) / (n - 1.0)
    return max(float((own / w**2).sum()) + across - mean**2, 1e-12)


def _draw(deal: Deal, sizes: Integers) -> tuple[Floats, Floats]:
    """(share of the variance explained by all levels, by the best two groups) of many deals, float64[N] each."""
    random, n = np.random.default_rng(0), int(sizes.sum())
    draws = min(max(CELLS // sizes.size, LEAST_DRAWS), MOST_DRAWS)
    if deal.classes.size > 2:
        return _draw_classes(random, deal, sizes, n, draws)
    w = sizes.astype(np.float64)
    if deal.classes.size:
        q = float(np.rint(np.clip(deal.classes[0] * n / deal.n, 1, n - 1))) / n
        sums = _hypergeometric(random, sizes, round(q * n), n, draws) - w * q
        spread = n * q * (1 - q)
    elif n == deal.n and n <= min(SPARSE * sizes.size, MOST_DRAWN):
        d = deal.numbers - deal.numbers.mean()
        dealt = random.permuted(np.broadcast_to(d, (draws, n)), axis=1)
        sums = np.add.reduceat(dealt, np.append(0, np.cumsum(sizes)[:-1]), axis=1)
        spread = float(d @ d)
    else:
        sums = random.standard_normal((draws, sizes.size)) * np.sqrt(w)
        sums -= w / n * sums.sum(axis=1, keepdims=True)
        spread = float(n)
    whole = (sums**2 / w).sum(axis=1) / spread
    order = np.argsort(sums / w, axis=1, kind="stable")
    left, rows = np.cumsum(np.take_along_axis(sums, order, 1), axis=1)[:, :-1], np.cumsum(w[order], axis=1)[:, :-1]
    return whole, (left**2 * n / (rows * (n - rows))).max(axis=1) / spread


def _hypergeometric(random: np.random.Generator, sizes: Integers, hits: int, n: int, draws: int) -> Floats:
    """float64[N, k]: how many of the hits each level gets."""
    dealt, left, rest = np.empty((draws, sizes.size)), np.full(draws, hits), n
    for j, size in enumerate(sizes[:-1].tolist()):
        got = random.hypergeometric(left, rest - left, size)
        dealt[:, j] = got
        left, rest = left - got, rest - size
    dealt[:, -1] = left
    return dealt


def _draw_classes(
    random: np.random.Generator, deal: Deal, sizes: Integers, n: int, draws: int
) -> tuple[Floats, Floats]:
    """The same for more than two classes, with the grouping that gains most by Gini as the search finds it."""
    draws = min(draws, MOST_DRAWS_OF_CLASSES)
    if sizes.size <= EXACT_LEVELS:
        draws = min(draws, MOST_DIVISIONS >> (sizes.size - 1))
    shares = deal.classes / deal.classes.sum()
    w, size = sizes.astype(np.float64), shares.size
    means = np.outer(w, shares)
    roots = np.sqrt(shares)
    normal = random.standard_normal((draws, sizes.size, size)) * roots
    normal -= shares * normal.sum(axis=2, keepdims=True)  # the classes of a level add up to its rows
    sums = normal * np.sqrt(w)[None, :, None]
    sums -= (w / n)[None, :, None] * sums.sum(axis=1, keepdims=True)  # the levels of a class to its rows
    if int(sizes.min()) < SPARSE and n <= MOST_DRAWN:
        labels = np.repeat(np.arange(size), np.diff(np.rint(np.cumsum(np.append(0, shares)) * n).astype(int)))
        level = np.repeat(np.arange(sizes.size), sizes)
        dealt = random.permuted(np.broadcast_to(labels, (draws, n)), axis=1)
        cell = (np.arange(draws)[:, None] * sizes.size + level) * size + dealt
        sums = np.bincount(cell.ravel(), minlength=draws * means.size).reshape(draws, *means.shape) - means
    degrees = n * (size - 1)
    whole = (sums**2 / means).sum(axis=(1, 2)) / degrees
    best, gain = np.zeros(draws), np.full(draws, -1.0)
    for left, rows in _divisions(sums, w, n):
        scale = n / (rows * (n - rows))  # of partitions float64[draws, P]
        gains = (left**2).sum(axis=2) * scale
        at = np.argmax(gains, axis=1)
        line = np.arange(draws)
        better = gains[line, at] > gain
        squares = (left[line, at] ** 2 / shares).sum(axis=1) * scale[line, at]
        best = np.where(better, squares / degrees, best)
        gain = np.where(better, gains[line, at], gain)
    return whole, best


def _divisions(sums: Floats, w: Floats, n: int):  # type: ignore[no-untyped-def]
    """(sums of the left group [N, P, K], its rows [N, P]) of partitions: all of them, or along orderings."""
    k = w.size
    if k <= EXACT_LEVELS:
        masks = (np.arange(1, 1 << (k - 1))[:, None] >> np.arange(k)[None]) & 1
        for some in np.array_split(masks, max(len(masks) // 128, 1)):
            left = np.einsum("pk,dkc->dpc", some.astype(np.float64), sums, optimize=True)
            yield left, np.broadcast_to(some @ w, (len(sums), len(some)))
        return
    for c in range(min(sums.shape[2], 8)):
        order = np.argsort(sums[:, :, c] / w, axis=1, kind="stable")
        left = np.cumsum(np.take_along_axis(sums, order[:, :, None], 1), axis=1)[:, :-1]
        yield left, np.cumsum(w[order], axis=1)[:, :-1]


# -- anything else


def chance_of_tries(deal: Deal, rows: Integers, lacking: int, log_tries: float) -> Chance:
    """So many partitions of the values."""
    return Chance(deal, log_tries, rows.size + (lacking > 0))
