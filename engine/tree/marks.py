"""Marks: what a person wrote on a node, and what follows for the nodes below it.

A mark belongs to the node's id. It stays through every edit for as long as the node lives.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, find_criterion
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.arrays import NAMES, TIE, AnyTree, Mark, TreeArrays, impurities, weighted_drops

MOST_LABEL = 1e140  # as for targets: squared, and added up over all rows, it is a number still
ANY_TIME = {"note", "locked"}  # what may be written on a locked node: nothing that changes what the tree does


class SearchWay(NamedTuple):
    """How splits are searched at a node, by what is written there and above: columns left out, and the criterion."""

    excluded: frozenset[str] = frozenset()
    criterion: str = ""


# -- writing


def checked(tree: TreeArrays, node: int, mark: Mark, changes: Mapping[str, Any]) -> Mark:
    """The mark of a node with changes.

    Raises:
        InputError: there is no such entry of a mark, its value cannot be used, or the node is locked.
    """
    for name in changes:
        if name not in NAMES:
            raise InputError(tr("A mark has no “{name}”; it has {names}.", name=name, names=", ".join(NAMES)))
    read: dict[str, Any] = {name: _READ[name](tree, node, value) for name, value in changes.items()}
    if "label" in changes:
        read.setdefault("label_by_pruning", False)
    changed = replace(mark, **read)
    if any(getattr(changed, name) != getattr(mark, name) for name in NAMES if name not in ANY_TIME):
        check_unlocked(tree, node)
    return changed


def _read_note(tree: TreeArrays, node: int, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(
            tr("The note of node {node} cannot be {value}; it is a text.", node=node, value=one_line(value))
        )
    return value


def _read_flag(tree: TreeArrays, node: int, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise InputError(
            tr("Node {node} is pinned or locked or not, True or False, not {value}.", node=node, value=one_line(value))
        )
    return bool(value)


def _read_label(tree: TreeArrays, node: int, value: Any) -> str | float | None:
    if value is None:
        return None
    if tree.task == "classes":
        if value not in tree.classes:
            classes = ", ".join(tree.classes)
            raise InputError(tr(
                "Node {node} cannot predict “{value}”; the classes are {classes}.", node=node, value=one_line(value),
                classes=one_line(classes, 200)))  # fmt: skip
        return str(value)
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not number or not abs(value) < MOST_LABEL:
        raise InputError(tr(
            "Node {node} cannot predict “{value}”; “{target}” is numeric, so it predicts a number below {most:g} in "
            "size.", node=node, value=one_line(value), target=tree.target, most=MOST_LABEL))  # fmt: skip
    return float(value)


def _read_excluded(tree: TreeArrays, node: int, value: Any) -> tuple[str, ...]:
    try:
        names = (value,) if isinstance(value, str) else tuple(dict.fromkeys(value or ()))
    except TypeError as error:
        raise InputError(tr(
            "What node {node} excludes cannot be {value}; it is a list of column names.", node=node,
            value=one_line(value))) from error  # fmt: skip
    for name in names:
        if name not in tree.kinds and name not in tree.mark(node).excluded:  # what was a feature may be one again
            raise InputError(tr(
                "“{name}” is no feature of this tree, so node {node} cannot exclude it.", name=one_line(name),
                node=node))  # fmt: skip
    return names


_READ: dict[str, Callable[[TreeArrays, int, Any], Any]] = {
    "note": _read_note, "pinned": _read_flag, "locked": _read_flag, "label": _read_label,
    "label_by_pruning": _read_flag, "excluded": _read_excluded, 
    "criterion": lambda tree, _, value: find_criterion(one_line(value), tree.task).name if value else "",
}  # fmt: skip


def fitting(tree: AnyTree, table: Table) -> tuple[AnyTree, list[str]]:
    """The tree without the labels and criteria that a table's target does not know, and a sentence for each."""
    same = (tree.task, tree.target) == (table.task, table.target)
    marks, problems = dict(tree.marks), []
    for node, mark in tree.marks.items():
        known = same and (table.task == "number" or mark.label in table.classes)
        if mark.label is not None and not known:
            mark = replace(mark, label=None, label_by_pruning=False)
            problems.append(tr(
                "The label “{label}” of node {node} was taken back: “{target}” never is that.",
                label=tree.marks[node].label, node=node, target=table.target))  # fmt: skip
        if mark.criterion and CRITERIA[mark.criterion].task != table.task:
            problems.append(tr(
                "The criterion {criterion} of node {node} was taken back: the target is another one.",
                criterion=mark.criterion, node=node))  # fmt: skip
            mark = replace(mark, criterion="")
        marks[node] = mark
    return (replace(tree, marks=marks), problems) if problems else (tree, [])


# -- locks


def locked_by(tree: TreeArrays, node: int) -> int | None:
    """The nearest locked node at or above this one; None where it may change."""
    return next((above for above in _upwards(tree, node) if above in tree.marks and tree.marks[above].locked), None)


def check_unlocked(tree: TreeArrays, *nodes: int, below: bool = False) -> None:
    """InputError when something may not change at one of these nodes; with `below` also when a node below is locked."""
    for node in nodes:
        lock = locked_by(tree, node)
        if lock == node:
            raise InputError(tr("Node {node} is locked: unlock it first.", node=node))
        if lock is not None:
            raise InputError(tr(
                "Node {node} stands below node {lock}, which is locked: unlock node {lock} first.", node=node,
                lock=lock))  # fmt: skip
        i = tree.position(node)
        for other, mark in tree.marks.items() if below else ():
            if mark.locked and i < tree.position(other) < tree.end[i]:
                raise InputError(
                    tr("Node {other} below node {node} is locked: unlock node {other} first.", other=other, node=node)
                )


def left_alone(tree: TreeArrays) -> NDArray[np.bool_]:
    """bool[n_nodes]: the nodes that neither growing nor pruning may change: pinned ones, all at and below a lock."""
    alone = np.zeros(tree.n_nodes, dtype=bool)
    for node, mark in tree.marks.items():
        i = tree.position(node)
        if mark.locked:
            alone[i : tree.end[i]] = True
        elif mark.pinned:
            alone[i] = True
    return alone


def splits_kept(tree: TreeArrays) -> NDArray[np.bool_]:
    """bool[n_nodes]: the splits that pruning may not take back: those of nodes that may not change, and all above any
    of these nodes, inner ones or leaves."""
    alone = np.concatenate(([0], np.cumsum(left_alone(tree))))
    return np.asarray((alone[tree.end] > alone[:-1]) & (tree.n_branches > 0))


def weakest(tree: TreeArrays, criterion: str) -> int | None:
    """The split that gives least when it is taken back: the inner node, with leaves only below it, whose split
    lowers the criterion least, times its share of the rows; of equal ones the last. Splits that pins or locks keep
    are left out; None where no other is.

    Raises:
        InputError: no such criterion, or it looks at rows and the tree holds no medians or histograms.
    """
    drops = weighted_drops(tree, criterion)
    inner = tree.n_branches > 0
    above_inner = np.bincount(tree.parent[1:], inner[1:], tree.n_nodes) > 0 if tree.n_nodes > 1 else ~inner
    last = np.flatnonzero(inner & ~above_inner & ~splits_kept(tree))
    if not last.size:
        return None
    least = drops[last].min() + TIE * impurities(tree, criterion)[0]
    return int(tree.ids[last[drops[last] <= least][-1]])


# -- searching


def excluded_at(tree: TreeArrays, node: int) -> dict[str, int]:
    """The columns that the search leaves out at a node, each with the nearest node whose mark excludes it."""
    found: dict[str, int] = {}
    for above in _upwards(tree, node):
        for name in tree.mark(above).excluded:
            found.setdefault(name, above)
    return found


def criterion_at(tree: TreeArrays, node: int) -> str:
    """The criterion that splits are searched by at a node instead of the search's; empty: by that."""
    return next(filter(None, (tree.mark(above).criterion for above in _upwards(tree, node))), "")


def search_ways(tree: TreeArrays) -> tuple[NDArray[np.int64], list[SearchWay]]:
    """(int64[n_nodes], which of the ways each node is searched; the ways: the usual one first)."""
    which, ways = np.zeros(tree.n_nodes, dtype=np.int64), [SearchWay()]
    marked = {tree.position(node): mark for node, mark in tree.marks.items() if mark.excluded or mark.criterion}
    for i in sorted(marked):  # from above to below: the nodes below i are searched as i is, so far
        mark, above = marked[i], ways[which[i]]
        way = SearchWay(above.excluded | set(mark.excluded), mark.criterion or above.criterion)
        if way not in ways:
            ways.append(way)
        which[i : tree.end[i]] = ways.index(way)
    return which, ways


def _upwards(tree: TreeArrays, node: int) -> list[int]:
    """The ids of a node and of all above it, the nearest first."""
    i, path = tree.position(node), [node]
    while tree.marks and i > 0:  # without any marks nobody asks further
        i = int(tree.parent[i])
        path.append(int(tree.ids[i]))
    return path
