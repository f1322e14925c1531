"""The table that is named on the command line, and how it is read."""

import pandas as pd

import engine
from tests.engine.command.running import run


def test_weights_count_for_an_example_too(capsys):
    plain = run(capsys, "example:penguins", "--no-window", "--max-depth", "2")[1]
    heavy = run(capsys, "example:penguins", "--no-window", "--max-depth", "2", "--weights", "body_mass_g")[1]
    assert "7 features" in plain
    assert "6 features" in heavy


def test_an_example_has_no_sheet(capsys):
    code, _, err = run(capsys, "example:cats", "--sheet", "one", "--no-window")
    assert code == 2
    assert "leave --sheet out" in err


def test_a_wrong_decimal_mark_is_noticed(capsys, tmp_path):
    path = tmp_path / "sales.csv"
    path.write_text("weight;bought\n" + "".join(f"{i % 7}.5;{'ja' if i % 2 else 'nein'}\n" for i in range(40)))
    hint = "note    “weight” looks like a number with a decimal point, but “,” is the decimal mark: choose “.”"
    for mark, is_wrong in ((",", True), (".", False)):
        code, out, err = run(capsys, path, "--target", "bought", "--no-window", "--decimal", mark)
        assert (code, err) == (0, "") and (hint in out) == is_wrong


def test_a_file_is_read_as_it_is_said(capsys, tmp_path):
    path = tmp_path / "sales.txt"
    rows = "".join(f"{i},5|{'k.A.' if i % 9 == 0 else 3 * i}|{'ja' if i % 2 else 'nein'}\n" for i in range(40))
    path.write_text("weight|sales|bought\n" + rows, encoding="utf-16")
    said = [path, "--target", "bought", "--no-window", "--delimiter", "|", "--decimal", ",", "--missing", "k.A."]
    code, out, err = run(capsys, *said, "--encoding", "utf-16", "--kind", "weight=number", "--feature", "weight")
    assert (code, err) == (0, "")
    assert "looks like a number" not in out
    assert "2 features" in out
    assert run(capsys, *said, "--kind", "weight")[2].endswith("names no column and kind: write --kind COLUMN=KIND.\n")
    assert "no column kind “float”" in run(capsys, *said, "--kind", "weight=float")[2]


def test_the_order_of_levels_can_be_said(capsys, tmp_path):
    path, out = tmp_path / "asked.csv", tmp_path / "tree.json"
    rows = [("very bad", "n"), ("bad", "n"), ("fair", "y"), ("good", "y")] * 5
    pd.DataFrame(rows, columns=["asked = how", "stays"]).assign(x=range(20)).to_csv(path, index=False)
    said = (path, "--target", "stays", "--no-window", "--ignore", "x", "--export", out)
    code, _, err = run(capsys, *said, "--kind", "asked = how=very bad < bad<fair<good")
    assert (code, err) == (0, "")
    assert engine.read_tree(out).split_at(0).groups == (("very bad", "bad"), ("fair", "good"))
    err = run(capsys, *said, "--kind", "asked = how=awful<bad<fair<good")[2]
    assert "Column “asked = how” has no level “awful”; its levels are “bad”, “fair”, “good”, “very bad”." in err
    assert "leaves “very bad” out" in run(capsys, *said, "--kind", "asked = how=bad<fair<good")[2]


def test_a_column_that_names_the_rows_can_be_asked_for(capsys, tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame({"id": range(60), "age": [20 + i % 37 for i in range(60)], "y": [i % 2 for i in range(60)]}).to_csv(
        path, index=False
    )
    assert "1 feature," in run(capsys, path, "--target", "y", "--no-window")[1]
    assert "2 features" in run(capsys, path, "--target", "y", "--no-window", "--feature", "id")[1]
