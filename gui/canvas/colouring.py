"""What colour a node has: its distance from the root, or its most frequent class.

Two classes and a numeric target: how far the focus class's rate (what a leaf says) lies from the root's. More than
two classes: the most frequent class, the stronger the further its share lies above its share at the root, so
that white is "average" there too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QColor

from gui.kept import book, kept
from gui.theme import Theme, mix

if TYPE_CHECKING:
    from engine.tree import Tree

STEPS = 24  # shades between neutral and a pole
DEVIATIONS = 1.5  # an answer so many deviations of the root away is shown in full colour


def rates(tree: Tree, focus: int, stats: np.ndarray) -> np.ndarray:
    """The focus class's share, or the mean of a numeric target; NaN without rows.

    Args:
        stats: float64[n, S], class counts or (w, Σwy, Σw(y − mean)²) as in the tree.
    """
    weight = np.einsum("ij->i", stats) if tree.task == "classes" else stats[:, 0]  # 4 times as fast as `sum`
    top = stats[:, focus] if tree.task == "classes" else stats[:, 1]
    share = np.divide(top, weight, out=np.full(len(weight), np.nan), where=weight > 0)
    return share if tree.task == "classes" else share + tree.origin


def deviations(stats: np.ndarray) -> np.ndarray:
    """The standard deviation of a numeric target for each row of (w, Σwy, Σw(y − mean)²); NaN without rows."""
    weight, _, squares = stats.T
    return np.sqrt(np.divide(squares, weight, out=np.full(len(weight), np.nan), where=weight > 0))


@kept
def held_out_rates(tree: Tree, focus: int) -> np.ndarray:
    """float64[n_nodes]: `rates` of the validation rows."""
    return rates(tree, focus, tree.validation)


@kept
def said(tree: Tree, focus: int) -> np.ndarray:
    """float64[n_nodes]: the focus class's share, or what each node says of a numeric target; NaN without rows."""
    found = rates(tree, focus, tree.train)
    if tree.task == "classes":
        return found
    if tree.says_median:
        found = np.where(np.isnan(found), np.nan, tree.medians)
    by_hand = [tree.position(node) for node, mark in tree.marks.items() if mark.label is not None]
    found[by_hand] = tree.answers[by_hand]
    return found


@kept
def spreads(tree: Tree) -> np.ndarray:
    """float64[n_nodes]: how far training values lie from what each node says: the standard deviation, or of a tree
    that says medians the mean absolute error; NaN without rows."""
    if not tree.says_median:
        return deviations(tree.train)
    return mean_costs(tree, "train")


@kept
def mean_costs(tree: Tree, part: str) -> np.ndarray:
    """float64[n_nodes]: the error of each node as a leaf on a part of the rows, numeric targets; NaN without rows."""
    weight = tree.weight(part)
    return np.divide(tree.costs(part), weight, out=np.full(len(weight), np.nan), where=weight > 0)


class Colouring:
    """The fill of tiles and of ribbons for every node.

    Attributes:
        by_class: whether the hue says the most frequent class (more than two classes).
        shade: int64[n_nodes]; nodes of the same shade have the same colours.
    """

    def __init__(self, tree: Tree, focus: int, theme: Theme) -> None:
        self.theme = theme
        self.by_class = tree.task == "classes" and len(tree.classes) > 2
        self.n_classes = len(tree.classes)
        self.focus = focus
        self._tree = tree
        notes, key = book(tree), (Colouring, focus)
        if key not in notes:
            notes[key] = self.shades(tree.train, tree.labels) if self.by_class else self._scale(said(tree, focus))
        self.shade: np.ndarray = notes[key]
        self._tiles: dict[int, QColor] = {}
        self._ribbons: dict[int, QColor] = {}

    def shades(self, stats: np.ndarray, labels: np.ndarray | None = None) -> np.ndarray:
        """int64[n]: the shade of any statistics, compared with the root's.

        Args:
            stats: float64[n, S], as in the tree.
            labels: what each would say as a leaf; the majority when it is not given.
        """
        if not self.by_class:
            here = rates(self._tree, self.focus, np.vstack((self._tree.train[:1], stats)))
            return self._scale(here)[1:]
        pole = (np.argmax(stats, axis=1) if labels is None else labels).astype(np.int64)
        return self._steps(pole, self._class_distance(stats, pole))

    def _scale(self, here: np.ndarray) -> np.ndarray:
        """int64[n]: the shade of rates or answers, the root's first."""
        distance = self._distance(here)
        return self._steps((distance > 0).astype(np.int64), distance)

    def _steps(self, pole: np.ndarray, distance: np.ndarray) -> np.ndarray:
        steps = np.rint(np.abs(np.nan_to_num(distance)).clip(0, 1) ** 0.75 * STEPS).astype(np.int64)
        return pole * (STEPS + 1) + steps

    def _distance(self, here: np.ndarray) -> np.ndarray:
        """In −1 … 1, from the root's rate or answer; the reach is that of `Theme.diverging`."""
        tree = self._tree
        root = float(here[0])
        if tree.task == "number":
            spread = float(spreads(tree)[0])
            return (here - root) / (DEVIATIONS * spread if spread > 0 else np.inf)
        reach = np.where(here < root, root, 1 - root).clip(0.35, 0.5)
        return (here - root) / reach

    def _class_distance(self, stats: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """In 0 … 1, how far the share of the class it says lies above that class's share at the root."""
        total = stats.sum(axis=1)
        share = np.divide(stats[np.arange(len(stats)), labels], total, out=np.zeros(len(total)), where=total > 0)
        usual = self._tree.probabilities[0][labels]
        return ((share - usual) / np.maximum(1 - usual, 0.35)).clip(0, 1)

    def tile(self, i: int) -> QColor:
        """The fill of node i's tile."""
        return self.tile_of(int(self.shade[i]))

    def tile_of(self, shade: int) -> QColor:
        """The fill of a tile of this shade."""
        return self._colour(self._tiles, shade, self.theme.neutral)

    def ribbon(self, i: int) -> QColor:
        """The fill of the edge that leads to node i."""
        return self._colour(self._ribbons, int(self.shade[i]), self.theme.ribbon)

    def _colour(self, made: dict[int, QColor], shade: int, neutral: QColor) -> QColor:
        if shade not in made:
            pole, step = divmod(shade, STEPS + 1)
            made[shade] = mix(neutral, self.pole(pole), step / STEPS)
        return made[shade]

    def pole(self, k: int) -> QColor:
        """The full colour of class k, or of one end of the scale (0 below, 1 above)."""
        if self.by_class:
            return self.theme.class_colour(k, self.n_classes)
        return self.theme.positive if k else self.theme.negative

    def class_colours(self) -> list[QColor]:
        """The colour of each class in the bars, classes in their order."""
        return [self.theme.class_colour(k, self.n_classes, self.focus) for k in range(self.n_classes)]


class Differing(Colouring):
    """Colours by the share of each node's rows that another tree answers differently: white none, full colour all."""

    def __init__(self, tree: Tree, focus: int, theme: Theme, shares: np.ndarray) -> None:
        """shares: float64[n_nodes], NaN where there are no rows."""
        super().__init__(tree, focus, theme)
        self.by_class = False
        self.shade = self._steps(np.ones(len(shares), np.int64), shares)
