"""Random marks on random trees, and what they mean, told node by node."""

from collections.abc import Iterable
from typing import Any

import numpy as np

import engine
from engine.criteria import criteria_for
from engine.tree.tree import Tree

MARKS = ("note", "pinned", "locked", "label", "excluded", "criterion")


def random_mark(tree: Tree, random: np.random.Generator, kinds: Iterable[str]) -> dict[str, Any]:
    """Some entries of a mark, of these kinds only."""
    names = [column.name for column in tree.columns]
    any_label = str(random.choice(tree.classes)) if tree.task == "classes" else float(random.normal(10, 3))
    usable = [c.name for c in criteria_for(tree.task) if c.name not in ("binned_error", "binned_gini")]
    values: dict[str, Any] = {
        "note": f"note {random.integers(100)}",
        "pinned": True,
        "locked": True,
        "label": any_label,
        "excluded": tuple(str(n) for n in random.choice(names, random.integers(1, len(names) + 1), replace=False)),
        "criterion": str(random.choice(usable)),
    }
    return {name: values[name] for name in kinds if random.random() < 0.5}


def with_random_marks(tree: Tree, seed: int, kinds: Iterable[str] = MARKS, share: float = 0.4) -> Tree:
    """The tree with marks on about this share of its nodes; locks come last, for they forbid the rest."""
    random = np.random.default_rng(seed)
    chosen = {node: random_mark(tree, random, kinds) for node in tree.ids.tolist() if random.random() < share}
    for node, changes in chosen.items():
        tree = tree.with_mark(node, **{name: value for name, value in changes.items() if name != "locked"})
    for node, changes in chosen.items():
        if "locked" in changes:
            tree = tree.with_mark(node, locked=True)
    return tree


def upwards(tree: Tree, i: int) -> list[int]:
    """The positions of a node and of all above it, the nearest first."""
    path = [i]
    while path[-1] > 0:
        path.append(int(tree.parent[path[-1]]))
    return path


def left_alone(tree: Tree, i: int) -> bool:
    """Whether the node at position i is pinned, or stands at or below a lock."""
    return tree.mark(int(tree.ids[i])).pinned or any(tree.mark(int(tree.ids[k])).locked for k in upwards(tree, i))


def kept_splits(tree: Tree) -> frozenset[int]:
    """The positions of the splits that pruning may not take back."""
    alone = [i for i in range(tree.n_nodes) if left_alone(tree, i)]
    kept = {k for i in alone for k in upwards(tree, i)[1:]} | {i for i in alone if tree.n_branches[i]}
    return frozenset(kept)


def excluded(tree: Tree, i: int) -> set[str]:
    """The columns that are left out at the node at position i."""
    return {name for k in upwards(tree, i) for name in tree.mark(int(tree.ids[k])).excluded}


def criterion(tree: Tree, i: int, usual: str) -> str:
    """By what the node at position i is searched."""
    return next((c for k in upwards(tree, i) if (c := tree.mark(int(tree.ids[k])).criterion)), usual)


def table_and_tree(frame: Any, seed: int, n_splits: int, validation: float = 0.3) -> tuple[engine.Table, Tree]:
    """A table of which some rows validate, and a tree of random splits."""
    from tests.frames import random_tree, table_of

    table = table_of(frame).with_partition(validation=validation, seed=1)
    return table, random_tree(table, seed, n_splits)
