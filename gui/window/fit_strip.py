"""How good the tree is, always in sight: "12 leaves · depth 5 · error: train 8.8 %, valid 12.6 % (used 3 times)".

Where mistakes are weighed by costs or priors their mean cost stands beside the error: the labels make it small.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.model import tree_figures
from gui.model.document import Document
from gui.widgets import verbatim
from gui.wording import phrases, words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

PARTS = (("train", "train"), ("validation", "valid"))  # and how they are called here
USES = (
    "How often validation rows were looked at to make a decision: each use makes their figure a little too good. "
    "Test rows, if there are any, are untouched."
)
COST = (
    "Cost: what a row costs on average, mistakes at their costs and classes by their priors; the labels of such leaves "
    "make it small, even where that makes the error larger."
)


class FitStrip(QLabel):
    """Leaves, depth and fit of the tree on the canvas."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fit_strip")
        self.setAccessibleName("Fit of the tree")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContentsMargins(16, 0, 16, 0)
        self._document = document
        document.treeChanged.connect(self.refresh)
        document.tableChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Says it anew."""
        tree = self._document.tree
        self.setText(fit_words(tree, self._document.validation_uses) if tree is not None else "")
        self.setToolTip(verbatim.tip(tooltip(tree) if tree is not None else ""))


def fit_words(tree: Tree, uses: int | None) -> str:
    """The whole strip; without how often validation rows were used where that is None, as on paper."""
    parts = [phrases.leaves(tree.n_leaves), f"depth {tree.depth}"]
    known = [(part, name) for part, name in PARTS if not math.isnan(tree_figures.error(tree, part))]
    if known:
        explained = "absolute error explained " if tree.predicts_median else "R² "
        measure = "error: " if tree.task == "classes" else explained
        parts.append(measure + ", ".join(f"{name} {fit(tree, part)}" for part, name in known))
        if phrases.weighs_mistakes(tree):
            parts.append(
                "cost: " + ", ".join(f"{name} {words.value(tree_figures.loss(tree, part))}" for part, name in known)
            )
    if uses is not None and not math.isnan(tree_figures.error(tree, "validation")):
        parts[-1] += f" ({phrases.used(uses)})"
    return " · ".join(parts)


def fit(tree: Tree, part: str) -> str:
    """The share of rows that are wrong, or the share of the root's squared error that the tree explains (R²); of a
    tree that predicts medians that of its absolute error."""
    error = tree_figures.error(tree, part)
    if tree.task == "classes":
        return words.percent(error)
    root = tree_figures.root_cost(tree, part)
    return f"{1 - error / root:.3f}".replace("-", words.MINUS) if root > 0 else words.NOTHING


def tooltip(tree: Tree) -> str:
    """What the figures mean."""
    kind = "R², the share of the squared error of the root that the tree takes away"
    if tree.task == "classes":
        kind = "the share of rows with the wrong label"
    elif tree.predicts_median:
        kind = "the share of the absolute error of the root that the tree takes away"
    cost = f"{COST}\n" if phrases.weighs_mistakes(tree) else ""
    return f"Training and validation: {kind}.\n{cost}{USES}"
