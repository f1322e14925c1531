"""Samples against the plain thing: a frame in which rows are repeated, and a table of that."""

import numpy as np
import pytest
from scipy.stats import chisquare

import engine
from engine import InputError, Progress, Recipe, bootstrap
from engine.resampling.samples import draw_sample
from engine.table.partition import further_seed
from tests.engine.resampling.making import noisy_frame, table_of


def splits(tree):
    """All splits in preorder, with the rows of the nodes."""
    return [(tree.split_at(i), int(tree.rows_train[i])) for i in range(tree.n_nodes)]


@pytest.mark.parametrize("kind", ["bootstrap", "subsample"])
@pytest.mark.parametrize("options", [{}, {"min_leaf": 5}, {"criterion": "entropy", "nominal": "multiway"}])
@pytest.mark.parametrize("roles", [{}, {"w": "weight"}])
def test_a_sample_grows_the_tree_of_its_rows_written_out(kind, options, roles):
    frame = noisy_frame()
    table = table_of(frame, **roles)
    for seed in range(3):
        sample = draw_sample(table, np.arange(len(frame)), kind, seed)
        written = table_of(frame.iloc[sample.source], **roles)
        assert splits(engine.grow(sample.table, **options)) == splits(engine.grow(written, **options))


@pytest.mark.parametrize("options", [{"significance": 0.2}, {"missing": "surrogate", "max_depth": 3}, {"lookahead": 2}])
def test_so_does_growing_node_by_node(options):
    frame = noisy_frame(60)
    sample = draw_sample(table_of(frame), np.arange(60), "bootstrap", 1)
    written = table_of(frame.iloc[sample.source])
    assert splits(engine.grow(sample.table, **options)) == splits(engine.grow(written, **options))


@pytest.mark.parametrize("task", ["classes", "number"])
def test_trees_and_their_errors_on_the_rows_left_out(task):
    frame = noisy_frame(task=task)
    found = bootstrap(table_of(frame), {"max_depth": 3}, samples=5, seed=4)
    for i, tree in enumerate(found.trees):
        sample = draw_sample(table_of(frame), np.arange(len(frame)), "bootstrap", further_seed(4, i))
        assert np.array_equal(sample.left, np.setdiff1d(np.arange(len(frame)), sample.source))
        left = frame.iloc[sample.left]
        apart = tree.predict(left) != left.y if task == "classes" else (tree.predict(left) - left.y) ** 2
        assert found.errors[i] == pytest.approx(apart.mean())
        assert found.leaves[i] == tree.n_leaves
    assert found.mean == pytest.approx(found.errors.mean())


def test_every_row_is_drawn_equally_often():
    rows, table = np.arange(5, 105), table_of(noisy_frame(110))
    samples = [draw_sample(table, rows, "bootstrap", further_seed(9, i)) for i in range(300)]
    drawn = np.bincount(np.concatenate([one.source for one in samples]), minlength=110)
    assert drawn[:5].sum() == drawn[105:].sum() == 0
    assert chisquare(drawn[rows]).pvalue > 1e-4
    often = np.concatenate([np.bincount(one.source, minlength=110)[rows] for one in samples])
    assert [np.mean(often == k) for k in range(3)] == pytest.approx([0.366, 0.370, 0.185], abs=0.01)  # Poisson, nearly
    part = draw_sample(table, rows, "subsample", 1)
    assert np.unique(part.source).size == part.source.size == 63


def test_frequencies_are_copies():
    frame = noisy_frame(50)
    counted, every = table_of(frame, f="frequency"), frame.loc[frame.index.repeat(frame.f)]
    written = table_of(every)
    for kind in ("bootstrap", "subsample"):
        few = draw_sample(counted, np.arange(50), kind, 3)
        many = draw_sample(written, np.arange(len(every)), kind, 3)
        times = np.bincount(np.asarray(every.index)[many.source], minlength=50)
        assert np.array_equal(few.source, np.flatnonzero(times))
        assert np.array_equal(few.table.weights, times[few.source])
        left = np.bincount(np.asarray(every.index)[many.left], minlength=50)
        assert np.array_equal(few.left, np.flatnonzero(left))
        np.testing.assert_allclose(few.left_share * frame.f.to_numpy()[few.left], left[few.left])
        trees = [engine.grow(sample.table, max_depth=3) for sample in (few, many)]
        assert [trees[0].split_at(i) for i in range(7)] == [trees[1].split_at(i) for i in range(7)]


def test_copies_of_a_row_stay_together_where_a_pruning_chooses():
    """Were copies parted, a tree that is grown out would know rows that judge it, and would be recommended."""
    frame = noisy_frame(150).assign(y=np.random.default_rng(0).permutation(np.arange(150) % 2).astype(str))
    table = table_of(frame)
    for recipe in (
        Recipe(search={}, prune="cost_complexity"),
        Recipe(search={}, prune="reduced_error", validation=0.3),
    ):
        assert np.median(bootstrap(table, recipe, samples=9).leaves) < 10
    assert np.median(bootstrap(table, {}, samples=9).leaves) > 20


def test_the_number_of_threads_changes_nothing_and_a_stop_keeps_what_is_finished():
    table = table_of(noisy_frame())
    one, two = (bootstrap(table, {}, samples=6, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.errors, two.errors)
    progress = Progress(lambda done, words: progress.stop() if done >= 0.5 else None)
    found = bootstrap(table, {}, samples=6, threads=1, progress=progress)
    assert len(found.trees) == 3
    assert np.array_equal(found.errors, one.errors[:3])


@pytest.mark.parametrize(
    ("how", "words"), [({"samples": 0}, "samples cannot be 0"), ({"rows": "all"}, "rows cannot be")]
)
def test_what_cannot_be_is_said(how, words):
    with pytest.raises(InputError, match=words):
        bootstrap(table_of(noisy_frame()), {}, **how)
