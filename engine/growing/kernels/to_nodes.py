"""From the records of grown nodes (see `subtrees`) to what the arrays of a tree need, one pass each.

    record    [ N_ROWS 90  N_BRANCHES 2  COLUMN 1  LOW 17  HIGH 20  ... ]     one row of 32 bytes for each node
    columns   [ ... | CUT  500 values  numeric  place 4 | ... ]               one row for each column that was searched
    fields    n_branches 2   kind 1   column 4   missing 0   size 0 ...       one array for each

All fields are written in one pass, since what takes the time is to bring the records, megabytes of them, from memory.
"""

import numpy as np

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import ROUNDING, impurity, weight
from engine.runtime.compiler import jit
from engine.search.kernels.rules import ALONE, COLUMN, HIGH, LOW, MISSING, N_BRANCHES, N_PAIRS, N_ROWS, PAYLOAD
from engine.search.kernels.split_kinds import BUCKETS, CUT, GROUPS, MULTIWAY, ONE_VS_REST, POOLED

WAY, N_VALUES, NUMERIC, PLACE = 0, 1, 2, 3  # what is known of a column
N_FACTS = 4


@jit
def write_fields(nodes, columns, n_branches, kind, column, missing, size, n_rows):
    """Writes what a node's record alone tells, for every node; leaves get zeros and the column -1.

    nodes: int32[n, N_FIELDS]; columns: int64[C, N_FACTS], PLACE is that in `Tree.columns`; written: n_branches, column
    and missing int32[n], kind int8[n], size int64[n] (numbers in the payload), n_rows int64[n].

    Returns:
        How many splits are by level.
    """
    by_level = 0
    for i in range(nodes.shape[0]):
        n_rows[i] = nodes[i, N_ROWS]
        j = nodes[i, COLUMN]
        if j < 0:
            n_branches[i], kind[i], column[i], missing[i], size[i] = 0, 0, -1, 0, 0
            continue
        way, values, branches = columns[j, WAY], columns[j, N_VALUES], nodes[i, N_BRANCHES]
        if way == MULTIWAY:
            branches = values
        elif way == POOLED and nodes[i, ALONE] < values:
            branches = nodes[i, ALONE] + 1
        n_branches[i], column[i], missing[i] = branches, columns[j, PLACE], nodes[i, MISSING]
        if columns[j, NUMERIC] == 1:
            kind[i] = 1
            size[i] = branches - 2 if way == BUCKETS else 0
            continue
        kind[i] = 2
        by_level += 1
        named = nodes[i, LOW] + (values - nodes[i, HIGH] + 1 if nodes[i, HIGH] > 0 else 0)
        if way in (GROUPS, ONE_VS_REST):
            named = nodes[i, N_PAIRS]
        elif way != CUT:
            named = values
        size[i] = 2 * named
    return by_level


@jit
def write_thresholds(nodes, column, place, values, threshold):
    """Writes the threshold of each cut of a numeric column, as `engine.splits.threshold_between` makes it.

    nodes: int32[n, N_FIELDS]; column: int32[n], the place of the column that each is split by; place: that of this
    one; values: float64[n_values]; threshold: float64[n].
    """
    for i in range(column.size):
        if column[i] != place:
            continue
        low, high = np.int64(nodes[i, LOW]), np.int64(nodes[i, HIGH])
        if high == 0:
            threshold[i] = np.inf
            continue
        below, above = values[low - 1], values[high - 1]
        middle = below / 2.0 + above / 2.0
        threshold[i] = middle if below <= middle < above else below


@jit
def larger_branches(parent, branch, stats, code):
    """int64[n]: the branch of every node with the most weight; of equals, up to rounding, the first.

    parent, branch: int32[n]; stats: float64[n, S].
    """
    largest = np.zeros(parent.size)
    larger = np.zeros(parent.size, np.int64)
    for i in range(parent.size):
        p = parent[i]
        if p >= 0:
            heaviness = weight(code, stats[i])
            if branch[i] == 0:
                largest[p] = heaviness
            elif heaviness * (1.0 - ROUNDING) > largest[p]:
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
        at, first = start[i], np.int64(nodes[i, PAYLOAD])
        stop = first + nodes[i, N_PAIRS]
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


@jit
def weighted_drops(code, stats, parent, drops):
    """Writes by how much each split lowers the impurity, float64[n], from the nodes' statistics alone.

        preorder      0        1      2        3      4       branches 2 0 2 0 0
        weighted      10       2      6        1      3       weight times impurity of each node
        drops         10-2-6   0      6-1-3    0      0       of each split; 0 for a leaf

    stats: float64[n, S], as in `engine.tree.Tree`; parent: int32[n], -1 for a root.
    """
    below = np.zeros(parent.size)
    is_split = np.zeros(parent.size, np.bool_)
    for i in range(parent.size - 1, -1, -1):
        mixed = stats[i, 2] if code & OF_SUMS else weight(code, stats[i]) * impurity(code, stats[i])
        drops[i] = mixed - below[i] if is_split[i] else 0.0
        if parent[i] >= 0:
            is_split[parent[i]] = True
            below[parent[i]] += mixed
