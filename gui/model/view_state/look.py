"""How the canvas shows the tree: what a person chose about the picture, never anything about the tree itself. What is a
taste outlives the program (see `TASTES`); the rest begins anew with every table (see `BEGINNINGS`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

import engine
from gui.picture.emphasis import Way
from gui.picture.folds import Folds
from gui.picture.leaves import LeafFilter
from gui.picture.matching import Found
from gui.picture.picture_options import PictureOptions
from gui.settings import SETTINGS, Settings

TASTES = {
    "kind": "canvas_kind", "icicle": "canvas_icicle", "minimap": "canvas_minimap", "motion": "canvas_motion",
    "colour_by": "canvas_colour_by", "lines": "canvas_lines",
}  # fmt: skip  # attributes that are kept, and their settings
# What every table begins with anew.
BEGINNINGS: dict[str, Any] = {
    "part": "train", "finding": False, "query": "", "found": None, "filtering": False, "filter": None, "best": None,
    "also": (), "pointed": -1, "way": None, "flow": None, "folds": Folds(), "letters": None,
}  # fmt: skip
SHOWN_BY = frozenset({"kind", "colour_by", "lines", "part", "folds"})  # the attributes that make another picture


@dataclass(frozen=True, eq=False)
class Chosen:
    """Some rows of a table."""

    words: str  # which they are
    rows: NDArray[np.uint32]  # uint32[n], ascending
    by_error: bool = False  # whether they were chosen by what the tree says of them; then their number says most


@dataclass(frozen=True, eq=False)
class Flow:
    """How rows flow through a tree."""

    chosen: Chosen  # which rows
    tree: engine.Tree  # that they flow through
    shares: dict[str, NDArray[np.float64]]  # by part: float64[n_nodes], of each node's rows; 0 without rows
    n_rows: tuple[int, int, int]  # how many train, validate, and do neither
    n_table: int  # the rows of the table
    train: NDArray[np.float64]  # float64[S], their statistics; of a numeric target (w, Σwy, nothing)
    validation: NDArray[np.float64]


class Look(QObject):
    """What the canvas shows beyond the tree."""

    changed = Signal(object)  # arg: the names of the attributes that are others, a frozenset
    kind: str  # how the tree is drawn, a name of `gui.picture.kinds.KINDS`
    icicle: bool  # whether the icicle stands below the canvas
    minimap: bool  # whether a small picture of the whole tree stands in the corner while only a part of it is in view
    motion: bool  # whether the view moves to where it is sent, instead of being there at once
    colour_by: str  # a name of `gui.picture.colours.MODES`; empty: as fits the target
    lines: tuple[str, ...]  # which lines cards show, names of `gui.picture.nodes.cards.LINES`
    part: str  # "train" or "validation": which rows flow through the tree, as the widths of ribbons and as bars
    folds: Folds  # which branches are folded
    finding: bool  # whether the find bar is open
    query: str  # what stands in it
    found: Found | None  # the nodes that it means, ringed; None while they are looked for, and while nothing is
    filtering: bool  # whether the form of the filter is open
    filter: LeafFilter | None  # what leaves need to pass; None: no filter. What does not pass is faded
    best: str | None  # the class whose best leaves are ringed; "highest" or "lowest" for numbers; None: no list
    pointed: int  # the id of the node that the mouse is over, on the canvas or in a panel; −1 for none
    also: tuple[int, ...]  # nodes selected beside the document's, or held while it moves on; see `view_state.several`
    letters: dict[int, str] | None  # by id, what Plane calls the cuts of splits while it is seen
    way: Way | None  # of the row that is followed, see `view_state.following`
    flow: Flow | None  # of the rows that are followed

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._settings: Settings | None = None
        self.presenting = False  # whether the window shows nothing but the canvas, in larger letters
        tastes = {name: SETTINGS[setting].default for name, setting in TASTES.items()}
        for name, value in {**BEGINNINGS, **tastes}.items():
            setattr(self, name, tuple(value) if isinstance(value, list) else value)

    def remember(self, settings: Settings) -> None:
        """Takes the tastes over that were kept, and keeps them from now on."""
        self._settings = settings
        stored = {name: settings.value(setting) for name, setting in TASTES.items()}
        self.set(**{name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()})

    def set(self, **values: Any) -> None:
        """Sets attributes; tells once which of them are others now."""
        others = {name: value for name, value in values.items() if getattr(self, name) != value}
        for name, value in others.items():
            setattr(self, name, value)
            if name in TASTES and self._settings is not None:
                self._settings.set(TASTES[name], list(value) if isinstance(value, tuple) else value)
        if others:
            self.changed.emit(frozenset(others))

    def picture_options(self, **known: NDArray[np.float64] | None) -> PictureOptions:
        """What the canvas shows of a tree; `differing`, `returned`: see there."""
        return PictureOptions(self.colour_by, self.lines, self.part, folds=self.folds, **known)
