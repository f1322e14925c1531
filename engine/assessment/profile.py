"""Who stands in a node: every column of the table, by how much its rows differ from others in it."""

from collections.abc import Collection
from math import inf
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import gammaln

from engine.assessment.intervals import NAN, Floats
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.splits.split import threshold_between
from engine.table.column import Column
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.assignment import Assignment, assign
from engine.tree.nodes import TreeColumn
from engine.tree.rules import Interval, Levels
from engine.tree.tree import Tree

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]

REST, SIBLING, OF_VALIDATION = "rest", "sibling", "validation"  # what a group is compared with
NO_DESCRIPTION = ("weight", "frequency", "partition", "key")  # roles of columns that say nothing about a row
MEAN_OF_KOLMOGOROV = np.sqrt(np.pi / 2) * np.log(2)  # of the limit of √n × the distance of one distribution's samples


class Groups(NamedTuple):
    """The rows of two groups, as int[n] row numbers; those of a part without rows are empty."""

    rows: Rows
    others: Rows
    validation: Rows  # the same of the validation rows
    validation_others: Rows


def profile(
    table: Table, tree: Tree, nodes: int | Collection[int], against: str | int = REST, *,
    assignment: Assignment | None = None, progress: Progress | None = None,
) -> pd.DataFrame:  # fmt: skip
    """How the training rows of some nodes differ from others in every column, the target too; by `column`, that which
    differs most first. Columns that weigh, divide or name the rows are left out.

    The measure is the same for numbers and levels: the largest difference of shares that one condition on the column
    can show, of which more rows of the nodes fulfil it than others do. A condition is a threshold on numbers, dates and
    ordered levels, any set of levels otherwise, and missing values may be on either side. That is the distance of
    Kolmogorov (1933) and Smirnov (1939) between the distributions, and their total variation: 0 where the groups are
    alike, 1 where the column tells them apart. Weights and frequencies count. It is large by chance where groups are
    small or levels are many; so the columns are ordered by what exceeds that, (difference − chance) ÷ (1 − chance), as
    Cohen (1960) corrects agreement.

    Returns:
        A frame with, of the nodes and beginning with `other_` of the rows that they are compared with,

        - `kind`: of the column. `condition`: the one that shows most, in words; empty where nothing differs.
        - `share`: of the rows that fulfil it. `difference`: share − other_share.
        - `chance`: the mean difference of two random groups of these sizes; `beyond_chance`: see above. For numbers by
          the limit law of Kolmogorov, for levels exactly by the hypergeometric law; rows with sampling weights are as
          many as they are worth (Kish 1965).
        - `validation_share`, `validation_other_share` and `validation_difference`: the same condition on the
          validation rows, which had no part in finding it: far smaller where chance found it.
        - `mean` of numbers and dates (in seconds), `d`: the difference of the means ÷ their pooled standard deviation
          (Cohen 1988).
        - `missing`: the share of rows without a value.

    Args:
        table: the table. tree: the tree.
        nodes: ids; the rows of all of them together are the group.
        against: "rest": all other rows; "sibling": the other branches of the splits above the nodes; the id of a node,
            perhaps the parent; or "validation": the training rows of the nodes, with which their validation rows are
            compared. There are no columns of validation rows then.
        assignment: which rows stand in which node, if at hand.
        progress: a stop leaves the columns that were compared by then.

    Raises:
        InputError: no such node, or one of the groups has no rows.
    """
    groups = profiled_rows(table, tree, nodes, against, assignment)
    progress = progress or Progress()
    effective = tuple(_effective(table, rows) for rows in groups[:2])
    listed = [one for one in table.columns if table.roles.get(one.name) not in NO_DESCRIPTION]
    found = []
    for k, column in enumerate(listed):
        progress.report(k / len(listed), tr("Comparing “{column}”", column=column.name))
        if progress.stopped:
            break
        found.append(_compared(table, column, groups, effective))
    frame = pd.DataFrame(found).set_index("column") if found else pd.DataFrame(index=pd.Index([], name="column"))
    if not groups.validation.size and not groups.validation_others.size and found:
        frame = frame.drop(columns=[name for name in frame if name.startswith("validation_")])
    return frame.sort_values("beyond_chance", ascending=False, kind="stable") if found else frame


def profiled_rows(
    table: Table, tree: Tree, nodes: int | Collection[int], against: str | int = REST,
    assignment: Assignment | None = None,
) -> Groups:  # fmt: skip
    """The rows that `profile` compares. InputError: see there."""
    at = assignment or assign(table, tree)
    places = [tree.position(node) for node in ([nodes] if isinstance(nodes, int) else nodes)]
    inside = _inside(table, at, places)
    if against == REST:
        outside = ~inside
    elif against == SIBLING:
        above = {int(tree.parent[place]) for place in places} - {-1}
        outside = _inside(table, at, [child for place in above for child in tree.children(place)]) & ~inside
    elif against == OF_VALIDATION:
        outside = inside
    elif isinstance(against, int):
        outside = _inside(table, at, [tree.position(against)])
    else:
        raise InputError(tr("“{against}” cannot be compared with: give rest, sibling, validation or a node.",
                            against=against))  # fmt: skip
    is_in = [table.part == part for part in (TRAIN, VALIDATION)]
    if against == OF_VALIDATION:
        none = np.zeros(0, np.intp)
        groups = Groups(np.flatnonzero(inside & is_in[1]), np.flatnonzero(inside & is_in[0]), none, none)
    else:
        groups = Groups(*(np.flatnonzero(each & part) for part in is_in for each in (inside, outside)))
    if not groups.rows.size or not groups.others.size:
        raise InputError(tr("There are no rows to compare with."))
    return groups


def _inside(table: Table, at: Assignment, places: Collection[int]) -> Mask:
    found = np.zeros(table.n_rows, bool)
    for place in places:
        found[at.rows_of(place)] = True
    return found


def _effective(table: Table, rows: Rows) -> float:
    """What rows are worth, see `count_effective_rows`."""
    if table.weights is None:
        return float(rows.size)
    weights = table.weights[rows]
    total = float(weights.sum())
    return total if table.weights_are_counts else total**2 / float(weights @ weights)


def code_shares(table: Table, column: Column, rows: Rows) -> Floats:
    """float64[n_values + 1]: the share of the rows' weight at each code of a column, missing first; nan without any."""
    weights = None if table.weights is None else table.weights[rows]
    counts = np.bincount(column.codes[rows], weights, column.n_values + 1)
    total = counts.sum()
    return counts / total if total > 0 else np.full(counts.size, NAN)


def _compared(table: Table, column: Column, groups: Groups, effective: tuple[float, ...]) -> dict[str, object]:
    ours, theirs, ours_later, theirs_later = (code_shares(table, column, rows) for rows in groups)
    chosen, limit = _largest(column, ours, theirs)
    share, other = (float(shares[chosen].sum()) for shares in (ours, theirs))
    later, other_later = (float(shares[chosen].sum()) for shares in (ours_later, theirs_later))
    chance = _by_chance(column, ours, theirs, effective)
    (mean, spread), (other_mean, other_spread) = _moments(column, ours), _moments(column, theirs)
    n, m = (of * (1 - float(shares[0])) for of, shares in zip(effective, (ours, theirs), strict=True))
    pooled = np.sqrt((spread * n + other_spread * m) / (n + m - 2)) if n + m > 2 else NAN
    return {
        "column": column.name, "kind": column.kind, "difference": share - other, "chance": chance,
        "beyond_chance": (share - other - chance) / (1 - chance) if chance < 1 else 0.0,
        "condition": limit.words if share > other else "", "share": share, "other_share": other,
        "validation_difference": later - other_later, "validation_share": later, "validation_other_share": other_later,
        "mean": mean, "other_mean": other_mean, "d": (mean - other_mean) / pooled if pooled > 0 else NAN,
        "missing": float(ours[0]), "other_missing": float(theirs[0]),
    }  # fmt: skip


def _largest(column: Column, ours: Floats, theirs: Floats) -> tuple[Mask, Interval | Levels]:
    """(bool[n_values + 1] by code, the same as a condition): what the most rows of ours fulfil beyond others."""
    seen = ours + theirs > 0  # other levels may be known from test rows alone
    levels = tuple(name for name, is_seen in zip(column.levels, seen[1:], strict=bool(column.levels)) if is_seen)
    known = TreeColumn(column.name, column.kind, levels, bool(seen[0]), column.kind_in_words == "day")
    apart = ours - theirs
    if not column.is_numeric and column.kind != "ordered":
        chosen = apart > 0
    else:
        below = np.concatenate(([0.0], np.cumsum(apart[1:])))  # of all values up to each code
        sums = np.stack((below, below + apart[0]))
        with_missing, last = np.unravel_index(np.argmax(np.abs(sums)), sums.shape)
        chosen = np.arange(apart.size) <= last
        chosen[0] = with_missing
        if sums[with_missing, last] < 0:
            chosen = ~chosen
    if not column.is_numeric:
        allowed = frozenset(name for name, is_in in zip(column.levels, chosen[1:], strict=True) if is_in)
        return chosen, Levels(known, allowed.intersection(levels), 2 * len(allowed) > len(levels), bool(chosen[0]))
    present = np.flatnonzero(seen[1:])
    of_values = chosen[1:][present]
    if not of_values.any():
        return chosen, Interval(known, inf, inf, True)
    if of_values.all():
        return chosen, Interval(known, missing=bool(chosen[0]))
    first = int(np.argmax(of_values != of_values[0]))
    cut = threshold_between(*(float(column.values[present[k]]) for k in (first - 1, first)))
    low, high = (None, cut) if of_values[0] else (cut, inf)
    return chosen, Interval(known, low, high, bool(chosen[0]))


def _by_chance(column: Column, ours: Floats, theirs: Floats, effective: tuple[float, ...]) -> float:
    """The mean difference of two groups that are drawn at random from the rows of both."""
    n, m = effective
    total = n + m
    rows = (ours * n + theirs * m)[(ours > 0) | (theirs > 0)]  # of each value, as many as they are worth
    more = np.floor(rows * n / total) + 1
    inside = (more < rows + 1 - 1e-6) & (more <= n)
    k, j = rows[inside], more[inside]
    # The mean distance of a hypergeometric count from its mean (Johnson 1957; the binomial one is De Moivre's).
    log_p = _log_choose(k, j) + _log_choose(total - k, n - j) - _log_choose(np.array(total), np.array(n))
    distance = 2 * j * (total - k - n + j) / total * np.exp(log_p)
    by_values = float(distance.sum()) * (1 / n + 1 / m) / 2
    if column.is_numeric or column.kind == "ordered":
        return float(min(by_values, MEAN_OF_KOLMOGOROV * np.sqrt(1 / n + 1 / m)))
    return by_values


def _log_choose(n: Floats, k: Floats) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def _moments(column: Column, shares: Floats) -> tuple[float, float]:
    """(mean, variance) of the values of a numeric column; nan of levels and where none is finite."""
    if not column.is_numeric or not shares[0] < 1:
        return NAN, NAN
    seen = shares[1:] > 0
    values, weights = column.values[seen].astype(np.float64), shares[1:][seen] / (1 - shares[0])
    with np.errstate(invalid="ignore"):  # infinite ones have no mean
        mean = float(values @ weights)
        return mean, float(np.square(values - mean) @ weights)
