"""One tree of XGBoost's model, as `Booster.save_model("….json")` or `("….ubj")` writes it (Chen and Guestrin 2016).

A value is rounded to float32 and goes left where it is less than the split's condition; missing ones by `default_left`.
Of categories those that a split lists go right, all others left, unknown ones too (`src/common/categorical.h`)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    below_float32,
    chosen,
    column_places,
    cut,
    groups,
    named,
    number_stats,
    odds_stats,
    of_truth,
    planted,
    same_length,
    single,
    target_name,
)
from engine.formats.json_parts import Plain, listed, numbers, objects, part, whole
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.table.column import BOOLEAN_LEVELS
from engine.table.words import number_words
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

LEAF = -1
LOGISTIC = ("binary:logistic", "reg:logistic", "binary:logitraw")  # objectives whose sum and base are log-odds
CATEGORIES = 1  # the type of a split
MOST_UNNAMED = 100_000  # features without names


def read(document: Plain, wish: Wish) -> Tree:
    """The tree that the document describes; InputError in lower case, to follow the file's name."""
    learner = part(document, "learner")
    booster = part(learner, "gradient_booster")
    kind = booster.get("name")
    if kind not in ("gbtree", "dart"):
        raise InputError(tr("its booster is “{kind}”, which has no trees", kind=one_line(kind)))
    weights = numbers(booster, "weight_drop") if kind == "dart" else []
    model = part(part(booster, "gbtree") if kind == "dart" else booster, "model")
    trees = objects(model, "trees")
    number = chosen(wish, len(trees))
    tree = trees[number]
    if part(tree, "tree_param").get("size_leaf_vector", "1") not in ("0", "1"):
        raise InputError(tr("the leaves of tree {tree} predict several targets", tree=number))
    n = part(learner, "learner_model_param").get("num_feature", "")
    n_features = int(n) if isinstance(n, str) and n.isascii() and n.isdigit() and len(n) < 10 else 0
    found, types = listed(learner, "feature_names"), listed(learner, "feature_types")
    used = max(
        [n_features if n_features <= MOST_UNNAMED else 0, *(place + 1 for place in whole(tree, "split_indices"))]
    )
    names = named(found or [f"f{i}" for i in range(min(used, MOST_UNNAMED))], wish.features, "features")
    weight = weights[number] if number < len(weights) else 1.0
    nodes, columns = _nodes(tree, names, types, _names_of_categories(model), weight)
    base, classes = _base(learner), tuple[str, ...]()
    if len(trees) == 1 and base is not None and _objective(learner) == "binary:logistic":
        classes = named(("0", "1"), wish.classes, "classes")
        nodes = [node if node.below else replace(node, stats=odds_stats(node.stats[1] + base)) for node in nodes]
    return planted(Foreign(
        nodes, "classes" if classes else "number", target_name(wish, names), columns, classes,
        _role(learner, model, number, len(trees)),
    ))  # fmt: skip


def _objective(learner: Plain) -> str:
    return str(part(learner, "objective").get("name", "?"))


def _base(learner: Plain) -> float | None:
    """The log-odds that are added to the sum of all trees; None where it does not say log-odds of one class."""
    said = str(part(learner, "learner_model_param").get("base_score", "")).strip("[]")
    try:
        share = float(said) if _objective(learner) in LOGISTIC else 0.0
    except ValueError:
        return None
    return math.log(share / (1 - share)) if 0 < share < 1 else None


def _nodes(
    tree: Plain, names: Sequence[str], types: Sequence[Any], categories: Sequence[Sequence[str]], weight: float
) -> tuple[list[ForeignNode], tuple[TreeColumn, ...]]:  # fmt: skip
    """The nodes of a tree, and its columns. `weight`: what the values of the leaves are multiplied by."""
    left, right = whole(tree, "left_children"), whole(tree, "right_children")
    features, conditions = whole(tree, "split_indices"), numbers(tree, "split_conditions")
    default, kinds = whole(tree, "default_left"), whole(tree, "split_type") or [0] * len(left)
    same_length(
        left_children=left, right_children=right, split_indices=features, split_conditions=conditions,
        default_left=default, split_type=kinds,
    )  # fmt: skip
    sets = _category_sets(tree)
    asked: dict[int, dict[str, None]] = {place: {} for place, kind in enumerate(types) if kind == "c"}
    asked |= {place: dict.fromkeys(known) for place, known in enumerate(categories) if known}
    right_levels: dict[int, list[str]] = {}
    for i, codes in sets.items():
        place = column_places(names, features[i] if 0 <= i < len(features) else -1)
        known = categories[place] if place < len(categories) else ()
        right_levels[i] = [known[code] if code < len(known) else str(code) for code in codes]
        asked.setdefault(place, {}).update(dict.fromkeys(right_levels[i]))
    boolean = {place for place, kind in enumerate(types) if kind == "i"} - asked.keys()
    nodes = []
    for i, (feature, condition) in enumerate(zip(features, conditions, strict=True)):
        if left[i] == LEAF:
            nodes.append(ForeignNode(stats=number_stats(single(condition) * weight)))
            continue
        name, to_left = names[column_places(names, feature)], bool(default[i])
        if kinds[i] == CATEGORIES:
            known, to_right = tuple(asked.get(feature, ())), set(right_levels.get(i, ()))
            others = (level for level in known if level not in to_right)
            split = groups(name, others, known, missing_left=to_left, unseen_left=True)
            nodes.append(ForeignNode(split, (left[i], right[i])))
        elif feature in asked:
            raise InputError(tr("it asks “{name}” for numbers and for categories", name=one_line(name)))
        else:
            split = cut(name, below_float32(single(condition)), to_left)
            nodes.append(ForeignNode(of_truth(split) if feature in boolean else split, (left[i], right[i])))
    columns = (
        TreeColumn(name, "nominal", tuple(asked[place]), True) if place in asked
        else TreeColumn(name, "boolean", BOOLEAN_LEVELS, True) if place in boolean
        else TreeColumn(name, "number", (), True)
        for place, name in enumerate(names)
    )  # fmt: skip
    return nodes, tuple(columns)


def _category_sets(tree: Plain) -> dict[int, list[int]]:
    """The categories that go right, by node."""
    codes, nodes = whole(tree, "categories"), whole(tree, "categories_nodes")
    starts, sizes = whole(tree, "categories_segments"), whole(tree, "categories_sizes")
    same_length(categories_nodes=nodes, categories_segments=starts, categories_sizes=sizes)
    found = {}
    for node, start, size in zip(nodes, starts, sizes, strict=True):
        if not 0 <= start <= start + size <= len(codes):
            raise InputError(tr("the categories of node {node} lie beyond “categories”", node=node))
        found[node] = codes[start : start + size]
    return found


def _names_of_categories(model: Plain) -> list[list[str]]:
    """The names of the categories of each feature; empty where the file has none (before version 3.1)."""
    found = []
    for one in objects(part(model, "cats"), "enc") if "cats" in model else []:
        values, ends = whole(one, "values"), whole(one, "offsets")
        if "offsets" in one:
            if any(value < 0 for value in values):  # versions 3.1 and 3.2 count letters and write as many bytes
                raise InputError(tr(
                    "XGBoost cuts names of categories off that hold other letters than ASCII: rename these levels and "
                    "fit the model again"
                ))  # fmt: skip
            text = bytes(value & 255 for value in values).decode("ascii", "replace")
            found.append([text[a:b] for a, b in pairwise(ends)])
        else:
            found.append([str(value) for value in values])
    return found


def _role(learner: Plain, model: Plain, number: int, n: int) -> str:
    """What the values of the leaves mean."""
    objective, base = _objective(learner), _base(learner)
    settings, info = part(learner, "learner_model_param"), whole(model, "tree_info")
    k = info[number] if number < len(info) else 0
    said = {"tree": number, "n": n, "objective": one_line(objective), "base": one_line(settings.get("base_score", "?"))}
    if any(info):
        return tr(
            "Tree {tree} of {n}, counted from 0, of an XGBoost model ({objective}, base_score {base}). The values of "
            "its leaves are added to those of the other trees for class {k}; the sum is the score of this class.", k=k,
            **said,
        )  # fmt: skip
    if base is not None:
        added = f" {'−' if base > 0 else '+'} {number_words(abs(base))}" if base else ""
        said["formula"] = f"1 ÷ (1 + e^(−s{added}))"
        if n == 1 and objective == "binary:logistic":
            return tr(
                "The only tree of an XGBoost model ({objective}, base_score {base}). It predicts the probability of "
                "class 1.", **said,
            )  # fmt: skip
        return tr(
            "Tree {tree} of {n}, counted from 0, of an XGBoost model ({objective}, base_score {base}). The values of "
            "its leaves are added to those of the other trees; of the sum s the probability of class 1 is {formula}.",
            **said,
        )  # fmt: skip
    return tr(
        "Tree {tree} of {n}, counted from 0, of an XGBoost model ({objective}, base_score {base}). The values of its "
        "leaves are added to those of the other trees; the sum is the prediction before the objective’s last function.",
        **said,
    )  # fmt: skip
