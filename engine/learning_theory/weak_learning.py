"""Growing as weak learning (Kearns and Mansour 1996): how much a split has to gain, and how soon the error is small.

A split with advantage γ errs on at most ½ − γ of the node's rows where both classes are made equally frequent. With
q the share of the positive ones, a and b the shares of positive and negative rows that take a branch, |a − b| = 2γ, and
the cost G of the node falls by at least

    2q(1 − q)     32γ²[q(1 − q)]²              equality where both branches hold half of the rows
    ½ entropy     4/ln 2 · γ²q(1 − q)          equality in the limit γ → 0 at a = b = ½
    √(q(1 − q))   (1 − √(1 − 4γ²))√(q(1 − q))  equality where a + b = 1; at least 2γ²√(q(1 − q))

The first is 2τ(1 − τ)d² with τ(1 − τ)d = 2γq(1 − q). The second: the entropy of the branch is strongly concave,
−h″ ≥ 4, so the information, h(τ) − qh(a) − (1 − q)h(b), is at least 2q(1 − q)(a − b)² nats. The third:
√(q(1 − q)) · (1 − √ab − √((1 − a)(1 − b))), and of two numbers that differ by 2γ these roots add up to √(1 − 4γ²) at
most. The notes have 16γ²[q(1 − q)]² for a cost that they do not name: all three are no less, the last one reaches it.

Over all L leaves, the best of them falls by no less than the average. So, weighted by its share of the rows,

    Gini      8γ²G²/L          as Σ w[q(1 − q)]² ≥ (Σ wq(1 − q))² = G²/4
    ½ entropy 2/ln 2 · γ²ε/L   as q(1 − q) ≥ min(q, 1 − q)/2, and ε is at least the share whose ½ entropy is G
    √         (1 − √(1 − 4γ²))G/L

With L = t + 1 these give the sizes of the paper, and for Gini a better one; the notes go by Lemma 12.1, which for Gini
gives γ²G³/8t (see `lemma_leaf`, `notes_next_cost`).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.criteria import impurities

Floats = NDArray[np.float64]

COSTS = ("gini", "entropy", "sqrt")
IN_NOTES = {"gini": 1.0, "entropy": 0.5, "sqrt": 1.0}  # G by the criterion of the same name
MOST_STEPS = 20_000  # of a recurrence


def cost(criterion: str, q: ArrayLike) -> Floats:
    """G of the notes, one of `COSTS`, of nodes in which a share q of the rows is positive; ½ at q = ½."""
    q = np.atleast_1d(np.asarray(q, np.float64))
    return IN_NOTES[criterion] * impurities(criterion, np.stack([q, 1 - q], axis=1))


def advantages(parent: NDArray[np.integer], positive: Floats, negative: Floats) -> Floats:
    """γ of each split: half of what a leaf of its branches, labelled to fit, errs less than a coin on balanced classes.

    ¼ · Σ |share of the positive rows − share of the negative rows| over the branches.

    Args:
        parent: int[n], the position of each node's parent, −1 for the root.
        positive, negative: float64[n], their weights in each node.

    Returns:
        float64[n], 0 to ½; nan for leaves and for nodes that lack a class.
    """
    above = parent[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.abs(positive[1:] / positive[above] - negative[1:] / negative[above])
    found = np.bincount(above, apart, parent.size) / 4
    splits = np.bincount(above, minlength=parent.size) > 0
    return np.where(splits & (positive > 0) & (negative > 0), np.minimum(found, 0.5), np.nan)


def least_drop(criterion: str, q: ArrayLike, gamma: ArrayLike) -> Floats:
    """float64, as many as there are q: by how much G falls at least by a split with advantage γ; see above."""
    q, gamma = np.asarray(q, np.float64), np.asarray(gamma, np.float64)
    both = q * (1 - q)
    if criterion == "gini":
        return np.asarray(32 * gamma**2 * both**2)
    if criterion == "entropy":
        return np.asarray(4 / math.log(2) * gamma**2 * both)
    return np.asarray((1 - np.sqrt(np.maximum(1 - 4 * gamma**2, 0.0))) * np.sqrt(both))


def notes_drop(q: ArrayLike, gamma: ArrayLike) -> Floats:
    """16γ²[q(1 − q)]², the bound of the notes: it holds for all three costs."""
    q = np.asarray(q, np.float64)
    return np.asarray(16 * np.asarray(gamma, np.float64) ** 2 * (q * (1 - q)) ** 2)


def lemma_leaf(share: Floats, error: Floats, t: int) -> int:
    """The leaf of Lemma 12.1: its share of the rows is at least ε/3t, and its error at least ε/3.

    With at most t + 1 leaves, t ≥ 1, there is one: those with a smaller share hold less than (t + 1) · ε/3t · ½ ≤ ε/3
    of the error, those with a smaller error less than ε/3. It holds with ε/2 in both places, too, as the notes go on.

    Args:
        share: float64[L], of all rows in each leaf. error: float64[L], the smaller share of classes there.
        t: the splits that were made.

    Returns:
        The place of the one with the largest share · error among them; −1 where no leaf errs.
    """
    whole = float(share @ error)
    fits = (share >= whole / (3 * max(t, 1)) - 1e-12) & (error >= whole / 3 - 1e-12)
    return int(np.argmax(np.where(fits, share * error, -1.0))) if whole > 0 else -1


def next_cost(criterion: str, g: float, leaves: int, gamma: float) -> float:
    """The most that G of a tree with so many leaves is after its best split, where every impure leaf has one with
    advantage γ; see above."""
    if criterion == "gini":
        return g - 8 * gamma**2 * g * g / leaves
    if criterion == "sqrt":
        return g - float(least_drop("sqrt", 0.5, gamma)) * 2 * g / leaves
    return max(g - 2 / math.log(2) * gamma**2 * least_error(g) / leaves, 0.0)


def notes_next_cost(g: float, t: int, gamma: float) -> float:
    """G_t − γ²G_t³/8t, the recurrence of the notes for Gini, t ≥ 1, with its constant.

    A leaf of share ε/2t and error ε/2 has q(1 − q) ≥ ε/4, so G falls by ε/2t · 32γ² · ε²/16, and ε ≥ G/2. (The notes
    have ε ≥ G/2 = ε(1 − ε); the equality is false.)
    """
    return g - gamma**2 * g**3 / (8 * t)


def least_error(g: float) -> float:
    """The least error of a tree whose ½ entropy is g: the share e ≤ ½ with ½ h(e) = g, never rounded up beyond it.

    ½ h is concave and at most the root of the share, so from g² Newton's steps approach it from below.
    """
    e = min(max(g * g, 1e-300), 0.5 - 1e-9)
    for _ in range(60):
        h = -0.5 * (e * math.log2(e) + (1 - e) * math.log2(1 - e))
        closer = e + (g - h) / (0.5 * math.log2((1 - e) / e))
        if not e * (1 + 1e-12) < closer < 0.5:
            break
        e = closer
    return e if g > 0 else 0.0


def log_steps(criterion: str, epsilon: float, gamma: float) -> float:
    """ln of a number of splits that is enough for G, and so for the error, to be at most ε: the recurrence solved.

    Gini (1/ε − 2) ÷ 8γ², entropy (ln² e − ln² 2) ÷ 8γ² where ½ h(1/e) = ε, √ ln(1/2ε) ÷ (1 − √(1 − 4γ²)). The notes'
    2^(c/γ²ε²) for Gini is (1/ε² − 4) · 4 ÷ γ², `log_steps("notes", …)`; their other two exponents are misprinted.
    Infinite where γ is 0.
    """
    if epsilon >= 0.5 or not gamma > 0:
        return 0.0 if epsilon >= 0.5 else math.inf
    if criterion == "notes":
        return (epsilon**-2 - 4) * 4 / gamma**2
    if criterion == "gini":
        return (1 / epsilon - 2) / (8 * gamma**2)
    if criterion == "entropy":
        return (math.log(least_error(epsilon)) ** 2 - math.log(2) ** 2) / (8 * gamma**2)
    return math.log(1 / (2 * epsilon)) / (1 - math.sqrt(max(1 - 4 * gamma**2, 0.0)))


def steps_by_recurrence(criterion: str, epsilon: float, gamma: float, first: float) -> int | None:
    """After how many splits the recurrence from G_0 = `first` is at ε or below ("notes": that of the notes, whose first
    step is the root's own); None: not within `MOST_STEPS`."""
    g = first
    for t in range(MOST_STEPS + 1):
        if g <= epsilon:
            return t
        if criterion == "notes" and t:
            g = notes_next_cost(g, t, gamma)
        else:
            g = next_cost("gini" if criterion == "notes" else criterion, g, t + 1, gamma)
    return None
