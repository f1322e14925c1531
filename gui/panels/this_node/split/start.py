"""Where a split by hand begins in a column for which the search has none. No Qt."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import engine
from gui.wording import hand_phrases

if TYPE_CHECKING:
    from engine.ranking.candidates import Curve
    from gui.model.document import Document


def start(curve: Curve) -> engine.Candidate | None:
    """The best split of a column whatever limits the search has, weighed, with what forbids it to the search.

    Returns:
        None where no split separates the training rows. Groups by the absolute error have no figures.
    """
    split = _of_levels(curve) if curve.levels else _of_values(curve)
    if split is None:
        return None
    made = curve.weigh(split)
    if made is None:
        return engine.Candidate(curve.column, split, math.nan, {}, math.nan, math.nan, (), (), (), 0)
    return made if sum(n > 0 for n in made.rows) > 1 and math.isfinite(made.gain) else None


def why_not_by_hand(document: Document, column: str) -> str:
    """Why nobody is to split the selected node by a column; empty where a person may."""
    tree = document.tree
    above = tree.excluded_at(document.selected).get(column) if tree is not None else None
    if tree is not None and above is not None:
        where = hand_phrases.place(tree, above)
        return f"“{column}” is excluded below {where}: include it again there (X) to split by it."
    if column in document.hand.locked_columns:
        return f"“{column}” is locked: unlock it (Ctrl+K) to split by it."
    return ""


def _of_values(curve: Curve) -> engine.Split | None:
    """The best cut, else the one that comes nearest to halves, else "present | missing"."""
    cuts = np.asarray(curve.cuts)
    if cuts.size == 0:
        return engine.Split(curve.column, "threshold", (math.inf,), missing=1)
    best = curve.best if 0 <= curve.best < cuts.size else cuts.size // 2
    return engine.Split(curve.column, "threshold", (float(cuts[best]),), missing=curve.missing)


def _of_levels(curve: Curve) -> engine.Split | None:
    """The best two groups; by the absolute error, which looks at rows for them, the most frequent level apart."""
    counts = curve.by_value
    if counts is None:
        return None
    free = replace(curve, by_value=replace(counts, search=replace(counts.search, min_leaf=1, nominal="groups")))
    found = free.best_groups()
    if found is not None:
        return found
    rows = np.asarray(curve.train)[:, 0]
    if np.count_nonzero(rows) < 2:
        return None
    most = curve.levels[int(rows.argmax())]
    others = tuple(level for level in curve.levels if level != most)
    return engine.Split(curve.column, "groups", groups=((most,), others), missing=1, unseen=1)
