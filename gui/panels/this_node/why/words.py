"""The arithmetic of a split as rows of a table, and what the training error makes of it in a sentence. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np

import engine
from engine.criteria import DEFAULT
from gui.wording import words

if TYPE_CHECKING:
    from engine.ranking.arithmetic import Arithmetic, Part

MOST_HEADING, MOST_NAME, MOST_TERMS = 120, 26, 150  # letters; more is left out in the middle, copying gives all
MOST_SUMMED = 4  # branches whose sum is written out
SAME = 1e-9  # of class shares: nearer ones are equal


@dataclass(frozen=True)
class Line:
    """One step: what it is, of how many rows by weight, how it is worked out, what comes out. `rule` puts a line above
    it."""

    name: str
    working: str
    result: str
    rows: str = ""
    strong: bool = False
    rule: bool = False


def fit_for_arithmetic(found: engine.Candidate, task: str, curve: engine.Curve | None) -> engine.Candidate:
    """A candidate whose scores tell which target it has; the split of an inner node comes without."""
    usual = DEFAULT[task]
    if usual in found.scores or found.split is None:
        return found
    weighed = curve.weigh(found.split) if curve is not None else None
    return weighed if weighed is not None else replace(found, scores={usual: math.nan, **found.scores})


def title(found: engine.Candidate, kinds: dict[str, str], whole: bool = False) -> str:
    """ "flipper_length_mm ≤ 206.5"; of many conditions, unless it is to be the `whole` title, how many: "at least 12 of
    16 conditions"."""
    assert found.split is not None
    if found.split.kind == "m_of_n":
        text = engine.splits.full_words(found.split, 0, kinds)
        return text if whole or len(text) <= MOST_HEADING else engine.splits.title(found.split)
    first = engine.splits.branch_words(found.split, 0, kinds)
    return (
        f"{found.column} {first}"
        if found.split.n_branches == 2
        else f"{found.column}: {found.split.n_branches} branches"
    )


def lines(found: engine.Candidate, worked: Arithmetic, kinds: dict[str, str]) -> list[Line]:
    """All steps from the counts to the gain and to its p-value."""
    assert found.split is not None
    names = [engine.splits.branch_words(found.split, b, kinds) for b in range(len(worked.branches))]
    said = [
        _of_part(_cut_off(name, MOST_NAME), part, math.isnan(worked.information))
        for name, part in zip(["node", *names], [worked.node, *worked.branches], strict=True)
    ]
    if math.isnan(worked.children):
        said.append(
            Line("gain", "known from the rows, not from counts", words.gain(worked.drop), strong=True, rule=True)
        )
    else:
        filled = [part for part in worked.branches if part.weight > 0]
        each = " + ".join(f"{_short(part.share)} · {words.gain(part.impurity)}" for part in filled)
        if len(filled) > MOST_SUMMED:
            each = f"Σ share · impurity over {len(filled)} branches"
        said.append(Line("branches", each, words.gain(worked.children), rule=True))
        less = f"{words.gain(worked.node.impurity)} − {words.gain(worked.children)}"
        said.append(Line("drop", less, words.gain(worked.drop), strong=True))
        if not math.isnan(worked.searched):
            of = "of the rows that have the value, times their share"
            said.append(Line("gain", of, words.gain(worked.searched), strong=True))
    if not math.isnan(worked.information):
        said.append(Line("split info", _sizes(found, worked), f"{words.gain(worked.information)}", rule=True))
        own = engine.CRITERIA[worked.criterion]
        of_own = [one.name for one in engine.CRITERIA.values() if one.by_ratio and own.name in (one.name, one.measures)]
        ratio = worked.ratio
        if math.isnan(ratio) and of_own:
            ratio = found.scores.get(of_own[0], math.nan)
        if of_own and not math.isnan(ratio):
            of = f"{words.gain(worked.gain)} ÷ {words.gain(worked.information)}"
            said.append(Line("gain ratio", of, words.gain(ratio), strong=own.by_ratio))
    return said + _of_evidence(worked)


def _of_part(name: str, part: Part, by_squares: bool) -> Line:
    rows = _plain(part.weight)
    if part.weight <= 0:
        return Line(name, "no rows", words.NOTHING, rows)
    if math.isnan(part.impurity):
        return Line(name, "", words.NOTHING, rows)
    terms = f"{words.gain(part.counts[2])} ÷ {rows}" if by_squares else part.terms
    return Line(name, _middle_out(terms, MOST_TERMS), words.gain(part.impurity), rows)


def _sizes(found: engine.Candidate, worked: Arithmetic) -> str:
    filled = [part for part in worked.branches if part.weight > 0]
    shares = [f"{_short(part.share)} · log₂ {_short(part.share)}" for part in filled]
    if found.missing or len(filled) > MOST_SUMMED:
        return "bits of the sizes" + (", missing rows apart" if found.missing else "")
    return f"−{' − '.join(shares)}"


def _of_evidence(worked: Arithmetic) -> list[Line]:
    from engine.ranking.arithmetic import how_adjusted, probability  # it loads the compiler

    test = worked.evidence
    if test is None:
        return []
    freedom = " and ".join(map(_plain, test.freedom))
    noun = "degree" if test.freedom == (1,) else "degrees"
    of = f"{freedom} {noun} of freedom, {words.count(test.rows)} rows"
    said = [
        Line(f"test: {test.test}", of, words.gain(test.statistic), rule=True),
        Line("p", "for this one split alone", probability(test.log_p)),
    ]
    if test.log_tries > 0 or test.deals or test.log_adjusted > test.log_p:
        p = ("< " if test.is_bound else "") + probability(test.log_adjusted)
        said.append(Line("adjusted p", how_adjusted(test), p))
    return [*said, Line("LogWorth", "−log₁₀ of it", f"{test.logworth:,.2f}", strong=True)]


def html(heading: str, formula: str, said: list[Line], quiet: str, border: str) -> str:
    """The steps in aligned columns: name, rows, working, result."""
    rows = []
    for line in said:
        top = f"border-top: 1px solid {border};" if line.rule else ""
        cell = f'style="padding: 1px 8px 1px 0; {top}"'
        weight = ("<b>", "</b>") if line.strong else ("", "")
        name, many, working, result = map(escape, (line.name, line.rows, line.working, line.result))
        rows.append(
            f"<tr><td {cell}>{weight[0]}{name}{weight[1]}</td>"
            f'<td {cell} align="right"><span style="color:{quiet}">{many}</span></td>'
            f'<td {cell}><span style="color:{quiet}">{working}</span></td>'
            f'<td {cell} align="right">{weight[0]}{result}{weight[1]}</td></tr>'
        )
    head = f'<b>{escape(heading)}</b> <span style="color:{quiet}">&nbsp; {escape(formula)}</span>'
    return f'{head}<table width="99%" cellspacing="0" cellpadding="0">{"".join(rows)}</table>'


# -- what the training error sees


def sentence(found: engine.Candidate, criterion: str, tree: engine.Tree, focus: int) -> str:
    """Why the training error sees something or nothing in a split, or no criterion anything, with its own figures; of
    a numeric target, what the figure shows."""
    if tree.task == "number":
        return (
            "Each branch stands at its mean on the curve: the node's variance less the squared distance from its mean. "
            "The chord lies below the top by the mean of those squares: the drop. What is left is inside the branches."
        )
    stats = np.stack(found.train)
    weights = stats.sum(axis=1)
    stats, weights = stats[weights > 0], weights[weights > 0]
    total = stats.sum(axis=0)
    before, wrong = total.sum() - total.max(), weights - stats.max(axis=1)
    if np.allclose(stats / weights[:, None], total / total.sum(), rtol=0.0, atol=SAME):
        share = f"{words.rate(total[focus] / total.sum())} {tree.classes[focus]}"
        return _unseen_by_all(len(stats), share if stats.shape[1] == 2 else "the class shares of the node")
    blind = before - wrong.sum() <= 1e-9 * total.sum()
    errors = f"{_plain(before)} wrong rows before, {' + '.join(map(_plain, wrong[:MOST_SUMMED]))}"
    errors += f"{' + …' if len(wrong) > MOST_SUMMED else ''} after"
    label = tree.classes[int(total.argmax())]
    if stats.shape[1] > 2 and blind:
        return f"The training error sees nothing: “{label}” stays the label, {errors}.{_seen_by(found, criterion)}"
    if stats.shape[1] > 2:
        return f"The training error sees this split, too: not every branch says “{label}”, {errors}."
    parts = " / ".join(_short(share) for share in (stats[:, focus] / weights)[:MOST_SUMMED])
    shares = f"{_short(total[focus] / total.sum())} → {parts}{' …' if len(stats) > MOST_SUMMED else ''}"
    if blind:
        return (
            f"The training error sees nothing: {shares} lie on one side of ½, where its curve is straight, so chord "
            f"and curve are one ({errors}).{_seen_by(found, criterion)}"
        )
    return f"{shares}: on both sides of ½, where the training error has its kink, so it sees the split, too ({errors})."


def _unseen_by_all(n_branches: int, share: str) -> str:
    """Of a split whose branches have the shares of the classes that the node has, as the first one of XOR."""
    if n_branches == 1:
        return f"No criterion sees a gain: all rows go into one branch, which keeps {share}."
    every = "both" if n_branches == 2 else f"all {n_branches}"
    return f"No criterion sees a gain: {every} branches keep {share}."


def _seen_by(found: engine.Candidate, criterion: str) -> str:
    """By how much a curved criterion falls all the same."""
    one = engine.CRITERIA[criterion]
    name = DEFAULT[one.task] if one.breaks_ties or one.by_ratio else criterion
    drop = found.scores.get(name, math.nan)
    return (
        f" {engine.CRITERIA[name].label} falls by {words.gain(drop)}: its curve bends everywhere." if drop > 0 else ""
    )


def _short(share: float) -> str:
    """A share with at most three digits: "0.6", "0.337"."""
    return f"{share:.3g}"


def _plain(count: float) -> str:
    return words.count(float(count))


def _cut_off(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip(' …')} …"


def _middle_out(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    tail = most // 3
    first, last = text[: most - tail - 2], text[-tail:]
    return f"{first[: first.rfind(' ')]} … {last[last.find(' ') + 1 :]}"  # at blanks: half a number is another one
