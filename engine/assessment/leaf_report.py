"""One table of all leaves: what a committee, or a mailing, is decided by."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.assessment.disagreement import compare_counts
from engine.assessment.intervals import ratio
from engine.assessment.leaf_counts import LeafCounts
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.assignment import Assignment
from engine.tree.counting import check_target
from engine.tree.rules import leaf_texts
from engine.tree.tree import Tree

Columns = Iterator[tuple[str, NDArray[np.generic]]]


def leaf_report(
    table: Table, tree: Tree, node: int = 0, focus: str | None = None, *, rules: bool = True,
    assignment: Assignment | None = None,
) -> pd.DataFrame:  # fmt: skip
    """The leaves of a tree, or of a branch of it, those first that give the focus class the highest probability, or
    predict the largest number; of equal ones those at the left.

    The columns, of the training rows; the same of the validation rows, where there are any, begin with `validation_`:

    - `node`, `rule`: the id, and the conditions on the way to it; empty for a tree of one leaf.
    - `prediction`, and of classes the `probability` of the focus class.
    - `rows`, and their `share` of the weight of all rows of the branch; where rows are weighted, also the `weight`.
    - of classes, `count: X` and `share: X` of each class X, the weight and its share in the leaf; of the focus class
      its `gain` (the share of all its rows that stand in the leaf), the `index` (its share in the leaf ÷ that in the
      branch) and of this leaf with all above it `cumulative_share`, `cumulative_gain`, `cumulative_response` (the share
      of the class in them) and `cumulative_index`. With priors or costs the mean `cost` of a row. With
      profits whether to `act` (not repeated for validation rows), the mean `profit` of a row, and the sum of profits
      `cumulative_profit`.
    - of numbers, their `mean` and `sd` (of a sample; with sampling weights of as many rows as they are worth), and of
      this leaf with all above it `cumulative_share` and `cumulative_mean`.
    - `p`, `p_adjusted`: how probable so great a difference of training and validation rows is by chance, in this leaf
      and adjusted for all that are listed, see `compare_parts`; with validation rows only.

    Without rows in a leaf its shares, means and costs are nan, as is a gain or an index without rows of the focus class
    in the branch. Rows that are kept for the test are not looked at.

    Args:
        table: its rows are counted, whatever the tree was counted on; by that the tree predicts.
        tree: the tree.
        node: the branch.
        focus: the class; by default the one with the fewest training rows, of equal ones the last.
        rules: whether there is a column `rule`; of very many leaves the words take nine tenths of the time.
        assignment: which rows stand in which node, if at hand.

    Raises:
        InputError: no such node or class, the table has another target, or a split does not bind to it.
    """
    check_target(tree, table)
    top = tree.position(node)
    parts = {part: LeafCounts(table, tree, part, top, assignment) for part in ("train", "validation")}
    train = parts["train"]
    ids = tree.ids[train.leaves]
    columns: dict[str, NDArray[np.generic]] = {"node": ids}
    if rules:
        columns["rule"] = np.array(leaf_texts(tree, train.leaves), dtype=object)
    if tree.task == "classes":
        k = _focus(train, focus)
        known = k < len(tree.classes)
        order_by = tree.probabilities[train.leaves, k] if known else np.zeros(ids.size)
        columns["prediction"] = np.array(tree.classes, dtype=object)[tree.labels[train.leaves]]
        columns["probability"] = order_by
    else:
        k, order_by = 0, tree.predictions[train.leaves]
        columns["prediction"] = order_by
    order = np.argsort(-order_by, kind="stable")
    columns = {name: array[order] for name, array in columns.items()}
    for part, of in parts.items():
        if part == "validation" and not table.n_validation:
            break
        prefix = "" if part == "train" else "validation_"
        made = _of_classes(of, k, order) if tree.task == "classes" else _of_numbers(of, order)
        columns |= {prefix + name: array for name, array in (*_of_rows(of, order), *made)}
    if table.n_validation:
        counts = np.stack([of.counts for of in parts.values()], axis=1)
        found = compare_counts(tree.task, counts, np.column_stack([of.effective for of in parts.values()]))
        columns |= {"p": found.p[order], "p_adjusted": found.adjusted[order]}
    return pd.DataFrame(columns)


def _focus(train: LeafCounts, name: str | None) -> int:
    """The index of the focus class."""
    if name is None:
        counts = train.counts.sum(axis=0)
        counts = np.where(counts > 0, counts, np.inf)
        return int(counts.size - 1 - np.argmin(counts[::-1]))
    if name not in train.classes:
        said = {"name": name, "classes": ", ".join(train.classes)}
        raise InputError(tr("There is no class “{name}”; the classes are {classes}.", **said))
    return train.classes.index(name)


def _of_rows(of: LeafCounts, order: NDArray[np.intp]) -> Columns:
    yield "rows", of.rows_of_leaf[order]
    if of.table.weights is not None:
        yield "weight", of.weight[order]
    yield "share", ratio(of.weight, of.weight.sum())[order]


def _of_classes(of: LeafCounts, k: int, order: NDArray[np.intp]) -> Columns:
    weight, hits = of.weight[order], of.counts[order, k]
    known = [(c, name) for c, name in enumerate(of.classes) if name not in of.table.sealed_classes]
    for c, name in known:
        yield f"count: {name}", of.counts[order, c]
    for c, name in known:
        yield f"share: {name}", ratio(of.counts[order, c], weight)
    base = ratio(hits.sum(keepdims=True), weight.sum())[0]
    weights, all_hits = np.cumsum(weight), np.cumsum(hits)
    yield "gain", ratio(hits, hits.sum())
    yield "index", ratio(ratio(hits, weight), base)
    yield "cumulative_share", ratio(weights, weight.sum())
    yield "cumulative_gain", ratio(all_hits, hits.sum())
    yield "cumulative_response", ratio(all_hits, weights)
    yield "cumulative_index", ratio(ratio(all_hits, weights), base)
    if of.tree.leaf_rule.weighs_mistakes:
        yield "cost", of.mean_costs[order]
    if of.tree.leaf_rule.profits:
        if of.part == "train":
            yield "act", of.tree.acts[of.leaves][order]
        yield "profit", ratio(of.profit, of.reweighed)[order]
        yield "cumulative_profit", np.cumsum(of.profit[order])


def _of_numbers(of: LeafCounts, order: NDArray[np.intp]) -> Columns:
    (weight, sums, squares), rows = of.counts[order].T, of.effective[order]
    weights, origin = np.cumsum(weight), of.tree.origin
    yield "mean", ratio(sums, weight) + origin
    yield "sd", np.sqrt(ratio(ratio(squares, weight) * rows, rows - 1))
    yield "cumulative_share", ratio(weights, weight.sum())
    yield "cumulative_mean", ratio(np.cumsum(sums), weights) + origin
