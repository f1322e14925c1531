"""The best of all trees: an exhaustive search for the least training error at a given depth.

Growing is greedy: it takes the best question now and never comes back. For a small table the best tree of a depth can
be found by trying all of them, so that it can be seen what the greedy one misses, and how the best one overfits.
"""

from dataclasses import dataclass, replace

from engine.growing import grow
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.search.options import Search
from engine.table.table import Table
from engine.theory.all_trees.counting import MOST_DEPTH, Extent, extent, too_many
from engine.theory.all_trees.search import Hunt
from engine.theory.all_trees.to_tree import planted
from engine.tree import Tree

__all__ = ["MOST_DEPTH", "MOST_SECONDS", "AllTrees", "Extent", "all_trees", "extent"]

MOST_SECONDS = 600.0


@dataclass(frozen=True, eq=False)
class AllTrees:
    """What a search of all trees found.

    Attributes:
        tree: the tree of least training error, of those with fewest leaves, of those the one whose tests come first
            (lower column, lower cut; at the root first, then branch by branch).
        error: its training error: the share of weight in error, or the mean squared error.
        greedy: the tree that `engine.grow` finds at this depth.
        n_tests, n_trees: see `Extent`.
        complete: False when the search was stopped; `tree` is then the best so far.
    """

    tree: Tree
    error: float
    greedy: Tree
    n_tests: int
    n_trees: int
    complete: bool


def all_trees(
    table: Table, depth: int = 2, *, min_leaf: int = 1, nominal: str = "groups", progress: Progress | None = None
) -> AllTrees:
    """Searches all trees of at most this depth for the one of least training error.

    The tests are: every cut between adjacent training values of a numeric or ordered column; of a nominal one by
    `nominal` all divisions of its levels into two groups (of more than 8 levels: each level against the rest), each
    level against the rest, or a branch for each declared level. Rows that lack the value go into either branch, both
    are tried, and it is asked whether the value is there at all.

    The search is exact. The last two levels are counted (`theory.kernels.all_trees`), those above are tried one by
    one, leaving out what cannot be better than what is known, because a row that changes sides changes the least
    error by no more than its weight. The tree is never worse than the greedy one, which stands in where that groups
    more levels than are tried here.

    Args:
        depth: 1 to 4.
        min_leaf: every branch that a split makes keeps at least this many training rows.
        nominal: "groups", "multiway" or "one_vs_rest".
        progress: told how far it is; after a stop the best tree so far is returned, within a fifth of a second.

    Raises:
        InputError: an option cannot be used, or the search would take more than about ten minutes.
    """
    search = Search.make(table.task, min_leaf=min_leaf, nominal=nominal)
    progress = progress or Progress()
    size = extent(table, depth, nominal=nominal)
    if size.seconds > MOST_SECONDS:
        raise InputError(too_many(size))
    greedy = grow(table, max_depth=depth, min_leaf=search.min_leaf, nominal=nominal, progress=_silent(progress))
    hunt = Hunt(table, search, progress)
    plan = hunt.best(hunt.root, depth, 0.0, 1.0)
    tree = planted(table, hunt, plan)
    scale = max(float(greedy.costs("train")[0]), 1e-300) / max(float(greedy.weight("train")[0]), 1e-300)
    if greedy.error("train") < tree.error("train") - 1e-9 * scale:
        tree = greedy
    tree = replace(tree, options=greedy.options, leaf_rule=greedy.leaf_rule)
    return AllTrees(tree, tree.error("train"), greedy, size.n_tests, size.n_trees, not progress.stopped)


def _silent(progress: Progress) -> Progress:
    """Stops when the other one does, and tells nothing."""
    silent = Progress()
    silent.flag = progress.flag
    return silent
