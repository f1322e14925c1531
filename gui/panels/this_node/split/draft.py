"""A split in the making: an unchangeable object; each verb answers another one, or itself where it can do nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.sentences import tr
from gui.panels.this_node.split.ruler import FREE, MIDPOINT, Ruler, has_missing, training_weights

SAME = 1e-9  # the share of a gain below which two gains differ by rounding: another cut that divides the rows alike
MOST_CUTS = 40
LARGE_STEPS, LARGE_PIXELS = 10, 20  # how far a cut goes with Shift: places, and at least pixels
Level = str | None  # None stands for the rows without a value, which go where they are sent like a level
MOST_BRANCHES = 1000  # of one split made by hand; more of them nobody looks at
OPPOSITE = {"<=": ">", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True, eq=False)
class Draft:
    """What the editor needs of a split of any kind that is being made."""

    found: engine.Candidate  # what the document looks at: where the draft began, and what it goes back to
    curve: engine.Curve  # of the column at the node
    split: engine.Split  # as it stands now
    told: engine.Candidate | None = field(default=None, kw_only=True)  # the worker's answer, perhaps to another split

    @property
    def edited(self) -> bool:
        return self.split != self.found.split

    @cached_property
    def weighed(self) -> engine.Candidate | None:
        """The split with gains, p-value and branches, from counts; None while only the rows can tell, and have not."""
        if not self.edited and (math.isfinite(self.found.logworth) or self.split.surrogates):
            return self.found
        told = self.told if self.told is not None and self.told.split == self.split else None
        return told or self.curve.weigh(self.split)

    @property
    def empty_branches(self) -> tuple[int, ...]:
        rows = self.weighed.rows if self.weighed is not None else ()
        return tuple(branch for branch, n in enumerate(rows) if n == 0)

    @cached_property
    def best(self) -> tuple[engine.Split | None, float]:
        """The best split that the search finds for the column, and its gain; where that began as the draft, as it was
        found, with its surrogates. What a person looks at has no say."""
        return self._best_of(self.curve.best_split, self.curve.best_gain)

    def _best_of(self, split: engine.Split | None, gain: float) -> tuple[engine.Split | None, float]:
        found = self.found
        return (found.split, found.gain) if abs(found.gain - gain) <= SAME * gain else (split, gain)

    @property
    def below_best(self) -> float:
        """The share of the best gain that this split lacks; negative where it gains more; NaN where not known."""
        best, weighed = self.best[1], self.weighed
        if weighed is None or not math.isfinite(weighed.gain) or not best > 0:
            return math.nan
        share = 1.0 - weighed.gain / best
        return share if abs(share) > SAME else 0.0

    def with_split(self, split: engine.Split | None) -> Self:
        """The same with another split; itself if that is the same, or there is none."""
        return self if split is None or split == self.split else replace(self, split=split)


@dataclass(frozen=True, eq=False)
class CutDraft(Draft):
    """A split of a number or a date by cuts. Changed, it has no surrogates: those were made for the cut before."""

    ruler: Ruler  # where cuts may stand
    snap: str = MIDPOINT  # one of `ruler.SNAPS`

    @property
    def cuts(self) -> tuple[float, ...]:
        """Those that have a place on the axis, ascending; "present | missing" has none."""
        return tuple(cut for cut in self.split.thresholds if math.isfinite(cut))

    def move_cut(self, place: int, x: float, grain: float) -> Self:
        """A cut to where the snapping has it nearest to `x`, between its neighbours; `grain`: the width of a pixel."""
        return self._moved(place, self.ruler.nearest(x, self.snap, grain, *self._between(place - 1, place + 1)))

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
        """One cut more nearest to `x` as it snaps, if there is room; rows without a value stay in the lower part."""
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
        missing = self.split.missing - (self.split.missing > place)
        return self if len(cuts) < 2 else self._with(cuts[:place] + cuts[place + 1 :], missing)

    def set_missing(self, branch: int) -> Self:
        """The rows without a value go into another branch; one more than the cuts make is their own, and with two more
        all branches share them."""
        return self._with(self.split.thresholds, engine.splits.DIVIDED if branch == len(self.cuts) + 2 else branch)

    def set_snap(self, snap: str, grain: float) -> Self:
        """Cuts snap to something else from now on, and those that there are at once; free ones stay."""
        draft = replace(self, snap=snap)
        for place in range(len(self.cuts) if snap != FREE else 0):
            draft = draft.move_cut(place, draft.cuts[place], grain)
        return draft

    def type_cuts(self, text: str) -> Self:
        """The cuts as they are written: "5, 10, 20". Raises InputError for what cannot be read, or is too much."""
        cuts = engine.splits.read_cuts(text, self.curve.kind)
        if len(cuts) > MOST_CUTS:
            raise engine.InputError(tr("These are {n} cuts: write at most {most}.", n=len(cuts), most=MOST_CUTS))
        own = self.split.has_missing_branch or self.split.thresholds == (math.inf,)
        return self._with(cuts, len(cuts) + 1 if own else min(self.split.missing, len(cuts)))

    def _between(self, before: int, after: int) -> tuple[float, float]:
        cuts = self.cuts
        return cuts[before] if before >= 0 else -math.inf, cuts[after] if after < len(cuts) else math.inf

    def _moved(self, place: int, to: float | None) -> Self:
        if to is None or to == self.cuts[place]:
            return self
        return self._with((*self.cuts[:place], to, *self.cuts[place + 1 :]), self.split.missing)

    def _with(self, thresholds: tuple[float, ...], missing: int) -> Self:
        if thresholds == self.split.thresholds and missing == self.split.missing:
            return self
        return self.with_split(engine.Split(self.split.column, "threshold", thresholds, missing=missing))


@dataclass(frozen=True, eq=False)
class LevelsDraft(Draft):
    """A split of a column with levels by groups of them; two branches stay. Levels without a row in the node are named
    by no branch, unless they were already; they go where unseen ones go."""

    by_class: bool  # the curve counts classes; otherwise (Σw, Σwy, Σw(y - mean)²) of a numeric target

    @cached_property
    def weights(self) -> NDArray[np.float64]:  # [m], the training rows of each declared level
        return training_weights(self.curve, self.by_class)

    @cached_property
    def present(self) -> tuple[str, ...]:
        """The levels that have training rows, as declared."""
        return tuple(self.curve.levels[i] for i in np.flatnonzero(self.weights > 0))

    @cached_property
    def lacking(self) -> bool:
        return has_missing(self.curve, self.by_class)

    @property
    def has_own_missing(self) -> bool:
        missing = self.split.missing
        return not self.split.divides and not self.split.groups[missing] and missing != self.split.unseen

    @property
    def has_own_unseen(self) -> bool:
        return not self.split.groups[self.split.unseen] and self.split.missing != self.split.unseen

    def branch_of(self, level: Level) -> int:
        return self.split.missing if level is None else self._branches.get(level, self.split.unseen)

    @cached_property
    def _branches(self) -> dict[str, int]:
        return {level: branch for branch, group in enumerate(self.split.groups) for level in group}

    def move(self, levels: Iterable[Level], to: int) -> Self:
        """Levels go into another branch; one more than there are makes a new one. A branch without levels goes. Unseen
        levels follow its last one; so do rows without a value, unless there are any: those keep the branch."""
        going = set(levels)
        if not going or not 0 <= to <= self.split.n_branches:
            return self
        groups, missing, unseen = self._groups(), self.split.missing, self.split.unseen
        for level in going - {None}:
            groups[self.branch_of(level)].discard(str(level))
            groups[to].add(str(level))
        missing = to if None in going else missing
        for branch, group in enumerate(self.split.groups):
            if group and not groups[branch]:
                unseen = to if unseen == branch else unseen
                missing = to if missing == branch and not self.lacking else missing
        return self._with(groups, missing, unseen)

    def merge(self, levels: Iterable[Level]) -> Self:
        joined = sorted({self.branch_of(level) for level in levels} - {engine.splits.DIVIDED})
        if len(joined) < 2:
            return self
        groups = self._groups()
        for branch in joined[1:]:
            groups[joined[0]] |= groups[branch]
            groups[branch] = set()
        missing, unseen = (joined[0] if b in joined else b for b in (self.split.missing, self.split.unseen))
        return self._with(groups, missing, unseen)

    def one_each(self) -> Self:
        """One branch for each level that is there, and one for the rows without a value if there are any."""
        n = len(self.present)
        if n + self.lacking > MOST_BRANCHES:
            return self
        largest = max(range(n), key=lambda i: self._weight_of[self.present[i]], default=0)
        return self._with([*({level} for level in self.present), set()], n if self.lacking else largest, largest)

    def against_rest(self, levels: Iterable[Level]) -> Self:
        chosen = set(levels)
        one, rest = {level for level in self.present if level in chosen}, set(self.present) - chosen
        missing = 0 if None in chosen or not (self.lacking or rest) else 1
        return self._with([one, rest], missing, 1 if rest else 0)

    def pool(self, fewer_than: float) -> Self:
        """Levels of fewer rows share one branch, the last; unseen levels, the rarest of all, go there, too."""
        rare = {level for level in self.present if self._weight_of[level] < fewer_than}
        if not rare or len(rare) == len(self.present):
            return self
        pooled = self.move(rare, self.split.n_branches)
        at = {pooled.branch_of(level) for level in rare}
        return pooled.set_unseen(at.pop()) if len(at) == 1 else self

    def set_missing(self, branch: int) -> Self:
        """The rows without a value go into another branch; one more than there are is their own. DIVIDED: all branches
        share them."""
        if branch == self.split.n_branches and self.has_own_missing:
            return self
        return self._with(self._groups(), branch, self.split.unseen)

    def set_unseen(self, branch: int) -> Self:
        """Levels that no branch names go into another branch, or into one of their own; those that are there stay."""
        if branch == self.split.unseen or (branch == self.split.n_branches and self.has_own_unseen):
            return self
        groups = self._groups()
        for level in self.present:
            groups[self.branch_of(level)].add(level)
        return self._with(groups, self.split.missing, branch)

    @cached_property
    def _weight_of(self) -> dict[str, float]:
        return dict(zip(self.curve.levels, self.weights.tolist(), strict=True))

    def _groups(self) -> list[set[str]]:
        return [*map(set, self.split.groups), set()]

    def _with(self, groups: list[set[str]], missing: int, unseen: int) -> Self:
        """Without the branches that take nothing; this draft if fewer than two are left."""
        kept = [b for b, group in enumerate(groups) if group or b in (missing, unseen)]
        if len(kept) < 2 or len(kept) > MOST_BRANCHES or not any(groups):
            return self
        place = {level: i for i, level in enumerate(self.curve.levels)}
        named = tuple(tuple(sorted(groups[b], key=lambda level: place.get(level, len(place)))) for b in kept)
        divides = missing == engine.splits.DIVIDED
        to: dict[str, Any] = {"missing": missing if divides else kept.index(missing), "unseen": kept.index(unseen)}
        return self.with_split(engine.Split(self.split.column, "groups", groups=named, **to))


@dataclass(frozen=True, eq=False)
class LiteralsDraft(Draft):
    """At least m of some conditions; one stays. It has no curve: what it is worth only the rows can tell."""

    offered: tuple[engine.Literal, ...]  # among which a person chooses, as they are shown
    kinds: Mapping[str, str]  # of the columns, for dates
    climbed: tuple[engine.Split | None, float] = (None, math.nan)  # where the climb ends, and its gain, once known

    @property
    def weighed(self) -> engine.Candidate | None:  # type: ignore[override]
        if not self.edited:
            return self.found
        return self.told if self.told is not None and self.told.split == self.split else None

    @property
    def best(self) -> tuple[engine.Split | None, float]:  # type: ignore[override]
        return self._best_of(*self.climbed)

    @property
    def chosen(self) -> tuple[engine.Literal, ...]:
        return self.split.literals

    def choose(self, literal: engine.Literal, counts: bool) -> Self:
        """A condition counts, or no longer; where fewer are left than have to hold, all of them have to."""
        from engine.search.m_of_n import MOST_LITERALS  # it loads the compiler

        if (literal in self.chosen) == counts or literal not in self.offered:
            return self
        wanted = {*self.chosen, literal} if counts else set(self.chosen) - {literal}
        if not wanted or len(wanted) > MOST_LITERALS:
            return self
        return self._with(min(self.split.m, len(wanted)), tuple(one for one in self.offered if one in wanted))

    def add(self, literal: engine.Literal) -> Self:
        """A condition more that counts; this draft where it counts already, or there are too many."""
        added = replace(self, offered=tuple(dict.fromkeys((*self.offered, literal)))).choose(literal, True)
        return added if len(added.chosen) > len(self.chosen) else self

    def set_m(self, m: int) -> Self:
        return self._with(m, self.chosen) if 1 <= m <= len(self.chosen) else self

    def take(self, m: int, literals: tuple[engine.Literal, ...]) -> Self:
        return replace(self._with(m, literals), offered=tuple(dict.fromkeys((*self.offered, *literals))))

    def _with(self, m: int, literals: tuple[engine.Literal, ...]) -> Self:
        return self.with_split(engine.Split(literals[0].column, "m_of_n", m=m, literals=literals))


def offers(found: engine.Candidate, others: Iterable[engine.Candidate], by_class: bool) -> tuple[engine.Literal, ...]:
    """The conditions of a split, and after them for each other column of the candidates the best one that its own split
    tells, put so that it speaks for the same side."""
    assert found.split is not None
    known, side = {literal.column: literal for literal in found.split.literals}, _leaning(found, by_class)
    more: dict[str, engine.Literal] = {}
    for other in others:
        if other.split is None or other.column in known | more or (literal := _literal_of(other.split)) is None:
            continue
        opposite = float(_leaning(other, by_class) @ side) < 0
        more[other.column] = literal._replace(test=OPPOSITE[literal.test]) if opposite else literal
    return (*found.split.literals, *more.values())


def _literal_of(split: engine.Split) -> engine.Literal | None:
    """The condition of the first branch, if one says it."""
    if split.n_branches != 2:
        return None
    if split.kind == "threshold" and len(split.thresholds) == 1 and np.isfinite(split.thresholds[0]):
        return engine.splits.Literal(split.column, "<=", split.thresholds[0])
    tested = zip(split.groups, ("==", "!="), strict=True) if split.kind == "groups" else ()
    alone = (engine.splits.Literal(split.column, test, group[0]) for group, test in tested if len(group) == 1)
    return next(alone, None)


def _leaning(candidate: engine.Candidate, by_class: bool) -> NDArray[np.float64]:
    """By how much the first branch has more of each class than the second, or a higher mean."""
    stats = (np.asarray(stats, dtype=np.float64) for stats in candidate.train[:2])
    first, second = (one / max(one.sum(), 1e-300) if by_class else one[1:2] / max(one[0], 1e-300) for one in stats)
    return np.asarray(first - second)


def start(curve: engine.Curve) -> engine.Candidate | None:
    """The best split of a column whatever limits the search has, weighed (groups by the absolute error are not), with
    what forbids it to the search; None where no split separates the training rows."""
    split = _of_levels(curve) if curve.levels else _of_values(curve)
    if split is None:
        return None
    made = curve.weigh(split)
    if made is None:
        return engine.Candidate(curve.column, split, math.nan, {}, math.nan, math.nan, (), (), (), 0)
    return made if sum(n > 0 for n in made.rows) > 1 and math.isfinite(made.gain) else None


def _of_values(curve: engine.Curve) -> engine.Split | None:
    """The best cut, else the one that comes nearest to halves, else "present | missing"."""
    cuts = np.asarray(curve.cuts)
    if cuts.size == 0:
        return engine.Split(curve.column, "threshold", (math.inf,), missing=1)
    best = curve.best if 0 <= curve.best < cuts.size else cuts.size // 2
    return engine.Split(curve.column, "threshold", (float(cuts[best]),), missing=curve.missing)


def _of_levels(curve: engine.Curve) -> engine.Split | None:
    """The best two groups; by the absolute error, which looks at rows for them, the most frequent level apart."""
    counts = curve.by_value
    if counts is None:
        return None
    free = replace(curve, by_value=replace(counts, search=replace(counts.search, min_leaf=1, nominal="groups")))
    rows = np.asarray(curve.train)[:, 0]
    if (found := free.best_groups()) is not None or np.count_nonzero(rows) < 2:
        return found
    most = int(rows.argmax())
    groups = ((curve.levels[most],), (*curve.levels[:most], *curve.levels[most + 1 :]))
    return engine.Split(curve.column, "groups", groups=groups, missing=1, unseen=1)
