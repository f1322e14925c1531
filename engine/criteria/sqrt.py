"""The criterion of Kearns and Mansour (1996): ½ Σ √(p(1 − p)), of two classes √(p(1 − p))."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.criteria.criterion import Criterion, Floats
from engine.runtime.sentences import marked


def impurity(stat: Any, total: Any) -> Any:
    """See `Criterion.impurity`."""
    mixed = 0.0
    for c in range(stat.shape[0]):
        mixed += 0.5 * np.sqrt(np.maximum(stat[c] / total * ((total - stat[c]) / total), 0.0))
    return mixed


def weighted(stat: Any, total: Any) -> Any:
    """See `Criterion.weighted`; it needs no division."""
    if stat.shape[0] == 2:
        return math.sqrt(stat[0] * stat[1])
    mixed = 0.0
    for c in range(stat.shape[0]):
        mixed += math.sqrt(stat[c] * max(total - stat[c], 0.0))
    return 0.5 * mixed


def _terms(shares: Sequence[str], _: str) -> str:
    inside = " + ".join(f"√({p} · (1 − {p}))" for p in shares)
    return f"½ · ({inside})" if len(shares) > 1 else f"½ · {inside}"


def _slope(counts: Floats) -> Floats:
    p = counts / counts.sum(axis=0)
    height = np.sqrt(p * (1 - p))
    inverse = np.divide(1.0, height, out=np.zeros_like(p), where=height > 0)
    others = (p * inverse).sum(axis=0) - p * inverse
    return 0.25 * ((1 - p) * inverse + others)


SQRT = Criterion(
    "sqrt", marked("Kearns–Mansour √"), "classes", "½ Σ √(pₖ(1 − pₖ))",
    marked("The criterion with the best guarantee for top-down growing; it rewards nearly pure branches most."),
    "0.8 → 0.6 / 1.0: 0.4 − ½·0.4899 − ½·0 = 0.1551.",
    marked("K–M √"), impurity, weighted, _terms, _slope, curve_name=(0.12, (1.0, 0.8), False), unbounded=True,
)  # fmt: skip
