"""Quantiles of all nodes at once, against one node after the other."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.runtime.progress import Progress
from engine.table.partition import TRAIN, VALIDATION
from engine.tree import counting as module
from engine.tree.counting import BOX, quantiles
from tests.effort import examples


def grown(seed: int, weighted: bool) -> tuple[engine.Table, engine.Tree]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 90))
    frame = pd.DataFrame({"x": rng.integers(0, 9, n), "w": rng.integers(0, 4, n), "y": rng.integers(0, 12, n) + 0.5})
    frame.loc[0, "w"] = 1
    table = engine.Table.from_frame(frame, target="y", weights="w" if weighted else None)
    table = table.with_partition(validation=0.4, seed=seed)
    return table, engine.grow(table, max_leaves=6)


def naive(table: engine.Table, rows: np.ndarray, share: float) -> float:
    """The least value that reaches the share, by counting up."""
    weights = np.ones(rows.size) if table.weights is None else table.weights[rows]
    pairs = sorted(zip(table.y[rows] + table.origin, weights, strict=True))
    total, reached = sum(weight for _, weight in pairs), 0.0
    for value, weight in pairs:
        reached += weight
        if reached >= share * total - 1e-9 * total:
            return float(value)
    return float("nan")


@given(seed=st.integers(0, 10_000), weighted=st.booleans(), part=st.sampled_from(["train", "validation"]))
@examples(40)
def test_they_are_those_of_each_node_alone(seed: int, weighted: bool, part: str) -> None:
    table, tree = grown(seed, weighted)
    at = engine.assign(table, tree)
    found = quantiles(table, tree, at, part)
    for i in range(tree.n_nodes):
        rows = at.rows_of(i)
        rows = rows[table.part[rows] == (TRAIN if part == "train" else VALIDATION)]
        if rows.size and (table.weights is None or table.weights[rows].min() > 0):
            assert found[i] == pytest.approx([naive(table, rows, share) for share in BOX], rel=1e-12, abs=1e-9)
        elif not rows.size:
            assert np.isnan(found[i]).all()


def test_a_node_without_rows_of_the_part_has_none() -> None:
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3], "y": [1.0, 2, 3, 4], "part": ["train", "train", "train", "validation"]})
    table = engine.Table.from_frame(frame, target="y", kinds={"y": "number"}).with_partition(column="part")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (1.5,)))
    found = quantiles(table, tree, engine.assign(table, tree), "validation")
    assert (found[[0, 2]] == 4.0).all()
    assert np.isnan(found[1]).all()


def test_too_much_work_is_not_begun_and_a_stop_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    table, tree = grown(3, weighted=False)
    at, progress = engine.assign(table, tree), Progress()
    progress.stop()
    assert np.isnan(quantiles(table, tree, at, progress=progress)).all()
    monkeypatch.setattr(module, "MOST_WORK", 5)
    assert np.isnan(quantiles(table, tree, at)).all()
