"""What a person decides about a table before it is read, and what is proposed to them. No widget in here."""

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.runtime.sentences import tr
from gui.wording import words

if TYPE_CHECKING:
    from engine.readers import ReadOptions

HOLDOUT_FROM = 50
TEST_FROM = 1000
TRUE_WORDS = ("true", "yes", "y", "t", "1")
POSITIVE_WORDS = (*TRUE_WORDS, "positive", "pos", "ja", "oui", "sí", "wahr", "vrai")
CLASS_KINDS = ("nominal", "ordered", "boolean")
MOST_INTEGER_CLASSES = 20  # more distinct integers than this are a number to predict: see `engine.table.table`


@dataclass(frozen=True)
class ImportChoice:
    """Everything that is needed to read a table and to start a tree.

    Attributes:
        path: the file; empty when the table was pasted or typed.
        text: the pasted table, or None.
        options: how to read it, with every correction.
        target: the column to predict.
        roles: the role of every column but the target.
        focus: the class whose rate is coloured; None leaves it to the table once it is read.
        validation, test: shares of the rows, 0 to 1. Both are 0 with a partition column.
        seed: of the division into parts.
        partition_column: the column that says where each row belongs, or None.
    """

    path: str
    text: str | None
    options: "ReadOptions"
    target: str
    roles: dict[str, str] = field(default_factory=dict)
    focus: str | None = None
    validation: float = 0.0
    test: float = 0.0
    seed: int = 0
    partition_column: str | None = None


@dataclass(frozen=True)
class Shares:
    """Proposed shares of validation and test rows, 0 to 1, and why."""

    validation: float
    test: float
    why: str


def propose_shares(n_rows: int | None, about: int | None = None) -> Shares:
    """The shares for a table of `n_rows`, or, where they are not counted yet, of `about` so many."""
    rows = n_rows if n_rows is not None else about
    if rows is None:
        return Shares(0.2, 0.2, tr("The rows are not counted yet. With fewer than 1,000, choose smaller shares."))
    n = words.count(rows)
    size = tr("{n} rows", n=n) if n_rows is not None else tr("About {n} rows by the size of the file", n=n)
    if rows < HOLDOUT_FROM:
        return Shares(0.0, 0.0, tr("{rows}: too few to hold any back. All of them train.", rows=size))
    if rows < TEST_FROM:
        why = tr("{rows}: enough to check each split on rows it has not seen, too few for a separate test.", rows=size)
        return Shares(0.3, 0.0, why)
    why = tr("{rows}: enough to choose splits on one part and to keep a last test for the end.", rows=size)
    return Shares(0.2, 0.2, why)


def predicts_classes(kind: str, distinct: int | None) -> bool:
    """Whether a target of this kind, with so many distinct values seen, makes classes rather than a number."""
    return kind in CLASS_KINDS or (kind == "integer" and (distinct is None or distinct <= MOST_INTEGER_CLASSES))


def classes_seen(texts: Iterable[str], kind: str) -> list[str]:
    """The classes among the texts of a target, most frequent first, ties in alphabetical order.

    They are named as the table will name them: “yes” in a boolean column is the class “True”, “1.0” among integers “1”.
    """
    counts = Counter(_class_name(text, kind) for text in texts if text)
    return sorted(counts, key=lambda value: (-counts[value], value))


def _class_name(text: str, kind: str) -> str:
    if kind == "boolean":
        return str(text.strip().lower() in TRUE_WORDS)
    with contextlib.suppress(ValueError, OverflowError):
        return str(int(float(text))) if kind == "integer" else text
    return text


def guess_focus(seen: Sequence[str]) -> str | None:
    """Of two classes the one that means yes, else the rarer one; None for any other number of classes.

    Args:
        seen: as `classes_seen` gives them, most frequent first.
    """
    if len(seen) != 2:
        return None
    said = [value for value in seen if value.strip().lower() in POSITIVE_WORDS]
    return said[0] if len(said) == 1 else seen[1]


def missing_step(target: str | None, roles: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """What is still to be done before the table can be opened; empty when nothing is.

    Args:
        roles: of every column; the target's is not looked at.
        kinds: of every column.
    """
    if not target:
        return tr("Choose the column to predict.")
    if kinds[target] == "date":
        return tr("No tree predicts a date: choose another column, or make this one ordered.")
    used = Counter(role for name, role in roles.items() if name != target)
    if not used["feature"]:
        return tr("Make at least one column a feature, so that there is something to split on.")
    for role in ("weight", "frequency", "partition"):
        if used[role] > 1:
            return tr("Only one column can be the {role}: {n} are chosen.", role=role, n=used[role])
    if used["weight"] and used["frequency"]:
        return tr("A column of weights and one of frequencies are chosen: keep one of them.")
    return ""
