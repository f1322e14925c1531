"""Some rows at once down a tree whose nodes change places: most nodes are 16 bytes, all that a row asks of them.

    pack[4 i …] = 4 · column + 2 · (by levels) + (missing goes right) | what is asked | first branch | second branch

A threshold asks for the largest x of the first branch, less by one where missing values go right, for then x − 1 is
compared, and 0 − 1 is the largest number of 32 bits. Levels are looked up in 32 bits, one for each x: the first of
missing values, the last of all x from 31 on. Every other split is asked part by part.
"""

from typing import NamedTuple

import numpy as np

from engine.runtime.compiler import jit, jit_inside, jit_part
from engine.tree.kernels.descend import THRESHOLD, Routes, branch_at

LEAF, OTHER = 2**31, 2**30  # no columns of such nodes; which branch a row takes at the latter `branch_of` says
BY_LEVELS, RIGHT = 2, 1
FURTHER = 31  # the bit of levels that have none of their own
WORD = 2**32 - 1
LANES = 8  # rows on their way at once


class Ways(NamedTuple):
    """Which branch a row takes at each node, whatever the kind of its split.

    A node asks its parts in turn: the split and its surrogates, or the literals of an m-of-n split.

    m: int64[n], of m-of-n; 0 for others. first: int64[n + 1], the parts of node i are first[i]..first[i + 1] - 1.
    column: int64[p], of the matrix of numbers. flipped: bool[p]. missing: int64[n], of rows that no part knows.
    parts: one entry for each part. first_child: int64[n], the branches of node i stand at first_child[i] … of children,
    int64[n], the root at n - 1; children are written into. pack: uint32[4 n], what most rows need to know of a node.
    """

    m: np.ndarray
    first: np.ndarray
    column: np.ndarray
    flipped: np.ndarray
    missing: np.ndarray
    parts: Routes
    first_child: np.ndarray
    children: np.ndarray
    pack: np.ndarray


@jit
def pack_nodes(ways, n_branches):
    """Writes `pack` of all nodes. n_branches: int32[n], 0 for leaves."""
    first_child, children, pack = ways.first_child, ways.children, ways.pack
    for i in range(n_branches.size):
        part, missing = ways.first[i], ways.missing[i]
        pack_leaf(pack, i)
        if n_branches[i] == 0:
            continue
        pack[4 * i] = OTHER
        single = ways.m[i] == 0 and ways.first[i + 1] == part + 1 and not ways.flipped[part]
        if n_branches[i] != 2 or not single or missing < 0 or missing > 1:
            continue
        start, size = ways.parts.start[part], ways.parts.size[part]
        if ways.parts.kind[part] == THRESHOLD:
            cut = ways.parts.threshold[part]
            if size == 0 and 0.0 <= cut < OTHER:
                pack[4 * i], pack[4 * i + 1] = 4 * ways.column[part] + RIGHT * missing, np.int64(cut) + 1 - missing
        elif 0 <= ways.parts.unseen[part] <= 1 and (size == 0 or ways.parts.payload[start + size - 2] + 1 < FURTHER):
            bits = WORD * np.int64(ways.parts.unseen[part])
            for pair in range(start, start + size, 2):
                bit = np.int64(1) << (np.int64(ways.parts.payload[pair]) + 1)
                bits = bits | bit if ways.parts.payload[pair + 1] > 0 else bits & ~bit
            pack[4 * i], pack[4 * i + 1] = 4 * ways.column[part] + BY_LEVELS, bits - (bits & 1) + missing
        if np.int64(pack[4 * i]) != OTHER:
            pack[4 * i + 2], pack[4 * i + 3] = children[first_child[i]], children[first_child[i] + 1]


@jit_inside
def pack_leaf(pack, i):
    """Lets every row that reaches node i stay there."""
    pack[4 * i], pack[4 * i + 1], pack[4 * i + 2], pack[4 * i + 3] = LEAF, 0, i, i


@jit
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


@jit
def follow(pack, x, rows, at, n):
    """Sends n rows on, side by side, until each of them is in a leaf or at a node that has to be asked part by part.

    rows: int64[·]; at: int64[·], the node of each, written. It takes four arrays and no more, for whatever is passed on
    goes through the memory. Nothing is asked that would make the processor jump: the branches of a leaf are itself.
    """
    going = True
    while going:
        going = False
        for t in range(n):
            i = at[t]
            kind = np.int64(pack[np.uint64(4 * i)])  # unsigned places, for none counts from the end
            number = np.int64(x[np.uint64(rows[t]), np.uint64((kind & (OTHER - 1)) >> 2)])
            asked = np.int64(pack[np.uint64(4 * i + 1)])
            by_level = (asked >> min(number, FURTHER)) & 1
            by_number = np.int64(((number - (kind & RIGHT)) & WORD) > asked)
            at[t] = pack[np.uint64(4 * i + 2 + (by_level if kind & BY_LEVELS else by_number))]
            going |= at[t] != i


@jit_part
def find_leaves(ways, x, rows, at, n):
    """Writes the leaves that n rows reach from the nodes in `at`; they go side by side, so that while the memory is
    asked for the node of one the others go on."""
    below = True
    while below:
        follow(ways.pack, x, rows, at, n)
        below = False
        for t in range(n):
            if np.int64(ways.pack[4 * at[t]]) == OTHER:
                at[t] = ways.children[ways.first_child[at[t]] + branch_of(x, rows[t], at[t], ways)]
                below = True
