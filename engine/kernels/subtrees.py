"""Growing whole subtrees in one call, on lists small enough for the processor's cache."""

import numpy as np

from engine.kernels import jit
from engine.kernels.growth import (
    COLUMN,
    HIGH,
    LOW,
    N_FIELDS,
    N_PAIRS,
    N_ROWS,
    PAYLOAD,
    describe,
    make_room,
    search_columns,
)
from engine.kernels.impurity import centre_of, centred_squares
from engine.kernels.lists import Target, add_row, is_pure, partition_lists
from engine.kernels.ways import is_cut


@jit
def find_centre(rows, start, stop, target):
    """The number from which the targets of a node are measured; see `centre_of`."""
    weight, total = 0.0, 0.0
    low, high = np.inf, -np.inf
    for k in range(start, stop):
        row = rows[0, k]
        value = target.numbers[row]
        share = target.weights[row] if target.weights.size else 1.0
        weight += share
        total += share * value
        low, high = min(low, value), max(high, value)
    return centre_of(total, weight, low, high)


@jit
def sum_node(rows, start, stop, target, stats, i, about):
    """Counts the rows start..stop - 1 of the first list into stats[i] and about[0]; returns the target for a search.

    Args:
        stats: float64[·, S], as in `engine.tree.Tree`; about: float64[1, S], for a number the sums around the centre
            of the target that is returned; both written.
    """
    around = target
    if target.labels.size == 0:
        around = Target(target.labels, target.numbers, target.weights, find_centre(rows, start, stop, target))
    for c in range(stats.shape[1]):
        about[0, c] = 0.0
    for k in range(start, stop):
        add_row(about, 0, rows[0, k], around)
    for c in range(stats.shape[1]):
        stats[i, c] = about[0, c]
    if target.labels.size == 0:
        weight, total = about[0, 0], about[0, 1]
        stats[i, 1] = total + weight * around.centre
        stats[i, 2] = centred_squares(weight, total, about[0, 2])
    return around


@jit
def may_split(rows, start, stop, target, rules):
    """Whether a node with these rows is worth a search: large enough, and not pure."""
    return stop - start >= max(rules.min_rows, 2 * rules.min_leaf) and not is_pure(rows, start, stop, target)


@jit
def any_may_split(rows, start, starts, target, rules):
    """Whether any branch of a node is worth a search; starts: int64[n_branches + 1], from `start` on."""
    for branch in range(starts.size - 1):
        if may_split(rows, start + starts[branch], start + starts[branch + 1], target, rules):
            return True
    return False


@jit
def move_apart(lists, start, stop, side, starts, levels, target, rules, spare_rows, spare_codes):
    """Partitions all lists of a node; only the first one when no branch will be searched.

    levels: how many may grow below the branches.
    """
    first, last = 0, 1
    while first < last:
        partition_lists(lists, first, last, start, stop, side, starts, spare_rows, spare_codes)
        first = last
        if levels > 0 and any_may_split(lists[0], start, starts, target, rules):
            last = lists[0].shape[0]


@jit
def keep_pairs(pairs, used, codes, j, start, stop, branch):
    """Appends (code, branch) of the values present at a node to uint32[·, 2]; returns (it, larger if need be, its
    end).

    codes: unsigned integer[C, ·], the node is j, start..stop - 1; branch: uint16, of each value.
    """
    runs = np.int64(codes[j, start] != 0)
    for k in range(start + 1, stop):
        runs += np.int64(codes[j, k] != codes[j, k - 1])
    if used + runs > pairs.shape[0]:
        larger = np.empty((2 * pairs.shape[0] + runs, 2), np.uint32)
        for k in range(used):  # not as slices: their assignment brings seconds of other code to compile
            larger[k, 0], larger[k, 1] = pairs[k, 0], pairs[k, 1]
        pairs = larger
    first, last = used, 0
    for k in range(start, stop):
        if codes[j, k] != last:
            last = codes[j, k]
            pairs[used, 0], pairs[used, 1] = last, branch[used - first]
            used += 1
    return pairs, used


@jit
def grow_subtrees(lists, original, ways, target, rules, roots, levels, n_stats, flag, settled):
    """Grows everything below several nodes, depth first.

    Args:
        lists: (rows, codes), uint32[C, n] each, numbered by `compact_lists`; reordered;
        original: uint32[C, n + 1], the table's code behind each rank; ways: int64[C];
        target: by these row numbers; roots: int64[n_roots + 1], the slices of the nodes, none of them empty;
        levels: int64[n_roots], how many levels may grow below each; n_stats: S;
        flag: uint8[1], 1 to stop: what is open becomes a leaf; settled: int64[1], raised by the rows in leaves.

    Returns:
        nodes int64[m, N_FIELDS] in preorder, root after root; stats float64[m, S], as in `engine.tree.Tree`;
        pairs uint32[p, 2]: (code, branch) of the values present; firsts int64[n_roots + 1]: where the nodes of
        each root begin.
    """
    rows, codes = lists
    n = rows.shape[1]
    nodes = np.zeros((2 * n, N_FIELDS), np.int64)
    stats, about = np.zeros((2 * n, n_stats)), np.zeros((1, n_stats))
    pairs = np.empty((n, 2), np.uint32)
    firsts = np.zeros(levels.size + 1, np.int64)
    used, n_nodes = 0, 0
    room = make_room(n, n, n_stats, rows.shape[0])
    side, spare_rows, spare_codes = np.empty(n, np.uint16), np.empty(n, np.uint32), np.empty(n, np.uint32)
    stack = np.empty((n + 1, 3), np.int64)
    for root in range(levels.size):
        stack[0, 0], stack[0, 1], stack[0, 2] = roots[root], roots[root + 1], levels[root]
        top = 1
        while top > 0:
            top -= 1
            start, stop, left = stack[top, 0], stack[top, 1], stack[top, 2]
            i, record = n_nodes, nodes[n_nodes]
            record[N_ROWS], record[COLUMN] = stop - start, -1
            around = sum_node(rows, start, stop, target, stats, i, about)
            n_nodes += 1
            j = -1
            if left > 0 and flag[0] == 0 and may_split(rows, start, stop, target, rules):
                j = search_columns(lists, start, stop, ways, around, about, 0, rules, room)
            if j < 0:
                settled[0] += stop - start
                continue
            starts = describe(lists, j, start, stop, ways[j], room, side, record)
            if is_cut(ways[j]):
                record[LOW], record[HIGH] = original[j, record[LOW]], original[j, record[HIGH]]
            else:
                first = used
                pairs, used = keep_pairs(pairs, used, codes, j, start, stop, room.branch)
                for k in range(first, used):
                    pairs[k, 0] = original[j, pairs[k, 0]]
                record[PAYLOAD], record[N_PAIRS] = first, used - first
            move_apart(lists, start, stop, side, starts, left - 1, target, rules, spare_rows, spare_codes)
            for branch in range(starts.size - 2, -1, -1):
                stack[top, 0], stack[top, 1] = start + starts[branch], start + starts[branch + 1]
                stack[top, 2] = left - 1
                top += 1
        firsts[root + 1] = n_nodes
    return nodes[:n_nodes].copy(), stats[:n_nodes].copy(), pairs[:used].copy(), firsts
