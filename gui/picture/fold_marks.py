"""What says that a branch is folded, like the top of a stack, and the handles that fold and unfold, under the mouse."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPen

from gui.picture.cards.frame import Frame
from gui.picture.colours import faded_theme
from gui.picture.emphasis import NOTHING
from gui.picture.folds import HIGH, fold_words
from gui.picture.nodes.letters import NAME, PIXELS, SMALL, Texts
from gui.picture.picture_model import PictureModel
from gui.picture.shapes import fill_rectangles
from gui.picture.streams.frame import StreamFrame, first_column, last_column

LEAST_PIXELS = 9.0  # letters never get smaller
STACK = (3.0, 6.0)  # how far the cards below stand out, at scale 1
NARROWER = 4.0  # on each side, for each of them
OVER = 5.0  # how far the plate that says what is hidden reaches over the card: up to the bar
HANDLE = 8.0  # the radius of a handle
HALF_NAME = 5.0  # half of the height of a name, which it does not cover on a low card
LEAST_BOX, LEAST_BAR = 4.0, 2.0  # pixels; smaller ones have no mark
GAP, LINE = 1.0, 1.5  # of the mark of a box without words: from the box, and how thick


@dataclass(frozen=True)
class FoldMark:
    """What is drawn at one node."""

    i: int  # its position
    card: QRectF  # the card or tile
    box: QRectF  # the plate with words, or the handle: where a click folds or unfolds
    text: str  # what a folded node says; empty for the handle of an open one
    scale: float  # the size of letters, 1 is natural


Placed = Frame | StreamFrame  # where the nodes stand on the screen


def marks_of(placed: Placed, size: tuple[float, float], over: tuple[int, ...] = (), top: int = 0) -> list[FoldMark]:
    """The marks of folded nodes with words in view, of a branch alone where `top` is its position, and the handles of
    open ones among the nodes `over`, −1 for none."""
    return _beside(placed, over) if isinstance(placed, StreamFrame) else _below(placed, size, over, top)


def _below(frame: Frame, size: tuple[float, float], over: tuple[int, ...], top: int) -> list[FoldMark]:
    nodes = _tops_in_view(frame, size, top)
    found = []
    for i in nodes[frame.are_named(nodes)].tolist():
        card, scale = frame.box(i), max(frame.scale(i), LEAST_PIXELS / PIXELS[NAME])
        room = max(float(frame.slots(np.array([i]))[0]), card.width()) / scale
        text, wide = fold_words(frame.scene.cards.letters, frame.scene.tree, i, room)
        box = QRectF(card.center().x() - wide * scale / 2, card.bottom() - OVER * frame.scale(i), wide * scale, 0.0)
        box.setHeight(HIGH * scale)
        found.append(FoldMark(i, card, box, text, scale))
    for i in _open(frame.scene, over):
        if frame.are_named(np.array([i]))[0]:
            card, scale = frame.box(i), max(frame.scale(i), LEAST_PIXELS / PIXELS[NAME])
            y = max(card.bottom() + 2 * scale, card.center().y() + (HANDLE + HALF_NAME) * scale)
            found.append(_handle(i, card, QPointF(card.center().x(), y), scale))
    return found


def _beside(frame: StreamFrame, over: tuple[int, ...]) -> list[FoldMark]:
    folded, found, wanted = frame.scene.folded, [], _open(frame.scene, over)
    if folded is None and not wanted:
        return []
    levels = {int(frame.scene.levels.level[i]) for i in wanted}
    if folded is not None:
        levels |= set(range(first_column(frame), last_column(frame) + 1))
    for level in sorted(levels):
        here = frame.written(level)
        which = np.isin(here.nodes, wanted)
        if folded is not None:
            which |= folded.closed[here.nodes]
        for k in np.flatnonzero(which).tolist():
            i, beside = int(here.nodes[k]), frame.words_at(level, k)
            if beside is None:
                continue
            card, scale = beside.plate, frame.words
            if beside.fold:
                found.append(FoldMark(i, card, beside.fold_plate, beside.fold, scale))
            else:
                found.append(_handle(i, card, QPointF(card.right() + 2 * scale, card.center().y()), scale))
    return found


def _open(scene: PictureModel, over: tuple[int, ...]) -> list[int]:
    inner = (i for i in dict.fromkeys(over) if i >= 0 and scene.cards.is_inner(i))
    return [i for i in inner if scene.folded is None or not scene.folded.closed[i]]


def _handle(i: int, card: QRectF, centre: QPointF, scale: float) -> FoldMark:
    radius = HANDLE * scale
    return FoldMark(i, card, QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), "", scale)


def _tops_in_view(placed: Placed, size: tuple[float, float], top: int) -> NDArray[np.intp]:
    folded = placed.scene.folded
    if folded is None:
        return np.zeros(0, np.intp)
    nodes = placed.scene.inside(folded.tops, top)
    x, y, width, height = placed.boxes(nodes).T
    return nodes[(x + width >= 0) & (x <= size[0]) & (y + height >= 0) & (y <= size[1])]


def paint(
    painter: QPainter, placed: Placed, marks: list[FoldMark], size: tuple[float, float], dpi: float = 96.0, top: int = 0
) -> None:
    """Paints marks over a picture, and lines at the folded nodes that have no room for words."""
    scene, emphasis, texts = placed.scene, placed.scene.emphasis or NOTHING, Texts(painter)
    pale, letters = faded_theme(scene.theme), scene.cards.letters
    _paint_lines(painter, placed, {mark.i for mark in marks if mark.text}, size, top)
    for mark in marks:
        look = pale if emphasis.faded(mark.i) else scene.theme
        painter.setPen(QPen(look.secondary, 1.0))
        painter.setBrush(look.card)
        if mark.text:
            _paint_stack(painter, mark, scene.sideways)
            radius, letter = mark.box.height() / 2, letters.sized(mark.scale, dpi, painter.device())[SMALL]
            painter.drawRoundedRect(mark.box, radius, radius)
            x = mark.box.center().x() - letters.width(mark.text, SMALL) * letter.half
            texts.add(mark.text, letter, x, mark.box.center().y(), look.text.rgb())
            texts.write()
        else:
            painter.drawEllipse(mark.box)
            minus = QPointF(mark.box.width() / 4, 0)
            painter.setPen(QPen(look.text, 1.6 * mark.scale))
            painter.drawLine(mark.box.center() - minus, mark.box.center() + minus)


def _paint_stack(painter: QPainter, mark: FoldMark, sideways: bool) -> None:
    radius, zoom = 6 * mark.scale, mark.scale
    over = QPainterPath()
    over.addRoundedRect(mark.card, radius, radius)
    for out in STACK[::-1]:
        inset = NARROWER * zoom * (1 + STACK.index(out))
        under = QPainterPath()
        sides = (0, inset / 2, out * zoom, -inset / 2) if sideways else (inset, 0, -inset, out * zoom)
        under.addRoundedRect(mark.card.adjusted(*sides), radius, radius)
        painter.drawPath(under.subtracted(over))


def _paint_lines(painter: QPainter, placed: Placed, said_by: set[int], size: tuple[float, float], top: int) -> None:
    """Small boxes and bars that are folded: a line beside each."""
    nodes = _tops_in_view(placed, size, top)
    nodes = nodes[~np.isin(nodes, list(said_by))]
    x, y, width, height = placed.boxes(nodes).T
    if placed.scene.sideways:
        lines, large = np.column_stack((x + width + GAP, y, np.full(len(x), LINE), height)), height >= LEAST_BAR
    else:
        lines, large = np.column_stack((x, y + height + GAP, width, np.full(len(x), LINE))), width >= LEAST_BOX
    ink = placed.scene.theme.secondary.rgb()
    fill_rectangles(painter, lines[large], np.full(np.count_nonzero(large), ink, np.uint32))
