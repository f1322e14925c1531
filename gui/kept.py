"""What was found out about a whole tree, kept for the trees that were looked at last.

Asked for first in the worker, it is at hand when the tree is shown: no panel has to walk through a large tree in the
thread of the window.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from engine.tree import Tree

R = TypeVar("R")

TREES_KEPT = 2  # the one on the screen, and the one before it or that is being made: some 200 bytes a node

_books: list[tuple[weakref.ref[Tree], dict[Any, Any]]] = []  # newest last; replaced as a whole, never changed


def book(tree: Tree) -> dict[Any, Any]:
    """Where notes on a tree stand; those on the tree that was asked for longest ago are forgotten."""
    global _books
    books = _books
    for place in range(len(books) - 1, -1, -1):
        if books[place][0]() is tree:
            if place < len(books) - 1:
                _books = [*books[:place], *books[place + 1 :], books[place]]
            return books[place][1]
    made: dict[Any, Any] = {}
    _books = [*(entry for entry in books if entry[0]() is not None), (weakref.ref(tree), made)][-TREES_KEPT:]
    return made


def kept(function: Callable[..., R]) -> Callable[..., R]:
    """A function of a tree, and of more that can be hashed, which answers the same question only once."""

    @functools.wraps(function)
    def answer(tree: Tree, *more: Any) -> R:
        notes, key = book(tree), (function, *more)
        if key not in notes:
            notes[key] = function(tree, *more)
        return cast("R", notes[key])

    return answer
