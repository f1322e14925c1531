"""Which class is in focus unless somebody chooses another one, and in which order many classes are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.tree.tree import Tree

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


class Focus:
    """The classes that people put into focus, one of each target.

    Attributes:
        chosen: position of the class by the target's name, as a project file keeps it.
    """

    def __init__(self) -> None:
        self.chosen: dict[str, int] = {}

    def of(self, tree: Tree) -> int:
        """The position of the class in focus; 0 for a numeric target."""
        chosen = self.chosen.get(tree.target, -1)
        return chosen if 0 <= chosen < len(tree.classes) else usual_focus(tree)

    def choose(self, tree: Tree, index: int) -> bool:
        """Puts a class into focus; whether there is such a class, and it was not in focus already."""
        if index == self.of(tree) or not 0 <= index < len(tree.classes):
            return False
        self.chosen[tree.target] = int(index)
        return True

    def keep(self, before: Tree | None, focus: int, now: Tree) -> None:
        """Where the classes stand in another order, or another one leads, the one in focus stays in focus."""
        if before is None or before.target != now.target:
            return
        if (before.classes, usual_focus(before)) == (now.classes, usual_focus(now)):
            return
        if focus < len(before.classes) and before.classes[focus] in now.classes:
            self.chosen[now.target] = now.classes.index(before.classes[focus])
