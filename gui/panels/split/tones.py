"""The tones of one colour that tell the branches of a split apart; never a colour of the data."""

from __future__ import annotations

from PySide6.QtGui import QColor

from gui import theme

PALEST = 0.75  # how much of the background the last branch has


def branch_tone(branch: int, n_branches: int) -> QColor:
    """From the accent for the first branch to a pale one for the last."""
    colours = theme.current()
    return theme.mix(colours.accent, colours.card, PALEST * branch / max(1, n_branches - 1))
