"""The small version of `tests.honesty.drift`."""

import pytest

from tests.effort import count
from tests.honesty.drift import TARGETS, measured


@pytest.mark.parametrize("target", TARGETS)
def test_rows_drawn_alike_hardly_ever_drift(target):
    drift, moved = measured(target, "none", 500, 500, 20, count(200))
    assert drift <= 0.075
    assert moved <= 0.075
