"""The cards in view: where they stand, how they look, and what all of one size have in common: their letters, and which
lines have room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintDevice, QPen

from gui import theme
from gui.picture.cards.frame import FULL, Frame
from gui.picture.cards.scene import Scene
from gui.picture.colours.colouring import Colouring, faded_theme
from gui.picture.emphasis import NOTHING
from gui.picture.nodes import badges
from gui.picture.nodes.cards import Cards, Row, fitting
from gui.picture.nodes.letters import NAME, PIXELS, Typeset, fonts, stepped
from gui.picture.shapes import REACH

MOST_SIZES = 24  # that are kept
LEAST_PIXELS = 9.0  # letters never get smaller than that: they are left out instead
WITH_BAR = 21.0  # pixels; a lower card shows its name on its colour
BAR, BAR_HIGH, BAR_BESIDE, BAR_APART = (
    14.0,
    6.0,
    10.0,
    3.0,
)  # from its top to the card's foot; its tick stands out of it
ABOVE, BESIDE = 2.0, 4.0  # pixels between the border of a card and its words, at least
LEAST_NAMED = 10.0  # pixels; lower tiles have no words
CAPITALS = 0.72  # capitals and digits are so much of the size of letters high
AROUND = 2 * badges.RADIUS  # nothing of a card at scale 1 is further outside of it
ASIDE = 110.0  # nor are words further from an edge


class Letter(NamedTuple):
    """Letters of one kind.

    Attributes:
        font: for the painter's device.
        half: pixels that half of a text is wide, for each pixel that it measures at scale 1.
        drop: pixels from the middle of a line down to its base line.
        ascent: pixels from there up to the upper side of a text that is set.
        typeset: texts that are kept ready.
    """

    font: QFont
    half: float
    drop: float
    ascent: float
    typeset: Typeset


class Line(NamedTuple):
    """A line of a card: its kind of letters, its middle below the card's upper side, whether it is the first."""

    kind: str
    middle: float
    titles: bool


@dataclass(frozen=True)
class Size:
    """Cards at one scale.

    Attributes:
        zoom: the scale; 1 is natural.
        full: whether cards show all that they can.
        letter_zoom: the scale of their letters.
        letters: by kind.
        high, tile_high: pixels of inner nodes and of leaves.
        low: whether inner nodes show their name alone.
        lines, tile_lines: what has room; none of tiles that say one thing alone.
    """

    zoom: float
    full: bool
    letter_zoom: float
    letters: dict[str, Letter]
    high: float
    tile_high: float
    low: bool
    lines: list[Line]
    tile_lines: list[Line]


def size_of(scene: Scene, zoom: float, dpi: float, device: QPaintDevice) -> Size:
    """`made_size`, kept: most pictures have cards as large as those of the picture before."""
    key = zoom, dpi, device.logicalDpiY(), device.devicePixelRatio()
    found = scene.sizes.get(key)
    if found is None:
        if len(scene.sizes) >= MOST_SIZES:
            scene.sizes.clear()
        found = scene.sizes[key] = made_size(scene.cards, zoom, dpi, device)
    return found


def made_size(cards: Cards, zoom: float, dpi: float, device: QPaintDevice) -> Size:
    """Cards at a scale, on a device with so many dots per inch."""
    full = zoom >= FULL
    # Names stay readable between "whole card" and "box": their letters stop shrinking.
    letter_zoom = max(stepped(zoom), LEAST_PIXELS / PIXELS[NAME])
    made = fonts(letter_zoom, dpi)
    drawn = cards.letters.drawn(made, letter_zoom, device)
    letters = {
        kind: Letter(
            font=made[kind],
            half=letter_zoom * drawn[kind] / 2,
            drop=CAPITALS / 2 * PIXELS[kind] * letter_zoom,
            ascent=QFontMetricsF(made[kind], device).ascent(),
            typeset=cards.letters.typeset(kind, letter_zoom, dpi),
        )
        for kind in made
    }
    high, tile_high = cards.card_height * zoom, cards.tile_height * zoom
    room = high - ABOVE - ((BAR + BAR_APART) * zoom if cards.barred else ABOVE)

    def lines(rows: list[Row], room: float) -> list[Line]:
        if full:
            return [Line(row.kind, row.middle * zoom, row.titles) for row in rows]
        return [Line(row.kind, ABOVE + at, row.titles) for row, at in fitting(rows, room, letter_zoom)]

    several = full or len(fitting(cards.leaf_rows, tile_high - 2 * ABOVE, letter_zoom)) > 1
    return Size(
        zoom=zoom, full=full, letter_zoom=letter_zoom, letters=letters, high=high, tile_high=tile_high,
        low=high < WITH_BAR, lines=lines(cards.inner_rows, room),
        tile_lines=lines(cards.leaf_rows, tile_high - 2 * ABOVE) if several else [],
    )  # fmt: skip


Edge = tuple[float, float, float, float]  # its middle, from x, y to x, y


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
    reached = reached & (nodes != top)
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
    return np.asarray(((low < size) & (high > 0)).all(axis=1))


def _tone(scene: Scene, *, faded: bool) -> Tone:
    """The colours of what is drawn faded, or as it is."""
    look, colours = (faded_theme(scene.theme), scene.faded_colours) if faded else (scene.theme, scene.colours)
    classes = colours.class_colours()
    bars = [classes[k] for k in scene.bar_order] if scene.tree.task == "classes" else []
    strands = (scene.emphasis or NOTHING).strands(look)
    return Tone(look, colours, bars, QPen(look.border, 1.0), strands, faded)
