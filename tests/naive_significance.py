"""Permutation tests, slow and obvious: every partition of a small table, tried on every permutation of its target."""

from itertools import product

import numpy as np


def partitions(form, k):
    """Each a list of groups of cells: all cuts, all two groups, one against the rest, or all apart."""
    if form == "each":
        return [[[cell] for cell in range(k)]]
    if form == "cuts":
        lefts = [list(range(cut)) for cut in range(1, k)]
    elif form == "one":
        lefts = [[cell] for cell in range(k)]
    else:
        sides = [side for side in product((False, True), repeat=k - 1) if any(side)]
        lefts = [[cell + 1 for cell in range(k - 1) if side[cell]] for side in sides]
    return [[left, [cell for cell in range(k) if cell not in left]] for left in lefts]


def best_of_permutations(y, weights, sizes, some, permutations, seed):
    """float64[permutations]: what the best of some partitions explains, rows and weights permuted together."""
    random, cell, best = np.random.default_rng(seed), np.repeat(np.arange(len(sizes)), sizes), np.zeros(permutations)
    inside = np.eye(len(sizes))[:, cell]
    mean, whole = np.average(y, axis=0, weights=weights), weights.sum()
    scale = np.average((y - mean) ** 2, axis=0, weights=weights)[0] if y.shape[1] == 1 else 1.0
    orders = np.array([random.permutation(y.shape[0]) for _ in range(permutations)])
    w = weights[orders] @ inside.T  # (permutation, cell)
    sums = inside @ (weights[:, None] * (y - mean))[orders]  # (permutation, cell, number or class)
    for groups in some:
        of_groups = [(sums[:, group].sum(axis=1) ** 2).sum(axis=1) / w[:, group].sum(axis=1) for group in groups]
        best = np.maximum(best, sum(of_groups) / whole / scale)
    return best
