"""A limited growth, node by node, and everything grown and cut down to the limit: the same tree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.growing import by_kernels
from engine.growing.kernels.subtrees import weighted_drops
from tests.effort import examples
from tests.naive import CLASS_CRITERIA, CODES


@examples(60)
@pytest.mark.parametrize("criterion", [*CLASS_CRITERIA, "squared_error"])
@given(
    seed=st.integers(0, 10**6), order=st.sampled_from(["best_first", "level", "depth_first"]),
    leaves=st.integers(2, 30), nominal=st.sampled_from(["groups", "multiway"]), pool=st.sampled_from([0, 4]),
    depth=st.sampled_from([None, 3]), begun=st.booleans(),
)  # fmt: skip
def test_both_ways_to_a_limit_lead_to_the_same_tree(criterion, seed, order, leaves, nominal, pool, depth, begun):
    random = np.random.default_rng(seed)
    n = 120
    x = np.where(random.random(n) < 0.1, np.nan, random.integers(0, 25, n))
    level = random.choice(list("abcde"), n)
    noisy = np.nan_to_num(x) / 8 + (level == "a") + random.normal(size=n)
    y = noisy if criterion == "squared_error" else np.clip(noisy.astype(int), 0, 2).astype(str)
    table = engine.Table.from_frame(pd.DataFrame({"x": x, "level": level, "y": y}), target="y")
    options = {"criterion": criterion, "order": order, "nominal": nominal, "max_depth": depth, "max_leaves": leaves}
    if nominal == "multiway":
        options["pool"] = pool
    start = engine.grow(table, max_depth=1) if begun else None
    trees = []
    for rows_per_leaf in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(by_kernels, "ROWS_PER_LEAF", rows_per_leaf)
            trees.append(engine.grow(table, tree=start, **options))
    one, other = trees
    assert one.n_leaves <= max(leaves, start.n_leaves if start else 0)
    for name, array in one.nodes._asdict().items():
        exact = 1e-12 if name == "train" and criterion == "squared_error" else 0.0  # sums in another order
        np.testing.assert_allclose(array, getattr(other.nodes, name), rtol=exact, atol=1e3 * exact, err_msg=name)
    np.testing.assert_array_equal(one.payload, other.payload)


@pytest.mark.parametrize("order", ["best_first", "level", "depth_first"])
@pytest.mark.parametrize("numeric_target", [False, True])
def test_a_growth_that_was_stopped_goes_on_to_the_same_tree(order, numeric_target):
    random = np.random.default_rng(7)
    x, z = random.normal(size=(2, 400))
    y = np.round(np.sin(3 * x) + z + random.normal(size=400), 1)
    table = engine.Table.from_frame(
        pd.DataFrame({"x": x, "z": z, "y": y if numeric_target else np.where(y > 0, "p", "n")}), target="y"
    )
    options = {"order": order, "max_leaves": 12, "max_depth": 6, "threads": 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_kernels, "SMALL", 40)
        patch.setattr(by_kernels, "VERY_SMALL", 40)
        whole = engine.grow(table, **options)
        some = set()
        for n_beds in range(8):  # stopped when so many beds were grown
            progress, finish, left = engine.Progress(), by_kernels._grow_block, [n_beds]

            def until(walk, knots, soil, progress=progress, finish=finish, left=left):
                if left[0] == 0:
                    progress.stop()
                left[0] -= 1
                finish(walk, knots, soil)

            patch.setattr(by_kernels, "_grow_block", until)
            part = engine.grow(table, progress=progress, **options)
            patch.setattr(by_kernels, "_grow_block", finish)
            some.add(part.n_leaves)
            finished = engine.grow(table, tree=part, **options)
            for name in ("n_branches", "column", "threshold", "missing", "rows_train"):
                np.testing.assert_array_equal(getattr(finished.nodes, name), getattr(whole.nodes, name))
    assert min(some) < whole.n_leaves


def test_drops_are_what_the_nodes_lose():
    parent = np.array([-1, 0, 0, 2, 2], np.int32)
    drops = np.empty(5)
    stats = np.array([[3, 5], [3, 1], [0, 4], [0, 1], [0, 3]], float)
    weighted_drops(CODES["gini"], stats, parent, drops)
    assert drops == pytest.approx([8 * (2 * 3 / 8 * 5 / 8) - 4 * (2 * 3 / 4 * 1 / 4), 0, 0, 0, 0])
    weighted_drops(
        CODES["squared_error"], np.array([[5, 0, 9], [1, 0, 1], [4, 0, 6], [2, 0, 3], [2, 0, 2]], float), parent, drops
    )
    assert drops.tolist() == [2, 0, 1, 0, 0]
