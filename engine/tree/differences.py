"""In what a table differs from the one that a tree was made on, and what counting the tree there does, in sentences."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from engine.runtime.sentences import marked, tr
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.counting import faults
from engine.tree.nodes import columns_asked
from engine.tree.tree import Tree

MOST_NAMED = 4  # classes in a sentence
ONE_LEVEL = marked(
    "“{name}” has a level that the tree does not know, “{level}”: {share:.1f} % of the rows go where its splits send "
    "unknown levels."
)
LEVELS = marked(
    "“{name}” has {n:,} levels that the tree does not know, as “{level}”: {share:.1f} % of the rows go where its "
    "splits send unknown levels."
)
ENOUGH_ROWS = 30  # at a split, so that it says something when they all go one way


def differences(saved: Tree, counted: Tree, table: Table) -> list[str]:
    """What a person should know before a tree is shown on a table; empty where it fits.

    Args:
        saved: the tree as it was made.
        counted: the same, counted on the table (`recount`).
        table: its training rows alone are looked at.
    """
    return lost_splits(saved, table) + other_meaning(saved, counted, table)


def other_meaning(saved: Tree, counted: Tree, table: Table) -> list[str]:
    """The same without the splits that do not fit: what would go unseen."""
    found = [other_classes(saved, counted), *_unknown_levels(saved, table), _one_way(saved, counted)]
    return [sentence for sentence in found if sentence]


def other_classes(saved: Tree, counted: Tree) -> str:
    """That the tree knew other classes than the table has; empty where it did not."""
    if set(saved.classes) == set(counted.classes):
        return ""
    knew, has = (
        ", ".join(tr("“{text}”", text=name) for name in tree.classes[:MOST_NAMED])
        + " …" * (len(tree.classes) > MOST_NAMED)
        for tree in (saved, counted)
    )
    return tr(
        "The tree was grown for the classes {old} of “{target}”; this table has {new}: what the leaves predict was "
        "counted again.", old=knew, target=counted.target, new=has,
    )  # fmt: skip


def lost_splits(tree: Tree, table: Table) -> list[str]:
    """What does not bind, and how many splits become leaves by it."""
    asked = Counter(each for _, each in set(columns_asked(tree.nodes, tree.payload)))
    said = []
    for each, fault in faults(tree, table).items():
        n = asked[each]
        loss = tr("1 split on it becomes a leaf.") if n == 1 else tr("{n:,} splits on it become leaves.", n=n)
        said.append(f"{fault} {loss}" if n else fault)
    return said


def _unknown_levels(tree: Tree, table: Table) -> list[str]:
    """The columns that have levels which no split knows."""
    said, rows = [], table.rows(TRAIN)
    for place in sorted({place for _, (place, by_order) in columns_asked(tree.nodes, tree.payload) if not by_order}):
        name, known = tree.columns[place].name, set(tree.columns[place].levels)
        if name not in table.names or not known or not (levels := table.column(name).levels):
            continue
        counts = np.bincount(table.column(name).codes[rows], minlength=len(levels) + 1)[1:]
        unknown = [(level, n) for level, n in zip(levels, counts.tolist(), strict=True) if n and level not in known]
        if unknown:
            what = {"name": name, "level": unknown[0][0], "n": len(unknown)}
            what |= {"share": 100 * sum(n for _, n in unknown) / max(int(counts.sum()), 1)}
            sentence = ONE_LEVEL if len(unknown) == 1 else LEVELS
            said.append(tr(sentence, **what))
    return said


def _one_way(saved: Tree, counted: Tree) -> str:
    """That splits divide nothing any more, as after a change of units or of all levels."""
    divided = saved.ids[(saved.n_branches > 0) & ~_sends_one_way(saved)]
    idle = (counted.n_branches > 0) & _sends_one_way(counted) & (counted.rows_train >= ENOUGH_ROWS)
    idle &= np.isin(counted.ids, divided)
    if not idle.any():
        return ""
    first = int(idle.argmax())
    child = max(counted.children(first), key=lambda i: int(counted.rows_train[i]))
    what = {"n": int(idle.sum()), "condition": counted.sentence(child), "rows": int(counted.rows_train[first])}
    if what["n"] == 1:
        return tr("One split no longer divides the rows: for all {rows:,} of them, “{condition}”.", **what)
    return tr("{n:,} splits no longer divide the rows; the first: for all {rows:,} of them, “{condition}”.", **what)


def _sends_one_way(tree: Tree) -> NDArray[np.bool_]:
    """bool[n_nodes]: whether all training rows of a node go into one branch."""
    parent = np.flatnonzero(tree.parent >= 0)
    most = np.zeros(tree.n_nodes, dtype=np.int64)
    np.maximum.at(most, tree.parent[parent], tree.rows_train[parent])
    return np.asarray(most >= tree.rows_train)
