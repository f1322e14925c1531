"""What stands out of the tree now: for each reason a function of document and tree, all of them in `SOURCES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gui.model.document import Document
from gui.picture.emphasis import Emphasis, joined
from gui.picture.leaves import best_leaves, lit, wanted_of

if TYPE_CHECKING:
    from engine.tree.tree import Tree


class Source(NamedTuple):
    """Something that makes nodes stand out.

    Attributes:
        names: the attributes of `document.look` that change it; "selected": the selected node does.
        find: args: the document, the tree that is drawn (which need not be the document's); None for nothing.
    """

    names: frozenset[str]
    find: Callable[[Document, Tree], Emphasis | None]


def part_of(document: Document, tree: Tree) -> str:
    """The rows that filter and best leaves are about: those that flow through the tree, whose figures cards show."""
    return document.look.part if tree.rows_validation[0] > 0 else "train"


def found(document: Document, tree: Tree) -> Emphasis | None:
    """Rings around what was found, while the find bar is open."""
    found = document.look.found
    if found is None or found.tree is not tree or not document.look.finding:
        return None
    return Emphasis(ringed=found.positions)


def filtered(document: Document, tree: Tree) -> Emphasis | None:
    """The leaves that pass the filter, and the ways to them."""
    wanted = document.look.filter
    if wanted is None or not wanted.asks(tree.task):
        return None
    return lit(tree, wanted, part_of(document, tree))


def best(document: Document, tree: Tree) -> Emphasis | None:
    """Rings around the best leaves, while their list is open."""
    look = document.look
    if look.best is None:
        return None
    wanted = wanted_of(tree, look.best, document.focus_class)
    leaves = best_leaves(tree, wanted, look.filter, part_of(document, tree))
    return Emphasis(ringed=np.array(sorted(leaf.position for leaf in leaves), dtype=np.intp))


def several(document: Document, tree: Tree) -> Emphasis | None:
    """Rings around the nodes that are selected beside the main one."""
    others = [tree.position(node) for node in document.look.also if node in tree]
    return Emphasis(ringed=np.array(sorted(others), dtype=np.intp)) if others else None


def row(document: Document, tree: Tree) -> Emphasis | None:
    """The way of the row that is followed: its values stand on the edges, all else is faded."""
    way = document.look.way
    if way is None:
        return None
    places = {tree.position(node): way.words.get(node, "") for node in way.nodes if node in tree}
    on_way = np.zeros(tree.n_nodes, dtype=bool)
    on_way[list(places)] = True
    shares = np.where(on_way, 1.0 / np.maximum(tree.rows_train, 1), 0.0)  # one of so many
    return Emphasis(lit=on_way, words={i: text for i, text in places.items() if text}, way=shares)


def rows(document: Document, tree: Tree) -> Emphasis | None:
    """The flow of the rows that are followed: their part of every edge; where none of them comes is faded."""
    flow = document.look.flow
    if flow is None:
        return None
    shares = flow.shares[part_of(document, tree)]
    reached = np.logical_or.reduce([found > 0 for found in flow.shares.values()])
    if tree is not flow.tree:  # a part of it is drawn
        known = flow.tree
        places = np.array([known.position(node) if node in known else -1 for node in tree.ids.tolist()])
        shares, reached = np.where(places >= 0, shares[places], 0.0), (places >= 0) & reached[places]
    return Emphasis(lit=reached, shares=shares)


SOURCES = (
    Source(frozenset({"found", "finding"}), found),
    Source(frozenset({"filter", "part"}), filtered),
    Source(frozenset({"best", "filter", "part"}), best),
    Source(frozenset({"also"}), several),
    Source(frozenset({"way"}), row),
    Source(frozenset({"flow", "part"}), rows),
)


def changed_by() -> frozenset[str]:
    return frozenset().union(*(source.names for source in SOURCES))


def emphasis_of(document: Document, tree: Tree) -> Emphasis | None:
    return joined([found for source in SOURCES if (found := source.find(document, tree)) is not None])
