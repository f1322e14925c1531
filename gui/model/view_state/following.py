"""Following rows: the way of one row, and how many flow through the tree.

What is found stands in `document.look` (`way`, `flow`), where the canvas reads it. The same rows are followed through
whatever tree comes onto the canvas; so the rows of a node can be watched in another tree, after an edit, a pruning or a
step of the history.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from engine.runtime.sentences import tr
from gui.model.host import Host
from gui.model.jobs import tell
from gui.model.view_state import follow_tasks
from gui.model.view_state.follow_tasks import Chosen, Flow
from gui.model.view_state.last_test import LastTest
from gui.model.view_state.several import Several
from gui.model.view_state.view_options import Look
from gui.picture.emphasis import Way
from gui.wording import hand_phrases, words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

ROW, ROWS, CHOOSING = "row_followed", "rows_followed", "rows_chosen"  # keys of jobs


class Following(QObject):
    """Which rows are followed. Everything is found out by the worker.

    Attributes:
        row: the number of the row that is followed, from 0; −1 for none.
        chosen: the rows whose flow is shown; None for none.
    """

    def __init__(self, document: Host, look: Look, several: Several, last_test: LastTest) -> None:
        super().__init__()
        self._document, self._look, self._several, self._last_test = document, look, several, last_test
        self.row = -1
        self.chosen: Chosen | None = None
        document.tableChanged.connect(self.end)
        document.treeChanged.connect(self._on_tree_changed)

    @property
    def on(self) -> bool:
        """Whether anything is followed."""
        return self.row >= 0 or self.chosen is not None

    # -- one row

    def follow_row(self, row: int) -> None:
        """Lights the way of a row, and selects its leaf."""
        state = self._document.state
        if state is None or not 0 <= row < state.table.n_rows:
            return
        self.row = row
        self._find_way(select=True)

    def end_row(self) -> None:
        """Follows no single row any more."""
        self.row = -1
        self._document.jobs.drop(ROW)
        self._look.set(way=None)

    def _find_way(self, select: bool = False) -> None:
        state = self._document.state

        def done(found: Way) -> None:
            if self._document.state is not state:
                return
            if select:
                self._several.alone(found.nodes[-1])
            self._look.set(way=found)

        self._run(tr("Following a row"), follow_tasks.way, self.row, done=done, key=ROW)

    # -- many rows

    def follow_where(self, condition: str, failed: Callable[[Exception], None] = tell) -> None:
        """Follows the rows for which a condition holds; an empty one ends it."""
        if condition.strip():
            self._choose(follow_tasks.chosen_where, condition, failed=failed)
        else:
            self.end_rows()

    def follow_nodes(self, nodes: tuple[int, ...]) -> None:
        """Follows the rows that stand in some nodes now."""
        tree = self._document.tree
        if tree is None:
            return
        one, n = hand_phrases.place(tree, nodes[0]), words.count(len(nodes))
        where = tr("rows of {node}", node=one) if len(nodes) == 1 else tr("rows of {n} nodes", n=n)
        self._choose(follow_tasks.chosen_at, nodes, where)

    def follow_wrong(self) -> None:
        """Follows the rows that the tree labels wrongly, or is furthest from; test rows once they were looked at."""
        self._choose(follow_tasks.chosen_wrong, self._last_test.seen)

    def end_rows(self) -> None:
        """Shows no flow any more."""
        self.chosen = None
        for key in (CHOOSING, ROWS):
            self._document.jobs.drop(key)
        self._look.set(flow=None)

    def _choose(self, task: Callable[..., Chosen], *args: Any, failed: Callable[[Exception], None] = tell) -> None:
        table = self._document.table

        def done(found: Chosen) -> None:
            if self._document.table is table:
                self.chosen = found
                self._find_flow()

        self._run(tr("Choosing rows"), task, *args, done=done, key=CHOOSING, failed=failed)

    def _find_flow(self) -> None:
        state = self._document.state

        def done(found: Flow) -> None:
            if self._document.state is state:
                self._look.set(flow=found)

        self._run(tr("Following rows"), follow_tasks.flow, self.chosen, done=done, key=ROWS)

    # -- both

    def step_back(self) -> None:
        """Ends what was followed last: the one row, then the many."""
        if self.row >= 0:
            self.end_row()
        else:
            self.end_rows()

    def end(self) -> None:
        """Follows nothing any more."""
        self.end_row()
        self.end_rows()

    def _run(self, text: str, task: Callable[..., Any], *args: Any, **how: Any) -> None:
        if self._document.state is not None:
            self._document.jobs.run(text, task, self._document.state, *args, quiet=True, **how)

    def _on_tree_changed(self, before: Tree | None, after: Tree | None) -> None:
        self._look.set(way=None, flow=None)
        if self._document.state is None:
            return
        if self.row >= 0:
            self._find_way()
        if self.chosen is not None:
            self._find_flow()
