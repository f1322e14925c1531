"""What a replay is: the pseudo-code of an algorithm, the steps that it took on one table, and for each of them the tree
at that moment and what was compared, with the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from engine.runtime.progress import Progress
from engine.table.words import number_words
from engine.tree.tree import Tree

MOST_STEPS = 6_000  # of a replay: about 2,000 nodes; what follows is one last step
DIGITS = 4  # significant ones of figures


class Step(NamedTuple):
    """One step.

    Attributes:
        line: of the pseudo-code, from 0.
        node: the id of the node that it is about.
        done: how many decisions that change the tree were made by then, this one included.
    """

    line: int
    node: int
    done: int


@dataclass(frozen=True)
class Account:
    """What a step compared and decided, in words.

    Attributes:
        sentence: what happens, and why.
        formula: the formula, then the same with the numbers of this step, a line each.
        titles: of the columns of `figures`; empty without a table.
        figures: what was compared, a line each, as texts.
        chosen: the line that was taken; -1 for none.
        notes: (the id of a node, the figures that stand at it) for the picture of the tree.
    """

    sentence: str
    formula: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    figures: tuple[tuple[str, ...], ...] = ()
    chosen: int = -1
    notes: tuple[tuple[int, str], ...] = ()


class Replay(Protocol):
    """The steps of one run."""

    @property
    def lines(self) -> Sequence[str]:
        """The pseudo-code; blanks at the beginning of a line indent it."""

    @property
    def steps(self) -> Sequence[Step]:
        """In their order; there is at least one."""

    def tree(self, i: int) -> Tree:
        """The tree after step i. Its ids are those of the whole tree; that of the last step is the result."""

    def account(self, i: int, progress: Progress | None = None) -> Account:
        """What step i compared; it may take as long as the search of a node."""


def figure(value: float) -> str:
    """A figure with four significant digits."""
    return number_words(value, DIGITS)
