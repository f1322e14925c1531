"""Single passes from the leaves up that make a leaf of every node whose branches do not pay."""

import numpy as np

from engine.kernels import jit

TIE = 1e-12  # differences below this share of what is compared are rounding


@jit
def cheapest_by_charges(leaf, split, parent, n_branches, kept):
    """The cheapest pruning where leaves and splits have charges of their own; ties go to the leaf.

    Args:
        leaf: float64[n], the charge of each node as a leaf. split: float64[n], that of its split. Nodes in preorder.
        kept: bool[n], splits that never go; those above them have to be kept, too.

    Returns:
        (float64[n], the charge of each split with the cheapest of what is below it, of leaves their own; bool[n], the
        nodes that are better as a leaf).
    """
    n = leaf.size
    branch, cut = np.zeros(n), np.zeros(n, np.bool_)
    for i in range(n):
        v = n - 1 - i
        if n_branches[v] == 0:
            branch[v] = leaf[v]
        else:
            branch[v] += split[v]
            cut[v] = not kept[v] and leaf[v] <= branch[v] + TIE * max(abs(leaf[v]), abs(branch[v]))
        if v > 0:
            branch[parent[v]] += leaf[v] if cut[v] else branch[v]
    return branch, cut


@jit
def kearns_mansour_pass(errors, weight, rows, parent, n_branches, level, kept, ln_paths, ln_trees, certain, factor):
    """The bottom-up pass of Kearns and Mansour (1998): a node becomes a leaf if its branches, as they are by then, are
    not better by more than α(m_v, n_v, ℓ_v, δ).

    Args:
        errors: float64[n], the weight of the errors of each node as a leaf. weight: float64[n], that of its rows.
        rows: int64[n], the training rows of each node, m_v.
        level: int32[n], its depth ℓ_v.
        kept: bool[n], splits that never go; those above them have to be kept, too.
        ln_paths, ln_trees: float64, see `engine.bounds.log_capacities`.
        certain: ln(m/δ). factor: c.

    Returns:
        (float64[n], the errors of what was left of each branch when its node was asked; float64[n], α; bool[n], the
        nodes that became leaves).
    """
    n = errors.size
    below, alpha, cut = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    size = np.ones(n, np.int64)  # n_v, leaves and splits of what is left
    for i in range(n):
        v = n - 1 - i
        if n_branches[v] == 0:
            below[v] = errors[v]
        else:
            rich = ln_paths[level[v]] + ln_trees[size[v]] + certain
            alpha[v] = factor * np.sqrt(rich / rows[v]) if rows[v] > 0 else np.inf
            if not kept[v]:
                better = (errors[v] - below[v]) / weight[v] if weight[v] > 0.0 else 0.0
                cut[v] = better <= alpha[v] + TIE
        if v > 0:
            below[parent[v]] += errors[v] if cut[v] else below[v]
            size[parent[v]] += 1 if cut[v] else size[v]
    return below, alpha, cut
