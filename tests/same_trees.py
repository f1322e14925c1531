"""Whether two trees are the same, and whether a tree's counts are those of its rows."""

import numpy as np


def check_counts(table, tree):
    """The counts are those of counting anew."""
    again = tree.with_counts(table)
    for name, ours, theirs in zip(tree.nodes._fields, tree.nodes, again.nodes, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-9, err_msg=name)
    assert tree.counted_on == table.counts_key


def assert_same(first, second):
    assert first.n_nodes == second.n_nodes
    for name in ("ids", "n_branches", "kind", "column", "threshold", "missing", "unseen", "payload_size", "by_hand"):
        np.testing.assert_array_equal(getattr(first.nodes, name), getattr(second.nodes, name), err_msg=name)
    for i in range(first.n_nodes):
        assert first.split_at(i) == second.split_at(i)
    np.testing.assert_array_equal(first.rows_train, second.rows_train)
    np.testing.assert_array_equal(first.rows_validation, second.rows_validation)
    np.testing.assert_allclose(first.train, second.train, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(first.validation, second.validation, rtol=1e-9, atol=1e-9)
    assert first.next_id == second.next_id
