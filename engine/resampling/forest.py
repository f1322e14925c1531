"""A forest: many trees of bootstrap samples, whose predictions are averaged.

With all columns at every node it is bagging (Breiman 1996), with some drawn at random for each node a random forest
(Breiman 2001). Each tree is judged by the rows that its sample left out, so the error of the whole costs no rows.
"""

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.growing import grow
from engine.resampling.recipe import leaves_reached
from engine.resampling.samples import check_samples, draw_sample
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.search.options import Search
from engine.table.partition import TRAIN, further_seed
from engine.table.table import Table
from engine.tree.assignment import leaves_of_frame
from engine.tree.tree import Tree

if TYPE_CHECKING:
    import pandas as pd

NAN = float("nan")
LEAST = 1e-15  # a probability of 0 would make an infinite log loss
SQRT = "sqrt"


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees whose predictions are averaged, and what they predict of the training rows that they have not seen.

    Attributes:
        trees: those that were finished.
        out_of_bag: float64[n_rows, K], the mean probabilities of the classes by the trees whose samples left a row out;
            or float64[n_rows, 1], the mean of their numbers. NaN where there is no such tree.
        out_of_bag_error: the share of the weight that these predict wrongly; or the mean squared error.
        out_of_bag_log_loss: mean of −ln of the probability of the true class, at least 10⁻¹⁵; NaN for a number.
    """

    trees: tuple[Tree, ...]
    out_of_bag: NDArray[np.float64]
    out_of_bag_error: float
    out_of_bag_log_loss: float

    def predict(self, frame: "pd.DataFrame") -> NDArray[Any]:
        """The class with the largest mean probability (object), of equal ones the first, or the mean number (float64),
        for each row of a data frame; see `Tree.predict`.

        Raises:
            InputError: as there, or the forest was stopped before its first tree.
        """
        first = self._grown()[0]
        if first.task == "number":
            return np.asarray(sum(tree.predict(frame) for tree in self.trees) / len(self.trees))
        return np.array(first.classes, dtype=object)[self.predict_proba(frame).argmax(axis=1)]

    def predict_proba(self, frame: "pd.DataFrame") -> NDArray[np.float64]:
        """float64[n, K]: the mean probabilities of the classes, in the order of `Tree.classes`; raises as `predict`."""
        found = (tree.probabilities[leaves_of_frame(tree, frame)] for tree in self._grown())
        return np.asarray(sum(found) / len(self.trees))

    def _grown(self) -> tuple[Tree, ...]:
        if not self.trees:
            raise InputError(tr("The forest was stopped before its first tree, so it predicts nothing: grow it again."))
        return self.trees


def forest(
    table: Table,
    *,
    trees: int = 100,
    columns: str | int | None = SQRT,
    rows: str = "bootstrap",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Forest:
    """Grows a forest on the training rows of a table.

    Args:
        trees: how many.
        columns: how many columns are drawn for each node: a number, "sqrt" for √(number of features) rounded down, or
            None for all (bagging). Where none of them has a split, as many more are drawn.
        rows: see `engine.bootstrap`.
        seed: draws rows and columns.
        threads: how many share the trees; None for one for each processor.
        progress: when it is stopped, the forest of the trees that are finished is returned; it may be without any.
        options: of `engine.grow`, for each tree.

    Raises:
        InputError: an option cannot be used, or there is no such number of trees or columns.
    """
    check_samples(trees, rows)
    search = {**options, "columns_per_node": _columns_per_node(table, columns), "threads": 1}
    Search.make(table.task, **search)
    inside, told = table.rows(TRAIN).astype(np.int64), progress or Progress()
    votes = _Votes(table)
    grown: dict[int, Tree] = {}

    def grow_one(i: int) -> None:
        if told.stopped:
            return
        one, quiet = further_seed(seed, i), Progress()
        quiet.flag = told.flag
        sample = draw_sample(table, inside, rows, one)
        tree = grow(sample.table, progress=quiet, **{**search, "seed": one})
        if told.stopped:
            return
        leaf = leaves_reached(table, tree, sample.left)
        said = tree.probabilities[leaf] if tree.task == "classes" else tree.predictions[leaf, None]
        grown[i] = tree
        votes.add(i, sample.left, sample.left_share, said)

    def tell() -> None:
        told.report(len(grown) / trees, tr("Forest: {n} of {all} trees", n=len(grown), all=trees))

    with Workers(threads) as workers:
        workers.each(grow_one, range(trees), tell)
    votes.finish()
    mean = votes.mean()
    error, log_loss = _out_of_bag(table, inside, mean)
    return Forest(tuple(grown[i] for i in sorted(grown)), mean, error, log_loss)


class _Votes:
    """What trees predict of rows that they have not seen, added up in the order of the trees, whichever is done first:
    so the last digits do not depend on the threads."""

    def __init__(self, table: Table) -> None:
        self.total = np.zeros((table.n_rows, len(table.classes) or 1))
        self.weight = np.zeros(table.n_rows)
        self._waiting: dict[int, tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = {}
        self._next, self._lock = 0, Lock()

    def add(self, i: int, rows: NDArray[Any], share: NDArray[Any], said: NDArray[Any]) -> None:
        """Takes what tree i predicts of some rows, float64[m, K]."""
        with self._lock:
            self._waiting[i] = rows, share, said
            while self._next in self._waiting:
                self._take(self._next)
                self._next += 1

    def finish(self) -> None:
        """Takes what came behind trees that were not finished."""
        for i in sorted(self._waiting):
            self._take(i)

    def _take(self, i: int) -> None:
        rows, share, said = self._waiting.pop(i)
        self.total[rows] += share[:, None] * said
        self.weight[rows] += share

    def mean(self) -> NDArray[np.float64]:
        """float64[n_rows, K]; NaN where no tree predicted."""
        known = np.where(self.weight > 0, self.weight, np.nan)
        return np.asarray(self.total / known[:, None])


def _out_of_bag(table: Table, rows: NDArray[np.int64], mean: NDArray[np.float64]) -> tuple[float, float]:
    """(error, log loss) of the predictions of some rows."""
    rows = rows[~np.isnan(mean[rows, 0])]
    if not rows.size:
        return NAN, NAN
    weight = np.ones(rows.size) if table.weights is None else table.weights[rows]
    if table.task == "number":
        return float(np.average((table.y[rows] + table.origin - mean[rows, 0]) ** 2, weights=weight)), NAN
    true = table.y[rows]
    right = np.clip(mean[rows, true], LEAST, 1.0)
    wrong = mean[rows].argmax(axis=1) != true
    return float(np.average(wrong, weights=weight)), float(np.average(-np.log(right), weights=weight))


def _columns_per_node(table: Table, columns: Any) -> int:
    """How many columns are drawn for each node; 0 for all."""
    n = len(table.features)
    if columns is None:
        return 0
    if columns == SQRT:
        return max(int(n**0.5), 1)
    if isinstance(columns, bool) or not isinstance(columns, int | np.integer) or not 1 <= columns <= n:
        raise InputError(tr(
            "columns cannot be “{columns}”; it is a whole number from 1 to {n}, “sqrt”, or None for all.",
            columns=one_line(columns), n=n))  # fmt: skip
    return int(columns)
