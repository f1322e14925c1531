"""A frequency stands for rows: methods that know the number of rows, and bounds, say what they say of the rows written
out."""

import numpy as np
import pandas as pd
import pytest

import engine


@pytest.fixture(scope="module")
def both():
    """(a table of 150 lines with frequencies, the same rows written out; the same tree on each)."""
    random = np.random.default_rng(2)
    frame = pd.DataFrame({name: random.integers(0, 9, 150) for name in "abc"})
    frame["y"] = np.where((frame.a > 4) ^ (random.random(150) < 0.25), "yes", "no")
    frame["f"] = random.integers(1, 6, 150)
    counted = engine.Table.from_frame(frame, target="y", roles={"f": "frequency"})
    written = engine.Table.from_frame(
        frame.loc[frame.index.repeat(frame.f)].reset_index(drop=True), target="y", roles={"f": "ignore"}
    )
    tree = engine.grow(written, min_leaf=4)
    return counted, engine.recount(tree, counted)[0], written, tree


@pytest.mark.parametrize("method, options", [
    ("mdl", {"code": "notes"}), ("mdl", {"code": "rissanen"}), ("srm", {}),
    ("kearns_mansour", {"factor": 0.05}), ("pessimistic", {}), ("pessimistic", {"rule": "quinlan1987"}),
    ("generic", {"estimate": "mdl_bound"}), ("generic", {"estimate": "pessimistic"}),
])  # fmt: skip
def test_a_frequency_prunes_as_the_rows_written_out(both, method, options):
    counted, one, written, other = both
    cuts = [engine.prune(table, tree, method, **options) for table, tree in ((counted, one), (written, other))]
    trees = [cut.tree(cut.chosen) for cut in cuts]
    assert 1 <= trees[1].n_leaves < other.n_leaves
    assert [step.leaves for step in cuts[0].steps] == [step.leaves for step in cuts[1].steps]
    assert engine.tree_to_text(engine.recount(trees[0], written)[0]) == engine.tree_to_text(
        engine.recount(trees[1], written)[0]
    )


def test_bounds_are_those_of_the_rows_written_out(both):
    counted, one, written, other = both
    first, second = engine.theory(counted, one), engine.theory(written, other)
    assert first.description.m == second.description.m == written.n_train > counted.n_train
    assert first.description.bound == pytest.approx(second.description.bound)
    np.testing.assert_allclose(first.structural_risk.penalties, second.structural_risk.penalties)
    np.testing.assert_allclose(first.structural_risk.nodes.penalty, second.structural_risk.nodes.penalty)


def test_two_trees_differ_as_on_the_rows_written_out(both):
    counted, one, written, other = both
    found = [
        engine.compare(table, tree, tree.collapse(1), "train") for table, tree in ((counted, one), (written, other))
    ]
    for name in ("n", "differ", "only_first", "only_second"):
        assert getattr(found[0], name) == getattr(found[1], name), name
    assert found[0].p_value == pytest.approx(found[1].p_value) and found[0].interval == pytest.approx(found[1].interval)
    assert found[0].moves.rows.tolist() == found[1].moves.rows.tolist()
    np.testing.assert_allclose(found[0].share_first, found[1].share_first)
