"""A criterion that no file of the program knows, ½(1 − Σ p³), and a plugin of pytest that puts it in.

    python -m pytest -p tests.engine.cubic tests/engine/with_cubic.py …

Tests that take their criteria of classes from `tests.naive` then try this one and no other.
"""

from engine.criteria import CRITERIA, register
from engine.criteria.criterion import Criterion


def impurity(stat, total):
    cubes = 0.0
    for c in range(stat.shape[0]):
        cubes += (stat[c] / total) ** 3
    return 0.5 * (1.0 - cubes)


def terms(shares, _):
    return f"½ · (1 − {' − '.join(f'({p})³' for p in shares)})"


CUBIC = Criterion(
    "cubic", "Cubic", "classes", "½(1 − Σ pₖ³)", "How rarely three rows agree, halved.",
    "0.8 → 0.6 / 1.0: 0.24 − ½·0.36 − ½·0 = 0.06.", "Cubic", impurity, terms=terms,
)  # fmt: skip

register(CUBIC)

from tests import naive  # noqa: E402, criteria are registered before anything else is loaded

naive.CLASS_CRITERIA[:] = ["cubic"]
naive.CODES = {"cubic": CRITERIA["cubic"].code}
