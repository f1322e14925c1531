"""LogWorth (Sall 2002): columns are ranked by −log₁₀ of the p-value of their best split, adjusted for the search of the
column, so that under the null hypothesis no kind of column is preferred because it offers more splits.

Within a column the best split is that of Gini, or of the squared error: the adjusted p-value is the chance that the
best split of a column that tells nothing explains as much of the variance of the class indicators, or of the numbers,
and what a split explains of it is its gain (`engine.significance.adjusted`). Equal p-values are told apart by the gain.
Where permutations tell the p-value it is at least 1 ÷ 10,001, until it is so small that a bound does.
"""

from engine.criteria.criterion import Criterion
from engine.criteria.gini import GINI
from engine.criteria.squared_error import SQUARED_ERROR
from engine.runtime.sentences import marked

LOGWORTH = Criterion(**(vars(GINI) | {
    "name": "logworth", "label": marked("LogWorth"), "short": marked("LogWorth"),
    "formula": marked("−log₁₀ of the adjusted p-value"),
    "merit": marked("LogWorth = −log₁₀ p, p adjusted for the search of the column"),
    "explanation": marked("The best split of each column by Gini, and the columns by how surprising it is, so that "
        "columns with many values or levels have no advantage."),
    "example": marked("p = 0.001 among 30 levels, p = 0.0001 at a single cut: 3 and 4, the cut is better."),
    "measures": "gini", "by_evidence": True,
}))  # fmt: skip

F_LOGWORTH = Criterion(**(vars(SQUARED_ERROR) | {
    "name": "f_logworth", "label": marked("LogWorth of F"), "short": marked("LogWorth"),
    "formula": marked("−log₁₀ of the adjusted p-value"),
    "merit": marked("LogWorth = −log₁₀ p, p adjusted for the search of the column"),
    "explanation": marked("The best split of each column by the squared error, and the columns by how surprising it "
        "is, so that columns with many values or levels have no advantage."),
    "example": marked("p = 0.001 among 30 levels, p = 0.0001 at a single cut: 3 and 4, the cut is better."),
    "measures": "squared_error", "by_evidence": True,
}))  # fmt: skip
