"""The readers on tables and bytes that nobody thought of."""

import random
import string

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from engine.readers import MISSING, ReadOptions, inspect, inspect_text, read_source, read_table, read_text
from engine.runtime.errors import InputError
from tests.effort import examples
from tests.engine.readers.writing import written
from tests.read_frames import read_frame

in_a_folder = examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])

marks = "äöüß,;'\"|\n\t #%&/"
words = st.text(string.ascii_letters + marks, min_size=1, max_size=12).map(lambda text: f"w{text}w")


@st.composite
def frames(draw) -> pd.DataFrame:
    """Frames of numbers, integers, dates, truths and texts, some values missing."""
    n_rows = draw(st.integers(3, 12))
    columns = {}
    kinds = draw(st.lists(st.sampled_from("nidbw"), min_size=2, max_size=5))
    for i, kind in enumerate(kinds):
        if kind == "n":
            values = draw(st.lists(st.floats(-1e6, 1e6).map(lambda v: v + 0.5), min_size=n_rows, max_size=n_rows))
            values = pd.Series(values, dtype=float).mask(np.array(draw(_holes(n_rows))))
        elif kind == "i":
            values = pd.Series(draw(st.lists(st.integers(-(10**15), 10**15), min_size=n_rows, max_size=n_rows)))
        elif kind == "d":
            days = draw(st.lists(st.integers(0, 30_000), min_size=n_rows, max_size=n_rows))
            values = pd.Series(pd.to_datetime(days, unit="D").astype("datetime64[us]"))
        elif kind == "b":
            values = pd.Series(draw(st.lists(st.booleans(), min_size=n_rows, max_size=n_rows)))
        else:
            values = pd.Series(draw(st.lists(words, min_size=n_rows, max_size=n_rows)), dtype="str")
            values = values.mask(np.array(draw(_holes(n_rows))))
        columns[f"{kind}{i}"] = values
    frame = pd.DataFrame(columns)
    return frame[~frame.isna().all(axis=1)].reset_index(drop=True)


def _holes(n_rows: int):
    return st.lists(st.sampled_from([False, False, False, True]), min_size=n_rows, max_size=n_rows)


@in_a_folder
@given(
    frame=frames(),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    decimal=st.sampled_from([".", ","]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    missing=st.sampled_from(["", "NA", "nan", "NULL"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_pandas_writes_is_read_back(tmp_path, frame, delimiter, decimal, encoding, missing, end):
    path = tmp_path / "written.csv"
    frame.to_csv(
        path, sep=delimiter, decimal=decimal, encoding=encoding, na_rep=missing, index=False, lineterminator=end
    )
    known = ReadOptions(delimiter=delimiter, decimal=decimal, header=True)
    read, kinds, _ = read_frame(path, known)
    assert list(read) == list(frame)
    for name in frame:
        if frame[name].isna().all():
            assert read[name].isna().all()
        elif name[0] in "ni":
            np.testing.assert_array_equal(read[name].to_numpy(dtype=float), frame[name].to_numpy(dtype=float))
        else:
            assert kinds[name] == {"d": "date", "b": "boolean", "w": "nominal"}[name[0]]
            expected = frame[name] if name[0] != "w" else frame[name].str.replace("\r\n", "\n")
            assert read[name].isna().tolist() == expected.isna().tolist()
            assert read[name].dropna().tolist() == expected.dropna().tolist()
    shown = inspect(path, known)
    assert shown.kinds == kinds and shown.n_rows == len(frame)


@in_a_folder
@given(
    n_columns=st.integers(2, 6),
    delimiter=st.sampled_from([",", ";", "\t", "|", " "]),
    decimal=st.sampled_from([".", ","]),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_layout_of_a_table_of_numbers_and_words_is_found(tmp_path, n_columns, delimiter, decimal, seed):
    draw = random.Random(seed)
    rows = [
        [f"{draw.uniform(-50, 50):.4f}".replace(".", decimal)]
        + [draw.choice(["red", "green", "blue"]) if i % 2 else str(draw.randrange(100)) for i in range(n_columns - 1)]
        for _ in range(10)
    ]
    quoted = [[f'"{cell}"' if delimiter in cell else cell for cell in row] for row in rows]
    header = [f"name{i}" for i in range(n_columns)]
    path = written(tmp_path, "\n".join(delimiter.join(row) for row in [header, *quoted]))
    options = inspect(path).options
    assert (options.delimiter, options.decimal, options.header) == (delimiter, decimal, True)
    assert [list(row) for row in inspect(path).head] == rows


@in_a_folder
@given(data=st.binary(max_size=300))
@example(b"\x80\x04.")
@example(b'a,b\n"')
@example(b"\xff\xfe\x00\xd8")
@example(b"\xef\xbb\xbf,\n,")
@example(b"sep=,\n")
@example(b" \x0b\x0c")
@example(b"a b\n\x0b 1")
@example(b'"",""\n"",""')
@example(b"\r\r\r1\r,")
def test_random_bytes_give_a_frame_or_a_sentence(tmp_path, data):
    for suffix in (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".parquet", ".feather"):
        path = written(tmp_path, data, "random" + suffix)
        for call in (inspect, read_frame, read_table):
            try:
                call(path)
            except InputError as error:
                assert str(error).endswith(".")


TOKENS = ["", "NA", "?", "-", ".", "None", "%", "+", "é", "\u2028", "\x1f", "true", "False"]
NUMBERS = ["1", "0", "1.5", "1,5", "-3e5", "007", "12%", "1 000", "1.000,5", "inf", "nan", "−4", "∞", "0x1f", "1e999"]
DATES = ["2020-01-01", "1.2.2020", "3/4/2020", "5 Jan 2020", "2020-99-99", "99.99.9999", "10000-01-01", "0001-01-01"]
MARKS = ['"', '""', '"a', "a\n", "\r", "9" * 25]
cells = st.one_of(st.sampled_from([*TOKENS, *NUMBERS, *DATES, *MARKS]), st.text(max_size=4))


@examples(250)
@given(
    rows=st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=6),
    delimiter=st.sampled_from([",", ";", "\t", "|", " "]),
    options=st.builds(
        ReadOptions,
        delimiter=st.sampled_from([None, ",", ";", " "]),
        decimal=st.sampled_from([None, ".", ","]),
        header=st.sampled_from([None, True, False]),
        missing=st.sampled_from([MISSING, (), ("1", "none")]),
        kinds=st.dictionaries(
            st.sampled_from(["a", "column 1", "column 2", "1"]),
            st.sampled_from(["number", "integer", "date", "boolean", "nominal", "ordered"]),
        ),
    ),
)
def test_any_small_text_gives_a_table_or_a_sentence(rows, delimiter, options):
    text = "\n".join(delimiter.join(row) for row in rows)
    try:
        preview = inspect_text(text, options)
    except InputError as error:
        assert str(error).endswith(".")
        return
    assert len(set(preview.names)) == len(preview.names)
    assert all(len(row) == len(preview.names) for row in preview.head)
    assert set(preview.kinds) == set(preview.names)
    try:
        table = read_text(text, options)
    except InputError as error:
        assert str(error).endswith(".")
        return
    assert table.names == list(preview.names)
    assert all(preview.kinds[column.name] == column.kind for column in table.columns)
    assert read_source(table.source).names == table.names
