"""An exported tree is run, and what it answers is compared with the tree itself."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.formats import FORMATS
from engine.formats.files import approximated, content_of
from engine.formats.rows_to_check import Answers, rows_to_check
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree import divided_rows
from engine.tree.assignment import assign, leaves_of_rows
from engine.tree.tree import Tree

NEAR = 1e-12  # of probabilities: what a program may write with fewer digits


@dataclass(frozen=True, eq=False)
class Check:
    """What running an exported tree showed.

    Attributes:
        format: the name of the format.
        ran_by: the program that ran it, with its version.
        rows: the rows that were compared, `engine.hard_rows` among them.
        differing: int64[…]: those whose leaf, prediction or probabilities differ, by their place in `rows`.
        changed: how many rows the tree itself answers otherwise, as it is approximated in the file.
    """

    format: str
    ran_by: str
    rows: Table
    differing: NDArray[np.int64]
    changed: int = 0

    @property
    def n_rows(self) -> int:
        """How many rows were compared."""
        return self.rows.n_rows

    @property
    def n_agreeing(self) -> int:
        """How many of them agree in leaf, prediction and probabilities."""
        return self.n_rows - self.differing.size


def check_export(
    tree: Tree, table: Table | None = None, format: str = "python", *, most: int | None = None, hard: int = 10_000,
    seed: int = 0, approximate: bool = False, **options: Any,
) -> Check:  # fmt: skip
    """Exports a tree, runs what was exported, and compares each row's leaf, prediction and probabilities.

    Args:
        table: whose rows are compared, but for those kept for the test. Without one the hard rows alone are.
        format: a name of `engine.formats.FORMATS`.
        most: no more rows of the table than this, evenly spaced; None for all.
        hard: so many rows that are made to find mistakes, see `engine.hard_rows`.
        approximate: see `engine.export`; then what was exported is compared with the approximated tree.
        options: of the format.

    Raises:
        InputError: the format cannot say this tree, or cannot be run on this computer; the text says what is missing.
    """
    content = content_of(tree, format, approximate=approximate, **options)
    rows = rows_to_check(tree, table, hard, seed, most)
    return check_content(content, tree, rows, format, approximate=approximate, **options)


def check_content(
    content: str | bytes, tree: Tree, rows: Table, format: str, *, approximate: bool = False, **options: Any
) -> Check:
    """The same for what was exported, and these rows."""
    module = import_module(f"engine.formats.{FORMATS[format].module}")
    if not hasattr(module, "run"):
        raise InputError(tr("{format} cannot be run here, so it was not checked.", format=tr(FORMATS[format].words)))
    asked = approximated(tree, format, **options) if approximate else tree
    return check_answers(module.run(content, asked, rows, **options), tree, asked, rows, format)


def check_answers(answers: Answers, tree: Tree, asked: Tree, rows: Table, format: str) -> Check:
    """The same for what a program answered these rows; `asked`: the tree, as it was exported."""
    wanted = _said(asked, rows)
    changed = 0 if asked is tree else np.count_nonzero(_differ(wanted, _said(tree, rows)))
    return Check(format, answers.ran_by, rows, np.flatnonzero(_differ(answers, wanted)), int(changed))


def _differ(one: Answers, other: Answers) -> NDArray[np.bool_]:
    """bool[n]: whether two answers to a row differ; probabilities that one does not give are not compared."""
    differ = (one.leaf != other.leaf) | (one.prediction != other.prediction)
    if one.probabilities is not None and other.probabilities is not None:
        differ |= ~(np.abs(one.probabilities - other.probabilities) <= NEAR).all(axis=1)
    return np.asarray(differ, dtype=bool)


def _said(tree: Tree, rows: Table) -> Answers:
    """What the tree itself answers; of rows that it divides the mean of their parts, and the leaf with most of them."""
    leaf, names = leaves_of_rows(rows, tree), np.array(tree.classes, dtype=object)
    shares = tree.probabilities[leaf] if tree.task == "classes" else None
    said = tree.predictions[leaf] if shares is None else names[tree.labels[leaf]]
    if tree.divides_rows:
        at, n = assign(rows, tree), rows.n_rows
        if shares is None:
            said = divided_rows.means(tree, at, tree.predictions, n)
        else:
            said = names[divided_rows.labels(tree, at, n)]
            shares = divided_rows.means(tree, at, tree.probabilities, n)
    return Answers("the tree", tree.ids[leaf], said, shares)
