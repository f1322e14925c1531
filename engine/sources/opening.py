"""Opening a source by its address."""

import re
from pathlib import Path
from typing import Any

from engine.runtime.errors import InputError, one_line
from engine.runtime.libraries import library
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.sources.coded import Coded
from engine.sources.source import Source
from engine.table.table import Table

URL = re.compile(r"[a-z][a-z0-9+]+://", re.IGNORECASE)
MEMORY = 400_000_000  # bytes, which leaves room for DuckDB and counts in a gigabyte


def open_source(
    address: Any, *, target: str, store: str | Path | None = None, kinds: dict[str, str] | None = None,
    roles: dict[str, str] | None = None, threads: int | None = None, memory: int = MEMORY,
    progress: Progress | None = None,
) -> Source:  # fmt: skip
    """The rows behind an address, ready for `engine.grow_source`.

    Args:
        address: a Parquet file, a folder of them or a glob, a CSV file, a DuckDB file with "::" and the name of a table
            behind it; the URL of a database (sqlite:///folder/file, postgres://user:password@host/name, …) with "::"
            and the name of a table behind it, a table of Ibis or a frame of Polars; or a table in memory, whose
            training rows are taken.
        target: the column to predict.
        store: a folder for codes, which are counted several times as fast: it is filled first, or further if that was
            interrupted. Without it each scan reads the data again, unless their codes fit in memory.
        kinds, roles: by column, as `Table.from_frame` takes them; of a table those that it has.
        memory: bytes that codes may take there; 0 has every scan read the data again.
        threads: how many count; None for one for each processor.

    Raises:
        InputError: it cannot be read, has no such target, the disk has no room, or DuckDB is not installed.
        Stopped: the progress was stopped; codes that were written stay.
    """
    weighing = {**(address.roles if isinstance(address, Table) else {}), **(roles or {})}
    for name, role in weighing.items():
        if role in ("weight", "frequency", "partition", "group"):
            raise InputError(tr(
                "Rows of a source count once, and all of them train: give “{name}” another role than {role}.",
                name=one_line(name), role=role))  # fmt: skip
    if isinstance(address, Table):
        return Coded(address.with_target(target) if target != address.target else address, threads)
    if not isinstance(address, Path) and (not isinstance(address, str) or URL.match(address)):
        library("ibis", "sources")
        from engine.sources.databases import Counted

        return Counted.open(address, target, kinds, roles, progress)
    library("duckdb", "sources")
    if store is None:
        from engine.sources.duck import Pushed

        progress = progress or Progress()
        pushed = Pushed.open(address, target, kinds, roles, progress.part(0.0, 0.5), threads)
        if pushed.bytes_of_codes > memory:
            return pushed
        return Coded(pushed.in_memory(progress.part(0.5, 1.0)), threads)
    from engine.sources.store import open_store, prepare_store

    progress = progress or Progress()
    filling = prepare_store(address, store, kinds, progress.part(0.0, 0.3))
    filling.fill(progress.part(0.3, 1.0))
    return Coded(open_store(filling, target, roles), threads)
