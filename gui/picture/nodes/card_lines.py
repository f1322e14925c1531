"""The lines that a card may show, declared once; which of them it shows is a person's choice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One line of cards.

    Attributes:
        name: the word in settings and in `document.look`.
        text: its words in menus; "&" marks the letter for the keyboard.
        tip: one sentence that explains it.
    """

    name: str
    text: str
    tip: str


LINES = {
    line.name: line
    for line in (
        Line("split", "&Split, or what a leaf says", "The column or the conditions that a node is split by; of a leaf "
             "what it says"),
        Line("rows", "&Rows and rate", "How many rows stand in a node, and the rate, class or number there"),
        Line("share", "Share of &all rows", "Which share of all rows stands in a node"),
        Line("validation", "&Validation beside training", "The same figure on the validation rows, where there are "
             "any; when these flow through the tree, that on the training rows"),
        Line("impurity", "&Impurity", "How mixed a node is, by the criterion that the tree was grown by; of a number, "
             "how far its values spread"),
        Line("number", "&Node number", "The number by which rules, notes and messages name a node"),
        Line("bar", "&Bar of classes or values", "The shares of the classes, with a tick at the share in all rows; of "
             "a number a box plot: the middle half of the values, their median, and a line from 5 % to 95 % of them"),
        Line("badges", "Bad&ges", "Small discs for splits by hand, pins, locks, notes, and for validation rows that "
             "disagree"),
    )
}  # fmt: skip
