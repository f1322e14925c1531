"""Conditions as a person writes them."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import Literal, read_literal

TABLE = engine.Table.from_frame(
    pd.DataFrame(
        {
            "age": [1, 30, 41], "age group": ["young", "Old", "old"], "width < 3 cm": [0.5, 1.5, 2.5],
            "day": pd.to_datetime(["2013-01-01", "2013-07-01", "2014-01-01"]), "smokes": [True, False, True],
            "colour": ["red", "light = blue", "green"], "y": ["a", "b", "a"],
        }
    ),
    target="y",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("age <= 30", Literal("age", "<=", 30.0)),
        ("  AGE≤30 ", Literal("age", "<=", 30.0)),
        ("age > −1.5", Literal("age", ">", -1.5)),
        ("age < 30", Literal("age", "<=", 29.0)),
        ("age >= 30", Literal("age", ">", 29.0)),
        ("age group = young", Literal("age group", "==", "young")),
        ("age group ≠ old", Literal("age group", "!=", "old")),
        ("age group = Old", Literal("age group", "==", "Old")),
        ("width < 3 cm > 2", Literal("width < 3 cm", ">", 2.0)),
        ("day <= 2013-07", Literal("day", "<=", 1372636800.0)),
        ("colour = RED", Literal("colour", "==", "red")),
        ("colour == “light = blue”", Literal("colour", "==", "light = blue")),
        ("colour <> light = blue", Literal("colour", "!=", "light = blue")),
    ],
)
def test_conditions_are_read(text: str, literal: Literal) -> None:
    assert read_literal(text, TABLE) == literal


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("weight <= 3", "No feature is called “weight”: write a condition such as “age <= 30” or “colour = red”."),
        ("y = a", "No feature is called “y”"),
        ("", "Write a condition such as"),
        ("<= 3", "Write a condition such as"),
        ("age", "“age” is not a complete condition: write a condition such as “age <= 30”."),
        ("age <=", "“age <=” is not a complete condition"),
        ("age <= old", "“old” is not a number"),
        ("age <= 3, 4", "“3, 4” is more than one value"),
        ("age = 3", "A condition on “age” uses <= or >"),
        ("width < 3 cm < 2.5", "A condition on “width < 3 cm” uses <= or >"),
        ("colour > red", "“colour” is categorical, so use = or !="),
        ("colour = pink", "“colour” has no level “pink”"),
        ("age group = OLD", "“age group” has no level “OLD”"),
        ("day <= 7/8/2013", "“7/8/2013” could be day/month or month/day"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(engine.InputError) as refused:
        read_literal(text, TABLE)
    assert str(refused.value).startswith(why)


@given(st.data())
def test_what_the_list_shows_can_be_written(data: st.DataObject) -> None:
    column = data.draw(st.sampled_from([TABLE.columns[place] for place in TABLE.features]))
    if column.is_numeric:
        value = float(data.draw(st.integers(-99, 99))) if column.kind != "date" else 1372636800.0
        literal = Literal(column.name, data.draw(st.sampled_from(["<=", ">"])), value)
    else:
        test, level = data.draw(st.sampled_from(["==", "!="])), data.draw(st.sampled_from(column.levels))
        literal = Literal(column.name, test, level)
    assert read_literal(engine.splits.literal_words(literal, column.kind), TABLE) == literal
