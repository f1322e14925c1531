"""New rows through a finished tree: what it predicts of them, and in what they differ from those that it was grown on.

The rows are read, predicted and written in chunks, so that memory does not grow with the file. The tree is taken as it
is: its target need not be in the file, and the kinds of its columns are the tree's own.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.formats.rows import ROW_WRITERS, check_sheet, checked_suffix, writable
from engine.readers.chunks import ROWS, Rows, open_rows, readable_column
from engine.readers.files import enough_memory
from engine.readers.known import KnownColumn
from engine.readers.options import ReadOptions
from engine.runtime.errors import InputError
from engine.runtime.files import checked_target, write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.runtime.threads import Workers
from engine.table.column import NUMERIC, Column, column_from_series
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree import divided_rows
from engine.tree.assignment import (
    Assignment,
    assign,
    leaves_of_rows,
    leaves_of_series,
    main_leaves,
    parts_of_series,
    places_asked,
)
from engine.tree.nodes import TreeColumn
from engine.tree.rules import rules
from engine.tree.tree import Tree

Floats = NDArray[np.float64]

STABLE, SHIFTED = 0.1, 0.25  # of the population stability index, as usually read
CHANCE = 0.01  # p-values above it are what chance alone does
MOVED = 1.25  # times as large or small a share has to be to speak of it
BINS = 10  # of a numeric column, with equally many training rows
FEWEST_EXPECTED = 5.0  # in a cell of the test; smaller ones are pooled (Cochran 1954)


@dataclass(frozen=True)
class Drift:
    """How far the shares of new rows lie from those of the training rows.

    Attributes:
        psi: the population stability index Σ (q − p) ln(q ÷ p) over the shares (Siddiqi 2006, "Credit risk
            scorecards"), half a row added to each count. Below 0.1 is usually called stable, above 0.25 shifted. Of few
            rows it is large by chance alone.
        p: of the chi-square test that both come from one distribution; of many rows it is small for shifts that do
            not matter. NaN where no two cells can be compared.
    """

    psi: float
    p: float

    @property
    def size(self) -> str:
        """What is to be said of it: "untested", "chance", "small", "moderate" or "large"."""
        if self.p != self.p:  # sampling weights, or too few rows
            return "untested"
        if self.p > CHANCE:
            return "chance"
        return "small" if self.psi < STABLE else "moderate" if self.psi < SHIFTED else "large"


@dataclass(frozen=True)
class ColumnFindings:
    """What was found in one column of the tree, in numbers of rows.

    Attributes:
        name, kind: as the tree knows them.
        is_asked: whether a split asks it, and not only a surrogate.
        is_absent: the file has no such column, or one of nested or binary values; all else is 0 or None then.
        missing: cells without a value.
        unknown: cells with a level that the tree does not know.
        unreadable: cells that hold no value of the kind; the tree takes them for missing.
        outside: values beyond the range of the training rows; None where that is not known.
        example: the first unreadable cell or unknown level; empty without any.
        drift: against the training rows; None where their distribution is not known.
    """

    name: str
    kind: str
    is_asked: bool
    is_absent: bool
    missing: int = 0
    unknown: int = 0
    unreadable: int = 0
    outside: int | None = None
    example: str = ""
    drift: Drift | None = None


@dataclass(frozen=True, eq=False)
class Scored:
    """What came of scoring a file.

    Attributes:
        n_rows: rows that were scored.
        columns: a finding for each column of the tree, in its order.
        added: the names of the columns that were written beside those of the file; empty when nothing was written.
        leaves: int64[n_leaves], the ids of the leaves; `counts` int64[n_leaves], how many rows reached each; `shares`
            float64[n_leaves], those of the training rows.
        leaf_p: float64[n_leaves], of the chi-square test that the share of a leaf is what it was, times the number of
            leaves (Bonferroni); NaN without a test, or where fewer than five rows are expected.
        drift: of the leaves; of a tree with one leaf there is none.
        knows_training: whether the training table was at hand: a tree alone holds neither the ranges nor the
            distributions of its columns.
        notes: announcements of the reader and the writer, in words.
    """

    n_rows: int
    columns: tuple[ColumnFindings, ...]
    added: tuple[str, ...]
    leaves: NDArray[np.int64]
    counts: NDArray[np.int64]
    shares: Floats
    leaf_p: Floats
    drift: Drift | None
    knows_training: bool
    notes: tuple[str, ...]

    @property
    def absent(self) -> tuple[str, ...]:
        """The columns of the tree that the file lacks."""
        return tuple(column.name for column in self.columns if column.is_absent)

    @property
    def moved(self) -> NDArray[np.bool_]:
        """bool[n_leaves]: whether the share of a leaf is another one, by more than chance and by a quarter at least."""
        now, before = self.counts * MOVED, self.shares * self.n_rows
        return (self.leaf_p <= CHANCE) & ((now <= before) | (self.counts >= MOVED * before))


def score(
    tree: Tree,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str] | None = None,
    *,
    options: ReadOptions | None = None,
    training: Table | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Predicts the rows of a file, and writes them with the leaf, its rule, the prediction and the probabilities; where
    the tree has profits also with what a row is expected to earn, and whether to act on it (see `Tree.acts`).

    Args:
        source: any file that tables are read from; text, Parquet and Feather are read in chunks.
        target: a .csv, .xlsx or .parquet file, written whole or not at all; None: only the report is made.
        options: how to read the source; the kinds of the tree's columns are those of the tree.
        training: the table that the tree was grown on, from which ranges and drift of its columns are known.

    Raises:
        InputError: the file cannot be read or written, it lacks a column that a split asks, or a stop was asked for.
    """
    suffix = "" if target is None else checked_suffix(target)
    if target is not None and checked_target(os.fspath(target)) == Path(os.path.realpath(source)):
        raise InputError(tr("“{path}” holds the rows that are to be scored: choose another name.", path=target))
    with enough_memory(Path(source).name):
        rows = open_rows(Path(source), options or ReadOptions(), progress)
        scoring = _Scoring(tree, rows, training, progress)
        if target is None:
            for _ in scoring.leaves():
                pass
            return scoring.report()
        tables = scoring.tables(suffix)
        first = next(tables)  # what cannot be scored is told before a file is begun
        delimiter = "," if rows.options.delimiter in (None, " ") else rows.options.delimiter
        write = ROW_WRITERS[suffix]
        write_whole(Path(target), write(chain((first,), tables), delimiter, rows.options.decimal or "."))
        return scoring.report()


def write_rows(
    table: Table, tree: Tree, target: str | os.PathLike[str], rows: NDArray[Any] | None = None, *,
    leaf: NDArray[np.int64] | None = None, progress: Progress | None = None,
) -> tuple[str, ...]:  # fmt: skip
    """Writes rows of a table that is at hand as `score` writes those of a file, with what the tree predicts of them.

    Args:
        target: a .csv, .xlsx or .parquet file, written whole or not at all.
        rows: int[n], in the order in which they are written; None: all but those that are kept for the test.
        leaf: int64[n_rows], the position of the leaf of every row of the table, if at hand.

    Returns:
        The names of the columns that were added.

    Raises:
        InputError: the file cannot be written, a split does not bind to the table, or a stop was asked for.
    """
    suffix = checked_suffix(target)
    names, chosen = _added(tree, table.names), table.unsealed if rows is None else rows
    if suffix == ".xlsx":
        check_sheet(chosen.size + 1, len(table.names) + len(names))
    reached, results = leaves_of_rows(table, tree) if leaf is None else leaf, _Results(tree)
    at = assign(table, tree) if tree.divides_rows else None

    def pieces() -> Iterator[Any]:
        for start in range(0, max(chosen.size, 1), ROWS):
            if progress is not None:
                if progress.stopped:
                    raise InputError(tr("Writing {label} was stopped.", label=Path(target).name))
                progress.report(start / max(chosen.size, 1), tr("Wrote {n:,} rows", n=start))
            some = chosen[start : start + ROWS]
            cells = pa.Table.from_pandas(table.to_frame(some), preserve_index=False).combine_chunks().columns
            cells = [column.chunk(0) if column.num_chunks else column for column in cells]
            yield writable(
                (*table.names, *names),
                [*cells, *results.of(reached[some], None if at is None else at.of_rows(some, tree.leaves))],
                suffix,
                {},
            )[0]

    write_whole(Path(target), ROW_WRITERS[suffix](pieces(), ",", "."))
    return names


class _Scoring:
    """The rows of one file on their way through a tree, and what is counted meanwhile."""

    def __init__(self, tree: Tree, rows: Rows, training: Table | None, progress: Progress | None) -> None:
        self.tree, self.rows, self.training, self.progress = tree, rows, training, progress
        asked, _ = places_asked(tree)
        self.watched = [
            _Watched(column, place in asked, rows, training) for place, column in enumerate(tree.columns)
        ]  # fmt: skip
        self.n_rows, self.n_formulas = 0, 0
        self.left_out: dict[str, str] = {}
        self.counts = np.zeros(tree.n_nodes, dtype=np.int64)
        self.added = _added(tree, rows.names)
        self.is_written = False

    def leaves(self) -> Iterator[tuple[list[Any], NDArray[np.int64], Assignment | None]]:
        """The columns of some rows after the other, the position of the leaf that each row reaches, and where splits
        divide rows, which part of each stands where."""
        rows = self.rows
        for columns, share in rows.chunks:
            if self.progress is not None:
                if self.progress.stopped:
                    raise InputError(tr("Scoring {label} was stopped.", label=rows.label))
                self.progress.report(share, tr("Scored {n:,} rows", n=self.n_rows))
            if len(columns[0]):
                leaf, at = self._reached(columns)
                self.n_rows += leaf.size
                self.counts += np.bincount(leaf, minlength=self.tree.n_nodes)
                yield columns, leaf, at
        if not self.n_rows:
            raise InputError(tr("{label} has a header but no rows: add rows below it.", label=rows.label))

    def tables(self, suffix: str) -> Iterator[Any]:
        """The rows with what is predicted of them, as Arrow tables for a file with this suffix."""
        results, self.is_written = _Results(self.tree), True
        for columns, leaf, at in self.leaves():
            names, cells = (*self.rows.names, *self.added), [*columns, *results.of(leaf, at)]
            table, n = writable(names, cells, suffix, self.left_out)
            self.n_formulas += n
            yield table

    def _reached(self, columns: list[Any]) -> tuple[NDArray[np.int64], Assignment | None]:
        """See `leaves`; counts what is found in the columns."""
        places = {name: place for place, name in enumerate(self.rows.names)}

        def read(watched: _Watched) -> Any:
            cells = columns[places[watched.column.name]] if watched.column.name in places else None
            return watched.read(cells, self.rows.typed)

        with Workers() as workers:
            series = workers.map(read, self.watched)
        absent = [w.column.name for w in self.watched if w.is_absent and w.is_asked]
        if absent:
            raise InputError(tr(
                "{label} lacks what the tree splits on: {names}; add each column, or rename the one that holds it.",
                label=self.rows.label, names=", ".join(f"“{name}”" for name in absent)))  # fmt: skip
        found = {place: read for place, read in enumerate(series) if read is not None}
        if not self.tree.divides_rows:
            return leaves_of_series(self.tree, found, len(columns[0])), None
        at = parts_of_series(self.tree, found, len(columns[0]))
        return main_leaves(self.tree, at, len(columns[0])), at

    @property
    def _is_weighted(self) -> bool:
        """Whether the training rows were, or may have been, sampled with weights: then no test of shares holds (with
        weights of e^N(0, 1) and Kish's n it found a drift by p = 0.01 in up to one of six files without any)."""
        if self.training is not None:
            return self.training.is_sampled
        return not np.isclose(float(self.tree.weight()[0]), float(self.tree.rows_train[0]))

    def report(self) -> Scored:
        """What was counted."""
        tree, notes = self.tree, [*self.rows.notes, *self.left_out.values()]
        if self.n_formulas:
            notes.append(
                tr("{n:,} cells begin like a formula: an apostrophe was written before each.", n=self.n_formulas)
            )
        leaves = tree.leaves
        weight, counts = tree.weight()[leaves], self.counts[leaves]
        shares = weight / weight.sum() if weight.sum() > 0 else np.full(leaves.size, np.nan)
        counted = self.training is not None and self.training.weights_are_counts
        n_train, tested = float(tree.weight()[0] if counted else tree.rows_train[0]), not self._is_weighted
        compared = leaves.size > 1 and n_train > 0
        drift = compare_counts(shares * n_train, counts, tested) if compared else None
        leaf_p = compare_each(shares * n_train, counts) if compared and tested else np.full(leaves.size, np.nan)
        return Scored(
            self.n_rows, tuple(watched.findings() for watched in self.watched),
            self.added if self.is_written else (), tree.ids[leaves], counts, shares, leaf_p, drift,
            self.training is not None, tuple(dict.fromkeys(notes)),
        )  # fmt: skip


def _added(tree: Tree, taken: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns that are written beside others, with a number behind those that are taken already: the
    columns of a file keep theirs."""
    found, used = [], set(taken)
    profit = ("expected profit", "act") if tree.leaf_rule.profits else ()
    for name in ("leaf", "rule", "prediction", *(f"probability of {name}" for name in tree.classes), *profit):
        free, number = name, 2
        while free in used:
            free, number = f"{name} ({number})", number + 1
        used.add(free)
        found.append(free)
    return tuple(found)


class _Results:
    """What is written beside the rows of each leaf: made once, fetched for every chunk."""

    def __init__(self, tree: Tree) -> None:
        words = {path.node: path.text or "always" for rule in rules(tree) for path in rule.paths}
        self.tree = tree
        self.place = np.zeros(tree.n_nodes, dtype=np.int32)  # of each leaf among the leaves
        self.place[tree.leaves] = np.arange(tree.leaves.size)
        self.rule = pa.array([words[node] for node in tree.ids[tree.leaves].tolist()], pa.string())
        self.classes = pa.array(tree.classes, pa.string())
        self.by_node: list[NDArray[Any]] = []  # probabilities and profit; of numbers none
        if tree.task == "classes":
            self.by_node += list(np.ascontiguousarray(tree.probabilities.T))
        if tree.leaf_rule.profits:
            self.by_node += [tree.expected_profit, tree.acts]

    def of(self, leaf: NDArray[np.int64], at: Assignment | None = None) -> list[Any]:
        """Leaf, rule, prediction, probabilities and profit of rows in the leaves at these positions, in Arrow.

        at: which part of each row stands where, if some are divided.
        """
        tree = self.tree
        rule = pa.DictionaryArray.from_arrays(pa.array(self.place[leaf]), self.rule)
        if at is not None:
            return [pa.array(tree.ids[leaf]), rule, *self._of_parts(at, leaf.size)]
        if tree.task == "number":
            return [pa.array(tree.ids[leaf]), rule, pa.array(tree.predictions[leaf])]
        label = pa.DictionaryArray.from_arrays(pa.array(tree.labels[leaf]), self.classes)
        return [pa.array(tree.ids[leaf]), rule, label, *(pa.array(by_node[leaf]) for by_node in self.by_node)]

    def _of_parts(self, at: Assignment, n: int) -> list[Any]:
        """Prediction, probabilities and profit of rows that may be divided."""
        tree = self.tree
        if tree.task == "number":
            return [pa.array(divided_rows.means(tree, at, tree.predictions, n))]
        label = pa.DictionaryArray.from_arrays(pa.array(divided_rows.labels(tree, at, n)), self.classes)
        said = divided_rows.means(tree, at, tree.probabilities, n)
        profits = []
        if tree.leaf_rule.profits:
            earned = said @ tree.leaf_rule.profit_matrix(tree.classes)
            acts = earned[:, 1] > earned[:, 0]
            profits = [pa.array(np.where(acts, earned[:, 1], earned[:, 0])), pa.array(acts)]
        return [label, *map(pa.array, np.ascontiguousarray(said.T)), *profits]


def training_counts(table: Table, column: Column) -> tuple[NDArray[np.int64], Floats]:
    """(the training rows by the code of a column, int64[n_values + 1]; what they weigh)."""
    if table.counter is not None:
        counted: tuple[NDArray[np.int64], Floats] = table.counter.training_rows(table.index(column.name))
        return counted
    rows = table.rows(TRAIN)
    codes, n = column.codes[rows], column.n_values + 1
    counts = np.bincount(codes, minlength=n)
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    return counts, np.bincount(codes, weights, n).astype(np.float64)


class _Watched:
    """One column of the tree while the rows go by."""

    def __init__(self, column: TreeColumn, is_asked: bool, rows: Rows, training: Table | None) -> None:
        options = rows.options
        self.column, self.is_asked, self.is_absent = column, is_asked, True
        self.reader = KnownColumn(
            column.name, column.kind, column.levels, options.decimal or ".", options.missing
        )  # fmt: skip
        self.place = {level: place for place, level in enumerate(column.levels)}
        self.edges: Floats | None = None  # of the bins of a numeric column
        self.range: tuple[float, float] | None = None
        self.n_missing, self.n_unknown, self.n_outside, self.example = 0, 0, 0, ""
        self.tested = training is not None and not training.is_sampled
        self.before: Floats | None = None  # the training rows by bin or level, then those without a value
        n_cells = len(column.levels) + 1  # the last one for levels that are not known
        if training is not None and column.name in training.names:
            self._look_at(training)
            n_cells = n_cells if self.edges is None else self.edges.size + 1
        self.now = np.zeros(n_cells)

    def _look_at(self, table: Table) -> None:
        """Ranges and distribution of the rows that train."""
        column = table.column(self.column.name)
        rows, weights = training_counts(table, column)
        if column.is_numeric != (self.column.kind in NUMERIC) or not rows.any():
            return
        weights = weights if table.weights_are_counts else weights * rows.sum() / weights.sum()
        if not column.is_numeric:
            of_value = np.array([self.place.get(level, len(self.place)) for level in column.levels], dtype=np.int64)
            self.before = np.append(np.bincount(of_value, weights[1:], len(self.place) + 1), weights[0])
            return
        present = np.flatnonzero(rows[1:])
        if not present.size:
            return
        values, reached = column.values[present].astype(np.float64), np.cumsum(rows[1:][present])
        self.range = float(values[0]), float(values[-1])
        lower = np.floor(np.arange(1, BINS) / BINS * (reached[-1] - 1)).astype(np.int64)
        self.edges = np.unique(values[np.searchsorted(reached, lower, side="right")])
        cells = np.searchsorted(self.edges, values)
        self.before = np.append(np.bincount(cells, weights[1:][present], self.edges.size + 1), weights[0])

    def read(self, cells: Any, is_typed: bool) -> Any:
        """The next cells as a series of the tree's kind, counted; None where the file has no such column."""
        cells = readable_column(cells, self.column.name) if is_typed and cells is not None else cells
        self.is_absent = cells is None
        if cells is None:
            return None
        series = self.reader.read(cells, is_typed)
        if self.column.kind in NUMERIC:
            self._count_numbers(series)
        else:
            self._count_levels(series)
        return series

    def _count_numbers(self, series: Any) -> None:
        if self.column.kind == "date" and series.dtype.kind == "M":
            moments = series.to_numpy().astype("datetime64[us]")
            numbers = np.where(np.isnat(moments), np.nan, moments.view(np.int64) / 1e6)
        else:
            numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
        present = numbers[~np.isnan(numbers)]
        self.n_missing += numbers.size - present.size
        if self.range is not None and self.edges is not None:
            self.n_outside += int(np.count_nonzero((present < self.range[0]) | (present > self.range[1])))
            self.now += np.bincount(np.searchsorted(self.edges, present), minlength=self.now.size)

    def _count_levels(self, series: Any) -> None:
        read = column_from_series(self.column.name, series, self.column.kind)
        counts = np.bincount(read.codes, minlength=read.n_values + 1)
        self.n_missing += int(counts[0])
        for level, n in zip(read.levels, counts[1:].tolist(), strict=True):
            if level in self.place:
                self.now[self.place[level]] += n
            elif n and self.place:  # of a column without known levels none is unknown
                self.now[-1] += n
                self.n_unknown += n
                self.example = self.example or level

    def findings(self) -> ColumnFindings:
        """What was counted."""
        column, reader = self.column, self.reader
        if self.is_absent:
            return ColumnFindings(column.name, column.kind, self.is_asked, True)
        drift = None if self.before is None else compare_counts(
            self.before, np.append(self.now, self.n_missing), self.tested)  # fmt: skip
        return ColumnFindings(
            column.name, column.kind, self.is_asked, False, self.n_missing - reader.unreadable, self.n_unknown,
            reader.unreadable, self.n_outside if self.range is not None else None, reader.first or self.example, drift,
        )  # fmt: skip


def compare_counts(before: Any, now: Any, tested: bool = True) -> Drift:
    """How far two samples differ in the shares of their cells.

    Args:
        before, now: [n] counts of training rows and of new rows, in the same cells.
        tested: whether the rows are independent, so that a test holds.
    """
    from scipy.special import chdtrc  # a large library that nothing else here needs

    both = np.array([before, now], dtype=np.float64)
    both = both[:, both.sum(axis=0) > 0]
    n_cells, totals = both.shape[1], both.sum(axis=1, keepdims=True)
    if n_cells < 2 or not np.all(totals > 0):
        return Drift(0.0, float("nan"))
    p, q = (both + 0.5) / (totals + 0.5 * n_cells)
    psi = float(((q - p) * np.log(q / p)).sum())
    expected = totals * both.sum(axis=0) / both.sum()
    rare = expected.min(axis=0) < FEWEST_EXPECTED
    if rare.any():
        both = np.column_stack([both[:, ~rare], both[:, rare].sum(axis=1)])
        expected = totals * both.sum(axis=0) / both.sum()
    if both.shape[1] < 2 or not tested:
        return Drift(psi, float("nan"))
    return Drift(psi, float(chdtrc(both.shape[1] - 1, ((both - expected) ** 2 / expected).sum())))


def compare_each(before: Any, now: Any) -> Floats:
    """float64[n]: the p-values of the chi-square tests of each cell against all others, times n, 1 at most; NaN where
    fewer than five rows are expected. `before`, `now`: see `compare_counts`."""
    from scipy.special import chdtrc  # a large library that nothing else here needs

    both = np.array([before, now], dtype=np.float64)
    totals = both.sum(axis=1, keepdims=True)
    inside = both.sum(axis=0) / totals.sum()  # the share of each cell in both samples together
    expected = totals.min() * np.minimum(inside, 1.0 - inside)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = (both[0] / totals[0] - both[1] / totals[1]) ** 2 / (inside * (1.0 - inside) * (1.0 / totals).sum())
    return np.where(expected >= FEWEST_EXPECTED, np.minimum(1.0, chdtrc(1, squares) * both.shape[1]), np.nan)
