"""Raw columns as a table."""

from typing import Any

from engine.readers.preview import why_not
from engine.readers.raw import Raw
from engine.readers.types import Typed, column_of, read_columns
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.column import Column, arranged
from engine.table.table import Table


def usable(raw: Raw) -> Raw:
    if not raw.height:
        raise InputError(tr("{label} has a header but no rows: add rows below it.", label=raw.label))
    if len(raw.names) < 2:
        raise InputError(tr(
            "{label} has one column only, “{name}”, but a tree needs a target and at least one feature: check the "
            "delimiter, or choose another table.", label=raw.label, name=raw.names[0]))  # fmt: skip
    return raw


def table_of(
    raw: Raw,
    name: str,
    source: dict[str, Any],
    progress: Progress | None,
    *,
    target: str | None = None,
    roles: dict[str, str] | None = None,
) -> Table:
    """The table; roles None guesses none."""
    named = {target, *(roles or {})}

    def finish(i: int, typed: Typed) -> tuple[Column, str]:
        column = raw.names[i]
        guessed = roles is not None and column not in named
        reason = why_not(column, typed.series, typed.kind, first=i == 0) if guessed else ""
        return column_of(column, typed), reason

    found, notes = read_columns(usable(raw), finish, progress)
    reasons = {column.name: reason for column, reason in found if reason}
    table = Table.from_columns(
        [column for column, _ in found],
        target=target,
        roles={**dict.fromkeys(reasons, "ignore"), **(roles or {})},
        name=name,
        source={**source, "options": raw.options.to_dict()},
        remarks=(*notes, *reasons.values()),
    )
    for column, levels in raw.options.orders.items():
        if column in raw.names:  # else a note says so
            # the rows of a source that is read again may be others than when the order was chosen
            fitting = arranged(table.column(column).levels, levels) if roles is None else levels
            table = table.with_order(column, fitting)
    return table
