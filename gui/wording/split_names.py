"""The names of steps that split a node: always which node, and by what. What a lock or a note names is named alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from engine.table.words import kind_word
from gui.wording.hand_phrases import LONGEST, place
from gui.wording.phrases import split_words

if TYPE_CHECKING:
    from engine.splits import Split
    from engine.table.table import Table
    from engine.tree.tree import Tree


def by_hand(tree: Tree, node: int, split: Split, table: Table, read_as: str = "") -> str:
    """A leaf that a person splits exactly so; `read_as` is the kind that the column is read as for it."""
    more = f", read as {kind_word(read_as)}" if read_as else ""
    return f"Split {place(tree, node)} by {by(split, table)} (by hand{more})"


def anywhere(before: Tree, after: Tree) -> str:
    return f"Split {_new_splits(before, after)} (best anywhere)"


def here(before: Tree, after: Tree) -> str:
    return f"Split {_new_splits(before, after)} (best here)"


def by_column(node: int, column: str, below: str = "") -> Callable[[Tree, Tree], str]:
    """Names a split by the best split of a column, from the trees before and after it."""

    def named(before: Tree, after: Tree) -> str:
        i = after.position(node)
        said, how = _by(after, i), f"(best of {column}{_kept(below)})"
        replaces = before.n_branches[before.position(node)] > 0
        return f"{anew(after, node, said) if replaces else f'Split {place(after, node)} by {said}'} {how}"

    return named


def replaced(tree: Tree, node: int, split: Split, table: Table, below: str) -> str:
    """Another split in the place of an inner node's, and what became of the branches."""
    return f"{anew(tree, node, by(split, table))} (by hand{_kept(below)})"


def anew(tree: Tree, node: int, by: str) -> str:
    """An inner node whose split is replaced; `by` is the other split in words."""
    return f"Split {place(tree, node)} anew by {by}"


def by(split: Split, table: Table) -> str:
    """A split in words, within the name of a step."""
    return _words(split, split_words(split, table))


def _kept(below: str) -> str:
    return {"keep": ", branches kept", "regrow": ", branches regrown"}.get(below, "")


def _new_splits(before: Tree, after: Tree) -> str:
    """The node that is split and what by; how many leaves, if there are several."""
    inner = np.flatnonzero(after.n_branches)
    new = inner[~np.isin(after.ids[inner], before.ids[before.n_branches > 0])]
    if len(new) != 1:
        return f"{len(new)} leaves"
    i = int(new[0])
    return f"{place(after, int(after.ids[i]))} by {_by(after, i)}"


def _by(tree: Tree, i: int) -> str:
    """The split at position i."""
    split = tree.split_at(i)
    assert split is not None
    return _words(split, tree.sentence(tree.children(i)[0]))


def _words(split: Split, first: str) -> str:
    """A split by its first branch; of several branches one says little, so they are counted."""
    if split.n_branches == 2:
        return _quoted(first)
    return f"{_quoted(split.column)} into {split.n_branches} branches"


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}”"
