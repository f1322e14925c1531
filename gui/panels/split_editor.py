"""The split editor: one plot with the rows of the node, the gain of every cut, and the cut that is chosen."""

from __future__ import annotations

import math
from html import escape

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

import engine
from gui import theme, words
from gui.document import Document
from gui.panels import plotting
from gui.panels.candidate_model import split_words
from gui.panels.split_plot import SplitPlot, bar_colour
from gui.ranking import has_curve

NAMED_CLASSES = 6  # more classes than these share the words "… and n more" in the legend
MOST_BRANCHES = 8  # whose rows are counted below the plot


class SplitEditor(QWidget):
    """Draws the split that the selected node has, or the candidate that the document looks at for a leaf: its
    histogram or levels, its gain curve, its cut."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("split_editor")
        self._document = document
        self._drawn: tuple[object, ...] = ()  # all that the picture was made from
        self._build()
        for changed in (
            document.tableChanged, document.treeChanged, document.selectionChanged, document.focusChanged,
            document.candidateChanged, document.curveChanged, theme.watcher().changed,
        ):  # fmt: skip
            changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.title = _line("split_editor_title")
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.legend = _line("split_editor_legend", Qt.TextFormat.RichText)
        self.readout = _line("split_editor_readout")
        self.plot = SplitPlot()
        self.plot.hovered.connect(self._on_hovered)
        self.empty = QLabel(objectName="split_editor_empty", wordWrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        page = QWidget()
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(4)
        inner.addWidget(self.title)
        inner.addWidget(self.legend)
        inner.addWidget(self.plot, 1)
        inner.addWidget(self.readout)
        self.pages = QStackedWidget()
        self.pages.addWidget(page)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.pages)

    def _refresh(self) -> None:
        """Draws the curve, or says in words why there is none."""
        document = self._document
        curve, candidate = document.curve, document.candidate
        reason = why_empty(document)
        drawn = self._drawn
        self._drawn = (reason, curve, candidate, document.focus_class, theme.current(), *_about(document.tree))
        if len(drawn) == len(self._drawn) and all(map(_same, drawn, self._drawn)):
            return  # several signals tell of the same edit, and drawing takes some milliseconds
        self.empty.setText(reason)
        self.pages.setCurrentIndex(1 if reason else 0)
        self.plot.wipe()
        if reason or curve is None or candidate is None:
            return
        self.title.setText(title(candidate, curve.kind))
        self.legend.setText(legend(curve, document.tree, document.focus_class, candidate.split))
        draw = self.plot.draw_levels if curve.levels else self.plot.draw_values
        draw(curve, candidate.split, document.tree, document.focus_class)
        self.readout.setText(self._summary(candidate))

    def _summary(self, candidate: engine.Candidate) -> str:
        """What stands below the plot while nothing is hovered: the rows of each branch."""
        if candidate.split is None:
            return candidate.reason
        rows = " | ".join(words.count(n) for n in candidate.rows[:MOST_BRANCHES])
        text = f"Training rows per branch: {rows}" + (" | …" if len(candidate.rows) > MOST_BRANCHES else "")
        if candidate.missing:
            by = "surrogates, else " if candidate.split.surrogates else ""
            text += f" · {words.count(candidate.missing)} missing → {by}branch {candidate.split.missing + 1}"
        if self.plot.bars is not None and self.plot.bars.omitted:
            text += f" · levels without rows are not drawn: {words.count(self.plot.bars.omitted)}"
        return text

    def _on_hovered(self, x: float) -> None:
        """Reads off what is below the mouse."""
        curve, candidate = self._document.curve, self._document.candidate
        if self.plot.bars is None or curve is None or candidate is None:
            return
        if math.isnan(x):
            self.readout.setText(self._summary(candidate))
        else:
            self.readout.setText(self._level_words(x) if curve.levels else cut_words(curve, x))

    def _level_words(self, x: float) -> str:
        bars, tree, focus = self.plot.bars, self._document.tree, self._document.focus_class
        i = round(x)
        if not 0 <= i < len(bars.labels):
            return ""
        text = f"{bars.labels[i]}: {words.count(float(bars.totals[i]))} training rows"
        if tree.classes and bars.totals[i] > 0:
            share = float(bars.heights[i, focus]) / float(bars.totals[i])
            text += f", {words.percent(share)} {tree.classes[focus]}"
        elif len(bars.means):
            text += f", mean {words.value(float(bars.means[i]))}"
        return text + (f" · branch {bars.branches[i] + 1}" if bars.branches[i] >= 0 else "")


def _about(tree: engine.Tree | None) -> tuple[object, ...]:
    """What the picture tells of a tree; edits do not change it."""
    return (tree.task, tree.target, tree.classes, tree.origin) if tree is not None else ()


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str | int | float | tuple) and one == other)


def why_empty(document: Document) -> str:
    """Why there is no plot, and what to do; empty when there is one."""
    if document.table is None or document.tree is None:
        return "Open a table: the split that you look at will be drawn here."
    if document.curve_error:
        return document.curve_error
    made = document.tree.split_at(document.tree.position(document.selected))
    if made is not None and (document.candidate is None or document.candidate.split != made):
        return f"Drawing “{made.column}”…"  # what the document looks at belongs to the tree before
    if document.candidate is None:
        return "Choose a candidate above: its rows and its gains will be drawn here."
    if not has_curve(document.candidate.split):
        return conditions(document.candidate, document.table)
    if document.curve is None:
        return f"Drawing “{document.candidate.column}”…"
    return ""


def conditions(candidate: engine.Candidate, table: engine.Table) -> str:
    """A split by several columns, which no one axis can show, in words."""
    kinds = {column.name: column.kind for column in table.columns}
    words_of = engine.splits.full_words(candidate.split, 0, kinds)
    rows = " | ".join(words.count(n) for n in candidate.rows)
    return (
        f"{words_of[:1].upper()}{words_of[1:]}\n\n{gains(candidate)}\nTraining rows per branch: {rows}\n\n"
        "This split was found by climbing; it cannot be changed here."
    )


def gains(candidate: engine.Candidate) -> str:
    """ "gain 0.2931 · two levels 0.4 · validation 0.2754"."""
    parts = [f"gain {words.gain(candidate.gain)}"]
    if math.isfinite(candidate.ahead):
        parts.append(f"two levels {words.gain(candidate.ahead)}")
    if math.isfinite(candidate.validation_gain):
        parts.append(f"validation {words.gain(candidate.validation_gain)}")
    return " · ".join(parts)


def legend(curve: engine.Curve, tree: engine.Tree, focus: int, split: engine.Split | None = None) -> str:
    """Which colour is which, and which line, as rich text; the line is of cuts in two, whatever the split is."""
    several = split is not None and len(split.thresholds) > 1
    colours = theme.current()
    keys = [_key("■", bar_colour(tree, k, focus), name) for k, name in enumerate(tree.classes[:NAMED_CLASSES])]
    if len(tree.classes) > NAMED_CLASSES:
        keys.append(f"… and {len(tree.classes) - NAMED_CLASSES} more")
    if tree.task == "number":
        keys.append(_key("■", colours.ribbon, "rows"))
        keys.append(_key("●", colours.positive, f"mean of {tree.target}, own scale"))
    if len(curve.cuts):
        keys.append(_key("━", colours.text, "gain of one cut in two" if several else "gain"))
        if np.isfinite(curve.validation_gains).any():
            keys.append(_key("─", colours.validation, "validation gain"))
    return "&nbsp;&nbsp; ".join(keys)


def title(candidate: engine.Candidate, kind: str) -> str:
    """The split and its gains in words: "bill length ≤ 42.3 · gain 0.2931 · validation 0.2754"."""
    if candidate.split is None:
        return f"{candidate.column} · {candidate.reason}"
    condition = split_words(candidate.split, kind, most=3)
    if candidate.split.kind != "m_of_n":
        condition = f"{plotting.short(candidate.column, 40)} {condition}"
    return f"{condition} · {gains(candidate)}"


def cut_words(curve: engine.Curve, x: float) -> str:
    """The cut nearest to `x` and what it gains."""
    cuts = curve.cuts
    if not len(cuts):
        return "No cut separates the rows."
    right = min(int(np.searchsorted(cuts, x)), len(cuts) - 1)
    i = right - 1 if right > 0 and x - cuts[right - 1] <= cuts[right] - x else right
    cut = engine.splits.branch_words(engine.Split("", "threshold", (float(cuts[i]),)), 0, curve.kind)
    text = f"{curve.column} {cut}: gain {words.gain(float(curve.gains[i]))}"
    if math.isfinite(curve.validation_gains[i]):
        text += f", validation {words.gain(float(curve.validation_gains[i]))}"
    return text


def _key(mark: str, colour: QColor, text: str) -> str:
    return f'<span style="color:{colour.name()}">{mark}</span> {escape(text)}'


def _line(name: str, form: Qt.TextFormat = Qt.TextFormat.PlainText) -> QLabel:
    label = QLabel(objectName=name, wordWrap=True)
    label.setTextFormat(form)
    return label
