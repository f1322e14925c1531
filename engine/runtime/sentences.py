"""The language of the reader: every text that a person reads, in the window and in messages, goes through `tr`.

The engine writes English. A window that speaks another language says with `speak` where its catalogue is; Qt's
`lupdate` collects the texts from the calls of `tr` and `marked`, so their argument is a literal.
"""

from collections.abc import Callable
from typing import TypeVar

Table = TypeVar("Table")

_lookup: Callable[[str], str] = str  # English needs no catalogue


def speak(lookup: Callable[[str], str] = str) -> None:
    """Chooses the language: `lookup` gives the translation of an English text, or the text where it has none."""
    global _lookup
    _lookup = lookup


def tr(text: str, /, **values: object) -> str:
    """A whole sentence or label in the reader's language, its named places filled.

    Args:
        text: English, a literal: `tr("{rows} are left.", rows=...)`; or a text that was `marked` where it is declared.
        values: what stands in the places; braces in a value (a level, a name) mean nothing.
    """
    found = _lookup(text) if text else ""  # an empty text would ask a catalogue for its head
    return found.format(**values) if values else found


def marked(text: str, /) -> str:
    """The text itself, noted for the catalogue: for tables that are declared once, at import, before the language is
    known. Who shows it calls `tr(text)`."""
    return text


def spoken(*names: str) -> Callable[[type[Table]], type[Table]]:
    """Makes fields of a data class that hold `marked` texts read in the reader's language; `vars` has the English."""

    def of_class(owner: type[Table]) -> type[Table]:
        for name in names:
            setattr(owner, name, _spoken(name))
        return owner

    return of_class


def _spoken(name: str) -> property:
    def read(entry: object) -> str:
        return tr(vars(entry)[name])

    return property(read, lambda entry, text: vars(entry).update({name: text}))
