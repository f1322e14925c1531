"""The bounds of leaves, leaf by leaf, as scipy has them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.assessment.effective_rows import count_effective_rows
from engine.assessment.leaf_bounds import LEAST_ROWS, bound_means, bound_rates


def grown(task, seed, weights=None):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.random(200), "b": random.random(200), "w": random.integers(1, 5, 200)})
    noisy = frame.a + random.normal(0, 0.5, 200)
    frame["y"] = 1e5 + noisy if task == "number" else np.where(noisy > 0.7, "yes", "no")
    table = engine.Table.from_frame(frame, "y", weights=weights).with_partition(validation=0.2, seed=seed)
    return table, engine.grow(table, max_leaves=20, order="best_first")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("part", ["train", "validation"])
def test_rates_are_bounded_by_the_binomial_law(part, seed):
    table, tree = grown("classes", seed)
    effective = count_effective_rows(table, tree)[:, int(part == "validation")]
    found, counts = bound_rates(tree, 1, part, effective), tree.stats(part)[tree.leaves]
    n, judged = counts.sum(axis=1), int((counts.sum(axis=1) > 0).sum())
    for bound, (no, yes), rows in zip(found, counts, n, strict=True):
        if rows == 0:
            assert np.isnan(bound)
        else:
            test = stats.binomtest(int(yes), int(no + yes), alternative="greater")
            wanted = test.proportion_ci(1 - 0.05 / judged, method="exact").low
            assert bound == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("lowest", [False, True])
def test_means_are_bounded_by_student(lowest):
    table, tree = grown("number", 1)
    rows = tree.rows_validation[tree.leaves]
    found = bound_means(tree, lowest, "validation", count_effective_rows(table, tree)[:, 1])
    leaf = tree.apply(table)
    valid, judged = table.part == engine.VALIDATION, int((rows > 0).sum())
    y = table.y + table.origin
    assert (rows >= LEAST_ROWS).any() and (rows < LEAST_ROWS).any()
    for i, n, bound in zip(tree.leaves, rows, found, strict=True):
        if n < LEAST_ROWS:
            assert np.isnan(bound)
        else:
            own = y[valid & (leaf == i)]
            error = np.sqrt((own.var() + y[valid].var() / n) / (n - 1))
            wanted = own.mean() + (1 if lowest else -1) * stats.t.ppf(1 - 0.05 / judged, n - 1) * error
            assert bound == pytest.approx(wanted, rel=1e-9)


def test_weights_that_differ_lower_the_bounds():
    table, tree = grown("classes", 2, "w")
    plain = np.where(tree.rows_validation > 0, tree.rows_validation, 0).astype(float)
    weighted = bound_rates(tree, 1, "validation", count_effective_rows(table, tree)[:, 1])
    every = bound_rates(tree, 1, "validation", plain)
    some = np.isfinite(every)
    assert (weighted[some] <= every[some] + 1e-12).all() and (weighted[some] < every[some] - 1e-6).any()
