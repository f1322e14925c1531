"""What stands out because it is selected or followed: several nodes, the way of one row, the flow of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gui.picture.highlighting.emphasis import Emphasis

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.document import Document


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
    lit = np.zeros(tree.n_nodes, dtype=bool)
    lit[list(places)] = True
    shares = np.where(lit, 1.0 / np.maximum(tree.rows_train, 1), 0.0)  # one of so many
    return Emphasis(lit=lit, words={i: text for i, text in places.items() if text}, way=shares)


def rows(document: Document, tree: Tree) -> Emphasis | None:
    """The flow of the rows that are followed: their part of every edge; where none of them comes is faded."""
    flow = document.look.flow
    if flow is None:
        return None
    part = "validation" if document.look.part == "validation" and tree.rows_validation[0] > 0 else "train"
    shares, lit = flow.shares[part], np.logical_or.reduce([found > 0 for found in flow.shares.values()])
    if tree is not flow.tree:  # a part of it is drawn
        known = flow.tree
        places = np.array([known.position(node) if node in known else -1 for node in tree.ids.tolist()])
        shares, lit = np.where(places >= 0, shares[places], 0.0), (places >= 0) & lit[places]
    return Emphasis(lit=lit, shares=shares)
