"""Which class is in focus unless somebody chooses another one, and in which order many classes are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.tree import Tree

MOST_NAMED = 8  # classes that stand in their own order; of more, those with most weight at the root come first


def usual_focus(tree: Tree) -> int:
    """The class whose rate is shown: of two the second, the "yes"; of more the most frequent at the root, of equal
    ones the first. 0 for a numeric target."""
    n = len(tree.classes)
    return 1 if n == 2 else int(np.argmax(tree.train[0])) if n else 0


def naming_order(tree: Tree) -> list[int]:
    """int[n_classes]: the classes as legends name them."""
    n = len(tree.classes)
    return list(range(n)) if n <= MOST_NAMED else np.argsort(-tree.train[0], kind="stable").tolist()
