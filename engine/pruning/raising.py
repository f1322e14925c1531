"""Pruning that may raise branches: the generic procedure of the notes (Shalev-Shwartz and Ben-David 2014, 18.2), and
what it shares with C4.5's rule, the tree and its rows as arrays, and what is left as a tree."""

from dataclasses import replace
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.learning_theory.bounds import count_tests, description_bound
from engine.pruning.kernels import (
    BEARER,
    BOUND,
    BRANCHES,
    BY_VALIDATION,
    CELL,
    COLLAPSED,
    FIRST,
    HAND,
    HEAD,
    KEPT,
    LABEL,
    MARKED,
    N_FIELDS,
    NEXT,
    ORDER,
    PESSIMISTIC,
    PLACE,
    SLOT,
    TAIL,
    UP,
    Method,
    State,
    list_nodes,
    prune_splits,
)
from engine.pruning.options import Options
from engine.pruning.result import Pruning, Verdicts, replaced
from engine.pruning.sequence import locked, under, validation_weight
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.splits import place_for
from engine.table.column import Column
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.arrays import Mark, collapse, take_back
from engine.tree.assignment import Assignment, ascending, by_number, in_codes, leaves_of_rows, places_of
from engine.tree.counting import counted
from engine.tree.kernels.descend import Routes
from engine.tree.kernels.row_by_row import LANES, Ways, pack_nodes
from engine.tree.marks import left_alone
from engine.tree.nodes import GROUPS, M_OF_N, THRESHOLD, WITH_SURROGATES, all_parts, entries, packed_nodes
from engine.tree.tree import Tree

SPLITS_AT_ONCE = 2**12  # that are decided between two reports
UNKNOWN = 2.0**32 - 1  # a level that the tree does not know
LEFT_ALONE = marked("The pruning was stopped: this is the tree as it was.")
DIVIDES = marked(
    "This tree divides rows without a value among its branches, and this method moves whole rows: choose another one, "
    "such as Pessimistic, or grow the tree with another choice of missing values."
)
COUNTED = marked("Mistakes were counted, not what they cost.")


def begin(
    table: Table, tree: Tree, assignment: Assignment | None, validation: bool, raising: bool
) -> tuple[State, Ways]:
    """(what the kernels work on; which way rows go).

    Args:
        tree: one that predicts classes, counted on the table.
        assignment: which rows stand in which node, if at hand: so rows of a leaf lie side by side in the memory.
        validation: whether the validation rows go along; their classes follow those of the training rows.
        raising: whether rows will be sent down; without it none are looked at.
    """
    n, which = tree.n_nodes, np.zeros(0, np.uint32)
    ways, columns = ways_of(table, tree)
    if raising:
        of_rows = np.arange(table.n_rows) if assignment is None else assignment.rows
        wanted = (table.part == TRAIN) | (validation & (table.part == VALIDATION))
        which = of_rows[wanted[of_rows]]
    nodes = np.zeros((n, N_FIELDS), np.int64)
    nodes[:, BRANCHES], nodes[:, FIRST], nodes[:, UP] = tree.n_branches, ways.first_child, tree.parent
    nodes[ways.children, SLOT] = nodes[:, PLACE] = nodes[:, BEARER] = np.arange(n)
    nodes[:, LABEL], nodes[:, [HAND, HEAD, TAIL]] = tree.labels, -1
    nodes[list(tree.labels_by_hand), HAND] = list(tree.labels_by_hand.values())
    nodes[[tree.position(node) for node in tree.marks], MARKED] = 1
    rows = np.empty((which.size, 2), np.int32)
    x = numbers_of_rows(tree, columns, which)
    if not x.shape[1]:  # kernels fetch the first number of a row even where nothing is asked
        x = np.zeros((which.size, 1), np.uint32)
    if raising:
        rows[:, CELL] = table.y[which] + (table.part[which] == VALIDATION) * tree.train.shape[1]
        _list_rows(nodes, rows, leaves_of_rows(table, tree, assignment)[which])
    counts, rule = np.hstack((tree.train, tree.validation) if validation else (tree.train,)), tree.leaf_rule
    state = State(
        nodes, ways.children, np.empty((n, 2)), np.empty((3, n), np.int64), counts, np.zeros_like(counts),
        np.tile(rule.class_factors(tree.classes, tree.train[0]), 1 + validation),
        rule.cost_matrix(tree.classes) if rule.costs else np.zeros((0, 0)), np.empty(counts.shape[1]), x, rows,
        np.ones(which.size) if table.weights is None else table.weights[which], np.empty((2, LANES), np.int64),
    )  # fmt: skip
    return state, ways


def _list_rows(nodes: NDArray[np.int64], rows: NDArray[np.int32], reached: NDArray[np.int64]) -> None:
    """Makes the lists of all leaves, from the leaf of each row."""
    order, before = by_number(reached, len(nodes))
    some = before[1:] > before[:-1]
    nodes[some, HEAD], nodes[some, TAIL] = order[before[:-1][some]], order[before[1:][some] - 1]
    rows[order[:-1], NEXT] = order[1:]
    rows[nodes[some, TAIL], NEXT] = -1


def pruned(
    state: State, ways: Ways, method: Method, tree: Tree, fate: NDArray[np.int64], free: NDArray[np.bool_],
    progress: Progress,
) -> NDArray[np.float64]:  # fmt: skip
    """Prunes the tree as `kernels.prune_splits` says; returns what was compared, float64[3, n_nodes].

    Args:
        fate: int64[n_nodes], KEPT, COLLAPSED or 0. free: bool[n_nodes], the leaves that may say anything.
    """
    totals, verdict = np.zeros(3), np.full((3, tree.n_nodes), np.nan)
    splits = np.flatnonzero((tree.n_branches > 0) & ~under(tree, fate == COLLAPSED))
    splits = splits[np.lexsort((-splits, tree.end[splits]))]  # branch after branch, each after those below it
    for at in range(0, max(splits.size, 1), SPLITS_AT_ONCE):
        progress.report(at / max(splits.size, 1), tr("Pruning"))
        some = splits[at : at + SPLITS_AT_ONCE]
        prune_splits(state, ways, method, fate, free, some, totals, verdict, progress.flag)
    return verdict


def left_of(table: Table, tree: Tree, state: State) -> Tree:
    """The tree as it is by now, its rows counted anew where a branch was raised.

    What took the place of a node has its id, and its mark if it had one.
    """
    order = left_nodes(state)
    leaf, place = state.nodes[order, BRANCHES] == 0, state.nodes[order, PLACE]
    return left_with(table, tree, order, leaf, place, state.nodes[order, BEARER])


def left_with(
    table: Table, tree: Tree, order: NDArray[np.int64], leaf: NDArray[np.bool_], place: NDArray[np.int64],
    bearer: NDArray[np.int64],
) -> Tree:  # fmt: skip
    """The tree of some nodes in preorder, its rows counted anew where a branch was raised.

    Args:
        order, place, bearer: int64[n], the positions in the full tree of what has their splits, ids and marks.
        leaf: bool[n], which of them are leaves.
    """
    if np.array_equal(place, order):
        cut = order[leaf & (tree.n_branches[order] > 0)]
        return collapse(tree, cut) if cut.size else tree
    ids = tree.ids[place]
    nodes = tree.nodes.take(order)._replace(ids=ids)
    take_back(nodes, leaf)
    nodes, payload = packed_nodes(nodes, tree.payload)
    marks = {
        node: tree.marks[of]
        for node, of in zip(ids.tolist(), tree.ids[bearer].tolist(), strict=True)
        if of in tree.marks
    }
    return counted(replace(tree, nodes=nodes, payload=payload, counted_on="", marks=marks), table)


def left_nodes(state: State) -> NDArray[np.int64]:
    """int64[n]: the positions in the full tree of the nodes of the tree as it is by now, in preorder."""
    n = list_nodes(state.nodes, state.children, state.lists, state.children[-1])
    return state.lists[ORDER, :n].copy()


# -- every kind of split as plain ones that are asked in turn


def numbers_of_rows(tree: Tree, columns: dict[int, Column], rows: NDArray[Any]) -> NDArray[np.uint32]:
    """uint32[n, C]: what the splits ask of some rows, codes or places of levels, plus 1; 0 is missing."""
    x = np.empty((rows.size, len(columns)), np.uint32)
    for j, (place, column) in enumerate(columns.items()):
        x[:, j] = column.codes[rows]
        if column.is_numeric:
            x[:, j] += x[:, j] > 0
        else:
            numbers = np.minimum(places_of(column, tree.columns[place].levels) + 1.0, UNKNOWN)
            x[:, j] = np.append(0.0, numbers).astype(np.uint32)[x[:, j]]
    return x


def ways_of(table: Table, tree: Tree) -> tuple[Ways, dict[int, Column]]:
    """(which branch a row takes at each node; the columns that are asked, by their places in `tree.columns`).

    A literal of an m-of-n split is a split of its own into the rows for which it holds and the others, and so is a
    surrogate. Numeric columns are asked for codes and columns with levels for places of levels, as in `tree.descent`.

    Raises:
        InputError: a split of the tree does not fit this table.
    """
    nodes = tree.nodes
    literals, payload = _literals(tree)
    plain = np.flatnonzero((nodes.kind == THRESHOLD) | (nodes.kind == GROUPS))
    fields = (nodes.kind, nodes.column, nodes.threshold, nodes.unseen, nodes.payload_start, nodes.payload_size)
    found = np.concatenate((
        np.column_stack([plain, *(field[plain] for field in fields), np.zeros(plain.size)]), literals, _surrogates(tree)
    ))  # fmt: skip
    parts = Parts(*found[np.argsort(found[:, 0], kind="stable")].T)
    asked = dict(zip(parts.column.astype(int).tolist(), (parts.kind == THRESHOLD).tolist(), strict=True))
    columns = {
        place: table.columns[place_for(tree.columns[place].name, by_order, table)]
        for place, by_order in sorted(asked.items())
    }
    row_of = np.zeros(len(tree.columns), np.int64)
    row_of[list(columns)] = np.arange(len(columns))
    column = row_of[parts.column.astype(np.int64)]
    start, size = parts.payload_start.astype(np.int64), parts.payload_size.astype(np.int64)
    none = np.zeros(column.size, np.int32)  # types as of `Nodes`, for which the kernel is compiled already
    routes = Routes(
        none, parts.kind.astype(np.int8), column, parts.threshold.copy(), none, parts.unseen.astype(np.int32), start,
        size, none, payload,
    )  # fmt: skip
    m = np.where(nodes.kind == M_OF_N, nodes.threshold, 0.0).astype(np.int64)
    first = np.searchsorted(parts.node, np.arange(tree.n_nodes + 1))
    missing = nodes.missing.astype(np.int64)
    children = np.append(np.argsort(tree.parent[1:], kind="stable") + 1, 0)
    first_child = np.cumsum(tree.n_branches, dtype=np.int64) - tree.n_branches
    ways = Ways(
        m, first, column, parts.flipped > 0, missing, in_codes(ascending(routes), columns), first_child, children,
        np.empty(4 * tree.n_nodes, np.uint32),
    )  # fmt: skip
    pack_nodes(ways, tree.n_branches)
    return ways, columns


class Parts(NamedTuple):
    """One entry for each part, by node, float64[n]; the fields are named as in `engine.tree.nodes.Nodes`."""

    node: NDArray[Any]
    kind: NDArray[Any]
    column: NDArray[Any]
    threshold: NDArray[Any]
    unseen: NDArray[Any]
    payload_start: NDArray[Any]
    payload_size: NDArray[Any]
    flipped: NDArray[Any]


def _literals(tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(each literal as a split whose branch 0, or 1 where it is flipped, takes the rows for which it holds: a line for
    each, as in `Parts`; the payload with what these need appended)."""
    node, at = entries(tree.nodes, np.flatnonzero(tree.nodes.kind == M_OF_N), 3)
    column, test, value = (tree.payload[at + k] for k in range(3))
    by_order, flipped = test < 2, (test == 1) | (test == 3)  # "<=", ">", "==", "!="
    pairs = np.column_stack((value, np.zeros(node.size))).reshape(-1)
    start = tree.payload.size + 2 * np.arange(node.size)
    lines = np.column_stack((
        node, np.where(by_order, THRESHOLD, GROUPS), column, value, np.ones(node.size), start,
        np.where(by_order, 0, 2), flipped,
    ))  # fmt: skip
    return lines, np.concatenate((tree.payload, pairs))


def _surrogates(tree: Tree) -> NDArray[np.float64]:
    """Splits with surrogates, each followed by these, a line for each as in `Parts`."""
    nodes, payload, lines = tree.nodes, tree.payload, []
    for part in all_parts(nodes, payload):
        i = part.node
        if part.head < 0:
            column, kind, threshold = nodes.column[i], nodes.kind[i] - WITH_SURROGATES, nodes.threshold[i]
            unseen, flipped = nodes.unseen[i], 0
        else:
            column, kind, threshold, _, unseen, flipped, _ = payload[part.head : part.start]
        lines.append((i, kind, column, threshold, unseen, part.start, part.stop - part.start, flipped))
    return np.array(lines, np.float64).reshape(-1, len(Parts._fields))


# -- the generic procedure, for any splits and classes


QUANTITIES = {
    "validation": marked("Error of the whole tree on the validation rows"),
    "cost": marked("Cost of the whole tree on the validation rows"),
    "mdl_bound": marked("Bound of the whole tree's error"),
    "pessimistic": marked("Error to be expected of the whole tree"),
}
ESTIMATES = {"validation": BY_VALIDATION, "mdl_bound": BOUND, "pessimistic": PESSIMISTIC}


def generic(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """At every node, bottom up, the whole tree of the least estimate f: with the node as a leaf of any class, with one
    of its branches in its place, the rows of the others sent down that one, or as it is.

    "Bottom up" is branch after branch, each node after those below it; leaves are asked, too, what they say. A branch
    in another place keeps the labels of its leaves. Of equal estimates the one with fewer leaves is kept, then the
    leaf, then the first branch; of equal labels of a leaf what it said before, else what its training rows say. f is
    the error on the validation rows (the mean loss by the leaf rule); the bound of the error by the length of the
    tree's description (`learning_theory.bounds.description_bound`); or the upper limits of all leaves' errors, as in
    C4.5. The last two count mistakes among the training rows, so that the majority is their best label. They know
    nothing of costs: where the leaf rule has some, a new leaf says what these ask for.

    A label that a person wrote stays, and so do those of pinned and locked leaves. Where a leaf of the result does not
    say what was counted, its mark holds the label (`Mark.label_by_pruning`).

    leaf_labels "counted": all leaves say what their training rows say, those of a branch in another place also by the
    rows that come along.

    A stop leaves the tree as it was.

    Raises:
        InputError: the estimate is the validation error, and there are no validation rows.
    """
    if tree.divides_rows:
        raise InputError(tr(DIVIDES))
    leaf, keep_labels = tree.n_branches == 0, options.leaf_labels == "estimate"
    method = _method(table, tree, options)
    by_hand, free = np.zeros((2, tree.n_nodes), dtype=bool)
    for node, mark in tree.marks.items():
        by_hand[tree.position(node)] = mark.label is not None and not mark.label_by_pruning
    state, ways = begin(table, tree, options.assignment, validation=method.estimate == BY_VALIDATION, raising=True)
    if keep_labels:
        free = leaf & ~left_alone(tree) & ~by_hand
        state.nodes[~by_hand, HAND] = -1
        state.nodes[leaf, HAND] = tree.labels[leaf]
    fate = np.where(locked(tree, options.keep_by_hand), KEPT, 0)
    found = pruned(state, ways, method, tree, fate, free, progress)
    if progress.stopped:
        return replaced("generic", tree, tree, tr(LEFT_ALONE))
    costs = options.estimate == "validation" and tree.leaf_rule.weighs_mistakes
    quantity = tr(QUANTITIES["cost" if costs else options.estimate])
    verdicts = Verdicts(quantity, found[0], found[1], raised=found[2])
    remark = tr(COUNTED) if tree.leaf_rule.costs and method.estimate != BY_VALIDATION else ""
    left = left_of(table, tree, state)
    if keep_labels:
        left = _saying(left, state)
        n = sum(mark.label_by_pruning for mark in left.marks.values())
        one = tr("1 leaf predicts the class with the lowest validation error, not the majority of the training rows.")
        more = tr("{n:,} leaves predict the classes with the lowest validation error, not the majority of the training "
                  "rows.", n=n)  # fmt: skip
        remark = remark or (one if n == 1 else more if n else "")
    return replaced("generic", tree, left, remark, verdicts)


def _method(table: Table, tree: Tree, options: Options) -> Method:
    estimate, keep_labels = ESTIMATES[options.estimate], options.leaf_labels == "estimate"
    by_validation = estimate == BY_VALIDATION
    weight = validation_weight(tree) if by_validation else float(tree.loss_weight("train")[0])
    n_classes, penalty = len(tree.classes), np.zeros(tree.n_nodes + 1)
    if estimate == BOUND:
        n_tests = count_tests(table, tree.options.get("nominal") == "multiway")
        n_rows = max(table.n_counted, 1)
        penalty = description_bound(0.0, n_rows, np.arange(penalty.size), n_tests, options.delta, n_classes)
    return Method(
        c45=False, raising=True, estimate=estimate, weight=weight if weight > 0 else 1.0,
        penalty=penalty, confidence=options.confidence,
        deviate=NormalDist().inv_cdf(1.0 - options.confidence), keep_labels=keep_labels,
        handed_down=by_validation and not keep_labels and not bool((tree.loss_weight("train")[tree.leaves] > 0).all()),
        first_cell=n_classes if by_validation and keep_labels else 0, n_classes=n_classes,
        dearest=tree.leaf_rule.dearest(tree.classes), **threshold_of(tree),
    )  # fmt: skip


def threshold_of(tree: Tree) -> dict[str, Any]:
    """The fields of `Method` by which nodes say a class from a threshold on.

    Raises:
        InputError: it is one of honest probabilities, which the rows that a branch would bring along do not tell.
    """
    rule, root = tree.leaf_rule, tree.train[0]
    if rule.threshold is None:
        return {"says": -1, "least": 0.0, "added": 0.0, "beyond": 0.0}
    if rule.smoothing == "honest":
        raise InputError(tr(
            "With a threshold of probabilities from validation rows no branches can be raised; choose another method, "
            "or other probabilities."
        ))  # fmt: skip
    k = tree.classes.index(rule.threshold[0])
    root = root * rule.class_factors(tree.classes, root)
    m = {"none": 0.0, "laplace": 2.0}.get(rule.smoothing, rule.smoothing_m)
    share = 0.5 if rule.smoothing == "laplace" or not root.sum() > 0 else float(root[k] / root.sum())
    return {"says": k, "least": rule.threshold[1], "added": m * share, "beyond": m}


def _saying(left: Tree, state: State) -> Tree:
    """What is left, its leaves saying what pruning found for them."""
    said = state.nodes[left_nodes(state), HAND]
    found = [node for node, mark in left.marks.items() if mark.label_by_pruning]
    usual = {node: replace(left.marks[node], label=None, label_by_pruning=False) for node in found}
    bare = replace(left, marks={**left.marks, **usual}) if found else left
    marks = dict(bare.marks)
    of_class = [Mark(label=name, label_by_pruning=True) for name in left.classes]
    for i in np.flatnonzero((bare.n_branches == 0) & (bare.labels != said)).tolist():
        node, mark = int(bare.ids[i]), of_class[said[i]]
        marks[node] = replace(marks[node], label=mark.label, label_by_pruning=True) if node in marks else mark
    return left if marks == dict(left.marks) else replace(left, marks=marks)
