"""The best of all divisions of levels into two groups, of a target that is dealt out at random.

Of k levels, η² of the best two groups is η² of one branch for each level, times a share that depends on the direction
only (as for Scott and Knott 1974; Hawkins and Kass 1982). η² of all levels has a known mean and variance under
permutations (Pitman 1938) and is nearly a beta variable, X² of more than two classes nearly χ². The share is drawn,
from the rows themselves where levels have few; averaging the tail over the draws is accurate far below 1 ÷ draws. One
level against the rest has the tail of `engine.search.permutation_null`, which says more where it or a class is rare.

Nothing is drawn where the upper bounds of `adjusted` are below DECISIVE, or for very many levels and classes: then
those bounds are taken. All draws are made with one seed: the same rows give the same p-value.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.search.permutation_null import Deal
from engine.significance.adjusted import ROWS_PER_VALUE, Chance, Single, log_bound
from engine.significance.kernels.class_permutations import draw_classes
from engine.significance.kernels.group_permutations import LANES, Deals
from engine.significance.single import log_p_chi_square, log_p_explained

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DECISIVE = math.log(1e-6)
CELLS, MOST_CELLS = 16_000, 4_000  # that are drawn in all, levels times classes; beyond which none are
LEAST_DRAWS, MOST_DRAWS = 24, 300
FEW_ROWS, DRAWS_OF_FEW = 40, 1000  # of so few rows more deals are drawn, and counted, too
SINGLE, BLOCKS = 6, 20  # draws in which two groups explain most are kept one by one, the others in blocks
SPARSE = 30  # rows per level under which the rows themselves are dealt
MOST_ROWS = 3000
DEALT = 32_000  # rows that are dealt in all
STEPS = 1.15  # X² of few rows goes in steps, which the beta variable does not: rather too rarely than too often
SMALL_PART = 0.6  # a little below 2 ÷ π, to which the part tends for many equal levels
STEADY = 1e-9  # variance of the logarithms of what all levels explain, below which it is the same in every deal
EQUAL = 1e-9  # of a share: what is as near to a dealt one equals it; it is counted, not found by the beta variable
CAREFUL = 0.9  # of a part that is to be rather too small
KEPT = 512  # deals, of 64 to 150 kB


def chance_of_groups(deal: Deal, rows: Integers, lacking: int) -> Chance:
    """Every division of the levels into two groups; missing rows are one more level."""
    sizes = np.append(rows, lacking).astype(np.int64) if lacking else rows.astype(np.int64)
    k, n = sizes.size, int(sizes.sum())
    small = np.minimum(sizes, n - sizes).astype(np.float64)
    if k < 3:
        return Chance(deal, 0.0, k, lambda test: deal.log_tail(float(small.min()), test.x, test.log_p) if k else 0.0)
    free = k - 1
    tries = math.log(2.0**free - 1.0) if free < 50 else free * math.log(2.0)
    if k == n:  # a name for every row: any deal can be sorted as well
        return Chance(deal, tries, k, lambda _: 0.0)
    bound, best = Chance(deal, tries, k), _BestGroups(deal, sizes)

    def alone(test: Single) -> float:
        """Some one level against all others, where it or a class is rare."""
        tails = float(deal.tails(small, test.x, test.log_p).sum()) if deal.is_few(small).any() else 0.0
        return math.log(tails) if tails > 0 else -math.inf

    def maximum(test: Single) -> float:
        upper = min(log_bound(bound, test), 0.0)
        found = upper
        if upper >= DECISIVE and k * max(deal.classes.size, 1) <= MOST_CELLS:
            found = max(best.log_p(test.share), DECISIVE)
            found = min(found, upper) if n >= ROWS_PER_VALUE * k else found
        return max(found, alone(test))

    def least(test: Single) -> float:
        """Two groups explain more than a certain part of what all levels do, in most deals."""
        if deal.classes.size > 2:
            share, between = test.statistic / _part_of_classes(k, deal.classes.size), (k - 1) * (deal.classes.size - 1)
            whole = log_p_chi_square(share, between)
        else:
            whole = log_p_explained(min(test.share / SMALL_PART, 1.0), k - 1, n - k)
        return math.log(0.5) + whole

    def most(test: Single) -> float:
        return max(log_bound(bound, test), alone(test)) if n >= ROWS_PER_VALUE * k else 0.0

    return Chance(deal, tries, k, maximum, least, most)


def chance_of_one(deal: Deal, rows: Integers, lacking: int) -> Chance:
    """Every level against all others, missing rows on either side; and these against all levels."""
    sizes = np.append(rows, lacking) if lacking else rows
    k, n = sizes.size, int(sizes.sum())
    ones = sizes[: k if k > 2 else 1]  # of two each is the other's rest; so it is of two levels and the missing rows
    if lacking and k > 3:
        ones = np.append(ones, rows + lacking)
    small = np.minimum(ones, n - ones).astype(np.float64)
    few = deal.is_few(small)

    def maximum(test: Single) -> float:
        tails = float(deal.tails(small[few], test.x, test.log_p).sum()) if few.any() else 0.0
        many = test.log_p + math.log(int((~few).sum())) if not few.all() else -math.inf
        return min(float(np.logaddexp(many, math.log(tails) if tails > 0 else -math.inf)), 0.0)

    return Chance(deal, math.log(max(small.size, 1)), k, maximum if k > 1 else None)


@lru_cache(64)
def _part_of_classes(k: int, n_classes: int) -> float:
    """The part of X² of all levels that the best two groups explain in half of the deals, a little less: of k levels of
    many rows, all levels and all classes equally large, for then it is smallest."""
    size = 100 * n_classes
    whole, best = _draw(Deal.of_classes(np.ones(n_classes), k * size), np.full(k, size, dtype=np.int64))
    return CAREFUL * float(np.median(best / whole))


@dataclass(frozen=True, eq=False)
class _BestGroups:
    """The distribution of the explained share of the best two groups of levels of these sizes, int64[k]."""

    deal: Deal
    sizes: Integers

    def log_p(self, share: float) -> float:
        """ln P(the best two groups explain at least this share)."""
        from scipy.special import betaincc

        factors, often, power, a, b = self._fitted
        p = float(betaincc(a, b, np.minimum((share * (1 + EQUAL)) ** power * factors, 1.0)) @ often)
        p = max(-math.expm1(STEPS * math.log1p(-min(p, 1 - 1e-12))), self._dealt_as_good(share), 1e-300)
        return math.log(min(p, 1.0))

    def _dealt_as_good(self, share: float) -> float:
        """How often so much was dealt to few rows: of these, all that there is to explain may well be explained."""
        if self.sizes.sum() > FEW_ROWS:
            return 0.0
        return float(np.mean(self._drawn[1] >= share * (1 - EQUAL)))

    @cached_property
    def _drawn(self) -> tuple[Floats, Floats]:
        return _draw(self.deal, self.sizes)

    @cached_property
    def _fitted(self) -> tuple[Floats, Floats, float, float, float]:
        """(factors float64[F], how often each was drawn, power, a, b).

        The best two groups explain a share as often as all levels, a beta variable, explain factor · share ^ power;
        where levels are sparse the part rises with the whole.
        """
        whole, best = self._drawn
        n, k = int(self.sizes.sum()), self.sizes.size
        mean = (k - 1) / (n - 1)
        if self.deal.classes.size > 2:
            degrees = (k - 1) * (self.deal.classes.size - 1)
            variance = max(float(whole.var()), 2 * mean * mean / degrees)
        else:
            variance = _variance_of_share(self.sizes.astype(np.float64), n, self.deal.flatness / n)
        ratio = max(mean * (1.0 - mean) / max(variance, 1e-300) - 1.0, 1e-6)
        whole = np.maximum(whole, 1e-12)
        part = np.clip(best / whole, 1e-6, 1.0)
        along, across = np.log(whole), np.log(part)
        varied = float(along.var())  # of a single row of one class it is rounding alone, which shows no way to rise
        slope = float(((along - along.mean()) * across).mean() / varied) if varied > STEADY else 0.0
        power = 1.0 / (1.0 + min(max(slope, 0.0), 0.5))
        factors = np.sort((whole ** (1.0 / power - 1.0) / part) ** power)
        ends = np.unique(np.append(np.arange(SINGLE), np.linspace(SINGLE, factors.size, BLOCKS)).astype(int))
        counts = np.diff(ends)
        often = counts / factors.size
        return np.add.reduceat(factors, ends[:-1]) / counts, often, power, mean * ratio, (1.0 - mean) * ratio


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
    n, k = int(sizes.sum()), sizes.size
    if deal.classes.size > 2:
        deals = dealt(n, k, deal.classes.size)
        whole, best = np.empty((2, deals.blocks[-1]))
        draw_classes(deals, sizes, deal.shares, class_ends(deal.shares, n), whole, best)
        return whole, best
    random, w = np.random.default_rng(0), sizes.astype(np.float64)
    if is_sparse(n, k):
        sums = _sums_of_rows(random, deal, sizes, _draws_of_rows(n))
    else:
        sums = random.standard_normal((_draws_of_cells(k), k)) * np.sqrt(w)
    sums = sums - (w / n) * sums.sum(axis=1, keepdims=True)
    return (sums**2 / w).sum(axis=1) / n, _best(sums, w, n) / n


def _sums_of_rows(random: np.random.Generator, deal: Deal, sizes: Integers, draws: int) -> Floats:
    """float64[N, k]: the sums by level of rows that are dealt out, in units of one standard deviation."""
    n, starts = int(sizes.sum()), np.append(0, np.cumsum(sizes)[:-1])
    if not deal.classes.size:
        rows, root = np.resize(deal.distances, n), 1.0  # missing rows, which have no say, may be among them
    else:
        rows, root = np.arange(n) >= class_ends(deal.shares, n)[0], math.sqrt(deal.shares[1] * (1 - deal.shares[1]))
    permuted = random.permuted(np.broadcast_to(rows, (draws, n)), axis=1)
    return np.asarray(np.add.reduceat(permuted, starts, axis=1, dtype=np.float64) / root)


def class_ends(shares: Floats, n: int) -> Integers:
    """int64[K]: where the rows of each class end, of n rows in the order of their classes.

    Weights that differ by a factor give the same counts: halves are rounded alike, whatever their last digits are.
    """
    return np.rint(np.round(np.cumsum(shares) * n, 9)).astype(np.int64)


def _best(sums: Floats, w: Floats, n: int) -> Floats:
    """float64[N]: the squared sum of the better group, n ÷ rows of both, of sums float64[N, k]."""
    order = np.argsort(sums / w, axis=1)
    left = np.cumsum(np.take_along_axis(sums, order, 1), axis=1)[:, :-1]
    rows = np.cumsum(w[order], axis=1)[:, :-1]
    return np.asarray((left**2 * n / (rows * (n - rows))).max(axis=1))


# -- the same deals side by side, as the kernels read them


def is_sparse(n: Any, k: Any) -> Any:
    """Whether of n rows of k levels the rows themselves are dealt."""
    return n <= np.minimum(SPARSE * k, MOST_ROWS)


def dealt(n: int, k: int, n_classes: int = 2) -> Deals:
    """The deals of n rows of k levels; they are those of all nodes of as many rows, or levels times classes."""
    return _side_by_side(n, 0) if is_sparse(n, k) else _side_by_side(0, k * (n_classes if n_classes > 2 else 1))


def _draws_of_rows(n: int) -> int:
    return min(max(DEALT // n, LEAST_DRAWS), DRAWS_OF_FEW if n <= FEW_ROWS else MOST_DRAWS)


def _draws_of_cells(cells: int) -> int:
    return min(max(CELLS // cells, LEAST_DRAWS), MOST_DRAWS)


@lru_cache(KEPT)
def _side_by_side(n: int, cells: int) -> Deals:
    """The deals of so many rows, or levels times classes: kept, for shuffling them takes as long as judging by them."""
    random = np.random.default_rng(0)
    places, normal = np.empty((0, 0, LANES), dtype=np.uint16), np.empty((0, 0, LANES))
    if n:
        draws = _draws_of_rows(n)
        rows = np.broadcast_to(np.arange(n, dtype=np.uint16), (draws, n))
        places = _in_lanes(random.permuted(rows, axis=1))
    else:
        draws = _draws_of_cells(cells)
        normal = _in_lanes(random.standard_normal((draws, cells)))
    ends = np.append(np.arange(SINGLE), np.linspace(SINGLE, draws, BLOCKS)).astype(int)
    return Deals(places, normal, np.unique(ends))


def _in_lanes(draws: NDArray[Any]) -> NDArray[Any]:
    """[batches, n, LANES] of [draws, n]; what is left over is 0."""
    filled = np.zeros((-(-len(draws) // LANES) * LANES, draws.shape[1]), draws.dtype)
    filled[: len(draws)] = draws
    return np.ascontiguousarray(filled.reshape(-1, LANES, draws.shape[1]).transpose(0, 2, 1))
