"""Taking a tree away, and bringing it back."""

from importlib import import_module
from pathlib import Path

from engine.formats import WRITERS
from engine.formats.tree_json import tree_of, write
from engine.runtime.errors import InputError
from engine.runtime.files import parse_json, read_json, write_whole
from engine.runtime.sentences import marked, tr
from engine.tree.tree import Tree


def export(tree: Tree, path: str | Path) -> None:
    """Writes a tree in the format that the path's suffix names, whole or not at all.

    Raises:
        InputError: no such format, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in WRITERS:
        known = ", ".join(sorted(WRITERS))
        raise InputError(tr(
            "“{name}” cannot be exported: “{suffix}” is none of {known}.", name=Path(path).name, suffix=suffix,
            known=known))  # fmt: skip
    write_whole(path, import_module(f"engine.formats.{WRITERS[suffix]}").write(tree))


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
