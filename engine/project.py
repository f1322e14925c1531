"""The saved document: where the table came from, what was decided about it, the tree, and the window's settings."""

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engine import readers
from engine.formats.tree_json import tree_of
from engine.formats.tree_json import write as write_tree
from engine.readers.files import fingerprint, is_there
from engine.readers.options import ReadOptions
from engine.runtime.addresses import with_password
from engine.runtime.errors import InputError, one_line
from engine.runtime.files import check_header, read_json, to_json, write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.sources.opening import how_counted, read_counts
from engine.table.column import Column, arranged
from engine.table.table import Table
from engine.tree.counting import filled, recount
from engine.tree.differences import lost_splits, other_meaning
from engine.tree.nodes import same_counts
from engine.tree.tree import Tree

VERSION = 1
MOST_LOSS = 1e300  # that a project says of its tree
PARTS: dict[str, type] = {
    "source": dict, "roles": dict, "kinds": dict, "target": str, "partition": dict, "tree": dict, "settings": dict,
}  # fmt: skip


class MissingData(InputError):
    """The data file of a project is not there.

    Attributes:
        path: where it was; `load(project, data=…)` takes another place.
    """

    def __init__(self, sentence: str, path: Path) -> None:
        super().__init__(sentence)
        self.path = path


class OnServer(InputError):
    """The table of a project is on a server, to which nobody has agreed to connect: that may tell it a password.

    Attributes:
        address: where; `load(project, data=address)` connects.
    """

    def __init__(self, sentence: str, address: str) -> None:
        super().__init__(sentence)
        self.address = address


@dataclass(frozen=True, eq=False)
class Project:
    """What a project file brings back.

    Attributes:
        table: read again from its source, with the saved kinds, roles, target and partition.
        tree: the saved tree, counted on that table.
        settings: as they were saved.
        problems: sentences about what is different from when it was saved; empty when nothing is.
        differences: of the columns and classes that the tree knew; to be told before the tree is shown.
    """

    table: Table
    tree: Tree
    settings: dict[str, Any]
    problems: list[str]
    differences: list[str]


# -- saving


def save(path: str | Path, table: Table, tree: Tree, settings: dict[str, Any]) -> None:
    """Writes a project, whole or not at all. The rows stay where they are; pasted tables are stored with it.

    Args:
        path: the project file.
        table: its `source` says how to read it again.
        tree: the tree on that table.
        settings: anything that JSON can hold; it holds no NaN and no infinity.

    Raises:
        InputError: the table has no source, JSON cannot hold a setting, or the file cannot be written.
    """
    if not table.source:
        raise InputError(tr(
            "“{table}” was made in memory, so a project could not find it again: write it to a file and open that.",
            table=table.name))  # fmt: skip
    folder = Path(os.path.realpath(path)).parent
    head = {
        "format": "espalier-project",
        "version": VERSION,
        "source": _with_relative(table.source, folder),
        "kinds": {column.name: column.kind for column in table.columns},
        "orders": {column.name: column.levels for column in table.columns if _has_order(column)},
        "roles": table.roles,
        "target": table.target,
        "partition": table.partition,
        "settings": settings,
    }
    write_whole(path, _pieces(head, tree))


def keep_test_looks(path: str | Path, looks: int) -> None:
    """Writes into a project how often its test rows were looked at, if that is more often than it says; all else in it
    stays.

    Raises:
        InputError: the file is no project any more, or cannot be written.
    """
    document = read_json(path, marked("project"))
    check_header(document, path, marked("project"), VERSION)
    settings = document.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    before = settings.get("test_looks")
    if not isinstance(before, int) or before < looks:
        head = {**document, "settings": {**settings, "test_looks": looks}}
        write_whole(path, (to_json(head), "\n"))


def saved_choice(settings: dict[str, Any]) -> dict[str, Any]:
    """What the settings of a project say it cost that validation rows chose its tree: "trees", "shown", "error" and
    "interval" of an `engine.Choice`; empty where that is not all numbers."""
    found = settings.get("choice")
    if not isinstance(found, dict) or not isinstance(interval := found.get("interval"), list) or len(interval) != 2:
        return {}
    figures = {name: found.get(name) for name in ("trees", "shown", "error")}
    usable = all(isinstance(one, int | float) and abs(one) < MOST_LOSS for one in (*figures.values(), *interval))
    return {**figures, "interval": tuple(interval)} if usable and isinstance(figures["trees"], int) else {}


def _has_order(column: Column) -> bool:
    """Whether its levels stand in an order of their own, which reading it again need not find."""
    return column.kind == "ordered" or (column.kind == "nominal" and list(column.levels) != sorted(column.levels))


def _pieces(head: dict[str, Any], tree: Tree) -> Iterator[str]:
    yield "{\n"
    for key, value in head.items():
        try:
            yield f"{to_json(key)}: {to_json(value)},\n"
        except ValueError as error:
            raise InputError(
                tr("“{key}” of the project holds a number that is not finite: JSON cannot hold it.", key=key)
            ) from error
    yield '"tree": '
    yield from write_tree(tree)
    yield "}\n"


def _with_relative(source: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The source with its path as seen from the project beside the absolute one."""
    if "path" not in source:
        return source
    try:
        relative = os.path.relpath(os.path.realpath(source["path"]), folder)
    except ValueError:  # on another drive
        return source
    return {**source, "relative": Path(relative).as_posix()}


# -- loading


def load(path: str | Path, data: str | Path | None = None, progress: Progress | None = None) -> Project:
    """Opens a project: reads its table again and counts its tree on it.

    Args:
        path: the project file.
        data: where the data file is now, when it is no longer where it was; of a table on a server its address, to
            agree to a connection, perhaps with a password, which is used and not kept.
        progress: is given how far it is.

    Raises:
        MissingData: the data file is in neither of the places that the project knows. OnServer: see there.
        PasswordRefused: the server wants another password, or one.
        InputError: the file is no project, is damaged or of a newer version, or its table cannot be read or used.
    """
    progress = progress or Progress()
    document, tree = _document(path)
    problems: list[str] = []
    source = _located(document["source"], Path(path), data, problems)
    part = progress.part(0.0, 0.9)
    if source.get("kind") == "counts":
        table = _counted_again(source, document, Path(path), data, part)
    else:
        table = _with_decisions(readers.read_source(source, progress=part), document, problems)
    progress.report(0.9, tr("Counting…"))
    counted, differences = _counted(tree, table, problems)
    return Project(table, counted, document["settings"], problems, differences)


def load_tree(path: str | Path) -> Tree:
    """The tree of a project as it was saved, whatever has become of its table.

    Raises:
        InputError: the file is no project, is damaged or of a newer version.
    """
    return _document(path)[1]


def _document(path: str | Path) -> tuple[dict[str, Any], Tree]:
    """What stands in a project file, and its tree."""
    document = read_json(path, marked("project"))
    check_header(document, path, marked("project"), VERSION)
    for key, kind in PARTS.items():
        if not isinstance(document.get(key), kind):
            raise InputError(
                tr("“{path}” is a damaged project: “{key}” is missing or not what it should be.", path=path, key=key)
            )
    tree = tree_of(document["tree"], path, marked("“{name}” is a damaged project: of its tree, {why}."))
    if tree.target != document["target"]:
        raise InputError(tr(
            "“{path}” is a damaged project: its tree predicts “{target}”, its table is to predict “{wanted}”.",
            path=path, target=tree.target, wanted=document["target"]))  # fmt: skip
    return document, tree


def _located(source: dict[str, Any], project: Path, data: str | Path | None, problems: list[str]) -> dict[str, Any]:
    """The source with the path where its file is now; a file that changed is a problem in words."""
    source = dict(source)
    relative, printed = source.pop("relative", None), source.pop("fingerprint", None)
    if "path" not in source:
        return source
    if not isinstance(source["path"], str) or not isinstance(relative, str | None):
        raise InputError(tr("“{project}” is a damaged project: the path of its data is no text.", project=project))
    known = [Path(source["path"])] if data is None else [Path(data)]
    if data is None and relative is not None:  # beside the project, as it was when saved
        known.insert(0, Path(os.path.normpath(Path(os.path.realpath(project)).parent / relative)))
    found = [place for place in known if is_there(place)]
    if not found:
        fault = tr("The data of “{project}” is not at “{place}”: choose where it is now.", project=project.name,
                   place=one_line(known[-1], 200))  # fmt: skip
        raise MissingData(fault, known[-1])
    same = [place for place in found if fingerprint(place) == printed]
    place = (same or found)[0]
    if not same:
        problems.append(
            tr("“{file}” has changed since the project was saved: the tree was counted again.", file=place.name)
        )
    return {**source, "path": str(place)}


def _counted_again(
    source: dict[str, Any], document: dict[str, Any], project: Path, data: str | Path | None, progress: Progress
) -> Table:  # fmt: skip
    """A table whose rows are counted where they are, as it was decided."""
    said = Table((), 0, "", source, document["target"], document["roles"], document["partition"])
    options = ReadOptions.from_dict(source.get("options") or {})
    if "path" not in source:  # older projects do not say the kinds of a database's columns there
        options = replace(options, kinds={**document["kinds"], **options.kinds})
    address = source.get("path", source.get("address", ""))
    if not isinstance(address, str):
        raise InputError(tr("The project is damaged: the address of its data is no text."))
    place = urlsplit("" if "path" in source else address)
    if place.scheme and (place.scheme != "sqlite" or place.hostname):
        if data is None or with_password(str(data), "") != with_password(address, ""):
            raise OnServer(tr(
                "The table of “{project}” is in the database {address}. Connect to that server only if you trust the "
                "project.", project=project.name, address=one_line(address)), address)  # fmt: skip
        address = str(data)
    return read_counts(address, options=options, progress=progress, **how_counted(said))


def _with_decisions(table: Table, document: dict[str, Any], problems: list[str]) -> Table:
    """The table with the saved kinds, target, roles and partition; what no longer fits is a problem in words."""
    for name, kind in document["kinds"].items():
        if name not in table.names:
            problems.append(tr("Column “{name}” is no longer in {table}.", name=name, table=table.name))
        elif table.column(name).kind != kind:
            try:
                table = table.with_kind(name, kind)
            except InputError as error:
                problems.append(str(error))
    table = _with_orders(table, document.get("orders"), problems)
    roles = {name: role for name, role in document["roles"].items() if name in table.names}
    table = table.with_target(document["target"])
    if document["partition"].get("test") and "test_seed" not in document["partition"]:
        problems.append(tr("Test rows are chosen in another way than when the project was saved, so some are others."))
    try:
        return table.with_partition(**document["partition"]).with_roles(roles)
    except (InputError, TypeError) as error:
        roles = {name: "ignore" if role == "partition" else role for name, role in roles.items()}
        table = table.with_roles(roles).with_partition()  # a fault of the other roles shows again
        why = str(error).rstrip(".")
        problems.append(tr("The partition could not be made again ({why}): all rows train.", why=why))
        return table


def _with_orders(table: Table, orders: Any, problems: list[str]) -> Table:
    """The table with the saved orders of levels; a level that they do not name stands last, and a note is made."""
    for name, wanted in orders.items() if isinstance(orders, dict) else ():
        levels = table.column(name).levels if name in table.names else ()
        usable = isinstance(wanted, list) and all(isinstance(level, str) for level in wanted)
        if not usable or not levels or table.column(name).kind == "boolean":
            continue
        new = sorted(set(levels).difference(wanted))
        if new:
            said = {"level": new[0], "name": name}
            problems.append(
                tr("“{level}” of “{name}” had no place in the order of its levels: it stands last.", **said)
            )
        if list(levels) != (chosen := arranged(levels, wanted)):
            table = table.with_order(name, chosen)
    return table


def _counted(tree: Tree, table: Table, problems: list[str]) -> tuple[Tree, list[str]]:
    """The tree counted on the table, the saved one itself when that gives the same but for rounding; and what it knew
    that the table does not have."""
    counted, lost = recount(tree, table)
    problems += lost
    same_target = (tree.task, tree.target, tree.classes) == (counted.task, counted.target, counted.classes)
    same_rows = same_target and same_counts(tree.nodes, counted.nodes)
    if not lost and same_rows and math.isclose(tree.origin, counted.origin, rel_tol=1e-9):
        same = replace(tree, counted_on=counted.counted_on)
        return filled(same, table) if tree.columns == counted.columns else counted, []
    other = other_meaning(tree, counted, table)
    problems += other
    if not problems:
        fault = tr(
            "{table} holds other rows than when the project was saved: the tree was counted again.", table=table.name
        )
        problems.append(fault)
    return counted, lost_splits(tree, table) + other
