"""Numbers that are read at one go are those that the look at every level gives; large tables, in blocks of any size."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.readers import MISSING, ReadOptions, read_table, text, types
from engine.readers.tables import read_text
from engine.runtime.errors import InputError
from tests.effort import crossed, examples
from tests.engine.readers.writing import written
from tests.read_frames import read_frame, to_frame


def read(data: bytes, options: ReadOptions, quickly: bool, looked_at: int, block: int):
    """Frame, kinds, notes, and the table with its roles, or the sentence of a refusal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(types, "FIRST", looked_at)
        patch.setattr(text, "BLOCK", block)
        if not quickly:
            patch.setattr(types, "plain_column_of_numbers", lambda *_: None)
        try:
            frame, kinds, notes = to_frame(text.read_text_table(data, options, "The text"))
            table = read_text(data.decode(), options) if len(kinds) > 1 and len(frame) else None
        except InputError as error:
            return str(error)
        return frame, kinds, notes, table


def assert_same(data: str, options: ReadOptions | None = None, looked_at: int = 3, block: int = 100) -> None:
    """Both ways end the same: dtypes, kinds, values, missing values, levels, roles and sentences."""
    options = options or ReadOptions()
    careful = read(data.encode(), options, False, looked_at, block)
    quickly = read(data.encode(), options, True, looked_at, block)
    if isinstance(careful, str):
        assert quickly == careful
        return
    pd.testing.assert_frame_equal(quickly[0], careful[0], check_exact=True)
    assert quickly[1:3] == careful[1:3]
    if careful[3] is None:
        return
    assert quickly[3].notes == careful[3].notes and quickly[3].roles == careful[3].roles
    for one, other in zip(quickly[3].columns, careful[3].columns, strict=True):
        assert (one.name, one.kind, one.declared) == (other.name, other.kind, other.declared)
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.codes, other.codes)


USUAL = {
    "float": st.floats(-1e6, 1e6).map(repr),
    "integer": st.integers(-999, 10**9).map(str),
    "word": st.sampled_from(["red", "green", " blue", "blue", "light blue", "Ärger"]),
    "date": st.dates().map(str),
    "moment": st.datetimes().map(lambda moment: moment.isoformat(" ")),
    "truth": st.sampled_from(["true", "FALSE", "True"]),
    "german": st.dates().map(lambda day: day.strftime("%d.%m.%Y")),
    "code": st.integers(0, 99).map(lambda number: f"{number:05}"),
}
ODD = [
    "", "NA", "na", "nan", " nan", "NaN", "-nan", "null", "None", "nOne", "?", "-", ".", "k.A.", "007", "-01",
    " 05", "0x1f", "0X1F", "+1.5", "+07", "1e400", "-1e400", "inf", "-Infinity", "∞", "−4", "9007199254740993",
    "1234567890123456789", "12345678901234567890", "9" * 400, "1e18", "1.", ".5", "5 ", "\t5", "\u00a05", "12%",
    "1,234.5", "1 000", "1_0", "12:30", "2020-01-31", "2020-01-31 10:30", "true", "1e5", "-0", "0", "00", "0.0",
    '5"', '"', "a\nb", "a,b", "x;y", "\x1f", "5\r\n6",
]  # fmt: skip


@st.composite
def texts(draw) -> str:
    """Tables most of whose columns are clean, with odd cells anywhere."""
    n_rows = draw(st.integers(1, 25))
    columns = [
        draw(st.lists(USUAL[kind], min_size=n_rows, max_size=n_rows))
        for kind in draw(st.lists(st.sampled_from(list(USUAL)), min_size=1, max_size=4))
    ]
    for _ in range(draw(st.integers(0, 3))):
        draw(st.sampled_from(columns))[draw(st.integers(0, n_rows - 1))] = draw(st.sampled_from(ODD))
    delimiter = draw(st.sampled_from([",", ";", "\t"]))
    quote = draw(st.booleans())

    def cell(value: str) -> str:
        needed = any(mark in value for mark in (delimiter, '"', "\n", "\r"))
        return '"' + value.replace('"', '""') + '"' if needed or (quote and value[:1].isalpha()) else value

    rows = [[f"c{i}" for i in range(len(columns))], *zip(*columns, strict=True)]
    lines = [delimiter.join(map(cell, row)) for row in rows]
    if draw(st.integers(0, 9)) == 0:
        lines.insert(draw(st.integers(1, len(lines))), draw(st.sampled_from(["", "  ", delimiter, "1"])))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines) + "\n"


@examples(400)
@given(
    data=texts(),
    options=st.builds(
        ReadOptions,
        decimal=st.sampled_from([None, ".", ","]),
        missing=st.sampled_from([MISSING, (), ("1", "none", "k.A.")]),
        kinds=st.dictionaries(
            st.sampled_from(["c0", "c1", "c2"]),
            st.sampled_from(["number", "integer", "date", "boolean", "nominal", "ordered"]),
            max_size=2,
        ),
    ),
    looked_at=st.sampled_from([0, 1, 3, 10_000]),
    block=st.sampled_from([40, 100, 10_000]),
)
@example("c0\n?\n1\n", ReadOptions(), 0, 100)
@example("c0,c1\n5,1\n7,2.5\n", ReadOptions(missing=("1", "-7")), 0, 100)
def test_both_ways_read_the_same_table(data, options, looked_at, block):
    assert_same(data, options, looked_at, block)


def test_numbers_are_read_without_a_look_at_their_levels(monkeypatch):
    def never(*_):
        pytest.fail("looked at the levels")

    rows = "".join(f"{i}.25;{i};{'' if i % 5 else i}; {i};{i if i % 2 else 'NA'}\n" for i in range(3000))
    monkeypatch.setattr(types, "_coded", never)
    for data in (rows, rows.replace(".", ",")):
        _, kinds, _ = to_frame(text.read_text_table(f"a;b;c;d;e\n{data}".encode(), ReadOptions(), "The text"))
        assert list(kinds.values()) == ["number", *["integer"] * 4]


@pytest.mark.parametrize(
    ("cell", "usual"),
    crossed([*ODD, '"a\nb"', '"1\n2"', '" 5"', '"007"', '"0.5"'], ["1.5", "7", "word", "2020-01-31"]),
)
def test_a_column_that_turns_odd_late(cell, usual):
    cell = '"' + cell.replace('"', '""') + '"' if cell[:1] != '"' and any(mark in cell for mark in '",\n') else cell
    rows = [f"{usual},{i % 7},{i}.5" for i in range(300)]
    assert_same("\n".join(["a,b,c", *rows, f"{cell},3,4.5", f"{usual},5,6"]) + "\n", block=500)


def test_a_text_in_row_900_000_of_a_column_of_numbers(tmp_path):
    rows = ["1.5,x\n"] * 900_000 + ["k.A.,x\n"] + ["2.5,y\n"] * 1000
    frame, kinds, _ = read_frame(written(tmp_path, "a,b\n" + "".join(rows)))
    assert kinds["a"] == "nominal" and frame["a"].iloc[900_000] == "k.A." and len(frame) == 901_001
    path = written(tmp_path, "a,b\n" + "".join(rows).replace("k.A.", "007"))
    assert read_table(path).column("a").levels == ("007", "1.5", "2.5")


def test_a_line_end_in_a_cell_between_two_blocks():
    rows = "".join(f'{i},"line {i % 5}\nand more of it",{i}.5\n' for i in range(400))
    assert_same("a,b,c\n" + rows, block=128)


def test_rows_that_do_not_fit_are_mended_first():
    rows = ["1,x,2.5"] * 100 + ["2"] + ["3,y,4.5,,"] * 3
    assert_same("a,b,c\n" + "\n".join(rows) + "\n", block=200)
    assert_same("a,b,c\n" + "\n".join([*rows, "1,2,3,4"]) + "\n", block=200)


def test_a_row_of_missing_numbers_is_kept_and_an_empty_one_is_not():
    for odd in ("NA,,", ",,", "NA,NA,NA", "?,,"):
        assert_same("a,b,c\n" + "1.5,2,x\n" * 100 + odd + "\n" + "2.5,3,y\n" * 9)


def test_all_digits_are_read(tmp_path):
    values = np.random.default_rng(1).normal(size=60_000) * 10.0 ** np.arange(-9, 11).repeat(3000)
    path = written(tmp_path, "a,b\n" + "".join(f"{value!r},x\n" for value in values.tolist()))
    np.testing.assert_array_equal(read_table(path).column("a").numbers, values)


FILES = {
    "plain": b"a,b,c\n" + b"1.5,2,x\n" * 9000,
    "marked": b"\xef\xbb\xbfa,b,c\r\n" + b"1.5,2,\xc3\xa4\r\n" * 9000,
    "padded": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b"1,007,y\n",
    "odd late": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b"1,12:30,y\n",
    "latin late": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b"1,3,\xe4\n",
    "binary late": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b"1,3,\0\n",
    "half a character at the end": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b"1,3,\xc3",
    "a quotation mark in the header": b'a,b",c\n' + b"1.5,2,x\n" * 9000,
    "two quotation marks": b'a,b",c\n' + b"1.5,2,x\n" * 9000 + b'1,2,"x\n',
    "never closed": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b'1,2,"x\n',
    "a short row": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b"1,2\n",
    "an empty row": b"a,b,c\n" + b"1.5,2,x\n" * 9000 + b",,\n1,2,y\n",
    "spaces": b"a b c\n" + b"1.5 2 x\n" * 9000,
    "preamble": b"made today\n\na,b,c\n" + b"1.5,2,x\n" * 9000,
    "two bytes each": ("a,b,c\n" + "1.5,2,x\n" * 9000).encode("utf-16"),
    "a picture": b"\x89PNG" + b"1.5,2,x\n" * 9000,
    "nothing": b" \n" * 30_000,
}


@pytest.mark.parametrize("encoding", [None, "utf-8", "cp1252", "no such thing"])
@pytest.mark.parametrize("data", FILES.values(), ids=list(FILES))
def test_a_large_file_reads_as_in_one_block(tmp_path, monkeypatch, data, encoding):
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    options = ReadOptions(encoding=encoding)

    def outcome():
        try:
            return read_frame(path, options)
        except InputError as error:
            return str(error)

    whole = outcome()
    monkeypatch.setattr(text, "SAMPLE_BYTES", 1000)
    monkeypatch.setattr(text, "BLOCK", 1000)
    in_blocks = outcome()
    if isinstance(whole, str):
        assert in_blocks == whole
    else:
        pd.testing.assert_frame_equal(in_blocks[0], whole[0], check_exact=True)
        assert in_blocks[1:] == whole[1:]
