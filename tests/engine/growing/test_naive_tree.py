"""Whole trees: the engine's are those of the slow twin that tries every split in exact fractions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from tests import naive, naive_tree
from tests.effort import examples

CRITERIA = {"classes": naive.CLASS_CRITERIA, "number": ["squared_error", "absolute_error"]}
NUMERIC = {"classes": ["cuts", "boundary_cuts"], "number": ["cuts"]}  # those whose best cut is the best of all cuts
NOMINAL = ["groups", "multiway", "one_vs_rest"]

EVERY = [(task, criterion) for task, criteria in CRITERIA.items() for criterion in criteria]
LEVELS = "dcba"


@st.composite
def tables(draw, task):
    """A table without gaps, and what the twin takes: (table, columns, y, weights, number of classes)."""
    n = draw(st.integers(4, 14))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    few, many = random.integers(0, 4, n), random.permutation(2 * n)[:n] / 4
    level, flag = random.integers(0, draw(st.integers(1, 4)), n), random.integers(0, 2, n)
    weights = random.integers(1, 4, n) if draw(st.booleans()) else np.ones(n, int)
    y = random.integers(0, draw(st.integers(2, 4)), n)
    y[:3] = 0, 1, 0
    frame = pd.DataFrame({"few": few, "many": many, "w": weights})
    frame["level"] = pd.Categorical.from_codes(level, list(LEVELS))
    frame["flag"] = pd.Categorical.from_codes(flag, ["off", "on"])
    frame["y"] = pd.Categorical.from_codes(y, list("PQRS")[: y.max() + 1]) if task == "classes" else y / 2
    kinds = {"few": "number", "many": "number", **({"y": "number"} if task == "number" else {})}
    table = engine.Table.from_frame(frame, target="y", kinds=kinds, weights="w")
    numbers, levels = [("number", v.tolist()) for v in (few, many)], [("nominal", v.tolist()) for v in (level, flag)]
    columns = naive_tree.Columns(numbers + levels, [0, 0, len(LEVELS), 2])
    return table, columns, (y if task == "classes" else y / 2).tolist(), weights.tolist(), len(table.classes) or None


LIMITS = st.fixed_dictionaries(
    {"nominal": st.sampled_from(NOMINAL)},
    optional={
        "min_rows": st.integers(2, 6),
        "min_leaf": st.integers(1, 3),
        "min_gain": st.sampled_from([0.0137, 0.0713]),
        "max_depth": st.integers(0, 3),
    },
)


def nodes_of(table, tree):
    """An engine's tree as the twin writes it."""
    at, names = engine.assign(table, tree), [table.columns[i].name for i in table.features]

    def rows(i):
        return tuple(sorted(at.rows_of(i).tolist()))

    nodes = []
    for i in range(tree.n_nodes):
        split = tree.split_at(i)
        made = (names.index(split.column), tuple(map(rows, tree.children(i)))) if split else ()
        nodes.append(naive_tree.Node(rows(i), *made))
    return nodes


@examples(120)
@pytest.mark.parametrize(("task", "criterion"), EVERY)
@given(data=st.data(), limits=LIMITS)
def test_the_engine_grows_the_tree_of_the_twin(task, criterion, data, limits):
    """Ties between columns and between all cuts go to the first; of equally good groupings any may be taken."""
    table, columns, y, weights, n_classes = data.draw(tables(task))
    numeric = data.draw(st.sampled_from(NUMERIC[task]))
    grown = nodes_of(table, engine.grow(table, criterion=criterion, numeric=numeric, **limits))

    def settle(position, splits):
        kind, _ = columns.values[grown[position].column or 0]
        free = kind == "nominal" or numeric != "cuts"
        return grown[position].branches if free and grown[position].branches in splits else splits[0]

    assert naive_tree.grow(columns, y, weights, n_classes, settle, criterion=criterion, **limits) == grown
