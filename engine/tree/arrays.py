"""A tree as arrays in preorder, and what follows from these alone: where its nodes stand, what they ask and predict.

What sends rows down a tree, edits it or puts it in words needs no more than this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.criteria import DEFAULT, find_criterion
from engine.criteria import impurities as class_impurities
from engine.criteria.criterion import BINS, COUNTS, ROWS, SUMS
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.splits import DIVIDED, Split
from engine.tree.kernels.structure import structure
from engine.tree.leaves import LeafRule, read_costs, read_priors, row_sums
from engine.tree.nodes import Nodes, TreeColumn, packed_nodes, unpack_split

AnyTree = TypeVar("AnyTree", bound="TreeArrays")  # what an edit is given and returns
Values = TypeVar("Values", bound=NDArray[Any])


@dataclass(frozen=True)
class Mark:
    """What a person wrote on one node.

    Attributes:
        note: any text.
        pinned: growing and pruning do not change the node: an inner node keeps its split, a leaf stays a leaf, and so
            all splits above it stay. A person may still change it.
        locked: nothing at or below the node changes, by hand or by itself, until it is unlocked; notes may.
        label: what the node predicts as a leaf instead of what was counted: the name of a class, or a number. None:
            what was counted. Probabilities stay what was counted.
        label_by_pruning: the label is the best one by what pruning compared trees by; no person wrote it, and pruning
            may change it.
        excluded: the columns that the search leaves out at and below the node.
        criterion: by what splits are searched at and below the node, instead of the search's criterion; empty: by that.
    """

    note: str = ""
    pinned: bool = False
    locked: bool = False
    label: str | float | None = None
    label_by_pruning: bool = False
    excluded: tuple[str, ...] = ()
    criterion: str = ""

    def to_dict(self) -> dict[str, Any]:
        """What is written, as plain values; nothing of an empty mark."""
        usual = Mark()
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in found.items() if value != getattr(usual, name)}


NAMES = tuple(field.name for field in fields(Mark))


@dataclass(frozen=True, eq=False)
class TreeArrays:
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
        leaf_rule: what its leaves predict.
        bin_edges: where the bins of its histograms part, ascending, in units of the target; a value goes into the
            first bin whose upper edge it does not exceed. Empty: no histograms.
        next_id: the id of the next new node.
        options: the search options that it was last grown with; empty when it was made by hand.
        counted_on: the `Table.counts_key` of the table that its counts come from; empty when that is not known, as
            for a tree that was read from a file.
        marks: what people wrote on nodes, by id; empty ones and those of nodes that are gone are dropped.
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
            there = np.isin(list(self.marks), self.nodes.ids).tolist()
            pairs = zip(self.marks.items(), there, strict=True)
            living = {node: mark for (node, mark), lives in pairs if lives and mark != Mark()}
            object.__setattr__(self, "marks", living)

    def __repr__(self) -> str:
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves:,} leaves"
        return f"<Tree for “{self.target}”: {leaves}, depth {self.depth}>"

    @cached_property
    def _structure(self) -> tuple[NDArray[np.int32], ...]:
        shape = tuple(np.empty(self.n_nodes, dtype=np.int32) for _ in range(4))
        if not structure(self.nodes.n_branches, *shape):
            raise InputError(tr("The branch counts of these nodes do not describe one tree."))
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

    @cached_property
    def levels(self) -> list[NDArray[np.int64]]:
        """The positions of the nodes of each level, from left to right; the root's level first."""
        order = np.argsort(self.level, kind="stable")
        return np.split(order, np.searchsorted(self.level[order], np.arange(1, self.depth + 1)))

    parent = property(lambda self: self._structure[0], doc="int32[n_nodes]: each parent's position, -1 for the root.")
    end = property(lambda self: self._structure[1], doc="int32[n_nodes]: one past each node's subtree.")
    level = property(lambda self: self._structure[2], doc="int32[n_nodes]: the edges from the root to each node.")
    branch = property(lambda self: self._structure[3], doc="int32[n_nodes]: which branch of its parent each node is.")
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
            raise InputError(tr("The tree has no node {node}.", node=node))
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

    # -- what the nodes ask, and what people wrote on them

    @cached_property
    def _splits(self) -> dict[int, Split]:
        return {}

    def split_at(self, i: int) -> Split | None:
        """The split of the node at position i, made on demand; None for a leaf."""
        if self.nodes.n_branches[i] == 0:
            return None
        if i not in self._splits:
            self._splits[i] = unpack_split(self.columns, self.nodes, self.payload, i)
        return self._splits[i]

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of the features by name, for words: dates of whole days are a kind of their own."""
        return {column.name: column.kind_in_words for column in self.columns}

    def mark(self, node: int) -> Mark:
        """What a person wrote on a node; an empty mark where nothing is written."""
        self.position(node)
        return self.marks.get(node, Mark())

    # -- what the nodes predict, and what that costs

    @cached_property
    def labels_by_hand(self) -> dict[int, Any]:
        """The label that a person wrote, by position: the number of the class, or the number."""
        place = {name: k for k, name in enumerate(self.classes)}
        return {
            self.position(node): place[str(mark.label)] if self.task == "classes" else mark.label
            for node, mark in self.marks.items()
            if mark.label is not None
        }

    def inherited(self, values: Values, lacking: NDArray[np.bool_], by_hand: Mapping[int, Any] | None = None) -> Values:
        """The values [n_nodes, …] with what was set by hand, and with the parent's where they are lacking; the root
        keeps its own. They are written into."""
        by_hand = by_hand or {}
        for i, value in by_hand.items():
            values[i] = value
        for i in np.flatnonzero(lacking).tolist():
            if i and i not in by_hand:
                values[i] = values[self.parent[i]]
        return values

    @cached_property
    def _reweighed(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(float64[K] by what each class counts, float64[K, K] what mistakes cost) by the leaf rule."""
        rule = self.leaf_rule
        return rule.class_factors(self.classes, self.train[0]), rule.cost_matrix(self.classes)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """int32[n_nodes]: the class of the least expected cost, which is the majority when all mistakes cost the same
        (ties: the lower class; without training rows, or of classes with prior 0 only: the parent's), or the one that
        the threshold of the leaf rule gives. A label that a person wrote stands for it."""
        factors, costs = self._reweighed
        rule = self.leaf_rule
        counted = (
            rule.labels(self.train * factors, costs) if rule.threshold is None
            else rule.by_threshold(self.classes, self.deciding)
        )  # fmt: skip
        return self.inherited(counted, self.loss_weight() == 0, self.labels_by_hand)

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """float64[n_nodes]: the mean of a numeric target (without training rows: the parent's)."""
        weight, total = self.train[:, 0], self.train[:, 1]
        own = np.divide(total, weight, out=np.zeros(self.n_nodes), where=weight > 0) + self.origin
        return self.inherited(own, weight == 0)

    @cached_property
    def divides_rows(self) -> bool:
        """Whether a split divides rows without a value among its branches."""
        return bool((self.nodes.missing == DIVIDED).any())

    @property
    def predicts_median(self) -> bool:
        """Whether its leaves predict the median of a numeric target."""
        return self.task == "number" and self.leaf_rule.summary == "median"

    @cached_property
    def medians(self) -> NDArray[np.float64]:
        """float64[n_nodes]: the median of a numeric target (without training rows: the parent's); NaN where it was
        not asked for, see `with_leaf_rule`."""
        return self.nodes.median + self.origin

    @cached_property
    def predictions(self) -> NDArray[np.float64]:
        """float64[n_nodes]: what each node predicts of a numeric target: the mean or the median by the leaf rule, or
        the number that a person wrote instead."""
        counted, by_hand = self.medians if self.predicts_median else self.means, self.labels_by_hand
        return self.inherited(counted.copy(), self.weight() == 0, by_hand) if by_hand else counted

    @cached_property
    def histogram_shares(self) -> NDArray[np.float64]:
        """float64[n_nodes, B]: p(y|S), the share of each bin among the training rows (without any: the parent's)."""
        held = self.nodes.histogram
        total = held.sum(axis=1, keepdims=True)
        shares = np.divide(held, total, out=np.full(held.shape, np.nan), where=total > 0)
        return self.inherited(shares, total[:, 0] == 0)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """float64[n_nodes, K]: the probabilities of the classes by the leaf rule; as counted they are the shares among
        the training rows (without any: the parent's)."""
        honest = self.leaf_rule.smoothing == "honest" and self.weight("validation")[0] > 0
        shares = self.leaf_rule.probabilities((self.validation if honest else self.train) * self._reweighed[0])
        return self.inherited(shares, self.loss_weight() == 0)

    @cached_property
    def deciding(self) -> NDArray[np.float64]:
        """float64[n_nodes, K]: the probabilities by which a threshold and profits decide. Validation rows that honest
        ones come from would decide by what they are then judged by: in their place stand the training rows."""
        if self.leaf_rule.smoothing != "honest":
            return self.probabilities
        return self.inherited(self.leaf_rule.probabilities(self.train * self._reweighed[0]), self.loss_weight() == 0)

    @cached_property
    def searched(self) -> NDArray[np.float64]:
        """float64[n_nodes, S]: the training statistics as splits were searched: where the tree was grown with altered
        priors, the classes weigh by these."""
        if self.task != "classes" or not self.options.get("altered_priors"):
            return self.train
        priors, costs = read_priors(self.options.get("priors")), read_costs(self.options.get("costs"))
        rule = LeafRule(priors=priors, costs=costs).known_to(self.classes)
        return np.asarray(self.train * rule.altered_factors(self.classes, self.train[0]))

    @property
    def searched_weight(self) -> NDArray[np.float64]:
        """float64[n_nodes]: the weight of `searched`, which impurities are means over."""
        return row_sums(self.searched) if self.task == "classes" else self.train[:, 0]

    def stats(self, part: str) -> NDArray[np.float64]:
        """float64[n_nodes, S]: the statistics of a part, "train" or "validation"."""
        return self.nodes.train if part == "train" else self.nodes.validation

    def weight(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the weight of the rows of a part, "train" or "validation", in each node."""
        stats = self.stats(part)
        return row_sums(stats) if self.task == "classes" else stats[:, 0]

    def loss_weight(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the weight that `costs` are sums over: with priors a row counts by that of its class."""
        if not self.leaf_rule.priors:
            return self.weight(part)
        return np.asarray(self.stats(part) @ self._reweighed[0])

    def costs(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: what each node costs as a leaf on a part: the weight of its errors, or Σw(y − mean)²; of
        a tree that predicts medians Σw|y − median|. Means and medians are those of the training rows, or the number
        that a person wrote instead.

        With priors or costs in the leaf rule an error counts by the prior of its class and what the mistake costs.
        """
        if self.predicts_median:
            return self.nodes.deviation[:, 0 if part == "train" else 1]
        if self.task == "classes":
            if not (self.leaf_rule.priors or self.leaf_rule.costs):
                return self.wrong(part)
            factors, costs = self._reweighed
            return np.asarray(np.einsum("nk,kn->n", self.stats(part) * factors, costs[:, self.labels]))
        weight, total, squares = self.stats(part).T
        which: Any = list(self.labels_by_hand) if part == "train" else slice(None)  # others predict their own mean
        predicted, weight = (self.predictions - self.origin)[which], weight[which]
        mean = np.divide(total[which], weight, out=predicted.copy(), where=weight > 0)
        around = squares.copy()
        around[which] += weight * (mean - predicted) ** 2
        return around

    @cached_property
    def acts(self) -> NDArray[np.bool_]:
        """bool[n_nodes]: the nodes whose rows are worth acting on: by the probabilities and profits of the leaf rule
        acting earns more than not acting. Without profits none is."""
        if not self.leaf_rule.profits:
            return np.zeros(self.n_nodes, dtype=bool)
        more = np.diff(self.leaf_rule.profit_matrix(self.classes))[:, 0]
        return np.asarray(self.deciding @ more > PROFIT_TIE * np.abs(more).max(initial=0.0))

    @cached_property
    def expected_profit(self) -> NDArray[np.float64]:
        """float64[n_nodes]: what a row of each node is expected to earn by its probabilities, where it is acted on if
        `acts` says so; 0 without profits."""
        earned = self.probabilities @ self.leaf_rule.profit_matrix(self.classes)
        return np.asarray(np.where(self.acts, earned[:, 1], earned[:, 0]))

    def profits(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: what the rows of a part earn in each node as a leaf by what it decides, see `acts`; with
        priors a row counts by that of its class. Sums of money, not means."""
        earned = (self.stats(part) * self._reweighed[0]) @ self.leaf_rule.profit_matrix(self.classes)
        return np.asarray(np.where(self.acts, earned[:, 1], earned[:, 0]))

    def profit(self, part: str = "train") -> float:
        """What a row of a part earns on average, see `profits`; NaN without rows."""
        total = self.loss_weight(part)[0]
        return float(self.profits(part)[self.leaves].sum() / total) if total > 0 else float("nan")

    def wrong(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the weight of a part's rows that each node, as a leaf, labels wrongly (classes only)."""
        stats = self.stats(part)
        return np.asarray(row_sums(stats) - stats[np.arange(self.n_nodes), self.labels])

    def error(self, part: str = "train") -> float:
        """The share of a part's weight that is labelled wrongly, or its mean squared error, or the mean absolute one of
        a tree that predicts medians; NaN without rows."""
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
        return self.inherited(shares, row_sums(self.train) == 0)

    def stochastic_error(self, part: str = "train") -> NDArray[np.float64]:
        """float64[n_nodes]: the expected share of errors when a node draws its label with the shares of its training
        rows, Gini's stochastic rule; on the training rows that is its Gini impurity. NaN without rows."""
        stats = self.stats(part)
        totals, right = row_sums(stats), np.einsum("nk,nk->n", stats, self.drawn)
        return np.divide(totals - right, totals, out=np.full(self.n_nodes, np.nan), where=totals > 0)


PROFIT_TIE = 1e-12  # expected profits that differ by less, per row and unit of the largest profit, are equal
TIE = 1e-12  # drops that differ by less than this share of the root's impurity are equal


def weighted_drops(tree: TreeArrays, criterion: str) -> NDArray[np.float64]:
    """float64[n_nodes]: by how much each split lowers the criterion, times the node's share of the training weight, as
    it was searched.

    Raises:
        InputError: as `impurities`.
    """
    weights = tree.searched_weight
    mixed = impurities(tree, criterion) * weights
    below = np.bincount(tree.parent[1:], mixed[1:], tree.n_nodes) if tree.n_nodes > 1 else np.zeros(1)
    drops = np.where(tree.n_branches > 0, mixed - below, 0.0)
    return drops / weights[0] if weights[0] > 0 else drops


def impurities(tree: TreeArrays, criterion: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the impurity of each node, per unit of training weight; 0 for one without rows.

    Raises:
        InputError: no such criterion of this task, or it looks at rows and the tree holds no medians or histograms.
    """
    one, weights = find_criterion(criterion, tree.task), tree.weight("train")
    known = {BINS: bool(tree.bin_edges), ROWS: tree.predicts_median}
    if not known.get(one.statistic, True):
        said = {"criterion": criterion, "other": DEFAULT["number"]}
        fault = tr(
            "The tree holds no medians, so {criterion} cannot be computed for its nodes; choose {other}.", **said
        )
        if one.statistic == BINS:
            fault = tr(
                "The tree holds no histograms, so {criterion} cannot be computed for its nodes; choose {other}.", **said
            )
        raise InputError(fault)
    if one.statistic in (COUNTS, BINS):
        return class_impurities(criterion, tree.searched if one.statistic == COUNTS else tree.nodes.histogram, 0.0)
    # of rows the deviations around what the nodes predict: their medians, or what a person wrote instead
    sums = tree.train[:, 2] if one.statistic == SUMS else tree.nodes.deviation[:, 0]
    return np.divide(sums, weights, out=np.zeros_like(weights), where=weights > 0)


# -- splits taken back


def collapse(tree: AnyTree, positions: Sequence[int] | NDArray[np.int64]) -> AnyTree:
    """See `Tree.collapse`; positions inside each other are allowed."""
    tops = np.asarray(positions, dtype=np.int64)
    n = tree.n_nodes + 1
    keep = np.cumsum(np.bincount(tops + 1, minlength=n) - np.bincount(tree.end[tops], minlength=n))[:-1] == 0
    leaf = np.zeros(tree.n_nodes, dtype=bool)
    leaf[tops] = True
    nodes = tree.nodes.take(keep)  # such indexing copies
    take_back(nodes, leaf[keep])
    nodes, payload = packed_nodes(nodes, tree.payload)
    return replace(tree, nodes=nodes, payload=payload)


def take_back(nodes: Nodes, leaf: NDArray[np.bool_]) -> None:
    """Writes into the nodes that some of them have no split."""
    for array, value in (
        (nodes.n_branches, 0), (nodes.kind, 0), (nodes.column, -1), (nodes.threshold, np.nan), (nodes.missing, 0),
        (nodes.unseen, 0), (nodes.payload_start, 0), (nodes.payload_size, 0), (nodes.by_hand, False),
    ):  # fmt: skip
        array[leaf] = value
