"""One painter for the screen and for paper: streams, bars and their words, drawn as in `cards.painter`."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from gui.picture.camera import Camera
from gui.picture.cards.painter import CUT_ROOM, Marks, Picture
from gui.picture.colours import faded_theme, ink_on
from gui.picture.nodes import badges
from gui.picture.nodes.letters import PLAIN, stepped, told
from gui.picture.shapes import LEAST_RING, RINGED, draw_rectangles, draw_rings, fill_rounded
from gui.picture.streams import ribbons
from gui.picture.streams.frame import AFTER_BAR, EDGE_GAP, Seen, StreamFrame, first_column, largest, last_column, seen
from gui.picture.streams.scene import Streams, Words, placed_box

DOT = 4.0
EDGE_HEIGHT, EDGE_PADDING = 16.0, 5.0  # of the plate behind words on a stream
NOTCH = 30.0  # pixels that a bar is higher than its words, below which a ring is a plain rectangle around both


def paint(
    painter: QPainter,
    scene: Streams,
    camera: Camera,
    width: float,
    height: float,
    marks: Marks | None = None,
    dpi: float = 96.0,
    top: int = 0,
) -> None:
    """Paints the part of a tree, or of the branch at `top`, that a device of this size shows, on the caller's
    background."""
    frame = StreamFrame(scene, camera, QSizeF(width, height), top)
    shown = seen(frame)
    below = np.concatenate((shown.blocks, shown.nodes))
    picture = _Picture(painter, frame, marks, dpi)
    picture.path = frozenset(below[scene.on_path(below, picture.marks.hovered)].tolist())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    emphasis, near = picture.emphasis, picture.in_view(shown.nodes)
    faded_blocks, faded = emphasis.are_faded_below(shown.blocks, scene.tree.end), emphasis.are_faded(shown.nodes)
    ribbons.paint_ribbons(painter, frame, below[below != top], np.concatenate((faded_blocks, faded))[below != top])
    for shares, ink in emphasis.strands(scene.theme):
        ribbons.paint_strand(painter, frame, below[below != top], shares, ink)
    ribbons.paint_blocks(painter, frame, shown.blocks, faded_blocks)
    ribbons.paint_bars(painter, frame, shown.nodes[near], faded[near])
    ribbons.paint_strips(painter, frame, shown.nodes[near])
    path = np.array(sorted(picture.path), np.intp)
    ribbons.paint_threads(painter, frame, path[path > top])
    picture.words()
    if scene.warned is not None:
        picture.dots(shown.nodes[scene.warned[shown.nodes]])
    picture.emphasized(shown)
    picture.draw_marks()
    picture.paint_letters(shown.nodes)


BESIDE = "right", "below", "above"  # left are words on the stream


class _Picture(Picture):
    """One paint of one tree of streams."""

    frame: StreamFrame
    scene: Streams

    def __init__(self, painter: QPainter, frame: StreamFrame, marks: Marks | None, dpi: float) -> None:
        super().__init__(painter, frame, (frame.size.width(), frame.size.height()), marks, dpi)
        pale = faded_theme(self.theme), self.scene.faded_colours
        self._tones = {False: (self.theme, self.scene.colours), True: pale}
        self.sized = self.letters.sized(stepped(frame.words), dpi, painter.device())
        self.path: frozenset[int] = frozenset()
        self._inks = {pale: (look.text.rgb(), look.secondary.rgb()) for pale, (look, _) in self._tones.items()}
        self._borders = (*((look.border, 1.0) for look, _ in self._tones.values()), (self.theme.text, 1.5))

    def in_view(self, nodes: NDArray) -> NDArray[np.bool_]:
        """bool[k]: which bars are in view."""
        low, high = self.frame.spans(nodes)
        return (high >= 0) & (low <= self.frame.size.height())

    def dots(self, nodes: NDArray) -> None:
        """A dot at each bar that stands without words, in the colour of warnings, as the badge beside the others."""
        x, (low, high) = self.frame.left(self.scene.levels.level[nodes]), self.frame.spans(nodes)
        silent = self.frame.tiers(nodes) == 0
        middle = (low[silent] + high[silent] - DOT) / 2
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.theme.warning)
        draw_rectangles(self.painter, ribbons.corners(self.frame, x[silent] - DOT, x[silent], middle, middle + DOT))

    def words(self) -> None:
        """What is written on streams and beside bars: the plates of all of it first."""
        frame, scale = self.frame, self.frame.words
        written, rooms = frame.written_between(max(first_column(frame) - 1, 0), last_column(frame))
        lefts = frame.beside(written.levels)
        every = (values.tolist() for values in (written.nodes, written.tiers, rooms, lefts, written.middles))
        shapes = [(i, frame.shape(i, lines, room), x, middle) for i, lines, room, x, middle in zip(*every, strict=True)]
        found = [(i, words, x, middle) for i, words, x, middle in shapes if words is not None]
        there = np.array([words is not None for _, words, _, _ in shapes], bool)
        placed = {i: placed_box(words.box, x, middle, scale) for i, words, x, middle in found}
        boxes = [(box.top(), box.bottom(), box.right()) for box in placed.values()]
        if frame.readable:
            before = edge_rooms(frame, written.levels[there], boxes, written.levels, written.middles)
        else:
            before = [frame.overview[i].before for i in written.nodes.tolist()]
        plates = ((i, self.edge_plate(i, middle, room)) for (i, _, _, middle), room in zip(shapes, before, strict=True))
        edges = [(i, *edge) for i, edge in plates if edge is not None]
        told = self.emphasis.words.keys()
        said = {i for i, _, _ in edges}.union(told)  # of two branches both or none
        edges = [edge for edge in edges if edge[0] in told or self._is_paired(edge[0], said)]
        for i, text, plate in edges:
            fill_rounded(self.painter, plate, plate.height() / 2, self.theme.canvas)
            ink, at = self._inks[self.emphasis.faded(i)][0], plate.x() + EDGE_PADDING * scale
            self.texts.add(text, self.sized[PLAIN], at, plate.center().y(), ink)
        self.plates(found)
        self.texts.write()
        for i, words, x, y in found:
            names = self.scene.badges(i)
            if names:
                plate, full = placed_box(words.plate, x, y, scale), len(words.lines) > 1
                badges.paint(self.painter, self.theme, plate, names, scale, full)
        self.beside(edges, placed)

    def _is_paired(self, i: int, said: set[int]) -> bool:
        """Whether the other one of two branches is among those with words, or its bar is not in view."""
        other = self.scene.other_branch(i)
        return said.issuperset(other) or not self.in_view(np.array(other)).any()

    def beside(self, edges: list[tuple[int, str, QRectF]], boxes: dict[int, QRectF]) -> None:
        """What a row that is followed has beside nodes, or the cuts of leading ones, if neither is said elsewhere."""
        words = self.emphasis.words
        plates, said = [plate for _, _, plate in edges], {i for i, _, _ in edges}
        if self.emphasis.way is not None:
            shown = [i for i in (0, *sorted(words)) if self.scene.standing(i) == i]
            taken = [*map(self.frame.box, shown), *(plate for i, _, plate in edges if i in words)]
            self.paint_beside({i: told(self.letters, words[i]) for i in shown if i in words and i not in said}, taken)
        else:
            spots = {i for i, spot in self.frame.overview.items() if self.frame.says_cut(i, spot.room)}
            levels, near = self.scene.levels.level, range(first_column(self.frame), last_column(self.frame) + 1)
            every = self.scene.cutting(self.frame.top, said)
            cutting = [i for i in every if i not in spots and int(levels[i]) in near]
            cards, named = self.cards, boxes if self.frame.small else ()
            cuts = {i: cards.label(i + 1) if i in named else cards.cut(i, CUT_ROOM, PLAIN) for i in cutting}
            bars = [*map(self.frame.bar_box, largest(self.frame).tolist())] if self.frame.small and cuts else []
            bars += [self.frame.box(i).adjusted(-5, -5, 5, 5) for i in (self.marks.selected,) if i >= 0]  # its ring
            self.paint_beside(cuts, [*plates, *boxes.values(), *bars], BESIDE)

    def letter_scale(self, i: int) -> float:
        return self.frame.words

    def edge_plate(self, i: int, middle: float, room: float) -> tuple[str, QRectF] | None:
        """The words on the stream into node i: those that stand out, or those of the branch."""
        if i == self.frame.top:
            return None
        if i not in self.emphasis.words:
            return edge_plate(self.frame, i, middle, room)
        room = room / self.frame.words - 2 * EDGE_PADDING
        text = told(self.letters, self.emphasis.words[i], room)
        if self.letters.width(text) > room:  # half of a value would be another one
            return None
        return plate_before_bar(self.frame, i, middle, text)

    def plates(self, found: list[tuple[int, Words, float, float]]) -> None:
        """Cards and tiles with their lines; what stands beside a tile has the canvas's colour around it."""
        scale = self.frame.words
        for _, words, x, y in found:
            if words.box.right() > words.plate.right():
                around = placed_box(words.box, x, y, scale).adjusted(0, 0, 3, 0)
                fill_rounded(self.painter, around, 5, self.theme.canvas)
        for i, words, x, y in found:
            faded, inner = self.emphasis.faded(i), self.cards.is_inner(i)
            look, colours = self._tones[faded]
            fill = look.card if inner else colours.ribbon(i)
            border, thick = self._borders[2 if i in self.path else int(faded)]
            fill_rounded(self.painter, placed_box(words.plate, x, y, scale), 5 * scale + 0.5, fill, border, thick)
            strong, secondary = self._inks[faded]
            if not inner:
                strong = ink_on(fill.rgb(), faded=faded)
            for text, kind, at, is_strong in words.lines:
                ink = strong if is_strong else secondary
                self.texts.add(text, self.sized[kind], x + at.x() * scale, y + at.y() * scale, ink)

    def emphasized(self, shown: Seen) -> None:
        """Rings around what stands out: around words or bars, and as a dot on blocks with such a node."""
        if not self.emphasis.ringed.size:
            return
        here = shown.nodes[self.emphasis.are_ringed(shown.nodes)]
        silent = self.frame.tiers(here) == 0
        pen = QPen(self.theme.accent, RINGED)
        for i in here[~silent].tolist():
            if i != self.marks.selected:
                self.ring(i, pen, 3)
        blocks = shown.blocks[self.emphasis.are_ringed_below(shown.blocks, self.scene.tree.end)]
        small = np.concatenate((here[silent], blocks))
        x, (low, high) = self.frame.left(self.scene.levels.level[small]), self.frame.spans(small)
        grow = np.maximum(LEAST_RING - (high - low), 4.0) / 2
        boxes = ribbons.corners(self.frame, x - 2.0, x + self.frame.bar + 2.0, low - grow, high + grow)
        draw_rings(self.painter, self.theme.accent, boxes)

    def draw_marks(self) -> None:
        """Rings around the selected node, the one that something would be dropped onto, and a hovered bar."""
        hovered = self.marks.hovered
        if hovered >= 0 and self.frame.words_box(hovered).isEmpty():
            self.ring(hovered, QPen(self.theme.text, 1.5), 2)
        self.rings()

    def ring(self, i: int, pen: QPen, distance: float) -> None:
        """One ring around a node's bar and the words beside it."""
        box, bar = self.frame.box(i), self.frame.bar_box(i)
        if 0 < bar.height() - box.height() < NOTCH:
            box = QRectF(box.left(), bar.top(), box.width(), bar.height())
        grow_x, grow_y = (max(distance, distance + (6 - side) / 2) for side in (box.width(), box.height()))
        path, radius = QPainterPath(), 5 + distance
        path.addRoundedRect(box.adjusted(-grow_x, -grow_y, grow_x, grow_y), radius, radius)
        if bar.height() > box.height():
            top, bottom = self.frame.cut_y(np.array((bar.top(), bar.bottom()))).tolist()
            whole = QRectF(bar.left(), top, bar.width(), bottom - top)
            along = QPainterPath()
            along.addRoundedRect(whole.adjusted(-grow_x, -distance, grow_x, distance), radius, radius)
            path = path.united(along)
        self.painter.strokePath(path, pen)


Sides = list[tuple[float, float, float]]  # the upper, lower and right sides of words, from top to bottom


def edge_rooms(frame: StreamFrame, said: NDArray, boxes: Sides, levels: NDArray, middles: NDArray) -> list[float]:
    """The pixels for words so far down on the streams into nodes of some columns, beside the words of the columns
    before: int[k], the columns of these in order."""
    tops, bottoms, rights = np.array(boxes, float).reshape(-1, 3).T
    half, at, bars = EDGE_HEIGHT / 2 * frame.words, frame.along(levels - 1, middles), frame.left(levels)
    firsts = np.searchsorted(frame.along(said, bottoms), at - half)
    lasts = np.searchsorted(frame.along(said, tops), at + half)
    starts, before = bars - (AFTER_BAR + EDGE_GAP) * frame.words, bars - frame.pitch + frame.bar
    every, ends = zip(*(values.tolist() for values in (firsts, lasts, starts, before)), strict=True), rights.tolist()
    return [start - max(ends[a:b], default=bar) for a, b, start, bar in every]


def edge_plate(frame: StreamFrame, i: int, middle: float, room: float) -> tuple[str, QRectF] | None:
    """The words on the stream into node i, and the plate behind them; None where they have no room."""
    room = room / frame.words - 2 * EDGE_PADDING
    if room <= 0:
        return None
    cards = frame.scene.cards
    text = cards.label_within(i, room) or frame.scene.short_labels[i, int(room)]
    return plate_before_bar(frame, i, middle, text) if text else None


def plate_before_bar(frame: StreamFrame, i: int, middle: float, text: str) -> tuple[str, QRectF]:
    """A text on the stream into node i, and the plate behind it."""
    scene, scale = frame.scene, frame.words
    width, height = (scene.cards.letters.width(text) + 2 * EDGE_PADDING) * scale, EDGE_HEIGHT * scale
    right = float(frame.left(int(scene.levels.level[i]))) - AFTER_BAR * scale
    return text, QRectF(right - width, middle - height / 2, width, height)
