"""Figures of every node, as arrays: what cards say and colours show. No Qt in here."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

import engine
from engine.criteria import CRITERIA, DEFAULT, impurities
from gui.picture.tree_cache import book, kept

PARTS = ("train", "validation")


def rates(tree: engine.Tree, focus: int, stats: np.ndarray) -> np.ndarray:
    """The focus class's share, or the mean, of statistics float64[n, S] as in the tree; NaN without rows."""
    weight = np.einsum("ij->i", stats) if tree.task == "classes" else stats[:, 0]  # 4 times as fast as `sum`
    top = stats[:, focus if tree.task == "classes" else 1]
    share = np.divide(top, weight, out=np.full(len(weight), np.nan), where=weight > 0)
    return share if tree.task == "classes" else share + tree.origin


def deviations(stats: np.ndarray) -> np.ndarray:
    """The standard deviation of a numeric target for each row of (w, Σwy, Σw(y − mean)²); NaN without rows."""
    weight, _, squares = stats.T
    return np.sqrt(np.divide(squares, weight, out=np.full(len(weight), np.nan), where=weight > 0))


@kept
def said(tree: engine.Tree, focus: int) -> np.ndarray:
    """float64[n_nodes]: the focus class's share, or what each node says of a numeric target; NaN without rows."""
    found = rates(tree, focus, tree.train)
    if tree.task == "classes":
        return found
    if tree.predicts_median:
        found = np.where(np.isnan(found), np.nan, tree.medians)
    by_hand = [tree.position(node) for node, mark in tree.marks.items() if mark.label is not None]
    found[by_hand] = tree.predictions[by_hand]
    return found


@kept
def spreads(tree: engine.Tree) -> np.ndarray:
    """float64[n_nodes]: how far training values lie from what nodes say, or of medians the mean absolute error."""
    return mean_costs(tree, "train") if tree.predicts_median else deviations(tree.train)


@kept
def mean_costs(tree: engine.Tree, part: str) -> np.ndarray:
    """float64[n_nodes]: the error of each node as a leaf on a part of the rows, numeric targets; NaN without rows."""
    weight = tree.weight(part)
    return np.divide(tree.costs(part), weight, out=np.full(len(weight), np.nan), where=weight > 0)


@kept
def mean_profits(tree: engine.Tree, part: str) -> np.ndarray:
    """float64[n_nodes]: what a row of each node earns as a leaf, acted on or not, see `Tree.acts`; NaN without rows."""
    weight = tree.loss_weight(part)
    return np.divide(tree.profits(part), weight, out=np.full(len(weight), np.nan), where=weight > 0)


def shares(stats: np.ndarray) -> np.ndarray:
    """float64[n, K]: the share of each class for each row of counts; NaN without rows."""
    total = stats.sum(axis=1, keepdims=True)
    return np.divide(stats, total, out=np.full(stats.shape, np.nan), where=total > 0)


def rows_of(tree: engine.Tree, part: str) -> np.ndarray:
    """int64[n_nodes]: how many rows of a part stand in each node."""
    return tree.rows_validation if part == "validation" else tree.rows_train


def stats_of(tree: engine.Tree, part: str) -> np.ndarray:
    """float64[n_nodes, S]: the statistics of a part of the rows, "train" or "validation"."""
    return tree.validation if part == "validation" else tree.train


@kept
def part_rates(tree: engine.Tree, focus: int, part: str) -> np.ndarray:
    """float64[n_nodes]: the focus class's share among a part, or what nodes say: of validation rows the mean."""
    return rates(tree, focus, tree.validation) if part == "validation" else said(tree, focus)


@kept
def part_spreads(tree: engine.Tree, part: str) -> np.ndarray:
    """float64[n_nodes]: how far the values of a part lie from `part_rates`; NaN without rows."""
    return deviations(tree.validation) if part == "validation" else spreads(tree)


def impurity_name(tree: engine.Tree) -> str:
    """By which measure impurities of classes are shown: that of the criterion it was grown by, else the usual one."""
    one = CRITERIA.get(str(tree.options.get("criterion", "")))  # the options of a file may say anything
    return (one.measures or one.name) if one is not None and one.task == "classes" else DEFAULT["classes"]


@kept
def part_impurities(tree: engine.Tree, part: str) -> np.ndarray:
    """float64[n_nodes]: of classes the impurity, of a number how far values lie from what is said; NaN without rows."""
    if tree.task == "number":
        return part_spreads(tree, part)
    return impurities(impurity_name(tree), stats_of(tree, part))


@kept
def held_out_errors(tree: engine.Tree) -> np.ndarray:
    """float64[n_nodes]: the share of wrong labels, or the root mean squared, or of medians the mean absolute error."""
    if tree.task == "number":
        costs = mean_costs(tree, "validation")
        return costs if tree.predicts_median else np.sqrt(costs)
    weight = tree.weight("validation")
    return np.divide(tree.wrong("validation"), weight, out=np.full(len(weight), np.nan), where=weight > 0)


def known_boxes(tree: engine.Tree, part: str) -> np.ndarray | None:
    """float64[n_nodes, 5], a part's quantiles, see `engine.tree.counting.BOX`; None until they are found."""
    return book(tree).get((known_boxes, part))


def keep_boxes(tree: engine.Tree, part: str, found: np.ndarray) -> None:
    book(tree)[known_boxes, part] = found


_effective: WeakKeyDictionary[engine.Tree, np.ndarray] = WeakKeyDictionary()


def effective_rows(tree: engine.Tree) -> np.ndarray:
    """float64[n_nodes, 2]: what training and validation rows are worth in a test, see `engine.assessment`: what was
    kept, else the rows where they have no weights, else NaN."""
    if tree in _effective:
        return _effective[tree]
    rows = np.column_stack((tree.rows_train, tree.rows_validation)).astype(np.float64)
    weighted = any(not np.array_equal(tree.weight(part), rows[:, k]) for k, part in enumerate(PARTS))
    return np.full(rows.shape, np.nan) if weighted else rows


def keep_effective_rows(tree: engine.Tree, found: np.ndarray) -> None:
    """Notes what only the rows of a weighted table tell, before the tree is shown."""
    _effective[tree] = found


@kept
def disagreement(tree: engine.Tree) -> engine.Disagreement:
    """See `engine.assessment.disagreement`."""
    return engine.compare_parts(tree, effective_rows(tree))


@kept
def disagreeing(tree: engine.Tree) -> np.ndarray:
    """bool[n_nodes]: where training and validation rows differ, at the level of `engine.assessment.disagreement`."""
    return np.asarray(disagreement(tree).adjusted < engine.assessment.disagreement.LEVEL)


@kept
def split_columns(tree: engine.Tree) -> np.ndarray:
    """int64[n_nodes]: the column that each node is split by, of a leaf that of its parent; −1 of a lone root."""
    inner, own = tree.n_branches > 0, np.where(tree.n_branches > 0, tree.nodes.column, -1).astype(np.int64)
    return np.where(inner, own, np.where(tree.parent >= 0, own[np.maximum(tree.parent, 0)], -1))


@kept
def ranked_columns(tree: engine.Tree) -> np.ndarray:
    """int64[k]: the columns that split, by how many training rows their splits divide, the most first."""
    inner = np.flatnonzero(tree.n_branches > 0)
    rows = np.bincount(tree.nodes.column[inner], tree.rows_train[inner], minlength=len(tree.columns))
    order = np.argsort(-rows, kind="stable")
    return order[rows[order] > 0]
