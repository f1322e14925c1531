"""The preset rpart sends rows without a value where rpart sends them (tests/data/rpart_surrogates.py)."""

import json

import numpy as np
import pytest

import engine
from tests.data import rpart_surrogates as made

WHERE = json.loads(made.FILE.read_text())


@pytest.mark.parametrize(("which", "seed"), made.TABLES)
def test_every_row_stands_in_the_leaf_of_rpart(which, seed):
    table = engine.Table.from_frame(made.table(which, seed), target="y")
    tree = engine.grow(table, preset="rpart", cp=0.0, max_depth=4)
    at, leaf = engine.assign(table, tree), np.zeros(table.n_rows, int)
    for i in tree.leaves.tolist():
        leaf[at.rows_of(i)] = i
    pairs = set(zip(leaf.tolist(), WHERE[f"{which}{seed}"], strict=True))
    assert len(pairs) == tree.n_leaves == len({other for _, other in pairs})
    assert any(tree.split_at(i).surrogates for i in np.flatnonzero(tree.n_branches).tolist())
