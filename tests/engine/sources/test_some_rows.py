"""Some rows of what is opened: the same every time, from all over it, of no more than a bounded part, and none that
is kept for the test."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from engine.table.partition import TEST, TRAIN

duckdb = pytest.importorskip("duckdb")
from engine.sources import some_rows  # noqa: E402  # as its tests need DuckDB

pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas for it
N = 20_000


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"id": np.arange(N), "x": random.normal(size=N), "client": random.integers(0, 900, N)})
    frame["g"] = random.choice(list("abc"), N)
    frame["fold"] = random.choice(["train", "validation", "test"], N)
    frame["y"] = np.where(frame["x"] + (frame["g"] == "a") > random.normal(size=N), "yes", "no")
    return frame


@pytest.fixture
def folder(frame, tmp_path):
    """20 files of 1,000 rows in row groups of 250."""
    (tmp_path / "rows").mkdir()
    for i in range(20):
        path = tmp_path / "rows" / f"{i:02d}.parquet"
        frame[1000 * i : 1000 * (i + 1)].to_parquet(path, row_group_size=250, index=False)
    return tmp_path / "rows"


def in_duckdb(frame, folder):
    path = folder / "rows.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", frame)
        connection.execute("create table t as select * from frame order by id; create view v as select * from t")
    return path


def written(frame, how, folder):
    """The address of the rows in one of several ways."""
    if how == "csv":
        frame.to_csv(folder / "rows.csv", index=False)
        return folder / "rows.csv"
    if how == "folder":
        for i in (0, 1, 2):
            frame[7000 * i : 7000 * (i + 1)].to_parquet(folder / f"{i}.parquet", row_group_size=900, index=False)
        return folder
    if how == "parquet":
        frame.to_parquet(folder / "rows.parquet", row_group_size=1500, index=False)
        return folder / "rows.parquet"
    return f"{in_duckdb(frame, folder)}::{how}"


def ids(table):
    """The numbers of the rows that train."""
    return table.column("id").values[table.column("id").codes[table.rows(TRAIN)] - 1].astype(int)


def test_the_rows_are_the_same_for_a_seed_and_lie_all_over_the_files(folder):
    one, again, other = (engine.read_some(folder, target="y", n=2000, seed=seed) for seed in (3, 3, 4))
    assert ids(one).tolist() == ids(again).tolist() != ids(other).tolist()
    assert one.n_rows == one.n_train == 2000 == np.unique(ids(one)).size
    assert one.source["places"] == 10
    assert np.unique(ids(one) // 2000).size == 10  # of each tenth of the rows some
    assert (one.name, one.target, one.roles["g"]) == ("rows", "y", "feature")


def test_no_more_than_a_bounded_part_is_read(folder, monkeypatch):
    seen, read = [], some_rows._first_rows
    monkeypatch.setattr(some_rows, "SEEN", 6 * 1500)  # cells of six columns
    monkeypatch.setattr(some_rows, "_first_rows", lambda *how: seen.extend(found := list(read(*how))) or found)
    table = engine.read_some(folder, target="y", n=1000)
    assert sum(batch.num_rows for batch in seen) <= 1500
    assert 900 <= table.n_rows <= 1000
    monkeypatch.setattr(some_rows, "SEEN", 6 * 100)
    assert 90 <= engine.read_some(folder, target="y", n=1000).n_rows <= 110


@pytest.mark.parametrize("rows_of_group", [20_000, 7])
def test_few_large_row_groups_and_many_small_ones_are_read_too(frame, rows_of_group, tmp_path):
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=rows_of_group, index=False)
    table = engine.read_some(tmp_path / "rows.parquet", target="y", n=5000)
    assert table.source["places"] == (1 if rows_of_group == 20_000 else some_rows.MOST_PLACES)
    assert table.n_rows == (5000 if rows_of_group == 20_000 else 7 * some_rows.MOST_PLACES)


@pytest.mark.parametrize("how", ["csv", "parquet", "folder", "t", "v"])
@pytest.mark.parametrize("roles", [{}, {"client": "group"}, {"client": "key"}, {"fold": "partition"}])
def test_no_row_that_is_kept_for_the_test_is_among_them(frame, how, roles, tmp_path):
    address = written(frame, how, tmp_path)
    shares = {} if "fold" in roles else {"validation": 0.3, "test": 0.25}
    found = engine.read_some(address, target="y", n=6000, seed=5, roles={"id": "feature", **roles}, **shares)
    options = engine.ReadOptions(sheet="t") if how in ("t", "v") else None
    whole = engine.read_table(str(address).partition("::")[0], "y", roles={"id": "feature", **roles}, options=options)
    how_divided = {"column": "fold"} if "fold" in roles else {**shares, "seed": 5}
    part = whole.with_partition(**how_divided).part[ids(found)]
    assert found.n_train > 1800
    assert not np.any(part == TEST)
    assert np.mean(part == TRAIN) > (0.97 if shares else 0.9999)  # but for a few that validate
    assert found.roles.get("fold") == whole.roles.get("fold")


def test_a_table_of_duckdb_is_read_in_stretches_and_one_with_holes_from_its_beginning(frame, tmp_path):
    path = in_duckdb(frame, tmp_path)
    table = engine.read_some(f"{path}::t", target="y", n=1000)
    assert table.source["places"] == 10 and np.unique(ids(table) // 2000).size == 10
    assert ids(table).tolist() == ids(engine.read_some(f"{path}::t", target="y", n=1000)).tolist()
    with duckdb.connect(str(path)) as connection:
        connection.execute("delete from t where id = 77")
    table = engine.read_some(f"{path}::t", target="y", n=1000)
    assert table.source["places"] == 1 and ids(table).max() == 1000
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table u as select *, id as rowid from t order by x")
    table = engine.read_some(f"{path}::u", target="y", n=1000)
    assert table.source["places"] == 1  # its own column of this name numbers no rows


def test_a_text_is_read_to_the_end_of_a_record(frame, monkeypatch, tmp_path):
    frame["said"] = 'two\nlines, and a "mark"'
    frame[["id", "x", "g", "y", "said"]].to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.setattr(some_rows, "TEXT_BYTES", 50_000)
    monkeypatch.setattr(some_rows, "SAMPLE_BYTES", 10_000)
    table = engine.read_some(tmp_path / "rows.csv", target="y", options=engine.ReadOptions(kinds={"g": "ordered"}))
    assert 500 < table.n_rows < 1500 and ids(table).tolist() == list(range(table.n_rows))
    assert table.column("said").levels == ('two\nlines, and a "mark"',) and table.column("g").kind == "ordered"


def test_the_first_rows_of_a_database_are_divided_by_a_key(frame, tmp_path):
    pytest.importorskip("ibis")
    with sqlite3.connect(tmp_path / "rows.db") as connection:
        frame.to_sql("t", connection, index=False)
    connection.close()
    address = f"sqlite:///{tmp_path}/rows.db::t"
    found = engine.read_some(address, target="y", n=4000, key="client", validation=0.2, test=0.2)
    whole = engine.Table.from_frame(frame, target="y", roles={"client": "group"}).with_partition(0.2, 0.2)
    part = whole.part[ids(found)]
    assert 3000 < found.n_train < 5000 and found.source["places"] == 1
    assert not np.any(part == TEST) and np.mean(part == TRAIN) > 0.97
    assert engine.read_some(address, target="y", n=N + 1).source["places"] == 0  # there are no others


def test_what_cannot_be_read_is_said(folder, tmp_path):
    with pytest.raises(InputError, match="nothing"):
        engine.read_some(folder, target="nothing")
    (tmp_path / "rows.arff").write_text("@relation r\n@attribute x numeric\n@data\n1\n")
    with pytest.raises(InputError, match="can only be read into memory"):
        engine.read_some(tmp_path / "rows.arff", target="x")
    with pytest.raises(InputError, match="below 1"):
        engine.read_some(folder, target="y", validation=0.6, test=0.4)
    progress = Progress()
    progress.stop()
    with pytest.raises(Stopped):
        engine.read_some(folder, target="y", progress=progress)
