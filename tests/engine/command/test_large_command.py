"""Tables that do not fit on the command line."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from tests.engine.command.running import run

pytest.importorskip("duckdb")
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it


@pytest.fixture
def folder(tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=400), "g": random.choice(list("abc"), 400)})
    frame["y"] = np.where(frame["x"] > random.normal(size=400), "yes", "no")
    (tmp_path / "rows").mkdir()
    frame[:100].to_parquet(tmp_path / "rows" / "1.parquet")
    frame[100:].to_parquet(tmp_path / "rows" / "2.parquet")
    return tmp_path / "rows"


def test_a_folder_gives_the_same_tree_from_memory_and_from_codes(capsys, folder, tmp_path):
    how = ("--target", "y", "--no-window", "--max-depth", 3, "--validation", 0.3, "--prune", "reduced-error")
    code, said, _ = run(capsys, folder, *how)
    assert code == 0
    assert run(capsys, folder, *how, "--codes", tmp_path / "codes", "--export", tmp_path / "tree.json")[:2] == (
        0, said + f"wrote   {tmp_path / 'tree.json'}\n")  # fmt: skip
    assert (tmp_path / "codes").is_dir()
    code, _, wrong = run(capsys, tmp_path / "tree.json", "--score", folder, "--export", tmp_path / "scored.csv")
    assert (code, wrong) == (0, "")
    assert len(pd.read_csv(tmp_path / "scored.csv")) == 400


def test_a_sample_repeats_and_excludes_codes(capsys, folder):
    how = ("--target", "y", "--no-window", "--max-depth", 2, "--sample", 50)
    code, said, _ = run(capsys, folder, *how)
    assert code == 0
    assert run(capsys, folder, *how)[1] == said
    code, _, wrong = run(capsys, folder, *how, "--codes")
    assert (code, "choose one" in wrong) == (2, True)


def test_a_table_of_a_database_is_counted_there_and_its_sql_runs_there(capsys, folder, tmp_path):
    pytest.importorskip("ibis")
    frame = pd.read_parquet(folder).assign(customer_id=lambda rows: np.arange(len(rows)) * 7 + 1000)
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as database:
        frame.to_sql("customer list", database, index=False)
        address, written = f"sqlite:///{tmp_path}/shop.sqlite::customer list", tmp_path / "tree.sql"
        how = ("--counts", "--target", "y", "--no-window", "--max-depth", 2, "--export", written)
        code, said, wrong = run(capsys, address, *how)
        assert (code, wrong) == (0, "")
        assert "2 features" in said  # what numbers the rows is ignored, as in a file
        answers = pd.read_sql(written.read_text(encoding="utf-8"), database)
    assert len(answers) == 400
    assert set(answers["prediction"]) == {"yes", "no"}


def test_without_a_target_the_columns_of_a_database_are_named(capsys, folder, tmp_path):
    pytest.importorskip("ibis")
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as database:
        pd.read_parquet(folder).to_sql("t", database, index=False)
    code, _, wrong = run(capsys, f"sqlite:///{tmp_path}/shop.sqlite::t", "--counts", "--no-window")
    assert (code, "the columns are x, g, y" in wrong) == (2, True)
