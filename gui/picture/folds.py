"""Branches that are folded: which nodes the canvas shows then, how those stand by level, and what a folded one says.

Nothing of the tree goes: figures, colours and positions stay those of the whole tree. Only where things stand is found
for the nodes that are shown, and a hidden node stands where the folded node above it stands.

    whole tree, positions        1 is folded: shown 0 1 4
        0                            0           at   0 1 1 1 2     (which of the shown nodes each one stands with)
       / \\                         / \\
      1   4                       1   4
     / \\                       (+ 2 leaves)
    2   3
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.sentences import tr
from gui.picture.levels import Levels, run
from gui.picture.nodes.letters import SMALL, Letters
from gui.picture.tree_cache import book, kept
from gui.wording import words
from gui.wording.phrases import leaves

HIGH, PADDING = 13.0, 5.0  # of the plate behind the words, at scale 1


@dataclass(frozen=True)
class Folds:
    """What a person folded: by rules, and node by node."""

    depth: int = 0  # nodes on this level and below are folded; 0: none are for their level
    least_rows: int = 0  # nodes with fewer training rows are folded
    folded: frozenset[int] = frozenset()  # the ids of nodes that were folded one by one
    unfolded: frozenset[int] = frozenset()  # the ids of nodes that stay open, whatever the rules say

    def __bool__(self) -> bool:
        return bool(self.depth or self.least_rows or self.folded)

    def by_rule(self, tree: engine.Tree) -> NDArray[np.bool_]:
        """bool[n_nodes]: what the rules alone would fold; leaves are never folded."""
        found = np.zeros(tree.n_nodes, dtype=bool)
        if self.depth:
            found |= tree.level >= self.depth
        if self.least_rows:
            found |= tree.rows_train < self.least_rows
        return found & (tree.n_branches > 0)

    def closed(self, tree: engine.Tree) -> NDArray[np.bool_]:
        """bool[n_nodes]: the nodes that are folded, those inside of folded branches among them."""
        found = self.by_rule(tree)
        found[_positions(tree, self.unfolded)] = False
        found[_positions(tree, self.folded)] = True
        return found & (tree.n_branches > 0)

    def opened(self, tree: engine.Tree, *nodes: int) -> Folds:
        """Opens nodes, one level of each."""
        by_rule = self.by_rule(tree)
        ruled = {node for node in nodes if by_rule[tree.position(node)]}
        return replace(self, folded=self.folded - set(nodes), unfolded=self.unfolded | ruled)

    def shut(self, tree: engine.Tree, node: int) -> Folds:
        ruled = bool(self.by_rule(tree)[tree.position(node)])
        folded = self.folded if ruled else self.folded | {node}
        return replace(self, folded=folded, unfolded=self.unfolded - {node})


def _positions(tree: engine.Tree, ids: frozenset[int]) -> list[int]:
    return [tree.position(node) for node in ids if node in tree]


class Folded:
    """A tree of which some branches are folded."""

    def __init__(self, tree: engine.Tree, closed: NDArray[np.bool_]) -> None:
        self.closed = closed  # bool[n_nodes], the nodes that are folded, those that are hidden themselves among them
        # intp[m], the nodes that are shown, in preorder; intp[n_nodes], the place in that of what stands for each node
        found = run("fold_away", tree.parent, tree.end, tree.level, tree.n_branches, closed)
        self.shown, self.at, parent, end, level, branches = found
        self.tops = self.shown[closed[self.shown]]  # intp[k], the positions of the folded nodes that are shown
        self.levels = Levels(parent, end, branches, level)  # of the shown nodes, numbered as in `shown`

    def are_hidden(self, nodes: NDArray) -> NDArray[np.bool_]:
        """bool[k]: which nodes are inside of folded branches."""
        return self.shown[self.at[nodes]] != nodes

    def is_hidden(self, i: int) -> bool:
        return self.standing(i) != i

    def is_top(self, i: int) -> bool:
        """Whether the node at position i is shown and folded."""
        return bool(self.closed[i]) and not self.is_hidden(i)

    def standing(self, i: int) -> int:
        """The position of the node that stands for the one at position i: itself, or the folded one above it."""
        return int(self.shown[self.at[i]])


class FoldedLevels(Levels):
    """The shown nodes by level, with positions of the whole tree; a hidden one has the places of its folded one."""

    def __init__(self, tree: engine.Tree, folded: Folded) -> None:
        shown = folded.levels
        self.parent, self.end = tree.parent, tree.end
        self.n_branches, self.level = shown.n_branches[folded.at], shown.level[folded.at]
        self.start, self.above, self.child, self.branches = shown.start, shown.above, shown.child, shown.branches
        self.order = folded.shown[shown.order]
        self.place = shown.place[folded.at]


def folded_of(tree: engine.Tree, folds: Folds) -> Folded | None:
    """The tree with what is folded, None where nothing is; the last answer is kept with the tree."""
    if not folds:
        return None
    notes = book(tree)
    known = notes.get(Folded)
    if known is None or known[0] != folds:
        closed = folds.closed(tree)
        known = notes[Folded] = folds, Folded(tree, closed) if closed.any() else None
    return known[1]


@kept
def _leaves_before(tree: engine.Tree) -> NDArray[np.int64]:
    """int64[n_nodes + 1]: how many leaves come before each position."""
    return np.concatenate(([0], np.cumsum(tree.n_branches == 0)))


def leaves_below(tree: engine.Tree, i: int) -> int:
    before = _leaves_before(tree)
    return int(before[tree.end[i]] - before[i])


def leaves_shown(tree: engine.Tree, folded: Folded) -> int:
    return int(np.count_nonzero(tree.n_branches[folded.shown] == 0))


def fold_words(letters: Letters, tree: engine.Tree, i: int, room: float) -> tuple[str, float]:
    """What a folded node says in so much room at scale 1, never nothing, and how wide the plate behind it is."""
    text = letters.whole(_forms(tree, i), room - 2 * PADDING, SMALL) or "+"
    return text, max(letters.width(text, SMALL) + 2 * PADDING, HIGH)


def least_room(letters: Letters, tree: engine.Tree, i: int) -> float:
    """How wide the shortest number and its plate are, at scale 1."""
    return letters.width(_forms(tree, i)[-1], SMALL) + 2 * PADDING


def _forms(tree: engine.Tree, i: int) -> tuple[str, ...]:
    n = leaves_below(tree, i)
    short = words.compact_count(n)
    return tr("+ {leaves}", leaves=leaves(n)), tr("+ {n} leaves", n=short), f"+ {short}", f"+{short}"
