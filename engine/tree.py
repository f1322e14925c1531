"""The tree: an immutable bundle of arrays in preorder.

A subtree is a slice, bottom up is reverse order, and an edit returns a new tree that leaves the old one valid.
`node` in public calls is a stable id: the root is 0 and ids are never reused. `position` is a place in the arrays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine import answers, drops, edits, marks, regraft
from engine.assignment import Assignment, assign, count_slices
from engine.descent import is_plain, reached_leaves
from engine.distribution import filled, unfilled
from engine.errors import InputError
from engine.kernels.structure import merge_upwards, structure, sum_upwards
from engine.leaves import LeafRule, read_costs, read_priors, row_sums
from engine.marks import Mark
from engine.nodes import GROUPS, M_OF_N, THRESHOLD, WITH_SURROGATES, Nodes, TreeColumn
from engine.prediction import leaves_of_frame
from engine.splits import Split, branch_words, full_words, sentence, title
from engine.table import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GROUPS", "M_OF_N", "THRESHOLD", "WITH_SURROGATES", "Nodes", "Tree", "TreeColumn", "columns_of", "recount"]


@dataclass(frozen=True, eq=False)
class Tree:
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
        marks: what people wrote on nodes, by id; see `engine.marks`. Those of nodes that are gone are gone, too.
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

    @classmethod
    def root(cls, table: Table, assignment: Assignment | None = None) -> "Tree":
        """A single leaf that holds all rows of the table."""
        at = assignment or Assignment.root(table)
        nodes = Nodes.leaves([0], count_slices(table, at.rows, at.start[:1], at.stop[:1]))
        return cls(
            table.task, str(table.target), table.classes, columns_of(table), nodes, origin=table.origin,
            counted_on=table.counts_key,
        )  # fmt: skip

    # -- shape

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

    # -- splits

    @cached_property
    def _splits(self) -> dict[int, Split]:
        return {}

    def split_at(self, i: int) -> Split | None:
        """The split of the node at position i, made on demand; None for a leaf."""
        if self.nodes.n_branches[i] == 0:
            return None
        if i not in self._splits:
            self._splits[i] = edits.unpack_split(self, i)
        return self._splits[i]

    def kind(self, column: str) -> str:
        """The kind that a feature had when the tree was made; "number" when it is not known."""
        return self._known[column].kind if column in self._known else "number"

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of the features by name, for words: dates of whole days are a kind of their own."""
        return {column.name: column.kind_in_words for column in self.columns}

    @cached_property
    def _known(self) -> dict[str, TreeColumn]:
        return {column.name: column for column in self.columns}

    def _reached(self, i: int, words: Any) -> str:
        split = self.split_at(int(self.parent[i])) if i else None
        return words(split, int(self.branch[i]), self.kinds) if split else ""

    def branch_words(self, i: int) -> str:
        """How the branch into position i reads, without the column: "≤ 42.5"; empty for the root."""
        return self._reached(i, branch_words)

    def sentence(self, i: int) -> str:
        """How the node at position i is reached from its parent: "age ≤ 42.5"; empty for the root."""
        return self._reached(i, sentence)

    def title(self, i: int) -> str:
        """What the split at position i asks: its column, or "at least 2 of 3 conditions"; empty for a leaf."""
        split = self.split_at(i)
        return title(split) if split else ""

    def rule(self, node: int, most: int | None = None) -> list[str]:
        """The conditions on the path from the root to this node, with all levels and, for columns that some rows
        lack, where missing values go; of more than `most` the last ones."""
        i, path = self.position(node), list[str]()
        while i > 0 and (most is None or len(path) < most):
            split = self.split_at(int(self.parent[i]))
            assert split is not None
            lacking = self._known[split.column].missing
            path.append(full_words(split, int(self.branch[i]), self.kinds, lacking))
            i = int(self.parent[i])
        return path[::-1]

    # -- what it predicts

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

    def apply(self, table: Table) -> NDArray[np.int64]:
        """int64[n_rows]: the position of the leaf that each row of a table reaches."""
        if is_plain(self):
            return reached_leaves(table, self).astype(np.int64)
        at = assign(table, self)
        reached = np.empty(table.n_rows, dtype=np.int64)
        sizes = (at.stop - at.start)[self.leaves]
        reached[at.rows] = np.repeat(self.leaves, sizes)
        return reached

    def predict(self, frame: "pd.DataFrame") -> NDArray[Any]:
        """The class name (object), or the mean or median (float64), for each row of a data frame; where a person wrote
        something else, that.

        Raises:
            InputError: a column that the tree needs is absent or of another kind. One that surrogates alone look at may
                be absent.
        """
        said = self.answers if self.task == "number" else np.array(self.classes, dtype=object)[self.labels]
        return np.asarray(said[leaves_of_frame(self, frame)])

    def predict_proba(self, frame: "pd.DataFrame") -> NDArray[np.float64]:
        """float64[n, K]: the probabilities of the leaf that each row reaches, classes in the order of `classes`."""
        return np.asarray(self.probabilities[leaves_of_frame(self, frame)])

    # -- marks

    def mark(self, node: int) -> Mark:
        """What a person wrote on a node; an empty mark where nothing is written."""
        self.position(node)
        return self.marks.get(node, Mark())

    def with_mark(
        self, node: int, *, table: Table | None = None, assignment: Assignment | None = None, **changes: Any
    ) -> "Tree":
        """The tree with another mark on a node.

        Args:
            table: the table that it is counted on; a tree that says medians needs it for a label.
            assignment: of this tree on that table, if at hand.
            changes: attributes of `Mark`; the others stay.

        Raises:
            InputError: a value cannot be used, or the node is locked and it is neither a note nor the lock.
        """
        changed = marks.checked(self, node, self.mark(node), changes)
        return answers.renewed(self, replace(self, marks={**self.marks, int(node): changed}), table, assignment)

    def locked_by(self, node: int) -> int | None:
        """The nearest locked node at or above this one; None where it may change."""
        return marks.locked_by(self, node)

    def excluded_at(self, node: int) -> dict[str, int]:
        """The columns that the search leaves out at a node, each with the nearest node that says so."""
        return marks.excluded_at(self, node)

    def criterion_at(self, node: int) -> str:
        """The criterion that splits are searched by at a node instead of the search's; empty: by that."""
        return marks.criterion_at(self, node)

    def weakest(self, criterion: str) -> int | None:
        """The split that gives least when it is taken back: the inner node, with leaves only below it, whose split
        lowers the criterion least, times its share of the rows; of equal ones the last. Splits that pins or locks keep
        are left out; None where no other is.

        Raises:
            InputError: no such criterion, or it looks at rows and the tree holds no medians or histograms.
        """
        return drops.weakest(self, criterion)

    # -- edits: each returns a new tree

    def split(
        self,
        table: Table,
        node: int,
        split: Split,
        *,
        by_hand: bool = True,
        assignment: Assignment | None = None,
    ) -> "Tree":
        """Splits a leaf. `assignment` saves sending the rows down again.

        Raises:
            InputError: the node is no leaf or locked, or the split does not fit the table.
        """
        marks.check_unlocked(self, node)
        larger = edits.split_leaf(self, table, node, split, by_hand, assignment)
        follow = assignment is not None and (larger.says_median or larger.bin_edges)
        at = assignment.split(table, self.position(node), split) if assignment is not None and follow else None
        return filled(larger, table, at)

    def collapse(self, *nodes: int) -> "Tree":
        """Turns nodes back into leaves; everything below them is gone. InputError where a lock is on it."""
        marks.check_unlocked(self, *nodes, below=True)
        return edits.collapse(self, [self.position(node) for node in nodes])

    def graft(self, parts: Mapping[int, "Tree"]) -> "Tree":
        """Puts trees in the place of leaves (by node id). Each root keeps the leaf's id, other ids are new. Marks come
        along; a leaf that has one of its own keeps it.

        Raises:
            InputError: a node is no leaf or locked, or a part has other features, another target or other rows than its
                leaf, or lacks the medians or histograms that this tree has.
        """
        marks.check_unlocked(self, *parts)
        return edits.graft(self, {self.position(node): part for node, part in parts.items()})

    def replace_split(
        self,
        table: Table,
        node: int,
        split: Split,
        below: str = "drop",
        *,
        assignment: Assignment | None = None,
        **options: Any,
    ) -> "Tree":
        """Puts another split in the place of an inner node's.

        Args:
            below: what becomes of the branches below. "drop": the new branches are leaves. "keep": what stood below
                branch b stands below the new branch b, its rows sent down anew; a split there that no longer divides
                training rows is left out, the branch that has them takes its place. "regrow": the new branches grow.
            assignment: of this tree on that table, if at hand.
            options: those of `engine.grow`, for "regrow".

        Raises:
            InputError: the node is a leaf, a lock is on it or below it, the split does not fit the table, there is no
                such choice, or an option cannot be used.
        """
        return regraft.replace_split(self, table, node, split, below, assignment, options)

    def replace_with_branch(
        self, table: Table, node: int, branch: int, *, assignment: Assignment | None = None
    ) -> "Tree":
        """Puts one of the branches of an inner node in its place, with all splits below it; the rows of the other
        branches go down that one, and are counted anew. What stands there then has the id of the node, and its mark or,
        where it had none, that of the branch; all nodes below keep theirs. C4.5 calls it subtree raising.

        Args:
            branch: the number of the branch, from 0.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: the node is a leaf or has no such branch, or a lock is on it or below it.
        """
        return regraft.replace_with_branch(self, table, node, branch, assignment)

    def merge(self, table: Table, node: int, other: int, *, assignment: Assignment | None = None) -> "Tree":
        """Makes one branch of two leaves of one split; it keeps the id and the mark of `node`. Where the split has no
        other branches its node becomes a leaf.

        Raises:
            InputError: they are no leaves of one split, a lock is on them, or a cut has branches between them.
        """
        return regraft.merge(self, table, node, other, assignment)

    def subtree(self, node: int) -> "Tree":
        """What stands at and below a node as a tree of its own, with its marks and the counts of its rows. Its root is
        0, the other nodes keep their ids."""
        return regraft.subtree(self, node)

    def paste(self, table: Table, node: int, subtree: "Tree", *, assignment: Assignment | None = None) -> "Tree":
        """Makes the splits of another tree below a leaf, in the rows of that leaf, as "keep" of `replace_split` does.

        New nodes have new ids and the marks of those that they were made from; the leaf takes the mark of the other
        root where it has none of its own.

        Args:
            subtree: from this tree or any other one; its counts do not matter.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: the node is no leaf or locked, or a split does not fit the table.
        """
        return regraft.paste(self, table, node, subtree, assignment)

    def with_leaf_rule(self, table: Table, rule: LeafRule, assignment: Assignment | None = None) -> "Tree":
        """The same tree, whose leaves say something else.

        Args:
            table: the table that it is counted on, for medians; one that it is not counted on is counted first.
            rule: what the leaves are to say.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: the rule's summary does not fit the target, it names a class that there is not, or something
                else in it cannot be used.
        """
        fit = ("mode",) if self.task == "classes" else ("mean", "median")
        if rule.summary not in fit:
            kind = "class" if self.task == "classes" else "numeric"
            raise InputError(f"summary cannot be “{rule.summary}” for a {kind} target; choose one of {', '.join(fit)}.")
        rule = replace(rule, priors=read_priors(rule.priors), costs=read_costs(rule.costs))
        rule.check(self.classes)
        if rule.summary != "median":
            return replace(self, leaf_rule=rule)
        if self.counted_on != table.counts_key:
            return replace(self.with_counts(table), leaf_rule=rule).with_leaf_rule(table, rule)
        return filled(replace(self, leaf_rule=rule), table, assignment)

    def with_bins(self, table: Table, bins: int, assignment: Assignment | None = None) -> "Tree":
        """The same tree with histograms p(y|S) over so many bins of the table's numeric target.

        Args:
            table: the table that it is counted on; one that it is not counted on is counted first.
            bins: as for `Table.bin_edges`.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: as for `Table.bin_edges`.
        """
        edges = table.bin_edges(bins)
        if self.counted_on != table.counts_key:
            return self.with_counts(table).with_bins(table, bins)
        if edges == self.bin_edges:
            return filled(self, table, assignment)
        nodes = self.nodes._replace(histogram=unfilled(self.n_nodes)[2])
        return filled(replace(self, nodes=nodes, bin_edges=edges), table, assignment)

    def with_counts(self, table: Table) -> "Tree":
        """The same splits counted on another table or partition.

        Raises:
            InputError: a split does not bind to it.
        """
        counted, problems = recount(self, table)
        if problems:
            raise InputError(problems[0])
        return counted


def columns_of(table: Table) -> tuple[TreeColumn, ...]:
    """What a tree remembers of a table's features."""
    features = (table.columns[i] for i in table.features)
    return tuple(
        TreeColumn(column.name, column.kind, column.levels, column.n_missing > 0, column.kind_in_words == "day")
        for column in features
    )


def recount(tree: Tree, table: Table) -> tuple[Tree, list[str]]:
    """The same splits counted on another table; splits that no longer fit become leaves.

    Returns:
        The tree, and for each split or label by hand that was given up a sentence with the reason.
    """
    tree, problems = edits.drop_unbound(tree, table)
    tree, unsaid = marks.fitting(tree, table)
    at = assign(table, tree)
    leaves = tree.leaves
    n = tree.n_nodes
    counted = [
        np.zeros((n, table.n_stats)),
        np.zeros((n, table.n_stats)),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    ]
    for whole, of_leaves in zip(counted, count_slices(table, at.rows, at.start[leaves], at.stop[leaves]), strict=True):
        whole[leaves] = of_leaves
        add = merge_upwards if table.task == "number" and whole.ndim == 2 else sum_upwards
        add(tree.parent, whole if whole.ndim == 2 else whole[:, None])
    return filled(edits.renewed(tree, table, counted), table, at), problems + unsaid


def counted(tree: Tree, table: Table) -> Tree:
    """The tree itself when its counts are those of the table, else the same splits counted on it.

    Raises:
        InputError: a split does not bind to it.
    """
    return tree if tree.counted_on == table.counts_key else tree.with_counts(table)
