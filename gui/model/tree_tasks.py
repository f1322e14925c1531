"""What the worker does with a whole tree: plain functions from a state to a state or to an answer. No Qt in here.

Here as in the other files of tasks every function takes `progress` and leaves its arguments as they are. Those rooms of
the engine that need the compiler are imported when they are called, so that an empty window does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.runtime.progress import Progress
from gui.model.history import State
from gui.picture.picture_options import PictureOptions

if TYPE_CHECKING:
    from engine.assessment import Fit
    from engine.pruning.result import Pruning
    from engine.table.table import Table
    from engine.theory.all_trees import AllTrees
    from engine.theory.extent import Extent
    from engine.tree.leaves import LeafRule
    from engine.tree.tree import Tree


# -- another tree, or the same on another table


def first_state(table: Table, tree: Tree | None = None, picture: PictureOptions | None = None) -> State:
    """A table with its tree, or with a single leaf; its figures are counted."""
    state = State(table, tree if tree is not None else engine.Tree.root(table), picture=picture)
    state.figures()
    return state


def grown(state: State, options: dict[str, Any], progress: Progress, **how: Any) -> State:
    """Grows the tree; `options` are the search options, `how` says where and how far. Stopped: what grew so far."""
    known = state.assigned()
    tree = engine.grow(state.table, tree=state.tree, assignment=known, progress=progress, **{**options, **how})
    return state if tree.n_nodes == state.tree.n_nodes else following(state, tree)


def grown_anew(state: State, options: dict[str, Any], progress: Progress, node: int = 0) -> State:
    """Takes back what has grown below a node, and grows it again."""
    return grown(following(state, state.tree.collapse(node)), options, progress, node=node)


class Went(NamedTuple):
    """How growing went while validation rows gained by it.

    Attributes:
        sequence: what was tried, and what of it is best.
        tried: the tree with the splits that failed.
        after: the best one; the state that growing began with where no split helps.
    """

    sequence: Pruning
    tried: State
    after: State


def gone_on(state: State, options: dict[str, Any], progress: Progress) -> Went:
    """Grows while validation rows gain by it."""
    sequence = engine.grow_while_improving(state.table, state.tree, progress=progress, **options)
    best = sequence.tree(sequence.chosen)
    after = state if best.n_nodes == state.tree.n_nodes else following(state, best)
    tried = after if sequence.chosen == 0 else following(state, sequence.full)
    return Went(sequence, tried, after)


def said_by(state: State, rule: LeafRule, progress: Progress) -> State:
    """The same tree, whose leaves say what a rule says."""
    return following(state, state.tree.with_leaf_rule(state.table, rule, state.assigned()))


def following(state: State, tree: Tree) -> State:
    """The state of another tree over the same table, ready for the screen.

    Where its rows stand is not found out yet: at a million rows that takes as long as growing some levels, and the
    person who pressed Stop waits for the tree. Whoever needs it next asks the state, in the worker, too.
    """
    after = State(state.table, tree, picture=state.picture)
    after.figures()
    return after


def taken(state: State, tree: Tree, progress: Progress) -> State:
    """Puts a tree over the same table in the place of the present one."""
    return following(state, tree)


def recounted(state: State, change: Any, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """The tree over `change(table)`, and which of its splits no longer fit: those are leaves now."""
    table = change(state.table)
    return counted_on(table, state.tree, state.picture)


def counted_on(table: Table, tree: Tree, picture: PictureOptions) -> tuple[State, tuple[str, ...]]:
    """A tree counted on a table, and what had to go because it does not fit."""
    tree, problems = engine.recount(tree, table)
    return first_state(table, tree, picture), tuple(problems)


def retargeted(state: State, change: Any, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """A single leaf over `change(table)`: with another target no split is known to be good."""
    return first_state(change(state.table), picture=state.picture), ()


# -- what is asked about a tree or a table


def extent(table: Table, depth: int, options: dict[str, Any], progress: Progress) -> Extent:
    """How many tests and trees of a depth there are."""
    from engine.theory.extent import extent  # late: it brings the compiler

    return extent(table, depth, nominal=options.get("nominal", "groups"))


def all_trees(table: Table, depth: int, options: dict[str, Any], progress: Progress) -> AllTrees:
    """The best of all trees of a depth; of the search options it heeds the least leaf and the ways of levels."""
    heeded = {name: options[name] for name in ("min_leaf", "nominal") if name in options}
    return engine.all_trees(table, depth, progress=progress, **heeded)


def assignment(state: State, progress: Progress) -> None:
    """Finds out which rows stand in which node; the state keeps it."""
    state.assigned()


def tested(state: State, progress: Progress) -> Fit:
    """How the tree does on the test rows."""
    return engine.assess(state.table, state.tree, "test", assignment=state.assigned())
