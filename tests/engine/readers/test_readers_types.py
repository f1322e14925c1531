"""Which kind a column of texts is guessed to be, which cells are missing, and what a chosen kind makes of them."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.readers.options import MISSING
from engine.readers.preview import guess_roles, guess_target, why_not
from engine.readers.raw import text_array
from engine.readers.types import force_column, guess_column


def guessed(*cells: str, decimal: str = ".", missing: tuple[str, ...] = MISSING):
    return guess_column(text_array(list(cells)), "x", decimal, missing)


def forced(kind: str, *cells: str, decimal: str = ".", missing: tuple[str, ...] = MISSING):
    return force_column(text_array(list(cells)), "x", kind, decimal, missing)


def values(typed) -> list:
    return [None if pd.isna(value) else value for value in typed.series]


@pytest.mark.parametrize(
    ("cells", "decimal", "kind", "expected"),
    [
        (["1", "2", "-3"], ".", "integer", [1, 2, -3]),
        (["1.0", "2", "1e3"], ".", "integer", [1, 2, 1000]),
        (["1.5", " 2", "+3"], ".", "number", [1.5, 2, 3]),
        (["1,5", "2", "-,5"], ",", "number", [1.5, 2, -0.5]),
        (["1,5", "2.5"], ",", "nominal", ["1,5", "2.5"]),
        (["1,5", "2,5"], ".", "nominal", ["1,5", "2,5"]),
        (["−1.5", "2"], ".", "number", [-1.5, 2]),
        (["inf", "-Infinity", "∞"], ".", "number", [np.inf, -np.inf, np.inf]),
        (["1e400", "2.5"], ".", "number", [np.inf, 2.5]),
        (["12%", "13.5 %"], ".", "number", [12, 13.5]),
        (["12%", "13"], ".", "nominal", ["12%", "13"]),
        (["1,234,567", "12"], ".", "integer", [1234567, 12]),
        (["1,234.5", "12"], ".", "number", [1234.5, 12]),
        (["1,234", "5,678"], ".", "nominal", ["1,234", "5,678"]),
        (["1.234,5", "12"], ",", "number", [1234.5, 12]),
        (["1 234", "12"], ".", "integer", [1234, 12]),
        (["1'234.5", "12"], ".", "number", [1234.5, 12]),
        (["12,34,56", "1"], ".", "nominal", ["12,34,56", "1"]),
        (["00123", "45"], ".", "nominal", ["00123", "45"]),
        (["-01", "45"], ".", "nominal", ["-01", "45"]),
        (["0", "0.5", "-0.25"], ".", "number", [0, 0.5, -0.25]),
        (["0x1f", "2"], ".", "nominal", ["0x1f", "2"]),
        (["1_000", "2"], ".", "nominal", ["1_000", "2"]),
        (["12345678901234567890", "1"], ".", "nominal", ["12345678901234567890", "1"]),
        (["9007199254740993", "1"], ".", "integer", [9007199254740993, 1]),
        (["true", "FALSE", "True"], ".", "boolean", [True, False, True]),
        (["true", "", "false"], ".", "boolean", [True, None, False]),
        (["yes", "no"], ".", "nominal", ["yes", "no"]),
        (["true", "maybe"], ".", "nominal", ["true", "maybe"]),
        (["0", "1"], ".", "integer", [0, 1]),
        (["", "NA"], ".", "nominal", [None, None]),
        ([], ".", "nominal", []),
    ],
)
def test_the_kind_is_what_all_values_agree_on(cells, decimal, kind, expected):
    typed = guessed(*cells, decimal=decimal)
    assert typed.kind == kind
    assert values(typed) == expected


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        (["2020-01-31", "2021-12-01"], "2020-01-31"),
        (["2020-01-31 10:30", "2021-12-01 00:00:01.5"], "2020-01-31 10:30"),
        (["2020-01-31T10:30:00Z", "2021-12-01T00:00:00Z"], "2020-01-31 10:30"),
        (["2020-01-31T10:30:00+02:00", "2021-12-01T00:00:00-01:00"], "2020-01-31 08:30"),
        (["2020/1/31", "2021/12/01"], "2020-01-31"),
        (["31.1.2020", "01.12.2021"], "2020-01-31"),
        (["1.2.2020", "3.4.2021"], "2020-02-01"),
        (["31.01.20", "01.12.21"], "2020-01-31"),
        (["31.01.2020 10:30", "01.12.2021 11:30"], "2020-01-31 10:30"),
        (["31/1/2020", "1/12/2021"], "2020-01-31"),
        (["1/31/2020", "12/1/2021"], "2020-01-31"),
        (["1/31/2020 3:04 PM", "12/1/2021 11:00am"], "2020-01-31 15:04"),
        (["1/1/2020", "2/2/2021"], "2020-01-01"),
        (["31 Jan 2020", "1 December 2021"], "2020-01-31"),
        (["31-jan-2020", "01-DEC-2021"], "2020-01-31"),
        (["January 31, 2020", "Dec 1, 2021"], "2020-01-31"),
        (["1600-02-29", "9999-12-31"], "1600-02-29"),
    ],
)
def test_dates_in_the_usual_notations(cells, first):
    typed = guessed(*cells, "", "?")
    assert typed.kind == "date" and typed.notes == ()
    assert typed.series[0] == pd.Timestamp(first)
    assert typed.series.isna().tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    "cells",
    [
        ["2020-01-31", "soon"],
        ["2020-02-30", "2020-01-01"],
        ["31.1.2020", "2020-01-31"],
        ["31/1/2020", "1/31/2020"],
        ["1.2.10", "1.3.0"],
        ["5 Foo 2020", "6 Jan 2020"],
        ["12:30", "13:00"],
        ["2020-01", "2020-02"],
        ["10000-01-01", "2020-01-01"],
        ["2020-01-01 25:00", "2020-01-01"],
    ],
)
def test_what_is_not_a_date_throughout_stays_text(cells):
    typed = guessed(*cells)
    assert typed.kind == "nominal" and values(typed) == cells


def test_a_date_that_can_be_read_in_two_ways_stays_text_until_somebody_chooses():
    typed = guessed("1/2/2020", "3/4/2021")
    assert typed.kind == "nominal" and "month/day" in typed.notes[0]
    chosen = forced("date", "1/2/2020", "3/4/2021")
    assert chosen.series[0] == pd.Timestamp("2020-02-01") and "day before the month" in chosen.notes[0]


@given(st.lists(st.datetimes(datetime.datetime(1000, 1, 1), datetime.datetime(9999, 1, 1)), min_size=1, max_size=5))
def test_iso_dates_are_read_exactly(moments):
    typed = guessed(*(moment.isoformat(" ") for moment in moments))
    assert typed.kind == "date" and [value.to_pydatetime() for value in typed.series] == moments


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=8))
def test_floats_are_read_exactly(numbers):
    typed = guessed(*map(repr, numbers))
    assert typed.series.tolist() == numbers
    finite = [number for number in numbers if np.isfinite(number)]
    assert (typed.kind == "integer") == (bool(finite) and all(number.is_integer() for number in finite))


@given(st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=1, max_size=8))
def test_integers_are_read_exactly_or_kept_as_texts(numbers):
    typed = guessed(*map(str, numbers))
    if typed.kind == "integer":
        assert typed.series.tolist() == numbers
    else:
        assert typed.series.tolist() == [str(number) for number in numbers]
        assert max(len(str(abs(number))) for number in numbers) > 18


# -- missing tokens


@pytest.mark.parametrize("token", ["", "NA", "na", "N/A", "NaN", "nan", "NULL", "null", "None", "none", "?", "-", "."])
def test_tokens_are_missing_among_numbers_dates_and_truths(token):
    for other, kind in (("1.5", "number"), ("7", "integer"), ("2020-01-01", "date"), ("true", "boolean")):
        typed = guessed(other, token, other)
        assert typed.kind == kind
        assert typed.series.isna().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("cells", "missing"),
    [
        (["red", "NA"], [False, True]),
        (["red", "n/a"], [False, True]),
        (["red", "Null", "Nan"], [False, True, True]),
        (["K", "Na"], [False, False]),
        (["red", "?"], [False, True]),
        (["red", "-"], [False, True]),
        (["A", "B", "."], [False, False, True]),
        (["+", "-"], [False, False]),
        (["+", "-", "?"], [False, False, False]),
        (["?", "!"], [False, False]),
        (["?", "-"], [False, False]),
        (["?", "?"], [True, True]),
        (["None", "Mild"], [True, False]),
        (["none", "mild"], [False, False]),
        (["NONE", "MILD"], [False, False]),
        (["-1", "x"], [False, False]),
    ],
)
def test_tokens_are_missing_in_texts_only_where_that_is_clear(cells, missing):
    typed = guessed(*cells)
    assert typed.kind == "nominal"
    assert typed.series.isna().tolist() == missing


def test_tokens_can_be_chosen():
    assert values(guessed("1", "-99", "unknown", missing=("-99", "Unknown"))) == [1, None, None]
    assert values(guessed("1", "NA", "", missing=())) == ["1", "NA", None]
    assert values(guessed("a", "?", missing=("NA",))) == ["a", "?"]


# -- kinds that a person chose


def test_texts_stay_as_they_are_written():
    assert values(forced("nominal", "007", "1.50", "NA", "?")) == ["007", "1.50", None, None]


def test_ordered_levels_follow_their_numbers_or_their_letters():
    numbers = forced("ordered", "10", "9", "", "100").series
    assert list(numbers.cat.categories) == ["9", "10", "100"] and numbers.cat.ordered
    assert list(forced("ordered", "b", "a", "10").series.cat.categories) == ["10", "a", "b"]


def test_what_does_not_fit_a_chosen_kind_is_missing_and_counted():
    typed = forced("number", "1.5", "abc", "NA", "abc", "x")
    assert typed.kind == "number" and values(typed) == [1.5, None, None, None, None]
    assert "3 cells" in typed.notes[0] and "“abc”" in typed.notes[0]
    assert values(forced("number", "007", "8")) == [7, 8]
    assert forced("number", "1", "2").kind == "number"
    assert values(forced("date", "2020-01-01", "soon", "")) == [pd.Timestamp("2020-01-01"), None, None]
    assert values(forced("boolean", "yes", "No", "1", "f", "perhaps")) == [True, False, True, False, None]


def test_integers_that_are_none_stay_numbers():
    typed = forced("integer", "1", "2.5")
    assert typed.kind == "number" and "whole" in typed.notes[0]
    assert forced("integer", "1.0", "2").kind == "integer"


@pytest.mark.parametrize("kind", ["number", "integer", "date", "boolean", "nominal", "ordered"])
def test_a_column_of_nothing_can_be_of_any_kind(kind):
    for cells in ([], [""], ["NA", "?"]):
        typed = forced(kind, *cells)
        assert typed.kind == kind and typed.series.isna().all() and typed.notes == ()


# -- target and roles


def _frame(**columns) -> tuple[pd.DataFrame, dict[str, str]]:
    typed = {name: guessed(*cells) for name, cells in columns.items()}
    return pd.DataFrame({name: t.series for name, t in typed.items()}), {name: t.kind for name, t in typed.items()}


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        (["Class", "a", "b"], "Class"),
        (["a", "y", "b"], "y"),
        (["status", "target", "b"], "target"),
        (["a", "Out_come", "b"], "Out_come"),
        (["colour", "a", "b"], "colour"),
        (["a", "b", "c"], "c"),
        (["x", "y", "z", "price"], "price"),
        (["price", "a", "colour"], "colour"),
        (["x", "y", "z"], "z"),
        (["species", "id"], "species"),
    ],
)
def test_the_target_is_guessed_by_name_then_levels_then_place(columns, target):
    cells = {"colour": ["red", "blue", "red"]}
    frame, kinds = _frame(**{name: cells.get(name, ["1", "2", "3"]) for name in columns})
    assert guess_target(frame, kinds, guess_roles(frame, kinds)) == target


def test_a_target_with_one_value_is_no_good_guess():
    frame, kinds = _frame(target=["1", "1"], a=["1", "2"])
    assert guess_target(frame, kinds, {}) == "a"
    assert guess_target(pd.DataFrame(), {}, {}) is None
    dated = pd.DataFrame({"paid": [1.5, 2.5], "on": pd.to_datetime(["2024-01-02", "2024-03-04"])})
    assert guess_target(dated, {"paid": "number", "on": "date"}, {}) == "paid"


@pytest.mark.parametrize(
    ("name", "cells", "ignored"),
    [
        ("id", ["7", "3", "5"], True),
        ("ID", ["a7", "b3", "c5"], True),
        ("customer_id", ["7", "3", "5"], True),
        ("PassengerId", ["1", "2", "3"], True),
        ("Unnamed: 0", ["0", "1", "2"], True),
        ("row names", ["x", "y", "z"], True),
        ("rownames", ["1", "2", "3"], True),
        ("X", ["1", "2", "3"], True),
        ("x", ["2", "1", "3"], False),
        ("no", ["0", "1", "2"], True),
        ("id", ["7", "3", "7"], False),
        ("id", ["7", "3", ""], False),
        ("id", ["7.5", "3.5", "1.5"], False),
        ("acid", ["7", "3", "5"], False),
        ("paid", ["7", "3", "5"], False),
        ("name", ["a", "b", "c"], False),
    ],
)
def test_columns_that_number_the_rows_are_ignored(name, cells, ignored):
    frame, kinds = _frame(**{name: cells, "a": ["1", "1", "2"], "weight": ["1", "2", "3"]})
    assert guess_roles(frame, kinds) == ({name: "ignore"} if ignored else {})


def _customers(n: int, twice: int = 0) -> list[str]:
    """So many customer numbers, the first of which stand there `twice` times more."""
    return [f"KD-{0 if i < twice + 1 else i:05}-a" for i in range(n)]


@pytest.mark.parametrize(
    ("cells", "ignored"),
    [
        (_customers(620), True),
        (_customers(20), True),
        (_customers(19), False),
        (_customers(100, twice=5), True),
        (_customers(100, twice=6), False),
        (_customers(20) + [""] * 20, True),
        (_customers(19) + [""] * 20, False),
        ([str(7 * i) for i in range(40)], False),
        ([f"{i}.5" for i in range(40)], False),
        ([f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(40)], False),
    ],
)
def test_texts_of_which_every_row_has_its_own_are_ignored(cells, ignored):
    frame, kinds = _frame(Kundennummer=cells, y=["a", "b"] * (len(cells) // 2) + ["a"] * (len(cells) % 2))
    assert guess_roles(frame, kinds) == ({"Kundennummer": "ignore"} if ignored else {})


def test_why_a_column_is_ignored():
    frame, kinds = _frame(all=_customers(100), most=_customers(100, twice=2), id=[str(i) for i in range(100)])
    why = {name: why_not(name, frame[name], kinds[name], first=name == "all") for name in frame}
    assert why["all"] == (
        "“all” has a value of its own in every row and is ignored; make it a feature if it tells something."
    )
    assert "in nearly every row" in why["most"]
    assert "only numbers the rows" in why["id"]


def test_whole_numbers_that_count_many_rows_are_no_feature():
    """A patient number from 10,000 on; few rows may be years, and numbers that skip or shuffle may tell something."""
    counted = pd.DataFrame({"age": [30] * 600, "patient": range(10_000, 10_600)})
    kinds = {"age": "integer", "patient": "integer"}
    assert guess_roles(counted, kinds) == {"patient": "ignore"}
    assert guess_roles(counted[:70], kinds) == {}
    assert guess_roles(counted.sample(frac=1, random_state=0), kinds) == {}
    assert guess_roles(counted.drop(index=5), kinds) == {}


# -- a code for missing that nobody told of


@pytest.mark.parametrize(
    ("cells", "decimal", "hint"),
    [
        (["1,5", "2,25", "3", "k.A."], ",", "a number except for “k.A.”: add it"),
        (["1", "2", "3", "k.A.", "unbekannt"], ".", "a number except for “k.A.” and “unbekannt”: add them"),
        (["12%", "13.5%", "14%", "k.A."], ".", "a number except for “k.A.”: add it"),
        (["1", "2", "inf", "-inf", "k.A."], ".", "a number except for “k.A.”: add it"),
        (["2020-01-31", "2021-12-01", "2021-12-02", "offen"], ".", "a date except for “offen”: add it"),
        (["1/2/2020", "3/4/2021", "5/6/2021", "offen"], ".", "a date except for “offen”: add it"),
    ],
)
def test_a_token_among_numbers_or_dates_is_hinted_at(cells, decimal, hint):
    typed = guessed(*cells, "", "NA", decimal=decimal)
    assert typed.kind == "nominal"
    assert typed.notes == (f"“x” looks like {hint} to the missing values to read it so.",)


def test_the_hint_helps():
    assert guessed("1", "2", "3", "k.A.", missing=(*MISSING, "k.A.")).kind == "integer"


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "3", "4+"],
        ["1", "2", "k.A."],
        ["1", "2", "3", "a", "b", "c"],
        ["01", "02", "03", "k.A."],
        ["a1", "a2", "a3", "k.A."],
        ["yes", "no"],
        ["1", "2", "3", "NA", ""],
        [],
    ],
)
def test_no_hint_where_the_texts_are_levels(cells):
    assert guessed(*cells).notes == ()


# -- the other decimal mark

POINT = "a number with a decimal point, but “,” is the decimal mark: choose “.” to read it so."
COMMA = "a number with a decimal comma, but “.” is the decimal mark: choose “,” to read it so."


@pytest.mark.parametrize(
    ("cells", "decimal", "hint"),
    [
        (["1.5", "2.25", "-3e5", "0.5"], ",", POINT),
        (["1,5", "2,25", "3", "1,5", "", "NA"], ".", COMMA),
        (["1.5"] * 40 + ["2.25", "k.A."], ",", POINT),
        (["1,234.5", "2,345.75", "0.5"], ",", POINT),
        ([f"{i}.125" for i in range(3000)], ",", POINT),
    ],
)
def test_numbers_with_the_other_decimal_mark_are_hinted_at_and_stay_levels(cells, decimal, hint):
    typed = guessed(*cells, decimal=decimal)
    assert typed.kind == "nominal" and typed.notes == (f"“x” looks like {hint}",)
    coded = guess_column(pa.array(cells, pa.large_string()).dictionary_encode(), "x", decimal, MISSING)
    assert coded.notes == typed.notes


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
        (["1.234", "12.345", "123.456"], ","),  # thousands, perhaps
        (["1,234", "12,345", "123,456"], "."),
        (["1", "2", "1,2", "3", "1,3", "4"], "."),  # answers that may be given together
        (["1.5", "2.5", "red", "green"], ","),
        (["01.5", "02.5", "03.5"], ","),
        (["31.12.2020", "1.1.2021", "32.1.2021"], ","),
        (["a.b", "c.d", "1.5"], ","),
        (["1.5", "2.5"], ","),
        (["", "NA"], ","),
    ],
)
def test_no_hint_of_another_decimal_mark_where_it_may_be_none(cells, decimal):
    assert guessed(*cells, decimal=decimal).notes == ()


def test_as_many_texts_as_suffice_name_the_rows_with_a_level_in_two_of_them():
    """20 rows are just enough, and 19 names of 20 as well, however the texts are kept."""
    names = pd.Series([*"abcdefghijklmnopqrs", "s"])
    for cells in (names, names.astype("category")):
        assert "in nearly every row" in why_not("name", cells, "nominal", first=False)
        assert not why_not("name", cells.replace({"r": "s"}), "nominal", first=False)
        assert not why_not("name", cells[:19], "nominal", first=False)
