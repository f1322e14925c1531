"""What the split editor says: why there is nothing to draw or to make, and what a split means."""

from __future__ import annotations

import math

import engine
from engine.table.words import kind_word
from gui.model.document import Document
from gui.model.search import guessing, split_tasks
from gui.model.search.ranking import has_curve
from gui.panels.this_node.split.start import why_not_by_hand
from gui.wording import words


def why_no_cut(document: Document, found: engine.Candidate) -> str:
    """Why there is no draft of a column: "Only one value here: no cut separates the rows."."""
    reason = found.reason
    return why_not_by_hand(document, found.column) or (
        f"{reason[:1].upper()}{reason[1:]}: nothing separates the rows." if reason else ""
    )


def only_by_hand(remark: str, found: engine.Candidate) -> str:
    """What is said of a split that the search does not have: why, and that a person may make it."""
    why = remark.rstrip(".") or f"The search has no split here: {found.reason}"
    return f"{why}: the search may not make it, you may."


def why_empty(document: Document) -> str:
    """Why there is no plot, and what to do; empty when there is one."""
    if document.table is None or document.tree is None:
        return "Open a table: the split that you look at will be drawn here."
    if document.curve_error:
        return document.curve_error
    if document.split_here is not None and (document.candidate is None or not document.candidate_is_current):
        return f"Drawing “{document.split_here.column}”…"
    if document.candidate is None and document.guessing:
        return guessing.FIRST
    if document.candidate is None:
        return "Choose a candidate above: its rows and its gains will be drawn here."
    if not has_curve(document.candidate.split):
        return conditions(document.candidate, document.table) if document.why_no_split() else ""
    if document.curve is None:
        return f"Drawing “{document.candidate.column}”…"
    return ""


def conditions(candidate: engine.Candidate, table: engine.Table) -> str:
    """A split by several columns, which no one axis can show, in words."""
    kinds = table.kinds
    words_of = engine.splits.full_words(candidate.split, 0, kinds)
    rows = " | ".join(words.count(n) for n in candidate.rows)
    return (
        f"{words_of[:1].upper()}{words_of[1:]}\n\n{gains(candidate)}\nTraining rows per branch: {rows}\n\n"
        "This split was found by climbing; it cannot be changed here."
    )


def read_as_words(other: split_tasks.ReadAs) -> str:
    """What reading a column as another kind means."""
    new, old = kind_word(other.kind), kind_word(other.was)
    text = f"Read as {new} for this split: making it sets the type of “{other.found.column}”, now {old}."
    n = len(other.lost)
    return f"{text} {n} {'split' if n == 1 else 'splits'} elsewhere will be taken back." if n else text


def gains(candidate: engine.Candidate) -> str:
    """ "gain 0.2931 · two levels 0.4 · validation 0.2754"."""
    parts = [f"gain {words.gain(candidate.gain)}"]
    if math.isfinite(candidate.ahead):
        parts.append(f"two levels {words.gain(candidate.ahead)}")
    if math.isfinite(candidate.validation_gain):
        parts.append(f"validation {words.gain(candidate.validation_gain)}")
    return " · ".join(parts)
