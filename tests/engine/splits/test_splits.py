"""Splits: values, words, and what they refuse."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.splits import bind, branch_of_rows, branch_words, full_words, sentence, threshold_between, title
from engine.table.words import date_words, exact_date, exact_words, number_words, value_words
from engine.tree.assignment import route
from tests.frames import frames, random_split, table_of

FINITE = st.floats(allow_nan=False, allow_infinity=True)


@given(FINITE, FINITE)
def test_a_threshold_separates_the_values_that_it_stands_between(a, b):
    low, high = sorted((a, b))
    if low < high:
        assert low <= threshold_between(low, high) < high


def test_neighbours_in_floating_point_are_separated():
    low = 1.0
    high = np.nextafter(low, 2)
    assert low <= threshold_between(low, high) < high
    assert threshold_between(1e308, 1.7e308) == 1.35e308


@given(frames(), st.integers(0, 10**6))
def test_a_bound_split_sends_each_code_where_its_value_goes(frame, seed):
    table = table_of(frame)
    split = random_split(table, np.random.default_rng(seed))
    if split.kind == "m_of_n":
        return  # over several columns; `test_tree` sends rows down it
    column = table.column(split.column)
    binding = bind(split, table)
    assert binding is bind(split, table)
    branches = binding.branches(np.arange(column.n_values + 1))
    assert branches[0] == split.missing
    for i in range(column.n_values):
        if split.kind == "threshold":
            expected = sum(column.values[i] > t for t in split.thresholds)
        else:
            expected = next((b for b, g in enumerate(split.groups) if column.values[i] in g), split.unseen)
        assert branches[i + 1] == expected


def test_branches_read_like_rules():
    cut = engine.Split("age", "threshold", (18.0, 42.5), missing=1)
    assert [branch_words(cut, b, "number") for b in range(3)] == ["≤ 18", "in (18, 42.5]", "> 42.5"]
    assert sentence(cut, 2, "number") == "age > 42.5"
    assert full_words(cut, 1, "number") == "age in (18, 42.5] or missing"
    day = engine.Split("hired", "threshold", (86_400.0,))
    assert branch_words(day, 0, "date") == "≤ 1970-01-02"
    present = engine.Split("age", "threshold", (float("inf"),), missing=1)
    assert [full_words(present, b, "number") for b in range(2)] == ["age present", "age missing"]
    towns = engine.Split("town", "groups", groups=(("Bonn",), ("Ulm", "Jena"), tuple("abcdefgh"), ()), missing=3)
    assert [branch_words(towns, b, "nominal") for b in range(4)] == [
        "= Bonn", "in {Ulm, Jena}", "in 8 of 11: a …", "missing",
    ]  # fmt: skip
    short = engine.Split("zone", "groups", groups=(("A", "B", "C", "D"), ("Bonn", "Ulm", "Jena", "Mainz")))
    assert [branch_words(short, b, "nominal") for b in range(2)] == ["in {A, B, C, D}", "in 4 of 8: Bonn …"]
    assert full_words(towns, 2, "nominal") == "town in {a, b, c, d, e, f, g, h}"


AILING = (
    engine.Literal("fever", "==", "yes"), engine.Literal("age", ">", 60.0), engine.Literal("day", "<=", 86_400.0),
    engine.Literal("town", "!=", "Ulm"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("m", "n", "words"),
    [
        (1, 1, ["fever = yes", "not fever = yes"]),
        (1, 2, ["any of {fever = yes, age > 60}", "none of {fever = yes, age > 60}"]),
        (2, 2, ["all of {fever = yes, age > 60}", "not all of {fever = yes, age > 60}"]),
        (2, 3, ["at least 2 of {fever = yes, age > 60, day ≤ 1970-01-02}",
                "fewer than 2 of {fever = yes, age > 60, day ≤ 1970-01-02}"]),
        (3, 4, ["at least 3 of 4", "fewer than 3 of 4"]),
    ],
)  # fmt: skip
def test_m_of_n_reads_like_a_condition(m, n, words):
    split = engine.Split("fever", "m_of_n", m=m, literals=AILING[:n])
    kinds = {"fever": "nominal", "age": "number", "day": "date", "town": "nominal"}
    assert [branch_words(split, branch, kinds) for branch in range(2)] == words
    short = " conditions" if n > 3 else ""
    assert [sentence(split, branch, kinds) for branch in range(2)] == [said + short for said in words]
    if n == 4:
        whole = "at least 3 of {fever = yes, age > 60, day ≤ 1970-01-02, town ≠ Ulm}"
        assert full_words(split, 0, kinds) == whole
    quantity = words[0].split(" {")[0].removesuffix(" 4")
    assert title(split) == ("fever" if n == 1 else f"{quantity} {n} conditions")
    assert split.columns == ("fever", "age", "day", "town")[:n]


def test_missing_values_may_have_a_branch_of_their_own():
    split = engine.Split("age", "threshold", (18.0, 42.5), missing=3)
    assert split.n_branches == 4
    assert [full_words(split, b, "number") for b in range(4)] == [
        "age ≤ 18", "age in (18, 42.5]", "age > 42.5", "age missing",
    ]  # fmt: skip
    frame = pd.DataFrame({"age": [10.0, np.nan, 20.0, 50.0, np.nan], "y": list("uvuvu")})
    table = engine.Table.from_frame(frame, target="y")
    assert branch_of_rows(split, table, np.arange(5)).tolist() == [0, 3, 1, 2, 3]
    one = engine.Split("age", "threshold", (18.0,), missing=2)
    tree = engine.Tree.root(table).split(table, 0, one)
    assert tree.rows_train.tolist() == [5, 1, 2, 2]
    assert [tree.sentence(i) for i in range(1, 4)] == ["age ≤ 18", "age > 18", "age missing"]
    assert tree.split_at(0) == one


@given(frames(), st.integers(0, 10**6))
def test_the_branches_of_rows_are_those_into_which_they_are_sent(frame, seed):
    table = table_of(frame)
    split = random_split(table, np.random.default_rng(seed))
    rows = np.random.default_rng(seed).permutation(table.n_rows)[: table.n_rows // 2].astype(np.uint32)
    branch = branch_of_rows(split, table, rows)
    assert (branch.dtype, branch.shape) == (np.uint16, rows.shape)
    sent = rows.copy()
    bounds = route(table, split, sent)
    for b in range(split.n_branches):
        assert sent[bounds[b] : bounds[b + 1]].tolist() == rows[branch == b].tolist()


def test_a_missing_value_fulfils_no_literal_and_a_new_level_is_another_one():
    known = pd.DataFrame({"town": ["Ulm", "Jena", None], "age": [1.0, np.nan, 3.0], "y": list("uvu")})
    table = engine.Table.from_frame(known, target="y")
    for literal, holds in (
        (("town", "==", "Ulm"), [1, 0, 0]), (("town", "!=", "Ulm"), [0, 1, 0]), (("town", "==", "Rom"), [0, 0, 0]),
        (("town", "!=", "Rom"), [1, 1, 0]), (("age", "<=", 2.0), [1, 0, 0]), (("age", ">", 2.0), [0, 0, 1]),
        (("age", "<=", float("inf")), [1, 0, 1]), (("age", ">", -9.0), [1, 0, 1]), (("age", "<=", -9.0), [0, 0, 0]),
    ):  # fmt: skip
        split = engine.Split(literal[0], "m_of_n", m=1, literals=(engine.Literal(*literal),))
        assert (1 - branch_of_rows(split, table, np.arange(3))).tolist() == holds, literal


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"), (42.5, "42.5"), (-3.25, "−3.25"), (1234.5, "1234.5"), (123456.789, "123,457"), (12345, "12,345"),
        (0.000123, "0.000123"), (1e-9, "1e-09"), (float("inf"), "∞"), (2.0**60, "1.15292e+18"), (0.1 + 0.2, "0.3"),
    ],
)  # fmt: skip
def test_numbers_read_like_numbers(value, words):
    assert number_words(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(24412.765, "24,412.765"), (0.000123456, "0.000123456"), (0.1234567891, "0.123457"), (1 / 3, "0.333333"),
     (-1234567.25, "−1,234,567.25"), (1.2345678e-9, "1.2345678e-09"), (99.5, "99.5"), (7.0, "7")],
)  # fmt: skip
def test_values_are_whole_as_far_as_nine_digits_hold_them(value, words):
    assert value_words(value, "number") == words


@given(st.integers(-(10**7), 10**7), st.integers(0, 6))
def test_a_cut_between_short_decimals_is_on_its_own_side_of_both(whole, places):
    low, high = whole / 10**places, (whole + 1) / 10**places
    cut = low / 2 + high / 2
    shown = float(value_words(cut, "number").replace(",", "").replace("−", "-"))
    assert low <= shown < high


def test_a_date_beyond_the_calendar_is_still_words():
    assert date_words(1e18) == "1e+18"
    assert exact_date(-1e11) == "-100000000000"
    assert date_words(float("inf")) == "∞"
    assert date_words(float("nan")) == "missing"
    assert date_words(-1.5e9) == "1922-06-20 21:20"


@pytest.mark.parametrize(
    ("seconds", "short", "exact"),
    [
        (0.0, "1970-01-01", "1970-01-01"),
        (-30_641_760_000.0, "0999-01-01", "0999-01-01"),
        (-30_641_759_940.0, "0999-01-01 00:01", "0999-01-01 00:01"),
        (1.25, "1970-01-01 00:00:01", "1970-01-01 00:00:01.250000"),
        (1e-6, "1970-01-01 00:00", "1970-01-01 00:00:00.000001"),
    ],
)
def test_a_date_is_short_in_a_rule_and_exact_as_a_level(seconds, short, exact):
    assert (date_words(seconds), exact_date(seconds)) == (short, exact)


@pytest.mark.parametrize(
    ("value", "words"),
    [(1e15, "1000000000000000"), (2.0**63, "9223372036854775808"), (-1e16, "-10000000000000000"), (1e30, "1e+30")],
)
def test_whole_numbers_are_exact_up_to_the_largest_that_is_usual(value, words):
    assert exact_words(value) == words


AGED = (engine.Literal("age", ">", 60.0),)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"kind": "threshold"}, "ascending thresholds"),
        ({"kind": "threshold", "thresholds": (2.0, 1.0)}, "ascending thresholds"),
        ({"kind": "threshold", "thresholds": (float("nan"),)}, "ascending thresholds"),
        ({"kind": "groups", "groups": (("a",),)}, "two or more groups"),
        ({"kind": "groups", "groups": (("a",), ("a", "b"))}, "two or more groups"),
        ({"kind": "threshold", "thresholds": (1.0,), "missing": 3}, "does not have"),
        ({"kind": "oblique"}, "no kind of split"),
        ({"kind": "threshold", "thresholds": (1.0,), "m": 1}, "has no literals"),
        ({"kind": "m_of_n", "m": 1}, "needs at least one literal"),
        ({"kind": "m_of_n", "m": 2, "literals": AGED}, "At least 2 of 1 literals cannot hold; m is .* from 1 to 1"),
        ({"kind": "m_of_n", "m": 0, "literals": AGED}, "At least 0 of 1"),
        ({"kind": "m_of_n", "m": True, "literals": AGED}, "At least True of 1"),
        ({"kind": "m_of_n", "m": 1, "literals": AGED * 2}, "cannot ask “age > 60” twice"),
        ({"kind": "m_of_n", "m": 1, "literals": (AILING[0],)}, "that of its first literal, “fever”"),
        ({"kind": "m_of_n", "m": 1, "literals": AGED, "missing": 1}, "leave thresholds, groups, missing"),
        ({"kind": "m_of_n", "m": 1, "literals": (engine.Literal("age", "<", 1.0),)}, "“<” is no test"),
        ({"kind": "m_of_n", "m": 1, "literals": (engine.Literal("age", ">", "x"),)}, "needs a number, not “x”"),
        ({"kind": "m_of_n", "m": 1, "literals": (engine.Literal("age", ">", float("nan")),)}, "needs a number"),
        ({"kind": "m_of_n", "m": 1, "literals": (engine.Literal("age", "==", 1.0),)}, "needs the name of a level"),
    ],
)
def test_a_split_that_makes_no_sense_is_refused(arguments, says):
    with pytest.raises(engine.InputError, match=says):
        engine.Split("age", **arguments)


def test_numbers_of_numpy_are_numbers():
    literals = (engine.Literal("a", "<=", np.float32(0.5)), engine.Literal("a", ">", np.int64(3)))
    assert engine.Split("a", "m_of_n", m=np.int64(1), literals=literals).n_branches == 2
    with pytest.raises(engine.InputError, match="needs a number"):
        engine.Split("a", "m_of_n", m=1, literals=(engine.Literal("a", "<=", True),))
