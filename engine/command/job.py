"""The work without a window: reads, grows, prunes, prints, exports."""

import argparse
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path

import engine
from engine.command.arguments import PICTURES
from engine.command.checks import pruning_options, search_options
from engine.command.names import dashed, in_typed_words, undashed
from engine.command.reading import read
from engine.command.report import describe, error_words, introduce, judged_words, loss_words
from engine.export import WRITERS, export
from engine.kernels import compiled_before
from engine.tree_code import told


def without_window(said: argparse.Namespace, draw: Callable[[engine.Tree, str], None]) -> None:
    """Reads, grows, prunes, prints, exports.

    Args:
        draw: writes a picture of a tree to a path; the engine itself knows of no pictures.
    """
    known = (*WRITERS, *PICTURES)
    for path in map(Path, said.export):
        if path.suffix.lower() not in known:
            raise engine.InputError(f"“{path}” names no known format; export to one of {' '.join(known)}.")
        if not path.parent.is_dir():
            raise engine.InputError(f"“{path}” cannot be written: there is no folder “{path.parent}”.")
    if not compiled_before():  # asked before reading, which compiles as well
        print("note    the first start compiles the search: about a minute, once", file=sys.stderr)
    table, tree = read(said)
    introduce(table)
    if tree is None:
        tree = plant(table, said)
    else:
        print(describe("saved", tree))
    if said.prune:
        tree = cut_back(table, tree, said)
    if table.n_test:
        fit = engine.assess(table, tree, "test")
        print(
            f"test    {error_words(fit.error, tree)}{loss_words(fit.loss, tree)} on {fit.n:,} rows that chose nothing"
        )
    if said.code:
        print("\n".join(f"code    {line}" for line in told(table, tree).splitlines()))
    write(tree, said.export, draw)


def plant(table: engine.Table, said: argparse.Namespace) -> engine.Tree:
    """The tree of a table, grown or found among all trees; says which it is."""
    options = search_options(said)
    if said.all_trees is None:
        tree = engine.grow(table, preset=said.preset, seed=said.seed, **options)
        print(describe("grown", tree))
        return tree
    given = {**options, "preset": said.preset} if said.preset else options
    find: Callable[..., engine.AllTrees] = engine.all_trees  # type: ignore[assignment]  # mypy sees the room of this name
    odd = sorted(given.keys() - inspect.signature(find).parameters.keys())
    if odd:
        raise engine.InputError(f"--{dashed(odd[0])} is about growing; leave it out with --all-trees.")
    found = find(table, depth=said.all_trees, **options)
    print(describe("greedy", found.greedy))
    print(describe("best", found.tree))
    print(f"note    the best of {found.n_trees:,} trees of at most depth {said.all_trees} by their training error")
    return found.tree


def cut_back(table: engine.Table, tree: engine.Tree, said: argparse.Namespace) -> engine.Tree:
    """The tree that pruning recommends; says which it is, and what there is to know about the choice."""
    try:
        pruning = engine.prune(table, tree, undashed(said.prune), seed=said.seed, **pruning_options(said))
    except engine.InputError as problem:
        raise engine.InputError(in_typed_words(str(problem))) from problem
    chosen = pruning.tree(pruning.chosen)
    print(describe("pruned", chosen) + judged_words(pruning.steps[pruning.chosen], chosen))
    if pruning.least not in (None, pruning.chosen):
        print(describe("least", pruning.tree(pruning.least)) + judged_words(pruning.steps[pruning.least], chosen))
    if pruning.remark:
        print(f"note    {pruning.remark}")
    return chosen


def write(tree: engine.Tree, paths: list[str], draw: Callable[[engine.Tree, str], None]) -> None:
    """Writes every export, or none: all are made beside their places before the first is put there."""
    drafts: list[tuple[Path, Path]] = []
    try:
        for path in map(Path, paths):
            draft = path.with_name(f".{len(drafts)}-{os.getpid()}{path.suffix}")
            drafts.append((draft, path))
            draw(tree, str(draft)) if path.suffix.lower() in PICTURES else export(tree, draft)
        for draft, path in drafts:
            draft.replace(path)
    except OSError as problem:
        raise engine.InputError(f"“{problem.filename}” cannot be written: {problem.strerror}.") from problem
    finally:
        for draft, _ in drafts:
            draft.unlink(missing_ok=True)
    for written in paths:
        print(f"wrote   {written}")
