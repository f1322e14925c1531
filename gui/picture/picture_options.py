"""What a picture of a tree shows beyond the tree: its colours, the lines on its cards, whose rows flow through it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import engine
from gui.picture.folds import Folds
from gui.settings import SETTINGS


@dataclass(frozen=True, eq=False)
class PictureOptions:
    """A choice for one picture."""

    colour_by: str = ""  # a name of `colours.modes.MODES`; empty: as fits the target
    lines: tuple[str, ...] = tuple(SETTINGS["canvas_lines"].default)  # names of `nodes.card_lines.LINES`
    part: str = "train"  # "train" or "validation": which rows ribbons, bars and figures are about
    differing: NDArray[np.float64] | None = None  # float64[n_nodes]: colours by how another tree differs
    returned: NDArray[np.float64] | None = None  # float64[n_nodes]: in which share of samples each split returned
    folds: Folds = field(default_factory=Folds)  # which branches are folded

    def part_of(self, tree: engine.Tree) -> str:
        """The part that is shown: training rows where there are no validation rows."""
        return self.part if tree.rows_validation[0] > 0 else "train"


USUAL = PictureOptions()


def usual_focus(tree: engine.Tree) -> int:
    """The class whose rate is shown: of two the second, of more the most frequent at the root; 0 of a number."""
    n = len(tree.classes)
    return 1 if n == 2 else int(np.argmax(tree.train[0])) if n else 0


class Focus:
    """The classes that people put into focus, one of each target."""

    def __init__(self) -> None:
        self.chosen: dict[str, int] = {}  # position of the class by the target's name, as a project file keeps it

    def of(self, tree: engine.Tree) -> int:
        """The position of the class in focus; 0 for a numeric target."""
        chosen = self.chosen.get(tree.target, -1)
        return chosen if 0 <= chosen < len(tree.classes) else usual_focus(tree)

    def choose(self, tree: engine.Tree, index: int) -> bool:
        """Puts a class into focus; whether there is such a class, and it was not in focus already."""
        if index == self.of(tree) or not 0 <= index < len(tree.classes):
            return False
        self.chosen[tree.target] = int(index)
        return True

    def keep(self, before: engine.Tree | None, focus: int, now: engine.Tree) -> None:
        """Where the classes stand in another order, or another one leads, the one in focus stays in focus."""
        if before is None or before.target != now.target:
            return
        same = (before.classes, usual_focus(before)) == (now.classes, usual_focus(now))
        if not same and focus < len(before.classes) and before.classes[focus] in now.classes:
            self.chosen[now.target] = now.classes.index(before.classes[focus])
