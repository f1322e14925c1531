"""Cross-validation of a whole recipe: each fold is predicted by a tree that was made without it.

The pruning is part of the recipe, so a price per leaf that is chosen by folds is chosen anew on the other folds of each
fold: nested cross-validation (Stone 1974; Varma and Simon 2006).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from engine.assessment import Fit, fit_of
from engine.assessment.leaf_counts import LeafCounts
from engine.assessment.pooled import PooledCounts, pooled, reached
from engine.resampling.recipe import Recipe, leaves_reached
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.table.folds import Folds, by_class, each_row, folds_by_group, folds_in_time, held_out
from engine.table.partition import TRAIN, further_seed
from engine.table.table import Table
from engine.tree.tree import Tree

NAN = float("nan")
EACH = "each"


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """The errors of a recipe on rows that took no part in making its trees.

    Attributes:
        errors: float64[repeats, folds], the mean loss of each fold: the share of the weight in error or, with priors or
            costs in the leaf rule, the mean cost; the mean squared error, or the mean absolute one of trees that
            predict medians. NaN where a fold was not finished or has no rows that count.
        weights: float64[repeats, folds], the weight of the rows of each fold.
        leaves: int64[repeats, folds], the leaves of each tree; 0 where a fold was not finished.
        fold: int64[repeats, n_rows], the fold of each row; −1 of rows that were never set aside.
        predicted: [repeats, n_rows], what the tree made without a row predicts of it: int64, the number of the class,
            −1 where nothing was predicted; or float64, NaN there.
        probabilities: float64[n_rows, K], the probabilities of the classes by these trees, the mean over repeats; NaN
            where nothing was predicted; float64[n_rows, 0] for a number.
        row_losses: float64[n_rows], the loss on each row, the mean over repeats; NaN where nothing was predicted.
        row_weights: float64[n_rows], by how much each row counts; 0 there.
        test_share: rows of a fold ÷ rows that train without it, on average.
        fit: all figures of these rows together, see `engine.Fit`: matrix, curves, scores. Each row is judged by the
            trees that were made without it, and counts once, whatever the repeats; where it was stopped, of the repeats
            in which all folds were finished, or of as many folds of the first. `interval` is the one that there is.
    """

    errors: NDArray[np.float64]
    weights: NDArray[np.float64]
    leaves: NDArray[np.int64]
    fold: NDArray[np.int64]
    predicted: NDArray[Any]
    probabilities: NDArray[np.float64]
    row_losses: NDArray[np.float64]
    row_weights: NDArray[np.float64]
    test_share: float
    fit: Fit

    @property
    def mean(self) -> float:
        """The mean error of the rows of all folds that were finished."""
        known = ~np.isnan(self.errors)
        total = self.weights[known].sum()
        return float((self.errors[known] * self.weights[known]).sum() / total) if total > 0 else NAN

    @property
    def standard_error(self) -> float:
        """The standard error of `mean`, the larger of two; NaN with fewer than two folds.

            of folds   √((1/J + n₂/n₁) · S²),   S² = J/(J − 1) · Σ wⱼ (eⱼ − mean)² ÷ Σ wⱼ
            of rows    √(Σ wᵢ² (lᵢ − mean)²) ÷ Σ wᵢ

        The first is over the J errors of folds and repeats, n₂ rows judged and n₁ rows trained in each: the corrected
        resampled variance of Nadeau and Bengio (2003, "Inference for the generalization error"), which Bouckaert and
        Frank (2004) use for repeated folds. S²/J alone is too small, for the trees share most of their training rows,
        and with repeats the judged rows as well: no number of repeats makes new rows. It is an approximation; no
        unbiased estimate exists (Bengio and Grandvalet 2004).

        The second is that of rows which one tree judges, whose losses lᵢ are the means over repeats. Folds that are
        stratified by class all have the same shares of the classes, and hide how much these vary from table to table:
        where all trees predict the same class, the folds do not differ at all.
        """
        known = ~np.isnan(self.errors)
        n = int(np.count_nonzero(known))
        if n < 2:
            return NAN
        errors, weights, mean = self.errors[known], self.weights[known], self.mean
        spread = float((weights * (errors - mean) ** 2).sum() / weights.sum()) * n / (n - 1)
        judged = self.row_weights > 0
        apart = self.row_weights[judged] * (self.row_losses[judged] - mean)
        of_rows = float(np.sqrt((apart**2).sum()) / self.row_weights[judged].sum())
        return max(float(np.sqrt((1.0 / n + self.test_share) * spread)), of_rows)

    @property
    def interval(self) -> tuple[float, float]:
        """About 95 % of such intervals hold the error to be expected of the recipe on tables of as many rows as train:
        `mean` and `standard_error` times the quantile of t with one degree of freedom less than there are folds.

        Simulated with 60 and 200 rows whose target is noise, from the root alone to trees that are grown out, with 5
        and 10 folds: 92 to 100 of 100 intervals held it. With log-normal weights, by which 60 rows weigh like 22, it
        was 88 to 100: where few rows carry the weight, take fewer folds.
        """
        reach = float(stdtrit(max(self.errors.shape[1] - 1, 1), 0.975)) * self.standard_error
        return self.mean - reach, self.mean + reach


def cross_validate(
    table: Table,
    recipe: Any,
    *,
    folds: int | str | NDArray[np.integer[Any]] = 10,
    repeats: int = 1,
    group: str | None = None,
    time: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CrossValidation:
    """Judges a recipe on the training rows of a table by cross-validation; validation and test rows take no part.

    Args:
        recipe: a `Recipe`, search options, a tree whose structure is kept, a split or a candidate; see `Recipe.of`.
        folds: how many, stratified by class; "each" for one of every row (leave-one-out); or int[n_rows], the fold of
            each row, −1 of rows that always train.
        repeats: how often the rows are dealt out again; folds in time, of each row and folds that are given know no
            other way.
        group: a column whose rows of one value stay together.
        time: a column by which rows are put in order: each fold is judged by trees of the rows before it. Training
            sets then grow from fold to fold.
        seed: deals the rows out. The folds are those by which `engine.prune` chooses with this seed.
        threads: how many share the folds; None for one for each processor.
        progress: when it is stopped, what the finished folds found is returned.

    Raises:
        InputError: the recipe cannot be followed, or there are no such folds.
    """
    made = Recipe.of(recipe)
    made.check(table)
    rows = made.rows(table)
    inside = held_out(table, rows, np.zeros(table.n_rows, bool))
    dealt = _deal(inside, folds, repeats, group, time, seed)
    told = progress or Progress()
    n_folds, n_classes = dealt[0].n, len(table.classes)
    shape = (len(dealt), n_folds)
    errors, weights, leaves = np.full(shape, NAN), np.zeros(shape), np.zeros(shape, np.int64)
    by_number = table.task == "number"
    predicted = np.full((len(dealt), table.n_rows), NAN) if by_number else np.full((len(dealt), table.n_rows), -1)
    probabilities = np.zeros((table.n_rows, n_classes))
    times = np.zeros(table.n_rows, np.int64)
    row_losses, row_weights = np.zeros((2, table.n_rows))
    sizes: list[tuple[int, int]] = []
    found: dict[tuple[int, int], PooledCounts] = {}

    def judge(one: tuple[int, int]) -> None:
        repeat, k = one
        held = np.flatnonzero(dealt[repeat].held(k))
        training = dealt[repeat].training(k)
        if told.stopped or not held.size or not training.any():
            return
        quiet = Progress()
        quiet.flag = told.flag
        tree = made.follow(held_out(table, training, np.zeros(table.n_rows, bool)), quiet)
        if told.stopped:
            return
        leaf = leaves_reached(table, tree, held)
        found[one] = reached(LeafCounts(table, tree, "folds", given=(held.astype(np.uint32), leaf)))
        loss, weight = losses(table, tree, held, leaf)
        total = float(weight.sum())
        errors[repeat, k] = float((loss * weight).sum() / total) if total > 0 else NAN
        weights[repeat, k], leaves[repeat, k] = total, tree.n_leaves
        predicted[repeat, held] = tree.predictions[leaf] if by_number else tree.labels[leaf]
        if not by_number:
            probabilities[held] += tree.probabilities[leaf]
        times[held] += 1
        row_losses[held] += loss * weight
        row_weights[held] += weight
        sizes.append((held.size, int(np.count_nonzero(training))))

    def tell() -> None:
        n, every = len(sizes), len(dealt) * n_folds
        told.report(n / every, tr("Cross-validation: {n} of {all} folds", n=n, all=every))

    with Workers(threads) as workers:
        for repeat in range(len(dealt)):  # one by one: no two threads add to the probabilities of one row
            workers.each(judge, [(repeat, k) for k in range(n_folds)], tell)
    probabilities[times == 0] = NAN
    probabilities /= np.maximum(times, 1)[:, None]
    row_losses = np.divide(row_losses, row_weights, out=np.full(table.n_rows, NAN), where=row_weights > 0)
    row_weights /= np.maximum(times, 1)
    tested, trained = (sum(column) for column in zip(*sizes, strict=True)) if sizes else (0, 1)
    return CrossValidation(
        errors, weights, leaves, np.stack([one.fold for one in dealt]), predicted, probabilities, row_losses,
        row_weights, tested / trained, _fit(found, len(dealt)),
    )  # fmt: skip


def _fit(found: dict[tuple[int, int], PooledCounts], repeats: int) -> Fit:
    """The figures of the repeats in which all folds were finished, else of the folds of the first that were."""
    of_repeat = [[found[one] for one in sorted(found) if one[0] == repeat] for repeat in range(repeats)]
    most = max(map(len, of_repeat))
    if not most:
        return Fit("folds", 0, 0.0)
    whole = [folds for folds in of_repeat if len(folds) == most]
    return fit_of(pooled([fold for folds in whole for fold in folds], 1.0 / len(whole)))


def losses(
    table: Table, tree: Tree, rows: NDArray[Any], leaf: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(what the tree loses on each of some rows, by how much each counts), float64[m] each; leaf: the positions that
    they reach."""
    weight = np.ones(rows.size) if table.weights is None else table.weights[rows]
    if tree.task == "number":
        apart = table.y[rows] + table.origin - tree.predictions[leaf]
        return (np.abs(apart) if tree.predicts_median else apart**2), weight
    true = table.y[rows]
    costs = tree.leaf_rule.cost_matrix(tree.classes)
    return costs[true, tree.labels[leaf]], weight * tree.leaf_rule.class_factors(tree.classes, tree.train[0])[true]


def _deal(table: Table, folds: Any, repeats: int, group: str | None, time: str | None, seed: int) -> list[Folds]:
    """The folds of each repeat."""
    given = None if isinstance(folds, str) else np.asarray(folds)
    if (given is None and folds != EACH) or (given is not None and (given.dtype.kind not in "iu" or given.ndim > 1)):
        raise InputError(tr(
            "folds cannot be “{folds}”; give a whole number, a fold for each row, or “each”.", folds=one_line(folds),
        ))  # fmt: skip
    if isinstance(repeats, bool) or not isinstance(repeats, int | np.integer) or repeats < 1:
        raise InputError(
            tr("repeats cannot be {repeats}; it is a whole number of at least 1.", repeats=one_line(repeats))
        )
    counted = given is not None and given.ndim == 0
    fixed = not counted or time is not None
    if group is not None and time is not None:
        raise InputError(tr("Folds are made by group or in time, not both: leave out one of them."))
    if (group is not None or time is not None) and not counted:
        raise InputError(tr("Folds by group or in time are counted: give folds as a whole number."))
    if repeats > 1 and fixed:
        raise InputError(tr(
            "These folds would be the same in each of {repeats} repeats: use 1, or folds that are dealt out at random.",
            repeats=repeats))  # fmt: skip
    if given is None:
        return [each_row(table)]
    if not counted:
        if given.shape != (table.n_rows,):
            raise InputError(tr(
                "The folds of {given} rows were given; the table has {rows} rows.", given=given.size,
                rows=table.n_rows))  # fmt: skip
        fold = np.where(table.part == TRAIN, given, -1).astype(np.int64)
        return [Folds(fold, table.part == TRAIN, int(fold.max()) + 1)]
    n = int(given)
    if n < 2:
        raise InputError(tr("{folds} folds are too few; cross-validation needs at least 2.", folds=n))
    if n > table.n_train:
        raise InputError(tr(
            "{folds:,} folds are too many for {rows:,} training rows: use {rows:,} folds or fewer.", folds=n,
            rows=table.n_train))  # fmt: skip
    if time is not None:
        return [folds_in_time(table, table.column(time), n)]
    seeds = [further_seed(seed, repeat) for repeat in range(repeats)]
    if group is not None:
        return [folds_by_group(table, table.column(group), n, one) for one in seeds]
    return [Folds(by_class(table, n, one), table.part == TRAIN, n) for one in seeds]
