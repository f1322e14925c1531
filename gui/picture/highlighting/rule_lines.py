"""The condition that leads to each node, in words: what is searched while somebody types.

The words are those of `engine.splits.full_words`, all levels named, without what surrogates say. One call makes them
for the whole tree: a large one has hundreds of thousands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.words import levels_words
from gui.picture.tree_cache import kept
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

THRESHOLD, GROUPS = 1, 2  # kinds of splits as in `engine.tree.nodes`, which brings the compiler along
STRETCH = 2000  # lines that are put into typed words at once: Python's lock is held meanwhile


class Lines(NamedTuple):
    """Attributes:
    text: a line for each node, the root's is empty; as `words.typed` writes them, in UTF-8.
    starts: int64[n_nodes], where in it the line of each position begins.
    """

    text: bytes
    starts: NDArray[np.int64]

    def holding(self, part: str, *, anywhere: bool = False) -> NDArray[np.int64]:
        """The positions of the nodes whose line holds these words, in preorder; see `hits`."""
        found = hits(self.text, part, anywhere=anywhere)
        return np.unique(np.searchsorted(self.starts, np.array(found, dtype=np.int64), side="right") - 1)


def hits(text: bytes, part: str, *, anywhere: bool) -> list[int]:
    """Where words stand in a text: at the beginning of a word of it ("age" is not in "Copenhagen"), or anywhere."""
    wanted, at, found = part.encode(errors="replace"), -1, []
    inside = not anywhere and part[:1].isalnum()
    while wanted and (at := text.find(wanted, at + 1)) >= 0:
        # Letters beyond ASCII have several bytes, all of them above 127.
        if not inside or at == 0 or not (text[at - 1 : at].isalnum() or text[at - 1] > 127):
            found.append(at)
    return found


@kept
def lines_of(tree: Tree) -> Lines:
    """The conditions of a tree, ready to be searched."""
    found = conditions(tree)
    pieces = []
    for start in range(0, len(found), STRETCH):
        stretch = found[start : start + STRETCH]
        joined = "\n".join(stretch)
        if joined.count("\n") != len(stretch) - 1:  # in the name of a level
            joined = "\n".join(" ".join(line.splitlines()) for line in stretch)
        pieces.append(words.typed(joined).encode(errors="replace"))
    text = b"\n".join(pieces)
    ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))
    return Lines(text, np.concatenate(([0], ends + 1)).astype(np.int64))


def conditions(tree: Tree) -> list[str]:
    """The condition that leads to the node at each position; empty for the root."""
    found = [""] * tree.n_nodes
    first, order = children(tree)
    plain = _by_one_threshold(tree, first, order, found)
    grouped = _by_groups(tree, first, order, found)
    others = np.flatnonzero((tree.n_branches > 0) & ~plain & ~grouped)
    if others.size:
        from engine.splits import full_words
        from engine.tree.nodes import unpack_split

        for i in others.tolist():
            split = unpack_split(tree.columns, tree.nodes, tree.payload, i)  # not `split_at`, which would keep them all
            lacking = _lacks(tree, i) and not split.surrogates
            for branch in range(split.n_branches):
                found[order[first[i] + branch]] = full_words(split, branch, tree.kinds, lacking)
    return found


def children(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(int64[n_nodes], int64[n_nodes − 1]): the child of node i by branch b stands at `order[first[i] + b]`."""
    first = np.cumsum(tree.n_branches, dtype=np.int64) - tree.n_branches
    return first, np.argsort(tree.parent[1:], kind="stable") + 1


def _lacks(tree: Tree, i: int) -> bool:
    return tree.columns[int(tree.nodes.column[i])].missing


def _by_one_threshold(tree: Tree, first: NDArray[np.int64], order: NDArray[np.int64], found: list[str]) -> NDArray:
    """Fills in the children of the splits at one finite threshold; bool[n_nodes]: which these are."""
    from engine.table.words import value_words

    nodes = tree.nodes
    plain = (nodes.kind == THRESHOLD) & (nodes.payload_size == 0) & (nodes.n_branches == 2)
    plain &= np.isfinite(nodes.threshold)
    at = np.flatnonzero(plain)
    names, kinds = [column.name for column in tree.columns], [column.kind_in_words for column in tree.columns]
    lacks = [column.missing for column in tree.columns]
    below, above = order[first[at]].tolist(), order[first[at] + 1].tolist()
    asked = zip(nodes.column[at].tolist(), nodes.threshold[at].tolist(), nodes.missing[at].tolist(), strict=True)
    for (column, threshold, missing), low, high in zip(asked, below, above, strict=True):
        name, value = names[column], value_words(threshold, kinds[column])
        found[low] = f"{name} ≤ {value}{' or missing' if lacks[column] and missing == 0 else ''}"
        found[high] = f"{name} > {value}{' or missing' if lacks[column] and missing == 1 else ''}"
    return plain


def _by_groups(tree: Tree, first: NDArray[np.int64], order: NDArray[np.int64], found: list[str]) -> NDArray:
    """Fills in the children of the splits by levels; bool[n_nodes]: which these are."""
    nodes = tree.nodes
    grouped = nodes.kind == GROUPS
    at = np.flatnonzero(grouped)
    if not at.size:
        return grouped
    from engine.tree.nodes import entries

    node, place = entries(nodes, at, 2)
    level, branch = tree.payload[place].astype(np.int64), tree.payload[place + 1].astype(np.int64)
    child = order[first[node] + branch]
    sorting = np.argsort(child, kind="stable")  # levels keep their order
    levels = [column.levels for column in tree.columns]
    named = [levels[c][k] for c, k in zip(nodes.column[node[sorting]].tolist(), level[sorting].tolist(), strict=True)]
    parents = np.repeat(at, nodes.n_branches[at])
    branches = np.arange(parents.size) - np.repeat(np.cumsum(nodes.n_branches[at]) - nodes.n_branches[at],
                                                   nodes.n_branches[at])  # fmt: skip
    below = order[first[parents] + branches]
    starts = np.searchsorted(child[sorting], below).tolist()
    stops = np.searchsorted(child[sorting], below, side="right").tolist()
    takes_missing = (nodes.missing[parents] == branches).tolist()
    of = nodes.column[parents].tolist()
    for i, column, start, stop, missing in zip(below.tolist(), of, starts, stops, takes_missing, strict=True):
        found[i] = _group_words(tree.columns[column].name, named[start:stop], missing, tree.columns[column].missing)
    return grouped


def _group_words(column: str, group: list[str], missing: bool, lacks: bool) -> str:
    if not group:
        return f"{column} {'missing' if missing else 'any other'}"
    text = f"{column} = {group[0]}" if len(group) == 1 else f"{column} in {{{levels_words(group)}}}"
    return f"{text} or missing" if missing and lacks else text
