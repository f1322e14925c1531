"""Paths, names and levels that no UTF-8 can hold: they are read, and what was read can be saved."""

import os

import numpy as np
import openpyxl
import pandas as pd
import pytest

import engine
from engine.readers import ReadOptions, inspect, inspect_text, read_text
from engine.runtime.errors import InputError
from main import main
from tests.read_frames import read_frame

HALF = "\ud800"


def write(frame, path):
    """Writes where only Python's own `open` knows how to."""
    with open(path, "wb") as file:
        if path.endswith(".csv"):
            frame.to_csv(file, index=False)
        elif path.endswith(".parquet"):
            frame.to_parquet(file)
        elif path.endswith(".feather"):
            frame.to_feather(file)
        else:
            book = openpyxl.Workbook()
            for row in (list(frame), *frame.itertuples(index=False)):
                book.active.append(row)
            book.save(file)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "feather", "xlsx"])
def test_a_path_need_not_be_utf8(tmp_path, suffix):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/K\xf6ln." + suffix.encode())
    write(pd.DataFrame({"n": np.arange(6), "c": ["a", "b"] * 3}), path)
    preview = inspect(path)
    assert preview.names == ("n", "c") and len(preview.head) == 6
    assert len(read_frame(path)[0]) == 6
    table = engine.read_table(path, target="c")
    assert table.n_rows == 6 and table.name == "K\ufffdln" and table.source["path"] == path


def test_pasted_text_has_no_halves_of_letters():
    text = f"n{HALF},c\n1,a{HALF}\n2,b\n3,b\n"
    preview = inspect_text(text)
    table = read_text(text, target="c")
    assert preview.names == ("n\ufffd", "c") and preview.head[0] == ("1", "a\ufffd")
    assert table.names == ["n\ufffd", "c"] and table.column("c").levels == ("a\ufffd", "b")
    assert HALF not in table.source["text"]


def test_a_frame_may_hold_them():
    texts = pd.Series([f"a{HALF}", "b", "b"], dtype=object)
    frame = pd.DataFrame({"x": texts, "level": pd.Categorical(texts), "n": [1, 2, 3]})
    frame.columns = pd.Index([f"x{HALF}", "level", "n"], dtype=object)
    table = engine.Table.from_frame(frame)
    assert table.names == ["x\ufffd", "level", "n"]
    assert table.column("x\ufffd").levels == table.column("level").levels == ("a\ufffd", "b")


@pytest.mark.parametrize(
    "said",
    [{"missing": (HALF,)}, {"names": ("a", HALF)}, {"sheet": HALF}, {"delimiter": HALF}, {"kinds": {HALF: "number"}}],
)
def test_read_options_cannot_be_such_letters(said):
    with pytest.raises(InputError, match=r"cannot be written in UTF-8: type it again\.$"):
        ReadOptions(**said)


@pytest.mark.parametrize("option", ["missing", "target", "weights", "ignore", "feature", "sheet", "kind", "partition",
                                    "encoding", "delimiter", "preset"])  # fmt: skip
def test_the_command_line_names_the_argument(tmp_path, capsys, option):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n3,y\n")
    try:
        code = main([str(path), "--no-window", f"--{option}", os.fsdecode(b"K\xf6ln")])
    except SystemExit as ended:  # a choice of argparse
        code = ended.code
    assert code == 2
    said = capsys.readouterr().err
    assert f"--{option}" in said and said.count("\n") == 1


def test_a_frame_is_spoken_of_by_the_names_that_it_came_with():
    frame = pd.DataFrame([[1.0, "a", 1.0, 1], [2.0, "b", 2.0, 2], [3.0, "a", 1.0, 3]])
    frame.columns = pd.Index([HALF, "y", "w\udc80", "x"], dtype=object)
    told = {"weights": "w\udc80", "roles": {HALF: "ignore"}, "kinds": {HALF: "nominal"}}
    table = engine.Table.from_frame(frame, target="y", **told)
    assert (table.names, table.roles["w�"], table.roles["�"]) == (["�", "y", "w�", "x"], "weight", "ignore")
    assert table.column("�").kind == "nominal"
    frame.columns = pd.Index(["a", HALF, "b", "c"], dtype=object)
    assert engine.Table.from_frame(frame, target=HALF).target == "�"
