"""Whether the best two groups of levels are significant, for many nodes at once: three classes or more.

As `group_tests`, on what `class_permutations` deals. How much all levels explain varies as it
does in the deals, so these are made first; along how many directions two groups are looked for hangs on the level.
"""

import numpy as np

from engine.runtime.compiler import jit
from engine.significance.kernels.class_permutations import (
    MANY,
    best_of_classes,
    cut_along,
    deal_classes_out,
    make_class_room,
    start_along,
)
from engine.significance.kernels.group_permutations import LANES
from engine.significance.kernels.group_tests import (
    FEW_ROWS,
    GRID,
    HOPE,
    NEAR,
    WORTH_BOUNDING,
    add_sure,
    clear,
    fill_table,
    total_chance,
    verdict,
)


@jit
def law_of_classes(n_levels, n_classes, n, n_draws, whole):
    """(a, b) of the beta variable that all levels explain, see `engine.significance.groupings._BestGroups._fitted`."""
    mean, middle, squares = (n_levels - 1.0) / (n - 1.0), 0.0, 0.0
    for t in range(n_draws):
        middle += whole[t]
    middle /= n_draws
    for t in range(n_draws):
        squares += (whole[t] - middle) ** 2
    variance = max(squares / n_draws, 2.0 * mean * mean / ((n_levels - 1.0) * (n_classes - 1.0)))
    ratio = max(mean * (1.0 - mean) / max(variance, 1e-300) - 1.0, 1e-6)
    return mean * ratio, (1.0 - mean) * ratio


@jit
def chance_of_best_classes(tests, i, sizes, deals, shares, ends, room, table, sums, enough):
    """What is compared of node i, or more than `enough` once it is certain to be."""
    n_draws, n_classes = deals.blocks[-1], shares.size
    n = deal_classes_out(deals, sizes, shares, ends, room)
    law, bounded = law_of_classes(sizes.size, n_classes, n, n_draws, room.whole), n > FEW_ROWS
    if bounded:
        fill_table(law[0], law[1], table)
    if sizes.size < MANY and (not bounded or n_draws >= WORTH_BOUNDING):
        clear(sums, tests, i)
        for batch in range(n_draws // LANES):  # along one direction only
            start_along(batch, sizes, n_classes, room.starts[0], room)
            cut_along(batch, sizes, n_classes, n, room)
            sure = add_sure(tests, i, batch, deals.blocks, bounded, room.whole, room.best, table, sums)
            if sure > enough:
                return 2.0 * enough
            if sure < HOPE * enough * (batch + 1) * LANES / n_draws:
                break
    clear(sums, tests, i)
    for batch in range(room.sums.shape[0]):
        best_of_classes(batch, sizes, n_classes, n, room)
        if add_sure(tests, i, batch, deals.blocks, bounded, room.whole, room.best, table, sums) > enough:
            return 2.0 * enough
    if bounded:
        clear(sums, tests, i)  # of many rows no deals are counted
    return total_chance(tests, i, law, deals.blocks, room.whole, room.best, room.factors, sums)


@jit
def judge_class_groups(tests, classes, sizes, deals, level, found):
    """Fills found uint8[m] with YES where what is compared is at most `level`, NO where not.

    Args:
        tests: `group_tests.GroupTests` of m nodes with as many rows, or, for normal deals, levels times
            classes. classes: `class_permutations.Classes` of them. sizes: int64[·], rows of levels.
    """
    levels, most_classes, cells, terms = 1, 1, 1, 1
    for i in range(found.size):
        k, some = tests.end[i] - tests.begin[i], classes.first[i + 1] - classes.first[i]
        levels, most_classes, cells = max(levels, k), max(most_classes, some), max(cells, k * some)
        terms = max(terms, tests.terms[i + 1] - tests.terms[i])
    room, table = make_class_room(deals.blocks[-1], levels, most_classes, cells), np.empty(GRID + 1)
    sums = np.empty(terms)
    for i in range(found.size):
        own, first, last = sizes[tests.begin[i] : tests.end[i]], classes.first[i], classes.first[i + 1]
        shares, ends = classes.shares[first:last], classes.ends[first:last]
        p = chance_of_best_classes(tests, i, own, deals, shares, ends, room, table, sums, level * (1.0 + NEAR))
        found[i] = verdict(tests, i, p, deals.blocks[-1], sums, level)
