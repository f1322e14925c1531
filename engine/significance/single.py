"""How surprising a split's gain would be if the column told nothing about the target.

The best of many partitions looks good even by chance, so the p-value of the chosen one is adjusted for the search. The
null hypothesis is always the same: the target's values are dealt out to the rows anew, by a permutation. One partition
is tested by Pearson's X² = n · Σ (share − expected)² ÷ expected against χ² (classes), or by the explained share of the
variance, which is the F test (numbers). n counts rows; of rows with frequencies it is their sum, of rows with sampling
weights (Σw)² ÷ Σw² (Kish 1965), so scaling these changes nothing. What the best of all the partitions that a search
compares makes of it, see `adjusted`. LogWorth = −log₁₀ of the adjusted p (Sall 2002).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, gammaincc, gammaln

from engine.criteria import DEFAULT, kernel_code
from engine.criteria.kernels import branches_gain, impurity

TINY = 1e-280  # below this, p-values come from their asymptotic form
ROUNDING = 1e-15  # a perfect fit leaves at least this share of the variance unexplained


@dataclass(frozen=True)
class Evidence:
    """The test of one split.

    Attributes:
        test: "X²" or "F". statistic: its value; freedom: its degrees of freedom, one number or (between, within).
        rows: training rows that were tested.
        log_p: natural logarithm of the p-value, as if this were the only partition that was looked at.
        log_tries: natural logarithm of the number of partitions that the search compared.
        log_adjusted: natural logarithm of the p-value of the best of them.
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
        """-log₁₀ of the adjusted p-value; finite and not negative, 0 where nothing can be tested."""
        return abs(min(self.log_adjusted, 0.0)) / math.log(10.0)


def classes_statistic(branches: NDArray[np.float64], n_rows: int) -> tuple[float, int]:
    """(Pearson's X², its degrees of freedom) of branches float64[B, K] of class weights; empty lines do not count."""
    total = branches.sum()
    if not total > 0:
        return 0.0, 0
    shares = branches / total
    expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    squares = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(shares), where=expected > 0)
    return n_rows * float(squares.sum()), (_filled(branches) - 1) * (_filled(branches.T) - 1)


def numbers_statistic(branches: NDArray[np.float64], n_rows: int) -> tuple[float, int, int]:
    """(explained share of the variance, degrees of freedom between and within) of branches float64[B, 3]."""
    filled = int(np.count_nonzero(branches[:, 0]))
    code = kernel_code(DEFAULT["number"])
    variance = float(impurity(code, branches.sum(axis=0)))
    share = float(branches_gain(code, branches)[0]) / variance if variance > 0 else 0.0
    return min(share, 1.0), filled - 1, n_rows - filled


def _filled(table: NDArray[np.float64]) -> int:
    """How many lines of class weights are not empty."""
    return int(np.count_nonzero(table.sum(axis=1)))


def log_p_chi_square(statistic: float, freedom: int) -> float:
    """ln P(χ² with `freedom` degrees > statistic); 0 without a degree of freedom."""
    if freedom < 1 or statistic <= 0.0:
        return 0.0
    a, z = freedom / 2.0, statistic / 2.0
    p = float(gammaincc(a, z))
    if p > TINY:
        return math.log(p)
    return a * math.log(z) - z - float(gammaln(a)) + math.log(_gamma_fraction(a, z))


def log_p_explained(share: float, between: int, within: int) -> float:
    """ln P(share of the variance explained by chance > share): the F test with these degrees of freedom."""
    if between < 1 or within < 1 or share <= 0.0:
        return 0.0
    a, b, x = within / 2.0, between / 2.0, max(1.0 - share, ROUNDING)
    p = float(betainc(a, b, x))
    if p > TINY:
        return math.log(p)
    return a * math.log(x) + b * math.log1p(-x) - math.log(a) - float(betaln(a, b)) + math.log(_beta_series(a, b, x))


def _gamma_fraction(a: float, z: float) -> float:
    """Γ(a, z) e^z z^-a by its continued fraction (Lentz), for z well above a."""
    c, d = 1e300, 1.0 / (z + 1.0 - a)
    value = d
    for i in range(1, 1000):
        step, term = z + 2.0 * i + 1.0 - a, -i * (i - a)
        d = 1.0 / (term * d + step)
        c = step + term / c
        value *= c * d
        if abs(c * d - 1.0) < 1e-12:
            break
    return value


def _beta_series(a: float, b: float, x: float) -> float:
    """a B(x; a, b) / (x^a (1 - x)^b) = Σ (a + b)_k / (a + 1)_k · x^k, for small x."""
    value, term = 1.0, 1.0
    for k in range(100_000):
        term *= (a + b + k) / (a + 1.0 + k) * x
        value += term
        if term < 1e-12 * value:
            break
    return value
