"""The tree and its edits against slow twins that send each row down one by one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.tree.assignment import Assignment, assign
from engine.tree.nodes import SplitWriter
from tests.frames import frames, random_split, random_tree, table_of
from tests.naive_tree import naive_leaf

SEEDS = st.integers(0, 10**6)


@given(frames(), SEEDS, st.integers(0, 6))
def test_every_row_stands_in_the_leaf_that_its_values_lead_to(frame, seed, n_splits):
    table = table_of(frame)
    tree = random_tree(table, seed, n_splits)
    reached = [naive_leaf(tree, frame, row) for row in range(len(frame))]
    assert tree.apply(table).tolist() == reached
    at = assign(table, tree)
    for i in tree.leaves:
        assert at.rows_of(i).tolist() == [row for row, leaf in enumerate(reached) if leaf == i]
    for i in range(tree.n_nodes):
        inside = [row for row, leaf in enumerate(reached) if i <= leaf < tree.end[i]]
        assert sorted(at.rows_of(i)) == inside
        train = [row for row in inside if table.part[row] == engine.TRAIN]
        assert tree.rows_train[i] == len(train)
        weights = np.ones(len(frame)) if table.weights is None else table.weights
        if table.task == "classes":
            expected = np.bincount(table.y[train], weights[train], len(table.classes))
        else:
            y, w = table.y[train], weights[train]
            apart = y - np.average(y, weights=w) if w.sum() > 0 else y
            expected = np.array([w.sum(), (w * y).sum(), (w * apart**2).sum()])
        np.testing.assert_allclose(tree.train[i], expected, atol=1e-9)


def together(tree, counts):
    """The counts of several nodes in one; squares around their means become squares around the common mean."""
    whole = counts.sum(axis=0)
    if tree.task == "number" and counts.ndim == 2 and whole[0] > 0:
        counts = counts[counts[:, 0] > 0]
        means = counts[:, 1] / counts[:, 0]
        whole[2] += (counts[:, 0] * (means - whole[1] / whole[0]) ** 2).sum()
    return whole


@given(frames(), SEEDS, st.integers(1, 6), st.floats(0.1, 0.5))
def test_children_partition_their_parent_and_recounting_changes_nothing(frame, seed, n_splits, share):
    table = table_of(frame).with_partition(validation=share, seed=seed)
    tree = random_tree(table, seed, n_splits)
    for i in np.flatnonzero(tree.n_branches):
        for counts in (tree.train, tree.validation, tree.rows_train, tree.rows_validation):
            np.testing.assert_allclose(together(tree, counts[tree.children(i)]), counts[i], atol=1e-9)
    again = tree.with_counts(table)
    for before, after in zip(tree.nodes, again.nodes, strict=True):
        np.testing.assert_allclose(before, after, atol=1e-9)


@given(frames(), SEEDS, st.integers(1, 6))
def test_an_edit_leaves_the_old_tree_as_it_was_and_keeps_ids(frame, seed, n_splits):
    table = table_of(frame)
    tree = random_tree(table, seed, n_splits)
    saved = [array.copy() for array in tree.nodes]
    random = np.random.default_rng(seed)
    leaf = int(tree.ids[random.choice(tree.leaves)])
    larger = tree.split(table, leaf, random_split(table, random))
    assert set(tree.ids) < set(larger.ids)
    assert len(set(larger.ids)) == larger.n_nodes
    smaller = larger.collapse(leaf)
    for before, after in zip(tree.nodes, smaller.nodes, strict=True):
        if before is not tree.nodes.payload_start:
            np.testing.assert_array_equal(before, after)
    inner = int(random.choice(tree.ids[tree.n_branches > 0]))
    tree.collapse(inner, 0)
    for before, after in zip(saved, tree.nodes, strict=True):
        np.testing.assert_array_equal(before, after)


@given(frames(), SEEDS, st.integers(1, 5), st.integers(1, 5))
def test_grafting_a_tree_is_making_its_splits_there(frame, seed, n_splits, n_more):
    table = table_of(frame)
    tree = random_tree(table, seed, n_splits)
    random = np.random.default_rng(seed)
    leaf = int(tree.ids[random.choice(tree.leaves)])
    larger = tree
    below = [leaf]
    for _ in range(n_more):
        node = below.pop()
        larger = larger.split(table, node, random_split(table, random))
        below += [int(larger.ids[i]) for i in larger.children(larger.position(node))]
    i = larger.position(leaf)
    part = larger.nodes.take(slice(i, larger.end[i]))
    import dataclasses

    grafted = tree.graft({leaf: dataclasses.replace(larger, nodes=part)})
    assert [grafted.split_at(k) for k in range(grafted.n_nodes)] == [larger.split_at(k) for k in range(larger.n_nodes)]
    np.testing.assert_array_equal(grafted.train, larger.train)
    assert len(set(grafted.ids)) == grafted.n_nodes
    assert set(tree.ids) <= set(grafted.ids)


@given(frames(), SEEDS, st.integers(0, 5))
def test_the_assignment_follows_the_edits(frame, seed, n_splits):
    table = table_of(frame)
    random = np.random.default_rng(seed)
    tree, at = engine.Tree.root(table), Assignment.root(table)
    for _ in range(n_splits):
        i = int(random.choice(tree.leaves))
        split = random_split(table, random)
        tree, at = tree.split(table, int(tree.ids[i]), split, assignment=at), at.split(table, i, split)
    expected = assign(table, tree)
    for one, other in ((at.rows, expected.rows), (at.start, expected.start), (at.stop, expected.stop)):
        np.testing.assert_array_equal(one, other)
    i = int(random.integers(tree.n_nodes))
    expected = assign(table, tree.collapse(int(tree.ids[i])))
    at = at.collapse(i, int(tree.end[i]))
    np.testing.assert_array_equal(at.rows, expected.rows)
    np.testing.assert_array_equal(at.start, expected.start)


@given(frames(), SEEDS, st.integers(0, 5))
def test_prediction_is_the_leaf_of_the_row(frame, seed, n_splits):
    table = table_of(frame)
    tree = random_tree(table, seed, n_splits)
    reached = tree.apply(table)
    if table.task == "classes":
        assert tree.predict(frame).tolist() == [table.classes[k] for k in tree.labels[reached]]
        np.testing.assert_allclose(tree.predict_proba(frame).sum(axis=1), 1)
        wrong = [a != b for a, b in zip(tree.predict(frame), frame["y"].astype(str), strict=True)]
    else:
        np.testing.assert_allclose(tree.predict(frame), tree.means[reached])
        wrong = (tree.predict(frame) - frame["y"]) ** 2
    weights = np.ones(len(frame)) if table.weights is None else table.weights
    assert tree.error() == pytest.approx(np.average(wrong, weights=weights), abs=1e-9)


def test_a_staircase_of_depth_10_000_meets_no_recursion_limit():
    n = 10_001
    import pandas as pd

    table = engine.Table.from_frame(pd.DataFrame({"x": np.arange(n), "y": np.arange(n) % 2}), target="y")
    n_branches = np.array([2, 0] * (n - 1) + [0], dtype=np.int32)
    root = engine.Tree.root(table)
    nodes = root.nodes.take(np.zeros(n_branches.size, dtype=int))
    inner = n_branches > 0
    place = np.cumsum(inner) - 1.0
    nodes = nodes._replace(
        ids=np.arange(n_branches.size), n_branches=n_branches, kind=inner.astype(np.int8),
        column=np.where(inner, 0, -1).astype(np.int32), threshold=np.where(inner, place + 0.5, np.nan),
    )  # fmt: skip
    import dataclasses

    tree = dataclasses.replace(root, nodes=nodes, next_id=n_branches.size).with_counts(table)
    assert tree.depth == n - 1
    assert tree.n_leaves == n
    assert tree.error() == 0
    assert len(tree.rule(int(tree.ids[-1]))) == n - 1


def test_what_cannot_be_done_says_so():
    import pandas as pd

    frame = pd.DataFrame({"age": [1, 2, 3, 4], "town": list("abab"), "y": [0, 0, 1, 1]})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("age", "threshold", (2.5,)))
    with pytest.raises(engine.InputError, match="Node 0 is split already"):
        tree.split(table, 0, engine.Split("age", "threshold", (1.5,)))
    with pytest.raises(engine.InputError, match="no node 7"):
        tree.position(7)
    with pytest.raises(engine.InputError, match="no such column"):
        tree.predict(frame.drop(columns="age"))
    with pytest.raises(engine.InputError, match="“age” holds “old”, which is not"):
        tree.predict(pd.DataFrame({"age": ["old"]}))
    with pytest.raises(engine.InputError, match="no column “height”"):
        tree.split(table, 1, engine.Split("height", "threshold", (2.5,)))
    with pytest.raises(engine.InputError, match="a split by levels no longer fits"):
        tree.split(table, 1, engine.Split("age", "groups", groups=(("1",), ("2",))))
    with pytest.raises(engine.InputError, match="no level “z”"):
        tree.split(table, 1, engine.Split("town", "groups", groups=(("a",), ("z",))))


def test_a_retyped_or_ignored_column_takes_its_splits_back_with_a_reason():
    import pandas as pd

    frame = pd.DataFrame({"age": [1, 2, 3, 4], "town": list("abab"), "y": [0, 0, 1, 1]})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("town", "groups", groups=(("a",), ("b",))))
    tree = tree.split(table, 1, engine.Split("age", "threshold", (2.5,)))
    kept, problems = engine.recount(tree, table.with_kind("age", "nominal"))
    assert kept.n_leaves == 2
    assert problems == [
        "The split “age ≤ 2.5” was taken back: The kind of column “age” is category now, so a split by thresholds no "
        "longer fits it."
    ]
    kept, problems = engine.recount(tree, table.with_roles({"town": "ignore"}))
    assert kept.n_leaves == 1
    assert len(problems) == 1


def test_an_m_of_n_split_needs_all_of_its_columns():
    import pandas as pd

    frame = pd.DataFrame({"age": [1, 2, 3, 4], "town": list("abab"), "size": [1.5, 2.5, 1.0, 3.0], "y": [0, 0, 1, 1]})
    table = engine.Table.from_frame(frame, target="y")
    literals = (engine.Literal("size", ">", 2.0), engine.Literal("town", "==", "a"), engine.Literal("size", "<=", 1.2))
    split = engine.Split("size", "m_of_n", m=2, literals=literals)
    tree = engine.Tree.root(table).split(table, 0, split)
    assert tree.title(0) == "at least 2 of 3 conditions"
    assert tree.rule(1) == ["at least 2 of {size > 2, town = a, size ≤ 1.2}"]
    assert tree.apply(table).tolist() == [2, 2, 1, 2]
    assert tree.predict(frame.drop(columns="age")).tolist() == tree.predict(frame).tolist()
    with pytest.raises(engine.InputError, match="splits on “town”, but these rows have no such column"):
        tree.predict(frame.drop(columns="town"))
    kept, problems = engine.recount(tree, table.with_kind("age", "nominal"))
    assert (kept.split_at(0), problems) == (split, [])
    for changed, why in (
        (table.with_roles({"town": "ignore"}), "Column “town” is no feature of table."),
        (
            table.with_kind("size", "nominal"),
            "The kind of column “size” is category now, so a split by thresholds no longer fits",
        ),
    ):
        kept, problems = engine.recount(tree, changed)
        assert kept.n_leaves == 1
        assert len(problems) == 1
        assert problems[0].startswith("The split “at least 2 of {size > 2, town = a, size ≤ 1.2}” was taken back: ")
        assert why in problems[0]
    with pytest.raises(engine.InputError, match="“height” is no feature"):
        unknown = (*literals, engine.Literal("height", ">", 1.0))
        SplitWriter(tree.columns).write(tree.nodes, 0, engine.Split("size", "m_of_n", m=2, literals=unknown), True)
    with pytest.raises(engine.InputError, match="“town” has no level “z”, so it cannot be asked for it"):
        engine.Tree.root(table).split(
            table, 0, engine.Split("town", "m_of_n", m=1, literals=(engine.Literal("town", "==", "z"),))
        )


def test_literals_survive_new_columns_and_new_levels():
    """Columns and levels stand elsewhere in the other table; what it does not have is kept by the tree."""
    import pandas as pd

    frame = pd.DataFrame({"town": list("bcbc"), "age": [1, 2, 3, 4], "y": [0, 0, 1, 1]})
    table = engine.Table.from_frame(frame, target="y")
    literals = (engine.Literal("age", ">", 2.5), engine.Literal("town", "!=", "b"), engine.Literal("town", "==", "c"))
    split = engine.Split("age", "m_of_n", m=2, literals=literals)
    tree = engine.Tree.root(table).split(table, 0, split).split(table, 1, engine.Split("town", "groups",
        groups=(("b",), ("c",))))  # fmt: skip
    other = engine.Table.from_frame(
        pd.DataFrame({"new": [0.5] * 3, "age": [1, 5, 9], "town": ["a", "b", "d"], "y": [0, 1, 1]}), target="y"
    )
    moved = tree.with_counts(other)
    assert moved.split_at(0) == split
    assert moved.split_at(1) == tree.split_at(1)
    assert moved.rows_train.tolist() == [3, 1, 1, 0, 2]
    assert moved.columns[2].levels == ("a", "b", "d", "c")


def test_a_million_rows_go_through_an_m_of_n_split_at_once():
    import time

    import pandas as pd

    n = 10**6
    random = np.random.default_rng(0)
    frame = pd.DataFrame({name: random.normal(size=n) for name in "abc"} | {"y": random.random(n) < 0.5})
    table = engine.Table.from_frame(frame, target="y")
    literals = tuple(engine.Literal(name, ">", 0.5) for name in "abc")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "m_of_n", m=2, literals=literals))
    start = time.perf_counter()
    reached = tree.apply(table)
    assert time.perf_counter() - start < 0.3
    np.testing.assert_array_equal(reached == 1, (frame[list("abc")] > 0.5).sum(axis=1) >= 2)


def test_what_is_no_data_frame_cannot_be_predicted():
    tree = engine.grow(engine.read_example("cats"))
    with pytest.raises(engine.InputError, match="a pandas DataFrame with named columns, not of a ndarray"):
        tree.predict(np.zeros((2, 3)))


def test_printed_they_say_what_they_are_in_a_line():
    table = engine.read_example("penguins")
    assert repr(table) == "<Table “Penguins”: 344 rows × 8 columns, target “species”>"
    assert repr(engine.Tree.root(table)) == "<Tree for “species”: 1 leaf, depth 0>"
    assert repr(engine.grow(table, max_depth=2)) == "<Tree for “species”: 4 leaves, depth 2>"


def test_a_target_of_another_task_is_refused_in_plain_words():
    frame = pd.DataFrame({"x": range(40), "y": [f"{i % 20}.5" for i in range(40)]})
    table = engine.Table.from_frame(frame, target="y", name="a.csv")
    read = {kind: table.with_kind("y", kind) for kind in ("nominal", "number")}
    for other, said in (
        ("number", "has numbers in a.csv: read it as a category."),
        ("nominal", "has categories in a.csv: read it as a number."),
    ):
        tree = engine.Tree.root(read["nominal" if other == "number" else "number"])
        with pytest.raises(engine.InputError, match=f"“y” {said}"):
            engine.recount(tree, read[other])
