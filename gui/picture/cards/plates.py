"""What lies below the words of cards: the edges into them, the plates on these, cards and tiles with their bars."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from gui.picture.cards.edges import paint_band
from gui.picture.cards.scene import Scene
from gui.picture.cards.size import BAR, BAR_BESIDE, BAR_HIGH
from gui.picture.cards.visible_cards import Card
from gui.picture.nodes.bars import class_bar, mean_bar, tick, trough
from gui.picture.shapes import fill_pixels, fill_rounded

STRIPE = 5.0  # how much of a card's upper edge has its colour, at scale 1
ROUNDING = 6.0  # of cards, at scale 1
TILE_BAR, TILE_BAR_HIGH, TILE_BAR_BESIDE = 10.0, 5.0, 6.0  # at scale 1: from its top to the tile's foot


def paint_ribbon(painter: QPainter, card: Card) -> None:
    """The edge into a node, as wide as its rows; it narrows where the cards below are smaller."""
    parts = [(1.0, card.tone.colours.ribbon(card.i))]
    parts += [(min(float(shares[card.i]), 1.0), ink) for shares, ink in card.tone.strands]
    for share, colour in parts:
        if share > 0:
            rows = card.rows * share
            paint_band(painter, card.edge, rows * card.above, rows * card.size.zoom, colour)


def paint_edge_plate(painter: QPainter, card: Card, plate: QRectF) -> None:
    """The plate behind words on an edge, in the colour of the canvas."""
    if card.rows * card.size.zoom < plate.width() - plate.height():  # its corners are beside the ribbon
        fill_pixels(painter, plate, card.tone.theme.canvas)
    else:
        fill_rounded(painter, plate, plate.height() / 2, card.tone.theme.canvas)


def paint_plate(painter: QPainter, scene: Scene, card: Card) -> None:
    """A card or a tile without its words."""
    _bordered(painter, card, fill_of(card))
    if card.inner and not card.size.low:
        if scene.colours.striped:
            _stripe(painter, card)
        if scene.cards.barred:
            _bar(painter, scene, card)
    elif not card.inner and card.size.full and not card.silent and scene.cards.stacked and scene.cards.barred:
        box, zoom = card.box, card.size.zoom
        beside = TILE_BAR_BESIDE * zoom
        bar = QRectF(box.x() + beside, box.bottom() - TILE_BAR * zoom, box.width() - 2 * beside, TILE_BAR_HIGH * zoom)
        trough(painter, bar, card.tone.theme)
        _class_bar(painter, scene, card, bar)


def fill_of(card: Card) -> QColor:
    """The colour that the words of a card stand on."""
    if card.inner:
        return card.tone.colours.ribbon(card.i) if card.size.low else card.tone.theme.card  # low ones as boxes are
    return card.tone.colours.tile(card.i) if card.size.full else card.tone.colours.ribbon(card.i)


def _bordered(painter: QPainter, card: Card, fill: QColor) -> None:
    """The rounded rectangle behind a card or a tile; around those on the hovered path a stronger one."""
    rounding, box = ROUNDING * card.size.zoom + 0.5, card.box
    if card.on_path:
        fill_rounded(painter, box.adjusted(-0.25, -0.25, 0.25, 0.25), rounding + 0.25, fill, card.tone.theme.text, 1.5)
    else:
        fill_rounded(painter, box, rounding, fill, card.tone.theme.border, 1.0)


def _stripe(painter: QPainter, card: Card) -> None:
    """The node's colour along the upper edge, where neither bar nor fill shows it."""
    zoom, inside = card.size.zoom, card.box.adjusted(1, 1, -1, -1)
    end, radius = card.box.y() + STRIPE * zoom, ROUNDING * zoom
    high = min(2 * radius, inside.height())
    fill_rounded(
        painter, QRectF(inside.x(), inside.y(), inside.width(), high), radius, card.tone.colours.ribbon(card.i)
    )
    below = QRectF(inside.x(), end, inside.width(), inside.y() + high - end + 0.5)
    fill_rounded(painter, below, 0.0, card.tone.theme.card)


def _bar(painter: QPainter, scene: Scene, card: Card) -> None:
    """The bar at the foot of a card: the classes, with a tick at the root's rate, or a box plot."""
    box, zoom, look = card.box, card.size.zoom, card.tone.theme
    beside = BAR_BESIDE * zoom
    bar = QRectF(box.x() + beside, box.bottom() - BAR * zoom, box.width() - 2 * beside, BAR_HIGH * zoom)
    if scene.tree.task == "number":
        mean_bar(painter, bar, scene, card.i, card.tone.colours.ribbon(card.i), look)
        tick(painter, bar, bar.center().x(), zoom, look)
        return
    _class_bar(painter, scene, card, bar)
    if not scene.cards.stacked:
        tick(painter, bar, bar.x() + bar.width() * float(scene.bar_ends[0, 0]), zoom, look)


def _class_bar(painter: QPainter, scene: Scene, card: Card, box: QRectF) -> None:
    """The shares of the classes, side by side."""
    class_bar(painter, box, scene.bar_ends[card.i].tolist(), card.tone.bars, card.tone.theme)
