"""A store of codes is filled in chunks, goes on where it was, gives the table that reading into memory gives, and says
what is wrong in a sentence; a sample has the same rows every time."""

import errno
import json
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import engine
from engine.readers import read_source
from engine.runtime.errors import InputError
from engine.runtime.kernel_cache import lock
from engine.runtime.progress import Progress
from tests.effort import examples
from tests.same_trees import assert_same

duckdb = pytest.importorskip("duckdb")
from engine.readers import relations, stored  # noqa: E402  # need DuckDB


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """The path of 1,000 rows, which are written in chunks of about 100."""
    monkeypatch.setattr(stored, "ROWS", 100)
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=1000), "g": random.choice(list("abc"), 1000)})
    frame["y"] = np.where(frame["x"] + (frame["g"] == "a") > random.normal(size=1000), "yes", "no")
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=100)
    return tmp_path / "rows.parquet"


def expected(rows, **options):
    return engine.grow(engine.read_table(rows, target="y"), **options)


def assert_equal_tables(found, wanted):
    """The same columns, values, codes and roles."""
    assert found.names == wanted.names
    assert (found.target, found.roles) == (wanted.target, wanted.roles)
    for one, other in zip(found.columns, wanted.columns, strict=True):
        assert (one.kind, one.codes.dtype, one.declared) == (other.kind, other.codes.dtype, other.declared), one.name
        np.testing.assert_array_equal(one.values, other.values, one.name)
        np.testing.assert_array_equal(one.codes, other.codes, one.name)


# -- filling


def test_an_interrupted_filling_goes_on_where_it_was(rows, tmp_path):
    written = []
    progress = Progress(
        lambda _, words: (words == "Writing codes" and written.append(1)) or (len(written) == 4 and progress.stop())
    )
    with pytest.raises(InputError, match="stopped after 300 of 1,000 rows"):
        engine.open_source(rows, target="y", store=tmp_path / "codes", progress=progress)
    filling = stored.prepare_store(rows, tmp_path / "codes")
    assert filling.done == 300
    appended, append = [], stored.Filling._append
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored.Filling, "_append", lambda self, *a: appended.append(a[1]) or append(self, *a))
        filling.fill(Progress())
    assert min(appended) == 300
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "prepare_store", lambda *_: pytest.fail("described again"))
        table = engine.read_codes(rows, tmp_path / "codes", "y")  # what is full is opened at once
    assert_same(engine.grow(table), expected(rows))
    assert_same(engine.grow_source(table), expected(rows))


def test_a_full_disk_is_said_and_filling_goes_on(rows, tmp_path, monkeypatch):
    calls, append = [], stored.Filling._append

    def full(self, *values):
        calls.append(values)
        if len(calls) == 8:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(self, *values)

    monkeypatch.setattr(stored.Filling, "_append", full)
    with pytest.raises(InputError, match="No space left on device"):
        engine.read_codes(rows, tmp_path / "codes", "y")
    calls[:] = range(100)
    table = engine.read_codes(rows, tmp_path / "codes", "y")
    assert len(calls) < 100 + 30  # what was whole was not written again
    assert_same(engine.grow(table), expected(rows))


def test_too_little_room_is_said_before(rows, tmp_path, monkeypatch):
    filling = stored.prepare_store(rows, tmp_path / "codes")
    assert filling.bytes_needed == 1000 * (2 + 1 + 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 5, 5))
    with pytest.raises(InputError, match=r"The codes need 1 MB in .* where 0 MB are free"):
        filling.fill(Progress())
    assert engine.room_for(rows).free_disk == 5


def test_data_that_were_changed_are_read_anew_and_older_codes_go(rows, tmp_path):
    first = engine.read_codes(rows, tmp_path / "codes", "y")
    before = np.array(first.column("y").codes)
    frame = pd.read_parquet(rows)
    frame["y"] = frame["y"].to_numpy()[::-1]
    frame.to_parquet(rows)
    table = engine.read_codes(rows, tmp_path / "codes", "y")
    assert_same(engine.grow(table, max_depth=3), expected(rows, max_depth=3))
    assert sum(one.is_dir() for one in (tmp_path / "codes").iterdir()) == 1
    assert len(engine.read_codes(rows, tmp_path / "codes", "y").columns) == 3
    np.testing.assert_array_equal(first.column("y").codes, before)  # whoever has older ones mapped keeps them
    again = read_source(first.source)
    assert "has changed since it was last read" in again.remarks[-1]
    assert not read_source(table.source).remarks


def test_filling_removes_nothing_but_older_codes_of_the_same_data(rows, tmp_path):
    store, other = tmp_path / "mine", tmp_path / "other.parquet"
    pd.read_parquet(rows)[::-1].to_parquet(other)
    for folder, manifest in (("extension", "{}"), ("0123456789abcdef", '{"source": "", "done": 1}')):
        (store / folder).mkdir(parents=True)
        (store / folder / "manifest.json").write_text(manifest)
        (store / folder / "thesis.txt").write_text("years of work")
    kept = engine.read_codes(other, store, "y")
    for _ in range(2):
        engine.read_codes(rows, store, "y")
        pd.read_parquet(rows)[1:].to_parquet(rows)
    assert (store / "extension" / "thesis.txt").exists()
    assert (store / "0123456789abcdef" / "thesis.txt").exists()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "prepare_store", lambda *_: pytest.fail("described again"))
        np.testing.assert_array_equal(engine.read_codes(other, store, "y").column("x").codes, kept.column("x").codes)


def test_a_change_in_the_middle_of_a_large_file_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.readers.files.PRINTED", 100)
    path = tmp_path / "rows.csv"
    path.write_text("a,y\n" + "1,no\n2,up\n" * 200)
    assert engine.read_codes(path, tmp_path / "codes", "y").column("y").levels == ("no", "up")
    path.write_text("a,y\n" + "1,no\n2,up\n" * 199 + "1,no\n2,at\n")
    assert engine.read_codes(path, tmp_path / "codes", "y").column("y").levels == ("at", "no", "up")


@pytest.mark.parametrize("harm", ["lost", "shorter", "values"])
def test_codes_whose_files_are_damaged_are_made_again(rows, tmp_path, harm):
    table = engine.read_codes(rows, tmp_path / "codes", "y")
    wanted = np.array(table.column("g").codes)
    del table
    (found,) = (tmp_path / "codes").glob("*/1.values" if harm == "values" else "*/1.codes")
    if harm == "shorter":
        found.write_bytes(found.read_bytes()[:10])
    else:
        found.unlink()
    np.testing.assert_array_equal(engine.read_codes(rows, tmp_path / "codes", "y").column("g").codes, wanted)


def test_a_store_that_is_filled_several_times_at_once(rows, tmp_path):
    def filled(kind):
        return engine.read_codes(rows, tmp_path / "codes", "y", options=engine.ReadOptions(kinds={"g": kind}))

    kinds = ["nominal", "nominal", "ordered", "nominal", "ordered"]
    with ThreadPoolExecutor(5) as pool:
        for kind, table in zip(kinds, pool.map(filled, kinds), strict=True):
            wanted = engine.read_table(rows, "y", kinds={"g": kind})
            for name in wanted.names:
                np.testing.assert_array_equal(table.column(name).codes, wanted.column(name).codes)
            assert table.column("g").kind == kind


def test_who_waits_for_a_store_can_stop(rows, tmp_path):
    (tmp_path / "codes").mkdir()
    progress = Progress(lambda _, words: words.startswith("Waiting") and progress.stop())
    with lock(tmp_path / "codes" / stored.LOCK), pytest.raises(InputError, match="was stopped"):
        engine.read_codes(rows, tmp_path / "codes", "y", progress=progress)


def test_codes_that_are_gone_are_made_again(rows, tmp_path):
    table = engine.read_codes(rows, tmp_path / "codes", "y", {"g": "ignore"})
    shutil.rmtree(tmp_path / "codes")
    again = read_source(json.loads(json.dumps(table.source))).with_target("y")
    np.testing.assert_array_equal(again.column("x").codes, table.column("x").codes)


def test_data_that_change_while_they_are_read_are_refused(rows, tmp_path):
    filling, pushed = stored.prepare_store(rows, tmp_path / "codes"), engine.open_source(rows, target="y", memory=0)
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


# -- the same table as in memory

CELLS = {
    "number": st.one_of(st.none(), st.sampled_from([-0.0, 0.0, 1.5, float("inf"), -3e300, 0.1])),
    "integer": st.one_of(st.none(), st.integers(-3, 300)),
    "text": st.one_of(st.none(), st.sampled_from(["a", " a", "b", "", "NA", "ä", "1", "a;b", 'q"', "😀"])),
    "boolean": st.one_of(st.none(), st.booleans()),
    "date": st.one_of(st.none(), st.datetimes(pd.Timestamp(1900, 1, 1), pd.Timestamp(2200, 1, 1))),
}
NAMES = ["x", 'a "quoted" name', '"; drop table t; --', "select", "ä 😀", "x.y", "c0", "column_value", " x  z "]


@st.composite
def frames(draw):
    n = draw(st.integers(2, 40))
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), min_size=2, max_size=5))
    names = draw(st.permutations(NAMES))
    columns = {}
    for name, kind in zip(names, kinds, strict=False):
        cells = pd.Series(draw(st.lists(CELLS[kind], min_size=n, max_size=n)), dtype=object)
        types = {"number": "float64", "integer": "Int64", "boolean": "boolean", "date": "datetime64[us]"}
        columns[name] = cells.astype(types[kind]) if kind in types else cells
    return pd.DataFrame(columns)


@examples(60)
@given(frames(), st.booleans())
def test_codes_are_those_of_a_table_in_memory(frame, as_text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("rows.csv" if as_text else "rows.parquet")
        if as_text:
            frame = frame.astype(object).where(frame.notna(), "?")  # a row of nothing but commas would be left out
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path, row_group_size=7)
        try:
            wanted = engine.read_table(path, roles=dict.fromkeys(engine.inspect(path).names, "feature"))
        except InputError as error:
            with pytest.raises(InputError):
                engine.read_codes(path, Path(folder) / "codes")
            assert "column" in str(error)
            return
        roles = dict.fromkeys(wanted.names, "feature")
        found = engine.read_codes(path, Path(folder) / "codes", roles=roles)
        assert_equal_tables(found, wanted)
        sample = engine.read_sample(path, 10**6, roles=roles)
        assert_equal_tables(sample, wanted)
        for column in found.columns:
            del column.__dict__["codes"]  # Windows removes no file that is mapped


def assert_read_alike(path, folder, target):
    """The rows are the same in memory, as codes and as a sample."""
    wanted = engine.read_table(path, target)
    assert_equal_tables(engine.read_codes(path, folder, target), wanted)
    assert_equal_tables(engine.read_sample(path, 10**6, target=target), wanted)
    return wanted


def test_declared_levels_keep_their_order(rows, tmp_path):
    frame = pd.read_parquet(rows)
    frame["size"] = pd.Categorical(frame["g"].map({"a": "low", "b": "middle", "c": "high"}),
                                   ["none", "low", "middle", "high"], ordered=True)  # fmt: skip
    frame.loc[::9, "size"] = None
    frame["place"] = pd.Categorical(frame["g"], ["z", "c", "a", "b"])
    frame["code"] = pd.Categorical(np.arange(1000) % 3, [2, 0, 1])
    frame.to_parquet(rows, row_group_size=100)
    wanted = assert_read_alike(rows, tmp_path / "codes", "y")
    assert wanted.column("size").levels == ("none", "low", "middle", "high")
    pushed = engine.open_source(rows, target="y", memory=0).head
    assert [(one.kind, one.declared, one.levels) for one in pushed.columns if one.name in ("size", "place")] == [
        (one.kind, one.declared, one.levels) for one in wanted.columns if one.name in ("size", "place")]  # fmt: skip
    (tmp_path / "parts").mkdir()
    frame[:500].to_parquet(tmp_path / "parts" / "1.parquet")
    more = frame[500:].assign(size=frame["size"].astype(object).where(frame["g"] != "c", "huge"))
    more.to_parquet(tmp_path / "parts" / "2.parquet")
    folder = assert_read_alike(tmp_path / "parts", tmp_path / "of parts", "y")
    assert folder.column("size").levels == ("none", "low", "middle", "high", "huge")
    assert folder.column("size").kind == "ordered"


def test_columns_whose_names_differ_by_case(tmp_path):
    frame = pd.DataFrame({"Age": [1.5, 2, 3], "age": [4, 5, 4.5], "AGE": [7.5, 8, 8], "y": list("uvu")})
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path)
    assert assert_read_alike(path, tmp_path / "codes", "y").names == ["Age", "age", "AGE", "y"]
    assert engine.open_source(path, target="y", memory=0).head.names == ["Age", "age", "AGE", "y"]
    (tmp_path / "parts").mkdir()
    for name in ("1.parquet", "2.parquet"):
        frame.to_parquet(tmp_path / "parts" / name)
    with pytest.raises(InputError, match=r"1\.parquet has columns whose names differ by case alone"):
        engine.read_codes(tmp_path / "parts", tmp_path / "codes")


def test_a_number_that_is_none_is_missing_whatever_the_statistics_say(tmp_path):
    random = np.random.default_rng(0)
    x = random.normal(size=300)
    y = x + random.normal(size=300)
    x[::5] = y[::7] = np.nan
    parquet.write_table(pa.table({"x": pa.array(x), "f": pa.array(-x.astype("f4")), "y": pa.array(y)}),
                        tmp_path / "rows.parquet")  # fmt: skip
    wanted = assert_read_alike(tmp_path / "rows.parquet", tmp_path / "codes", "y")
    source = engine.open_source(tmp_path / "rows.parquet", target="y", memory=0)
    assert (source.head.n_train, source.lacking) == (np.isfinite(y).sum(), {"x", "f", "y"})
    assert source.head.origin == pytest.approx(np.nanmean(y))
    assert_same(engine.grow_source(source, max_depth=2), engine.grow(wanted, max_depth=2))


@pytest.mark.parametrize(
    "text",
    ["a,b,y\r\n1,u,p\n2,v,q\r\n", "a,b,y\n1,u,p\n2," + "v" * 3_000_000 + ",q\n", "\ufeffa,b,y\n1,ü,p\n2,v,q\n"],
    ids=["ends", "long", "utf-16"],
)
def test_texts_that_only_memory_holds_are_said(tmp_path, text):
    path = tmp_path / "rows.csv"
    path.write_bytes(text.encode("utf-16-le" if text[0] == "\ufeff" else "utf-8"))
    assert engine.read_table(path, "y").n_rows == 2
    for read in (engine.read_codes, engine.read_sample):
        with pytest.raises(InputError, match=r"rows\.csv can only be read into memory"):
            read(path)


@pytest.mark.parametrize("n", [5, 600])
def test_columns_that_number_the_rows_are_the_same_as_in_memory(tmp_path, n):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": np.arange(n) + 2, "a": np.arange(n), "b": random.permutation(n), "id": np.arange(n)})
    frame["y"] = random.choice(list("uv"), n)
    for turned in (frame, frame[["b", "x", "y"]].rename(columns={"b": "no"}), frame.rename(columns={"x": "n"})):
        turned.to_parquet(tmp_path / "rows.parquet")
        wanted = engine.read_table(tmp_path / "rows.parquet", "y").roles
        assert engine.read_codes(tmp_path / "rows.parquet", tmp_path / "codes", "y").roles == wanted


def test_kinds_orders_and_roles_are_taken(rows, tmp_path):
    frame = pd.read_parquet(rows)
    frame["w"], frame["id"] = np.arange(1000) % 4, np.arange(1000)[::-1]
    frame.to_parquet(rows)
    options = engine.ReadOptions(kinds={"g": ["c", "a", "b"], "y": "nominal", "w": "nominal"})
    for roles in ({}, {"w": "ignore", "id": "key"}):
        wanted = engine.read_table(rows, "y", roles=roles, options=options)
        found = engine.read_codes(rows, tmp_path / "codes", "y", roles, options)
        assert_equal_tables(found, wanted)
        again = read_source(json.loads(json.dumps(found.source)))
        assert again.column("g").levels == ("c", "a", "b")
    table = engine.open_source(rows, target="y", store=tmp_path / "w", roles={"w": "frequency"})
    wanted = engine.read_table(rows, "y", frequencies="w")
    assert_same(engine.grow(table, max_depth=3), engine.grow(wanted, max_depth=3))
    parts = dict(validation=0.3, test=0.2, seed=4)
    np.testing.assert_array_equal(table.with_partition(**parts).part, wanted.with_partition(**parts).part)


def test_a_folder_a_glob_and_a_table_of_a_database_are_read(rows, tmp_path):
    frame = pd.read_parquet(rows)
    (tmp_path / "parts").mkdir()
    frame[:300].to_parquet(tmp_path / "parts" / "1.parquet")
    frame[300:].to_parquet(tmp_path / "parts" / "2.parquet")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as connection:
        connection.execute("create table t as select * from read_parquet(?)", [str(rows)])
        connection.execute('create table "other ""one""" as select 1 as a, 2 as b')
    tree, wanted = expected(rows), engine.read_table(rows, "y")
    for address in ("parts", "parts/*.parquet", "rows.csv", "rows.duckdb::t"):
        path, _, sheet = f"{tmp_path}/{address}".partition("::")
        options = engine.ReadOptions(sheet=sheet or None)
        assert engine.inspect(path, options).names == ("x", "g", "y")
        assert_equal_tables(engine.read_table(path, "y", options=options), wanted)
        found = engine.open_source(f"{tmp_path}/{address}", target="y", store=tmp_path / "stores" / Path(address).stem)
        assert_equal_tables(found, wanted)
        source = engine.open_source(f"{tmp_path}/{address}", target="y")
        assert engine.grow_source(source, max_depth=2).split_at(0) == tree.split_at(0), address
        assert source.rows((), 7, 0).n_rows == 7
        assert engine.room_for(path, options).n_rows == pytest.approx(1000, rel=0.1)
    look = engine.inspect(tmp_path / "rows.duckdb")
    assert (look.format, look.sheets) == ("duckdb", ('other "one"', "t"))
    assert engine.inspect(tmp_path / "rows.duckdb", engine.ReadOptions(sheet="t")).n_rows == 1000


# -- samples


def test_a_sample_has_the_same_rows_every_time(rows, tmp_path):
    frame = pd.read_parquet(rows)
    frame["row"] = np.arange(1000) ** 2
    frame.to_parquet(rows)
    table = engine.open_source(rows, target="y", sample=50, seed=3)
    assert (table.n_rows, table.source["kind"]) == (50, "sample")
    numbers = table.column("row").numbers
    assert np.all(np.diff(numbers) > 0)
    np.testing.assert_array_equal(engine.read_sample(rows, 50, 3).column("row").numbers, numbers)
    np.testing.assert_array_equal(read_source(json.loads(json.dumps(table.source))).column("row").numbers, numbers)
    assert not np.array_equal(engine.read_sample(rows, 50, 4).column("row").numbers, numbers)
    of_row = dict(zip(frame["row"], frame["x"], strict=True))
    np.testing.assert_array_equal(table.column("x").numbers, [of_row[n] for n in numbers])


# -- what cannot be


DOORS = {
    "inspect": engine.inspect,
    "read_table": engine.read_table,
    "open_source": lambda path: engine.open_source(str(path), target="y"),
    "read_codes": lambda path: engine.read_codes(path, path.parent / "codes", "y"),
    "read_counts": lambda path: engine.read_counts(path, target="y"),
    "room_for": engine.room_for,
}


@pytest.mark.parametrize("door", DOORS)
def test_a_broken_parquet_file_is_named_at_every_door(rows, tmp_path, door):
    """Alone and among others that can be read, and never in the words of DuckDB."""
    whole, folder = rows.read_bytes(), tmp_path / "folder"
    folder.mkdir()
    shutil.copy(rows, folder / "1.parquet")
    damaged = {"text": b"x,y\n1,2\n" * 99, "empty": b"", "cut": whole[:2000], "footer": whole[:-400] + b"PAR1"}
    for name, data in damaged.items():
        for path in (tmp_path / f"{name}.parquet", folder / "2.parquet"):
            path.write_bytes(data)
        alone = "is empty: choose" if not data else "is broken, or is no Parquet or Feather file: export it again"
        with pytest.raises(InputError, match=rf"^{name}\.parquet {alone}"):
            DOORS[door](tmp_path / f"{name}.parquet")
        said = r"folder/2\.parquet” is empty, damaged or no Parquet file: export it again, or move it out of the folder"
        with pytest.raises(InputError, match=said):
            DOORS[door](folder)


@pytest.mark.parametrize("door", ["read_table", "open_source", "read_codes", "read_counts"])
def test_a_parquet_file_with_damaged_rows_is_named(rows, tmp_path, door):
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copy(rows, folder / "1.parquet")
    pd.DataFrame({"x": np.arange(3000.0), "y": ["yes", "no"] * 1500}).to_parquet(folder / "2.parquet")
    data, half = (folder / "2.parquet").read_bytes(), (folder / "2.parquet").stat().st_size // 2
    (folder / "2.parquet").write_bytes(data[:100] + b"\x55" * (half - 100) + data[half:])
    with pytest.raises(InputError, match=r"folder/2\.parquet” is damaged, so some of its rows cannot be read: export"):
        DOORS[door](folder)
    data, half = rows.read_bytes(), rows.stat().st_size // 2
    rows.write_bytes(data[:100] + b"\x55" * (half - 100) + data[half:])  # here DuckDB names no file
    with pytest.raises(InputError, match=r"damaged, so some|^rows\.parquet is broken"):
        DOORS[door](rows)


@pytest.mark.parametrize("door", DOORS)
def test_a_database_that_cannot_be_opened_says_what_helps(tmp_path, door):
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE t AS SELECT range AS x, range % 2 AS y FROM range(1000)")
    data = path.read_bytes()
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLDER, path], stdin=pipe, stdout=pipe) as holder:
        holder.stdout.readline()  # it has the database now
        with pytest.raises(InputError, match=r"^a\.duckdb is open in another program: close it there, or open a copy"):
            DOORS[door](path)
    path.write_bytes(of_a_newer_version(data))
    with pytest.raises(InputError, match=rf"^a\.duckdb was written by a newer DuckDB .* {duckdb.__version__}: update"):
        DOORS[door](path)
    for broken in (data[:3000], data[:5000] + b"\x33" * 4000 + data[9000:]):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"^a\.duckdb is damaged: use another copy of it, or export the table"):
            DOORS[door](path)


HOLDER = """import duckdb, sys
with duckdb.connect(sys.argv[1]):
    print("open", flush=True)
    sys.stdin.read()
"""


def of_a_newer_version(data):
    """A database whose first block names a version that is not yet; its checksum is the sum by XOR of its words, each
    times a constant (`src/common/checksum.cpp` of DuckDB)."""
    checksum, word = struct.unpack("<QQ", data[:16])
    newer = word ^ 0x70000000 << 32
    for one in (word, newer):
        checksum ^= one * 0xBF58476D1CE4E5B9 % 2**64
    return struct.pack("<QQ", checksum, newer) + data[16:]


def test_what_is_wrong_is_said(rows, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="is not there"):
        engine.open_source(tmp_path / "none.parquet", target="y")
    with pytest.raises(InputError, match="no column “z”"):
        engine.open_source(rows, target="z")
    with pytest.raises(InputError, match="no column “z”"):
        engine.read_codes(rows, tmp_path / "codes", "z")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty holds no Parquet files"):
        engine.inspect(tmp_path / "empty")
    with pytest.raises(InputError, match="No file is called"):
        engine.read_codes(tmp_path / "empty" / "*.parquet")
    for words, said in (("a,b\n1,2\n3,4\n", "no database of DuckDB"), ("SQLite format 3", "by “Open database…”")):
        (tmp_path / "a.db").write_text(words)
        with pytest.raises(InputError, match=said):
            engine.inspect(tmp_path / "a.db")
    with duckdb.connect(str(tmp_path / "none.duckdb")):
        pass
    with pytest.raises(InputError, match="holds no table"):
        engine.inspect(tmp_path / "none.duckdb")
    monkeypatch.setattr(relations, "MOST_LEVELS", 2)
    table = engine.read_codes(rows, tmp_path / "few", "y")
    assert table.names == ["x", "y"]
    assert "“g” has too many different texts" in table.remarks[0]


def test_files_of_a_folder_that_differ(tmp_path):
    pd.DataFrame({"a": [1, 2], "b": ["u", "v"], "y": ["p", "q"]}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"a": [1.5, None], "y": ["p", "q"], "z": [True, False]}).to_parquet(tmp_path / "2.parquet")
    table = engine.read_codes(tmp_path, tmp_path.parent / "codes", "y")
    assert table.names == ["a", "b", "y", "z"]
    np.testing.assert_array_equal(table.column("a").numbers, [1, 2, 1.5, np.nan])
    assert table.column("b").n_missing == 2
    notes = " ".join(table.remarks)
    assert "“b” is missing in 1 of 2 files, the first of which is" in notes
    assert "“a” has the type BIGINT in “1.parquet” and DOUBLE in “2.parquet”: its values are read as numbers." in notes


KEPT = ("read as texts", "more than seven digits are rounded", "read as numbers", "seven digits are rounded")


@pytest.mark.parametrize(("types", "what", "said"), [
    (("int64", "string"), "BIGINT in “0.parquet” and VARCHAR in “1.parquet”", "read as texts"),
    (("string", "string", "double"), "DOUBLE in “2.parquet” and VARCHAR in “0.parquet”", "read as texts"),
    (("int32", "float32"), "INTEGER in “0.parquet” and FLOAT in “1.parquet”", "more than seven digits are rounded"),
    (("int8", "float32"), "TINYINT in “0.parquet” and FLOAT in “1.parquet”", "read as numbers"),
    (("date32", "int32"), "INTEGER in “1.parquet” and DATE in “0.parquet”", "cannot be one column"),
    (("int32", "int64"), "", ""), (("float32", "float64"), "", ""), (("null", "string"), "", ""),
    (("date32", "timestamp[us]"), "", ""),
    (("decimal", "float32"), "DECIMAL(12,2) in “0.parquet” and FLOAT in “1.parquet”", "seven digits are rounded"),
    (("time64[us]", "int32"), "TIME in “0.parquet” and INTEGER in “1.parquet”", "cannot be one column"),
])  # fmt: skip
@pytest.mark.parametrize("opens", ["inspect", "counts"])
def test_files_whose_types_differ_say_so(tmp_path, types, what, said, opens):
    for i, kind in enumerate(types):
        first = {"string": str(i), "null": None}.get(kind, i)
        kind = {"double": "float64", "decimal": pa.decimal128(12, 2)}.get(kind, kind)
        cells = pa.array([first, None], kind)
        parquet.write_table(pa.table({"a": cells, "x": [1, 2], "y": ["p", "q"]}), tmp_path / f"{i}.parquet")
    try:
        notes = engine.inspect(tmp_path).notes if opens == "inspect" else engine.read_counts(tmp_path, target="y").notes
    except InputError as error:
        assert said == "cannot be one column"
        notes = (str(error),)
    notes = [note for note in notes if "has the type" in note]
    assert len(notes) == bool(what)
    assert not what or (what in notes[0] and said in notes[0])
    chosen = engine.inspect(tmp_path, engine.ReadOptions(kinds={"a": "nominal"})).notes if said in KEPT else ()
    assert any("has the type" in note for note in chosen) == (said in KEPT and said != KEPT[0]), "the type is chosen"


def test_without_duckdb_the_command_is_said(rows, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    for call in (lambda: engine.open_source(rows, target="y"), lambda: engine.inspect(rows.parent),
                 lambda: engine.room_for(rows), lambda: engine.open_source(rows, target="y", sample=10)):  # fmt: skip
        with pytest.raises(InputError, match="espalier\\[sources\\]"):
            call()


def test_parts_that_no_column_names_are_refused(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "w": [1, 2, 3], "y": list("uvu")})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(engine.InputError, match="“3” in column “w” names"):
        engine.open_source(tmp_path / "t.parquet", target="y", roles={"w": "partition"})


@pytest.mark.parametrize("text", ['1, "u"\n', ' "1",u\n', '1,   "u"\n'])
def test_blanks_before_quotation_marks_are_left_to_memory(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + text * 20, encoding="utf-8")
    for call in (
        lambda: engine.read_codes(path, tmp_path / "codes", "y"), lambda: engine.read_sample(path, 3),
        lambda: engine.open_source(path, target="y"),
    ):  # fmt: skip
        with pytest.raises(InputError, match="blanks before quotation marks"):
            call()


def test_a_quotation_within_a_cell_is_none_of_these(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,y\n"said, ""no"" and, ""x""",u\nb,v\n', encoding="utf-8")
    assert engine.read_codes(path, tmp_path / "codes", "y").column("a").levels == ("b", 'said, "no" and, "x"')
