"""The branches of a split in the making: what each takes, how many rows, and the classes among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

import engine
from engine.table.words import value_words
from gui import theme
from gui.panels.this_node.split.tones import branch_tone
from gui.widgets import verbatim
from gui.widgets.plotting import short
from gui.wording import words

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate
    from engine.splits import Kinds

LINE = 17  # pixels
FEWEST, MOST = 2, 8  # lines
BAR, GAP, MARK = 9, 8, 15  # pixels
NARROWEST = 24  # pixels of the words of a branch
ROOMY, LONGEST = 560, 32  # from so many pixels on names of classes are written out, up to so many letters


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
        super().__init__(objectName="split_editor_branches")
        self.branches: list[Branch] = []
        self._room = MOST
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Branches of the split")

    def show_candidate(self, candidate: Candidate | None, kinds: Kinds, tree: engine.Tree, focus: int) -> None:
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
        """How many lines it may have."""
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


def branch_of(candidate: Candidate, b: int, kinds: Kinds, tree: engine.Tree, focus: int) -> Branch:
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
    between = split.kind == "threshold" and 0 < b < len(split.thresholds)
    return Branch(
        text,
        f"to {value_words(split.thresholds[b], kinds)}" if between else text,
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
    """The class whose share is told: the one in focus of two, otherwise the most frequent one."""
    return focus if len(tree.classes) <= 2 else int(train.argmax())


def _figure(stats: NDArray[np.float64], tree: engine.Tree, label: int) -> str:
    if tree.classes:
        total = float(stats.sum())
        return words.percent(float(stats[label]) / total) if total > 0 else "no rows"
    return words.value(tree.origin + float(stats[1]) / float(stats[0])) if stats[0] > 0 else "no rows"


def _parts(
    candidate: Candidate, b: int, train: NDArray[np.float64], tree: engine.Tree, focus: int
) -> tuple[tuple[float, QColor], ...]:
    """The bar: the shares of the classes, or for a numeric target the branch's share of the rows."""
    colours = theme.current()
    if not tree.classes:
        return ((candidate.rows[b] / max(sum(candidate.rows), 1), colours.ribbon),)
    total, n = float(train.sum()), len(tree.classes)
    order = [1 - focus, focus] if n == 2 else range(n)  # the focus class on the right, as on the canvas
    return tuple((float(train[k]) / total, colours.class_colour(k, n, focus)) for k in order) if total > 0 else ()
