"""What theory promises: by how much the true error may exceed the one that was counted, given the size of the tree.

All these penalties hold for errors, shares of rows in [0, 1], and say nothing about squared distances.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.table.column import Column
from engine.table.table import Table

CAPACITIES = ("size", "vc", "notes")


def description_bound(
    error: ArrayLike, m: float, n_nodes: ArrayLike, n_tests: int, delta: float, n_labels: int = 2
) -> NDArray[np.float64]:
    """The error that a tree exceeds with probability at most delta, by the length of its description.

    e + √(((n + 1) · log₂(d + K + 1) + ln(2/δ)) ÷ 2m). A tree of n nodes, leaves and splits, is written in n + 1 blocks,
    each of them one of d tests, K labels or the end (see `learning_theory.tree_code`). The notes have d binary columns
    and two labels, d + 3 symbols; a numeric column makes one test for every cut between its values, see `count_tests`.

    The length stands in bits, as in the notes, where Kraft's inequality asks for bits · ln 2 only: it holds, and is a
    little loose (Shalev-Shwartz and Ben-David 2014, 7.3 and 18.1).

    Args:
        error: the share of the training rows in error, one number or one for each tree.
        m: how many rows that share is counted on.
        n_nodes: leaves and inner nodes together, one number or one for each tree.
        n_tests: how many different splits there might be at a node.
        delta: how likely it may be that the bound does not hold, in (0, 1].
        n_labels: how many different answers a leaf may give.

    Returns:
        float64, as many as there are errors; it may exceed 1, and then promises nothing.

    Raises:
        InputError: delta or m is out of range.
    """
    _check(m, delta)
    bits = (np.asarray(n_nodes, np.float64) + 1) * math.log2(n_tests + n_labels + 1)
    return np.asarray(error, np.float64) + np.sqrt((bits + math.log(2 / delta)) / (2 * m))


def srm_penalty(size: ArrayLike, m: float) -> NDArray[np.float64]:
    """√(size ÷ m): what structural risk minimization adds to the error of a tree of this size on m rows.

    Raises:
        InputError: there are no rows.
    """
    _check(m, 1.0)
    return np.asarray(np.sqrt(np.asarray(size, np.float64) / m))


def deviation(log_classes: ArrayLike, rows: ArrayLike, delta: float) -> NDArray[np.float64]:
    """λ of Lemma 12.2: with probability 1 − δ no error of a class differs by more from what was counted on the rows.

    √((ln C + ln(2/δ)) ÷ 2m), by Hoeffding's inequality 2e^(−2λ²m) for each of C trees behind paths. The notes start
    from e^(−λ²m), (12.5), which fails: one row of a class with p = ½ is always off by ½, and e^(−¼) is below 1. Their
    λ, √((ln C + ln(1/δ)) ÷ m), holds all the same where C ≥ 2δ, and is up to √2 times as large.

    Args:
        log_classes: ln C, see `log_capacities`. rows: m, of the node.

    Raises:
        InputError: δ is no probability above 0.
    """
    _check(1.0, delta)
    of = (np.asarray(log_classes, np.float64) + math.log(2 / delta)) / (2 * np.asarray(rows, np.float64))
    return np.asarray(np.sqrt(of))


def pruning_penalty(
    log_classes: ArrayLike, rows: ArrayLike, m: float, delta: float, factor: float = 1.0
) -> NDArray[np.float64]:
    """α of (12.2): c · √((ln PATHS + ln TREES + ln(m/δ)) ÷ m_v), what a branch has to save to stay.

    As `deviation` in the notes' form, with δ shared out among the m nodes that there may be. The proof needs c ≥ √2, as
    a leaf and a branch may both deviate; in practice that cuts nearly everything.

    Args:
        log_classes: ln PATHS + ln TREES. rows: m_v, of the node. m: all training rows. factor: c.

    Raises:
        InputError: m or δ is out of range.
    """
    _check(m, delta)
    of = (np.asarray(log_classes, np.float64) + math.log(m / delta)) / np.asarray(rows, np.float64)
    return np.asarray(factor * np.sqrt(of))


def pruning_excess(size: int, depth: int, m: float, log_tests: float, delta: float) -> tuple[float, float]:
    """Theorem 12.5 (Kearns and Mansour 1998) with its constants: by how much the pruning's error may exceed the best.

    The notes end in O((ln(s/δ) + ℓ√(ln n + ln(m/δ))) · √(s/m)), see `excess_rate`. Their (12.18) multiplies both sums
    by 3 and calls √(r/m_v) at most 1, which it is not for few rows; but an error is, so nodes of fewer than
    12 ln(s/δ) rows in m cost no more than they weigh: 12 s ln(s/δ) ÷ m. The other ones cost at most three summands
    √(r/m_v) each, with p_v < 2m_v/m together 6 · √(s((1 + ℓ) ln n + ln(m/δ)) · ℓ ÷ m).

    Args:
        size: s, leaves and splits of the best pruning. depth: ℓ, its edges from the root. m: training rows.
        log_tests: ln n, the logarithm of what each test on a path and each node of a tree counts for.

    Returns:
        (of rare nodes, of the others); their sum may exceed 1, and then promises nothing.

    Raises:
        InputError: m or δ is out of range.
    """
    _check(m, delta)
    common = size * ((1 + depth) * log_tests + math.log(m / delta)) * depth / m
    return 12 * size * math.log(size / delta) / m, 6 * math.sqrt(common)


def excess_rate(size: int, depth: int, m: float, log_tests: float, delta: float) -> float:
    """What Theorem 12.5 says without its constant: (ln(s/δ) + ℓ√(ln n + ln(m/δ))) · √(s/m); times 12 it is no less
    than `pruning_excess` for trees of depth 1 and more with s ≤ m. Arguments as there."""
    _check(m, delta)
    return (math.log(size / delta) + depth * math.sqrt(log_tests + math.log(m / delta))) * math.sqrt(size / m)


def rows_for_deviation(log_classes: float, epsilon: float, delta: float) -> int:
    """The fewest rows on which no error of C classifiers differs by more than ε from what was counted, with probability
    1 − δ: (ln C + ln(2/δ)) ÷ 2ε², see `deviation` (Shalev-Shwartz and Ben-David 2014, corollary 4.6)."""
    _check(1.0, delta)
    return math.ceil((log_classes + math.log(2 / delta)) / (2 * epsilon**2))


def rows_without_errors(log_classes: float, epsilon: float, delta: float) -> int:
    """The fewest rows on which one of C classifiers without an error has a true one of at most ε, with probability
    1 − δ: (ln C + ln(1/δ)) ÷ ε (Blumer, Ehrenfeucht, Haussler and Warmuth 1987)."""
    _check(1.0, delta)
    return math.ceil((log_classes + math.log(1 / delta)) / epsilon)


def rows_by_dimension(vc: float, epsilon: float, delta: float) -> int:
    """The same for classes that may be infinite, of VC dimension d: max(4/ε · log₂(2/δ), 8d/ε · log₂(13/ε)) (Blumer,
    Ehrenfeucht, Haussler and Warmuth 1989, theorem 2.1)."""
    _check(1.0, delta)
    return math.ceil(max(4 / epsilon * math.log2(2 / delta), 8 * vc / epsilon * math.log2(13 / epsilon)))


def count_tests(table: Table, multiway: bool = False) -> int:
    """How many different binary splits the features of a table might make: M.

    Numbers, dates and ordered levels: one fewer than there are values. Levels without order: 2^(levels − 1) − 1, or
    with `multiway` the one split with a branch for each. Twice as many where rows lack the value, as they may go either
    way. An int, for it may be longer than any float.
    """
    return sum(_tests(table.columns[i], multiway) for i in table.features)


def vc_dimension(table: Table) -> int:
    """An upper bound of the VC dimension of these splits: the greatest v for which they might cut v rows in all 2^v
    ways. A column with u values in order tells at most min(v, u − 1) + 1 ways apart, one of L levels 2^min(v, L)."""
    columns = [table.columns[i] for i in table.features]
    v = max((column.n_values for column in columns if column.kind == "nominal"), default=0)
    while 2 ** (v + 1) <= sum(_ways(column, v + 1) for column in columns):
        v += 1
    return v


def log_capacities(
    table: Table, capacity: str, depth: int, n_nodes: int, branches: int = 2, multiway: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How rich the classes are that a node and the tree below it may have been taken from.

    "size": logarithms of how many there are. ℓ tests on the way to a node, and which of B branches is taken:
    ℓ · ln(B · M), M as from `count_tests`. Every one of at most n nodes is a symbol of the tree's description, a test,
    one of K labels, or the end: n · ln(M + K + 1), which is the notes' (c · d)^n with c = (d + K + 1) ÷ d.

    "notes": the d columns make one test each, and the paths are d^ℓ.

    "vc": VC · ln 2m, where m are the training rows. Of ℓ tests, each of VC dimension v, it is at most 2vℓ · log₂ 3ℓ
    (Blumer, Ehrenfeucht, Haussler and Warmuth 1989, lemma 3.2.3); of a tree with s splits at most the greatest D for
    which D rows might be told apart in 2^D ways by one of 4^s shapes, s tests of (eD/v)^v ways each, and 2^(s + 1)
    labels.

    Args:
        capacity: one of `CAPACITIES`.
        depth: the edges from the root to the deepest leaf.
        n_nodes: leaves and inner nodes together.
        branches: B, the most branches of a split.
        multiway: as for `count_tests`.

    Returns:
        (float64[depth + 1], of the paths by ℓ; float64[n_nodes + 1], of the trees by n), natural logarithms.

    Raises:
        InputError: there is no such capacity.
    """
    if capacity not in CAPACITIES:
        raise InputError(tr(
            "The classes are not measured by “{capacity}”; it is one of {capacities}.", capacity=capacity,
            capacities=", ".join(CAPACITIES)))  # fmt: skip
    length, size = np.arange(depth + 1.0), np.arange(n_nodes + 1.0)
    if capacity != "vc":
        d = len(table.features)
        tests = d if capacity == "notes" else count_tests(table, multiway)
        ways = d if capacity == "notes" else branches * tests
        return length * math.log(max(ways, 1)), size * math.log(tests + max(len(table.classes), 1) + 1)
    v, many = max(vc_dimension(table), 1), math.log(2 * max(table.n_counted, 1))
    paths = 2 * v * length * np.log2(np.maximum(3 * length, 1))
    return paths * many, _vc_of_trees((size - 1) // 2, v) * many


def _vc_of_trees(splits: NDArray[np.float64], v: int) -> NDArray[np.float64]:
    """The greatest D with D ln 2 ≤ s ln 8 + ln 2 + v s ln(eD/v), from above by Newton's rule; 1 for a single leaf."""
    s = np.maximum(splits, 0.0)
    fixed, share = s * math.log(8) + math.log(2), v * s
    d = 16 * (share + s + 1) * np.log2(s + 4)  # well beyond the greatest one
    for _ in range(60):
        excess = d * math.log(2) - fixed - share * np.log(math.e * np.maximum(d, v) / v)
        d = np.maximum(d - excess / (math.log(2) - share / np.maximum(d, v)), 1.0)
    return np.asarray(d)


def _tests(column: Column, multiway: bool) -> int:
    n = tests = max(column.n_values, 1) - 1
    if column.kind == "nominal":  # not for others, of which some have a million values
        tests = 2**n - 1 if not multiway else min(n, 1)
    return tests * (2 if column.n_missing else 1)


def _ways(column: Column, v: int) -> int:
    n = max(column.n_values, 1)
    return (2 ** min(v, n) if column.kind == "nominal" else min(v, n - 1) + 1) * (2 if column.n_missing else 1)


def _check(m: float, delta: float) -> None:
    if not 0 < delta <= 1:
        raise InputError(
            tr("δ is {delta:g}; a probability that the bound does not hold is above 0 and at most 1.", delta=delta)
        )
    if not m > 0:
        raise InputError(tr("A bound on {m:g} rows says nothing: it needs training rows with weight.", m=m))
