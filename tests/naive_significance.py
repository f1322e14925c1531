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
    for i in range(permutations):
        order = random.permutation(y.shape[0])
        w = inside @ weights[order]
        sums = inside @ (weights[order, None] * (y[order] - mean))
        for groups in some:
            total = sum((sums[group].sum(axis=0) ** 2).sum() / max(w[group].sum(), 1e-300) for group in groups)
            best[i] = max(best[i], total / whole / scale)
    return best
