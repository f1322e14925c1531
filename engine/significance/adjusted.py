"""What the best of all partitions that a search compares would make of a target that is dealt out at random.

The p-value of the best cut or grouping is that of a maximum, P(max over partitions X² ≥ x), under permutations of the
target. X² of two branches is n · η², η² the explained share of the variance of the class indicator or of the numbers.

    cuts     Along the column √X² is a standardised Brownian bridge, an Ornstein-Uhlenbeck process in the time
             ½ ln(n_left ÷ n_right) (Miller and Siegmund 1982; Lausen and Schumacher 1992). A step of d between two
             cuts adds 2 x f(x) d ν(√(2xd)) to the chance, f the density of X²; ν corrects for the step (Siegmund 1985;
             ν after Siegmund and Yakir 2007), and no cut adds more than its own p-value. Cuts that leave few rows on
             one side have the tails of `permutation_null`. Of many values every cut between two rows counts:
             that is an upper bound, and needs no counts.
    groups   See `engine.significance.groupings`.
    missing  A branch of their own for missing rows stands beside the others: see `beside_missing`.
    one      Where only one partition into two is possible its p-value is the textbook's, but for branches of few rows.
    tries    Anything else: the p-value times the number of partitions (Bonferroni), or that of one branch for each
             value with the same explained amount, whichever is smaller; the second bound needs 5 rows for a value in
             the mean (Cochran 1954).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.search.permutation_null import Deal, at_level
from engine.significance.single import Evidence, classes_statistic, log_p_chi_square, log_p_explained, numbers_statistic

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MANY = 1000  # values from which every cut between two rows counts
ALONE, BLOCKS = 32, 160  # of those, the outermost are taken one by one, the others in so many blocks
LOWEST = math.log(0.005)  # ln p above which cuts are as far apart as they are there: the formula is for high levels
SPARE = 1.15  # of some hundred rows steps are worth a little more: rather too rarely than too often
ROWS_PER_VALUE = 5
ROUNDED = 1e-12  # an explained share is known to so much


@dataclass(frozen=True, eq=False)
class Chance:
    """What a search of one column compares.

    Attributes:
        deal: the target. log_tries: natural logarithm of the number of partitions.
        n_values: values, missing counted as one, that they are made of.
        maximum: ln P(the best is as good) of the test of one; None for "tries".
        least: a quick guess that is hardly ever above it; None for the p-value of the one.
        most: a quick bound that it never is above; None for none.
    """

    deal: Deal
    log_tries: float
    n_values: int
    maximum: "Callable[[Single], float] | None" = None
    least: "Callable[[Single], float] | None" = None
    most: "Callable[[Single], float] | None" = None


@dataclass(frozen=True)
class Single:
    """The test of one partition.

    Attributes:
        n: rows. statistic: X², or F. share: of the variance that is explained, or X² ÷ n ÷ (K - 1).
        freedom: see `Evidence`. log_p: as if it were the only one.
    """

    n: int
    statistic: float
    share: float
    freedom: tuple[int, ...]
    log_p: float

    @property
    def x(self) -> float:
        """X² of permutations, of numbers, too: the share times n - 1."""
        return self.statistic if len(self.freedom) == 1 else self.share * (self.n - 1)


def evidence(branches: Floats, n_rows: int, chance: Chance, needed: float = 0.0) -> Evidence:
    """The test of the best of many partitions.

    Args:
        branches: float64[B, S], the training statistic of every branch.
        needed: ln p that is asked for. Where quick bounds tell on which side of it the adjusted p-value lies, they are
            taken for it. 0: it is wanted as it is.
    """
    k = chance.deal.classes.size
    test = _test_of_classes(branches, n_rows, k) if k else _test_of_numbers(branches, n_rows)
    log_p = test.log_p
    in_doubt = log_p <= needed < 0.0
    least = chance.least(test) if chance.least is not None and in_doubt else log_p
    if max(log_p, least) > needed or log_p >= 0.0 or (chance.log_tries <= 0.0 and chance.maximum is None):
        adjusted = max(log_p, least)
    elif needed < 0.0 and chance.most is not None and chance.most(test) <= needed:
        adjusted = chance.most(test)
    elif chance.maximum is not None:
        adjusted = chance.maximum(test)
    else:
        adjusted = log_bound(chance, test)
    adjusted = min(max(adjusted, log_p), 0.0)
    return Evidence("X²" if k else "F", test.statistic, test.freedom, n_rows, log_p, chance.log_tries, adjusted)


def _test_of_classes(branches: Floats, n: int, k: int) -> Single:
    statistic, between = classes_statistic(branches, n)
    share = statistic / max(n * (k - 1), 1)
    return Single(n, statistic, share, (between,), log_p_chi_square(statistic, between))


def _test_of_numbers(branches: Floats, n: int) -> Single:
    share, between, within = numbers_statistic(branches, n)
    left = max(1.0 - share, 1e-300)
    statistic = share / left * within / between if between > 0 and within > 0 else 0.0
    return Single(n, statistic, share, (between, within), log_p_explained(share, between, within))


def log_bound(chance: Chance, test: Single) -> float:
    """The smaller of the two upper bounds that hold for any search."""
    bonferroni, between = test.log_p + chance.log_tries, chance.n_values - 1
    if test.n < ROWS_PER_VALUE * chance.n_values:
        return bonferroni
    if chance.deal.classes.size:
        spread = log_p_chi_square(test.statistic, between * (chance.deal.classes.size - 1))
    else:
        spread = log_p_explained(test.share, between, test.n - chance.n_values)
    return min(bonferroni, spread)


def chance_of_tries(deal: Deal, rows: Integers, lacking: int, log_tries: float) -> Chance:
    """So many partitions of the values."""
    return Chance(deal, log_tries, rows.size + (lacking > 0))


# -- a branch of their own for missing rows


TAILS = np.array([1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12])  # P(more), between which one counts


def beside_missing(chance: Chance, lacking: int) -> Chance:
    """The same partitions of the rows that have the value, with a branch for those that lack it beside them.

    What all branches explain is what (missing | present) does, which is nobody's choice, and what the best partition of
    the present rows explains of the rest: its chance is averaged over the first.

    Args:
        chance: of partitions into two. lacking: the rows that lack the value.
    """
    from scipy.special import betaincinv, gammainccinv

    if chance.maximum is None or lacking == 0:
        return chance
    best, deal, k = chance.maximum, chance.deal, chance.deal.classes.size
    freedom = max(k - 1, 1)

    def rest(test: Single, first: Floats) -> list[float]:
        """ln P that the present rows explain what (missing | present) leaves them to: X² of it, or its share."""
        n = test.n - lacking
        if k:
            left = np.maximum(test.statistic - first, 0.0)
            two = [Single(n, x, x / n / freedom, (freedom,), log_p_chi_square(x, freedom)) for x in left.tolist()]
        else:
            left = (test.share - first) / np.maximum(1.0 - first, 1e-12)
            left = np.clip(left, 0.0, 1.0 - ROUNDED)  # of few rows the chance of all but nothing is large
            two = [_of_share(n, x) for x in left.tolist()]
        return [best(one) if one.log_p < 0.0 else 0.0 for one in two]

    def maximum(test: Single) -> float:
        n = test.n - lacking
        if n < 3:
            return 0.0
        middles = np.sqrt(TAILS[:-1] * TAILS[1:])
        first = 2 * gammainccinv(freedom / 2, middles) if k else 1 - betaincinv((test.n - 2) / 2, 0.5, middles)
        logs = np.array(rest(test, first)) + np.log(-np.diff(TAILS))
        small = np.array([min(lacking, n)], dtype=np.float64)
        if deal.is_few(small)[0]:
            logs = np.append(logs, deal.log_tail(float(small[0]), test.x, test.log_p))
        return min(float(np.logaddexp.reduce(logs)), 0.0)

    def least(test: Single) -> float:
        return rest(test, np.zeros(1))[0] if test.n - lacking >= 3 else 0.0

    return Chance(deal, chance.log_tries, chance.n_values + 1, maximum, least)


def _of_share(n: int, share: float) -> Single:
    """Two branches of n rows with a numeric target that explain so much of its variance."""
    statistic = share / max(1.0 - share, 1e-300) * (n - 2)
    return Single(n, statistic, share, (1, n - 2), log_p_explained(share, 1, n - 2))


# -- cuts


@dataclass(frozen=True, eq=False)
class Cuts:
    """All cuts that are compared, near ones taken together.

    Attributes:
        side: float64[c], rows of the smaller branch. count: how many cuts each stands for.
        step, beside: the times to the cut before and to the same one with the missing rows on the other side; beside is
            empty without missing rows.
    """

    side: Floats
    count: Floats
    step: Floats
    beside: Floats


def chance_of_cuts(deal: Deal, rows: Integers, lacking: int, least: int = 1) -> Chance:
    """Every cut between two of the values, missing rows on either side.

    Args:
        rows: int64[m], training rows of each value in order. lacking: those that lack the value.
        least: rows that every branch keeps.
    """
    if rows.size > MANY:
        return chance_of_many_cuts(deal, int(rows.sum()), rows.size, lacking, least)

    def cuts() -> Cuts:
        return _cuts(np.cumsum(rows, dtype=np.float64), np.ones(rows.size), lacking, least)

    return _chance(deal, cuts, rows.size, lacking)


def chance_of_many_cuts(deal: Deal, n_present: int, n_values: int, lacking: int, least: int = 1) -> Chance:
    """The same of so many values that every cut between two of n_present rows may be one of them."""
    return _chance(deal, lambda: _many(n_present, lacking, least), n_values, lacking)


@lru_cache(32)
def _many(n_present: int, lacking: int, least: int) -> Cuts:
    near = np.arange(1, min(ALONE, n_present) + 1)
    inner = np.rint(n_present / (1 + np.exp(-np.linspace(-1.0, 1.0, BLOCKS) * math.log(n_present))))
    ends = np.unique(np.concatenate((near, inner, n_present - near, [n_present])))
    ends = ends[(ends > 0) & (ends <= n_present)]
    return _cuts(ends, np.diff(ends, prepend=0), lacking, least)


def _chance(deal: Deal, make: Callable[[], Cuts], m: int, lacking: int) -> Chance:
    tries = 2 * (m - 1) + 1 if lacking else m - 1
    kept: list[Cuts] = []

    def maximum(test: Single) -> float:
        if not kept:  # the same for all cuts, while one is dragged
            kept.append(make())
        return _log_maximum(deal, kept[0], test)

    return Chance(deal, math.log(tries) if tries > 1 else 0.0, m + (lacking > 0), maximum)


def _cuts(ends: Floats, count: Floats, lacking: int, least: int) -> Cuts:
    """From the rows up to each cut, the last one is that of all present rows; how many cuts each stands for."""
    n, parts = float(ends[-1]) + lacking, []
    for start in (lacking, 0) if lacking else (0,):  # missing rows on the left; on the right, or none
        at = ends[:-1] + float(start) if start or not lacking else ends
        fair = (at >= least) & (n - at >= least)
        at = at[fair]
        time = 0.5 * np.log(at / (n - at))
        beside = time - 0.5 * np.log((at - start) / (n - at + start)) if start else np.full(at.size, np.inf)
        some = count[: fair.size][fair]
        parts.append((np.minimum(at, n - at), some, np.diff(time, prepend=-np.inf) / some, beside))
    side, some, step, beside = (np.concatenate(lines) for lines in zip(*parts, strict=True))
    return Cuts(side, some, step, beside if lacking else beside[:0])


def _log_maximum(deal: Deal, cuts: Cuts, test: Single) -> float:
    """ln P(some cut is as good), see the head of this file."""
    freedom, log_level = test.freedom[0], min(test.log_p, LOWEST)
    x = at_level(log_level, freedom) if test.log_p > LOWEST or len(test.freedom) > 1 else test.statistic
    hazard = _hazard(x, log_level, freedom)
    few = deal.is_few(cuts.side)
    weight = cuts.count * _worth(x, hazard, cuts.step)
    if cuts.beside.size:
        weight *= _worth(x, hazard, cuts.beside)
    sides, place = np.unique(cuts.side[few], return_inverse=True)
    tails = deal.tails(sides, test.x, test.log_p)[place]
    inner, outer = float(weight[~few].sum()), weight[few]
    if test.log_p < -30.0:
        beyond = float(outer @ tails)
        return float(np.logaddexp(test.log_p + math.log(max(inner, 1e-9)), math.log(beyond) if beyond > 0 else -np.inf))
    none = inner * math.log1p(-min(math.exp(test.log_p), 1 - 1e-12)) + float(
        outer @ np.log1p(-np.minimum(tails, 1 - 1e-12))
    )
    return math.log(max(-math.expm1(none), 1e-300))


def _hazard(x: float, log_p: float, freedom: int) -> float:
    """f(x) ÷ P(χ² ≥ x)."""
    a = freedom / 2.0
    return math.exp((a - 1) * math.log(x / 2) - x / 2 - math.lgamma(a) - math.log(2.0) - log_p)


def _worth(x: float, hazard: float, step: Floats) -> Floats:
    """How many independent cuts a step is worth at the height x; 1 for the first cut, whose step is infinite."""
    from scipy.special import ndtr

    d = np.clip(step, 1e-18, 1e6)
    u = np.sqrt(2.0 * x * d)
    below = ndtr(u / 2.0)
    nu = (2.0 / u) * (below - 0.5) / (u / 2.0 * below + np.exp(-u * u / 8.0) / math.sqrt(2.0 * math.pi))
    return np.minimum(SPARE * 2.0 * x * hazard * d * nu, 1.0)
