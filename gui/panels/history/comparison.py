"""The comparison panel: the tree on the canvas beside another one, on the same rows, and whether chance explains it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.runtime.sentences import marked, tr
from gui.model.document import Document
from gui.model.editing.pruning_choices import Point
from gui.model.history import State
from gui.widgets import verbatim
from gui.widgets.building import Reaction, empty_page, fill, named, scrolling, stacked
from gui.widgets.buttons import Button
from gui.widgets.fields import ElidedCombo
from gui.widgets.tables import Column, TableModel, TableView, stretch
from gui.wording import phrases, words

Line = tuple[str, ...]
NARROW = 36  # lines; a narrower panel has no room for two things side by side
LOWEST = 4  # lines of the table and of the sentences
LIKELY = 0.05  # p-values below this are called unlikely
EMPTY = marked("Choose a tree above: it stands beside the one on the canvas then, judged by the same rows.")
FILE = marked("A tree from a file…")
NOTHING = marked("Nothing")
MEASURES = {  # by part, and by what the error is
    ("train", "share"): marked("Training error"), ("validation", "share"): marked("Validation error"),
    ("train", "absolute"): marked("Training absolute error"),
    ("validation", "absolute"): marked("Validation absolute error"),
    ("train", "squared"): marked("Training squared error"),
    ("validation", "squared"): marked("Validation squared error"),
    ("train", "cost"): marked("Training cost"), ("validation", "cost"): marked("Validation cost"),
    ("train", "profit"): marked("Training profit per row"),
    ("validation", "profit"): marked("Validation profit per row"),
    ("train", "r2"): marked("Training R²"), ("validation", "r2"): marked("Validation R²"),
    ("train", "auc"): marked("Training AUC of {label}"), ("validation", "auc"): marked("Validation AUC of {label}"),
    ("train", "log_loss"): marked("Training log loss"), ("validation", "log_loss"): marked("Validation log loss"),
    ("train", "brier"): marked("Training Brier score"), ("validation", "brier"): marked("Validation Brier score"),
    ("train", "reliability"): marked("Training miscalibration"),
    ("validation", "reliability"): marked("Validation miscalibration"),
}  # fmt: skip
MOST_MOVES = 500  # pairs of leaves that are listed


@dataclass(frozen=True)
class Move:
    """Rows that stand in two leaves which predict otherwise."""

    first: int  # the ids of the leaves
    second: int
    rows: int
    before: str  # what the other tree predicts
    after: str  # what the tree on the canvas predicts
    size: float  # how far apart these are


def moves(found: engine.Comparison, tree: engine.Tree, other: engine.Tree, focus: int) -> list[Move]:
    """The larger moves from the other tree to the one on the canvas."""
    first, second, rows, size = (each[:MOST_MOVES].tolist() for each in found.moves)
    return [
        Move(a, b, n, _says(other, b, focus, tree), _says(tree, a, focus, tree), far)
        for a, b, n, far in zip(first, second, rows, size, strict=True)
    ]


def _says(tree: engine.Tree, leaf: int, focus: int, shown: engine.Tree) -> str:
    """What a leaf predicts: a number, or a class and the share of the one in focus, "no · 23 % yes"."""
    i = tree.position(leaf)
    if tree.task == "number":
        return words.value(float(tree.predictions[i]))
    label, name = tree.classes[int(tree.labels[i])], shown.classes[focus]
    share = float(tree.probabilities[i, tree.classes.index(name)]) if name in tree.classes else 0.0
    return f"{label} · {words.rated(words.rate(share), name)}"


def figures(results: dict[str, engine.Comparison], tree: engine.Tree, other: engine.Tree, compared: int) -> list[Line]:
    """The figures of both trees: (what, of the tree on the canvas, of the other); `compared`: see `unchosen_parts`."""
    from engine.assessment.selection import unchosen_parts  # late: it brings the compiler

    found: list[Line] = [
        (tr("Leaves"), words.count(tree.n_leaves), words.count(other.n_leaves)),
        (tr("Depth"), words.count(tree.depth), words.count(other.depth)),
    ]
    measure = "share" if tree.task == "classes" else "absolute" if tree.predicts_median else "squared"
    for part, one in results.items():
        told = [_error(fit, part in unchosen_parts(each, compared))
                for fit, each in zip(one.fits, (tree, other), strict=True)]  # fmt: skip
        found.append((tr(MEASURES[part, measure]), *told))
        if tree.leaf_rule.weighs_mistakes:
            found.append((tr(MEASURES[part, "cost"]), *(words.value(fit.loss) for fit in one.fits)))
        if tree.leaf_rule.profits and other.leaf_rule.profits:
            first, second = map(phrases.money, (fit.mean_profit for fit in one.fits), (tree, other))
            found.append((tr(MEASURES[part, "profit"]), first, second))
        if tree.task == "number":
            found.append((tr(MEASURES[part, "r2"]), *(words.value(fit.r2) for fit in one.fits)))
    if tree.task == "classes" and results:
        found += _of_probabilities(*list(results.items())[-1])
    return found


def _of_probabilities(part: str, found: engine.Comparison) -> list[Line]:
    """Of the part that tells most: the areas under the ROC curves, and how good the probabilities are."""
    lines: list[Line] = []
    if found.auc is not None:
        area = tr(MEASURES[part, "auc"], label=found.auc.label)
        lines.append((area, words.value(found.auc.first), words.value(found.auc.second)))
    for name in ("log_loss", "brier", "reliability"):
        of = [getattr(fit, name) if name != "reliability" else fit.murphy.reliability for fit in found.fits]
        lines.append((tr(MEASURES[part, name]), *map(words.value, of)))
    return lines


def _error(fit: engine.Fit, sure: bool) -> str:
    if math.isnan(fit.accuracy):
        return words.value(fit.error)
    error, low, high = words.percent(fit.error), _points(1 - fit.interval[1]), words.percent(1 - fit.interval[0])
    return tr("{error} ({low} to {high})", error=error, low=low, high=high) if sure else error


def sentences(found: engine.Comparison, trees: int = 0) -> list[str]:
    """Where the trees differ, and whether chance explains it; `trees`: how many the validation rows compared."""
    training = found.part == "train"
    if not found.n:
        none = tr("There are no validation rows to compare the trees by.")
        return [tr("There are no training rows to compare the trees by.") if training else none]
    n = words.count(found.n)
    rows = tr("{n} training rows", n=n) if training else tr("{n} validation rows", n=n)
    if not found.differ:
        return [tr("Of {rows} the trees predict none differently.", rows=rows)]
    differ, share, chance = words.count(found.differ), words.percent(found.differ / found.n), _chance(found.p_value)
    said = [tr("Of {rows} the trees predict {differ} ({share}) differently.", rows=rows, differ=differ, share=share)]
    if found.fresh:
        said += [tr("Paired test on rows that did not choose: {chance}.", chance=chance)]
    elif found.fits[0].confusion.size:
        said += [tr(
            "Only the tree on the canvas is right on {first} of them, only the other on {second}; McNemar's test: "
            "{chance}.", first=words.count(found.only_first), second=words.count(found.only_second), chance=chance,
        )]  # fmt: skip
    else:
        said.append(tr("Paired test of the errors: {chance}.", chance=chance))
    said.append(_difference(found))
    said += _areas(found)
    if training:
        said += [tr("Both trees were grown on the training rows, so the larger one looks better on them than it is.")]
    elif found.fresh:
        said += [tr(
            "The validation rows chose one of the trees, so the test, the difference and the interval are of trees "
            "chosen again without a fifth of them at a time, and judged by that fifth.",
        )]  # fmt: skip
    elif trees > 1:
        said += [tr(
            "{n} trees were compared by the validation rows: one that was chosen among them looks better on these rows "
            "than it is. The test and the interval do not know that; test rows would.", n=words.count(trees),
        )]  # fmt: skip
    return said


def _areas(found: engine.Comparison) -> list[str]:
    """The difference of the areas under the ROC curves; a test of it only where no rows chose a tree before."""
    auc = found.auc
    if auc is None or math.isnan(auc.difference):
        return []
    if math.isnan(auc.p_value):
        return [tr("Too few rows are {label}, or are not, to tell whether the AUC differs by chance.", label=auc.label)]
    interval = _interval(round(auc.interval[0], 3), round(auc.interval[1], 3), points=False)
    said = {"label": auc.label, "size": words.value(round(abs(auc.difference), 3)), "interval": interval}
    same = tr("The AUC of {label} is the same (95 %: {interval}).", **said)
    more = tr("The AUC of {label} of the tree on the canvas is {size} more (95 %: {interval}).", **said)
    less = tr("The AUC of {label} of the tree on the canvas is {size} less (95 %: {interval}).", **said)
    parts = [same if auc.difference == 0 else more if auc.difference > 0 else less]
    if found.fresh:
        parts.append(tr("The validation rows chose one of the trees, and this interval does not know that."))
    elif found.part != "train":
        parts.append(tr("DeLong's test: {chance}.", chance=_chance(auc.p_value)))
    return [" ".join(parts)]


def _chance(p: float) -> str:
    if math.isnan(p):
        return tr("too few rows to tell")
    often = tr("p = {p}, chance alone often makes as much", p=words.gain(p))
    return tr("p = {p}, chance alone seldom makes as much", p=words.gain(p)) if p < LIKELY else often


def _difference(found: engine.Comparison) -> str:
    points = bool(found.fits[0].confusion.size)
    interval = _interval(*found.interval, points)
    if found.difference == 0:
        return tr("Their errors are the same (95 %: {interval}).", interval=interval)
    said = {"size": _size(found.difference, points), "interval": interval}
    more = tr("The tree on the canvas errs {size} more (95 %: {interval}).", **said)
    return more if found.difference > 0 else tr("The tree on the canvas errs {size} less (95 %: {interval}).", **said)


def _interval(low: float, high: float, points: bool) -> str:
    """ "0.7 to 6.3 pp less", "1.2 pp less to 3.0 pp more": in the words of the difference, the smaller one first."""
    if low < 0 < high:
        return tr("{low} less to {high} more", low=_size(low, points), high=_size(high, points))
    near, far = sorted((low, high), key=abs)
    said = {"near": _points(abs(near)) if points else words.value(abs(near)), "far": _size(far, points)}
    return tr("{near} to {far} less", **said) if far < 0 else tr("{near} to {far} more", **said)


def _size(difference: float, points: bool) -> str:
    """How large it is, in percentage points where it is one of shares."""
    return tr("{n} pp", n=_points(abs(difference))) if points else words.value(abs(difference))


def _points(share: float) -> str:
    return words.percent(share).removesuffix(" %")


class ComparisonPanel(QWidget):
    """Chooses the other tree; shows sizes and errors of both, the test of their difference, and where it lies."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("comparison_panel")
        self._document = document
        self._choices: list[State | Point | None] = []
        self._build()
        for signal in (document.treeChanged, document.tableChanged, document.pruningChanged,
                       document.comparing.changed, document.history.stack.indexChanged):  # fmt: skip
            signal.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.other = ElidedCombo(minimumContentsLength=8)
        named(self.other, "comparison_other", tr("Compare with"), activated=self._on_chosen)
        self.colour = named(QCheckBox(tr("Colour the canvas where they differ")), "comparison_colour",
                            toggled=self._document.comparing.colour)  # fmt: skip
        tip = tr("Copies the table and the sentences as text")
        self.copy = named(Button(tr("Copy")), "comparison_copy", tip=tip, clicked=self._on_copy)
        titles = ("", tr("On the canvas"), tr("The other tree"))
        columns = [Column[Line](title, itemgetter(k), words=not k) for k, title in enumerate(titles)]
        self.model = TableModel[Line](self, columns)
        self.table = TableView("comparison_table", tr("Figures of both trees"), self.model)
        self.table.setSortingEnabled(False)  # their kinds differ from row to row
        stretch(self.table.horizontalHeader(), 0)
        rows: list[Column[Move]] = [
            Column(tr("Rows"), lambda one: words.count(one.rows), key=lambda one: one.rows),
            Column(tr("The other tree"), lambda one: one.before, words=True),
            Column(tr("On the canvas"), lambda one: one.after, words=True),
            Column(tr("Leaves"), lambda one: f"#{one.second} → #{one.first}", words=True, key=lambda one: one.first),
            Column(tr("Apart"), lambda one: self._apart(one.size), key=lambda one: one.size,
                   tip=tr("How far the predictions are apart: half the sum of the differences of all probabilities, "
                          "or the difference of the numbers")),
        ]  # fmt: skip
        self.moves = TableModel[Move](self, rows)
        self.moved = TableView(
            "comparison_moves", tr("Rows that the trees predict otherwise, by their leaves"), self.moves
        )
        stretch(self.moved.horizontalHeader(), 2)
        self.moved.selectionModel().currentRowChanged.connect(self._on_move)
        tip = tr("Lists the rows that the trees predict otherwise, by their leaves; a click follows them")
        self.moving = named(Button(tr("Who moves")), "comparison_moving", tip=tip, checkable=True)
        self.listed = stacked(self.table, self.moved)
        self.moving.toggled.connect(lambda on: self.listed.setCurrentIndex(int(on)))
        self.sentences = verbatim.label(
            objectName="comparison_sentences", wordWrap=True,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
            alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft,
        )  # fmt: skip
        self.empty = empty_page(tr(EMPTY), "comparison_empty")
        label = verbatim.label(tr("Compare with"))
        chosen = fill(QHBoxLayout(), label, (self.other, 1), self.moving, self.copy, spacing=8)
        self._controls = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (chosen, 1), self.colour, spacing=8)
        self.said = scrolling(self.sentences)
        self._found = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (self.listed, 7), (self.said, 2), spacing=16)
        fill(QVBoxLayout(self), self._controls, (self._found, 1), (self.empty, 1), spacing=8, margins=(8, 8, 8, 8))
        Reaction(self, self._arrange, QEvent.Type.Resize, QEvent.Type.FontChange)

    def _arrange(self) -> None:
        """In a narrow panel everything stands below each other."""
        narrow = self.width() < NARROW * self.fontMetrics().height()
        for area in (self.table, self.moved, self.said):  # which scroll
            area.setMinimumHeight(LOWEST * self.fontMetrics().height())
        for layout in (self._controls, self._found):
            layout.setDirection(layout.Direction.TopToBottom if narrow else layout.Direction.LeftToRight)

    def _refresh(self) -> None:
        comparing, tree = self._document.comparing, self._document.tree
        self._fill_choices()
        self.other.setEnabled(tree is not None)
        known = bool(comparing.results) and comparing.other is not None and tree is not None
        for widget in (self.listed, self.said, self.moving, self.copy, self.colour):
            widget.setVisible(known)
        self.empty.setVisible(not known)
        waiting = tr("Comparing…") if comparing.other is not None else tr(EMPTY)
        first = tr("Open a table and grow a tree first.")
        self.empty.setText(comparing.error or (waiting if tree is not None else first))
        self.colour.setChecked(comparing.coloured)
        if known:
            self._show_figures()

    def _fill_choices(self) -> None:
        """The trees of the history, the latest first, then those of the pruning chart; not the one on the canvas."""
        comparing, cutback = self._document.comparing, self._document.cutback
        charted = [(name, cutback.known(point) or point) for name, point in cutback.offered if point != cutback.point]
        choices: list[tuple[str, State | Point | None]] = [(tr(NOTHING), None), *self._document.trees_behind]
        choices += [each for each in charted if each[1] is not self._document.state]
        if comparing.other is not None and all(state is not comparing.other for _, state in choices):
            choices.append((comparing.name, comparing.other))
        texts = [text for text, _ in choices] + [tr(FILE)]
        if texts != [self.other.itemText(i) for i in range(self.other.count())]:
            self.other.clear()
            self.other.addItems(texts)
        self._choices = [state for _, state in choices]
        self.other.setCurrentIndex(next((i for i, state in enumerate(self._choices) if state is comparing.other), 0))

    def _on_chosen(self, row: int) -> None:
        if row == len(self._choices):
            table = self._document.table
            beside = self._document.path or Path(table.source.get("path", "") if table is not None else "")
            folder = str(beside.parent)
            path, _ = QFileDialog.getOpenFileName(self, tr("Compare with a tree"), folder, tr("Trees (*.json)"))
            if path:
                self._document.comparing.with_file(Path(path))
        elif (chosen := self._choices[row]) is None:
            self._document.comparing.clear()
        elif isinstance(chosen, Point):
            self._document.comparing.with_point(chosen, self.other.itemText(row))
        else:
            self._document.comparing.with_state(chosen, self.other.itemText(row))
        self._refresh()

    def _show_figures(self) -> None:
        comparing, document = self._document.comparing, self._document
        assert document.tree is not None and comparing.other is not None
        compared = document.edits.validation_trees
        self.model.fill(figures(comparing.results, document.tree, comparing.other.tree, compared))
        self.table.setToolTip(verbatim.tip(tr("The other tree: {name}", name=comparing.name)))
        result = comparing.results[comparing.part]
        listed = moves(result, document.tree, comparing.other.tree, document.focus_class)
        if listed != self.moves.records:
            self.moves.fill(listed)
        found = sentences(result, compared)
        grouped = phrases.grouped(comparing.other.table, getattr(engine, comparing.part.upper()))
        self.sentences.setText("\n\n".join(filter(None, (*found, grouped))))

    def _apart(self, size: float) -> str:
        tree = self._document.tree
        return words.value(size) if tree is not None and tree.task == "number" else words.percent(size)

    def _on_move(self, current: QModelIndex) -> None:
        comparing = self._document.comparing
        if current.isValid() and comparing.other is not None and comparing.results:
            move = self.moves.record(current.row())
            part = getattr(engine, comparing.part.upper())
            self._document.following.follow_moved(comparing.other, move.first, move.second, part)

    def _on_copy(self) -> None:
        shown = self.moves if self.moving.isChecked() else self.model
        table = shown.text(range(shown.rowCount()))
        QGuiApplication.clipboard().setText(f"{table}\n{self.sentences.text()}")
