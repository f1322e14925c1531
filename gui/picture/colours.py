"""The colours of every node: the shades of a mode in a theme, each declared once, in `MODES`, for menu, legend and
canvas. Grey (neutral) is "average" wherever there is an average, as in all rows, else "nothing". A shade is a whole
number, the same in every theme: a pole (a class, a column, an end of a scale) and a step from neutral to that pole's
full colour."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

import engine
from engine import criteria
from engine.runtime.sentences import marked, tr
from gui.picture.nodes import figures
from gui.picture.picture_options import USUAL, PictureOptions
from gui.picture.tree_cache import book
from gui.theme import Theme, ink, mix
from gui.wording import words

STEPS = 24  # shades between neutral and a pole

Shades = NDArray[np.int64]
DEVIATIONS = 1.5  # an answer so many deviations of the root away is shown in full colour
HIGHEST_LIFT = 4.0  # this lift, or one divided by it, is shown in full colour
COLUMNS_TOLD = 7  # columns that have a colour of their own; more would be hard to tell apart
PALE = 0.45  # leaves are so far from white in the colours of columns
ENDS, ONE, CLASSES, COLUMNS = "ends", "one", "classes", "columns"  # what the poles of a mode are


def shades(pole: NDArray[np.int64] | int, distance: NDArray[np.float64]) -> Shades:
    """int64[n] of poles and distances, 0 (neutral) to 1 (full colour); their sign does not count, NaN is neutral."""
    steps = np.rint(np.abs(np.nan_to_num(distance)).clip(0, 1) ** 0.75 * STEPS).astype(np.int64)
    return np.asarray(pole, np.int64) * (STEPS + 1) + steps


def diverging(distance: NDArray[np.float64]) -> Shades:
    """int64[n] of distances from −1, full colour of pole 0, to 1, full colour of pole 1."""
    return shades((distance > 0).astype(np.int64), distance)


class Subject(NamedTuple):
    """What is coloured."""

    tree: engine.Tree
    focus: int  # the class in focus
    part: str  # "train" or "validation": the rows that are measured
    differing: NDArray[np.float64]  # float64[n_nodes], the share of rows that another tree answers differently

    def of_rows(self, what: str) -> str:
        """What the legend says, of which rows where they are not the training rows."""
        return tr("validation rows: {what}", what=what).strip() if self.part == "validation" else what

    def briefly(self, what: str) -> str:
        """The same where there is less room."""
        return tr("valid: {what}", what=what).strip() if self.part == "validation" else what


class Words(NamedTuple):
    """A legend in words: around the colours, and what their middle means; also briefly."""

    before: str
    after: str = ""
    note: str = ""
    brief: str = ""
    brief_after: str = ""
    brief_note: str = ""


Stats = NDArray[np.float64]
Labels = NDArray[np.integer]
OfStats = Callable[[Subject, Stats, Labels], Shades]


def _of_all(of_stats: OfStats, subject: Subject) -> Shades:
    return of_stats(subject, figures.stats_of(subject.tree, subject.part), subject.tree.labels)


def rate_of(subject: Subject, stats: Stats, labels: Labels) -> Shades:
    root = figures.stats_of(subject.tree, subject.part)[:1]
    return diverging(_distance(subject, figures.rates(subject.tree, subject.focus, np.vstack((root, stats))))[1:])


def _distance(subject: Subject, here: NDArray[np.float64]) -> NDArray[np.float64]:
    """In −1 … 1, from the root's rate or answer, which comes first; the reach is that of `Theme.diverging`."""
    root = float(here[0])
    if subject.tree.task == "number":
        spread = float(figures.part_spreads(subject.tree, subject.part)[0])
        return (here - root) / (DEVIATIONS * spread if spread > 0 else np.inf)
    reach = np.where(here < root, root, 1 - root).clip(0.35, 0.5)
    return np.asarray((here - root) / reach)


def rate_says(subject: Subject, i: int) -> str:
    tree = subject.tree
    rate = words.rate(float(figures.part_rates(tree, subject.focus, subject.part)[i]))
    return f"{_class(subject)} {rate}" if len(tree.classes) > 2 else ""  # else the card says it anyway


def rate_words(subject: Subject) -> Words:
    tree, root = subject.tree, float(figures.part_rates(subject.tree, subject.focus, subject.part)[0])
    usual = words.value(root) if tree.task == "number" else words.rate(root)
    note = tr("middle: {usual}, the average of the training rows", usual=usual)
    if tree.task == "number":
        after = tr("above")
        if tree.predicts_median and subject.part == "train":
            before, brief = tr("median of {column}: below", column=tree.target), tr("median: below")
            note = tr("middle: {usual}, the median of the training rows", usual=usual)
        else:
            before, brief = tr("mean of {column}: below", column=tree.target), tr("mean: below")
    else:
        before = tr("share of {class_name}: less", class_name=_class(subject, 24))
        brief, after = tr("{class_name}: less", class_name=_class(subject)), tr("more")
    short_note = tr("middle: {usual}", usual=usual)
    return Words(subject.of_rows(before), after, note, subject.briefly(brief), brief_note=short_note)


def _class(subject: Subject, most: int = 12) -> str:
    return _shortened(subject.tree.classes[subject.focus] if subject.tree.classes else "", most)


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most // 2 - 1) :]}"


def class_of(subject: Subject, stats: Stats, labels: Labels) -> Shades:
    """The stronger, the further the share of the class that is said lies above its share at the root."""
    total = stats.sum(axis=1)
    share = np.divide(stats[np.arange(len(stats)), labels], total, out=np.zeros(len(total)), where=total > 0)
    root = subject.tree.probabilities[0] if subject.part == "train" else figures.shares(subject.tree.validation[:1])[0]
    usual = root[labels]
    return shades(labels.astype(np.int64), ((share - usual) / np.maximum(1 - usual, 0.35)).clip(0, 1))


def class_says(subject: Subject, i: int) -> str:
    tree = subject.tree
    if len(tree.classes) > 2 or tree.n_branches[i] == 0:  # the card says it anyway
        return ""
    return tr("mostly {class_name}", class_name=_shortened(tree.classes[int(tree.labels[i])], 12))


def impurity_shades(subject: Subject) -> Shades:
    found = figures.part_impurities(subject.tree, subject.part)
    return shades(1, found / _worst(subject, float(found[0])))


def impurity_of(subject: Subject, stats: Stats, labels: Labels) -> Shades:
    tree = subject.tree
    if tree.task == "number":
        found, root = figures.deviations(stats), float(figures.part_impurities(tree, subject.part)[0])
    else:
        found, root = criteria.impurities(figures.impurity_name(tree), stats), 0.0
    return shades(1, found / _worst(subject, root))


def _worst(subject: Subject, root: float) -> float:
    """What is shown in full colour: of classes the greatest impurity there is, of a number that of all rows."""
    if subject.tree.task == "number":
        return root if root > 0 else np.inf
    equal = np.ones((1, max(len(subject.tree.classes), 2)))  # none is larger than where all are equally frequent
    return float(criteria.impurities(figures.impurity_name(subject.tree), equal)[0])


def impurity_says(subject: Subject, i: int) -> str:
    found = float(figures.part_impurities(subject.tree, subject.part)[i])
    if subject.tree.task == "number":
        figure, by_median = words.value(found), subject.tree.predicts_median and subject.part == "train"
        return tr("mean error {figure}", figure=figure) if by_median else tr("deviation {figure}", figure=figure)
    return f"{_measure(subject.tree)} {words.NOTHING if np.isnan(found) else f'{found:.3f}'}"


def _measure(tree: engine.Tree) -> str:
    one = criteria.CRITERIA[figures.impurity_name(tree)]
    return one.short.lower() if one.breaks_ties else one.label


def impurity_words(subject: Subject) -> Words:
    if subject.tree.task == "number":
        by_median = subject.tree.predicts_median
        before = tr("mean distance from the median: 0") if by_median else tr("standard deviation: 0")
        usual = words.value(float(figures.part_impurities(subject.tree, subject.part)[0]))
        whole, brief = subject.of_rows(before), subject.briefly(tr("spread: 0"))
        after = tr("{usual}, as in all rows, or more", usual=usual)
        return Words(whole, after, "", brief, tr("{usual} or more", usual=usual))
    before = tr("impurity ({measure}): pure", measure=_measure(subject.tree))
    after, brief = tr("all classes equally frequent"), subject.briefly(tr("pure"))
    return Words(subject.of_rows(before), after, "", brief, tr("mixed"))


def lifts(subject: Subject, rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n]: how many times as frequent the class in focus is as in all rows; NaN where it is nowhere."""
    root = figures.part_rates(subject.tree, subject.focus, subject.part)[0]
    return rates / root if root > 0 else np.full(len(rates), np.nan)


def lift_of(subject: Subject, stats: Stats, labels: Labels) -> Shades:
    held = lifts(subject, figures.rates(subject.tree, subject.focus, stats)).clip(1 / HIGHEST_LIFT, HIGHEST_LIFT)
    return diverging(np.log(held) / np.log(HIGHEST_LIFT))


def lift_says(subject: Subject, i: int) -> str:
    lift = float(lifts(subject, figures.part_rates(subject.tree, subject.focus, subject.part)[i : i + 1])[0])
    return tr("lift {figure}", figure=words.NOTHING if np.isnan(lift) else f"{lift:.2f}")


def lift_words(subject: Subject) -> Words:
    before = tr("lift of {class_name}: ¼ or less", class_name=_class(subject, 24))
    brief, note = subject.briefly(tr("lift: ¼ or less")), tr("middle: 1, the average of the training rows")
    return Words(subject.of_rows(before), tr("4 or more"), note, brief, brief_note=tr("middle: {usual}", usual=1))


def _worst_error(tree: engine.Tree) -> float:
    """Full colour: of classes what guessing would err, or the root if that is more; of a number the root's error."""
    root = float(figures.held_out_errors(tree)[0])
    if tree.task == "number":
        return root if root > 0 else np.inf
    return max(root, 1.0 - 1.0 / max(len(tree.classes), 2))


def error_says(subject: Subject, i: int) -> str:
    found = float(figures.held_out_errors(subject.tree)[i])
    figure = words.value(found) if subject.tree.task == "number" else words.rate(found)
    return tr("valid error {figure}", figure=figure)


def error_words(subject: Subject) -> Words:
    tree, worst = subject.tree, _worst_error(subject.tree)
    if tree.task == "number":
        usual, absolute = words.value(worst), tr("mean absolute error on validation rows, as a leaf: 0")
        before = absolute if tree.predicts_median else tr("root mean squared error on validation rows, as a leaf: 0")
        after, brief = tr("{usual}, as of all rows, or more", usual=usual), tr("{usual} or more", usual=usual)
        return Words(before, after, "", tr("valid error: 0"), brief)
    before, after = tr("wrong on validation rows, as a leaf: 0 %"), tr("{usual} or more", usual=words.rate(worst))
    return Words(before, after, "", tr("valid error: 0 %"))


def column_shades(subject: Subject) -> Shades:
    """Inner nodes strongly in the colour of their split, leaves paler in that of their parent's."""
    tree = subject.tree
    ranked = figures.ranked_columns(tree)
    rank = np.full(len(tree.columns) + 1, COLUMNS_TOLD, np.int64)  # the last place is that of no column, −1
    rank[ranked[:COLUMNS_TOLD]] = np.arange(min(len(ranked), COLUMNS_TOLD))
    found = figures.split_columns(tree)
    strength = np.where(tree.n_branches > 0, 1.0, PALE) * (found >= 0)
    return shades(rank[found], strength)


def column_says(subject: Subject, i: int) -> str:
    tree, column = subject.tree, int(figures.split_columns(subject.tree)[i])
    if tree.n_branches[i] or column < 0:
        return ""
    return tr("by {column}", column=_shortened(tree.columns[column].name, 14))


@dataclass(frozen=True)
class Declared:
    """Something that pictures may show, as it stands in menus."""

    name: str  # the word in settings and in `document.look`
    entry: str  # its words in menus; "&" marks the letter for the keyboard
    explained: str  # one sentence that explains it

    @property
    def text(self) -> str:
        return tr(self.entry)

    @property
    def tip(self) -> str:
        return tr(self.explained)


@dataclass(frozen=True)
class Mode(Declared):
    """One thing that colours may say."""

    poles: str  # "ends" (two, neutral between them), "one", "classes" or "columns"
    shades: Callable[[Subject], Shades]  # int64[n_nodes], of a subject
    says: Callable[[Subject, int], str]  # what a card adds in words; empty where its other lines say it
    words: Callable[[Subject], Words]  # what the legend says
    of_stats: OfStats | None = None  # int64[n], the shades of any statistics; None where they do not tell it
    refusal: Callable[[engine.Tree], str] = lambda tree: ""  # why it cannot colour a tree; empty where it can
    line: str = ""  # the card's line that says the same, if there is one


MODES = {
    mode.name: mode
    for mode in (
        Mode("rate", marked("Distance from the &average"), marked("How far the share of the class in focus, or the "
             "number that a node predicts, lies from that of all rows; grey is average"), ENDS,
             lambda subject: diverging(_distance(subject, figures.part_rates(*subject[:3]))),
             rate_says, rate_words, rate_of),
        Mode("class", marked("&Class"), marked("The class that a node predicts, paler the nearer its share is to that "
             "in all rows"), CLASSES,
             lambda subject: _of_all(class_of, subject), class_says,
             lambda subject: Words(subject.of_rows(""), note=tr("paler: nearer to its share in all rows"),
                                   brief=subject.briefly("")), class_of,
             lambda tree: "" if tree.task == "classes" else
             tr("The target is a number: there are no classes to colour by.")),
        Mode("impurity", marked("&Impurity"), marked("How mixed a node is, by the criterion that the tree was grown "
             "by; of a number, how far its values spread"), ONE, impurity_shades, impurity_says, impurity_words,
             impurity_of, line="impurity"),
        Mode("lift", marked("&Lift"), marked("How many times as frequent the class in focus is as in all rows; grey "
             "is 1"), ENDS, lambda subject: _of_all(lift_of, subject), lift_says, lift_words, lift_of,
             lambda tree: "" if tree.task == "classes" else
             tr("Lift is about a class, and the target is a number: colour by the rate.")),
        Mode("error", marked("&Validation error"), marked("How much a node errs, as a leaf, on the validation rows"),
             ONE, lambda subject: shades(1, figures.held_out_errors(subject.tree) / _worst_error(subject.tree)),
             error_says, error_words, None, lambda tree: "" if tree.rows_validation[0] > 0 else
             tr("There are no validation rows: keep some apart by Data ▸ Partition.")),
        Mode("column", marked("C&olumn"), marked("Which column splits a node; leaves have the colour of the split "
             "above, paler"), COLUMNS, column_shades, column_says,
             lambda subject: Words(tr("split by"), note=tr("paler: leaves below such a split"))),
    )
}  # fmt: skip

# The document compares: this one is chosen there, by `comparing.colour`, and is never kept.
DIFFERENCE = Mode(
    "difference", marked("&Difference to another tree"), marked("Which share of a node’s rows another tree answers "
    "differently"), ONE, lambda subject: shades(1, subject.differing),
    lambda subject, i: tr("differs {share}", share=words.rate(float(subject.differing[i]))),
    lambda subject: Words(tr("rows that the other tree answers differently: none"), tr("all"), "", tr("differ: none")),
)  # fmt: skip


def mode_for(tree: engine.Tree, chosen: str) -> Mode:
    """The chosen mode, or the usual one where it cannot colour this tree: of more than two classes the class."""
    mode = MODES.get(chosen)
    usual = "class" if tree.task == "classes" and len(tree.classes) > 2 else "rate"
    return mode if mode is not None and not mode.refusal(tree) else MODES[usual]


FADED = 0.72  # of the way to the canvas
FADED_INK = 0.55  # the same of letters on a fill
_COLUMNS = (0, 1, 2, 3, 4, 5, 7)  # the classes whose colours columns have: without yellow, too pale for thin edges


@cache
def faded_theme(theme: Theme) -> Theme:
    """A theme whose colours are nearly its canvas."""
    names = [part.name for part in fields(theme) if part.name not in ("name", "canvas")]
    colours: dict[str, Any] = {name: mix(getattr(theme, name), theme.canvas, FADED) for name in names}
    return replace(theme, **colours)


@cache
def ink_on(fill: int, *, faded: bool) -> int:
    """0xffRRGGBB: the colour of letters on a fill, as numbers: the contrast of two colours takes long to find out."""
    colour = QColor(fill)
    return (mix(ink(colour), colour, FADED_INK) if faded else ink(colour)).rgb()


class Colouring:
    """The fill of every node."""

    def __init__(self, tree: engine.Tree, focus: int, theme: Theme, options: PictureOptions = USUAL) -> None:
        self.theme, self.n_classes, self.focus = theme, len(tree.classes), focus
        differs = options.differing is not None
        self.mode = DIFFERENCE if differs else mode_for(tree, options.colour_by)  # what the colours say
        differing = options.differing if options.differing is not None else np.zeros(0)
        self.subject = Subject(tree, focus, options.part_of(tree), differing)
        notes, key = {} if differs else book(tree), (Colouring, self.mode.name, focus, self.subject.part)
        if key not in notes:  # of a difference it always is: the other tree may change
            notes[key] = self.mode.shades(self.subject)
        self.shade: Shades = notes[key]  # int64[n_nodes]; nodes of the same shade have the same colours
        self.fade = 0.0  # how far all colours are on their way to the canvas, 0 to 1
        self._made: dict[int, QColor] = {}

    def faded(self, share: float) -> Self:
        """The same colours, so far on their way to the canvas."""
        other = copy.copy(self)
        other.fade, other._made = share, {}
        return other

    @property
    def striped(self) -> bool:
        """Whether cards need a stripe in their colour: their bars show rates and classes, and nothing else."""
        return self.mode.name not in ("rate", "class")

    def shades(self, stats: np.ndarray, labels: np.ndarray) -> Shades:
        """int64[n]: the shade of any statistics of training rows, float64[n, S], compared with the root's, and of what
        each would say as a leaf; neutral where statistics do not tell what the mode measures."""
        if self.mode.of_stats is None:
            return np.zeros(len(stats), np.int64)
        return self.mode.of_stats(self.subject._replace(part="train"), stats, labels)

    def says(self, i: int) -> str:
        return self.mode.says(self.subject, i)

    def ribbon(self, i: int) -> QColor:
        """The fill of node i and of the edge that leads to it: one, so that it is the same at any size."""
        return self.tile_of(int(self.shade[i]))

    def tile_of(self, shade: int) -> QColor:
        if shade not in self._made:
            pole, step = divmod(shade, STEPS + 1)
            self._made[shade] = self._seen(mix(self.theme.ribbon, self.pole(pole), step / STEPS))
        return self._made[shade]

    def pole(self, k: int) -> QColor:
        """The full colour of class or column k, or of one end of the scale (0 below, 1 above)."""
        if self.mode.poles == CLASSES:
            return self.theme.class_colour(k, self.n_classes, self.focus)
        if self.mode.poles == COLUMNS:
            return self.theme.class_colour(_COLUMNS[k]) if k < COLUMNS_TOLD else self.theme.secondary
        return self.theme.positive if k else self.theme.negative

    def class_colours(self) -> list[QColor]:
        """The colour of each class in the bars, classes in their order."""
        return [self._seen(self.theme.class_colour(k, self.n_classes, self.focus)) for k in range(self.n_classes)]

    def _seen(self, colour: QColor) -> QColor:
        return mix(colour, self.theme.canvas, self.fade) if self.fade else colour
