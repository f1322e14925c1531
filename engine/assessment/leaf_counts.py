"""What stands in the leaves of a tree, or of a branch of it, of one part of the rows: what its figures are made of."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.assessment.intervals import Floats
from engine.table.partition import TEST, TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, leaves_of_rows
from engine.tree.tree import Tree

PARTS = {"train": TRAIN, "validation": VALIDATION, "test": TEST}


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """The rows of a part below a node. Where the tree was counted on the table, its own counts answer; rows are looked
    at only for what these do not say, and only when it is asked for.

    Attributes:
        table, tree, part: see `assess`.
        top: the position of the node.
        assignment: which rows stand in which node, if at hand.
    """

    table: Table
    tree: Tree
    part: str
    top: int = 0
    assignment: Assignment | None = None

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """The positions of the leaves, left to right."""
        first, last = np.searchsorted(self.tree.leaves, (self.top, self.tree.end[self.top]))
        return self.tree.leaves[first:last]

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes of the tree, then those that only the table has."""
        return tuple(dict.fromkeys((*self.tree.classes, *self.table.classes)))

    @property
    def counted(self) -> bool:
        """Whether the tree's counts are those of the part."""
        return self.part != "test" and self.tree.counted_on == self.table.counts_key

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

    @cached_property
    def counts(self) -> Floats:
        """float64[n_leaves, K]: the weight of each class."""
        if self.counted:
            return self.tree.stats(self.part)[self.leaves]
        return self._by_class(self.weights)

    @cached_property
    def squares(self) -> Floats:
        """float64[n_leaves, K]: Σw² of each class, so that the rows of some cells are worth (Σw)² ÷ Σw² together (Kish
        1965); the counts where a row is worth one row or as many as its frequency says."""
        if self.table.weights is None or self.table.weights_are_counts:
            return self.counts
        return self._by_class(np.square(self.weights))

    def _by_class(self, values: Floats) -> Floats:
        place = {name: i for i, name in enumerate(self.classes)}
        true = np.array([place[name] for name in self.table.classes], dtype=np.int64)[self.table.y[self.rows]]
        size = self.leaves.size, len(self.classes)
        return np.bincount(self.leaf * size[1] + true, values, size[0] * size[1]).astype(np.float64).reshape(size)

    def of_true_and_predicted(self, cells: Floats) -> Floats:
        """float64[K, K] by true class and predicted class, from float64[n_leaves, K]."""
        found: NDArray[Any] = np.zeros((cells.shape[1], cells.shape[1]))
        np.add.at(found.T, self.tree.labels[self.leaves], cells)
        return found
