"""One painter for the screen and for paper, in the pixels of the device, without a transform, in opaque colours: both
are quicker, and Qt's SVG and PDF writers get the rest wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui import theme
from gui.picture import legend
from gui.picture.camera import Camera
from gui.picture.cards import visible_cards as visible
from gui.picture.cards.boxes import paint_boxes, paint_dots, paint_lines, paint_rings, seen
from gui.picture.cards.frame import EDGE_BESIDE, EDGE_HIGH, Frame
from gui.picture.cards.scene import Scene
from gui.picture.cards.visible_cards import BESIDE, LEAST_NAMED, Card, Size, fill_of
from gui.picture.colours import ink_on
from gui.picture.emphasis import NOTHING
from gui.picture.folds import HIGH
from gui.picture.nodes import badges
from gui.picture.nodes.letters import NAME, PLAIN, Texts, told
from gui.picture.shapes import RINGED, fill_pixels, fill_rounded

EDGE_ABOVE = 22.0  # pixels at scale 1 from the top of the plate behind words on an edge down to the card
WAYS = "right", "left", "above", "below"  # where words may stand beside a node, the best first
APART = 3.0  # pixels between a node and the words beside it
PLATE_HIGH, PLATE_BESIDE = 14.0, 5.0  # of the plate behind these, at scale 1
MOST_LETTERS = 200  # nodes that are called by one
LEAST_LETTER = 0.7  # the scale of what nodes are called, at least
CUT_ROOM = 190.0  # pixels at scale 1 for a cut beside its node

Said = tuple[Card, str, QRectF]  # the card below, the words, the plate behind them


@dataclass(frozen=True)
class Marks:
    """What is marked on the tree: positions, −1 for none."""

    selected: int = -1
    hovered: int = -1
    focused: bool = False  # whether the keyboard acts on the canvas
    target: int = -1  # the node that a dragged column would be dropped onto


class Picture:
    """One paint of one tree in any kind of picture."""

    def __init__(
        self, painter: QPainter, frame: Any, size: tuple[float, float], marks: Marks | None, dpi: float
    ) -> None:
        self.painter, self.frame, self.size, self.marks, self.dpi = painter, frame, size, marks or Marks(), dpi
        self.scene, self.theme = frame.scene, frame.scene.theme
        self.cards, self.letters = self.scene.cards, self.scene.cards.letters
        self.emphasis, self.texts = self.scene.emphasis or NOTHING, Texts(painter)

    def letter_scale(self, i: int) -> float:
        """The scale of the letters of node i; 1 is natural."""
        raise NotImplementedError

    def ring(self, i: int, pen: QPen, distance: float) -> None:
        """A ring around node i, so many pixels away from it."""
        raise NotImplementedError

    def rings(self) -> None:
        """The rings around the selected node and the one that something would be dropped onto."""
        marks, look = self.marks, self.theme
        if marks.target >= 0:
            self.ring(marks.target, QPen(look.accent, 3.0, Qt.PenStyle.DashLine), 4.0)
        if marks.selected >= 0:
            ink, thick = (look.accent, 2.5) if marks.focused else (theme.mix(look.accent, look.canvas, 0.35), 2.0)
            for distance in (3.0, 8.0)[: 1 + self.emphasis.is_ringed(marks.selected)]:  # one of several has two
                self.ring(marks.selected, QPen(ink, thick), distance)

    def paint_letters(self, shown: NDArray[np.intp]) -> None:
        """What of the shown nodes is called by a letter, the first ones: at the upper left corner of what is drawn of
        the node, if that is not smaller."""
        view, chips, letters = QRectF(0, 0, *self.size), [], self.emphasis.letters
        here = set(shown.tolist()) if letters else set()
        for i, text in islice(((i, text) for i, text in letters.items() if i in here), MOST_LETTERS):
            box, scale = self.frame.box(i), max(self.letter_scale(i), LEAST_LETTER)
            letter = self.letters.sized(scale, self.dpi, self.painter.device())[NAME]
            width, high = 2 * (self.letters.width(text, NAME) * letter.half + PLATE_BESIDE * scale), PLATE_HIGH * scale
            if view.intersects(box) and self.scene.standing(i) == i and max(box.width(), box.height()) >= high:
                left = max(min(box.left() - width / 2, view.right() - width), 0.0)
                chips.append((text, letter, QRectF(left, max(box.top() - high / 2, 0.0), width, high)))
        for text, letter, chip in chips:
            fill_rounded(self.painter, chip, chip.height() / 3, self.theme.text)
            at = chip.center().x() - self.letters.width(text, NAME) * letter.half
            self.texts.add(text, letter, at, chip.center().y(), self.theme.card.rgb())
        self.texts.write()

    def paint_beside(self, said: Mapping[int, str], taken: Sequence[QRectF], places: tuple[str, ...] = WAYS) -> None:
        """Words beside nodes, the most important first, in the first free place in view that covers nothing `taken`."""
        view, taken = QRectF(0, 0, *self.size), list(taken)
        if not self.scene.paper:
            taken.append(legend.box(self.scene, legend.LEFT, self.size[1] - legend.HEIGHT))
        for i, text in said.items():
            box, scale = self.frame.box(i), self.letter_scale(i)
            letter = self.letters.sized(scale, self.dpi, self.painter.device())[PLAIN]
            width, height = 2 * (self.letters.width(text) * letter.half + PLATE_BESIDE * scale), PLATE_HIGH * scale
            middle, left = box.center().y() - height / 2, box.center().x() - width / 2
            corners = {
                "right": (box.right() + APART, middle), "left": (box.left() - APART - width, middle),
                "above": (left, box.top() - APART - height), "below": (left, box.bottom() + APART),
            }  # fmt: skip
            plates = (QRectF(*corners[place], width, height) for place in places)
            free = (p for p in plates if view.contains(p) and not any(p.intersects(other) for other in taken))
            plate = next(free, None)
            if plate is not None and view.intersects(box):
                taken.append(plate)
                fill_rounded(self.painter, plate, height / 2, self.theme.canvas)
                ink = self.theme.text.rgb()
                self.texts.add(text, letter, plate.x() + PLATE_BESIDE * scale, plate.center().y(), ink)
        self.texts.write()


def paint(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    width: float,
    height: float,
    marks: Marks | None = None,
    dpi: float = 96.0,
    top: int = 0,
) -> None:
    """Paints the part of a tree, or of the branch at `top`, that a device of this size shows, on the caller's
    background."""
    frame = Frame(scene, camera)
    shown, size = seen(frame, width, height, top), (width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_lines(painter, frame, shown, size, top)
    paint_boxes(painter, frame, shown, size)
    if scene.warned is not None:
        paint_dots(painter, frame, shown.boxed[scene.warned[shown.boxed]])
    picture = _Picture(painter, frame, size, marks, dpi)
    picture.draw(shown.named, top)
    paint_rings(painter, frame, shown)
    picture.draw_marks()
    picture.paint_letters(shown.named)


class _Picture(Picture):
    """One paint of one tree of cards."""

    frame: Frame
    scene: Scene
    named: Sequence[int] = ()
    cutting: Sequence[int] = ()  # the nodes that say their cut themselves

    def sized(self, zoom: float) -> Size:
        return visible.size_of(self.scene, zoom, self.dpi, self.painter.device())

    def draw(self, shown: NDArray[np.intp], top: int) -> None:
        """Ribbons below, above them the plates of words on them, cards on top; then all words."""
        self.named, scene, painter = shown.tolist(), self.scene, self.painter
        found = visible.placed(self.frame, shown, self.sized, self.size, top, self.marks.hovered)
        cards, children = [card for card in found if card.in_view], [card for card in found if card.reached]
        for card in children:
            visible.paint_ribbon(painter, card)
        for card in children:
            if card.on_path:
                visible.paint_band(painter, card.edge, 0.0, 0.0, card.tone.theme.text)
        edges = self.said_on_edges(children)
        for card, _, plate in edges:
            if card.rows * card.size.zoom < plate.width() - plate.height():  # its corners are beside the ribbon
                fill_pixels(painter, plate, card.tone.theme.canvas)
            else:
                fill_rounded(painter, plate, plate.height() / 2, card.tone.theme.canvas)
        for card in cards:
            visible.paint_plate(painter, scene, card)
        said = {card.i for card, _, _ in edges}
        leading = self.cutting = scene.cutting(top, said)
        if scene.paper:  # which nobody zooms into
            inner = [card.i for card in cards if card.inner]
            self.cutting = [i for i in inner if not said.issuperset(scene.branches(i))]
        for card, text, plate in edges:
            self.words(text, card.size, PLAIN, plate.center().x(), plate.center().y(), card.tone.theme.text.rgb())
        for card in cards:
            self.card(card)
        self.texts.write()
        for card in cards:
            names = scene.badges(card.i)
            if names and not card.silent:
                badges.paint(self.painter, card.tone.theme, card.box, names, card.size.zoom, card.size.full)
        cut = {card.i for card in cards if card.silent or self.cut_of(card)}
        cutting = [i for i in leading if i not in cut]
        boxes = [self.with_mark(card) for card in cards if not card.silent]
        self.beside(edges, boxes, cutting)

    def with_mark(self, card: Card) -> QRectF:
        """The card with the room below it for what it says of what it hides."""
        folded = self.scene.folded
        closed = folded is not None and folded.closed[card.i]
        return card.box.adjusted(0, 0, 0, HIGH * card.size.zoom) if closed else card.box

    def beside(self, edges: list[Said], cards: list[QRectF], cutting: list[int]) -> None:
        """What a row that is followed has beside nodes, or the cuts of leading ones, if neither is said elsewhere."""
        words, plates = self.emphasis.words, [plate for _, _, plate in edges]
        if self.emphasis.way is not None:
            here, lit = sorted(set(words).difference(card.i for card, _, _ in edges)), map(self.frame.box, (0, *words))
            said = {i: told(self.letters, words[i]) for i in here if self.scene.standing(i) == i}
            self.paint_beside(said, [*plates, *lit])
        else:
            cuts = {i: self.cards.cut(i, CUT_ROOM, PLAIN) for i in cutting}
            self.paint_beside(cuts, [*plates, *cards], ("right", "left", "below"))  # above are words on the edge

    def letter_scale(self, i: int) -> float:
        return self.sized(self.frame.scale(i)).letter_zoom

    def words(self, text: str, size: Size, kind: str, x: float, y: float, colour: int) -> None:
        """Text centred on a point, 0xffRRGGBB; nothing for an empty one."""
        if text:
            letter = size.letters[kind]
            self.texts.add(text, letter, x - self.letters.width(text, kind) * letter.half, y, colour)

    def card(self, card: Card) -> None:
        if card.inner and not card.size.low:
            self._rows(card, card.tone.theme.text.rgb(), card.tone.theme.secondary.rgb())
        elif card.inner and not card.silent:
            text, fill = self.cut_of(card) or self.cards.title(card.i), fill_of(card).rgb()
            self._line(text, card, NAME, card.box.center().y(), ink_on(fill, faded=card.tone.faded))
        elif not card.silent:
            self._leaf(card)

    def _leaf(self, card: Card) -> None:
        """Of a leaf what it predicts, the rate and its rows, the validation figure; or as much of that as has room."""
        i, middle, lines = card.i, card.box.center().y(), card.size.tile_lines
        ink = ink_on(fill_of(card).rgb(), faded=card.tone.faded)
        begins = card.size.full or not self.cards.says_figure(i)
        if lines and not begins:  # without the first line the others would say nothing
            begins = bool(self.letters.whole(self.cards.texts(i)[0], self._room(card), lines[0].kind))
        if begins and (lines or card.size.full):
            self._rows(card, ink, ink)
        elif card.size.tile_high >= LEAST_NAMED:
            forms = self.cards.briefs(i)
            name = (self.cards.title(i),) if self.cards.tree.task == "classes" and not self.cards.stacked else ()
            if not self._figures((*forms, *name), card, NAME, middle, ink) and self.cards.stacked:
                self._line(self.cards.title(i), card, NAME, middle, ink)

    def cut_of(self, card: Card) -> str:
        """The split of a node whose branches have no words on their edges, where enough of its name is left."""
        return self.cards.cut(card.i, self._room(card)) if card.i in self.cutting else ""

    def _rows(self, card: Card, first: int, other: int) -> None:
        """The lines of a card, on a smaller one as many as fit: names are shortened, figures never."""
        lines = card.size.lines if card.inner else card.size.tile_lines
        y, named = card.box.y(), card.inner or self.cards.stacked
        for row, forms in zip(lines, self.cards.texts(card.i), strict=False):
            if row.titles and named:
                text = (self.cut_of(card) if card.inner else "") or forms[0]
                self._line(text, card, row.kind, y + row.middle, first)
            else:
                self._figures(forms, card, row.kind, y + row.middle, first if row.titles else other)

    def _room(self, card: Card) -> float:
        """How wide words may be in a card, at scale 1."""
        return (card.box.width() - 2 * BESIDE) / card.size.letter_zoom

    def _line(self, text: str, card: Card, kind: str, y: float, colour: int) -> None:
        text = self.letters.elided(text, self._room(card), kind)
        self.words(text, card.size, kind, card.box.center().x(), y, colour)

    def _figures(self, forms: tuple[str, ...], card: Card, kind: str, y: float, colour: int) -> bool:
        """A line with figures in the middle of a card: the first form that fits, never cut; whether one does."""
        text = self.letters.whole(forms, self._room(card), kind)
        self.words(text, card.size, kind, card.box.center().x(), y, colour)
        return bool(text)

    def said_on_edges(self, cards: list[Card]) -> list[Said]:
        """The words above cards, first those that stand out: names are shortened, numbers never; of two branches both
        or none."""
        found: dict[int, Said] = {}
        standing_out: list[QRectF] = []
        telling, view = self.emphasis.words, QRectF(0, 0, *self.size)
        for card in sorted(cards, key=lambda card: card.i not in telling):
            if card.i in telling:
                text = told(self.letters, telling[card.i])
            else:
                room = (card.slot + 8) / card.size.letter_zoom - 2 * EDGE_BESIDE
                text = "" if card.silent else self.cards.label_within(card.i, room)
            plate = self.plate_above(card, text)
            if plate is not None and not any(map(plate.intersects, standing_out)):
                found[card.i] = card, text, plate
                standing_out += [plate] * (card.i in telling)

        def is_mute(i: int) -> bool:
            return i not in found and i not in telling and view.intersects(self.frame.box(i))

        return [said for i, said in found.items() if i in telling or not any(map(is_mute, self.scene.other_branch(i)))]

    def plate_above(self, card: Card, text: str) -> QRectF | None:
        """Where the words on the edge into a node stand; None where they have no room."""
        scale = card.size.letter_zoom
        _, y0, x, y = card.edge
        high = EDGE_HIGH * scale
        if not text or y - y0 < high:
            return None
        width = (self.letters.width(text) + 2 * EDGE_BESIDE) * scale
        return QRectF(x - width / 2, y - min(EDGE_ABOVE * scale, (y - y0 + high) / 2), width, high)

    def draw_marks(self) -> None:
        """The rings around the selected node and, where boxes are too small for borders, the hovered one."""
        hovered, look = self.marks.hovered, self.theme
        for i, ringed in zip(self.named, self.emphasis.are_ringed(np.array(self.named, np.intp)), strict=True):
            if ringed and i != self.marks.selected:
                self.ring(i, QPen(look.accent, RINGED), 3.0)
        if hovered >= 0 and not self.frame.are_named(np.array([hovered]))[0]:
            self.ring(hovered, QPen(look.text, 1.5), 2.0)
        self.rings()

    def ring(self, i: int, pen: QPen, distance: float) -> None:
        box = self.frame.box(i)
        grow_x, grow_y = (max(distance, distance + (6 - side) / 2) for side in (box.width(), box.height()))
        box.adjust(-grow_x, -grow_y, grow_x, grow_y)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = 6 * self.frame.scale(i) + distance
        self.painter.drawRoundedRect(box, radius, radius)
