"""The tests of splits into two with a branch of their own for missing rows, as `adjusted.beside_missing` has them.

What (missing | present) explains is nobody's choice, so the chance of what is left is averaged over it: a sum of as
many terms as `significance.adjusted.TAILS` has steps, each with the test of a split of the present rows into two.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.significance.adjusted import TAILS
from engine.significance.batch.class_tests import as_if_alone
from engine.significance.batch.number_tests import Flags, Floats, Integers
from engine.significance.kernels.cut_tests import EXPECTED, Tests
from engine.significance.kernels.group_tests import alone_of_classes
from engine.tree.nodes import GROUPS, THRESHOLD
from engine.tree.packing import level_pairs

if TYPE_CHECKING:
    from engine.tree import Tree

WEIGHTS = -np.diff(TAILS)  # of the terms
TERMS = WEIGHTS.size


def has_own_branch(tree: "Tree") -> Flags:
    """bool[n_nodes]: the splits into two of which missing rows have a third branch."""
    nodes = tree.nodes
    found = np.asarray((nodes.n_branches == 3) & (nodes.missing == 2))
    levels = found & (nodes.kind == GROUPS) & (nodes.unseen != 2)
    node, place = level_pairs(nodes, np.flatnonzero(levels))
    levels[node[tree.payload[place + 1] == 2]] = False  # some levels go with the missing rows
    return np.asarray(levels | (found & (nodes.kind == THRESHOLD) & (nodes.payload_size == 0)))


def rest_tests(tests: Tests) -> Tests:
    """The tests of the terms, those of one node after the other; the statistic is what (missing | present) leaves."""
    from scipy.special import gammainccinv

    between = tests.classes - 1.0
    first = 2.0 * gammainccinv(between[:, None] / 2.0, np.sqrt(TAILS[:-1] * TAILS[1:]))
    statistic = np.maximum(tests.statistic[:, None] - first, 0.0).ravel()
    _, p, height, hazard = as_if_alone(np.maximum(statistic, 1e-300), np.repeat(between, TERMS).astype(np.int64))
    rows, classes, of_first, least, rare = (np.repeat(line, TERMS) for line in (tests.rows, *tests[5:]))
    return Tests(rows, statistic, p, height, hazard, classes, of_first, least, rare)


def chance_of_missing(tests: Tests, lacking: Integers) -> Floats:
    """float64[m]: the chance that the missing rows alone explain as much, where they or the others are few; else 0.

    tests: of the splits as they are. lacking: their missing rows.
    """
    m, present = lacking.size, tests.rows.astype(np.int64) - lacking
    sizes, begin, above = np.column_stack((lacking, present)).ravel(), 2 * np.arange(m + 1), np.empty(m)
    alone_of_classes(tests, sizes, begin, np.zeros(m, dtype=np.int64), False, above)
    few = np.minimum(lacking, present) * tests.least <= EXPECTED
    return np.where(few, np.where(above > 0, above, tests.p), 0.0)
