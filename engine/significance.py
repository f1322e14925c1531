"""How surprising a split's gain would be if the column told nothing about the target.

The best of many cuts looks good even by chance, so the p-value of the chosen split is adjusted for the search.
Two upper bounds of it hold at once, and the smaller one is taken:

    Bonferroni   the p-value of the chosen partition times the number of partitions tried
    all values   no partition explains more than one branch per value does, so the p-value of the same
                 explained amount with that many degrees of freedom; smaller where levels are many

The second needs some rows for a value (5 in the mean, Cochran 1954). With fewer, any nominal column splits well,
in the limit a name for every row, and G² no longer follows χ²: then it alone is used, with Pearson's X², which does.

Classes are tested by the likelihood ratio, G² = 2 n ln 2 · (information gain in bits), against χ² (Wilks 1938);
numbers by the share of the variance that is explained, which is the F test. n counts rows: scaling all weights
changes nothing. LogWorth = -log₁₀ p, the name used by Sall (2002).
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.kernels.gain import branches_gain
from engine.kernels.impurity import ENTROPY, SQUARED_ERROR, impurity

TINY = 1e-280  # below this, p-values come from their asymptotic form
ROWS_PER_VALUE = 5
ROUNDING = 1e-15  # a perfect fit leaves at least this share of the variance unexplained


def logworth(
    task: str, branches: NDArray[np.float64], n_rows: int, log_tries: float, n_values: int, nominal: bool
) -> float:
    """-log₁₀ of the adjusted p-value of a split; finite and not negative, 0 where nothing can be tested.

    Args:
        task: "classes" or "number".
        branches: float64[B, S], the training statistic of every branch.
        n_rows: training rows in the node.
        log_tries: natural logarithm of how many partitions the search compared.
        n_values: distinct values (missing counts as one) that the partition was made of.
        nominal: whether any grouping of the values was possible, not only a cut.
    """
    log_p = _by_classes(branches, n_rows) if task == "classes" else _by_variance(branches, n_rows)
    if n_rows >= ROWS_PER_VALUE * n_values:
        adjusted = min(log_p(0) + log_tries, log_p(n_values))
    elif nominal and task == "classes":
        adjusted = _pearson(branches, n_rows, n_values)
    else:
        adjusted = log_p(0) + log_tries
    return abs(min(adjusted, 0.0)) / math.log(10.0)


def _by_classes(branches: NDArray[np.float64], n_rows: int) -> Callable[[int], float]:
    """ln p of G² by the number of values that it is spread over; 0: one for each branch."""
    filled, n_groups = _filled(branches), _filled(branches.T)
    statistic = 2.0 * n_rows * math.log(2.0) * float(branches_gain(ENTROPY, branches)[0])
    return lambda n_values: log_p_chi_square(statistic, ((n_values or filled) - 1) * (n_groups - 1))


def _by_variance(branches: NDArray[np.float64], n_rows: int) -> Callable[[int], float]:
    """ln p of the explained share of the variance by the number of values; 0: one for each branch."""
    filled = int(np.count_nonzero(branches[:, 0]))
    variance = float(impurity(SQUARED_ERROR, branches.sum(axis=0)))
    share = float(branches_gain(SQUARED_ERROR, branches)[0]) / variance if variance > 0 else 0.0
    return lambda n_values: log_p_explained(share, (n_values or filled) - 1, n_rows - (n_values or filled))


def _pearson(branches: NDArray[np.float64], n_rows: int, n_values: int) -> float:
    """ln p of Pearson's X² of the branches, with the freedom of a table of all values."""
    shares = branches / branches.sum()
    expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    squares = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(shares), where=expected > 0)
    return log_p_chi_square(n_rows * float(squares.sum()), (n_values - 1) * (_filled(branches.T) - 1))


def _filled(table: NDArray[np.float64]) -> int:
    """How many lines of class weights are not empty."""
    return int(np.count_nonzero(table.sum(axis=1)))


def log_p_chi_square(statistic: float, freedom: int) -> float:
    """ln P(χ² with `freedom` degrees > statistic); 0 without a degree of freedom."""
    from scipy.special import gammaincc, gammaln

    if freedom < 1 or statistic <= 0.0:
        return 0.0
    a, z = freedom / 2.0, statistic / 2.0
    p = float(gammaincc(a, z))
    if p > TINY:
        return math.log(p)
    return a * math.log(z) - z - float(gammaln(a)) + math.log(_gamma_fraction(a, z))


def log_p_explained(share: float, between: int, within: int) -> float:
    """ln P(share of the variance explained by chance > share): the F test with these degrees of freedom."""
    from scipy.special import betainc, betaln

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
