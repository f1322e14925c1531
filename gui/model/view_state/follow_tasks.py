"""What the worker does to follow rows through a tree: which rows are meant, and which way they go. No Qt in here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.words import exact_date, value_words
from gui.model.history import State
from gui.picture.emphasis import Way

if TYPE_CHECKING:
    from engine.splits import Literal, Split
    from engine.table.column import Column
    from engine.table.table import Table
    from engine.tree.tree import Tree

FURTHEST = 0.1  # of the rows: those whose number is furthest from what the tree says


@dataclass(frozen=True, eq=False)
class Chosen:
    """Some rows of a table.

    Attributes:
        words: which they are.
        rows: uint32[n], ascending.
    by_error: whether they were chosen by what the tree says of them; then their number says most.
    """

    words: str
    rows: NDArray[np.uint32]
    by_error: bool = False


@dataclass(frozen=True, eq=False)
class Flow:
    """How rows flow through a tree.

    Attributes:
        chosen: which rows.
        tree: that they flow through.
        shares: by part, "train" and "validation": float64[n_nodes], the share of that part's rows in each node that are
            among them; 0 without rows.
        n_rows: how many train, validate, and do neither. n_table: the rows of the table.
        train, validation: float64[S], their statistics; of a numeric target (w, Σwy, nothing).
    """

    chosen: Chosen
    tree: Tree
    shares: dict[str, NDArray[np.float64]]
    n_rows: tuple[int, int, int]
    n_table: int
    train: NDArray[np.float64]
    validation: NDArray[np.float64]


def chosen_where(state: State, condition: str, progress: Progress) -> Chosen:
    """The rows for which a condition holds.

    Raises:
        InputError: it cannot be read.
    """
    from engine.splits.conditions import rows_where  # late: it brings the compiler

    return Chosen(condition.strip(), _numbers(rows_where(state.table, condition)))


def chosen_at(state: State, nodes: tuple[int, ...], words: str, progress: Progress) -> Chosen:
    """The rows that stand in some nodes."""
    at = state.assigned()
    held = np.zeros(state.table.n_rows, dtype=bool)
    for node in nodes:
        held[at.rows_of(state.tree.position(node))] = True
    return Chosen(words, _numbers(held))


def chosen_wrong(state: State, test_too: bool, progress: Progress) -> Chosen:
    """The rows that the tree labels wrongly; of a numeric target the tenth that is furthest from what it says.

    Args:
        test_too: whether test rows are among them; their error is for the last look, and this would tell it.

    Raises:
        InputError: there are none.
    """
    table, tree = state.table, state.tree
    leaf = leaf_of_rows(state)
    known = np.flatnonzero((table.part != engine.UNUSED) & ((table.part != engine.TEST) | test_too))
    without = bool(table.n_test) and not test_too
    if tree.task == "classes":
        wrong = known[tree.labels[leaf[known]] != table.y[known]]
        if not wrong.size:
            raise InputError(tr("No row is labelled wrongly: there is nothing to follow."))
        said = tr("labelled wrongly, no test rows") if without else tr("labelled wrongly")
        return Chosen(said, wrong.astype(np.uint32), by_error=True)
    apart = np.abs(table.y[known] + table.origin - tree.predictions[leaf[known]])
    n = max(1, round(FURTHEST * known.size))
    rows = known[np.argsort(-apart, kind="stable")[:n]]
    said = tr("the tenth furthest from what the tree says")
    if without:
        said = tr("the tenth furthest from what the tree says, no test rows")
    return Chosen(said, np.sort(rows).astype(np.uint32), by_error=True)


def _numbers(held: NDArray[np.bool_]) -> NDArray[np.uint32]:
    return np.flatnonzero(held).astype(np.uint32)


def leaf_of_rows(state: State) -> NDArray[np.int64]:
    """int64[n_rows]: the position of the leaf of every row."""
    from engine.tree.assignment import leaves_of_rows  # late: it brings the compiler

    return leaves_of_rows(state.table, state.tree, state.assigned())


def flow(state: State, chosen: Chosen, progress: Progress) -> Flow:
    """How some rows flow through the tree of a state."""
    from engine.tree.counting import count_slices  # late: it brings the compiler

    table, at = state.table, state.assigned()
    held = np.zeros(table.n_rows, dtype=bool)
    held[chosen.rows] = True
    ordered, part = held[at.rows], table.part[at.rows]
    shares = {}
    for name, wanted in (("train", engine.TRAIN), ("validation", engine.VALIDATION)):
        of_part = part == wanted
        total, mine = _in_nodes(of_part, at.start, at.stop), _in_nodes(of_part & ordered, at.start, at.stop)
        shares[name] = np.divide(mine, total, out=np.zeros(total.size), where=total > 0)
    ends = np.array([0]), np.array([chosen.rows.size])
    train, validation, n_train, n_validation = count_slices(table, chosen.rows, *ends)
    rest = chosen.rows.size - int(n_train[0]) - int(n_validation[0])
    counts = int(n_train[0]), int(n_validation[0]), rest
    return Flow(chosen, state.tree, shares, counts, table.n_rows, train[0], validation[0])


def _in_nodes(held: NDArray[np.bool_], start: NDArray[np.int64], stop: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n_nodes]: how many rows of each slice are held."""
    before = np.concatenate(([0], np.cumsum(held, dtype=np.int64)))
    return np.asarray(before[stop] - before[start])


def way(state: State, row: int, progress: Progress) -> Way:
    """The way of a row through the tree of a state."""
    from engine.splits import branch_of_rows  # late: it brings the compiler

    table, tree, i = state.table, state.tree, 0
    nodes, words = [int(tree.ids[0])], {}
    one = np.array([row], dtype=np.uint32)
    while (split := tree.split_at(i)) is not None:
        i = tree.children(i)[int(branch_of_rows(split, table, one)[0])]
        nodes.append(int(tree.ids[i]))
        words[nodes[-1]] = had_words(table, split, row)
    target = table.target_column
    return Way(row, tuple(nodes), words, value_text(target, row) if target.codes[row] else "")


def had_words(table: Table, split: Split, row: int) -> str:
    """What a row has where a split asks: "age = 42", "2 of 3 hold", "age missing, income = 20"."""
    if split.kind == "m_of_n":
        held = sum(_holds(table, literal, row) for literal in split.literals)
        if len(split.literals) == 1:
            return _has(table.column(split.column), row)
        return tr("{held} of {n} hold", held=held, n=len(split.literals))
    said = [_has(table.column(split.column), row)]
    if table.column(split.column).codes[row] == 0:
        for surrogate in split.surrogates:
            column = table.column(surrogate.split.column)
            if column.codes[row]:
                said.append(_has(column, row))
                break
    return ", ".join(said)


def _holds(table: Table, literal: Literal, row: int) -> bool:
    column = table.column(literal.column)
    if column.codes[row] == 0:
        return False
    value = column.values[int(column.codes[row]) - 1]
    if literal.by_order:
        return bool((float(value) <= float(literal.value)) == (literal.test == "<="))
    return bool((value == literal.value) == (literal.test == "=="))


def _has(column: Column, row: int) -> str:
    if column.codes[row] == 0:
        return tr("{column} missing", column=column.name)
    return f"{column.name} = {value_text(column, row)}"


def value_text(column: Column, row: int) -> str:
    """The value of a row in words; empty where it is missing."""
    code = int(column.codes[row])
    if code == 0:
        return ""
    value = column.values[code - 1]
    if not column.is_numeric:
        return str(value)
    return exact_date(float(value)) if column.kind == "date" else value_words(float(value), column.kind)
