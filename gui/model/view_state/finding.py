"""Searching the tree on the canvas while somebody types, in the worker where it is large: typing never waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from gui.picture import matching

if TYPE_CHECKING:
    from gui.model.document import Document
    from gui.picture.matching import Found

AT_ONCE = 2_000  # nodes; these are searched before the next key


class Finding(QObject):
    """Keeps `look.found` in step with `look.query` and the tree, and walks through it."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._steps = 0  # asked for while the answer is on its way
        document.look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self._find)

    @property
    def searching(self) -> bool:
        """Whether the answer is on its way."""
        look = self._document.look
        return look.finding and bool(look.query.strip()) and look.found is None and self._document.tree is not None

    @property
    def place(self) -> int:
        """Which of the nodes that were found is selected, from 0; −1 for none."""
        found = self._document.look.found
        if found is None or found.tree is not self._document.tree:
            return -1
        i = found.tree.position(self._document.selected)
        k = int(np.searchsorted(found.positions, i))
        return k if k < found.positions.size and found.positions[k] == i else -1

    def walk(self, step: int) -> None:
        """Selects the next (1) or the previous (−1) of the nodes found, in the order of the tree and around its end;
        while they are looked for, as soon as they are there."""
        found = self._document.look.found
        if found is None:
            self._steps = step if self.searching else 0
            return
        n = found.positions.size
        if not n:
            return
        i = found.tree.position(self._document.selected)
        # The next one behind the selected node, or the one before it.
        k = np.searchsorted(found.positions, i, side="right") if step > 0 else np.searchsorted(found.positions, i) - 1
        self._document.select(int(found.tree.ids[found.positions[int(k) % n]]))

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"query", "finding"}:
            self._find()

    def _find(self) -> None:
        look, tree, jobs = self._document.look, self._document.tree, self._document.jobs
        jobs.drop("find")
        self._steps = 0
        if tree is None or not look.finding or not look.query.strip():
            look.set(found=None)
        elif tree.n_nodes <= AT_ONCE:
            look.set(found=matching.find(tree, look.query))
        else:
            look.set(found=None)
            jobs.run("Finding nodes", matching.find, tree, look.query, done=self._take, key="find", quiet=True)

    def _take(self, found: Found) -> None:
        if found.tree is not self._document.tree:
            return
        steps, self._steps = self._steps, 0
        self._document.look.set(found=found)
        if steps:
            self.walk(steps)
