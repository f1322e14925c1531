"""The small version of `tests.honesty.disagreement`."""

import pytest

from tests.effort import count
from tests.honesty.disagreement import TARGETS, WEIGHTS, measured


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("target", TARGETS)
def test_validation_rows_drawn_as_the_training_rows_mark_hardly_any_tree(target, weights):
    one = measured(target, weights, count(100), 600, 20)
    assert one.trees <= 0.05 and one.nodes <= 0.02
    if weights == "wild":
        assert one.nodes_before > 2 * one.nodes and one.trees_before > 0.3
