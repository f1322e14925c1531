"""Go: against growing split by split, and asking the validation rows after each."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from tests.effort import examples


def noisy(task="classes", n=400, seed=0, columns=4):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.normal(size=n) for name in "abcd"[:columns]})
    signal = frame.a + np.sign(frame.b) + random.normal(size=n)
    frame["t"] = signal if task == "number" else np.where(signal > 0, "yes", "no")
    return engine.Table.from_frame(frame, target="t").with_partition(validation=0.4, seed=seed)


def enough(best, patience):
    """How many splits may fail after this tree."""
    return patience or max(10, best.n_leaves)


def one_by_one(table, begin, patience, **options):
    """Grows one leaf more at a time; (the errors after every split, the tree of the best)."""
    trees = [begin]
    best = 0
    while len(trees) - 1 - best < enough(trees[best], patience):
        tree = engine.grow(
            table, tree=begin, order="best_first", max_leaves=begin.n_leaves + len(trees), **options
        )  # fmt: skip
        if tree.n_leaves < begin.n_leaves + len(trees):
            break
        trees.append(tree)
        if tree.loss("validation") < trees[best].loss("validation"):
            best = len(trees) - 1
    return trees, best


def shape(tree):
    return [(tree.title(i), tree.branch_words(i)) for i in range(tree.n_nodes)]


@pytest.mark.parametrize("task", ["classes", "number"])
@given(seed=st.integers(0, 10_000), patience=st.none() | st.integers(1, 12))
@examples(24)
def test_it_is_growing_one_split_at_a_time(task, seed, patience):
    table = noisy(task, seed=seed, n=150)
    found = engine.grow_while_improving(table, patience=patience)
    trees, best = one_by_one(table, engine.Tree.root(table), patience)
    assert [step.leaves for step in found.steps] == [tree.n_leaves for tree in trees[::-1]]
    assert np.allclose([s.validation_error for s in found.steps], [t.loss("validation") for t in trees[::-1]])
    assert shape(found.tree(found.chosen)) == shape(trees[best])
    assert shape(found.full) == shape(trees[-1])
    assert bool(found.remark) == (len(trees) - 1 - best < enough(trees[best], patience))


def test_what_stands_already_stays():
    table = noisy()
    begin = engine.grow(table, max_depth=1).split(
        table, 1, engine.candidates(table, engine.grow(table, max_depth=1), 1)[2].split
    )
    found = engine.grow_while_improving(table, begin)
    assert found.steps[-1].leaves == begin.n_leaves
    assert shape(found.tree(-1)) == shape(begin)
    trees, best = one_by_one(table, begin, None)
    assert shape(found.tree(found.chosen)) == shape(trees[best])


def letters(n):
    """26 classes around four places each, of 16 columns: one split tells few rows of few classes apart."""
    random = np.random.default_rng(3)
    places = 0.6 * random.uniform(3, 12, (26, 1, 16)) + 0.4 * random.uniform(2, 13, (26, 4, 16))
    label = random.integers(0, 26, n)
    values = np.round(places[label, random.integers(0, 4, n)] + random.normal(0, 1.6, (n, 16)))
    frame = pd.DataFrame(values, columns=[f"x{k}" for k in range(16)])
    frame["t"] = [chr(ord("A") + k) for k in label]
    return engine.Table.from_frame(frame, target="t").with_partition(validation=0.3)


def test_a_large_tree_is_given_more_splits_to_fail():
    table = letters(5000)
    ten, found = (engine.grow_while_improving(table, patience=patience) for patience in (10, None))
    every = engine.prune(table, engine.grow(table, order="best_first"), "growth")
    at, least = found.steps[found.chosen], min(step.validation_error for step in every.steps)
    assert ten.steps[ten.chosen].validation_error > 1.15 * least
    assert at.validation_error < 1.01 * least
    assert found.full.n_leaves == 2 * at.leaves


def test_a_small_tree_is_given_ten():
    table = noisy(n=120)
    ten, found = (engine.grow_while_improving(table, patience=patience) for patience in (10, None))
    assert found.steps[found.chosen].leaves <= 10
    assert found.steps == ten.steps


def test_a_limit_of_leaves_holds():
    table = noisy(n=2000)
    assert engine.grow_while_improving(table, max_leaves=5, patience=100).full.n_leaves == 5


def wide(seed, n):
    """Columns whose splits have up to ten branches."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.choice(list("abcdefghij"), n), "b": random.choice(list("uvwxyz"), n)})
    frame["c"] = random.normal(size=n)
    sure = (frame.a < "d").astype(int) + (frame.b < "w") + (frame.c > 0)
    frame["t"] = np.where(sure + random.normal(size=n) > 1, "yes", "no")
    return engine.Table.from_frame(frame, target="t").with_partition(validation=0.4, seed=seed)


@given(
    seed=st.integers(0, 10_000), n=st.integers(100, 900), patience=st.integers(1, 120),
    order=st.sampled_from(["best_first", "level"]), numeric=st.sampled_from(["cuts", "bucket_branches"]),
)  # fmt: skip
@examples(25)
def test_wide_splits_come_in_their_turn(seed, n, patience, order, numeric):
    """Against all of growth, gone through split by split: no limit of leaves leaves any split out on the way."""
    table, options = wide(seed, n), {"nominal": "multiway", "order": order, "numeric": numeric}
    found = engine.grow_while_improving(table, patience=patience, **options)
    errors = [step.validation_error for step in engine.prune(table, engine.grow(table, **options), "growth").steps]
    errors = errors[::-1]
    best = made = 0
    while made < len(errors) - 1 and made - best < patience:
        made += 1
        best = made if errors[made] < errors[best] else best
    assert np.allclose([step.validation_error for step in found.steps[::-1]], errors[: made + 1])
    assert len(found.steps) - 1 - found.chosen == best
    assert bool(found.remark) == (made - best < patience)


def test_a_limit_holds_for_wide_splits_and_is_told_as_what_ended_growth():
    table = wide(1, 900)
    found = engine.grow_while_improving(table, patience=500, nominal="multiway", max_leaves=40)
    whole = engine.grow(table, nominal="multiway", max_leaves=40, order="best_first")
    assert shape(found.full) == shape(whole)
    assert found.remark.endswith("failed: at most 40 leaves were asked for.")
    assert engine.grow_while_improving(table, patience=500).remark.endswith("nothing is left to split.")


def test_another_metric_may_judge():
    table = noisy(n=2000)
    by_error, by_log_loss = (engine.grow_while_improving(table, metric=m) for m in ("error", "log_loss"))
    assert by_error.steps[by_error.chosen].leaves != by_log_loss.steps[by_log_loss.chosen].leaves


def test_level_by_level():
    table = noisy(n=2000)
    found = engine.grow_while_improving(table, order="level", patience=40)
    levels = found.full.level[found.full.n_branches > 0]
    assert found.full.depth - 1 == levels.max()


def test_a_stop_leaves_what_has_grown():
    table, progress = noisy(n=2000), Progress()
    progress.stop()
    stopped = engine.grow_while_improving(table, progress=progress)
    assert stopped.full.n_leaves == 1
    assert stopped.remark.endswith("failed: it was stopped.")


def test_faults_name_the_remedy():
    table = noisy()
    with pytest.raises(InputError, match=r"(?i)needs validation rows"):
        engine.grow_while_improving(table.with_partition())
    with pytest.raises(InputError, match="at least 1"):
        engine.grow_while_improving(table, patience=0)
    with pytest.raises(InputError, match="choose one of error"):
        engine.grow_while_improving(table, metric="r2")


@pytest.mark.parametrize(
    ("metric", "said", "options"),
    [("auc", "AUC", {}), (None, "cost", {"priors": {"u": 0, "v": 1}}), ("cost", "Cost", {"priors": {"u": 0, "v": 1}})],
)
def test_validation_rows_that_cannot_judge_are_told_of(metric, said, options):
    frame = pd.DataFrame({"a": range(8), "t": list("uvuvuuuu"), "part": ["train"] * 4 + ["validation"] * 4})
    table = engine.Table.from_frame(frame, target="t").with_partition(column="part")
    with pytest.raises(InputError, match=f"validation rows have no {said}, .* aside"):
        engine.grow_while_improving(table, metric=metric, **options)
