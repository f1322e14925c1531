"""A store of codes is filled in chunks, goes on where it was, and says what is wrong in a sentence."""

import errno
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from tests.same_trees import assert_same

duckdb = pytest.importorskip("duckdb")
from engine.sources import store  # noqa: E402  # needs DuckDB


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """The path of 1,000 rows, which are written in chunks of about 100."""
    monkeypatch.setattr(store, "ROWS", 100)
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=1000), "g": random.choice(list("abc"), 1000)})
    frame["y"] = np.where(frame["x"] + (frame["g"] == "a") > random.normal(size=1000), "yes", "no")
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=100)
    return tmp_path / "rows.parquet"


def expected(rows):
    return engine.grow(engine.Table.from_frame(pd.read_parquet(rows), target="y"))


def test_an_interrupted_filling_goes_on_where_it_was(rows, tmp_path):
    written = []
    progress = Progress(
        lambda _, words: (words == "Writing codes" and written.append(1)) or (len(written) == 4 and progress.stop())
    )
    with pytest.raises(engine.Stopped):
        engine.open_source(rows, target="y", store=tmp_path / "codes", progress=progress)
    filling = store.prepare_store(rows, tmp_path / "codes")
    assert 0 < filling.done < 1000
    with pytest.raises(InputError, match="not complete"):
        store.open_store(filling, "y")
    before, appended = filling.done, []
    append = store.Filling._append
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.Filling, "_append", lambda self, *a: appended.append(a[1]) or append(self, *a))
        filling.fill(Progress())
    assert min(appended) == before
    assert_same(engine.grow_source(store.open_store(filling, "y")), expected(rows))


def test_a_full_disk_is_said_and_filling_goes_on(rows, tmp_path, monkeypatch):
    calls, append = [], store.Filling._append

    def full(self, *values):
        calls.append(values)
        if len(calls) == 8:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(self, *values)

    monkeypatch.setattr(store.Filling, "_append", full)
    with pytest.raises(InputError, match="No space left on device"):
        engine.open_source(rows, target="y", store=tmp_path / "codes")
    source = engine.open_source(rows, target="y", store=tmp_path / "codes")
    assert len(calls) < 8 + 30  # what was whole was not written again
    assert_same(engine.grow_source(source), expected(rows))


def test_too_little_room_is_said_before(rows, tmp_path, monkeypatch):
    filling = store.prepare_store(rows, tmp_path / "codes")
    assert filling.bytes_needed == 1000 * (2 + 1 + 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 5, 5))
    with pytest.raises(InputError, match=r"The codes need 1 MB in .* where 0 MB are free"):
        filling.fill(Progress())


def test_data_that_were_changed_are_read_anew(rows, tmp_path):
    engine.open_source(rows, target="y", store=tmp_path / "codes")
    frame = pd.read_parquet(rows)
    frame["y"] = frame["y"].to_numpy()[::-1]
    frame.to_parquet(rows)
    source = engine.open_source(rows, target="y", store=tmp_path / "codes")
    assert_same(engine.grow_source(source, max_depth=3), engine.grow(
        engine.Table.from_frame(frame, target="y"), max_depth=3))  # fmt: skip


def test_data_that_change_while_they_are_read_are_refused(rows, tmp_path):
    filling, pushed = store.prepare_store(rows, tmp_path / "codes"), engine.open_source(rows, target="y", memory=0)
    frame = pd.read_parquet(rows)
    frame.loc[500, "g"] = "new"
    frame.to_parquet(rows)
    with pytest.raises(InputError, match=r"changed meanwhile|no longer be read"):
        filling.fill(Progress())
    with pytest.raises(InputError, match=r"changed meanwhile|no longer be read"):
        engine.grow_source(pushed)
    rows.unlink()
    with pytest.raises(InputError, match=r"no longer be read"):
        engine.grow_source(pushed)


def test_a_folder_a_csv_and_a_table_of_a_database_are_read(rows, tmp_path):
    frame = pd.read_parquet(rows)
    (tmp_path / "parts").mkdir()
    frame[:300].to_parquet(tmp_path / "parts" / "1.parquet")
    frame[300:].to_parquet(tmp_path / "parts" / "2.parquet")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as connection:
        connection.execute("create table t as select * from read_parquet(?)", [str(rows)])
    tree = expected(rows)
    for address in ("parts", "parts/*.parquet", "rows.csv", "rows.duckdb::t"):
        for folder in (None, tmp_path / "stores" / Path(address).stem):
            source = engine.open_source(f"{tmp_path}/{address}", target="y", store=folder, memory=0)
            found = engine.grow_source(source, max_depth=2)
            assert found.split_at(0) == tree.split_at(0), address
            assert source.rows((), 7, 0)["g"].size == 7
    with pytest.raises(InputError, match="cannot be read"):
        engine.open_source(tmp_path / "none.parquet", target="y")
    with pytest.raises(InputError, match="no column “z”"):
        engine.open_source(rows, target="z")


def test_without_duckdb_the_command_is_said(rows, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(InputError, match="espalier\\[sources\\]"):
        engine.open_source(rows, target="y")


def test_roles_that_would_be_left_out_of_account_are_refused(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "w": [1, 2, 3], "y": list("uvu")})
    frame.to_parquet(tmp_path / "t.parquet")
    for role in ("weight", "frequency", "partition"):
        with pytest.raises(engine.InputError, match=f"another role than {role}"):
            engine.open_source(tmp_path / "t.parquet", target="y", roles={"w": role})
    with pytest.raises(engine.InputError, match="another role than weight"):
        engine.open_source(engine.Table.from_frame(frame, target="y", weights="w"), target="y")
