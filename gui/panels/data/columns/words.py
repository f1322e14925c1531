"""The kinds and the roles of columns in the words, icons and sentences of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.table.words import kind_word
from gui.wording import words

if TYPE_CHECKING:
    from gui.panels.data.columns.facts import Facts


@dataclass(frozen=True)
class Word:
    """How one kind or role is shown.

    Attributes:
        word: in lists and table cells.
        icon: its name in `gui.icons`.
        meaning: one sentence for tool tips.
    """

    word: str
    icon: str
    meaning: str


KINDS = {
    "number": Word("number", "number", "A number; splits cut it at a threshold."),
    "integer": Word("integer", "integer", "A whole number; splits cut it at a threshold."),
    "nominal": Word(kind_word("nominal"), "category", "Names without an order; splits sort them into groups."),
    "ordered": Word("ordered", "ordered", "Names with an order; splits cut it between two levels."),
    "date": Word("date", "date", "A day or a point in time; splits cut it at a date."),
    "boolean": Word("boolean", "boolean", "True or false."),
}

ROLES = {
    "feature": Word("feature", "feature", "Splits may use it."),
    "ignore": Word("ignore", "ignore", "It stays in the table, and no split uses it."),
    "weight": Word(
        "weight", "weight", "A sampling weight: how much each row counts beside the others; one column at most."
    ),
    "frequency": Word(
        "frequency", "weight", "For how many equal rows each row stands, a whole number; one column at most."
    ),
    "partition": Word("partition", "partition", "Says which rows train, validate and test; one column at most."),
}

# Shown where the engine knows the role but the window does not offer it, and for the column to predict.
GROUP = Word("group", "category", "Rows that belong together; nothing uses it yet.")
LOCKED = Word("locked", "lock", "A feature that no search may use; splits that are made by it stay.")
TARGET = Word("target", "target", "What the tree predicts.")


def role_word(role: str) -> Word:
    """The words of a role, of the target too."""
    return {**ROLES, "group": GROUP, "target": TARGET}[role]


def distinct_text(facts: Facts) -> str:
    """How many different values occur."""
    return words.compact_count(facts.n_distinct)


def missing_text(facts: Facts) -> str:
    """How many rows have no value, and which share of them that is."""
    return f"{words.compact_count(facts.n_missing)} · {share_text(facts)}" if facts.n_missing else words.NOTHING


def share_text(facts: Facts) -> str:
    """Which share of the rows has no value."""
    return words.rate(facts.n_missing / facts.n_rows) if facts.n_missing else words.NOTHING
