"""The small version of `tests.honesty.selection`; how wide the intervals are is seen in the large one."""

import pytest

from tests.effort import count, crossed
from tests.honesty.selection import KINDS, measured


@pytest.mark.parametrize(
    ("choice", "kind"), crossed(["reduced error", "40 settings", "6 pruned settings", "folds"], KINDS)
)
def test_the_honest_error_is_nearer_to_the_truth_than_that_shown(choice, kind):
    one = measured(choice, kind, 100, count(100))
    assert one.shown < -0.01
    assert abs(one.honest) < 0.025
