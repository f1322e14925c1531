"""Columns, codes, roles, targets and parts."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.table.column import column_from_series, level_column, with_kind
from engine.table.partition import UNUSED, by_share, row_hash
from tests.frames import frames, table_of

NUMBERS = st.lists(st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([0.0, -0.0, 1.5])))


@given(NUMBERS.filter(len))
def test_codes_are_dense_ranks_and_values_come_back(numbers):
    column = column_from_series("x", pd.Series(numbers, dtype=float))
    present = [value for value in numbers if value == value]
    assert column.values.tolist() == sorted(set(present))
    np.testing.assert_array_equal(column.numbers, numbers)
    assert column.n_missing == len(numbers) - len(present)
    order = column.order
    assert sorted(order) == list(range(len(numbers)))
    keys = [(column.codes[row], row) for row in order]
    assert keys == sorted(keys)


@pytest.mark.parametrize(("n", "dtype"), [(255, np.uint8), (256, np.uint16), (65_535, np.uint16), (65_536, np.uint32)])
def test_the_code_is_as_wide_as_it_has_to_be(n, dtype):
    assert column_from_series("x", pd.Series(np.arange(n) + 0.5)).codes.dtype == dtype


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3], "integer"),
        ([1.0, 2.0, np.nan], "integer"),
        ([1.5, 2.0, np.inf], "number"),
        ([True, False], "boolean"),
        ([True, None], "boolean"),
        (["a", None], "nominal"),
        (pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"], ordered=True), "ordered"),
        (pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"]), "nominal"),
        (pd.to_datetime(["2024-02-29", None]), "date"),
        (pd.array([1, None], dtype="Int64"), "integer"),
        (pd.array(["x", None], dtype="string"), "nominal"),
        (np.array([1.5, 2.5], dtype=np.float32), "number"),
        (pd.to_timedelta(["1 day", "2 days"]), "number"),
    ],
)
def test_kinds_come_from_the_dtype(values, kind):
    column = column_from_series("x", pd.Series(values))
    assert column.kind == kind


def test_declared_levels_keep_their_order_and_the_absent_ones():
    column = column_from_series("x", pd.Series(pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"])))
    assert column.levels == ("lo", "mid", "hi")
    assert column.declared
    assert column.codes.tolist() == [1, 3]
    assert column.n_present == 2


def test_dates_are_seconds_and_read_as_dates():
    column = column_from_series("when", pd.Series(pd.to_datetime(["1970-01-02", "2024-02-29 13:05"], format="ISO8601")))
    assert column.values.tolist() == [86_400.0, 1_709_211_900.0]
    assert [column.text(i) for i in range(2)] == ["1970-01-02", "2024-02-29 13:05"]


@pytest.mark.parametrize(
    ("values", "kind", "levels"),
    [
        ([3, 1, 2], "nominal", ("1", "2", "3")),
        ([1.5, 1e-7], "nominal", ("1e-07", "1.5")),
        (["no", "yes"], "boolean", ("False", "True")),
        ([0, 1], "boolean", ("False", "True")),
    ],
)
def test_a_column_can_be_read_as_levels(values, kind, levels):
    assert with_kind(column_from_series("x", pd.Series(values)), kind).levels == levels


def test_levels_can_be_read_as_numbers_and_dates_and_say_when_not():
    assert with_kind(column_from_series("x", pd.Series(["10", "9"])), "number").values.tolist() == [9.0, 10.0]
    dates = with_kind(column_from_series("x", pd.Series(["2024-01-02", "2023-05-06"])), "date")
    assert [dates.text(i) for i in range(2)] == ["2023-05-06", "2024-01-02"]
    for series, kind, value in (
        (pd.Series(["10", "ten"]), "number", "ten"),
        (pd.Series(["2024-01-02", "soon"]), "date", "soon"),
        (pd.Series([1.5, 2.0]), "integer", "1.5"),
        (pd.Series(["red"]), "boolean", "red"),
        (pd.Series(["red"]), "integer", "red”, which is not an integer"),
    ):
        with pytest.raises(engine.InputError, match=f"“x” holds “?{value}"):
            with_kind(column_from_series("x", series), kind)


@pytest.mark.parametrize(
    ("frame", "target", "says"),
    [
        ({"a": [1, 2], "y": [None, None]}, "y", "missing in every row"),
        ({"a": [1, 2, 3], "y": list("pqr")}, "y", "value of its own"),
        ({"y": [1, 2]}, "y", "No column is left"),
        ({"a": [1, 2], "y": [0, 1]}, "z", "no column “z”"),
        ({"a": [], "y": []}, "y", "no rows"),
        ({"a": [1.0, 2.0], "y": [0.5, np.inf]}, "y", "infinite"),
        ({"a": [1j, 2j], "y": [0, 1]}, "y", "complex"),
        ({"a": range(4), "y": [-3e150, 0.5, 1.5, 2.5]}, "y", "beyond 1e140.* power of ten"),
        ({"a": [[1], [2], None], "y": [0, 1, 1]}, "y", "“a” holds values of type list, which make no levels"),
        ({"a": [1, {"b": 2}, None], "y": [0, 1, 1]}, "y", "“a” holds values of type dict, which make no levels"),
        ({"a": [10**400, 1], "y": [0, 1]}, "y", "“a” holds numbers beyond 1e308"),
    ],
)
def test_a_target_that_cannot_be_used_says_why(frame, target, says):
    with pytest.raises(engine.InputError, match=says):
        engine.Table.from_frame(pd.DataFrame(frame), target=target)


def test_weights_that_cannot_be_used_say_why():
    frame = pd.DataFrame({"a": [1, 2, 3], "w": [1.0, -2.0, 1.0], "y": [0, 1, 0]})
    with pytest.raises(engine.InputError, match="Row 2 has the weight -2"):
        engine.Table.from_frame(frame, target="y", weights="w")
    with pytest.raises(engine.InputError, match="“y” is the target and cannot be the weight too"):
        engine.Table.from_frame(frame, target="y", weights="y")
    with pytest.raises(engine.InputError, match="not numbers"):
        engine.Table.from_frame(frame.assign(w=list("abc")), target="y", weights="w")


def test_a_target_of_more_than_a_thousand_classes_is_refused():
    frame = pd.DataFrame({"a": np.arange(2002), "y": [str(i) for i in range(1001)] * 2})
    with pytest.raises(engine.InputError, match="“y” has 1,001 classes; a tree can tell apart at most 1,000"):
        engine.Table.from_frame(frame, target="y")
    assert engine.Table.from_frame(frame, target="y", kinds={"y": "number"}).task == "number"
    assert len(engine.Table.from_frame(frame.replace("1000", "0"), target="y").classes) == 1000


def test_dates_that_differ_by_a_moment_stay_different_levels():
    texts = ["2024-01-01", "2024-01-01 00:00:00.25", "2024-01-01 00:00:00.5"]
    moments = pd.to_datetime(texts, format="ISO8601").repeat(2)
    frame = pd.DataFrame({"when": moments, "y": list("pqpqqp")})
    table = engine.Table.from_frame(frame, target="y", kinds={"when": "nominal"})
    levels = ("2024-01-01", "2024-01-01 00:00:00.250000", "2024-01-01 00:00:00.500000")
    assert table.column("when").levels == levels
    assert with_kind(table.column("when"), "date").numbers.tolist() == (moments.as_unit("us").asi8 / 1e6).tolist()
    assert len(engine.Table.from_frame(frame, target="when", kinds={"when": "nominal"}).classes) == 3


def test_levels_of_one_name_become_one():
    column = level_column("x", "nominal", np.array([2, 1, 0, -1, 3]), ["b", "a", "b", "c"], False)
    assert column.levels == ("b", "a", "c")
    assert column.codes.tolist() == [1, 2, 1, 0, 3]


def test_large_integers_are_told_to_merge_and_written_in_full():
    big = 2**53
    table = engine.Table.from_frame(pd.DataFrame({"a": [big, big + 1, 1, 2], "y": [10**16, 1, 1, 10**16]}), target="y")
    assert table.column("a").n_values == 3
    assert table.notes[0] == "“a” holds integers of 2⁵³ and beyond: neighbours there may count as equal."
    assert table.classes == ("1", "10000000000000000")
    assert not engine.Table.from_frame(pd.DataFrame({"a": [big - 1, 1], "y": [0, 1]}), target="y").notes


@pytest.mark.parametrize(
    ("values", "arrow", "kind", "texts"),
    [
        ([dt.date(2024, 1, 2), None, dt.date(999, 1, 1)], pa.date32(), "date", ["0999-01-01", "2024-01-02"]),
        ([dt.date(2024, 1, 2), None], pa.date64(), "date", ["2024-01-02"]),
        ([pd.Timestamp("2024-01-02 03:04"), None], pa.timestamp("ns", "Asia/Tokyo"), "date", ["2024-01-02 03:04"]),
        ([dt.datetime(2024, 1, 2, 3, 4, 5, 6), None], pa.timestamp("us"), "date", ["2024-01-02 03:04:05.000006"]),
        ([Decimal("1.50"), None], pa.decimal128(5, 2), "number", ["1.5"]),
        (["b", None, "a"], pa.large_string(), "nominal", ["a", "b"]),
        (["b", None, "a"], pa.dictionary(pa.int8(), pa.string()), "nominal", ["b", "a"]),
        ([True, None], pa.bool_(), "boolean", ["False", "True"]),
        ([7, None], pa.int64(), "integer", ["7"]),
        ([dt.timedelta(1), None], pa.duration("us"), "number", ["86400"]),
    ],
)
def test_columns_of_arrow_are_read(values, arrow, kind, texts):
    series = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([pa.array(values, type=arrow)])))
    column = column_from_series("x", series)
    assert column.kind == kind
    assert [column.text(i) for i in range(column.n_values)] == texts
    assert (column.codes == 0).tolist() == [value is None for value in values]


@pytest.mark.parametrize("arrow", [pa.list_(pa.int64()), pa.struct([("a", pa.int64())])])
def test_nested_columns_of_arrow_are_refused(arrow):
    values = [[1], None] if pa.types.is_list(arrow) else [{"a": 1}, None]
    with pytest.raises(engine.InputError, match=r"“x” holds values of type \w+, which make no levels: leave it out"):
        column_from_series("x", pd.Series(values, dtype=pd.ArrowDtype(arrow)))


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(engine.InputError, match="Two columns are called “a”"):
        engine.Table.from_frame(pd.DataFrame([[1, 2, 3]], columns=["a", "a", "y"]), target="y")


@pytest.mark.parametrize(
    ("y", "kinds", "task"),
    [
        ([0, 1, 1], {}, "classes"),
        ([0.0, 1.0, 1.0], {}, "classes"),
        ([0.5, 1.0, 1.0], {}, "number"),
        ([0, 1, 1], {"y": "number"}, "number"),
        ([0.5, 1.0, 1.0], {"y": "nominal"}, "classes"),
        ([True, False, True], {}, "classes"),
    ],
)
def test_the_target_decides_the_task(y, kinds, task):
    table = engine.Table.from_frame(pd.DataFrame({"a": [1, 2, 3], "y": y}), target="y", kinds=kinds)
    assert table.task == task
    assert table.n_stats == (len(table.classes) if task == "classes" else 3)


def test_rows_without_target_or_weight_do_not_train():
    frame = pd.DataFrame({"a": [1, 2, 3, 4, 5], "w": [1, 0, 2, np.nan, 1], "y": ["p", "q", None, "q", "q"]})
    table = engine.Table.from_frame(frame, target="y", weights="w")
    assert table.part.tolist() == [engine.TRAIN, engine.UNUSED, engine.UNUSED, engine.UNUSED, engine.TRAIN]
    assert any("1 row has no value in the target “y”" in note for note in table.notes)


def test_infinities_are_kept_ordered_and_announced():
    table = engine.Table.from_frame(pd.DataFrame({"a": [np.inf, 1.0, -np.inf], "y": [0, 1, 0]}), target="y")
    assert table.column("a").codes.tolist() == [3, 2, 1]
    assert table.notes == ("“a” is infinite in 2 rows: kept, as the smallest or largest value.",)


@given(frames(task="classes", weighted=False, rows=(10, 60)), st.floats(0, 0.5), st.floats(0, 0.45), st.integers(0, 99))
def test_parts_are_stratified_shares_and_repeatable(frame, validation, test, seed):
    table = table_of(frame).with_partition(validation, test, seed)
    for k in range(len(table.classes)):
        rows = table.part[table.y == k]
        n, share = np.sum(rows != engine.TEST), validation * len(table.part) / np.sum(table.part != engine.TEST)
        assert abs(np.sum(rows == engine.VALIDATION) - min(n * share, n)) <= 0.5 + 1e-9
    again = table_of(frame).with_partition(validation, test, seed)
    np.testing.assert_array_equal(table.part, again.part)


@given(
    strata=st.lists(st.tuples(st.integers(0, 3), st.sampled_from([UNUSED, engine.TRAIN, engine.TEST])), max_size=40),
    share=st.sampled_from([0, 0.2, 0.5, 0.9]),
    seed=st.integers(-3, 99),
)
def test_validation_rows_are_cut_from_the_order_of_the_hashes(strata, share, seed):
    classes, part = np.array([s for s, _ in strata], np.uint16), np.array([p for _, p in strata], np.uint8)
    hashes, expected = row_hash(classes.size, seed), part.copy()
    n_test, n_train = np.sum(part == engine.TEST), max(np.sum(part == engine.TRAIN), 1)
    for k in range(4):
        rows = sorted(np.flatnonzero((part == engine.TRAIN) & (classes == k)), key=lambda row: hashes[row])
        expected[rows[: round(len(rows) * (share * (1 + n_test / n_train)))]] = engine.VALIDATION
    by_share(classes, part, share, seed)
    np.testing.assert_array_equal(part, expected)


def people(n=600):
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"name": [f"p{i}" for i in range(n)], "home": random.integers(0, 90, n)})
    return frame.assign(age=random.normal(size=n), y=random.choice(list("abc"), n), z=random.normal(size=n))


@given(st.data())
def test_test_rows_stay_whatever_happens_to_the_table(data):
    """Other shares, seeds, dividing columns, targets, kinds, roles and orders, one after the other."""
    frame = people(200)
    frame["part"] = np.random.default_rng(1).choice(["train", "validation", "test"], 200)
    roles = data.draw(st.sampled_from([{}, {"name": "key"}, {"home": "group"}]))
    table = engine.Table.from_frame(frame, target="y", roles=roles)
    by_column = data.draw(st.booleans())
    table = table.with_partition(column="part") if by_column else table.with_partition(0.3, 0.2, seed=2)
    kept = table.part == engine.TEST
    assert kept.any()
    steps = {
        "shares": lambda t: t.with_partition(validation=data.draw(st.sampled_from([0, 0.2, 0.6])), seed=9),
        "column": lambda t: t if t.target == "part" else t.with_partition(column="part"),
        "target": lambda t: t.with_target(data.draw(st.sampled_from(["y", "z", "home", "part"]))),
        "kind": lambda t: t.with_kind("home", "nominal") if roles != {"home": "group"} else t,
        "roles": lambda t: t.with_roles({"part": "ignore"}) if t.target != "part" else t,
        "key": lambda t: t.with_roles({"name": "key"}),
    }
    for step in data.draw(st.lists(st.sampled_from(sorted(steps)), max_size=6)):
        table = steps[step](table)
        np.testing.assert_array_equal(table.part == engine.TEST, kept)
        assert table.n_train
    np.testing.assert_array_equal(table.unsealed, np.flatnonzero(~kept))
    again = engine.Table.from_frame(frame, target="y", roles=roles).with_target(table.target)
    again = again.with_partition(**table.partition)
    np.testing.assert_array_equal(again.part == engine.TEST, kept)


def test_a_key_is_a_test_row_in_every_file():
    frame = people()
    table = engine.Table.from_frame(frame, target="y", roles={"name": "key"}).with_partition(0.2, 0.3)
    kept = set(frame.name[table.part == engine.TEST])
    assert 130 < len(kept) < 230
    other = frame.sample(frac=0.5, random_state=1)
    part = engine.Table.from_frame(other, target="y", roles={"name": "key"}).with_partition(0.5, 0.3).part
    assert set(other.name[part == engine.TEST]) == kept & set(other.name)
    homes = engine.Table.from_frame(frame, target="y", roles={"home": "group"}).with_partition(0.2, 0.3)
    assert (pd.Series(homes.part == engine.TEST).groupby(frame.home).nunique() == 1).all()
    for column in ("validation", "test"):
        part = getattr(engine, column.upper())
        assert (pd.Series(homes.part == part).groupby(frame.home).nunique() == 1).all()
    assert abs((homes.part == engine.VALIDATION).mean() - 0.2) < 0.1
    assert homes.counts_key != homes.with_roles({"home": "ignore"}).counts_key, "other rows validate then"
    both = engine.Table.from_frame(frame, target="y", roles={"home": "group", "name": "key"}).with_partition(0.2, 0.3)
    np.testing.assert_array_equal(both.part == engine.TEST, homes.part == engine.TEST)
    with pytest.raises(engine.InputError, match="“home” chose the test rows by its values"):
        homes.with_kind("home", "nominal")


def test_rows_that_nothing_can_use_now_are_kept_all_the_same():
    """Their weight is 0 for a while, or another target is missing there."""
    frame = people(200)
    table = table_of(frame).with_partition(0.2, 0.3)
    kept = table.part == engine.TEST
    frame["w"], frame["other"] = np.where(kept, 0.0, 1.0), np.where(kept, np.nan, frame.z)
    table = engine.Table.from_frame(frame, target="y").with_partition(0.2, 0.3)
    weighed = table.with_roles({"w": "weight"})
    assert weighed.n_test == 0 and not np.isin(np.flatnonzero(kept), weighed.unsealed).any()
    again = weighed.with_partition(validation=0.4).with_roles({"w": "ignore"})
    np.testing.assert_array_equal(again.part == engine.TEST, kept)
    again = table.with_target("other").with_partition(validation=0.4).with_target("y")
    np.testing.assert_array_equal(again.part == engine.TEST, kept)


def test_a_key_is_the_same_as_number_whole_number_and_level():
    ids = np.random.default_rng(3).permutation(400)
    parts = []
    for made in (ids, ids.astype(float), ids.astype(str), np.append(ids[:-1], 0.5)):
        frame = people(400).assign(name=made)
        parts.append(engine.Table.from_frame(frame, target="y", roles={"name": "key"}).with_partition(test=0.3).part)
    assert (parts[0] == parts[1]).all() and (parts[0] == parts[2]).all() and (parts[0] == parts[3])[:-1].all()


def test_it_is_said_where_groups_are_parted_and_where_a_key_has_few_values():
    frame = people().assign(plan=list("abc") * 200)
    few = engine.Table.from_frame(frame, target="y", roles={"plan": "key"}).with_partition(test=0.2)
    assert any("of the rows are kept for the test where 20 % were asked for" in note for note in few.notes)
    late = table_of(frame).with_partition(test=0.2).with_roles({"home": "group"})
    assert any(note.startswith("Test rows were chosen before “home” was the group") for note in late.notes)
    early = engine.Table.from_frame(frame, target="y", roles={"home": "group"}).with_partition(test=0.2)
    assert not early.notes and not table_of(frame).with_partition(test=0.2).notes


def test_no_other_test_rows_once_there_are_some():
    table = table_of(people()).with_partition(0.2, 0.2)
    assert table.with_partition(0.5, 0.2, seed=0).n_test == table.n_test
    for other in ({"test": 0.3}, {"test": 0.2, "seed": 1}, {"test_column": "y"}):
        with pytest.raises(engine.InputError, match=f"{table.n_test} test rows are kept in table, and no others can"):
            table.with_partition(0.1, **other)


def test_another_seed_draws_other_rows():
    frame = pd.DataFrame({"a": np.arange(200), "y": np.arange(200) % 2})
    parts = [table_of(frame).with_partition(0.3, seed=seed).part for seed in range(3)]
    assert not np.array_equal(parts[0], parts[1])
    assert not np.array_equal(parts[1], parts[2])


def test_a_column_can_name_the_parts():
    frame = pd.DataFrame({"a": range(4), "fold": ["train", "Validation", "test", None], "y": [0, 1, 0, 1]})
    table = engine.Table.from_frame(frame, target="y").with_partition(column="fold")
    assert table.part.tolist() == [engine.TRAIN, engine.VALIDATION, engine.TEST, engine.UNUSED]
    assert [table.columns[i].name for i in table.features] == ["a"]
    with pytest.raises(engine.InputError, match="“maybe” in column “fold” names no part"):
        engine.Table.from_frame(frame.replace("test", "maybe"), target="y").with_partition(column="fold")


def test_the_target_has_no_other_role():
    frame = pd.DataFrame({"a": range(4), "w": [1, 2, 1, 2], "fold": list("0122"), "y": [0, 1, 0, 1]})
    table = engine.Table.from_frame(frame, target="y", weights="w").with_partition(column="fold")
    with pytest.raises(engine.InputError, match="“y” is the target and cannot divide the rows too"):
        table.with_partition(column="y")
    with pytest.raises(engine.InputError, match="“y” is the target and cannot divide the rows too"):
        table.with_roles({"y": "partition"})
    with pytest.raises(engine.InputError, match="“y” is the target and cannot be the weight too"):
        table.with_roles({"y": "weight", "w": "feature"})
    divider = table.with_target("fold")
    assert (divider.partition, divider.roles["fold"], divider.n_train) == ({"test_column": "fold"}, "feature", 2)
    weigher = table.with_target("w")
    assert weigher.weights is None
    assert weigher.partition == {"column": "fold"}


@pytest.mark.parametrize(("validation", "test"), [(1.0, 0.0), (-0.1, 0.0), (0.6, 0.5)])
def test_shares_that_leave_nothing_are_refused(validation, test):
    with pytest.raises(engine.InputError, match=r"share cannot be|no rows for training"):
        table_of(pd.DataFrame({"a": range(9), "y": [0, 1, 0] * 3})).with_partition(validation, test)


@given(frames())
def test_the_frame_comes_back(frame):
    back = table_of(frame).to_frame()
    for name in frame:
        one, other = frame[name], back[name]
        assert (one.isna() == other.isna()).all()
        assert (one[one.notna()].astype(str) == other[one.notna()].astype(str)).all() or np.allclose(
            one[one.notna()].astype(float), other[one.notna()].astype(float)
        )


def test_durations_are_announced_to_be_seconds():
    frame = pd.DataFrame({"span": pd.to_timedelta([1, 90], unit="min"), "y": ["a", "b"]})
    table = engine.Table.from_frame(frame, "y")
    assert table.notes == ("“span” holds durations: they are read as seconds, in conditions, too.",)
    assert table.column("span").numbers.tolist() == [60.0, 5400.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_dates_outside_of_the_calendar_are_missing_and_told(unit):
    per_day = 86_400 * {"s": 1, "ms": 10**3, "us": 10**6}[unit]
    moments = pd.Series(np.array([2**62, per_day, -(2**62)]).astype(f"datetime64[{unit}]"))
    for series in (moments, moments.dt.tz_localize("UTC"), pd.Series(pd.array(moments, f"timestamp[{unit}][pyarrow]"))):
        table = engine.Table.from_frame(pd.DataFrame({"d": series, "n": [1, 2, 3]}))
        assert table.column("d").text(0) == "1970-01-02" and table.column("d").codes.tolist() == [0, 1, 0]
        assert table.notes == ("“d” holds 2 dates outside of the years 1 to 9999, which count as missing.",)


def test_values_that_pandas_cannot_hold_are_refused_by_name():
    ticks = pa.array([1, 2, 3])
    odd = [
        pd.arrays.ArrowExtensionArray(ticks.view(pa.timestamp("s", "Mars/Phobos"))),
        pd.arrays.ArrowExtensionArray(ticks.view(pa.time64("ns"))),
        pd.Series([dt.timedelta.max, None, dt.timedelta(1)], dtype=object),
    ]
    for values in odd:
        with pytest.raises(engine.InputError, match=r"Column “d” .*: leave it out"):
            engine.Table.from_frame(pd.DataFrame({"d": values, "n": [1, 2, 3]}))


def test_a_date_is_no_target_until_its_dates_are_classes():
    days = pd.to_datetime(["2020-01-01", "2020-01-03", "2020-01-03"])
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5], "y": days})
    for make in (
        lambda: engine.Table.from_frame(frame, "y"),
        lambda: engine.Table.from_frame(frame, "x").with_target("y"),
        lambda: engine.Table.from_frame(frame.assign(y=days.strftime("%Y-%m-%d")), "y").with_kind("y", "date"),
    ):
        with pytest.raises(engine.InputError, match="“y” is a date, which no tree predicts: choose another target"):
            make()
    ordered = engine.Table.from_frame(frame, "x").with_kind("y", "ordered").with_target("y")
    assert ordered.classes == ("2020-01-01", "2020-01-03")
