"""What a tree holds, and where its nodes stand: arrays in preorder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.tree import marks
from engine.tree.kernels.structure import structure
from engine.tree.leaves import LeafRule
from engine.tree.marks import Mark
from engine.tree.nodes import Nodes, TreeColumn


@dataclass(frozen=True, eq=False)
class TreeShape:
    """A decision tree with the counts of the table that it was grown on.

    Attributes:
        task: "classes" or "number".
        target: the name of the column that it predicts.
        classes: the class names in order; empty for a numeric target.
        columns: the features that its splits may name.
        nodes: the arrays, see `Nodes`. train and validation are float64[n_nodes, S]: weighted class counts, or
            (Σw, Σwy, Σw(y − mean)²) of the target minus `origin`, where mean = Σwy ÷ Σw of that node and part.
        payload: float64, see `Nodes`.
        origin: the shift of a numeric target; 0 for classes.
        leaf_rule: what its leaves say.
        bin_edges: where the bins of its histograms part, ascending, in units of the target; a value goes into the
            first bin whose upper edge it does not exceed. Empty: no histograms.
        next_id: the id of the next new node.
        options: the search options that it was last grown with; empty when it was made by hand.
        counted_on: the `Table.counts_key` of the table that its counts come from; empty when that is not known, as
            for a tree that was read from a file.
        marks: what people wrote on nodes, by id; see `engine.tree.marks`. Those of nodes that are gone are gone, too.
    """

    task: str
    target: str
    classes: tuple[str, ...]
    columns: tuple[TreeColumn, ...]
    nodes: Nodes
    payload: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    origin: float = 0.0
    leaf_rule: LeafRule = field(default_factory=LeafRule)
    next_id: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    counted_on: str = ""
    bin_edges: tuple[float, ...] = ()
    marks: Mapping[int, Mark] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.marks:
            object.__setattr__(self, "marks", marks.living(self.marks, self.nodes.ids))

    def __repr__(self) -> str:
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves:,} leaves"
        return f"<Tree for “{self.target}”: {leaves}, depth {self.depth}>"

    @cached_property
    def _structure(self) -> tuple[NDArray[np.int32], ...]:
        shape = tuple(np.empty(self.n_nodes, dtype=np.int32) for _ in range(4))
        if not structure(self.nodes.n_branches, *shape):
            raise InputError("The branch counts of these nodes do not describe one tree.")
        return shape

    @property
    def n_nodes(self) -> int:
        """Leaves and inner nodes together."""
        return int(self.nodes.ids.size)

    @cached_property
    def n_leaves(self) -> int:
        """How many leaves it has."""
        return int(np.count_nonzero(self.nodes.n_branches == 0))

    @cached_property
    def depth(self) -> int:
        """Edges from the root to the deepest leaf."""
        return int(self.level.max())

    @property
    def parent(self) -> NDArray[np.int32]:
        """The position of each node's parent, -1 for the root."""
        return self._structure[0]

    @property
    def end(self) -> NDArray[np.int32]:
        """One past each node's subtree."""
        return self._structure[1]

    @property
    def level(self) -> NDArray[np.int32]:
        """The edges from the root to each node."""
        return self._structure[2]

    @property
    def branch(self) -> NDArray[np.int32]:
        """Which branch of its parent each node is."""
        return self._structure[3]

    ids = property(lambda self: self.nodes.ids, doc="The stable id of each node.")
    n_branches = property(lambda self: self.nodes.n_branches, doc="The branches of each node, 0 for a leaf.")
    by_hand = property(lambda self: self.nodes.by_hand, doc="Whether each node's split was made by a person.")
    train = property(lambda self: self.nodes.train, doc="float64[n_nodes, S]: the statistics of the training rows.")
    validation = property(lambda self: self.nodes.validation, doc="Like train, of the validation rows.")
    rows_train = property(lambda self: self.nodes.rows_train, doc="Training rows in each node, unweighted.")
    rows_validation = property(lambda self: self.nodes.rows_validation, doc="Validation rows in each node.")

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """The positions of the leaves, left to right."""
        return np.flatnonzero(self.nodes.n_branches == 0)

    @cached_property
    def _positions(self) -> dict[int, int]:
        return dict(zip(self.nodes.ids.tolist(), range(self.n_nodes), strict=True))

    def position(self, node: int) -> int:
        """Where the node with this id stands; InputError when the tree has none."""
        if node not in self._positions:
            raise InputError(f"The tree has no node {node}.")
        return self._positions[node]

    def __contains__(self, node: int) -> bool:
        return node in self._positions

    def children(self, i: int) -> list[int]:
        """The positions of the children of the node at position i, by branch."""
        found, child = [], i + 1
        for _ in range(self.nodes.n_branches[i]):
            found.append(child)
            child = int(self.end[child])
        return found
