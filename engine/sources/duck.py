"""Sources in DuckDB: Parquet files, folders and globs, CSV files and tables of a database file, counted where they are.

Queries are built of expressions, never of text: a column of any name is a column, and a value is a constant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.readers.relations import VALUE, Values, described, one, reading, relation_of
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.tally import Tally
from engine.sources.source import Path, Step, Stopped, head_of, steps_of, tally_of
from engine.splits import bind
from engine.table.table import Table

AT, TARGET = "path_number", "target_value"  # what queries call their columns


@dataclass(frozen=True, eq=False)
class Pushed:
    """Rows that DuckDB counts, see `engine.sources.source.Source`.

    Attributes:
        relation: the rows. values: of every column of the head.
    """

    head: Table
    relation: Any
    values: tuple[Values, ...]
    n_rows: int
    origin: float
    lacking: frozenset[str]

    @classmethod
    @reading()
    def open(
        cls, address: str | FilePath, target: str, kinds: dict[str, str] | None = None,
        roles: dict[str, str] | None = None, progress: Progress | None = None,
    ) -> "Pushed":  # fmt: skip
        """Describes the columns: one scan for each.

        Raises:
            InputError: it cannot be read, or has no such target. Stopped: the progress was stopped.
        """

        progress, name = progress or Progress(), FilePath(str(address)).stem
        relation = relation_of(address)
        if target not in relation.columns:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=name))
        values: list[Values] = []
        for column in relation.columns:
            _heard(progress, len(values) / len(relation.columns), tr("Describing: {column}", column=column))
            values.append(described(relation, column, (kinds or {}).get(column)))
        head = head_of([found.column for found in values], target, name, roles or {})
        own = one(relation, target)
        used = relation.filter(own.isnotnull())
        count = duckdb.FunctionExpression
        asked = [count("count", own).alias("n")]
        if head.task == "number":
            asked.append(count("avg", own.cast("DOUBLE")).alias("mean"))
        figures = used.aggregate(asked).fetchall()[0]
        origin = float(figures[1] or 0.0) if head.task == "number" else 0.0
        features = [head.columns[place].name for place in head.features]
        names = [f"c{i}" for i in range(len(features))]
        present = [count("count", one(relation, c)).alias(n) for c, n in zip(features, names, strict=True)]
        whole = [count("count", duckdb.ConstantExpression(1)).alias("n")]
        n, *counts = relation.aggregate([*whole, *present]).fetchall()[0]
        lacking = frozenset(c for c, m in zip(features, counts, strict=True) if m < n)
        return cls(head, relation, tuple(values), int(figures[0]), origin, lacking)

    @reading()
    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress
    ) -> list[list[Tally]]:
        """See `Source.tally`."""
        made = []
        for k, place in enumerate(columns):
            _heard(progress, k / len(columns), tr("Counting: {column}", column=self.head.columns[place].name))
            made.append(self._count(paths, place, centres))
        return made

    def _count(self, paths: Sequence[Path], place: int, centres: NDArray[np.float64]) -> list[Tally]:
        """The tallies of one column."""
        head, by_class = self.head, self.head.task == "classes"
        width, name = head.columns[place].n_values + 1, head.columns[place].name
        placed = self._placed(paths, **{VALUE: one(self.relation, name), TARGET: one(self.relation, str(head.target))})
        stats, rows = np.zeros((len(paths) * width, head.n_stats)), np.zeros(len(paths) * width, np.int64)

        n = duckdb.FunctionExpression("count", duckdb.ConstantExpression(1)).alias("n")
        asked = [duckdb.ColumnExpression(c) for c in (AT, VALUE, TARGET)]
        found = placed.aggregate([*asked, n], f"{AT}, {VALUE}, {TARGET}").to_arrow_table()
        found = found.combine_chunks()
        codes = self.values[place].codes(_array(found[VALUE]))
        cells, counted = found[AT].to_numpy().astype(np.int64) * width + codes, found["n"].to_numpy()
        target = self.values[head.index(str(head.target))]
        of_row = target.codes(_array(found[TARGET])) - 1
        if by_class:
            np.add.at(stats, (cells, of_row), counted)
        else:
            y = target.column.values[of_row] - self.origin - centres[found[AT].to_numpy().astype(np.int64)]
            for c, part in enumerate((counted, counted * y, counted * y * y)):
                stats[:, c] = np.bincount(cells, part, stats.shape[0])
        np.add.at(rows, cells, counted)
        made = []
        for begin in range(0, rows.size, width):
            present = np.flatnonzero(rows[begin : begin + width])
            made.append(tally_of(present, stats[begin + present], rows[begin + present]))
        return made

    @reading()
    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""

        _heard(progress, 0.0, tr("Counting"))
        number, call = one(self.relation, str(self.head.target)).cast("DOUBLE"), duckdb.FunctionExpression
        y = duckdb.ColumnExpression(TARGET)
        asked = [call("sum", y).alias("s"), call("count", y).alias("n"), call("min", y).alias("a")]
        asked = [duckdb.ColumnExpression(AT), *asked, call("max", y).alias("b")]
        placed = self._placed(paths, **{TARGET: number - duckdb.ConstantExpression(self.origin)})
        found = np.tile((0.0, 0.0, np.inf, -np.inf), (len(paths), 1))
        for at, *figures in placed.aggregate(asked, AT).fetchall():
            found[at] = figures
        return found

    @reading()
    def rows(self, path: Path, n: int, seed: int) -> dict[str, NDArray[Any]]:
        """See `Source.rows`; drawn by a hash of the row and the seed, in the order of that hash."""

        own = {f"c{i}": one(self.relation, name) for i, name in enumerate(self.relation.columns)}
        placed, every = self._placed([path], **own), [duckdb.ColumnExpression(name) for name in own]
        drawn = duckdb.FunctionExpression("hash", *every, duckdb.ConstantExpression(seed)).alias("drawn")
        found = placed.select(*every, drawn).order("drawn").limit(n).to_arrow_table()
        return {name: found[c].to_numpy() for c, name in zip(own, self.relation.columns, strict=True)}

    def _placed(self, paths: Sequence[Path], **shown: Any) -> Any:
        """The rows that have a target and stand in some node, with the number of its path, and what is shown."""

        steps, ends = steps_of(self.head, paths)
        at = self._descend(0, {step.node: step for step in steps}, ends).alias(AT)
        has_target = one(self.relation, str(self.head.target)).isnotnull()
        columns = [expression.alias(name) for name, expression in shown.items()]
        placed = self.relation.filter(has_target).select(at, *columns)
        return placed.filter(duckdb.ColumnExpression(AT) >= duckdb.ConstantExpression(0))

    def _descend(self, node: int, steps: dict[int, Step], ends: NDArray[np.int64]) -> Any:
        """The number of the path that a row below a node takes, as nested cases."""

        if node not in steps:
            return duckdb.ConstantExpression(int(ends[node]))
        step = steps[node]
        column, values = one(self.relation, step.split.column), self.values[step.column]
        bound = bind(step.split, self.head)
        branches = [
            duckdb.ConstantExpression(-1) if child < 0 else self._descend(child, steps, ends)
            for child in step.child.tolist()
        ]
        cases = duckdb.CaseExpression(column.isnull(), branches[int(bound.branches(np.zeros(1, np.int64))[0])])
        of_raw = bound.branches(values.column.codes.astype(np.int64))
        if step.split.kind == "threshold":
            last = int(of_raw.max(initial=0))
            for branch in range(last):
                inside = np.flatnonzero(of_raw <= branch)
                if inside.size:
                    top = inside[np.argmax(values.column.codes[inside])]
                    limit = duckdb.ConstantExpression(values.raw[int(top)].as_py())
                    cases = cases.when(column <= limit, branches[branch])
            return cases.otherwise(branches[last])
        last = len(branches) - 1
        for branch in range(last):
            inside = np.flatnonzero(of_raw == branch)
            if inside.size:
                levels = [duckdb.ConstantExpression(values.raw[int(i)].as_py()) for i in inside]
                cases = cases.when(column.isin(*levels), branches[branch])
        return cases.otherwise(branches[last])


def _array(column: Any) -> Any:
    """The one array of a column of a table of Arrow."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _heard(progress: Progress, fraction: float, words: str) -> None:
    if progress.stopped:
        raise Stopped
    progress.report(fraction, words)
