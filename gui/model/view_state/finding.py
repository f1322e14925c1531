"""What is found out for the picture, in the worker where it takes long: the nodes that a query means, and box plots."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui.model.history import State
from gui.model.host import Host
from gui.picture import matching
from gui.picture.matching import Found
from gui.picture.nodes.figures import keep_boxes, known_boxes

AT_ONCE = 2_000  # nodes; these are searched before the next key


class Finding(QObject):
    """Keeps `look.found` in step with `look.query` and the tree, and walks through it."""

    def __init__(self, document: Host) -> None:
        super().__init__(document)
        self._document, self._look = document, document.look
        self._steps = 0  # asked for while the answer is on its way
        self._look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self._find)

    @property
    def searching(self) -> bool:
        """Whether the answer is on its way."""
        look = self._look
        return look.finding and bool(look.query.strip()) and look.found is None and self._document.tree is not None

    @property
    def place(self) -> int:
        """Which of the nodes that were found is selected, from 0; −1 for none."""
        found = self._look.found
        if found is None or found.tree is not self._document.tree:
            return -1
        at = np.flatnonzero(found.positions == found.tree.position(self._document.selected))
        return int(at[0]) if at.size else -1

    def walk(self, step: int) -> None:
        """Selects the next (1) or previous (−1) of the nodes found, around the end; while they are sought, then."""
        found = self._look.found
        if found is None:
            self._steps = step if self.searching else 0
            return
        if n := found.positions.size:
            i = found.tree.position(self._document.selected)
            # The next one behind the selected node, or the one before it.
            k = np.searchsorted(found.positions, i, side="right" if step > 0 else "left") - (step < 0)
            self._document.select(int(found.tree.ids[found.positions[int(k) % n]]))

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"query", "finding"}:
            self._find()

    def _find(self) -> None:
        look, tree, jobs = self._look, self._document.tree, self._document.jobs
        jobs.drop("find")
        self._steps = 0
        if tree is None or not look.finding or not look.query.strip():
            look.set(found=None)
        elif tree.n_nodes <= AT_ONCE:
            look.set(found=matching.find(tree, look.query))
        else:
            look.set(found=None)
            jobs.run(tr("Finding nodes"), matching.find, tree, look.query, done=self._take, key="find", quiet=True)

    def _take(self, found: Found) -> None:
        if found.tree is self._document.tree:
            steps, self._steps = self._steps, 0
            self._look.set(found=found)
            if steps:
                self.walk(steps)


class BoxPlots(QObject):
    """Finds out what cards are to show, when nothing else is to be done."""

    changed = Signal()  # they are known of the tree on the canvas

    def __init__(self, document: Host) -> None:
        super().__init__(document)
        self._document, self._look = document, document.look
        document.treeChanged.connect(self._ask)
        self._look.changed.connect(self._ask)

    def _ask(self) -> None:
        state, look = self._document.state, self._look
        if state is None or state.tree.task != "number" or "bar" not in look.lines:
            return
        tree, part = state.tree, look.part if int(state.tree.rows_validation[0]) else "train"

        def done(found: NDArray[np.float64]) -> None:
            keep_boxes(tree, part, found)
            if self._document.tree is tree:
                self.changed.emit()

        if known_boxes(tree, part) is None:
            self._document.jobs.run(tr("Finding quartiles"), boxes, state, part, done=done, key="box_plots", idle=True)


# -- in the worker, without Qt


def boxes(state: State, part: str, progress: Progress) -> NDArray[np.float64]:
    """float64[n_nodes, 5], see `engine.tree.counting.BOX`."""
    from engine.tree.counting import quantiles  # late: it brings the compiler

    return quantiles(state.table, state.tree, state.assigned(), part, progress=progress)
