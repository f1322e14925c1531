"""The tree: an immutable bundle of arrays in preorder.

A subtree is a slice, bottom up is reverse order, and an edit returns a new tree that leaves the old one valid.
`node` in public calls is a stable id: the root is 0 and ids are never reused. `position` is a place in the arrays.

Each file adds to what the one before it knows: `shape`, `splits_in_words`, `sayings`, `tree`.
"""

from engine.tree.nodes import GROUPS, M_OF_N, THRESHOLD, WITH_SURROGATES, Nodes, TreeColumn
from engine.tree.recounting import check_target, columns_of, count_anew, counted, recount
from engine.tree.tree import Tree

__all__ = [
    "GROUPS",
    "M_OF_N",
    "THRESHOLD",
    "WITH_SURROGATES",
    "Nodes",
    "Tree",
    "TreeColumn",
    "check_target",
    "columns_of",
    "count_anew",
    "counted",
    "recount",
]
