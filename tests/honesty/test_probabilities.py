"""Smoothed and honest probabilities promise less than counted ones, and lose less on fresh rows."""

from tests.honesty.probabilities import simulate


def test_counted_probabilities_of_small_leaves_are_the_worst():
    found = simulate(n=600, share=0.05, min_leaf=1, tables=4)
    assert found["none"][0] > 1 > max(found[rule][0] for rule in ("laplace", "m_estimate", "honest"))
    assert found["truth"][0] < found["honest"][0] < found["none"][0]
    assert found["honest"][1] < found["none"][1]
