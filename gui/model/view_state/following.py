"""Following rows: the way of one row, and how many flow through the tree. What is found stands in `document.look` (as
`way` and `flow`), where the canvas reads it. The same rows are followed through whatever tree comes onto the canvas,
after an edit, a pruning or a step of the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.words import exact_date, value_words
from gui import messages
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import tell
from gui.model.view_state.look import Chosen, Flow
from gui.model.view_state.several import Several
from gui.picture.emphasis import Way
from gui.wording import hand_phrases, words

ROW, ROWS, CHOOSING = "row_followed", "rows_followed", "rows_chosen"  # keys of jobs
FURTHEST = 0.1  # of the rows: those whose number is furthest from what the tree says


class Following(QObject):
    """Which rows are followed. Everything is found out by the worker."""

    def __init__(self, document: Host, several: Several) -> None:
        super().__init__(document)
        self._document, self._look, self._several = document, document.look, several
        self.row = -1  # the number of the row that is followed, from 0; −1 for none
        self.values: Mapping[str, float | str | None] | None = None  # those of a row that is in no table; None for none
        self.chosen: Chosen | None = None  # the rows whose flow is shown; None for none
        document.tableChanged.connect(self.end)
        document.treeChanged.connect(self._on_tree_changed)

    @property
    def on(self) -> bool:
        """Whether anything is followed."""
        return self._one or self.chosen is not None

    @property
    def _one(self) -> bool:
        """Whether a single row is followed."""
        return self.row >= 0 or self.values is not None

    def follow_row(self, row: int) -> None:
        """Lights the way of a row, and selects its leaf."""
        table = self._document.table
        if table is None or not 0 <= row < table.n_rows:
            return
        if table.sealed[row] and not self._document.test_opened:
            messages.warning(tr("Row {row} is kept for the test: follow another one.", row=words.count(row + 1)))
        else:
            self.row, self.values = row, None
            self._find_way(select=True)

    def follow_values(self, values: Mapping[str, float | str | None]) -> None:
        """Lights the way of a row that has these values, and stands in no table."""
        self.row, self.values = -1, dict(values)
        self._find_way()

    def end_row(self) -> None:
        """Follows no single row any more."""
        self.row, self.values = -1, None
        self._document.jobs.drop(ROW)
        self._look.set(way=None)

    def _find_way(self, select: bool = False) -> None:
        def done(found: Way) -> None:
            if select:
                self._several.alone(found.nodes[-1])
            self._look.set(way=found)

        if self.values is not None:
            self._run(tr("Following a row"), way_of_values, self.values, done=done, key=ROW)
        else:
            self._run(tr("Following a row"), way, self.row, done=done, key=ROW)

    def follow_where(self, condition: str, failed: Callable[[Exception], None] = tell) -> None:
        """Follows the rows for which a condition holds; an empty one ends it."""
        if condition.strip():
            self._choose(chosen_where, condition, self._document.test_opened, failed=failed)
        else:
            self.end_rows()

    def follow_nodes(self, nodes: tuple[int, ...]) -> None:
        """Follows the rows that stand in some nodes now."""
        if (tree := self._document.tree) is not None:
            one, n = hand_phrases.place(tree, nodes[0]), words.count(len(nodes))
            where = tr("rows of {node}", node=one) if len(nodes) == 1 else tr("rows of {n} nodes", n=n)
            self._choose(chosen_at, nodes, where, self._document.test_opened)

    def follow_wrong(self) -> None:
        """Follows the rows that the tree labels wrongly, or is furthest from; test rows once they were looked at."""
        self._choose(chosen_wrong, self._document.test_opened)

    def follow_moved(self, other: State, first: int, second: int, part: int) -> None:
        """Follows the rows of a part that stand in one leaf of this tree and in one of another over the same table."""
        self._choose(chosen_in_both, other, first, second, part, self._document.test_opened)

    def follow_cell(self, part: str, true: str, predicted: str, node: int = 0) -> None:
        """Follows the rows of a part, below a node, that are of one class and predicted as another, or as the same."""
        if part != "test" or self._document.test_opened:
            self._choose(chosen_of_cell, part, true, predicted, node)

    def end_rows(self) -> None:
        """Shows no flow any more."""
        self.chosen = None
        self._document.jobs.drop(CHOOSING)
        self._document.jobs.drop(ROWS)
        self._look.set(flow=None)

    def _choose(self, task: Callable[..., Chosen], *args: Any, failed: Callable[[Exception], None] = tell) -> None:
        def done(found: Chosen) -> None:
            self.chosen = found
            self._find_flow()

        self._run(tr("Choosing rows"), task, *args, done=done, key=CHOOSING, failed=failed, by_table=True)

    def _find_flow(self) -> None:
        self._run(tr("Following rows"), flow, self.chosen, done=lambda found: self._look.set(flow=found), key=ROWS)

    def step_back(self) -> None:
        """Ends what was followed last: the one row, then the many."""
        (self.end_row if self._one else self.end_rows)()

    def end(self) -> None:
        """Follows nothing any more."""
        self.end_row()
        self.end_rows()

    def _run(
        self, text: str, task: Callable[..., Any], *args: Any, done: Callable[[Any], None], by_table: bool = False,
        **how: Any,
    ) -> None:  # fmt: skip
        """Asks the worker; its answer counts as long as the state is the same, or, `by_table`, only the table."""
        document, before = self._document, self._document.state

        def arrived(found: Any) -> None:
            if document.state is before or (by_table and before is not None and document.table is before.table):
                done(found)

        if before is not None:
            document.jobs.run(text, task, before, *args, quiet=True, done=arrived, **how)

    def _on_tree_changed(self, before: engine.Tree | None, after: engine.Tree | None) -> None:
        self._look.set(way=None, flow=None)
        if self._one:
            self._find_way()
        if self.chosen is not None:
            self._find_flow()


# -- in the worker, without Qt


def chosen_where(state: State, condition: str, test_too: bool, progress: Progress) -> Chosen:
    """The rows for which a condition holds. InputError: it cannot be read. `test_too`: with test rows, which are kept
    back until they were looked at."""
    rows = np.flatnonzero(engine.rows_where(state.table, condition))
    return Chosen(condition.strip(), _to_be_seen(state.table, rows, test_too))


def _to_be_seen(table: engine.Table, rows: NDArray[Any], test_too: bool) -> NDArray[np.uint32]:
    return (rows if test_too else rows[~table.sealed[rows]]).astype(np.uint32)


def chosen_at(state: State, nodes: tuple[int, ...], words: str, test_too: bool, progress: Progress) -> Chosen:
    """The rows that stand in some nodes."""
    rows = [state.assigned().rows_of(state.tree.position(node)) for node in nodes]
    return Chosen(words, _to_be_seen(state.table, np.unique(np.concatenate(rows)), test_too))


def chosen_in_both(
    state: State, other: State, first: int, second: int, part: int, test_too: bool, progress: Progress
) -> Chosen:  # fmt: skip
    """The rows of a part that stand in the leaf `first`, and in the leaf `second` of another tree."""
    here, there = (one.assigned().rows_of(one.tree.position(leaf)) for one, leaf in ((state, first), (other, second)))
    rows = np.intersect1d(here, there)
    words = tr("rows of #{first}, in the other tree of #{second}", first=first, second=second)
    return Chosen(words, _to_be_seen(state.table, rows[state.table.part[rows] == part], test_too))


def chosen_wrong(state: State, test_too: bool, progress: Progress) -> Chosen:
    """The rows that the tree labels wrongly; of a numeric target the tenth that is furthest from what it says.
    InputError: none. `test_too`: see `chosen_where`."""
    table, tree, predicted = state.table, state.tree, predicted_of_rows(state)
    known = _to_be_seen(table, np.flatnonzero(table.part != engine.UNUSED), test_too)
    without = bool(table.n_test) and not test_too
    if tree.task == "classes":
        wrong = known[predicted[known] != table.y[known]]
        if not wrong.size:
            raise InputError(tr("No row is labelled wrongly: there is nothing to follow."))
        said = tr("labelled wrongly, no test rows") if without else tr("labelled wrongly")
        return Chosen(said, wrong, by_error=True)
    apart = np.abs(table.y[known] + table.origin - predicted[known])
    rows = known[np.argsort(-apart, kind="stable")[: max(1, round(FURTHEST * known.size))]]
    said = tr("the tenth furthest from what the tree says")
    said = tr("the tenth furthest from what the tree says, no test rows") if without else said
    return Chosen(said, np.sort(rows).astype(np.uint32), by_error=True)


def chosen_of_cell(
    state: State, part: str, true: str, predicted: str, node: int, progress: Progress
) -> Chosen:  # fmt: skip
    """The rows of a part, below a node, of one class that are predicted as another, or as the same."""
    from engine.assessment.leaf_counts import PARTS  # late: it brings the compiler

    table, tree, leaf, top = state.table, state.tree, leaf_of_rows(state), state.tree.position(node)
    held = (table.part == PARTS[part]) & (leaf >= top) & (leaf < tree.end[top])
    held &= (table.y == table.classes.index(true)) & (tree.labels[leaf] == tree.classes.index(predicted))
    said = {"true": true, "predicted": predicted}
    words = {
        "train": tr("training rows of {true}, predicted {predicted}", **said),
        "validation": tr("validation rows of {true}, predicted {predicted}", **said),
        "test": tr("test rows of {true}, predicted {predicted}", **said),
    }[part]
    return Chosen(words, np.flatnonzero(held).astype(np.uint32), by_error=true != predicted)


def leaf_of_rows(state: State) -> NDArray[np.int64]:
    """int64[n_rows]: the position of the leaf of every row."""
    from engine.tree.assignment import leaves_of_rows  # late: it brings the compiler

    return leaves_of_rows(state.table, state.tree, state.assigned())


def predicted_of_rows(state: State) -> NDArray[Any]:
    """[n_rows]: the class that the tree predicts of every row, by its number, or the number."""
    tree, classes = state.tree, state.tree.task == "classes"
    if not tree.divides_rows:
        return (tree.labels if classes else tree.predictions)[leaf_of_rows(state)]
    from engine.tree import divided_rows  # late: it brings the compiler

    at, n = state.assigned(), state.table.n_rows
    return divided_rows.labels(tree, at, n) if classes else divided_rows.means(tree, at, tree.predictions, n)


def flow(state: State, chosen: Chosen, progress: Progress) -> Flow:
    """How some rows flow through the tree of a state."""
    from engine.tree.counting import count_slices  # late: it brings the compiler

    table, at = state.table, state.assigned()
    held = np.zeros(table.n_rows, dtype=bool)
    held[chosen.rows] = True
    ordered, part = held[at.rows], table.part[at.rows]
    shares = {}
    for name, wanted in (("train", engine.TRAIN), ("validation", engine.VALIDATION)):
        counted = (np.concatenate(([0], np.cumsum(held))) for held in (part == wanted, (part == wanted) & ordered))
        total, mine = (before[at.stop] - before[at.start] for before in counted)
        shares[name] = np.divide(mine, total, out=np.zeros(total.size), where=total > 0)
    n = chosen.rows.size
    train, validation, n_train, n_validation = count_slices(table, chosen.rows, np.array([0]), np.array([n]))
    counts = int(n_train[0]), int(n_validation[0]), n - int(n_train[0]) - int(n_validation[0])
    return Flow(chosen, state.tree, shares, counts, table.n_rows, train[0], validation[0])


def way(state: State, row: int, progress: Progress) -> Way:
    """The way of a row through the tree of a state."""
    return _way(state.table, state.tree, row, row, value_text(state.table.target_column, row))


def way_of_values(state: State, values: Mapping[str, float | str | None], progress: Progress) -> Way:
    """The way of a row that has these values, whose number is −1."""
    return _way(engine.table_of_values(state.tree, values), state.tree, 0, -1, "")


def _way(table: engine.Table, tree: engine.Tree, row: int, number: int, target: str) -> Way:
    nodes, parts, had = engine.way_down(table, tree, row), engine.row_parts(table, tree, row), {}
    for node, part in parts.items():
        above = int(tree.parent[tree.position(node)])
        split = tree.split_at(above) if above >= 0 else None
        if split is not None:
            had[node] = had_words(table, split, row) + (f" · {words.rate(part)}" if part < 1.0 else "")
    return Way(number, nodes, had, target, parts)


def had_words(table: engine.Table, split: engine.Split, row: int) -> str:
    """What a row has where a split asks: "age = 42", "2 of 3 hold", "age missing, income = 20"."""
    if split.kind == "m_of_n":
        held = sum(_holds(table, literal, row) for literal in split.literals)
        if len(split.literals) == 1:
            return _has(table.column(split.column), row)
        return tr("{held} of {n} hold", held=held, n=len(split.literals))
    asked = [table.column(split.column)]
    if asked[0].codes[row] == 0:
        instead = (table.column(surrogate.split.column) for surrogate in split.surrogates)
        asked += [column for column in instead if column.codes[row]][:1]
    return ", ".join(_has(column, row) for column in asked)


def _holds(table: engine.Table, literal: engine.Literal, row: int) -> bool:
    column = table.column(literal.column)
    if column.codes[row] == 0:
        return False
    value = column.values[int(column.codes[row]) - 1]
    if literal.by_order:
        return bool((float(value) <= float(literal.value)) == (literal.test == "<="))
    return bool((value == literal.value) == (literal.test == "=="))


def _has(column: engine.Column, row: int) -> str:
    known = column.codes[row] > 0
    return f"{column.name} = {value_text(column, row)}" if known else tr("{column} missing", column=column.name)


def value_text(column: engine.Column, row: int) -> str:
    """The value of a row in words; empty where it is missing."""
    if not (code := int(column.codes[row])):
        return ""
    value = column.values[code - 1]
    if not column.is_numeric:
        return str(value)
    return exact_date(float(value)) if column.kind == "date" else value_words(float(value), column.kind)
