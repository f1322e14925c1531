"""An m-of-n split while a person makes it: conditions that count, and how many of them have to hold. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

import engine
from gui.panels.this_node.split.draft import Draft

if TYPE_CHECKING:
    from engine.splits import Literal

OPPOSITE = {"<=": ">", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True, eq=False)
class LiteralsDraft(Draft):
    """At least m of some conditions. It has no curve: what it is worth only the rows can tell.

    Every verb answers another draft, or this one where nothing can be done: one condition stays.

    Attributes:
        offered: the conditions among which a person chooses, in the order in which they are shown.
        kinds: of the columns, for dates.
        climbed: where the climb of the search ends, and its gain; None and NaN until that is known.
    """

    offered: tuple[Literal, ...]
    kinds: Mapping[str, str]
    climbed: tuple[engine.Split | None, float] = (None, math.nan)

    @property
    def column_kinds(self) -> Mapping[str, str]:
        return self.kinds

    @property
    def weighed(self) -> engine.Candidate | None:  # type: ignore[override]
        """What the split is worth; None while the rows are still asked."""
        if not self.edited:
            return self.found
        return self.told if self.told is not None and self.told.split == self.split else None

    @property
    def best(self) -> tuple[engine.Split | None, float]:  # type: ignore[override]
        """Where the climb ends, and its gain."""
        return self._best_of(*self.climbed)

    @property
    def chosen(self) -> tuple[Literal, ...]:
        """The conditions that count."""
        return self.split.literals

    def choose(self, literal: Literal, counts: bool) -> Self:
        """A condition counts, or no longer; where fewer are left than have to hold, all of them have to."""
        from engine.search.m_of_n import MOST_LITERALS

        if (literal in self.chosen) == counts or literal not in self.offered:
            return self
        wanted = {*self.chosen, literal} if counts else set(self.chosen) - {literal}
        if not wanted or len(wanted) > MOST_LITERALS:
            return self
        return self._with(min(self.split.m, len(wanted)), tuple(one for one in self.offered if one in wanted))

    def add(self, literal: Literal) -> Self:
        """A condition more that counts; this draft where it counts already, or there are too many."""
        offered = tuple(dict.fromkeys((*self.offered, literal)))
        return replace(self, offered=offered).choose(literal, True) if self._has_room(literal) else self

    def _has_room(self, literal: Literal) -> bool:
        from engine.search.m_of_n import MOST_LITERALS

        return literal not in self.chosen and len(self.chosen) < MOST_LITERALS

    def set_m(self, m: int) -> Self:
        """So many conditions have to hold."""
        return self._with(m, self.chosen) if 1 <= m <= len(self.chosen) else self

    def take(self, m: int, literals: tuple[Literal, ...]) -> Self:
        """A step of the climb."""
        return replace(self._with(m, literals), offered=tuple(dict.fromkeys((*self.offered, *literals))))

    def _with(self, m: int, literals: tuple[Literal, ...]) -> Self:
        return self.with_split(engine.Split(literals[0].column, "m_of_n", m=m, literals=literals))


def offers(found: engine.Candidate, others: Iterable[engine.Candidate], by_class: bool) -> tuple[Literal, ...]:
    """The conditions of a split, and after them for each other column the best one that its own best split tells, put
    so that it speaks for the same side.

    Args:
        others: the candidates of the node. by_class: the target has classes.
    """
    assert found.split is not None
    known = list(found.split.literals)
    columns = {literal.column for literal in known}
    side = _leaning(found, by_class)
    for other in others:
        literal = _literal_of(other.split) if other.split is not None and other.column not in columns else None
        if literal is None:
            continue
        if float(_leaning(other, by_class) @ side) < 0:
            literal = literal._replace(test=OPPOSITE[literal.test])
        known.append(literal)
        columns.add(literal.column)
    return tuple(known)


def _literal_of(split: engine.Split) -> Literal | None:
    """The condition of the first branch, if one says it."""
    if split.n_branches != 2:
        return None
    if split.kind == "threshold" and len(split.thresholds) == 1 and np.isfinite(split.thresholds[0]):
        return engine.splits.Literal(split.column, "<=", split.thresholds[0])
    if split.kind == "groups":
        for group, test in zip(split.groups, ("==", "!="), strict=True):
            if len(group) == 1:
                return engine.splits.Literal(split.column, test, group[0])
    return None


def _leaning(candidate: engine.Candidate, by_class: bool) -> NDArray[np.float64]:
    """By how much the first branch has more of each class than the second, or a higher mean."""
    first, second = (np.asarray(stats, dtype=np.float64) for stats in candidate.train[:2])
    if by_class:
        return np.asarray(first / max(first.sum(), 1e-300) - second / max(second.sum(), 1e-300))
    return np.array([first[1] / max(first[0], 1e-300) - second[1] / max(second[0], 1e-300)])
