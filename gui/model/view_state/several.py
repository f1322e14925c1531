"""Several nodes selected at once: `document.selected` is the main one, the others stand in `document.look.also`.

Ctrl and a click adds a node or takes it out; Shift and an arrow goes on and keeps what was selected, and going back
gives it up again. Ctrl+Space holds the main node, and Ctrl and an arrow walks on and leaves what is held. Whatever
selects a node alone ends it, and so does Esc."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt

import engine
from engine.runtime.sentences import tr
from gui.model.host import Host
from gui.wording import phrases, words

Modifier = Qt.KeyboardModifier


class Several(QObject):
    """Adds nodes to the selected one, and takes them out again."""

    def __init__(self, document: Host) -> None:
        super().__init__(document)
        self._document, self._look = document, document.look
        self._adding = False
        document.selectionChanged.connect(self._on_selection_changed)
        document.treeChanged.connect(self._on_tree_changed)

    @property
    def nodes(self) -> tuple[int, ...]:
        """The ids of all selected nodes, the main one last."""
        main = self._document.selected
        return (*(node for node in self._look.also if node != main), main)

    @property
    def on(self) -> bool:
        """Whether more than one node is selected, or one is held."""
        return bool(self._look.also)

    def click(self, node: int, modifiers: Modifier = Modifier.NoModifier, menu: bool = False) -> None:
        """Selects a node alone; or adds it, or takes it out. A menu about one of several leaves them selected."""
        if modifiers & (Modifier.ControlModifier | Modifier.ShiftModifier):
            self.toggle(node)
        elif menu and node in self.nodes:
            also = (*self._look.also, self._document.selected)
            self._set([each for each in dict.fromkeys(also) if each != node], node)
        else:
            self.alone(node)

    def go(self, node: int, modifiers: Modifier) -> None:
        """A key led to a node."""
        if modifiers & Modifier.ShiftModifier:
            self.extend(node)
        elif modifiers & Modifier.ControlModifier:  # what is held stays selected
            self._set(list(self._look.also), node)
        else:
            self.alone(node)

    def alone(self, node: int) -> None:
        """Selects one node and no other."""
        self._look.set(also=())
        self._document.select(node)

    def toggle(self, node: int) -> None:
        """Adds a node, which becomes the main one, or takes it out; the last one stays."""
        others = [each for each in self.nodes if each != node]
        if node not in self.nodes:
            self._set(others, node)
        elif others:
            self._set(others[:-1], others[-1])

    def extend(self, node: int) -> None:
        """Goes on to a node and keeps those that are selected; going back to one gives the present one up."""
        main, also = self._document.selected, self._look.also
        if node != main:
            kept = [each for each in also if each not in (node, main)]
            self._set(kept if node in also else [*kept, main], node)

    def hold(self) -> None:
        """Holds the main node, so that walking on leaves it selected, or lets it go."""
        main, also = self._document.selected, self._look.also
        self._look.set(also=tuple(each for each in also if each != main) if main in also else (*also, main))

    def choose(self, nodes: Sequence[int]) -> None:
        """Selects these nodes and no others, the first as the main one; none leaves all as it is."""
        if nodes:
            self._set(list(nodes[1:]), nodes[0])

    def clear(self) -> None:
        """Selects the main node alone."""
        self._look.set(also=())

    def _set(self, also: list[int], main: int) -> None:
        self._adding = True
        try:
            self._document.select(main)
        finally:
            self._adding = False
        self._look.set(also=tuple(also))

    def _on_selection_changed(self, node: int) -> None:
        if not self._adding:
            self.clear()

    def _on_tree_changed(self, before: engine.Tree | None, after: engine.Tree | None) -> None:
        self._look.set(also=tuple(node for node in self._look.also if after is not None and node in after))


class Together(NamedTuple):
    """What some nodes are together; what stands below two of them counts once."""

    n_nodes: int  # that were named
    n_leaves: int  # that stand at and below them
    all_leaves: bool  # whether only leaves were named
    rows: int
    rows_validation: int
    train: NDArray[np.float64]  # float64[S], their statistics; of a numeric target (w, Σwy, nothing)
    validation: NDArray[np.float64]


def together(tree: engine.Tree, nodes: tuple[int, ...]) -> Together:
    """The sum over what stands at and below some nodes."""
    places = np.sort(np.array([tree.position(node) for node in nodes if node in tree], dtype=np.int64))
    # In preorder: what stands below one comes right after it.
    ends = np.maximum.accumulate(tree.end[places])
    tops = places[places >= np.concatenate(([0], ends))[: places.size]]
    before = np.searchsorted(tree.leaves, np.array([tops, tree.end[tops]]))
    return Together(
        len(places), int((before[1] - before[0]).sum()), not bool(tree.n_branches[places].any()),
        int(tree.rows_train[tops].sum()), int(tree.rows_validation[tops].sum()),
        tree.train[tops].sum(axis=0), tree.validation[tops].sum(axis=0),
    )  # fmt: skip


def together_words(tree: engine.Tree, nodes: tuple[int, ...], focus: int) -> str:
    """What some nodes are together: "these 3 leaves: 412 rows, 61 % good (validation 58 %)"."""
    found = together(tree, nodes)
    leaves, n = phrases.leaves(found.n_leaves), words.count(found.n_nodes)
    if found.n_nodes > 1:
        here = tr("these {leaves}", leaves=leaves)
        here = here if found.all_leaves else tr("these {n} nodes ({leaves})", n=n, leaves=leaves)
    else:
        here = tr("this leaf") if found.all_leaves else tr("this node ({leaves})", leaves=leaves)
    rows = phrases.counted_rows(found.rows)
    said, seen = said_of(tree, found.train, focus), said_of(tree, found.validation, focus, named=False)
    figures = {"nodes": here, "rows": rows, "said": said, "seen": seen}
    if not said:
        return tr("{nodes}: {rows} (validation {seen})", **figures) if seen else tr("{nodes}: {rows}", **figures)
    if not seen:
        return tr("{nodes}: {rows}, {said}", **figures)
    return tr("{nodes}: {rows}, {said} (validation {seen})", **figures)


def said_of(tree: engine.Tree, stats: NDArray[np.float64], focus: int, named: bool = True) -> str:
    """A statistic in words: the share of the class in focus, or the mean; empty without rows."""
    total = float(stats.sum() if tree.task == "classes" else stats[0])
    if not total > 0:
        return ""
    if tree.task == "classes":
        share = words.rate(float(stats[focus]) / total)
        return words.rated(share, tree.classes[focus]) if named else share
    mean = words.value(float(stats[1]) / total + tree.origin)
    return tr("mean {value}", value=mean) if named else mean
