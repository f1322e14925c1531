"""An exported tree is run, and what it answers is compared with the tree itself."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.formats import FORMATS
from engine.formats.files import content_of
from engine.formats.rows_to_check import Answers, rows_to_check
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.assignment import leaves_of_rows
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
    """

    format: str
    ran_by: str
    rows: Table
    differing: NDArray[np.int64]

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
    seed: int = 0, **options: Any,
) -> Check:  # fmt: skip
    """Exports a tree, runs what was exported, and compares each row's leaf, prediction and probabilities.

    Args:
        table: whose rows are compared, but for those kept for the test. Without one the hard rows alone are.
        format: a name of `engine.formats.FORMATS`.
        most: no more rows of the table than this, evenly spaced; None for all.
        hard: so many rows that are made to find mistakes, see `engine.hard_rows`.
        options: of the format.

    Raises:
        InputError: the format cannot say this tree, or cannot be run on this computer; the text says what is missing.
    """
    content = content_of(tree, format, **options)
    return check_content(content, tree, rows_to_check(tree, table, hard, seed, most), format, **options)


def check_content(content: str | bytes, tree: Tree, rows: Table, format: str, **options: Any) -> Check:
    """The same for what was exported, and these rows."""
    module = import_module(f"engine.formats.{FORMATS[format].module}")
    if not hasattr(module, "run"):
        raise InputError(tr("{format} cannot be run here, so it was not checked.", format=tr(FORMATS[format].words)))
    answers: Answers = module.run(content, tree, rows, **options)
    at = leaves_of_rows(rows, tree)
    wrong = answers.leaf != tree.ids[at]
    wanted = tree.predictions[at] if tree.task == "number" else np.array(tree.classes, dtype=object)[tree.labels[at]]
    wrong |= answers.prediction != wanted
    if answers.probabilities is not None and tree.task == "classes":
        wrong |= ~(np.abs(answers.probabilities - tree.probabilities[at]) <= NEAR).all(axis=1)
    return Check(format, answers.ran_by, rows, np.flatnonzero(wrong))
