"""The columns of the candidates list: what each shows, and what it is called. A new one is one entry here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import engine
from engine.criteria import BINNED, CRITERIA
from gui.panels.this_node.candidates.words import number, times
from gui.wording import words


@dataclass(frozen=True)
class Row:
    """A candidate and what is known about it beside itself.

    Attributes:
        ahead: with the best splits below its branches. agreement: with the leading split, 0 to 1. times_next: its gain
            by that of the next best. NaN where it is not known (yet).
    """

    candidate: engine.Candidate
    ahead: float = math.nan
    agreement: float = math.nan
    times_next: float = math.nan


@dataclass(frozen=True)
class Figure:
    """One column of numbers.

    Attributes:
        name: in the settings. header: above the column. title: in the menu.
        explained: a sentence for the tooltip of the header.
        value: of a row with a split, to sort by; NaN where there is none. text: of the value.
    """

    name: str
    header: str
    title: str
    explained: str
    value: Callable[[Row], float]
    text: Callable[[float], str] = number
    sample: str = "0.0000"


def _share(row: Row) -> float:
    total = sum(row.candidate.rows)
    return min(row.candidate.rows) / total if total else math.nan


def _branches(row: Row) -> float:
    return float(row.candidate.split.n_branches) if row.candidate.split else math.nan


def _count(value: float) -> str:
    return words.count(value)


def _score(name: str) -> Callable[[Row], float]:
    return lambda row: row.candidate.scores.get(name, math.nan)


COLUMN, SPLIT, GAIN, AHEAD, VALIDATION, LOGWORTH, BRANCHES = range(7)
FIGURES = (
    Figure(
        "gain", "Gain", "Gain",
        "How much the impurity falls on the training rows that chose the split (by the gain ratio: of the entropy)",
        lambda row: row.candidate.gain,
    ),
    Figure(
        "ahead", "Two levels", "Gain with a second level",
        "What the split and the best one below each of its branches gain together; it fills in while nothing else is "
        "to be done",
        lambda row: row.ahead,
    ),
    Figure(
        "validation", "Validation", "Validation gain",
        "The gain of the split on the validation rows, which did not choose it. It is coloured where the training gain "
        "does not survive: less than a quarter of it is left, and two standard errors do not explain that",
        lambda row: row.candidate.validation_gain,
    ),
    Figure(
        "logworth", "LogWorth", "LogWorth",
        "−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01",
        lambda row: row.candidate.logworth, lambda value: number(value, 2), "000.00",
    ),
    Figure(
        "branches", "Branches", "Branches", "How many branches the split makes",
        _branches, lambda value: f"{value:.0f}", "00",
    ),
    Figure(
        "balance", "Smallest", "Share of the smallest branch",
        "The share of the node’s training rows in the smallest branch: near 0 the split cuts off a few rows",
        _share, words.percent, "00.0 %",
    ),
    Figure(
        "missing", "Missing", "Missing",
        "Training rows of the node in which the column is missing",
        lambda row: float(row.candidate.missing), _count, "000,000",
    ),
    Figure(
        "agreement", "Agrees", "Agreement with the leading split",
        "The share of training rows that go the same way as with the leading split; ≈ marks a mimic, which would tell "
        "the same once more",
        lambda row: row.agreement, words.percent, "≈ 00.0 %",
    ),
    Figure(
        "next", "To next", "Ratio to the next best",
        "How many times the gain of the next best split it has: 2.99 × is a cliff, 1.02 × a plateau",
        lambda row: row.times_next, times, "00.00 ×",
    ),
    *(
        Figure(
            name, criterion.short, f"Same split by {criterion.label}",
            f"What the same split gains by this criterion: {criterion.formula}", _score(name),
        )
        for name, criterion in CRITERIA.items()
    ),
)  # fmt: skip
FIRST = 2  # the section of the first figure
HEADERS = ("Column", "Split", *(figure.header for figure in FIGURES))
EXPLAINED = (
    "The column that the rows would be split by; right arrow unfolds its further local optima",
    "The best split of this column",
    *(figure.explained for figure in FIGURES),
)
SECTIONS = {figure.name: FIRST + i for i, figure in enumerate(FIGURES)}
AGREEMENT, TO_NEXT, BALANCE, MISSING = (SECTIONS[name] for name in ("agreement", "next", "balance", "missing"))
USUAL = ("gain", "validation")  # shown when nobody has chosen
COMPARABLE = ("logworth", "validation", *CRITERIA)  # what may stand beside the criterion


def figure_of(section: int) -> Figure | None:
    """The figure of a section; None of the column's name and the split."""
    return FIGURES[section - FIRST] if section >= FIRST else None


def offered(task: str, criterion: str) -> list[str]:
    """The names of the figures that make sense for a target: the criterion itself stands in “Gain”."""
    others = engine.criteria_for(task) if task else []
    told = [
        one for one in others if one.is_counted or {one.name, criterion} <= set(BINNED)
    ]  # the search computes no others
    scores = [one.name for one in told if one.name != criterion or one.by_ratio]
    return [figure.name for figure in FIGURES if figure.name not in CRITERIA] + scores
