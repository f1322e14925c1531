"""What a person can choose: options of the methods, and the figures by which their trees can be judged.

An entry of `OPTIONS` and a field of `Options` of the same name, whose value is the default, are all that the command
line and the window know of an option; names are shared by all methods. Nothing here needs the compiler.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.choices import Choice, Option
from engine.search.options import checked

if TYPE_CHECKING:
    from engine.tree.assignment import Assignment

GROUP = "Pruning"
NO_VALIDATION = "It needs validation rows: set some rows aside for validation."
UNJUDGED = (
    "Without validation rows nothing says where growth should have ended, so the whole tree is recommended; set some "
    "rows aside, or prune by cost complexity and cross-validation."
)

OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "measure", "A split pays in", GROUP, "choice", "What a leaf more has to pay in.",
            choices=(
                Choice("risk", "Errors", "The error on the training rows, as rpart has it."),
                Choice("impurity", "Impurity", "The criterion that the tree was grown with, as scikit-learn has it."),
            ),
        ),
        Option(
            "judge", "Chosen by", GROUP, "choice", "Which rows choose among the trees of the sequence.",
            choices=(
                Choice(
                    "auto", "Automatic",
                    "The validation rows, or cross-validation where there are none. Structural risk: the penalty on "
                    "the training rows, which needs neither.",
                ),
                Choice("validation", "Validation rows", "The tree with the least error on the validation rows."),
                Choice(
                    "folds", "Cross-validation",
                    "The price per leaf, or for structural risk the number of leaves, with the least cross-validated "
                    "error.",
                ),
            ),
        ),
        Option(
            "standard_errors", "Standard errors", GROUP, "number",
            "The smallest tree whose error is at most this many standard errors above the least one.",
            "error ≤ least error + k · SE", "1: the rule of Breiman, Friedman, Olshen and Stone.", most=10,
        ),
        Option(
            "rule", "Rule", GROUP, "choice", "How errors on the training rows become errors to be expected.",
            choices=(
                Choice("c4.5", "C4.5", "The upper limit of the error of each leaf, at a confidence."),
                Choice(
                    "quinlan1987", "Quinlan 1987",
                    "Half an error more for each leaf; a branch goes unless it saves more than a standard error.",
                    "e + ½ ≤ e′ + SE(e′)",
                ),
            ),
        ),
        Option(
            "confidence", "Confidence", GROUP, "number",
            "How much errors on training rows are trusted: the smaller, the more is cut.",
            "U: P(at most e errors among n) = confidence", "0.25: C4.5's usual one.", least=1e-6, most=0.5,
        ),
        Option(
            "raising", "Raise branches", GROUP, "flag",
            "A node may be replaced by its largest branch, too; the rows of the others are sent down that branch.",
        ),
        Option(
            "estimate", "Estimate", GROUP, "choice", "By which estimate of the error trees are compared.",
            choices=(
                Choice("validation", "Validation error", "The error on the validation rows."),
                Choice(
                    "mdl_bound", "Description bound",
                    "The training error and what the length of the tree adds to it, with a confidence.",
                    "e + √(((n + 1) · log₂(d + 3) + ln(2/δ)) ÷ 2m)",
                ),
                Choice("pessimistic", "Pessimistic error", "The upper limit of each leaf's error, as in C4.5."),
            ),
        ),
        Option(
            "leaf_labels", "Labels of leaves", GROUP, "choice",
            "Which class a leaf predicts, and the leaves of a branch that takes another place.",
            choices=(
                Choice(
                    "estimate", "Best by the estimate",
                    "Any class: the one with the least estimate. A branch is tried in its new place as it is, with its "
                    "labels. The procedure of the notes. By the validation error it fits the labels to these rows: "
                    "judge the result by test rows.",
                ),
                Choice(
                    "counted", "As counted",
                    "The majority of the training rows, also of those that come along when a branch takes another "
                    "place.",
                ),
            ),
        ),
        Option(
            "code", "Described by", GROUP, "choice", "What the length of a description is made of.",
            choices=(
                Choice(
                    "rissanen", "Tree and classes",
                    "Bits for the splits, and for the classes of the rows in the leaves (Mehta, Rissanen and Agrawal).",
                    "leaf: 1 + Σ nᵢ · log₂(n/nᵢ) + (K − 1)/2 · log₂(n/2) + log₂(π^(K/2) ÷ Γ(K/2)); "
                    "split: 1 + log₂ d + log₂ of the splits of its column",
                ),
                Choice(
                    "notes", "MDL bound",
                    "The training error and what the length of the tree adds to it, with a confidence.",
                    "e + √(((n + 1) · log₂(M + K + 1) + ln(2/δ)) ÷ 2m)",
                ),
            ),
        ),
        Option(
            "delta", "Risk δ", GROUP, "number", "How likely it may be that the bound does not hold.",
            least=1e-12, most=1,
        ),
        Option(
            "max_errors", "At most errors", GROUP, "whole",
            "The fewest leaves with at most this many errors on the training rows.", none="weighed against the leaves",
        ),
        Option(
            "most_leaves", "Every size up to", GROUP, "whole",
            "For every number of leaves up to this one the best tree is found; of larger ones those that cost "
            "complexity gives.", least=1, most=65_535,
        ),
        Option(
            "capacity", "Size of the classes", GROUP, "choice",
            "How all trees and paths that there might be are counted.",
            choices=(
                Choice(
                    "size", "By number", "Conjunctions of the tests and trees of them, all counted.",
                    "ln PATHS = ℓ · ln 2M, ln TREES = n · ln(M + K + 1), M tests, K classes",
                ),
                Choice(
                    "vc", "By VC dimension",
                    "How many rows they can tell apart in all ways, however many tests there are.",
                    "ln PATHS = VC(ℓ tests) · ln 2m, ln TREES = VC(n nodes) · ln 2m",
                ),
                Choice(
                    "notes", "As in the notes", "One test for each column.",
                    "ln PATHS = ℓ · ln d, ln TREES = n · ln(d + K + 1)",
                ),
            ),
        ),
        Option(
            "factor", "Factor c", GROUP, "number",
            "By what the penalty is multiplied. Theory asks for more than 1, which leaves hardly a split of small "
            "tables.",
            least=0, most=10,
        ),
        Option(
            "min_leaf", "Minimum rows in a leaf", GROUP, "wholes",
            "Splits go that leave a branch with fewer training rows; several numbers are of the depths 1, 2, 3 …, the "
            "last one of all deeper levels.",
            example="50, 20: at least 50 rows in the root's branches, at least 20 below.", least=1, none="no limit",
        ),
        Option(
            "min_validation_gain", "Least validation gain", GROUP, "number",
            "A split goes, with all below it, unless the splits from it down lower the validation error by more than "
            "this on average.", least=-1, most=1, none="no limit",
        ),
        Option("same_answer", "Leaves that say the same", GROUP, "flag",
            "Siblings that predict the same become one leaf."),
        Option(
            "significance", "Significance", GROUP, "number",
            "A split goes whose adjusted p-value is above this, unless one below it is kept.", least=0, most=1,
            none="no test",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What a method may be told.

    Attributes:
        keep_by_hand: splits that a person made, and those above them, stay.
        folds: parts for cross-validation; or int[n_rows], the fold of each row, −1 for rows of no fold.
        seed: for dealing the rows out to the folds.
        assignment: which rows stand in which node, if at hand.
        others: see `OPTIONS`.
    """

    keep_by_hand: bool = False
    folds: "int | NDArray[np.integer[Any]]" = 10
    seed: int = 0
    assignment: "Assignment | None" = None
    measure: str = "risk"
    judge: str = "auto"
    standard_errors: float = 0.0
    rule: str = "c4.5"
    confidence: float = 0.25
    raising: bool = True
    estimate: str = "validation"
    leaf_labels: str = "estimate"
    code: str = "rissanen"
    delta: float = 0.05
    max_errors: int | None = None
    most_leaves: int = 2000
    capacity: str = "size"
    factor: float = 0.1
    min_leaf: tuple[int, ...] = ()
    min_validation_gain: float | None = None
    same_answer: bool = False
    significance: float | None = None

    def told(self, values: dict[str, Any], known: tuple[str, ...], label: str) -> "Options":
        """The same with some values of `OPTIONS`, checked.

        Args:
            known: the options that the method listens to.
            label: the method in words.

        Raises:
            InputError: the method has no such option, or it cannot have that value.
        """
        for name in values:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise InputError(
                    tr("“{name}” is no option of “{label}”: {takes}.", name=name, label=label, takes=takes)
                )
        return replace(
            self, **{name: checked(OPTIONS[name], value, getattr(self, name)) for name, value in values.items()}
        )


# -- the figures by which trees are judged


@dataclass(frozen=True)
class Metric:
    """A figure that says how good a tree is.

    Attributes:
        label: the words shown to people.
        task: "classes" or "number", the targets that it is for.
        more_is_better: whether large figures are good ones.
        explanation: one sentence for people.
    """

    label: str
    task: str
    more_is_better: bool
    explanation: str


METRICS: dict[str, Metric] = {
    "error": Metric("Error", "classes", False, "The share of the rows that are labelled wrongly."),
    "cost": Metric("Cost", "classes", False, "What the mistakes cost on average, by the tree's costs and priors."),
    "log_loss": Metric("Log-loss", "classes", False, "The mean of −ln of the probability of the true class."),
    "gini": Metric(
        "Gini", "classes", False,
        "The mean of Σ (probability − 1 if it is the class)²: on training rows the Gini impurity of the leaves.",
    ),
    "auc": Metric(
        "AUC", "classes", True,
        "How often a row of a class has the larger probability of it than a row of another; the mean over the classes.",
    ),
    "squared_error": Metric("Squared error", "number", False, "The mean of the squared errors."),
    "r2": Metric("R²", "number", True, "The share of the variance that the tree explains."),
    "absolute_error": Metric("Absolute error (MAE)", "number", False, "The mean of the absolute errors."),
}  # fmt: skip


def metrics_for(task: str) -> list[str]:
    """The names of the metrics for targets of a task; the first one is what trees are pruned by."""
    return [name for name, metric in METRICS.items() if metric.task == task]
