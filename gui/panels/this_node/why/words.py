"""The arithmetic of a split as rows of a table, and what the training error makes of it in a sentence. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np

import engine
from engine.criteria import DEFAULT
from engine.runtime.sentences import tr
from gui.wording import phrases, words

if TYPE_CHECKING:  # it brings the compiler
    from engine.ranking.arithmetic import Arithmetic, Part

MOST_HEADING, MOST_NAME, MOST_TERMS = 120, 26, 150  # letters; more is left out in the middle, copying gives all
MOST_SUMMED = 4  # branches whose sum is written out
SAME = 1e-9  # of class shares: nearer ones are equal


@dataclass(frozen=True)
class Line:
    """One step."""

    name: str
    working: str  # how it is worked out
    result: str  # what comes out
    rows: str = ""  # of how many rows by weight
    strong: bool = False
    rule: bool = False  # a line stands above it


def fit_for_arithmetic(found: engine.Candidate, task: str, curve: engine.Curve | None) -> engine.Candidate:
    """A candidate whose scores tell which target it has; the split of an inner node comes without."""
    usual = DEFAULT[task]
    if usual in found.scores or found.split is None:
        return found
    weighed = curve.weigh(found.split) if curve is not None else None
    return weighed if weighed is not None else replace(found, scores={usual: math.nan, **found.scores})


def title(found: engine.Candidate, kinds: dict[str, str], whole: bool = False) -> str:
    """ "flipper_length_mm ≤ 206.5"; of many conditions, unless it is to be whole: "at least 12 of 16 conditions"."""
    assert found.split is not None
    if found.split.kind == "m_of_n":
        text = engine.splits.full_words(found.split, 0, kinds)
        return text if whole or len(text) <= MOST_HEADING else engine.splits.title(found.split)
    if found.split.n_branches == 2:
        return f"{found.column} {engine.splits.branch_words(found.split, 0, kinds)}"
    return tr("{column}: {n} branches", column=found.column, n=found.split.n_branches)


def lines(found: engine.Candidate, worked: Arithmetic, kinds: dict[str, str], is_sampled: bool = False) -> list[Line]:
    """All steps from the counts to the gain and to its p-value; `is_sampled`: whether rows have sampling weights."""
    assert found.split is not None
    names = [engine.splits.branch_words(found.split, b, kinds) for b in range(len(worked.branches))]
    said = [
        _of_part(_cut_off(name, MOST_NAME), part, math.isnan(worked.information))
        for name, part in zip([tr("node"), *names], [worked.node, *worked.branches], strict=True)
    ]
    gain, drop = tr("gain"), words.gain(worked.drop)
    if math.isnan(worked.children):
        said.append(Line(gain, tr("known from the rows, not from counts"), drop, strong=True, rule=True))
    else:
        filled = [part for part in worked.branches if part.weight > 0]
        each = " + ".join(f"{_short(part.share)} · {words.gain(part.impurity)}" for part in filled)
        if len(filled) > MOST_SUMMED:
            each = tr("Σ share · impurity over {n} branches", n=len(filled))
        said.append(Line(tr("branches"), each, words.gain(worked.children), rule=True))
        less = f"{words.gain(worked.node.impurity)} − {words.gain(worked.children)}"
        said.append(Line(tr("drop"), less, drop, strong=True))
        if not math.isnan(worked.searched):
            of = tr("of the rows that have the value, times their share")
            said.append(Line(gain, of, words.gain(worked.searched), strong=True))
    net = words.gain(worked.gain - worked.penalty)
    if worked.penalty:
        less = f"{words.gain(worked.gain)} − {words.gain(worked.penalty)}"
        said.append(Line(tr("less penalty"), tr("{terms}, log₂ of the cuts ÷ rows", terms=less), net))
    if not math.isnan(worked.information):
        said.append(Line(tr("split info"), _sizes(found, worked), words.gain(worked.information), rule=True))
        own = engine.CRITERIA[worked.criterion]
        of_own = [one.name for one in engine.CRITERIA.values() if one.by_ratio and own.name in (one.name, one.measures)]
        ratio = found.scores.get(of_own[0], math.nan) if math.isnan(worked.ratio) and of_own else worked.ratio
        if of_own and not math.isnan(ratio):
            of = f"{net} ÷ {words.gain(worked.information)}"
            said.append(Line(tr("gain ratio"), of, words.gain(ratio), strong=own.by_ratio))
    return said + _of_evidence(worked, is_sampled)


def _of_part(name: str, part: Part, by_squares: bool) -> Line:
    rows = words.count(part.weight)
    if part.weight <= 0:
        return Line(name, tr("no rows"), words.NOTHING, rows)
    if math.isnan(part.impurity):
        return Line(name, "", words.NOTHING, rows)
    terms = f"{words.gain(part.counts[2])} ÷ {rows}" if by_squares else part.terms
    return Line(name, _middle_out(terms, MOST_TERMS), words.gain(part.impurity), rows)


def _sizes(found: engine.Candidate, worked: Arithmetic) -> str:
    filled = [part for part in worked.branches if part.weight > 0]
    shares = [f"{_short(part.share)} · log₂ {_short(part.share)}" for part in filled]
    if found.missing or len(filled) > MOST_SUMMED:
        return tr("bits of the sizes, missing rows apart") if found.missing else tr("bits of the sizes")
    return f"−{' − '.join(shares)}"


def _of_evidence(worked: Arithmetic, is_sampled: bool) -> list[Line]:
    from engine.ranking.arithmetic import how_adjusted, probability  # it loads the compiler

    test = worked.evidence
    if test is None:
        return []
    freedom, n = tr(" and ").join(map(words.count, test.freedom)), words.count(test.rows)
    rows = tr("{n} effective rows", n=n) if is_sampled else phrases.counted_rows(test.rows)
    of = tr("{n} degrees of freedom, {rows}", n=freedom, rows=rows)
    if test.freedom == (1,):
        of = tr("1 degree of freedom, {rows}", rows=rows)
    said = [
        Line(tr("test: {test}", test=test.test), of, words.gain(test.statistic), rule=True),
        Line(tr("p"), tr("for this one split alone"), probability(test.log_p)),
    ]
    if test.log_tries > 0 or test.deals or test.log_adjusted > test.log_p:
        p = ("< " if test.is_bound else "") + probability(test.log_adjusted)
        said.append(Line(tr("adjusted p"), how_adjusted(test), p))
    return [*said, Line(tr("LogWorth"), tr("−log₁₀ of it"), f"{test.logworth:,.2f}", strong=True)]


def html(heading: str, formula: str, said: list[Line], remark: str, *, quiet: str, border: str, narrow: bool) -> str:
    """The steps in aligned columns: name, rows, working, result; where it is `narrow` rows and working stand below, so
    that no number is broken. `remark` is said of all of it."""
    rows = []
    for line in said:
        cell = f'style="padding: 1px 8px 1px 0; {f"border-top: 1px solid {border};" if line.rule else ""}"'
        weight = ("<b>", "</b>") if line.strong else ("", "")
        name, many, working, result = map(escape, (line.name, line.rows, line.working, line.result))
        first = f"<tr><td {cell}>{weight[0]}{name}{weight[1]}</td>"
        last = f'<td {cell} align="right">{weight[0]}{result}{weight[1]}</td></tr>'
        if narrow:
            below = ": ".join(part for part in (many, working) if part)
            rows.append(f'{first}{last}<tr><td colspan="2"><span style="color:{quiet}">{below}</span></td></tr>')
        else:
            counted = f'<td {cell} align="right"><span style="color:{quiet}">{many}</span></td>'
            rows.append(f'{first}{counted}<td {cell}><span style="color:{quiet}">{working}</span></td>{last}')
    head = f'<b>{escape(heading)}</b> <span style="color:{quiet}">&nbsp; {escape(formula)}</span>'
    if remark:
        rows.insert(0, f'<tr><td colspan="4">{escape(remark)}</td></tr>')
    return f'{head}<table width="99%" cellspacing="0" cellpadding="0">{"".join(rows)}</table>'


def sentence(
    found: engine.Candidate, criterion: str, tree: engine.Tree, focus: int, is_sampled: bool = False
) -> str:  # fmt: skip
    """Why the training error, or no criterion, sees something in a split, with figures; of numbers what is shown.
    `is_sampled`: whether rows have sampling weights."""
    if tree.task == "number":
        return tr(
            "Each branch stands at its mean on the curve: the node's variance less the squared distance from its mean. "
            "The chord lies below the top by the mean of those squares: the drop. What is left is inside the branches."
        )
    if text := unseen_by_all(found, tree, focus):
        return text
    stats = np.stack(found.train)
    weights = stats.sum(axis=1)
    stats, weights = stats[weights > 0], weights[weights > 0]
    total = stats.sum(axis=0)
    before, wrong = total.sum() - total.max(), weights - stats.max(axis=1)
    blind = before - wrong.sum() <= 1e-9 * total.sum()
    after = " + ".join(map(words.count, wrong[:MOST_SUMMED])) + " + …" * (len(wrong) > MOST_SUMMED)
    told = {"before": words.count(before), "after": after}
    errors = tr("{before} wrong rows before, {after} after", **told)
    if is_sampled:
        errors = tr("wrong weight {before} before, {after} after", **told)
    said = {"label": tree.classes[int(total.argmax())], "errors": errors}
    if stats.shape[1] > 2 and blind:
        text = tr("The training error sees nothing: “{label}” stays the label, {errors}.", **said)
        return f"{text} {_seen_by(found, criterion)}".strip()
    if stats.shape[1] > 2:
        return tr("The training error sees this split, too: not every branch says “{label}”, {errors}.", **said)
    parts = " / ".join(_short(share) for share in (stats[:, focus] / weights)[:MOST_SUMMED])
    said["shares"] = f"{_short(total[focus] / total.sum())} → {parts}{' …' if len(stats) > MOST_SUMMED else ''}"
    if blind:
        text = tr(
            "The training error sees nothing: {shares} lie on one side of ½, where its curve is straight, so chord and "
            "curve are one ({errors}).",
            **said,
        )
        return f"{text} {_seen_by(found, criterion)}".strip()
    return tr(
        "{shares}: on both sides of ½, where the training error has its kink, so it sees the split, too ({errors}).",
        **said,
    )


def unseen_by_all(found: engine.Candidate, tree: engine.Tree, focus: int) -> str:
    """Of a split whose branches have the class shares of the node, as the first one of XOR; else empty."""
    stats = np.stack(found.train)
    if tree.task == "number" or not stats.sum() > 0:
        return ""
    stats = stats[stats.sum(axis=1) > 0]
    shares, n = stats.sum(axis=0) / stats.sum(), len(stats)
    if not np.allclose(stats / stats.sum(axis=1)[:, None], shares, rtol=0.0, atol=SAME):
        return ""
    kept = tr("the class shares of the node")
    if len(shares) == 2:
        kept = tr("{share} “{label}”", share=words.rate(shares[focus]), label=tree.classes[focus])
    if n == 1:
        return tr("No criterion sees a gain: all rows go into one branch, which keeps {share}.", share=kept)
    if n == 2:
        return tr("No criterion sees a gain: both branches keep {share}.", share=kept)
    return tr("No criterion sees a gain: all {n} branches keep {share}.", n=n, share=kept)


def _seen_by(found: engine.Candidate, criterion: str) -> str:
    one = engine.CRITERIA[criterion]
    name = DEFAULT[one.task] if one.breaks_ties or one.by_score else criterion
    drop = found.scores.get(name, math.nan)
    said = {"criterion": tr(engine.CRITERIA[name].label), "drop": words.gain(drop)}
    return tr("{criterion} falls by {drop}: its curve bends everywhere.", **said) if drop > 0 else ""


def _short(share: float) -> str:
    return f"{share:.3g}"


def _cut_off(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip(' …')} …"


def _middle_out(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    tail = most // 3
    first, last = text[: most - tail - 2], text[-tail:]
    return f"{first[: first.rfind(' ')]} … {last[last.find(' ') + 1 :]}"  # at blanks: half a number is another one
