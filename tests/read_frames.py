"""What a file or a text holds as a data frame, before it becomes a table."""

import os
from typing import Any

import pandas as pd

from engine.readers import ReadOptions
from engine.readers.files import checked_path, enough_memory
from engine.readers.from_raw import usable
from engine.readers.tables import _read
from engine.readers.types import read_columns
from engine.runtime.progress import Progress

Frame = tuple[pd.DataFrame, dict[str, str], tuple[str, ...]]


def read_frame(
    path: str | os.PathLike[str], options: ReadOptions | None = None, progress: Progress | None = None
) -> Frame:
    """All rows of a file as a data frame, the kind of each column by name, and notes; read as by `read_table`."""
    found = checked_path(path)
    with enough_memory(found.name):
        return to_frame(usable(_read(found, options or ReadOptions(), progress)), progress)


def to_frame(raw: Any, progress: Progress | None = None) -> Frame:
    """The same of raw columns, which are taken out of `raw`; texts are no Categorical unless levels are declared."""
    columns, notes = read_columns(raw, lambda _, typed: typed, progress)
    series = {
        name: typed.series.astype("str") if isinstance(typed.series.dtype, pd.CategoricalDtype) and not typed.declared
        else typed.series
        for name, typed in zip(raw.names, columns, strict=True)
    }  # fmt: skip
    return pd.DataFrame(series), {name: typed.kind for name, typed in zip(raw.names, columns, strict=True)}, notes
