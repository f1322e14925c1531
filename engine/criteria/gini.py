"""The Gini impurity (Breiman, Friedman, Olshen and Stone 1984): Σ p(1 − p) = 1 − Σ p²."""

from collections.abc import Sequence
from typing import Any

from engine.criteria.criterion import Criterion, Floats
from engine.runtime.sentences import marked


def impurity(stat: Any, total: Any) -> Any:
    """See `Criterion.impurity`."""
    mixed = 0.0
    for c in range(stat.shape[0]):
        mixed += stat[c] / total * ((total - stat[c]) / total)
    return mixed


def _terms(shares: Sequence[str], _: str) -> str:
    return "1 − " + " − ".join(f"({p})²" for p in shares)


def _slope(counts: Floats) -> Floats:
    p = counts / counts.sum(axis=0)
    return 1 - 2 * p + (p * p).sum(axis=0)


GINI = Criterion(
    "gini", marked("Gini"), "classes", "1 − Σ pₖ²",
    marked("How often two rows drawn from the node differ in class; strictly concave, quick, the usual choice."),
    "0.8 → 0.6 / 1.0: 0.32 − ½·0.48 − ½·0 = 0.08.",
    marked("Gini"), impurity, terms=_terms, slope=_slope, curve_name=(0.17, (0.0, 0.0), False), by_contrast=True,
)  # fmt: skip
