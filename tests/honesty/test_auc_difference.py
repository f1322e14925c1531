"""The small version of `tests.honesty.auc_difference`."""

import pytest

from tests.effort import count
from tests.honesty.auc_difference import KINDS, measured


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "chosen"])
def test_trees_that_rank_alike_seldom_differ(kind):
    assert measured(kind, 200, 0.5, count(200)) <= 0.1
