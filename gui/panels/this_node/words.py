"""Candidates in words: their splits, what becomes of their gains on other rows, and how they stand to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import engine
from engine.criteria import task_of
from engine.runtime.sentences import marked, tr
from engine.table.words import value_words
from gui.model.document import Document
from gui.widgets.plotting import short
from gui.wording import hand_phrases, phrases, words

if TYPE_CHECKING:  # it brings the compiler
    from engine.resampling.stability import Wins

LEVELS_SHOWN = 4
LEFT = 0.25  # of a training gain; below this share on validation rows it is asked whether chance explains that
SCATTER = 2.0  # standard errors that chance may explain
REDUNDANT = 0.8  # of the rows that a constant sends the wrong way: the share at which a split is a mimic
CLIFF = 1.5  # times the gain of the next best
PLATEAU = 0.9  # of the best gain
ORDINALS = (marked("2nd best"), marked("3rd best"), marked("4th best"), marked("5th best"))


def split_words(split: engine.Split, kind: str | dict[str, str], most: int = LEVELS_SHOWN) -> str:
    """A split in words: the condition of the first of two branches, otherwise every branch, parted by bars."""
    if split.kind == "m_of_n":
        return (engine.splits.full_words if most > LEVELS_SHOWN else engine.splits.sentence)(split, 0, kind)
    if split.kind == "threshold" and split.n_branches == 2 and math.isfinite(split.thresholds[0]):
        return engine.splits.branch_words(split, 0, kind)
    if split.kind == "threshold":
        return " | ".join(engine.splits.branch_words(split, b, kind) for b in range(split.n_branches))
    if all(len(group) == 1 for group in split.groups) and len(split.groups) > 2:
        return tr("each of {levels}", levels=_some([group[0] for group in split.groups], most))
    groups = [
        "{" + _some(group, most) + "}" if group else engine.splits.branch_words(split, branch, "")
        for branch, group in enumerate(split.groups)
    ]
    return " | ".join(groups)


def level_count(n: int) -> str:
    return tr("1 level") if n == 1 else tr("{n} levels", n=words.count(n))


def where_missing(split: engine.Split) -> str:
    """Where rows without the value go: "into branch 2", "by income, rent, else into branch 2"."""
    if split.divides:
        return tr("into all branches, in part")
    by = ", ".join(surrogate.split.column for surrogate in split.surrogates)
    if by:
        return tr("by {columns}, else into branch {branch}", columns=by, branch=split.missing + 1)
    return tr("into branch {branch}", branch=split.missing + 1)


def verdict(
    candidate: engine.Candidate, criterion: str, classes: Sequence[str] = (), is_sampled: bool = False
) -> str:  # fmt: skip
    """What the two gains together mean, in one sentence; empty where there is nothing to say. `classes`: those of the
    tree, in order; `is_sampled`: see `engine.Table`."""
    if candidate.split is not None and candidate.split.kind == "m_of_n" and len(candidate.split.literals) == 1:
        return tr("No further condition gained anything beside this one.")
    if candidate.gain == 0 and candidate.ahead > 0:
        return tr("No gain by itself, but the splits below its branches gain.")
    if candidate.gain == 0:
        return tr("No gain yet: this split may be chosen, and may pay off one level further down.")
    seen, unseen = candidate.gain, candidate.validation_gain
    if not math.isfinite(unseen) or unseen >= LEFT * seen:
        return ""
    left = words.percent(unseen / seen)
    rows = phrases.the_validation_rows(_unseen_weight(candidate), is_sampled)
    turned, lost = reversal(candidate, classes), is_lost(candidate, criterion)
    if turned and lost:
        return tr("Reversed on {rows}: {shares}.", rows=rows, shares=turned)
    if turned:
        return tr("Reversed on {rows}: {shares}; too few to be sure.", rows=rows, shares=turned)
    if not lost and unseen <= 0:
        return tr("No gain on {rows}; too few to be sure.", rows=rows)
    if not lost:
        said = {"share": left, "rows": rows}
        return tr("Only {share} of the gain is left on {rows}; too few to be sure.", **said)
    noise = engine.noise_of_gain(criterion, candidate.train, _unseen_weight(candidate))
    promised = words.gain(seen) + (f" ± {words.gain(SCATTER * noise)}" if math.isfinite(noise) else "")
    said = {"rows": rows, "gain": words.gain(unseen), "promised": promised}
    if unseen <= 0:
        return tr("The gain does not survive on {rows}: {gain}; {promised} in training.", **said)
    return tr("Only {share} of the gain survives on {rows}: {gain}; {promised} in training.",
              share=left, **said)  # fmt: skip


def reversal(candidate: engine.Candidate, classes: Sequence[str] = ()) -> str:
    """Two branches that stand the other way round on validation rows, where they mislead: "share of good 65.0 % |
    35.0 % → 30.0 % | 60.0 %", of the class that differs most on training rows, or how far the means are apart; else
    empty."""
    train, unseen = (np.stack(part) if part else np.zeros((0, 0)) for part in (candidate.train, candidate.validation))
    if len(train) != 2 or len(unseen) != 2 or not candidate.validation_gain < 0:
        return ""
    if _by_class(candidate):
        totals = train.sum(axis=1, keepdims=True), unseen.sum(axis=1, keepdims=True)
        if not (totals[0] > 0).all() or not (totals[1] > 0).all():
            return ""
        apart = np.abs(np.diff(train / totals[0], axis=0))[0]
        k = int(np.argmax(apart > apart.max() - 1e-9))  # of two classes, which differ alike, the first
        before, after = (train / totals[0])[:, k], (unseen / totals[1])[:, k]
        told = " → ".join(" | ".join(words.percent(float(share)) for share in shares) for shares in (before, after))
        told = tr("share of {name} {shares}", name=classes[k], shares=told) if classes else told
    else:
        if not (train[:, 0] > 0).all() or not (unseen[:, 0] > 0).all():
            return ""
        before, after = train[:, 1] / train[:, 0], unseen[:, 1] / unseen[:, 0]
        one, other = (words.value(float(means[1] - means[0])) for means in (before, after))
        told = tr("difference of the means {one} → {other}", one=one, other=other)
    return told if (before[1] - before[0]) * (after[1] - after[0]) < 0 else ""


def is_lost(candidate: engine.Candidate, criterion: str) -> bool:
    """Whether a training gain is missing on the validation rows: less than a quarter of it is left there, and so little
    lies more than two standard errors below it, those that the gain has on as many rows as these, drawn like the
    training rows; where the error is not known (see `engine.noise_of_gain`), when nothing at all is left."""
    seen, unseen = candidate.gain, candidate.validation_gain
    if candidate.split is None or not (seen > 0 and unseen < LEFT * seen):
        return False
    noise = engine.noise_of_gain(criterion, candidate.train, _unseen_weight(candidate))
    return unseen <= 0 if math.isnan(noise) else unseen < seen - SCATTER * noise


def _unseen_weight(candidate: engine.Candidate) -> float:
    by_class = _by_class(candidate)
    return float(sum(stat.sum() if by_class else stat[0] for stat in candidate.validation))


def _by_class(candidate: engine.Candidate) -> bool:
    return len(candidate.scores) == 0 or task_of(candidate.scores) == "classes"


def is_mimic(agreement: float, leading: engine.Candidate) -> bool:
    """Whether a split that agrees so far with the leading one says the same: four fifths of the rows that would go the
    other way, if all went with the larger branch, go the right way."""
    usual = max(leading.rows) / max(sum(leading.rows), 1)
    return usual < 1 and (agreement - usual) / (1 - usual) >= REDUNDANT


def mimic_words(agreement: float, leading: engine.Candidate) -> str:
    said = {"share": words.percent(agreement), "column": leading.column}
    if is_mimic(agreement, leading):
        return tr(
            "Sends {share} of the rows the same way as the leading split, by {column}: a mimic, one of the two is "
            "redundant.",
            **said,
        )
    return tr("Sends {share} of the rows the same way as the leading split, by {column}.", **said)


def wins(found: dict[str, Wins]) -> str:
    """Which two columns win most often: "Seniority wins in 132 of 200 bootstrap samples, Records in 51."."""
    ranked = sorted(found, key=lambda name: -found[name].won)[:2]
    counted = [words.count(found[name].won) for name in ranked if found[name].won]
    if not counted:
        return ""
    said = {"column": ranked[0], "won": counted[0], "samples": words.count(found[ranked[0]].samples)}
    if len(counted) == 1:
        return tr("{column} wins in {won} of {samples} bootstrap samples.", **said)
    said |= {"other": ranked[1], "also": counted[1]}
    return tr("{column} wins in {won} of {samples} bootstrap samples, {other} in {also}.", **said)


def wins_of(one: Wins, leads: bool) -> str:
    """The same of one column, which perhaps `leads` the candidates."""
    said = {"won": words.count(one.won), "samples": words.count(one.samples)}
    if leads and 2 * one.won < one.samples:
        return tr(
            "Wins in {won} of {samples} bootstrap samples, less than half: another column is nearly as good.", **said
        )
    return tr("Wins in {won} of {samples} bootstrap samples.", **said)


def cuts_of(one: Wins, kind: str) -> str:
    """Where samples cut a column of numbers; empty where none does."""
    if not one.cuts.size:
        return ""
    low, high = (value_words(float(cut), kind) for cut in np.quantile(one.cuts, (0.25, 0.75), method="inverted_cdf"))
    said = {"won": words.count(one.won), "samples": words.count(one.samples), "low": low, "high": high}
    if low == high:
        return tr("Cuts of the {won} of {samples} bootstrap samples won by this column: half or more at {low}.", **said)
    return tr(
        "Cuts of the {won} of {samples} bootstrap samples won by this column: half of them between {low} and {high}.",
        **said,
    )


def times_next(gains: Sequence[float], place: int) -> float:
    """How many times the gain of the next best one has; NaN for the last one and beside a next one without gain."""
    return gains[place] / gains[place + 1] if place + 1 < len(gains) and gains[place + 1] > 0 else math.nan


def factor(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 100 else words.count(round(ratio))


def times(ratio: float) -> str:
    return f"{factor(ratio)} ×" if math.isfinite(ratio) else words.NOTHING


def plateau(gains: Sequence[float]) -> int:
    """How many gain nearly as much as the best, itself included."""
    return sum(gain >= PLATEAU * gains[0] for gain in gains) if gains and gains[0] > 0 else 0


def brief_landscape(gains: Sequence[float]) -> str:
    """The fall of the gains in a word or two: "2.99 × the next", "4 nearly equal"."""
    if len(gains) < 2 or not gains[0] > 0:
        return ""
    if plateau(gains) > 1:
        return tr("{n} nearly equal", n=plateau(gains))
    ratio = times_next(gains, 0)
    return tr("{times} the next", times=times(ratio)) if math.isfinite(ratio) else tr("only one gains")


def landscape(columns: Sequence[str], gains: Sequence[float]) -> str:
    if len(gains) < 2 or not gains[0] > 0:
        return tr("No split gains yet: whatever is chosen has to pay off one level further down.")
    level, first = plateau(gains), columns[0]
    if level > 1:
        names = ", ".join(columns[: 4 if level <= 4 else 3][:level])
        if level > 4:
            names = tr("{columns} and {n} more", columns=names, n=level - 3)
        return tr(
            "A plateau: {columns} gain nearly the same (within {share}). The figures do not decide between them: what "
            "you know about the columns may.",
            columns=names, share=words.percent(1 - PLATEAU, 0),
        )  # fmt: skip
    ratio = times_next(gains, 0)
    if not math.isfinite(ratio):
        return tr("A cliff: only {column} gains.", column=first)
    said = {"column": first, "factor": factor(ratio), "next": columns[1]}
    if ratio >= CLIFF:
        return tr("A cliff: {column} gains {factor} times as much as the next.", **said)
    return tr("A slope: {column} gains {factor} times as much as the next, {next}.", **said)


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
        return tr("{first} and {second} agree on {column}.", first=first, second=second, column=winner)
    said = {"first": first, "winner": winner, "second": second, "other": other}
    return tr("They disagree: {first} prefers {winner}, {second} prefers {other}.", **said)


def why_not_by_hand(document: Document, column: str) -> str:
    """Why nobody is to split the selected node by a column; empty where a person may."""
    tree = document.tree
    above = tree.excluded_at(document.selected).get(column) if tree is not None else None
    if tree is not None and above is not None:
        said = {"column": column, "node": hand_phrases.place(tree, above)}
        return tr("“{column}” is excluded below {node}: include it again there (X) to split by it.", **said)
    if column in document.hand.locked_columns:
        return tr("“{column}” is locked: unlock it (Ctrl+K) to split by it.", column=column)
    return ""


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def percent(share: float) -> str:
    """A share of a gain: "6.5 %"; a little is never nothing: "< 0.1 %"."""
    return words.percent(share) if share >= 0.0005 or not share > 0 else "< 0.1 %"


def number(value: float, places: int | None = None) -> str:
    if not math.isfinite(value):
        return words.NOTHING if math.isnan(value) else "∞"
    return words.gain(value) if places is None else f"{value:,.{places}f}".replace("-", words.MINUS)


def _some(names: tuple[str, ...] | list[str], most: int) -> str:
    """The names, or the first ones and how many there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(short(name) for name in names[: most - 1])}, … ({level_count(len(names))})"
