"""What is said around the plot of the split editor: title, figures, colours, branches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

import engine
from engine.runtime.sentences import marked, tr
from engine.table.words import value_words
from gui import theme
from gui.panels.this_node.split.bars import bar_colour, branch_tone, sample_colour
from gui.panels.this_node.split.draft import Draft
from gui.panels.this_node.words import percent
from gui.picture.legend import naming_order
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction, named, yielding
from gui.widgets.labels import whole_parts
from gui.widgets.plotting import short
from gui.widgets.tables import aligned, bold
from gui.wording import words

if TYPE_CHECKING:  # it loads pandas, and the window is there before
    from engine.splits import Kinds

GAIN, VALIDATION, LOGWORTH, P, BELOW_BEST = range(5)
CAPTIONS = (marked("gain"), marked("validation"), marked("LogWorth"), marked("p"), marked("below best"))
EXPLAINED = (
    marked("How much the impurity falls on the training rows, under the criterion in use: the thick curve"),
    marked(
        "What the predictions of the branches, made from training rows, improve on the validation rows; below 0 where "
        "they mislead: the thin curve"
    ),
    marked("−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01"),
    marked(
        "The p-value: the chance of such a gain if the column were unrelated to the target, adjusted for the search"
    ),
    marked(
        "The share of the gain of the column's best split that this one does not have; or has beyond it, with more cuts"
    ),
)
SAMPLES = ("0.0000", "0.0000", "000.00", "0.0000", "00.0 %")  # so that figures keep their places while a cut is dragged
ALL, WITHOUT_P = (GAIN, VALIDATION, LOGWORTH, P, BELOW_BEST), (GAIN, VALIDATION, LOGWORTH, BELOW_BEST)
# Figures and how many stand in a line, the best first.
LAID: tuple[tuple[tuple[int, ...], int], ...] = ((ALL, 5), (WITHOUT_P, 4), (ALL, 3), (WITHOUT_P, 2))
APART = 8  # pixels from one figure to the next
BEYOND_FLOATS = 300  # powers of ten
KEY_GAP = "&nbsp;&nbsp; "
BETWEEN_KEYS = 16  # pixels from one key to the next, and of the mark before its words
LONGEST_NAME = 20  # letters of a name
LEAST_NAME = 8  # letters of a target’s name in a legend that has more to say
FEWEST, MOST = 2, 8  # lines
BAR, GAP = 9, 8  # pixels
ROOMY, LONGEST = 560, 32  # pixels from which on names of classes are written out; their most letters
LEFT, RIGHT = aligned(words=True), aligned(words=False)


class SplitTitle(QLabel):
    """Bold; a name without room beside its condition stands above it. The tooltip has all of what is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_title")
        yielding(self).setFont(bold())
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._name = self._condition = ""
        Reaction(self, self.updateGeometry, QEvent.Type.Resize)

    def show_parts(self, name: str, condition: str) -> None:
        self._name, self._condition = name, condition
        self.setText(f"{name} {condition}".strip())

    def name_width(self) -> int:
        """Pixels that the name alone takes."""
        return self.fontMetrics().horizontalAdvance(self._name)

    def sizeHint(self) -> QSize:
        lines = self.shortened(self.fontMetrics(), self.width()).count("\n") + 1
        return QSize(200, lines * self.fontMetrics().height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, text = QPainter(self), self.shortened(self.fontMetrics(), self.width())
        self.setToolTip(verbatim.tip(self.text() if text.replace("\n", " ") != self.text() else ""))
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), LEFT, text)

    def shortened(self, metrics: QFontMetrics, room: int) -> str:
        """The text in `room` pixels, in one line or two: of a condition no number is cut."""
        advance = metrics.horizontalAdvance
        if advance(self.text()) <= room:
            return self.text()
        condition = self._condition
        if advance(condition) > room:
            condition = whole_parts(condition.split(", "), ", ", room, metrics)
            condition = metrics.elidedText(condition, Qt.TextElideMode.ElideMiddle, room)
        if not self._name:
            return condition
        return f"{metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)}\n{condition}"


class SplitFigures(QWidget):
    """Captions with a figure below each, whole: without room for all in a line, p goes, which LogWorth says too, or
    they stand in two lines."""

    def __init__(self) -> None:
        super().__init__()
        yielding(named(self, "split_editor_figures")).setMinimumWidth(1)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(0)
        self._grid.setHorizontalSpacing(APART)
        self._beyond, self._logworth, self._laid, self._judged = False, math.nan, LAID[0], True
        self._captions = [verbatim.label(tr(caption), self) for caption in CAPTIONS]
        names = ("gain", "validation", "logworth", "p", "below_best")
        self.labels = [verbatim.label(parent=self, objectName=f"split_editor_{name}") for name in names]
        for caption, label, explained in zip(self._captions, self.labels, EXPLAINED, strict=True):
            for each in (caption, label):
                yielding(each).setToolTip(verbatim.tip(tr(explained)))
            caption.setTextFormat(Qt.TextFormat.RichText)  # the program's own words, in two colours
        self._lay(*self._laid)
        theme.watcher().changed.connect(self.recolour)
        Reaction(self, self._fit, QEvent.Type.Resize)
        self.recolour()

    def _fit(self) -> None:
        advance = self.labels[P].fontMetrics().horizontalAdvance
        brief = brief_p_words(self._logworth)
        for every, per_line in LAID:
            shown = tuple(i for i in every if self._judged or i != VALIDATION)
            texts = [label.text() for label in self.labels]
            for texts[P] in (p_words(self._logworth), brief):
                wide = [
                    max(self._captions[i].sizeHint().width(), advance(texts[i]) + 2, advance(SAMPLES[i])) for i in shown
                ]
                columns = [max(wide[i::per_line], default=0) for i in range(per_line)]
                if sum(columns) + APART * (per_line - 1) <= self.width() or (every, per_line) == LAID[-1]:
                    self.labels[P].setText(texts[P])
                    if self._laid != (shown, per_line):
                        self._lay(shown, per_line)
                    for column in range(len(ALL)):
                        self._grid.setColumnMinimumWidth(column, columns[column] if column < per_line else 0)
                    return

    def _lay(self, shown: tuple[int, ...], per_line: int) -> None:
        self._laid = shown, per_line
        for column in range(len(ALL)):
            self._grid.setColumnStretch(column, int(column < per_line))
        for i in ALL:
            for below, each in enumerate((self._captions[i], self.labels[i])):
                self._grid.removeWidget(each)
                each.setVisible(i in shown)
                if i in shown:
                    line, column = divmod(shown.index(i), per_line)
                    self._grid.addWidget(each, 2 * line + below, column)

    def recolour(self) -> None:
        colours = theme.current()
        marks = {GAIN: ("━", colours.text), VALIDATION: ("─", colours.validation)}
        for i, caption in enumerate(self._captions):
            mark, ink = marks.get(i, ("", colours.text))
            line = f'<span style="color:{ink.name()}">{mark}</span> ' if mark else ""
            said = tr("beyond best") if i == BELOW_BEST and self._beyond else tr(CAPTIONS[i])
            caption.setText(f'{line}<span style="color:{colours.secondary.name()}">{escape(said)}</span>')

    def show_draft(self, draft: Draft, below_best: str) -> None:
        """The figures of a split as it stands now; `below_best` says what it is measured by, see `SplitKind`."""
        weighed, below = draft.weighed, draft.below_best
        if (below < 0) != self._beyond:
            self._beyond = below < 0
            self.recolour()
        texts, self._logworth = [words.NOTHING] * len(ALL), math.nan
        if weighed is not None and weighed.split is not None:
            self._logworth, self._judged = weighed.logworth, math.isfinite(weighed.validation_gain)
            texts[GAIN], texts[VALIDATION] = words.gain(weighed.gain), words.gain(weighed.validation_gain)
            if math.isfinite(weighed.logworth):
                texts[LOGWORTH] = f"{weighed.logworth:,.2f}"
            texts[P] = p_words(weighed.logworth)
            if math.isfinite(below):
                texts[BELOW_BEST] = percent(abs(below)) if below else tr("nothing")
        said = [tr(below_best, share=texts[BELOW_BEST])] if below > 0 else []
        self.labels[BELOW_BEST].setToolTip(verbatim.tip("\n".join([*said, tr(EXPLAINED[BELOW_BEST])])))
        self.labels[P].setToolTip(verbatim.tip(f"{texts[P]}\n{tr(EXPLAINED[P])}"))
        if weighed is not None and len(weighed.scores) > 1:
            by = [f"{tr(engine.CRITERIA[name].label)} {words.gain(score)}" for name, score in weighed.scores.items()]
            self.labels[GAIN].setToolTip(verbatim.tip("\n".join([tr(EXPLAINED[GAIN]), *by])))
        for i in WITHOUT_P:
            self.labels[i].setText(texts[i])
        self._fit()


def p_words(logworth: float) -> str:
    """The p-value of a LogWorth: "0.01234", "5.012·10⁻¹³"."""
    return words.power_of_ten(-logworth) if math.isfinite(logworth) else words.NOTHING


def brief_p_words(logworth: float) -> str:
    """The same in less room where it lies beyond all floats: "< 10⁻⁴⁸⁷¹"."""
    if not math.isfinite(logworth) or logworth < BEYOND_FLOATS:
        return p_words(logworth)
    return f"< {words.power_of_ten(-math.floor(logworth)).removeprefix('1.000·')}"


class Key(NamedTuple):
    """A mark in a colour and what it stands for; without a mark plain words."""

    mark: str
    colour: QColor
    text: str


class SplitLegend(QLabel):
    """The classes, as many as there is room for, and what else is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_legend")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)  # between two keys, where even those that are always there need two lines
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._classes: list[Key] = []
        self._others: list[Key] = []
        self._told = ""
        Reaction(self, self._fit, QEvent.Type.Resize)

    def sizeHint(self) -> QSize:  # by itself it would ask for the lines that it has in less width
        return QSize(200, self.heightForWidth(self.width()))

    def show_keys(
        self, tree: engine.Tree, focus: int, is_sampled: bool, *, several: bool = False, note: str = "",
        samples: str = "",
    ) -> None:  # fmt: skip
        """The curves are named by the figures, unless they are of other splits: where it has `several` cuts, the curve
        is of one. `is_sampled`: whether rows have sampling weights; `note` is what else is to be said, `samples` the
        words on cuts of bootstrap samples.
        """
        colours, order = theme.current(), naming_order(tree)
        self._classes = [Key("■", bar_colour(tree, k, focus), short(tree.classes[k], LONGEST_NAME)) for k in order]
        self._others, self._told = [], samples
        if tree.task == "number":
            means = tr(
                "mean ± SD of {target}, own scale", target=short(tree.target, LEAST_NAME if samples else LONGEST_NAME)
            )
            bars = tr("weight") if is_sampled else tr("rows")
            self._others = [Key("■", colours.ribbon, bars), Key("●", colours.positive, means)]
        if several:
            self._others.append(Key("━", colours.text, tr("gain of a single cut")))
        if samples:
            self._others.append(Key("■", sample_colour(), tr("cuts of samples")))
        if note:
            self._others.append(Key("", colours.text, note))
        self._fit()

    def _fit(self) -> None:
        room = self.width() - sum(map(self._width, self._others))
        n, most = 0, len(self._classes)
        while n < most:
            left = most - n - 1
            more = self.fontMetrics().horizontalAdvance(tr("… and {n} more", n=left)) if left else 0
            room -= self._width(self._classes[n])
            if room < more and n:
                break
            n += 1
        rest = [Key("", theme.current().text, tr("… and {n} more", n=most - n))] if n < most else []
        keys = [*self._classes[:n], *rest, *self._others]
        self.setText(KEY_GAP.join(plotting.key(ink.name(), text, mark, whole=True) for mark, ink, text in keys))
        self.updateGeometry()
        classes = ", ".join(key.text for key in self._classes) if n < most else ""
        self.setToolTip(verbatim.tip("\n".join(filter(None, (classes, self._told)))))

    def _width(self, key: Key) -> int:
        return self.fontMetrics().horizontalAdvance(key.text) + (2 * BETWEEN_KEYS if key.mark else BETWEEN_KEYS)


@dataclass(frozen=True, eq=False)
class Branch:
    """One branch in words."""

    words: str  # what it takes: "≤ 42.5"
    upper: str  # of an interval its upper end, "to 42.5": in little room the lower one is that of the line above
    rows: str  # training rows, "1,234"
    figure: str  # "72.1 %", or the mean of a numeric target
    says: str  # with the class, "72.1 % good"
    in_full: str  # with all of its name
    unseen: str  # the same figure on validation rows; empty without any
    parts: tuple[tuple[float, QColor], ...]  # shares of the bar's width with their colours
    tone: QColor | None = None  # of the mark of a branch that takes levels

    @property
    def line(self) -> str:
        """All of it: "≤ 42.5: 1,234 rows, 72.1 % good, valid 70.0 %"."""
        said = {"branch": self.words, "rows": self.rows, "says": self.in_full, "validation": self.unseen}
        if self.unseen:
            return tr("{branch}: {rows} training rows, {says}, {validation}", **said)
        return tr("{branch}: {rows} training rows, {says}", **said)


class SplitBranches(QWidget):
    """A line for each branch of a candidate: its words, its rows, a bar, what it says; where there is no room for all,
    the last line tells how many more."""

    def __init__(self) -> None:
        super().__init__()
        yielding(named(self, "split_editor_branches", tr("Branches of the split")))
        self.branches: list[Branch] = []
        self._room = MOST

    def show_candidate(self, candidate: engine.Candidate | None, kinds: Kinds, tree: engine.Tree, focus: int) -> None:
        before, self.branches = len(self.branches), []
        if candidate is not None and candidate.split is not None:
            self.branches = [branch_of(candidate, b, kinds, tree, focus) for b in range(candidate.split.n_branches)]
        if len(self.branches) != before:
            self.updateGeometry()
        self.setAccessibleDescription("; ".join(" ".join((b.words, b.rows, b.says)) for b in self.branches))
        lines = [branch.line for branch in self.branches[:MOST]] + ["…"] * (len(self.branches) > MOST)
        self.setToolTip(verbatim.tip("\n".join(lines)))
        self.update()

    @property
    def line(self) -> int:
        return self.fontMetrics().height() + 3

    def set_room(self, lines: int) -> None:
        lines = min(max(lines, FEWEST), MOST)
        if lines != self._room:
            self._room = lines
            self.updateGeometry()
            self.update()

    @property
    def shown(self) -> int:
        n = len(self.branches)
        return n if n <= self._room else self._room - 1

    def sizeHint(self) -> QSize:
        return QSize(200, self.line * min(len(self.branches), self._room))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, high, shown = QPainter(self), self.line, self.branches[: self.shown]
        for i, branch in enumerate(shown):
            self._line(painter, branch, shown, QRect(0, i * high, self.width(), high))
        more = len(self.branches) - len(shown)
        if more:
            painter.setPen(theme.current().secondary)
            text = tr("and 1 more branch") if more == 1 else tr("and {n} more branches", n=words.count(more))
            painter.drawText(QRect(0, len(shown) * high, self.width(), high), LEFT, text)

    def _line(self, painter: QPainter, branch: Branch, shown: list[Branch], room: QRect) -> None:
        """In little room the bar goes first, then the validation rows' figure, the name of the class, the number of
        rows: what is left stands there whole."""
        colours, advance = theme.current(), self.fontMetrics().horizontalAdvance
        x = room.left() + self._mark(painter, branch, room)
        takes = [each.words for each in shown]
        if max(map(advance, takes)) + 2 > room.width() // 3:
            takes = [each.upper for each in shown]
        named = max(map(advance, takes)) + 2
        if branch.tone is not None:
            named = min(named, room.width() // 3)  # names of levels can be shortened, numbers never
        counts, unseen = [each.rows for each in shown], [each.unseen for each in shown]
        says = [each.in_full if room.width() >= ROOMY else each.says for each in shown]
        figures, none = [each.figure for each in shown], [""] * len(shown)
        for columns in (counts, says, unseen), (counts, says, none), (counts, figures, none), (none, figures, none):
            wide = [max(map(advance, column)) for column in columns]
            if x + named + sum(width + GAP for width in wide if width) <= room.right() + 1:
                break
        at = next(i for i, each in enumerate(shown) if each is branch)
        named = min(named, room.right() + 1 - x - sum(width + GAP for width in wide if width))
        painter.setPen(colours.text)
        text = self.fontMetrics().elidedText(takes[at], Qt.TextElideMode.ElideRight, named)
        painter.drawText(QRect(x, room.top(), named, room.height()), LEFT, text)
        x += named + GAP
        painter.setPen(colours.secondary)
        painter.drawText(QRect(x, room.top(), wide[0], room.height()), RIGHT, columns[0][at])
        x += wide[0] + GAP * bool(wide[0])
        end = room.right() + 1
        for column, width, ink in ((columns[2], wide[2], colours.validation), (columns[1], wide[1], colours.text)):
            painter.setPen(ink)
            end -= width
            painter.drawText(QRect(end, room.top(), width, room.height()), RIGHT, column[at])
            end -= GAP * bool(width)
        bar = QRect(x, room.center().y() - BAR // 2, end - x, BAR)
        if bar.width() < BAR:
            return
        painter.fillRect(bar, colours.grid)
        share = 0.0
        for part, colour in branch.parts:
            first, last = round(share * bar.width()), round((share + part) * bar.width())
            painter.fillRect(QRect(bar.left() + first, bar.top(), last - first, BAR), colour)
            share += part

    def _mark(self, painter: QPainter, branch: Branch, room: QRect) -> int:
        if branch.tone is None:
            return 0
        number, high = str(self.branches.index(branch) + 1), room.height() - 2
        box = QRect(room.left(), room.top() + 1, max(high, self.fontMetrics().horizontalAdvance(number) + 6), high)
        painter.fillRect(box, branch.tone)
        painter.setPen(theme.ink(branch.tone))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, number)
        return box.width() + GAP


def branch_of(candidate: engine.Candidate, b: int, kinds: Kinds, tree: engine.Tree, focus: int) -> Branch:
    """One branch of a candidate in words; `kinds`: see `engine.splits.branch_words`."""
    split = candidate.split
    assert split is not None
    train, n = np.asarray(candidate.train[b]), len(tree.classes)
    held_out = np.asarray(candidate.validation[b]) if len(candidate.validation) > b else np.zeros(0)
    # The class whose share is shown: the one in focus of two, otherwise the most frequent one.
    label = focus if n <= 2 else int(train.argmax())
    figure, name = _figure(train, tree, label), tree.classes[label] if n and train.sum() > 0 else ""

    def says(most: int) -> str:
        """Of two classes it is always the same one: behind the figure; of more the name comes first."""
        if not name:
            return figure
        return f"{short(name, most)} {figure}" if n > 2 else words.rated(figure, short(name, most))

    known = held_out.size and (held_out.sum() if n else held_out[0]) > 0
    text = engine.splits.branch_words(split, b, kinds)
    kind = kinds if isinstance(kinds, str) else kinds.get(split.column, "number")
    between = split.kind == "threshold" and 0 < b < len(split.thresholds)
    upper = tr("to {value}", value=value_words(split.thresholds[b], kind)) if between else text
    unseen = tr("valid {figure}", figure=_figure(held_out, tree, label)) if known else ""
    colours, total = theme.current(), float(train.sum())
    order = [1 - focus, focus] if n == 2 else range(n)  # the focus class on the right, as on the canvas
    parts = tuple((float(train[k]) / total, colours.class_colour(k, n, focus)) for k in order) if total > 0 else ()
    if not n:  # the branch's share of the rows
        parts = ((candidate.rows[b] / max(sum(candidate.rows), 1), colours.ribbon),)
    return Branch(
        text, upper, words.count(candidate.rows[b]), figure, says(9 if n > 2 else 12), says(LONGEST), unseen, parts,
        branch_tone(b, split.n_branches) if split.kind == "groups" else None,
    )  # fmt: skip


def _figure(stats: NDArray[np.float64], tree: engine.Tree, label: int) -> str:
    total = float(stats.sum() if tree.classes else stats[0])
    if not total > 0:
        return tr("no rows")
    return words.percent(float(stats[label]) / total) if tree.classes else words.value(tree.origin + stats[1] / total)
