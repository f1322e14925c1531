"""The tables that come with the program."""

import pytest

from engine.growing import grow
from engine.pruning.result import prune
from engine.readers import inspect, list_examples, read_example, read_source
from engine.runtime.errors import InputError

IDS = [example.id for example in list_examples()]


def test_the_examples_are_there():
    assert IDS == ["penguins", "cats", "xor", "weather", "concrete", "quadrants", "stuck", "purity", "pruning"]


@pytest.mark.parametrize("example", list_examples(), ids=IDS)
def test_each_example_says_what_it_is(example):
    assert example.path.is_file()
    assert example.title and example.licence and example.origin
    assert example.description.endswith((".", "?")) and "\n" not in example.description
    table = read_example(example.id)
    assert table.target == example.target and table.name == example.title
    assert (example.focus is None) == (table.task == "number")
    assert example.focus is None or example.focus in table.classes
    assert table.roles[example.target] == "feature"
    assert table.notes == ()


@pytest.mark.parametrize("example", list_examples(), ids=IDS)
def test_what_the_reader_guesses_of_an_example_is_right(example):
    preview = inspect(example.path)
    assert preview.target == example.target
    assert preview.roles == {} and preview.notes == ()
    assert preview.n_rows == read_example(example.id).n_rows


@pytest.mark.parametrize("id", IDS)
def test_an_example_is_its_own_source(id):
    table = read_example(id)
    assert table.source == {"kind": "example", "id": id}
    assert read_source(table.source).names == table.names


def test_penguins():
    table = read_example("penguins")
    assert table.n_rows == 344 and table.classes == ("Adelie", "Chinstrap", "Gentoo")
    assert table.column("bill_length_mm").kind == "number" and table.column("bill_length_mm").n_missing == 2
    assert table.column("sex").n_missing == 11


def test_cats_are_the_six_rows_of_the_lecture():
    table = read_example("cats")
    assert table.names == ["owner home", "kitten", "spayed", "success"]
    assert {column.kind for column in table.columns} == {"boolean"}
    assert table.to_frame().to_numpy().tolist() == [
        [True, True, False, True],
        [False, False, True, True],
        [True, True, True, True],
        [False, True, False, False],
        [True, False, True, False],
        [False, True, True, False],
    ]


def test_xor_is_exclusive_or():
    frame = read_example("xor").to_frame()
    assert sorted(zip(frame["x1"], frame["x2"], frame["y"], strict=True)) == [
        (a, b, a ^ b) for a in (0, 1) for b in (0, 1)
    ]


def test_weather_has_nine_days_of_play():
    table = read_example("weather")
    frame = table.to_frame()
    assert table.n_rows == 14 and (frame["play"] == "yes").sum() == 9
    assert frame.groupby("outlook", observed=True)["play"].apply(lambda play: (play == "yes").sum()).to_dict() == {
        "overcast": 4,
        "rainy": 3,
        "sunny": 2,
    }


def test_concrete_is_a_numeric_target():
    table = read_example("concrete")
    assert table.n_rows == 1030 and table.task == "number" and len(table.features) == 8


def test_an_example_that_is_not_there_is_named():
    with pytest.raises(InputError, match=r"“tulips”.*penguins"):
        read_example("tulips")


def test_the_example_of_reduced_error_pruning_grows_and_prunes_as_the_notes_say():
    """Figure 12.5: X1 above X6 and X3, X4 on the right below X3. Figure 12.6: X1 alone."""
    table = read_example("pruning")
    tree = grow(table)
    asked = {
        name: int(tree.ids[i]) for i in range(tree.n_nodes) if tree.n_branches[i] for name in [tree.split_at(i).column]
    }
    assert [*asked] == ["X1", "X6", "X3", "X4"]
    first, second = tree.children(0)
    assert [tree.split_at(int(i)).column for i in (first, second)] == ["X6", "X3"]
    assert tree.error("train") == 0
    x4 = tree.position(asked["X4"])
    assert tree.rows_validation[[x4, *tree.children(x4)]].tolist() == [5, 2, 3] and tree.train[x4].tolist() == [1, 3]
    cut = prune(table, tree, "reduced_error")
    said = [cut.verdicts.words(tree.position(asked[name])).partition(": ")[2] for name in ("X4", "X6", "X3", "X1")]
    assert said == [
        "1 as a leaf, 2 with its branches.", "0 as a leaf, 1 with its branches.",
        "2 as a leaf, 2 with its branches.",  # 3 with its branches before X4 was cut
        "5 as a leaf, 2 with its branches.",
    ]  # fmt: skip
    left = cut.tree(cut.chosen)
    assert left.n_leaves == 2 and left.split_at(0).column == "X1"
