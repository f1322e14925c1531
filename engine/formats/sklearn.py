"""Fitted trees of scikit-learn (DecisionTreeClassifier, DecisionTreeRegressor and their relatives), by their public
attributes; no file of scikit-learn is ever opened.

It rounds a value to float32 and sends it left where that is at most the threshold, a float64
(`sklearn/tree/_tree.pyx`, `_apply_dense`); missing values by `tree_.missing_go_to_left`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    cut,
    named,
    planted,
    reach_of_float32,
    target_name,
)
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.tree.leaves import LeafRule
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

SQUARES = ("squared_error", "friedman_mse")  # criteria whose impurity is the mean square around the mean


def from_sklearn(
    estimator: Any, *, target: str = "", features: Sequence[str] = (), classes: Sequence[str] = ()
) -> Tree:
    """The tree of a fitted decision tree of scikit-learn, with its counts.

    Args:
        estimator: fitted, with one target.
        target: the name of what it predicts.
        features: the names of its features; empty: those that it was fitted with, else x0, x1, …
        classes: the names of its classes; empty: its own as text.

    Raises:
        InputError: it is no fitted tree, predicts several targets, or the names do not fit.
    """
    inner = getattr(estimator, "tree_", None)
    if inner is None:
        raise InputError(tr(
            "A {kind} is no fitted tree of scikit-learn: give a DecisionTreeClassifier or DecisionTreeRegressor after "
            "“fit”.", kind=one_line(type(estimator).__name__)))  # fmt: skip
    if inner.n_outputs != 1:
        raise InputError(tr("The estimator predicts {n} targets: fit a tree for each.", n=inner.n_outputs))
    try:
        return planted(_found(estimator, inner, Wish(None, target, tuple(features), tuple(classes))))
    except InputError as error:
        raise InputError(tr("The estimator cannot be taken over: {why}.", why=error)) from error


def _found(estimator: Any, inner: Any, wish: Wish) -> Foreign:
    given = getattr(estimator, "feature_names_in_", [f"x{i}" for i in range(inner.n_features)])
    names = named([str(name) for name in given], wish.features, "features")
    labels = getattr(estimator, "classes_", None)
    classes = () if labels is None else named([str(label) for label in labels], wish.classes, "classes")
    goes_left = getattr(inner, "missing_go_to_left", np.zeros(inner.node_count))
    values, weight = inner.value[:, 0, :], inner.weighted_n_node_samples
    if classes:  # since 1.3 shares, before that weights
        stats = values / np.maximum(values.sum(axis=1, keepdims=True), np.finfo(float).tiny) * weight[:, None]
    else:
        squares = inner.impurity * weight if estimator.criterion in SQUARES else np.zeros(inner.node_count)
        stats = np.column_stack((weight, weight * values[:, 0], squares))
    nodes = []
    for i, (left, right) in enumerate(zip(inner.children_left.tolist(), inner.children_right.tolist(), strict=True)):
        if left < 0:
            nodes.append(ForeignNode(stats=tuple(stats[i].tolist()), rows=int(inner.n_node_samples[i])))
        else:
            threshold = reach_of_float32(float(inner.threshold[i]))
            nodes.append(ForeignNode(cut(names[inner.feature[i]], threshold, bool(goes_left[i])), (left, right)))
    medians, rule = [], LeafRule()
    if not classes:
        rule = LeafRule("mean")
        if estimator.criterion == "absolute_error":
            rule, medians = (
                LeafRule("median"),
                list(zip(values[:, 0].tolist(), (inner.impurity * weight).tolist(), strict=True)),
            )
    return Foreign(
        nodes, "classes" if classes else "number", target_name(wish, names), 
        tuple(TreeColumn(name, "number", (), False) for name in names), classes, leaf_rule=rule, medians=medians,
    )  # fmt: skip
