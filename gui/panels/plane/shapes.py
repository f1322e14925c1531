"""From the picture that the worker made to what is drawn: axes, places on them, colours of points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from gui import theme
from gui.model.plane_tasks import ALL, LEAVES, X
from gui.panels.plane.drawing import SHADES, Shapes
from gui.panels.plane.plot import DATE, LEVELS, LOG, NONE, NUMBER, AxisShown
from gui.panels.this_node.split import scale

if TYPE_CHECKING:
    from engine.table.table import Table
    from gui.model.plane_tasks import Picture

DEVIATIONS = 1.5  # a value so many deviations of the root away is drawn in full colour, as on the canvas


def axes(picture: Picture, table: Table, log_across: bool, log_up: bool) -> tuple[AxisShown, AxisShown]:
    """(the horizontal axis, the vertical one) of a picture; logarithmic where that is wished and the column can be."""
    left, right, bottom, top = picture.ends
    asked = picture.asked
    if not asked.across:
        across = AxisShown(NONE, "leaves, as wide as their training rows", (left, right))
    else:
        across = _axis(table, asked.across, (left, right), log_across)
    if asked.up == table.target and table.task == "classes":
        if not asked.across:
            return across, AxisShown(NUMBER, "share of each class", (bottom, top))
        return across, AxisShown(LEVELS, asked.up, (bottom, top), table.classes)
    return across, _axis(table, asked.up, (bottom, top), log_up)


def _axis(table: Table, name: str, ends: tuple[float, float], log: bool) -> AxisShown:
    kind = DATE if table.column(name).kind == "date" else LOG if log and can_be_log(table, name) else NUMBER
    return AxisShown(kind, name, ends)


def can_be_log(table: Table, name: str) -> bool:
    """Whether the axis of a column, or of `LEAVES`, can be logarithmic."""
    if name == LEAVES or (name == table.target and table.task == "classes"):
        return False
    column = table.column(name)
    return column.is_numeric and column.kind != "date" and scale.can_be_log(column.values)


def shapes(picture: Picture, across: AxisShown, up: AxisShown, focus: int) -> Shapes:
    """What is drawn of a picture, in places on its axes."""
    cuts, strip = picture.cuts, not picture.asked.across
    upright = cuts.axis == X
    at, low, high = (
        np.where(upright, first.places(values), second.places(values))
        for values, first, second in ((cuts.at, across, up), (cuts.low, up, across), (cuts.high, up, across))
    )
    shade, inks = point_colours(picture, focus)
    lines, overlap = picture.lines, picture.asked.way == ALL and not strip and picture.tiles.size > 1
    leaf, node = picture.tiles[picture.tile_of], picture.asked.node
    faint = overlap & ((leaf < node) | (leaf >= picture.tree.end[node]))
    return Shapes(
        picture.tiles, _boxes(picture.boxes, across, up), picture.tree.n_branches[picture.tiles] > 0,
        overlap,
        _boxes(picture.selected_box[None], across, up)[0],
        cuts.axis, at, low, high, cuts.letters,
        np.column_stack((across.places(lines[:, 0]), across.places(lines[:, 1]), up.places(lines[:, 2]))),
        np.column_stack((across.places(picture.x), up.places(picture.y))), shade, picture.held_out, inks,
        faint,
    )  # fmt: skip


def _boxes(boxes: NDArray[np.float64], across: AxisShown, up: AxisShown) -> NDArray[np.float64]:
    sides = (across, up, across, up)
    return np.column_stack([axis.places(boxes[:, i]) for i, axis in enumerate(sides)])


def point_colours(picture: Picture, focus: int) -> tuple[NDArray[np.int64], tuple[QColor, ...]]:
    """(int64[k]: which colour each point has, the colours): by class, or by how far the value lies from the mean."""
    tree, colours = picture.tree, theme.current()
    if tree.task == "classes":
        n = len(tree.classes)
        return picture.target.astype(np.int64), tuple(colours.class_colour(k, n, focus) for k in range(n))
    weight, total, squares = tree.train[0]
    mean, spread = total / weight + tree.origin, np.sqrt(squares / weight)
    distance = (picture.target - mean) / (DEVIATIONS * spread) if spread > 0 else np.zeros(picture.target.size)
    steps = np.rint(distance.clip(-1, 1) * SHADES).astype(np.int64) + SHADES
    return steps, tuple(colours.scale(step / SHADES, ribbon=True) for step in range(-SHADES, SHADES + 1))
