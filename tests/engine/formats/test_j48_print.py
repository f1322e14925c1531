"""The printout "j48": what Weka's J48 prints (tests/data/j48), line by line."""

import contextlib
import json

import pandas as pd
import pytest

import engine
from engine.formats.j48 import java_number, six_places
from tests import j48
from tests.exports import Refused, mixed_table, mixed_tree, read_again

NUMBERS = json.loads((j48.FOLDER / "numbers.json").read_text())


def tree_lines(text):
    """The lines of the tree itself."""
    return text.split("------------------\n")[1].split("\nNumber of Leaves")[0].strip()


@pytest.mark.parametrize("name", ["nominal", "numeric", "mixed", "flags", "iris"])
def test_every_tree_reads_as_j48_printed_it(name):
    texts = (j48.FOLDER / f"{name}.txt").read_text().split("# J48 ")[1:]
    for text, top in zip(texts, j48.trees(name).values(), strict=True):
        expected = text.strip().partition("\n")[2]
        assert tree_lines(engine.printout(j48.replay(name, top), "j48")) == expected


def test_the_whole_printout_but_for_the_word_pruned():
    whole = (j48.FOLDER / "whole.txt").read_text()
    tree = j48.replay("iris", j48.trees("iris")["-M 2 -C 0.25"])
    assert engine.printout(tree, "j48") == whole.replace("J48 pruned tree", "J48 tree")


@pytest.mark.parametrize(("value", "threshold", "count"), [row for row in NUMBERS if abs(row[0]) < 9e16])
def test_numbers_are_written_as_weka_writes_them(value, threshold, count):
    assert (six_places(value), java_number(value)) == (threshold, count)


def test_large_thresholds_are_left_to_java():
    for value, threshold, _ in NUMBERS:
        assert six_places(value) == threshold


@pytest.fixture
def table():
    frame = pd.DataFrame({"x": [0.5, 1.5, None, 3.5] * 5, "town": ["Ulm", "Bonn", "Kiel", "Ulm"] * 5})
    frame["day"] = pd.to_datetime(["2020-01-01", "2020-01-03"] * 10)
    frame["y"] = ["a", "b", "b", "a"] * 5
    return engine.Table.from_frame(frame, target="y")


def conditions(table, split):
    lines = engine.printout(engine.Tree.root(table).split(table, 0, split), "j48").splitlines()
    return [line.partition(":")[0] for line in lines[3:-4]]


def test_one_level_against_the_rest_reads_as_in_j48_with_binary_splits(table):
    split = engine.Split("town", "groups", groups=(("Ulm",), ("Bonn", "Kiel")))
    assert conditions(table, split) == ["town = Ulm", "town != Ulm"]


def test_what_j48_does_not_have_stands_in_words(table):
    cuts = engine.Split("x", "threshold", (1.0, 2.0), missing=3)
    assert conditions(table, cuts) == ["x ≤ 1", "x in (1, 2]", "x > 2", "x missing"]
    day = pd.Timestamp("2020-01-02").timestamp()
    assert conditions(table, engine.Split("day", "threshold", (day,))) == ["day <= 2020-01-02", "day > 2020-01-02"]


def test_a_single_leaf_and_a_number(table):
    assert engine.printout(engine.Tree.root(table), "j48").splitlines()[2] == ": a (20.0/10.0)"
    with pytest.raises(engine.InputError, match="J48 predicts classes: “x” is a number"):
        engine.printout(engine.Tree.root(table.with_target("x")), "j48")


def test_every_line_names_its_node_and_no_name_makes_a_line(table):
    frame = pd.DataFrame({"a\nb": [1.0, 2.0] * 10, "y": ["p\x1bq", "r"] * 10})
    tree = engine.grow(engine.Table.from_frame(frame, target="y"))
    for program in ("j48", "rpart"):
        text = engine.printout(tree, program)
        assert "\x1b" not in text and "a�b" in text and len(text.splitlines()) < 14


@pytest.mark.parametrize("name", ["j48", "rpart"])
def test_a_printout_read_back_says_what_was_printed(name):
    """Also where the leaf rule makes a leaf predict a class that most of its rows have not."""
    for seed in range(6):
        table = mixed_table(seed).with_partition(validation=0.3)
        with contextlib.suppress(Refused):  # of rpart: several branches
            read_again(name, mixed_tree(table, seed, 1), table, seed)


def test_a_leaf_predicts_what_is_printed_whatever_its_rows_are(tmp_path):
    path = tmp_path / "tree.j48"
    path.write_text("J48 tree\n------------------\n\nx <= 1: a (10.0/8.0)\nx > 1: b (5.0)\n")
    assert list(engine.read_tree(path).predict(pd.DataFrame({"x": [0.0, 2.0]}))) == ["a", "b"]
