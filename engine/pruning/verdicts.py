"""Why a split stayed or went: the two numbers that were compared."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.table.words import number_words

if TYPE_CHECKING:
    from engine.table.table import Table
    from engine.tree import Tree


class Told(Protocol):
    """Whatever can tell why a split stayed or went."""

    def words(self, i: int) -> str:
        """What was compared at position i of the tree that was cut back, in sentences; empty where nothing was."""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a method compared at each node of the tree that it cut back.

    Attributes:
        quantity: what the numbers are: "errors among the validation rows".
        leaf: float64[n_nodes], that of the node as a leaf; NaN where nothing was compared.
        branch: float64[n_nodes], that of what was left of the branch below it; with `allowance` the leaf may be worse.
        allowance: float64[n_nodes], by how much the leaf may be worse and the branch still goes; 0 at most nodes.
        raised: float64[n_nodes], that of its largest or best branch in its place; NaN where that was not tried, or
            a bound told that it would be worse than the others. Empty: nowhere.
    """

    quantity: str
    leaf: NDArray[np.float64]
    branch: NDArray[np.float64]
    allowance: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    raised: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def words(self, i: int) -> str:
        """The comparison at position i as a sentence; empty where there was none."""
        if np.isnan(self.leaf[i]) or np.isnan(self.branch[i]):
            return ""
        said = f"{self.quantity}: {number_words(float(self.leaf[i]))} as a leaf"
        said += f", {number_words(float(self.branch[i]))} with its branches"
        if self.allowance.size and self.allowance[i] > 0:
            said += f", which may be {number_words(float(self.allowance[i]))} better in vain"
        if self.raised.size and not np.isnan(self.raised[i]):
            said += f", {number_words(float(self.raised[i]))} with a branch in its place"
        return said[0].upper() + said[1:] + "."


@dataclass(frozen=True, eq=False)
class WholeTree:
    """What the whole tree that was chosen costs with each node as a leaf, and what it may cost.

    Attributes:
        quantity: as in `Verdicts`.
        leaf: float64[n_nodes], with the node as a leaf; as it is for those that are gone; NaN where nothing was
            compared.
        most: what is allowed.
    """

    quantity: str
    leaf: NDArray[np.float64]
    most: float

    def words(self, i: int) -> str:
        """The comparison at position i as a sentence; empty where there was none."""
        if np.isnan(self.leaf[i]):
            return ""
        said = f"{self.quantity}: {number_words(float(self.leaf[i]))} with this node as a leaf"
        return f"{said[0].upper()}{said[1:]}, {number_words(self.most)} allowed."


@dataclass(frozen=True, eq=False)
class Sizes:
    """What the best trees of two sizes err: of the one that was chosen, and of the one that turns a node over.

    Attributes:
        quantity: as in `Verdicts`.
        errors: of the best tree by its number of leaves. chosen: that of the tree that was chosen.
        other: int64[n_nodes], how many leaves are left with the split as a leaf or, where it is gone, how many there
            are at least with it; 0 where nothing was compared.
    """

    quantity: str
    errors: dict[int, float]
    chosen: int
    other: NDArray[np.int64]

    def words(self, i: int) -> str:
        """The comparison at position i as a sentence; empty where there was none."""
        other = int(self.other[i])
        if other not in self.errors:
            return ""
        ours, theirs = (number_words(self.errors[n]) for n in (self.chosen, other))
        why = "what is left with this node as a leaf" if other < self.chosen else "the fewest with its split"
        return f"{self.quantity}: {ours} with {self.chosen:,} leaves, {theirs} with {other:,}, {why}."


def bottom_up(
    quantity: str,
    tree: "Tree",
    cost: NDArray[np.float64],
    kept: NDArray[np.bool_],
    price: float | NDArray[np.float64] = 0.0,
    stands: NDArray[np.bool_] | None = None,
) -> tuple[Verdicts, NDArray[np.bool_]]:
    """What the rule "leaf if that costs no more" compares at each split, branches first, and which splits it makes
    leaves of.

    Args:
        cost: float64[n_nodes], of each node as a leaf.
        price: what every split costs, or float64[n_nodes], what each one does.
        kept: bool[n_nodes], splits that stay, and with them those above; nothing is compared there.
        stands: bool[n_nodes], the splits that are there, with those above them; None for all.
    """
    from engine.pruning.kernels.bottom_up import cheapest_branches  # brings the compiler along, which names need not

    cost = np.ascontiguousarray(cost, np.float64)
    prices = np.ascontiguousarray(np.broadcast_to(np.asarray(price, np.float64), cost.shape))
    n_branches = tree.n_branches if stands is None else np.where(stands, tree.n_branches, np.int32(0))
    branch, leaf = cheapest_branches(cost, prices, tree.parent, n_branches, kept)
    compared = (n_branches > 0) & ~kept
    nothing = np.full(tree.n_nodes, np.nan)
    return Verdicts(quantity, np.where(compared, cost, nothing), np.where(compared, branch, nothing)), leaf & compared


def mean_words(tree: "Tree") -> str:
    """What a mean of `Tree.costs` is, in a word."""
    return "cost" if tree.leaf_rule.costs or tree.leaf_rule.priors else "error"


def loss_words(table: "Table", tree: "Tree") -> str:
    """What sums of `Tree.costs` are, in words."""
    if tree.task == "number":
        return "sum of absolute errors" if tree.predicts_median else "sum of squared errors"
    if tree.leaf_rule.costs or tree.leaf_rule.priors:
        return "sum of costs"
    return "errors" if table.weights is None else "weight of the errors"
