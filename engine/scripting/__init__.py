"""A script that makes a tree again. Here is what its steps are; what writes it brings the compiler."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class ScriptStep(NamedTuple):
    """One thing that was done to a tree.

    Attributes:
        verb: "grow"; "prune"; or the name of an edit of `engine.Tree`: "split", "collapse", "replace_split", "merge",
            "replace_with_branch", "with_mark", "with_leaf_rule".
        given: its arguments in their order, without the table.
        options: those that have names; of "prune" there is "step", too, the index of the tree that was taken, None for
            the one that the method recommends.
    """

    verb: str
    given: tuple[Any, ...] = ()
    options: Mapping[str, Any] = {}
