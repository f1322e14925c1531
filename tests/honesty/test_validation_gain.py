"""The small version of `tests.honesty.validation_gain`."""

import pytest

from tests.effort import count
from tests.honesty.validation_gain import TARGETS, measured

CASES = [(target, criterion) for target, (_, criteria) in TARGETS.items() for criterion in criteria]


@pytest.mark.parametrize(("target", "criterion"), CASES)
def test_on_shuffled_targets_the_validation_gain_does_not_promise_what_the_impurity_does(target, criterion):
    found = [measured(target, criterion, weighted, count(120), 300) for weighted in (False, True)]
    for one in found:
        assert one.positive < 0.5 and one.ratio < 0
        assert one.positive_by_impurity > one.positive and one.ratio_by_impurity > one.ratio
    if criterion != "error":  # which is flat: most splits change no label
        assert all(one.positive_by_impurity > 0.9 for one in found)
