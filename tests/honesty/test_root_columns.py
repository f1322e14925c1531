"""LogWorth prefers no kind of column, see `root_columns`."""

import pytest
from scipy.stats import binom

from tests.effort import crossed
from tests.honesty.root_columns import KINDS, TARGETS, WEIGHTS, winners

RARELY = 1e-4  # how often one of the shares may be out of bounds by chance


@pytest.mark.parametrize(("kind", "weighted"), crossed(TARGETS, WEIGHTS))
def test_each_kind_of_column_wins_about_as_often(kind, weighted, full):
    tables = 2000 if full else 80
    by_gain, by_evidence = winners(kind, weighted, tables, 300, seed=1).values()
    fair = 1 / len(KINDS)
    assert by_evidence.min() >= binom.ppf(RARELY, tables, fair)
    assert by_evidence.max() <= binom.isf(RARELY, tables, fair)
    assert by_gain[KINDS.index("30 levels")] > 0.9 * tables  # there is something to adjust for


@pytest.mark.slow
@pytest.mark.parametrize("kind", TARGETS)
def test_so_it_is_with_more_rows(kind):
    shares = winners(kind, "none", 1000, 2000, seed=2)[TARGETS[kind][1]] / 1000
    assert (shares > 0.09).all() and (shares < 0.16).all()
