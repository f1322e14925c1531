"""Pruning by significance cuts a tree of noise to its root, and ctree grows none, see `noise_trees`."""

import numpy as np
import pytest
from scipy.stats import binom

from tests.effort import crossed
from tests.honesty.noise_trees import LEVEL, SIZES, TARGETS, WEIGHTS, kept

RARELY = 1e-4  # how often one of the shares may be out of bounds by chance


@pytest.mark.parametrize(("kind", "weighted"), crossed(TARGETS, WEIGHTS))
def test_a_tree_of_noise_keeps_no_split(kind, weighted, full):
    trees = 400 if full else 40
    for found in kept(kind, weighted, "full", trees, seed=1, of=("tree", "ctree")).values():
        assert np.count_nonzero(found) <= binom.isf(RARELY, trees, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("size", SIZES)
def test_each_split_by_itself_makes_no_such_promise(kind, size):
    found = kept(kind, "none", size, 100, seed=2)
    assert found["split"].mean() > 0.5 > 0.15 > found["tree"].mean()
