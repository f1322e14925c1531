"""The colours of what does not stand out: the same, most of the way to the canvas."""

from dataclasses import fields, replace
from functools import cache
from typing import Any

from PySide6.QtGui import QColor

from gui.theme import Theme, ink, mix

FADED = 0.72  # of the way to the canvas
FADED_INK = 0.55  # the same of letters on a fill


@cache
def faded_theme(theme: Theme) -> Theme:
    """A theme whose colours are nearly its canvas."""
    colours: dict[str, Any] = {
        part.name: getattr(theme, part.name) for part in fields(theme) if part.name not in ("name", "canvas")
    }
    return replace(theme, **{name: mix(colour, theme.canvas, FADED) for name, colour in colours.items()})


def ink_on(fill: QColor, *, faded: bool) -> QColor:
    """The colour of letters on a fill."""
    return QColor(_ink(fill.rgb(), faded=faded))


@cache
def _ink(fill: int, *, faded: bool) -> int:
    """As numbers that can be remembered: the contrast of two colours takes long to find out."""
    colour = QColor(fill)
    return (mix(ink(colour), colour, FADED_INK) if faded else ink(colour)).rgb()
