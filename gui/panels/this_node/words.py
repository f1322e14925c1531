"""Candidates in words: their splits, what becomes of their gains on other rows, and how they stand to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import engine
from engine.criteria import task_of
from gui.model.document import Document
from gui.widgets.plotting import short
from gui.wording import hand_phrases, words

LEVELS_SHOWN = 4
LEFT = 0.25  # of a training gain; below this share on validation rows it is asked whether chance explains that
SCATTER = 2.0  # standard errors that chance may explain
REDUNDANT = 0.8  # of the rows that a constant sends the wrong way: the share at which a split is a mimic
FEW_EACH = 5  # validation rows for each branch; with fewer their purity is chance
CLIFF = 1.5  # times the gain of the next best
PLATEAU = 0.9  # of the best gain
ORDINALS = ("2nd best", "3rd best", "4th best", "5th best")


def split_words(split: engine.Split, kind: str | dict[str, str], most: int = LEVELS_SHOWN) -> str:
    """A split in words: the condition of the first of two branches, otherwise every branch, parted by bars."""
    if split.kind == "m_of_n":
        full = most > LEVELS_SHOWN
        return engine.splits.full_words(split, 0, kind) if full else engine.splits.sentence(split, 0, kind)
    if split.kind == "threshold" and split.n_branches == 2 and math.isfinite(split.thresholds[0]):
        return engine.splits.branch_words(split, 0, kind)
    if split.kind == "threshold":
        return " | ".join(engine.splits.branch_words(split, b, kind) for b in range(split.n_branches))
    if all(len(group) == 1 for group in split.groups) and len(split.groups) > 2:
        names = [group[0] for group in split.groups]
        return "each of " + _some(names, most)
    return " | ".join(_group_words(split, branch, most) for branch in range(split.n_branches))


def where_missing(split: engine.Split) -> str:
    """Where rows without the value go: "into branch 2", "by income, rent, else into branch 2"."""
    by = ", ".join(surrogate.split.column for surrogate in split.surrogates)
    return f"by {by}, else into branch {split.missing + 1}" if by else f"into branch {split.missing + 1}"


def verdict(candidate: engine.Candidate, criterion: str) -> str:
    """What the two gains together mean, in one sentence; empty where there is nothing to say."""
    if candidate.split is not None and candidate.split.kind == "m_of_n" and len(candidate.split.literals) == 1:
        return "No further condition gained anything beside this one."
    if candidate.gain == 0 and candidate.ahead > 0:
        return "No gain by itself, but the splits below its branches gain."
    if candidate.gain == 0:
        return "No gain yet: this split may be chosen, and may pay off one level further down."
    seen, unseen = candidate.gain, candidate.validation_gain
    if not math.isfinite(unseen) or unseen >= LEFT * seen:
        return crowded(candidate)
    left = "nothing" if unseen <= 0 else f"only {words.percent(unseen / seen)}"
    noise = noise_on_validation(candidate, criterion)
    if not is_lost(candidate, criterion):
        return f"On the validation rows {left} is left of the gain; so few rows ({_unseen_rows(candidate)}) may err."
    scatter = f" ± {words.gain(SCATTER * noise)}" if math.isfinite(noise) else ""
    return (
        f"The gain does not survive: on the validation rows {left} is left of it ({words.gain(unseen)} where "
        f"{words.gain(seen)}{scatter} was to be expected)."
    )


def crowded(candidate: engine.Candidate) -> str:
    """That the validation gain tells nothing, because many branches have few validation rows each: the purity of two or
    three rows is chance, and on noise such a gain comes out larger than that of training. Empty where it does."""
    n = candidate.split.n_branches if candidate.split is not None else 0
    if n <= 2 or not math.isfinite(candidate.validation_gain) or _unseen_weight(candidate) >= FEW_EACH * n:
        return ""
    return (
        f"{n} branches have {_unseen_rows(candidate)} validation rows between them: with so few in each, the "
        "validation gain is chance."
    )


def is_lost(candidate: engine.Candidate, criterion: str) -> bool:
    """Whether a training gain is missing on the validation rows.

    It is when less than a quarter of it is left there, and so little lies more than two standard errors below it: those
    that the gain has on as many rows as the validation rows are, drawn like the training rows. Where the error is not
    known (see `engine.noise_of_gain`), when nothing at all is left.
    """
    seen, unseen = candidate.gain, candidate.validation_gain
    if candidate.split is None or not (seen > 0 and unseen < LEFT * seen):
        return False
    noise = noise_on_validation(candidate, criterion)
    return unseen <= 0 if math.isnan(noise) else unseen < seen - SCATTER * noise


def noise_on_validation(candidate: engine.Candidate, criterion: str) -> float:
    """The standard error of the gain on as many rows as the validation rows are; NaN where it is not known."""
    return engine.noise_of_gain(criterion, candidate.train, _unseen_weight(candidate))


def _unseen_weight(candidate: engine.Candidate) -> float:
    by_class = len(candidate.scores) == 0 or task_of(candidate.scores) == "classes"
    return float(sum(stat.sum() if by_class else stat[0] for stat in candidate.validation))


def _unseen_rows(candidate: engine.Candidate) -> str:
    return words.count(_unseen_weight(candidate))


# -- how they stand to each other


def is_mimic(agreement: float, leading: engine.Candidate) -> bool:
    """Whether a split that agrees so far with the leading one says the same: four fifths of the rows that would go the
    other way if all went with the larger branch go the right way."""
    usual = max(leading.rows) / max(sum(leading.rows), 1)
    return usual < 1 and (agreement - usual) / (1 - usual) >= REDUNDANT


def mimic_words(agreement: float, leading: engine.Candidate) -> str:
    """How far a split agrees with the leading one, and what that means."""
    share = f"Sends {words.percent(agreement)} of the rows the same way as the leading split, by {leading.column}"
    return f"{share}: a mimic, one of the two is redundant." if is_mimic(agreement, leading) else f"{share}."


def times_next(gains: Sequence[float], place: int) -> float:
    """How many times the gain of the next best one has; NaN for the last one and beside a next one without gain."""
    if place + 1 >= len(gains) or not gains[place + 1] > 0:
        return math.nan
    return gains[place] / gains[place + 1]


def times(ratio: float) -> str:
    """ "2.99 ×"; nothing where there is no ratio."""
    if not math.isfinite(ratio):
        return words.NOTHING
    return f"{ratio:.2f} ×" if ratio < 100 else f"{words.count(round(ratio))} ×"


def plateau(gains: Sequence[float]) -> int:
    """How many gain nearly as much as the best, itself included."""
    return sum(gain >= PLATEAU * gains[0] for gain in gains) if gains and gains[0] > 0 else 0


def brief_landscape(gains: Sequence[float]) -> str:
    """The fall of the gains in a word or two: "2.99 × the next", "4 nearly equal"."""
    if len(gains) < 2 or not gains[0] > 0:
        return ""
    if plateau(gains) > 1:
        return f"{plateau(gains)} nearly equal"
    ratio = times_next(gains, 0)
    return f"{times(ratio)} the next" if math.isfinite(ratio) else "only one gains"


def landscape(columns: Sequence[str], gains: Sequence[float]) -> str:
    """What the fall of the gains from rank to rank means for the choice."""
    if len(gains) < 2 or not gains[0] > 0:
        return "No split gains yet: whatever is chosen has to pay off one level further down."
    level = plateau(gains)
    if level > 1:
        names = ", ".join(columns[:level]) if level <= 4 else f"{', '.join(columns[:3])} and {level - 3} more"
        return (
            f"A plateau: {names} gain nearly the same (within {words.percent(1 - PLATEAU, 0)}). The figures do not "
            "decide between them: what you know about the columns may."
        )
    ratio = times_next(gains, 0)
    if not math.isfinite(ratio):
        return f"A cliff: only {columns[0]} gains. It is a safe split."
    if ratio >= CLIFF:
        return f"A cliff: {columns[0]} gains {times(ratio).replace(' ×', ' times')} as much as the next. A safe split."
    return f"A slope: {columns[0]} gains {times(ratio).replace(' ×', ' times')} as much as the next, {columns[1]}."


def repeats(candidate: engine.Candidate, others: Sequence[engine.Candidate]) -> bool:
    """Whether m-of-n conditions are one condition alone, which stands in the list as the split of its column."""
    split = candidate.split
    if split is None or split.kind != "m_of_n" or len(split.literals) > 1:
        return False
    same = (other for other in others if other is not candidate and other.column == split.literals[0].column)
    return any(sorted(other.rows) == sorted(candidate.rows) for other in same)


def compared(first: str, winner: str, second: str, other: str) -> str:
    """Whether two measures prefer the same column: "Gini prefers odor, LogWorth prefers cap: they disagree"."""
    if winner == other:
        return f"{first} and {second} agree on {winner}."
    return f"They disagree: {first} prefers {winner}, {second} prefers {other}."


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


# -- parts


def capital(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def sentence(reason: str) -> str:
    """A reason as a sentence of its own; empty where there is none."""
    return f"{capital(reason)}." if reason else ""


def number(value: float, places: int | None = None) -> str:
    """A figure of a candidate; a dash where there is none."""
    if not math.isfinite(value):
        return words.NOTHING if math.isnan(value) else "∞"
    if places is None:
        return words.gain(value)
    return f"{value:,.{places}f}".replace("-", words.MINUS)


def _group_words(split: engine.Split, branch: int, most: int) -> str:
    group = split.groups[branch]
    return "{" + _some(group, most) + "}" if group else engine.splits.branch_words(split, branch, "")


def _some(names: tuple[str, ...] | list[str], most: int) -> str:
    """The names, or the first ones and how many there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(short(name) for name in names[: most - 1])}, … ({len(names)} levels)"
