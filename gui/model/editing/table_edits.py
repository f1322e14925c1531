"""What a person does to the table: roles, kinds, orders, partition, target; and another tree from a file onto it.

The tree is counted again after each; splits that no longer fit become leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.table.words import kind_word
from gui import messages
from gui.model.history import State
from gui.model.tasks import file_tasks, tree_tasks
from gui.wording import hand_phrases, phrases

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.document import Document


class TableEdits:
    """The edits of the table of one document.

    Attributes:
        ask_anew: asked before a grown tree goes because something else is predicted. Gets what is about to be done, in
            words, and the tree; answers whether to do it. The window puts its dialog here.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.ask_anew: Callable[[str, Tree], bool] = lambda question, tree: True

    def set_role(self, column: str, role: str) -> None:
        """Makes a column a feature, ignores it, or takes it as weights, partition or groups."""
        shown = self._document.table
        if shown is not None and shown.roles.get(column) != role:
            text = f"Set role of “{column}” to {role}"
            self._change(text, tree_tasks.recounted, lambda table: table.with_roles({column: role}))

    def set_kind(self, column: str, kind: str) -> None:
        """Reads a column as another kind. Of a target only categories with and without an order are the same classes;
        any other change may make other ones, or numbers: a new tree starts."""
        shown = self._document.table
        if shown is not None and (before := shown.column(column).kind) != kind:
            text = f"Set type of “{column}” to {kind_word(kind)}"
            starts = shown.target == column and {before, kind} != {"nominal", "ordered"}
            if starts and not self._may_begin_anew(f"Set the type of the target “{column}” to {kind_word(kind)}?"):
                return
            function = tree_tasks.retargeted if starts else tree_tasks.recounted
            self._change(text, function, lambda table: table.with_kind(column, kind))

    def set_order(self, column: str, levels: Sequence[str]) -> None:
        """Puts the levels of a column into an order, and makes it an ordered one if it is not yet."""
        shown = self._document.table
        if shown is None or column not in shown.names:
            return
        before = shown.column(column)
        if (before.kind, before.levels) != ("ordered", tuple(levels)):
            self._change(
                f"Set order of “{column}”",
                tree_tasks.recounted,
                lambda table: table.with_kind(column, "ordered").with_order(column, levels),
            )

    def set_partition(self, **how: Any) -> None:
        """Divides the rows anew: `validation`, `test` and `seed`, or `column`."""
        tree = self._document.tree
        grown = tree is not None and tree.n_leaves > 1
        remark = phrases.CHOSEN_ON_OTHER_ROWS if grown else ""
        self._change(
            phrases.partition(how), tree_tasks.recounted, lambda table: table.with_partition(**how), remark=remark
        )

    def set_target(self, column: str) -> None:
        """Predicts another column; the tree begins anew."""
        shown = self._document.table
        if shown is not None and shown.target != column and self._may_begin_anew(f"Make “{column}” the target?"):
            self._change(f"Set target to “{column}”", tree_tasks.retargeted, lambda table: table.with_target(column))

    def _may_begin_anew(self, question: str) -> bool:
        """Whether the tree may go: it is a single leaf that nothing grows from, or a person agrees."""
        document = self._document
        tree, beginning = document.tree, document.beginning
        if tree is None or (tree.n_leaves == 1 and not document.editing):
            return True
        return self.ask_anew(question, tree) and document.beginning is beginning

    def open_tree(self, path: str | Path) -> None:
        """Puts a tree from a JSON file onto the present table, as an undo step."""
        path = Path(path)
        if self._document.table is None:
            messages.error(f"“{path.name}” is a tree: open the table first that it is to be counted on.")
        else:
            self._change(f"Open tree “{path.name}”", file_tasks.read_tree, path)

    def _change(self, text: str, function: Any, *args: Any, remark: str = "") -> None:
        """An edit that answers a state, what did not fit any more, and maybe what else there is to say; `remark` is
        said after the step, too."""
        lost: list[str] = []
        more: list[str] = []

        def unpack(answer: tuple[Any, ...]) -> State:
            state, lost[:], *more[:] = answer
            return state

        def then(before: Tree, after: Tree) -> None:
            for sentence in (hand_phrases.in_places(phrases.taken_back(lost), before), *more, remark):
                if sentence:
                    messages.of_step(sentence)

        edits = self._document.edits
        edits.enqueue(lambda state: edits.run(text, function, *args, unpack=unpack, then=then))
