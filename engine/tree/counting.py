"""What a tree knows of the rows in its nodes: counts of a table, and how the target lies there beyond its mean.

Medians, quantiles, absolute deviations and histograms p(y|S) do not follow from the counts of a node's branches: a tree
looks at the rows of its nodes for them, and but for quantiles only where its leaves predict medians or it has bins.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.splits import place_for, sentence
from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree import marks
from engine.tree.arrays import AnyTree, Mark, TreeArrays, collapse
from engine.tree.assignment import Assignment, Shares, assign
from engine.tree.kernels.counts import absolute_deviations, count_classes, count_numbers, medians
from engine.tree.kernels.structure import merge_upwards, sum_upwards
from engine.tree.leaves import LeafRule
from engine.tree.nodes import (
    Nodes,
    SplitWriter,
    columns_asked,
    columns_of,
    joined_levels,
    packed_nodes,
    span,
    surrogates_of,
    unfilled,
    unpack_split,
)


def check_target(tree: TreeArrays, table: Table) -> None:
    """Raises InputError where a table has another target than the tree predicts, or has it as a number and not as
    classes: what was counted there would be figures of another question."""
    if tree.target != table.target:
        said = {"target": tree.target, "table": table.name, "other": table.target}
        fault = tr(
            "The tree predicts “{target}”, but the target of {table} is “{other}”: make “{target}” the target first.",
            **said,
        )
        if tree.target not in table.names:
            fault = tr(
                "The tree predicts “{target}”, but the target of {table} is “{other}”: this table has no column "
                "“{target}”, so open one that has.", **said,
            )  # fmt: skip
        raise InputError(fault)
    if tree.task != table.task:
        said = {"target": table.target, "table": table.name}
        fault = tr("The tree predicts a number, but “{target}” has categories in {table}: read it as a number.", **said)
        if tree.task == "classes":
            fault = tr(
                "The tree predicts categories, but “{target}” has numbers in {table}: read it as a category.", **said
            )
        raise InputError(fault)


def counted_rows(table: Table, tree: TreeArrays) -> NDArray[np.int64]:
    """int64[n_nodes]: the training rows of each node, each as often as its frequency says; sampling weights make no
    rows."""
    return np.rint(tree.weight("train")).astype(np.int64) if table.weights_are_counts else tree.rows_train


def recount(
    tree: AnyTree, table: Table, any_target: bool = False, assignment: Assignment | None = None
) -> tuple[AnyTree, list[str]]:
    """The same splits counted on another table with the same target; splits that no longer fit become leaves.

    Args:
        any_target: whatever the target is: growing takes bins of a number for classes, and back.
        assignment: which rows of this table stand in which node, if at hand.

    Returns:
        The tree, and for each split or label by hand that was given up a sentence with the reason.

    Raises:
        InputError: the target is another one.
    """
    if not any_target:
        check_target(tree, table)
    tree, problems = _bound(tree, table)
    tree, unknown = marks.fitting(tree, table)
    fits = assignment is not None and assignment.start.size == tree.n_nodes
    at = assignment if assignment is not None and fits else assign(table, tree, anew=True)
    counts = counts_from_leaves(table, tree, at.rows, at.start[tree.leaves], at.stop[tree.leaves], at.share)
    return filled(_with_counts(tree, table, counts), table, at), problems + unknown


def counted(tree: AnyTree, table: Table, assignment: Assignment | None = None) -> AnyTree:
    """The tree itself when its counts are those of the table, else the same splits counted on it; `assignment`: which
    rows of this table stand in which node, if at hand.

    Raises:
        InputError: a split does not bind to it, or it has another target.
    """
    return tree if tree.counted_on == table.counts_key else recounted(tree, table, assignment)


def recounted(tree: AnyTree, table: Table, assignment: Assignment | None = None) -> AnyTree:
    """The same splits counted on another table or partition.

    Raises:
        InputError: a split does not bind to it, or it has another target.
    """
    tree, problems = recount(tree, table, assignment=assignment)
    if problems:
        raise InputError(problems[0])
    return tree


def with_marks(
    tree: AnyTree, written: Mapping[int, Mark], table: Table | None = None, assignment: Assignment | None = None
) -> AnyTree:
    """The same tree with other marks, its deviations counted around the numbers that it predicts now.

    Raises:
        InputError: they have to be counted, and no table is given.
    """
    after = replace(tree, marks=written)
    before, now = tree.labels_by_hand, after.labels_by_hand
    changed = np.zeros(after.n_nodes, dtype=bool)
    for i in before.keys() | now.keys() if tree.task == "number" else ():
        if before.get(i) != now.get(i):
            changed[i : tree.end[i]] = True  # nodes without rows predict what the one above predicts
    if not changed.any():
        return after
    deviation = np.where(changed[:, None], np.nan, after.nodes.deviation)
    after = replace(after, nodes=after.nodes._replace(deviation=deviation))
    if not after.predicts_median:
        return after
    if table is None:
        raise InputError(tr(
            "This tree predicts medians, and errors around another number are counted on the rows: give the table, "
            "too."
        ))  # fmt: skip
    return filled(after, table, assignment) if after.counted_on == table.counts_key else counted(after, table)


def _with_counts(tree: AnyTree, table: Table, counts: list[NDArray[Any]]) -> AnyTree:
    """The same splits with the counts, target and columns of a table."""
    names = ("train", "validation", "rows_train", "rows_validation", "median", "deviation", "histogram")
    nodes = tree.nodes._replace(**dict(zip(names, (*counts, *unfilled(tree.n_nodes)), strict=True)))
    same_task = tree.task == table.task
    same_target = same_task and tree.target == table.target
    columns = joined_levels(columns_of(table), tree.columns)
    payload = tree.payload
    if [column[:3] for column in columns] != [column[:3] for column in tree.columns]:  # written with other numbers
        nodes, writer = nodes.take(np.arange(tree.n_nodes)), SplitWriter(columns)
        for i in np.flatnonzero(nodes.n_branches).tolist():
            split = unpack_split(tree.columns, tree.nodes, payload, i)
            writer.write(nodes, i, split, bool(nodes.by_hand[i]))
        payload = writer.payload
    return replace(
        tree, task=table.task, target=str(table.target), classes=table.classes, columns=columns, nodes=nodes,
        payload=payload, origin=table.origin, counted_on=table.counts_key,
        leaf_rule=tree.leaf_rule.known_to(table.classes) if same_task else LeafRule(),
        bin_edges=tree.bin_edges if same_target else (),
    )  # fmt: skip


def _bound(tree: AnyTree, table: Table) -> tuple[AnyTree, list[str]]:
    """The tree without the splits and surrogates that do not bind to a table, and a sentence for each of these splits
    and for each column whose surrogates are gone."""
    found = faults(tree, table)
    if not found:
        return tree, []
    tree, gone = _without_surrogates(tree, found)
    of_node: dict[int, str] = {}  # of several literals the first that does not bind
    for i, asked in columns_asked(tree.nodes, tree.payload):
        if asked in found:
            of_node.setdefault(i, found[asked])
    problems = []
    for i, fault in of_node.items():
        first_branch = sentence(unpack_split(tree.columns, tree.nodes, tree.payload, i), 0, tree.kinds)
        problems.append(tr("The split “{split}” was taken back: {fault}", split=first_branch, fault=fault))
    return collapse(tree, list(of_node)), problems + gone


def _without_surrogates(tree: AnyTree, found: dict[tuple[int, bool], str]) -> tuple[AnyTree, list[str]]:
    """The tree without the surrogates that do not bind, and a sentence for each of their columns."""
    lost: dict[tuple[int, bool], list[int]] = {}
    for i, asked in surrogates_of(tree.nodes, tree.payload):
        if asked in found:
            lost.setdefault(asked, []).append(i)
    if not lost:
        return tree, []
    gone = {(tree.columns[place].name, by_order) for place, by_order in lost}
    nodes, writer = tree.nodes.take(np.arange(tree.n_nodes)), SplitWriter(tree.columns, tree.payload)
    for i in sorted({i for of in lost.values() for i in of}):
        split = unpack_split(tree.columns, tree.nodes, tree.payload, i)
        kept = tuple(s for s in split.surrogates if (s.split.column, s.split.kind == "threshold") not in gone)
        writer.write(nodes, i, replace(split, surrogates=kept), bool(nodes.by_hand[i]))
    nodes, payload = packed_nodes(nodes, writer.payload)
    sentences = [
        tr("The surrogates by “{column}” were taken from 1 split: {fault}", column=column, fault=fault)
        if n == 1
        else tr("The surrogates by “{column}” were taken from {n} splits: {fault}", column=column, n=n, fault=fault)
        for column, n, fault in ((tree.columns[at[0]].name, len(of), found[at]) for at, of in lost.items())
    ]
    return replace(tree, nodes=nodes, payload=payload), sentences


def faults(tree: TreeArrays, table: Table) -> dict[tuple[int, bool], str]:
    """What does not bind to a table: a sentence for (place of the column, whether it is asked for numbers), of splits
    and of surrogates; no split is made."""
    asked = {each for find in (columns_asked, surrogates_of) for _, each in find(tree.nodes, tree.payload)}
    features, found = {table.columns[i].name for i in table.features}, {}
    for place, by_order in sorted(asked):
        name = tree.columns[place].name
        try:
            place_for(name, by_order, table)
            if name not in features:
                raise InputError(tr("Column “{name}” is no feature of {table}.", name=name, table=table.name))
        except InputError as problem:
            found[place, by_order] = str(problem)
    return found


class Entries(NamedTuple):
    """Rows as the kernels count them: each with its target, part and weight, at the place that `rows` says.

    Attributes:
        weights: float64, or empty for 1.
        codes: uint32, the ranks of a numeric target; else empty.
    """

    rows: NDArray[np.uint32]
    y: NDArray[Any]
    part: NDArray[np.uint8]
    weights: NDArray[np.float64]
    codes: NDArray[np.uint32]


def entries_of(table: Table, rows: NDArray[np.uint32], share: Shares = None) -> Entries:
    """Row numbers, where parts of rows are given each place with what it weighs there."""
    weights = np.zeros(0) if table.weights is None else table.weights
    codes = np.zeros(0, np.uint32)
    if table.task == "number":
        codes = table.target_column.codes.astype(np.uint32, copy=False)  # of one width, whatever the column's
    if share is None:
        return Entries(rows, table.y, table.part, weights, codes)
    weighs = share * weights[rows] if weights.size else share
    of_rows = np.arange(rows.size, dtype=np.uint32)
    return Entries(of_rows, table.y[rows], table.part[rows], weighs, codes[rows] if codes.size else codes)


def count_slices(
    table: Table, rows: NDArray[np.uint32], start: NDArray[np.int64], stop: NDArray[np.int64], share: Shares = None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The target in slices of `rows`: train and validation statistics float64[m, S], and their row counts int64[m].

    share: see `Assignment`; a slice has each row once.
    """
    size, kernel = (len(start), table.n_stats), count_classes if table.task == "classes" else count_numbers
    counts = np.zeros(size), np.zeros(size), np.zeros(size[0], np.int64), np.zeros(size[0], np.int64)
    if table.counter is not None:  # it counts whole trees, see `recount`
        return counts
    of = entries_of(table, rows, share)
    kernel(of.rows, start, stop, of.y, of.part, of.weights, *counts)
    return counts


def counts_from_leaves(
    table: Table, tree: TreeArrays, rows: NDArray[np.uint32], start: NDArray[np.int64], stop: NDArray[np.int64],
    share: Shares = None,
) -> list[NDArray[Any]]:  # fmt: skip
    """What `count_slices` says of every node, from the rows of the leaves alone, one slice for each leaf. A row of
    which several branches have a part is one row of the node above."""
    counts, counter = [], table.counter
    for of_leaves in counter.leaves(tree) if counter is not None else count_slices(table, rows, start, stop, share):
        whole = np.zeros((tree.n_nodes, *of_leaves.shape[1:]), of_leaves.dtype)
        whole[tree.leaves] = of_leaves
        add = merge_upwards if table.task == "number" and whole.ndim == 2 else sum_upwards
        add(tree.parent, whole if whole.ndim == 2 else whole[:, None])
        counts.append(whole)
    if share is not None:
        begin = np.append(start, rows.size)
        first, last = (np.searchsorted(tree.leaves, at) for at in (np.arange(tree.n_nodes), tree.end))
        for i in np.flatnonzero(tree.n_branches).tolist():
            parts = table.part[np.unique(rows[begin[first[i]] : begin[last[i]]])]
            counts[2][i], counts[3][i] = (np.count_nonzero(parts == part) for part in (TRAIN, VALIDATION))
    return counts


def filled(tree: AnyTree, table: Table, assignment: Assignment | None = None) -> AnyTree:
    """The tree with the medians and histograms of the nodes that lack them; itself when it needs none.

    Args:
        tree: one that predicts a number; another one comes back as it is.
        table: the table that it is counted on.
        assignment: which rows stand in which node, if at hand.
    """
    n_bins = len(tree.bin_edges) + 1 if tree.bin_edges else 0
    if not (n_bins or tree.predicts_median):
        return tree
    nodes = tree.nodes
    of_median = np.isnan(nodes.deviation[:, 0]) & tree.predicts_median
    of_bins = np.full(tree.n_nodes, n_bins > 0)
    if nodes.histogram.shape[1] == n_bins:
        of_bins &= np.isnan(nodes.histogram).any(axis=1)
    if not (of_median.any() or of_bins.any()):
        return tree
    at = assignment or assign(table, tree)
    if of_median.any():
        nodes = _with_medians(tree, nodes, table, at, of_median)
    if of_bins.any():
        nodes = _with_histograms(tree, nodes, table, at, of_bins)
    return replace(tree, nodes=nodes)


def _with_medians(tree: TreeArrays, nodes: Nodes, table: Table, at: Assignment, lacking: NDArray[np.bool_]) -> Nodes:
    """The nodes with their medians and deviations; of all of them when an inner node lacks its own."""
    which = np.flatnonzero(lacking | (lacking & (tree.n_branches > 0)).any())
    median, deviation = nodes.median.copy(), nodes.deviation.copy()
    of = entries_of(table, at.rows, at.share)
    slices = of.rows, at.start, at.stop
    medians(*slices, which, tree.end, of.codes, of.y, of.part, of.weights, median, deviation)
    nodes = nodes._replace(median=tree.inherited(median, tree.rows_train == 0), deviation=deviation)
    predicted = replace(tree, nodes=nodes).predictions - tree.origin
    absolute_deviations(*slices, which, of.y, of.part, VALIDATION, of.weights, predicted, 1, deviation)
    other = which[predicted[which] != median[which]]  # what a person wrote instead
    absolute_deviations(*slices, other, of.y, of.part, TRAIN, of.weights, predicted, 0, deviation)
    return nodes


def _with_histograms(tree: TreeArrays, nodes: Nodes, table: Table, at: Assignment, lacking: NDArray[np.bool_]) -> Nodes:
    """The nodes with the training weight in each bin; values beyond the edges belong to the first or the last."""
    edges = np.array(tree.bin_edges)
    target = table.target_column
    bin_of_code = np.append(0, np.searchsorted(edges, target.values.astype(np.float64))).astype(np.uint16)
    same = nodes.histogram.shape[1] == edges.size + 1
    histogram = nodes.histogram.copy() if same else np.full((tree.n_nodes, edges.size + 1), np.nan)
    some, n_rows = np.zeros((int(lacking.sum()), edges.size + 1)), np.zeros(int(lacking.sum()), np.int64)
    of = entries_of(table, at.rows, at.share)
    slices = of.rows, at.start[lacking], at.stop[lacking]
    count_classes(*slices, bin_of_code[of.codes], of.part, of.weights, some, some.copy(), n_rows, n_rows)
    histogram[lacking] = some
    return nodes._replace(histogram=histogram)


# -- quantiles of all nodes, level by level, for box plots


BOX = (0.05, 0.25, 0.5, 0.75, 0.95)  # where the whiskers end, the box, and the median
MOST_WORK = 60_000_000  # rows of all nodes together: a long staircase over many rows would take minutes


def quantiles(
    table: Table, tree: TreeArrays, at: Assignment, part: str = "train", progress: Progress | None = None
) -> NDArray[np.float64]:
    """float64[n_nodes, 5] in units of the target: the least value that, with all below it, holds each share of `BOX` of
    the weight of a part ("train" or "validation") in the node; NaN without rows, all NaN where a tree is so deep that
    it would take minutes. Stopped, it leaves NaN for the levels that it did not reach."""
    found = np.full((tree.n_nodes, len(BOX)), np.nan)
    if table.counter is not None:
        return found
    here = table.part[at.rows] == (TRAIN if part == "train" else VALIDATION)
    before = np.concatenate(([0], np.cumsum(here)))
    start, stop = before[at.start], before[at.stop]
    if int((stop - start).sum()) > MOST_WORK:
        return found
    rows = at.rows[here]
    y = table.y[rows]
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    weights = weights if at.share is None else weights * at.share[here]
    ascending = np.argsort(y, kind="stable")
    for nodes in tree.levels:
        if progress is not None and progress.stopped:
            break
        nodes = nodes[stop[nodes] > start[nodes]]
        if nodes.size:
            found[nodes] = quantiles_of_slices(y, weights, ascending, start[nodes], stop[nodes])
    return found + tree.origin


def quantiles_of_slices(
    y: NDArray[np.float64], weights: NDArray[np.float64], ascending: NDArray[np.int64], start: NDArray[np.int64],
    stop: NDArray[np.int64],
) -> NDArray[np.float64]:  # fmt: skip
    """float64[n, 5] of slices of rows that are not empty; ascending: the places of y in ascending order."""
    sizes = stop - start
    owner = np.full(y.size, -1)
    owner[span(start, sizes)] = np.repeat(np.arange(start.size), sizes)
    order = ascending[owner[ascending] >= 0]
    order = order[np.argsort(owner[order], kind="stable")]  # by slice, ascending values within
    reached, last = np.cumsum(weights[order]), np.cumsum(sizes)
    base = np.concatenate(([0.0], reached[last[:-1] - 1]))
    total = reached[last - 1] - base
    # Sums of weights are rounded: a share that is reached but for that counts as reached.
    found = np.searchsorted(reached, base[:, None] + total[:, None] * (np.array(BOX) - 1e-9))
    return y[order][np.clip(found, (last - sizes)[:, None], (last - 1)[:, None])]
