"""What is said around the plot of the split editor: title, figures, colours, branches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

import engine
from engine.table.words import value_words
from gui import theme
from gui.panels.this_node.split.bars import bar_colour, branch_tone
from gui.panels.this_node.split.draft import Draft
from gui.picture.legend import naming_order
from gui.widgets import verbatim
from gui.widgets.building import fill, named, tool_button
from gui.widgets.plotting import short
from gui.widgets.tables import bold
from gui.wording import words

if TYPE_CHECKING:  # it loads pandas, and the window is there before
    from engine.splits import Kinds

GAIN, VALIDATION, LOGWORTH, P, BELOW_BEST = range(5)
NAMES = ("gain", "validation", "logworth", "p", "below_best")
CAPTIONS = ("gain", "validation", "LogWorth", "p", "below best")
BEYOND = "beyond best"  # instead of the last, where several cuts gain more than the best one
EXPLAINED = (
    "How much the impurity falls on the training rows, under the criterion in use: the thick curve",
    "The same on the validation rows, which did not choose the split: the thin curve",
    "−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01",
    "The p-value: the chance of such a gain if the column were unrelated to the target, adjusted for the search",
    "The share of the gain of the column's best split that this one does not have; or has beyond it, with more cuts",
)
ROOM_FOR_P = 340  # pixels, from which on the p-value stands beside its logarithm
KEY_GAP = "&nbsp;&nbsp; "
BETWEEN_KEYS = 16  # pixels from one key to the next, and of the mark before its words
LONGEST_NAME = 20  # letters of a name
LINE = 17  # pixels
FEWEST, MOST = 2, 8  # lines
BAR, GAP, MARK = 9, 8, 15  # pixels
NARROWEST = 24  # pixels of the words of a branch
ROOMY, LONGEST = 560, 32  # pixels from which on names of classes are written out; their most letters


class SplitTitle(QLabel):
    """Bold, one line; the tooltip has all of it when something is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_title")
        self.setFont(bold())
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._name = self._condition = ""

    def show_parts(self, name: str, condition: str) -> None:
        """For instance ("bill length", "≤ 42.3")."""
        self._name, self._condition = name, condition
        self.setText(f"{name} {condition}".strip())

    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(self.font()).height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics = QPainter(self), self.fontMetrics()
        text = self.shortened(metrics, self.width())
        self.setToolTip(verbatim.tip(self.text() if text != self.text() else ""))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self.palette().windowText().color())
        painter.drawText(QRect(0, 0, self.width(), self.height()), left, text)

    def shortened(self, metrics: QFontMetrics, room: int) -> str:
        """The text, shortened to `room` pixels."""
        if metrics.horizontalAdvance(self.text()) <= room:
            return self.text()
        if not self._name:
            return metrics.elidedText(self._condition, Qt.TextElideMode.ElideMiddle, room)
        beside = metrics.horizontalAdvance(f" {self._condition}")
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, max(room // 2, room - beside))
        return metrics.elidedText(f"{name} {self._condition}", Qt.TextElideMode.ElideRight, room)


class SplitHeading(QHBoxLayout):
    """The title, and the buttons beside it: why, back to the best split, and the one that splits."""

    def __init__(self) -> None:
        super().__init__()
        self.title = SplitTitle()
        why = "Why this split?"
        self.why = tool_button("split_editor_why", "?", why, f"{why} Its arithmetic, with its own counts (W)")
        self.best = named(QPushButton(flat=True), "split_editor_best", tip="Restores the best split of this column")
        self.split = named(QPushButton("Split"), "split_editor_split")
        fill(self, (self.title, 1), self.why, self.best, self.split)


class SplitFigures(QWidget):
    """Five captions with a figure below each. The figures stay in their places while a cut is dragged."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_figures")
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        self._beyond = False
        self._captions = [verbatim.label(CAPTIONS[i]) for i in range(len(NAMES))]
        self.labels = [verbatim.label(objectName=f"split_editor_{name}") for name in NAMES]
        for column, (caption, label) in enumerate(zip(self._captions, self.labels, strict=True)):
            for row, each in enumerate((caption, label)):
                each.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
                each.setToolTip(verbatim.tip(EXPLAINED[column]))
                grid.addWidget(each, row, column)
            grid.setColumnStretch(column, 1)
        for caption in self._captions:  # the program's own words, in two colours
            caption.setTextFormat(Qt.TextFormat.RichText)
        theme.watcher().changed.connect(self.recolour)
        self.recolour()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In little width LogWorth says it alone."""
        super().resizeEvent(event)
        roomy = self.width() >= ROOM_FOR_P
        for each in (self._captions[P], self.labels[P]):
            each.setVisible(roomy)
        self._grid.setColumnStretch(P, int(roomy))
        self._grid.setHorizontalSpacing(8 if roomy else 4)

    def recolour(self) -> None:
        """Captions in the quieter colour; those of the two curves with their lines."""
        colours = theme.current()
        marks = {GAIN: ("━", colours.text), VALIDATION: ("─", colours.validation)}
        for i, caption in enumerate(self._captions):
            mark, ink = marks.get(i, ("", colours.text))
            line = f'<span style="color:{ink.name()}">{mark}</span> ' if mark else ""
            said = BEYOND if i == BELOW_BEST and self._beyond else CAPTIONS[i]
            caption.setText(f'{line}<span style="color:{colours.secondary.name()}">{said}</span>')

    def show_draft(self, draft: Draft) -> None:
        """The figures of a split as it stands now."""
        weighed = draft.weighed
        if (draft.below_best < 0) != self._beyond:
            self._beyond = not self._beyond
            self.recolour()
        if weighed is None or weighed.split is None:
            texts = [words.NOTHING] * len(NAMES)
        else:
            texts = [
                words.gain(weighed.gain),
                words.gain(weighed.validation_gain),
                f"{weighed.logworth:,.2f}" if math.isfinite(weighed.logworth) else words.NOTHING,
                p_words(weighed.logworth),
                below_best_words(draft.below_best),
            ]
        if weighed is not None and len(weighed.scores) > 1:
            by = [f"{engine.CRITERIA[name].label} {words.gain(score)}" for name, score in weighed.scores.items()]
            self.labels[GAIN].setToolTip(verbatim.tip("\n".join([EXPLAINED[GAIN], *by])))
        for label, text in zip(self.labels, texts, strict=True):
            if label.text() != text:
                label.setText(text)


def p_words(logworth: float) -> str:
    """The p-value of a LogWorth: "0.01234", "5.012·10⁻¹³"."""
    return words.power_of_ten(-logworth) if math.isfinite(logworth) else words.NOTHING


def below_best_words(share: float) -> str:
    """ "nothing", "6.5 %"; of a negative share, what is gained beyond the best split: "3.2 %"."""
    if not math.isfinite(share):
        return words.NOTHING
    if share == 0:
        return "nothing"
    return words.percent(abs(share)) if abs(share) >= 0.0005 else "< 0.1 %"


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
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._classes: list[Key] = []
        self._others: list[Key] = []

    def show_keys(self, tree: engine.Tree, focus: int, *, several: bool = False, note: str = "") -> None:
        """The curves are named by the figures, unless they are of other splits.

        Args:
            several: the split has more than one cut, while the curve is of one.
            note: what else is to be said.
        """
        colours = theme.current()
        self._classes = [
            Key("■", bar_colour(tree, k, focus), short(tree.classes[k], LONGEST_NAME)) for k in naming_order(tree)
        ]
        self._others = []
        if tree.task == "number":
            self._others.append(Key("■", colours.ribbon, "rows"))
            self._others.append(
                Key("●", colours.positive, f"mean ± SD of {short(tree.target, LONGEST_NAME)}, own scale")
            )
        if several:
            self._others.append(Key("━", colours.text, "gain of a single cut"))
        if note:
            self._others.append(Key("", colours.text, note))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - sum(map(self._width, self._others))
        n, most = 0, len(self._classes)
        while n < most:
            left = most - n - 1
            more = self.fontMetrics().horizontalAdvance(f"… and {left} more") if left else 0
            room -= self._width(self._classes[n])
            if room < more and n:
                break
            n += 1
        keys = self._classes[:n]
        if n < most:
            keys = [*keys, Key("", theme.current().text, f"… and {most - n} more")]
        text = KEY_GAP.join(map(_html, [*keys, *self._others]))
        if text != self.text():
            self.setText(text)
        names = ", ".join(key.text for key in self._classes)
        self.setToolTip(verbatim.tip(names if n < most else ""))

    def _width(self, key: Key) -> int:
        return self.fontMetrics().horizontalAdvance(key.text) + (2 * BETWEEN_KEYS if key.mark else BETWEEN_KEYS)


def _html(key: Key) -> str:
    mark = f'<span style="color:{key.colour.name()}">{key.mark}</span> ' if key.mark else ""
    return mark + escape(key.text).replace(" ", "&nbsp;")


@dataclass(frozen=True, eq=False)
class Branch:
    """One branch in words.

    Attributes:
        words: what it takes: "≤ 42.5".
        upper: of an interval its upper end, "to 42.5": in little room the lower one is that of the line above.
        rows: training rows, "1,234".
        says: "72.1 % good", or the mean of a numeric target. in_full: the same with the whole name of the class.
        unseen: the same figure on validation rows; empty without any.
        parts: shares of the bar's width with their colours.
        tone: of the branch's mark; None without one.
    """

    words: str
    upper: str
    rows: str
    says: str
    in_full: str
    unseen: str
    parts: tuple[tuple[float, QColor], ...]
    tone: QColor | None = None


class SplitBranches(QWidget):
    """A line for each branch of a candidate: its words, its rows, a bar, what it says.

    Where there are more of them than lines, the last line tells how many more.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_branches")
        self.branches: list[Branch] = []
        self._room = MOST
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Branches of the split")

    def show_candidate(self, candidate: engine.Candidate | None, kinds: Kinds, tree: engine.Tree, focus: int) -> None:
        """Shows the branches of a split that was weighed; none without one."""
        n = candidate.split.n_branches if candidate is not None and candidate.split is not None else 0
        before = len(self.branches)
        self.branches = [branch_of(candidate, b, kinds, tree, focus) for b in range(n)]  # type: ignore[arg-type]
        if n != before:
            self.updateGeometry()
        texts = [" ".join((b.words, b.rows, b.says)) for b in self.branches]
        self.setAccessibleDescription("; ".join(texts))
        self.setToolTip(
            verbatim.tip(
                "Training rows of each branch and what they say"
                + (", then the same on validation rows" if any(branch.unseen for branch in self.branches) else "")
            )
        )
        self.update()

    def set_room(self, lines: int) -> None:
        lines = min(max(lines, FEWEST), MOST)
        if lines != self._room:
            self._room = lines
            self.updateGeometry()
            self.update()

    @property
    def shown(self) -> int:
        """How many branches have a line."""
        n = len(self.branches)
        return n if n <= self._room else self._room - 1

    def sizeHint(self) -> QSize:
        return QSize(200, LINE * min(len(self.branches), self._room))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.branches[: self.shown]
        for i, branch in enumerate(shown):
            self._line(painter, branch, shown, QRect(0, i * LINE, self.width(), LINE))
        if len(shown) < len(self.branches):
            place = QRect(0, len(shown) * LINE, self.width(), LINE)
            painter.setPen(theme.current().secondary)
            painter.drawText(
                place, Qt.AlignmentFlag.AlignVCenter, f"and {len(self.branches) - len(shown)} more branches"
            )

    def _line(self, painter: QPainter, branch: Branch, shown: list[Branch], room: QRect) -> None:
        colours, metrics = theme.current(), self.fontMetrics()
        advance = metrics.horizontalAdvance
        counted = max(advance(each.rows) for each in shown)
        said = {id(each): each.in_full if room.width() >= ROOMY else each.says for each in shown}
        says = max(map(advance, said.values()))
        unseen = max(advance(each.unseen) for each in shown)
        most = room.width() // 3
        full = max(advance(each.words) for each in shown) + 2
        short = max(advance(each.upper) for each in shown) + 2
        named, takes = (full, branch.words) if full <= most else (min(short, most), branch.upper)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        x = room.left() + self._mark(painter, branch, room)
        beside = x - room.left() + counted + says + (unseen + GAP if unseen else 0) + 2 * GAP
        named = min(named, max(room.width() - beside, NARROWEST))
        for text, width, side, ink in (
            (metrics.elidedText(takes, Qt.TextElideMode.ElideRight, named), named, left, colours.text),
            (branch.rows, counted, right, colours.secondary),
        ):
            painter.setPen(ink)
            painter.drawText(QRect(x, room.top(), width, LINE), side | Qt.AlignmentFlag.AlignVCenter, text)
            x += width + GAP
        end = room.right() + 1
        if unseen:
            painter.setPen(colours.validation)
            end -= unseen
            painter.drawText(QRect(end, room.top(), unseen, LINE), right | Qt.AlignmentFlag.AlignVCenter, branch.unseen)
            end -= GAP
        painter.setPen(colours.text)
        end -= says
        painter.drawText(QRect(end, room.top(), says, LINE), right | Qt.AlignmentFlag.AlignVCenter, said[id(branch)])
        end -= GAP
        self._bar(painter, branch, QRect(x, room.center().y() - BAR // 2, end - x, BAR))

    def _mark(self, painter: QPainter, branch: Branch, room: QRect) -> int:
        """The number of a branch on its tone; answers the room that it takes."""
        if branch.tone is None:
            return 0
        number = str(self.branches.index(branch) + 1)
        wide = max(MARK, self.fontMetrics().horizontalAdvance(number) + 6)
        box = QRect(room.left(), room.top() + (LINE - MARK) // 2, wide, MARK)
        painter.fillRect(box, branch.tone)
        painter.setPen(theme.ink(branch.tone))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, number)
        return wide + GAP

    def _bar(self, painter: QPainter, branch: Branch, bar: QRect) -> None:
        if bar.width() < BAR:
            return
        painter.fillRect(bar, theme.current().grid)
        x = 0.0
        for share, colour in branch.parts:
            width = share * bar.width()
            first, last = round(x), round(x + width)
            painter.fillRect(QRect(bar.left() + first, bar.top(), last - first, bar.height()), colour)
            x += width


def branch_of(candidate: engine.Candidate, b: int, kinds: Kinds, tree: engine.Tree, focus: int) -> Branch:
    """One branch of a candidate in words; `kinds`: see `engine.splits.branch_words`."""
    assert candidate.split is not None
    train = np.asarray(candidate.train[b])
    held_out = np.asarray(candidate.validation[b]) if len(candidate.validation) > b else np.zeros(0)
    label = _label(train, tree, focus)
    figure = _figure(train, tree, label)
    named = tree.classes[label] if tree.classes and train.sum() > 0 else ""
    known = held_out.size and (held_out.sum() if tree.classes else held_out[0]) > 0
    split = candidate.split
    text = engine.splits.branch_words(split, b, kinds)
    kind = kinds if isinstance(kinds, str) else kinds.get(split.column, "number")
    between = split.kind == "threshold" and 0 < b < len(split.thresholds)
    return Branch(
        text,
        f"to {value_words(split.thresholds[b], kind)}" if between else text,
        words.count(candidate.rows[b]),
        _says(figure, short(named, 9 if len(tree.classes) > 2 else 12), len(tree.classes)),
        _says(figure, short(named, LONGEST), len(tree.classes)),
        f"valid {_figure(held_out, tree, label)}" if known else "",
        _parts(candidate, b, train, tree, focus),
        branch_tone(b, split.n_branches) if split.kind == "groups" else None,
    )


def _says(figure: str, name: str, n_classes: int) -> str:
    """Of two classes it is always the same one: behind the figure; of more the name comes first."""
    return f"{name} {figure}".strip() if n_classes > 2 else f"{figure} {name}".strip()


def _label(train: NDArray[np.float64], tree: engine.Tree, focus: int) -> int:
    """The class whose share is shown: the one in focus of two, otherwise the most frequent one."""
    return focus if len(tree.classes) <= 2 else int(train.argmax())


def _figure(stats: NDArray[np.float64], tree: engine.Tree, label: int) -> str:
    if tree.classes:
        total = float(stats.sum())
        return words.percent(float(stats[label]) / total) if total > 0 else "no rows"
    return words.value(tree.origin + float(stats[1]) / float(stats[0])) if stats[0] > 0 else "no rows"


def _parts(
    candidate: engine.Candidate, b: int, train: NDArray[np.float64], tree: engine.Tree, focus: int
) -> tuple[tuple[float, QColor], ...]:
    """The bar: the shares of the classes, or for a numeric target the branch's share of the rows."""
    colours = theme.current()
    if not tree.classes:
        return ((candidate.rows[b] / max(sum(candidate.rows), 1), colours.ribbon),)
    total, n = float(train.sum()), len(tree.classes)
    order = [1 - focus, focus] if n == 2 else range(n)  # the focus class on the right, as on the canvas
    return tuple((float(train[k]) / total, colours.class_colour(k, n, focus)) for k in order) if total > 0 else ()
