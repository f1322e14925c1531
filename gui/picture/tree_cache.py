"""What was found out about a whole tree, kept for the trees looked at last: the window waits for no walk through
one."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, cast

import engine

R = TypeVar("R")

NODES_KEPT = 600_000  # of all trees with notes together, some 200 bytes for each node; the newest tree is always kept


class _Entry(NamedTuple):
    tree: weakref.ref[engine.Tree]
    n_nodes: int
    notes: dict[Any, Any]


_entries: list[_Entry] = []  # newest last; replaced as a whole, never changed: the worker may look, too


def book(tree: engine.Tree) -> dict[Any, Any]:
    """Where notes on a tree stand; those on the trees that were asked for longest ago are forgotten."""
    global _entries
    entries = _entries
    if entries and entries[-1].tree() is tree:
        return entries[-1].notes
    found = next((entry for entry in entries if entry.tree() is tree), None)
    newest = found if found is not None else _Entry(weakref.ref(tree), tree.n_nodes, {})
    others = [entry for entry in entries if entry is not found and entry.tree() is not None]
    totals = accumulate((entry.n_nodes for entry in reversed(others)), initial=newest.n_nodes)
    n_kept = sum(total <= NODES_KEPT for total in totals) - 1
    _entries = [*others[len(others) - max(n_kept, 0) :], newest]
    return newest.notes


def kept(function: Callable[..., R]) -> Callable[..., R]:
    """A function of a tree, and of more that can be hashed, which answers the same question only once."""

    @functools.wraps(function)
    def answer(tree: engine.Tree, *more: Any) -> R:
        notes, key = book(tree), (function, *more)
        if key not in notes:
            notes[key] = function(tree, *more)
        return cast("R", notes[key])

    return answer


def latest(function: Callable[..., R]) -> Callable[..., R]:
    """A function of trees, and of more that can be compared, that remembers its last answer; it keeps no tree alive."""
    held: list[tuple[tuple[Any, ...], R]] = []

    def same(kept: Any, asked: Any) -> bool:
        return kept() is asked if isinstance(kept, weakref.ref) else bool(kept == asked)

    @functools.wraps(function)
    def answer(*asked: Any) -> R:
        if held and len(held[0][0]) == len(asked) and all(map(same, held[0][0], asked)):
            return held[0][1]
        found = function(*asked)
        held[:] = [(tuple(weakref.ref(one) if hasattr(one, "n_nodes") else one for one in asked), found)]
        return found

    return answer
