"""The table that is named on the command line, and the tree of a project."""

import argparse

import engine
from engine import project
from engine.command.arguments import READING
from engine.command.names import search_names, spoken
from engine.command.report import say
from engine.readers.options import MISSING


def read(said: argparse.Namespace) -> tuple[engine.Table, engine.Tree | None]:
    """The table that was named, with its target, roles and parts; and the tree of a project, else None."""
    if said.file.lower().endswith(".espalier"):
        return read_project(said)
    roles = dict.fromkeys(said.feature, "feature") | dict.fromkeys(said.ignore, "ignore")
    if said.file.startswith("example:"):
        table = engine.read_example(said.file.removeprefix("example:"))
        table = table.with_target(said.target) if said.target else table
        roles |= {said.weights: "weight"} if said.weights else {}
        roles |= {said.frequencies: "frequency"} if said.frequencies else {}
        table = table.with_roles(roles) if roles else table
    else:
        if said.target is None:
            names = ", ".join(engine.inspect(said.file, read_options(said)).names[:20])
            raise engine.InputError(f"No target is named: add --target COLUMN; the columns are {names}.")
        table = engine.read_table(
            said.file, target=said.target, weights=said.weights, roles=roles or None, options=read_options(said),
            frequencies=said.frequencies,
        )  # fmt: skip
    if said.partition:
        return table.with_partition(column=said.partition), None
    return table.with_partition(validation=said.validation, test=said.test, seed=said.seed), None


def read_project(said: argparse.Namespace) -> tuple[engine.Table, engine.Tree | None]:
    """A saved table and its tree, as they are."""
    kept = (
        "weights",
        "frequencies",
        "ignore",
        "feature",
        "sheet",
        *READING,
        "validation",
        "test",
        "partition",
        "preset",
        "all_trees",
        *map(spoken, search_names()),
        "target",
    )
    changed = [name for name in kept if getattr(said, name) not in (None, [], 0.0)]
    if changed:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in changed)
        raise engine.InputError(f"{names}: a project brings its own table and tree; it can be pruned and exported.")
    found = project.load(said.file)
    for problem in found.problems:
        say(f"note    {problem}")
    return found.table, found.tree


def read_options(said: argparse.Namespace) -> engine.ReadOptions:
    """How the file is to be read."""
    kinds: dict[str, str | tuple[str, ...]] = {}
    for pair in said.kind:
        column, _, kind = pair.rpartition("=")
        if not column:
            raise engine.InputError(f"“{pair}” names no column and kind: write --kind COLUMN=KIND.")
        kinds[column] = tuple(level.strip() for level in kind.split("<")) if "<" in kind else kind
    return engine.ReadOptions(
        delimiter="\t" if said.delimiter in ("tab", "\\t") else said.delimiter,
        decimal=said.decimal,
        encoding=said.encoding,
        missing=(*MISSING, *said.missing),
        sheet=said.sheet,
        kinds=kinds,
    )
