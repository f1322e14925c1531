"""What each node says and how much room that takes, in pixels at scale 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

import engine
from engine.criteria import CRITERIA
from engine.runtime.sentences import marked, tr
from gui.picture.colours import Colouring, Declared
from gui.picture.folds import folded_of
from gui.picture.nodes.figures import impurity_name, mean_costs, mean_profits, part_impurities, part_rates, rows_of
from gui.picture.nodes.letters import NAME, PLAIN, SMALL, Letters, ShortLabels, counted_words, edge_words
from gui.picture.picture_options import USUAL, PictureOptions
from gui.picture.tree_cache import book
from gui.wording import words
from gui.wording.phrases import money

LINE = 14.0  # what a line of small letters adds
HEIGHTS = {NAME: 16.0, PLAIN: 17.0, SMALL: LINE}
TIGHT = 0.92  # of these heights is enough where there is little room
CARD_TOP, TILE_TOP = 7.0, 5.0
CARD_BAR, TILE_BAR = 18.0, 12.0  # a bar and the space around it, the card's lower border included
CARD_LEAST = 24.0  # pixels; no card is lower
SHORTENED = 40.0  # names in less room tell nothing
TITLE_ROOM = 168.0  # longer names of columns and classes are shortened in the middle
LABEL_ROOM = 132.0  # the same for the words on an edge
MOST_UNFOLDED = 600  # nodes of a large tree that are measured when all others are folded away
MOST_MEASURED = 2_000  # in a larger tree not every word is measured beforehand: it would take too long
ROUGH_LABEL_ROOM, SLACK = 78.0, 14.0
CARD_WIDTH, TILE_WIDTH = 88.0, 48.0  # at least
PADDING, TILE_PADDING = 20.0, 12.0
M_OF_N = 3  # the kind of a node, as in `engine.tree`
NAME_ROOM = 102.0  # longer names of the class that a leaf says are shortened
RATE_ROOM = 80.0  # the same for the class that a rate is of: about 14 letters are whole
MANY = 8  # branches; more than so many stand at equal distances
EDGE_HEIGHT = 70.0  # from the bottom of a card to the top of its children


LINES = {name: Declared(name, *declared) for name, declared in {
    "split": (marked("&Split, or what a leaf predicts"), marked("The column or the conditions that a node is split by; "
        "of a leaf what it predicts")),
    "rows": (marked("&Rows and rate"), marked("How many rows stand in a node, and the rate, class or number there")),
    "share": (marked("Share of &all rows"), marked("Which share of all rows stands in a node")),
    "validation": (marked("&Validation beside training"), marked("The same figure on the validation rows, where there "
        "are any; when these flow through the tree, that on the training rows")),
    "profit": (marked("&Profit per row"), marked("What a row of a node earns on average where it is acted on if "
        "that earns more than not acting; nothing without profits")),
    "impurity": (marked("&Impurity"), marked("How mixed a node is, by the criterion that the tree was grown by; of a "
        "number, how far its values spread")),
    "returned": (marked("&How often its split returns"), marked("In which share of the samples of the panel Judge the "
        "split of a node returned; nothing before samples were drawn")),
    "number": (marked("&Node number"), marked("The number by which rules, notes and messages name a node")),
    "bar": (marked("&Bar of classes or values"), marked("The shares of the classes, with a tick at the share in all "
        "rows; of a number a box plot: the middle half of the values, their median, and a line from 5 % to 95 % of "
        "them")),
    "badges": (marked("Bad&ges"), marked("Small discs for splits by hand, pins, locks, notes, and for validation rows "
        "that disagree")),
}.items()}  # fmt: skip
Forms = Callable[[int], tuple[str, ...]]


@dataclass(frozen=True)
class Row:
    """A line of words."""

    kind: str  # its letters
    middle: float  # its middle below the card's upper side
    forms: Forms  # what it says of the node at a position, the longest form first
    titles: bool = False  # whether it is the first line, which is shortened where it is a name


def fitting(rows: list[Row], top: float, room: float, scale: float) -> list[Row]:
    """The first lines, as many as have room, with their middles; `scale`: of the letters, which stop shrinking."""
    found: list[Row] = []
    at = 0.0
    for row in rows:
        high = TIGHT * HEIGHTS[row.kind] * scale
        if at + high > room and found:
            break
        found.append(replace(row, middle=top + at + high / 2))
        at += high
    return [replace(row, middle=row.middle + (room - at) / 2) for row in found]


@dataclass(frozen=True)
class Sizes:
    """How much room the cards of a tree take."""

    room: NDArray[np.float64]  # float64[n_nodes], the width that each node needs on its level
    card_height: float  # card_height, tile_height: of inner nodes and of leaves
    tile_height: float

    @property
    def pitch(self) -> float:
        """From the top of one level to the top of the next."""
        return self.card_height + EDGE_HEIGHT

    def same(self, other: Sizes) -> bool:
        """Whether a tree with these sizes is laid out as one with those."""
        alike = (self.card_height, self.tile_height) == (other.card_height, other.tile_height)
        return alike and (self.room is other.room or np.array_equal(self.room, other.room))


@dataclass
class Said:
    """Words of nodes by position, and how much room all of them take: `widths` and `room` of `Cards`."""

    labels: dict[int, str] = field(default_factory=dict)
    texts: dict[int, list[tuple[str, ...]]] = field(default_factory=dict)
    measured: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None


class Cards:
    """The words of every node, made when they are asked for and kept."""

    def __init__(
        self, tree: engine.Tree, focus: int, letters: Letters, shown: PictureOptions = USUAL,
        colours: Colouring | None = None,
    ) -> None:  # fmt: skip
        """colours: what they say stands on a line of its own where the other lines do not say it."""
        self.tree, self.focus, self.letters, self.options, self.colours = tree, focus, letters, shown, colours
        self.part = shown.part_of(tree)  # "train" or "validation": the rows that the figures are about
        self.keyed: Mapping[int, int] = {}  # on paper, the numbers of what a key below the picture writes out
        self.validated = bool(tree.rows_validation[0] > 0) and "validation" in shown.lines  # beside training rows
        self.stacked = tree.task == "classes" and len(tree.classes) > 2  # whether tiles carry a class bar
        self.paired = tree.task == "classes" and not self.stacked  # whether tiles say the rate of the class in focus
        # where a leaf need not predict the majority small tiles name the class: by costs or priors, or by hand
        self.weighed = bool(self.paired and (tree.leaf_rule.weighs_mistakes or tree.leaf_rule.threshold))
        self.labelled = frozenset(tree.position(node) for node, mark in tree.marks.items() if mark.label is not None)
        self.barred = "bar" in shown.lines
        (self.inner_rows, self.card_height), (self.leaf_rows, self.tile_height) = map(self._stack, (True, False))
        self._rates = {part: part_rates(tree, focus, part) for part in ("train", "validation")}
        self.rate = self._rates[self.part]  # float64[n_nodes], the class in focus's share or the mean among these rows
        self._classes: dict[tuple[int, float, str], str] = {}
        nodes = np.arange(tree.n_nodes)
        if nodes.size > MOST_MEASURED:  # then only what is not folded away, if that is little
            folded = folded_of(tree, shown.folds)
            nodes = folded.shown if folded is not None and folded.shown.size <= MOST_UNFOLDED else nodes[:0]
        self._label_room = LABEL_ROOM if nodes.size else ROUGH_LABEL_ROOM
        # What cards of this tree say is the same whatever is folded; what other trees say of it is not kept.
        self._mode = colours.mode.name if colours is not None else ""
        key = (Said, focus, shown.lines, self.part, self._mode, self._label_room)
        passing = shown.differing is not None or shown.returned is not None
        self._said: Said = Said() if passing else book(tree).setdefault(key, Said())
        self._labels_within = ShortLabels(tree, letters)
        # float64[n_nodes], of the card or tile itself, and with the edge's words above it
        self.widths, self.room = self._measured(nodes) if nodes.size else self._rough_room()
        self.sizes = Sizes(self.room, self.card_height, self.tile_height)
        self.pitch = self.sizes.pitch

    def _measured(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`widths` and `room`; what is hidden is as wide as any card."""
        if self._said.measured is not None and nodes.size == self.tree.n_nodes:
            return self._said.measured
        widths, labels = np.full(self.tree.n_nodes, CARD_WIDTH), np.zeros(self.tree.n_nodes)
        widths[nodes] = [self._width(i) for i in nodes.tolist()]
        labels[nodes] = [self.letters.width(self.label(i)) + 10 if i else 0.0 for i in nodes.tolist()]
        measured = widths, evened(self.tree, np.maximum(widths, labels))
        if nodes.size == self.tree.n_nodes:
            self._said.measured = measured
        return measured

    def _stack(self, inner: bool) -> tuple[list[Row], float]:
        """The lines of inner nodes, or of leaves, one below the other, and how high a card is."""
        chosen, colours, some = self.options.lines, self.colours, np.flatnonzero((self.tree.n_branches > 0) == inner)
        coloured = colours is not None and colours.mode.line not in chosen and some.size and colours.says(int(some[0]))
        every: list[tuple[bool, str, Forms]] = [
            ("split" in chosen, NAME, self.titles),
            (inner and "returned" in chosen and self.options.returned is not None, SMALL, self.returns),
            (bool(coloured), SMALL, lambda i: (colours.says(i) if colours is not None else "",)),
            ("rows" in chosen, PLAIN if inner else SMALL, self.details),
            ("share" in chosen, SMALL, self.share),
            (self.validated, SMALL, lambda i: (self.validation(i),)),
            ("profit" in chosen and bool(self.tree.leaf_rule.profits), SMALL, self.profit),
            ("impurity" in chosen, SMALL, self.impurity),
            ("number" in chosen, SMALL, self.number),
        ]
        rows: list[Row] = []
        top = bottom = CARD_TOP if inner else TILE_TOP
        for there, kind, forms in every:
            if there:
                rows.append(Row(kind, bottom + HEIGHTS[kind] / 2, forms, titles=forms == self.titles))
                bottom += HEIGHTS[kind]
        bar = (CARD_BAR if inner else TILE_BAR * self.stacked) * self.barred
        return rows, max(bottom + (bar or top), CARD_LEAST)

    def _rough_room(self) -> tuple[np.ndarray, np.ndarray]:
        """`widths` and `room` of a large tree: those of its usual focus class for all, as rates are alike in width."""
        usual = 1 if self.paired and not self.weighed else self.focus
        notes, key = (
            book(self.tree),
            (Cards, usual, self.options.lines, self.part, self._mode, self.options.returned is not None),
        )
        if key not in notes:
            other = self if usual == self.focus else Cards(self.tree, usual, self.letters, self.options, self.colours)
            widths = self._rough_widths() if other is self else other.widths
            room = evened(self.tree, np.maximum(widths, ROUGH_LABEL_ROOM + 10))
            notes[key] = widths, room, self.name_room, self.name_widths
        widths, room, self.name_room, self.name_widths = notes[key]
        return widths, room

    def _rough_widths(self) -> np.ndarray:
        """Widths of a large tree: names by column or class, figures as wide as the widest of some nodes."""
        tree, inner = self.tree, self.tree.n_branches > 0
        some = np.linspace(0, tree.n_nodes - 1, MOST_MEASURED // 8).astype(np.int64)
        lines = [(row, i) for i in some[inner[some]].tolist() for row in self.inner_rows if not row.titles]
        figures = max((self._row_width(row, row.forms(i)) for row, i in lines), default=0.0)
        tiles = max(self._width(int(i)) for i in some[~inner[some]])
        cards = self.name_widths + PADDING if "split" in self.options.lines else np.zeros(tree.n_nodes)
        # A little more than the widest seen: a figure must not be shortened.
        return np.where(inner, np.maximum(cards, max(figures + PADDING + SLACK, CARD_WIDTH)), tiles + SLACK)

    @cached_property
    def name_widths(self) -> NDArray[np.float64]:
        """float64[n_nodes], of the column that a node splits on or the class that a leaf says; 0 of other leaves."""
        tree, widths = self.tree, np.zeros(self.tree.n_nodes)
        inner, leaf = np.flatnonzero(tree.n_branches > 0), tree.leaves
        named = [column.name for column in tree.columns], tree.classes
        wide, short = self.letters.width, self.letters.elided
        columns, classes = (np.array([wide(short(name, TITLE_ROOM, NAME), NAME) for name in names]) for names in named)
        widths[inner] = np.where(tree.nodes.kind[inner] == M_OF_N, TITLE_ROOM, columns[tree.nodes.column[inner]])
        if self.stacked:
            widths[leaf] = classes[tree.labels[leaf]]
        return widths

    @cached_property
    def name_room(self) -> NDArray[np.float64]:
        """float64[n_nodes]: the least room in which a node says something: names are cut, means have a short form."""
        room = np.minimum(self.name_widths, SHORTENED)
        if self.tree.task == "number":
            leaf = self.tree.leaves
            some = leaf if leaf.size <= MOST_MEASURED else leaf[:: leaf.size // MOST_MEASURED]
            widths = [self.letters.width(self.titles(int(i))[-1], NAME) for i in some]
            room[leaf] = widths if some is leaf else max(widths)
        return room

    def _row_width(self, row: Row, forms: tuple[str, ...]) -> float:
        """How wide a line is: with the longer name of both classes, for the focus changes without a new layout."""
        wide = self.letters.width(forms[0], row.kind)
        if not self.paired or row.forms != self.details:
            return wide
        names = [self.letters.width(self.rated("", k), row.kind) for k in range(len(self.tree.classes))]
        return wide + max(names) - names[self.focus]

    def rated(self, share: str, k: int) -> str:
        return words.rated(share, self._class(k, RATE_ROOM, SMALL))

    def _class(self, k: int, room: float, kind: str) -> str:
        if (k, room, kind) not in self._classes:
            self._classes[k, room, kind] = self.letters.told_apart(self.tree.classes[k], self.tree.classes, room, kind)
        return self._classes[k, room, kind]

    def _width(self, i: int) -> float:
        lines = list(zip(self.rows(i), self.texts(i), strict=True))
        widths = [(self._row_width(row, forms), row.titles) for row, forms in lines]
        if self.is_inner(i):
            return max(CARD_WIDTH, max(widths, default=(0.0,))[0] + PADDING)
        # A name needs more around it than a figure, which is short.
        around = (width + (PADDING if titles and self.stacked else TILE_PADDING) for width, titles in widths)
        return max((TILE_WIDTH, *around))

    def rows(self, i: int) -> list[Row]:
        return self.inner_rows if self.is_inner(i) else self.leaf_rows

    def texts(self, i: int) -> list[tuple[str, ...]]:
        """What each of `rows` says of node i, kept: a card is painted often."""
        if i not in self._said.texts:
            self._said.texts[i] = [row.forms(i) for row in self.rows(i)]
        return self._said.texts[i]

    def is_inner(self, i: int) -> bool:
        return bool(self.tree.n_branches[i] > 0)

    def title(self, i: int) -> str:
        """First line: the column or the conditions that it splits on; of a leaf, what it predicts."""
        if self.is_inner(i):
            return self.letters.elided(self.tree.title(i), TITLE_ROOM, NAME)
        if self.tree.task == "number":
            return self._figure(i, self.part)
        room = NAME_ROOM if self.paired else TITLE_ROOM
        return self._class(int(self.tree.labels[i]), room, NAME)

    def titles(self, i: int) -> tuple[str, ...]:
        """The first line and its shorter forms: a leaf of two classes at last says the rate alone; one that is acted on
        says so."""
        title = self.title(i)
        if self.is_inner(i):
            return (title,)
        if self.stacked:
            return self._acted(i, (title,))
        figures = self._figure(i, self.part), self._figure(i, self.part, short=True)
        forms = (tr("predicts {answer}", answer=title), title, *figures) if self.paired else figures
        return self._acted(i, tuple(dict.fromkeys(forms)))

    def _acted(self, i: int, forms: tuple[str, ...]) -> tuple[str, ...]:
        if not self.tree.acts[i]:
            return forms
        act = tr("act")
        return (*(f"{act} · {form}" for form in forms), act)

    def cut(self, i: int, room: float = TITLE_ROOM, kind: str = NAME) -> str:
        """The split by its first branch, “age ≤ 42.5”, its name shortened; empty where too little of that is left."""
        title, rest = self.tree.title(i), self._branch(i + 1)  # the first child is the next in preorder
        if int(self.tree.nodes.kind[i]) == M_OF_N:
            return self.letters.elided(title, room, kind)
        left = room - self.letters.width(f" {rest}", kind)
        enough = left >= min(SHORTENED, self.letters.width(title, kind))
        return f"{self.letters.elided(title, left, kind)} {rest}" if enough else ""

    def briefs(self, i: int) -> tuple[str, ...]:
        """The forms of all that a small tile has room for in one line: what the leaf predicts, the figure and the rows;
        before the figure alone the prediction, where that may be another one than the figure makes one expect."""
        title, rows = self.title(i), row_words(int(rows_of(self.tree, self.part)[i]))
        figure = self._figure(i, self.part)
        if self.tree.task == "number":
            return tuple(dict.fromkeys((f"{title} · {rows}", *self.titles(i))))
        rate = self.rated(figure, self.focus) if self.paired else figure
        forms: tuple[str, ...] = f"{title} · {rate} · {rows}", f"{title} · {rate}"
        if self.stacked:
            return self._acted(i, (*forms, title))
        named = (title,) if self.weighed or i in self.labelled else ()
        return self._acted(i, (*forms, *named, rate, figure, self._figure(i, self.part, short=True)))

    def details(self, i: int) -> tuple[str, ...]:
        """The second line and its shorter forms: the rate and the rows; of an inner node also what a leaf would say."""
        rows, figure = row_words(int(rows_of(self.tree, self.part)[i])), self._figure(i, self.part)
        if self.tree.task == "number":
            if not self.is_inner(i):
                return (rows,)
            named = self._averaged(i, figure)
            return f"{named} · {rows}", named, figure, self._figure(i, self.part, short=True)
        if self.paired:
            named = self.rated(figure, self.focus)
            return f"{named} · {rows}", f"{figure} · {rows}", named, figure
        if not self.is_inner(i):
            return f"{figure} · {rows}", figure
        name = self._class(int(self.tree.labels[i]), 90.0, PLAIN)
        return f"{figure} {name} · {rows}", f"{figure} {name}", rows

    def share(self, i: int) -> tuple[str, ...]:
        """Which share of all rows stands there, and its shorter form."""
        rows = rows_of(self.tree, self.part)
        share = words.rate(float(rows[i] / rows[0]) if rows[0] else float("nan"))
        return tr("{share} of all rows", share=share), tr("{share} of all", share=share)

    def impurity(self, i: int) -> tuple[str, ...]:
        """How mixed it is, or how far its values spread, and the figure alone."""
        found = float(part_impurities(self.tree, self.part)[i])
        if self.tree.task == "number":
            return f"± {words.value(found)}", words.value(found)
        figure = f"{found:.3f}" if found == found else words.NOTHING
        return f"{CRITERIA[impurity_name(self.tree)].label} {figure}", figure

    def profit(self, i: int) -> tuple[str, ...]:
        """What a row of it earns on average, and whether that is by acting; the amount alone."""
        amount = money(float(mean_profits(self.tree, self.part)[i]), self.tree)
        if self.tree.acts[i]:
            return tr("act: {amount}", amount=amount), amount
        return tr("do not act: {amount}", amount=amount), amount

    def number(self, i: int) -> tuple[str, ...]:
        """By which number rules and messages name it."""
        node = int(self.tree.ids[i])
        return tr("node {number}", number=node), f"#{node}"

    def returns(self, i: int) -> tuple[str, ...]:
        """In which share of the samples its split returned."""
        share = float(self.options.returned[i]) if self.options.returned is not None else float("nan")
        return (tr("returns in {share}", share=words.percent(share, 0)),)

    def says_figure(self, i: int) -> bool:
        """Whether the first line may be a figure alone: of a leaf, unless it is of more than two classes."""
        return not self.is_inner(i) and not self.stacked

    def validation(self, i: int) -> str:
        """The same figure on the other rows, for a median its error on validation rows; empty without a holdout."""
        if not self.validated:
            return ""
        if self.part == "validation":
            return tr("train {figure}", figure=self._figure(i, "train"))
        tree = self.tree
        if tree.predicts_median:  # nothing counts the medians of validation rows, but their absolute errors
            figure = words.value(float(mean_costs(tree, "validation")[i]))
            return tr("valid error {figure}", figure=figure if tree.rows_validation[i] else words.NOTHING)
        figure = self._figure(i, "validation") if tree.rows_validation[i] else words.NOTHING
        if tree.task == "number" and self.colours is not None and self.colours.mode.name == "error":
            return tr("valid mean {figure}", figure=figure)  # beside the error on these rows
        return tr("valid {figure}", figure=figure)

    def _averaged(self, i: int, figure: str) -> str:
        if self.part == "validation" or (i not in self.labelled and not self.tree.predicts_median):
            return tr("mean {figure}", figure=figure)
        return tr("predicts {answer}", answer=figure) if i in self.labelled else tr("median {figure}", figure=figure)

    def _figure(self, i: int, part: str, *, short: bool = False) -> str:
        """The rate, the mean, or the share of the class that is said, among the rows of a part."""
        tree = self.tree
        if tree.task == "number":
            number = float(tree.predictions[i] if part == "train" else self._rates[part][i])
            return words.short_value(number) if short else words.value(number)
        if not self.stacked:
            share = float(self._rates[part][i])
            return words.short_rate(share) if short else words.rate(share)
        label = int(tree.labels[i])
        if part == "train":
            return words.rate(float(tree.probabilities[i, label]))
        counts = tree.validation[i]
        return words.rate(float(counts[label] / counts.sum()) if counts.sum() else float("nan"))

    def label(self, i: int) -> str:
        """The words on the edge into node i; names are shortened in the middle where they are long, numbers never."""
        return self.label_within(i, self._label_room) if i in self.keyed else self._branch(i)

    def _branch(self, i: int) -> str:
        """The same, whether or not a key writes it out."""
        if i not in self._said.labels:
            text, split = self.tree.branch_words(i), self.tree.split_at(int(self.tree.parent[i])) if i else None
            made = edge_words(text, split, self.letters, self._label_room) if split is not None else ""
            self._said.labels[i] = made
        return self._said.labels[i]

    def label_within(self, i: int, room: float) -> str:
        """`label` in so much room, which may be more than it has as a rule; empty where it cannot be shortened."""
        if i in self.keyed:
            split = self.tree.split_at(int(self.tree.parent[i]))
            count = counted_words(self.tree.branch_words(i), split).partition(":")[0] if split is not None else ""
            number = f"[{self.keyed[i]}]"
            return self.letters.whole((f"{count} {number}".strip(), number), room)
        text = self.label(i)
        fits = self.letters.width(text) <= room
        return text if fits and room <= self._label_room else self._labels_within[i, int(room)] or text * fits


def row_words(n: int) -> str:
    return tr("1 row") if n == 1 else tr("{n} rows", n=words.compact_count(n))


def evened(tree: engine.Tree, room: NDArray[np.float64]) -> NDArray[np.float64]:
    """The room of each node, that of many siblings alike: in a smaller drawing all of them have words, or none."""
    parent = np.maximum(tree.parent, 0)
    siblings = np.flatnonzero((tree.n_branches > MANY)[parent] & (tree.parent >= 0))
    if not siblings.size:
        return room
    widest = np.zeros(tree.n_nodes)
    np.maximum.at(widest, parent[siblings], room[siblings])
    room = room.copy()
    room[siblings] = widest[parent[siblings]]
    return room
