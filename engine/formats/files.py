"""Taking a tree away, and bringing it back."""

import inspect
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.formats import FORMATS, SAY_ALL, USUAL
from engine.formats.foreign import SeveralTrees, Wish
from engine.formats.questions import cut_back, with_whole_rows
from engine.formats.sniffing import program_of
from engine.formats.tree_json import tree_of, write
from engine.formats.ubjson import parse_ubjson
from engine.runtime.errors import InputError, one_line
from engine.runtime.files import decoded, parse_json, read_bytes, write_whole
from engine.runtime.sentences import marked, tr
from engine.table.table import Table
from engine.tree.tree import Tree

PROGRAMS = {
    "lightgbm": "LightGBM",
    "xgboost": "XGBoost",
    "treelite": "treelite",
    "onnx": "ONNX",
    "pmml": "PMML",
    "j48": "J48",
    "rpart": "rpart",
}  # by the module that reads theirs
DOCUMENTS = {"xgboost": "learner", "treelite": "threshold_type"}  # a key that only their documents have
UNREADABLE = marked("“{path}” is a model of {program}, but no tree can be taken from it: {why}.")


def export(
    tree: Tree, path: str | Path, format: str | None = None, *, approximate: bool = False, table: Table | None = None,
    **options: Any,
) -> None:  # fmt: skip
    """Writes a tree, whole or not at all.

    Args:
        format: a name of `engine.formats.FORMATS`; None for the format that the path's suffix names.
        approximate: whether rows that the tree divides among branches may go into the largest of them, and nodes at
            the deepest level that a format takes be leaves, where it cannot say the tree; `engine.check_export` tells
            how many rows that changes.
        table: that the tree is of; rules then say where it came from.
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
    write_whole(path, _pieces(tree, USUAL[suffix] if format is None else format, approximate, table, options))


def content_of(
    tree: Tree, format: str, *, approximate: bool = False, table: Table | None = None, **options: Any
) -> str | bytes:
    """What `export` writes: text, or the bytes of a format that is none; raises as it does."""
    pieces = list(_pieces(tree, format, approximate, table, options))
    return b"".join(pieces) if pieces and isinstance(pieces[0], bytes) else "".join(pieces)


def approximations(tree: Tree, format: str, **options: Any) -> tuple[bool, int | None]:
    """How a format can only say this tree: whether it sends rows whole that the tree divides, and the level at which it
    cuts the tree back; None where it need not."""
    if format in SAY_ALL:
        return False, None
    deepest = getattr(import_module(f"engine.formats.{FORMATS[format].module}"), "deepest", None)
    levels = None if deepest is None else deepest(**options)
    return tree.divides_rows, None if levels is None or tree.depth <= levels else levels


def approximated(tree: Tree, format: str, **options: Any) -> Tree:
    """The tree as far as a format can say it, see `approximations`; the tree itself where it can say all of it."""
    whole_rows, levels = approximations(tree, format, **options)
    if levels is not None:
        tree = cut_back(tree, levels)
    return with_whole_rows(tree) if whole_rows else tree


def _pieces(
    tree: Tree, format: str, approximate: bool, table: Table | None, options: dict[str, Any]
) -> Iterable[Any]:  # fmt: skip
    if format not in FORMATS:
        raise InputError(tr(
            "There is no format “{format}”; choose one of {known}.", format=one_line(format),
            known=", ".join(FORMATS)))  # fmt: skip
    writer = import_module(f"engine.formats.{FORMATS[format].module}").write
    known = list(inspect.signature(writer).parameters)[1:]
    takes_table = "table" in known
    known = [name for name in known if name != "table"]
    for name in options:
        if name not in known:
            said = {"format": tr(FORMATS[format].words), "name": one_line(name), "known": ", ".join(known)}
            fault = tr("{format} has no option “{name}”.", **said)
            if known:
                fault = tr("{format} has no option “{name}”; it has {known}.", **said)
            raise InputError(fault)
    tree = approximated(tree, format, **options) if approximate else tree
    pieces: Iterable[Any] = writer(tree, **options, **({"table": table} if takes_table else {}))
    return pieces


def write_tree(tree: Tree, path: str | Path) -> None:
    """Writes a tree as JSON, whatever the path's suffix.

    Raises:
        InputError: the file cannot be written; what stood there before is untouched.
    """
    write_whole(path, write(tree))


def read_tree(
    path: str | Path, *, tree: int | None = None, target: str = "", features: Sequence[str] = (),
    classes: Sequence[str] = (),
) -> Tree:  # fmt: skip
    """Reads a tree that `write_tree` wrote, with its counts, or that of another program: LightGBM's model text,
    XGBoost's JSON or UBJSON, treelite's JSON, ONNX, PMML, a tree printed by J48 or rpart. What a file is, its content
    says; none that can carry code is opened.

    `tree.with_counts(table)` counts it on other rows and says which column is missing there. A tree of a sum has its
    part in it as a note on the root. Where a file holds no counts, each leaf weighs 1 and has no rows.

    Args:
        tree: which tree of several, from 0.
        target, features, classes: names that another program's file does not hold, by their place there.

    Raises:
        InputError: the file is absent, cut off, no tree, of a newer version, or its nodes do not make one tree.
    """
    return open_tree(path, Wish(tree, target, tuple(features), tuple(classes)))[0]


def open_tree(path: str | Path, wish: Wish = Wish()) -> tuple[Tree, dict[str, Any] | None]:  # noqa: B008  (a constant)
    """See `read_tree`; and the document where it is one of this program."""
    data, document = read_bytes(path, marked("tree")), None
    program = program_of(data)
    if program == "json":
        document = parse_json(decoded(data, path, marked("tree")), path, marked("tree"))
        program = next((name for name, key in DOCUMENTS.items() if key in document), "")
    if not program:
        if document is None:
            raise InputError(tr(
                "“{path}” is no tree file that can be read: give Espalier’s, XGBoost’s or treelite’s JSON, XGBoost’s "
                "UBJSON, LightGBM’s model text, ONNX, PMML or what J48 or rpart prints.", path=path))  # fmt: skip
        own = tree_of(document, path)
        if wish._replace(columns=()) != Wish():
            raise InputError(tr(
                "“{path}” is a tree of Espalier, which names its target, features and classes itself: leave these out.",
                path=path))  # fmt: skip
        return own, document
    try:
        if program == "ubjson":
            program = "xgboost"
            document = parse_ubjson(data)
        reader = import_module(f"engine.formats.{program}").read
        return reader(data if document is None else document, wish), None
    except SeveralTrees as error:
        raise SeveralTrees(tr(UNREADABLE, path=path, program=PROGRAMS[program], why=error), error.n_trees) from error
    except InputError as error:
        why = str(error).rstrip(".")
        raise InputError(tr(UNREADABLE, path=path, program=PROGRAMS[program], why=why)) from error


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
