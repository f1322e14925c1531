"""The way of a row of values, and the nearest change, by trying every change there is."""

import pandas as pd
import pytest

import engine
from tests import naive_what_if
from tests.engine.assessment.test_dependence import WAYS, frame_of, table_of

FEATURES = list("abcd")


def plain(value: object) -> float | str | None:
    return None if pd.isna(value) else value if isinstance(value, str) else float(value)


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("way", WAYS)
def test_values_go_the_way_of_their_row(task, way):
    frame = frame_of(task)
    table = table_of(frame)
    tree = engine.grow(table, max_depth=4, **WAYS[way])
    reached = tree.apply(table)
    for row in range(0, 120, 3):
        values = engine.values_of_row(table, row)
        assert values == {name: plain(frame.loc[row, name]) for name in FEATURES}
        nodes = engine.way_down(engine.table_of_values(tree, values), tree)
        assert nodes == engine.way_down(table, tree, row)
        positions = [tree.position(node) for node in nodes]
        assert positions[-1] == reached[row] and [tree.parent[i] for i in positions] == [-1, *positions[:-1]]


def test_a_level_that_the_tree_does_not_know_goes_where_splits_send_it():
    frame = frame_of("classes")
    table = table_of(frame)
    split = engine.Split("c", "groups", groups=(("p",), ("q", "r", "s")), missing=0, unseen=1)
    tree = engine.Tree.root(table).split(table, 0, split)
    ways = {level: engine.way_down(engine.table_of_values(tree, {"c": level}), tree)[1] for level in ("p", "z", None)}
    assert ways["p"] == ways[None] != ways["z"]
    with pytest.raises(engine.InputError, match="is a number"):
        engine.table_of_values(tree, {"c": 3.0})
    with pytest.raises(engine.InputError, match="is a level"):
        engine.table_of_values(tree, {"a": "p"})


@pytest.mark.parametrize("task", ["classes", "number"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_change_is_nearer(task, way, seed):
    frame = frame_of(task, n=60, seed=seed)
    frame["a"] = frame.a.mul(2).round() / 2  # few values: every combination is tried
    table = table_of(frame)
    tree = engine.grow(table, max_depth=4, **WAYS[way])
    train = frame.iloc[table.rows(engine.TRAIN)][FEATURES]
    for row in range(0, 60, 7):
        own = frame.iloc[[row]]
        said = tree.predict(own)[0]
        locked = ("a",) if row % 2 else ()
        wanted = "" if row % 3 == 0 else "higher" if task == "number" else "high"

        def differs(rows, said=said, wanted=wanted):
            new = tree.predict(rows)
            return new != said if not wanted else new > said if task == "number" else (new == wanted) & (new != said)

        expected = naive_what_if.nearest(tree, train, own.iloc[0], differs, locked)
        values = engine.values_of_row(table, row)
        found = engine.nearest_change(table, tree, values, wanted=wanted, locked=locked)
        if expected is None:
            assert found is None
            continue
        assert (len(found.values), found.distance) == pytest.approx(expected)
        changed = pd.DataFrame([{**values, **found.values}]).astype(train.dtypes.to_dict())
        assert differs(changed)[0] and not {*locked} & {*found.values}
        new = engine.table_of_values(tree, {**values, **found.values})
        assert engine.way_down(new, tree)[-1] == found.leaf and found.limits.keys() == found.values.keys()


def test_what_cannot_be_asked_is_refused():
    table, numbers = (table_of(frame_of(task)) for task in ("classes", "number"))
    assert engine.nearest_change(table, engine.Tree.root(table), {}) is None
    with pytest.raises(engine.InputError, match="no class “other”"):
        engine.nearest_change(table, engine.grow(table), {}, wanted="other")
    with pytest.raises(engine.InputError, match="neither"):
        engine.nearest_change(numbers, engine.grow(numbers), {}, wanted="high")


def test_the_spread_of_a_column_is_that_of_its_training_rows():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 100.0], "t": list("xxxyy")})
    table = engine.Table.from_frame(frame, "t")
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (2.5,)))
    found = engine.nearest_change(table, tree, {"a": 0.5})
    assert (found.values, found.distance) == (
        {"a": 3.0},
        2.5,
    )  # the median is 2, of its distances 2, 1, 0, 1, 98 it is 1
    assert found.limits["a"].words == "a > 2.5"
    assert engine.nearest_change(table, tree, {"a": None if tree.split_at(0).missing else 9.0}).values["a"] <= 2
