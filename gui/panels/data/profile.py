"""The profile of a column: its histogram by class, its mean and quantiles, and how often it is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import tr
from engine.table.words import DAY, value_words
from gui import theme
from gui.model.document import Document
from gui.panels.data import column_facts
from gui.panels.data.column_facts import Profile
from gui.widgets import plotting, verbatim
from gui.widgets.building import below, fill, named, yielding
from gui.widgets.labels import folding_heading
from gui.wording import phrases, words

GAP = 1.0  # pixels between two bars
MARGIN = 6  # between a name, its bar and its figure
MOST_WRITTEN = 3  # classes whose counts stand beside a bar; those of more are in its tooltip
MOST_NAME = 0.4  # of the width


def class_inks(n_classes: int, focus: int) -> list[QColor]:
    current = theme.current()
    return [current.class_colour(k, n_classes, focus) for k in range(n_classes)] if n_classes > 1 else [current.ribbon]


def paint_bars(painter: QPainter, room: QRectF, bars: NDArray[np.float64], inks: list[QColor], widest: float) -> None:
    """Upright bars [bars, classes], each stacked by class; `widest` is in pixels."""
    tallest = bars.sum(axis=1).max(initial=0.0)
    width = min(room.width() / len(bars), widest)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for bar, counts in enumerate(bars if tallest > 0 else ()):
        left, bottom = room.left() + bar * width, room.bottom()
        for count, ink in zip(counts, inks, strict=True):
            if count > 0:
                height = max(count / tallest * room.height(), 1.0 if counts.sum() == count else 0.0)
                painter.fillRect(QRectF(left, bottom - height, max(width - GAP, 1.0), height), ink)
                bottom -= height


class ProfilePicture(QWidget):
    """A histogram between the least and the greatest number, or a line for each level with its rows by class."""

    def __init__(self) -> None:
        super().__init__()
        yielding(named(self, "profile_picture", tr("Rows by value")))
        self._shown: Profile | None = None
        self._classes: tuple[str, ...] = ()
        self._focus, self._ends = 1, ("", "")

    def show_profile(self, shown: Profile, classes: tuple[str, ...], focus: int, ends: tuple[str, str]) -> None:
        """Shows a profile; `classes` names those of its bars, `ends` are the least and the greatest number."""
        self._shown, self._classes, self._focus, self._ends = shown, classes, focus, ends
        lines = [] if shown.figures else [self.line_words(i) for i in range(len(shown.bars))]
        self.setAccessibleDescription("\n".join(lines))
        self.updateGeometry()
        self.update()

    def line_words(self, line: int) -> str:
        assert self._shown is not None
        counts = self._shown.bars[line]
        by_class = [f"{each}: {words.count(count)}" for each, count in zip(self._classes, counts, strict=False)]
        return "\n".join([f"{self._shown.names[line]}: {phrases.counted_rows(counts.sum())}", *by_class])

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height() + 4
        lines = 5 if self._shown is None or self._shown.figures else len(self._shown.names)
        return QSize(200, line * max(lines, 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self._shown
        if shown is not None and (shown.names or shown.figures):
            painter, inks = QPainter(self), class_inks(shown.bars.shape[1], self._focus)
            (self._paint_histogram if shown.figures else self._paint_levels)(painter, shown, inks)
            painter.end()

    def _paint_histogram(self, painter: QPainter, shown: Profile, inks: list[QColor]) -> None:
        height = self.fontMetrics().height()
        room = QRectF(self.rect()).adjusted(0, 2, 0, -height - 2)
        paint_bars(painter, room, shown.bars, inks, room.width())
        painter.setPen(theme.current().secondary)
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        below = self.rect().adjusted(0, self.height() - height, 0, 0)
        for name, side in zip(self._ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            text = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, self.width() // 2 - MARGIN)
            painter.drawText(below, side, text)

    def _paint_levels(self, painter: QPainter, shown: Profile, inks: list[QColor]) -> None:
        metrics, line = self.fontMetrics(), self.height() / len(shown.names)
        by_class = 1 < shown.bars.shape[1] <= MOST_WRITTEN
        written = shown.bars if by_class else shown.bars.sum(axis=1, keepdims=True)
        figures = [" · ".join(map(words.compact_count, counts)) for counts in written]
        name_width = min(max(map(metrics.horizontalAdvance, shown.names)) + 2, round(MOST_NAME * self.width()))
        left, right = name_width + MARGIN, self.width() - max(map(metrics.horizontalAdvance, figures)) - MARGIN
        times = max(right - left, 0) / max(shown.bars.sum(axis=1).max(), 1.0)
        for i, (name, counts, figure) in enumerate(zip(shown.names, shown.bars, figures, strict=True)):
            room, at = QRectF(0, i * line, self.width(), line), float(left)
            painter.setPen(self.palette().color(self.foregroundRole()))
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, name_width)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, figure)
            for count, ink in zip(counts, inks, strict=True):
                painter.fillRect(QRectF(at, room.top() + 4, count * times, line - 8), ink)
                at += count * times

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._shown is not None and (names := self._shown.names):
            line = min(event.pos().y() * len(names) // max(self.height(), 1), len(names) - 1)
            QToolTip.showText(event.globalPos(), verbatim.tip(self.line_words(line)), self)
            return True
        return bool(super().event(event))


class ColumnProfile(QWidget):
    """The profile of the column that was clicked, below a heading that folds it. It is hidden until there is one."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("column_profile")
        self._document = document
        self._key: tuple[object, ...] = ()  # what is shown, or will be
        self.heading = yielding(folding_heading("profile_heading"))
        self.classes = verbatim.label(objectName="profile_classes", wordWrap=True)
        self.classes.setTextFormat(Qt.TextFormat.RichText)
        self.picture = ProfilePicture()
        selectable = Qt.TextInteractionFlag.TextSelectableByMouse
        self.words = verbatim.label(objectName="profile_words", wordWrap=True, textInteractionFlags=selectable)
        self.body = below(self.classes, self.picture, self.words, margins=(4, 0, 4, 0))
        self.heading.clicked.connect(lambda: self._unfold(self.body.isHidden()))
        fill(QVBoxLayout(self), self.heading, self.body, spacing=2)
        self._unfold(True)
        self.hide()

    def _unfold(self, opened: bool) -> None:
        self.heading.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self.body.setVisible(opened)

    def show_column(self, place: int | None) -> None:
        """Counts a column of the document's table and shows it; None for no column."""
        table = self._document.table
        if table is None or place is None:
            self._key = ()
            self._document.jobs.drop("column-profile")
            self.hide()
            return
        column, target = table.columns[place], table.target and table.column(table.target)
        key = (column.mark, target.mark if target else "", self._document.focus_class, theme.current().name)
        if key == self._key:
            return
        self._key = key
        self._document.jobs.run(
            tr("Looking at the columns"), lambda progress: column_facts.profile(table, place),
            done=lambda found: self._show(table, column, found), key="column-profile", quiet=True,
        )  # fmt: skip

    def _show(self, table: engine.Table, column: engine.Column, found: Profile) -> None:
        self.heading.setText(verbatim.verb(tr("Profile of “{column}”", column=column.name)))
        self.heading.setToolTip(verbatim.tip(tr("Folds or unfolds the profile of “{column}”", column=column.name)))
        classes = table.classes if found.bars.shape[1] > 1 else ()
        focus = self._document.focus_class
        inks = zip(classes, class_inks(len(classes), focus), strict=False)
        keys = (plotting.key(ink.name(), name, "■", whole=True) for name, ink in inks)
        self.classes.setText("&nbsp;&nbsp; ".join(keys))  # which breaks between classes only
        self.classes.setVisible(bool(classes))
        _, low, *_, high = figure_words(found, column) or ("", "", "")
        self.picture.show_profile(found, classes, focus, (low, high))
        self.words.setText(profile_words(found, column))
        self.show()


def figure_words(found: Profile, column: engine.Column) -> list[str]:
    """Mean, minimum, lower quartile, median, upper quartile and maximum in words; none of levels."""
    kind, unit = column.kind_in_words, DAY if column.kind_in_words == "day" else 1.0
    dated = column.kind == "date"
    near = [round(n / unit) * unit if dated and not np.isnan(n) else float(f"{n:.6g}") for n in found.figures]
    return [words.NOTHING if np.isnan(n) else value_words(n, kind) for n in near]


def profile_words(found: Profile, column: engine.Column) -> str:
    lines = []
    if found.figures:
        mean, low, lower, median, upper, high = figure_words(found, column)
        lines.append(tr("Mean {mean}, median {median}", mean=mean, median=median))
        lines.append(tr("Quartiles {lower} and {upper}", lower=lower, upper=upper))
        lines.append(tr("Minimum {low}, maximum {high}", low=low, high=high))
    elif found.more:
        more = words.count(found.more)
        lines.append(tr("1 more level") if found.more == 1 else tr("{n} more levels", n=more))
    lines.append(missing_words(found.n_missing, found.n_rows))
    if found.drawn_from:
        lines.append(tr("Drawn from {n} rows: figures are estimates", n=words.count(found.drawn_from)))
    return words.unbroken("\n".join(lines))


def missing_words(n_missing: int, n_rows: int) -> str:
    missing, share = words.count(n_missing), words.percent(n_missing / n_rows if n_rows else 0.0)
    return tr("Missing in {missing} of {rows} rows ({share})", missing=missing, rows=words.count(n_rows), share=share)
