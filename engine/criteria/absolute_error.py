"""The mean distance from the weighted median: Σ w|y − median| ÷ Σw.

Medians do not add up, so it is no function of counts or sums: it is the one criterion that looks at rows, searched by
`engine.search.absolute` with kernels of its own.
"""

from engine.criteria.criterion import ROWS, Criterion
from engine.runtime.sentences import marked

ABSOLUTE_ERROR = Criterion(
    "absolute_error", marked("Absolute error"), "number", marked("Σ |y − median| ÷ n"),
    marked("The mean distance from the median; one wild value cannot pull a split, and leaves predict the median."),
    "1, 2, 3 | 10: 2.5 − ¾·0.667 − ¼·0 = 2.",
    marked("Absolute"), statistic=ROWS,
)  # fmt: skip
