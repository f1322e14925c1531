"""The target's distribution in a node, p(y|S), where the tree was grown by bins of a numeric target."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui import theme
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

LENGTH = Qt.ItemDataRole.UserRole + 1  # of a bar: 1 for the fullest bin of the node; None where there is no bar
STRENGTH = 0.3  # of the accent's colour in a bar: the figure stands upon it
AIR = 3  # pixels above and below a bar

Index = QModelIndex | QPersistentModelIndex


class Bars(QStyledItemDelegate):
    """Draws a bar behind the figure of a cell that has a length."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        length = index.data(LENGTH)
        if length:
            look = theme.current()
            box: QRect = option.rect.adjusted(AIR, AIR, -AIR, -AIR)
            box.setLeft(box.right() + 1 - round(length * box.width()))
            painter.fillRect(box, theme.mix(look.card, look.accent, STRENGTH))
        super().paint(painter, option, index)


def bin_words(edges: tuple[float, ...]) -> list[str]:
    """The bins in words, a value on an edge belongs to the bin below it: "≤ 10", "10 to 20", "> 20"."""
    names = [words.value(edge) for edge in edges]
    return [f"≤ {names[0]}", *(f"{low} to {high}" for low, high in pairwise(names)), f"> {names[-1]}"]


def bin_rows(tree: Tree, position: int) -> list[tuple[str, ...]]:
    """For each bin its name and its share of the training rows in a node; nothing for a tree without bins."""
    if not tree.bin_edges:
        return []
    shares = tree.histogram_shares[position]
    figures = [words.NOTHING if math.isnan(share) else words.percent(float(share)) for share in shares]
    return [(name, figure, "") for name, figure in zip(bin_words(tree.bin_edges), figures, strict=True)]


def bin_tips(tree: Tree, position: int) -> list[str]:
    """What each bin holds here, and what it holds in the whole tree."""
    if not tree.bin_edges:
        return []
    here, there = (tree.histogram_shares[i] for i in (position, 0))
    return [
        f"{tree.target} {name}: {words.percent(float(a))} of the training rows here, {words.percent(float(b))} of all"
        for name, a, b in zip(bin_words(tree.bin_edges), here, there, strict=True)
    ]


def bin_lengths(tree: Tree, position: int) -> list[float]:
    """How long the bars of the bins are, the longest 1."""
    if not tree.bin_edges:
        return []
    shares = tree.histogram_shares[position]
    largest = float(shares.max())
    return [float(share) / largest if largest > 0 else 0.0 for share in shares]
