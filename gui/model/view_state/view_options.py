"""How the canvas shows the tree: what a person chose about the picture, never anything about the tree itself; and what
is found out for it in the worker: the nodes that a query means, and box plots.

One object, owned by the document, so that views, menus and panels agree without knowing each other. What is a taste
outlives the program (see `TASTES`); the rest begins anew with every table (see `BEGINNINGS`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui.model.history import State
from gui.model.host import Host
from gui.model.view_state.follow_tasks import Flow
from gui.picture import matching
from gui.picture.emphasis import Way
from gui.picture.folds import Folds
from gui.picture.leaves import LeafFilter
from gui.picture.matching import Found
from gui.picture.nodes.figures import keep_boxes, known_boxes
from gui.picture.picture_options import PictureOptions
from gui.settings import SETTINGS, Settings

TASTES = {
    "kind": "canvas_kind",
    "icicle": "canvas_icicle",
    "minimap": "canvas_minimap",
    "motion": "canvas_motion",
    "colour_by": "canvas_colour_by",
    "lines": "canvas_lines",
}  # attributes that are kept, and their settings
AT_ONCE = 2_000  # nodes; these are searched before the next key
# What every table begins with anew.
BEGINNINGS: dict[str, Any] = {
    "part": "train", "finding": False, "query": "", "found": None, "filtering": False, "filter": None, "best": None,
    "also": (), "pointed": -1, "way": None, "flow": None, "folds": Folds(),
}  # fmt: skip

# The attributes that make another picture.
SHOWN_BY = frozenset({"kind", "colour_by", "lines", "part", "folds"})


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
        way: of the row that is followed; flow: of the rows that are. See `view_state.following`; None for none.

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


class Finding(QObject):
    """Keeps `look.found` in step with `look.query` and the tree, and walks through it."""

    def __init__(self, document: Host, look: Look) -> None:
        super().__init__()
        self._document, self._look = document, look
        self._steps = 0  # asked for while the answer is on its way
        look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self._find)

    @property
    def searching(self) -> bool:
        """Whether the answer is on its way."""
        look = self._look
        return look.finding and bool(look.query.strip()) and look.found is None and self._document.tree is not None

    @property
    def place(self) -> int:
        """Which of the nodes that were found is selected, from 0; −1 for none."""
        found = self._look.found
        if found is None or found.tree is not self._document.tree:
            return -1
        i = found.tree.position(self._document.selected)
        k = int(np.searchsorted(found.positions, i))
        return k if k < found.positions.size and found.positions[k] == i else -1

    def walk(self, step: int) -> None:
        """Selects the next (1) or the previous (−1) of the nodes found, in the order of the tree and around its end;
        while they are looked for, as soon as they are there."""
        found = self._look.found
        if found is None:
            self._steps = step if self.searching else 0
            return
        n = found.positions.size
        if not n:
            return
        i = found.tree.position(self._document.selected)
        # The next one behind the selected node, or the one before it.
        k = np.searchsorted(found.positions, i, side="right") if step > 0 else np.searchsorted(found.positions, i) - 1
        self._document.select(int(found.tree.ids[found.positions[int(k) % n]]))

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"query", "finding"}:
            self._find()

    def _find(self) -> None:
        look, tree, jobs = self._look, self._document.tree, self._document.jobs
        jobs.drop("find")
        self._steps = 0
        if tree is None or not look.finding or not look.query.strip():
            look.set(found=None)
        elif tree.n_nodes <= AT_ONCE:
            look.set(found=matching.find(tree, look.query))
        else:
            look.set(found=None)
            jobs.run(tr("Finding nodes"), matching.find, tree, look.query, done=self._take, key="find", quiet=True)

    def _take(self, found: Found) -> None:
        if found.tree is not self._document.tree:
            return
        steps, self._steps = self._steps, 0
        self._look.set(found=found)
        if steps:
            self.walk(steps)


class BoxPlots(QObject):
    """Finds out what cards are to show, when nothing else is to be done.

    Signals:
        changed: They are known of the tree on the canvas.
    """

    changed = Signal()

    def __init__(self, document: Host, look: Look) -> None:
        super().__init__()
        self._document, self._look = document, look
        document.treeChanged.connect(self._ask)
        look.changed.connect(self._ask)

    def _ask(self) -> None:
        state, look = self._document.state, self._look
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

        self._document.jobs.run(tr("Finding quartiles"), boxes, state, part, done=done, key="box_plots", idle=True)


# -- in the worker, without Qt


def boxes(state: State, part: str, progress: Progress) -> NDArray[np.float64]:
    """float64[n_nodes, 5], see `engine.tree.counting.BOX`."""
    from engine.tree.counting import quantiles  # late: it brings the compiler

    return quantiles(state.table, state.tree, state.assigned(), part, progress=progress)
