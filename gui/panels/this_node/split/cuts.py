"""Editing a split by cuts: the lines on the plot and the controls below it, each move a new draft."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QSignalBlocker

import engine
from engine.runtime.sentences import tr
from engine.table.words import value_words
from gui.panels.this_node.split.controls import CutControls
from gui.panels.this_node.split.draft import CutDraft
from gui.panels.this_node.split.kind import SplitKind
from gui.panels.this_node.split.plot import SplitPlot
from gui.panels.this_node.split.plot_input import CutInput
from gui.panels.this_node.split.ruler import MIDPOINT, SNAPS, Ruler
from gui.panels.this_node.words import split_words
from gui.widgets.scales import Scale, can_be_log
from gui.wording import words


class CutsKind(SplitKind[CutDraft]):
    """Splits of numbers and dates."""

    controls: CutControls

    def __init__(self, plot: SplitPlot) -> None:
        super().__init__(plot)
        self.input = CutInput(plot)
        self.controls = CutControls()
        self.field = self.controls.cuts
        self._snap = MIDPOINT  # chosen last, for every column
        self._log: set[str] = set()  # columns whose axis is logarithmic
        source, controls = self.input, self.controls
        source.moved.connect(lambda place, x, grain: self._take(lambda draft: draft.move_cut(place, x, grain)))
        source.nudged.connect(
            lambda place, by, far: self._take(lambda draft: draft.nudge_cut(place, by, self._grain(place), far))
        )
        source.added.connect(lambda x, grain: self._take(lambda draft: draft.add_cut(x, grain)))
        source.removed.connect(lambda place: self._take(lambda draft: draft.remove_cut(place)))
        source.chosen.connect(self._show_cuts)
        plot.focused.connect(self._show_cuts)
        plot.zoomed.connect(self._on_zoomed)
        controls.cuts.typed.connect(self._on_typed)
        controls.cuts.textEdited.connect(lambda _: self.refused.emit(""))
        controls.snap.chosen.connect(self._on_snap)
        controls.missing.chosen.connect(lambda branch: self._take(lambda draft: draft.set_missing(branch)))
        controls.log.toggled.connect(self._on_log)
        controls.all.clicked.connect(plot.see_all)
        controls.levels.clicked.connect(lambda: self.read_as.emit("nominal"))

    def begin(self, found: engine.Candidate, curve: engine.Curve | None, by_class: bool) -> CutDraft | None:
        self._let_go()
        if found.split is None or curve is None:
            return None
        self.input.held = 0
        return CutDraft(found, curve, found.split, Ruler(curve, by_class), self._snap)

    def draw(self, draft: CutDraft, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        same = self._draft is not None and self._draft.curve is draft.curve
        seen = self.plot.seen if same else None
        self._draft, self._tree, self._focus, self._editable = draft, tree, focus, editable
        possible = self._can_be_log(draft)
        scale = Scale(possible and draft.curve.column in self._log)
        self.controls.log.setVisible(possible)
        with QSignalBlocker(self.controls.log):
            self.controls.log.setChecked(scale.log)
        self.plot.input = self.input if editable else None
        self.plot.draw_values(draft.curve, draft.split, tree, focus, scale, seen)
        self._on_zoomed()
        self.show_draft(draft)

    def show_draft(self, draft: CutDraft) -> None:
        assert self._draft is not None
        far = self.plot.scale.log and not self._can_be_log(draft)  # a typed cut that a logarithm does not have
        outside = any(not self.plot.covers(cut) for cut in draft.cuts)
        self._draft = draft
        if far or outside:
            self.plot.wipe()
            self.draw(draft, self._tree, self._focus, editable=self._editable)
            return
        self.input.begin(len(draft.cuts))
        self.controls.show_draft(draft)
        self._show_cuts()

    def show_swept(self, found: engine.Candidate | None) -> None:
        self._show_cuts(found.split.thresholds if found is not None and found.split is not None else None)

    def at(self, x: float) -> str:
        return cut_words(self._draft.curve, x) if self._draft is not None else ""

    def title(self, draft: CutDraft) -> str:
        if not draft.cuts:
            return split_words(draft.split, draft.curve.kind_in_words)
        values = [value_words(cut, draft.curve.kind_in_words) for cut in draft.cuts]
        return f"≤ {values[0]}" if len(values) == 1 else tr("at {cuts}", cuts=", ".join(values))

    def remark(self, draft: CutDraft) -> str:
        if draft.weighed is None:
            return tr("With absolute error, the gain of several cuts is computed from the rows.")
        empty = draft.empty_branches
        if draft.split.has_missing_branch and empty == (draft.split.missing,):
            return tr("No training row here lacks the value: that branch is empty.")
        if empty:
            named = [engine.splits.branch_words(draft.split, b, draft.curve.kind_in_words) for b in empty[:3]]
            listed = tr(" or ").join(named) + " …" * (len(empty) > 3)
            return tr("No training row is {branches}.", branches=listed)
        return super().remark(draft)

    def leave(self) -> None:
        self._let_go()
        self._draft = None

    def _let_go(self) -> None:
        """What hangs on the mouse, and what is typed and does not hold yet, was meant for the split before."""
        self.input.let_go()
        self.controls.cuts.discard()

    def _grain(self, place: int) -> float:
        return self.plot.grain(self._draft.cuts[place]) if self._draft is not None and self._draft.cuts else 1.0

    def _on_typed(self, text: str) -> None:
        try:
            self._take(lambda draft: draft.type_cuts(text))
        except engine.InputError as error:
            self.refused.emit(str(error))
        else:
            self.refused.emit("")
            if self._draft is not None:
                self.controls.cuts.setModified(False)
                self.controls.cuts.discard()  # as it is written here: in order, each cut once

    def _on_snap(self, place: int) -> None:
        self._snap = SNAPS[place]
        self._take(lambda draft: draft.set_snap(SNAPS[place], self._grain(0)))

    def _on_log(self, log: bool) -> None:
        if self._draft is None:
            return
        (self._log.add if log else self._log.discard)(self._draft.curve.column)
        self.plot.wipe()
        self.draw(self._draft, self._tree, self._focus, editable=self._editable)

    def _on_zoomed(self) -> None:
        self.controls.all.setEnabled(self.plot.seen is not None)

    def _show_cuts(self, swept: tuple[float, ...] | None = None) -> None:
        """The cuts of the draft, or those of a sweep, which nobody has hold of."""
        draft = self._draft
        if draft is None or not self.plot.scene() or self.plot.bars is None or self.plot.bars.labels:
            return  # what others edit stands on the plot
        held = self.input.held if self._editable and swept is None else None
        self.plot.cuts.show(
            draft.cuts if swept is None else swept, draft.curve.kind_in_words, self.plot.scale,
            held=held, focused=self.plot.hasFocus(), leaving=self.input.leaving,
        )  # fmt: skip

    def _can_be_log(self, draft: CutDraft) -> bool:
        values = np.asarray(draft.curve.values)
        return draft.curve.kind != "date" and can_be_log(values) and all(cut > 0 for cut in draft.cuts)


def cut_words(curve: engine.Curve, x: float) -> str:
    """The cut nearest to `x` and what it gains."""
    cuts = curve.cuts
    if not len(cuts):
        return tr("No cut separates the rows.")
    right = min(int(np.searchsorted(cuts, x)), len(cuts) - 1)
    i = right - 1 if right > 0 and x - cuts[right - 1] <= cuts[right] - x else right
    cut = engine.splits.branch_words(engine.Split("", "threshold", (float(cuts[i]),)), 0, curve.kind_in_words)
    gain, held_out = words.gain(float(curve.gains[i])), float(curve.validation_gains[i])
    if math.isfinite(held_out):
        unseen = words.gain(held_out)
        return tr(
            "{cut}: gain {gain}, validation {validation}", cut=f"{curve.column} {cut}", gain=gain, validation=unseen
        )
    return tr("{cut}: gain {gain}", cut=f"{curve.column} {cut}", gain=gain)
