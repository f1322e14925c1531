"""The best split of one column at one node, by any criterion and with missing rows where `search.missing` wants them.

With missing "branch" the rows that lack the value get a branch of their own wherever training rows of the node do. The
node is then (missing | present), and what is left to choose is the best split of the present rows:

    gain = gain of (missing | present) + share of the present rows · gain of their split

`min_leaf` holds for that branch, too; where it has fewer rows, or nothing separates the present ones, missing rows
go into the branch that gains most, as ever.

With missing "surrogate" a column is split into two branches by the rows that have its value, and the gain is theirs
times their share of the node; where the missing rows go is found later, see `search.surrogates`. Splits into many
branches learn where missing rows go, as ever.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import kernel_code
from engine.criteria.kernels import larger_side, split_information
from engine.search import absolute
from engine.search.column_search import Found, Runs, search_column, way
from engine.search.kernels.split_kinds import has_many_branches
from engine.search.options import Search
from engine.search.tally import NodeRows, Tally
from engine.splits import Split
from engine.table.column import Column
from engine.table.partition import TRAIN

AnyRuns = Runs | absolute.Runs


@dataclass(frozen=True, eq=False)
class Best:
    """What was found for a column, and its tally where the search made one."""

    found: Found
    counted: Tally | None = None


def best_split(inside: NodeRows, place: int, search: Search) -> Best:
    """The best split of the column at this place of the table."""
    column = inside.table.columns[place]
    if search.by_rows:
        runs = absolute.Runs.of(column, training_rows(inside).by_target, search.min_leaf)
        return Best(best_of_runs(column, runs, search))
    counted = inside.count(place)
    return Best(best_of_runs(column, Runs.of(counted, inside.table.task == "classes"), search), counted)


def best_of_runs(column: Column, runs: AnyRuns, search: Search) -> Found:
    """The best split of a column from the counts of its values, or from their rows."""
    lacking = runs.miss_rows if runs.codes.size else 0
    if search.missing == "branch" and lacking >= max(search.min_leaf, 1):
        found = _beside_missing(column, runs, search)
        if found is not None:
            return found
    if lacking > 0 and leaves_missing(column, search):
        return _of_present(column, runs, search)
    return _search(column, runs, search)


def _search(column: Column, runs: AnyRuns, search: Search) -> Found:
    if isinstance(runs, absolute.Runs):
        return absolute.search_column(column, runs, search)
    return search_column(column, runs, search)


def leaves_missing(column: Column, search: Search) -> bool:
    """Whether rows that lack the value of a column wait for surrogates."""
    how = way(column, search)
    return search.missing == "surrogate" and how is not None and not has_many_branches(how)


def training_rows(inside: NodeRows) -> NodeRows:
    """The same node without its validation rows."""
    if inside.n_parts == 1:
        return inside
    return replace(inside, rows=inside.rows[inside.table.part[inside.rows] == TRAIN], n_parts=1)


def branches_of(found: Found, column: Column, codes: NDArray[Any]) -> NDArray[np.int64]:
    """int64[n]: the branch of each code of the column that a split by thresholds or groups looks at."""
    if found.branches.size:
        return found.branches[codes]
    split = found.split
    assert split is not None
    last = np.searchsorted(column.values, np.array(split.thresholds), side="right")  # code up to each threshold
    return np.where(codes == 0, split.missing, np.searchsorted(last, codes, side="left"))


def _beside_missing(column: Column, runs: AnyRuns, search: Search) -> Found | None:
    """The best split of the present rows, with a branch for the missing ones; None if nothing separates the present."""
    found = _search(column, runs.present(), search)
    if found.split is None:
        return None
    found = _with_branch(found)
    assert found.split is not None
    branch = branches_of(found, column, runs.codes)
    gain, tie, sizes = runs.division(branch, found.split.n_branches, kernel_code(search.criterion))
    return replace(found, gain=gain, tie=tie, information=float(split_information(sizes)))


def _of_present(column: Column, runs: AnyRuns, search: Search) -> Found:
    """The best split of the present rows, by what they gain times their share of the node."""
    found = _search(column, runs.present(), search)
    if found.split is None:
        return found
    sizes = runs.division(branches_of(found, column, runs.codes), 3, kernel_code(search.criterion))[2]
    return _share(found, sizes[:2], runs.missing_weight)


def _share(found: Found, sizes: NDArray[np.float64], lacking: float) -> Found:
    """What was found among the present rows for the whole node, from the weights of the branches and of the others."""
    split, present = found.split, float(sizes.sum())
    assert split is not None
    share = present / (present + lacking) if present + lacking > 0 else 1.0
    split = replace(split, missing=int(larger_side(float(sizes[0]), float(sizes[1]))))
    branches = found.branches.copy()
    branches[:1] = split.missing
    return replace(found, split=split, gain=found.gain * share, tie=found.tie * share, branches=branches, apart=True)


def _with_branch(found: Found) -> Found:
    """The same split with one more branch, for missing rows only."""
    split = found.split
    assert split is not None
    found = replace(found, n_values=found.n_values + 1 if found.n_values else 0)
    if split.kind == "threshold":
        own = Split(split.column, "threshold", split.thresholds, missing=split.n_branches)
        return replace(found, split=own)
    branches = found.branches.copy()
    branches[0] = split.n_branches
    return replace(found, split=replace(split, groups=(*split.groups, ()), missing=split.n_branches), branches=branches)
