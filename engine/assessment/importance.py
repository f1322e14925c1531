"""Which columns a tree rests on: by what its splits gained, by what validation rows lose where a column is permuted,
and by what they lose where the tree is grown without it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.assessment.intervals import NAN, Floats, ratio
from engine.assessment.selection import losses_at
from engine.criteria import DEFAULT
from engine.growing import grow
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.splits import branch_of_rows
from engine.table.folds import by_class, held_out
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
        permutations: how many, 0 for none; with one there is no standard deviation.
        seed: of the permutations, which are the same for all columns.
        assignment: which rows stand in which node, if at hand.
        progress: a stop leaves the permutations that all columns had.

    Raises:
        InputError: the tree does not fit the table, there is no such criterion, or no such number of permutations.
    """
    if permutations < 0:
        raise InputError(tr("permutations cannot be {n}; it is a number from 0 on.", n=permutations))
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
    if not permutations:
        return np.zeros((0, len(names)))
    rows = table.rows(VALIDATION)
    part = table.take(rows)
    before = _mean_loss(table, tree, rows, part)
    if np.isnan(before):
        return np.zeros((0, len(names)))
    grown = np.full((permutations, len(names)), NAN)
    for k in range(permutations):
        order = _dealt(row_hash(rows.size, further_seed(seed, k)), part.weights)
        for j, name in enumerate(names):
            progress.report(
                (k + j / len(names)) / permutations, tr("Permutation {n} of {all}", n=k + 1, all=permutations)
            )
            if progress.stopped:
                return grown[:k]
            grown[k, j] = _mean_loss(table, tree, rows, part.with_column(part.column(name).take(order))) - before
    return grown


def _dealt(hashed: NDArray[np.uint64], weights: Floats | None) -> NDArray[np.int64]:
    """int64[n]: from which row each row takes its value. With weights rows stand for as many as they weigh, so values
    are drawn with these chances."""
    if weights is None or not weights.sum() > 0:
        return np.argsort(hashed)
    reach = np.cumsum(weights)
    return np.searchsorted(reach, hashed / 2.0**64 * reach[-1], side="right").clip(max=weights.size - 1)


def _mean_loss(table: Table, tree: Tree, rows: NDArray[np.uint32], part: Table) -> float:
    """The mean loss of some rows of the table, sent down the tree as they stand in a part."""
    _, losses, weights = losses_at(table, tree, rows, leaves_of_rows(part, tree))
    total = float(weights.sum())
    return float(losses @ weights) / total if total > 0 else NAN


def importance_by_dropping(
    table: Table, *, folds: int = 5, seed: int = 0, threads: int | None = None, progress: Progress | None = None,
    **search: Any,
) -> pd.DataFrame:  # fmt: skip
    """What each column is worth to trees that are grown by some search options: by how much the mean loss grows where
    the tree is grown again without it, the most important column first ("drop-column importance", LOCO: Lei et al.
    2018). Of columns that tell the same, one stands in for the other, and each seems worth nothing.

    The validation rows judge; where there are none, the training rows by folds, each judged by trees of the others.

    Returns:
        A frame by `column`, of those that a tree with all columns asks about; without any other one it stays as it is.

        - `asked`: how many of these trees ask about it: one, or one for each fold.
        - `dropped`: by how much the mean loss of the judging rows grows without it, see `importance`; nan where a stop
          left it open.
        - `dropped_se`: the standard error of this mean over the rows, whose losses with and without it are paired:
          √(Σ wᵢ² (dᵢ − mean)²) ÷ Σ wᵢ.

    Args:
        table: the table.
        folds: how many, stratified by class, where there are no validation rows.
        seed: deals the rows out.
        threads: how many share the trees; None for one for each processor.
        progress: a stop leaves the columns that were finished.
        search: options of `grow`.

    Raises:
        InputError: an option does not fit, or there are fewer rows than folds.
    """
    progress = progress or Progress()
    if table.n_validation:
        parts = [table]
    else:
        if not 2 <= folds <= table.n_train:
            raise InputError(tr("folds cannot be {n}; it is a number from 2 to that of the training rows.", n=folds))
        fold = by_class(table, folds, seed)
        parts = [held_out(table, (fold >= 0) & (fold != k), fold == k) for k in range(folds)]
    locked = tuple(search.pop("locked", None) or ())
    quiet, done = Progress(), [0]
    quiet.flag = progress.flag

    def grown(part: Table, without: tuple[str, ...]) -> Tree | None:
        tree = grow(part, progress=quiet, **{**search, "locked": (*locked, *without), "threads": 1})
        done[0] += 1
        return None if progress.stopped else tree

    def judged(part: Table, tree: Tree) -> tuple[Floats, Floats]:
        rows = part.rows(VALIDATION)
        return losses_at(part, tree, rows, leaves_of_rows(part, tree)[rows])[1:]

    def tell() -> None:
        progress.report(done[0] / max(n_trees, 1), tr("{n} of {all} trees", n=done[0], all=n_trees))

    n_trees = len(parts) * (1 + len(table.features))  # at most, until it is known what is asked
    with Workers(threads) as workers:
        whole = workers.map(lambda part: grown(part, ()), parts, tell)
        trees = [tree for tree in whole if tree is not None]
        asked = [_columns_of(tree) for tree in trees] if len(trees) == len(parts) else []
        names = [table.columns[i].name for i in table.features if any(table.columns[i].name in each for each in asked)]
        before = [judged(part, tree) for part, tree in zip(parts, trees, strict=False)]
        wanted = [(k, name) for name in names for k in range(len(parts)) if name in asked[k]]
        n_trees = len(parts) + len(wanted)

        def loss(which: tuple[int, str]) -> Floats | None:
            part = parts[which[0]]
            tree = None if progress.stopped else grown(part, (which[1],))
            return judged(part, tree)[0] if tree is not None else None

        after = dict(zip(wanted, workers.map(loss, wanted, tell), strict=True))
    found = pd.DataFrame(index=pd.Index(names, name="column"))
    found["asked"] = [sum(name in each for each in asked) for name in names]
    weights = np.concatenate([weights for _, weights in before]) if before else np.zeros(0)
    for name in names:
        losses = [after.get((k, name), before[k][0]) for k in range(len(parts))]
        known = [each for each in losses if each is not None]
        mean = error = NAN
        if len(known) == len(losses) and weights.sum() > 0:
            apart = np.concatenate(known) - np.concatenate([each for each, _ in before])
            mean = float(weights @ apart / weights.sum())
            counted = weights if table.weights_are_counts else weights**2
            error = float(np.sqrt(counted @ np.square(apart - mean)) / weights.sum())
        found.loc[name, ["dropped", "dropped_se"]] = mean, error
    return found.sort_values("dropped", ascending=False, kind="stable") if names else found


def _columns_of(tree: Tree) -> set[str]:
    """The columns that its splits or their surrogates ask about."""
    places = {place for _, (place, _) in (*columns_asked(tree.nodes, tree.payload),
                                          *surrogates_of(tree.nodes, tree.payload))}  # fmt: skip
    return {tree.columns[place].name for place in places}
