"""The generic pruning procedure of the notes (Shalev-Shwartz and Ben-David 2014, 18.2), for any splits and classes."""

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.errors import InputError
from engine.pruning.result import Pruning, replaced
from engine.pruning.sequence import bottom_up, locked
from engine.pruning.verdicts import Verdicts

if TYPE_CHECKING:
    from engine.kernels.generic import Judge
    from engine.progress import Progress
    from engine.pruning.options import Options
    from engine.table import Table
    from engine.tree import Tree

NO_SHARES = "Its estimates are of errors, shares of the rows, so it needs a target of classes."
NO_VALIDATION = (
    "The validation error needs validation rows: set some aside with Data ▸ Partition… or --validation 0.3, or choose "
    "another estimate."
)
Integers = NDArray[np.int64]

QUANTITIES = {
    "validation": "error of the whole tree on the validation rows",
    "mdl_bound": "bound of the whole tree's error",
    "pessimistic": "error to be expected of the whole tree",
}
COUNTED = "Mistakes were counted, not what they cost."


def generic(table: "Table", tree: "Tree", options: "Options", progress: "Progress") -> Pruning:
    """At every node, bottom up, the whole tree of the least estimate f: with the node as a leaf, with one of its
    branches in its place, the rows of the others sent down that one, or as it is.

    "Bottom up" is branch after branch, each node after those below it. A leaf says what its training rows say, where
    the notes try both classes. Of equal estimates the one with fewer leaves is kept, then the leaf, then the first
    branch. f is the error on the validation rows (the mean loss by the leaf rule); the bound of the error by the
    length of the tree's description (`engine.bounds.description_bound`); or the upper limits of all leaves' errors,
    as in C4.5.

    A stop leaves the tree as it was.

    Raises:
        InputError: the estimate is the validation error, and there are no validation rows.
    """
    from engine.kernels.generic import BOUND, prune_generically, tell_whole, value_leaves
    from engine.pruning.side_by_side import LEFT_ALONE, prune_side_by_side
    from engine.pruning.standing import part_of, stand, what_is_left

    judge = _judge(table, tree, options)
    kept, leaf = locked(tree, options.keep_by_hand), tree.n_branches == 0
    stood = stand(table, tree, options.assignment, leaf, validation=options.estimate == "validation", raising=True)
    now, ways, answers, _ = stood
    judge = judge._replace(full=bool((tree.loss_weight("train")[leaf] > 0).all()))
    order = bottom_up(tree)
    above = np.append(0, tree.labels[tree.parent[1:]]).astype(np.int64)
    verdict = np.full((4, tree.n_nodes), np.nan)
    worth = value_leaves(now, answers, above, judge)
    whole = float(worth.value.sum())

    def prune(root: int, splits: Integers) -> None:
        own, said = part_of(now, tree, root), worth._replace(said=worth.said[root : tree.end[root]])
        prune_generically(own, ways, answers, kept, splits, above, judge, whole, said, verdict, progress.flag)

    if judge.estimate == BOUND:  # what is best at a node depends on the number of all nodes
        progress.report(0.0, "Cutting back")
        prune(0, order)
    else:
        prune_side_by_side(tree, order, prune, progress)
        tell_whole(order, whole, judge.weight, verdict)
    if progress.stopped:
        return replaced("generic", tree, tree, LEFT_ALONE)
    verdicts = Verdicts(QUANTITIES[options.estimate], verdict[0], verdict[1], raised=verdict[2])
    remark = COUNTED if tree.leaf_rule.costs and options.estimate != "validation" else ""
    return replaced("generic", tree, what_is_left(table, tree, stood), remark, verdicts)


def _judge(table: "Table", tree: "Tree", options: "Options") -> "Judge":
    from engine.bounds import count_tests
    from engine.kernels.generic import BOUND, PESSIMISTIC, VALIDATION, Judge

    estimate = {"validation": VALIDATION, "mdl_bound": BOUND, "pessimistic": PESSIMISTIC}[options.estimate]
    weight = float(tree.loss_weight("validation" if estimate == VALIDATION else "train")[0])
    if estimate == VALIDATION and not weight > 0:
        raise InputError(NO_VALIDATION)
    n_tests = count_tests(table, tree.options.get("nominal") == "multiway") if estimate == BOUND else 0
    return Judge(
        estimate, weight if weight > 0 else 1.0, float(max(tree.rows_train[0], 1)),
        math.log2(n_tests + len(tree.classes) + 1), math.log(2 / options.delta),
        options.confidence, NormalDist().inv_cdf(1.0 - options.confidence), False,
    )  # fmt: skip
