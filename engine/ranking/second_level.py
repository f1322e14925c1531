"""What a split gains together with the best split below each of its branches.

Lookahead looks for the split that is best in this sense (`search.lookahead`). This is the same sum for one split that
is there already, searched below as usual, every cut of every column:

    ahead = gain + Σ over branches of share · gain of the best split of the branch

By the gain ratio the best split of a branch is the one that ranks first, and the sum is of information gains.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ranking.candidates import rows_of
from engine.ranking.node_search import ranked, search_node, searched_table
from engine.ranking.weighing import Candidate
from engine.runtime.progress import Progress
from engine.runtime.threads import Workers
from engine.search.marked import at_node
from engine.search.options import Search
from engine.search.tally import NodeRows
from engine.splits import branch_of_rows
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.assignment import Assignment

if TYPE_CHECKING:
    from engine.tree.tree import Tree

WORTH_A_POOL = 50_000  # rows times columns from which threads pay


def second_level(
    table: Table,
    tree: "Tree",
    node: int,
    candidate: Candidate,
    *,
    assignment: Assignment | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> float:
    """What a candidate of a node gains with the best split below each of its branches, on training rows.

    Args:
        candidate: one of this node, with a split.
        progress: when it is stopped, NaN is returned.
        options: those of `engine.Search`; `lookahead` is of no account.

    Raises:
        InputError: an option cannot be used, the tree has no such node, or the split does not fit the table.
    """
    progress = progress or Progress()
    table, search = at_node(table, tree, node, Search.make(table.task, **{**options, "lookahead": 1, "m_of_n": False}))
    inside = rows_of(table, tree, node, assignment)
    view, split = searched_table(table, search), candidate.split
    assert split is not None
    rows = inside.rows[table.part[inside.rows] == TRAIN]
    branch = branch_of_rows(split, table, rows)
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    sizes = np.bincount(branch, weights=weights, minlength=split.n_branches)
    total, gain = float(sizes.sum()), candidate.gain
    many = rows.size * len(table.features) >= WORTH_A_POOL
    with Workers(search.threads if many else 1) as workers:
        for b in range(split.n_branches):
            if not sizes[b] > 0:
                continue
            below = NodeRows.of(view, rows[branch == b]).centred()
            looks = search_node(below, search, workers, progress)
            if progress.stopped:
                return float("nan")
            best = next(ranked(looks, below, search), None)
            gain += 0.0 if best is None else float(sizes[b]) / total * max(best.found.gain, 0.0)
    return gain
