"""What stands in the leaves of a tree, or of a branch of it, of one part of the rows: what its figures are made of."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import Floats, ratio
from engine.table.partition import TEST, TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, leaves_of_rows
from engine.tree.leaves import LeafRule, row_sums
from engine.tree.tree import Tree

PARTS = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
_OF_ROWS = {"leaves", "n", "_placed", "weights", "rows_of_leaf", "counts", "weight", "squares", "effective"}


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """The rows of a part below a node. Where the tree was counted on the table, its own counts answer; rows are looked
    at only for what these do not say, and only when it is asked for.

    Attributes:
        table, tree, part: see `assess`.
        top: the position of the node.
        assignment: which rows stand in which node, if at hand.
        given: (the row numbers, the positions of the leaves that they reach) instead of those of a part.
    """

    table: Table
    tree: Tree
    part: str
    top: int = 0
    assignment: Assignment | None = None
    given: tuple[NDArray[np.uint32], NDArray[np.int64]] | None = None

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """The positions of the leaves, left to right."""
        first, last = np.searchsorted(self.tree.leaves, (self.top, self.tree.end[self.top]))
        return self.tree.leaves[first:last]

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes of the tree, then those that only the table has."""
        return tuple(dict.fromkeys((*self.tree.classes, *self.table.classes)))

    def of_rule(self, tree: Tree) -> "LeafCounts":
        """The same rows in the leaves of a tree that differs in its leaf rule alone."""
        other = replace(self, tree=tree)
        other.__dict__.update({name: kept for name, kept in vars(self).items() if name in _OF_ROWS})
        return other

    @property
    def task(self) -> str:
        """ "classes" or "number"."""
        return self.tree.task

    @property
    def rule(self) -> LeafRule:
        """What the leaves say, and what mistakes cost."""
        return self.tree.leaf_rule

    @property
    def predicts_median(self) -> bool:
        """Whether the tree predicts medians."""
        return self.tree.predicts_median

    @property
    def counted(self) -> bool:
        """Whether the tree's counts are those of the part."""
        return self.part in ("train", "validation") and self.tree.counted_on == self.table.counts_key

    @cached_property
    def n(self) -> int:
        """The rows, whatever they weigh."""
        if self.counted:
            counts = self.tree.rows_train if self.part == "train" else self.tree.rows_validation
            return int(counts[self.top])
        return int(self.rows.size)

    @cached_property
    def _placed(self) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The rows, and where in `leaves` the leaf of each stands."""
        if self.given is not None:
            return self.given[0], np.searchsorted(self.leaves, self.given[1])
        rows = self.table.rows(PARTS[self.part])
        position = leaves_of_rows(self.table, self.tree, self.assignment)[rows]
        if self.top:
            below = (position >= self.top) & (position < self.tree.end[self.top])
            rows, position = rows[below], position[below]
        return rows, np.searchsorted(self.leaves, position)

    @property
    def rows(self) -> NDArray[np.uint32]:
        """uint32[n]: the row numbers, ascending."""
        return self._placed[0]

    @property
    def leaf(self) -> NDArray[np.int64]:
        """int64[n]: where in `leaves` the leaf of each row stands."""
        return self._placed[1]

    @cached_property
    def weights(self) -> Floats:
        """float64[n]: what each row counts."""
        return np.ones(self.rows.size) if self.table.weights is None else self.table.weights[self.rows]

    @property
    def y(self) -> Floats:
        """float64[n]: the number of each row, less the table's origin."""
        return self.table.y[self.rows]

    @property
    def residual(self) -> Floats:
        """float64[n]: the number of each row less what its leaf predicts."""
        predicted = self.tree.predictions[self.leaves] - self.table.origin
        return self.y - predicted[self.leaf]

    @cached_property
    def rows_of_leaf(self) -> NDArray[np.int64]:
        """int64[n_leaves]: the rows of each leaf, whatever they weigh."""
        if self.counted:
            return (self.tree.rows_train if self.part == "train" else self.tree.rows_validation)[self.leaves]
        return np.bincount(self.leaf, minlength=self.leaves.size)

    @cached_property
    def counts(self) -> Floats:
        """float64[n_leaves, S]: the weight of each class; of numbers (Σw, Σwy, Σw(y − mean)²), y less the tree's
        origin and the mean that of the leaf."""
        if self.counted:
            return self.tree.stats(self.part)[self.leaves]
        if self.tree.task == "classes":
            return self._by_class(self.weights)
        y = self.table.y[self.rows] + (self.table.origin - self.tree.origin)
        weight, sums = self._by_leaf(self.weights), self._by_leaf(self.weights * y)
        means = np.divide(sums, weight, out=np.zeros(weight.size), where=weight > 0)
        return np.column_stack((weight, sums, self._by_leaf(self.weights * (y - means[self.leaf]) ** 2)))

    @cached_property
    def weight(self) -> Floats:
        """float64[n_leaves]: the weight of all rows."""
        return row_sums(self.counts) if self.tree.task == "classes" else self.counts[:, 0]

    @cached_property
    def squares(self) -> Floats:
        """float64[n_leaves, K], of numbers float64[n_leaves, 1]: Σw² of each class, so that the rows of some cells are
        worth (Σw)² ÷ Σw² together (Kish 1965); Σw where a row is worth one row or as many as its frequency says."""
        classes = self.tree.task == "classes"
        if self.table.weights is None or self.table.weights_are_counts:
            return self.counts if classes else self.counts[:, :1]
        if self.table.counter is not None and self.counted:
            found: Floats = self.table.counter.squares(self.tree)[PARTS[self.part]]
            return found[np.searchsorted(self.tree.leaves, self.leaves)]
        squares = np.square(self.weights)
        return self._by_class(squares) if classes else self._by_leaf(squares)[:, None]

    @cached_property
    def effective(self) -> Floats:
        """float64[n_leaves]: what the rows of each leaf are worth in a test, see `count_effective_rows`."""
        squares = row_sums(self.squares)
        return np.divide(self.weight**2, squares, out=np.zeros(squares.size), where=squares > 0)

    @cached_property
    def prices(self) -> tuple[Floats, Floats]:
        """(float64[K] by what a row of each class counts, float64[K, K] what it costs to call the first class the
        second) by the leaf rule. A class that the tree does not know counts as it is, and to call it another one
        costs 1."""
        tree, factors = self.tree, np.ones(len(self.classes))
        factors[: len(tree.classes)] = tree.leaf_rule.class_factors(tree.classes, tree.train[0])
        return factors, tree.leaf_rule.cost_matrix(self.classes)

    @property
    def labels(self) -> NDArray[np.int64]:
        """int64[n_leaves]: the class that each predicts."""
        return np.asarray(self.tree.labels[self.leaves])

    @property
    def said(self) -> Floats | None:
        """float64[n_leaves, K], the probabilities of `classes`; None of the validation rows that honest ones come from:
        these would judge themselves."""
        return None if self.part == "validation" and self.tree.leaf_rule.smoothing == "honest" else self._probabilities

    @property
    def _probabilities(self) -> Floats:
        known = self.tree.probabilities[self.leaves]
        found = np.zeros((self.leaves.size, len(self.classes)))  # classes beyond those of the tree have none
        found[:, : known.shape[1]] = known
        return found

    @property
    def drawn(self) -> Floats:
        """float64[n_leaves, K]: with which shares each would draw a label, see `Tree.drawn`."""
        known = self.tree.drawn[self.leaves]
        return np.column_stack((known, np.zeros((self.leaves.size, len(self.classes) - known.shape[1]))))

    @property
    def paid(self) -> Floats:
        """float64[n_leaves]: what the mistakes of each leaf cost by the leaf rule, see `reweighed`."""
        factors, costs = self.prices
        return np.asarray(np.einsum("nk,kn->n", self.counts * factors, costs[:, self.labels]))

    @property
    def mean_costs(self) -> Floats:
        """float64[n_leaves]: what a row of each leaf costs on average by the leaf rule; nan without rows that count."""
        return ratio(self.paid, self.reweighed)

    @property
    def profits(self) -> Floats:
        """float64[n_leaves, 2]: what the rows of each leaf earn together without acting, and by acting, by the profits
        of the leaf rule; with priors a row counts by that of its class."""
        return self.counts * self.prices[0] @ self.tree.leaf_rule.profit_matrix(self.classes)

    @property
    def profit(self) -> Floats:
        """float64[n_leaves]: what they earn by what the leaf decides, see `Tree.acts`."""
        both = self.profits
        return np.where(self.tree.acts[self.leaves], both[:, 1], both[:, 0])

    @property
    def reweighed(self) -> Floats:
        """float64[n_leaves]: the weight of the rows by the priors of their classes, of which mean costs and profits
        are."""
        return row_sums(self.counts * self.prices[0])

    def _by_leaf(self, values: Floats) -> Floats:
        return np.bincount(self.leaf, values, self.leaves.size).astype(np.float64)

    def _by_class(self, values: Floats) -> Floats:
        place = {name: i for i, name in enumerate(self.classes)}
        true = np.array([place[name] for name in self.table.classes], dtype=np.int64)[self.table.y[self.rows]]
        size = self.leaves.size, len(self.classes)
        return np.bincount(self.leaf * size[1] + true, values, size[0] * size[1]).astype(np.float64).reshape(size)


def of_true_and_predicted(labels: NDArray[np.int64], cells: Floats) -> Floats:
    """float64[K, K] by true class and predicted class, from float64[n_leaves, K] and what the leaves predict."""
    k = cells.shape[1]
    return np.array([np.bincount(labels, cells[:, c], k) for c in range(k)], dtype=np.float64)
