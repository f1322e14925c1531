"""From the leaves up: what of every branch remains that is better by more than chance allows."""

import numpy as np

from engine.runtime.compiler import jit

TIE = 1e-12  # differences below this share of what is compared are rounding


@jit
def kearns_mansour_pass(errors, weight, rows, parent, n_branches, level, kept, ln_paths, ln_trees, certain, factor):
    """The bottom-up pass of Kearns and Mansour (1998): a node becomes a leaf if its branches, as they are by then, are
    not better by more than α(m_v, n_v, ℓ_v, δ).

    Args:
        errors: float64[n], the weight of the errors of each node as a leaf. weight: float64[n], that of its rows.
        rows: int64[n], the training rows of each node, m_v.
        level: int32[n], its depth ℓ_v.
        kept: bool[n], splits that never go; those above them have to be kept, too.
        ln_paths, ln_trees: float64, see `engine.theory.bounds.log_capacities`.
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
