"""How the canvas shows the tree: what a person chose about the picture, never anything about the tree itself.

One object, owned by the document, so that views, menus and panels agree without knowing each other. What is a taste
outlives the program (see `TASTES`); the rest begins anew with every table (see `BEGINNINGS`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from gui.picture.emphasis import Way
from gui.picture.folds import Folds
from gui.picture.leaves import LeafFilter
from gui.picture.matching import Found
from gui.picture.picture_options import PictureOptions
from gui.settings import SETTINGS, Settings

if TYPE_CHECKING:
    from engine.tree.tree import Tree

TASTES = {
    "kind": "canvas_kind", "icicle": "canvas_icicle", "minimap": "canvas_minimap", "motion": "canvas_motion",
    "colour_by": "canvas_colour_by", "lines": "canvas_lines",
}  # fmt: skip  # attributes that are kept, and their settings
# What every table begins with anew.
BEGINNINGS: dict[str, Any] = {
    "part": "train", "finding": False, "query": "", "found": None, "filtering": False, "filter": None, "best": None,
    "also": (), "pointed": -1, "way": None, "flow": None, "folds": Folds(),
}  # fmt: skip

# The attributes that make another picture.
SHOWN_BY = frozenset({"kind", "colour_by", "lines", "part", "folds"})


@dataclass(frozen=True, eq=False)
class Chosen:
    """Some rows of a table.

    Attributes:
        words: which they are.
        rows: uint32[n], ascending.
    by_error: whether they were chosen by what the tree says of them; then their number says most.
    """

    words: str
    rows: NDArray[np.uint32]
    by_error: bool = False


@dataclass(frozen=True, eq=False)
class Flow:
    """How rows flow through a tree.

    Attributes:
        chosen: which rows.
        tree: that they flow through.
        shares: by part, "train" and "validation": float64[n_nodes], the share of that part's rows in each node that are
            among them; 0 without rows.
        n_rows: how many train, validate, and do neither. n_table: the rows of the table.
        train, validation: float64[S], their statistics; of a numeric target (w, Σwy, nothing).
    """

    chosen: Chosen
    tree: Tree
    shares: dict[str, NDArray[np.float64]]
    n_rows: tuple[int, int, int]
    n_table: int
    train: NDArray[np.float64]
    validation: NDArray[np.float64]


class Look(QObject):
    """What the canvas shows beyond the tree.

    Attributes:
        kind: how the tree is drawn, a name of `gui.picture.kinds.KINDS`.
        icicle: whether the icicle stands below the canvas.
        minimap: whether a small picture of the whole tree stands in the corner while only a part of it is in view.
        motion: whether the view moves to where it is sent, instead of being there at once.
        presenting: whether the window shows nothing but the canvas, in larger letters.
        colour_by: a name of `gui.picture.colours.MODES`; empty: as fits the target.
        lines: which lines cards show, names of `gui.picture.nodes.cards.LINES`.
        part: "train" or "validation": which rows flow through the tree, as the widths of ribbons and as bars.
        folds: which branches are folded.
        pointed: the id of the node that the mouse is over, on the canvas or in a panel; −1 for none.
        finding: whether the find bar is open.
        query: what stands in it.
        found: the nodes that it means, ringed; None while they are looked for, and while nothing is.
        filtering: whether the form of the filter is open.
        filter: what leaves need to pass; None: no filter. What does not pass is faded.
        best: the class whose best leaves are listed and ringed, by name; "highest" or "lowest" for numbers; None while
            the list is closed.
        also: the ids of nodes that are selected beside the document's, or held while it moves on; see
            `gui.model.view_state.several`.
        way: of the row that is followed; flow: of the rows that are. see `view_state.following`; None for none.

    Signals:
        changed: arg: the names of the attributes that are others, a frozenset
    """

    changed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._settings: Settings | None = None
        self.kind: str = SETTINGS["canvas_kind"].default
        self.icicle: bool = SETTINGS["canvas_icicle"].default
        self.minimap: bool = SETTINGS["canvas_minimap"].default
        self.motion: bool = SETTINGS["canvas_motion"].default
        self.presenting = False
        self.colour_by: str = SETTINGS["canvas_colour_by"].default
        self.lines: tuple[str, ...] = tuple(SETTINGS["canvas_lines"].default)
        self.part: str = BEGINNINGS["part"]
        self.folds: Folds = BEGINNINGS["folds"]
        self.finding: bool = BEGINNINGS["finding"]
        self.query: str = BEGINNINGS["query"]
        self.found: Found | None = None
        self.filtering: bool = BEGINNINGS["filtering"]
        self.filter: LeafFilter | None = None
        self.best: str | None = None
        self.pointed: int = BEGINNINGS["pointed"]
        self.also: tuple[int, ...] = BEGINNINGS["also"]
        self.way: Way | None = None
        self.flow: Flow | None = None

    def remember(self, settings: Settings) -> None:
        """Takes the tastes over that were kept, and keeps them from now on."""
        self._settings = settings
        stored = {name: settings.value(setting) for name, setting in TASTES.items()}
        self.set(**{name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()})

    def begin(self) -> None:
        """Begins anew, as another table does; tastes stay."""
        self.set(**BEGINNINGS)

    def set(self, **values: Any) -> None:
        """Sets attributes; tells once which of them are others now."""
        others = {name: value for name, value in values.items() if getattr(self, name) != value}
        for name, value in others.items():
            setattr(self, name, value)
            if name in TASTES and self._settings is not None:
                self._settings.set(TASTES[name], list(value) if isinstance(value, tuple) else value)
        if others:
            self.changed.emit(frozenset(others))

    def picture_options(self, differing: NDArray[np.float64] | None = None) -> PictureOptions:
        """What the canvas shows of a tree; `differing`: see there."""
        return PictureOptions(self.colour_by, self.lines, self.part, differing, self.folds)
