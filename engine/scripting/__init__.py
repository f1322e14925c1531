"""A script that makes a tree again. Here is what its steps are; what writes it brings the compiler."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class ScriptStep(NamedTuple):
    """One thing that was done to a tree.

    Attributes:
        verb: "grow"; "prune"; "grow_while_improving"; "read_tree", which takes a tree from a file in the place of what
            there is; or the name of an edit of `engine.Tree`: "split", "collapse", "replace_split", "merge", "paste",
            "replace_with_branch", "with_mark", "with_leaf_rule".
        given: its arguments in their order, without the table; of "paste" the leaf, and the node of the same tree whose
            branch is copied there.
        options: those that have names; of the verbs that make a `Pruning` there is "step", too, the index of the tree
            that was taken, None for the recommended one.
    """

    verb: str
    given: tuple[Any, ...] = ()
    options: Mapping[str, Any] = {}

    def renumbered(self, by: int) -> "ScriptStep":
        """The same step on a tree in which the ids of all nodes but the root are less by this number."""
        if not by:
            return self
        given = tuple(one - by if isinstance(one, int) and one > 0 else one for one in self.given)
        node = self.options.get("node", 0)
        return self._replace(given=given, options={**self.options, "node": node - by} if node else self.options)
