"""New rows through a finished tree, in chunks: the answers are those for the frame read whole."""

import csv
import datetime
import math

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from openpyxl.utils.escape import unescape
from scipy import stats

import engine
from engine import scoring
from engine.command.scoring import report
from engine.formats import rows as formats_rows
from engine.readers import chunks
from engine.scoring import compare_counts, compare_each
from tests.frames import random_tree, table_of, with_gaps


@pytest.fixture
def short_chunks(monkeypatch):
    """Files of a few rows are read in several chunks."""
    monkeypatch.setattr(chunks, "BLOCK", 300)
    monkeypatch.setattr(chunks, "ROWS", 17)


def people(n=200, seed=0):
    """A column of every kind, with gaps, and a target."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 90, n),
            "income": np.where(random.random(n) < 0.1, np.nan, random.normal(2000, 700, n).round(2)),
            "city": np.where(random.random(n) < 0.1, None, random.choice(["Wien", "Graz", "Sankt\nPölten"], n)),
            "since": pd.Timestamp("2001-01-01") + pd.to_timedelta(random.integers(0, 5000, n), unit="D"),
            "member": random.random(n) < 0.5,
        }
    )
    frame["y"] = np.where((frame.age > 50) ^ (frame.member & (frame.city == "Wien")), "yes", "no")
    return frame


def grown(frame, target="y", **options):
    return engine.grow(engine.Table.from_frame(frame, target=target), max_depth=5, **options)


def written(frame, path):
    """The frame as a file of the kind that the suffix names."""
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".feather":
        pyarrow.feather.write_feather(pa.Table.from_pandas(frame, preserve_index=False), path)
    else:
        frame.to_parquet(path, index=False, row_group_size=50)
    return path


def check_predictions(tree, source, frame, tmp_path):
    """What is written is what the tree predicts of the frame, row by row."""
    found = engine.score(tree, source, tmp_path / "scored.parquet")
    rows = pd.read_parquet(tmp_path / "scored.parquet")
    assert found.n_rows == len(rows) == len(frame)
    if tree.task == "number":
        np.testing.assert_array_equal(rows["prediction"], tree.predict(frame))
    else:
        assert rows["prediction"].tolist() == tree.predict(frame).tolist()
        names = [f"probability of {name}" for name in tree.classes]
        np.testing.assert_array_equal(rows[names], tree.predict_proba(frame))
    ids, counts = np.unique(rows["leaf"], return_counts=True)
    assert dict(zip(found.leaves.tolist(), found.counts.tolist(), strict=True)) == {
        **dict.fromkeys(found.leaves.tolist(), 0),
        **dict(zip(ids.tolist(), counts.tolist(), strict=True)),
    }
    return found, rows


# -- the same predictions as of the frame read whole


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet", ".feather"])
def test_every_kind_of_column_is_predicted_as_by_the_tree(tmp_path, short_chunks, suffix):
    tree, new = grown(people()), people(150, seed=1).drop(columns="y")
    source = written(new, tmp_path / f"new{suffix}")
    found, rows = check_predictions(tree, source, new, tmp_path)
    assert found.added == ("leaf", "rule", "prediction", "probability of no", "probability of yes")
    assert rows.columns.tolist() == [*new.columns, *found.added]
    assert [column.missing for column in found.columns] == [0, new.income.isna().sum(), new.city.isna().sum(), 0, 0]
    assert all(column.unreadable == column.unknown == 0 for column in found.columns)


@pytest.mark.parametrize("missing", ["direction", "branch", "surrogate"])
@pytest.mark.parametrize("task", ["classes", "number"])
def test_every_way_of_missing_values_is_predicted_as_by_the_tree(tmp_path, short_chunks, missing, task):
    tree = grown(with_gaps(task=task), missing=missing)
    new = with_gaps(120, seed=5, task=task)
    found, _ = check_predictions(tree, written(new, tmp_path / "new.csv"), new, tmp_path)
    assert sum(column.missing for column in found.columns) == new[list("abcd")].isna().sum().sum() > 0


@pytest.mark.parametrize("seed", range(8))
def test_trees_of_any_splits_predict_as_by_the_tree(tmp_path, short_chunks, seed):
    """m of n, several cuts and groups, surrogates, branches for missing values: made by chance."""
    frame = with_gaps(60, seed=seed)
    tree = random_tree(table_of(frame), seed, 6)
    new = with_gaps(90, seed=seed + 100)
    new["c"] = new["c"].replace("q", "unheard")
    check_predictions(tree, written(new, tmp_path / "new.parquet"), new, tmp_path)
    check_predictions(tree, written(new, tmp_path / "new.csv"), new, tmp_path)


def test_a_rule_in_words_stands_beside_each_row(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
    engine.score(grown(frame), written(frame, tmp_path / "new.csv"), tmp_path / "scored.csv")
    assert (tmp_path / "scored.csv").read_text().splitlines() == [
        "x,y,leaf,rule,prediction,probability of a,probability of b",
        '"1.0","a",1,"x ≤ 2.5","a",1,0',
        '"2.0","a",1,"x ≤ 2.5","a",1,0',
        '"3.0","b",2,"x > 2.5","b",0,1',
        '"4.0","b",2,"x > 2.5","b",0,1',
    ]
    engine.score(engine.Tree.root(table_of(frame)), tmp_path / "new.csv", tmp_path / "scored.csv")
    assert pd.read_csv(tmp_path / "scored.csv")["rule"].tolist() == ["always"] * 4


# -- cells are read as the tree's kinds


def test_a_cell_means_the_same_in_every_chunk(tmp_path, short_chunks):
    """What the first chunk alone tells of notation and of missing values holds for the later ones."""
    frame = pd.DataFrame({"n": [1.0, 20.0] * 50, "c": ["-", "Na"] * 50, "y": ["a", "b"] * 50})
    tree = grown(frame)
    lines = ["n,c", '"1,234,567",-', *["12,Na"] * 80, *["?,?"] * 80, *['"4,321",None'] * 80]
    (tmp_path / "new.csv").write_text("\n".join(lines))
    found, rows = check_predictions(
        tree, tmp_path / "new.csv",
        pd.DataFrame({"n": [1234567.0] + [12.0] * 80 + [math.nan] * 80 + [4321.0] * 80,
                      "c": ["-"] + ["Na"] * 80 + [None] * 160}), tmp_path,
    )  # fmt: skip
    assert [(c.name, c.missing, c.unreadable, c.unknown) for c in found.columns] == [("n", 80, 0, 0), ("c", 160, 0, 0)]
    assert rows["n"].iloc[[0, -1]].tolist() == ["1,234,567", "4,321"]  # as they stand in the file


def test_numbers_in_two_notations_and_ambiguous_dates_are_refused_not_guessed(tmp_path, short_chunks):
    tree = grown(pd.DataFrame({"n": [1.0, 20.0] * 5, "y": ["a", "b"] * 5}))
    (tmp_path / "new.csv").write_text("\n".join(["n,m", *["12%,1"] * 60, *["0.12,1"] * 60]))
    with pytest.raises(engine.InputError, match="“n” are written in two ways"):
        engine.score(tree, tmp_path / "new.csv")
    days = pd.date_range("2024-01-01", periods=10)
    tree = grown(pd.DataFrame({"d": days, "y": ["a"] * 5 + ["b"] * 5}))
    (tmp_path / "new.csv").write_text("d,m\n01/02/2024,1\n03/04/2024,1\n")
    with pytest.raises(engine.InputError, match="“d” could be day/month or month/day"):
        engine.score(tree, tmp_path / "new.csv")
    (tmp_path / "new.csv").write_text("d,m\n01/02/2024,1\n01/13/2024,1\n")
    new = pd.DataFrame({"d": [datetime.datetime(2024, 1, 2), datetime.datetime(2024, 1, 13)]})
    check_predictions(tree, tmp_path / "new.csv", new, tmp_path)


def test_what_no_column_of_the_tree_can_hold_is_counted_and_predicted_as_missing(tmp_path):
    tree = grown(people())
    cells = {
        "age": ["30", "old", "x", ""],
        "income": [True, False, True, None],
        "city": ["Wien", "Bern", "Bern", None],
        "since": [1, 2, 3, 4],
        "member": ["yes", "0", "perhaps", None],
    }
    found = engine.score(tree, written(pd.DataFrame(cells), tmp_path / "new.parquet"), tmp_path / "scored.parquet")
    figures = {c.name: (c.missing, c.unknown, c.unreadable, c.example) for c in found.columns}
    assert figures == {
        "age": (1, 0, 2, "old"), "income": (1, 0, 0, ""), "city": (1, 2, 0, "Bern"), "since": (0, 0, 4, "1"),
        "member": (1, 0, 1, "perhaps"),
    }  # fmt: skip
    as_read = pd.DataFrame(
        {
            "age": [30, np.nan, np.nan, np.nan], "income": [1.0, 0.0, 1.0, np.nan], "city": cells["city"],
            "since": pd.Series([pd.NaT] * 4, dtype="datetime64[us]"), "member": [True, False, None, None],
        }
    )  # fmt: skip
    check_predictions(tree, tmp_path / "new.parquet", as_read, tmp_path)


def test_a_text_is_read_in_its_own_encoding_delimiter_and_decimal_mark(tmp_path, short_chunks):
    tree = grown(pd.DataFrame({"größe": [1.5, 2.5] * 5, "ort": ["Köln", "Graz"] * 5, "y": ["a", "b"] * 5}))
    text = "größe;ort\n" + "1,5;Graz\n" * 60 + "2,5;Köln\n" * 60
    (tmp_path / "new.csv").write_bytes(text.encode("cp1252"))
    new = pd.DataFrame({"größe": [1.5] * 60 + [2.5] * 60, "ort": ["Graz"] * 60 + ["Köln"] * 60})
    check_predictions(tree, tmp_path / "new.csv", new, tmp_path)
    engine.score(tree, tmp_path / "new.csv", tmp_path / "scored.csv")
    first = (tmp_path / "scored.csv").read_text("utf-8").splitlines()[1]
    assert first.startswith('"1,5";"Graz";') and first.endswith(';"1";"0"')


def test_a_letter_beyond_the_beginning_tells_the_encoding_of_the_whole_file(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "SAMPLE_BYTES", 100)
    tree = grown(pd.DataFrame({"x": [1.0, 2.0] * 5, "ort": ["Köln", "Graz"] * 5, "y": ["a", "b"] * 5}))
    (tmp_path / "new.csv").write_bytes(("x,ort\n" + "1,Graz\n" * 50 + "2,Köln\n").encode("cp1252"))
    found = engine.score(tree, tmp_path / "new.csv")
    assert found.columns[1].unknown == 0
    assert any("Windows-1252" in note for note in found.notes)


def test_blank_lines_at_the_end_are_no_rows(tmp_path, short_chunks):
    frame = pd.DataFrame({"x": [1.0, 2.0] * 50, "y": ["a", "b"] * 50})
    (tmp_path / "new.csv").write_text("x,m\n" + "1,1\n2,1\n" * 50 + "\n" * 700)
    found, _ = check_predictions(grown(frame), tmp_path / "new.csv", frame, tmp_path)
    assert found.notes == ()


def test_quoted_line_breaks_short_rows_and_empty_rows_as_when_read_whole(tmp_path, short_chunks):
    tree = grown(people())
    rows = [["age", "income", "city", "since", "member"]]
    for i in range(100):
        rows.append([str(20 + i % 60), "1500.5", "Sankt\nPölten" if i % 3 else 'a "quoted", one', "2005-02-03", "true"])
    rows[50] = ["44"]
    rows[60] = [""] * 5
    with (tmp_path / "new.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    kinds = {c.name: c.kind for c in tree.columns}
    whole = engine.read_table(tmp_path / "new.csv", kinds=kinds).to_frame()
    found, _ = check_predictions(tree, tmp_path / "new.csv", whole, tmp_path)
    assert found.n_rows == 99
    assert [c.missing for c in found.columns] == [0, 1, 1, 1, 1]
    assert found.notes == ("Line 83 has 1 of 5 cells: the others count as missing.", "1 empty row was left out.")
    (tmp_path / "new.csv").write_text("age,member\n" + "1,2\n" * 100 + '1,"2\n' + "1,2\n" * 100)
    with pytest.raises(engine.InputError, match="in line 102 and never closes it"):
        engine.score(grown(people()[["age", "member", "y"]]), tmp_path / "new.csv")
    (tmp_path / "new.csv").write_text("age,member\n" + "1,2\n" * 200 + "1,2,3\n")
    with pytest.raises(engine.InputError, match="3 cells in line 202"):
        engine.score(grown(people()[["age", "member", "y"]]), tmp_path / "new.csv")


# -- columns


def test_a_column_that_a_split_asks_has_to_be_there(tmp_path):
    tree = grown(people())
    written(people().drop(columns=["age", "y"]), tmp_path / "new.csv")
    with pytest.raises(engine.InputError, match=r"new\.csv lacks what the tree splits on: “age”; add"):
        engine.score(tree, tmp_path / "new.csv", tmp_path / "scored.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


def test_a_column_that_no_split_asks_may_be_absent_and_is_told(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0] * 5, "idle": [0.0, 1.0] * 5, "y": ["a", "b"] * 5})
    tree = grown(frame)
    found = engine.score(tree, written(frame[["x"]], tmp_path / "new.csv"))
    assert found.absent == ("idle",)
    assert found.added == ()


def test_a_column_that_only_a_surrogate_asks_is_asked_where_it_is(tmp_path):
    frame = with_gaps()
    table, by_b = table_of(frame), engine.Surrogate(engine.Split("b", "threshold", (0.0,)), False)
    tree = engine.Tree.root(table).split(table, 0, engine.Split("a", "threshold", (0.0,), surrogates=(by_b,)))
    with_b, rows = check_predictions(tree, written(frame, tmp_path / "new.csv"), frame, tmp_path)
    assert {c.name for c in with_b.columns if c.is_asked} == {"a"}
    assert rows["prediction"][frame.a.isna() & frame.b.notna()].nunique() == 2
    without = frame.drop(columns="b")
    found, rows = check_predictions(tree, written(without, tmp_path / "new.csv"), without, tmp_path)
    assert found.absent == ("b",)
    assert rows["prediction"][frame.a.isna()].nunique() == 1


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_rows_say_what_they_are_expected_to_earn_and_whether_to_act(tmp_path, suffix):
    frame, paid = people(120), {"yes": (90.0, 5.0), "no": (-40.0, 0.0)}
    tree = grown(frame, profits=paid, currency="EUR", smoothing="laplace")
    found = engine.score(tree, written(frame, tmp_path / f"new{suffix}"), tmp_path / f"scored{suffix}")
    assert found.added[-2:] == ("expected profit", "act")
    path = tmp_path / f"scored{suffix}"
    if suffix == ".xlsx":
        rows = pd.read_excel(path, engine="openpyxl")
    else:
        rows = pd.read_csv(path) if suffix == ".csv" else pd.read_parquet(path)
    assert rows["act"].dtype == bool and 0 < rows["act"].sum() < len(rows)
    for row in rows.to_dict("records"):
        acting, otherwise = (sum(paid[name][k] * row[f"probability of {name}"] for name in paid) for k in (0, 1))
        assert row["act"] == (acting > otherwise)
        assert row["expected profit"] == pytest.approx(max(acting, otherwise), abs=1e-9)


def test_added_columns_get_names_that_the_file_does_not_have(tmp_path):
    frame = people().rename(columns={"age": "leaf", "income": "leaf (2)", "city": "prediction"})
    found = engine.score(grown(frame), written(frame, tmp_path / "new.csv"), tmp_path / "scored.csv")
    assert found.added[:3] == ("leaf (3)", "rule", "prediction (2)")
    header = pd.read_csv(tmp_path / "scored.csv", nrows=0).columns
    assert header.is_unique and list(header[-5:]) == list(found.added)


def test_other_columns_are_written_as_they_stand_in_the_file(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0] * 5, "y": ["a", "b"] * 5})
    new = pa.table({"code": ["007", "1e3"], "x": [1.0, 2.0], "nested": [[1], [2, 3]], "bytes": [b"a", b"b"]})
    pyarrow.parquet.write_table(new, tmp_path / "new.parquet")
    engine.score(grown(frame), tmp_path / "new.parquet", tmp_path / "scored.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "scored.parquet").select(new.column_names).equals(new)
    found = engine.score(grown(frame), tmp_path / "new.parquet", tmp_path / "scored.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "scored.xlsx").active
    assert [cell.value for cell in sheet[1]] == ["code", "x", *found.added]
    assert [cell.value for cell in sheet[2]] == ["007", 1, 1, "x ≤ 1.5", "a", 1, 0]
    assert [note.split()[0] for note in found.notes] == ["“nested”", "“bytes”"]
    assert all(note.endswith("holds nested or binary values and was left out.") for note in found.notes)


# -- files are texts and numbers, whole or not at all


def test_a_formula_is_written_as_text(tmp_path):
    frame = pd.DataFrame({"x": ["=1+1", "-5"] * 5, "=now()": ["@sum(1)", "+49 1"] * 5, "y": ["=a|b!c", "b"] * 5})
    tree = grown(frame)
    source = written(frame, tmp_path / "new.csv")
    found = engine.score(tree, source, tmp_path / "scored.csv")
    with (tmp_path / "scored.csv").open(newline="") as file:
        header, first, second, *_ = csv.reader(file)
    assert header[:3] == ["x", "'=now()", "y"]
    assert first[:3] == ["'=1+1", "'@sum(1)", "'=a|b!c"]
    assert second[:3] == ["-5", "'+49 1", "b"]
    assert "'=a|b!c" in first[3:]  # the prediction, too
    assert "25 cells begin like a formula" in found.notes[-1]
    engine.score(tree, source, tmp_path / "scored.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "scored.xlsx").active
    assert [(cell.value, cell.data_type) for cell in sheet[2]][:3] == [
        ("=1+1", "s"), ("@sum(1)", "s"), ("=a|b!c", "s"),
    ]  # fmt: skip
    assert sheet["A3"].value == -5


def test_a_workbook_reads_back_and_says_what_it_cannot_hold(tmp_path, monkeypatch, short_chunks):
    odd = [
        "a\x01b",
        "_x0041_",
        "12.3456789012345678",
        " <&> ",
        "two\nlines",
        "12345678901234567",
        "0012",
        "1.50",
        "",
        "ä\u2028",
        "\U0001f408",
    ]
    frame = pd.DataFrame({"t": odd * 4, "x": [1.0, 2.0] * 22, "y": ["a", "b"] * 22})
    frame["n"], frame["f"] = [123, 12345678901234567] * 22, [np.nan, np.inf] * 22
    tree = grown(frame[["x", "y"]])
    source = written(frame, tmp_path / "new.parquet")
    engine.score(tree, source, tmp_path / "scored.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "scored.xlsx").active
    assert [[cell.value for cell in sheet[column]][1:3] for column in "DE"] == [
        [123, "12345678901234567"],
        [None, None],
    ]
    cells = [cell.value for cell in sheet["A"]][1:]
    read = [unescape(value) if isinstance(value, str) else value for value in cells]  # as spreadsheets do
    assert read == ["a\x01b", "_x0041_", "12.3456789012345678", " <&> ", "two\nlines", "12345678901234567", "0012",
                    1.5, None, "ä\u2028",
                    "\U0001f408"] * 4  # fmt: skip
    from engine.formats import rows

    monkeypatch.setattr(rows, "MOST_ROWS", 40)
    (tmp_path / "scored.xlsx").unlink()
    with pytest.raises(engine.InputError, match="holds no more than 39 rows"):
        engine.score(tree, source, tmp_path / "scored.xlsx")
    written(pd.DataFrame({"t": ["x" * 40_000], "x": [1.0]}), source)
    with pytest.raises(engine.InputError, match="no more than 32,767 letters, but “xxx"):
        engine.score(tree, source, tmp_path / "scored.xlsx")
    assert [path.name for path in tmp_path.iterdir()] == ["new.parquet"]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_stop_leaves_no_file_and_what_stood_there_before(tmp_path, short_chunks, suffix):
    tree, source, target = grown(people()), written(people(), tmp_path / "new.csv"), tmp_path / f"scored{suffix}"
    told = []

    def stop(share, _):
        told.append(share)
        if share > 0.5:
            progress.stop()

    progress = engine.Progress(stop)
    with pytest.raises(engine.InputError, match=r"Scoring new\.csv was stopped"):
        engine.score(tree, source, target, progress=progress)
    assert 0.5 < max(told) < 1 and told == sorted(told)
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]
    target.write_text("before")
    with pytest.raises(engine.InputError, match="was stopped"):
        engine.score(tree, source, target, progress=progress)
    assert target.read_text() == "before"


def test_what_cannot_be_scored_is_one_sentence(tmp_path):
    tree, source = grown(people()), written(people(), tmp_path / "new.csv")
    for target, says in (("scored.doc", "“.doc” is none of .csv, .xlsx, .parquet"), ("new.csv", "choose another name")):
        with pytest.raises(engine.InputError, match=says):
            engine.score(tree, source, tmp_path / target)
    (tmp_path / "empty.csv").write_text("age,income,city,since,member\n" + "\n" * 400)
    with pytest.raises(engine.InputError, match="has a header but no rows"):
        engine.score(tree, tmp_path / "empty.csv", tmp_path / "scored.csv")
    with pytest.raises(engine.InputError, match="is not there"):
        engine.score(tree, tmp_path / "gone.csv")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(engine.InputError, match="is broken"):
        engine.score(tree, tmp_path / "broken.parquet")
    assert {path.name for path in tmp_path.iterdir()} == {"new.csv", "empty.csv", "broken.parquet"}


# -- drift


def test_drift_is_that_of_the_textbook():
    before, now = np.array([300.0, 500, 200]), np.array([30, 40, 30])
    found = compare_counts(before, now)
    p, q = (before + 0.5) / 1001.5, (now + 0.5) / 101.5
    assert found.psi == pytest.approx(sum((q - p) * np.log(q / p)), abs=1e-12)
    oracle = stats.chi2_contingency(np.array([before, now]), correction=False)
    assert found.p == pytest.approx(oracle.pvalue, rel=1e-9)
    pooled = compare_counts([300, 500, 3, 2], [30, 40, 0, 1])  # the rare cells count as one
    oracle = stats.chi2_contingency([[300, 500, 5], [30, 40, 1]], correction=False)
    assert pooled.p == pytest.approx(oracle.pvalue, rel=1e-9)
    assert compare_counts([5, 0], [7, 0]).psi == 0
    assert math.isnan(compare_counts([5, 0], [7, 0]).p)


def test_new_rows_like_the_training_rows_do_not_drift_and_others_do(tmp_path):
    frame = people(2000)
    table = engine.Table.from_frame(frame, target="y").with_partition(validation=0.3)
    tree = engine.grow(table, max_depth=4)
    like = engine.score(tree, written(people(2000, seed=3), tmp_path / "new.csv"), training=table)
    assert like.knows_training and like.drift.psi < 0.05 and like.drift.p > 0.001
    assert all(column.drift.psi < 0.05 for column in like.columns)
    older = people(2000, seed=3)
    older["age"] += 40
    older.loc[:199, "city"] = "Bern"
    other = engine.score(tree, written(older, tmp_path / "new.csv"), training=table)
    by_name = {column.name: column for column in other.columns}
    assert other.drift.psi > 0.25 and other.drift.p < 1e-6
    assert by_name["age"].drift.psi > 0.25 and by_name["city"].drift.psi > 0.1 and by_name["since"].drift.psi < 0.05
    train = frame.iloc[table.rows(engine.TRAIN)]
    assert by_name["age"].outside == (older.age > train.age.max()).sum() > 500
    assert (
        by_name["income"].outside == ((older.income < train.income.min()) | (older.income > train.income.max())).sum()
    )
    assert by_name["city"].outside is None and by_name["city"].unknown == 200
    alone = engine.score(tree, tmp_path / "new.csv")
    assert not alone.knows_training and alone.drift == other.drift
    assert all(column.drift is None and column.outside is None for column in alone.columns)


def test_training_rows_are_their_own_shares_whatever_they_weigh(tmp_path):
    frame = people(300)
    frame["w"] = np.where(frame.age > 60, 5, 1)
    table = engine.Table.from_frame(frame, target="y", frequencies="w")
    tree = engine.grow(table, max_depth=3)
    repeated = frame.loc[frame.index.repeat(frame.w)]
    found = engine.score(tree, written(repeated, tmp_path / "new.csv"), training=table)
    np.testing.assert_allclose(found.counts / found.n_rows, found.shares)
    assert found.drift.psi < 1e-3 and found.leaf_p.tolist() == [1.0] * len(found.leaves)
    alone = engine.Table.from_frame(repeated, target="y", roles={"w": "ignore"})
    other = engine.score(tree.with_counts(alone), tmp_path / "new.csv", training=alone)
    assert (found.drift.psi, found.drift.p) == pytest.approx((other.drift.psi, other.drift.p))
    assert all(column.drift.psi < 1e-2 for column in found.columns)


def test_of_training_rows_that_were_sampled_with_weights_no_drift_is_tested(tmp_path):
    frame = people(1000)
    frame["w"] = np.random.default_rng(1).exponential(size=1000)
    source = written(people(500, seed=3), tmp_path / "new.csv")
    for role, tested in (("weights", False), ("frequencies", True)):
        weighed = frame.assign(w=np.ceil(frame.w) if tested else frame.w)
        table = engine.Table.from_frame(weighed, target="y", **{role: "w"})
        tree = engine.grow(table, max_depth=3)
        found = engine.score(tree, source, training=table)
        drifts = [found.drift, *(column.drift for column in found.columns)]
        assert all(drift.psi >= 0 and math.isnan(drift.p) != tested for drift in drifts)
        assert math.isnan(engine.score(tree, source).drift.p)  # a tree alone does not tell which weights they are
        said = "\n".join(report(found, tree))
        assert ("without a test" in said) != tested and "nan" not in said


def test_each_cell_is_tested_against_all_others():
    before, now = np.array([700, 290, 8, 2]), np.array([340, 150, 9, 1])
    found = compare_each(before, now)
    for k in range(2):
        table = [[before[k], before.sum() - before[k]], [now[k], now.sum() - now[k]]]
        assert found[k] == pytest.approx(min(1.0, 4 * stats.chi2_contingency(table, correction=False).pvalue))
    assert np.isnan(found[3]) and not np.isnan(found[2])  # of 3 rows in 1,500 one is expected among 500


def test_leaves_moved_by_more_than_chance_and_by_a_quarter(tmp_path):
    frame = pd.DataFrame({"x": np.repeat([0.0, 1.0, 2.0], [1000, 1000, 2000])})
    frame["y"] = np.where(frame.x == 1, "yes", "no")
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table)

    def scored(n_rows):
        new = pd.DataFrame({"x": np.repeat([0.0, 1.0, 2.0], n_rows)})
        return engine.score(tree, written(new, tmp_path / "new.csv"), training=table)

    found = scored([1500, 1010, 1490])
    assert found.moved.tolist() == [True, False, True] and found.drift.size == "small"
    same = scored([1000, 1000, 2000])
    assert not same.moved.any() and same.drift.size == "chance"


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_rows_at_hand_are_written_as_those_of_a_file(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(scoring, "ROWS", 17)
    frame = people()
    tree = grown(frame)
    engine.score(tree, written(frame, tmp_path / "new.parquet"), tmp_path / f"scored{suffix}")
    added = engine.write_rows(engine.Table.from_frame(frame, target="y"), tree, tmp_path / f"rows{suffix}")
    read = {".csv": pd.read_csv, ".xlsx": lambda path: pd.read_excel(path, engine="openpyxl")}.get(
        suffix, pd.read_parquet
    )
    scored, rows = (read(tmp_path / f"{name}{suffix}")[list(added)] for name in ("scored", "rows"))
    pd.testing.assert_frame_equal(scored, rows, check_categorical=False)


def test_some_rows_in_their_order_and_no_test_rows_unasked(tmp_path):
    table = engine.Table.from_frame(people(), target="y").with_partition(test=0.3, seed=1)
    tree = engine.grow(table, max_depth=2)
    engine.write_rows(table, tree, tmp_path / "rows.parquet", np.array([7, 3, 9]))
    assert (
        pd.read_parquet(tmp_path / "rows.parquet")["age"].tolist()
        == table.to_frame(np.array([7, 3, 9]))["age"].tolist()
    )
    engine.write_rows(table, tree, tmp_path / "rows.parquet")
    assert len(pd.read_parquet(tmp_path / "rows.parquet")) == table.n_rows - table.n_test


def test_more_rows_than_a_sheet_holds_are_refused_before(tmp_path, monkeypatch):
    monkeypatch.setattr(formats_rows, "MOST_ROWS", 100)
    table = engine.Table.from_frame(people(), target="y")
    with pytest.raises(engine.InputError, match="no more than 99 rows"):
        engine.write_rows(table, engine.Tree.root(table), tmp_path / "rows.xlsx")
    assert not list(tmp_path.iterdir())
