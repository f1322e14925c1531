"""The box plots of a numeric target: asked of the worker when the cards show them, kept with the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from gui.model.tasks import box_tasks
from gui.picture.nodes.figures import keep_boxes, known_boxes

if TYPE_CHECKING:
    import numpy as np

    from gui.model.document import Document


class BoxPlots(QObject):
    """Finds out what cards are to show, when nothing else is to be done.

    Signals:
        changed: They are known of the tree on the canvas.
    """

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        document.treeChanged.connect(self._ask)
        document.look.changed.connect(self._ask)

    def _ask(self) -> None:
        state, look = self._document.state, self._document.look
        if state is None or state.tree.task != "number" or "bar" not in look.lines:
            return
        part = look.part if int(state.tree.rows_validation[0]) else "train"
        if known_boxes(state.tree, part) is not None:
            return
        tree = state.tree

        def done(found: NDArray[np.float64]) -> None:
            keep_boxes(tree, part, found)
            if self._document.tree is tree:
                self.changed.emit()

        self._document.jobs.run(
            "Finding quartiles", box_tasks.boxes, state, part, done=done, key="box plots", idle=True
        )
