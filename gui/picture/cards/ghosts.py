"""A candidate before it is accepted: ghost children on a plate above the tree, which does not move, in natural size."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.picture.cards.scene import WIDEST_EDGE
from gui.picture.cards.visible_cards import trough
from gui.picture.nodes.cards import row_words
from gui.picture.nodes.figures import rates
from gui.picture.nodes.letters import NAME, PIXELS, PLAIN, SMALL, edge_words, fonts
from gui.picture.picture_model import PictureModel
from gui.picture.shapes import fill_rounded
from gui.wording import words

MOST = 12  # branches shown; of the others the number is told
TILE, EDGE, GAP, PADDING, DISTANCE = 62.0, 64.0, 10.0, 12.0, 10.0
LABEL_ROOM, NAME_ROOM = 120.0, 80.0
NOTE = 18.0  # pixels of a line below the branches
ROUNDING = 1e-12  # of a gain


@dataclass(frozen=True)
class _Branch:
    label: str
    title: str
    rows: str  # the rate, and how many they are
    valid: str
    share: float  # of the node's rows
    shade: int
    stats: np.ndarray
    width: float


def second_level(gain: float) -> str:
    """What the best splits below the branches add: "a second level adds 0.031"."""
    nothing = tr("a second level adds nothing")
    return tr("a second level adds {gain}", gain=words.gain(gain)) if gain > ROUNDING else nothing


class Ghosts:
    """What a preview shows, measured; it is painted by `paint`."""

    def __init__(self, scene: PictureModel, candidate: "engine.Candidate", ahead: float = math.nan) -> None:
        """`ahead`: what the candidate gains together with the best split below each branch; NaN while nobody knows."""
        self.scene, self.theme, self.letters, split = scene, scene.theme, scene.cards.letters, candidate.split
        self.title = self.letters.elided(
            engine.splits.title(split) if split is not None else candidate.column, 200.0, NAME
        )
        n = split.n_branches if split is not None else 0
        self.branches = [self._branch(candidate, b) for b in range(min(n, MOST))]
        more = [tr("and {n} more branches", n=n - MOST)] * (n > MOST)
        self.notes = (*more, *[second_level(ahead - candidate.gain)] * math.isfinite(ahead))
        self.inside = sum(branch.width for branch in self.branches) + GAP * max(len(self.branches) - 1, 0)
        noted = (self.letters.width(text, SMALL) for text in self.notes)
        self.width = max([self.inside, self.letters.width(self.title, NAME) + 16, *noted]) + 2 * PADDING
        self.height = 2 * PADDING + EDGE + TILE + NOTE * len(self.notes)

    def _branch(self, candidate: "engine.Candidate", b: int) -> _Branch:
        scene, letters = self.scene, self.letters
        assert candidate.split is not None
        edge = engine.splits.branch_words(candidate.split, b, scene.tree.kinds)
        edge = edge_words(edge, candidate.split, letters, LABEL_ROOM)
        stats = np.asarray(candidate.train[b], dtype=np.float64)
        rows = int(candidate.rows[b])
        title, rate, valid = self._lines(candidate, b, stats)
        count = " · ".join(filter(None, (rate, row_words(rows))))
        small = max(letters.width(text, SMALL) for text in (count, valid))
        widest = max(letters.width(edge), letters.width(title, NAME), small)
        share, label = rows / max(sum(candidate.rows), 1), np.array([label_of(scene, stats)])
        shade = int(scene.colours.shades(stats[None], label)[0])
        return _Branch(edge, title, count, valid, share, shade, stats, max(56.0, widest + 12))

    def _lines(self, candidate: "engine.Candidate", b: int, stats: np.ndarray) -> tuple[str, str, str]:
        scene, tree = self.scene, self.scene.tree
        held_out = np.asarray(candidate.validation[b]) if len(candidate.validation) > b else np.zeros(0)
        shown, rate = scene.cards.validated and held_out.size == stats.size, figure(scene, stats, stats)
        valid = tr("valid {figure}", figure=figure(scene, held_out, stats)) if shown else ""
        if tree.predicts_median:  # nothing has counted the medians of these branches yet
            valid = tr("valid mean {figure}", figure=figure(scene, held_out, stats)) if shown else ""
            return tr("mean {figure}", figure=rate), "", valid
        if tree.task == "number":
            return rate, "", valid
        name = self.letters.elided(tree.classes[label_of(scene, stats)], NAME_ROOM, NAME)
        if not scene.cards.paired:
            return name, rate, valid
        return tr("predicts {answer}", answer=name), scene.cards.rated(rate, scene.focus), valid

    def place(self, leaf: QRectF, view: QRectF) -> tuple[QRectF, bool]:
        """Where the plate stands, and whether that is below the node (else beside it)."""
        y = max(leaf.bottom() + DISTANCE, view.top() + 4)
        beside = self.scene.sideways and leaf.right() + DISTANCE + self.width <= view.right()
        below = y + self.height <= view.bottom() and not beside
        if below:
            x = leaf.center().x() - self.width / 2
        else:
            lowest = view.bottom() - self.height - 4
            y = max(min(leaf.center().y() - self.height / 2, lowest) if self.scene.sideways else lowest, view.top() + 4)
            right = leaf.right() + DISTANCE
            x = right if right + self.width <= view.right() else leaf.left() - DISTANCE - self.width
        x = max(min(x, view.right() - self.width - 4), view.left() + 4)
        return QRectF(x, y, self.width, self.height), below

    def paint(self, painter: QPainter, leaf: QRectF, view: QRectF, dpi: float = 96.0) -> None:
        plate, below = self.place(leaf, view)
        self.fonts = fonts(1.0, dpi)
        painter.setPen(QPen(self.theme.accent, 1.2, Qt.PenStyle.DashLine))
        painter.setBrush(theme.mix(self.theme.canvas, self.theme.card, 0.6))
        painter.drawRoundedRect(plate, 10, 10)
        if below:
            painter.drawLine(QPointF(plate.center().x(), plate.top()), QPointF(leaf.center().x(), leaf.bottom()))
        elif self.scene.sideways and plate.left() > leaf.right():
            painter.drawLine(QPointF(plate.left(), leaf.center().y()), QPointF(leaf.right(), leaf.center().y()))
        x = plate.center().x() - self.inside / 2
        start = plate.center().x() - WIDEST_EDGE / 2 * sum(branch.share for branch in self.branches)
        top = plate.top() + PADDING + EDGE
        for branch in self.branches:
            width = WIDEST_EDGE * branch.share
            self._ribbon(painter, branch, start + width / 2, plate.top() + PADDING + 14, x + branch.width / 2, top)
            self._tile(painter, branch, QRectF(x, top, branch.width, TILE))
            start += width
            x += branch.width + GAP
        name = QRectF(0, 0, self.letters.width(self.title, NAME) + 16, 18)
        name.moveCenter(QPointF(plate.center().x(), plate.top() + PADDING + 7))
        painter.setPen(QPen(self.theme.border, 1))
        painter.setBrush(self.theme.card)
        painter.drawRoundedRect(name, 6, 6)
        self._words(painter, self.title, NAME, name.center(), self.theme.text)
        for i, text in enumerate(reversed(self.notes)):
            at = QPointF(plate.center().x(), plate.bottom() - PADDING - 2 - NOTE * i)
            self._words(painter, text, SMALL, at, self.theme.secondary)

    def _ribbon(self, painter: QPainter, branch: _Branch, x0: float, y0: float, x1: float, y1: float) -> None:
        path, middle = QPainterPath(QPointF(x0, y0)), (y0 + y1) / 2
        path.cubicTo(x0, middle, x1, middle, x1, y1)
        fill = theme.mix(self.scene.colours.tile_of(branch.shade), self.theme.ribbon, 0.5)
        pen = QPen(fill, max(1.5, WIDEST_EDGE * branch.share * 0.6))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.strokePath(path, pen)
        label = QRectF(0, 0, self.letters.width(branch.label) + 10, 16)
        label.moveCenter(QPointF(x1, y1 - 13))
        fill_rounded(painter, label, 8, theme.mix(self.theme.canvas, self.theme.card, 0.6))
        self._words(painter, branch.label, PLAIN, label.center(), self.theme.text)

    def _tile(self, painter: QPainter, branch: _Branch, box: QRectF) -> None:
        fill = theme.mix(self.scene.colours.tile_of(branch.shade), self.theme.canvas, 0.45)
        painter.setPen(QPen(self.theme.border, 1, Qt.PenStyle.DashLine))
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        ink, x, y = theme.ink(fill), box.center().x(), box.y()
        self._words(painter, branch.title, NAME, QPointF(x, y + 13), ink)
        for k, text in enumerate(filter(None, (branch.rows, branch.valid))):
            self._words(painter, text, SMALL, QPointF(x, y + 28 + 13 * k), ink)
        total = float(branch.stats.sum())
        if self.scene.tree.task == "classes" and total > 0:
            bar = QRectF(box.x() + 7, box.bottom() - 11, box.width() - 14, 5)
            trough(painter, bar, self.theme)
            colours, x = self.scene.colours.class_colours(), bar.x()
            for k in self.scene.bar_order:
                width = bar.width() * float(branch.stats[k]) / total
                painter.fillRect(QRectF(x, bar.y(), width, bar.height()), colours[k])
                x += width

    def _words(self, painter: QPainter, text: str, kind: str, centre: QPointF, colour: QColor) -> None:
        painter.setFont(self.fonts[kind])
        painter.setPen(colour)
        x = centre.x() - self.letters.width(text, kind) / 2
        painter.drawText(QPointF(x, centre.y() + 0.36 * PIXELS[kind]), text)


def label_of(scene: PictureModel, stats: np.ndarray) -> int:
    """The class that a leaf with these training counts would say; 0 for a numeric target."""
    tree = scene.tree
    if tree.task == "number":
        return 0
    return int(tree.leaf_rule.labels_of(tree.classes, tree.train[0], stats[None])[0])


def figure(scene: PictureModel, stats: np.ndarray, training: np.ndarray) -> str:
    """Rate, mean, or the share of the class that the training statistics make the leaf say."""
    if scene.cards.stacked:
        total = float(stats.sum())
        return words.rate(float(stats[label_of(scene, training)]) / total if total > 0 else float("nan"))
    number = float(rates(scene.tree, scene.focus, stats[None])[0])
    return words.value(number) if scene.tree.task == "number" else words.rate(number)
