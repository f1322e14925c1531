"""A report of a tree for those who have to trust it: as a page to print, as figures, or as the table of its leaves."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from engine.assessment.leaf_report import leaf_report
from engine.formats.frames import write_frame
from engine.reporting import html
from engine.reporting.figures import figures
from engine.reporting.page import page
from engine.runtime.errors import InputError
from engine.runtime.files import checked_target, to_json, write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.arrays import collapse
from engine.tree.assignment import Assignment
from engine.tree.tree import Tree

REPORTS = (".html", ".json", ".csv")
MOST_DRAWN = 60  # leaves of the picture; of a larger tree it shows the first levels


def report(
    table: Table, tree: Tree, target: str | os.PathLike[str], *, test: bool = False, focus: str | None = None,
    made: Sequence[str] = (), compared: int = 0, looks: int = 0, draw: Callable[[Tree, str], None] | None = None,
    seed: int = 0, assignment: Assignment | None = None, progress: Progress | None = None,
) -> None:  # fmt: skip
    """Writes a report of a tree on its table.

    Args:
        target: .html for a page that needs no other file; .json for the same figures, which
            `resources/report.schema.json` describes; .csv for the table of all leaves alone (`leaf_report`).
        test: whether the test rows are assessed, too; else nothing is told of them but how many there are.
        focus: the class that the leaves are sorted by; by default the one with the fewest training rows.
        made: how the tree was made, a sentence for each step.
        compared: among how many trees validation rows chose it. looks: how often the test rows were looked at.
        draw: writes a picture of a tree to a path that ends in .svg; None for a page without one.
        seed: of the permutations of the importance.
        assignment: which rows stand in which node, if at hand.
        progress: is given how far it is; a stop writes nothing.

    Raises:
        InputError: another suffix, the file cannot be written, the table has another target or no such class, a split
            does not bind to it, or a stop was asked for.
    """
    path, suffix, progress = Path(target), checked_report(target), progress or Progress()
    if suffix == ".csv":
        return write_frame(leaf_report(table, tree, focus=focus, assignment=assignment), path)
    found = figures(table, tree, test, focus, made, compared, looks, seed, assignment, progress.part(0.0, 0.8))
    if progress.stopped:
        raise InputError(tr("The report was stopped."))
    if suffix == ".json":
        lines = [f"{to_json(name)}: {to_json(value)}" for name, value in found.items()]  # indented it takes ten times
        return write_whole(path, ("{\n", ",\n".join(lines), "\n}\n"))
    progress.report(0.8, tr("Drawing the tree"))
    picture, levels = _picture(tree, draw) if draw is not None else ("", tree.depth)
    write_whole(path, page(found, tree, picture, levels))


def checked_report(target: str | os.PathLike[str]) -> str:
    """The suffix of a report; InputError where there is no such report, or the file cannot be written."""
    suffix = Path(target).suffix.lower()
    if suffix not in REPORTS:
        known = " ".join(REPORTS)
        raise InputError(
            tr("“{name}” names no report; end it with one of {known}.", name=Path(target).name, known=known)
        )
    checked_target(os.fspath(target))
    return suffix


def _picture(tree: Tree, draw: Callable[[Tree, str], None]) -> tuple[str, int]:
    """The tree, as far as it can be read on a page, as an address that holds the picture; and its number of levels."""
    levels, depth = tree.depth, np.asarray(tree.level)
    while levels > 1 and int(((depth == levels) | ((depth < levels) & (tree.n_branches == 0))).sum()) > MOST_DRAWN:
        levels -= 1
    shown = collapse(tree, np.flatnonzero((depth == levels) & (tree.n_branches > 0)))
    return html.drawn(shown, draw), levels
