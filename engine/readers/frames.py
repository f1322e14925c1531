"""From the raw columns of a file to typed ones, on all processors."""

from collections.abc import Callable
from typing import Any, TypeVar

from engine.readers.parquet import as_text, declared_column
from engine.readers.raw import Raw
from engine.readers.types import Typed, force_column, guess_column
from engine.runtime.errors import InputError, readable
from engine.runtime.progress import Progress
from engine.runtime.threads import Workers

Finished = TypeVar("Finished")
MANY_ROWS = 20_000


def read_columns(
    raw: Raw, finish: Callable[[int, Typed], Finished], progress: Progress | None = None
) -> tuple[list[Finished], tuple[str, ...]]:
    """What `finish` makes of every column, by its place and what it holds, and all notes.

    The columns are taken out of `raw` one by one, on all processors; the memory of each is free when it is finished.

    Raises:
        InputError: a stop was asked for; there is no half a table.
    """
    n_columns = len(raw.names)
    threads = None if raw.height >= MANY_ROWS else 1  # starting threads takes longer than reading a small table
    done = 0

    def one(i: int) -> tuple[Finished, tuple[str, ...]]:
        nonlocal done
        if progress is not None and progress.stopped:
            raise InputError(f"Reading {raw.label} was stopped.")
        typed = _typed(raw, raw.names[i], raw.take(i))
        finished = finish(i, typed), typed.notes
        done += 1
        return finished

    def tick() -> None:
        if progress is not None:
            progress.report(0.3 + 0.7 * done / n_columns, f"Read {done} of {n_columns} columns")

    with Workers(threads) as workers:
        columns = workers.map(one, range(n_columns), tick)
    known = set(raw.names)
    unknown = [name for name in raw.options.kinds if name not in known]
    notes = [*raw.notes, *(note for _, found in columns for note in found)]
    notes += [f"There is no column “{name}”: the kind chosen for it was left aside." for name in unknown]
    return [column for column, _ in columns], tuple(map(readable, notes))


def _typed(raw: Raw, name: str, cells: Any) -> Typed:
    options = raw.options
    kind, decimal = options.kind_of(name), options.decimal or "."
    if not raw.typed:
        if kind is not None:
            return force_column(cells, name, kind, decimal, options.missing)
        return guess_column(cells, name, decimal, options.missing)
    natural = declared_column(cells, coded=name in raw.coded)
    if kind in (None, natural.kind):
        return natural
    if kind == "ordered" and natural.declared:
        return Typed(natural.series.cat.as_ordered(), kind, declared=True)
    if kind == "number" and natural.kind == "integer":
        return Typed(natural.series, kind)
    return force_column(as_text(cells), name, kind, ".", ("",))
