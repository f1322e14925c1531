"""The cards in view, where they stand and how they look; and what lies below their words: edges, plates, bars."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPaintDevice, QPainter, QPainterPath, QPen

from gui import theme
from gui.picture.cards.frame import FULL, Frame
from gui.picture.cards.scene import Scene
from gui.picture.colours import Colouring, faded_theme
from gui.picture.emphasis import NOTHING
from gui.picture.nodes import badges
from gui.picture.nodes.cards import Row, fitting
from gui.picture.nodes.letters import NAME, PIXELS, Letter, stepped
from gui.picture.shapes import REACH, fill_pixels, fill_rounded
from gui.theme import Theme, mix

MOST_SIZES = 24  # that are kept
LEAST_PIXELS = 9.0  # letters never get smaller than that: they are left out instead
WITH_BAR = 21.0  # pixels; a lower card shows its name on its colour
BAR, BAR_HIGH, BAR_BESIDE, BAR_APART = 14.0, 6.0, 10.0, 3.0  # from its top to the foot; its tick stands out of it
ABOVE, BESIDE = 2.0, 4.0  # pixels between the border of a card and its words, at least
LEAST_NAMED = 10.0  # pixels; lower tiles have no words
AROUND = 2 * badges.RADIUS  # nothing of a card at scale 1 is further outside of it
ASIDE = 110.0  # nor are words further from an edge


@dataclass(frozen=True)
class Size:
    """Cards at one scale."""

    zoom: float  # the scale; 1 is natural
    full: bool  # whether cards show all that they can
    letter_zoom: float  # the scale of their letters
    letters: dict[str, Letter]  # by kind
    high: float  # high, tile_high: pixels of inner nodes and of leaves
    tile_high: float
    low: bool  # whether inner nodes show their name alone
    lines: list[Row]  # lines, tile_lines: what has room, at this scale; none of tiles that say one thing alone
    tile_lines: list[Row]


def size_of(scene: Scene, zoom: float, dpi: float, device: QPaintDevice) -> Size:
    """Cards at a scale, on a device with so many dots per inch; kept, as most pictures have cards of the same size."""
    key = zoom, dpi, device.logicalDpiY(), device.devicePixelRatio()
    if key in scene.sizes:
        return scene.sizes[key]
    if len(scene.sizes) >= MOST_SIZES:
        scene.sizes.clear()
    cards, full = scene.cards, zoom >= FULL
    # Names stay readable between "whole card" and "box": their letters stop shrinking.
    letter_zoom = max(stepped(zoom), LEAST_PIXELS / PIXELS[NAME])
    high, tile_high = cards.card_height * zoom, cards.tile_height * zoom
    room = high - ABOVE - ((BAR + BAR_APART) * zoom if cards.barred else ABOVE)

    def lines(rows: list[Row], room: float) -> list[Row]:
        whole = [replace(row, middle=row.middle * zoom) for row in rows]
        return whole if full else fitting(rows, ABOVE, room, letter_zoom)

    letters, tile_lines = cards.letters.sized(letter_zoom, dpi, device), lines(cards.leaf_rows, tile_high - 2 * ABOVE)
    scene.sizes[key] = found = Size(
        zoom=zoom, full=full, letter_zoom=letter_zoom, letters=letters, high=high, tile_high=tile_high,
        low=high < WITH_BAR, lines=lines(cards.inner_rows, room),
        tile_lines=tile_lines if full or len(tile_lines) > 1 else [],
    )  # fmt: skip
    return found


Edge = tuple[float, float, float, float]  # its middle, from x, y to x, y


class Tone(NamedTuple):
    """The colours of what stands out, or of what is faded."""

    theme: theme.Theme
    colours: Colouring
    bars: list[QColor]  # of the classes, in the order of bars
    border: QPen  # the pen around cards
    strands: list[tuple[NDArray[np.float64], QColor]]  # see `Emphasis.strands`
    faded: bool


class Card(NamedTuple):
    """A node with words, where it stands and how it looks."""

    i: int
    box: QRectF  # its card
    size: Size  # of its level
    tone: Tone
    silent: bool  # whether it is drawn without words
    inner: bool
    edge: Edge  # the middle of the edge into it: x, y, x, y
    rows: float  # how wide that is at scale 1
    above: float  # the scale of its parent
    slot: float  # pixels that are its own, for what is written above it
    on_path: bool
    in_view: bool  # whether anything of the card is seen; `reached`: of the edge
    reached: bool


def placed(
    frame: Frame, nodes: NDArray, sized: Callable[[float], Size], size: tuple[float, float], top: int, hovered: int
) -> list[Card]:
    """The nodes whose cards, or the edges into them, are in view; no edge is drawn into the node `top`."""
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


def _in_view(one: NDArray, other: NDArray, around: NDArray, size: tuple[float, float]) -> NDArray[np.bool_]:
    """bool[n]: which rectangles between two corners, and so many pixels around them, are in view."""
    low, high = np.minimum(one, other) - around[:, None], np.maximum(one, other) + around[:, None]
    return np.asarray(((low < size) & (high > 0)).all(axis=1))


def _tone(scene: Scene, *, faded: bool) -> Tone:
    look, colours = (faded_theme(scene.theme), scene.faded_colours) if faded else (scene.theme, scene.colours)
    classes = colours.class_colours()
    bars = [classes[k] for k in scene.bar_order] if scene.tree.task == "classes" else []
    strands = (scene.emphasis or NOTHING).strands(look)
    return Tone(look, colours, bars, QPen(look.border, 1.0), strands, faded)


STEEP, FLAT = 5.0, 0.4  # edges so many times wider than high are strokes of that share of their width
THINNEST, THIN = 1.5, 2.0  # pixels; no edge is thinner, and thin ones are strokes
WHISKER = 1.5  # pixels, the line to where the whiskers end
BORDER, THIN_BORDER = 1.0, 0.75  # pixels, of the trough and of the box of a box plot
RIM = 2.0  # pixels around the bar; with one alone, a bar of the tile's own colour looks like an empty frame
STRIPE = 5.0  # how much of a card's upper edge has its colour, at scale 1
ROUNDING = 6.0  # of cards, at scale 1
TILE_BAR, TILE_BAR_HIGH, TILE_BAR_BESIDE = 10.0, 5.0, 6.0  # at scale 1: from its top to the tile's foot


def stroke_width(edge: Edge, above: float, below: float) -> float | None:
    """The width of the stroke for a thin or nearly level edge, so wide at its ends; None of others: they are filled."""
    x0, y0, x1, y1 = edge
    thin = above <= THIN
    if not thin and abs(x1 - x0) <= STEEP * abs(y1 - y0):
        return None
    return max(THINNEST, (max(THINNEST, above) + max(THINNEST, below)) * (0.5 if thin else 0.5 * FLAT))


def paint_band(painter: QPainter, edge: Edge, above: float, below: float, colour: QColor) -> None:
    """An edge in one colour; args as of `stroke_width`."""
    x0, y0, x1, y1 = edge
    stroke, middle = stroke_width(edge, above, below), (y0 + y1) / 2
    if stroke is not None:
        path = QPainterPath(QPointF(x0, y0))
        path.cubicTo(x0, middle, x1, middle, x1, y1)
        painter.strokePath(path, QPen(colour, stroke))
        return
    above, below = above / 2, max(THINNEST, below) / 2
    path = QPainterPath(QPointF(x0 - above, y0))
    path.cubicTo(x0 - above, middle, x1 - below, middle, x1 - below, y1)
    path.lineTo(x1 + below, y1)
    path.cubicTo(x1 + below, middle, x0 + above, middle, x0 + above, y0)
    painter.fillPath(path, colour)


def trough(painter: QPainter, bar: QRectF, look: Theme) -> None:
    """A light, thinly outlined trough below a bar, so that it is seen on a tile of its own colour."""
    rim = RIM + BORDER / 2
    box = bar.adjusted(-rim, -rim, rim, rim)
    fill_rounded(painter, box, box.height() / 2, look.card, look.border, BORDER)


def class_bar(painter: QPainter, scene: Scene, card: Card, box: QRectF) -> None:
    """The shares of the classes, side by side, rounded at both ends."""
    ends, colours = scene.bar_ends[card.i].tolist(), card.tone.bars
    there = [k for k in range(len(ends)) if ends[k] - (ends[k - 1] if k else 0.0) > 1e-12]
    if not there:
        fill_rounded(painter, box, 0.0, card.tone.theme.neutral)  # no rows
        return
    box = QRectF(box.toRect())  # so that the parts between the ends are whole pixels, which are filled more quickly
    x, width, round_end = box.x(), box.width(), box.height() / 2
    fill_rounded(painter, box, round_end, colours[there[-1]])
    if len(there) == 1:
        return
    first = QRectF(box)
    first.setWidth(min(max(2 * round_end, ends[there[0]] * width + round_end), width))
    fill_rounded(painter, first, round_end, colours[there[0]])
    stop = box.right() - round_end
    for k in there[1:]:
        start, end = x + (ends[k - 1] * width if k else 0.0), min(x + ends[k] * width, stop)
        if end > start:
            fill_pixels(painter, QRectF(start, box.y(), end - start, box.height()), colours[k])


def mean_bar(painter: QPainter, box: QRectF, scene: Scene, i: int, fill: QColor, look: Theme) -> None:
    """A box plot on the scale of the root's value ± two deviations; until it is known one deviation around node i's."""
    mean, spread = scene.cards.rate, scene.spread
    round_end, five = box.height() / 2, scene.box_plot(i)
    fill_rounded(painter, box, round_end, look.neutral)
    unit = box.width() / (4 * float(spread[0])) if spread[0] > 0 else 0.0
    if five is not None:
        ends = (box.width() / 2 + (five - float(mean[0])) * unit).clip(0.0, box.width()) + box.x()
        low, left, middle, right, high = ends.tolist()  # where 5, 25, 50, 75 and 95 % of the values end
        line = QRectF(low, box.center().y() - WHISKER / 2, max(high - low, 1.0), WHISKER)
        fill_rounded(painter, line, 0.0, mix(look.secondary, look.card, 0.25))
        most, half = QRectF(left, box.y(), max(right - left, 2.0), box.height()), THIN_BORDER / 2
        fill_rounded(painter, most.adjusted(-half, -half, half, half), 0.0, fill, look.secondary, THIN_BORDER)
        fill_rounded(painter, QRectF(middle - 1.0, box.y() - 0.5, 2.0, box.height() + 1.0), 0.0, look.text)
    elif mean[i] == mean[i]:
        centre = box.center().x() + (float(mean[i]) - float(mean[0])) * unit
        low = max(centre - float(spread[i]) * unit, box.x())
        high = min(centre + float(spread[i]) * unit, box.right())
        low, high = min(low, box.right() - box.height()), max(high, box.x() + box.height())
        fill_rounded(painter, QRectF(low, box.y(), high - low, box.height()), round_end, fill)
        at = min(max(centre, box.x() + 1), box.right() - 1)
        dot = QRectF(at - round_end, box.y(), box.height(), box.height())
        fill_rounded(painter, dot.adjusted(0.5, 0.5, -0.5, -0.5), round_end - 0.5, look.text)


def paint_ribbon(painter: QPainter, card: Card) -> None:
    """The edge into a node, as wide as its rows; it narrows where the cards below are smaller."""
    parts = ((min(float(shares[card.i]), 1.0), ink) for shares, ink in card.tone.strands)
    for share, colour in ((1.0, card.tone.colours.ribbon(card.i)), *parts):
        if share > 0:
            rows = card.rows * share
            paint_band(painter, card.edge, rows * card.above, rows * card.size.zoom, colour)


def paint_plate(painter: QPainter, scene: Scene, card: Card) -> None:
    rounding, look = ROUNDING * card.size.zoom + 0.5, card.tone.theme
    if card.on_path:  # a stronger border
        box = card.box.adjusted(-0.25, -0.25, 0.25, 0.25)
        fill_rounded(painter, box, rounding + 0.25, fill_of(card), look.text, 1.5)
    else:
        fill_rounded(painter, card.box, rounding, fill_of(card), look.border, 1.0)
    if card.inner and not card.size.low:
        if scene.colours.striped:  # along the upper edge, where neither bar nor fill shows the node's colour
            zoom, inside = card.size.zoom, card.box.adjusted(1, 1, -1, -1)
            end, radius = card.box.y() + STRIPE * zoom, ROUNDING * zoom
            high = min(2 * radius, inside.height())
            upper = QRectF(inside.x(), inside.y(), inside.width(), high)
            fill_rounded(painter, upper, radius, card.tone.colours.ribbon(card.i))
            below = QRectF(inside.x(), end, inside.width(), inside.y() + high - end + 0.5)
            fill_rounded(painter, below, 0.0, look.card)
        if scene.cards.barred:
            _bar(painter, scene, card)
    elif not card.inner and card.size.full and not card.silent and scene.cards.stacked and scene.cards.barred:
        bar = _foot(card, TILE_BAR, TILE_BAR_HIGH, TILE_BAR_BESIDE)
        trough(painter, bar, look)
        class_bar(painter, scene, card, bar)


def _foot(card: Card, above: float, high: float, beside: float) -> QRectF:
    """A bar at the foot of a card; sizes at scale 1."""
    box, zoom = card.box, card.size.zoom
    beside *= zoom
    return QRectF(box.x() + beside, box.bottom() - above * zoom, box.width() - 2 * beside, high * zoom)


def fill_of(card: Card) -> QColor:
    """The colour that the words of a card stand on."""
    white = card.inner and not card.size.low  # low ones are as boxes are
    return card.tone.theme.card if white else card.tone.colours.ribbon(card.i)


def _bar(painter: QPainter, scene: Scene, card: Card) -> None:
    """The bar at the foot of a card: the classes, with a tick at the root's rate, or a box plot."""
    zoom, look, bar = card.size.zoom, card.tone.theme, _foot(card, BAR, BAR_HIGH, BAR_BESIDE)
    if scene.tree.task == "number":
        mean_bar(painter, bar, scene, card.i, card.tone.colours.ribbon(card.i), look)
        at = 0.5
    else:
        class_bar(painter, scene, card, bar)
        at = float(scene.bar_ends[0, 0])
    if not scene.cards.stacked:
        tick = QRectF(bar.x() + at * bar.width() - 0.5, bar.y() - 2 * zoom, max(1.0, zoom), bar.height() + 4 * zoom)
        fill_pixels(painter, tick, look.text)
