"""What the dialogs need to know about a `Preview`: its texts, its words, and how to read it again.

The engine's readers are imported when they are called, so that the window is up before pandas is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gui.wording import words

if TYPE_CHECKING:
    from engine.readers import Preview

FORMATS = {"csv": "Text", "excel": "Workbook", "parquet": "Typed columns"}
DELIMITER_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}


def inspect_again(preview: Preview, corrections: dict[str, Any], text: str | None) -> Preview:
    """The preview of the same file or text under corrected options; what is not corrected is guessed anew."""
    import engine

    kept = {"kinds": preview.options.kinds, "names": preview.options.names}
    options = engine.ReadOptions(**{**kept, **corrections})
    return engine.inspect_text(text, options) if text is not None else engine.inspect(preview.path, options)


def cells_of(preview: Preview) -> list[list[str]]:
    """For every column the texts of its first rows, "" where a value is missing."""
    gone = set(preview.options.missing) if preview.format != "parquet" else set()
    columns = zip(*preview.head, strict=True) if preview.head else ([] for _ in preview.names)
    return [["" if text in gone else text for text in column] for column in columns]


def title_of(preview: Preview) -> str:
    """The name of the file, or what a pasted table is called."""
    return preview.path.name if preview.path is not None else "Pasted table"


def subtitle_of(preview: Preview) -> str:
    """Format, size and layout in one line."""
    rows = f"{words.count(preview.n_rows)} rows" if preview.n_rows is not None else "rows not counted yet"
    parts = [FORMATS[preview.format], rows, f"{words.count(len(preview.names))} columns"]
    if is_text(preview) and preview.options.delimiter and len(preview.names) > 1:
        parts.append(f"separated by {DELIMITER_WORDS.get(preview.options.delimiter, preview.options.delimiter)}")
    return " · ".join(parts)


def is_text(preview: Preview) -> bool:
    """Whether delimiter, decimal mark and encoding were guessed."""
    return preview.format == "csv"


def estimated_rows(preview: Preview) -> int | None:
    """About how many rows a file of text has, by its size and the length of its first rows; None when it is counted."""
    if preview.n_rows is not None or preview.path is None or not is_text(preview):
        return None
    columns = cells_of(preview)
    shown = len(columns[0]) if columns else 0
    length = sum(len(text) + 1 for column in columns for text in column) / shown if shown else 0
    if not length:
        return None
    rows = preview.path.stat().st_size / length
    return int(float(f"{rows:.1e}"))


def sentence(error: Exception) -> str:
    """What a person reads when the file cannot be read like this."""
    from gui.model.jobs import words_for

    return words_for(error) or "The table cannot be read like this: take the last change back."


def inspect_pasted(text: str) -> Preview:
    """A first look at pasted or typed text."""
    import engine

    return engine.inspect_text(text)
