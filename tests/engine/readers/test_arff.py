"""ARFF files against scipy's reader, which knows dense ones without quotes in levels, and against the format's page."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import arff

import engine
from tests.effort import examples

WHOLE = r"""@relation 'a b'
@attribute 'light \'rain\'' {'never, ever', "a \"b\"", plain}
@ATTRIBUTE size NUMERIC % a comment
@attribute day date "yyyy-MM-dd HH:mm"
@attribute said string

@DATA
'never, ever', 1.5, "2024-02-29 13:45", 'it''s'
% nothing
plain , ? , ?, '?'
"a \"b\"",-1e3,	'2024-03-01 00:00',x, {2.5}
{1 7, 3 'so so'}
"""


def read(tmp_path, text, **how):
    path = tmp_path / "table.arff"
    path.write_text(text, encoding="utf-8")
    return engine.read_table(path, **how)


def cells(table, name):
    column = table.column(name)
    return [None if code == 0 else column.values[code - 1] for code in column.codes.tolist()]


def test_what_a_file_declares_is_kept(tmp_path):
    text = WHOLE.replace("'it''s'", r"'it\'s'")
    table = read(tmp_path, text)
    assert [column.name for column in table.columns] == ["light 'rain'", "size", "day", "said", "weight"]
    assert [column.kind for column in table.columns] == ["nominal", "number", "date", "nominal", "number"]
    assert table.column("light 'rain'").levels == ("never, ever", 'a "b"', "plain")
    assert cells(table, "light 'rain'") == ["never, ever", "plain", 'a "b"', "never, ever"]
    assert cells(table, "size") == [1.5, None, -1000.0, 7.0]
    assert cells(table, "said") == ["it's", "?", "x", "so so"]
    stamps = [pd.Timestamp("2024-02-29 13:45").timestamp(), None, pd.Timestamp("2024-03-01").timestamp(), None]
    assert cells(table, "day") == stamps
    assert cells(table, "weight") == [1.0, 1.0, 2.5, 1.0]
    assert any("carry weights" in note and "“weight”" in note for note in table.notes)


def test_levels_without_rows_are_declared_and_a_sparse_row_has_the_first_one(tmp_path):
    head = "@relation r\n@attribute a {x, y, z}\n@attribute b numeric\n@attribute c {no, yes}\n@data\n"
    table = read(tmp_path, head + "{}\n{0 y, 1 3}\n{2 yes, 0 ?}\n")
    assert table.column("a").levels == ("x", "y", "z")
    assert cells(table, "a") == ["x", "y", None]
    assert cells(table, "b") == [0.0, 3.0, 0.0]
    assert cells(table, "c") == ["no", "no", "yes"]


@st.composite
def files(draw):
    """Columns of numbers and of levels, with holes."""
    names = draw(st.lists(st.from_regex(r"[A-Za-z][\w.\-]{0,6}", fullmatch=True), min_size=2, max_size=4, unique=True))
    n = draw(st.integers(1, 8))
    lines, columns = ["@relation made"], {}
    for name in names:
        if draw(st.booleans()):
            level = st.from_regex(r"[A-Za-z0-9_]{1,5}", fullmatch=True)
            levels = draw(st.lists(level, min_size=1, max_size=4, unique=True))
            lines.append(f"@attribute {name} {{{', '.join(levels)}}}")
            columns[name] = draw(st.lists(st.sampled_from([*levels, "?"]), min_size=n, max_size=n))
        else:
            lines.append(f"@attribute {name} numeric")
            numbers = st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr)
            columns[name] = draw(st.lists(st.one_of(numbers, st.just("?")), min_size=n, max_size=n))
    rows = [",".join(row) for row in zip(*columns.values(), strict=True)]
    return "\n".join([*lines, "@data", *rows]) + "\n"


@given(text=files())
@examples(200)
def test_dense_files_read_as_scipy_reads_them(tmp_path_factory, text):
    theirs, about = arff.loadarff(io.StringIO(text))
    table = read(tmp_path_factory.mktemp("arff"), text)
    for name, kind in zip(about.names(), about.types(), strict=True):
        found = cells(table, name)
        if kind == "numeric":
            expected = theirs[name]
            assert np.array_equal([np.nan if cell is None else cell for cell in found], expected, equal_nan=True)
        else:
            assert [b"?" if cell is None else cell.encode() for cell in found] == theirs[name].tolist()
            assert table.column(name).levels == about[name][1]


HEAD = "@relation r\n@attribute a {x, y}\n@attribute b numeric\n@attribute d date\n@data\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "x, 1, ?\nz, 2, ?\n", ("line 7", "“z”", "“a”")),
        (HEAD + "x, one, ?\n", ("line 6", "“one”", "“b”")),
        (HEAD + "x, 1_000, ?\n", ("line 6", "“b”")),
        (HEAD + "x, 1\n", ("line 6", "3 columns")),
        (HEAD + "'x, 1, ?\n", ("line 6", "3 columns")),
        (HEAD + "{7 1}\n", ("line 6", "3 columns")),
        (HEAD + "x, 1, yesterday\n", ("line 6", "“yesterday”", "“d”")),
        (HEAD + "x, 1, ?, {much}\n", ("line 6", "“much”")),
        ("@relation r\n@attribute a relational\n@data\n1\n", ("line 2", "“relational”")),
        ("@relation r\n@attribute a\n@data\n1\n", ("line 2", "@attribute")),
        ("@relation r\nwhatever\n@data\n1\n", ("line 2", "“whatever”")),
        ("@relation r\n@data\n1\n", ("no @attribute",)),
        ("@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n", ("no rows",)),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, text, words):
    with pytest.raises(engine.InputError) as error:
        read(tmp_path, text)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_preview_shows_what_is_declared(tmp_path):
    path = tmp_path / "long.arff"
    path.write_text("@relation r\n@attribute n numeric\n@attribute class {a, b}\n@data\n" + "1, a\n2, b\n" * 4_000)
    preview = engine.inspect(path)
    assert (preview.format, preview.kinds, preview.target) == ("arff", {"n": "integer", "class": "nominal"}, "class")
    assert preview.n_rows is None  # not all of it was read


def test_new_rows_of_an_arff_file_are_scored(tmp_path):
    rows = "".join(f"{'x' if i % 3 else 'y'}, {i}\n" for i in range(60))
    table = read(tmp_path, f"@relation r\n@attribute c {{x, y}}\n@attribute n numeric\n@data\n{rows}", target="c")
    tree = engine.grow(table, max_depth=3)
    engine.score(tree, tmp_path / "table.arff", tmp_path / "scored.csv")
    scored = pd.read_csv(tmp_path / "scored.csv")
    assert scored["prediction"].tolist() == tree.predict(table.to_frame()).tolist()
