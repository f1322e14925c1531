"""What the split editor asks of the one who edits a kind of split; and those kinds that are only looked at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

import engine
from gui import words
from gui.panels.candidate_words import split_words
from gui.panels.split_draft import Draft

if TYPE_CHECKING:
    from gui.panels.split_plot import SplitPlot


class SplitKind(QObject):
    """Edits splits of one kind on the plot of the editor. A new kind is a subclass, which `SplitEditor` chooses.

    Attributes:
        controls: what stands below the plot; None for nothing.
        best: what the button says that brings the optimum back.

    Signals:
        drafted: A person changed the split. arg: the new draft
        refused: What a person did cannot be done. arg: why, in a sentence; empty when that is settled
    """

    drafted = Signal(object)
    refused = Signal(str)
    controls: QWidget | None = None
    best = "Best cut"

    def __init__(self, plot: SplitPlot) -> None:
        super().__init__(plot)
        self.plot = plot

    def begin(self, found: engine.Candidate, curve: engine.Curve, by_class: bool) -> Draft | None:
        """The draft of what was found; None if there is no split to begin with."""
        raise NotImplementedError

    def draw(self, draft: Draft, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        """Draws everything anew onto the wiped plot."""
        raise NotImplementedError

    def show_draft(self, draft: Draft) -> None:
        """Shows another split of the same curve; called at every move of the mouse."""
        raise NotImplementedError

    def title(self, draft: Draft) -> str:
        """The condition beside the column's name: "≤ 42.5"."""
        return split_words(draft.split, draft.curve.kind, most=3)

    def at(self, x: float) -> str:
        """What stands at a place of the horizontal axis, in words."""
        return ""

    def remark(self, draft: Draft) -> str:
        """What has to be said of a split, beside its figures; empty for nothing."""
        return ""

    def note(self) -> str:
        """What has to be said of the picture, beside the colours; empty for nothing."""
        return ""

    def settle(self) -> bool:
        """Takes what is still being typed; whether that could be read."""
        return True

    def withdraw(self) -> bool:
        """Puts away what is being typed; whether there was anything."""
        return False


class LevelsKind(SplitKind):
    """A split by levels, which is drawn and not yet changed."""

    best = "Best groups"

    def begin(self, found: engine.Candidate, curve: engine.Curve, by_class: bool) -> Draft | None:
        return Draft(found, curve, found.split) if found.split is not None else None

    def draw(self, draft: Draft, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        self._tree, self._focus, self._curve = tree, focus, draft.curve
        self.plot.hand = None
        self.plot.draw_levels(draft.curve, draft.split, tree, focus)

    def show_draft(self, draft: Draft) -> None:
        self.plot.wipe()
        self.plot.draw_levels(draft.curve, draft.split, self._tree, self._focus)

    def at(self, x: float) -> str:
        bars, tree, focus, i = self.plot.bars, self._tree, self._focus, round(x)
        if bars is None or not 0 <= i < len(bars.labels):
            return ""
        text = f"{bars.labels[i]}: {words.count(float(bars.totals[i]))} training rows"
        if tree.classes and bars.totals[i] > 0:
            share = float(bars.heights[i, focus]) / float(bars.totals[i])
            text += f", {words.percent(share)} {tree.classes[focus]}"
        elif len(bars.means) and math.isfinite(bars.means[i]):
            text += f", mean {words.value(float(bars.means[i]))}"
        return text + (f" · branch {bars.branches[i] + 1}" if bars.branches[i] >= 0 else "")

    def note(self) -> str:
        omitted = self.plot.bars.omitted if self.plot.bars is not None else 0
        return f"levels without rows are not drawn: {words.count(omitted)}" if omitted else ""
