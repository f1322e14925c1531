"""The order of levels: given by hand, followed by every cut, kept by files of every sort."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import project
from engine.readers.options import ReadOptions
from engine.runtime.errors import InputError
from engine.splits import Split
from engine.table.column import arranged
from engine.tree.tree import Tree
from tests.effort import examples

ORDER = ("very bad", "bad", "fair", "good", "very good")


def frame(n=200, seed=0):
    rng = np.random.default_rng(seed)
    place = rng.integers(0, 5, n)
    noise = rng.normal(0, 0.7, n)
    asked = pd.Series([ORDER[i] for i in place]).where(rng.random(n) > 0.05)
    return pd.DataFrame(
        {"asked": asked, "x": rng.normal(size=n).round(3), "stays": np.where(place + noise > 2, "y", "n")}
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "answers.csv"
    frame().to_csv(path, index=False)
    return path


@given(st.permutations(ORDER), st.integers(0, 20))
@examples(40)
def test_candidates_follow_the_order_that_is_given(order, seed):
    made = frame(seed=seed)
    table = engine.Table.from_frame(made, target="stays").with_kind("asked", "ordered").with_order("asked", order)
    numbers = made.assign(asked=made["asked"].map({level: float(i) for i, level in enumerate(order)}))
    as_numbers = engine.Table.from_frame(numbers, target="stays")
    best, twin = (
        next(each for each in engine.candidates(t, Tree.root(t), 0) if each.column == "asked")
        for t in (table, as_numbers)
    )
    assert best.gain == pytest.approx(twin.gain)
    left, right = best.split.groups
    assert (*left, *right) == tuple(order)
    assert len(left) == int(np.floor(twin.split.thresholds[0])) + 1


@given(st.permutations(ORDER))
@examples(20)
def test_the_rows_keep_their_levels(order):
    made = frame()
    table = engine.Table.from_frame(made, target="stays")
    column = table.with_order("asked", order).column("asked")
    assert column.levels == tuple(order) and column.kind == "nominal"
    told = [None if code == 0 else column.levels[code - 1] for code in column.codes]
    assert told == [None if pd.isna(value) else value for value in made["asked"]]
    assert table.column("asked").levels == tuple(sorted(ORDER))


def test_splits_survive_another_order():
    table = engine.Table.from_frame(frame(), target="stays", kinds={"asked": ORDER})
    split = Split("asked", "groups", groups=(ORDER[:2], ORDER[2:]))
    tree = Tree.root(table).split(table, 0, split)
    counted, lost = engine.recount(tree, table.with_order("asked", ORDER[::-1]))
    assert lost == [] and counted.split_at(0) == split
    assert np.array_equal(counted.train, tree.train)


def test_classes_in_another_order_are_counted_in_it():
    table = engine.Table.from_frame(frame(), target="stays")
    tree = Tree.root(table)
    turned, lost = engine.recount(tree, table.with_order("stays", ["y", "n"]))
    assert (turned.classes, lost) == (("y", "n"), [])
    assert np.array_equal(turned.train, tree.train[:, ::-1])


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        (["bad", "fair", "awful"], "Column “asked” has no level “awful”; its levels are “bad”, “fair”, “good”"),
        (ORDER[:-1], "The order of “asked” leaves “very good” out: name all of “bad”"),
        ((*ORDER, "bad"), "The order of “asked” names “bad” twice: name each level once."),
    ],
)
def test_another_set_of_levels_is_refused_in_a_sentence(levels, sentence):
    table = engine.Table.from_frame(frame(), target="stays")
    with pytest.raises(InputError, match=sentence):
        table.with_order("asked", levels)


def test_numbers_have_their_own_order():
    table = engine.Table.from_frame(frame(), target="stays")
    with pytest.raises(InputError, match="make it ordered first"):
        table.with_order("x", ["1"])


def test_arranged_puts_what_is_not_named_last():
    assert arranged(["a", "b", "c", "d"], ["c", "z", "a"]) == ["c", "a", "b", "d"]


# -- files


def test_a_file_is_read_with_an_order(file):
    table = engine.read_table(file, target="stays", kinds={"asked": list(ORDER), "x": "nominal"})
    assert (table.column("asked").kind, table.column("asked").levels) == ("ordered", ORDER)
    assert table.column("x").kind == "nominal"
    again = engine.readers.read_source(json.loads(json.dumps(table.source)))
    assert again.column("asked").levels == ORDER


def test_an_order_with_a_level_that_is_not_in_the_file(file):
    with pytest.raises(InputError, match="has no level “terrible”"):
        engine.read_table(file, target="stays", kinds={"asked": ["terrible", *ORDER]})
    with pytest.raises(InputError, match="levels of “asked” must be a list of texts"):
        ReadOptions(kinds={"asked": 7})  # type: ignore[dict-item]


def test_a_source_with_other_levels_now_is_read_all_the_same(file):
    table = engine.read_table(file, target="stays", kinds={"asked": list(ORDER)})
    changed = frame()
    changed.loc[changed.asked == "fair", "asked"] = "so so"
    changed.to_csv(file, index=False)
    again = engine.readers.read_source(table.source)
    assert again.column("asked").levels == ("very bad", "bad", "good", "very good", "so so")


def test_a_project_keeps_the_order(file, tmp_path):
    table = engine.read_table(file, target="stays").with_kind("asked", "ordered").with_order("asked", ORDER)
    table = table.with_order("stays", ["y", "n"])
    tree = engine.grow(table, max_leaves=4)
    project.save(tmp_path / "study.espalier", table, tree, {})
    back = project.load(tmp_path / "study.espalier")
    assert back.problems == []
    assert back.table.column("asked").levels == ORDER and back.table.column("asked").kind == "ordered"
    assert back.table.classes == ("y", "n")
    assert [back.tree.split_at(i) for i in range(tree.n_nodes)] == [tree.split_at(i) for i in range(tree.n_nodes)]


def test_a_project_tells_of_levels_without_a_place(file, tmp_path):
    table = engine.read_table(file, target="stays").with_kind("asked", "ordered").with_order("asked", ORDER)
    project.save(tmp_path / "study.espalier", table, Tree.root(table), {})
    changed = frame()
    changed.loc[changed.asked == "fair", "asked"] = "so so"
    changed.to_csv(file, index=False)
    back = project.load(tmp_path / "study.espalier")
    assert "“so so” of “asked” had no place in the order of its levels: it stands last." in back.problems
    assert back.table.column("asked").levels == ("very bad", "bad", "good", "very good", "so so")


@pytest.mark.parametrize("orders", [None, 7, {"asked": 7}, {"asked": [1]}, {"gone": ["a"]}, {"x": ["a"]}])
def test_a_project_without_usable_orders_opens_all_the_same(file, tmp_path, orders):
    table = engine.read_table(file, target="stays")
    path = tmp_path / "study.espalier"
    project.save(path, table, Tree.root(table), {})
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "orders": orders}), "utf-8")
    assert project.load(path).table.column("asked").levels == tuple(sorted(ORDER))
