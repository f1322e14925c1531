"""The words on the edges between cards: which, and where they stand."""

from PySide6.QtCore import QRectF

from gui.picture.cards.scene import Scene
from gui.picture.cards.visible_cards import Card
from gui.picture.highlighting.emphasis import Emphasis
from gui.picture.nodes.letters import told

HIGH, ABOVE, BESIDE = 16.0, 22.0, 5.0  # pixels at scale 1: of the plate, from there down to the card, beside the words
TIGHT = 13.0  # the height of a plate with little room

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
            text = scene.cards.label_within(card.i, (card.slot + 8) / card.size.letter_zoom - 2 * BESIDE)
            plate = plate_above(scene, card, text)
            if plate is not None and not any(plate.intersects(other) for other in standing_out):
                found.append((card, text, plate))
    return found


def plate_above(scene: Scene, card: Card, text: str) -> QRectF | None:
    """Where the words on the edge into a node stand; None where they have no room."""
    scale = card.size.letter_zoom
    _, y0, x, y = card.edge
    high = HIGH * scale
    if not text or y - y0 < high:
        return None
    width = (scene.cards.letters.width(text) + 2 * BESIDE) * scale
    return QRectF(x - width / 2, y - min(ABOVE * scale, (y - y0 + high) / 2), width, high)
