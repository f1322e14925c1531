"""From the records of grown nodes (see `growth`) to what the arrays of a tree need, one pass each."""

import numpy as np

from engine.kernels import jit
from engine.kernels.gain import ROUNDING
from engine.kernels.growth import HIGH, LOW, N_PAIRS, PAYLOAD
from engine.kernels.impurity import weight
from engine.kernels.ways import GROUPS, MULTIWAY, ONE_VS_REST, POOLED


@jit
def larger_branches(parent, branch, n_branches, stats, code):
    """int64[n]: the branch of every node with the most weight; of two within rounding, or of equals, the first.

    parent, branch: int32[n]; n_branches: int64[n], with the branches that got no rows; stats: float64[n, S].
    """
    largest = np.zeros(parent.size)
    larger = np.zeros(parent.size, np.int64)
    for i in range(parent.size):
        p = parent[i]
        if p >= 0:
            heaviness = weight(code, stats[i])
            if branch[i] == 0:
                largest[p] = heaviness
            elif heaviness * (1.0 - ROUNDING if n_branches[p] == 2 else 1.0) > largest[p]:
                largest[p], larger[p] = heaviness, branch[i]
    return larger


@jit
def write_levels(nodes, which, ways, n_values, n_branches, pairs, start, payload):
    """Writes (level, branch) pairs, levels ascending, into float64 `payload` from start[i] on for each node of `which`.

    ways, n_values: int64[n], of the column that splits each node; n_branches: int64[n], with those that got no rows.
    A cut of ordered levels leaves out those between the two that the training rows show; a split into all levels
    names them all, and of pooled ones those without rows go into the last branch.
    """
    for i in which:
        at = start[i]
        first, stop = nodes[i, PAYLOAD], nodes[i, PAYLOAD] + nodes[i, N_PAIRS]
        if ways[i] == POOLED:
            for level in range(n_values[i]):
                payload[at + 2 * level], payload[at + 2 * level + 1] = level, n_branches[i] - 1
            for k in range(first, stop):
                payload[at + 2 * np.int64(pairs[k, 0]) - 1] = pairs[k, 1]
            continue
        if ways[i] in (GROUPS, ONE_VS_REST):
            for k in range(first, stop):
                payload[at], payload[at + 1] = np.float64(pairs[k, 0]) - 1.0, pairs[k, 1]
                at += 2
            continue
        for level in range(n_values[i]):
            if ways[i] == MULTIWAY:
                branch = level
            elif level < nodes[i, LOW]:
                branch = 0
            elif 0 < nodes[i, HIGH] <= level + 1:
                branch = 1
            else:
                continue
            payload[at], payload[at + 1] = level, branch
            at += 2


@jit
def places_among_all(nodes, parent, branch, end, n_branches, ways, pairs):
    """Where each node stands once the branches without rows have their place, too: int64[n + 1], the last the total.

    Only nodes split into all levels have such branches: the one with rows that comes `branch`-th stands for the
    level of its pair. Where levels are pooled, the last branch may be without rows.
    """
    places = np.empty(parent.size + 1, np.int64)
    done = np.zeros(parent.size, np.int64)  # branches of each node that have their place
    place = 0
    for i in range(parent.size):
        p = parent[i]
        if p >= 0:
            level = np.int64(branch[i])
            if ways[p] == MULTIWAY:
                level = np.int64(pairs[nodes[p, PAYLOAD] + branch[i], 0]) - 1
            place += level - done[p]
            done[p] = level + 1
        places[i] = place
        place += 1
        over = i
        while over >= 0 and end[over] == i + 1:
            place += n_branches[over] - done[over]
            over = parent[over]
    places[parent.size] = place
    return places
