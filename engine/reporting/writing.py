"""A report, made and written: as a page, on paper, for Word, as figures, or as the table of its leaves."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from engine.assessment.leaf_report import leaf_report
from engine.formats.frames import write_frame
from engine.pruning.result import Pruning
from engine.reporting import REPORTS, html
from engine.reporting.contents import contents, title_of
from engine.reporting.description import Report
from engine.reporting.docx import check_docx, write_docx
from engine.reporting.figures import figures
from engine.reporting.slide import check_pptx, write_slide
from engine.runtime.errors import InputError
from engine.runtime.files import checked_target, to_json, write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.arrays import collapse
from engine.tree.assignment import Assignment
from engine.tree.tree import Tree

MOST_DRAWN = 60  # leaves of the picture; of a larger tree it shows the first levels
Printer = Callable[[str, str], None]  # writes a page of HTML to a path that ends in .pdf, or an SVG to one in .png


def report(
    table: Table, tree: Tree, target: str | os.PathLike[str], *, sections: Sequence[str] | None = None,
    introduction: str = "", test: bool = False, focus: str | None = None, made: Sequence[str] = (),
    pruning: Pruning | None = None, compared: int = 0, looks: int = 0, draw: Callable[[Tree, str], None] | None = None,
    printer: Printer | None = None, seed: int = 0, assignment: Assignment | None = None,
    progress: Progress | None = None,
) -> None:  # fmt: skip
    """Writes a report of a tree on its table.

    Args:
        target: .html for a page that needs no other file, .pdf for the same on paper, .docx for a text that others go
            on writing (needs the package python-docx); .json for its figures, which `resources/report.schema.json`
            describes; .csv for the table of all leaves alone (`leaf_report`); .pptx for a slide with the tree alone, as
            shapes that can be moved (needs the package python-pptx), of at most 60 nodes.
        sections: the names of those that are in it, of `engine.reporting.SECTIONS`; None for all that have
            something to say. introduction: words of one's own at the beginning; an empty line parts paragraphs. Figures
            and leaves alone have neither.
        test: whether the test rows are assessed, too; else nothing is told of them but how many there are.
        focus: the class that the leaves are sorted by; by default the one with the fewest training rows.
        made: how the tree was made, a sentence for each step.
        pruning: what cut the tree back, for the chart of errors by number of leaves; `chosen` is this tree.
        compared: among how many trees validation rows chose it; at least among those of a `pruning` that they judged.
        looks: how often the test rows were looked at.
        draw: writes a picture of a tree to a path that ends in .svg; None for a page without one.
        printer: writes a page of HTML to a path that ends in .pdf, and an SVG to one that ends in .png, which a .docx
            needs for its pictures; the engine itself draws and prints nothing.
        seed: of the permutations of the importance.
        assignment: which rows stand in which node, if at hand.
        progress: is given how far it is; a stop writes nothing.

    Raises:
        InputError: another suffix, the file cannot be written, a package is missing, there is nothing that prints,
            there is no such section, the table has another target or no such class, a split does not bind to it, or a
            stop was asked for.
    """
    path, suffix, progress = Path(target), checked_report(target), progress or Progress()
    if suffix == ".pdf" and printer is None:
        raise InputError(tr("A PDF needs a printer: write .html, and print it with a browser."))
    if suffix == ".csv":
        return write_frame(leaf_report(table, tree, focus=focus, assignment=assignment), path)
    if suffix == ".pptx":
        return write_slide(tree, title_of(table.name, tree), path)
    described = describe(
        table, tree, test=test, focus=focus, made=made, pruning=pruning, compared=compared, looks=looks, draw=draw,
        seed=seed, assignment=assignment, progress=progress,
    )  # fmt: skip
    write_report(described.only(sections, introduction), path, printer)


def describe(
    table: Table, tree: Tree, *, test: bool = False, focus: str | None = None, made: Sequence[str] = (),
    pruning: Pruning | None = None, compared: int = 0, looks: int = 0, draw: Callable[[Tree, str], None] | None = None,
    seed: int = 0, assignment: Assignment | None = None, progress: Progress | None = None,
) -> Report:  # fmt: skip
    """A report before it is written, for those who first choose what is in it. Arguments and errors: see `report`."""
    progress = progress or Progress()
    found = figures(table, tree, test, focus, made, pruning, compared, looks, seed, assignment, progress.part(0.0, 0.8))
    if progress.stopped:
        raise InputError(tr("The report was stopped."))
    progress.report(0.8, tr("Drawing the tree"))
    picture, levels = _picture(tree, draw) if draw is not None else (b"", tree.depth)
    return contents(found, tree, picture, levels)


def write_report(described: Report, target: str | os.PathLike[str], printer: Printer | None = None) -> None:
    """Writes a report that was described: .html, .pdf, .docx or .json. See `report`."""
    path, suffix = Path(target), checked_report(target)
    if suffix == ".json":
        lines = [f"{to_json(name)}: {to_json(value)}" for name, value in described.found.items()]
        return write_whole(path, ("{\n", ",\n".join(lines), "\n}\n"))  # indented it takes ten times
    if suffix == ".docx":
        return write_docx(described, path, printer)
    if suffix == ".pdf" and printer is not None:
        return printer("".join(html.report(described)), str(path))
    write_whole(path, html.report(described))


def checked_report(target: str | os.PathLike[str]) -> str:
    """The suffix of a report; InputError where there is no such report, what it needs is not installed, or the file
    cannot be written."""
    suffix = Path(target).suffix.lower()
    if suffix not in REPORTS:
        known = " ".join(REPORTS)
        raise InputError(
            tr("“{name}” names no report; end it with one of {known}.", name=Path(target).name, known=known)
        )
    if suffix == ".docx":
        check_docx()
    if suffix == ".pptx":
        check_pptx()
    checked_target(os.fspath(target))
    return suffix


def _picture(tree: Tree, draw: Callable[[Tree, str], None]) -> tuple[bytes, int]:
    """The tree, as far as it can be read on a page, as SVG; and its number of levels."""
    levels, depth = tree.depth, np.asarray(tree.level)
    while levels > 1 and int(((depth == levels) | ((depth < levels) & (tree.n_branches == 0))).sum()) > MOST_DRAWN:
        levels -= 1
    shown = collapse(tree, np.flatnonzero((depth == levels) & (tree.n_branches > 0)))
    return html.drawn(shown, draw), levels
