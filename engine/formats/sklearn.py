"""Fitted trees of scikit-learn (DecisionTreeClassifier, DecisionTreeRegressor and their relatives), alone or behind
other steps of a pipeline, by their public attributes; no file of scikit-learn is ever opened.

It rounds a value to float32 and sends it left where that is at most the threshold, a float64
(`sklearn/tree/_tree.pyx`, `_apply_dense`); missing values by `tree_.missing_go_to_left`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    cut,
    groups,
    named,
    planted,
    reach_of_float32,
    target_name,
)
from engine.formats.sklearn_steps import Feature, features_of
from engine.formats.skops import own_tree
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.splits import Split
from engine.table.column import BOOLEAN_LEVELS
from engine.tree.leaves import LeafRule
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

SQUARES = ("squared_error", "friedman_mse")  # criteria whose impurity is the mean square around the mean


def from_sklearn(
    estimator: Any, *, target: str = "", features: Sequence[str] = (), classes: Sequence[str] = ()
) -> Tree:
    """The tree of a fitted decision tree of scikit-learn, with its counts.

    Of a pipeline the tree asks the columns that the pipeline is given, see `engine.formats.sklearn_steps` for the steps
    that may stand before its tree. One that `engine.to_sklearn` made is the same tree again.

    Args:
        estimator: fitted, with one target.
        target: the name of what it predicts.
        features: the names of its features; empty: those that it was fitted with, else x0, x1, …
        classes: the names of its classes; empty: its own as text.

    Raises:
        InputError: it is no fitted tree, predicts several targets, the names do not fit, or splits cannot say what a
            step before the tree does.
    """
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    inner = getattr(last, "tree_", None)
    if inner is None:
        raise InputError(tr(
            "A {kind} is no fitted tree of scikit-learn: give a DecisionTreeClassifier or DecisionTreeRegressor after "
            "“fit”.", kind=one_line(type(last).__name__)))  # fmt: skip
    if inner.n_outputs != 1:
        raise InputError(tr("The estimator predicts {n} targets: fit a tree for each.", n=inner.n_outputs))
    wish = Wish(None, target, tuple(features), tuple(classes))
    try:
        if (own := own_tree(estimator)) is None:
            return planted(_found(estimator, last, wish))
        if wish != Wish():
            raise InputError(tr("it is a tree of Espalier, which names its target, features and classes itself"))
        return own
    except InputError as error:
        raise InputError(tr("The estimator cannot be taken over: {why}.", why=error)) from error


def _found(estimator: Any, last: Any, wish: Wish) -> Foreign:
    inner = last.tree_
    n = getattr(estimator, "n_features_in_", last.n_features_in_)  # a first step that is passed through has none
    features = [Feature(place) for place in range(n)]
    for _, step in estimator.steps[:-1] if last is not estimator else []:
        features = features_of(step, features)
    given = getattr(estimator, "feature_names_in_", [f"x{i}" for i in range(n)])
    names = named([str(name) for name in given], wish.features, "features")
    labels = getattr(last, "classes_", None)
    classes = () if labels is None else named([str(label) for label in labels], wish.classes, "classes")
    values, weight = inner.value[:, 0, :], inner.weighted_n_node_samples
    if classes:  # since 1.3 shares, before that weights
        stats = values / np.maximum(values.sum(axis=1, keepdims=True), np.finfo(float).tiny) * weight[:, None]
    else:
        squares = inner.impurity * weight if last.criterion in SQUARES else np.zeros(inner.node_count)
        stats = np.column_stack((weight, weight * values[:, 0], squares))
    columns, split_of = _columns(features, sorted(set(inner.feature[inner.children_left >= 0].tolist())), names)
    nodes = []
    for i, (left, right) in enumerate(zip(inner.children_left.tolist(), inner.children_right.tolist(), strict=True)):
        if left < 0:
            nodes.append(ForeignNode(stats=tuple(stats[i].tolist()), rows=int(inner.n_node_samples[i])))
        else:
            goes_left = bool(getattr(inner, "missing_go_to_left", np.zeros(inner.node_count))[i])
            split = split_of(features[inner.feature[i]], reach_of_float32(float(inner.threshold[i])), goes_left)
            nodes.append(ForeignNode(split, (left, right)))
    medians, rule = [], LeafRule()
    if not classes:
        rule = LeafRule("mean")
        if last.criterion == "absolute_error":
            rule, medians = (
                LeafRule("median"),
                list(zip(values[:, 0].tolist(), (inner.impurity * weight).tolist(), strict=True)),
            )
    return Foreign(
        nodes, "classes" if classes else "number", target_name(wish, names), columns, classes, leaf_rule=rule,
        medians=medians,
    )  # fmt: skip


def _columns(
    features: Sequence[Feature], asked: Sequence[int], names: Sequence[str]
) -> tuple[tuple[TreeColumn, ...], Callable[[Feature, float, bool], Split]]:
    """The columns of a tree that asks some of these features, and what makes a split of one: from the largest value
    that goes left, and whether a missing one does.

    Raises:
        InputError: it asks one column for numbers and for categories.
    """
    levels, truths = dict[int, dict[str, None]](), set[int]()
    for feature in features:
        if feature.codes is not None:
            levels.setdefault(feature.column, {}).update(dict.fromkeys(feature.codes))
            truths |= {feature.column} if feature.is_truth else set()
    for place in asked:
        if features[place].codes is None and features[place].column in levels:
            name = one_line(names[features[place].column])
            raise InputError(tr("it asks “{name}” for numbers and for categories", name=name))
    columns = tuple(
        TreeColumn(name, "boolean", BOOLEAN_LEVELS, False) if place in truths
        else TreeColumn(name, "nominal", tuple(levels[place]), False) if place in levels
        else TreeColumn(name, "number", (), False)
        for place, name in enumerate(names)
    )  # fmt: skip

    def split_of(feature: Feature, most: float, missing_left: bool) -> Split:
        column = columns[feature.column]
        missing_left = missing_left if feature.filled is None else bool(feature.filled <= most)
        if feature.codes is None:
            return cut(column.name, most, missing_left)
        unseen_left = missing_left if feature.unseen is None else feature.unseen <= most
        left = [level for level in column.levels
                if (feature.codes[level] <= most if level in feature.codes else unseen_left)]  # fmt: skip
        return groups(column.name, left, column.levels, missing_left=missing_left, unseen_left=unseen_left)

    return columns, split_of
