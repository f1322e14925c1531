"""The entropy in bits (Quinlan 1986): −Σ p log₂ p. Its drop is the information gain."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.criteria.criterion import Criterion, Floats
from engine.runtime.sentences import marked


def impurity(stat: Any, total: Any) -> Any:
    """See `Criterion.impurity`."""
    mixed = 0.0
    for c in range(stat.shape[0]):
        p = stat[c] / total
        mixed -= p * np.log2(p + (p == 0.0))
    return mixed


def weighted(stat: Any, total: Any) -> Any:
    """See `Criterion.weighted`; of two classes without the shares, which are rounded."""
    if stat.shape[0] == 2:
        a, b = stat[0], stat[1]
        return -a * np.log2(a / (a + b)) - b * np.log2(b / (a + b)) if a > 0.0 and b > 0.0 else 0.0
    mixed = 0.0
    for c in range(stat.shape[0]):
        p = stat[c] / total
        mixed -= p * np.log2(p) if p > 0.0 else 0.0
    return total * max(mixed, 0.0)


def terms(shares: Sequence[str], _: str) -> str:
    """See `Criterion.terms`."""
    return "−" + " − ".join(f"{p} · log₂ {p}" for p in shares)


def slope(counts: Floats) -> Floats:
    """See `Criterion.slope`."""
    p = counts / counts.sum(axis=0)
    return -np.log2(p, out=np.zeros_like(p), where=p > 0)


ENTROPY = Criterion(
    "entropy", marked("Entropy"), "classes", marked("−Σ pₖ log₂ pₖ"),
    marked("The bits needed to tell a row's class; its drop is the information gain of ID3."),
    marked("0.8 → 0.6 / 1.0: 0.722 − ½·0.971 − ½·0 = 0.2365 bits."),
    marked("Entropy"), impurity, weighted, terms, slope, curve_name=(0.31, (1.0, 1.0), True), unit=marked("bits"),
    unbounded=True, by_divergence=True,
)  # fmt: skip
