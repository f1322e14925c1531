"""What theory guarantees about one tree, with its numbers: the public function `engine.theory`.

The formulas stand in `engine.learning_theory`, the methods that minimize them in `engine.pruning`. Here a tree's own
numbers are put into them, a file for each part.
"""

from dataclasses import dataclass
from functools import cached_property

from engine.guarantees.counting import Counting, counting
from engine.guarantees.description import Description, description
from engine.guarantees.structural_risk import StructuralRisk, structural_risk
from engine.guarantees.weak_learning import WeakLearning, weak_learning
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.counting import counted
from engine.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Theory:
    """The theorems of the lecture notes about a tree. Each part is computed when it is first asked for.

    All of them are about rows drawn independently, and about trees and tests that were chosen before these rows were
    seen. Thresholds lie between values of the table, so for numeric columns no promise is literal.

    Attributes:
        table: the rows. tree: counted on them.
        delta: how likely it may be that a promise does not hold.
        epsilon: the error that is asked for.
        positive: the class that weak learning tells from all others.
    """

    table: Table
    tree: Tree
    delta: float
    epsilon: float
    positive: str

    @property
    def is_literal(self) -> bool:
        """Whether all features are levels, so that the possible splits may have been known before a row was seen."""
        return not any(self.table.columns[i].is_numeric for i in self.table.features)

    @cached_property
    def description(self) -> Description:
        """The length of the tree, and what it promises of its error, here and along the prunings."""
        return description(self.table, self.tree, self.delta)

    @cached_property
    def structural_risk(self) -> StructuralRisk:
        """Error and penalty by size; what Kearns and Mansour's pruning compares at each node, and Theorem 12.5."""
        return structural_risk(self.table, self.tree, self.delta)

    @cached_property
    def weak_learning(self) -> WeakLearning:
        """The advantage of each split, what it has to gain by it, and how soon the error is small."""
        return weak_learning(self.tree, self.tree.classes.index(self.positive), self.epsilon)

    @cached_property
    def counting(self) -> Counting:
        """How many rows such trees shatter, how many trees there are, and how many rows that asks for."""
        return counting(self.table, self.tree, self.delta, self.epsilon)


def theory(
    table: Table, tree: Tree, *, delta: float = 0.05, epsilon: float = 0.1, positive: str | None = None,
    assignment: Assignment | None = None,
) -> Theory:  # fmt: skip
    """Every bound of the lecture notes, with its terms, for this tree on the training rows of this table.

    Args:
        delta: how likely it may be that a promise does not hold, above 0 and below 1.
        epsilon: the error that is asked for, above 0 and below 1.
        positive: the class that weak learning tells from all others; by default the last of two, else the most
            frequent one.
        assignment: which rows stand in which node, if at hand.

    Raises:
        InputError: the target is numeric, no training row has weight, or an argument cannot be used.
    """
    if tree.task != "classes":
        raise InputError(tr(
            "“{target}” is numeric: these promises are about errors, shares of the rows, so they need a target of "
            "classes.", target=tree.target,
        ))  # fmt: skip
    for name, value in (("δ", delta), ("ε", epsilon)):
        if not 0 < value < 1:
            raise InputError(tr("{name} cannot be {value:g}; it is above 0 and below 1.", name=name, value=value))
    tree = counted(tree, table, assignment)
    if not tree.weight("train")[0] > 0:
        raise InputError(tr("No training row has weight: there is nothing to promise anything by."))
    if positive is None:
        positive = tree.classes[-1 if len(tree.classes) == 2 else int(tree.train[0].argmax())]
    if positive not in tree.classes:
        raise InputError(tr("The target has no class “{name}”.", name=positive))
    return Theory(table, tree, float(delta), float(epsilon), positive)
