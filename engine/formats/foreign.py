"""Trees of other programs become trees of this one: what their readers share.

A reader makes a list of `ForeignNode` in any order; `planted` puts them into preorder and checks that they are one
tree. What a file says of its own size is never believed: lists are as long as they are found to be.

Where a file holds counts they are the tree's. Where it holds predictions only, each leaf weighs 1 and has no rows,
so the tree predicts what the file says until it is counted on a table.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from engine.runtime.errors import InputError, one_line, repeated
from engine.runtime.sentences import tr
from engine.splits import Literal, Split
from engine.table.column import BOOLEAN_LEVELS
from engine.table.table import Table
from engine.tree.arrays import Mark
from engine.tree.kernels.structure import merge_upwards, sum_upwards
from engine.tree.leaves import LeafRule
from engine.tree.nodes import Nodes, SplitWriter, TreeColumn, unpack_split
from engine.tree.tree import Tree

MOST = 1e300  # a figure beyond it has sums that no float holds
BEYOND_FLOAT32 = 2.0**128  # what rounds up to infinity lies halfway between the largest float32 and this


class Wish(NamedTuple):
    """What a person says of a file that the file does not say.

    Attributes:
        tree: which tree of several, from 0; None: the only one.
        target: the name of what is predicted; empty: as in the file, else "target".
        features, classes: names by their place in the file; empty: as in the file.
        columns: those of the table that the tree is put on, which say what a printout leaves open; no person says them.
    """

    tree: int | None = None
    target: str = ""
    features: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    columns: tuple[TreeColumn, ...] = ()


@dataclass(frozen=True)
class ForeignNode:
    """A node as it was found.

    Attributes:
        split: None for a leaf.
        below: the places of its branches in the list.
        stats: of a leaf, see `TreeArrays.train`; of an inner node it is the sum of what lies below.
        rows: how many training rows a leaf has; 0 where the file does not say.
        label: the class that a leaf predicts where it is not that of most rows; the number that one without rows does.
    """

    split: Split | None = None
    below: tuple[int, ...] = ()
    stats: tuple[float, ...] = ()
    rows: int = 0
    label: str | float | None = None


@dataclass(frozen=True)
class Foreign:
    """A tree as it was found.

    Attributes:
        nodes: in any order; `root` is the place of the first one.
        task, target, classes, columns, leaf_rule: see `TreeArrays`.
        note: what its root says; may be empty.
        medians: (median, Σ|y − median|) of every node, of a tree whose leaves predict medians.
    """

    nodes: Sequence[ForeignNode]
    task: str
    target: str
    columns: tuple[TreeColumn, ...]
    classes: tuple[str, ...] = ()
    note: str = ""
    root: int = 0
    leaf_rule: LeafRule = field(default_factory=LeafRule)
    medians: Sequence[tuple[float, float]] = ()


def planted(found: Foreign) -> Tree:
    """The tree that foreign nodes make; InputError, in lower case to follow the file's name, when they make none."""
    _check_names(found)
    order = _preorder(found)
    nodes = [found.nodes[place] for place in order]
    width = len(found.classes) if found.task == "classes" else 3
    train, rows = np.zeros((len(nodes), width)), np.zeros(len(nodes), dtype=np.int64)
    for i, node in enumerate(nodes):
        if not node.below:
            if (
                len(node.stats) != width
                or not all(abs(value) <= MOST for value in node.stats)
                or (found.task == "classes" and min(node.stats) < 0)
            ):
                raise InputError(tr("the figures of a leaf are not {n} finite numbers", n=width))
            if not 0 <= node.rows < 2**53:
                raise InputError(tr("a leaf has {n} rows", n=one_line(node.rows)))
            train[i], rows[i] = node.stats, node.rows
    counts = (train, np.zeros_like(train), rows, np.zeros(len(nodes), dtype=np.int64))
    built = Nodes.leaves(np.arange(len(nodes)), counts).take(np.arange(len(nodes)))  # own arrays
    writer = SplitWriter(found.columns)
    for i, node in enumerate(nodes):
        if node.split is not None:
            writer.write(built, i, node.split, by_hand=False)
    if found.medians:
        median, around = np.array([found.medians[place] for place in order]).T
        built = built._replace(median=median, deviation=np.column_stack((around, np.zeros(len(nodes)))))
    tree = Tree(
        found.task, found.target, found.classes, found.columns, built, writer.payload, leaf_rule=found.leaf_rule,
        next_id=len(nodes), marks=_marks(found, nodes),
    )  # fmt: skip
    (merge_upwards if found.task == "number" else sum_upwards)(tree.parent, tree.train)
    sum_upwards(tree.parent, tree.rows_train[:, None])
    return tree


def _marks(found: Foreign, nodes: Sequence[ForeignNode]) -> dict[int, Mark]:
    """What the file says on nodes, by id: the note on the root, and labels."""
    marks = {
        i: Mark(label=node.label) for i, node in enumerate(nodes)
        if (node.label is not None if found.task == "number" else node.label in found.classes)
    }  # fmt: skip
    return marks | {0: replace(marks.get(0, Mark()), note=found.note)}


def _check_names(found: Foreign) -> None:
    names = [column.name for column in found.columns]
    for what, twice in (("column", repeated(names)), ("class", repeated(found.classes))):
        if twice is not None:
            fault = tr("it names the class “{name}” twice", name=one_line(twice))
            if what == "column":
                fault = tr("it names the column “{name}” twice", name=one_line(twice))
            raise InputError(fault)
    if found.target in names:
        raise InputError(tr("it predicts “{target}” from the column itself", target=one_line(found.target)))
    if found.task == "classes" and not found.classes:
        raise InputError(tr("it names no classes"))


def _preorder(found: Foreign) -> list[int]:
    """The places of the nodes from the root down, each followed by its branches in order."""
    order, waiting, seen = list[int](), [found.root], set[int]()
    while waiting:
        place = waiting.pop()
        if not 0 <= place < len(found.nodes):
            raise InputError(tr("it names node {node}, which is not there", node=one_line(place)))
        if place in seen:
            raise InputError(tr("its nodes do not make one tree: two branches lead to node {node}", node=place))
        seen.add(place)
        order.append(place)
        node = found.nodes[place]
        if len(node.below) != (node.split.n_branches if node.split is not None else 0):
            raise InputError(tr("node {node} has not the branches that its split makes", node=place))
        waiting += node.below[::-1]
    return order


# -- what is said and not said


def chosen(wish: Wish, n: int, first: int = 0) -> int:
    """Which tree of n is meant; InputError when that is not clear."""
    if n == 0:
        raise InputError(tr("it holds no tree"))
    if wish.tree is None and n > 1:
        raise SeveralTrees(tr("it holds {n} trees: choose one of them, 0 to {last}", n=n, last=n - 1), n)
    place = wish.tree or 0
    if not 0 <= place < n:
        raise InputError(tr("it has no tree {tree}: choose one from 0 to {last}", tree=one_line(place), last=n - 1))
    return place


class SeveralTrees(InputError):
    """The file holds several trees, and none was chosen."""

    def __init__(self, text: str, n: int) -> None:
        super().__init__(text)
        self.n_trees = n


def named(given: Sequence[str], wished: Sequence[str], what: str) -> tuple[str, ...]:
    """The names of features ("features") or classes: those of the file, unless others are wished."""
    if wished and len(wished) != len(given):
        said = {"n": len(given), "given": len(wished)}
        fault = tr("it has {n} classes, and {given} names are given", **said)
        if what == "features":
            fault = tr("it has {n} features, and {given} names are given", **said)
        raise InputError(fault)
    return tuple(map(str, wished or given))


def target_name(wish: Wish, columns: Iterable[str], found: str = "") -> str:
    """What the tree predicts; without a name "target", or what no column is called."""
    name, taken = wish.target or found or "target", set(columns)
    while not (wish.target or found) and name in taken:
        name += "_"
    return name


def number_stats(value: float, weight: float = 1.0, squares: float = 0.0) -> tuple[float, float, float]:
    """The statistics of a leaf that predicts a number: those of rows around it."""
    return weight, weight * value, squares


def odds_stats(log_odds: float, weight: float = 1.0) -> tuple[float, float]:
    """The statistics of a leaf of the classes 0 and 1 that says the log-odds of 1."""
    rarer = math.exp(-abs(log_odds)) / (1.0 + math.exp(-abs(log_odds)))
    shares = (rarer, 1.0 - rarer) if log_odds > 0 else (1.0 - rarer, rarer)
    return weight * shares[0], weight * shares[1]


def column_places(columns: Sequence[Any], place: object) -> int:
    """A place in a list of columns; InputError for one that is not there."""
    if not isinstance(place, int) or not 0 <= place < len(columns):
        raise InputError(tr("it asks feature {place} of {n}", place=one_line(place), n=len(columns)))
    return place


def same_length(**lists: Sequence[Any]) -> None:
    """InputError where lists that belong together differ in length."""
    sizes = {name: len(values) for name, values in lists.items()}
    first, n = next(iter(sizes.items()))
    for name, size in sizes.items():
        if size != n:
            raise InputError(tr(
                "“{first}” has {n} entries and “{name}” has {size}", first=first, n=n, name=name, size=size,
            ))  # fmt: skip


def refuse(text: str) -> NoReturn:
    """Raises InputError."""
    raise InputError(text)


# -- thresholds of other programs as those of this one: a double goes left where it is at most the threshold


def below(value: float) -> float:
    """The double before a value: x < value is x ≤ below(value)."""
    return math.nextafter(value, -math.inf)


def reach_of_float32(limit: float) -> float:
    """The largest double whose float32 is at most `limit`, for programs that round a value before they compare it.

    It lies halfway to the float32 above, or just before that point where halfway rounds up (IEEE 754: to even).
    """
    with np.errstate(over="ignore"):
        largest = np.float32(limit)
        if float(largest) > limit:
            largest = np.nextafter(largest, np.float32(-np.inf))
        if largest == np.inf:
            return math.inf
        after = float(np.nextafter(largest, np.float32(np.inf)))
        middle = max(float(largest), -BEYOND_FLOAT32) / 2 + min(after, BEYOND_FLOAT32) / 2
        return middle if np.float32(middle) <= largest else below(middle)


def below_float32(limit: float) -> float:
    """The largest double whose float32 is less than `limit`."""
    with np.errstate(over="ignore"):
        rounded = np.float32(limit)
        return reach_of_float32(float(np.nextafter(rounded, np.float32(-np.inf))) if float(rounded) >= limit else limit)


def cut(column: str, threshold: float, missing_left: bool) -> Split:
    """A split by one threshold; NaN is no threshold."""
    if math.isnan(threshold):
        raise InputError(tr("a threshold of “{column}” is no number", column=one_line(column)))
    return Split(column, "threshold", (threshold,), missing=0 if missing_left else 1)


def without(column: str, threshold: float, low: float, high: float, missing_left: bool) -> tuple[Split, bool]:
    """A split that sends values up to the threshold left, but those from `low` to `high` where missing ones go.

    Returns:
        The split, and whether its branches are the other way round.
    """
    beyond = below(low)
    if (low <= threshold) == (high <= threshold) == missing_left:
        return cut(column, threshold, missing_left), False
    if low <= threshold <= high:  # inside, or at an end: all of these go one way
        return cut(column, high if missing_left else beyond, missing_left), False
    # Of three literals two hold exactly where the other side is reached from outside; missing values fulfil none.
    if missing_left:
        literals = (threshold, ">"), (beyond, "<="), (high, ">")
    else:
        literals = (threshold, "<="), (beyond, "<="), (high, ">")
    split = Split(column, "m_of_n", m=2, literals=tuple(Literal(column, test, value) for value, test in literals))
    return split, missing_left


def single(value: float) -> float:
    """A number as the float32 that it was written from."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def groups(
    column: str, left: Iterable[str], known: Iterable[str], *, missing_left: bool, unseen_left: bool
) -> Split:  # fmt: skip
    """A split of levels into those that go left and the other known ones."""
    inside = tuple(dict.fromkeys(left))
    others = tuple(level for level in known if level not in set(inside))
    return Split(
        column, "groups", groups=(inside, others), missing=0 if missing_left else 1, unseen=0 if unseen_left else 1
    )


def of_truth(split: Split) -> Split:
    """A cut of 0 and 1 as a split of the levels False and True."""
    left = [name for value, name in enumerate(BOOLEAN_LEVELS) if value <= split.thresholds[0]]
    missing_left = split.missing == 0
    return groups(split.column, left, BOOLEAN_LEVELS, missing_left=missing_left, unseen_left=missing_left)


# -- onto a table


def fitted(tree: Tree, table: Table) -> tuple[Tree, list[str]]:
    """A tree of another program with the names and kinds of a table, before it is counted there.

    Names with spaces may have lost them (LightGBM writes “_”); features without names are the table's in order, where
    there are as many; a cut of a boolean column by 0 and 1 is a split of its levels. The target is the table's,
    unless the tree names another of its columns.

    Returns:
        The tree, and what of this a person should know, in sentences.
    """
    features = [table.columns[i] for i in table.features]
    spelled = {column.name.replace(" ", "_"): column.name for column in features}
    own, said = [column.name for column in tree.columns], list[str]()
    names = [name if name in table.names else spelled.get(name, name) for name in own]
    if len(names) == len(features) and not set(names) & {column.name for column in features}:
        names = [column.name for column in features]
        said = [tr(
            "The file does not name features of {table}: “{first}” is taken for “{feature}”, and so on in order.",
            table=table.name, first=own[0], feature=names[0],
        )]  # fmt: skip
    columns = tuple(column._replace(name=name) for column, name in zip(tree.columns, names, strict=True))
    tree = replace(tree, columns=columns, target=tree.target if tree.target in table.names else str(table.target))
    boolean = {column.name for column in features if column.kind == "boolean"}
    turned = {place for place, column in enumerate(columns) if column.name in boolean and column.kind == "number"}
    if turned:
        tree = _with_truth(tree, turned)
    if tree.task != table.task and tree.target == table.target:
        width = np.zeros((tree.n_nodes, table.n_stats))
        nodes = tree.nodes._replace(train=width, validation=width)
        tree = replace(tree, task=table.task, classes=table.classes, nodes=nodes, leaf_rule=LeafRule())
    return tree, said


def _with_truth(tree: Tree, turned: set[int]) -> Tree:
    """The tree with the levels False and True in the place of numbers of some columns."""
    columns = tuple(
        column._replace(kind="boolean", levels=BOOLEAN_LEVELS) if place in turned else column
        for place, column in enumerate(tree.columns)
    )
    nodes, writer = tree.nodes.take(np.arange(tree.n_nodes)), SplitWriter(columns)
    for i in np.flatnonzero(nodes.n_branches).tolist():
        split = unpack_split(tree.columns, tree.nodes, tree.payload, i)
        plain = split.kind == "threshold" and split.n_branches == 2 and nodes.column[i] in turned
        writer.write(nodes, i, of_truth(split) if plain else split, bool(nodes.by_hand[i]))
    return replace(tree, columns=columns, nodes=nodes, payload=writer.payload)
