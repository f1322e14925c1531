"""A new point in the plane: its values, and what is said of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import engine
from engine.runtime.sentences import tr
from gui.model.plane_tasks import Picture
from gui.panels.plane.plot import LOG, AxisShown
from gui.picture.emphasis import Way
from gui.picture.plane_regions import NEITHER, asked_axis
from gui.wording import words
from gui.wording.phrases import counted_rows

FINE = 500  # parts of an axis: finer a mouse cannot point
DIGITS = 3  # significant ones on a logarithmic axis


@dataclass(frozen=True)
class NewPoint:
    """A row that is in no table."""

    at: tuple[float, float]  # its values on the axes
    values: dict[str, float | str | None]
    row: int  # of the table, whose values it has in the other columns; −1 where these are missing


def rounded(value: float, axis: AxisShown, kind: str) -> float:
    """The value that the mouse means: whole in a column of whole numbers, else with no more digits than it can tell."""
    if kind == "integer":
        return float(round(value))
    if axis.kind == LOG:
        return float(f"{value:.{DIGITS}g}")
    part = (axis.ends[1] - axis.ends[0]) / FINE
    return round(value, -math.floor(math.log10(part))) if part > 0 else value


def new_point(picture: Picture, tile: int, at: tuple[float, float]) -> NewPoint:
    """The point at these values of the axes. In other columns it has the values of the nearest row that is drawn in its
    rectangle, `tile`: so it goes where the picture shows it, whatever else the tree asks."""
    inside = np.flatnonzero(picture.tile_of == tile)
    left, right, bottom, top = picture.ends
    away = ((picture.x[inside] - at[0]) / max(right - left, np.finfo(float).tiny)) ** 2
    away += ((picture.y[inside] - at[1]) / max(top - bottom, np.finfo(float).tiny)) ** 2
    row = int(picture.rows[inside[np.argmin(away)]]) if inside.size else -1
    values = engine.values_of_row(picture.table, row) if row >= 0 else {}
    known = {column.name for column in picture.tree.columns}
    named = zip((picture.asked.across, picture.asked.up), at, strict=True)
    return NewPoint(at, {**values, **{name: value for name, value in named if name in known}}, row)


def predicted(tree: engine.Tree, way: Way) -> str:
    """What is predicted of the row of a way: "93 % yes", "42.5"."""
    found = engine.said_of(tree, way.parts)
    if tree.task == "number":
        return words.value(found.prediction)
    return words.rated(words.rate(float(found.probabilities[found.label])), tree.classes[found.label])


def sentence(picture: Picture, point: NewPoint, way: Way) -> str:
    """What is predicted of the point and why; whose values it has elsewhere, where the tree asks for them."""
    tree = picture.tree
    i, asked = tree.position(way.nodes[-1]), asked_axis(tree, picture.asked.across, picture.asked.up)
    above = [tree.position(node) for node in way.nodes[:-1]]
    said = tr("New point: predicted {prediction}, as in leaf {leaf} with {rows}.", prediction=predicted(tree, way),
              leaf=f"#{way.nodes[-1]}", rows=counted_rows(int(tree.rows_train[i])))  # fmt: skip
    n_leaves = sum(not tree.n_branches[tree.position(node)] for node in way.parts)
    if n_leaves > 1:
        said = tr("New point: predicted {prediction}; parts of it stand in {n} leaves, for it lacks values.",
                  prediction=predicted(tree, way), n=words.count(n_leaves))  # fmt: skip
    if (asked[above] != NEITHER).all():
        return said
    row = words.count(point.row + 1)
    return f"{said} " + (
        tr("In other columns it has the values of row {row}, the nearest one.", row=row)
        if point.row >= 0
        else tr("It has no values in other columns.")
    )
