"""The variance of a numeric target (Breiman et al. 1984): Σwy² / Σw − (Σwy / Σw)²."""

from typing import Any

import numpy as np

from engine.criteria.criterion import SUMS, Criterion
from engine.runtime.sentences import marked


def impurity(stat: Any, total: Any) -> Any:
    """See `Criterion.impurity`.

    It loses digits where |mean| is large beside the spread; callers hand in sums of y measured from a number near the
    node's mean, see `kernels.impurity.centre_of`.
    """
    mean = stat[1] / total
    return np.maximum(stat[2] / total - mean * mean, 0.0)


SQUARED_ERROR = Criterion(
    "squared_error", marked("Squared error"), "number", marked("Σ (y − mean)² ÷ n"),
    marked("The variance of the target in the node; leaves predict the mean."),
    "1, 2, 3 | 10: 12.5 − ¾·0.667 − ¼·0 = 12.",
    marked("Squared"), impurity, statistic=SUMS, by_contrast=True,
)  # fmt: skip
