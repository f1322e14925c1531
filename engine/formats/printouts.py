"""A tree as the programs print it that books teach with: for readers who know these lines by heart."""

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import NamedTuple

from engine.formats import PRINTOUTS
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import tr
from engine.tree.tree import Tree


class Line(NamedTuple):
    """One line of a printout, and the id of the node that it tells of; None where it tells of none."""

    text: str
    node: int | None = None


def printed(tree: Tree, program: str, most: int | None = None) -> list[Line]:
    """The tree as a program of `engine.formats.PRINTOUTS` prints it; `most`: of the lines no more than the first ones.

    Raises:
        InputError: no such program, or it has no trees of this kind; the text says which.
    """
    if program not in PRINTOUTS:
        raise InputError(tr(
            "No printout is called “{program}”; choose one of {programs}.", program=one_line(program),
            programs=", ".join(PRINTOUTS)))  # fmt: skip
    return list(islice(import_module(f"engine.formats.{program}").lines(tree), most))


def printout(tree: Tree, program: str) -> str:
    """The tree as Weka's J48 ("j48") or R's rpart ("rpart") prints it; a split that the program does not have stands in
    the words of this one.

    Raises:
        InputError: see `printed`.
    """
    return "".join(pieces(tree, program))


def pieces(tree: Tree, program: str) -> Iterator[str]:
    """The same line by line, for a file."""
    yield from (f"{line.text}\n" for line in printed(tree, program))
