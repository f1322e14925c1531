"""What makes a split good: the impurity criteria by name.

The formulas are computed by one kernel (`kernels/impurity.py`). What else depends on the criterion, and has to know a
new one, is named in CONTRIBUTING.md; each such place fails on one that it does not know.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.runtime.errors import InputError


@dataclass(frozen=True)
class Criterion:
    """One way to measure how mixed a node is.

    Attributes:
        name: the word used in every public call.
        label: the word shown to people.
        code: the kernels' integer for it; of a binned criterion, the one by which the bins are searched as classes.
        task: "classes" or "number", the targets that it is defined for.
        formula: the impurity of a node, in plain symbols.
        explanation: one sentence for people.
        example: what it makes of the split 0.8 → 0.6 / 1.0 (of 10 rows 8 are positive; 3 of 5 and 5 of 5 in the
            branches); for a number of 1, 2, 3, 10.
    """

    name: str
    label: str
    code: int
    task: str
    formula: str
    explanation: str
    example: str


CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion(
            "gini", "Gini", 0, "classes", "1 − Σ pₖ²",
            "How often two rows drawn from the node differ in class; strictly concave, quick, the usual choice.",
            "0.8 → 0.6 / 1.0: 0.32 − ½·0.48 − ½·0 = 0.08.",
        ),
        Criterion(
            "entropy", "Entropy", 1, "classes", "−Σ pₖ log₂ pₖ",
            "The bits needed to tell a row's class; its drop is the information gain of ID3.",
            "0.8 → 0.6 / 1.0: 0.722 − ½·0.971 − ½·0 = 0.2365 bits.",
        ),
        Criterion(
            "gain_ratio", "Gain ratio", 2, "classes", "information gain ÷ entropy of the branch sizes",
            "Information gain without the favour for splits into many branches (C4.5), among columns of at least "
            "average gain.",
            "0.8 → 0.6 / 1.0, two halves: 0.2365 ÷ 1 bit; ten single rows would be divided by 3.32 bits.",
        ),
        Criterion(
            "error", "Training error", 3, "classes", "1 − max pₖ",
            "The share of rows that the majority label gets wrong; blind to splits that do not change a label.",
            "0.8 → 0.6 / 1.0: 0.2 − ½·0.4 − ½·0 = 0: it sees no progress.",
        ),
        Criterion(
            "sqrt", "Kearns–Mansour √", 4, "classes", "½ Σ √(pₖ(1 − pₖ))",
            "The criterion with the best guarantee for top-down growing; it rewards nearly pure branches most.",
            "0.8 → 0.6 / 1.0: 0.4 − ½·0.4899 − ½·0 = 0.1551.",
        ),
        Criterion(
            "squared_error", "Squared error", 5, "number", "Σ (y − mean)² ÷ n",
            "The variance of the target in the node; leaves predict the mean.",
            "1, 2, 3 | 10: 12.5 − ¾·0.667 − ¼·0 = 12.",
        ),
        Criterion(
            "absolute_error", "Absolute error", 6, "number", "Σ |y − median| ÷ n",
            "The mean distance from the median; one wild value cannot pull a split, and leaves predict the median.",
            "1, 2, 3 | 10: 2.5 − ¾·0.667 − ¼·0 = 2.",
        ),
        Criterion(
            "binned_gini", "Gini of the binned target", 0, "number", "1 − Σ pₖ², pₖ the share of bin k",
            "How often two rows drawn from the node fall into different bins of the target; leaves show the histogram.",
            "1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.444 − ¼·0 = 0.1667.",
        ),
        Criterion(
            "binned_error", "Error of the binned target", 3, "number", "1 − max pₖ, pₖ the share of bin k",
            "The share of rows outside the node's fullest bin; ties are broken by the binned Gini.",
            "1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.333 − ¼·0 = 0.25.",
        ),
    )
}  # fmt: skip

DEFAULT = {"classes": "gini", "number": "squared_error"}


BINNED = {"binned_gini": "gini", "binned_error": "error"}  # by what the bins, as classes, are searched


def criteria_for(task: str) -> list[Criterion]:
    """The criteria that are defined for a target of this task ("classes" or "number")."""
    return [criterion for criterion in CRITERIA.values() if criterion.task == task]


def find_criterion(name: str, task: str) -> Criterion:
    """The criterion called `name`.

    Raises:
        InputError: no such criterion, or it is not defined for this task.
    """
    usable = ", ".join(criterion.name for criterion in criteria_for(task))
    if name not in CRITERIA:
        raise InputError(f"There is no criterion “{name}”; choose one of {usable}.")
    criterion = CRITERIA[name]
    if criterion.task != task:
        kind = "numeric" if task == "number" else "class"
        raise InputError(f"The criterion “{name}” is not defined for a {kind} target; choose one of {usable}.")
    return criterion


def kernel_code(name: str) -> int:
    """The kernels' integer for a criterion; of "absolute_error" too, though they know no impurity of it.

    Raises:
        NotImplementedError: the kernels do not compute it.
    """
    from engine.criteria.kernels.impurity import ABSOLUTE_ERROR, SQUARED_ERROR
    from engine.criteria.kernels.impurity import impurity as kernel

    one = CRITERIA[name]
    is_sum = one.task == "classes" or name in BINNED
    known = is_sum or one.code in (SQUARED_ERROR, ABSOLUTE_ERROR)
    if not known or (is_sum and np.isnan(kernel(one.code, np.ones(2)))):
        raise NotImplementedError(f"The kernels do not compute the criterion “{name}” (code {one.code}).")
    return one.code


def impurity(name: str, counts: ArrayLike) -> float:
    """The impurity of a node per unit of weight.

    Args:
        name: a criterion.
        counts: the weighted count of each class; for squared_error (Σw, Σwy, Σwy²); for the binned criteria the
            weighted count of each bin.

    Raises:
        InputError: there is no such criterion, or counts do not tell it.
    """
    if name not in CRITERIA:
        raise InputError(f"There is no criterion “{name}”; choose one of {', '.join(CRITERIA)}.")
    if name == "absolute_error":
        raise InputError(
            "absolute_error needs the values themselves, counts do not tell it: call search.absolute.impurity(y)."
        )
    from engine.criteria.kernels.impurity import impurity as kernel

    return float(kernel(kernel_code(name), np.ascontiguousarray(counts, dtype=np.float64)))
