"""Criteria of classes on the bins of a numeric target, which are equally full at the root."""

from engine.criteria.criterion import BINS, Criterion
from engine.runtime.sentences import marked

BINNED_GINI = Criterion(
    "binned_gini", marked("Gini of the binned target"), "number", marked("1 − Σ pₖ², pₖ the share of bin k"),
    marked("How often two rows drawn from the node fall into different bins of the target; leaves show the histogram."),
    marked("1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.444 − ¼·0 = 0.1667."),
    marked("Binned Gini"), merit=marked("i = 1 − Σ pₖ², pₖ the share of bin k"), measures="gini", statistic=BINS,
)  # fmt: skip

BINNED_ERROR = Criterion(
    "binned_error", marked("Error of the binned target"), "number", marked("1 − max pₖ, pₖ the share of bin k"),
    marked("The share of rows outside the node's fullest bin; ties are broken by the binned Gini."),
    marked("1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.333 − ¼·0 = 0.25."),
    marked("Binned error"), merit=marked("i = 1 − max pₖ, pₖ the share of bin k"), measures="error", statistic=BINS,
)  # fmt: skip
