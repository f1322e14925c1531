"""The gain ratio of C4.5 (Quinlan 1993): information gain ÷ entropy of the branch sizes, rows without a value being one
more branch. Splits are searched by the information gain; the ratio ranks the columns (`search.kernels.rules`)."""

from engine.criteria.criterion import Criterion
from engine.criteria.entropy import ENTROPY
from engine.runtime.sentences import marked

GAIN_RATIO = Criterion(**(vars(ENTROPY) | {
    "name": "gain_ratio", "label": marked("Gain ratio"), "short": marked("Ratio"),
    "formula": marked("information gain ÷ entropy of the branch sizes"),
    "merit": marked("ratio = information gain ÷ entropy of the branch sizes"),
    "explanation": marked("Information gain without the favour for splits into many branches (C4.5), among columns of "
        "at least average gain."),
    "example": marked("0.8 → 0.6 / 1.0, two halves: 0.2365 ÷ 1 bit; ten single rows would be divided by 3.32 bits."),
    "measures": "entropy", "by_ratio": True,
}))  # fmt: skip
