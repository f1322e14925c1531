"""What the worker does for edits by hand: plain functions from a state to a state or to an answer. No Qt in here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import engine
from engine.criteria import DEFAULT
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui.model.history import State
from gui.model.tree_tasks import following, recounted
from gui.wording import hand_phrases

if TYPE_CHECKING:
    from engine.splits import Split
    from engine.tree.tree import Tree


def split(state: State, node: int, split: Split, progress: Progress) -> State:
    """Splits a leaf by hand."""
    return following(state, state.tree.split(state.table, node, split, by_hand=True, assignment=state.assigned()))


def split_read_as(
    state: State, node: int, kind: str, split: Split, progress: Progress
) -> tuple[State, tuple[str, ...]]:
    """Reads the column of a split as another kind, and splits a leaf by it; also answers what does not fit any more."""
    after, lost = recounted(state, lambda table: table.with_kind(split.column, kind), progress)
    tree = after.tree.split(after.table, node, split, by_hand=True, assignment=after.assigned())
    return following(after, tree), lost


def collapsed(state: State, node: int, progress: Progress) -> State:
    """Makes a leaf of an inner node."""
    return following(state, state.tree.collapse(node))


def cut_out(state: State, base: State, cut: frozenset[int], node: int, progress: Progress) -> State:
    """The tree of `base` with these nodes as leaves; `base` itself without any.

    Args:
        node: the one that is cut or brought back now.

    Raises:
        InputError: a lock is on it.
    """
    from engine.tree.marks import check_unlocked  # late: it brings the compiler

    check_unlocked(base.tree, node, below=True)
    return following(base, without_branches(base.tree, cut)) if cut else base


def without_branches(tree: Tree, cut: frozenset[int]) -> Tree:
    """The tree with these nodes as leaves, locked or not."""
    from engine.tree.arrays import collapse  # late: it brings the compiler

    return collapse(tree, [tree.position(node) for node in cut])


def cuts_between(full: Tree, part: Tree) -> frozenset[int]:
    """The nodes that are split in one tree and leaves in the other."""
    split = full.ids[full.n_branches > 0]
    return frozenset(np.intersect1d(split, part.ids[part.leaves]).tolist())


def is_cut_out(part: Tree, full: Tree) -> bool:
    """Whether a tree is another one with some nodes as leaves, and as it was otherwise."""
    if part is full:
        return True
    if part.counted_on != full.counted_on or not np.isin(part.ids, full.ids).all():
        return False
    cut = cuts_between(full, part)
    rest = without_branches(full, cut) if cut else full
    fields = ("ids", "n_branches", "kind", "column", "threshold", "missing", "unseen", "payload_size")
    pairs = [(getattr(rest.nodes, name), getattr(part.nodes, name)) for name in fields]
    same = all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in [*pairs, (rest.payload, part.payload)])
    return same and dict(rest.marks) == dict(part.marks)


def alike(one: Tree, other: Tree) -> bool:
    """Whether two trees cut out of the same one are the same, whoever cut them."""
    return one.n_nodes == other.n_nodes and not cuts_between(other, one) and is_cut_out(one, other)


def split_by_column(
    state: State, node: int, column: str, below: str, options: dict[str, Any], progress: Progress
) -> State:
    """Splits a node by the best split of one column.

    Raises:
        InputError: the column has none there, or the search may not use it.
    """
    split = best_of_column(state, node, column, options, progress)
    if state.tree.n_branches[state.tree.position(node)]:
        return replaced(state, node, split, below, options, progress)
    return following(state, state.tree.split(state.table, node, split, assignment=state.assigned()))


def best_of_column(state: State, node: int, column: str, options: dict[str, Any], progress: Progress) -> Split:
    """The best split of one column at a node.

    Raises:
        InputError: there is none, or the search may not use the column.
    """
    refuse_column(state.tree, node, column, options)
    if options.get("lookahead", 1) == 1:  # the other columns have no say
        others = {state.table.columns[place].name for place in state.table.features} - {column}
        options = {**options, "m_of_n": False, "locked": tuple(sorted(others))}
    known = state.assigned()
    found = engine.candidates(state.table, state.tree, node, assignment=known, progress=progress, **options)
    of_column = next((candidate for candidate in found if candidate.column == column), None)
    if of_column is None:
        said = tr("“{column}” is no feature, so nothing can be split by it: give it that role first.", column=column)
        raise InputError(said)
    if of_column.split is None:
        said = tr("“{column}” cannot split this node: {reason}.", column=column, reason=of_column.reason)
        raise InputError(said)
    return of_column.split


def refuse_column(tree: Tree, node: int, column: str, options: dict[str, Any]) -> None:
    """InputError when the search may not use a column at a node."""
    if column in options.get("locked", ()):
        said = tr("“{column}” is locked, so nothing is split by it: unlock the column first.", column=column)
        raise InputError(said)
    above = tree.excluded_at(node).get(column)
    if above is not None:
        where = hand_phrases.place(tree, above)
        raise InputError(
            tr("“{column}” is excluded at and below {node}: include it again there first.", column=column, node=where)
        )


def replaced(state: State, node: int, split: Split, below: str, options: dict[str, Any], progress: Progress) -> State:
    """Another split in the place of an inner node's; `below` says what becomes of the branches."""
    from engine.growing import replace_and_grow  # late: it brings the compiler

    table, at = state.table, state.assigned()
    if below == "regrow":
        tree = replace_and_grow(table, state.tree, node, split, assignment=at, progress=progress, **options)
    else:
        tree = state.tree.replace_split(table, node, split, below, assignment=at)
    return following(state, tree)


def merged(state: State, node: int, other: int, progress: Progress) -> State:
    """Makes one branch of two leaves of a split."""
    return following(state, state.tree.merge(state.table, node, other, assignment=state.assigned()))


def branch_text(branch: Tree, progress: Progress) -> str:
    """A copied branch as JSON, for the clipboard."""
    return engine.tree_to_text(branch)


def pasted(state: State, node: int, branch: Tree | bytes, progress: Progress) -> tuple[State, int]:
    """The splits of a branch below a leaf, and how many of them divided no rows there and were omitted.

    Args:
        branch: a tree, or the JSON text of one.
    """
    copied = branch
    if isinstance(copied, bytes):
        copied = engine.tree_from_text(copied.decode(errors="replace"), tr("What was copied"))
    if copied.n_leaves == 1:
        raise InputError(tr("What was copied is a single leaf, which has no splits: copy a node that is split."))
    tree = state.tree.paste(state.table, node, copied, assignment=state.assigned())
    made = int((tree.n_branches > 0).sum() - (state.tree.n_branches > 0).sum())
    if not made:
        raise InputError(tr("None of the splits that were copied divides the rows of this leaf: paste it elsewhere."))
    return following(state, tree), int((copied.n_branches > 0).sum()) - made


def marked(state: State, node: int, changes: dict[str, Any], progress: Progress) -> State:
    """Writes something on a node."""
    return following(state, state.tree.with_mark(node, table=state.table, assignment=state.assigned(), **changes))


def weakest_pruned(state: State, criterion: str, progress: Progress) -> State:
    """Takes the split back that gives least. The state itself when there is none that may go."""
    try:
        node = state.tree.weakest(criterion)
    except InputError:  # the tree does not hold what this criterion looks at
        node = state.tree.weakest(DEFAULT[state.tree.task])
    return state if node is None else following(state, state.tree.collapse(node))
