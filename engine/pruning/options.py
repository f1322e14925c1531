"""What a person can choose: options of the methods, and the figures by which their trees can be judged.

An entry of `OPTIONS` and a field of `Options` of the same name, whose value is the default, are all that the command
line and the window know of an option; names are shared by all methods. Nothing here needs the compiler.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, spoken, tr
from engine.search.choices import Choice, Option
from engine.search.options import checked

if TYPE_CHECKING:
    from engine.tree.assignment import Assignment

GROUP = marked("Pruning")
NEEDS_ROWS = marked(
    "It looks at single rows, and those of this table are only counted: read a sample of them, or keep their codes."
)
NO_VALIDATION = marked("It needs validation rows: set some rows aside for validation.")
UNJUDGED = marked(
    "Without validation rows nothing says where growth should have ended, so the whole tree is recommended; set some "
    "rows aside, or prune by cost complexity and cross-validation."
)

OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "measure", marked("A split pays in"), GROUP, "choice", marked("What a leaf more has to pay in."),
            choices=(
                Choice("risk", marked("Errors"), marked("The error on the training rows, as rpart has it.")),
                Choice("impurity", marked("Impurity"),
                    marked("The criterion that the tree was grown with, as scikit-learn has it.")),
            ),
        ),
        Option(
            "judge", marked("Chosen by"), GROUP, "choice", marked("Which rows choose among the trees of the sequence."),
            choices=(
                Choice(
                    "auto", marked("Automatic"),
                    marked("The validation rows, or cross-validation where there are none. Structural risk: the "
                        "penalty on the training rows, which needs neither."),
                ),
                Choice("validation", marked("Validation rows"),
                    marked("The tree with the least error on the validation rows.")),
                Choice(
                    "folds", marked("Cross-validation"),
                    marked("The price per leaf, or for structural risk the number of leaves, with the least "
                        "cross-validated error."),
                ),
            ),
        ),
        Option(
            "standard_errors", marked("Standard errors"), GROUP, "number",
            marked("The smallest tree whose error is at most this many standard errors above the least one."),
            marked("error ≤ least error + k · SE"), marked("1: the rule of Breiman, Friedman, Olshen and Stone."),
            most=10,
        ),
        Option(
            "repeats", marked("Repeats"), GROUP, "whole",
            marked("How often cross-validation deals the rows into folds; more are steadier, and take as much longer."),
            example=marked("10: ten times ten folds."), least=1, most=1000,
        ),
        Option(
            "rule", marked("Rule"), GROUP, "choice",
            marked("How errors on the training rows become errors to be expected."),
            choices=(
                Choice("c4.5", marked("C4.5"), marked("The upper limit of the error of each leaf, at a confidence.")),
                Choice(
                    "quinlan1987", marked("Quinlan 1987"),
                    marked("Half an error more for each leaf; a branch goes unless it saves more than a standard "
                        "error."),
                    "e + ½ ≤ e′ + SE(e′)",
                ),
            ),
        ),
        Option(
            "confidence", marked("Confidence"), GROUP, "number",
            marked("How much errors on training rows are trusted: the smaller, the more is cut."),
            marked("U: P(at most e errors among n) = confidence"), marked("0.25: C4.5's usual one."), least=1e-6,
            most=0.5,
        ),
        Option(
            "raising", marked("Raise branches"), GROUP, "flag",
            marked("A node may be replaced by its largest branch, too; the rows of the others are sent down that "
                "branch."),
        ),
        Option(
            "estimate", marked("Estimate"), GROUP, "choice",
            marked("By which estimate of the error trees are compared."),
            choices=(
                Choice("validation", marked("Validation error"), marked("The error on the validation rows.")),
                Choice(
                    "mdl_bound", marked("Description bound"),
                    marked("The training error and what the length of the tree adds to it, with a confidence."),
                    marked("e + √(((n + 1) · log₂(d + 3) + ln(2/δ)) ÷ 2m)"),
                ),
                Choice("pessimistic", marked("Pessimistic error"),
                    marked("The upper limit of each leaf's error, as in C4.5.")),
            ),
        ),
        Option(
            "leaf_labels", marked("Labels of leaves"), GROUP, "choice",
            marked("Which class a leaf predicts, and the leaves of a branch that takes another place."),
            choices=(
                Choice(
                    "estimate", marked("Best by the estimate"),
                    marked("Any class: the one with the least estimate. A branch is tried in its new place as it is, "
                        "with its labels. The procedure of the notes. By the validation error it fits the labels to "
                        "these rows: judge the result by test rows."),
                ),
                Choice(
                    "counted", marked("As counted"),
                    marked("The majority of the training rows, also of those that come along when a branch takes "
                        "another place."),
                ),
            ),
        ),
        Option(
            "code", marked("Described by"), GROUP, "choice", marked("What the length of a description is made of."),
            choices=(
                Choice(
                    "rissanen", marked("Tree and classes"),
                    marked("Bits for the splits, and for the classes of the rows in the leaves (Mehta, Rissanen and "
                        "Agrawal)."),
                    marked("leaf: 1 + Σ nᵢ · log₂(n/nᵢ) + (K − 1)/2 · log₂(n/2) + log₂(π^(K/2) ÷ Γ(K/2)); "
                    "split: 1 + log₂ d + log₂ of the splits of its column"),
                ),
                Choice(
                    "notes", marked("MDL bound"),
                    marked("The training error and what the length of the tree adds to it, with a confidence."),
                    marked("e + √(((n + 1) · log₂(M + K + 1) + ln(2/δ)) ÷ 2m)"),
                ),
            ),
        ),
        Option(
            "delta", marked("Risk δ"), GROUP, "number", marked("How likely it may be that the bound does not hold."),
            least=1e-12, most=1,
        ),
        Option(
            "max_errors", marked("At most errors"), GROUP, "whole",
            marked("The fewest leaves with at most this many errors on the training rows."),
            none=marked("weighed against the leaves"),
        ),
        Option(
            "most_leaves", marked("Every size up to"), GROUP, "whole",
            marked("For every number of leaves up to this one the best tree is found; of larger ones those that cost "
            "complexity gives."), least=1, most=65_535,
        ),
        Option(
            "capacity", marked("Size of the classes"), GROUP, "choice",
            marked("How all trees and paths that there might be are counted."),
            choices=(
                Choice(
                    "size", marked("By number"), marked("Conjunctions of the tests and trees of them, all counted."),
                    marked("ln PATHS = ℓ · ln 2M, ln TREES = n · ln(M + K + 1), M tests, K classes"),
                ),
                Choice(
                    "vc", marked("By VC dimension"),
                    marked("How many rows they can tell apart in all ways, however many tests there are."),
                    marked("ln PATHS = VC(ℓ tests) · ln 2m, ln TREES = VC(n nodes) · ln 2m"),
                ),
                Choice(
                    "notes", marked("As in the notes"), marked("One test for each column."),
                    marked("ln PATHS = ℓ · ln d, ln TREES = n · ln(d + K + 1)"),
                ),
            ),
        ),
        Option(
            "factor", marked("Factor c"), GROUP, "number",
            marked("By what the penalty is multiplied. Theory asks for more than 1, which leaves hardly a split of "
                "small tables."),
            least=0, most=10,
        ),
        Option(
            "min_leaf", marked("Minimum rows in a leaf"), GROUP, "wholes",
            marked("Splits go that leave a branch with fewer training rows; several numbers are of the depths 1, 2, 3 "
                "…, the last one of all deeper levels."),
            example=marked("50, 20: at least 50 rows in the root's branches, at least 20 below."), least=1,
            none=marked("no limit"),
        ),
        Option(
            "min_validation_gain", marked("Minimum validation gain"), GROUP, "number",
            marked("A split goes, with all below it, unless the splits from it down lower the validation error by "
                "more than this on average."), least=-1, most=1, none=marked("no limit"),
        ),
        Option("same_answer", marked("Leaves that predict the same"), GROUP, "flag",
            marked("Siblings that predict the same become one leaf.")),
        Option(
            "significance", marked("Significance"), GROUP, "number",
            marked("A split needs an adjusted p-value of at most this."),
            example=marked("0.05: of 100 trees of pure noise at least 95 are cut to the root."), least=0, most=1,
            none=marked("no test"),
        ),
        Option(
            "significance_of", marked("Significance of"), GROUP, "choice",
            marked("Which p-values are compared with the significance, and what else a split needs to stay."),
            choices=(
                Choice(
                    "tree", marked("The whole tree"),
                    marked("From the root down: a split stays if every split above it stays and its p-value, adjusted "
                        "for the search of its column and for the number of columns, is small enough."),
                    marked("p · number of columns ≤ α, here and at every split above"),
                ),
                Choice(
                    "split", marked("Each split by itself"),
                    marked("A split stays if its p-value, adjusted for the search of its column only, is small enough, "
                        "or if a split below it stays. Most trees of pure noise keep splits."),
                    marked("p ≤ α, here or at a split below"),
                ),
            ),
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
    repeats: int = 1
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
    significance_of: str = "tree"

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
                said = {"name": name, "label": label}
                fault = tr("“{name}” is no option of “{label}”: it takes none.", **said)
                if known:
                    fault = tr("“{name}” is no option of “{label}”: it takes {names}.", names=", ".join(known), **said)
                raise InputError(fault)
        return replace(
            self, **{name: checked(OPTIONS[name], value, getattr(self, name)) for name, value in values.items()}
        )


# -- the figures by which trees are judged


@spoken("label", "explanation")
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
    "error": Metric(marked("Error"), "classes", False, marked("The share of the rows that are labelled wrongly.")),
    "cost": Metric(
        marked("Cost"), "classes", False, marked("What the mistakes cost on average, by the tree's costs and priors."),
    ),
    "profit": Metric(
        marked("Profit"), "classes", True,
        marked("What a row earns on average where each leaf is acted on or not, by the tree's profits."),
    ),
    "log_loss": Metric(
        marked("Log-loss"), "classes", False, marked("The mean of −ln of the probability of the true class."),
    ),
    "gini": Metric(
        marked("Gini"), "classes", False,
        marked("The mean of Σ (probability − 1 if it is the class)²: on training rows the Gini impurity of the "
            "leaves."),
    ),
    "auc": Metric(
        marked("AUC"), "classes", True,
        marked("How often a row of a class has the larger probability of it than a row of another; the mean over the "
            "classes."),
    ),
    "squared_error": Metric(marked("Squared error"), "number", False, marked("The mean of the squared errors.")),
    "r2": Metric(marked("R²"), "number", True, marked("The share of the variance that the tree explains.")),
    "absolute_error": Metric(
        marked("Absolute error (MAE)"), "number", False, marked("The mean of the absolute errors."),
    ),
}  # fmt: skip


def metrics_for(task: str) -> list[str]:
    """The names of the metrics for targets of a task; the first one is what trees are pruned by."""
    return [name for name, metric in METRICS.items() if metric.task == task]
