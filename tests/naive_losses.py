"""What answers cost on rows that did not give them: the slow twin, row by row.

The losses are those of the literature, not derivatives: the squared score of Brier (1950), the logarithmic score of
Good (1952) in bits, wrong or right, squares and absolute values; of √ the score that Savage (1971) gives for a concave
function φ of the shares, φ(p) + ∂φ/∂pₖ − Σ pⱼ ∂φ/∂pⱼ, by hand.
"""

import math

import numpy as np

import engine


def loss(criterion, labels, weights, label):
    """The loss of a row with this label under the answer of rows with labels and weights."""
    if criterion == "squared_error":
        return (label - np.average(labels, weights=weights)) ** 2
    if criterion == "absolute_error":
        return abs(label - median(labels, weights))
    label, p = int(label), np.bincount(labels, weights) / np.sum(weights)
    p = np.append(p, np.zeros(max(label + 1 - p.size, 0)))
    if criterion in ("gini", "binned_gini"):
        return sum((p[k] - (k == label)) ** 2 for k in range(p.size))
    if criterion in ("error", "binned_error"):
        return float(np.argmax(p > p.max() - 1e-9) != label)  # of equal classes the first, as the leaves predict
    if criterion in ("entropy", "gain_ratio"):
        return -math.log2(p[label])
    if criterion == "sqrt":
        gradient = [(1 - 2 * q) / (4 * math.sqrt(q * (1 - q))) for q in p]
        phi = sum(math.sqrt(q * (1 - q)) for q in p) / 2
        return phi + gradient[label] - sum(q * g for q, g in zip(p, gradient, strict=True))
    raise ValueError(f"{criterion} has no slow twin")


def median(labels, weights):
    """The weighted median, halfway between two numbers where half of the weight ends between them."""
    order = np.argsort(labels, kind="stable")
    passed, half = np.cumsum(np.asarray(weights, dtype=float)[order]), np.sum(weights) / 2
    lower = labels[order][np.flatnonzero(passed >= half * (1 - 1e-9))[0]]
    upper = labels[order][np.flatnonzero(passed > half * (1 + 1e-9))[0]]
    return (lower + upper) / 2


def gain(criterion, train, judged, n_classes=0):
    """What a split saves the judged rows on average; None without any.

    Args:
        train, judged: (labels, weights, branch of each row); weight 0 does not count. n_classes: of class labels.
    """
    y, w, of = (np.asarray(part)[np.asarray(train[1]) > 0] for part in train)
    total = float(np.sum(judged[1]))
    if not total > 0:
        return None
    half = np.mean(w) / 2 if criterion in ("entropy", "gain_ratio", "sqrt") else 0.0  # else log 0

    def answer(inside):
        labels, weights = y[inside], w[inside].astype(float)
        if half:
            return np.append(labels, np.arange(n_classes)).astype(int), np.append(weights, np.full(n_classes, half))
        return labels, weights

    saved = 0.0
    for label, weight, branch in zip(*judged, strict=True):
        inside = of == branch
        if weight > 0 and inside.any():  # a branch without training rows has the answer of the node
            usual = loss(criterion, *answer(np.full(y.size, True)), label)
            saved += weight * (usual - loss(criterion, *answer(inside), label))
    return saved / total


def of_table(table, split, train, judged, criterion, bins=3):
    """`gain` of a split of a table, from row numbers."""
    searched = table.binned(bins) if criterion.startswith("binned") else table
    weights = np.ones(table.n_rows) if table.weights is None else table.weights

    def part(rows):
        return searched.y[rows], weights[rows], engine.branch_of_rows(split, table, rows)

    return gain(criterion, part(train), part(judged), searched.n_stats if searched.task == "classes" else 0)
