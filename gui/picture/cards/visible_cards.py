"""The cards that are in view: where they stand, and how they look."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPen

from gui import theme
from gui.picture.cards.edges import Edge
from gui.picture.cards.frame import Frame
from gui.picture.cards.scene import Scene
from gui.picture.cards.size import Size
from gui.picture.colours.colouring import Colouring
from gui.picture.colours.fading import faded_theme
from gui.picture.highlighting.emphasis import NOTHING
from gui.picture.nodes import badges
from gui.picture.shapes import REACH

AROUND = 2 * badges.RADIUS  # nothing of a card at scale 1 is further outside of it
ASIDE = 110.0  # nor are words further from an edge


class Tone(NamedTuple):
    """The colours of what stands out, or of what is faded.

    Attributes:
        bars: of the classes, in the order of bars.
        border: the pen around cards.
        strands: see `Emphasis.strands`.
    """

    theme: theme.Theme
    colours: Colouring
    bars: list[QColor]
    border: QPen
    strands: list[tuple[NDArray[np.float64], QColor]]
    faded: bool


class Card(NamedTuple):
    """A node with words, where it stands and how it looks.

    Attributes:
        box: its card.
        size: of its level.
        silent: whether it is drawn without words.
        edge: the middle of the edge into it: x, y, x, y.
        rows: how wide that is at scale 1.
        above: the scale of its parent.
        slot: pixels that are its own, for what is written above it.
        in_view: whether anything of the card is seen; `reached`: of the edge.
    """

    i: int
    box: QRectF
    size: Size
    tone: Tone
    silent: bool
    inner: bool
    edge: Edge
    rows: float
    above: float
    slot: float
    on_path: bool
    in_view: bool
    reached: bool


def placed(
    frame: Frame,
    nodes: NDArray[np.intp],
    sized: Callable[[float], Size],
    size: tuple[float, float],
    top: int,
    hovered: int,
) -> list[Card]:
    """The nodes whose cards, or the edges into them, are in view.

    Args:
        sized: what cards at a scale have in common.
        size: of the view.
        top: into this node no edge is drawn.
        hovered: the node below the mouse; −1 for none.
    """
    scene = frame.scene
    emphasis = scene.emphasis or NOTHING
    boxes, edges, scales = frame.cards(nodes), frame.edges(nodes), frame.sizes(nodes)
    largest = max(1.0, float(scales.max(initial=1.0)))
    in_view = _in_view(boxes[:, :2], boxes[:, :2] + boxes[:, 2:], np.full(nodes.size, AROUND * largest), size)
    reached = _in_view(edges[:, :2], edges[:, 2:], (ASIDE + scene.ribbons[nodes]) * largest, size)
    if emphasis.words:
        reached |= np.isin(nodes, list(emphasis.words))  # these take the place of words that may be in view
    reached &= nodes != top
    edges[:, ::2] = edges[:, ::2].clip(-REACH, size[0] + REACH)
    edges[:, 1] = np.maximum(edges[:, 1], -REACH)
    edges[:, 3] = np.minimum(edges[:, 3], size[1] + REACH)
    faded = emphasis.are_faded(nodes)
    tones = _tone(scene, faded=False), _tone(scene, faded=True) if faded.any() else None
    columns = (
        nodes, boxes, scales, faded, scene.tree.n_branches[nodes] > 0, edges, scene.ribbons[nodes],
        frame.scales[scene.levels.level[scene.tree.parent[nodes]]], frame.slots(nodes),
        scene.on_path(nodes, hovered), in_view, reached,
    )  # fmt: skip
    some, found = in_view | reached, []
    sizes = {scale: sized(scale) for scale in set(scales[some].tolist())}
    for i, box, scale, dull, *others in zip(*(column[some].tolist() for column in columns), strict=True):
        card = sizes[scale]
        found.append(Card(i, QRectF(*box), card, tones[dull] or tones[0], dull and card.low, *others))
    return found


def _in_view(
    one: NDArray[np.float64], other: NDArray[np.float64], around: NDArray[np.float64], size: tuple[float, float]
) -> NDArray[np.bool_]:
    """bool[n]: which rectangles between two corners, and so many pixels around them, are in view."""
    low, high = np.minimum(one, other) - around[:, None], np.maximum(one, other) + around[:, None]
    found: NDArray[np.bool_] = ((low < size) & (high > 0)).all(axis=1)
    return found


def _tone(scene: Scene, *, faded: bool) -> Tone:
    """The colours of what is drawn faded, or as it is."""
    look, colours = (faded_theme(scene.theme), scene.faded_colours) if faded else (scene.theme, scene.colours)
    classes = colours.class_colours()
    bars = [classes[k] for k in scene.bar_order] if scene.tree.task == "classes" else []
    strands = (scene.emphasis or NOTHING).strands(look)
    return Tone(look, colours, bars, QPen(look.border, 1.0), strands, faded)
