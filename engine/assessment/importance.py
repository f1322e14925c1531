"""Which columns a tree rests on: by what its splits gained, and by what validation rows lose without a column."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.assessment.intervals import NAN, Floats, ratio
from engine.assessment.selection import losses_at
from engine.criteria import DEFAULT
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.splits import branch_of_rows
from engine.table.partition import TRAIN, VALIDATION, further_seed, row_hash
from engine.table.table import Table
from engine.tree.arrays import weighted_drops
from engine.tree.assignment import Assignment, assign, leaves_of_rows
from engine.tree.counting import counted
from engine.tree.nodes import columns_asked, surrogates_of
from engine.tree.tree import Tree


def importance(
    table: Table, tree: Tree, *, criterion: str = "", permutations: int = 20, seed: int = 0,
    assignment: Assignment | None = None, progress: Progress | None = None,
) -> pd.DataFrame:  # fmt: skip
    """The columns that the tree asks about, the most important first: by permutation, or where no validation rows say
    that, by impurity.

    Returns:
        A frame by `column` with

        - `splits`: how many splits ask about it; one of m of n conditions counts for each of its columns.
        - `impurity`: by how much all these lower the criterion, each by its share of the training weight (Breiman et
          al. 1984, 5.3.4); of m of n conditions each has an equal part. All together it is the impurity of the root
          less that of the leaves. Training rows chose the splits, and columns of many values offer more of them to
          choose: these seem more important than they are (Strobl et al. 2007).
        - `impurity_share`: of the sum of all columns.
        - `with_surrogates`: the impurity and the credit of surrogates: what the split gains × their adjusted agreement
          with it, see `engine.search.surrogates`. Columns that the splits do not need, for others tell the same, are
          not hidden so. (rpart counts the gain among the rows that have the value of the split's column only.)
        - `permutation`: by how much the mean loss of the validation rows grows where the values of the column are dealt
          out among them anew (Breiman 2001), the mean of all permutations; `permutation_sd`: their standard deviation.
          The loss is that of `Tree.loss`: the share of errors or what they cost, the squared error, or the absolute one
          of a tree that predicts medians. Of columns that tell the same each seems less important than both are. Nan
          without validation rows.

        Columns that only surrogates ask about have no splits; those that nothing asks about are not listed.

    Args:
        table: the table; the tree is counted on it where it is not.
        tree: the tree.
        criterion: of the impurity; by default gini, or squared_error of numbers.
        permutations: how many, at least 1; with one there is no standard deviation.
        seed: of the permutations, which are the same for all columns.
        assignment: which rows stand in which node, if at hand.
        progress: a stop leaves the permutations that all columns had.

    Raises:
        InputError: the tree does not fit the table, there is no such criterion, or no permutation.
    """
    if permutations < 1:
        raise InputError(tr("permutations cannot be {n}; it is a number from 1 on.", n=permutations))
    tree = counted(tree, table, assignment)
    asked = [(node, place) for node, (place, _) in columns_asked(tree.nodes, tree.payload)]
    others = {place for _, (place, _) in surrogates_of(tree.nodes, tree.payload)}
    places = sorted({place for _, place in asked} | others)
    found = pd.DataFrame(index=pd.Index([tree.columns[place].name for place in places], name="column"))
    drops = weighted_drops(tree, criterion or DEFAULT[tree.task])
    found["splits"], found["impurity"] = _by_splits(drops, asked, places)
    found["impurity_share"] = ratio(found["impurity"].to_numpy(), float(found["impurity"].sum()))
    found["with_surrogates"] = found["impurity"]
    for node, of_node in _agreements(table, tree, assignment):
        for name, agreement in of_node:
            found.loc[name, "with_surrogates"] += drops[node] * agreement
    grown = _by_permutation(table, tree, list(found.index), permutations, seed, progress or Progress())
    found["permutation"] = grown.mean(axis=0) if len(grown) else NAN
    found["permutation_sd"] = grown.std(axis=0, ddof=1) if len(grown) > 1 else NAN
    by = "permutation" if len(grown) else "impurity"
    return found.sort_values(by, ascending=False, kind="stable")


def _by_splits(drops: Floats, asked: list[tuple[int, int]], places: list[int]) -> tuple[list[int], Floats]:
    """(how many splits ask about each column, float64[n_columns] what they gain), from float64[n_nodes]."""
    n_asked = np.bincount([node for node, _ in asked], minlength=drops.size)
    gains, splits = dict.fromkeys(places, 0.0), dict.fromkeys(places, 0)
    for node, place in asked:
        gains[place] += float(drops[node]) / int(n_asked[node])
    for _, place in set(asked):
        splits[place] += 1
    return list(splits.values()), np.array(list(gains.values()))


def _agreements(
    table: Table, tree: Tree, assignment: Assignment | None
) -> Iterator[tuple[int, list[tuple[str, float]]]]:
    """Of every node with surrogates its position, and the column and the adjusted agreement of each surrogate, among
    the training rows that have both values."""
    nodes = np.unique([node for node, _ in surrogates_of(tree.nodes, tree.payload)]).astype(np.int64).tolist()
    at = assignment if assignment is not None or not nodes else assign(table, tree)
    for node in nodes:
        split = tree.split_at(node)
        assert split is not None and at is not None
        rows = at.rows_of(node)
        rows = rows[(table.part[rows] == TRAIN) & (table.column(split.column).codes[rows] > 0)]
        side = branch_of_rows(replace(split, surrogates=()), table, rows)
        weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
        of_node = []
        for surrogate in split.surrogates:
            has = table.column(surrogate.split.column).codes[rows] > 0
            agrees = (branch_of_rows(surrogate.split, table, rows[has]) == side[has]) != surrogate.flipped
            agreed, majority = weights[has][agrees].sum(), np.bincount(side[has], weights[has], 2).max()
            beyond = weights[has].sum() - majority
            of_node.append((surrogate.split.column, float((agreed - majority) / beyond) if beyond > 0 else 0.0))
        yield node, of_node


def _by_permutation(
    table: Table, tree: Tree, names: list[str], permutations: int, seed: int, progress: Progress
) -> Floats:
    """float64[n_permutations, n_columns]: by how much the mean loss grows; no permutations without validation rows."""
    rows = table.rows(VALIDATION)
    part = table.take(rows)
    before = _mean_loss(table, tree, rows, part)
    if np.isnan(before):
        return np.zeros((0, len(names)))
    grown = np.full((permutations, len(names)), NAN)
    for k in range(permutations):
        order = np.argsort(row_hash(rows.size, further_seed(seed, k)))
        for j, name in enumerate(names):
            progress.report(
                (k + j / len(names)) / permutations, tr("Permutation {n} of {all}", n=k + 1, all=permutations)
            )
            if progress.stopped:
                return grown[:k]
            grown[k, j] = _mean_loss(table, tree, rows, part.with_column(part.column(name).take(order))) - before
    return grown


def _mean_loss(table: Table, tree: Tree, rows: NDArray[np.uint32], part: Table) -> float:
    """The mean loss of some rows of the table, sent down the tree as they stand in a part."""
    _, losses, weights = losses_at(table, tree, rows, leaves_of_rows(part, tree))
    total = float(weights.sum())
    return float(losses @ weights) / total if total > 0 else NAN
