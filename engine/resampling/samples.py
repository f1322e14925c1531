"""Bootstrap samples and subsamples of the training rows, and the trees that a recipe makes of them.

    row      0 1 2 3 4          of the table
    drawn    0 2 1 0 2          how often
    source   1 1 2 4 4          of the rows of the sample, a table of five rows that all train
    left     0 3                the rows that were not drawn ("out of bag")

A sample shares the sorted values of the columns and copies the codes of its rows: that takes a fraction of a percent of
growing. So a row that was drawn twice counts as two rows in every limit and test, whatever grows or prunes the tree. Of
a table with frequencies the copies that a row stands for are drawn; they stay one row with another frequency.

Draws come from the hash of the copy's number and a seed, as the parts of a table do: the same on every machine.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.resampling.cross_validation import losses
from engine.resampling.recipe import Recipe, leaves_reached
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.table.column import numeric_column
from engine.table.partition import further_seed, row_hash
from engine.table.table import Table
from engine.tree.tree import Tree

NAN = float("nan")
KINDS = ("bootstrap", "subsample")
SHARE = 0.632  # of the rows in a subsample: as many different ones as a bootstrap sample has on average
HALF = np.uint64(32)


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows drawn from a table.

    Attributes:
        table: the drawn rows, all training.
        source: int64[m], the row of the other table that each of them is a copy of, ascending.
        left: int64[·], the rows that were not drawn, ascending; with frequencies those of which a copy was not.
        left_share: float64[·], the share of the copies of each that was not drawn; 1 without frequencies.
    """

    table: Table
    source: NDArray[np.int64]
    left: NDArray[np.int64]
    left_share: NDArray[np.float64]


def draw_sample(table: Table, rows: NDArray[np.int64], kind: str, seed: int) -> Sample:
    """A sample of some rows of a table.

    Args:
        rows: int64[n], ascending.
        kind: "bootstrap", as many as there are, with replacement; "subsample", a share of 0.632 without.
    """
    copies = table.weights[rows].astype(np.int64) if table.weights_are_counts and table.weights is not None else None
    n = rows.size if copies is None else int(copies.sum())
    hashed = row_hash(n, seed)
    if kind == "bootstrap":
        drawn = (((hashed >> HALF) * np.uint64(n)) >> HALF).astype(np.int64)
    else:
        drawn = np.argsort(hashed)[: max(round(SHARE * n), 1)]
    times = np.bincount(drawn, minlength=n)
    if copies is None:
        source, left = rows[np.repeat(np.arange(n), times)], rows[times == 0]
        return Sample(table.take(source), source, left, np.ones(left.size))
    starts = np.cumsum(copies) - copies
    drawn_of_row, left_of_row = np.add.reduceat(times, starts), np.add.reduceat((times == 0).astype(np.int64), starts)
    source = rows[drawn_of_row > 0]
    sample, some = table.take(source), left_of_row > 0
    columns = tuple(
        numeric_column(column.name, column.kind, drawn_of_row[drawn_of_row > 0].astype(np.float64))
        if table.roles.get(column.name) == "frequency" and column.name != table.target else column
        for column in sample.columns
    )  # fmt: skip
    return Sample(replace(sample, columns=columns), source, rows[some], left_of_row[some] / copies[some])


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """The trees that a recipe makes of samples.

    Attributes:
        trees: one for each sample that was finished.
        errors: float64[samples], the mean loss of each tree on the rows that its sample left out, as in
            `CrossValidation.errors`; NaN where none was. The trees have seen fewer different rows than one of all rows,
            so these errors are somewhat too large on average.
        leaves: int64[samples].
    """

    trees: tuple[Tree, ...]
    errors: NDArray[np.float64]
    leaves: NDArray[np.int64]

    @property
    def mean(self) -> float:
        """The mean error on the rows left out."""
        return float(np.nanmean(self.errors)) if np.isfinite(self.errors).any() else NAN


def bootstrap(
    table: Table,
    recipe: Any,
    *,
    samples: int = 200,
    first: int = 0,
    seed: int = 0,
    rows: str = "bootstrap",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Bootstrap:
    """Follows a recipe on samples of the training rows; validation and test rows take no part.

    Copies of a row stay together where the recipe's pruning sets rows aside or chooses by folds.

    Args:
        recipe: a `Recipe`, search options, a tree whose structure is kept, a split or a candidate; see `Recipe.of`.
        samples: how many.
        first: the number of the first one: 50 with first=0 and 50 with first=50 are the 100 of one call.
        seed: draws them.
        rows: "bootstrap", as many rows as there are, with replacement (Efron 1979); "subsample", 63.2 % of them without
            (as in Strobl, Boulesteix, Zeileis and Hothorn 2007).
        threads: how many share the samples; None for one for each processor.
        progress: when it is stopped, the trees that are finished are returned.

    Raises:
        InputError: the recipe cannot be followed, or there are no such samples.
    """
    made = Recipe.of(recipe)
    made.check(table)
    check_samples(samples, rows)
    inside = np.flatnonzero(made.rows(table))
    told = progress or Progress()
    found: dict[int, tuple[Tree, float]] = {}

    def follow(i: int) -> None:
        if told.stopped:
            return
        sample, quiet = draw_sample(table, inside, rows, further_seed(seed, i)), Progress()
        quiet.flag = told.flag
        tree = made.follow(sample.table, quiet, sample.source)
        if told.stopped:
            return
        loss, weight = losses(table, tree, sample.left, leaves_reached(table, tree, sample.left))
        weight = weight * sample.left_share
        total = float(weight.sum())
        found[i] = tree, float((loss * weight).sum() / total) if total > 0 else NAN

    def tell() -> None:
        told.report(len(found) / samples, tr("Sample {n} of {all}", n=len(found), all=samples))

    with Workers(threads) as workers:
        workers.each(follow, range(first, first + samples), tell)
    each = [found[i] for i in sorted(found)]
    trees = tuple(tree for tree, _ in each)
    return Bootstrap(trees, np.array([error for _, error in each]), np.array([tree.n_leaves for tree in trees], int))


def check_samples(samples: Any, rows: Any) -> None:
    """Raises InputError where there are no such samples."""
    if isinstance(samples, bool) or not isinstance(samples, int | np.integer) or samples < 1:
        raise InputError(
            tr("samples cannot be {samples}; it is a whole number of at least 1.", samples=one_line(samples))
        )
    if rows not in KINDS:
        raise InputError(
            tr("rows cannot be “{rows}”; choose one of {kinds}.", rows=one_line(rows), kinds=", ".join(KINDS))
        )
