"""Scoring new rows without a display."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine import project
from tests.engine.command.running import run


@pytest.fixture
def made(tmp_path):
    """A training file, a tree on it as JSON, and the project of both."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"age": random.integers(18, 66, 400), "city": random.choice(["Wien", "Graz"], 400)})
    frame["idle"] = random.normal(size=400).round(2)
    frame["buys"] = np.where((frame.age > 40) & (frame.city == "Wien"), "yes", "no")
    frame.to_csv(tmp_path / "train.csv", index=False)
    table = engine.read_table(tmp_path / "train.csv", target="buys")
    tree = engine.grow(table)
    engine.write_tree(tree, tmp_path / "tree.json")
    project.save(tmp_path / "tree.espalier", table, tree, {})
    return tmp_path, frame, tree


def test_a_tree_scores_a_file_and_says_what_it_found(capsys, made):
    folder, frame, tree = made
    new = frame.drop(columns=["buys", "idle"]).astype({"age": object})
    new.loc[:39, "city"] = "Bern"
    new.loc[:3, "age"] = [None, "old", "older", None]
    new.to_csv(folder / "new.csv", index=False)
    target = folder / "out.parquet"
    code, out, err = run(capsys, folder / "tree.json", "--score", folder / "new.csv", "--export", target)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:4] == [
        "scored  400 rows by a tree for buys with 3 leaves",
        "column  age: 2 (0.5 %) missing; 2 (0.5 %) not readable as integer, first “old”, taken for missing",
        "column  city: 40 (10.0 %) of a level that the tree does not know, first “Bern”",
        "column  idle: not in the file; no split needs it",
    ]
    assert lines[4].startswith("leaves  no drift beyond chance (PSI 0.0")
    assert lines[5].startswith("note    a tree without its table knows no ranges and no distributions")
    assert lines[6:] == [
        "added   leaf, rule, prediction, probability of no, probability of yes",
        f"wrote   {target}",
    ]
    new["age"] = pd.to_numeric(new["age"], errors="coerce")
    assert pd.read_parquet(folder / "out.parquet")["prediction"].tolist() == tree.predict(new).tolist()


def test_a_project_knows_ranges_and_distributions(capsys, made):
    folder, frame, _ = made
    frame.assign(age=frame.age + 30).to_csv(folder / "new.csv", index=False)
    code, out, _ = run(capsys, folder / "tree.espalier", "--score", folder / "new.csv")
    assert code == 0
    lines = out.splitlines()
    assert "outside of the training range; a large drift from the training rows (PSI " in lines[1]
    assert lines[2].startswith("leaves  a large drift from the training rows (PSI ")
    assert lines[3].startswith("leaves  leaf ")
    assert len(lines) == 4
    code, out, _ = run(capsys, folder / "tree.espalier", "--score", folder / "train.csv")
    assert code == 0
    assert out.splitlines()[1] == "columns every value is of a kind, level and range that the tree knows"


@pytest.mark.parametrize("change", ["gone", "changed"])
def test_a_project_without_its_table_scores_by_the_saved_tree(capsys, made, change):
    folder, frame, tree = made
    frame.to_csv(folder / "new.csv", index=False)
    if change == "gone":
        (folder / "train.csv").unlink()
    else:
        frame.assign(buys=frame.buys.to_numpy()[::-1]).to_csv(folder / "train.csv", index=False)
    code, out, _ = run(capsys, folder / "tree.espalier", "--score", folder / "new.csv", "--export", folder / "out.csv")
    assert code == 0
    assert ("is not at" if change == "gone" else "has changed") in out
    assert "a tree without its table knows no ranges" in out
    assert pd.read_csv(folder / "out.csv")["prediction"].tolist() == tree.predict(frame).tolist()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--score", "NEW"], "Name the tree that predicts"),
        (["TREE", "--score", "gone.csv"], "gone.csv is not there"),
        (["gone.json", "--score", "NEW"], "There is no file “"),
        (["NEW", "--score", "NEW"], "new.csv” is no tree file"),
        (["TREE", "--score", "NEW", "--target", "y"], "--target: --score takes the tree as it is"),
        (["TREE", "--score", "NEW", "--kind", "age=number"], "--kind: --score takes the tree as it is"),
        (["TREE", "--score", "NEW", "--export", "out.csv", "--export", "out.xlsx"], "--score writes one file, not 2"),
        (["TREE", "--score", "NEW", "--export", "out.json"], "“.json” is none of .csv, .xlsx, .parquet"),
        (["TREE", "--score", "NEW", "--export", "gone/out.csv"], "gone/out.csv” cannot be written"),
        (["TREE", "--score", "NEW", "--encoding", "klingon"], "There is no encoding “klingon”"),
        (["TREE", "--score", "OTHER"], "other.csv lacks what the tree splits on: “age”, “city”; add each"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence_on_stderr_and_exit_code_2(capsys, made, monkeypatch, arguments, says):
    folder, frame, _ = made
    monkeypatch.chdir(folder)
    frame.to_csv("new.csv", index=False)
    (folder / "other.csv").write_text("a,b\n1,2\n")
    before = {path.name for path in folder.iterdir()}
    names = {"NEW": "new.csv", "TREE": "tree.json", "OTHER": "other.csv"}
    code, out, err = run(capsys, *(names.get(word, word) for word in arguments))
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert {path.name for path in folder.iterdir()} == before


def test_options_of_reading_are_taken(capsys, made):
    folder, frame, tree = made
    frame.drop(columns="buys").to_csv(folder / "new.csv", index=False, sep="|", na_rep="k.A.")
    code, *_ = run(
        capsys, folder / "tree.json", "--score", folder / "new.csv", "--delimiter", "|", "--missing", "k.A.",
        "--export", folder / "out.csv",
    )  # fmt: skip
    assert code == 0
    assert pd.read_csv(folder / "out.csv", sep="|")["prediction"].tolist() == tree.predict(frame).tolist()
