"""Taking a tree away, and bringing it back."""

import inspect
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.formats import FORMATS, USUAL
from engine.formats.tree_json import tree_of, write
from engine.runtime.errors import InputError, one_line
from engine.runtime.files import parse_json, read_json, write_whole
from engine.runtime.sentences import marked, tr
from engine.tree.tree import Tree


def export(tree: Tree, path: str | Path, format: str | None = None, **options: Any) -> None:
    """Writes a tree, whole or not at all.

    Args:
        format: a name of `engine.formats.FORMATS`; None for the format that the path's suffix names.
        options: of the format, as the dialect of SQL.

    Raises:
        InputError: no such format or option, the format cannot say this tree, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if format is None and suffix not in USUAL:
        known = ", ".join(sorted(USUAL))
        raise InputError(tr(
            "“{name}” cannot be exported: “{suffix}” is none of {known}.", name=Path(path).name, suffix=suffix,
            known=known))  # fmt: skip
    write_whole(path, _pieces(tree, USUAL[suffix] if format is None else format, options))


def content_of(tree: Tree, format: str, **options: Any) -> str | bytes:
    """What `export` writes: text, or the bytes of a format that is none; raises as it does."""
    pieces = list(_pieces(tree, format, options))
    return b"".join(pieces) if pieces and isinstance(pieces[0], bytes) else "".join(pieces)


def _pieces(tree: Tree, format: str, options: dict[str, Any]) -> Iterable[Any]:
    if format not in FORMATS:
        raise InputError(tr(
            "There is no format “{format}”; choose one of {known}.", format=one_line(format),
            known=", ".join(FORMATS)))  # fmt: skip
    writer = import_module(f"engine.formats.{FORMATS[format].module}").write
    known = list(inspect.signature(writer).parameters)[1:]
    for name in options:
        if name not in known:
            said = {"format": tr(FORMATS[format].words), "name": one_line(name), "known": ", ".join(known)}
            fault = tr("{format} has no option “{name}”.", **said)
            if known:
                fault = tr("{format} has no option “{name}”; it has {known}.", **said)
            raise InputError(fault)
    pieces: Iterable[Any] = writer(tree, **options)
    return pieces


def write_tree(tree: Tree, path: str | Path) -> None:
    """Writes a tree as JSON, whatever the path's suffix.

    Raises:
        InputError: the file cannot be written; what stood there before is untouched.
    """
    write_whole(path, write(tree))


def read_tree(path: str | Path) -> Tree:
    """Reads a tree that `write_tree` wrote, with its counts; no table is needed.

    `tree.with_counts(table)` counts it on other rows and says which column is missing there.

    Raises:
        InputError: the file is absent, cut off, no tree, of a newer version, or its nodes do not make one tree.
    """
    return tree_of(read_json(path, marked("tree")), path)


def tree_to_text(tree: Tree) -> str:
    """A tree as JSON, as `write_tree` writes it: for the clipboard. InputError where a figure is infinite."""
    return "".join(write(tree))


def tree_from_text(text: str, name: str = "") -> Tree:
    """The tree that `tree_to_text` or a file holds.

    Args:
        name: what errors call the text; empty: "The text".

    Raises:
        InputError: as `read_tree`.
    """
    name = name or tr("The text")
    return tree_of(parse_json(text, name, "tree"), name)
