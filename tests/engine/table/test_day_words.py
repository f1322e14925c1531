"""Dates that are whole days: a cut between two days is written as the day before it; the threshold stays the middle."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.table.words import DAY, value_words

FAR = 1e10  # seconds


def days_table(hours: int = 0) -> engine.Table:
    day = pd.date_range("2016-11-01", periods=60) + pd.Timedelta(hours=hours)
    frame = pd.DataFrame({"day": day, "y": ["a"] * 29 + ["b"] * 31})
    return engine.Table.from_frame(frame, target="y")


def split_tree(table: engine.Table) -> engine.Tree:
    root = engine.Tree.root(table)
    return root.split(table, 0, engine.candidates(table, root, 0)[0].split)


@given(st.integers(-50_000, 50_000), st.floats(-FAR, FAR))
def test_the_day_that_is_written_divides_whole_days_as_the_threshold_does(day: int, threshold: float) -> None:
    written = datetime.fromisoformat(value_words(threshold, "day")).replace(tzinfo=UTC).timestamp()
    assert (day * DAY <= threshold) == (day * DAY <= written)


@pytest.mark.parametrize(("hours", "written"), [(0, "2016-11-29"), (6, "2016-11-29 18:00")])
def test_a_cut_between_two_dates_in_words(hours: int, written: str) -> None:
    table = days_table(hours)
    tree = split_tree(table)
    (threshold,) = tree.split_at(0).thresholds
    first = table.column("day").values[28]
    assert threshold == first + DAY / 2, "the middle, whatever is written"
    assert tree.sentence(1) == f"day ≤ {written}" and tree.rule(2) == [f"day > {written}"]
    assert engine.gain_curve(table, tree, 0, "day").kind_in_words == ("date" if hours else "day")
    assert engine.rules(tree)[0].paths[0].limits[0].words.startswith(f"day ≤ {written}")


def test_a_file_remembers_that_dates_are_days() -> None:
    for hours in (0, 6):
        tree = split_tree(days_table(hours))
        read = engine.tree_from_text(engine.tree_to_text(tree))
        assert read.columns == tree.columns and read.sentence(1) == tree.sentence(1)


def test_a_date_that_is_missing_or_endless_has_words() -> None:
    assert value_words(np.inf, "day") == value_words(np.inf, "date")
    assert value_words(np.nan, "day") == value_words(np.nan, "date")
