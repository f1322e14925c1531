"""What a person should know about a table, in words."""

from typing import TYPE_CHECKING

import numpy as np

from engine.table.column import EXACT_INTEGER

if TYPE_CHECKING:
    from engine.table.table import Table


def announcements(table: "Table") -> list[str]:
    """Sentences about infinite values, integers beyond 2⁵³, and rows without a target."""
    notes = []
    for column in table.columns:
        if column.is_numeric and column.n_values and np.isinf(column.values[[0, -1]]).any():
            n_infinite = int(np.isinf(column.numbers).sum())
            rows = "1 row" if n_infinite == 1 else f"{n_infinite} rows"
            notes.append(f"“{column.name}” is infinite in {rows}: kept, as the smallest or largest value.")
        if column.kind == "integer" and np.any(np.abs(column.values[np.isfinite(column.values)]) >= EXACT_INTEGER):
            notes.append(f"“{column.name}” holds integers of 2⁵³ and beyond: neighbours there may count as equal.")
    if table.target is not None and table.target_column.n_missing:
        n_missing = table.target_column.n_missing
        rows = "1 row has" if n_missing == 1 else f"{n_missing:,} rows have"
        notes.append(f"{rows} no value in the target “{table.target}” and are left out.")
    return notes
