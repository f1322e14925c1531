"""Criteria of classes on the bins of a numeric target, which are equally full at the root."""

from engine.criteria.criterion import BINS, Criterion

BINNED_GINI = Criterion(
    "binned_gini", "Gini of the binned target", "number", "1 − Σ pₖ², pₖ the share of bin k",
    "How often two rows drawn from the node fall into different bins of the target; leaves show the histogram.",
    "1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.444 − ¼·0 = 0.1667.",
    "Binned Gini", measures="gini", statistic=BINS,
)  # fmt: skip

BINNED_ERROR = Criterion(
    "binned_error", "Error of the binned target", "number", "1 − max pₖ, pₖ the share of bin k",
    "The share of rows outside the node's fullest bin; ties are broken by the binned Gini.",
    "1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.333 − ¼·0 = 0.25.",
    "Binned error", measures="error", statistic=BINS,
)  # fmt: skip
