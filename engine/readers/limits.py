"""How large a table may be: what a file declares is checked before anything is allocated for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.runtime.errors import InputError

MOST_ROWS = 2**32 - 2  # the order of a column's rows is uint32
MOST_COLUMNS = 2**16  # a preview takes 0.5 ms for one of numbers, 1.5 ms of words, 3 ms of dates
CELL_BYTES = 8
REMEDY = "close other programs, or open a part of the rows or columns"


@contextmanager
def enough_memory(label: str) -> Iterator[None]:
    """Whoever reads something called `label` runs out of memory with a sentence."""
    try:
        yield
    except MemoryError as error:  # Arrow's is one, too
        raise InputError(f"There is not enough memory to read {label}: {REMEDY}.") from error


def check_size(label: str, n_rows: int, n_columns: int) -> None:
    """InputError when a file declares more rows and columns than can be held."""
    if n_rows > MOST_ROWS:
        raise InputError(f"{label} has {n_rows:,} rows, more than the {MOST_ROWS:,} of a table: open a part of it.")
    check_columns(label, n_columns)
    needed, free = CELL_BYTES * n_rows * n_columns, free_bytes()
    if free is not None and needed > free:
        raise InputError(
            f"{label} has {n_rows:,} rows of {n_columns:,} columns, which take {needed / 2**30:,.1f} GB, but "
            f"{free / 2**30:,.1f} GB are free: {REMEDY}."
        )


def check_columns(label: str, n_columns: int) -> None:
    """InputError when there are more columns than a preview looks at in some minutes."""
    if n_columns > MOST_COLUMNS:
        raise InputError(
            f"{label} has {n_columns:,} columns, more than the {MOST_COLUMNS:,} of a table: open a part of them, or "
            "check what separates the cells and the lines."
        )


def free_bytes() -> int | None:
    """The memory that is left; None where the system does not say so, and refuses to give more than it has."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
