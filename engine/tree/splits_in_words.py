"""The splits of a tree, made on demand, and how they read."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.splits import Split, branch_words, full_words, sentence, title
from engine.tree import edits
from engine.tree.nodes import TreeColumn
from engine.tree.shape import TreeShape


@dataclass(frozen=True, eq=False, repr=False)
class TreeWithSplits(TreeShape):
    """A tree that tells what its splits ask."""

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
