"""The readers as a person meets them: files in, tables or one clear sentence out."""

import json
import os
import pickle
import re
import threading
from pathlib import Path

import pandas as pd
import pytest

from engine.readers import (
    ReadOptions,
    inspect,
    inspect_text,
    list_examples,
    read_example,
    read_source,
    read_table,
    read_text,
)
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from tests.engine.readers.writing import written
from tests.read_frames import read_frame


def refusal(call, *args, **kwargs) -> str:
    """The sentence with which a call refuses its input: one sentence, however many lines the input has."""
    with pytest.raises(InputError) as caught:
        call(*args, **kwargs)
    sentence = str(caught.value)
    assert sentence.endswith(".") and "\n" not in sentence and "Traceback" not in sentence
    return sentence


# -- what a file was written with is found out


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_are_found(tmp_path, delimiter, end):
    lines = ["age;job;paid", "31;clerk;1.5", "42;cook;2.5", "25;clerk;0.5"]
    path = written(tmp_path, end.join(lines).replace(";", delimiter))
    preview = inspect(path)
    assert preview.options.delimiter == delimiter
    assert preview.names == ("age", "job", "paid")
    assert preview.kinds == {"age": "integer", "job": "nominal", "paid": "number"}
    assert preview.n_rows == 3
    frame, kinds, notes = read_frame(path)
    assert kinds == preview.kinds and notes == ()
    assert frame.to_dict("list") == {"age": [31, 42, 25], "job": ["clerk", "cook", "clerk"], "paid": [1.5, 2.5, 0.5]}


@pytest.mark.parametrize(
    ("content", "delimiter", "decimal", "header"),
    [
        ("1,5;2,5\n2,25;3,0\n", ";", ",", False),
        ("a;b\n1,5;2\n0,25;3\n", ";", ",", True),
        ("a;b\n1.234,5;x\n17,25;y\n", ";", ",", True),
        ("a;b\n1.5;Meier, Anna\n2.5;Kurz, Eva\n", ";", ".", True),
        ('a,b\n"1,5",x\n"2,25",y\n', ",", ",", True),
        ("a,b\n1.5,x;y\n2.5,z;w\n", ",", ".", True),
        ('a,b\n"1,234",x\n"2,500",y\n', ",", ".", True),
        ("sep=|\na|b\n1|2\n", "|", ".", True),
        ("\n\n  \na,b\n1,2\n", ",", ".", True),
        ("a\tb\n1,5\t2\n", "\t", ",", True),
        ("a   b\n1   22\n333 4\n", " ", ".", True),
    ],
)
def test_delimiter_decimal_and_header_are_found_together(tmp_path, content, delimiter, decimal, header):
    path = written(tmp_path, content)
    options = inspect(path).options
    assert (options.delimiter, options.decimal, options.header) == (delimiter, decimal, header)
    frame, _, _ = read_frame(path)
    assert frame.shape == (len(inspect(path).head), 2)


@pytest.mark.parametrize(
    ("content", "header"),
    [
        ("a,b\n1,2\n3,4\n", True),
        ("1,2\n3,4\n", False),
        ("x,1\ny,2\nx,3\n", False),
        ("name,1850,1860\nx,1.5,2\ny,3,4\n", True),
        ("name,2019,2020\nx,1.5,2\ny,3,4\n", True),
        ("outlook,play\nsunny,no\nrainy,yes\n", True),
        ("sunny,no\nrainy,yes\nsunny,yes\n", False),
        ("when,done\n2020-01-01,true\n2020-01-02,false\n", True),
        (",a\n1,x\n2,y\n", True),
        ("a,b\n", True),
    ],
)
def test_headers_are_told_from_values(content, header):
    assert inspect_text(content).options.header is header


@pytest.mark.parametrize(
    ("codec", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-16-be", "utf-16"),
        ("cp1252", "cp1252"),
        ("latin-1", "cp1252"),
    ],
)
def test_encodings_are_found(tmp_path, codec, found):
    text = "größe,straße\n1,Weg\n2,Café\n"
    mark = b"\xfe\xff" if codec == "utf-16-be" else b""
    path = written(tmp_path, mark + text.encode(codec))
    assert inspect(path).options.encoding == found
    frame, _, _ = read_frame(path)
    assert list(frame) == ["größe", "straße"]
    assert list(frame["straße"]) == ["Weg", "Café"]


def test_bytes_that_windows_does_not_know_are_latin_1(tmp_path):
    frame, _, _ = read_frame(written(tmp_path, b"a,b\nx\x81y,1\nz,2\n"))
    assert list(frame["a"]) == ["x\x81y", "z"]


def test_a_late_foreign_byte_changes_the_encoding_and_is_announced(tmp_path):
    path = written(tmp_path, b"a,b\n" + b"x,1\n" * 400_000 + "é,2\n".encode("latin-1"))
    preview = inspect(path)
    assert preview.options.encoding == "utf-8" and preview.n_rows is None
    frame, _, notes = read_frame(path, preview.options)
    assert frame["a"].iloc[-1] == "é" and len(frame) == 400_001
    assert any("Windows-1252" in note for note in notes)


def test_a_character_cut_in_two_by_the_sample_is_no_foreign_byte(tmp_path):
    row = "ä" * 15 + ",1\n"  # 33 bytes: the first MiB ends inside a character for some shift
    for shift in range(3):
        path = written(tmp_path, ("a" * (1 + shift) + ",b\n" + row * 35_000).encode())
        assert inspect(path).options.encoding == "utf-8"


def test_each_guess_can_be_corrected(tmp_path):
    path = written(tmp_path, "1;2\n3;x\n")
    assert inspect(path, ReadOptions(header=True)).names == ("1", "2")
    assert inspect(path, ReadOptions(delimiter=",")).names == ("1;2",)
    chosen = inspect(path, ReadOptions(names=("p", "q"), kinds={"p": "nominal"}, missing=("x",)))
    assert chosen.names == ("p", "q")
    assert chosen.kinds == {"p": "nominal", "q": "integer"}
    frame, kinds, _ = read_frame(path, chosen.options)
    assert kinds == chosen.kinds and frame["q"].isna().sum() == 1


def test_what_was_corrected_stays_in_the_options(tmp_path):
    path = written(tmp_path, "größe;b\n1,5;x\n2,5;y\n".encode("cp1252"))
    options = inspect(path).options
    assert ReadOptions.from_dict(json.loads(json.dumps(options.to_dict()))) == options
    assert None not in (options.delimiter, options.decimal, options.encoding, options.header)


@pytest.mark.parametrize(
    "values",
    [
        {"delimiter": ";;"},
        {"delimiter": "é"},
        {"delimiter": 3},
        {"delimiter": '"'},
        {"decimal": "x"},
        {"header": "perhaps"},
        {"missing": "NA"},
        {"missing": [1]},
        {"kinds": {"a": "colour"}},
        {"kinds": ["a"]},
        {"names": "ab"},
        {"speed": "high"},
    ],
)
def test_options_that_no_file_can_be_read_with_are_refused(values):
    refusal(ReadOptions.from_dict, values)


def test_an_encoding_that_does_not_exist_is_named(tmp_path):
    path = written(tmp_path, "a,b\n1,2\n")
    assert "klingon" in refusal(read_frame, path, ReadOptions(encoding="klingon"))
    for odd in ("rot13", "base64", "zlib", "idna", "unicode_escape", "undefined", ""):
        try:
            inspect(path, ReadOptions(encoding=odd))
        except InputError:
            continue


def test_a_wrong_encoding_is_shown_and_not_refused(tmp_path):
    path = written(tmp_path, "a,b\nä,2\nx,3\n")
    preview = inspect(path, ReadOptions(encoding="ascii"))
    assert any("ascii" in note for note in preview.notes)


# -- what a person may bring that is no table


def test_an_empty_file(tmp_path):
    for content in (b"", b"\n \n", b"\xef\xbb\xbf", b"\xff\xfe"):
        path = written(tmp_path, content)
        for call in (inspect, read_frame):
            assert "table.csv is empty" in refusal(call, path)


def test_a_header_alone_is_shown_but_makes_no_table(tmp_path):
    path = written(tmp_path, "a,b\n")
    preview = inspect(path)
    assert preview.names == ("a", "b") and preview.head == () and preview.n_rows == 0
    assert any("no rows" in note for note in preview.notes)
    assert "no rows" in refusal(read_table, path)


def test_one_column_is_shown_but_makes_no_table(tmp_path):
    path = written(tmp_path, "age\n1\n2\n")
    preview = inspect(path)
    assert preview.names == ("age",) and any("one column" in note for note in preview.notes)
    assert "“age”" in refusal(read_table, path)


def test_double_and_missing_names_are_mended_and_announced(tmp_path):
    path = written(tmp_path, "a,a,,a,a (2)\n1,2,3,4,5\n6,7,8,9,10\n")
    frame, _, notes = read_frame(path)
    assert len(set(frame)) == 5
    assert list(frame)[:3] == ["a", "a (3)", "column 3"]
    assert any("3 columns are called “a”" in note for note in notes)
    assert read_frame(written(tmp_path, "a,a\n1,2\n"))[2] == ("2 columns are called “a”: the second is now “a (2)”.",)


def test_a_few_short_rows_are_filled_and_announced(tmp_path):
    path = written(tmp_path, "a,b,c\n1,x,y\n2,x\n3\n4,p,q\n")
    frame, _, notes = read_frame(path)
    assert frame["a"].tolist() == [1, 2, 3, 4]
    assert frame["b"].isna().tolist() == [False, False, True, False]
    assert any("2 rows" in note and "line 3" in note for note in notes)
    assert any("Row 2" in note for note in inspect(path).notes)


def test_many_short_rows_are_refused(tmp_path):
    path = written(tmp_path, "a,b,c\n" + "1,2,3\n" * 30 + "1,2\n" * 20)
    assert "20 of 50 rows, first in line 32" in refusal(read_frame, path)
    assert inspect(path).n_rows == 50


def test_a_row_with_too_many_cells_is_named_by_its_line(tmp_path):
    path = written(tmp_path, 'a,b\n1,"x\ny"\n\n2,z\n3,p,q\n')
    assert "3 cells in line 6 where the header has 2" in refusal(read_frame, path)
    assert any("Row 3" in note for note in inspect(path).notes)


def test_empty_cells_too_many_are_cut_off(tmp_path):
    for content in ("a,b\n1,x,,\n2,y\n", "a,b,\n1,x,\n2,y,\n", "a,b\n1,x,\n2,y,\n", "a,b,\n1,x\n2,y\n"):
        frame, _, _ = read_frame(written(tmp_path, content))
        assert frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}


def test_row_names_as_r_writes_them_become_a_column(tmp_path):
    path = written(tmp_path, "mpg cyl\nMazda 21 6\nFiat 22.8 4\n", "cars.txt")
    frame, _, _ = read_frame(path)
    assert frame.to_dict("list") == {"row names": ["Mazda", "Fiat"], "mpg": [21, 22.8], "cyl": [6, 4]}
    assert inspect(path).roles == {"row names": "ignore"}


def test_empty_rows_are_left_out_and_announced(tmp_path):
    frame, _, notes = read_frame(written(tmp_path, "a,b\n1,x\n,\n\n  \n2,y\n,\n"))
    assert frame["a"].tolist() == [1, 2]
    assert notes == ("2 empty rows were left out.",)


def test_a_quotation_mark_that_nobody_closes_is_named(tmp_path):
    path = written(tmp_path, 'a,b\n1,x\n2,"y\n3,z\n')
    assert "line 3" in refusal(read_frame, path)
    assert any("line 3" in note for note in inspect(path).notes)


def test_quotes_protect_delimiters_line_ends_and_quotes(tmp_path):
    frame, _, _ = read_frame(written(tmp_path, 'a,b\n1,"x,\ny"\n2,"say ""hi"""\n3,5\'10"\n4, "p, q"\n'))
    assert frame["b"].tolist() == ["x,\ny", 'say "hi"', "5'10\"", "p, q"]


def test_a_cell_longer_than_a_block_is_read(tmp_path):
    long = "x" * 9_000_000
    frame, _, _ = read_frame(written(tmp_path, f"a,b\n1,{long}\n2,y\n"))
    assert frame["b"].str.len().tolist() == [9_000_000, 1]
    assert inspect(tmp_path / "table.csv").names == ("a", "b")


@pytest.mark.parametrize(
    ("start", "word"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG picture"),
        (b"%PDF-1.4\n", "PDF"),
        (b"PK\x03\x04\x14\0", "workbook"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"\x1f\x8b\x08\0", "packed"),
        (pickle.dumps([1, 2]), "pickle"),
        (b"a,b\n1,\0\n", "binary"),
        (bytes(range(1, 30)) * 20, "binary"),
    ],
)
def test_other_files_named_csv_are_recognised(tmp_path, start, word):
    path = written(tmp_path, start, "photo.csv")
    for call in (inspect, read_frame):
        sentence = refusal(call, path)
        assert "photo.csv" in sentence and word in sentence


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("m.pkl", "pickle"),
        ("m.pickle", "pickle"),
        ("t.zip", "unpack"),
        ("t.sqlite", "database"),
        ("t.docx", "docx"),
        ("table", "suffix"),
    ],
)
def test_files_of_other_kinds_are_refused_unread(tmp_path, name, word):
    assert word in refusal(inspect, written(tmp_path, "a,b\n1,2\n", name))


def test_a_pickle_is_never_loaded(tmp_path):
    trap = tmp_path / "trap"

    class Trap:
        def __reduce__(self):
            return (open, (str(trap), "w"))

    for name in ("m.pkl", "m.csv", "m.parquet", "m.xlsx"):
        refusal(read_frame, written(tmp_path, pickle.dumps(Trap()), name))
    assert not trap.exists()


def test_a_folder_a_vanished_file_and_an_impossible_path(tmp_path):
    assert refusal(inspect, "") == "No file is named: choose one."
    assert "folder" in refusal(inspect, tmp_path)
    assert "gone.csv is not there" in refusal(read_table, tmp_path / "gone.csv")
    refusal(inspect, "bad\0name.csv")
    refusal(inspect, "x" * 5000 + ".csv")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.csv")
        assert "regular file" in refusal(inspect, tmp_path / "pipe.csv")


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (PermissionError(13, "Permission denied"), "permission"),
        (FileNotFoundError(), "not there"),
        (OSError(5, "I/O"), "i/o"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path, monkeypatch, error, word):
    path = written(tmp_path, "a,b\n1,2\n")

    def refuse(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    assert word in refusal(inspect, path)


# -- tables and their sources


def test_a_table_knows_where_it_comes_from(tmp_path):
    path = written(tmp_path, "id;x;y\n1;1,5;a\n2;2,5;b\n3;2,5;b\n")
    table = read_table(path, target="y")
    assert table.source["kind"] == "file" and table.source["path"] == str(path.resolve())
    assert table.source["size"] == path.stat().st_size
    assert re.fullmatch("[0-9a-f]{64}", table.source["fingerprint"])
    assert table.source["options"]["decimal"] == ","
    assert json.loads(json.dumps(table.source)) == table.source
    assert table.roles["id"] == "ignore" and any("“id”" in note for note in table.notes)
    assert table.name == "table"


def test_roles_that_are_given_are_kept(tmp_path):
    path = written(tmp_path, "id,w,x,y\n1,2,5,a\n2,1,6,b\n3,1,7,b\n")
    assert read_table(path, target="y", roles={"id": "feature"}).roles["id"] == "feature"
    assert read_table(path, target="y", roles={"w": "ignore"}).roles["id"] == "ignore"
    assert read_table(path, target="y", weights="id").roles["id"] == "weight"
    assert read_source(read_table(path).source).roles["id"] == "feature"
    assert read_table(path, target="y", weights="w", roles={"id": "ignore"}).roles["w"] == "weight"
    assert "nothing" in refusal(read_table, path, target="nothing")


def test_a_source_reads_the_same_table_again(tmp_path):
    options = ReadOptions(kinds={"x": "nominal"}, missing=("zz",), names=("x", "y"), header=False)
    path = written(tmp_path, "1;a\n2;b\nzz;b\n")
    for table in (read_table(path, options=options), read_text(path.read_text(), options, "mine")):
        again = read_source(json.loads(json.dumps(table.source)))
        assert again.source == table.source and again.name == table.name and again.notes == table.notes
        pd.testing.assert_frame_equal(again.to_frame(), table.to_frame())
        assert [column.kind for column in again.columns] == ["nominal", "nominal"]
        assert again.column("x").n_missing == 1


def test_a_changed_file_is_read_and_announced_but_a_gone_one_is_refused(tmp_path):
    path = written(tmp_path, "x,y\n1,a\n2,b\n")
    source = read_table(path).source
    assert read_source(source).notes == ()
    written(tmp_path, "x,y\n1,a\n2,b\n3,b\n")
    again = read_source(source)
    assert again.n_rows == 3 and any("has changed" in note for note in again.notes)
    path.unlink()
    assert "not there" in refusal(read_source, source)


@pytest.mark.parametrize(
    "source", [{}, {"kind": "frame"}, {"kind": "file"}, {"kind": "text", "text": 3}, {"kind": "example"}]
)
def test_a_source_that_says_nothing_is_refused(source):
    refusal(read_source, source)


def test_pasted_text_becomes_a_table():
    table = read_text("height\tsex\n1,82\tm\n1,64\tf\n1,70\tf\n", name="people", target="sex")
    assert table.name == "people" and table.classes == ("f", "m")
    assert table.column("height").numbers.tolist() == [1.82, 1.64, 1.7]
    assert table.source["kind"] == "text"
    assert "empty" in refusal(read_text, " \n")
    assert "\ud800" not in inspect_text("a,b\n\ud800,2\n3,4\n").head[0][0]


def test_the_kinds_of_the_readers_are_those_of_the_table(tmp_path):
    content = (
        "i,f,w,b,bm,d,n,z,inf,gone\n1,1.5,1.0,true,true,2020-01-01,x,007,inf,\n2,2.5,2.0,false,,2020-01-02,y,08,3,\n"
    )
    path = written(tmp_path, content)
    _, kinds, _ = read_frame(path)
    assert {column.name: column.kind for column in read_table(path).columns} == kinds
    assert kinds == inspect(path).kinds
    assert kinds == dict(
        i="integer", f="number", w="integer", b="boolean", bm="boolean", d="date", n="nominal", z="nominal",
        inf="integer", gone="nominal",
    )  # fmt: skip


def test_progress_is_told_and_a_stop_is_obeyed(tmp_path):
    path = written(tmp_path, "x,y\n1,a\n2,b\n")
    told = []
    read_table(path, progress=Progress(lambda fraction, text: told.append((fraction, text))))
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    stopped = Progress()
    stopped.stop()
    assert "stopped" in refusal(read_table, path, progress=stopped)


def test_files_can_be_read_from_several_threads(tmp_path):
    paths = [written(tmp_path, f"a,b\n{i},x\n{i + 1},y\n", f"t{i}.csv") for i in range(8)]
    read = {}
    threads = [threading.Thread(target=lambda p=p: read.update({p: read_frame(p)[0]["a"].tolist()})) for p in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [read[path] for path in paths] == [[i, i + 1] for i in range(8)]


# -- columns that name the rows


def _customers(n_rows: int = 620) -> str:
    rows = [f"KD-{i:05}-a,{i % 7},{'ab'[i % 2]}" for i in range(n_rows)]
    return "\n".join(["Kundennummer,n,y", *rows])


def test_a_column_with_a_value_of_its_own_in_every_row_is_ignored_with_a_note():
    table = read_text(_customers(), target="y")
    assert table.roles["Kundennummer"] == "ignore"
    assert any("“Kundennummer” has a value of its own in every row" in note for note in table.notes)
    assert inspect_text(_customers()).roles == {"Kundennummer": "ignore"}


def test_it_can_be_made_a_feature_all_the_same():
    table = read_text(_customers(), target="y", roles={"Kundennummer": "feature"})
    assert table.roles["Kundennummer"] == "feature"
    assert not any("Kundennummer" in note for note in table.notes)


def test_a_chosen_target_is_never_ignored():
    rows = [f"{'KD' if i > 2 else 'K'}{0 if i < 3 else i},{i}" for i in range(60)]
    table = read_text("\n".join(["name,n", *rows]), target="name")
    assert table.target == "name" and table.roles["name"] != "ignore"


def test_no_column_of_the_examples_is_ignored_as_a_name():
    for example in list_examples():
        table = read_example(example.id)
        assert "ignore" not in table.roles.values()
        assert not any("value of its own" in note for note in table.notes)


def test_a_note_hints_at_an_unknown_missing_code():
    text = "Ausgaben;n;y\n" + "\n".join(f"{i},5;{i % 7};{'ab'[i % 2]}" for i in range(30)) + "\nk.A.;1;a\n"
    assert inspect_text(text).options.decimal == "," == read_text(text, target="y").source["options"]["decimal"]
    hint = "“Ausgaben” looks like a number except for “k.A.”: add it to the missing values to read it so."
    assert hint in inspect_text(text).notes
    assert hint in read_text(text, target="y").notes
