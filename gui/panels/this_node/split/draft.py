"""A split while a person makes it: an unchangeable object; each verb answers another one. No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import engine
from gui.panels.this_node.split.ruler import FREE, MIDPOINT, Ruler
from gui.panels.this_node.split.typed import read_cuts

SAME = 1e-9  # the share of a gain below which two gains differ by rounding: another cut that divides the rows alike

MOST_CUTS = 40
LARGE_STEPS, LARGE_PIXELS = 10, 20  # how far a cut goes with Shift: so many places, and so many pixels at least


@dataclass(frozen=True, eq=False)
class Draft:
    """What the editor needs of a split of any kind that is being made.

    Attributes:
        found: what the document looks at: where the draft began, and what it goes back to.
        curve: of the column at the node.
        split: as it stands now.
        told: what the rows told last, perhaps of another split.
    """

    found: engine.Candidate
    curve: engine.Curve
    split: engine.Split
    told: engine.Candidate | None = field(default=None, kw_only=True)

    @property
    def edited(self) -> bool:
        """Whether it is another split than at the beginning."""
        return self.split != self.found.split

    @property
    def column_kinds(self) -> str | Mapping[str, str]:
        """The kind of the column, for dates; or of all columns by name."""
        return self.curve.kind_in_words

    @cached_property
    def weighed(self) -> engine.Candidate | None:
        """The split with its gains, its p-value and its branches, counted without looking at rows; None where only
        the rows could tell, and have not yet."""
        if not self.edited and (math.isfinite(self.found.logworth) or self.split.surrogates):
            return self.found
        told = self.told if self.told is not None and self.told.split == self.split else None
        return told or self.curve.weigh(self.split)

    def tell(self, weighed: engine.Candidate) -> Self:
        """The rows have told what a split is worth."""
        return replace(self, told=weighed)

    @cached_property
    def best(self) -> tuple[engine.Split | None, float]:
        """The best split that the search finds for the column, and its gain; where that began as the draft, as it was
        found, with its surrogates. What a person looks at has no say: it may be a split made by hand."""
        return self._best_of(self.curve.best_split, self.curve.best_gain)

    def _best_of(self, split: engine.Split | None, gain: float) -> tuple[engine.Split | None, float]:
        found = self.found
        return (found.split, found.gain) if abs(found.gain - gain) <= SAME * gain else (split, gain)

    @property
    def given_up(self) -> float:
        """The share of the best gain that this split does not have: 0.065; negative where it gains more; NaN where
        that is not known."""
        best, weighed = self.best[1], self.weighed
        if weighed is None or not math.isfinite(weighed.gain) or not best > 0:
            return math.nan
        share = 1.0 - weighed.gain / best
        return share if abs(share) > SAME else 0.0

    def with_split(self, split: engine.Split) -> Self:
        """The same with another split; itself if that is the same."""
        return self if split == self.split else replace(self, split=split)

    def back(self) -> Self:
        """As it was in the beginning."""
        return self.with_split(self.found.split)  # type: ignore[arg-type]

    def optimal(self) -> Self:
        """The best split of the column."""
        best = self.best[0]
        return self if best is None else self.with_split(best)


@dataclass(frozen=True, eq=False)
class CutDraft(Draft):
    """A split of a number or a date by cuts.

    Every verb answers another draft, or this one where nothing can be done. A split that was changed has no
    surrogates: those were made for the cut that was there.

    Attributes:
        ruler: where cuts may stand.
        snap: one of `split_ruler.SNAPS`.
    """

    ruler: Ruler
    snap: str = MIDPOINT

    @property
    def cuts(self) -> tuple[float, ...]:
        """The thresholds that have a place on the axis, ascending; "present | missing" has none."""
        return tuple(cut for cut in self.split.thresholds if math.isfinite(cut))

    def move_cut(self, place: int, x: float, grain: float) -> Self:
        """Cut number `place` to where the snapping has it nearest to `x`; it stops beside its neighbours.

        Args:
            grain: the width of a pixel on the axis.
        """
        low, high = self._between(place - 1, place + 1)
        return self._moved(place, self.ruler.nearest(x, self.snap, grain, low, high))

    def nudge_cut(self, place: int, direction: int, grain: float, large: bool = False) -> Self:
        """The cut one place further up (direction 1) or down (−1), or a good way further."""
        low, high = self._between(place - 1, place + 1)
        x = self.cuts[place]
        found = self.ruler.step(x, direction * (LARGE_STEPS if large else 1), self.snap, grain, low, high)
        if large:
            far = self.ruler.nearest(x + direction * LARGE_PIXELS * grain, self.snap, grain, low, high)
            known = [cut for cut in (found, far) if cut is not None and (cut - x) * direction > 0]
            found = max(known, key=lambda cut: abs(cut - x), default=None)
        return self._moved(place, found)

    def add_cut(self, x: float, grain: float) -> Self:
        """One cut more, where the snapping has it nearest to `x`; none beyond `MOST_CUTS`, or where there is no room.

        Rows without a value stay in the lower part of the branch that they were in.
        """
        cuts = self.cuts
        place = sum(cut < x for cut in cuts)
        low, high = self._between(place - 1, place)
        found = self.ruler.nearest(x, self.snap, grain, low, high) if len(cuts) < MOST_CUTS else None
        if found is None:
            return self
        missing = self.split.missing + (self.split.missing > place)
        return self._with((*cuts[:place], found, *cuts[place:]), missing)

    def remove_cut(self, place: int) -> Self:
        """Without a cut: the branches beside it become one. The last cut stays."""
        cuts = self.cuts
        if len(cuts) < 2:
            return self
        missing = self.split.missing - (self.split.missing > place)
        return self._with(cuts[:place] + cuts[place + 1 :], missing)

    def set_missing(self, branch: int) -> Self:
        """The rows without a value go into another branch; one more than the cuts make is their own."""
        return self._with(self.split.thresholds, branch)

    def set_snap(self, snap: str, grain: float) -> Self:
        """Cuts snap to something else from now on, and those that there are at once; free ones stay."""
        draft = replace(self, snap=snap)
        for place in range(len(self.cuts) if snap != FREE else 0):
            draft = draft.move_cut(place, draft.cuts[place], grain)
        return draft

    def type_cuts(self, text: str) -> Self:
        """The cuts as they are written: "5, 10, 20".

        Raises:
            InputError: something that cannot be read, or a cut that parts no rows.
        """
        cuts = read_cuts(text, self.curve.kind)
        if len(cuts) > MOST_CUTS:
            raise engine.InputError(f"These are {len(cuts)} cuts: write at most {MOST_CUTS}.")
        own = self.split.has_missing_branch or self.split.thresholds == (math.inf,)
        return self._with(cuts, len(cuts) + 1 if own else min(self.split.missing, len(cuts)))

    @cached_property
    def empty_branches(self) -> tuple[int, ...]:
        """The branches that no training row takes."""
        rows = self.weighed.rows if self.weighed is not None else ()
        return tuple(branch for branch, n in enumerate(rows) if n == 0)

    def _between(self, before: int, after: int) -> tuple[float, float]:
        """The cuts at two places; infinite where there is none."""
        cuts = self.cuts
        low = cuts[before] if before >= 0 else -math.inf
        return low, cuts[after] if after < len(cuts) else math.inf

    def _moved(self, place: int, to: float | None) -> Self:
        if to is None or to == self.cuts[place]:
            return self
        return self._with((*self.cuts[:place], to, *self.cuts[place + 1 :]), self.split.missing)

    def _with(self, thresholds: tuple[float, ...], missing: int) -> Self:
        if thresholds == self.split.thresholds and missing == self.split.missing:
            return self
        return self.with_split(engine.Split(self.split.column, "threshold", thresholds, missing=missing))
