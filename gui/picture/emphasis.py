"""What of a tree stands out: nodes that were searched for, selected together, or that some rows come through.

The painters of all kinds of picture draw it; nothing is laid out anew for it. What stands out at present is found in
`gui.canvas.scene_controller`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from gui.picture.nodes.letters import PIXELS, PLAIN, Letters, fonts
from gui.picture.shapes import fill_rounded
from gui.theme import Theme

NOBODY = np.zeros(0, np.intp)
WAYS = "right left above below"  # where words may stand beside a node, the best first
APART = 3.0  # pixels between a node and the words beside it
PLATE_HIGH, PLATE_BESIDE = 14.0, 5.0  # of the plate behind these, at scale 1


@dataclass(frozen=True, eq=False)
class Emphasis:
    """What stands out, by position in the tree.

    Attributes:
        lit: bool[n_nodes]; what is not lit is drawn faded, very low cards of it without words. None: everything is lit.
        ringed: intp[k], nodes with a ring around them.
        words: replace the words on the edge into a node, "age = 42".
        shares: float64[n_nodes], 0 to 1: how much of each edge is drawn in the accent colour. None: nothing.
        way: float64[n_nodes], how much of each edge is drawn on top: that is one row; `shares` are paler then.
    """

    lit: NDArray[np.bool_] | None = None
    ringed: NDArray[np.intp] = field(default_factory=lambda: NOBODY)
    words: Mapping[int, str] = field(default_factory=dict)
    shares: NDArray[np.float64] | None = None
    way: NDArray[np.float64] | None = None

    def strands(self, look: Theme) -> list[tuple[NDArray[np.float64], QColor]]:
        """What is drawn inside of edges, the last on top: how much of each, and its colour."""
        beside = look.flow_beside if self.way is not None else look.accent
        both = (self.shares, beside), (self.way, look.accent)
        return [(found, ink) for found, ink in both if found is not None]

    @cached_property
    def _lit_before(self) -> NDArray[np.intp]:
        """intp[n_nodes + 1]: how many nodes before each position are lit."""
        assert self.lit is not None
        return np.concatenate(([0], np.cumsum(self.lit, dtype=np.intp)))

    @cached_property
    def _in_order(self) -> NDArray[np.intp]:
        """The nodes of `ringed`, in ascending order: they may be very many."""
        return np.sort(self.ringed)

    def are_ringed(self, nodes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[k]: which of some nodes have a ring."""
        found: NDArray[np.bool_] = self._ringed_before(nodes + 1) > self._ringed_before(nodes)
        return found

    def is_ringed(self, i: int) -> bool:
        """Whether node i has a ring."""
        return bool(self.are_ringed(np.array([i]))[0])

    def are_ringed_below(self, nodes: NDArray[np.intp], end: NDArray[np.integer]) -> NDArray[np.bool_]:
        """bool[k]: which whole branches have a node with a ring; `end` as for `are_faded_below`."""
        found: NDArray[np.bool_] = self._ringed_before(end[nodes]) > self._ringed_before(nodes)
        return found

    def _ringed_before(self, nodes: NDArray[np.integer]) -> NDArray[np.intp]:
        return np.searchsorted(self._in_order, nodes)

    def faded(self, i: int) -> bool:
        """Whether node i is drawn faded."""
        return self.lit is not None and not self.lit[i]

    def are_faded(self, nodes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[k]: which of some nodes are drawn faded."""
        return ~self.lit[nodes] if self.lit is not None else np.zeros(nodes.size, bool)

    def are_faded_below(self, nodes: NDArray[np.intp], end: NDArray[np.integer]) -> NDArray[np.bool_]:
        """bool[k]: which whole branches are drawn faded: those without any lit node.

        Args:
            end: intp[n_nodes], one past the last node of each branch, as in the tree.
        """
        if self.lit is None:
            return np.zeros(nodes.size, bool)
        return self._lit_before[end[nodes]] == self._lit_before[nodes]


NOTHING = Emphasis()


@dataclass(frozen=True, eq=False)
class Way:
    """The way of one row.

    Attributes:
        row: its number, from 0.
        nodes: the ids on its way, the root first, the leaf last.
        words: by id, what the row has where it takes the branch into a node: "age = 42".
        target: what the row is, in words; empty where that is missing.
    """

    row: int
    nodes: tuple[int, ...]
    words: dict[int, str]
    target: str


def joined(parts: list[Emphasis]) -> Emphasis | None:
    """Several emphases at once: what all of them light is lit, rings add up, the largest share is shown, and of two
    words on one edge the later ones; None of none."""
    if len(parts) < 2:
        return parts[0] if parts else None
    lit = [part.lit for part in parts if part.lit is not None]
    shares = [part.shares for part in parts if part.shares is not None]
    return Emphasis(
        np.logical_and.reduce(lit) if lit else None,
        np.unique(np.concatenate([part.ringed for part in parts])),
        {i: text for part in parts for i, text in part.words.items()},
        np.maximum.reduce(shares) if shares else None,
        next((part.way for part in parts if part.way is not None), None),
    )


def paint_beside(
    painter: QPainter,
    letters: Letters,
    look: Theme,
    said: Mapping[int, str],
    box_of: Callable[[int], QRectF],
    scale_of: Callable[[int], float],
    taken: Sequence[QRectF],
    size: tuple[float, float],
    dpi: float,
    places: str = WAYS,
) -> None:
    """Words beside some nodes, each on a plate in the first free place.

    Args:
        said: the words by the positions of the nodes, the most important first.
        box_of: where a node is drawn.
        scale_of: the size of its letters; 1 is natural.
        taken: what may not be covered.
        size: of the view; nothing is cut off by its border.
        places: where they may stand, the best first.
    """
    view, taken = QRectF(0, 0, *size), list(taken)
    for i, text in said.items():
        box, scale = box_of(i), scale_of(i)
        made = fonts(scale, dpi)
        wide = letters.width(text) * scale * letters.drawn(made, scale, painter.device())[PLAIN]
        width, height = wide + 2 * PLATE_BESIDE * scale, PLATE_HIGH * scale
        middle, left = box.center().y() - height / 2, box.center().x() - width / 2
        corners = {
            "right": (box.right() + APART, middle), "left": (box.left() - APART - width, middle),
            "above": (left, box.top() - APART - height), "below": (left, box.bottom() + APART),
        }  # fmt: skip
        plates = (QRectF(*corners[place], width, height) for place in places.split())
        free = (p for p in plates if view.contains(p) and not any(p.intersects(other) for other in taken))
        plate = next(free, None)
        if plate is None or not view.intersects(box):
            continue
        taken.append(plate)
        fill_rounded(painter, plate, height / 2, look.canvas)
        painter.setFont(made[PLAIN])
        painter.setPen(look.text)
        base = plate.center().y() + 0.36 * PIXELS[PLAIN] * scale
        painter.drawText(QPointF(plate.x() + PLATE_BESIDE * scale, base), text)
