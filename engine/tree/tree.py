"""The tree itself: all that is asked of it in words and with a table, and its edits."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.splits import Split, branch_words, full_words, sentence, title
from engine.table.table import Table
from engine.tree import drops, edits, marks, row_edits
from engine.tree.arrays import TreeArrays
from engine.tree.assignment import Assignment, count_slices, leaves_of_rows
from engine.tree.distribution import filled
from engine.tree.leaves import LeafRule, read_costs, read_priors
from engine.tree.nodes import Nodes, columns_of, unfilled
from engine.tree.prediction import leaves_of_frame
from engine.tree.recounting import recounted, with_marks

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Tree(TreeArrays):
    """A decision tree with the counts of the table that it was grown on; its attributes are those of `TreeArrays`."""

    @classmethod
    def root(cls, table: Table, assignment: Assignment | None = None) -> "Tree":
        """A single leaf that holds all rows of the table."""
        at = assignment or Assignment.root(table)
        nodes = Nodes.leaves([0], count_slices(table, at.rows, at.start[:1], at.stop[:1]))
        return cls(
            table.task, str(table.target), table.classes, columns_of(table), nodes, origin=table.origin,
            counted_on=table.counts_key,
        )  # fmt: skip

    def apply(self, table: Table) -> NDArray[np.int64]:
        """int64[n_rows]: the position of the leaf that each row of a table reaches."""
        return leaves_of_rows(table, self)

    def predict(self, frame: "pd.DataFrame") -> NDArray[Any]:
        """The class name (object), or the mean or median (float64), for each row of a data frame; where a person wrote
        something else, that.

        Raises:
            InputError: a column that the tree needs is absent or of another kind. One that surrogates alone look at may
                be absent.
        """
        of_node = self.predictions if self.task == "number" else np.array(self.classes, dtype=object)[self.labels]
        return np.asarray(of_node[leaves_of_frame(self, frame)])

    def predict_proba(self, frame: "pd.DataFrame") -> NDArray[np.float64]:
        """float64[n, K]: the probabilities of the leaf that each row reaches, classes in the order of `classes`."""
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

    def locked_by(self, node: int) -> int | None:
        """The nearest locked node at or above this one; None where it may change."""
        return marks.locked_by(self, node)

    def excluded_at(self, node: int) -> dict[str, int]:
        """The columns that the search leaves out at a node, each with the nearest node whose mark excludes it."""
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
        return row_edits.split_leaf(self, table, node, split, by_hand, assignment)

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
    ) -> "Tree":
        """Puts another split in the place of an inner node's.

        Args:
            below: what becomes of the branches below. "drop": the new branches are leaves. "keep": what stood below
                branch b stands below the new branch b, its rows sent down anew; a split there that no longer divides
                training rows is left out, the branch that has them takes its place. For new branches that grow see
                `engine.growing.regrow`.
            assignment: of this tree on that table, if at hand.

        Raises:
            InputError: the node is a leaf, a lock is on it or below it, the split does not fit the table, or there is
                no such choice.
        """
        return row_edits.replace_split(self, table, node, split, below, assignment)

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
        return row_edits.replace_with_branch(self, table, node, branch, assignment)

    def merge(self, table: Table, node: int, other: int, *, assignment: Assignment | None = None) -> "Tree":
        """Makes one branch of two leaves of one split; it keeps the id and the mark of `node`. Where the split has no
        other branches its node becomes a leaf.

        Raises:
            InputError: they are no leaves of one split, a lock is on them, or a cut has branches between them.
        """
        return row_edits.merge(self, table, node, other, assignment)

    def subtree(self, node: int) -> "Tree":
        """What stands at and below a node as a tree of its own, with its marks and the counts of its rows. Its root is
        0, the other nodes keep their ids."""
        return edits.subtree(self, node)

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
        return row_edits.paste(self, table, node, subtree, assignment)

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
            InputError: a split does not bind to it, or it has another target.
        """
        return recounted(self, table)
