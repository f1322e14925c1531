"""Counts are trusted only for the rows that they come from, and parts only where they fit."""

import json
from dataclasses import replace
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import WIDEST_KEPT, bind
from engine.table.column import Column, column_from_series
from engine.tree.assignment import MOST_NAMED, _by_leaf, _node_by_node, assign, reached_leaves
from engine.tree.counting import counted
from engine.tree.nodes import M_OF_N
from tests.frames import frames, random_tree, table_of

SEEDS = st.integers(0, 10**6)


def frame_of(n=400, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n), "w": random.integers(1, 5, n)})
    frame["y"] = np.where(frame.a + random.normal(size=n) > 0, "p", "q")
    return frame


def table(frame=None, **more):
    frame = frame_of() if frame is None else frame
    return engine.Table.from_frame(frame, target="y", roles={"w": "ignore"}, **more)


def assert_counted_on(tree, some):
    """Every count of the tree is that of the table."""
    again = tree.with_counts(some)
    for name in ("train", "validation", "rows_train", "rows_validation"):
        np.testing.assert_allclose(getattr(tree, name), getattr(again, name), rtol=1e-9, err_msg=name)
    assert (tree.classes, tree.target) == (some.classes, some.target)


# -- what a tree was counted on


def others(given):
    """Tables with as many training and validation rows, of which something else differs."""
    frame = given.to_frame()
    yield given.with_partition(validation=0.3, seed=7)
    yield given.with_roles({"w": "weight"})
    yield table(frame.assign(y=np.random.default_rng(1).permutation(frame.y))).with_partition(validation=0.3)
    yield table(frame.assign(a=np.random.default_rng(1).permutation(frame.a))).with_partition(validation=0.3)
    yield table(frame.assign(y=pd.Categorical(frame.y, ["q", "p"]))).with_partition(validation=0.3)


def test_a_tree_counted_elsewhere_is_counted_again_wherever_it_is_used():
    given = table().with_partition(validation=0.3)
    tree = engine.grow(given, max_depth=2)
    leaf = int(tree.ids[tree.leaves[0]])
    for other in others(given):
        assert_counted_on(counted(tree, other), other)
        assert_counted_on(engine.grow(other, tree=tree, max_depth=3), other)
        assert_counted_on(tree.split(other, leaf, engine.Split("b", "threshold", (0.1,))), other)
        pruned = engine.prune(other, tree)
        assert_counted_on(pruned.full, other)
        expected = engine.prune(other, tree.with_counts(other))
        assert (pruned.steps, pruned.chosen) == (expected.steps, expected.chosen)


def test_its_own_table_does_not_count_it_again():
    given = table().with_partition(validation=0.3)
    tree = engine.grow(given, max_depth=2)
    edited = tree.split(given, int(tree.ids[tree.leaves[0]]), engine.Split("b", "threshold", (0.1,))).collapse(0)
    for one in (tree, edited, tree.with_counts(given), engine.Tree.root(given)):
        assert counted(one, given) is one
        assert engine.prune(given, one).full is one
    assert given.with_roles({"b": "ignore"}).counts_key == given.counts_key  # no count depends on it


def test_a_tree_from_a_file_is_counted_again(tmp_path):
    given = table().with_partition(validation=0.3)
    engine.write_tree(engine.grow(given, max_depth=2), tmp_path / "tree.json")
    tree = engine.read_tree(tmp_path / "tree.json")
    assert tree.counted_on == ""
    assert counted(tree, given).counted_on == given.counts_key
    other = table(frame_of(seed=3)).with_partition(validation=0.3)
    assert_counted_on(engine.prune(other, tree).full, other)


# -- judging by other rows


def wrong_share(tree, frame, rows):
    return np.mean(tree.predict(frame.iloc[rows]) != frame.y.iloc[rows].to_numpy(dtype=object))


@pytest.mark.parametrize("part", ["train", "validation", "test"])
def test_other_rows_are_judged_themselves_and_classes_by_name(part):
    tree = engine.grow(table(), max_depth=3)
    fresh = frame_of(seed=5)
    fresh["y"] = np.random.default_rng(2).choice(["p", "q"], len(fresh))
    reordered = fresh.assign(y=pd.Categorical(fresh.y, ["q", "p"]))
    with_more = fresh.assign(y=fresh.y.where(fresh.index % 7 > 0, "new"))
    fewer = fresh.assign(y=fresh.y.where(fresh.y == "q", "a"))  # “p” is missing, “a” unknown to the tree
    for frame in (fresh, reordered, with_more, fewer):
        some = table(frame).with_partition(validation=0.3, test=0.3)
        rows = some.rows(["train", "validation", "test"].index(part))
        fit = engine.assess(some, tree, part)
        assert fit.n == len(rows)
        assert fit.error == pytest.approx(wrong_share(tree, frame, rows))
        assert fit.classes[:2] == ("p", "q")
        truth = frame.y.iloc[rows].astype(str)
        by_class = dict(zip(fit.classes, fit.confusion.sum(axis=1), strict=True))
        assert {name: n for name, n in by_class.items() if n} == truth.value_counts().to_dict()
        assert engine.assess(some, tree, part, assignment=assign(some, tree)).error == fit.error


def test_a_target_of_the_other_task_cannot_judge():
    tree = engine.grow(table(), max_depth=1)
    numbers = table(frame_of().assign(y=np.random.default_rng(0).normal(size=400)))
    with pytest.raises(engine.InputError, match="predicts categories, but “y” has numbers"):
        engine.assess(numbers, tree, "train")
    with pytest.raises(engine.InputError, match="predicts a number, but “y” has categories"):
        engine.assess(table(), engine.grow(numbers, max_depth=1), "train")


# -- predicting


def test_fractions_are_predicted_where_training_values_were_whole():
    frame = pd.DataFrame({"x": np.arange(40), "y": np.where(np.arange(40) < 20, "p", "q")})
    tree = engine.grow(engine.Table.from_frame(frame, target="y"))
    assert tree.columns[0].kind == "integer"
    assert tree.predict(pd.DataFrame({"x": [0.25, 19.4, 19.6, 80.5]})).tolist() == ["p", "p", "q", "q"]


def test_the_frame_that_trained_a_tree_predicts_whatever_its_names_are():
    frame = pd.DataFrame({0: np.arange(40.0), 1: np.where(np.arange(40) < 20, "p", "q")})
    tree = engine.grow(engine.Table.from_frame(frame, target="1"))
    assert tree.predict(frame).tolist() == frame[1].tolist()
    twice = pd.concat([frame, frame[[0]]], axis=1)
    with pytest.raises(engine.InputError, match="two columns are called “0”"):
        tree.predict(twice)
    with pytest.raises(engine.InputError, match="no such column"):
        tree.predict(frame[[1]])


# -- columns of very many levels, and large trees


@given(frames(rows=(8, 30)), SEEDS, st.integers(1, 8), SEEDS)
def test_both_ways_of_sending_rows_down_agree(frame, seed, n_splits, other):
    given = table_of(frame)
    tree = random_tree(given, seed, n_splits)
    one_way_only = ((tree.nodes.kind == 1) & (tree.nodes.payload_size > 0)) | (tree.nodes.kind >= M_OF_N)
    tree = tree.collapse(*tree.ids[one_way_only].tolist())
    fewer = frame.iloc[np.random.default_rng(other).permutation(len(frame))[: len(frame) // 2]].reset_index(drop=True)
    fewer["c"] = fewer["c"].map(lambda level: "new" if level == "q" else level)  # one level more, some less
    kinds = {name: given.column(name).kind if name == "c" else None for name in frame.columns.drop("y")}
    for rows in (frame, fewer):
        columns = tuple(column_from_series(name, rows[name], kind) for name, kind in kinds.items())
        some = engine.Table(columns, len(rows))
        one, two = _node_by_node(some, tree), _by_leaf(reached_leaves(some, tree), tree.end)
        for name in ("rows", "start", "stop"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_large_trees_say_which_column_they_miss():
    given = table()
    tree = engine.grow(given, max_depth=3)
    with pytest.raises(engine.InputError, match="no column “a”"):
        reached_leaves(engine.Table.from_frame(frame_of()[["b", "y"]]), tree)
    with pytest.raises(engine.InputError, match="a split by thresholds no longer fits"):
        reached_leaves(given.with_kind("a", "nominal"), tree)


def test_very_many_levels_take_no_time():
    random = np.random.default_rng(0)
    n = 60_000
    frame = pd.DataFrame({"c": [f"L{i}" for i in random.integers(0, 40_000, n)], "x": random.normal(size=n)})
    frame["y"] = random.choice(["p", "q"], n)
    given = engine.Table.from_frame(frame, target="y").with_partition(validation=0.2)
    tree = engine.grow(given)
    assert tree.payload.size > MOST_NAMED
    begin = perf_counter()
    tree.apply(given)
    assert not tree._splits  # none was made for it
    other = engine.Table.from_frame(frame.iloc[::-1].reset_index(drop=True), target="y")
    again = tree.with_counts(other)
    assert perf_counter() - begin < 6.0  # minutes, when every level was looked at for every split
    np.testing.assert_array_equal(again.rows_train, tree.rows_train + tree.rows_validation)
    wide = next(tree.split_at(int(i)) for i in np.flatnonzero(tree.nodes.kind == 2))
    first, second = bind(wide, given), bind(wide, given)
    assert first is not second  # thousands of them would fill the memory
    assert first.lookup.size > WIDEST_KEPT
    np.testing.assert_array_equal(first.lookup, second.lookup)


def test_recounting_renumbers_levels_and_keeps_those_that_only_the_tree_knows():
    frame = pd.DataFrame({"a": np.arange(8.0), "c": list("abcdabcd"), "y": list("pqpqqqpp")})
    tree = engine.Tree.root(engine.Table.from_frame(frame, target="y"))
    split = engine.Split("c", "groups", groups=(("d", "a"), ("b", "c")))
    tree = tree.split(engine.Table.from_frame(frame, target="y"), 0, split)
    other = engine.Table.from_frame(frame.assign(c=list("xbcdxbcd"))[["c", "a", "y"]], target="y")
    again = tree.with_counts(other)
    assert again.columns[0].levels == ("b", "c", "d", "x", "a")
    assert set(map(frozenset, again.split_at(0).groups)) == {frozenset("ad"), frozenset("bc")}
    assert again.rows_train.tolist() == [8, 4, 4]


# -- grafting and the payload


def test_a_part_is_grafted_only_where_it_fits():
    frame = frame_of()
    given = table(frame)
    tree = engine.grow(given, max_depth=1)
    leaf = tree.children(0)[0]
    part = engine.grow(given.take(assign(given, tree).rows_of(leaf)), max_depth=2)
    node = int(tree.ids[leaf])
    grafted = tree.graft({node: part})
    assert_counted_on(grafted, given)
    assert grafted.counted_on == ""  # the part was counted on a table of its own
    unfit = {
        "other features": engine.grow(table(frame[["b", "a", "w", "y"]]), max_depth=1),
        "predicts “z”": engine.grow(engine.Table.from_frame(frame.rename(columns={"y": "z"}), target="z",
                                    roles={"w": "ignore"}), max_depth=1),
        "classes of “y”": engine.grow(table(frame.assign(y=frame.y.str.upper())), max_depth=1),
        "other rows": engine.grow(given, max_depth=1),
    }  # fmt: skip
    for words, other in unfit.items():
        with pytest.raises(engine.InputError, match=words):
            tree.graft({node: other})
    assert tree.graft({node: replace(part, counted_on=tree.counted_on)}).counted_on == tree.counted_on


def test_a_part_of_a_numeric_target_must_have_the_same_origin():
    frame = frame_of().assign(y=np.random.default_rng(0).normal(100, 5, 400))
    given = table(frame)
    tree = engine.grow(given, max_depth=1)
    rows = assign(given, tree).rows_of(1)
    with pytest.raises(engine.InputError, match="other rows"):
        tree.graft({1: engine.grow(given.take(rows), max_depth=1)})


def test_splitting_and_collapsing_leaves_nothing_behind():
    frame = pd.DataFrame({"c": list("abcd") * 5, "x": np.arange(20.0), "y": list("ppqqp") * 4})
    given = engine.Table.from_frame(frame, target="y")
    by_level = engine.Split("c", "groups", groups=(("a", "c"), ("d", "b")))
    by_value = engine.Split("x", "threshold", (3.0, 8.0))
    tree = engine.Tree.root(given).split(given, 0, by_level)
    tree = tree.split(given, 2, by_value).split(given, 1, by_value)
    for _ in range(5):
        tree = tree.collapse(1).split(given, 1, by_value)
    assert tree.payload.size == 8 + 1 + 1
    fewer = tree.collapse(1)
    assert (fewer.payload.size, fewer.split_at(0), fewer.split_at(2)) == (9, by_level, by_value)
    assert [tree.split_at(tree.position(node)) for node in (1, 2)] == [by_value, by_value]
    assert tree.collapse(0).payload.size == 0


def test_a_columns_mark_is_its_own():
    column = table().column("a")
    same = Column(column.name, column.kind, column.values, column.codes)
    assert column.mark == column.mark != same.mark


# -- another target


def test_no_figure_of_a_tree_is_made_by_another_target():
    given = table().with_partition(validation=0.3)
    tree, other = engine.grow(given, max_depth=2), given.with_target("w")
    asked = (
        lambda: tree.with_counts(other), lambda: engine.recount(tree, other), lambda: engine.assess(other, tree),
        lambda: engine.prune(other, tree), lambda: engine.grow(other, tree=tree),
        lambda: engine.compare(other, tree, tree),
        lambda: tree.split(other, int(tree.ids[tree.leaves[0]]), engine.Split("b", "threshold", (0.1,))),
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(engine.InputError, match=r"predicts “y”, but the target of .* is “w”: make “y” the target"):
            ask()
    without = engine.Table.from_frame(frame_of().drop(columns="y"), target="w")
    with pytest.raises(engine.InputError, match="no column “y”"):
        engine.assess(without, tree)


def test_a_tree_file_that_predicts_a_column_from_itself_is_refused(tmp_path):
    given = table()
    path = tmp_path / "tree.json"
    engine.write_tree(engine.grow(given, max_depth=2), path)
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "target": "a"}))
    with pytest.raises(engine.InputError, match="predicts “a” from the column itself"):
        engine.read_tree(path)
