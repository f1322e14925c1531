"""Tables that do not fit in memory: a folder with one file of codes for each column, and what the codes stand for.

It is filled in chunks, by DuckDB → Arrow → codes, in the order of the rows, and remembers after each chunk how many
rows it has: what was interrupted goes on there. A file of codes is mapped when it is read, so that only what is
counted is in memory; the table that has them is one like any other. `manifest.json` says what they were made from, and
beside the codes lie the values, so that a store that is full is opened at once.

A store has a folder of its own for every content, so that nobody writes where somebody else has codes mapped.
"""

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from engine.readers.files import checked_path, enough_memory, fingerprint, free_bytes, size_of, stamp
from engine.readers.from_raw import table_of
from engine.readers.options import ReadOptions
from engine.readers.preview import COUNTED_FROM, COUNTER, IDENTIFIER, OWN_FROM, OWN_SHARE
from engine.readers.relations import Relation, drawn_rows, open_relation, reading, too_many
from engine.readers.values import Values
from engine.runtime.errors import InputError, readable
from engine.runtime.kernel_cache import lock
from engine.runtime.libraries import library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.runtime.threads import TICK, Workers
from engine.table.column import NUMERIC, Column
from engine.table.encode import code_type
from engine.table.table import Table

ROWS = 1 << 18  # that are encoded at once
MANIFEST = "manifest.json"
LOCK = "espalier.lock"  # held by who fills a store; it stays
VERSION = 3
KEYS = {"version", "path", "source", "stamp", "options", "rows", "columns", "notes", "done"}  # of a manifest
OURS = re.compile("[0-9a-f]{16}")  # the name of a folder of codes
MARGIN = 1 << 20  # bytes that stay free beside the codes
SEEN = 100_000  # rows whose values tell about how large codes will be
SAMPLE = 100_000  # rows of a sample, unless somebody asks for others
READ_BYTES = 18  # for each cell while a table is read into memory, measured
CELLS_A_SECOND = {
    "memory": 1e7,
    "codes": 2.5e7,
    "sample": 8e7,
    "counts": 6e7,
    "text": 6e6,
}  # measured on two processors


@dataclass(frozen=True)
class Room:
    """What a table takes, before it is read: the figures are about right.

    Attributes:
        n_rows: of the whole table. n_columns: that can be used.
        memory: bytes while it is read into memory. codes: bytes on the disk. free_memory, free_disk: bytes; None where
            the system does not tell.
        seconds: by "memory", "codes", "sample" and "counts" (a look at all columns).
        folder: where codes would go.
    """

    n_rows: int
    n_columns: int
    memory: int
    codes: int
    free_memory: int | None
    free_disk: int
    seconds: Mapping[str, float]
    folder: Path

    @property
    def proposed(self) -> str:
        """ "memory" where an eighth of what is free holds it, else "codes", or "sample" where the disk has no room."""
        if self.free_memory is None or 8 * self.memory <= self.free_memory:
            return "memory"
        return "codes" if self.codes + MARGIN <= self.free_disk else "sample"


def room_for(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Room:
    """What a table takes in memory, as codes on the disk and as a sample, and how long reading it takes; quickly.

    Raises:
        InputError: it cannot be read, or not by DuckDB; or DuckDB is not installed.
    """
    library("duckdb", "sources")
    import duckdb  # late: optional

    found = checked_path(path, many=True)
    rows = open_relation(found, options or ReadOptions())
    count = duckdb.FunctionExpression
    asked = [count("count", duckdb.ConstantExpression(1)).alias("n")]
    asked += [
        count("approx_count_distinct", duckdb.ColumnExpression(f"c{i}")).alias(f"d{i}")
        for i in range(len(rows.columns))
    ]
    with reading():
        seen, *distinct = rows.shown.limit(SEEN).aggregate(asked).fetchall()[0]
        n_rows = rows.count() if rows.typed else _about(found, seen)
    widths = [code_type(int(n) if 2 * n < seen else n_rows)().itemsize for n in distinct]
    folder, cells = default_store(found), n_rows * len(widths)
    speeds = CELLS_A_SECOND if rows.typed else dict.fromkeys(CELLS_A_SECOND, CELLS_A_SECOND["text"])
    seconds = {way: cells / speeds[way] for way in ("memory", "codes", "sample", "counts")}
    return Room(n_rows, len(widths), cells * READ_BYTES, n_rows * sum(widths), free_bytes(), _free_disk(folder),
                seconds, folder)  # fmt: skip


def _about(path: Path, seen: int) -> int:
    """About how many rows a file of text has, of which so many were seen: nobody counts them."""
    if seen < SEEN:
        return seen
    with path.open("rb") as file:
        start = file.read(1 << 20)
    return max(seen, size_of(path) * start.count(b"\n") // len(start))


def default_store(path: Path) -> Path:
    """Where the codes of a table go unless a folder is named: what is there can be made again at any time."""
    digest = hashlib.blake2b(os.fsencode(os.path.realpath(path)), digest_size=6).hexdigest()
    return Path(platformdirs.user_cache_dir("espalier", appauthor=False)) / "codes" / f"{path.stem[:40]}-{digest}"


def _free_disk(folder: Path) -> int:
    """The bytes that are free where a folder is, or will be."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path.cwd())
    return shutil.disk_usage(there).free


@dataclass(frozen=True, eq=False)
class Filling:
    """A store that is being filled, or is full.

    Attributes:
        store: its folder. rows: what it is made from. values: of every column that is kept, with its place.
        n_rows: how many there are. data: what tells whether they are the same, see `_data_of`. notes: announcements in
            words.
    """

    store: Path
    rows: Relation
    values: Mapping[int, Values]
    n_rows: int
    data: Mapping[str, Any]
    notes: tuple[str, ...] = field(default=())

    @property
    def bytes_needed(self) -> int:
        """What the codes take on the disk."""
        return self.n_rows * sum(code_type(found.column.n_values)().itemsize for found in self.values.values())

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """What the codes of this store depend on, and what is said about them."""
        columns = [_facts_of(place, found.column) for place, found in self.values.items()]
        return {"version": VERSION, **self.data, "options": self.rows.options.to_dict(), "rows": self.n_rows,
                "columns": columns, "notes": list(self.notes)}  # fmt: skip

    @cached_property
    def folder(self) -> Path:
        """Where these codes are; others of the same data have another folder."""
        return self.store / hashlib.blake2b(json.dumps(self._facts).encode(), digest_size=8).hexdigest()

    @property
    def done(self) -> int:
        """How many rows have codes already."""
        said = _manifest(self.folder)
        same = {**said, "done": None} == {**self._facts, "done": None}
        return int(said["done"]) if same and _is_whole(self.folder, said) else 0

    def fill(self, progress: Progress) -> None:
        """Writes the codes that are not there yet, and removes older ones of the same data. Who fills the same store
        meanwhile is waited for.

        Raises:
            InputError: the disk has no room, the data cannot be read or were changed; or a stop was asked for. The
                codes that are there stay.
        """
        with reading():
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                with self._alone(progress):
                    if (done := self.done) < self.n_rows:
                        self._fill(done, progress)
            except OSError as error:
                raise InputError(tr(
                    "The codes cannot be written to {folder}: {why}. Opening the table again goes on where it was.",
                    folder=str(self.store), why=error.strerror or str(error))) from error  # fmt: skip

    def _alone(self, progress: Progress) -> IO[bytes]:
        """The lock of the store, held until it is closed or this program ends; whoever holds it is waited for."""
        while (held := lock(self.store / LOCK)) is None:
            if progress.stopped:
                raise InputError(tr("Reading {label} was stopped.", label=self.rows.label))
            progress.report(0.0, tr("Waiting until other codes are written"))
            time.sleep(TICK)
        return held

    def _fill(self, done: int, progress: Progress) -> None:
        """As `fill`, while nobody else does."""
        self.folder.mkdir(exist_ok=True)  # another may have removed it
        left, free = self.bytes_needed * (self.n_rows - done) // self.n_rows, _free_disk(self.folder)
        if left + MARGIN > free:
            raise InputError(tr(
                "The codes need {need:,} MB in {folder}, where {free:,} MB are free.", need=-(-left // 10**6),
                folder=str(self.store), free=free // 10**6))  # fmt: skip
        self._write(done, progress)
        for other in self.store.iterdir():
            said = _manifest(other)
            if said and said["path"] == self.data["path"] and not _is_of(said, self.data):
                shutil.rmtree(other, ignore_errors=True)  # who has mapped them keeps them

    def _write(self, done: int, progress: Progress) -> None:
        kept = self.rows.shown.select(*(f"c{place}" for place in self.values))
        columns = list(self.values.items())
        for place, found in columns:
            _write_values(self.folder / f"{place}.values", found.column)
        with Workers() as workers:
            for batch in kept.limit(max(self.n_rows - done, 0), done).to_arrow_reader(ROWS):
                progress.report(done / self.n_rows, tr("Writing codes"))
                if progress.stopped:
                    raise InputError(tr(
                        "Writing codes was stopped after {n:,} of {all:,} rows. Opening the table again goes on there.",
                        n=done, all=self.n_rows))  # fmt: skip

                def append(k: int, batch: Any = batch, done: int = done) -> None:
                    place, found = columns[k]
                    self._append(place, done, found.codes(batch.column(k)).astype(code_type(found.column.n_values)))

                workers.each(append, range(len(columns)))
                done += batch.num_rows
                self._note(done)
        if done != self.n_rows:
            raise InputError(tr("The data were changed while they were read. Open them again."))

    def _append(self, place: int, done: int, codes: NDArray[Any]) -> None:
        """Writes codes behind the first `done`. A file has its full length from the start and never a shorter one,
        which would end whoever has mapped it."""
        path = self.folder / f"{place}.codes"
        if not done:
            with path.open("ab") as file:
                file.truncate(self.n_rows * codes.itemsize)
        with path.open("r+b") as file:
            file.seek(done * codes.itemsize)
            file.write(codes.tobytes())

    def _note(self, done: int) -> None:
        """Notes how many rows have codes: at once, or not at all."""
        fresh = self.folder / (MANIFEST + ".new")
        fresh.write_text(json.dumps({**self._facts, "done": done}), encoding="utf-8")
        fresh.replace(self.folder / MANIFEST)


def _manifest(folder: Path) -> dict[str, Any]:
    """What a store says of itself; empty of a folder that is none of ours."""
    if not OURS.fullmatch(folder.name) or folder.is_symlink():
        return {}
    try:
        said = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) and said.keys() == KEYS and said["version"] == VERSION else {}


def _is_whole(folder: Path, said: Mapping[str, Any]) -> bool:
    """Whether the files of a store are there, as long as they are to be."""
    try:
        return all(
            (folder / f"{place}.codes").stat().st_size == said["rows"] * code_type(n_values)().itemsize
            and (folder / f"{place}.values").is_file()
            for place, _, _, _, n_values, _ in said["columns"]
        )
    except OSError:
        return False


def _data_of(path: Path) -> dict[str, Any]:
    """What tells whether data are those that a store was made from, to which the path need not be the same."""
    return {"path": str(path), "source": fingerprint(path), "stamp": [list(file) for file in stamp(path)]}


def _is_of(said: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether a store was made from these data."""
    return bool((said["source"], said["stamp"]) == (data["source"], data["stamp"]))


def _facts_of(place: int, column: Column) -> list[Any]:
    """A column in the manifest; with what tells whether its codes mean the same: its values, and which of them the
    distinct values of the data become."""
    digest = hashlib.blake2b(column.codes.tobytes(), digest_size=8)
    digest.update(column.values.tobytes() if column.is_numeric else "\0".join(column.values).encode())
    return [place, column.name, column.kind, column.declared, column.n_values, digest.hexdigest()]


def _write_values(path: Path, column: Column) -> None:
    numbers = column.values.astype(np.float64).tobytes() if column.is_numeric else None
    path.write_bytes(json.dumps(list(column.values)).encode() if numbers is None else numbers)


def _column_of(folder: Path, facts: list[Any], n_rows: int) -> Column:
    """A column of a store, its codes mapped. (Mapped for writing, into memory alone, for a kernel is compiled once more
    for arrays that cannot be written.)"""
    place, name, kind, declared, n_values, _ = facts
    found = (folder / f"{place}.values").read_bytes()
    values = np.frombuffer(found).copy() if kind in NUMERIC else np.array([*json.loads(found), None], object)[:-1]
    codes = np.memmap(folder / f"{place}.codes", code_type(n_values), "c", shape=(n_rows,)).view(np.ndarray)
    return Column(name, kind, values, codes, declared)


def prepare_store(
    path: str | os.PathLike[str], store: str | os.PathLike[str] | None = None, options: ReadOptions | None = None,
    progress: Progress | None = None,
) -> Filling:  # fmt: skip
    """Describes the data and how large their store will be: one scan for each column; nothing is written yet.

    Raises:
        InputError: they cannot be read, or have no rows; or a stop was asked for.
    """
    library("duckdb", "sources")
    progress, found = progress or Progress(), checked_path(path, many=True)
    rows = open_relation(found, options or ReadOptions())
    values: dict[int, Values] = {}
    notes = list(rows.notes)
    with enough_memory(found.name), reading():
        data, n_rows = _data_of(found), rows.count()
        if not n_rows:
            raise InputError(tr("{label} has a header but no rows: add rows below it.", label=rows.label))
        try:
            rows.check_texts(progress.part(0.0, 0.1))
            step = 0.9 / len(rows.names)
            each = [
                rows.described(i, progress.part(0.1 + step * i, 0.1 + step * (i + 1))) for i in range(len(rows.names))
            ]
        except Stopped as stopped:
            raise InputError(tr("Reading {label} was stopped.", label=rows.label)) from stopped
        for place, (name, described) in enumerate(zip(rows.names, each, strict=True)):
            if described is None:
                notes.append(too_many(name))
            else:
                values[place] = described
                notes += described.notes
    if len(values) < 2:
        raise InputError(tr(
            "{label} has fewer than two columns that a tree can use: it needs a target and at least one feature.",
            label=rows.label))  # fmt: skip
    return Filling(Path(store or default_store(found)), rows, values, n_rows, data, tuple(map(readable, notes)))


def _full_store(store: Path, data: Mapping[str, Any], options: ReadOptions) -> Path | None:
    """Where the codes of data lie that are all there already, read in the same way; None where they are not."""
    for folder in sorted(store.iterdir()) if store.is_dir() else ():
        said = _manifest(folder)
        is_full = said and said["done"] == said["rows"] and said["options"] == options.to_dict()
        if is_full and _is_of(said, data) and _is_whole(folder, said):
            return folder
    return None


def _open(folder: Path, path: Path, target: str | None, roles: Mapping[str, str] | None, *, guess: bool) -> Table:
    """The table of a store that is full; its codes stay in their files."""
    said = _manifest(folder)
    columns = [_column_of(folder, facts, said["rows"]) for facts in said["columns"]]
    reasons: dict[str, str] = {}
    for i, column in enumerate(columns if guess else ()):
        if column.name not in {target, *(roles or {})} and (why := _why_not(column, said["rows"], first=i == 0)):
            reasons[column.name] = why
    source = {
        "kind": "codes", "path": str(path), "size": size_of(path), "fingerprint": said["source"],
        "store": str(folder.parent), "options": said["options"],
    }  # fmt: skip
    chosen = {**dict.fromkeys(reasons, "ignore"), **(roles or {})}
    remarks = (*said["notes"], *reasons.values())
    return Table.from_columns(columns, target, chosen, readable(path.stem), source, remarks)


def _why_not(column: Column, n_rows: int, *, first: bool) -> str:
    """Why a column is no feature, as a sentence, by its values alone; see `engine.readers.preview.why_not`."""
    own = column.n_values == n_rows  # then none is missing
    if own and column.kind in ("integer", "nominal"):
        many, counter = n_rows >= COUNTED_FROM, first and bool(COUNTER.fullmatch(column.name))
        runs = column.kind == "integer" and (many or counter) and (many or column.values[0] in (0, 1))
        runs = runs and column.values[-1] - column.values[0] == n_rows - 1
        if IDENTIFIER.fullmatch(column.name) or (runs and bool(np.all(column.codes[1:] > column.codes[:-1]))):
            return tr("“{name}” only numbers the rows and is ignored; change its role to use it.", name=column.name)
    if column.kind == "nominal" and column.n_values >= max(OWN_FROM, OWN_SHARE * n_rows):
        return tr(
            "“{name}” has a value of its own in nearly every row and is ignored; make it a feature if it tells "
            "something.", name=column.name)  # fmt: skip
    return ""


def read_codes(
    path: str | os.PathLike[str], store: str | os.PathLike[str] | None = None, target: str | None = None,
    roles: Mapping[str, str] | None = None, options: ReadOptions | None = None, progress: Progress | None = None, *,
    guess: bool = True,
) -> Table:  # fmt: skip
    """A table whose codes lie in files: all rows, exactly as they are read into memory.

    Args:
        path: a Parquet or CSV file, a folder or a glob of Parquet files, or a DuckDB file.
        store: the folder for the codes, which are filled in first or further; None for one in the user's cache.
        target, roles, options: as for `engine.read_table`.
        guess: whether columns that only number or name the rows are ignored, unless they are named.

    Raises:
        InputError: it cannot be read, the disk has no room, DuckDB is not installed; or a stop was asked for, and
            another call goes on where it was.
    """
    progress, found = progress or Progress(), checked_path(path, many=True)
    place, options = Path(store) if store is not None else default_store(found), options or ReadOptions()
    folder = _full_store(place, _data_of(found), options)
    if folder is None:
        filling = prepare_store(found, place, options, progress.part(0.0, 0.25))
        filling.fill(progress.part(0.25, 1.0))
        folder = filling.folder
    return _open(folder, found, target, roles, guess=guess)


def read_levels(path: str | os.PathLike[str], name: str, options: ReadOptions | None = None) -> Column:
    """A column with its levels, without its rows, to put them in order.

    Raises:
        InputError: it cannot be read, or has too many different texts.
    """
    library("duckdb", "sources")
    rows = open_relation(checked_path(path, many=True), options or ReadOptions())
    with reading():
        found = rows.described(rows.names.index(name), Progress())
    if found is None:
        raise InputError(tr("“{name}” has too many different texts to put in order.", name=name))
    return replace(found.column, codes=found.column.codes[:0])


def read_sample(
    path: str | os.PathLike[str], n: int = SAMPLE, seed: int = 0, target: str | None = None,
    roles: Mapping[str, str] | None = None, options: ReadOptions | None = None, progress: Progress | None = None, *,
    guess: bool = True,
) -> Table:  # fmt: skip
    """n rows of a table in memory, drawn at random without replacement, in their order: the same for the same seed.

    Raises:
        InputError: as for `read_codes`.
    """
    library("duckdb", "sources")
    if n < 2:
        raise InputError(tr("A sample of {n} rows is no table: draw at least 2.", n=n))
    progress, found = progress or Progress(), checked_path(path, many=True)
    with enough_memory(found.name):
        rows, printed = open_relation(found, options or ReadOptions()), fingerprint(found)
        raw = drawn_rows(rows, n, seed, progress)
        source = {
            "kind": "sample", "path": str(found), "size": size_of(found), "fingerprint": printed, "rows": n,
            "seed": seed,
        }  # fmt: skip
        named = dict(roles or {}) if guess else None
        return table_of(raw, readable(found.stem), source, progress, target=target, roles=named)
