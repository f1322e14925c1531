"""What each node says and how much room that takes, in pixels at scale 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gui import words
from gui.canvas.colouring import held_out_rates, mean_costs, said
from gui.canvas.letters import NAME, PLAIN, SMALL, Letters
from gui.canvas.places import Sizes
from gui.kept import book

if TYPE_CHECKING:
    from engine.splits import Split
    from engine.tree import Tree

TITLE_ROOM = 168.0  # longer names of columns and classes are shortened in the middle
LABEL_ROOM = 132.0  # the same for the words on an edge
MOST_MEASURED = 2_000  # in a larger tree not every word is measured beforehand: it would take too long
ROUGH_LABEL_ROOM, SLACK = 78.0, 8.0
CARD_LEAST, TILE_LEAST = 88.0, 48.0
PADDING = 20.0
M_OF_N = 3  # the kind of a node, as in `engine.tree`
CARD_HEIGHT, TILE_HEIGHT = 58.0, 40.0
LINE = 14.0  # what the line with the validation figure adds, or that with the class
NAME_ROOM = 72.0  # longer names of the class that a leaf says are shortened
BAR = 7.0  # what the class bar adds to a tile
EDGE_HEIGHT = 70.0  # from the bottom of a card to the top of its children


class Cards:
    """The words of every node, made when they are asked for and kept.

    Attributes:
        validated: whether there are validation rows to show.
        stacked: whether tiles carry a class bar (more than two classes).
        paired: whether tiles say a rate and, below it, which of two classes a leaf predicts: with costs or priors that
            need not be the majority.
        weighed: whether it need not: then a rate names its class, and small tiles show the class that is predicted.
        labelled: the nodes, by position, whose label a person wrote: they do the same.
        card_height, tile_height: of inner nodes and of leaves.
        pitch: from the top of one level to the top of the next.
        widths: float64[n_nodes], of the card or tile itself.
        room: float64[n_nodes], with the edge's words above it.
    """

    def __init__(self, tree: Tree, focus: int, letters: Letters) -> None:
        self.tree = tree
        self.focus = focus
        self.letters = letters
        self.validated = bool(tree.rows_validation[0] > 0)
        self.stacked = tree.task == "classes" and len(tree.classes) > 2
        self.card_height = CARD_HEIGHT + LINE * self.validated
        self.paired = tree.task == "classes" and not self.stacked
        self.weighed = bool(self.paired and (tree.leaf_rule.costs or tree.leaf_rule.priors))
        self.labelled = frozenset(tree.position(node) for node, mark in tree.marks.items() if mark.label is not None)
        self.tile_height = TILE_HEIGHT + LINE * (self.validated + self.paired) + BAR * self.stacked
        self.pitch = self.card_height + EDGE_HEIGHT
        self.rate = said(tree, focus)
        # Nothing counts the medians of validation rows: of them there is the mean absolute error.
        by_median = tree.says_median
        self.held_out = "valid error" if by_median else "valid"
        self.validation_rate = mean_costs(tree, "validation") if by_median else held_out_rates(tree, focus)
        self._labels: dict[int, str] = {}
        self._label_room = LABEL_ROOM if tree.n_nodes <= MOST_MEASURED else ROUGH_LABEL_ROOM
        if tree.n_nodes <= MOST_MEASURED:
            self.widths = np.array([self._width(i) for i in range(tree.n_nodes)])
            labels = [self.letters.width(self.label(i)) + 10 if i else 0.0 for i in range(tree.n_nodes)]
            self.room = np.maximum(self.widths, labels)
        else:
            self.widths, self.room = self._rough_room()

    @property
    def sizes(self) -> Sizes:
        """What the layout has to know of the cards."""
        return Sizes(self.room, self.card_height, self.tile_height, self.pitch)

    def _rough_room(self) -> tuple[np.ndarray, np.ndarray]:
        """`widths` and `room` of a large tree: those of its usual focus class for all, as rates are alike in width.
        Where cards name the class in focus each class has its own."""
        usual = 1 if self.paired and not self.weighed else self.focus
        notes, key = book(self.tree), (Cards, usual)
        if key not in notes:
            widths = self._rough_widths() if usual == self.focus else Cards(self.tree, usual, self.letters).widths
            notes[key] = widths, np.maximum(widths, ROUGH_LABEL_ROOM + 10)
        return notes[key]

    def _rough_widths(self) -> np.ndarray:
        """Widths of a large tree: names by column or class, figures as wide as the widest of some nodes."""
        tree, inner = self.tree, self.tree.n_branches > 0
        some = np.linspace(0, tree.n_nodes - 1, MOST_MEASURED // 8).astype(np.int64)
        figures = max(self.letters.width(self.detail(int(i))) for i in some[inner[some]])
        tiles = max(self._width(int(i)) for i in some[~inner[some]])
        names = [self.letters.elided(column.name, TITLE_ROOM, NAME) for column in tree.columns]
        cards = np.array([self.letters.width(name, NAME) for name in names])[tree.nodes.column] + PADDING
        cards[tree.nodes.kind == M_OF_N] = TITLE_ROOM + PADDING
        # A little more than the widest seen: a figure must not be shortened.
        return np.where(inner, np.maximum(cards, max(figures + PADDING + SLACK, CARD_LEAST)), tiles + SLACK)

    def _width(self, i: int) -> float:
        lines = [
            (self.title(i), NAME),
            (self.detail(i), PLAIN if self.is_inner(i) else SMALL),
            (self.validation(i), SMALL),
            (self.says(i)[0], SMALL),
        ]
        widest = max(self.letters.width(text, kind) for text, kind in lines)
        if self.is_inner(i):
            return max(CARD_LEAST, widest + PADDING)
        return max(TILE_LEAST, widest + 12)

    def is_inner(self, i: int) -> bool:
        return bool(self.tree.n_branches[i] > 0)

    def height(self, i: int) -> float:
        return self.card_height if self.is_inner(i) else self.tile_height

    def title(self, i: int) -> str:
        """First line: the column or the conditions that it splits on; of a leaf, what it says."""
        tree = self.tree
        if self.is_inner(i):
            text = tree.title(i)
        elif tree.task == "number":
            text = words.value(float(tree.answers[i]))
        elif self.stacked:
            text = tree.classes[int(tree.labels[i])]
        else:
            text = words.rate(float(self.rate[i]))
            if self._names_class(i):  # of which class, where another one may be said
                text += f" {self.letters.elided(tree.classes[self.focus], NAME_ROOM, NAME)}"
        if self.says_figure(i):
            return text
        return self.letters.elided(text, TITLE_ROOM, NAME)

    def detail(self, i: int) -> str:
        """Second line: training rows, and of an inner node what a leaf here would say."""
        rows = words.compact_count(int(self.tree.rows_train[i]))
        if self.is_inner(i) or self.stacked:
            return f"{rows} · {self._figure(i)}"
        return rows

    def titles(self, i: int) -> tuple[str, ...]:
        """The first line and its shorter form."""
        return (self.title(i), words.rate(float(self.rate[i]))) if self._names_class(i) else (self.title(i),)

    def brief(self, i: int) -> str:
        """All that a small tile has room for: what the leaf says, or how often the focus class is there."""
        return self.says(i)[-1] if self._names_class(i) else self.title(i)

    def _names_class(self, i: int) -> bool:
        """Whether the rate of a leaf names its class, for the leaf may say another one."""
        return self.paired and (self.weighed or i in self.labelled)

    def details(self, i: int) -> tuple[str, ...]:
        """The second line and its shorter form, for less room: the rows alone."""
        return self.detail(i), words.compact_count(int(self.tree.rows_train[i]))

    def says(self, i: int) -> tuple[str, ...]:
        """Of a leaf with a rate the class that it predicts, and its shorter form; else empty."""
        if not self.paired or self.is_inner(i):
            return ("",)
        name = self.letters.elided(self.tree.classes[int(self.tree.labels[i])], NAME_ROOM, SMALL)
        return f"says {name}", name

    def says_figure(self, i: int) -> bool:
        """Whether the first line is a figure: of a leaf, unless it names a class."""
        return not self.is_inner(i) and not self.stacked

    def _figure(self, i: int) -> str:
        tree = self.tree
        if tree.task == "number":
            said = "says" if i in self.labelled else "median" if tree.says_median else "mean"
            return f"{said} {words.value(float(tree.answers[i]))}"
        if not self.stacked:
            return words.rate(float(self.rate[i]))
        label = int(tree.labels[i])
        share = words.rate(float(tree.probabilities[i, label]))
        if not self.is_inner(i):
            return share
        return f"{self.letters.elided(tree.classes[label], 90.0)} {share}"

    def validation(self, i: int) -> str:
        """Third line: the same figure on the validation rows, for a median their error; empty without a holdout."""
        if not self.validated:
            return ""
        tree = self.tree
        if tree.rows_validation[i] == 0:
            return f"{self.held_out} {words.NOTHING}"
        if tree.task == "number":
            return f"{self.held_out} " + words.value(float(self.validation_rate[i]))
        if not self.stacked:
            return "valid " + words.rate(float(self.validation_rate[i]))
        counts = tree.validation[i]
        return "valid " + words.rate(float(counts[tree.labels[i]] / counts.sum()) if counts.sum() else np.nan)

    def label(self, i: int) -> str:
        """The words on the edge into node i; names are shortened in the middle where they are long, numbers never."""
        label = self._labels.get(i)
        if label is None:
            split = self.tree.split_at(int(self.tree.parent[i])) if i else None
            words_of = self.tree.branch_words(i)
            label = edge_words(words_of, split, self.letters, self._label_room) if split is not None else ""
            self._labels[i] = label
        return label


def edge_words(text: str, split: Split, letters: Letters, room: float) -> str:
    """What `engine.splits.branch_words` says of a branch, in so much room: names are shortened in the middle where
    they are long, numbers never; of several conditions only how many of them hold: "at least 5 of 16"."""
    if split.kind == "threshold":
        return text
    if len(split.literals) > 1:
        quantity = f"{text.partition(' of ')[0]} of {len(split.literals)}"
        shortest = quantity.replace("at least", "≥").replace("fewer than", "<")
        return letters.whole((text, quantity, shortest), room) or shortest
    return letters.elided(text, room)
