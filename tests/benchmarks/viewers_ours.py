"""Espalier's canvas, as `viewer_trees.Viewer` describes a viewer: the widget of the window, with all that it draws."""

import os
from typing import Any

import numpy as np

from tests.benchmarks.viewer_trees import CLASSES, NAMES, SIDES, TARGET, Fitted


class Cards:
    """The tree from top to bottom."""

    package = ""
    repaints = True, True
    kind = "cards"

    def begin(self) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from PySide6.QtWidgets import QApplication

        from gui import theme
        from gui.canvas.view import TreeView
        from gui.picture import levels
        from gui.picture.kinds import prepare
        from gui.picture.picture_options import PictureOptions
        from tests.gui.canvas.trees import Shown, random_tree

        self._application = QApplication.instance() or QApplication(["espalier"])
        theme.apply(self._application)
        levels.warm_up()  # kernels that draw and lay out: in the program nobody waits for them
        prepare(random_tree(3_001, seed=1), PictureOptions())
        self._document = Shown()
        self._document.look.set(kind=self.kind)
        self._view = TreeView(self._document)
        self._view.resize(*SIDES)
        self._view.show()

    def take(self, tree: Fitted) -> None:
        self._tree = tree_of(tree)

    def build(self) -> None:
        self._document.show_tree(self._tree)
        self._application.processEvents()
        self.fit()
        self.repaint()

    def fit(self) -> None:
        self._view.fit()

    def look_at(self, place: int) -> None:
        from PySide6.QtCore import QPointF

        self._view.actual_size()
        port = self._view.port
        away = QPointF(SIDES[0] / 2, SIDES[1] / 2) - port.box(place).center()
        port.pan(away.x(), away.y())

    def repaint(self) -> None:
        self._view.grab()

    def end(self) -> None:
        """Puts the window away."""
        self._view.close()
        self._view.deleteLater()


class Streams(Cards):
    """The tree from left to right."""

    kind = "streams"


def tree_of(tree: Fitted) -> Any:
    """The same tree as one of Espalier's."""
    from engine.tree.nodes import Nodes, TreeColumn, unfilled
    from engine.tree.tree import Tree

    theirs, order = tree.model.tree_, tree.preorder
    n, inner = len(order), theirs.children_left[order] >= 0
    rows = theirs.n_node_samples[order].astype(np.int64)
    counts = np.rint(theirs.value[order, 0, :] * theirs.weighted_n_node_samples[order, None])
    zero, far = np.zeros(n, np.int32), np.zeros(n, np.int64)
    nodes = Nodes(
        np.arange(n), np.where(inner, 2, 0).astype(np.int32), inner.astype(np.int8),
        np.where(inner, theirs.feature[order], -1).astype(np.int32), np.where(inner, theirs.threshold[order], np.nan),
        zero, zero, far, far, np.zeros(n, bool), counts, np.zeros_like(counts), rows, far, *unfilled(n),
    )  # fmt: skip
    columns = tuple(TreeColumn(name, "number", (), False) for name in NAMES)
    return Tree("classes", TARGET, CLASSES, columns, nodes, next_id=n)
