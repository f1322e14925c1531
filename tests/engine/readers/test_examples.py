"""The tables that come with the program."""

import pytest

from engine.readers import inspect, list_examples, read_example, read_source
from engine.runtime.errors import InputError

IDS = [example.id for example in list_examples()]


def test_the_examples_are_there():
    assert IDS == ["penguins", "cats", "xor", "weather", "concrete", "quadrants", "stuck", "purity"]


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
