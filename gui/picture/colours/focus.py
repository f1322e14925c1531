"""Which class of each target people put into focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.picture.picture_options import usual_focus

if TYPE_CHECKING:
    from engine.tree.tree import Tree


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
