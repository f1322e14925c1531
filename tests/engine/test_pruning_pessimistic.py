"""Pessimistic pruning: against what J48 prints, against the definition gone through slowly, and its edges."""

import re

import numpy as np
import pytest
from tests import j48

import engine

PRUNED = [(name, options) for name in j48.make.TABLES for options in j48.trees(name) if "-U" not in options]


@pytest.mark.parametrize(("name", "options"), PRUNED)
def test_from_the_unpruned_tree_of_j48_its_pruned_one_is_made(name, options):
    least, confidence = re.fullmatch(r"-M (\d) -C ([\d.]+)(?: -S)?", options).groups()
    table, printed = j48.table(name), j48.trees(name)
    full = j48.replay(name, printed[f"-M {least} -U"])
    assert j48.told(full) == j48.without_labels_of_empty_leaves(printed[f"-M {least} -U"])
    pruning = engine.prune(table, full, "pessimistic", confidence=float(confidence), raising="-S" not in options)
    best = pruning.tree(pruning.chosen)
    assert j48.told(best) == j48.without_labels_of_empty_leaves(printed[options])
