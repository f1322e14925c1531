"""One tree of LightGBM's model text, as `Booster.save_model` writes it (Ke et al. 2017).

Its source decides (4.x, `include/LightGBM/tree.h`): a value goes left where it is at most the threshold. Bits of
`decision_type`: 1 for categories, 2 for missing values to the left, then how missing values are known: 0, a missing
value counts as 0; 4, what lies within 1e-35 of 0 is missing, too; 8, missing values are missing. Whatever lies within
1e-35 of 0 counts as 0 when it predicts. Categories that the bit set does not name, unknown and missing ones go
right."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    below,
    chosen,
    column_places,
    cut,
    groups,
    named,
    number_stats,
    odds_stats,
    planted,
    refuse,
    same_length,
    target_name,
    without,
)
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.splits import Split
from engine.table.words import number_words
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

CATEGORIES, MISSING_LEFT, ZERO_IS_MISSING, NAN_IS_MISSING = 1, 2, 4, 8
ZERO = float(np.float32(1e-35))  # values up to it count as 0
BITS = 32
PANDAS = "pandas_categorical:"
LOG_ODDS = re.compile(r"binary(?: sigmoid:([\d.e+-]+))?|cross_entropy")  # objectives whose sum is that, times a number


def read(data: bytes, wish: Wish) -> Tree:
    """The tree that the text describes; InputError in lower case, to follow the file's name."""
    text = data.decode("utf-8", "replace")
    blocks = re.split(r"^Tree=", text.split("\nend of trees")[0], flags=re.MULTILINE)
    head, number = _entries(blocks[0]), chosen(wish, len(blocks) - 1)
    names = named(head.get("feature_names", "").split(), wish.features, "features")
    levels = _pandas_levels(text, head, names)
    tree = _entries(blocks[number + 1].partition("\n")[2])
    if tree.get("is_linear", "0") != "0":
        raise InputError(tr("the leaves of tree {tree} hold linear models, not values", tree=number))
    inner, asked, missing = _inner(tree, names, levels)
    values, rows = _numbers(tree, "leaf_value"), _integers(tree, "leaf_count")
    if len(rows) != len(values) or not all(0 <= n < 2**53 for n in rows):
        rows = [0] * len(values)
    if len(values) != len(inner) + 1:
        raise InputError(
            tr("tree {tree} has {n} splits and {leaves} leaves", tree=number, n=len(inner), leaves=len(values))
        )
    known = {place: tuple(names) for place, names in levels.items()} | asked
    columns = tuple(
        TreeColumn(name, "nominal" if place in known else "number", known.get(place, ()), place in missing)
        for place, name in enumerate(names)
    )  # fmt: skip
    factor, n_trees, classes = _factor(head), len(blocks) - 1, tuple[str, ...]()
    stats: list[tuple[float, ...]] = [number_stats(value, n or 1.0) for value, n in zip(values, rows, strict=True)]
    if n_trees == 1 and factor is not None and _is_binary(head):
        classes = named(("0", "1"), wish.classes, "classes")
        stats = [odds_stats(factor * value, n or 1.0) for value, n in zip(values, rows, strict=True)]
    leaves = [ForeignNode(stats=each, rows=n) for each, n in zip(stats, rows, strict=True)]
    return planted(Foreign(
        [*inner, *leaves], "classes" if classes else "number", target_name(wish, names), columns, classes,
        _role(head, number, n_trees),
    ))  # fmt: skip


def _is_binary(head: dict[str, str]) -> bool:
    return head.get("objective", "").startswith("binary")


def _factor(head: dict[str, str]) -> float | None:
    """By what the sum of all trees is multiplied to be the log-odds of class 1; None where it says something else."""
    match = LOG_ODDS.fullmatch(head.get("objective", ""))
    return _numbers({"sigmoid": match[1] or "1"}, "sigmoid")[0] if match else None


def _inner(
    tree: dict[str, str], names: Sequence[str], levels: dict[int, list[str]]
) -> tuple[list[ForeignNode], dict[int, tuple[str, ...]], set[int]]:  # fmt: skip
    """The inner nodes, whose leaves follow them; the levels of columns of categories; the columns that may lack
    values."""
    features, kinds = _integers(tree, "split_feature"), _integers(tree, "decision_type")
    thresholds, left, right = _numbers(tree, "threshold"), _integers(tree, "left_child"), _integers(tree, "right_child")
    same_length(split_feature=features, decision_type=kinds, threshold=thresholds, left_child=left, right_child=right)
    sets = list(_category_sets(tree))
    of_node: dict[int, list[str]] = {}
    asked: dict[int, dict[str, None]] = {}
    missing: set[int] = set()
    for i, (feature, kind, threshold) in enumerate(zip(features, kinds, thresholds, strict=True)):
        column_places(names, feature)
        if kind & (ZERO_IS_MISSING | NAN_IS_MISSING):
            missing.add(feature)
        if kind & CATEGORIES:
            place = int(threshold) if 0 <= threshold < len(sets) else refuse(tr("a split names no set of categories"))
            known = levels.get(feature, [])
            of_node[i] = [known[code] if code < len(known) else str(code) for code in sets[place]]
            asked.setdefault(feature, dict.fromkeys(known)).update(dict.fromkeys(of_node[i]))
    found = []
    for i, (feature, kind, threshold) in enumerate(zip(features, kinds, thresholds, strict=True)):
        name, flipped = names[feature], False
        if i in of_node:
            split = groups(name, of_node[i], asked[feature], missing_left=False, unseen_left=False)
        elif feature in asked or feature in levels:
            raise InputError(tr("it asks “{name}” for numbers and for categories", name=one_line(name)))
        else:
            split, flipped = _cut(name, kind, threshold)
        both = tuple(child if child >= 0 else len(features) + ~child for child in (left[i], right[i]))
        found.append(ForeignNode(split, both[::-1] if flipped else both))
    return found, {place: tuple(known) for place, known in asked.items()}, missing


def _cut(name: str, kind: int, threshold: float) -> tuple[Split, bool]:
    """The split, and whether its branches are the other way round."""
    if kind & ZERO_IS_MISSING:
        return without(name, threshold, -ZERO, ZERO, bool(kind & MISSING_LEFT))
    zero_left = threshold >= 0
    if -ZERO <= threshold < ZERO:
        threshold = ZERO if zero_left else below(-ZERO)
    return cut(name, threshold, bool(kind & MISSING_LEFT) if kind & NAN_IS_MISSING else zero_left), False


def _category_sets(tree: dict[str, str]) -> Iterator[list[int]]:
    """The categories of each bit set."""
    words, bounds = _integers(tree, "cat_threshold"), _integers(tree, "cat_boundaries")
    for start, stop in pairwise(bounds):
        if not 0 <= start <= stop <= len(words):
            raise InputError(tr("a set of categories lies beyond “cat_threshold”"))
        yield [BITS * i + bit for i, word in enumerate(words[start:stop]) for bit in range(BITS) if word >> bit & 1]


def _pandas_levels(text: str, head: dict[str, str], names: Sequence[str]) -> dict[int, list[str]]:
    """The names of categories by the place of their column, where the model was made from a pandas.DataFrame."""
    at = text.rfind(f"\n{PANDAS}")
    try:
        found: Any = json.loads(text[at + 1 + len(PANDAS) :].split("\n")[0]) if at >= 0 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(one, list) for one in found):
        return {}
    stated = re.search(r"^\[categorical_feature: ([\d,]*)\]$", text, flags=re.MULTILINE)
    places = [int(one) for one in stated[1].split(",") if one] if stated else []
    if len(places) != len(found):  # of an older version, which says it by the values alone
        infos = head.get("feature_infos", "").split()
        places = [i for i, info in enumerate(infos) if ":" in info and not info.startswith("[")]
    if len(places) != len(found):
        return {}
    return {place: list(map(str, one)) for place, one in zip(places, found, strict=True) if place < len(names)}


def _role(head: dict[str, str], number: int, n: int) -> str:
    """What the values of the leaves mean."""
    factor = _factor(head)
    said = {"tree": number, "n": n, "objective": one_line(head.get("objective", "") or "?")}
    classes = (_integers(head, "num_tree_per_iteration") or [1])[0]
    if classes > 1:
        return tr(
            "Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The values of its leaves are added "
            "to those of the other trees for class {k}; the sum is the score of this class.",
            k=number % classes, **said,
        )  # fmt: skip
    if factor is not None:
        said["formula"] = f"1 ÷ (1 + e^(−{'' if factor == 1 else f'{number_words(factor)} '}s))"
        if n == 1 and _is_binary(head):
            return tr(
                "The only tree of a LightGBM model ({objective}). It predicts the probability of class 1.", **said
            )
        return tr(
            "Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The values of its leaves are added "
            "to those of the other trees; of the sum s the probability of class 1 is {formula}.", **said,
        )  # fmt: skip
    if "average_output" in head:
        return tr(
            "Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The prediction is the mean of the "
            "values of all trees.", **said,
        )  # fmt: skip
    return tr(
        "Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The values of its leaves are added to "
        "those of the other trees; the sum is the prediction before the objective’s last function.", **said,
    )  # fmt: skip


def _entries(block: str) -> dict[str, str]:
    """The lines “key=value” of a block; of a line without a value the key."""
    return {key: value for key, _, value in (line.strip().partition("=") for line in block.splitlines()) if key}


def _numbers(tree: dict[str, str], key: str) -> list[float]:
    try:
        return [float(word) for word in tree.get(key, "").split()]
    except ValueError as error:
        raise InputError(tr("“{key}” holds what is no number", key=key)) from error


def _integers(tree: dict[str, str], key: str) -> list[int]:
    try:
        return [int(word) for word in tree.get(key, "").split()]
    except ValueError as error:
        raise InputError(tr("“{key}” holds what is no whole number", key=key)) from error
