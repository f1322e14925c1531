"""What all rows tell otherwise than some of them did, in sentences."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from gui.wording.first_answers import what_changed, where_from

ROWS = "All 4,000 rows are counted."


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(1)
    frame = pd.DataFrame({f"x{i}": random.integers(0, 100, 4000) for i in range(6)})
    frame["city"] = random.choice(list("abcd"), 4000)
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, 4000), "D")
    frame["y"] = np.where(frame["x0"] + frame["x1"] / 2 > random.normal(75, 20, 4000), "yes", "no")
    return engine.Table.from_frame(frame, target="y")


@pytest.fixture(scope="module")
def exact(table):
    return [one for one in engine.candidates(table, engine.Tree.root(table)) if one.split and one.gain > 0]


def cut(candidate, *thresholds):
    return replace(candidate, split=engine.Split(candidate.column, "threshold", thresholds))


def grouped(candidate, *groups):
    return replace(candidate, column="city", split=engine.Split("city", "groups", groups=groups))


def test_nothing_changed(table, exact):
    said = what_changed(exact, exact, table)
    assert said.startswith(
        f"{ROWS} The 5 best columns are those of the first answers, in the same order. The best cut, "
    )
    assert "“x0” ≤ " in said and said.endswith(", is the same.")


def test_some_columns_stay_and_the_best_cut_moved(table, exact):
    first = [cut(exact[0], 18.3), *exact[1:4], exact[-1]]
    said = what_changed(first, [cut(exact[0], 18.44), *exact[1:]], table)
    assert said == (
        f"{ROWS} Of the 5 best columns of the first answers, 4 stay among the 5 best. "
        "The best cut of “x0” moved from ≤ 18.3 to ≤ 18.44."
    )


def test_a_cut_that_moves_by_less_than_is_shown_is_the_same(table, exact):
    said = what_changed([cut(exact[0], 0.123412)], [cut(exact[0], 0.123409), *exact[1:]], table)
    assert said == f"{ROWS} The best cut, “x0” ≤ 0.1234, is the same."


def test_the_order_and_the_best_column_are_others(table, exact):
    said = what_changed([exact[1], exact[0], *exact[2:]], exact, table)
    assert said == (
        f"{ROWS} The 5 best columns are those of the first answers, in another order. "
        "The best column is now “x0” instead of “x1”."
    )


@pytest.mark.parametrize(("kept", "words"), [(0, "none stays"), (1, "1 stays"), (2, "2 stay")])
def test_how_many_columns_stay(table, exact, kept, words):
    others = [replace(one, column=f"other {i}") for i, one in enumerate(exact[: 5 - kept])]
    said = what_changed([*exact[:kept], *others], exact, table)
    assert f"Of the 5 best columns of the first answers, {words} among the 5 best." in said


def test_levels_are_compared_as_sets(table, exact):
    one, same, other = (
        grouped(exact[0], *groups)
        for groups in ((("a", "b"), ("c", "d")), (("d", "c"), ("b", "a")), (("a",), ("b", "c", "d")))
    )
    assert what_changed([one], [same], table).endswith("The best split, of “city”, is the same.")
    assert what_changed([one], [other], table).endswith("The best split of “city” divides its values otherwise.")


def test_dates_are_said_as_dates(table, exact):
    before, after = (float(pd.Timestamp(day).timestamp()) for day in ("2024-03-01 12:00", "2024-04-01 12:00"))
    day = replace(exact[0], column="day")
    assert "“day” moved from ≤ 2024-03-01" in what_changed([cut(day, before)], [cut(day, after)], table)


def test_training_rows_are_called_so_and_no_gain_is_said(table, exact):
    divided = table.with_partition(validation=0.5)
    assert what_changed(exact, [replace(exact[0], gain=0.0)], divided) == (
        "All 2,000 training rows are counted. No split gains anything any more, unlike in the first answers."
    )


def test_from_which_rows_they_are():
    assert where_from(50_000, 10).startswith("From 50,000 rows of 10 places, which is no random sample of all rows.")
    assert where_from(50_000, 1).startswith("From 50,000 of the first rows, which need not be like the others.")
