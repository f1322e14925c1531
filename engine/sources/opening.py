"""Opening a source by its address."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from engine.readers import Preview, ReadOptions, inspect
from engine.readers.files import fingerprint, size_of
from engine.runtime.addresses import URL, place_and_table, without_password
from engine.runtime.errors import InputError, one_line
from engine.runtime.libraries import library
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.sources.counted import CountedTable
from engine.sources.parts import Division, Wanted
from engine.sources.source import Source
from engine.table.checks import TAKEN, WEIGHING
from engine.table.table import Table

SCHEME = re.compile(r"[^:/\\]{2,}:(?!:)")  # of an address that is no file; one letter is a drive of Windows
MEMORY = 400_000_000  # bytes, which leaves room for DuckDB and counts in a gigabyte


class Kind(NamedTuple):
    """A kind of addresses.

    Attributes:
        file: of this chapter, whose function `opened` opens them.
        knows: whether an address is of this kind, unless it is of one before.
        needs: the library that it takes, and the extra that brings it.
    """

    file: str
    knows: Callable[[Any], bool]
    needs: tuple[str, str] | None = None


def _is_spark(address: Any) -> bool:
    return address.startswith("spark:") if isinstance(address, str) else type(address).__module__.startswith("pyspark.")


def _is_database(address: Any) -> bool:
    return bool(URL.match(address)) if isinstance(address, str) else not isinstance(address, Path)


KINDS = (
    Kind("coded", lambda address: isinstance(address, Table)),
    Kind("spark", _is_spark, ("pyspark", "spark")),
    Kind("databases", _is_database, ("ibis", "sources")),
    Kind("duck", lambda address: True, ("duckdb", "sources")),  # files
)


def kind_of(address: Any) -> Kind:
    """The kind of an address."""
    return next(kind for kind in KINDS if kind.knows(address))


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
            Spark, or "spark:" with a path of Parquet files that Spark reads, whose rows are read once and stay in its
            executors, as codes, in memory or on their disks; or a table in memory, with its parts.
        target: the column to predict.
        store: a folder for codes: it is filled first, or further if that was interrupted. The result is a `Table` of
            all rows, whose codes stay there. Without it each scan reads the data again, unless their codes fit in
            memory.
        sample: so many rows instead, drawn by `seed`: a `Table` in memory, with the same rows every time.
        kinds, roles: by column, as `Table.from_frame` takes them; of a table those that it has. Texts of a database
            that are all dates in ISO form are dates unless a kind is chosen. A column of the role
            "partition" says which rows train, validate and are kept for the test. Sums of weights are those of memory
            bit for bit where weights are whole numbers; sums of others depend in their last digits on the order in
            which rows come.
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
    kind = kind_of(address)
    named = {role: name for name, role in (roles or {}).items()}
    key = key if key is not None else named.get("group", named.get("key"))
    _check(address, kind.file, target, key, named, store is not None or sample is not None)
    division = Division(validation, test, seed, key, named.get("partition"))
    roles = {**(roles or {}), key: "group"} if key is not None and division.by_shares else roles or {}
    how, table = options or ReadOptions(), place_and_table(address)[1] if isinstance(address, str) else ""
    how = replace(how, kinds=kinds or how.kinds, sheet=table or how.sheet)
    if kind.needs is not None:
        library(*kind.needs)
    wanted = Wanted(target, how, dict(how.kinds), roles, division, store, sample, threads, memory)
    opened: Source | Table = import_module(f"engine.sources.{kind.file}").opened(address, wanted, progress)
    return opened


def _check(address: Any, kind: str, target: str, key: str | None, named: dict[str, str], kept: bool) -> None:
    """InputError where this cannot be asked of an address of this kind.

    Args:
        named: the columns by their roles. kept: whether rows are to be kept in a store, or sampled.
    """
    is_text = kind == "duck" and isinstance(address, str)
    if is_text and SCHEME.match(address) and not os.path.exists(place_and_table(address)[0]):  # may hold a password
        raise InputError(tr(
            "The address is no file, and no URL of a database, which has “://” and ends with “::” and the name of "
            "a table. Give one of these."))  # fmt: skip
    if key == target:
        raise InputError(tr(TAKEN["partition"], name=one_line(target)))
    if key is not None and key in (named.get(role) for role in WEIGHING):
        raise InputError(tr(
            "“{name}” cannot weigh the rows and decide about their parts: choose another key.", name=one_line(key),
        ))  # fmt: skip
    if kept and kind != "duck":
        raise InputError(tr(
            "Only files can be kept in a store or sampled, not the table of a database: give a file, or leave out "
            "store and sample."))  # fmt: skip


def look(address: str, options: ReadOptions) -> Preview:
    """What the first rows at an address look like, and which roles and which target they suggest.

    Raises:
        InputError: they cannot be read.
    """
    if _is_database(address):
        databases: Any = import_module("engine.sources.databases")
        found: Preview = databases.look(address, options, Progress())
        return found
    path, table = place_and_table(address)
    return inspect(address if os.path.exists(address) else path, replace(options, sheet=table or options.sheet))


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
    address: Any, *, target: str, kinds: dict[str, Any] | None = None, roles: dict[str, str] | None = None,
    options: ReadOptions | None = None, progress: Progress | None = None, **parts: Any,
) -> Table:  # fmt: skip
    """A table whose rows stay where they are and are counted there, whenever something is asked of them; it serves
    where a table does, as far as counts tell.

    Args:
        address, kinds, roles: as for `open_source`.
        options: how a file is read.
        parts: validation, test, seed and key, as for `open_source`.

    Raises:
        InputError: as for `open_source`; or a stop was asked for.
    """
    progress, options = progress or Progress(), options or ReadOptions()
    options = replace(options, kinds=kinds or options.kinds)  # which are kept with the table
    try:
        source = open_source(
            address, target=target, options=options, roles=roles, memory=0, progress=progress.part(0.0, 0.6), **parts
        )  # fmt: skip
        assert not isinstance(source, Table)  # neither a store nor a sample is asked for
        table = CountedTable.of(source, progress.part(0.6, 1.0))
    except Stopped as stopped:
        raise InputError(tr("Reading {label} was stopped.", label=one_line(_told(address)))) from stopped
    path, sheet = place_and_table(str(address))
    said: dict[str, Any] = {"kind": "counts", "options": options.to_dict()}
    if not URL.match(str(address)) and os.path.exists(path):
        said["options"] = replace(options, sheet=sheet or options.sheet).to_dict()
        said |= {"path": path, "size": size_of(Path(path)), "fingerprint": fingerprint(Path(path))}
    elif isinstance(address, str):
        kinds = {column.name: column.kind for column in table.columns}  # which another version may guess otherwise
        said["options"] = replace(options, kinds={**kinds, **options.kinds}).to_dict()
        said["address"] = _told(address)
    return table.changed(source=said)


def _told(address: Any) -> Any:
    """What may be told and kept of an address: no password."""
    return without_password(address) if isinstance(address, str) else address
