"""The colours of every node: the shades of a mode (see `modes`) in a theme."""

from __future__ import annotations

import copy
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from PySide6.QtGui import QColor

from gui.picture.colours import modes as colour_modes
from gui.picture.colours.modes import COLUMNS_TOLD, Shades, Subject, parts
from gui.picture.picture_options import PictureOptions
from gui.picture.tree_cache import book
from gui.theme import Theme, ink, mix

if TYPE_CHECKING:
    from engine.tree.tree import Tree

FADED = 0.72  # of the way to the canvas
FADED_INK = 0.55  # the same of letters on a fill
_COLUMNS = (0, 1, 2, 3, 4, 5, 7)  # the classes whose colours columns have: without yellow, too pale for thin edges


@cache
def faded_theme(theme: Theme) -> Theme:
    """A theme whose colours are nearly its canvas."""
    names = [part.name for part in fields(theme) if part.name not in ("name", "canvas")]
    colours: dict[str, Any] = {name: mix(getattr(theme, name), theme.canvas, FADED) for name in names}
    return replace(theme, **colours)


def ink_on(fill: QColor, *, faded: bool) -> QColor:
    """The colour of letters on a fill."""
    return QColor(_ink(fill.rgb(), faded=faded))


@cache
def _ink(fill: int, *, faded: bool) -> int:
    """As numbers that can be remembered: the contrast of two colours takes long to find out."""
    colour = QColor(fill)
    return (mix(ink(colour), colour, FADED_INK) if faded else ink(colour)).rgb()


class Colouring:
    """The fill of every node.

    Attributes:
        mode: what the colours say.
        subject: what is coloured.
        shade: int64[n_nodes]; nodes of the same shade have the same colours.
        fade: how far all colours are on their way to the canvas, 0 to 1.
    """

    def __init__(self, tree: Tree, focus: int, theme: Theme, options: PictureOptions | None = None) -> None:
        options = options or PictureOptions()
        self.theme = theme
        self.n_classes = len(tree.classes)
        self.focus = focus
        differs = options.differing is not None
        self.mode = colour_modes.DIFFERENCE if differs else colour_modes.mode_for(tree, options.colour_by)
        self.subject = Subject(tree, focus, options.part_of(tree), options.differing)
        self.shade = self._shades()
        self.fade = 0.0
        self._made: dict[int, QColor] = {}

    def faded(self, share: float) -> Self:
        """The same colours, so far on their way to the canvas."""
        other = copy.copy(self)
        other.fade, other._made = share, {}
        return other

    def _shades(self) -> Shades:
        """Those that are kept with the tree; how two trees differ is not kept: the other one may change."""
        if self.subject.differing is not None:
            return self.mode.shades(self.subject)
        notes, key = book(self.subject.tree), (Colouring, self.mode.name, self.focus, self.subject.part)
        if key not in notes:
            notes[key] = self.mode.shades(self.subject)
        found: Shades = notes[key]
        return found

    @property
    def by_class(self) -> bool:
        """Whether the hue says a class."""
        return self.mode.poles == colour_modes.CLASSES

    @property
    def striped(self) -> bool:
        """Whether cards need a stripe in their colour: their bars show rates and classes, and nothing else."""
        return self.mode.name not in ("rate", "class")

    def shades(self, stats: np.ndarray, labels: np.ndarray | None = None) -> Shades:
        """int64[n]: the shade of any statistics of training rows, compared with the root's: by what the mode measures
        or, where statistics do not tell that, neutral.

        Args:
            stats: float64[n, S], as in the tree.
            labels: what each would say as a leaf; the majority when it is not given.
        """
        if self.mode.of_stats is None:
            return np.zeros(len(stats), np.int64)
        said = np.argmax(stats, axis=1) if labels is None else labels
        return self.mode.of_stats(self.subject._replace(part="train"), stats, said.astype(np.int64))

    def says(self, i: int) -> str:
        """What the colour of node i says, in words; empty where the card says it anyway."""
        return self.mode.says(self.subject, i)

    def ribbon(self, i: int) -> QColor:
        """The fill of node i and of the edge that leads to it: one, so that it is the same at any size."""
        return self.tile_of(int(self.shade[i]))

    def tile_of(self, shade: int) -> QColor:
        """The fill of what has this shade."""
        if shade not in self._made:
            pole, share = parts(shade)
            self._made[shade] = self._seen(mix(self.theme.ribbon, self.pole(pole), share))
        return self._made[shade]

    def pole(self, k: int) -> QColor:
        """The full colour of class or column k, or of one end of the scale (0 below, 1 above)."""
        if self.by_class:
            return self.theme.class_colour(k, self.n_classes, self.focus)
        if self.mode.poles == colour_modes.COLUMNS:
            return self.theme.class_colour(_COLUMNS[k]) if k < COLUMNS_TOLD else self.theme.secondary
        return self.theme.positive if k else self.theme.negative

    def class_colours(self) -> list[QColor]:
        """The colour of each class in the bars, classes in their order."""
        return [self._seen(self.theme.class_colour(k, self.n_classes, self.focus)) for k in range(self.n_classes)]

    def _seen(self, colour: QColor) -> QColor:
        return mix(colour, self.theme.canvas, self.fade) if self.fade else colour
