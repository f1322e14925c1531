"""What a split is, in values, which branch each code takes, and how it reads.

A split stores the column's name and values, never codes: it survives new files, retyped columns and JSON.
`bind` turns it into a lookup from code to branch for one table; a split that no longer fits says why.
"""

from engine.splits.binding import (
    IN_ALL,
    WIDEST_KEPT,
    agreement,
    bind,
    branch_of_rows,
    branch_or_all,
    branch_shares,
    place_for,
)
from engine.splits.split import (
    DIVIDED,
    TEST_NAMES,
    Kinds,
    Literal,
    Split,
    Surrogate,
    branch_words,
    full_words,
    literal_words,
    sentence,
    threshold_between,
    title,
)
from engine.splits.typed import cuts_text, read_cuts, read_literal, without_noise

__all__ = [
    "DIVIDED", "IN_ALL", "TEST_NAMES", "WIDEST_KEPT", "Kinds", "Literal", "Split", "Surrogate", "agreement", "bind",
    "branch_of_rows", "branch_or_all", "branch_shares", "branch_words", "cuts_text", "full_words", "literal_words",
    "place_for", "read_cuts", "read_literal", "sentence", "threshold_between", "title", "without_noise",
]  # fmt: skip
