"""The node panel: the selected node in words and figures, training and validation side by side."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QGuiApplication, QKeyEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QStyledItemDelegate, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model import tree_figures
from gui.model.document import Document
from gui.model.view_state.several import together_words
from gui.panels.words.outline import deviation
from gui.picture.nodes.figures import mean_profits
from gui.widgets import verbatim
from gui.widgets.building import below, claims, empty_page, fill, named, put_pages, scrolling
from gui.widgets.buttons import Button
from gui.widgets.labels import say
from gui.widgets.tables import Column, Index, TableModel, TableView, bold, stretch
from gui.wording import hand_phrases, words
from gui.wording.phrases import money

LENGTH = Qt.ItemDataRole.UserRole + 1  # of a bar: 1 for the fullest bin of the node; None where there is no bar
STRENGTH = 0.3  # of the accent's colour in a bar: the figure stands upon it
AIR = 3  # pixels above and below a bar

FEW = 30  # rows whose shares promise too much: their standard error is up to 9 points
USUAL = 5  # columns of a tree whose leaves say what they counted
# Columns of trees whose leaves say more.
PROBABILITY = marked("Probability"), marked(
    "The probability of each class in a leaf here: its shares, with the priors and the smoothing")  # fmt: skip
COST = marked("Cost"), marked(
    "The expected cost over the training rows here if all get this class; the label has the lowest")  # fmt: skip
LEAST_LINES, MOST_LINES = 1, 6

Figures = Callable[..., NDArray[np.float64]]  # of all nodes of a tree, on one part of the rows


def title(tree: engine.Tree, position: int) -> str:
    """What the node is: "Root, split by island", "Leaf 7 at depth 2"."""
    node, depth = int(tree.ids[position]), int(tree.level[position])
    if tree.split_at(position) is None:
        return tr("Root") if position == 0 else tr("Leaf {node} at depth {depth}", node=node, depth=depth)
    by, by_hand = tree.title(position), bool(tree.by_hand[position])
    if position == 0 and by_hand:
        return tr("Root, split by {column} (by hand)", column=by)
    if position == 0:
        return tr("Root, split by {column}", column=by)
    if by_hand:
        return tr("Node {node} at depth {depth}, split by {column} (by hand)", node=node, depth=depth, column=by)
    return tr("Node {node} at depth {depth}, split by {column}", node=node, depth=depth, column=by)


def rows_words(tree: engine.Tree, position: int) -> str:
    parts = []
    for rows, plain, shared in (
        (tree.rows_train, marked("{n} training rows"), marked("{n} training rows ({share} of all)")),
        (tree.rows_validation, marked("{n} validation rows"), marked("{n} validation rows ({share} of all)")),
    ):
        if rows[0] > 0:
            n, share = words.count(int(rows[position])), words.percent(float(rows[position]) / float(rows[0]))
            parts.append(tr(shared, n=n, share=share) if position else tr(plain, n=n))
    return " · ".join(parts) or tr("No rows.")


def outcome_words(tree: engine.Tree, position: int) -> str:
    """What the node predicts and how wrong that is, with its branches and, for an inner node, without them."""
    by_class = tree.task == "classes"
    label = tree.classes[int(tree.labels[position])] if by_class else words.value(tree.predictions[position])
    wording = words.percent if by_class else words.value
    alone = _by_part(tree_figures.leaf_errors, tree, position, wording)
    branches = _by_part(tree_figures.branch_errors, tree, position, wording)
    error = tr("Mean absolute error") if tree.predicts_median else tr("Mean squared error")
    error = tr("Error") if by_class else error
    said = [tr("Predicts {label}.", label=label), tr("{error} as a leaf: {figures}.", error=error, figures=alone)]
    if tree.n_branches[position]:
        said.append(tr("With its branches: {figures}.", figures=branches))
    few = by_class and not tree.n_branches[position] and 0 < tree.rows_train[position] < FEW
    if few and tree.leaf_rule.smoothing == "none":
        n = words.count(int(tree.rows_train[position]))
        said.append(tr("Its probabilities are the shares of {n} rows: the option “Probabilities” smooths them.", n=n))
    if tree.leaf_rule.weighs_mistakes:
        losses = _by_part(tree_figures.leaf_losses, tree, position, words.value)
        said.append(tr("Expected cost as a leaf: {figures}.", figures=losses))
    if tree.leaf_rule.profits:
        profits = _by_part(mean_profits, tree, position, lambda amount: money(amount, tree))
        way = tr("Act here: a row earns {profits}.", profits=profits)
        said.append(way if tree.acts[position] else tr("Do not act here: a row earns {profits}.", profits=profits))
    return " ".join(said)


def drawn_words(tree: engine.Tree, position: int) -> str:
    """The expected error of Gini's stochastic rule at the node; empty for a numeric target and without rows."""
    if tree.task != "classes" or not tree.train[position].sum() > 0:
        return ""
    errors = _by_part(tree_figures.drawn_errors, tree, position, words.percent)
    return tr("Expected error of a label drawn at random from the class shares (Gini): {figures}.", figures=errors)


def _by_part(figures: Figures, tree: engine.Tree, position: int, wording: Callable[[float], str]) -> str:
    """A figure of the training rows, and of the validation rows where there are any."""
    train, validation = (float(figures(tree, part)[position]) for part in ("train", "validation"))
    parts = [] if math.isnan(train) else [tr("{figure} training", figure=wording(train))]
    parts += [] if math.isnan(validation) else [tr("{figure} validation", figure=wording(validation))]
    return ", ".join(parts) or tr("unknown (no rows)")


class Bars(QStyledItemDelegate):
    """Draws a bar behind the figure of a cell that has a length."""

    def paint(self, painter: QPainter, option: Any, index: Index) -> None:
        length = index.data(LENGTH)
        if length:
            look = theme.current()
            box: QRect = option.rect.adjusted(AIR, AIR, -AIR, -AIR)
            box.setLeft(box.right() + 1 - round(length * box.width()))
            painter.fillRect(box, theme.mix(look.card, look.accent, STRENGTH))
        super().paint(painter, option, index)


def bins(tree: engine.Tree, position: int) -> list[Line]:
    """For each bin its name and its share of the training rows in a node, with a bar, the longest of length 1, and a
    tip that tells its share of the whole tree; nothing for a tree without bins."""
    if not tree.bin_edges:
        return []
    here, there = (tree.histogram_shares[i] for i in (position, 0))
    largest, lines, edges = float(here.max()), [], [words.value(edge) for edge in tree.bin_edges]
    between = (tr("{low} to {high}", low=low, high=high) for low, high in pairwise(edges))
    names = [f"≤ {edges[0]}", *between, f"> {edges[-1]}"]  # a value on an edge belongs to the bin below it
    for name, a, b in zip(names, here, there, strict=True):
        figure = words.NOTHING if math.isnan(a) else words.percent(float(a))
        length = float(a) / largest if largest > 0 else 0.0
        said = {"target": tree.target, "bin": name, "here": words.percent(float(a)), "all": words.percent(float(b))}
        tip = tr("{target} {bin}: {here} of the training rows here, {all} of all", **said)
        lines.append(Line((name, figure, ""), length=length, tip=tip))
    return lines


class Line(NamedTuple):
    """A row of the table: what its cells say, and what a class or a bin has beside them."""

    cells: tuple[str, ...]
    colour: QColor | None = None  # of a class
    length: float | None = None  # of the bar of a bin
    tip: str = ""  # what a bin holds
    bold: bool = False  # whether it is what the node predicts


class NodeModel(TableModel[Line]):
    """The target in one node: a row per class with counts and shares; for a numeric target what it predicts, the
    deviation and, of a tree with bins, their shares."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bold = lambda line: line.bold

    def show(self, tree: engine.Tree, position: int, focus: int) -> None:
        """Shows the node at `position`; `focus` is the class that the colours single out."""
        counts = tree.train[position], tree.validation[position]
        training, validation = tr("Training"), tr("Validation")
        tips: dict[str, str] = {}
        if tree.task == "classes":
            further = _further(tree, position)
            tips = {tr(name): tr(tip) for (name, tip), _ in further}
            titles = (tree.target, training, tr("Share"), validation, tr("Share"), *tips)
            n, label = len(tree.classes), int(tree.labels[position])
            inks = [QColor(theme.current().class_colour(k, n, focus)) for k in range(n)]
            lines = []
            for k, name in enumerate(tree.classes):
                cells = [name]
                for of, total in ((part, float(part.sum())) for part in counts):
                    n_rows = float(of[k])
                    cells += [words.count(n_rows), words.percent(n_rows / total)] if total > 0 else ["", ""]
                lines.append(Line((*cells, *(each[k] for _, each in further)), inks[k], bold=k == label))
        else:
            titles = (tree.target, training, validation)
            lines = [Line(row, bold=k == 0) for k, row in enumerate(_figures(tree, position))] + bins(tree, position)
        self.fill(lines, [_column(k, title, tips.get(title, "") if k else "") for k, title in enumerate(titles)])


def _column(k: int, title: str, tip: str) -> Column[Line]:
    more: dict[Any, Callable[[Line], Any]] = {LENGTH: lambda line: line.length}
    if k == 0:
        more[Qt.ItemDataRole.DecorationRole] = lambda line: line.colour
    return Column(title, lambda line: line.cells[k], k == 0, tip, explained=lambda line: line.tip, more=more)


def _further(tree: engine.Tree, position: int) -> list[tuple[tuple[str, str], list[str]]]:
    """The columns of a tree whose leaves say more than they counted, each with what stands below it for each class."""
    rule, found = tree.leaf_rule, []
    if rule.smoothing != "none" or rule.priors:
        found.append((PROBABILITY, [words.percent(float(share)) for share in tree.probabilities[position]]))
    if rule.costs:
        weights = tree.train[position] * rule.class_factors(tree.classes, tree.train[0])
        costs, total = weights @ rule.cost_matrix(tree.classes), float(weights.sum())
        found.append((COST, [words.value(float(cost) / total) if total > 0 else words.NOTHING for cost in costs]))
    return found


def _figures(tree: engine.Tree, position: int) -> list[tuple[str, ...]]:
    rows, label, both = [], tree.mark(int(tree.ids[position])).label, (tree.train[position], tree.validation[position])
    if label is not None:
        rows.append((tr("Set by hand"), words.value(float(label)), words.NOTHING))
    if tree.predicts_median:  # those of validation rows are not counted
        rows.append((tr("Median"), words.value(float(tree.medians[position])), words.NOTHING))
    means = [float(s[1] / s[0]) + tree.origin if s[0] > 0 else math.nan for s in both]
    return [
        *rows,
        (tr("Mean"), *(words.value(mean) for mean in means)),
        (tr("Standard deviation"), *(words.value(deviation(s)) for s in both)),
        (tr("Rows (weight)"), *(words.count(float(s[0])) for s in both)),
    ]


class NoteField(QPlainTextEdit):
    """Shows the note of a node. What is typed is written when the field is left, by Ctrl+Enter, or before another node
    is shown; Esc brings the old note back."""

    written = Signal(int, str)  # the node that the note was typed for, the note

    def __init__(self) -> None:
        super().__init__(placeholderText=tr("Write a note on this node…"), tabChangesFocus=True)
        tip = tr(
            "A note goes with the tree into projects and exports. Ctrl+Enter saves it, Esc discards what was typed."
        )
        policy = named(self, "node_note", tr("Note on this node"), tip).sizePolicy().Policy
        self.setSizePolicy(policy.Preferred, policy.Fixed)
        self._node, self._before = -1, ""
        self.textChanged.connect(self._fit)
        self._fit()

    @property
    def text(self) -> str:
        return self.toPlainText().strip()

    def show_note(self, node: int, note: str) -> None:
        """Shows the note of a node. What is being typed for this node stays; for another one it is written first."""
        typing = self.text != self._before
        if node == self._node and (typing or note == self._before):
            return
        if node != self._node:
            self.settle()
        self._node, self._before = node, note
        if self.text != note:
            self.setPlainText(note)

    def settle(self) -> None:
        text = self.text
        if self._node >= 0 and text != self._before:
            self._before = text
            self.written.emit(self._node, text)

    def forget(self) -> None:
        self._node, self._before = -1, ""
        self.clear()

    def _fit(self) -> None:
        lines = min(max(self.document().blockCount(), LEAST_LINES), MOST_LINES)
        frame = 2 * (self.frameWidth() + int(self.document().documentMargin()))
        self.setFixedHeight(lines * QFontMetrics(self.font()).lineSpacing() + frame + 2)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own menu
            self.settle()

    def event(self, event: QEvent) -> bool:
        claimed = claims(event, Qt.Key.Key_Escape, when=lambda: self.text != self._before)
        return claimed or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.settle()
        elif event.key() == Qt.Key.Key_Escape and self.text != self._before:
            self.setPlainText(self._before)
        else:
            super().keyPressEvent(event)


class NodePanel(QWidget):
    """Tells what the document's selected node is: its rule, its rows, its target, its label and its errors."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("node_panel")
        self._document = document
        self._beginning = document.beginning
        self._build()
        for changed in (document.selectionChanged, document.treeChanged, document.tableChanged, document.focusChanged):
            changed.connect(self._refresh)
        document.pruningChanged.connect(self._show_verdict)
        document.look.changed.connect(lambda names: self._show_together() if names & {"also"} else None)
        theme.watcher().changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.title = _text("node_title", strong=True)
        self.together = _text("node_together", strong=True)
        self.rule = named(_text("node_rule"), "node_rule", tr("Rule of the node"))
        self.rows, self.outcome, self.drawn = map(_text, ("node_rows", "node_outcome", "node_drawn"))
        self.drawn.setToolTip(verbatim.tip(tr(
            "How often a label would be wrong that is drawn with the class shares of the training rows here, Gini’s "
            "stochastic rule; on the training rows that is the Gini impurity."
        )))  # fmt: skip
        self.verdict, self.marks = _text("node_verdict"), _text("node_marks")
        self.note = NoteField()
        self.note.written.connect(lambda node, text: self._document.hand.mark(node, note=text))
        tip = tr("Copies the conditions that lead to this node")
        self.copy = named(Button(tr("Copy rule")), "node_copy", tip=tip, clicked=self._on_copy)
        self.model = NodeModel(self)
        self.view = TableView("node_table", tr("The target in this node"), self.model, iconSize=QSize(10, 10),
                              sortingEnabled=False)  # fmt: skip  # classes stand in one order everywhere
        self.view.setItemDelegateForColumn(1, Bars(self.view))
        self.view.horizontalHeader().setMinimumSectionSize(56)
        self.empty = empty_page(tr("Open a table: the selected node will be described here."))
        head, page = fill(QHBoxLayout(), (self.title, 1), self.copy, spacing=-1), QWidget()
        head.setAlignment(self.copy, Qt.AlignmentFlag.AlignTop)
        said = (self.together, self.rows, self.outcome, self.verdict, self.drawn, self.marks, self.note, self.rule)
        sentences = below(head, *said, 0, spacing=8, margins=(0, 0, 8, 0))
        scroll = scrolling(sentences)  # a deep node has a long rule: the panel does not grow as tall
        scroll.setMinimumHeight(64)
        self._halves = fill(QHBoxLayout(page), (scroll, 1), (self.view, 1), spacing=16)
        self.pages = put_pages(self, page, self.empty)

    def _refresh(self) -> None:
        tree = self._document.tree
        self.pages.setCurrentIndex(0 if tree is not None else 1)
        if self._document.beginning is not self._beginning:  # what is typed belongs to another tree
            self._beginning = self._document.beginning
            self.note.forget()
        if tree is None:
            return
        position = int(tree.position(self._document.selected))
        self.title.setText(title(tree, position))
        conditions = tree.rule(self._document.selected)
        self.rule.setText("\n".join(conditions) or tr("All rows: no condition leads to the root."))
        self.copy.setEnabled(bool(conditions))
        self._show_together()
        self.rows.setText(rows_words(tree, position))
        self.outcome.setText(outcome_words(tree, position))
        say(self.drawn, drawn_words(tree, position))
        say(self.marks, "\n".join(hand_phrases.sentences(tree, position, note=False)))
        self._show_verdict()
        self.note.show_note(self._document.selected, tree.mark(self._document.selected).note)
        self.model.show(tree, position, self._document.focus_class)
        self._halves.setStretch(1, 2 if self.model.columnCount() > USUAL else 1)
        stretch(self.view.horizontalHeader(), 0)

    def _show_together(self) -> None:
        tree, several = self._document.tree, self._document.several
        said = ""
        if tree is not None and several.on:
            said = together_words(tree, several.nodes, self._document.focus_class)
        say(self.together, said[:1].upper() + said[1:])

    def _show_verdict(self) -> None:
        """Why pruning made a leaf of the node, or kept its split: the numbers that were compared."""
        tree, node, cutback = self._document.tree, self._document.selected, self._document.cutback
        why = cutback.why_cut(node) if tree is not None and node in tree else ""
        said = ""
        if tree is not None and why and cutback.point is not None and cutback.choices is not None:
            kept = bool(tree.n_branches[tree.position(node)] > 0)
            said = tr("Kept by pruning. {why}", why=why) if kept else tr("Cut by pruning. {why}", why=why)
            if cutback.point.method == "kearns_mansour":
                said = _penalized(cutback.choices.found[cutback.point.method], node, kept)
        say(self.verdict, said)

    def _on_copy(self) -> None:
        assert self._document.tree is not None
        QGuiApplication.clipboard().setText(" and ".join(self._document.tree.rule(self._document.selected)))


def _penalized(pruning: engine.Pruning, node: int, kept: bool) -> str:
    found, i = pruning.verdicts, pruning.full.position(node)
    names = {"leaf": "leaf", "branch": "branch", "penalty": "allowance"}
    told = {told: f"{float(getattr(found, name)[i]):.3f}" for told, name in names.items()}
    if kept:
        return tr("Kept: leaf error {leaf} > subtree error {branch} + penalty α {penalty}", **told)
    return tr("Cut: leaf error {leaf} ≤ subtree error {branch} + penalty α {penalty}", **told)


def _text(name: str, strong: bool = False) -> QLabel:
    """A paragraph that can be selected and copied."""
    selectable = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    label = verbatim.label(objectName=name, wordWrap=True, textInteractionFlags=selectable)
    policy = label.sizePolicy().Policy
    label.setSizePolicy(policy.Preferred, policy.Minimum)
    if strong:
        label.setFont(bold())
    return label
