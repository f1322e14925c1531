"""How the target lies in the nodes beyond its mean: medians, absolute deviations, and histograms p(y|S).

Neither follows from the counts of a node's branches, so a tree looks at the rows of its nodes for them, and only where
its leaves predict medians or it has bins. They are filled in after an edit, for the nodes that it made.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.table.partition import TRAIN, VALIDATION
from engine.table.table import Table
from engine.tree.arrays import AnyTree, TreeArrays
from engine.tree.assignment import Assignment, assign
from engine.tree.kernels.distribution import deviations_of_part, histograms, medians
from engine.tree.nodes import Nodes


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
    rows, weights = (at.rows, at.start, at.stop), _weights(table)
    shape, codes = (tree.parent, tree.end, tree.n_branches), _codes(table)
    medians(*rows, which, *shape, codes, table.y, table.part, weights, median, deviation)
    nodes = nodes._replace(median=median, deviation=deviation)
    predicted = replace(tree, nodes=nodes).predictions - tree.origin
    deviations_of_part(*rows, which, table.y, table.part, VALIDATION, weights, predicted, 1, deviation)
    other = which[predicted[which] != median[which]]  # what a person wrote instead
    deviations_of_part(*rows, other, table.y, table.part, TRAIN, weights, predicted, 0, deviation)
    return nodes


def _with_histograms(tree: TreeArrays, nodes: Nodes, table: Table, at: Assignment, lacking: NDArray[np.bool_]) -> Nodes:
    """The nodes with the training weight in each bin; values beyond the edges belong to the first or the last."""
    edges = np.array(tree.bin_edges)
    target = table.target_column
    bin_of_code = np.append(0, np.searchsorted(edges, target.values.astype(np.float64)))
    same = nodes.histogram.shape[1] == edges.size + 1
    histogram = nodes.histogram.copy() if same else np.full((tree.n_nodes, edges.size + 1), np.nan)
    rows = at.rows, at.start, at.stop, np.flatnonzero(lacking)
    histograms(*rows, _codes(table), bin_of_code, table.part, _weights(table), histogram)
    return nodes._replace(histogram=histogram)


def _codes(table: Table) -> NDArray[np.uint32]:
    """The ranks of the targets, of one width whatever the column's."""
    return table.target_column.codes.astype(np.uint32, copy=False)


def _weights(table: Table) -> NDArray[np.float64]:
    return np.zeros(0) if table.weights is None else table.weights
