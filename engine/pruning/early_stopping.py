"""Go: growing on for as long as the validation rows gain by it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.pruning.growth import retraced
from engine.pruning.metrics import METRICS, curve, metrics_for
from engine.pruning.result import Nested, Pruning
from engine.pruning.sequence import TIE, smallest_best, steps_of
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.search.options import Search

if TYPE_CHECKING:
    from engine.table.table import Table
    from engine.tree import Tree

LEAST_PATIENCE = 10  # splits, as in JMP
FIRST = 32  # splits to grow before the validation rows are asked for the first time; then four times as many
UNKNOWN = (
    "Nothing says when to stop: the validation rows have no {}, for they count for nothing or are all alike; set "
    "other ones aside with Data ▸ Partition…, or judge by another metric."
)
BEFORE = "Growing ended before {patience} splits in a row had failed: "
ALL_GROWN, STOPPED, LIMITED = "nothing is left to split.", "it was stopped.", "at most {:,} leaves were asked for."


def grow_while_improving(
    table: "Table", tree: "Tree | None" = None, *, patience: int | None = None, metric: str | None = None,
    progress: Progress | None = None, **options: Any,
) -> Pruning:  # fmt: skip
    """Makes the best split of all leaves, again and again, until none of the next ones helps the validation rows.

    As JMP's Partition has it: growing stops when the validation rows have not been predicted better for `patience`
    splits in a row, and the tree goes back to where they were predicted best; the smallest such tree. Splits come
    best first, or level by level where `order` says so.

    JMP waits for ten splits. In a large tree one split is about few rows, and with many classes or a number as the
    target it takes many splits to predict one more row right; so as many are waited for as the best tree has leaves,
    if these are more. Small tables, where the best tree is small, are grown as by JMP.

    Args:
        table: with validation rows.
        tree: where to begin; its splits stay. None: a single leaf.
        patience: how many splits in a row may fail, at least 1; None: as many as the best tree so far has leaves, at
            least ten.
        metric: a name of `METRICS` by which the validation rows judge; None: what trees are pruned by, `Tree.loss`.
        progress: when it is stopped, the trees that were grown so far are returned.
        options: as of `engine.grow`.

    Returns:
        A `Pruning` of the tree with the splits that failed: its steps take these back one by one and then the others,
        to where growing began; recommended is the best one.

    Raises:
        InputError: no validation rows, no such metric or none of these rows, or an option that cannot be used.
    """
    from engine.growing import grow
    from engine.tree import Tree, counted

    if patience is not None and patience < 1:
        raise InputError(f"{patience} splits cannot fail in a row; say at least 1.")
    if not table.n_validation:
        raise InputError("Nothing says when to stop: set validation rows aside with Data ▸ Partition….")
    if metric is not None and metric not in metrics_for(table.task):
        raise InputError(f"There is no metric “{metric}” here; choose one of {', '.join(metrics_for(table.task))}.")
    progress = progress or Progress()
    begin = counted(tree, table) if tree is not None else Tree.root(table)
    limit = options.pop("max_leaves", None)
    if options.get("order") != "level":
        options["order"] = "best_first"
    widest, grown, room = _most_branches(table, Search.make(table.task, **options)), begin, FIRST
    while True:
        most = grown.n_leaves + room + widest
        most = most if limit is None else min(limit, most)
        grown = grow(table, tree=grown, max_leaves=most, progress=progress, **options)
        pruning = _tried(table, grown, begin)
        ended = grown.n_leaves + widest - 1 <= most or most == limit or progress.stopped
        if not ended:
            pruning = _first_splits(pruning, sum(step.leaves + widest - 1 <= most for step in pruning.steps))
            grown = pruning.full
        failed = _first_failure(pruning, metric, table, patience)
        if failed is not None or ended:
            why = _why_ended(grown.n_leaves, limit, widest, progress) if failed is None else ""
            return _judged(table, pruning, failed, metric, patience, why)
        room *= 4


def _most_branches(table: "Table", search: Search) -> int:
    """What no split has more branches than. Growing to a number of leaves leaves out splits that would make too many
    at once and goes on to worse ones, so only what it makes while there is room for any split came best first."""
    widest = 2
    if search.nominal == "multiway":
        widest = max([widest, *(table.columns[i].n_values for i in table.features if not table.columns[i].is_numeric)])
    if search.numeric == "bucket_branches":
        widest = max(widest, search.buckets)
    return widest + (search.missing == "branch")


def _why_ended(n_leaves: int, limit: int | None, widest: int, progress: Progress) -> str:
    if progress.stopped:
        return STOPPED
    return ALL_GROWN if limit is None or n_leaves + widest - 1 <= limit else LIMITED.format(limit)


def _tried(table: "Table", grown: "Tree", begin: "Tree") -> Pruning:
    """The trees between where growing began and where it is, the largest first."""
    first = np.isin(grown.ids, begin.ids[begin.n_branches > 0])
    order, drops = retraced(table, grown, first)
    return _steps(grown, order, drops[order])


def _steps(grown: "Tree", order: NDArray[np.int64], drops: NDArray[np.float64]) -> Pruning:
    n_steps = len(order) + 1
    gone = np.where(grown.n_branches > 0, n_steps, 0).astype(np.int32)
    gone[order] = np.arange(len(order), 0, -1)
    alphas = [0.0, *np.maximum(drops[::-1], 0.0).tolist()]
    return Pruning("growth", steps_of(grown, gone, alphas), 0, grown, Nested(gone))


def _first_failure(pruning: Pruning, metric: str | None, table: "Table", patience: int | None) -> int | None:
    """After how many splits enough of them in a row had failed; None where that never happened."""
    errors = _worth(pruning, metric, table)
    best = 0
    for made in range(1, len(errors)):
        if errors[made] < errors[best] - TIE * abs(errors[best]):
            best = made
        elif made - best == _enough(pruning, best, patience):
            return made
    return None


def _enough(pruning: Pruning, best: int, patience: int | None) -> int:
    """How many splits in a row may fail after the first `best` ones."""
    if patience is not None:
        return patience
    return max(LEAST_PATIENCE, pruning.steps[len(pruning.steps) - 1 - best].leaves)


def _worth(pruning: Pruning, metric: str | None, table: "Table") -> NDArray[np.float64]:
    """float64[n_steps]: the metric on the validation rows after every split, small where it is good.

    Raises:
        InputError: these rows have none.
    """
    if metric is None:
        found = np.array([step.validation_error for step in pruning.steps[::-1]])
    else:
        found = curve(pruning, metric, "validation", table)[::-1]
    if np.isnan(found).any():
        raise InputError(UNKNOWN.format("error" if metric is None else METRICS[metric].label))
    return -found if metric is not None and METRICS[metric].more_is_better else found


def _first_splits(pruning: Pruning, n: int) -> Pruning:
    """The same without the splits after the first n."""
    unmade = len(pruning.steps) - 1 - n
    if unmade <= 0:
        return pruning
    full = pruning.tree(unmade)
    assert isinstance(pruning.trees, Nested)
    kept = np.isin(pruning.full.ids, full.ids)
    gone = np.maximum(pruning.trees.gone[kept] - unmade, 0).astype(np.int32)
    alphas = [0.0, *(step.alpha for step in pruning.steps[unmade + 1 :])]
    return Pruning("growth", steps_of(full, gone, alphas), 0, full, Nested(gone))


def _judged(
    table: "Table", pruning: Pruning, failed: int | None, metric: str | None, patience: int | None, why_ended: str
) -> Pruning:
    """The prunings without the splits after the last that was tried, and with the best one chosen.

    why_ended: why growing ended before enough splits had failed; empty if they had.
    """
    if failed is not None:
        pruning = _first_splits(pruning, failed)
    chosen = smallest_best(_worth(pruning, metric, table)[::-1])
    enough = _enough(pruning, len(pruning.steps) - 1 - chosen, patience)
    remark = BEFORE.format(patience=enough) + why_ended if why_ended else ""
    return Pruning("growth", pruning.steps, chosen, pruning.full, pruning.trees, remark)
