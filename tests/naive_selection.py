"""The slow twin of `engine.assessment.selection`: everything is made again for every fold, from a data frame."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

import engine
from engine.table.partition import further_seed, row_hash


def folds(n: int, seed: int) -> list[np.ndarray]:
    """Five ways to deal n rows into five folds: int64[n] each."""
    dealt = []
    for i in range(5):
        fold = np.empty(n, np.int64)
        for place, row in enumerate(np.argsort(row_hash(n, further_seed(seed, i)))):
            fold[row] = place % 5
        dealt.append(fold)
    return dealt


def held_out(frame: pd.DataFrame, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, engine.Table]]:
    """Which validation rows each fold holds, bool[n_validation], the numbers of all of them, and a table in which these
    rows neither grow nor choose."""
    rows = np.flatnonzero(frame.part == "validation")
    for fold in folds(rows.size, seed):
        for k in range(5):
            without = frame.copy()
            without.loc[rows[fold == k], "part"] = "test"
            yield fold == k, rows, engine.Table.from_frame(without, target="y").with_partition(column="part")


def best_method(frame: pd.DataFrame, methods: tuple[str, ...], options: list[dict], seed: int) -> np.ndarray:
    """float64[n_validation]: how often the best of several prunings and of a single leaf is wrong about each validation
    row, where the other folds chose each pruning and then among these; of those that are as good, the last one."""
    found = np.zeros((frame.part == "validation").sum())
    for held, rows, table in held_out(frame, seed):
        trees = []
        for method, told in zip(methods, options, strict=True):
            pruning = engine.prune(table, engine.grow(table), method, **told)
            trees.append(pruning.tree(pruning.chosen))
        trees.append(engine.Tree.root(table))
        rest = frame.iloc[rows[~held]]
        errors = [float((np.asarray(tree.predict(rest)) != rest.y).mean()) for tree in trees]
        best = max(i for i, error in enumerate(errors) if error == min(errors))
        found[held] += np.asarray(trees[best].predict(frame.iloc[rows[held]])) != frame.y.to_numpy()[rows[held]]
    return found / 5


def misses(frame: pd.DataFrame, method: str, seed: int = 0, **options: object) -> np.ndarray:
    """float64[n_validation]: how often trees that the other folds chose are wrong about each validation row, or their
    mean squared error on it. `frame` has the target y and the part of each row; it is grown by the defaults."""
    found = np.zeros((frame.part == "validation").sum())
    for held, rows, table in held_out(frame, seed):
        pruning = engine.prune(table, engine.grow(table), method, **options)
        said = np.asarray(pruning.tree(pruning.chosen).predict(frame.iloc[rows[held]]))
        truth = frame.y.to_numpy()[rows[held]]
        found[held] += (said - truth) ** 2 if frame.y.dtype.kind == "f" else said != truth
    return found / 5


def lowest(losses: np.ndarray, seed: int = 0) -> np.ndarray:
    """The same of the choice of the lowest column mean, float64[n, K]; of equal ones the last."""
    found = np.zeros(len(losses))
    for fold in folds(len(losses), seed):
        for i in range(len(losses)):
            others = [losses[j] for j in range(len(losses)) if fold[j] != fold[i]]
            sums = [sum(row[k] for row in others) for k in range(losses.shape[1])]
            found[i] += losses[i, max(k for k, value in enumerate(sums) if value == min(sums))]
    return found / 5


def too_good(errors: np.ndarray) -> float:
    """Tibshirani and Tibshirani's estimate (2009, equation 4) from the errors of each fold, float64[folds, steps], for
    the lowest mean; folds are of equal weight."""
    means = [sum(column) / len(column) for column in errors.T]
    chosen = max(k for k, mean in enumerate(means) if mean == min(means))
    return sum(fold[chosen] - min(fold) for fold in errors) / len(errors)
