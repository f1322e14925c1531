"""A tree as its rules in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.tree import Tree


def to_rules(tree: "Tree") -> Iterator[str]:
    """The file in pieces: for each class a line with its name and one for each way to it; a line for each number."""
    from engine.rules import rules

    for rule in rules(tree):
        if rule.value is None:
            yield f"{tree.target} = {rule.label}:\n    " + "\n    OR ".join(rule.parts) + "\n"
        else:
            yield f"{rule.text}\n"
