"""By how much each split of grown nodes lowers the impurity, from the nodes' statistics alone.

preorder      0        1      2        3      4       branches 2 0 2 0 0
weighted      10       2      6        1      3       weight times impurity of each node
drops         10-2-6   0      6-1-3    0      0       of each split; 0 for a leaf
"""

import numpy as np

from engine.criteria.criterion import OF_SUMS
from engine.criteria.kernels.impurity import impurity, weight
from engine.runtime.compiler import jit


@jit
def weighted_drops(code, stats, parent, drops):
    """Writes the drops, float64[n].

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
