"""What the worker does: plain functions from a state to a state or to an answer. No Qt in here.

Every function takes `progress`, imports the engine's rooms when it is called, and leaves its arguments as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.criteria import BINNED, impurity
from engine.progress import Progress
from gui import searching
from gui.dialogs.import_choice import ImportChoice, propose_shares
from gui.history import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.all_trees import AllTrees, Extent
    from engine.assessment import Fit
    from engine.candidates import Candidate, Curve
    from engine.leaves import LeafRule
    from engine.m_of_n import Climb
    from engine.pruning import Pruning
    from engine.readers import Preview
    from engine.splits import Split
    from engine.table import Table
    from engine.tree import Tree


ROUNDING = 1e-12  # the share of an impurity below which a gain is nothing but rounding

# -- states


def first_state(table: Table, tree: Tree | None = None) -> State:
    """A table with its tree, or with a single leaf; its figures are counted."""
    import engine

    state = State(table, tree if tree is not None else engine.Tree.root(table))
    state.figures()
    return state


def look(path: Path, progress: Progress) -> Preview:
    """A first look at a file."""
    import engine

    progress.report(0.0, "Reading the first rows")
    return engine.inspect(path)


@dataclass(frozen=True)
class Opened:
    """A state to start with, and the class to look at first (None: the usual one)."""

    state: State
    focus: int | None = None


def opened(path: Path, options: dict[str, Any], progress: Progress) -> Opened:
    """Reads a table without asking: the target is guessed unless it is named, rows are held out as proposed."""
    import engine

    chosen = dict(options)
    if chosen.get("target") is None:
        chosen["target"] = engine.inspect(path).target
    table = engine.read_table(path, **chosen, progress=progress)
    return Opened(_planted(table, propose_shares(table.n_rows), progress))


def imported(choice: ImportChoice, progress: Progress) -> Opened:
    """Reads a table as it was decided in the dialog."""
    import engine

    how: dict[str, Any] = {"options": choice.options, "target": choice.target, "roles": choice.roles}
    if choice.text is not None:
        table = engine.read_text(choice.text, **how, progress=progress)
    else:
        table = engine.read_table(choice.path, **how, progress=progress)
    if choice.partition_column is not None:
        state = _counted(table.with_partition(column=choice.partition_column), progress)
    else:
        state = _planted(table, choice, progress)
    return Opened(state, _place(choice.focus, state.table))


def example(name: str, progress: Progress) -> Opened:
    """Opens one of the shipped examples, rows held out as proposed."""
    import engine

    progress.report(0.0, "Reading")
    listed = {example.id: example.focus for example in engine.list_examples()}
    table = engine.read_example(name)
    return Opened(_planted(table, propose_shares(table.n_rows), progress), _place(listed[name], table))


def _planted(table: Table, shares: Any, progress: Progress) -> State:
    """A leaf over a table whose rows are divided as `shares` says (validation, test, perhaps seed)."""
    if shares.validation or shares.test:
        seed = getattr(shares, "seed", 0)
        table = table.with_partition(validation=shares.validation, test=shares.test, seed=seed)
    return _counted(table, progress)


def _counted(table: Table, progress: Progress) -> State:
    progress.report(0.95, "Counting the classes")
    return first_state(table)


def _place(name: str | None, table: Table) -> int | None:
    return table.classes.index(name) if name in table.classes else None


def split(state: State, node: int, split: Split, progress: Progress) -> State:
    """Splits a leaf by hand."""
    tree = state.tree.split(state.table, node, split, by_hand=True, assignment=state.assigned())
    return following(state, tree)


def grown(state: State, options: dict[str, Any], progress: Progress, **how: Any) -> State:
    """Grows the tree; `options` are the search options, `how` says where and how far. Stopped: what grew so far."""
    import engine

    known = state.assigned()
    tree = engine.grow(state.table, tree=state.tree, assignment=known, progress=progress, **{**options, **how})
    return state if tree.n_nodes == state.tree.n_nodes else following(state, tree)


def grown_anew(state: State, options: dict[str, Any], progress: Progress, node: int = 0) -> State:
    """Takes back what has grown below a node, and grows it again."""
    return grown(collapsed(state, node, progress), options, progress, node=node)


def split_once(state: State, options: dict[str, Any], progress: Progress) -> State:
    """Splits the one leaf whose best split gains most, weighted by the leaf."""
    if not makes_many_branches(options):
        return grown(state, options, progress, order="best_first", max_leaves=state.tree.n_leaves + 1)
    # A split into many branches counts as many leaves, so a limit of leaves cannot say "one split": every leaf is
    # split, and all but the best split are taken back.
    wide = grown(state, options, progress, levels=1, max_leaves=None)
    made = [int(i) for i in np.flatnonzero(wide.tree.n_branches) if not _was_split(state.tree, int(wide.tree.ids[i]))]
    if len(made) < 2:
        return wide
    weights = wide.tree.weight("train")
    best = max(made, key=lambda i: weights[i] * gain_of(wide, i, options, "train"))
    return following(state, wide.tree.collapse(*(int(wide.tree.ids[i]) for i in made if i != best)))


def makes_many_branches(options: dict[str, Any]) -> bool:
    """Whether these search options may make splits of more than two branches."""
    said = (options.get(name) for name in ("nominal", "numeric", "missing"))
    return any(value in ("multiway", "bucket_branches", "branch") for value in said)


def _was_split(tree: Tree, node: int) -> bool:
    return bool(tree.n_branches[tree.position(node)])


def gain_of(state: State, i: int, options: dict[str, Any], part: str) -> float:
    """By how much the split of a node lowers the impurity on a part of the rows; NaN without rows there."""
    weights, branches = state.tree.weight(part), state.tree.children(i)
    if not weights[i] > 0:
        return math.nan
    impurity_at = impurities(state, [i, *branches], searched_as(state, int(state.tree.ids[i]), options), part)
    whole = impurity_at[i]
    gain = whole - sum(float(weights[k] / weights[i]) * impurity_at[k] for k in branches if weights[k] > 0)
    return gain if gain > ROUNDING * whole else 0.0


def searched_as(state: State, node: int, options: dict[str, Any]) -> dict[str, Any]:
    """The search options with the criterion that a person wrote on a node or above it, if there is one."""
    own = state.tree.criterion_at(node)
    return {**options, "criterion": own} if own else options


def impurities(state: State, places: list[int], options: dict[str, Any], part: str) -> dict[int, float]:
    """The impurity of some nodes by the criterion of a search, from the rows where the tree's counts do not tell it."""
    from engine.options import Search
    from engine.partition import TRAIN, VALIDATION

    search, tree = Search.make(state.table.task, **options), state.tree
    stats = tree.train if part == "train" else tree.validation
    if search.criterion not in BINNED and search.criterion != "absolute_error":
        filled = [k for k in places if tree.weight(part)[k] > 0]
        number = tree.task == "number"
        return {k: float(stats[k, 2] / stats[k, 0]) if number else impurity(search.criterion, stats[k]) for k in filled}
    table = state.table.binned(search.bins) if search.criterion in BINNED else state.table
    code, at, found = TRAIN if part == "train" else VALIDATION, state.assigned(), {}
    for k in places:
        rows = at.rows_of(k)
        rows = rows[table.part[rows] == code]
        weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
        if not weights.sum() > 0:
            continue
        if search.criterion in BINNED:
            counts = np.bincount(table.y[rows], weights, minlength=len(table.classes))
            found[k] = impurity(BINNED[search.criterion], counts)
        else:
            found[k] = mean_deviation(table.y[rows], weights)
    return found


def mean_deviation(y: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The weighted mean distance from the weighted median."""
    order = np.argsort(y, kind="stable")
    y, weights = y[order], weights[order]
    reached = np.cumsum(weights)
    median = y[int(np.searchsorted(reached, reached[-1] / 2))]
    return float(weights @ np.abs(y - median) / reached[-1])


def said_by(state: State, rule: LeafRule, progress: Progress) -> State:
    """The same tree, whose leaves say what a rule says."""
    return following(state, state.tree.with_leaf_rule(state.table, rule, state.assigned()))


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


def following(state: State, tree: Tree) -> State:
    """The state of another tree over the same table, ready for the screen.

    Where its rows stand is not found out yet: at a million rows that takes as long as growing some levels, and the
    person who pressed Stop waits for the tree. Whoever needs it next asks the state, in the worker, too.
    """
    after = State(state.table, tree)
    after.figures()
    return after


def taken(state: State, tree: Tree, progress: Progress) -> State:
    """Puts a tree over the same table in the place of the present one."""
    return following(state, tree)


def recounted(state: State, change: Any, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """The tree over `change(table)`, and which of its splits no longer fit: those are leaves now."""
    table = change(state.table)
    return counted_on(table, state.tree)


def counted_on(table: Table, tree: Tree) -> tuple[State, tuple[str, ...]]:
    """A tree counted on a table, and what had to go because it does not fit."""
    import engine

    tree, problems = engine.recount(tree, table)
    return first_state(table, tree), tuple(problems)


def retargeted(state: State, change: Any, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """A single leaf over `change(table)`: with another target no split is known to be good."""
    return first_state(change(state.table)), ()


def read_tree(state: State, path: Path, progress: Progress) -> tuple[State, tuple[str, ...]]:
    """A tree from a JSON file, counted on the present table."""
    import engine

    return counted_on(state.table, engine.read_tree(path))


# -- answers


def candidates(
    state: State,
    node: int,
    options: dict[str, Any],
    progress: Progress,
    found: Callable[[Candidate], object] | None = None,
) -> list[Candidate]:
    """The best split of every column at a node, best first; `found` is called with each as soon as it is known."""
    import engine

    known, unit = state.assigned(), impurity_of(state, node, options)
    cleaned: dict[int, Candidate] = {}

    def clean(candidate: Candidate) -> Candidate:
        if id(candidate) not in cleaned:
            cleaned[id(candidate)] = without_rounding(candidate, unit, state.tree.task)
        return cleaned[id(candidate)]

    def tell(candidate: Candidate) -> None:
        if found is not None:
            found(clean(candidate))

    told = tell if found is not None else None
    searched = engine.candidates(
        state.table, state.tree, node, assignment=known, progress=progress, found=told, **options
    )
    return [clean(candidate) for candidate in searched]


def curve(state: State, node: int, column: str, options: dict[str, Any], progress: Progress) -> Curve:
    """The gain of every cut of one column at a node."""
    import engine

    known = state.assigned()
    found = engine.gain_curve(state.table, state.tree, node, column, assignment=known, **options)
    unit = impurity_of(state, node, options)
    gains, unseen = (
        np.where(np.abs(g) < ROUNDING * unit, 0.0, g) if g.size else g for g in (found.gains, found.validation_gains)
    )
    # Makes the sums that every edit of the split looks up: here nobody waits for them.
    if found.levels:
        found.weigh(engine.Split(column, "groups", groups=(found.levels[:1], found.levels[1:])))
    elif found.values.size:
        found.weigh(engine.Split(column, "threshold", (float(found.values[0]),)))
    return replace(found, gains=gains, validation_gains=unseen)


@dataclass(frozen=True, eq=False)
class ReadAs:
    """What a leaf could be split by if its column were read as another kind; nothing is read so yet.

    Attributes:
        kind: of the column. was: its kind as it is.
        lost: the splits elsewhere in the tree that would not fit any more, in words.
    """

    kind: str
    was: str
    found: Candidate
    curve: Curve
    lost: tuple[str, ...]


def read_as(state: State, node: int, column: str, kind: str, options: dict[str, Any], progress: Progress) -> ReadAs:
    """The best split of one column at a leaf, if the column were read as another kind.

    Raises:
        InputError: a value does not fit, or the node is there only because of a split of this column as it is.
    """
    import engine

    was = state.table.column(column).kind
    other, lost = recounted(state, lambda table: table.with_kind(column, kind), progress)
    if node not in other.tree:
        raise engine.InputError(
            f"“{column}” is {was} in a split above this node, which would be taken back: read it otherwise at the root."
        )
    locked = [name for name in other.table.names if name not in (column, other.table.target)]
    one = {**options, "locked": locked, "m_of_n": False, "lookahead": 1}
    found = next(found for found in candidates(other, node, one, progress) if found.column == column)
    return ReadAs(kind, was, found, curve(other, node, column, options, progress), lost)


def weighed(state: State, node: int, split: Split, options: dict[str, Any], progress: Progress) -> Candidate:
    """What a split made by hand is worth at a node, counted row by row where need be."""
    import engine

    found = engine.weigh(state.table, state.tree, node, split, state.assigned(), **options)
    return without_rounding(found, impurity_of(state, node, options), state.tree.task)


def climb(state: State, node: int, options: dict[str, Any], progress: Progress) -> Climb | None:
    """The way to the m-of-n split of a node."""
    import engine

    return engine.m_of_n(state.table, state.tree, node, assignment=state.assigned(), progress=progress, **options)


def best_groups(curve: Curve, nominal: str, progress: Progress) -> Split | None:
    """The best split of levels by one of the ways of `engine.choices`."""
    return curve.best_groups(nominal)


def impurity_of(state: State, node: int, options: dict[str, Any]) -> float:
    """What gains at a node are shares of: 1 of classes, the impurity of a numeric target."""
    if state.tree.task == "classes":
        return 1.0
    place = state.tree.position(node)
    return impurities(state, [place], searched_as(state, node, options), "train").get(place, 0.0)


def without_rounding(candidate: Candidate, unit: float, task: str) -> Candidate:
    """The candidate with 0 for the gains that are nothing but rounding; of numbers the scores keep theirs, which have
    several units."""

    def clean(gain: float) -> float:
        return 0.0 if abs(gain) < ROUNDING * unit else gain

    scores = candidate.scores
    if task == "classes":
        scores = {name: clean(score) for name, score in scores.items()}
    return replace(
        candidate,
        gain=clean(candidate.gain),
        validation_gain=clean(candidate.validation_gain),
        ahead=clean(candidate.ahead),
        scores=scores,
    )


def tested(state: State, progress: Progress) -> Fit:
    """How the tree does on the test rows."""
    import engine

    return engine.assess(state.table, state.tree, "test", assignment=state.assigned())


def extent(table: Table, depth: int, options: dict[str, Any], progress: Progress) -> Extent:
    """How many tests and trees of a depth there are."""
    from engine.all_trees import extent

    return extent(table, depth, nominal=options.get("nominal", "groups"))


def all_trees(table: Table, depth: int, options: dict[str, Any], progress: Progress) -> AllTrees:
    """The best of all trees of a depth; of the search options it heeds the least leaf and the ways of levels."""
    import engine

    heeded = {name: options[name] for name in ("min_leaf", "nominal") if name in options}
    return engine.all_trees(table, depth, progress=progress, **heeded)


def assignment(state: State, progress: Progress) -> None:
    """Finds out which rows stand in which node; the state keeps it."""
    state.assigned()


def pruning(state: State, method: str, keep_by_hand: bool, progress: Progress) -> Pruning:
    """The sequence of prunings by one method."""
    import engine

    known = state.assigned()
    return engine.prune(
        state.table, state.tree, method=method, keep_by_hand=keep_by_hand, assignment=known, progress=progress
    )


def pruned(state: State, sequence: Pruning, step: int, progress: Progress) -> State:
    """The state in which the tree is a step of a pruning."""
    return following(state, sequence.tree(step))


def lost_by_hand(before: Tree, after: Tree) -> int:
    """How many hand-made splits of `before` are leaves or gone in `after`."""
    made = before.ids[before.by_hand & (before.n_branches > 0)]
    return int(np.setdiff1d(made, after.ids[after.n_branches > 0]).size)


# -- files


def saved(path: Path, state: State, settings: dict[str, Any], progress: Progress) -> Path:
    """Writes the project; the file is either the new one or the old one, never half of it."""
    from engine import project

    progress.report(0.0, f"Writing {path.name}")
    project.save(path, state.table, state.tree, settings)
    return path


def drawn(path: Path, state: State, focus: int, progress: Progress) -> Path:
    """Draws the whole tree into a file."""
    from gui.canvas.picture import write_picture

    progress.report(0.0, f"Drawing {path.name}")
    write_picture(state.tree, path, focus_class=focus)
    return path


def exported(path: Path, state: State, progress: Progress) -> Path:
    """Writes the tree alone, in the format that the suffix names."""
    import engine

    engine.export(state.tree, path)
    return path


def loaded(path: Path, data: Path | None, progress: Progress) -> tuple[State, dict[str, Any], tuple[str, ...]]:
    """Reads a project: its state, its settings, and what did not fit any more."""
    from engine import project

    found = project.load(path, data, progress=progress)
    problems = list(found.problems)
    settings = usable_settings(found.settings, found.table, problems)
    return first_state(found.table, found.tree), settings, tuple(problems)


def usable_settings(settings: dict[str, Any], table: Table, problems: list[str]) -> dict[str, Any]:
    """The settings of a project file without what cannot be used; what was lost is told in `problems`."""
    from engine.options import PRESETS

    search, focus, uses, looks = (settings.get(key) for key in ("search", "focus", "validation_uses", "test_looks"))
    search = search if isinstance(search, dict) else {}
    refusal = searching.refusal_of(search, table)
    if refusal:
        problems.append(f"The search options of this project cannot be used, so the usual ones hold: {refusal}")
    return {
        "search": {} if refusal else searching.own_options(search, table.task),
        "preset": settings.get("preset") if settings.get("preset") in PRESETS and not refusal else "",
        "focus": {k: v for k, v in focus.items() if isinstance(v, int) and v >= 0} if isinstance(focus, dict) else {},
        "validation_uses": uses if isinstance(uses, int) and uses >= 0 else 0,
        "test_looks": looks if isinstance(looks, int) and looks >= 0 else 0,
    }
