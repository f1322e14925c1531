"""The colours of a split's plot: tones of one colour for its branches, never one of the data, and those of its bars."""

from __future__ import annotations

from PySide6.QtGui import QColor

import engine
from gui import theme

PALEST = 0.75  # how much of the background the last branch has


def branch_tone(branch: int, n_branches: int) -> QColor:
    """From the accent for the first branch to a pale one for the last."""
    colours = theme.current()
    return theme.mix(colours.accent, colours.card, PALEST * branch / max(1, n_branches - 1))


def bar_colour(tree: engine.Tree, k: int, focus: int) -> QColor:
    """The colour of class `k`, or of the plain bars of a numeric target."""
    colours = theme.current()
    return colours.class_colour(k, len(tree.classes), focus) if tree.classes else colours.ribbon
