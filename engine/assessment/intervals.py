"""How sure a share is, or a figure that is made of shares: 95 % intervals of rows that chose nothing."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NAN = float("nan")
Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A figure and its 95 % interval; all nan where it is not defined."""

    value: float
    low: float
    high: float


def ratio(above: Floats, below: Floats | float) -> Floats:
    """above ÷ below; nan where that is 0."""
    return np.divide(above, below, out=np.full(above.shape, NAN), where=np.broadcast_to(below, above.shape) > 0)


UNDEFINED = Estimate(NAN, NAN, NAN)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's score interval (1927) of a share that was seen in n rows; nan without rows.

    With weights, n is Kish's effective number of rows (Σw)² ÷ Σw².
    """
    if not n > 0:
        return NAN, NAN
    z = Z_95
    centre = share + z * z / (2 * n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def wilson_of(shares: Floats, n: Floats) -> Floats:
    """float64[m, 2]: `wilson` of many shares."""
    found = np.full((shares.size, 2), NAN)
    seen = n > 0
    share, rows, z = np.clip(shares[seen], 0.0, 1.0), n[seen], Z_95
    centre = share + z * z / (2 * rows)
    reach = z * np.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    found[seen] = np.clip(np.column_stack((centre - reach, centre + reach)) / (1 + z * z / rows)[:, None], 0.0, 1.0)
    return found


def by_delta(value: float, slopes: Floats, weight: Floats, squares: Floats, lowest: float = -1.0) -> Estimate:
    """The estimate of a smooth function of shares, by the delta method for multinomial counts (Agresti 2013,
    "Categorical data analysis", 16.1); with sampling weights by Taylor linearisation (Binder 1983), which is the same
    where all weights are 1. Where no row contradicts, as in a perfect confusion, the interval has no width.

    Args:
        value: the function at the shares that were seen, between `lowest` and 1.
        slopes: its derivative by the share of each cell.
        weight: Σw of each cell.
        squares: Σw² of each cell; of frequencies Σw; nan where there is to be no interval.
    """
    total = float(weight.sum())
    around = slopes - (slopes * weight).sum() / total
    reach = Z_95 * sqrt(float((squares * around**2).sum())) / total
    return Estimate(value, *np.clip((value - reach, value + reach), lowest, 1.0).tolist())
