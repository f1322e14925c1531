"""How good a tree is on the rows of one part."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from engine.assessment.calibration import Calibration, Murphy, calibration, murphy
from engine.assessment.confusion import Confusion
from engine.assessment.intervals import NAN, Estimate, Floats, ratio, wilson
from engine.assessment.leaf_counts import PARTS, LeafCounts, of_true_and_predicted
from engine.assessment.pooled import PooledCounts
from engine.assessment.profit import ProfitCurve, profit_curve
from engine.assessment.residuals import Residuals, quantiles_of_all, residuals
from engine.assessment.roc import Ranking, interval_of_area, mean_auc_error, ranking
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.counting import BOX, check_target, counted
from engine.tree.tree import Tree

LEAST = 1e-15  # a probability of 0 would make an infinite log loss


@dataclass(frozen=True, eq=False)
class Fit:
    """What a tree does on one part of the rows; figures that do not apply, or have no rows, are nan.

    The attributes are there at once. What is a property or a method is computed when it is first asked for, and kept;
    from the counts of the leaves, but for `mae`, `r2` and `residuals`, which look at the rows.

    Attributes:
        part: "train", "validation" or "test"; or "folds", of `cross_validate`, where each row is judged by a tree that
            was made without it. There are no intervals then: what the trees share is in none of them.
        n: rows.
        weight: their total weight.
        error: share of the weight in error, or mean squared error, or the mean absolute one of a tree that predicts
            medians.
        accuracy: share of the weight that is right (classes).
        interval: Wilson's 95 % interval of the accuracy (classes); on training rows it means little, because they
            chose the tree. Like all intervals it is of as many rows as there are, or as frequencies say, or with
            sampling weights of (Σw)² ÷ Σw² (Kish 1965).
        confusion: float64[K, K], weight by true class and predicted class; empty for a number.
        classes: what its rows and columns stand for: the tree's classes, then those that only the table has, which
            are never predicted.
        loss: mean cost by the tree's leaf rule: what the mistakes cost, a row counting by the prior of its class
            (classes); the error when the rule has neither priors nor costs.
        log_loss: mean of −ln of the probability that the tree gave to the true class, at least 10⁻¹⁵ (classes); not of
            the validation rows that honest probabilities come from, nor brier.
        brier: mean of Σ (probability − 1 if it is the true class)² over the classes (classes; Brier 1950).
        stochastic_error: expected error when a leaf draws its label with the shares of its training rows (classes).
        mse, rmse: mean squared and root mean squared error (numbers).
        leaves: what stands in the leaves, which the other figures are made of.
    """

    part: str
    n: int
    weight: float
    error: float = NAN
    accuracy: float = NAN
    interval: tuple[float, float] = (NAN, NAN)
    confusion: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    mse: float = NAN
    rmse: float = NAN
    classes: tuple[str, ...] = ()
    loss: float = NAN
    log_loss: float = NAN
    brier: float = NAN
    stochastic_error: float = NAN
    leaves: LeafCounts | PooledCounts | None = field(default=None, repr=False)

    def said_by(self, tree: Tree) -> "Fit":
        """The fit of a tree that differs from this one's in its leaf rule alone; no row is looked at again. The trees
        of folds say what they say."""
        return fit_of(self.leaves.of_rule(tree)) if isinstance(self.leaves, LeafCounts) else self

    # -- of classes

    def error_of_always(self, label: str) -> float:
        """The error of always predicting one class, as a tree of one leaf does; nan without rows.

        Raises:
            InputError: no such class.
        """
        right = float(self.confusion[self._place(label)].sum())
        return 1.0 - right / self.weight if self.weight > 0 else NAN

    @cached_property
    def _confusion(self) -> Confusion:
        squares = np.zeros(self.confusion.shape)
        if isinstance(self.leaves, PooledCounts):
            squares = np.full(squares.shape, NAN)
        elif self.leaves is not None and self.weight > 0:
            squares = of_true_and_predicted(self.leaves.labels, self.leaves.squares)
        return Confusion(self.confusion, squares)

    @property
    def balanced_accuracy(self) -> Estimate:
        """See `Confusion.balanced_accuracy`."""
        return self._confusion.balanced_accuracy

    @property
    def kappa(self) -> Estimate:
        """Cohen's, see `Confusion.kappa`."""
        return self._confusion.kappa

    @property
    def matthews(self) -> Estimate:
        """Matthews's correlation, see `Confusion.matthews`."""
        return self._confusion.matthews

    @property
    def precision(self) -> Floats:
        """float64[K, 3] of `classes`: value and interval, see `Confusion.precision`."""
        return self._confusion.precision

    @property
    def recall(self) -> Floats:
        """float64[K, 3] of `classes`: value and interval, see `Confusion.recall`."""
        return self._confusion.recall

    @property
    def f1(self) -> Floats:
        """float64[K, 3] of `classes`: value and interval, see `Confusion.f1`."""
        return self._confusion.f1

    @cached_property
    def _said(self) -> Floats | None:
        """float64[n_leaves, K], the probabilities; None of numbers, without rows, and of the validation rows that
        honest ones come from."""
        leaves = self.leaves
        return leaves.said if leaves is not None and self.classes and self.weight > 0 else None

    def ranking(self, label: str) -> Ranking:
        """ROC, precision and recall, lift and gains of one class against the rest, see `Ranking`. Without rows, and for
        the validation rows that honest probabilities come from, it is empty. Of folds a row is ranked within its own,
        see `PooledCounts.ranked`, which stands for the threshold; there is no order where a fold has a single row.

        Raises:
            InputError: no such class.
        """
        k, leaves, none = self._place(label), self.leaves, np.zeros(0)
        if label not in self._rankings:
            score = leaves.ranked if isinstance(leaves, PooledCounts) else self._said
            if self._said is None or score is None or leaves is None or np.isnan(score).any():
                self._rankings[label] = ranking(label, none, none, none, (0.0, 0.0))
            elif isinstance(leaves, PooledCounts):
                self._rankings[label] = ranking(label, score[:, k], leaves.counts[:, k], leaves.weight, (0.0, 0.0))
            else:
                squares = leaves.squares.sum(axis=0)
                apart = float(squares[k]), float(np.delete(squares, k).sum())
                self._rankings[label] = ranking(label, self._said[:, k], leaves.counts[:, k], leaves.weight, apart)
        return self._rankings[label]

    @cached_property
    def _rankings(self) -> dict[str, Ranking]:
        return {}

    @cached_property
    def auc(self) -> float:
        """The mean area under the ROC curves of the classes that have rows, one against the rest; of two classes both
        have the same. Nan where fewer than two classes have rows."""
        there = [self.ranking(self.classes[k]) for k in self._there]
        return float(np.mean([ranked.auc for ranked in there])) if len(there) > 1 else NAN

    @cached_property
    def auc_error(self) -> float:
        """The standard error of `auc`, see `mean_auc_error`."""
        leaves, some = self.leaves, self._there
        if not isinstance(leaves, LeafCounts) or self._said is None:
            return NAN
        ranked = [self.ranking(self.classes[k]) for k in some]
        return mean_auc_error(ranked, self._said[:, some], leaves.counts[:, some], leaves.squares[:, some])

    @property
    def auc_interval(self) -> tuple[float, float]:
        """95 % of `auc`, by its standard error."""
        return interval_of_area(self.auc, self.auc_error)

    @property
    def _there(self) -> list[int]:
        """The places of the classes that have rows."""
        return np.flatnonzero(self.confusion.sum(axis=1) > 0).tolist()

    def calibration(self, label: str) -> Calibration:
        """What each leaf says of a class and what came true, see `Calibration`; no leaves where `ranking` is empty, nor
        of folds.

        Raises:
            InputError: no such class.
        """
        k, leaves, none = self._place(label), self.leaves, np.zeros(0)
        if self._said is None or not isinstance(leaves, LeafCounts):
            return calibration(np.zeros(0, np.int64), none, none, none, none)
        node, hits = leaves.tree.ids[leaves.leaves], leaves.counts[:, k]
        return calibration(node, self._said[:, k], hits, leaves.weight, leaves.effective)

    def profit(self, label: str) -> ProfitCurve:
        """What acting on the rows of at least some probability of a class earns, for every threshold, by the profits of
        the tree's leaf rule, see `ProfitCurve`. Without profits all earn 0.

        Raises:
            InputError: no such class.
        """
        k, leaves, none = self._place(label), self.leaves, np.zeros(0)
        if self._said is None or leaves is None:
            return profit_curve(label, "", none, none, np.zeros((0, 2)), 0.0)
        decided, currency = float(leaves.profit.sum()), leaves.rule.currency
        return profit_curve(label, currency, self._said[:, k], leaves.reweighed, leaves.profits, decided)

    @cached_property
    def mean_profit(self) -> float:
        """What a row earns on average where each leaf is acted on or not, see `Tree.acts` (classes, with profits)."""
        leaves = self.leaves
        if leaves is None or not self.classes or not leaves.rule.profits or not self.weight > 0:
            return NAN
        weight = float(leaves.reweighed.sum())
        return float(leaves.profit.sum()) / weight if weight > 0 else NAN

    @cached_property
    def murphy(self) -> Murphy:
        """The parts of the Brier score, see `Murphy`; nan where that is, and of folds, whose leaves have few rows."""
        if self._said is None or not isinstance(self.leaves, LeafCounts):
            return Murphy(NAN, NAN, NAN)
        return murphy(self._said, self.leaves.counts)

    def _place(self, label: str) -> int:
        if label not in self.classes:
            said = {"name": label, "classes": ", ".join(self.classes)}
            raise InputError(tr("There is no class “{name}”; the classes are {classes}.", **said))
        return self.classes.index(label)

    # -- of numbers

    @property
    def _is_only_counted(self) -> bool:
        """Whether single rows cannot be looked at."""
        return isinstance(self.leaves, LeafCounts) and self.leaves.table.counter is not None

    @cached_property
    def mae(self) -> float:
        """The mean absolute error (numbers); nan where rows are only counted."""
        if self.leaves is None or self.classes or not self.weight > 0 or self._is_only_counted:
            return NAN
        if self.leaves.predicts_median and isinstance(self.leaves, LeafCounts) and self.leaves.counted:
            return self.error
        return float(np.average(np.abs(self.leaves.residual), weights=self.leaves.weights))

    @cached_property
    def r2(self) -> float:
        """1 − squared error ÷ squared deviation from the part's own mean (numbers); nan where all y are equal."""
        if self.leaves is None or self.classes or not self.weight > 0:
            return NAN
        if self._is_only_counted and isinstance(self.leaves, LeafCounts):
            tree, part = self.leaves.tree, self.leaves.part
            weight, _, squares = (tree.train if part == "train" else tree.validation)[self.leaves.top].tolist()
            return 1.0 - self.mse * weight / squares if squares > 0 else NAN
        y, weights = self.leaves.y, self.leaves.weights
        if not y.max() > y.min():  # a mean of equal numbers is rounded
            return NAN
        spread = float(np.average((y - np.average(y, weights=weights)) ** 2, weights=weights))
        return 1.0 - self.mse / spread if spread > 0 else NAN

    @cached_property
    def residuals(self) -> Residuals | None:
        """How far the numbers of each leaf lie from its prediction, see `Residuals`; None of classes and of folds."""
        has_rows = isinstance(self.leaves, LeafCounts) and not self.classes and not self._is_only_counted
        return residuals(self.leaves) if has_rows and isinstance(self.leaves, LeafCounts) else None

    @cached_property
    def residual_quantiles(self) -> Floats:
        """float64[5]: below which residual 5, 25, 50, 75 and 95 % of the weight of all rows lie (numbers), as in
        `Residuals.quantiles`; nan without rows."""
        if self.leaves is None or self.classes or not self.weight > 0 or self._is_only_counted:
            return np.full(len(BOX), NAN)
        return quantiles_of_all(self.leaves)


def assess(
    table: Table, tree: Tree, part: str = "validation", node: int = 0, assignment: Assignment | None = None
) -> Fit:
    """Assesses a tree, or a branch of it, on the rows of one part of the table.

    The tree predicts by the training rows that it was counted on, whatever table it is assessed on; classes are
    matched by their names.

    Args:
        table: the rows; those that the tree was counted on are assessed by its counts, others are sent down the tree.
        tree: the tree to assess.
        part: "train", "validation" or "test".
        node: the branch below this node is assessed, by the rows that reach it.
        assignment: which rows stand in which node, if at hand; saves sending the rows down the tree.

    Raises:
        InputError: no such part or node, the table has another target than the tree, or a split does not bind to it.
    """
    if part not in PARTS:
        raise InputError(tr("There is no part “{part}”; choose one of {parts}.", part=part, parts=", ".join(PARTS)))
    check_target(tree, table)
    if part == "test" and table.counter is not None and tree.counted_on == table.counts_key:
        table = table.counter.tested(table)
        counts = LeafCounts(table, counted(tree, table), "validation", tree.position(node))
        return replace(fit_of(counts), part=part)
    return fit_of(LeafCounts(table, tree, part, tree.position(node), assignment))


def fit_of(leaves: LeafCounts | PooledCounts) -> Fit:
    """The figures of rows by what stands in the leaves that they reach."""
    part = leaves.part
    if leaves.task == "number":
        return _assess_number(leaves)
    classes, counts = leaves.classes, leaves.counts
    confusion = of_true_and_predicted(leaves.labels, counts)
    weight = float(confusion.sum())
    if not weight > 0:
        return Fit(part, 0, 0.0, confusion=confusion, classes=classes, leaves=leaves)
    accuracy = float(np.trace(confusion)) / weight
    rows = weight**2 / float(leaves.squares.sum()) if isinstance(leaves, LeafCounts) else NAN
    interval = wilson(accuracy, rows)
    among = float(leaves.reweighed.sum())
    loss = float(leaves.paid.sum()) / among if among > 0 else NAN
    further = _of_probabilities(leaves.said, leaves.counts) | {"loss": loss}
    further["stochastic_error"] = float(1.0 - (counts * leaves.drawn).sum() / counts.sum())
    return Fit(
        part, leaves.n, weight, 1.0 - accuracy, accuracy, interval, confusion, classes=classes, leaves=leaves, **further
    )


def _of_probabilities(said: Floats | None, counts: Floats) -> dict[str, float]:
    """The figures of what each leaf gives to the classes, from the weight of each class in it."""
    if said is None:
        return {}
    # for each row Σ (p − o)² = Σ p² − 2 p(true) + 1
    squares = (counts * ((said**2).sum(axis=1, keepdims=True) + 1.0)).sum() - 2.0 * (counts * said).sum()
    losses = -(counts * np.log(np.clip(said, LEAST, 1.0))).sum()
    return {"log_loss": float(losses / counts.sum()), "brier": float(squares / counts.sum())}


def _assess_number(leaves: LeafCounts | PooledCounts) -> Fit:
    """The figures of a numeric target."""
    if isinstance(leaves, PooledCounts):
        weight = float(leaves.weights.sum())
        mse = float((leaves.weights * leaves.residual**2).sum()) / weight if weight > 0 else NAN
    else:
        (weights, sums, squares), tree = leaves.counts.T, leaves.tree
        weight = float(weights.sum())
        apart = ratio(sums, weights) - (tree.predictions[leaves.leaves] - tree.origin)
        within = float((squares + weights * np.where(weights > 0, apart, 0.0) ** 2).sum())
        mse = within / weight if weight > 0 else NAN
    if not weight > 0:
        return Fit(leaves.part, 0, 0.0, leaves=leaves)
    fit = Fit(leaves.part, leaves.n, weight, mse, mse=mse, rmse=sqrt(mse), leaves=leaves)
    if not leaves.predicts_median:
        return fit
    if isinstance(leaves, LeafCounts) and leaves.counted:  # the tree keeps the deviations of its own rows
        return replace(fit, error=float(leaves.tree.costs(leaves.part)[leaves.leaves].sum()) / weight)
    return replace(fit, error=fit.mae)
