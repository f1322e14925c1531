"""Opening a source by its address."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.readers import ReadOptions
from engine.readers.files import fingerprint, size_of
from engine.runtime.errors import InputError, one_line
from engine.runtime.libraries import library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.sources.coded import Coded
from engine.sources.counted import CountedTable
from engine.sources.parts import Division
from engine.sources.source import Source
from engine.table.checks import TAKEN
from engine.table.table import Table

URL = re.compile(r"[a-z][a-z0-9+]+://", re.IGNORECASE)
SCHEME = re.compile(r"[^:/\\]{2,}:(?!:)")  # of an address that is no file; one letter is a drive of Windows
MEMORY = 400_000_000  # bytes, which leaves room for DuckDB and counts in a gigabyte


def open_source(
    address: Any, *, target: str, store: str | Path | None = None, sample: int | None = None, seed: int = 0,
    kinds: dict[str, Any] | None = None, roles: dict[str, str] | None = None, validation: float = 0.0,
    test: float = 0.0, key: str | None = None, options: ReadOptions | None = None, threads: int | None = None,
    memory: int = MEMORY, progress: Progress | None = None,
) -> Source | Table:  # fmt: skip
    """The rows behind an address: a source for `engine.grow_source`, or a table that does not lie in memory, or not
    whole, and serves wherever a table does.

    Args:
        address: a Parquet file, a folder of them or a glob, a CSV file, a DuckDB file with "::" and the name of a table
            behind it; the URL of a database (sqlite:///folder/file, postgres://user:password@host/name, …) with "::"
            and the name of a table behind it, a table of Ibis or a frame of Polars; a data frame of
            Spark, or "spark:" with a path of Parquet files that Spark reads; or a table in memory, with its parts.
        target: the column to predict.
        store: a folder for codes: it is filled first, or further if that was interrupted. The result is a `Table` of
            all rows, whose codes stay there. Without it each scan reads the data again, unless their codes fit in
            memory.
        sample: so many rows instead, drawn by `seed`: a `Table` in memory, with the same rows every time.
        kinds, roles: by column, as `Table.from_frame` takes them; of a table those that it has. A column of the role
            "partition" says which rows train, validate and are kept for the test.
        validation, test: the shares of these rows, as `Table.with_partition` takes them, and the same rows: by the
            values of the key, else as many of each class, by the hashes of the rows' numbers and `seed`.
        key: the column of the role "group": rows with one value there are of one part. New rows move no others in or
            out of the test, and between training and validation only where they change the share of test rows. Rows of
            databases and of Spark have no order and so no numbers: there shares need a key without missing values.
        options: how files are read.
        memory: bytes that codes may take there; 0 has every scan read the data again.
        threads: how many count; None for one for each processor.

    Raises:
        InputError: it cannot be read, has no such target or key, the shares leave no rows or cannot be set aside, the
            disk has no room, or DuckDB is not installed. Or a stop was asked for while codes were written or rows
            drawn; codes that were written stay.
        Stopped: a stop was asked for while a source was described.
    """
    is_spark = is_of_spark(address)
    if isinstance(address, str) and not URL.match(address) and not is_spark:
        path = address.partition("::")[0]
        if SCHEME.match(address) and not os.path.exists(path):  # it may hold a password, and is not shown
            raise InputError(tr(
                "The address is no file, and no URL of a database, which has “://” and ends with “::” and the name of "
                "a table. Give one of these."))  # fmt: skip
    named = {role: name for name, role in (roles or {}).items()}
    key = key if key is not None else named.get("group", named.get("key"))
    if key == target:
        raise InputError(tr(TAKEN["partition"], name=one_line(target)))
    division = Division(validation, test, seed, key, named.get("partition"))
    if key is not None and division.by_shares:
        roles = {**(roles or {}), key: "group"}
    how, table = options or ReadOptions(), str(address).partition("::")[2] if isinstance(address, str) else ""
    how = replace(how, kinds=kinds or how.kinds, sheet=table or how.sheet)
    as_said: dict[str, Any] = dict(how.kinds)
    if store is not None or sample is not None:
        if is_spark or not isinstance(address, str | Path) or URL.match(str(address)):
            raise InputError(tr(
                "Only files can be kept in a store or sampled, not the table of a database: give a file, or leave out "
                "store and sample."))  # fmt: skip
        library("duckdb", "sources")
        from engine.readers.stored import read_codes, read_sample  # late: it brings DuckDB

        path = str(address).partition("::")[0]
        if store is not None:
            return division.of_table(read_codes(path, store, target, roles, how, progress))
        return division.of_table(read_sample(path, int(sample or 0), seed, target, roles, how, progress))
    if isinstance(address, Table):
        own = address.with_target(target) if target != address.target else address
        return Coded(division.of_table(own), threads)
    for name, role in (roles or {}).items():
        if role in ("weight", "frequency"):
            raise InputError(tr(
                "Rows of a source count once: give “{name}” another role than {role}.",
                name=one_line(name), role=role))  # fmt: skip
    if is_spark:
        library("pyspark", "spark")
        from engine.sources.spark import Distributed  # late: it brings Spark

        return Distributed.open(address, target, as_said, roles, progress, division)
    if not isinstance(address, Path) and (not isinstance(address, str) or URL.match(address)):
        library("ibis", "sources")
        from engine.sources.databases import Counted  # late: it brings Ibis

        return Counted.open(address, target, as_said, roles, progress, division)
    library("duckdb", "sources")
    from engine.sources.duck import Pushed  # late: it brings DuckDB

    progress = progress or Progress()
    pushed = Pushed.open(address, target, how, roles, progress.part(0.0, 0.5), threads, division)
    if pushed.bytes_of_codes > memory:
        return pushed
    return Coded(division.of_table(pushed.in_memory(progress.part(0.5, 1.0))), threads)


def is_of_spark(address: Any) -> bool:
    """Whether an address is a frame of Spark, or a path that Spark reads."""
    named = isinstance(address, str) and address.startswith("spark:")
    return named or type(address).__module__.startswith("pyspark.")


def how_counted(table: Table) -> dict[str, Any]:
    """The target, roles and parts by which `read_counts` makes a table again."""
    kept, said = table.roles.items(), table.partition
    how: dict[str, Any] = {
        "target": table.target,
        "roles": {name: role for name, role in kept if role != "feature" and name != table.target},
        "validation": said.get("validation", 0.0), "test": said.get("test", 0.0),
        "seed": said.get("seed", said.get("test_seed", 0)), "key": said.get("test_key"),
    }  # fmt: skip
    return {name: value for name, value in how.items() if value}


def read_counts(
    address: Any, *, target: str, roles: dict[str, str] | None = None, options: ReadOptions | None = None,
    progress: Progress | None = None, **parts: Any,
) -> Table:  # fmt: skip
    """A table whose rows stay where they are and are counted there, whenever something is asked of them; it serves
    where a table does, as far as counts tell.

    Args:
        address: as for `open_source`.
        options: how a file is read.
        parts: validation, test, seed and key, as for `open_source`.

    Raises:
        InputError: as for `open_source`; or a stop was asked for.
    """
    progress, options = progress or Progress(), options or ReadOptions()
    try:
        source = open_source(
            address, target=target, options=options, roles=roles, memory=0, progress=progress.part(0.0, 0.6), **parts
        )  # fmt: skip
        assert not isinstance(source, Table)  # neither a store nor a sample is asked for
        table = CountedTable.of(source, progress.part(0.6, 1.0))
    except Stopped as stopped:
        raise InputError(tr("Reading {label} was stopped.", label=one_line(_told(address)))) from stopped
    path, _, sheet = str(address).partition("::")
    said: dict[str, Any] = {"kind": "counts", "options": options.to_dict()}
    if not URL.match(str(address)) and os.path.exists(path):
        said["options"] = replace(options, sheet=sheet or options.sheet).to_dict()
        said |= {"path": path, "size": size_of(Path(path)), "fingerprint": fingerprint(Path(path))}
    elif isinstance(address, str):
        said["address"] = _told(address)
    return table.changed(source=said)


def _told(address: Any) -> Any:
    """What may be told and kept of an address: no password."""
    from engine.sources.databases import without_password  # late: it brings Arrow

    return without_password(address) if isinstance(address, str) else address
