"""Association (Hothorn, Hornik and Zeileis 2006): columns are ranked by −log₁₀ of the p-value of a test of whether the
column and the target are independent, and only then is the best split of the column looked for
(`engine.significance.association`).

Within a column the best split is that of Gini, or of the squared error. Equal p-values are told apart by the gain.
"""

from engine.criteria.criterion import Criterion
from engine.criteria.logworth import F_LOGWORTH, LOGWORTH
from engine.runtime.sentences import marked

_OWN = {
    "label": marked("Association"), "short": marked("Association"), "by_association": True,
    "formula": marked("−log₁₀ of the p-value of a test of independence"),
    "merit": marked("−log₁₀ p of the test that the column and the target are independent"),
    "explanation": marked("First the column: by how surprising its association with the target is, before any split is "
        "looked for. Then its best split, as ctree does."),
    "example": marked("p = 0.001 for a column of 30 levels, p = 0.0001 for a number: 3 and 4, the number is split."),
}  # fmt: skip
ASSOCIATION = Criterion(**(vars(LOGWORTH) | _OWN | {"name": "association"}))
ASSOCIATION_OF_NUMBERS = Criterion(**(vars(F_LOGWORTH) | _OWN | {"name": "number_association"}))
