"""What a person does to the tree without naming a split: grows it, changes what its leaves say, takes another tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gui import messages
from gui.model.editing.edits import is_leaf
from gui.model.history import State
from gui.model.search import searching
from gui.model.tasks import tree_tasks
from gui.wording import hand_phrases, phrases, split_names

if TYPE_CHECKING:
    from engine.tree.leaves import LeafRule
    from engine.tree.tree import Tree
    from gui.model.document import Document


class TreeEdits:
    """The edits of the tree of one document, as far as `HandEdits` does not make them, or pruning (`Cutback`)."""

    def __init__(self, document: Document) -> None:
        self._document = document

    # -- growing

    def split_best_anywhere(self) -> None:
        """Splits the leaf whose best split gains most over the whole tree."""
        self._split_anywhere(None)

    def _split_anywhere(self, search: dict[str, Any] | None) -> None:
        then = self._document.go_into
        self._grow(
            "Splitting the best leaf", split_names.anywhere, then=then, function=tree_tasks.split_once, search=search
        )

    def split_best_here(self) -> None:
        """Splits the selected leaf by the best of all splits."""
        document = self._document
        tree, node = document.tree, document.selected
        if tree is None or not is_leaf(tree, node):
            return
        if self._keeps_pinned(node):
            return
        refusal = document.why_no_split()
        if refusal:
            messages.error(refusal)
            return
        self._grow("Splitting", split_names.here, then=document.go_into, node=node, levels=1)

    def grow_level(self) -> None:
        """Splits every leaf once."""
        self._grow("Growing a level", phrases.level, levels=1)

    def grow_branch(self, node: int) -> None:
        """Grows everything below a node."""
        tree = self._document.tree
        if tree is None:
            return
        locked = tree.locked_by(node) if node in tree else None
        if locked is not None:
            messages.error(phrases.nothing_grows_below(hand_phrases.place(tree, locked)))
        elif not self._keeps_pinned(node):
            self._grow("Growing a branch", phrases.branch(node), node=node)

    def _keeps_pinned(self, node: int) -> bool:
        """Whether a node is a pinned leaf, which nothing grows from; then that is said, with the remedy."""
        tree = self._document.tree
        pinned = tree is not None and is_leaf(tree, node) and tree.mark(node).pinned
        if pinned:
            messages.info(phrases.PINNED_LEAF)
        return pinned

    def grow_with(
        self, search: dict[str, Any], node: int = 0, steps: str = "all", *, anew: bool = False, keep: bool = False
    ) -> None:
        """Grows everything below a node by other search options than those that are set.

        Args:
            steps: "all"; "level", every leaf is split once; "split", the leaf whose best split gains most.
            anew: what has grown there goes first.
            keep: sets the options, too.
        """
        # The target may be another one than it was when it was asked.
        refusal = searching.refusal_of(search, self._document.table)
        if refusal:
            messages.error(phrases.plain(refusal))
            return
        if keep:
            self._document.take_search(search)
        if not anew and self._keeps_pinned(node):
            return
        if steps == "split":
            self._split_anywhere(search)
        elif steps == "level":
            self._grow("Growing a level", phrases.level, search=search, levels=1)
        else:
            function = tree_tasks.grown_anew if anew else tree_tasks.grown
            self._grow("Growing", phrases.branch(node), function=function, search=search, node=node)

    def grow_all(self) -> None:
        """Grows the whole tree as far as the search options allow."""
        self._grow("Growing", phrases.grown)

    def go(self) -> None:
        """Grows on while validation rows gain by it, and shows what was tried in the chart; without validation rows it
        grows the whole tree."""

        def begin(state: State) -> None:
            if state.table.n_validation == 0:
                self.grow_all()
                return
            self._document.edits.run(
                "Growing while validation improves", tree_tasks.gone_on, self._document.search,
                naming=phrases.went, unpack=take, by_validation=True, partly=True,
            )  # fmt: skip

        def take(went: tree_tasks.Went) -> State | None:
            self._document.cutback.take(went.sequence, went.tried, went.after)
            messages.info(phrases.stopped_early(went.sequence))
            return None if went.after is self._document.state else went.after

        self._document.edits.enqueue(begin)

    def _grow(
        self, text: str, naming: Any, then: Any = None, function: Any = None, search: Any = None, **how: Any
    ) -> None:
        def begin(state: State) -> None:
            if how.get("node", 0) not in state.tree:
                return
            options = self._document.search if search is None else search
            self._document.edits.run(
                text, function or tree_tasks.grown, options, naming=naming, then=then, partly=True, **how
            )

        self._document.edits.enqueue(begin)

    # -- leaves, and other trees

    def say_by(self, rule: LeafRule) -> None:
        """Makes the leaves of the tree say what a rule says: a step of its own, if that is new."""

        def begin(state: State) -> None:
            task = state.table.task
            before = searching.rule_of(searching.with_rule({}, state.tree.leaf_rule, task), task)
            if rule != before:
                self._document.edits.run(phrases.leaves_say(before, rule), tree_tasks.said_by, rule)

        self._document.edits.enqueue(begin)

    def take_tree(self, tree: Tree, text: str) -> None:
        """Puts another tree over the present table onto the canvas, chosen with its validation error in sight."""

        def begin(state: State) -> None:
            if tree.counted_on == state.table.counts_key:
                self._document.edits.run(text, tree_tasks.taken, tree, by_validation=True)
            else:
                messages.warning("The table has changed meanwhile: that tree was counted on other rows or columns.")

        self._document.edits.enqueue(begin)
