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

from engine.criteria import kernel_code
from engine.criteria.kernels import larger_side, split_information
from engine.search import absolute
from engine.search.column_search import Found, Runs, search_column, way
from engine.search.kernels.branches import is_enough
from engine.search.kernels.split_kinds import has_many_branches
from engine.search.options import Search
from engine.search.tally import NodeRows, Tally
from engine.table.column import Column
from engine.table.partition import TRAIN


@dataclass(frozen=True, eq=False)
class Best:
    """What was found for a column, and its tally where the search made one."""

    found: Found
    counted: Tally | None = None


def best_split(inside: NodeRows, place: int, search: Search) -> Best:
    """The best split of the column at this place of the table."""
    column = inside.table.columns[place]
    if search.by_rows:
        runs = absolute.Runs.of(column, training_rows(inside).by_target)
        return Best(best_of_runs(column, runs, search))
    counted = inside.count(place)
    return Best(best_of_runs(column, Runs.of(counted, inside.table.task == "classes"), search), counted)


def best_of_runs(column: Column, runs: Any, search: Search) -> Found:
    """The best split of a column from the counts of its values, or from their rows."""
    lacking = runs.miss_rows if runs.codes.size else 0
    own = search.missing == "branch" and is_enough(lacking, search.min_leaf)
    apart = lacking > 0 and leaves_missing(column, search)
    if own or apart:
        found = search_column(column, runs.present(), search)
        if found.split is not None:
            return _with_missing(found, runs, search, own)
        if apart:
            return found
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


def _with_missing(found: Found, runs: Any, search: Search, own: bool) -> Found:
    """What was found among the present rows, for the whole node: with a branch for the others, or without their say."""
    split = found.split
    assert split is not None
    n = int(found.branch.max()) + 1
    gain, tie, sizes = runs.division(found.branch, n + 1, kernel_code(search.criterion))
    if own:
        found = replace(with_own_branch(found), information=float(split_information(sizes)))
        return replace(found, gain=gain, tie=tie)
    present, lacking = float(sizes[:2].sum()), runs.missing_weight
    share = present / (present + lacking) if present + lacking > 0 else 1.0
    split = replace(split, missing=int(larger_side(float(sizes[0]), float(sizes[1]))))
    return replace(found, split=split, gain=found.gain * share, tie=found.tie * share, apart=True)


def with_own_branch(found: Found) -> Found:
    """The same split with one more branch, for missing rows only."""
    split = found.split
    assert split is not None
    groups = (*split.groups, ()) if split.kind == "groups" else ()
    return replace(found, split=replace(split, groups=groups, missing=split.n_branches), n_values=found.n_values + 1)
