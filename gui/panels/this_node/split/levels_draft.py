"""A split by levels while a person makes it: levels move between branches. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

import engine
from gui.panels.this_node.split.draft import Draft
from gui.panels.this_node.split.ruler import training_weights

Level = str | None  # None stands for the rows without a value, which go where they are sent like a level
MOST_BRANCHES = 1000  # of one split made by hand; more of them nobody looks at


@dataclass(frozen=True, eq=False)
class LevelsDraft(Draft):
    """A split of a column with levels by groups of them.

    Every verb answers another draft, or this one where nothing can be done: two branches stay. Levels without a row in
    the node are named by no branch, unless they were already; they go where unseen ones go.

    Attributes:
        by_class: whether the curve counts classes; otherwise (Σw, Σwy, Σw(y - mean)²) of a numeric target.
    """

    by_class: bool

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """float64[m]: the training rows of each declared level, by weight."""
        return training_weights(self.curve, self.by_class)

    @cached_property
    def present(self) -> tuple[str, ...]:
        """The levels that have training rows, as declared."""
        return tuple(self.curve.levels[i] for i in np.flatnonzero(self.weights > 0))

    @cached_property
    def lacking(self) -> bool:
        """Whether training rows of the node lack the value."""
        missing = np.asarray(self.curve.missing_train)
        return bool(missing.size and missing[: None if self.by_class else 1].sum() > 0)

    @property
    def n_branches(self) -> int:
        return self.split.n_branches

    @property
    def has_own_missing(self) -> bool:
        """Whether rows without a value have a branch of their own."""
        return not self.split.groups[self.split.missing] and self.split.missing != self.split.unseen

    @property
    def has_own_unseen(self) -> bool:
        """Whether levels that no branch names have a branch of their own."""
        return not self.split.groups[self.split.unseen] and self.split.missing != self.split.unseen

    def branch_of(self, level: Level) -> int:
        """The branch that a level takes; of None that of the rows without a value."""
        return self.split.missing if level is None else self._branches.get(level, self.split.unseen)

    @cached_property
    def _branches(self) -> dict[str, int]:
        return {level: branch for branch, group in enumerate(self.split.groups) for level in group}

    @cached_property
    def empty_branches(self) -> tuple[int, ...]:
        """The branches that no training row takes."""
        rows = self.weighed.rows if self.weighed is not None else ()
        return tuple(branch for branch, n in enumerate(rows) if n == 0)

    # -- verbs

    def move(self, levels: Iterable[Level], to: int) -> Self:
        """Levels go into another branch; one more than there are makes a new one.

        A branch without levels goes. Unseen levels follow its last one; so do rows without a value, if there are none:
        otherwise those rows keep the branch for themselves.
        """
        going = set(levels)
        if not going or not 0 <= to <= self.n_branches:
            return self
        groups = [set(group) for group in self.split.groups] + [set()]
        missing, unseen = self.split.missing, self.split.unseen
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
        """The branches of these levels become one."""
        joined = sorted({self.branch_of(level) for level in levels})
        if len(joined) < 2:
            return self
        groups = [set(group) for group in self.split.groups]
        for branch in joined[1:]:
            groups[joined[0]] |= groups[branch]
            groups[branch] = set()
        missing, unseen = (joined[0] if b in joined else b for b in (self.split.missing, self.split.unseen))
        return self._with(groups, missing, unseen)

    def one_each(self) -> Self:
        """One branch for each level that is there, and one for the rows without a value if there are any."""
        if len(self.present) + self.lacking > MOST_BRANCHES:
            return self
        largest = self._largest(range(len(self.present)))
        groups = [{level} for level in self.present]
        return self._with([*groups, set()], len(groups) if self.lacking else largest, largest)

    def against_rest(self, levels: Iterable[Level]) -> Self:
        """These levels in one branch, all others in the other."""
        chosen = set(levels)
        one, rest = {level for level in self.present if level in chosen}, set(self.present) - chosen
        missing = 0 if None in chosen else 1
        if not self.lacking and None not in chosen:
            missing = 1 if rest else 0
        return self._with([one, rest], missing, 1 if rest else 0)

    def pool(self, fewer_than: float) -> Self:
        """Levels of fewer rows share one branch, the last; unseen levels, the rarest of all, go there, too."""
        rare = {level for level in self.present if self._weight_of[level] < fewer_than}
        if not rare or len(rare) == len(self.present):
            return self
        pooled = self.move(rare, self.n_branches)
        at = {pooled.branch_of(level) for level in rare}
        return pooled.set_unseen(at.pop()) if len(at) == 1 else self

    def set_missing(self, branch: int) -> Self:
        """The rows without a value go into another branch; one more than there are is their own."""
        if branch == self.n_branches and self.has_own_missing:
            return self
        return self._with([*map(set, self.split.groups), set()], branch, self.split.unseen)

    def set_unseen(self, branch: int) -> Self:
        """Levels that no branch names go into another branch, or into one of their own; those that are there stay."""
        if branch == self.split.unseen or (branch == self.n_branches and self.has_own_unseen):
            return self
        groups = [set(group) for group in self.split.groups] + [set()]
        for level in self.present:
            groups[self.branch_of(level)].add(level)
        return self._with(groups, self.split.missing, branch)

    @cached_property
    def _weight_of(self) -> dict[str, float]:
        return dict(zip(self.curve.levels, self.weights.tolist(), strict=True))

    def _largest(self, places: Iterable[int]) -> int:
        """Of these places among the levels that are there the one with most rows."""
        return max(places, key=lambda i: self._weight_of[self.present[i]], default=0)

    def _with(self, groups: list[set[str]], missing: int, unseen: int) -> Self:
        """Without the branches that take nothing; this draft if fewer than two are left."""
        kept = [b for b, group in enumerate(groups) if group or b in (missing, unseen)]
        if len(kept) < 2 or len(kept) > MOST_BRANCHES or not any(groups):
            return self
        place = {level: i for i, level in enumerate(self.curve.levels)}
        named = tuple(tuple(sorted(groups[b], key=lambda level: place.get(level, len(place)))) for b in kept)
        split = engine.Split(
            self.split.column, "groups", groups=named, missing=kept.index(missing), unseen=kept.index(unseen)
        )
        return self.with_split(split)
