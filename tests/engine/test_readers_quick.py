"""The quick way through a large table of text ends in the table that the careful way reads."""

import io
from threading import Thread

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.readers import MISSING, ReadOptions, body, quick, read_frame, read_table, text
from engine.readers.body import BEHIND, Body
from engine.readers.files import file_bytes
from engine.readers.frames import to_frame
from engine.readers.tables import read_text
from engine.runtime.errors import InputError
from tests.effort import crossed, examples
from tests.engine.test_readers import written

CAREFUL = 2**40  # bytes that no table has


def read(data: bytes, options: ReadOptions, quick_from: int, looked_at: int, block: int):
    """Frame, kinds, notes, and the table with its roles, or the sentence of a refusal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "QUICK_FROM", quick_from)
        patch.setattr(quick, "LOOKED_AT", looked_at)
        patch.setattr(body, "BLOCK", block)
        try:
            frame, kinds, notes = to_frame(text.read_text_table(data, options, "The text"))
            table = read_text(data.decode(), options) if len(kinds) > 1 and len(frame) else None
        except InputError as error:
            return str(error)
        return frame, kinds, notes, table


def assert_same(data: str, options: ReadOptions | None = None, looked_at: int = 64, block: int = 100) -> None:
    """Both ways end the same: dtypes, kinds, values, missing values, levels, roles and sentences."""
    options = options or ReadOptions()
    careful = read(data.encode(), options, CAREFUL, looked_at, block)
    quickly = read(data.encode(), options, -1, looked_at, block)
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


def quick_types(data: str, options: ReadOptions | None = None) -> list[str]:
    """What the quick way keeps each column as."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "QUICK_FROM", -1)
        raw = text.read_text_table(data.encode(), options or ReadOptions(), "The text")
    return ["levels" if pa.types.is_dictionary(cells.type) else str(cells.type) for cells in raw.columns]


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
    looked_at=st.sampled_from([0, 20, 64, 10_000]),
    block=st.sampled_from([40, 100, 10_000]),
)
@example("c0\n?\n1\n", ReadOptions(), 0, 100)
@example("c0,c1\n5,1\n7,2.5\n", ReadOptions(missing=("1", "-7")), 0, 100)
def test_both_ways_read_the_same_table(data, options, looked_at, block):
    assert_same(data, options, looked_at, block)


def test_numbers_are_not_kept_as_texts():
    rows = "".join(f"{i}.25;{i};w{i % 3};{'' if i % 5 else i}\n" for i in range(300))
    assert quick_types("a;b;c;d\n" + rows) == ["double", "int64", "levels", "double"]
    assert quick_types(("a;b;c;d\n" + rows).replace(".", ",")) == ["double", "int64", "levels", "double"]


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
    assert quick_types("a,b,c\n" + rows) == ["int64", "levels", "double"]


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
    assert path.stat().st_size > text.QUICK_FROM
    np.testing.assert_array_equal(read_table(path).column("a").numbers, values)


def taken(data: bytes, size: int) -> tuple[list[bytes], bool, bool]:
    """The blocks of a text that is read `size` bytes at a time, whether all are plain, and the parity of the marks."""
    parts, plain, odd, n_lines = [], True, False, 0
    with pytest.MonkeyPatch.context() as patch, Body.of_bytes(b"?" + data, 1).blocks() as blocks:
        patch.setattr(body, "BLOCK", size)
        room = blocks.room()
        while (block := blocks.take(room)) is not None:
            part = block.text[: block.size].tobytes()
            assert block.number == len(parts) and block.first == n_lines and block.n_lines == part.count(b"\n") > 0
            assert block.text[block.size :].tobytes() == b"\n" * BEHIND
            n_lines += block.n_lines
            is_plain, is_odd = block.look()
            parts.append(part)
            plain, odd = plain and is_plain, odd != is_odd
    return parts, plain, odd


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@given(
    data=st.lists(
        st.one_of(
            st.sampled_from([b"\r\n", b"\n", b"\r", b'"', b"\0", b",", b"0", b"1.5", b"a", b"\xff"]),
            st.text(max_size=3).map(lambda text: text.encode(errors="replace")),
            st.binary(max_size=2),
            st.integers(1, 300).map(lambda n: b"x\n" * n),
        ),
        max_size=12,
    ).map(b"".join),
    size=st.integers(1, 700),
)
def test_what_is_seen_of_a_text_in_blocks(data, size):
    parts, plain, odd = taken(data, size)
    end = b"" if data.endswith(b"\n") or not data else b"\n"
    assert b"".join(parts) == data + end and all(part.endswith(b"\n") for part in parts)
    assert plain == (b"\0" not in data and is_utf8(data))
    assert odd == data.count(b'"') % 2


def test_a_block_ends_with_a_line_though_another_thread_gives_up():
    """The kernel has room for as many rows as there are line feeds: half a row more would be written behind it."""

    class Slow(io.BytesIO):
        def readinto(self, room):
            n = super().readinto(room)
            stopping = Thread(target=blocks.stop)
            stopping.start()
            stopping.join(0.1)  # one that waits for the block stops afterwards
            threads.append(stopping)
            return n

    threads = []
    with pytest.MonkeyPatch.context() as patch, Body(lambda: Slow(b"1,2\n" * 50), 0).blocks() as blocks:
        patch.setattr(body, "BLOCK", 10)
        block = blocks.take(blocks.room())
        assert block.text[: block.size].tobytes() == b"1,2\n" * 2 and block.n_lines == 2
        for stopping in threads:
            stopping.join()
        assert blocks.take(blocks.room()) is None


def test_blocks_end_outside_of_quotation_marks():
    data = b'1,"a\nb"\n' * 50
    parts, _, _ = taken(data, 20)
    assert len(parts) > 20 and all(part.count(b'"') % 2 == 0 for part in parts)
    parts, _, _ = taken(b'1,5"\n' + b"1,6\n" * 100, 40)
    assert max(map(len, parts)) < 60, "a mark that stands alone does not keep the rest of the text in one block"


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
def test_a_file_reads_as_its_bytes_do(tmp_path, monkeypatch, data, encoding):
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    monkeypatch.setattr(text, "SAMPLE_BYTES", 1000)
    monkeypatch.setattr(text, "QUICK_FROM", 1000)
    options = ReadOptions(encoding=encoding)

    def outcome(read_it):
        try:
            return to_frame(read_it())
        except InputError as error:
            return str(error)

    of_bytes = outcome(lambda: text.read_text_table(data, options, path.name))
    of_file = outcome(lambda: text.read_text_file(path, options))
    if isinstance(of_bytes, str):
        assert of_file == of_bytes
    else:
        pd.testing.assert_frame_equal(of_file[0], of_bytes[0], check_exact=True)
        assert of_file[1:] == of_bytes[1:]


def test_a_large_file_is_read_without_its_whole_text_in_memory(tmp_path, monkeypatch):
    path = written(tmp_path, "a,b\n" + "1.5,x\n2.5,ä\n" * 200_000)
    limits = []
    monkeypatch.setattr(text, "file_bytes", lambda path, limit=-1: limits.append(limit) or file_bytes(path, limit))
    assert len(read_frame(path)[0]) == 400_000 and -1 not in limits


def test_a_file_that_is_shortened_while_it_is_read_ends_there(tmp_path, monkeypatch):
    monkeypatch.setattr(body, "BLOCK", 100)
    path = tmp_path / "table.csv"
    path.write_bytes(b"1,2\n" * 1000)
    with Body.of_file(path, 0).blocks() as blocks:
        room = blocks.room()
        assert blocks.take(room).n_lines == 25
        path.write_bytes(b"1,2\n" * 30)
        assert blocks.take(room).n_lines == 5 and blocks.take(room) is None
