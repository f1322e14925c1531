"""Sources in Spark: its executors count the rows of their partitions with our kernels, and the counts are added here.

Each task hands back one row with the counts of all columns, as bytes; executors therefore need this program, too.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any, ClassVar
from uuid import uuid4

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.readers.options import ReadOptions
from engine.readers.values import Values
from engine.runtime.errors import InputError
from engine.runtime.libraries import library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.runtime.threads import TICK
from engine.sources import counting
from engine.sources.descent import Batch, Descent
from engine.sources.parts import PART, Division, Parts, Wanted, leave_out
from engine.sources.source import Path, Weighing, head_of, table_of_rows
from engine.sources.summing import Summing, Targets, one_by_one
from engine.table.table import Table

PREFIX = "spark:"  # of an address: the path of Parquet files or a folder of them, as Spark reads it


@dataclass(frozen=True, eq=False)
class Distributed:
    """The rows of a data frame of Spark, see `engine.sources.source.Source`.

    Attributes:
        frame: of Spark, its columns called c0, c1, …: those of the head. values: of every column.
        parts: which rows train and validate.
    """

    head: Table
    frame: Any = field(repr=False)
    values: tuple[Values, ...] = field(repr=False)
    lacking: frozenset[str]
    parts: Parts = Parts()  # noqa: RUF009  (immutable)
    has_order: ClassVar[bool] = False  # whether rows have numbers

    @classmethod
    def open(
        cls, address: Any, target: str, kinds: dict[str, str] | None = None, roles: dict[str, str] | None = None,
        progress: Progress | None = None, division: Division = Division(),  # noqa: B008  (immutable)
    ) -> "Distributed":  # fmt: skip
        """Describes the columns: one job for each, and divides the rows: one job, or two.

        Args:
            address: a data frame of Spark, or a path behind "spark:".

        Raises:
            InputError: it cannot be read, or has no such target. Stopped: the progress was stopped.
        """
        library("pyspark", "spark")
        progress = progress or Progress()
        name, address = frame_of(address)
        names, values = list(address.columns), list[Values]()
        how = ReadOptions(kinds=kinds or {})
        if target not in names:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=name))
        frame = address.toDF(*(f"c{i}" for i in range(len(names))))
        for i, column in enumerate(names):
            text = tr("Describing: {column}", column=column)
            found = _done(frame, frame.select(f"c{i}").distinct().toArrow, progress, text, i / len(names))
            values.append(Values.of(column, found.column(0).combine_chunks(), how))
        head = head_of([found.column for found in values], target, name, roles or {})
        lacking = {found.column.name for found in values if found.lacks}
        source = cls(head, frame, tuple(values), frozenset(lacking))

        def count(parts: Parts) -> NDArray[np.int64]:
            targets = Targets(head)
            replace(source, parts=parts).scan(targets, progress)
            return targets.found

        divided = division.of_source(head, lacking.__contains__, count)
        return replace(source, head=divided.told, parts=divided.parts)

    tally, extents, moments, squares = counting.tally, counting.extents, counting.moments, counting.squares

    def descent(self, paths: Sequence[Path]) -> Descent:
        """See `engine.sources.counting.Scanned`."""
        return Descent.from_root(self.head, paths)

    def scan(self, summing: Summing, progress: Progress) -> None:
        """See `engine.sources.counting.Scanned`: the sums of all partitions, in the order of these."""
        reading = Reading.of(self, [*summing.places, *summing.further])
        own = self.frame.select(*(f"c{place}" for place in reading.values))
        counted = own.mapInArrow(partial(_count, summing, reading), "counts binary")
        for part in _done(own, counted.toArrow, progress, tr("Counting"), 0.0).column(0).to_pylist():
            summing.merge(part)

    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """See `Source.rows`; drawn by a hash of the row and the seed."""
        from pyspark.sql import functions  # late: optional

        descent, names = self.descent([path]), [f"c{i}" for i in range(len(self.values))]
        here = self.frame.mapInArrow(partial(_at_end, descent, Reading.of(self, descent.places)), self.frame.schema)
        order = functions.xxhash64(*names, functions.lit(seed))
        drawn = here.orderBy(order).limit(n)
        found = _done(self.frame, drawn.toArrow, progress or Progress(), tr("Counting"), 0.0)
        codes = [own.codes(found.column(i).combine_chunks()) for i, own in enumerate(self.values)]
        return table_of_rows(self.head, codes)


def first_rows(frame: Any, n: int, progress: Progress) -> Any:
    """The first n rows of a data frame that come, in Arrow.

    Raises:
        InputError: they cannot be read. Stopped: the progress was stopped.
    """
    return _done(frame, frame.limit(n).toArrow, progress, tr("Counting"), 0.0)


def frame_of(address: Any) -> tuple[str, Any]:
    """The name and the data frame at an address.

    Raises:
        InputError: there is none.
    """
    if not isinstance(address, str):
        return "spark", address
    from pyspark.sql import SparkSession  # late: optional

    path = address.removeprefix(PREFIX)
    with _in_words():
        session = SparkSession.getActiveSession() or _session(SparkSession.builder)
        return PurePosixPath(path).stem, session.read.parquet(path)


def opened(address: Any, wanted: Wanted, progress: Progress | None) -> Distributed:
    """A data frame of Spark, or what it reads, see `engine.open_source`."""
    return Distributed.open(address, wanted.target, wanted.kinds, wanted.roles, progress, wanted.division)


def _session(builder: Any) -> Any:
    """A session whose workers run this Python."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return builder.getOrCreate()


@dataclass(frozen=True)
class Reading:
    """What an executor needs to know of the columns that it reads.

    Attributes:
        values: by place. target: its place. parts, weighing: of the rows.
    """

    values: dict[int, Values]
    target: int
    parts: Parts
    weighing: Weighing | None

    @classmethod
    def of(cls, source: Distributed, places: Sequence[int]) -> "Reading":
        """The columns at these places, PART among them, and those that decide about the parts."""
        target, weighing = source.head.index(str(source.head.target)), Weighing.of(source.head)
        needed = [place for place in (target, source.parts.place, weighing and weighing.place) if place is not None]
        every = sorted({*places, *needed} - {PART})
        return cls({place: source.values[place] for place in every}, target, source.parts, weighing)

    def batch(self, columns: Sequence[Any]) -> Batch:
        """The rows of these columns of Arrow."""
        of_place = dict(zip(self.values, columns, strict=True))

        def find(place: int, rows: NDArray[np.uint32] | None) -> NDArray[np.uint32]:
            return self.values[place].codes(of_place[place] if rows is None else of_place[place].take(pa.array(rows)))

        batch, decides = Batch(len(columns[0]), {}, find), self.parts.place
        batch.known[PART] = self.parts.of(batch[self.target], None if decides is None else batch[decides], 0)
        if self.weighing is not None:
            leave_out(batch[PART], batch[self.target], self.weighing.of_code[batch[self.weighing.place]] == 0)
        return batch


def _count(summing: Summing, reading: Reading, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the counts of a partition."""
    for batch in batches:
        summing.add(reading.batch(batch.columns), one_by_one)
    yield pa.RecordBatch.from_arrays([pa.array([summing.packed()], pa.binary())], ["counts"])


def _at_end(descent: Descent, reading: Reading, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the rows that end at the one path."""
    for batch in batches:
        rows = reading.batch([batch.column(place) for place in reading.values])
        yield batch.filter(pa.array(descent.arrives(rows)))


def _done(frame: Any, job: Callable[[], Any], progress: Progress, text: str, fraction: float) -> Any:
    """What a job of Spark answers; it is cancelled when somebody asks to stop."""
    context, tag = frame.sparkSession, f"espalier-{uuid4()}"

    def run() -> Any:
        context.addTag(tag)
        try:
            return job()
        finally:
            context.removeTag(tag)

    if progress.stopped:
        raise Stopped
    with ThreadPoolExecutor(1, thread_name_prefix="spark") as pool:
        running = pool.submit(run)
        while not wait([running], timeout=TICK).done:
            progress.report(fraction, text)
            if progress.stopped:
                context.interruptTag(tag)
        if progress.stopped:
            raise Stopped
        with _in_words():
            return running.result()


@contextmanager
def _in_words() -> Iterator[None]:
    """What Spark cannot do becomes an InputError; the words of ours that went wrong on an executor stay."""
    from py4j.protocol import Py4JError  # late: optional
    from pyspark.errors import PySparkException  # late: optional

    try:
        yield
    except (PySparkException, Py4JError) as error:
        lines = [line.partition("InputError: ")[2] for line in str(error).splitlines() if "InputError: " in line]
        why = lines[-1] if lines else str(error).strip().partition("\n")[0]
        raise InputError(why if lines else tr("The data can no longer be read: {why}", why=why)) from error
