"""The length of a tree, and what it promises of the error (Shalev-Shwartz and Ben-David 2014, 7.3 and 18.1)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.learning_theory.bounds import count_tests, description_bound
from engine.learning_theory.tree_code import TreeCode, encode
from engine.pruning.mdl import bounded
from engine.pruning.options import Options
from engine.pruning.sequence import smallest_best
from engine.table.table import Table
from engine.tree.tree import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Description:
    """What the length of the tree promises: true error ≤ `bound`, with probability 1 − δ.

    Attributes:
        code: the tree, written out block by block.
        n_tests: M, the different splits that a node might have. n_labels: K.
        block: log₂(M + K + 1), the bits of a block. bits: (n + 1) of them, for n nodes.
        error: the training error; a share of the dearest mistake where mistakes cost differently.
        m: training rows, each as often as its frequency says.
        bound: error + √((bits + ln(2/δ)) ÷ 2m), as the notes have it.
        sharp: the same with bits · ln 2, which is all that Kraft's inequality asks for.
        by_code: the same with the digits of the code above; where the tree has other splits than single cuts and two
            groups, `bits` counts too few, and this one alone holds.
        is_counted: whether it has none of these.
        leaves, errors, bounds, validation: of the prunings among which the least bound is, the full tree first;
            int64[n] and float64[n], the last one the validation errors, nan without such rows.
        chosen: the pruning of the least bound.
    """

    code: TreeCode
    n_tests: int
    n_labels: int
    block: float
    bits: float
    error: float
    m: int
    bound: float
    sharp: float
    by_code: float
    is_counted: bool
    leaves: NDArray[np.int64]
    errors: Floats
    bounds: Floats
    validation: Floats
    chosen: int


def description(table: Table, tree: Tree, delta: float) -> Description:
    """See `Description`. InputError: a split does not fit the table."""
    found, code = bounded(table, tree, Options(delta=delta)), encode(table, tree)
    n_tests, k, m = count_tests(table, tree.options.get("nominal") == "multiway"), len(tree.classes), table.n_counted
    block, error = math.log2(n_tests + k + 1), float(found.errors[0])

    def bound(nats: float) -> float:
        return error + math.sqrt((nats + math.log(2 / delta)) / (2 * m))

    bits = (tree.n_nodes + 1) * block
    return Description(
        code, n_tests, k, block, bits, error, m,
        float(description_bound(error, m, tree.n_nodes, n_tests, delta, k)),
        bound(bits * math.log(2)), bound(len(code.bits) * math.log(2)), not code.wide,
        np.array([step.leaves for step in found.steps]), found.errors, found.bounds,
        np.array([step.validation_error for step in found.steps]), smallest_best(found.bounds),
    )  # fmt: skip
