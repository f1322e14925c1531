"""Files and pasted text as tables: a first look with guesses that can be corrected, and the reading itself.

One path for all: a format's reader gives raw columns of text (`raw`), `types` finds what they are (`frames`: of all
columns), `tables` makes the table. Parquet and Feather declare their types, so nothing is guessed there.
"""

from engine.readers.files import SUFFIXES
from engine.readers.options import DELIMITERS, MISSING, ReadOptions
from engine.readers.preview import Preview, inspect, inspect_text
from engine.readers.tables import Example, list_examples, read_example, read_source, read_table, read_text

__all__ = [
    "DELIMITERS",
    "MISSING",
    "SUFFIXES",
    "Example",
    "Preview",
    "ReadOptions",
    "inspect",
    "inspect_text",
    "list_examples",
    "read_example",
    "read_source",
    "read_table",
    "read_text",
]
