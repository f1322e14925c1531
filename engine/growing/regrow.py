"""Another split in the place of a node's, and branches that grow below it: a split and a growth, asked for as one."""

from typing import Any

from engine.growing import grow
from engine.splits import Split
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.tree import Tree


def replace_and_grow(
    table: Table, tree: Tree, node: int, split: Split, *, assignment: Assignment | None = None, **options: Any
) -> Tree:
    """The tree with this split at an inner node, all below it grown again.

    Args:
        assignment: of this tree on that table, if at hand.
        options: those of `engine.grow`.

    Raises:
        InputError: as `Tree.replace_split`, or an option cannot be used.
    """
    i = tree.position(node)
    replaced = tree.replace_split(table, node, split, assignment=assignment)
    if assignment is not None:
        assignment = assignment.collapse(i, int(tree.end[i])).split(table, i, split)
    return grow(table, tree=replaced, node=node, assignment=assignment, **options)
