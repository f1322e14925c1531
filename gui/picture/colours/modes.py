"""What the colours of the canvas may say, declared once; the menu, the legend and the canvas read it here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gui.picture.colours import measures
from gui.picture.colours.measures import Labels, Stats, Subject, Words
from gui.picture.colours.shades import Shades

if TYPE_CHECKING:
    from engine.tree.tree import Tree

ENDS, ONE, CLASSES, COLUMNS = "ends", "one", "classes", "columns"  # what the poles of a mode are


def _always(tree: Tree) -> str:
    return ""


@dataclass(frozen=True)
class Mode:
    """One thing that colours may say.

    Attributes:
        name: the word in settings and in `document.look`.
        text: its words in menus; "&" marks the letter for the keyboard.
        tip: one sentence that explains it.
        poles: "ends" (two, neutral between them), "one", "classes" or "columns".
        shades: int64[n_nodes], of a subject.
        says: what a card adds in words, for no colour stands alone; empty where its other lines say it.
        words: what the legend says.
        of_stats: int64[n], the shades of any statistics and of what each would say as a leaf; None where statistics
            do not tell it.
        refusal: why it cannot colour a tree, in a sentence; empty where it can.
        line: the card's line that says the same, if there is one.
    """

    name: str
    text: str
    tip: str
    poles: str
    shades: Callable[[Subject], Shades]
    says: Callable[[Subject, int], str]
    words: Callable[[Subject], Words]
    of_stats: Callable[[Subject, Stats, Labels], Shades] | None = None
    refusal: Callable[[Tree], str] = _always
    line: str = ""


def _no_classes(tree: Tree) -> str:
    return "" if tree.task == "classes" else "The target is a number: there are no classes to colour by."


MODES = {
    mode.name: mode
    for mode in (
        Mode("rate", "Distance from the &average", "How far the share of the class in focus, or what a node says of a "
             "number, lies from that of all rows; white is average", ENDS, measures.rate_shades, measures.rate_says,
             measures.rate_words, measures.rate_of),
        Mode("class", "&Class", "The class that a node says, paler the nearer its share is to that in all rows",
             CLASSES, measures.class_shades, measures.class_says, measures.class_words, measures.class_of,
             _no_classes),
        Mode("impurity", "&Impurity", "How mixed a node is, by the criterion that the tree was grown by; of a number, "
             "how far its values spread", ONE, measures.impurity_shades, measures.impurity_says,
             measures.impurity_words, measures.impurity_of, line="impurity"),
        Mode("lift", "&Lift", "How many times as frequent the class in focus is as in all rows; white is 1", ENDS,
             measures.lift_shades, measures.lift_says, measures.lift_words, measures.lift_of, measures.no_lift),
        Mode("error", "&Validation error", "How much a node errs, as a leaf, on the validation rows", ONE,
             measures.error_shades, measures.error_says, measures.error_words, None, measures.no_error),
        Mode("column", "C&olumn", "Which column splits a node; leaves have the colour of the split above, paler",
             COLUMNS, measures.column_shades, measures.column_says, measures.column_words),
    )
}  # fmt: skip

# The document compares: this one is chosen there, by `comparing.colour`, and is never kept.
DIFFERENCE = Mode(
    "difference", "&Difference to another tree", "Which share of a node’s rows another tree answers differently",
    ONE, measures.difference_shades, measures.difference_says, measures.difference_words,
)  # fmt: skip


def usual(tree: Tree) -> str:
    """The mode that fits a tree's target: of more than two classes the class, else the distance from the average."""
    return "class" if tree.task == "classes" and len(tree.classes) > 2 else "rate"


def mode_for(tree: Tree, chosen: str) -> Mode:
    """The chosen mode; the usual one where nothing is chosen, or where it cannot colour this tree."""
    mode = MODES.get(chosen)
    return mode if mode is not None and not mode.refusal(tree) else MODES[usual(tree)]
