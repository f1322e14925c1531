"""The code store: a folder with one file of codes for each column, and what the codes stand for.

It is filled in chunks, by DuckDB → Arrow → codes, in the order of the source, and remembers after each chunk how many
rows it has: what was interrupted goes on there. A file of codes is mapped when it is read, so that only the part
that is counted is in memory. `manifest.json` says what it was made from; a source that was changed since is refused.
"""

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from engine.readers.relations import Values, described, one, reading, relation_of
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.sources.source import Stopped
from engine.table.encode import code_type
from engine.table.table import Table

ROWS = 1 << 18  # that are encoded at once
MANIFEST = "manifest.json"
MARGIN = 1 << 20  # bytes that stay free beside the codes


@dataclass(frozen=True, eq=False)
class Filling:
    """A store that is being filled, or is full.

    Attributes:
        relation: the rows. values: of every column. n_rows: how many there are. bytes_needed: of all files of codes.
    """

    folder: Path
    relation: Any
    values: list[Values]
    n_rows: int
    stamp: list[Any]

    @property
    def bytes_needed(self) -> int:
        """What the codes take on the disk."""
        return self.n_rows * sum(code_type(found.column.n_values)().itemsize for found in self.values)

    @property
    def _facts(self) -> dict[str, Any]:
        """What the codes of this store depend on."""
        columns = [[found.column.name, found.column.kind, found.column.n_values] for found in self.values]
        return {"version": 1, "source": self.stamp, "rows": self.n_rows, "columns": columns}

    @property
    def done(self) -> int:
        """How many rows have codes already; 0 where the folder has those of other data."""
        try:
            said = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return 0
        return int(said["done"]) if {**said, "done": None} == {**self._facts, "done": None} else 0

    def _path(self, place: int) -> Path:
        return self.folder / f"{place}.codes"

    @reading()
    def fill(self, progress: Progress) -> None:
        """Writes the codes that are not there yet.

        Raises:
            Stopped: the progress was stopped; the codes that are there stay. InputError: the disk has no room, the data
                cannot be read or were changed.
        """
        done = self.done
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            left = self.bytes_needed * (self.n_rows - done) // max(self.n_rows, 1)
            free = shutil.disk_usage(self.folder).free
            if left + MARGIN > free:
                raise InputError(tr(
                    "The codes need {need:,} MB in {folder}, where {free:,} MB are free.", need=-(-left // 10**6),
                    folder=str(self.folder), free=free // 10**6))  # fmt: skip
            self._write(done, progress)
        except OSError as error:
            raise InputError(tr(
                "The codes cannot be written to {folder}: {why}. Filling it goes on where it was.",
                folder=str(self.folder), why=error.strerror or str(error))) from error  # fmt: skip

    def _write(self, done: int, progress: Progress) -> None:
        names = [found.column.name for found in self.values]
        shown = [one(self.relation, name).alias(f"c{i}") for i, name in enumerate(names)]
        rows = self.relation.select(*shown).limit(max(self.n_rows - done, 0), done)
        for batch in rows.to_arrow_reader(ROWS):
            if progress.stopped:
                raise Stopped
            progress.report(done / self.n_rows, tr("Writing codes"))
            for place, found in enumerate(self.values):
                code = code_type(found.column.n_values)
                self._append(place, done, found.codes(batch.column(place)).astype(code))
            done += batch.num_rows
            self._note(done)
        if done != self.n_rows:
            raise InputError(tr("The data were changed while they were read. Open them again."))
        self._note(done)

    def _append(self, place: int, done: int, codes: NDArray[Any]) -> None:
        """Writes codes behind the first `done`, over what an interrupted chunk left."""
        path = self._path(place)
        with path.open("r+b" if done else "wb") as file:
            file.seek(done * codes.itemsize)
            file.write(codes.tobytes())
            file.truncate()

    def _note(self, done: int) -> None:
        """Notes how many rows have codes: at once, or not at all."""
        fresh = self.folder / (MANIFEST + ".new")
        fresh.write_text(json.dumps({**self._facts, "done": done}), encoding="utf-8")
        fresh.replace(self.folder / MANIFEST)

    def codes(self, place: int) -> NDArray[Any]:
        """The codes of a column, mapped."""
        code = code_type(self.values[place].column.n_values)
        return np.memmap(self._path(place), code, "r", shape=(self.n_rows,))


@reading()
def prepare_store(
    address: str | Path, folder: str | Path, kinds: dict[str, str] | None = None, progress: Progress | None = None
) -> Filling:
    """Describes the data of an address and how large their store will be; nothing is written yet.

    Raises:
        InputError: they cannot be read. Stopped: the progress was stopped.
    """
    progress, relation = progress or Progress(), relation_of(address, duckdb.connect())
    values: list[Values] = []
    count = duckdb.FunctionExpression("count", duckdb.ConstantExpression(1))
    n_rows = int(relation.aggregate([count]).fetchall()[0][0])
    for name in relation.columns:
        if progress.stopped:
            raise Stopped
        progress.report(len(values) / len(relation.columns), tr("Describing: {column}", column=name))
        values.append(described(relation, name, (kinds or {}).get(name)))
    return Filling(Path(folder), relation, values, n_rows, _stamp(address))


def open_store(filling: Filling, target: str, roles: dict[str, str] | None = None) -> Table:
    """The table of a store that is full; its codes stay in their files.

    Raises:
        InputError: it is not full, or has no such target.
    """
    if filling.done != filling.n_rows or not filling.n_rows:
        raise InputError(tr("The codes in {folder} are not complete: fill it first.", folder=str(filling.folder)))
    columns = [replace(found.column, codes=filling.codes(place)) for place, found in enumerate(filling.values)]
    return Table.from_columns(columns, target, roles or {}, filling.folder.name, {}, ())


def _stamp(address: str | Path) -> list[Any]:
    """What tells whether the files of an address were changed: their names, sizes and times."""
    where = str(address).partition("::")[0]
    path = Path(where)
    if path.is_dir():
        files = sorted(path.rglob("*.parquet"))
    elif path.exists():
        files = [path]
    else:
        files = sorted(Path(path.anchor or ".").glob(where.removeprefix(path.anchor)))
    return [[str(address)], *([str(file), file.stat().st_size, file.stat().st_mtime_ns] for file in files)]
