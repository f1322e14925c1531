"""How much of a tree returns on other samples of the same rows (Philipp, Rusch, Hornik and Strobl 2018, "Measuring the
stability of results from supervised statistical learning"; stablelearner).

    the tree            a sample's tree     returned
    age ≤ 30            age ≤ 33            yes: the cut may move, the column is the same
    ├ income ≤ 20       ├ income ≤ 25       yes
    └ income ≤ 50       └ city              no, and nothing below it can
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.resampling.recipe import Recipe, leaves_reached
from engine.resampling.samples import bootstrap
from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.splits import Split
from engine.table.table import Table
from engine.tree.marks import criterion_at, excluded_at
from engine.tree.tree import Tree

UNLIMITED: dict[str, Any] = {  # options of a search that stop no growing
    "min_rows": 2, "min_gain": 0.0, "max_leaves": None, "cp": 0.0, "collapse": False, "significance": None,
    "columns_per_node": 0,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Stability:
    """What trees of samples have in common with a tree, at and below one of its nodes.

    Attributes:
        columns: the features that were searched, in the order of the table.
        wins: float64[columns], the share of the samples in which each splits the node; the rest of 1 are samples in
            which the node stays a leaf.
        splits: of the node in each sample; None where it stays a leaf.
        returned: float64[n_nodes], by position in the tree: the share of the samples whose tree asks the same column at
            the same place, below splits that ask the same columns, too. NaN for leaves and beside the node.
        changed: float64[samples], how much predictions of the node's training rows differ between the tree and that of
            a sample: the share of their weight that gets another class, or the mean absolute difference.
        leaves: int64[samples], of each sample's tree.
        errors: float64[samples], of each sample's tree on the node's rows that its sample left out, see `Bootstrap`.
    """

    columns: tuple[str, ...]
    wins: NDArray[np.float64]
    splits: tuple[Split | None, ...]
    returned: NDArray[np.float64]
    changed: NDArray[np.float64]
    leaves: NDArray[np.int64]
    errors: NDArray[np.float64]

    def cuts(self, column: str) -> NDArray[np.float64]:
        """float64[·], ascending: where samples cut a column, all cuts of all samples in which it splits the node; empty
        for one that is split by its levels."""
        splits = (split for split in self.splits if split is not None and split.column == column)
        return np.sort([cut for split in splits for cut in split.thresholds] or np.zeros(0))


class Wins(NamedTuple):
    """How a column does at a node on samples of its rows."""

    won: int  # samples in which its split is the best of all columns
    samples: int  # all of them
    cuts: NDArray[np.float64]  # float64[·], ascending, of all samples in which it wins; empty for levels

    @property
    def share(self) -> float:
        """Of the samples; NaN without any."""
        return self.won / self.samples if self.samples else np.nan


def stability(
    table: Table,
    tree: Tree,
    node: int = 0,
    *,
    samples: int = 200,
    first: int = 0,
    seed: int = 0,
    rows: str = "bootstrap",
    prune: str | None = None,
    pruning: Mapping[str, Any] | None = None,
    validation: float = 0.0,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Stability:
    """Grows trees on samples of a node's training rows and compares them with what stands at and below the node.

    Args:
        node: the id of a leaf or of an inner node.
        samples, first, seed, rows, threads: see `engine.bootstrap`.
        prune, pruning, validation: how each tree is cut back, see `Recipe`: say it where the tree was pruned, or the
            trees of the samples are larger than it.
        progress: when it is stopped, what the finished samples found is returned.
        options: of `engine.grow`; those not given are the tree's own, and so are the columns and the criterion that
            its marks say at the node. `max_depth` counts from the root of the whole tree. max_depth=1 at the root asks
            for its split alone, which is quicker.

    Raises:
        InputError: an option cannot be used, the tree has no such node, or there are no such samples.
    """
    at = tree.position(node)
    said = {**(tree.options if "preset" not in options else {}), **options}
    said["locked"] = tuple(dict.fromkeys((*said.get("locked", ()), *excluded_at(tree, node))))
    if criterion_at(tree, node):
        said["criterion"] = criterion_at(tree, node)
    if said.get("max_depth") is not None:
        said["max_depth"] = max(int(said["max_depth"]) - int(tree.level[at]), 0)
    if said.get("max_leaves") is not None and at > 0:
        said["max_leaves"] = max(int(said["max_leaves"]) - tree.n_leaves + tree.subtree(node).n_leaves, 1)
    cut_back: dict[str, Any] = {"prune": prune, "pruning": pruning or {}, "validation": validation}
    recipe = Recipe(search=said, at=(tree, node), **cut_back)
    how: dict[str, Any] = {"samples": samples, "first": first, "seed": seed, "rows": rows}
    found = bootstrap(table, recipe, threads=threads, progress=progress, **how)
    searched = {table.columns[i].name for i in table.features} - set(said["locked"])
    columns = tuple(column.name for column in table.columns if column.name in searched)
    inside = np.flatnonzero(recipe.rows(table))
    before = predictions(tree, leaves_reached(table, tree, inside))
    weight = np.ones(inside.size) if table.weights is None else table.weights[inside]
    returned = np.zeros(tree.n_nodes)
    changed = np.empty(len(found.trees))
    for s, other in enumerate(found.trees):
        returned[returning(tree, at, other)] += 1
        now = predictions(other, leaves_reached(table, other, inside))
        apart = before != now if tree.task == "classes" else np.abs(before - now)
        changed[s] = float((apart * weight).sum() / weight.sum())
    n = max(len(found.trees), 1)
    splits = tuple(other.split_at(0) for other in found.trees)
    wins = np.array([sum(split is not None and split.column == name for split in splits) for name in columns]) / n
    beside = np.ones(tree.n_nodes, bool)
    beside[at : tree.end[at]] = tree.n_branches[at : tree.end[at]] == 0
    returned = np.where(beside, np.nan, returned / n)
    return Stability(columns, wins, splits, returned, changed, found.leaves, found.errors)


def best_splits(
    table: Table, tree: Tree, node: int = 0, *, samples: int = 200, first: int = 0, progress: Progress | None = None,
    **options: Any,
) -> tuple[Split | None, ...]:  # fmt: skip
    """The split that ranks first at a node in each of some bootstrap samples of its training rows, as `candidates`
    ranks: of the limits that stop a growing tree only `min_leaf` holds. None where nothing parts a sample.

    Args:
        samples, first: see `engine.bootstrap`.
        progress: when it is stopped, the splits of the finished samples are returned.
        options: those of `engine.Search`; no option of the tree's own holds, but its marks do.

    Raises:
        InputError: an option cannot be used, or the tree has no such node.
    """
    search = Search.make(tree.task, **options)
    deepest = int(tree.level[tree.position(node)]) + search.lookahead  # at the last level there is nothing ahead
    how: dict[str, Any] = {"samples": samples, "first": first, "max_depth": deepest, "progress": progress}
    return stability(table, tree, node, **search.to_dict() | UNLIMITED | how).splits


def wins(splits: Sequence[Split | None], columns: Iterable[str]) -> dict[str, Wins]:
    """What `best_splits` found, column by column; splits with m of n stand under "m of n", as their candidate does."""
    found: dict[str, list[Split]] = {name: [] for name in columns}
    for split in splits:
        if split is not None:
            found.setdefault("m of n" if split.kind == "m_of_n" else split.column, []).append(split)
    return {
        name: Wins(
            len(those), len(splits), np.sort([cut for split in those for cut in split.thresholds] or np.zeros(0))
        )
        for name, those in found.items()
    }


def predictions(tree: Tree, leaf: NDArray[np.int64]) -> NDArray[Any]:
    """[m]: the numbers of the classes, or the numbers, that some leaves predict."""
    return tree.labels[leaf] if tree.task == "classes" else tree.predictions[leaf]


def returning(tree: Tree, at: int, other: Tree) -> list[int]:
    """The positions of the splits at and below `at` that another tree has, too, from its root on: of the same column,
    below the same branches of splits of the same columns."""
    found, todo = [], [(at, 0)]
    while todo:
        here, there = todo.pop()
        ours, theirs = tree.split_at(here), other.split_at(there)
        if ours is None or theirs is None or ours.column != theirs.column:
            continue
        found.append(here)
        todo.extend(zip(tree.children(here), other.children(there), strict=False))
    return found
