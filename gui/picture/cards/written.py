"""The words on cards and on the edges between them."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QPaintEngine, QPainter

from gui.picture.cards.plates import fill_of
from gui.picture.cards.scene import Scene
from gui.picture.cards.size import BESIDE, LEAST_NAMED, Size
from gui.picture.cards.visible_cards import Card
from gui.picture.colours.fading import ink_on
from gui.picture.nodes.letters import NAME


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
