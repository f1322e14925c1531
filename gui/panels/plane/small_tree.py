"""The tree beside its plane: splits as letters, leaves in their colours, and the way of the row that is followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.picture.colours import Colouring
from gui.picture.shapes import draw_lines
from gui.widgets.building import Reaction, named
from gui.wording import words

MOST = 1_000  # nodes, of whole levels from the root on: more have no room beside each other
BETWEEN, AROUND = 4.0, 4.0  # pixels between two plates, and inside of one beside its words
LEAST_PLATE, LEAST_WORD = 5.0, 12.0  # pixels across: a plate, one with words
FADED = 0.75  # how much of the card's colour what is not on the way has
NEAR = 6.0  # pixels from a plate that still mean it
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Laid:
    """What is drawn of a tree, and where in 0 … 1."""

    tree: engine.Tree
    nodes: NDArray[np.int64]  # int64[n], positions in the tree
    x: Floats  # float64[n]
    y: Floats
    named: dict[int, tuple[str, ...]]  # by position: what each split in the plane says, in shorter and shorter forms
    colouring: Colouring

    def forms(self, i: int) -> tuple[str, ...]:
        """What a node says, in shorter and shorter forms."""
        tree = self.tree
        if tree.n_branches[i]:
            return self.named.get(i) or (tree.title(i),)
        by_class = tree.task == "classes"
        return (tree.classes[int(tree.labels[i])] if by_class else words.value(float(tree.predictions[i])),)


def laid_out(tree: engine.Tree, named: dict[int, tuple[str, ...]], colouring: Colouring) -> _Laid:
    """Leaves at equal distances in their order, splits above the middle of their leaves; the first whole levels."""
    here = np.arange(tree.n_nodes)
    if tree.n_nodes > MOST:
        per_level = np.cumsum(np.bincount(tree.level))
        here = np.flatnonzero(tree.level < max(int(np.searchsorted(per_level, MOST, side="right")), 1))
    deepest = int(tree.level[here].max())
    ends = (tree.n_branches[here] == 0) | (tree.level[here] == deepest)
    before = np.concatenate(([0], np.cumsum(ends)))
    last = np.searchsorted(here, tree.end[here])
    x = (before[:-1] + before[last]) / 2 / max(int(before[-1]), 1)
    y = (tree.level[here] + 0.5) / (deepest + 1)
    return _Laid(tree, here, x, y, named, colouring)


class SmallTree(QWidget):
    """Plates joined by lines. A click selects a node, as it does in the plane."""

    picked = Signal(int)  # the position of the node that was clicked
    pointedAt = Signal(int)  # the mouse is over another node: its position, −1 for none

    def __init__(self) -> None:
        super().__init__()
        named(self, "plane_tree", tr("The tree, its splits as letters"), mouseTracking=True)
        self.setMinimumSize(100, 60)
        self._laid: _Laid | None = None
        self._plates: list[tuple[QRectF, int]] = []  # of the nodes, by position, as they were painted
        self.selected = self.pointed = -1  # positions; −1 for none
        self.way: tuple[int, ...] = ()  # positions of the nodes that a row is lit in
        Reaction(self, lambda: self.pointedAt.emit(-1), QEvent.Type.Leave)

    def sizeHint(self) -> QSize:
        return QSize(260, 160)

    def show_tree(self, laid: _Laid | None, selected: int) -> None:
        self._laid, self.selected, self.pointed = laid, selected, -1
        self.update()

    def point_at(self, node: int) -> None:
        if node != self.pointed:
            self.pointed = node
            self.update()

    def light(self, way: tuple[int, ...]) -> None:
        """Lights the way over some nodes, by position; without any everything is lit."""
        if way != self.way:
            self.way = way
            self.update()

    def node_at(self, where: QPointF) -> int:
        """The position of the node whose plate is at a point; −1 where there is none."""
        hit = [(plate, i) for plate, i in self._plates if plate.adjusted(-NEAR, -NEAR, NEAR, NEAR).contains(where)]
        return min(hit, key=lambda one: (one[0].center() - where).manhattanLength())[1] if hit else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointedAt.emit(self.node_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (node := self.node_at(event.position())) >= 0:
            self.picked.emit(node)

    # -- what is seen

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme.current()
        painter.fillRect(self.rect(), look.card)
        self._plates = []
        if self._laid is not None:
            self._paint(painter, self._laid)
        painter.end()

    def _paint(self, painter: QPainter, laid: _Laid) -> None:
        look, tree, nodes = theme.current(), laid.tree, laid.nodes
        x, y = laid.x * self.width(), laid.y * self.height()
        lit = np.isin(nodes, self.way) if self.way else np.ones(nodes.size, bool)
        above = np.searchsorted(nodes, tree.parent[nodes[1:]])
        lines = np.column_stack((x[above], y[above], x[1:], y[1:]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for which, ink, width in (
            (~lit[1:], theme.mix(look.secondary, look.card, FADED), 1.0),
            (lit[1:], look.accent if self.way else look.secondary, 3.0 if self.way else 1.0),
        ):
            painter.setPen(QPen(ink, width))
            draw_lines(painter, lines[which])
        high = float(self.fontMetrics().height())
        room = self._room_for(laid, x)
        level = self.height() / (int(tree.level[nodes].max()) + 1)
        for k, i in enumerate(nodes.tolist()):
            self._paint_node(painter, laid, i, QPointF(x[k], y[k]), room[k], min(high, 0.8 * level), bool(lit[k]))

    def _room_for(self, laid: _Laid, x: Floats) -> Floats:
        """float64[n]: how wide the plate of each node may be, so that none of its level touches another."""
        level, room = laid.tree.level[laid.nodes], np.empty(x.size)
        for each in range(int(level.max()) + 1):
            there = np.flatnonzero(level == each)
            gaps = np.diff(x[there])
            wide = np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf)) - BETWEEN
            room[there] = np.minimum(wide, 2 * np.minimum(x[there], self.width() - x[there]))
        return room

    def _paint_node(
        self, painter: QPainter, laid: _Laid, i: int, at: QPointF, room: float, high: float, lit: bool
    ) -> None:
        look, metrics, is_leaf = theme.current(), self.fontMetrics(), laid.tree.n_branches[i] == 0
        said = ""
        if high >= metrics.height() - 1 and room >= LEAST_WORD:
            fits = (text for text in laid.forms(i) if metrics.horizontalAdvance(text) + 2 * AROUND <= room)
            said = next(fits, "")
        side = max(min(room, high), LEAST_PLATE) if is_leaf else LEAST_PLATE
        wide = max(metrics.horizontalAdvance(said) + 2 * AROUND, high) if said else side
        plate = QRectF(0, 0, min(wide, max(room, LEAST_PLATE)), high if said else min(side, max(high, LEAST_PLATE)))
        plate.moveCenter(at)
        self._plates.append((plate, i))
        ground = QColor(laid.colouring.tile_of(int(laid.colouring.shade[i]))) if is_leaf else look.card
        edge, thick = (look.accent, 2.0) if i == self.selected or (self.way and lit) else (look.secondary, 1.0)
        if i == self.pointed:
            edge, thick = look.text, 2.0
        painter.setPen(QPen(edge if lit else theme.mix(edge, look.card, FADED), thick))
        painter.setBrush(ground if lit else theme.mix(ground, look.card, FADED))
        painter.drawRoundedRect(plate, 4, 4)
        ink = theme.ink(ground) if is_leaf else look.text
        painter.setPen(ink if lit else theme.mix(look.text, look.card, FADED))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, said)
