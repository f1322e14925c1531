"""The words on cards and on the edges between them."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPaintEngine, QPainter

from gui.picture.cards.plates import fill_of
from gui.picture.cards.scene import Scene
from gui.picture.cards.visible_cards import BESIDE, LEAST_NAMED, Card, Size
from gui.picture.colours.colouring import ink_on
from gui.picture.emphasis import Emphasis
from gui.picture.nodes.letters import NAME, told

EDGE_HIGH, EDGE_ABOVE, EDGE_BESIDE = (
    16.0,
    22.0,
    5.0,
)  # pixels at scale 1: of the plate, from there down to the card, beside the words
EDGE_TIGHT = 13.0  # the height of a plate with little room

Said = tuple[Card, str, QRectF]  # the card below, the words, the plate behind them


def said_on_edges(scene: Scene, cards: list[Card], emphasis: Emphasis) -> list[Said]:
    """The words above some cards: those that stand out, whatever their room, then of the others what has room beside
    them. Names are shortened to the room, numbers left out where they do not fit."""
    found: list[Said] = []
    for card in cards if emphasis.words else ():
        if card.i in emphasis.words:
            text = told(scene.cards.letters, emphasis.words[card.i])
            plate = plate_above(scene, card, text)
            if plate is not None and not any(plate.intersects(other) for _, _, other in found):
                found.append((card, text, plate))
    standing_out = [plate for _, _, plate in found]
    for card in cards:
        if not card.silent and card.i not in emphasis.words:
            text = scene.cards.label_within(card.i, (card.slot + 8) / card.size.letter_zoom - 2 * EDGE_BESIDE)
            plate = plate_above(scene, card, text)
            if plate is not None and not any(plate.intersects(other) for other in standing_out):
                found.append((card, text, plate))
    return found


def plate_above(scene: Scene, card: Card, text: str) -> QRectF | None:
    """Where the words on the edge into a node stand; None where they have no room."""
    scale = card.size.letter_zoom
    _, y0, x, y = card.edge
    high = EDGE_HIGH * scale
    if not text or y - y0 < high:
        return None
    width = (scene.cards.letters.width(text) + 2 * EDGE_BESIDE) * scale
    return QRectF(x - width / 2, y - min(EDGE_ABOVE * scale, (y - y0 + high) / 2), width, high)


class Written:
    """What a painter writes in one picture, while nothing else uses it."""

    def __init__(self, painter: QPainter, scene: Scene) -> None:
        self.painter = painter
        self.cards = scene.cards
        self.letters = scene.cards.letters
        # Where pixels are smaller, texts that are set stand a fraction of one away from those that are not.
        self._sets = painter.paintEngine().type() == QPaintEngine.Type.Raster and painter.deviceTransform().m11() == 1.0
        self._chosen: tuple[QFont | None, QColor | None] = None, None  # the letters and the colour of the painter

    def words(self, text: str, size: Size, kind: str, x: float, y: float, colour: QColor) -> None:
        """Text centred on a point; nothing for an empty one."""
        if text:
            letter, painter = size.letters[kind], self.painter
            font, ink = self._chosen
            if font is not letter.font or ink is not colour:
                painter.setFont(letter.font)
                painter.setPen(colour)
                self._chosen = letter.font, colour
            x, y = x - self.letters.width(text, kind) * letter.half, y + letter.drop
            ready = letter.typeset.again(text) if self._sets else None
            if ready is None:
                painter.drawText(QPointF(x, y), text)
            else:
                painter.drawStaticText(QPointF(x, y - letter.ascent), ready)

    def card(self, card: Card) -> None:
        """What a card or a tile says."""
        if card.inner:
            self._inner(card)
        elif not card.silent:
            self._leaf(card)

    def _inner(self, card: Card) -> None:
        """Of an inner node its column, rows and rate, the validation figure; or as much as has room."""
        if not card.size.low:
            self._rows(card, card.tone.theme.text, card.tone.theme.secondary)
        elif not card.silent:
            ink = ink_on(fill_of(card), faded=card.tone.faded)
            self._line(self.cards.title(card.i), card, NAME, card.box.center().y(), ink)

    def _leaf(self, card: Card) -> None:
        """Of a leaf what it says, its rows, the validation figure; of two classes a rate and the one it says."""
        i, cards, middle = card.i, self.cards, card.box.center().y()
        ink = ink_on(fill_of(card), faded=card.tone.faded)
        if card.size.full or (card.size.tile_lines and self._begins(card)):
            self._rows(card, ink, ink)
        elif card.size.tile_high >= LEAST_NAMED and cards.says_figure(i):
            self._figures((*cards.briefs(i), cards.says(i)[-1]), card, NAME, middle, ink)
        elif card.size.tile_high >= LEAST_NAMED:
            self._line(cards.title(i), card, NAME, middle, ink)

    def _begins(self, card: Card) -> bool:
        """Whether the first line has room: without it the others would say nothing."""
        room = (card.box.width() - 2 * BESIDE) / card.size.letter_zoom
        forms, kind = self.cards.texts(card.i)[0], card.size.tile_lines[0].kind
        return not self.cards.says_figure(card.i) or bool(self.letters.whole(forms, room, kind))

    def _rows(self, card: Card, first: QColor, other: QColor) -> None:
        """The lines of a card, on a smaller one as many as fit: names are shortened, figures never."""
        lines = card.size.lines if card.inner else card.size.tile_lines
        y, named = card.box.y(), card.inner or self.cards.stacked
        for (kind, middle, titles), forms in zip(lines, self.cards.texts(card.i), strict=False):
            if titles and named:
                self._line(forms[0], card, kind, y + middle, first)
            else:
                self._figures(forms, card, kind, y + middle, first if titles else other)

    def _line(self, text: str, card: Card, kind: str, y: float, colour: QColor) -> None:
        """A line in the middle of a card, shortened to it."""
        text = self.letters.elided(text, (card.box.width() - 2 * BESIDE) / card.size.letter_zoom, kind)
        self.words(text, card.size, kind, card.box.center().x(), y, colour)

    def _figures(self, forms: tuple[str, ...], card: Card, kind: str, y: float, colour: QColor) -> None:
        """A line with figures in the middle of a card: the first form that fits, never cut."""
        text = self.letters.whole(forms, (card.box.width() - 2 * BESIDE) / card.size.letter_zoom, kind)
        self.words(text, card.size, kind, card.box.center().x(), y, colour)
