"""Growth, taken back split by split: the trees of all sizes that growing passes through, without growing again."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.pruning.criterion_of_tree import criterion_of, measured
from engine.pruning.result import Nested, Pruning
from engine.pruning.sequence import locked, smallest_best, steps_of
from engine.pruning.verdicts import mean_words
from engine.table.words import number_words
from engine.tree.drops import impurities, weighted_drops

if TYPE_CHECKING:
    from engine.pruning.options import Options
    from engine.runtime.progress import Progress
    from engine.table.table import Table
    from engine.tree import Tree

UNJUDGED = (
    "Without validation rows nothing says where growth should have ended, so the whole tree is recommended; set some "
    "rows aside, or prune by cost complexity and cross-validation."
)


@dataclass(frozen=True, eq=False)
class Order:
    """Why a split stayed or went: what the validation rows said when it was made.

    Attributes:
        order: int64[n], the positions of the splits as they were made.
        quantity: what they are: "error".
        errors: the validation error after none of them, after one, …
        best: after how many of them it is least.
    """

    order: NDArray[np.int64]
    quantity: str
    errors: list[float]
    best: int

    def words(self, i: int) -> str:
        """What was compared at position i, in sentences; empty where nothing was."""
        found = np.flatnonzero(self.order == i)
        if not found.size:
            return ""
        made = int(found[0]) + 1
        then, least = number_words(self.errors[made]), number_words(self.errors[self.best])
        ends = f"after {self.best:,}" if self.best else "before the first one"
        return (
            f"Split {made:,} of {self.order.size:,} in the order of growth. Validation {self.quantity}: {then} after "
            f"it, {least} {ends}, where it is least."
        )


def growth(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """The trees that growing, best split first, passes through (Kearns and Mansour 1996), the last one first.

    Each step of growth splits the leaf whose split lowers the criterion most, weighted by the leaf's share of the
    training weight; of equal ones the leaf that was found first. So the tree after t splits is what
    `engine.grow(order="best_first", max_leaves=t + 1)` gives where all splits are binary, growing did not look ahead,
    and no split has surrogates, with which growing counts only what the rows gain that have the value. Level by level
    it goes if the tree was grown with order "level". A drop is measured by the criterion that the tree was grown with
    (by the default one for a tree made by hand), whatever its leaves say. Of lookahead and the gain ratio it is the
    drop by one level of the impurity. Splits that are kept for being hand-made, and those above them, count as the
    first ones.

    `alpha` of a step is the weighted drop of the split that it takes back: the drops of all splits add up to the
    whole drop from the root to the leaves. Chosen is the least validation error, fewer leaves where several are least.
    """
    order, drops = retraced(table, tree, locked(tree, options.keep_by_hand))
    n_steps = len(order) + 1
    gone = np.where(tree.n_branches > 0, n_steps, 0).astype(np.int32)
    gone[order] = np.arange(len(order), 0, -1)
    alphas = [0.0, *np.maximum(drops[order[::-1]], 0.0).tolist()]
    steps = steps_of(tree, gone, alphas)
    judged = tree.loss_weight("validation")[0] > 0
    chosen = smallest_best(np.array([step.validation_error for step in steps])) if judged else 0
    remark = "" if judged or n_steps == 1 else UNJUDGED
    errors = [step.validation_error for step in steps[::-1]]
    told = Order(order, mean_words(tree), errors, n_steps - 1 - chosen) if judged else None
    return Pruning("growth", steps, chosen, tree, Nested(gone), remark, told, chosen if judged else None)


def retraced(table: "Table", tree: "Tree", kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(int64[n], the positions of the splits that are not `kept` in the order in which growing makes them;
    float64[n_nodes], the weighted drop of every split)."""
    counted = measured(table, tree)
    drops = weighted_drops(counted, criterion_of(tree))
    return growth_order(counted, drops, kept), drops


def growth_order(tree: "Tree", drops: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """int64[n]: the positions of the splits that are not `kept`, in the order in which growing makes them."""
    scale = float(impurities(tree, criterion_of(tree))[0])
    order = "level" if tree.options.get("order") == "level" else "best_first"
    urgency = tree.level.astype(np.float64) if order == "level" else -even_drop(drops, scale)
    urgency[kept] = -np.inf
    made = splits_in_order(Frontier[int](order, 1, None), [0], tree.n_branches, tree.end, urgency)
    placed = np.array(made, dtype=np.int64)
    return placed[~kept[placed]]
