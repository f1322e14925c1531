"""Growing by making the best candidate of one leaf after the other."""

import numpy as np

import engine


def is_worth_a_search(table, rows, search):
    train = rows[table.part[rows] == engine.TRAIN]
    return len(train) >= max(search.min_rows, 2 * search.min_leaf) and len(np.unique(table.y[train])) > 1


def grow_by_candidates(table, tree, **options):
    search = engine.Search.make(table.task, **options)
    deepest = np.inf if search.max_depth is None else search.max_depth
    i = 0
    while i < tree.n_nodes:
        at = engine.assign(table, tree)
        if tree.n_branches[i] == 0 and tree.level[i] < deepest and is_worth_a_search(table, at.rows_of(i), search):
            best = engine.candidates(table, tree, int(tree.ids[i]), assignment=at, **options)[0]
            if best.split is not None and best.gain >= search.min_gain - 1e-12:
                tree = tree.split(table, int(tree.ids[i]), best.split, by_hand=False, assignment=at)
        i += 1
    return tree


def assert_same(tree, other):
    assert tree.n_branches.tolist() == other.n_branches.tolist()
    for i in range(tree.n_nodes):
        assert tree.split_at(i) == other.split_at(i)
    for name in ("rows_train", "rows_validation"):
        assert getattr(tree, name).tolist() == getattr(other, name).tolist()
    np.testing.assert_allclose(tree.train, other.train, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(tree.validation, other.validation, rtol=1e-12, atol=1e-9)
