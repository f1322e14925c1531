"""Where validation rows differ from training rows: a test at every node, and what holds for the whole tree."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammaln

from engine.tree.tree import Tree

LEVEL = 0.01  # of the whole tree: how probable it is at most that any node of it is below by chance
SPENT = 1e-15  # share of a tail below which further terms add nothing

Floats = NDArray[np.float64]


class Disagreement(NamedTuple):
    """How training and validation rows differ at each node; NaN where a part has no rows.

    Attributes:
        p: float64[n_nodes], how probable so great a difference is by chance at this one node.
        adjusted: float64[n_nodes], the same for all tested nodes of the tree at once (Holm 1979).
        label: int64[n_nodes], the class whose shares differ most surely; 0 of numbers.
    """

    p: Floats
    adjusted: Floats
    label: NDArray[np.int64]


def compare_parts(tree: Tree, effective: Floats) -> Disagreement:
    """Tests at every node whether training and validation rows differ by more than chance.

    Classes: for each class the fourfold table of its rows and the others, in both parts. The p-value is the exact one
    given all margins (Fisher 1935), twice the smaller tail, the table itself counted by half: the mid-p (Lancaster
    1961), as the exact one is too large and Yates's correction, too. Of more than two classes the least p-value counts,
    times the number of classes in the node (Bonferroni). Numbers: the means of both parts; the F test with 1 and n − 2
    degrees of freedom, which is the t test of two samples (Student 1908).

    The null hypothesis is that the parts are drawn from the same rows and that neither chose the splits. Training rows
    that chose the splits look purer than other rows do: the test finds that as well.

    Args:
        tree: the tree with its counts.
        effective: float64[n_nodes, 2], see `count_effective_rows`; of sampling weights these are rounded down, the
            shares are those of the weights.
    """
    return compare_counts(tree.task, np.stack((tree.train, tree.validation), axis=1), effective)


def compare_counts(task: str, counts: Floats, effective: Floats) -> Disagreement:
    """`compare_parts` of nodes by what stands in them; those that are given are adjusted for together.

    Args:
        task: "classes" or "number".
        counts: float64[n, 2, S], the statistics of the training and the validation rows, see `TreeArrays`.
        effective: float64[n, 2].
    """
    weight = counts.sum(axis=2) if task == "classes" else counts[:, :, 0]
    nodes = np.flatnonzero((effective > 0).all(axis=1) & (weight > 0).all(axis=1))
    p, label = np.full(len(counts), np.nan), np.zeros(len(counts), np.int64)
    if task == "number":
        p[nodes] = _by_means(counts[nodes], effective[nodes], weight[nodes])
    else:
        p[nodes], label[nodes] = _by_shares(counts[nodes], effective[nodes], weight[nodes])
    return Disagreement(p, adjust_by_holm(p), label)


def adjust_by_holm(p: Floats) -> Floats:
    """float64[n]: p-values adjusted so that any of them is below a level by chance with at most this probability,
    however they depend on each other (Holm 1979); NaN stays and counts for nothing."""
    order = np.argsort(p)[: int(np.isfinite(p).sum())]
    found = np.full(p.size, np.nan)
    found[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(order.size, 0, -1)), 1.0)
    return found


def _by_shares(counts: Floats, effective: Floats, weight: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """(float64[n], int64[n]): the p-value of each node, and the class that has it."""
    rows, n = np.maximum(np.floor(effective + 1e-9), 1.0), len(counts)
    least, label, present = np.ones(n), np.zeros(n, np.int64), np.zeros(n)
    for k in range(counts.shape[2]):
        hits = np.rint(counts[:, :, k] / weight * rows)
        present += (counts[:, :, k] > 0).any(axis=1)
        p = mid_p(hits, rows)
        label[p < least], least = k, np.minimum(p, least)
    tests = np.where(present == 2, 1.0, present)  # of two classes both tests are the same
    return np.minimum(least * tests, 1.0), label


def mid_p(hits: Floats, rows: Floats) -> Floats:
    """float64[n]: of fourfold tables, twice the smaller tail of the hypergeometric law, the table itself by half.

    Args:
        hits: float64[n, 2], whole numbers: rows of the class in both parts.
        rows: float64[n, 2], whole numbers: all rows in both parts.
    """
    total, drawn, every, x = rows.sum(axis=1), rows[:, 1], hits.sum(axis=1), hits[:, 1]
    below = x * total < drawn * every  # then the others are counted: what is added up is always the upper tail
    every, x = np.where(below, total - every, every), np.where(below, drawn - x, x)
    term = np.exp(_log_choose(every, x) + _log_choose(total - every, drawn - x) - _log_choose(total, drawn))
    tail, active = term / 2, np.flatnonzero(term > 0)
    while active.size:
        d, e, n, at = drawn[active], every[active], total[active], x[active]
        term[active] *= (d - at) * (e - at) / ((at + 1) * (n - e - d + at + 1))
        x[active] += 1
        tail[active] += term[active]
        active = active[term[active] > SPENT * tail[active]]
    return np.minimum(2 * tail, 1.0)


def _log_choose(n: Floats, k: Floats) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def _by_means(parts: Floats, rows: Floats, weight: Floats) -> Floats:
    means = parts[:, :, 1] / weight
    within = (parts[:, :, 2] / weight * rows).sum(axis=1)
    between = rows.prod(axis=1) / rows.sum(axis=1) * (means[:, 0] - means[:, 1]) ** 2
    freedom = rows.sum(axis=1) - 2
    total = between + within
    left = np.divide(within, total, out=np.ones(len(total)), where=total > 0)
    found = betainc(np.maximum(freedom, 1.0) / 2, 0.5, np.clip(left, 0.0, 1.0))
    return np.where(freedom > 0, found, 1.0)
