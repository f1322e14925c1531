"""What the nodes of a tree say, and what that costs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.tree import answers
from engine.tree.leaves import LeafRule, row_sums
from engine.tree.splits_in_words import TreeWithSplits


@dataclass(frozen=True, eq=False, repr=False)
class TreeWithSayings(TreeWithSplits):
    """A tree that tells what its leaves say of a row, and how often they err."""

    @cached_property
    def _reweighed(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(float64[K] by what each class counts, float64[K, K] what mistakes cost) by the leaf rule."""
        rule = self.leaf_rule
        return rule.class_factors(self.classes, self.train[0]), rule.cost_matrix(self.classes)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """int32[n_nodes]: the class of the least expected cost, which is the majority when all mistakes cost the same
        (ties: the lower class; without training rows, or of classes with prior 0 only: the parent's). A label that
        a person wrote stands for it."""
        factors, costs = self._reweighed
        counted = self.leaf_rule.labels(self.train * factors, costs)
        return answers.inherited(self, counted, self.loss_weight() == 0, answers.labels_by_hand(self))

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """float64[n_nodes]: the mean of a numeric target (without training rows: the parent's)."""
        return answers.means(self)

    @property
    def says_median(self) -> bool:
        """Whether its leaves say the median of a numeric target."""
        return self.task == "number" and self.leaf_rule.summary == "median"

    @cached_property
    def medians(self) -> NDArray[np.float64]:
        """float64[n_nodes]: the median of a numeric target (without training rows: the parent's); NaN where it was
        not asked for, see `with_leaf_rule`."""
        return self.nodes.median + self.origin

    @cached_property
    def answers(self) -> NDArray[np.float64]:
        """float64[n_nodes]: what each node predicts of a numeric target: the mean or the median by the leaf rule, or
        the number that a person wrote instead."""
        return answers.answers(self)

    @cached_property
    def histogram_shares(self) -> NDArray[np.float64]:
        """float64[n_nodes, B]: p(y|S), the share of each bin among the training rows (without any: the parent's)."""
        held = self.nodes.histogram
        total = held.sum(axis=1, keepdims=True)
        shares = np.divide(held, total, out=np.full(held.shape, np.nan), where=total > 0)
        return answers.inherited(self, shares, total[:, 0] == 0, {})

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """float64[n_nodes, K]: the probabilities of the classes by the leaf rule; as counted they are the shares among
        the training rows (without any: the parent's)."""
        shares = self.leaf_rule.probabilities(self.train * self._reweighed[0])
        return answers.inherited(self, shares, self.loss_weight() == 0, {})

    def weight(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the weight of the rows of a part, "train" or "validation", in each node."""
        stats = self.train if part == "train" else self.validation
        return row_sums(stats) if self.task == "classes" else stats[:, 0]

    def loss_weight(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the weight that `costs` are sums over: with priors a row counts by that of its class."""
        if not self.leaf_rule.priors:
            return self.weight(part)
        return np.asarray((self.train if part == "train" else self.validation) @ self._reweighed[0])

    def costs(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: what each node costs as a leaf on a part: the weight of its errors, or Σw(y − mean)²; of
        a tree that says medians Σw|y − median|. Means and medians are those of the training rows, or the number that
        a person wrote instead.

        With priors or costs in the leaf rule an error counts by the prior of its class and what the mistake costs.
        """
        if self.says_median:
            return self.nodes.deviation[:, 0 if part == "train" else 1]
        stats = self.train if part == "train" else self.validation
        if self.task == "classes":
            if not (self.leaf_rule.priors or self.leaf_rule.costs):
                return self.wrong(part)
            factors, costs = self._reweighed
            return np.asarray(np.einsum("nk,kn->n", stats * factors, costs[:, self.labels]))
        return answers.squared_errors(self, part)

    def wrong(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the weight of a part's rows that each node, as a leaf, labels wrongly (classes only)."""
        stats = self.train if part == "train" else self.validation
        return np.asarray(row_sums(stats) - stats[np.arange(self.n_nodes), self.labels])

    def error(self, part: str = "train") -> float:
        """The share of a part's weight that is labelled wrongly, or its mean squared error, or the mean absolute one of
        a tree that says medians; NaN without rows."""
        total = self.weight(part)[0]
        costs = self.wrong(part) if self.task == "classes" else self.costs(part)
        return float(costs[self.leaves].sum() / total) if total > 0 else float("nan")

    def loss(self, part: str = "train") -> float:
        """The mean of `costs` over a part: the error, but for priors and costs of the leaf rule; NaN without rows."""
        total = self.loss_weight(part)[0]
        return float(self.costs(part)[self.leaves].sum() / total) if total > 0 else float("nan")

    @cached_property
    def drawn(self) -> NDArray[np.float64]:
        """float64[n_nodes, K]: the shares of the classes among the training rows, by which Gini's stochastic rule draws
        a label (without any: the parent's)."""
        shares = LeafRule().probabilities(self.train)
        return answers.inherited(self, shares, row_sums(self.train) == 0, {})

    def stochastic_error(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the expected share of errors when a node draws its label with the shares of its training
        rows, Gini's stochastic rule; on the training rows that is its Gini impurity. NaN without rows."""
        stats = self.train if part == "train" else self.validation
        totals, right = row_sums(stats), np.einsum("nk,nk->n", stats, self.drawn)
        return np.divide(totals - right, totals, out=np.full(self.n_nodes, np.nan), where=totals > 0)
