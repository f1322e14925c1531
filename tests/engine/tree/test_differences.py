"""In what a table differs from the one that a tree was made on: what would go unseen is said."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine.tree.differences import differences

ROWS = np.arange(200)
FRAME = pd.DataFrame(
    {
        "months": ROWS % 60,
        "city": np.array(["Wien", "Graz", "Linz"])[ROWS % 3],
        "y": np.where((ROWS % 60 > 20) ^ (ROWS % 3 == 1), "yes", "no"),
    }
)


@pytest.fixture(scope="module")
def tree():
    table = engine.Table.from_frame(FRAME, target="y")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("months", "threshold", (20.5,)))
    for node in (1, 2):
        tree = tree.split(table, node, engine.Split("city", "groups", groups=(("Graz",), ("Linz", "Wien"))))
    return tree


def found(tree, frame, **how):
    table = engine.Table.from_frame(frame, target="y", name="new", **how)
    return differences(tree, engine.recount(tree, table)[0], table)


def test_nothing_is_said_of_the_same_or_of_fewer_rows(tree):
    assert found(tree, FRAME) == found(tree, FRAME[::5]) == []


def test_another_unit(tree):
    said = found(tree, FRAME.assign(months=FRAME.months / 12))
    assert said == ["One split no longer divides the rows: for all 200 of them, “months ≤ 20.5”."]


def test_levels_that_the_tree_does_not_know(tree):
    said = found(tree, FRAME.assign(city=FRAME.city.where(ROWS % 6 > 0, "Villach")))
    share = f"{100 * (ROWS % 6 == 0).mean():.1f} % of the rows go where its splits send unknown levels."
    assert said == [f"“city” has a level that the tree does not know, “Villach”: {share}"]
    levels, idle = found(tree, FRAME.assign(city=FRAME.city.str.upper()))
    assert "3 levels" in levels and "“GRAZ”: 100.0 %" in levels
    assert idle.startswith("2 splits no longer divide the rows; the first: for all ")


def test_columns_that_are_gone_or_of_another_kind(tree):
    [gone] = found(tree, FRAME.drop(columns="city"))
    assert "no column “city” in new" in gone and gone.endswith("2 splits on it become leaves.")
    [other] = found(tree, FRAME.assign(months="m" + FRAME.months.astype(str)))
    assert "“months” is category now" in other and other.endswith("1 split on it becomes a leaf.")


def test_other_classes(tree):
    [said] = found(tree, FRAME.assign(y=FRAME.y.str.upper()))
    assert "“no”, “yes” of “y”; this table has “NO”, “YES”" in said


def test_rows_that_do_not_train_tell_nothing(tree):
    frame = FRAME.assign(city=FRAME.city.where(ROWS % 6 > 0, "Villach"), part=np.where(ROWS % 6 > 0, "train", "test"))
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    assert differences(tree, engine.recount(tree, table)[0], table) == []
