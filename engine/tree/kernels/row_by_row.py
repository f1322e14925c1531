"""Rows down a tree as it stands, one after the other: most nodes are 16 bytes, which is all that a row asks of them.

    pack[4 i …] = 4 · column + 2 · (by levels) + (missing goes right) | what is asked | first branch | second branch

A threshold asks for the largest x of the first branch, less by one where missing values go right, for then x − 1 is
compared, and 0 − 1 is the largest number of 32 bits. Levels are looked up in 32 bits, one for each x: the first of
missing values, the last of all x from 31 on. So nothing is asked that would make the processor jump. Both branches of
a leaf are the leaf itself: of rows that go side by side those that are there wait for the others.
"""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit, jit_bare, jit_part
from engine.tree.kernels.descend import THRESHOLD, Routes, branch_at

LEAF, MORE = 2**31, 2**30  # no columns of such nodes; what branch a row takes at the latter `branch_of` tells
BY_LEVELS, RIGHT = 2, 1
FURTHER = 31  # the bit of levels that have none of their own
WORD = 2**32 - 1
LANES = 16  # rows on their way at once: while the memory is asked for the node of one, the others go on


class Ways(NamedTuple):
    """Which branch a row takes at each node, whatever the kind of its split.

    A node asks its parts in turn: the split and its surrogates, or the literals of an m-of-n split.

    m: int64[n], of m-of-n; 0 for others. first: int64[n + 1], the parts of node i are first[i]..first[i + 1] - 1.
    column: int64[p], of the matrix of numbers. flipped: bool[p]. missing: int64[n], of rows that no part knows.
    parts: one entry for each part.
    """

    m: np.ndarray
    first: np.ndarray
    column: np.ndarray
    flipped: np.ndarray
    missing: np.ndarray
    parts: Routes


@jit
def pack_nodes(ways, n_branches, first_kid, kids, pack):
    """Writes `pack`, uint32[4 n], of all nodes; n_branches: int64[n], 0 for leaves; for the others see `Standing`."""
    for i in range(n_branches.size):
        part, missing = ways.first[i], ways.missing[i]
        make_packed_leaf(pack, i)
        if n_branches[i] == 0:
            continue
        pack[4 * i] = MORE
        alone = ways.m[i] == 0 and ways.first[i + 1] == part + 1 and not ways.flipped[part]
        if n_branches[i] != 2 or not alone or missing < 0 or missing > 1:
            continue
        pack[4 * i + 2], pack[4 * i + 3] = kids[first_kid[i]], kids[first_kid[i] + 1]
        if ways.parts.kind[part] == THRESHOLD:
            cut = ways.parts.threshold[part]
            if ways.parts.size[part] == 0 and 0.0 <= cut < MORE:
                pack[4 * i], pack[4 * i + 1] = 4 * ways.column[part] + RIGHT * missing, np.int64(cut) + 1 - missing
        elif has_bits(ways, part):
            pack[4 * i], pack[4 * i + 1] = 4 * ways.column[part] + BY_LEVELS, bits_of(ways, part, missing)


@jit_bare
def make_packed_leaf(pack, i):
    """Lets every row that reaches node i stay there."""
    pack[4 * i], pack[4 * i + 1], pack[4 * i + 2], pack[4 * i + 3] = LEAF, 0, i, i


@jit_bare
def has_bits(ways, part):
    """Whether 32 bits tell the two branches of levels: those with a branch of their own come before `FURTHER`."""
    start, size = ways.parts.start[part], ways.parts.size[part]
    return (size == 0 or ways.parts.payload[start + size - 2] + 1 < FURTHER) and 0 <= ways.parts.unseen[part] <= 1


@jit_bare
def bits_of(ways, part, missing):
    """The branches of all x at a split by levels, as bits."""
    start, size = ways.parts.start[part], ways.parts.size[part]
    bits = WORD * ways.parts.unseen[part]
    for pair in range(start, start + size, 2):
        bit = np.int64(1) << (np.int64(ways.parts.payload[pair]) + 1)
        bits = bits | bit if ways.parts.payload[pair + 1] > 0 else bits & ~bit
    return bits - (bits & 1) + missing


@jit
def write_numbers(codes, rows, places, x, column):
    """Writes what splits ask of some rows into a column of x, uint32[n, C]: `places` of their codes, uint32[n_values],
    or where there are none the codes, 1 more; 0 stays missing."""
    if places.size > 0:
        for k in range(rows.size):
            code = np.int64(codes[rows[k]])
            x[k, column] = places[code - 1] if code > 0 else 0
    else:
        for k in range(rows.size):
            code = np.int64(codes[rows[k]])
            x[k, column] = code + np.int64(code > 0)


@jit_bare
def branch_of(x, row, i, ways):
    """The branch of node i that a row takes."""
    m, hits = ways.m[i], 0
    for part in range(ways.first[i], ways.first[i + 1]):
        number = np.int64(x[row, ways.column[part]]) - 1
        if number < 0:
            continue
        branch = branch_at(np.float64(number), part, ways.parts)
        if ways.flipped[part]:
            branch = 1 - branch
        if m == 0:
            return branch
        hits += 1 - min(branch, 1)
    if m > 0:
        return np.int64(hits < m)
    return ways.missing[i]


@jit_bare
def kind_of(pack, i):
    """The first number of a node's `pack`. Unsigned places, here and elsewhere, for none counts from the end."""
    return np.int64(pack[np.uint64(4 * i)])


@jit_bare
def below(pack, x, row, i, kind):
    """The branch of node i that a row goes into, by its `pack`; a leaf itself. kind: as from `kind_of`, not MORE."""
    number = np.int64(x[np.uint64(row), np.uint64((kind & (MORE - 1)) >> 2)])
    asked = np.int64(pack[np.uint64(4 * i + 1)])
    by_level = (asked >> min(number, FURTHER)) & 1
    by_number = np.int64(((number - (kind & RIGHT)) & WORD) > asked)
    return np.int64(pack[np.uint64(4 * i + 2 + (by_level if kind & BY_LEVELS else by_number))])


@jit_bare
def leaf_below(now, ways, row, i):
    """The leaf that a row reaches from node i."""
    while True:
        kind = kind_of(now.pack, i)
        if kind == LEAF:
            return i
        if kind == MORE:
            i = now.kids[now.first_kid[i] + branch_of(now.x, row, i, ways)]
        else:
            i = below(now.pack, now.x, row, i, kind)


@jit_bare
def four_on(pack, x, a, b, c, d, top):
    """Four rows from node `top`, side by side, until all are in leaves or one of them is at a node MORE; the nodes,
    and whether all are leaves. It takes two arrays and no more, for whatever is passed on goes through the memory."""
    i, j, k, m = top, top, top, top
    while True:
        of_a, of_b, of_c, of_d = kind_of(pack, i), kind_of(pack, j), kind_of(pack, k), kind_of(pack, m)
        if (of_a & of_b & of_c & of_d) == LEAF:
            return i, j, k, m, True
        if (of_a | of_b | of_c | of_d) & MORE:
            return i, j, k, m, False
        i, j = below(pack, x, a, i, of_a), below(pack, x, b, j, of_b)
        k, m = below(pack, x, c, k, of_c), below(pack, x, d, m, of_d)


@jit_part
def four_leaves(now, ways, a, b, c, d, top):
    """`leaf_below` of four rows from node `top`, side by side."""
    i, j, k, m, there = four_on(now.pack, now.x, a, b, c, d, top)
    if not there:
        i, j = leaf_below(now, ways, a, i), leaf_below(now, ways, b, j)
        k, m = leaf_below(now, ways, c, k), leaf_below(now, ways, d, m)
    return i, j, k, m


@jit
def reach_leaves(now, ways, begin, stop, reached):
    """Writes the leaves of the rows begin..stop - 1, from the root of the tree as it stands, into `reached`."""
    root, coming = now.kids[now.kids.size - 1], begin
    row, at, n = np.empty(LANES, np.int64), np.empty(LANES, np.int64), min(LANES, stop - begin)
    for t in range(n):
        row[t], at[t] = coming, root
        coming += 1
    while n > 0:
        for t in range(n - 1, -1, -1):
            i = at[t]
            kind = kind_of(now.pack, i)
            if kind == LEAF:
                reached[row[t]] = i
                if coming < stop:
                    row[t], at[t] = coming, root
                    coming += 1
                else:
                    n -= 1
                    row[t], at[t] = row[n], at[n]
            elif kind == MORE:
                at[t] = now.kids[now.first_kid[i] + branch_of(now.x, row[t], i, ways)]
            else:
                at[t] = below(now.pack, now.x, row[t], i, kind)
