"""First answers in words: from which rows they are, and in what all rows differ from them."""

from __future__ import annotations

from collections.abc import Sequence

import engine
from engine.runtime.sentences import tr
from gui.wording import words
from gui.wording.phrases import is_cut, rounded

COMPARED = 5  # of the best columns


def where_from(rows: int, places: int) -> str:
    """From which rows first answers are; 1 place: from the first ones."""
    n = words.count(rows)
    if places == 1:
        return tr("From {n} of the first rows, which need not be like the others. All rows are being read.", n=n)
    return tr("From {n} rows of {places} places, which is no random sample of all rows. All rows are being read.",
              n=n, places=places)  # fmt: skip


def what_changed(
    first: Sequence[engine.Candidate], exact: Sequence[engine.Candidate], table: engine.Table
) -> str:  # fmt: skip
    """What all training rows of a table tell otherwise than some of them did.

    Args:
        first: the candidates of some rows, the best first, of which each gains something. exact: those of all.
    """
    n = words.count(table.n_train)
    head = tr("All {n} training rows are counted.", n=n) if table.partition else tr("All {n} rows are counted.", n=n)
    gaining = [one for one in exact if one.split is not None and one.gain > 0]
    if not gaining:
        return " ".join((head, tr("No split gains anything any more, unlike in the first answers.")))
    before, now = ([one.column for one in some[: min(COMPARED, len(first))]] for some in (first, gaining))
    return " ".join(filter(None, (head, _columns(before, now), _best(first, gaining, table))))


def _columns(before: list[str], now: list[str]) -> str:
    """Which of the best columns stay."""
    n, stay = len(before), len(set(before) & set(now))
    if n == 1:
        return ""
    if before == now:
        return tr("The {n} best columns are those of the first answers, in the same order.", n=n)
    if stay == n:
        return tr("The {n} best columns are those of the first answers, in another order.", n=n)
    if stay == 0:
        return tr("Of the {n} best columns of the first answers, none stays among the {n} best.", n=n)
    if stay == 1:
        return tr("Of the {n} best columns of the first answers, 1 stays among the {n} best.", n=n)
    return tr("Of the {n} best columns of the first answers, {stay} stay among the {n} best.", n=n, stay=stay)


def _best(first: Sequence[engine.Candidate], exact: Sequence[engine.Candidate], table: engine.Table) -> str:
    """What became of the best column and its split."""
    leading = exact[0]
    assert leading.split is not None
    said = {"before": first[0].column, "column": leading.column}
    if leading.column != first[0].column:
        return tr("The best column is now “{column}” instead of “{before}”.", **said)
    split, other = leading.split, first[0].split
    assert other is not None
    if not (is_cut(split) and is_cut(other)):
        if _parts(split) == _parts(other):
            return tr("The best split, of “{column}”, is the same.", **said)
        return tr("The best split of “{column}” divides its values otherwise.", **said)
    old, new = (rounded(one, engine.splits.branch_words(one, 0, table.kinds)) for one in (other, split))
    if old == new:
        return tr("The best cut, “{column}” {cut}, is the same.", cut=new, **said)
    return tr("The best cut of “{column}” moved from {old} to {new}.", old=old, new=new, **said)


def _parts(split: engine.Split) -> object:
    """What a split divides into what, whatever the order of its branches."""
    return split.thresholds or frozenset(map(frozenset, split.groups))
