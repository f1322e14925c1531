"""How surprising a split's gain would be if the column told nothing about the target.

The null hypothesis is always the same: the target's values are dealt out to the rows anew, by a permutation. One
partition is tested by Pearson's X² = n · Σ (share − expected)² ÷ expected against χ² (classes), or by the explained
share of the variance, which is the F test (numbers). n counts rows; of rows with frequencies it is their sum, of rows
with sampling weights (Σw)² ÷ Σw² (Kish 1965), so scaling these changes nothing. LogWorth = −log₁₀ of the adjusted p
(Sall 2002).

The best of many partitions looks good even by chance, so the p-value of the chosen one is adjusted for the search.
Its p-value is that of a maximum, P(max over partitions X² ≥ x), under permutations of the
target. X² of two branches is n · η², η² the explained share of the variance of the class indicator or of the numbers.
Where a formula is known to be right it is taken, for it is quick and goes as far as a float does:

    one partition   the textbook's test; of two classes and a small branch the hypergeometric law
    cuts            Two classes of up to 1,000 rows, and of up to 5,000 where p is above 0.005: exactly, see
                    `kernels.tail_of_cuts`. Else along the column √X² is a standardised Brownian bridge, an
                    Ornstein-Uhlenbeck process in the time ½ ln(n_left ÷ n_right) (Miller and Siegmund 1982; Lausen and
                    Schumacher 1992). A step of d between two cuts adds
                    2 x f(x) d ν(√(2xd)) to the chance, f the density of X²; ν corrects for the step (Siegmund 1985; ν
                    after Siegmund and Yakir 2007), and no cut adds more than its own p-value. Small branches have tails
                    of their own, see `small_tails`. Of many values every cut between two rows counts: that is an upper
                    bound, and needs no counts. Above p = 0.005 the formula is too large by up to a half; of up to 5,000
                    rows permutations tell such a p-value.
    far beyond      Groups of levels of enough rows: the smaller of two upper bounds, p times the number of
                    partitions (Bonferroni), and that of one branch for each level with the same explained amount.
                    What rare levels, or few missing rows, explain at most is taken off the amount first, whatever
                    their rows are: of two halves at most 1 for each row. Of one rare level and the rest an upper bound
                    is the sum of the tails of the classes, each against the others, or that of `small_tails`.
                    For numbers and more than two classes the sum over cuts is such a bound, too.
    m of n          Bonferroni alone, for all that a climb compares: too large, and hardly below 0.1 for noise. An
                    honest one would climb again for each permutation: at 14 ms for 1,000 rows and 10 columns that is
                    0.3 s for noise and minutes for what is significant.

Everything else is a permutation test, see `permutation`: groups of levels, several branches, rare classes, skewed
numbers, few rows, sampling weights, missing rows with a branch of their own. It goes down to p = 1 ÷ 10,000; beyond
that the p-value says that it is an upper bound. Very significant splits stand in the order of the bounds above.

Numbers are tested by squares and not by ranks, for it is the best split by squares that is tested: who wants ranks
makes the target one of ranks, and so searches by them as well.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, chdtri, gammaincc, gammaln, ndtr

from engine.criteria import DEFAULT, kernel_code
from engine.criteria.kernels import branches_gain, impurity
from engine.significance.kernels import CUTS, EACH, EQUAL, FEW_ROWS, LATTICE, tail_of_cuts, tail_of_hits
from engine.significance.permutation import ROWS, TILTS, Permutations, Target

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TRIES = -1  # beside the forms of `kernels`: partitions of any kind, of which only the number is known

TINY = 1e-280  # below this, p-values come from their asymptotic form
ROUNDING = 1e-15  # a perfect fit leaves at least this share of the variance unexplained
MANY = 1000  # values from which every cut between two rows counts
ALONE, BLOCKS = 32, 160  # of those, the outermost are taken one by one, the others in so many blocks
LOWEST = math.log(0.005)  # ln p above which cuts are as far apart as they are there: the formula is for high levels
SPARE = 1.15  # of some hundred rows steps are worth a little more: rather too rarely than too often
EXPECTED = 10  # rows of the rarest class up to which a branch is small
RARE = 2 * EXPECTED  # rows of the rarest of three classes or more from which cuts need no permutations
FEW, LONG = 64, 20  # rows of a numeric target up to which it is, and so many for each unit of its kurtosis beyond 3
BEYOND = math.log(1e-6)  # an upper bound below it is taken for the p-value


@dataclass(frozen=True)
class Evidence:
    """The test of one split.

    Attributes:
        test: "X²" or "F". statistic: its value; freedom: its degrees of freedom, one number or (between, within).
        rows: training rows that were tested.
        log_p: natural logarithm of the p-value, as if this were the only partition that was looked at.
        log_tries: natural logarithm of the number of partitions that the search compared.
        log_adjusted: natural logarithm of the p-value of the best of them. Permutations of several branches, or of rows
            with sampling weights, can make it less than `log_p`, which is the textbook's.
        deals: permutations of the target that it was found by; 0 where a formula told it.
        is_bound: whether none of them was as good, so that the p-value is at most this.
    """

    test: str
    statistic: float
    freedom: tuple[int, ...]
    rows: int
    log_p: float
    log_tries: float
    log_adjusted: float
    deals: int = 0
    is_bound: bool = False

    @property
    def logworth(self) -> float:
        """-log₁₀ of the adjusted p-value; not negative, 0 where nothing can be tested, NaN where the test needs rows
        that are only counted."""
        return abs(min(self.log_adjusted, 0.0)) / math.log(10.0)


def log_p_chi_square(statistic: float, freedom: int) -> float:
    """ln P(χ² with `freedom` degrees > statistic); 0 without a degree of freedom."""
    if freedom < 1 or statistic <= 0.0:
        return 0.0
    a, z = freedom / 2.0, statistic / 2.0
    p = float(gammaincc(a, z))
    if p > TINY:
        return math.log(p)
    c, d = 1e300, 1.0 / (z + 1.0 - a)  # Γ(a, z) e^z z^-a by its continued fraction (Lentz), for z well above a
    fraction = d
    for i in range(1, 1000):
        step, term = z + 2.0 * i + 1.0 - a, -i * (i - a)
        d = 1.0 / (term * d + step)
        c = step + term / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-12:
            break
    return a * math.log(z) - z - float(gammaln(a)) + math.log(fraction)


def log_p_explained(share: float, between: int, within: int) -> float:
    """ln P(share of the variance explained by chance > share): the F test with these degrees of freedom."""
    if between < 1 or within < 1 or share <= 0.0:
        return 0.0
    a, b, x = within / 2.0, between / 2.0, max(1.0 - share, ROUNDING)
    p = float(betainc(a, b, x))
    if p > TINY:
        return math.log(p)
    series, term = 1.0, 1.0  # a B(x; a, b) / (x^a (1 - x)^b) = Σ (a + b)_k / (a + 1)_k · x^k, for small x
    for k in range(100_000):
        term *= (a + b + k) / (a + 1.0 + k) * x
        series += term
        if term < 1e-12 * series:
            break
    return a * math.log(x) + b * math.log1p(-x) - math.log(a) - float(betaln(a, b)) + math.log(series)


@dataclass(frozen=True)
class Single:
    """The test of one partition.

    Attributes:
        n: rows. statistic: X², or F. share: of the variance that is explained, or the Gini gain.
        freedom: see `Evidence`. log_p: as if it were the only one. x: X² of permutations, of numbers, too.
    """

    n: int
    statistic: float
    share: float
    freedom: tuple[int, ...]
    log_p: float
    x: float

    @classmethod
    def of(cls, branches: Floats, target: Target) -> "Single":
        """From the training statistic of every branch, float64[B, S]."""
        n = target.tested
        if target.classes.size:
            return cls._of_classes(branches, n)
        filled, code = int(np.count_nonzero(branches[:, 0])), kernel_code(DEFAULT["number"])
        variance = float(impurity(code, branches.sum(axis=0)))
        share = min(float(branches_gain(code, branches)[0]) / variance, 1.0) if variance > 0 else 0.0
        between, within, left = filled - 1, n - filled, max(1.0 - share, 1e-300)
        statistic = share / left * within / between if between > 0 and within > 0 else 0.0
        return cls(n, statistic, share, (between, within), log_p_explained(share, between, within), share * (n - 1))

    @classmethod
    def _of_classes(cls, branches: Floats, n: int) -> "Single":
        """Pearson's test; empty branches and classes do not count."""
        sizes, by_class = branches.sum(axis=1), branches.sum(axis=0)
        total, statistic, freedom = branches.sum(), 0.0, 0
        if total > 0:
            shares = branches / total
            expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
            squares = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(shares), where=expected > 0)
            statistic = n * float(squares.sum())
            freedom = (int(np.count_nonzero(sizes)) - 1) * (int(np.count_nonzero(by_class)) - 1)
        whole = max(float(by_class.sum()), 1e-300)
        apart = ((branches - np.outer(sizes, by_class / whole)) ** 2).sum(axis=1)  # the Gini gain, to the last digits
        each = np.divide(apart, sizes, out=np.zeros(sizes.size), where=sizes > 0)
        gain = float(each.sum()) / whole
        return cls(n, statistic, gain, (freedom,), log_p_chi_square(statistic, freedom), statistic)


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a search of one column compares: known before any split is. What was dealt is kept, for further splits.

    Attributes:
        target: what is dealt out.
        log_tries: natural logarithm of the number of partitions.
        form: CUTS, GROUPS, ONE_VS_REST, EACH or TRIES.
        sizes: int64[m], rows of each value as the target counts them; of cuts between more than MANY values, whose rows
            are not known, int64[1] of them all. lacking: those that lack the value.
        own: whether these have a branch of their own beside the others.
        min_leaf: rows that every branch keeps.
    """

    target: Target
    log_tries: float
    form: int = TRIES
    sizes: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    lacking: int = 0
    own: bool = False
    min_leaf: int = 1

    def evidence(self, branches: Floats, needed: float = 0.0) -> Evidence:
        """The test of the best of the partitions.

        Args:
            branches: float64[B, S], the training statistic of every branch.
            needed: ln p that is asked for: it is told on which side of it the p-value lies, by the quickest way. 0: the
                p-value itself.

        Returns:
            The test; NaN for its figures where the target is not known.
        """
        if not self.target.is_known:
            return Evidence("", math.nan, (), 0, math.nan, math.nan, math.nan)
        test, deals, hits = Single.of(branches, self.target), 0, 0
        adjusted, several = test.log_p, self.form == EACH and len(branches) > 2
        if several or (test.log_p < 0.0 and (test.log_p <= needed or needed == 0.0)):
            by_formula = self.log_formula(test)
            if by_formula is None:
                adjusted, deals, hits = self._permutations.log_p(test.share, needed)
            else:
                adjusted = by_formula
        if deals == 0 or not (several or self.target.is_sample):  # of few heavy rows the textbook's p is far too large
            adjusted = max(adjusted, test.log_p)
        name = "X²" if self.target.classes.size else "F"
        return Evidence(
            name, test.statistic, test.freedom, test.n, test.log_p, self.log_tries, min(adjusted, 0.0), deals,
            deals > 0 == hits,
        )  # fmt: skip

    @cached_property
    def _permutations(self) -> Permutations:
        return self.target.permutations(self.form, np.append(self.sizes, self.lacking), self.min_leaf, self.own)

    # -- by formula

    def log_formula(self, test: Single) -> float | None:
        """ln p where a formula is good enough; None where the target has to be dealt out."""
        if self.form == TRIES:
            return test.log_p + self.log_tries
        if self.target.is_sample and self.target.n <= ROWS:
            return None
        sizes = self.target.rows_of(np.append(self.sizes, self.lacking))
        if self.form == CUTS and not self.own and self.log_tries > 0.0:
            return self._of_cuts(test, sizes)
        n, present = int(sizes.sum()), np.maximum(sizes, 1)[np.append(self.sizes, self.lacking) > 0]
        if present.size < 2 or self.target.classes.size == 1:
            return 0.0
        smallest = np.array([min(int(present.min()), n - int(present.max()))], dtype=np.float64)
        classes, two = self.target.classes.size, present.size == 2
        few = n <= FEW_ROWS or bool(is_small(self.target, smallest)[0])
        if two and few:
            if classes > 2:  # X² is Σ (1 - share) · z² of each class against the others: one z² is at least their mean
                shares = self.target.shares.tolist()
                far = [(round(q * n), 2.0 * q * (1.0 - q) * test.x / (classes - 1) / n) for q in shares]
                tail = sum(tail_of_hits(int(smallest[0]), hits, n, share) for hits, share in far)
            else:
                tail = float(small_tails(self.target, smallest, test)[0])
            exact, log_p = classes == 2 or (classes == 0 and smallest[0] == 1), math.log(max(tail, 1e-300))
            return log_p if exact or log_p < BEYOND else None
        if two:
            return test.log_p
        rare = is_small(self.target, present)
        bound = self._bound(test, present[~rare], int(present[rare].sum())) if np.count_nonzero(~rare) > 1 else 0.0
        return None if bound >= BEYOND and (few or rare.any() or self.form != EACH) else bound

    def _bound(self, test: Single, sizes: Integers, rare: int) -> float:
        """An upper bound of ln p: what the rare levels cannot explain is explained by cells of so many rows."""
        n, rest, of_rare = int(sizes.sum()), sizes.size - 1, self.target.reach(rare)
        if self.target.classes.size:  # of one partition, and of one branch for each cell, which explains as much
            most, x = rest * (self.target.classes.size - 1), test.x * n / (n + rare) - of_rare
            one, each = log_p_chi_square(x, min(test.freedom[0], most)), log_p_chi_square(x, most)
        else:
            between, share = min(test.freedom[0], rest), test.share - of_rare / n
            one, each = log_p_explained(share, between, n - between - 1), log_p_explained(share, rest, n - sizes.size)
        return min(one + min(self.log_tries, rest * math.log(2.0)), 0.0 if self.own else each)

    def _of_cuts(self, test: Single, sizes: Integers) -> float | None:
        classes, n = self.target.classes.size, int(sizes.sum())
        log_p = _log_maximum(self.target, self._cuts, test) if n > LATTICE else 0.0
        if classes == 2 and not sizes[-1] and n <= ROWS and log_p >= LOWEST:
            p = tail_of_cuts(sizes[:-1], round(float(self.target.shares.min()) * n), test.share, self.min_leaf)
            if p > TINY:
                return math.log(p)
        log_p = log_p or _log_maximum(self.target, self._cuts, test)
        sharp = classes == 2 or (classes > 2 and n * float(self.target.shares.min()) >= RARE)
        sharp &= n > FEW_ROWS and log_p < LOWEST
        return log_p if sharp or n > ROWS or log_p < BEYOND else None

    @cached_property
    def _cuts(self) -> "Cuts":
        sizes = self.target.rows_of(np.append(self.sizes, self.lacking))
        rows, lacking = sizes[:-1], int(sizes[-1])
        if self.target.tested != self.target.n or rows.size > MANY or rows.size == 1:
            return _many(int(rows.sum()), lacking, self.min_leaf)
        return _cuts(np.cumsum(rows, dtype=np.float64), np.ones(rows.size), lacking, self.min_leaf)


# -- small branches


def is_small(target: Target, rows: Floats) -> NDArray[np.bool_]:
    """Whether branches of so many rows are too small for the normal law."""
    if target.classes.size:
        return np.asarray(rows * float(target.shares.min()) <= EXPECTED)
    return np.asarray(rows <= FEW + LONG * abs(target.kurtosis - 3.0))


def small_tails(target: Target, rows: Floats, test: Single) -> Floats:
    """P(at least what was found) of single branches of so many rows, at most half of them.

    two classes    hypergeometric
    more           X² of one branch as a gamma variable with its mean and variance
    numbers        an upper bound: that of Chernoff for the sum of so many rows, which holds for rows drawn
                   without replacement, too (Hoeffding 1963)
    """
    if target.classes.size == 2:
        n = target.tested
        some = int(np.rint(np.round(np.clip(target.shares[0] * n, 1, n - 1), 9)))
        return np.array([tail_of_hits(int(drawn), some, n, test.share) for drawn in np.rint(rows)])
    if not target.classes.size:
        n, bound = target.tested, np.zeros(rows.size)
        far = np.sqrt(test.share * rows * (n - rows))  # what the sum of the branch has to reach
        for farthest, cumulant in target.cumulants:
            tail = np.exp(np.minimum(np.min(np.outer(rows, cumulant) - np.outer(far, TILTS), axis=1), 0.0))
            bound += np.where(far > rows * farthest * (1 + 1e-9), 0.0, tail)
        alone = float(np.mean(np.square(target.pulls) >= test.share * (n - 1) * (1 - EQUAL)))
        return np.where(rows <= 1, alone, np.minimum(bound, 1.0))
    k, rare = target.shares.size, float((1.0 / target.shares).sum())
    variance = 2 * (k - 1) + np.maximum(rare - k * k - 2 * k + 2, 0.0) / rows
    return np.asarray(gammaincc((k - 1) ** 2 / variance, test.x * (k - 1) / variance))


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


@lru_cache(32)
def _many(n_present: int, lacking: int, least: int) -> Cuts:
    """Every cut between two of so many rows."""
    near = np.arange(1, min(ALONE, n_present) + 1)
    inner = np.rint(n_present / (1 + np.exp(-np.linspace(-1.0, 1.0, BLOCKS) * math.log(n_present))))
    ends = np.unique(np.concatenate((near, inner, n_present - near, [n_present])))
    ends = ends[(ends > 0) & (ends <= n_present)]
    return _cuts(ends, np.diff(ends, prepend=0), lacking, least)


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


def _log_maximum(target: Target, cuts: Cuts, test: Single) -> float:
    """ln P(some cut is as good), see the head of this file."""
    freedom, log_level = test.freedom[0], min(test.log_p, LOWEST)
    x = at_level(log_level, freedom) if test.log_p > LOWEST or len(test.freedom) > 1 else test.statistic
    a = freedom / 2.0
    hazard = math.exp((a - 1) * math.log(x / 2) - x / 2 - math.lgamma(a) - math.log(2.0) - log_level)  # f ÷ P(χ² ≥ x)
    few = is_small(target, cuts.side)
    weight = cuts.count * _worth(x, hazard, cuts.step)
    if cuts.beside.size:
        weight *= _worth(x, hazard, cuts.beside)
    sides, place = np.unique(cuts.side[few], return_inverse=True)
    tails = small_tails(target, sides, test)[place]
    inner, outer = float(weight[~few].sum()), weight[few]
    if test.log_p < -30.0:
        beyond = float(outer @ tails)
        return float(np.logaddexp(test.log_p + math.log(max(inner, 1e-9)), math.log(beyond) if beyond > 0 else -np.inf))
    none = inner * math.log1p(-min(math.exp(test.log_p), 1 - 1e-12)) + float(
        outer @ np.log1p(-np.minimum(tails, 1 - 1e-12))
    )
    return math.log(max(-math.expm1(none), 1e-300))


def at_level(log_p: float, freedom: int = 1) -> float:
    """The x with ln P(χ² ≥ x) = log_p."""
    if log_p > -600.0:
        return float(chdtri(freedom, math.exp(log_p)))
    x, a = -2.0 * log_p, freedom / 2.0
    for _ in range(20):  # ln p ≈ (a - 1) ln(x/2) - x/2 - ln Γ(a)
        x = 2.0 * ((a - 1.0) * math.log(x / 2.0) - math.lgamma(a) - log_p)
    return x


def _worth(x: float, hazard: float, step: Floats) -> Floats:
    """How many independent cuts a step is worth at the height x; 1 for the first cut, whose step is infinite."""
    d = np.clip(step, 1e-18, 1e6)
    u = np.sqrt(2.0 * x * d)
    below = ndtr(u / 2.0)
    nu = (2.0 / u) * (below - 0.5) / (u / 2.0 * below + np.exp(-u * u / 8.0) / math.sqrt(2.0 * math.pi))
    return np.minimum(SPARE * 2.0 * x * hazard * d * nu, 1.0)
