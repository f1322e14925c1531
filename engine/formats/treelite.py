"""One tree of treelite's JSON, as `Model.dump_as_json` writes it (Cho and Li 2018).

Where its thresholds are float32 a value is rounded to float32 before it is compared. Missing values go by
`default_left`. Of categories those in the list go left, or right by `category_list_right_child`."""

from typing import Any

from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    below,
    below_float32,
    chosen,
    column_places,
    cut,
    groups,
    named,
    number_stats,
    planted,
    reach_of_float32,
    single,
    target_name,
)
from engine.formats.json_parts import Plain, listed, number
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

MOST_FEATURES = 100_000  # that a file can name without listing them


def read(document: Plain, wish: Wish) -> Tree:
    """The tree that the document describes; InputError in lower case, to follow the file's name."""
    trees = listed(document, "trees")
    place = chosen(wish, len(trees))
    nodes = listed(trees[place] if isinstance(trees[place], dict) else {}, "nodes")
    if not nodes or not all(isinstance(node, dict) for node in nodes):
        raise InputError(tr("tree {tree} has no nodes", tree=place))
    n = document.get("num_feature")
    if type(n) is not int or not 0 < n <= MOST_FEATURES:
        raise InputError(tr("“num_feature” is {n}; it is a number from 1 to {most}", n=one_line(n), most=MOST_FEATURES))
    names = named([f"f{i}" for i in range(n)], wish.features, "features")
    asked: dict[int, dict[str, None]] = {}
    for node in nodes:
        if node.get("node_type") == "categorical_test_node":
            asked.setdefault(column_places(names, node.get("split_feature_id")), {}).update(
                dict.fromkeys(_categories(node))
            )
    shape = _shape(document, wish)
    places = {node.get("node_id", i): i for i, node in enumerate(nodes) if isinstance(node.get("node_id", i), int)}
    float32 = document.get("threshold_type") == "float32"
    found = [_node(node, names, asked, places, shape, float32) for node in nodes]
    columns = tuple(
        TreeColumn(name, "nominal" if place in asked else "number", tuple(asked.get(place, ())), True)
        for place, name in enumerate(names)
    )
    note = tr(
        "Tree {tree} of {n}, counted from 0, of a treelite model ({task}). The values of its leaves are added to those "
        "of the other trees; {function} makes the prediction of the sum.", tree=place, n=len(trees),
        task=one_line(document.get("task_type", "?")), function=one_line(document.get("postprocessor", "?")),
    )  # fmt: skip
    if document.get("average_tree_output") is True:
        note = tr(
            "Tree {tree} of {n}, counted from 0, of a treelite model ({task}). The prediction is the mean of all "
            "trees.", tree=place, n=len(trees), task=one_line(document.get("task_type", "?")),
        )  # fmt: skip
    task = "classes" if shape else "number"
    return planted(Foreign(found, task, target_name(wish, names), columns, shape, note, places.get(0, 0)))


def _shape(document: Plain, wish: Wish) -> tuple[str, ...]:
    """The classes where leaves hold a share of each; none where they hold one value."""
    shape = document.get("leaf_vector_shape")
    size = shape[1] if isinstance(shape, list) and len(shape) == 2 and shape[0] == 1 else None
    if type(size) is not int or not 1 <= size <= MOST_FEATURES:
        raise InputError(tr("its leaves are of the shape {shape}, which is not of one target", shape=one_line(shape)))
    return named([str(k) for k in range(size)], wish.classes, "classes") if size > 1 else ()


def _node(
    node: Plain, names: tuple[str, ...], asked: dict[int, dict[str, None]], places: dict[Any, int],
    classes: tuple[str, ...], float32: bool,
) -> ForeignNode:  # fmt: skip
    if "left_child" not in node:
        return _leaf(node, classes)
    place, to_left = column_places(names, node.get("split_feature_id")), node.get("default_left") is True
    name = names[place]
    sides = (node.get(side) for side in ("left_child", "right_child"))
    both = tuple(places.get(one, -1) if isinstance(one, int) else -1 for one in sides)
    if node.get("node_type") == "categorical_test_node":
        right, inside = node.get("category_list_right_child") is True, set(_categories(node))
        left = [level for level in asked[place] if (level in inside) != right]
        return ForeignNode(groups(name, left, asked[place], missing_left=to_left, unseen_left=right), both)
    if place in asked:
        raise InputError(tr("it asks “{name}” for numbers and for categories", name=one_line(name)))
    threshold, test = number(node.get("threshold"), "threshold"), node.get("comparison_op")
    if test not in ("<", "<=", ">", ">="):
        raise InputError(tr("a test of “{name}” cannot be read", name=one_line(name)))
    strict = test in ("<", ">=")
    reach = (below_float32 if strict else reach_of_float32) if float32 else (below if strict else float)
    threshold = single(threshold) if float32 else threshold
    if test in (">", ">="):
        return ForeignNode(cut(name, reach(threshold), not to_left), both[::-1])
    return ForeignNode(cut(name, reach(threshold), to_left), both)


def _leaf(node: Plain, classes: tuple[str, ...]) -> ForeignNode:
    value, rows = node.get("leaf_value"), node.get("data_count")
    rows = rows if type(rows) is int and 0 < rows < 2**53 else 0
    values = [number(one, "leaf_value") for one in (value if isinstance(value, list) else [value])]
    if not classes:
        return ForeignNode(stats=number_stats(values[0], rows or 1.0) if len(values) == 1 else (), rows=rows)
    return ForeignNode(stats=tuple(one * (rows or 1) for one in values), rows=rows)


def _categories(node: Plain) -> list[str]:
    return [str(code) for code in listed(node, "category_list")]
