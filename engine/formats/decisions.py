"""A tree as one list of comparisons, each of which leads to two others or to leaves: for code that walks a large tree
in a loop, where a compiler would take minutes for its branches."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.formats.questions import Asker, Compare, Condition
from engine.tree.tree import Tree


class Decision(NamedTuple):
    """A comparison, and where it leads: to another one by its place in the list, or to leaf k, from left to right, by
    -1 - k."""

    asked: Compare
    yes: int
    no: int


def decisions(tree: Tree) -> tuple[list[Decision], int]:
    """The comparisons of a tree, and where a row begins, which may be a leaf.

    Conditions are asked as far as they decide: of m of n only until m hold, or cannot any more.

    Raises:
        InputError: see `Asker.question`.
    """
    asker, found = Asker(tree), list[Decision]()
    entry = {leaf: -1 - k for k, leaf in enumerate(tree.leaves.tolist())}
    for i in range(tree.n_nodes - 1, -1, -1):  # what a node leads to stands behind it in preorder
        if i not in entry:
            order, conditions = asker.question(i)
            children = tree.children(i)
            target = entry[children[order[-1]]]
            for branch, condition in zip(order[-2::-1], conditions[::-1], strict=True):
                target = _written(condition, entry[children[branch]], target, found)
            entry[i] = target
    return found, entry[0]


def _written(condition: Condition, yes: int, no: int, found: list[Decision]) -> int:
    """Where a condition begins, whose comparisons are added to those found."""
    if isinstance(condition, Compare):
        found.append(Decision(condition, yes, no))
        return len(found) - 1
    return _at_least(condition.least, condition.parts, yes, no, found)


def _at_least(least: int, parts: Sequence[Condition], yes: int, no: int, found: list[Decision]) -> int:
    """The same for so many of some conditions: by how many come yet, and how many of these have to hold."""
    begins = dict[tuple[int, int], int]()
    for n in range(len(parts) + 1):
        for wanted in range(least + 1):
            if wanted == 0 or wanted > n:
                begins[n, wanted] = no if wanted else yes
            elif least - wanted <= len(parts) - n:  # or that many cannot have held before
                part = parts[len(parts) - n]
                begins[n, wanted] = _written(part, begins[n - 1, wanted - 1], begins[n - 1, wanted], found)
    return begins[len(parts), least]
