"""What pruning gives: smaller trees, what each of them costs, and which one the method recommends."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.pruning.verdicts import Told

if TYPE_CHECKING:
    from engine.tree import Tree

NAN = float("nan")


class Step(NamedTuple):
    """One pruning.

    Attributes:
        leaves: its number of leaves.
        train_error: share of the training weight in error, or mean squared error; when the tree's leaf rule has
            priors or costs, the mean loss (`Tree.loss`).
        validation_error: the same on validation rows; nan without any.
        alpha: the least price per leaf, in units of the error (or of the impurity, if that is what splits pay in), at
            which it is the cheapest pruning; of the method "growth" the weighted drop of the criterion by the split
            that this step takes back, of "greedy_validation" by how much it lowers the validation error; nan where it
            has none.
        cv_error: the cross-validated error or loss; nan unless it was computed.
        cv_se: its standard error; nan unless it was computed.
    """

    leaves: int
    train_error: float
    validation_error: float
    alpha: float = NAN
    cv_error: float = NAN
    cv_se: float = NAN

    @classmethod
    def of(cls, tree: "Tree", alpha: float = NAN) -> "Step":
        """What a tree costs, by the counts that it has."""
        return cls(tree.n_leaves, tree.loss("train"), tree.loss("validation"), alpha)


class Trees(Protocol):
    """How the trees of the steps are made on demand."""

    def tree(self, full: "Tree", i: int) -> "Tree":
        """The tree of step i, from the one that was pruned."""


class Nested(NamedTuple):
    """Steps of which each one cuts more of the same tree.

    Attributes:
        gone: int32[n_nodes], the step from which on a node has nothing below it: 0 for leaves, the number of steps for
            splits that stay.
    """

    gone: NDArray[np.int32]

    def tree(self, full: "Tree", i: int) -> "Tree":
        """See `Trees`."""
        from engine.tree.edits import collapse  # brings the compiler along, which the names of methods need not

        above = np.where(full.parent < 0, np.iinfo(np.int32).max, self.gone[full.parent])
        cut = (full.n_branches > 0) & (self.gone <= i) & (above > i)
        return collapse(full, np.flatnonzero(cut)) if cut.any() else full


class Made(NamedTuple):
    """Trees that were made already."""

    trees: tuple["Tree", ...]

    def tree(self, full: "Tree", i: int) -> "Tree":
        """See `Trees`."""
        return self.trees[i]


@dataclass(frozen=True, eq=False)
class Pruning:
    """Prunings of one tree, most leaves first.

    Attributes:
        method: the name of the method.
        steps: the full tree first; of a sequence the last one is the root alone, or the smallest that was allowed.
        chosen: index of the step that the method recommends.
        full: the tree that was pruned.
        trees: how the trees of the steps are made.
        remark: what a person should know about how the step was chosen, in words; mostly empty.
        verdicts: what was compared at each node of `full` for the recommended tree; None where nothing was.
        least: index of the step of the least error by the rows that choose, from which `chosen` differs where a smaller
            tree within some standard errors is recommended; None where the method looks for no such step.
    """

    method: str
    steps: list[Step]
    chosen: int
    full: "Tree"
    trees: Trees
    remark: str = ""
    verdicts: Told | None = None
    least: int | None = None

    def tree(self, i: int) -> "Tree":
        """The tree of step `i` (negative counts from the end). Raises IndexError beyond the steps."""
        return self.trees.tree(self.full, range(len(self.steps))[i])


def single(method: str, full: "Tree", cut: Iterable[int], remark: str = "", verdicts: Told | None = None) -> Pruning:
    """The pruning by a method that makes one tree: the full one, then that with the nodes at these positions as leaves.

    With nothing to cut there is the one step, which is recommended.
    """
    from engine.tree.edits import collapse

    tops = np.fromiter(cut, np.int64)
    return replaced(method, full, collapse(full, tops) if tops.size else full, remark, verdicts)


def replaced(method: str, full: "Tree", best: "Tree", remark: str = "", verdicts: Told | None = None) -> Pruning:
    """The pruning by a method that makes one tree, which need not be a part of the full one."""
    trees = (full,) if best is full else (full, best)
    steps = [Step.of(tree) for tree in trees]
    return Pruning(method, steps, len(steps) - 1, full, Made(trees), remark, verdicts)
