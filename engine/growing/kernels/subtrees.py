"""Growing whole subtrees in one call, on cells small enough for the processor's cache.

    nodes         0 ── 1 ── 2      preorder: one row of int32 for each, see `engine.search.kernels.rules`
                  │    └─── 3      a node is a slice of all lists; its split moves the slices apart, so that
                  └─── 4           its branches are slices again
    stack         4 3              slices that wait

Nothing is allocated for a node, and only lists that will be searched are moved: where nodes become tiny, only list 0,
which says what rows they have, see `engine.growing.kernels.tiny`.
"""

from typing import NamedTuple

import numpy as np

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels import centre_of, centred_squares, impurity, weight
from engine.growing.kernels.cells import (
    LEFT,
    RIGHT,
    ROW,
    code_at,
    first_present,
    is_pure,
    part_in_many,
    part_in_two,
    rows_of,
    sum_rows,
)
from engine.growing.kernels.draw import forget_splits, has_split, key_below, open_columns
from engine.growing.kernels.scan import bare_desk, choose, search_node, search_runs_of
from engine.growing.kernels.scores import NO_SCORE, bare_tables, is_copied
from engine.growing.kernels.tiny import MOST, bare_tiny_desk, search_tiny_node, write_lists
from engine.runtime.compiler import bare, jit, jit_inside, jit_long, jit_part
from engine.search.kernels.count import Target
from engine.search.kernels.rules import (
    ALONE,
    AT,
    BRANCHES,
    COLUMN,
    HIGH,
    LOW,
    MISSING,
    N_BRANCHES,
    N_FIELDS,
    N_PAIRS,
    N_ROWS,
    PAYLOAD,
    WAY,
)
from engine.search.kernels.split_kinds import CUT, is_cut

LEAST_VARIANCE, MOST_VARIANCE = 1e-250, 1e250  # between these, scores of tiny nodes are good to 1e-14


@jit_inside
def find_centre(cells, start, stop, numbers, weights):
    """The number from which the targets of a node are measured; see `centre_of`."""
    weight, total, weighted = 0.0, 0.0, weights.size > 0
    low, high = np.inf, -np.inf
    for k in range(start, stop):
        row = cells[0, k] & ROW
        value = numbers[row]
        share = weights[row] if weighted else 1.0
        weight += share
        total += share * value
        low, high = min(low, value), max(high, value)
    return centre_of(total, weight, low, high)


@jit_part
def sum_node(cells, start, stop, labels, numbers, weights, stats, i, about):
    """Counts the rows of a node into stats[i] and about[0]; returns the centre of a numeric target, else 0.

    Args:
        stats: float64[·, S], as in `engine.tree.Tree`; about: float64[1, S], for a number the sums around the centre;
            both written.
    """
    number = labels.size == 0
    centre = find_centre(cells, start, stop, numbers, weights) if number else 0.0
    sum_rows(cells, 0, start, stop, labels, numbers, weights, centre, about, 0)
    for c in range(stats.shape[1]):
        stats[i, c] = about[0, c]
    if number:
        weight, total = about[0, 0], about[0, 1]
        stats[i, 1] = total + weight * centre
        stats[i, 2] = centred_squares(weight, total, about[0, 2])
    return centre


@jit_inside
def mark_cut(cells, j, start, stop, at, missing, side, starts):
    """Writes the branch of every row of a node that is cut behind the first `at` cells of list j.

    Args:
        missing: the branch of rows without a value; side: uint16 by row, written; starts: int64[≥ 3], written: where
            the branches begin, relative to `start`.

    Returns:
        Whether list j is in the order of the branches already.
    """
    begin = first_present(cells, j, start, stop)
    for k in range(start, begin):
        side[cells[j, k] & ROW] = missing
    for k in range(begin, start + at):
        side[cells[j, k] & ROW] = 0
    for k in range(start + at, stop):
        side[cells[j, k] & ROW] = 1
    starts[0], starts[2] = 0, stop - start
    starts[1] = at if missing == 0 else start + at - begin
    return missing == 0 or begin == start


@jit_inside
def mark_values(cells, j, start, stop, branch, missing, n_branches, side, starts, pairs, used, original):
    """The same for a split by value, branch: uint16, of every value present; returns how many pairs there are then.

    pairs: uint32[≥ used + values, 2]: the (code, branch) of the values present are appended; original: uint32[C, ·].
    """
    for b in range(n_branches + 1):
        starts[b] = 0
    last, into, first = 0, np.int64(missing), used
    for k in range(start, stop):
        code = code_at(cells, j, k)
        if code != last:
            last, into = code, np.int64(branch[used - first])
            pairs[used, 0], pairs[used, 1] = original[j, code], into
            used += 1
        side[cells[j, k] & ROW] = into
        starts[into + 1] += 1
    for b in range(n_branches):
        starts[b + 1] += starts[b]
    return used


@jit_inside
def room_for(pairs, used, more):
    """uint32[≥ used + more, 2] that begins with the first `used` pairs: the same array where it is large enough."""
    if used + more <= pairs.shape[0]:
        return pairs
    larger = np.empty((2 * pairs.shape[0] + more, 2), np.uint32)
    for k in range(used):  # not as slices: their assignment brings seconds of other code to compile
        larger[k, 0], larger[k, 1] = pairs[k, 0], pairs[k, 1]
    return larger


@jit_part
def need_lists(cells, start, starts, n_branches, labels, numbers, weights, copied, least, tiny):
    """Which branches are worth a search that needs lists, those of more than `tiny` rows: LEFT for the first one and
    RIGHT for any other, added up; 0 for none.

    Branch b gets [starts[b], starts[b + 1]) from `start` on.
    """
    found = 0
    for b in range(n_branches):
        first, last = start + starts[b], start + starts[b + 1]
        rows = rows_of(cells, 0, first, last, weights, copied)
        if rows > tiny and rows >= least and not is_pure(cells, first, last, labels, numbers):
            found |= LEFT if b == 0 else RIGHT
    return found


@jit_part
def split_two(cells, start, by_row, ways, original, nodes, i):
    """Splits a node of two rows whose targets differ, by the first column that tells them apart; writes record i.

    Every such column gains the same, so that nothing has to be compared.

    Args:
        by_row: uint16[n, C], of the `tiny.TinyDesk`; ways: int64[C], `draw.CLOSED` of columns that are left out.

    Returns:
        Whether this is the answer, a leaf if there is no such column; the two cells of list 0 are in order then. Else
        a value is missing.
    """
    first, second = cells[0, start], cells[0, start + 1]
    a, b = np.uintp(first & ROW), np.uintp(second & ROW)
    for column in range(by_row.shape[1]):
        j = np.uintp(column)
        low, high = by_row[a, j], by_row[b, j]
        if low != high and ways[j] == CUT:
            if low == 0 or high == 0:
                return False
            if low > high:
                low, high = high, low
                cells[0, start], cells[0, start + 1] = second, first
            nodes[i, COLUMN], nodes[i, N_BRANCHES] = column, 2
            nodes[i, LOW], nodes[i, HIGH] = original[j, low], original[j, high]
            return True
    return True


@jit_part
def push(stack, top, start, stop, levels, key):
    """Lets a slice wait below which so many levels may grow; key: of the node, see `draw`."""
    stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = start, stop, levels, key


class Growth(NamedTuple):
    """Arrays that growing writes in, for blocks of up to n rows.

    nodes: int32[2n, N_FIELDS] and stats: float64[2n, S], the answer; firsts: int64[roots + 1], where the nodes of each
    root begin. about: float64[1, S], the statistic of the node at hand. side: uint16[n], the branch of each row; spare:
    uint32[n], starts: int64[n + 2], cursor: int64[n + 1], room for moving rows; stack: int64[n + 1, 4].
    """

    nodes: np.ndarray
    stats: np.ndarray
    firsts: np.ndarray
    about: np.ndarray
    side: np.ndarray
    spare: np.ndarray
    starts: np.ndarray
    cursor: np.ndarray
    stack: np.ndarray


@jit_long
def grow_subtrees(cells, original, ways, target, rules, roots, levels, draw, growth, desk, tables, few, progress):
    """Grows everything below several nodes, depth first.

    Args:
        cells: uint32[C, n], see `engine.growing.kernels.cells`; reordered;
        original: uint32[C, n + 1], the table's code behind each rank; ways: int64[C];
        target: by these row numbers; its weights are copies if the kind of `tables` is in `scores.COUNTED`;
        roots: int64[n_roots + 1], the slices of the nodes, none of them empty;
        levels: int64[n_roots], how many levels may grow below each;
        draw: a `draw.Draw`, which columns are searched at each node;
        growth, desk, tables, few: a `Growth`, whose nodes in preorder, root after root, are the answer, and the arrays
            that searches write in;
        progress: flag uint8[1], 1 to stop: what is open becomes a leaf; settled int64[1], raised by the rows in leaves.

    Returns:
        (how many nodes, how many pairs, uint32[≥ pairs, 2]: (code, branch) of the values present).
    """
    cells, original, ways = bare(cells), bare(original), bare(ways)
    labels, numbers, weights = bare(target.labels), bare(target.numbers), bare(target.weights)
    nodes, stats, firsts, about = bare(growth.nodes), bare(growth.stats), bare(growth.firsts), bare(growth.about)
    side, spare, stack = bare(growth.side), bare(growth.spare), bare(growth.stack)
    starts, cursor = bare(growth.starts), bare(growth.cursor)
    flag, settled = bare(progress[0]), bare(progress[1])
    desk, tables, few = bare_desk(desk), bare_tables(tables), bare_tiny_desk(few, cells)
    keys, per_node, order, chosen = bare(draw.keys), draw.n_columns, bare(draw.order), bare(draw.chosen)
    searched = chosen if per_node > 0 else ways
    columns, branch_of, by_row = desk.columns, desk.branch, few.by_row
    code, min_gain, crowded = rules.criterion, rules.min_gain, rules.crowded
    least, n_columns, pairs = max(rules.rows_to_split, 1), cells.shape[0], np.empty((16, 2), np.uint32)
    copied = is_copied(tables.kind, weights)
    any_by_runs = tables.kind == NO_SCORE  # whether a column is searched by its runs
    for j in range(ways.size):
        any_by_runs |= ways[j] != CUT
    tiny = MOST if by_row.size else 0
    used, n_nodes = 0, 0
    for root in range(levels.size):
        push(stack, 0, roots[root], roots[root + 1], levels[root], keys[root])
        top = 1
        while top > 0:
            top -= 1
            start, stop, left, key = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
            i = n_nodes
            for f in range(N_FIELDS):
                nodes[i, f] = 0
            rows = rows_of(cells, 0, start, stop, weights, copied)
            nodes[i, N_ROWS], nodes[i, COLUMN] = rows, -1
            centre = sum_node(cells, start, stop, labels, numbers, weights, stats, i, about)
            here = Target(labels, numbers, weights, centre)
            n_nodes += 1
            j, two = -1, False
            if left > 0 and flag[0] == 0 and rows >= least and not is_pure(cells, start, stop, labels, numbers):
                value = impurity(code, about[0])
                is_tiny, more, drawn = rows <= tiny, True, np.int64(0)
                quick = is_tiny and LEAST_VARIANCE < value < MOST_VARIANCE
                while more:
                    if per_node > 0:
                        drawn = open_columns(key, drawn, per_node, ways, order, chosen)
                        forget_splits(columns)
                    two = quick and rows == 2 and not min_gain > 0.0
                    two = two and split_two(cells, start, by_row, searched, original, nodes, i)
                    if two:
                        more = nodes[i, COLUMN] < 0 and 0 < drawn < n_columns
                        continue
                    if quick:
                        search_tiny_node(
                            cells, start, stop, rows, searched, here, about[0], value, rules, few, desk, tables, flag
                        )
                    else:
                        if is_tiny:
                            write_lists(cells, start, stop, by_row, few.places)
                        by_runs, none = -1.0, np.int64(0)  # a literal 0 would compile the search a second time
                        if any_by_runs:
                            by_runs = search_runs_of(
                                none, n_columns, cells, start, stop, searched, here, rules, desk, tables.kind, flag
                            )
                        search_node(
                            cells, start, stop, rows, searched, here, about[0], value, rules, by_runs, desk, tables,
                            flag,
                        )  # fmt: skip
                    if flag[0] == 0:
                        j = choose(columns, code, min_gain, crowded, value)
                    more = flag[0] == 0 and 0 < drawn < n_columns and not has_split(columns)
            if two:
                if nodes[i, COLUMN] < 0:
                    settled[0] += 2
                else:
                    push(stack, top, start + 1, stop, left - 1, key_below(key, 1))
                    push(stack, top + 1, start, start + 1, left - 1, key_below(key, 0))
                    top += 2
                continue
            if j < 0:
                settled[0] += rows
                continue
            at, missing = np.int64(columns[AT, j]), np.int64(columns[WAY, j])
            n_branches, in_order = np.int64(columns[BRANCHES, j]), -1
            nodes[i, COLUMN], nodes[i, N_BRANCHES], nodes[i, MISSING] = j, n_branches, missing
            if is_cut(ways[j]):
                nodes[i, LOW] = original[j, code_at(cells, j, start + at - 1)]
                nodes[i, HIGH] = original[j, code_at(cells, j, start + at)] if start + at < stop else 0
                if mark_cut(cells, j, start, stop, at, missing, side, starts):
                    in_order = j
            else:
                search_runs_of(j, j + 1, cells, start, stop, ways, here, rules, desk, tables.kind, flag)
                pairs = room_for(pairs, used, stop - start)
                nodes[i, ALONE], nodes[i, PAYLOAD] = at, used
                used = mark_values(
                    cells, j, start, stop, branch_of, missing, n_branches, side, starts, pairs, used, original
                )
                nodes[i, N_PAIRS] = used - nodes[i, PAYLOAD]
            needed = LEFT + RIGHT
            first, last = np.int64(0), np.int64(1)  # the first list; all others, when a branch will be searched
            while first < last:
                if n_branches == 2:
                    part_in_two(cells, first, last, in_order, start, stop, side, spare, needed)
                else:
                    part_in_many(cells, first, last, start, stop, n_branches, side, starts, cursor, spare)
                needed = 0
                if left > 1 and rows > tiny and last < n_columns:
                    needed = need_lists(cells, start, starts, n_branches, labels, numbers, weights, copied, least, tiny)
                first, last = last, np.int64(n_columns) if needed > 0 else last
            for branch in range(n_branches - 1, -1, -1):
                below = key_below(key, branch) if per_node > 0 else key
                push(stack, top, start + starts[branch], start + starts[branch + 1], left - 1, below)
                top += 1
        firsts[root + 1] = n_nodes
    return n_nodes, used, pairs


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
