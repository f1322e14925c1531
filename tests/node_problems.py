"""What one column is at one node, small and full of ties, for tests of the search."""

import numpy as np
import pytest
from hypothesis import strategies as st

from tests import naive

ALL = [*naive.CLASS_CRITERIA, "squared_error"]


@st.composite
def problems(draw, name, most_runs=6):
    """(stats, rows, miss_stat, miss_rows): whole numbers, with many ties; sometimes with missing rows."""
    m = draw(st.integers(1, most_runs))
    missing = draw(st.booleans())
    if name == "squared_error":
        cells = [draw(st.lists(st.integers(-3, 3), min_size=1, max_size=3)) for _ in range(m + missing)]
        stats = [[len(c), sum(c), sum(v * v for v in c)] for c in cells]
        rows = [len(c) for c in cells]
    else:
        width = draw(st.integers(2, 5))
        one = st.lists(st.integers(0, 3), min_size=width, max_size=width).filter(any)
        stats = [draw(one) for _ in range(m + missing)]
        rows = [sum(s) for s in stats]
    if missing:
        return stats[:m], rows[:m], stats[m], rows[m]
    return stats, rows, [0] * len(stats[0]), 0


def arrays(problem, scale=1.0):
    stats, rows, miss_stat, miss_rows = problem
    return (
        np.array(stats, dtype=np.float64) * scale,
        np.array(rows, dtype=np.int64),
        np.array(miss_stat, dtype=np.float64) * scale,
        miss_rows,
    )


def is_same(found, expected):
    return found == pytest.approx((float(expected[0]), float(expected[1])), abs=1e-12)
