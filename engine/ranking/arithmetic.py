"""The sum behind a split, written out: every line can be recomputed by hand from the counts of the branches."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, DEFAULT, criteria_for, find_criterion, impurity, task_of
from engine.criteria.criterion import BINS, Criterion
from engine.criteria.kernels import split_information
from engine.ranking.weighing import Candidate
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.tally import weights_of
from engine.significance.adjusted import Evidence

DIGITS = 4  # significant ones of impurities, gains and statistics
SAME = 1e-9  # gains that differ by no more than this share of the node's impurity are one


@dataclass(frozen=True)
class Part:
    """The node or one of its branches.

    Attributes:
        name: "node", "branch 1", …
        counts: the weight of every class, in the table's order; of a numeric target (Σw, mean, Σw(y − mean)²).
        weight: its weight. share: of the node's weight.
        impurity: per unit of weight; NaN where the counts do not tell it.
        terms: the impurity with its numbers put in, "1 − (0.8² + 0.2²)"; empty where the counts do not tell it, or
            nobody wrote how.
    """

    name: str
    counts: tuple[float, ...]
    weight: float
    share: float
    impurity: float
    terms: str


@dataclass(frozen=True)
class Arithmetic:
    """The arithmetic of one split by one criterion.

    Attributes:
        criterion: its name. label, formula: how it reads.
        node: all rows. branches: in their order; those without weight are among them.
        children: Σ share · impurity of the branches. drop: impurity of the node less that, the gain. NaN where the
            counts do not tell the impurity: there `drop` is what was searched.
        information: the entropy of the branch sizes, missing rows counted as one more branch; NaN for numbers.
        ratio: gain less the penalty ÷ information; NaN but for the gain ratio.
        reweighed: whether the classes weigh as altered priors say.
        searched: the gain by which the split was chosen where that is another: rows that lack the value had no say.
            NaN where it is the drop.
        evidence: the test; None where it was not made.
        penalty: what is taken off the gain of a cut in bits, see `engine.search.quinlan`.
    """

    criterion: str
    label: str
    formula: str
    node: Part
    branches: tuple[Part, ...]
    children: float
    drop: float
    information: float
    ratio: float
    evidence: Evidence | None
    searched: float = math.nan
    reweighed: bool = False
    penalty: float = 0.0

    @property
    def gain(self) -> float:
        """What the split gains, as its candidate says."""
        return self.drop if math.isnan(self.searched) else self.searched

    def lines(self) -> list[str]:
        """The arithmetic as plain text, one line for each step."""
        said = [f"{self.label}: i = {self.formula}"]
        if self.reweighed:
            said.append(tr("Rows weigh as the altered priors say, from priors and costs."))
        said += [_of_part(part) for part in (self.node, *self.branches)]
        if not math.isnan(self.children):
            weighted = " + ".join(f"{_number(p.share)} · {_number(p.impurity)}" for p in self.branches if p.weight > 0)
            drop, children = _number(self.drop), _number(self.children)
            said.append(tr("mean of the branches = {terms} = {children}", terms=weighted, children=children))
            impurity = _number(self.node.impurity)
            said.append(tr("drop = {impurity} − {children} = {drop}", impurity=impurity, children=children, drop=drop))
            if not math.isnan(self.searched):
                gain = _number(self.searched)
                said.append(tr("gain = {gain}: of the rows that have the value, times their share", gain=gain))
        else:
            drop = _number(self.drop)
            said.append(tr("drop = {drop}; the counts of the branches do not tell it, their rows do", drop=drop))
        if self.penalty:
            gain, price, rest = map(_number, (self.gain, self.penalty, self.gain - self.penalty))
            said.append(
                tr("less the penalty for its choice: {gain} − {price} = {rest}", gain=gain, price=price, rest=rest)
            )
        if not math.isnan(self.information):
            said.append(tr("split information = {bits} bits", bits=_number(self.information)))
        if not math.isnan(self.ratio):
            gain, bits, ratio = map(_number, (self.gain - self.penalty, self.information, self.ratio))
            said.append(tr("ratio = {gain} ÷ {bits} = {ratio}", gain=gain, bits=bits, ratio=ratio))
        return said + (_of_evidence(self.evidence) if self.evidence is not None else [])


def arithmetic(candidate: Candidate, criterion: str) -> Arithmetic:
    """The arithmetic of a candidate by a criterion, which need not be the one that found it.

    Raises:
        InputError: the candidate has no split, or the criterion is not defined for its target.
    """
    if candidate.split is None:
        raise InputError(tr(
            "“{column}” has no split whose arithmetic could be shown: {reason}.", column=candidate.column,
            reason=candidate.reason))  # fmt: skip
    task = find_criterion(criterion).task
    if criterion not in candidate.scores and not (set(DEFAULT.values()) & set(candidate.scores)):
        raise InputError(tr("The scores of “{column}” do not tell which target it has.", column=candidate.column))
    one = find_criterion(criterion, task_of(candidate.scores))
    stats, known = np.stack(candidate.reweighed or candidate.train), one.is_counted
    weights = weights_of(stats, task == "classes")
    total = max(float(weights.sum()), 1e-300)
    branches = tuple(
        _part(tr("branch {n}", n=b + 1), one, stat, float(w), float(w) / total, known)
        for b, (stat, w) in enumerate(zip(stats, weights, strict=True))
    )
    node = _part(tr("node"), one, _joined(task, stats), total, 1.0, known)
    children = sum(part.share * part.impurity for part in branches if part.weight > 0) if known else math.nan
    drop = node.impurity - children if known else candidate.scores.get(criterion, math.nan)
    gain = candidate.scores.get(one.measures if one.by_score else one.name, math.nan)
    searched = gain if abs(gain - drop) > SAME * max(node.impurity, 1e-300) else math.nan
    information = ratio = math.nan
    if task == "classes":
        information = _information(candidate, weights)
        if one.by_ratio:
            net = (drop if math.isnan(searched) else searched) - candidate.penalty
            ratio = net / information if information > 0 else 0.0
    formula = CRITERIA[one.measures or criterion].formula
    return Arithmetic(
        criterion, one.label, formula if known else one.formula, node, branches, children, drop, information, ratio,
        candidate.evidence, searched, bool(candidate.reweighed),
        candidate.penalty if "entropy" in (one.name, one.measures) else 0.0,
    )  # fmt: skip


def _joined(task: str, stats: NDArray[np.float64]) -> NDArray[np.float64]:
    """The statistic of the node; for numbers (Σw, Σwy, Σw(y − mean)²)."""
    if task == "classes":
        return np.asarray(stats.sum(axis=0))
    weight, total = stats[:, 0].sum(), stats[:, 1].sum()
    mean = total / weight if weight > 0 else 0.0
    means = np.divide(stats[:, 1], stats[:, 0], out=np.zeros(len(stats)), where=stats[:, 0] > 0)
    return np.array([weight, total, float((stats[:, 2] + stats[:, 0] * (means - mean) ** 2).sum())])


def _information(candidate: Candidate, weights: NDArray[np.float64]) -> float:
    """The split information: from the gain ratio, which knows of missing rows; of the branches where that is 0."""
    for one in criteria_for("classes"):
        ratio, gain = candidate.scores.get(one.name, 0.0), candidate.scores.get(one.measures, 0.0)
        if one.by_ratio and ratio > 0 and gain > 0:
            return (gain - candidate.penalty) / ratio
    return float(split_information(weights))


def _part(name: str, one: Criterion, stat: NDArray[np.float64], weight: float, share: float, known: bool) -> Part:
    if one.task == "number":
        mean = float(stat[1] / stat[0]) if stat[0] > 0 else math.nan
        counts = (float(stat[0]), mean, float(stat[2]))
        if not known:
            return Part(name, counts, weight, share, math.nan, "")
        value = counts[2] / counts[0] if counts[0] > 0 else 0.0
        return Part(name, counts, weight, share, value, f"{_number(counts[2])} ÷ {_count(counts[0])}")
    by_class = tuple(map(float, stat))
    shares = [f"{_count(count)}/{_count(weight)}" for count in by_class if count > 0]
    terms = one.terms(shares, f"{_count(max(by_class))}/{_count(weight)}") if shares else ""
    return Part(name, by_class, weight, share, impurity(one.name, stat), terms)


def _of_part(part: Part) -> str:
    if math.isnan(part.impurity):
        said = {"part": part.name, "rows": _count(part.weight), "share": _number(part.share)}
        return tr("{part}: {rows} rows by weight, share {share}", **said)
    if part.weight <= 0:
        return tr("{part}: no rows", part=part.name)
    terms = f"{part.terms} = " if part.terms else ""
    said = {"part": part.name, "share": _number(part.share), "value": f"{terms}{_number(part.impurity)}"}
    return tr("{part}: share {share}, i = {value}", **said)


def _of_evidence(evidence: Evidence) -> list[str]:
    shown = {"test": evidence.test, "statistic": _number(evidence.statistic), "rows": evidence.rows}
    first, *others = evidence.freedom
    if others:
        text = tr("{test} = {statistic} with {one} and {other} degrees of freedom, {rows:,} rows", one=first,
                  other=others[0], **shown)  # fmt: skip
    elif first == 1:
        text = tr("{test} = {statistic} with 1 degree of freedom, {rows:,} rows", **shown)
    else:
        text = tr("{test} = {statistic} with {n} degrees of freedom, {rows:,} rows", n=first, **shown)
    said = [text, tr("p = {p}, as if no other split had been looked at", p=probability(evidence.log_p))]
    if evidence.log_tries > 0 or evidence.deals or evidence.log_adjusted > evidence.log_p:
        said.append(
            f"{how_adjusted(evidence)}: p {'<' if evidence.is_bound else '='} {probability(evidence.log_adjusted)}"
        )
    return [*said, f"LogWorth = −log₁₀ p = {_number(evidence.logworth)}"]


def how_adjusted(evidence: Evidence) -> str:
    """Where the adjusted p-value comes from: "the best of 7 splits of the column, permutation test (50 …)"."""
    said = []
    log_tries = evidence.log_tries
    if log_tries > 0:
        tries = f"{round(math.exp(log_tries)):,}" if log_tries < 20 else probability(log_tries)
        said.append(tr("the best of {tries} splits of the column", tries=tries))
    if evidence.deals:
        said.append(tr("permutation test ({n:,} permutations)", n=evidence.deals))
    return ", ".join(said) or tr("a branch of so few rows, by the hypergeometric law")


def probability(log_p: float) -> str:
    """A p-value, or how many splits were tried, from its natural logarithm: "0.03124", "2.1 · 10⁻⁴⁰⁰", "4 · 10¹²⁰⁹"."""
    power = log_p / math.log(10.0)
    if -4.0 < power < 6.0:
        return _number(math.exp(log_p))
    whole = math.floor(power)
    return f"{10.0 ** (power - whole):.3g} · 10{str(whole).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def _count(value: float) -> str:
    """A weight: a whole number as it is."""
    return f"{value:,.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:.6g}"


def criteria_of(candidate: Candidate) -> list[str]:
    """The criteria by which the arithmetic of a candidate can be shown."""
    told = candidate.scores
    return [one.name for one in criteria_for(task_of(candidate.scores)) if one.name in told and one.statistic != BINS]
