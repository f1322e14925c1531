"""What stands above the candidates, and in their place where there are none."""

from __future__ import annotations

import math

import engine
from gui.model.document import Document
from gui.model.search import guessing


def headline(document: Document) -> str:
    """What the panel ranks: "Best splits · Gini"; at an inner node also what another one would replace."""
    if document.table is None or document.tree is None:
        return "Candidates"
    position = document.tree.position(document.selected)
    # The ratio ranks, but the bars and figures beside it are information gains: say so.
    note = " (bars: information gain)" if engine.CRITERIA[document.criterion_here].by_ratio else ""
    said = f"Best splits · {engine.CRITERIA[document.criterion_here].label}{note}"
    if document.tree.n_branches[position]:
        said += f" · another one replaces {document.tree.title(position)}"
    return said + significant(document)


def bound(document: Document) -> float | None:
    """The LogWorth that growing asks of the candidates that are shown; None where it asks for none."""
    significance = document.search.get("significance")
    if significance is None or not document.candidates:
        return None
    n = sum(candidate.split is not None for candidate in document.candidates)
    return max(0.0, math.log10(n / significance)) if n and significance > 0 else math.inf


def significant(document: Document) -> str:
    """The bound in words: " · significant: LogWorth of at least 2.38 (0.05 over 12 columns)"."""
    least = bound(document)
    if least is None:
        return ""
    if least == math.inf:
        return " · no split is significant at 0"
    n = sum(candidate.split is not None for candidate in document.candidates or ())
    columns = "1 column" if n == 1 else f"{n} columns"
    level = document.search["significance"]
    return f" · significant: LogWorth of at least {least:.2f} ({level:g} over {columns})"


def why_empty(document: Document) -> str:
    """Why there can be no candidates at the selected node, and what to do; empty when there can."""
    tree = document.tree
    if document.table is None or tree is None:
        return "Open a table: the best split of every column will stand here."
    position = tree.position(document.selected)
    if tree.rows_train[position] == 0:
        return "No training row reaches this node: there is nothing to split by. Select another one."
    if document.guessing:
        return guessing.FIRST
    if document.candidates_error:
        return document.candidates_error
    stats = tree.train[position]
    if tree.task == "classes" and (stats > 0).sum() == 1:
        label = tree.classes[int(stats.argmax())]
        return f"This leaf is pure: nothing to gain. All of its training rows are “{label}”."
    if tree.task == "number" and stats[2] <= 1e-30 * stats[1] ** 2 / stats[0]:
        return "This leaf is pure: nothing to gain. All of its training rows have the same target value."
    if document.candidates is not None and not document.candidates:
        return "No column can be used here: give a column the role “feature” in the columns panel."
    return ""
