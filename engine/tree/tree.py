"""The tree itself: all that is asked of it in words and with a table, and its edits."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.splits import branch_words, full_words, sentence, title
from engine.table.table import Table
from engine.tree import divided_rows, edits, marks
from engine.tree.arrays import TreeArrays, collapse
from engine.tree.assignment import (
    Assignment,
    leaves_of_frame,
    leaves_of_rows,
    parts_in_frame,
)
from engine.tree.counting import count_slices, counted, filled, recounted, with_marks
from engine.tree.leaves import (
    LeafRule,
    check_summary,
    read_costs,
    read_currency,
    read_priors,
    read_profits,
    read_threshold,
)
from engine.tree.nodes import Nodes, columns_of, unfilled

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Tree(TreeArrays):
    """A decision tree with the counts of the table that it was grown on; its attributes are those of `TreeArrays`.

    Methods that are functions of the arrays stand, with their description, in the file that they are taken from.
    """

    @classmethod
    def root(cls, table: Table, assignment: Assignment | None = None) -> "Tree":
        """A single leaf that holds all rows of the table."""
        at = assignment or Assignment.root(table)
        nodes = Nodes.leaves([0], count_slices(table, at.rows, at.start[:1], at.stop[:1]))
        made = cls(
            table.task, str(table.target), table.classes, columns_of(table), nodes, origin=table.origin,
            counted_on=table.counts_key,
        )  # fmt: skip
        return made if table.counter is None else recounted(made, table)

    def apply(self, table: Table) -> NDArray[np.int64]:
        """int64[n_rows]: the position of the leaf that each row of a table reaches; of a divided row the leaf with most
        of it."""
        return leaves_of_rows(table, self)

    def predict(self, frame: "pd.DataFrame") -> NDArray[Any]:
        """The class name (object), or the mean or median (float64), for each row of a data frame; where a person wrote
        something else, that.

        Raises:
            InputError: a column that the tree needs is absent or of another kind. One that only surrogates look at may
                be absent.
        """
        if self.divides_rows:
            at, n = parts_in_frame(self, frame), len(frame)
            if self.task == "number":
                return divided_rows.means(self, at, self.predictions, n)
            return np.array(self.classes, dtype=object)[divided_rows.labels(self, at, n)]
        of_node = self.predictions if self.task == "number" else np.array(self.classes, dtype=object)[self.labels]
        return np.asarray(of_node[leaves_of_frame(self, frame)])

    def predict_proba(self, frame: "pd.DataFrame") -> NDArray[np.float64]:
        """float64[n, K]: the probabilities of the leaf that each row reaches, classes in the order of `classes`; of a
        divided row the mean of its leaves, by its parts there."""
        if self.divides_rows:
            return divided_rows.means(self, parts_in_frame(self, frame), self.probabilities, len(frame))
        return np.asarray(self.probabilities[leaves_of_frame(self, frame)])

    # -- words

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
        known = {column.name: column for column in self.columns}
        i, path = self.position(node), list[str]()
        while i > 0 and (most is None or len(path) < most):
            split = self.split_at(int(self.parent[i]))
            assert split is not None
            lacking = known[split.column].missing
            path.append(full_words(split, int(self.branch[i]), self.kinds, lacking))
            i = int(self.parent[i])
        return path[::-1]

    # -- marks

    def with_mark(
        self, node: int, *, table: Table | None = None, assignment: Assignment | None = None, **changes: Any
    ) -> "Tree":
        """The tree with another mark on a node.

        Args:
            table: the table that it is counted on; a tree that predicts medians needs it for a label.
            assignment: of this tree on that table, if at hand.
            changes: attributes of `Mark`; the others stay.

        Raises:
            InputError: a value cannot be used, or the node is locked and it is neither a note nor the lock.
        """
        changed = marks.checked(self, node, self.mark(node), changes)
        return with_marks(self, {**self.marks, int(node): changed}, table, assignment)

    locked_by = marks.locked_by
    excluded_at = marks.excluded_at
    criterion_at = marks.criterion_at
    weakest = marks.weakest

    # -- edits: each returns a new tree

    split = edits.split_leaf
    replace_split = edits.replace_split
    replace_with_branch = edits.replace_with_branch
    merge = edits.merge
    paste = edits.paste
    graft = edits.graft
    subtree = edits.subtree
    with_counts = recounted

    def collapse(self, *nodes: int) -> "Tree":
        """Turns nodes back into leaves; everything below them is gone. InputError where a lock is on it."""
        marks.check_unlocked(self, *nodes, below=True)
        return collapse(self, [self.position(node) for node in nodes])

    def with_leaf_rule(self, table: Table, rule: LeafRule, assignment: Assignment | None = None) -> "Tree":
        """The same tree, whose leaves predict something else.

        Args:
            table: the table that it is counted on, for medians; one that it is not counted on is counted first.
            rule: what the leaves are to predict.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: the rule's summary does not fit the target, it names a class that there is not, or something
                else in it cannot be used.
        """
        check_summary(rule.summary, self.task)
        rule = replace(
            rule, priors=read_priors(rule.priors), costs=read_costs(rule.costs), profits=read_profits(rule.profits),
            currency=read_currency(rule.currency),
            threshold=read_threshold(rule.threshold),
        )  # fmt: skip
        rule.check(self.classes)
        if rule.summary != "median":
            return replace(self, leaf_rule=rule)
        tree = counted(self, table)  # another tree than this one, if the table is another
        return filled(replace(tree, leaf_rule=rule), table, assignment if tree is self else None)

    def with_bins(self, table: Table, bins: int, assignment: Assignment | None = None) -> "Tree":
        """The same tree with histograms p(y|S) over this many bins of the table's numeric target.

        Args:
            table: the table that it is counted on; one that it is not counted on is counted first.
            bins: as for `Table.bin_edges`.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: as for `Table.bin_edges`.
        """
        edges, tree = table.bin_edges(bins), counted(self, table)
        if edges != tree.bin_edges:
            nodes = tree.nodes._replace(histogram=unfilled(tree.n_nodes)[2])
            tree = replace(tree, nodes=nodes, bin_edges=edges)
        return filled(tree, table, assignment if self.counted_on == table.counts_key else None)
