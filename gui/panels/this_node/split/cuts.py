"""Editing a split by cuts: the lines on the plot, which mouse and keys move, and the controls below it."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

import engine
from engine.runtime.sentences import tr
from engine.table.words import value_words
from gui.panels.this_node.split.controls import CutControls
from gui.panels.this_node.split.draft import CutDraft
from gui.panels.this_node.split.kind import SplitKind
from gui.panels.this_node.split.plot import ARROWS, SHIFT, SplitPlot
from gui.panels.this_node.split.ruler import MIDPOINT, SNAPS, Ruler
from gui.panels.this_node.words import split_words
from gui.widgets.scales import Scale, can_be_log
from gui.wording import words

OUTSIDE = 28  # pixels beyond the axes, from which on a cut is taken out of the plot
CHOOSING = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
REMOVING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class CutsKind(SplitKind[CutDraft]):
    """Splits of numbers and dates, on the plot (see `PlotInput`) and below it."""

    KEYS = (*ARROWS, *CHOOSING, *REMOVING)
    controls: CutControls

    def __init__(self, plot: SplitPlot) -> None:
        super().__init__(plot)
        controls = self.controls = CutControls()
        self.field = controls.cuts
        self._snap = MIDPOINT  # chosen last, for every column
        self._log: set[str] = set()  # columns whose axis is logarithmic
        self._held = 0  # the cut that the keys move
        self._dragged: int | None = None
        self._leaving: int | None = None  # the cut that was dragged out of the plot, until the mouse lets it go
        plot.focused.connect(self._show_cuts)
        plot.zoomed.connect(self._on_zoomed)
        controls.cuts.typed.connect(self._on_typed)
        controls.cuts.textEdited.connect(lambda _: self.refused.emit(""))
        controls.snap.chosen.connect(self._on_snap)
        controls.missing.chosen.connect(lambda branch: self._take(lambda draft: draft.set_missing(branch)))
        controls.log.clicked.connect(self._on_log)
        controls.all.clicked.connect(plot.see_all)
        controls.levels.clicked.connect(lambda: self.read_as.emit("nominal"))

    def begin(self, found: engine.Candidate, curve: engine.Curve | None, by_class: bool) -> CutDraft | None:
        self._let_go()
        if found.split is None or curve is None:
            return None
        self._held = 0
        return CutDraft(found, curve, found.split, Ruler(curve, by_class), self._snap)

    def draw(self, draft: CutDraft, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        seen = self.plot.seen if self._draft is not None and self._draft.curve is draft.curve else None
        self._draft, self._tree, self._focus, self._editable = draft, tree, focus, editable
        possible = self._can_be_log(draft)
        scale = Scale(possible and draft.curve.column in self._log)
        self.controls.log.setVisible(possible)
        self.controls.log.setChecked(scale.log)
        self.plot.input = self if editable else None
        self.plot.draw_values(draft.curve, draft.split, tree, focus, scale, seen)
        self._on_zoomed()
        self.show_draft(draft)

    def show_draft(self, draft: CutDraft) -> None:
        assert self._draft is not None
        self._draft = draft
        far = self.plot.scale.log and not self._can_be_log(draft)  # a typed cut that a logarithm does not have
        if far or not all(map(self.plot.covers, draft.cuts)):
            self.plot.wipe()
            self.draw(draft, self._tree, self._focus, editable=self._editable)
            return
        self._held = max(0, min(self._held, len(draft.cuts) - 1))
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

    def _let_go(self) -> None:
        self._dragged = self._leaving = None
        self.controls.cuts.discard()

    @property
    def _cuts(self) -> tuple[float, ...]:
        return self._draft.cuts if self._draft is not None else ()

    def _grain(self, place: int) -> float:
        return self.plot.grain(self._cuts[place]) if self._cuts else 1.0

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
        held = self._held if self._editable and swept is None else None
        self.plot.cuts.show(
            draft.cuts if swept is None else swept, draft.curve.kind_in_words, self.plot.scale,
            held=held, focused=self.plot.hasFocus(), leaving=self._leaving,
        )  # fmt: skip

    def _cut_at(self, where: QPointF) -> int | None:
        return self.plot.cuts.at(where) if self.plot.inside(where) else None

    def press(self, event: QMouseEvent) -> bool:
        place = self._cut_at(self.plot.mapToScene(event.position().toPoint()))
        if place is None:
            return False
        if event.button() == Qt.MouseButton.RightButton:
            self._take(lambda draft: draft.remove_cut(place))
        elif event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self._held = place
            self._show_cuts()
        return True

    def move(self, event: QMouseEvent) -> bool:
        where, place = self.plot.mapToScene(event.position().toPoint()), self._dragged
        if place is None:
            over = self._cut_at(where) is not None
            self.plot.viewport().setCursor(Qt.CursorShape.SplitHCursor if over else Qt.CursorShape.ArrowCursor)
            return False
        frame = self.plot.getViewBox().sceneBoundingRect()
        near = frame.adjusted(-OUTSIDE, -OUTSIDE, OUTSIDE, OUTSIDE).contains(where)
        leaving = place if len(self._cuts) > 1 and not near else None
        if leaving != self._leaving:
            self._leaving = leaving
            self._show_cuts()
        if leaving is None:
            x, grain = self.plot.read(QPointF(min(max(where.x(), frame.left()), frame.right()), where.y()))
            self._take(lambda draft: draft.move_cut(place, x, grain))
        return True

    def release(self, event: QMouseEvent) -> bool:
        if self._dragged is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        leaving, self._dragged, self._leaving = self._leaving, None, None
        if leaving is not None:
            self._take(lambda draft: draft.remove_cut(leaving))
        self._show_cuts()
        return True

    def double(self, event: QMouseEvent) -> bool:
        where = self.plot.mapToScene(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not self.plot.inside(where):
            return False
        if self._cut_at(where) is None:
            self._take(lambda draft: draft.add_cut(*self.plot.read(where)))
        return True

    def key(self, event: QKeyEvent) -> bool:
        key, far = Qt.Key(event.key()), bool(event.modifiers() & SHIFT)
        if key not in self.KEYS or not self._cuts:
            return False
        held = self._held
        if key in ARROWS:
            self._take(lambda draft: draft.nudge_cut(held, ARROWS[key], self._grain(held), far))
        elif key in CHOOSING:
            self._held = min(max(held + CHOOSING[key], 0), len(self._cuts) - 1)
            self._show_cuts()
        else:
            self._take(lambda draft: draft.remove_cut(held))
        return True

    def _can_be_log(self, draft: CutDraft) -> bool:
        values = np.asarray(draft.curve.values)
        return draft.curve.kind != "date" and can_be_log(values) and all(cut > 0 for cut in draft.cuts)


def cut_words(curve: engine.Curve, x: float) -> str:
    cuts = curve.cuts
    if not len(cuts):
        return tr("No cut separates the rows.")
    right = min(int(np.searchsorted(cuts, x)), len(cuts) - 1)
    i = right - 1 if right > 0 and x - cuts[right - 1] <= cuts[right] - x else right
    cut = engine.splits.branch_words(engine.Split("", "threshold", (float(cuts[i]),)), 0, curve.kind_in_words)
    said = {"cut": f"{curve.column} {cut}", "gain": words.gain(float(curve.gains[i]))}
    if math.isfinite(curve.validation_gains[i]):
        unseen = words.gain(float(curve.validation_gains[i]))
        return tr("{cut}: gain {gain}, validation {validation}", **said, validation=unseen)
    return tr("{cut}: gain {gain}", **said)
