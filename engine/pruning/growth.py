"""The trees of all sizes that growing passes through: taken back split by split, or grown on while they improve."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA, DEFAULT
from engine.criteria.criterion import BINS, ROWS
from engine.growing import grow
from engine.growing.frontier import Frontier, even_drop, splits_in_order
from engine.pruning.metrics import curve, mean_words
from engine.pruning.options import METRICS, NO_VALIDATION, UNJUDGED, Options, metrics_for
from engine.pruning.result import Nested, Pruning, Told
from engine.pruning.sequence import TIE, Flags, Floats, locked, smallest_best, steps_of
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.search.options import Search
from engine.table.table import Table
from engine.table.words import number_words
from engine.tree.arrays import impurities, weighted_drops
from engine.tree.counting import counted, with_marks
from engine.tree.leaves import LeafRule
from engine.tree.tree import Tree

LEAST_PATIENCE = 10  # splits, as in JMP
MOST_AT_ONCE = 1 << 12  # where rows are only counted
FIRST = 32  # splits to grow before the validation rows are asked for the first time; then four times as many
UNKNOWN = marked(
    "Nothing says when to stop: the validation rows have no {figure}, for they count for nothing or are all alike; set "
    "other ones aside, or judge by another metric."
)
ALL_GROWN = marked("Growing ended before {patience} splits in a row had failed: nothing is left to split.")
STOPPED = marked("Growing ended before {patience} splits in a row had failed: it was stopped.")
LIMITED = marked("Growing ended before {patience} splits in a row had failed: at most {leaves} leaves were asked for.")


def growth(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """The trees that growing, best split first, passes through (Kearns and Mansour 1996), the last one first.

    Each step of growth splits the leaf whose split lowers the criterion most, weighted by the leaf's share of the
    training weight; of equal ones the leaf that was found first. So the tree after t splits is what
    `engine.grow(order="best_first", max_leaves=t + 1)` gives where all splits are binary, growing did not look ahead,
    and no split has surrogates, with which growing counts only what the rows gain that have the value. Level by level
    it goes if the tree was grown with order "level". A drop is measured by the criterion that the tree was grown with
    (by the default one for a tree made by hand), whatever its leaves say. Of lookahead and the gain ratio it is the
    drop by one level of the impurity. Splits that are kept for being hand-made, and those above them, count as the
    first ones.

    `alpha` of a step is the weighted drop of the split that it takes back: the drops of all splits add up to the
    whole drop from the root to the leaves. Chosen is the least validation error, fewer leaves where several are least.
    """
    pruning, order = _retraced(table, tree, locked(tree, options.keep_by_hand))
    steps, judged = pruning.steps, tree.loss_weight("validation")[0] > 0
    if not judged:
        return replace(pruning, remark=tr(UNJUDGED) if len(steps) > 1 else "")
    errors = [step.validation_error for step in steps]
    chosen = smallest_best(np.array(errors))
    best, after = len(steps) - 1 - chosen, errors[::-1]  # after none of the splits, after one, …

    def words(i: int) -> str:
        found = np.flatnonzero(order == i)
        if not found.size:
            return ""
        made = int(found[0]) + 1
        said = {"made": made, "all": order.size, "mean": mean_words(tree), "best": best}
        said |= {"figure": number_words(after[made]), "least": number_words(after[best])}
        if not best:
            return tr(
                "Split {made:,} of {all:,} in the order of growth. Validation {mean}: {figure} after it, {least} "
                "before the first one, where it is least.", **said,
            )  # fmt: skip
        return tr(
            "Split {made:,} of {all:,} in the order of growth. Validation {mean}: {figure} after it, {least} after "
            "{best:,}, where it is least.", **said,
        )  # fmt: skip

    return replace(pruning, chosen=chosen, verdicts=Told(words), least=chosen)


def _retraced(table: Table, tree: Tree, kept: Flags) -> tuple[Pruning, NDArray[np.int64]]:
    """(the trees that growing passes through from the splits that are `kept` to all of them, the largest first;
    int64[n], the positions of the other splits in the order in which growing makes them)."""
    criterion, with_spread = criterion_of(tree), measured(table, tree)
    drops = weighted_drops(with_spread, criterion)
    order = "level" if tree.options.get("order") == "level" else "best_first"
    urgency = -even_drop(drops, float(impurities(with_spread, criterion)[0]))
    urgency = np.where(kept, -np.inf, tree.level if order == "level" else urgency)
    made = np.array(
        splits_in_order(Frontier[int](order, 1, None), [0], tree.n_branches, tree.end, urgency), dtype=np.int64
    )
    made = made[~kept[made]]
    gone = np.where(tree.n_branches > 0, made.size + 1, 0).astype(np.int32)
    gone[made] = np.arange(made.size, 0, -1)
    steps = steps_of(tree, gone, [0.0, *np.maximum(drops[made[::-1]], 0.0).tolist()])
    return Pruning("growth", steps, 0, tree, Nested(gone)), made


def criterion_of(tree: Tree) -> str:
    """The criterion that the tree was grown with; the default one if it has none or it is not one of this task."""
    name = str(tree.options.get("criterion") or "")
    return name if name in CRITERIA and CRITERIA[name].task == tree.task else DEFAULT[tree.task]


def measured(table: Table, tree: Tree) -> Tree:
    """The tree with the histograms or deviations by which its criterion is measured."""
    tells = CRITERIA[criterion_of(tree)].statistic
    if tells == BINS and not tree.bin_edges:
        return tree.with_bins(table, tree.options.get("bins", Search.bins))
    if tells != ROWS:
        return tree
    medians = tree.with_leaf_rule(table, LeafRule("median"))
    return with_marks(medians, {}, table)  # around medians, whatever people wrote instead


# -- growing on while the validation rows gain by it


def grow_while_improving(
    table: Table, tree: Tree | None = None, *, patience: int | None = None, metric: str | None = None,
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
    if patience is not None and patience < 1:
        raise InputError(tr("{patience} splits cannot fail in a row; at least 1 has to.", patience=patience))
    if not table.n_validation:
        raise InputError(tr("Nothing says when to stop. {remedy}", remedy=tr(NO_VALIDATION)))
    if metric is not None and metric not in metrics_for(table.task):
        raise InputError(tr(
            "There is no metric “{metric}” here; choose one of {metrics}.", metric=metric,
            metrics=", ".join(metrics_for(table.task))))  # fmt: skip
    progress = progress or Progress()
    begin = counted(tree, table) if tree is not None else Tree.root(table)
    limit = options.pop("max_leaves", None)
    options |= {"cp": 0.0, "collapse": False}  # validation rows decide what goes, and have to see it first
    if options.get("order") != "level":
        options["order"] = "best_first"
    search = Search.make(table.task, **options)
    widest, grown, room = _most_branches(table, search), begin, FIRST
    if table.counter is not None and search.max_depth is not None:
        room = MOST_AT_ONCE  # each beginning would look at all rows again
    while True:
        most = grown.n_leaves + room + widest
        most = most if limit is None else min(limit, most)
        grown = grow(table, tree=grown, max_leaves=most, progress=progress, **options)
        first = np.isin(grown.ids, begin.ids[begin.n_branches > 0])
        pruning = _retraced(table, grown, first)[0]
        ended = grown.n_leaves + widest - 1 <= most or most == limit or progress.stopped
        if not ended:
            pruning = _first_splits(pruning, sum(step.leaves + widest - 1 <= most for step in pruning.steps))
            grown = pruning.full
        failed = _first_failure(pruning, metric, table, patience)
        if failed is not None or ended:
            break
        room *= 4
    pruning = pruning if failed is None else _first_splits(pruning, failed)
    chosen = smallest_best(_errors(pruning, metric, table)[::-1])
    remark = ""
    if failed is None:
        failing = _enough(pruning, len(pruning.steps) - 1 - chosen, patience)
        all_grown = limit is None or grown.n_leaves + widest - 1 <= limit
        why = STOPPED if progress.stopped else ALL_GROWN if all_grown else LIMITED
        remark = tr(why, patience=failing, leaves=f"{limit or 0:,}")
    return replace(pruning, chosen=chosen, remark=remark)


def _most_branches(table: Table, search: Search) -> int:
    """What no split has more branches than. Growing to a number of leaves leaves out splits that would make too many
    at once and goes on to worse ones, so only what it makes while there is room for any split came best first."""
    widest = 2
    if search.nominal == "multiway":
        widest = max([widest, *(table.columns[i].n_values for i in table.features if not table.columns[i].is_numeric)])
    if search.numeric == "bucket_branches":
        widest = max(widest, search.buckets)
    return widest + (search.missing == "branch")


def _first_failure(pruning: Pruning, metric: str | None, table: Table, patience: int | None) -> int | None:
    """After how many splits enough of them in a row had failed; None where that never happened."""
    errors = _errors(pruning, metric, table)
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


def _errors(pruning: Pruning, metric: str | None, table: Table) -> Floats:
    """float64[n_steps]: the metric on the validation rows after every split, small where it is good; InputError
    where these rows have none."""
    if metric is None:
        found = np.array([step.validation_error for step in pruning.steps[::-1]])
    else:
        found = curve(pruning, metric, "validation", table)[::-1]
    if np.isnan(found).any():
        figure = mean_words(pruning.full) if metric is None else METRICS[metric].label
        raise InputError(tr(UNKNOWN, figure=figure))
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
