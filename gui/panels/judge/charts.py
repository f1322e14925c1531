"""The charts of the panel Curves as numbers: what each draws of a fit, without any widget."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.sentences import marked, tr
from gui.wording import words

SHARES = 10  # of rows, for the response
MOST_LEAVES = 400  # that are drawn, those of the most rows
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """What a chart draws of one part: a line, or a dot for each leaf with what lies around it."""

    x: Floats
    y: Floats
    spans: tuple[Floats, ...] = ()  # float64[n, 2] each, from low to high; the wide one first
    nodes: NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(0, np.int64)
    )  # whose dots they are; of lines none
    threshold: Floats = field(default_factory=lambda: np.zeros(0))  # falling; from which on the class is called
    along: Floats = field(default_factory=lambda: np.zeros(0))  # where each threshold stands
    n_leaves: int = 0  # of which the dots are some
    steps: bool = False  # whether x are the edges of steps, one more than y
    unit: str = ""  # the word behind y
    best: int = -1  # the step that is marked; of others than training rows none


@dataclass(frozen=True)
class Chart:
    """One kind of chart: its words, what it draws, and the line of a tree that knows nothing."""

    label: str
    across: str
    up: str
    sentence: str
    curve: Callable[[engine.Fit, str], Curve]
    of: str = "classes"  # the task of the tree
    base: Callable[[engine.Fit, str], tuple[float, float]] = lambda fit, label: (0.0, 1.0)  # y at both ends of x
    shares: tuple[bool, bool] = True, True  # whether x and y are shares
    paid: bool = False  # whether it needs profits


def _line(x: str, y: str) -> Callable[[engine.Fit, str], Curve]:
    def curve(fit: engine.Fit, label: str) -> Curve:
        found = fit.ranking(label)
        across, up = getattr(found, x), getattr(found, y)
        known = np.isfinite(across) & np.isfinite(up)
        return Curve(across[known], up[known], threshold=_thresholds(fit, found)[known], along=across[known])

    return curve


def _thresholds(fit: engine.Fit, found: engine.Ranking) -> Floats:
    """The probabilities along a curve; of folds these are none that all trees share."""
    return np.full(found.threshold.size, np.nan) if fit.part == "folds" else found.threshold


def _share(fit: engine.Fit, label: str) -> tuple[float, float]:
    found = fit.ranking(label)
    share = float(found.hits[-1] / found.called[-1]) if found.called[-1] > 0 else math.nan
    return share, share


def _response(fit: engine.Fit, label: str) -> Curve:
    ranked = fit.ranking(label)
    found = ranked.by_percentile(SHARES)
    known = np.isfinite(found.response).all()
    y = found.response if known else np.zeros(0)
    x = np.append(0.0, found.depth) if known else np.zeros(0)
    return Curve(x, y, threshold=_thresholds(fit, ranked), along=ranked.depth, steps=True)


def _profit(fit: engine.Fit, label: str) -> Curve:
    found = fit.profit(label)
    if not np.isfinite(found.mean).all():
        return Curve(np.zeros(0), np.zeros(0), steps=True)
    along, best = np.minimum(found.threshold, 1.0), found.mean.size - 1 - found.best if fit.part == "train" else -1
    x, y = np.append(0.0, along[::-1]), found.mean[::-1]
    return Curve(x, y, threshold=found.threshold, along=along, steps=True, unit=found.currency, best=best)


def _all_or_none(fit: engine.Fit, label: str) -> tuple[float, float]:
    mean = fit.profit(label).mean
    best = float(max(mean[0], mean[-1]))
    return best, best


def _largest(weight: Floats) -> NDArray[np.intp]:
    """The places of the leaves that are drawn: those that have rows, of very many the largest."""
    there = np.flatnonzero(weight > 0)
    return np.sort(there[np.argsort(-weight[there], kind="stable")[:MOST_LEAVES]])


def _calibration(fit: engine.Fit, label: str) -> Curve:
    found = fit.calibration(label)
    some = _largest(found.weight)
    spans = (found.interval[some],) if fit.part != "train" else ()
    n = int(np.count_nonzero(found.weight > 0))
    return Curve(found.said[some], found.seen[some], spans, found.node[some], n_leaves=n)


def _numbers(residuals: bool) -> Callable[[engine.Fit, str], Curve]:
    def curve(fit: engine.Fit, label: str) -> Curve:
        found = fit.residuals
        if found is None:
            return Curve(np.zeros(0), np.zeros(0))
        some, n = _largest(found.weight), int(np.count_nonzero(found.weight > 0))
        off = np.zeros(some.size) if residuals else found.predicted[some]
        quantiles = found.quantiles[some] + off[:, None]
        x: Floats = some.astype(np.float64) + 1 if residuals else found.predicted[some]
        y = quantiles[:, 2] if residuals else found.mean[some]
        return Curve(x, y, (quantiles[:, [0, 4]], quantiles[:, [1, 3]]), found.node[some], n_leaves=n)

    return curve


def _ends(fit: engine.Fit, label: str) -> tuple[float, float]:
    predicted = fit.residuals.predicted if fit.residuals is not None else np.zeros(1)
    return float(predicted.min()), float(predicted.max())


CHARTS = {
    "roc": Chart(
        marked("ROC"), marked("false positive rate"), marked("true positive rate"),
        marked("Rows of {name} that are called so, against other rows that are; the grey line is chance"),
        _line("false_positive_rate", "recall"),
    ),
    "precision": Chart(
        marked("Precision and recall"), marked("recall"), marked("precision"),
        marked("How many of the rows that are called {name} are so, against how many of {name} are found"),
        _line("recall", "precision"), base=_share,
    ),
    "gains": Chart(
        marked("Cumulative gains"), marked("share of the rows"), marked("share of the class"),
        marked("Which share of {name} is among the rows of the highest probability; the grey line is chance"),
        _line("depth", "recall"),
    ),
    "lift": Chart(
        marked("Lift"), marked("share of the rows"), marked("lift"),
        marked("How many times as frequent {name} is among the rows of the highest probability"),
        _line("depth", "lift"), base=lambda fit, label: (1.0, 1.0), shares=(True, False),
    ),
    "response": Chart(
        marked("Response by percentile"), marked("share of the rows"), marked("response"),
        marked("The share of {name} in each tenth of the rows, those of the highest probability first"),
        _response, base=_share,
    ),
    "calibration": Chart(
        marked("Calibration"), marked("probability"), marked("share that came true"),
        marked("A dot for each leaf, with Wilson's 95 % interval: what it says of {name}, and what came true"),
        _calibration,
    ),
    "profit": Chart(
        marked("Profit"), marked("threshold"), marked("profit per row"),
        marked("What a row earns on average if rows are acted on from each probability of {name} on; the grey line is "
               "acting on all rows, or on none"),
        _profit, base=_all_or_none, shares=(True, False), paid=True,
    ),
    "predicted": Chart(
        marked("Predicted and actual"), marked("predicted"), marked("actual"),
        marked("A dot for each leaf: the mean of its rows, with the middle 50 % and 90 % of them"),
        _numbers(False), "number", _ends, (False, False),
    ),
    "residuals": Chart(
        marked("Residuals by leaf"), marked("leaf, from left to right"), marked("actual less predicted"),
        marked("A dot for each leaf: the median residual, with the middle 50 % and 90 % of its rows"),
        _numbers(True), "number", lambda fit, label: (0.0, 0.0), (False, False),
    ),
}  # fmt: skip


def offered(tree: engine.Tree) -> dict[str, str]:
    return {
        name: tr(chart.label) for name, chart in CHARTS.items()
        if chart.of == tree.task and (tree.leaf_rule.profits or not chart.paid)
    }  # fmt: skip


def amount(value: float, curve: Curve) -> str:
    """A value of y that is no share, with its unit."""
    return f"{words.value(value)} {curve.unit}".rstrip()


def best_words(curve: Curve) -> str:
    """Which threshold is marked; empty where none is."""
    if curve.best < 0:
        return ""
    earned = amount(float(curve.y[curve.best]), curve)
    if curve.best == curve.y.size - 1:
        return tr("On the training rows it is best to act on none: {earned} per row.", earned=earned)
    share = words.percent(float(curve.x[curve.best + 1]))
    return tr("On the training rows the best threshold is {share}: {earned} per row.", share=share, earned=earned)


def figure(fit: engine.Fit, label: str, sure: bool) -> str:
    """What a part is worth in one figure, behind its name: "AUC 0.933 ± 0.023"; of numbers R². `sure`: whether its
    standard error holds."""
    if not fit.classes:
        return tr("R² {figure}", figure=words.value(fit.r2))
    found = fit.ranking(label)
    if not sure or not math.isfinite(found.auc_error):
        return tr("AUC {figure}", figure=words.value(found.auc))
    return tr("AUC {figure} ± {spread}", figure=words.value(found.auc), spread=words.value(found.auc_error))
