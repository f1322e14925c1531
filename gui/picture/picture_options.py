"""What a picture of a tree shows beyond the tree: its colours, the lines on its cards, whose rows flow through it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from numpy.typing import NDArray

from gui.picture.folds.folded import Folds
from gui.settings import SETTINGS

if TYPE_CHECKING:
    import numpy as np

    from engine.tree.tree import Tree
    from gui.model.document import Document

# The attributes of `document.look` that make another picture.
SHOWN_BY = frozenset({"kind", "colour_by", "lines", "part", "folds"})


@dataclass(frozen=True, eq=False)
class Shown:
    """A choice for one picture.

    Attributes:
        colour_by: a name of `colours.modes.MODES`; empty: as fits the target.
        lines: names of `nodes.card_lines.LINES`.
        part: "train" or "validation": which rows ribbons, bars and figures are about.
        differing: float64[n_nodes], the share of rows that another tree answers differently; colours by that.
        folds: which branches are folded.
    """

    colour_by: str = ""
    lines: tuple[str, ...] = tuple(SETTINGS["canvas_lines"].default)
    part: str = "train"
    differing: NDArray[np.float64] | None = None
    folds: Folds = field(default_factory=Folds)

    @classmethod
    def of(cls, document: Document) -> Shown:
        """What the document's canvas shows."""
        look = document.look
        return cls(look.colour_by, look.lines, look.part, document.comparing.shares, look.folds)

    def part_of(self, tree: Tree) -> str:
        """The part that is shown: training rows where there are no validation rows."""
        return self.part if tree.rows_validation[0] > 0 else "train"


_chosen = [Shown()]


def note(shown: Shown) -> None:
    """Remembers what the canvas shows, so that the worker prepares a tree as it will be shown."""
    _chosen[0] = shown


def noted() -> Shown:
    """What the canvas showed last, but for how another tree differs."""
    return _chosen[0]
