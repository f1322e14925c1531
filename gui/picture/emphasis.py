"""What of a tree stands out, as `gui.canvas.scene_controller` finds it; nothing is laid out anew for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

import engine
from gui.theme import Theme

NOBODY = np.zeros(0, np.intp)


@dataclass(frozen=True, eq=False)
class Emphasis:
    """What stands out, by position in the tree."""

    lit: NDArray[np.bool_] | None = None  # bool[n_nodes]; what is not lit is drawn faded. None: everything is lit.
    ringed: NDArray[np.intp] = field(default_factory=lambda: NOBODY)  # intp[k], nodes with a ring around them
    words: Mapping[int, str] = field(default_factory=dict)  # replace the words on the edge into a node, "age = 42"
    shares: NDArray[np.float64] | None = None  # float64[n_nodes], 0 to 1: how much of each edge stands out
    way: NDArray[np.float64] | None = None  # float64[n_nodes], how much on top, of one row; `shares` are paler then
    letters: Mapping[int, str] = field(default_factory=dict)  # stand at the corners of nodes

    def strands(self, look: Theme) -> list[tuple[NDArray[np.float64], QColor]]:
        """What is drawn inside of edges, the last on top: how much of each, and its colour."""
        beside = look.flow_beside if self.way is not None else look.accent
        both = (self.shares, beside), (self.way, look.accent)
        return [(found, ink) for found, ink in both if found is not None]

    @cached_property
    def _lit_before(self) -> NDArray[np.intp] | None:
        """intp[n_nodes + 1]: how many nodes before each position are lit; None where nothing is faded."""
        return np.concatenate(([0], np.cumsum(self.lit, dtype=np.intp))) if self.lit is not None else None

    @cached_property
    def _ringed_before(self) -> Callable[[NDArray[np.integer]], NDArray[np.intp]]:
        """How many nodes before some positions have a ring: they may be very many."""
        return np.sort(self.ringed).searchsorted

    def are_ringed(self, nodes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[k]: which of some nodes have a ring."""
        return self._ringed_before(nodes + 1) > self._ringed_before(nodes)

    def is_ringed(self, i: int) -> bool:
        return bool(self.are_ringed(np.array([i]))[0])

    def are_ringed_below(self, nodes: NDArray[np.intp], end: NDArray[np.integer]) -> NDArray[np.bool_]:
        """bool[k]: which whole branches have a node with a ring; `end` as for `are_faded_below`."""
        return self._ringed_before(end[nodes]) > self._ringed_before(nodes)

    def faded(self, i: int) -> bool:
        return self.lit is not None and not self.lit[i]

    def are_faded(self, nodes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[k]: which of some nodes are drawn faded."""
        return ~self.lit[nodes] if self.lit is not None else np.zeros(nodes.size, bool)

    def are_faded_below(self, nodes: NDArray[np.intp], end: NDArray[np.integer]) -> NDArray[np.bool_]:
        """bool[k]: which whole branches are drawn faded, those without any lit node; `end` as in the tree."""
        before = self._lit_before
        return before[end[nodes]] == before[nodes] if before is not None else np.zeros(nodes.size, bool)


NOTHING = Emphasis()


def noted(tree: "engine.Tree", notes: Mapping[int, str]) -> Emphasis:
    """Words, by the ids of nodes, beside what the branches into them ask: "≤ 42.5 · 3 ≤ 5"."""
    places = {tree.position(node): text for node, text in notes.items() if node in tree}
    return Emphasis(words={i: f"{tree.branch_words(i)} · {text}" for i, text in places.items() if i})


@dataclass(frozen=True, eq=False)
class Way:
    """The way of one row; of a divided one the way of its largest part."""

    row: int  # its number, from 0; −1 of one whose values a person set
    nodes: tuple[int, ...]  # the ids on its way, the root first, the leaf last
    words: dict[int, str]  # by id, what the row has where it takes the branch into a node: "age = 42"
    target: str  # what the row is, in words; empty where that is missing
    parts: dict[int, float]  # by id, which part of the row stands in each node


def joined(parts: list[Emphasis]) -> Emphasis | None:
    """Several at once: lit is what all light, shares are the largest, of two words on an edge the later ones stay."""
    if len(parts) < 2:
        return parts[0] if parts else None
    lit = [part.lit for part in parts if part.lit is not None]
    shares = [part.shares for part in parts if part.shares is not None]
    return Emphasis(
        np.logical_and.reduce(lit) if lit else None,
        np.unique(np.concatenate([part.ringed for part in parts])),
        {i: text for part in parts for i, text in part.words.items()},
        np.maximum.reduce(shares) if shares else None,
        next((part.way for part in parts if part.way is not None), None),
        {i: text for part in parts for i, text in part.letters.items()},
    )
