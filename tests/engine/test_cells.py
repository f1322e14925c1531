"""Cells of a text read by the kernel are those that Python's csv module and `float` read."""

import csv
import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.readers.body import BEHIND
from engine.readers.kernels.cells import (
    FRACTION,
    MISSING,
    NUMBER,
    ODD,
    PRESENT,
    RAGGED,
    SKIPPED,
    TEXT,
    UNCLEAR,
    copy_cells,
    read_rows,
)
from engine.readers.quick import packed, powers_of_ten
from tests.effort import examples


def read(data: str, kinds: list[int], tokens: tuple[str, ...] = (), marks: str = ",. "):
    """Rows or why there are none, numbers by column, texts by column, and facts."""
    content = data.encode()
    text = np.frombuffer(content + b"\n" * BEHIND, np.uint8).copy()
    n_lines, n = content.count(b"\n"), len(kinds)
    numbers, facts = np.full((n, n_lines), -1.0), np.zeros(n, np.uint8)
    begins, ends = np.zeros((2, n, n_lines), np.int32)
    rows = read_rows(
        text, len(content), np.frombuffer(marks.encode(), np.uint8).copy(), np.array(kinds, np.uint8), np.arange(n),
        *packed(list(tokens)), True, powers_of_ten(), numbers, begins, ends, facts,
    )  # fmt: skip
    if rows < 0:
        return rows, None, None, None
    texts = []
    for column in range(n):
        offsets, copied = np.empty(rows + 1, np.int32), np.empty(len(content), np.uint8)
        copy_cells(text, begins[column, :rows], ends[column, :rows], offsets, copied)
        texts.append([copied[a:b].tobytes().decode() for a, b in pairwise(offsets)])
    return rows, numbers[:, :rows], texts, facts


DIGITS = st.text("0123456789", max_size=25)
WRITTEN = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e6, 1e6, width=32).map(lambda value: f"{value:.9g}"),
    st.tuples(st.integers(0, 10**19 - 1), st.integers(-300, 300)).map(lambda parts: f"{parts[0]}e{parts[1]}"),
    st.tuples(st.sampled_from(["", "-"]), DIGITS, DIGITS).map(lambda parts: "{}{}.{}".format(*parts)),
    st.integers(-(10**20), 10**20).map(str),
)


@examples(500)
@given(st.lists(WRITTEN, min_size=1, max_size=20))
@example(["9007199254740993.0", "0.3", "1e23", "8.5e-45", "179769313486231570000.0", "2.2250738585072014e-308"])
@example(["0.000000000000000000012345", "1234567890123456789.5", "4.35", "1e22", "1e-22", "-0.0", "-.5", "5."])
def test_a_number_is_the_nearest_one_or_none_at_all(cells):
    for cell in cells:
        _, numbers, _, facts = read(cell + "\n", [NUMBER])
        if facts[0] & ODD:
            assert np.isnan(numbers[0, 0])
            continue
        assert numbers[0, 0] == float(cell) and np.signbit(numbers[0, 0]) == np.signbit(float(cell))
        assert facts[0] == PRESENT | (FRACTION if set(cell) & set(".e") else 0)


def test_usual_numbers_are_read_at_once():
    """Slow ones would only cost time, so nothing else would notice."""
    random = np.random.default_rng(1)
    values = random.normal(size=20_000) * 10.0 ** random.integers(-200, 200, 20_000)
    _, numbers, _, facts = read("".join(f"{value!r}\n" for value in values.tolist()), [NUMBER])
    assert facts[0] == PRESENT | FRACTION
    np.testing.assert_array_equal(numbers[0], values)


@pytest.mark.parametrize(
    "cell",
    ["007", "-01", "+1", "1234567890.123456789", "1e", "1e+", ".", "-", "1.2.3", "0x1", "1 2", "1_0", "9" * 19, "x"],
)
def test_what_is_no_plain_number_is_odd(cell):
    for written in (cell, f'"{cell}"', f" {cell} "):
        rows, numbers, _, facts = read(f"1,{written}\n2,3\n", [SKIPPED, NUMBER])
        assert rows == 2 and facts.tolist() == [0, ODD | PRESENT]
        assert np.isnan(numbers[1, 0]) and numbers[1, 1] == 3


@pytest.mark.parametrize("cell", ["", " ", '""', '" "', "NA", " NA ", '"NA"', "-9", "nothing"])
def test_missing_values_are_nothing_or_a_token(cell):
    _, numbers, _, facts = read(f"{cell},1\n-9.0,2\n", [NUMBER, NUMBER], ("NA", "-9", "nothing"))
    assert facts[0] == MISSING | PRESENT | FRACTION and np.isnan(numbers[0, 0]) and numbers[0, 1] == -9


def test_other_marks():
    _, numbers, _, facts = read("1,5;-2\n 3 ;1.5\n", [NUMBER, NUMBER], marks=";, ")
    assert numbers[0].tolist() == [1.5, 3] and numbers[1, 0] == -2 and facts.tolist() == [10, ODD | PRESENT]
    assert read("1.5 2\n3  4\n", [NUMBER, NUMBER], marks=" .\0")[0] == RAGGED


@given(
    rows=st.lists(
        st.lists(st.text('ab1,"\n\r ä', max_size=4), min_size=2, max_size=2).filter(any), min_size=1, max_size=8
    ),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_cells_of_text_are_those_that_were_written(rows, end):
    written = io.StringIO(newline="")
    lone = any("\r" in cell for row in rows for cell in row)  # which the module writes without marks
    csv.writer(written, lineterminator=end, quoting=csv.QUOTE_ALL if lone else csv.QUOTE_MINIMAL).writerows(rows)
    n, _, texts, _ = read(written.getvalue() + "\n" + end, [TEXT, TEXT])
    assert n == len(rows)
    assert [list(row) for row in zip(*texts, strict=True)] == rows


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("1\n", RAGGED), ("1,2,3\n", RAGGED), (" \n", RAGGED), ('1,"2\n', UNCLEAR), ('"1\n', RAGGED),
        ("1,2\r3,4\n", UNCLEAR), ('1,"2"x\n', UNCLEAR), ('1,"a""\n', UNCLEAR),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", [NUMBER, TEXT, SKIPPED])
def test_rows_that_are_not_clear_are_left_to_others(data, why, kind):
    assert read("5,6\n" + data, [kind, kind])[0] in {why, RAGGED}
