"""What the columns panel tells about a column: how often it is missing, its shape, and what looks wrong with it.

Plain numpy over the codes of a column, run in the worker. The list looks at large tables through a sample of rows, the
profile of one column at all of them. Rows that are kept for the test are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from gui.widgets.bars import bar_of_code
from gui.wording import words
from gui.wording.phrases import ROWS_PER_LEVEL

BARS = 16
MOST_LEVELS = 8  # of a profile, each in a line
SAMPLE = 50_000  # rows; a picture 80 pixels wide and a test at 99 % need no more
MOST_STACKED = 8  # classes; more colours than that are not told apart in a small picture
MOST_CELLS = 4_000_000  # of a table of counts by value and class
LEAST_ROWS = 50  # below, one column separating the classes is no surprise
NEARLY_UNIQUE = 0.9
NEAR_PERFECT = 0.99
ERRORS_LEFT = 0.1  # of the root's
Bars = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known about one column."""

    n_rows: int
    n_missing: int  # rows without a value
    n_distinct: int  # different values or levels that occur
    bars: Bars  # [bars, classes]: rows by value (left to right) and class, or [bars, 1] without classes
    shown: str = ""  # what the bars stand for, in words
    warning: str = ""  # what a person should look at before trusting the column; empty where there is nothing


@dataclass(frozen=True, eq=False)
class Profile:
    """More about one column, of all rows; `figures` are mean, minimum, lower quartile, median, upper quartile and
    maximum of numbers and dates (in seconds), NaN where there is none; empty for levels."""

    n_rows: int
    n_missing: int
    bars: Bars  # [bars, classes], as those of `Facts`
    names: tuple[str, ...]  # the levels that the bars stand for
    more: int  # levels that have no bar
    figures: tuple[float, ...]
    drawn_from: int = 0  # rows of the table, where only a sample of them was looked at


def facts_of(table: engine.Table, places: list[int], progress: Progress) -> list[Facts]:
    """Of some columns; of none where a stop was asked for while rows were drawn."""
    try:
        return [facts(table, place, progress) for place in places]
    except Stopped:
        return []


def facts(table: engine.Table, place: int, progress: Progress | None = None) -> Facts:
    if table.counter is not None:
        column, found = table.columns[place], facts(table.seen(SAMPLE, progress), place)
        n_rows = table.n_train + table.n_validation  # of which missing values were counted
        return replace(found, n_rows=n_rows, n_missing=column.n_missing, n_distinct=column.n_values)
    column = _seen(table, place)
    bars, _ = _bars(table, column, _sampled(np.arange(table.unsealed.size)), BARS)
    shown, warning = _shown(column), _warning(table, column, table.columns[place])
    return Facts(column.codes.size, column.n_missing, column.n_present, bars, shown, warning)


def profile(table: engine.Table, place: int) -> Profile:
    if table.counter is not None:
        found, n_rows = profile(table.seen(SAMPLE), place), table.n_train + table.n_validation
        return replace(found, drawn_from=n_rows if found.n_rows < n_rows else 0)
    column = _seen(table, place)
    n_rows = column.codes.size
    bars, order = _bars(table, column, np.arange(n_rows), BARS if column.is_numeric else MOST_LEVELS)
    if not column.is_numeric:
        names, more = tuple(column.text(i) for i in order[: len(bars)]), max(column.n_values - len(bars), 0)
        return Profile(n_rows, column.n_missing, bars, names, more, ())
    numbers = column.numbers[column.codes > 0]
    numbers = numbers if numbers.size else np.array([np.nan])
    with np.errstate(invalid="ignore"):  # infinite ones have no mean
        figures = float(numbers.mean()), *np.quantile(numbers, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return Profile(n_rows, column.n_missing, bars, (), 0, figures)


def _seen(table: engine.Table, place: int) -> engine.Column:
    """A column in the rows that are not kept for the test; numbers that only those have are gone."""
    column = table.columns[place]
    return column if table.unsealed.size == table.n_rows else column.among(table.unsealed)


def _sampled(rows: NDArray[Any]) -> NDArray[Any]:
    """At most about SAMPLE of the rows, evenly spread."""
    return rows[:: max(1, -(-rows.size // SAMPLE))]


def _bars(table: engine.Table, column: engine.Column, rows: NDArray[Any], most: int) -> tuple[Bars, NDArray[np.intp]]:
    """Rows by bar and class, and the levels in the order of the bars; `rows` count those that are not kept for the
    test."""
    codes = column.codes[rows]
    bar_of, n_bars, order = bar_of_code(column, np.bincount(codes, minlength=column.n_values + 1), most)
    by_class = table.target is not None and table.task == "classes" and 1 < len(table.classes) <= MOST_STACKED
    n_classes = len(table.classes) if by_class else 1
    classes = table.y[table.unsealed[rows]].astype(np.int64) if by_class else np.zeros(rows.size, dtype=np.int64)
    bars = bar_of[codes]
    keep = (codes > 0) & (classes < n_classes) & (bars < n_bars)
    counts = np.bincount(bars[keep] * n_classes + classes[keep], minlength=n_bars * n_classes).astype(np.float64)
    return counts.reshape(n_bars, n_classes), order


def _shown(column: engine.Column) -> str:
    if column.n_values == 0:
        return ""
    if column.is_numeric:
        return tr("From {first} to {last}", first=column.text(0), last=column.text(column.n_values - 1))
    if column.n_values > BARS:
        levels = words.count(column.n_values)
        if column.kind == "nominal":
            return tr("The {shown} most frequent of {levels} levels", shown=BARS, levels=levels)
        return tr("The {shown} first of {levels} levels", shown=BARS, levels=levels)
    return ", ".join(column.text(i) for i in range(min(column.n_values, 6))) + (", …" if column.n_values > 6 else "")


def _warning(table: engine.Table, column: engine.Column, whole: engine.Column) -> str:
    if column.n_present == 0:
        return tr("Empty: it is missing in every row.")
    if column.n_present == 1:
        value = column.text(int(column.codes.max()) - 1)
        return tr("One value only: “{value}”. There is nothing to split.", value=value)
    if column.name == table.target:
        return ""
    n_known = column.codes.size - column.n_missing
    if n_known >= 20 and _looks_like_a_name(column, n_known):
        return tr(
            "Nearly unique: {values} different values in {rows} rows. It may name the row rather than describe it.",
            values=words.count(column.n_present), rows=words.count(n_known),
        )  # fmt: skip
    if column.kind == "nominal" and n_known >= 20 and column.n_present * ROWS_PER_LEVEL > n_known:
        return tr(
            "{levels} levels in {rows} rows: splits by it would fit single rows. It is best ignored, or made a group.",
            levels=words.count(column.n_present), rows=words.count(n_known),
        )  # fmt: skip
    score = alone(table, whole, _sampled(table.rows(0)))
    if score is None:
        return ""
    share = words.percent(score)
    if table.task == "classes":
        return tr("Near-perfect alone ({share} right): is it known only after the outcome?", share=share)
    return tr(
        "Near-perfect alone ({share} of the variance explained): is it known only after the outcome?", share=share
    )


def _looks_like_a_name(column: engine.Column, n_known: int) -> bool:
    """Levels that nearly never come twice, or integers that count the rows. Measured numbers are often all distinct."""
    if column.n_present < NEARLY_UNIQUE * n_known or not column.is_numeric:
        return column.n_present >= NEARLY_UNIQUE * n_known
    span = column.values[-1] - column.values[0] + 1
    return column.kind == "integer" and bool(np.isfinite(span)) and column.n_present >= NEARLY_UNIQUE * span


def alone(table: engine.Table, column: engine.Column, rows: NDArray[Any]) -> float | None:
    """How well this column predicts the target by itself in some training rows; None where that is not near perfect.

    Every row is predicted from the other rows with its value (left out itself, so that a name for each row
    predicts nothing), or from one threshold. The score is the share of right rows, or R² for a numeric target.
    """
    if table.target is None or table.only_value is not None or rows.size < LEAST_ROWS:
        return None
    codes = np.unique(column.codes[rows], return_inverse=True)[1].astype(np.int64)
    known = column.codes[rows] > 0
    if table.task == "number":
        return _alone_number(column, codes, table.y[rows])
    n_values, n_classes = int(codes.max()) + 1, len(table.classes)
    if n_values * n_classes > MOST_CELLS:
        return None
    cells = codes * n_classes + table.y[rows].astype(np.int64)
    counts = np.bincount(cells, minlength=n_values * n_classes).reshape(n_values, n_classes)
    root = counts.sum(axis=0).max() / rows.size
    score = _left_out_majority(counts) / rows.size
    if column.is_numeric:
        missing = 0 if known.all() else 1
        score = max(score, _one_threshold(counts[missing:], counts[:missing]) / rows.size)
    near = root < 1 and score >= NEAR_PERFECT and 1 - score <= ERRORS_LEFT * (1 - root)
    return float(score) if near else None


def _left_out_majority(counts: NDArray[np.int64]) -> float:
    """Rows whose class leads among the OTHER rows of their value; a tie counts as wrong."""
    if counts.shape[1] < 2:
        return float(counts.sum())
    second, first = np.partition(counts, -2, axis=1)[:, -2:].T
    return float(first[first - 1 > second].sum())


def _one_threshold(counts: NDArray[np.int64], missing: NDArray[np.int64]) -> float:
    """Rows that the best single threshold gets right; missing rows count with their own majority."""
    left = counts.cumsum(axis=0)[:-1]
    if not left.size:
        return 0.0
    right = counts.sum(axis=0) - left
    return float((left.max(axis=1) + right.max(axis=1)).max() + missing.max(axis=1, initial=0).sum())


def _alone_number(column: engine.Column, codes: NDArray[np.int64], y: NDArray[np.float64]) -> float | None:
    centred = y - y.mean()
    total = float(centred @ centred)
    if not np.isfinite(total) or total <= 0:
        return None
    score = 1 - _left_out_squares(codes, centred) / total
    if column.is_numeric:
        score = max(score, 1 - _left_out_squares(_quantiles(codes), centred) / total)
    return score if score >= NEAR_PERFECT else None


def _quantiles(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """At most 256 groups of neighbouring values, with about eight rows or more in each."""
    per_value = np.bincount(codes)
    below = per_value.cumsum() - per_value
    n_groups = max(1, min(256, codes.size // 8))
    return (below * n_groups // codes.size)[codes]


def _left_out_squares(groups: NDArray[np.int64], centred: NDArray[np.float64]) -> float:
    """Σ (y − mean of the other rows of the group)²; alone in its group a row meets the mean of all."""
    rows = np.bincount(groups)
    sums = np.bincount(groups, weights=centred)
    squares = np.bincount(groups, weights=centred * centred)
    within = squares - sums * sums / np.maximum(rows, 1)
    left_out = np.where(rows > 1, within * (rows / np.maximum(rows - 1, 1)) ** 2, squares)
    return float(np.maximum(left_out, 0.0).sum())


def missing_text(facts: Facts) -> str:
    return f"{words.compact_count(facts.n_missing)} · {share_text(facts)}" if facts.n_missing else words.NOTHING


def share_text(facts: Facts) -> str:
    return words.rate(facts.n_missing / facts.n_rows) if facts.n_missing else words.NOTHING
