"""Sources in Spark: its executors count the rows of their partitions with our kernels, and the counts are added here.

The rows are read once, and stay in the cluster as `engine.sources.packed` has them. Each task of a scan hands back one
row with the counts of all columns, as bytes; executors therefore need this program, too.
"""

import os
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from threading import Lock, Thread
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
from engine.sources.packed import Distinct, codes_of, packed, portions, unpacked, values_of
from engine.sources.parts import PART, Division, Parts, Wanted, leave_out
from engine.sources.source import Path, Weighing, head_of, table_of_rows
from engine.sources.summing import Summing, Targets, one_by_one
from engine.table.table import Table

PREFIX = "spark:"  # of an address: the path of Parquet files or a folder of them, as Spark reads it
BATCH = "spark.sql.execution.arrow.maxBytesPerBatch"
UNLIMITED = 2**31 - 1  # Spark then need not add up the bytes after each row, which takes as long as all the rest
FEW = 1 << 22  # large batches of large cells are copied several times as they grow


@dataclass(frozen=True, eq=False)
class Distributed:
    """The rows of a data frame of Spark, see `engine.sources.source.Source`.

    Attributes:
        frame: of Spark, its columns called c0, c1, …: those of the head, some rows packed in each of its rows.
        values: of every column.
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
        """Reads the rows and describes the columns: one job, and divides the rows: one job, or two.

        Args:
            address: a data frame of Spark, or a path behind "spark:".

        Raises:
            InputError: it cannot be read, or has no such target. Stopped: the progress was stopped.
        """
        library("pyspark", "spark")
        progress = progress or Progress()
        name, address = frame_of(address)
        names, how = list(address.columns), ReadOptions(kinds=kinds or {})
        if target not in names:
            raise InputError(tr("There is no column “{name}” in {table}.", name=target, table=name))
        frame, text = _kept(address), tr("Reading {file}", file=name)
        described = frame.mapInArrow(_distinct, "place int, found binary")
        found = _done(frame, described.toArrow, progress, text, UNLIMITED)
        distinct = [Distinct() for _ in names]
        for place, some in zip(found["place"].to_pylist(), found["found"].to_pylist(), strict=True):
            distinct[place].add(unpacked(some))
        values = [Values.of(column, own.values, how) for column, own in zip(names, distinct, strict=True)]
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
        for part in _done(own, counted.toArrow, progress, tr("Counting")).column(0).to_pylist():
            summing.merge(part)

    def rows(self, path: Path, n: int, seed: int, progress: Progress | None = None) -> Table:
        """See `Source.rows`; drawn by a hash of the codes and the seed."""
        from pyspark.sql import functions  # late: optional

        reading, names = Reading.of(self, range(len(self.values))), self.frame.columns
        here = self.frame.mapInArrow(partial(_at_end, self.descent([path]), reading), _schema(names, "int"))
        drawn = here.orderBy(functions.xxhash64(*names, functions.lit(seed))).limit(n)
        found = _done(self.frame, drawn.toArrow, progress or Progress(), tr("Counting"))
        return table_of_rows(self.head, [column.to_numpy() for column in found.columns])


def first_rows(frame: Any, n: int, progress: Progress) -> Any:
    """The first n rows of a data frame that come, in Arrow.

    Raises:
        InputError: they cannot be read. Stopped: the progress was stopped.
    """
    return _done(frame, frame.limit(n).toArrow, progress, tr("Counting"))


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
        """The rows of these columns, unpacked."""
        of_place = dict(zip(self.values, columns, strict=True))

        def find(place: int, rows: NDArray[np.uint32] | None) -> NDArray[np.uint32]:
            return codes_of(of_place[place], self.values[place], rows)

        batch, decides = Batch(len(columns[0]), {}, find), self.parts.place
        batch.known[PART] = self.parts.of(batch[self.target], None if decides is None else batch[decides], 0)
        if self.weighing is not None:
            leave_out(batch[PART], batch[self.target], self.weighing.of_code[batch[self.weighing.place]] == 0)
        return batch


def _pack(_: str, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the rows of a partition, packed. The first argument is different for each source: Spark would
    take two sources of one path for the same, even if its files were changed in between."""
    for rows in portions(batches):
        yield _row([packed(column.combine_chunks()) for column in rows.columns], rows.column_names)


def _unpacked(batches: Iterator[Any]) -> Iterator[list[Any]]:
    """The columns of some rows after the other."""
    for batch in batches:
        for i in range(batch.num_rows):
            yield [unpacked(column[i].as_py()) for column in batch.columns]


def _distinct(batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the distinct values of every column in a partition, by its place."""
    found: dict[int, Distinct] = {}
    for columns in _unpacked(batches):
        for place, column in enumerate(columns):
            found.setdefault(place, Distinct()).add(values_of(column))
    for place, own in found.items():
        for some in own.packed():
            yield _row([place, some], ["place", "found"])


def _count(summing: Summing, reading: Reading, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the counts of a partition."""
    for columns in _unpacked(batches):
        summing.add(reading.batch(columns), one_by_one)
    yield _row([summing.packed()], ["counts"])


def _at_end(descent: Descent, reading: Reading, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the codes of the rows that end at the one path."""
    for columns in _unpacked(batches):
        rows = reading.batch(columns)
        here = np.flatnonzero(descent.arrives(rows)).astype(np.uint32)
        codes = [pa.array(rows.of(place, here).astype(np.int32)) for place in reading.values]
        yield pa.RecordBatch.from_arrays(codes, [f"c{place}" for place in reading.values])


def _row(cells: Sequence[int | bytes], names: Sequence[str]) -> Any:
    """A row for Spark."""
    kinds = [pa.binary() if isinstance(cell, bytes) else pa.int32() for cell in cells]
    return pa.RecordBatch.from_arrays([pa.array([c], kind) for c, kind in zip(cells, kinds, strict=True)], [*names])


def _schema(names: Sequence[str], kind: str) -> str:
    """Columns of a kind, as Spark declares them."""
    return ", ".join(f"{name} {kind}" for name in names)


def _kept(rows: Any) -> Any:
    """The rows of a data frame, packed: executors keep them, in memory or on their disks, as long as it is used."""
    names = [f"c{i}" for i in range(len(rows.columns))]
    kept = rows.toDF(*names).mapInArrow(partial(_pack, uuid4().hex), _schema(names, "binary")).persist()
    frame = kept.select("*")  # whose end is noticed: `kept` itself is held to be freed
    weakref.finalize(frame, Thread(target=_release, args=[kept], daemon=True).start).atexit = False
    return frame


def _release(kept: Any) -> None:
    """Frees what executors keep, unless the session is over."""
    with suppress(Exception):
        kept.unpersist()


_limited: dict[Any, tuple[int, str | None]] = {}  # by session: how many jobs have it so now, and what it was before
_setting = Lock()


@contextmanager
def _limit(session: Any, n_bytes: int) -> Iterator[None]:
    """Meanwhile batches that the session hands to Python end after so many bytes; then it is as it was."""
    with _setting:
        n, before = _limited.get(session) or (0, session.conf.get(BATCH, None))
        session.conf.set(BATCH, str(n_bytes))
        _limited[session] = n + 1, before
    try:
        yield
    finally:
        with _setting:
            n, before = _limited.pop(session)
            if n > 1:
                _limited[session] = n - 1, before
            elif before is None:
                session.conf.unset(BATCH)
            else:
                session.conf.set(BATCH, before)


def _done(frame: Any, job: Callable[[], Any], progress: Progress, text: str, n_bytes: int = FEW) -> Any:
    """What a job of Spark answers; it is cancelled when somebody asks to stop. n_bytes: see `_limit`."""
    context, tag = frame.sparkSession, f"espalier-{uuid4()}"

    def run() -> Any:
        context.addTag(tag)
        try:
            return job()
        finally:
            context.removeTag(tag)

    if progress.stopped:
        raise Stopped
    with _in_words(), _limit(context, n_bytes), ThreadPoolExecutor(1, thread_name_prefix="spark") as pool:
        running = pool.submit(run)
        while not wait([running], timeout=TICK).done:
            progress.report(0.0, text)
            if progress.stopped:
                context.interruptTag(tag)
        if progress.stopped:
            raise Stopped
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
