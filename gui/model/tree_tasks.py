"""What the worker does with a tree, and finds out about the splits of one node and their gains, of which what is only
rounding is 0: plain functions of a state. No Qt in here.

Here as in the other files of tasks every function takes `progress` and leaves its arguments as they are. What needs the
compiler is imported when it is called, so that an empty window does not wait for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import engine
from engine.criteria import impurity
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.options import Search
from gui.model.history import State
from gui.picture.picture_options import PictureOptions
from gui.wording import hand_phrases

if TYPE_CHECKING:  # it brings the compiler
    from engine.learning_theory.extent import Extent

ROUNDING = 1e-12  # the share of an impurity below which a gain is nothing but rounding


def first_state(table: engine.Table, tree: engine.Tree | None = None, picture: PictureOptions | None = None) -> State:
    """A table with its tree, or with a single leaf; its figures are counted."""
    state = State(table, tree if tree is not None else engine.Tree.root(table), picture or PictureOptions())
    state.step("")
    return state


def grown(state: State, options: dict[str, Any], progress: Progress, anew: bool = False, **how: Any) -> State:
    """Grows the tree; `options` are the search options, `how` says where and how far. `anew`: what has grown below the
    node goes first. Stopped: what grew so far."""
    state = state.following(state.tree.collapse(how["node"])) if anew else state
    known = state.assigned()
    tree = engine.grow(state.table, tree=state.tree, assignment=known, progress=progress, **{**options, **how})
    return state if tree.n_nodes == state.tree.n_nodes else state.following(tree)


def gone_on(state: State, options: dict[str, Any], progress: Progress) -> tuple[engine.Pruning, State, State]:
    """Grows while validation rows gain by it: what was tried, the state of the tree with the splits that failed, and
    the best one, which is the state that growing began with where no split helps."""
    sequence = engine.grow_while_improving(state.table, state.tree, progress=progress, **options)
    best = sequence.tree(sequence.chosen)
    after = state if best.n_nodes == state.tree.n_nodes else state.following(best)
    return sequence, after if sequence.chosen == 0 else state.following(sequence.full), after


def said_by(state: State, rule: engine.LeafRule, progress: Progress) -> State:
    """The same tree, whose leaves say what a rule says."""
    return state.following(state.tree.with_leaf_rule(state.table, rule, state.assigned()))


def recounted(state: State, change: Any, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """The tree over `change(table)`, and which of its splits no longer fit: those are leaves now."""
    return counted_on(change(state.table), state.tree, state.picture)


def counted_on(table: engine.Table, tree: engine.Tree, picture: PictureOptions) -> tuple[State, tuple[str, ...]]:
    """A tree counted on a table, and what had to go because it does not fit."""
    tree, problems = engine.recount(tree, table)
    return first_state(table, tree, picture), tuple(problems)


def retargeted(state: State, change: Any, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """A single leaf over `change(table)`: with another target no split is known to be good."""
    return first_state(change(state.table), picture=state.picture), ()


def extent(table: engine.Table, depth: int, options: dict[str, Any], progress: Progress) -> Extent:
    """How many tests and trees of a depth there are."""
    from engine.learning_theory.extent import extent  # late: it brings the compiler

    return extent(table, depth, nominal=options.get("nominal", "groups"))


def all_trees(table: engine.Table, depth: int, options: dict[str, Any], progress: Progress) -> engine.AllTrees:
    """The best of all trees of a depth; of the search options it heeds the least leaf and the ways of levels."""
    heeded = {name: options[name] for name in ("min_leaf", "nominal") if name in options}
    return engine.all_trees(table, depth, progress=progress, **heeded)


def tested(state: State, progress: Progress) -> engine.Fit:
    """How the tree does on the test rows."""
    return engine.assess(state.table, state.tree, "test", assignment=state.assigned())


def candidates(
    state: State, node: int, options: dict[str, Any], progress: Progress,
    found: Callable[[engine.Candidate], object] | None = None,
) -> list[engine.Candidate]:  # fmt: skip
    """The best split of every column at a node, best first; `found` is called with each as soon as it is known."""
    known, unit = state.assigned(), impurity_of(state, node, options)
    cleaned: dict[int, engine.Candidate] = {}

    def clean(candidate: engine.Candidate) -> engine.Candidate:
        if id(candidate) not in cleaned:
            here = replace(candidate, reason=hand_phrases.in_places(candidate.reason, state.tree))
            cleaned[id(candidate)] = without_rounding(here, unit, state.tree.task)
        return cleaned[id(candidate)]

    told = (lambda one: found(clean(one))) if found is not None else None
    how: dict[str, Any] = {"assignment": known, "progress": progress, "found": told}
    return [clean(one) for one in engine.candidates(state.table, state.tree, node, **how, **options)]


def curve(state: State, node: int, column: str, options: dict[str, Any], progress: Progress) -> engine.Curve:
    """The gain of every cut of one column at a node."""
    known = state.assigned()
    found = engine.gain_curve(state.table, state.tree, node, column, assignment=known, **options)
    least = ROUNDING * impurity_of(state, node, options)
    trained, unseen = (np.where(np.abs(g) < least, 0.0, g) for g in (found.gains, found.validation_gains))
    # Makes the sums that every edit of the split looks up: here nobody waits for them.
    if found.levels:
        found.weigh(engine.Split(column, "groups", groups=(found.levels[:1], found.levels[1:])))
    elif found.values.size:
        found.weigh(engine.Split(column, "threshold", (float(found.values[0]),)))
    return summed_up(replace(found, gains=trained, validation_gains=unseen), state.table.task)


def curve_without_limit(
    state: State, node: int, column: str, options: dict[str, Any], progress: Progress
) -> engine.Curve:
    """The curve of a column with the cuts that `min_leaf` forbids; what a split is worth still says that it does."""
    limited = curve(state, node, column, options, progress)
    if int(options.get("min_leaf", 1)) <= 1:
        return limited
    free = curve(state, node, column, {**options, "min_leaf": 1}, progress)
    return summed_up(replace(free, by_value=limited.by_value), state.table.task)


def summed_up(made: engine.Curve, task: str) -> engine.Curve:
    """The curve with the sums that the bars are drawn from: here nobody waits for them."""
    if task == "number":
        made.squares_between(*np.zeros((2, 1), dtype=np.intp))
    _ = made.train_before
    return made


@dataclass(frozen=True, eq=False)
class ReadAs:
    """What a leaf could be split by if its column were read as another kind; nothing is read so yet."""

    kind: str  # of the column
    was: str  # its kind as it is
    found: engine.Candidate
    curve: engine.Curve
    lost: tuple[str, ...]  # the splits elsewhere in the tree that would not fit any more, in words


def read_as(state: State, node: int, column: str, kind: str, options: dict[str, Any], progress: Progress) -> ReadAs:
    """The best split of one column at a leaf, if the column were read as another kind. InputError: a value does not
    fit, or the node is there only because of a split of this column as it is."""
    was = state.table.column(column).kind
    other, lost = recounted(state, lambda table: table.with_kind(column, kind), progress)
    if node not in other.tree:
        raise engine.InputError(tr(
            "“{column}” is {kind} in a split above this node, which would be taken back: read it otherwise at the "
            "root.", column=column, kind=was,
        ))  # fmt: skip
    locked = [name for name in other.table.names if name not in (column, other.table.target)]
    one = {**options, "locked": locked, "m_of_n": False, "lookahead": 1}
    found = next(found for found in candidates(other, node, one, progress) if found.column == column)
    return ReadAs(kind, was, found, curve(other, node, column, options, progress), lost)


def weighed(
    state: State, node: int, split: engine.Split, options: dict[str, Any], progress: Progress
) -> engine.Candidate:
    """What a split made by hand is worth at a node, counted row by row where need be."""
    found = engine.weigh(state.table, state.tree, node, split, state.assigned(), **options)
    return without_rounding(found, impurity_of(state, node, options), state.tree.task)


def climb(state: State, node: int, options: dict[str, Any], progress: Progress) -> engine.Climb | None:
    """The way to the m-of-n split of a node."""
    return engine.m_of_n(state.table, state.tree, node, assignment=state.assigned(), progress=progress, **options)


def best_groups(curve: engine.Curve, nominal: str, progress: Progress) -> engine.Split | None:
    """The best split of levels by one of the ways of `engine.search.choices`."""
    return curve.best_groups(nominal)


def gain_of(state: State, i: int, options: dict[str, Any]) -> float:
    """By how much the split of a node lowers the impurity of the training rows; NaN without any."""
    options, branches = searched_as(state, int(state.tree.ids[i]), options), state.tree.children(i)
    stats = searched_counts(state, options)
    weights = stats.sum(axis=1) if state.tree.task == "classes" else stats[:, 0]
    if not weights[i] > 0:
        return math.nan
    impurity_at = impurities(state, [i, *branches], options)
    whole = impurity_at[i]
    gain = whole - sum(float(weights[k] / weights[i]) * impurity_at[k] for k in branches if weights[k] > 0)
    return gain if gain > ROUNDING * whole else 0.0


def searched_as(state: State, node: int, options: dict[str, Any]) -> dict[str, Any]:
    """The search options with the criterion that a person wrote on a node or above it, if there is one. InputError:
    that criterion does not go with the other options; it names the node that says it."""
    from engine.ranking.node_search import search_as  # late: it brings the compiler
    from engine.tree.marks import SearchWay  # late: it brings the compiler

    own = state.tree.criterion_at(node)
    if not own:
        return options
    search_as(state.tree, Search.make(state.table.task, **options), SearchWay(criterion=own))
    return {**options, "criterion": own}


def searched_counts(state: State, options: dict[str, Any]) -> NDArray[np.float64]:
    """float64[n_nodes, S]: the training statistics, the classes as heavy as a search takes them."""
    search, tree = Search.make(state.table.task, **options), state.tree
    if not search.is_steered:
        return tree.train
    return tree.train * search.leaf_rule.altered_factors(tree.classes, tree.train[0])


def impurities(state: State, places: list[int], options: dict[str, Any]) -> dict[int, float]:
    """The impurity of the training rows of some nodes by the criterion of a search, from the rows where the tree's
    counts do not tell it."""
    search, tree = Search.make(state.table.task, **options), state.tree
    stats = searched_counts(state, options)
    if not (search.by_bins or search.by_rows):
        number = tree.task == "number"
        weights = stats[:, 0] if number else stats.sum(axis=1)
        filled = [k for k in places if weights[k] > 0]
        return {k: float(stats[k, 2] / stats[k, 0]) if number else impurity(search.criterion, stats[k]) for k in filled}
    table = state.table.binned(search.bins) if search.by_bins else state.table
    at, found = state.assigned(), {}
    for k in places:
        rows, share = at.held(k)
        here = table.part[rows] == engine.TRAIN
        weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
        weights = (weights if share is None else weights * share)[here]
        rows = rows[here]
        if weights.sum() > 0 and search.by_bins:
            counts = np.bincount(table.y[rows], weights, minlength=len(table.classes))
            found[k] = impurity(search.criterion, counts)
        elif weights.sum() > 0:  # the weighted mean distance from the weighted median
            y, order = table.y[rows], np.argsort(table.y[rows], kind="stable")
            reached = np.cumsum(weights[order])
            median = y[order[int(np.searchsorted(reached, reached[-1] / 2))]]
            found[k] = float(weights @ np.abs(y - median) / reached[-1])
    return found


def impurity_of(state: State, node: int, options: dict[str, Any]) -> float:
    """What gains at a node are shares of: 1 of classes, the impurity of a numeric target."""
    if state.tree.task == "classes":
        return 1.0
    found = impurities(state, [state.tree.position(node)], searched_as(state, node, options))
    return next(iter(found.values()), 0.0)


def without_rounding(candidate: engine.Candidate, unit: float, task: str) -> engine.Candidate:
    """The candidate with 0 for gains that are only rounding; of numbers the scores, in other units, stay."""

    def clean(gain: float) -> float:
        return 0.0 if abs(gain) < ROUNDING * unit else gain

    gains: dict[str, Any] = {name: clean(getattr(candidate, name)) for name in ("gain", "validation_gain", "ahead")}
    if task != "classes":
        return replace(candidate, **gains)
    return replace(candidate, **gains, scores={name: clean(score) for name, score in candidate.scores.items()})


def split_once(state: State, options: dict[str, Any], progress: Progress) -> State:
    """Splits the one leaf whose best split gains most, weighted by the leaf."""
    said = (options.get(name) for name in ("nominal", "numeric", "missing"))
    if not any(value in ("multiway", "bucket_branches", "branch") for value in said):
        most = state.tree.n_leaves + 1
        return grown(state, options, progress, order="best_first", max_leaves=most, cp=0.0, collapse=False)
    # A split into many branches counts as many leaves, so a limit of leaves cannot say "one split": every leaf is
    # split, and all but the best split are taken back.
    wide = grown(state, options, progress, levels=1, max_leaves=None)
    split = set(state.tree.ids[state.tree.n_branches > 0].tolist())
    made = [int(i) for i in np.flatnonzero(wide.tree.n_branches) if int(wide.tree.ids[i]) not in split]
    if len(made) < 2:
        return wide
    weights = wide.tree.weight("train")
    best = max(made, key=lambda i: weights[i] * gain_of(wide, i, options))
    return state.following(wide.tree.collapse(*(int(wide.tree.ids[i]) for i in made if i != best)))
